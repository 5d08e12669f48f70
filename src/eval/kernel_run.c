/* Running kernels (kernel.h): some hundred instances at a time, one step after the other. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

/* Doubles for columns and temporary values: they stay in the first cache. */
#define BUFFER 4096u
#define LONGEST 512u

typedef double Vector8 __attribute__((vector_size(64)));

#define KERNEL_NAME step_plain
#define KERNEL_COPY copy_plain
#define KERNEL_TARGET
#include "eval/kernel-loop.inc"

#if defined(__x86_64__)
#define KERNEL_NAME step_avx2
#define KERNEL_COPY copy_avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#include "eval/kernel-loop.inc"

#define KERNEL_NAME step_avx512
#define KERNEL_COPY copy_avx512
#ifdef __clang__ /* does not know the preference */
#define KERNEL_TARGET __attribute__((target("avx512f")))
#else
#define KERNEL_TARGET __attribute__((target("avx512f,prefer-vector-width=512")))
#endif
#include "eval/kernel-loop.inc"
#endif

typedef void (*Step)(DaeOp op, size_t n, const double *const *from, double *to);

static Step
step_of_machine(void)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    return step_avx512;
  }
  if (__builtin_cpu_supports("avx2")) {
    return step_avx2;
  }
#endif
  return step_plain;
}

typedef struct {
  const DaeKernel *kernel;
  unsigned width;
  double *registers;
  DaeKernelArrays *arrays; /* NULL: all is in registers */
  uint32_t target;         /* of the next instance */
  Step step;
  uint32_t most; /* instances at a time */
  double *buffer[DAE_KERNEL_PLACES];
  const double *place[DAE_KERNEL_PLACES]; /* a buffer, or where the column lies */
} Run;

/* Values to outputs that lie apart. */
static inline __attribute__((always_inline)) void
scatter(const double *from, uint32_t n, unsigned width, const DaeKernelTarget *target,
        uint32_t first, double *outs)
{
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t output = target->output + (first + i - target->start) * target->step;
    for (unsigned l = 0; l < width; l++) {
      outs[(size_t)output * width + l] = from[(size_t)i * width + l];
    }
  }
}

static void
give_piece(Run *run, const DaeKernelTarget *target, uint32_t first, uint32_t n, double *values)
{
  double *outs = run->arrays->outs[target->group];
  const size_t length = (size_t)n * run->width;
  if (target->step == 1) {
    const uint32_t output = target->output + (first - target->start);
    run->arrays->check += dae_copy_checked(values, length, outs + (size_t)output * run->width);
    return;
  }
  run->arrays->check += dae_copy_checked(values, length, values);
  switch (run->width) { /* a copy for each, so that they become vector instructions */
  case 1:
    scatter(values, n, 1, target, first, outs);
    break;
  case 4:
    scatter(values, n, 4, target, first, outs);
    break;
  case 8:
    scatter(values, n, 8, target, first, outs);
    break;
  default:
    scatter(values, n, run->width, target, first, outs);
    break;
  }
}

/* Instances come in order, and so do targets. */
static void
give(Run *run, uint32_t first, uint32_t n, double *values)
{
  const DaeKernel *kernel = run->kernel;
  for (uint32_t given = 0; given < n;) {
    while (run->target + 1 < kernel->n_targets &&
           kernel->targets[run->target + 1].start <= first + given) {
      run->target++;
    }
    const uint32_t end = run->target + 1 < kernel->n_targets
                             ? kernel->targets[run->target + 1].start
                             : kernel->n;
    const uint32_t piece = MIN(end - (first + given), n - given);
    give_piece(run, &kernel->targets[run->target], first + given, piece,
               values + (size_t)given * run->width);
    given += piece;
  }
}

static void
run_steps(Run *run, uint32_t first, uint32_t n)
{
  const DaeKernel *kernel = run->kernel;
  const size_t length = (size_t)n * run->width;
  const bool gives = run->arrays != NULL && kernel->n_targets > 0;
  for (uint32_t s = 0; s < kernel->n_steps; s++) {
    const DaeKernelStep *step = &kernel->steps[s];
    const double *from[4];
    for (uint32_t k = 0; k < 4; k++) {
      from[k] = run->place[step->from[k]];
    }
    double *to = s + 1 < kernel->n_steps || gives
                     ? run->buffer[step->to]
                     : run->registers + ((size_t)kernel->to + first) * run->width;
    run->step((DaeOp)step->op, length, from, to);
  }
  if (gives) {
    give(run, first, n, run->buffer[kernel->steps[kernel->n_steps - 1].to]);
  }
}

/* The array that a column is read from, and what is added to its registers there. */
static const double *
array_of(const Run *run, uint32_t column, uint32_t *shift)
{
  if (run->arrays == NULL || run->kernel->inputs[column].source == DAE_SOURCE_COUNT) {
    *shift = 0;
    return run->registers;
  }
  *shift = run->kernel->inputs[column].shift;
  return run->arrays->sources[run->kernel->inputs[column].source];
}

