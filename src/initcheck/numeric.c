/* Floating point, to find points (numeric/numeric.h): where a nonlinear block may have a real
 * solution, and which rows determine which unknowns there. Nothing here decides: what is found
 * is enclosed in balls afterwards (settle.c), or stays open.
 *
 * Least squares with exact derivatives from the guesses and from points around them; dense, so
 * only for blocks of moderate size. */
#include <math.h>

#include "initcheck/initcheck-priv.h"
#include "numeric/numeric.h"

#define MAX_SIZE 60
#define MAX_ITERATIONS 80
#define N_STARTS 24
#define PIVOT_TOLERANCE 1e-8
#define NODES_OF_A_STEP 100.0 /* evaluated while the budget counts one */

struct IcSearch {
  IcSystem *sys;
  const GArray *unknowns; /* uint32_t */
  uint32_t m, n;
  DaeTerm *residual; /* m, parameters at their values */
  DaeTerm *jacobian; /* m * n, DAE_NO_TERM for 0 */
  double *x;
  double nodes;         /* of residuals and Jacobian */
  GHashTable *position; /* atom -> place + 1 */
  const double *at;
};

static bool
block_atom(void *user, DaeTerm atom, double *value)
{
  const IcSearch *block = user;
  gpointer place = g_hash_table_lookup(block->position, GUINT_TO_POINTER(atom));
  if (place == NULL) {
    return false;
  }
  *value = block->at[GPOINTER_TO_UINT(place) - 1];
  return true;
}

static bool
evaluate(IcSearch *block, DaeTerm t, const double *x, double *value)
{
  block->at = x;
  return dae_term_eval_double(block->sys->terms, t, block_atom, block, value) == DAE_EVAL_OK &&
         isfinite(*value);
}

static bool
residuals(void *user, const double *x, double *f)
{
  IcSearch *block = user;
  for (uint32_t i = 0; i < block->m; i++) {
    if (!evaluate(block, block->residual[i], x, &f[i])) {
      return false;
    }
  }
  return true;
}

static bool
jacobian_at(void *user, const double *x, double *j)
{
  IcSearch *block = user;
  for (size_t k = 0; k < (size_t)block->m * block->n; k++) {
    j[k] = 0.0;
    if (block->jacobian[k] != DAE_NO_TERM && !evaluate(block, block->jacobian[k], x, &j[k])) {
      return false;
    }
  }
  return true;
}

/* Largest residual, relative to the largest part of its row; INFINITY outside the domain. */
static double
relative_residual(IcSearch *block, const double *x)
{
  double worst = 0.0;
  DaeTerms *terms = block->sys->terms;
  for (uint32_t i = 0; i < block->m; i++) {
    double value = 0.0;
    double scale = 1e-300;
    uint32_t n = 0;
    const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &block->residual[i], &n);
    if (!evaluate(block, block->residual[i], x, &value)) {
      return INFINITY;
    }
    for (uint32_t k = 0; k < n; k++) {
      double part = 0.0;
      if (evaluate(block, parts[k], x, &part)) {
        scale = MAX(scale, fabs(part));
      }
    }
    worst = MAX(worst, fabs(value) / scale);
  }
  return worst;
}

static bool
budget_is_over(void *user)
{
  const IcSearch *block = user;
  dae_budget_charge(block->sys->budget, block->nodes / NODES_OF_A_STEP);
  return dae_budget_spent(block->sys->budget);
}

/* Least relative residual found from block->x; NAN: the budget ended, which says nothing. */
static double
minimize_from(IcSearch *block)
{
  const DaeDenseProblem problem = {.m = block->m,
                                   .n = block->n,
                                   .residual = residuals,
                                   .jacobian = jacobian_at,
                                   .is_over = budget_is_over,
                                   .user = block};
  switch (dae_numeric_minimize(&problem, MAX_ITERATIONS, block->x)) {
  case DAE_MINIMIZE_DOMAIN:
    return INFINITY;
  case DAE_MINIMIZE_STOPPED:
    return NAN;
  case DAE_MINIMIZE_DONE:
    break;
  }
  return relative_residual(block, block->x);
}

