/* Highest-value transversals: sparse shortest augmenting paths with dual
 * prices (the Hungarian method).
 *
 * The slack of an entry is s(i,j) = d[j] - c[i] - weight(i,j) >= 0; entries with s = 0 are
 * tight and the matching uses tight entries only. Four parts, all deterministic:
 *   1. prices d = column maximum, c = row minimum of the slack; for systems of index <= 1 these
 *      are already optimal, so that only a matching of tight entries is wanted;
 *   2. a cheap matching of tight entries: greedily, rows with few of them first; where that leaves
 *      more than a few rows, by the rule of Karp and Sipser (rows and columns with a single tight
 *      entry first; where there is none, the column with the fewest): ladders, pipes, trees and
 *      grids are finished here, or nearly so, in any order of the equations;
 *   3. shortest augmenting paths that end near their row, one search a row with a bound (nearby.c);
 *   4. phases: Dijkstra from all unmatched rows at once over the slacks until half as many
 *      unmatched columns have been met as there are unmatched rows; new prices make all those
 *      shortest paths tight; then depth-first search finds a maximal set of disjoint augmenting
 *      paths among the tight entries.
 * One phase costs the entries it looks at (times log of the range of slacks), never more than O(nnz
 * log), and many rows are matched in each; one search per row would be quadratic on long chains.
 * Slacks are small integers, so the queue is a list for slack 0 and a radix heap for the rest. */
#include "base/base.h"
#include "structural/graph.h"

#define FAR INT64_MAX

typedef struct { /* what a look at an entry needs of its column, in one place of memory */
  int64_t d;
  int64_t distance; /* FAR where not reached in this phase */
  uint32_t mate;
  uint32_t visited; /* number of the phase whose depth-first search was here */
} Column;

typedef struct {
  const DaeCsr *csr;
  Column *columns;
  uint32_t *mate_of_row;
  int64_t *c;
  GArray *free_rows; /* unmatched rows, ascending */
  /* Room for all columns: in one phase each of them comes into a list at most once. */
  uint32_t *reached; /* columns with a distance */
  uint32_t *settled; /* columns whose distance is final, in that order */
  uint32_t *level;   /* columns at a distance at which the search was, to be looked at */
  uint32_t n_reached, n_settled, n_level;
  DaeRadix *radix;
  uint32_t *stack_row; /* depth-first search */
  size_t *stack_edge;
  /* some columns stay unmatched: their prices must stay equal and least, so none is raised */
  bool is_wide;
  uint32_t phase;
  uint64_t n_edges;
} Matcher;

static inline int64_t
slack_of(const Matcher *m, uint32_t i, size_t e)
{
  return m->columns[m->csr->column[e]].d - m->c[i] - dae_csr_weight(m->csr, e);
}

static void
match_pair(Matcher *m, uint32_t i, uint32_t j)
{
  m->mate_of_row[i] = j;
  m->columns[j].mate = i;
}

/* ---- part 4: phases ---------------------------------------------------------------------- */

/* Looks at all entries of row i, which is at distance `at`. */
static void
relax_row(Matcher *m, uint32_t i, int64_t at)
{
  const DaeCsr *csr = m->csr;
  m->n_edges += csr->start[i + 1] - csr->start[i];
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    uint32_t j = csr->column[e];
    int64_t reach = at + slack_of(m, i, e);
    if (reach < m->columns[j].distance) {
      if (m->columns[j].distance == FAR) {
        m->reached[m->n_reached++] = j;
      }
      m->columns[j].distance = reach;
      if (reach == at) {
        m->level[m->n_level++] = j;
      } else {
        dae_radix_push(m->radix, reach, j);
      }
    }
  }
}

/* Asks for the memory that the columns behind this one will need: their rows are anywhere, and
 * each of the three looks waits for the one before. */
