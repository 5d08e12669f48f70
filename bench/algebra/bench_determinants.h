/* One determinant problem, given to three programs: k x k entries, each a linear form in
 * n_variables variables with small integer coefficients (n_variables + 1 per entry, the last is
 * the constant), or independent symbols. */
#ifndef BENCH_ALGEBRA_H
#define BENCH_ALGEBRA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int k;
  int n_variables;         /* 0: independent symbols */
  const int *coefficients; /* k * k * (n_variables + 1) */
} BenchProblem;

/* Seconds for one determinant in expanded form; *n_terms is its number of terms. */
double bench_ginac_determinant(const BenchProblem *problem, size_t *n_terms);
double bench_flint_bareiss(const BenchProblem *problem, size_t *n_terms);
double bench_flint_minors(const BenchProblem *problem, size_t *n_terms);

#ifdef __cplusplus
}
#endif

#endif
