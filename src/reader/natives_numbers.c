/* Random numbers [Vigna16] and linear equations. */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

/* ---- random numbers ---------------------------------------------------------------------- */

/* The state is an array of 32-bit Integers, two for each word, the low half first. As the C
 * functions of the Modelica Standard Library have it, what xorshift64* and xorshift128+ draw is
 * the state, too, and the shifts of the latter are 23, 17, 26. */

static bool
take_state(DaeForeign *call, uint32_t n_words, uint64_t *words)
{
  if (call->arguments[0].count < 2 * n_words) {
    return dae_foreign_fail(call, "the state of the random numbers is too short");
  }
  g_autofree double *halves = dae_foreign_doubles(call, 0);
  for (uint32_t i = 0; halves != NULL && i < n_words; i++) {
    words[i] = (uint64_t)(uint32_t)(int64_t)halves[2 * i] |
               (uint64_t)(uint32_t)(int64_t)halves[2 * i + 1] << 32;
  }
  return halves != NULL;
}

static bool
give_state(DaeForeign *call, uint32_t n_words, const uint64_t *words, double last,
           uint64_t draw)
{
  g_autofree double *halves = g_new0(double, (size_t)2 * n_words + 1);
  for (uint32_t i = 0; i < n_words; i++) {
    halves[2 * i] = (double)(int32_t)(uint32_t)words[i];
    halves[2 * i + 1] = (double)(int32_t)(uint32_t)(words[i] >> 32);
  }
  halves[2 * n_words] = last;
  double result = (double)(int64_t)draw * 0x1p-64 + 0.5;
  DaeTerm term = dae_term_from_double(call->reader->terms, result);
  return dae_foreign_set_doubles(call, 1, halves, true) &&
         dae_foreign_set(call, 2, dae_value_scalar(DAE_VALUE_REAL, term));
}

static bool
xorshift64(DaeForeign *call)
{
  if (!dae_random_is_known(call)) {
    return dae_random_at_run_time(call, 1);
  }
  uint64_t s = 0;
  if (!take_state(call, 1, &s)) {
    return false;
  }
  s ^= s >> 12;
  s ^= s << 25;
  s ^= s >> 27;
  s *= UINT64_C(2685821657736338717);
  return give_state(call, 1, &s, 0.0, s);
}

static bool
xorshift128(DaeForeign *call)
{
  if (!dae_random_is_known(call)) {
    return dae_random_at_run_time(call, 2);
  }
  uint64_t s[2] = {0, 0};
  if (!take_state(call, 2, s)) {
    return false;
  }
  uint64_t a = s[0];
  uint64_t b = s[1];
  s[0] = b;
  a ^= a << 23;
  s[1] = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
  return give_state(call, 2, s, 0.0, s[1]);
}

/* Sixteen words and a position, which is the last Integer. */
static bool
xorshift1024(DaeForeign *call)
{
  if (!dae_random_is_known(call)) {
    return dae_random_at_run_time(call, 16);
  }
  uint64_t s[16];
  double position = 0.0;
  if (!take_state(call, 16, s) || call->arguments[0].count < 33 ||
      !dae_foreign_double(call, 0, 32, &position)) {
    return false;
  }
  uint32_t p = (uint32_t)position & 15u;
  uint64_t a = s[p];
  p = (p + 1) & 15u;
  uint64_t b = s[p];
  b ^= b << 31;
  s[p] = b ^ a ^ (b >> 11) ^ (a >> 30);
  return give_state(call, 16, s, p, s[p] * UINT64_C(1181783497276652981));
}

/* ---- linear equations -------------------------------------------------------------------- */

double
dae_foreign_pivot_size(DaeReader *reader, DaeTerm t)
{
  double value = 0.0;
  if (dae_term_is_zero(reader->terms, t)) {
    return -1.0;
  }
  if (!dae_term_is_parametric(reader->terms, t) || !dae_reader_double(reader, t, &value)) {
    return 0.0;
  }
  return value == 0.0 || !isfinite(value) ? -1.0 : fabs(value);
}

