/* What parameters are by their declaration: L(min = 0) is 0 + r^2 with some real r, b(max = 1) is
 * 1 - r^2. With these in place sqrt(L^2) is L. A claim that rests on it names the parameters. */
#include "initcheck/initcheck-priv.h"

/* The atom within its range; DAE_NO_TERM: none is declared. */
static DaeTerm
within_range(IcSystem *sys, DaeTerm atom)
{
  DaeTerms *terms = sys->terms;
  DaeSymbol symbol = dae_term_get_symbol(terms, atom);
  uint32_t k = 0;
  if (!dae_model_find_parameter(sys->model, symbol, &k)) {
    return DAE_NO_TERM;
  }
  const DaeParameter *parameter = dae_model_parameter(sys->model, k);
  bool has_min = parameter->min != DAE_NO_TERM && dae_term_is_number(terms, parameter->min);
  bool has_max = parameter->max != DAE_NO_TERM && dae_term_is_number(terms, parameter->max);
  if (!has_min && !has_max) {
    return DAE_NO_TERM;
  }
  g_autofree char *name = g_strdup_printf("$range.%u", k);
  DaeSymbol root = 0;
  if (!dae_terms_find_symbol(terms, name, &root)) {
    root = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
  }
  DaeTerm square = dae_term_pow_int(terms, dae_term_parameter(terms, root), 2);
  return has_min ? dae_term_add(terms, parameter->min, square)
                 : dae_term_sub(terms, parameter->max, square);
}

static void
note_within(IcSystem *sys, const GArray *used)
{
  for (guint i = 0; i < used->len; i++) {
    DaeTerm atom = g_array_index(used, DaeTerm, i);
    bool is_known = false;
    for (guint k = 0; k < sys->within->len && !is_known; k++) {
      is_known = g_array_index(sys->within, DaeTerm, k) == atom;
    }
    if (!is_known) {
      g_array_append_val(sys->within, atom);
    }
  }
}

bool
ic_zero_as_declared(IcSystem *sys, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) ranges = dae_subst_new(sys->terms);
  dae_term_collect_parameters(sys->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    DaeTerm range = within_range(sys, atom);
    if (range != DAE_NO_TERM) {
      dae_subst_set(ranges, atom, range);
      g_array_append_val(used, atom);
    }
  }
  DaeTerm image = used->len > 0 ? dae_subst_apply(ranges, t) : DAE_NO_TERM;
  if (image == DAE_NO_TERM || dae_algebra_is_zero(sys->algebra, image) != DAE_ZERO) {
    return false;
  }
  note_within(sys, used);
  return true;
}
