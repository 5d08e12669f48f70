/* Locally dynamic unknowns of a large model, for output only: elimination of the constraints
 * row by row, each with a pivot of its own. Dense elimination gives the same for small models
 * on the way (linsys_dense.c).
 *
 * Row i is expanded into a full vector, reduced by the pivot rows it meets in the order of
 * their making (a heap), and keeps what is left as a sparse row. Cost O(fill): for a chain the
 * fill grows with the square of its length, which is why this is only done when asked for. */
#include "solver/states.h"

#include <math.h>
#include <string.h>

#define SMALL_PIVOT 1e-10

struct DaeStates {
  const DaeEvaluator *ev;
  const double *nominal;
  double *column_weight;
  double *row;        /* n, expanded */
  uint8_t *in_row;    /* n */
  GArray *touched;    /* columns of the expanded row */
  GArray *heap;       /* numbers of pivots to reduce with, smallest first */
  uint32_t *pivot_of; /* n: number of the pivot in this column, or n */
  uint32_t *starts;   /* n_con + 1 */
  GArray *columns;
  GArray *values;
};

DaeStates *
dae_states_new(const DaeEvaluator *ev, const double *nominal)
{
  DaeStates *s = g_new0(DaeStates, 1);
  s->ev = ev;
  s->nominal = nominal;
  s->column_weight = g_new0(double, ev->n + 1);
  s->row = g_new0(double, ev->n + 1);
  s->in_row = g_new0(uint8_t, ev->n + 1);
  s->pivot_of = g_new0(uint32_t, ev->n + 1);
  s->starts = g_new0(uint32_t, ev->n_con + 2);
  s->touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  s->heap = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  s->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  s->values = g_array_new(FALSE, FALSE, sizeof(double));
  for (uint32_t j = 0; j < ev->n; j++) {
    s->column_weight[j] =
        1e3 * nominal[j]; /* unknowns without derivative first, as in linsys_dense.c */
  }
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    s->column_weight[ev->mass.column[e]] = nominal[ev->mass.column[e]];
  }
  return s;
}

void
dae_states_free(DaeStates *s)
{
  if (s == NULL) {
    return;
  }
  g_free(s->column_weight);
  g_free(s->row);
  g_free(s->in_row);
  g_free(s->pivot_of);
  g_free(s->starts);
  g_array_free(s->touched, TRUE);
  g_array_free(s->heap, TRUE);
  g_array_free(s->columns, TRUE);
  g_array_free(s->values, TRUE);
  g_free(s);
}

static void
push_pivot(GArray *heap, uint32_t pivot)
{
  g_array_append_val(heap, pivot);
  uint32_t *h = (uint32_t *)(void *)heap->data;
  for (guint at = heap->len - 1; at > 0 && h[(at - 1) / 2] > h[at]; at = (at - 1) / 2) {
    uint32_t keep = h[at];
    h[at] = h[(at - 1) / 2];
    h[(at - 1) / 2] = keep;
  }
}

static uint32_t
pop_pivot(GArray *heap)
{
  uint32_t *h = (uint32_t *)(void *)heap->data;
  uint32_t first = h[0];
  guint len = heap->len - 1;
  h[0] = h[len];
  g_array_set_size(heap, len);
  for (guint at = 0;;) {
    guint child = 2 * at + 1;
    if (child >= len) {
      break;
    }
    child += child + 1 < len && h[child + 1] < h[child];
    if (h[at] <= h[child]) {
      break;
    }
    uint32_t keep = h[at];
    h[at] = h[child];
    h[child] = keep;
    at = child;
  }
  return first;
}

static void
add_entry(DaeStates *s, uint32_t column, double value)
{
  if (!s->in_row[column]) {
    s->in_row[column] = 1;
    s->row[column] = 0.0;
    g_array_append_val(s->touched, column);
    if (s->pivot_of[column] < s->ev->n) {
      push_pivot(s->heap, s->pivot_of[column]);
    }
  }
  s->row[column] += value;
}

/* row -= factor * pivot row, which is 1 in its pivot column (stored first). */
static void
reduce_with(DaeStates *s, uint32_t pivot)
{
  uint32_t from = s->starts[pivot];
  uint32_t to = s->starts[pivot + 1];
  double factor = s->row[g_array_index(s->columns, uint32_t, from)];
  s->row[g_array_index(s->columns, uint32_t, from)] = 0.0;
  for (uint32_t e = from + 1; factor != 0.0 && e < to; e++) {
    add_entry(s, g_array_index(s->columns, uint32_t, e),
              -factor * g_array_index(s->values, double, e));
  }
}

/* Stores what is left of the row with its largest entry as pivot; false: nothing is left. */
static bool
keep_row(DaeStates *s, uint32_t number, double scale)
{
  uint32_t best = 0;
  double size = 0.0;
  for (guint i = 0; i < s->touched->len; i++) {
    uint32_t j = g_array_index(s->touched, uint32_t, i);
    double here = fabs(s->row[j]) * s->column_weight[j];
    if (s->pivot_of[j] == s->ev->n && here > size) {
      size = here;
      best = j;
    }
  }
  bool kept = size > SMALL_PIVOT * scale;
  if (kept) {
    double one = 1.0;
    double inverse = 1.0 / s->row[best];
    g_array_append_val(s->columns, best);
    g_array_append_val(s->values, one);
    for (guint i = 0; i < s->touched->len; i++) {
      uint32_t j = g_array_index(s->touched, uint32_t, i);
      double value = s->row[j] * inverse;
      if (j != best && s->pivot_of[j] == s->ev->n && value != 0.0) {
        g_array_append_val(s->columns, j);
        g_array_append_val(s->values, value);
      }
    }
    s->pivot_of[best] = number;
    s->starts[number + 1] = s->columns->len;
  }
  for (guint i = 0; i < s->touched->len; i++) {
    s->in_row[g_array_index(s->touched, uint32_t, i)] = 0;
  }
  g_array_set_size(s->touched, 0);
  return kept;
}

void
dae_states_find(DaeStates *s, const double *gx, uint8_t *states)
{
  const DaePattern *pattern = &s->ev->constraint;
  uint32_t number = 0;
  g_array_set_size(s->columns, 0);
  g_array_set_size(s->values, 0);
  for (uint32_t j = 0; j < s->ev->n; j++) {
    s->pivot_of[j] = s->ev->n;
  }
  for (uint32_t i = 0; i < s->ev->n_con; i++) {
    double scale = 0.0;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      add_entry(s, pattern->column[e], gx[e]);
      scale = fmax(scale, fabs(gx[e]) * s->column_weight[pattern->column[e]]);
    }
    while (s->heap->len > 0) {
      reduce_with(s, pop_pivot(s->heap));
    }
    number += keep_row(s, number, scale);
  }
  for (uint32_t j = 0; j < s->ev->n; j++) {
    states[j] = s->pivot_of[j] == s->ev->n;
  }
}