static inline void
look_ahead(const Matcher *m, size_t head)
{
  enum { STEP = 6 };

  const uint32_t *level = m->level;
  if (head + 3 * STEP >= m->n_level) {
    return;
  }
  __builtin_prefetch(&m->columns[level[head + 3 * STEP]]);
  uint32_t far = m->columns[level[head + 2 * STEP]].mate;
  uint32_t near = m->columns[level[head + STEP]].mate;
  if (far != DAE_UNMATCHED) {
    __builtin_prefetch(&m->csr->start[far]);
    __builtin_prefetch(&m->c[far]);
  }
  if (near != DAE_UNMATCHED) {
    size_t e = m->csr->start[near];
    __builtin_prefetch(&m->csr->column[e]);
    if (m->csr->weight != NULL) {
      __builtin_prefetch(&m->csr->weight[e]);
    }
  }
}

/* The next column in order of distance that is not settled yet. */
static bool
take_nearest_column(Matcher *m, size_t *head, int64_t *at, uint32_t *j)
{
  if (*head < m->n_level) {
    look_ahead(m, *head);
    *j = m->level[(*head)++];
    return true;
  }
  int64_t key = 0;
  while (dae_radix_pop(m->radix, &key, j)) {
    if (m->columns[*j].distance == key) { /* else: an older, longer way to it */
      *at = key;
      return true;
    }
  }
  return false;
}

/* Dijkstra from all unmatched rows. Returns how many unmatched columns
 * were met and how far it went. */
static uint32_t
search_from_free_rows(Matcher *m, int64_t *limit)
{
  uint32_t n_wanted = m->is_wide ? MIN(1, m->free_rows->len) : (m->free_rows->len + 1) / 2;
  uint32_t n_found = 0;
  size_t head = 0;
  int64_t at = 0;
  uint32_t j = 0;
  m->n_reached = 0;
  m->n_settled = 0;
  m->n_level = 0;
  dae_radix_reset(m->radix, 0);
  for (guint k = 0; k < m->free_rows->len; k++) {
    relax_row(m, g_array_index(m->free_rows, uint32_t, k), 0);
  }
  while (n_found < n_wanted && take_nearest_column(m, &head, &at, &j)) {
    m->settled[m->n_settled++] = j;
    if (m->columns[j].mate == DAE_UNMATCHED) {
      n_found++;
    } else {
      relax_row(m, m->columns[j].mate, at);
    }
  }
  *limit = at;
  return n_found;
}

/* Afterwards every shortest path found is tight and every slack is still >= 0. */
static void
raise_prices(Matcher *m, int64_t limit)
{
  for (guint k = 0; k < m->free_rows->len; k++) {
    m->c[g_array_index(m->free_rows, uint32_t, k)] += limit;
  }
  for (uint32_t k = 0; k < m->n_settled; k++) {
    uint32_t j = m->settled[k];
    int64_t raise = limit - m->columns[j].distance;
    m->columns[j].d += raise;
    if (m->columns[j].mate != DAE_UNMATCHED) {
      m->c[m->columns[j].mate] += raise;
    }
  }
}

/* A tight entry of row i to an unmatched column that this phase has reached; *column says which. */
static bool
find_free_column(Matcher *m, uint32_t i, uint32_t *column)
{
  const DaeCsr *csr = m->csr;
  m->n_edges += csr->start[i + 1] - csr->start[i];
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    uint32_t j = csr->column[e];
    if (m->columns[j].mate == DAE_UNMATCHED && slack_of(m, i, e) == 0) {
      *column = j;
      return true;
    }
  }
  return false;
}

/* Depth-first search for an augmenting path of tight entries; each column is entered once per
 * phase. Only reached columns are entered: that bounds the work by what Dijkstra has looked at. */
static bool
augment_from_row(Matcher *m, uint32_t root)
{
  const DaeCsr *csr = m->csr;
  size_t depth = 0;
  uint32_t free_column = DAE_UNMATCHED;
  m->stack_row[0] = root;
  m->stack_edge[0] = csr->start[root];
  bool found = find_free_column(m, root, &free_column);
  while (!found) {
    uint32_t i = m->stack_row[depth];
    size_t e = m->stack_edge[depth];
    for (; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (m->columns[j].visited != m->phase && m->columns[j].distance != FAR &&
          slack_of(m, i, e) == 0) {
        break;
      }
    }
    m->stack_edge[depth] = e + 1;
    if (e < csr->start[i + 1]) {
      uint32_t next = m->columns[csr->column[e]].mate;
      m->columns[csr->column[e]].visited = m->phase;
      depth++;
      m->stack_row[depth] = next;
      m->stack_edge[depth] = csr->start[next];
      found = find_free_column(m, next, &free_column);
    } else if (depth == 0) {
      return false;
    } else {
      depth--;
    }
  }
  for (uint32_t j = free_column;; depth--) { /* flip the path, from its end to the root */
    uint32_t i = m->stack_row[depth];
    uint32_t previous = m->mate_of_row[i];
    match_pair(m, i, j);
    m->columns[j].visited = m->phase;
    j = previous;
    if (depth == 0) {
      return true;
    }
  }
}

