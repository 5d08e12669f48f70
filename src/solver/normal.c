/* The fixed part of normal equations: order of elimination, pattern of the
 * factor, lists of operations. */
#include <glib.h>
#include <string.h>

#include "base/base.h"
#include "solver/normal.h"

static bool
pattern_is_diagonal(const DaeNormal *normal)
{
  if (normal->n_rows != normal->n_columns) {
    return false;
  }
  g_autofree uint8_t *seen = g_new0(uint8_t, (size_t)normal->n_columns + 1);
  for (uint32_t i = 0; i < normal->n_rows; i++) {
    if (normal->row_start[i + 1] - normal->row_start[i] != 1 ||
        seen[normal->column[normal->row_start[i]]]++ != 0) {
      return false;
    }
  }
  return true;
}

/* ---- minimum degree -------------------------------------------------------------------------- */

typedef struct {
  uint32_t n;
  GArray **neighbours; /* by column of A, uint32_t, no duplicates */
  uint32_t *mark;
  uint32_t stamp;
} Graph;

static void
add_new_neighbours(Graph *graph, uint32_t u, const uint32_t *others, uint32_t n_others)
{
  GArray *list = graph->neighbours[u];
  graph->stamp++;
  graph->mark[u] = graph->stamp;
  for (uint32_t k = 0; k < list->len; k++) {
    graph->mark[g_array_index(list, uint32_t, k)] = graph->stamp;
  }
  for (uint32_t k = 0; k < n_others; k++) {
    if (graph->mark[others[k]] != graph->stamp) {
      graph->mark[others[k]] = graph->stamp;
      g_array_append_val(list, others[k]);
    }
  }
}

static void
remove_neighbour(GArray *list, uint32_t v)
{
  for (uint32_t k = 0; k < list->len; k++) {
    if (g_array_index(list, uint32_t, k) == v) {
      g_array_remove_index_fast(list, k);
      return;
    }
  }
}

/* The columns of a row of A are pairwise coupled in A^T A. */
static void
graph_init(Graph *graph, const DaeNormal *normal)
{
  graph->n = normal->n_columns;
  graph->neighbours = g_new(GArray *, (size_t)graph->n + 1);
  graph->mark = g_new0(uint32_t, (size_t)graph->n + 1);
  graph->stamp = 0;
  for (uint32_t j = 0; j < graph->n; j++) {
    graph->neighbours[j] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < normal->n_rows; i++) {
    const uint32_t *columns = normal->column + normal->row_start[i];
    const uint32_t n = normal->row_start[i + 1] - normal->row_start[i];
    for (uint32_t k = 0; k < n; k++) {
      add_new_neighbours(graph, columns[k], columns, n);
    }
  }
}

static void
graph_clear(Graph *graph)
{
  for (uint32_t j = 0; j < graph->n; j++) {
    g_array_free(graph->neighbours[j], TRUE);
  }
  g_free(graph->neighbours);
  g_free(graph->mark);
}

/* Fills order; afterwards neighbours[v] are those eliminated after v that v is coupled with:
 * column v of the factor. Ties go to the smallest column. */
static void
eliminate_by_degree(Graph *graph, uint32_t *order)
{
  g_autofree bool *is_done = g_new0(bool, (size_t)graph->n + 1);
  for (uint32_t step = 0; step < graph->n; step++) {
    uint32_t best = UINT32_MAX;
    for (uint32_t j = 0; j < graph->n; j++) {
      if (!is_done[j] &&
          (best == UINT32_MAX || graph->neighbours[j]->len < graph->neighbours[best]->len)) {
        best = j;
      }
    }
    const GArray *clique = graph->neighbours[best];
    for (uint32_t k = 0; k < clique->len; k++) {
      const uint32_t u = g_array_index(clique, uint32_t, k);
      add_new_neighbours(graph, u, (const uint32_t *)(const void *)clique->data, clique->len);
      remove_neighbour(graph->neighbours[u], best);
    }
    is_done[best] = true;
    order[step] = best;
  }
}

/* ---- pattern and operations -------------------------------------------------------------- */

/* Rows of the factor: strictly lower entries ascending, then the diagonal. */
static void
set_entries(DaeNormal *normal, const Graph *graph)
{
  const uint32_t n = normal->n_columns;
  g_autofree uint32_t *position = g_new(uint32_t, (size_t)n + 1);
  normal->entry_start = g_new0(uint32_t, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    position[normal->order[i]] = i;
  }
  for (uint32_t j = 0; j < n; j++) {
    const GArray *below = graph->neighbours[normal->order[j]];
    normal->entry_start[j + 1]++;
    for (uint32_t k = 0; k < below->len; k++) {
      normal->entry_start[position[g_array_index(below, uint32_t, k)] + 1]++;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    normal->entry_start[i + 1] += normal->entry_start[i];
  }
  normal->entry_column = g_new(uint32_t, (size_t)normal->entry_start[n] + 1);
  g_autofree uint32_t *next =
      g_memdup2(normal->entry_start, ((size_t)n + 1) * sizeof(uint32_t));
  for (uint32_t j = 0; j < n; j++) { /* column by column, so that each row ascends */
    const GArray *below = graph->neighbours[normal->order[j]];
    normal->entry_column[next[j]++] = j;
    for (uint32_t k = 0; k < below->len; k++) {
      normal->entry_column[next[position[g_array_index(below, uint32_t, k)]]++] = j;
    }
  }
}

static uint32_t
find_entry(const DaeNormal *normal, uint32_t i, uint32_t j)
{
  uint32_t low = normal->entry_start[i];
  uint32_t high = normal->entry_start[i + 1];
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (normal->entry_column[middle] <= j) {
      low = middle;
    } else {
      high = middle;
    }
  }
  DAE_ASSERT(normal->entry_column[low] == j);
  return low;
}

