/* Routines: functions with loops, recursion, or a body that is not written out at each call.
 *
 * A routine maps inputs x to outputs: s := initial(x); while condition(s, x) loop s :=
 * next(s, x) end while; outputs(s, x) All parts are terms in the formals of the routine and
 * in nothing else, so a loop inside a loop is a call of another routine. A routine without
 * states is outputs(x) alone; it may call itself.
 *
 * The term of output k is CALL(DAE_FN_ROUTINE; number, k, arguments). Equal arguments have
 * equal values whatever the routine computes (congruence). Derivatives are routines again:
 * forward differentiation of the loop, s' carried along with s (Griewank and Walther,
 * Evaluating Derivatives, ch. 3), of any order by repetition.
 *
 * Routines are kept once: two with the same parts have the same number. */
#ifndef DAE_TERMS_ROUTINES_H
#define DAE_TERMS_ROUTINES_H

#include "terms/terms.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;      /* of the function, for messages */
  const DaeTerm *inputs; /* VARIABLE terms of order 0, pairwise different */
  const DaeTerm *states;
  const DaeTerm *initial; /* by state */
  const DaeTerm *next;    /* by state */
  const DaeTerm *outputs;
  DaeTerm condition; /* DAE_NO_TERM where there is no state */
  uint32_t n_inputs, n_states, n_outputs;
} DaeRoutine;

/* The number; inputs and states are replaced by the formals of the context. n_inputs > 0. */
uint32_t dae_terms_add_routine(DaeTerms *terms, const DaeRoutine *routine);
/* The same, with a number of its own although there may be another one with equal parts. */
uint32_t dae_terms_add_own_routine(DaeTerms *terms, const DaeRoutine *routine);
/* A function of which nothing is known but its name: it calls itself without end, so that
 * nowhere a value is found, and all that is proved of calls holds for every function.
 * is_step: by output, are its values Integer or Boolean? */
uint32_t dae_terms_add_unknown_routine(DaeTerms *terms, const char *name, uint32_t n_inputs,
                                       uint32_t n_outputs, const uint8_t *is_step);
/* Is it one, or a derivative of one that nothing gives; of which order? */
bool dae_terms_routine_is_unknown(const DaeTerms *terms, uint32_t number, uint32_t *order);
/* A function that is computed on doubles and in no other way, such as a method of LAPACK
 * (matrix/matrix.h): for algebra it is unknown, at run time it has values. The numbers of `sizes`
 * say which of its kind it is; work and places are memory for one call. */
#define DAE_METHOD_SIZES 6u

typedef struct {
  const char *name; /* lives as long as the process, and names it in exported C */
  void (*run)(const int *sizes, const double *inputs, double *outputs, double *work,
              int *places);
  int sizes[DAE_METHOD_SIZES];
  uint32_t n_inputs, n_outputs, n_work, n_places;
  uint32_t
      n_continuous; /* so many first outputs; others (signs of vectors) are chosen freely */
} DaeMethod;

/* The derivatives of one that gets none (dae_terms_set_routine_derivative) are central
 * differences: good enough for Newton's method, but "cannot be had" where a derivative is a
 * part of the model. */
uint32_t dae_terms_add_method_routine(DaeTerms *terms, const char *name,
                                      const DaeMethod *method, const uint8_t *is_step);
/* NULL: it is none. */
const DaeMethod *dae_terms_routine_method(const DaeTerms *terms, uint32_t number);
/* The number + 1 of a method with a derivative in t, or in a routine called there, of an output
 * that is not continuous; 0: none. */
uint32_t dae_term_find_free_derivative(DaeTerms *terms, DaeTerm t);
/* Is it, or a derivative of it, computed where the arguments are numbers? Not so are functions
 * that are known by their names only. */
bool dae_terms_routine_has_values(const DaeTerms *terms, uint32_t number);
/* For recursion: a number first, its parts later. */
uint32_t dae_terms_declare_routine(DaeTerms *terms, const char *name, uint32_t n_inputs,
                                   uint32_t n_outputs);
