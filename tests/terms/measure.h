/* The measure of docs/rewriting.md, "Why it ends", computed as it is written there. For small
 * terms: it walks the tree, not the DAG. */
#ifndef DAE_TESTS_TERMS_MEASURE_H
#define DAE_TESTS_TERMS_MEASURE_H

#include <math.h>

#include "terms/rules.h"

enum {
  MEASURE_WEIGHT,
  MEASURE_UNSPLIT,
  MEASURE_LOGS,
  MEASURE_TURNS,
  MEASURE_NEGATIVE,
  MEASURE_SUMMANDS,
  MEASURE_NESTED,
  MEASURE_ABS,
  MEASURE_ABS_OF_POWER,
  MEASURE_DISORDER,
  MEASURE_N
};

typedef struct {
  double part[MEASURE_N];
} Measure;

static inline bool
measure_is_root(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_POWER &&
         dae_is_kind(terms, dae_term_operand(terms, t, 1), DAE_KIND_NUMBER) &&
         !dae_rule_is_integer(terms, dae_term_operand(terms, t, 1));
}

static inline bool
measure_is_call(DaeTerms *terms, DaeTerm t, DaeFunction function)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL && dae_term_function(terms, t) == function;
}

static inline double
measure_weight(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  double sum = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    sum += measure_weight(terms, u[i]);
  }
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
    return 0.0;
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return 1.0;
  case DAE_KIND_SUM:
  case DAE_KIND_PRODUCT:
    return sum;
  case DAE_KIND_POWER:
    if (dae_is_kind(terms, u[1], DAE_KIND_NUMBER)) {
      return sum;
    }
    return dae_is_kind(terms, u[0], DAE_KIND_NUMBER) ? 2.0 * sum : 2.0 * sum + 1.0;
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    return sum + n - 1;
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_NOT:
    return 2.0 * sum + 1.0;
  case DAE_KIND_CALL:
    break;
  }
  switch ((int)dae_term_function(terms, t)) {
  case DAE_FN_PI:
    return 0.0;
  case DAE_FN_ABS:
    return sum;
  case DAE_FN_ASIN:
  case DAE_FN_ACOS:
  case DAE_FN_ATAN:
    return 4.0 * sum + 1.0;
  case DAE_FN_ATAN2:
    return 4.0 * sum + 2.0;
  case DAE_FN_LOG:
    return 2.0 * sum;
  case DAE_FN_EXP:
  case DAE_FN_TAN:
  case DAE_FN_TANH:
    return 2.0 * sum + 1.5;
  default:
    return 2.0 * sum + 1.0;
  }
}

/* Prime factors of numerator and denominator, with multiplicity, and 1 for a denominator. */
static inline double
measure_primes(DaeTerms *terms, DaeTerm number)
{
  DaeRat value = dae_number_view(terms, number);
  double count = value.den == 1 ? 0.0 : 1.0;
  for (int part = 0; part < 2 && value.big == NULL; part++) {
    int64_t m = part == 0 ? ABS(value.num) : value.den;
    for (int64_t p = 2; p * p <= m; p++) {
      for (; m % p == 0; m /= p) {
        count += 1.0;
      }
    }
    count += m > 1;
  }
  return value.big == NULL ? count : 100.0;
}

/* What could leave the operand u of a root, log, abs or sign. */
static inline double
measure_unsplit(DaeTerms *terms, DaeTerm u)
{
  if (dae_is_kind(terms, u, DAE_KIND_SUM)) {
    DaeRat content;
    dae_build_primitive(terms, u, &content);
    bool unit = dae_rat_is_int(&content, 1) || dae_rat_is_int(&content, -1);
    dae_rat_clear(&content);
    return unit ? 0.0 : 1.0;
  }
  if (!dae_is_kind(terms, u, DAE_KIND_PRODUCT)) {
    return 0.0;
  }
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_operands(terms, u, &n);
  double count = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_is_kind(terms, factors[i], DAE_KIND_NUMBER)) {
      count += dae_rule_is_nonnegative(terms, factors[i]);
    } else {
      count += 1.0 + measure_primes(terms, factors[i]);
    }
  }
  return count;
}

