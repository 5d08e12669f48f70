/* The initial problem as one system of equations, in balls. Where there are as many premises as
 * unknowns, a point z at which all of them hold, F(z) = 0, with a regular Jacobian proves that
 * there is one start near it. Where the Sigma-Jacobian J(z) is regular there as well, the
 * structure has its certificate in that point [Pryce01, theorem 4.2]: the initialization is
 * well-determined, whatever the elimination could not settle.
 *
 * Both are one question: the Jacobian of F(z) = 0, J(z)*u = 1 is regular where those of F and J
 * are, since F does not depend on u. The answer is looked for as the certificate of a structure
 * is (room structural): block by block, each with Krawczyk's operator; z and u are the variables
 * of a system without derivatives. */
#include "initcheck/initcheck-priv.h"

/* The unknowns as variables; those that are derivatives or parameters get new symbols. */
static GArray *
new_variables(const IcSystem *sys, DaeSubst *renamed)
{
  GArray *variables = g_array_new(FALSE, FALSE, sizeof(DaeVariable));
  for (guint z = 0; z < sys->unknowns->len; z++) {
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
    DaeVariable variable = {.start = unknown->start};
    bool is_plain = unknown->variable != IC_NONE && unknown->order == 0;
    variable.symbol = dae_term_get_symbol(sys->terms, unknown->atom);
    if (!is_plain) {
      variable.symbol = dae_terms_add_unlisted_symbol(
          sys->terms, DAE_SYMBOL_VARIABLE, dae_terms_symbol_name(sys->terms, variable.symbol));
      dae_subst_set(renamed, unknown->atom, dae_term_variable(sys->terms, variable.symbol, 0));
    }
    g_array_append_val(variables, variable);
  }
  return variables;
}

/* A side of a premise at the given parameter values. */
static DaeTerm
side_at_values(IcSystem *sys, DaeSubst *renamed, DaeTerm t)
{
  DaeTerm here = t == DAE_NO_TERM ? t : ic_at_values(sys, t);
  return here == DAE_NO_TERM ? here : dae_subst_apply(renamed, here);
}

/* NULL: a premise has no value, or parameters without a value in it. */
static GArray *
new_equations(IcSystem *sys, DaeSubst *renamed)
{
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  for (guint p = 0; p < sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(sys->premises, IcPremise, p);
    DaeEquation equation = {.lhs = side_at_values(sys, renamed, premise->lhs),
                            .rhs = side_at_values(sys, renamed, premise->rhs)};
    if (equation.lhs == DAE_NO_TERM || equation.rhs == DAE_NO_TERM ||
        dae_term_has_parameters(sys->terms, equation.lhs) ||
        dae_term_has_parameters(sys->terms, equation.rhs)) {
      return NULL;
    }
    g_array_append_val(equations, equation);
  }
  return g_steal_pointer(&equations);
}

/* J(z)*u = 1, with new variables u. False: an entry has no value. */
static bool
add_tangent(IcSystem *sys, DaeSubst *renamed, GArray *variables, GArray *equations)
{
  const uint32_t n = dae_sig_n_columns(sys->sig);
  const uint32_t first = variables->len, first_row = equations->len;
  size_t n_entries = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(sys->sig, &n_entries);
  for (uint32_t j = 0; j < n; j++) {
    DaeVariable u = {
        .symbol = dae_terms_add_unlisted_symbol(sys->terms, DAE_SYMBOL_VARIABLE, "tangent")};
    DaeEquation equation = {.lhs = dae_term_int(sys->terms, 0),
                            .rhs = dae_term_int(sys->terms, 1)};
    g_array_append_val(variables, u);
    g_array_append_val(equations, equation);
  }
  for (size_t k = 0; k < n_entries; k++) {
    bool used_values = false;
    DaeTerm slope = ic_prepare(sys, entries[k].value, &used_values);
    slope = side_at_values(sys, renamed, slope);
    if (slope == DAE_NO_TERM || dae_term_has_parameters(sys->terms, slope)) {
      return false;
    }
    DaeSymbol symbol = g_array_index(variables, DaeVariable, first + entries[k].column).symbol;
    DaeEquation *equation = &g_array_index(equations, DaeEquation, first_row + entries[k].row);
    equation->lhs =
        dae_term_add(sys->terms, equation->lhs,
                     dae_term_mul(sys->terms, slope, dae_term_variable(sys->terms, symbol, 0)));
  }
  return true;
}

static void
take_solution(const IcSystem *sys, const GArray *variables, const DaeSig *whole, DaeInit *init)
{
  const DaeCertificate *certificate = dae_sig_certificate(whole);
  g_autoptr(GHashTable) text_of = g_hash_table_new(NULL, NULL);
  for (uint32_t k = 0; k < certificate->n; k++) {
    g_hash_table_insert(text_of, GUINT_TO_POINTER(certificate->atoms[k]),
                        (gpointer)certificate->values[k]);
  }
  g_clear_pointer(&init->values, g_hash_table_unref);
  init->values = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  for (guint z = 0; z < sys->unknowns->len; z++) {
    DaeSymbol symbol = g_array_index(variables, DaeVariable, z).symbol;
    const char *text = g_hash_table_lookup(
        text_of, GUINT_TO_POINTER(dae_term_variable(sys->terms, symbol, 0)));
    if (text != NULL) {
      double value = g_ascii_strtod(text, NULL);
      DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
      g_hash_table_insert(init->values, GUINT_TO_POINTER(atom),
                          g_memdup2(&value, sizeof(double)));
    }
  }
  init->verdict = DAE_INIT_WELL_DETERMINED;
  init->missing = 0;
  init->is_numeric = false;
  init->holds_for_all = false;
  init->n_implicit = sys->unknowns->len;
  init->n_existence_open = 0;
  init->radius = certificate->radius;
  g_clear_pointer(&init->why, g_free);
}

bool
ic_prove_as_a_whole(IcSystem *sys, DaeInit *init)
{
  size_t n_entries = 0;
  if (dae_terms_long_work(sys->terms) > IC_LONG_WORK_LIMIT ||
      sys->premises->len != sys->unknowns->len ||
      dae_sig_n_rows(sys->sig) != dae_sig_n_columns(sys->sig) ||
      dae_sig_jacobian(sys->sig, &n_entries) == NULL) {
    return false;
  }
  g_autoptr(DaeSubst) renamed = dae_subst_new(sys->terms);
  g_autoptr(GArray) variables = new_variables(sys, renamed);
  g_autoptr(GArray) equations = new_equations(sys, renamed);
  g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(DaeParameter));
  if (equations == NULL || !add_tangent(sys, renamed, variables, equations)) {
    return false;
  }
  DaeSigOptions options = {.jacobian = false, .no_certificate = true};
  DaeModelParts parts = dae_model_parts(sys->model, variables, none, equations, none);
  parts.like = NULL;
  g_autoptr(DaeModel) model = dae_model_new(&parts);
  g_autoptr(DaeSig) whole = dae_sig_analyze(sys->algebra, model, &options, NULL, NULL);
  bool is_proved = whole != NULL && dae_sig_find_solution(whole, sys->algebra);
  if (is_proved) {
    take_solution(sys, variables, whole, init);
  }
  return is_proved && ic_undefined_as_written(sys, init, false) == IC_NONE;
}
