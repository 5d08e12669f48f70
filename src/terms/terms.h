/* Exact terms: what is this expression?
 *
 * One DaeTerms context owns all terms. A term is a 32-bit id, 0 means none. Terms are
 * hash-consed: within a context equal terms have equal ids, so comparison is `==` and every
 * pass memoizes by id. Terms are never freed singly; they die with the context.
 *
 * Canonical form, established by the constructors (build.c):
 *   NUMBER    exact rational, lowest terms.
 *   SUM       >= 2 operands, no nested SUM, at most one NUMBER (first, nonzero), the others
 *             pairwise different up to a rational factor; an operand with a factor other
 *             than 1 is PRODUCT(NUMBER, ...).
 *   PRODUCT   >= 2 operands, no nested PRODUCT, at most one NUMBER (first, not 0 or 1), bases
 *             pairwise different; a repeated base is a POWER. NUMBER times one SUM is
 *             distributed: 2*(x+y) is 2*x+2*y. A SUM that is one of several factors, or the
 *             base of an integer power, is primitive: coprime integer coefficients, the first
 *             (not counting the NUMBER) positive; its content is in the coefficient. Where
 *             these integers had more than 256 bits, the first coefficient is 1 instead.
 *   POWER     (base, exponent); never ^0 or ^1; number^integer is folded; (a*b)^n is split
 *             for an integer n from -32 to 32, beyond that only its sign is taken out (of
 *             (4*x*y)^1000 no double holds the parts), as of a sum that is a base there;
 *             (a^p)^n is a^(p*n) for integer n. sqrt(x) is x^(1/2). Division
 *             is multiplication by ^(-1). A positive number to a fraction is split into
 *             primes: 8^(1/2) is 2*2^(1/2), 6^(1/2) is 2^(1/2)*3^(1/2). number^integer with
 *             more than 2^22 bits stays a POWER.
 *   CALL      function of the table below applied to operands; not simplified by the constructor.
 *   IF        (condition, then, else).  RELATION (op; a, b).  NOT.  BOOLEAN.
 *   AND, OR   >= 2 operands, sorted, each once, not nested in their own kind.
 *   VARIABLE  symbol and order of time derivative (0: itself).  PARAMETER symbol.  TIME.
 * A constructor that is given DAE_NO_TERM returns DAE_NO_TERM, so a division by the number
 * 0 comes through. Operands of sums and products are ordered by structure (kind,
 * declaration rank, derivative order, operands), never by id: the same text gives the same
 * order whatever was built before.
 *
 * Storing and simplifying are different things: constructors do the arithmetic above and
 * nothing else; dae_terms_rewrite applies the rule table (docs/rewriting.md).
 *
 * No function here recurses on the depth of a term. All work with explicit stacks and memo tables.
 */
#ifndef DAE_TERMS_TERMS_H
#define DAE_TERMS_TERMS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/functions.h"

G_BEGIN_DECLS

typedef uint32_t DaeTerm;
typedef uint32_t DaeSymbol; /* index from 0 in order of registration = declaration rank */
typedef struct DaeTerms DaeTerms;

#define DAE_NO_TERM 0u

typedef enum {
  DAE_KIND_NUMBER,
  DAE_KIND_BOOLEAN,
  DAE_KIND_TIME,
  DAE_KIND_PARAMETER,
  DAE_KIND_VARIABLE,
  DAE_KIND_POWER,
  DAE_KIND_PRODUCT,
  DAE_KIND_SUM,
  DAE_KIND_CALL,
  DAE_KIND_IF,
  DAE_KIND_RELATION,
  DAE_KIND_AND,
  DAE_KIND_OR,
  DAE_KIND_NOT
} DaeKind;

typedef enum {
  DAE_REL_LT,
  DAE_REL_LE,
  DAE_REL_GT,
  DAE_REL_GE,
  DAE_REL_EQ,
  DAE_REL_NE
} DaeRelation;

typedef enum { DAE_SYMBOL_VARIABLE, DAE_SYMBOL_PARAMETER } DaeSymbolKind;

