/* The context of the room, and plain matrices of terms. */
#include "algebra/algebra-priv.h"

#include <math.h>
#include <string.h>

static G_NORETURN void
end_on_flint_abort(void)
{
  dae_internal_error(__FILE__, __LINE__, "FLINT gave up");
}

void
dae_algebra_init(void)
{
  static gsize once = 0;
  if (g_once_init_enter(&once)) {
    dae_algebra_guard_memory();
    flint_set_abort(end_on_flint_abort);
    g_once_init_leave(&once, 1);
  }
}

static void
free_factors(gpointer factors)
{
  if (factors != NULL) {
    g_array_unref(factors);
  }
}

DaeAlgebra *
dae_algebra_new(DaeTerms *terms, DaeBudget *budget)
{
  DAE_ASSERT(terms != NULL);
  dae_algebra_init();
  DaeAlgebra *algebra = g_new0(DaeAlgebra, 1);
  algebra->terms = terms;
  algebra->budget = budget;
  algebra->simplified = g_hash_table_new(NULL, NULL);
  algebra->nonlinear = g_hash_table_new(NULL, NULL);
  algebra->solved = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  algebra->open =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  algebra->expected = g_hash_table_new(NULL, NULL);
  algebra->fractions = g_hash_table_new(NULL, NULL);
  algebra->factors = g_hash_table_new_full(NULL, NULL, NULL, free_factors);
  algebra->normals = dae_normals_new();
  algebra->work_left = HUGE_VAL;
  nmod_init(&algebra->mod, DAE_MODULUS);
  dae_algebra_reserve(algebra);
  return algebra;
}

void
dae_algebra_free(DaeAlgebra *algebra)
{
  if (algebra == NULL) {
    return;
  }
  dae_normals_free(algebra->normals);
  g_hash_table_unref(algebra->simplified);
  g_hash_table_unref(algebra->nonlinear);
  g_hash_table_unref(algebra->solved);
  g_hash_table_unref(algebra->open);
  g_hash_table_unref(algebra->expected);
  if (algebra->routines != NULL) {
    g_hash_table_unref(algebra->routines);
  }
  g_hash_table_unref(algebra->fractions);
  g_hash_table_unref(algebra->factors);
  for (uint32_t i = 0; i < algebra->n_balls; i++) {
    arb_clear(algebra->ball + i);
  }
  g_free(algebra->ball);
  g_free(algebra->ball_state);
  g_free(algebra->stamps);
  g_free(algebra->slots);
  g_free(algebra->zero_memo);
  g_free(algebra->mod_state);
  g_free(algebra->mod_value);
  g_free(algebra);
  flint_cleanup();
}

void
dae_algebra_expect(DaeAlgebra *algebra, DaeTerm atom, double value)
{
  if (isfinite(value) && value != 0) {
    g_hash_table_insert(algebra->expected, GUINT_TO_POINTER(atom),
                        GUINT_TO_POINTER(dae_term_from_double(algebra->terms, value)));
  }
}

DaeTerms *
dae_algebra_terms(DaeAlgebra *algebra)
{
  return algebra->terms;
}

void
dae_algebra_set_budget(DaeAlgebra *algebra, DaeBudget *budget)
{
  algebra->budget = budget;
}

bool
dae_algebra_spent(DaeAlgebra *algebra)
{
  return dae_budget_spent(algebra->budget);
}

/* The rest of the outer allowance is kept aside by the caller: before -
 * used is put back at the end. */
double
dae_work_begin(DaeAlgebra *algebra, double allowance)
{
  double before = algebra->work_left;
  algebra->work_left = MIN(before, allowance);
  return before - algebra->work_left;
}

void
dae_work_end(DaeAlgebra *algebra, double before)
{
  algebra->work_left = MAX(0, algebra->work_left) + before;
}

bool
dae_work_spend(DaeAlgebra *algebra, double work)
{
  algebra->work_left -= work;
  return algebra->work_left >= 0 && !dae_algebra_spent(algebra);
}

#define LIMIT_REWRITTEN 300 /* nodes of a term that all rules are tried on */

DaeTerm
dae_algebra_rewrite(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = algebra->terms;
  uint64_t image = 0;
  if (dae_modular_value(algebra, t, &image) != DAE_MOD_IRRATIONAL) {
    return t;
  }
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, dae_ring_is_leaf);
  if (plan->n <= LIMIT_REWRITTEN) {
    return dae_terms_rewrite(terms, t);
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  bool changed = false;
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm node = plan->node[i];
    DaeTerm rewritten = dae_ring_is_leaf(terms, node) ? dae_terms_rewrite(terms, node) : node;
    if (rewritten != node) {
      dae_subst_set(subst, node, rewritten);
      changed = true;
    }
  }
  DaeTerm result = changed ? dae_subst_apply(subst, t) : t;
  return result == DAE_NO_TERM ? t : result;
}

static void *
grow(void *array, size_t size, uint32_t from, uint32_t to)
{
  char *grown = g_realloc_n(array, to, size);
  memset(grown + (size_t)from * size, 0, (size_t)(to - from) * size);
  return grown;
}

void
dae_algebra_reserve(DaeAlgebra *algebra)
{
  uint32_t count = dae_terms_count(algebra->terms) + 1;
  if (count <= algebra->capacity) {
    return;
  }
  uint32_t from = algebra->capacity;
  uint32_t to = MAX(count, from + from / 2);
  to = MAX(to, 1024);
  algebra->stamps = grow(algebra->stamps, sizeof(uint32_t), from, to);
  algebra->slots = grow(algebra->slots, sizeof(uint32_t), from, to);
  algebra->zero_memo = grow(algebra->zero_memo, sizeof(uint8_t), from, to);
  algebra->mod_state = grow(algebra->mod_state, sizeof(uint8_t), from, to);
  algebra->mod_value = grow(algebra->mod_value, sizeof(uint64_t), from, to);
  algebra->capacity = to;
}

DaeMatrix *
dae_matrix_new(DaeTerms *terms, uint32_t n_rows, uint32_t n_columns)
{
  gsize n = 0;
  DAE_ASSERT(g_size_checked_mul(&n, n_rows, n_columns));
  DaeMatrix *matrix = g_new0(DaeMatrix, 1);
  matrix->n_rows = n_rows;
  matrix->n_columns = n_columns;
  matrix->entries = g_new(DaeTerm, n + 1);
  DaeTerm zero = dae_term_int(terms, 0);
  for (gsize i = 0; i < n; i++) {
    matrix->entries[i] = zero;
  }
  return matrix;
}

void
dae_matrix_free(DaeMatrix *matrix)
{
  if (matrix != NULL) {
    g_free(matrix->entries);
    g_free(matrix);
  }
}
