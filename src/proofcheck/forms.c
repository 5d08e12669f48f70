/* Sums of rational multiples of angles and of logarithms, by the arithmetic of terms: the
 * product of (1 + i*a)^n for n*atan(a), of (sqrt(1 - a^2) + i*a)^n for n*asin(a), (-1)^n for
 * n*pi, as a real and an imaginary part. Where the imaginary part is 0 and the real one
 * positive, the sum is a multiple of 2*pi, and 0 where a ball says that it is less. */
#include "proofcheck/separation.h"

#define MOST_MULTIPLE 1000
#define MOST_FACTORS 2000 /* multiplications of all powers together */

typedef struct {
  DaeTerms *terms;
  GHashTable *bound;
  DaeCertifier *signs;
  DaeTerm re, im;      /* of the product so far */
  bool is_logarithmic; /* re is the product of the arguments, im stays 0 */
  uint32_t n_factors;
} Product;

/* t without bound atoms; DAE_NO_TERM: a circle of bindings, or undefined. */
static DaeTerm
without_bindings(const Product *p, DaeTerm t)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(p->terms);
  GHashTableIter iter;
  gpointer atom = NULL;
  gpointer value = NULL;
  uint32_t passes = g_hash_table_size(p->bound) + 1;
  g_hash_table_iter_init(&iter, p->bound);
  while (g_hash_table_iter_next(&iter, &atom, &value)) {
    dae_subst_set(subst, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(value));
  }
  for (uint32_t k = 0; k < passes && t != DAE_NO_TERM; k++) {
    DaeTerm next = dae_subst_apply(subst, t);
    if (next == t) {
      return t;
    }
    t = next;
  }
  return DAE_NO_TERM;
}

/* t = c*call; *call is 0 where it is a bare number. */
static DaeTerm
split(const Product *p, DaeTerm t, DaeTerm *call)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(p->terms, t, &n);
  *call = t;
  if (dae_term_kind(p->terms, t) == DAE_KIND_PRODUCT && n == 2 &&
      dae_term_is_number(p->terms, operands[0])) {
    *call = operands[1];
    return operands[0];
  }
  return dae_term_int(p->terms, 1);
}

static void
multiply(Product *p, DaeTerm a, DaeTerm b)
{
  DaeTerms *terms = p->terms;
  DaeTerm re =
      dae_term_sub(terms, dae_term_mul(terms, p->re, a), dae_term_mul(terms, p->im, b));
  p->im = dae_term_add(terms, dae_term_mul(terms, p->re, b), dae_term_mul(terms, p->im, a));
  p->re = re;
}

/* The real and imaginary part of the factor of a call. */
static bool
factor_of(const Product *p, DaeTerm call, DaeTerm *a, DaeTerm *b)
{
  DaeTerms *terms = p->terms;
  DaeTerm one = dae_term_int(terms, 1);
  DaeFunction f = dae_term_function(terms, call);
  DaeTerm w = f == DAE_FN_PI ? one : dae_term_operand(terms, call, 0);
  DaeTerm root = dae_term_sqrt(terms, dae_term_sub(terms, one, dae_term_mul(terms, w, w)));
  *a = f == DAE_FN_PI ? dae_term_int(terms, -1) : f == DAE_FN_ASIN ? root : w;
  *b = f == DAE_FN_PI || p->is_logarithmic ? dae_term_int(terms, 0)
       : f == DAE_FN_ACOS                  ? root
                                           : w;
  *a = f == DAE_FN_ATAN ? one : *a;
  return *a != DAE_NO_TERM && *b != DAE_NO_TERM;
}

static bool
is_factor(const Product *p, DaeTerm call)
{
  if (dae_term_kind(p->terms, call) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction f = dae_term_function(p->terms, call);
  int sign = 0;
  if (p->is_logarithmic) {
    return f == DAE_FN_LOG &&
           dae_certifier_sign(p->signs, dae_term_operand(p->terms, call, 0), &sign) && sign > 0;
  }
  return f == DAE_FN_PI || f == DAE_FN_ATAN || f == DAE_FN_ASIN || f == DAE_FN_ACOS;
}

static bool
multiply_power(Product *p, DaeTerm call, int64_t n)
{
  DaeTerm a = DAE_NO_TERM;
  DaeTerm b = DAE_NO_TERM;
  p->n_factors += (uint32_t)ABS(n);
  if (p->n_factors > MOST_FACTORS || !is_factor(p, call) || !factor_of(p, call, &a, &b)) {
    return false;
  }
  if (p->is_logarithmic) {
    p->re = dae_term_mul(p->terms, p->re, dae_term_pow_int(p->terms, a, n));
    return p->re != DAE_NO_TERM;
  }
  b = n < 0 ? dae_term_neg(p->terms, b) : b;
  for (int64_t k = 0; k < ABS(n); k++) {
    multiply(p, a, b);
  }
  return true;
}

/* The least N such that all N*c are integers; 0: none that is small. */
static int64_t
common_denominator(const Product *p, const DaeTerm *summands, uint32_t n)
{
  for (int64_t N = 1; N <= MOST_MULTIPLE; N++) {
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++) {
      DaeTerm call = DAE_NO_TERM;
      int64_t m = 0;
      DaeTerm c = split(p, summands[k], &call);
      ok = dae_term_get_int64(p->terms, dae_term_mul(p->terms, c, dae_term_int(p->terms, N)),
                              &m) &&
           ABS(m) <= MOST_MULTIPLE;
    }
    if (ok) {
      return N;
    }
  }
  return 0;
}

static bool
vanishes(const Product *p, DaeTerm t)
{
  return t != DAE_NO_TERM && (dae_term_is_number(p->terms, t)
                                  ? dae_term_is_zero(p->terms, t)
                                  : dae_separation_is_zero(p->terms, p->bound, p->signs, t));
}

bool
dae_forms_vanishes(DaeTerms *terms, GHashTable *bound, DaeCertifier *signs, DaeTerm t)
{
  Product p = {.terms = terms, .bound = bound, .signs = signs};
  t = without_bindings(&p, t);
  if (t == DAE_NO_TERM) {
    return false;
  }
  uint32_t n = 1;
  const DaeTerm *operands = &t;
  if (dae_term_kind(terms, t) == DAE_KIND_SUM) {
    operands = dae_term_operands(terms, t, &n);
  }
  g_autofree DaeTerm *summands = g_memdup2(operands, n * sizeof *summands);
  int64_t N = common_denominator(&p, summands, n);
  for (int pass = 0; pass < 2 && N > 0; pass++) {
    bool ok = true;
    p.is_logarithmic = pass == 1;
    p.re = dae_term_int(terms, 1);
    p.im = dae_term_int(terms, 0);
    p.n_factors = 0;
    for (uint32_t k = 0; k < n && ok; k++) {
      DaeTerm call = DAE_NO_TERM;
      int64_t m = 0;
      DaeTerm c = split(&p, summands[k], &call);
      ok = dae_term_get_int64(terms, dae_term_mul(terms, c, dae_term_int(terms, N)), &m) &&
           multiply_power(&p, call, m);
    }
    int sign = 0;
    if (ok && p.is_logarithmic) {
      return vanishes(&p, dae_term_sub(terms, p.re, dae_term_int(terms, 1)));
    }
    if (ok) {
      return dae_certifier_is_below(signs, dae_term_mul(terms, dae_term_int(terms, N), t), 0) &&
             dae_certifier_sign(signs, p.re, &sign) && sign > 0 && vanishes(&p, p.im);
    }
  }
  return false;
}