static inline void
measure_call(DaeTerms *terms, DaeTerm t, DaeTerm u, Measure *m)
{
  DaeFunction function = dae_term_function(terms, t);
  static const DaeFunction parity[] = {DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN,  DAE_FN_ASIN,
                                       DAE_FN_ACOS, DAE_FN_ATAN, DAE_FN_SINH, DAE_FN_COSH,
                                       DAE_FN_TANH, DAE_FN_ABS,  DAE_FN_SIGN};
  for (size_t i = 0; i < G_N_ELEMENTS(parity); i++) {
    m->part[MEASURE_NEGATIVE] += function == parity[i] && dae_leading_is_negative(terms, u);
  }
  if (function == DAE_FN_LOG && dae_is_kind(terms, u, DAE_KIND_NUMBER)) {
    double primes = dae_term_sign(terms, u) > 0 ? measure_primes(terms, u) : 0.0;
    m->part[MEASURE_UNSPLIT] += MAX(primes - 1.0, 0.0);
  } else if (function == DAE_FN_LOG || function == DAE_FN_ABS || function == DAE_FN_SIGN) {
    m->part[MEASURE_UNSPLIT] += measure_unsplit(terms, u);
  }
  m->part[MEASURE_LOGS] += function == DAE_FN_LOG;
  m->part[MEASURE_ABS] += function == DAE_FN_ABS;
  m->part[MEASURE_ABS_OF_POWER] +=
      function == DAE_FN_ABS && dae_is_kind(terms, u, DAE_KIND_POWER);
  if (function == DAE_FN_MIN || function == DAE_FN_MAX) {
    DaeTerm v = dae_term_operand(terms, t, 1);
    m->part[MEASURE_DISORDER] += dae_term_compare(terms, u, v) > 0;
  }
  bool turns = function == DAE_FN_SIN || function == DAE_FN_COS || function == DAE_FN_TAN;
  if (turns && dae_is_kind(terms, u, DAE_KIND_SUM)) {
    uint32_t n = 0;
    const DaeTerm *s = dae_term_operands(terms, u, &n);
    for (uint32_t i = 0; i < n; i++) {
      DaeTerm c = dae_term_div(terms, s[i], dae_term_pi(terms));
      if (dae_is_kind(terms, c, DAE_KIND_NUMBER)) {
        m->part[MEASURE_TURNS] += fabs(dae_term_get_double(terms, c));
      }
    }
  }
}

static inline bool
measure_is_nested(DaeTerms *terms, DaeTerm u)
{
  while (measure_is_call(terms, u, DAE_FN_ABS)) {
    u = dae_term_operand(terms, u, 0);
  }
  return dae_is_kind(terms, u, DAE_KIND_POWER);
}

static inline void
measure_add(DaeTerms *terms, DaeTerm t, Measure *m)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    measure_add(terms, u[i], m);
  }
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_SUM) {
    m->part[MEASURE_SUMMANDS] += n;
  }
  if (kind == DAE_KIND_POWER) {
    bool over_exp = measure_is_call(terms, u[0], DAE_FN_EXP);
    m->part[MEASURE_NESTED] += measure_is_nested(terms, u[0]) || over_exp;
  }
  if (measure_is_root(terms, t)) {
    m->part[MEASURE_UNSPLIT] += measure_unsplit(terms, u[0]);
  }
  if (measure_is_call(terms, t, DAE_FN_LOG)) {
    m->part[MEASURE_NESTED] += measure_is_nested(terms, u[0]);
  }
  if (kind == DAE_KIND_CALL && n > 0) {
    measure_call(terms, t, u[0], m);
  }
  if (kind == DAE_KIND_RELATION) {
    DaeRelation op = dae_term_relation_op(terms, t);
    bool symmetric = op == DAE_REL_EQ || op == DAE_REL_NE;
    m->part[MEASURE_DISORDER] += op == DAE_REL_GT || op == DAE_REL_GE ||
                                 (symmetric && dae_term_compare(terms, u[0], u[1]) > 0);
  }
}

static inline Measure
measure_of(DaeTerms *terms, DaeTerm t)
{
  Measure m = {.part = {measure_weight(terms, t)}};
  measure_add(terms, t, &m);
  return m;
}

/* < 0 if a is smaller, lexicographically. */
static inline int
measure_compare(const Measure *a, const Measure *b)
{
  for (int i = 0; i < MEASURE_N; i++) {
    if (a->part[i] < b->part[i] - 1e-9) {
      return -1;
    }
    if (a->part[i] > b->part[i] + 1e-9) {
      return 1;
    }
  }
  return 0;
}

#endif
