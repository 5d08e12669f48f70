/* Inside of the certifier: terms at balls, with derivatives in some directions (ball_walk.c), and
 * the functions of one argument (ball_functions.c). */
#ifndef DAE_PROOFCHECK_BALL_WALK_H
#define DAE_PROOFCHECK_BALL_WALK_H

#include "algebra/flint-compat.h"
#include "proofcheck/certify.h"

typedef enum { STATE_BAD, STATE_NUMBER, STATE_TRUE, STATE_FALSE } State;

typedef struct { /* value of a term, with derivatives in the directions of the walk */
  State state;
  bool is_smooth; /* the derivatives are meant */
  arb_t value;
  arb_ptr d; /* n_directions */
} Value;

struct DaeCertifier {
  DaeTerms *terms;
  GHashTable *bound; /* atom -> term */
  GHashTable *balls; /* atom -> arb_struct * */
};

typedef struct { /* one evaluation */
  const DaeCertifier *certifier;
  slong precision;
  const DaeTerm *directions;
  uint32_t n_directions;
  bool at_midpoint;
  GHashTable *memo; /* term -> Value */
} Walk;

/* f(x) and f'(x); false: f is no function of one argument that has a value here. */
bool dae_ball_walk_function(DaeFunction f, const arb_t x, arb_t value, arb_t slope,
                            slong precision);
/* Value of t; belongs to the walk. */
const Value *dae_ball_walk_value(Walk *walk, DaeTerm t);
void dae_ball_walk_init(Walk *walk, const DaeCertifier *certifier, slong precision);
void dae_ball_walk_clear(Walk *walk);

#endif
