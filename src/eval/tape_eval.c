/* Evaluation of a tape on lanes: registers keep what belongs to the segment and to the time. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

/* One value on all lanes. */
static inline void
spread(double value, unsigned width, double *to)
{
  for (unsigned l = 0; l < width; l++) {
    to[l] = value;
  }
}

/* lanes values, spare lanes repeat the first one. */
static inline void
load_lanes(const double *from, unsigned lanes, unsigned width, double *to)
{
  for (unsigned l = 0; l < width; l++) {
    to[l] = from[l < lanes ? l : 0];
  }
}

/* What registers hold from the evaluation before. */
typedef struct {
  uint32_t width; /* 0: nothing yet */
  uint32_t lanes;
  uint32_t segment_groups; /* whose registers of the segment belong to segment_number */
  uint32_t groups;         /* whose registers of the time belong to the times as well */
  uint64_t segment_number;
  double times[DAE_LANES_MAX];
} Memory;

/* Begin of a scratch. Registers for one lane and registers for several follow, since an
 * integrator goes to and fro between them. */
typedef struct {
  const DaeTape *tape; /* that it was used with last; NULL in a new one */
  Memory narrow, wide;
} Head;

static size_t
whole_lines(size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

static size_t
register_bytes(const DaeTape *tape, unsigned width)
{
  return whole_lines((size_t)tape->n_registers * width * sizeof(double));
}

/* Constants are there already, or are put there. Returns the first level
 * whose values must be computed. */
static inline __attribute__((always_inline)) DaeLevel
recall(const DaeTape *tape, Memory *memory, unsigned lanes, unsigned width, uint32_t groups,
       const DaeTapeInputs *inputs, double *registers)
{
  if (memory->width != width) {
    dae_tape_set_constants(tape, width, registers);
    memory->width = width;
    memory->segment_groups = 0;
    memory->groups = 0;
  }
  const DaeVariant *full = &tape->full;
  if (full->loads_to[DAE_LEVEL_TIME] == 0) {
    return DAE_LEVEL_POINT; /* all depends on the point */
  }
  if (memory->segment_number != inputs->segment_number) {
    memory->segment_number = inputs->segment_number;
    memory->segment_groups = 0;
    memory->groups = 0;
  }
  const bool segment_is_known = (groups & ~memory->segment_groups) == 0;
  memory->segment_groups |= groups;
  if (full->loads_to[DAE_LEVEL_TIME] == full->loads_to[DAE_LEVEL_SEGMENT]) {
    return segment_is_known ? DAE_LEVEL_POINT : DAE_LEVEL_SEGMENT; /* time does not occur */
  }
  const double *times = inputs->sources[DAE_SOURCE_TIME];
  if (memory->lanes != lanes || memcmp(memory->times, times, lanes * sizeof *times) != 0) {
    memory->lanes = lanes;
    memory->groups = 0;
    memcpy(memory->times, times, lanes * sizeof *times);
  }
  const bool time_is_known = (groups & ~memory->groups) == 0;
  memory->groups |= groups;
  return !segment_is_known ? DAE_LEVEL_SEGMENT
                           : (time_is_known ? DAE_LEVEL_POINT : DAE_LEVEL_TIME);
}

/* Returns the sum of x - x, which is 0 for finite x and NaN otherwise. */
static inline __attribute__((always_inline)) double
copy_singles(const DaeStore *stores, uint32_t n, unsigned lanes, unsigned width,
             const double *registers, double *to)
{
  double check[DAE_LANES_MAX] = {0.0};
  for (uint32_t s = 0; s < n; s++) {
    for (unsigned l = 0; l < lanes; l++) {
      const double value = registers[(size_t)stores[s].from * width + l];
      to[(size_t)stores[s].to * lanes + l] = value;
      check[l] += value - value;
    }
  }
  double sum = 0.0;
  for (unsigned l = 0; l < lanes; l++) {
    sum += check[l];
  }
  return sum;
}

static inline __attribute__((always_inline)) double
copy_stretch(const DaeStore *store, unsigned lanes, unsigned width, const double *registers,
             double *to)
{
  const double *from = registers + (size_t)store->from * width;
  to += (size_t)store->to * lanes;
  if (lanes == width) {
    return dae_copy_checked(from, (size_t)store->n * width, to);
  }
  double check = 0.0;
  for (uint32_t k = 0; k < store->n; k++) {
    for (unsigned l = 0; l < lanes; l++) {
      to[(size_t)k * lanes + l] = from[(size_t)k * width + l];
      check += from[(size_t)k * width + l] - from[(size_t)k * width + l];
    }
  }
  return check;
}

/* As above. */
static inline __attribute__((always_inline)) double
copy_outputs(const DaeTape *tape, const DaeStores *stores, unsigned lanes, unsigned width,
             uint32_t groups, const double *registers, double *const *outs)
{
  double check = 0.0;
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    if ((groups >> g & 1u) == 0) {
      continue;
    }
    for (uint32_t s = stores->stretch_start[g]; s < stores->stretch_start[g + 1]; s++) {
      check += copy_stretch(&stores->stretches[s], lanes, width, registers, outs[g]);
    }
    const uint32_t first = stores->single_start[g];
    const uint32_t n = stores->single_start[g + 1] - first;
    if (n > 0) {
      check += copy_singles(stores->singles + first, n, lanes, width, registers, outs[g]);
    }
  }
  return check;
}

