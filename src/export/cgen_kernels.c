/* C functions with loops: equations of one shape (eval/kernel.h) are one loop over columns, so that
 * the text grows with the number of shapes. What is left is straight-line text in parts of bounded
 * length; all values that another part reads are in the array w. */
#include <string.h>

#include "export/cgen-loops.h"

#define CHUNK 800u

static bool
is_single(const DaeLoopWriter *writer, uint32_t node)
{
  return writer->fused.groups[node] != 0 && !dae_loop_is_known(writer, node) &&
         dae_op_arity((DaeOp)writer->fused.nodes[node].op) > 0 &&
         (writer->plan == NULL || !writer->plan->is_inside[node]);
}

/* ---- parts ------------------------------------------------------------------------------- */

static void
begin_part(DaeLoopWriter *writer)
{
  g_string_append_printf(writer->gen->out, "static void %s_%s_%u(%s, %s, double *w)\n{\n",
                         dae_loop_prefix(writer), writer->function->function, writer->n_parts++,
                         writer->function->arguments, writer->function->result);
}

static void
end_part(DaeLoopWriter *writer)
{
  for (const char *const *name = writer->function->unused; *name != NULL; name++) {
    g_string_append_printf(writer->gen->out, "  (void)%s;\n", *name);
  }
  g_string_append(writer->gen->out, "  (void)w;\n}\n\n");
}

static void
append_operation(DaeLoopWriter *writer, DaeOp op, GString *const *texts, uint32_t data,
                 GString *out)
{
  g_autofree char *prefix = g_strdup_printf("%s_", dae_loop_prefix(writer));
  g_autofree char *table = g_strdup_printf("%sdata_%u", prefix, data);
  const bool has_data = op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP;
  const char *const names[4] = {texts[0]->str, has_data ? table : texts[1]->str, texts[2]->str,
                                texts[3]->str};
  dae_emit_operation(out, op, prefix, names);
  writer->gen->used[op] = true;
}

/* PREFIX_routine_3((const double[]){w[5], w[6]}, w + 7, 0); its results have places next to each
 * other. */
static void
write_run(DaeLoopWriter *writer, uint32_t run)
{
  GString *out = writer->gen->out;
  const DaeNode *node = &writer->fused.nodes[run];
  const DaeProgramCall *call = dae_program_call(writer->function->program, node->d);
  g_autofree uint32_t *values = g_new(uint32_t, call->n_inputs + 1);
  uint32_t give = node->a;
  for (uint32_t i = call->n_inputs; i-- > 0;) {
    values[i] = writer->fused.nodes[give].a;
    give = writer->fused.nodes[give].b;
  }
  g_string_append_printf(out, "  %s_routine_%u((const double[]){", dae_loop_prefix(writer),
                         call->routine);
  dae_cgen_note_call(writer->gen, call->routine);
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    g_string_append(out, i > 0 ? ", " : "");
    dae_loop_append_node(writer, values[i], out);
  }
  g_string_append_printf(out, "}, w + %u, 0);\n", writer->n_slots);
  writer->slot[run] = writer->n_slots;
  writer->n_slots += call->n_outputs;
}

static void
write_operation(DaeLoopWriter *writer, uint32_t node)
{
  uint32_t operands[4];
  const uint32_t arity = dae_program_operands(&writer->fused.nodes[node], operands);
  GString *texts[4];
  for (uint32_t k = 0; k < 4; k++) {
    texts[k] = g_string_new(NULL);
    if (k < arity) {
      dae_loop_append_node(writer, operands[k], texts[k]);
    }
  }
  writer->slot[node] = writer->n_slots++;
  g_string_append_printf(writer->gen->out, "  w[%u] = ", writer->slot[node]);
  append_operation(writer, (DaeOp)writer->fused.nodes[node].op, texts,
                   writer->fused.nodes[node].d, writer->gen->out);
  g_string_append(writer->gen->out, ";\n");
  for (uint32_t k = 0; k < 4; k++) {
    g_string_free(texts[k], TRUE);
  }
}

