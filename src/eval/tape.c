/* Tapes: registers for the nodes, and the public face of evaluation. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

/* ---- registers --------------------------------------------------------------------------- */

#define NEVER UINT32_MAX

typedef struct {
  DaeTape *tape;
  const DaeFused *fused;
  const DaeKernelPlan *kernels; /* NULL: single instructions only */
  const uint32_t *order;        /* of the nodes, where there are no kernels */
  uint32_t *register_of;        /* by node */
  uint32_t *last_use;           /* by node: index of the last user, NEVER for outputs */
  GArray *free_registers;
  GArray *instructions;
  GArray *loads;
  uint32_t *frame_of; /* by call: its first register */
  DaeDirect direct;   /* with kernels */
} Allocation;

static void
use_operands(Allocation *work, uint32_t i)
{
  uint32_t operands[4];
  const uint32_t arity =
      work->fused->groups[i] != 0 ? dae_program_operands(&work->fused->nodes[i], operands) : 0;
  for (uint32_t k = 0; k < arity; k++) {
    work->last_use[operands[k]] = i;
  }
}

/* In the order of the instructions; what kernels read stays. */
static void
find_last_uses(Allocation *work, const DaeTapePlan *plan)
{
  const DaeKernelPlan *kernels = work->kernels;
  const uint32_t n = kernels != NULL ? kernels->n_order : work->fused->n;
  for (uint32_t k = 0; k < n; k++) {
    use_operands(work, kernels != NULL ? kernels->order[k] : work->order[k]);
  }
  for (guint k = 0; kernels != NULL && k < kernels->kernels->len; k++) {
    const DaeKernel *kernel = g_ptr_array_index(kernels->kernels, k);
    for (size_t e = 0; e < (size_t)kernel->n_columns * kernel->n; e++) {
      work->last_use[kernel->table[e]] = NEVER;
    }
  }
  for (uint32_t o = 0; o < plan->group_start[plan->n_groups]; o++) {
    work->last_use[plan->outputs[o]] = NEVER;
  }
}

/* True: it continues the last one. */
static bool
extend_load(GArray *loads, const DaeLoad *load)
{
  DaeLoad *last = &g_array_index(loads, DaeLoad, loads->len - 1);
  const bool is_next = last->source == load->source && last->groups == load->groups &&
                       last->index + last->n == load->index && last->to + last->n == load->to;
  last->n += is_next ? 1 : 0;
  return is_next;
}

static void
place_loads(Allocation *work, const DaeTapePlan *plan, uint8_t level)
{
  const guint first = work->loads->len;
  for (uint32_t i = 0; i < work->fused->n; i++) {
    if (work->fused->groups[i] != 0 && work->fused->nodes[i].op == DAE_OP_INPUT &&
        work->fused->nodes[i].level == level) {
      const uint32_t input = work->fused->nodes[i].a;
      const DaeLoad load = {.source = plan->input_source[input],
                            .index = plan->input_index[input],
                            .to = work->tape->n_registers,
                            .groups = work->fused->groups[i],
                            .n = 1};
      work->register_of[i] = work->tape->n_registers++;
      if (work->loads->len == first || plan->is_single || !extend_load(work->loads, &load)) {
        g_array_append_val(work->loads, load);
      }
    }
  }
}

/* Constants and inputs have registers of their own, at the front. */
static void
place_leaves(Allocation *work, const DaeTapePlan *plan)
{
  DaeTape *tape = work->tape;
  uint32_t n_known;
  const double *known = dae_program_constants(plan->program, &n_known);
  tape->constants = g_new(double, n_known);
  for (uint32_t i = 0; i < work->fused->n; i++) {
    if (work->fused->groups[i] != 0 && work->fused->nodes[i].op == DAE_OP_CONST) {
      work->register_of[i] = tape->n_constants;
      tape->constants[tape->n_constants++] = known[work->fused->nodes[i].a];
    }
  }
  tape->n_registers = tape->n_constants;
  for (uint8_t level = 0; level < DAE_LEVEL_COUNT; level++) {
    place_loads(work, plan, level);
    tape->full.loads_to[level] = work->loads->len;
  }
}

