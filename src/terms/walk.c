/* Walks over the DAG below a term: each node once, explicit stack. */
#include "terms/terms-priv.h"

void
dae_marks_begin(DaeTerms *terms)
{
  if (terms->mark_size <= terms->count) {
    uint32_t size = MAX(terms->count + 1, terms->mark_size + terms->mark_size / 2);
    size = MAX(size, 1024);
    terms->mark = g_renew(uint32_t, terms->mark, size);
    terms->slot = g_renew(uint32_t, terms->slot, size);
    for (uint32_t i = terms->mark_size; i < size; i++) {
      terms->mark[i] = 0;
    }
    terms->mark_size = size;
  }
  if (terms->epoch == UINT32_MAX) {
    for (uint32_t i = 0; i < terms->mark_size; i++) {
      terms->mark[i] = 0;
    }
    terms->epoch = 0;
  }
  terms->epoch++;
}

void
dae_walk(const DaeTerms *terms, DaeTerm root, const DaeWalk *walk)
{
  DaeList stack;
  dae_list_init(&stack);
  dae_list_push(&stack, root);
  while (stack.n > 0) {
    DaeTerm t = stack.data[stack.n - 1];
    if (walk->ready(walk->self, t)) {
      stack.n--;
      continue;
    }
    uint32_t n = 0;
    const DaeTerm *operands = walk->operands != NULL ? walk->operands(walk->self, t, &n)
                                                     : dae_term_operands(terms, t, &n);
    size_t before = stack.n;
    for (uint32_t i = 0; i < n; i++) {
      DaeTerm operand = operands[walk->is_backwards ? i : n - 1 - i];
      if (!walk->ready(walk->self, operand)) {
        dae_list_push(&stack, operand);
      }
    }
    if (stack.n == before) {
      walk->compute(walk->self, t);
      stack.n--;
    }
  }
  dae_list_clear(&stack);
}

typedef struct {
  const DaeTerms *terms;
  DaeNodeTest is_wanted;
  void *user;
  DaeMemo seen;
  GArray *out;
} Collection;

static bool
is_collected(void *self, DaeTerm t)
{
  return dae_memo_get(&((const Collection *)self)->seen, t) != 0;
}

static void
collect_node(void *self, DaeTerm t)
{
  Collection *collection = self;
  dae_memo_set(&collection->seen, t, 1);
  if (collection->is_wanted(collection->user, collection->terms, t)) {
    g_array_append_val(collection->out, t);
  }
}

void
dae_term_collect_nodes(const DaeTerms *terms, DaeTerm t, DaeNodeTest is_wanted, void *user,
                       GArray *out)
{
  Collection collection = {terms, is_wanted, user, {NULL, 0, 0}, out};
  const DaeWalk walk = {.ready = is_collected,
                        .compute = collect_node,
                        .self = &collection,
                        .is_backwards = true};
  dae_walk(terms, t, &walk);
  dae_memo_clear(&collection.seen);
}

struct DaeVisit {
  const DaeTerms *terms;
  DaeList stack;
  DaeMemo seen; /* not the marks of the context: what the user does at a term may need these */
};

DaeVisit *
dae_visit_new(const DaeTerms *terms, DaeTerm root)
{
  DaeVisit *visit = g_new0(DaeVisit, 1);
  visit->terms = terms;
  dae_list_init(&visit->stack);
  if (root != DAE_NO_TERM) {
    dae_visit_add(visit, root);
  }
  return visit;
}

void
dae_visit_free(DaeVisit *visit)
{
  if (visit != NULL) {
    dae_list_clear(&visit->stack);
    dae_memo_clear(&visit->seen);
    g_free(visit);
  }
}

void
dae_visit_add(DaeVisit *visit, DaeTerm t)
{
  dae_list_push(&visit->stack, t);
}

DaeTerm
dae_visit_next(DaeVisit *visit)
{
  while (visit->stack.n > 0) {
    DaeTerm t = visit->stack.data[--visit->stack.n];
    if (dae_memo_enter(&visit->seen, t)) {
      return t;
    }
  }
  return DAE_NO_TERM;
}

void
dae_visit_enter(DaeVisit *visit, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(visit->terms, t, &n);
  dae_list_append(&visit->stack, operands, n);
}

/* Visits every node below t once whose flags meet the mask (0: all) and that is not marked
 * yet. Returns the number visited. Nodes of the wanted kind are appended to out, if given. */
