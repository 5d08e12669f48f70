/* A problem that was prepared and started, as C99 text that compiles without daetool.
 *
 * The text holds the model functions, and on request a fixed-step integrator with the plan of
 * its step (solver/plan.h), a start with the same bits as the one here, and a self-test
 * against the first steps made here. */
#ifndef DAE_EXPORT_EXPORT_H
#define DAE_EXPORT_EXPORT_H

#include "export/cgen.h"
#include "solver/solver.h"

typedef struct {
  DaeTerms *terms;
  const DaeSystemParts *parts;
  const DaeEvaluator *evaluator;           /* made from the parts */
  const char *model;                       /* name of the model */
  const char *prefix;                      /* of all names; NULL takes the model's name */
  const char *version;                     /* of this tool */
  const char *const *names, *const *units; /* n; a unit may be NULL */
  const double *start, *slopes;            /* n */
  double t_start;
  const char *const *parameter_names; /* by segment value of the parts that is a parameter */
  const DaeTerm *parameter_terms;     /* in other parameters; DAE_NO_TERM: a value of its own */
  const DaeCgenEvents *events;        /* NULL: none */
  /* A run with events; x: in the start, out the end. False: *error. NULL: there are none. */
  bool (*run)(void *user, const DaeSolverOptions *options, double *x, DaeSolverResult *result,
              GError **error);
  void *user;
} DaeExportInput;

/* options: the fixed-step method to write with it; NULL: the functions only, with the interface
 * for other solvers. *header and *source are (transfer full). */
bool dae_export_c(const DaeExportInput *input, const DaeSolverOptions *options, char **header,
                  char **source, GError **error);

#endif
