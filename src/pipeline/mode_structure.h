/* Does the structure hold in the present mode?
 * The offsets were found for all branches of the conditions together. They are right in a
 * mode, and with them the hidden constraints of the reduced system, if the Sigma-Jacobian is
 * regular there [Pryce01]: `if c then b = a else der(b) = -1` has no der(b) in one of its
 * branches, so the index and the degrees of freedom are others there than the reduction
 * says. Such a mode is refused, never integrated [language-and-events, 3.12].
 * Only fine blocks whose entries contain discrete values or relations can change; each of
 * their modes is looked at once. */
#ifndef DAE_PIPELINE_MODE_STRUCTURE_H
#define DAE_PIPELINE_MODE_STRUCTURE_H

#include "pipeline/problem-priv.h"

/* With the rows of the system: buffers are put in. NULL: no entry of the Jacobian depends on
 * a condition. */
DaeModeStructure *dae_mode_structure_new(DaeProblem *problem);
void dae_mode_structure_free(DaeModeStructure *structure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeModeStructure, dae_mode_structure_free)

/* Conditions that make no events, as in noEvent(...): no combination of them may take a
 * derivative away. structure may be NULL. False: *error (UNSUPPORTED) with the place. */
bool dae_mode_structure_holds_always(const DaeModeStructure *structure,
                                     const DaeProblem *problem, GError **error);
/* With the present segment values of the problem; structure may be NULL. False: *error
 * (UNSUPPORTED) with the place. */
bool dae_mode_structure_holds(DaeModeStructure *structure, const DaeProblem *problem, double t,
                              GError **error);

/* mode_open.c: unknowns that a mode may leave open. Adds rows to the system that hold them, with
 * segment values; structure may be NULL. Before the atoms of the segment are known. */
void dae_mode_structure_add_open(DaeModeStructure *structure, DaeProblem *problem);
/* is_open: by open column of the problem, set to 1 where it is left open with these values. */
void dae_mode_structure_find_open(DaeModeStructure *structure, const DaeProblem *problem,
                                  const double *segment, uint8_t *is_open);

#endif
