/* Quotients that have no value at the start, step by step. */
#ifndef DAE_INITIAL_LIMIT_PRIV_H
#define DAE_INITIAL_LIMIT_PRIV_H

#include "initial/limit.h"

#define DAE_LIMITS_MOST_ORDERS 8
#define DAE_LIMITS_LARGEST_TERM 3000

typedef struct {
  DaeTerm whole; /* N/D as written */
  DaeTerm numerator, denominator;
  DaeTerm mark;       /* a PARAMETER that stands for it meanwhile */
  DaeTerm limit;      /* DAE_NO_TERM: nothing was proved; undefined: that there is not one */
  GArray *conditions; /* DaeTerm: relations that have to hold at the start for it */
  DaeTerm series;     /* around the start, in time; DAE_NO_TERM: none */
  double series_ends; /* up to which time it serves */
  bool is_logarithm;  /* a product (limit_log.c): N has to be smooth, log(D) is a factor */
} DaeQuotient;

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  const DaeModel *model;
  DaeLimitOptions options;
  DaeTerm start_time;
  DaeSubst *at_start; /* time -> start time */
  DaeSubst *fixed;    /* VARIABLE -> the number that an initial equation gives it */
  /* the same, and exact roots at start values, which another root may replace */
  DaeSubst *roots;
  uint32_t n_fixed;
  GArray *quotients;   /* DaeQuotient */
  GHashTable *highest; /* symbol -> highest order of the variable in the equations */
  GHashTable *solved;  /* VARIABLE of that order -> what an equation says it is, with marks */
  DaeTerm *own_atom; /* by equation: the only one that it can be for; DAE_NO_TERM: not known */
  /* VARIABLE of that order -> its value, of an unknown given implicitly */
  GHashTable *implicit;
  /* atom that was solved for -> what it was divided by, with states in it */
  GHashTable *factors;
} DaeLimits;

/* ---- limit_mark.c ---------------------------------------------------------------------------- */

void dae_limits_clear_quotient(gpointer quotient);
/* False: no quotient in t, and no factor of an unknown in it, varies and could vanish at the
 * start. O(1). */
bool dae_limits_may_concern(const DaeLimits *limits, DaeTerm t);
/* False: t gets no mark. O(1). */
bool dae_limits_may_lack_value(const DaeLimits *limits, DaeTerm t);
/* Functions that are 0 at the start and not always: of time, and of states whose starts are
 * given. */
bool dae_limits_vanishes_at_start(const DaeLimits *limits, DaeTerm t);
/* A new product with a logarithm; its mark. */
DaeTerm dae_limits_add_logarithm(DaeLimits *limits, DaeTerm whole, DaeTerm rest,
                                 DaeTerm arguments);
/* t with marks for its quotients. */
DaeTerm dae_limits_mark(DaeLimits *limits, DaeTerm t);
/* Is a summand of t such a quotient? */
bool dae_limits_is_singular(const DaeLimits *limits, DaeTerm t);
/* No state: an atom of the highest order that occurs. */
bool dae_limits_is_top(const DaeLimits *limits, DaeTerm atom);
/* Solves f*y = rest for y, where f vanishes at the start; false: it is not of that kind. */
bool dae_limits_solve_hidden(DaeLimits *limits, DaeEquation *equation);

/* ---- limit_implicit.c ------------------------------------------------------------------------ */

/* Equations with one atom that nothing else explains are for that; where they give it implicitly,
 * it becomes a state whose derivatives are known. is_explicit: equations that are for another one;
 * NULL: not known yet. */
void dae_limits_find_own_atoms(DaeLimits *limits, const GArray *equations,
                               const bool *is_explicit);

/* ---- limit_value.c --------------------------------------------------------------------------- */

/* The value at the start time, rewritten; DAE_NO_TERM: none. */
DaeTerm dae_limits_at_start(const DaeLimits *limits, DaeTerm t);
/* The same in states, parameters and marks, by the equations. */
DaeTerm dae_limits_in_states(const DaeLimits *limits, DaeTerm t);
/* The limit of a quotient of functions of time and parameters. */
bool dae_limits_resolve_in_time(const DaeLimits *limits, DaeQuotient *quotient);
/* The limit of one with unknowns, into it; it may contain marks of others. */
void dae_limits_resolve(const DaeLimits *limits, DaeQuotient *quotient);
bool dae_limits_has_mark(const DaeLimits *limits, DaeTerm t);
/* May t be differentiated along the solution as often as one likes, at the start as well? */
bool dae_limits_is_smooth(const DaeLimits *limits, DaeTerm t, GArray *conditions);
/* Is t, in time alone, analytic at the start whatever the parameters are? */
bool dae_limits_is_analytic(const DaeLimits *limits, DaeTerm t);
/* The order of the zero of the denominator, and the derivative that does not vanish. */
bool dae_limits_find_order(const DaeLimits *limits, const DaeQuotient *quotient,
                           uint32_t *order, DaeTerm *value);

/* Has f, which vanishes at the start, an isolated zero there along the solution? *when: where that
 * holds, for other starts and parameters; DAE_NO_TERM: everywhere. */
bool dae_limits_has_isolated_zero(const DaeLimits *limits, DaeTerm f, DaeTerm *when);

/* ---- limit_series.c -------------------------------------------------------------------------- */

/* The derivative of order j at the start, with *t of order j - 1; *t is moved on. */
DaeTerm dae_limits_next_at_start(const DaeLimits *limits, DaeTerm *t, uint32_t j);
/* A series that does not meet the quotient at its end is not used. */
void dae_limits_add_series(const DaeLimits *limits, uint32_t k, DaeQuotient *quotient);

/* ---- limit_log.c ----------------------------------------------------------------------------- */

/* t with marks for products of what vanishes at the start and logarithms of what does. */
DaeTerm dae_limits_mark_logarithms(DaeLimits *limits, DaeTerm t);
/* Its limit, 0, where the factors are proved to be as they have to. */
void dae_limits_resolve_logarithm(const DaeLimits *limits, DaeQuotient *quotient);

/* ---- limit_growth.c -------------------------------------------------------------------------- */

/* The limit from the right of a function of time alone that has no value at the start; DAE_NO_TERM:
 * there is none, or it is not known. */
DaeTerm dae_limits_by_growth(const DaeLimits *limits, DaeTerm t);

#endif
