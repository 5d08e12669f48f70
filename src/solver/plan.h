/* The plan of a fixed-step method: which matrices a step has, and how they are eliminated.
 * Integers and patterns only, so that the exporter can write the same step as text; multistep.h
 * says what the matrices are for. */
#ifndef DAE_SOLVER_PLAN_H
#define DAE_SOLVER_PLAN_H

#include "solver/normal.h"
#include "solver/solver.h"

#define DAE_NO_ENTRY UINT32_MAX

/* A matrix put together from M, K and G: entry e is alpha*m[from_m] - h*k[from_k] or gx[from_g]. */
typedef struct {
  /* leading rows that are rows of alpha*M - h*K (or of M); row r is row r of the system */
  uint32_t n_dynamic;
  uint32_t n_rows;
  uint32_t *constraint; /* n_rows - n_dynamic: numbers of the constraints that follow */
  uint32_t n_columns;
  uint32_t *unknown;                  /* n_columns: the unknown of each column */
  uint32_t *from_m, *from_k, *from_g; /* by entry; DAE_NO_ENTRY: none */
  DaeNormal *normal;
} DaeStepMatrix;

typedef struct {
  uint32_t n, n_diff, n_con;
  uint8_t *is_algebraic;        /* n */
  uint8_t *serves;              /* n_con: a row of the square core */
  uint8_t *is_left_out;         /* n_con: not in the coupled projection */
  bool slopes_need_constraints; /* M alone does not give x'_d */
  DaeStepMatrix slopes;         /* M (and serving rows of G) for x' */
  DaeStepMatrix algebraic;      /* serving rows of G, algebraic columns */
  DaeStepMatrix newton;         /* alpha*M - h*K, serving rows */
  DaeStepMatrix coupled;        /* alpha*M - h*K, constraints but the left-out ones */
  DaeStepMatrix norm;           /* G itself; its normal is that of the transposed */
} DaeStepPlan;

/* From the patterns, and where they do not decide, from numbers at the start. NULL: the system
 * is singular there or outside its domain (*status says which). */
DaeStepPlan *dae_step_plan_new(const DaeEvaluator *evaluator, const double *segment, double t,
                               const double *x, DaeSolverStatus *status);
void dae_step_plan_free(DaeStepPlan *plan);
/* x' at (t, x) as a step of the plan finds it, into slopes (in: a guess). segment: NULL for the
 * evaluator's own. */
DaeSolverStatus dae_step_plan_find_slopes(const DaeStepPlan *plan,
                                          const DaeEvaluator *evaluator, const double *segment,
                                          double t, const double *x, double *slopes);

#endif
