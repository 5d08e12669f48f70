/* Roots of polynomials of small degree modulo the prime [vonzurGathenGerhard13, section 14.3]:
 * gcd(u^p - u, f) is the product of the linear factors of f; it is split by gcd((u + a)^((p -
 * 1)/2) - 1, .) with random a. A function that is a polynomial in one unknown is found from its
 * values and slopes at small numbers. */
#include <string.h>

#include "base/base.h"
#include "structural/modular.h"

enum { MOST = 8, N_SPLITS = 40 };

typedef struct {
  uint64_t a[2 * MOST + 2];
  int degree; /* -1 for 0 */
} Poly;

static void
trim(Poly *f)
{
  while (f->degree >= 0 && f->a[f->degree] == 0) {
    f->degree--;
  }
}

static void
make_monic(Poly *f)
{
  if (f->degree >= 0) {
    uint64_t inverse = dae_mod_inverse(f->a[f->degree]);
    for (int k = 0; k <= f->degree; k++) {
      f->a[k] = dae_mod_mul(f->a[k], inverse);
    }
  }
}

/* f modulo the monic g. */
static void
reduce(Poly *f, const Poly *g)
{
  while (f->degree >= g->degree) {
    uint64_t factor = dae_mod_neg(f->a[f->degree]);
    int shift = f->degree - g->degree;
    for (int k = 0; k <= g->degree; k++) {
      f->a[k + shift] = dae_mod_add(f->a[k + shift], dae_mod_mul(factor, g->a[k]));
    }
    trim(f);
  }
}

static void
multiply(const Poly *f, const Poly *g, const Poly *modulus, Poly *out)
{
  Poly product = {.degree = f->degree < 0 || g->degree < 0 ? -1 : f->degree + g->degree};
  for (int i = 0; i <= f->degree; i++) {
    for (int k = 0; k <= g->degree; k++) {
      product.a[i + k] = dae_mod_add(product.a[i + k], dae_mod_mul(f->a[i], g->a[k]));
    }
  }
  trim(&product);
  reduce(&product, modulus);
  *out = product;
}

static Poly
power(Poly base, uint64_t exponent, const Poly *modulus)
{
  Poly result = {.a = {1}, .degree = 0};
  reduce(&base, modulus);
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      multiply(&result, &base, modulus, &result);
    }
    multiply(&base, &base, modulus, &base);
  }
  return result;
}

static Poly
gcd(Poly f, Poly g)
{
  while (g.degree >= 0) { /* the degree of g falls */
    make_monic(&g);
    reduce(&f, &g);
    Poly swap = f;
    f = g;
    g = swap;
  }
  make_monic(&f);
  return f;
}

static Poly
add_constant(Poly f, uint64_t c)
{
  if (f.degree < 0) {
    f.degree = 0;
    f.a[0] = 0;
  }
  f.a[0] = dae_mod_add(f.a[0], c);
  trim(&f);
  return f;
}

/* u^2 + b u + c: a square root modulo a prime that is 3 modulo 4 is a power. */
static bool
quadratic_root(uint64_t b, uint64_t c, uint64_t *root)
{
  uint64_t half = (DAE_PRIME + 1) / 2;
  uint64_t m = dae_mod_mul(b, half);
  uint64_t d = dae_mod_add(dae_mod_mul(m, m), dae_mod_neg(c));
  uint64_t s = dae_mod_power(d, (DAE_PRIME + 1) / 4);
  *root = dae_mod_add(s, dae_mod_neg(m));
  return dae_mod_mul(s, s) == d;
}

bool
dae_mod_root(const uint64_t *a, uint32_t degree, uint64_t seed, uint64_t *root)
{
  DAE_ASSERT(degree <= MOST);
  Poly f = {.degree = (int)degree};
  memcpy(f.a, a, sizeof(uint64_t) * (degree + 1));
  trim(&f);
  if (f.degree < 1) {
    return false;
  }
  make_monic(&f);
  if (f.degree == 2) {
    return quadratic_root(f.a[1], f.a[0], root);
  }
  if (f.degree > 1) {
    Poly u = {.a = {0, 1}, .degree = 1};
    Poly frobenius = power(u, DAE_PRIME, &f);
    frobenius.degree = MAX(frobenius.degree, 1);
    frobenius.a[1] = dae_mod_add(frobenius.a[1], dae_mod_neg(1));
    trim(&frobenius);
    f = gcd(f, frobenius);
  }
  for (uint64_t k = 1; f.degree > 1 && k <= N_SPLITS; k++) {
    Poly shifted = {.a = {(seed * UINT64_C(0x9e3779b97f4a7c15) + k) % DAE_PRIME, 1},
                    .degree = 1};
    Poly part = gcd(f, add_constant(power(shifted, (DAE_PRIME - 1) / 2, &f), dae_mod_neg(1)));
    if (part.degree > 0 && part.degree < f.degree) {
      f = part;
    }
  }
  if (f.degree == 1) {
    *root = dae_mod_neg(f.a[0]);
  }
  return f.degree == 1;
}

