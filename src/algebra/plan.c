/* The DAG below some terms as a list in which operands come first. O(nodes + edges), no recursion. */
#include "algebra/algebra-priv.h"

typedef struct {
  DaeTerm term;
  uint32_t next; /* operand to visit */
} Frame;

static void
append_node(DaeAlgebra *algebra, DaePlanLeaf is_leaf, DaeTerm t, GArray *nodes, GArray *first,
            GArray *operand)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(algebra->terms, t, &n);
  if (is_leaf != NULL && is_leaf(algebra->terms, t)) {
    n = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    g_array_append_val(operand, algebra->slots[operands[i]]);
  }
  algebra->slots[t] = nodes->len;
  algebra->stamps[t] = algebra->stamp;
  uint32_t end = operand->len;
  g_array_append_val(nodes, t);
  g_array_append_val(first, end);
}

static void
visit_root(DaeAlgebra *algebra, DaePlanLeaf is_leaf, DaeTerm root, GArray *stack,
           GArray **lists)
{
  Frame start = {root, 0};
  g_array_append_val(stack, start);
  while (stack->len > 0) {
    Frame *frame = &g_array_index(stack, Frame, stack->len - 1);
    DaeTerm t = frame->term;
    if (algebra->stamps[t] == algebra->stamp) {
      g_array_set_size(stack, stack->len - 1);
      continue;
    }
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(algebra->terms, t, &n);
    if (is_leaf != NULL && is_leaf(algebra->terms, t)) {
      n = 0;
    }
    while (frame->next < n && algebra->stamps[operands[frame->next]] == algebra->stamp) {
      frame->next++;
    }
    if (frame->next < n) {
      Frame child = {operands[frame->next], 0};
      frame->next++;
      g_array_append_val(stack, child);
      continue;
    }
    append_node(algebra, is_leaf, t, lists[0], lists[1], lists[2]);
    g_array_set_size(stack, stack->len - 1);
  }
}

DaePlan *
dae_plan_new(DaeAlgebra *algebra, const DaeTerm *roots, size_t n_roots, DaePlanLeaf is_leaf)
{
  dae_algebra_reserve(algebra);
  algebra->stamp++;
  GArray *lists[3];
  for (int i = 0; i < 3; i++) {
    lists[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  uint32_t zero = 0;
  g_array_append_val(lists[1], zero);
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Frame));
  for (size_t i = 0; i < n_roots; i++) {
    DAE_ASSERT(roots[i] != DAE_NO_TERM);
    visit_root(algebra, is_leaf, roots[i], stack, lists);
  }
  DaePlan *plan = g_new0(DaePlan, 1);
  plan->root = g_new(uint32_t, n_roots + 1);
  for (size_t i = 0; i < n_roots; i++) {
    plan->root[i] = algebra->slots[roots[i]];
  }
  plan->n = lists[0]->len;
  plan->node = (DaeTerm *)(void *)g_array_free(lists[0], FALSE);
  plan->first = (uint32_t *)(void *)g_array_free(lists[1], FALSE);
  plan->operand = (uint32_t *)(void *)g_array_free(lists[2], FALSE);
  return plan;
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
