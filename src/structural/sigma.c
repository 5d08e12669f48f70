/* The signature matrix [Pryce01, section 2]: sigma(i,j) is the highest order of x_j
 * on which f_i really depends.
 *
 * A formal occurrence that cancels does not count: sums cancel when the residual is built,
 * everything else by the zero test of the partial derivative. Where the test cannot
 * decide, the occurrence counts (the Jacobian verdict then has the last word). Most
 * entries are decided by their form alone, so that Sigma of a model of 10^6 equations
 * costs little more than a walk over its terms. */
#include "base/base.h"
#include "structural/sig-priv.h"

typedef struct {
  DaeAlgebra *algebra;
  DaeTerms *terms;
  const DaeModel *model;
  GArray *row;                     /* DaeSigmaEntry: the row under construction */
  GArray *variables, *derivatives; /* scratch */
  uint32_t n_cancelled;
} Builder;

/* ---- derivatives that cannot be zero, by their form -------------------------------------- */

static bool
is_atom(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER || kind == DAE_KIND_TIME;
}

static bool
is_atom_power(const DaeTerms *terms, DaeTerm t)
{
  return is_atom(terms, t) || (dae_term_kind(terms, t) == DAE_KIND_POWER &&
                               is_atom(terms, dae_term_operand(terms, t, 0)) &&
                               dae_term_is_number(terms, dae_term_operand(terms, t, 1)));
}

/* A number (not 0) times powers of atoms. */
static bool
is_monomial(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_is_number(terms, t)) {
    return !dae_term_is_zero(terms, t);
  }
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return is_atom_power(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_term_is_number(terms, operands[k]) && !is_atom_power(terms, operands[k])) {
      return false;
    }
  }
  return true;
}

/* Different monomials in independent atoms cannot cancel; canonical sums have no equal ones. */
static bool
is_polynomial_form(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_SUM) {
    return is_monomial(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t k = 0; k < n; k++) {
    if (!is_monomial(terms, operands[k])) {
      return false;
    }
  }
  return true;
}

static bool
is_evidently_nonzero_factor(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_POWER) {
    return dae_term_is_number(terms, dae_term_operand(terms, t, 1)) &&
           is_polynomial_form(terms, dae_term_operand(terms, t, 0));
  }
  if (dae_term_kind(terms, t) == DAE_KIND_CALL && dae_term_function(terms, t) == DAE_FN_EXP) {
    return true;
  }
  return is_polynomial_form(terms, t);
}

static bool
is_evidently_nonzero(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return is_evidently_nonzero_factor(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t k = 0; k < n; k++) {
    if (!is_evidently_nonzero_factor(terms, operands[k])) {
      return false;
    }
  }
  return true;
}

static bool
is_real_occurrence(Builder *b, DaeTerm derivative)
{
  if (dae_term_is_number(b->terms, derivative)) {
    return !dae_term_is_zero(b->terms, derivative);
  }
  if (is_evidently_nonzero(b->terms, derivative)) {
    return true;
  }
  return dae_algebra_is_zero(b->algebra, derivative) != DAE_ZERO;
}

/* ---- rows -------------------------------------------------------------------------------- */

static void
add_to_row(Builder *b, DaeTerm variable, DaeTerm derivative)
{
  uint32_t column = 0;
  if (!dae_model_find_variable(b->model, dae_term_get_symbol(b->terms, variable), &column)) {
    return;
  }
  DaeSigmaEntry entry = {column, (int32_t)dae_term_order(b->terms, variable), derivative};
  g_array_append_val(b->row, entry);
}

/* A product of numbers, powers of parameters and exactly one variable to
 * the power 1: the rest of it. */
static bool
split_linear_operand(Builder *b, DaeTerm t, DaeTerm *variable, DaeTerm *rest)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(b->terms, t, &n);
  DaeTerm others[8] = {DAE_NO_TERM};
  uint32_t n_others = 0;
  *variable = DAE_NO_TERM;
  if (n > G_N_ELEMENTS(others)) {
    return false;
  }
  for (uint32_t k = 0; k < n; k++) {
    bool is_variable = dae_term_kind(b->terms, operands[k]) == DAE_KIND_VARIABLE;
    DaeTerm base = dae_term_kind(b->terms, operands[k]) == DAE_KIND_POWER
                       ? dae_term_operand(b->terms, operands[k], 0)
                       : operands[k];
    if (is_variable && *variable == DAE_NO_TERM) {
      *variable = operands[k];
    } else if (dae_term_is_number(b->terms, base) ||
               dae_term_kind(b->terms, base) == DAE_KIND_PARAMETER) {
      others[n_others++] = operands[k];
    } else {
      return false;
    }
  }
  *rest = n_others == 1 ? others[0] : dae_term_product(b->terms, others, n_others);
  return *variable != DAE_NO_TERM;
}

