/* Linear equations solved again and again with one pattern: at events, where all other work is
 * small. Of more rows than unknowns independent ones are chosen (echelon form), and kept as
 * long as they stay regular. Sparse LU (KLU); its analysis is done once. */
#include <glib.h>
#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "numeric/numeric.h"

#define LEAST_RCOND 1e-15 /* a ratio of pivots below this is rounding */
/* Of a row that counts as independent; where such rows do not determine everything (diodes of
 * 1e-5 S that block, in series with coils), of one that is so by more than rounding. */
#define LEAST_SHARE 1e-9
#define HARDLY 1e-13
/* Newton's method: steps below which the Jacobian is kept, and which end it where rounding is all
 * that is left */
#define NEAR 1e-6
#define FOUND 1e-10

struct DaeRowSolver {
  uint32_t m, n;
  uint32_t *row_start, *column; /* the pattern */
  uint32_t *chosen;             /* n rows */
  bool has_choice;
  int *starts, *rows; /* chosen rows by columns */
  uint32_t *source;   /* of each entry there: place in the values */
  double *entries;
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
};

DaeRowSolver *
dae_row_solver_new(const DaePattern *pattern)
{
  DaeRowSolver *s = g_new0(DaeRowSolver, 1);
  uint32_t nnz = pattern->row_start[pattern->n_rows];
  s->m = pattern->n_rows;
  s->n = pattern->n_columns;
  s->row_start = g_memdup2(pattern->row_start, (s->m + 1) * sizeof(uint32_t));
  s->column = g_new0(uint32_t, nnz + 1);
  if (nnz > 0) {
    memcpy(s->column, pattern->column, nnz * sizeof(uint32_t));
  }
  s->chosen = g_new0(uint32_t, s->n + 1);
  s->starts = g_new0(int, s->n + 2);
  s->rows = g_new0(int, nnz + 1);
  s->source = g_new0(uint32_t, nnz + 1);
  s->entries = g_new0(double, nnz + 1);
  klu_defaults(&s->common);
  return s;
}

static void
forget_factors(DaeRowSolver *s)
{
  if (s->numeric != NULL) {
    klu_free_numeric(&s->numeric, &s->common);
  }
  if (s->symbolic != NULL) {
    klu_free_symbolic(&s->symbolic, &s->common);
  }
  s->has_choice = false;
}

void
dae_row_solver_free(DaeRowSolver *s)
{
  if (s == NULL) {
    return;
  }
  forget_factors(s);
  void *all[] = {s->row_start, s->column, s->chosen, s->starts, s->rows, s->source, s->entries};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(s);
}

/* Rows that are independent at these values, earlier ones first. */
static bool
choose_rows(DaeRowSolver *s, const double *values)
{
  static const double shares[] = {LEAST_SHARE, HARDLY};
  uint32_t rank = 0;
  if (s->m == s->n) {
    for (uint32_t i = 0; i < s->n; i++) {
      s->chosen[i] = i;
    }
    return true;
  }
  DaeEchelon *echelon = dae_echelon_new(s->n, UINT64_MAX);
  g_autofree uint8_t *is_chosen = g_new0(uint8_t, s->m);
  for (size_t k = 0; k < G_N_ELEMENTS(shares); k++) {
    for (uint32_t i = 0; i < s->m && rank < s->n; i++) {
      uint32_t first = s->row_start[i];
      if (is_chosen[i] == 0 && dae_echelon_add(echelon, s->column + first, values + first,
                                               s->row_start[i + 1] - first, shares[k])) {
        is_chosen[i] = 1;
        s->chosen[rank++] = i;
      }
    }
  }
  dae_echelon_free(echelon);
  return rank == s->n;
}

