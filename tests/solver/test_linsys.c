/* Both implementations of the linear systems against their defining equations. */
#include "solver/linsys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "problems/problems.h"
#include "solver/lanes.h"

#define LINKS 3
#define N (7 * LINKS)
#define N_DIFF (4 * LINKS)
#define N_CON (5 * LINKS)

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  DaeEvaluator *evaluator;
  double x[N], m[N_DIFF], k[N_DIFF], gx[40 * LINKS], gt[N_CON], nominal[N];
} Point;

/* A chain bent a little, so that no entry is special. */
static void
point_new(Point *p)
{
  p->evaluator = dae_problem_chain_new(LINKS, p->x);
  for (int j = 0; j < N; j++) {
    p->x[j] += 0.3 * sin(1.0 + 2.0 * j);
    p->nominal[j] = 1.0;
  }
  double xdot[N] = {0.0};
  DaeJac jac = {.k = p->k, .gx = p->gx, .gt = p->gt, .m = p->m};
  p->evaluator->jac(p->evaluator->self, NULL, 0.0, p->x, xdot, &jac);
}

static DaeLinsys *
linsys_new(int kind, const Point *p)
{
  return kind == 0 ? dae_linsys_dense_new(p->evaluator, p->nominal, 7)
                   : dae_linsys_sparse_new(p->evaluator, p->nominal, 7);
}

static void
multiply(const DaePattern *pattern, const double *values, const double *x, double *out)
{
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    out[i] = 0.0;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      out[i] += values[e] * x[pattern->column[e]];
    }
  }
}

static void
derivative_meets_rows_and_constraints(void)
{
  Point p;
  point_new(&p);
  for (int kind = 0; kind < 2; kind++) {
    DaeLinsys *ls = linsys_new(kind, &p);
    DaeLinsysValues values = {.m = p.m, .gx = p.gx};
    double truth[N];
    double f[N_DIFF];
    double gt[N_CON];
    double xdot[N];
    for (int j = 0; j < N; j++) {
      truth[j] = cos(3.0 * j);
    }
    multiply(&p.evaluator->mass, p.m, truth, f);
    multiply(&p.evaluator->constraint, p.gx, truth, gt);
    for (int i = 0; i < N_CON; i++) {
      gt[i] = -gt[i];
    }
    TEST_ASSERT_TRUE(ls->ops->split(ls, &values));
    TEST_ASSERT_TRUE(ls->ops->derivative(ls, f, gt, xdot));
    for (int j = 0; j < N; j++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, truth[j], xdot[j]);
    }
    ls->ops->free(ls);
  }
  dae_problem_chain_free(p.evaluator);
}

static void
projection_takes_the_linear_residual_away(void)
{
  Point p;
  point_new(&p);
  for (int kind = 0; kind < 2; kind++) {
    DaeLinsys *ls = linsys_new(kind, &p);
    DaeLinsysValues values = {.m = p.m, .gx = p.gx};
    double g[N_CON];
    double dx[N];
    double check[N_CON];
    for (int i = 0; i < N_CON; i++) {
      g[i] = sin(5.0 * i);
    }
    TEST_ASSERT_TRUE(ls->ops->split(ls, &values));
    ls->ops->project(ls, g, dx);
    multiply(&p.evaluator->constraint, p.gx, dx, check);
    for (int i = 0; i < N_CON; i++) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, -g[i], check[i]);
    }
    ls->ops->free(ls);
  }
  dae_problem_chain_free(p.evaluator);
}

/* Residuals made from a known correction: M (W D) / h - K D = r, G D = -c. */
static void
stage_correction_is_recovered(void)
{
  Point p;
  point_new(&p);
  const double h = 0.02;
  for (int kind = 0; kind < 2; kind++) {
    DaeLinsys *ls = linsys_new(kind, &p);
    DaeLinsysValues values = {.m = p.m, .k = p.k, .gx = p.gx};
    TEST_ASSERT_TRUE(ls->ops->split(ls, &values));
    for (int t = 0; t < DAE_TABLEAUS; t++) {
      const DaeTableau *tableau = &dae_solver_tableaus[t];
      uint32_t s = tableau->s;
      uint32_t lanes = DAE_LANES_OF(s);
      double truth[N * 8];
      double r[N_DIFF * 8] = {0.0};
      double c[N_CON * 8] = {0.0};
      double delta[N * 8];
      double v[N];
      double kv[N_DIFF];
      double mv[N_DIFF];
      double gv[N_CON];
      for (uint32_t e = 0; e < N * lanes; e++) {
        truth[e] = sin(0.7 * e + t);
      }
      for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = 0; j < N; j++) {
          v[j] = truth[j * lanes + i];
        }
        multiply(&p.evaluator->dynamics, p.k, v, kv);
        multiply(&p.evaluator->constraint, p.gx, v, gv);
        for (uint32_t j = 0; j < N; j++) {
          v[j] = 0.0;
          for (uint32_t l = 0; l < s; l++) {
            v[j] += tableau->w[i][l] * truth[j * lanes + l] / h;
          }
        }
        multiply(&p.evaluator->mass, p.m, v, mv);
        for (uint32_t q = 0; q < N_DIFF; q++) {
          r[q * lanes + i] = mv[q] - kv[q];
        }
        for (uint32_t q = 0; q < N_CON; q++) {
          c[q * lanes + i] = -gv[q];
        }
      }
      TEST_ASSERT_TRUE(ls->ops->factor(ls, tableau, h));
      ls->ops->stages(ls, tableau, h, r, c, delta);
      for (uint32_t e = 0; e < N * lanes; e++) {
        if (e % lanes < s) {
          TEST_ASSERT_DOUBLE_WITHIN(1e-5, truth[e], delta[e]);
        }
      }
    }
    ls->ops->free(ls);
  }
  dae_problem_chain_free(p.evaluator);
}

static void
as_many_states_as_degrees_of_freedom(void)
{
  Point p;
  point_new(&p);
  DaeLinsys *ls = linsys_new(0, &p);
  DaeLinsysValues values = {.m = p.m, .gx = p.gx};
  TEST_ASSERT_TRUE(ls->ops->split(ls, &values));
  uint32_t count = 0;
  for (int j = 0; j < N; j++) {
    count += ls->states[j];
  }
  TEST_ASSERT_EQUAL_UINT32(2 * LINKS, count);
  TEST_ASSERT_EQUAL_UINT32(N_CON, ls->n_constrained);
  ls->ops->free(ls);
  dae_problem_chain_free(p.evaluator);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(derivative_meets_rows_and_constraints);
  RUN_TEST(projection_takes_the_linear_residual_away);
  RUN_TEST(stage_correction_is_recovered);
  RUN_TEST(as_many_states_as_degrees_of_freedom);
  return UNITY_END();
}
