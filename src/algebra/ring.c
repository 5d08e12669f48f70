/* Polynomial rings over kernels, and reduction by the algebraic relations of the kernels. */
#include "algebra/algebra-priv.h"

#define KERNEL_WORK 200.0 /* of making a ring, per kernel */
#define LIMIT_ROOT 1000   /* q of a kernel x^(1/q) */

/* Integer powers are arithmetic, unless they are so high that expanding
 * them is out of the question. */
static bool
is_small_integer_power(DaeTerms *terms, DaeTerm t)
{
  int64_t n = 0;
  return dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &n) &&
         n >= -DAE_LIMIT_EXPONENT && n <= DAE_LIMIT_EXPONENT;
}

bool
dae_ring_is_leaf(DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    return false;
  }
  return kind != DAE_KIND_POWER || !is_small_integer_power(terms, t);
}

DaeTerm
dae_ring_kernel_of(DaeTerms *terms, DaeTerm leaf, int64_t *power)
{
  *power = 1;
  if (dae_term_kind(terms, leaf) != DAE_KIND_POWER) {
    return leaf;
  }
  int64_t p = 0;
  int64_t q = 0;
  if (!dae_number_is_small(terms, dae_term_operand(terms, leaf, 1), DAE_LIMIT_EXPONENT, &p,
                           &q) ||
      q == 1 || q > LIMIT_ROOT) {
    return leaf;
  }
  *power = p;
  return dae_term_pow(terms, dae_term_operand(terms, leaf, 0), dae_term_ratio(terms, 1, q));
}

/* kernel^degree = relation, if the kernel is algebraic over others; 0: it is free. */
static uint32_t
relation_of_kernel(DaeTerms *terms, DaeTerm kernel, DaeTerm *relation)
{
  DaeKind kind = dae_term_kind(terms, kernel);
  if (kind == DAE_KIND_POWER) {
    int64_t p = 0;
    int64_t q = 0;
    if (dae_number_is_small(terms, dae_term_operand(terms, kernel, 1), LIMIT_ROOT, &p, &q) &&
        p == 1) {
      *relation = dae_term_operand(terms, kernel, 0);
      return (uint32_t)q;
    }
    return 0;
  }
  if (kind != DAE_KIND_CALL) {
    return 0;
  }
  DaeFunction f = dae_term_function(terms, kernel);
  DaeTerm x = f == DAE_FN_PI ? DAE_NO_TERM : dae_term_operand(terms, kernel, 0);
  if (f == DAE_FN_ABS) {
    *relation = dae_term_pow_int(terms, x, 2);
    return 2;
  }
  if (f == DAE_FN_COS) {
    DaeTerm sine = dae_term_call1(terms, DAE_FN_SIN, x);
    *relation = dae_term_sub(terms, dae_term_int(terms, 1), dae_term_pow_int(terms, sine, 2));
    return 2;
  }
  if (f == DAE_FN_SIGN) {
    *relation = kernel;
    return 3;
  }
  return 0;
}

/* ---- collecting kernels ------------------------------------------------------------------ */

typedef struct {
  DaeTerm term;
  DaeTerm relation;
  uint32_t degree;
  uint32_t depth;
} Kernel;

typedef struct {
  DaeAlgebra *algebra;
  GArray *kernels;   /* Kernel */
  GHashTable *index; /* DaeTerm -> position + 1 */
} Collection;

static void
collect_kernels_of(Collection *c, const DaeTerm *roots, size_t n)
{
  DaeTerms *terms = c->algebra->terms;
  g_autoptr(DaePlan) plan = dae_plan_new(c->algebra, roots, n, dae_ring_is_leaf);
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm t = plan->node[i];
    if (!dae_ring_is_leaf(terms, t) || dae_term_is_number(terms, t)) {
      continue;
    }
    /* The exponent of an integer power is a NUMBER, so every other leaf is a kernel. */
    int64_t power = 0;
    Kernel kernel = {.term = dae_ring_kernel_of(terms, t, &power)};
    if (dae_term_is_number(terms, kernel.term) ||
        g_hash_table_contains(c->index, GUINT_TO_POINTER(kernel.term))) {
      continue;
    }
    kernel.degree = relation_of_kernel(terms, kernel.term, &kernel.relation);
    g_array_append_val(c->kernels, kernel);
    g_hash_table_insert(c->index, GUINT_TO_POINTER(kernel.term),
                        GUINT_TO_POINTER(c->kernels->len));
  }
}

/* Depth of a relation: one more than the deepest kernel it mentions. */
static uint32_t
depth_below(Collection *c, const Kernel *kernel)
{
  g_autoptr(DaePlan) plan = dae_plan_new(c->algebra, &kernel->relation, 1, dae_ring_is_leaf);
  uint32_t depth = 0;
  for (uint32_t i = 0; i < plan->n; i++) {
    int64_t power = 0;
    DaeTerm t = plan->node[i];
    if (!dae_ring_is_leaf(c->algebra->terms, t)) {
      continue;
    }
    DaeTerm other = dae_ring_kernel_of(c->algebra->terms, t, &power);
    uint32_t position =
        GPOINTER_TO_UINT(g_hash_table_lookup(c->index, GUINT_TO_POINTER(other)));
    if (position != 0 && other != kernel->term) {
      depth = MAX(depth, g_array_index(c->kernels, Kernel, position - 1).depth);
    }
  }
  return depth + 1;
}

