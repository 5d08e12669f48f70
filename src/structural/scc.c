/* Strong components by depth-first search [Tarjan72], with an explicit stack. */
#include "base/base.h"
#include "structural/graph.h"

typedef struct {
  const DaeCsr *digraph;
  uint32_t *number; /* order of discovery from 1; 0: not seen */
  uint32_t *low;    /* least number reachable in the open part */
  uint32_t *component;
  uint32_t *open; /* vertices whose component is not complete */
  uint32_t n_open;
  uint32_t *path; /* the search stack */
  size_t *edge;   /* next edge of each vertex on it */
  uint32_t n_seen, n_components;
} Search;

static void
enter_vertex(Search *s, uint32_t *depth, uint32_t v)
{
  s->number[v] = s->low[v] = ++s->n_seen;
  s->open[s->n_open++] = v;
  s->path[*depth] = v;
  s->edge[*depth] = s->digraph->start[v];
  (*depth)++;
}

static void
close_component(Search *s, uint32_t root)
{
  uint32_t v = 0;
  do {
    v = s->open[--s->n_open];
    s->component[v] = s->n_components;
  } while (v != root);
  s->n_components++;
}

static void
search_from_vertex(Search *s, uint32_t root)
{
  uint32_t depth = 0;
  enter_vertex(s, &depth, root);
  while (depth > 0) {
    uint32_t v = s->path[depth - 1];
    if (s->edge[depth - 1] < s->digraph->start[v + 1]) {
      uint32_t w = s->digraph->column[s->edge[depth - 1]++];
      if (s->number[w] == 0) {
        enter_vertex(s, &depth, w);
      } else if (s->component[w] == UINT32_MAX) {
        s->low[v] = MIN(s->low[v], s->number[w]);
      }
      continue;
    }
    if (s->low[v] == s->number[v]) {
      close_component(s, v);
    }
    depth--;
    if (depth > 0) {
      uint32_t parent = s->path[depth - 1];
      s->low[parent] = MIN(s->low[parent], s->low[v]);
    }
  }
}

/* Counting sort by component keeps the vertices of each ascending. */
static void
list_components(const Search *s, uint32_t n, uint32_t *vertices, uint32_t *first)
{
  memset(first, 0, sizeof(uint32_t) * ((size_t)s->n_components + 1));
  for (uint32_t v = 0; v < n; v++) {
    first[s->component[v] + 1]++;
  }
  for (uint32_t k = 0; k < s->n_components; k++) {
    first[k + 1] += first[k];
  }
  g_autofree uint32_t *next =
      g_memdup2(first, sizeof(uint32_t) * ((size_t)s->n_components + 1));
  for (uint32_t v = 0; v < n; v++) {
    vertices[next[s->component[v]]++] = v;
  }
}

uint32_t
dae_graph_components(const DaeCsr *digraph, const uint32_t *visit, uint32_t *vertices,
                     uint32_t *first)
{
  uint32_t n = digraph->n_rows;
  DAE_ASSERT(digraph->n_columns == n);
  size_t room = (size_t)n + 1;
  Search s = {.digraph = digraph,
              .number = g_new0(uint32_t, room),
              .low = g_new0(uint32_t, room),
              .component = g_new(uint32_t, room),
              .open = g_new(uint32_t, room),
              .path = g_new(uint32_t, room),
              .edge = g_new(size_t, room)};
  memset(s.component, 0xff, sizeof(uint32_t) * room);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t v = visit == NULL ? k : visit[k];
    if (s.number[v] == 0) {
      search_from_vertex(&s, v);
    }
  }
  list_components(&s, n, vertices, first);
  g_free(s.number);
  g_free(s.low);
  g_free(s.component);
  g_free(s.open);
  g_free(s.path);
  g_free(s.edge);
  return s.n_components;
}
