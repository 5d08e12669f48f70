/* Top-level inputs from the columns of a table (--input-file).
 *
 * The first column is the time, the others are inputs by their names in the header. Values are
 * linear between rows; two rows with one time are a jump; before the first row and after the
 * last the value stays. Numbers are read exactly.
 *
 * In the symbolic stages such an input is a symbol. In numbers it is U0 + S*(time - T0), each of
 * the three a choice by `time < t_k` among constants: the times at which a piece ends are
 * relations in time, so that they are exact time events. */
#ifndef DAE_PIPELINE_INPUT_TABLE_H
#define DAE_PIPELINE_INPUT_TABLE_H

#include "model/model.h"
#include "pipeline/pipeline.h"

/* Column `name` at run time. value: the input; slope: its derivative from the right. false:
 * there is no such column. */
bool dae_input_table_terms(const DaeInputTable *table, DaeTerms *terms, const char *name,
                           DaeTerm *value, DaeTerm *slope);
/* Sets the inputs of the model in values. false: *error (MODEL) names an input that is needed
 * differentiated, or that has no column. */
bool dae_input_table_bind(DaePipeline *pipeline, DaeSubst *values, GError **error);

#endif
