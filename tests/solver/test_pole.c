/* Fixed steps notice poles of the solution, and nothing else; so does the end of a run. */
#include <math.h>
#include <string.h>

#include "problems/problems.h"
#include "solver/integrator.h"
#include "unity.h"

static const DaeMethod methods[] = {DAE_METHOD_BDF3, DAE_METHOD_AB3, DAE_METHOD_EULER,
                                    DAE_METHOD_IMPLICIT_EULER};

void
setUp(void)
{
}

void
tearDown(void)
{
}

static DaeSolverOptions
options_for(DaeMethod method, double step, double t_stop)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.method = method;
  options.step = step;
  options.t_stop = t_stop;
  options.newton = 2;
  options.projections = 1;
  return options;
}

static DaeSolverResult
run_problem(const DaeProblem *problem, const DaeSolverOptions *options)
{
  DaeProblemSpace space;
  double x[DAE_TEMPLATE_MAX];
  const DaeEvaluator *evaluator = dae_problem_open(problem, &space);
  memcpy(x, problem->start, sizeof(double) * evaluator->n);
  return dae_solver_run(evaluator, options, x, NULL, NULL, NULL);
}

static void
test_every_method_stops_at_the_pole_whatever_its_step(void)
{
  static const double steps[] = {0.1, 0.03, 0.01, 1e-3};
  for (int m = 0; m < 4; m++) {
    for (int k = 0; k < 4; k++) {
      const DaeSolverOptions options = options_for(methods[m], steps[k], 1.5);
      const DaeSolverResult result = run_problem(&dae_problem_blow_up, &options);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_UNBOUNDED, result.status);
      TEST_ASSERT_DOUBLE_WITHIN(5.0 * pow(steps[k], 0.7), 1.0, result.stats.t);
      TEST_ASSERT_EQUAL_UINT32(0, result.worst_unknown);
    }
  }
}

static void
test_a_run_that_ends_before_the_pole_is_completed(void)
{
  for (int m = 0; m < 4; m++) {
    const DaeSolverOptions options = options_for(methods[m], 0.01, 0.9);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED,
                          run_problem(&dae_problem_blow_up, &options).status);
  }
}

/* The first step of a stiff transient ends far from its slope, and rightly so. */
static void
test_transients_are_no_poles(void)
{
  DaeSolverOptions options = options_for(DAE_METHOD_IMPLICIT_EULER, 0.01, 2.0);
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_prothero, &space);
  double x[1] = {-3.0};
  const DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  TEST_ASSERT_EQUAL_UINT64(0, result.stats.coarse_steps);
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, cos(2.0), x[0]);
}

/* An explicit method on the same transient is thrown to the other side of the solution. */
static void
test_steps_that_lead_elsewhere_are_counted(void)
{
  const DaeSolverOptions options = options_for(DAE_METHOD_EULER, 0.01, 0.03);
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_prothero, &space);
  double x[1] = {-3.0};
  const DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_UINT64(3, result.stats.coarse_steps);
  TEST_ASSERT_EQUAL_DOUBLE(0.0, result.stats.first_coarse_step);
  TEST_ASSERT_EQUAL_UINT32(0, result.stats.coarse_unknown);
}

static void
guard_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  (void)user;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    out[l] = 20.0 - x[l];
  }
}

/* Behind a guard the equations are others: no pole is told there. */
static void
test_the_look_ends_at_a_guard(void)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_blow_up, &space);
  const DaeSolverOptions options = options_for(DAE_METHOD_AB3, 0.1, 1.5);
  const int8_t side = 1;
  const DaeRoots roots = {.n = 1, .values = guard_values, .side = &side};
  DaeSolverStatus status;
  DaeStop stop = {.kind = DAE_STOP_STEP};
  DaeIntegrator *it =
      dae_integrator_new(evaluator, &options, dae_problem_blow_up.start, &status);
  while (status == DAE_SOLVER_COMPLETED && stop.kind == DAE_STOP_STEP) {
    status = dae_integrator_step(it, 1.5, &roots, &stop);
  }
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
  TEST_ASSERT_EQUAL_INT(DAE_STOP_ROOT, stop.kind);
  dae_integrator_free(it);
}

/* ... nor behind the time to which the caller wants to go. */
static void
test_the_look_ends_at_the_limit(void)
{
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_blow_up, &space);
  const DaeSolverOptions options = options_for(DAE_METHOD_BDF3, 0.02, 1.5);
  DaeSolverStatus status;
  DaeStop stop = {.kind = DAE_STOP_STEP};
  DaeIntegrator *it =
      dae_integrator_new(evaluator, &options, dae_problem_blow_up.start, &status);
  while (status == DAE_SOLVER_COMPLETED && stop.kind == DAE_STOP_STEP) {
    status = dae_integrator_step(it, 0.98, NULL, &stop);
  }
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, status);
  TEST_ASSERT_EQUAL_INT(DAE_STOP_LIMIT, stop.kind);
  dae_integrator_free(it);
}

