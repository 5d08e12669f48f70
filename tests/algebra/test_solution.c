/* Points at which equations hold: what is proved, what is refused, and what is left free. */
#include "algebra/solution.h"

#include "expr.h"
#include "terms/routines.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;
static DaeSolution *solution;

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
  solution = dae_solution_new(algebra, 40);
}

void
tearDown(void)
{
  dae_solution_free(solution);
  dae_algebra_free(algebra);
  dae_terms_free(terms);
}

static bool
extend(const char *const *equations, uint32_t m, const char *const *unknowns, uint32_t n,
       const double *near)
{
  DaeTerm f[5] = {0};
  DaeTerm x[5] = {0};
  for (uint32_t i = 0; i < m; i++) {
    f[i] = expr(terms, equations[i]);
  }
  for (uint32_t j = 0; j < n; j++) {
    x[j] = expr(terms, unknowns[j]);
  }
  const DaeStage stage = {f, m, x, n, near, NULL};
  return dae_solution_extend(solution, &stage);
}

static bool
extend_by_one(const char *equation, double near)
{
  static const char *const x[] = {"x"};
  return extend(&equation, 1, x, 1, &near);
}

static void
test_a_root_is_proved_to_forty_digits(void)
{
  TEST_ASSERT_TRUE(extend_by_one("x^2 - 2", 1.4));
  TEST_ASSERT_TRUE(dae_solution_has(solution, expr(terms, "x")));
  TEST_ASSERT_FALSE(dae_solution_is_given(solution, expr(terms, "x")));
  TEST_ASSERT_TRUE(dae_solution_radius(solution) < -40);
  g_autofree char *text = dae_solution_text(solution, expr(terms, "x"));
  TEST_ASSERT_EQUAL_STRING_LEN("1.4142135623730950488016887242096980785696", text, 42);
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "x^4 - 4")));
  TEST_ASSERT_TRUE(dae_solution_excludes_zero(solution, expr(terms, "x^4 - 4 - 1e-30")));
}

/* x1 = p + sin(p)/2, x_k = x_(k-1) + cos(3 x_(k-1))/1000, x_n + x1 p = 1; `closing` instead of
 * the last. */
static bool
extend_by_chain(uint32_t n, const char *closing)
{
  g_autofree DaeTerm *f = g_new(DaeTerm, n + 1);
  g_autofree DaeTerm *x = g_new(DaeTerm, n + 1);
  g_autofree double *near = g_new0(double, n + 1);
  g_autofree uint8_t *rank = g_new0(uint8_t, n + 1);
  x[n] = expr(terms, "p");
  rank[n] = 1;
  near[n] = 0.4;
  for (uint32_t k = 0; k < n; k++) {
    g_autofree char *name = g_strdup_printf("x%u", k + 1);
    g_autofree char *text = k == 0
                                ? g_strdup("x1 - p - sin(p)/2")
                                : g_strdup_printf("x%u - x%u - cos(3*x%u)/1000", k + 1, k, k);
    x[k] = expr(terms, name);
    f[k] = expr(terms, text);
  }
  g_autofree char *last = g_strdup_printf(closing, n);
  f[n] = expr(terms, last);
  const DaeStage stage = {f, n + 1, x, n + 1, near, rank};
  return dae_solution_extend(solution, &stage);
}

/* More equations than a dense proof is made for: all but one define their unknown. */
static void
test_a_large_system_is_torn_to_its_core(void)
{
  TEST_ASSERT_TRUE(extend_by_chain(2 * DAE_STAGE_MAX, "x%u + x1*p - 1"));
  TEST_ASSERT_FALSE(dae_solution_is_given(solution, expr(terms, "x700")));
  TEST_ASSERT_FALSE(dae_solution_is_given(solution, expr(terms, "p")));
  TEST_ASSERT_TRUE(dae_solution_radius(solution) < -40);
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "x800 + x1*p - 1")));
  TEST_ASSERT_FALSE(
      dae_solution_excludes_zero(solution, expr(terms, "x700 - x699 - cos(3*x699)/1000")));
  TEST_ASSERT_TRUE(dae_solution_excludes_zero(solution, expr(terms, "x700 - x699")));
}

static void
test_a_core_that_is_singular_or_has_no_solution_is_refused(void)
{
  TEST_ASSERT_FALSE(extend_by_chain(80, "(x%u + x1*p - 1)^2"));
  TEST_ASSERT_FALSE(extend_by_chain(80, "x%u^2 + x1*p + 1"));
  TEST_ASSERT_FALSE(dae_solution_has(solution, expr(terms, "x7"))); /* nothing was set */
  TEST_ASSERT_FALSE(dae_solution_has(solution, expr(terms, "p")));
}

/* By its slope the last equation looks linear in p: p = 2.6 - floor(0). */
static void
test_a_jump_defines_nothing(void)
{
  TEST_ASSERT_TRUE(extend_by_chain(80, "p + floor(4*p) - 2.6"));
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "p - 0.6")));
}

/* Newton's steps become as small as wanted at all of these, and there is no zero, or no regular
 * one: only the test that Krawczyk's operator maps the box into itself tells. */
