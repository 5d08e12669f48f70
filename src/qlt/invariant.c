/* Solution invariants given by the user [HoegerSteinbrecher, section 3, "Further features"]. */
#include "qlt/qlt-priv.h"

static DaeSymbol
invariant_symbol(QltWork *work, uint32_t number)
{
  g_autofree char *name = g_strdup_printf("$invariant_%u", number + 1);
  DaeSymbol symbol;
  if (dae_terms_find_symbol(work->terms, name, &symbol)) {
    return symbol;
  }
  return dae_terms_add_symbol(work->terms, DAE_SYMBOL_PARAMETER, name);
}

/* dI/dt freed of derivatives as far as the rows go, without changing the state: the
 * derivative of every column is replaced by its row solved for it, blocks of one row only.
 * DAE_NO_TERM: a derivative is left. */
static DaeTerm
slope_along_solutions(QltWork *work, DaeTerm invariant)
{
  DaeTerms *terms = work->terms;
  DaeTerm slope = qlt_apply_identities(work, dae_term_total(terms, invariant), NULL);
  for (uint32_t round = 0; round <= work->rows->len; round++) {
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(DaeSubst) subst = dae_subst_new(terms);
    bool is_changed = false;
    dae_term_collect_variables(terms, slope, variables);
    for (uint32_t k = 0; k < variables->len; k++) {
      DaeTerm atom = g_array_index(variables, DaeTerm, k);
      if (dae_term_order(terms, atom) == 0) {
        continue;
      }
      uint32_t j = qlt_column_of(work, dae_term_get_symbol(terms, atom));
      uint32_t match = qlt_column(work, j)->match;
      if (match == QLT_NONE) {
        return DAE_NO_TERM;
      }
      const QltRow *row = qlt_row(work, match);
      DaeTerm sum = row->rhs;
      DaeTerm pivot = DAE_NO_TERM;
      for (uint32_t l = 0; l < row->n; l++) {
        if (row->columns[l] == j) {
          pivot = row->coefficients[l];
        } else {
          DaeTerm other =
              dae_term_variable(terms, qlt_column(work, row->columns[l])->symbol, 1);
          sum = dae_term_sub(terms, sum, dae_term_mul(terms, row->coefficients[l], other));
        }
      }
      DAE_ASSERT(pivot != DAE_NO_TERM);
      dae_subst_set(subst, atom, dae_term_div(terms, sum, pivot));
      is_changed = true;
    }
    if (!is_changed) {
      return slope;
    }
    slope = dae_subst_apply(subst, slope);
    if (slope == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
  }
  return DAE_NO_TERM;
}

/* Does I - I(start) say anything beyond the constraints? With its gradient in
 * their span it would be redundant. */
static bool
follows_from_constraints(QltWork *work, DaeTerm expression)
{
  g_autoptr(GArray) all = qlt_all_constraints(work);
  uint32_t n = all->len;
  g_autofree bool *is_dependent = g_new0(bool, n + 1);
  g_array_append_val(all, expression);
  return qlt_numeric_dependents(work, (const DaeTerm *)(void *)all->data, n + 1, n,
                                is_dependent) &&
         is_dependent[n];
}

static void
store_invariant(QltWork *work, DaeTerm expression, uint32_t number, bool is_proved)
{
  QltInvariant invariant = {invariant_symbol(work, number), expression};
  QltConstraint *constraint = g_new0(QltConstraint, 1);
  constraint->expression =
      dae_term_sub(work->terms, expression, dae_term_parameter(work->terms, invariant.symbol));
  constraint->from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  constraint->is_invariant = true;
  constraint->is_trusted = !is_proved;
  constraint->is_differentiated = true;
  g_array_append_val(work->invariants, invariant);
  g_ptr_array_add(work->constraints, constraint);
}

bool
qlt_add_invariants(QltWork *work, const DaeQltOptions *options, GError **error)
{
  for (uint32_t k = 0; k < options->n_invariants; k++) {
    DaeTerm expression = qlt_apply_identities(work, options->invariants[k], NULL);
    g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autofree char *text = dae_term_to_string(work->terms, options->invariants[k]);
    dae_term_collect_variables(work->terms, expression, variables);
    for (uint32_t l = 0; l < variables->len; l++) {
      if (dae_term_order(work->terms, g_array_index(variables, DaeTerm, l)) > 0) {
        g_set_error(
            error, DAE_ERROR, DAE_ERROR_USAGE,
            "invariant %s: a derivative that is no unknown of the reduced system cannot "
            "occur in an invariant",
            text);
        return false;
      }
    }
    DaeTerm slope = slope_along_solutions(work, expression);
    bool is_proved = slope != DAE_NO_TERM && (qlt_is_zero(work, slope) == DAE_ZERO ||
                                              qlt_vanishes_on_constraints(work, slope));
    if (follows_from_constraints(work, expression)) {
      qlt_drop(work, expression, from, "this invariant follows from the constraints");
      dae_report_warning(work->reporter, "invariant %s follows from the constraints", text);
      continue;
    }
    if (!is_proved) {
      dae_report_warning(
          work->reporter,
          "invariant %s is taken on trust: it could not be proved to be constant", text);
    }
    store_invariant(work, expression, k, is_proved);
  }
  return true;
}
