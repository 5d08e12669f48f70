/* The quasi-linear transformation over the whole expression language
 * [HoegerSteinbrecher, section 4.3].
 *
 * The paper gives it for + and *, with the pair (coefficients, rest) built bottom-up. Here
 * it is two walks: the first finds the derivatives that do not occur linearly (in a
 * function, a power, a condition, or in a factor beside another factor with derivatives) and
 * identifies them; what is left is linear, so that its coefficients are its partial
 * derivatives and its rest is its value at zero. */
#include "qlt/qlt-priv.h"

#include <string.h>

typedef struct {
  QltWork *work;
  GHashTable *linear;    /* terms visited in a linear place */
  GHashTable *nonlinear; /* terms visited in a nonlinear place */
  GArray *stack;         /* DaeTerm, and whether its place is linear */
  GArray *identify;      /* columns (uint32_t) */
} Walk;

typedef struct {
  DaeTerm t;
  bool is_linear_place;
} Place;

static bool
is_derivative(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_VARIABLE && dae_term_order(terms, t) > 0;
}

/* The derivative that summand s is, or holds as one factor beside others without derivatives;
 * DAE_NO_TERM: neither. */
static DaeTerm
plain_derivative(DaeTerms *terms, DaeTerm s)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &s, &n);
  DaeTerm found = DAE_NO_TERM;
  for (uint32_t k = 0; k < n; k++) {
    if (dae_term_has_derivatives(terms, factors[k])) {
      if (found != DAE_NO_TERM || !is_derivative(terms, factors[k])) {
        return DAE_NO_TERM;
      }
      found = factors[k];
    }
  }
  return found;
}

static int
compare_symbols(const void *a, const void *b, void *terms)
{
  DaeSymbol x = dae_term_get_symbol(terms, *(const DaeTerm *)a);
  DaeSymbol y = dae_term_get_symbol(terms, *(const DaeTerm *)b);
  return (x > y) - (x < y);
}

#define MOST_PLAIN 16u /* derivatives of an equation that are told apart by looking at all */

const GArray *
qlt_plain_derivatives(QltWork *work, DaeTerm t)
{
  DaeTerms *terms = work->terms;
  GArray *derivatives = work->derivatives;
  g_array_set_size(derivatives, 0);
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_term_has_derivatives(terms, summands[i])) {
      continue;
    }
    DaeTerm atom = plain_derivative(terms, summands[i]);
    if (atom == DAE_NO_TERM || dae_term_order(terms, atom) > 1 ||
        derivatives->len == MOST_PLAIN) {
      return NULL;
    }
    bool is_new = true;
    for (uint32_t k = 0; k < derivatives->len && is_new; k++) {
      is_new = g_array_index(derivatives, DaeTerm, k) != atom;
    }
    if (is_new) {
      g_array_append_val(derivatives, atom);
    }
  }
  if (derivatives->len > 1) {
    g_array_sort_with_data(derivatives, compare_symbols, terms);
  }
  return derivatives;
}

static uint32_t
count_derivatives(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, variables);
  uint32_t count = 0;
  for (uint32_t k = 0; k < variables->len; k++) {
    count += is_derivative(terms, g_array_index(variables, DaeTerm, k)) ? 1 : 0;
  }
  return count;
}

static void
visit(Walk *walk, DaeTerm t, bool is_linear_place)
{
  GHashTable *seen = is_linear_place ? walk->linear : walk->nonlinear;
  if (!dae_term_has_derivatives(walk->work->terms, t) ||
      !g_hash_table_add(seen, GUINT_TO_POINTER(t))) {
    return;
  }
  Place place = {t, is_linear_place};
  g_array_append_val(walk->stack, place);
}

/* Of the factors with derivatives one stays linear, the others are identified: few identities
 * result when the one with most derivatives stays. A tie goes to the first, as in the paper
 * (der(u1)*der(u2) identifies u2). */
