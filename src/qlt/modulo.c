/* What holds where the constraints hold? Redundancy, contradiction, rank on the solution set.
 *
 * Definitions v = expression are substituted first (triangular, exact); what is left
 * of a candidate is tested for membership in the ideal of the remaining constraints
 * that share variables with it. */
#include <string.h>

#include "qlt/qlt-priv.h"

enum { MOST_RADICALS = 60 };

#define OPERATIONS_OF_A_NODE 300.0 /* what replacing in it costs, beside a product of doubles */

/* ---- definitions ------------------------------------------------------------------------- */

typedef struct {
  DaeTerm variable;
  DaeTerm value; /* free of all defined variables */
} Definition;

/* t = a*v + rest with a number or parameter a that is not zero and v not in the rest? The last
 * such v is taken: what is declared late is mostly an abbreviation. */
static bool
solve_as_definition(QltWork *work, DaeTerm t, DaeTerm *variable, DaeTerm *value)
{
  DaeTerms *terms = work->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t k = n; k-- > 0;) {
    DaeTerm v = operands[k];
    DaeTerm a = dae_term_int(terms, 1);
    if (dae_term_kind(terms, v) == DAE_KIND_PRODUCT) {
      uint32_t n_factors = 0;
      const DaeTerm *factors = dae_term_operands(terms, v, &n_factors);
      v = factors[n_factors - 1];
      a = dae_term_product(terms, factors, n_factors - 1);
    }
    if (dae_term_kind(terms, v) != DAE_KIND_VARIABLE || !dae_term_is_parametric(terms, a) ||
        qlt_is_zero(work, a) != DAE_NONZERO) {
      continue;
    }
    DaeTerm rest = dae_term_sub(terms, t, operands[k]);
    if (dae_term_contains(terms, rest, v)) {
      continue;
    }
    *variable = v;
    *value = dae_term_div(terms, dae_term_neg(terms, rest), a);
    return *value != DAE_NO_TERM;
  }
  return false;
}

/* t with the definitions put in; as it is where the work is over. */
static DaeTerm
reduce_by_definitions(QltWork *work, const GArray *definitions, DaeTerm t)
{
  if (!qlt_charge(work, 0)) {
    return t;
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(work->terms);
  for (uint32_t k = 0; k < definitions->len; k++) {
    const Definition *definition = &g_array_index(definitions, Definition, k);
    dae_subst_set(subst, definition->variable, definition->value);
  }
  DaeTerm reduced = dae_subst_apply(subst, t);
  reduced = reduced == DAE_NO_TERM ? t : qlt_rewrite(work, reduced);
  (void)qlt_charge(work, OPERATIONS_OF_A_NODE * (double)dae_term_size(work->terms, reduced));
  return reduced;
}

/* Definitions from the given constraints except number `except`; the others,
 * reduced, are appended to rest. */
static GArray *
split_constraints(QltWork *work, uint32_t except, GArray *rest)
{
  GArray *definitions = g_array_new(FALSE, FALSE, sizeof(Definition));
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    if (i == except) {
      continue;
    }
    Definition definition = {DAE_NO_TERM, DAE_NO_TERM};
    DaeTerm t = reduce_by_definitions(work, definitions, constraint->expression);
    if (!solve_as_definition(work, t, &definition.variable, &definition.value)) {
      g_array_append_val(rest, t);
      continue;
    }
    for (uint32_t k = 0; k < definitions->len; k++) {
      Definition *older = &g_array_index(definitions, Definition, k);
      DaeTerm replaced =
          dae_term_replace(work->terms, older->value, definition.variable, definition.value);
      (void)qlt_charge(work, replaced == older->value
                                 ? 1.0
                                 : OPERATIONS_OF_A_NODE *
                                       (double)dae_term_size(work->terms, older->value));
      older->value = replaced == DAE_NO_TERM ? older->value : replaced;
    }
    g_array_append_val(definitions, definition);
  }
  for (uint32_t k = 0; k < rest->len; k++) {
    DaeTerm *t = &g_array_index(rest, DaeTerm, k);
    *t = reduce_by_definitions(work, definitions, *t);
  }
  return definitions;
}

