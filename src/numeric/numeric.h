/* Points where functions vanish, in double precision: given only functions, for every
 * room that needs such a point.
 *
 * Nothing here decides anything. A point that is found is a start for an integration (start), a
 * place to look at (qlt) or the middle of a box in which a solution is then proved (initcheck).
 *
 *   dae_numeric_solve     sparse, any shape: damped Gauss-Newton nearest to the guess,
 *                         Levenberg-Marquardt as the last resort
 *   dae_numeric_is_regular, dae_echelon_add   sparse: is it regular, which rows are independent
 *   dae_row_solver_...    sparse and linear, one pattern, many times
 *   dae_numeric_minimize  dense, small: Levenberg-Marquardt on the sum of squares
 *   dae_numeric_newton    dense: Newton that moves pivot unknowns only, so that
 *                         the others stay where they are
 *   dae_numeric_echelon   which rows are independent, earlier ones first
 *   dae_numeric_scalar    one unknown in one equation
 *
 * All are deterministic and bounded in iterations. */
#ifndef DAE_NUMERIC_NUMERIC_H
#define DAE_NUMERIC_NUMERIC_H

#include <stdbool.h>
#include <stdint.h>

#include "eval/evaluator.h" /* DaePattern, return codes */

#define DAE_NUMERIC_NONE UINT32_MAX

/* ---- sparse --------------------------------------------------------------------------------- */

typedef struct {
  uint32_t n;         /* unknowns */
  uint32_t m;         /* equations */
  DaePattern pattern; /* m x n */
  const void *self;
  void *scratch;
  /* 0 ok, > 0 outside the domain; values in the order of the pattern */
  int (*residual)(const void *self, void *scratch, const double *x, double *r);
  int (*jacobian)(const void *self, void *scratch, const double *x, double *values);
  bool may_rest; /* a short step near a solution that gains no digit may be the last */
} DaeRootProblem;

typedef enum {
  DAE_ROOT_PLAIN,
  DAE_ROOT_DEGENERATE, /* the equations hardly determine it: a root of higher multiplicity */
  DAE_ROOT_INSTEAD,    /* a regular one, in place of a degenerate one nearer to the guess */
  DAE_ROOT_UNCHOSEN,   /* without the defaults that were chosen for what is missing */
} DaeRootKind;

typedef struct {
  bool converged;
  bool
      at_rest; /* if not converged: the rounding of a row's terms leaves more than the tolerance */
  uint32_t iterations;
  /* largest scaled one; INFINITY: the functions are not defined at the guess */
  double residual;
  uint32_t worst_row;
  bool used_levenberg_marquardt;
  DaeRootKind kind; /* as far as the caller looked at it */
} DaeRootResult;

/* Least change from x such that the residuals vanish (relative to `tolerance` and the terms of
 * their rows). weights: how far each unknown may move, in units of its own; NULL: all alike. x
 * is the best point found, unchanged where the functions are not defined. */
DaeRootResult dae_numeric_solve(const DaeRootProblem *problem, const double *weights,
                                double tolerance, double *x);

/* Is the square matrix regular, by more than rounding can tell (an estimate of
 * its condition after scaling)? */
bool dae_numeric_is_regular(const DaePattern *pattern, const double *values);

/* An echelon form of sparse rows that grows one by one. A row that is independent of those
 * before it, by more than `share` of its largest entry, is kept. Over: the operations allowed
 * are spent, the answers so far stay right. */
typedef struct DaeEchelon DaeEchelon;
DaeEchelon *dae_echelon_new(uint32_t n, uint64_t most_operations);
void dae_echelon_free(DaeEchelon *echelon); /* NULL is fine */
bool dae_echelon_add(DaeEchelon *echelon, const uint32_t *columns, const double *values,
                     uint32_t n, double share);
bool dae_echelon_is_over(const DaeEchelon *echelon);
uint32_t dae_echelon_rank(const DaeEchelon *echelon);

