#include "proofcheck/poly.h"

#include <string.h>

#include "base/base.h"

typedef struct {
  uint32_t degree; /* 0: free */
  const VpFrac *value;
  const char *name;
} Relation;

struct VpRing {
  GPtrArray *memory;
  uint64_t work, limit;
  GArray *relations; /* Relation, by kernel */
  GArray *factors;   /* VpPoly */
  GPtrArray *used;   /* static names */
};

/* ---- the ring ---------------------------------------------------------------------------- */

VpRing *
vp_ring_new(uint64_t limit)
{
  VpRing *ring = g_new0(VpRing, 1);
  ring->memory = g_ptr_array_new_with_free_func(g_free);
  ring->relations = g_array_new(FALSE, TRUE, sizeof(Relation));
  ring->factors = g_array_new(FALSE, FALSE, sizeof(VpPoly));
  ring->used = g_ptr_array_new();
  ring->limit = limit;
  return ring;
}

void
vp_ring_free(VpRing *ring)
{
  if (ring == NULL) {
    return;
  }
  g_ptr_array_unref(ring->memory);
  g_array_unref(ring->relations);
  g_array_unref(ring->factors);
  g_ptr_array_unref(ring->used);
  g_free(ring);
}

bool
vp_is_spent(const VpRing *ring)
{
  return ring->work > ring->limit;
}

gpointer
vp_keep(VpRing *ring, gpointer memory)
{
  g_ptr_array_add(ring->memory, memory);
  return memory;
}

void
vp_count(VpRing *ring, uint64_t amount)
{
  ring->work += amount;
}

void
vp_ring_use(VpRing *ring, const char *name)
{
  for (guint i = 0; i < ring->used->len; i++) {
    if (strcmp(g_ptr_array_index(ring->used, i), name) == 0) {
      return;
    }
  }
  g_ptr_array_add(ring->used, (gpointer)name);
}

const GPtrArray *
vp_ring_used(const VpRing *ring)
{
  return ring->used;
}

/* ---- polynomials ------------------------------------------------------------------------- */

static int
compare_powers(const VpMono *a, const VpMono *b)
{
  for (uint32_t i = 0; i < a->n && i < b->n; i++) {
    if (a->powers[i].kernel != b->powers[i].kernel) {
      return a->powers[i].kernel < b->powers[i].kernel ? -1 : 1;
    }
    if (a->powers[i].e != b->powers[i].e) {
      return a->powers[i].e < b->powers[i].e ? -1 : 1;
    }
  }
  return a->n < b->n ? -1 : a->n > b->n;
}

static int
compare_monos(const void *a, const void *b)
{
  return compare_powers(a, b);
}

/* Takes the array; equal products of kernels are added up. */
static VpPoly
collect(VpRing *ring, VpMono *monos, uint32_t n)
{
  qsort(monos, n, sizeof *monos, compare_monos);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (kept > 0 && compare_powers(&monos[kept - 1], &monos[i]) == 0) {
      monos[kept - 1].c = vp_int_add(ring, monos[kept - 1].c, monos[i].c);
      continue;
    }
    if (kept > 0 && monos[kept - 1].c.sign == 0) {
      kept--;
    }
    monos[kept++] = monos[i];
  }
  kept -= kept > 0 && monos[kept - 1].c.sign == 0;
  vp_keep(ring, monos);
  return (VpPoly){kept, monos};
}

VpPoly
vp_poly_add(VpRing *ring, VpPoly a, VpPoly b)
{
  vp_count(ring, (uint64_t)a.n + b.n);
  if (a.n == 0 || b.n == 0) {
    return a.n == 0 ? b : a;
  }
  VpMono *monos = g_new(VpMono, (size_t)a.n + b.n);
  memcpy(monos, a.monos, sizeof(VpMono) * a.n);
  memcpy(monos + a.n, b.monos, sizeof(VpMono) * b.n);
  return collect(ring, monos, a.n + b.n);
}

