/* Inside of loops: the trace of one round (loops.c) and the routine made of it
 * (loop_routine.c). */
#ifndef DAE_READER_LOOPS_PRIV_H
#define DAE_READER_LOOPS_PRIV_H

#include "reader/calls.h"

typedef struct {
  uint32_t local; /* UINT32_MAX: a flag or the iterator */
  uint32_t k;     /* its scalar */
  uint8_t type;
  bool is_state;
  DaeTerm formal;
  DaeTerm actual; /* before the loop; Booleans as numbers */
  DaeTerm next;   /* state: after a round */
  uint32_t known; /* of a local that may have no value: the slot that says whether it has one */
} Slot;

enum { NO_LOCAL = UINT32_MAX };

typedef struct {
  DaeReader *reader;
  GArray *slots;
  GArray *saved; /* DaeChange */
  uint32_t first_formal;
  DaeTerm condition;
  DaeTerm active;                  /* DAE_NO_TERM: always */
  uint32_t left, broken, iterator; /* slots; NO_LOCAL: none */
  GArray *asserted;                /* Asserted */
  GArray *told;                    /* Told */
  uint32_t gathered;               /* slot: the first of those of a reduction */
} Trace;

typedef struct { /* an assertion of the body */
  uint32_t slot; /* was it violated so far? */
  DaeAssertion assertion;
} Asserted;

typedef struct
{ /* a value in the text of such an assertion, in the round in which it is violated */
  DaeTerm term;   /* in the body */
  uint32_t owner; /* slot of the assertion */
  uint32_t slot;
} Told;

static inline DaeScope *
scope_of(const DaeReader *reader)
{
  return &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
}

static inline Slot *
slot_at(const Trace *trace, uint32_t i)
{
  return &g_array_index(trace->slots, Slot, i);
}

/* A formal holds numbers: back to a value of that type. */
DaeTerm dae_trace_from_number(const DaeReader *reader, uint8_t type, DaeTerm t);
/* A state of the routine that is no local: its slot. */
uint32_t dae_trace_add_slot(Trace *trace, uint8_t type, DaeTerm actual);
/* loop_reduction.c: the round, and the value after the loop, of places->reduction. */
bool dae_loop_reduce_round(Trace *trace, const DaeLoopPlaces *places);
void dae_loop_take_reduction(const Trace *trace, const DaeLoopPlaces *places);
/* The routine of a round, and the locals with the values after the loop; left: whether the
 * function had returned before. False: reported. */
bool dae_loop_close(Trace *trace, DaeTerm left, uint32_t pos);
/* What the assertions of the body say of the values after the loop. */
void dae_loop_take_assertions(Trace *trace);

#endif
