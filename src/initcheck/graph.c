/* The directed graph of the unmatched equations (Figures 3, 4, 6 and 9 of [OchelBachmannCasella])
 * in Graphviz' language: matched pairs are one node, an arc goes from an equation to the pairs of
 * the other unknowns in it, unmatched equations are grey, loops (strong components) are boxed.
 * The matching takes equations with one open unknown first, as Tarjan's tearing does (section
 * 3.1), then augmenting paths. Only what the unmatched equations need is drawn. */
#include "structural/graph.h"
#include "initcheck/initcheck-priv.h"

typedef struct {
  IcSystem *sys;
  uint32_t n_rows, n_columns;
  const GArray **inside; /* per row: unknowns */
  GArray **rows_of;      /* per unknown: rows */
  uint32_t *column_of_row, *row_of_column;
} Graph;

static void
graph_init(Graph *graph, IcSystem *sys)
{
  graph->sys = sys;
  graph->n_rows = sys->premises->len;
  graph->n_columns = sys->unknowns->len;
  graph->inside = g_new0(const GArray *, graph->n_rows + 1);
  graph->rows_of = g_new0(GArray *, graph->n_columns + 1);
  graph->column_of_row = g_new(uint32_t, graph->n_rows + 1);
  graph->row_of_column = g_new(uint32_t, graph->n_columns + 1);
  memset(graph->column_of_row, 0xff, sizeof(uint32_t) * (graph->n_rows + 1));
  memset(graph->row_of_column, 0xff, sizeof(uint32_t) * (graph->n_columns + 1));
  for (uint32_t j = 0; j < graph->n_columns; j++) {
    graph->rows_of[j] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < graph->n_rows; i++) {
    DaeTerm residual = g_array_index(sys->premises, IcPremise, i).residual;
    residual = residual == DAE_NO_TERM ? dae_term_int(sys->terms, 0) : residual;
    graph->inside[i] = ic_unknowns_inside(sys, residual);
    for (guint k = 0; k < graph->inside[i]->len; k++) {
      g_array_append_val(graph->rows_of[g_array_index(graph->inside[i], uint32_t, k)], i);
    }
  }
}

static void
graph_clear(Graph *graph)
{
  for (uint32_t j = 0; j < graph->n_columns; j++) {
    g_array_unref(graph->rows_of[j]);
  }
  g_free(graph->inside);
  g_free(graph->rows_of);
  g_free(graph->column_of_row);
  g_free(graph->row_of_column);
}

static void
match(Graph *graph, uint32_t i, uint32_t j)
{
  graph->column_of_row[i] = j;
  graph->row_of_column[j] = i;
}

/* Equations with exactly one unmatched unknown, again and again; initial equations first. */
static void
match_single_unknowns(Graph *graph)
{
  g_autofree uint32_t *open = g_new0(uint32_t, graph->n_rows + 1);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < graph->n_rows; i++) {
    open[i] = graph->inside[i]->len;
  }
  for (uint32_t i = graph->n_rows; i-- > 0;) {
    if (open[i] == 1) {
      g_array_append_val(queue, i);
    }
  }
  for (guint at = 0; at < queue->len; at++) {
    uint32_t i = g_array_index(queue, uint32_t, at);
    for (guint k = 0; k < graph->inside[i]->len && open[i] == 1; k++) {
      uint32_t j = g_array_index(graph->inside[i], uint32_t, k);
      if (graph->row_of_column[j] != IC_NONE) {
        continue;
      }
      match(graph, i, j);
      for (guint r = 0; r < graph->rows_of[j]->len; r++) {
        uint32_t other = g_array_index(graph->rows_of[j], uint32_t, r);
        open[other]--;
        if (open[other] == 1 && graph->column_of_row[other] == IC_NONE) {
          g_array_append_val(queue, other);
        }
      }
      break;
    }
  }
}

/* Shortest augmenting path from an unmatched unknown to an unmatched equation. */
static void
augment_from(Graph *graph, uint32_t root, uint32_t *reached_from)
{
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) touched = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(queue, root);
  uint32_t end = IC_NONE;
  for (guint at = 0; at < queue->len && end == IC_NONE; at++) {
    uint32_t j = g_array_index(queue, uint32_t, at);
    for (guint k = 0; k < graph->rows_of[j]->len && end == IC_NONE; k++) {
      uint32_t i = g_array_index(graph->rows_of[j], uint32_t, k);
      if (reached_from[i] != IC_NONE) {
        continue;
      }
      reached_from[i] = j;
      g_array_append_val(touched, i);
      if (graph->column_of_row[i] == IC_NONE) {
        end = i;
      } else {
        g_array_append_val(queue, graph->column_of_row[i]);
      }
    }
  }
  while (end != IC_NONE) {
    uint32_t j = reached_from[end];
    uint32_t next = graph->row_of_column[j];
    match(graph, end, j);
    end = j == root ? IC_NONE : next;
  }
  for (guint k = 0; k < touched->len; k++) {
    reached_from[g_array_index(touched, uint32_t, k)] = IC_NONE;
  }
}

static void
append_quoted(GString *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      g_string_append_c(out, '\\');
    }
    g_string_append_c(out, *c);
  }
}

