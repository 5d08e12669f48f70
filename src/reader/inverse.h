/* Inverses of functions by annotation: inside the reader. */
#ifndef DAE_READER_INVERSE_H
#define DAE_READER_INVERSE_H

#include "reader/calls.h"

/* A routine that was just made, its formals still in use. */
typedef struct {
  uint32_t class, number;
  uint32_t at;            /* output of the routine that is the only result of the function */
  const DaeValue *inputs; /* of the function, in the formals */
  const uint32_t *names;
  uint32_t n_inputs;
  const GArray *formals; /* DaeTerm: inputs of the routine */
} DaeInverseOf;

bool dae_inverse_is_given(const DaeReader *reader, uint32_t class);
/* Keeps its inverses; what cannot be evaluated is left out. */
void dae_inverse_take(DaeReader *reader, const DaeInverseOf *f);
/* All equations are there: those that an inverse solves are written so. */
void dae_inverse_apply(DaeReader *reader);

/* |f - y| <= 1e-6*(|f| + |y|) + 1e-10: numbers in annotated functions are rounded. */
#define DAE_INVERSE_RELATIVE 1e-6
#define DAE_INVERSE_ABSOLUTE 1e-10
/* f is f(g(y, p), p), where `result` stands for y: is it something else at some y? False where
 * nothing is seen. */
bool dae_inverse_is_refuted(DaeReader *reader, DaeTerm f, DaeTerm result);

#endif
