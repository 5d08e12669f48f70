/* Right-hand sides and Jacobians of fields of equal cells: kernels beside one instruction for each
 * operation, and right-hand sides beside loops written by hand; the same bits asserted.
 *     bench_kernels N...
 * One line a field, size and number of lanes: ns for each unknown and lane. Jacobians are of one
 * point, ns for each entry; memory is that of one scratch, in bytes for each unknown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "eval/eval.h"

typedef struct {
  DaeTerms *terms;
  DaeTerm *x, *rhs;
  uint32_t n, m; /* unknowns, cells along a side */
} Field;

static DaeTerm
number(Field *field, int64_t value)
{
  return dae_term_int(field->terms, value);
}

static DaeTerm
times(Field *field, int64_t factor, DaeTerm t)
{
  return dae_term_mul(field->terms, number(field, factor), t);
}

static void
rod(Field *field)
{
  for (uint32_t i = 0; i < field->n; i++) {
    DaeTerm parts[3] = {i > 0 ? field->x[i - 1] : number(field, 1),
                        times(field, -2, field->x[i]),
                        i + 1 < field->n ? field->x[i + 1] : field->x[i]};
    field->rhs[i] = times(field, 100, dae_term_sum(field->terms, parts, 3));
  }
}

/* As many neighbours in memory as there are lanes. */
static void
rod_by_hand(const Field *field, unsigned lanes, const double *x, double *y)
{
  const size_t last = (size_t)(field->n - 1) * lanes;
  for (size_t k = 0; k < lanes; k++) {
    y[k] = 100 * (1.0 - 2 * x[k] + x[k + lanes]);
    y[last + k] = 100 * (x[last + k - lanes] - 2 * x[last + k] + x[last + k]);
  }
  for (size_t k = lanes; k < last; k++) {
    y[k] = 100 * (x[k - lanes] - 2 * x[k] + x[k + lanes]);
  }
}

static void
plate(Field *field)
{
  const uint32_t m = field->m;
  for (uint32_t i = 0; i < field->n; i++) {
    DaeTerm c = field->x[i];
    DaeTerm parts[5] = {i >= m ? field->x[i - m] : number(field, 1),
                        i + m < field->n ? field->x[i + m] : number(field, 0),
                        i % m > 0 ? field->x[i - 1] : number(field, 0),
                        i % m + 1 < m ? field->x[i + 1] : number(field, 0),
                        times(field, -4, c)};
    DaeTerm flow = times(field, 100, dae_term_sum(field->terms, parts, 5));
    DaeTerm loss = dae_term_pow(field->terms, c, number(field, 4));
    field->rhs[i] = dae_term_sub(field->terms, flow, loss);
  }
}

static void
plate_by_hand(const Field *field, unsigned lanes, const double *x, double *y)
{
  const uint32_t m = field->m;
  const size_t line = (size_t)m * lanes;
  for (uint32_t i = 0; i < field->n; i++) {
    const bool has_left = i % m > 0;
    const bool has_right = i % m + 1 < m;
    for (size_t k = (size_t)i * lanes; k < ((size_t)i + 1) * lanes; k++) {
      const double sum = (i >= m ? x[k - line] : 1) + (i + m < field->n ? x[k + line] : 0) +
                         (has_left ? x[k - lanes] : 0) + (has_right ? x[k + lanes] : 0);
      y[k] = 100 * (sum - 4 * x[k]) - x[k] * x[k] * x[k] * x[k];
    }
  }
}

static void
brusselator(Field *field)
{
  const uint32_t m = field->n / 2;
  DaeTerms *terms = field->terms;
  const DaeTerm *u = field->x;
  const DaeTerm *v = field->x + m;
  for (uint32_t i = 0; i < m; i++) {
    DaeTerm gain = dae_term_mul(terms, dae_term_pow(terms, u[i], number(field, 2)), v[i]);
    DaeTerm of_u[5] = {gain, times(field, -204, u[i]), number(field, 1),
                       i > 0 ? times(field, 100, u[i - 1]) : number(field, 100),
                       i + 1 < m ? times(field, 100, u[i + 1]) : number(field, 100)};
    DaeTerm of_v[5] = {times(field, -1, gain), times(field, 3, u[i]), times(field, -200, v[i]),
                       i > 0 ? times(field, 100, v[i - 1]) : number(field, 300),
                       i + 1 < m ? times(field, 100, v[i + 1]) : number(field, 300)};
    field->rhs[i] = dae_term_sum(terms, of_u, 5);
    field->rhs[m + i] = dae_term_sum(terms, of_v, 5);
  }
}

