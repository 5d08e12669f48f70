/* Enclosures: what is proved, and what is refused. */
#include "algebra/enclose.h"

#include "expr.h"

#include <math.h>
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

static DaeEnclosure *
enclose2(const char *f, const char *g, double x, double y, uint32_t digits)
{
  DaeTerm equations[2] = {expr(terms, f), expr(terms, g)};
  DaeTerm unknowns[2] = {expr(terms, "x"), expr(terms, "y")};
  double near[2] = {x, y};
  DaeSquareSystem system = {equations, unknowns, near, 2};
  return dae_algebra_enclose(algebra, &system, digits);
}

static DaeEnclosure *
enclose1(const char *f, double x, uint32_t digits)
{
  DaeTerm equation = expr(terms, f);
  DaeTerm unknown = expr(terms, "x");
  DaeSquareSystem system = {&equation, &unknown, &x, 1};
  return dae_algebra_enclose(algebra, &system, digits);
}

static void
test_a_root_is_found_to_60_and_200_digits(void)
{
  static const uint32_t digits[] = {60, 120, 200};
  for (size_t i = 0; i < G_N_ELEMENTS(digits); i++) {
    g_autoptr(DaeEnclosure) root = enclose1("x^2 - 2", 1.4, digits[i]);
    TEST_ASSERT_NOT_NULL(root);
    TEST_ASSERT_TRUE(dae_enclosure_radius(root) < -(int)digits[i]);
    g_autofree char *text = dae_enclosure_text(root, 0);
    TEST_ASSERT_EQUAL_STRING_LEN(
        "1.41421356237309504880168872420969807856967187537694807317667973799", text, 60);
    DaeBallSize size;
    TEST_ASSERT_TRUE(dae_enclosure_size(algebra, root, expr(terms, "x^4 - 4"), &size));
    TEST_ASSERT_FALSE(size.excludes_zero);
    TEST_ASSERT_TRUE(size.below < -(int)digits[i] + 3);
    TEST_ASSERT_TRUE(dae_enclosure_size(algebra, root, expr(terms, "x - 1.5"), &size));
    TEST_ASSERT_TRUE(size.excludes_zero);
    TEST_ASSERT_TRUE(size.above <= -2 && size.above >= -3);
  }
}

static void
test_a_difference_of_1e_40_is_not_zero(void)
{
  g_autoptr(DaeEnclosure) root = enclose2("x*exp(y) - 3", "y + sin(x) - 1", 1.0, 1.0, 60);
  TEST_ASSERT_NOT_NULL(root);
  DaeBallSize size;
  TEST_ASSERT_TRUE(
      dae_enclosure_size(algebra, root, expr(terms, "log(x) + y - log(3)"), &size));
  TEST_ASSERT_FALSE(size.excludes_zero);
  TEST_ASSERT_TRUE(size.below < -55);
  TEST_ASSERT_TRUE(
      dae_enclosure_size(algebra, root, expr(terms, "log(x) + y - log(3) - 1e-40"), &size));
  TEST_ASSERT_TRUE(size.excludes_zero);
  TEST_ASSERT_TRUE(size.above >= -42 && size.below <= -39);
}

static void
test_branches_are_kept_apart(void)
{
  g_autoptr(DaeEnclosure) up = enclose2("x^2 + y^2 - 1", "x - 1/2", 0.4, 0.9, 60);
  g_autoptr(DaeEnclosure) again = enclose2("x^2 + y^2 - 1", "x - 1/2", 0.6, 0.5, 60);
  g_autoptr(DaeEnclosure) down = enclose2("x^2 + y^2 - 1", "x - 1/2", 0.4, -0.9, 60);
  TEST_ASSERT_NOT_NULL(up);
  TEST_ASSERT_NOT_NULL(down);
  TEST_ASSERT_TRUE(dae_enclosure_overlaps(up, again));
  TEST_ASSERT_FALSE(dae_enclosure_overlaps(up, down));
  TEST_ASSERT_TRUE(fabs(dae_enclosure_value(up, 1) - sqrt(3) / 2) < 1e-15);
}

static void
test_what_is_not_proved_is_refused(void)
{
  TEST_ASSERT_NULL(enclose1("x^2", 0.1, 60));                             /* double root */
  TEST_ASSERT_NULL(enclose1("x^2 + 1e-30", 0.1, 60));                     /* none, but nearly */
  TEST_ASSERT_NULL(enclose1("exp(x) + 1", 0.1, 60));                      /* none */
  TEST_ASSERT_NULL(enclose1("floor(x) - 1 + x", 0.9, 60));                /* jumps */
  TEST_ASSERT_NULL(enclose1("x - 1 + 1e-70*floor(x)", 0.9, 60));          /* jumps over 0 */
  TEST_ASSERT_NULL(enclose1("abs(x)", 0.3, 60));                          /* corner */
  TEST_ASSERT_NULL(enclose1("x - z", 0.3, 60));                           /* another atom */
  TEST_ASSERT_NULL(enclose2("x + y - 1", "2*x + 2*y - 2", 0.3, 0.7, 60)); /* singular */
  TEST_ASSERT_NULL(enclose1("log(x - 2)", 0.3, 60)); /* outside of the domain */
}

