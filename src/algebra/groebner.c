/* Buchberger's algorithm over the rationals with integer polynomials, pairs of small degree
 * first, pairs that need not be looked at dropped by the criteria of Gebauer and Moeller
 * [GebauerMoeller88; CoxLittleOShea, section 2.9]. Every element optionally carries its
 * cofactors over the inputs, so that membership comes with a certificate. Limits on pairs,
 * lengths, coefficients and on the work, counted in products of coefficients and not by the
 * clock, end the search: the worst case is doubly exponential. */
#include "algebra/groebner.h"

#define LIMIT_BASIS 120
#define LIMIT_PAIRS 1500
#define LIMIT_LENGTH 4000
#define LIMIT_BITS 20000
/* one division of x^10000 by x^5000 + 2 takes as many steps, each with longer numbers */
#define LIMIT_DEGREE 400
/* a second or two; what the tests and the random models prove takes below a tenth of it */
#define LIMIT_WORK 2e7

#define WORK_OF_A_STEP 200.0 /* products done while the budget counts one */

typedef struct {
  fmpz_mpoly_struct p;
  fmpz_mpoly_struct *cofactor; /* n_inputs entries, or NULL */
  ulong *lead;        /* exponents of the leading monomial; NULL before it is in the basis */
  bool is_superseded; /* a later leading monomial divides it: no new pairs */
} Element;

typedef struct {
  uint32_t a;
  uint32_t b;
  slong degree; /* of the least common multiple of the leading monomials */
  bool coprime;
} Pair;

struct DaeIdeal {
  DaeAlgebra *algebra;
  fmpz_mpoly_ctx_t ctx;
  uint32_t n_variables;
  uint32_t n_inputs; /* capacity */
  uint32_t n_given;
  bool track;
  bool failed;      /* a limit was hit: the basis is not complete */
  bool is_fruitful; /* it gave a proof */
  bool is_high;     /* degrees beyond the limit: nothing is tried */
  uint32_t n_pairs_done;
  double allowance; /* of work */
  double work;      /* products of coefficients so far, long ones counted by their words */
  GArray *elements; /* Element */
  GArray *pairs;    /* Pair */
};

/* ---- elements ---------------------------------------------------------------------------- */

static void
element_init(const DaeIdeal *ideal, Element *e)
{
  fmpz_mpoly_init(&e->p, ideal->ctx);
  e->cofactor = NULL;
  e->lead = NULL;
  e->is_superseded = false;
  if (ideal->track) {
    e->cofactor = g_new(fmpz_mpoly_struct, ideal->n_inputs + 1);
    for (uint32_t i = 0; i < ideal->n_inputs; i++) {
      fmpz_mpoly_init(e->cofactor + i, ideal->ctx);
    }
  }
}

static void
element_clear(const DaeIdeal *ideal, Element *e)
{
  fmpz_mpoly_clear(&e->p, ideal->ctx);
  for (uint32_t i = 0; i < ideal->n_inputs && e->cofactor != NULL; i++) {
    fmpz_mpoly_clear(e->cofactor + i, ideal->ctx);
  }
  g_free(e->cofactor);
  g_free(e->lead);
}

static void
content_with(fmpz_t content, const fmpz_mpoly_t p)
{
  for (slong i = 0; i < p->length && !fmpz_is_one(content); i++) {
    fmpz_gcd(content, content, p->coeffs + i);
  }
}

/* Divides the polynomial and its cofactors by the integer they all have in common. */
static void
element_make_primitive(const DaeIdeal *ideal, Element *e)
{
  fmpz_t content;
  fmpz_init(content);
  content_with(content, &e->p);
  for (uint32_t i = 0; i < ideal->n_inputs && ideal->track; i++) {
    content_with(content, e->cofactor + i);
  }
  if (!fmpz_is_zero(content) && !fmpz_is_one(content)) {
    fmpz_mpoly_scalar_divexact_fmpz(&e->p, &e->p, content, ideal->ctx);
    for (uint32_t i = 0; i < ideal->n_inputs && ideal->track; i++) {
      fmpz_mpoly_scalar_divexact_fmpz(e->cofactor + i, e->cofactor + i, content, ideal->ctx);
    }
  }
  fmpz_clear(content);
}