/* Long equations in lines of some forty letters, broken at spaces: the node stays readable. */
static void
append_broken(GString *out, const char *text)
{
  enum { LINE = 40 };

  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  gsize width = 0;
  for (guint i = 0; words[i] != NULL; i++) {
    gsize length = strlen(words[i]);
    if (i > 0) {
      bool is_full = width + 1 + length > LINE && width > LINE / 4;
      g_string_append(out, is_full ? "\\n" : " ");
      width = is_full ? 0 : width + 1;
    }
    append_quoted(out, words[i]);
    width += length;
  }
}

static void
write_node(const Graph *graph, uint32_t i, GString *out)
{
  IcSystem *sys = graph->sys;
  const IcPremise *premise = &g_array_index(sys->premises, IcPremise, i);
  g_autofree char *text = dae_init_premise_text(sys->model, sys->terms, &premise->id);
  g_string_append_printf(out, "  e%u [label=\"", i);
  append_broken(out, text);
  if (graph->column_of_row[i] == IC_NONE) {
    g_string_append(out, "\", style=filled, fillcolor=grey85");
  } else {
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, graph->column_of_row[i]).atom;
    g_autofree char *name = dae_term_to_string(sys->terms, atom);
    g_string_append(out, "\\n");
    append_quoted(out, name);
    g_string_append(out, "\"");
  }
  g_string_append(out, premise->id.is_initial ? ", shape=box];\n" : "];\n");
}

/* Everything that unmatched equations lead to. */
static bool *
reachable_rows(const Graph *graph)
{
  bool *reached = g_new0(bool, graph->n_rows + 1);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < graph->n_rows; i++) {
    if (graph->column_of_row[i] == IC_NONE) {
      reached[i] = true;
      g_array_append_val(stack, i);
    }
  }
  while (stack->len > 0) {
    uint32_t i = g_array_index(stack, uint32_t, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    for (guint k = 0; k < graph->inside[i]->len; k++) {
      uint32_t next = graph->row_of_column[g_array_index(graph->inside[i], uint32_t, k)];
      if (next != IC_NONE && !reached[next]) {
        reached[next] = true;
        g_array_append_val(stack, next);
      }
    }
  }
  return reached;
}

/* Strong components among the matched rows that are drawn, as clusters. */
static void
write_loops(const Graph *graph, const bool *reached, GString *out)
{
  size_t nnz = 0;
  for (uint32_t i = 0; i < graph->n_rows; i++) {
    nnz += graph->inside[i]->len;
  }
  g_autoptr(DaeCsr) digraph = dae_csr_new(graph->n_rows, graph->n_rows, nnz, false);
  size_t at = 0;
  for (uint32_t i = 0; i < graph->n_rows; i++) {
    digraph->start[i] = at;
    g_autoptr(GArray) next = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint k = 0; k < graph->inside[i]->len && reached[i]; k++) {
      uint32_t row = graph->row_of_column[g_array_index(graph->inside[i], uint32_t, k)];
      if (row != IC_NONE && row != i) {
        g_array_append_val(next, row);
      }
    }
    ic_sort_numbers(next);
    for (guint k = 0; k < next->len; k++) {
      digraph->column[at++] = g_array_index(next, uint32_t, k);
    }
  }
  digraph->start[graph->n_rows] = at;
  g_autofree uint32_t *vertices = g_new(uint32_t, graph->n_rows + 1);
  g_autofree uint32_t *first = g_new(uint32_t, graph->n_rows + 2);
  uint32_t n = dae_graph_components(digraph, NULL, vertices, first);
  uint32_t number = 0;
  for (uint32_t b = 0; b < n; b++) {
    if (first[b + 1] - first[b] < 2) {
      continue;
    }
    g_string_append_printf(out, "  subgraph cluster%u {\n    label=\"loop of %u\";\n   ",
                           number++, first[b + 1] - first[b]);
    for (uint32_t k = first[b]; k < first[b + 1]; k++) {
      g_string_append_printf(out, " e%u;", vertices[k]);
    }
    g_string_append(out, "\n  }\n");
  }
}

void
ic_write_graph(IcSystem *sys, GString *out)
{
  Graph graph;
  graph_init(&graph, sys);
  match_single_unknowns(&graph);
  g_autofree uint32_t *reached_from = g_new(uint32_t, graph.n_rows + 1);
  memset(reached_from, 0xff, sizeof(uint32_t) * (graph.n_rows + 1));
  for (uint32_t j = 0; j < graph.n_columns; j++) {
    if (graph.row_of_column[j] == IC_NONE) {
      augment_from(&graph, j, reached_from);
    }
  }
  g_autofree bool *reached = reachable_rows(&graph);
  g_string_append(
      out,
      "digraph initialization {\n  rankdir=TB;\n"
      "  node [shape=ellipse, margin=\"0.05,0.03\", fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [arrowsize=0.7];\n");
  for (uint32_t i = 0; i < graph.n_rows; i++) {
    if (reached[i]) {
      write_node(&graph, i, out);
    }
  }
  write_loops(&graph, reached, out);
  for (uint32_t i = 0; i < graph.n_rows; i++) {
    for (guint k = 0; k < graph.inside[i]->len && reached[i]; k++) {
      uint32_t next = graph.row_of_column[g_array_index(graph.inside[i], uint32_t, k)];
      if (next != IC_NONE && next != i) {
        g_string_append_printf(out, "  e%u -> e%u;\n", i, next);
      }
    }
  }
  g_string_append(out, "}\n");
  graph_clear(&graph);
}
