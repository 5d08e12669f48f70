/* Straight-line C functions from nodes.
 *
 * Long ones are cut into parts of bounded length, because compilers need more than linear time
 * for one long function; values that cross a cut go through an array. */
#include <string.h>

#include "export/cgen-priv.h"

#define CHUNK 800u
#define NO_SLOT UINT32_MAX

typedef struct {
  const DaeCgen *gen;
  const DaeCgenFunction *function;
  DaeFused fused;
  uint32_t *number; /* by node: position among the operations, from 0 */
  uint32_t *slot;   /* by node: place in w, or NO_SLOT */
  uint32_t n_operations, n_slots;
} Writer;

bool
dae_cgen_is_known(const DaeCgenFunction *function, const DaeFused *fused, uint32_t node)
{
  const DaeNode *at = &fused->nodes[node];
  uint32_t needed_by =
      at->op == DAE_OP_GIVE ? dae_program_call(function->program, at->d)->run : node;
  return function->constants != NULL && fused->nodes[needed_by].level == DAE_LEVEL_SEGMENT &&
         dae_op_arity((DaeOp)at->op) > 0;
}

static bool
is_known(const Writer *writer, uint32_t node)
{
  return dae_cgen_is_known(writer->function, &writer->fused, node);
}

static bool
is_operation(const Writer *writer, uint32_t node)
{
  return writer->fused.groups[node] != 0 && !is_known(writer, node) &&
         dae_op_arity((DaeOp)writer->fused.nodes[node].op) > 0;
}

static void
give_slot(Writer *writer, uint32_t node)
{
  if (writer->slot[node] == NO_SLOT) {
    writer->slot[node] = writer->n_slots++;
  }
}

/* The arguments of a RUN are its operands, its outputs have places next to each other. */
static void
give_slots_of_call(Writer *writer, uint32_t take)
{
  const DaeNode *node = &writer->fused.nodes[take];
  const uint32_t run = node->a;
  if (writer->number[run] / CHUNK != writer->number[take] / CHUNK &&
      writer->slot[run] == NO_SLOT) {
    writer->slot[run] = writer->n_slots;
    writer->n_slots += dae_program_call(writer->function->program, node->d)->n_outputs;
  }
}

static void
give_slots_of_arguments(Writer *writer, uint32_t run)
{
  const DaeNode *node = &writer->fused.nodes[run];
  const uint32_t n = dae_program_call(writer->function->program, node->d)->n_inputs;
  uint32_t give = node->a;
  for (uint32_t i = 0; i < n; i++) {
    if (writer->number[give] / CHUNK != writer->number[run] / CHUNK) {
      give_slot(writer, give);
    }
    give = writer->fused.nodes[give].b;
  }
}

/* Numbers the operations and finds what crosses a cut. */
static void
number_operations(Writer *writer)
{
  for (uint32_t i = 0; i < writer->fused.n; i++) {
    writer->slot[i] = NO_SLOT;
    if (is_operation(writer, i)) {
      writer->number[i] = writer->n_operations++;
    }
  }
  for (uint32_t i = 0; i < writer->fused.n; i++) {
    uint32_t operands[4];
    const uint32_t arity =
        is_operation(writer, i) ? dae_program_operands(&writer->fused.nodes[i], operands) : 0;
    if (arity > 0 && writer->fused.nodes[i].op == DAE_OP_TAKE) {
      give_slots_of_call(writer, i);
      continue;
    }
    if (arity > 0 && writer->fused.nodes[i].op == DAE_OP_RUN) {
      give_slots_of_arguments(writer, i);
      continue;
    }
    for (uint32_t k = 0; k < arity; k++) {
      if (is_operation(writer, operands[k]) &&
          writer->number[operands[k]] / CHUNK != writer->number[i] / CHUNK) {
        give_slot(writer, operands[k]);
      }
    }
  }
}

/* The C expression of a node inside part `chunk`. */
static void
append_node(const Writer *writer, uint32_t node, uint32_t chunk, GString *out)
{
  const DaeNode *at = &writer->fused.nodes[node];
  double value;
  if (dae_program_is_constant(writer->function->program, node, &value)) {
    const bool is_negative = value < 0.0;
    g_string_append(out, is_negative ? "(" : "");
    dae_emit_double(out, value);
    g_string_append(out, is_negative ? ")" : "");
  } else if (at->op == DAE_OP_INPUT) {
    writer->function->append_input(writer->function->user, at->a, out);
  } else if (is_known(writer, node)) {
    g_string_append_printf(out, "%s_%s[%u]", writer->gen->model->prefix,
                           writer->function->constants->name,
                           dae_cgen_constants_place(writer->function->constants, node));
  } else if (writer->number[node] / CHUNK == chunk) {
    g_string_append_printf(out, "v%u", writer->number[node]);
  } else {
    g_string_append_printf(out, "w[%u]", writer->slot[node]);
  }
}

