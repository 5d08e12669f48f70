/* Enclosures of terms on boxes of time and unknowns (enclose.c). */
#ifndef DAE_INSTANT_ENCLOSE_H
#define DAE_INSTANT_ENCLOSE_H

#include "instant/instant-priv.h"
#include "instant/interval.h"

typedef struct DaeBound DaeBound;

/* instant, whose segment atoms are known, outlives the result. */
DaeBound *dae_bound_new(DaeInstant *instant, DaeTerm t);
/* Of a term without segment values and unknowns. */
DaeBound *dae_bound_of_time(DaeTerms *terms, DaeTerm t);
void dae_bound_free(DaeBound *enclosure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeBound, dae_bound_free)
/* Unknowns that occur in it. */
const uint32_t *dae_bound_columns(const DaeBound *enclosure, uint32_t *n);
/* All values for times in `time`, the present segment values, and unknowns (by column; NULL: not
 * known) in their intervals. */
DaeInterval dae_bound_at(DaeBound *enclosure, DaeInterval time, const DaeInterval *unknowns);

#endif
