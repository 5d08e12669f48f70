/* Terms of one sign, seen without algebra: a number that outweighs sines and cosines, sums of even powers, exponentials. */
#include "qlt/qlt-priv.h"

#include <math.h>

/* Does t lie in [low, high]? Filled for numbers, sin, cos, even powers, exp; otherwise the whole line. */
static void
bounds_of_factor(DaeTerms *terms, DaeTerm t, double *low, double *high)
{
  *low = -HUGE_VAL;
  *high = HUGE_VAL;
  int64_t exponent = 0;
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_NUMBER) {
    *low = *high = dae_term_get_double(terms, t);
  } else if (kind == DAE_KIND_CALL) {
    DaeFunction function = dae_term_function(terms, t);
    if (function == DAE_FN_SIN || function == DAE_FN_COS) {
      *low = -1;
      *high = 1;
    } else if (function == DAE_FN_EXP) {
      *low = 0;
    }
  } else if (kind == DAE_KIND_POWER &&
             dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent) &&
             exponent % 2 == 0) {
    DaeTerm base = dae_term_operand(terms, t, 0);
    bool is_wave = dae_term_kind(terms, base) == DAE_KIND_CALL &&
                   (dae_term_function(terms, base) == DAE_FN_SIN ||
                    dae_term_function(terms, base) == DAE_FN_COS);
    *low = 0;
    *high = is_wave && exponent > 0 ? 1 : HUGE_VAL;
  }
}

static void
bounds_of_product(DaeTerms *terms, DaeTerm t, double *low, double *high)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_PRODUCT, &t, &n);
  *low = *high = 1;
  for (uint32_t k = 0; k < n; k++) {
    double a;
    double b;
    bounds_of_factor(terms, operands[k], &a, &b);
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

/* Rounding is no danger: the margin is far above it, and anything closer to zero is left undecided. */
#define MARGIN 1e-6

static bool
is_sum_of_one_sign(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  double low = 0;
  double high = 0;
  double size = 0;
  for (uint32_t k = 0; k < n; k++) {
    double a;
    double b;
    bounds_of_product(terms, operands[k], &a, &b);
    low += a;
    high += b;
    size = fmax(size, fmin(fabs(a), fabs(b)));
  }
  return low > MARGIN * (1 + size) || high < -MARGIN * (1 + size);
}

bool
qlt_is_never_zero(QltWork *work, DaeTerm t)
{
  int sign = 0;
  if (dae_term_is_parametric(work->terms, t)) {
    return qlt_is_zero(work, t) == DAE_NONZERO;
  }
  return is_sum_of_one_sign(work->terms, t) ||
         (dae_algebra_sign(work->algebra, t, &sign) && sign != 0);
}
