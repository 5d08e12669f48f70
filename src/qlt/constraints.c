/* Constraints: normal form, redundancy, contradiction.
 *
 * In an over-determined model each candidate is tested against what is there: definitions v = expression are
 * substituted first (triangular, exact), the rest is membership in the ideal of the remaining constraints. A proof drops the
 * candidate; where the algebra does not know, points on the constraints decide and the result is labelled. */
#include "qlt/qlt-priv.h"

#include <string.h>

/* Beyond this many nodes a constraint is left as elimination made it: expanding it would help nobody. */
#define MAX_NORMAL_SIZE 3000u

char *
qlt_describe_origins(const GArray *from)
{
  GString *text = g_string_new(from->len == 1 ? "equation" : "equations");
  for (uint32_t k = 0; k < from->len; k++) {
    DaeQltOrigin origin = g_array_index(from, DaeQltOrigin, k);
    const char *separator = k == 0 ? " " : k + 1 == from->len ? " and " : ", ";
    g_string_append_printf(text, "%s%u", separator, origin.equation);
    if (origin.order == 1) {
      g_string_append(text, " (differentiated)");
    } else if (origin.order > 1) {
      g_string_append_printf(text, " (differentiated %d times)", origin.order);
    }
  }
  return g_string_free(text, FALSE);
}

/* ---- normal form ------------------------------------------------------------------------------- */

/* Greatest common divisor of integer coefficients of a sum; 1 if one is no integer. */
static int64_t
integer_content(DaeTerms *terms, DaeTerm sum)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, sum, &n);
  int64_t content = 0;
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm number = operands[k];
    int64_t value = 1;
    if (dae_term_kind(terms, number) == DAE_KIND_PRODUCT) {
      number = dae_term_operand(terms, number, 0);
    }
    if (dae_term_is_number(terms, number) && !dae_term_get_int64(terms, number, &value)) {
      return 1;
    }
    value = value == INT64_MIN ? 1 : value < 0 ? -value : value;
    while (value != 0) {
      int64_t rest = content % value;
      content = value;
      value = rest;
    }
  }
  return content == 0 ? 1 : content;
}

/* Factors without variables that are not zero say nothing. */
static DaeTerm
drop_constant_factors(QltWork *work, DaeTerm t)
{
  DaeTerms *terms = work->terms;
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return t;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  g_autofree DaeTerm *kept = g_new(DaeTerm, n);
  uint32_t n_kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_term_is_parametric(terms, operands[k]) ||
        qlt_is_zero(work, operands[k]) != DAE_NONZERO) {
      kept[n_kept++] = operands[k];
    }
  }
  return n_kept == n || n_kept == 0 ? t : dae_term_product(terms, kept, n_kept);
}

static bool
prints_with_minus(DaeTerms *terms, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(terms, t);
  return text[0] == '-';
}

static DaeTerm
without_content(QltWork *work, DaeTerm t)
{
  t = drop_constant_factors(work, t);
  if (dae_term_kind(work->terms, t) == DAE_KIND_SUM) {
    int64_t content = integer_content(work->terms, t);
    if (content > 1) {
      t = dae_term_mul(work->terms, t, dae_term_ratio(work->terms, 1, content));
    }
  }
  return prints_with_minus(work->terms, t) ? dae_term_neg(work->terms, t) : t;
}

DaeTerm
qlt_normal_constraint(QltWork *work, DaeTerm t)
{
  t = dae_terms_rewrite(work->terms, t);
  size_t size = dae_term_size(work->terms, t);
  if (size > MAX_NORMAL_SIZE) {
    return prints_with_minus(work->terms, t) ? dae_term_neg(work->terms, t) : t;
  }
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  if (dae_algebra_fraction(work->algebra, t, &numerator, &denominator)) {
    DaeTerm shorter = dae_algebra_simplify(work->algebra, numerator);
    /* an expanded form much longer than what elimination gave is no gain */
    if (dae_term_size(work->terms, shorter) <= 3 * size + 16) {
      t = shorter;
    }
  }
  return without_content(work, t);
}

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
static DaeZero
zero_on_constraints(QltWork *work, DaeTerm t, uint32_t except, DaeTerm *reduced)
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
  return zero_on_constraints(work, t, QLT_NONE, &reduced) == DAE_ZERO;
}

/* ---- candidates ------------------------------------------------------------------------------------ */

static bool
fail_contradiction(QltWork *work, DaeTerm t, const GArray *from, GError **error)
{
  g_autofree char *origins = qlt_describe_origins(from);
  g_autofree char *text = dae_term_to_string(work->terms, t);
  g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
              "the equations contradict each other: %s would need 0 = %s", origins, text);
  return false;
}

