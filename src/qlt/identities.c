/* Identities der(x) = v, looked up before they are created [HoegerSteinbrecher, section 4.3]. The
 * paper's rule for coefficients always adds one; here an existing one is used (docs/errata.md). */
#include "qlt/qlt-priv.h"

/* 0 = der(x) - v up to sign? */
static bool
is_obvious_identity(DaeTerms *terms, DaeTerm residual, DaeTerm *derivative, DaeTerm *variable)
{
  if (dae_term_kind(terms, residual) != DAE_KIND_SUM) {
    return false;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, residual, &n);
  if (n != 2) {
    return false;
  }
  for (uint32_t k = 0; k < 2; k++) {
    DaeTerm plain = operands[k];
    DaeTerm negated = dae_term_neg(terms, operands[1 - k]);
    if (dae_term_kind(terms, plain) != DAE_KIND_VARIABLE ||
        dae_term_kind(terms, negated) != DAE_KIND_VARIABLE) {
      continue;
    }
    uint32_t order_plain = dae_term_order(terms, plain);
    uint32_t order_negated = dae_term_order(terms, negated);
    if (order_plain + order_negated != 1) {
      continue;
    }
    *derivative = order_plain == 1 ? plain : negated;
    *variable = order_plain == 1 ? negated : plain;
    return true;
  }
  return false;
}

void
qlt_find_model_identities(QltWork *work, uint32_t *identity_of)
{
  for (uint32_t i = 0; i < dae_model_n_equations(work->model); i++) {
    const DaeEquation *equation = dae_model_equation(work->model, i);
    DaeTerm derivative = DAE_NO_TERM;
    DaeTerm variable = DAE_NO_TERM;
    identity_of[i] = QLT_NONE;
    if (qlt_is_solved(work->terms, equation) &&
        dae_term_kind(work->terms, equation->rhs) != DAE_KIND_VARIABLE) {
      continue;
    }
    DaeTerm residual = dae_term_sub(work->terms, equation->lhs, equation->rhs);
    if (!is_obvious_identity(work->terms, residual, &derivative, &variable)) {
      continue;
    }
    uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, derivative));
    uint32_t v = qlt_column_of(work, dae_term_get_symbol(work->terms, variable));
    DAE_ASSERT(j != QLT_NONE && v != QLT_NONE);
    QltColumn *column = qlt_column(work, j);
    if (column->iota != QLT_NONE) {
      continue; /* the first one counts; this one becomes 0 = v - w */
    }
    column->iota = v;
    column->iota_equation = i;
    identity_of[i] = j;
    work->n_model_identities++;
  }
}

/* $der_x, with everything that is no letter or digit as an underscore; a
 * number is added on a collision. */
static DaeSymbol
new_symbol(QltWork *work, uint32_t j)
{
  const char *name = dae_terms_symbol_name(work->terms, qlt_column(work, j)->symbol);
  g_autoptr(GString) text = g_string_new("$der_");
  bool is_gap = true;
  for (const char *p = name; *p != '\0'; p++) {
    if (g_ascii_isalnum(*p)) {
      g_string_append_c(text, *p);
      is_gap = false;
    } else if (!is_gap) {
      g_string_append_c(text, '_');
      is_gap = true;
    }
  }
  if (is_gap) {
    g_string_truncate(text, text->len - 1);
  }
  size_t length = text->len;
  DaeSymbol symbol;
  for (unsigned k = 2; dae_terms_find_symbol(work->terms, text->str, &symbol); k++) {
    if (dae_terms_symbol_kind(work->terms, symbol) == DAE_SYMBOL_VARIABLE &&
        qlt_column_of(work, symbol) == QLT_NONE) {
      return symbol; /* of an earlier reduction in the same context */
    }
    g_string_truncate(text, length);
    g_string_append_printf(text, "_%u", k);
  }
  return dae_terms_add_symbol(work->terms, DAE_SYMBOL_VARIABLE, text->str);
}

/* The derivative of column j in terms of a variable of the model. */
static DaeTerm
meaning_of_derivative(QltWork *work, uint32_t j)
{
  const QltColumn *column = qlt_column(work, j);
  if (column->meaning == DAE_NO_TERM) {
    return dae_term_variable(work->terms, column->symbol, 1);
  }
  return dae_term_variable(work->terms, dae_term_get_symbol(work->terms, column->meaning),
                           dae_term_order(work->terms, column->meaning) + 1);
}

