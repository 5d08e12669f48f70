#include "pipeline/peaks.h"

#include <string.h>

#include "pipeline/steep.h"

/* How far below its peak, as powers of e, is a pulse over? A stage that meets the foot of one sees
 * nothing there and is inside the widest range; the narrower ones are still passed over. */
static const int depths[] = {4, 9, 20};

/* May t turn round while the unknowns go on: is there an even power, or a product, of unknowns?
 * Bases of even powers are appended: where they change their sign t turns. */
static bool
find_turns(DaeTerms *terms, DaeTerm t, GArray *bases)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  bool may_turn = false;
  for (DaeTerm s = dae_visit_next(visit); s != DAE_NO_TERM; s = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *u = dae_term_operands(terms, s, &n);
    DaeKind kind = dae_term_kind(terms, s);
    uint32_t n_varying = 0;
    int64_t exponent = 1;
    if (!dae_term_has_variables(terms, s)) {
      continue;
    }
    for (uint32_t i = 0; i < n; i++) {
      n_varying += dae_term_has_variables(terms, u[i]) ? 1 : 0;
    }
    bool is_even = kind == DAE_KIND_POWER && dae_term_get_int64(terms, u[1], &exponent) &&
                   exponent > 0 && exponent % 2 == 0;
    bool is_abs = kind == DAE_KIND_CALL && dae_term_function(terms, s) == DAE_FN_ABS;
    if (is_even || is_abs) {
      g_array_append_val(bases, u[0]);
    }
    may_turn = may_turn || is_even || is_abs || (kind == DAE_KIND_PRODUCT && n_varying > 1);
    dae_visit_enter(visit, s);
  }
  return may_turn;
}

static bool
is_call(const DaeTerms *terms, DaeTerm t, DaeFunction function)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL && dae_term_function(terms, t) == function;
}

static void
append(DaeTerms *terms, DaeTerm function, GArray *functions)
{
  if (function != DAE_NO_TERM && !dae_term_has_derivatives(terms, function)) {
    g_array_append_val(functions, function);
  }
}

/* b^q with a number b > 0: exp(q*log(b)). */
static bool
is_exponential(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_POWER &&
         dae_term_is_number(terms, dae_term_operand(terms, t, 0)) &&
         dae_term_sign(terms, dae_term_operand(terms, t, 0)) > 0 &&
         dae_term_has_variables(terms, dae_term_operand(terms, t, 1));
}

/* Of exp(q): -q - depth; of cosh(u)^-k: u^2 - depth^2; and what is 0 at the peak. */
static void
note(DaeTerms *terms, DaeTerm t, GArray *functions)
{
  g_autoptr(GArray) bases = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm function = DAE_NO_TERM;
  bool is_square = false;
  if (is_call(terms, t, DAE_FN_EXP)) {
    DaeTerm q = dae_term_operand(terms, t, 0);
    function = find_turns(terms, q, bases) ? dae_term_neg(terms, q) : DAE_NO_TERM;
  } else if (is_exponential(terms, t)) {
    DaeTerm q = dae_term_operand(terms, t, 1);
    DaeTerm rate = dae_term_call1(terms, DAE_FN_LOG, dae_term_operand(terms, t, 0));
    function = find_turns(terms, q, bases) ? dae_term_neg(terms, dae_term_mul(terms, rate, q))
                                           : DAE_NO_TERM;
  } else if (dae_term_kind(terms, t) == DAE_KIND_POWER &&
             is_call(terms, dae_term_operand(terms, t, 0), DAE_FN_COSH) &&
             dae_term_is_number(terms, dae_term_operand(terms, t, 1)) &&
             dae_term_sign(terms, dae_term_operand(terms, t, 1)) < 0) {
    DaeTerm u = dae_term_operand(terms, dae_term_operand(terms, t, 0), 0);
    function = dae_term_pow_int(terms, u, 2);
    is_square = true;
    g_array_append_val(bases, u);
  }
  if (function == DAE_NO_TERM) {
    return;
  }
  for (size_t k = 0; k < G_N_ELEMENTS(depths); k++) {
    const int depth = is_square ? depths[k] * depths[k] : depths[k];
    append(terms, dae_term_sub(terms, function, dae_term_int(terms, depth)), functions);
  }
  for (guint k = 0; k < bases->len; k++) {
    append(terms, g_array_index(bases, DaeTerm, k), functions);
  }
}

/* Sums and products are none of what is noted. */
static bool
is_call_or_power(const DaeTerms *terms, DaeTerm t)
{
  const DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_CALL || kind == DAE_KIND_POWER;
}

/* By its kind alone, which is cheap to see. */
static bool
looks_like_peak(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_POWER) {
    return is_exponential(terms, t) || dae_steep_is_power(terms, t);
  }
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  const DaeFunction function = dae_term_function(terms, t);
  return function == DAE_FN_EXP || function == DAE_FN_COSH || function == DAE_FN_TANH ||
         function == DAE_FN_ATAN;
}

/* Most models have no such function: no walk over their equations is needed to see it. */
static bool
may_have_peaks(const DaeTerms *terms)
{
  for (DaeTerm t = 1; t < dae_terms_count(terms); t++) {
    if (looks_like_peak(terms, t) && dae_term_has_variables(terms, t)) {
      return true;
    }
  }
  return false;
}

/* All terms of the system: where they are those of the run before, so are its peaks. */
static GArray *
terms_of_system(const DaeSystemParts *parts)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (parts->n_diff > 0) {
    g_array_append_vals(all, parts->coefficients, parts->row_start[parts->n_diff]);
    g_array_append_vals(all, parts->rhs, parts->n_diff);
  }
  if (parts->n_con > 0) {
    g_array_append_vals(all, parts->constraints, parts->n_con);
  }
  return all;
}

static void
find_peaks(DaeTerms *terms, const GArray *system, GArray *functions)
{
  if (!may_have_peaks(terms)) {
    return;
  }
  g_autoptr(GArray) arguments = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  for (guint i = 0; i < system->len; i++) {
    dae_visit_add(visit, g_array_index(system, DaeTerm, i));
  }
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (dae_term_has_variables(terms, t)) {
      if (is_call_or_power(terms, t)) {
        note(terms, t, functions);
        dae_steep_note(terms, t, functions, arguments);
      }
      dae_visit_enter(visit, t);
    }
  }
  dae_steep_close(terms, arguments, functions);
}

static bool
are_equal(const GArray *a, const GArray *b)
{
  return a != NULL && a->len == b->len &&
         (a->len == 0 || memcmp(a->data, b->data, a->len * sizeof(DaeTerm)) == 0);
}

void
dae_peaks_collect(DaeProblem *problem, GArray *functions)
{
  g_autoptr(GArray) system = terms_of_system(&problem->parts);
  if (!are_equal(problem->peak_system, system)) {
    dae_peaks_forget(problem);
    problem->peaks = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    find_peaks(dae_pipeline_terms(problem->pipeline), system, problem->peaks);
    problem->peak_system = g_steal_pointer(&system);
  }
  g_array_append_vals(functions, problem->peaks->data, problem->peaks->len);
}

void
dae_peaks_forget(DaeProblem *problem)
{
  g_clear_pointer(&problem->peaks, g_array_unref);
  g_clear_pointer(&problem->peak_system, g_array_unref);
}
