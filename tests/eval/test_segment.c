/* Segment values: parameters that are given when a system is evaluated, against the
 * same ones put in as numbers. */
#include <math.h>
#include <string.h>

#include "eval/eval.h"
#include "random_terms.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

enum { N = 4, N_DIFF = 3, N_CON = 3, N_SEGMENT = 3, MOST = 64 };

typedef struct {
  DaeTerms *terms;
  DaeTerm unknowns[N], segment[N_SEGMENT];
  uint32_t row_start[N_DIFF + 1];
  GArray *columns, *coefficients;
  DaeTerm rhs[N_DIFF], constraints[N_CON];
} Case;

static void
case_init(Case *c, GRand *random)
{
  memset(c, 0, sizeof *c);
  c->terms = dae_terms_new();
  c->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  c->coefficients = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm atoms[N + 1 + N_SEGMENT];
  for (uint32_t j = 0; j < N + N_SEGMENT; j++) {
    g_autofree char *name = g_strdup_printf("%c%u", j < N ? 'x' : 'p', j);
    const DaeSymbol symbol = dae_terms_add_symbol(
        c->terms, j < N ? DAE_SYMBOL_VARIABLE : DAE_SYMBOL_PARAMETER, name);
    atoms[j] = dae_term_symbol(c->terms, symbol);
    *(j < N ? &c->unknowns[j] : &c->segment[j - N]) = atoms[j];
  }
  atoms[N + N_SEGMENT] = dae_term_time(c->terms);
  const RandomTerms source = {c->terms, random, atoms, N + N_SEGMENT + 1, true};
  const RandomTerms steady = {c->terms, random, atoms + N, N_SEGMENT, true};
  for (uint32_t i = 0; i < N_DIFF; i++) {
    for (uint32_t j = 0; j < N; j++) {
      if (j == i || g_rand_int_range(random, 0, 3) == 0) {
        const DaeTerm t = random_term(&source, 2);
        g_array_append_val(c->columns, j);
        g_array_append_val(c->coefficients, t);
      }
    }
    c->row_start[i + 1] = c->columns->len;
    c->rhs[i] = dae_term_add(c->terms, random_term(&source, 3), random_term(&steady, 3));
  }
  for (uint32_t i = 0; i < N_CON; i++) {
    c->constraints[i] =
        dae_term_mul(c->terms, random_term(&source, 3), random_term(&steady, 2));
  }
}

static void
case_clear(Case *c)
{
  g_array_free(c->columns, TRUE);
  g_array_free(c->coefficients, TRUE);
  dae_terms_free(c->terms);
}

/* values: numbers put in for the segment atoms; NULL: they stay atoms. */
static DaeSystem *
make_system(const Case *c, const double *values, bool native)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(c->terms);
  for (uint32_t k = 0; values != NULL && k < N_SEGMENT; k++) {
    dae_subst_set(subst, c->segment[k], dae_term_from_double(c->terms, values[k]));
  }
  g_autofree DaeTerm *coefficients = g_new(DaeTerm, c->coefficients->len);
  DaeTerm rhs[N_DIFF];
  DaeTerm constraints[N_CON];
  bool ok = true;
  for (uint32_t e = 0; e < c->coefficients->len; e++) {
    coefficients[e] = dae_subst_apply(subst, g_array_index(c->coefficients, DaeTerm, e));
    ok = ok && coefficients[e] != DAE_NO_TERM;
  }
  for (uint32_t i = 0; i < N_DIFF; i++) {
    rhs[i] = dae_subst_apply(subst, c->rhs[i]);
    ok = ok && rhs[i] != DAE_NO_TERM;
  }
  for (uint32_t i = 0; i < N_CON; i++) {
    constraints[i] = dae_subst_apply(subst, c->constraints[i]);
    ok = ok && constraints[i] != DAE_NO_TERM;
  }
  const DaeSystemParts parts = {.unknowns = c->unknowns,
                                .n = N,
                                .row_start = c->row_start,
                                .columns = (const uint32_t *)(void *)c->columns->data,
                                .coefficients = coefficients,
                                .rhs = rhs,
                                .n_diff = N_DIFF,
                                .constraints = constraints,
                                .n_con = N_CON,
                                .segment = c->segment,
                                .n_segment = values == NULL ? N_SEGMENT : 0};
  const DaeSystemOptions options = {.native = native};
  return ok ? dae_system_new(c->terms, &parts, &options, NULL) : NULL;
}

typedef struct {
  double f[N_DIFF * DAE_LANES_MAX], g[N_CON * DAE_LANES_MAX], m[MOST * DAE_LANES_MAX];
  double gt[N_CON], ft[N_DIFF], jac_m[MOST];
  int status;
} Values;

