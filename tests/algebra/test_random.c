/* Random terms, fixed seeds: the zero test against exact evaluation and against identities it
 * must prove; matrices two ways; every budget from 0 up. */
#include "algebra/algebra.h"

#include "expr.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static GRand *rnd;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
  rnd = g_rand_new_with_seed(20240607);
}

void
tearDown(void)
{
  dae_algebra_free(algebra);
  dae_terms_free(terms);
  g_rand_free(rnd);
}

static DaeTerm
random_atom(void)
{
  static const char *const name[] = {"x", "y", "z", "w"};
  return expr(terms, name[g_rand_int_range(rnd, 0, 4)]);
}

static DaeTerm
random_number(void)
{
  return dae_term_ratio(terms, g_rand_int_range(rnd, -9, 10), g_rand_int_range(rnd, 1, 5));
}

/* Recursion of small constant depth. */
static DaeTerm
random_rational(int depth)
{
  if (depth == 0) {
    return g_rand_int_range(rnd, 0, 3) == 0 ? random_number() : random_atom();
  }
  DaeTerm a = random_rational(depth - 1);
  DaeTerm b = random_rational(depth - 1);
  DaeTerm quotient = DAE_NO_TERM;
  switch (g_rand_int_range(rnd, 0, 6)) {
  case 0:
  case 1:
    return dae_term_add(terms, a, b);
  case 2:
    return dae_term_sub(terms, a, b);
  case 3:
    return dae_term_mul(terms, a, b);
  case 4:
    return dae_term_pow_int(terms, a, g_rand_int_range(rnd, 2, 4));
  default:
    quotient = dae_term_div(terms, a, b);
    return quotient == DAE_NO_TERM ? a : quotient;
  }
}

static DaeTerm
small_integer_value(void *user, DaeTerm atom)
{
  const int *point = user;
  return dae_term_int(
      terms,
      2 + (int)((dae_term_get_symbol(terms, atom) * 7 + (unsigned)*point * 13 + 3) % 11) +
          11 * *point);
}

/* Is some exact value different from 0? */
static bool
evaluates_to_nonzero(DaeTerm t, bool *defined)
{
  *defined = false;
  for (int point = 1; point <= 6; point++) {
    DaeTerm value = DAE_NO_TERM;
    if (dae_term_eval_exact(terms, t, small_integer_value, &point, &value) == DAE_EVAL_OK) {
      *defined = true;
      if (!dae_term_is_zero(terms, value)) {
        return true;
      }
    }
  }
  return false;
}

static void
test_rational_terms_agree_with_exact_values(void)
{
  int n_zero = 0;
  int n_nonzero = 0;
  for (int i = 0; i < 4000; i++) {
    DaeTerm t = random_rational(g_rand_int_range(rnd, 1, 5));
    DaeTerm p = DAE_NO_TERM;
    DaeTerm q = DAE_NO_TERM;
    /* Half of the cases are zero in disguise: t minus its own expanded fraction. */
    if (i % 2 == 0 && dae_algebra_fraction(algebra, t, &p, &q)) {
      t = dae_term_sub(terms, t, dae_term_div(terms, p, q));
    }
    bool defined = false;
    bool nonzero = evaluates_to_nonzero(t, &defined);
    if (!defined) {
      continue;
    }
    DaeZero answer = dae_algebra_is_zero(algebra, t);
    if (answer != (nonzero ? DAE_NONZERO : DAE_ZERO)) {
      g_autofree char *text = dae_term_to_string(terms, t);
      TEST_FAIL_MESSAGE(text);
    }
    n_zero += answer == DAE_ZERO;
    n_nonzero += answer == DAE_NONZERO;
  }
  TEST_ASSERT_GREATER_THAN_INT(1000, n_zero);
  TEST_ASSERT_GREATER_THAN_INT(1000, n_nonzero);
}

/* ---- identities -------------------------------------------------------------------------- */

static DaeTerm
half(DaeTerm a)
{
  return dae_term_mul(terms, dae_term_ratio(terms, 1, 2), a);
}

static DaeTerm
square(DaeTerm a)
{
  return dae_term_pow_int(terms, a, 2);
}

static DaeTerm
call(DaeFunction f, DaeTerm a)
{
  return dae_term_call1(terms, f, a);
}

