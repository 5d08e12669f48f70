/* Step sizes: a large model comes from its start to its end in few steps. */
#include <math.h>
#include <string.h>
#include <unity.h>

#include "solver/solver.h"

enum { CELLS = 200 };

#define DIFFUSION 100.0

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- heat in a rod, T' = D (T_left - 2 T + T_right), 1 at the left end ---------------------- */

static double
cell(const double *x, int i, unsigned lanes, unsigned l)
{
  return i < 0 ? 1.0 : x[(unsigned)(i < CELLS ? i : CELLS - 1) * lanes + l];
}

static int
rod_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
         DaeOut *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  for (int i = 0; i < CELLS; i++) {
    for (unsigned l = 0; l < lanes; l++) {
      if (out->f != NULL) {
        out->f[(unsigned)i * lanes + l] =
            DIFFUSION *
            (cell(x, i - 1, lanes, l) - 2.0 * cell(x, i, lanes, l) + cell(x, i + 1, lanes, l));
      }
      if (out->m != NULL) {
        out->m[(unsigned)i * lanes + l] = 1.0;
      }
    }
  }
  return 0;
}

static int
rod_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
        DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  (void)x;
  (void)xdot;
  uint32_t e = 0;
  for (int i = 0; i < CELLS; i++) {
    if (out->m != NULL) {
      out->m[i] = 1.0;
    }
    for (int j = i > 0 ? i - 1 : 0; out->k != NULL && j <= i + 1 && j < CELLS; j++) {
      double middle = i == CELLS - 1 ? -1.0 : -2.0;
      out->k[e++] = DIFFUSION * (i == j ? middle : 1.0);
    }
  }
  return 0;
}

typedef struct {
  uint32_t ones[CELLS + 1], rows[CELLS + 1], columns[CELLS], near[3 * CELLS], none[1];
} RodPattern;

static DaeEvaluator
rod_evaluator(RodPattern *p)
{
  uint32_t e = 0;
  for (uint32_t i = 0; i < CELLS; i++) {
    p->ones[i] = i;
    p->columns[i] = i;
    p->rows[i] = e;
    for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < CELLS; j++) {
      p->near[e++] = j;
    }
  }
  p->ones[CELLS] = CELLS;
  p->rows[CELLS] = e;
  p->none[0] = 0;
  return (DaeEvaluator){.n = CELLS,
                        .n_diff = CELLS,
                        .mass = {CELLS, CELLS, p->ones, p->columns},
                        .dynamics = {CELLS, CELLS, p->rows, p->near},
                        .constraint = {0, CELLS, p->none, NULL},
                        .scratch_size = 64,
                        .mass_is_constant = true,
                        .eval = rod_eval,
                        .jac = rod_jac};
}

static DaeSolverResult
run_rod(double tolerance, double *x)
{
  static RodPattern pattern;
  const DaeEvaluator evaluator = rod_evaluator(&pattern);
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = tolerance;
  options.t_stop = options.interval = 1.0;
  memset(x, 0, sizeof(double) * CELLS);
  return dae_solver_run(&evaluator, &options, x, NULL, NULL, NULL);
}

static double
largest_difference(const double *a, const double *b)
{
  double worst = 0.0;
  for (int i = 0; i < CELLS; i++) {
    worst = fmax(worst, fabs(a[i] - b[i]));
  }
  return worst;
}

/* The first step may change the hottest cell by a tenth, the last one is a third of the whole. */
static void
a_large_model_does_not_creep_from_its_start(void)
{
  static const double tolerances[] = {1e-2, 1e-4, 1e-6};
  static const uint64_t most[] = {12, 9, 11};
  double exact[CELLS];
  double x[CELLS];
  TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, run_rod(1e-10, exact).status);
  for (size_t k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    DaeSolverResult result = run_rod(tolerances[k], x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_EQUAL_UINT64(0, result.stats.newton_failures);
    TEST_ASSERT_TRUE(result.stats.steps_accepted <= most[k]);
    TEST_ASSERT_TRUE(largest_difference(x, exact) < tolerances[k]);
  }
}

static bool
keep_last(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)t;
  (void)xdot;
  (void)states;
  memcpy(user, x, sizeof(double) * CELLS);
  return true;
}

/* Where nobody asks for x', the points are the same ones. */
static void
points_without_derivatives_are_the_same(void)
{
  static RodPattern pattern;
  const DaeEvaluator evaluator = rod_evaluator(&pattern);
  double points[2][CELLS];
  for (int k = 0; k < 2; k++) {
    double x[CELLS] = {0.0};
    DaeSolverOptions options;
    dae_solver_default_options(&options);
    options.interval = 0.3;
    options.no_xdot = k == 1;
    DaeSolverResult result =
        dae_solver_run(&evaluator, &options, x, NULL, keep_last, points[k]);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
  }
  TEST_ASSERT_TRUE(largest_difference(points[0], points[1]) == 0.0);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(a_large_model_does_not_creep_from_its_start);
  RUN_TEST(points_without_derivatives_are_the_same);
  return UNITY_END();
}
