/* Determinants of k x k matrices of polynomials, k = 4 ... 8: dae_algebra_determinant (terms
 * in, expanded term out) beside plain FLINT and GiNaC on the same entries in the same run. The
 * ratio is ours over the better of the peers. */
#include "bench_determinants.h"

#include "algebra/algebra.h"

#include <stdio.h>
#include <time.h>

static uint64_t
next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

static DaeMatrix *
make_matrix(DaeTerms *terms, const BenchProblem *problem)
{
  int k = problem->k;
  int n = problem->n_variables > 0 ? problem->n_variables : k * k;
  g_autofree DaeTerm *x = g_new(DaeTerm, n);
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("x%d", i);
    x[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name));
  }
  DaeMatrix *m = dae_matrix_new(terms, (uint32_t)k, (uint32_t)k);
  for (int i = 0; i < k * k; i++) {
    if (problem->n_variables == 0) {
      m->entries[i] = x[i];
      continue;
    }
    const int *c = problem->coefficients + i * (n + 1);
    DaeTerm entry = dae_term_int(terms, c[n]);
    for (int v = 0; v < n; v++) {
      entry = dae_term_add(terms, entry, dae_term_mul(terms, dae_term_int(terms, c[v]), x[v]));
    }
    m->entries[i] = entry;
  }
  return m;
}

static double
cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The best of a few runs, each in a fresh context; the result is a term, so
 * building it is part of the time. */
static double
time_ours(const BenchProblem *problem, size_t *n_terms)
{
  double best = 0;
  for (int run = 0; run < 3; run++) {
    g_autoptr(DaeTerms) terms = dae_terms_new();
    g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
    g_autoptr(DaeMatrix) m = make_matrix(terms, problem);
    double start = cpu_seconds();
    DaeTerm det = dae_algebra_determinant(algebra, m);
    double elapsed = cpu_seconds() - start;
    uint32_t n = 0;
    dae_term_operands(terms, det, &n);
    *n_terms = n;
    best = run == 0 ? elapsed : MIN(best, elapsed);
  }
  return best;
}

typedef double (*Peer)(const BenchProblem *problem, size_t *n_terms);

static double
time_peer(Peer peer, const BenchProblem *problem, size_t *n_terms)
{
  double best = peer(problem, n_terms);
  for (int run = 1; run < 3 && best < 2; run++) {
    best = MIN(best, peer(problem, n_terms));
  }
  return best;
}

static void
compare(const char *title, const BenchProblem *problem)
{
  size_t n_ours = 0;
  size_t n_bareiss = 0;
  size_t n_minors = 0;
  size_t n_ginac = 0;
  double ours = time_ours(problem, &n_ours);
  /* Bareiss on independent symbols swells beyond reason from k = 6 on. */
  bool skip_bareiss = problem->n_variables == 0 && problem->k > 5;
  double bareiss = skip_bareiss ? 1e9 : time_peer(bench_flint_bareiss, problem, &n_bareiss);
  double minors = time_peer(bench_flint_minors, problem, &n_minors);
  double ginac = time_peer(bench_ginac_determinant, problem, &n_ginac);
  double best = MIN(MIN(bareiss, minors), ginac);
  bool agree = n_minors == n_ginac && (skip_bareiss || n_minors == n_bareiss);
  const char *form = !agree               ? "PEERS DIFFER"
                     : n_ours == n_minors ? "expanded"
                                          : "shared minors";
  g_autofree char *bareiss_text =
      skip_bareiss ? g_strdup("-") : g_strdup_printf("%.3f", 1e3 * bareiss);
  printf("%-22s %2d %8zu %10.3f %10s %10.3f %10.3f %7.2f  %s\n", title, problem->k, n_minors,
         1e3 * ours, bareiss_text, 1e3 * minors, 1e3 * ginac, ours / best, form);
}

int
main(void)
{
  enum { N_VARIABLES = 4, MAX_K = 8 };

  int coefficients[MAX_K * MAX_K * (N_VARIABLES + 1)];
  uint64_t state = 2024;
  for (size_t i = 0; i < G_N_ELEMENTS(coefficients); i++) {
    coefficients[i] = (int)(next_random(&state) % 19) - 9;
  }
  printf("times in ms; ratio = ours / best peer\n");
  printf("%-22s %2s %8s %10s %10s %10s %10s %7s  %s\n", "entries", "k", "terms", "daetool",
         "FL.bareiss", "FL.minors", "GiNaC", "ratio", "our form");
  for (int k = 4; k <= MAX_K; k++) {
    BenchProblem problem = {k, N_VARIABLES, coefficients};
    compare("linear in 4 variables", &problem);
  }
  for (int k = 4; k <= MAX_K; k++) {
    BenchProblem problem = {k, 0, NULL};
    compare("independent symbols", &problem);
  }
  return 0;
}
