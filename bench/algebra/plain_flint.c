/* The determinant as one would write it with FLINT alone: Bareiss, and cofactor
 * expansion along the first row. */
#include "bench_determinants.h"

#include <flint/fmpz_mpoly.h>

#include <stdlib.h>
#include <time.h>

static double
seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static slong
variables(const BenchProblem *problem)
{
  return problem->n_variables > 0 ? problem->n_variables : problem->k * problem->k;
}

static fmpz_mpoly_struct *
make_matrix(const BenchProblem *problem, const fmpz_mpoly_ctx_t ctx)
{
  int n = problem->k * problem->k;
  fmpz_mpoly_struct *m = malloc((size_t)n * sizeof *m);
  fmpz_mpoly_t x;
  fmpz_mpoly_init(x, ctx);
  for (int i = 0; i < n; i++) {
    fmpz_mpoly_init(m + i, ctx);
    if (problem->n_variables == 0) {
      fmpz_mpoly_gen(m + i, i, ctx);
      continue;
    }
    const int *c = problem->coefficients + i * (problem->n_variables + 1);
    fmpz_mpoly_set_si(m + i, c[problem->n_variables], ctx);
    for (int v = 0; v < problem->n_variables; v++) {
      fmpz_mpoly_gen(x, v, ctx);
      fmpz_mpoly_scalar_mul_si(x, x, c[v], ctx);
      fmpz_mpoly_add(m + i, m + i, x, ctx);
    }
  }
  fmpz_mpoly_clear(x, ctx);
  return m;
}

static void
free_matrix(fmpz_mpoly_struct *m, int k, const fmpz_mpoly_ctx_t ctx)
{
  for (int i = 0; i < k * k; i++) {
    fmpz_mpoly_clear(m + i, ctx);
  }
  free(m);
}

double
bench_flint_bareiss(const BenchProblem *problem, size_t *n_terms)
{
  int k = problem->k;
  fmpz_mpoly_ctx_t ctx;
  fmpz_mpoly_ctx_init(ctx, variables(problem), ORD_LEX);
  fmpz_mpoly_struct *m = make_matrix(problem, ctx);
  fmpz_mpoly_t product;
  fmpz_mpoly_init(product, ctx);
  double start = seconds();
  for (int p = 0; p < k; p++) {
    for (int i = p + 1; i < k; i++) {
      for (int j = p + 1; j < k; j++) {
        fmpz_mpoly_mul(m + i * k + j, m + i * k + j, m + p * k + p, ctx);
        fmpz_mpoly_mul(product, m + i * k + p, m + p * k + j, ctx);
        fmpz_mpoly_sub(m + i * k + j, m + i * k + j, product, ctx);
        if (p > 0) {
          fmpz_mpoly_divides(m + i * k + j, m + i * k + j, m + (p - 1) * k + p - 1, ctx);
        }
      }
    }
  }
  double elapsed = seconds() - start;
  *n_terms = (size_t)fmpz_mpoly_length(m + k * k - 1, ctx);
  fmpz_mpoly_clear(product, ctx);
  free_matrix(m, k, ctx);
  fmpz_mpoly_ctx_clear(ctx);
  return elapsed;
}

/* Recursive on k <= 8 only. */
static void
cofactor_expansion(fmpz_mpoly_t out, const fmpz_mpoly_struct *m, int k, int row, unsigned used,
                   const fmpz_mpoly_ctx_t ctx)
{
  fmpz_mpoly_zero(out, ctx);
  if (row == k) {
    fmpz_mpoly_one(out, ctx);
    return;
  }
  fmpz_mpoly_t minor;
  fmpz_mpoly_init(minor, ctx);
  int sign = 1;
  for (int j = 0; j < k; j++) {
    if ((used >> j & 1U) != 0) {
      continue;
    }
    cofactor_expansion(minor, m, k, row + 1, used | 1U << j, ctx);
    fmpz_mpoly_mul(minor, minor, m + row * k + j, ctx);
    (sign > 0 ? fmpz_mpoly_add : fmpz_mpoly_sub)(out, out, minor, ctx);
    sign = -sign;
  }
  fmpz_mpoly_clear(minor, ctx);
}

double
bench_flint_minors(const BenchProblem *problem, size_t *n_terms)
{
  fmpz_mpoly_ctx_t ctx;
  fmpz_mpoly_ctx_init(ctx, variables(problem), ORD_LEX);
  fmpz_mpoly_struct *m = make_matrix(problem, ctx);
  fmpz_mpoly_t det;
  fmpz_mpoly_init(det, ctx);
  double start = seconds();
  cofactor_expansion(det, m, problem->k, 0, 0, ctx);
  double elapsed = seconds() - start;
  *n_terms = (size_t)fmpz_mpoly_length(det, ctx);
  fmpz_mpoly_clear(det, ctx);
  free_matrix(m, problem->k, ctx);
  fmpz_mpoly_ctx_clear(ctx);
  return elapsed;
}