/* ---- context -------------------------------------------------------------------------- */

DaeTerms *dae_terms_new(void);
DaeTerms *dae_terms_new_with_seed(uint32_t hash_seed); /* tests: output must not depend on it */
void dae_terms_free(DaeTerms *terms);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeTerms, dae_terms_free)
uint32_t dae_terms_count(const DaeTerms *terms); /* ids are 1 ... count */
size_t dae_terms_bytes(const DaeTerms *terms);
/* Work on numbers beyond 64 bits so far, in units of some ten nanoseconds: for each one that came
 * out of an operation its words to the power 3/2, about what GMP's gcd takes. Searches that have
 * counted budgets count this too, since a single product may take as long as 10^6 small ones. */
uint64_t dae_terms_long_work(const DaeTerms *terms);
/* All invariants of the canonical form, for every term; says the first
 * violation (why may be NULL). Slow. */
bool dae_terms_check(DaeTerms *terms, GString *why);

/* ---- symbols -------------------------------------------------------------------------- */

/* Names are unique in a context (DAE_ASSERT); look up first. */
DaeSymbol dae_terms_add_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name);
bool dae_terms_find_symbol(const DaeTerms *terms, const char *name, DaeSymbol *symbol);
/* The symbol of that name, whatever its kind, or a new one of this kind: true. */
bool dae_terms_enter_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name,
                            DaeSymbol *symbol);
const char *dae_terms_symbol_name(const DaeTerms *terms, DaeSymbol symbol);
DaeSymbolKind dae_terms_symbol_kind(const DaeTerms *terms, DaeSymbol symbol);
uint32_t dae_terms_symbol_count(const DaeTerms *terms);
/* A symbol that is printed with this name and is found by no look-up: values that events set
 * (docs/events.md), among them the twin of a discrete variable with the same name. */
DaeSymbol dae_terms_add_unlisted_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name);
/* The symbol is 0 or 1, and `symbol > 1/2` is how it stands as a condition:
 * that prints as the name alone. */
void dae_terms_set_condition(DaeTerms *terms, DaeSymbol symbol);
bool dae_terms_is_condition(const DaeTerms *terms, DaeSymbol symbol);

/* What a value may depend on. PARAMETER symbols of variability CONSTANT, PARAMETER and DISCRETE
 * are constant during a segment of a run (their total derivative is 0). One of variability
 * INPUT is a known function of time: its total derivative is the PARAMETER of the symbol
 * `der(NAME)`, again an input, and a term with it is not parametric. */
typedef enum {
  DAE_VARIABILITY_CONSTANT,
  DAE_VARIABILITY_PARAMETER,
  DAE_VARIABILITY_INPUT,
  DAE_VARIABILITY_DISCRETE,
  DAE_VARIABILITY_CONTINUOUS
} DaeVariability;

/* PARAMETER or CONTINUOUS by the kind of the symbol, unless set. To be set before the first
 * term with the symbol is made. */
void dae_terms_set_variability(DaeTerms *terms, DaeSymbol symbol, DaeVariability variability);
DaeVariability dae_terms_variability(const DaeTerms *terms, DaeSymbol symbol);
/* u, der(u), der(der(u)), ...: the symbol of the k-th derivative of an
 * input, made when first asked for. */
DaeSymbol dae_terms_input_derivative(DaeTerms *terms, DaeSymbol input, uint32_t k);
/* Is the symbol `of` or one of its derivatives? *order: which one. */
bool dae_terms_is_derivative_of(const DaeTerms *terms, DaeSymbol symbol, DaeSymbol of,
                                uint32_t *order);

/* ---- construction (all results canonical) ------------------------------------------------ */

DaeTerm dae_term_int(DaeTerms *terms, int64_t value);
DaeTerm dae_term_ratio(DaeTerms *terms, int64_t numerator,
                       int64_t denominator); /* denominator != 0 */
/* Decimal literal as in Modelica ("13.75", "1e-7", "1."); exact. DAE_NO_TERM if it is not a
 * literal or its exponent would need more than 10^6 digits (the caller reports that limit). */
