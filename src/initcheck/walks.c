/* The shortest conflicts among premises with one or two unknowns, all coefficients numbers: nets of
 * differences x - y = c and of ratios 2*x = 3*y. A premise with two unknowns is an edge and carries
 * values from one to the other, y = a*x + b; one with a single unknown is a source. Along the edges
 * from an unknown w every other one is a*w + b, by a tree of shortest ways; an edge that says
 * something else closes a way around that does not fit: it contradicts itself, or gives w a value,
 * which contradicts the one that the nearest source sends. Ways around of that kind have the
 * three-path property, so the shortest one through w closes with one edge beside the tree
 * [Thomassen90]. */
#include "initcheck/initcheck-priv.h"

/* Unknowns of a net, and edges followed for one conflict and for all. */
enum { MOST_NODES = 3000, MOST_WORK = 1000000, MOST_WORK_IN_ALL = 3000000 };

#define NO_EDGE UINT32_MAX

/* c[0]*z[0] + c[1]*z[1] + rest = 0; one unknown: z[1] is IC_NONE. */
typedef struct {
  uint32_t premise;
  uint32_t z[2]; /* nodes */
  DaeTerm c[2], rest;
} Edge;

/* How a node was reached: value a*w + b, n premises before it. */
typedef struct {
  DaeTerm a, b;
  uint32_t by, from; /* edge and node; NO_EDGE: it is the root */
  uint32_t n;
  bool is_reached;
} Reach;

typedef struct {
  IcSystem *sys;
  GArray *nodes;       /* uint32_t: unknowns */
  GHashTable *node_of; /* unknown + 1 -> node + 1 */
  GArray *edges;       /* Edge */
  GPtrArray *around;   /* per node: GArray of uint32_t, edges */
  Reach *source, *tree;
  GArray *best; /* uint32_t, premises; empty: none yet */
  uint32_t limit;
  uint32_t work;
} Net;

/* ---- the net ------------------------------------------------------------------------------- */

