/* Fixed-step methods with bounded work [004]: Adams-Bashforth and BDF of order 3, the two Euler
 * methods, and inexact projections onto the constraints. For the files of this room
 * (multistep*.c) and its tests; the exporter sees plan.h.
 *
 * Unknowns split by the leading matrix: column j of M empty: x_j is algebraic
 * (multipliers, accelerations introduced by the reduction), else differential. The square
 * core of the system, index 1, is
 *     M x' = f        0 = g_i for the rows i that serve: they determine the
 *                     algebraic unknowns (and complete M)
 * and what remains of g are invariants of the exact flow that the methods only keep by projection.
 *
 *   AB3    x_d(n+1) = x_d(n) + h (23 x'_n - 16 x'_(n-1) + 5 x'_(n-2))/12, then one Newton
 *          step for the algebraic unknowns.
 *   BDF3   M (11/6 x - 3 x_n + 3/2 x_(n-1) - 1/3 x_(n-2)) - h f = 0 with the serving rows, K
 *          Newton iterations from the last value; with the worker thread simplified ones, with
 *          the newest matrix that is ready.
 *   Projection, coupled (default): one unweighted Gauss-Newton step on the BDF equations
 *   (times h) and the constraints
 *          together; hidden constraints that serve are left out, because the multipliers
 *          are free here: this reproduces the paper (docs/realtime.md). Then one Newton
 *          step for the algebraic unknowns.
 *   Projection, minimum norm: algebraic unknowns, then the shortest step to g = 0 linearized. */
#ifndef DAE_SOLVER_MULTISTEP_H
#define DAE_SOLVER_MULTISTEP_H

#include "solver/plan.h"

/* Coefficients of order 1, 2, 3; [0] belongs to the new point (BDF) or to the newest slope (AB). */
extern const double dae_bdf_coefficients[4][4];
extern const double dae_adams_coefficients[4][3];

/* The matrices of one Jacobian with their factors; the parallel variant has several. */
typedef struct {
  double *newton_values, *projection_values; /* A */
  DaeNormalFactor *newton, *projection;
  uint32_t fault; /* row whose Jacobian could not be evaluated */
  double *m, *k, *gx;
  uint64_t made_at_step;
  double turnaround; /* seconds */
} DaeStepSlot;

#define DAE_HISTORY 5u

typedef struct DaeStepWorker DaeStepWorker;

typedef struct {
  const DaeEvaluator *evaluator;
  const DaeStepPlan *plan;
  const DaeSolverOptions *options;
  void *scratch;
  const double *segment;      /* NULL: those of the evaluator */
  double *x[DAE_HISTORY];     /* newest first */
  double *slope[DAE_HISTORY]; /* x' there */
  double *next;               /* the point under construction */
  double *q;                  /* h*x' by the BDF formula */
  double *xdot, *m, *k, *gx, *gt, *f, *g, *r, *delta;
  double *slopes_values, *algebraic_values;
  DaeNormalFactor *slopes, *algebraic;
  DaeStepSlot *slot;     /* the matrices in use */
  DaeStepWorker *worker; /* NULL: every step makes its own */
  uint64_t step;         /* regular steps so far */
  bool is_counting;
  DaeSolverStats *stats;
  uint32_t fault; /* row, when a function failed */
} DaeStepper;

/* x: start values, copied. */
DaeStepper *dae_stepper_new(const DaeEvaluator *evaluator, const DaeStepPlan *plan,
                            const DaeSolverOptions *options, const double *x);
void dae_stepper_free(DaeStepper *stepper);
/* One step of size h and the given order to time t; x[0] and slope[0] are then the new point. */
DaeSolverStatus dae_stepper_advance(DaeStepper *stepper, uint32_t order, double h, double t);
/* All of x' at x, from [M; G] x' = [f; -g_t]; guess is improved in place. */
DaeSolverStatus dae_stepper_find_slopes(DaeStepper *stepper, double t, const double *x,
                                        double *guess);
bool dae_stepper_uses_slopes(const DaeStepper *stepper);

/* multistep_residual.c. q = h*x' by the BDF formula at x, and x' itself for the Jacobian. */
void dae_stepper_set_quotient(DaeStepper *stepper, uint32_t order, double h, const double *x);
/* r = -(M q - h f; g of the matrix's constraints). */
void dae_stepper_discretized_residual(DaeStepper *stepper, const DaeStepMatrix *matrix,
                                      double h);
void dae_stepper_serving_residual(DaeStepper *stepper); /* r of these rows, negated */

DaeStepSlot *dae_step_slot_new(const DaeEvaluator *evaluator, const DaeStepPlan *plan,
                               DaeProjection projection);
void dae_step_slot_free(DaeStepSlot *slot);
/* For messages: the row with the largest entry of the Jacobians, and the unknown of the largest
 * one in a row. UINT32_MAX: none. */
uint32_t dae_step_slot_largest_row(const DaeStepSlot *slot, const DaeEvaluator *evaluator);
uint32_t dae_step_slot_largest_unknown(const DaeStepSlot *slot, const DaeEvaluator *evaluator,
                                       uint32_t row);

typedef struct {
  double t, h, alpha;
  const double *x, *xdot;
} DaeStepPoint;

typedef enum { DAE_SLOT_NEWTON = 1, DAE_SLOT_PROJECTION = 2 } DaeSlotParts;

/* alpha*M - h*K and rows of G, entry by entry. */
void dae_step_slot_gather(const DaeStepMatrix *matrix, double alpha, double h, const double *m,
                          const double *k, const double *gx, double *values);
/* Evaluates the Jacobian and factorizes what is asked for; > 0:
 * outside the domain, < 0: singular. */
int dae_step_slot_fill(DaeStepSlot *slot, const DaeEvaluator *evaluator,
                       const DaeStepPlan *plan, void *scratch, DaeProjection projection,
                       int parts, const DaeStepPoint *point);

/* The worker thread [004, section 5]: the loop offers points and takes the
 * newest finished matrices; in real time neither waits, without a clock `newest`
 * waits for the point offered last. */
DaeStepWorker *dae_step_worker_new(const DaeStepper *stepper);
void dae_step_worker_free(DaeStepWorker *worker); /* ends the thread */
void dae_step_worker_offer(DaeStepWorker *worker, uint64_t step, const DaeStepPoint *point);
DaeStepSlot *dae_step_worker_newest(DaeStepWorker *worker);
bool dae_step_worker_is_awaited(const DaeStepWorker *worker); /* no clock paces the loop */
double dae_step_clock(void); /* seconds, for statistics and real time */

/* Levels of halving of the first step: the start is made with steps of h/2^6, then h/2^5, ... */
#define DAE_START_LEVELS 6u

#endif
