#include "terms/rational.h"

#include <math.h>

#include "base/base.h"

G_STATIC_ASSERT(sizeof(mp_limb_t) == sizeof(uint64_t));

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

static uint64_t
gcd_of_words(uint64_t a, uint64_t b)
{
  while (b != 0) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static uint64_t
magnitude(int64_t a)
{
  return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a;
}

static void
set_mpz_from_wide(mpz_t z, Wide value)
{
  bool negative = value < 0;
  UnsignedWide u = negative ? (UnsignedWide)0 - (UnsignedWide)value : (UnsignedWide)value;
  uint64_t words[2] = {(uint64_t)u, (uint64_t)(u >> 64)};
  mpz_import(z, 2, -1, sizeof words[0], 0, 0, words);
  if (negative) {
    mpz_neg(z, z);
  }
}

static bool
fits_small(const mpq_t q)
{
  return mpz_sizeinbase(mpq_numref(q), 2) <= 63 && mpz_sizeinbase(mpq_denref(q), 2) <= 63;
}

static int64_t
small_from_mpz(const mpz_t z)
{
  uint64_t word = 0;
  mpz_export(&word, NULL, -1, sizeof word, 0, 0, z);
  return mpz_sgn(z) < 0 ? -(int64_t)word : (int64_t)word;
}

static mpq_t *
new_big(void)
{
  mpq_t *q = g_new(mpq_t, 1);
  mpq_init(*q);
  return q;
}

static void
adopt_big(DaeRat *r, mpq_t *q)
{
  if (fits_small(*q)) {
    r->num = small_from_mpz(mpq_numref(*q));
    r->den = small_from_mpz(mpq_denref(*q));
    r->big = NULL;
    mpq_clear(*q);
    g_free(q);
    return;
  }
  r->num = 0;
  r->den = 0;
  r->big = q;
}

/* num/den with den > 0, both below 2^127 in magnitude. */
static void
init_wide(DaeRat *r, Wide num, Wide den)
{
  if (num >= INT64_MIN && num <= INT64_MAX && den <= INT64_MAX) {
    uint64_t g = gcd_of_words(magnitude((int64_t)num), (uint64_t)den);
    Wide n = num / (Wide)g;
    if (n != INT64_MIN) {
      r->num = (int64_t)n;
      r->den = (int64_t)(den / (Wide)g);
      r->big = NULL;
      return;
    }
  }
  mpq_t *q = new_big();
  set_mpz_from_wide(mpq_numref(*q), num);
  set_mpz_from_wide(mpq_denref(*q), den);
  mpq_canonicalize(*q);
  adopt_big(r, q);
}

void
dae_rat_init_int(DaeRat *r, int64_t value)
{
  if (value == INT64_MIN) {
    init_wide(r, value, 1);
    return;
  }
  *r = (DaeRat){.num = value, .den = 1, .big = NULL};
}

void
dae_rat_init_ratio(DaeRat *r, int64_t num, int64_t den)
{
  DAE_ASSERT(den != 0);
  if (den == 1) {
    dae_rat_init_int(r, num);
    return;
  }
  Wide n = num;
  Wide d = den;
  init_wide(r, d < 0 ? -n : n, d < 0 ? -d : d);
}

void
dae_rat_init_copy(DaeRat *r, const DaeRat *a)
{
  *r = *a;
  if (a->big != NULL) {
    r->big = new_big();
    mpq_set(*r->big, *a->big);
  }
}

void
dae_rat_init_mpq(DaeRat *r, const mpq_t value)
{
  mpq_t *q = new_big();
  mpq_set(*q, value);
  adopt_big(r, q);
}

void
dae_rat_clear(DaeRat *r)
{
  if (r->big != NULL) {
    mpq_clear(*r->big);
    g_free(r->big);
    r->big = NULL;
  }
}

void
dae_rat_get_mpq(const DaeRat *a, mpq_t out)
{
  if (a->big != NULL) {
    mpq_set(out, *a->big);
    return;
  }
  set_mpz_from_wide(mpq_numref(out), a->num);
  set_mpz_from_wide(mpq_denref(out), a->den);
}

typedef void (*BigOperation)(mpq_ptr, mpq_srcptr, mpq_srcptr);

/* A number for GMP to read, without a copy. */
typedef struct {
  mpq_t q;
  mp_limb_t num, den;
} View;

static mpq_srcptr
view_of(const DaeRat *a, View *view)
{
  if (a->big != NULL) {
    return *a->big;
  }
  view->num = magnitude(a->num);
  view->den = (mp_limb_t)a->den;
  mpz_roinit_n(mpq_numref(view->q), &view->num, (a->num > 0) - (a->num < 0));
  mpz_roinit_n(mpq_denref(view->q), &view->den, 1);
  return view->q;
}

static void
combine_big(DaeRat *acc, const DaeRat *b, BigOperation operation)
{
  View x;
  View y;
  mpq_srcptr left = view_of(acc, &x);
  mpq_srcptr right = view_of(b, &y);
  mpq_t *q = acc->big != NULL ? acc->big : new_big(); /* the operations allow it */
  operation(*q, left, right);
  adopt_big(acc, q);
}

void
dae_rat_add(DaeRat *acc, const DaeRat *b)
{
  if (acc->big == NULL && b->big == NULL) {
    int64_t sum = 0;
    if (acc->den == 1 && b->den == 1 && !__builtin_add_overflow(acc->num, b->num, &sum) &&
        sum != INT64_MIN) {
      acc->num = sum;
      return;
    }
    Wide left = 0;
    Wide right = 0;
    Wide num = 0;
    left = (Wide)acc->num * b->den;
    right = (Wide)b->num * acc->den;
    if (!__builtin_add_overflow(left, right, &num)) {
      Wide den = (Wide)acc->den * b->den;
      if (den <= INT64_MAX || num == 0) {
        init_wide(acc, num, num == 0 ? 1 : den);
        return;
      }
    }
  }
  combine_big(acc, b, mpq_add);
}

void
dae_rat_mul(DaeRat *acc, const DaeRat *b)
{
  if (acc->big == NULL && b->big == NULL) {
    int64_t product = 0;
    if (acc->den == 1 && b->den == 1 && !__builtin_mul_overflow(acc->num, b->num, &product) &&
        product != INT64_MIN) {
      acc->num = product;
      return;
    }
    uint64_t g = gcd_of_words(magnitude(acc->num), (uint64_t)b->den);
    uint64_t h = gcd_of_words(magnitude(b->num), (uint64_t)acc->den);
    Wide num = (Wide)(acc->num / (int64_t)g) * (b->num / (int64_t)h);
    Wide den = (Wide)(acc->den / (int64_t)h) * (b->den / (int64_t)g);
    init_wide(acc, num, den);
    return;
  }
  if (dae_rat_is_int(acc, 1)) {
    dae_rat_init_copy(acc, b);
  } else if (!dae_rat_is_int(b, 1)) {
    combine_big(acc, b, mpq_mul);
  }
}

void
dae_rat_neg(DaeRat *acc)
{
  if (acc->big == NULL) {
    acc->num = -acc->num;
    return;
  }
  mpq_neg(*acc->big, *acc->big);
}

void
dae_rat_invert(DaeRat *acc)
{
  DAE_ASSERT(dae_rat_sign(acc) != 0);
  if (acc->big == NULL) {
    int64_t num = acc->num;
    acc->num = num < 0 ? -acc->den : acc->den;
    acc->den = num < 0 ? -num : num;
    return;
  }
  mpq_inv(*acc->big, *acc->big);
}

void
dae_rat_pow(DaeRat *acc, int64_t exponent)
{
  if (exponent < 0) {
    dae_rat_invert(acc);
  }
  uint64_t e = magnitude(exponent);
  if (e == 1) {
    return;
  }
  mpq_t *q = new_big();
  mpq_t x;
  mpq_init(x);
  dae_rat_get_mpq(acc, x);
  mpz_pow_ui(mpq_numref(*q), mpq_numref(x), e);
  mpz_pow_ui(mpq_denref(*q), mpq_denref(x), e);
  mpq_clear(x);
  dae_rat_clear(acc);
  adopt_big(acc, q);
}

static void
big_content(mpq_ptr r, mpq_srcptr a, mpq_srcptr b)
{
  mpz_gcd(mpq_numref(r), mpq_numref(a), mpq_numref(b));
  mpz_lcm(mpq_denref(r), mpq_denref(a), mpq_denref(b));
}

void
dae_rat_content(DaeRat *acc, const DaeRat *b)
{
  if (acc->big == NULL && b->big == NULL) {
    uint64_t num = gcd_of_words(magnitude(acc->num), magnitude(b->num));
    uint64_t g = gcd_of_words((uint64_t)acc->den, (uint64_t)b->den);
    init_wide(acc, num, (Wide)(acc->den / (int64_t)g) * b->den);
    return;
  }
  combine_big(acc, b, big_content);
}

int
dae_rat_sign(const DaeRat *a)
{
  if (a->big != NULL) {
    return mpq_sgn(*a->big);
  }
  return (a->num > 0) - (a->num < 0);
}

int
dae_rat_compare(const DaeRat *a, const DaeRat *b)
{
  if (a->big == NULL && b->big == NULL) {
    Wide left = (Wide)a->num * b->den;
    Wide right = (Wide)b->num * a->den;
    return (left > right) - (left < right);
  }
  View x;
  View y;
  int result = mpq_cmp(view_of(a, &x), view_of(b, &y));
  return (result > 0) - (result < 0);
}

bool
dae_rat_equal(const DaeRat *a, const DaeRat *b)
{
  if (a->big == NULL || b->big == NULL) {
    return a->big == b->big && a->num == b->num && a->den == b->den;
  }
  return mpq_equal(*a->big, *b->big) != 0;
}

bool
dae_rat_is_int(const DaeRat *a, int64_t value)
{
  return a->den == 1 && a->num == value;
}

bool
dae_rat_is_integer(const DaeRat *a)
{
  return a->big != NULL ? mpz_cmp_ui(mpq_denref(*a->big), 1) == 0 : a->den == 1;
}

bool
dae_rat_fits_int64(const DaeRat *a, int64_t *value)
{
  if (a->den != 1) {
    return false;
  }
  *value = a->num;
  return true;
}

/* Rounds |num|/den, with the quotient computed to 66 bits or more and a sticky bit, then to
 * double in one step: ldexp of a 64-bit integer rounds once for normal results; for subnormal
 * ones the integer is first cut to the bits that remain. */
static double
round_quotient(const mpz_t num, const mpz_t den)
{
  long shift = (long)mpz_sizeinbase(num, 2) - (long)mpz_sizeinbase(den, 2);
  if (shift > 1030) {
    return INFINITY;
  }
  if (shift < -1100) {
    return 0.0;
  }
  long bits =
      64; /* quotient bits wanted; fewer below the normal range, so that one rounding remains */
  if (shift < -1021) {
    bits = 64 - (-1021 - shift);
  }
  mpz_t q;
  mpz_t r;
  mpz_init_set(q, num);
  mpz_init(r);
  long scale = bits - shift;
  mpz_t d;
  mpz_init_set(d, den);
  if (scale >= 0) {
    mpz_mul_2exp(q, q, (mp_bitcnt_t)scale);
  } else {
    mpz_mul_2exp(d, d, (mp_bitcnt_t)-scale);
  }
  mpz_tdiv_qr(q, r, q, d);
  if (mpz_sgn(r) != 0) {
    mpz_mul_2exp(q, q, 1); /* append a sticky bit */
    mpz_add_ui(q, q, 1);
    scale++;
  }
  /* Keep exactly 53 bits, or what the subnormal range allows, rounding half to even. */
  long length = (long)mpz_sizeinbase(q, 2);
  long keep = 53;
  long lowest = -1074 + scale; /* bit of q that is worth 2^-1074 */
  long drop = MAX(length - keep, lowest);
  if (drop > 0) {
    mpz_fdiv_q_2exp(r, q, (mp_bitcnt_t)drop);
    mpz_t rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, q, (mp_bitcnt_t)drop);
    mpz_t half;
    mpz_init_set_ui(half, 1);
    mpz_mul_2exp(half, half, (mp_bitcnt_t)(drop - 1));
    int order = mpz_cmp(rest, half);
    if (order > 0 || (order == 0 && mpz_odd_p(r))) {
      mpz_add_ui(r, r, 1);
    }
    mpz_clear(rest);
    mpz_clear(half);
    mpz_swap(q, r);
    scale -= drop;
  }
  double result = ldexp(mpz_get_d(q), (int)-scale);
  mpz_clear(q);
  mpz_clear(r);
  mpz_clear(d);
  return result;
}

