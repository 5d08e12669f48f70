/* bench/structure: models of 10^3 ... 10^6 equations; times for reading, Sigma, transversal,
 * offsets and blocks, side by side with SuiteSparse BTF (the easier, unweighted problem) and the
 * weighted transversal of MUMPS on the same matrix. CPU milliseconds; the best of three runs
 * (one where that took long), reading and Sigma once and up to 10^5 equations.
 *   bench_structure [largest n, default 1000000] [folder: models, and matrices
 *   as "row column sigma" lines] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <suitesparse/btf.h>
#include <time.h>

#include "kinds.h"
#ifdef DAE_BENCH_MUMPS
#include "peer_mumps.h"
#endif
#include "reader/reader.h"
#include "structural/sig-priv.h"

#define MOST_MUMPS 600 /* ms at a tenth of the size: it may be quadratic */

typedef struct {
  double read, sigma, match, offsets, blocks, maxtrans, order, mumps;
  int64_t value;
  uint32_t n_phases, n_fine;
} Times;

static double
now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void
keep_least(double *least, double since)
{
  double spent = now_ms() - since;
  *least = *least < 0 || spent < *least ? spent : *least;
}

static void
time_ours(const DaeCsr *csr, Times *times)
{
  uint32_t n = csr->n_rows;
  g_autofree uint32_t *rows = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, (size_t)n + 1);
  g_autofree int64_t *c = g_new(int64_t, (size_t)n + 1);
  g_autofree int64_t *d = g_new(int64_t, (size_t)n + 1);
  DaeMatchCounts counts;
  DaeBlocks coarse, fine;
  double since = now_ms();
  if (!dae_graph_match(csr, rows, columns, c, d, &counts)) {
    fprintf(stderr, "no transversal\n");
    exit(1);
  }
  keep_least(&times->match, since);
  since = now_ms();
  dae_graph_least_offsets(csr, rows, columns, c, d);
  keep_least(&times->offsets, since);
  since = now_ms();
  dae_graph_blocks(csr, rows, columns, c, d, &coarse, &fine);
  keep_least(&times->blocks, since);
  times->value = 0;
  for (uint32_t i = 0; i < n; i++) {
    times->value += d[i] - c[i];
  }
  times->n_phases = counts.n_phases;
  times->n_fine = fine.n_blocks;
  dae_blocks_clear(&coarse);
  dae_blocks_clear(&fine);
}

/* BTF takes columns; the transposed pattern has the same transversals and blocks. */
static void
time_btf(const DaeCsr *csr, Times *times)
{
  int32_t n = (int32_t)csr->n_rows;
  size_t nnz = dae_csr_nnz(csr);
  g_autofree int32_t *start = g_new(int32_t, (size_t)n + 1);
  g_autofree int32_t *index = g_new(int32_t, nnz + 1);
  g_autofree int32_t *p = g_new(int32_t, (size_t)n + 1);
  g_autofree int32_t *q = g_new(int32_t, (size_t)n + 1);
  g_autofree int32_t *r = g_new(int32_t, (size_t)n + 1);
  g_autofree int32_t *work = g_new(int32_t, 5 * (size_t)n + 1);
  double effort = 0;
  int32_t n_match = 0;
  for (int32_t i = 0; i <= n; i++) {
    start[i] = (int32_t)csr->start[i];
  }
  for (size_t e = 0; e < nnz; e++) {
    index[e] = (int32_t)csr->column[e];
  }
  double since = now_ms();
  btf_maxtrans(n, n, start, index, 0, &effort, p, work);
  keep_least(&times->maxtrans, since);
  since = now_ms();
  btf_order(n, start, index, 0, &effort, p, q, r, &n_match, work);
  keep_least(&times->order, since);
}

/* The same value by another way: a benchmark that checks itself. */
static void
time_mumps(const DaeCsr *csr, Times *times)
{
#ifdef DAE_BENCH_MUMPS
  int64_t value = 0;
  double since = now_ms();
  bool has_transversal = bench_mumps_match(csr, &value);
  keep_least(&times->mumps, since);
  if (!has_transversal || value != times->value) {
    fprintf(stderr, "MUMPS has a transversal of value %" PRId64 "\n", value);
    exit(1);
  }
#else
  (void)csr;
  (void)times;
#endif
}