static void
write_single(DaeLoopWriter *writer, uint32_t node)
{
  const DaeNode *at = &writer->fused.nodes[node];
  if (at->op == DAE_OP_RUN) {
    write_run(writer, node);
  } else if (at->op == DAE_OP_TAKE) {
    writer->slot[node] = writer->slot[at->a] + at->c;
  } else if (at->op != DAE_OP_GIVE) {
    write_operation(writer, node);
  }
}

static void
write_singles(DaeLoopWriter *writer, const uint32_t *nodes, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) {
    if (k % CHUNK == 0) {
      begin_part(writer);
    }
    write_single(writer, nodes[k]);
    if (k + 1 == n || (k + 1) % CHUNK == 0) {
      end_part(writer);
    }
  }
}

/* Where the results go: w[...] if something reads them, out[...] if all are outputs. */
static void
append_targets(DaeLoopWriter *writer, const DaeKernel *kernel, GString *out)
{
  g_autofree uint32_t *numbers = g_new(uint32_t, kernel->n);
  bool are_outputs = true;
  bool are_read = false;
  for (uint32_t i = 0; i < kernel->n; i++) {
    numbers[i] = writer->output_of[kernel->roots[i]];
    are_outputs = are_outputs && numbers[i]-- > 0;
    are_read = are_read || writer->is_read[kernel->roots[i]];
  }
  if (are_outputs) {
    g_string_append(out, "out[");
    dae_loop_append_numbers(writer, numbers, kernel->n, out);
    g_string_append(out, "] = ");
  }
  for (uint32_t i = 0; i < kernel->n && are_outputs; i++) {
    writer->is_written[numbers[i]] = 1;
  }
  if (are_read || !are_outputs) {
    g_string_append_printf(out, "w[i + %uu] = ", writer->n_slots);
    for (uint32_t i = 0; i < kernel->n; i++) {
      writer->slot[kernel->roots[i]] = writer->n_slots++;
    }
  }
}

static void
append_steps(DaeLoopWriter *writer, const DaeKernel *kernel, GString **places,
             const char *targets, GString *out)
{
  for (uint32_t s = 0; s < kernel->n_steps; s++) {
    const DaeKernelStep *step = &kernel->steps[s];
    GString *const texts[4] = {places[step->from[0]], places[step->from[1]],
                               places[step->from[2]], places[step->from[3]]};
    const bool is_last = s + 1 == kernel->n_steps;
    if (is_last) {
      g_string_append_printf(out, "    %s", targets);
    } else {
      g_string_append_printf(out, "    const double v%u = ", s);
    }
    append_operation(writer, (DaeOp)step->op, texts, 0, out);
    g_string_append(out, ";\n");
    g_string_printf(places[step->to], "v%u", s);
  }
}

static void
write_kernel(DaeLoopWriter *writer, const DaeKernel *kernel)
{
  g_autofree GString **places = g_new(GString *, kernel->n_places);
  g_autoptr(GString) before = g_string_new(NULL);
  g_autoptr(GString) targets = g_string_new(NULL);
  for (uint32_t p = 0; p < kernel->n_places; p++) {
    places[p] = g_string_new(NULL);
    if (p < kernel->n_columns) {
      dae_loop_append_column(writer, kernel->table + (size_t)p * kernel->n, kernel->n, before,
                             places[p]);
    }
  }
  append_targets(writer, kernel, targets);
  begin_part(writer);
  g_string_append(writer->gen->out, before->str);
  g_string_append_printf(writer->gen->out, "  for (unsigned i = 0; i < %uu; i++) {\n",
                         kernel->n);
  append_steps(writer, kernel, places, targets->str, writer->gen->out);
  g_string_append(writer->gen->out, "  }\n");
  end_part(writer);
  for (uint32_t p = 0; p < kernel->n_places; p++) {
    g_string_free(places[p], TRUE);
  }
}

/* ---- outputs ----------------------------------------------------------------------------- */

static bool
is_constant_output(const DaeLoopWriter *writer, uint32_t o, double *value)
{
  return !writer->is_written[o] && dae_program_is_constant(writer->function->program,
                                                           writer->function->outputs[o], value);
}

