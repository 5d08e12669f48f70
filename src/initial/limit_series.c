/* The first summands of the series of a quotient in time alone, for just behind the start, where
 * numerator and denominator cancel digits. */
#include <math.h>

#include "initial/limit-priv.h"

#define MOST_ORDERS DAE_LIMITS_MOST_ORDERS
#define LARGEST_TERM DAE_LIMITS_LARGEST_TERM
/* Summands of a series. */
#define N_SERIES 7
#define LARGEST_COEFFICIENT 60
/* A series serves up to this share of the distance at which its summands are equally large. */
#define SERIES_SHARE 1e-3
#define SERIES_AGREES 1e-8

DaeTerm
dae_limits_next_at_start(const DaeLimits *limits, DaeTerm *t, uint32_t j)
{
  *t = j == 0 ? *t : dae_term_total(limits->terms, *t);
  if (*t == DAE_NO_TERM || dae_term_size(limits->terms, *t) > LARGEST_TERM) {
    return DAE_NO_TERM;
  }
  return dae_limits_at_start(limits, *t);
}

/* Coefficient k of the series of t around the start, up to n of them; how many were found. */
static uint32_t
taylor(const DaeLimits *limits, DaeTerm t, uint32_t n, DaeTerm *coefficients)
{
  DaeTerms *terms = limits->terms;
  DaeTerm factorial = dae_term_int(terms, 1);
  for (uint32_t j = 0; j < n; j++) {
    DaeTerm value = dae_limits_next_at_start(limits, &t, j);
    factorial = j > 1 ? dae_term_mul(terms, factorial, dae_term_int(terms, j)) : factorial;
    if (value == DAE_NO_TERM || dae_term_size(terms, value) > LARGEST_COEFFICIENT) {
      return j;
    }
    coefficients[j] = dae_term_div(terms, value, factorial);
  }
  return n;
}

/* The quotient of two series that begin at order k; how many coefficients. */
static uint32_t
divide_series(const DaeLimits *limits, const DaeQuotient *quotient, uint32_t k, DaeTerm *result)
{
  DaeTerms *terms = limits->terms;
  DaeTerm above[MOST_ORDERS + N_SERIES];
  DaeTerm below[MOST_ORDERS + N_SERIES];
  uint32_t n = taylor(limits, quotient->numerator, k + N_SERIES, above);
  n = MIN(n, taylor(limits, quotient->denominator, k + N_SERIES, below));
  for (uint32_t m = 0; k + m < n; m++) {
    DaeTerm c = above[k + m];
    for (uint32_t i = 1; i <= m; i++) {
      c = dae_term_sub(terms, c, dae_term_mul(terms, below[k + i], result[m - i]));
    }
    c = dae_term_div(terms, c, below[k]);
    result[m] = c == DAE_NO_TERM ? c : dae_terms_rewrite(terms, c);
    if (result[m] == DAE_NO_TERM) {
      return m;
    }
  }
  return n > k ? n - k : 0;
}

typedef struct {
  const DaeLimits *limits;
  DaeSubst *values;
  double time;
} Point;

static bool
atom_at(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  DaeTerms *terms = point->limits->terms;
  if (dae_term_kind(terms, atom) == DAE_KIND_TIME) {
    *value = point->time;
    return true;
  }
  DaeTerm given = dae_subst_apply(point->values, atom);
  return given != DAE_NO_TERM && given != atom &&
         dae_term_eval_double(terms, given, NULL, NULL, value) == DAE_EVAL_OK;
}

/* Where are the summands of the series as large as its first one that is not 0? */
static double
balanced_distance(Point *point, const DaeTerm *c, uint32_t n)
{
  DaeTerms *terms = point->limits->terms;
  double first = 0;
  uint32_t at = 0;
  double distance = fmax(1, fabs(point->time));
  for (uint32_t m = 0; m < n; m++) {
    double value = 0;
    if (dae_term_eval_double(terms, c[m], atom_at, point, &value) != DAE_EVAL_OK) {
      return 0;
    }
    if (first == 0) {
      first = fabs(value);
      at = m;
    } else if (value != 0) {
      distance = fmin(distance, pow(first / fabs(value), 1.0 / (m - at)));
    }
  }
  return first > 0 ? distance : 0;
}

void
dae_limits_add_series(const DaeLimits *limits, uint32_t k, DaeQuotient *quotient)
{
  DaeTerms *terms = limits->terms;
  DaeTerm c[N_SERIES];
  uint32_t n = divide_series(limits, quotient, k, c);
  g_autoptr(DaeSubst) values = dae_model_parameter_subst(limits->model, terms);
  Point point = {limits, values, limits->options.t_start};
  DaeTerm series = dae_term_int(terms, 0);
  DaeTerm since = dae_term_sub(terms, dae_term_time(terms), limits->start_time);
  double distance = SERIES_SHARE * balanced_distance(&point, c, n);
  for (uint32_t m = 0; m < n; m++) {
    DaeTerm power = dae_term_pow_int(terms, since, m);
    series = dae_term_add(terms, series, dae_term_mul(terms, c[m], power));
  }
  point.time += distance;
  double here = 0;
  double there = 0;
  bool is_known =
      n == N_SERIES && distance > 0 &&
      dae_term_eval_double(terms, series, atom_at, &point, &here) == DAE_EVAL_OK &&
      dae_term_eval_double(terms, quotient->whole, atom_at, &point, &there) == DAE_EVAL_OK &&
      fabs(here - there) <= SERIES_AGREES * fabs(there);
  if (is_known) {
    quotient->series = series;
    quotient->series_ends = point.time;
  }
}
