/* [AltmeyerSteinbrecher, figure 1]: the car axis. From the index-3 form with ten variables
 * the reduction finds the constraints that the listing has by hand; the listing itself is
 * accepted as over-determined. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

#define PARAMETERS                                                                             \
  " parameter Real eps = 0.01;\n parameter Real M = 10;\n parameter Real L = 1;\n"             \
  " parameter Real L0 = 0.5;\n parameter Real r = 0.1;\n parameter Real w = 10;\n"
#define STATES                                                                                 \
  " Real xl(start = 0), yl(start = 0.5), xr(start = 1), yr(start = 0.5);\n"                    \
  " Real V1(start = -0.5), V2, V3(start = -0.5), V4, lam1, lam2;\n"

/* abbreviations of the listing as functions of time and the ten variables */
#define YB "(r*sin(w*time))"
#define YBP "(r*w*cos(w*time))"
#define YBPP "(-r*w*w*sin(w*time))"
#define XB "sqrt(L*L - " YB "*" YB ")"
#define XBP "(-" YB "*" YBP "/(L*L - " YB "*" YB ")^0.5)"
#define XBPP                                                                                   \
  "(-" YB "*" YB "*" YBP "*" YBP "/(L*L - " YB "*" YB ")^1.5 - (" YBP "*" YBP " + " YB         \
  "*" YBPP ")/(L*L - " YB "*" YB ")^0.5)"
#define LL "sqrt(xl^2 + yl^2)"
#define LR "sqrt((xr - " XB ")^2 + (yr - " YB ")^2)"
#define V1P "((L0 - " LL ")*xl/" LL " + lam1*" XB " + 2*lam2*(xl - xr))"
#define V2P "((L0 - " LL ")*yl/" LL " + lam1*" YB " + 2*lam2*(yl - yr) - M*eps*eps/2)"
#define V3P "((L0 - " LR ")*(xr - " XB ")/" LR " - 2*lam2*(xl - xr))"
#define V4P "((L0 - " LR ")*(yr - " YB ")/" LR " - 2*lam2*(yl - yr) - M*eps*eps/2)"

static const char *const index_3 =
    "model CarAxis\n" PARAMETERS STATES "equation\n"
    " der(xl) = V1;\n der(yl) = V2;\n der(xr) = V3;\n der(yr) = V4;\n"
    " eps*eps*M/2*der(V1) = " V1P ";\n eps*eps*M/2*der(V2) = " V2P ";\n"
    " eps*eps*M/2*der(V3) = " V3P ";\n eps*eps*M/2*der(V4) = " V4P ";\n"
    " 0 = " XB "*xl + " YB "*yl;\n"
    " 0 = (xl - xr)^2 + (yl - yr)^2 - L*L;\n"
    "end CarAxis;\n";

static void
assert_zero(Fixture *f, DaeTerm t, const char *what)
{
  TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_ZERO, dae_algebra_is_zero(f->algebra, t), what);
}

/* The quotient of two constraints is free of the variables (it may hold parameters and time). */
static void
assert_constraint_up_to_factor(Fixture *f, uint32_t i, const char *expected, int32_t level)
{
  const DaeQltConstraint *constraint = dae_qlt_constraint(f->qlt, i);
  TEST_ASSERT_EQUAL_INT32(level, constraint->level);
  DaeTerm wanted = parse(f, expected);
  /* a equals b up to a factor of positions, time and parameters iff a*b_x - b*a_x = 0 for every
   * velocity and multiplier x: denominators such as the lengths of the springs have been cleared */
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(f->terms, wanted, variables);
  uint32_t n_tested = 0;
  for (uint32_t k = 0; k < variables->len; k++) {
    DaeTerm x = g_array_index(variables, DaeTerm, k);
    char first = dae_terms_symbol_name(f->terms, dae_term_get_symbol(f->terms, x))[0];
    if (first != 'V' && first != 'l') {
      continue;
    }
    n_tested++;
    DaeTerm a = constraint->expression;
    DaeTerm ab = dae_term_mul(f->terms, a, dae_term_partial(f->terms, wanted, x));
    DaeTerm ba = dae_term_mul(f->terms, wanted, dae_term_partial(f->terms, a, x));
    assert_zero(f, dae_term_sub(f->terms, ab, ba), expected);
  }
  TEST_ASSERT_GREATER_THAN_UINT32(1, n_tested);
}

