/* Large terms as functions. A term is a graph whose text is a tree: what is used n times is
 * written n times, and again inside of what is used often itself. Where the tree is much larger
 * than the graph, the term is written as a call of a function with a local variable for each part
 * that is used more than once. Functions are executed on terms when a model is read, so that
 * reading the text gives the same term; GenerateEvents keeps its relations as they are. */
#include "model/flat.h"

#define LARGE 20000u /* bytes: a shorter term is written as it is */
#define RATIO 4u     /* nodes of the tree to those of the graph */
#define SMALL 4u     /* a part of fewer nodes is written again */

typedef struct {
  DaeTerms *terms;
  GHashTable *nodes; /* term -> Node * */
  GArray *order;     /* DaeTerm: operands first */
} Graph;

typedef struct {
  double tree; /* nodes of its tree; large numbers need not be exact */
  uint32_t n_uses;
} Node;

static Node *
node_of(const Graph *graph, DaeTerm t)
{
  return g_hash_table_lookup(graph->nodes, GUINT_TO_POINTER(t));
}

static bool
is_counted(void *self, DaeTerm t)
{
  return node_of(self, t) != NULL;
}

static void
count(void *self, DaeTerm t)
{
  Graph *graph = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(graph->terms, t, &n);
  Node *node = g_new0(Node, 1);
  node->tree = 1;
  for (uint32_t i = 0; i < n; i++) {
    node->tree += node_of(graph, operands[i])->tree;
  }
  g_hash_table_insert(graph->nodes, GUINT_TO_POINTER(t), node);
  g_array_append_val(graph->order, t);
}

/* Products and powers are printed as parts of what they stand in: what they are made of is used
 * as often as they are. Users come before operands. */
static void
count_uses(const Graph *graph)
{
  for (guint i = graph->order->len; i-- > 0;) {
    DaeTerm t = g_array_index(graph->order, DaeTerm, i);
    DaeKind kind = dae_term_kind(graph->terms, t);
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(graph->terms, t, &n);
    bool is_part = kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER;
    uint32_t uses = is_part ? node_of(graph, t)->n_uses : 1;
    for (uint32_t k = 0; k < n; k++) {
      Node *operand = node_of(graph, operands[k]);
      operand->n_uses += MIN(uses, UINT32_MAX - operand->n_uses);
    }
  }
}

static void
graph_init(Graph *graph, DaeTerms *terms, DaeTerm t)
{
  *graph = (Graph){.terms = terms,
                   .nodes = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                   .order = g_array_new(FALSE, FALSE, sizeof(DaeTerm))};
  DaeWalk walk = {.ready = is_counted, .compute = count, .self = graph};
  dae_walk(terms, t, &walk);
  count_uses(graph);
}

static void
graph_clear(Graph *graph)
{
  g_hash_table_destroy(graph->nodes);
  g_array_free(graph->order, TRUE);
}

static bool
is_truth_value(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  bool is_symbol = kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER;
  return kind == DAE_KIND_RELATION || kind == DAE_KIND_AND || kind == DAE_KIND_OR ||
         kind == DAE_KIND_NOT || kind == DAE_KIND_BOOLEAN ||
         (is_symbol && dae_terms_is_condition(terms, dae_term_get_symbol(terms, t)));
}

static bool
is_input(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER || kind == DAE_KIND_TIME;
}

static bool
is_local(const Graph *graph, DaeTerm t)
{
  DaeKind kind = dae_term_kind(graph->terms, t);
  const Node *node = node_of(graph, t);
  return node->n_uses > 1 && node->tree >= SMALL &&
         (kind == DAE_KIND_SUM || kind == DAE_KIND_CALL || kind == DAE_KIND_IF);
}

static const char *
type_text(const DaeTerms *terms, DaeTerm t)
{
  return is_truth_value(terms, t) ? "Boolean" : "Real";
}

/* Names of the inputs and of the local variables, with the declarations of both. */
static void
declare(const Graph *graph, GHashTable *names, GString *inputs, GString *locals)
{
  guint n_inputs = 0;
  guint n_locals = 0;
  for (guint i = 0; i + 1 < graph->order->len; i++) {
    DaeTerm t = g_array_index(graph->order, DaeTerm, i);
    if (is_input(graph->terms, t)) {
      char *name = g_strdup_printf("u%u", ++n_inputs);
      g_hash_table_insert(names, GUINT_TO_POINTER(t), name);
      g_string_append_printf(inputs, "  input %s %s;\n", type_text(graph->terms, t), name);
    } else if (is_local(graph, t)) {
      char *name = g_strdup_printf("s%u", ++n_locals);
      g_hash_table_insert(names, GUINT_TO_POINTER(t), name);
      g_string_append_printf(locals, "  Real %s;\n", name);
    }
  }
}

static void
print_function(const Graph *graph, const char *function, DaeTerm t, GString *out)
{
  g_autoptr(GHashTable) names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  g_autoptr(GString) inputs = g_string_new(NULL);
  g_autoptr(GString) locals = g_string_new(NULL);
  declare(graph, names, inputs, locals);
  g_string_append_printf(out, "function %s\n%s  output %s y;\nprotected\n%salgorithm\n",
                         function, inputs->str, type_text(graph->terms, t), locals->str);
  for (guint i = 0; i + 1 < graph->order->len; i++) {
    DaeTerm part = g_array_index(graph->order, DaeTerm, i);
    const char *name = g_hash_table_lookup(names, GUINT_TO_POINTER(part));
    if (name != NULL && !is_input(graph->terms, part)) {
      g_string_append_printf(out, "  %s := ", name);
      dae_term_print_named(graph->terms, part, names, out);
      g_string_append(out, ";\n");
    }
  }
  g_string_append(out, "  y := ");
  dae_term_print_named(graph->terms, t, names, out);
  g_string_append_printf(out,
                         ";\n  annotation(GenerateEvents = true, __daetool(shared = true));\n"
                         "end %s;\n",
                         function);
}

static void
print_call(const Graph *graph, const char *function, GString *out)
{
  bool any = false;
  g_string_append_printf(out, "%s(", function);
  for (guint i = 0; i + 1 < graph->order->len; i++) {
    DaeTerm t = g_array_index(graph->order, DaeTerm, i);
    if (is_input(graph->terms, t)) {
      g_string_append(out, any ? ", " : "");
      dae_term_print(graph->terms, t, out);
      any = true;
    }
  }
  g_string_append_c(out, ')');
}

void
dae_print_shared(DaeTerms *terms, DaeTerm t, DaeSharedTerms *shared, GString *out)
{
  Graph graph;
  gsize start = out->len;
  if (dae_term_print_limited(terms, t, out, LARGE)) {
    return;
  }
  g_string_truncate(out, start);
  graph_init(&graph, terms, t);
  if (node_of(&graph, t)->tree < (double)RATIO * graph.order->len) {
    dae_term_print(terms, t, out);
  } else {
    g_autofree char *function = g_strdup_printf("'$shared%u'", ++shared->n);
    print_function(&graph, function, t, shared->functions);
    print_call(&graph, function, out);
  }
  graph_clear(&graph);
}
