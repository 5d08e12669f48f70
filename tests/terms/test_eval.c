/* Double and exact evaluation. */
#include <math.h>

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

/* x = 1/2, y = -2, z = 0; the others are unbound. */
static DaeTerm
exact_atom(void *user, DaeTerm atom)
{
  (void)user;
  if (dae_term_kind(terms, atom) == DAE_KIND_TIME) {
    return dae_term_int(terms, 3);
  }
  const char *name = dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom));
  switch (*name) {
  case 'x':
    return dae_term_ratio(terms, 1, 2);
  case 'y':
    return dae_term_int(terms, -2);
  case 'z':
    return dae_term_int(terms, 0);
  default:
    return DAE_NO_TERM;
  }
}

static bool
double_atom(void *user, DaeTerm atom, double *value)
{
  DaeTerm exact = exact_atom(user, atom);
  if (exact == DAE_NO_TERM) {
    return false;
  }
  *value = dae_term_get_double(terms, exact);
  return true;
}

static void
assert_double(double expected, const char *expression)
{
  double value = NAN;
  DaeEvalStatus status =
      dae_term_eval_double(terms, read_term(terms, expression), double_atom, NULL, &value);
  TEST_ASSERT_EQUAL_MESSAGE(DAE_EVAL_OK, status, expression);
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-15 * (1 + fabs(expected)), expected, value, expression);
}

static void
assert_double_status(DaeEvalStatus expected, const char *expression)
{
  double value = NAN;
  TEST_ASSERT_EQUAL_MESSAGE(
      expected,
      dae_term_eval_double(terms, read_term(terms, expression), double_atom, NULL, &value),
      expression);
}

static void
assert_exact(const char *expected, const char *expression)
{
  DaeTerm value = DAE_NO_TERM;
  DaeEvalStatus status =
      dae_term_eval_exact(terms, read_term(terms, expression), exact_atom, NULL, &value);
  TEST_ASSERT_EQUAL_MESSAGE(DAE_EVAL_OK, status, expression);
  assert_prints(terms, expected, value);
}

static void
assert_exact_status(DaeEvalStatus expected, const char *expression)
{
  DaeTerm value = DAE_NO_TERM;
  TEST_ASSERT_EQUAL_MESSAGE(
      expected,
      dae_term_eval_exact(terms, read_term(terms, expression), exact_atom, NULL, &value),
      expression);
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, value);
}

static void
test_double_values(void)
{
  assert_double(-1.5, "(+ x y)");
  assert_double(sin(0.5) * exp(-2.0), "(* (sin x) (exp y))");
  assert_double(atan2(-2.0, 0.5), "(atan2 y x)");
  assert_double(0.0, "(atan2 z z)");
  assert_double(sqrt(0.5), "(^ x 1/2)");
  assert_double(pow(0.5, -2.0), "(^ x y)");
  assert_double(G_PI, "pi");
  assert_double(0.5, "(mod y (+ x 2))");
  assert_double(-2.0, "(rem y (+ x 2))");
  assert_double(0.0, "(div y (+ x 2))");
  assert_double(-2.0, "(min x y)");
  assert_double(-1.0, "(sign y)");
  assert_double(-4.0, "(semiLinear y 3 2)");
  assert_double(3.0, "time");
}

static void
test_double_domain_errors(void)
{
  assert_double_status(DAE_EVAL_DOMAIN, "(log y)");
  assert_double_status(DAE_EVAL_DOMAIN, "(log z)");
  assert_double_status(DAE_EVAL_DOMAIN, "(^ z -1)");
  assert_double_status(DAE_EVAL_DOMAIN, "(^ y 1/3)");
  assert_double_status(DAE_EVAL_DOMAIN, "(asin y)");
  assert_double_status(DAE_EVAL_DOMAIN, "(exp (* 1000 time))");
  assert_double_status(DAE_EVAL_DOMAIN, "(mod x z)");
  assert_double_status(DAE_EVAL_DOMAIN, "(atan (^ z -1))");
  assert_double_status(DAE_EVAL_UNBOUND, "(+ x k)");
}

