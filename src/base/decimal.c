#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Seventeen digits always read back to the same double, and a decimal of p < 17 digits that
 * does is one of the two neighbours of the value with p digits: farther ones have such a
 * neighbour between them and the value. Both must be tried, since below a power of two doubles
 * lie closer than above it (2^-44 = 5.684341886080802e-14, rounded up). */
#define MOST_DIGITS 17
/* Any decimal of so many digits survives the way through a normal double, so no
 * shorter one is missed by %.15g. */
#define SAFE_DIGITS 15

typedef struct {
  char digits[MOST_DIGITS + 1];
  int exponent; /* value = 0.d1 d2 ... * 10^exponent */
} Decimal;

/* The digits of the value rounded to so many. */
static Decimal
rounded(double magnitude, size_t n_digits)
{
  Decimal decimal;
  char text[DAE_DECIMAL_SIZE];
  char format[8];
  g_snprintf(format, sizeof format, "%%.%de", (int)n_digits - 1);
  g_ascii_formatd(text, sizeof text, format, magnitude);
  decimal.digits[0] = text[0];
  memcpy(decimal.digits + 1, text + 2, n_digits - 1);
  decimal.digits[n_digits] = '\0';
  decimal.exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
  return decimal;
}

static Decimal
truncated(const Decimal *full, size_t n_digits)
{
  Decimal decimal = *full;
  decimal.digits[n_digits] = '\0';
  return decimal;
}

/* One more in the last digit. */
static Decimal
next_above(const Decimal *decimal)
{
  Decimal above = *decimal;
  size_t i = strlen(above.digits);
  while (i > 0 && above.digits[i - 1] == '9') {
    above.digits[--i] = '0';
  }
  if (i > 0) {
    above.digits[i - 1]++;
  } else { /* 999 becomes 100 of the next power */
    above.digits[0] = '1';
    above.exponent++;
  }
  return above;
}

static bool
reads_back(const Decimal *decimal, double magnitude)
{
  char text[2 * DAE_DECIMAL_SIZE];
  g_snprintf(text, sizeof text, "0.%se%d", decimal->digits, decimal->exponent);
  return g_ascii_strtod(text, NULL) == magnitude;
}

/* The nearest decimal of so many digits that reads back. */
static bool
shorten(const Decimal *full, size_t n_digits, double magnitude, Decimal *shorter)
{
  Decimal below = truncated(full, n_digits);
  Decimal above = next_above(&below);
  /* not from the 17 digits, which are rounded already */
  *shorter = rounded(magnitude, n_digits);
  if (reads_back(shorter, magnitude)) {
    return true;
  }
  *shorter = strcmp(shorter->digits, above.digits) == 0 ? below : above;
  return reads_back(shorter, magnitude);
}

static Decimal
shortest(double magnitude)
{
  Decimal full = rounded(magnitude, MOST_DIGITS);
  Decimal found;
  for (size_t n = magnitude < DBL_MIN ? 1 : SAFE_DIGITS; n < MOST_DIGITS; n++) {
    if (shorten(&full, n, magnitude, &found)) {
      return found;
    }
  }
  return full;
}

#if LDBL_MANT_DIG >= 64
/* The same with numbers instead of texts, for most values: the value scaled to 17 digits before
 * the point has an error below MARGIN in 64 bits (three roundings, each of 1e17 * 2^-64 at most),
 * half the distance to the next double is 1 to 11 there, and only what is too close to say is left
 * to the texts. Powers of two, below which doubles lie closer, are left to them as well, and
 * subnormal numbers. */
#define MARGIN 0.03L

/* 10^n, rounded at most twice: each factor up to 10^EXACT has no error, others half a unit. */
#define EXACT 27
#define MOST_POWER 351

static long double
power_of_ten(int n)
{
  static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                       1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                       1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                       1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L};
  static const long double far[] = {1e0L,   1e27L,  1e54L,  1e81L,  1e108L, 1e135L, 1e162L,
                                    1e189L, 1e216L, 1e243L, 1e270L, 1e297L, 1e324L};
  return far[n / EXACT] * powers[n % EXACT];
}

static bool
scale(double magnitude, int exponent, long double *scaled, long double *half)
{
  int shift = MOST_DIGITS - exponent;
  int binary = 0;
  if (abs(shift) >= MOST_POWER || magnitude < DBL_MIN || frexp(magnitude, &binary) == 0.5) {
    return false;
  }
  long double power = power_of_ten(abs(shift));
  long double unit = ldexpl(1.0L, binary - DBL_MANT_DIG - 1);
  *scaled = shift < 0 ? (long double)magnitude / power : (long double)magnitude * power;
  *half = shift < 0 ? unit / power : unit * power;
  return true;
}

/* The type has 64 bits; sums have fewer where the host has set the unit to less, and in
 * valgrind. */
