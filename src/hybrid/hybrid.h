/* A model with events in normal form (docs/events.md): what is continuous, what
 * changes at events only, and how.
 *
 *     continuous   0 = F(x', x, d, p, t)      a DaeModel in which everything discrete is a
 *                                             PARAMETER: known within a segment
 *     discrete     m_k := e_k(x, x', d, t)    in an order in which each uses earlier ones (and
 *                                             itself only in loops)
 *     actions      reinit, terminate, assert with the condition at which they are taken
 *
 * d are the values that are constant during a segment: each discrete variable m (its twin in
 * the continuous model has the same name), pre(m), sample(...), initial(), terminal().
 * Relations stay as they are written; numbers are made with a buffer for each (buffers.c), so
 * that between events nothing jumps.
 *
 * when c then v = e; elsewhen c2 ... is written out with a Boolean b for each
 * condition, never seen outside:
 *     b := c;  v := if edge(b) then e else if edge(b2) then e2 else pre(v)
 * and during the initialization, where only branches with initial() among
 * their conditions are active,
 *     v := e or pre(v).
 * A model without anything discrete is its own continuous model. */
#ifndef DAE_HYBRID_HYBRID_H
#define DAE_HYBRID_HYBRID_H

#include "hybrid/clocks.h"
#include "model/model.h"

typedef struct DaeHybrid DaeHybrid;

#define DAE_HYBRID_NONE UINT32_MAX

typedef struct {
  uint32_t variable; /* of the model as read; DAE_HYBRID_NONE: the condition of a when-clause */
  DaeTerm now, pre;  /* PARAMETER atoms; pre is DAE_NO_TERM where nothing needs it */
  DaeType type;
  DaeTerm start; /* of pre(v) at the beginning; DAE_NO_TERM: 0, false */
  /* the right side of its equation, in atoms `now`, pre and continuous variables */
  DaeTerm value;
  bool is_when;        /* assigned in a when-clause: keeps its value otherwise */
  bool pre_is_default; /* at the initialization nothing but its start value gives pre */
  bool now_is_free, pre_is_free; /* at the start: found with the continuous unknowns */
  bool in_loop;                  /* value depends on itself, perhaps through others */
  DaeSpan span;                  /* of the equation */
} DaeDiscrete;

typedef struct { /* when `condition` holds, in the instant in which it is active */
  DaeActionKind kind;
  DaeTerm condition;
  DaeTerm target; /* REINIT: VARIABLE of order 0 */
  DaeTerm value;  /* REINIT; ASSERT: what must hold */
  const char *message;
  bool is_warning;
  const char *print_to; /* as in DaeAction */
  DaeFileAct file_act;
  DaeSpan span;
} DaeHybridAction;

typedef struct { /* pre(x) of a continuous variable: its left limit */
  DaeTerm pre, of;
} DaeContinuousPre;

typedef struct {
  DaeTerm atom, start, interval; /* expressions in parameters */
  DaeSpan span;
} DaeSample;

#define DAE_DELAY_ATOMS 8u

typedef struct { /* delay(of, length, most) */
  DaeTerm of, length;
  DaeTerm most; /* DAE_NO_TERM: the length does not change */
  /* During a segment it is c0 + c1*s + c2*s^2 + c3*s^3 with s = time - t0, or time - length - t0
   * where the length changes: PARAMETER atoms t0, c0 ... c3. Those that follow are the begin and
   * the end of the piece of the past that this is, and 1 where it is what flows in just now. */
  DaeTerm atoms[DAE_DELAY_ATOMS];
  DaeTerm start; /* what it is at the start of a run */
  DaeTerm slope; /* its derivative by time - length then; DAE_NO_TERM: 0 */
  /* An end of a pipe [language specification, 3.7.2.2]: what flowed in (`of`) when the way was
   * x - 1 (the right end) or x (the left one); the length is such that time - length is that.
   * The other end is another one of the list. The initial points and values: */
  bool is_transport, is_right;
  uint32_t other;
  const DaeTerm *points, *values;
  uint32_t n_points;
  DaeSpan span;
} DaeDelay;