static void
test_index_3_form_has_ten_unknowns_and_six_constraints(void)
{
  Fixture f;
  fixture_reduce(&f, index_3);
  assert_counts(&f, 10, 8, 6);
  TEST_ASSERT_EQUAL_INT32(3, dae_sig_index(f.sig));
  TEST_ASSERT_EQUAL_INT32(2, dae_qlt_max_level(f.qlt));
  fixture_free(&f);
}

static void
test_index_3_form_gives_the_listed_velocity_constraints(void)
{
  Fixture f;
  fixture_reduce(&f, index_3);
  assert_constraint_up_to_factor(&f, 2, XBP "*xl + " XB "*V1 + " YBP "*yl + " YB "*V2", 1);
  assert_constraint_up_to_factor(&f, 3, "2*(xl - xr)*(V1 - V3) + 2*(yl - yr)*(V2 - V4)", 1);
  fixture_free(&f);
}

static void
test_index_3_form_gives_the_listed_acceleration_constraints(void)
{
  Fixture f;
  fixture_reduce(&f, index_3);
  assert_constraint_up_to_factor(&f, 4,
                                 XBPP "*xl + 2*" XBP "*V1 + " XB "*" V1P
                                      "/(eps*eps*M/2) + " YBPP "*yl + 2*" YBP "*V2 + " YB
                                      "*" V2P "/(eps*eps*M/2)",
                                 2);
  assert_constraint_up_to_factor(
      &f, 5,
      "2*(V1 - V3)*(V1 - V3) + 2*(xl - xr)*(" V1P " - " V3P ")/(eps*eps*M/2) + "
      "2*(V2 - V4)*(V2 - V4) + 2*(yl - yr)*(" V2P " - " V4P ")/(eps*eps*M/2)",
      2);
  fixture_free(&f);
}

static void
read_example(Fixture *f, const char *name)
{
  g_autofree char *path = g_build_filename(g_getenv("EXAMPLES"), name, NULL);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, NULL, NULL), path);
  fixture_reduce(f, text);
}

static void
test_listing_is_accepted_and_nothing_is_added(void)
{
  Fixture f;
  read_example(&f, "car_axis_overdetermined.mo");
  /* 22 unknowns, 8 differential rows, 18 algebraic equations: as the
   * Fortran code of the paper has it */
  assert_counts(&f, 22, 8, 18);
  for (uint32_t i = 0; i < 18; i++) {
    TEST_ASSERT_FALSE(dae_qlt_constraint(f.qlt, i)->is_hidden);
  }
  fixture_free(&f);
}

static void
test_listing_without_its_last_lines_gets_them_back(void)
{
  g_autofree char *path =
      g_build_filename(g_getenv("EXAMPLES"), "car_axis_overdetermined.mo", NULL);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  char *cut = strstr(text, "  // acceleration level");
  TEST_ASSERT_NOT_NULL(cut);
  strcpy(cut, "end CarAxisOverdetermined;\n");
  Fixture f;
  fixture_reduce(&f, text);
  assert_counts(&f, 22, 8, 18);
  uint32_t n_hidden = 0;
  for (uint32_t i = 0; i < 18; i++) {
    n_hidden += dae_qlt_constraint(f.qlt, i)->is_hidden ? 1 : 0;
  }
  TEST_ASSERT_EQUAL_UINT32(2, n_hidden);
  fixture_free(&f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_index_3_form_has_ten_unknowns_and_six_constraints);
  RUN_TEST(test_index_3_form_gives_the_listed_velocity_constraints);
  RUN_TEST(test_index_3_form_gives_the_listed_acceleration_constraints);
  RUN_TEST(test_listing_is_accepted_and_nothing_is_added);
  RUN_TEST(test_listing_without_its_last_lines_gets_them_back);
  return UNITY_END();
}
