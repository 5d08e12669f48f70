/* Random terms with a fixed seed, for property tests of any room.
 *
 * The sequence depends on the seed only, never on ids or hashing, so two contexts given the
 * same calls get the same terms. Recursion is bounded by `depth`. */
#ifndef DAE_TESTS_RANDOM_TERM_H
#define DAE_TESTS_RANDOM_TERM_H

#include "terms/terms.h"

enum {
  RANDOM_RATIONAL = 0,  /* + - * and integer powers, division */
  RANDOM_ROOTS = 1,     /* powers with fractions */
  RANDOM_FUNCTIONS = 2, /* sin ... log10 */
  RANDOM_PIECES = 4,    /* abs, sign, min, max, if with relations */
  RANDOM_STEPS =
      8, /* floor, ceil, integer, mod, div, rem, semiLinear, noEvent, smooth, homotopy */
  RANDOM_POWERS = 16,      /* term ^ term */
  RANDOM_DERIVATIVES = 32, /* variables of order 1 and 2 */
  RANDOM_BIG = 64,         /* numbers beyond 64 bits */
  RANDOM_PI = 128,
  RANDOM_ALL = 255
};

typedef struct {
  DaeTerms *terms;
  uint64_t state;
  unsigned features;
  DaeTerm variables[4];  /* x, y, z, w */
  DaeTerm parameters[2]; /* a, b */
} RandomTerms;

static inline uint64_t
random_word(RandomTerms *r)
{
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline int
random_below(RandomTerms *r, int n)
{
  return (int)(random_word(r) % (uint64_t)n);
}

static inline DaeTerm
random_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name)
{
  DaeSymbol symbol = 0;
  if (!dae_terms_find_symbol(terms, name, &symbol)) {
    symbol = dae_terms_add_symbol(terms, kind, name);
  }
  return dae_term_symbol(terms, symbol);
}

static inline void
random_init(RandomTerms *r, DaeTerms *terms, uint64_t seed, unsigned features)
{
  static const char *const variables[] = {"x", "y", "z", "w"};
  static const char *const parameters[] = {"a", "b"};
  r->terms = terms;
  r->state = seed;
  r->features = features;
  for (int i = 0; i < 2; i++) {
    r->parameters[i] = random_symbol(terms, DAE_SYMBOL_PARAMETER, parameters[i]);
  }
  for (int i = 0; i < 4; i++) {
    r->variables[i] = random_symbol(terms, DAE_SYMBOL_VARIABLE, variables[i]);
  }
}

static inline DaeTerm
random_number(RandomTerms *r)
{
  switch (random_below(r, 8)) {
  case 0:
    return dae_term_ratio(r->terms, random_below(r, 19) - 9, 1 + random_below(r, 9));
  case 1:
    return dae_term_ratio(r->terms, random_below(r, 2001) - 1000, 1000);
  case 2:
    if ((r->features & RANDOM_BIG) == 0) {
      return dae_term_int(r->terms, random_below(r, 100));
    }
    return dae_term_mul(r->terms, dae_term_int(r->terms, (int64_t)(random_word(r) >> 1)),
                        dae_term_ratio(r->terms, (int64_t)(random_word(r) >> 1), 7));
  default:
    return dae_term_int(r->terms, random_below(r, 7) - 3);
  }
}

static inline DaeTerm
random_atom(RandomTerms *r)
{
  int k = random_below(r, 12);
  if (k < 2) {
    return r->parameters[k];
  }
  if (k < 5) {
    return random_number(r);
  }
  if (k == 5 && (r->features & RANDOM_FUNCTIONS) != 0) {
    bool pi = random_below(r, 2) == 0 && (r->features & RANDOM_PI) != 0;
    return pi ? dae_term_pi(r->terms) : dae_term_time(r->terms);
  }
  DaeTerm x = r->variables[random_below(r, 4)];
  if ((r->features & RANDOM_DERIVATIVES) != 0 && random_below(r, 4) == 0) {
    return dae_term_variable(r->terms, dae_term_get_symbol(r->terms, x),
                             (uint32_t)(1 + random_below(r, 2)));
  }
  return x;
}

static inline DaeTerm random_term(RandomTerms *r, int depth);

static inline DaeTerm
random_condition(RandomTerms *r, int depth)
{
  int k = depth > 0 ? random_below(r, 8) : 7;
  switch (k) {
  case 0: {
    DaeTerm a = random_condition(r, depth - 1);
    return dae_term_and(r->terms, a, random_condition(r, depth - 1));
  }
  case 1: {
    DaeTerm a = random_condition(r, depth - 1);
    return dae_term_or(r->terms, a, random_condition(r, depth - 1));
  }
  case 2:
    return dae_term_not(r->terms, random_condition(r, depth - 1));
  case 3:
    return dae_term_bool(r->terms, random_below(r, 2) == 0);
  default: {
    DaeRelation relation = (DaeRelation)random_below(r, 6);
    DaeTerm a = random_term(r, depth - 1);
    return dae_term_relation(r->terms, relation, a, random_term(r, depth - 1));
  }
  }
}

