/* Numbers that are known before the start is: parameters and start attributes. A start attribute
 * may depend on free parameters, which the start itself determines. */
#include <math.h>
#include <string.h>

#include "start/start-priv.h"

bool
dae_start_number(const DaeStartInput *input, DaeTerm t, double *value)
{
  DaeTerms *terms = input->terms;
  DaeTerm closed = t == DAE_NO_TERM ? DAE_NO_TERM : dae_subst_apply(input->values, t);
  return closed != DAE_NO_TERM &&
         dae_term_eval_double(terms, closed, NULL, NULL, value) == DAE_EVAL_OK;
}

typedef struct {
  const DaeStartInput *input;
  const DaeStartAssembly *assembly; /* NULL: nothing was found yet */
} Free;

/* A free parameter: what was found for it, else its own start attribute. */
static bool
free_value(void *user, DaeTerm atom, double *value)
{
  const Free *found = user;
  const DaeStartInput *input = found->input;
  uint32_t i = 0;
  if (!dae_initial_find(input->initial, atom, &i)) {
    return false;
  }
  const GArray *unknowns = found->assembly != NULL ? found->assembly->unknowns : NULL;
  for (guint j = 0; unknowns != NULL && found->assembly->known != NULL && j < unknowns->len;
       j++) {
    if (g_array_index(unknowns, DaeTerm, j) == atom) {
      *value = found->assembly->known[j];
      return true;
    }
  }
  if (!dae_start_number(input, dae_initial_unknown(input->initial, i)->start, value)) {
    *value = 0;
  }
  return true;
}

static bool
evaluate(const Free *found, DaeTerm t, double *value)
{
  return dae_term_eval_double(found->input->terms, t, free_value, (void *)found, value) ==
             DAE_EVAL_OK &&
         isfinite(*value);
}

DaeTerm
dae_start_closed(const DaeStartInput *input, DaeTerm t)
{
  const Free found = {.input = input};
  double value = 0;
  DaeTerm closed = t == DAE_NO_TERM ? DAE_NO_TERM : dae_subst_apply(input->values, t);
  return closed != DAE_NO_TERM && evaluate(&found, closed, &value) ? closed : DAE_NO_TERM;
}

DaeTerm
dae_start_attribute(const DaeStartInput *input, DaeTerm atom)
{
  uint32_t i = 0;
  return dae_initial_find(input->initial, atom, &i)
             ? dae_start_closed(input, dae_initial_unknown(input->initial, i)->start)
             : DAE_NO_TERM;
}

double
dae_start_guess(const DaeStartAssembly *assembly, DaeTerm atom, bool *has_start)
{
  const Free found = {.input = assembly->input, .assembly = assembly};
  DaeTerm start = dae_start_attribute(assembly->input, atom);
  double value = 0;
  *has_start = start != DAE_NO_TERM && evaluate(&found, start, &value);
  return *has_start ? value : 0;
}

/* ---- all unknowns ------------------------------------------------------------------------ */

/* So much farther may an unknown without a start value move than one with it. */
#define FREE 1e3

/* The size of a parameter that is solved for is that of its start value: 1e-5 for the time
 * constants of a lightning, where in units of 1 everything near 0 would be a solution. */
static double
unit_of_parameter(const DaeStartAssembly *assembly, DaeTerm atom)
{
  bool has_start = false;
  const double start = fabs(dae_start_guess(assembly, atom, &has_start));
  return has_start && isnormal(start) ? start : 1;
}

double
dae_start_unit(const DaeStartAssembly *assembly, uint32_t j)
{
  if (j < dae_qlt_n_unknowns(assembly->input->qlt)) {
    return assembly->input->nominal[j];
  }
  const DaeTerm atom = g_array_index(assembly->unknowns, DaeTerm, j);
  const bool is_parameter = dae_term_kind(assembly->input->terms, atom) == DAE_KIND_PARAMETER;
  return is_parameter ? unit_of_parameter(assembly, atom) : 1;
}

/* How far may they move? What has a start value should stay near it; what has none may move
 * freely. Derivatives have none. */
void
dae_start_set_guesses(const DaeStartAssembly *assembly, double *x, double *weights)
{
  for (guint j = 0; j < assembly->unknowns->len; j++) {
    DaeTerm atom = g_array_index(assembly->unknowns, DaeTerm, j);
    bool has_start = false;
    x[j] = dae_start_guess(assembly, atom, &has_start);
    weights[j] = (has_start ? 1 : FREE) * dae_start_unit(assembly, j);
  }
}

