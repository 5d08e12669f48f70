/* Branches that come close, and points where [M; G] is singular, as functions alone. */
#include <math.h>
#include <string.h>
#include <unity.h>

#include "solver/branch.h"
#include "solver/solver.h"

#define GAP 1e-12

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
take(double *to, const double *from, uint32_t count)
{
  if (to != NULL) {
    memcpy(to, from, count * sizeof(double));
  }
}

static void
take_lane(double *to, const double *from, uint32_t count, unsigned lanes, unsigned l)
{
  for (uint32_t i = 0; to != NULL && i < count; i++) {
    to[i * lanes + l] = from[i];
  }
}

/* ---- y' = x, x^2 = (t - 1)^2 + gap --------------------------------------------------------- */

static int
fold_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
          DaeOut *out)
{
  (void)self;
  (void)scratch;
  for (unsigned l = 0; l < lanes; l++) {
    const double root = x[lanes + l];
    const double g = root * root - (t[l] - 1.0) * (t[l] - 1.0) - GAP;
    const double one = 1.0;
    take_lane(out->f, &root, 1, lanes, l);
    take_lane(out->g, &g, 1, lanes, l);
    take_lane(out->m, &one, 1, lanes, l);
  }
  return 0;
}

static int
fold_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
         DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)xdot;
  const double one = 1.0;
  const double gx = 2.0 * x[1];
  const double gt = -2.0 * (t - 1.0);
  const double zero = 0.0;
  take(out->k, &one, 1);
  take(out->gx, &gx, 1);
  take(out->gt, &gt, 1);
  take(out->ft, &zero, 1);
  take(out->m, &one, 1);
  return 0;
}

/* ---- a mass on x^2 = s^2 + gap, with both hidden constraints ------------------------------- */

static int
sheet_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
           DaeOut *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  for (unsigned i = 0; i < lanes; i++) {
    const double p = x[i];
    const double s = x[lanes + i];
    const double u = x[2 * lanes + i];
    const double v = x[3 * lanes + i];
    const double force = x[4 * lanes + i];
    const double f[] = {u, v, 2.0 * force * p, -2.0 * force * s};
    const double g[] = {p * p - s * s - GAP, p * u - s * v,
                        u * u - v * v + 2.0 * force * (p * p + s * s)};
    const double m[] = {1.0, 1.0, 1.0, 1.0};
    take_lane(out->f, f, 4, lanes, i);
    take_lane(out->g, g, 3, lanes, i);
    take_lane(out->m, m, 4, lanes, i);
  }
  return 0;
}

static int
sheet_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
          DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  (void)xdot;
  const double k[] = {1.0, 1.0, 2.0 * x[4], 2.0 * x[0], -2.0 * x[4], -2.0 * x[1]};
  const double gx[] = {2.0 * x[0],
                       -2.0 * x[1],
                       x[2],
                       -x[3],
                       x[0],
                       -x[1],
                       4.0 * x[4] * x[0],
                       4.0 * x[4] * x[1],
                       2.0 * x[2],
                       -2.0 * x[3],
                       2.0 * (x[0] * x[0] + x[1] * x[1])};
  const double zeros[] = {0.0, 0.0, 0.0, 0.0};
  const double m[] = {1.0, 1.0, 1.0, 1.0};
  take(out->k, k, 6);
  take(out->gx, gx, 11);
  take(out->gt, zeros, 3);
  take(out->ft, zeros, 4);
  take(out->m, m, 4);
  return 0;
}

/* ---- d' = inflow - 2 q, q |q| = d ----------------------------------------------------------- */

static int
flow_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
          DaeOut *out)
{
  const double *inflow = self;
  (void)scratch;
  (void)t;
  for (unsigned l = 0; l < lanes; l++) {
    const double f = *inflow - 2.0 * x[lanes + l];
    const double g = x[lanes + l] * fabs(x[lanes + l]) - x[l];
    const double one = 1.0;
    take_lane(out->f, &f, 1, lanes, l);
    take_lane(out->g, &g, 1, lanes, l);
    take_lane(out->m, &one, 1, lanes, l);
  }
  return 0;
}

static int
flow_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
         DaeJac *out)
{
  (void)self;
  (void)scratch;
  (void)t;
  (void)xdot;
  const double k = -2.0;
  const double gx[] = {-1.0, 2.0 * fabs(x[1])};
  const double zero = 0.0;
  const double one = 1.0;
  take(out->k, &k, 1);
  take(out->gx, gx, 2);
  take(out->gt, &zero, 1);
  take(out->ft, &zero, 1);
  take(out->m, &one, 1);
  return 0;
}