static double
nodes_of(DaeTerms *terms, const DaeTerm *list, size_t n)
{
  double nodes = 0.0;
  for (size_t k = 0; k < n; k++) {
    nodes += list[k] == DAE_NO_TERM ? 0.0 : (double)dae_term_size(terms, list[k]);
  }
  return nodes;
}

IcSearch *
ic_search_new(IcEngine *engine, const GArray *rows, const GArray *unknowns)
{
  IcSystem *sys = engine->sys;
  IcSearch *block = g_new(IcSearch, 1);
  *block = (IcSearch){.sys = sys, .unknowns = unknowns, .m = rows->len, .n = unknowns->len};
  size_t size = (size_t)block->m * block->n;
  block->residual = g_new0(DaeTerm, block->m + 1);
  block->jacobian = g_new0(DaeTerm, size + 1);
  block->x = g_new0(double, block->n + 1);
  block->position = g_hash_table_new(NULL, NULL);
  for (uint32_t k = 0; k < block->n; k++) {
    uint32_t z = g_array_index(unknowns, uint32_t, k);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    g_hash_table_insert(block->position, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(k + 1));
  }
  for (uint32_t i = 0; i < block->m; i++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(rows, uint32_t, i));
    DaeTerm t = ic_form_term(sys, &row->form);
    DaeTerm here = ic_at_values(sys, t);
    block->residual[i] = here == DAE_NO_TERM ? t : here;
    g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(sys->terms, block->residual[i], inside);
    dae_term_collect_parameters(sys->terms, block->residual[i], inside);
    for (guint k = 0; k < inside->len; k++) {
      DaeTerm atom = g_array_index(inside, DaeTerm, k);
      gpointer place = g_hash_table_lookup(block->position, GUINT_TO_POINTER(atom));
      if (place != NULL) {
        block->jacobian[i * block->n + GPOINTER_TO_UINT(place) - 1] =
            dae_term_partial(sys->terms, block->residual[i], atom);
      }
    }
  }
  block->nodes = nodes_of(sys->terms, block->residual, block->m) +
                 nodes_of(sys->terms, block->jacobian, size);
  return block;
}

void
ic_search_free(IcSearch *block)
{
  if (block == NULL) {
    return;
  }
  g_free(block->residual);
  g_free(block->jacobian);
  g_free(block->x);
  g_hash_table_unref(block->position);
  g_free(block);
}

/* Start k: the guesses, then points around them, wider and wider. */
static void
set_start(IcSearch *block, int k)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(20240817u + (guint32)k);
  double width = k == 0 ? 0.0 : pow(10.0, (double)(k % 6) / 2.0 - 1.0);
  for (uint32_t i = 0; i < block->n; i++) {
    double guess = ic_guess(block->sys, g_array_index(block->unknowns, uint32_t, i));
    double shift = g_rand_double_range(random, -1.0, 1.0);
    block->x[i] = guess + width * shift * MAX(1.0, fabs(guess) * 0.3);
  }
}

uint32_t
ic_search_n_starts(const IcSearch *search)
{
  bool is_small = search->n <= MAX_SIZE && search->m <= MAX_SIZE;
  return search->n <= 6 ? N_STARTS : is_small ? 2 : 1;
}

double
ic_search_from(IcSearch *search, uint32_t start, double *x)
{
  set_start(search, (int)start);
  bool is_small = search->n <= MAX_SIZE && search->m <= MAX_SIZE;
  double found = is_small ? minimize_from(search) : relative_residual(search, search->x);
  memcpy(x, search->x, sizeof(double) * search->n);
  return found;
}

DaeTerm
ic_search_residual(const IcSearch *search, uint32_t i)
{
  return search->residual[i];
}

uint32_t
ic_search_basis(IcSearch *search, const double *x, uint32_t *column)
{
  g_autofree double *j = g_new0(double, (size_t)search->m * search->n + 1);
  return jacobian_at(search, x, j)
             ? dae_numeric_echelon(j, search->m, search->n, search->n, PIVOT_TOLERANCE, column)
             : 0;
}
