/* Properties of many random terms, with fixed seeds: canonical form, order, independence
 * of the hash seed, derivatives against jets (exactly for rational functions, in double
 * else), rewriting preserves values. */
#include <math.h>

#include "random_term.h"
#include "terms/rules.h"
#include "terms/terms.h"
#include "unity.h"

enum { N_TERMS = 100000 };

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- canonical form -------------------------------------------------------------------------- */

static void
test_every_random_term_is_canonical(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 11, RANDOM_ALL);
  for (int i = 0; i < N_TERMS; i++) {
    random_term(&r, 4);
  }
  g_autoptr(GString) why = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(dae_terms_check(terms, why), why->str);
}

static void
test_another_hash_seed_gives_the_same_text(void)
{
  g_autoptr(DaeTerms) one = dae_terms_new_with_seed(1);
  g_autoptr(DaeTerms) two = dae_terms_new_with_seed(77777);
  RandomTerms r;
  RandomTerms s;
  random_init(&r, one, 12, RANDOM_ALL);
  random_init(&s, two, 12, RANDOM_ALL);
  RandomTerms noise;
  random_init(&noise, two, 99, RANDOM_ALL);
  for (int i = 0; i < N_TERMS / 4; i++) {
    random_term(&noise, 3); /* another history, too */
    DaeTerm t = random_term(&r, 4);
    DaeTerm u = random_term(&s, 4);
    g_autofree char *a = dae_term_to_string(one, t);
    g_autofree char *b = dae_term_to_string(two, u);
    TEST_ASSERT_EQUAL_STRING(a, b);
  }
}

/* The operands of a sum or product in any order and grouping give one term. */
static void
test_order_and_grouping_of_operands_do_not_matter(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 13, RANDOM_ALL);
  for (int i = 0; i < N_TERMS / 4; i++) {
    DaeTerm a = random_term(&r, 3);
    DaeTerm b = random_term(&r, 3);
    DaeTerm c = random_term(&r, 3);
    DaeTerm sum = dae_term_sum(terms, (DaeTerm[]){a, b, c}, 3);
    TEST_ASSERT_EQUAL_UINT32(sum, dae_term_add(terms, dae_term_add(terms, c, a), b));
    TEST_ASSERT_EQUAL_UINT32(sum, dae_term_add(terms, c, dae_term_add(terms, b, a)));
    DaeTerm product = dae_term_product(terms, (DaeTerm[]){a, b, c}, 3);
    DaeTerm left = dae_term_mul(terms, dae_term_mul(terms, c, a), b);
    DaeTerm right = dae_term_mul(terms, c, dae_term_mul(terms, b, a));
    if (left != product || right != product) {
      g_autofree char *p = dae_term_to_string(terms, product);
      g_autofree char *q = dae_term_to_string(terms, left != product ? left : right);
      TEST_ASSERT_EQUAL_STRING(p, q);
      TEST_FAIL_MESSAGE(p);
    }
  }
}

static void
check_triple(const DaeTerms *terms, DaeTerm a, DaeTerm b, DaeTerm c)
{
  int ab = dae_term_compare(terms, a, b);
  int bc = dae_term_compare(terms, b, c);
  TEST_ASSERT_TRUE((ab == 0) == (a == b));
  TEST_ASSERT_TRUE((ab > 0) == (dae_term_compare(terms, b, a) < 0));
  if (ab < 0 && bc < 0) {
    TEST_ASSERT_TRUE(dae_term_compare(terms, a, c) < 0);
  }
}

static void
test_the_order_is_total(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 14, RANDOM_ALL);
  for (int i = 0; i < N_TERMS; i++) {
    DaeTerm a = random_term(&r, 2);
    DaeTerm b = random_term(&r, 2);
    DaeTerm c = random_term(&r, 2);
    check_triple(terms, a, b, c);
  }
}

