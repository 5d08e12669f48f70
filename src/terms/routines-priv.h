/* Inside of routines: entries of the table, and the library of their code. */
#ifndef DAE_TERMS_ROUTINES_PRIV_H
#define DAE_TERMS_ROUTINES_PRIV_H

#include "terms/routines.h"
#include "terms/terms-priv.h"

typedef struct {
  DaeRoutine parts; /* in formals; owned */
  bool is_defined;
  bool keeps_name;    /* it is printed without its number */
  bool is_inverted;   /* its annotated inverse was used */
  bool is_unknown;    /* calls itself in place of a body */
  DaeMethod *method;  /* of one that is unknown but has values; NULL: none */
  uint32_t of, by;    /* the derivative of routine of - 1 with respect to input `by`; 0: none */
  uint32_t total;     /* routine of the annotated derivative + 1, or 0 */
  uint8_t *by_total;  /* by input: is its derivative that one's? */
  uint32_t *partials; /* by input: number + 1, or 0 */
  uint8_t *depends;   /* by output and input; NULL: not known yet, all do */
  uint8_t *moves;     /* the same for derivatives */
} DaeRoutineEntry;

DaeRoutineEntry *dae_routine_entry(const DaeTerms *terms, uint32_t number);
bool dae_routine_keeps_name(const DaeTerms *terms, uint32_t number);
/* Is one of those that keep their names called so? */
bool dae_routine_is_name(const DaeTerms *terms, const char *text);
/* May output k depend on input i; may its derivative? */
bool dae_routine_depends(const DaeTerms *terms, uint32_t number, uint32_t k, uint32_t i,
                         bool smoothly);
/* One byte for each output and input. */
uint8_t *dae_routine_find_dependence(DaeTerms *terms, const DaeRoutine *r, bool smoothly);
void dae_routine_library_unref(struct DaeRoutineLibrary *library);

#endif
