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
    of_register[tape->full.loads[i].to] = of_level[level_at(tape->full.loads_to, i)];
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

/* Backwards: what is needed, and not before it is written for the last time. */
static bool
choose_instructions(const DaeTape *tape, uint8_t *needed, uint8_t *chosen)
{
  bool good = true;
  for (uint32_t i = tape->full.n_instructions; good && i-- > 0;) {
    const DaeInstruction *instruction = &tape->full.instructions[i];
    if (needed[instruction->to]) {
      needed[instruction->to] = 0;
      chosen[i] = 1;
      good = need_operands(instruction, needed);
    }
  }
  return good;
}

static void
copy_part(DaeSlice *slice, const uint8_t *needed, const uint8_t *chosen)
{
  const DaeVariant *full = &slice->tape->full;
  DaeVariant *part = &slice->part;
  part->instructions = g_new(DaeInstruction, (size_t)full->n_instructions + 1);
  part->loads = g_new(DaeLoad, (size_t)full->n_loads + 1);
  for (uint32_t i = 0; i < full->n_loads; i++) {
    if (needed[full->loads[i].to]) {
      part->loads[part->n_loads++] = full->loads[i];
    }
    part->loads_to[level_at(full->loads_to, i)] = part->n_loads;
  }
  for (uint32_t i = 0; i < full->n_instructions; i++) {
    if (chosen[i]) {
      part->instructions[part->n_instructions++] = full->instructions[i];
    }
    part->instructions_to[level_at(full->instructions_to, i)] = part->n_instructions;
  }
}

/* Is every register that is still needed a constant or loaded? */
static bool
all_is_there(const DaeTape *tape, const uint8_t *needed)
{
  g_autofree uint8_t *is_loaded = g_malloc0((size_t)tape->n_registers + 1);
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    is_loaded[tape->full.loads[i].to] = 1;
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
  g_autofree uint8_t *chosen = g_malloc0((size_t)tape->full.n_instructions + 1);
  for (uint32_t o = 0; o < n_outputs; o++) {
    needed[tape->outputs[outputs[o]]] = 1;
  }
  if (!choose_instructions(tape, needed, chosen) || !all_is_there(tape, needed)) {
    return NULL;
  }
  DaeSlice *slice = g_new0(DaeSlice, 1);
  slice->tape = tape;
  copy_part(slice, needed, chosen);
  slice->outputs = g_new(uint32_t, (size_t)n_outputs + 1);
  slice->n_outputs = n_outputs;
  for (uint32_t o = 0; o < n_outputs; o++) {
    slice->outputs[o] = tape->outputs[outputs[o]];
  }
  slice->registers = dae_aligned_new0(((size_t)tape->n_registers + 1) * sizeof(double));
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