/* A random term below `depth` more levels: functions, roots, scaled or moved a little. */
static DaeTerm
random_tower(RandomTerms *r, int depth)
{
  DaeTerm t = random_term(r, 1);
  for (int k = 0; k < depth; k++) {
    DaeTerm last = t;
    switch (random_below(r, 6)) {
    case 0:
      t = dae_term_add(r->terms, t, r->variables[random_below(r, 2)]);
      break;
    case 1:
      t = dae_term_mul(r->terms, t, dae_term_ratio(r->terms, 2 * random_below(r, 2) - 3, 2));
      break;
    case 2:
      t = dae_term_mul(r->terms, t, r->parameters[random_below(r, 2)]);
      break;
    case 3:
      t = dae_term_sqrt(r->terms, t);
      break;
    default:
      t = dae_term_call1(r->terms, random_below(r, 2) == 0 ? DAE_FN_SIN : DAE_FN_EXP, t);
      break;
    }
    t = t == DAE_NO_TERM ? last : t;
  }
  return t;
}

/* Around the depth where the order begins to look at the depth, and far beyond. Terms that
 * differ in their coefficient only have to be neighbours there too: sums collect them, and
 * scaling a sum keeps the order of its summands. */
static void
test_the_order_is_total_on_deep_terms(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 15, RANDOM_ALL);
  DaeTerm pool[48];
  for (int round = 0; round < 60; round++) {
    int around = round % 3 == 0 ? 200 : 64;
    for (size_t i = 0; i < G_N_ELEMENTS(pool); i += 4) {
      pool[i] = random_tower(&r, around - 8 + random_below(&r, 16));
      pool[i + 1] = dae_term_mul(terms, pool[i], dae_term_int(terms, 2));
      pool[i + 2] = dae_term_call1(terms, DAE_FN_SIN, pool[i]);
      pool[i + 3] = dae_term_neg(terms, pool[i + 2]);
    }
    for (int k = 0; k < 3000; k++) {
      DaeTerm a = pool[random_below(&r, G_N_ELEMENTS(pool))];
      DaeTerm b = pool[random_below(&r, G_N_ELEMENTS(pool))];
      DaeTerm c = pool[random_below(&r, G_N_ELEMENTS(pool))];
      check_triple(terms, a, b, c);
      DaeTerm three = dae_term_int(terms, 3);
      DaeTerm parts[] = {dae_term_mul(terms, three, a), dae_term_mul(terms, three, b),
                         dae_term_mul(terms, three, c)};
      DaeTerm sum = dae_term_sum(terms, (DaeTerm[]){c, a, b}, 3);
      TEST_ASSERT_EQUAL_UINT32(dae_term_sum(terms, parts, 3), dae_term_mul(terms, three, sum));
      TEST_ASSERT_EQUAL_UINT32(dae_term_add(terms, a, a),
                               dae_term_mul(terms, a, dae_term_int(terms, 2)));
    }
  }
  g_autoptr(GString) why = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(dae_terms_check(terms, why), why->str);
}

/* ---- points ------------------------------------------------------------------------------ */

typedef struct {
  DaeTerms *terms;
  RandomTerms *r;
  DaeTerm exact[4][3];
  DaeTerm parameters[2];
  DaeTerm time;
  double scale; /* of the values in double */
} Point;

static void
random_point(Point *point, RandomTerms *r)
{
  point->terms = r->terms;
  point->r = r;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      point->exact[i][k] =
          dae_term_ratio(r->terms, random_below(r, 41) - 20, 1 + random_below(r, 11));
    }
  }
  for (int i = 0; i < 2; i++) {
    point->parameters[i] =
        dae_term_ratio(r->terms, 1 + random_below(r, 20), 1 + random_below(r, 7));
  }
  point->time = dae_term_ratio(r->terms, 3, 7);
  point->scale = 1.0;
}

