/* Sines and cosines of one angle side by side, so that the interpreter computes them together. */
#include "eval/eval-priv.h"

static bool
is_of_circle(const DaeFused *fused, uint32_t i)
{
  const uint16_t op = fused->nodes[i].op;
  return fused->groups[i] != 0 && (op == DAE_OP_SIN || op == DAE_OP_COS);
}

uint32_t *
dae_fused_order(const DaeFused *fused)
{
  enum { NONE = 0 }; /* node 0 has no operands that come before it */

  g_autofree uint32_t *first = g_new0(uint32_t, (size_t)fused->n + 1); /* by operand */
  g_autofree uint32_t *second = g_new0(uint32_t, (size_t)fused->n + 1);
  for (uint32_t i = 0; i < fused->n; i++) {
    if (is_of_circle(fused, i)) {
      uint32_t *before = &first[fused->nodes[i].a];
      if (*before != NONE && fused->nodes[*before].op != fused->nodes[i].op) {
        second[*before] = i;
      }
      *before = *before == NONE ? i : *before;
    }
  }
  uint32_t *order = g_new(uint32_t, (size_t)fused->n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < fused->n; i++) {
    const uint32_t before = is_of_circle(fused, i) ? first[fused->nodes[i].a] : NONE;
    if (before != NONE && second[before] == i) {
      continue; /* it is there */
    }
    order[n++] = i;
    if (second[i] != NONE) {
      order[n++] = second[i];
    }
  }
  DAE_ASSERT(n == fused->n);
  return order;
}