static VpMono
multiply_monos(VpRing *ring, const VpMono *a, const VpMono *b)
{
  VpPower *powers = vp_keep(ring, g_new(VpPower, (size_t)a->n + b->n + 1));
  VpMono out = {.c = vp_int_mul(ring, a->c, b->c), .powers = powers};
  uint32_t i = 0;
  uint32_t k = 0;
  while (i < a->n || k < b->n) {
    bool from_a = k == b->n || (i < a->n && a->powers[i].kernel <= b->powers[k].kernel);
    bool from_b = i == a->n || (k < b->n && b->powers[k].kernel <= a->powers[i].kernel);
    VpPower power = from_a ? a->powers[i] : b->powers[k];
    power.e = (from_a ? a->powers[i].e : 0) + (from_b ? b->powers[k].e : 0);
    powers[out.n++] = power;
    i += from_a;
    k += from_b;
  }
  return out;
}

VpPoly
vp_poly_mul(VpRing *ring, VpPoly a, VpPoly b)
{
  vp_count(ring, (uint64_t)a.n * b.n);
  if (vp_is_spent(ring) || a.n == 0 || b.n == 0) {
    return (VpPoly){0, NULL};
  }
  VpMono *monos = g_new(VpMono, (size_t)a.n * b.n);
  for (uint32_t i = 0; i < a.n; i++) {
    for (uint32_t k = 0; k < b.n; k++) {
      monos[(size_t)i * b.n + k] = multiply_monos(ring, &a.monos[i], &b.monos[k]);
    }
  }
  return collect(ring, monos, a.n * b.n);
}

static VpPoly
constant(VpRing *ring, VpInt c)
{
  VpMono *mono = vp_keep(ring, g_new0(VpMono, 1));
  mono->c = c;
  return (VpPoly){c.sign == 0 ? 0 : 1, mono};
}

VpPoly
vp_poly_scale(VpRing *ring, VpInt c, VpPoly a)
{
  int64_t one = 0;
  return vp_int_get(c, &one) && one == 1 ? a : vp_poly_mul(ring, constant(ring, c), a);
}

VpPoly
vp_poly_kernel(VpRing *ring, uint32_t kernel, uint32_t e)
{
  VpMono *mono = vp_keep(ring, g_new0(VpMono, 1));
  mono->c = vp_int(ring, 1);
  if (e > 0) {
    VpPower *power = vp_keep(ring, g_new(VpPower, 1));
    *power = (VpPower){kernel, e};
    mono->powers = power;
    mono->n = 1;
  }
  return (VpPoly){1, mono};
}

static uint32_t
exponent_in(const VpMono *mono, uint32_t kernel)
{
  for (uint32_t i = 0; i < mono->n; i++) {
    if (mono->powers[i].kernel == kernel) {
      return mono->powers[i].e;
    }
  }
  return 0;
}

uint32_t
vp_poly_degree(VpPoly a, uint32_t kernel)
{
  uint32_t degree = 0;
  for (uint32_t i = 0; i < a.n; i++) {
    degree = MAX(degree, exponent_in(&a.monos[i], kernel));
  }
  return degree;
}

/* The mono with `less` powers of the kernel fewer. */
static VpMono
lower(VpRing *ring, const VpMono *mono, uint32_t kernel, uint32_t less)
{
  VpPower *powers = vp_keep(ring, g_new(VpPower, (size_t)mono->n + 1));
  VpMono out = {.c = mono->c, .powers = powers};
  for (uint32_t i = 0; i < mono->n; i++) {
    VpPower power = mono->powers[i];
    power.e -= power.kernel == kernel ? less : 0;
    if (power.e > 0) {
      powers[out.n++] = power;
    }
  }
  return out;
}

VpPoly
vp_poly_coefficient(VpRing *ring, VpPoly a, uint32_t kernel, uint32_t e)
{
  VpMono *monos = g_new(VpMono, (size_t)a.n + 1);
  uint32_t n = 0;
  vp_count(ring, a.n);
  for (uint32_t i = 0; i < a.n; i++) {
    if (exponent_in(&a.monos[i], kernel) == e) {
      monos[n++] = lower(ring, &a.monos[i], kernel, e);
    }
  }
  return collect(ring, monos, n);
}

VpPoly
vp_poly_without(VpRing *ring, VpPoly a, uint32_t kernel, uint32_t e)
{
  VpMono *monos = g_new(VpMono, (size_t)a.n + 1);
  vp_count(ring, a.n);
  for (uint32_t i = 0; i < a.n; i++) {
    monos[i] = lower(ring, &a.monos[i], kernel, e);
  }
  return collect(ring, monos, a.n);
}

