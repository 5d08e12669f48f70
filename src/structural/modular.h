/* Arithmetic modulo the prime 2^61 - 1, values of terms there, and sparse elimination; for the files of this room. */
#ifndef DAE_STRUCTURAL_MODULAR_H
#define DAE_STRUCTURAL_MODULAR_H

#include "structural/sig-priv.h"

#define DAE_PRIME ((UINT64_C(1) << 61) - 1)

__extension__ typedef unsigned __int128 DaeWide;

static inline uint64_t
dae_mod_add(uint64_t a, uint64_t b)
{
  uint64_t sum = a + b;
  return sum >= DAE_PRIME ? sum - DAE_PRIME : sum;
}

static inline uint64_t
dae_mod_mul(uint64_t a, uint64_t b)
{
  DaeWide product = (DaeWide)a * b;
  uint64_t low = (uint64_t)product & DAE_PRIME;
  uint64_t high = (uint64_t)(product >> 61);
  return dae_mod_add(low, high);
}

static inline uint64_t
dae_mod_neg(uint64_t a)
{
  return a == 0 ? 0 : DAE_PRIME - a;
}

uint64_t dae_mod_power(uint64_t base, uint64_t exponent);
uint64_t dae_mod_inverse(uint64_t a); /* a != 0 */

/* Values of terms at one point: a homomorphism from the field of functions that the terms generate. */
typedef struct DaeModPoint DaeModPoint;
DaeModPoint *dae_mod_point_new(DaeTerms *terms, uint64_t seed);
void dae_mod_point_free(DaeModPoint *point);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeModPoint, dae_mod_point_free)
/* false: the term has no value here (division by 0) or is of a kind without a modular image. */
bool dae_mod_point_eval(DaeModPoint *point, DaeTerm t, uint64_t *value);
/* Was a branch of a piecewise term chosen? Another point may choose another one. */
bool dae_mod_point_has_branches(const DaeModPoint *point);
/* After all evaluations: were the functions met (exp, sin, roots, ...) independent of each other, so that values
 * chosen freely for them make sense? Only then a nonzero value proves a nonzero function. */
bool dae_mod_point_is_sound(DaeModPoint *point);

/* Eliminates the square matrix (values per entry of csr). Returns the rank. For each row that became zero, the rows
 * that were combined to make it so are appended to null_rows (may be NULL) as GArray of uint32_t, ascending. */
uint32_t dae_mod_eliminate(const DaeCsr *csr, const uint64_t *values, GPtrArray *null_rows);

#endif
