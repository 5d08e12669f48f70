/* Which nodes are needed by which outputs, and neighbours merged into one instruction.
 *
 * Merging saves dispatches of the interpreter, not roundings: c + a*b is rounded
 * twice, as two instructions would. */
#include <string.h>

#include "eval/eval-priv.h"

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
    const uint32_t arity =
        fused->groups[i] != 0 ? dae_program_operands(&fused->nodes[i], operands) : 0;
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
    const uint32_t arity =
        fused->groups[i] != 0 ? dae_program_operands(&fused->nodes[i], operands) : 0;
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

/* What a node becomes when operands used here only are taken in; the
 * first row that fits is used. */
typedef struct {
  DaeOp user;
  DaeOp part;
  bool both; /* both operands are such parts */
  DaeOp with_b;
  DaeOp with_a; /* DAE_OP_CONST: no such operation */
} Fusion;

static const Fusion fusions[] = {
    {DAE_OP_ADD, DAE_OP_MUL, true, DAE_OP_DOT2, DAE_OP_CONST},
    {DAE_OP_ADD, DAE_OP_MUL, false, DAE_OP_MUL_ADD, DAE_OP_MUL_ADD},
    {DAE_OP_ADD, DAE_OP_ADD, false, DAE_OP_ADD3, DAE_OP_ADD3},
    {DAE_OP_SUB, DAE_OP_MUL, true, DAE_OP_DET2, DAE_OP_CONST},
    {DAE_OP_SUB, DAE_OP_MUL, false, DAE_OP_MUL_SUB, DAE_OP_MUL_RSUB},
    {DAE_OP_MUL, DAE_OP_MUL, false, DAE_OP_MUL3, DAE_OP_MUL3},
};

/* What is constant during a segment is computed once in it, so it must not
 * become a part of what is not. */
static bool
fits(const DaeFused *fused, const uint32_t *uses, uint32_t part, uint32_t user, DaeOp op)
{
  return uses[part] == 1 && fused->nodes[part].op == op &&
         (fused->nodes[part].level != DAE_LEVEL_SEGMENT ||
          fused->nodes[user].level == DAE_LEVEL_SEGMENT);
}

static bool
apply_fusion(DaeFused *fused, const uint32_t *uses, uint32_t i, const Fusion *fusion)
{
  const uint32_t a = fused->nodes[i].a;
  const uint32_t b = fused->nodes[i].b;
  const bool a_fits = fits(fused, uses, a, i, fusion->part);
  const bool b_fits = fits(fused, uses, b, i, fusion->part);
  if (fusion->both) {
    if (a_fits && b_fits) {
      merge_both(fused, i, fusion->with_b);
    }
    return a_fits && b_fits;
  }
  if (b_fits) {
    merge_into(fused, i, b, fusion->with_b, a);
  } else if (a_fits) {
    merge_into(fused, i, a, fusion->with_a, b);
  }
  return a_fits || b_fits;
}

static void
merge_operands(DaeFused *fused, const uint32_t *uses, uint32_t i)
{
  const uint16_t op = fused->nodes[i].op;
  for (size_t k = 0; k < G_N_ELEMENTS(fusions); k++) {
    if (fusions[k].user == op && apply_fusion(fused, uses, i, &fusions[k])) {
      return;
    }
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
