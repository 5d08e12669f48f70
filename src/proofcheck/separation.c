/* Is a number that is made of rationals by arithmetic, roots and sines, cosines, tangents of
 * rational multiples of pi zero? Such a number that is not zero keeps away from it: with
 * bounds u and l of the conjugates of numerator and denominator (algebraic integers) and
 * the degree D of a field that contains it, |x| >= 1/(u^(D-1)*l) [BurnikelEtAl09]. 2*cos of
 * an angle is an algebraic integer whose conjugates are at most 2. A ball below that bound
 * proves 0. */
#include <math.h>
#include <string.h>

#include "proofcheck/separation.h"

#define MOST_BITS 60000.0
#define MOST_ORDER 20000 /* of the roots of unity */
#define MOST_DENOMINATOR 1000

typedef struct {
  double u, l; /* base 2 logarithms, rounded up, not negative */
} Bound;

typedef struct {
  DaeTerms *terms;
  GHashTable *bound; /* atom -> term */
  DaeCertifier *signs;
  GHashTable *memo; /* term -> Bound, NULL: of another kind */
  double degree;    /* product of the degrees of the roots */
  uint64_t order;   /* of the roots of unity: all angles are multiples of 2*pi/order */
} Separation;

static double
up(double x)
{
  return fmax(x + 1e-9 * fabs(x) + 1e-9, 0.0);
}

static double
log_of_sum(double a, double b)
{
  double large = fmax(a, b);
  return large + log2(1.0 + exp2(fmin(a, b) - large));
}

static Bound *
bound_new(double u, double l)
{
  Bound *bound = g_new(Bound, 1);
  *bound = (Bound){up(u), up(l)};
  return bound;
}

static DaeTerm
meaning(const Separation *s, DaeTerm t)
{
  for (;;) {
    gpointer value = g_hash_table_lookup(s->bound, GUINT_TO_POINTER(t));
    if (value == NULL) {
      return t;
    }
    t = GPOINTER_TO_UINT(value);
  }
}

static const Bound *
bound_of(const Separation *s, DaeTerm t)
{
  return g_hash_table_lookup(s->memo, GUINT_TO_POINTER(meaning(s, t)));
}

/* ---- numbers and angles ------------------------------------------------------------------ */

/* t = p/q with a small denominator. */
static bool
small_ratio(const Separation *s, DaeTerm t, int64_t *p, int64_t *q)
{
  for (*q = 1; *q <= MOST_DENOMINATOR; ++*q) {
    double scaled = dae_term_get_double(s->terms, t) * (double)*q;
    if (fabs(scaled - round(scaled)) < 1e-6 &&
        dae_term_get_int64(s->terms, dae_term_mul(s->terms, t, dae_term_int(s->terms, *q)),
                           p)) {
      return true;
    }
  }
  return false;
}

static bool
is_pi(const Separation *s, DaeTerm t)
{
  return dae_term_kind(s->terms, t) == DAE_KIND_CALL &&
         dae_term_function(s->terms, t) == DAE_FN_PI;
}

/* t = p/q*pi. */
static bool
multiple_of_pi(const Separation *s, DaeTerm t, int64_t *p, int64_t *q)
{
  t = meaning(s, t);
  if (dae_term_is_zero(s->terms, t)) {
    *p = 0;
    *q = 1;
    return true;
  }
  if (is_pi(s, t)) {
    *p = *q = 1;
    return true;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(s->terms, t, &n);
  return dae_term_kind(s->terms, t) == DAE_KIND_PRODUCT && n == 2 &&
         dae_term_is_number(s->terms, operands[0]) && is_pi(s, meaning(s, operands[1])) &&
         small_ratio(s, operands[0], p, q);
}

static uint64_t
common_multiple(uint64_t a, uint64_t b)
{
  uint64_t x = a;
  uint64_t y = b;
  while (y != 0) {
    uint64_t r = x % y;
    x = y;
    y = r;
  }
  return a / x * b;
}

static uint64_t
totient(uint64_t n)
{
  uint64_t result = n;
  for (uint64_t p = 2; p * p <= n; p++) {
    if (n % p == 0) {
      result -= result / p;
      while (n % p == 0) {
        n /= p;
      }
    }
  }
  return n > 1 ? result - result / n : result;
}

/* By the digits of the text: "-7", "22/7", "0.125", "1.5e-30". */
static Bound *
bound_of_number(const Separation *s, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(s->terms, t);
  double above = 0.0; /* digits of the numerator */
  double below = 0.0; /* and of the denominator */
  bool is_below = false;
  bool is_ratio = false;
  const char *at = text;
  for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
    if (g_ascii_isdigit(*at)) {
      above += !is_ratio;
      below += is_below;
    }
    is_ratio |= *at == '/';
    is_below |= *at == '/' || *at == '.';
  }
  double exponent = *at == '\0' ? 0.0 : g_ascii_strtod(at + 1, NULL);
  above += fmax(exponent, 0.0);
  below += fmax(-exponent, 0.0);
  return bound_new(above * log2(10.0), below * log2(10.0));
}

/* ---- operations -------------------------------------------------------------------------- */

static Bound *
bound_of_sum(const Separation *s, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(s->terms, t, &n);
  Bound sum = {0.0, 0.0};
  for (uint32_t i = 0; i < n; i++) {
    const Bound *part = bound_of(s, operands[i]);
    if (part == NULL) {
      return NULL;
    }
    sum.u = i == 0 ? part->u : up(log_of_sum(sum.u + part->l, sum.l + part->u));
    sum.l = up(sum.l + part->l);
  }
  return bound_new(sum.u, sum.l);
}

