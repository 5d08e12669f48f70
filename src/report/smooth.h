/* What verdicts assume of functions with branches. */
#ifndef DAE_REPORT_SMOOTH_H
#define DAE_REPORT_SMOOTH_H

#include "base/json.h"
#include "structural/structural.h"

/* A line for each function that is differentiated more often than its smoothOrder says; none
 * without a structure that was found (sig may be NULL). */
void dae_smooth_text(GString *out, const char *indent, DaeTerms *terms, const DaeSig *sig);
/* "assumed_smooth": [...], or nothing. */
void dae_smooth_json(DaeJson *json, DaeTerms *terms, const DaeSig *sig);

#endif
