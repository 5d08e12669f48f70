/* Which variables does a residual contain linearly? */
#include "simplify/simplify-priv.h"

/* coefficient * x with one variable of order 0 and a coefficient without variables. */
static bool
split_product(DaeSimplifier *s, DaeTerm t, DaeTerm *coefficient, DaeTerm *variable)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(s->terms, DAE_KIND_PRODUCT, &t, &n);
  *variable = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_kind(s->terms, factors[i]) == DAE_KIND_VARIABLE) {
      if (*variable != DAE_NO_TERM || dae_term_order(s->terms, factors[i]) > 0) {
        return false;
      }
      *variable = factors[i];
    }
  }
  if (*variable == DAE_NO_TERM) {
    return false;
  }
  *coefficient = dae_term_int(s->terms, 1);
  for (uint32_t i = 0; i < n; i++) {
    if (factors[i] != *variable) {
      *coefficient = dae_term_mul(s->terms, *coefficient, factors[i]);
    }
  }
  return true;
}

/* A number times a sum of all: k*(x - y). Only numbers may be divided off. */
static DaeTerm
without_numeric_factor(DaeSimplifier *s, DaeTerm residual)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(s->terms, DAE_KIND_PRODUCT, &residual, &n);
  return n == 2 && dae_term_is_number(s->terms, factors[0]) ? factors[1] : residual;
}

bool
dae_split_linear(DaeSimplifier *s, DaeTerm residual, DaeLinearPart *parts, uint32_t most,
                 uint32_t *n_parts, DaeTerm *rest)
{
  uint32_t n = 0;
  residual = without_numeric_factor(s, residual);
  const DaeTerm *summands = dae_term_parts(s->terms, DAE_KIND_SUM, &residual, &n);
  *n_parts = 0;
  *rest = dae_term_int(s->terms, 0);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm coefficient = DAE_NO_TERM;
    DaeTerm variable = DAE_NO_TERM;
    if (!dae_term_has_variables(s->terms, summands[i])) {
      *rest = dae_term_add(s->terms, *rest, summands[i]);
      continue;
    }
    uint32_t j = 0;
    if (*n_parts == most || !split_product(s, summands[i], &coefficient, &variable) ||
        dae_term_has_variables(s->terms, coefficient) ||
        !dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, variable), &j)) {
      return false;
    }
    for (uint32_t k = 0; k < *n_parts; k++) {
      if (parts[k].variable == j) {
        return false; /* p*x + q*x: not worth a look */
      }
    }
    parts[(*n_parts)++] = (DaeLinearPart){j, coefficient};
  }
  return true;
}

DaeTerm
dae_number_coefficient(DaeSimplifier *s, DaeTerm residual, uint32_t j)
{
  DaeTerm x = dae_term_variable(s->terms, dae_model_variable(s->model, j)->symbol, 0);
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(s->terms, DAE_KIND_SUM, &residual, &n);
  DaeTerm found = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t n_factors = 0;
    const DaeTerm *factors =
        dae_term_parts(s->terms, DAE_KIND_PRODUCT, &summands[i], &n_factors);
    if (factors[n_factors - 1] == x && found == DAE_NO_TERM &&
        (n_factors == 1 || (n_factors == 2 && dae_term_is_number(s->terms, factors[0])))) {
      found = n_factors == 1 ? dae_term_int(s->terms, 1) : factors[0];
    } else if (dae_term_contains(s->terms, summands[i], x)) {
      return DAE_NO_TERM;
    }
  }
  return found;
}
