/* A reduced system as C99 text, to compile anywhere: static memory, libm and nothing else,
 * no recursion, bounded loops.
 *
 * Model functions are straight-line code with shared subexpressions, the same operations in the
 * same order as the tape. The fixed-step integrator does what `simulate` does with the same
 * options (solver/multistep.h), either as loops over tables (any size) or, for small models, as
 * one straight-line function for a whole regular step. The text depends on nothing but the
 * arguments: no dates, no addresses, no hash order. Its size is linear in that of the system. */
#ifndef DAE_EXPORT_CGEN_H
#define DAE_EXPORT_CGEN_H

#include "eval/eval.h"

/* A matrix of a step: plain data, as planned by the solver. Entry e is
 * alpha*m[from_m] - h*k[from_k] or gx[from_g] (UINT32_MAX: none); the rest describes
 * the elimination of A^T A (solver/normal.h). */
typedef struct {
  uint32_t n_dynamic, n_rows, n_columns;
  const uint32_t *constraint, *unknown, *from_m, *from_k, *from_g;
  const uint32_t *row_start, *column;
  bool is_diagonal;
  const double *scale; /* by row; NULL: none */
  const uint32_t *order, *entry_start, *entry_column;
  const uint32_t *pair_start, *pair_p, *pair_q, *triple_start, *triple_c, *triple_l;
} DaeCgenMatrix;

typedef enum {
  DAE_CGEN_AB3,
  DAE_CGEN_BDF3,
  DAE_CGEN_EULER,
  DAE_CGEN_IMPLICIT_EULER
} DaeCgenMethod;

typedef struct {
  DaeCgenMethod method;
  double step, t_stop;
  uint32_t newton, projections;
  bool is_coupled;
  bool constant_history;
  bool slopes_need_constraints;
  const uint8_t *is_algebraic;
  DaeCgenMatrix slopes, algebraic, newton_matrix, coupled, norm;
  uint64_t flops, divisions, square_roots; /* of a step by tables */
  /* of one correction of the algebraic unknowns, and of the slopes */
  uint64_t correction_flops, slopes_flops;
  uint32_t test_steps;  /* self-test: so many steps from the start ... */
  const double *test_x; /* ... lead here */
} DaeCgenStep;

/* What happens at events (instant/instant.h), as plain data. Of the segment values of the parts
 * the first n_event change there, the others are parameters. */
typedef enum {
  DAE_CGEN_REINIT,
  DAE_CGEN_TERMINATE,
  DAE_CGEN_ASSERT,
  DAE_CGEN_WARNING,
  DAE_CGEN_PRINT /* what print says, to stderr */
} DaeCgenAction;

/* Ticks of clocks (hybrid/clocks.h). */
typedef struct { /* runs in the ticks of its sub-clock: values, or equations to be solved */
  uint32_t sub, ticks; /* DaeTicks */
  bool is_explicit;
  uint32_t n;
  const uint32_t *places;                 /* n: segment values that it gives */
  const DaeTerm *equations;               /* n: values, or residuals */
  const DaeTerm *slopes;                  /* of residuals, by rows */
  const uint32_t *slope_start, *slope_at; /* n + 1; columns */
} DaeCgenTickPiece;

typedef struct {
  uint32_t base, interval, first_tick; /* the latter two are places */
  double period, shift;                /* seconds, or ticks of its base */
  double n_ticks, last;                /* so far, and the time of the last one */
  bool has_ticked;
} DaeCgenSubClock;

typedef struct {
  uint32_t kind, condition; /* DaeBaseKind; a place */
  double resolution, count, next;
} DaeCgenBaseClock;

typedef struct {
  uint32_t n_pieces, n_subs, n_bases, n_inputs, n_assertions;
  const DaeCgenTickPiece *pieces;
  const DaeCgenSubClock *subs;
  const DaeCgenBaseClock *bases;
  const DaeTerm *intervals, *firsts; /* n_bases: times resolution; 0 of a periodic one */
  const DaeTerm *inputs;             /* n_inputs: what is sampled */
  const uint32_t *input_places;
  const DaeTerm *assertions; /* n_assertions: 1 where it holds */
  const uint32_t *assertion_sub;
  const uint8_t *assertion_warns;
  const char *const *assertion_message;
  const double *before; /* n_discrete: before the first tick */
} DaeCgenClocks;

typedef enum {
  DAE_CGEN_TEXT,   /* as it is */
  DAE_CGEN_NUMBER, /* the value of a word, in a form of printf without '%' */
  DAE_CGEN_WHOLE,  /* the same, rounded, in a form of Integers */
  DAE_CGEN_CHOICE  /* of texts with DAE_TEXT_BETWEEN between them, the value being 1, 2, ... */
} DaeCgenPartKind;

#define DAE_CGEN_ALWAYS UINT32_MAX

typedef struct { /* a part of a message */
  DaeCgenPartKind kind;
  const char *text;
  uint32_t word, when; /* numbers of words; the part is there where `when` is not 0 */
  uint32_t width;
  bool right;
} DaeCgenPart;

