#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Seventeen digits always read back to the same double, and a decimal of p < 17 digits that does is one of the two
 * neighbours of the value with p digits: farther ones have such a neighbour between them and the value. Both must be
 * tried, since below a power of two doubles lie closer than above it (2^-44 = 5.684341886080802e-14, rounded up). */
#define MOST_DIGITS 17
/* Any decimal of so many digits survives the way through a normal double, so no shorter one is missed by %.15g. */
#define SAFE_DIGITS 15

typedef struct {
  char digits[MOST_DIGITS + 1];
  int exponent; /* value = 0.d1 d2 ... * 10^exponent */
} Decimal;

/* The digits of the value rounded to 17. */
static Decimal
seventeen_digits(double magnitude)
{
  Decimal decimal;
  char text[DAE_DECIMAL_SIZE];
  g_ascii_formatd(text, sizeof text, "%.16e", magnitude);
  decimal.digits[0] = text[0];
  memcpy(decimal.digits + 1, text + 2, MOST_DIGITS - 1);
  decimal.digits[MOST_DIGITS] = '\0';
  decimal.exponent = (int)strtol(text + MOST_DIGITS + 2, NULL, 10) + 1;
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
  bool is_above_nearer = full->digits[n_digits] >= '5';
  *shorter = is_above_nearer ? above : below;
  if (reads_back(shorter, magnitude)) {
    return true;
  }
  *shorter = is_above_nearer ? below : above;
  return reads_back(shorter, magnitude);
}

static Decimal
shortest(double magnitude)
{
  Decimal full = seventeen_digits(magnitude);
  Decimal found;
  for (size_t n = magnitude < DBL_MIN ? 1 : SAFE_DIGITS; n < MOST_DIGITS; n++) {
    if (shorten(&full, n, magnitude, &found)) {
      return found;
    }
  }
  return full;
}

/* As %.15g does, or with as many digits as there are: an exponent is written below 1e-4 and from 1e15 on. */
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
    g_snprintf(buffer, DAE_DECIMAL_SIZE - 1, "%c%s%se%c%02d", decimal.digits[0],
               n > 1 ? "." : "", decimal.digits + 1, point > 0 ? '+' : '-', abs(point - 1));
    return;
  }
  if (point <= 0) {
    g_snprintf(out, DAE_DECIMAL_SIZE - 1, "0.%.*s%s", -point, "000", decimal.digits);
    return;
  }
  for (int i = 0; i < point; i++) {
    *out++ = (size_t)i < n ? decimal.digits[i] : '0';
  }
  *out = '\0';
  if (n > (size_t)point) {
    g_snprintf(out, MOST_DIGITS + 2, ".%s", decimal.digits + point);
  }
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
    g_snprintf(out, DAE_DECIMAL_SIZE - 1, "%" G_GINT64_FORMAT, (gint64)magnitude);
    return buffer;
  }
  lay_out(out, shortest(magnitude));
  return buffer;
}