static void
run_stretch(Run *run, uint32_t stretch)
{
  const DaeKernel *kernel = run->kernel;
  const uint32_t *start = kernel->stretch_start + stretch;
  for (uint32_t i = start[0]; i < start[1]; i += run->most) {
    for (uint32_t c = 0; c < kernel->n_columns; c++) {
      if (!kernel->is_shared[c]) {
        uint32_t shift;
        const double *array = array_of(run, c, &shift);
        const uint32_t from =
            kernel->stretch_from[stretch * kernel->n_columns + c] + (i - start[0]) + shift;
        run->place[c] = array + (size_t)from * run->width;
      }
    }
    run_steps(run, i, MIN(run->most, start[1] - i));
  }
}

static inline __attribute__((always_inline)) void
gather(const uint32_t *table, uint32_t n, unsigned width, const double *array, uint32_t shift,
       double *to)
{
  for (uint32_t i = 0; i < n; i++) {
    const size_t from = (size_t)(table[i] + shift) * width;
    for (unsigned l = 0; l < width; l++) {
      to[(size_t)i * width + l] = array[from + l];
    }
  }
}

static void
run_table(Run *run)
{
  const DaeKernel *kernel = run->kernel;
  for (uint32_t i = 0; i < kernel->n; i += run->most) {
    const uint32_t n = MIN(run->most, kernel->n - i);
    for (uint32_t c = 0; c < kernel->n_columns; c++) {
      const uint32_t *table = kernel->table + (size_t)c * kernel->n + i;
      if (kernel->is_shared[c]) {
        continue;
      }
      uint32_t shift;
      const double *array = array_of(run, c, &shift);
      switch (run->width) { /* as above */
      case 1:
        gather(table, n, 1, array, shift, run->buffer[c]);
        break;
      case 4:
        gather(table, n, 4, array, shift, run->buffer[c]);
        break;
      case 8:
        gather(table, n, 8, array, shift, run->buffer[c]);
        break;
      default:
        gather(table, n, run->width, array, shift, run->buffer[c]);
        break;
      }
    }
    run_steps(run, i, n);
  }
}

static inline __attribute__((always_inline)) void
spread(const double *from, unsigned width, uint32_t n, double *to)
{
  for (uint32_t i = 0; i < n; i++) {
    for (unsigned l = 0; l < width; l++) {
      to[(size_t)i * width + l] = from[l];
    }
  }
}

/* Leaves that all instances share, as often as they are needed at a time. */
static void
spread_shared(Run *run)
{
  const DaeKernel *kernel = run->kernel;
  const uint32_t n = MIN(run->most, kernel->n);
  for (uint32_t c = 0; c < kernel->n_columns; c++) {
    if (!kernel->is_shared[c]) {
      continue;
    }
    const double *from = run->registers + (size_t)dae_kernel_leaf(kernel, 0, c) * run->width;
    switch (run->width) { /* as above */
    case 1:
      spread(from, 1, n, run->buffer[c]);
      break;
    case 4:
      spread(from, 4, n, run->buffer[c]);
      break;
    case 8:
      spread(from, 8, n, run->buffer[c]);
      break;
    default:
      spread(from, run->width, n, run->buffer[c]);
      break;
    }
  }
}

void
dae_kernel_run_direct(const DaeKernel *kernel, unsigned width, double *registers,
                      DaeKernelArrays *arrays)
{
  _Alignas(64) double buffer[BUFFER];
  const uint32_t length = MIN(LONGEST, BUFFER / kernel->n_places / 8 * 8);
  Run run = {.kernel = kernel,
             .width = width,
             .registers = registers,
             .arrays = arrays,
             .step = step_of_machine(),
             .most = length / width};
  DAE_ASSERT(kernel->n_places <= DAE_KERNEL_PLACES && run.most > 0);
  for (uint32_t p = 0; p < kernel->n_places; p++) {
    run.buffer[p] = buffer + (size_t)p * length;
    run.place[p] = run.buffer[p];
  }
  spread_shared(&run);
  if (kernel->table != NULL) {
    run_table(&run);
    return;
  }
  for (uint32_t s = 0; s < kernel->n_stretches; s++) {
    run_stretch(&run, s);
  }
}

void
dae_kernel_run(const DaeKernel *kernel, unsigned width, double *registers)
{
  dae_kernel_run_direct(kernel, width, registers, NULL);
}

double
dae_copy_checked(const double *from, size_t n, double *to)
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    return copy_avx512(from, n, to);
  }
  if (__builtin_cpu_supports("avx2")) {
    return copy_avx2(from, n, to);
  }
#endif
  return copy_plain(from, n, to);
}
