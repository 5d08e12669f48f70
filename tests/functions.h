/* Points where every function of the registry has a value, for the tests that go through it: a
 * room that lacks an entry for a function, or has one that does not agree with the value in the
 * registry, fails there. */
#ifndef DAE_TESTS_FUNCTIONS_H
#define DAE_TESTS_FUNCTIONS_H

#include "terms/terms.h"
#include "unity.h"

enum { N_SAMPLES = 3 };

/* In tenths, so that they are rational numbers and doubles close to these. */
static const int samples[N_SAMPLES][DAE_MOST_ARGUMENTS] = {
    {3, 7, -12}, {8, -6, 4}, {5, 13, 20}};

static inline bool
has_value(DaeFunction f)
{
  return dae_function_facts(f)->value != NULL;
}

static inline double
sample_value(DaeFunction f, int sample)
{
  double x[DAE_MOST_ARGUMENTS];
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    x[i] = samples[sample][i] / 10.0;
  }
  return dae_function_facts(f)->value(x);
}

/* f at the sample, of numbers. */
static inline DaeTerm
sample_call(DaeTerms *terms, DaeFunction f, int sample)
{
  DaeTerm u[DAE_MOST_ARGUMENTS];
  for (int i = 0; i < DAE_MOST_ARGUMENTS; i++) {
    u[i] = dae_term_ratio(terms, samples[sample][i], 10);
  }
  return dae_term_call(terms, f, u, dae_function_facts(f)->arity);
}

/* f at the sample less the value of the registry, less (or plus) a billionth: its sign says
 * whether the two agree. */
static inline DaeTerm
sample_difference(DaeTerms *terms, DaeFunction f, int sample, bool plus)
{
  DaeTerm known = dae_term_from_double(terms, sample_value(f, sample));
  DaeTerm slack = dae_term_ratio(terms, plus ? 1 : -1, 1000000000);
  return dae_term_sub(terms, sample_call(terms, f, sample), dae_term_add(terms, known, slack));
}

#endif