/* Moves coefficient * der(j) to the right-hand side, where der(j) is now the variable v. */
static void
replace_in_row(QltWork *work, uint32_t i, uint32_t j, DaeTerm v)
{
  QltRow *row = qlt_row(work, i);
  if (!row->is_alive) {
    return;
  }
  for (uint32_t k = 0; k < row->n; k++) {
    if (row->columns[k] != j) {
      continue;
    }
    DaeTerm product = dae_term_mul(work->terms, row->coefficients[k], v);
    row->rhs = dae_term_sub(work->terms, row->rhs, product);
    for (uint32_t l = k + 1; l < row->n; l++) {
      row->columns[l - 1] = row->columns[l];
      row->coefficients[l - 1] = row->coefficients[l];
    }
    row->n--;
    if (row->pivot == j) {
      row->pivot = QLT_NONE;
      g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
    }
    return;
  }
}

QltRow *
qlt_store_identity_row(QltWork *work, uint32_t j, GArray *from)
{
  QltRow *row = qlt_row_new();
  row->n = 1;
  row->columns = g_new(uint32_t, 1);
  row->coefficients = g_new(DaeTerm, 1);
  row->columns[0] = j;
  row->coefficients[0] = dae_term_int(work->terms, 1);
  row->rhs = dae_term_symbol(work->terms, qlt_column(work, qlt_column(work, j)->iota)->symbol);
  row->from = from;
  row->pivot = j;
  qlt_column(work, j)->match = qlt_store_row(work, row);
  return row;
}

uint32_t
qlt_identify(QltWork *work, uint32_t j)
{
  if (qlt_column(work, j)->iota != QLT_NONE) {
    return qlt_column(work, j)->iota;
  }
  DaeSymbol symbol = new_symbol(work, j);
  uint32_t v = qlt_add_column(work, symbol, meaning_of_derivative(work, j));
  DaeTerm variable = dae_term_variable(work->terms, symbol, 0);
  qlt_column(work, j)->iota = v;
  g_autoptr(GArray) rows = g_array_ref(qlt_column(work, j)->rows);
  for (uint32_t k = 0; k < rows->len; k++) {
    replace_in_row(work, g_array_index(rows, uint32_t, k), j, variable);
  }
  QltRow *row =
      qlt_store_identity_row(work, j, g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)));
  row->rank = j;
  row->is_identity = true;
  return v;
}

/* Orders above one need identities; they are made before any replacement, so
 * that each atom sees all of them. */
static void
break_down_orders(QltWork *work, const GArray *variables)
{
  for (uint32_t k = 0; k < variables->len; k++) {
    DaeTerm atom = g_array_index(variables, DaeTerm, k);
    uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, atom));
    DAE_ASSERT(j != QLT_NONE);
    for (uint32_t order = dae_term_order(work->terms, atom); order > 1; order--) {
      j = qlt_identify(work, j);
    }
  }
}

/* All derivatives occur plainly, and none of them is known by another name. */
static bool
has_nothing_to_apply(QltWork *work, DaeTerm t)
{
  const GArray *derivatives = qlt_plain_derivatives(work, t);
  if (derivatives == NULL) {
    return false;
  }
  for (uint32_t k = 0; k < derivatives->len; k++) {
    DaeTerm atom = g_array_index(derivatives, DaeTerm, k);
    uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, atom));
    if (qlt_column(work, j)->iota != QLT_NONE) {
      return false;
    }
  }
  return true;
}

DaeTerm
qlt_apply_identities(QltWork *work, DaeTerm t, GArray *from)
{
  if (has_nothing_to_apply(work, t)) {
    return t;
  }
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, t, variables);
  break_down_orders(work, variables);
  g_autoptr(DaeSubst) subst = dae_subst_new(work->terms);
  bool is_changed = false;
  for (uint32_t k = 0; k < variables->len; k++) {
    DaeTerm atom = g_array_index(variables, DaeTerm, k);
    uint32_t order = dae_term_order(work->terms, atom);
    if (order == 0) {
      continue;
    }
    uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, atom));
    /* one order per step, the order falls: it ends also when an identity is der(x) = x */
    for (; order > 0 && qlt_column(work, j)->iota != QLT_NONE; j = qlt_column(work, j)->iota) {
      order--;
      uint32_t equation = qlt_column(work, j)->iota_equation;
      if (from != NULL && equation != QLT_NONE) {
        qlt_origin_add(from, equation, (int32_t)order);
      }
    }
    DAE_ASSERT(order <= 1);
    DaeTerm image = dae_term_variable(work->terms, qlt_column(work, j)->symbol, order);
    if (image != atom) {
      dae_subst_set(subst, atom, image);
      is_changed = true;
    }
  }
  return is_changed ? dae_subst_apply(subst, t) : t;
}
