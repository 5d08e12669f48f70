#include "pipeline/steep.h"

#include <math.h>

/* tanh(u) and 1/(1 + exp(u)) rise between -RISE and RISE, but for 7e-4 of it. */
#define RISE 4
/* cos(u)^n from there on is looked at; below, stages see it. */
#define HIGH_POWER 16
#define GENTLE 16.0
#define TINY 1e-300

static void
append(DaeTerms *terms, DaeTerm function, GArray *functions)
{
  if (function != DAE_NO_TERM && dae_term_has_variables(terms, function) &&
      !dae_term_has_derivatives(terms, function)) {
    g_array_append_val(functions, function);
  }
}

static bool
is_call(const DaeTerms *terms, DaeTerm t, DaeFunction function)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL && dae_term_function(terms, t) == function;
}

static bool
is_sigmoid(const DaeTerms *terms, DaeTerm t)
{
  return is_call(terms, t, DAE_FN_TANH) || is_call(terms, t, DAE_FN_ATAN);
}

/* Where u rises from -RISE to RISE, and the middle. */
static void
append_rise(DaeTerms *terms, DaeTerm u, GArray *functions)
{
  static const int places[] = {-RISE, 0, RISE};
  for (size_t k = 0; k < G_N_ELEMENTS(places); k++) {
    append(terms, dae_term_sub(terms, u, dae_term_int(terms, places[k])), functions);
  }
}

/* ---- denominators ------------------------------------------------------------------------ */

/* The factor of the summand s that varies, alone, as factor*rest = s. */
static DaeTerm
varying_factor(DaeTerms *terms, DaeTerm s)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &s, &n);
  DaeTerm found = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_has_variables(terms, factors[i])) {
      if (found != DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      found = factors[i];
    }
  }
  return found;
}

/* rest + a*exp(q): both are equal where q = log(rest/a). */
static void
note_logistic(DaeTerms *terms, DaeTerm rest, DaeTerm s, DaeTerm call, GArray *functions)
{
  DaeTerm ratio = dae_term_div(terms, dae_term_mul(terms, rest, call), s);
  if (ratio == DAE_NO_TERM || dae_term_is_zero(terms, ratio)) {
    return;
  }
  DaeTerm size = dae_term_add(terms, dae_term_call1(terms, DAE_FN_ABS, ratio),
                              dae_term_from_double(terms, TINY));
  append_rise(terms,
              dae_term_sub(terms, dae_term_operand(terms, call, 0),
                           dae_term_call1(terms, DAE_FN_LOG, size)),
              functions);
}

/* Is a*b^k + rest smooth because b is a sine and a is not much larger than the rest? */
static bool
is_gentle(DaeTerms *terms, DaeTerm rest, DaeTerm s, DaeTerm power)
{
  DaeTerm base = dae_term_operand(terms, power, 0);
  DaeTerm ratio = dae_term_div(terms, s, dae_term_mul(terms, rest, power));
  return (is_call(terms, base, DAE_FN_SIN) || is_call(terms, base, DAE_FN_COS)) &&
         ratio != DAE_NO_TERM && dae_term_is_number(terms, ratio) &&
         fabs(dae_term_get_double(terms, ratio)) < GENTLE;
}

/* rest + a*b^k with a whole number k > 1: where both are equal, where the second one is far the
 * larger, and where b is 0. */
static void
note_power(DaeTerms *terms, DaeTerm rest, DaeTerm s, DaeTerm power, GArray *functions)
{
  static const int depths[] = {1, 100};
  for (size_t k = 0; k < G_N_ELEMENTS(depths); k++) {
    DaeTerm edge = dae_term_mul(terms, rest, dae_term_int(terms, depths[k]));
    append(terms, dae_term_sub(terms, s, edge), functions);
  }
  append(terms, dae_term_operand(terms, power, 0), functions);
}

/* The sum is divided by: of its summands one varies, the rest is a size to compare it with. */
static void
note_denominator(DaeTerms *terms, DaeTerm sum, GArray *functions)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &sum, &n);
  DaeTerm s = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_has_variables(terms, summands[i])) {
      if (s != DAE_NO_TERM) {
        return;
      }
      s = summands[i];
    }
  }
  DaeTerm factor = n > 1 && s != DAE_NO_TERM ? varying_factor(terms, s) : DAE_NO_TERM;
  int64_t exponent = 0;
  if (factor == DAE_NO_TERM) {
    return;
  }
  DaeTerm rest = dae_term_sub(terms, sum, s);
  if (is_call(terms, factor, DAE_FN_EXP)) {
    note_logistic(terms, rest, s, factor, functions);
  } else if (dae_term_kind(terms, factor) == DAE_KIND_POWER &&
             dae_term_get_int64(terms, dae_term_operand(terms, factor, 1), &exponent) &&
             exponent > 1 && !is_gentle(terms, rest, s, factor)) {
    note_power(terms, rest, s, factor, functions);
  }
}

/* ---- powers ------------------------------------------------------------------------------ */

/* sin(u)^n, cos(u)^n: above exp(-RISE) of the peak. */
static void
note_high_power(DaeTerms *terms, DaeTerm base, int64_t exponent, GArray *functions)
{
  if (is_call(terms, base, DAE_FN_SIN) || is_call(terms, base, DAE_FN_COS)) {
    DaeTerm edge = dae_term_from_double(terms, exp(-2.0 * RISE / (double)exponent));
    append(terms, dae_term_sub(terms, edge, dae_term_pow_int(terms, base, 2)), functions);
  }
}

static void
note_power_of(DaeTerms *terms, DaeTerm t, GArray *functions, GArray *arguments)
{
  DaeTerm base = dae_term_operand(terms, t, 0);
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  int64_t whole = 0;
  if (!dae_term_is_number(terms, exponent)) {
    return;
  }
  if (dae_term_sign(terms, exponent) < 0) {
    note_denominator(terms, base, functions);
  } else if (is_sigmoid(terms, base)) { /* 1 - tanh(u)^2: it falls again */
    DaeTerm u = dae_term_operand(terms, base, 0);
    g_array_append_val(arguments, u);
  } else if (dae_term_get_int64(terms, exponent, &whole) && whole >= HIGH_POWER) {
    note_high_power(terms, base, whole, functions);
  }
}

bool
dae_steep_is_power(const DaeTerms *terms, DaeTerm t)
{
  int64_t whole = 0;
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return false;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  if (!dae_term_is_number(terms, exponent)) {
    return false;
  }
  return dae_term_sign(terms, exponent) < 0
             ? dae_term_kind(terms, dae_term_operand(terms, t, 0)) == DAE_KIND_SUM
             : dae_term_get_int64(terms, exponent, &whole) && whole >= HIGH_POWER;
}

void
dae_steep_note(DaeTerms *terms, DaeTerm t, GArray *functions, GArray *arguments)
{
  if (is_sigmoid(terms, t)) {
    DaeTerm u = dae_term_operand(terms, t, 0);
    g_array_append_val(arguments, u);
  } else if (dae_term_kind(terms, t) == DAE_KIND_POWER) {
    note_power_of(terms, t, functions, arguments);
  }
}

void
dae_steep_close(DaeTerms *terms, const GArray *arguments, GArray *functions)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (guint k = 0; arguments->len > 1 && k < arguments->len; k++) {
    const DaeTerm u = g_array_index(arguments, DaeTerm, k);
    if (g_hash_table_add(seen, GUINT_TO_POINTER(u))) {
      append_rise(terms, u, functions);
    }
  }
}