/* ---- functions --------------------------------------------------------------------------- */

/* The coefficients of the polynomial through these values at 0, 1, ..., degree
 * (Newton's form, multiplied out). */
static void
interpolate(const uint64_t *values, uint32_t degree, uint64_t *a)
{
  uint64_t difference[MOST + 2];
  memcpy(difference, values, sizeof(uint64_t) * (degree + 1));
  for (uint32_t k = 1; k <= degree; k++) {
    uint64_t inverse = k == 1 ? 1 : dae_mod_inverse(k);
    for (uint32_t i = degree; i >= k; i--) {
      uint64_t d = dae_mod_add(difference[i], dae_mod_neg(difference[i - 1]));
      difference[i] = dae_mod_mul(d, inverse);
    }
  }
  memset(a, 0, sizeof(uint64_t) * (degree + 1));
  for (uint32_t k = degree + 1; k-- > 0;) { /* a = a*(u - k) + difference[k] */
    for (uint32_t i = degree; i > 0; i--) {
      a[i] = dae_mod_add(a[i - 1], dae_mod_neg(dae_mod_mul(a[i], k)));
    }
    a[0] = dae_mod_add(dae_mod_neg(dae_mod_mul(a[0], k)), difference[k]);
  }
}

static uint64_t
value_at(const uint64_t *a, uint32_t degree, uint64_t u)
{
  uint64_t sum = 0;
  for (uint32_t k = degree + 1; k-- > 0;) {
    sum = dae_mod_add(dae_mod_mul(sum, u), a[k]);
  }
  return sum;
}

static bool
is_zero_at(DaeModFunction value, void *user, uint64_t at)
{
  uint64_t f = 0;
  return value(user, at, &f) && f == 0;
}

/* As a polynomial of degree MOST at most, by values alone; its degree is the first whose
 * polynomial has one value more. */
static bool
root_by_values(DaeModFunction value, void *user, uint64_t seed, uint64_t *root)
{
  uint64_t values[MOST + 2];
  uint64_t a[MOST + 1];
  uint32_t n = 0;
  for (uint32_t degree = 1; degree <= MOST; degree = degree == 1 ? 2 : 2 * degree) {
    for (; n <= degree + 1; n++) {
      if (!value(user, n, &values[n])) {
        return false;
      }
    }
    interpolate(values, degree, a);
    if (value_at(a, degree, degree + 1) == values[degree + 1]) {
      return dae_mod_root(a, degree, seed, root) && is_zero_at(value, user, *root);
    }
  }
  return false;
}

/* Degree 1 or 2 first, by the value at 0 and the slopes at 0 and 1: an entry of the Jacobian is
 * a small part of its equation. Without a root, a third slope tells whether the degree was that. */
bool
dae_mod_function_root(DaeModFunction value, DaeModFunction slope, void *user, uint64_t seed,
                      uint64_t *root)
{
  uint64_t a[3] = {0};
  uint64_t slopes[3] = {0};
  if (value(user, 0, &a[0]) && slope(user, 0, &slopes[0]) && slope(user, 1, &slopes[1])) {
    uint64_t change = dae_mod_add(slopes[1], dae_mod_neg(slopes[0]));
    a[1] = slopes[0];
    a[2] = dae_mod_mul(change, (DAE_PRIME + 1) / 2);
    bool has_root = dae_mod_root(a, 2, seed, root);
    if (has_root && is_zero_at(value, user, *root)) {
      return true;
    }
    if (!has_root && slope(user, 2, &slopes[2]) &&
        slopes[2] == dae_mod_add(slopes[1], change)) {
      return false;
    }
  }
  return root_by_values(value, user, seed, root);
}
