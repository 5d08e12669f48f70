/* What happens at an event [language-and-events, 3.6, 3.7, 3.11].
 *
 * A DaeInstant holds the values that are constant during a segment: discrete variables, their
 * pre values, samples, and the buffers of relations. At an event it finds new ones together
 * with the unknowns of the continuous system:
 *
 *     repeat   find discrete values, buffers and algebraic unknowns that fit together, with
 *              pre(.) and states held (settle.c)
 *              take the reinits whose when-clause has become active (restart.c)
 *              pre := now
 *     until nothing changed
 *
 * An iteration that does not end comes back to discrete values it had before; that is how it is
 * found, and the cycle is told. Asserts and terminate are looked at after the iteration. Time
 * events have exact times: relations that are linear in time are decided by rational
 * arithmetic, samples tick at start + k * interval (clock.c). */
#ifndef DAE_INSTANT_INSTANT_H
#define DAE_INSTANT_INSTANT_H

#include "eval/eval.h"
#include "hybrid/buffers.h"
#include "hybrid/hybrid.h"

typedef struct DaeInstant DaeInstant;

typedef struct {
  DaeTerms *terms;
  const DaeHybrid *hybrid; /* outlives the instant */
  DaeBuffers *buffers;     /* borrowed; more may be put in until dae_instant_bind */
  const DaeTerm *unknowns; /* n VARIABLE terms of order 0 */
  uint32_t n;
  const double *nominal; /* n */
  /* A term of the continuous model in unknowns, first derivatives, time and segment
   * atoms, with values for parameters. */
  DaeTerm (*lower)(void *user, DaeTerm t);
  /* x' at a point, with segment values */
  void (*slopes)(void *user, double t, const double *x, const double *segment, double *xdot);
  /* of the system, for messages; (transfer full) */
  char *(*describe_row)(void *user, uint32_t row);
  void *user;
  const DaeModel *model; /* its assertions are looked at after each event */
  /* PARAMETER atoms that keep their values: the last ones of the segment */
  const DaeTerm *held;
  const double *held_values;
  uint32_t n_held;
  /* Unknowns (columns) that some modes leave open. For each the system has a row
   *     0 = flag*u - value
   * with two PARAMETER atoms; find_open sets is_open[i] to 1 where the mode of these segment values
   * leaves unknown i open, and it keeps its value then. */
  const uint32_t *open_columns;
  const DaeTerm *open_atoms; /* 2 * n_open: flag, value */
  uint32_t n_open;
  void (*find_open)(void *user, const double *segment, uint8_t *is_open);
  const DaeReporter *reporter;
} DaeInstantParts;

/* Puts buffers into the discrete equations and actions. NULL: *error. */
DaeInstant *dae_instant_new(const DaeInstantParts *parts, GError **error);
void dae_instant_free(DaeInstant *instant);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeInstant, dae_instant_free)

/* All buffers are known now: the segment atoms, in the order of the
 * segment values, for DaeSystemParts. */
const DaeTerm *dae_instant_atoms(DaeInstant *instant, uint32_t *n);
/* The system that was made with these atoms; tapes of guards and actions are made. */
bool dae_instant_bind(DaeInstant *instant, const DaeEvaluator *evaluator,
                      const DaeSystemParts *system, GError **error);
const double *dae_instant_segment(const DaeInstant *instant);

/* The initialization is over: discrete values (n_discrete), and pre values of the
 * initialization, with x. Buffers are taken literally. */
bool dae_instant_take_start(DaeInstant *instant, double t, const double *x, const double *now,
                            const double *pre, GError **error);

/* Positions of switches and discrete values for the initialization, where taking turns between
 * them and the unknowns does not end: states and pre values are held, the others of x and `now`
 * (both in: a guess) are found as at an event. */
bool dae_instant_find_start(DaeInstant *instant, double t, double *x, double *now,
                            const double *pre, GError **error);

/* ---- events ---- */

typedef enum {
  DAE_CAUSE_INITIAL,
  DAE_CAUSE_TIME,
  DAE_CAUSE_STATE,
  DAE_CAUSE_TERMINAL
} DaeCause;

