/* A problem in numbers, for the files of this room: problem.c puts it together, the room
 * `start` finds where it begins. */
#ifndef DAE_PIPELINE_PROBLEM_PRIV_H
#define DAE_PIPELINE_PROBLEM_PRIV_H

#include "eval/eval.h"
#include "hybrid/buffers.h"
#include "instant/instant.h"
#include "pipeline/pipeline-priv.h"
#include "start/start.h"

typedef struct DaeResults DaeResults;             /* results.h */
typedef struct DaeModeStructure DaeModeStructure; /* mode_structure.h */

typedef struct {
  char *name;
  double value;
} DaeChange;

struct DaeProblem {
  DaePipeline *pipeline; /* borrowed */
  DaePipeline *own;      /* the same where values were prepared anew, else NULL */
  DaeProblemOptions options;
  GArray *changes; /* DaeChange: values set since the problem was made, each name once */
  bool is_changed; /* since the start was found */
  uint64_t preparations;
  const DaeQlt *qlt;
  const DaeModel *model; /* the one that was reduced (converted after a repair) */
  DaeSubst *values;      /* parameters to numbers */
  /* the same without those in run_atoms: what the terms of the system are made with */
  DaeSubst *kept;
  /* DaeTerm: parameters that are segment values of the system (run_values.c) */
  GArray *run_atoms;
  double *run_values;                       /* by run_atoms */
  GArray *unknowns;                         /* DaeTerm: VARIABLE of order 0 */
  GArray *row_start, *columns;              /* uint32_t */
  GArray *coefficients, *rhs, *constraints; /* DaeTerm */
  GArray *hidden;                           /* uint8_t, by constraint */
  /* unknowns that modes may leave open (mode_open.c): uint32_t columns; DaeTerm flag and value of
   * each. Their constraints are the last ones. */
  GArray *open_columns, *open_atoms;
  GArray *
      open_terms; /* DaeTerm by open column where the problem is exported: 1 where it is open */
  DaeSystemParts parts;
  DaeSystem *system;
  DaeResults *results;
  DaeBuffers *buffers;                 /* NULL: relations are taken literally */
  DaeInstant *instant;                 /* NULL: no events */
  DaeModeStructure *mode_structure;    /* NULL: no condition changes the structure */
  DaeSlopes *slope_solver;             /* x' at points of the run; NULL: not asked for yet */
  double *discrete_now, *discrete_pre; /* at the start, by discrete value; NULL: none */
  /* discrete values at the start are to be found with the switches */
  bool start_is_open;
  bool start_is_outside; /* of the domain of a result; another root is looked for */
  DaeEventStats event_stats;
  DaeEventListener listener;
  void *listener_user;
  /* where steps end because a function of time changes quickly, of the last run, with the sides of
   * equations and the span that they belong to (simulate.c); NULL: not looked for yet */
  GArray *landmarks, *landmark_roots;
  double landmarks_from, landmarks_to;
  struct DaeWatchPlan *watch_plan; /* of the last run (watch.h); NULL: none */
  GArray *peaks, *peak_system;     /* DaeTerm: of the last run (peaks.h), NULL: none */
  bool warned_about_choice;
  bool warned_about_root;
  double t_start;
  double *x, *slopes, *nominal; /* n */
  double start_residual;
  DaeRootResult start_result;
};

/* The problem as the room `start` sees it. */
DaeStartInput dae_problem_start_input(const DaeProblem *problem);

/* x' at a point of the system, with its segment values. */
void dae_problem_slopes_at(DaeProblem *problem, const double *segment, double t,
                           const double *x, double *xdot);

/* Value of an expression in unknowns, time and parameters at the start. */
bool dae_problem_value_at_start(DaeProblem *problem, DaeTerm t, double *value);

/* problem.c: numbers for the parameters (values, taken), the start, the system. quiet: choices
 * are not told. *again as in dae_pipeline_problem; false without *error: the initialization has
 * to be proved, which was not allowed. */
bool dae_problem_bind(DaeProblem *problem, DaeSubst *values, bool may_prove, bool *again,
                      GError **error);
/* The same for a system that takes these values as they are: the start is
 * found again, nothing is compiled. */
bool dae_problem_rebind(DaeProblem *problem, DaeSubst *values, GError **error);

/* ---- problem_start.c --------------------------------------------------------------------- */

/* x, discrete values and free parameters at the start. may_prove: the check of the initialization
 * may be asked; guess: discrete values to begin with, or NULL. *again: its verdict is negative, and
 * to be told on the model as written. */
bool dae_problem_find_start(DaeProblem *problem, bool may_prove, const double *guess,
                            bool *again, GError **error);

/* start_types.c: has every Integer a whole number at the start that was found? False: *error. */
bool dae_problem_start_has_types(DaeProblem *problem, GError **error);

/* ---- run_values.c ------------------------------------------------------------------------ */

/* Chooses the parameters that the system takes when it is evaluated; makes kept. */
void dae_problem_choose_run_values(DaeProblem *problem);
/* None: all are numbers in the terms of the system. */
void dae_problem_drop_run_values(DaeProblem *problem);
void dae_problem_fill_run_values(DaeProblem *problem);
/* Do these values differ from those of the system in nothing but what
 * it takes when it is evaluated? */
bool dae_problem_takes(const DaeProblem *problem, DaeSubst *values);
/* problem_set.c: an input whose value can be set; the values of those that were. */
bool dae_problem_input_symbol(const DaeProblem *problem, const char *name, DaeSymbol *symbol);
void dae_problem_take_inputs(const DaeProblem *problem, DaeSubst *values);
/* The parameters are symbols in the reduced system, not numbers already. */
bool dae_pipeline_reduction_has_symbols(const DaePipeline *pipeline);

/* problem_export.c: false: something keeps values from instant to instant, *error (UNSUPPORTED). */
bool dae_problem_may_be_exported(const DaeProblem *problem, GError **error);

/* invariants.c: false: one of the user's invariants is none, *error (USAGE) says which. */
bool dae_problem_keeps_invariants(const DaeProblem *problem, const DaeSolverOptions *options,
                                  GError **error);

/* For dae_term_eval_double: time and the unknowns at the start; user: the DaeProblem. */
bool dae_problem_atom_at_start(void *user, DaeTerm atom, double *value);

#endif
