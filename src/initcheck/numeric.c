/* Floating point, to find points: where a nonlinear block may have a real solution, and which rows determine which unknowns
 * there. Nothing here decides: what is found is enclosed in balls afterwards (settle.c), or stays open.
 *
 * Levenberg-Marquardt with exact derivatives from the guesses and from points around them; dense, so only for blocks of
 * moderate size. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

#define MAX_SIZE 60
#define MAX_ITERATIONS 80
#define N_STARTS 24

struct IcSearch {
  IcSystem *sys;
  const GArray *unknowns; /* uint32_t */
  uint32_t m, n;
  DaeTerm *residual; /* m, parameters at their values */
  DaeTerm *jacobian; /* m * n, DAE_NO_TERM for 0 */
  double *x, *trial, *f, *g, *step;
  double *j, *a;        /* m * n, n * n */
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

/* Residuals relative to the size of their parts; false: outside the domain. */
static bool
residuals(IcSearch *block, const double *x, double *f, double *sum)
{
  *sum = 0.0;
  for (uint32_t i = 0; i < block->m; i++) {
    if (!evaluate(block, block->residual[i], x, &f[i])) {
      return false;
    }
    *sum += f[i] * f[i];
  }
  return isfinite(*sum);
}

static bool
jacobian_at(IcSearch *block, const double *x)
{
  for (size_t k = 0; k < (size_t)block->m * block->n; k++) {
    block->j[k] = 0.0;
    if (block->jacobian[k] != DAE_NO_TERM &&
        !evaluate(block, block->jacobian[k], x, &block->j[k])) {
      return false;
    }
  }
  return true;
}

/* a := J'J + damping*diag, step := -J'f. */
static void
damped_equations(IcSearch *block, double damping)
{
  uint32_t n = block->n;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) {
      double sum = 0.0;
      for (uint32_t r = 0; r < block->m; r++) {
        sum += block->j[r * n + i] * block->j[r * n + k];
      }
      block->a[i * n + k] = sum;
    }
    double gradient = 0.0;
    for (uint32_t r = 0; r < block->m; r++) {
      gradient += block->j[r * n + i] * block->f[r];
    }
    block->step[i] = -gradient;
    block->a[i * n + i] += damping * (block->a[i * n + i] + 1e-12);
  }
}

/* Solves (J'J + damping*diag) step = -J'f by Gaussian elimination with pivoting. */
static bool
damped_step(IcSearch *block, double damping)
{
  uint32_t n = block->n;
  damped_equations(block, damping);
  for (uint32_t c = 0; c < n; c++) {
    uint32_t pivot = c;
    for (uint32_t r = c + 1; r < n; r++) {
      pivot = fabs(block->a[r * n + c]) > fabs(block->a[pivot * n + c]) ? r : pivot;
    }
    if (block->a[pivot * n + c] == 0.0) {
      return false;
    }
    for (uint32_t k = 0; k < n; k++) {
      double swap = block->a[c * n + k];
      block->a[c * n + k] = block->a[pivot * n + k];
      block->a[pivot * n + k] = swap;
    }
    double swap = block->step[c];
    block->step[c] = block->step[pivot];
    block->step[pivot] = swap;
    for (uint32_t r = c + 1; r < n; r++) {
      double factor = block->a[r * n + c] / block->a[c * n + c];
      for (uint32_t k = c; k < n; k++) {
        block->a[r * n + k] -= factor * block->a[c * n + k];
      }
      block->step[r] -= factor * block->step[c];
    }
  }
  for (uint32_t c = n; c-- > 0;) {
    for (uint32_t k = c + 1; k < n; k++) {
      block->step[c] -= block->a[c * n + k] * block->step[k];
    }
    block->step[c] /= block->a[c * n + c];
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

/* One step with the damping that makes the sum of squares smaller; false: none of a few does. */
static bool
improve(IcSearch *block, double *damping, double *sum)
{
  for (int k = 0; k < 12; k++) {
    double next = 0.0;
    if (damped_step(block, *damping)) {
      for (uint32_t c = 0; c < block->n; c++) {
        block->trial[c] = block->x[c] + block->step[c];
      }
      if (residuals(block, block->trial, block->g, &next) && next < *sum) {
        memcpy(block->x, block->trial, sizeof(double) * block->n);
        memcpy(block->f, block->g, sizeof(double) * block->m);
        *damping = MAX(*damping / 10, 1e-15);
        *sum = next;
        return true;
      }
    }
    *damping *= 6;
  }
  return false;
}

/* Least relative residual found from block->x; NAN: the budget ended, which says nothing. */
static double
minimize_from(IcSearch *block)
{
  double sum = 0.0;
  double damping = 1e-3;
  if (!residuals(block, block->x, block->f, &sum)) {
    return INFINITY;
  }
  for (int i = 0; i < MAX_ITERATIONS && sum > 0.0; i++) {
    if (dae_budget_spent(block->sys->budget)) {
      return NAN;
    }
    if (!jacobian_at(block, block->x)) {
      break;
    }
    if (!improve(block, &damping, &sum)) {
      break;
    }
  }
  return relative_residual(block, block->x);
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
  block->trial = g_new0(double, block->n + 1);
  block->step = g_new0(double, block->n + 1);
  block->f = g_new0(double, block->m + 1);
  block->g = g_new0(double, block->m + 1);
  block->j = g_new0(double, size + 1);
  block->a = g_new0(double, (size_t)block->n * block->n + 1);
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
  g_free(block->trial);
  g_free(block->step);
  g_free(block->f);
  g_free(block->g);
  g_free(block->j);
  g_free(block->a);
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

/* Column with the largest entry of a row, or IC_NONE when nothing is left of it. */
static uint32_t
largest_column(const double *row, uint32_t n, double before)
{
  uint32_t best = IC_NONE;
  double size = 1e-8 * before;
  for (uint32_t k = 0; k < n; k++) {
    if (fabs(row[k]) > size) {
      size = fabs(row[k]);
      best = k;
    }
  }
  return best;
}

uint32_t
ic_search_basis(IcSearch *search, const double *x, uint32_t *column)
{
  uint32_t n = search->n;
  uint32_t rank = 0;
  if (!jacobian_at(search, x)) {
    return 0;
  }
  for (uint32_t i = 0; i < search->m; i++) { /* elimination in the order of the rows */
    double *row = &search->j[(size_t)i * n];
    double before = 0.0;
    for (uint32_t k = 0; k < n; k++) {
      before = fmax(before, fabs(row[k]));
    }
    for (uint32_t e = 0; e < i; e++) {
      const double *earlier = &search->j[(size_t)e * n];
      double factor = column[e] == IC_NONE ? 0.0 : row[column[e]] / earlier[column[e]];
      for (uint32_t k = 0; k < n && factor != 0.0; k++) {
        row[k] -= factor * earlier[k];
      }
      if (column[e] != IC_NONE) {
        row[column[e]] = 0.0;
      }
    }
    column[i] = largest_column(row, n, before);
    rank += column[i] != IC_NONE;
  }
  return rank;
}
