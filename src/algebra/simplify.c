/* Normal forms written back as terms: fractions, factors, and the shortest of the forms we know. */
#include "algebra/algebra-priv.h"

#define LIMIT_SIMPLIFY 20000 /* nodes of a term that is worth looking at */
#define LIMIT_FACTOR_LENGTH 100
#define LIMIT_FACTOR_KERNELS 40

static bool
compute_fraction(DaeAlgebra *algebra, DaeTerm t, DaeTerm *numerator, DaeTerm *denominator)
{
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, dae_algebra_rewrite(algebra, t));
  if (normal == NULL || !dae_normal_convert(normal, DAE_WORK_NORMAL)) {
    return false;
  }
  *numerator = dae_ring_poly_term(normal->ring, fmpz_mpoly_q_numref(normal->value));
  *denominator = dae_ring_poly_term(normal->ring, fmpz_mpoly_q_denref(normal->value));
  return true;
}

bool
dae_algebra_fraction(DaeAlgebra *algebra, DaeTerm t, DaeTerm *numerator, DaeTerm *denominator)
{
  gpointer known = NULL;
  if (g_hash_table_lookup_extended(algebra->fractions, GUINT_TO_POINTER(t), NULL, &known)) {
    *numerator = (DaeTerm)(GPOINTER_TO_SIZE(known) >> 32);
    *denominator = (DaeTerm)(GPOINTER_TO_SIZE(known) & UINT32_MAX);
    return known != NULL;
  }
  bool ok = compute_fraction(algebra, t, numerator, denominator);
  if (ok || !dae_algebra_spent(algebra)) {
    gsize word = ok ? (gsize)*numerator << 32 | *denominator : 0;
    g_hash_table_insert(algebra->fractions, GUINT_TO_POINTER(t), GSIZE_TO_POINTER(word));
  }
  return ok;
}

static bool
contains_atom(DaeAlgebra *algebra, DaeTerm t)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_is_atom(algebra->terms, plan->node[i])) {
      return true;
    }
  }
  return false;
}

static gint
compare_terms(gconstpointer a, gconstpointer b, gpointer user)
{
  return dae_term_compare(user, *(const DaeTerm *)a, *(const DaeTerm *)b);
}

static bool
compute_factors(DaeAlgebra *algebra, DaeTerm t, GArray *factors)
{
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, dae_algebra_rewrite(algebra, t));
  if (normal == NULL || !dae_normal_convert(normal, DAE_WORK_NORMAL)) {
    return false;
  }
  const DaeRing *ring = normal->ring;
  fmpz_mpoly_factor_t f;
  bool is_zero = fmpz_mpoly_q_is_zero(normal->value, ring->ctx);
  double before = dae_work_begin(algebra, DAE_WORK_NORMAL);
  bool ok = is_zero || dae_ring_factor(ring, f, fmpz_mpoly_q_numref(normal->value));
  dae_work_end(algebra, before);
  if (ok && !is_zero) {
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    for (slong i = 0; i < f->num; i++) {
      DaeTerm factor = dae_ring_poly_term(ring, f->poly + i);
      if (contains_atom(algebra, factor)) {
        g_array_append_val(found, factor);
      }
    }
    g_array_sort_with_data(found, compare_terms, algebra->terms);
    g_array_append_vals(factors, found->data, found->len);
    fmpz_mpoly_factor_clear(f, ring->ctx);
  }
  return ok;
}

bool
dae_algebra_factor(DaeAlgebra *algebra, DaeTerm t, GArray *factors)
{
  gpointer known = NULL;
  if (!g_hash_table_lookup_extended(algebra->factors, GUINT_TO_POINTER(t), NULL, &known)) {
    GArray *list = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    bool ok = compute_factors(algebra, t, list);
    if (!ok) {
      g_array_unref(list);
      list = NULL;
    }
    if (!ok && dae_algebra_spent(algebra)) {
      return false;
    }
    g_hash_table_insert(algebra->factors, GUINT_TO_POINTER(t), list);
    known = list;
  }
  const GArray *list = known;
  if (list == NULL) {
    return false;
  }
  g_array_append_vals(factors, list->data, list->len);
  return true;
}

/* ---- simplification ---------------------------------------------------------------------- */

/* Size as a person sees it: nodes of the tree, not of the DAG; numbers and
 * signs count little. Saturates. */
static double
weight_of_tree(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  g_autofree double *weight = g_new0(double, plan->n + 1);
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm node = plan->node[i];
    bool is_number = dae_term_is_number(terms, node);
    weight[i] = is_number ? 0.6 : 1;
    if (is_number && !dae_number_is_small(terms, node, 1000000, &(int64_t){0}, &(int64_t){0})) {
      weight[i] = 2;
    }
    for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
      weight[i] += weight[plan->operand[k]];
    }
    weight[i] = MIN(weight[i], 1e100);
  }
  return weight[plan->root[0]];
}

