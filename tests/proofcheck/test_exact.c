/* The exact part of the proof checker: identities it knows, and what it does not accept. */
#include <string.h>
#include <unity.h>

#include "../algebra/expr.h"
#include "proofcheck/exact.h"
#include "proofcheck/separation.h"

static DaeTerms *terms;
static DaeCertifier *signs;
static DaeExact *exact;

void
setUp(void)
{
  terms = dae_terms_new();
  signs = dae_certifier_new(terms);
  exact = dae_exact_new(terms, signs);
}

void
tearDown(void)
{
  dae_exact_free(exact);
  dae_certifier_free(signs);
  dae_terms_free(terms);
}

static DaeExactAnswer
answer(const char *text)
{
  tearDown();
  setUp();
  return dae_exact_is_zero(exact, expr(terms, text));
}

static void
test_identities_are_zero(void)
{
  static const char *const texts[] = {
      "(x + y)^2 - x^2 - 2*x*y - y^2",
      "1/(x - y) - (x + y)/(x^2 - y^2)",
      "x/(1 + x) + 1/(1 + x) - 1",
      "0.1 + 0.2 - 0.3",
      "sqrt(2)*sqrt(3) - sqrt(6)",
      "sqrt(8) - 2*sqrt(2)",
      "sqrt(1/2) - sqrt(2)/2",
      "(sqrt(x) + 1)*(sqrt(x) - 1) - x + 1",
      "x^(1/2) - (x^(1/6))^3",
      "1/(1 + sqrt(2)) - sqrt(2) + 1",
      "sin(x)^2 + cos(x)^2 - 1",
      "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)",
      "cos(2*x) - 1 + 2*sin(x)^2",
      "cos(x) - 2*cos(x/2)^2 + 1",
      "sin(3*x) - 3*sin(x) + 4*sin(x)^3",
      "sin(pi/12) - (sqrt(6) - sqrt(2))/4",
      "cos(x + pi/2) + sin(x)",
      "sin(x - 7*pi) + sin(x)",
      "tan(x)*cos(x) - sin(x)",
      "exp(x + y) - exp(x)*exp(y)",
      "exp(x)*exp(-x) - 1",
      "exp(x/2)^2 - exp(x)",
      "sqrt(exp(x)) - exp(x/2)",
      "exp(2*log(x)) - x^2",
      "exp(log(x)/2) - sqrt(x)",
      "log(6) - log(2) - log(3)",
      "log(1/8) + 3*log(2)",
      "log(exp(x)) - x",
      "log(x*exp(y)) - log(x) - y",
      "log(3*x) - log(3) - log(x)",
      "log10(1000) - 3",
      "cosh(x)^2 - sinh(x)^2 - 1",
      "tanh(x) - (exp(2*x) - 1)/(exp(2*x) + 1)",
      "sin(asin(x)) - x",
      "cos(asin(x))^2 - 1 + x^2",
      "tan(atan(x)) - x",
      "asin(1/2) - pi/6",
      "acos(-sqrt(3)/2) - 5*pi/6",
      "atan(1) - pi/4",
      "asin(x) + acos(x) - pi/2",
      "atan(x - y) + atan(y - x)",
      "abs(x - y) - abs(y - x)",
      "abs(x)^2 - x^2",
      "abs(-3) - 3",
      "abs(1 - sqrt(2)) - sqrt(2) + 1",
      "(if 2 > 1 then x else y) - x",
      "(if x > 0 then y else z) - (if 0 < x then y else z)",
      "min(2, 3) - 2",
      "min(2*x - 2, x - 1) - min(x - 1, 2*x - 2)",
      "max(x, y)^2 - max(y, x)^2",
      "sign(-2) + 1",
      "abs(3*x) - 3*abs(x)",
      "abs(-2*x*y/3) - 2*abs(x)*abs(y)/3",
      "abs(x/y) - abs(x)/abs(y)",
      "abs(2*x + 4*y) - 2*abs(-x - 2*y)",
      "abs(x^2*y - x*y^2) - abs(x)*abs(y)*abs(y - x)",
      "abs(x*exp(y)) - abs(x)*exp(y)",
      "abs(x)*sign(x)^2 - abs(x*sign(x)^2)",
      "sign(-2*x*y) + sign(x)*sign(y)",
      "sign(x/y) - sign(x)*sign(y)",
      "sign(x)^5 - sign(x)",
      "sign(x*exp(y)) - sign(x)",
      "min(x, y) + max(x, y) - x - y",
      "max(3*x + z, 3*y + z) - 3*max(x, y) - z",
      "min(-2*x, -2*y) + 2*max(x, y)",
      "max(x, y) - min(x, y) - abs(x - y)",
      "log(x^2) - 2*log(abs(x))",
      "log(9*x^2*y^4/z^2) - 2*log(3) - 2*log(abs(x)) - 4*log(abs(y)) + 2*log(abs(z))",
      "max(x^2, -3*x^2 - 1) - x^2",
      "min(sin(x), 2) - sin(x)",
      "log(x^3) - 3*log(x)",
      "log(x^2*exp(y)) - 2*log(abs(x)) - y",
      "(if x > 0 then y + z else 2*y) - y - (if x > 0 then z else y)",
      "(if x > y then 2 else 3)*(if y < x then z else 1) - (if x > y then 2*z else 3)",
      "1/(if x > 0 then 2 else 3) - (if x <= 0 then 1/3 else 1/2)",
      "log(x^2*y) - 2*log(abs(x)) - log(y)",
      "sqrt(x/2 + 1/3) - sqrt(6)*sqrt(3*x + 2)/6",
      "sqrt(2 - 4*x) - sqrt(2)*sqrt(1 - 2*x)",
      "semiLinear(2*x, y, z) - 2*semiLinear(x, y, z)",
      "semiLinear(x, y, y) - x*y",
      "sqrt(4*x^2*y^2) - 2*abs(x)*abs(y)",
      "sqrt(x^2*cos(y)^2) - abs(x*cos(y))",
      "(if 2*x > 4*y then z else 1) - (if x > 2*y then z else 1)",
      "(if 2*x > 4*y then z else 1) - (if 3*x <= 6*y then 1 else z)",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_EXACT_ZERO, answer(texts[i]), texts[i]);
  }
}