static inline DaeTerm
random_call(RandomTerms *r, int depth)
{
  static const DaeFunction functions[] = {DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN,  DAE_FN_ASIN,
                                          DAE_FN_ACOS, DAE_FN_ATAN, DAE_FN_SINH, DAE_FN_COSH,
                                          DAE_FN_TANH, DAE_FN_EXP,  DAE_FN_LOG,  DAE_FN_LOG10};
  int k = random_below(r, (int)G_N_ELEMENTS(functions) + 1);
  DaeTerm a = random_term(r, depth - 1);
  if (k == (int)G_N_ELEMENTS(functions)) {
    return dae_term_call2(r->terms, DAE_FN_ATAN2, a, random_term(r, depth - 1));
  }
  return dae_term_call1(r->terms, functions[k], a);
}

static inline DaeTerm
random_piece(RandomTerms *r, int depth)
{
  DaeTerm a = random_term(r, depth - 1);
  switch (random_below(r, 6)) {
  case 0:
    return dae_term_call1(r->terms, DAE_FN_ABS, a);
  case 1:
    return dae_term_call1(r->terms, DAE_FN_SIGN, a);
  case 2:
    return dae_term_call2(r->terms, DAE_FN_MIN, a, random_term(r, depth - 1));
  case 3:
    return dae_term_call2(r->terms, DAE_FN_MAX, a, random_term(r, depth - 1));
  default: {
    DaeTerm condition = random_condition(r, depth - 1);
    return dae_term_if(r->terms, condition, a, random_term(r, depth - 1));
  }
  }
}

static inline DaeTerm
random_step(RandomTerms *r, int depth)
{
  DaeTerm a = random_term(r, depth - 1);
  int k = random_below(r, 10);
  static const DaeFunction ones[] = {DAE_FN_FLOOR, DAE_FN_CEIL, DAE_FN_INTEGER, DAE_FN_NOEVENT};
  static const DaeFunction twos[] = {DAE_FN_MOD, DAE_FN_DIV, DAE_FN_REM, DAE_FN_HOMOTOPY};
  if (k < 4) {
    return dae_term_call1(r->terms, ones[k], a);
  }
  if (k < 8) {
    return dae_term_call2(r->terms, twos[k - 4], a, random_term(r, depth - 1));
  }
  if (k == 8) {
    return dae_term_call2(r->terms, DAE_FN_SMOOTH, dae_term_int(r->terms, random_below(r, 3)),
                          a);
  }
  DaeTerm b = random_term(r, depth - 1);
  DaeTerm c = random_term(r, depth - 1);
  return dae_term_call(r->terms, DAE_FN_SEMILINEAR, (DaeTerm[]){a, b, c}, 3);
}

/* a^(p/q), a^n or a^b, as the features allow; a itself where the power does not exist. */
static inline DaeTerm
random_power(RandomTerms *r, int depth)
{
  DaeTerm a = random_term(r, depth - 1);
  DaeTerm exponent = dae_term_int(r->terms, random_below(r, 7) - 3);
  int k = random_below(r, 3);
  if (k == 0 && (r->features & RANDOM_ROOTS) != 0) {
    exponent = dae_term_ratio(r->terms, random_below(r, 13) - 6, 1 + random_below(r, 4));
  } else if (k == 1 && (r->features & RANDOM_POWERS) != 0) {
    exponent = random_term(r, depth - 1);
  }
  DaeTerm result = dae_term_pow(r->terms, a, exponent);
  return result == DAE_NO_TERM ? a : result;
}

/* A real-valued term; never DAE_NO_TERM. */
static inline DaeTerm
random_term(RandomTerms *r, int depth)
{
  if (depth <= 0) {
    return random_atom(r);
  }
  int k = random_below(r, 16);
  if (k >= 13) {
    return random_atom(r);
  }
  if (k >= 11 && (r->features & RANDOM_FUNCTIONS) != 0) {
    return random_call(r, depth);
  }
  if (k == 10 && (r->features & RANDOM_PIECES) != 0) {
    return random_piece(r, depth);
  }
  if (k == 9 && (r->features & RANDOM_STEPS) != 0) {
    return random_step(r, depth);
  }
  if (k >= 7) {
    return random_power(r, depth);
  }
  DaeTerm a = random_term(r, depth - 1);
  DaeTerm b = random_term(r, depth - 1);
  if (k < 3) {
    return dae_term_add(r->terms, a, b);
  }
  if (k == 3) {
    return dae_term_sub(r->terms, a, b);
  }
  if (k == 4) {
    DaeTerm quotient = dae_term_div(r->terms, a, b);
    return quotient == DAE_NO_TERM ? a : quotient;
  }
  return dae_term_mul(r->terms, a, b);
}

#endif
