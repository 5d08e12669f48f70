/* Highest-value transversals: sparse shortest augmenting paths with dual
 * prices (the Hungarian method).
 *
 * The slack of an entry is s(i,j) = d[j] - c[i] - weight(i,j) >= 0; entries with s = 0 are
 * tight and the matching uses tight entries only. Three parts, all deterministic:
 *   1. prices d = column maximum, c = row minimum of the slack; for systems of index <= 1 these
 *      are already optimal, so that only a matching of tight entries is wanted;
 *   2. a cheap matching by the rule of Karp and Sipser on tight entries (rows and
 *      columns with a single tight entry first): ladders, pipes and trees are finished
 *      here, in any order of the equations;
 *   3. phases: Dijkstra from all unmatched rows at once over the slacks until half as many
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
  GArray *reached;   /* columns with a distance */
  GArray *settled;   /* columns whose distance is final, in that order */
  GArray *level;     /* columns at the current distance, still to be looked at */
  DaeRadix *radix;
  uint32_t *stack_row; /* depth-first search */
  size_t *stack_edge;
  /* some columns stay unmatched: their prices must stay equal and least, so none is raised */
  bool is_wide;
  uint32_t phase;
  uint64_t n_edges;
} Matcher;

static inline int64_t
weight_of(const DaeCsr *csr, size_t e)
{
  return csr->weight == NULL ? 0 : csr->weight[e];
}

static inline int64_t
slack_of(const Matcher *m, uint32_t i, size_t e)
{
  return m->columns[m->csr->column[e]].d - m->c[i] - weight_of(m->csr, e);
}

static void
match_pair(Matcher *m, uint32_t i, uint32_t j)
{
  m->mate_of_row[i] = j;
  m->columns[j].mate = i;
}

/* ---- parts 1 and 2 ------------------------------------------------------------------------- */

/* The graph of tight entries, from both sides. What a look at a vertex needs lies together, and
 * prices are apart in 32 bits: on large systems in no particular order nearly every look is a
 * cache miss. */
typedef struct {
  size_t first;    /* in neighbours; the list ends where that of the next vertex begins */
  uint32_t degree; /* unmatched neighbours, once the lists are complete */
  uint32_t mate;
} Vertex;

typedef struct {
  int32_t *price; /* of columns: d */
  Vertex *rows, *columns;
  uint32_t *of_row, *of_column; /* neighbours */
  uint32_t *single; /* rows i as i, columns j as n_rows + j, that had degree 1 when put here */
  size_t n_single;
} Tight;

static void
choose_first_prices(Matcher *m, Tight *t)
{
  const DaeCsr *csr = m->csr;
  int32_t largest = 0;
  size_t nnz = dae_csr_nnz(csr);
  t->price = g_new0(int32_t, (size_t)csr->n_columns + 1);
  for (size_t e = 0; csr->weight != NULL && e < nnz; e++) {
    int32_t *price = &t->price[csr->column[e]];
    *price = MAX(*price, csr->weight[e]);
    largest = MAX(largest, csr->weight[e]);
  }
  for (uint32_t j = 0; m->is_wide && j < csr->n_columns; j++) {
    t->price[j] = largest;
  }
  m->n_edges += 2 * nnz;
}

/* Least slack of row i under the first prices: its own price c. */
static int64_t
least_slack(const DaeCsr *csr, const Tight *t, uint32_t i)
{
  int64_t least = FAR;
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    least = MIN(least, t->price[csr->column[e]] - weight_of(csr, e));
  }
  return least == FAR ? 0 : least;
}