/* Gauss on terms. False: singular. */
static bool
find_pivot(DaeReader *reader, const DaeTerm *a, uint32_t n, uint32_t k, uint32_t *pivot)
{
  double best = -1.0;
  for (uint32_t i = k; i < n; i++) {
    double size = dae_foreign_pivot_size(reader, a[i * n + k]);
    if (size > best) {
      best = size;
      *pivot = i;
    }
  }
  return best >= 0.0;
}

static void
swap_rows(DaeTerm *rows, uint32_t width, uint32_t i, uint32_t k)
{
  for (uint32_t j = 0; j < width && i != k; j++) {
    DaeTerm t = rows[i * width + j];
    rows[i * width + j] = rows[k * width + j];
    rows[k * width + j] = t;
  }
}

bool
dae_foreign_eliminate(DaeReader *reader, DaeTerm *a, DaeTerm *b, uint32_t n, uint32_t m)
{
  DaeTerms *terms = reader->terms;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t pivot = 0;
    if (!find_pivot(reader, a, n, k, &pivot)) {
      return false;
    }
    swap_rows(a, n, k, pivot);
    swap_rows(b, m, k, pivot);
    for (uint32_t i = 0; i < n; i++) {
      if (i == k || dae_term_is_zero(terms, a[i * n + k])) {
        continue;
      }
      DaeTerm factor = dae_term_neg(terms, dae_term_div(terms, a[i * n + k], a[k * n + k]));
      for (uint32_t j = k; j < n; j++) {
        a[i * n + j] =
            dae_term_add(terms, a[i * n + j], dae_term_mul(terms, factor, a[k * n + j]));
      }
      for (uint32_t j = 0; j < m; j++) {
        b[i * m + j] =
            dae_term_add(terms, b[i * m + j], dae_term_mul(terms, factor, b[k * m + j]));
      }
    }
  }
  for (uint32_t i = 0; i < n * m; i++) {
    b[i] = dae_term_div(terms, b[i], a[i / m * n + i / m]);
  }
  return true;
}

/* dgesv(n, nrhs, A, n, ipiv, B, n, info): B and A are arguments that the
 * library passes as work copies. */
static bool
solve(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  const DaeValue *a = &call->arguments[2];
  const DaeValue *b = &call->arguments[5];
  uint32_t n = a->n_dims == 2 ? a->dims[0] : 0;
  if (n == 0 || a->dims[1] != n || b->n_dims < 1 || b->dims[0] != n) {
    return dae_foreign_fail(call, "the sizes of the matrices do not fit");
  }
  uint32_t m = b->count / n;
  if (n > DAE_MOST_ELIMINATED) {
    const DaeMethodCall method = {.name = "dgesv",
                                  .sizes = {(int)n, (int)m},
                                  .inputs = {2, 5},
                                  .n_inputs = 2,
                                  .results = {{5, n * m, false}, {call->n - 1, 1, true}},
                                  .n_results = 2};
    return dae_foreign_run_method(call, &method);
  }
  DaeTerm *left = dae_value_new_data(reader, n * n);
  DaeTerm *right = dae_value_new_data(reader, MAX(n * m, 1u));
  memcpy(left, a->data, (size_t)n * n * sizeof(DaeTerm));
  memcpy(right, b->data, (size_t)n * m * sizeof(DaeTerm));
  bool good = dae_foreign_eliminate(reader, left, right, n, m);
  DaeValue info =
      dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, good ? 0 : 1));
  DaeValue result = dae_value_array(reader, DAE_VALUE_REAL, b->n_dims, b->dims,
                                    good ? right : b->data, b->count);
  return dae_foreign_set(call, 5, result) && dae_foreign_set(call, call->n - 1, info);
}

const DaeForeignEntry dae_foreign_numbers[] = {
    {"ModelicaRandom_xorshift64star", 3, xorshift64},
    {"ModelicaRandom_xorshift128plus", 3, xorshift128},
    {"ModelicaRandom_xorshift1024star", 3, xorshift1024},
    {"dgesv", 8, solve},
    {NULL, 0, NULL},
};