static uint32_t
take_register(Allocation *work)
{
  if (work->free_registers->len == 0) {
    return work->tape->n_registers++;
  }
  const uint32_t last = work->free_registers->len - 1;
  const uint32_t taken = g_array_index(work->free_registers, uint32_t, last);
  g_array_set_size(work->free_registers, last);
  return taken;
}

/* What does not depend on the point stays as it is while Newton's method moves the unknowns: such
 * values keep their registers, and are computed again only for another time or another segment. */
static void
release_operands(Allocation *work, uint32_t i, const uint32_t *operands, uint32_t arity)
{
  for (uint32_t k = 0; k < arity; k++) {
    const uint32_t node = operands[k];
    bool is_again = false;
    for (uint32_t q = 0; q < k; q++) {
      is_again = is_again || operands[q] == node;
    }
    if (!is_again && work->last_use[node] == i &&
        work->fused->nodes[node].level == DAE_LEVEL_POINT &&
        dae_op_arity((DaeOp)work->fused->nodes[node].op) > 0 &&
        !dae_op_is_of_call((DaeOp)work->fused->nodes[node].op)) {
      g_array_append_val(work->free_registers, work->register_of[node]);
    }
  }
}

/* Frames keep their registers: what is constant in a segment is put there once. */
static uint32_t
place_in_frame(const Allocation *work, const DaeNode *node)
{
  const uint32_t frame = work->frame_of[node->d];
  switch ((int)node->op) {
  case DAE_OP_GIVE:
    return frame + node->c;
  case DAE_OP_TAKE:
    return frame + work->tape->calls[node->d].n_inputs + node->c;
  default:
    return frame;
  }
}

static void
set_address(DaeInstruction *instruction, const void *object)
{
  const uint64_t address = (uint64_t)(uintptr_t)object;
  instruction->b = (uint32_t)address;
  instruction->c = (uint32_t)(address >> 32);
}

/* An instruction may write the register of its own operand: every operation works lane by lane. */
static void
place_instruction(Allocation *work, uint32_t i)
{
  const DaeNode *node = &work->fused->nodes[i];
  uint32_t operands[4];
  const uint32_t arity = work->fused->groups[i] != 0 ? dae_program_operands(node, operands) : 0;
  if (arity == 0) {
    return;
  }
  uint32_t registers[4] = {0, 0, 0, 0};
  for (uint32_t k = 0; k < arity; k++) {
    registers[k] = work->register_of[operands[k]];
  }
  release_operands(work, i, operands, arity);
  work->register_of[i] =
      dae_op_is_of_call((DaeOp)node->op) ? place_in_frame(work, node) : take_register(work);
  if (node->op == DAE_OP_TAKE) {
    return; /* it is there already */
  }
  DaeInstruction instruction = {.op = node->op,
                                .groups = work->fused->groups[i],
                                .to = work->register_of[i],
                                .a = registers[0],
                                .b = registers[1],
                                .c = registers[2],
                                .d = registers[3]};
  if (node->op == DAE_OP_RUN) {
    set_address(&instruction, &work->tape->calls[node->d]);
    instruction.d = node->d;
  }
  if (node->op == DAE_OP_INTERVAL || node->op == DAE_OP_LOOKUP) {
    set_address(&instruction, work->tape->data[node->d]);
    instruction.d = node->d;
  }
  g_array_append_val(work->instructions, instruction);
}