static void
brusselator_by_hand(const Field *field, unsigned lanes, const double *x, double *y)
{
  const uint32_t m = field->n / 2;
  const double *v = x + (size_t)m * lanes;
  double *w = y + (size_t)m * lanes;
  for (uint32_t i = 0; i < m; i++) {
    for (size_t k = (size_t)i * lanes; k < ((size_t)i + 1) * lanes; k++) {
      const double gain = x[k] * x[k] * v[k];
      y[k] = 1 + gain - 204 * x[k] +
             100 * ((i > 0 ? x[k - lanes] : 1) + (i + 1 < m ? x[k + lanes] : 1));
      w[k] = 3 * x[k] - gain - 200 * v[k] +
             100 * ((i > 0 ? v[k - lanes] : 3) + (i + 1 < m ? v[k + lanes] : 3));
    }
  }
}

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
measure(const DaeEvaluator *evaluator, unsigned lanes, const double *x, double *y)
{
  const double t[DAE_LANES_MAX] = {0};
  double best = INFINITY;
  void *scratch = dae_aligned_new0(evaluator->scratch_size);
  const uint32_t repeats = 1 + 4000000 / (evaluator->n * lanes);
  for (int round = 0; round < 7; round++) {
    double before = cpu_seconds();
    for (uint32_t r = 0; r < repeats; r++) {
      DaeOut out = {.f = y};
      if (evaluator->eval(evaluator->self, scratch, lanes, t, x, &out) != 0) {
        exit(1);
      }
    }
    best = fmin(best, (cpu_seconds() - before) / repeats);
  }
  free(scratch);
  return best / evaluator->n / lanes * 1e9;
}

static double
measure_by_hand(const Field *field, unsigned lanes,
                void (*by_hand)(const Field *, unsigned, const double *, double *),
                const double *x, double *y)
{
  double best = INFINITY;
  const uint32_t repeats = 1 + 4000000 / (field->n * lanes);
  for (int round = 0; round < 7; round++) {
    double before = cpu_seconds();
    for (uint32_t r = 0; r < repeats; r++) {
      by_hand(field, lanes, x, y);
      __asm__ volatile("" : : "r"(y) : "memory");
    }
    best = fmin(best, (cpu_seconds() - before) / repeats);
  }
  return best / field->n / lanes * 1e9;
}

/* ns for each entry. */
static double
measure_jacobian(const DaeEvaluator *evaluator, const double *x, double *entries)
{
  double best = INFINITY;
  void *scratch = dae_aligned_new0(evaluator->scratch_size);
  const uint32_t n_entries = evaluator->dynamics.row_start[evaluator->n_diff];
  const uint32_t repeats = 1 + 4000000 / n_entries;
  for (int round = 0; round < 7; round++) {
    double before = cpu_seconds();
    for (uint32_t r = 0; r < repeats; r++) {
      DaeJac out = {.k = entries};
      if (evaluator->jac(evaluator->self, scratch, 0.0, x, x, &out) != 0) {
        exit(1);
      }
    }
    best = fmin(best, (cpu_seconds() - before) / repeats);
  }
  free(scratch);
  return best / n_entries * 1e9;
}

static DaeSystem *
system_of(const Field *field, bool single)
{
  g_autofree uint32_t *start = g_new(uint32_t, field->n + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, field->n);
  g_autofree DaeTerm *ones = g_new(DaeTerm, field->n);
  for (uint32_t i = 0; i < field->n; i++) {
    start[i] = columns[i] = i;
    ones[i] = dae_term_int(field->terms, 1);
  }
  start[field->n] = field->n;
  const DaeSystemParts parts = {.unknowns = field->x,
                                .n = field->n,
                                .row_start = start,
                                .columns = columns,
                                .coefficients = ones,
                                .rhs = field->rhs,
                                .n_diff = field->n};
  return dae_system_new(field->terms, &parts, &(DaeSystemOptions){.single = single}, NULL);
}