DaeTerm dae_term_decimal(DaeTerms *terms, const char *text, size_t length);
DaeTerm dae_term_from_double(DaeTerms *terms,
                             double value); /* exact binary value; must be finite */
DaeTerm dae_term_bool(DaeTerms *terms, bool value);
DaeTerm dae_term_time(DaeTerms *terms);
DaeTerm dae_term_pi(DaeTerms *terms);
DaeTerm dae_term_variable(DaeTerms *terms, DaeSymbol symbol, uint32_t order);
DaeTerm dae_term_parameter(DaeTerms *terms, DaeSymbol symbol);
DaeTerm dae_term_symbol(DaeTerms *terms,
                        DaeSymbol symbol); /* variable of order 0, or parameter */

DaeTerm dae_term_add(DaeTerms *terms, DaeTerm a, DaeTerm b);
DaeTerm dae_term_sub(DaeTerms *terms, DaeTerm a, DaeTerm b);
DaeTerm dae_term_neg(DaeTerms *terms, DaeTerm a);
DaeTerm dae_term_mul(DaeTerms *terms, DaeTerm a, DaeTerm b);
DaeTerm dae_term_div(DaeTerms *terms, DaeTerm a,
                     DaeTerm b); /* DAE_NO_TERM if b is the number 0 */
DaeTerm dae_term_pow(DaeTerms *terms, DaeTerm base,
                     DaeTerm exponent); /* DAE_NO_TERM for 0^negative */
DaeTerm dae_term_pow_int(DaeTerms *terms, DaeTerm base, int64_t exponent);
DaeTerm dae_term_sqrt(DaeTerms *terms, DaeTerm a);
DaeTerm dae_term_sum(DaeTerms *terms, const DaeTerm *operands, size_t n); /* n == 0 gives 0 */
DaeTerm dae_term_product(DaeTerms *terms, const DaeTerm *operands,
                         size_t n); /* n == 0 gives 1 */
DaeTerm dae_term_call(DaeTerms *terms, DaeFunction function, const DaeTerm *operands, size_t n);
DaeTerm dae_term_call1(DaeTerms *terms, DaeFunction function, DaeTerm a);
DaeTerm dae_term_call2(DaeTerms *terms, DaeFunction function, DaeTerm a, DaeTerm b);
DaeTerm dae_term_if(DaeTerms *terms, DaeTerm condition, DaeTerm then_term, DaeTerm else_term);
/* A term that has no value anywhere, log(-1): for what divides by the number 0. */
DaeTerm dae_term_undefined(DaeTerms *terms);
/* Element `index` (from 1) of n terms; the element itself where index is a number. */
DaeTerm dae_term_select(DaeTerms *terms, DaeTerm index, const DaeTerm *elements, size_t n);
DaeTerm dae_term_relation(DaeTerms *terms, DaeRelation relation, DaeTerm a, DaeTerm b);
DaeTerm dae_term_and(DaeTerms *terms, DaeTerm a, DaeTerm b);
DaeTerm dae_term_or(DaeTerms *terms, DaeTerm a, DaeTerm b);
DaeTerm dae_term_not(DaeTerms *terms, DaeTerm a);

/* ---- constant data ----------------------------------------------------------------------- */

/* Arrays of doubles that terms look up: tables and what is made of them. Equal arrays have the
 * same number. The first operand of INTERVAL and LOOKUP is that number. */
uint32_t dae_terms_add_data(DaeTerms *terms, const double *values, uint32_t n); /* n > 0 */
const double *dae_terms_data(const DaeTerms *terms, uint32_t data, uint32_t *n);
uint32_t dae_terms_data_count(const DaeTerms *terms); /* numbers are 0 ... count - 1 */
/* k with x[k] <= u < x[k+1], at least 1 and at most n - 1, for ascending data x[1],
 * ..., x[n]. Piecewise constant. */