/* Results of a kernel lie side by side in registers of their own. */
static void
place_kernel(Allocation *work, DaeKernel *kernel)
{
  kernel->to = work->tape->n_registers;
  for (uint32_t k = 0; k < kernel->n; k++) {
    work->register_of[kernel->roots[k]] = kernel->to + k;
  }
  work->tape->n_registers += kernel->n;
  dae_direct_kernel(&work->direct, kernel, work->register_of);
  dae_kernel_set_registers(kernel, work->register_of);
  DaeInstruction instruction = {
      .op = DAE_OP_KERNEL, .groups = (uint16_t)kernel->groups, .to = kernel->to};
  set_address(&instruction, kernel);
  g_array_append_val(work->instructions, instruction);
}

static void
place_by_phase(Allocation *work)
{
  const DaeKernelPlan *plan = work->kernels;
  uint32_t at = 0;
  for (guint k = 0; k < plan->kernels->len; k++) {
    DaeKernel *kernel = g_ptr_array_index(plan->kernels, k);
    for (; at < plan->n_order && plan->phase_of[plan->order[at]] <= kernel->phase; at++) {
      place_instruction(work, plan->order[at]);
    }
    place_kernel(work, kernel);
  }
  for (; at < plan->n_order; at++) {
    place_instruction(work, plan->order[at]);
  }
}

static void
place_instructions(Allocation *work, uint8_t level)
{
  if (level == DAE_LEVEL_POINT && work->kernels != NULL) {
    place_by_phase(work);
    return;
  }
  for (uint32_t k = 0; k < work->fused->n; k++) {
    if (work->fused->nodes[work->order[k]].level == level) {
      place_instruction(work, work->order[k]);
    }
  }
}

static void
copy_data(DaeTape *tape, const DaeProgram *program)
{
  tape->n_data = dae_program_n_data(program);
  tape->data = g_new(DaeTapeData *, (size_t)tape->n_data + 1);
  for (uint32_t i = 0; i < tape->n_data; i++) {
    uint32_t n;
    const double *values = dae_program_data(program, i, &n);
    tape->data[i] = g_malloc(sizeof(DaeTapeData) + n * sizeof *values);
    tape->data[i]->n = n;
    memcpy(tape->data[i]->values, values, n * sizeof *values);
  }
}

static void
copy_calls(Allocation *work, const DaeProgram *program)
{
  DaeTape *tape = work->tape;
  tape->n_calls = dae_program_n_calls(program);
  tape->calls = g_new(DaeTapeCall, (size_t)tape->n_calls + 1);
  work->frame_of = g_new(uint32_t, (size_t)tape->n_calls + 1);
  for (uint32_t i = 0; i < tape->n_calls; i++) {
    const DaeProgramCall *call = dae_program_call(program, i);
    tape->calls[i] = (DaeTapeCall){.code = dae_routine_code_ref(call->code),
                                   .n_inputs = call->n_inputs,
                                   .n_outputs = call->n_outputs};
    work->frame_of[i] = tape->n_registers;
    tape->n_registers += call->n_inputs + call->n_outputs;
  }
}

static void
steal_array(GArray *array, void *data, uint32_t *n)
{
  *n = array->len;
  char *segment = g_array_free(array, FALSE);
  memcpy(data, &segment, sizeof segment);
}

static void
find_kernels(DaeVariant *variant)
{
  g_autoptr(GArray) kernels = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < variant->n_instructions; i++) {
    if (variant->instructions[i].op == DAE_OP_KERNEL) {
      g_array_append_val(kernels, i);
    }
  }
  variant->n_kernels = kernels->len;
  variant->kernels = g_memdup2(kernels->data, (size_t)kernels->len * sizeof(uint32_t));
}

static void
clear_variant(DaeVariant *variant)
{
  g_free(variant->instructions);
  g_free(variant->loads);
  g_free(variant->kernels);
}

