/* State of one Radau IIa integration; shared by the files of this room only.
 *
 * Stage vectors are lane-interleaved (linsys.h). Norms are root mean squares over all unknowns,
 * in units of the requested tolerance: weight_j = atol nominal_j + rtol |x_j|. */
#ifndef DAE_SOLVER_RADAU_H
#define DAE_SOLVER_RADAU_H

#include <stdbool.h>

#include "solver/branch.h"
#include "solver/erk.h"
#include "solver/integrator.h"
#include "solver/linsys.h"
#include "solver/solver.h"
#include "solver/states.h"
#include "solver/tableau.h"

/* A collocation polynomial over [t, t + h]: x(t + theta h) = x + sum_i
 * l_i(theta) z_i, l_i of degree s. */
typedef struct {
  const DaeTableau *tableau; /* NULL: none yet */
  double t, h;
  double *x; /* n */
  double *z; /* n x s */
} DaeCollocation;

/* A step that passed a place where the determinant of the equations changes its sign. */
typedef struct {
  DaeCollocation step;
  double end; /* of it */
  double *x;  /* there; NULL: no such step yet */
  bool is_set;
} DaeTurn;

/* A point of the run, with the size of the step that led to it: those from which steps became
 * shorter. */
typedef struct {
  double t, h;
  double *x, *slope;
} DaeWaypoint;

#define DAE_WAYPOINTS 8u
/* Unknowns up to which singular points are looked at so closely. */
#define DAE_TURN_UNKNOWNS 1000u

typedef enum {
  DAE_NEWTON_CONVERGED,
  DAE_NEWTON_SLOW,
  DAE_NEWTON_DIVERGED,
  DAE_NEWTON_DOMAIN,
  DAE_NEWTON_FATAL
} DaeNewtonStatus;

/* Jacobian and factors of a mode (integrator.h). Those of the current
 * mode are in DaeRadau itself. */
typedef struct {
  uint64_t key;  /* 0: unused */
  uint64_t used; /* number of the restart that used it last */
  DaeLinsys *linsys;
  double *arena; /* of the following */
  double *jac_m, *jac_k, *jac_gx;
  const DaeTableau *tableau;
  double h_factored; /* 0: not factored */
} DaeRadauMode;

/* What the first step after a restart in a mode told. Kept for more modes than factors are. */
typedef struct {
  uint64_t key;        /* 0: unused */
  uint64_t used;       /* number of the restart that used it last */
  double h;            /* to begin with next time; 0: not known */
  bool needs_jacobian; /* that of an earlier visit failed once */
} DaeFirstStep;

/* The polynomial of an explicit step is made when it is asked for. */
typedef enum {
  DAE_DENSE_OPEN,   /* nothing but the two ends */
  DAE_DENSE_Y,      /* unknowns with a derivative; the others are interpolated linearly */
  DAE_DENSE_DIRECT, /* and those that follow from them directly */
  DAE_DENSE_READY
} DaeDenseState;

#define DAE_FIRST_STEPS 256u

#define DAE_MODES_MOST 64u

