/* Oscillations that do not die out, counted over a run.
 *
 * Where time is not in the equations, nothing damps an error along the solution: the same curve a
 * little later is a solution, too. On an oscillation such errors add up, period after period, and
 * where they change the period itself, with the square of their number. */
#ifndef DAE_PIPELINE_SWINGS_H
#define DAE_PIPELINE_SWINGS_H

#include <glib.h>
#include <stdint.h>

typedef struct DaeSwings DaeSwings;

DaeSwings *dae_swings_new(uint32_t n);   /* (transfer full) */
void dae_swings_free(DaeSwings *swings); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSwings, dae_swings_free)

/* The next point. */
void dae_swings_note(DaeSwings *swings, const double *x);
/* Periods at about full width of the unknown that has most of them, which is told. Swings of less
 * than `least` (n values) are none. */
uint64_t dae_swings_most(const DaeSwings *swings, const double *least, uint32_t *unknown);

#endif
