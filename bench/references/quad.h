/* Reference solutions in quadruple precision: an implementation of its own, with nothing from
 * src/ but the problems' published equations written down once more, each reduced by hand to an
 * ordinary differential equation.
 *
 * Two methods, neither the one under test: extrapolated midpoint rule (Gragg, Bulirsch and
 * Stoer) for the non-stiff problems, Gauss collocation with full Newton for the stiff ones.
 * Each problem is integrated twice with different orders and tolerances; the digits in which
 * the two agree are written beside the value. */
#ifndef DAE_REFERENCES_QUAD_H
#define DAE_REFERENCES_QUAD_H

#include <math.h>
#include <quadmath.h>

typedef __float128 Quad;
#define QUAD_EPSILON 1e-33Q

#define MAX_STATES 128
#define MAX_NAMES 168

/* y' = f(t, y) */
typedef void (*QuadField)(Quad t, const Quad *y, Quad *f);

typedef struct {
  const char *name;
  int n; /* states */
  int is_stiff;
  Quad tolerance; /* of the better of the two runs; 0: the default */
  int stages;     /* of Gauss collocation in the better run; 0: the default */
  Quad t_stop;
  void (*start)(Quad *y);
  QuadField field;
  /* All variables of the published model from the states; the names are separated by blanks. */
  const char *names;
  void (*output)(Quad t, const Quad *y, const Quad *slope, Quad *values);
  /* The largest violation of a relation that the exact solution keeps; NULL: none. */
  Quad (*residual)(Quad t, const Quad *y);
} QuadProblem;

extern const QuadProblem mechanical_problems[];
extern const int mechanical_count;
extern const QuadProblem other_problems[];
extern const int other_count;

/* Steps taken; y is replaced by the solution at t_stop. `columns` midpoint
 * sequences 2, 4, ..., 2 columns. */
long integrate_by_extrapolation(QuadField field, int n, Quad t_stop, int columns,
                                Quad tolerance, Quad *y);
/* Gauss collocation of the given number of stages, full Newton on all stages; -1: no
 * convergence. slope: y' at the end by the collocation polynomial, which does not magnify the
 * errors of stiff components as the field does. */
long integrate_by_collocation(QuadField field, int n, Quad t_stop, int stages, Quad tolerance,
                              Quad *y, Quad *slope);

/* Solves a x = b by elimination with row exchanges, a (n x n, by rows)
 * is overwritten, b becomes x. */
void solve_linear(int n, Quad *a, Quad *b);
/* The same in two halves, to use the factors again. */
void factor_linear(int n, Quad *a, int *pivot);
void solve_factored(int n, const Quad *a, const int *pivot, Quad *b);

#endif
