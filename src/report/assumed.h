/* Functions with loops or recursion at run time that a model calls, and
 * what verdicts assume of them. */
#ifndef DAE_REPORT_ASSUMED_H
#define DAE_REPORT_ASSUMED_H

#include "base/json.h"
#include "model/model.h"

/* A line, or nothing. */
void dae_assumed_text(GString *out, const char *indent, DaeTerms *terms, const DaeModel *model);
/* "assumed_functions": [...], or nothing. */
void dae_assumed_json(DaeJson *json, DaeTerms *terms, const DaeModel *model);

#endif
