/* The state of the elimination, for the files of this room. */
#ifndef DAE_SIMPLIFY_SIMPLIFY_PRIV_H
#define DAE_SIMPLIFY_SIMPLIFY_PRIV_H

#include "simplify/simplify.h"

typedef struct { /* a variable occurs in an equation; may be out of date */
  uint32_t equation;
  uint32_t next; /* in `occurrences`; 0: end */
} DaeOccurrence;

typedef struct {
  DaeTerms *terms;
  const DaeModel *model;
  DaeSubst *values;  /* parameters to numbers; NULL: they stay symbols */
  DaeSubst *learned; /* free parameters, and what depends on them, to numbers; NULL: none */
  uint32_t n, m;     /* variables, equations */
  /* m: 0 = residual, or lead = residual with a derivative of order 1 as lead and none in the
   * residual; DAE_NO_TERM once it was used as a definition */
  DaeTerm *residual;
  DaeTerm *lead;        /* m: DAE_NO_TERM for 0 = residual */
  uint8_t *changed;     /* m: residual is not lhs - rhs as written any more */
  uint8_t *stale;       /* m: a variable in it may have been solved since it was refreshed */
  uint8_t *queued;      /* m */
  GQueue *queue;        /* equations to look at again, for constants and aliases */
  GQueue *later;        /* those of them with derivatives: no aliases, as long as these stay */
  GQueue *rows;         /* the same for explicit variables */
  uint8_t *row_queued;  /* m */
  DaeTerm *replacement; /* n: DAE_NO_TERM while kept */
  uint32_t *definition; /* n: equation */
  /* n: some derivative occurs in the model or its initial equations */
  uint8_t *is_differentiated;
  uint8_t *is_literal;        /* n: it stands where relations make no events, or will */
  uint32_t *first_occurrence; /* n: in `occurrences` */
  GArray *occurrences;        /* DaeOccurrence; 0 unused */
  uint32_t *load;             /* n: length that recoveries with this variable have reached */
  GArray *order;              /* uint32_t: eliminated variables, in turn */
  DaeVariable *variables;     /* n: attributes, merged as aliases are found */
  GArray *atoms;              /* DaeTerm, scratch */
  uint64_t work;              /* looks at equations and members of lists of occurrences */
  bool is_sound;
} DaeSimplifier;

typedef struct { /* c*x + rest, x of order 0 */
  uint32_t variable;
  DaeTerm coefficient;
} DaeLinearPart;

/* Splits a residual into parts that are linear in one variable of order 0 with a known
 * coefficient, and a known rest (no variable). False: something else is in it, or it has
 * more than `most` such variables. */
bool dae_split_linear(DaeSimplifier *s, DaeTerm residual, DaeLinearPart *parts, uint32_t most,
                      uint32_t *n_parts, DaeTerm *rest);
/* The coefficient of variable j where the residual is coefficient*x_j + (something free of x_j)
 * with a number as coefficient; DAE_NO_TERM otherwise. */
DaeTerm dae_number_coefficient(DaeSimplifier *s, DaeTerm residual, uint32_t j);

/* t with each solved variable replaced by its current value; those values may hold solved ones
 * in turn. Values refer to variables that were solved later, so this ends. */
DaeTerm dae_simplifier_replace(DaeSimplifier *s, DaeTerm t);
/* Brings the residual of an equation up to date: solved variables are
 * replaced. False: it has no value. */
bool dae_simplifier_refresh(DaeSimplifier *s, uint32_t equation);
/* Solves `equation` for variable j: from now on it is `value`. */
void dae_simplifier_eliminate(DaeSimplifier *s, uint32_t equation, uint32_t j, DaeTerm value);
/* 0 = this is the equation, which has not been used as a definition, whatever its form. */
DaeTerm dae_simplifier_whole(DaeSimplifier *s, uint32_t equation);
bool dae_simplifier_has_derivatives(const DaeSimplifier *s, uint32_t equation);
/* The equation says 0 = residual from now on: where both have a solution it is the same. */
void dae_simplifier_restate(DaeSimplifier *s, uint32_t equation, DaeTerm residual);
/* semiLinear() of flows that are zero: the specification's rule, and balances of shares. */
void dae_simplify_flows(DaeSimplifier *s);
/* Constants and aliases until the queue is empty. */
void dae_simplify_aliases(DaeSimplifier *s);
/* May the value, of an equation without variables, jump at an event? */
bool dae_simplify_may_jump(DaeSimplifier *s, DaeTerm value);
/* What makes events in t, each once, into `list` (DaeTerm). */
void dae_simplify_list_events(DaeSimplifier *s, DaeTerm t, GArray *list);
bool dae_simplify_makes_events(DaeSimplifier *s, DaeTerm t);
/* Marks the variables of t, part of an equation, that stand where relations make no events. */
void dae_simplify_note_literal(DaeSimplifier *s, DaeTerm t);
/* Variable j gets a value: what it consists of stands where j does. */
void dae_simplify_pass_literal(DaeSimplifier *s, uint32_t j, DaeTerm value);
/* Numbers for free parameters that the initial equations fix, and the constants and aliases that
 * follow from them. */
void dae_simplify_initial(DaeSimplifier *s);
/* Variables that are used once, with what follows from each. */
void dae_simplify_explicit(DaeSimplifier *s);
/* Variables that nothing uses but their own equation, however long it is:
 * they are computed from results. */
void dae_simplify_observed(DaeSimplifier *s);
/* How many equations other than `definition` contain variable j, at any order?
 * Counts to `most` + 1; most < 3. */
uint32_t dae_simplifier_count_uses(DaeSimplifier *s, uint32_t j, uint32_t definition,
                                   uint32_t most);

/* The kept variable takes over what the other one knows; other = factor*kept + offset. */
void dae_merge_attributes(DaeSimplifier *s, uint32_t kept, uint32_t other, DaeTerm factor,
                          DaeTerm offset);
/* Larger: rather kept. */
uint32_t dae_keep_rank(const DaeSimplifier *s, uint32_t j);

DaeSimplified *dae_simplified_new(DaeSimplifier *s);

#endif