static void
test_what_differs_is_not_zero(void)
{
  static const char *const texts[] = {
      "(x + y)^2 - x^2 - y^2",
      "sqrt(x^2) - x", /* for x < 0 */
      "sin(x)^2 + cos(y)^2 - 1",
      "sin(x + y) - sin(x)*cos(y) + cos(x)*sin(y)",
      "cos(x + pi) - cos(x)",
      "exp(x + y) - exp(x) - exp(y)",
      "log(x*y) - log(x) - log(y)", /* for negative x and y */
      "asin(sin(x)) - x",           /* beyond pi/2 */
      "atan(x) - x",
      "abs(x) - x",
      "log(x^2) - 2*log(x)", /* for x < 0 */
      "log(x^2*y^3*z) - 2*log(abs(x)) - 3*log(y) - log(z)",
      "sqrt(1 - 2*x) - sqrt(2*x - 1)",
      "(if x > 0 then y else z) - (if x > 0 then y else 0) - z",
      "(if x > 0 then 1 else 0) - (if x > 1 then 1 else 0)",
      "abs(2*x) - abs(x)",
      "abs(x + y) - abs(x) - abs(y)",
      "abs(x*y) + x*abs(y)",
      "sign(-2*x) - sign(x)",
      "sign(x)^2 - 1",
      "sign(x + y) - sign(x - y)",
      "sign(x)*x^2 - x",
      "min(-2*x, -2*y) + 2*min(x, y)",
      "min(x, y) - max(x, y)",
      "semiLinear(-x, y, z) + semiLinear(x, y, z)",
      "(if -2*x > 4*y then z else 1) - (if x > -2*y then z else 1)",
      "sqrt(2) - 1.4142135623730951",
      "x/y - y/x",
      "(if x > 0 then y else z) - (if x > 0 then z else y)",
      "(if x > 0 then y else z) - (if x >= 0 then y else z)",
      "pi - 355/113",
      "log(2) - 0.6931471805599453",
      "floor(x) - x",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    TEST_ASSERT_TRUE_MESSAGE(answer(texts[i]) != DAE_EXACT_ZERO, texts[i]);
  }
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_NONZERO, answer("0.1 + 0.2 - 0.3 - 1e-15"));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_NONZERO, answer("sqrt(2)^2 - 2.0000000001"));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_UNDEFINED, answer("1/(x - x + sqrt(4) - 2)"));
}