/* A side of an equation that is a sum of constant multiples of variables, as
 * in most equations of networks. */
static bool
read_linear_side(Builder *b, DaeTerm side, bool is_negative)
{
  bool is_sum = dae_term_kind(b->terms, side) == DAE_KIND_SUM;
  uint32_t n = 1;
  const DaeTerm *operands = is_sum ? dae_term_operands(b->terms, side, &n) : &side;
  DaeTerm one = dae_term_int(b->terms, 1);
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm variable = operands[k];
    DaeTerm rest = one;
    switch (dae_term_kind(b->terms, operands[k])) {
    case DAE_KIND_NUMBER:
    case DAE_KIND_TIME:
    case DAE_KIND_PARAMETER:
      continue;
    case DAE_KIND_VARIABLE:
      break;
    case DAE_KIND_PRODUCT:
      if (split_linear_operand(b, operands[k], &variable, &rest)) {
        break;
      }
      return false;
    case DAE_KIND_BOOLEAN:
    case DAE_KIND_POWER:
    case DAE_KIND_SUM:
    case DAE_KIND_CALL:
    case DAE_KIND_IF:
    case DAE_KIND_RELATION:
    case DAE_KIND_AND:
    case DAE_KIND_OR:
    case DAE_KIND_NOT:
      return false;
    }
    add_to_row(b, variable, is_negative ? dae_term_neg(b->terms, rest) : rest);
  }
  return true;
}

static gint
compare_entries(gconstpointer a, gconstpointer b)
{
  const DaeSigmaEntry *x = a;
  const DaeSigmaEntry *y = b;
  if (x->column != y->column) {
    return x->column < y->column ? -1 : 1;
  }
  return x->order > y->order ? -1 : x->order < y->order; /* highest order first */
}

static bool
has_repeated_atom(const GArray *row)
{
  for (guint k = 1; k < row->len; k++) {
    const DaeSigmaEntry *a = &g_array_index(row, DaeSigmaEntry, k - 1);
    const DaeSigmaEntry *c = &g_array_index(row, DaeSigmaEntry, k);
    if (a->column == c->column && a->order == c->order) {
      return true;
    }
  }
  return false;
}

/* A derivative beside a polynomial without derivatives: all that is written there occurs, and its
 * partial derivatives wait until somebody asks. */
static bool
read_solved_row(Builder *b, DaeTerm lhs, DaeTerm rhs)
{
  if (dae_term_kind(b->terms, lhs) != DAE_KIND_VARIABLE || dae_term_order(b->terms, lhs) == 0 ||
      dae_term_has_derivatives(b->terms, rhs) || dae_term_has_parameters(b->terms, rhs) ||
      !is_polynomial_form(b->terms, rhs)) {
    return false;
  }
  g_array_set_size(b->variables, 0);
  dae_term_collect_variables(b->terms, rhs, b->variables);
  add_to_row(b, lhs, dae_term_int(b->terms, 1));
  for (guint k = 0; k < b->variables->len; k++) {
    add_to_row(b, g_array_index(b->variables, DaeTerm, k), DAE_NO_TERM);
  }
  g_array_sort(b->row, compare_entries);
  return true;
}

/* Entries of the residual lhs - rhs. It is built only if it has to be: for 10^6 linear
 * equations that saves most of the time. Returns the residual or DAE_NO_TERM. */
static DaeTerm
read_row(Builder *b, DaeTerm lhs, DaeTerm rhs)
{
  g_array_set_size(b->row, 0);
  if (read_solved_row(b, lhs, rhs)) {
    return DAE_NO_TERM;
  }
  if (read_linear_side(b, lhs, false) && read_linear_side(b, rhs, true)) {
    g_array_sort(b->row, compare_entries);
    if (!has_repeated_atom(b->row)) {
      return DAE_NO_TERM;
    }
  }
  DaeTerm residual = dae_term_sub(b->terms, lhs, rhs);
  g_array_set_size(b->row, 0);
  g_array_set_size(b->variables, 0);
  g_array_set_size(b->derivatives, 0);
  dae_term_gradient(b->terms, residual, b->variables, b->derivatives);
  for (guint k = 0; k < b->variables->len; k++) {
    add_to_row(b, g_array_index(b->variables, DaeTerm, k),
               g_array_index(b->derivatives, DaeTerm, k));
  }
  g_array_sort(b->row, compare_entries);
  return residual;
}

