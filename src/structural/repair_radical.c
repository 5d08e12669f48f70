/* Roots of higher multiplicity: f^k = 0 has the solutions of f = 0, but its Jacobian vanishes
 * on every one of them. An equation whose factored residual has multiple factors, or factors
 * without real zeros, is replaced by the product of the others, each once. sign(f) = 0 and
 * abs(f) = 0 have the solutions of f = 0 too, and no derivative there: they are f = 0. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_ROWS = 2000, MOST_SIZE = 400 };

DaeTerm
dae_repair_core(DaeTerms *terms, DaeTerm factor)
{
  while (dae_term_kind(terms, factor) == DAE_KIND_CALL) {
    DaeFunction function = dae_term_function(terms, factor);
    bool is_candidate =
        function == DAE_FN_SIGN || function == DAE_FN_ABS || function == DAE_FN_MAX;
    if (!is_candidate) { /* pi has no operand at all */
      break;
    }
    DaeTerm argument = dae_term_operand(terms, factor, 0);
    if (function == DAE_FN_MAX &&
        dae_term_neg(terms, argument) != dae_term_operand(terms, factor, 1)) {
      break;
    }
    factor = argument;
  }
  return factor;
}

/* Has the residual no denominator that may be 0 where the factors are, as in abs(x)/x = 0? What
 * is inside of functions, x*exp(-1/x) = 0, is asked separately. */
static bool
divides_by_nothing(DaeRepair *repair, DaeTerm residual)
{
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  int sign = 0;
  return dae_algebra_fraction(repair->algebra, residual, &numerator, &denominator) &&
         dae_algebra_sign(repair->algebra, denominator, &sign) && sign != 0;
}

/* The residual with simple factors only; DAE_NO_TERM: it is so already, or nothing is left,
 * or it could not be factored. */
static DaeTerm
radical_of(DaeRepair *repair, DaeTerm residual)
{
  DaeTerms *terms = repair->terms;
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_size(terms, residual) > MOST_SIZE ||
      !dae_algebra_factor(repair->algebra, residual, factors)) {
    return DAE_NO_TERM;
  }
  DaeTerm product = dae_term_int(terms, 1);
  uint32_t kept = 0;
  bool has_core = false;
  for (guint k = 0; k < factors->len; k++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, k);
    int sign = 0;
    if (!dae_algebra_sign(repair->algebra, factor, &sign) || sign == 0) {
      DaeTerm core = dae_repair_core(terms, factor);
      product = dae_term_mul(terms, product, core);
      has_core |= core != factor;
      kept++;
    }
  }
  if (!divides_by_nothing(repair, residual) ||
      !dae_algebra_keeps_domain(repair->algebra, residual, product)) {
    return DAE_NO_TERM;
  }
  if (has_core) {
    return product;
  }
  DaeTerm ratio = kept > 0 ? dae_term_div(terms, residual, product) : DAE_NO_TERM;
  DaeTerm simple =
      ratio != DAE_NO_TERM ? dae_algebra_simplify(repair->algebra, ratio) : DAE_NO_TERM;
  return simple == DAE_NO_TERM || dae_term_is_number(terms, simple) ? DAE_NO_TERM : product;
}

static bool
simplify_row(DaeRepair *repair, uint32_t i)
{
  DaeCombination x;
  dae_combination_init(&x);
  x.residual = radical_of(repair, g_array_index(repair->residuals, DaeTerm, i));
  bool is_done = x.residual != DAE_NO_TERM;
  if (is_done) {
    x.replaced = i;
    x.order = g_array_index(repair->orders, int32_t, i);
    x.residual = dae_repair_simplify(repair->algebra, x.residual);
    dae_combination_append(&x, repair->terms, dae_term_int(repair->terms, 1), i, 0);
    for (int s = 0; s < DAE_N_PRINT_STYLES; s++) {
      g_string_prepend(x.text.in[s], "the simple factors of ");
    }
    is_done = dae_repair_place_radical(repair, &x);
  }
  dae_combination_clear(&x);
  return is_done;
}

DaeStepOutcome
dae_repair_radicals(DaeRepair *repair)
{
  bool is_done = false;
  for (uint32_t i = 0; i < repair->residuals->len && repair->residuals->len <= MOST_ROWS; i++) {
    is_done |= simplify_row(repair, i);
  }
  return is_done ? DAE_STEP_DONE : DAE_STEP_NONE;
}
