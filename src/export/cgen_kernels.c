/* C functions with loops: equations of one shape (eval/kernel.h) are one loop over columns, so that
 * the text grows with the number of shapes. What is left is straight-line text in parts of bounded
 * length; all values that another part reads are in the array w. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/kernel.h"
#include "export/cgen-priv.h"

#define CHUNK 800u
#define NO_SLOT UINT32_MAX

typedef struct {
  const DaeCgen *gen;
  const DaeCgenFunction *function;
  DaeFused fused;
  DaeKernelPlan *plan; /* NULL: no kernels */
  uint32_t *slot;      /* by node: place in w, or NO_SLOT */
  uint32_t *output_of; /* by node: its first output + 1 */
  uint8_t *is_read;    /* by node: by something outside of its kernel, or as a second output */
  uint8_t *is_written; /* by output */
  uint32_t n_slots, n_parts, n_tables;
} Writer;

static const char *
prefix_of(const Writer *writer)
{
  return writer->gen->model->prefix;
}

static bool
is_known(const Writer *writer, uint32_t node)
{
  return writer->function->constants != NULL &&
         writer->fused.nodes[node].level == DAE_LEVEL_SEGMENT &&
         dae_op_arity((DaeOp)writer->fused.nodes[node].op) > 0;
}

static bool
is_single(const Writer *writer, uint32_t node)
{
  return writer->fused.groups[node] != 0 && !is_known(writer, node) &&
         dae_op_arity((DaeOp)writer->fused.nodes[node].op) > 0 &&
         (writer->plan == NULL || !writer->plan->is_inside[node]);
}

/* ---- values ------------------------------------------------------------------------------ */

static void
append_node(const Writer *writer, uint32_t node, GString *out)
{
  double value;
  if (dae_program_is_constant(writer->function->program, node, &value)) {
    g_string_append(out, value < 0.0 ? "(" : "");
    dae_emit_double(out, value);
    g_string_append(out, value < 0.0 ? ")" : "");
  } else if (writer->fused.nodes[node].op == DAE_OP_INPUT) {
    writer->function->append_input(writer->function->user, writer->fused.nodes[node].a, out);
  } else if (is_known(writer, node)) {
    g_string_append_printf(out, "%s_%s[%u]", prefix_of(writer),
                           writer->function->constants->name,
                           dae_cgen_constants_place(writer->function->constants, node));
  } else {
    DAE_ASSERT(writer->slot[node] != NO_SLOT);
    g_string_append_printf(out, "w[%u]", writer->slot[node]);
  }
}

/* The number of an element, and the length of the name before it; false: no NAME[NUMBER]. */
static bool
split_element(const char *text, size_t *length, uint32_t *number)
{
  const char *bracket = strrchr(text, '[');
  char *end = NULL;
  if (bracket == NULL || strchr(text, '[') != bracket) {
    return false;
  }
  *number = (uint32_t)strtoul(bracket + 1, &end, 10);
  *length = (size_t)(bracket - text);
  return end != bracket + 1 && strcmp(end, "]") == 0;
}

static char *
table_name(Writer *writer)
{
  return g_strdup_printf("%s_column_%u", writer->function->function, writer->n_tables++);
}

/* i + first, where the numbers are consecutive; otherwise element i of a table. */
static void
append_numbers(Writer *writer, const uint32_t *numbers, uint32_t n, GString *out)
{
  bool is_consecutive = true;
  for (uint32_t i = 1; i < n; i++) {
    is_consecutive = is_consecutive && numbers[i] == numbers[i - 1] + 1;
  }
  if (is_consecutive) {
    g_string_append_printf(out, numbers[0] > 0 ? "i + %uu" : "i", numbers[0]);
    return;
  }
  g_autofree char *name = table_name(writer);
  dae_cgen_unsigned_table(writer->gen, "static const", name, numbers, n);
  g_string_append_printf(out, "%s_%s[i]", prefix_of(writer), name);
}

