/* The context of the room, and plain matrices of terms. */
#include "algebra/algebra-priv.h"

#include <string.h>

static G_NORETURN void
end_on_flint_abort(void)
{
  dae_internal_error(__FILE__, __LINE__, "FLINT gave up");
}

void
dae_algebra_init(void)
{
  flint_set_abort(end_on_flint_abort);
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
  g_hash_table_unref(algebra->simplified);
  g_hash_table_unref(algebra->nonlinear);
  g_free(algebra->stamps);
  g_free(algebra->slots);
  g_free(algebra->zero_memo);
  g_free(algebra->mod_state);
  g_free(algebra->mod_value);
  g_free(algebra);
  flint_cleanup();
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
