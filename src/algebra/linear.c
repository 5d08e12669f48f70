/* t = a*x + b. Directly on canonical sums and products where that is enough;
 * otherwise on the cancelled fraction. */
#include "algebra/algebra-priv.h"

#define LIMIT_SMALL 150 /* nodes of a term in which cancellation of functions is looked for */

typedef enum { IS_FREE, IS_LINEAR, IS_OTHER } Dependence;

static Dependence
worst_operand(const DaePlan *plan, uint32_t i, const uint8_t *state, uint32_t *n_linear)
{
  Dependence worst = IS_FREE;
  *n_linear = 0;
  for (uint32_t k = plan->first[i]; k < plan->first[i + 1]; k++) {
    Dependence d = (Dependence)state[plan->operand[k]];
    worst = MAX(worst, d);
    *n_linear += d == IS_LINEAR;
  }
  return worst;
}

static Dependence
classify_node(DaeTerms *terms, const DaePlan *plan, uint32_t i, DaeTerm x, const uint8_t *state)
{
  if (plan->node[i] == x) {
    return IS_LINEAR;
  }
  uint32_t n_linear = 0;
  Dependence worst = worst_operand(plan, i, state, &n_linear);
  if (worst != IS_LINEAR) {
    return worst;
  }
  DaeKind kind = dae_term_kind(terms, plan->node[i]);
  if (kind == DAE_KIND_SUM || (kind == DAE_KIND_PRODUCT && n_linear == 1)) {
    return IS_LINEAR;
  }
  if (kind == DAE_KIND_IF && state[dae_plan_operands(plan, i)[0]] == IS_FREE) {
    return IS_LINEAR;
  }
  return IS_OTHER;
}

typedef struct {
  DaeTerms *terms;
  const DaePlan *plan;
  const uint8_t *state;
  DaeTerm *a;
  DaeTerm *b;
} Split;

static void
split_sum(Split *s, uint32_t i)
{
  uint32_t n = dae_plan_arity(s->plan, i);
  const uint32_t *operand = dae_plan_operands(s->plan, i);
  g_autofree DaeTerm *as = g_new(DaeTerm, n);
  g_autofree DaeTerm *bs = g_new(DaeTerm, n);
  uint32_t n_as = 0;
  for (uint32_t k = 0; k < n; k++) {
    bool is_free = s->state[operand[k]] == IS_FREE;
    bs[k] = is_free ? s->plan->node[operand[k]] : s->b[operand[k]];
    if (!is_free) {
      as[n_as++] = s->a[operand[k]];
    }
  }
  s->a[i] = dae_term_sum(s->terms, as, n_as);
  s->b[i] = dae_term_sum(s->terms, bs, n);
}

static void
split_product(Split *s, uint32_t i)
{
  uint32_t n = dae_plan_arity(s->plan, i);
  const uint32_t *operand = dae_plan_operands(s->plan, i);
  g_autofree DaeTerm *factor = g_new(DaeTerm, n);
  uint32_t linear = 0;
  for (uint32_t k = 0; k < n; k++) {
    factor[k] = s->plan->node[operand[k]];
    if (s->state[operand[k]] == IS_LINEAR) {
      linear = k;
    }
  }
  factor[linear] = s->a[operand[linear]];
  s->a[i] = dae_term_product(s->terms, factor, n);
  factor[linear] = s->b[operand[linear]];
  s->b[i] = dae_term_product(s->terms, factor, n);
}

static void
split_if(Split *s, uint32_t i)
{
  const uint32_t *operand = dae_plan_operands(s->plan, i);
  DaeTerm a[2];
  DaeTerm b[2];
  for (int k = 0; k < 2; k++) {
    bool is_free = s->state[operand[k + 1]] == IS_FREE;
    a[k] = is_free ? dae_term_int(s->terms, 0) : s->a[operand[k + 1]];
    b[k] = is_free ? s->plan->node[operand[k + 1]] : s->b[operand[k + 1]];
  }
  DaeTerm condition = s->plan->node[operand[0]];
  s->a[i] = dae_term_if(s->terms, condition, a[0], a[1]);
  s->b[i] = dae_term_if(s->terms, condition, b[0], b[1]);
}

static void
split_linear_nodes(Split *s, DaeTerm x)
{
  for (uint32_t i = 0; i < s->plan->n; i++) {
    if (s->state[i] != IS_LINEAR) {
      continue;
    }
    DaeTerm t = s->plan->node[i];
    DaeKind kind = dae_term_kind(s->terms, t);
    if (t == x) {
      s->a[i] = dae_term_int(s->terms, 1);
      s->b[i] = dae_term_int(s->terms, 0);
    } else if (kind == DAE_KIND_SUM) {
      split_sum(s, i);
    } else if (kind == DAE_KIND_PRODUCT) {
      split_product(s, i);
    } else {
      split_if(s, i);
    }
  }
}