static bool
element_is_small(const DaeIdeal *ideal, const Element *e)
{
  bool small = e->p.length <= LIMIT_LENGTH && ABS(fmpz_mpoly_max_bits(&e->p)) <= LIMIT_BITS;
  for (uint32_t i = 0; i < ideal->n_inputs && ideal->track && small; i++) {
    small = e->cofactor[i].length <= LIMIT_LENGTH;
  }
  return small;
}

/* What a division into q, r has cost: each of its steps looks for a divisor among n leading
 * monomials, and multiplies everything at hand by what makes the quotient an integer, so that
 * the numbers on the way are as long as those at the end. */
static double
work_of_division(const fmpz_mpoly_struct *q, fmpz_mpoly_struct *const *g, uint32_t n,
                 const fmpz_mpoly_t r, const fmpz_t scale)
{
  double words = 1 + (double)(fmpz_bits(scale) + (ulong)ABS(fmpz_mpoly_max_bits(r))) / 64;
  double steps = (double)r->length;
  double products = 0;
  for (uint32_t k = 0; k < n; k++) {
    steps += (double)q[k].length;
    products += (double)q[k].length * (double)g[k]->length;
  }
  return steps * n / 8 + (steps + products) * words;
}

/* Products of coefficients in p*q. */
static double
work_of_product(const fmpz_mpoly_t p, const fmpz_mpoly_t q)
{
  double words = 1 + (double)(ABS(fmpz_mpoly_max_bits(p)) + ABS(fmpz_mpoly_max_bits(q))) / 64;
  return (double)p->length * (double)q->length * words;
}

/* ---- reduction --------------------------------------------------------------------------- */