/* A candidate without variables: redundant if zero, otherwise a contradiction (unless undecided). */
static bool
settle_constant(QltWork *work, DaeTerm t, const GArray *from, GError **error)
{
  switch (qlt_is_zero(work, t)) {
  case DAE_ZERO:
    qlt_drop(work, t, from, "the combination is identically zero");
    return true;
  case DAE_NONZERO:
    return fail_contradiction(work, t, from, error);
  case DAE_UNKNOWN:
    break;
  }
  g_autofree char *text = dae_term_to_string(work->terms, t);
  g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED, "could not decide whether %s is zero",
              text);
  return false;
}

static bool
has_time_or_variable(QltWork *work, DaeTerm t)
{
  return !dae_term_is_parametric(work->terms, t);
}

static void
store_constraint(QltWork *work, DaeTerm t, const GArray *from, bool is_numeric)
{
  QltConstraint *constraint = g_new0(QltConstraint, 1);
  constraint->expression = t;
  constraint->from = g_array_copy((GArray *)from);
  constraint->level = qlt_origin_level(from);
  constraint->is_hidden = constraint->level > 0 || from->len > 1;
  constraint->is_numeric = is_numeric;
  g_ptr_array_add(work->constraints, constraint);
}

/* Over-determined models: is the candidate new? */
static bool
add_checked(QltWork *work, DaeTerm t, const GArray *from, GError **error)
{
  DaeTerm reduced = DAE_NO_TERM;
  DaeZero verdict = zero_on_constraints(work, t, QLT_NONE, &reduced);
  if (verdict == DAE_NONZERO && !has_time_or_variable(work, reduced)) {
    return settle_constant(work, reduced, from, error);
  }
  bool is_numeric = false;
  const char *proof = "it is zero wherever the constraints listed before it are";
  if (verdict == DAE_UNKNOWN) {
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    for (uint32_t i = 0; i < work->constraints->len; i++) {
      const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
      g_array_append_val(others, constraint->expression);
    }
    verdict =
        qlt_numeric_zero_modulo(work, t, (const DaeTerm *)(void *)others->data, others->len);
    proof = "it vanishes at points on the constraints listed before it (checked numerically)";
    is_numeric = true;
  }
  if (verdict == DAE_ZERO) {
    qlt_drop(work, t, from, proof);
  } else {
    store_constraint(work, t, from, is_numeric);
  }
  return true;
}

bool
qlt_add_constraint(QltWork *work, DaeTerm t, GArray *from, GError **error)
{
  g_autoptr(GArray) owned = from;
  bool is_as_written = from->len == 1 && g_array_index(from, DaeQltOrigin, 0).order == 0;
  DaeTerm normal = is_as_written ? without_content(work, dae_terms_rewrite(work->terms, t))
                                 : qlt_normal_constraint(work, t);
  if (!has_time_or_variable(work, normal)) {
    return settle_constant(work, normal, from, error);
  }
  if (!is_as_written && dae_algebra_is_zero(work->algebra, normal) == DAE_ZERO) {
    qlt_drop(work, normal, from, "the combination is identically zero");
    return true;
  }
  if (work->is_checked) {
    return add_checked(work, normal, from, error);
  }
  store_constraint(work, normal, from, false);
  return true;
}

/* ---- the whole set ------------------------------------------------------------------------------------ */

static void
drop_if_implied(QltWork *work, uint32_t i)
{
  const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  DaeTerm reduced = DAE_NO_TERM;
  if (zero_on_constraints(work, constraint->expression, i, &reduced) == DAE_ZERO) {
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
  return fail_contradiction(work, one, from, error);
}

bool
qlt_check_constraints(QltWork *work, GError **error)
{
  g_autoptr(GArray) terms = all_expressions(work);
  uint32_t rank = 0;
  QltRank verdict =
      qlt_numeric_row_rank(work, (const DaeTerm *)(void *)terms->data, terms->len, &rank);
  if (verdict == QLT_RANK_FULL) {
    return true;
  }
  for (uint32_t i = work->constraints->len; i-- > 0;) {
    drop_if_implied(work, i);
  }
  if (!fail_if_contradictory(work, terms, error)) {
    return false;
  }
  if (verdict == QLT_RANK_NO_POINT) {
    dae_report_warning(work->reporter, "no consistent point was found to check the rank of the "
                                       "constraints numerically");
    for (uint32_t i = 0; i < work->constraints->len; i++) {
      ((QltConstraint *)g_ptr_array_index(work->constraints, i))->is_numeric = true;
    }
  }
  return true;
}
