/* For the files of this room only. */
#ifndef DAE_INSTANT_INSTANT_PRIV_H
#define DAE_INSTANT_INSTANT_PRIV_H

#include "instant/instant.h"
#include "instant/ticks.h"
#include "numeric/numeric.h"

typedef struct DaePointGate DaePointGate; /* point_functions.c */

typedef struct { /* a tape with its scratch and its outputs */
  DaePointTape *tape;
  void *scratch;
  double *out;
  uint32_t n;
  GPtrArray *gates; /* DaePointGate: outputs that are evaluated where a condition holds; NULL */
  uint64_t operations;
} DaePointFunctions;

typedef struct DaeDelays DaeDelays; /* delay.c */

typedef struct {
  DaeTerm start, interval; /* NUMBER terms */
  DaeTerm next;            /* NUMBER: the next tick */
  uint32_t place;          /* in the segment */
  DaeSpan span;
} DaeTicker;

struct DaeInstant {
  DaeInstantParts parts;
  DaeTerms *terms;
  const DaeHybrid *hybrid;
  DaeBuffers *buffers;
  const DaeEvaluator *evaluator;
  void *scratch; /* of the evaluator */
  uint32_t n;

  /* DaeTerm: right sides of the discrete variables, one in terms of the others put in */
  GArray *values;
  GArray *conditions; /* DaeTerm by action: 1 or 0 */
  GArray *asserted;   /* DaeTerm by assertion of the model: 1 where it holds */
  GArray *results;    /* DaeTerm by action: reinit values; ASSERT: 1 or 0 */

  GArray *delayed; /* DaeTerm: arguments of delay(...) */
  GArray *lengths; /* DaeTerm: delay times that change, else 0 */
  GArray *atoms;   /* DaeTerm, order of the segment */
  uint32_t n_discrete, n_samples, n_cpre, n_buffers;
  /* places; now is at 0 */
  uint32_t at_pre, at_sample, at_cpre, at_delay, at_initial, at_terminal, at_buffer, at_open;
  DaeDelays *delays;
  double *segment, *before; /* before: as the instant began */
  double *solved;           /* with these the unknowns were found last ... */
  bool must_solve;          /* ... and they are others now */
  uint32_t n_segment;
  uint8_t *in_system;    /* by place: occurs in the continuous equations */
  uint8_t *in_jacobian;  /* and in their derivatives by the unknowns */
  GArray *system_places; /* uint32_t: those in the continuous equations */
  /* by discrete value: discrete equations, guards or continuous equations use it, so that they
   * have to be looked at again when it changes */
  uint8_t *is_used;

  DaePointFunctions guards;           /* g of every buffer, then its scale */
  DaePointFunctions discrete;         /* values */
  DaePointFunctions followers;        /* of those that no when-clause assigns */
  GArray *follower_places;            /* uint32_t: which these are */
  DaePointFunctions actions;          /* conditions, then results */
  DaePointFunctions cpres;            /* pre(x): x */
  GArray *guard_buffers;              /* uint32_t: buffers of state guards */
  DaePointFunctions assertions;       /* 1 where they hold */
  DaePointFunctions literal;          /* those that may change without an event */
  GArray *literal_number;             /* uint32_t: which these are */
  GArray *told;                       /* uint8_t by assertion */
  char *last_words;                   /* of terminate() */
  DaePointFunctions affine_functions; /* constants, slopes, factors of affine guards */
  DaeAffineGuards affine;
  struct DaeBound **bounds;    /* by guard: of those that are not affine; NULL */
  struct DaeBound ***partials; /* likewise, by time and by its unknowns; NULL */
  DaeUsedUnknowns used;
  DaePointFunctions *single; /* by guard: g alone; made when it is asked for */
  bool needs_slopes;
  const double *step_begin; /* n: of a fixed step, at whose end events are taken; NULL */
  double resolution;        /* of located guards, by their scale */
  double *guard_size;       /* by buffer: largest scale in the last steps */
  double *guard_nominal;    /* by buffer, see dae_guard_nominal */
  /* by buffer: its position is the one just after the instant under way */
  uint8_t *is_right_limit;
  /* by buffer: when it was set last by a step or a right limit; is that the instant under way, and
   * does a step say that it is another one at once? */
  double *set_at;
  uint8_t *is_crossed_at_once;
  double *
      reach; /* by buffer: how far from 0 its guard was when a step said that it crosses at once */
  double *xdot;

  DaeTicking *ticking; /* NULL: no clocks */
  GArray *tickers;     /* DaeTicker */
  DaeTerm exact;  /* NUMBER: time of the instant, or DAE_NO_TERM: only the double is known */
  DaeTerm *slope; /* by buffer: dg/dtime of guards of time */
  double *zero;   /* by buffer: the next zero of other guards of time; NAN: not known */
  GArray **zero_places; /* uint32_t by buffer: segment values in its guard, and its own */
  uint64_t *zero_key;   /* by buffer: the segment values that it was found with */
  double *zero_to;      /* by buffer: it was sought up to here */

