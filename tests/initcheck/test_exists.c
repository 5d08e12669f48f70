/* Real solutions for all values of the parameters: what is proved holds at sampled values too, and
 * what has counterexamples is never proved. */

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  const char *rows[3]; /* in x, y, z and parameters a, b */
  bool exists;
} Existence;

static bool
exist(const Inside *in, const Existence *what)
{
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (size_t i = 0; i < G_N_ELEMENTS(what->rows) && what->rows[i] != NULL; i++) {
    DaeTerm t = inside_term(in, what->rows[i]);
    g_array_append_val(rows, t);
  }
  return ic_exist_for_all(in->sys, rows);
}

static Inside
three_unknowns(void)
{
  return inside_new("parameter Real a = 1; parameter Real b = 1; Real x; Real y; Real z; "
                    "equation der(x) = a + b; der(y) = 1; der(z) = 1;");
}

static void
check_all(const Existence *list, size_t n)
{
  Inside in = three_unknowns();
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(list[i].exists, exist(&in, &list[i]), list[i].rows[0]);
  }
  inside_clear(&in);
}

/* Odd degree always has a root; even degree where it takes the other sign somewhere. */
static void
test_polynomials(void)
{
  static const Existence list[] = {
      {{"x^3 + x - a"}, true},       {{"x^5 - a*x + b"}, true}, {{"x - a"}, true},
      {{"x^2 - 1 - a^2"}, true},     {{"x^2 - a"}, false}, /* a < 0 */
      {{"x^2 + 1"}, false},                                /* never */
      {{"a*x - 1"}, false},                                /* a = 0 */
      {{"(1 + a^2)*x^3 - b"}, true}, /* the leading coefficient has one sign */
      {{"x^4 + x - a^2 - 1"}, true},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static void
test_functions_that_go_from_end_to_end(void)
{
  static const Existence list[] = {
      {{"x + exp(x) - a"}, true},
      {{"x + sin(x) - a"}, true},
      {{"x + tanh(x) + atan(x) - a*b"}, true},
      {{"sinh(x) + x - a"}, true},
      {{"2*x - cos(x)"}, true},
      {{"exp(x) - a"}, false},  /* a <= 0 */
      {{"tanh(x) - a"}, false}, /* |a| >= 1 */
      {{"sin(x) - a"}, false},
      {{"x - exp(x) - a"}, false}, /* above -1 nothing */
      {{"cosh(x) - a"}, false},
      {{"x + 1/x - a"}, false}, /* a pole in between */
  };
  check_all(list, G_N_ELEMENTS(list));
}

/* Rows one after another, and several at once where the map is monotone. */
static void
test_several_rows(void)
{
  static const Existence list[] = {
      {{"x^3 + x - a", "y^3 + y - x"}, true},
      {{"y + exp(y) - x", "x - a"}, true},
      {{"3*x + sin(y) - a", "3*y + sin(x) - b"}, true},
      {{"4*x + y - a", "4*y + z - b", "4*z + x"}, true},
      {{"x^3 + x - a", "y^2 - x"}, false},
      /* the resultant in x has degree 9; 4, and a sign of its own at 0; 4; a leading coefficient 0 */
      {{"y^2 + a*y + x^3 - b", "y^3 + x^2 - a*b"}, true},
      {{"y^2 - x^2 - 1 - a^2", "x*y - b^2 - 1"}, true},
      {{"x^2 + y^2 - a", "x*y + x - b"}, false},
      {{"x*y - 1", "a*y + x^2*y - b - y"}, false},
      {{"x + sin(y) - a", "exp(y) - b - x"}, false},
  };
  check_all(list, G_N_ELEMENTS(list));
}

static bool
sampled(void *user, DaeTerm atom, double *value)
{
  const double *point = user;
  *value = point[atom % 4u];
  return true;
}

/* A proved row changes its sign between -1e3 and 1e3 for every sampled value: by bisection a root. */
static void
test_proved_rows_have_roots_at_sampled_values(void)
{
  static const char *const proved[] = {"x^3 + x - a", "x + exp(x) - a", "x + sin(x) - a",
                                       "(1 + a^2)*x^3 - b", "2*x - cos(x)"};
  Inside in = three_unknowns();
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  for (size_t i = 0; i < G_N_ELEMENTS(proved); i++) {
    for (int k = 0; k < 20; k++) {
      double point[4];
      for (int j = 0; j < 4; j++) {
        point[j] = g_rand_double_range(random, -50.0, 50.0);
      }
      DaeTerm t = inside_term(&in, proved[i]);
      DaeTerm x = inside_term(&in, "x");
      double low = NAN;
      double high = NAN;
      DaeTerm at_low = dae_term_replace(in.terms, t, x, dae_term_int(in.terms, -500));
      DaeTerm at_high = dae_term_replace(in.terms, t, x, dae_term_int(in.terms, 500));
      TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK,
                            dae_term_eval_double(in.terms, at_low, sampled, point, &low));
      TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK,
                            dae_term_eval_double(in.terms, at_high, sampled, point, &high));
      TEST_ASSERT_TRUE_MESSAGE(low < 0.0 && high > 0.0, proved[i]);
    }
  }
  inside_clear(&in);
}

/* An exponential that goes to 0 takes every polynomial with it, and only then. */
static void
test_damped_products(void)
{
  static const Existence list[] = {
      {{"(x + exp(x))^3 + x + exp(x) - a"}, true},
      {{"x^3 + 3*x^2*exp(x) + 3*x*exp(x)^2 + exp(x)^3 + x - a"}, true},
      {{"x + x^4*exp(-x^2) - a"}, true},
      {{"x + x^2*exp(-x) - a"}, false}, /* above 0 at both ends */
      {{"x*exp(x) - a"}, false},
      {{"x^3 + a*x^2*exp(b*x) - b"}, false}, /* b may have either sign */
      {{"x - x^2*exp(x)*exp(-2*x) - a"}, false},
  };
  check_all(list, G_N_ELEMENTS(list));
}

/* Opposite signs at two integers, without poles between them. */
static void
test_signs_at_integers(void)
{
  static const Existence list[] = {
      {{"x/(1 + x^2) - sin(a)/3"}, true},
      {{"x/(1 + x^2) - sin(a)"}, false}, /* at most 1/2 */
      {{"1/x - sin(a)/3"}, false},       /* a pole between -1 and 1 */
      {{"x/(1 + x^2) - sin(y)/3", "y^3 + y - a"}, true},
  };
  check_all(list, G_N_ELEMENTS(list));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_polynomials);
  RUN_TEST(test_functions_that_go_from_end_to_end);
  RUN_TEST(test_damped_products);
  RUN_TEST(test_signs_at_integers);
  RUN_TEST(test_several_rows);
  RUN_TEST(test_proved_rows_have_roots_at_sampled_values);
  return UNITY_END();
}
