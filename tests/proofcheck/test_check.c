/* The proof checker refuses what does not follow: each step is spoiled in turn. */
#include <math.h>
#include <unity.h>

#include "../initcheck/cases.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static bool
verifies(const Checked *checked)
{
  g_autofree char *why = NULL;
  return checked_verifies(checked, &why);
}

/* ---- falsified proofs: every step of every proof, in every way --------------------------- */

static bool seen[DAE_RULE_CASE + 1]; /* rules that were falsified */

static void
refuse(const Checked *checked, const DaeInitStep *step, const char *how)
{
  if (verifies(checked)) {
    DaeStyled text = dae_init_step_text(checked->model, checked->terms, step);
    g_autofree char *message = g_strdup_printf("%s accepted: %s", how, text.in[0]);
    TEST_FAIL_MESSAGE(message);
  }
}

static void
falsify_numbers(const Checked *checked, DaeInitStep *step)
{
  DaeInitNumeric *numeric = step->numeric;
  DaeInitNumeric kept = *numeric;
  numeric->excludes_zero = !kept.excludes_zero;
  refuse(checked, step, "the opposite");
  *numeric = kept;
  if (kept.excludes_zero) {
    numeric->above += 5;
    refuse(checked, step, "a larger residual");
  } else {
    numeric->below = -100000;
    refuse(checked, step, "a smaller residual");
    numeric->below = -3;
    refuse(checked, step, "a residual that is not small");
  }
  *numeric = kept;
  if (kept.n_solved > 0) {
    numeric->radius = -900;
    refuse(checked, step, "a smaller ball");
    *numeric = kept;
    char *value = numeric->values[0];
    numeric->values[0] = g_strdup("0.8646");
    refuse(checked, step, "another ball");
    g_free(numeric->values[0]);
    numeric->values[0] = value;
    uint32_t row = numeric->rows[0];
    numeric->rows[0] = 0; /* the equation itself may not be among those that are solved */
    refuse(checked, step, "a circle");
    numeric->rows[0] = row;
  }
}

/* Each case is left out in turn. */
static void
leave_cases_out(const Checked *checked, DaeInitStep *step)
{
  uint32_t n = step->n_from;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t kept = step->from[i];
    step->from[i] = step->from[n - 1];
    step->n_from = n - 1;
    refuse(checked, step, "a case left out");
    step->from[i] = kept;
    step->n_from = n;
  }
}

static void
falsify_step(const Checked *checked, DaeInitStep *step)
{
  DaeTerm small = dae_term_ratio(checked->terms, 1, 1000000000);
  DaeTerm lhs = step->lhs;
  DaeTerm rhs = step->rhs;
  seen[step->rule] = true;
  if (rhs != DAE_NO_TERM) {
    step->rhs = dae_term_add(checked->terms, rhs, small);
    refuse(checked, step, "another right side");
    step->rhs = rhs;
    step->lhs = dae_term_add(checked->terms, lhs, small);
    refuse(checked, step, "another left side");
    step->lhs = lhs;
  }
  if (step->factors != NULL) {
    DaeTerm factor = step->factors[0];
    step->factors[0] = dae_term_add(checked->terms, factor, small);
    refuse(checked, step, "another factor");
    step->factors[0] = factor;
  }
  if (step->condition != DAE_NO_TERM) {
    step->holds = !step->holds;
    refuse(checked, step, "the other case");
    step->holds = !step->holds;
  }
  if (step->is_premise) {
    step->premise.order++;
    refuse(checked, step, "another order");
    step->premise.order--;
  }
  if (step->numeric != NULL) {
    falsify_numbers(checked, step);
  }
  if (step->rule == DAE_RULE_CASE) {
    leave_cases_out(checked, step);
  }
}