static GArray *
constant_outputs(const DaeLoopWriter *writer)
{
  double value;
  GArray *outputs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t o = 0; o < writer->function->n_outputs; o++) {
    if (is_constant_output(writer, o, &value)) {
      g_array_append_val(outputs, o);
    }
  }
  return outputs;
}

/* Many numbers: from a table, or one for all. */
static void
write_constants(DaeLoopWriter *writer, const GArray *outputs)
{
  const uint32_t n = outputs->len;
  const uint32_t *numbers = (const uint32_t *)(const void *)outputs->data;
  g_autofree uint32_t *nodes = g_new(uint32_t, n);
  g_autoptr(GString) place = g_string_new(NULL);
  g_autoptr(GString) values = g_string_new(NULL);
  for (uint32_t i = 0; i < n; i++) {
    nodes[i] = writer->function->outputs[numbers[i]];
    writer->is_written[numbers[i]] = 1;
  }
  dae_loop_append_numbers(writer, numbers, n, place);
  dae_loop_append_column(writer, nodes, n, NULL, values);
  begin_part(writer);
  g_string_append_printf(writer->gen->out,
                         "  for (unsigned i = 0; i < %uu; i++) {\n    out[%s] = %s;\n  }\n", n,
                         place->str, values->str);
  end_part(writer);
}

static void
write_outputs(DaeLoopWriter *writer)
{
  g_autoptr(GArray) constants = constant_outputs(writer);
  if (constants->len >= DAE_KERNEL_FEWEST) {
    write_constants(writer, constants);
  }
  g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GPtrArray) statements = g_ptr_array_new_with_free_func(g_free);
  for (uint32_t o = 0; o < writer->function->n_outputs; o++) {
    if (!writer->is_written[o]) {
      g_array_append_val(targets, o);
      g_array_append_val(nodes, writer->function->outputs[o]);
    }
  }
  dae_loop_append_copies(writer, "out", (const uint32_t *)(void *)targets->data,
                         (const uint32_t *)(void *)nodes->data, targets->len, statements);
  for (guint k = 0; k < statements->len; k++) {
    if (k % CHUNK == 0) {
      begin_part(writer);
    }
    g_string_append(writer->gen->out, statements->pdata[k]);
    if (k + 1 == statements->len || (k + 1) % CHUNK == 0) {
      end_part(writer);
    }
  }
}

/* ---- the function ------------------------------------------------------------------------ */

static void
find_readers(DaeLoopWriter *writer)
{
  const DaeCgenFunction *function = writer->function;
  for (uint32_t o = 0; o < function->n_outputs; o++) {
    const uint32_t node = function->outputs[o];
    writer->is_read[node] |= writer->output_of[node] > 0;
    writer->output_of[node] = writer->output_of[node] > 0 ? writer->output_of[node] : o + 1;
  }
  for (uint32_t i = 0; i < writer->fused.n; i++) {
    uint32_t operands[4];
    const uint32_t arity =
        is_single(writer, i) ? dae_program_operands(&writer->fused.nodes[i], operands) : 0;
    for (uint32_t k = 0; k < arity; k++) {
      writer->is_read[operands[k]] = 1;
    }
  }
  for (guint k = 0; writer->plan != NULL && k < writer->plan->kernels->len; k++) {
    const DaeKernel *kernel = g_ptr_array_index(writer->plan->kernels, k);
    for (size_t e = 0; e < (size_t)kernel->n_columns * kernel->n; e++) {
      writer->is_read[kernel->table[e]] = 1;
    }
  }
}