VpPoly
vp_poly_pseudo_remainder(VpRing *ring, VpPoly a, VpPoly b, uint32_t kernel)
{
  uint32_t degree = vp_poly_degree(b, kernel);
  VpPoly leading = vp_poly_coefficient(ring, b, kernel, degree);
  VpInt minus = vp_int(ring, -1);
  while (a.n > 0 && vp_poly_degree(a, kernel) >= degree && !vp_is_spent(ring)) {
    uint32_t top = vp_poly_degree(a, kernel);
    VpPoly c = vp_poly_coefficient(ring, a, kernel, top);
    VpPoly part =
        vp_poly_mul(ring, vp_poly_mul(ring, c, b), vp_poly_kernel(ring, kernel, top - degree));
    a = vp_poly_add(ring, vp_poly_mul(ring, leading, a), vp_poly_scale(ring, minus, part));
    if (degree == 0) {
      break;
    }
  }
  return a;
}

/* ---- fractions --------------------------------------------------------------------------- */

static const VpFrac *
make_frac(VpRing *ring, VpPoly num, VpInt den, GArray *factors)
{
  VpFrac *frac = vp_keep(ring, g_new0(VpFrac, 1));
  frac->num = num;
  frac->den = den;
  frac->factors = factors;
  return frac;
}

/* The factor list lives in the ring as a plain array behind a GArray header. */
static GArray *
new_factors(VpRing *ring, uint32_t room)
{
  GArray *factors = vp_keep(ring, g_new0(GArray, 1));
  factors->data = vp_keep(ring, g_malloc0(sizeof(VpPower) * ((gsize)room + 1)));
  return factors;
}

static uint32_t
n_factors(const VpFrac *a)
{
  return a->factors == NULL ? 0 : a->factors->len;
}

static VpPower
factor_at(const VpFrac *a, uint32_t i)
{
  return g_array_index(a->factors, VpPower, i);
}

VpPoly
vp_ring_factor(const VpRing *ring, uint32_t factor)
{
  return g_array_index(ring->factors, VpPoly, factor);
}

static bool
same_poly(VpPoly a, VpPoly b)
{
  if (a.n != b.n) {
    return false;
  }
  for (uint32_t i = 0; i < a.n; i++) {
    if (compare_powers(&a.monos[i], &b.monos[i]) != 0 ||
        vp_int_compare(a.monos[i].c, b.monos[i].c) != 0) {
      return false;
    }
  }
  return true;
}

static uint32_t
find_factor(VpRing *ring, VpPoly poly)
{
  for (guint i = 0; i < ring->factors->len; i++) {
    if (same_poly(vp_ring_factor(ring, i), poly)) {
      return i;
    }
  }
  g_array_append_val(ring->factors, poly);
  return ring->factors->len - 1;
}

const VpFrac *
vp_frac_poly(VpRing *ring, VpPoly num)
{
  return make_frac(ring, num, vp_int(ring, 1), NULL);
}

const VpFrac *
vp_frac_ratio(VpRing *ring, VpInt numerator, VpInt denominator)
{
  if (denominator.sign < 0) {
    numerator = vp_int_neg(numerator);
    denominator = vp_int_neg(denominator);
  }
  return make_frac(ring, constant(ring, numerator), denominator, NULL);
}

const VpFrac *
vp_frac_int(VpRing *ring, int64_t value)
{
  return vp_frac_ratio(ring, vp_int(ring, value), vp_int(ring, 1));
}

const VpFrac *
vp_frac_kernel(VpRing *ring, uint32_t kernel)
{
  return vp_frac_poly(ring, vp_poly_kernel(ring, kernel, 1));
}

void
vp_ring_relate(VpRing *ring, uint32_t kernel, uint32_t degree, const VpFrac *value,
               const char *name)
{
  if (kernel >= ring->relations->len) {
    g_array_set_size(ring->relations, kernel + 1);
  }
  g_array_index(ring->relations, Relation, kernel) = (Relation){degree, value, name};
}

/* The greatest kernel whose power can be reduced, or false. Relations speak of
 * smaller kernels, so this ends. */
