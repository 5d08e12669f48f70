/* Ticks of clocks, inside the room (hybrid/clocks.h). At a tick the left limits of what is
 * sampled are taken first; then the blocks of all sub-clocks that tick are executed in their
 * order, once. The event iteration of what is not clocked comes after it. */
#ifndef DAE_INSTANT_TICKS_H
#define DAE_INSTANT_TICKS_H

#include "instant/instant.h"

typedef struct DaeTicking DaeTicking;

/* Terms in unknowns and segment atoms. NULL and no error: the model has no clocks. */
DaeTicking *dae_ticking_new(DaeInstant *instant, GError **error);
void dae_ticking_free(DaeTicking *ticking);
/* The segment is known: places and tapes. */
bool dae_ticking_bind(DaeTicking *ticking, GError **error);
/* Appends the terms that are sampled. */
void dae_ticking_add_inputs(const DaeTicking *ticking, GArray *terms);

/* The run begins: no clock has ticked. */
void dae_ticking_begin(DaeTicking *ticking);
/* Clocks that tick at the exact time of the instant. */
bool dae_ticking_at_time(DaeTicking *ticking, double t, const double *x, GError **error);
/* Event clocks whose condition has become true in this step of the iteration: to
 * be asked before pre := now ... */
bool dae_ticking_find_events(DaeTicking *ticking);
/* ... and executed after it. */
bool dae_ticking_at_event(DaeTicking *ticking, double t, const double *x, GError **error);
/* The next tick after `after`, if it is before `best` or best is DAE_NO_TERM; else
 * best. until: the end of the run. */
DaeTerm dae_ticking_next(DaeTicking *ticking, DaeTerm after, DaeTerm until, DaeTerm best);
/* The clocks that ticked in this instant, for lists of events. */
void dae_ticking_describe(const DaeTicking *ticking, GString *out);
/* A new instant: nothing has ticked in it. */
void dae_ticking_forget(DaeTicking *ticking);

#endif
