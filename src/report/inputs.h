/* Which top-level inputs are needed differentiated, and how often, as text and JSON. needs NULL:
 * nobody asked, nothing is written. */
#ifndef DAE_REPORT_INPUTS_H
#define DAE_REPORT_INPUTS_H

#include "model/model.h"
#include "report/report.h"

void dae_inputs_text(const DaeModel *model, const DaeInputNeeds *needs, GString *out);
/* The key "inputs" of a model that has some; an order that is not known is null. */
void dae_inputs_json(DaeJson *json, const DaeModel *model, const DaeInputNeeds *needs);

#endif
