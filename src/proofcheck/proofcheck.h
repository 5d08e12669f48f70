/* Does every step of a proof follow? Checked with code of its own, from
 * the model and the steps only.
 *
 * Independent of the search (initcheck) and of the zero test (algebra): what they share is the
 * terms, the steps as data (proof/proof.h), and the arithmetic of GMP and Arb.
 * docs/initialization.md lists what is accepted and how. */
#ifndef DAE_PROOFCHECK_PROOFCHECK_H
#define DAE_PROOFCHECK_PROOFCHECK_H

#include "proof/proof.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t n_exact; /* steps checked by exact arithmetic */
  /* by images in a finite field (a wrong one passes with probability < 1e-14) */
  uint32_t n_images;
  uint32_t n_numeric; /* numeric steps, in balls */
  uint32_t
      n_assumed; /* steps that divide by something, or take one solution of several, and whose
                            right to do so was not shown again */
  /* names (static) of the identities of functions that were used; owned */
  GPtrArray *identities;
} DaeProofCounts;

/* Re-checks each step of all redundancy proofs and conflict chains, at the start time (NAN:
 * that of the experiment). counts may be NULL; its identities are (transfer full). false: *why
 * (transfer full) names the first step that does not follow. */
bool dae_proofcheck(const DaeProofs *proofs, const DaeModel *model, DaeTerms *terms,
                    double start, DaeProofCounts *counts, char **why);

G_END_DECLS

#endif
