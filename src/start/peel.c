/* Better guesses before the whole start problem is solved: an equation in which all unknowns
 * but one are known is solved for that one, and so on as far as it goes (the loop-free part of
 * [OchelBachmannCasella, section 3.1]). What is found is only a guess: the solver of the whole
 * problem has the last word. At the end of a path of homotopy() the same gives explicit values
 * their last digits. Cost: each equation is evaluated a few times. */
#include <math.h>

#include "start/start-priv.h"

typedef struct {
  const DaeStartAssembly *assembly;
  const DaeStartPattern *pattern;
  GHashTable *position; /* unknown term -> column + 1 */
  GArray *rows_of;      /* uint32_t, by column */
  GArray *rows_from;    /* uint32_t, n + 1 */
  uint32_t *open;       /* unknowns not known yet, per row */
  bool *known;          /* per column */
  GArray *queue;        /* uint32_t: rows with one open unknown */
  double *x;
} Peel;

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Peel *peel = user;
  if (atom == peel->assembly->lambda) {
    *value = 1; /* the actual equations */
    return true;
  }
  uint32_t column =
      GPOINTER_TO_UINT(g_hash_table_lookup(peel->position, GUINT_TO_POINTER(atom)));
  if (column == 0) {
    return false;
  }
  *value = peel->x[column - 1];
  return true;
}

static bool
value_of(Peel *peel, DaeTerm t, double *value)
{
  return dae_term_eval_double(peel->assembly->terms, t, atom_value, peel, value) == DAE_EVAL_OK;
}

typedef struct { /* one equation in one unknown */
  Peel *peel;
  DaeTerm equation, slope;
  double *x; /* its place among the values */
} Single;

static bool
residual_of_single(void *user, double x, double *value)
{
  const Single *single = user;
  *single->x = x;
  return value_of(single->peel, single->equation, value);
}

static bool
slope_of_single(void *user, double x, double *value)
{
  const Single *single = user;
  *single->x = x;
  return value_of(single->peel, single->slope, value);
}

/* On failure the guess stays. */
static bool
solve_for(Peel *peel, uint32_t row, uint32_t entry)
{
  uint32_t column = g_array_index(peel->pattern->columns, uint32_t, entry);
  Single single = {peel, g_array_index(peel->assembly->equations, DaeTerm, row),
                   g_array_index(peel->pattern->entries, DaeTerm, entry), &peel->x[column]};
  const DaeScalarProblem problem = {residual_of_single, slope_of_single, &single};
  double x = peel->x[column];
  bool is_found = dae_numeric_scalar(&problem, &x);
  peel->x[column] = x;
  return is_found;
}

static void
mark_known(Peel *peel, uint32_t column)
{
  peel->known[column] = true;
  uint32_t end = g_array_index(peel->rows_from, uint32_t, column + 1);
  for (uint32_t e = g_array_index(peel->rows_from, uint32_t, column); e < end; e++) {
    uint32_t row = g_array_index(peel->rows_of, uint32_t, e);
    if (--peel->open[row] == 1) {
      g_array_append_val(peel->queue, row);
    }
  }
}

static void
visit_row(Peel *peel, uint32_t row)
{
  const DaeStartPattern *pattern = peel->pattern;
  uint32_t end = g_array_index(pattern->row_start, uint32_t, row + 1);
  for (uint32_t e = g_array_index(pattern->row_start, uint32_t, row); e < end; e++) {
    uint32_t column = g_array_index(pattern->columns, uint32_t, e);
    if (!peel->known[column]) {
      if (solve_for(peel, row, e)) {
        mark_known(peel, column);
      }
      return;
    }
  }
}

/* Rows of each column, in increasing order. */
static void
transpose(Peel *peel, uint32_t n, uint32_t m)
{
  const DaeStartPattern *pattern = peel->pattern;
  g_array_set_size(peel->rows_from, n + 1);
  g_array_set_size(peel->rows_of, pattern->columns->len);
  uint32_t *from = (uint32_t *)(void *)peel->rows_from->data;
  for (guint e = 0; e < pattern->columns->len; e++) {
    from[g_array_index(pattern->columns, uint32_t, e) + 1]++;
  }
  for (uint32_t j = 0; j < n; j++) {
    from[j + 1] += from[j];
  }
  g_autofree uint32_t *next = g_memdup2(from, n * sizeof(uint32_t) + 1);
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t e = g_array_index(pattern->row_start, uint32_t, i);
         e < g_array_index(pattern->row_start, uint32_t, i + 1); e++) {
      uint32_t column = g_array_index(pattern->columns, uint32_t, e);
      g_array_index(peel->rows_of, uint32_t, next[column]++) = i;
    }
  }
}

void
dae_start_peel(const DaeStartAssembly *assembly, const DaeStartPattern *pattern, double *x)
{
  uint32_t n = assembly->unknowns->len;
  uint32_t m = assembly->equations->len;
  g_autoptr(GHashTable) position = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) rows_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  g_autoptr(GArray) rows_from = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree uint32_t *open = g_new0(uint32_t, m + 1);
  g_autofree bool *known = g_new0(bool, n + 1);
  Peel peel = {assembly, pattern, position, rows_of, rows_from, open, known, queue, NULL};
  peel.x = x;
  for (uint32_t j = 0; j < n; j++) {
    g_hash_table_insert(position,
                        GUINT_TO_POINTER(g_array_index(assembly->unknowns, DaeTerm, j)),
                        GUINT_TO_POINTER(j + 1));
  }
  transpose(&peel, n, m);
  for (uint32_t i = 0; i < m; i++) {
    open[i] = g_array_index(pattern->row_start, uint32_t, i + 1) -
              g_array_index(pattern->row_start, uint32_t, i);
    if (open[i] == 1) {
      g_array_append_val(queue, i);
    }
  }
  for (guint q = 0; q < queue->len; q++) {
    uint32_t row = g_array_index(queue, uint32_t, q);
    if (open[row] == 1) {
      visit_row(&peel, row);
    }
  }
}
