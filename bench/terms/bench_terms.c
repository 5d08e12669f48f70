/* Jacobian of a chain of planar pendula: time, terms per second, peak memory,
 * next to GiNaC in the same run.
 *
 *   bench_terms [N ...]      default: 10 100 1000 10000
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "chain.h"
#include "terms/terms.h"

enum { X, Y, U, V, F, N_FIELDS };

typedef struct {
  DaeTerms *terms;
  DaeSymbol (*points)[N_FIELDS];
  DaeTerm m;
  DaeTerm L;
  DaeTerm g;
  size_t n;
} Chain;

/* Processor time: the machine may be shared. */
static double
now(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

static DaeTerm
field(const Chain *c, size_t i, int k, uint32_t order)
{
  return i == 0 ? dae_term_int(c->terms, 0)
                : dae_term_variable(c->terms, c->points[i][k], order);
}

static void
declare(Chain *c)
{
  static const char *const names[] = {"x", "y", "u", "v", "f"};
  c->m = dae_term_symbol(c->terms, dae_terms_add_symbol(c->terms, DAE_SYMBOL_PARAMETER, "m"));
  c->L = dae_term_symbol(c->terms, dae_terms_add_symbol(c->terms, DAE_SYMBOL_PARAMETER, "L"));
  c->g = dae_term_symbol(c->terms, dae_terms_add_symbol(c->terms, DAE_SYMBOL_PARAMETER, "g"));
  for (size_t i = 1; i <= c->n; i++) {
    for (int k = 0; k < N_FIELDS; k++) {
      char name[32];
      snprintf(name, sizeof name, "%s%zu", names[k], i);
      c->points[i][k] = dae_terms_add_symbol(c->terms, DAE_SYMBOL_VARIABLE, name);
    }
  }
}

/* 2 f_i (z_i - z_(i-1)) */
static DaeTerm
rod_force(const Chain *c, size_t i, int k)
{
  DaeTerm along = dae_term_sub(c->terms, field(c, i, k, 0), field(c, i - 1, k, 0));
  return dae_term_product(c->terms,
                          (DaeTerm[]){dae_term_int(c->terms, 2), field(c, i, F, 0), along}, 3);
}

/* m der(w_i) + force of the rod to i-1 - force of the rod to i+1 */
static DaeTerm
balance(const Chain *c, size_t i, int k)
{
  DaeTerm inertia = dae_term_mul(c->terms, c->m, field(c, i, k == X ? U : V, 1));
  DaeTerm result = dae_term_add(c->terms, inertia, rod_force(c, i, k));
  if (i < c->n) {
    result = dae_term_sub(c->terms, result, rod_force(c, i + 1, k));
  }
  return k == X ? result : dae_term_add(c->terms, result, dae_term_mul(c->terms, c->m, c->g));
}

static DaeTerm
rod(const Chain *c, size_t i)
{
  DaeTerm dx = dae_term_sub(c->terms, field(c, i, X, 0), field(c, i - 1, X, 0));
  DaeTerm dy = dae_term_sub(c->terms, field(c, i, Y, 0), field(c, i - 1, Y, 0));
  DaeTerm squares[] = {dae_term_pow_int(c->terms, dx, 2), dae_term_pow_int(c->terms, dy, 2),
                       dae_term_neg(c->terms, dae_term_pow_int(c->terms, c->L, 2))};
  return dae_term_sum(c->terms, squares, 3);
}

static void
build(const Chain *c, GArray *equations)
{
  for (size_t i = 1; i <= c->n; i++) {
    DaeTerm five[] = {dae_term_sub(c->terms, field(c, i, X, 1), field(c, i, U, 0)),
                      dae_term_sub(c->terms, field(c, i, Y, 1), field(c, i, V, 0)),
                      balance(c, i, X), balance(c, i, Y), rod(c, i)};
    g_array_append_vals(equations, five, G_N_ELEMENTS(five));
  }
}

static ChainResult
chain_jacobian(size_t n, uint32_t *n_terms, size_t *bytes)
{
  double start = now();
  Chain c = {.terms = dae_terms_new(), .n = n};
  c.points = g_malloc_n(n + 1, sizeof *c.points);
  declare(&c);
  GArray *equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  build(&c, equations);
  double built = now();
  GArray *variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint i = 0; i < equations->len; i++) {
    dae_term_gradient(c.terms, g_array_index(equations, DaeTerm, i), variables, entries);
  }
  double done = now();
  ChainResult result = {.seconds_build = built - start,
                        .seconds_jacobian = done - built,
                        .n_entries = entries->len};
  *n_terms = dae_terms_count(c.terms);
  *bytes = dae_terms_bytes(c.terms);
  g_array_free(variables, TRUE);
  g_array_free(entries, TRUE);
  g_array_free(equations, TRUE);
  g_free(c.points);
  dae_terms_free(c.terms);
  return result;
}

static double
peak_mebibytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024.0;
}

/* The best of a few runs: the machine is shared. */
static ChainResult
best_of(size_t n, int n_runs, bool peer, uint32_t *n_terms, size_t *bytes)
{
  ChainResult best = {0};
  for (int run = 0; run < n_runs; run++) {
    ChainResult result = {0};
    if (peer) {
#ifdef HAVE_GINAC
      result = chain_jacobian_peer(n);
#endif
    } else {
      result = chain_jacobian(n, n_terms, bytes);
    }
    if (run == 0 || result.seconds_jacobian < best.seconds_jacobian) {
      best = result;
    }
  }
  return best;
}

static void
measure(size_t n)
{
  uint32_t n_terms = 0;
  size_t bytes = 0;
  int n_runs = n <= 1000 ? 5 : 2;
  ChainResult ours = best_of(n, n_runs, false, &n_terms, &bytes);
  double all = ours.seconds_build + ours.seconds_jacobian;
  double peak = peak_mebibytes();
  printf("N = %6zu  equations %7zu  entries %8zu  build %9.6f s  Jacobian %9.6f s  %5.2f "
         "million terms/s  "
         "store %7.1f MiB  peak %7.1f MiB",
         n, 5 * n, ours.n_entries, ours.seconds_build, ours.seconds_jacobian,
         1e-6 * n_terms / all, (double)bytes / 1048576.0, peak);
#ifdef HAVE_GINAC
  ChainResult peer = best_of(n, n_runs, true, &n_terms, &bytes);
  printf("  GiNaC: entries %8zu  build %9.6f s  Jacobian %9.6f s  ratio %.1f (Jacobian), %.1f "
         "(all)",
         peer.n_entries, peer.seconds_build, peer.seconds_jacobian,
         peer.seconds_jacobian / ours.seconds_jacobian,
         (peer.seconds_build + peer.seconds_jacobian) / all);
#endif
  printf("\n");
  fflush(stdout);
}

int
main(int argc, char **argv)
{
  if (argc < 2) {
    static const size_t sizes[] = {10, 100, 1000, 10000};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
      measure(sizes[i]);
    }
    return 0;
  }
  for (int i = 1; i < argc; i++) {
    long n = strtol(argv[i], NULL, 10);
    if (n > 0) {
      measure((size_t)n);
    }
  }
  return 0;
}
