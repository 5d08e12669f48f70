/* A smaller model with the same solutions: trivial equations are solved
 * before the exact work begins.
 *
 * Models made of components are mostly connections: a = b, a + b = 0, a = p, sums in which all
 * but two members are zero. Here they are solved once, exactly, until nothing trivial is left:
 *
 *   constants   c*x + k = 0, where k is known (numbers, parameters, time)
 *   aliases     c*x + d*y + k = 0 with numbers c, d: x becomes -(d*y + k)/c, derivatives included
 *   explicit    c*x + f = 0 with a number c, x nowhere differentiated and used
 *               in at most one other equation
 *   observed    c*x + f = 0 with a number c, x in no other equation; f may be long
 *               and hold what makes no event, or makes it in another equation as well
 *   free        a parameter (fixed = false) that an initial equation makes a number stands as
 *               that number in the equations
 *   flows       y = semiLinear(x, a, s), y = semiLinear(x, s, b): the second
 *               becomes s = if x >= 0 then a else b; the balance of shares of one known
 *               flow is divided by it
 *
 * Each solved variable leaves with one equation and by a pivot that is a nonzero number, so the
 * remaining system has the same solutions, the same degrees of freedom and the same number of
 * equations too many or too few. What is no definition stays: an equation that becomes 0 = 0 or
 * 0 = 1 is the sign of a redundant or contradictory set (a = b twice; a = b and a = b + 1) and
 * makes the result useless (`is_sound` is false): the diagnosis is made on the model as
 * written. Initial equations are rewritten, never dropped: two fixed starts of one alias set
 * stay two equations for one unknown.
 *
 * Attributes of an alias set: start and fixed of the kept variable, else of the first one that
 * has them (fixed ones first); the largest stateSelect; the first nominal; min and max
 * intersected as far as they are numbers.
 *
 * Cost: near the size of the equations times the number of rounds in which one of their
 * variables was solved; rows do not grow beyond a few variables, recoveries stay short
 * (LONGEST_ROW in explicit.c). */
#ifndef DAE_SIMPLIFY_SIMPLIFY_H
#define DAE_SIMPLIFY_SIMPLIFY_H

#include "model/model.h"

G_BEGIN_DECLS

typedef struct DaeSimplified DaeSimplified;

typedef struct {
  bool keep_parameters; /* false: parameters with rational values are replaced by them first */
  bool keep_explicit;   /* true: constants and aliases only */
} DaeSimplifyOptions;

typedef enum {
  DAE_RECOVER_KEPT,  /* the variable is `kept` of the smaller model */
  DAE_RECOVER_ALIAS, /* sign * kept */
  DAE_RECOVER_TERM   /* `term` */
} DaeRecoverKind;

typedef struct {
  DaeRecoverKind kind;
  uint32_t kept;     /* KEPT, ALIAS: its number in the smaller model */
  int sign;          /* ALIAS: 1 or -1 */
  DaeTerm term;      /* in kept variables, parameters and time; never DAE_NO_TERM */
  uint32_t equation; /* the one that was solved for it, as written; UINT32_MAX: KEPT */
} DaeRecovery;

/* options may be NULL. model must outlive the result. (transfer full) */
DaeSimplified *dae_simplify(DaeTerms *terms, const DaeModel *model,
                            const DaeSimplifyOptions *options);
void dae_simplified_free(DaeSimplified *simplified);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSimplified, dae_simplified_free)

/* False: some equation turned out redundant or contradictory; use the model as written. */
bool dae_simplified_is_sound(const DaeSimplified *simplified);
/* The rest is for sound results only. */
const DaeModel *dae_simplified_model(const DaeSimplified *simplified);
const DaeModel *dae_simplified_original(const DaeSimplified *simplified);
uint32_t dae_simplified_n_eliminated(const DaeSimplified *simplified);
/* Looks at equations and at places of variables: what the cost is counted in. */
uint64_t dae_simplified_work(const DaeSimplified *simplified);
/* How variable j of the model as written comes back. */
const DaeRecovery *dae_simplified_recovery(const DaeSimplified *simplified, uint32_t j);
/* The number of equation i of the smaller model in the model as written. Initial
 * equations keep their numbers. */
uint32_t dae_simplified_equation(const DaeSimplified *simplified, uint32_t i);
/* Any term in the variables of the model as written, derivatives included, as one in the kept
 * ones. DAE_NO_TERM: it divides by zero there. */
DaeTerm dae_simplified_replace(DaeSimplified *simplified, DaeTerm t);

G_END_DECLS

#endif