static void
test_atoms_stand_for_terms(void)
{
  dae_exact_bind(exact, expr(terms, "x"), expr(terms, "y + 1"));
  dae_exact_bind(exact, expr(terms, "y"), expr(terms, "3*z"));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_ZERO, dae_exact_is_zero(exact, expr(terms, "x - 3*z - 1")));
  TEST_ASSERT_TRUE(DAE_EXACT_ZERO != dae_exact_is_zero(exact, expr(terms, "x - 3*z")));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_UNDEFINED,
                        dae_exact_is_zero(exact, expr(terms, "1/(x - 3*z - 1)")));
}

/* Not above 0 is below it or 0; a multiple of what was assumed is assumed, too. */
static void
test_assumed_sides_are_those_of_multiples(void)
{
  dae_exact_assume(exact, expr(terms, "x > 0"), false);
  TEST_ASSERT_TRUE(DAE_EXACT_ZERO != dae_exact_is_zero(exact, expr(terms, "sign(x) + 1")));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_ZERO,
                        dae_exact_is_zero(exact, expr(terms, "sign(x) + (if x "
                                                             "< 0 then 1 else 0)")));
  dae_exact_assume(exact, expr(terms, "y >= 0"), false);
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_ZERO,
                        dae_exact_is_zero(exact, expr(terms, "abs(3*y) + 3*y")));
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_ZERO,
                        dae_exact_is_zero(exact, expr(terms, "abs(z*y) + y*abs(z)")));
  TEST_ASSERT_TRUE(DAE_EXACT_ZERO != dae_exact_is_zero(exact, expr(terms, "abs(3*y) - 3*y")));
}

static void
test_linear_equations_are_recognized(void)
{
  DaeTerm a = DAE_NO_TERM;
  TEST_ASSERT_TRUE(dae_exact_is_linear(exact, expr(terms, "2*x + y"), expr(terms, "x"), &a));
  TEST_ASSERT_EQUAL_UINT(expr(terms, "2"), a);
  TEST_ASSERT_FALSE(dae_exact_is_linear(exact, expr(terms, "x^2 - y"), expr(terms, "x"), &a));
  TEST_ASSERT_FALSE(
      dae_exact_is_linear(exact, expr(terms, "x + sin(x)"), expr(terms, "x"), &a));
  TEST_ASSERT_FALSE(
      dae_exact_is_linear(exact, expr(terms, "(x - 1)*(x - 2)"), expr(terms, "x"), &a));
  TEST_ASSERT_FALSE(dae_exact_is_linear(exact, expr(terms, "y + 1"), expr(terms, "x"), &a));
}

static void
test_solutions_divide_their_equations(void)
{
  TEST_ASSERT_TRUE(
      dae_exact_divides(exact, expr(terms, "x - sqrt(2)"), expr(terms, "x^2 - 2")));
  TEST_ASSERT_TRUE(dae_exact_divides(exact, expr(terms, "x*y - 1"),
                                     expr(terms, "x^3*y^3 - x*y + x^2*y^2 - 1")));
  TEST_ASSERT_FALSE(dae_exact_divides(exact, expr(terms, "x - 1"), expr(terms, "x^2 - 2")));
  TEST_ASSERT_FALSE(
      dae_exact_divides(exact, expr(terms, "x - 1.414213562373095"), expr(terms, "x^2 - 2")));
}