  /* algebraic unknowns and the constraints that hold them */
  uint32_t *algebraic; /* n_algebraic columns */
  uint32_t n_algebraic;
  uint32_t *place_of_column; /* n: place among the algebraic ones + 1 */
  uint32_t *rows;            /* n_rows constraints that contain one */
  uint32_t n_rows;
  uint32_t *sub_start, *sub_column, *sub_entry; /* pattern of rows x algebraic, places in gx */
  double *x_work, *g_work, *gx_work;
  DaeRowSolver *row_solver; /* of these rows; NULL: not asked for yet */

  GHashTable *causes; /* buffers and samples that began the last instant: places */
  GArray *resets;     /* DaeReset: reinits of the last instant, each unknown once */
  uint64_t singular_positions;
  uint64_t operations; /* so far */
  bool told_several, told_open;
};

void dae_point_functions_clear(DaePointFunctions *functions);
bool dae_point_functions_init(DaePointFunctions *functions, DaeInstant *instant,
                              const DaeTerm *outputs, uint32_t n, GError **error);
/* Evaluates with the present segment values. False: not defined there. */
bool dae_point_functions_eval(DaeInstant *instant, DaePointFunctions *functions, double t,
                              const double *x);

/* tell.c: the text with values (transfer full); tells of a violation, false: the run ends. */
char *dae_instant_message(DaeInstant *instant, const char *message, double t, const double *x);

typedef struct { /* an assertion of a when-clause that did not hold, or what print() says */
  uint32_t action;
  char *message; /* with the values of its step of the event iteration, pre(.) among them */
} DaeTold;

GArray *dae_instant_told_new(void); /* DaeTold */
/* Says them, to the user or at the end of a file. False: the run ends. */
bool dae_instant_tell_actions(DaeInstant *instant, const GArray *told, double t,
                              GError **error);
/* files.c: what the functions of a model do to files. */
bool dae_instant_act_on_file(DaeFileAct act, const char *path, const char *text,
                             GError **error);
const char *dae_instant_file_verb(DaeFileAct act); /* "write", "remove" ... */
/* files_matrix.c: the file as it has to be, from what it is; text as DAE_FILE_MATRIX says.
 * (transfer full); NULL: told. */
GByteArray *dae_instant_matrix_file(const char *path, const char *text, GError **error);
bool dae_instant_tell_failure(DaeInstant *instant, const DaeAssertion *assertion, double t,
                              const double *x, GError **error);

/* instant.c */
/* A term as tapes have it, with buffers; DAE_NO_TERM: *error. */
DaeTerm dae_instant_lowered(DaeInstant *instant, DaeTerm t, DaeSpan span, GError **error);
DaeTerm dae_guard_scale(DaeInstant *instant, DaeTerm g);

/* guards.c */
bool dae_guards_prepare(DaeInstant *instant, GError **error);
void dae_guards_free(DaeInstant *instant);

/* clock.c */
bool dae_clock_init(DaeInstant *instant, GError **error);
/* The value of buffer i, a function of time, just after the instant. */
double dae_clock_buffer_value(DaeInstant *instant, uint32_t i, double t, double g);
void dae_clock_tick(DaeInstant *instant);   /* samples of this instant become true */
void dae_clock_untick(DaeInstant *instant); /* and false again; the next tick is known */

/* The value of a term without unknowns as a NUMBER; DAE_NO_TERM: none. */
DaeTerm dae_clock_number(const DaeInstant *instant, DaeTerm t);

/* delay.c */
DaeDelays *dae_delays_new(uint32_t n);
void dae_delays_free(DaeDelays *delays);
bool dae_delays_watch(DaeInstant *instant, GError **error);
/* The guard of buffer b was crossed: the next piece. False: it is another guard. */
bool dae_delays_cross(DaeInstant *instant, uint32_t b);
bool dae_delays_init(DaeInstant *instant, const DaeTerm *arguments, GError **error);
void dae_delays_begin(DaeInstant *instant, double t, const double *x);
bool dae_delays_began_otherwise(DaeInstant *instant, double t, const double *x);
/* Pieces that are over at `now`, which is t, or before it where the end of a step takes several
 * instants. True: the continuous system has other values than before. */
bool dae_delays_move(DaeInstant *instant, double t, double now, const double *x);
void dae_delays_note_left(DaeInstant *instant, double t, const double *x);
void dae_delays_bind(DaeInstant *instant, const DaeSystemParts *system);
/* After an event: events to come. is_new: unknowns have jumped, or all begins; has_kink:
 * unknowns go on another way. */
void dae_delays_schedule(DaeInstant *instant, double t, const double *x, bool is_new,
                         bool has_kink);
/* NUMBER, or DAE_NO_TERM */
DaeTerm dae_delays_next_break(const DaeInstant *instant, DaeTerm after);

