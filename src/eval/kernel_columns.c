/* Columns of kernels (kernel.h): from nodes to registers, as stretches or as tables. */
#include <string.h>

#include "eval/kernel.h"

/* Stretches shorter than this on the average are not worth it. */
#define SHORTEST_STRETCH 16u

static bool
is_next(const DaeKernel *kernel, uint32_t i)
{
  for (uint32_t c = 0; c < kernel->n_columns; c++) {
    const uint32_t *column = kernel->table + (size_t)c * kernel->n;
    if (!kernel->is_shared[c] && column[i] != column[i - 1] + 1) {
      return false;
    }
  }
  return true;
}

static void
find_stretches(DaeKernel *kernel)
{
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < kernel->n; i++) {
    if (i == 0 || !is_next(kernel, i)) {
      g_array_append_val(starts, i);
    }
  }
  if (starts->len > 1 && kernel->n / starts->len < SHORTEST_STRETCH) {
    return;
  }
  kernel->n_stretches = starts->len;
  g_array_append_val(starts, kernel->n);
  kernel->stretch_start = g_memdup2(starts->data, starts->len * sizeof(uint32_t));
  kernel->stretch_from = g_new(uint32_t, (size_t)kernel->n_stretches * kernel->n_columns);
  for (uint32_t s = 0; s < kernel->n_stretches; s++) {
    for (uint32_t c = 0; c < kernel->n_columns; c++) {
      kernel->stretch_from[s * kernel->n_columns + c] =
          kernel->table[(size_t)c * kernel->n + kernel->stretch_start[s]];
    }
  }
  g_clear_pointer(&kernel->table, g_free);
}

void
dae_kernel_set_registers(DaeKernel *kernel, const uint32_t *register_of)
{
  kernel->is_shared = g_new(bool, kernel->n_columns);
  for (uint32_t c = 0; c < kernel->n_columns; c++) {
    uint32_t *column = kernel->table + (size_t)c * kernel->n;
    kernel->is_shared[c] = true;
    for (uint32_t i = 0; i < kernel->n; i++) {
      column[i] = register_of[column[i]];
      kernel->is_shared[c] = kernel->is_shared[c] && column[i] == column[0];
    }
  }
  g_clear_pointer(&kernel->roots, g_free);
  find_stretches(kernel);
}

uint32_t
dae_kernel_leaf(const DaeKernel *kernel, uint32_t instance, uint32_t column)
{
  if (kernel->table != NULL) {
    return kernel->table[(size_t)column * kernel->n + instance];
  }
  uint32_t low = 0;
  uint32_t high =
      kernel->n_stretches; /* stretch_start[low] <= instance < stretch_start[high] */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (kernel->stretch_start[middle] <= instance) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const uint32_t from = kernel->stretch_from[low * kernel->n_columns + column];
  return from + (kernel->is_shared[column] ? 0 : instance - kernel->stretch_start[low]);
}
