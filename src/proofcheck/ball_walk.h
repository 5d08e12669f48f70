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
  /* at the edges of branches: node -> its number + 1, and which way each goes (a bit by number);
   * NULL: there is no derivative at an edge */
  DaeTerm open; /* the equation without a value, or a derivative, of the last question */
  GHashTable *edges;
  uint32_t edge_mode;
};

typedef struct { /* one evaluation */
  const DaeCertifier *certifier;
  slong precision;
  const DaeTerm *directions;
  uint32_t n_directions;
  bool at_midpoint;
  GHashTable *memo; /* term -> Value */
  /* inside of a routine: formal -> Value, borrowed; NULL: outside */
  GHashTable *locals;
  uint32_t depth;   /* calls inside calls */
  uint32_t *rounds; /* of loops, all together; NULL: none yet */
} Walk;

Value *dae_ball_value_new(const Walk *walk);
void dae_ball_value_free(const Walk *walk, Value *value);
void dae_ball_value_copy(const Walk *walk, const Value *from, Value *out);
/* Is it true, false, or (STATE_BAD) open? A number in place of a truth value is 0 or another. */
State dae_ball_truth(const Value *value);
/* ball_routine.c: subscripts, tables, functions with loops. False: t is no call of these. */
bool dae_ball_walk_special(const Walk *walk, DaeTerm t, Value *out);

/* f(x) and f'(x); false: f is no function of one argument that has a value here. */
bool dae_ball_walk_function(DaeFunction f, const arb_t x, arb_t value, arb_t slope,
                            slong precision);
/* Value of t; belongs to the walk. */
const Value *dae_ball_walk_value(Walk *walk, DaeTerm t);
void dae_ball_walk_init(Walk *walk, const DaeCertifier *certifier, slong precision);
void dae_ball_walk_clear(Walk *walk);

#endif