static bool
is_equal_matrix(const DaeCsr *a, const DaeCsr *b)
{
  size_t nnz = dae_csr_nnz(a);
  return a->n_rows == b->n_rows && nnz == dae_csr_nnz(b) &&
         memcmp(a->start, b->start, sizeof(size_t) * ((size_t)a->n_rows + 1)) == 0 &&
         memcmp(a->column, b->column, sizeof(uint32_t) * nnz) == 0 &&
         memcmp(a->weight, b->weight, sizeof(int32_t) * nnz) == 0;
}

/* The same system as a text: reading it and finding Sigma must give the matrix back. */
static void
time_reading(const DaeCsr *csr, Times *times, const char *folder, const char *name)
{
  g_autoptr(GString) text = bench_write_model(csr);
  g_autoptr(DaeTerms) terms = dae_terms_new();
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, NULL);
  DaeReadOptions options = {0};
  double since = now_ms();
  g_autoptr(DaeModel) model =
      dae_model_read(terms, name, text->str, text->len, &options, NULL, NULL);
  keep_least(&times->read, since);
  if (model == NULL) {
    fprintf(stderr, "the model was not read\n");
    exit(1);
  }
  DaeSigma sigma;
  since = now_ms();
  dae_sigma_build(algebra, model, &sigma);
  keep_least(&times->sigma, since);
  if (!is_equal_matrix(csr, sigma.csr)) {
    fprintf(stderr, "Sigma differs from the matrix of the generator\n");
    exit(1);
  }
  dae_sigma_clear(&sigma);
  if (folder != NULL) {
    g_autofree char *path = g_strdup_printf("%s/%s.mo", folder, name);
    g_file_set_contents(path, text->str, (gssize)text->len, NULL);
  }
}

static void
save_matrix(const DaeCsr *csr, const char *folder, const char *name)
{
  g_autofree char *path = g_strdup_printf("%s/%s.txt", folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fprintf(stderr, "cannot write %s\n", path);
    exit(6);
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      fprintf(file, "%u %u %d\n", i, csr->column[e], csr->weight[e]);
    }
  }
  fclose(file);
}

/* before: of the size before; where the next would take minutes MUMPS is left out. */
static void
run_case(BenchKind kind, uint32_t n, bool shuffled, const char *folder, double *before)
{
  g_autoptr(DaeCsr) csr = bench_make_kind(kind, n, shuffled);
  Times times = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0};
  const char *order = shuffled ? "shuffled" : "natural";
  g_autofree char *name = g_strdup_printf("%s-%s-%u", bench_kind_name(kind), order, n);
  /* BTF is quadratic on some kinds: beyond 10^5 equations a run may take many minutes */
  bool is_small = csr->n_rows <= 200000;
  if (is_small) {
    time_reading(csr, &times, folder, name);
  }
  for (int run = 0; run < 3; run++) {
    if (times.match < 2000) {
      time_ours(csr, &times);
    }
    if (is_small && times.order < 2000) {
      time_btf(csr, &times);
    }
    if (times.mumps < 2000 && *before < MOST_MUMPS) {
      time_mumps(csr, &times);
    }
  }
  printf("%-8s %-8s %8u %9zu %9" PRId64 " %6u %8u %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f "
         "%9.2f\n",
         bench_kind_name(kind), order, csr->n_rows, dae_csr_nnz(csr), times.value,
         times.n_phases, times.n_fine, times.read, times.sigma, times.match, times.offsets,
         times.blocks, times.maxtrans, times.order, times.mumps);
  *before = times.mumps < 0 ? *before : times.mumps;
  fflush(stdout);
  if (folder != NULL && is_small) {
    save_matrix(csr, folder, name);
  }
}

int
main(int argc, char **argv)
{
  uint32_t largest = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
  const char *folder = argc > 2 ? argv[2] : NULL;
  printf("%-8s %-8s %8s %9s %9s %6s %8s %9s %9s %9s %9s %9s %9s %9s %9s\n", "kind", "order",
         "n", "nnz", "value", "phases", "fine", "read/ms", "sigma/ms", "match/ms", "offs/ms",
         "block/ms", "maxtrans", "btf_order", "mumps/ms");
  double before[N_KINDS][2] = {{0}};
  for (uint32_t n = 1000; n <= largest; n *= 10) {
    for (int kind = 0; kind < N_KINDS; kind++) {
      run_case((BenchKind)kind, n, false, folder, &before[kind][0]);
      run_case((BenchKind)kind, n, true, folder, &before[kind][1]);
    }
  }
  return 0;
}
