/* Random numbers whose state is known only at run time: the generators of
 * natives_numbers.c as routines on doubles.
 *
 * A word of 64 bits is two halves below 2^32, so that every sum and product here
 * stays below 2^53 and is exact. The only thing that doubles do not have is the
 * exclusive or: a table of half bytes. */
#include "reader/natives.h"
#include "terms/routines.h"

#define MOST_HALVES 33u

typedef struct {
  DaeTerm high, low;
} Word;

static DaeTerm
power_of_two(DaeTerms *terms, uint32_t k)
{
  return dae_term_int(terms, (int64_t)1 << k);
}

/* floor(a / 2^k) */
static DaeTerm
quotient(DaeTerms *terms, DaeTerm a, uint32_t k)
{
  DaeTerm part = dae_term_mul(terms, a, dae_term_ratio(terms, 1, (int64_t)1 << k));
  return dae_term_call1(terms, DAE_FN_FLOOR, part);
}

/* a modulo 2^k: as a call, so that no factor is multiplied out and everything stays below 2^53 */
static DaeTerm
remainder_of(DaeTerms *terms, DaeTerm a, uint32_t k)
{
  return dae_term_call2(terms, DAE_FN_MOD, a, power_of_two(terms, k));
}

/* a xor b by half bytes: 16 a + b + 1 is the place in a table of 16 x 16. */
static DaeTerm
exclusive_or(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  double table[256];
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = (double)((i >> 4) ^ (i & 15u));
  }
  uint32_t data = dae_terms_add_data(terms, table, 256);
  DaeTerm inputs[2] = {dae_terms_formal(terms, 0), dae_terms_formal(terms, 1)};
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < 32; k += 4) {
    DaeTerm left = remainder_of(terms, quotient(terms, inputs[0], k), 4);
    DaeTerm right = remainder_of(terms, quotient(terms, inputs[1], k), 4);
    DaeTerm place = dae_term_add(terms, dae_term_mul(terms, left, power_of_two(terms, 4)),
                                 dae_term_add(terms, right, dae_term_int(terms, 1)));
    sum = dae_term_add(
        terms, sum,
        dae_term_mul(terms, dae_term_lookup(terms, data, place), power_of_two(terms, k)));
  }
  DaeRoutine routine = {
      .name = "xor", .inputs = inputs, .outputs = &sum, .n_inputs = 2, .n_outputs = 1};
  DaeTerm arguments[2] = {a, b};
  return dae_term_routine(terms, dae_terms_add_routine(terms, &routine), 0, arguments);
}

static Word
mix(DaeTerms *terms, Word a, Word b)
{
  return (Word){exclusive_or(terms, a.high, b.high), exclusive_or(terms, a.low, b.low)};
}

/* k below 32 */
static Word
shift_left(DaeTerms *terms, Word a, uint32_t k)
{
  DaeTerm high =
      dae_term_mul(terms, remainder_of(terms, a.high, 32 - k), power_of_two(terms, k));
  DaeTerm low = dae_term_mul(terms, remainder_of(terms, a.low, 32 - k), power_of_two(terms, k));
  return (Word){dae_term_add(terms, high, quotient(terms, a.low, 32 - k)), low};
}

static Word
shift_right(DaeTerms *terms, Word a, uint32_t k)
{
  DaeTerm from_high =
      dae_term_mul(terms, remainder_of(terms, a.high, k), power_of_two(terms, 32 - k));
  return (Word){quotient(terms, a.high, k),
                dae_term_add(terms, quotient(terms, a.low, k), from_high)};
}

static Word
add(DaeTerms *terms, Word a, Word b)
{
  DaeTerm low = dae_term_add(terms, a.low, b.low);
  DaeTerm high = dae_term_add(terms, a.high, b.high);
  high = dae_term_add(terms, high, quotient(terms, low, 32));
  return (Word){remainder_of(terms, high, 32), remainder_of(terms, low, 32)};
}