static void
collect_tight_entries(Matcher *m, Tight *t)
{
  const DaeCsr *csr = m->csr;
  size_t n_tight = 0;
  t->rows = g_new(Vertex, (size_t)csr->n_rows + 1);
  t->columns = g_new0(Vertex, (size_t)csr->n_columns + 1);
  t->of_row = g_new(uint32_t, dae_csr_nnz(csr) + 1);
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    size_t first = n_tight;
    m->c[i] = least_slack(csr, t, i);
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (t->price[j] - m->c[i] - weight_of(csr, e) == 0) {
        t->of_row[n_tight++] = j;
        t->columns[j].degree++;
      }
    }
    t->rows[i] = (Vertex){first, (uint32_t)(n_tight - first), DAE_UNMATCHED};
  }
  t->rows[csr->n_rows].first = n_tight;
  size_t end = 0;
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    end += t->columns[j].degree;
    t->columns[j].first = end;
    t->columns[j].mate = DAE_UNMATCHED;
  }
  t->columns[csr->n_columns].first = end;
  t->of_column = g_new(uint32_t, n_tight + 1);
  for (uint32_t i = csr->n_rows; i-- > 0;) { /* from the ends down: rows ascend in the lists */
    for (size_t k = t->rows[i].first; k < t->rows[i + 1].first; k++) {
      t->of_column[--t->columns[t->of_row[k]].first] = i;
    }
  }
  /* a vertex is put there once at most: when its degree is or becomes 1 */
  t->single = g_new(uint32_t, (size_t)csr->n_rows + csr->n_columns + 1);
  t->n_single = 0;
  m->n_edges += 2 * dae_csr_nnz(csr);
}

static void
clear_tight(Tight *t)
{
  g_free(t->price);
  g_free(t->rows);
  g_free(t->columns);
  g_free(t->of_row);
  g_free(t->of_column);
  g_free(t->single);
}

/* Matches i and j; what loses a neighbour and keeps one is noted. */
static void
match_and_shrink(const Matcher *m, Tight *t, uint32_t i, uint32_t j)
{
  t->rows[i].mate = j;
  t->columns[j].mate = i;
  for (size_t k = t->rows[i].first; k < t->rows[i + 1].first; k++) {
    Vertex *other = &t->columns[t->of_row[k]];
    if (--other->degree == 1 && other->mate == DAE_UNMATCHED) {
      t->single[t->n_single++] = m->csr->n_rows + t->of_row[k];
    }
  }
  for (size_t k = t->columns[j].first; k < t->columns[j + 1].first; k++) {
    Vertex *other = &t->rows[t->of_column[k]];
    if (--other->degree == 1 && other->mate == DAE_UNMATCHED) {
      t->single[t->n_single++] = t->of_column[k];
    }
  }
}

/* The unmatched column of row i with the fewest unmatched rows; DAE_UNMATCHED if none. */
static uint32_t
scarcest_column(const Tight *t, uint32_t i)
{
  uint32_t best = DAE_UNMATCHED;
  uint32_t least = UINT32_MAX;
  for (size_t k = t->rows[i].first; k < t->rows[i + 1].first; k++) {
    const Vertex *column = &t->columns[t->of_row[k]];
    if (column->mate == DAE_UNMATCHED && (best == DAE_UNMATCHED || column->degree < least)) {
      best = t->of_row[k];
      least = column->degree;
    }
  }
  return best;
}

static uint32_t
first_free_row(const Tight *t, uint32_t j)
{
  for (size_t k = t->columns[j].first; k < t->columns[j + 1].first; k++) {
    if (t->rows[t->of_column[k]].mate == DAE_UNMATCHED) {
      return t->of_column[k];
    }
  }
  return DAE_UNMATCHED;
}

static void
match_forced_vertices(const Matcher *m, Tight *t)
{
  uint32_t n_rows = m->csr->n_rows;
  while (t->n_single > 0) {
    uint32_t vertex = t->single[--t->n_single];
    uint32_t i = vertex < n_rows ? vertex : DAE_UNMATCHED;
    uint32_t j = vertex < n_rows ? DAE_UNMATCHED : vertex - n_rows;
    if (i != DAE_UNMATCHED && t->rows[i].mate == DAE_UNMATCHED) {
      j = scarcest_column(t, i);
    } else if (j != DAE_UNMATCHED && t->columns[j].mate == DAE_UNMATCHED) {
      i = first_free_row(t, j);
    } else {
      continue;
    }
    if (i != DAE_UNMATCHED && j != DAE_UNMATCHED) {
      match_and_shrink(m, t, i, j);
    }
  }
}

