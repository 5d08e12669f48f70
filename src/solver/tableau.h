/* Radau IIa tables as data [HairerWanner96, IV.5, IV.8].
 *
 * W = A^-1 = T D T^-1 with D = diag(gamma, blocks [a -b; b a]): with v = u1 + i u2 a block acts as
 * (a + i b) v, so that the stage system splits into one real and n_pairs complex systems. */
#ifndef DAE_SOLVER_TABLEAU_H
#define DAE_SOLVER_TABLEAU_H

#include <stdint.h>

#define DAE_STAGES_MAX 7
#define DAE_PAIRS_MAX 3
#define DAE_TABLEAUS 3

typedef struct {
  uint32_t s;       /* stages; order 2s - 1, stage order s */
  uint32_t n_pairs; /* (s - 1) / 2 */
  double gamma;     /* the real eigenvalue of W */
  double alpha[DAE_PAIRS_MAX];
  double beta[DAE_PAIRS_MAX];
  double c[DAE_STAGES_MAX];
  double e[DAE_STAGES_MAX]; /* error estimate: f(x0) + sum e_i Z_i / h */
  /* collocation polynomial: l_i(theta) = lead_i theta prod_(j != i) (theta - c_j), 1 at c_i */
  double lead[DAE_STAGES_MAX];
  double poly[DAE_STAGES_MAX][DAE_STAGES_MAX]; /* coefficients of theta^1 ... theta^s of l_i */
  double a[DAE_STAGES_MAX][DAE_STAGES_MAX];
  double w[DAE_STAGES_MAX][DAE_STAGES_MAX];
  double t[DAE_STAGES_MAX][DAE_STAGES_MAX];
  double ti[DAE_STAGES_MAX][DAE_STAGES_MAX];
} DaeTableau;

extern const DaeTableau dae_solver_tableaus[DAE_TABLEAUS]; /* 3, 5, 7 stages */

/* Its place in dae_solver_tableaus. */
static inline uint32_t
dae_tableau_number(const DaeTableau *tableau)
{
  return (tableau->s - 3) / 2;
}

/* order 5, 9 or 13; NULL otherwise */
const DaeTableau *dae_solver_tableau(int order);

#endif