/* A guess of 0 may lie where a function or its derivative is not defined (sqrt, log, a
 * quotient). Unknowns without a start value are then moved, all alike, to the first of a few
 * values that is inside the domain. */
void
dae_start_move_into_domain(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                           double *x, const double *weights)
{
  static const double tries[] = {0, 1, 0.1, 0.01, 10, -1, -0.1};
  g_autofree double *given = g_memdup2(x, numbers->n * sizeof(double));
  g_autofree double *out = g_new0(double, MAX(numbers->m, numbers->pattern.columns->len) + 1);
  for (size_t k = 0; k < G_N_ELEMENTS(tries); k++) {
    for (uint32_t j = 0; j < numbers->n; j++) {
      bool has_start = false;
      dae_start_guess(assembly, g_array_index(assembly->unknowns, DaeTerm, j), &has_start);
      double scale = weights[j] / FREE; /* nominal value, see set_guesses */
      x[j] = has_start ? given[j] : given[j] + tries[k] * scale;
    }
    if (dae_start_run(numbers, numbers->residual_tape, x, out) == 0 &&
        dae_start_run(numbers, numbers->jacobian_tape, x, out) == 0) {
      return;
    }
  }
  memcpy(x, given, numbers->n * sizeof(double));
}

/* Is this row met only at the cost of start values that were written? a^3 = b*c with a at 0, where
 * its derivative vanishes. Unknowns without a start value in it then begin elsewhere. */
static bool
leave_dead_row(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers, uint32_t i,
               const double *values, const double *weights, double *x)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  bool has_written = false;
  bool has_moved = false;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; e++) {
      uint32_t j = pattern.column[e];
      bool has_start = false;
      dae_start_guess(assembly, g_array_index(assembly->unknowns, DaeTerm, j), &has_start);
      if (pass == 0 && !has_start && values[e] != 0) {
        return false;
      }
      has_written = has_written || (has_start && values[e] != 0);
      if (pass == 1 && has_written && !has_start) {
        x[j] += weights[j] / FREE;
        has_moved = true;
      }
    }
  }
  return has_moved;
}

bool
dae_start_leave_dead_rows(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                          const double *weights, double *x)
{
  g_autofree double *moved = g_memdup2(x, (numbers->n + 1) * sizeof(double));
  g_autofree double *r = g_new0(double, numbers->m + 1);
  g_autofree double *values = g_new0(double, numbers->pattern.columns->len + 1);
  if (dae_start_run(numbers, numbers->residual_tape, x, r) != 0 ||
      dae_start_run(numbers, numbers->jacobian_tape, x, values) != 0) {
    return false;
  }
  bool has_moved = false;
  for (uint32_t i = 0; i < numbers->m; i++) {
    if (r[i] != 0) {
      has_moved |= leave_dead_row(assembly, numbers, i, values, weights, moved);
    }
  }
  if (!has_moved || dae_start_run(numbers, numbers->residual_tape, moved, r) != 0 ||
      dae_start_run(numbers, numbers->jacobian_tape, moved, values) != 0) {
    return false;
  }
  memcpy(x, moved, numbers->n * sizeof(double));
  return true;
}

double
dae_start_distance(const DaeStartAssembly *assembly, const double *x)
{
  double distance = 0;
  for (uint32_t j = 0; j < assembly->unknowns->len; j++) {
    bool has_start = false;
    double start =
        dae_start_guess(assembly, g_array_index(assembly->unknowns, DaeTerm, j), &has_start);
    distance += has_start ? fabs(x[j] - start) / dae_start_unit(assembly, j) : 0;
  }
  return distance;
}

/* They come last among the unknowns. */
bool
dae_start_has_free(const DaeStartAssembly *assembly)
{
  const GArray *unknowns = assembly->unknowns;
  return unknowns->len > 0 &&
         dae_term_kind(assembly->terms, g_array_index(unknowns, DaeTerm, unknowns->len - 1)) ==
             DAE_KIND_PARAMETER;
}

/* With the values found for the free parameters: do some start attributes change? */
bool
dae_start_learn_guesses(DaeStartAssembly *assembly, const double *found)
{
  guint n = assembly->unknowns->len;
  g_autofree double *before = g_new0(double, n + 1);
  g_autofree double *after = g_new0(double, n + 1);
  g_autofree double *weights = g_new0(double, n + 1);
  dae_start_set_guesses(assembly, before, weights);
  g_free(assembly->known);
  assembly->known = g_memdup2(found, n * sizeof(double));
  dae_start_set_guesses(assembly, after, weights);
  return memcmp(before, after, n * sizeof(double)) != 0;
}
