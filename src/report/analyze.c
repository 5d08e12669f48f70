#include "report/analyze.h"

GArray *
dae_analyze_violated_factors(const DaeAnalyzeView *view)
{
  GArray *violated = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t n = 0;
  const DaeTerm *factors = dae_sig_singular_when(view->sig, &n);
  g_autoptr(DaeSubst) values = NULL;
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_term_is_parametric(view->terms, factors[k])) {
      continue;
    }
    if (values == NULL) {
      values = dae_model_parameter_subst(view->written, view->terms);
    }
    DaeTerm value = dae_subst_apply(values, factors[k]);
    if (value != DAE_NO_TERM &&
        dae_term_is_zero(view->terms, dae_terms_rewrite(view->terms, value))) {
      g_array_append_val(violated, factors[k]);
    }
  }
  return violated;
}