/* x' = x^2 from 1: at t = 1 there is no value, and closer to it than the tolerance none to trust. */
static void
test_radau_tells_a_pole_at_its_end(void)
{
  static const double ends[] = {1.0, 1.0 - 1e-12, 1.0 - 1e-7};
  for (int k = 0; k < 3; k++) {
    const DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, ends[k]);
    const DaeSolverResult result = run_problem(&dae_problem_blow_up, &options);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_UNBOUNDED, result.status);
    TEST_ASSERT_EQUAL_UINT32(0, result.worst_unknown);
    TEST_ASSERT_EQUAL_DOUBLE(ends[k], result.stats.t);
  }
  const DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, 0.999);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED,
                        run_problem(&dae_problem_blow_up, &options).status);
}

/* At loose tolerances, too, where the way to the pole may be as long as the run. */
static void
test_radau_tells_a_pole_from_afar(void)
{
  static const double tolerances[] = {1e-1, 1e-2, 1e-3};
  for (int k = 0; k < 3; k++) {
    for (int part = 1; part <= 3; part++) {
      const double end = 1.0 / (1.0 + 0.3 * part * fmin(10.0 * tolerances[k], 0.1));
      DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, end);
      options.rtol = options.atol = tolerances[k];
      const DaeSolverResult result = run_problem(&dae_problem_blow_up, &options);
      TEST_ASSERT_EQUAL_INT(DAE_SOLVER_UNBOUNDED, result.status);
      TEST_ASSERT_EQUAL_DOUBLE(end, result.stats.t);
    }
  }
}

typedef struct {
  const DaeEvaluator *evaluator;
  double latest;
} Watched;

static int
eval_watched(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
             DaeOut *out)
{
  Watched *const watched = *(Watched *const *)self;
  for (unsigned l = 0; l < lanes; l++) {
    watched->latest = fmax(watched->latest, t[l]);
  }
  const DaeEvaluator *evaluator = watched->evaluator;
  return evaluator->eval(evaluator->self, scratch, lanes, t, x, out);
}

static int
jac_watched(const void *self, void *scratch, double t, const double *x, const double *xdot,
            DaeJac *out)
{
  const DaeEvaluator *evaluator = (*(const Watched *const *)self)->evaluator;
  return evaluator->jac(evaluator->self, scratch, t, x, xdot, out);
}

/* What swings grows again and again, but runs into no pole: the look is over soon. */
static void
test_the_look_ends_where_nothing_grows_any_more(void)
{
  DaeProblemSpace space;
  Watched watched = {.evaluator = dae_problem_open(&dae_problem_oscillator, &space)};
  Watched *const self = &watched;
  DaeEvaluator evaluator = *watched.evaluator;
  evaluator.self = &self;
  evaluator.eval = eval_watched;
  evaluator.jac = jac_watched;
  for (int k = 0; k <= 20; k++) {
    const double end = 100.0 + 0.2 * k;
    DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, end);
    options.rtol = options.atol = 1e-2;
    watched.latest = 0.0;
    double x[3];
    memcpy(x, dae_problem_oscillator.start, sizeof x);
    const DaeSolverResult result = dae_solver_run(&evaluator, &options, x, NULL, NULL, NULL);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(watched.latest < end + 4.0);
  }
}

/* A run that ends inside of its first transient. */
static void
test_radau_ends_in_a_transient(void)
{
  DaeSolverOptions options = options_for(DAE_METHOD_RADAU, 0.0, 1e-9);
  DaeProblemSpace space;
  const DaeEvaluator *evaluator = dae_problem_open(&dae_problem_prothero, &space);
  double x[1] = {-3.0};
  const DaeSolverResult result = dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_method_stops_at_the_pole_whatever_its_step);
  RUN_TEST(test_a_run_that_ends_before_the_pole_is_completed);
  RUN_TEST(test_transients_are_no_poles);
  RUN_TEST(test_steps_that_lead_elsewhere_are_counted);
  RUN_TEST(test_the_look_ends_at_a_guard);
  RUN_TEST(test_the_look_ends_at_the_limit);
  RUN_TEST(test_radau_tells_a_pole_at_its_end);
  RUN_TEST(test_radau_tells_a_pole_from_afar);
  RUN_TEST(test_the_look_ends_where_nothing_grows_any_more);
  RUN_TEST(test_radau_ends_in_a_transient);
  return UNITY_END();
}