typedef struct {
  uint32_t iterations; /* of the event iteration */
  bool changed;        /* some discrete value or buffer, or x */
  /* something that occurs in the continuous system: integration begins anew */
  bool continuous_changed;
  bool terminated;     /* terminate() was reached */
  const char *message; /* of terminate, or of a failed assertion */
  DaeSpan span;
} DaeInstantResult;

/* At t, with x the left limit. flipped: buffers that a state event has changed (their new side
 * is a guess). False: *error (NUMERIC) says why no values fit together; a failed assertion
 * likewise. x becomes the right limit. */
bool dae_instant_event(DaeInstant *instant, DaeCause cause, double t, double *x,
                       const uint32_t *flipped, uint32_t n_flipped, DaeInstantResult *result,
                       GError **error);
/* n values, borrowed: where the step began at whose end events are taken, so that unknowns are a
 * little beyond them; NULL: events are located. */
void dae_instant_set_step_begin(DaeInstant *instant, const double *x);
/* "x > 1 (line 7)", "sample(0, 0.1) (line 9)": what the last event was caused by and what it
 * changed, for lists of events. */
void dae_instant_describe_cause(const DaeInstant *instant, GString *out);
void dae_instant_describe_changes(const DaeInstant *instant, GString *out);

/* ---- guards ---- */

/* Guards of state events are located up to this share of their scale: nearer ones count as 0. */
void dae_instant_set_resolution(DaeInstant *instant, double share);

/* Those of state events. Each is positive inside the range of its buffer and negative outside. */
uint32_t dae_instant_n_guards(const DaeInstant *instant);
/* At `lanes` points: t[l], x[j*lanes + l], values[i*lanes + l]. */
void dae_instant_guards(DaeInstant *instant, unsigned lanes, const double *t, const double *x,
                        double *values);
/* Sizes against which they are compared: left side, right side and nominal value together. */
void dae_instant_guard_scales(DaeInstant *instant, double t, const double *x, double *scales);
/* A step that passed over the position in which the guards `first` have left their sides, and
 * ended in the one in which `all` have: does something happen in between that neither shows? */
bool dae_instant_acts_between(DaeInstant *instant, double t, const double *x,
                              const uint32_t *first, uint32_t n_first, const uint32_t *all,
                              uint32_t n_all);
uint32_t dae_instant_guard_buffer(const DaeInstant *instant, uint32_t guard);
/* Nearer to 0 than this a guard is as near as located ones are, with the sizes of the point at
 * which dae_instant_guards was called last. */
double dae_instant_guard_nearness(const DaeInstant *instant, uint32_t guard);
/* State events nearer to a time event at t than this may be the same instant. */
double dae_instant_same_time(const DaeInstant *instant, double t);
/* Does the relation of a guard hold now, as it was written? */
bool dae_instant_guard_is_true(const DaeInstant *instant, uint32_t guard);
/* Relation and line of a guard. */
void dae_instant_describe_guard(const DaeInstant *instant, uint32_t guard, GString *out);

/* Guards that are affine: constant + slope*time + sum factor*x[column], coefficients
 * by the present segment values. */
typedef struct {
  uint8_t *is_affine; /* by guard */
  uint32_t *start;    /* n_guards + 1, into column and factor */
  uint32_t *column;
  double *factor;
  double *constant, *slope;
} DaeAffineGuards;

const DaeAffineGuards *dae_instant_affine_guards(DaeInstant *instant);

/* Guards that are not affine: unknowns in guard i are column[start[i] ... start[i + 1] - 1].
 * Those that call routines (is_bounded[i] == 0) have no enclosures. */
typedef struct {
  uint32_t *start, *column;
  uint8_t *is_bounded;
} DaeUsedUnknowns;

const DaeUsedUnknowns *dae_instant_used_unknowns(const DaeInstant *instant);
/* Guard i alone (NaN: not defined), where only its unknowns in x are set.
 * False where guards depend on derivatives, and so on all unknowns. */
bool dae_instant_has_single_guards(const DaeInstant *instant);
double dae_instant_guard(DaeInstant *instant, uint32_t guard, double t, const double *x);
/* Can guard i be below -threshold for times and unknowns (by column) between these bounds? Two
 * numbers each: low, high. */
