/* Inside a branch its condition holds: in `if h > 0 then sqrt(h) else 0` the h below the root is
 * max(h, 0). Between events the branch is kept while its guard runs a little past zero [language-
 * and-events, 3.2], and there the root as it is written has no value: a tank that becomes empty, or
 * is filled from empty, could not be followed through its event. */
#ifndef DAE_HYBRID_EDGES_H
#define DAE_HYBRID_EDGES_H

#include "terms/terms.h"

/* What was found inside of terms is kept from call to call: values of a model share most of it. */
typedef struct DaeEdges DaeEdges;

DaeEdges *dae_edges_new(DaeTerms *terms);
void dae_edges_free(DaeEdges *edges);
/* t with the guards of its branches closed at zero below roots; the same value wherever conditions
 * are taken literally. */
DaeTerm dae_edges_close(DaeEdges *edges, DaeTerm t);

#endif