static void
visit_factors(Walk *walk, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(walk->work->terms, t, &n);
  uint32_t kept = QLT_NONE;
  uint32_t n_bearing = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (dae_term_has_derivatives(walk->work->terms, operands[k])) {
      n_bearing++;
      kept = kept == QLT_NONE ? k : kept;
    }
  }
  if (n_bearing > 1) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < n; k++) {
      uint32_t count = count_derivatives(walk->work->terms, operands[k]);
      if (count > most) {
        most = count;
        kept = k;
      }
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    visit(walk, operands[k], k == kept);
  }
}

static void
visit_operands(Walk *walk, DaeTerm t, bool is_linear_place)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(walk->work->terms, t, &n);
  for (uint32_t k = 0; k < n; k++) {
    visit(walk, operands[k], is_linear_place);
  }
}

static void
visit_place(Walk *walk, Place place)
{
  DaeTerms *terms = walk->work->terms;
  switch (dae_term_kind(terms, place.t)) {
  case DAE_KIND_VARIABLE:
    if (!place.is_linear_place) {
      uint32_t j = qlt_column_of(walk->work, dae_term_get_symbol(terms, place.t));
      g_array_append_val(walk->identify, j);
    }
    break;
  case DAE_KIND_SUM:
    visit_operands(walk, place.t, place.is_linear_place);
    break;
  case DAE_KIND_PRODUCT:
    if (place.is_linear_place) {
      visit_factors(walk, place.t);
    } else {
      visit_operands(walk, place.t, false);
    }
    break;
  /* if c then a*der(x) else b*der(x) has the coefficient if c then a else b */
  case DAE_KIND_IF:
    visit(walk, dae_term_operand(terms, place.t, 0), false);
    visit(walk, dae_term_operand(terms, place.t, 1), place.is_linear_place);
    visit(walk, dae_term_operand(terms, place.t, 2), place.is_linear_place);
    break;
  case DAE_KIND_POWER:
  case DAE_KIND_CALL:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    visit_operands(walk, place.t, false);
    break;
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
    break;
  }
}

static int
compare_columns(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Appends the columns whose derivatives occur nonlinearly in t, increasing, each once. */
static void
collect_nonlinear(QltWork *work, DaeTerm t, GArray *columns)
{
  if (qlt_plain_derivatives(work, t) != NULL) {
    return;
  }
  Walk walk = {
      .work = work,
      .linear = g_hash_table_new(NULL, NULL),
      .nonlinear = g_hash_table_new(NULL, NULL),
      .stack = g_array_new(FALSE, FALSE, sizeof(Place)),
      .identify = columns,
  };
  visit(&walk, t, true);
  while (walk.stack->len > 0) {
    Place place = g_array_index(walk.stack, Place, walk.stack->len - 1);
    g_array_set_size(walk.stack, walk.stack->len - 1);
    visit_place(&walk, place);
  }
  g_array_unref(walk.stack);
  g_hash_table_unref(walk.linear);
  g_hash_table_unref(walk.nonlinear);
  g_array_sort(columns, compare_columns);
}

void
qlt_make_linear(QltWork *work, DaeTerm t)
{
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  collect_nonlinear(work, qlt_apply_identities(work, t, NULL), columns);
  for (uint32_t k = 0; k < columns->len; k++) {
    (void)qlt_identify(work, g_array_index(columns, uint32_t, k));
  }
}

static bool
is_nonzero_atom(DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME ||
         (kind == DAE_KIND_NUMBER && !dae_term_is_zero(terms, t));
}

static bool
is_plainly_nonzero(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return is_nonzero_atom(terms, t);
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t k = 0; k < n; k++) {
    if (!is_nonzero_atom(terms, operands[k])) {
      return false;
    }
  }
  return true;
}

/* Other values of the parameters may change the answer: the caller of the reduction
 * asks again for each set of them. */
static void
note_decision(QltWork *work, DaeTerm t, bool is_zero)
{
  g_hash_table_insert(work->decided, GUINT_TO_POINTER(t), GUINT_TO_POINTER(is_zero ? 2 : 1));
}

