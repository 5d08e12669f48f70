/* x1 + x2 + ... + xn and x1 * ... * xn as they are read: one operator at a time would copy the
 * operands of each partial sum, n^2/2 in all. A long sum on the stack is kept open instead, and
 * made a term when it is used. */
#include "reader/reader-priv.h"

#include <string.h>

#define LONG_ENOUGH 16u

typedef struct DaeChain {
  DaeKind kind; /* SUM or PRODUCT */
  uint32_t n;
  uint32_t capacity;
  DaeTerm *operands;
} DaeChain;

static void
append(DaeReader *reader, DaeChain *chain, DaeTerm operand)
{
  if (chain->n == chain->capacity) {
    DaeTerm *larger = dae_value_new_data(reader, 2 * chain->capacity);
    memcpy(larger, chain->operands, chain->n * sizeof(DaeTerm));
    chain->operands = larger;
    chain->capacity *= 2;
  }
  chain->operands[chain->n++] = operand;
}

static DaeChain *
begin(DaeReader *reader, DaeKind kind, DaeTerm first)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(reader->terms, first, &n);
  DaeChain *chain = dae_arena_alloc(reader->scratch, sizeof(DaeChain));
  *chain = (DaeChain){.kind = kind, .n = n, .capacity = 2 * n};
  chain->operands = dae_value_new_data(reader, chain->capacity);
  memcpy(chain->operands, operands, n * sizeof(DaeTerm));
  return chain;
}

static bool
is_long(const DaeReader *reader, DaeKind kind, DaeTerm t)
{
  uint32_t n = 0;
  if (dae_term_kind(reader->terms, t) != kind) {
    return false;
  }
  dae_term_operands(reader->terms, t, &n);
  return n >= LONG_ENOUGH;
}

void
dae_chain_finish(DaeReader *reader, DaeValue *value)
{
  DaeChain *chain = value->chain;
  if (chain == NULL) {
    return;
  }
  value->term = chain->kind == DAE_KIND_SUM
                    ? dae_term_sum(reader->terms, chain->operands, chain->n)
                    : dae_term_product(reader->terms, chain->operands, chain->n);
  value->chain = NULL;
}

bool
dae_chain_extend(DaeReader *reader, DaeOp op, DaeValue *a, const DaeValue *b, uint32_t pos,
                 bool *good)
{
  bool is_sum = op == DAE_OP_ADD || op == DAE_OP_SUB;
  DaeKind kind = is_sum ? DAE_KIND_SUM : DAE_KIND_PRODUCT;
  *good = true;
  if ((!is_sum && op != DAE_OP_MUL && op != DAE_OP_DIV) || a->n_dims > 0 || b->n_dims > 0 ||
      a->opaque || b->opaque || !dae_value_is_numeric(a) || !dae_value_is_numeric(b)) {
    return false;
  }
  if (a->chain != NULL ? a->chain->kind != kind : !is_long(reader, kind, a->term)) {
    return false;
  }
  DaeTerm operand = b->term;
  if (op == DAE_OP_SUB) {
    operand = dae_term_neg(reader->terms, operand);
  } else if (op == DAE_OP_DIV) {
    operand = dae_arithmetic_scalar(reader, op, dae_term_int(reader->terms, 1), operand, pos);
    *good = operand != DAE_NO_TERM;
  }
  if (a->chain == NULL) {
    a->chain = begin(reader, kind, a->term);
  }
  if (*good) {
    append(reader, a->chain, operand);
  }
  if (b->type == DAE_VALUE_REAL || op == DAE_OP_DIV) {
    a->type = DAE_VALUE_REAL;
  }
  return true;
}