typedef struct {
  const DaeEvaluator *ev;
  const DaeSolverOptions *options;
  const DaeEvents *events;
  DaeOutputPoint output;
  void *user;
  const DaeTableau *tableau;
  DaeLinsys *linsys;     /* of the current Jacobian */
  DaeLinsys *linsys_out; /* fresh one at output points; NULL: none was needed yet */
  DaeStates *states;     /* NULL unless asked for with sparse systems */
  DaeBranch *branch;     /* NULL: not watched */
  DaeBranch
      *determined; /* of an over-determined system: the part that is not; NULL: not watched */
  bool has_ended;  /* the solution, in the step just made */
  DaeSolverStats stats;
  uint32_t n, n_diff, n_con, stages_max;
  void *scratch, *scratch_block;
  double *
      segment; /* values that the scratch began its last segment with; NULL: those of options */
  void *arena; /* one block for all vectors below */

  double t, h;
  double limit;           /* steps do not go beyond this time */
  double *x, *xdot;       /* current point */
  double *xdot_old;       /* at the begin of the last step */
  double *largest;        /* of the values so far, where branches are watched */
  uint8_t *moves;         /* n: has a derivative */
  const DaeRoots *guards; /* of the step that is made; NULL: none */
  double *f, *g, *m;      /* at the current point */
  double *weight, *inverse_weight, *nominal;
  double *jac_m, *jac_k, *jac_gx, *gt; /* of the current Jacobian */

  double w_columns[DAE_STAGES_MAX][8]; /* of W, zeros in the spare lanes */
  double *z, *xs, *wz;                 /* n x lanes */
  double *fs, *gs, *ms;                /* stage values */
  double *residual, *delta;            /* n_diff x s, n x s */
  double *error, *work, *work_m;       /* n, max(n, n_diff, n_con), nnz(M) */
  DaeCollocation last;                 /* the last accepted step */
  DaeWaypoint way[DAE_WAYPOINTS];
  uint32_t n_waypoints;
  double *way_store;    /* NULL: none are kept */
  DaeTurn turn;         /* undone, and its time not yet passed */
  DaeStepRecord record; /* of it, until it is told: it may be made again; order 0: none */

  double theta, faccon, newton_tolerance, suggested_factor;
  double last_norm; /* of a Newton correction */
  /* corrections below this come from rounding, whatever the step size; 0: not known */
  double noise;
  double failed_norm,
      failed_h; /* where Newton gave up first in this step; failed_h 0: nowhere */
  bool is_returning;
  uint32_t n_returns;             /* steps made again because none led on */
  double outside_h;               /* where it left the domain first in this step; 0: nowhere */
  double error_norm, error_ratio; /* tolerance of the error estimate over the requested one */
  double error_bare;              /* error_norm without its lower bound */
  double h_accepted, error_accepted;
  uint32_t largest_rank; /* of the constraints, in any mode so far */
  double error_constants[DAE_TABLEAUS], estimate_ratios[DAE_TABLEAUS]; /* of each order */
  double h_wanted;      /* before the step was cut to meet a time exactly */
  double step_residual; /* of the constraints at the current point, scaled */

  /* output */
  double *x_out, *xdot_out, *f_out, *g_out, *m_out, *gx_out, *gt_out, *dx_out;
  uint64_t outputs; /* number k of the next output point */
  double *switch_old, *switch_new;
  double *event_old, *event_new, *event_x;
  double *root_x;     /* n x DAE_LANES_MAX: points of the dense output */
  double *root_store; /* values of the guards; grows with their number */
  uint32_t *crossed;
  uint32_t root_room;
  DaeRange *root_range; /* n: of the unknowns in a box */
  double *passed_store; /* of passed.c; NULL: none yet */
  double *second_store; /* of radau_doubt.c; NULL: none yet */
  double *root_boxes;   /* Bernstein coefficients of boxes, by level */
  size_t box_room;

  /* modes */
  DaeRadauMode modes[DAE_MODES_MOST];
  DaeRadauMode own; /* of the mode without a name */
  DaeFirstStep first_steps[DAE_FIRST_STEPS];
  DaeRadauMode *current; /* whose linsys and jac_... are in use */
  uint64_t restarts;
  double h_factored; /* size of the current factors */

  /* explicit steps */
  DaeErk *erk;               /* NULL: none can be made */
  const DaeErkTableau *pair; /* of the explicit steps */
  bool is_explicit;          /* the next step is one, */
  bool leaves_explicit;      /* unless the last one showed that the problem is stiff */
  bool last_is_explicit;
  DaeDenseState dense; /* how much of the polynomial of the last step is there */
  /* of the last accepted step; 0: none that tells */
  double explicit_error, explicit_h;
  uint32_t stiff_steps,
      loose_steps; /* steps that spoke for a change of the method, or against */
  uint32_t fast_steps, steps_at_pair, slow_looks;
  uint32_t look_every, next_look; /* in steps of radau */
  double h_looked;                /* size of the step at the last look */
  uint32_t explicit_rejected;     /* tries of this step */
  double h_entered;               /* where explicit steps began: that of radau */
  bool has_entered;               /* one was accepted since */
  uint32_t explicit_rest;         /* steps of radau before another change */
  uint32_t steps_at_radau;        /* since the last one */
  bool watches_roots;             /* the polynomial of each step is asked for */
  double spectrum;                /* estimate of the largest |lambda|; 0: none */
  bool form_is_singular;          /* its slopes are not those of the system: none is made */
  bool was_stiff;                 /* in a step of radau */
  bool dies_away;                 /* its motion does, rather than swing */

  double longest;          /* accepted step since the last start */
  uint32_t euler_in_a_row; /* steps of that method since the last of radau */
  uint32_t failures;       /* of Newton's method in this step */
  uint32_t iterations;     /* of the last Newton iteration */
  uint32_t steps_at_order; /* since the order was changed */
  uint32_t steady;         /* steps in a row that grew while their error did not */
  uint32_t rest;           /* steps at order 5 before it may rise, once it has fallen */
  double recent_failures;  /* of Newton's method; each accepted step takes a tenth off */
  uint32_t worst_row, worst_unknown;
  bool jacobian_is_fresh;    /* evaluated for the current step */
  bool jacobian_is_ahead;    /* not at its start but further on */
  bool jacobian_is_far;      /* it is ahead, and its point far from where the last step went */
  bool jacobian_is_doubtful; /* of a start, where it may be far from those inside the step */
  bool factored;
  /* those of the stages: M is constant and was evaluated at this order */
  bool masses_are_known;
  bool is_prepared; /* the next step is; otherwise the last one was h_done */
  double h_done;
  bool is_repeating;  /* a step is made again, with its own polynomial for a start */
  bool after_restart; /* no step yet */
  bool first, rejected;
  bool is_ramping; /* only steps far below the tolerance so far: they may grow quickly */
  bool clipped;
  bool is_settled; /* the start of this step meets the constraints to rounding */
  bool refreshed;  /* the Jacobian, at the end of the last step */
  bool cautious;   /* constant steps: this one failed with extrapolated values */
  bool stopped;
  bool no_output_there; /* the equations have no value at an output time, whatever x is */
} DaeRadau;

