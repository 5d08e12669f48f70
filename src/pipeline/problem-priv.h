/* A problem in numbers, for the files of this room: problem.c puts it together, the room `start` finds where it begins. */
#ifndef DAE_PIPELINE_PROBLEM_PRIV_H
#define DAE_PIPELINE_PROBLEM_PRIV_H

#include "eval/eval.h"
#include "pipeline/pipeline-priv.h"
#include "start/start.h"

typedef struct DaeResults DaeResults; /* results.h */

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
  DaeResults *results;
  double t_start;
  double *x, *slopes, *nominal; /* n */
  double start_residual;
  DaeRootResult start_result;
};

/* The problem as the room `start` sees it. */
DaeStartInput dae_problem_start_input(const DaeProblem *problem);

/* Value of an expression in unknowns, time and parameters at the start. */
bool dae_problem_value_at_start(DaeProblem *problem, DaeTerm t, double *value);

#endif
