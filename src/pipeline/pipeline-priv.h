/* For the files of this room only. */
#ifndef DAE_PIPELINE_PIPELINE_PRIV_H
#define DAE_PIPELINE_PIPELINE_PRIV_H

#include "pipeline/pipeline.h"

struct DaePipeline {
  DaeReporter reporter;
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeSig *sig;
  DaeQlt *qlt;
  DaeInit *init;
  GPtrArray *owned;  /* results of the stages, freed last to first */
  DaeBudget *budget; /* borrowed; may be NULL */
  double seconds[DAE_STAGE_COUNT];
  gint stage; /* atomic: the watchdog reads it */
};

/* Marks a stage as under way and stops its clock again. Stages nest: the inner one's time counts for the inner one only. */
typedef struct {
  DaePipeline *pipeline;
  DaeStage stage, outer;
  double cpu_start;
} DaeStageClock;

DaeStageClock dae_pipeline_begin_stage(DaePipeline *pipeline, DaeStage stage);
void dae_pipeline_end_stage(const DaeStageClock *clock);

/* Takes a result: it is freed with the pipeline, after everything taken later. */
void dae_pipeline_own(DaePipeline *pipeline, gpointer result, GDestroyNotify free_result);
/* The structure, also of a model with more equations than unknowns. */
const DaeSig *dae_pipeline_structure(DaePipeline *pipeline, GError **error);

#endif