/* stage.c */
int dae_radau_evaluate(DaeRadau *r, unsigned lanes, const double *t, const double *x,
                       DaeOut *out);
int dae_radau_stage_residuals(DaeRadau *r, double h);
void dae_radau_predict(DaeRadau *r, double h);
void dae_radau_correct_stages(DaeRadau *r); /* z += delta */
/* Does h f - M W Z exceed these parts of tolerances and of sizes in some row? */
bool dae_radau_has_gaps(const DaeRadau *r, double h, double part, double rounded);
double dae_radau_stage_norm(const DaeRadau *r, const double *v);

/* Unknowns from which a model counts as large: a Jacobian and its factors cost as much as many
 * iterations, so that one more failure is better than many careful steps. */
#define DAE_LARGE_FROM 56

/* erk_step.c: explicit steps */
typedef enum {
  DAE_EXPLICIT_ACCEPTED,
  DAE_EXPLICIT_AGAIN, /* with r->h */
  DAE_EXPLICIT_LEFT   /* radau goes on from here */
} DaeExplicitOutcome;

DaeExplicitOutcome dae_radau_try_explicit(DaeRadau *r, double t_new);
/* The point moved onto the constraints, with the unknowns without derivative; false: there is
 * none. */
bool dae_radau_settle_explicit(DaeRadau *r, double t, double *x, double *residual);

/* erk_dense.c: makes the polynomial of the last step, as far as it is needed. */
void dae_radau_close_dense(DaeRadau *r, DaeDenseState needed);
/* The unknowns at one of the stages of the last step that are looked at (erk_tableau.h), with those
 * that follow directly if wanted. Returns its time; NAN: no value there. */
double dae_radau_look_at_stage(DaeRadau *r, uint32_t look, bool direct, double *x);
/* What the functions of events need. */
DaeDenseState dae_radau_dense_of_events(const DaeRadau *r);

/* erk_switch.c */
void
dae_radau_begin_explicit(DaeRadau *r); /* at a start: chooses the method and its first step */
DaeSolverStatus dae_radau_leave_explicit(DaeRadau *r);   /* radau goes on from here */
bool dae_radau_explicit_is_stiff(DaeRadau *r, double h); /* before a step is accepted */
bool dae_radau_passes_over(DaeRadau *r, double h);       /* after that */
void dae_radau_look_for_explicit(DaeRadau *r);           /* after an accepted step of radau */

/* An estimate is a difference of numbers of the size of the solution: held below this it follows
 * rounding errors, and steps become as small as they may. */
#define DAE_ESTIMATE_LEAST 1e-10

/* radau_inside.c: of the polynomial of the step just solved for between its nodes, over what it may
 * be; 0 where it need not be looked at. */
