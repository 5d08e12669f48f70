/* Is this initialization consistent, redundant, missing something? [OchelBachmannCasella], carried to the end.
 *
 * Unknowns: x_j^(k), 0 <= k <= d_j, and free parameters. Equations: the reduced derivative array of the (repaired)
 * model, the initial equations, the fixed starts. Every verdict but UNDECIDED is a proof; `is_numeric` marks the one
 * exception, labelled as such. */
#ifndef DAE_INITCHECK_INITCHECK_H
#define DAE_INITCHECK_INITCHECK_H

#include "qlt/qlt.h"

typedef struct DaeInit DaeInit;

typedef enum {
  DAE_INIT_WELL_DETERMINED,
  DAE_INIT_CONSISTENT, /* redundant but consistent */
  DAE_INIT_INCONSISTENT,
  DAE_INIT_UNDER_DETERMINED,
  DAE_INIT_MIXED,
  DAE_INIT_UNDECIDED
} DaeInitVerdict;

typedef struct
{ /* a premise: an equation of the model (differentiated `order` times) or an initial equation */
  bool is_initial;
  uint32_t index;
  int32_t order;
} DaeInitPremise;

/* How a step follows. Rules name their steps in `from`; each can be checked alone (verify.c). */
typedef enum {
  DAE_RULE_PREMISE, /* an equation of the model, differentiated `order` times, or an initial equation */
  DAE_RULE_SUBSTITUTE, /* from[0] with the solutions of the other steps put in, up to a factor that cannot vanish */
  DAE_RULE_SOLVE,    /* the same, solved for `atom`: atom = rhs is the only solution */
  DAE_RULE_BRANCH,   /* the same, one of several solutions; `text` says how it was chosen */
  DAE_RULE_VALUES,   /* the same with the given parameter values put in */
  DAE_RULE_COMBINE,  /* sum of factors[i] * from[i] */
  DAE_RULE_IDENTITY, /* from[0] with solutions put in: both sides are the same */
  DAE_RULE_NUMERIC, /* from[0] at a solution of the others that is enclosed in balls; see DaeInitNumeric */
  DAE_RULE_CONTRADICTION /* from[0] with solutions put in: 0 = something that is not 0 */
} DaeInitRule;

/* What a NUMERIC step rests on. The solved steps have exactly one real solution in the box |atom - value| <= 10^radius
 * (Krawczyk), and the equation of the step was evaluated over that box. Other solutions are not spoken of. */
typedef struct {
  uint32_t n; /* atoms */
  uint32_t
      n_solved; /* the first n_solved were solved for, the others were held at their values */
  DaeTerm *atoms;
  char **values;  /* decimals */
  uint32_t *rows; /* n_solved: places in `from` of the step */
  int radius;
  uint32_t digits;
  bool excludes_zero; /* the size is above 10^above: a proof that the equation fails there */
  int above;
  int below; /* the size is below 10^below */
  uint32_t
      n_solutions; /* excludes_zero: solutions found in which the equations fail, this one among them */
} DaeInitNumeric;

typedef struct {    /* one step of a proof; a program can check it, a reader can redo it */
  DaeTerm lhs, rhs; /* the equation of this step */
  char *
      text; /* "u2 = 5  [from steps 1, 3]", "u1 = 5  [initial 0]"; steps count from 1 in texts */
  bool is_premise;
  DaeInitPremise premise; /* when is_premise */
  DaeInitRule rule;
  DaeTerm
      atom; /* SOLVE and some PREMISE and BRANCH steps: lhs is this unknown and rhs is free of it */
  uint32_t *from; /* earlier steps (by number from 0) this one follows from */
  uint32_t n_from;
  DaeTerm *factors;        /* COMBINE: one per from; NULL when only the membership is known */
  DaeInitNumeric *numeric; /* NUMERIC: what was found where */
  DaeTerm condition;       /* BRANCH: the case that is looked at, or DAE_NO_TERM */
  bool holds;              /* and which way it goes */
} DaeInitStep;

typedef struct {
  DaeInitPremise what; /* the redundant equation */
  const DaeInitStep *steps;
  uint32_t n_steps;
} DaeInitRedundant;

typedef struct {
  const DaeInitPremise *premises; /* minimal: drop any one and the conflict is gone */
  uint32_t n_premises;
  DaeTerm residual;         /* what should be 0 and is not */
  const DaeInitStep *steps; /* chain that ends in 0 = residual */
  uint32_t n_steps;
} DaeInitConflict;

typedef struct {
  bool all_matchings; /* --all-matchings */
  bool graph;         /* prepare dae_init_write_dot */
  DaeBudget *budget;  /* of the search; NULL: none. Borrowed */
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
int64_t dae_init_potential_states(
    const DaeInit *init); /* unknowns that the model differentiates, by orders: the paper's
                                                           "potential states" (u1 and u2 in its Listing 1) */
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
/* Unknowns without a formula: a regular nonlinear block determines them. Is a real solution near the start values proved to
 * exist for all of them (in balls of radius 10^*radius)? */
uint32_t dae_init_n_implicit(const DaeInit *init);
bool dae_init_existence_is_proved(const DaeInit *init, int *radius);
/* Value of an unknown (VARIABLE of some order, PARAMETER) at the start, rounded: where numerical work may begin. false: none. */
bool dae_init_value(const DaeInit *init, DaeTerm atom, double *value);
/* What the search could not settle, for people; NULL unless UNDECIDED. */
const char *dae_init_undecided_why(const DaeInit *init);

const char *
dae_init_verdict_name(DaeInitVerdict verdict); /* "well-determined", ... as in the contract */
/* One line for people: "2 initial equations for 1 degree of freedom: consistent, 1 redundant". (transfer full) */
char *dae_init_summary(const DaeInit *init);
/* Texts for messages. (transfer full) */
char *dae_init_premise_text(const DaeModel *model, DaeTerms *terms,
                            const DaeInitPremise *premise);
/* "u1 = 5  (initial 0, line 8)" */
char *dae_init_premise_line(const DaeModel *model, DaeTerms *terms,
                            const DaeInitPremise *premise);
/* " (residual 1): these contradict each other" and one line for each equation; check-init and simulate say the same. */
char *dae_init_conflict_message(const DaeModel *model, DaeTerms *terms,
                                const DaeInitConflict *conflict);
const DaeEquation *dae_init_premise_equation(const DaeModel *model,
                                             const DaeInitPremise *premise);

/* Independent proof checker (verify.c): re-checks each step of all redundancy proofs and conflict chains with code of its own.
 * false: *why (transfer full) names the first step that does not follow. */
typedef struct {
  uint32_t n_exact; /* steps checked by exact arithmetic */
  uint32_t
      n_images; /* by images in a finite field (a wrong one passes with probability < 1e-14) */
  uint32_t n_numeric; /* numeric steps, in balls */
  uint32_t
      n_assumed; /* steps that divide by something, or take one solution of several, and whose
                            right to do so was not shown again */
  GPtrArray
      *identities; /* names (static) of the identities of functions that were used; owned */
} DaeInitVerified;

bool dae_init_verify_steps(const DaeInit *init, const DaeModel *model, DaeTerms *terms,
                           DaeInitVerified *counts, char **why); /* counts may be NULL */
bool dae_init_verify(const DaeInit *init, const DaeModel *model, DaeTerms *terms, char **why);
/* Directed graph of the unmatched equations in Graphviz dot (Figures 3, 4, 6, 9 of the paper). */
void dae_init_write_dot(const DaeInit *init, DaeTerms *terms, GString *out);

#endif