static bool
analyze(DaeRowSolver *s, const double *values)
{
  forget_factors(s);
  if (s->m < s->n || !choose_rows(s, values)) {
    return false;
  }
  memset(s->starts, 0, (s->n + 2) * sizeof(int));
  for (uint32_t k = 0; k < s->n; k++) {
    for (uint32_t e = s->row_start[s->chosen[k]]; e < s->row_start[s->chosen[k] + 1]; e++) {
      s->starts[s->column[e] + 2]++;
    }
  }
  for (uint32_t j = 0; j < s->n; j++) {
    s->starts[j + 2] += s->starts[j + 1];
  }
  for (uint32_t k = 0; k < s->n; k++) {
    for (uint32_t e = s->row_start[s->chosen[k]]; e < s->row_start[s->chosen[k] + 1]; e++) {
      int at = s->starts[s->column[e] + 1]++;
      s->rows[at] = (int)k;
      s->source[at] = e;
    }
  }
  s->symbolic = klu_analyze((int)s->n, s->starts, s->rows, &s->common);
  s->has_choice = s->symbolic != NULL;
  return s->has_choice;
}

static bool
factor(DaeRowSolver *s, const double *values)
{
  for (int at = 0; at < s->starts[s->n]; at++) {
    s->entries[at] = values[s->source[at]];
    if (!isfinite(s->entries[at])) {
      return false;
    }
  }
  if (s->numeric != NULL) {
    klu_free_numeric(&s->numeric, &s->common);
  }
  s->numeric = klu_factor(s->starts, s->rows, s->entries, s->symbolic, &s->common);
  return s->numeric != NULL && s->common.status == KLU_OK &&
         klu_rcond(s->symbolic, s->numeric, &s->common) != 0 && s->common.rcond > LEAST_RCOND;
}

bool
dae_row_solver_factor(DaeRowSolver *s, const double *values)
{
  if (s->has_choice && factor(s, values)) {
    return true;
  }
  return (!s->has_choice || s->m > s->n) && analyze(s, values) && factor(s, values);
}

void
dae_row_solver_solve(DaeRowSolver *s, const double *right, double *x)
{
  for (uint32_t k = 0; k < s->n; k++) {
    x[k] = right[s->chosen[k]];
  }
  klu_solve(s->symbolic, s->numeric, (int)s->n, 1, x, &s->common);
}

uint64_t
dae_row_solver_operations(DaeRowSolver *s)
{
  if (s->numeric == NULL || klu_flops(s->symbolic, s->numeric, &s->common) == 0) {
    return 0;
  }
  return (uint64_t)fmax(s->common.flops, 0) +
         2 * ((uint64_t)s->numeric->lnz + (uint64_t)s->numeric->unz);
}

/* ---- Newton ------------------------------------------------------------------------------ */

static double
scaled_change(uint32_t n, const double *nominal, const double *x, const double *step)
{
  double largest = 0;
  for (uint32_t j = 0; j < n; j++) {
    double change = fabs(step[j]) / (fabs(x[j]) + nominal[j]);
    largest = change > largest || isnan(change) ? change : largest;
  }
  return largest;
}

bool
dae_row_solver_newton(DaeRowSolver *s, const DaeRootProblem *problem, const double *nominal,
                      double *x, uint64_t *operations)
{
  enum { MOST_STEPS = 25 };

  g_autofree double *r = g_new0(double, s->m + 1);
  g_autofree double *values = g_new0(double, s->row_start[s->m] + 1);
  g_autofree double *step = g_new0(double, s->n + 1);
  double before = INFINITY;
  for (int k = 0; k < MOST_STEPS; k++) {
    if (problem->residual(problem->self, problem->scratch, x, r) != 0) {
      return false;
    }
    if ((k == 0 || before > NEAR) &&
        (problem->jacobian(problem->self, problem->scratch, x, values) != 0 ||
         !dae_row_solver_factor(s, values))) {
      return false;
    }
    dae_row_solver_solve(s, r, step);
    *operations += dae_row_solver_operations(s) + s->n;
    for (uint32_t j = 0; j < s->n; j++) {
      x[j] -= step[j];
    }
    double change = scaled_change(s->n, nominal, x, step);
    if (!isfinite(change) || (k > 3 && change > before && change > 1e-9)) {
      return false;
    }
    if (change < 1e-14 || (change < FOUND && change > 0.1 * before)) {
      return true;
    }
    before = change;
  }
  return before < FOUND;
}