static void
test_only_the_branch_taken_is_evaluated(void)
{
  assert_double(1.0, "(if (== z 0) 1 (^ z -1))");
  assert_double(0.5, "(if (and (<> z 0) (< (^ z -1) 1)) k x)");
  assert_double_status(DAE_EVAL_DOMAIN, "(if (< (^ z -1) 1) 1 2)");
  assert_exact("1", "(if (== z 0) 1 (^ z -1))");
  assert_exact("0.5", "(if (and (<> z 0) (< (^ z -1) 1)) k x)");
}

static bool
same_number(void *user, DaeTerm atom, double *value)
{
  (void)atom;
  *value = *(const double *)user;
  return true;
}

/* Many terms at many points, with branches that change from point to point, as one by one. */
static void
test_shared_evaluation_gives_the_same_values(void)
{
  static const char *const texts[] = {"(+ (* x y) (sin (* x y)))",
                                      "(if (> x 0) (^ x 1/2) (log (* -1 x)))",
                                      "(^ (+ x -1) -1)",
                                      "(* x y)",
                                      "(if (> x 2) (^ x -1) (* x y))",
                                      "(* 3 x (if (> x 2) (^ x -1) (* x y)))"};
  double number = 0;
  g_autoptr(DaeEvaluation) evaluation = dae_evaluation_new(terms, same_number, &number);
  for (int k = -6; k < 7; k++) {
    number = 0.5 * k;
    dae_evaluation_move(evaluation);
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
      DaeTerm t = read_term(terms, texts[i]);
      double alone = NAN;
      double shared = NAN;
      TEST_ASSERT_EQUAL(dae_term_eval_double(terms, t, same_number, &number, &alone),
                        dae_evaluation_value(evaluation, t, &shared));
      TEST_ASSERT_TRUE(alone == shared || (isnan(alone) && isnan(shared)));
    }
  }
}

static void
test_exact_values(void)
{
  assert_exact("-1.5", "(+ x y)");
  assert_exact("8", "(^ x -3)");
  assert_exact("0.5", "(mod y (+ x 2))");
  assert_exact("-2", "(rem y (+ x 2))");
  assert_exact("-1", "(floor (neg x))");
  assert_exact("0", "(ceil (neg x))");
  assert_exact("true", "(< y x)");
  assert_exact("false", "(and (< y x) (== z 1))");
  assert_exact("2", "(abs y)");
  assert_exact("0", "(sin z)");
  assert_exact("0", "(log (* 2 x))");
  assert_exact("1", "(cos z)");
}

static void
test_roots_that_cancel_are_exact(void)
{
  assert_exact("1", "(* 2 (^ x 1/2) (^ x 1/2))");
  assert_exact("2", "(^ (* -2 y) 1/2)");
  assert_exact("0.5", "(sin (* 1/3 pi x))");
  assert_exact("0", "(sin (* time pi))");
}

static void
test_exact_refuses_what_it_cannot_know(void)
{
  assert_exact_status(DAE_EVAL_INEXACT, "(sin x)");
  assert_exact_status(DAE_EVAL_INEXACT, "(^ x 1/2)");
  assert_exact_status(DAE_EVAL_INEXACT, "(< (exp x) 1)");
  assert_exact_status(DAE_EVAL_DOMAIN, "(log y)");
  assert_exact_status(DAE_EVAL_DOMAIN, "(^ z -1)");
  assert_exact_status(DAE_EVAL_DOMAIN, "(^ y 1/3)");
  assert_exact_status(DAE_EVAL_DOMAIN, "(acos y)");
  assert_exact_status(DAE_EVAL_DOMAIN, "(div x z)");
  assert_exact_status(DAE_EVAL_UNBOUND, "(+ x k)");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_double_values);
  RUN_TEST(test_double_domain_errors);
  RUN_TEST(test_only_the_branch_taken_is_evaluated);
  RUN_TEST(test_shared_evaluation_gives_the_same_values);
  RUN_TEST(test_exact_values);
  RUN_TEST(test_roots_that_cancel_are_exact);
  RUN_TEST(test_exact_refuses_what_it_cannot_know);
  return UNITY_END();
}
