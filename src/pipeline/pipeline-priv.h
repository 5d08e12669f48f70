/* For the files of this room only. */
#ifndef DAE_PIPELINE_PIPELINE_PRIV_H
#define DAE_PIPELINE_PIPELINE_PRIV_H

#include "pipeline/pipeline.h"

/* How the model was read, to read it again with other values. */
typedef struct {
  char *name;
  const char *text; /* owned by the pipeline */
  size_t length;
  DaeReadOptions options; /* its lists are copies */
} DaeRecipe;

struct DaePipeline {
  DaeReporter reporter;
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeHybrid *hybrid;
  /* limits at the start are taken in these two (initial/limit.h); NULL: not asked for yet */
  const DaeModel *continuous, *initial_model;
  double limits_at;      /* the start time; NAN: no limits */
  bool limits_numerical; /* with series for numerical work */
  bool simplifies, simplify_asked;
  bool leaves_to_numbers; /* simulate: what a point in numbers will show needs no certificate */
  bool is_seen_in_numbers; /* that the structure is regular: not proved */
  DaeSimplifyOptions simplify_options;
  DaeSimplified *simplified; /* NULL: the stages work on model */
  GArray *invariants;        /* DaeTerm, as given to the reduction */
  DaeSig *sig;
  const DaeSig *initial_sig; /* of the initial model; owned elsewhere */
  double checked_start;      /* the time at which the initialization was checked */
  DaeQlt *qlt;
  DaeInit *init;
  GPtrArray *initial_problems;      /* DaePipelineInitial: one for each model and start time */
  GPtrArray *owned;                 /* results of the stages, freed last to first */
  DaeBudget *budget;                /* borrowed; may be NULL */
  const GString *source;            /* the text that was read; owned above */
  const DaeInputTable *input_table; /* NULL: none */
  DaeRecipe *recipe;                /* NULL: not read yet; owned above */
  double seconds[DAE_STAGE_COUNT];
  gint stage; /* atomic: the watchdog reads it */
};

/* Marks a stage as under way and stops its clock again. Stages nest: the inner one's time
 * counts for the inner one only. */
typedef struct {
  DaePipeline *pipeline;
  DaeStage stage, outer;
  double cpu_start;
} DaeStageClock;

DaeStageClock dae_pipeline_begin_stage(DaePipeline *pipeline, DaeStage stage);
void dae_pipeline_end_stage(const DaeStageClock *clock);

/* Takes a result: it is freed with the pipeline, after everything taken later. */
void dae_pipeline_own(DaePipeline *pipeline, gpointer result, GDestroyNotify free_result);
/* Those of the normal form, with the limits of their quotients at the start put in. */
const DaeModel *dae_pipeline_continuous(DaePipeline *pipeline);
const DaeModel *dae_pipeline_initial_model(DaePipeline *pipeline);
/* The model that the stages work on. */
const DaeModel *dae_pipeline_work_model(DaePipeline *pipeline);
/* Why a model of components is singular, in one clause, or NULL. (transfer full) */
char *dae_pipeline_blame(const DaePipeline *pipeline, const DaeSig *sig);
/* The components whose equations follow from each other or contradict; NULL: none is known. */
char *dae_pipeline_blame_dependent(const DaePipeline *pipeline, const DaeSig *sig);
/* A parameter whose value is outside the domain of a function; NULL: all have finite values. */
char *dae_pipeline_blame_parameter(const DaePipeline *pipeline);
/* Forgets the smaller model and what was found about it. False: there is none. */
bool dae_pipeline_drop_simplified(DaePipeline *pipeline);
/* Terms in the variables of the model as read for the model that the stages work on. */
void dae_pipeline_replace_solved(DaePipeline *pipeline, const DaeTerm *given, uint32_t n,
                                 DaeTerm *replaced);
/* What delay(e, T) number i is at the start (of[i]): e, in unknowns of the smaller model (NULL:
 * there is none). False: delays in delays go round in a circle there. */
bool dae_pipeline_delayed_now(const DaePipeline *pipeline, DaeSimplified *simplified,
                              DaeTerm *of);
/* Has a model been read? false: *error (USAGE) says so. */
bool dae_pipeline_has_model(const DaePipeline *pipeline, GError **error);

/* The initial problem, assembled when first asked for: the check of the initialization gets the
 * whole of it, the search for a start its continuous part. After the structure or, of a model
 * with events, its normal form is known. */
typedef struct {
  const DaeModel *model; /* that it is of, before the analysis converts it */
  DaeInitialProblem *whole;
  DaeInitialProblem *part; /* the whole itself where nothing is discrete */
} DaePipelineInitial;

const DaePipelineInitial *dae_pipeline_initial(DaePipeline *pipeline, double t_start);
void dae_pipeline_initial_free(DaePipelineInitial *initial);
/* The structure, also of a model with more equations than unknowns. */
const DaeSig *dae_pipeline_structure(DaePipeline *pipeline, GError **error);

/* Warns where the structure is not that of the mode in which the model starts. */
void dae_pipeline_tell_starting_mode(DaePipeline *pipeline);

#endif