static uint32_t
first_fault(const DaeTape *tape, unsigned lanes, uint32_t groups, double *const *outs)
{
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    const uint32_t n = tape->group_start[g + 1] - tape->group_start[g];
    for (uint32_t o = 0; (groups >> g & 1u) != 0 && o < n; o++) {
      for (unsigned l = 0; l < lanes; l++) {
        if (!isfinite(outs[g][(size_t)o * lanes + l])) {
          return tape->group_start[g] + o;
        }
      }
    }
  }
  return 0;
}

typedef struct {
  const DaeTape *tape;
  const DaeVariant *variant;
  uint32_t groups;
  const DaeTapeInputs *inputs;
  double *const *outs;
  Memory *memory;
  double *registers;
  bool is_native;
  bool is_direct; /* kernels read inputs and write outputs themselves */
} Evaluation;

static inline __attribute__((always_inline)) void
load_inputs(const Evaluation *e, DaeLevel from, unsigned lanes, unsigned width)
{
  const DaeVariant *variant = e->variant;
  const double *const *sources = e->inputs->sources;
  uint32_t i = from == DAE_LEVEL_SEGMENT ? 0 : variant->loads_to[from - 1];
  for (; i < variant->loads_to[DAE_LEVEL_SEGMENT]; i++) {
    const DaeLoad *load = &variant->loads[i];
    for (uint32_t k = 0; k < load->n; k++) {
      spread(sources[load->source][load->index + k], width,
             e->registers + ((size_t)load->to + k) * width);
    }
  }
  for (; i < variant->n_loads; i++) {
    const DaeLoad *load = &variant->loads[i];
    const double *in = sources[load->source] + (size_t)load->index * lanes;
    double *to = e->registers + (size_t)load->to * width;
    if (e->is_direct && load->is_alone) {
      for (uint32_t a = load->first_alone; a < load->first_alone + load->n_alone; a++) {
        const size_t k = e->tape->alone[a] - load->to;
        load_lanes(in + k * lanes, lanes, width, to + k * width);
      }
      continue;
    }
    if (lanes == width && load->n > 1) {
      memcpy(to, in, (size_t)load->n * width * sizeof *in);
      continue;
    }
    for (uint32_t k = 0; k < load->n; k++) {
      load_lanes(in + (size_t)k * lanes, lanes, width, to + (size_t)k * width);
    }
  }
}

static void
run_instructions(const Evaluation *e, uint32_t first, unsigned width)
{
  const DaeVariant *variant = e->variant;
  const DaeInstruction *instructions = variant->instructions; /* NULL: none at all */
  dae_lanes_run(first > 0 ? instructions + first : instructions,
                variant->n_instructions - first, width, e->registers);
}

/* Kernels are of the point: none is left out. */
static double
run_direct(const Evaluation *e, uint32_t first, unsigned width)
{
  const DaeVariant *variant = e->variant;
  DaeKernelArrays arrays = {.sources = e->inputs->sources, .outs = e->outs};
  for (uint32_t k = 0; k <= variant->n_kernels; k++) {
    const uint32_t end = k < variant->n_kernels ? variant->kernels[k] : variant->n_instructions;
    if (end > first) {
      dae_lanes_run(variant->instructions + first, end - first, width, e->registers);
    }
    if (end < variant->n_instructions) {
      dae_kernel_run_direct(dae_instruction_kernel(&variant->instructions[end]), width,
                            e->registers, &arrays);
    }
    first = end + 1;
  }
  return arrays.check;
}

