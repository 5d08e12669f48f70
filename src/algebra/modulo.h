/* Equations solved and substituted (modulo.c), and certified common zeros (witness.c). */
#ifndef DAE_ALGEBRA_MODULO_H
#define DAE_ALGEBRA_MODULO_H

#include "algebra/algebra-priv.h"

/* t and the equations after atoms were eliminated by equations linear in them: atoms[k] =
 * values[k], where values[k] may contain atoms[k+1], ... but no earlier one. consistent ==
 * false: an equation became a nonzero number. */
typedef struct {
  DaeTerm t;
  GArray *equations; /* DaeTerm: what is left */
  GArray *atoms;     /* DaeTerm */
  GArray *values;    /* DaeTerm */
  bool consistent;
} DaeReduction;

DaeReduction *dae_modulo_reduce(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations,
                                size_t n);
void dae_reduction_free(DaeReduction *r);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeReduction, dae_reduction_free)
/* Is there, by proof, a point where all equations vanish, everything
 * is defined and t is not zero? */
bool dae_modulo_has_witness(DaeAlgebra *algebra, const DaeReduction *r);

#endif
