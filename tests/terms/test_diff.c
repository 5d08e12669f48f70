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

static void
assert_partial(const char *expected, const char *expression, const char *atom)
{
  DaeTerm t = read_term(terms, expression);
  assert_prints(terms, expected, dae_term_partial(terms, t, read_term(terms, atom)));
}

static void
assert_total(const char *expected, const char *expression)
{
  assert_prints(terms, expected, dae_term_total(terms, read_term(terms, expression)));
}

static void
test_partial_derivatives_take_other_atoms_as_constants(void)
{
  assert_partial("2*x", "(^ x 2)", "x");
  assert_partial("0", "(^ x 2)", "x'");
  assert_partial("1", "(+ x' x)", "x'");
  assert_partial("k*x", "(* a k x)", "a");
  assert_partial("x*cos(time*x)", "(sin (* x time))", "time");
  assert_partial("0", "7", "x");
}

/* The length constraint of the pendulum, differentiated twice. */
static void
test_total_derivatives_of_the_pendulum_constraint(void)
{
  DaeTerm constraint = read_term(terms, "(+ (^ x 2) (^ y 2) (neg (^ a 2)))");
  DaeTerm first = dae_term_total(terms, constraint);
  assert_prints(terms, "2*x*der(x) + 2*y*der(y)", first);
  assert_prints(terms, "2*x*der(der(x)) + 2*y*der(der(y)) + 2*der(x)^2 + 2*der(y)^2",
                dae_term_total(terms, first));
}

static void
test_total_derivatives_of_time_and_parameters(void)
{
  assert_total("1", "time");
  assert_total("0", "(* a (sin k))");
  assert_total("a*cos(a*time)", "(sin (* a time))");
}

static void
test_powers(void)
{
  assert_partial("0.5/sqrt(x)", "(^ x 1/2)", "x");
  assert_partial("a^x*log(a)", "(^ a x)", "x");
  assert_partial("x^(y - 1)*y", "(^ x y)", "x");
  assert_total("x^(y - 1)*der(x)*y + x^y*der(y)*log(x)", "(^ x y)");
}

static void
test_piecewise_functions(void)
{
  assert_partial("sign(x)", "(abs x)", "x");
  assert_partial("0", "(sign x)", "x");
  assert_partial("if x <= y then 1 else 0", "(min x y)", "x");
  assert_partial("if x >= x^2 then 1 else 2*x", "(max x (^ x 2))", "x");
  assert_partial("if x < 0 then 2*x else y", "(if (< x 0) (^ x 2) (* x y))", "x");
  assert_partial("1", "(if (< x 0) x (+ x 1))", "x");
  assert_partial("0", "(floor x)", "x");
  assert_partial("0", "(div x y)", "x");
  assert_partial("1", "(mod x y)", "x");
  assert_partial("-floor(x/y)", "(mod x y)", "y");
  assert_partial("-div(x, y)", "(rem x y)", "y");
  assert_partial("if x >= 0 then y else z", "(semiLinear x y z)", "x");
  assert_partial("if x >= 0 then x else 0", "(semiLinear x y z)", "y");
}

/* sqrt has no derivative at 0, the branch that is the number 0 has. */
static void
test_powers_of_choices_are_those_of_the_branch(void)
{
  assert_partial("noEvent(if x < 0 then -0.5/sqrt(-x) else 0)",
                 "(^ (noEvent (if (< x 0) (neg x) 0)) 1/2)", "x");
  assert_partial("if x < 0 then 0 else 0.5/sqrt(x)", "(^ (if (< x 0) 0 x) 1/2)", "x");
  assert_partial("if x < 0 then 3*x^2 else 0", "(^ (if (< x 0) x 2) 3)", "x");
}

static void
test_wrappers(void)
{
  assert_partial("2*x", "(noEvent (^ x 2))", "x");
  assert_partial("noEvent(sign(x))", "(noEvent (abs x))", "x");
  assert_partial("2*x", "(smooth 1 (^ x 2))", "x");
  assert_partial("smooth(1, if x < 0 then 2*x else 0)", "(smooth 2 (if (< x 0) (^ x 2) 0))",
                 "x");
  assert_partial("smooth(2, if x < 0 then x^2 else 0)",
                 "(smooth 2 (if (< x 0) (* y (^ x 2)) 0))", "y");
  assert_partial("if x < 0 then 1 else 0", "(smooth 0 (if (< x 0) x 0))", "x");
  assert_partial("1", "(homotopy x (* 2 x))", "x");
}