/* isolate.c: a function of time, its derivative, and the sign that it has */
typedef struct {
  DaeTerm g, slope;
  int side;
  bool counts_at_zero; /* where it is 0 it has left its side */
} DaeGuardSide;

/* The first double after `after` at which g has the other sign, also where it has it from the
 * beginning; INFINITY: none up to `until`. */
double dae_isolate_first_zero(DaeInstant *instant, const DaeGuardSide *guard, double after,
                              double until);

/* Does g touch 0 at t, as far as doubles tell? The sign of its curvature, 0: it does not. */
int dae_isolate_touch(DaeInstant *instant, const DaeGuardSide *guard, double t);
int dae_isolate_sign(DaeInstant *instant, DaeTerm g, double t); /* 0: it may be 0 */
/* 0 up to rounding, and t no pole and no jump of it, where its slope says nothing? */
bool dae_isolate_is_zero(DaeInstant *instant, DaeTerm g, double t);
double dae_isolate_value(DaeInstant *instant, DaeTerm g, double t);

/* open.c: sets flags and values of the unknowns that the present mode leaves open. */
void dae_open_update(DaeInstant *instant, const double *x);
bool dae_open_any(const DaeInstant *instant);

/* solve.c */
void dae_solve_prepare(DaeInstant *instant);
/* Algebraic unknowns for the present segment values, the others held. False: none found. */
bool dae_solve_algebraic(DaeInstant *instant, double t, double *x);
/* Are the residuals of their rows below `slack` of the parts that algebraic unknowns have there? */
bool dae_solve_is_near(DaeInstant *instant, double t, const double *x, double slack);
/* Largest scaled residual of all constraints; *row: which. */
double dae_solve_residual(DaeInstant *instant, double t, const double *x, uint32_t *row);

/* Has something changed, since these segment values, that the continuous equations use? */
bool dae_instant_system_differs(const DaeInstant *instant, const double *since);

/* restart.c: x moved onto all constraints, the shortest way, where a method left it beside them. */
void dae_restart_project(DaeInstant *instant, double t, double *x);

/* States jump, by reinit or because the constraints are others. */
typedef struct {
  uint32_t column;
  double value;
  DaeSpan span;
} DaeReset;

bool dae_restart_solve(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                       uint32_t n_resets, GError **error);

/* follow.c: all resets, with what follows from them and has no force of its own. False: that is
 * not enough, or something else makes states jump; x is then as it was. */
bool dae_follow_resets(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                       uint32_t n_resets);

/* overshoot.c: positions that a fixed step has carried beyond the event, back onto the constraints
 * of the present segment values. False: that is not what is missing. */
bool dae_overshoot_take_back(DaeInstant *instant, double t, double *x);

/* path.c: positions, discrete values and algebraic unknowns that agree, by path following from
 * the present ones. False: the path ends without (x and the segment are somewhere on it). */
bool dae_path_follow(DaeInstant *instant, double t, double *x);
/* The same where no position near this one can go on: which one can, if time goes on by `step`?
 * False: none was found, nothing changed. */
/* The same from the present positions of relations of unknowns, whatever x says of them. */
bool dae_path_follow_positions(DaeInstant *instant, double t, double *x);
bool dae_path_jump(DaeInstant *instant, double t, double *x, double step);

/* right_limit.c */
double dae_instant_short_time(double t);
/* A guard at 0 whose slope leads to the other side is there just after the event: such relations
 * are set. *step: the time within which that is seen; longer where guards are small differences of
 * large numbers. False: there is none, *step is not set. */
bool dae_take_right_limits(DaeInstant *instant, double t, const double *x, double *step);
/* Relations of unknowns that reach 0 in the very instant in which something else begins an event
 * are part of it: when sample(0, 0.5) ... elsewhen x >= 1.5 has one event where x is 1.5 at a tick,
 * and the first branch wins [MLS 8.3.5]. x > 1.5 changes behind that, together with time > ... */
void dae_take_coincident(DaeInstant *instant, DaeCause cause, double t, const double *x,
                         const uint32_t *flipped, uint32_t n_flipped);

/* settle.c */
/* A guard nearer to 0 than this was located there: the root finder goes a little beyond it.
 * guards.out is that of the point. */
double dae_guard_nearness(const DaeInstant *instant, uint32_t b);
/* What the size of guard b is at least, where its sides are 0: the largest nominal value of its
 * unknowns, but no more than 1. */
double dae_guard_nominal(const DaeInstant *instant, uint32_t b);
bool dae_settle(DaeInstant *instant, double t, double *x, bool literal, GError **error);
/* The same inside an event's iteration. Where no position agrees, the relations are held for one
 * step, at most once an event: *is_held says so. */
bool dae_settle_at_event(DaeInstant *instant, double t, double *x, bool *is_held,
                         GError **error);

#endif
