/* Points that show that a term has no fixed sign. That it has none is no claim, so that floating
 * point is good enough where functions have no exact values. */
#include <math.h>

#include "algebra/algebra-priv.h"

enum { MOST_TRIED = 500 }; /* nodes of a term */

/* A point at which a term is tried: all atoms of about one size, their signs and ratios by chance,
 * another one at each point. */
typedef struct {
  DaeTerms *terms;
  int64_t size;
  uint64_t seed;
} Trial;

static int64_t
integer_at_trial(const Trial *trial, DaeTerm atom)
{
  DaeTerms *terms = trial->terms;
  uint64_t mixed = trial->seed;
  bool is_free = true;
  if (dae_term_kind(terms, atom) != DAE_KIND_TIME) {
    DaeSymbol symbol = dae_term_get_symbol(terms, atom);
    bool is_variable = dae_term_kind(terms, atom) == DAE_KIND_VARIABLE;
    mixed += ((uint64_t)symbol << 8) + (is_variable ? dae_term_order(terms, atom) + 1 : 0);
    is_free = dae_terms_assumed(terms, symbol) == DAE_SIGN_UNKNOWN;
  }
  mixed = (mixed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  int64_t value = trial->size * (int64_t)(1 + (mixed >> 40) % 5);
  bool is_negative = is_free && (mixed >> 50) % 2 != 0;
  return is_free ? (is_negative ? -value : value) : value + 1;
}

static DaeTerm
value_at_trial(void *user, DaeTerm atom)
{
  const Trial *trial = user;
  return dae_term_int(trial->terms, integer_at_trial(trial, atom));
}

static bool
number_at_trial(void *user, DaeTerm atom, double *value)
{
  *value = (double)integer_at_trial(user, atom);
  return true;
}

/* The sign there: exact, or of a number that is larger than what rounding leaves of the fourth
 * powers of such atoms. false: it is not clear. */
static bool
sign_at_trial(Trial *trial, DaeTerm t, int *sign)
{
  DaeTerm value = DAE_NO_TERM;
  double number = 0;
  if (dae_term_eval_exact(trial->terms, t, value_at_trial, trial, &value) == DAE_EVAL_OK &&
      dae_term_is_number(trial->terms, value)) {
    *sign = dae_term_sign(trial->terms, value);
    return true;
  }
  bool ok =
      dae_term_eval_double(trial->terms, t, number_at_trial, trial, &number) == DAE_EVAL_OK;
  *sign = number > 0 ? 1 : -1;
  return ok && isfinite(number) && fabs(number) > 1e-6 * pow(fmax(1, (double)trial->size), 4);
}

bool
dae_trial_takes_both_signs(DaeTerms *terms, DaeTerm t)
{
  static const int64_t sizes[] = {0, 1, 30, 30, 1000, 1000, 1, 1, 1, 1, 3, 3};
  bool is_seen[3] = {false};
  if (dae_term_size(terms, t) > MOST_TRIED) {
    return false;
  }
  for (size_t k = 0; k < G_N_ELEMENTS(sizes) && !(is_seen[0] && is_seen[2]); k++) {
    Trial trial = {terms, sizes[k], (uint64_t)k << 40};
    int sign = 0;
    if (sign_at_trial(&trial, t, &sign)) {
      is_seen[sign + 1] = true;
    }
  }
  return is_seen[0] && is_seen[2];
}
