/* Conditions that make no events (noEvent, sign, abs) and change their sign again and again
 * while the time hardly moves: steps become as short as the tolerance allows, and a run would
 * never end. It is looked for only where thousands of steps have made no way; the relation is
 * then named. Relations with events are looked after where they happen (event_run.c). */
#ifndef DAE_PIPELINE_CHATTER_H
#define DAE_PIPELINE_CHATTER_H

#include "pipeline/problem-priv.h"

typedef struct DaeChatter DaeChatter;

/* NULL: no such condition is in the system. (transfer full) */
DaeChatter *dae_chatter_new(DaeProblem *problem, const DaeSolverOptions *options);
void dae_chatter_free(DaeChatter *chatter); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeChatter, dae_chatter_free)

/* The conditions as the solver asks for them; borrowed. NULL is fine, and gives NULL. */
const DaeConditions *dae_chatter_conditions(const DaeChatter *chatter);
/* Are there smooth pulses (peaks.h) among them? Explicit steps are not looked at. */
bool dae_chatter_has_peaks(const DaeChatter *chatter);
/* An accepted step from begin to t, with the unknowns inside it. False: it chatters. */
bool dae_chatter_step(DaeChatter *chatter, double begin, double t, const DaeDenseOutput *dense);

typedef struct { /* of the system: where the largest residual and the largest correction are */
  uint32_t row, unknown;
} DaeWorst;

/* Newton's method failed at this point: "condition y > 1 (line 4)" that is at its switch there, or
 * is another one after the next iteration. (transfer full) NULL: none is. */
char *dae_chatter_find_jump(DaeChatter *chatter, double t, const double *x,
                            const DaeWorst *worst);
/* "integration stopped at t = ...: chattering ..."; NULL: nothing. */
const char *dae_chatter_failure(const DaeChatter *chatter);

#endif