static void
falsify(const char *name, const char *text)
{
  Checked checked = check_text(name, text, NULL);
  g_autofree char *why = NULL;
  if (!checked_verifies(&checked, &why)) {
    TEST_FAIL_MESSAGE(why);
  }
  uint32_t n = 0;
  for (uint32_t i = 0; i < dae_init_n_redundant(checked.init); i++) {
    DaeInitRedundant *item = (DaeInitRedundant *)dae_init_redundant(checked.init, i);
    for (uint32_t s = 0; s < item->n_steps; s++, n++) {
      falsify_step(&checked, (DaeInitStep *)&item->steps[s]);
    }
    item->what.order++;
    refuse(&checked, &item->steps[0], "a proof of another equation");
    item->what.order--;
  }
  for (uint32_t i = 0; i < dae_init_n_conflicts(checked.init); i++) {
    DaeInitConflict *item = (DaeInitConflict *)dae_init_conflict(checked.init, i);
    for (uint32_t s = 0; s < item->n_steps; s++, n++) {
      falsify_step(&checked, (DaeInitStep *)&item->steps[s]);
    }
    item->n_premises--;
    refuse(&checked, &item->steps[0], "a smaller conflict set");
    item->n_premises++;
    item->n_steps--;
    refuse(&checked, &item->steps[0], "a proof without its end");
    item->n_steps++;
  }
  TEST_ASSERT_TRUE_MESSAGE(n > 1, name);
  TEST_ASSERT_TRUE_MESSAGE(verifies(&checked), name);
  checked_clear(&checked);
}

#define STATES "equation der(x) = -x; der(y) = -y;"

