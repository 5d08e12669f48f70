/* A point at which equations hold, found system by system: one ball per atom, each system
 * proved to have exactly one solution in its balls for all values that the earlier balls hold
 * (Krawczyk's operator with balls for what is known [MooreKearfottCloud09, section 8.2]). So
 * there is a point in the product of all balls where everything holds. */
#ifndef DAE_ALGEBRA_SOLUTION_H
#define DAE_ALGEBRA_SOLUTION_H

#include "algebra/algebra.h"

typedef struct DaeSolution DaeSolution;

DaeSolution *dae_solution_new(DaeAlgebra *algebra, uint32_t digits);
void dae_solution_free(DaeSolution *solution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSolution, dae_solution_free)

/* The value of a term over atoms that are set; false: it is not provably defined. */
bool dae_solution_set(DaeSolution *solution, DaeTerm atom, DaeTerm value);
bool dae_solution_has(const DaeSolution *solution, DaeTerm atom);

typedef struct { /* no atoms but the unknowns and those that are set */
  const DaeTerm *equations;
  uint32_t n_equations;
  const DaeTerm *unknowns; /* at least as many as equations */
  uint32_t n_unknowns;
  const double *near; /* where to begin */
  /* of a large system: how well each of these places is known, 0: not at all; NULL: none is */
  const uint8_t *rank;
} DaeStage;

#define DAE_STAGE_MAX 400 /* equations of the core of a system: its matrices are dense */

/* Sets the unknowns. What the equations leave free becomes a simple rational near its place on
 * the solution set. Where this succeeds the Jacobian by the other unknowns is regular at the
 * solution. false: nothing is set. */
bool dae_solution_extend(DaeSolution *solution, const DaeStage *stage);

/* Is t defined and not 0 at the point? */
bool dae_solution_excludes_zero(DaeSolution *solution, DaeTerm t);
/* Was it set or chosen, not solved for? */
bool dae_solution_is_given(const DaeSolution *solution, DaeTerm atom);
/* A decimal within 10^radius of the value. (transfer full) */
char *dae_solution_text(const DaeSolution *solution, DaeTerm atom);
int dae_solution_radius(const DaeSolution *solution); /* r: every radius is below 10^r */
/* Operations on balls so far: a measure of work that does not depend on the machine. */
double dae_solution_work(const DaeSolution *solution);
/* Above that much work (more than 0) nothing is set any more and no system solved; the loops of
 * a routine that is being evaluated end there, too. */
void dae_solution_limit_work(DaeSolution *solution, double most);
bool dae_solution_is_spent(const DaeSolution *solution);

#endif
