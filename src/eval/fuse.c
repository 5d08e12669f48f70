/* Which nodes are needed by which outputs, and neighbours merged into one instruction.
 *
 * Merging saves dispatches of the interpreter, not roundings: c + a*b is rounded twice, as two instructions would. */
#include <string.h>

#include "eval/eval-priv.h"

/* Operands of a node, in order; returns how many. */
static uint32_t
operands_of(const DaeNode *node, uint32_t *operands)
{
  operands[0] = node->a;
  operands[1] = node->b;
  operands[2] = node->c;
  operands[3] = node->d;
  return dae_op_arity((DaeOp)node->op);
}

static void
mark_needed(DaeFused *fused, const DaeTapePlan *plan)
{
  for (uint32_t g = 0; g < plan->n_groups; g++) {
    for (uint32_t o = plan->group_start[g]; o < plan->group_start[g + 1]; o++) {
      fused->groups[plan->outputs[o]] |= (uint8_t)(1u << g);
    }
  }
  for (uint32_t i = fused->n; i-- > 0;) {
    uint32_t operands[4];
    const uint32_t arity = fused->groups[i] != 0 ? operands_of(&fused->nodes[i], operands) : 0;
    for (uint32_t k = 0; k < arity; k++) {
      DAE_ASSERT(operands[k] < i);
      fused->groups[operands[k]] |= fused->groups[i];
    }
  }
}

static uint32_t *
count_uses(const DaeFused *fused, const DaeTapePlan *plan)
{
  uint32_t *uses = g_new0(uint32_t, fused->n);
  for (uint32_t i = 0; i < fused->n; i++) {
    uint32_t operands[4];
    const uint32_t arity = fused->groups[i] != 0 ? operands_of(&fused->nodes[i], operands) : 0;
    for (uint32_t k = 0; k < arity; k++) {
      uses[operands[k]]++;
    }
  }
  for (uint32_t o = 0; o < plan->group_start[plan->n_groups]; o++) {
    uses[plan->outputs[o]]++;
  }
  return uses;
}

static void
merge_into(DaeFused *fused, uint32_t user, uint32_t part, DaeOp op, uint32_t c)
{
  DaeNode *node = &fused->nodes[user];
  node->op = (uint16_t)op;
  node->a = fused->nodes[part].a;
  node->b = fused->nodes[part].b;
  node->c = c;
  fused->groups[part] = 0;
}

/* a*b + c*d and a*b - c*d, both products used here only. */
static void
merge_both(DaeFused *fused, uint32_t user, DaeOp op)
{
  const uint32_t left = fused->nodes[user].a;
  const uint32_t right = fused->nodes[user].b;
  merge_into(fused, user, left, op, fused->nodes[right].a);
  fused->nodes[user].d = fused->nodes[right].b;
  fused->groups[right] = 0;
}

static void
merge_operands(DaeFused *fused, const uint32_t *uses, uint32_t i)
{
  const DaeNode *node = &fused->nodes[i];
  const uint32_t a = node->a;
  const uint32_t b = node->b;
  const bool a_single = uses[a] == 1;
  const bool b_single = uses[b] == 1;
  const bool a_is_mul = a_single && fused->nodes[a].op == DAE_OP_MUL;
  const bool b_is_mul = b_single && fused->nodes[b].op == DAE_OP_MUL;
  const bool a_is_add = a_single && fused->nodes[a].op == DAE_OP_ADD;
  const bool b_is_add = b_single && fused->nodes[b].op == DAE_OP_ADD;
  if (node->op == DAE_OP_ADD) {
    if (a_is_mul && b_is_mul) {
      merge_both(fused, i, DAE_OP_DOT2);
    } else if (a_is_mul || b_is_mul) {
      merge_into(fused, i, b_is_mul ? b : a, DAE_OP_MUL_ADD, b_is_mul ? a : b);
    } else if (a_is_add || b_is_add) {
      merge_into(fused, i, b_is_add ? b : a, DAE_OP_ADD3, b_is_add ? a : b);
    }
  } else if (node->op == DAE_OP_SUB) {
    if (a_is_mul && b_is_mul) {
      merge_both(fused, i, DAE_OP_DET2);
    } else if (b_is_mul) {
      merge_into(fused, i, b, DAE_OP_MUL_SUB, a);
    } else if (a_is_mul) {
      merge_into(fused, i, a, DAE_OP_MUL_RSUB, b);
    }
  } else if (node->op == DAE_OP_MUL && (a_is_mul || b_is_mul)) {
    merge_into(fused, i, b_is_mul ? b : a, DAE_OP_MUL3, b_is_mul ? a : b);
  }
}

void
dae_fused_init(DaeFused *fused, const DaeTapePlan *plan)
{
  const DaeNode *nodes = dae_program_nodes(plan->program, &fused->n);
  fused->nodes = g_new(DaeNode, fused->n);
  if (fused->n > 0) {
    memcpy(fused->nodes, nodes, fused->n * sizeof *nodes);
  }
  fused->groups = g_new0(uint8_t, fused->n);
  mark_needed(fused, plan);
  g_autofree uint32_t *uses = count_uses(fused, plan);
  for (uint32_t i = fused->n; i-- > 0;) {
    if (fused->groups[i] != 0 && dae_op_arity((DaeOp)fused->nodes[i].op) == 2) {
      merge_operands(fused, uses, i);
    }
  }
}

void
dae_fused_clear(DaeFused *fused)
{
  g_clear_pointer(&fused->nodes, g_free);
  g_clear_pointer(&fused->groups, g_free);
}
