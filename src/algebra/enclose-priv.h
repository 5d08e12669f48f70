/* Inside of enclosures: the system as a program, Newton's method in balls (enclose.c, point.c). */
#ifndef DAE_ALGEBRA_ENCLOSE_PRIV_H
#define DAE_ALGEBRA_ENCLOSE_PRIV_H

#include "algebra/algebra-priv.h"
#include "algebra/enclose.h"

/* The system as a program: roots are the equations, then the nonzero entries of the Jacobian. */
typedef struct {
  DaeAlgebra *algebra;
  const DaeSquareSystem *system;
  DaePlan *plan;
  GArray *entries; /* uint32_t: row * n + column */
  uint32_t n_roots;
  arb_ptr values; /* of the roots */
  arb_ptr x;      /* the point: exact balls */
} DaeEncloseWork;

/* false: an atom that is no unknown. Ended in any case. */
bool dae_enclose_begin(DaeEncloseWork *work, DaeAlgebra *algebra,
                       const DaeSquareSystem *system);
void dae_enclose_end(DaeEncloseWork *work);
/* Equations and Jacobian at balls; false: some function has no value there. */
bool dae_enclose_evaluate(DaeEncloseWork *work, arb_srcptr at, slong precision);
/* The Jacobian of the last evaluation, n x n. */
void dae_enclose_jacobian(const DaeEncloseWork *work, arb_mat_t jacobian);
/* One step from a point that was evaluated: halved until the residual falls, unless it is tiny
 * already: then rounding is all there is, and the point has converged. false: no way down. */
bool dae_enclose_step(DaeEncloseWork *work, arb_mat_t jacobian, arb_mat_t step, slong precision,
                      bool *converged);
/* Newton from `near`: rough precision until the step is small, then full precision until it is
 * tiny. */
bool dae_enclose_refine(DaeEncloseWork *work, slong precision);
/* Krawczyk's operator around x. */
bool dae_enclose_prove(DaeEncloseWork *work, slong precision, arb_ptr box);

#endif
