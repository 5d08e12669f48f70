/* Images of rational terms in the field with 2^61 - 1 elements, at one fixed pseudo-random point.
 *
 * Where no division by zero occurs on the way, evaluation is a ring homomorphism from a
 * localization of Q[atoms]: a nonzero image proves that the term is not identically zero, and
 * that it is defined at a generic real point. A zero image proves nothing. Values are kept for
 * all terms ever asked, so that the cost of a question is the number of new nodes. */
#include "algebra/algebra-priv.h"

typedef struct {
  DaeTerm term;
  uint32_t next;
} Frame;

static DaeModState
image_of_number(DaeAlgebra *algebra, DaeTerm t, uint64_t *value)
{
  int64_t small = 0;
  if (dae_term_get_int64(algebra->terms, t, &small)) {
    uint64_t magnitude = small < 0 ? (uint64_t)0 - (uint64_t)small : (uint64_t)small;
    NMOD_RED(magnitude, magnitude, algebra->mod);
    *value = small < 0 ? nmod_neg(magnitude, algebra->mod) : magnitude;
    return DAE_MOD_VALUE;
  }
  fmpq_t q;
  fmpq_init(q);
  dae_number_get_fmpq(algebra->terms, t, q);
  uint64_t p = fmpz_fdiv_ui(fmpq_numref(q), DAE_MODULUS);
  uint64_t d = fmpz_fdiv_ui(fmpq_denref(q), DAE_MODULUS);
  fmpq_clear(q);
  if (d == 0) {
    return DAE_MOD_UNDEFINED;
  }
  *value = nmod_div(p, d, algebra->mod);
  return DAE_MOD_VALUE;
}

static DaeModState
image_of_power(DaeAlgebra *algebra, const DaeTerm *operands, uint64_t *value)
{
  int64_t n = 0;
  if (!dae_term_get_int64(algebra->terms, operands[1], &n) || n == INT64_MIN) {
    return DAE_MOD_IRRATIONAL;
  }
  uint64_t base = algebra->mod_value[operands[0]];
  if (n < 0) {
    if (base == 0) {
      return DAE_MOD_UNDEFINED;
    }
    base = nmod_inv(base, algebra->mod);
    n = -n;
  }
  *value = nmod_pow_ui(base, (ulong)n, algebra->mod);
  return DAE_MOD_VALUE;
}

static bool
is_rational_kind(DaeKind kind)
{
  return kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER;
}

/* State of a node from those of its operands. */
static DaeModState
image_of_node(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *operands, uint32_t n,
              uint64_t *value)
{
  DaeKind kind = dae_term_kind(algebra->terms, t);
  if (kind == DAE_KIND_NUMBER) {
    return image_of_number(algebra, t, value);
  }
  if (dae_term_is_atom(algebra->terms, t)) {
    NMOD_RED(*value, dae_atom_random(algebra->terms, t, 0), algebra->mod);
    return DAE_MOD_VALUE;
  }
  if (!is_rational_kind(kind)) {
    return DAE_MOD_IRRATIONAL;
  }
  DAE_ASSERT(operands != NULL);
  DaeModState worst = DAE_MOD_VALUE;
  for (uint32_t i = 0; i < n; i++) {
    worst = MAX(worst, algebra->mod_state[operands[i]]);
  }
  if (worst != DAE_MOD_VALUE) {
    return worst;
  }
  if (kind == DAE_KIND_POWER) {
    return image_of_power(algebra, operands, value);
  }
  uint64_t total = kind == DAE_KIND_PRODUCT;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t v = algebra->mod_value[operands[i]];
    total = kind == DAE_KIND_PRODUCT ? nmod_mul(total, v, algebra->mod)
                                     : nmod_add(total, v, algebra->mod);
  }
  *value = total;
  return DAE_MOD_VALUE;
}

static void
compute_below(DaeAlgebra *algebra, DaeTerm root)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Frame));
  Frame start = {root, 0};
  g_array_append_val(stack, start);
  while (stack->len > 0) {
    Frame *frame = &g_array_index(stack, Frame, stack->len - 1);
    DaeTerm t = frame->term;
    uint32_t n = 0;
    const DaeTerm *operands = NULL;
    if (is_rational_kind(dae_term_kind(algebra->terms, t))) {
      operands = dae_term_operands(algebra->terms, t, &n);
    }
    while (frame->next < n && algebra->mod_state[operands[frame->next]] != DAE_MOD_NONE) {
      frame->next++;
    }
    if (frame->next < n && algebra->mod_state[t] == DAE_MOD_NONE) {
      Frame child = {operands[frame->next], 0};
      frame->next++;
      g_array_append_val(stack, child);
      continue;
    }
    uint64_t value = 0;
    algebra->mod_state[t] = (uint8_t)image_of_node(algebra, t, operands, n, &value);
    algebra->mod_value[t] = value;
    g_array_set_size(stack, stack->len - 1);
  }
}

DaeModState
dae_modular_value(DaeAlgebra *algebra, DaeTerm t, uint64_t *value)
{
  dae_algebra_reserve(algebra);
  if (algebra->mod_state[t] == DAE_MOD_NONE) {
    compute_below(algebra, t);
  }
  *value = algebra->mod_value[t];
  return (DaeModState)algebra->mod_state[t];
}