static bool
append_constants(Writer *writer, const uint32_t *nodes, uint32_t n, GString *out)
{
  g_autofree double *values = g_new(double, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_program_is_constant(writer->function->program, nodes[i], &values[i])) {
      return false;
    }
  }
  g_autofree char *name = table_name(writer);
  dae_cgen_double_table(writer->gen, writer->gen->out, "static const", name, values, n);
  g_string_append_printf(out, "%s_%s[i]", prefix_of(writer), name);
  return true;
}

/* Leaves of arrays with different names: copied one by one before the loop. */
static void
append_copies(Writer *writer, const uint32_t *nodes, uint32_t n, GString *before, GString *out)
{
  for (uint32_t i = 0; i < n; i++) {
    g_string_append_printf(before, "  w[%u] = ", writer->n_slots + i);
    append_node(writer, nodes[i], before);
    g_string_append(before, ";\n");
  }
  g_string_append_printf(out, "w[i + %uu]", writer->n_slots);
  writer->n_slots += n;
}

/* The expression of a column in instance i; tables that it needs go to the text, copies to
 * `before`. */
static void
append_column(Writer *writer, const uint32_t *nodes, uint32_t n, GString *before, GString *out)
{
  g_autoptr(GString) first = g_string_new(NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree uint32_t *numbers = g_new(uint32_t, n);
  bool is_same = true;
  bool is_array = true;
  size_t length = 0;
  size_t other = 0;
  append_node(writer, nodes[0], first);
  for (uint32_t i = 0; i < n && (is_same || is_array); i++) {
    g_string_truncate(text, 0);
    append_node(writer, nodes[i], text);
    is_same = is_same && strcmp(text->str, first->str) == 0;
    is_array = is_array && split_element(text->str, &other, &numbers[i]);
    length = i == 0 ? other : length;
    is_array = is_array && other == length && strncmp(text->str, first->str, length) == 0;
  }
  if (is_same) {
    g_string_append(out, first->str);
  } else if (is_array) {
    g_string_append_printf(out, "%.*s[", (int)length, first->str);
    append_numbers(writer, numbers, n, out);
    g_string_append_c(out, ']');
  } else if (!append_constants(writer, nodes, n, out)) {
    append_copies(writer, nodes, n, before, out);
  }
}

/* ---- parts ------------------------------------------------------------------------------- */

static void
begin_part(Writer *writer)
{
  g_string_append_printf(writer->gen->out, "static void %s_%s_%u(%s, %s, double *w)\n{\n",
                         prefix_of(writer), writer->function->function, writer->n_parts++,
                         writer->function->arguments, writer->function->result);
}

static void
end_part(Writer *writer)
{
  for (const char *const *name = writer->function->unused; *name != NULL; name++) {
    g_string_append_printf(writer->gen->out, "  (void)%s;\n", *name);
  }
  g_string_append(writer->gen->out, "  (void)w;\n}\n\n");
}

static void
append_operation(Writer *writer, DaeOp op, GString *const *texts, uint32_t data, GString *out)
{
  g_autofree char *prefix = g_strdup_printf("%s_", prefix_of(writer));
  g_autofree char *table = g_strdup_printf("%sdata_%u", prefix, data);
  const bool has_data = op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP;
  const char *const names[4] = {texts[0]->str, has_data ? table : texts[1]->str, texts[2]->str,
                                texts[3]->str};
  dae_emit_operation(out, op, prefix, names);
  writer->gen->used[op] = true;
}

static void
write_single(Writer *writer, uint32_t node)
{
  uint32_t operands[4];
  const uint32_t arity = dae_program_operands(&writer->fused.nodes[node], operands);
  GString *texts[4];
  for (uint32_t k = 0; k < 4; k++) {
    texts[k] = g_string_new(NULL);
    if (k < arity) {
      append_node(writer, operands[k], texts[k]);
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
write_singles(Writer *writer, const uint32_t *nodes, uint32_t n)
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
append_targets(Writer *writer, const DaeKernel *kernel, GString *out)
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
    append_numbers(writer, numbers, kernel->n, out);
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
append_steps(Writer *writer, const DaeKernel *kernel, GString **places, const char *targets,
             GString *out)
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
write_kernel(Writer *writer, const DaeKernel *kernel)
{
  g_autofree GString **places = g_new(GString *, kernel->n_places);
  g_autoptr(GString) before = g_string_new(NULL);
  g_autoptr(GString) targets = g_string_new(NULL);
  for (uint32_t p = 0; p < kernel->n_places; p++) {
    places[p] = g_string_new(NULL);
    if (p < kernel->n_columns) {
      append_column(writer, kernel->table + (size_t)p * kernel->n, kernel->n, before,
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
is_constant_output(const Writer *writer, uint32_t o, double *value)
{
  return !writer->is_written[o] && dae_program_is_constant(writer->function->program,
                                                           writer->function->outputs[o], value);
}

static GArray *
constant_outputs(const Writer *writer)
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
write_constants(Writer *writer, const GArray *outputs)
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
  append_numbers(writer, numbers, n, place);
  append_column(writer, nodes, n, NULL, values);
  begin_part(writer);
  g_string_append_printf(writer->gen->out,
                         "  for (unsigned i = 0; i < %uu; i++) {\n    out[%s] = %s;\n  }\n", n,
                         place->str, values->str);
  end_part(writer);
}

static void
write_outputs(Writer *writer)
{
  g_autoptr(GArray) constants = constant_outputs(writer);
  if (constants->len >= DAE_KERNEL_FEWEST) {
    write_constants(writer, constants);
  }
  uint32_t n_written = 0;
  for (uint32_t o = 0; o < writer->function->n_outputs; o++) {
    if (writer->is_written[o]) {
      continue;
    }
    if (n_written % CHUNK == 0) {
      if (n_written > 0) {
        end_part(writer);
      }
      begin_part(writer);
    }
    g_string_append_printf(writer->gen->out, "  out[%u] = ", o);
    append_node(writer, writer->function->outputs[o], writer->gen->out);
    g_string_append(writer->gen->out, ";\n");
    n_written++;
  }
  if (n_written > 0) {
    end_part(writer);
  }
}

/* ---- the function ------------------------------------------------------------------------ */

static void
find_readers(Writer *writer)
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
write_all(Writer *writer)
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

static bool
has_many_constants(const Writer *writer)
{
  g_autoptr(GArray) constants = constant_outputs(writer);
  return constants->len >= DAE_KERNEL_FEWEST;
}

static void
write_whole(Writer *writer)
{
  const DaeCgenFunction *function = writer->function;
  GString *out = writer->gen->out;
  g_string_append_printf(out, "%svoid %s_%s(%s, %s)\n{\n  double w[%u];\n",
                         function->is_static ? "static " : "", prefix_of(writer),
                         function->function, function->arguments, function->result,
                         MAX(writer->n_slots, 1));
  for (uint32_t part = 0; part < writer->n_parts; part++) {
    g_string_append_printf(out, "  %s_%s_%u(%s, %s, w);\n", prefix_of(writer),
                           function->function, part, function->pass, function->pass_result);
  }
  g_string_append(out, "}\n\n");
}

bool
dae_cgen_looped_function(const DaeCgen *gen, const DaeCgenFunction *function)
{
  const uint32_t group_start[2] = {0, function->n_outputs};
  const DaeTapePlan plan = {.program = function->program,
                            .outputs = function->outputs,
                            .group_start = group_start,
                            .n_groups = 1};
  if (function->n_outputs < DAE_KERNEL_FEWEST || dae_program_n_calls(function->program) > 0) {
    return false;
  }
  Writer writer = {.gen = gen, .function = function};
  dae_fused_init(&writer.fused, &plan);
  writer.plan = dae_kernel_plan_new(&writer.fused, &plan);
  writer.is_written = g_malloc0((size_t)function->n_outputs + 1);
  const bool is_looped = writer.plan != NULL || has_many_constants(&writer);
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