static void
match_cheaply(Matcher *m, Tight *t)
{
  const DaeCsr *csr = m->csr;
  collect_tight_entries(m, t);
  for (uint32_t j = csr->n_columns; j-- > 0;) {
    if (t->columns[j].degree == 1) {
      t->single[t->n_single++] = csr->n_rows + j;
    }
  }
  for (uint32_t i = csr->n_rows; i-- > 0;) {
    if (t->rows[i].degree == 1) {
      t->single[t->n_single++] = i;
    }
  }
  match_forced_vertices(m, t);
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    if (t->rows[i].mate == DAE_UNMATCHED) {
      uint32_t j = scarcest_column(t, i);
      if (j != DAE_UNMATCHED) {
        match_and_shrink(m, t, i, j);
        match_forced_vertices(m, t);
      }
    }
  }
  m->n_edges += 2 * t->rows[csr->n_rows].first;
}

/* ---- part 3: phases ---------------------------------------------------------------------- */

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
        g_array_append_val(m->reached, j);
      }
      m->columns[j].distance = reach;
      if (reach == at) {
        g_array_append_val(m->level, j);
      } else {
        dae_radix_push(m->radix, reach, j);
      }
    }
  }
}

/* The next column in order of distance that is not settled yet. */
static bool
take_nearest_column(Matcher *m, size_t *head, int64_t *at, uint32_t *j)
{
  if (*head < m->level->len) {
    *j = g_array_index(m->level, uint32_t, (*head)++);
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
  g_array_set_size(m->reached, 0);
  g_array_set_size(m->settled, 0);
  g_array_set_size(m->level, 0);
  dae_radix_reset(m->radix, 0);
  for (guint k = 0; k < m->free_rows->len; k++) {
    relax_row(m, g_array_index(m->free_rows, uint32_t, k), 0);
  }
  while (n_found < n_wanted && take_nearest_column(m, &head, &at, &j)) {
    g_array_append_val(m->settled, j);
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
  for (guint k = 0; k < m->settled->len; k++) {
    uint32_t j = g_array_index(m->settled, uint32_t, k);
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
  for (guint k = 0; k < m->reached->len; k++) {
    m->columns[g_array_index(m->reached, uint32_t, k)].distance = FAR;
  }
}

static void
match_remaining_rows(Matcher *m)
{
  const DaeCsr *csr = m->csr;
  m->stack_row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  m->stack_edge = g_new(size_t, (size_t)csr->n_rows + 1);
  m->reached = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  m->settled = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  m->level = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  m->radix = dae_radix_new();
  while (m->free_rows->len > 0 && run_phase(m)) {
    forget_distances(m);
  }
  g_free(m->stack_row);
  g_free(m->stack_edge);
  g_array_unref(m->reached);
  g_array_unref(m->settled);
  g_array_unref(m->level);
  dae_radix_free(m->radix);
}

/* Takes the matching of part 2 over; the rows that it left unmatched are listed. */
static void
take_cheap_matching(Matcher *m, const Tight *t, uint32_t *row_of_column, int64_t *d)
{
  m->free_rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < m->csr->n_rows; i++) {
    m->mate_of_row[i] = t->rows[i].mate;
    if (t->rows[i].mate == DAE_UNMATCHED) {
      g_array_append_val(m->free_rows, i);
    }
  }
  for (uint32_t j = 0; j < m->csr->n_columns; j++) {
    row_of_column[j] = t->columns[j].mate;
    d[j] = t->price[j];
  }
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

bool
dae_graph_match(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column, int64_t *c,
                int64_t *d, DaeMatchCounts *counts)
{
  Matcher m = {.csr = csr};
  Tight tight = {0};
  m.mate_of_row = column_of_row;
  m.c = c;
  m.is_wide = csr->n_rows < csr->n_columns;
  choose_first_prices(&m, &tight);
  match_cheaply(&m, &tight);
  take_cheap_matching(&m, &tight, row_of_column, d);
  clear_tight(&tight);
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