/* One phase; false when no unmatched column can be reached any more. */
static bool
run_phase(Matcher *m)
{
  int64_t limit = 0;
  m->phase++;
  uint32_t n_found = search_from_free_rows(m, &limit);
  if (n_found == 0) {
    return false;
  }
  raise_prices(m, limit);
  guint n_left = 0;
  for (guint k = 0; k < m->free_rows->len; k++) {
    uint32_t i = g_array_index(m->free_rows, uint32_t, k);
    if (!augment_from_row(m, i)) {
      g_array_index(m->free_rows, uint32_t, n_left++) = i;
    }
  }
  DAE_ASSERT(n_left < m->free_rows->len); /* the measure of the loop over phases */
  g_array_set_size(m->free_rows, n_left);
  return true;
}

static void
forget_distances(Matcher *m)
{
  for (uint32_t k = 0; k < m->n_reached; k++) {
    m->columns[m->reached[k]].distance = FAR;
  }
}

static void
match_remaining_rows(Matcher *m)
{
  const DaeCsr *csr = m->csr;
  m->stack_row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  m->stack_edge = g_new(size_t, (size_t)csr->n_rows + 1);
  m->reached = g_new(uint32_t, (size_t)csr->n_columns + 1);
  m->settled = g_new(uint32_t, (size_t)csr->n_columns + 1);
  m->level = g_new(uint32_t, (size_t)csr->n_columns + 1);
  m->radix = dae_radix_new();
  while (m->free_rows->len > 0 && run_phase(m)) {
    forget_distances(m);
  }
  g_free(m->stack_row);
  g_free(m->stack_edge);
  g_free(m->reached);
  g_free(m->settled);
  g_free(m->level);
  dae_radix_free(m->radix);
}

static void
match_the_rest(Matcher *m, uint32_t *row_of_column, int64_t *d)
{
  m->columns = g_new(Column, (size_t)m->csr->n_columns + 1);
  for (uint32_t j = 0; j < m->csr->n_columns; j++) {
    m->columns[j] = (Column){d[j], FAR, row_of_column[j], 0};
  }
  match_remaining_rows(m);
  for (uint32_t j = 0; j < m->csr->n_columns; j++) {
    row_of_column[j] = m->columns[j].mate;
    d[j] = m->columns[j].d;
  }
  g_free(m->columns);
}

static void
list_free_rows(Matcher *m)
{
  g_array_set_size(m->free_rows, 0);
  for (uint32_t i = 0; i < m->csr->n_rows; i++) {
    if (m->mate_of_row[i] == DAE_UNMATCHED) {
      g_array_append_val(m->free_rows, i);
    }
  }
}

bool
dae_graph_match(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column, int64_t *c,
                int64_t *d, DaeMatchCounts *counts)
{
  Matcher m = {.csr = csr};
  m.mate_of_row = column_of_row;
  m.c = c;
  m.is_wide = csr->n_rows < csr->n_columns;
  m.n_edges = dae_graph_match_cheaply(csr, column_of_row, row_of_column, c, d);
  m.free_rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  list_free_rows(&m);
  if (m.free_rows->len > 0) {
    m.n_edges += dae_graph_match_nearby(csr, column_of_row, row_of_column, c, d);
    list_free_rows(&m);
  }
  if (m.free_rows->len > 0) {
    match_the_rest(&m, row_of_column, d);
  }
  bool is_complete = m.free_rows->len == 0;
  g_array_unref(m.free_rows);
  if (counts != NULL) {
    counts->n_phases = m.phase;
    counts->n_edges = m.n_edges;
  }
  return is_complete;
}
