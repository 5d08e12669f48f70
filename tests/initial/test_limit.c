/* Limits of quotients at the start: what is put in, and what is left alone. */
#include "initial/limit.h"
#include "reader/reader.h"

#include <string.h>
#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static DaeModel *model, *changed;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  g_clear_pointer(&changed, dae_model_free);
  g_clear_pointer(&model, dae_model_free);
  g_clear_pointer(&algebra, dae_algebra_free);
  g_clear_pointer(&terms, dae_terms_free);
}

static void
take(const char *body, double t_start, bool with_series)
{
  g_autofree char *text = g_strdup_printf("model A\n%s\nend A;", body);
  g_autoptr(GError) error = NULL;
  const DaeLimitOptions options = {.t_start = t_start, .with_series = with_series};
  g_clear_pointer(&changed, dae_model_free);
  g_clear_pointer(&model, dae_model_free);
  g_clear_pointer(&algebra, dae_algebra_free);
  g_clear_pointer(&terms, dae_terms_free);
  setUp();
  model = dae_model_read(terms, "a.mo", text, strlen(text), NULL, NULL, &error);
  TEST_ASSERT_NOT_NULL(model);
  changed = dae_limits_take(algebra, model, &options);
}

/* The last equation after the limits were put in; NULL: they were not. */
static void
expect(const char *body, double t_start, const char *expected)
{
  take(body, t_start, false);
  if (expected == NULL) {
    TEST_ASSERT_NULL_MESSAGE(changed, body);
    return;
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(changed, body);
  g_autoptr(GString) text = g_string_new(NULL);
  uint32_t last = dae_model_n_equations(changed) - 1;
  dae_model_print_equation(terms, dae_model_equation(changed, last), text);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, text->str, body);
  uint32_t number = last;
  TEST_ASSERT_EQUAL_PTR(dae_model_equation(model, last),
                        dae_model_written_equation(changed, &number));
}

static void
test_quotients_in_time(void)
{
  expect("Real y; equation y = sin(time)/time;", 0,
         "y = noEvent(if time <= 0 then 1 else sin(time)/time)");
  expect("Real y; equation y = sin(time)/time;", 1, NULL);
  expect("Real y; equation time*y = 1 - exp(time);", 0,
         "y = noEvent(if time <= 0 then -1 else -(exp(time) - 1)/time)");
  expect("Real y; equation y = exp(time - 1)/(time - 1) - 1/(time - 1);", 1,
         "y = noEvent(if time <= 1 then 1 else exp(time - 1)/(time - 1) - 1/(time - 1))");
  expect("Real y; equation sin(time)*y = sin(time)*(1 + time);", 0, "y = time + 1");
  /* the product of a limit and an unknown */
  expect("Real x; equation der(x) = -x*sin(time)/time;", 0,
         "der(x) = noEvent(if time <= 0 then -1 else -sin(time)/time)*x");
}

static void
test_what_has_no_limit(void)
{
  /* a pole has no value at the start as it is; what hides it has */
  expect("Real y; equation y = cos(time)/time;", 0, NULL);
  expect("Real y; equation y*time^2 = sin(time);", 0,
         "y = noEvent(if time <= 0 then log(-1) else sin(time)/time^2)");
  expect("Real y; equation y = sin(sqrt(time))/time;", 0, NULL);
  expect("Real y; equation y = 1/sqrt(time);", 0, NULL);
  expect("Real y; equation y = sin(1/time);", 0, NULL);
  expect("Real y; equation y = exp(1/time);", 0, NULL);
  /* leading terms cancel: not known */
  expect("Real y; equation y = (1 - cos(sqrt(time)))/time;", 0, NULL);
  /* 0*tan(pi/2) is not 0: the product is -cos(time) */
  expect("Real y; equation y = sin(time)*tan(2*atan(1) + time)/time;", 0, NULL);
  /* a branch that the user wrote is none of our business */
  expect("Real y; equation y = if time > 0 then sin(time)/time else 1;", 0, NULL);
}