/* Constraints that can matter for t: those connected with it through shared variables. */
static GArray *
connected_part(QltWork *work, const GArray *rest, DaeTerm t)
{
  GArray *part = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) variables = g_hash_table_new(NULL, NULL);
  g_autofree bool *is_taken = g_new0(bool, rest->len + 1);
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, t, found);
  bool is_growing = true;
  while (is_growing) {
    for (uint32_t k = 0; k < found->len; k++) {
      g_hash_table_add(variables, GUINT_TO_POINTER(g_array_index(found, DaeTerm, k)));
    }
    is_growing = false;
    for (uint32_t i = 0; i < rest->len; i++) {
      if (is_taken[i]) {
        continue;
      }
      DaeTerm other = g_array_index(rest, DaeTerm, i);
      g_array_set_size(found, 0);
      dae_term_collect_variables(work->terms, other, found);
      for (uint32_t k = 0; k < found->len && !is_taken[i]; k++) {
        is_taken[i] = g_hash_table_contains(variables,
                                            GUINT_TO_POINTER(g_array_index(found, DaeTerm, k)));
      }
      if (is_taken[i]) {
        g_array_append_val(part, other);
        is_growing = true;
        break;
      }
    }
  }
  return part;
}

static bool
have_the_same_variables(QltWork *work, const GArray *variables, DaeTerm other)
{
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, other, found);
  return found->len == variables->len &&
         memcmp(found->data, variables->data, found->len * sizeof(DaeTerm)) == 0;
}

/* A quick look: multiples have the same variables, unless one is written with some that cancel
 * (then the ideal tells). */
static bool
is_multiple_of_one(QltWork *work, const GArray *part, DaeTerm t)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, t, variables);
  for (uint32_t k = 0; k < part->len; k++) {
    DaeTerm other = g_array_index(part, DaeTerm, k);
    if (have_the_same_variables(work, variables, other) &&
        qlt_normal_constraint(work, other) == qlt_normal_constraint(work, t)) {
      return true;
    }
  }
  return false;
}

typedef enum {
  FOR_CONSTANTS, /* only whether definitions make t a constant */
  FOR_ZERO,      /* and whether it is in the ideal */
  FOR_NONZERO,   /* or whether there is a common zero at which it is not zero */
  FOR_BOTH
} Effort;

/* Is t zero wherever all constraints but number `except` vanish? *reduced is what is left of
 * t. */
static DaeZero
zero_on_others(QltWork *work, DaeTerm t, uint32_t except, Effort effort, DaeTerm *reduced)
{
  g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) definitions = split_constraints(work, except, rest);
  *reduced = reduce_by_definitions(work, definitions, t);
  if (qlt_is_zero(work, *reduced) == DAE_ZERO) {
    return DAE_ZERO;
  }
  if (dae_term_is_parametric(work->terms, *reduced)) {
    return DAE_NONZERO;
  }
  if (effort == FOR_CONSTANTS) {
    return DAE_UNKNOWN;
  }
  g_autoptr(GArray) part = connected_part(work, rest, *reduced);
  if (part->len == 0) {
    return dae_algebra_is_zero(work->algebra, *reduced);
  }
  if (is_multiple_of_one(work, part, *reduced)) {
    return DAE_ZERO;
  }
  const DaeTerm *equations = (const DaeTerm *)(void *)part->data;
  if (effort == FOR_ZERO) {
    return dae_algebra_vanishes_modulo(work->algebra, *reduced, equations, part->len)
               ? DAE_ZERO
               : DAE_UNKNOWN;
  }
  if (effort == FOR_NONZERO) {
    return dae_algebra_is_nonzero_modulo(work->algebra, *reduced, equations, part->len)
               ? DAE_NONZERO
               : DAE_UNKNOWN;
  }
  return dae_algebra_is_zero_modulo(work->algebra, *reduced, equations, part->len);
}

DaeZero
qlt_zero_on_constraints(QltWork *work, DaeTerm t, uint32_t except, DaeTerm *reduced)
{
  return zero_on_others(work, t, except, FOR_BOTH, reduced);
}

DaeTerm
qlt_reduce_modulo_definitions(QltWork *work, DaeTerm t)
{
  g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) definitions = split_constraints(work, QLT_NONE, rest);
  return reduce_by_definitions(work, definitions, t);
}

bool
qlt_vanishes_on_constraints(QltWork *work, DaeTerm t)
{
  DaeTerm reduced = DAE_NO_TERM;
  g_autoptr(GArray) all = qlt_all_constraints(work);
  return qlt_numeric_zero_modulo(work, t, (const DaeTerm *)(void *)all->data, all->len) !=
             DAE_NONZERO &&
         zero_on_others(work, t, QLT_NONE, FOR_ZERO, &reduced) == DAE_ZERO;
}