/* One copy for each common number of lanes, so that the loops over
 * them become vector instructions. */
static inline __attribute__((always_inline)) bool
evaluate(const Evaluation *e, unsigned lanes, unsigned width)
{
  const DaeTape *tape = e->tape;
  const DaeLevel from =
      recall(tape, e->memory, lanes, width, e->groups, e->inputs, e->registers);
  load_inputs(e, from, lanes, width);
  const uint32_t first = from == DAE_LEVEL_SEGMENT ? 0 : e->variant->instructions_to[from - 1];
  double check = 0.0;
  if (e->is_native) {
    dae_native_run(tape->native, e->groups, width, from, e->registers);
  } else if (e->is_direct) {
    check = run_direct(e, first, width);
  } else {
    run_instructions(e, first, width);
  }
  const DaeStores *stores = e->is_direct ? &tape->others : &tape->stores;
  check += copy_outputs(tape, stores, lanes, width, e->groups, e->registers, e->outs);
  return check == 0.0;
}

/* Do arrays of outputs lie in arrays of inputs? Then inputs are read before outputs are written. */
static bool
is_in_place(const DaeTape *tape, unsigned lanes, uint32_t groups, const DaeTapeInputs *inputs,
            double *const *outs)
{
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    const uintptr_t out = (groups >> g & 1u) != 0 ? (uintptr_t)outs[g] : 0;
    const size_t n = tape->group_start[g + 1] - tape->group_start[g];
    for (uint32_t s = 0; out != 0 && s < DAE_SOURCE_COUNT; s++) {
      const uintptr_t in = (uintptr_t)inputs->sources[s];
      if (tape->extent[s] > 0 && out < in + (size_t)tape->extent[s] * lanes * sizeof(double) &&
          in < out + n * lanes * sizeof(double)) {
        return true;
      }
    }
  }
  return false;
}

int
dae_tape_eval_groups(const DaeTape *tape, void *scratch, unsigned lanes, uint32_t groups,
                     const DaeTapeInputs *inputs, double *const *outs, uint32_t *fault)
{
  static const uint8_t widths[DAE_LANES_MAX + 1] = {0, 1, 2, 4, 4, 8, 8, 8, 8};
  DAE_ASSERT(lanes >= 1 && lanes <= DAE_LANES_MAX);
  const unsigned width = widths[lanes];
  Head *head = scratch;
  if (head->tape != tape) {
    *head = (Head){.tape = tape};
  }
  char *registers = (char *)scratch + whole_lines(sizeof *head);
  const bool is_native = tape->native != NULL && dae_native_knows(tape->native, groups, width);
  const Evaluation e = {
      .tape = tape,
      .variant = dae_tape_variant(tape, groups),
      .groups = groups,
      .inputs = inputs,
      .outs = outs,
      .memory = width == 1 ? &head->narrow : &head->wide,
      .registers = (double *)(void *)(registers + (width == 1 ? 0 : register_bytes(tape, 1))),
      .is_native = is_native,
      .is_direct = tape->is_direct && !is_native && lanes == width &&
                   !is_in_place(tape, lanes, groups, inputs, outs)};
  bool finite;
  switch (lanes) {
  case 1:
    finite = evaluate(&e, 1, 1);
    break;
  case 4:
    finite = evaluate(&e, 4, 4);
    break;
  case 8:
    finite = evaluate(&e, 8, 8);
    break;
  default:
    finite = evaluate(&e, lanes, width);
    break;
  }
  if (!finite && fault != NULL) {
    *fault = first_fault(tape, lanes, groups, outs);
  }
  return finite ? 0 : 1;
}

size_t
dae_tape_scratch_size(const DaeTape *tape)
{
  return whole_lines(sizeof(Head)) + register_bytes(tape, 1) +
         register_bytes(tape, DAE_LANES_MAX);
}

int
dae_tape_eval(const DaeTape *tape, void *scratch, unsigned lanes, const double *in, double *out,
              uint32_t *fault)
{
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_POINT] = in}};
  double *const outs[1] = {out};
  return dae_tape_eval_groups(tape, scratch, lanes, 1, &inputs, outs, fault);
}
