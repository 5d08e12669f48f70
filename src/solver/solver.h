/* Integrates M(x,t) x' = f(x,t), 0 = g(x,t), given only functions (eval/evaluator.h).
 *
 * Over-determined Radau IIa [HairerWanner96; HoegerSteinbrecher, section 3]: the stage system is
 * solved with the constraints to tolerance and the differential part by locally selected rows;
 * state selection happens inside, at each Jacobian. Knows nothing of terms, models, names or
 * files. SuiteSparse lives in this room and in numeric. */
#ifndef DAE_SOLVER_SOLVER_H
#define DAE_SOLVER_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "eval/evaluator.h"

G_BEGIN_DECLS

typedef enum {
  DAE_METHOD_RADAU,
  DAE_METHOD_AB3,
  DAE_METHOD_BDF3,
  DAE_METHOD_EULER,
  DAE_METHOD_IMPLICIT_EULER
} DaeMethod;

typedef enum { DAE_PROJECT_COUPLED, DAE_PROJECT_MINIMUM_NORM } DaeProjection;

/* An accepted step of radau, or of the explicit method in its place (newton 0). */
typedef struct {
  double t, size; /* where it ends, how long it was */
  int order;
  uint32_t newton; /* iterations */
  double error;    /* estimate over tolerance */
  void *dense;
  uint32_t n;
} DaeStepRecord;

/* The n unknowns at a time of the step, by its polynomial. Only
 * while the record is being told. */
void dae_step_value(const DaeStepRecord *record, double t, double *x);

/* May radau leave steps to an explicit method? AUTO: where the problem is not stiff. SMOOTH: the
 * same, but never in a run with events. ONLY: wherever there is one, stiff or not. */
typedef enum {
  DAE_EXPLICIT_NEVER,
  DAE_EXPLICIT_SMOOTH,
  DAE_EXPLICIT_AUTO,
  DAE_EXPLICIT_ONLY
} DaeExplicitUse;

typedef enum { DAE_LINEAR_AUTO, DAE_LINEAR_DENSE, DAE_LINEAR_SPARSE } DaeLinear;

/* Conditions that make no events: their signs say which branch the equations are on. */
typedef struct {
  uint32_t n;
  /* n numbers below n: those in one equation, or in equations that share conditions */
  const uint32_t *group;
  const uint8_t *is_nested; /* n: its function has other conditions in it */
  /* All at `lanes` points: t[l], x[j*lanes + l], out[i*lanes + l]; false: no values */
  bool (*values)(void *user, unsigned lanes, const double *t, const double *x, double *out);
  void *user;
} DaeConditions;

typedef struct {
  DaeMethod method;
  double t_start, t_stop;
  double rtol, atol;
  const double *nominal;     /* n scale factors for atol, or NULL (all 1) */
  double initial_step;       /* 0: automatic */
  double max_step, min_step; /* 0: automatic */
  /* radau: times, increasing, at which a step ends because the equations change quickly there */
  const double *landmarks;
  uint32_t n_landmarks;
  const DaeConditions *conditions; /* radau: no step passes over a branch; NULL: none */
  uint64_t max_steps;              /* 0: no limit */
  int order;                       /* 5, 9, 13, or 0 = automatic */
  DaeLinear linear;
  DaeExplicitUse explicit_use;
  /* fixed-step methods; step > 0 with DAE_METHOD_RADAU: constant steps, the
   * tolerances only end Newton's iteration */
  double step;
  uint32_t newton, projections;
  DaeProjection projection;
  bool constant_history;  /* artificial history instead of orders 1, 2, 3 */
  double realtime_period; /* > 0: paced by the clock */
  bool parallel;          /* Jacobian and factors refreshed by a worker thread */
  /* output: at t_start + k*interval and t_stop when interval > 0, at each step otherwise */
  double interval;
  /* states[] wanted also for large models, where they cost an elimination per
   * point; small ones have them always */
  bool states;
  bool (*is_stopped)(const void *stop_user); /* asked before each step: end here? NULL: never */
  const void *stop_user;
  bool is_look;          /* of the solver itself: what lies behind the end is not asked for */
  const double *segment; /* segment values (eval/evaluator.h); NULL: those of the evaluator */
  void (*on_step)(void *step_user, const DaeStepRecord *record); /* NULL: nobody listens */
  void *step_user;
  bool no_event_rows; /* results on the output grid only */
  /* xdot at output points may be that of the dense output: saves a Jacobian per point */
  bool no_xdot;
} DaeSolverOptions;

void dae_solver_default_options(DaeSolverOptions *options);

/* Can a run with these options have explicit steps? Only then the solved form of a system is asked
 * for. */
bool dae_solver_may_be_explicit(const DaeSolverOptions *options);

