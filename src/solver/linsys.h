/* Linear algebra of one Jacobian of the over-determined system: which variables are locally
 * constrained, which rows carry the dynamics, and the systems that a stage correction, an error
 * estimate, a projection and x' need.
 *
 *     M x' = f (n_diff rows),  0 = g (n_con rows),  G = g_x,  K = d/dx (f - M x')
 *
 * Two implementations behind one table of functions: dense reduced matrices
 * (linsys_dense.c) and the sparse bordered system (linsys_sparse.c). Stage vectors are
 * lane-interleaved as in eval/evaluator.h: v[j * s + i] is stage i. Nothing here allocates
 * after `new` and the first factorization, except the sparse one where the fill of new
 * pivots exceeds three times that of the first. */
#ifndef DAE_SOLVER_LINSYS_H
#define DAE_SOLVER_LINSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/evaluator.h"
#include "solver/tableau.h"

typedef struct {
  const double *m;    /* values of M */
  const double *k;    /* values of K; NULL: only projection and x' will be asked for */
  const double *gx;   /* values of G */
  const double *xdot; /* n; NULL: not known */
} DaeLinsysValues;

typedef struct DaeLinsys DaeLinsys;

typedef struct {
  void (*free)(DaeLinsys *ls);
  /* Takes new values and selects; false: [M; G] (and K) do not determine all unknowns. */
  bool (*split)(DaeLinsys *ls, const DaeLinsysValues *values);
  /* Factors the real and the complex matrices of step size h; false: singular. */
  bool (*factor)(DaeLinsys *ls, const DaeTableau *tableau, double h);
  /* delta = Newton correction for the residuals r = f - M (W Z) / h
   * (n_diff x s) and c = g (n_con x s). */
  void (*stages)(DaeLinsys *ls, const DaeTableau *tableau, double h, const double *r,
                 const double *c, double *delta);
  /* e with (gamma/h M - K) e = r on the dynamic part, G e = 0. */
  void (*error)(DaeLinsys *ls, const double *r, double *e);
  /* dx with G dx = -g and M dx = 0 on the dynamic part. */
  void (*project)(DaeLinsys *ls, const double *g, double *dx);
  /* M x' = f, G x' = -gt with the M and G of the last split; false: singular. */
  bool (*derivative)(DaeLinsys *ls, const double *f, const double *gt, double *xdot);
  /* The next split begins with the order of elimination of `leader`, a system of the same kind,
   * so that it does not depend on earlier splits of its own. NULL: nothing is kept. */
  void (*follow)(DaeLinsys *ls, const DaeLinsys *leader);
} DaeLinsysOps;

struct DaeLinsys {
  const DaeLinsysOps *ops;
  const DaeEvaluator *ev;
  bool is_sparse;
  const double *nominal;    /* n, positive */
  uint8_t *states;          /* 1: locally dynamic */
  double *row_scale;        /* n_con: largest |G_ij| nominal_j, at least 1 */
  uint32_t n_constrained;   /* rank of G */
  uint32_t known_rank;      /* largest rank of G seen at consistent points; 0: none yet */
  bool selection_changed;   /* by the last split */
  bool uses_algebraic_rows; /* M did not have full column rank on the dynamic part */
};

/* Scale of the derivative of unknown j. The residual of a differential row counts relative to
 * it: rows of fast quantities (accelerations) then weigh less than those of the slow ones they
 * derive from, which halved the Newton iterations of whipping chains. */
static inline double
dae_linsys_rate(const DaeLinsys *ls, const double *xdot, uint32_t j)
{
  return ls->nominal[j] + (xdot != NULL ? (xdot[j] < 0.0 ? -xdot[j] : xdot[j]) : 0.0);
}

DaeLinsys *dae_linsys_dense_new(const DaeEvaluator *ev, const double *nominal,
                                uint32_t stages_max);
DaeLinsys *dae_linsys_sparse_new(const DaeEvaluator *ev, const double *nominal,
                                 uint32_t stages_max);

#endif
