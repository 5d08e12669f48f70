/* The structure at the given parameter values. With m = 0 the equation m*der(v) = F has no
 * der(v), M^2 = L1*L2 makes one state of two, and "if closed > 0.5" has one branch. Where
 * nothing of that kind happens the result with symbols holds at the values. */
#include "base/base.h"
#include "structural/sig-priv.h"

DaeTerm
dae_sig_at_values(DaeSig *sig, DaeTerm t)
{
  if (dae_term_is_number(sig->terms, t) || !dae_term_has_parameters(sig->terms, t)) {
    return t;
  }
  if (sig->values == NULL) {
    sig->values = dae_model_parameter_subst(sig->model, sig->terms);
  }
  DaeTerm value = dae_subst_apply(sig->values, t);
  return value == DAE_NO_TERM ? value : dae_terms_rewrite(sig->terms, value);
}

bool
dae_sig_number_at_values(DaeSig *sig, DaeTerm t, double *value)
{
  DaeTerm closed = t == DAE_NO_TERM ? t : dae_sig_at_values(sig, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(sig->terms, closed, NULL, NULL, value) == DAE_EVAL_OK;
}

/* Is this entry zero at the values? */
static bool
vanishes(DaeSig *sig, DaeTerm entry, GHashTable *seen)
{
  if (entry == DAE_NO_TERM || !dae_term_has_parameters(sig->terms, entry) ||
      !g_hash_table_add(seen, GUINT_TO_POINTER(entry))) {
    return false;
  }
  DaeTerm value = dae_sig_at_values(sig, entry);
  return value == DAE_NO_TERM || dae_term_is_zero(sig->terms, value);
}

bool
dae_sig_differs_at_values(DaeSig *sig)
{
  if (sig->is_violated) {
    return true;
  }
  g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
  for (size_t e = 0; e < dae_csr_nnz(sig->sigma.csr); e++) {
    if (vanishes(sig, sig->sigma.derivative[e], seen)) {
      return true;
    }
  }
  return false;
}

bool
dae_sig_holds_with(const DaeSig *sig, DaeSubst *values)
{
  for (size_t e = 0; e < dae_csr_nnz(sig->sigma.csr); e++) {
    DaeTerm entry = sig->sigma.derivative[e];
    if (entry == DAE_NO_TERM || !dae_term_has_parameters(sig->terms, entry)) {
      continue;
    }
    DaeTerm value = dae_subst_apply(values, entry);
    value = value == DAE_NO_TERM ? value : dae_terms_rewrite(sig->terms, value);
    if (value == DAE_NO_TERM || dae_term_is_zero(sig->terms, value)) {
      return false;
    }
  }
  return true;
}

DaeModel *
dae_sig_model_at_values(DaeSig *sig, const DaeModel *model, uint32_t *bad)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeVariable));
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeParameter));
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  g_autoptr(GArray) initial = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  g_autofree uint32_t *written = g_new0(uint32_t, dae_model_n_equations(model) + 1);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    g_array_append_vals(variables, dae_model_variable(model, j), 1);
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    g_array_append_vals(parameters, dae_model_parameter(model, k), 1);
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    DaeEquation equation = *dae_model_equation(model, i);
    equation.lhs = dae_sig_at_values(sig, equation.lhs);
    equation.rhs = dae_sig_at_values(sig, equation.rhs);
    if (equation.lhs == DAE_NO_TERM || equation.rhs == DAE_NO_TERM) {
      *bad = i;
      return NULL;
    }
    g_array_append_val(equations, equation);
    written[i] = i;
  }
  for (uint32_t k = 0; k < dae_model_n_initial_equations(model); k++) {
    g_array_append_vals(initial, dae_model_initial_equation(model, k), 1);
  }
  DaeModelParts parts = dae_model_parts(model, variables, parameters, equations, initial);
  parts.written = written;
  return dae_model_new(&parts);
}