/* Time of output k with interval > 0: k intervals after the start, or the end
 * where that is near or passed. */
double dae_solver_output_time(const DaeSolverOptions *options, uint64_t k);

typedef struct {
  uint64_t steps_explicit, method_changes; /* radau: accepted steps of the explicit methods */
  uint64_t steps_accepted, steps_rejected, newton_failures, newton_iterations;
  uint64_t rhs_evaluations, mass_evaluations, jacobian_evaluations;
  uint64_t factorizations_constraints, factorizations_differential, back_substitutions;
  uint64_t state_selections; /* changes of the local selection */
  uint64_t switch_crossings;
  /* points where branches of the constraints meet, passed in the direction the solution had */
  uint64_t branch_points;
  double first_branch_point; /* its time */
  /* steps of the implicit Euler method over points where radau had none */
  uint64_t singular_steps;
  double first_singular_step; /* where it began */
  /* such steps over a jump of unknowns where a condition that makes no event changes */
  uint64_t leaps;
  double first_leap; /* where it began */
  uint32_t leaping_unknown;
  /* fixed steps that went elsewhere than the solution through the point before, by most of the
   * largest value of an unknown so far */
  uint64_t coarse_steps;
  double first_coarse_step; /* where it began */
  uint32_t coarse_unknown;
  /* fixed steps whose last correction did not end near a solution of their equations */
  uint64_t unsolved_steps;
  double first_unsolved_step; /* where it ended */
  uint32_t unsolved_unknown;  /* what the next correction moves most; UINT32_MAX: none */
  uint32_t unsolved_row;      /* the equation that is violated most; UINT32_MAX: none */
  /* fixed steps: the estimated error, as a part of the largest value of its unknown */
  double step_error;
  double step_error_time; /* where it was largest */
  uint32_t step_error_unknown;
  double max_constraint_residual; /* at output points (without any: at steps), scaled as atol */
  double t, last_step;
  /* rows of g that depend on the others at the start; they are only watched */
  uint32_t redundant_constraints;
  /* fixed-step methods: operations of one step */
  uint64_t flops_per_step, divisions_per_step, square_roots_per_step;
  double step_time_mean, step_time_p999, step_time_worst;
  uint64_t overruns;
  double jacobian_turnaround_mean,
      jacobian_staleness_mean; /* parallel variant: seconds, steps */
} DaeSolverStats;

typedef enum {
  DAE_SOLVER_COMPLETED,
  DAE_SOLVER_STOPPED, /* the output callback asked to stop */
  DAE_SOLVER_STEP_TOO_SMALL,
  DAE_SOLVER_NEWTON_FAILED,
  DAE_SOLVER_DOMAIN,
  DAE_SOLVER_SINGULAR,
  DAE_SOLVER_TOO_MANY_STEPS,
  DAE_SOLVER_UNBOUNDED,   /* in front of a pole of the solution */
  DAE_SOLVER_ENDS,        /* no solution behind this point: slopes without bound, x*x' = -1/2 */
  DAE_SOLVER_LEFT_BRANCH, /* a fixed step went to another solution of the constraints */
  DAE_SOLVER_JUMP,        /* a differentiated unknown is not continuous */
  DAE_SOLVER_BAD_OPTIONS,
  DAE_SOLVER_NO_START
} DaeSolverStatus;

typedef struct {
  DaeSolverStatus status;
  DaeSolverStats stats;
  /* failure: row with the largest scaled residual (n_diff + i for constraint i) */
  uint32_t worst_row;
  uint32_t worst_unknown; /* failure: unknown with the largest scaled error or correction */
} DaeSolverResult;

/* One output point: x projected onto g = 0; states[j] is 1 where unknown j is locally
 * dynamic. Return true to go on. */
typedef bool (*DaeOutputPoint)(void *user, double t, const double *x, const double *xdot,
                               const uint8_t *states);

/* Event functions located on the dense output (ready for `when`); NULL if there are none. */
typedef struct {
  uint32_t n;
  void (*values)(void *user, double t, const double *x, double *out);
  /* crossing of function i at t; return false to stop there, true to go on */
  bool (*crossed)(void *user, uint32_t i, int direction, double t, const double *x);
  void *user;
  const uint8_t *used; /* by unknown: it occurs in some function; NULL: not known */
  /* so many of the first functions cross where they do on the constraints, not just on the dense
   * output, which is less exact */
  uint32_t n_confirmed;
} DaeEvents;

DaeSolverResult dae_solver_run(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                               double *x /* in: start, out: end */, const DaeEvents *events,
                               DaeOutputPoint output, void *user);
const char *dae_solver_status_text(DaeSolverStatus status);

G_END_DECLS

#endif
