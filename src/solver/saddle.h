/* One saddle point matrix of linsys_sparse.c,
 *
 *     [ lambda M^T M - h M^T K   G^T    ]
 *     [ G                        -eps I ]
 *
 * with its pattern, its values and its factors. Without K it is the matrix of the projection and
 * of x', whose pattern and fill are much smaller: diagonal where M is and there are no
 * constraints. */
#ifndef DAE_SOLVER_SADDLE_H
#define DAE_SOLVER_SADDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/evaluator.h"
#include "solver/sparse_lu.h"

/* eps: keeps redundant rows of G harmless. */
#define DAE_SADDLE_EPSILON 1e-11

typedef struct DaeSaddleProduct DaeSaddleProduct;

typedef struct {
  const DaeEvaluator *ev;
  uint32_t n, n_con, size;
  int *column_start, *row;
  DaeSaddleProduct *mass_products, *k_products; /* k_products: NULL without K */
  uint32_t n_mass_products, n_k_products;
  uint32_t *g_place; /* 2 per entry of G */
  uint32_t *d_place; /* n_con, the entries -eps */
  double *mm, *mk;   /* values of M^T M and M^T K in the places of the matrix */
  double *border;    /* what is added to lambda M^T M: -h M^T K, G, -eps */
  DaeSparseLu *lu;
} DaeSaddle;

/* width_max as for dae_sparse_lu_new; 0: without K. NULL: the columns cannot be ordered. */
DaeSaddle *dae_saddle_new(const DaeEvaluator *ev, uint32_t width_max);
void dae_saddle_free(DaeSaddle *saddle);
/* M^T M and M^T K; `weighted` stands for M^T. k: NULL where it is not asked for. */
void dae_saddle_take(DaeSaddle *saddle, const double *weighted, const double *m,
                     const double *k);
/* Factors for the step size h (without K: any) and G, its rows times row_weight, with the lambda
 * that is set in lu; false: singular. */
bool dae_saddle_factor(DaeSaddle *saddle, double h, const double *gx, const double *row_weight,
                       uint32_t width);

#endif
