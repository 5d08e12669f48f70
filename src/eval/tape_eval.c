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

/* Outputs side by side that are not worth a call. */
#define FEW 4u

/* Where stretches are short, one by one. The sum of x - x. */
static double
copy_singly(const double *registers, const uint32_t *from, uint32_t n, double *to)
{
  double check = 0.0;
  for (uint32_t k = 0; k < n; k++) {
    const double value = registers[from[k]];
    to[k] = value;
    check += value - value;
  }
  return check;
}

/* Copies out; true if all is finite. x - x is 0 for a finite x and NaN otherwise. */
static inline __attribute__((always_inline)) bool
copy_outputs(const DaeTape *tape, unsigned lanes, unsigned width, uint32_t groups,
             const double *registers, double *const *outs)
{
  double check[DAE_LANES_MAX] = {0.0};
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    double *to = outs[g];
    const uint32_t n_outputs = tape->group_start[g + 1] - tape->group_start[g];
    const uint32_t n_stores = tape->store_start[g + 1] - tape->store_start[g];
    if (width == 1 && n_outputs < FEW * n_stores) {
      if ((groups >> g & 1u) != 0) {
        check[0] += copy_singly(registers, tape->outputs + tape->group_start[g], n_outputs, to);
      }
      continue;
    }
    for (uint32_t s = tape->store_start[g];
         (groups >> g & 1u) != 0 && s < tape->store_start[g + 1]; s++) {
      const DaeStore *store = &tape->stores[s];
      const double *from = registers + (size_t)store->from * width;
      if (lanes == width && store->n > FEW) {
        check[0] += dae_copy_checked(from, (size_t)store->n * width, to);
        to += (size_t)store->n * width;
        continue;
      }
      for (uint32_t k = 0; k < store->n; k++, from += width, to += lanes) {
        for (unsigned l = 0; l < lanes; l++) {
          to[l] = from[l];
          check[l] += from[l] - from[l];
        }
      }
    }
  }
  double sum = 0.0;
  for (unsigned l = 0; l < DAE_LANES_MAX; l++) {
    sum += check[l];
  }
  return sum == 0.0;
}

static uint32_t
first_fault(const DaeTape *tape, unsigned lanes, unsigned width, uint32_t groups,
            const double *registers)
{
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    for (uint32_t o = tape->group_start[g];
         (groups >> g & 1u) != 0 && o < tape->group_start[g + 1]; o++) {
      for (unsigned l = 0; l < lanes; l++) {
        if (!isfinite(registers[(size_t)tape->outputs[o] * width + l])) {
          return o;
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
} Evaluation;

/* One copy for each common number of lanes, so that the loops over
 * them become vector instructions. */
static inline __attribute__((always_inline)) bool
evaluate(const Evaluation *e, unsigned lanes, unsigned width)
{
  const DaeVariant *variant = e->variant;
  const double *const *sources = e->inputs->sources;
  const DaeLevel from =
      recall(e->tape, e->memory, lanes, width, e->groups, e->inputs, e->registers);
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
    if (lanes == width && load->n > 1) {
      memcpy(to, in, (size_t)load->n * width * sizeof *in);
      continue;
    }
    for (uint32_t k = 0; k < load->n; k++) {
      load_lanes(in + (size_t)k * lanes, lanes, width, to + (size_t)k * width);
    }
  }
  if (e->tape->native == NULL ||
      !dae_native_run(e->tape->native, e->groups, width, from, e->registers)) {
    const uint32_t first = from == DAE_LEVEL_SEGMENT ? 0 : variant->instructions_to[from - 1];
    const DaeInstruction *instructions = variant->instructions; /* NULL: none at all */
    dae_lanes_run(first > 0 ? instructions + first : instructions,
                  variant->n_instructions - first, width, e->registers);
  }
  return copy_outputs(e->tape, lanes, width, e->groups, e->registers, e->outs);
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
  const Evaluation e = {
      .tape = tape,
      .variant = dae_tape_variant(tape, groups),
      .groups = groups,
      .inputs = inputs,
      .outs = outs,
      .memory = width == 1 ? &head->narrow : &head->wide,
      .registers = (double *)(void *)(registers + (width == 1 ? 0 : register_bytes(tape, 1)))};
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
    *fault = first_fault(tape, lanes, width, groups, e.registers);
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
