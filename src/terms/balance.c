/* Sums of exponentials that have to vanish, in a form that numbers can work with. A bridge of
 * diodes that all block has
 *
 *     exp(-40*v) + exp(40*u - 40*v) - exp(40*v - 200) - exp(40*v - 40*u - 200) = 0
 *
 * whose terms are of size 1e-44 at the solution: an absolute residual says nothing there, and
 * from afar Newton's method moves by one unit of the exponent per step. P - N = 0 with P > 0 and
 * N > 0 is the same as log(P) - log(N) = 0, which is of size 1 and nearly linear. */
#include "terms/terms-priv.h"

static bool
has_variables(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len > 0;
}

static bool
has_growing_exponential(DaeTerms *terms, DaeTerm summand)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &summand, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_kind(terms, factors[i]) == DAE_KIND_CALL &&
        dae_term_function(terms, factors[i]) == DAE_FN_EXP &&
        has_variables(terms, factors[i])) {
      return true;
    }
  }
  return false;
}

/* c*exp(u): u, the factors without it into `rest`. */
static DaeTerm
split_exponent(DaeTerms *terms, DaeTerm summand, DaeTerm *rest)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &summand, &n);
  g_autoptr(GArray) exponents = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    bool is_exp = dae_term_kind(terms, factors[i]) == DAE_KIND_CALL &&
                  dae_term_function(terms, factors[i]) == DAE_FN_EXP;
    DaeTerm part = is_exp ? dae_term_operand(terms, factors[i], 0) : factors[i];
    g_array_append_val(is_exp ? exponents : others, part);
  }
  *rest = dae_term_product(terms, (const DaeTerm *)(void *)others->data, others->len);
  return dae_term_sum(terms, (const DaeTerm *)(void *)exponents->data, exponents->len);
}

/* log(sum of c*exp(u)) = m + log(sum of c*exp(u - m)) with the largest exponent m: the exponentials
 * themselves may be too small or too large for a double. */
static DaeTerm
log_of_side(DaeTerms *terms, const GArray *side)
{
  g_autofree DaeTerm *exponents = g_new0(DaeTerm, side->len);
  g_autofree DaeTerm *scaled = g_new0(DaeTerm, side->len);
  for (guint i = 0; i < side->len; i++) {
    exponents[i] = split_exponent(terms, g_array_index(side, DaeTerm, i), &scaled[i]);
  }
  DaeTerm largest = exponents[0];
  for (guint i = 1; i < side->len; i++) {
    largest = dae_term_call2(terms, DAE_FN_MAX, largest, exponents[i]);
  }
  largest = side->len > 1 ? dae_term_call1(terms, DAE_FN_NOEVENT, largest) : largest;
  for (guint i = 0; i < side->len; i++) {
    DaeTerm above = dae_term_sub(terms, exponents[i], largest);
    scaled[i] = dae_term_mul(terms, scaled[i], dae_term_call1(terms, DAE_FN_EXP, above));
  }
  DaeTerm rest = dae_term_sum(terms, scaled, side->len);
  return dae_term_add(terms, largest, dae_term_call1(terms, DAE_FN_LOG, rest));
}

DaeTerm
dae_term_balance(DaeTerms *terms, DaeTerm residual)
{
  if (dae_term_kind(terms, residual) != DAE_KIND_SUM || !dae_term_has_call(terms, residual)) {
    return residual; /* no exponentials */
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_SUM, &residual, &n);
  g_autofree DaeTerm *summands = g_memdup2(operands, n * sizeof(DaeTerm));
  g_autoptr(GArray) positive = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) negative = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool grows = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t signs = dae_term_possible_signs(terms, summands[i]);
    DaeTerm size =
        signs == DAE_MAY_BE_NEGATIVE ? dae_term_neg(terms, summands[i]) : summands[i];
    if (signs != DAE_MAY_BE_NEGATIVE && signs != DAE_MAY_BE_POSITIVE) {
      return residual;
    }
    g_array_append_val(signs == DAE_MAY_BE_NEGATIVE ? negative : positive, size);
    grows = grows || has_growing_exponential(terms, summands[i]);
  }
  if (!grows || positive->len == 0 || negative->len == 0) {
    return residual;
  }
  return dae_term_sub(terms, log_of_side(terms, positive), log_of_side(terms, negative));
}