DaeTape *
dae_tape_from_program(const DaeTapePlan *plan)
{
  DAE_ASSERT(plan->n_groups <= DAE_GROUPS_MAX);
  DaeFused fused;
  dae_fused_init(&fused, plan);
  DaeTape *tape = g_new0(DaeTape, 1);
  g_mutex_init(&tape->mutex);
  DaeKernelPlan *kernels = plan->is_single ? NULL : dae_kernel_plan_new(&fused, plan);
  g_autofree uint32_t *order = dae_fused_order(&fused);
  Allocation work = {.tape = tape,
                     .fused = &fused,
                     .kernels = kernels,
                     .order = order,
                     .register_of = g_new0(uint32_t, fused.n),
                     .last_use = g_new0(uint32_t, fused.n),
                     .free_registers = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     .instructions = g_array_new(FALSE, FALSE, sizeof(DaeInstruction)),
                     .loads = g_array_new(FALSE, FALSE, sizeof(DaeLoad))};
  if (kernels != NULL) {
    dae_direct_init(&work.direct, &fused, plan, kernels);
  }
  copy_data(tape, plan->program);
  find_last_uses(&work, plan);
  place_leaves(&work, plan);
  copy_calls(&work, plan->program);
  for (uint8_t level = 0; level < DAE_LEVEL_COUNT; level++) {
    place_instructions(&work, level);
    tape->full.instructions_to[level] = work.instructions->len;
  }
  dae_tape_place_bodies(tape, plan->program);
  const uint32_t n_outputs = plan->group_start[plan->n_groups];
  tape->outputs = g_new(uint32_t, n_outputs);
  for (uint32_t o = 0; o < n_outputs; o++) {
    tape->outputs[o] = work.register_of[plan->outputs[o]];
  }
  tape->n_groups = plan->n_groups;
  memcpy(tape->group_start, plan->group_start, (plan->n_groups + 1) * sizeof(uint32_t));
  steal_array(work.instructions, &tape->full.instructions, &tape->full.n_instructions);
  steal_array(work.loads, &tape->full.loads, &tape->full.n_loads);
  find_kernels(&tape->full);
  g_array_free(work.free_registers, TRUE);
  if (kernels != NULL) {
    tape->kernels = g_ptr_array_copy(kernels->kernels, NULL, NULL);
  }
  dae_tape_set_ways(tape, kernels != NULL ? &work.direct : NULL, work.register_of);
  dae_direct_clear(&work.direct);
  dae_kernel_plan_free(kernels);
  g_free(work.register_of);
  g_free(work.last_use);
  g_free(work.frame_of);
  dae_fused_clear(&fused);
  return tape;
}

void
dae_tape_free(DaeTape *tape)
{
  if (tape == NULL) {
    return;
  }
  for (uint32_t i = 0; i < 1u << DAE_GROUPS_MAX; i++) {
    if (tape->variants[i] != NULL) {
      clear_variant(tape->variants[i]);
      g_free(tape->variants[i]);
    }
  }
  clear_variant(&tape->full);
  dae_tape_clear_ways(tape);
  for (uint32_t i = 0; i < tape->n_data; i++) {
    g_free(tape->data[i]);
  }
  g_free(tape->data);
  for (uint32_t i = 0; i < tape->n_calls; i++) {
    dae_routine_code_unref(tape->calls[i].code);
  }
  for (uint32_t i = 0; i < tape->n_bodies; i++) {
    dae_tape_free(tape->bodies[i].tape);
  }
  for (guint k = 0; tape->kernels != NULL && k < tape->kernels->len; k++) {
    dae_kernel_free(g_ptr_array_index(tape->kernels, k));
  }
  if (tape->kernels != NULL) {
    g_ptr_array_free(tape->kernels, TRUE);
  }
  g_free(tape->bodies);
  g_free(tape->calls);
  g_free(tape->constants);
  g_free(tape->outputs);
  dae_native_free(tape->native);
  g_mutex_clear(&tape->mutex);
  g_free(tape);
}

/* ---- variants ---------------------------------------------------------------------------- */