/* double y7[2]; PREFIX_routine_3((const double[]){v5, v6}, y7, 0); */
static void
write_run(const Writer *writer, uint32_t run, uint32_t chunk, GString *out)
{
  const DaeNode *node = &writer->fused.nodes[run];
  const DaeProgramCall *call = dae_program_call(writer->function->program, node->d);
  g_autofree uint32_t *gives = g_new(uint32_t, call->n_inputs);
  uint32_t give = node->a;
  for (uint32_t i = call->n_inputs; i-- > 0;) {
    gives[i] = give;
    give = writer->fused.nodes[give].b;
  }
  const uint32_t number = writer->number[run];
  g_string_append_printf(out, "  double y%u[%u];\n  %s_routine_%u((const double[]){", number,
                         call->n_outputs, writer->gen->model->prefix, call->routine);
  dae_cgen_note_call(writer->gen, call->routine);
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    g_string_append(out, i > 0 ? ", " : "");
    append_node(writer, gives[i], chunk, out);
  }
  g_string_append_printf(out, "}, y%u, %s);\n", number,
                         writer->function->depth != NULL ? writer->function->depth : "0");
  for (uint32_t k = 0; writer->slot[run] != NO_SLOT && k < call->n_outputs; k++) {
    g_string_append_printf(out, "  w[%u] = y%u[%u];\n", writer->slot[run] + k, number, k);
  }
}

static void
write_take(const Writer *writer, uint32_t take, uint32_t chunk, GString *out)
{
  const DaeNode *node = &writer->fused.nodes[take];
  if (writer->number[node->a] / CHUNK == chunk) {
    g_string_append_printf(out, "  const double v%u = y%u[%u];\n", writer->number[take],
                           writer->number[node->a], node->c);
  } else {
    g_string_append_printf(out, "  const double v%u = w[%u];\n", writer->number[take],
                           writer->slot[node->a] + node->c);
  }
  if (writer->slot[take] != NO_SLOT) {
    g_string_append_printf(out, "  w[%u] = v%u;\n", writer->slot[take], writer->number[take]);
  }
}

static void
write_operation(const Writer *writer, uint32_t node, uint32_t chunk, GString *out)
{
  uint32_t operands[4];
  const uint32_t arity = dae_program_operands(&writer->fused.nodes[node], operands);
  g_autofree char *prefix = g_strdup_printf("%s_", writer->gen->model->prefix);
  g_autoptr(GString) texts = g_string_new(NULL); /* the operands, each with its NUL */
  size_t start[4] = {0, 0, 0, 0};
  for (uint32_t k = 0; k < arity; k++) {
    start[k] = texts->len;
    append_node(writer, operands[k], chunk, texts);
    g_string_append_c(texts, '\0');
  }
  const DaeOp op = (DaeOp)writer->fused.nodes[node].op;
  if (op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP) {
    start[1] = texts->len;
    g_string_append_printf(texts, "%sdata_%u",
                           writer->function->data_prefix != NULL ? writer->function->data_prefix
                                                                 : prefix,
                           writer->fused.nodes[node].d);
    g_string_append_c(texts, '\0');
  }
  const char *const names[4] = {texts->str + start[0], texts->str + start[1],
                                texts->str + start[2], texts->str + start[3]};
  g_string_append_printf(out, "  const double v%u = ", writer->number[node]);
  dae_emit_operation(out, op, prefix, names);
  g_string_append(out, ";\n");
  if (writer->slot[node] != NO_SLOT) {
    g_string_append_printf(out, "  w[%u] = v%u;\n", writer->slot[node], writer->number[node]);
  }
}

/* Where an output can be stored: the part that computes it; leaves go with the last part. */
static uint32_t
chunk_of_output(const Writer *writer, uint32_t o, uint32_t n_chunks)
{
  const uint32_t node = writer->function->outputs[o];
  return is_operation(writer, node) ? writer->number[node] / CHUNK : n_chunks - 1;
}