bool dae_instant_guard_may_cross(DaeInstant *instant, uint32_t guard, const double *time,
                                 double *x, double threshold);

/* Operations of all instants and guards so far: additions, multiplications, divisions, functions.
 * Not counted: the linear algebra of states that jump (restart.c). */
uint64_t dae_instant_operations(const DaeInstant *instant);
/* The assertions of the model at a point. False: one failed for good, *error. */
bool dae_instant_check_assertions(DaeInstant *instant, double t, const double *x,
                                  const double *xdot, GError **error);
/* Assertions of functions and inside noEvent(...) make no events: they are looked at in every
 * step. Do those that were not told of hold at a point? */
uint32_t dae_instant_n_literal_assertions(const DaeInstant *instant);
bool dae_instant_literal_assertions_hold(DaeInstant *instant, double t, const double *x,
                                         const double *xdot);
/* A name for the mode of the continuous system: other values that are in its Jacobian, or other
 * relations, have another one. Never 0. */
uint64_t dae_instant_mode(const DaeInstant *instant);

/* ---- delay(e, T) ---- */

typedef struct { /* unknowns and their slopes inside the last step */
  void (*value)(void *user, double t, double *x, double *xdot);
  void *user;
} DaeDenseOutput;

/* An accepted step: what the arguments of delay(...) were is remembered, as well as rtol asks
 * for. The segment values stay those of the step. */
void dae_instant_record_delays(DaeInstant *instant, double from, double to, double rtol,
                               const DaeDenseOutput *dense);
/* The same for a fixed step of size h to (t, x): constant delays need no dense output. */
void dae_instant_record_delayed_step(DaeInstant *instant, double t, double h, const double *x,
                                     double rtol, const DaeDenseOutput *dense);
/* After that: segment values for the next step. True: they are others. */
bool dae_instant_renew_delays(DaeInstant *instant);
/* Does the flow in a pipe (spatialDistribution) turn inside of this step, which is not recorded
 * yet? *at: where first. It is a limit of steps until the next event. */
bool dae_instant_find_turn(DaeInstant *instant, double from, double to,
                           const DaeDenseOutput *dense, double *at);
bool dae_instant_turns_at(const DaeInstant *instant, double t);
/* The guards that are crossed there; at most as many as there are. */
uint32_t dae_instant_turned_guards(const DaeInstant *instant, uint32_t *guards);
/* No step goes beyond; INFINITY: nothing is delayed. */
double dae_instant_delay_limit(const DaeInstant *instant);
/* Segment values for what follows t; true: the continuous system has others than before. */
bool dae_instant_move_delays(DaeInstant *instant, double t, const double *x);
/* Delay times that change are guarded, so that the delayed time stays in the piece of the past that
 * is in use: is it such a guard? *breaks: behind it the argument has jumped or had a kink, so that
 * crossing it is an event. */
bool dae_instant_is_delay_guard(const DaeInstant *instant, uint32_t guard, bool *breaks);
/* These guards were crossed, no event: the next pieces. */
void dae_instant_cross_delays(DaeInstant *instant, const uint32_t *guards, uint32_t n);
/* Are delay times between 0 and their maximum? */
bool dae_instant_check_delays(DaeInstant *instant, double t, const double *x, GError **error);

/* ---- as data, for exported C ---- */

typedef struct {
  /* segment values but those that are held; places as in instant-priv.h */
  uint32_t n_event, n_discrete, n_samples, n_left_limits, n_buffers, n_actions;
  uint32_t at_pre, at_sample, at_left_limit, at_terminal, at_buffer;
  uint32_t n_open, at_open; /* flag and value of each of n_open unknowns */
  const uint32_t *open_columns;
  const uint8_t *in_system;            /* n_event */
  const DaeTerm *values;               /* n_discrete */
  const DaeTerm *conditions, *results; /* n_actions */
  uint32_t n_assertions;               /* outside of when-clauses */
  const DaeTerm *asserted;             /* n_assertions: 1 where it holds */
  bool needs_slopes;                   /* terms have derivatives in them */
  uint32_t n_delays, at_delay;
  const DaeTerm *delayed; /* n_delays: arguments of delay(...) */
} DaeInstantTables;