/* Products of entries of A that make up each entry of A^T A: two passes, count and fill. */
static void
set_pairs(DaeNormal *normal)
{
  const uint32_t n = normal->n_columns;
  const uint32_t n_entries = normal->entry_start[n];
  g_autofree uint32_t *position = g_new(uint32_t, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    position[normal->order[i]] = i;
  }
  normal->pair_start = g_new0(uint32_t, (size_t)n_entries + 2);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t r = 0; r < normal->n_rows; r++) {
      for (uint32_t p = normal->row_start[r]; p < normal->row_start[r + 1]; p++) {
        for (uint32_t q = normal->row_start[r]; q <= p; q++) {
          const uint32_t i = position[normal->column[p]];
          const uint32_t j = position[normal->column[q]];
          const uint32_t e = find_entry(normal, MAX(i, j), MIN(i, j));
          if (pass == 0) {
            normal->pair_start[e + 2]++;
          } else {
            const uint32_t at = normal->pair_start[e + 1]++;
            normal->pair_p[at] = p;
            normal->pair_q[at] = q;
          }
        }
      }
    }
    if (pass == 0) { /* pair_start[e + 1] is where entry e begins, and ends up where it ends */
      for (uint32_t e = 0; e <= n_entries; e++) {
        normal->pair_start[e + 1] += normal->pair_start[e];
      }
      normal->pair_p = g_new(uint32_t, (size_t)normal->pair_start[n_entries + 1] + 1);
      normal->pair_q = g_new(uint32_t, (size_t)normal->pair_start[n_entries + 1] + 1);
    }
  }
}

static void
append_common_columns(const DaeNormal *normal, uint32_t e, uint32_t i, GArray *c, GArray *l)
{
  const uint32_t j = normal->entry_column[e];
  uint32_t p = normal->entry_start[i];
  uint32_t q = normal->entry_start[j];
  while (p < e && q < normal->entry_start[j + 1] - 1) { /* columns left of j in both rows */
    const uint32_t a = normal->entry_column[p];
    const uint32_t b = normal->entry_column[q];
    if (a == b) {
      g_array_append_val(c, p);
      g_array_append_val(l, q);
    }
    p += a <= b;
    q += b <= a;
  }
}

static uint32_t *
take_data(GArray *array)
{
  const uint32_t sentinel = 0;
  g_array_append_val(array, sentinel); /* never an empty block */
  return (uint32_t *)(void *)g_array_free(array, FALSE);
}

static void
set_triples(DaeNormal *normal)
{
  const uint32_t n = normal->n_columns;
  GArray *c = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  GArray *l = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  normal->triple_start = g_new0(uint32_t, (size_t)normal->entry_start[n] + 1);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t e = normal->entry_start[i]; e < normal->entry_start[i + 1]; e++) {
      append_common_columns(normal, e, i, c, l);
      normal->triple_start[e + 1] = c->len;
    }
  }
  normal->triple_c = take_data(c);
  normal->triple_l = take_data(l);
}

DaeNormal *
dae_normal_new(uint32_t n_rows, uint32_t n_columns, const uint32_t *row_start,
               const uint32_t *column)
{
  DaeNormal *normal = g_new0(DaeNormal, 1);
  normal->n_rows = n_rows;
  normal->n_columns = n_columns;
  normal->row_start = g_memdup2(row_start, ((size_t)n_rows + 1) * sizeof *row_start);
  normal->column = g_new(uint32_t, (size_t)row_start[n_rows] + 1);
  if (row_start[n_rows] > 0) {
    memcpy(normal->column, column, row_start[n_rows] * sizeof *column);
  }
  normal->is_diagonal = pattern_is_diagonal(normal);
  normal->order = g_new(uint32_t, (size_t)n_columns + 1);
  if (normal->is_diagonal) {
    return normal;
  }
  Graph graph;
  graph_init(&graph, normal);
  eliminate_by_degree(&graph, normal->order);
  set_entries(normal, &graph);
  graph_clear(&graph);
  set_pairs(normal);
  set_triples(normal);
  return normal;
}

void
dae_normal_free(DaeNormal *normal)
{
  if (normal != NULL) {
    g_free(normal->row_start);
    g_free(normal->column);
    g_free(normal->order);
    g_free(normal->scale);
    g_free(normal->entry_start);
    g_free(normal->entry_column);
    g_free(normal->pair_start);
    g_free(normal->pair_p);
    g_free(normal->pair_q);
    g_free(normal->triple_start);
    g_free(normal->triple_c);
    g_free(normal->triple_l);
    g_free(normal);
  }
}