static bool
reducible_kernel(const VpRing *ring, VpPoly a, uint32_t *kernel)
{
  bool found = false;
  for (uint32_t i = 0; i < a.n; i++) {
    for (uint32_t k = 0; k < a.monos[i].n; k++) {
      VpPower power = a.monos[i].powers[k];
      const Relation *relation = power.kernel < ring->relations->len
                                     ? &g_array_index(ring->relations, Relation, power.kernel)
                                     : NULL;
      if (relation != NULL && relation->degree > 0 && power.e >= relation->degree &&
          (!found || power.kernel > *kernel)) {
        *kernel = power.kernel;
        found = true;
      }
    }
  }
  return found;
}

static const VpFrac *sum_of(VpRing *ring, const VpFrac *a, const VpFrac *b);
static const VpFrac *product_of(VpRing *ring, const VpFrac *a, const VpFrac *b);

static const VpFrac *
reduce(VpRing *ring, const VpFrac *a)
{
  uint32_t kernel = 0;
  while (!vp_is_spent(ring) && reducible_kernel(ring, a->num, &kernel)) {
    const Relation relation = g_array_index(ring->relations, Relation, kernel);
    VpMono *kept = g_new(VpMono, (size_t)a->num.n + 1);
    VpMono *high = g_new(VpMono, (size_t)a->num.n + 1);
    uint32_t n_kept = 0;
    uint32_t n_high = 0;
    for (uint32_t i = 0; i < a->num.n; i++) {
      if (exponent_in(&a->num.monos[i], kernel) >= relation.degree) {
        high[n_high++] = lower(ring, &a->num.monos[i], kernel, relation.degree);
      } else {
        kept[n_kept++] = a->num.monos[i];
      }
    }
    vp_count(ring, a->num.n);
    const VpFrac *rest = make_frac(ring, collect(ring, kept, n_kept), a->den, a->factors);
    const VpFrac *part = make_frac(ring, collect(ring, high, n_high), a->den, a->factors);
    vp_ring_use(ring, relation.name);
    a = sum_of(ring, rest, product_of(ring, part, relation.value));
  }
  return a;
}

/* The polynomial of the factors that `wanted` has more often than `has`. */
static VpPoly
missing_factors(VpRing *ring, const GArray *wanted, const VpFrac *has)
{
  VpPoly out = constant(ring, vp_int(ring, 1));
  for (guint i = 0; i < wanted->len; i++) {
    VpPower power = g_array_index(wanted, VpPower, i);
    for (uint32_t k = 0; k < n_factors(has); k++) {
      if (factor_at(has, k).kernel == power.kernel) {
        power.e -= MIN(power.e, factor_at(has, k).e);
      }
    }
    for (; power.e > 0 && !vp_is_spent(ring); power.e--) {
      out = vp_poly_mul(ring, out, vp_ring_factor(ring, power.kernel));
    }
  }
  return out;
}

/* Factors of both: the larger exponent (sum: for products). */
static GArray *
merge_factors(VpRing *ring, const VpFrac *a, const VpFrac *b, bool sum)
{
  if (n_factors(a) + n_factors(b) == 0) {
    return NULL;
  }
  GArray *out = new_factors(ring, n_factors(a) + n_factors(b));
  for (int pass = 0; pass < 2; pass++) {
    const VpFrac *from = pass == 0 ? a : b;
    for (uint32_t i = 0; i < n_factors(from); i++) {
      VpPower power = factor_at(from, i);
      guint k = 0;
      while (k < out->len && g_array_index(out, VpPower, k).kernel != power.kernel) {
        k++;
      }
      VpPower *place = &g_array_index(out, VpPower, k);
      if (k == out->len) {
        *place = power;
        out->len++;
      } else {
        place->e = sum ? place->e + power.e : MAX(place->e, power.e);
      }
    }
  }
  return out;
}

static const VpFrac *
sum_of(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  GArray *factors = merge_factors(ring, a, b, false);
  VpPoly x = a->num;
  VpPoly y = b->num;
  if (factors != NULL) {
    x = vp_poly_mul(ring, x, missing_factors(ring, factors, a));
    y = vp_poly_mul(ring, y, missing_factors(ring, factors, b));
  }
  VpInt den = a->den;
  if (vp_int_compare(a->den, b->den) != 0) {
    x = vp_poly_scale(ring, b->den, x);
    y = vp_poly_scale(ring, a->den, y);
    den = vp_int_mul(ring, a->den, b->den);
  }
  return make_frac(ring, vp_poly_add(ring, x, y), den, factors);
}

