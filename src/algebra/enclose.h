/* Where is a solution of these equations? Newton's method in as many
 * digits as wanted, then a proof.
 *
 * An enclosure is a box, one ball per unknown, of which Krawczyk's operator has proved: the
 * equations have exactly one real solution in it [Moore, Kearfott, Cloud, section 8.2]. It says
 * nothing about solutions outside of the box. A term that is evaluated over the box is
 * evaluated at that solution: a ball that excludes 0 proves that the term is not zero there;
 * one that contains 0 bounds its size, and proves nothing more. */
#ifndef DAE_ALGEBRA_ENCLOSE_H
#define DAE_ALGEBRA_ENCLOSE_H

#include "algebra/algebra.h"

typedef struct DaeEnclosure DaeEnclosure;

/* As many equations (residuals) as unknowns; no other atoms may occur in them. */
typedef struct {
  const DaeTerm *equations;
  const DaeTerm *unknowns;
  const double *near; /* where to begin */
  uint32_t n;
} DaeSquareSystem;

#define DAE_ENCLOSE_MAX 300 /* equations: the matrices are dense */

/* Radii below 10^-digits (relative to the larger of 1 and the size of the unknown). NULL:
 * Newton's method does not converge, the Jacobian is singular there, a function is not
 * differentiable there, or the budget ended. */
DaeEnclosure *dae_algebra_enclose(DaeAlgebra *algebra, const DaeSquareSystem *system,
                                  uint32_t digits);
void dae_enclosure_free(DaeEnclosure *enclosure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeEnclosure, dae_enclosure_free)

uint32_t dae_enclosure_digits(const DaeEnclosure *enclosure);
int dae_enclosure_radius(const DaeEnclosure *enclosure); /* r: every radius is below 10^r */
double dae_enclosure_value(const DaeEnclosure *enclosure, uint32_t i); /* nearest double */
/* A decimal within 10^radius of the solution. (transfer full) */
char *dae_enclosure_text(const DaeEnclosure *enclosure, uint32_t i);
/* Do the two hold the same solution? false: they are disjoint. */
bool dae_enclosure_overlaps(const DaeEnclosure *a, const DaeEnclosure *b);

typedef struct {
  bool excludes_zero;
  int above; /* excludes_zero: its size is above 10^above */
  int below; /* its size is below 10^below; -1000000 for 0 itself */
} DaeBallSize;

/* Size of t at the solution. false: not provably defined there. */
bool dae_enclosure_size(DaeAlgebra *algebra, const DaeEnclosure *enclosure, DaeTerm t,
                        DaeBallSize *size);
/* The same for a term without atoms. */
bool dae_algebra_constant_size(DaeAlgebra *algebra, DaeTerm t, uint32_t digits,
                               DaeBallSize *size);

/* What more digits say of a point that double precision takes for a solution (point.c). */
typedef enum {
  DAE_POINT_PROVED,   /* there is a solution, proved; it need not be near */
  DAE_POINT_MULTIPLE, /* a multiple root at it, or exactly there: seen in 400 bits, not proved */
  DAE_POINT_NONE,     /* Newton's method runs away or finds no way down: seen, not proved */
  DAE_POINT_OPEN      /* functions that jump, dependent rows, the budget */
} DaePointAnswer;

/* units (n): what counts as small for each unknown; found (n): the solution if PROVED or
 * MULTIPLE. */
DaePointAnswer dae_algebra_judge_point(DaeAlgebra *algebra, const DaeSquareSystem *system,
                                       const double *units, double *found);

typedef struct {
  const DaeTerm *atoms;
  const double *values;
  uint32_t n;
} DaeTermPoint;

/* What rounding to 53 bits may do to each equation at the point. false: not defined there. */
bool dae_algebra_rounding(DaeAlgebra *algebra, const DaeTerm *equations, uint32_t n,
                          const DaeTermPoint *point, double *errors);

#endif