static size_t
visit_unmarked(DaeTerms *terms, DaeTerm t, uint8_t mask, DaeKind kind, GArray *out)
{
  size_t visited = 0;
  DaeList stack;
  DaeList found;
  dae_list_init(&stack);
  dae_list_init(&found);
  if (!dae_marked(terms, t) && (mask == 0 || (dae_node(terms, t)->flags & mask) != 0)) {
    dae_list_push(&stack, t);
    dae_mark(terms, t, 0);
  }
  while (stack.n > 0) {
    DaeTerm s = stack.data[--stack.n];
    const DaeNode *node = dae_node(terms, s);
    visited++;
    if (out != NULL && node->kind == kind) {
      dae_list_push(&found, s);
    }
    const DaeTerm *operands = dae_node_operands(node);
    for (uint32_t i = 0; i < node->n; i++) {
      DaeTerm o = operands[i];
      const DaeNode *operand = dae_node(terms, o);
      if (dae_marked(terms, o) || (mask != 0 && (operand->flags & mask) == 0)) {
        continue;
      }
      dae_mark(terms, o, 0);
      if (operand->n > 0) {
        dae_list_push(&stack, o);
        continue;
      }
      visited++;
      if (out != NULL && operand->kind == kind) {
        dae_list_push(&found, o);
      }
    }
  }
  if (found.n > 0) {
    g_array_append_vals(out, found.data, (guint)found.n);
  }
  dae_list_clear(&found);
  dae_list_clear(&stack);
  return visited;
}

static size_t
visit_nodes(DaeTerms *terms, DaeTerm t, uint8_t mask, DaeKind kind, GArray *out)
{
  dae_marks_begin(terms);
  return visit_unmarked(terms, t, mask, kind, out);
}

enum { FEW_ATOMS = 16 };

/* Symbol and order of an atom as one number, in the order of declaration. */
static uint64_t
rank_of_atom(const DaeTerms *terms, DaeTerm atom)
{
  const DaeNode *node = dae_node(terms, atom);
  return (uint64_t)node->u.atom.symbol << 32 | node->u.atom.order;
}

/* Few atoms, as most equations have, and often in order already. */
static void
insert_by_declaration(const DaeTerms *terms, DaeTerm *atoms, uint32_t n)
{
  uint64_t ranks[FEW_ATOMS];
  for (uint32_t i = 0; i < n; i++) {
    const DaeTerm atom = atoms[i];
    const uint64_t rank = rank_of_atom(terms, atom);
    uint32_t at = i;
    for (; at > 0 && ranks[at - 1] > rank; at--) {
      ranks[at] = ranks[at - 1];
      atoms[at] = atoms[at - 1];
    }
    ranks[at] = rank;
    atoms[at] = atom;
  }
}

static int
by_declaration(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  const DaeNode *x = dae_node(terms, a);
  const DaeNode *y = dae_node(terms, b);
  if (x->u.atom.symbol != y->u.atom.symbol) {
    return x->u.atom.symbol < y->u.atom.symbol ? -1 : 1;
  }
  return (x->u.atom.order > y->u.atom.order) - (x->u.atom.order < y->u.atom.order);
}

static void
collect_atoms(DaeTerms *terms, DaeTerm t, uint8_t mask, DaeKind kind, GArray *out)
{
  const DaeNode *node = dae_node(terms, t);
  guint first = out->len;
  if (node->n == 0) { /* as many sides of equations are */
    if (node->kind == kind) {
      g_array_append_val(out, t);
    }
    return;
  }
  visit_nodes(terms, t, mask, kind, out);
  if (out->len > first && out->len - first <= FEW_ATOMS) {
    insert_by_declaration(terms, &g_array_index(out, DaeTerm, first), out->len - first);
  } else if (out->len > first) {
    dae_order_sort(terms, &g_array_index(out, DaeTerm, first), out->len - first,
                   by_declaration);
  }
}

void
dae_term_collect_variables(DaeTerms *terms, DaeTerm t, GArray *out)
{
  collect_atoms(terms, t, DAE_HAS_VARIABLE, DAE_KIND_VARIABLE, out);
}

void
dae_term_collect_parameters(DaeTerms *terms, DaeTerm t, GArray *out)
{
  collect_atoms(terms, t, DAE_HAS_PARAMETER, DAE_KIND_PARAMETER, out);
}

size_t
dae_term_size(DaeTerms *terms, DaeTerm t)
{
  return dae_node(terms, t)->n == 0 ? 1 : visit_nodes(terms, t, 0, DAE_KIND_NUMBER, NULL);
}

size_t
dae_terms_size(DaeTerms *terms, const DaeTerm *list, size_t n)
{
  size_t size = 0;
  dae_marks_begin(terms);
  for (size_t i = 0; i < n; i++) {
    size += visit_unmarked(terms, list[i], 0, DAE_KIND_NUMBER, NULL);
  }
  return size;
}

typedef struct {
  const DaeTerms *terms;
  GHashTable *sizes; /* term -> index in trees */
  GArray *trees;     /* double */
} Trees;

static double
tree_of(const Trees *trees, DaeTerm t)
{
  gpointer at = g_hash_table_lookup(trees->sizes, GUINT_TO_POINTER(t));
  return g_array_index(trees->trees, double, GPOINTER_TO_UINT(at));
}