/* ---- the whole set ----------------------------------------------------------------------- */

GArray *
qlt_all_constraints(const QltWork *work)
{
  GArray *terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    g_array_append_val(terms, constraint->expression);
  }
  return terms;
}

static bool
fail_if_contradictory(QltWork *work, GError **error)
{
  g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) definitions G_GNUC_UNUSED = split_constraints(work, QLT_NONE, rest);
  DaeTerm one = dae_term_int(work->terms, 1);
  if (rest->len == 0 ||
      dae_algebra_is_zero_modulo(work->algebra, one, (const DaeTerm *)(void *)rest->data,
                                 rest->len) != DAE_ZERO) {
    return true;
  }
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    qlt_origin_merge(from, ((QltConstraint *)g_ptr_array_index(work->constraints, i))->from);
  }
  return qlt_fail_contradiction(work, one, from, error);
}

static DaeZero
zero_numerically(QltWork *work, uint32_t i)
{
  const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  g_autoptr(GArray) others = qlt_all_constraints(work);
  g_array_remove_index(others, i);
  return qlt_numeric_zero_modulo(work, constraint->expression,
                                 (const DaeTerm *)(void *)others->data, others->len);
}

/* Constraint i is a constant other than 0 on the others: which of them does that need? Those
 * that can go are left out one by one; the rest and constraint i are named. */
static bool
fail_with_minimal_set(QltWork *work, uint32_t i, DaeTerm constant, GError **error)
{
  GPtrArray *all = work->constraints;
  const QltConstraint *constraint = g_ptr_array_index(all, i);
  g_autoptr(GArray) from = g_array_copy(constraint->from);
  g_autoptr(GPtrArray) needed = g_ptr_array_new();
  for (uint32_t k = 0; k < all->len; k++) {
    if (k != i) {
      g_ptr_array_add(needed, g_ptr_array_index(all, k));
    }
  }
  work->constraints = needed;
  for (uint32_t k = needed->len; k-- > 0;) {
    DaeTerm reduced = DAE_NO_TERM;
    void *removed = g_ptr_array_remove_index(needed, k);
    if (qlt_zero_on_constraints(work, constraint->expression, QLT_NONE, &reduced) !=
            DAE_NONZERO ||
        !dae_term_is_parametric(work->terms, reduced)) {
      g_ptr_array_insert(needed, (int)k, removed);
    }
  }
  work->constraints = all;
  for (uint32_t k = 0; k < needed->len; k++) {
    qlt_origin_merge(from, ((QltConstraint *)g_ptr_array_index(needed, k))->from);
  }
  return qlt_fail_contradiction(work, constant, from, error);
}

/* ---- closing equations of loops ----------------------------------------------------------- */

enum { MOST_FACTORS = 4 };

/* a + b for a - b. */
static DaeTerm
mirror(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  if (dae_term_kind(terms, t) != DAE_KIND_SUM || n != 2) {
    return DAE_NO_TERM;
  }
  return dae_term_sub(terms, operands[0], operands[1]);
}

static bool
share_an_equation(const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++) {
    for (guint k = 0; k < b->len; k++) {
      if (g_array_index(a, DaeQltOrigin, i).equation ==
          g_array_index(b, DaeQltOrigin, k).equation) {
        return true;
      }
    }
  }
  return false;
}

/* Constraint i, an equation that closes a loop or a derivative of one, need not be in the ideal
 * of the others: an angle given twice by sine and cosine leaves half a turn open, c - d with
 * c^2 = d^2. Then a multiple of it is, (c + d)*(c - d), and it is zero on every branch on which
 * the factor is not. (transfer none) DAE_NO_TERM: no such factor was found. */
static DaeTerm
find_factor(QltWork *work, uint32_t i)
{
  DaeTerms *terms = work->terms;
  const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  uint32_t n_tried = 0;
  for (uint32_t k = 0; k <= i && n_tried < MOST_FACTORS; k++) {
    const QltConstraint *other = g_ptr_array_index(work->constraints, i - k);
    DaeTerm factor = share_an_equation(other->from, constraint->from)
                         ? mirror(terms, other->expression)
                         : DAE_NO_TERM;
    DaeTerm reduced = DAE_NO_TERM;
    if (factor == DAE_NO_TERM || dae_term_is_parametric(terms, factor)) {
      continue;
    }
    n_tried++;
    DaeTerm multiple = dae_term_mul(terms, factor, constraint->expression);
    if (zero_on_others(work, multiple, i, FOR_ZERO, &reduced) == DAE_ZERO) {
      return factor;
    }
  }
  return DAE_NO_TERM;
}