/* A linear system with one pattern (n_rows >= n_columns), solved again and again: independent
 * rows are chosen once and kept while they are regular. factor: false where the matrix has no
 * full column rank. solve: right has n_rows entries, x n_columns; it follows the chosen rows. */
typedef struct DaeRowSolver DaeRowSolver;
DaeRowSolver *dae_row_solver_new(const DaePattern *pattern);
void dae_row_solver_free(DaeRowSolver *solver); /* NULL is fine */
bool dae_row_solver_factor(DaeRowSolver *solver, const double *values);
void dae_row_solver_solve(DaeRowSolver *solver, const double *right, double *x);
/* Of the last factorization and one solution. */
uint64_t dae_row_solver_operations(DaeRowSolver *solver);
/* Newton's method on the chosen rows of a problem with the solver's pattern, for systems that are
 * linear or nearly so: a Jacobian is kept once steps are small, and a step that does not lead
 * nearer ends it. Steps are measured against |x| + nominal. operations grows by those of the
 * linear algebra. false: x is wherever it ended. */
bool dae_row_solver_newton(DaeRowSolver *solver, const DaeRootProblem *problem,
                           const double *nominal, double *x, uint64_t *operations);

/* ---- dense ---------------------------------------------------------------------------------- */

typedef struct {
  uint32_t m, n;
  /* false: outside the domain */
  bool (*residual)(void *user, const double *x, double *r); /* m */
  bool (*jacobian)(void *user, const double *x, double *a); /* m*n, by rows */
  bool (*is_over)(void *user); /* looked at before each iteration; NULL: never */
  /* for the least squares: iterations in which the sum must halve; 0: no such demand */
  uint32_t patience;
  void *user;
} DaeDenseProblem;

typedef enum {
  DAE_MINIMIZE_DONE,    /* x is where the sum of squares hardly falls, or vanishes */
  DAE_MINIMIZE_DOMAIN,  /* the functions are not defined at the guess */
  DAE_MINIMIZE_STOPPED, /* is_over: x says nothing */
} DaeMinimizeEnd;

DaeMinimizeEnd dae_numeric_minimize(const DaeDenseProblem *problem, uint32_t most_iterations,
                                    double *x);

typedef struct {
  uint32_t most_steps;
  /* steps in which the residual must halve at least once; 0: no such demand */
  uint32_t patience;
  double pivot;    /* entries below it, relative to the largest of the row, count as 0 */
  double residual; /* solved: each residual over the largest entry of its row is below it */
} DaeNewtonLimits;

/* True: the residuals vanish at x. False: they do not, or the way led out of the domain;
 * x is then wherever it ended. */
bool dae_numeric_newton(const DaeDenseProblem *problem, const DaeNewtonLimits *limits,
                        double *x);

/* Scales the rows and the first n columns of a until their largest entries are near 1 [Ruiz01]:
 * capacities of 1e-12 beside resistances of 1e6 then do not look like zeros. O(m n). */
void dae_numeric_equilibrate(double *a, uint32_t m, uint32_t n, uint32_t width);

/* Echelon form in the order of the rows of a (m rows of `width` >= n entries; what follows the
 * first n is carried along): each row is reduced by the rows before it and takes its largest
 * remaining entry as pivot[i], DAE_NUMERIC_NONE where all that is left is below tolerance times
 * its largest entry before. Returns the rank. O(m^2 width), zeros are skipped. */
uint32_t dae_numeric_echelon(double *a, uint32_t m, uint32_t n, uint32_t width,
                             double tolerance, uint32_t *pivot);

/* ---- one unknown ---------------------------------------------------------------------------- */

typedef struct {
  /* false: outside of the domain */
  bool (*residual)(void *user, double x, double *value);
  bool (*slope)(void *user, double x, double *value);
  void *user;
} DaeScalarProblem;

/* Newton's method from *x; false: it does not end, and *x stays. */
bool dae_numeric_scalar(const DaeScalarProblem *problem, double *x);

#endif
