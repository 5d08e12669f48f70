/* Explicit Runge-Kutta steps on the solved form of a system (eval/evaluator.h); shared by the files
 * of this room only.
 *
 * A stage evaluates the form once, solves for the unknowns that are linear in it and for y'. The
 * end of a step is moved onto the constraints that only hold y, in the norm of the tolerances;
 * the other unknowns follow from y there, so that every constraint holds after every step. */
#ifndef DAE_SOLVER_ERK_H
#define DAE_SOLVER_ERK_H

#include "eval/evaluator.h"
#include "solver/erk_tableau.h"

/* Rows and columns of M that are coupled with each other only; those with one row come first. */
typedef struct {
  uint32_t size;
  const uint32_t *row, *column; /* of M; columns by their place in y */
  uint32_t n_lifted;            /* linear unknowns that its rows have */
  const uint32_t *lifted;
  uint32_t mass_at; /* its matrix in mass_lu, by rows */
  uint32_t push_at; /* its rows in push */
} DaeErkBlock;

/* A summand of a M^-1 lift: this entry of a times this one of push. */
typedef struct {
  uint32_t a, push;
} DaeErkProduct;

/* An entry of a M^-1 lift, by rows: its place, and its first product. */
typedef struct {
  uint32_t at, begin;
} DaeErkEntry;

typedef struct {
  const DaeEvaluator *ev;
  const DaeSolved *form;
  void *scratch; /* of the evaluator */
  double *arena;
  uint32_t *indices;
  /* stages, n_y each: of the step being made, and of the last one that was accepted */
  double *k, *k_last;
  double *linear_at; /* DAE_ERK_LOOKS x n_linear: at these stages of the last try */
  const DaeErkTableau *pair_last;
  double *x;      /* n: where the form is evaluated */
  double *y;      /* n_y: where k[0] belongs, at t */
  double *y_late; /* n_y: the last stage before the end */
  double *sum;    /* n_y */
  double *x_end;  /* n: end of the last step */
  double *stage;  /* f, b, a, lift */
  double *m, *mass_lu, *small;
  double *push;      /* M^-1 lift: by block, size x n_lifted */
  uint32_t *lift_at; /* by entry of lift: its place in push */
  uint32_t *mass_pivot;
  double *a_lu, *linear, *direct;
  uint32_t *a_pivot;
  double *a_factors;    /* without pivoting: rows of L and columns of U, entry by entry */
  double *a_inverse;    /* 1 / pivot */
  uint32_t *a_first;    /* first entry of each row and column in them */
  DaeErkEntry *entries; /* n_entries, and where the last one ends */
  DaeErkProduct *products;
  uint32_t n_entries;
  double *rest, *slope, *scale, *normal, *shift;
  uint32_t *first; /* n_rest: first entry of each row of the normal matrix */
  DaeErkBlock *blocks;
  uint32_t n_blocks, n_single, n_push;
  uint32_t *entry_at; /* by entry of M: its place in mass_lu */
  double t;
  bool has_begun; /* k[0] is there */
  uint64_t evaluations;
  bool masses_are_known; /* M is constant and factored */
} DaeErk;

DaeErk *dae_erk_new(const DaeEvaluator *ev, void *scratch); /* NULL: there is no solved form */
void dae_erk_free(DaeErk *e);                               /* NULL is fine */

/* y' (n_y) at the y in e->x; the linear unknowns are left in e->linear, with `all` the direct ones
 * in e->direct and the constraints in e->rest. 0; > 0: no value there. */
int dae_erk_slope(DaeErk *e, double t, bool all, double *slope);
/* Moves the y in e->x towards the constraints by one Gauss-Newton step, weight (n) is the norm.
 * *residual: before it, scaled. 0; > 0: no value there, or the constraints depend on each other. */
int dae_erk_project(DaeErk *e, double t, const double *weight, const double *nominal,
                    double *residual);
/* Largest of e->rest, scaled as the last projection found. */
double dae_erk_residual(const DaeErk *e);
/* The unknowns without derivative, as the last slope with `all` left them, into x (n). */
void dae_erk_put_algebraic(const DaeErk *e, double *x);

#endif