/* It vanished at points on the others. */
static void
drop_on_branch(QltWork *work, uint32_t i)
{
  const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  DaeTerm factor = find_factor(work, i);
  g_autoptr(GString) why = g_string_new(NULL);
  if (factor == DAE_NO_TERM) {
    g_string_append(why,
                    "it vanishes at points on the other constraints (checked numerically)");
  } else {
    g_string_append(why, "it is zero wherever the other constraints are and ");
    dae_term_print_limited(work->terms, factor, why, 200);
    g_string_append(why, " is not");
  }
  qlt_drop_numerically(work, constraint->expression, constraint->from, why->str, factor);
}

static bool
fail_without_work(GError **error)
{
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                      "completing the system is too much work");
  return false;
}

/* Constraint i seems to depend on the others: drops it with a proof, or on numerical evidence,
 * or fails when it contradicts them. *is_dropped: it is gone. Where it is not zero at a point
 * on the others no ideal holds it, and a basis of that ideal is not worth its time; only as
 * much effort is then made as given. */
static bool
judge_one(QltWork *work, uint32_t i, Effort effort, bool *is_dropped, GError **error)
{
  QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  DaeTerm reduced = DAE_NO_TERM;
  DaeZero numeric = zero_numerically(work, i);
  DaeZero verdict = zero_on_others(work, constraint->expression, i,
                                   numeric == DAE_NONZERO ? effort : FOR_BOTH, &reduced);
  *is_dropped = false;
  if (!qlt_charge(work, 0)) {
    return fail_without_work(error);
  }
  if (verdict == DAE_NONZERO && dae_term_is_parametric(work->terms, reduced)) {
    return fail_with_minimal_set(work, i, reduced, error);
  }
  if (verdict == DAE_UNKNOWN && numeric == DAE_ZERO && qlt_find_equivalent(work, i)) {
    verdict = DAE_ZERO;
    constraint = g_ptr_array_index(work->constraints, i);
  }
  if (verdict == DAE_UNKNOWN) {
    constraint->is_numeric = effort != FOR_CONSTANTS || numeric != DAE_NONZERO;
    *is_dropped = numeric == DAE_ZERO;
    if (*is_dropped) {
      drop_on_branch(work, i);
    }
  } else if (verdict == DAE_ZERO) {
    *is_dropped = true;
    qlt_drop(work, constraint->expression, constraint->from,
             "it is zero wherever the other constraints are");
  }
  if (*is_dropped) {
    g_ptr_array_remove_index(work->constraints, i);
  }
  return true;
}

/* No point on all of them was found: one by one against those before it. */
static bool
judge_in_turn(QltWork *work, uint32_t first, GError **error)
{
  g_autoptr(GPtrArray) later = g_ptr_array_new();
  while (work->constraints->len > first) {
    g_ptr_array_insert(later, 0,
                       g_ptr_array_steal_index(work->constraints, work->constraints->len - 1));
  }
  bool is_ok = true;
  for (uint32_t k = 0; k < later->len; k++) {
    bool is_dropped = false;
    g_ptr_array_add(work->constraints, g_ptr_array_index(later, k));
    is_ok =
        is_ok && judge_one(work, work->constraints->len - 1, FOR_NONZERO, &is_dropped, error);
  }
  return is_ok && fail_if_contradictory(work, error);
}

/* One point on all constraints decides which of them are new; only those whose gradients depend
 * on the ones before need a proof. */
bool
qlt_judge_constraints(QltWork *work, uint32_t first, GError **error)
{
  uint32_t n = work->constraints->len;
  if (first >= n) {
    return true;
  }
  g_autoptr(GArray) terms = qlt_all_constraints(work);
  g_autofree bool *is_dependent = g_new0(bool, n);
  if (!qlt_numeric_dependents(work, (const DaeTerm *)(void *)terms->data, n, n, is_dependent)) {
    return judge_in_turn(work, first, error);
  }
  for (uint32_t i = n; i-- > first;) {
    bool is_dropped = false;
    if (is_dependent[i] && !judge_one(work, i, FOR_NONZERO, &is_dropped, error)) {
      return false;
    }
  }
  return true;
}

static void
label_as_numeric(const QltWork *work)
{
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    ((QltConstraint *)g_ptr_array_index(work->constraints, i))->is_numeric = true;
  }
}