double dae_radau_error_inside(DaeRadau *r, double h);

/* newton.c */
DaeNewtonStatus dae_radau_newton(DaeRadau *r, double h);

/* control.c */
void dae_radau_set_order(DaeRadau *r, const DaeTableau *tableau);
void dae_radau_set_weights(DaeRadau *r);
double dae_radau_norm(const DaeRadau *r, const double *v);
int dae_radau_estimate_error(DaeRadau *r, double h);
double dae_radau_next_step(DaeRadau *r, double h, bool accepted);
double dae_radau_starting_step(DaeRadau *r);

double dae_radau_estimate_ratio(const DaeSolverOptions *options, const DaeTableau *tableau);

/* order.c */
void dae_radau_prepare_orders(DaeRadau *r); /* constants of all orders, once */
const DaeTableau *dae_radau_first_order(const DaeSolverOptions *options);
double dae_radau_choose_order(DaeRadau *r, double h, double next);

/* dense.c */
void dae_collocation_basis(const DaeTableau *tableau, double theta, double *basis);
void dae_collocation_tail_basis(const DaeTableau *tableau, uint32_t dropped, double theta,
                                double *basis);
void dae_collocation_basis_derivative(const DaeTableau *tableau, double theta, double *basis);
void dae_collocation_value(const DaeCollocation *c, uint32_t n, double t, double *x);
/* The same for these columns only. */
void dae_collocation_values(const DaeCollocation *c, const uint32_t *column, uint32_t n,
                            double t, double *x);
void dae_collocation_derivative(const DaeCollocation *c, uint32_t n, double t, double *xdot);

/* output.c: false when the callback asked to stop (or an event did) */
bool dae_radau_output_start(DaeRadau *r);
bool dae_radau_output_step(DaeRadau *r);
double dae_radau_output_time(const DaeRadau *r, uint64_t k); /* INFINITY: none */
int dae_radau_polish(DaeRadau *r, DaeLinsys *linsys, double t, double *x, double *f, double *g,
                     double *m, double target, double *residual);
double dae_radau_polish_target(const DaeRadau *r);
void dae_radau_note_residual(DaeRadau *r, double residual);

/* events.c */
bool dae_radau_events_start(DaeRadau *r);
bool dae_radau_events_step(DaeRadau *r);
bool dae_radau_crosses_switch(DaeRadau *r, double t_new);
void dae_radau_count_switches(DaeRadau *r, bool count);

/* radau.c */
DaeRadau *dae_radau_new(const DaeEvaluator *ev, const DaeSolverOptions *options,
                        const double *x, const DaeEvents *events, DaeOutputPoint output,
                        void *user);
void dae_radau_free(DaeRadau *r);
DaeSolverStatus dae_radau_start(DaeRadau *r);
int dae_radau_refresh_jacobian(DaeRadau *r, double ahead);
/* This Jacobian, of a place inside the step, becomes the current one; false: it is singular. */
bool dae_radau_take_jacobian(DaeRadau *r, const DaeJac *jac);
/* One accepted step, at most to r->limit. */
DaeSolverStatus dae_radau_step(DaeRadau *r);
/* The point before the last step becomes the current one; its polynomial stays. false:
 * it cannot be evaluated again. */
bool dae_radau_go_back(DaeRadau *r);
/* The last step again, at most to t_end (less where Newton's method or the error asks for it). */
DaeSolverStatus dae_radau_repeat(DaeRadau *r, double t_end);
double dae_radau_smallest_step(const DaeRadau *r);
/* `residual` of r->g is within the tolerance, or all that rounding leaves. */
bool dae_radau_constraints_hold(const DaeRadau *r, double residual);
DaeSolverStatus dae_radau_consistent_point(DaeRadau *r);
DaeLinsys *dae_radau_new_linsys(const DaeRadau *r, uint32_t s);

/* passed.c: the last step is made again where it has passed over a branch of the equations. */
DaeSolverStatus dae_radau_meet_passed(DaeRadau *r);

/* radau_mode.c */
DaeSolverStatus dae_radau_restart(DaeRadau *r, const double *x, const double *segment,
                                  uint64_t mode, double step);
/* Other segment values, with which the solution goes on as smoothly as before; false: it does not,
 * or nothing was there to go on from. */