static DaeTerm
factored_poly_term(const DaeRing *ring, const fmpz_mpoly_t p)
{
  DaeTerms *terms = ring->algebra->terms;
  fmpz_mpoly_factor_t f;
  if (fmpz_mpoly_length(p, ring->ctx) > LIMIT_FACTOR_LENGTH || ring->n > LIMIT_FACTOR_KERNELS ||
      !dae_ring_factor(ring, f, p)) {
    return dae_ring_poly_term(ring, p);
  }
  g_autofree DaeTerm *factor = g_new(DaeTerm, f->num + 1);
  size_t n = 0;
  factor[n++] = dae_number_from_fmpz(terms, f->constant);
  for (slong i = 0; i < f->num; i++) {
    factor[n++] =
        dae_term_pow_int(terms, dae_ring_poly_term(ring, f->poly + i), fmpz_get_si(f->exp + i));
  }
  fmpz_mpoly_factor_clear(f, ring->ctx);
  return dae_term_product(terms, factor, n);
}

/* The lightest; ties go to the earliest. */
static DaeTerm
lightest(DaeAlgebra *algebra, const DaeTerm *candidates, size_t n)
{
  DaeTerm best = candidates[0];
  double best_weight = weight_of_tree(algebra, best);
  for (size_t i = 1; i < n; i++) {
    if (candidates[i] == DAE_NO_TERM || candidates[i] == best) {
      continue;
    }
    double weight = weight_of_tree(algebra, candidates[i]);
    if (weight < best_weight) {
      best = candidates[i];
      best_weight = weight;
    }
  }
  return best;
}

/* Kernels are taken as they are. */
static DaeTerm
simplify_over_kernels(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
  DaeKind kind = dae_term_kind(terms, t);
  if (kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT && kind != DAE_KIND_POWER) {
    return t;
  }
  gpointer known = g_hash_table_lookup(algebra->simplified, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known);
  }
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, t);
  if (normal == NULL || !dae_normal_convert(normal, DAE_WORK_SIMPLIFY)) {
    return t;
  }
  const DaeRing *ring = normal->ring;
  DaeTerm p = dae_ring_poly_term(ring, fmpz_mpoly_q_numref(normal->value));
  DaeTerm q = dae_ring_poly_term(ring, fmpz_mpoly_q_denref(normal->value));
  DaeTerm pf = factored_poly_term(ring, fmpz_mpoly_q_numref(normal->value));
  DaeTerm qf = factored_poly_term(ring, fmpz_mpoly_q_denref(normal->value));
  DaeTerm candidates[5] = {t, dae_term_div(terms, p, q), dae_term_div(terms, pf, q),
                           dae_term_div(terms, p, qf), dae_term_div(terms, pf, qf)};
  DaeTerm best = lightest(algebra, candidates, G_N_ELEMENTS(candidates));
  g_hash_table_insert(algebra->simplified, GUINT_TO_POINTER(t), GUINT_TO_POINTER(best));
  return best;
}

static DaeTerm
rebuild(DaeTerms *terms, DaeTerm t, const DaeTerm *operands, size_t n)
{
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_SUM:
    return dae_term_sum(terms, operands, n);
  case DAE_KIND_PRODUCT:
    return dae_term_product(terms, operands, n);
  case DAE_KIND_POWER:
    return dae_term_pow(terms, operands[0], operands[1]);
  case DAE_KIND_CALL:
    return dae_term_call(terms, dae_term_function(terms, t), operands, n);
  case DAE_KIND_IF:
    return dae_term_if(terms, operands[0], operands[1], operands[2]);
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  return t;
}

/* Bottom-up: the arguments of each kernel are simplified before the kernel is used.
 * Conditions stay as they are. */
static DaeTerm
simplify_nested(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  if (plan->n > LIMIT_SIMPLIFY) {
    return t;
  }
  g_autofree DaeTerm *value = g_new(DaeTerm, plan->n + 1);
  g_autoptr(GArray) operands = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm node = plan->node[i];
    bool is_kernel = dae_ring_is_leaf(terms, node);
    bool changed = false;
    g_array_set_size(operands, 0);
    for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
      DaeTerm operand = value[plan->operand[k]];
      operand = is_kernel ? simplify_over_kernels(algebra, operand) : operand;
      changed = changed || operand != plan->node[plan->operand[k]];
      g_array_append_val(operands, operand);
    }
    value[i] =
        changed ? rebuild(terms, node, (DaeTerm *)(void *)operands->data, operands->len) : node;
    if (value[i] == DAE_NO_TERM || dae_algebra_spent(algebra)) {
      return t;
    }
  }
  return simplify_over_kernels(algebra, value[plan->root[0]]);
}

DaeTerm
dae_algebra_simplify(DaeAlgebra *algebra, DaeTerm t)
{
  if (dae_algebra_is_zero(algebra, t) == DAE_ZERO) {
    return dae_term_int(algebra->terms, 0);
  }
  double before = dae_work_begin(algebra, DAE_WORK_SIMPLIFY);
  DaeTerm rewritten = dae_algebra_rewrite(algebra, t);
  DaeTerm candidates[3] = {t, rewritten, simplify_nested(algebra, rewritten)};
  dae_work_end(algebra, before);
  return lightest(algebra, candidates, G_N_ELEMENTS(candidates));
}
