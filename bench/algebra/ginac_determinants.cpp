// The same determinants with GiNaC, its own choice of algorithm, expanded.
#include "bench_determinants.h"

#include <ginac/ginac.h>

#include <ctime>
#include <string>
#include <vector>

extern "C" double
bench_ginac_determinant(const BenchProblem *problem, size_t *n_terms)
{
  using namespace GiNaC;
  const int k = problem->k;
  const int n = problem->n_variables > 0 ? problem->n_variables : k * k;
  std::vector<symbol> x;
  for (int i = 0; i < n; i++) {
    x.emplace_back("x" + std::to_string(i));
  }
  matrix m(k, k);
  for (int i = 0; i < k * k; i++) {
    ex entry = problem->n_variables > 0 ? ex(0) : ex(x[i]);
    if (problem->n_variables > 0) {
      const int *c = problem->coefficients + i * (n + 1);
      entry = numeric(c[n]);
      for (int v = 0; v < n; v++) {
        entry += numeric(c[v]) * x[v];
      }
    }
    m(i / k, i % k) = entry;
  }
  const std::clock_t start = std::clock();
  const ex det = m.determinant().expand();
  const std::clock_t end = std::clock();
  *n_terms = det.nops();
  return static_cast<double>(end - start) / CLOCKS_PER_SEC;
}
