/* Tapes over a point of a system: t, x, x' and segment values. */
#include <string.h>

#include "eval/eval-priv.h"

struct DaePointTape {
  DaeTape *tape;
  uint32_t n_segment;
  size_t tape_at; /* its part of the scratch; the segment values come first */
};

/* Begin of a scratch; n_segment values follow. */
typedef struct {
  uint64_t number; /* of calls with other values; 0: all values are 0 */
} Head;

static double *
segment_of(void *scratch)
{
  return (double *)(void *)((char *)scratch + sizeof(Head));
}

static DaeTape *
compile_outputs(DaeTerms *terms, const DaePointAtoms *atoms, const DaeTerm *outputs,
                uint32_t n_outputs, GError **error)
{
  const DaeSystemParts parts = {.unknowns = atoms->unknowns,
                                .n = atoms->n,
                                .segment = atoms->segment,
                                .n_segment = atoms->n_segment};
  const uint32_t n_inputs = dae_system_n_inputs(&parts);
  g_autofree uint32_t *source = g_new(uint32_t, n_inputs);
  g_autofree uint32_t *index = g_new(uint32_t, n_inputs);
  dae_system_sources(&parts, source, index);
  g_autoptr(DaeProgram) program = dae_program_new();
  g_autoptr(DaeCompiler) compiler = dae_compiler_new(terms, program);
  dae_system_bind(compiler, terms, &parts);
  return dae_tape_of_outputs(compiler, program, outputs, n_outputs, source, index, error);
}

DaePointTape *
dae_point_tape_new(DaeTerms *terms, const DaePointAtoms *atoms, const DaeTerm *outputs,
                   uint32_t n_outputs, GError **error)
{
  DaeTape *tape = compile_outputs(terms, atoms, outputs, n_outputs, error);
  if (tape == NULL) {
    return NULL;
  }
  DaePointTape *point = g_new0(DaePointTape, 1);
  const size_t bytes = sizeof(Head) + atoms->n_segment * sizeof(double);
  *point = (DaePointTape){
      .tape = tape, .n_segment = atoms->n_segment, .tape_at = (bytes + 63) / 64 * 64};
  return point;
}

void
dae_point_tape_free(DaePointTape *tape)
{
  if (tape != NULL) {
    dae_tape_free(tape->tape);
    g_free(tape);
  }
}

size_t
dae_point_tape_scratch_size(const DaePointTape *tape)
{
  return tape->tape_at + dae_tape_scratch_size(tape->tape);
}

void
dae_point_tape_set_segment(const DaePointTape *tape, void *scratch, const double *segment)
{
  Head *head = scratch;
  const size_t bytes = tape->n_segment * sizeof *segment;
  if (tape->n_segment > 0 && memcmp(segment_of(scratch), segment, bytes) != 0) {
    head->number++;
    memcpy(segment_of(scratch), segment, bytes);
  }
}

int
dae_point_tape_eval(const DaePointTape *tape, void *scratch, unsigned lanes, const double *t,
                    const double *x, const double *xdot, double *out, uint32_t *fault)
{
  const Head *head = scratch;
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_TIME] = t,
                                            [DAE_SOURCE_POINT] = x,
                                            [DAE_SOURCE_SLOPES] = xdot,
                                            [DAE_SOURCE_SEGMENT] = segment_of(scratch)},
                                .segment_number = head->number};
  double *const outs[1] = {out};
  return dae_tape_eval_groups(tape->tape, (char *)scratch + tape->tape_at, lanes, 1, &inputs,
                              outs, fault);
}

DaeTapeCost
dae_point_tape_cost(const DaePointTape *tape)
{
  const DaeVariant *full = &tape->tape->full;
  DaeTapeCost cost = {.registers = tape->tape->n_registers};
  for (uint32_t i = full->instructions_to[DAE_LEVEL_SEGMENT]; i < full->n_instructions; i++) {
    cost.instructions++;
    dae_op_count(&cost, (DaeOp)full->instructions[i].op);
  }
  return cost;
}