static DaeVariant *
make_variant(const DaeTape *tape, uint32_t groups)
{
  DaeVariant *variant = g_new0(DaeVariant, 1);
  GArray *instructions = g_array_new(FALSE, FALSE, sizeof(DaeInstruction));
  GArray *loads = g_array_new(FALSE, FALSE, sizeof(DaeLoad));
  for (uint32_t i = 0; i < tape->full.n_instructions; i++) {
    if ((tape->full.instructions[i].groups & groups) != 0) {
      g_array_append_val(instructions, tape->full.instructions[i]);
      for (uint32_t level = 0; level < DAE_LEVEL_COUNT; level++) {
        variant->instructions_to[level] += i < tape->full.instructions_to[level];
      }
    }
  }
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    if ((tape->full.loads[i].groups & groups) != 0) {
      g_array_append_val(loads, tape->full.loads[i]);
      for (uint32_t level = 0; level < DAE_LEVEL_COUNT; level++) {
        variant->loads_to[level] += i < tape->full.loads_to[level];
      }
    }
  }
  steal_array(instructions, &variant->instructions, &variant->n_instructions);
  steal_array(loads, &variant->loads, &variant->n_loads);
  find_kernels(variant);
  return variant;
}

/* A cache, not a state: the tape looks immutable from outside, also to other threads. */
const DaeVariant *
dae_tape_variant(const DaeTape *tape, uint32_t groups)
{
  const uint32_t all = (1u << tape->n_groups) - 1;
  DAE_ASSERT((groups & ~all) == 0);
  if (groups == all) {
    return &tape->full;
  }
  DaeTape *cache = (DaeTape *)tape;
  DaeVariant *variant = g_atomic_pointer_get(&cache->variants[groups]);
  if (variant == NULL) {
    g_mutex_lock(&cache->mutex);
    variant = cache->variants[groups];
    if (variant == NULL) {
      variant = make_variant(tape, groups);
      g_atomic_pointer_set(&cache->variants[groups], variant);
    }
    g_mutex_unlock(&cache->mutex);
  }
  return variant;
}

/* ---- public ------------------------------------------------------------------------------ */

DaeTape *
dae_tape_of_outputs(DaeCompiler *compiler, const DaeProgram *program, const DaeTerm *outputs,
                    uint32_t n_outputs, const uint32_t *source, const uint32_t *index,
                    GError **error)
{
  g_autofree uint32_t *nodes = g_new(uint32_t, (size_t)n_outputs + 1);
  dae_compiler_announce(compiler, outputs, n_outputs);
  for (uint32_t o = 0; o < n_outputs; o++) {
    if (!dae_compiler_compile(compiler, outputs[o], &nodes[o], error)) {
      g_prefix_error(error, "output %u: ", o);
      return NULL;
    }
  }
  const uint32_t group_start[2] = {0, n_outputs};
  const DaeTapePlan plan = {.program = program,
                            .outputs = nodes,
                            .group_start = group_start,
                            .n_groups = 1,
                            .input_source = source,
                            .input_index = index};
  return dae_tape_from_program(&plan);
}

struct DaeTapeMaker {
  DaeCompiler *compiler; /* its program is another one for each tape */
};

DaeTapeMaker *
dae_tape_maker_new(DaeTerms *terms)
{
  DaeTapeMaker *maker = g_new(DaeTapeMaker, 1);
  maker->compiler = dae_compiler_new(terms, NULL);
  return maker;
}

void
dae_tape_maker_free(DaeTapeMaker *maker)
{
  if (maker != NULL) {
    dae_compiler_free(maker->compiler);
    g_free(maker);
  }
}

