/* Roots of polynomials of small degree modulo the prime [vonzurGathenGerhard13, section 14.3]:
 * gcd(u^p - u, f) is the product of the linear factors of f; it is split by gcd((u + a)^((p -
 * 1)/2) - 1, .) with random a. */
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
