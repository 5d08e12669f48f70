/* Inside the checker: large linear systems of balls. */
#ifndef DAE_PROOFCHECK_CERTIFY_SPARSE_H
#define DAE_PROOFCHECK_CERTIFY_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "algebra/flint-compat.h"

typedef struct DaeBallSystem DaeBallSystem;

DaeBallSystem *dae_ball_system_new(uint32_t n);
void dae_ball_system_free(DaeBallSystem *system);
/* Row by row, by rising columns. */
void dae_ball_system_add(DaeBallSystem *system, uint32_t row, uint32_t column,
                         arb_srcptr value);
void dae_ball_system_set_right(DaeBallSystem *system, uint32_t row, arb_srcptr value);
/* n balls that enclose all solutions of the systems in the balls. false: a pivot may be zero, or
 * the work is beyond its bound. The system is used up. */
bool dae_ball_system_solve(DaeBallSystem *system, arb_ptr solution);

#endif
