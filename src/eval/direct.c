/* What of a tape need not go through registers (kernel.h): columns of inputs are read where the
 * inputs lie, and results that are outputs and nothing else are written where the outputs lie. */
#include <string.h>

#include "eval/eval-priv.h"

/* Outputs in fewer stretches of equal steps than one for so many instances. */
#define SHORTEST_TARGET 8u

static bool
is_input_of_point(const DaeFused *fused, uint32_t node)
{
  return fused->nodes[node].op == DAE_OP_INPUT && fused->nodes[node].level == DAE_LEVEL_POINT;
}

static void
read_operands(DaeDirect *direct, uint32_t node)
{
  uint32_t operands[4];
  const uint32_t arity = dae_program_operands(&direct->fused->nodes[node], operands);
  for (uint32_t k = 0; k < arity; k++) {
    direct->is_read[operands[k]] = 1;
  }
}

/* Inputs that kernels read are left to dae_direct_kernel. */
static void
read_leaves(DaeDirect *direct, const DaeKernel *kernel)
{
  for (size_t e = 0; e < (size_t)kernel->n_columns * kernel->n; e++) {
    if (!is_input_of_point(direct->fused, kernel->table[e])) {
      direct->is_read[kernel->table[e]] = 1;
    }
  }
}

void
dae_direct_init(DaeDirect *direct, const DaeFused *fused, const DaeTapePlan *plan,
                const DaeKernelPlan *kernels)
{
  const uint32_t n_outputs = plan->group_start[plan->n_groups];
  *direct = (DaeDirect){.fused = fused,
                        .plan = plan,
                        .is_read = g_malloc0((size_t)fused->n + 1),
                        .output_of = g_new0(uint32_t, (size_t)fused->n + 1),
                        .is_given = g_malloc0((size_t)n_outputs + 1)};
  for (uint32_t k = 0; k < kernels->n_order; k++) {
    read_operands(direct, kernels->order[k]);
  }
  for (guint k = 0; k < kernels->kernels->len; k++) {
    read_leaves(direct, g_ptr_array_index(kernels->kernels, k));
  }
  for (uint32_t o = 0; o < n_outputs; o++) {
    uint32_t *of_node = &direct->output_of[plan->outputs[o]];
    if (*of_node != 0 || is_input_of_point(fused, plan->outputs[o])) {
      direct->is_read[plan->outputs[o]] = 1; /* copied once more, or not computed */
    }
    *of_node = o + 1;
  }
}

void
dae_direct_clear(DaeDirect *direct)
{
  g_free(direct->is_read);
  g_free(direct->output_of);
  g_free(direct->is_given);
}

/* ---- inputs ------------------------------------------------------------------------------ */

static DaeKernelInput
input_of(const DaeDirect *direct, uint32_t node, const uint32_t *register_of)
{
  const uint32_t input = direct->fused->nodes[node].a;
  return (DaeKernelInput){.source = direct->plan->input_source[input],
                          .shift = direct->plan->input_index[input] - register_of[node]};
}

/* All of the column lies in one array as it does in the registers? */
static bool
lies_as_in_registers(const DaeDirect *direct, const uint32_t *column, uint32_t n,
                     const uint32_t *register_of)
{
  bool is_shared = true;
  for (uint32_t i = 0; i < n; i++) {
    if (!is_input_of_point(direct->fused, column[i])) {
      return false;
    }
    const DaeKernelInput input = input_of(direct, column[i], register_of);
    const DaeKernelInput first = input_of(direct, column[0], register_of);
    if (input.source != first.source || input.shift != first.shift) {
      return false;
    }
    is_shared = is_shared && column[i] == column[0];
  }
  return !is_shared;
}

static void
find_inputs(DaeDirect *direct, DaeKernel *kernel, const uint32_t *register_of)
{
  kernel->inputs = g_new(DaeKernelInput, (size_t)kernel->n_columns + 1);
  for (uint32_t c = 0; c < kernel->n_columns; c++) {
    const uint32_t *column = kernel->table + (size_t)c * kernel->n;
    if (lies_as_in_registers(direct, column, kernel->n, register_of)) {
      kernel->inputs[c] = input_of(direct, column[0], register_of);
      continue;
    }
    kernel->inputs[c] = (DaeKernelInput){.source = DAE_SOURCE_COUNT};
    for (uint32_t i = 0; i < kernel->n; i++) {
      direct->is_read[column[i]] = 1;
    }
  }
}

/* ---- outputs ----------------------------------------------------------------------------- */

static uint32_t
group_of(const DaeTapePlan *plan, uint32_t output)
{
  uint32_t group = 0;
  while (plan->group_start[group + 1] <= output) {
    group++;
  }
  return group;
}

static bool
is_output_only(const DaeDirect *direct, const DaeKernel *kernel)
{
  for (uint32_t i = 0; i < kernel->n; i++) {
    if (direct->output_of[kernel->roots[i]] == 0 || direct->is_read[kernel->roots[i]]) {
      return false;
    }
  }
  return true;
}