static Values
values_at(const DaeEvaluator *ev, void *scratch, unsigned lanes, const double *t,
          const double *x)
{
  Values v;
  memset(&v, 0, sizeof v);
  DaeOut out = {.f = v.f, .g = v.g, .m = v.m};
  DaeJac jac = {.gt = v.gt, .ft = v.ft, .m = v.jac_m};
  double one[N];
  for (uint32_t j = 0; j < N; j++) {
    one[j] = x[j * lanes];
  }
  v.status = ev->eval(ev->self, scratch, lanes, t, x, &out);
  if (v.status == 0) {
    v.status = ev->jac(ev->self, scratch, t[0], one, one, &jac);
  }
  return v;
}

static void
assert_near(const double *a, const double *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_TRUE(fabs(a[i] - b[i]) <= 1e-9 * (1.0 + fabs(a[i]) + fabs(b[i])));
  }
}

static void
random_values(GRand *random, double *v, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    v[i] = g_rand_double_range(random, 0.2, 1.5);
  }
}

static void
test_values_given_later_are_those_put_in_as_numbers(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  uint32_t compared = 0;
  for (int round = 0; round < 60; round++) {
    Case c;
    case_init(&c, random);
    g_autoptr(DaeSystem) system = make_system(&c, NULL, false);
    const DaeEvaluator *ev = dae_system_evaluator(system);
    void *scratch = dae_aligned_new0(ev->scratch_size);
    for (int set = 0; set < 4; set++) {
      double p[N_SEGMENT];
      double x[N * DAE_LANES_MAX];
      double t[DAE_LANES_MAX];
      random_values(random, p, N_SEGMENT);
      g_autoptr(DaeSystem) fixed = make_system(&c, p, false);
      if (fixed == NULL) {
        continue;
      }
      const DaeEvaluator *other = dae_system_evaluator(fixed);
      void *other_scratch = dae_aligned_new0(other->scratch_size);
      ev->set_segment(ev->self, scratch, p);
      for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes++) {
        random_values(random, t, lanes);
        random_values(random, x, (size_t)N * lanes);
        const Values a = values_at(ev, scratch, lanes, t, x);
        const Values b = values_at(other, other_scratch, lanes, t, x);
        if (a.status == 0 && b.status == 0) {
          assert_near(a.f, b.f, N_DIFF * lanes);
          assert_near(a.g, b.g, N_CON * lanes);
          assert_near(a.m, b.m, c.columns->len * lanes);
          assert_near(a.gt, b.gt, N_CON);
          assert_near(a.ft, b.ft, N_DIFF);
          assert_near(a.jac_m, b.jac_m, c.columns->len);
          compared++;
        }
      }
      free(other_scratch);
    }
    free(scratch);
    case_clear(&c);
  }
  TEST_ASSERT_GREATER_THAN_UINT32(200, compared);
}

/* Old values leave nothing behind: a scratch that saw others gives the bits of a new one,
 * native code those of the tape. */
static void
test_a_used_scratch_gives_the_bits_of_a_new_one(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(6);
  for (int round = 0; round < 12; round++) {
    Case c;
    case_init(&c, random);
    g_autoptr(DaeSystem) system = make_system(&c, NULL, round == 0);
    g_autoptr(DaeSystem) plain = make_system(&c, NULL, false);
    const DaeEvaluator *ev = dae_system_evaluator(system);
    const DaeEvaluator *other = dae_system_evaluator(plain);
    void *used = dae_aligned_new0(ev->scratch_size);
    double p[3][N_SEGMENT];
    random_values(random, p[0], 3 * N_SEGMENT);
    double times[2][DAE_LANES_MAX];
    random_values(random, times[0], G_N_ELEMENTS(times) * DAE_LANES_MAX);
    for (int i = 0; i < 80; i++) {
      const unsigned lanes = (unsigned)g_rand_int_range(random, 1, DAE_LANES_MAX + 1);
      const double *t = times[g_rand_int_range(random, 0, 2)];
      const double *segment = p[g_rand_int_range(random, 0, 3)];
      double x[N * DAE_LANES_MAX];
      random_values(random, x, (size_t)N * lanes);
      void *fresh = dae_aligned_new0(other->scratch_size);
      dae_evaluator_begin(other, fresh, segment);
      ev->set_segment(ev->self, used, segment);
      const Values a = values_at(ev, used, lanes, t, x);
      const Values b = values_at(other, fresh, lanes, t, x);
      TEST_ASSERT_EQUAL_INT(b.status, a.status);
      if (a.status == 0) {
        TEST_ASSERT_EQUAL_MEMORY(&b, &a, sizeof a);
      }
      free(fresh);
    }
    free(used);
    case_clear(&c);
  }
}

