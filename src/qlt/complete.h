/* Repair by geometric completion of what the structural analysis has to leave open. */
#ifndef DAE_QLT_COMPLETE_H
#define DAE_QLT_COMPLETE_H

#include "qlt/qlt.h"

/* (transfer full) A square system with the solutions of the model whose Jacobian is regular at
 * the points tried; NULL: it could not be completed (*error UNDECIDED, or unset), or it is
 * proved to be contradictory or not to determine a variable (*error NEGATIVE). */
DaeSigCompletion *dae_qlt_complete(DaeAlgebra *algebra, const DaeSig *sig,
                                   const DaeReporter *reporter, GError **error);

#endif
