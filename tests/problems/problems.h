/* Hand-written problems for the solver: no reader, no terms, known solutions.
 *
 * Each problem is an evaluator (eval/evaluator.h) with consistent start values, a time span and, where one is known,
 * the solution at the end. Evaluators are static data: nothing to free. */
#ifndef DAE_TESTS_PROBLEMS_H
#define DAE_TESTS_PROBLEMS_H

#include "eval/evaluator.h"

typedef struct {
  const char *name;
  const DaeEvaluator *evaluator;
  double t_stop;
  const double *start;     /* n */
  const double *reference; /* n, at t_stop; NULL: none */
} DaeProblem;

/* Pendulum of period 2 in Cartesian coordinates (x, y, u, v, lambda), with all hidden constraints [001, section 5]. */
extern const DaeProblem dae_problem_pendulum;
/* The same with the energy as a fourth constraint. */
extern const DaeProblem dae_problem_pendulum_energy;

#endif
