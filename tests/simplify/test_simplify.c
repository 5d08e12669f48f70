#include <math.h>
#include <string.h>

#include "reader/reader.h"
#include "simplify/simplify.h"
#include "unity.h"

static DaeTerms *terms;
static DaeModel *model;
static DaeSimplified *simplified;

void
setUp(void)
{
  terms = dae_terms_new();
  model = NULL;
  simplified = NULL;
}

void
tearDown(void)
{
  dae_simplified_free(simplified);
  dae_model_free(model);
  dae_terms_free(terms);
}

static void
simplify(const char *text, const DaeSimplifyOptions *options)
{
  model = dae_model_read(terms, "test.mo", text, strlen(text), NULL, NULL, NULL);
  TEST_ASSERT_NOT_NULL(model);
  simplified = dae_simplify(terms, model, options);
}

static const DaeRecovery *
recovery_of(const char *name)
{
  DaeSymbol symbol = 0;
  uint32_t j = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, name, &symbol));
  TEST_ASSERT_TRUE(dae_model_find_variable(model, symbol, &j));
  return dae_simplified_recovery(simplified, j);
}

static void
check_recovery(const char *name, DaeRecoverKind kind, const char *text)
{
  const DaeRecovery *recovery = recovery_of(name);
  g_autofree char *found = dae_term_to_string(terms, recovery->term);
  TEST_ASSERT_EQUAL_STRING(text, found);
  TEST_ASSERT_EQUAL_INT(kind, recovery->kind);
}

static void
check_size(uint32_t n)
{
  TEST_ASSERT_TRUE(dae_simplified_is_sound(simplified));
  const DaeModel *small = dae_simplified_model(simplified);
  TEST_ASSERT_EQUAL_UINT32(n, dae_model_n_variables(small));
  TEST_ASSERT_EQUAL_UINT32(n, dae_model_n_equations(small));
  TEST_ASSERT_EQUAL_UINT32(dae_model_n_variables(model) - n,
                           dae_simplified_n_eliminated(simplified));
}

static void
test_aliases_with_signs_and_chains(void)
{
  simplify("model A Real a, b, c, x(start = 1, fixed = true); equation a = b; b + c = 0; "
           "c = -x; der(x) = -a; end A;",
           NULL);
  check_size(1);
  check_recovery("x", DAE_RECOVER_KEPT, "x");
  check_recovery("a", DAE_RECOVER_ALIAS, "x");
  check_recovery("b", DAE_RECOVER_ALIAS, "x");
  check_recovery("c", DAE_RECOVER_ALIAS, "-x");
  TEST_ASSERT_EQUAL_INT(-1, recovery_of("c")->sign);
  TEST_ASSERT_EQUAL_UINT32(3, dae_simplified_equation(simplified, 0));
}

static void
test_constants_spread_and_zero_terms_vanish(void)
{
  simplify(
      "model A parameter Real k = 2; Real z, c, d, y, x(start = 0, fixed = true); equation "
      "z = 3; c = z*k; d = c - 6; der(x) = 1 + d*y; y = cos(d) + x; end A;",
      NULL);
  check_size(1);
  check_recovery("c", DAE_RECOVER_TERM, "6");
  check_recovery("d", DAE_RECOVER_TERM, "0");
  check_recovery("y", DAE_RECOVER_TERM, "x + 1");
  const DaeEquation *equation = dae_model_equation(dae_simplified_model(simplified), 0);
  g_autofree char *lhs = dae_term_to_string(terms, equation->lhs);
  g_autofree char *rhs = dae_term_to_string(terms, equation->rhs);
  TEST_ASSERT_EQUAL_STRING("der(x)", lhs);
  TEST_ASSERT_EQUAL_STRING("1", rhs);
}

static void
test_parameters_stay_symbols_when_asked(void)
{
  DaeSimplifyOptions options = {.keep_parameters = true};
  simplify(
      "model A parameter Real k = 2; Real c, x(start = 0, fixed = true); equation c = 3*k; "
      "der(x) = c*x; end A;",
      &options);
  check_size(1);
  check_recovery("c", DAE_RECOVER_TERM, "3*k");
}

