/* Clocked partitions [language specification, 16.7]: which equations run at
 * which ticks, and in which order.
 *
 * A base clock is periodic (its ticks are exact rational times), or its ticks are counted:
 * those of an event clock, or of a clock that tells its next interval at each tick. A sub-clock
 * ticks every `period` after `shift`: in seconds from the beginning of the run where the base
 * is periodic, else in ticks of the base.
 *
 * To the rest of the room a clocked variable v is a discrete one with the equation v = pre(v):
 * it keeps its value. At a tick of its clock the blocks below give it a new one, in their
 * order, once; pre(v) is its value at the tick before, and what sample(...) samples is the left
 * limit. Values that are no variables of the model (what was sampled, interval(), derivatives
 * in discretized partitions) are hidden discrete values. */
#ifndef DAE_HYBRID_CLOCKS_H
#define DAE_HYBRID_CLOCKS_H

#include "model/model.h"

typedef enum { DAE_BASE_PERIODIC, DAE_BASE_EVENT, DAE_BASE_VARYING } DaeBaseKind;

typedef struct {
  DaeBaseKind kind;
  DaeTerm condition; /* EVENT: the hidden Boolean that ticks it when it becomes true */
  /* EVENT: interval() at the first tick; VARYING: the next one times resolution */
  DaeTerm interval;
  DaeTerm first; /* VARYING: interval() at the first tick times resolution */
  int64_t resolution;
  DaeTerm clock; /* for people */
  DaeSpan span;
} DaeBaseClock;

typedef struct {
  uint32_t base;
  DaeTerm period, shift;        /* NUMBER */
  DaeTerm interval, first_tick; /* hidden values */
  DaeTerm clock;                /* for people; DAE_NO_TERM: it has no name */
  DaeSpan span;
} DaeSubClock;

typedef struct { /* sample(of, ...) */
  DaeTerm atom;
  DaeTerm of; /* of the continuous model */
  DaeSpan span;
} DaeClockedInput;

/* In which ticks of its sub-clock? */
typedef enum { DAE_TICKS_ALL, DAE_TICKS_FIRST, DAE_TICKS_LATER } DaeTicks;

typedef struct {
  uint32_t sub;
  DaeTicks ticks;
  const DaeTerm *unknowns;  /* n */
  const DaeTerm *equations; /* n residuals; is_explicit: the value of the one unknown */
  uint32_t n;
  bool is_explicit;
  DaeSpan span;
} DaeClockedBlock;

typedef struct { /* looked at in the ticks of its sub-clock */
  uint32_t sub;
  DaeAssertion assertion; /* its condition in atoms */
} DaeClockedAssertion;

typedef struct DaeClocks DaeClocks;

uint32_t dae_clocks_n_bases(const DaeClocks *clocks);
const DaeBaseClock *dae_clocks_base(const DaeClocks *clocks, uint32_t i);
uint32_t dae_clocks_n_subs(const DaeClocks *clocks);
const DaeSubClock *dae_clocks_sub(const DaeClocks *clocks, uint32_t i);
uint32_t dae_clocks_n_inputs(const DaeClocks *clocks);
const DaeClockedInput *dae_clocks_input(const DaeClocks *clocks, uint32_t i);
uint32_t dae_clocks_n_blocks(const DaeClocks *clocks); /* in order of execution */
const DaeClockedBlock *dae_clocks_block(const DaeClocks *clocks, uint32_t i);
uint32_t dae_clocks_n_assertions(const DaeClocks *clocks);
const DaeClockedAssertion *dae_clocks_assertion(const DaeClocks *clocks, uint32_t i);

#endif
