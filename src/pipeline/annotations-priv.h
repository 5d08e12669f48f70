/* Claims of annotations under test: between annotations.c and annotations_smooth.c. */
#ifndef DAE_PIPELINE_ANNOTATIONS_PRIV_H
#define DAE_PIPELINE_ANNOTATIONS_PRIV_H

#include "algebra/algebra.h"
#include "pipeline/annotations.h"

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  const DaeModel *model;
  const DaeReporter *reporter;
  const DaeClaim *claim;
  const DaeClaimAtom *atoms;
  DaeTerm *values; /* of the atoms at the point */
  DaeAnnotationCounts counts;
} DaeClaimCheck;

/* To one of the points, inside the bounds of the arguments. */
void dae_claim_go_to(DaeClaimCheck *c, uint32_t point);
/* The term there, except for atom `free` (n_atoms: none); DAE_NO_TERM: it is not defined. */
DaeTerm dae_claim_at(const DaeClaimCheck *c, DaeTerm t, uint32_t free);
DaeZero dae_claim_is_zero(const DaeClaimCheck *c, DaeTerm t);
/* Does the point lie in the bounds, and do the assertions of the functions hold there? */
bool dae_claim_is_in_domain(const DaeClaimCheck *c);
/* Do they differ by more than the rounding of the numbers in the text? */
bool dae_claim_is_far_apart(const DaeClaimCheck *c, DaeTerm a, DaeTerm b);
void dae_claim_append_value(const DaeClaimCheck *c, GString *out, DaeTerm t);
void dae_claim_append_point(const DaeClaimCheck *c, GString *out);
void dae_claim_tell(DaeClaimCheck *c, DaeSeverity severity, const GString *message);
void dae_claim_tell_unchecked(DaeClaimCheck *c, const char *why);

/* ---- annotations_smooth.c ---------------------------------------------------------------- */

typedef struct {
  DaeTerm node;
  DaeTerm gap; /* what changes its sign */
} DaeClaimBreak;

/* Relations, abs, min, max and sign in the term, as many as are looked at. */
GArray *dae_claim_breaks(DaeTerms *terms, DaeTerm root);
/* Moves argument `by` to where the gap vanishes; false: it is not linear in the argument. */
bool dae_claim_go_to_break(DaeClaimCheck *c, const DaeClaimBreak *b, uint32_t by);
void dae_claim_check_smooth(DaeClaimCheck *c);

#endif
