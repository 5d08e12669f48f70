/* Intervals of the checker: rounded outward, so that what is 0 is never kept off 0. */
#ifndef DAE_PROOFCHECK_INTERVAL_H
#define DAE_PROOFCHECK_INTERVAL_H

#include "terms/terms.h"

typedef struct {
  double low, high;
  bool keeps_off_zero; /* 0 is an end, and not attained: exp */
  bool is_empty;       /* no value at all: the logarithm of what is negative */
  bool is_partial;     /* perhaps no value somewhere */
} Interval;

extern const Interval dae_interval_whole;

bool dae_interval_excludes_zero(Interval a);
/* Values of an operation, where its operands have theirs in these intervals. */
Interval dae_interval_of_number(const DaeTerms *terms, DaeTerm number);
Interval dae_interval_add(Interval a, Interval b);
Interval dae_interval_multiply(Interval a, Interval b);
Interval dae_interval_integer_power(Interval a, int64_t n);
Interval dae_interval_real_power(Interval base, Interval exponent, bool is_number);
Interval dae_interval_of_function(DaeFunction f, Interval a);

/* range.c: of t where the atom, if there is one, lies in the limit and all others anywhere; bound:
 * what atoms stand for. */
Interval dae_range_within(DaeTerms *terms, GHashTable *bound, DaeTerm t, DaeTerm atom,
                          Interval limit);
/* line.c: t, in which no other free atom occurs, has no real zero. */
bool dae_line_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t);

#endif
