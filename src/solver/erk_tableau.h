/* Explicit Runge-Kutta pairs as data [HairerNorsettWanner93]: Dormand and Prince's 5(4) and
 * 8(5,3).
 *
 * Stage s stands at the end of the step, where the next one begins; its row are the weights. The
 * continuous extension of a step from y0 to y1, of degree 3 + n_dense and one order less than that
 * of the step, is
 *
 *     y0 + th (F0 + (1-th) (F1 + th (F2 + (1-th) (F3 + th (F4 + ...)))))
 *     F0 = y1 - y0,  F1 = h k_0 - F0,  F2 = 2 F0 - h (k_0 + k_s),  F_(3+i) = h sum_j d_ij k_j
 *
 * where n_extra more stages follow stage s. */
#ifndef DAE_SOLVER_ERK_TABLEAU_H
#define DAE_SOLVER_ERK_TABLEAU_H

#include <stdbool.h>
#include <stdint.h>

#define DAE_ERK_STAGES 16
#define DAE_ERK_DENSE 4
#define DAE_ERK_LOOKS 3

typedef struct {
  uint32_t s, n_extra, n_dense;
  int order;
  int nodes; /* order of the collocation polynomial (tableau.h) that holds the extension exactly */
  double c[DAE_ERK_STAGES];
  double a[DAE_ERK_STAGES][DAE_ERK_STAGES];
  double e[DAE_ERK_STAGES]; /* error estimate: of order 4 and 5 */
  bool has_second;          /* one of order 3, which the first is weighed with */
  double e_second[DAE_ERK_STAGES];
  double d[DAE_ERK_DENSE][DAE_ERK_STAGES];
  double bound; /* of |h lambda|, on the negative real axis */
  /* Stages inside the step, in the order of time and well spread: what the solution passes is seen
   * there without the continuous extension. */
  uint32_t looks[DAE_ERK_LOOKS];
} DaeErkTableau;

extern const DaeErkTableau dae_erk_tableaus[2]; /* orders 5 and 8 */

#endif
