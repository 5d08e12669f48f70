/* Polynomials on [0, 1] in Bernstein form: what the signs of the coefficients say about roots
 * [Farouki12], and a bracketing method for one root [OliveiraTakahashi21]. */
#ifndef DAE_SOLVER_BERNSTEIN_H
#define DAE_SOLVER_BERNSTEIN_H

#include <stdbool.h>
#include <stdint.h>

#define DAE_BERNSTEIN_MOST 8 /* coefficients: degree 7 */

/* b from the coefficients a[0 ... degree] of the powers of theta. */
void dae_bernstein_from_powers(const double *a, uint32_t degree, double *b);
double dae_bernstein_value(const double *b, uint32_t degree, double theta);
/* Sign changes in the coefficients, zeros left out: none, no root in (0, 1); one, exactly one;
 * v, at most v. */
uint32_t dae_bernstein_variations(const double *b, uint32_t degree);
/* The two halves [0, 1/2] and [1/2, 1], each as a polynomial on [0, 1]. */
void dae_bernstein_halves(const double *b, uint32_t degree, double *left, double *right);
/* The first place where the polynomial, not negative at 0, becomes negative: it does so exactly
 * once in [*left, *right], is not negative at *left and is negative at *right. false: it is not
 * negative anywhere. */
bool dae_bernstein_first_descent(const double *b, uint32_t degree, double *left, double *right);

/* f(a) >= 0 > f(b) or the other way round (fa, fb: their values); shrinks [*a, *b] around a sign
 * change until it is not wider than tolerance or than four units in the last place of its ends.
 * A zero counts as the side of a. */
typedef double (*DaeBracketed)(void *user, double t);
void dae_bracket_root(DaeBracketed f, void *user, double tolerance, double *a, double fa,
                      double *b, double fb);

#endif
