/* Loops of numbers that nothing else decides, each a sum of multiples of the others: n = m + 1,
 * m = n - 1. How many solutions they have follows by elimination with rational numbers; all are
 * Integers, or all are Reals. */
#include "hybrid/hybrid-priv.h"

enum { MOST_NUMBERS = 20 };

typedef struct {
  DaeTerms *terms;
  DaeTerm atom; /* 1, all others 0; DAE_NO_TERM: all are 0 */
  const DaeTerm *members;
  uint32_t n;
} Unit;

static DaeTerm
value_at_unit(void *user, DaeTerm atom)
{
  const Unit *unit = user;
  for (uint32_t k = 0; k < unit->n; k++) {
    if (unit->members[k] == atom) {
      return dae_term_int(unit->terms, atom == unit->atom ? 1 : 0);
    }
  }
  return DAE_NO_TERM;
}

/* A number, an atom, a multiple of an atom, or a sum of those. */
static bool
is_sum_of_multiples(const DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t n_factors = 0;
    const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &parts[i], &n_factors);
    DaeKind last = dae_term_kind(terms, factors[n_factors - 1]);
    bool is_multiple = n_factors == 2 && dae_term_is_number(terms, factors[0]);
    if ((last != DAE_KIND_PARAMETER && last != DAE_KIND_NUMBER) ||
        !(n_factors == 1 || is_multiple)) {
      return false;
    }
  }
  return true;
}

typedef struct { /* rows: n coefficients, then what they sum up to */
  DaeTerms *terms;
  DaeTerm at[MOST_NUMBERS][MOST_NUMBERS + 1];
  uint32_t n;
} System;

/* Row i of x - value(x) = 0. */
static bool
fill_row(System *s, uint32_t i, DaeTerm value, Unit *unit)
{
  DaeTerms *terms = s->terms;
  DaeTerm rest = DAE_NO_TERM;
  unit->atom = DAE_NO_TERM;
  if (!is_sum_of_multiples(terms, value) ||
      dae_term_eval_exact(terms, value, value_at_unit, unit, &rest) != DAE_EVAL_OK) {
    return false;
  }
  for (uint32_t j = 0; j < s->n; j++) {
    DaeTerm at_unit = DAE_NO_TERM;
    unit->atom = unit->members[j];
    if (dae_term_eval_exact(terms, value, value_at_unit, unit, &at_unit) != DAE_EVAL_OK) {
      return false;
    }
    DaeTerm factor = dae_term_sub(terms, at_unit, rest);
    s->at[i][j] = dae_term_sub(terms, dae_term_int(terms, i == j ? 1 : 0), factor);
  }
  s->at[i][s->n] = rest;
  return true;
}

static void
swap_rows(System *s, uint32_t a, uint32_t b)
{
  for (uint32_t j = 0; j <= s->n; j++) {
    DaeTerm kept = s->at[a][j];
    s->at[a][j] = s->at[b][j];
    s->at[b][j] = kept;
  }
}

/* Gauss and Jordan, pivots 1; returns the rank. */
static uint32_t
eliminate(System *s)
{
  uint32_t rank = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    uint32_t pivot = rank;
    while (pivot < s->n && dae_term_is_zero(s->terms, s->at[pivot][j])) {
      pivot++;
    }
    if (pivot == s->n) {
      continue;
    }
    swap_rows(s, rank, pivot);
    DaeTerm unit = dae_term_pow_int(s->terms, s->at[rank][j], -1);
    for (uint32_t k = 0; k <= s->n; k++) {
      s->at[rank][k] = dae_term_mul(s->terms, s->at[rank][k], unit);
    }
    for (uint32_t i = 0; i < s->n; i++) {
      DaeTerm factor = s->at[i][j];
      for (uint32_t k = 0; k <= s->n && i != rank; k++) {
        DaeTerm part = dae_term_mul(s->terms, factor, s->at[rank][k]);
        s->at[i][k] = dae_term_sub(s->terms, s->at[i][k], part);
      }
    }
    rank++;
  }
  return rank;
}

static bool
is_whole(const System *s, DaeTerm t)
{
  int64_t whole = 0;
  return dae_term_get_int64(s->terms, t, &whole);
}

/* Row i among Integers. 0: it has no solution; 2: whole numbers give whole numbers; 1: open. */
static int
row_of_integers(const System *s, uint32_t i)
{
  bool has_whole_factors = true;
  uint32_t n_used = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    n_used += !dae_term_is_zero(s->terms, s->at[i][j]) ? 1 : 0;
    has_whole_factors = has_whole_factors && is_whole(s, s->at[i][j]);
  }
  bool is_rest_whole = is_whole(s, s->at[i][s->n]);
  return has_whole_factors && is_rest_whole ? 2 : has_whole_factors || n_used == 1 ? 0 : 1;
}

/* false: it is not known. */
static bool
count_solutions(const System *s, uint32_t rank, bool has_integers, uint32_t *n_solutions)
{
  bool is_known = true;
  *n_solutions = rank < s->n ? 2 : 1;
  for (uint32_t i = 0; i < s->n; i++) {
    bool is_none = i >= rank && !dae_term_is_zero(s->terms, s->at[i][s->n]);
    int whole = i < rank && has_integers ? row_of_integers(s, i) : 2;
    if (is_none || whole == 0) {
      *n_solutions = 0;
      return true;
    }
    is_known = is_known && whole == 2;
  }
  return is_known;
}

bool
dae_hybrid_count_numbers(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n,
                         uint32_t *n_solutions)
{
  DaeTerm atoms[MOST_NUMBERS];
  System s = {.terms = hybrid->terms, .n = n};
  Unit unit = {hybrid->terms, DAE_NO_TERM, atoms, n};
  for (uint32_t i = 0; i < n && n <= MOST_NUMBERS; i++) {
    atoms[i] = g_array_index(hybrid->discrete, DaeDiscrete, members[i]).now;
  }
  DaeType type = g_array_index(hybrid->discrete, DaeDiscrete, members[0]).type;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, members[i]);
    bool is_number = type == DAE_TYPE_REAL || type == DAE_TYPE_INTEGER;
    if (n > MOST_NUMBERS || !is_number || discrete->type != type ||
        !fill_row(&s, i, discrete->value, &unit)) {
      return false;
    }
  }
  return count_solutions(&s, eliminate(&s), type == DAE_TYPE_INTEGER, n_solutions);
}