static DaeTerm
exact_atom(void *user, DaeTerm atom)
{
  const Point *point = user;
  for (int i = 0; i < 2; i++) {
    if (atom == point->r->parameters[i]) {
      return point->parameters[i];
    }
  }
  if (dae_term_kind(point->terms, atom) == DAE_KIND_TIME) {
    return point->time;
  }
  for (int i = 0; i < 4; i++) {
    if (dae_term_get_symbol(point->terms, atom) ==
        dae_term_get_symbol(point->terms, point->r->variables[i])) {
      return point->exact[i][dae_term_order(point->terms, atom)];
    }
  }
  return DAE_NO_TERM;
}

static bool
double_atom(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  DaeTerm exact = exact_atom(user, atom);
  *value = dae_term_get_double(point->terms, exact) * point->scale;
  return true;
}

/* ---- exact jets -------------------------------------------------------------------------- */

typedef struct {
  DaeTerm value; /* DAE_NO_TERM: not defined or not rational here */
  DaeTerm slope;
} Jet;

static const Jet no_jet = {DAE_NO_TERM, DAE_NO_TERM};

static Jet jet_of(const Point *point, DaeTerm t, DaeTerm x);

static Jet
jet_of_operation(const Point *point, DaeTerm t, DaeTerm x)
{
  DaeTerms *terms = point->terms;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  bool is_sum = dae_term_kind(terms, t) == DAE_KIND_SUM;
  Jet result = {dae_term_int(terms, is_sum ? 0 : 1), dae_term_int(terms, 0)};
  for (uint32_t i = 0; i < n; i++) {
    Jet part = jet_of(point, u[i], x);
    if (part.value == DAE_NO_TERM) {
      return no_jet;
    }
    if (is_sum) {
      result.value = dae_term_add(terms, result.value, part.value);
      result.slope = dae_term_add(terms, result.slope, part.slope);
    } else {
      result.slope = dae_term_add(terms, dae_term_mul(terms, result.slope, part.value),
                                  dae_term_mul(terms, result.value, part.slope));
      result.value = dae_term_mul(terms, result.value, part.value);
    }
  }
  return result;
}

/* n-th power by repeated multiplication, not by the rule under test. */
static Jet
jet_of_power(const Point *point, DaeTerm t, DaeTerm x)
{
  DaeTerms *terms = point->terms;
  int64_t exponent = 0;
  Jet base = jet_of(point, dae_term_operand(terms, t, 0), x);
  if (base.value == DAE_NO_TERM ||
      !dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent)) {
    return no_jet;
  }
  if (exponent < 0) {
    if (dae_term_is_zero(terms, base.value)) {
      return no_jet;
    }
    DaeTerm inverse = dae_term_div(terms, dae_term_int(terms, 1), base.value);
    base.slope = dae_term_neg(
        terms, dae_term_mul(terms, base.slope, dae_term_mul(terms, inverse, inverse)));
    base.value = inverse;
    exponent = -exponent;
  }
  Jet result = {dae_term_int(terms, 1), dae_term_int(terms, 0)};
  for (int64_t i = 0; i < exponent; i++) {
    result.slope = dae_term_add(terms, dae_term_mul(terms, result.slope, base.value),
                                dae_term_mul(terms, result.value, base.slope));
    result.value = dae_term_mul(terms, result.value, base.value);
  }
  return result;
}