DaeTerm dae_term_interval(DaeTerms *terms, uint32_t data, DaeTerm u);
DaeTerm dae_term_lookup(DaeTerms *terms, uint32_t data, DaeTerm index);
/* The data of a call of INTERVAL or LOOKUP. */
const double *dae_term_data(const DaeTerms *terms, DaeTerm call, uint32_t *data, uint32_t *n);
/* The one definition of both on doubles: NaN where u or i is not finite, or
 * i is no number of an element. */
double dae_data_interval(const double *x, uint32_t n, double u);
double dae_data_lookup(const double *x, uint32_t n, double i);

/* ---- inspection ------------------------------------------------------------------------ */

DaeKind dae_term_kind(const DaeTerms *terms, DaeTerm t);
/* Operands; the pointer stays valid as long as the context, whatever is built later. */
const DaeTerm *dae_term_operands(const DaeTerms *terms, DaeTerm t, uint32_t *n);
/* The operands of *t where it is of this kind, else *t alone: SUM for its
 * summands, PRODUCT for its factors. */
const DaeTerm *dae_term_parts(const DaeTerms *terms, DaeKind kind, const DaeTerm *t,
                              uint32_t *n);
DaeTerm dae_term_operand(const DaeTerms *terms, DaeTerm t, uint32_t i);
DaeFunction dae_term_function(const DaeTerms *terms, DaeTerm t); /* CALL */
bool dae_relation_holds(DaeRelation relation,
                        int sign); /* a relation b, from the sign of a - b */
DaeRelation dae_term_relation_op(const DaeTerms *terms, DaeTerm t); /* RELATION */
DaeSymbol dae_term_get_symbol(const DaeTerms *terms, DaeTerm t);    /* VARIABLE, PARAMETER */
uint32_t dae_term_order(const DaeTerms *terms, DaeTerm t); /* VARIABLE: derivative order */
/* Does a derivative of a variable occur in it? In constant time. */
bool dae_term_has_derivatives(const DaeTerms *terms, DaeTerm t);
bool dae_term_get_bool(const DaeTerms *terms, DaeTerm t); /* BOOLEAN */

bool dae_term_is_number(const DaeTerms *terms, DaeTerm t);
/* Bits of the rational factor of t, numerator and denominator. */
size_t dae_term_number_bits(const DaeTerms *terms, DaeTerm t);
/* Bits of the rational factor that a product takes out of t: the content of a SUM, the
 * coefficient of a PRODUCT; 0 for what has none. */
size_t dae_term_content_bits(DaeTerms *terms, DaeTerm t);
/* Bits of a number that a substitution makes: far from the largest double. A longer one is closed
 * by noEvent. */
#define DAE_LONGEST_NUMBER 512u
/* Factors up to this length say nothing about the scale of what they were written for. */
#define DAE_PLAIN_BITS 20u
bool dae_term_is_zero(const DaeTerms *terms,
                      DaeTerm t); /* the NUMBER 0; for proofs use algebra */
bool dae_term_is_one(const DaeTerms *terms, DaeTerm t);
int dae_term_sign(const DaeTerms *terms, DaeTerm number); /* NUMBER: -1, 0, 1 */
bool dae_term_get_int64(const DaeTerms *terms, DaeTerm t,
                        int64_t *value); /* false: no integer, or too big */
/* A NUMBER p/q in lowest terms, q > 0; false: none, or p or q is too big. */
bool dae_term_get_ratio(const DaeTerms *terms, DaeTerm t, int64_t *p, int64_t *q);
double dae_term_get_double(const DaeTerms *terms,
                           DaeTerm number); /* NUMBER, correctly rounded; +-inf on overflow */

/* Structural order, total: < 0, 0, > 0. Independent of ids and hash seeds. */
int dae_term_compare(const DaeTerms *terms, DaeTerm a, DaeTerm b);
/* Number of distinct nodes of the DAG below t. */
size_t dae_term_size(DaeTerms *terms, DaeTerm t);
/* The same below all of them: what they share counts once. */
size_t dae_terms_size(DaeTerms *terms, const DaeTerm *list, size_t n);
/* Nodes of its tree, in which shared parts count each time; large numbers are not exact. */
double dae_term_tree_size(DaeTerms *terms, DaeTerm t);