/* Relations mention strict subterms, or the sine for a cosine, and what they mention was
 * mostly found after them: going backwards, the depths settle after few rounds, at most as
 * many as the deepest nesting. */
static void
settle_depths(Collection *c)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (guint i = c->kernels->len; i-- > 0;) {
      Kernel *kernel = &g_array_index(c->kernels, Kernel, i);
      uint32_t depth = kernel->degree == 0 ? 0 : depth_below(c, kernel);
      changed = changed || depth != kernel->depth;
      kernel->depth = depth;
    }
  }
}

static gint
compare_kernels(gconstpointer a, gconstpointer b, gpointer user)
{
  const Kernel *x = a;
  const Kernel *y = b;
  if (x->depth != y->depth) {
    return x->depth > y->depth ? -1 : 1;
  }
  return dae_term_compare(user, x->term, y->term);
}

static bool
collect_all(Collection *c, const DaeTerm *roots, size_t n)
{
  collect_kernels_of(c, roots, n);
  for (guint i = 0; i < c->kernels->len; i++) {
    if (c->kernels->len > DAE_LIMIT_KERNELS || dae_algebra_spent(c->algebra)) {
      return false;
    }
    DaeTerm relation = g_array_index(c->kernels, Kernel, i).relation;
    if (relation != DAE_NO_TERM) {
      collect_kernels_of(c, &relation, 1);
    }
  }
  if (!dae_work_spend(c->algebra, KERNEL_WORK * c->kernels->len)) {
    return false;
  }
  settle_depths(c);
  g_array_sort_with_data(c->kernels, compare_kernels, c->algebra->terms);
  return true;
}

/* ---- the ring ------------------------------------------------------------------------------- */

/* From the lowest relation up, so that each right-hand side is reduced by those
 * below it. A right-hand side with a denominator gives no monic relation: the kernel
 * then stays free, which is sound. */
static void
add_relations(DaeRing *ring, const GArray *kernels)
{
  for (uint32_t k = ring->n; k-- > 0;) {
    const Kernel *kernel = &g_array_index(kernels, Kernel, k);
    if (kernel->degree < 2) {
      continue;
    }
    fmpz_mpoly_q_t value;
    fmpz_mpoly_q_init(value, ring->ctx);
    if (dae_ring_convert(ring, &kernel->relation, 1, value) &&
        fmpz_mpoly_is_one(fmpz_mpoly_q_denref(value), ring->ctx)) {
      uint32_t r = ring->n_relations++;
      ring->relation_kernel[r] = k;
      ring->relation_degree[r] = kernel->degree;
      fmpz_mpoly_init(ring->relation_value + r, ring->ctx);
      fmpz_mpoly_swap(ring->relation_value + r, fmpz_mpoly_q_numref(value), ring->ctx);
    }
    fmpz_mpoly_q_clear(value, ring->ctx);
  }
}

DaeRing *
dae_ring_new(DaeAlgebra *algebra, const DaeTerm *roots, size_t n)
{
  g_autoptr(GArray) kernels = g_array_new(FALSE, FALSE, sizeof(Kernel));
  g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL);
  Collection c = {algebra, kernels, index};
  if (!collect_all(&c, roots, n)) {
    return NULL;
  }
  DaeRing *ring = g_new0(DaeRing, 1);
  ring->algebra = algebra;
  ring->n = kernels->len;
  ring->kernel = g_new(DaeTerm, ring->n + 1);
  ring->index = g_hash_table_new(NULL, NULL);
  for (uint32_t k = 0; k < ring->n; k++) {
    ring->kernel[k] = g_array_index(kernels, Kernel, k).term;
    g_hash_table_insert(ring->index, GUINT_TO_POINTER(ring->kernel[k]),
                        GUINT_TO_POINTER(k + 1));
  }
  fmpz_mpoly_ctx_init(ring->ctx, MAX(1, (slong)ring->n), ORD_LEX);
  ring->relation_kernel = g_new(uint32_t, ring->n + 1);
  ring->relation_degree = g_new(uint32_t, ring->n + 1);
  ring->relation_value = g_new(fmpz_mpoly_struct, ring->n + 1);
  add_relations(ring, kernels);
  return ring;
}

void
dae_ring_free(DaeRing *ring)
{
  if (ring == NULL) {
    return;
  }
  for (uint32_t r = 0; r < ring->n_relations; r++) {
    fmpz_mpoly_clear(ring->relation_value + r, ring->ctx);
  }
  g_free(ring->relation_kernel);
  g_free(ring->relation_degree);
  g_free(ring->relation_value);
  fmpz_mpoly_ctx_clear(ring->ctx);
  g_hash_table_unref(ring->index);
  g_free(ring->kernel);
  g_free(ring);
}