static Jet
jet_of_piece(const Point *point, DaeTerm t, DaeTerm x)
{
  DaeTerms *terms = point->terms;
  Jet a = jet_of(point, dae_term_operand(terms, t, 0), x);
  if (a.value == DAE_NO_TERM || dae_term_is_zero(terms, a.value)) {
    return no_jet; /* stay away from the kinks */
  }
  DaeFunction function = dae_term_function(terms, t);
  if (function == DAE_FN_ABS) {
    bool negative = dae_term_sign(terms, a.value) < 0;
    return negative ? (Jet){dae_term_neg(terms, a.value), dae_term_neg(terms, a.slope)} : a;
  }
  if (function == DAE_FN_SIGN) {
    return (Jet){dae_term_int(terms, dae_term_sign(terms, a.value)), dae_term_int(terms, 0)};
  }
  if (function != DAE_FN_MIN && function != DAE_FN_MAX) {
    return no_jet;
  }
  Jet b = jet_of(point, dae_term_operand(terms, t, 1), x);
  if (b.value == DAE_NO_TERM || b.value == a.value) {
    return no_jet;
  }
  bool below = dae_term_sign(terms, dae_term_sub(terms, a.value, b.value)) < 0;
  return below == (function == DAE_FN_MIN) ? a : b;
}

static Jet
jet_of(const Point *point, DaeTerm t, DaeTerm x)
{
  DaeTerms *terms = point->terms;
  DaeTerm zero = dae_term_int(terms, 0);
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
    return (Jet){t, zero};
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return (Jet){exact_atom((void *)point, t), t == x ? dae_term_int(terms, 1) : zero};
  case DAE_KIND_SUM:
  case DAE_KIND_PRODUCT:
    return jet_of_operation(point, t, x);
  case DAE_KIND_POWER:
    return jet_of_power(point, t, x);
  case DAE_KIND_CALL:
    return jet_of_piece(point, t, x);
  case DAE_KIND_IF: {
    DaeTerm condition = DAE_NO_TERM;
    if (dae_term_eval_exact(terms, dae_term_operand(terms, t, 0), exact_atom, (void *)point,
                            &condition) != DAE_EVAL_OK) {
      return no_jet;
    }
    return jet_of(point,
                  dae_term_operand(terms, t, dae_term_get_bool(terms, condition) ? 1 : 2), x);
  }
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return no_jet;
  }
  return no_jet;
}

static void
check_derivative_exactly(Point *point, DaeTerm t, DaeTerm derivative, DaeTerm x, int *n_checked)
{
  DaeTerms *terms = point->terms;
  Jet jet = jet_of(point, t, x);
  if (jet.value == DAE_NO_TERM) {
    return;
  }
  DaeTerm value = DAE_NO_TERM;
  DaeEvalStatus status = dae_term_eval_exact(terms, t, exact_atom, point, &value);
  TEST_ASSERT_EQUAL(DAE_EVAL_OK, status);
  TEST_ASSERT_EQUAL_UINT32(jet.value, value);
  DaeTerm slope = DAE_NO_TERM;
  status = dae_term_eval_exact(terms, derivative, exact_atom, point, &slope);
  if (status != DAE_EVAL_OK || slope != jet.slope) {
    g_autofree char *text = dae_term_to_string(terms, t);
    g_autofree char *text2 = dae_term_to_string(terms, derivative);
    g_autofree char *message = g_strdup_printf("%s has derivative %s", text, text2);
    TEST_FAIL_MESSAGE(message);
  }
  (*n_checked)++;
}

static void
test_partial_derivatives_are_exact_slopes(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 15, RANDOM_RATIONAL | RANDOM_PIECES | RANDOM_BIG);
  Point point;
  int n_checked = 0;
  for (int i = 0; i < N_TERMS; i++) {
    if (i % 100 == 0) {
      random_point(&point, &r);
    }
    DaeTerm t = random_term(&r, 3);
    DaeTerm x = r.variables[random_below(&r, 4)];
    check_derivative_exactly(&point, t, dae_term_partial(terms, t, x), x, &n_checked);
  }
  TEST_ASSERT_GREATER_THAN(N_TERMS / 2, n_checked);
}

