/* Some outputs of a tape alone: the instructions that lead to them, with registers of their own,
 * so that nothing of a whole evaluation is disturbed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"

struct DaeChosen {
  const DaeTape *tape;
  DaeVariant part;
  uint32_t *outputs; /* registers */
  uint32_t n_outputs;
  double *registers;
  uint64_t segment_number;
  bool knows_segment; /* registers of the segment belong to segment_number */
};

static DaeLevel
level_at(const uint32_t *ends, uint32_t i)
{
  return i < ends[DAE_LEVEL_SEGMENT] ? DAE_LEVEL_SEGMENT
         : i < ends[DAE_LEVEL_TIME]  ? DAE_LEVEL_TIME
                                     : DAE_LEVEL_POINT;
}

/* Registers of the point are never those of another level, nor those of constants (tape.c). */
void
dae_tape_depends(const DaeTape *tape, uint32_t group, uint8_t *depends)
{
  static const uint8_t of_level[DAE_LEVEL_COUNT] = {[DAE_LEVEL_SEGMENT] = DAE_DEPENDS_SEGMENT,
                                                    [DAE_LEVEL_TIME] = DAE_DEPENDS_TIME,
                                                    [DAE_LEVEL_POINT] = DAE_DEPENDS_UNKNOWNS};
  g_autofree uint8_t *of_register = g_malloc((size_t)tape->n_registers + 1);
  memset(of_register, DAE_DEPENDS_UNKNOWNS, (size_t)tape->n_registers + 1);
  memset(of_register, DAE_DEPENDS_NOTHING, tape->n_constants);
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    memset(of_register + tape->full.loads[i].to, of_level[level_at(tape->full.loads_to, i)],
           tape->full.loads[i].n);
  }
  for (uint32_t i = 0; i < tape->full.n_instructions; i++) {
    of_register[tape->full.instructions[i].to] =
        of_level[level_at(tape->full.instructions_to, i)];
  }
  const uint32_t first = tape->group_start[group];
  for (uint32_t o = first; o < tape->group_start[group + 1]; o++) {
    depends[o - first] = of_register[tape->outputs[o]];
  }
}

/* Marks the registers that an instruction reads; false: it belongs to a call, which has a frame. */
static bool
need_operands(const DaeInstruction *instruction, uint8_t *needed)
{
  const DaeOp op = (DaeOp)instruction->op;
  const uint32_t operands[4] = {instruction->a, instruction->b, instruction->c, instruction->d};
  for (uint32_t k = 0; k < dae_op_arity(op); k++) {
    needed[operands[k]] = 1;
  }
  return !dae_op_is_of_call(op);
}

/* The instance of a kernel whose result is register `to` as single instructions, the last one
 * first; temporary values lie behind the registers of the tape. */
static void
unroll_instance(const DaeTape *tape, const DaeKernel *kernel, uint32_t to, GArray *chosen,
                uint8_t *needed)
{
  for (uint32_t s = kernel->n_steps; s-- > 0;) {
    const DaeKernelStep *step = &kernel->steps[s];
    uint32_t from[4] = {0, 0, 0, 0};
    for (uint32_t k = 0; k < dae_op_arity((DaeOp)step->op); k++) {
      const uint32_t place = step->from[k];
      if (place < kernel->n_columns) {
        from[k] = dae_kernel_leaf(kernel, to - kernel->to, place);
        needed[from[k]] = 1;
      } else {
        from[k] = tape->n_registers + place - kernel->n_columns;
      }
    }
    const DaeInstruction instruction = {
        .op = step->op,
        .to = s + 1 < kernel->n_steps ? tape->n_registers + step->to - kernel->n_columns : to,
        .a = from[0],
        .b = from[1],
        .c = from[2],
        .d = from[3]};
    g_array_append_val(chosen, instruction);
  }
}

static void
unroll_kernel(const DaeTape *tape, const DaeKernel *kernel, GArray *chosen, uint8_t *needed)
{
  for (uint32_t i = kernel->n; i-- > 0;) {
    if (needed[kernel->to + i]) {
      needed[kernel->to + i] = 0;
      unroll_instance(tape, kernel, kernel->to + i, chosen, needed);
    }
  }
}

/* Backwards: what is needed, and not before it is written for the last time. from[level] is how
 * many of the chosen ones belong to that level and those above it. */
static bool
choose_instructions(const DaeTape *tape, uint8_t *needed, GArray *chosen, uint32_t *from)
{
  bool good = true;
  for (uint32_t i = tape->full.n_instructions; good && i-- > 0;) {
    const DaeInstruction *instruction = &tape->full.instructions[i];
    if (instruction->op == DAE_OP_KERNEL) {
      unroll_kernel(tape, dae_instruction_kernel(instruction), chosen, needed);
    } else if (needed[instruction->to]) {
      needed[instruction->to] = 0;
      g_array_append_val(chosen, *instruction);
      good = need_operands(instruction, needed);
    }
    from[level_at(tape->full.instructions_to, i)] = chosen->len;
  }
  return good;
}

