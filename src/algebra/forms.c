/* Sums of rational multiples of angles (atan, asin, acos of algebraic numbers, pi) and of
 * logarithms, decided exactly. With N the common denominator, N*t is an angle whose cosine and
 * sine are algebraic: t = 0 when exp(i*N*t) = 1 and |N*t| < 2*pi (Machin's formula: 4*atan(1/5) -
 * atan(1/239) = pi/4). A sum of logarithms is zero when the product of the powers is 1. */
#include "algebra/algebra-priv.h"

#define MOST_MULTIPLE 1000
#define LIMIT_DEGREE 60
#define LIMIT_BITS 20000

typedef enum { FORM_NONE, FORM_ANGLES, FORM_LOGARITHMS } FormKind;

typedef struct {
  DaeAlgebra *algebra;
  FormKind kind;
  qqbar_t product; /* of the factors so far; of angles up to a positive factor */
} Form;

static FormKind
kind_of_summand(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return FORM_NONE;
  }
  switch ((int)dae_term_function(terms, t)) {
  case DAE_FN_PI:
  case DAE_FN_ATAN:
  case DAE_FN_ASIN:
  case DAE_FN_ACOS:
    return FORM_ANGLES;
  case DAE_FN_LOG:
    return FORM_LOGARITHMS;
  default:
    return FORM_NONE;
  }
}

/* The least common multiple of the denominators; 0: too large, or not a form. */
static int64_t
common_denominator(Form *form, const DaeTerm *summands, uint32_t n)
{
  DaeTerms *terms = form->algebra->terms;
  fmpz_t lcm;
  fmpq_t c;
  fmpz_init_set_si(lcm, 1);
  fmpq_init(c);
  bool ok = true;
  for (uint32_t k = 0; k < n && ok; k++) {
    FormKind kind = kind_of_summand(terms, dae_number_split(terms, summands[k], c));
    ok = kind != FORM_NONE && (k == 0 || kind == form->kind);
    form->kind = kind;
    fmpz_lcm(lcm, lcm, fmpq_denref(c));
  }
  int64_t result = ok && fmpz_cmp_si(lcm, MOST_MULTIPLE) <= 0 ? fmpz_get_si(lcm) : 0;
  fmpz_clear(lcm);
  fmpq_clear(c);
  return result;
}

/* exp(i*angle) up to a positive factor, or the argument of the logarithm. */
static bool
factor_of(DaeAlgebra *algebra, DaeTerm call, qqbar_t out)
{
  DaeFunction f = dae_term_function(algebra->terms, call);
  if (f == DAE_FN_PI) {
    qqbar_set_si(out, -1);
    return true;
  }
  qqbar_t a;
  qqbar_init(a);
  bool ok = dae_algebraic_value(algebra, dae_term_operand(algebra->terms, call, 0), a) &&
            qqbar_is_real(a) && (f != DAE_FN_LOG || qqbar_sgn_re(a) > 0);
  if (ok && f == DAE_FN_LOG) {
    qqbar_set(out, a);
  } else if (ok && f == DAE_FN_ATAN) { /* 1 + i*a */
    qqbar_i(out);
    qqbar_mul(out, out, a);
    qqbar_add_si(out, out, 1);
  } else if (ok) { /* sqrt(1 - a^2) + i*a, a + i*sqrt(1 - a^2) */
    qqbar_t root;
    qqbar_init(root);
    qqbar_mul(root, a, a);
    qqbar_neg(root, root);
    qqbar_add_si(root, root, 1);
    ok = qqbar_sgn_re(root) >= 0 && 4 * qqbar_degree(a) <= LIMIT_DEGREE;
    if (ok) {
      qqbar_sqrt(root, root);
      qqbar_i(out);
      qqbar_mul(out, out, f == DAE_FN_ASIN ? a : root);
      qqbar_add(out, out, f == DAE_FN_ASIN ? root : a);
    }
    qqbar_clear(root);
  }
  qqbar_clear(a);
  return ok;
}

/* c*denominator of a summand c*call; 0: too large. */
static int64_t
multiple_of(const fmpq_t c, int64_t denominator)
{
  fmpz_t n;
  fmpz_init(n);
  fmpz_mul_si(n, fmpq_numref(c), denominator);
  fmpz_divexact(n, n, fmpq_denref(c));
  int64_t result = fmpz_fits_si(n) ? fmpz_get_si(n) : 0;
  fmpz_clear(n);
  return ABS(result) <= MOST_MULTIPLE ? result : 0;
}

static bool
multiply_by(Form *form, DaeTerm summand, int64_t denominator)
{
  fmpq_t c;
  qqbar_t factor;
  fmpq_init(c);
  qqbar_init(factor);
  DaeTerm call = dae_number_split(form->algebra->terms, summand, c);
  int64_t n = multiple_of(c, denominator);
  bool ok = n != 0 && factor_of(form->algebra, call, factor) &&
            qqbar_height_bits(factor) * ABS(n) * qqbar_degree(factor) <= LIMIT_BITS;
  if (ok) {
    qqbar_pow_si(factor, factor, n);
    ok = qqbar_binop_within_limits(form->product, factor, LIMIT_DEGREE, LIMIT_BITS) &&
         !dae_algebra_spent(form->algebra);
  }
  if (ok) {
    qqbar_mul(form->product, form->product, factor);
  }
  qqbar_clear(factor);
  fmpq_clear(c);
  return ok;
}

/* |denominator*t| < 6 < 2*pi? */
static bool
is_in_one_turn(DaeAlgebra *algebra, DaeTerm t, int64_t denominator)
{
  arb_srcptr ball = dae_ball_at_point_0(algebra, t);
  if (ball == NULL) {
    return false;
  }
  arb_t size;
  arb_init(size);
  arb_abs(size, ball);
  arb_mul_si(size, size, denominator, 64);
  arb_sub_si(size, size, 6, 64);
  bool is_less = arb_is_negative(size);
  arb_clear(size);
  return is_less;
}

DaeZero
dae_forms_is_zero(DaeAlgebra *algebra, DaeTerm t)
{
  uint32_t n = 1;
  const DaeTerm *summands = &t;
  if (dae_term_kind(algebra->terms, t) == DAE_KIND_SUM) {
    summands = dae_term_operands(algebra->terms, t, &n);
  }
  Form form = {.algebra = algebra};
  int64_t denominator = common_denominator(&form, summands, n);
  if (denominator == 0 ||
      (form.kind == FORM_ANGLES && !is_in_one_turn(algebra, t, denominator))) {
    return DAE_UNKNOWN;
  }
  g_autofree DaeTerm *list = g_memdup2(summands, n * sizeof *list); /* the store may move */
  qqbar_init(form.product);
  qqbar_one(form.product);
  bool ok = true;
  for (uint32_t k = 0; k < n && ok; k++) {
    ok = multiply_by(&form, list[k], denominator);
  }
  bool is_zero = ok && (form.kind == FORM_LOGARITHMS
                            ? qqbar_is_one(form.product)
                            : qqbar_is_real(form.product) && qqbar_sgn_re(form.product) > 0);
  qqbar_clear(form.product);
  return !ok ? DAE_UNKNOWN : is_zero ? DAE_ZERO : DAE_NONZERO;
}
