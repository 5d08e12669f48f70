#include "random_terms.h"

static DaeTerm
random_leaf(const RandomTerms *source)
{
  if (g_rand_int_range(source->random, 0, 4) == 0) {
    return dae_term_ratio(source->terms, g_rand_int_range(source->random, -9, 10),
                          g_rand_int_range(source->random, 1, 8));
  }
  return source->atoms[g_rand_int_range(source->random, 0, (int)source->n_atoms)];
}

static DaeTerm
random_condition(const RandomTerms *source, int depth)
{
  DaeTerms *terms = source->terms;
  const DaeTerm a = random_term(source, depth - 1);
  const DaeTerm b = random_term(source, depth - 1);
  const DaeTerm first = dae_term_relation(
      terms, (DaeRelation)g_rand_int_range(source->random, DAE_REL_LT, DAE_REL_NE + 1), a, b);
  const DaeTerm second = dae_term_relation(terms, DAE_REL_LT, b, random_leaf(source));
  switch (g_rand_int_range(source->random, 0, 4)) {
  case 0:
    return dae_term_and(terms, first, second);
  case 1:
    return dae_term_or(terms, first, second);
  case 2:
    return dae_term_not(terms, first);
  default:
    return first;
  }
}

static DaeTerm
random_call(const RandomTerms *source, int depth)
{
  static const DaeFunction smooth[] = {DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN,  DAE_FN_ASIN,
                                       DAE_FN_ACOS, DAE_FN_ATAN, DAE_FN_SINH, DAE_FN_COSH,
                                       DAE_FN_TANH, DAE_FN_EXP,  DAE_FN_LOG,  DAE_FN_LOG10};
  static const DaeFunction stepped[] = {DAE_FN_ABS,  DAE_FN_SIGN,    DAE_FN_FLOOR,
                                        DAE_FN_CEIL, DAE_FN_INTEGER, DAE_FN_NOEVENT};
  static const DaeFunction pairs[] = {DAE_FN_MIN, DAE_FN_MAX, DAE_FN_MOD, DAE_FN_DIV,
                                      DAE_FN_REM};
  DaeTerms *terms = source->terms;
  const DaeTerm a = random_term(source, depth - 1);
  const int choice = source->smooth ? 0 : g_rand_int_range(source->random, 0, 4);
  if (choice == 1) {
    return dae_term_call1(
        terms, stepped[g_rand_int_range(source->random, 0, G_N_ELEMENTS(stepped))], a);
  }
  if (choice == 2) {
    const DaeTerm b = random_term(source, depth - 1);
    return dae_term_call2(
        terms, pairs[g_rand_int_range(source->random, 0, G_N_ELEMENTS(pairs))], a, b);
  }
  if (choice == 3) {
    const DaeTerm operands[3] = {a, random_leaf(source), random_leaf(source)};
    return dae_term_call(terms, DAE_FN_SEMILINEAR, operands, 3);
  }
  return dae_term_call1(terms,
                        smooth[g_rand_int_range(source->random, 0, G_N_ELEMENTS(smooth))], a);
}

static DaeTerm
random_power(const RandomTerms *source, int depth)
{
  static const int64_t halves[] = {-6, -4, -3, -2, -1, 1, 3, 4, 5, 6, 8, 10, 14};
  const DaeTerm base = random_term(source, depth - 1);
  if (dae_term_is_number(source->terms, base)) {
    return base;
  }
  const int64_t twice = halves[g_rand_int_range(source->random, 0, G_N_ELEMENTS(halves))];
  return dae_term_pow(source->terms, base, dae_term_ratio(source->terms, twice, 2));
}

DaeTerm
random_term(const RandomTerms *source, int depth)
{
  DaeTerms *terms = source->terms;
  if (depth <= 0) {
    return random_leaf(source);
  }
  const DaeTerm a = random_term(source, depth - 1);
  const DaeTerm b = random_term(source, depth - 1);
  DaeTerm quotient;
  switch (g_rand_int_range(source->random, 0, source->smooth ? 7 : 8)) {
  case 0:
  case 1:
    return dae_term_add(terms, dae_term_mul(terms, a, b),
                        dae_term_mul(terms, random_leaf(source), random_leaf(source)));
  case 2:
    return dae_term_mul(terms, a, b);
  case 3:
    return dae_term_sub(terms, a, b);
  case 4:
    quotient = dae_term_div(terms, a, b);
    return quotient != DAE_NO_TERM ? quotient : a;
  case 5:
    return random_power(source, depth);
  case 6:
    return random_call(source, depth);
  default:
    return dae_term_if(terms, random_condition(source, depth), a, b);
  }
}