void dae_instant_tables(const DaeInstant *instant, DaeInstantTables *tables);
/* Those of the last terminate(); NULL: there was none. */
/* A value in a message, in what the functions of the tables are given; relations are taken as they
 * are. DAE_NO_TERM: it has none. */
DaeTerm dae_instant_told_value(DaeInstant *instant, DaeTerm t);
const char *dae_instant_last_words(const DaeInstant *instant);
/* The time of a constant delay, or the longest one; does its argument change at events only? */
double dae_instant_delay_length(const DaeInstant *instant, uint32_t i, bool *is_held);
/* The delay time where it changes; DAE_NO_TERM: it is constant. */
DaeTerm dae_instant_delay_time(const DaeInstant *instant, uint32_t i);
/* What pre(x) number i is the left limit of. */
DaeTerm dae_instant_left_limit(const DaeInstant *instant, uint32_t i);
/* What a zero of guard i is compared with. */
DaeTerm dae_instant_scale(DaeInstant *instant, uint32_t i);
/* What that is at least. */
double dae_instant_guard_nominal(const DaeInstant *instant, uint32_t i);
/* d/dtime of guard i where it is a function of time, else 0. */
DaeTerm dae_instant_rate(const DaeInstant *instant, uint32_t i);
void dae_instant_sample_times(const DaeInstant *instant, uint32_t i, double *start,
                              double *interval);

/* What happens at ticks of clocks, likewise. */
typedef struct { /* blocks that run one after the other, or one whose equations are solved */
  uint32_t sub;
  DaeTicks ticks;
  bool is_explicit;
  uint32_t n;
  const uint32_t *places;                 /* n: segment values that it gives */
  const DaeTerm *equations;               /* n: values, or residuals */
  const DaeTerm *slopes;                  /* of residuals, by rows */
  const uint32_t *slope_start, *slope_at; /* n + 1; columns */
  DaeSpan span;
} DaeTickPieceTable;

typedef struct {
  uint32_t base;
  double period, shift; /* seconds, or ticks of its base */
  uint32_t interval_place, first_tick_place;
  double n_ticks; /* of a periodic base, so far */
  double last;    /* when it ticked */
  bool has_ticked;
} DaeTickSubTable;

typedef struct {
  DaeBaseKind kind;
  uint32_t condition;      /* EVENT: a place */
  DaeTerm interval, first; /* not of a periodic one */
  double resolution;
  double count, next; /* ticks so far; VARYING: the next one */
} DaeTickBaseTable;

uint32_t dae_instant_n_tick_pieces(const DaeInstant *instant);
uint32_t dae_instant_n_tick_subs(const DaeInstant *instant);
uint32_t dae_instant_n_tick_bases(const DaeInstant *instant);
void dae_instant_tick_piece(const DaeInstant *instant, uint32_t i, DaeTickPieceTable *piece);
/* As it is now: at the start, or after the initial event. */
void dae_instant_tick_sub(const DaeInstant *instant, uint32_t i, DaeTickSubTable *sub);
void dae_instant_tick_base(const DaeInstant *instant, uint32_t i, DaeTickBaseTable *base);
/* What is sampled, and where its value goes. */
const DaeTerm *dae_instant_tick_inputs(const DaeInstant *instant, uint32_t *n,
                                       const uint32_t **places);
/* 1 where the clocked assertion holds; their number is that of the clocks. */
const DaeTerm *dae_instant_tick_assertions(const DaeInstant *instant);

/* ---- time ---- */

/* The exact time (NUMBER) of the next time event after `after` (exclusive) up
 * to `until`; DAE_NO_TERM: none. */
DaeTerm dae_instant_next_time(DaeInstant *instant, DaeTerm after, DaeTerm until);
/* Is there anything that time alone makes happen? */
bool dae_instant_has_time_events(const DaeInstant *instant);
/* Exact time of the instant that comes: time relations are decided with it. */
void dae_instant_set_time(DaeInstant *instant, DaeTerm exact);

#endif