static bool
inverts(const char *base, const char *own)
{
  DaeTerm a = DAE_NO_TERM;
  tearDown();
  setUp();
  return dae_exact_inverts(exact, expr(terms, base), expr(terms, own), &a);
}

static void
test_one_to_one_functions_are_undone(void)
{
  TEST_ASSERT_TRUE(inverts("exp(x) - 5", "x - log(5)"));
  TEST_ASSERT_TRUE(inverts("2*log(x) - 6", "x - exp(3)"));
  TEST_ASSERT_TRUE(inverts("x^3 - 2", "x - 2^(1/3)"));
  TEST_ASSERT_TRUE(inverts("sqrt(x) - 3", "x - 9"));
  TEST_ASSERT_TRUE(inverts("atan(x) - pi/4", "x - 1"));
  TEST_ASSERT_TRUE(inverts("3*(x - y)^2", "x - y"));
  TEST_ASSERT_FALSE(inverts("x^2 - 2", "x - sqrt(2)")); /* two solutions */
  TEST_ASSERT_FALSE(inverts("sin(x) - 1/2", "x - pi/6"));
  TEST_ASSERT_FALSE(inverts("exp(x) - 5", "x - log(6)"));
  TEST_ASSERT_FALSE(inverts("exp(x) + x - 1", "x"));
}

static bool
has_no_zero(const char *text)
{
  tearDown();
  setUp();
  return dae_exact_has_no_real_zero(exact, expr(terms, text));
}

static void
test_real_zeros_are_counted_by_sturm(void)
{
  TEST_ASSERT_TRUE(has_no_zero("x^2 + x + 1"));
  TEST_ASSERT_TRUE(has_no_zero("x^4 - 3*x^2 + 5/2"));
  TEST_ASSERT_TRUE(has_no_zero("(x^2 + 1)^2"));
  TEST_ASSERT_TRUE(has_no_zero("x^2 + sqrt(2)*x + 1"));
  TEST_ASSERT_FALSE(has_no_zero("x^2 + x - 1"));
  TEST_ASSERT_FALSE(has_no_zero("x^4 - 3*x^2 + 9/4"));
  TEST_ASSERT_FALSE(has_no_zero("(x - 3)^2*(x^2 + 1)"));
  TEST_ASSERT_FALSE(has_no_zero("x^3 + x + 10"));
  TEST_ASSERT_FALSE(has_no_zero("x^2 + 2*sqrt(2)*x + 1"));
}

/* base = 0 implies own = 0 where the function is one-to-one, and only there. */
static void
test_even_powers_have_two_roots(void)
{
  TEST_ASSERT_TRUE(inverts("x^3 - 8", "x - 2"));
  TEST_ASSERT_FALSE(inverts("x^2 - 4", "x - 2"));
  TEST_ASSERT_FALSE(inverts("x^4 - 16", "x + 2"));
  TEST_ASSERT_FALSE(inverts("3*x^2 - 12", "x - 2"));
  TEST_ASSERT_TRUE(inverts("(x - 2)^4", "x - 2"));
}

/* a*atom + b with the atom nowhere else. */
static void
test_an_atom_inside_a_function_is_not_linear(void)
{
  DaeTerm a = DAE_NO_TERM;
  static const char *const texts[] = {"x + sin(x)", "x*exp(x) - 1", "x + sqrt(x)",
                                      "x + abs(x + y)"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    tearDown();
    setUp();
    TEST_ASSERT_FALSE_MESSAGE(
        dae_exact_is_linear(exact, expr(terms, texts[i]), expr(terms, "x"), &a), texts[i]);
  }
  TEST_ASSERT_TRUE(
      dae_exact_is_linear(exact, expr(terms, "x*sin(y) + y"), expr(terms, "x"), &a));
}

