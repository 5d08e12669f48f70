/* Sines, cosines, exponentials and symbolic powers of expanded sums: one kernel per monomial of
 * the arguments, in the unit that makes all coefficients of that monomial integers. Then exp(a
 * + b) = exp(a) exp(b), sin(a + b), sin(2*a) and their likes are polynomial identities. */
#include "algebra/lower.h"

#define LIMIT_MULTIPLE 128 /* sin(n*x): degree of the polynomial */
#define LIMIT_SUMMANDS 5   /* sin(a + b + ...): 2^summands products */
#define LIMIT_EXPONENT 400 /* exp(n*x) = exp(x)^n */
/* exp(a + b + ...) = exp(a)*exp(b)*...: beyond, it stays one kernel */
#define LIMIT_FACTORS 100

typedef struct {
  DaeTerm sine;
  DaeTerm cosine;
} Angle;

static Angle
add_angles(DaeTerms *terms, Angle a, Angle b)
{
  Angle sum;
  sum.sine = dae_term_add(terms, dae_term_mul(terms, a.sine, b.cosine),
                          dae_term_mul(terms, a.cosine, b.sine));
  sum.cosine = dae_term_sub(terms, dae_term_mul(terms, a.cosine, b.cosine),
                            dae_term_mul(terms, a.sine, b.sine));
  return sum;
}

static Angle
multiply_angle(DaeTerms *terms, Angle a, int64_t n)
{
  Angle result = {dae_term_int(terms, 0), dae_term_int(terms, 1)};
  if (n < 0) {
    a.sine = dae_term_neg(terms, a.sine);
    n = -n;
  }
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) {
      result = add_angles(terms, result, a);
    }
    a = n > 1 ? add_angles(terms, a, a) : a;
  }
  return result;
}

static Angle
kernels_of_angle(DaeTerms *terms, DaeTerm angle)
{
  return (Angle){dae_term_call1(terms, DAE_FN_SIN, angle),
                 dae_term_call1(terms, DAE_FN_COS, angle)};
}

static DaeTerm
square_root(DaeLower *l, DaeTerm a)
{
  fmpq_t half;
  fmpq_init(half);
  fmpq_set_si(half, 1, 2);
  DaeTerm root = dae_lower_root(l, a, half);
  fmpq_clear(half);
  return root;
}

/* Inverse functions as angles: sin(asin(w)) = w, cos(asin(w)) =
 * sqrt(1 - w^2); the same with atan. */
