/* The values that a check hands on: put into every premise they leave nothing. */

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
  const Inside *in;
  const DaeInit *init;
} Point;

static bool
value_of(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  return dae_init_value(point->init, atom, value) ||
         ic_numeric_value(point->in->sys, atom, value);
}

static const char *const models[] = {
    /* linear, a chain of definitions */
    "Real x(start = 2, fixed = true); Real y; Real z; equation der(x) = -x; y = 3*x; z = y + "
    "x;",
    /* a pendulum in Cartesian coordinates */
    "parameter Real L = 2; Real x(start = 1.2); Real y(start = -1.6); Real u; Real v; Real l; "
    "initial equation x = 1.2; u = 0; equation der(x) = u; der(y) = v; der(u) = -l*x; "
    "der(v) = -l*y - 9.81; x^2 + y^2 = L^2;",
    /* an equation without a formula: x = cos(x) */
    "Real x(start = 0.7); Real s; initial equation s = 0; equation cos(x) = x; der(s) = x;",
    /* a block of two */
    "Real x(start = 1); Real y(start = 1); Real s; initial equation s = 1; "
    "equation x^2 + y^2 = 2*s; x - y = 0; der(s) = x*y;",
    /* free parameters and steady state */
    "parameter Real k(fixed = false, start = 1); Real x(start = 2, fixed = true); "
    "initial equation der(x) = 0; equation der(x) = 6 - k*x;",
    /* redundant but consistent */
    "Real x; Real y; initial equation x = 1; y = 2; y = 2*x; equation der(x) = y; y = 2*x;",
    /* the branch near the guess */
    "Real x(start = -1); Real s; initial equation s = 4; equation x^2 = s; der(s) = x;",
};

static void
test_every_premise_holds_at_the_values(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
    Inside in = inside_new(models[i]);
    DaeInitOptions options = {.problem = in.problem};
    g_autoptr(DaeInit) init = dae_init_check(in.algebra, in.sig, &options, NULL, NULL);
    TEST_ASSERT_NOT_NULL(init);
    Point point = {&in, init};
    for (uint32_t p = 0; p < in.sys->premises->len; p++) {
      DaeTerm residual = g_array_index(in.sys->premises, IcPremise, p).residual;
      double value = NAN;
      g_autofree char *text = inside_text(&in, residual);
      TEST_ASSERT_EQUAL_INT_MESSAGE(
          DAE_EVAL_OK, dae_term_eval_double(in.terms, residual, value_of, &point, &value),
          text);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-9, 0.0, value, text);
    }
    g_clear_pointer(&init, dae_init_free);
    inside_clear(&in);
  }
}

static void
test_known_values_by_hand(void)
{
  static const struct {
    size_t model;
    const char *unknown;
    double value;
  } list[] = {
      {0, "y", 6},
      {0, "z", 8},
      {0, "der(x)", -2},
      {1, "y", -1.6},
      {1, "u", 0},
      {1, "v", 0},
      {1, "der(u)", -4.7088},
      {2, "x", 0.73908513321516064},
      {3, "x", 1},
      {3, "y", 1},
      {4, "k", 3},
      {4, "der(x)", 0},
      {5, "y", 2},
      {6, "x", -2},
      {6, "der(s)", -2},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    Inside in = inside_new(models[list[i].model]);
    DaeInitOptions options = {.problem = in.problem};
    g_autoptr(DaeInit) init = dae_init_check(in.algebra, in.sig, &options, NULL, NULL);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(
        1e-9, list[i].value, inside_value(&in, init, list[i].unknown), list[i].unknown);
    g_clear_pointer(&init, dae_init_free);
    inside_clear(&in);
  }
}

static void
test_what_is_free_keeps_its_guess(void)
{
  Inside in = inside_new("Real x(start = 7); Real y; equation der(x) = 1; y = x + 1;");
  DaeInitOptions options = {.problem = in.problem};
  g_autoptr(DaeInit) init = dae_init_check(in.algebra, in.sig, &options, NULL, NULL);
  TEST_ASSERT_EQUAL_DOUBLE(7.0, inside_value(&in, init, "x"));
  TEST_ASSERT_EQUAL_DOUBLE(8.0, inside_value(&in, init, "y"));
  double value = 1.0;
  TEST_ASSERT_FALSE(dae_init_value(init, dae_term_time(in.terms), &value)); /* no unknown */
  TEST_ASSERT_EQUAL_DOUBLE(0.0, value);
  g_clear_pointer(&init, dae_init_free);
  inside_clear(&in);
}

static void
test_a_point_of_a_block_is_taken_where_nothing_is_solved(void)
{
  Inside in = inside_new("Real x(start = 7); equation der(x) = 1;");
  g_autoptr(IcEngine) engine = ic_engine_new(in.sys, NULL, 0);
  DaeInit init = {0};
  ic_note_point(engine, inside_term(&in, "x"), 2.5);
  ic_note_point(engine, inside_term(&in, "x"), 3.5); /* the later one */
  ic_record_values(engine, &init);
  TEST_ASSERT_EQUAL_DOUBLE(3.5, inside_value(&in, &init, "x"));
  g_hash_table_unref(init.values);
  g_clear_pointer(&engine, ic_engine_free);
  inside_clear(&in);
}

/* x is solved for, and has no value: a contradiction where an argument is outside of its domain,
 * otherwise no verdict, with the reason. At other values it has one. */
static void
test_a_solution_without_a_value_is_no_solution(void)
{
  static const struct {
    const char *equations; /* of x, and perhaps y */
    double bad, good;
  } list[] = {
      {"x = log(a); y = 1;", -4, 2},        {"x = log(a); y = 1;", 0, 2},
      {"x = sqrt(a); y = x;", -1, 4},       {"x = 1/(a - 3); y = 1;", 3, 4},
      {"x = asin(a); y = 1;", 2, 0.5},      {"x = acos(a) + y; y = a;", -3, -0.5},
      {"y = a - 1; x = y + log(y);", 1, 3}, {"x = a^0.5; y = 0;", -2, 2},
      {"x = exp(a); y = 1;", 1000, 1},
  };

  for (size_t i = 0; i < 2 * G_N_ELEMENTS(list); i++) {
    bool is_good = i % 2 == 0;
    bool is_open = !is_good && (strstr(list[i / 2].equations, "exp") != NULL ||
                                strstr(list[i / 2].equations, "1/(") != NULL);
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr(digits, sizeof digits, is_good ? list[i / 2].good : list[i / 2].bad);
    g_autofree char *text = g_strdup_printf(
        "parameter Real a = %s; Real x; Real y; Real s(start = 0, fixed = true); "
        "equation der(s) = x; %s",
        digits, list[i / 2].equations);
    Checked checked = check_text("value", text, NULL);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(is_good   ? "well-determined"
                                     : is_open ? "undecided"
                                               : "inconsistent",
                                     dae_init_verdict_name(dae_init_verdict(checked.init)),
                                     text);
    if (!is_good) {
      TEST_ASSERT_FALSE(dae_init_holds_for_all_parameters(checked.init));
    }
    if (is_open) {
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(dae_init_undecided_why(checked.init), "value"), text);
    }
    checked_clear(&checked);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_premise_holds_at_the_values);
  RUN_TEST(test_known_values_by_hand);
  RUN_TEST(test_what_is_free_keeps_its_guess);
  RUN_TEST(test_a_solution_without_a_value_is_no_solution);
  RUN_TEST(test_a_point_of_a_block_is_taken_where_nothing_is_solved);
  return UNITY_END();
}
