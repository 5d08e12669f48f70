/* The over-determined system for people and programs: what `daetool reduce` says. */
#ifndef DAE_REPORT_REDUCE_H
#define DAE_REPORT_REDUCE_H

#include "qlt/qlt.h"
#include "report/inputs.h"
#include "report/report.h"

/* mode: what was asked for. verified: NULL where nothing was checked again. */
/* Terms of more nodes than that, counted as often as they are written, are written as functions:
 * the text of a term whose parts are shared may be longer than any memory. */
#define DAE_REDUCE_LONG 1e6
bool dae_reduce_is_long(DaeTerms *terms, DaeTerm t);

void dae_reduce_text(const DaePage *page, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                     const DaeInputNeeds *inputs, const DaeVerified *verified, GString *out);
void dae_reduce_json(const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                     const DaeInputNeeds *inputs, const DaeVerified *verified, GString *out);
/* What a variable stands for that the repair has put in for an expression, `$sub1.x = y*der(y)
 * + der(x)`; DAE_NO_TERM: unknown j is none of these. */
DaeTerm dae_reduce_substituted(const DaeQlt *qlt, DaeTerms *terms, uint32_t j);
const char *dae_reduce_mode_name(DaeEliminate mode); /* "auto", "always", "never" */

#endif