/* The gradients of the constraints as rows of a scratch state, so that
 * matching and blocks serve again. */
static QltWork *
gradient_rows(QltWork *work)
{
  QltWork *scratch = qlt_work_new(work->algebra, work->model, NULL);
  for (uint32_t j = scratch->columns->len; j < work->columns->len; j++) {
    const QltColumn *column = qlt_column(work, j);
    qlt_add_column(scratch, column->symbol, column->meaning);
  }
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    DaeTerm total = dae_term_total(work->terms, constraint->expression);
    QltRow *row = qlt_extract_row(scratch, total, g_array_copy(constraint->from));
    row->is_auxiliary = true;
    qlt_store_row(scratch, row);
  }
  return scratch;
}

/* Full row rank of h_x, generically: each constraint is matched with an unknown of its own, and
 * the blocks of this square part are regular. */
static bool
is_rank_proved(QltWork *work)
{
  g_autoptr(QltWork) scratch = gradient_rows(work);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) reached = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < scratch->rows->len; i++) {
    if (!qlt_match_row(scratch, i, reached)) {
      return false;
    }
    g_array_append_val(rows, i);
  }
  qlt_order_blocks(scratch, rows, ends);
  uint32_t begin = 0;
  for (uint32_t b = 0; b < ends->len; b++) {
    uint32_t end = g_array_index(ends, uint32_t, b);
    if (!qlt_is_regular_block(scratch, &g_array_index(rows, uint32_t, begin), end - begin)) {
      return false;
    }
    begin = end;
  }
  return true;
}

/* Kept constraints need no proof one by one: the rank of all decides whether they are labelled
 * as numeric. */
bool
qlt_check_constraints(QltWork *work, GError **error)
{
  uint32_t n = work->constraints->len;
  g_autoptr(GArray) terms = qlt_all_constraints(work);
  g_autofree bool *is_involved = g_new0(bool, n + 1);
  bool is_full = true;
  if (n > 0 &&
      qlt_numeric_involved(work, (const DaeTerm *)(void *)terms->data, n, is_involved)) {
    for (uint32_t i = 0; i < n; i++) {
      is_full = is_full && !is_involved[i];
    }
  }
  if (!is_full) {
    /* a later constraint may imply an earlier one: x^2 = 1 before x = 1 */
    for (uint32_t i = n; i-- > 0;) {
      bool is_dropped = false;
      if (is_involved[i] && !judge_one(work, i, FOR_CONSTANTS, &is_dropped, error)) {
        return false;
      }
      is_full = is_full || is_dropped;
    }
  }
  if (!is_full) {
    dae_report_warning(work->reporter, "the constraints are dependent at the points that were "
                                       "tried, and it is not known which of them follow from "
                                       "the others");
  }
  if (!is_full || !is_rank_proved(work)) {
    label_as_numeric(work);
  }
  return true;
}

/* With the others, the parts of a radical say what constraint i says: they take its place. */
static bool
replace_by_parts(QltWork *work, uint32_t i, bool uses_others, const GArray *parts,
                 GError **error)
{
  QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  g_autoptr(GArray) from = g_array_copy(constraint->from);
  for (uint32_t k = 0; k < work->constraints->len && uses_others; k++) {
    const QltConstraint *other = g_ptr_array_index(work->constraints, k);
    qlt_origin_merge(from, other->from);
  }
  qlt_drop(work, constraint->expression, constraint->from,
           "its simple factors or squares say it all");
  g_ptr_array_remove_index(work->constraints, i);
  uint32_t n = work->constraints->len;
  for (uint32_t k = 0; k < parts->len; k++) {
    if (!qlt_add_constraint(work, g_array_index(parts, DaeTerm, k), g_array_copy(from),
                            error)) {
      return false;
    }
  }
  return qlt_judge_constraints(work, n, error);
}

bool
qlt_add_radicals(QltWork *work, bool *is_growing, GError **error)
{
  *is_growing = false;
  for (uint32_t i = 0; i < work->constraints->len && work->constraints->len <= MOST_RADICALS;
       i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    DaeTerm reduced = DAE_NO_TERM;
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    (void)zero_on_others(work, constraint->expression, i, FOR_CONSTANTS, &reduced);
    if (qlt_radical_parts(work, reduced, parts)) {
      *is_growing = true;
      return replace_by_parts(work, i, reduced != constraint->expression, parts, error);
    }
  }
  return true;
}
