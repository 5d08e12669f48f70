/* The DAG below some terms as a list in which operands come first.
 * O(nodes + edges), no recursion. */
#include "algebra/algebra-priv.h"

typedef struct {
  DaeTerm term;
  uint32_t next; /* operand to visit */
  uint32_t n;    /* operands to visit: none for leaves */
} Frame;

typedef struct {
  DaeAlgebra *algebra;
  DaePlanLeaf is_leaf;
  const uint8_t *known;
  GArray *stack; /* Frame */
  GArray *node;
  GArray *first;
  GArray *operand;
} Walk;

static void
push_term(Walk *w, DaeTerm t)
{
  Frame frame = {t, 0, 0};
  bool is_leaf = (w->is_leaf != NULL && w->is_leaf(w->algebra->terms, t)) ||
                 (w->known != NULL && w->known[t] != 0);
  if (!is_leaf) {
    dae_term_operands(w->algebra->terms, t, &frame.n);
  }
  g_array_append_val(w->stack, frame);
}

static void
append_node(Walk *w, const Frame *frame)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(w->algebra->terms, frame->term, &n);
  for (uint32_t i = 0; i < frame->n; i++) {
    g_array_append_val(w->operand, w->algebra->slots[operands[i]]);
  }
  w->algebra->slots[frame->term] = w->node->len;
  w->algebra->stamps[frame->term] = w->algebra->stamp;
  uint32_t end = w->operand->len;
  g_array_append_val(w->node, frame->term);
  g_array_append_val(w->first, end);
}

static void
visit_root(Walk *w, DaeTerm root)
{
  const DaeAlgebra *algebra = w->algebra;
  if (algebra->stamps[root] != algebra->stamp) {
    push_term(w, root);
  }
  while (w->stack->len > 0) {
    Frame *frame = &g_array_index(w->stack, Frame, w->stack->len - 1);
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(algebra->terms, frame->term, &n);
    while (frame->next < frame->n && algebra->stamps[operands[frame->next]] == algebra->stamp) {
      frame->next++;
    }
    if (frame->next < frame->n) {
      DaeTerm child = operands[frame->next++];
      push_term(w, child);
      continue;
    }
    append_node(w, frame);
    g_array_set_size(w->stack, w->stack->len - 1);
  }
}

static DaePlan *
make_plan(DaeAlgebra *algebra, const DaeTerm *roots, size_t n_roots, DaePlanLeaf is_leaf,
          const uint8_t *known)
{
  dae_algebra_reserve(algebra);
  algebra->stamp++;
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Frame));
  Walk w = {.algebra = algebra, .is_leaf = is_leaf, .known = known, .stack = stack};
  w.node = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  w.first = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  /* room for one, so that a plan of leaves has a valid address to add offset 0 to */
  w.operand = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), 1);
  uint32_t zero = 0;
  g_array_append_val(w.first, zero);
  for (size_t i = 0; i < n_roots; i++) {
    DAE_ASSERT(roots[i] != DAE_NO_TERM);
    visit_root(&w, roots[i]);
  }
  DaePlan *plan = g_new0(DaePlan, 1);
  plan->root = g_new(uint32_t, n_roots + 1);
  for (size_t i = 0; i < n_roots; i++) {
    plan->root[i] = algebra->slots[roots[i]];
  }
  plan->n = w.node->len;
  plan->node = (DaeTerm *)(void *)g_array_free(w.node, FALSE);
  plan->first = (uint32_t *)(void *)g_array_free(w.first, FALSE);
  plan->operand = (uint32_t *)(void *)g_array_free(w.operand, FALSE);
  return plan;
}

DaePlan *
dae_plan_new(DaeAlgebra *algebra, const DaeTerm *roots, size_t n_roots, DaePlanLeaf is_leaf)
{
  return make_plan(algebra, roots, n_roots, is_leaf, NULL);
}

DaePlan *
dae_plan_new_above(DaeAlgebra *algebra, DaeTerm root, const uint8_t *known)
{
  return make_plan(algebra, &root, 1, NULL, known);
}

void
dae_plan_free(DaePlan *plan)
{
  if (plan == NULL) {
    return;
  }
  g_free(plan->node);
  g_free(plan->first);
  g_free(plan->operand);
  g_free(plan->root);
  g_free(plan);
}
