/* Methods of LAPACK on matrices without elements: they return at once [Anderson et al., LAPACK
 * Users' Guide, "quick return"]. Their arrays have no elements either; the numbers that they give
 * are those of an empty sum or product. */
#include "reader/natives.h"

#include <string.h>

bool
dae_foreign_is_empty(const DaeForeign *call)
{
  uint32_t n = 0;
  uint32_t n_empty = 0;
  for (uint32_t i = 0; i < call->n; i++) {
    bool is_matrix = call->arguments[i].n_dims == 2;
    n += is_matrix ? 1 : 0;
    n_empty += is_matrix && call->arguments[i].count == 0 ? 1 : 0;
  }
  return n > 0 && n == n_empty;
}

bool
dae_foreign_run_empty(DaeForeign *call)
{
  static const struct {
    const char *name;
    uint32_t argument;
    int value;
  } numbers[] = {{"dgelsy", 9, 0},  {"dtrsen", 10, 0}, {"dtrsen", 11, 1},
                 {"dtrsen", 12, 0}, {"dtrsyl", 11, 1}, {"dgecon", 5, 1}};

  DaeTerms *terms = call->reader->terms;
  if (strcmp(call->name, "dlange") == 0) {
    return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_REAL, dae_term_int(terms, 0)));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
    if (strcmp(call->name, numbers[i].name) == 0) {
      uint32_t at = numbers[i].argument;
      DaeValue value =
          dae_value_scalar(call->arguments[at].type, dae_term_int(terms, numbers[i].value));
      if (!dae_foreign_set(call, at, value)) {
        return false;
      }
    }
  }
  return dae_foreign_set_info(call, 0);
}
