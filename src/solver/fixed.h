/* The methods with a fixed step behind the interface of an integrator; for integrator.c,
 * multistep.c and fixed.c. */
#ifndef DAE_SOLVER_FIXED_H
#define DAE_SOLVER_FIXED_H

#include "solver/branch.h"
#include "solver/integrator.h"
#include "solver/multistep.h"

typedef struct DaeFixed DaeFixed;

#define DAE_TIME_BUCKETS 4096u

struct DaeFixed {
  const DaeSolverOptions *options;
  const DaeEvaluator *evaluator;
  DaeStepPlan *plan;
  DaeStepper *stepper;
  DaeSolverResult result;
  DaeOutputPoint output;
  void *user;
  uint8_t *states;
  double *point, *slope; /* output point under construction */
  double *last;          /* the last one written */
  double h;
  uint64_t step;  /* grid point that the current point is */
  uint64_t begin; /* grid point of the start, or of the last restart */
  uint64_t first; /* grid point up to which the start went */
  /* of the current point in the history: 1 while the start is one step ahead */
  uint32_t place;
  bool is_started;    /* the history is filled */
  double clock_start; /* of the paced steps; 0: none yet */
  uint64_t n_steps;
  uint64_t n_outputs; /* written so far */
  uint64_t *buckets;
  double total_time;
  uint64_t n_timed;
  uint64_t n_regular; /* steps after a start */
  double turnaround_sum, staleness_sum;
  const DaeEvents *events; /* NULL: none */
  double *event_old, *event_new;
  double *segment; /* NULL: as the options say */
  double *root_values;
  uint32_t *crossed;
  uint32_t root_room;
  /* pole.c */
  double *largest;   /* n: of the values so far */
  uint64_t n_looked; /* steps of radau */
  DaeBranch *branch; /* as many equations as unknowns: their signs; NULL: not watched */
  double *branch_m, *branch_gx;
  /* unsolved.c, for the evaluator at hand */
  DaeStepSlot *look;  /* matrices of its own; NULL: none needed so far */
  double *range;      /* n: largest values, not below errors that are none */
  uint32_t zigzags;   /* steps to and fro, without a break */
  uint32_t unbounded; /* unknown in front of a pole; UINT32_MAX: none */
  /* twin.c */
  DaeFixed *twin; /* NULL: not made */
  DaeSolverOptions twin_options;
  double *twin_begin;         /* n: where the last restart was */
  double *error, *error_time; /* n: the largest error so far, by the twin */
  bool twin_is_fine;          /* its steps are half as long, else twice */
  bool has_no_twin;           /* it cannot go this way */
  bool has_plan_of_another;
};

/* multistep.c */
double dae_fixed_time(const DaeFixed *run, uint64_t k); /* of grid point k */
/* Cubic Hermite between the history points k + 1 and k, into run->point. */
void dae_fixed_interpolate(DaeFixed *run, uint32_t k, double theta);
void dae_fixed_summarize(DaeFixed *run); /* step times, for the statistics */

/* Never NULL; not made: dae_fixed_status tells why. options are borrowed, x is copied. */
DaeFixed *dae_fixed_new(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                        const double *x, const DaeEvents *events, DaeOutputPoint output,
                        void *user);
/* For a look at a way that another run goes: without looks of its own. plan: borrowed. */
DaeFixed *dae_fixed_new_look(const DaeEvaluator *evaluator, const DaeSolverOptions *options,
                             DaeStepPlan *plan, const double *x);
void dae_fixed_free(DaeFixed *run);
bool dae_fixed_is_made(const DaeFixed *run);
DaeSolverStatus dae_fixed_status(const DaeFixed *run);
DaeSolverStatus dae_fixed_start(DaeFixed *run);
DaeSolverStatus dae_fixed_step(DaeFixed *run);
/* Output points up to the current one, and events; false: the caller wants to stop. */
bool dae_fixed_deliver(DaeFixed *run);
bool dae_fixed_is_at_end(const DaeFixed *run);
double dae_fixed_t(const DaeFixed *run);
const double *dae_fixed_x(const DaeFixed *run);
void dae_fixed_value(DaeFixed *run, double t, double *x, double *xdot);
double *dae_fixed_point(DaeFixed *run); /* n: room for a point */
const double *dae_fixed_slopes(DaeFixed *run, double t, const double *x);
const uint8_t *dae_fixed_states(const DaeFixed *run);
void dae_fixed_look_at_roots(DaeFixed *run, const DaeRoots *roots, DaeStop *stop);
/* unsolved.c: after a step of the given order and size to t, also a small one of the start. The
 * statistics count steps that do not solve their equations; one to no numbers has failed. */
DaeSolverStatus dae_fixed_look_at_defect(DaeFixed *run, uint32_t order, double h, double t);
/* After a regular step: counts those that go to and fro, as coarse ones. */
void dae_fixed_look_for_zigzag(DaeFixed *run);
/* twin.c: from x on; after a step; at the end, for the statistics. */
void dae_fixed_begin_twin(DaeFixed *run, const double *x);
void dae_fixed_compare_with_twin(DaeFixed *run);
/* Before a restart: a single step since the last one was too short for steps twice as long. */
void dae_fixed_compare_last_with_twin(DaeFixed *run);
void dae_fixed_summarize_twin(DaeFixed *run);
void dae_fixed_drop_twin(DaeFixed *run);
/* pole.c: of the evaluator at hand, whose signs are to be watched from the next step on. */
void dae_fixed_begin_branch(DaeFixed *run);
/* Guards that have left their sides at this point, into run->crossed. */
uint32_t dae_fixed_n_crossed(DaeFixed *run, const DaeRoots *roots, double t, const double *x);
/* False: a worker under way has the old values. */
bool dae_fixed_renew(DaeFixed *run, const double *segment);
DaeSolverStatus dae_fixed_reinit(DaeFixed *run, const DaeReinit *reinit);
void dae_fixed_result(DaeFixed *run, DaeSolverStatus status, DaeSolverResult *result,
                      double *x);

#endif