static void
check_bits(const double *one, const double *other, size_t n, const char *name)
{
  if (memcmp(one, other, n * sizeof *one) != 0) {
    fprintf(stderr, "%s: other bits\n", name);
    exit(1);
  }
}

static void
compare_jacobians(const Field *field, const char *name, const DaeEvaluator *single,
                  const DaeEvaluator *kernels, const double *x)
{
  const size_t n_entries = single->dynamics.row_start[field->n];
  g_autofree double *one = g_new(double, n_entries);
  g_autofree double *other = g_new(double, n_entries);
  const double before = measure_jacobian(single, x, one);
  const double now = measure_jacobian(kernels, x, other);
  check_bits(one, other, n_entries, name);
  printf("| %s, Jacobian | %u | 1 | %.3f | %.3f | %.2f |  | %zu |\n", name, field->n, before,
         now, before / now, kernels->scratch_size / field->n);
}

static void
compare_values(const Field *field, const char *name, const DaeEvaluator *single,
               const DaeEvaluator *kernels,
               void (*by_hand)(const Field *, unsigned, const double *, double *),
               const double *x)
{
  const size_t size = (size_t)field->n * DAE_LANES_MAX;
  double *y = dae_aligned_new0(size * sizeof(double));
  double *z = dae_aligned_new0(size * sizeof(double));
  for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes = lanes == 1 ? 4 : 2 * lanes) {
    const double before = measure(single, lanes, x, y);
    const double now = measure(kernels, lanes, x, z);
    check_bits(y, z, (size_t)field->n * lanes, name);
    printf("| %s | %u | %u | %.3f | %.3f | %.2f | %.3f |  |\n", name, field->n, lanes, before,
           now, before / now, measure_by_hand(field, lanes, by_hand, x, y));
  }
  free(y);
  free(z);
}

static void
run(const char *name, Field field, void (*build)(Field *),
    void (*by_hand)(const Field *, unsigned, const double *, double *))
{
  field.terms = dae_terms_new();
  field.x = g_new(DaeTerm, field.n);
  field.rhs = g_new(DaeTerm, field.n);
  for (uint32_t i = 0; i < field.n; i++) {
    g_autofree char *symbol = g_strdup_printf("x%u", i);
    field.x[i] = dae_term_variable(
        field.terms, dae_terms_add_symbol(field.terms, DAE_SYMBOL_VARIABLE, symbol), 0);
  }
  build(&field);
  g_autoptr(DaeSystem) single = system_of(&field, true);
  g_autoptr(DaeSystem) kernels = system_of(&field, false);
  const size_t size = (size_t)field.n * DAE_LANES_MAX;
  double *x = dae_aligned_new0(size * sizeof(double));
  for (size_t i = 0; i < size; i++) {
    x[i] = 0.5 + (double)(i % 17) / 32;
  }
  compare_values(&field, name, dae_system_evaluator(single), dae_system_evaluator(kernels),
                 by_hand, x);
  compare_jacobians(&field, name, dae_system_evaluator(single), dae_system_evaluator(kernels),
                    x);
  free(x);
  g_free(field.x);
  g_free(field.rhs);
  dae_terms_free(field.terms);
}

int
main(int argc, char **argv)
{
  printf("| field | unknowns | lanes | single / ns | kernels / ns | single / kernels "
         "| by hand / ns | scratch / bytes |\n|---|---|---|---|---|---|---|---|\n");
  for (int i = 1; i < argc; i++) {
    const uint32_t n = (uint32_t)strtoul(argv[i], NULL, 10);
    const uint32_t m = (uint32_t)sqrt(n);
    run("rod", (Field){.n = n}, rod, rod_by_hand);
    run("plate", (Field){.n = m * m, .m = m}, plate, plate_by_hand);
    run("brusselator", (Field){.n = n / 2 * 2}, brusselator, brusselator_by_hand);
  }
  return 0;
}