typedef struct {
  double x;
  double y;
  double z;
} Values;

static bool
value_of_atom(void *user, DaeTerm atom, double *value)
{
  const Values *values = user;
  const char *name = dae_terms_symbol_name(terms, dae_term_get_symbol(terms, atom));
  *value = *name == 'x' ? values->x : (*name == 'y' ? values->y : values->z);
  return true;
}

static double
value_at(DaeTerm t, Values values)
{
  double value = NAN;
  DaeEvalStatus status = dae_term_eval_double(terms, t, value_of_atom, &values, &value);
  TEST_ASSERT_EQUAL(DAE_EVAL_OK, status);
  return value;
}

/* Symbolic derivative against a central difference quotient, for
 * every function and both operands. */
static void
test_every_function_against_difference_quotients(void)
{
  DaeTerm u[3] = {read_term(terms, "x"), read_term(terms, "y"), read_term(terms, "z")};
  static const Values points[] = {{0.3, 0.7, -1.2}, {0.85, 0.6, 0.4}, {0.45, 1.3, 2.0}};
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    DaeFunction function = (DaeFunction)f;
    const DaeFunctionFacts *facts = dae_function_facts(function);
    if (facts->value == NULL || facts->arity == 0) {
      continue;
    }
    uint32_t n = 1;
    while (!dae_function_arity_ok(function, n)) {
      n++;
    }
    DaeTerm t = dae_term_call(terms, function, u, n);
    uint32_t first = function == DAE_FN_SMOOTH ? 1 : 0; /* its first operand is no variable */
    uint32_t last = function == DAE_FN_HOMOTOPY ? 1 : n;
    TEST_ASSERT_TRUE(last <= G_N_ELEMENTS(u));
    for (size_t p = 0; p < G_N_ELEMENTS(points); p++) {
      for (uint32_t i = first; i < MIN(last, 3); i++) { /* as many as u has */
        const double h = 1e-5;
        Values left = points[p];
        Values right = points[p];
        ((double *)&left)[i] -= h;
        ((double *)&right)[i] += h;
        double quotient = (value_at(t, right) - value_at(t, left)) / (2 * h);
        double slope = value_at(dae_term_partial(terms, t, u[i]), points[p]);
        TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-7 * (1 + fabs(slope)), slope, quotient,
                                          dae_function_name(function));
      }
    }
  }
}

static void
test_a_derivation_is_shared_between_calls(void)
{
  g_autoptr(DaeDiff) diff = dae_diff_new(terms, read_term(terms, "x"));
  assert_prints(terms, "cos(x)", dae_diff_apply(diff, read_term(terms, "(sin x)")));
  assert_prints(terms, "cos(x)*exp(sin(x))",
                dae_diff_apply(diff, read_term(terms, "(exp (sin x))")));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, dae_diff_apply(diff, DAE_NO_TERM));
}

/* d/dx of t_n = sin(t_(n-1)) * t_(n-1): the DAG grows linearly, the tree exponentially. */
static void
test_no_tree_blow_up(void)
{
  DaeTerm t = read_term(terms, "x");

  enum { DEPTH = 2000 };

  for (int i = 0; i < DEPTH; i++) {
    t = dae_term_mul(terms, dae_term_call1(terms, DAE_FN_SIN, t), t);
    t = dae_term_add(terms, t, dae_term_int(terms, 1));
  }
  uint32_t before = dae_terms_count(terms);
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, dae_term_total(terms, t));
  TEST_ASSERT_LESS_THAN_UINT32(20 * DEPTH, dae_terms_count(terms) - before);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_partial_derivatives_take_other_atoms_as_constants);
  RUN_TEST(test_total_derivatives_of_the_pendulum_constraint);
  RUN_TEST(test_total_derivatives_of_time_and_parameters);
  RUN_TEST(test_powers);
  RUN_TEST(test_piecewise_functions);
  RUN_TEST(test_powers_of_choices_are_those_of_the_branch);
  RUN_TEST(test_wrappers);
  RUN_TEST(test_every_function_against_difference_quotients);
  RUN_TEST(test_a_derivation_is_shared_between_calls);
  RUN_TEST(test_no_tree_blow_up);
  return UNITY_END();
}