static void
test_ranges_keep_off_zero(void)
{
  g_autoptr(GHashTable) none = g_hash_table_new(NULL, NULL);
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, none, expr(terms, "x^2 + y^2 + 1")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, none, expr(terms, "exp(x) + exp(-2*y)")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, none, expr(terms, "sin(x) - 2")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, none, expr(terms, "-3 - abs(x)")));
  TEST_ASSERT_TRUE(
      dae_range_excludes_zero(terms, none, expr(terms, "2 + (if x > 0 then x else x^2)")));
  TEST_ASSERT_FALSE(
      dae_range_excludes_zero(terms, none, expr(terms, "if x > 0 then x else x^2")));
  TEST_ASSERT_FALSE(dae_range_excludes_zero(terms, none, expr(terms, "x^2 + y^2")));
  TEST_ASSERT_FALSE(dae_range_excludes_zero(terms, none, expr(terms, "exp(x) - exp(y)")));
  TEST_ASSERT_FALSE(dae_range_excludes_zero(terms, none, expr(terms, "sin(x) - 1")));
}

/* Sums and products of rationals that no double holds: the least value is 0, and
 * rounding to nearest would miss it. */
static void
test_ranges_are_rounded_outward(void)
{
  static const char *const zeros[] = {
      "x^2 + a + b - 3/10",     "x^2 - a - b + 3/10",    "x^2 + a*a - 1/100",
      "x^2 - a*a + 1/100",      "x^2 + a*b*c - 3/500",   "x^2 - a*b*c + 3/500",
      "x^2 + a^3 - 1/1000",     "x^2 - a^3 + 1/1000",    "x^2 + c^5 - 243/100000",
      "x^2 - c^5 + 243/100000", "x^2 + 1/c - 10/3",      "x^2 - 1/c + 10/3",
      "x^2 + a - 1/10",         "x^2 + log(exp(a)) - a", "x^2 - log(exp(a)) + a",
      "x^2 + log(exp(b)) - b",  "x^2 - log(exp(c)) + c", "x^2 + exp(log(c)) - c",
      "x^2 - exp(log(c)) + c"};
  g_autoptr(GHashTable) bound = g_hash_table_new(NULL, NULL);
  static const char *const names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) {
    g_hash_table_insert(bound, GUINT_TO_POINTER(expr(terms, names[i])),
                        GUINT_TO_POINTER(dae_term_ratio(terms, i + 1, 10)));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(zeros); i++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_range_excludes_zero(terms, bound, expr(terms, zeros[i])),
                              zeros[i]);
  }
  TEST_ASSERT_TRUE(
      dae_range_excludes_zero(terms, bound, expr(terms, "x^2 + a + b - 2999/10000")));
  TEST_ASSERT_TRUE(dae_range_excludes_zero(terms, bound, expr(terms, "x^2 + a^3 - 1/1001")));
}

static void
test_integers_agree_with_small_ones(void)
{
  g_autoptr(VpRing) ring = vp_ring_new(1000000);
  VpInt p;
  VpInt q;
  int64_t value = 0;
  TEST_ASSERT_TRUE(vp_int_parse(ring, "-12.5e-3", &p, &q));
  TEST_ASSERT_TRUE(vp_int_get(p, &value));
  TEST_ASSERT_EQUAL_INT64(-125, value);
  TEST_ASSERT_TRUE(vp_int_get(q, &value));
  TEST_ASSERT_EQUAL_INT64(10000, value);
  TEST_ASSERT_FALSE(vp_int_parse(ring, "1/0", &p, &q));
  TEST_ASSERT_FALSE(vp_int_parse(ring, "1x", &p, &q));
  TEST_ASSERT_FALSE(vp_int_parse(ring, "", &p, &q));
  VpInt large = vp_int(ring, 1);
  for (int64_t k = 2; k <= 30; k++) {
    large = vp_int_mul(ring, large, vp_int(ring, k));
  }
  TEST_ASSERT_FALSE(vp_int_get(large, &value));
  TEST_ASSERT_EQUAL_INT(-1, vp_int_compare(vp_int_neg(large), large));
  for (uint32_t k = 30; k > 1; k--) {
    TEST_ASSERT_EQUAL_UINT(0, vp_int_divide_small(ring, large, k, &large));
  }
  TEST_ASSERT_EQUAL_INT(0, vp_int_compare(large, vp_int(ring, 1)));
  TEST_ASSERT_EQUAL_INT(0, vp_int_add(ring, vp_int(ring, -7), vp_int(ring, 7)).sign);
  TEST_ASSERT_EQUAL_UINT(2, vp_int_divide_small(ring, vp_int(ring, 17), 5, &p));
}

