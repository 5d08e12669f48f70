/* A problem from one function written for real and complex numbers: Jacobians by
 * complex steps, exact to round-off.
 *
 * The problem file defines its equations between #ifdef NUMBER ... #endif in terms of NUMBER and
 * EQUATIONS and includes itself twice (see car_axis.c). Patterns are full. No scratch is needed. */
#ifndef DAE_TESTS_TEMPLATE_H
#define DAE_TESTS_TEMPLATE_H

#include <complex.h>
#include <stdint.h>

#include "eval/evaluator.h"

#define DAE_TEMPLATE_MAX 32 /* unknowns, rows */

typedef void (*DaeRealEquations)(double t, const double *x, double *m, double *f, double *g);
typedef void (*DaeComplexEquations)(double complex t, const double complex *x,
                                    double complex *m, double complex *f, double complex *g);

typedef struct {
  uint32_t n, n_diff, n_con;
  DaeRealEquations real_point;
  DaeComplexEquations complex_point;
} DaeTemplate;

int dae_template_eval(const void *self, void *scratch, unsigned lanes, const double *t,
                      const double *x, DaeOut *out);
int dae_template_jac(const void *self, void *scratch, double t, const double *x,
                     const double *xdot, DaeJac *out);

/* Full patterns of up to DAE_TEMPLATE_MAX rows: row_start and column for n columns. */
#define DAE_FULL_PATTERN_MAX (DAE_TEMPLATE_MAX * DAE_TEMPLATE_MAX)

#endif