DaeZero
qlt_is_zero(QltWork *work, DaeTerm t)
{
  if (is_plainly_nonzero(work->terms, t)) {
    return DAE_NONZERO;
  }
  if (dae_term_is_zero(work->terms, t)) {
    return DAE_ZERO;
  }
  DaeZero verdict = dae_algebra_is_zero(work->algebra, t);
  if (verdict == DAE_ZERO) {
    return DAE_ZERO;
  }
  /* A parameter that is set to 0 changes what the row is: eps*der(x) =
   * ... with eps = 0 is algebraic. */
  DaeTerm value = dae_subst_apply(work->values, t);
  if (value != DAE_NO_TERM && value != t &&
      dae_algebra_is_zero(work->algebra, value) == DAE_ZERO) {
    verdict = DAE_ZERO;
  }
  if (verdict != DAE_UNKNOWN && dae_term_has_parameters(work->terms, t)) {
    note_decision(work, t, verdict == DAE_ZERO);
  }
  return verdict;
}

static bool
has_minus_sign(DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_PRODUCT) {
    t = dae_term_operand(terms, t, 0);
  }
  return dae_term_is_number(terms, t) && dae_term_sign(terms, t) < 0;
}

void
qlt_tidy_row(QltWork *work, QltRow *row)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < row->n; k++) {
    if (qlt_is_zero(work, row->coefficients[k]) != DAE_ZERO) {
      row->columns[n] = row->columns[k];
      row->coefficients[n] = row->coefficients[k];
      n++;
    }
  }
  row->n = n;
}

void
qlt_turn_row(QltWork *work, QltRow *row)
{
  if (row->n > 0 && has_minus_sign(work->terms, row->coefficients[0])) {
    for (uint32_t k = 0; k < row->n; k++) {
      row->coefficients[k] = dae_term_neg(work->terms, row->coefficients[k]);
    }
    row->rhs = dae_term_neg(work->terms, row->rhs);
  }
}

typedef struct {
  uint32_t column;
  DaeTerm coefficient;
} Entry;

static int
compare_entries(const void *a, const void *b)
{
  const Entry *x = a;
  const Entry *y = b;
  return (x->column > y->column) - (x->column < y->column);
}

/* All partial derivatives in one sweep cost a multiple of the DAG; one by one is
 * cheaper for few derivatives. */
static void
collect_entries(QltWork *work, DaeTerm t, const GArray *derivatives, GArray *entries)
{
  DaeTerms *terms = work->terms;
  if (derivatives->len <= 3) {
    for (uint32_t k = 0; k < derivatives->len; k++) {
      DaeTerm x = g_array_index(derivatives, DaeTerm, k);
      Entry entry = {qlt_column_of(work, dae_term_get_symbol(terms, x)),
                     dae_term_partial(terms, t, x)};
      g_array_append_val(entries, entry);
    }
    return;
  }
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_gradient(terms, t, variables, partials);
  for (uint32_t k = 0; k < variables->len; k++) {
    DaeTerm x = g_array_index(variables, DaeTerm, k);
    if (is_derivative(terms, x)) {
      Entry entry = {qlt_column_of(work, dae_term_get_symbol(terms, x)),
                     g_array_index(partials, DaeTerm, k)};
      g_array_append_val(entries, entry);
    }
  }
}

/* What is left of a product of which one factor is taken. */
static DaeTerm
without_factor(DaeTerms *terms, DaeTerm s, DaeTerm factor)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &s, &n);
  g_autofree DaeTerm *others = g_new(DaeTerm, n);
  uint32_t n_others = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (factors[k] != factor) {
      others[n_others++] = factors[k];
    }
  }
  return dae_term_product(terms, others, n_others);
}

