/* Overconstrained connections [MLS, section 9.4]: a spanning tree of the virtual connection graph;
 * connects outside the tree get the equations of equalityConstraint instead of equalities. */
#include <string.h>

#include "lang/connect.h"

typedef struct {
  uint32_t name;    /* flat name of the overdetermined record */
  uint32_t parent;  /* union-find: trees */
  uint32_t before;  /* in the tree, towards the root; itself: the root or not reached */
  int64_t priority; /* -1: no root, 0: root, otherwise 1 + priority of potentialRoot */
  bool is_reached, is_root;
} Vertex;

typedef struct {
  uint32_t a, b;           /* vertices */
  DaeComponent *x, *y;     /* connects: the records; NULL: a branch */
  uint32_t x_name, y_name; /* their flat names */
  bool x_outside, y_outside;
  uint32_t pos;
  bool is_broken;
} Edge;

struct DaeGraph {
  GArray *vertices; /* Vertex; 0 unused */
  GArray *edges;
  GHashTable *index; /* name -> vertex */
};

struct DaeGraph *
dae_graph_new(void)
{
  struct DaeGraph *graph = g_new0(struct DaeGraph, 1);
  graph->vertices = g_array_new(FALSE, TRUE, sizeof(Vertex));
  graph->edges = g_array_new(FALSE, TRUE, sizeof(Edge));
  graph->index = g_hash_table_new(NULL, NULL);
  g_array_set_size(graph->vertices, 1);
  return graph;
}

void
dae_graph_free(struct DaeGraph *graph)
{
  g_array_free(graph->vertices, TRUE);
  g_array_free(graph->edges, TRUE);
  g_hash_table_destroy(graph->index);
  g_free(graph);
}

static Vertex *
vertex_at(const struct DaeGraph *graph, uint32_t i)
{
  return &g_array_index(graph->vertices, Vertex, i);
}

static uint32_t
vertex_of(struct DaeGraph *graph, uint32_t name)
{
  gpointer key = GUINT_TO_POINTER(name);
  uint32_t i = GPOINTER_TO_UINT(g_hash_table_lookup(graph->index, key));
  if (i == 0) {
    i = graph->vertices->len;
    Vertex vertex = {.name = name, .parent = i, .before = i, .priority = -1};
    g_array_append_val(graph->vertices, vertex);
    g_hash_table_insert(graph->index, key, GUINT_TO_POINTER(i));
  }
  return i;
}

static uint32_t
tree_of(struct DaeGraph *graph, uint32_t i)
{
  while (vertex_at(graph, i)->parent != i) {
    uint32_t parent = vertex_at(graph, i)->parent;
    vertex_at(graph, i)->parent = vertex_at(graph, parent)->parent;
    i = parent;
  }
  return i;
}

/* ---- collecting -------------------------------------------------------------------------- */

/* The function that says how two such records are equal without
 * redundancy; NULL: an ordinary type. */
DaeNode *
dae_graph_constraint(DaeLang *lang, const DaeComponent *component)
{
  DaeNode *type = component->type;
  if (type->class == 0 || type->elements == NULL) {
    return NULL;
  }
  DaeElement *element =
      dae_node_element(lang, type, dae_name_intern(lang, "equalityConstraint"));
  return element != NULL && element->kind == DAE_ELEMENT_CLASS
             ? dae_element_node(lang, element, NULL)
             : NULL;
}

