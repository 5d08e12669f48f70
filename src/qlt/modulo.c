/* What holds where the constraints hold? Redundancy, contradiction, rank on the solution set.
 *
 * Definitions v = expression are substituted first (triangular, exact); what is left of a candidate is tested for membership in
 * the ideal of the remaining constraints that share variables with it. */
#include "qlt/qlt-priv.h"

/* Beyond so many constraints without definition the rank is not computed symbolically. */
#define MAX_PROVED_RANK 40u

/* ---- definitions ------------------------------------------------------------------------------- */

typedef struct {
  DaeTerm variable;
  DaeTerm value; /* free of all defined variables */
} Definition;

/* t = a*v + rest with a number or parameter a that is not zero and v not in the rest? The last such v is taken:
 * what is declared late is mostly an abbreviation. */
static bool
solve_as_definition(QltWork *work, DaeTerm t, DaeTerm *variable, DaeTerm *value)
{
  DaeTerms *terms = work->terms;
  uint32_t n = 1;
  const DaeTerm *operands = &t;
  if (dae_term_kind(terms, t) == DAE_KIND_SUM) {
    operands = dae_term_operands(terms, t, &n);
  }
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

/* Substitutes the definitions; what is left of the constraints without definitions goes to rest (DaeTerm). */
static DaeTerm
reduce_by_definitions(QltWork *work, const GArray *definitions, DaeTerm t)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(work->terms);
  for (uint32_t k = 0; k < definitions->len; k++) {
    const Definition *definition = &g_array_index(definitions, Definition, k);
    dae_subst_set(subst, definition->variable, definition->value);
  }
  DaeTerm reduced = dae_subst_apply(subst, t);
  return reduced == DAE_NO_TERM ? t : dae_terms_rewrite(work->terms, reduced);
}

/* Definitions from the given constraints except number `except`; the others, reduced, are appended to rest. */
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
is_multiple_of_one(QltWork *work, const GArray *part, DaeTerm t)
{
  DaeTerm normal = qlt_normal_constraint(work, t);
  for (uint32_t k = 0; k < part->len; k++) {
    if (qlt_normal_constraint(work, g_array_index(part, DaeTerm, k)) == normal) {
      return true;
    }
  }
  return false;
}

/* Is t zero wherever all constraints but number `except` vanish? *reduced is what is left of t. */
DaeZero
qlt_zero_on_constraints(QltWork *work, DaeTerm t, uint32_t except, DaeTerm *reduced)
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
  g_autoptr(GArray) part = connected_part(work, rest, *reduced);
  if (part->len == 0) {
    return dae_algebra_is_zero(work->algebra, *reduced);
  }
  if (is_multiple_of_one(work, part, *reduced)) {
    return DAE_ZERO;
  }
  return dae_algebra_is_zero_modulo(work->algebra, *reduced,
                                    (const DaeTerm *)(void *)part->data, part->len);
}

bool
qlt_vanishes_on_constraints(QltWork *work, DaeTerm t)
{
  DaeTerm reduced = DAE_NO_TERM;
  return qlt_zero_on_constraints(work, t, QLT_NONE, &reduced) == DAE_ZERO;
}

/* ---- the whole set ------------------------------------------------------------------------------------ */

static void
drop_if_implied(QltWork *work, uint32_t i)
{
  const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  DaeTerm reduced = DAE_NO_TERM;
  if (qlt_zero_on_constraints(work, constraint->expression, i, &reduced) == DAE_ZERO) {
    qlt_drop(work, constraint->expression, constraint->from,
             "it is zero wherever the other constraints are");
    g_ptr_array_remove_index(work->constraints, i);
  }
}

static GArray *
all_expressions(const QltWork *work)
{
  GArray *terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    g_array_append_val(terms, constraint->expression);
  }
  return terms;
}

static bool
fail_if_contradictory(QltWork *work, const GArray *terms, GError **error)
{
  DaeTerm one = dae_term_int(work->terms, 1);
  if (dae_algebra_is_zero_modulo(work->algebra, one, (const DaeTerm *)(void *)terms->data,
                                 terms->len) != DAE_ZERO) {
    return true;
  }
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    qlt_origin_merge(from, ((QltConstraint *)g_ptr_array_index(work->constraints, i))->from);
  }
  return qlt_fail_contradiction(work, one, from, error);
}

static void
label_as_numeric(const QltWork *work)
{
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    ((QltConstraint *)g_ptr_array_index(work->constraints, i))->is_numeric = true;
  }
}

/* Full row rank of h_x, generically: definitions are solved for different variables, so what counts is the Jacobian of the
 * rest after substitution. */
static bool
is_rank_proved(QltWork *work)
{
  g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) definitions = split_constraints(work, QLT_NONE, rest);
  uint32_t n = work->columns->len;
  if (rest->len == 0) {
    return true;
  }
  if (rest->len > MAX_PROVED_RANK) {
    return false;
  }
  g_autoptr(DaeMatrix) matrix = dae_matrix_new(work->terms, rest->len, n);
  for (uint32_t i = 0; i < rest->len; i++) {
    g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_gradient(work->terms, g_array_index(rest, DaeTerm, i), variables, partials);
    for (uint32_t k = 0; k < variables->len; k++) {
      DaeTerm x = g_array_index(variables, DaeTerm, k);
      uint32_t j = qlt_column_of(work, dae_term_get_symbol(work->terms, x));
      matrix->entries[(size_t)i * n + j] = g_array_index(partials, DaeTerm, k);
    }
  }
  bool is_certain = false;
  return dae_algebra_rank(work->algebra, matrix, &is_certain) == rest->len;
}

/* What the algebra could not drop but what vanishes at all points on the others, labelled. */
static void
drop_numerically(QltWork *work)
{
  for (uint32_t i = work->constraints->len; i-- > 0;) {
    g_autoptr(GArray) others = all_expressions(work);
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    g_array_remove_index(others, i);
    if (qlt_numeric_zero_modulo(work, constraint->expression,
                                (const DaeTerm *)(void *)others->data,
                                others->len) == DAE_ZERO) {
      qlt_drop(work, constraint->expression, constraint->from,
               "it vanishes at points on the other constraints (checked numerically)");
      g_ptr_array_remove_index(work->constraints, i);
    }
  }
}

static QltRank
numeric_rank(QltWork *work)
{
  g_autoptr(GArray) terms = all_expressions(work);
  uint32_t rank = 0;
  return qlt_numeric_row_rank(work, (const DaeTerm *)(void *)terms->data, terms->len, &rank);
}

bool
qlt_check_constraints(QltWork *work, GError **error)
{
  QltRank verdict = numeric_rank(work);
  if (verdict != QLT_RANK_FULL) {
    g_autoptr(GArray) terms = all_expressions(work);
    if (!fail_if_contradictory(work, terms, error)) {
      return false;
    }
    for (uint32_t i = work->constraints->len; i-- > 0;) {
      drop_if_implied(work, i);
    }
    verdict = numeric_rank(work);
  }
  if (verdict == QLT_RANK_DEFICIENT) {
    drop_numerically(work);
    verdict = numeric_rank(work);
  }
  if (verdict == QLT_RANK_DEFICIENT) {
    dae_report_warning(work->reporter, "the constraints are dependent at the points that were "
                                       "tried, and it is not known which of them follow from "
                                       "the others");
    label_as_numeric(work);
  } else if (!is_rank_proved(work)) {
    label_as_numeric(work);
  }
  return true;
}