static void
test_what_only_looks_like_a_root_is_refused(void)
{
  TEST_ASSERT_FALSE(extend_by_one("x^2 + 1e-200", 1e-34));
  TEST_ASSERT_FALSE(extend_by_one("x^2", 1e-34));
  TEST_ASSERT_FALSE(extend_by_one("x + 1e-90*(floor(x) + 0.5)", 1e-9)); /* it jumps over 0 */
  TEST_ASSERT_FALSE(extend_by_one("exp(1e60*x)", -1e-58));
  TEST_ASSERT_FALSE(extend_by_one("(x^2 + 1e-200)*(x - 3)", 1e-34));
  TEST_ASSERT_FALSE(dae_solution_has(solution, expr(terms, "x"))); /* nothing was set */
  TEST_ASSERT_TRUE(extend_by_one("(x^2 + 1e-200)*(x - 3)", 3.1));
}

/* The rows are so nearly parallel that their normal equations are singular in double precision:
 * the search goes on with balls. */
static void
test_what_doubles_cannot_solve_is_solved_with_balls(void)
{
  static const char *const equations[] = {"x + y + z - 3", "x + (1 + 1e-10)*y + z - 3 - 1e-10"};
  static const char *const unknowns[] = {"x", "y", "z"};
  static const double near[] = {1.25, 0.5, 1};
  TEST_ASSERT_TRUE(extend(equations, 2, unknowns, 3, near));
  g_autofree char *y = dae_solution_text(solution, expr(terms, "y"));
  TEST_ASSERT_EQUAL_DOUBLE(1, g_ascii_strtod(y, NULL)); /* to the last digit of a double */
}

static void
test_outside_of_a_domain_nothing_is_proved(void)
{
  TEST_ASSERT_FALSE(extend_by_one("log(x - 2)", 0.3));
  TEST_ASSERT_FALSE(extend_by_one("sqrt(x) + 1", 0.3));
  TEST_ASSERT_FALSE(extend_by_one("x - z", 0.3)); /* an atom that is not set */
}

/* What the equations leave free is a simple number; the rest is solved
 * for, for the values set before. */
static void
test_stages_stand_on_each_other(void)
{
  static const char *const first[] = {"x^2 + y^2 - 1"};
  static const char *const position[] = {"x", "y"};
  static const double near[] = {0.62, 0.81};
  TEST_ASSERT_TRUE(dae_solution_set(solution, expr(terms, "g"), expr(terms, "981/100")));
  TEST_ASSERT_TRUE(extend(first, 1, position, 2, near));
  bool x_is_free = dae_solution_is_given(solution, expr(terms, "x"));
  bool y_is_free = dae_solution_is_given(solution, expr(terms, "y"));
  TEST_ASSERT_TRUE(x_is_free != y_is_free);
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "x^2 + y^2 - 1")));
  static const char *const second[] = {"x*u + y*v", "u - g*y"};
  static const char *const speed[] = {"u", "v"};
  static const double still[] = {0, 0};
  TEST_ASSERT_TRUE(extend(second, 2, speed, 2, still));
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "v + g*x")));
  TEST_ASSERT_TRUE(dae_solution_excludes_zero(solution, expr(terms, "u")));
}

static void
test_singular_systems_are_refused(void)
{
  static const char *const twice[] = {"x + y - 1", "2*x + 2*y - 2"};
  static const char *const xy[] = {"x", "y"};
  static const double near[] = {0.3, 0.7};
  TEST_ASSERT_FALSE(extend(twice, 2, xy, 2, near));
}

static void
test_work_is_counted(void)
{
  double before = dae_solution_work(solution);
  TEST_ASSERT_TRUE(extend_by_one("x^3 - 2", 1.2));
  TEST_ASSERT_TRUE(dae_solution_work(solution) > before);
}

/* Far apart in size and without good values to begin with, but each defines the next: the
 * density of a fluid from its enthalpy, then its energy, mass and content. */
static void
test_a_small_chain_that_newton_does_not_find_is_torn(void)
{
  static const char *const equations[] = {"d - 60000*exp(-h/4e5)", "1e7/d - h + u",
                                          "m - 0.07*d", "w - m*u"};
  static const char *const unknowns[] = {"w", "m", "h", "d", "u"};
  static const double near[] = {0.6, 0.7, 2.5e6, 150, 0.2};
  TEST_ASSERT_TRUE(extend(equations, 4, unknowns, 5, near));
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "w - m*(h - 1e7/d)")));
  TEST_ASSERT_TRUE(dae_solution_excludes_zero(solution, expr(terms, "w")));
}

/* In a box x is a ball: that it is not above itself follows from its being one number. */
static void
test_a_number_is_not_above_itself_in_a_box(void)
{
  TEST_ASSERT_TRUE(extend_by_one("if x > min(x, 5) then x^2 - 7 else x^2 - 2", 1.5));
  TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, "x^2 - 2")));
  TEST_ASSERT_TRUE(extend_by_one("if max(x, 1) >= x then x^2 - 2 else x^2 - 7", 1.5));
  TEST_ASSERT_TRUE(
      extend_by_one("if noEvent(x) < (if x > 0 then x else 3) then 1 else x^2 - 2", 1.5));
  TEST_ASSERT_FALSE(extend_by_one("if x > min(x, sqrt(2)) then x^4 - 4 else x^2 - 2", 1.5));
}