/* A coefficient that may vanish, or that contains the variable itself, is
 * no way to solve an equation. */
static void
test_what_may_vanish_is_not_divided_by(void)
{
  DaeSimplifyOptions options = {.keep_parameters = true};
  simplify(
      "model A parameter Real k = 2; Real c, d, x(start = 0, fixed = true); equation k*c = "
      "3; d*sin(d) = 2; der(x) = c + d; end A;",
      &options);
  check_size(3);
  check_recovery("c", DAE_RECOVER_KEPT, "c");
  check_recovery("d", DAE_RECOVER_KEPT, "d");
}

static void
test_derivatives_of_aliases_follow(void)
{
  simplify("model A Real x(start = 1, fixed = true), v, y, p; equation y = 2*x + sin(time); "
           "p = -v; der(y) = p; der(v) = x; end A;",
           NULL);
  TEST_ASSERT_TRUE(dae_simplified_is_sound(simplified));
  const DaeRecovery *y = recovery_of("y");
  DaeTerm slope = dae_term_total(terms, y->term);
  DaeSymbol symbol = 0;
  TEST_ASSERT_TRUE(dae_terms_find_symbol(terms, "y", &symbol));
  TEST_ASSERT_EQUAL_UINT32(
      slope, dae_simplified_replace(simplified, dae_term_variable(terms, symbol, 1)));
}

static void
test_redundant_and_contradictory_sets_are_left_to_the_diagnosis(void)
{
  simplify("model A Real a, b; equation a = b; b = a; end A;", NULL);
  TEST_ASSERT_FALSE(dae_simplified_is_sound(simplified));
  tearDown();
  setUp();
  simplify("model A Real a, b; equation a = b; a = b + 1; end A;", NULL);
  TEST_ASSERT_FALSE(dae_simplified_is_sound(simplified));
  tearDown();
  setUp();
  simplify("model A Real a, b, c; equation a = 1; b = 2; a + c = b + c; end A;", NULL);
  TEST_ASSERT_FALSE(dae_simplified_is_sound(simplified));
}

static void
test_fixed_starts_of_one_set_stay_two_equations(void)
{
  simplify("model A Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation "
           "x = -y; der(x) = -x; end A;",
           NULL);
  check_size(1);
  const DaeModel *small = dae_simplified_model(simplified);
  TEST_ASSERT_EQUAL_UINT32(2, dae_model_n_initial_equations(small));
  g_autofree char *lhs = dae_term_to_string(terms, dae_model_initial_equation(small, 1)->lhs);
  TEST_ASSERT_EQUAL_STRING("-x", lhs);
}

static void
test_attributes_of_a_set_combine(void)
{
  simplify(
      "model A Real x(min = -5, max = 10), y(start = 3, min = -4, nominal = 100, stateSelect "
      "= StateSelect.prefer); equation der(x) = -x; x + y = 0; end A;",
      NULL);
  check_size(1);
  const DaeVariable *kept = dae_model_variable(dae_simplified_model(simplified), 0);
  TEST_ASSERT_EQUAL_STRING("y", dae_terms_symbol_name(terms, kept->symbol));
  TEST_ASSERT_EQUAL_INT(1, kept->state_select);
  int64_t value = 0;
  TEST_ASSERT_TRUE(dae_term_get_int64(terms, kept->min, &value) && value == -4);
  TEST_ASSERT_TRUE(dae_term_get_int64(terms, kept->max, &value) && value == 5);
  TEST_ASSERT_TRUE(dae_term_get_int64(terms, kept->start, &value) && value == 3);
}

