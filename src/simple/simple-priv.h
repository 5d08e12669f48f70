/* For the files of this room only. */
#ifndef DAE_SIMPLE_SIMPLE_PRIV_H
#define DAE_SIMPLE_SIMPLE_PRIV_H

#include <daetool/simple.h>

#include "pipeline/pipeline.h"

/* NAME=VALUE pairs in the order given. Values stay texts. */
typedef struct DaeSettings DaeSettings;

/* known: names that may occur, separated by '|'. NULL: *error
 * (USAGE) names the one that may not. */
DaeSettings *dae_settings_parse(const char *text, const char *known, GError **error);
void dae_settings_free(DaeSettings *settings); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSettings, dae_settings_free)
const char *dae_settings_text(const DaeSettings *settings, const char *name); /* NULL: absent */
/* All values of a repeated option, NULL-terminated; borrowed texts, (transfer container). */
const char **dae_settings_texts(const DaeSettings *settings, const char *name);
bool dae_settings_flag(const DaeSettings *settings, const char *name);
/* Leave *value alone where the option is absent. false: *error says that it is no number. */
bool dae_settings_double(const DaeSettings *settings, const char *name, double *value,
                         GError **error);
bool dae_settings_count(const DaeSettings *settings, const char *name, uint64_t *value,
                        GError **error);

/* Options of a run on top of the experiment annotation. */
bool dae_settings_run(const DaeSettings *settings, const DaeExperiment *experiment,
                      DaeSolverOptions *run, GError **error);

struct DaetoolModel {
  char *path; /* or NULL: the text */
  char *text;
  GPtrArray *overrides; /* "NAME=VALUE", ends with NULL; later ones win */
  char *class_name;     /* option model, or NULL */
  char **inputs;
  DaePipeline *pipeline; /* NULL: not read, or a value has changed since */
  DaePipeline *runner;   /* the same for numbers: its stages work on the simplified model */
  DaeProblem *problem;   /* NULL: not prepared */
  GString *messages;
  char *error;
  int code;
  GString *analysis, *reduction, *verdict, *source; /* texts handed out */
};

/* Forgets the last error; the model read, NULL with the error kept. */
DaePipeline *dae_simple_begin(DaetoolModel *model);
/* The pipeline for numbers; NULL with the error kept. */
DaePipeline *dae_simple_runner(DaetoolModel *model);
/* Keeps the error (taken); returns its code. */
int dae_simple_fail(DaetoolModel *model, GError *error);
/* The problem with a start at t_start (NAN: the annotation's); NULL with the error kept. */
DaeProblem *dae_simple_problem(DaetoolModel *model, const DaeProblemOptions *options);

#endif