/* ---- refutation by an image -------------------------------------------------------------- */

/* Image of one node where x has the given value; the nodes free of x have theirs already. */
static bool
image_of_dependent(DaeAlgebra *algebra, const DaePlan *plan, uint32_t i, uint64_t *image)
{
  DaeKind kind = dae_term_kind(algebra->terms, plan->node[i]);
  const uint32_t *operand = dae_plan_operands(plan, i);
  uint32_t n = dae_plan_arity(plan, i);
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    image[i] = kind == DAE_KIND_PRODUCT;
    for (uint32_t k = 0; k < n; k++) {
      uint64_t v = image[operand[k]];
      image[i] = kind == DAE_KIND_SUM ? nmod_add(image[i], v, algebra->mod)
                                      : nmod_mul(image[i], v, algebra->mod);
    }
    return true;
  }
  int64_t e = 0;
  if (kind != DAE_KIND_POWER ||
      !dae_term_get_int64(algebra->terms, plan->node[operand[1]], &e) || e == INT64_MIN ||
      (e < 0 && image[operand[0]] == 0)) {
    return false;
  }
  uint64_t base = e < 0 ? nmod_inv(image[operand[0]], algebra->mod) : image[operand[0]];
  image[i] = nmod_pow_ui(base, (ulong)ABS(e), algebra->mod);
  return true;
}

/* Images of the nodes that are free of x. Functions of other atoms stand for themselves, as
 * independent values: only for big terms, where a relation between them that makes the term
 * linear after all is not worth the search. */
static bool
image_of_free(DaeAlgebra *algebra, const DaePlan *plan, uint32_t i, uint64_t *image)
{
  switch (dae_modular_value(algebra, plan->node[i], image + i)) {
  case DAE_MOD_VALUE:
    return true;
  case DAE_MOD_IRRATIONAL:
    break;
  case DAE_MOD_UNDEFINED:
  case DAE_MOD_NONE:
    return false;
  }
  if (plan->n < LIMIT_SMALL) {
    return false;
  }
  if (dae_ring_is_leaf(algebra->terms, plan->node[i])) {
    NMOD_RED(image[i], UINT64_C(0x9e3779b97f4a7c15) * plan->node[i], algebra->mod);
    return true;
  }
  return image_of_dependent(algebra, plan, i, image);
}

/* A rational term whose second difference in x has a nonzero image is not of degree <= 1. */
static bool
is_provably_nonlinear(DaeAlgebra *algebra, const DaePlan *plan, DaeTerm x, const uint8_t *state)
{
  g_autofree uint64_t *image = g_new0(uint64_t, plan->n + 1);
  uint64_t value[3];
  uint64_t start = 0;
  if (dae_modular_value(algebra, x, &start) != DAE_MOD_VALUE) {
    return false;
  }
  for (uint32_t i = 0; i < plan->n; i++) {
    if (state[i] == IS_FREE && !image_of_free(algebra, plan, i, image)) {
      return false;
    }
  }
  for (int point = 0; point < 3; point++) {
    for (uint32_t i = 0; i < plan->n; i++) {
      if (plan->node[i] == x) {
        image[i] = nmod_add(start, (uint64_t)point, algebra->mod);
      } else if (state[i] != IS_FREE && !image_of_dependent(algebra, plan, i, image)) {
        return plan->n >= LIMIT_SMALL; /* x inside of a function, in a big term */
      }
    }
    value[point] = image[plan->root[0]];
  }
  uint64_t outer = nmod_add(value[0], value[2], algebra->mod);
  return outer != nmod_add(value[1], value[1], algebra->mod);
}

/* ---- over the fraction ------------------------------------------------------------------- */

static bool
other_kernel_contains(const DaeRing *ring, uint32_t index, DaeTerm x)
{
  for (uint32_t k = 0; k < ring->n; k++) {
    if (k != index && dae_term_contains(ring->algebra->terms, ring->kernel[k], x)) {
      return true;
    }
  }
  return false;
}

/* Kernels that contain x and have cancelled do not matter: only
 * those that occur in the value do. */
static bool
used_kernel_contains(const DaeRing *ring, const fmpz_mpoly_q_t value, uint32_t index, DaeTerm x)
{
  g_autofree int *used = g_new0(int, ring->n + 1);
  fmpz_mpoly_q_used_vars(used, value, ring->ctx);
  for (uint32_t k = 0; k < ring->n; k++) {
    if (used[k] && k != index && dae_term_contains(ring->algebra->terms, ring->kernel[k], x)) {
      return true;
    }
  }
  return false;
}