static void
test_explicit_variables_used_once_go_and_conditions_stay(void)
{
  const char *text =
      "model A Real x(start = 1, fixed = true), f, out, s; equation f = -x^3 + sin(x); "
      "der(x) = 2*f; out = f^2 + x; s = if x > 0.5 then 1 else x; end A;";
  simplify(text, NULL);
  check_size(3); /* f is used twice until out is gone; then once */
  tearDown();
  setUp();
  DaeSimplifyOptions options = {.keep_explicit = true};
  simplify(text, &options);
  check_size(4);
}

/* x1 by exp(x2), put into exp(x1), has no value in doubles near the start values; by x2^3 it has. */
static void
test_exponentials_are_not_put_into_each_other(void)
{
  simplify(
      "model A Real x1, x2, x3; equation exp(x1) + x1 = 10 + time; exp(x2) + x2 = x1 + 10; "
      "sinh(x3) + x3 = x2; end A;",
      NULL);
  check_size(3);
  tearDown();
  setUp();
  simplify("model A Real x1, x2; equation x1^3 + x1 = 10 + time; x2^3 + x2 = x1; end A;", NULL);
  check_size(1);
}

/* Random systems of trivial equations, solved two ways: by the recovery
 * and by substituting a solution. */
/* angle and its users are observed one after the other; jump makes an event,
 * kept stays because w needs it. */
static void
test_what_nothing_depends_on_is_computed_from_results(void)
{
  simplify(
      "model A Real x(start = 1, fixed = true), y(start = 0, fixed = true), angle, bounded, "
      "far,"
      " jump, kept(start = 1), w; equation der(x) = -y; der(y) = x + w; angle = atan2(y, x);"
      " bounded = noEvent(if abs(angle) > 1 then 1 else angle) + angle^2; far = bounded*angle;"
      " jump = (if x > 0 then angle else 0) + y; kept^3 + kept = x; w = kept*x + kept^2; end "
      "A;",
      NULL);
  check_size(5);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("bounded")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("far")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_KEPT, recovery_of("angle")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_KEPT, recovery_of("jump")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_KEPT, recovery_of("kept")->kind);
}

/* A condition inside noEvent makes no event, wherever the if stands; noEvent(x) > 0 does. */
static void
test_conditions_without_events_do_not_keep_a_sensor(void)
{
  simplify("model A Real x(start = 0, fixed = true), y(start = 0, fixed = true), r, angle, "
           "shown, jump; equation der(x) = 1 - x; der(y) = x - y; r = sqrt(x^2 + y^2);"
           " angle = if noEvent(r <= 1e-9) then 0 else atan2(y, x);"
           " shown = if noEvent(r < 0.1) or noEvent(r > 9) then 0 else angle;"
           " jump = if noEvent(x) > 0.5 then y else 0; end A;",
           NULL);
  check_size(3);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("shown")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("angle")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("r")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_KEPT, recovery_of("jump")->kind);
}

/* abs, min and max make no event: what they define is put into the one equation that uses it. A
 * field that abs() defines is never negative there, whatever Newton's method tries. */
static void
test_a_magnitude_is_put_into_its_user(void)
{
  simplify(
      "model A Real x(start = 0, fixed = true), b, m(start = 1), s; equation der(x) = 1 - m;"
      " b = abs(2*x); m^3 + m = 1 + x^2/(1 + 3*b + b^12.5);"
      " s = if x > 0.5 then b else 0; end A;",
      NULL);
  check_size(4); /* two users: b stays */
  tearDown();
  setUp();
  simplify("model A Real x(start = 0, fixed = true), b, m(start = 1); equation der(x) = 1 - m;"
           " b = abs(2*x); m^3 + m = 1 + x^2/(1 + 3*b + b^12.5); end A;",
           NULL);
  check_size(2);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("b")->kind);
}

/* p and q share the relations of the source v, which stays and makes the events; of r and s, which
 * share one with each other only, the later one stays. */