static void
find_targets(DaeDirect *direct, DaeKernel *kernel)
{
  if (!is_output_only(direct, kernel)) {
    return;
  }
  g_autoptr(GArray) targets = g_array_new(FALSE, FALSE, sizeof(DaeKernelTarget));
  for (uint32_t i = 0; i < kernel->n;) {
    const uint32_t output = direct->output_of[kernel->roots[i]] - 1;
    const uint32_t group = group_of(direct->plan, output);
    DaeKernelTarget target = {i, group, output - direct->plan->group_start[group], 1};
    uint32_t end = i + 1;
    if (end < kernel->n) {
      target.step = direct->output_of[kernel->roots[end]] - 1 - output;
    }
    while (end < kernel->n &&
           direct->output_of[kernel->roots[end]] - 1 - output == target.step * (end - i)) {
      end++;
    }
    g_array_append_val(targets, target);
    i = end;
  }
  if (targets->len > 1 && kernel->n / targets->len < SHORTEST_TARGET) {
    return;
  }
  for (uint32_t i = 0; i < kernel->n; i++) {
    direct->is_given[direct->output_of[kernel->roots[i]] - 1] = 1;
  }
  kernel->n_targets = targets->len;
  kernel->targets = g_memdup2(targets->data, targets->len * sizeof(DaeKernelTarget));
}

void
dae_direct_kernel(DaeDirect *direct, DaeKernel *kernel, const uint32_t *register_of)
{
  find_inputs(direct, kernel, register_of);
  find_targets(direct, kernel);
}

/* ---- loads and stores -------------------------------------------------------------------- */

/* Outputs side by side that are worth a call. */
#define LONG_STORE 5u

static void
append_store(GArray *stretches, GArray *singles, const DaeStore *store)
{
  if (store->n >= LONG_STORE) {
    g_array_append_vals(stretches, store, 1);
    return;
  }
  for (uint32_t k = 0; k < store->n; k++) {
    const DaeStore single = {store->from + k, store->to + k, 1};
    g_array_append_val(singles, single);
  }
}

/* is_given, by output: left out; NULL: none. */
static void
find_stores(const DaeTape *tape, const uint8_t *is_given, DaeStores *stores)
{
  g_autoptr(GArray) stretches = g_array_new(FALSE, FALSE, sizeof(DaeStore));
  g_autoptr(GArray) singles = g_array_new(FALSE, FALSE, sizeof(DaeStore));
  for (uint32_t g = 0; g < tape->n_groups; g++) {
    const uint32_t first = tape->group_start[g];
    DaeStore last = {0, 0, 0};
    stores->stretch_start[g] = stretches->len;
    stores->single_start[g] = singles->len;
    for (uint32_t o = first; o < tape->group_start[g + 1]; o++) {
      if (is_given != NULL && is_given[o]) {
        continue;
      }
      if (last.n > 0 && last.from + last.n == tape->outputs[o] &&
          last.to + last.n == o - first) {
        last.n++;
        continue;
      }
      append_store(stretches, singles, &last);
      last = (DaeStore){tape->outputs[o], o - first, 1};
    }
    append_store(stretches, singles, &last);
  }
  stores->stretch_start[tape->n_groups] = stretches->len;
  stores->single_start[tape->n_groups] = singles->len;
  stores->stretches = g_memdup2(stretches->data, (size_t)stretches->len * sizeof(DaeStore));
  stores->singles = g_memdup2(singles->data, (size_t)singles->len * sizeof(DaeStore));
}

static void
stores_clear(DaeStores *stores)
{
  g_free(stores->stretches);
  g_free(stores->singles);
}

/* is_needed, by register. Where most of a load is needed, all of it is loaded. */
static void
find_alone(DaeTape *tape, const uint8_t *is_needed)
{
  g_autoptr(GArray) alone = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = tape->full.loads_to[DAE_LEVEL_TIME]; i < tape->full.n_loads; i++) {
    DaeLoad *load = &tape->full.loads[i];
    load->first_alone = alone->len;
    for (uint32_t to = load->to; to < load->to + load->n; to++) {
      if (is_needed[to]) {
        g_array_append_val(alone, to);
      }
    }
    load->n_alone = alone->len - load->first_alone;
    load->is_alone = load->n_alone < load->n / 2;
    if (!load->is_alone) {
      g_array_set_size(alone, load->first_alone);
    }
  }
  tape->alone = g_memdup2(alone->data, (size_t)alone->len * sizeof(uint32_t));
}

static void
find_extents(DaeTape *tape)
{
  for (uint32_t i = tape->full.loads_to[DAE_LEVEL_TIME]; i < tape->full.n_loads; i++) {
    const DaeLoad *load = &tape->full.loads[i];
    uint32_t *extent = &tape->extent[load->source];
    *extent = MAX(*extent, load->index + load->n);
  }
}

void
dae_tape_set_ways(DaeTape *tape, const DaeDirect *direct, const uint32_t *register_of)
{
  find_stores(tape, NULL, &tape->stores);
  if (direct == NULL) {
    return;
  }
  for (guint k = 0; k < tape->kernels->len; k++) {
    const DaeKernel *kernel = g_ptr_array_index(tape->kernels, k);
    tape->is_direct = tape->is_direct || kernel->n_targets > 0;
    for (uint32_t c = 0; c < kernel->n_columns; c++) {
      tape->is_direct = tape->is_direct || kernel->inputs[c].source != DAE_SOURCE_COUNT;
    }
  }
  g_autofree uint8_t *is_needed = g_malloc0((size_t)tape->n_registers + 1);
  for (uint32_t i = 0; i < direct->fused->n; i++) {
    if (direct->is_read[i] && is_input_of_point(direct->fused, i)) {
      is_needed[register_of[i]] = 1;
    }
  }
  find_alone(tape, is_needed);
  find_extents(tape);
  find_stores(tape, direct->is_given, &tape->others);
}

void
dae_tape_clear_ways(DaeTape *tape)
{
  stores_clear(&tape->stores);
  stores_clear(&tape->others);
  g_free(tape->alone);
}
