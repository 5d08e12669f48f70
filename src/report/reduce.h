/* The over-determined system for people and programs: what `daetool reduce` says. */
#ifndef DAE_REPORT_REDUCE_H
#define DAE_REPORT_REDUCE_H

#include "qlt/qlt.h"
#include "report/inputs.h"
#include "report/report.h"

/* mode: what was asked for. */
void dae_reduce_text(const DaePage *page, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                     const DaeInputNeeds *inputs, GString *out);
void dae_reduce_json(const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                     const DaeInputNeeds *inputs, GString *out);
/* What a variable stands for that the repair has put in for an expression, `$sub1.x = y*der(y)
 * + der(x)`; DAE_NO_TERM: unknown j is none of these. */
DaeTerm dae_reduce_substituted(const DaeQlt *qlt, DaeTerms *terms, uint32_t j);
const char *dae_reduce_mode_name(DaeEliminate mode); /* "auto", "always", "never" */

#endif
