/* External functions that daetool has itself: inside the reader. */
#ifndef DAE_READER_NATIVES_H
#define DAE_READER_NATIVES_H

#include "matrix/matrix.h"
#include "reader/calls.h"
#include "table/table.h"

#define DAE_MAX_FOREIGN_ARGUMENTS 32u

typedef struct {
  DaeReader *reader;
  const char *name;
  uint32_t pos;
  uint32_t result; /* name of the local that gets the value; 0: none */
  uint32_t n;
  DaeValue arguments[DAE_MAX_FOREIGN_ARGUMENTS];
  uint32_t names[DAE_MAX_FOREIGN_ARGUMENTS]; /* of arguments that are local variables; else 0 */
} DaeForeign;

typedef bool (*DaeForeignFunction)(DaeForeign *call); /* false: reported */

typedef struct {
  const char *name;
  uint32_t n; /* at least so many arguments */
  DaeForeignFunction run;
} DaeForeignEntry;

extern const DaeForeignEntry dae_foreign_strings[]; /* each ends with a name NULL */
extern const DaeForeignEntry dae_foreign_files[];
extern const DaeForeignEntry dae_foreign_system[];
extern const DaeForeignEntry dae_foreign_tables[];
extern const DaeForeignEntry dae_foreign_numbers[];
extern const DaeForeignEntry dae_foreign_lu[];
extern const DaeForeignEntry dae_foreign_lapack[];
extern const DaeForeignEntry dae_foreign_schur[];
extern const DaeForeignEntry dae_foreign_fft[];
extern const DaeForeignEntry dae_foreign_impure[];

bool dae_foreign_is_known(const char *name);
/* The C function that the class stands for. */
const char *dae_foreign_name(const DaeReader *reader, uint32_t class);
/* natives_unknown.c */
bool dae_foreign_unknown(DaeForeign *call, uint32_t class);

/* False: reported. */
bool dae_foreign_fail(const DaeForeign *call, const char *why);
bool dae_foreign_double(const DaeForeign *call, uint32_t i, uint32_t k, double *value);
bool dae_foreign_integer(const DaeForeign *call, uint32_t i, int64_t *value);
bool dae_foreign_boolean(const DaeForeign *call, uint32_t i, bool *value);
const char *dae_foreign_text(const DaeForeign *call, uint32_t i); /* NULL: reported */
/* The same for people to read: in place of values at run time it has their expressions. */
const char *dae_foreign_message(const DaeForeign *call, uint32_t i);
/* All elements as doubles, (transfer full); NULL: reported. */
double *dae_foreign_doubles(const DaeForeign *call, uint32_t i);
bool dae_foreign_return(DaeForeign *call, DaeValue value);
bool dae_foreign_return_text(DaeForeign *call, const char *text, gssize length);
bool dae_foreign_return_integer(DaeForeign *call, int64_t value);
/* Argument i is an output. */
bool dae_foreign_set(DaeForeign *call, uint32_t i, DaeValue value);
bool dae_foreign_set_doubles(DaeForeign *call, uint32_t i, const double *values,
                             bool is_integer);

/* Matrices: at most 500 rows and columns where they are numbers. */
bool dae_foreign_is_matrix(const DaeForeign *call, uint32_t i);
bool dae_foreign_is_square(const DaeForeign *call, uint32_t i);
bool dae_foreign_is_vector(const DaeForeign *call, uint32_t i, uint32_t n);
bool dae_foreign_fail_sizes(const DaeForeign *call); /* false, for the caller to return */
/* natives_empty.c: has a method of LAPACK only matrices without elements? Then its results. */
bool dae_foreign_is_empty(const DaeForeign *call);
bool dae_foreign_run_empty(DaeForeign *call);
bool dae_foreign_set_info(DaeForeign *call, int info); /* the last argument */
/* The letter of an option; 0: reported. */
char dae_foreign_letter(const DaeForeign *call, uint32_t i);

/* natives_method.c: a call of a method of LAPACK (matrix/matrix.h) on arguments of the function. On
 * numbers it is run at once, else it is a routine with values at run time. */
#define DAE_METHOD_NOWHERE UINT32_MAX        /* what the function does not ask for */
#define DAE_METHOD_RETURNED (UINT32_MAX - 1) /* the value of the function */

typedef struct {
  uint32_t argument, count;
  bool is_step; /* Integer */
} DaeMethodResult;

typedef struct {
  const char *name;
  int sizes[DAE_METHOD_SIZES];
  uint32_t inputs[4], n_inputs; /* arguments, one after the other */
  DaeMethodResult results[8];
  uint32_t n_results;
} DaeMethodCall;

bool dae_foreign_run_method(DaeForeign *call, const DaeMethodCall *method);
/* The routine of a method; one for each name and sizes. */
uint32_t dae_method_routine(DaeReader *reader, const DaeMethod *method, const uint8_t *is_step);
/* natives_derivative.c: it gets its derivative, if there is a formula for it. */
void dae_method_derive(DaeReader *reader, uint32_t number);

/* Are all elements of argument i numbers that are known at translation? */
bool dae_foreign_is_numeric(const DaeForeign *call, uint32_t i);
/* natives_terms.c: the same functions of matrices that are known only at run time. */
bool dae_foreign_least_squares(DaeForeign *call, uint32_t matrix, uint32_t right);
bool dae_foreign_cholesky(DaeForeign *call, bool is_lower);
bool dae_foreign_norm(DaeForeign *call, char kind);

#define DAE_MOST_ELIMINATED 50u /* rows */
/* b becomes a\b: n rows of m right sides. False: singular. */
bool dae_foreign_eliminate(DaeReader *reader, DaeTerm *a, DaeTerm *b, uint32_t n, uint32_t m);
/* Of an element in a column, with the values of parameters: -1: it is zero; 0: known only at run
 * time. */
double dae_foreign_pivot_size(DaeReader *reader, DaeTerm t);

/* natives_random.c: generators of random numbers with 1, 2 or 16 words of state
 * that is known only at run time. */
bool dae_random_is_known(const DaeForeign *call);
bool dae_random_at_run_time(DaeForeign *call, uint32_t n_words);
/* The state after the next draw, and the number that is drawn. */
DaeTerm dae_random_next(DaeTerms *terms, uint32_t n_words, const DaeTerm *state, DaeTerm *next);

#endif
