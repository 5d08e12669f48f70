/* Values of terms modulo a prime, for the checker: rational operations only, from GMP's numbers
 * and the arithmetic of 128 bits; derivatives come as terms, not as series. */
#ifndef DAE_PROOFCHECK_RESIDUES_H
#define DAE_PROOFCHECK_RESIDUES_H

#include <stdbool.h>
#include <stdint.h>

#include "terms/terms.h"

typedef struct DaeResidues DaeResidues;

/* NULL: the number is no prime below 2^62. */
DaeResidues *dae_residues_new(DaeTerms *terms, uint64_t prime);
void dae_residues_free(DaeResidues *residues);
/* From now on the atom has this value, or that of a term. */
void dae_residues_bind(DaeResidues *residues, DaeTerm atom, uint64_t value);
void dae_residues_bind_term(DaeResidues *residues, DaeTerm atom, DaeTerm value);
uint64_t dae_residues_product(const DaeResidues *residues, uint64_t a, uint64_t b);
/* false: an atom without a value, a division by 0, or no rational operation. */
bool dae_residues_value(DaeResidues *residues, DaeTerm t, uint64_t *value);
/* Is the n by n matrix regular? Its entries are destroyed. */
bool dae_residues_is_regular(const DaeResidues *residues, uint64_t *matrix, uint32_t n);

#endif
