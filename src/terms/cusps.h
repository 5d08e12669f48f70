/* Roots that turn vertical on both sides of where what is below them changes its sign:
 * sign(u)*sqrt(abs(u)), as flow between two levels is written, sqrt(abs(u)),
 * sqrt(max(u, 0)) - sqrt(max(-u, 0)). Levels come to u = 0 in finite time and stay there, at a
 * point with an infinite derivative on either side: Newton's method jumps to and fro between them.
 * With branches of a relation the integrator stops at u = 0, keeps the branch, and the root is
 * closed at its edge (hybrid/edges.h). */
#ifndef DAE_TERMS_CUSPS_H
#define DAE_TERMS_CUSPS_H

#include "terms/terms.h"

/* t with branches for such roots, except where it is taken literally: the same value everywhere. */
DaeTerm dae_cusps_branch(DaeTerms *terms, DaeTerm t);
/* Also for sqrt(max(u, 0)) alone: a branch has a derivative where u < 0, 0*(1/0) is none. */
DaeTerm dae_cusps_branch_all(DaeTerms *terms, DaeTerm t);

#endif