static void
test_between_jumps_a_root_is_proved(void)
{
  g_autoptr(DaeEnclosure) of_floor = enclose1("x + floor(x) - 4.5", 2.4, 60);
  TEST_ASSERT_NOT_NULL(of_floor);
  TEST_ASSERT_EQUAL_DOUBLE(2.5, dae_enclosure_value(of_floor, 0));
  g_autoptr(DaeEnclosure) of_mod = enclose1("x + mod(x, 2) - 5", 3.4, 60);
  TEST_ASSERT_NOT_NULL(of_mod);
  TEST_ASSERT_EQUAL_DOUBLE(3.5, dae_enclosure_value(of_mod, 0));
  TEST_ASSERT_NULL(enclose1("x + 1e-90*(floor(x) + 0.5)", 1e-9, 60));
  TEST_ASSERT_NULL(enclose1("x + 1e-90*(ceil(x) - 0.5)", 1e-9, 60));
  TEST_ASSERT_NULL(enclose1("x + 1e-90*(mod(x, 3) - 1)", 1e-9, 60));
  TEST_ASSERT_NULL(enclose1("x - 3 + 1e-90*(div(x, 3) - 0.5)", 3.1, 60));
  TEST_ASSERT_NULL(enclose1("x - 3 + 1e-90*(rem(x, 3) - 1)", 3.1, 60));
}

/* Newton's steps are as small as wanted here, and there is no zero: only the test that
 * Krawczyk's operator maps the box into itself tells. */
static void
test_what_only_looks_like_a_root_is_refused(void)
{
  TEST_ASSERT_NULL(enclose1("x^2 + 1e-200", 1e-34, 60));
  TEST_ASSERT_NULL(enclose1("x^2", 1e-34, 60));
  TEST_ASSERT_NULL(enclose1("exp(1e60*x)", -1e-58, 60));
  TEST_ASSERT_NULL(enclose2("x^2 + y^2 + 1e-200", "x - y", 1e-34, 1e-34, 60));
}

static void
test_large_and_ill_conditioned_systems(void)
{
  enum { N = 60 };

  DaeTerm equations[N];
  DaeTerm unknowns[N];
  double near[N];
  for (int i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf("u%d", i);
    unknowns[i] = expr(terms, name);
    near[i] = 1.0;
  }
  for (int i = 0; i < N; i++) { /* u_i^3 + u_i = u_(i-1) + u_(i+1) + 1/7, ends held */
    g_autofree char *text =
        i == 0       ? g_strdup("u0 - 1")
        : i == N - 1 ? g_strdup_printf("u%d - 2", i)
                     : g_strdup_printf("u%d^3 + u%d - u%d/3 - u%d/3 - 1/7", i, i, i - 1, i + 1);
    equations[i] = expr(terms, text);
  }
  DaeSquareSystem system = {equations, unknowns, near, N};
  g_autoptr(DaeEnclosure) chain = dae_algebra_enclose(algebra, &system, 60);
  TEST_ASSERT_NOT_NULL(chain);
  TEST_ASSERT_TRUE(dae_enclosure_radius(chain) < -55);
  g_autoptr(DaeEnclosure) thin =
      enclose2("x + y - 2", "x + 1.0000000000000001*y - 2.0000000000000001", 0.0, 0.0, 60);
  TEST_ASSERT_NOT_NULL(thin);
  TEST_ASSERT_TRUE(dae_enclosure_value(thin, 0) == 1.0);
}

static void
test_constants_have_sizes(void)
{
  DaeBallSize size;
  TEST_ASSERT_TRUE(dae_algebra_constant_size(
      algebra, expr(terms, "atan(1/2) + atan(1/3) - pi/4"), 200, &size));
  TEST_ASSERT_FALSE(size.excludes_zero);
  TEST_ASSERT_TRUE(size.below < -198);
  TEST_ASSERT_TRUE(
      dae_algebra_constant_size(algebra, expr(terms, "exp(pi) - pi - 20"), 60, &size));
  TEST_ASSERT_TRUE(size.excludes_zero);
  TEST_ASSERT_FALSE(dae_algebra_constant_size(algebra, expr(terms, "log(-1)"), 60, &size));
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_a_root_is_found_to_60_and_200_digits);
  RUN_TEST(test_a_difference_of_1e_40_is_not_zero);
  RUN_TEST(test_branches_are_kept_apart);
  RUN_TEST(test_what_is_not_proved_is_refused);
  RUN_TEST(test_between_jumps_a_root_is_proved);
  RUN_TEST(test_what_only_looks_like_a_root_is_refused);
  RUN_TEST(test_large_and_ill_conditioned_systems);
  RUN_TEST(test_constants_have_sizes);
  return UNITY_END();
}
