/* Values and columns of loops in C (cgen_kernels.c): what stands for a leaf in instance i. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/cgen-loops.h"

bool
dae_loop_is_known(const DaeLoopWriter *writer, uint32_t node)
{
  return dae_cgen_is_known(writer->function, &writer->fused, node);
}

void
dae_loop_append_node(const DaeLoopWriter *writer, uint32_t node, GString *out)
{
  double value;
  if (dae_program_is_constant(writer->function->program, node, &value)) {
    g_string_append(out, value < 0.0 ? "(" : "");
    dae_emit_double(out, value);
    g_string_append(out, value < 0.0 ? ")" : "");
  } else if (writer->fused.nodes[node].op == DAE_OP_INPUT) {
    writer->function->append_input(writer->function->user, writer->fused.nodes[node].a, out);
  } else if (dae_loop_is_known(writer, node)) {
    g_string_append_printf(out, "%s_%s[%u]", dae_loop_prefix(writer),
                           writer->function->constants->name,
                           dae_cgen_constants_place(writer->function->constants, node));
  } else {
    DAE_ASSERT(writer->slot[node] != DAE_NO_SLOT);
    g_string_append_printf(out, "w[%u]", writer->slot[node]);
  }
}

bool
dae_loop_split_element(const char *text, size_t *length, uint32_t *number)
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
table_name(DaeLoopWriter *writer)
{
  return g_strdup_printf("%s_column_%u", writer->function->function, writer->n_tables++);
}

void
dae_loop_append_numbers(DaeLoopWriter *writer, const uint32_t *numbers, uint32_t n,
                        GString *out)
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
  g_string_append_printf(out, "%s_%s[i]", dae_loop_prefix(writer), name);
}

static bool
append_constants(DaeLoopWriter *writer, const uint32_t *nodes, uint32_t n, GString *out)
{
  g_autofree double *values = g_new(double, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_program_is_constant(writer->function->program, nodes[i], &values[i])) {
      return false;
    }
  }
  g_autofree char *name = table_name(writer);
  dae_cgen_double_table(writer->gen, writer->gen->out, "static const", name, values, n);
  g_string_append_printf(out, "%s_%s[i]", dae_loop_prefix(writer), name);
  return true;
}

/* Leaves of arrays with different names, or out of order: copied before the loop. */
static void
append_copies(DaeLoopWriter *writer, const uint32_t *nodes, uint32_t n, GString *before,
              GString *out)
{
  g_autofree uint32_t *targets = g_new(uint32_t, (size_t)n + 1);
  g_autoptr(GPtrArray) statements = g_ptr_array_new_with_free_func(g_free);
  for (uint32_t i = 0; i < n; i++) {
    targets[i] = writer->n_slots + i;
  }
  dae_loop_append_copies(writer, "w", targets, nodes, n, statements);
  for (guint k = 0; k < statements->len; k++) {
    g_string_append(before, statements->pdata[k]);
  }
  g_string_append_printf(out, "w[i + %uu]", writer->n_slots);
  writer->n_slots += n;
}

void
dae_loop_append_column(DaeLoopWriter *writer, const uint32_t *nodes, uint32_t n,
                       GString *before, GString *out)
{
  g_autoptr(GString) first = g_string_new(NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree uint32_t *numbers = g_new(uint32_t, n);
  bool is_same = true;
  bool is_array = true;
  size_t length = 0;
  size_t other = 0;
  dae_loop_append_node(writer, nodes[0], first);
  for (uint32_t i = 0; i < n && (is_same || is_array); i++) {
    g_string_truncate(text, 0);
    dae_loop_append_node(writer, nodes[i], text);
    is_same = is_same && strcmp(text->str, first->str) == 0;
    is_array = is_array && dae_loop_split_element(text->str, &other, &numbers[i]);
    length = i == 0 ? other : length;
    is_array = is_array && other == length && strncmp(text->str, first->str, length) == 0;
  }
  if (is_same) {
    g_string_append(out, first->str);
  } else if (is_array) {
    g_string_append_printf(out, "%.*s[", (int)length, first->str);
    dae_loop_append_numbers(writer, numbers, n, out);
    g_string_append_c(out, ']');
  } else if (!append_constants(writer, nodes, n, out)) {
    append_copies(writer, nodes, n, before, out);
  }
}