/* Entries and rest of a sum in which derivatives occur plainly: no walk, no substitution. */
static DaeTerm
take_apart(QltWork *work, DaeTerm t, const GArray *derivatives, GArray *entries)
{
  DaeTerms *terms = work->terms;
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  g_autofree DaeTerm *chosen = g_new(DaeTerm, n);
  uint32_t n_chosen = 0;
  for (uint32_t k = 0; k < derivatives->len; k++) {
    DaeTerm x = g_array_index(derivatives, DaeTerm, k);
    n_chosen = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (dae_term_has_derivatives(terms, summands[i]) &&
          plain_derivative(terms, summands[i]) == x) {
        chosen[n_chosen++] = without_factor(terms, summands[i], x);
      }
    }
    Entry entry = {qlt_column_of(work, dae_term_get_symbol(terms, x)),
                   dae_term_sum(terms, chosen, n_chosen)};
    g_array_append_val(entries, entry);
  }
  n_chosen = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_term_has_derivatives(terms, summands[i])) {
      chosen[n_chosen++] = summands[i];
    }
  }
  return dae_term_sum(terms, chosen, n_chosen);
}

/* The same for any t that is linear in its derivatives. */
static DaeTerm
take_apart_by_parts(QltWork *work, DaeTerm t, GArray *entries)
{
  DaeTerms *terms = work->terms;
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) at_zero = dae_subst_new(terms);
  DaeTerm zero = dae_term_int(terms, 0);
  dae_term_collect_variables(terms, t, variables);
  for (uint32_t k = 0; k < variables->len; k++) {
    DaeTerm x = g_array_index(variables, DaeTerm, k);
    if (is_derivative(terms, x)) {
      DAE_ASSERT(dae_term_order(terms, x) == 1);
      g_array_append_val(derivatives, x);
      dae_subst_set(at_zero, x, zero);
    }
  }
  collect_entries(work, t, derivatives, entries);
  return derivatives->len > 0 ? dae_subst_apply(at_zero, t) : t;
}

bool
qlt_is_solved(const DaeTerms *terms, const DaeEquation *equation)
{
  return dae_term_kind(terms, equation->lhs) == DAE_KIND_VARIABLE &&
         dae_term_order(terms, equation->lhs) == 1 &&
         !dae_term_has_derivatives(terms, equation->rhs);
}

QltRow *
qlt_solved_row(QltWork *work, const DaeEquation *equation, GArray *from)
{
  const uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, equation->lhs));
  if (j == QLT_NONE || qlt_column(work, j)->iota != QLT_NONE) {
    return NULL;
  }
  QltRow *row = qlt_row_new();
  row->n = 1;
  row->columns = g_new(uint32_t, 2);
  row->coefficients = g_new(DaeTerm, 2);
  row->columns[0] = j;
  row->coefficients[0] = dae_term_int(work->terms, 1);
  row->rhs = qlt_rewrite(work, equation->rhs);
  row->from = from;
  return row;
}

QltRow *
qlt_extract_row(QltWork *work, DaeTerm t, GArray *from)
{
  t = qlt_apply_identities(work, t, from);
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  const GArray *derivatives = qlt_plain_derivatives(work, t);
  DaeTerm rest = derivatives != NULL ? take_apart(work, t, derivatives, entries)
                                     : take_apart_by_parts(work, t, entries);
  DAE_ASSERT(rest != DAE_NO_TERM); /* a derivative in a denominator has been identified */
  g_array_sort(entries, compare_entries);
  QltRow *row = qlt_row_new();
  row->n = entries->len;
  row->columns = g_new(uint32_t, entries->len + 1);
  row->coefficients = g_new(DaeTerm, entries->len + 1);
  for (uint32_t k = 0; k < entries->len; k++) {
    Entry entry = g_array_index(entries, Entry, k);
    row->columns[k] = entry.column;
    row->coefficients[k] = qlt_rewrite(work, entry.coefficient);
  }
  row->rhs = qlt_rewrite(work, dae_term_neg(work->terms, rest));
  row->from = from;
  qlt_tidy_row(work, row);
  return row;
}