/* Keeps the highest order of each variable that really occurs. */
static void
keep_highest_orders(Builder *b)
{
  guint n_kept = 0;
  for (guint k = 0; k < b->row->len; k++) {
    DaeSigmaEntry entry = g_array_index(b->row, DaeSigmaEntry, k);
    bool is_known =
        n_kept > 0 && g_array_index(b->row, DaeSigmaEntry, n_kept - 1).column == entry.column;
    if (is_known) {
      continue;
    }
    if (entry.derivative != DAE_NO_TERM && !is_real_occurrence(b, entry.derivative)) {
      b->n_cancelled++;
      continue;
    }
    g_array_index(b->row, DaeSigmaEntry, n_kept++) = entry;
  }
  g_array_set_size(b->row, n_kept);
}

static void
init_builder(Builder *b, DaeAlgebra *algebra, const DaeModel *model)
{
  *b = (Builder){.algebra = algebra, .terms = dae_algebra_terms(algebra), .model = model};
  b->row = g_array_new(FALSE, FALSE, sizeof(DaeSigmaEntry));
  b->variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  b->derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
}

static void
clear_builder(Builder *b)
{
  g_array_unref(b->row);
  g_array_unref(b->variables);
  g_array_unref(b->derivatives);
}

GArray *
dae_sigma_build_row(DaeAlgebra *algebra, const DaeModel *model, DaeTerm residual)
{
  Builder b;
  init_builder(&b, algebra, model);
  read_row(&b, residual, dae_term_int(b.terms, 0));
  keep_highest_orders(&b);
  GArray *row = g_array_ref(b.row);
  clear_builder(&b);
  return row;
}

void
dae_sigma_build(DaeAlgebra *algebra, const DaeModel *model, DaeSigma *sigma)
{
  Builder b;
  uint32_t n_rows = dae_model_n_equations(model);
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) orders = g_array_new(FALSE, FALSE, sizeof(int32_t));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init_builder(&b, algebra, model);
  sigma->csr = dae_csr_new(n_rows, dae_model_n_variables(model), 0, true);
  sigma->residual = g_new(DaeTerm, (size_t)n_rows + 1);
  for (uint32_t i = 0; i < n_rows; i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    sigma->residual[i] = read_row(&b, equation->lhs, equation->rhs);
    keep_highest_orders(&b);
    for (guint k = 0; k < b.row->len; k++) {
      const DaeSigmaEntry *entry = &g_array_index(b.row, DaeSigmaEntry, k);
      g_array_append_val(columns, entry->column);
      g_array_append_val(orders, entry->order);
      g_array_append_val(derivatives, entry->derivative);
    }
    sigma->csr->start[i + 1] = columns->len;
  }
  g_free(sigma->csr->column);
  g_free(sigma->csr->weight);
  sigma->csr->column = (uint32_t *)(void *)g_array_free(g_steal_pointer(&columns), FALSE);
  sigma->csr->weight = (int32_t *)(void *)g_array_free(g_steal_pointer(&orders), FALSE);
  sigma->derivative = (DaeTerm *)(void *)g_array_free(g_steal_pointer(&derivatives), FALSE);
  sigma->n_cancelled = b.n_cancelled;
  clear_builder(&b);
  DAE_ASSERT(dae_csr_check(sigma->csr));
}

DaeTerm
dae_sigma_residual(DaeSigma *sigma, DaeTerms *terms, const DaeModel *model, uint32_t i)
{
  if (sigma->residual[i] == DAE_NO_TERM) {
    const DaeEquation *equation = dae_model_equation(model, i);
    sigma->residual[i] = dae_term_sub(terms, equation->lhs, equation->rhs);
  }
  return sigma->residual[i];
}

DaeTerm
dae_sigma_derivative(DaeSigma *sigma, DaeTerms *terms, const DaeModel *model, uint32_t i,
                     size_t e)
{
  if (sigma->derivative[e] == DAE_NO_TERM) {
    const DaeVariable *variable = dae_model_variable(model, sigma->csr->column[e]);
    DaeTerm x = dae_term_variable(terms, variable->symbol, (uint32_t)sigma->csr->weight[e]);
    sigma->derivative[e] =
        dae_term_partial(terms, dae_sigma_residual(sigma, terms, model, i), x);
  }
  return sigma->derivative[e];
}

void
dae_sigma_clear(DaeSigma *sigma)
{
  g_clear_pointer(&sigma->csr, dae_csr_free);
  g_clear_pointer(&sigma->derivative, g_free);
  g_clear_pointer(&sigma->residual, g_free);
}