static bool
angle_of_inverse(DaeLower *l, DaeTerm monomial, Angle *angle)
{
  DaeTerms *terms = l->terms;
  if (dae_term_kind(terms, monomial) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction f = dae_term_function(terms, monomial);
  if (f != DAE_FN_ASIN && f != DAE_FN_ATAN) {
    return false;
  }
  DaeTerm w = dae_term_operand(terms, monomial, 0);
  DaeTerm square = dae_term_pow_int(terms, w, 2);
  DaeTerm one = dae_term_int(terms, 1);
  if (f == DAE_FN_ASIN) {
    angle->sine = w;
    angle->cosine = square_root(l, dae_term_sub(terms, one, square));
    return angle->cosine != DAE_NO_TERM;
  }
  DaeTerm root = square_root(l, dae_term_add(terms, one, square));
  if (root == DAE_NO_TERM) {
    return false;
  }
  angle->cosine = dae_term_pow_int(terms, root, -1);
  angle->sine = dae_term_mul(terms, w, angle->cosine);
  return true;
}

/* Multiples of pi/12 in square roots of 2 and 3. */
static bool
angle_of_pi(DaeLower *l, const fmpq_t coefficient, Angle *angle)
{
  DaeTerms *terms = l->terms;
  fmpq_t twelfths;
  fmpq_init(twelfths);
  fmpq_mul_ui(twelfths, coefficient, 12);
  bool ok = fmpz_is_one(fmpq_denref(twelfths));
  int64_t n = ok ? (int64_t)fmpz_fdiv_ui(fmpq_numref(twelfths), 24) : 0;
  fmpq_clear(twelfths);
  if (!ok) {
    return false;
  }
  DaeTerm root2 = square_root(l, dae_term_int(terms, 2));
  DaeTerm root6 = dae_term_mul(terms, root2, square_root(l, dae_term_int(terms, 3)));
  DaeTerm quarter = dae_term_ratio(terms, 1, 4);
  Angle twelfth = {dae_term_mul(terms, quarter, dae_term_sub(terms, root6, root2)),
                   dae_term_mul(terms, quarter, dae_term_add(terms, root6, root2))};
  *angle = multiply_angle(terms, twelfth, n);
  return true;
}

static Angle
angle_of_summand(DaeLower *l, const DaeSummand *s)
{
  DaeTerms *terms = l->terms;
  Angle angle;
  if (s->monomial == dae_term_pi(terms) && angle_of_pi(l, &s->coefficient, &angle)) {
    return angle;
  }
  int64_t n = 0;
  DaeTerm unit = DAE_NO_TERM;
  if (!dae_lower_count_units(l, DAE_UNIT_ANGLE, s->monomial, &s->coefficient, LIMIT_MULTIPLE,
                             &n, &unit)) {
    /* too many multiples of the unit: a kernel of its own, with positive coefficient */
    fmpq_t magnitude;
    fmpq_init(magnitude);
    fmpq_abs(magnitude, &s->coefficient);
    unit = dae_number_from_fmpq(terms, magnitude);
    fmpq_clear(magnitude);
    n = fmpq_sgn(&s->coefficient);
  }
  if (!dae_term_is_one(terms, unit) || !angle_of_inverse(l, s->monomial, &angle)) {
    angle = kernels_of_angle(terms, dae_term_mul(terms, unit, s->monomial));
  }
  return multiply_angle(terms, angle, n);
}

/* A long sum stays one angle; its sign is normalized by the first summand. */
static Angle
angle_of_long_sum(DaeLower *l, DaeTerm a, const GArray *summands)
{
  bool negative = fmpq_sgn(&g_array_index(summands, DaeSummand, 0).coefficient) < 0;
  DaeTerm normal = dae_lower_normal(l, a);
  normal = normal == DAE_NO_TERM ? a : normal;
  Angle angle = kernels_of_angle(l->terms, negative ? dae_term_neg(l->terms, normal) : normal);
  return negative ? multiply_angle(l->terms, angle, -1) : angle;
}

bool
dae_lower_sine_cosine(DaeLower *l, DaeTerm a, DaeTerm *sine, DaeTerm *cosine)
{
  g_autoptr(GArray) summands = g_array_new(FALSE, FALSE, sizeof(DaeSummand));
  Angle total = {dae_term_int(l->terms, 0), dae_term_int(l->terms, 1)};
  if (!dae_lower_expand(l, a, summands)) {
    total = kernels_of_angle(l->terms, a);
  } else if (summands->len > LIMIT_SUMMANDS) {
    total = angle_of_long_sum(l, a, summands);
  } else {
    for (guint i = 0; i < summands->len; i++) {
      Angle part = angle_of_summand(l, &g_array_index(summands, DaeSummand, i));
      total = add_angles(l->terms, total, part);
    }
  }
  dae_lower_clear_summands(summands);
  *sine = total.sine;
  *cosine = total.cosine;
  return !l->failed;
}

/* ---- exponentials ------------------------------------------------------------------------ */

static DaeTerm
exp_of_summand(DaeLower *l, const DaeSummand *s)
{
  DaeTerms *terms = l->terms;
  bool is_log = dae_term_kind(terms, s->monomial) == DAE_KIND_CALL &&
                dae_term_function(terms, s->monomial) == DAE_FN_LOG;
  if (is_log) { /* exp(c*log(u)) = u^c, and u > 0 because its logarithm occurs */
    return dae_lower_root(l, dae_term_operand(terms, s->monomial, 0), &s->coefficient);
  }
  int64_t n = 0;
  DaeTerm unit = DAE_NO_TERM;
  if (!dae_lower_count_units(l, DAE_UNIT_EXPONENT, s->monomial, &s->coefficient, LIMIT_EXPONENT,
                             &n, &unit)) {
    unit = dae_number_from_fmpq(terms, &s->coefficient);
    n = 1;
  }
  DaeTerm kernel = dae_term_call1(terms, DAE_FN_EXP, dae_term_mul(terms, unit, s->monomial));
  return dae_term_pow_int(terms, kernel, n);
}

DaeTerm
dae_lower_exp(DaeLower *l, DaeTerm a)
{
  g_autoptr(GArray) summands = g_array_new(FALSE, FALSE, sizeof(DaeSummand));
  DaeTerm result = dae_term_int(l->terms, 1);
  if (!dae_lower_expand(l, a, summands) || summands->len > LIMIT_FACTORS) {
    dae_lower_clear_summands(summands);
    return dae_term_call1(l->terms, DAE_FN_EXP, a);
  }
  for (guint i = 0; i < summands->len && result != DAE_NO_TERM; i++) {
    DaeTerm part = exp_of_summand(l, &g_array_index(summands, DaeSummand, i));
    result = part == DAE_NO_TERM ? DAE_NO_TERM : dae_term_mul(l->terms, result, part);
  }
  dae_lower_clear_summands(summands);
  return result;
}

/* ---- symbolic powers --------------------------------------------------------------------- */

/* base^(c*m) for a base of unknown sign: only integer multiples may be split off, since the
 * base may be negative where the exponent happens to be an integer. */
static DaeTerm
power_of_summand(DaeLower *l, DaeTerm base, const DaeSummand *s)
{
  DaeTerms *terms = l->terms;
  if (dae_term_is_one(terms, s->monomial)) {
    return dae_term_pow(terms, base, dae_number_from_fmpq(terms, &s->coefficient));
  }
  int64_t n = 0;
  DaeTerm unit = DAE_NO_TERM;
  DaeTerm key = dae_term_pow(terms, base, s->monomial);
  if (key == DAE_NO_TERM || !dae_lower_count_units(l, DAE_UNIT_EXPONENT, key, &s->coefficient,
                                                   LIMIT_EXPONENT, &n, &unit)) {
    return DAE_NO_TERM;
  }
  DaeTerm kernel = dae_term_pow(terms, base, dae_term_mul(terms, unit, s->monomial));
  return kernel == DAE_NO_TERM ? DAE_NO_TERM : dae_term_pow_int(terms, kernel, n);
}

DaeTerm
dae_lower_symbolic_power(DaeLower *l, DaeTerm base, DaeTerm exponent)
{
  DaeTerms *terms = l->terms;
  DaeTerm normal = dae_lower_normal(l, base);
  base = normal == DAE_NO_TERM ? base : normal;
  DaeRange range = dae_sign_range(l->algebra, base);
  if (range == DAE_RANGE_POSITIVE ||
      GPOINTER_TO_INT(g_hash_table_lookup(l->signs, GUINT_TO_POINTER(base))) > 0) {
    DaeTerm log_base = dae_lower_log(l, base);
    return dae_lower_exp(l, dae_term_mul(terms, exponent, log_base));
  }
  g_autoptr(GArray) summands = g_array_new(FALSE, FALSE, sizeof(DaeSummand));
  DaeTerm result = dae_lower_expand(l, exponent, summands) && summands->len <= LIMIT_FACTORS
                       ? dae_term_int(terms, 1)
                       : DAE_NO_TERM;
  for (guint i = 0; i < summands->len && result != DAE_NO_TERM; i++) {
    DaeTerm part = power_of_summand(l, base, &g_array_index(summands, DaeSummand, i));
    result = part == DAE_NO_TERM ? DAE_NO_TERM : dae_term_mul(terms, result, part);
  }
  dae_lower_clear_summands(summands);
  return result == DAE_NO_TERM ? dae_term_pow(terms, base, exponent) : result;
}
