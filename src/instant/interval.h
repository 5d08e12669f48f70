/* Interval arithmetic in doubles: each result holds all values that the operands can give, widened
 * by more than rounding can do. What is not known is the whole line, which excludes nothing. */
#ifndef DAE_INSTANT_INTERVAL_H
#define DAE_INSTANT_INTERVAL_H

#include "terms/terms.h"

typedef struct {
  double low, high;
} DaeInterval;

DaeInterval dae_interval_line(void);
DaeInterval dae_interval_widened(double low, double high);
DaeInterval dae_interval_hull(DaeInterval a, DaeInterval b);
DaeInterval dae_interval_sum(DaeInterval a, DaeInterval b);
DaeInterval dae_interval_product(DaeInterval a, DaeInterval b);
/* A number as exponent; 0.5 has no negative base. */
DaeInterval dae_interval_power(DaeInterval base, double exponent);
/* base > 0, otherwise the whole line */
DaeInterval dae_interval_exponential(DaeInterval base, DaeInterval exponent);
/* 1 where it holds for all pairs, 0 where for none. */
DaeInterval dae_interval_relation(DaeRelation op, DaeInterval a, DaeInterval b);
/* Of the call t, whose operands are enclosed in a. */
DaeInterval dae_interval_call(const DaeTerms *terms, DaeTerm t, const DaeInterval *a);

#endif