/* Single operations in the order of the phases, kernels between them. */
static void
write_all(DaeLoopWriter *writer)
{
  const DaeKernelPlan *plan = writer->plan;
  g_autoptr(GArray) singles = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < writer->fused.n; i++) { /* what does not depend on the point */
    if (is_single(writer, i) &&
        (plan == NULL || writer->fused.nodes[i].level != DAE_LEVEL_POINT)) {
      g_array_append_val(singles, i);
    }
  }
  uint32_t at = 0;
  for (guint k = 0; plan != NULL && k <= plan->kernels->len; k++) {
    const DaeKernel *kernel =
        k < plan->kernels->len ? g_ptr_array_index(plan->kernels, k) : NULL;
    for (; at < plan->n_order &&
           (kernel == NULL || plan->phase_of[plan->order[at]] <= kernel->phase);
         at++) {
      if (is_single(writer, plan->order[at])) {
        g_array_append_val(singles, plan->order[at]);
      }
    }
    if (kernel != NULL) {
      write_singles(writer, (const uint32_t *)(void *)singles->data, singles->len);
      g_array_set_size(singles, 0);
      write_kernel(writer, kernel);
    }
  }
  write_singles(writer, (const uint32_t *)(void *)singles->data, singles->len);
  write_outputs(writer);
}

/* Are so many outputs numbers, inputs or what is known, that loops are shorter? */
static bool
has_many_copies(const DaeLoopWriter *writer)
{
  uint32_t n = 0;
  for (uint32_t o = 0; o < writer->function->n_outputs; o++) {
    uint32_t node = writer->function->outputs[o];
    n += dae_op_arity((DaeOp)writer->fused.nodes[node].op) == 0 ||
         dae_loop_is_known(writer, node);
  }
  return n >= DAE_KERNEL_FEWEST;
}

static void
write_whole(DaeLoopWriter *writer)
{
  const DaeCgenFunction *function = writer->function;
  GString *out = writer->gen->out;
  g_string_append_printf(out, "%svoid %s_%s(%s, %s)\n{\n  double w[%u];\n",
                         function->is_static ? "static " : "", dae_loop_prefix(writer),
                         function->function, function->arguments, function->result,
                         MAX(writer->n_slots, 1));
  for (uint32_t part = 0; part < writer->n_parts; part++) {
    g_string_append_printf(out, "  %s_%s_%u(%s, %s, w);\n", dae_loop_prefix(writer),
                           function->function, part, function->pass, function->pass_result);
  }
  g_string_append(out, "}\n\n");
}

/* Kernels are made of what is evaluated at a point; in the function that computes what others take
 * as known, that is everything. */
static void
count_as_points(DaeFused *fused)
{
  for (uint32_t i = 0; i < fused->n; i++) {
    if (fused->nodes[i].op != DAE_OP_CONST) {
      fused->nodes[i].level = DAE_LEVEL_POINT;
    }
  }
}

bool
dae_cgen_looped_function(const DaeCgen *gen, const DaeCgenFunction *function)
{
  const uint32_t group_start[2] = {0, function->n_outputs};
  const DaeTapePlan plan = {.program = function->program,
                            .outputs = function->outputs,
                            .group_start = group_start,
                            .n_groups = 1};
  if (function->n_outputs < DAE_KERNEL_FEWEST) {
    return false;
  }
  DaeLoopWriter writer = {.gen = gen, .function = function};
  dae_fused_init(&writer.fused, &plan);
  if (function->constants == NULL) {
    count_as_points(&writer.fused);
  }
  writer.plan = dae_kernel_plan_new(&writer.fused, &plan);
  writer.is_written = g_malloc0((size_t)function->n_outputs + 1);
  const bool is_looped = writer.plan != NULL || has_many_copies(&writer);
  if (is_looped) {
    writer.slot = g_new(uint32_t, (size_t)writer.fused.n + 1);
    memset(writer.slot, 0xff, ((size_t)writer.fused.n + 1) * sizeof(uint32_t));
    writer.output_of = g_new0(uint32_t, (size_t)writer.fused.n + 1);
    writer.is_read = g_malloc0((size_t)writer.fused.n + 1);
    find_readers(&writer);
    write_all(&writer);
    write_whole(&writer);
  }
  for (guint k = 0; writer.plan != NULL && k < writer.plan->kernels->len; k++) {
    dae_kernel_free(g_ptr_array_index(writer.plan->kernels, k));
  }
  dae_kernel_plan_free(writer.plan);
  dae_fused_clear(&writer.fused);
  g_free(writer.slot);
  g_free(writer.output_of);
  g_free(writer.is_read);
  g_free(writer.is_written);
  return is_looped;
}