static Bound *
bound_of_product(const Separation *s, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(s->terms, t, &n);
  Bound product = {0.0, 0.0};
  for (uint32_t i = 0; i < n; i++) {
    const Bound *part = bound_of(s, operands[i]);
    if (part == NULL) {
      return NULL;
    }
    product.u = up(product.u + part->u);
    product.l = up(product.l + part->l);
  }
  return bound_new(product.u, product.l);
}

static bool
has_sign(const Separation *s, DaeTerm t, int wanted)
{
  int sign = 0;
  return dae_certifier_sign(s->signs, t, &sign) && (wanted == 0 || sign == wanted);
}

static Bound *
bound_of_power(Separation *s, DaeTerm t)
{
  DaeTerm base = dae_term_operand(s->terms, t, 0);
  const Bound *part = bound_of(s, base);
  int64_t p = 0;
  int64_t q = 0;
  DaeTerm exponent = dae_term_operand(s->terms, t, 1);
  if (part == NULL || !dae_term_is_number(s->terms, exponent) ||
      !small_ratio(s, exponent, &p, &q) || ABS(p) > 1000 || q > 1000 ||
      (q > 1 && !has_sign(s, base, 1)) || (p < 0 && !has_sign(s, base, 0))) {
    return NULL;
  }
  double k = (double)q;
  Bound root = *part;
  if (part->u >= part->l) {
    root.u = (part->u + (k - 1.0) * part->l) / k;
  } else {
    root.l = ((k - 1.0) * part->u + part->l) / k;
  }
  s->degree *= k;
  double times = (double)ABS(p);
  return p >= 0 ? bound_new(times * up(root.u), times * up(root.l))
                : bound_new(times * up(root.l), times * up(root.u));
}

static Bound *
bound_of_call(Separation *s, DaeTerm t)
{
  DaeFunction f = dae_term_function(s->terms, t);
  int64_t p = 0;
  int64_t q = 0;
  if (f == DAE_FN_ABS) {
    const Bound *part = bound_of(s, dae_term_operand(s->terms, t, 0));
    return part == NULL ? NULL : bound_new(part->u, part->l);
  }
  if ((f != DAE_FN_SIN && f != DAE_FN_COS && f != DAE_FN_TAN) ||
      !multiple_of_pi(s, dae_term_operand(s->terms, t, 0), &p, &q) || s->order > MOST_ORDER) {
    return NULL;
  }
  /* sin(p*pi/q) = cos(pi/2 - p*pi/q), a cosine of a multiple of 2*pi/(4*q) */
  s->order = common_multiple(s->order, 4 * (uint64_t)q);
  if (f != DAE_FN_TAN) {
    return bound_new(1.0, 1.0);
  }
  DaeTerm cosine = dae_term_call1(s->terms, DAE_FN_COS, dae_term_operand(s->terms, t, 0));
  return has_sign(s, cosine, 0) ? bound_new(1.0, 1.0) : NULL;
}

static Bound *
bound_of_node(Separation *s, DaeTerm t)
{
  switch ((int)dae_term_kind(s->terms, t)) {
  case DAE_KIND_NUMBER:
    return bound_of_number(s, t);
  case DAE_KIND_SUM:
    return bound_of_sum(s, t);
  case DAE_KIND_PRODUCT:
    return bound_of_product(s, t);
  case DAE_KIND_POWER:
    return bound_of_power(s, t);
  case DAE_KIND_CALL:
    return bound_of_call(s, t);
  default:
    return NULL;
  }
}

static void
walk(Separation *s, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) opened = g_hash_table_new(NULL, NULL);
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm node = meaning(s, g_array_index(stack, DaeTerm, stack->len - 1));
    if (g_hash_table_contains(s->memo, GUINT_TO_POINTER(node))) {
      g_array_set_size(stack, stack->len - 1);
    } else if (g_hash_table_add(opened, GUINT_TO_POINTER(node))) {
      uint32_t n = 0;
      const DaeTerm *operands = dae_term_operands(s->terms, node, &n);
      g_array_append_vals(stack, operands, n);
    } else {
      g_hash_table_insert(s->memo, GUINT_TO_POINTER(node), bound_of_node(s, node));
      g_array_set_size(stack, stack->len - 1);
    }
  }
}

bool
dae_separation_is_zero(DaeTerms *terms, GHashTable *bound, DaeCertifier *signs, DaeTerm t)
{
  Separation s = {.terms = terms,
                  .bound = bound,
                  .signs = signs,
                  .memo = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                  .degree = 1.0,
                  .order = 1};
  walk(&s, t);
  const Bound *all = bound_of(&s, t);
  bool is_zero = false;
  if (all != NULL && s.order <= MOST_ORDER) {
    /* the cosines are in the real half of the field of the roots of unity */
    double degree = s.degree * (s.order > 2 ? (double)totient(s.order) / 2.0 : 1.0);
    double bits = up((degree - 1.0) * all->u) + all->l + 2.0;
    is_zero = bits < MOST_BITS && dae_certifier_is_below_bits(signs, t, (int)ceil(bits));
  }
  g_hash_table_unref(s.memo);
  return is_zero;
}
