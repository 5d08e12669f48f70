/* Which branch of the constraints the solution is on.
 *
 * Along a regular solution the matrix that determines x' does not become singular, so its
 * determinant keeps its sign; a step that ends where the sign is another one has left the branch
 * (x^2 = (t - 1)^2 + 1e-12 taken from the positive root to the negative one) or went through a
 * singular point. With as many equations as unknowns the matrix is [M; G], and the sign is kept
 * for each block of its triangular form. An over-determined system has no such determinant: there
 * the normal space of the constraints is not to turn by more than a right angle from one step to
 * the next, det(G_old C^2 G_new^T) > 0 with C the nominal values and G of the constraints that
 * are not hidden. */
#ifndef DAE_SOLVER_BRANCH_H
#define DAE_SOLVER_BRANCH_H

#include <stdbool.h>

#include "eval/evaluator.h"

typedef struct DaeBranch DaeBranch;

/* NULL: no such matrix that is structurally regular, or one that jumps at choices without
 * events, or one that does not depend on the unknowns: nothing can be watched or nothing needs to
 * be. Blocks of constant sign and what depends on time alone are left out. */
DaeBranch *dae_branch_new(const DaeEvaluator *ev, const double *nominal);
/* Of an over-determined system the unknowns that as many equations determine, beside those with
 * too many (the fine structure of Dulmage and Mendelsohn): [M; G] of these is square, and its
 * blocks are watched as those of a system that is not over-determined. NULL as above, or where
 * there is no such part. */
DaeBranch *dae_branch_new_determined(const DaeEvaluator *ev, const double *nominal);
void dae_branch_free(DaeBranch *branch);
bool dae_branch_is_square(const DaeBranch *branch);

/* The values of M and G at the point that is looked at. */
void dae_branch_put(DaeBranch *branch, const double *m, const double *gx);
/* The same for another point of the same segment: only what can be another value there is
 * evaluated. false: it must be put. */
bool dae_branch_look(DaeBranch *branch, const void *scratch, double t, const double *x);
/* false: signs differ from those kept. Signs that rounding leaves open count as equal. */
bool dae_branch_is_same(DaeBranch *branch);
/* The signs last compared are those of the current branch. */
void dae_branch_keep(DaeBranch *branch);
/* What was kept, and back to it. */
void dae_branch_save(DaeBranch *branch);
void dae_branch_restore(DaeBranch *branch);
/* Of an over-determined system: did some constraint turn by more than 70 degrees? */
bool dae_branch_rows_turn(const DaeBranch *branch);
/* The blocks whose signs differ: does each that has a constraint as written have unknowns with
 * derivatives, whose speed tells how the solution goes on where two branches meet? Of an
 * over-determined system: are there hidden constraints, which are about speeds? */
bool dae_branch_turns_with_speed(const DaeBranch *branch);
/* The next look has nothing to compare with. */
void dae_branch_forget(DaeBranch *branch);

#endif