/* Two forms of the same function, of random linear arguments u and v. */
static void
random_identity(DaeTerm *left, DaeTerm *right)
{
  DaeTerm u =
      dae_term_add(terms, dae_term_mul(terms, random_number(), random_atom()), random_number());
  DaeTerm v = dae_term_mul(terms, random_number(), random_atom());
  DaeTerm uv = dae_term_add(terms, u, v);
  DaeTerm one = dae_term_int(terms, 1);
  switch (g_rand_int_range(rnd, 0, 9)) {
  case 0:
    *left = call(DAE_FN_SIN, uv);
    *right = dae_term_add(terms, dae_term_mul(terms, call(DAE_FN_SIN, u), call(DAE_FN_COS, v)),
                          dae_term_mul(terms, call(DAE_FN_COS, u), call(DAE_FN_SIN, v)));
    return;
  case 1:
    *left = square(call(DAE_FN_COS, u));
    *right = half(dae_term_add(terms, one, call(DAE_FN_COS, dae_term_add(terms, u, u))));
    return;
  case 2:
    *left = call(DAE_FN_EXP, uv);
    *right = dae_term_mul(terms, call(DAE_FN_EXP, u), call(DAE_FN_EXP, v));
    return;
  case 3:
    *left = call(DAE_FN_COSH, u);
    *right = half(
        dae_term_add(terms, call(DAE_FN_EXP, u), call(DAE_FN_EXP, dae_term_neg(terms, u))));
    return;
  case 4:
    *left = dae_term_sqrt(terms, dae_term_add(terms, square(u), square(v)));
    *right = dae_term_pow(terms, square(dae_term_add(terms, square(u), square(v))),
                          dae_term_ratio(terms, 1, 4));
    return;
  case 5:
    *left = call(DAE_FN_LOG, square(dae_term_add(terms, one, square(u))));
    *right = dae_term_mul(terms, dae_term_int(terms, 2),
                          call(DAE_FN_LOG, dae_term_add(terms, one, square(u))));
    return;
  case 6:
    *left = call(DAE_FN_ABS, dae_term_mul(terms, u, v));
    *right = dae_term_mul(terms, call(DAE_FN_ABS, u), call(DAE_FN_ABS, v));
    return;
  case 7:
    *left = call(DAE_FN_TANH, u);
    *right = dae_term_div(terms, call(DAE_FN_SINH, u), call(DAE_FN_COSH, u));
    return;
  default:
    *left = dae_term_call2(terms, DAE_FN_MAX, u, v);
    *right = dae_term_neg(terms, dae_term_call2(terms, DAE_FN_MIN, dae_term_neg(terms, u),
                                                dae_term_neg(terms, v)));
    return;
  }
}

static void
test_random_identities_are_proved_and_perturbations_refuted(void)
{
  for (int i = 0; i < 300; i++) {
    DaeTerm l1 = DAE_NO_TERM;
    DaeTerm r1 = DAE_NO_TERM;
    DaeTerm l2 = DAE_NO_TERM;
    DaeTerm r2 = DAE_NO_TERM;
    random_identity(&l1, &r1);
    random_identity(&l2, &r2);
    DaeTerm a = random_rational(1);
    /* (l1 + a) * l2 against the same with the right-hand sides */
    DaeTerm left = dae_term_mul(terms, dae_term_add(terms, l1, a), l2);
    DaeTerm right = dae_term_mul(terms, dae_term_add(terms, r1, a), r2);
    DaeTerm difference = dae_term_sub(terms, left, right);
    g_autofree char *text = dae_term_to_string(terms, difference);
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_is_zero(algebra, difference) == DAE_ZERO, text);
    DaeTerm tiny = dae_term_decimal(terms, "1e-50", 5);
    DaeTerm off = dae_term_add(terms, difference, dae_term_mul(terms, tiny, random_atom()));
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_is_zero(algebra, off) == DAE_NONZERO, text);
  }
}

static void
test_simplify_and_fraction_keep_the_value(void)
{
  for (int i = 0; i < 400; i++) {
    DaeTerm t = random_rational(3);
    if (i % 3 == 0) {
      DaeTerm l = DAE_NO_TERM;
      DaeTerm r = DAE_NO_TERM;
      random_identity(&l, &r);
      t = dae_term_mul(terms, t, dae_term_add(terms, l, dae_term_int(terms, 1)));
    }
    DaeTerm s = dae_algebra_simplify(algebra, t);
    bool defined = false;
    evaluates_to_nonzero(t, &defined);
    if (!defined && i % 3 != 0) {
      continue;
    }
    g_autofree char *text = dae_term_to_string(terms, t);
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(algebra, t, s), text);
  }
}

