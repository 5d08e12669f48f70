/* Proofs about the equations of a model at its start, as data: who finds them (initcheck) and
 * who checks them (proofcheck) share this and nothing else.
 *
 * A proof is a list of steps. A step is an equation with the rule by which it follows from
 * earlier steps; premises are equations of the model, differentiated so often, or initial
 * equations. A proof of redundancy ends in an identity, a conflict in a contradiction. */
#ifndef DAE_PROOF_PROOF_H
#define DAE_PROOF_PROOF_H

#include "model/model.h"
#include "terms/text.h"

G_BEGIN_DECLS

/* a premise: an equation of the model (differentiated `order` times) or an initial equation */
typedef struct {
  bool is_initial;
  uint32_t index;
  int32_t order;
} DaeInitPremise;

/* How a step follows. Rules name their steps in `from`; each can be checked
 * alone (the room `proofcheck`). */
typedef enum {
  /* an equation of the model, differentiated `order` times, or an initial equation */
  DAE_RULE_PREMISE,
  /* from[0] with the solutions of the other steps put in, up to a factor that cannot vanish */
  DAE_RULE_SUBSTITUTE,
  DAE_RULE_SOLVE,    /* the same, solved for `atom`: atom = rhs is the only solution */
  DAE_RULE_BRANCH,   /* the same, one of several solutions; `note` says how it was chosen */
  DAE_RULE_VALUES,   /* the same with the given parameter values put in */
  DAE_RULE_COMBINE,  /* sum of factors[i] * from[i] */
  DAE_RULE_IDENTITY, /* from[0] with solutions put in: both sides are the same */
  /* from[0] at a solution of the others that is enclosed in balls; see DaeInitNumeric */
  DAE_RULE_NUMERIC,
  /* from[0] with solutions put in: 0 = something that is not 0. With a condition: put into
   * it, the solutions of `from` make it the other way than the case took it. With an atom:
   * its value is none of its type (2.5 for an Integer). With a part: from[0] is a premise with
   * this part, whose argument is outside of the domain with the solutions put in. */
  DAE_RULE_CONTRADICTION,
  /* 0 = 1: each step in `from` is a contradiction in some case (BRANCH steps behind it, and
   * its condition), and these are all */
  DAE_RULE_CASE
} DaeInitRule;

/* What a NUMERIC step rests on. The solved steps have exactly one real solution in the box
 * |atom - value| <= 10^radius (Krawczyk), and the equation of the step was evaluated over that
 * box. Other solutions are not spoken of. */
typedef struct {
  uint32_t n; /* atoms */
  /* the first n_solved were solved for, the others were held at their values */
  uint32_t n_solved;
  DaeTerm *atoms;
  char **values;  /* decimals */
  uint32_t *rows; /* n_solved: places in `from` of the step */
  int radius;
  uint32_t digits;
  bool excludes_zero; /* the size is above 10^above: a proof that the equation fails there */
  int above;
  int below; /* the size is below 10^below */
  /* excludes_zero: solutions found in which the equations fail, this one among them */
  uint32_t n_solutions;
} DaeInitNumeric;

typedef struct { /* one step of a proof; a program can check it, a reader can redo it */
  bool is_premise;
  bool holds;             /* which way the condition goes */
  uint8_t rule;           /* DaeInitRule */
  DaeInitPremise premise; /* when is_premise */
  DaeTerm lhs, rhs;       /* the equation of this step */
  DaeStyled *sides;       /* the equation as it is shown, with values put in; NULL: lhs = rhs */
  char *note;             /* how it was chosen; NULL: nothing to say */
  uint32_t *from;         /* earlier steps (by number from 0) this one follows from */
  uint32_t n_from;
  /* SOLVE and some PREMISE and BRANCH steps: lhs is this unknown and rhs is free of it */
  DaeTerm atom;
  DaeTerm *factors;        /* COMBINE: one per from; NULL when only the membership is known */
  DaeInitNumeric *numeric; /* NUMERIC: what was found where */
  /* BRANCH, CONTRADICTION: the case that is looked at, or DAE_NO_TERM */
  DaeTerm condition;
  DaeTerm part; /* CONTRADICTION: what has no value, or DAE_NO_TERM */
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

typedef struct { /* all that was proved about one initialization; borrowed */
  const DaeInitRedundant *redundant;
  uint32_t n_redundant;
  const DaeInitConflict *conflicts;
  uint32_t n_conflicts;
} DaeProofs;

void dae_proof_step_clear(DaeInitStep *step); /* what it owns */
void dae_proof_steps_free(DaeInitStep *steps, uint32_t n);
void dae_proof_numeric_free(DaeInitNumeric *numeric); /* NULL is fine */
DaeInitNumeric *dae_proof_numeric_copy(const DaeInitNumeric *numeric);

/* "u2 = 5 [from steps 1, 3]", "u1 = 5 [initial 0]"; steps count from 1 in texts.
 * (transfer full) */
DaeStyled dae_init_step_text(const DaeModel *model, DaeTerms *terms, const DaeInitStep *step);
void dae_init_premise_print(const DaeModel *model, DaeTerms *terms,
                            const DaeInitPremise *premise, DaePrintStyle style, GString *out);
/* Texts for messages. (transfer full) */
char *dae_init_premise_text(const DaeModel *model, DaeTerms *terms,
                            const DaeInitPremise *premise);
/* "u1 = 5  (initial 0, line 8)" */
char *dae_init_premise_line(const DaeModel *model, DaeTerms *terms,
                            const DaeInitPremise *premise);
/* " (residual 1): these contradict each other" and one line for each equation;
 * check-init and simulate say the same. */
char *dae_init_conflict_message(const DaeModel *model, DaeTerms *terms,
                                const DaeInitConflict *conflict);
const DaeEquation *dae_init_premise_equation(const DaeModel *model,
                                             const DaeInitPremise *premise);

G_END_DECLS

#endif
