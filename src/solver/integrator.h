/* An integration that can be stopped, looked into and started again: what runs, event loops and
 * sweeps are made of.
 *
 *     it = dae_integrator_new(evaluator, &options, x, &status)
 *     while (dae_integrator_t(it) < end)
 *       status = dae_integrator_step(it, next time event, &roots, &stop)   one accepted step
 *       ... dae_integrator_point(it, t, &point) for output times in that step ...
 *       at an event: dae_integrator_reinit(it, &reinit)
 *     dae_integrator_free(it)
 *
 * Radau meets the limit and the roots exactly. The methods with a fixed step keep their grid: a
 * limit is met by the first step that reaches it, and roots are told at the end of the step in
 * which they were crossed. One thread for one integrator; evaluators may be shared. */
#ifndef DAE_SOLVER_INTEGRATOR_H
#define DAE_SOLVER_INTEGRATOR_H

#include "solver/solver.h"

typedef struct DaeIntegrator DaeIntegrator;

typedef struct {
  double low, high;
} DaeRange;

/* Guards g_i(t, x). Each stands on a side, +1 or -1, and is crossed when side*g < -threshold: it
 * has left its side. The event is where g itself changes sign, if it was on its side at the
 * begin of the step, else where the threshold is passed.
 *
 * Affine guards, g = constant + slope*t + sum factor*x[column], are followed by their polynomial
 * on the dense output in Bernstein form: no crossing inside a step is missed, however short.
 * Others are looked at between the stages, and where they come near zero. */
typedef struct {
  uint32_t n;
  /* All guards at `lanes` points: t[l], x[j*lanes + l], out[i*lanes + l]. NaN: not crossed. */
  void (*values)(void *user, unsigned lanes, const double *t, const double *x, double *out);
  void *user;
  const int8_t *side;      /* n; 0: not looked at */
  const double *threshold; /* n, >= 0; NULL: zeros */
  /* NULL: no guard is affine; else row i is affine_start[i] ... affine_start[i + 1] - 1 */
  const uint8_t *is_affine;
  const uint32_t *affine_start, *affine_column;
  const double *affine_factor, *affine_constant, *affine_slope;
  /* by unknown: it has no derivative, so that between the stages it is interpolated only; NULL: not
   * known */
  const uint8_t *is_algebraic;
  /* Guards that are not affine: the unknowns in guard i, and whether it can be below -threshold for
   * some time and unknowns (by column; only these are set) in the ranges. NULL: not known */
  const uint32_t *used_start, *used_column;
  bool (*may_cross)(void *user, uint32_t i, DaeRange time, DaeRange *x, double threshold);
  /* Guard i alone, where only its unknowns in x are set; NULL: `values` gives it */
  double (*value)(void *user, uint32_t i, double t, const double *x);
  const uint8_t *is_bounded; /* by guard: can may_cross tell at all? NULL: of each guard */
  /* the event's point is that of the dense output; otherwise the step is made again up to the
   * event */
  bool from_dense_output;
} DaeRoots;

typedef enum {
  DAE_STOP_STEP,  /* a step */
  DAE_STOP_LIMIT, /* a step that ends at the limit */
  DAE_STOP_ROOT   /* a step that ends where a guard was crossed */
} DaeStopKind;

typedef struct {
  DaeStopKind kind;
  double t; /* where the integrator stands now */
  /* ROOT: the guards were on their sides there; t - before is some units in the last place */
  double before;
  uint32_t n_crossed;
  /* ROOT: the guards crossed there, increasing; valid until the next call */
  const uint32_t *crossed;
} DaeStop;

/* options are copied, their nominal values too; t_start ... t_stop is the whole span. x: start
 * values, moved onto the constraints. NULL: the options are bad or there is no memory plan for a
 * fixed step; a failed start gives an integrator whose result can be asked for. */
DaeIntegrator *dae_integrator_new(const DaeEvaluator *evaluator,
                                  const DaeSolverOptions *options, const double *x,
                                  DaeSolverStatus *status);
void dae_integrator_free(DaeIntegrator *it); /* NULL is fine */

/* One accepted step, not beyond limit (> t). roots may be NULL. After a failure t and x are
 * those before the step. */
DaeSolverStatus dae_integrator_step(DaeIntegrator *it, double limit, const DaeRoots *roots,
                                    DaeStop *stop);

double dae_integrator_t(const DaeIntegrator *it);
double dae_integrator_t_old(const DaeIntegrator *it); /* begin of the last step */
const double *dae_integrator_x(const DaeIntegrator *it);
/* Dense output at t in [t_old, t]; x or xdot may be NULL. Before the first step: the current
 * point. */
void dae_integrator_value(DaeIntegrator *it, double t, double *x, double *xdot);

/* The point at t in [t_old, t] moved onto the constraints, with x' from the equations there, as
 * results have it. */
typedef struct {
  const double *x, *xdot;
  const uint8_t *states;
} DaeIntegratorPoint;

bool dae_integrator_point(DaeIntegrator *it, double t, DaeIntegratorPoint *point);

typedef struct {
  const double *t;               /* of the event, not before; NULL or fixed steps: as it is */
  const double *x;               /* NULL: as it is */
  const double *segment;         /* NULL: as they are */
  const DaeEvaluator *evaluator; /* NULL: the same; it must outlive the integrator */
  /* n, of a new evaluator; NULL: as before, if it has as many unknowns */
  const double *nominal;
  /* what this evaluator and these segment values are called: Jacobian and factors of a mode seen
   * before serve again; 0: no name */
  uint64_t mode;
  double step; /* 0: chosen from the one before */
} DaeReinit;

/* Other segment values with which the solution goes on as smoothly as before: nothing else begins
 * anew. False: this method cannot do that. */
bool dae_integrator_renew(DaeIntegrator *it, const double *segment);

/* Goes on from here with other values: x is moved onto the constraints. Does not allocate where
 * the mode, or its evaluator, was there before. */
DaeSolverStatus dae_integrator_reinit(DaeIntegrator *it, const DaeReinit *reinit);

/* Statistics since `new`, over all modes, and where a failure lies. */
void dae_integrator_result(DaeIntegrator *it, DaeSolverResult *result);

#endif
