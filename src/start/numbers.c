/* The start problem in numbers: residuals and Jacobian of the assembled equations. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "start/start-priv.h"

void
dae_start_numbers_free(DaeStartNumbers *numbers)
{
  dae_tape_free(numbers->residual_tape);
  dae_tape_free(numbers->jacobian_tape);
  g_array_free(numbers->pattern.row_start, TRUE);
  g_array_free(numbers->pattern.columns, TRUE);
  g_array_free(numbers->pattern.entries, TRUE);
  g_free(numbers->r0);
  g_free(numbers->input);
  free(numbers->scratch);
  g_free(numbers);
}

static gint
compare_columns(gconstpointer a, gconstpointer b)
{
  return GPOINTER_TO_UINT(a) < GPOINTER_TO_UINT(b) ? -1
                                                   : GPOINTER_TO_UINT(a) > GPOINTER_TO_UINT(b);
}

/* Entries of one row by column: of the variables all at once, of the free parameters one by one. */
static GTree *
differentiate_row(const DaeStartAssembly *assembly, GHashTable *position, DaeTerm equation)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  GTree *row = g_tree_new(compare_columns);
  dae_term_gradient(assembly->terms, equation, atoms, partials);
  dae_term_collect_parameters(assembly->terms, equation, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    gpointer column = g_hash_table_lookup(position, GUINT_TO_POINTER(atom));
    if (column != NULL) {
      DaeTerm entry = a < partials->len ? g_array_index(partials, DaeTerm, a)
                                        : dae_term_partial(assembly->terms, equation, atom);
      g_tree_insert(row, column, GUINT_TO_POINTER(entry));
    }
  }
  return row;
}

/* Jacobian entries row by row; the column of an unknown through its position. */
static void
differentiate(const DaeStartAssembly *assembly, DaeStartNumbers *numbers)
{
  g_autoptr(GHashTable) position = g_hash_table_new(NULL, NULL);
  for (guint j = 0; j < assembly->unknowns->len; j++) {
    g_hash_table_insert(position,
                        GUINT_TO_POINTER(g_array_index(assembly->unknowns, DaeTerm, j)),
                        GUINT_TO_POINTER(j + 1));
  }
  GArray *entries = numbers->pattern.entries;
  uint32_t zero = 0;
  g_array_append_val(numbers->pattern.row_start, zero);
  for (guint i = 0; i < assembly->equations->len; i++) {
    DaeTerm equation = g_array_index(assembly->equations, DaeTerm, i);
    g_autoptr(GTree) row = differentiate_row(assembly, position, equation);
    for (GTreeNode *node = g_tree_node_first(row); node != NULL;
         node = g_tree_node_next(node)) {
      uint32_t column = GPOINTER_TO_UINT(g_tree_node_key(node)) - 1;
      DaeTerm entry = GPOINTER_TO_UINT(g_tree_node_value(node));
      g_array_append_val(numbers->pattern.columns, column);
      g_array_append_val(entries, entry);
    }
    g_array_append_val(numbers->pattern.row_start, numbers->pattern.columns->len);
  }
}

DaeStartNumbers *
dae_start_numbers_new(const DaeStartAssembly *assembly, GError **error)
{
  g_autoptr(DaeStartNumbers) numbers = g_new0(DaeStartNumbers, 1);
  numbers->pattern.row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  numbers->pattern.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  numbers->n = assembly->unknowns->len;
  numbers->m = assembly->equations->len;
  numbers->has_lambda = assembly->lambda != DAE_NO_TERM;
  numbers->lambda = 1;
  numbers->mu = 1;
  numbers->pattern.entries = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  differentiate(assembly, numbers);
  const GArray *entries = numbers->pattern.entries;
  g_autoptr(GArray) inputs = g_array_copy(assembly->unknowns);
  if (numbers->has_lambda) {
    g_array_append_val(inputs, assembly->lambda);
  }
  const DaeTerm *atoms = (const DaeTerm *)(void *)inputs->data;
  numbers->residual_tape = dae_tape_new(assembly->terms, atoms, inputs->len,
                                        (const DaeTerm *)(void *)assembly->equations->data,
                                        assembly->equations->len, error);
  if (numbers->residual_tape == NULL) {
    return NULL;
  }
  numbers->jacobian_tape =
      dae_tape_new(assembly->terms, atoms, inputs->len, (const DaeTerm *)(void *)entries->data,
                   entries->len, error);
  if (numbers->jacobian_tape == NULL) {
    return NULL;
  }
  size_t bytes = MAX(dae_tape_scratch_size(numbers->residual_tape),
                     dae_tape_scratch_size(numbers->jacobian_tape));
  numbers->scratch = dae_aligned_new0(bytes);
  numbers->input = g_new0(double, numbers->n + 1);
  return g_steal_pointer(&numbers);
}

int
dae_start_run(const DaeStartNumbers *numbers, const DaeTape *tape, const double *x, double *out)
{
  memcpy(numbers->input, x, numbers->n * sizeof(double));
  numbers->input[numbers->n] = numbers->lambda;
  uint32_t fault = 0;
  return dae_tape_eval(tape, numbers->scratch, 1, numbers->input, out, &fault);
}

int
dae_start_residual(const void *self, void *scratch, const double *x, double *r)
{
  const DaeStartNumbers *numbers = self;
  (void)scratch;
  int code = dae_start_run(numbers, numbers->residual_tape, x, r);
  for (uint32_t i = 0; numbers->r0 != NULL && i < numbers->m; i++) {
    r[i] -= (1 - numbers->mu) * numbers->r0[i];
  }
  return code;
}

int
dae_start_jacobian_beside(DaeStartFunction jacobian, const void *self, void *scratch,
                          uint32_t n, const double *x, double *values)
{
  static const double steps[] = {1e-9, -1e-9, 1e-6, -1e-6};
  int code = jacobian(self, scratch, x, values);
  if (code == 0) {
    return 0;
  }
  g_autofree double *y = g_new0(double, (size_t)n + 1);
  for (size_t k = 0; k < G_N_ELEMENTS(steps) && code != 0; k++) {
    for (uint32_t j = 0; j < n; j++) {
      y[j] = x[j] + steps[k] * (1 + fabs(x[j])) * (1 + (double)(j % 7) / 8);
    }
    code = jacobian(self, scratch, y, values);
  }
  return code;
}

static int
jacobian_there(const void *self, void *scratch, const double *x, double *values)
{
  const DaeStartNumbers *numbers = self;
  (void)scratch;
  return dae_start_run(numbers, numbers->jacobian_tape, x, values);
}

int
dae_start_jacobian(const void *self, void *scratch, const double *x, double *values)
{
  const DaeStartNumbers *numbers = self;
  return dae_start_jacobian_beside(jacobian_there, self, scratch, numbers->n, x, values);
}

bool
dae_start_holds(const DaeStartNumbers *numbers, const double *x)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  g_autofree double *r = g_new0(double, (size_t)numbers->m + 1);
  g_autofree double *values = g_new0(double, (size_t)pattern.row_start[numbers->m] + 1);
  bool holds = dae_start_residual(numbers, NULL, x, r) == 0 &&
               jacobian_there(numbers, NULL, x, values) == 0;
  for (uint32_t i = 0; i < numbers->m && holds; i++) {
    double largest = 0;
    for (uint32_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; e++) {
      largest = fmax(largest, fabs(values[e] * x[pattern.column[e]]));
    }
    holds = fabs(r[i]) <= 4 * DBL_EPSILON * largest;
  }
  return holds;
}