/* ---- walks ------------------------------------------------------------------------------ */

/* Appends each VARIABLE (any order), and PARAMETER if wanted, that occurs in t,
 * once, to out (GArray of DaeTerm), by declaration rank, then derivative order.
 * Cost: size of the DAG below t. */
void dae_term_collect_variables(DaeTerms *terms, DaeTerm t, GArray *out);
void dae_term_collect_parameters(DaeTerms *terms, DaeTerm t, GArray *out);
bool dae_term_contains(DaeTerms *terms, DaeTerm t, DaeTerm part);
/* noEvent(...), smooth(p, ...) with p >= 1 [Modelica 3.6, 8.5]: what is inside makes no event. */
bool dae_term_is_literal(const DaeTerms *terms, DaeTerm t);
/* The number of a condition inside one: a relation of it and 1/2 is that condition. */
bool dae_term_is_literal_truth(const DaeTerms *terms, DaeTerm t);
/* t is what a function with branches gives: it may be differentiated `order` times, as its smoothOrder
 * says; -1: it does not say. */
void dae_terms_note_branches(DaeTerms *terms, DaeTerm t, const char *function, int order);
/* The function of that term, and what it says; NULL: it is none. */
const char *dae_terms_branches_of(const DaeTerms *terms, DaeTerm t, int *order);
/* True if only numbers, pi and parameters occur (no variable, no time). */
bool dae_term_is_parametric(DaeTerms *terms, DaeTerm t);
/* Does a parameter occur in t? O(1). */
bool dae_term_has_parameters(const DaeTerms *terms, DaeTerm t);
/* A function, an if, a relation or a power that is not a rational function occurs in t. */
bool dae_term_has_call(const DaeTerms *terms, DaeTerm t);
/* A power with a negative whole exponent occurs in t. O(1). */
bool dae_term_has_quotient(const DaeTerms *terms, DaeTerm t);
/* Neither of the two: sums, products and natural powers of numbers and atoms. O(1). */
bool dae_term_is_polynomial(const DaeTerms *terms, DaeTerm t);
/* Written with degree at most 1 in variables and time together: all partial derivatives are
 * parametric. O(1). */
bool dae_term_is_affine(const DaeTerms *terms, DaeTerm t);
bool dae_term_has_variables(const DaeTerms *terms, DaeTerm t);
bool dae_term_has_time(const DaeTerms *terms, DaeTerm t);
/* An if, a relation, abs, floor ... occurs: the value or a derivative may jump. O(1). */
bool dae_term_has_break(const DaeTerms *terms, DaeTerm t);
/* One that depends on time or variables: then a derivative that is constant, or 0, does
 * not make t linear, or constant. */
bool dae_term_has_varying_break(DaeTerms *terms, DaeTerm t);

/* ---- substitution, differentiation -------------------------------------------------------- */

/* a map from terms (VARIABLE, PARAMETER, TIME, or any subterm) to terms */
typedef struct DaeSubst DaeSubst;
DaeSubst *dae_subst_new(DaeTerms *terms);
DaeSubst *dae_subst_copy(const DaeSubst *subst); /* (transfer full) */
void dae_subst_free(DaeSubst *subst);
void dae_subst_set(DaeSubst *subst, DaeTerm from, DaeTerm to); /* clears the memo */
DaeTerm dae_subst_apply(DaeSubst *subst,
                        /* simultaneous; results are memoized across calls. DAE_NO_TERM if a
                         * division by the number 0 results */
                        DaeTerm t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSubst, dae_subst_free)
DaeTerm dae_term_replace(DaeTerms *terms, DaeTerm t, DaeTerm from, DaeTerm to);

/* Partial derivative with respect to a VARIABLE (of one order), PARAMETER or TIME; all other atoms
 * are constants. Piecewise for abs, sign, min, max, if. Memo per (x) inside the object. */