/* What is not analytic at the start has its limit by its growth behind it. */
static void
test_growth(void)
{
  expect("Real y; equation y = abs(time)/time;", 0,
         "y = noEvent(if time <= 0 then 1 else abs(time)/time)");
  expect("Real y; equation y = sin(time)/abs(2*time);", 0,
         "y = noEvent(if time <= 0 then 0.5 else sin(time)/abs(2*time))");
  expect("Real y; equation y = log(1 + time)/sqrt(time);", 0,
         "y = noEvent(if time <= 0 then 0 else log(time + 1)/sqrt(time))");
  expect("Real x; equation der(x) = x*exp(-1/time);", 0,
         "der(x) = noEvent(if time <= 0 then 0 else exp(-1/time))*x");
  expect("Real y; equation y = exp(-1/(time - 2)^2)/(time - 2)^9;", 2,
         "y = noEvent(if time <= 2 then 0 else exp(-1/(time - 2)^2)/(time - 2)^9)");
  expect("Real y; equation y = 1 + tanh(-1/time);", 0,
         "y = noEvent(if time <= 0 then -1 else tanh(-1/time)) + 1");
  expect("Real y; equation y = sqrt(time)*cos(1/time);", 0,
         "y = noEvent(if time <= 0 then 0 else sqrt(time)*cos(1/time))");
  /* a value at the start needs no limit */
  expect("Real y; equation y = exp(-1/(1 + time));", 0, NULL);
}

static void
test_parameters(void)
{
  expect("parameter Real p = 1; Real y; equation y = sin(time)^2/(p*time + time^2);", 0,
         "y = noEvent(if time <= 0 then (if p <> 0 then 0 else log(-1)) else "
         "sin(time)^2/(p*time + time^2))");
  expect("parameter Real a = 1; Real x; equation der(x) = a*x/time + 1;", 0,
         "der(x) = noEvent(if time <= 0 then (if a - 1 < 0 then (if abs(a*x) <= 1e-13 then "
         "-a/(a - 1) else log(-1)) else log(-1)) else a*x/time) + 1");
}

static void
test_solutions(void)
{
  const char *expected = "y = noEvent(if time <= 0 then (if abs(x) <= 1e-13 then x + 1 else "
                         "log(-1)) else x/time)";
  expect("Real x, y; equation der(x) = 1 + x; y = x/time;", 0, expected);
  expect("Real x, y; equation 2*der(x) - 2 = 2*x; y*time = x;", 0, expected);
  expect("Real x, y; equation der(x) - x - 1 + y = y; y*time = x;", 0, expected);
  /* the solution through x = 0 is not the only one: x = c*time^2 */
  expect("Real x; equation der(x) = 2*x/time;", 0, NULL);
  expect("Real x; equation der(x)*time = 2*x;", 0,
         "der(x) = noEvent(if time <= 0 then (if abs(2*x) <= 1e-13 then log(-1) else log(-1)) "
         "else "
         "2*x/time)");
  expect("Real x; equation der(x) = -2*x/time;", 0,
         "der(x) = noEvent(if time <= 0 then (if abs(-2*x) <= 1e-13 then 0 else log(-1)) else "
         "-2*x/time)");
  /* t^2*z/x has the limit 0 where x is not 0, none for x = t^3 */
  expect("Real x, y, z; equation der(x) = 3*time^2; der(z) = 1; y = sin(time*z)^2/x/time;", 0,
         "y = noEvent(if time <= 0 then (if x <> 0 then 0 else log(-1)) else "
         "sin(time*z)^2/(time*x))");
  /* what moves x is not differentiable, or not known */
  expect("Real x, y; equation der(x) = sqrt(x); y = x/time;", 0, NULL);
  expect("Real x, y, z; equation der(x) = z; z^3 + y*z = 1 + x; y = x/time;", 0, NULL);
}