/* model must outlive the result. NULL: *error (MODEL or NEGATIVE) with the place. */
DaeHybrid *dae_hybrid_new(DaeTerms *terms, const DaeModel *model, GError **error);
void dae_hybrid_free(DaeHybrid *hybrid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeHybrid, dae_hybrid_free)

/* True: nothing discrete, no event operators; continuous and initial model are the model
 * itself. */
bool dae_hybrid_is_trivial(const DaeHybrid *hybrid);
const DaeModel *dae_hybrid_model(const DaeHybrid *hybrid); /* as read */
const DaeModel *dae_hybrid_continuous(const DaeHybrid *hybrid);
/* The initialization [3.10]: discrete variables are unknowns, relations are taken literally,
 * when-clauses are inactive or active by initial(), and pre(v) is the start value, or an
 * unknown where an initial equation speaks of it. */
const DaeModel *dae_hybrid_initial(const DaeHybrid *hybrid);

/* What the initialization asks for beside the equations, collected once: the initial equations
 * of the model as read, then pre(v) = start where the start of a discrete variable is fixed. They
 * are the initial equations of the initial model, number by number; the start takes each of them
 * as the value of something discrete (is_assignment), or in the continuous model. */
typedef struct {
  DaeEquation equation; /* initial() holds; atoms `now` and pre for what is discrete */
  bool is_assignment;
} DaeHybridCondition;

/* Equations of discrete variables that several values fulfil, whatever else is: each time those nearest to
 * the present ones are taken. NULL: there are none. */
const char *dae_hybrid_doubt(const DaeHybrid *hybrid);

uint32_t dae_hybrid_n_conditions(const DaeHybrid *hybrid);
const DaeHybridCondition *dae_hybrid_condition(const DaeHybrid *hybrid, uint32_t i);
/* The condition that initial equation i of the continuous model is; DAE_HYBRID_NONE: none, it
 * holds a discrete Real that is found with the continuous unknowns. */
uint32_t dae_hybrid_condition_of(const DaeHybrid *hybrid, uint32_t i);

uint32_t dae_hybrid_n_discrete(const DaeHybrid *hybrid); /* in order of evaluation */
const DaeDiscrete *dae_hybrid_discrete(const DaeHybrid *hybrid, uint32_t k);
uint32_t dae_hybrid_n_actions(const DaeHybrid *hybrid);
const DaeHybridAction *dae_hybrid_action(const DaeHybrid *hybrid, uint32_t i);
const DaeClocks *dae_hybrid_clocks(const DaeHybrid *hybrid); /* NULL: it has none */
uint32_t dae_hybrid_n_samples(const DaeHybrid *hybrid);
const DaeSample *dae_hybrid_sample(const DaeHybrid *hybrid, uint32_t i);
uint32_t dae_hybrid_n_continuous_pres(const DaeHybrid *hybrid);
const DaeContinuousPre *dae_hybrid_continuous_pre(const DaeHybrid *hybrid, uint32_t i);
uint32_t dae_hybrid_n_delays(const DaeHybrid *hybrid);
const DaeDelay *dae_hybrid_delay(const DaeHybrid *hybrid, uint32_t i);
/* PARAMETER: delay(...) as the model as read has it. */
DaeTerm dae_hybrid_delay_atom(const DaeHybrid *hybrid, uint32_t i);
DaeTerm dae_hybrid_initial_atom(const DaeHybrid *hybrid);  /* initial() */
DaeTerm dae_hybrid_terminal_atom(const DaeHybrid *hybrid); /* terminal() */

/* Values at the start, in an order in which each uses earlier ones (loops aside): v or pre(v)
 * := value, in numbers of the discrete list (initial.c). Discrete Reals that follow continuous
 * unknowns are not among them: they are free parameters of the continuous model, and what holds
 * them is an initial equation there. */
typedef struct {
  uint32_t discrete;
  bool is_pre;
  DaeTerm value;
  DaeSpan span;
  bool is_initial; /* an initial equation gives it */
} DaeDiscreteStart;

uint32_t dae_hybrid_n_starts(const DaeHybrid *hybrid);
const DaeDiscreteStart *dae_hybrid_start(const DaeHybrid *hybrid, uint32_t i);
/* A term of the model as read with twins for its discrete variables. */
DaeTerm dae_hybrid_translate(const DaeHybrid *hybrid, DaeTerm t);

#endif
