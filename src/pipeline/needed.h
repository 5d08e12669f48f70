/* What a command needs of functions without a body (terms/routines.h) and does not get. */
#ifndef DAE_PIPELINE_NEEDED_H
#define DAE_PIPELINE_NEEDED_H

#include "model/model.h"
#include "structural/structural.h"

/* False: an equation has to be differentiated more often than its functions can be. */
bool dae_needed_derivatives_exist(DaeTerms *terms, const DaeModel *model, const DaeSig *sig,
                                  GError **error);
/* False: the model calls a function that has no value. */
bool dae_needed_values_exist(DaeTerms *terms, const DaeModel *model, GError **error);

#endif
