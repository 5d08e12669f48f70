/* The inside of initcheck on small systems: unknowns by name, terms by text. */
#ifndef DAE_TESTS_INITCHECK_INSIDE_H
#define DAE_TESTS_INITCHECK_INSIDE_H

#include "initcheck/initcheck-priv.h"

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeSig *sig;
  DaeInitialProblem *problem;
  IcSystem *sys;
} Inside;

/* The initial problem of `model M TEXT end M;`. */
Inside inside_new(const char *text);
/* The same with the parameters replaced by their values from the beginning. */
Inside inside_new_at_values(const char *text);
void inside_clear(Inside *inside);
/* An expression in the names of the model; der(x) and time are known. */
DaeTerm inside_term(const Inside *inside, const char *text);
/* The number of the unknown that this text names; the test fails if there is none. */
uint32_t inside_unknown(const Inside *inside, const char *text);
/* Are both proved to be equal as functions? */
bool inside_equal(const Inside *inside, DaeTerm a, DaeTerm b);
/* The text of a term, for messages; freed with the system's terms it is not: g_free. */
char *inside_text(const Inside *inside, DaeTerm t);
/* The value of an unknown after a check; the test fails if there is none. */
double inside_value(const Inside *inside, const DaeInit *init, const char *text);

#endif
