/* Which derivatives of the inputs does the reduced system need? */
#include "qlt/qlt.h"

uint32_t
dae_qlt_input_order_in(DaeTerms *terms, DaeTerm t, DaeSymbol input)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t most = 0;
  dae_term_collect_parameters(terms, t, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    uint32_t order = 0;
    DaeSymbol symbol = dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, a));
    if (dae_terms_is_derivative_of(terms, symbol, input, &order)) {
      most = MAX(most, order);
    }
  }
  return most;
}

uint32_t
dae_qlt_input_order(const DaeQlt *qlt, DaeTerms *terms, DaeSymbol input)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    for (uint32_t e = 0; e < row->n; e++) {
      most = MAX(most, dae_qlt_input_order_in(terms, row->coefficients[e], input));
    }
    most = MAX(most, dae_qlt_input_order_in(terms, row->rhs, input));
  }
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    most =
        MAX(most, dae_qlt_input_order_in(terms, dae_qlt_constraint(qlt, i)->expression, input));
  }
  return most;
}