static void
write_body(const Writer *writer, uint32_t chunk, GArray *const *outputs_of, uint32_t *next)
{
  GString *out = writer->gen->out;
  for (; *next < writer->fused.n; (*next)++) {
    if (is_operation(writer, *next)) {
      if (writer->number[*next] / CHUNK != chunk) {
        break;
      }
      const uint16_t op = writer->fused.nodes[*next].op;
      if (op == DAE_OP_RUN) {
        write_run(writer, *next, chunk, out);
      } else if (op == DAE_OP_TAKE) {
        write_take(writer, *next, chunk, out);
      } else {
        write_operation(writer, *next, chunk, out);
      }
    }
  }
  for (uint32_t k = 0; k < outputs_of[chunk]->len; k++) {
    const uint32_t o = g_array_index(outputs_of[chunk], uint32_t, k);
    g_string_append(out, "  ");
    if (writer->function->append_output != NULL) {
      writer->function->append_output(writer->function->user, o, out);
    } else {
      g_string_append_printf(out, "out[%u]", o);
    }
    g_string_append(out, " = ");
    append_node(writer, writer->function->outputs[o], chunk, out);
    g_string_append(out, ";\n");
  }
}

static void
mark_unused(const Writer *writer, GString *out)
{
  for (const char *const *name = writer->function->unused; *name != NULL; name++) {
    g_string_append_printf(out, "  (void)%s;\n", *name);
  }
}

static void
write_parts(Writer *writer, uint32_t n_chunks, GArray *const *outputs_of)
{
  GString *out = writer->gen->out;
  const DaeCgenFunction *function = writer->function;
  const char *prefix = writer->gen->model->prefix;
  const char *linkage = function->is_static ? "static " : "";
  uint32_t next = 0;
  if (n_chunks == 1) {
    g_string_append_printf(out, "%svoid %s_%s(%s, %s)\n{\n", linkage, prefix,
                           function->function, function->arguments, function->result);
    write_body(writer, 0, outputs_of, &next);
    mark_unused(writer, out);
    g_string_append(out, "}\n\n");
    return;
  }
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    g_string_append_printf(out, "static void %s_%s_%u(%s, %s, double *w)\n{\n", prefix,
                           function->function, chunk, function->arguments, function->result);
    write_body(writer, chunk, outputs_of, &next);
    mark_unused(writer, out);
    g_string_append(out, "  (void)w;\n}\n\n");
  }
  g_string_append_printf(out, "%svoid %s_%s(%s, %s)\n{\n  double w[%u];\n", linkage, prefix,
                         function->function, function->arguments, function->result,
                         MAX(writer->n_slots, 1));
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    g_string_append_printf(out, "  %s_%s_%u(%s, %s, w);\n", prefix, function->function, chunk,
                           function->pass, function->pass_result);
  }
  g_string_append(out, "}\n\n");
}

static void
count_all(const Writer *writer, DaeTapeCost *cost)
{
  for (uint32_t i = 0; i < writer->fused.n; i++) {
    if (is_operation(writer, i)) {
      cost->instructions++;
      dae_op_count(cost, (DaeOp)writer->fused.nodes[i].op);
      writer->gen->used[writer->fused.nodes[i].op] = true;
    }
  }
}

void
dae_cgen_function(const DaeCgen *gen, const DaeCgenFunction *function, DaeTapeCost *cost)
{
  const uint32_t group_start[2] = {0, function->n_outputs};
  const DaeTapePlan plan = {.program = function->program,
                            .outputs = function->outputs,
                            .group_start = group_start,
                            .n_groups = 1};
  Writer writer = {.gen = gen, .function = function};
  dae_fused_init(&writer.fused, &plan);
  writer.number = g_new0(uint32_t, (size_t)writer.fused.n + 1);
  writer.slot = g_new0(uint32_t, (size_t)writer.fused.n + 1);
  number_operations(&writer);
  const uint32_t n_chunks = MAX(1, (writer.n_operations + CHUNK - 1) / CHUNK);
  GArray **outputs_of = g_new(GArray *, n_chunks);
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    outputs_of[chunk] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t o = 0; o < function->n_outputs; o++) {
    g_array_append_val(outputs_of[chunk_of_output(&writer, o, n_chunks)], o);
  }
  write_parts(&writer, n_chunks, outputs_of);
  DaeTapeCost ignored = {0, 0, 0, 0, 0, 0, 0};
  count_all(&writer, cost != NULL ? cost : &ignored);
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    g_array_free(outputs_of[chunk], TRUE);
  }
  g_free(outputs_of);
  g_free(writer.number);
  g_free(writer.slot);
  dae_fused_clear(&writer.fused);
}