static const VpFrac *
product_of(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  return make_frac(ring, vp_poly_mul(ring, a->num, b->num), vp_int_mul(ring, a->den, b->den),
                   merge_factors(ring, a, b, true));
}

const VpFrac *
vp_frac_add(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  return reduce(ring, sum_of(ring, a, b));
}

const VpFrac *
vp_frac_sub(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  return vp_frac_add(ring, a, product_of(ring, vp_frac_int(ring, -1), b));
}

const VpFrac *
vp_frac_mul(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  return reduce(ring, product_of(ring, a, b));
}

/* One factor per kernel of a product, so that equal ones are recognized. */
static GArray *
factors_of_mono(VpRing *ring, const VpMono *mono)
{
  GArray *factors = new_factors(ring, mono->n);
  for (uint32_t i = 0; i < mono->n; i++) {
    uint32_t factor = find_factor(ring, vp_poly_kernel(ring, mono->powers[i].kernel, 1));
    g_array_index(factors, VpPower, factors->len) = (VpPower){factor, mono->powers[i].e};
    factors->len++;
  }
  return factors;
}

const VpFrac *
vp_frac_inverse(VpRing *ring, const VpFrac *a)
{
  if (a->num.n == 0) {
    return NULL;
  }
  VpPoly num = constant(ring, a->den);
  if (a->factors != NULL) {
    const VpFrac *none = vp_frac_int(ring, 1);
    num = vp_poly_mul(ring, num, missing_factors(ring, a->factors, none));
  }
  VpInt den = vp_int(ring, 1);
  GArray *factors = NULL;
  if (a->num.n == 1) {
    den = a->num.monos[0].c;
    if (den.sign < 0) {
      den = vp_int_neg(den);
      num = vp_poly_scale(ring, vp_int(ring, -1), num);
    }
    factors = factors_of_mono(ring, &a->num.monos[0]);
  } else {
    factors = new_factors(ring, 1);
    g_array_index(factors, VpPower, 0) = (VpPower){find_factor(ring, a->num), 1};
    factors->len = 1;
  }
  return reduce(ring, make_frac(ring, num, den, factors));
}

const VpFrac *
vp_frac_power(VpRing *ring, const VpFrac *a, int64_t e)
{
  enum { LARGEST = 200 };

  if (ABS(e) > LARGEST && !vp_frac_is_zero(a)) {
    vp_count(ring, ring->limit + 1);
    return a;
  }
  const VpFrac *base = e < 0 ? vp_frac_inverse(ring, a) : a;
  if (base == NULL) {
    return NULL;
  }
  const VpFrac *result = vp_frac_int(ring, 1);
  for (int64_t i = 0; i < ABS(e) && !vp_is_spent(ring); i++) {
    result = vp_frac_mul(ring, result, base);
  }
  return result;
}

bool
vp_frac_is_zero(const VpFrac *a)
{
  return a->num.n == 0;
}

bool
vp_frac_is_number(const VpFrac *a)
{
  return n_factors(a) == 0 && (a->num.n == 0 || (a->num.n == 1 && a->num.monos[0].n == 0));
}

bool
vp_frac_equal(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  return a == b || (vp_frac_is_zero(vp_frac_sub(ring, a, b)) && !vp_is_spent(ring));
}

int
vp_frac_multiple(VpRing *ring, const VpFrac *a, const VpFrac *b)
{
  if (vp_is_spent(ring) || a->num.n == 0 || b->num.n != a->num.n) {
    return 0;
  }
  const VpFrac *own = vp_frac_ratio(ring, a->num.monos[0].c, a->den);
  const VpFrac *other = vp_frac_ratio(ring, b->num.monos[0].c, b->den);
  bool is_multiple =
      vp_frac_equal(ring, vp_frac_mul(ring, a, other), vp_frac_mul(ring, b, own));
  return is_multiple ? a->num.monos[0].c.sign * b->num.monos[0].c.sign : 0;
}