static uint32_t
node_of(Net *net, uint32_t z)
{
  gpointer known = g_hash_table_lookup(net->node_of, GUINT_TO_POINTER(z + 1));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  g_array_append_val(net->nodes, z);
  g_ptr_array_add(net->around, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  g_hash_table_insert(net->node_of, GUINT_TO_POINTER(z + 1), GUINT_TO_POINTER(net->nodes->len));
  return net->nodes->len - 1;
}

static bool
is_number(const IcSystem *sys, DaeTerm t)
{
  return dae_term_is_number(sys->terms, t);
}

static void
add_edge(Net *net, uint32_t premise, GHashTable *seen)
{
  IcSystem *sys = net->sys;
  DaeTerm residual = g_array_index(sys->premises, IcPremise, premise).residual;
  if (!g_hash_table_add(seen, GUINT_TO_POINTER(premise + 1)) || residual == DAE_NO_TERM ||
      ic_unknowns_inside(sys, residual)->len > 2) {
    return;
  }
  IcForm form;
  ic_form_init(sys, &form);
  bool fits = ic_form_add_term(sys, &form, dae_term_int(sys->terms, 1), residual) &&
              form.leaves->len == 0 && form.entries->len > 0 && form.entries->len <= 2 &&
              is_number(sys, form.rest);
  Edge edge = {.premise = premise, .z = {IC_NONE, IC_NONE}, .rest = form.rest};
  for (guint k = 0; fits && k < form.entries->len; k++) {
    const IcEntry *entry = &g_array_index(form.entries, IcEntry, k);
    fits = is_number(sys, entry->c);
    edge.c[k] = entry->c;
    edge.z[k] = fits ? node_of(net, entry->z) : IC_NONE;
  }
  for (guint k = 0; fits && k < 2 && edge.z[k] != IC_NONE; k++) {
    g_array_append_val((GArray *)g_ptr_array_index(net->around, edge.z[k]), net->edges->len);
  }
  if (fits) {
    g_array_append_val(net->edges, edge);
  }
  ic_form_clear(&form);
}

/* Everything that edges join with the unknowns of the premises, the nearest first. */
static void
build(Net *net, const GArray *premises)
{
  const GPtrArray *premises_of = ic_premises_by_unknown(net->sys);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < premises->len; i++) {
    add_edge(net, g_array_index(premises, uint32_t, i), seen);
  }
  for (guint k = 0; k < net->nodes->len && net->nodes->len < MOST_NODES; k++) {
    const GArray *around =
        g_ptr_array_index(premises_of, g_array_index(net->nodes, uint32_t, k));
    for (guint i = 0; i < around->len; i++) {
      add_edge(net, g_array_index(around, uint32_t, i), seen);
    }
  }
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* What the edge makes of the value at one end: the one at the other. */
static Reach
carry(const Net *net, uint32_t e, uint32_t from, const Reach *at)
{
  DaeTerms *terms = net->sys->terms;
  const Edge *edge = &g_array_index(net->edges, Edge, e);
  uint32_t end = edge->z[0] == from ? 0 : 1;
  DaeTerm factor = dae_term_neg(terms, dae_term_div(terms, edge->c[end], edge->c[1 - end]));
  DaeTerm shift = dae_term_neg(terms, dae_term_div(terms, edge->rest, edge->c[1 - end]));
  return (Reach){.a = dae_term_mul(terms, factor, at->a),
                 .b = dae_term_add(terms, dae_term_mul(terms, factor, at->b), shift),
                 .by = e,
                 .from = from,
                 .n = at->n + 1,
                 .is_reached = true};
}

/* The premises on the way to a node. */
static void
add_way(const Net *net, const Reach *tree, uint32_t node, GArray *out)
{
  for (; tree[node].by != NO_EDGE; node = tree[node].from) {
    uint32_t premise = g_array_index(net->edges, Edge, tree[node].by).premise;
    g_array_append_val(out, premise);
    if (tree[node].from == IC_NONE) { /* a source */
      return;
    }
  }
}

static void
keep_if_shorter(Net *net, GArray *found)
{
  ic_sort_unique(found);
  if (found->len < net->limit) {
    net->limit = found->len;
    g_array_set_size(net->best, 0);
    g_array_append_vals(net->best, found->data, found->len);
  }
}

/* An edge beside the tree says something else of its other end. root: of the tree; IC_NONE: the
 * sources. */
static void
close_way(Net *net, const Reach *tree, uint32_t root, const Reach *said, uint32_t node)
{
  DaeTerms *terms = net->sys->terms;
  const Reach *known = &tree[node];
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (said->a != known->a) { /* it gives the root a value */
    const Reach *sent = &net->source[root];
    DaeTerm value = dae_term_div(terms, dae_term_sub(terms, known->b, said->b),
                                 dae_term_sub(terms, said->a, known->a));
    if (!sent->is_reached || value == sent->b) {
      return;
    }
    add_way(net, net->source, root, found);
  } else if (said->b == known->b) {
    return;
  }
  uint32_t premise = g_array_index(net->edges, Edge, said->by).premise;
  g_array_append_val(found, premise);
  add_way(net, tree, node, found);
  if (said->from != IC_NONE) {
    add_way(net, tree, said->from, found);
  }
  keep_if_shorter(net, found);
}

/* Breadth first along the edges, as far as a shorter conflict may lie. queue: nodes that are
 * reached already. */
static void
walk(Net *net, Reach *tree, uint32_t root, GArray *queue)
{
  for (guint k = 0; k < queue->len && net->work < MOST_WORK; k++) {
    uint32_t from = g_array_index(queue, uint32_t, k);
    const GArray *around = g_ptr_array_index(net->around, from);
    uint32_t reached = tree[from].n;
    if (2 * reached >= net->limit && root != IC_NONE) {
      return;
    }
    for (guint i = 0; i < around->len; i++, net->work++) {
      uint32_t e = g_array_index(around, uint32_t, i);
      const Edge *edge = &g_array_index(net->edges, Edge, e);
      if (edge->z[1] == IC_NONE || e == tree[from].by) {
        continue;
      }
      uint32_t to = edge->z[0] == from ? edge->z[1] : edge->z[0];
      Reach said = carry(net, e, from, &tree[from]);
      if (tree[to].is_reached) {
        close_way(net, tree, root, &said, to);
      } else {
        tree[to] = said;
        g_array_append_val(queue, to);
      }
    }
  }
}

/* The values that the nearest sources send. */
static void
walk_from_sources(Net *net, GArray *queue)
{
  DaeTerms *terms = net->sys->terms;
  DaeTerm zero = dae_term_int(terms, 0);
  g_array_set_size(queue, 0);
  for (guint e = 0; e < net->edges->len; e++) {
    const Edge *edge = &g_array_index(net->edges, Edge, e);
    if (edge->z[1] != IC_NONE) {
      continue;
    }
    DaeTerm value = dae_term_neg(terms, dae_term_div(terms, edge->rest, edge->c[0]));
    Reach said = {.a = zero, .b = value, .by = e, .from = IC_NONE, .n = 1, .is_reached = true};
    Reach *at = &net->source[edge->z[0]];
    if (at->is_reached) {
      close_way(net, net->source, IC_NONE, &said, edge->z[0]);
    } else {
      *at = said;
      g_array_append_val(queue, edge->z[0]);
    }
  }
  walk(net, net->source, IC_NONE, queue);
}

static void
walk_from(Net *net, uint32_t root, GArray *queue)
{
  DaeTerms *terms = net->sys->terms;
  for (guint k = 0; k < queue->len; k++) { /* of the walk before */
    net->tree[g_array_index(queue, uint32_t, k)].is_reached = false;
  }
  g_array_set_size(queue, 0);
  net->tree[root] = (Reach){.a = dae_term_int(terms, 1),
                            .b = dae_term_int(terms, 0),
                            .by = NO_EDGE,
                            .from = IC_NONE,
                            .is_reached = true};
  g_array_append_val(queue, root);
  walk(net, net->tree, root, queue);
}

GArray *
ic_shortest_walk(IcSystem *sys, const GArray *premises)
{
  Net net = {.sys = sys, .limit = premises->len};
  uint32_t left = MOST_WORK_IN_ALL - MIN(MOST_WORK_IN_ALL, sys->walked);
  net.work = MOST_WORK - MIN(MOST_WORK, left);
  uint32_t before = net.work;
  net.nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  net.node_of = g_hash_table_new(NULL, NULL);
  net.edges = g_array_new(FALSE, FALSE, sizeof(Edge));
  net.around = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  net.best = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  build(&net, premises);
  net.source = g_new0(Reach, net.nodes->len + 1);
  net.tree = g_new0(Reach, net.nodes->len + 1);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  walk_from_sources(&net, queue);
  g_array_set_size(queue, 0);
  for (uint32_t w = 0; w < net.nodes->len && net.work < MOST_WORK; w++) {
    walk_from(&net, w, queue);
  }
  sys->walked += net.work - before;
  g_array_unref(net.nodes);
  g_hash_table_unref(net.node_of);
  g_array_unref(net.edges);
  g_ptr_array_unref(net.around);
  g_free(net.source);
  g_free(net.tree);
  return net.best;
}