/* ---- matrices ---------------------------------------------------------------------------- */

static DaeMatrix *
random_matrix(uint32_t m, uint32_t n)
{
  DaeMatrix *a = dae_matrix_new(terms, m, n);
  for (uint32_t i = 0; i < m * n; i++) {
    if (g_rand_int_range(rnd, 0, 3) > 0) {
      a->entries[i] = dae_term_add(terms, random_number(),
                                   g_rand_boolean(rnd) ? random_atom() : random_number());
    }
  }
  return a;
}

static DaeMatrix *
multiply(const DaeMatrix *a, const DaeMatrix *b)
{
  DaeMatrix *c = dae_matrix_new(terms, a->n_rows, b->n_columns);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    for (uint32_t j = 0; j < b->n_columns; j++) {
      DaeTerm *out = &c->entries[i * b->n_columns + j];
      for (uint32_t k = 0; k < a->n_columns; k++) {
        *out = dae_term_add(terms, *out,
                            dae_term_mul(terms, a->entries[i * a->n_columns + k],
                                         b->entries[k * b->n_columns + j]));
      }
    }
  }
  return c;
}

static void
test_rank_and_null_vectors_of_products(void)
{
  for (int i = 0; i < 40; i++) {
    uint32_t inner = (uint32_t)g_rand_int_range(rnd, 1, 4);
    g_autoptr(DaeMatrix) a = random_matrix(4, inner);
    g_autoptr(DaeMatrix) b = random_matrix(inner, 4);
    g_autoptr(DaeMatrix) c = multiply(a, b);
    bool certain = false;
    uint32_t rank = dae_algebra_rank(algebra, c, &certain);
    TEST_ASSERT_TRUE(certain);
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(inner, rank);
    g_autoptr(DaeMatrix) null = dae_algebra_left_null(algebra, c, NULL);
    TEST_ASSERT_NOT_NULL(null);
    TEST_ASSERT_EQUAL_UINT32(4 - rank, null->n_rows);
    g_autoptr(DaeMatrix) product = multiply(null, c);
    for (uint32_t k = 0; k < product->n_rows * product->n_columns; k++) {
      TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_is_zero(algebra, product->entries[k]));
    }
    TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_determinant_is_zero(algebra, c));
  }
}

static void
test_determinants_multiply_and_solutions_solve(void)
{
  for (int i = 0; i < 25; i++) {
    g_autoptr(DaeMatrix) a = random_matrix(4, 4);
    g_autoptr(DaeMatrix) b = random_matrix(4, 4);
    g_autoptr(DaeMatrix) c = multiply(a, b);
    DaeTerm da = dae_algebra_determinant(algebra, a);
    DaeTerm product = dae_term_mul(terms, da, dae_algebra_determinant(algebra, b));
    TEST_ASSERT_TRUE(dae_algebra_equal(algebra, product, dae_algebra_determinant(algebra, c)));
    TEST_ASSERT_EQUAL(dae_algebra_is_zero(algebra, da),
                      dae_algebra_determinant_is_zero(algebra, a));
    g_autoptr(DaeMatrix) rhs = random_matrix(4, 1);
    g_autoptr(DaeMatrix) x = dae_matrix_new(terms, 4, 1);
    bool regular = dae_algebra_is_zero(algebra, da) == DAE_NONZERO;
    TEST_ASSERT_EQUAL(regular, dae_algebra_solve(algebra, a, rhs->entries, x->entries, NULL));
    if (regular) {
      g_autoptr(DaeMatrix) back = multiply(a, x);
      for (uint32_t k = 0; k < 4; k++) {
        TEST_ASSERT_TRUE(dae_algebra_equal(algebra, back->entries[k], rhs->entries[k]));
      }
    }
  }
}

/* Independent symbols: the shared form of a big determinant is the same
 * function as its cofactor expansion. */
