/* Functions that are routines: inside of opaque.c, opaque_trace.c, opaque_derivative.c. */
#ifndef DAE_READER_OPAQUE_H
#define DAE_READER_OPAQUE_H

#include "reader/calls.h"
#include "terms/routines.h"

/* A result or the violation of an assertion. */
typedef struct {
  DaeTerm
      written; /* in the formals; DAE_NO_TERM: output `at` of the routine, unless it is absent */
  uint32_t at;
  uint8_t type;
  bool is_absent; /* a member without value */
} DaeOpaqueResult;

typedef struct {
  uint32_t class;
  bool is_failed, is_guarded, has_routine;
  DaeTerm *constants; /* by scalar argument: what it is; DAE_NO_TERM: a formal */
  GArray *inputs;     /* DaeTerm: formals by argument, then parameters that the body uses */
  uint32_t n_formals;
  uint32_t first_term; /* how many there were before it was traced */
  GArray *
      used; /* uint32_t: inputs of the routine, indices in `inputs`; the condition comes before */
  uint32_t number;
  uint32_t n_outputs;
  DaeValue *outputs; /* shapes, in the arena of the reader */
  GArray *results;   /* DaeOpaqueResult: scalars of the outputs, then assertions */
  GArray *assertions;
  GArray *values, *names; /* of the inputs while the body is traced: DaeValue, uint32_t */
} DaeOpaqueCase;

/* Traces the body on formals. Silently: what is given up here is found again, and told, where
 * the call is written out. written: nodes of a result that is written out all the same. */
void dae_opaque_trace(DaeReader *reader, DaeOpaqueCase *c, const DaeValue *const *given,
                      uint32_t n, uint32_t written, uint32_t pos);

/* A routine that was just made, its formals still in use. */
typedef struct {
  uint32_t class, number;
  bool is_guarded;        /* its first input says whether to run */
  const DaeValue *inputs; /* of the function, in the formals */
  const uint32_t *names;
  uint32_t n_inputs;
  const DaeValue *outputs;
  uint32_t n_outputs;
  const uint32_t
      *places;           /* by scalar of the outputs: output of the routine; UINT32_MAX: none */
  uint32_t n_results;    /* outputs of the routine */
  const GArray *formals; /* DaeTerm: its inputs */
} DaeOpaqueRoutine;

/* Results that are computed where the first input holds, else 0: s := 0, d := 0; while active and
 * not d loop s := results, d := 1. Its arrays are in scratch memory. */
DaeRoutine dae_guarded_routine(DaeReader *reader, const GArray *inputs, const DaeTerm *results,
                               uint32_t n);
uint32_t dae_opaque_add_routine(DaeReader *reader, const char *name, bool is_guarded,
                                const GArray *inputs, const GArray *outputs);
/* opaque_derivative.c; what cannot be taken is left to differentiation of the body. */
void dae_opaque_take_derivative(DaeReader *reader, const DaeOpaqueRoutine *f, uint32_t pos);

#define DAE_MOST_DERIVATIVES 9u /* largest order of an annotation that is used */

/* One derivative annotation. */
typedef struct {
  uint32_t first, n; /* entries inside it */
  uint32_t class;    /* of f_der */
  uint32_t pos;
} DaeDerivativeClaim;

/* Tells of annotations derivative = f that name no function. */
void dae_derivative_check_names(DaeReader *reader);
/* The next one of the class and this order from entry *at on. */
bool dae_derivative_next(const DaeReader *reader, uint32_t class, uint32_t order, uint32_t *at,
                         DaeDerivativeClaim *claim);
/* Has it one of any order, without noDerivative of a Real? Such an argument has
 * partial derivatives all the same, which f_der does not give: it is right only where the argument
 * is the function of the others that its author had in mind, and only as a derivative by time.
 * An external function that daetool does not have has nothing else: there it counts. */
bool dae_derivative_is_usable(const DaeReader *reader, uint32_t class);
/* Is there noDerivative = input (or the other word)? */
bool dae_derivative_says(const DaeReader *reader, const DaeDerivativeClaim *claim,
                         const char *word, uint32_t input);

/* f(x) and its total derivative in x and x', while that is made. */
typedef struct {
  DaeReader *reader;
  const DaeOpaqueRoutine *f;
  GArray *primes;    /* DaeTerm: by formal of the routine */
  uint8_t *by_total; /* by formal: is its derivative that of the annotation? */
} DaeOpaqueTotal;

bool dae_opaque_has_reals(const DaeValue *value);
/* Derivatives in place of the Reals. */
DaeValue dae_opaque_derivative_of(const DaeOpaqueTotal *total, const DaeValue *value);
void dae_opaque_mark_total(const DaeOpaqueTotal *total, const DaeValue *value);
/* The results of f_der to the outputs of f in the routine. False: they do not fit. */
bool dae_opaque_place_results(const DaeOpaqueTotal *total, const DaeValue *result,
                              DaeTerm *outputs);
/* opaque_higher.c: the same by an annotation of order 2 or more. */
bool dae_opaque_higher_order(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim,
                             uint32_t order, DaeTerm *outputs, uint32_t pos);

#endif