/* Messages of actions, assertions and clocked assertions, one after the other. One without values
 * has no parts. */
typedef struct {
  uint32_t n_words;
  const DaeTerm *words;
  uint32_t n_messages;
  const uint32_t *start; /* n_messages + 1 */
  const DaeCgenPart *parts;
} DaeCgenMessages;

typedef struct {
  uint32_t n_event, n_discrete, n_samples, n_left_limits, n_buffers, n_actions;
  /* places among them; discrete values are first. at_terminal may be n_event: there is none */
  uint32_t at_pre, at_sample, at_left_limit, at_terminal, at_buffer;
  const double *start;                      /* n_event: after the initial event */
  const uint8_t *in_system;                 /* n_event: occurs in the continuous equations */
  const uint8_t *is_when;                   /* n_discrete: keeps its value between events */
  const uint8_t *is_real;                   /* n_discrete */
  const char *const *names;                 /* n_discrete; NULL: not seen outside */
  const double *tick_start, *tick_interval; /* n_samples */
  const uint8_t *buffer_kind, *guard_kind;  /* n_buffers: DaeBufferKind, DaeGuardKind */
  const DaeTerm *guards, *scales, *rates;   /* n_buffers; rates: d/dt where linear in time */
  const double *guard_nominal;              /* n_buffers: what a scale is at least */
  const DaeTerm *values;                    /* n_discrete */
  const DaeTerm *conditions, *results;      /* n_actions */
  const uint8_t *action_kind;               /* n_actions: DaeCgenAction */
  const uint32_t *action_target;            /* n_actions: unknown of a reinit */
  const char *const *action_message;        /* n_actions */
  const DaeTerm *left_limits;               /* n_left_limits */
  uint32_t n_loop_reals;                    /* discrete Reals in loops of discrete equations */
  uint32_t n_assertions;                    /* outside of when-clauses */
  const DaeTerm *asserted;                  /* n_assertions: 1 where it holds */
  const uint8_t *assertion_kind;            /* n_assertions: DAE_CGEN_ASSERT, _WARNING */
  const char *const *assertion_message;     /* n_assertions */
  const char *start_message;                /* of the terminate at the start; NULL: none */
  uint32_t n_time;                          /* relations of time that are not linear in it */
  const uint32_t *time_buffer;              /* n_time: which these are */
  const DaeTerm *time_guards, *time_rates;  /* n_time: guards and their d/dt */
  uint32_t n_delays, at_delay;              /* delay(e, T) */
  const DaeTerm *delayed;                   /* n_delays: e */
  const double *delay_length;               /* n_delays: T, or the longest one */
  const uint8_t *delay_varies;              /* n_delays: T changes */
  const DaeTerm *delay_times;               /* n_delays: T where it changes, else 0 */
  const uint8_t *delay_held;                /* n_delays: e changes at events only */
  const double *nominal;                    /* of the unknowns */
  bool needs_slopes;                        /* terms have derivatives in them */
  bool has_jumps;                           /* resets move other unknowns as well */
  const DaeCgenClocks *clocks;              /* NULL: none */
  const uint8_t *is_untied;                 /* of the unknowns (eval/untied.h) */
  const uint8_t *is_given;                  /* n_con: constraints that give what they hold */
  uint32_t jump_levels;                     /* of impulses (instant/restart.c), 1 or more */
  uint32_t n_open, at_open;                 /* unknowns that modes leave open: flag, value */
  const uint32_t *open_columns;             /* n_open */
  const DaeTerm *open_terms;                /* n_open: 1 in modes that do */
  DaeCgenMessages messages;                 /* n_words == 0: no text has values */
} DaeCgenEvents;

typedef struct {
  const char *model;                       /* name of the model */
  const char *prefix;                      /* C identifier, lower case */
  const char *version;                     /* of this tool */
  const char *const *names, *const *units; /* n; a unit may be NULL */
  const double *start, *start_slopes;      /* n */
  double t_start;
  const char *const *parameter_names; /* by segment value of the parts that is a parameter */
  const DaeTerm *parameter_terms;     /* in other parameters; DAE_NO_TERM: a value of its own */
  const DaeCgenEvents *events;        /* NULL: none */
  /* n_con: constraints of the square core, see solver/multistep.h; may be NULL */
  const uint8_t *serves;
  const uint8_t *is_algebraic; /* n; may be NULL */
} DaeCgenModel;

/* `--target c` (step may be NULL: functions only) and `--target problem-c` (step is NULL, the
 * interface for other solvers). *header and *source are (transfer full); the source contains
 * the header and compiles alone. */
bool dae_cgen_write(DaeTerms *terms, const DaeSystemParts *parts, const DaeCgenModel *model,
                    const DaeCgenStep *step, char **header, char **source, GError **error);

/* Lower-case C identifier from a model name. (transfer full) */
char *dae_cgen_identifier(const char *name);

#endif
