/* Inside of solutions: a system as a program of balls, for the search (solution.c) and the proof
 * (solution_prove.c). */
#ifndef DAE_ALGEBRA_SOLUTION_PRIV_H
#define DAE_ALGEBRA_SOLUTION_PRIV_H

#include "algebra/algebra-priv.h"
#include "algebra/solution.h"

struct DaeSolution {
  DaeAlgebra *algebra;
  slong precision;
  uint32_t digits;
  GHashTable *index; /* DaeTerm -> place + 1 */
  GArray *balls;     /* arb_struct */
  GHashTable *given; /* atoms whose values were set or chosen */
  double work;
};

/* A system as a program: roots are the equations, then the entries of
 * the Jacobian that are not zero. */
typedef struct {
  DaeSolution *solution;
  const DaeStage *stage;
  DaePlan *plan;
  GArray *entries;  /* uint32_t: row * n_unknowns + column */
  uint32_t *places; /* of the unknowns among the balls */
  uint32_t n_roots;
  arb_ptr values;   /* of the roots */
  arb_ptr x;        /* where we are: exact balls */
  uint32_t *chosen; /* the columns that are solved for, n_equations of them */
} DaeSolutionWork;

/* Values of the equations and their derivatives with these balls for the unknowns. */
bool dae_solution_evaluate(DaeSolutionWork *work, arb_srcptr at);
void dae_solution_jacobian(const DaeSolutionWork *work, arb_mat_t jacobian);
/* Is there a solution near work->x? box: one that encloses it. Krawczyk's test. */
bool dae_solution_prove(DaeSolutionWork *work, arb_ptr box);

#endif