/* By quarters of 16 bits: no sum is above 2^36. */
static Word
multiply(DaeTerms *terms, Word a, uint64_t by)
{
  DaeTerm quarters[4] = {remainder_of(terms, a.low, 16), quotient(terms, a.low, 16),
                         remainder_of(terms, a.high, 16), quotient(terms, a.high, 16)};
  DaeTerm result[4];
  DaeTerm carry = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < 4; k++) {
    DaeTerm sum = carry;
    for (uint32_t i = 0; i <= k; i++) {
      DaeTerm factor = dae_term_int(terms, (int64_t)((by >> (16 * (k - i))) & 0xffffu));
      sum = dae_term_add(terms, sum, dae_term_mul(terms, quarters[i], factor));
    }
    result[k] = remainder_of(terms, sum, 16);
    carry = quotient(terms, sum, 16);
  }
  DaeTerm unit = power_of_two(terms, 16);
  return (Word){dae_term_add(terms, result[2], dae_term_mul(terms, unit, result[3])),
                dae_term_add(terms, result[0], dae_term_mul(terms, unit, result[1]))};
}

/* ---- generators: s is changed, the result is what is drawn ------------------------------- */

static Word
draw_64(DaeTerms *terms, Word *s)
{
  s[0] = mix(terms, s[0], shift_right(terms, s[0], 12));
  s[0] = mix(terms, s[0], shift_left(terms, s[0], 25));
  s[0] = mix(terms, s[0], shift_right(terms, s[0], 27));
  s[0] = multiply(terms, s[0], UINT64_C(2685821657736338717));
  return s[0];
}

static Word
draw_128(DaeTerms *terms, Word *s)
{
  Word a = s[0];
  Word b = s[1];
  s[0] = b;
  a = mix(terms, a, shift_left(terms, a, 23));
  Word shifted = mix(terms, shift_right(terms, a, 17), shift_right(terms, b, 26));
  s[1] = add(terms, mix(terms, mix(terms, a, b), shifted), b);
  return s[1];
}

static Word
element(DaeTerms *terms, const Word *s, DaeTerm position)
{
  DaeTerm high[16];
  DaeTerm low[16];
  DaeTerm index = dae_term_add(terms, position, dae_term_int(terms, 1));
  for (uint32_t i = 0; i < 16; i++) {
    high[i] = s[i].high;
    low[i] = s[i].low;
  }
  return (Word){dae_term_select(terms, index, high, 16),
                dae_term_select(terms, index, low, 16)};
}

static Word
draw_1024(DaeTerms *terms, Word *s, DaeTerm *position)
{
  Word a = element(terms, s, remainder_of(terms, *position, 4));
  *position = remainder_of(terms, dae_term_add(terms, *position, dae_term_int(terms, 1)), 4);
  Word b = element(terms, s, *position);
  b = mix(terms, b, shift_left(terms, b, 31));
  Word shifted = mix(terms, shift_right(terms, b, 11), shift_right(terms, a, 30));
  Word w = mix(terms, mix(terms, a, b), shifted);
  for (uint32_t i = 0; i < 16; i++) {
    DaeTerm here =
        dae_term_relation(terms, DAE_REL_EQ, *position, dae_term_int(terms, (int64_t)i));
    s[i].high = dae_term_if(terms, here, w.high, s[i].high);
    s[i].low = dae_term_if(terms, here, w.low, s[i].low);
  }
  return multiply(terms, w, UINT64_C(1181783497276652981));
}

/* ---- the call ---------------------------------------------------------------------------- */

/* An Integer of 32 bits as it is stored, and back. */
static DaeTerm
from_signed(DaeTerms *terms, DaeTerm a)
{
  return remainder_of(terms, a, 32);
}

static DaeTerm
to_signed(DaeTerms *terms, DaeTerm a)
{
  DaeTerm is_small = dae_term_relation(terms, DAE_REL_LT, a, power_of_two(terms, 31));
  return dae_term_if(terms, is_small, a, dae_term_sub(terms, a, power_of_two(terms, 32)));
}