void dae_terms_define_routine(DaeTerms *terms, uint32_t number, const DaeRoutine *routine);
uint32_t dae_terms_routine_count(const DaeTerms *terms);
/* Its parts; those of a derivative are made when first asked for. */
const DaeRoutine *dae_terms_routine(DaeTerms *terms, uint32_t number);
const char *dae_terms_routine_name(const DaeTerms *terms, uint32_t number);
/* 'f#2': how calls name it, in any text. */
void dae_terms_print_routine(const DaeTerms *terms, uint32_t number, GString *out);
/* It is called by its name alone from now on, as in a text that was printed before. */
void dae_terms_keep_routine_name(DaeTerms *terms, uint32_t number);
/* A variable that occurs in no term outside routines: number i of the context. */
DaeTerm dae_terms_formal(DaeTerms *terms, uint32_t i);
/* Derivatives of this routine are those of the other one, total(x, x') -> outputs', linear
 * in x', with respect to the inputs i with by_total[i] != 0. Before the first term of it is
 * made. */
void dae_terms_set_routine_derivative(DaeTerms *terms, uint32_t number, uint32_t total,
                                      const uint8_t *by_total);
/* Was that done for a function of the model? Its derivatives rest on a claim then. */
bool dae_terms_routine_is_annotated(const DaeTerms *terms, uint32_t number);

/* An equation was solved by the inverse that an annotation gives of it: a claim, too. */
void dae_terms_use_routine_inverse(DaeTerms *terms, uint32_t number);
bool dae_terms_routine_is_inverted(const DaeTerms *terms, uint32_t number);

/* Is output k constant between jumps? */
bool dae_terms_routine_is_step(const DaeTerms *terms, uint32_t number, uint32_t k);
/* May output k depend on input i? */
bool dae_terms_routine_depends(const DaeTerms *terms, uint32_t number, uint32_t k, uint32_t i);

/* Output k (from 0). An argument that output k does not depend on is replaced by 0. */
DaeTerm dae_term_routine(DaeTerms *terms, uint32_t number, uint32_t k,
                         const DaeTerm *arguments);
/* Of a CALL of DAE_FN_ROUTINE; its arguments are the operands from 2 on. */
void dae_term_get_routine(const DaeTerms *terms, DaeTerm t, uint32_t *number, uint32_t *k);
/* The derivative with respect to argument i; its number of outputs is the same. */
DaeTerm dae_term_routine_partial(DaeTerms *terms, DaeTerm call, uint32_t i);
/* Appends the numbers of all routines called in t or from there, each
 * once, callers before the called. */
void dae_term_collect_routines(DaeTerms *terms, DaeTerm t, GArray *numbers);

/* ---- on doubles -------------------------------------------------------------------------- */

/* Code of the routines of a context. It may outlive the context; running
 * it is safe in several threads. */
typedef struct DaeRoutineCode DaeRoutineCode;

/* Valid as long as a reference is held by dae_routine_code_ref. */
const DaeRoutineCode *dae_terms_routine_code(DaeTerms *terms, uint32_t number);
const DaeRoutineCode *dae_routine_code_ref(const DaeRoutineCode *code);
void dae_routine_code_unref(const DaeRoutineCode *code);
uint32_t dae_routine_code_n_inputs(const DaeRoutineCode *code);
uint32_t dae_routine_code_n_outputs(const DaeRoutineCode *code);

/* Rounds of loops and calls together of one dae_routine_run, and calls inside calls;
 * beyond, the outputs are NaN. */
#define DAE_ROUTINE_MAX_ROUNDS 20000000u
#define DAE_ROUTINE_MAX_DEPTH 1000u

/* C text for this process (it has addresses in it): dae_run_I(const double *x, double *y) does
 * what dae_routine_run does with codes[I]. False: there are more steps than that. */
bool dae_routine_code_write(const DaeRoutineCode *const *codes, uint32_t n, uint32_t most_steps,
                            GString *out);

/* Outputs that are not defined are NaN. */
void dae_routine_run(const DaeRoutineCode *code, const double *inputs, double *outputs);

G_END_DECLS

#endif
