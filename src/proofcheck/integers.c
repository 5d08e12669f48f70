/* Integers of any size: the arithmetic is GMP's, the memory is the ring's. */
#include "proofcheck/poly.h"

#include <gmp.h>
#include <string.h>

G_STATIC_ASSERT(sizeof(mp_limb_t) == sizeof(VpLimb));

/* A view for GMP; never written to. */
static mpz_srcptr
view(const VpInt *a, mpz_t out)
{
  return mpz_roinit_n(out, (const mp_limb_t *)(const void *)a->limbs,
                      a->sign < 0 ? -(mp_size_t)a->n : (mp_size_t)a->n);
}

/* Takes z: it is cleared. */
static VpInt
take(VpRing *ring, mpz_t z)
{
  size_t n = mpz_size(z);
  VpInt out = {mpz_sgn(z), (uint32_t)n, NULL};
  if (n > 0) {
    out.limbs = vp_keep(ring, g_memdup2(mpz_limbs_read(z), n * sizeof(mp_limb_t)));
  }
  mpz_clear(z);
  return out;
}

VpInt
vp_int(VpRing *ring, int64_t value)
{
  mpz_t z;
  mpz_init_set_si(z, (long)value);
  return take(ring, z);
}

VpInt
vp_int_neg(VpInt a)
{
  a.sign = -a.sign;
  return a;
}

int
vp_int_compare(VpInt a, VpInt b)
{
  mpz_t x;
  mpz_t y;
  int order = mpz_cmp(view(&a, x), view(&b, y));
  return (order > 0) - (order < 0);
}

bool
vp_int_get(VpInt a, int64_t *value)
{
  mpz_t x;
  if (a.sign == 0) { /* without limbs, of which GMP would read the first */
    *value = 0;
    return true;
  }
  mpz_srcptr z = view(&a, x);
  if (mpz_sizeinbase(z, 2) > 62) {
    return false;
  }
  *value = mpz_get_si(z);
  return true;
}

VpInt
vp_int_add(VpRing *ring, VpInt a, VpInt b)
{
  vp_count(ring, 1 + MAX(a.n, b.n) / 8);
  if (a.sign == 0 || b.sign == 0) {
    return a.sign == 0 ? b : a;
  }
  mpz_t sum;
  mpz_t x;
  mpz_t y;
  mpz_init(sum);
  mpz_add(sum, view(&a, x), view(&b, y));
  return take(ring, sum);
}

VpInt
vp_int_mul(VpRing *ring, VpInt a, VpInt b)
{
  vp_count(ring, 1 + (uint64_t)a.n * b.n / 4);
  if (a.sign == 0 || b.sign == 0 || vp_is_spent(ring)) {
    return (VpInt){0, 0, NULL};
  }
  mpz_t product;
  mpz_t x;
  mpz_t y;
  mpz_init(product);
  mpz_mul(product, view(&a, x), view(&b, y));
  return take(ring, product);
}

uint32_t
vp_int_divide_small(VpRing *ring, VpInt a, uint32_t divisor, VpInt *q)
{
  mpz_t quotient;
  mpz_t x;
  vp_count(ring, 1 + a.n / 8);
  mpz_init(quotient);
  unsigned long rest = mpz_tdiv_q_ui(quotient, view(&a, x), divisor);
  *q = take(ring, quotient);
  return (uint32_t)rest;
}

char *
vp_int_text(VpInt a)
{
  mpz_t x;
  mpz_srcptr z = view(&a, x);
  char *text = g_malloc(mpz_sizeinbase(z, 10) + 2);
  return mpz_get_str(text, 10, z);
}

/* Digits of text without its point, times 10^exponent. */
static bool
parse_part(VpRing *ring, const char *digits, int64_t exponent, VpInt *numerator,
           VpInt *denominator)
{
  mpz_t part;
  mpz_t scale;
  if (mpz_init_set_str(part, digits, 10) != 0) {
    mpz_clear(part);
    return false;
  }
  mpz_init(scale);
  mpz_ui_pow_ui(scale, 10, (unsigned long)ABS(exponent));
  if (exponent > 0) {
    mpz_mul(part, part, scale);
    mpz_set_ui(scale, 1);
  }
  vp_count(ring, 1 + (mpz_size(part) + mpz_size(scale)) / 8);
  *numerator = take(ring, part);
  *denominator = take(ring, scale);
  return true;
}

bool
vp_int_parse(VpRing *ring, const char *text, VpInt *numerator, VpInt *denominator)
{
  enum { LONGEST = 100000 };

  g_autoptr(GString) digits = g_string_new(NULL);
  const char *c = text + (*text == '-');
  int64_t exponent = 0;
  bool seen_point = false;
  for (; g_ascii_isdigit(*c) || (*c == '.' && !seen_point); c++) {
    seen_point |= *c == '.';
    if (*c != '.') {
      g_string_append_c(digits, *c);
      exponent -= seen_point;
    }
  }
  VpInt below = {0, 0, NULL};
  if (*c == '/') {
    VpInt one;
    if (seen_point || c[1 + strspn(c + 1, "0123456789")] != '\0' ||
        !parse_part(ring, c + 1, 0, &below, &one) || below.sign == 0) {
      return false;
    }
  } else if (*c == 'e' || *c == 'E') {
    exponent += g_ascii_strtoll(c + 1, NULL, 10);
  } else if (*c != '\0') {
    return false;
  }
  if (ABS(exponent) > LONGEST || digits->len == 0 ||
      !parse_part(ring, digits->str, exponent, numerator, denominator)) {
    return false;
  }
  *numerator = *text == '-' ? vp_int_neg(*numerator) : *numerator;
  *denominator = below.sign != 0 ? below : *denominator;
  return !vp_is_spent(ring);
}
