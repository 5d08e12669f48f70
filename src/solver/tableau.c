/* Looks up the Radau IIa tables of tableau_data.c. */
#include "solver/tableau.h"

#include <stddef.h>

const DaeTableau *
dae_solver_tableau(int order)
{
  for (uint32_t i = 0; i < DAE_TABLEAUS; i++) {
    if ((int)(2 * dae_solver_tableaus[i].s - 1) == order) {
      return &dae_solver_tableaus[i];
    }
  }
  return NULL;
}