bool dae_radau_renew(DaeRadau *r, const double *segment);
void dae_radau_free_modes(DaeRadau *r);
void dae_radau_note_first_step(DaeRadau *r);
void dae_radau_note_old_jacobian(DaeRadau *r);

/* radau_branch.c */
/* Did Newton's method contract so well that its Jacobian may stay? */
bool dae_radau_jacobian_serves(const DaeRadau *r);
/* Is the point at the end of the step just made on the branch where it began? */
bool dae_radau_stays_on_branch(DaeRadau *r);
void dae_radau_begin_branch(DaeRadau *r); /* at the current point */
/* The start of a step that fails moves onto the constraints to rounding: what is far below the
 * tolerance may be much for a Jacobian that changes over as little. false: no Jacobian. */
bool dae_radau_settle_start(DaeRadau *r);
/* About how far rounding of the constraints moves a correction, in tolerances. */
double dae_radau_rounding(DaeRadau *r);

/* Is the point on the side of singular points where the branch was last? */
bool dae_radau_has_sign_of_branch(DaeRadau *r, double t, const double *x);
/* The branch is that of this point. */
void dae_radau_take_branch(DaeRadau *r, double t, const double *x);
/* What the signs are measured by, kept while others are looked at. */
void dae_radau_save_branch(DaeRadau *r);
void dae_radau_restore_branch(DaeRadau *r);

/* radau_jump.c: of a step that is solved for, and of one that ends on the constraints */
bool dae_radau_keeps_equations(const DaeRadau *r, double h);
bool dae_radau_stays_continuous(const DaeRadau *r);

/* radau_dense.c: dense systems in place of sparse ones. Those of a mid-sized model at once; ... */
void dae_radau_take_dense(DaeRadau *r);
/* ... if they are regular, in the first step of a run: where sparse ones have led to a point they
 * may lead on; ... */
bool dae_radau_try_dense(DaeRadau *r, double h);
/* ... where corrections are rounding that the factors make too large. True: the step is to be tried
 * again. */
bool dae_radau_stand_in(DaeRadau *r);

/* radau_doubt.c: after Newton's method at the start of a run or behind an event: with a Jacobian of
 * the step itself, if that of its start does not show how far the stages are from the solution. */
DaeNewtonStatus dae_radau_ask_again(DaeRadau *r, double h);
/* Is the continued polynomial, whose value is in r->work, far from where the unknowns go? */
bool dae_radau_goes_anywhere(const DaeRadau *r, double ahead);

/* radau_turn.c */
void dae_radau_keep_turn(DaeRadau *r); /* the last step, before it is undone */
void dae_radau_forget_turn(DaeRadau *r);
void dae_radau_free_turn(DaeRadau *r);
/* No step leads on, but one that was undone may have been right: its end becomes the current point.
 * false: there is none, or it is not seen to be right. */
bool dae_radau_pass_turn(DaeRadau *r);
/* Such a step, from a point: z is n x s, the stages one after the other. */
void dae_radau_set_turn(DaeRadau *r, const DaeTableau *tableau, const DaeWaypoint *from,
                        double end, const double *z);

/* radau_cross.c */
void dae_radau_make_way(DaeRadau *r);
void dae_radau_note_waypoint(DaeRadau *r, double h); /* after a step of size h */
void dae_radau_forget_way(DaeRadau *r);
void dae_radau_free_way(DaeRadau *r);
/* As dae_radau_pass_turn, with steps from points before. */
bool dae_radau_cross_singular_point(DaeRadau *r);

/* radau_euler.c: one such step instead of one that radau does not have; false: neither */
bool dae_radau_euler_step(DaeRadau *r);

/* roots.c */
DaeSolverStatus dae_radau_step_to_root(DaeRadau *r, const DaeRoots *roots, DaeStop *stop);
uint32_t dae_radau_affine(const DaeRadau *r, double constant, double slope,
                          const uint32_t *column, const double *factor, uint32_t n_columns,
                          double *b);

/* output.c, for a point that was put into x_out and xdot_out; NULL: the
 * equations have no value there */
const uint8_t *dae_radau_settle_output(DaeRadau *r, double t, bool inside);
/* x_out and xdot_out at t from the last step; returns whether t is inside it. */
bool dae_radau_take_output(DaeRadau *r, double t);

#endif
