/* Numbers as text, exactly, in both directions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terms/terms-priv.h"

enum {
  MAX_EXPONENT = 1000000,
  MAX_DECIMAL_DIGITS = 40,
  PLAIN_DIGITS = 15,
  MAX_LEADING_ZEROS = 4,
  MAX_TRAILING_ZEROS = 5
};

/* ---- reading ----------------------------------------------------------------------------- */

/* A literal taken apart: digits (without point) times 10^exponent. */
typedef struct {
  GString *digits;
  int64_t exponent;
} Decimal;

static size_t
take_digits(const char *text, size_t from, size_t length, GString *out)
{
  size_t i = from;
  while (i < length && g_ascii_isdigit(text[i])) {
    i++;
  }
  g_string_append_len(out, text + from, (gssize)(i - from));
  return i;
}

/* Exponent digits; saturates far above MAX_EXPONENT. */
static bool
take_exponent(const char *text, size_t from, size_t length, int64_t *value)
{
  bool negative = from < length && text[from] == '-';
  size_t i = from + (from < length && (text[from] == '-' || text[from] == '+') ? 1 : 0);
  if (i == length) {
    return false;
  }
  int64_t e = 0;
  for (; i < length; i++) {
    if (!g_ascii_isdigit(text[i])) {
      return false;
    }
    e = MIN(e * 10 + (text[i] - '0'), INT64_C(1) << 40);
  }
  *value = negative ? -e : e;
  return true;
}

static bool
parse_decimal(const char *text, size_t length, Decimal *decimal)
{
  size_t i = take_digits(text, 0, length, decimal->digits);
  if (i == 0) {
    return false;
  }
  decimal->exponent = 0;
  if (i < length && text[i] == '.') {
    size_t after = take_digits(text, i + 1, length, decimal->digits);
    decimal->exponent = -(int64_t)(after - i - 1);
    i = after;
  }
  if (i == length) {
    return true;
  }
  int64_t e = 0;
  if ((text[i] != 'e' && text[i] != 'E') || !take_exponent(text, i + 1, length, &e)) {
    return false;
  }
  decimal->exponent += e;
  return true;
}

DaeTerm
dae_term_decimal(DaeTerms *terms, const char *text, size_t length)
{
  g_autoptr(GString) digits = g_string_new(NULL);
  Decimal decimal = {.digits = digits};
  if (!parse_decimal(text, length, &decimal)) {
    return DAE_NO_TERM;
  }
  if (digits->len <= 18 && decimal.exponent == 0) {
    return dae_term_int(terms, g_ascii_strtoll(digits->str, NULL, 10));
  }
  mpq_t q;
  mpz_t power;
  mpq_init(q);
  mpz_init(power);
  int parsed = mpz_set_str(mpq_numref(q), digits->str, 10);
  DAE_ASSERT(parsed == 0);
  DaeTerm result = terms->zero;
  if (mpq_sgn(q) != 0) {
    bool too_small = decimal.exponent + (int64_t)digits->len < -MAX_EXPONENT;
    if (decimal.exponent > MAX_EXPONENT || too_small) {
      result = DAE_NO_TERM;
    } else {
      uint64_t e = (uint64_t)(decimal.exponent < 0 ? -decimal.exponent : decimal.exponent);
      mpz_ui_pow_ui(power, 10, e);
      if (decimal.exponent < 0) {
        mpz_set(mpq_denref(q), power);
      } else {
        mpz_mul(mpq_numref(q), mpq_numref(q), power);
      }
      mpq_canonicalize(q);
      DaeRat value;
      dae_rat_init_mpq(&value, q);
      result = dae_store_number(terms, &value);
      dae_rat_clear(&value);
    }
  }
  mpq_clear(q);
  mpz_clear(power);
  return result;
}