/* e := remainder of e by the basis. scale * e = sum q_k g_k + r, and the cofactors follow. */
static void
reduce_element(DaeIdeal *ideal, Element *e, fmpz_t scale)
{
  uint32_t n = ideal->elements->len;
  g_autofree fmpz_mpoly_struct *q = g_new(fmpz_mpoly_struct, n + 1);
  g_autofree fmpz_mpoly_struct **q_ref = g_new(fmpz_mpoly_struct *, n + 1);
  g_autofree fmpz_mpoly_struct **g_ref = g_new(fmpz_mpoly_struct *, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    fmpz_mpoly_init(q + k, ideal->ctx);
    q_ref[k] = q + k;
    g_ref[k] = &g_array_index(ideal->elements, Element, k).p;
  }
  fmpz_mpoly_t r;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(r, ideal->ctx);
  fmpz_mpoly_init(product, ideal->ctx);
  fmpz_one(scale);
  if (n > 0) {
    fmpz_mpoly_quasidivrem_ideal(scale, q_ref, r, &e->p, g_ref, (slong)n, ideal->ctx);
    fmpz_mpoly_swap(&e->p, r, ideal->ctx);
    ideal->work += work_of_division(q, g_ref, n, &e->p, scale);
  }
  for (uint32_t i = 0; i < ideal->n_inputs && ideal->track; i++) {
    fmpz_mpoly_scalar_mul_fmpz(e->cofactor + i, e->cofactor + i, scale, ideal->ctx);
    for (uint32_t k = 0; k < n; k++) {
      const Element *g = &g_array_index(ideal->elements, Element, k);
      if (q[k].length > 0 && g->cofactor[i].length > 0) {
        ideal->work += work_of_product(q + k, g->cofactor + i);
        fmpz_mpoly_mul(product, q + k, g->cofactor + i, ideal->ctx);
        fmpz_mpoly_sub(e->cofactor + i, e->cofactor + i, product, ideal->ctx);
      }
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    fmpz_mpoly_clear(q + k, ideal->ctx);
  }
  fmpz_mpoly_clear(r, ideal->ctx);
  fmpz_mpoly_clear(product, ideal->ctx);
}

/* ---- pairs ------------------------------------------------------------------------------- */

static const ulong *
lead_of(const DaeIdeal *ideal, uint32_t k)
{
  return g_array_index(ideal->elements, Element, k).lead;
}

static Pair
make_pair(const DaeIdeal *ideal, uint32_t a, uint32_t b)
{
  Pair pair = {.a = a, .b = b, .coprime = true};
  const ulong *x = lead_of(ideal, a);
  const ulong *y = lead_of(ideal, b);
  for (uint32_t k = 0; k < ideal->n_variables; k++) {
    pair.degree += (slong)MAX(x[k], y[k]);
    pair.coprime = pair.coprime && (x[k] == 0 || y[k] == 0);
  }
  return pair;
}

/* Does the least common multiple of p divide that of q? */
static bool
lcm_divides(const DaeIdeal *ideal, const Pair *p, const Pair *q)
{
  const ulong *pa = lead_of(ideal, p->a);
  const ulong *pb = lead_of(ideal, p->b);
  const ulong *qa = lead_of(ideal, q->a);
  const ulong *qb = lead_of(ideal, q->b);
  bool divides = p->degree <= q->degree;
  for (uint32_t k = 0; k < ideal->n_variables && divides; k++) {
    divides = MAX(pa[k], pb[k]) <= MAX(qa[k], qb[k]);
  }
  return divides;
}

static bool
lcm_is_equal(const DaeIdeal *ideal, const Pair *p, const Pair *q)
{
  return p->degree == q->degree && lcm_divides(ideal, p, q);
}

static bool
monomial_divides(const DaeIdeal *ideal, const ulong *x, const ulong *y)
{
  bool divides = true;
  for (uint32_t k = 0; k < ideal->n_variables && divides; k++) {
    divides = x[k] <= y[k];
  }
  return divides;
}

/* [GebauerMoeller88], criterion B: (a, b) follows from (a, last) and (b, last). */
static void
drop_old_pairs(DaeIdeal *ideal, uint32_t last)
{
  guint kept = 0;
  for (guint i = 0; i < ideal->pairs->len; i++) {
    Pair old = g_array_index(ideal->pairs, Pair, i);
    Pair with_a = make_pair(ideal, old.a, last);
    Pair with_b = make_pair(ideal, old.b, last);
    bool follows = lcm_divides(ideal, &with_a, &old) && lcm_divides(ideal, &with_b, &old) &&
                   with_a.degree < old.degree && with_b.degree < old.degree;
    if (!follows) {
      g_array_index(ideal->pairs, Pair, kept++) = old;
    }
  }
  g_array_set_size(ideal->pairs, kept);
}

/* Criteria M and F: another new pair has a smaller least common multiple, or the same
 * and comes first or is coprime. */
static bool
new_pair_is_needed(const DaeIdeal *ideal, const GArray *fresh, guint i)
{
  const Pair *pair = &g_array_index(fresh, Pair, i);
  bool needed = !pair->coprime;
  for (guint j = 0; j < fresh->len && needed; j++) {
    const Pair *other = &g_array_index(fresh, Pair, j);
    if (j != i && lcm_divides(ideal, other, pair)) {
      needed = lcm_is_equal(ideal, other, pair) && j > i && !other->coprime;
    }
  }
  return needed;
}

static bool
degree_is_high(const DaeIdeal *ideal, const fmpz_mpoly_t p)
{
  return !fmpz_mpoly_total_degree_fits_si(p, ideal->ctx) ||
         fmpz_mpoly_total_degree_si(p, ideal->ctx) > LIMIT_DEGREE;
}

static void
add_element(DaeIdeal *ideal, Element *e)
{
  ideal->is_high = ideal->is_high || degree_is_high(ideal, &e->p);
  element_make_primitive(ideal, e);
  e->lead = g_new0(ulong, ideal->n_variables + 1);
  fmpz_mpoly_get_term_exp_ui(e->lead, &e->p, 0, ideal->ctx);
  g_array_append_val(ideal->elements, *e);
  uint32_t last = ideal->elements->len - 1;
  drop_old_pairs(ideal, last);
  g_autoptr(GArray) fresh = g_array_new(FALSE, FALSE, sizeof(Pair));
  for (uint32_t k = 0; k < last; k++) {
    Element *old = &g_array_index(ideal->elements, Element, k);
    if (!old->is_superseded) {
      Pair pair = make_pair(ideal, k, last);
      g_array_append_val(fresh, pair);
      old->is_superseded = monomial_divides(ideal, e->lead, old->lead);
    }
  }
  for (guint i = 0; i < fresh->len; i++) {
    if (new_pair_is_needed(ideal, fresh, i)) {
      g_array_append_val(ideal->pairs, g_array_index(fresh, Pair, i));
    }
  }
}

static Pair
take_pair(DaeIdeal *ideal)
{
  guint best = 0;
  for (guint i = 1; i < ideal->pairs->len; i++) {
    if (g_array_index(ideal->pairs, Pair, i).degree <
        g_array_index(ideal->pairs, Pair, best).degree) {
      best = i;
    }
  }
  Pair pair = g_array_index(ideal->pairs, Pair, best);
  g_array_remove_index(ideal->pairs, best);
  return pair;
}

/* The multiplier of element a in the S-polynomial of (a, b): lcm/lm(a)
 * with the coefficient lc(b)/gcd. */
static void
s_multiplier(const DaeIdeal *ideal, uint32_t a, uint32_t b, fmpz_mpoly_t out)
{
  uint32_t n = ideal->n_variables;
  const fmpz_mpoly_struct *p = &g_array_index(ideal->elements, Element, a).p;
  const fmpz_mpoly_struct *q = &g_array_index(ideal->elements, Element, b).p;
  const ulong *x = lead_of(ideal, a);
  const ulong *y = lead_of(ideal, b);
  g_autofree ulong *factor = g_new(ulong, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    factor[k] = MAX(x[k], y[k]) - x[k];
  }
  fmpz_t c;
  fmpz_init(c);
  fmpz_gcd(c, p->coeffs, q->coeffs);
  fmpz_divexact(c, q->coeffs, c);
  fmpz_mpoly_zero(out, ideal->ctx);
  fmpz_mpoly_push_term_fmpz_ui(out, c, factor, ideal->ctx);
  fmpz_clear(c);
}

static void
s_polynomial(const DaeIdeal *ideal, Pair pair, Element *s)
{
  const Element *a = &g_array_index(ideal->elements, Element, pair.a);
  const Element *b = &g_array_index(ideal->elements, Element, pair.b);
  fmpz_mpoly_t ma;
  fmpz_mpoly_t mb;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(ma, ideal->ctx);
  fmpz_mpoly_init(mb, ideal->ctx);
  fmpz_mpoly_init(product, ideal->ctx);
  s_multiplier(ideal, pair.a, pair.b, ma);
  s_multiplier(ideal, pair.b, pair.a, mb);
  fmpz_mpoly_mul(&s->p, &a->p, ma, ideal->ctx);
  fmpz_mpoly_mul(product, &b->p, mb, ideal->ctx);
  fmpz_mpoly_sub(&s->p, &s->p, product, ideal->ctx);
  for (uint32_t i = 0; i < ideal->n_inputs && ideal->track; i++) {
    fmpz_mpoly_mul(s->cofactor + i, a->cofactor + i, ma, ideal->ctx);
    fmpz_mpoly_mul(product, b->cofactor + i, mb, ideal->ctx);
    fmpz_mpoly_sub(s->cofactor + i, s->cofactor + i, product, ideal->ctx);
  }
  fmpz_mpoly_clear(ma, ideal->ctx);
  fmpz_mpoly_clear(mb, ideal->ctx);
  fmpz_mpoly_clear(product, ideal->ctx);
}

/* One pair. True: the basis grew. */
static bool
process_pair(DaeIdeal *ideal)
{
  Pair pair = take_pair(ideal);
  Element s;
  element_init(ideal, &s);
  s_polynomial(ideal, pair, &s);
  fmpz_t scale;
  fmpz_init(scale);
  bool grew = false;
  if (!element_is_small(ideal, &s)) {
    ideal->failed = true;
  } else {
    reduce_element(ideal, &s, scale);
    grew = s.p.length > 0;
  }
  if (grew && !element_is_small(ideal, &s)) {
    ideal->failed = true;
    grew = false;
  }
  fmpz_clear(scale);
  if (grew) {
    add_element(ideal, &s);
  } else {
    element_clear(ideal, &s);
  }
  return grew;
}

/* ---- the ideal --------------------------------------------------------------------------- */

DaeIdeal *
dae_ideal_new(DaeAlgebra *algebra, uint32_t n_variables, uint32_t n_inputs, bool track)
{
  DaeIdeal *ideal = g_new0(DaeIdeal, 1);
  ideal->algebra = algebra;
  ideal->n_variables = MAX(1, n_variables);
  ideal->n_inputs = n_inputs;
  ideal->track = track;
  double ends = 1 + algebra->futile / LIMIT_WORK;
  ideal->allowance = LIMIT_WORK / (ends * ends * ends);
  ideal->elements = g_array_new(FALSE, FALSE, sizeof(Element));
  ideal->pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
  fmpz_mpoly_ctx_init(ideal->ctx, (slong)ideal->n_variables, ORD_DEGREVLEX);
  return ideal;
}

void
dae_ideal_free(DaeIdeal *ideal)
{
  if (ideal == NULL) {
    return;
  }
  for (guint i = 0; i < ideal->elements->len; i++) {
    element_clear(ideal, &g_array_index(ideal->elements, Element, i));
  }
  ideal->algebra->futile += ideal->is_fruitful ? 0 : ideal->work;
  dae_budget_charge(ideal->algebra->budget, ideal->work / WORK_OF_A_STEP);
  g_array_unref(ideal->elements);
  g_array_unref(ideal->pairs);
  fmpz_mpoly_ctx_clear(ideal->ctx);
  g_free(ideal);
}

fmpz_mpoly_ctx_struct *
dae_ideal_ctx(DaeIdeal *ideal)
{
  return ideal->ctx;
}

static void
copy_between(fmpz_mpoly_t out, const fmpz_mpoly_ctx_t to, const fmpz_mpoly_t p,
             const fmpz_mpoly_ctx_t from)
{
  size_t n = (size_t)MAX(fmpz_mpoly_ctx_nvars(to), fmpz_mpoly_ctx_nvars(from));
  g_autofree ulong *exponent = g_new0(ulong, n + 1);
  fmpz_mpoly_zero(out, to);
  for (slong i = 0; i < fmpz_mpoly_length(p, from); i++) {
    fmpz_mpoly_get_term_exp_ui(exponent, p, i, from);
    fmpz_mpoly_push_term_fmpz_ui(out, p->coeffs + i, exponent, to);
  }
  fmpz_mpoly_sort_terms(out, to);
}

void
dae_ideal_import(const DaeIdeal *ideal, fmpz_mpoly_t out, const fmpz_mpoly_t p,
                 const fmpz_mpoly_ctx_t from)
{
  copy_between(out, ideal->ctx, p, from);
}

void
dae_ideal_export(const DaeIdeal *ideal, fmpz_mpoly_t out, const fmpz_mpoly_t p,
                 const fmpz_mpoly_ctx_t to)
{
  copy_between(out, to, p, ideal->ctx);
}

void
dae_ideal_add_input(DaeIdeal *ideal, const fmpz_mpoly_t p)
{
  DAE_ASSERT(ideal->n_given < ideal->n_inputs);
  uint32_t input = ideal->n_given++;
  if (fmpz_mpoly_is_zero(p, ideal->ctx)) {
    return;
  }
  Element e;
  element_init(ideal, &e);
  fmpz_mpoly_set(&e.p, p, ideal->ctx);
  if (ideal->track) {
    fmpz_mpoly_one(e.cofactor + input, ideal->ctx);
  }
  add_element(ideal, &e);
}

/* target reduced to 0: its cofactors are minus those collected on the way. */
static bool
target_is_reduced(DaeIdeal *ideal, const fmpz_mpoly_t target, fmpz_t scale,
                  fmpz_mpoly_struct *cofactor)
{
  Element e;
  element_init(ideal, &e);
  fmpz_mpoly_set(&e.p, target, ideal->ctx);
  reduce_element(ideal, &e, scale);
  bool is_member = e.p.length == 0;
  for (uint32_t i = 0; i < ideal->n_inputs && is_member && cofactor != NULL && ideal->track;
       i++) {
    fmpz_mpoly_neg(cofactor + i, e.cofactor + i, ideal->ctx);
  }
  element_clear(ideal, &e);
  return is_member;
}

DaeMember
dae_ideal_contains(DaeIdeal *ideal, const fmpz_mpoly_t target, fmpz_t scale,
                   fmpz_mpoly_struct *cofactor)
{
  bool grew = true;
  for (;;) {
    if (ideal->is_high || degree_is_high(ideal, target)) {
      return DAE_MEMBER_UNKNOWN;
    }
    if (grew && target_is_reduced(ideal, target, scale, cofactor)) {
      ideal->is_fruitful = true;
      return DAE_MEMBER;
    }
    if (dae_algebra_spent(ideal->algebra) || ideal->elements->len > LIMIT_BASIS ||
        ideal->n_pairs_done > LIMIT_PAIRS || ideal->work > ideal->allowance) {
      return DAE_MEMBER_UNKNOWN;
    }
    if (ideal->pairs->len == 0) {
      return ideal->failed ? DAE_MEMBER_UNKNOWN : DAE_NOT_MEMBER;
    }
    ideal->n_pairs_done++;
    grew = process_pair(ideal);
  }
}