static void
test_a_new_scratch_begins_with_the_values_of_the_system(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  const DaeTerm x =
      dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x"));
  const DaeTerm p =
      dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "p"));
  const DaeTerm g = dae_term_sub(terms, x, dae_term_pow_int(terms, p, 2));
  const uint32_t row_start[1] = {0};
  const double given = 3.0;
  const DaeSystemParts parts = {.unknowns = &x,
                                .n = 1,
                                .row_start = row_start,
                                .constraints = &g,
                                .n_con = 1,
                                .segment = &p,
                                .n_segment = 1,
                                .segment_values = &given};
  g_autoptr(DaeSystem) system = dae_system_new(terms, &parts, NULL, NULL);
  const DaeEvaluator *ev = dae_system_evaluator(system);
  TEST_ASSERT_EQUAL_UINT32(1, ev->n_segment);
  TEST_ASSERT_EQUAL_DOUBLE(3.0, ev->segment[0]);
  void *scratch = dae_aligned_new0(ev->scratch_size);
  double value = 0.0;
  const double t = 0.0;
  const double at = 10.0;
  DaeOut out = {.g = &value};
  TEST_ASSERT_EQUAL_INT(0, ev->eval(ev->self, scratch, 1, &t, &at, &out));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, value);
  const double other = 2.0;
  ev->set_segment(ev->self, scratch, &other);
  TEST_ASSERT_EQUAL_INT(0, ev->eval(ev->self, scratch, 1, &t, &at, &out));
  TEST_ASSERT_EQUAL_DOUBLE(6.0, value);
  free(scratch);
}

/* a*b*x/c costs one multiplication at each point, whatever stands in front of x. */
static void
test_what_is_constant_in_a_segment_is_computed_once(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  const DaeTerm x =
      dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x"));
  DaeTerm p[3];
  for (uint32_t k = 0; k < 3; k++) {
    const char name[2] = {(char)('a' + k), '\0'};
    p[k] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name));
  }
  const DaeTerm factor = dae_term_div(terms, dae_term_mul(terms, p[0], p[1]), p[2]);
  const DaeTerm sum = dae_term_add(
      terms, dae_term_mul(terms, factor, x),
      dae_term_add(terms, dae_term_sub(terms, p[0], p[1]), dae_term_int(terms, 7)));
  const DaePointAtoms atoms = {&x, 1, p, 3};
  g_autoptr(DaePointTape) tape = dae_point_tape_new(terms, &atoms, &sum, 1, NULL);
  void *scratch = dae_aligned_new0(dae_point_tape_scratch_size(tape));
  const double values[3] = {2.0, 3.0, 4.0};
  dae_point_tape_set_segment(tape, scratch, values);
  const double t[2] = {0.0, 1.0};
  const double at[2] = {10.0, 20.0};
  double out[2];
  TEST_ASSERT_EQUAL_INT(0, dae_point_tape_eval(tape, scratch, 2, t, at, NULL, out, NULL));
  TEST_ASSERT_EQUAL_DOUBLE(1.5 * 10.0 + 6.0, out[0]);
  TEST_ASSERT_EQUAL_DOUBLE(1.5 * 20.0 + 6.0, out[1]);
  TEST_ASSERT_EQUAL_UINT32(1, dae_point_tape_cost(tape).instructions);
  free(scratch);
  /* a product of segment values is not merged into a sum that is not constant */
  const DaeTerm shifted = dae_term_add(terms, dae_term_mul(terms, p[0], p[1]), x);
  g_autoptr(DaePointTape) other = dae_point_tape_new(terms, &atoms, &shifted, 1, NULL);
  TEST_ASSERT_EQUAL_UINT32(0, dae_point_tape_cost(other).multiplies);
  TEST_ASSERT_EQUAL_UINT32(1, dae_point_tape_cost(other).instructions);
}

static void
test_an_input_is_differentiated_by_name(void)
{
  g_autoptr(DaeTerms) terms = dae_terms_new();
  const DaeSymbol u = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "u");
  dae_terms_set_variability(terms, u, DAE_VARIABILITY_INPUT);
  const DaeTerm square = dae_term_pow_int(terms, dae_term_parameter(terms, u), 2);
  TEST_ASSERT_FALSE(dae_term_is_parametric(terms, square));
  const DaeTerm total = dae_term_total(terms, dae_term_total(terms, square));
  g_autofree char *text = dae_term_to_string(terms, total);
  TEST_ASSERT_EQUAL_STRING("2*u*der(der(u)) + 2*der(u)^2", text);
  uint32_t order = 9;
  TEST_ASSERT_TRUE(
      dae_terms_is_derivative_of(terms, dae_terms_input_derivative(terms, u, 2), u, &order));
  TEST_ASSERT_EQUAL_UINT32(2, order);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_values_given_later_are_those_put_in_as_numbers);
  RUN_TEST(test_a_used_scratch_gives_the_bits_of_a_new_one);
  RUN_TEST(test_a_new_scratch_begins_with_the_values_of_the_system);
  RUN_TEST(test_what_is_constant_in_a_segment_is_computed_once);
  RUN_TEST(test_an_input_is_differentiated_by_name);
  return UNITY_END();
}