typedef struct DaeDiff DaeDiff;
DaeDiff *dae_diff_new(DaeTerms *terms, DaeTerm x);
void dae_diff_free(DaeDiff *diff);
DaeTerm dae_diff_apply(DaeDiff *diff, DaeTerm t);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeDiff, dae_diff_free)
DaeTerm dae_term_partial(DaeTerms *terms, DaeTerm t, DaeTerm x);
/* All partial derivatives of t at once: for each VARIABLE in t (as collected above) one
 * entry. The cost is a small multiple of the DAG of t plus the result. variables and
 * derivatives are GArrays of DaeTerm. */
void dae_term_gradient(DaeTerms *terms, DaeTerm t, GArray *variables, GArray *derivatives);

/* Total time derivative: variables of order k go to order k+1, parameters are constant, time has 1.
 * Memoized in the context. */
DaeTerm dae_term_total(DaeTerms *terms, DaeTerm t);

/* ---- rewriting -------------------------------------------------------------------------- */

/* Applies the rule table bottom-up to a fixed point; memoized in the context. Value-preserving
 * over the reals wherever the input is defined (the result may be defined on a larger set). */
DaeTerm dae_terms_rewrite(DaeTerms *terms, DaeTerm t);

/* Positivity facts used as side conditions of rules: symbol >= 0 or > 0. Clears memo tables. */
typedef enum { DAE_SIGN_UNKNOWN, DAE_SIGN_NONNEGATIVE, DAE_SIGN_POSITIVE } DaeSignFact;

void dae_terms_assume(DaeTerms *terms, DaeSymbol symbol, DaeSignFact fact);
DaeSignFact dae_terms_assumed(const DaeTerms *terms, DaeSymbol symbol);

/* The signs that the value of t can have wherever t is defined, a sum of the
 * following. Sound, not complete. */
enum { DAE_MAY_BE_NEGATIVE = 1, DAE_MAY_BE_ZERO = 2, DAE_MAY_BE_POSITIVE = 4 };

uint32_t dae_term_possible_signs(DaeTerms *terms, DaeTerm t);

/* The residual of an equation between sums of exponentials, all with known signs, as a difference
 * of logarithms; any other residual as it is. Both vanish at the same points. */
DaeTerm dae_term_balance(DaeTerms *terms, DaeTerm residual);

/* ---- evaluation, printing ------------------------------------------------------------------ */

typedef enum { DAE_EVAL_OK, DAE_EVAL_DOMAIN, DAE_EVAL_UNBOUND, DAE_EVAL_INEXACT } DaeEvalStatus;

/* atom(user, t, &value) gives the value of VARIABLE, PARAMETER, TIME; false = unbound; NULL: all
 * of them are.
 * DOMAIN: log of a negative, division by zero, overflow, NaN. */
typedef bool (*DaeAtomValue)(void *user, DaeTerm atom, double *value);
DaeEvalStatus dae_term_eval_double(DaeTerms *terms, DaeTerm t, DaeAtomValue atom, void *user,
                                   double *value);
/* With what rounding may have made of it, to first order: of sin(1)^2 + cos(1)^2 - 1 all. false: no
 * finite value, or no bound is known (rounding.c). */
bool dae_term_eval_rounded(DaeTerms *terms, DaeTerm t, DaeAtomValue atom, void *user,
                           double *value, double *error);
/* The same for many terms at one point: what they share is computed once. move: the atoms
 * have other values from now on. */
typedef struct DaeEvaluation DaeEvaluation;
DaeEvaluation *dae_evaluation_new(DaeTerms *terms, DaeAtomValue atom, void *user);
void dae_evaluation_free(DaeEvaluation *evaluation); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeEvaluation, dae_evaluation_free)
void dae_evaluation_move(DaeEvaluation *evaluation);
DaeEvalStatus dae_evaluation_value(DaeEvaluation *evaluation, DaeTerm t, double *value);
/* Exact: atoms are given as NUMBER terms; result is a NUMBER or BOOLEAN term. INEXACT if the
 * value is not rational or cannot be found exactly. */