double
dae_rat_to_double(const DaeRat *a)
{
  const int64_t exact = INT64_C(1) << 53;
  if (a->big == NULL && a->num <= exact && a->num >= -exact && a->den <= exact) {
    return (double)a->num / (double)a->den; /* both exact, so the quotient is rounded once */
  }
  mpq_t x;
  mpq_init(x);
  dae_rat_get_mpq(a, x);
  bool negative = mpq_sgn(x) < 0;
  mpq_abs(x, x);
  double result = round_quotient(mpq_numref(x), mpq_denref(x));
  mpq_clear(x);
  return negative ? -result : result;
}

size_t
dae_rat_bits(const DaeRat *a)
{
  if (a->big != NULL) {
    return MAX(mpz_sizeinbase(mpq_numref(*a->big), 2), mpz_sizeinbase(mpq_denref(*a->big), 2));
  }
  uint64_t larger = MAX(magnitude(a->num), (uint64_t)a->den);
  return 64 - (size_t)__builtin_clzll(larger);
}

static uint64_t
mix_word(uint64_t h, uint64_t word)
{
  h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ (h >> 29);
}

static uint64_t
mix_mpz(uint64_t h, const mpz_t z)
{
  size_t n = mpz_size(z);
  const mp_limb_t *limbs = mpz_limbs_read(z);
  for (size_t i = 0; i < n; i++) {
    h = mix_word(h, limbs[i]);
  }
  return mix_word(h, (uint64_t)(mpz_sgn(z) + 2));
}

uint32_t
dae_rat_hash(const DaeRat *a, uint32_t seed)
{
  uint64_t h = mix_word(seed, 77);
  if (a->big != NULL) {
    h = mix_mpz(mix_mpz(h, mpq_numref(*a->big)), mpq_denref(*a->big));
  } else {
    h = mix_word(mix_word(h, (uint64_t)a->num), (uint64_t)a->den);
  }
  return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

void
dae_rat_floor(DaeRat *acc)
{
  if (dae_rat_is_integer(acc)) {
    return;
  }
  mpq_t *q = new_big();
  mpq_t x;
  mpq_init(x);
  dae_rat_get_mpq(acc, x);
  mpz_fdiv_q(mpq_numref(*q), mpq_numref(x), mpq_denref(x));
  mpq_clear(x);
  dae_rat_clear(acc);
  adopt_big(acc, q);
}
