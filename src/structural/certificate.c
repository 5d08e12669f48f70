/* A positive status needs a certificate [Pryce01, theorem 4.2]: where the Jacobian is regular
 * at a point that satisfies f_i^(k) = 0 for all k <= c_i, a solution goes through it, it is
 * unique, and sum d - sum c is the number of degrees of freedom. Cheap ones first: a
 * determinant without zeros needs no point at all, unless a block may have no solution. */
#include "base/base.h"
#include "structural/sig-priv.h"

/* Beyond these, modulo a prime first, and the reals only if that fails: equations, and products
 * in the dense proofs of the blocks (one of 80 equations). */
enum { LARGE = 3000, DENSE = 512000 };

static bool
is_positive(const DaeSig *sig)
{
  return sig->status == DAE_SIG_SUCCESS || sig->status == DAE_SIG_REPAIRED;
}

/* No block is known to be singular, and some are not known to be regular: a point tells. */
static bool
is_unknown(const DaeSig *sig)
{
  return sig->status == DAE_SIG_UNDECIDED && sig->determinant == DAE_UNKNOWN;
}

static bool
has_open_blocks(const DaeSig *sig)
{
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    if (sig->block_open[b]) {
      return true;
    }
  }
  return false;
}

/* The steps of a repair are legal where their factors are not zero; are they nowhere? */
static bool
steps_hold_everywhere(DaeSig *sig, DaeAlgebra *algebra)
{
  for (guint k = 0; k < sig->steps->len; k++) {
    const DaeRepairStep *step = &g_array_index(sig->steps, DaeRepairStep, k);
    for (uint32_t n = 0; n < step->n_nonzero; n++) {
      DaeTerm value = dae_sig_at_values(sig, step->nonzero[n]);
      int sign = 0;
      bool is_parametric = value != DAE_NO_TERM && dae_term_is_parametric(sig->terms, value);
      bool ok = is_parametric ? dae_algebra_is_zero(algebra, value) == DAE_NONZERO
                              : value != DAE_NO_TERM &&
                                    dae_algebra_sign(algebra, value, &sign) && sign != 0;
      if (!ok) {
        return false;
      }
    }
  }
  return true;
}

static void
explain_failure(DaeSig *sig, uint32_t failed)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append(text,
                  "no consistent point was found at which the Jacobian is proved regular");
  if (failed < sig->fine_form.n_blocks) {
    const DaeSigBlock *block = &sig->fine[failed];
    g_string_append(text, block->n_equations == 1
                              ? "; the search ends at equation"
                              : "; the search ends at the block of equations");
    for (uint32_t k = 0; k < MIN(block->n_equations, 8); k++) {
      g_string_append_printf(text, "%s %u", k == 0 ? "" : ",", block->equations[k]);
    }
    g_string_append(text, block->n_equations > 8 ? ", ..." : "");
  }
  for (guint k = 0; k < MIN(sig->singular_when->len, 4); k++) {
    DaeTerm factor = g_array_index(sig->singular_when, DaeTerm, k);
    g_string_append(text, k == 0 ? "; the determinant has the factor " : ", ");
    dae_term_print_limited(sig->terms, factor, text, 200);
  }
  if (sig->mode != NULL) {
    g_string_append(text, "; it is zero in some modes of the model, other than that in which");
    for (guint k = 0; k < MIN(sig->mode->len, 8); k++) {
      const DaeSigCondition *chosen = &g_array_index(sig->mode, DaeSigCondition, k);
      g_string_append_printf(text, "%s %s", k == 0 ? "" : ",", chosen->holds ? "" : "not ");
      dae_term_print_limited(sig->terms, chosen->condition, text, 60);
    }
  }
  g_free(sig->reason);
  sig->reason = g_string_free(g_steal_pointer(&text), FALSE);
}

static void
explain_impossible(DaeSig *sig)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "equation %u has no real solution", sig->impossible_row);
  if (sig->impossible_part != DAE_NO_TERM) {
    g_string_append(text, ": no value of ");
    dae_term_print_limited(sig->terms, sig->impossible_part, text, 200);
  }
  g_free(sig->reason);
  sig->reason = g_string_free(g_steal_pointer(&text), FALSE);
}

bool
dae_sig_find_solution(DaeSig *sig, DaeAlgebra *algebra)
{
  uint32_t failed = UINT32_MAX;
  sig->wants_whole_point = true;
  bool is_found = sig->transversal != NULL &&
                  sig->sigma.csr->n_rows == sig->sigma.csr->n_columns &&
                  dae_sig_find_point(sig, algebra, &failed);
  sig->certificate.kind = is_found ? DAE_CERTIFICATE_POINT : DAE_CERTIFICATE_NONE;
  return is_found;
}

static bool
is_large(DaeSig *sig)
{
  g_autofree bool *is_needed = NULL;
  double work = 0;
  if (sig->sigma.csr->n_rows > LARGE) {
    return true;
  }
  is_needed = dae_sig_needed_blocks(sig);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    double n = sig->fine[b].n_equations;
    work += is_needed[b] ? n * n * n : 0;
  }
  return work > DENSE;
}

void
dae_sig_certify(DaeSig *sig, DaeAlgebra *algebra, const DaeReporter *reporter)
{
  uint32_t failed = UINT32_MAX;
  if (!(is_positive(sig) || is_unknown(sig)) ||
      sig->block_open == NULL) { /* the second: more equations than unknowns */
    return;
  }
  dae_report_progress(reporter, "certificate", -1);
  bool is_in_doubt = dae_sig_find_doubts(sig, algebra);
  bool is_partial = sig->sigma.csr->n_rows <= LARGE &&
                    dae_sig_find_partial_blocks(sig, algebra, sig->block_in_doubt);
  bool is_everywhere = !is_in_doubt && !sig->is_violated && !has_open_blocks(sig) &&
                       steps_hold_everywhere(sig, algebra);
  sig->lacks_values_only = is_everywhere && is_partial;
  if (sig->impossible_row != UINT32_MAX) {
    sig->status = DAE_SIG_UNDECIDED;
    explain_impossible(sig);
    return;
  }
  bool is_modular_first = is_large(sig);
  if (is_everywhere && (is_modular_first || !(is_partial || dae_sig_is_curved(sig)))) {
    sig->certificate.kind = DAE_CERTIFICATE_EVERYWHERE;
  } else if (is_modular_first && dae_sig_find_modular_point(sig, &failed)) {
    sig->certificate.kind = DAE_CERTIFICATE_ALGEBRAIC;
  } else if (dae_sig_find_point(sig, algebra, &failed)) {
    sig->certificate.kind = is_everywhere ? DAE_CERTIFICATE_EVERYWHERE : DAE_CERTIFICATE_POINT;
  } else if (!is_modular_first && dae_sig_find_modular_point(sig, &failed)) {
    sig->certificate.kind = DAE_CERTIFICATE_ALGEBRAIC;
  } else {
    sig->status = DAE_SIG_UNDECIDED;
    explain_failure(sig, failed);
    return;
  }
  if (is_unknown(sig)) { /* regular at a point */
    sig->status = sig->steps->len > 0 ? DAE_SIG_REPAIRED : DAE_SIG_SUCCESS;
    sig->determinant = DAE_NONZERO;
    g_clear_pointer(&sig->reason, g_free);
  }
}
