/* Hand-written problems for the solver: no reader, no terms, known solutions.
 *
 * Each problem is an evaluator (eval/evaluator.h) with consistent start values, a time span and,
 * where one is known, the solution at the end. Evaluators are static data: nothing to free. */
#ifndef DAE_TESTS_PROBLEMS_H
#define DAE_TESTS_PROBLEMS_H

#include "eval/evaluator.h"
#include "problems/template.h"

typedef struct {
  const char *name;
  const DaeEvaluator *evaluator; /* exactly one of evaluator and template is given */
  const DaeTemplate *template;
  double t_stop;
  const double *start;     /* n */
  const double *reference; /* n, at t_stop; NULL: none */
} DaeProblem;

/* Pendulum of period 2 in Cartesian coordinates (x, y, u, v, lambda), with all hidden
 * constraints [001, section 5]. */
extern const DaeProblem dae_problem_pendulum;
/* The same with the energy as a fourth constraint. */
extern const DaeProblem dae_problem_pendulum_energy;

/* Car axis and Andrews' squeezer of the IVP test set, index 3. */
extern const DaeProblem dae_problem_car_axis;
extern const DaeProblem dae_problem_andrews;
/* The start has consistent positions only: dae_solver_run finds the rest. */
extern const DaeProblem dae_problem_slider_crank;
/* The pendulum with redundant constraints. */
extern const DaeProblem dae_problem_redundant;
/* Stiff: van der Pol, Robertson (index 1), Prothero-Robinson. */
extern const DaeProblem dae_problem_van_der_pol;
extern const DaeProblem dae_problem_robertson;
extern const DaeProblem dae_problem_prothero;
/* Leading matrix depending on state and time; known solution. */
extern const DaeProblem dae_problem_manufactured;
/* Linear, so that long steps are possible; known solution. */
extern const DaeProblem dae_problem_oscillator;
/* Algebraic equations among the differential rows. */
extern const DaeProblem dae_problem_index_one;
/* Solutions that end: a pole, an impasse point, the edge of a domain, all at t = 1. */
extern const DaeProblem dae_problem_blow_up;
extern const DaeProblem dae_problem_rectifier;
extern const DaeProblem dae_problem_impasse;
extern const DaeProblem dae_problem_domain;

/* The evaluator of a problem; space holds it and its patterns. */
typedef struct {
  DaeEvaluator evaluator;
  uint32_t row_start[DAE_TEMPLATE_MAX + 1];
  uint32_t column[DAE_FULL_PATTERN_MAX];
} DaeProblemSpace;

const DaeEvaluator *dae_problem_open(const DaeProblem *problem, DaeProblemSpace *space);

/* Chain of n planar pendula of length 1, horizontal at rest, with accelerations as unknowns: 7
 * n unknowns (x, y, u, v, a, b, lambda of each), sparse. */
DaeEvaluator *dae_problem_chain_new(uint32_t n, double *start /* 7 n */);
void dae_problem_chain_free(DaeEvaluator *evaluator);

#endif