static void
test_big_determinants_are_shared_and_right(void)
{
  enum { K = 7 };

  g_autoptr(DaeMatrix) m = dae_matrix_new(terms, K, K);
  g_autoptr(DaeMatrix) minor = dae_matrix_new(terms, K - 1, K - 1);
  for (uint32_t i = 0; i < K * K; i++) {
    g_autofree char *name = g_strdup_printf("s%u", i);
    m->entries[i] = expr(terms, name);
  }
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t j = 0; j < K; j++) {
    for (uint32_t i = 1; i < K; i++) {
      for (uint32_t k = 0; k < K - 1; k++) {
        minor->entries[(i - 1) * (K - 1) + k] = m->entries[i * K + k + (k >= j)];
      }
    }
    DaeTerm part = dae_term_mul(terms, m->entries[j], dae_algebra_determinant(algebra, minor));
    sum = j % 2 == 0 ? dae_term_add(terms, sum, part) : dae_term_sub(terms, sum, part);
  }
  DaeTerm det = dae_algebra_determinant(algebra, m);
  TEST_ASSERT_TRUE(dae_term_size(terms, det) < 5000);
  TEST_ASSERT_TRUE(dae_algebra_equal(algebra, det, sum));
}

/* ---- budgets ----------------------------------------------------------------------------- */

static const char *const budget_terms[] = {
    "(x + y)^6 - (x + y)^3*(x^3 + 3*x^2*y + 3*x*y^2 + y^3)",
    "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)",
    "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)",
    "exp(x)*exp(y) - exp(x + y)",
    "max(x, y) + min(x, y) - x - y",
    "(if x > 0 then x + 1 else 1) - 1 - (if x > 0 then x else 0)",
    "sin(x) + y",
};

static void
sweep_one_budget(uint64_t steps)
{
  g_autoptr(DaeBudget) budget = dae_budget_new(0, steps);
  g_autoptr(DaeTerms) own = dae_terms_new();
  g_autoptr(DaeAlgebra) limited = dae_algebra_new(own, budget);
  for (size_t i = 0; i < G_N_ELEMENTS(budget_terms); i++) {
    DaeTerm t = expr(own, budget_terms[i]);
    DaeZero answer = dae_algebra_is_zero(limited, t);
    bool is_last = i + 1 == G_N_ELEMENTS(budget_terms);
    TEST_ASSERT_TRUE(answer == DAE_UNKNOWN || answer == (is_last ? DAE_NONZERO : DAE_ZERO));
    dae_algebra_simplify(limited, t);
  }
  DaeTerm e[] = {expr(own, "x^2 + y^2 - 1"), expr(own, "x*u + y*v")};
  DaeZero modulo = dae_algebra_is_zero_modulo(limited, expr(own, "x^3*u + x^2*y*v"), e, 2);
  TEST_ASSERT_TRUE(modulo != DAE_NONZERO);
  DaeTerm q[2] = {0, 0};
  dae_algebra_cofactors(limited, expr(own, "x^3*u + x^2*y*v"), e, 2, q);
  static const char *const text[] = {"x", "y",     "x*y",   "y^2",    "1",
                                     "z", "x + 1", "y + z", "x*y + y"};
  g_autoptr(DaeMatrix) m = dae_matrix_new(own, 3, 3);
  for (int i = 0; i < 9; i++) {
    m->entries[i] = expr(own, text[i]);
  }
  bool certain = false;
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(3, dae_algebra_rank(limited, m, &certain));
  dae_algebra_determinant(limited, m);
  dae_matrix_free(dae_algebra_left_null(limited, m, NULL));
  DaeTerm b[3] = {m->entries[0], m->entries[1], m->entries[2]};
  DaeTerm x[3] = {0, 0, 0};
  dae_algebra_solve(limited, m, b, x, NULL);
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_algebra_factor(limited, e[0], factors);
}

static void
test_every_budget_ends_in_an_answer_or_unknown(void)
{
  for (uint64_t steps = 1; steps <= 150; steps++) {
    sweep_one_budget(steps);
  }
  for (uint64_t steps = 151; steps <= 4000; steps += 97) {
    sweep_one_budget(steps);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_rational_terms_agree_with_exact_values);
  RUN_TEST(test_random_identities_are_proved_and_perturbations_refuted);
  RUN_TEST(test_simplify_and_fraction_keep_the_value);
  RUN_TEST(test_rank_and_null_vectors_of_products);
  RUN_TEST(test_determinants_multiply_and_solutions_solve);
  RUN_TEST(test_big_determinants_are_shared_and_right);
  RUN_TEST(test_every_budget_ends_in_an_answer_or_unknown);
  return UNITY_END();
}
