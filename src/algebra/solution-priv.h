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
  GHashTable *index;      /* DaeTerm -> place + 1 */
  GArray *balls;          /* arb_struct */
  GHashTable *given;      /* atoms whose values were set or chosen */
  double work, most_work; /* most_work 0: no limit */
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
  bool with_balls;  /* linear systems are solved with balls, not with doubles */
} DaeSolutionWork;

/* Values of the equations and their derivatives with these balls for the unknowns. */
bool dae_solution_evaluate(DaeSolutionWork *work, arb_srcptr at);
void dae_solution_jacobian(const DaeSolutionWork *work, arb_mat_t jacobian);
/* The middles of the Jacobian by the chosen columns (NULL: by all), row by row. (transfer full) */
double *dae_solution_middles(const DaeSolutionWork *work, const uint32_t *chosen);
/* Is there a solution near work->x? box: one that encloses it. Krawczyk's test. */
bool dae_solution_prove(DaeSolutionWork *work, arb_ptr box);

/* ---- solution_tear.c ---------------------------------------------------------------------- */

typedef struct {
  GArray *equations; /* DaeTerm: of the core */
  GArray *unknowns;  /* DaeTerm: kept */
  GArray *near;      /* double: where to look for them */
  GArray *defined;   /* DaeTerm: the other unknowns */
  GArray *values;    /* DaeTerm: what they are, over kept ones */
} DaeTorn;

void dae_torn_init(DaeTorn *torn);
void dae_torn_clear(DaeTorn *torn);
/* torn is empty. false: nothing came of it. */
bool dae_solution_tear(DaeSolution *solution, const DaeStage *stage, DaeTorn *torn);

/* ---- solution_plain.c --------------------------------------------------------------------- */

/* b becomes a^-1 b, b with n_right columns; a is used up. false: a is singular or not finite. */
bool dae_plain_solve(double *a, uint32_t m, double *b, uint32_t n_right);
/* change becomes j^T (j j^T)^-1 f with j of m rows and n columns; f is used up. */
bool dae_plain_least_change(const double *j, uint32_t m, uint32_t n, double *f, double *change);

#endif
