/* Calls of routines on a tape: bodies as tapes in it, or the interpreter of routines. */
#include <string.h>

#include "eval/eval-priv.h"

static DaeTape *
tape_of_body(const DaeProgramBody *body)
{
  g_autofree uint32_t *source = g_new(uint32_t, body->n_inputs + 1);
  g_autofree uint32_t *index = g_new(uint32_t, body->n_inputs + 1);
  const uint32_t group_start[2] = {0, body->n_outputs};
  for (uint32_t i = 0; i < body->n_inputs; i++) {
    source[i] = DAE_SOURCE_POINT;
    index[i] = i;
  }
  const DaeTapePlan plan = {.program = body->program,
                            .outputs = body->outputs,
                            .group_start = group_start,
                            .n_groups = 1,
                            .input_source = source,
                            .input_index = index,
                            .is_single = true};
  return dae_tape_from_program(&plan);
}

void
dae_tape_place_bodies(DaeTape *tape, const DaeProgram *program)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  GArray *bodies = g_array_new(FALSE, FALSE, sizeof(DaeTapeBody));
  for (uint32_t i = 0; i < tape->n_calls; i++) {
    const DaeProgramBody *of = dae_program_call(program, i)->body;
    uint32_t at = of != NULL ? GPOINTER_TO_UINT(g_hash_table_lookup(known, of)) : 0;
    if (of != NULL && at == 0) {
      DaeTapeBody body = {of, tape_of_body(of), (tape->n_registers + 7) / 8 * 8};
      tape->n_registers = body.block + body.tape->n_registers;
      g_array_append_val(bodies, body);
      at = bodies->len;
      g_hash_table_insert(known, (gpointer)of, GUINT_TO_POINTER(at));
    }
    if (at != 0) {
      tape->calls[i].body = g_array_index(bodies, DaeTapeBody, at - 1).tape;
      tape->calls[i].block = g_array_index(bodies, DaeTapeBody, at - 1).block;
    }
  }
  tape->n_bodies = bodies->len;
  tape->bodies = (DaeTapeBody *)(void *)g_array_free(bodies, FALSE);
}

/* Spare lanes repeat the first one, so they are not run for nothing. */
void
dae_tape_call_run(const DaeTapeCall *call, double *registers, uint32_t at, unsigned width,
                  DaeRoutineFunction run)
{
  double *frame = registers + (size_t)at * width;
  double few[64];
  const size_t n = (size_t)call->n_inputs + call->n_outputs;
  g_autofree double *many = n > G_N_ELEMENTS(few) ? g_new(double, n) : NULL;
  double *lane = many != NULL ? many : few;
  for (unsigned l = 0; l < width; l++) {
    bool is_same = l > 0;
    for (uint32_t i = 0; i < call->n_inputs; i++) {
      const double value = frame[(size_t)i * width + l];
      is_same = is_same && memcmp(&lane[i], &value, sizeof value) == 0;
      lane[i] = value;
    }
    if (!is_same && run != NULL) {
      run(lane, lane + call->n_inputs);
    } else if (!is_same) {
      dae_routine_run(call->code, lane, lane + call->n_inputs);
    }
    for (uint32_t k = 0; k < call->n_outputs; k++) {
      frame[((size_t)call->n_inputs + k) * width + l] = lane[call->n_inputs + k];
    }
  }
}

void
dae_tape_set_constants(const DaeTape *tape, unsigned width, double *registers)
{
  for (uint32_t i = 0; i < tape->n_constants; i++) {
    for (unsigned l = 0; l < width; l++) {
      registers[(size_t)i * width + l] = tape->constants[i];
    }
  }
  for (uint32_t i = 0; i < tape->n_bodies; i++) {
    const DaeTapeBody *body = &tape->bodies[i];
    dae_tape_set_constants(body->tape, width, registers + (size_t)body->block * width);
  }
}