static bool
has_tree(void *self, DaeTerm t)
{
  return g_hash_table_contains(((Trees *)self)->sizes, GUINT_TO_POINTER(t));
}

static void
add_tree(void *self, DaeTerm t)
{
  Trees *trees = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(trees->terms, t, &n);
  double size = 1;
  for (uint32_t i = 0; i < n; i++) {
    size += tree_of(trees, operands[i]);
  }
  g_hash_table_insert(trees->sizes, GUINT_TO_POINTER(t), GUINT_TO_POINTER(trees->trees->len));
  g_array_append_val(trees->trees, size);
}

double
dae_term_tree_size(DaeTerms *terms, DaeTerm t)
{
  Trees trees = {terms, g_hash_table_new(NULL, NULL),
                 g_array_new(FALSE, FALSE, sizeof(double))};
  DaeWalk walk = {.ready = has_tree, .compute = add_tree, .self = &trees};
  dae_walk(terms, t, &walk);
  double size = tree_of(&trees, t);
  g_hash_table_destroy(trees.sizes);
  g_array_free(trees.trees, TRUE);
  return size;
}

bool
dae_term_contains(DaeTerms *terms, DaeTerm t, DaeTerm part)
{
  if (t == part) {
    return true;
  }
  uint8_t wanted = dae_node(terms, part)->flags;
  if ((dae_node(terms, t)->flags & wanted) != wanted) {
    return false;
  }
  visit_nodes(terms, t, 0, DAE_KIND_NUMBER, NULL);
  return dae_marked(terms, part);
}

bool
dae_term_is_parametric(DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & (DAE_HAS_VARIABLE | DAE_HAS_TIME)) == 0;
}

bool
dae_term_has_variables(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_VARIABLE) != 0;
}

bool
dae_term_has_time(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_TIME) != 0;
}

bool
dae_term_has_parameters(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_PARAMETER) != 0;
}

bool
dae_term_has_call(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_CALL) != 0;
}

bool
dae_term_has_quotient(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_QUOTIENT) != 0;
}

bool
dae_term_is_polynomial(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & (DAE_HAS_CALL | DAE_HAS_QUOTIENT)) == 0;
}

bool
dae_term_is_affine(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_BEND) == 0;
}

DaeTerm
dae_rebuild(DaeTerms *terms, DaeTerm t, const DaeTerm *operands, uint32_t n)
{
  const DaeNode *node = dae_node(terms, t);
  switch ((DaeKind)node->kind) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return t;
  case DAE_KIND_POWER:
    return dae_term_pow(terms, operands[0], operands[1]);
  case DAE_KIND_PRODUCT:
    return dae_term_product(terms, operands, n);
  case DAE_KIND_SUM:
    return dae_term_sum(terms, operands, n);
  case DAE_KIND_CALL:
    return dae_term_call(terms, (DaeFunction)node->op, operands, n);
  case DAE_KIND_IF:
    return dae_term_if(terms, operands[0], operands[1], operands[2]);
  case DAE_KIND_RELATION:
    return dae_term_relation(terms, (DaeRelation)node->op, operands[0], operands[1]);
  case DAE_KIND_NOT:
    return dae_term_not(terms, operands[0]);
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    break;
  }
  DaeTerm result = operands[0];
  for (uint32_t i = 1; i < n; i++) {
    result = node->kind == DAE_KIND_AND ? dae_term_and(terms, result, operands[i])
                                        : dae_term_or(terms, result, operands[i]);
  }
  return result;
}

static bool
is_break(const DaeNode *node)
{
  return node->kind == DAE_KIND_IF || node->kind == DAE_KIND_RELATION ||
         (node->kind == DAE_KIND_CALL && dae_function_facts((DaeFunction)node->op)->breaks);
}

static bool
may_have_varying_break(const DaeNode *node)
{
  return (node->flags & DAE_HAS_BREAK) != 0 &&
         (node->flags & (DAE_HAS_VARIABLE | DAE_HAS_TIME)) != 0;
}

bool
dae_term_has_varying_break(DaeTerms *terms, DaeTerm t)
{
  if (!may_have_varying_break(dae_node(terms, t))) {
    return false;
  }
  bool found = false;
  DaeList stack;
  dae_list_init(&stack);
  dae_list_push(&stack, t);
  dae_marks_begin(terms);
  while (stack.n > 0 && !found) {
    DaeTerm at = stack.data[--stack.n];
    const DaeNode *node = dae_node(terms, at);
    if (dae_marked(terms, at) || !may_have_varying_break(node)) {
      continue;
    }
    dae_mark(terms, at, 1);
    found = is_break(node);
    dae_list_append(&stack, dae_node_operands(node), node->n);
  }
  dae_list_clear(&stack);
  return found;
}