/* value = (a*x + b)/d: a is the derivative of the numerator, b its value at x = 0. */
static bool
split_linear_fraction(const DaeRing *ring, const fmpz_mpoly_q_t value, uint32_t index,
                      DaeTerm *a, DaeTerm *b)
{
  fmpz_t zero;
  fmpz_mpoly_q_t slope;
  fmpz_mpoly_q_t rest;
  fmpz_init(zero);
  fmpz_mpoly_q_init(slope, ring->ctx);
  fmpz_mpoly_q_init(rest, ring->ctx);
  fmpz_mpoly_derivative(fmpz_mpoly_q_numref(slope), fmpz_mpoly_q_numref(value), index,
                        ring->ctx);
  bool ok = fmpz_mpoly_evaluate_one_fmpz(fmpz_mpoly_q_numref(rest), fmpz_mpoly_q_numref(value),
                                         index, zero, ring->ctx) != 0;
  if (ok) {
    fmpz_mpoly_set(fmpz_mpoly_q_denref(slope), fmpz_mpoly_q_denref(value), ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_denref(rest), fmpz_mpoly_q_denref(value), ring->ctx);
    fmpz_mpoly_q_canonicalise(slope, ring->ctx);
    fmpz_mpoly_q_canonicalise(rest, ring->ctx);
    *a = dae_ring_fraction_term(ring, slope);
    *b = dae_ring_fraction_term(ring, rest);
  }
  fmpz_clear(zero);
  fmpz_mpoly_q_clear(slope, ring->ctx);
  fmpz_mpoly_q_clear(rest, ring->ctx);
  return ok;
}

static bool
linear_by_fraction(DaeAlgebra *algebra, DaeTerm t, DaeTerm x, DaeTerm *a, DaeTerm *b)
{
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, dae_algebra_rewrite(algebra, t));
  if (normal == NULL) {
    return false;
  }
  const DaeRing *ring = normal->ring;
  uint32_t index = ring->n;
  bool is_kernel = dae_ring_find(ring, x, &index);
  if (ring->n_relations == 0 && other_kernel_contains(ring, index, x)) {
    /* nothing could make those kernels cancel that the constructors have not seen */
    return false;
  }
  if (!dae_normal_convert(normal, DAE_WORK_LINEAR) ||
      used_kernel_contains(ring, normal->value, index, x)) {
    return false;
  }
  if (!is_kernel) {
    *a = dae_term_int(algebra->terms, 0);
    *b = dae_ring_fraction_term(ring, normal->value);
    return true;
  }
  return fmpz_mpoly_degree_si(fmpz_mpoly_q_numref(normal->value), index, ring->ctx) <= 1 &&
         fmpz_mpoly_degree_si(fmpz_mpoly_q_denref(normal->value), index, ring->ctx) <= 0 &&
         split_linear_fraction(ring, normal->value, index, a, b);
}

bool
dae_algebra_linear_in(DaeAlgebra *algebra, DaeTerm t, DaeTerm x, DaeTerm *a, DaeTerm *b)
{
  DAE_ASSERT(dae_term_is_atom(algebra->terms, x));
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  g_autofree uint8_t *state = g_new0(uint8_t, plan->n + 1);
  for (uint32_t i = 0; i < plan->n; i++) {
    state[i] = (uint8_t)classify_node(algebra->terms, plan, i, x, state);
  }
  uint32_t root = plan->root[0];
  if (state[root] == IS_FREE) {
    *a = dae_term_int(algebra->terms, 0);
    *b = t;
    return true;
  }
  if (state[root] == IS_OTHER) {
    gpointer key = GSIZE_TO_POINTER((gsize)t << 32 | x);
    if (g_hash_table_contains(algebra->nonlinear, key)) {
      return false;
    }
    if (!is_provably_nonlinear(algebra, plan, x, state) &&
        linear_by_fraction(algebra, t, x, a, b)) {
      return true;
    }
    if (!dae_algebra_spent(algebra)) {
      g_hash_table_add(algebra->nonlinear, key);
    }
    return false;
  }
  g_autofree DaeTerm *as = g_new0(DaeTerm, plan->n + 1);
  g_autofree DaeTerm *bs = g_new0(DaeTerm, plan->n + 1);
  Split s = {algebra->terms, plan, state, as, bs};
  split_linear_nodes(&s, x);
  *a = as[root];
  *b = bs[root];
  DAE_ASSERT(*a != DAE_NO_TERM && *b != DAE_NO_TERM);
  return true;
}