static void
test_long_polynomials_stay_open(void)
{
  TEST_ASSERT_EQUAL_INT(DAE_EXACT_OPEN,
                        answer("(x + y + z + u + v + w)^30 - (x + y + z + u + v + w)^29*(x + y "
                               "+ z + u + v + w)*1.000001"));
}

/* Radicals and angles that are rational multiples of pi: 0 is proved by a ball below the separation
 * bound, and nothing that only comes near to 0 is. */
static void
test_algebraic_numbers_are_separated(void)
{
  static const char *const zero[] = {
      "cos(pi/5) - (1 + sqrt(5))/4",
      "cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) - 1/8",
      "tan(3*pi/11) + 4*sin(2*pi/11) - sqrt(11)",
      "sqrt(2 + sqrt(3)) - (sqrt(6) + sqrt(2))/2",
      "(2 + sqrt(5))^(1/3) - (sqrt(5) - 2)^(1/3) - 1",
      "1/(sqrt(3) - sqrt(2)) - sqrt(3) - sqrt(2)",
  };
  static const char *const other[] = {
      "cos(pi/5) - (1 + sqrt(5))/4 - 1e-300",
      "tan(3*pi/11) + 4*sin(2*pi/11) - sqrt(11) + 1e-200",
      "sqrt(2) + sqrt(3) - 3.146264369941972342329135065715570445",
  };
  g_autoptr(GHashTable) nothing = g_hash_table_new(NULL, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS(zero); i++) {
    DaeTerm t = expr(terms, zero[i]);
    TEST_ASSERT_TRUE_MESSAGE(dae_separation_is_zero(terms, nothing, signs, t), zero[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(other); i++) {
    DaeTerm t = expr(terms, other[i]);
    TEST_ASSERT_FALSE_MESSAGE(dae_separation_is_zero(terms, nothing, signs, t), other[i]);
  }
  DaeTerm transcendental = expr(terms, "exp(1)*exp(2) - exp(3)");
  TEST_ASSERT_FALSE(dae_separation_is_zero(terms, nothing, signs, transcendental));
}

static void
test_roots_of_squares_take_the_sign(void)
{
  TEST_ASSERT_EQUAL(DAE_EXACT_ZERO, answer("sqrt(4*cos(3/10)^2) - 2*cos(3/10)"));
  TEST_ASSERT_EQUAL(DAE_EXACT_ZERO, answer("sqrt(9*cos(2)^2*exp(1)^4) + 3*cos(2)*exp(2)"));
  TEST_ASSERT_NOT_EQUAL(DAE_EXACT_ZERO, answer("sqrt(4*cos(2)^2) - 2*cos(2)"));
  TEST_ASSERT_EQUAL(DAE_EXACT_OPEN, answer("sqrt(x^2) - x"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_identities_are_zero);
  RUN_TEST(test_what_differs_is_not_zero);
  RUN_TEST(test_atoms_stand_for_terms);
  RUN_TEST(test_assumed_sides_are_those_of_multiples);
  RUN_TEST(test_linear_equations_are_recognized);
  RUN_TEST(test_solutions_divide_their_equations);
  RUN_TEST(test_one_to_one_functions_are_undone);
  RUN_TEST(test_real_zeros_are_counted_by_sturm);
  RUN_TEST(test_even_powers_have_two_roots);
  RUN_TEST(test_an_atom_inside_a_function_is_not_linear);
  RUN_TEST(test_ranges_keep_off_zero);
  RUN_TEST(test_ranges_are_rounded_outward);
  RUN_TEST(test_integers_agree_with_small_ones);
  RUN_TEST(test_long_polynomials_stay_open);
  RUN_TEST(test_algebraic_numbers_are_separated);
  RUN_TEST(test_roots_of_squares_take_the_sign);
  return UNITY_END();
}