bool
dae_ring_find(const DaeRing *ring, DaeTerm kernel, uint32_t *index)
{
  uint32_t position =
      GPOINTER_TO_UINT(g_hash_table_lookup(ring->index, GUINT_TO_POINTER(kernel)));
  *index = position - 1;
  return position != 0;
}

bool
dae_ring_has_only_atoms(const DaeRing *ring)
{
  for (uint32_t k = 0; k < ring->n; k++) {
    if (!dae_term_is_atom(ring->algebra->terms, ring->kernel[k])) {
      return false;
    }
  }
  return true;
}

/* ---- reduction --------------------------------------------------------------------------- */

#define LIMIT_WORDS 1.6e7 /* of all exponents of a polynomial: 128 MB */

/* Terms of p times value^e, an upper bound. */
static double
length_of_product(const fmpz_mpoly_t p, const fmpz_mpoly_t value, slong e)
{
  double length = (double)p->length;
  for (slong i = 0; i < e && value->length > 1 && length <= DAE_LIMIT_TERMS; i++) {
    length *= (double)value->length;
  }
  return length;
}

static bool
is_short(const DaeRing *ring, const fmpz_mpoly_t p, double length)
{
  double words = (double)p->bits * (double)ring->n / 64;
  return length <= DAE_LIMIT_TERMS && length * words <= LIMIT_WORDS;
}

/* p with kernel^degree replaced by value, as often as possible: sum of c_e *
 * value^(e div d) * kernel^(e mod d). */
static bool
reduce_by_relation(const DaeRing *ring, fmpz_mpoly_t p, uint32_t r)
{
  slong k = ring->relation_kernel[r];
  slong degree = ring->relation_degree[r];
  const fmpz_mpoly_struct *value = ring->relation_value + r;
  fmpz_mpoly_univar_t u;
  fmpz_mpoly_univar_init(u, ring->ctx);
  fmpz_mpoly_to_univar(u, p, k, ring->ctx);
  fmpz_mpoly_t part;
  fmpz_mpoly_t power;
  fmpz_mpoly_init(part, ring->ctx);
  fmpz_mpoly_init(power, ring->ctx);
  fmpz_mpoly_zero(p, ring->ctx);
  bool ok = true;
  for (slong i = 0; i < fmpz_mpoly_univar_length(u, ring->ctx) && ok; i++) {
    slong e = fmpz_mpoly_univar_get_term_exp_si(u, i, ring->ctx);
    fmpz_mpoly_univar_get_term_coeff(part, u, i, ring->ctx);
    double length = length_of_product(part, value, e / degree);
    ok = is_short(ring, part, length) && is_short(ring, p, (double)p->length + length);
    if (ok) {
      fmpz_mpoly_pow_ui(power, value, (ulong)(e / degree), ring->ctx);
      fmpz_mpoly_mul(part, part, power, ring->ctx);
      fmpz_mpoly_gen(power, k, ring->ctx);
      fmpz_mpoly_pow_ui(power, power, (ulong)(e % degree), ring->ctx);
      fmpz_mpoly_mul(part, part, power, ring->ctx);
      fmpz_mpoly_add(p, p, part, ring->ctx);
    }
  }
  fmpz_mpoly_clear(part, ring->ctx);
  fmpz_mpoly_clear(power, ring->ctx);
  fmpz_mpoly_univar_clear(u, ring->ctx);
  return ok;
}

/* A sign kernel has the relation s^3 = s, whose right-hand side is the kernel
 * itself: repeat until stable. */
bool
dae_ring_reduce(const DaeRing *ring, fmpz_mpoly_t p)
{
  bool ok = true;
  for (uint32_t r = ring->n_relations; r-- > 0 && ok;) {
    while (ok && fmpz_mpoly_degree_si(p, ring->relation_kernel[r], ring->ctx) >=
                     ring->relation_degree[r]) {
      ok = reduce_by_relation(ring, p, r);
    }
  }
  return ok;
}

static bool
is_reduced(const DaeRing *ring, const fmpz_mpoly_t p)
{
  bool is_low = true;
  for (uint32_t r = 0; r < ring->n_relations && is_low; r++) {
    is_low =
        fmpz_mpoly_degree_si(p, ring->relation_kernel[r], ring->ctx) < ring->relation_degree[r];
  }
  return is_low;
}

bool
dae_ring_reduce_fraction(const DaeRing *ring, fmpz_mpoly_q_t f)
{
  if (is_reduced(ring, fmpz_mpoly_q_numref(f)) && is_reduced(ring, fmpz_mpoly_q_denref(f))) {
    return true; /* nothing to cancel that was not before */
  }
  slong before = fmpz_mpoly_length(fmpz_mpoly_q_denref(f), ring->ctx);
  if (!dae_ring_reduce(ring, fmpz_mpoly_q_numref(f)) ||
      !dae_ring_reduce(ring, fmpz_mpoly_q_denref(f))) {
    fmpz_mpoly_q_zero(f, ring->ctx);
    return false;
  }
  if (before > 0 && !fmpz_mpoly_is_zero(fmpz_mpoly_q_denref(f), ring->ctx)) {
    fmpz_mpoly_q_canonicalise(f, ring->ctx);
  }
  return true;
}
