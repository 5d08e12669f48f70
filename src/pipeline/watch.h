/* What a run must not pass over in silence, between the output points as well.
 *
 * A variable that was solved for beforehand is computed at output points only; a pole or the
 * edge of a domain between two of them would not be noticed. Its denominators, cosines of
 * tangents, and arguments of roots and logarithms are therefore followed while the equations
 * are integrated, and so are those of the rows of the system: a pole that is narrow beside the
 * step lies between the stages, and methods with a fixed step notice none. A zero of a denominator at which the value stays bounded is
 * no pole. Variables that leave min or max are told once each. */
#ifndef DAE_PIPELINE_WATCH_H
#define DAE_PIPELINE_WATCH_H

#include "pipeline/problem-priv.h"
#include "solver/integrator.h"

typedef struct DaeWatch DaeWatch;
typedef struct DaeWatchPlan DaeWatchPlan;

/* NULL: there is nothing to watch. (transfer full) */
DaeWatch *dae_watch_new(DaeProblem *problem, const DaeSolverOptions *options);
void dae_watch_free(DaeWatch *watch); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeWatch, dae_watch_free)

void dae_watch_plan_free(DaeWatchPlan *plan); /* NULL is fine */

/* As functions whose sign changes: user is the watch. */
const DaeEvents *dae_watch_events(const DaeWatch *watch);
/* The point where a run begins: what is outside its range there is told. */
void dae_watch_begin(DaeWatch *watch, double t, const double *x);
/* The point where a run with events ends, likewise. */
void dae_watch_end(DaeWatch *watch, double t, const double *x);
/* The last step of an integrator; false: it went over a pole, at *t. */
bool dae_watch_step(DaeWatch *watch, DaeIntegrator *it, double *t);
/* Why the run must end: "integration stopped at t = …"; NULL: nothing. */
const char *dae_watch_failure(const DaeWatch *watch);

typedef struct {
  DaeTerm function;
  DaeTerm guard;     /* where the branches that it stands in hold; DAE_NO_TERM: in none */
  bool is_edge;      /* of a domain: positive inside; otherwise a denominator ... */
  bool is_logarithm; /* ... or a factor of a logarithm's argument that is nowhere negative */
} DaeBrink;

/* watch_collect.c: subterms of t whose zeros matter, not those inside of branches; are there
 * branches? */
bool dae_watch_collect(DaeTerms *terms, DaeTerm t, GArray *brinks);
/* At a node alone; are its operands looked at as well? */
void dae_watch_collect_at(DaeTerms *terms, DaeTerm t, GArray *brinks);
bool dae_watch_is_entered(const DaeTerms *terms, DaeTerm t);
/* watch_branches.c: poles inside of branches, edges not. O(nodes). */
void dae_watch_collect_in_branches(DaeTerms *terms, DaeTerm t, GArray *brinks);

#endif