/* The word, as a signed one, over 2^64, plus 1/2. The parts are calls of their own, so that they
 * are not rounded in another order than in natives_numbers.c. */
static DaeTerm
fraction(DaeTerms *terms, Word drawn)
{
  DaeTerm high = dae_term_mul(terms, to_signed(terms, drawn.high), power_of_two(terms, 32));
  DaeTerm whole = dae_term_call1(terms, DAE_FN_FLOOR, dae_term_add(terms, high, drawn.low));
  DaeTerm unit = dae_term_ratio(terms, 1, (int64_t)1 << 62);
  DaeTerm part =
      dae_term_mul(terms, dae_term_mul(terms, whole, unit), dae_term_ratio(terms, 1, 4));
  return dae_term_add(terms, part, dae_term_ratio(terms, 1, 2));
}

/* The generator with n_words of state as a routine: state to new state and number in [0, 1]. */
static uint32_t
generator(DaeTerms *terms, uint32_t n_words)
{
  DaeTerm inputs[MOST_HALVES];
  DaeTerm outputs[MOST_HALVES + 1];
  Word s[16];
  uint32_t n = 2 * n_words + (n_words == 16 ? 1 : 0);
  for (uint32_t i = 0; i < n; i++) {
    inputs[i] = dae_terms_formal(terms, i);
  }
  for (uint32_t i = 0; i < n_words; i++) {
    s[i] = (Word){from_signed(terms, inputs[2 * i + 1]), from_signed(terms, inputs[2 * i])};
  }
  DaeTerm position = inputs[n - 1];
  Word drawn = n_words == 1   ? draw_64(terms, s)
               : n_words == 2 ? draw_128(terms, s)
                              : draw_1024(terms, s, &position);
  for (uint32_t i = 0; i < n_words; i++) {
    outputs[2 * i] = to_signed(terms, s[i].low);
    outputs[2 * i + 1] = to_signed(terms, s[i].high);
  }
  if (n_words == 16) {
    outputs[32] = position;
  }
  outputs[n] = fraction(terms, drawn);
  DaeRoutine routine = {.name = "xorshift",
                        .inputs = inputs,
                        .outputs = outputs,
                        .n_inputs = n,
                        .n_outputs = n + 1};
  return dae_terms_add_routine(terms, &routine);
}

bool
dae_random_is_known(const DaeForeign *call)
{
  const DaeValue *state = &call->arguments[0];
  for (uint32_t k = 0; k < state->count && !state->opaque; k++) {
    double value = 0;
    if (!dae_reader_double(call->reader, dae_value_element(state, k), &value)) {
      return false;
    }
  }
  return true;
}

DaeTerm
dae_random_next(DaeTerms *terms, uint32_t n_words, const DaeTerm *state, DaeTerm *next)
{
  uint32_t n = 2 * n_words + (n_words == 16 ? 1 : 0);
  uint32_t number = generator(terms, n_words);
  for (uint32_t k = 0; k < n; k++) {
    next[k] = dae_term_routine(terms, number, k, state);
  }
  return dae_term_routine(terms, number, n, state);
}

bool
dae_random_at_run_time(DaeForeign *call, uint32_t n_words)
{
  DaeReader *reader = call->reader;
  const DaeValue *state = &call->arguments[0];
  uint32_t n = 2 * n_words + (n_words == 16 ? 1 : 0);
  if (state->count < n || state->n_dims != 1) {
    return dae_foreign_fail(call, "the state of the random numbers is too short");
  }
  DaeTerm *data = dae_value_new_data(reader, n);
  DaeTerm drawn = dae_random_next(reader->terms, n_words, state->data, data);
  return dae_foreign_set(call, 1, dae_value_array(reader, DAE_VALUE_INTEGER, 1, &n, data, n)) &&
         dae_foreign_set(call, 2, dae_value_scalar(DAE_VALUE_REAL, drawn));
}