static void
test_falsified_steps_of_every_rule_are_refused(void)
{
  static const struct {
    const char *name, *text;
  } models[] = {
      {"capacitors", "Real u = 10; Real u1; Real u2; Real i; parameter Real C = 1;"
                     "initial equation u1 = 5; u2 = 5;"
                     "equation i = C*der(u1); i = C*der(u2); u = u1 + u2;"},
      {"loop", "Real x; Real y; Real z;"
               "initial equation x + y = 3; x - y = 1; x + 3*y = 5;"
               "equation der(x) = -x; der(y) = -y; z = x + y;"},
      {"pendulum", "Real x; Real y; Real vx; Real vy; Real T;"
                   "initial equation x = 1/2; y = -sqrt(3)/2; vx = 0;"
                   "equation der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - 9.81; "
                   "x^2 + y^2 = 1;"},
      {"conflict", "Real x; Real y; parameter Real a = 2;"
                   "initial equation x = 1; y = a + 1; equation der(x) = -x; y = a*x;"},
      {"logarithm", "Real x; Real y; initial equation exp(x)*(1 + x^2) = 3*(1 + x^2); y = "
                    "log(3); equation der(x) = -x; y = x;"},
      {"values",
       "Real x; Real y; parameter Real k = 0; initial equation x = 1; k*y + x = 1;" STATES},
      {"combination", "Real x(start = 1); Real y(start = -1); initial equation x*sin(y) + y = "
                      "1; x*sin(y) - y = 3; 2*x*sin(y) = 4;" STATES},
      {"branch", "Real x(start = 1); Real y; initial equation x^2 = 2; y = 2*sqrt(2); equation "
                 "der(x) = -x; y = 2*x;"},
      {"condition", "Real u; Real i; Real s; initial equation u = -3; i = 0; equation der(u) = "
                    "-u - i; u = if s > 0 then 0 else s; i = if s > 0 then s else 0;"},
      {"no real solution", "Real x; Real y; initial equation x^2 + x + 1 = 0; y = 1; equation "
                           "der(x) = -x; der(y) = x;"},
      {"undefined", "Real x; Real y; initial equation x = 0; equation der(x) = -x; y = 1/x;"},
      {"numeric", "Real x(start = 0.6); Real y(start = 0.9); initial equation x = cos(y); y = "
                  "exp(-x/3) + sin(x*y)/9; asin(x) + y = Modelica.Constants.pi/2;" STATES},
      {"numeric conflict",
       "Real x(start = 0.6); Real y(start = 0.9); initial equation x = cos(y); y = exp(-x/3) + "
       "sin(x*y)/9; asin(x) + y = Modelica.Constants.pi/2 + 1e-20;" STATES},
      {"numeric constant", "Real x; Real y; initial equation x = atan(1/2) + atan(1/3); y = 1; "
                           "x = Modelica.Constants.pi/4;" STATES},
      {"cases of a product",
       "Real x; Real y; initial equation x*y = 0; x + exp(y) = 3; y + exp(x) = 7;" STATES},
      {"cases of a square",
       "Real x; Real y; initial equation x^2 = 5; x^3 + y = 7; y = 1;" STATES},
      {"cases of a condition", "Real x; Real y; initial equation x = 0; equation der(x) = 1; y "
                               "= if y > 0 then -1 else 1;"},
      {"cases in cases", "Real x; Real y; initial equation x^2 = 4; y^2 = 9; x*y = 7;" STATES},
      {"cases of an even power",
       "Real x; Real y; initial equation x^6 = 3; exp(x) + x = 9; y = 1;" STATES},
      {"cases of a size",
       "Real x; Real y; initial equation abs(x - 1) = 2; exp(x) + x = 3; y = 0;" STATES},
      {"cases of one period",
       "Real x; Real y; initial equation sin(x) = 3/5; cos(x) = 3/5; y = 1;" STATES},
      {"no value of an Integer",
       "Real x; Integer n; initial equation x = 5/2; equation der(x) = -x; x = n;"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
    falsify(models[i].name, models[i].text);
  }
  for (int rule = 0; rule <= DAE_RULE_CASE; rule++) {
    g_autofree char *message = g_strdup_printf("no proof with rule %d", rule);
    TEST_ASSERT_TRUE_MESSAGE(seen[rule], message);
  }
}

static void
test_steps_are_counted_by_how_they_were_checked(void)
{
  Checked checked = check_text("count",
                               "Real x(start = 0.6); Real y(start = 0.9); initial equation x = "
                               "cos(y); y = exp(-x/3) + sin(x*y)/9; asin(x) + y = "
                               "Modelica.Constants.pi/2;" STATES,
                               NULL);
  DaeProofCounts counts;
  g_autofree char *why = NULL;
  const DaeProofs proofs = dae_init_proofs(checked.init);
  TEST_ASSERT_TRUE(
      dae_proofcheck(&proofs, dae_sig_model(checked.sig), checked.terms, NAN, &counts, &why));
  TEST_ASSERT_EQUAL_UINT(1, counts.n_numeric);
  TEST_ASSERT_EQUAL_UINT(0, counts.n_images);
  TEST_ASSERT_TRUE(counts.n_exact >= 5);
  TEST_ASSERT_TRUE(dae_init_is_numeric(checked.init));
  DaeInitPrecision precision;
  TEST_ASSERT_TRUE(dae_init_precision(checked.init, &precision));
  TEST_ASSERT_TRUE(precision.below <= -50 && precision.radius <= -60);
  g_ptr_array_unref(counts.identities);
  checked_clear(&checked);
}

static void
test_a_step_may_not_use_later_steps(void)
{
  Checked checked = check_text(
      "order", "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = 1; y = 2*x;",
      NULL);
  const DaeInitRedundant *item = dae_init_redundant(checked.init, 0);
  DaeInitStep *last = (DaeInitStep *)&item->steps[item->n_steps - 1];
  TEST_ASSERT_TRUE(verifies(&checked));
  last->from[0] = item->n_steps - 1;
  TEST_ASSERT_FALSE(verifies(&checked));
  checked_clear(&checked);
}

static void
test_a_premise_must_be_in_the_model(void)
{
  Checked checked = check_text(
      "premise", "Real x; Real y; initial equation x = 1; y = 2; equation der(x) = 1; y = 2*x;",
      NULL);
  DaeInitStep *first = (DaeInitStep *)&dae_init_redundant(checked.init, 0)->steps[0];
  first->premise.index = 77;
  TEST_ASSERT_FALSE(verifies(&checked));
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_falsified_steps_of_every_rule_are_refused);
  RUN_TEST(test_steps_are_counted_by_how_they_were_checked);
  RUN_TEST(test_a_step_may_not_use_later_steps);
  RUN_TEST(test_a_premise_must_be_in_the_model);
  return UNITY_END();
}
