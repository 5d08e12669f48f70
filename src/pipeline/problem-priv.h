/* A problem in numbers, for the files of this room: problem.c puts it together, start.c finds the consistent start. */
#ifndef DAE_PIPELINE_PROBLEM_PRIV_H
#define DAE_PIPELINE_PROBLEM_PRIV_H

#include "eval/eval.h"
#include "pipeline/pipeline-priv.h"

struct DaeProblem {
  DaePipeline *pipeline; /* borrowed */
  const DaeQlt *qlt;
  const DaeModel *model;       /* the one that was reduced (converted after a repair) */
  DaeSubst *values;            /* parameters to numbers */
  GArray *unknowns;            /* DaeTerm: VARIABLE of order 0 */
  GArray *row_start, *columns; /* uint32_t */
  GArray *coefficients, *rhs, *constraints; /* DaeTerm */
  GArray *hidden;                           /* uint8_t, by constraint */
  DaeSystemParts parts;
  DaeSystem *system;
  double t_start;
  double *x, *slopes, *nominal; /* n */
  double start_residual;
  DaeStartResult start_result;
};

/* The value of a free parameter or unknown before the start is known: its start attribute, else 0. has_start (may be NULL)
 * tells which. */
double dae_problem_guess(const DaeProblem *problem, DaeTerm atom, bool *has_start);

/* Some homotopy() call in t whose operands hold no other one; DAE_NO_TERM if there is none. */
DaeTerm dae_problem_find_homotopy(DaeTerms *terms, DaeTerm t);
/* t with every homotopy(actual, simplified) replaced by actual. */
DaeTerm dae_problem_take_actual(DaeTerms *terms, DaeTerm t);

/* Value of an expression in unknowns, time and parameters at the start. */
bool dae_problem_value_at_start(DaeProblem *problem, DaeTerm t, double *value);

/* x' at the start from [E; h_x] x' = [k; -h_t] into problem->slopes. */
void dae_problem_find_slopes(DaeProblem *problem);

/* Finds problem->x: constraints, initial equations and fixed starts together [issue "simulate", consistent start]. Free parameters found on the
 * way are added to problem->values. false: *error (NUMERIC or NEGATIVE) names the equations. */
bool dae_problem_find_start(DaeProblem *problem, const DaeInit *init, GError **error);

#endif
