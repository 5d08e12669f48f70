/* Terms of one sign, seen without algebra: a number that outweighs sines and cosines, sums of
 * even powers, exponentials; of what is left, polynomials in a few sines and cosines
 * (determinants of mass matrices), piece by piece. */
#include "qlt/qlt-priv.h"

#include <math.h>

#define MAX_SINUSOIDS 2u
#define MAX_ADDENDS 400u
/* Pieces of [-1, 1] for each sine or cosine. */
#define PIECES 32

typedef struct { /* sines and cosines, and where each of them is looked at */
  DaeTerm sinusoid[MAX_SINUSOIDS];
  double low[MAX_SINUSOIDS];
  double high[MAX_SINUSOIDS];
  uint32_t n;
} Box;

static bool
is_sinusoid(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         (dae_term_function(terms, t) == DAE_FN_SIN ||
          dae_term_function(terms, t) == DAE_FN_COS);
}

/* Powers of a sine or cosine: both bounds are at an end of its interval, or at 0 for an even power. */
static void
bounds_of_power(double low, double high, int64_t exponent, double *least, double *most)
{
  double a = pow(low, (double)exponent);
  double b = pow(high, (double)exponent);
  *least = exponent % 2 == 0 && low < 0 && high > 0 ? 0 : fmin(a, b);
  *most = fmax(a, b);
}

/* The interval of a sine or cosine in the box; false: it is not in it. */
static bool
look_up_sinusoid(const Box *box, DaeTerm sinusoid, double *low, double *high)
{
  for (uint32_t k = 0; box != NULL && k < box->n; k++) {
    if (box->sinusoid[k] == sinusoid) {
      *low = box->low[k];
      *high = box->high[k];
      return true;
    }
  }
  return false;
}

/* Does t lie in [low, high]? Filled for numbers, sin, cos, even powers,
 * exp; otherwise the whole line. */
static void
bounds_of_factor(DaeTerms *terms, const Box *box, DaeTerm t, double *low, double *high)
{
  *low = -HUGE_VAL;
  *high = HUGE_VAL;
  int64_t exponent = 0;
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_NUMBER) {
    *low = *high = dae_term_get_double(terms, t);
  } else if (kind == DAE_KIND_CALL) {
    if (is_sinusoid(terms, t)) {
      *low = -1;
      *high = 1;
      (void)look_up_sinusoid(box, t, low, high);
    } else if (dae_term_function(terms, t) == DAE_FN_EXP) {
      *low = 0;
    }
  } else if (kind == DAE_KIND_POWER &&
             dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent)) {
    DaeTerm base = dae_term_operand(terms, t, 0);
    double least = -1;
    double most = 1;
    (void)look_up_sinusoid(box, base, &least, &most);
    if (is_sinusoid(terms, base) && exponent > 0) {
      bounds_of_power(least, most, exponent, low, high);
    } else if (exponent % 2 == 0) {
      *low = 0;
    }
  }
}

static void
bounds_of_product(DaeTerms *terms, const Box *box, DaeTerm t, double *low, double *high)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_PRODUCT, &t, &n);
  *low = *high = 1;
  for (uint32_t k = 0; k < n; k++) {
    double a;
    double b;
    bounds_of_factor(terms, box, operands[k], &a, &b);
    /* 0 * infinity is 0 here: a bound, not a limit */
    double corners[4] = {*low * a, *low * b, *high * a, *high * b};
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (int c = 0; c < 4; c++) {
      double corner = isnan(corners[c]) ? 0 : corners[c];
      least = fmin(least, corner);
      most = fmax(most, corner);
    }
    *low = least;
    *high = most;
  }
}

/* Rounding is no danger: the margin is far above it, and anything
 * closer to zero is left undecided. */
#define MARGIN 1e-6

/* 1, -1: the sum has this sign in the whole box; 0: not known. */
static int
sign_of_sum(DaeTerms *terms, const Box *box, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  double low = 0;
  double high = 0;
  double size = 0;
  for (uint32_t k = 0; k < n; k++) {
    double a;
    double b;
    bounds_of_product(terms, box, operands[k], &a, &b);
    low += a;
    high += b;
    size = isfinite(a) ? fmax(size, fabs(a)) : size;
    size = isfinite(b) ? fmax(size, fabs(b)) : size;
  }
  return low > MARGIN * size ? 1 : high < -MARGIN * size ? -1 : 0;
}

/* The sines and cosines that t is a polynomial in; false: too many, or something else is in it. */
static bool
collect_waves(DaeTerms *terms, DaeTerm t, Box *box)
{
  uint32_t n = 0;
  const DaeTerm *addends = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  if (n > MAX_ADDENDS) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t m = 0;
    const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &addends[i], &m);
    for (uint32_t k = 0; k < m; k++) {
      DaeTerm sinusoid = dae_term_kind(terms, factors[k]) == DAE_KIND_POWER
                             ? dae_term_operand(terms, factors[k], 0)
                             : factors[k];
      double low = 0;
      double high = 0;
      if (dae_term_kind(terms, factors[k]) == DAE_KIND_NUMBER ||
          look_up_sinusoid(box, sinusoid, &low, &high)) {
        continue;
      }
      if (!is_sinusoid(terms, sinusoid) || box->n == MAX_SINUSOIDS) {
        return false;
      }
      box->sinusoid[box->n++] = sinusoid;
    }
  }
  return box->n > 0;
}

static bool
is_of_one_sign_in_pieces(DaeTerms *terms, DaeTerm t)
{
  Box box = {.n = 0};
  if (!collect_waves(terms, t, &box)) {
    return false;
  }
  int sign = 0;
  uint32_t pieces = box.n == 1 ? PIECES : PIECES * PIECES;
  for (uint32_t p = 0; p < pieces; p++) {
    uint32_t place = p;
    for (uint32_t k = 0; k < box.n; k++, place /= PIECES) {
      box.low[k] = -1 + 2.0 * (place % PIECES) / PIECES;
      box.high[k] = box.low[k] + 2.0 / PIECES;
    }
    int here = sign_of_sum(terms, &box, t);
    if (here == 0 || here == -sign) {
      return false;
    }
    sign = here;
  }
  return true;
}

/* Without a fraction that could hide a zero or a pole: only where the denominator is a number. */
static bool
is_polynomial_of_one_sign(QltWork *work, DaeTerm t)
{
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  return qlt_measure(work, t).expanded <= MAX_ADDENDS &&
         dae_algebra_fraction(work->algebra, t, &numerator, &denominator) &&
         dae_term_is_number(work->terms, denominator) &&
         is_of_one_sign_in_pieces(work->terms, numerator);
}

bool
qlt_is_never_zero(QltWork *work, DaeTerm t)
{
  int sign = 0;
  if (dae_term_is_parametric(work->terms, t)) {
    return qlt_is_zero(work, t) == DAE_NONZERO;
  }
  return sign_of_sum(work->terms, NULL, t) != 0 ||
         (dae_algebra_sign(work->algebra, t, &sign) && sign != 0) ||
         is_polynomial_of_one_sign(work, t);
}
