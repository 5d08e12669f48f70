/* Calls of functions written out, for those who look for conditions: a kink inside of a function
 * is one of the model. */
#ifndef DAE_PIPELINE_WRITTEN_OUT_H
#define DAE_PIPELINE_WRITTEN_OUT_H

#include "terms/terms.h"

G_BEGIN_DECLS

/* What a call of a routine stands for, its arguments put in. DAE_NO_TERM: t is no such call, the
 * routine has a loop or no body, or the nodes in *left, which are counted down, are used up. */
DaeTerm dae_written_out(DaeTerms *terms, DaeTerm t, size_t *left);
/* Is there any routine? */
bool dae_may_write_out(const DaeTerms *terms);

G_END_DECLS

#endif
