/* Is this initialization consistent, redundant, missing something?
 * [OchelBachmannCasella], carried to the end.
 *
 * About the initial problem of the (repaired) model (initial/initial.h). Every verdict but
 * UNDECIDED is a proof; `is_numeric` marks the one exception, labelled as such. */
#ifndef DAE_INITCHECK_INITCHECK_H
#define DAE_INITCHECK_INITCHECK_H

#include "initial/initial.h"
#include "proof/proof.h"
#include "structural/structural.h"

G_BEGIN_DECLS

typedef struct DaeInit DaeInit;

typedef enum {
  DAE_INIT_WELL_DETERMINED,
  DAE_INIT_CONSISTENT, /* redundant but consistent */
  DAE_INIT_INCONSISTENT,
  DAE_INIT_UNDER_DETERMINED,
  DAE_INIT_MIXED,
  DAE_INIT_UNDECIDED
} DaeInitVerdict;

typedef struct {
  bool all_matchings; /* --all-matchings */
  bool graph;         /* prepare dae_init_write_dot */
  double start;       /* the initial time; has_start: instead of that of the experiment */
  bool has_start;
  /* of the same sig and start time, assembled before; NULL: it is assembled here. Borrowed */
  const DaeInitialProblem *problem;
  DaeBudget *budget; /* of the search; NULL: none. Borrowed */
  /* Something is left undecided whatever is found: why. What a start may choose is still told. */
  const char *doubt;
  /* Without a contradiction nothing is settled: why. NULL: it is. */
  const char *open_unless_inconsistent;
} DaeInitOptions;

typedef struct {
  DaeInitPremise left_out;
  const char *outcome; /* "recursive", "loop", "locally singular", "structurally singular" */
} DaeInitMatching;

DaeInit *dae_init_check(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options,
                        const DaeReporter *reporter, GError **error);
void dae_init_free(DaeInit *init);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeInit, dae_init_free)

DaeInitVerdict dae_init_verdict(const DaeInit *init);
bool dae_init_is_numeric(const DaeInit *init);
bool dae_init_holds_for_all_parameters(const DaeInit *init);
/* unknowns that the model differentiates, by orders: the paper's "potential states"
 * (u1 and u2 in its Listing 1) */
int64_t dae_init_potential_states(const DaeInit *init);
int64_t dae_init_dof(const DaeInit *init);
uint32_t dae_init_n_initial_equations(const DaeInit *init);
uint32_t dae_init_missing(const DaeInit *init);
uint32_t dae_init_n_redundant(const DaeInit *init);
const DaeInitRedundant *dae_init_redundant(const DaeInit *init, uint32_t i);
uint32_t dae_init_n_conflicts(const DaeInit *init);
const DaeInitConflict *dae_init_conflict(const DaeInit *init, uint32_t i);
uint32_t dae_init_n_undetermined(const DaeInit *init);
DaeTerm dae_init_undetermined(const DaeInit *init,
                              uint32_t i); /* VARIABLE (with order) or PARAMETER term */
uint32_t dae_init_n_suggested(const DaeInit *init); /* suggested choice from start values */
DaeTerm dae_init_suggested(const DaeInit *init, uint32_t i);
uint32_t dae_init_n_conditions(const DaeInit *init);
DaeTerm dae_init_condition(const DaeInit *init, uint32_t i); /* must be 0 */
/* What holds for all parameter values rests on these expressions in the parameters not being 0. */
uint32_t dae_init_n_assumptions(const DaeInit *init);
DaeTerm dae_init_assumption(const DaeInit *init, uint32_t i);
/* And on these parameters being within their declared min and max. */
uint32_t dae_init_n_within(const DaeInit *init);
DaeTerm dae_init_within(const DaeInit *init, uint32_t i);
uint32_t dae_init_n_matchings(const DaeInit *init);
const DaeInitMatching *dae_init_matching(const DaeInit *init, uint32_t i);
/* The reduced system that the matchings are of: unknowns and equations. */
void dae_init_reduced_size(const DaeInit *init, uint32_t *n_unknowns, uint32_t *n_equations);

typedef struct { /* the worst of all numeric steps */
  uint32_t digits;
  int radius; /* of the balls: below 10^radius */
  int below;  /* residuals that were taken as 0 are below 10^below */
  bool has_zero;
} DaeInitPrecision;

bool dae_init_precision(const DaeInit *init,
                        DaeInitPrecision *precision); /* false: no numeric step */
/* Unknowns without a formula: a regular nonlinear block determines them. Is a real solution
 * near the start values proved to exist for all of them (in balls of radius 10^*radius)? */
uint32_t dae_init_n_implicit(const DaeInit *init);
bool dae_init_existence_is_proved(const DaeInit *init, int *radius);
/* Value of an unknown (VARIABLE of some order, PARAMETER) at the start, rounded: where
 * numerical work may begin. false: none. */
bool dae_init_value(const DaeInit *init, DaeTerm atom, double *value);
/* What the search could not settle, for people; NULL unless UNDECIDED. */
const char *dae_init_undecided_why(const DaeInit *init);

const char *
dae_init_verdict_name(DaeInitVerdict verdict); /* "well-determined", ... as in the contract */
/* One line for people: "2 initial equations for 1 degree of freedom: consistent,
 * 1 redundant". (transfer full) */
char *dae_init_summary(const DaeInit *init);
/* All proofs of the result, for proofcheck/proofcheck.h; valid as long as init. */
DaeProofs dae_init_proofs(const DaeInit *init);
/* Directed graph of the unmatched equations in Graphviz dot (Figures 3, 4, 6, 9 of the paper). */
void dae_init_write_dot(const DaeInit *init, DaeTerms *terms, GString *out);

G_END_DECLS

#endif