/* -------------------------------------------------------------------------------------------- */

static const uint32_t one_entry[] = {0, 1};
static const uint32_t column_0[] = {0};
static const uint32_t column_1[] = {1};

static DaeSolverResult
run(const DaeEvaluator *evaluator, double tolerance, double stop, double *x)
{
  DaeSolverOptions options;
  dae_solver_default_options(&options);
  options.rtol = options.atol = tolerance;
  options.t_stop = stop;
  return dae_solver_run(evaluator, &options, x, NULL, NULL, NULL);
}

static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9};

static void
a_root_is_not_exchanged(void)
{
  const DaeEvaluator evaluator = {.n = 2,
                                  .n_diff = 1,
                                  .n_con = 1,
                                  .mass = {1, 2, one_entry, column_0},
                                  .dynamics = {1, 2, one_entry, column_1},
                                  .constraint = {1, 2, one_entry, column_1},
                                  .scratch_size = 64,
                                  .eval = fold_eval,
                                  .jac = fold_jac};
  uint32_t told = 0;
  for (size_t k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    double x[] = {0.0, 1.0};
    DaeSolverResult result = run(&evaluator, tolerances[k], 2.0, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    if (result.stats.branch_points > 0) { /* told, so not silently wrong */
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1.0, result.stats.first_branch_point);
      told++;
      continue;
    }
    TEST_ASSERT_DOUBLE_WITHIN(10.0 * tolerances[k], 1.0, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(20.0 * tolerances[k], 1.0, x[0]);
  }
  TEST_ASSERT_TRUE(told <= 1);
}

static void
a_sheet_is_not_left(void)
{
  const uint32_t mass_rows[] = {0, 1, 2, 3, 4};
  const uint32_t mass_columns[] = {0, 1, 2, 3};
  const uint32_t k_rows[] = {0, 1, 2, 4, 6};
  const uint32_t k_columns[] = {2, 3, 0, 4, 1, 4};
  const uint32_t g_rows[] = {0, 2, 6, 11};
  const uint32_t g_columns[] = {0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4};
  const uint8_t hidden[] = {0, 1, 1};
  DaeEvaluator evaluator = {.n = 5,
                            .n_diff = 4,
                            .n_con = 3,
                            .mass = {4, 5, mass_rows, mass_columns},
                            .dynamics = {4, 5, k_rows, k_columns},
                            .constraint = {3, 5, g_rows, g_columns},
                            .hidden = hidden,
                            .scratch_size = 64,
                            .eval = sheet_eval,
                            .jac = sheet_jac};
  for (size_t k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    double x[] = {sqrt(1.0 + GAP), -1.0, -1.0 / sqrt(1.0 + GAP), 1.0, 0.0};
    DaeSolverResult result = run(&evaluator, tolerances[k], 2.0, x);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, x[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 1.0, x[2]);
  }
}

static void
flow_begins_and_ends_at_equal_levels(void)
{
  const uint32_t two[] = {0, 2};
  const uint32_t columns[] = {0, 1};
  double inflow = 0.1;
  const DaeEvaluator evaluator = {.n = 2,
                                  .n_diff = 1,
                                  .n_con = 1,
                                  .mass = {1, 2, one_entry, column_0},
                                  .dynamics = {1, 2, one_entry, column_1},
                                  .constraint = {1, 2, two, columns},
                                  .scratch_size = 64,
                                  .self = &inflow,
                                  .eval = flow_eval,
                                  .jac = flow_jac};
  for (size_t k = 0; k < G_N_ELEMENTS(tolerances); k++) {
    double begin[] = {0.0, 0.0};
    inflow = 0.1;
    DaeSolverResult result = run(&evaluator, tolerances[k], 3.0, begin);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_TRUE(result.stats.singular_steps > 0);
    TEST_ASSERT_DOUBLE_WITHIN(10.0 * tolerances[k], 0.05, begin[1]);
    double end[] = {1.0, 1.0};
    inflow = 0.0;
    result = run(&evaluator, tolerances[k], 4.0, end);
    TEST_ASSERT_EQUAL_INT(DAE_SOLVER_COMPLETED, result.status);
    TEST_ASSERT_DOUBLE_WITHIN(10.0 * tolerances[k], 0.0, end[0]);
  }
}

static void
nothing_is_watched_across_choices(void)
{
  const double nominal[] = {1.0, 1.0};
  DaeEvaluator evaluator = {.n = 2,
                            .n_diff = 1,
                            .n_con = 1,
                            .mass = {1, 2, one_entry, column_0},
                            .dynamics = {1, 2, one_entry, column_1},
                            .constraint = {1, 2, one_entry, column_1},
                            .eval = fold_eval,
                            .jac = fold_jac};
  DaeBranch *branch = dae_branch_new(&evaluator, nominal);
  TEST_ASSERT_NOT_NULL(branch);
  dae_branch_free(branch);
  evaluator.has_choices = true; /* the determinant jumps from one choice to the other */
  TEST_ASSERT_NULL(dae_branch_new(&evaluator, nominal));
}

/* What cannot change its sign is not watched: x^2 = ... as if 2 x were a number or a function of
 * time, and a constraint that does nothing but define its unknown. */
static void
nothing_is_watched_where_no_sign_can_change(void)
{
  const double nominal[] = {1.0, 1.0};
  static const uint8_t constant[] = {DAE_DEPENDS_SEGMENT};
  uint8_t depends[] = {DAE_DEPENDS_UNKNOWNS};
  DaeEvaluator evaluator = {.n = 2,
                            .n_diff = 1,
                            .n_con = 1,
                            .mass = {1, 2, one_entry, column_0},
                            .dynamics = {1, 2, one_entry, column_1},
                            .constraint = {1, 2, one_entry, column_1},
                            .mass_depends = constant,
                            .constraint_depends = depends,
                            .eval = fold_eval,
                            .jac = fold_jac};
  DaeBranch *branch = dae_branch_new(&evaluator, nominal);
  TEST_ASSERT_NOT_NULL(branch);
  dae_branch_free(branch);
  for (uint8_t kind = DAE_DEPENDS_NOTHING; kind <= DAE_DEPENDS_TIME; kind++) {
    depends[0] = kind;
    TEST_ASSERT_NULL(dae_branch_new(&evaluator, nominal));
  }
}

/* Of 0 = p^2 - s^2 - gap and 0 = force + 100 s only the first has two sheets: the other one does
 * not turn anything, however fast the force changes its direction. */
static void
definitions_do_not_turn(void)
{
  const uint32_t g_rows[] = {0, 2, 4};
  const uint32_t g_columns[] = {0, 1, 1, 2};
  const uint32_t no_rows[] = {0};
  uint8_t depends[] = {DAE_DEPENDS_UNKNOWNS, DAE_DEPENDS_UNKNOWNS, DAE_DEPENDS_UNKNOWNS,
                       DAE_DEPENDS_NOTHING};
  const double nominal[] = {1.0, 1.0, 1.0};
  DaeEvaluator evaluator = {.n = 3,
                            .n_con = 2,
                            .mass = {0, 3, no_rows, NULL},
                            .constraint = {2, 3, g_rows, g_columns},
                            .mass_depends = depends,
                            .constraint_depends = depends};
  const double before[] = {2.0, 0.5, 100.0, 1.0};
  const double after[] = {2.0, -0.5, -100.0, 1.0};
  const double other[] = {-2.0, 0.5, 100.0, 1.0};
  DaeBranch *branch = dae_branch_new(&evaluator, nominal);
  TEST_ASSERT_NOT_NULL(branch);
  dae_branch_put(branch, NULL, before);
  TEST_ASSERT_TRUE(dae_branch_is_same(branch));
  dae_branch_keep(branch);
  dae_branch_put(branch, NULL, after);
  TEST_ASSERT_FALSE(dae_branch_rows_turn(branch));
  TEST_ASSERT_TRUE(dae_branch_is_same(branch));
  dae_branch_put(branch, NULL, other);
  TEST_ASSERT_TRUE(dae_branch_rows_turn(branch));
  TEST_ASSERT_FALSE(dae_branch_is_same(branch));
  dae_branch_free(branch);
  depends[3] = DAE_DEPENDS_SEGMENT; /* a parameter may be 0 */
  branch = dae_branch_new(&evaluator, nominal);
  dae_branch_put(branch, NULL, before);
  dae_branch_is_same(branch);
  dae_branch_keep(branch);
  dae_branch_put(branch, NULL, after);
  TEST_ASSERT_TRUE(dae_branch_rows_turn(branch));
  dae_branch_free(branch);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(nothing_is_watched_across_choices);
  RUN_TEST(nothing_is_watched_where_no_sign_can_change);
  RUN_TEST(definitions_do_not_turn);
  RUN_TEST(a_root_is_not_exchanged);
  RUN_TEST(a_sheet_is_not_left);
  RUN_TEST(flow_begins_and_ends_at_equal_levels);
  return UNITY_END();
}