typedef DaeTerm (*DaeAtomNumber)(void *user, DaeTerm atom);
DaeEvalStatus dae_term_eval_exact(DaeTerms *terms, DaeTerm t, DaeAtomNumber atom, void *user,
                                  DaeTerm *value);

/* The walk for results that are computed from those of the operands, of terms as deep as they
 * may be: post-order walk with memo, without recursion. The walk asks `ready` for a term: true
 * means that its result is known; otherwise the operands that `operands` returns are brought
 * first, then `compute` is called once. operands == NULL means all operands; they come in their
 * order, or the last one first. */
typedef struct {
  bool (*ready)(void *self, DaeTerm t);
  const DaeTerm *(*operands)(void *self, DaeTerm t, uint32_t *n);
  void (*compute)(void *self, DaeTerm t);
  void *self;
  bool is_backwards; /* the last operand first */
} DaeWalk;

void dae_walk(const DaeTerms *terms, DaeTerm root, const DaeWalk *walk);
/* Appends (DaeTerm) the nodes of t that are wanted, operands before their users, each once. */
typedef bool (*DaeNodeTest)(void *user, const DaeTerms *terms, DaeTerm t);
void dae_term_collect_nodes(const DaeTerms *terms, DaeTerm t, DaeNodeTest is_wanted, void *user,
                            GArray *out);

/* The walk for questions that single nodes answer: each term once, users before their operands, and
 * below a term only where it is entered. The last term added is the next one.
 *
 *     g_autoptr(DaeVisit) visit = dae_visit_new(terms, root);
 *     for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
 *       ...
 *       dae_visit_enter(visit, t);
 *     } */
typedef struct DaeVisit DaeVisit;
DaeVisit *dae_visit_new(const DaeTerms *terms, DaeTerm root); /* DAE_NO_TERM: none yet */
void dae_visit_free(DaeVisit *visit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeVisit, dae_visit_free)
void dae_visit_add(DaeVisit *visit, DaeTerm t);
DaeTerm dae_visit_next(DaeVisit *visit);          /* DAE_NO_TERM: there are no more */
void dae_visit_enter(DaeVisit *visit, DaeTerm t); /* adds its operands */

/* How tightly the text of a term holds together: where more is wanted it needs parentheses.
 * Loosest first, as in the grammar. */
typedef enum {
  DAE_BINDS_IF,
  DAE_BINDS_OR,
  DAE_BINDS_AND,
  DAE_BINDS_NOT,
  DAE_BINDS_RELATION,
  DAE_BINDS_SUM, /* with a sign */
  DAE_BINDS_PRODUCT,
  DAE_BINDS_POWER,
  DAE_BINDS_PRIMARY
} DaePrecedence;

DaePrecedence dae_term_precedence(const DaeTerms *terms, DaeTerm t);
/* Is this RELATION the question whether a Boolean, 0 or 1 here, is true (b > 1/2), or the
 * opposite? Then it is printed as b, or not b. */
bool dae_term_is_truth(const DaeTerms *terms, DaeTerm relation, DaeTerm *symbol, bool *negated);
/* Canonical text, valid Modelica, minimal parentheses: 2*x, x^2 + y^2 - L^2, der(x), der(der(x)),
 * sqrt(x), 0.1, 1/3. Reading it back gives the same id. */
void dae_term_print(DaeTerms *terms, DaeTerm t, GString *out);
/* names: term -> const char *, what is printed where the term stands inside t: a primary. Not for
 * products and quotients, which are printed as parts of what they stand in. */
void dae_term_print_named(DaeTerms *terms, DaeTerm t, const GHashTable *names, GString *out);
/* Stops after max_bytes with "..." and returns false (a DAG printed as a
 * tree can be huge); 0 = no limit. */
bool dae_term_print_limited(DaeTerms *terms, DaeTerm t, GString *out, size_t max_bytes);
char *dae_term_to_string(DaeTerms *terms, DaeTerm t); /* (transfer full) */

G_END_DECLS

#endif
