/* Part 3 of assign.c: shortest augmenting paths that end near their row.
 *
 * One search a row, by Dijkstra over the slacks, which gives up after a fixed number of entries and
 * then has changed nothing: on meshes and in chains of bodies nearly all rows find their column
 * within some steps, and the whole costs O(n); searches that give up look at O(nnz) entries in all.
 * What a search keeps is in a few cache lines; of a column it needs one look into memory (`at` is
 * a sparse set: valid where the step that it names is of this column). */
#include "base/base.h"
#include "structural/graph.h"

enum {
  FEW_ENTRIES = 160,   /* of a search */
  MOST_ENTRIES = 4000, /* likewise, for rows that did not find a column with FEW */
  MOST_PRICE = 1 << 29 /* prices are kept in 32 bits */
};

typedef struct {
  int32_t d;
  uint32_t mate;
  uint32_t at;
} Place;

typedef struct { /* a column that was reached */
  uint32_t column;
  uint32_t row; /* from where */
  int32_t distance;
} Step;

typedef struct {
  const DaeCsr *csr;
  Place *places;
  uint32_t *column_of_row;
  int64_t *c;
  Step steps[MOST_ENTRIES];
  uint32_t level[MOST_ENTRIES]; /* steps in order of distance, as far as the search is */
  uint32_t n_steps, n_level;
  uint32_t n_entries; /* of this search */
  uint32_t most_entries;
  int64_t best; /* distance of the nearest unmatched column */
  uint32_t best_step;
  int32_t highest;  /* price */
  size_t n_in_vain; /* entries of searches that gave up */
  uint64_t n_edges; /* looked at in all */
} Search;

static inline bool
is_reached(const Search *s, uint32_t j)
{
  uint32_t at = s->places[j].at;
  return at < s->n_steps && s->steps[at].column == j;
}

/* Column j from row i, which is at distance `from`. */
static void
reach(Search *s, uint32_t i, uint32_t j, int64_t distance, int64_t from)
{
  Place *place = &s->places[j];
  if (!is_reached(s, j)) {
    place->at = s->n_steps++;
  } else if (distance >= s->steps[place->at].distance) {
    return;
  }
  s->steps[place->at] = (Step){j, i, (int32_t)distance};
  if (place->mate == DAE_UNMATCHED) {
    s->best = distance;
    s->best_step = place->at;
    return;
  }
  if (distance == from) {
    s->level[s->n_level++] = place->at;
  }
  __builtin_prefetch(&s->csr->start[place->mate]);
  __builtin_prefetch(&s->c[place->mate]);
}

/* Looks at the entries of row i, which is at distance `from`; false if there are too many. */
static bool
relax(Search *s, uint32_t i, int64_t from)
{
  const DaeCsr *csr = s->csr;
  size_t n = csr->start[i + 1] - csr->start[i];
  if (n > s->most_entries - s->n_entries) {
    return false;
  }
  s->n_entries += (uint32_t)n;
  for (size_t e = csr->start[i]; e < csr->start[i + 1] && s->best > from; e++) {
    uint32_t j = csr->column[e];
    int64_t distance = from + s->places[j].d - s->c[i] - dae_csr_weight(csr, e);
    if (distance < s->best && distance < MOST_PRICE) {
      reach(s, i, j, distance, from);
    }
  }
  return true;
}

/* Asks for the entries of the row behind this one: they are anywhere. */
static inline void
look_ahead(const Search *s, uint32_t head)
{
  if (head + 1 < s->n_level) {
    size_t e = s->csr->start[s->places[s->steps[s->level[head + 1]].column].mate];
    __builtin_prefetch(&s->csr->column[e]);
    if (s->csr->weight != NULL) {
      __builtin_prefetch(&s->csr->weight[e]);
    }
  }
}

/* The steps at the next distance beyond `from` that is less than that of the best unmatched
 * column; false if there is none. */
static bool
next_level(Search *s, int64_t from)
{
  int64_t least = s->best;
  for (uint32_t k = 0; k < s->n_steps; k++) {
    if (s->steps[k].distance > from) {
      least = MIN(least, s->steps[k].distance);
    }
  }
  for (uint32_t k = 0; least < s->best && k < s->n_steps; k++) {
    if (s->steps[k].distance == least) {
      s->level[s->n_level++] = k;
    }
  }
  return least < s->best;
}

static bool
find_path(Search *s, uint32_t root)
{
  int64_t at = 0;
  s->n_steps = 0;
  s->n_level = 0;
  s->n_entries = 0;
  s->best = INT64_MAX;
  bool is_small = relax(s, root, 0);
  for (uint32_t head = 0; is_small && s->best > at; head++) {
    if (head == s->n_level && !next_level(s, at)) {
      break;
    }
    look_ahead(s, head);
    const Step *step = &s->steps[s->level[head]];
    at = step->distance;
    is_small = relax(s, s->places[step->column].mate, at);
  }
  bool is_found = is_small && s->best < MOST_PRICE - s->highest;
  s->n_edges += s->n_entries;
  s->n_in_vain += is_found ? 0 : s->n_entries;
  return is_found;
}

/* The path becomes tight, no slack negative. */
static void
raise_prices(Search *s, uint32_t root)
{
  int32_t best = (int32_t)s->best;
  s->c[root] += best;
  for (uint32_t k = 0; k < s->n_steps; k++) {
    if (s->steps[k].distance < best) {
      Place *place = &s->places[s->steps[k].column];
      place->d += best - s->steps[k].distance;
      s->c[place->mate] += best - s->steps[k].distance;
      s->highest = MAX(s->highest, place->d);
    }
  }
}

static void
augment(Search *s, uint32_t root)
{
  uint32_t i = DAE_UNMATCHED;
  for (uint32_t j = s->steps[s->best_step].column; i != root;) {
    i = s->steps[s->places[j].at].row;
    uint32_t next = s->column_of_row[i];
    s->column_of_row[i] = j;
    s->places[j].mate = i;
    j = next;
  }
}

/* All rows without a column; false when too much was in vain. */
static bool
search_all(Search *s, uint32_t most_entries)
{
  const DaeCsr *csr = s->csr;
  s->most_entries = most_entries;
  s->n_in_vain = 0;
  for (uint32_t i = 0; i < csr->n_rows && s->n_in_vain <= dae_csr_nnz(csr); i++) {
    if (s->column_of_row[i] == DAE_UNMATCHED && find_path(s, i)) {
      raise_prices(s, i);
      augment(s, i);
    }
  }
  return s->n_in_vain > 0 && s->n_in_vain <= dae_csr_nnz(csr);
}

uint64_t
dae_graph_match_nearby(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column,
                       int64_t *c, int64_t *d)
{
  g_autofree Search *s = g_new(Search, 1);
  s->csr = csr;
  s->column_of_row = column_of_row;
  s->c = c;
  s->n_edges = csr->n_columns;
  s->highest = 0;
  s->places = g_new(Place, (size_t)csr->n_columns + 1);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    s->places[j] = (Place){(int32_t)d[j], row_of_column[j], 0};
    s->highest = MAX(s->highest, s->places[j].d);
  }
  if (search_all(s, FEW_ENTRIES)) {
    search_all(s, MOST_ENTRIES);
  }
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    row_of_column[j] = s->places[j].mate;
    d[j] = s->places[j].d;
  }
  g_free(s->places);
  return s->n_edges;
}
