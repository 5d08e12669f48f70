/* The commonest start of all: every unknown is given its number by an equation of its own. */
#include <math.h>

#include "start/start-priv.h"

/* x = number, as a residual: x or number + x. */
static DaeTerm
given_atom(const DaeTerms *terms, DaeTerm residual, double *number)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &residual, &n);
  const DaeTerm atom = summands[n - 1];
  if (n > 2 || dae_term_kind(terms, atom) != DAE_KIND_VARIABLE ||
      (n == 2 && !dae_term_is_number(terms, summands[0]))) {
    return DAE_NO_TERM;
  }
  *number = n == 2 ? -dae_term_get_double(terms, summands[0]) : 0;
  return isfinite(*number) ? atom : DAE_NO_TERM;
}

/* place[symbol] is the number + 1 of the unknown; NULL: one is not a variable itself. */
static uint32_t *
places_of_symbols(const DaeStartAssembly *assembly)
{
  const DaeTerms *terms = assembly->terms;
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)dae_terms_symbol_count(terms) + 1);
  for (guint j = 0; j < assembly->unknowns->len; j++) {
    DaeTerm atom = g_array_index(assembly->unknowns, DaeTerm, j);
    if (dae_term_kind(terms, atom) != DAE_KIND_VARIABLE || dae_term_order(terms, atom) > 0) {
      return NULL;
    }
    place[dae_term_get_symbol(terms, atom)] = j + 1;
  }
  return g_steal_pointer(&place);
}

bool
dae_start_take_given(const DaeStartAssembly *assembly, double *x)
{
  const uint32_t n = assembly->unknowns->len;
  if (assembly->equations->len != n) {
    return false;
  }
  g_autofree uint32_t *place = places_of_symbols(assembly);
  bool is_given = place != NULL;
  for (guint i = 0; i < n && is_given; i++) {
    double number = 0;
    DaeTerm atom =
        given_atom(assembly->terms, g_array_index(assembly->equations, DaeTerm, i), &number);
    is_given = atom != DAE_NO_TERM && dae_term_order(assembly->terms, atom) == 0;
    uint32_t *at = is_given ? &place[dae_term_get_symbol(assembly->terms, atom)] : NULL;
    is_given = is_given && *at > 0;
    if (is_given) {
      x[*at - 1] = number;
      *at = 0; /* once */
    }
  }
  return is_given;
}
