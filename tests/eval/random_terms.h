/* Random terms for two-ways tests: reproducible, over all kinds and functions. */
#ifndef DAE_TESTS_EVAL_RANDOM_TERMS_H
#define DAE_TESTS_EVAL_RANDOM_TERMS_H

#include "terms/terms.h"

typedef struct {
  DaeTerms *terms;
  GRand *random;
  const DaeTerm *atoms;
  uint32_t n_atoms;
  bool smooth; /* no relations, no steps: derivatives exist almost everywhere */
} RandomTerms;

/* depth levels of operations at most. */
DaeTerm random_term(const RandomTerms *source, int depth);

#endif