static void
test_gradients_are_exact_slopes(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 16, RANDOM_RATIONAL | RANDOM_PIECES | RANDOM_DERIVATIVES | RANDOM_BIG);
  Point point;
  int n_checked = 0;
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (int i = 0; i < N_TERMS / 4; i++) {
    if (i % 100 == 0) {
      random_point(&point, &r);
    }
    DaeTerm t = random_term(&r, 4);
    g_array_set_size(variables, 0);
    g_array_set_size(derivatives, 0);
    dae_term_gradient(terms, t, variables, derivatives);
    TEST_ASSERT_EQUAL_UINT(variables->len, derivatives->len);
    for (guint k = 0; k < variables->len; k++) {
      check_derivative_exactly(&point, t, g_array_index(derivatives, DaeTerm, k),
                               g_array_index(variables, DaeTerm, k), &n_checked);
    }
  }
  TEST_ASSERT_GREATER_THAN(N_TERMS / 4, n_checked);
}

/* d/dt along x + h x' + h^2 x''/2: the total derivative is the sum of
 * partial ones times derivatives. */
static void
test_total_derivative_is_the_chain_rule(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 17, RANDOM_RATIONAL | RANDOM_PIECES | RANDOM_FUNCTIONS);
  Point point;
  int n_checked = 0;
  for (int i = 0; i < N_TERMS / 4; i++) {
    if (i % 100 == 0) {
      random_point(&point, &r);
    }
    DaeTerm t = random_term(&r, 3);
    DaeTerm chain = dae_term_partial(terms, t, dae_term_time(terms));
    for (int k = 0; k < 4; k++) {
      DaeTerm x = r.variables[k];
      DaeTerm rate = dae_term_variable(terms, dae_term_get_symbol(terms, x), 1);
      DaeTerm part = dae_term_mul(terms, dae_term_partial(terms, t, x), rate);
      chain = dae_term_add(terms, chain, part);
    }
    double a = 0.0;
    double b = 0.0;
    DaeEvalStatus first =
        dae_term_eval_double(terms, dae_term_total(terms, t), double_atom, &point, &a);
    DaeEvalStatus second = dae_term_eval_double(terms, chain, double_atom, &point, &b);
    bool moderate = fabs(a) < 1e6 && fabs(b) < 1e6; /* else cancellation */
    if (first == DAE_EVAL_OK && second == DAE_EVAL_OK && moderate) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1.0 + fabs(a)), a, b);
      n_checked++;
    }
  }
  TEST_ASSERT_GREATER_THAN(N_TERMS / 8, n_checked);
}

/* ---- rewriting --------------------------------------------------------------------------- */

static void
fail_with_terms(DaeTerms *terms, const char *what, DaeTerm t, DaeTerm s)
{
  g_autofree char *before = dae_term_to_string(terms, t);
  g_autofree char *after = dae_term_to_string(terms, s);
  g_autofree char *message = g_strdup_printf("%s: %s -> %s", what, before, after);
  TEST_FAIL_MESSAGE(message);
}

static void
test_rewriting_preserves_exact_values(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 18, RANDOM_RATIONAL | RANDOM_ROOTS | RANDOM_PIECES | RANDOM_STEPS);
  dae_terms_assume(terms, dae_term_get_symbol(terms, r.parameters[0]), DAE_SIGN_POSITIVE);
  Point point;
  int n_checked = 0;
  int n_changed = 0;
  for (int i = 0; i < N_TERMS; i++) {
    if (i % 100 == 0) {
      random_point(&point, &r);
    }
    DaeTerm t = random_term(&r, 4);
    DaeTerm s = dae_terms_rewrite(terms, t);
    TEST_ASSERT_EQUAL_UINT32(s, dae_terms_rewrite(terms, s));
    DaeTerm a = DAE_NO_TERM;
    DaeTerm b = DAE_NO_TERM;
    if (dae_term_eval_exact(terms, t, exact_atom, &point, &a) != DAE_EVAL_OK) {
      continue;
    }
    DaeEvalStatus status = dae_term_eval_exact(terms, s, exact_atom, &point, &b);
    n_checked++;
    n_changed += s != t;
    if (status == DAE_EVAL_DOMAIN || (status == DAE_EVAL_OK && a != b)) {
      fail_with_terms(terms, "not the same value", t, s);
    }
  }
  TEST_ASSERT_GREATER_THAN(N_TERMS / 3, n_checked);
  TEST_ASSERT_GREATER_THAN(N_TERMS / 20, n_changed);
  TEST_ASSERT_EQUAL_UINT64(0, dae_rules_cycles(terms));
}