void
dae_graph_connect(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
{
  struct DaeGraph *graph = lang->connect->graph;
  Edge edge = {.x = a->component,
               .y = b->component,
               .x_name = a->name,
               .y_name = b->name,
               .x_outside = a->is_outside,
               .y_outside = b->is_outside,
               .pos = pos};
  edge.a = vertex_of(graph, a->name);
  edge.b = vertex_of(graph, b->name);
  g_array_append_val(graph->edges, edge);
}

/* The flat name of the argument whose code ends before `end`; 0: absent or reported. */
static uint32_t
argument_name(DaeLang *lang, DaeNode *scope, uint32_t end, const GArray *locals)
{
  g_autoptr(GArray) endpoints = g_array_new(FALSE, TRUE, sizeof(DaeEndpoint));
  bool is_absent = false;
  bool good = dae_connect_resolve(lang, scope, end - 1, locals, endpoints, &is_absent);
  return good && !is_absent && endpoints->len == 1
             ? g_array_index(endpoints, DaeEndpoint, 0).name
             : 0;
}

static int64_t
priority_of(DaeLang *lang, DaeNode *scope, uint32_t begin, uint32_t end, const GArray *locals)
{
  DaeInterpreter interpreter;
  int64_t priority = 0;
  dae_interpreter_init(&interpreter, lang, scope);
  g_array_append_vals(interpreter.locals, locals->data, locals->len);
  if (dae_interpreter_run_to(&interpreter, begin, end) && interpreter.stack->len == 1) {
    const DaeEval *value = &g_array_index(interpreter.stack, DaeEval, 0);
    priority = value->type == DAE_EVAL_INTEGER ? value->integer : 0;
  }
  dae_interpreter_clear(&interpreter);
  return CLAMP(priority, 0, INT32_MAX);
}

void
dae_graph_statement(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  struct DaeGraph *graph = lang->connect->graph;
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  const char *name = dae_names_text(lang->names, instruction.arg) + strlen("Connections.");
  uint32_t ends[3] = {0};
  uint32_t end = pc;
  if (instruction.n == 0 || instruction.n > 2) {
    return;
  }
  for (uint32_t k = instruction.n; k-- > 0;) {
    ends[k] = end;
    end = dae_syntax_skip_back(lang->syntax, end, 1);
  }
  uint32_t first = argument_name(lang, scope, ends[0], locals);
  if (first == 0) {
    return;
  }
  uint32_t a = vertex_of(graph, first);
  if (strcmp(name, "root") == 0) {
    vertex_at(graph, a)->priority = 0;
  } else if (strcmp(name, "potentialRoot") == 0) {
    int64_t priority =
        instruction.n == 2 ? priority_of(lang, scope, ends[0], ends[1], locals) : 0;
    vertex_at(graph, a)->priority = 1 + priority;
  } else if (strcmp(name, "branch") == 0 && instruction.n == 2) {
    uint32_t second = argument_name(lang, scope, ends[1], locals);
    if (second != 0) {
      Edge edge = {.a = a, .b = vertex_of(graph, second), .pos = instruction.pos};
      g_array_append_val(graph->edges, edge);
    }
  }
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Branches first, they are never broken; then the connects in the order of the text. A tree
 * has at most one definite root. */
static void
grow(struct DaeGraph *graph, bool branches)
{
  for (guint i = 0; i < graph->edges->len; i++) {
    Edge *edge = &g_array_index(graph->edges, Edge, i);
    if ((edge->x == NULL) != branches) {
      continue;
    }
    uint32_t a = tree_of(graph, edge->a);
    uint32_t b = tree_of(graph, edge->b);
    Vertex *p = vertex_at(graph, a);
    Vertex *q = vertex_at(graph, b);
    edge->is_broken = !branches && (a == b || (p->is_root && q->is_root));
    if (a != b && !edge->is_broken) {
      vertex_at(graph, MAX(a, b))->parent = MIN(a, b);
      vertex_at(graph, MIN(a, b))->is_root = p->is_root || q->is_root;
    }
  }
}

/* Of each tree one root: the definite one, else the potential one of
 * least priority, else the first. */
static GArray *
choose_roots(struct DaeGraph *graph)
{
  GArray *roots = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  g_array_set_size(roots, graph->vertices->len);
  for (uint32_t i = 1; i < graph->vertices->len; i++) {
    const Vertex *vertex = vertex_at(graph, i);
    uint32_t *root = &g_array_index(roots, uint32_t, tree_of(graph, i));
    if (*root == 0) {
      *root = i;
      continue;
    }
    int64_t best = vertex_at(graph, *root)->priority;
    if (vertex->priority >= 0 && (best < 0 || vertex->priority < best)) {
      *root = i;
    }
  }
  return roots;
}

/* Marks what is nearer to the root on each edge of the trees, by rounds from the roots outwards. */
static void
orient(struct DaeGraph *graph, const GArray *roots)
{
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree GArray **around = g_new0(GArray *, graph->vertices->len);
  for (uint32_t i = 1; i < graph->vertices->len; i++) {
    around[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    vertex_at(graph, i)->is_root = false;
  }
  for (guint i = 0; i < graph->edges->len; i++) {
    const Edge *edge = &g_array_index(graph->edges, Edge, i);
    if (!edge->is_broken) {
      g_array_append_val(around[edge->a], edge->b);
      g_array_append_val(around[edge->b], edge->a);
    }
  }
  for (uint32_t i = 1; i < graph->vertices->len; i++) {
    uint32_t root = g_array_index(roots, uint32_t, i);
    if (root != 0) {
      vertex_at(graph, root)->is_root = vertex_at(graph, root)->is_reached = true;
      g_array_append_val(queue, root);
    }
  }
  for (guint k = 0; k < queue->len; k++) {
    uint32_t at = g_array_index(queue, uint32_t, k);
    for (guint i = 0; i < around[at]->len; i++) {
      uint32_t next = g_array_index(around[at], uint32_t, i);
      if (!vertex_at(graph, next)->is_reached) {
        vertex_at(graph, next)->is_reached = true;
        vertex_at(graph, next)->before = at;
        g_array_append_val(queue, next);
      }
    }
  }
  for (uint32_t i = 1; i < graph->vertices->len; i++) {
    g_array_free(around[i], TRUE);
  }
}

void
dae_graph_solve(DaeLang *lang)
{
  struct DaeGraph *graph = lang->connect->graph;
  for (uint32_t i = 1; i < graph->vertices->len; i++) {
    vertex_at(graph, i)->is_root = vertex_at(graph, i)->priority == 0;
  }
  grow(graph, true);
  grow(graph, false);
  g_autoptr(GArray) roots = choose_roots(graph);
  orient(graph, roots);
  for (guint i = 0; i < graph->edges->len; i++) {
    const Edge *edge = &g_array_index(graph->edges, Edge, i);
    bool keeps = lang->options != NULL && lang->options->keep_loops;
    if (edge->x != NULL && (!edge->is_broken || keeps)) {
      dae_connect_join(lang, edge->x, edge->x_name, edge->x_outside, edge->y, edge->y_name,
                       edge->y_outside, edge->pos);
    }
  }
}

bool
dae_graph_is_root(const DaeLang *lang, uint32_t name)
{
  const struct DaeGraph *graph = lang->connect->graph;
  uint32_t i = GPOINTER_TO_UINT(g_hash_table_lookup(graph->index, GUINT_TO_POINTER(name)));
  return i != 0 && vertex_at(graph, i)->is_root;
}

/* Is it nearer to the root than what its branch leads to? */
bool
dae_graph_is_rooted(const DaeLang *lang, uint32_t name)
{
  const struct DaeGraph *graph = lang->connect->graph;
  uint32_t i = GPOINTER_TO_UINT(g_hash_table_lookup(graph->index, GUINT_TO_POINTER(name)));
  for (guint k = 0; i != 0 && k < graph->edges->len; k++) {
    const Edge *edge = &g_array_index(graph->edges, Edge, k);
    if (edge->x == NULL && (edge->a == i || edge->b == i)) {
      uint32_t other = edge->a == i ? edge->b : edge->a;
      return vertex_at(graph, other)->before == i || vertex_at(graph, i)->is_root;
    }
  }
  return i != 0 && vertex_at(graph, i)->is_root;
}

/* zeros = equalityConstraint(a, b) for each connect that is not in the tree. */
void
dae_graph_write(DaeLang *lang)
{
  const struct DaeGraph *graph = lang->connect->graph;
  bool keeps = lang->options != NULL && lang->options->keep_loops;
  for (guint i = 0; i < graph->edges->len && !keeps; i++) {
    const Edge *edge = &g_array_index(graph->edges, Edge, i);
    if (!edge->is_broken || edge->x == NULL) {
      continue;
    }
    DaeNode *function = dae_graph_constraint(lang, edge->x);
    uint32_t n = dae_graph_residues(lang, function);
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, dae_name_format(lang, "%u", n), edge->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_CALL, 1, dae_name_intern(lang, "zeros"), edge->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0, edge->x_name, edge->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0, edge->y_name, edge->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_CALL, 2, dae_use_class(lang, function), edge->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_EQUATION, 0, 0, edge->pos);
  }
}

/* Size of the result of equalityConstraint. */
uint32_t
dae_graph_residues(DaeLang *lang, DaeNode *function)
{
  for (guint i = 0; i < function->elements->len; i++) {
    DaeElement *element = function->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT && (element->flags & DAE_FLAG_OUTPUT) != 0) {
      DaeComponent *component = dae_component_of(lang, element);
      return component != NULL ? component->count : 0;
    }
  }
  return 0;
}