static void
test_a_relation_that_stays_elsewhere_does_not_keep_a_sensor(void)
{
  simplify("model A Real x(start = 0, fixed = true), v, p, q, r, s; equation der(x) = v - x;"
           " v = (if time < 1 then 0 else 2)*x + sin(v); p = (if time < 1 then 0 else 2)*x^2;"
           " q = (if time < 1 then 1 else 2)*p; r = if x > 3 then p else 0;"
           " s = if x > 3 then 0 else x^2; end A;",
           NULL);
  check_size(3);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("p")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("q")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_TERM, recovery_of("r")->kind);
  TEST_ASSERT_EQUAL_INT(DAE_RECOVER_KEPT, recovery_of("s")->kind);
}

static void
test_recoveries_satisfy_the_equations_as_written(void)
{
  uint32_t state = 17;
  for (int round = 0; round < 200; round++) {
    enum { N = 12 };

    tearDown();
    setUp();
    g_autoptr(GString) text = g_string_new("model A Real x0(start = 1, fixed = true)");
    for (int j = 1; j < N; j++) {
      g_string_append_printf(text, ", x%d", j);
    }
    g_string_append(text, "; equation der(x0) = -x0;");
    for (int j = 1; j < N; j++) { /* x_j from earlier ones, so that there is one solution */
      state = state * 1664525u + 1013904223u;
      int k = (int)((state >> 8) % (uint32_t)j);
      int l = (int)((state >> 16) % (uint32_t)j);
      switch (state >> 29) {
      case 0:
        g_string_append_printf(text, "x%d + x%d = 0;", j, k);
        break;
      case 1:
        g_string_append_printf(text, "2*x%d = 3;", j);
        break;
      case 2:
        g_string_append_printf(text, "x%d = x%d*x%d;", j, k, l);
        break;
      case 3:
        g_string_append_printf(text, "x%d - x%d = x%d + 1;", j, k, l);
        break;
      default:
        g_string_append_printf(text, "x%d = x%d;", j, k);
        break;
      }
    }
    g_string_append(text, " end A;");
    simplify(text->str, NULL);
    TEST_ASSERT_TRUE_MESSAGE(dae_simplified_is_sound(simplified), text->str);
    for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
      uint32_t i = dae_simplified_recovery(simplified, j)->equation;
      if (i != UINT32_MAX) {
        const DaeEquation *equation = dae_model_equation(model, i);
        DaeTerm left = dae_simplified_replace(simplified, equation->lhs);
        DaeTerm right = dae_simplified_replace(simplified, equation->rhs);
        DaeTerm rest = dae_terms_rewrite(terms, dae_term_sub(terms, left, right));
        TEST_ASSERT_TRUE_MESSAGE(dae_term_is_zero(terms, rest), text->str);
      }
    }
  }
}

static void
check_initial(uint32_t i, const char *text)
{
  const DaeEquation *equation = dae_model_initial_equation(dae_simplified_model(simplified), i);
  g_autofree char *lhs = dae_term_to_string(terms, equation->lhs);
  g_autofree char *rhs = dae_term_to_string(terms, equation->rhs);
  g_autofree char *found = g_strdup_printf("%s = %s", lhs, rhs);
  TEST_ASSERT_EQUAL_STRING(text, found);
}

/* The second axis follows from the first; both equations of the start stay. */
static void
test_free_parameters_that_the_start_fixes_are_numbers(void)
{
  simplify("model A parameter Real n(fixed = false), k(fixed = false);"
           "parameter Real e = n/sqrt(n^2), f = 3*k; Real t, u, v, x(start = 1, fixed = true);"
           "initial equation n = 2*t; k = 1 + v; equation t = 2; der(x) = u; "
           "u = e*x + v; v = (e - 1)*sin(x) + f*0; end A;",
           NULL);
  check_size(1);
  check_recovery("u", DAE_RECOVER_ALIAS, "x");
  check_recovery("v", DAE_RECOVER_TERM, "0");
  check_initial(0, "n = 4");
  check_initial(1, "k = 1");
}

static void
test_free_parameters_of_a_varying_start_stay(void)
{
  simplify("model A parameter Real n(fixed = false); Real y, x(start = 1, fixed = true);"
           "initial equation n = 2*x; equation der(x) = -n*x; y = n*time; end A;",
           NULL);
  TEST_ASSERT_TRUE(dae_simplified_is_sound(simplified));
  check_recovery("y", DAE_RECOVER_TERM, "n*time");
  check_initial(0, "n = 2*x");
}