DaeTape *
dae_tape_maker_make(DaeTapeMaker *maker, const DaeTerm *inputs, uint32_t n_inputs,
                    const DaeTerm *outputs, uint32_t n_outputs, GError **error)
{
  g_autofree uint32_t *source = g_new(uint32_t, (size_t)n_inputs + 1);
  g_autofree uint32_t *index = g_new(uint32_t, (size_t)n_inputs + 1);
  g_autoptr(DaeProgram) program = dae_program_new();
  dae_compiler_restart(maker->compiler, program);
  for (uint32_t i = 0; i < n_inputs; i++) {
    source[i] = DAE_SOURCE_POINT;
    index[i] = i;
    dae_compiler_bind(maker->compiler, inputs[i], i, DAE_LEVEL_POINT);
  }
  return dae_tape_of_outputs(maker->compiler, program, outputs, n_outputs, source, index,
                             error);
}

DaeTape *
dae_tape_new(DaeTerms *terms, const DaeTerm *inputs, uint32_t n_inputs, const DaeTerm *outputs,
             uint32_t n_outputs, GError **error)
{
  g_autoptr(DaeTapeMaker) maker = dae_tape_maker_new(terms);
  return dae_tape_maker_make(maker, inputs, n_inputs, outputs, n_outputs, error);
}

void
dae_op_count(DaeTapeCost *cost, DaeOp op)
{
  switch ((int)op) {
  case DAE_OP_NEG:
  case DAE_OP_ADD:
  case DAE_OP_SUB:
    cost->adds++;
    break;
  case DAE_OP_ADD3:
    cost->adds += 2;
    break;
  case DAE_OP_MUL:
    cost->multiplies++;
    break;
  case DAE_OP_MUL3:
    cost->multiplies += 2;
    break;
  case DAE_OP_MUL_ADD:
  case DAE_OP_MUL_SUB:
  case DAE_OP_MUL_RSUB:
    cost->adds++;
    cost->multiplies++;
    break;
  case DAE_OP_DOT2:
  case DAE_OP_DET2:
    cost->adds++;
    cost->multiplies += 2;
    break;
  case DAE_OP_DIV:
  case DAE_OP_DIV_GUARDED:
    cost->divides++;
    break;
  case DAE_OP_SQRT:
    cost->square_roots++;
    break;
  default:
    cost->calls++;
    break;
  }
}

static void
add_cost(DaeTapeCost *cost, const DaeTape *body)
{
  const DaeTapeCost inner = dae_tape_cost(body);
  cost->instructions += inner.instructions;
  cost->adds += inner.adds;
  cost->multiplies += inner.multiplies;
  cost->divides += inner.divides;
  cost->square_roots += inner.square_roots;
  cost->calls += inner.calls;
}

/* As the single instructions would cost. */
static void
add_kernel_cost(DaeTapeCost *cost, const DaeKernel *kernel)
{
  for (uint32_t k = 0; k < kernel->n; k++) {
    for (uint32_t s = 0; s < kernel->n_steps; s++) {
      dae_op_count(cost, (DaeOp)kernel->steps[s].op);
    }
  }
  cost->instructions += kernel->n * kernel->n_steps;
}

DaeTapeCost
dae_tape_cost_of_groups(const DaeTape *tape, uint32_t groups)
{
  DaeTapeCost cost = {.registers = tape->n_registers};
  for (uint32_t i = 0; i < tape->full.n_instructions; i++) {
    const DaeInstruction *instruction = &tape->full.instructions[i];
    if ((instruction->groups & groups) == 0) {
      continue;
    }
    if (instruction->op == DAE_OP_KERNEL) {
      add_kernel_cost(&cost, dae_instruction_kernel(instruction));
      continue;
    }
    cost.instructions++;
    const DaeTape *body =
        instruction->op == DAE_OP_RUN ? dae_instruction_call(instruction)->body : NULL;
    if (body != NULL) {
      add_cost(&cost, body);
    } else if (instruction->op != DAE_OP_GIVE) {
      dae_op_count(&cost, (DaeOp)instruction->op);
    }
  }
  return cost;
}

DaeTapeCost
dae_tape_cost(const DaeTape *tape)
{
  return dae_tape_cost_of_groups(tape, (1u << tape->n_groups) - 1);
}