/* The value in double if it is defined, moderate and not much changed by a small change of the
 * point: rounding errors of an ill-conditioned term prove nothing. */
static bool
robust_value(DaeTerms *terms, DaeTerm t, Point *point, double *value)
{
  double moved = 0.0;
  point->scale = 1.0 + 1e-10;
  DaeEvalStatus status = dae_term_eval_double(terms, t, double_atom, point, &moved);
  point->scale = 1.0;
  return status == DAE_EVAL_OK &&
         dae_term_eval_double(terms, t, double_atom, point, value) == DAE_EVAL_OK &&
         fabs(*value) < 1e6 && fabs(*value - moved) < 1e-7;
}

static void
test_rewriting_preserves_double_values(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 19, RANDOM_RATIONAL | RANDOM_ROOTS | RANDOM_FUNCTIONS | RANDOM_POWERS);
  dae_terms_assume(terms, dae_term_get_symbol(terms, r.parameters[0]), DAE_SIGN_POSITIVE);
  dae_terms_assume(terms, dae_term_get_symbol(terms, r.parameters[1]), DAE_SIGN_NONNEGATIVE);
  Point point;
  int n_checked = 0;
  for (int i = 0; i < N_TERMS; i++) {
    if (i % 100 == 0) {
      random_point(&point, &r);
    }
    DaeTerm t = random_term(&r, 4);
    DaeTerm s = dae_terms_rewrite(terms, t);
    double a = 0.0;
    double b = 0.0;
    if (s == t || !robust_value(terms, t, &point, &a)) {
      continue;
    }
    n_checked++;
    if (dae_term_eval_double(terms, s, double_atom, &point, &b) != DAE_EVAL_OK ||
        fabs(a - b) > 1e-5 * (1.0 + fabs(a))) {
      fail_with_terms(terms, "not the same value", t, s);
    }
  }
  TEST_ASSERT_GREATER_THAN(N_TERMS / 20, n_checked);
  TEST_ASSERT_EQUAL_UINT64(0, dae_rules_cycles(terms));
}

static void
test_rewriting_ends_and_stays_canonical(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  RandomTerms r;
  random_init(&r, terms, 20, RANDOM_ALL);
  dae_terms_assume(terms, dae_term_get_symbol(terms, r.parameters[0]), DAE_SIGN_POSITIVE);
  for (int i = 0; i < N_TERMS; i++) {
    DaeTerm s = dae_terms_rewrite(terms, random_term(&r, 5));
    TEST_ASSERT_EQUAL_UINT32(s, dae_terms_rewrite(terms, s));
  }
  TEST_ASSERT_EQUAL_UINT64(0, dae_rules_cycles(terms));
  g_autoptr(GString) why = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(dae_terms_check(terms, why), why->str);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_random_term_is_canonical);
  RUN_TEST(test_another_hash_seed_gives_the_same_text);
  RUN_TEST(test_order_and_grouping_of_operands_do_not_matter);
  RUN_TEST(test_the_order_is_total);
  RUN_TEST(test_the_order_is_total_on_deep_terms);
  RUN_TEST(test_partial_derivatives_are_exact_slopes);
  RUN_TEST(test_gradients_are_exact_slopes);
  RUN_TEST(test_total_derivative_is_the_chain_rule);
  RUN_TEST(test_rewriting_preserves_exact_values);
  RUN_TEST(test_rewriting_preserves_double_values);
  RUN_TEST(test_rewriting_ends_and_stays_canonical);
  return UNITY_END();
}