/* der(u) = b - u + d with an alias written before it and one after it: the right side in which only
 * the first is put in is never made, nor is the difference of both sides. */
static void
test_aliases_are_put_into_an_equation_of_motion_together(void)
{
  simplify("model A Real b, d, u(start = 1, fixed = true), w(start = 2, fixed = true); "
           "equation b = w; der(u) = b - u + d; d = u; der(w) = -w; end A;",
           NULL);
  check_size(2);
  uint32_t before = dae_terms_count(terms);
  DaeSymbol d = 0;
  DaeSymbol u = 0;
  DaeSymbol w = 0;
  dae_terms_find_symbol(terms, "d", &d);
  dae_terms_find_symbol(terms, "u", &u);
  dae_terms_find_symbol(terms, "w", &w);
  DaeTerm minus_u = dae_term_neg(terms, dae_term_symbol(terms, u));
  DaeTerm minus_w = dae_term_neg(terms, dae_term_symbol(terms, w));
  const DaeTerm half[] = {dae_term_symbol(terms, d), dae_term_symbol(terms, w), minus_u};
  const DaeTerm difference[] = {dae_term_variable(terms, u, 1), minus_w};
  TEST_ASSERT_EQUAL_UINT32(before, dae_terms_count(terms));
  TEST_ASSERT_GREATER_THAN_UINT32(before, dae_term_sum(terms, half, G_N_ELEMENTS(half)));
  TEST_ASSERT_GREATER_THAN_UINT32(before,
                                  dae_term_sum(terms, difference, G_N_ELEMENTS(difference)));
}

/* A derivative that an alias replaces is one of the residual. */
static void
test_a_derivative_on_the_left_follows_its_alias(void)
{
  simplify("model A Real x(start = 1, stateSelect = StateSelect.always), y, z; "
           "equation x = 2*y; der(y) = z - y; der(z) = -x; end A;",
           NULL);
  check_size(2);
  const DaeEquation *equation = dae_model_equation(dae_simplified_model(simplified), 0);
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  g_autofree char *text =
      dae_term_to_string(terms, dae_term_mul(terms, dae_term_int(terms, 2), residual));
  TEST_ASSERT_EQUAL_STRING("der(x) + x - 2*z", text);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_aliases_with_signs_and_chains);
  RUN_TEST(test_constants_spread_and_zero_terms_vanish);
  RUN_TEST(test_parameters_stay_symbols_when_asked);
  RUN_TEST(test_what_may_vanish_is_not_divided_by);
  RUN_TEST(test_derivatives_of_aliases_follow);
  RUN_TEST(test_redundant_and_contradictory_sets_are_left_to_the_diagnosis);
  RUN_TEST(test_fixed_starts_of_one_set_stay_two_equations);
  RUN_TEST(test_attributes_of_a_set_combine);
  RUN_TEST(test_explicit_variables_used_once_go_and_conditions_stay);
  RUN_TEST(test_exponentials_are_not_put_into_each_other);
  RUN_TEST(test_what_nothing_depends_on_is_computed_from_results);
  RUN_TEST(test_conditions_without_events_do_not_keep_a_sensor);
  RUN_TEST(test_a_magnitude_is_put_into_its_user);
  RUN_TEST(test_a_relation_that_stays_elsewhere_does_not_keep_a_sensor);
  RUN_TEST(test_free_parameters_that_the_start_fixes_are_numbers);
  RUN_TEST(test_free_parameters_of_a_varying_start_stay);
  RUN_TEST(test_aliases_are_put_into_an_equation_of_motion_together);
  RUN_TEST(test_a_derivative_on_the_left_follows_its_alias);
  RUN_TEST(test_recoveries_satisfy_the_equations_as_written);
  return UNITY_END();
}
