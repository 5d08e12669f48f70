/* Is the polynomial of a step good enough to say where guards are crossed?
 *
 * Unknowns with a derivative are as good between the stages as the step control asks for. Those
 * without one are held by their equations at the stages only: a step is too long for an affine
 * guard of such unknowns if its polynomial comes nearer to 0 than it may be wrong.
 *
 * A guard that is not affine is enclosed on boxes (time, ranges of the unknowns in Bernstein
 * form), halved until it is excluded or seen to be crossed: no dip between the stages is
 * missed, relative to the polynomial [language-and-events, 3.8]. */
#ifndef DAE_SOLVER_GUARD_BOXES_H
#define DAE_SOLVER_GUARD_BOXES_H

#include "solver/integrator.h"
#include "solver/radau.h"

/* A located event may be beyond the zero by this many thresholds. */
#define DAE_FAR_BEYOND 100.0

/* How much the polynomials of guards may be wrong where that matters; 0: nowhere, up to 1: it
 * may be noise, which shorter steps do not take away. */
double dae_guards_doubt(const DaeRadau *r, const DaeRoots *roots);

typedef double (*DaeGuardValue)(void *user, double t); /* >= 0: on its side */

typedef enum {
  DAE_BOX_EXCLUDED, /* the guard keeps its side */
  DAE_BOX_CROSSED,  /* it does at *from, not at *to */
  DAE_BOX_OPEN      /* too many boxes */
} DaeBoxVerdict;

DaeBoxVerdict dae_guard_first_box(DaeRadau *r, const DaeRoots *roots, uint32_t i,
                                  DaeGuardValue value, void *user, double *from, double *to);

#endif
