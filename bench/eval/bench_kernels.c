/* Right-hand sides of fields of equal cells: kernels beside one instruction for each operation and
 * beside loops written by hand, the same bits asserted.
 *     bench_kernels N...
 * One line a field, size and number of lanes: ns for each unknown and lane. */
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

static void
rod_by_hand(const Field *field, const double *x, double *y)
{
  for (uint32_t i = 0; i < field->n; i++) {
    y[i] = 100 * ((i > 0 ? x[i - 1] : 1.0) - 2 * x[i] + x[i + 1 < field->n ? i + 1 : i]);
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
plate_by_hand(const Field *field, const double *x, double *y)
{
  const uint32_t m = field->m;
  for (uint32_t i = 0; i < field->n; i++) {
    double sum = (i >= m ? x[i - m] : 1) + (i + m < field->n ? x[i + m] : 0) +
                 (i % m > 0 ? x[i - 1] : 0) + (i % m + 1 < m ? x[i + 1] : 0);
    y[i] = 100 * (sum - 4 * x[i]) - x[i] * x[i] * x[i] * x[i];
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
brusselator_by_hand(const Field *field, const double *x, double *y)
{
  const uint32_t m = field->n / 2;
  const double *u = x;
  const double *v = x + m;
  for (uint32_t i = 0; i < m; i++) {
    double gain = u[i] * u[i] * v[i];
    y[i] = 1 + gain - 204 * u[i] + 100 * ((i > 0 ? u[i - 1] : 1) + (i + 1 < m ? u[i + 1] : 1));
    y[m + i] = 3 * u[i] - gain - 200 * v[i] +
               100 * ((i > 0 ? v[i - 1] : 3) + (i + 1 < m ? v[i + 1] : 3));
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
measure_by_hand(const Field *field, void (*by_hand)(const Field *, const double *, double *),
                const double *x, double *y)
{
  double best = INFINITY;
  const uint32_t repeats = 1 + 4000000 / field->n;
  for (int round = 0; round < 7; round++) {
    double before = cpu_seconds();
    for (uint32_t r = 0; r < repeats; r++) {
      by_hand(field, x, y);
      __asm__ volatile("" : : "r"(y) : "memory");
    }
    best = fmin(best, (cpu_seconds() - before) / repeats);
  }
  return best / field->n * 1e9;
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
run(const char *name, uint32_t n, void (*build)(Field *),
    void (*by_hand)(const Field *, const double *, double *))
{
  Field field = {.terms = dae_terms_new(), .n = n};
  field.m = (uint32_t)sqrt(n);
  field.x = g_new(DaeTerm, n);
  field.rhs = g_new(DaeTerm, n);
  for (uint32_t i = 0; i < n; i++) {
    g_autofree char *symbol = g_strdup_printf("x%u", i);
    field.x[i] = dae_term_variable(
        field.terms, dae_terms_add_symbol(field.terms, DAE_SYMBOL_VARIABLE, symbol), 0);
  }
  build(&field);
  g_autoptr(DaeSystem) single = system_of(&field, true);
  g_autoptr(DaeSystem) kernels = system_of(&field, false);
  const size_t size = (size_t)n * DAE_LANES_MAX;
  double *x = dae_aligned_new0(size * sizeof(double));
  double *y = dae_aligned_new0(size * sizeof(double));
  double *z = dae_aligned_new0(size * sizeof(double));
  for (size_t i = 0; i < size; i++) {
    x[i] = 0.5 + (double)(i % 17) / 32;
  }
  for (unsigned lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : 2 * lanes) {
    double before = measure(dae_system_evaluator(single), lanes, x, y);
    double now = measure(dae_system_evaluator(kernels), lanes, x, z);
    const bool same = memcmp(y, z, (size_t)n * lanes * sizeof(double)) == 0;
    printf("| %s | %u | %u | %.3f | %.3f | %.2f |", name, n, lanes, before, now, before / now);
    if (lanes == 1) {
      printf(" %.3f |\n", measure_by_hand(&field, by_hand, x, y));
    } else {
      printf("  |\n");
    }
    if (!same) {
      fprintf(stderr, "%s %u: other bits\n", name, n);
      exit(1);
    }
  }
  free(x);
  free(y);
  free(z);
  g_free(field.x);
  g_free(field.rhs);
  dae_terms_free(field.terms);
}

int
main(int argc, char **argv)
{
  printf("| field | unknowns | lanes | single / ns | kernels / ns | single / kernels "
         "| by hand / ns |\n|---|---|---|---|---|---|---|\n");
  for (int i = 1; i < argc; i++) {
    const uint32_t n = (uint32_t)strtoul(argv[i], NULL, 10);
    run("rod", n, rod, rod_by_hand);
    run("plate", n, plate, plate_by_hand);
    run("brusselator", n, brusselator, brusselator_by_hand);
  }
  return 0;
}