static bool
sums_have_64_bits(void)
{
  volatile long double one = 1;
  volatile long double sum = one + 0x1p-63L;
  return sum != one;
}

static bool
shortest_fast(double magnitude, Decimal *decimal)
{
  if (!sums_have_64_bits()) {
    return false;
  }
  long double scaled = 0;
  long double half = 0;
  int exponent = (int)floor(log10(magnitude)) + 1;
  for (int attempt = 0; attempt < 2; attempt++) { /* the logarithm may be one off */
    if (!scale(magnitude, exponent, &scaled, &half)) {
      return false;
    }
    exponent += scaled >= 1e17L ? 1 : scaled < 1e16L ? -1 : 0;
  }
  if (scaled < 1e16L || scaled >= 1e17L - 1) {
    return false;
  }
  guint64 whole = (guint64)scaled;
  long double rest = scaled - (long double)whole;
  for (guint64 unit = 100; unit > 0; unit /= 10) {
    long double below = (long double)(whole % unit) + rest;
    long double above = (long double)unit - below;
    long double distance = below < above ? below : above;
    if (fabsl(below - above) < 2 * MARGIN || (unit > 1 && fabsl(distance - half) < MARGIN)) {
      return false;
    }
    if (distance < half) {
      guint64 digits = whole - whole % unit + (above < below ? unit : 0);
      if (digits >= 100000000000000000u) {
        return false; /* one more digit */
      }
      decimal->digits[MOST_DIGITS] = '\0';
      for (int i = MOST_DIGITS; i-- > 0; digits /= 10) {
        decimal->digits[i] = (char)('0' + digits % 10);
      }
      decimal->exponent = exponent;
      return true;
    }
  }
  return false;
}
#else
static bool
shortest_fast(double magnitude, Decimal *decimal)
{
  (void)magnitude;
  (void)decimal;
  return false;
}
#endif

/* As %.15g does, or with as many digits as there are: an exponent is written
 * below 1e-4 and from 1e15 on. */
static void
lay_out(char *buffer, Decimal decimal)
{
  size_t n = strlen(decimal.digits);
  while (n > 1 && decimal.digits[n - 1] == '0') {
    decimal.digits[--n] = '\0';
  }
  int point = decimal.exponent; /* digits before the point */
  char *out = buffer;
  if (point < -3 || point > (int)MAX(n, SAFE_DIGITS)) {
    *out++ = decimal.digits[0];
    if (n > 1) {
      *out++ = '.';
      memcpy(out, decimal.digits + 1, n - 1);
      out += n - 1;
    }
    *out++ = 'e';
    *out++ = point > 0 ? '+' : '-';
    int power = abs(point - 1);
    if (power >= 100) {
      *out++ = (char)('0' + power / 100);
    }
    *out++ = (char)('0' + power / 10 % 10);
    *out++ = (char)('0' + power % 10);
    *out = '\0';
    return;
  }
  if (point <= 0) {
    memcpy(out, "0.000", 5);
    memcpy(out + 2 - point, decimal.digits, n + 1);
    return;
  }
  for (int i = 0; i < point; i++) {
    *out++ = (size_t)i < n ? decimal.digits[i] : '0';
  }
  *out = '\0';
  if (n > (size_t)point) {
    *out++ = '.';
    memcpy(out, decimal.digits + point, n + 1 - (size_t)point);
  }
}

static void
lay_out_whole(char *buffer, guint64 whole)
{
  char digits[DAE_DECIMAL_SIZE];
  int n = 0;
  do {
    digits[n++] = (char)('0' + whole % 10);
    whole /= 10;
  } while (whole > 0);
  while (n > 0) {
    *buffer++ = digits[--n];
  }
  *buffer = '\0';
}

const char *
dae_decimal_shortest(char buffer[DAE_DECIMAL_SIZE], double value)
{
  char *out = buffer;
  if (isnan(value)) {
    return strcpy(buffer, "nan");
  }
  if (signbit(value)) {
    *out++ = '-';
  }
  double magnitude = fabs(value);
  if (magnitude == 0.0 || isinf(value)) {
    strcpy(out, isinf(value) ? "inf" : "0");
    return buffer;
  }
  if (magnitude < 1e15 && magnitude == floor(magnitude)) { /* most often 0, 1, 2 */
    lay_out_whole(out, (guint64)magnitude);
    return buffer;
  }
  Decimal decimal;
  lay_out(out, shortest_fast(magnitude, &decimal) ? decimal : shortest(magnitude));
  return buffer;
}

void
dae_decimal_append_int(GString *out, gint64 value)
{
  char text[DAE_DECIMAL_SIZE];
  char *at = text + sizeof text;
  guint64 rest = value < 0 ? -(guint64)value : (guint64)value;
  do {
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (value < 0) {
    *--at = '-';
  }
  g_string_append_len(out, at, text + sizeof text - at);
}