static void
copy_part(DaeSlice *slice, const uint8_t *needed, const GArray *chosen, const uint32_t *from)
{
  const DaeVariant *full = &slice->tape->full;
  DaeVariant *part = &slice->part;
  part->n_instructions = chosen->len;
  part->instructions = g_new(DaeInstruction, (size_t)chosen->len + 1);
  g_autoptr(GArray) loads = g_array_new(FALSE, FALSE, sizeof(DaeLoad));
  for (uint32_t i = 0; i < full->n_loads; i++) {
    for (uint32_t k = 0; k < full->loads[i].n; k++) {
      DaeLoad load = full->loads[i];
      load.index += k;
      load.to += k;
      load.n = 1;
      if (needed[load.to]) {
        g_array_append_val(loads, load);
      }
    }
    part->loads_to[level_at(full->loads_to, i)] = loads->len;
  }
  part->n_loads = loads->len;
  part->loads = (DaeLoad *)(void *)g_array_free(g_steal_pointer(&loads), FALSE);
  for (guint i = 0; i < chosen->len; i++) {
    part->instructions[i] = g_array_index(chosen, DaeInstruction, chosen->len - 1 - i);
  }
  uint32_t above = 0; /* chosen ones of higher levels */
  for (uint32_t level = DAE_LEVEL_COUNT; level-- > 0;) {
    part->instructions_to[level] = chosen->len - above;
    above = MAX(above, from[level]);
  }
}

/* Is every register that is still needed a constant or loaded? */
static bool
all_is_there(const DaeTape *tape, const uint8_t *needed)
{
  g_autofree uint8_t *is_loaded = g_malloc0((size_t)tape->n_registers + 1);
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    memset(is_loaded + tape->full.loads[i].to, 1, tape->full.loads[i].n);
  }
  for (uint32_t k = tape->n_constants; k < tape->n_registers; k++) {
    if (needed[k] && !is_loaded[k]) {
      return false;
    }
  }
  return true;
}

DaeSlice *
dae_slice_new(const DaeTape *tape, const uint32_t *outputs, uint32_t n_outputs)
{
  g_autofree uint8_t *needed = g_malloc0((size_t)tape->n_registers + 1);
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DaeInstruction));
  uint32_t from[DAE_LEVEL_COUNT] = {0};
  for (uint32_t o = 0; o < n_outputs; o++) {
    needed[tape->outputs[outputs[o]]] = 1;
  }
  if (!choose_instructions(tape, needed, chosen, from) || !all_is_there(tape, needed)) {
    return NULL;
  }
  DaeSlice *slice = g_new0(DaeSlice, 1);
  slice->tape = tape;
  copy_part(slice, needed, chosen, from);
  slice->outputs = g_new(uint32_t, (size_t)n_outputs + 1);
  slice->n_outputs = n_outputs;
  for (uint32_t o = 0; o < n_outputs; o++) {
    slice->outputs[o] = tape->outputs[outputs[o]];
  }
  slice->registers =
      dae_aligned_new0(((size_t)tape->n_registers + DAE_KERNEL_PLACES + 1) * sizeof(double));
  dae_tape_set_constants(tape, 1, slice->registers);
  return slice;
}

void
dae_slice_free(DaeSlice *slice)
{
  if (slice != NULL) {
    g_free(slice->part.instructions);
    g_free(slice->part.loads);
    g_free(slice->outputs);
    free(slice->registers);
    g_free(slice);
  }
}

int
dae_slice_eval(DaeSlice *slice, const DaeTapeInputs *inputs, double *out)
{
  const DaeVariant *part = &slice->part;
  const bool knows = slice->knows_segment && slice->segment_number == inputs->segment_number;
  for (uint32_t i = knows ? part->loads_to[DAE_LEVEL_SEGMENT] : 0; i < part->n_loads; i++) {
    slice->registers[part->loads[i].to] =
        inputs->sources[part->loads[i].source][part->loads[i].index];
  }
  const uint32_t first = knows ? part->instructions_to[DAE_LEVEL_SEGMENT] : 0;
  dae_lanes_run(part->instructions + first, part->n_instructions - first, 1, slice->registers);
  slice->knows_segment = true;
  slice->segment_number = inputs->segment_number;
  double check = 0.0; /* x - x is 0 for a finite x and NaN otherwise */
  for (uint32_t o = 0; o < slice->n_outputs; o++) {
    out[o] = slice->registers[slice->outputs[o]];
    check += out[o] - out[o];
  }
  return check == 0.0 ? 0 : 1;
}
