/* Zero modulo equations: by substitution, by ideals, with certificates. */
#include "algebra/algebra-priv.h"

#include "expr.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  dae_algebra_free(algebra);
  dae_terms_free(terms);
}

static void
check(DaeZero expected, const char *text, const char *const *equations, size_t n)
{
  static const char *const name[] = {"ZERO", "NONZERO", "UNKNOWN"};
  DaeTerm e[8];
  for (size_t i = 0; i < n; i++) {
    e[i] = expr(terms, equations[i]);
  }
  DaeZero answer = dae_algebra_is_zero_modulo(algebra, expr(terms, text), e, n);
  g_autofree char *message =
      g_strdup_printf("%s: expected %s, got %s", text, name[expected], name[answer]);
  TEST_ASSERT_TRUE_MESSAGE(expected == answer, message);
  bool is_nonzero = dae_algebra_is_nonzero_modulo(algebra, expr(terms, text), e, n);
  TEST_ASSERT_TRUE_MESSAGE(is_nonzero == (expected == DAE_NONZERO), text);
  bool vanishes = dae_algebra_vanishes_modulo(algebra, expr(terms, text), e, n);
  TEST_ASSERT_TRUE_MESSAGE(vanishes == (expected == DAE_ZERO), text);
}

static void
test_linear_equations_are_substituted(void)
{
  static const char *const e[] = {"x - y - 1", "y - 2*z"};
  check(DAE_ZERO, "x^2 - (2*z + 1)^2", e, 2);
  check(DAE_NONZERO, "x - z", e, 2);
}

static void
test_circle_constraint(void)
{
  static const char *const e[] = {"x^2 + y^2 - 1", "x*u + y*v"};
  check(DAE_ZERO, "x^4 + 2*x^2*y^2 + y^4 - 1", e, 2);
  check(DAE_ZERO, "x^3*u + x^2*y*v", e, 2);
  check(DAE_NONZERO, "x*v - y*u", e, 2);
}

static void
test_radical_membership(void)
{
  static const char *const e[] = {"(x - y)^3"};
  check(DAE_ZERO, "x - y", e, 1);
  check(DAE_NONZERO, "x + y", e, 0);
}

static void
test_sine_and_cosine_relation_is_used(void)
{
  static const char *const e[] = {"sin(x) - y^2"};
  check(DAE_ZERO, "cos(x)^2 - 1 + y^4", e, 1);
  check(DAE_NONZERO, "cos(x) - y", e, 1);
}

static void
test_contradictory_equations_have_no_zero(void)
{
  static const char *const e[] = {"x - 1", "x - 2"};
  check(DAE_ZERO, "y", e, 2);
}

static bool
is_called_nonzero(const char *text, const char *equation)
{
  DaeTerm e = expr(terms, equation);
  return dae_algebra_is_zero_modulo(algebra, expr(terms, text), &e, 1) == DAE_NONZERO;
}

/* "Not zero" needs a common zero of the equations. These have none, though Newton's
 * steps become as small as wanted. */
static void
test_no_witness_where_there_is_no_zero(void)
{
  TEST_ASSERT_FALSE(is_called_nonzero("z + 1", "exp(1e36*y) + exp(2e36*y)"));
  TEST_ASSERT_FALSE(is_called_nonzero("z + 1", "exp(1e36*y) + y^2*exp(1e36*y)"));
  TEST_ASSERT_FALSE(is_called_nonzero("z + 1", "x^2 + y^2 + 1e-80"));
  TEST_ASSERT_FALSE(is_called_nonzero("z + 1", "x^4 + x^2 + 1e-60"));
  TEST_ASSERT_TRUE(is_called_nonzero("z + 1", "x*exp(y) - 3"));
}

static void
test_cofactors_prove_membership(void)
{
  DaeTerm e[] = {expr(terms, "x^2 + y^2 - 1"), expr(terms, "x*u + y*v")};
  DaeTerm t = expr(terms, "u*(x^2 + y^2 - 1) - 3*y*(x*u + y*v)");
  DaeTerm q[2] = {0, 0};
  TEST_ASSERT_TRUE(dae_algebra_cofactors(algebra, t, e, 2, q));
  DaeTerm sum =
      dae_term_add(terms, dae_term_mul(terms, q[0], e[0]), dae_term_mul(terms, q[1], e[1]));
  TEST_ASSERT_TRUE(dae_algebra_equal(algebra, t, sum));
  TEST_ASSERT_FALSE(dae_algebra_cofactors(algebra, expr(terms, "x - 1"), e, 2, q));
}

static void
test_cofactors_over_fractions_and_functions(void)
{
  DaeTerm e[] = {expr(terms, "x/y - sin(z)"), expr(terms, "w - cos(z)")};
  DaeTerm t = expr(terms, "x^2 + y^2*w^2 - y^2");
  DaeTerm q[2] = {0, 0};
  TEST_ASSERT_TRUE(dae_algebra_cofactors(algebra, t, e, 2, q));
}

/* Searches that leave out premises ask many such questions: the work that proves nothing is
 * bounded over all of them together, and a question that comes again costs nothing. */
static void
test_futile_work_declines(void)
{
  DaeTerm e[] = {expr(terms, "x^4 + 3*y^3*z - 5*w^2*x + 7*y*z - 11"),
                 expr(terms, "y^4 - 2*z^3*w + 3*x^2*y - 13*w*x + 5"),
                 expr(terms, "z^4 + 5*w^3*x - 7*y^2*z + 3*x*y - 17"),
                 expr(terms, "w^4 - 7*x^3*y + 2*z^2*w - 19*y*z + 3")};
  DaeTerm t = expr(terms, "x^2 + y^2 - z*w - 1");
  TEST_ASSERT_FALSE(dae_algebra_vanishes_modulo(algebra, t, e, 4));
  double first = algebra->futile;
  TEST_ASSERT_TRUE(first > 2e7); /* it ended at the limits */
  TEST_ASSERT_FALSE(dae_algebra_vanishes_modulo(algebra, t, e, 4));
  TEST_ASSERT_TRUE(algebra->futile == first);
  for (int64_t k = 2; k < 12; k++) {
    DaeTerm other = dae_term_add(terms, t, dae_term_int(terms, k));
    TEST_ASSERT_FALSE(dae_algebra_vanishes_modulo(algebra, other, e, 4));
  }
  TEST_ASSERT_TRUE(algebra->futile < 4 * first);
  check(DAE_ZERO, "x^3*u + x^2*y*v", (const char *const[]){"x^2 + y^2 - 1", "x*u + y*v"}, 2);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_linear_equations_are_substituted);
  RUN_TEST(test_circle_constraint);
  RUN_TEST(test_radical_membership);
  RUN_TEST(test_sine_and_cosine_relation_is_used);
  RUN_TEST(test_contradictory_equations_have_no_zero);
  RUN_TEST(test_no_witness_where_there_is_no_zero);
  RUN_TEST(test_cofactors_prove_membership);
  RUN_TEST(test_cofactors_over_fractions_and_functions);
  RUN_TEST(test_futile_work_declines);
  return UNITY_END();
}