/* The other branch is most of the work: its nodes are not evaluated. */
static void
test_a_branch_that_is_not_taken_costs_nothing(void)
{
  static const char *const branches[] = {"p", "sin(p) + sin(2*p) + sin(3*p) + sin(5*p)"};
  TEST_ASSERT_TRUE(dae_solution_set(solution, expr(terms, "p"), expr(terms, "0.5")));
  for (uint32_t k = 0; k < 2; k++) {
    g_autofree char *text =
        g_strdup_printf("if p < 1 then %s else %s", branches[k], branches[1 - k]);
    double before = dae_solution_work(solution);
    TEST_ASSERT_TRUE(dae_solution_set(solution, expr(terms, "q"), expr(terms, text)));
    double work = dae_solution_work(solution) - before;
    TEST_ASSERT_TRUE(k == 0 ? work < 8 : work > 12);
    g_autofree char *difference = g_strdup_printf("q - (%s)", branches[k]);
    TEST_ASSERT_FALSE(dae_solution_excludes_zero(solution, expr(terms, difference)));
  }
}

/* How often a loop turns until s reaches u: u times. */
static DaeTerm
counted_to(int64_t end)
{
  DaeTerm u = expr(terms, "u");
  DaeTerm s = expr(terms, "s");
  DaeTerm zero = dae_term_int(terms, 0);
  DaeTerm next = dae_term_add(terms, s, dae_term_int(terms, 1));
  const DaeRoutine routine = {.name = "count",
                              .inputs = &u,
                              .states = &s,
                              .initial = &zero,
                              .next = &next,
                              .outputs = &s,
                              .condition = dae_term_relation(terms, DAE_REL_LT, s, u),
                              .n_inputs = 1,
                              .n_states = 1,
                              .n_outputs = 1};
  DaeTerm argument = dae_term_int(terms, end);
  return dae_term_routine(terms, dae_terms_add_routine(terms, &routine), 0, &argument);
}

/* The budget ends inside of one evaluation; what it left open is asked again with a new one. */
static void
test_a_loop_ends_with_the_budget_of_the_search(void)
{
  DaeTerm x = expr(terms, "x");
  DaeTerm f = dae_term_sub(terms, x, counted_to(1000));
  double near = 999;
  const DaeStage stage = {&f, 1, &x, 1, &near, NULL};
  dae_solution_limit_work(solution, 500);
  TEST_ASSERT_FALSE(dae_solution_extend(solution, &stage));
  TEST_ASSERT_TRUE(dae_solution_is_spent(solution));
  TEST_ASSERT_TRUE(dae_solution_work(solution) < 600);
  TEST_ASSERT_FALSE(extend_by_one("x - 2", 2)); /* nothing any more */
  TEST_ASSERT_FALSE(dae_solution_has(solution, x));
  g_autoptr(DaeSolution) other = dae_solution_new(algebra, 40);
  dae_solution_limit_work(other, 1e6);
  TEST_ASSERT_TRUE(dae_solution_extend(other, &stage));
  TEST_ASSERT_FALSE(dae_solution_is_spent(other));
  TEST_ASSERT_TRUE(dae_solution_excludes_zero(other, dae_term_add(terms, x, x)));
}

/* 8 nodes in each of 1000 rounds, each counted three times. */
static void
test_nodes_inside_of_routines_count_more(void)
{
  TEST_ASSERT_TRUE(dae_solution_set(solution, expr(terms, "q"), counted_to(1000)));
  TEST_ASSERT_TRUE(dae_solution_work(solution) > 20e3);
  TEST_ASSERT_TRUE(dae_solution_work(solution) < 28e3);
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_a_root_is_proved_to_forty_digits);
  RUN_TEST(test_a_large_system_is_torn_to_its_core);
  RUN_TEST(test_a_core_that_is_singular_or_has_no_solution_is_refused);
  RUN_TEST(test_a_jump_defines_nothing);
  RUN_TEST(test_what_only_looks_like_a_root_is_refused);
  RUN_TEST(test_what_doubles_cannot_solve_is_solved_with_balls);
  RUN_TEST(test_outside_of_a_domain_nothing_is_proved);
  RUN_TEST(test_stages_stand_on_each_other);
  RUN_TEST(test_singular_systems_are_refused);
  RUN_TEST(test_a_small_chain_that_newton_does_not_find_is_torn);
  RUN_TEST(test_a_number_is_not_above_itself_in_a_box);
  RUN_TEST(test_work_is_counted);
  RUN_TEST(test_nodes_inside_of_routines_count_more);
  RUN_TEST(test_a_loop_ends_with_the_budget_of_the_search);
  RUN_TEST(test_a_branch_that_is_not_taken_costs_nothing);
  return UNITY_END();
}