DaeTerm
dae_term_from_double(DaeTerms *terms, double value)
{
  DAE_ASSERT(isfinite(value));
  mpq_t q;
  mpq_init(q);
  mpq_set_d(q, value);
  DaeRat r;
  dae_rat_init_mpq(&r, q);
  DaeTerm result = dae_store_number(terms, &r);
  dae_rat_clear(&r);
  mpq_clear(q);
  return result;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Exponent of prime p in n; n is divided by it. */
static size_t
remove_prime(mpz_t n, unsigned long p)
{
  mpz_t prime;
  mpz_init_set_ui(prime, p);
  size_t multiplicity = mpz_remove(n, n, prime);
  mpz_clear(prime);
  return multiplicity;
}

/* digits * 10^exponent == |value|, without trailing zeros; NULL if there is no such decimal. */
static char *
decimal_digits(const DaeRat *value, int64_t *exponent)
{
  mpq_t q;
  mpz_t den;
  mpz_t scale;
  mpq_init(q);
  dae_rat_get_mpq(value, q);
  mpq_abs(q, q);
  mpz_init_set(den, mpq_denref(q));
  mpz_init(scale);
  size_t twos = remove_prime(den, 2);
  size_t fives = remove_prime(den, 5);
  size_t places = MAX(twos, fives);
  char *digits = NULL;
  if (mpz_cmp_ui(den, 1) == 0) {
    mpz_ui_pow_ui(scale, 10, places);
    mpz_mul(scale, scale, mpq_numref(q));
    mpz_divexact(scale, scale, mpq_denref(q));
    char *raw = mpz_get_str(NULL, 10, scale);
    digits = g_strdup(raw);
    free(raw);
    *exponent = -(int64_t)places;
    size_t n = strlen(digits);
    while (n > 1 && digits[n - 1] == '0') {
      digits[--n] = '\0';
      (*exponent)++;
    }
  }
  mpq_clear(q);
  mpz_clear(den);
  mpz_clear(scale);
  return digits;
}

static void
append_scientific(GString *out, const char *digits, int64_t exponent)
{
  size_t n = strlen(digits);
  g_string_append_c(out, digits[0]);
  if (n > 1) {
    g_string_append_c(out, '.');
    g_string_append(out, digits + 1);
  }
  g_string_append_printf(out, "e%" G_GINT64_FORMAT, exponent + (int64_t)n - 1);
}

static void
append_decimal(GString *out, const char *digits, int64_t exponent)
{
  int64_t n = (int64_t)strlen(digits);
  int64_t point = n + exponent; /* digits before the point */
  if (exponent >= 0) {
    if (exponent > MAX_TRAILING_ZEROS && point > PLAIN_DIGITS) {
      append_scientific(out, digits, exponent);
      return;
    }
    g_string_append(out, digits);
    for (int64_t i = 0; i < exponent; i++) {
      g_string_append_c(out, '0');
    }
  } else if (point > 0) {
    g_string_append_len(out, digits, (gssize)point);
    g_string_append_c(out, '.');
    g_string_append(out, digits + point);
  } else if (point > -MAX_LEADING_ZEROS) {
    g_string_append(out, "0.");
    for (int64_t i = point; i < 0; i++) {
      g_string_append_c(out, '0');
    }
    g_string_append(out, digits);
  } else {
    append_scientific(out, digits, exponent);
  }
}

static bool
plain_decimal(const DaeRat *value, char **digits, int64_t *exponent)
{
  *digits = decimal_digits(value, exponent);
  if (*digits != NULL && *exponent < 0 && strlen(*digits) > MAX_DECIMAL_DIGITS) {
    g_clear_pointer(digits, g_free);
  }
  return *digits != NULL;
}

bool
dae_literal_is_decimal(const DaeRat *value)
{
  if (dae_rat_is_integer(value)) {
    return true;
  }
  g_autofree char *digits = NULL;
  int64_t exponent = 0;
  return plain_decimal(value, &digits, &exponent);
}

void
dae_literal_append_size(GString *out, int64_t number)
{
  char digits[20]; /* of any 64 bits */
  char *at = digits + sizeof digits;
  uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
  do {
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  g_string_append_len(out, at, digits + sizeof digits - at);
}

void
dae_literal_append(GString *out, const DaeRat *value, bool *is_fraction)
{
  *is_fraction = false;
  if (value->den == 1 && value->num > -1000000000 && value->num < 1000000000) {
    dae_literal_append_size(out, value->num);
    return;
  }
  g_autofree char *digits = NULL;
  int64_t exponent = 0;
  if (plain_decimal(value, &digits, &exponent)) {
    append_decimal(out, digits, exponent);
    return;
  }
  *is_fraction = true;
  mpq_t q;
  mpq_init(q);
  dae_rat_get_mpq(value, q);
  mpq_abs(q, q);
  char *text = mpq_get_str(NULL, 10, q);
  g_string_append(out, text);
  free(text);
  mpq_clear(q);
}