/* (1 - cos(t))/t^2 loses all digits for small t; the series does not. */
/* x*w = x says w = 1 where x passes 0, and nothing of w where x stays there. */
static void
test_what_is_given_implicitly(void)
{
  expect("Real x, y; equation x + x^3 = time; y = x/time;", 0,
         "y = noEvent(if time <= 0 then (if abs(x) <= 1e-13 then (if 3*x^2 + 1 <> 0 then "
         "1/(3*x^2 + 1) else log(-1)) else log(-1)) else x/time)");
  expect(
      "Real x, y, z; equation der(x) = z; z^3 + z = 1 + x; y = x/time;", 0,
      "y = noEvent(if time <= 0 then (if abs(x) <= 1e-13 then (if 3*z^2 + 1 <> 0 then z else "
      "log(-1)) else log(-1)) else x/time)");
  /* time*y = x is not for x, which has an equation of its own */
  take("Real x, y;\nequation\n  time*y = x;\n  x + exp(x) = 1 + time;", 0, false);
  TEST_ASSERT_NOT_NULL(changed);
  /* nor is der(x) = f for der(x) where another equation is */
  take("Real x, w;\ninitial equation\n  x = 0;\nequation\n  der(x) = 1;\n"
       "  der(x) = 1 + x*w - x;",
       0, false);
  TEST_ASSERT_NOT_NULL(changed);
  take("Real x, w;\ninitial equation\n  x = 0;\nequation\n  2*der(x) = 2;\n"
       "  der(x) = 1 + x*w - x;",
       0, false);
  TEST_ASSERT_NOT_NULL(changed);
  /* where the root is double, x has no slope */
  take("Real x, y;\nequation\n  x^2*(1 + x) = time^2;\n  y = x/time;", 0, false);
  TEST_ASSERT_NULL(changed);
}

static void
test_factors_that_stay_zero(void)
{
  expect("Real x, w; initial equation x = 0; equation der(x) = 1; x*w = x;", 0, "w = 1");
  expect("Real x, w; initial equation x = 0; equation der(x) = -x; x*w = x;", 0, NULL);
  expect("Real x, w; initial equation x = 0; equation der(x) = -x; x*w = x^2;", 0, NULL);
  expect("parameter Real p = 1; Real x, w; initial equation x = 0; equation der(x) = p; "
         "x*w = x;",
         0, "w = noEvent(if time <= 0 then (if x <> 0 or p <> 0 then 1 else log(-1)) else 1)");
  expect("Real x, y, w; initial equation x = 3; y = 4; equation der(x) = -y; der(y) = x; "
         "(x^2 + y^2 - 25)*w = (x^2 + y^2 - 25)*time;",
         0, NULL);
  expect("Real x, y, w; initial equation x = 1; y = 1; equation der(x) = y; der(y) = -x; "
         "(x - y)*w = x - y;",
         0,
         "w = noEvent(if time <= 0 then (if x - y <> 0 or x + y <> 0 then 1 else log(-1)) else "
         "1)");
}

static void
test_series(void)
{
  take("Real y; equation y = (1 - cos(time))/time^2;", 0, true);
  TEST_ASSERT_NOT_NULL(changed);
  DaeTerm rhs = dae_model_equation(changed, 0)->rhs;
  DaeTerm at = dae_term_ratio(terms, 1, 100000000);
  double value = 0;
  rhs = dae_term_replace(terms, rhs, dae_term_time(terms), at);
  TEST_ASSERT_EQUAL(DAE_EVAL_OK, dae_term_eval_double(terms, rhs, NULL, NULL, &value));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5, value);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_quotients_in_time);
  RUN_TEST(test_what_has_no_limit);
  RUN_TEST(test_growth);
  RUN_TEST(test_parameters);
  RUN_TEST(test_solutions);
  RUN_TEST(test_what_is_given_implicitly);
  RUN_TEST(test_factors_that_stay_zero);
  RUN_TEST(test_series);
  return UNITY_END();
}
