/* What do quotients tend to at the start?
 *
 * sin(time)/time has no value at time 0, and x/time has none where x starts at 0: what is meant is
 * the limit. A quotient q = N/D whose denominator is a function of time alone that vanishes at the
 * start time becomes
 *
 *     noEvent(if time <= start then L else N/D)
 *
 * where its limit L is proved (limit_value.c). Equations that hide the quotient, time*y =
 * sin(time), are solved for it first. What is not proved stays as it was written. */
#ifndef DAE_INITIAL_LIMIT_H
#define DAE_INITIAL_LIMIT_H

#include "algebra/algebra.h"
#include "model/model.h"

G_BEGIN_DECLS

typedef struct {
  double t_start;
  /* for numerical work: just behind the start, where N and D cancel digits, the first terms of the
   * series take the place of a quotient in time alone */
  bool with_series;
  const DaeReporter *reporter; /* a warning for each limit that is taken; NULL: silent */
} DaeLimitOptions;

/* The model with the limits put in; equations and their numbers are told as in `model`, which has
 * to outlive it. NULL: there are none. */
DaeModel *dae_limits_take(DaeAlgebra *algebra, const DaeModel *model,
                          const DaeLimitOptions *options);

G_END_DECLS

#endif
