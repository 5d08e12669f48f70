/* Where the defaults of what is missing admit no start: with 2*x*y = 1 no initial equation says
 * what y is, and a default of 0 that nobody wrote contradicts the constraint. Such a choice is
 * dropped; start values that were written and initial equations stay. The point is looked for from
 * other guesses, and taken where the derivatives are determined (2*x*y = 1 with der(x) + der(y)
 * given is singular at x = y). */
#include <math.h>
#include <string.h>

#include "start/start-priv.h"

enum { TRIES = 12, MOST_UNKNOWNS = 500, MOST_OPERATIONS = 100000000 };

/* Choices that rest on a start value that was written; *n_dropped: the others. */
static GArray *
written_choices(const DaeStartInput *input, const DaeInit *init, uint32_t *n_dropped)
{
  GArray *kept = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t n = init != NULL ? dae_init_n_suggested(init) : input->n_chosen;
  *n_dropped = 0;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm atom = init != NULL ? dae_init_suggested(init, i) : input->chosen[i];
    bool is_written = dae_start_find_wish(input, atom) != NULL ||
                      dae_start_attribute(input, atom) != DAE_NO_TERM;
    if (is_written) {
      g_array_append_val(kept, atom);
    }
    *n_dropped += is_written ? 0 : 1;
  }
  return kept;
}

typedef struct {
  const DaeStartAssembly *assembly;
  const double *x;
} Point;

static bool
value_at_point(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  const GArray *unknowns = point->assembly->unknowns;
  for (guint j = 0; j < unknowns->len; j++) {
    if (g_array_index(unknowns, DaeTerm, j) == atom) {
      *value = point->x[j];
      return true;
    }
  }
  return false;
}

/* Rows of E; false: one has no value. */
static bool
add_differential_rows(const Point *point, DaeEchelon *echelon)
{
  const DaeStartInput *input = point->assembly->input;
  for (uint32_t i = 0; i < dae_qlt_n_rows(input->qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(input->qlt, i);
    g_autofree double *values = g_new0(double, row->n + 1);
    for (uint32_t k = 0; k < row->n; k++) {
      DaeTerm closed = dae_subst_apply(input->values, row->coefficients[k]);
      if (closed == DAE_NO_TERM || dae_term_eval_double(input->terms, closed, value_at_point,
                                                        (void *)point, &values[k])) {
        return false;
      }
    }
    dae_echelon_add(echelon, row->columns, values, row->n, 1e-7);
  }
  return true;
}

/* Has [E; h_x] full rank at x, by more than rounding (eqs. 6, 7 of [HoegerSteinbrecher])? */
static bool
derivatives_are_determined(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                           const double *x)
{
  const Point point = {assembly, x};
  const DaePattern pattern = dae_start_pattern(numbers);
  uint32_t n = dae_qlt_n_unknowns(assembly->input->qlt);
  DaeEchelon *echelon = dae_echelon_new(n, MOST_OPERATIONS);
  g_autofree double *values = g_new0(double, numbers->pattern.columns->len + 1);
  bool ok = dae_start_jacobian(numbers, NULL, x, values) == 0 &&
            add_differential_rows(&point, echelon);
  for (uint32_t i = 0; i < pattern.n_rows && ok; i++) {
    const DaeStartSource *source = &g_array_index(assembly->what, DaeStartSource, i);
    uint32_t from = pattern.row_start[i];
    if (source->kind == DAE_START_FROM_CONSTRAINT && source->order == 0) {
      dae_echelon_add(echelon, pattern.column + from, values + from,
                      pattern.row_start[i + 1] - from, 1e-7);
    }
  }
  ok = ok && !dae_echelon_is_over(echelon) && dae_echelon_rank(echelon) == n;
  dae_echelon_free(echelon);
  return ok;
}

/* First from the defaults themselves, which leaves what it can where it is. */
static bool
look_around(const DaeStartAssembly *assembly, DaeStartNumbers *numbers, double *found,
            DaeRootResult *result)
{
  g_autofree double *guess = g_new0(double, numbers->n + 1);
  g_autofree double *weights = g_new0(double, numbers->n + 1);
  g_autofree double *units = g_new0(double, numbers->n + 1);
  dae_start_set_guesses(assembly, guess, weights);
  for (uint32_t j = 0; j < numbers->n; j++) {
    units[j] = dae_start_unit(assembly, j);
  }
  memcpy(found, guess, numbers->n * sizeof(double));
  for (uint32_t k = 0; k <= TRIES; k++) {
    if (k > 0) {
      dae_start_move_guess(guess, units, numbers->n, k - 1, found);
    }
    *result = dae_start_solve(numbers, weights, found);
    if (result->converged && !dae_start_is_doubtful(assembly, numbers, found) &&
        derivatives_are_determined(assembly, numbers, found)) {
      result->kind = DAE_ROOT_UNCHOSEN;
      return true;
    }
  }
  return false;
}

bool
dae_start_find_unchosen(const DaeStartInput *input, const DaeInit *init, double *x,
                        DaeRootResult *result)
{
  uint32_t n_dropped = 0;
  g_autoptr(GArray) kept = written_choices(input, init, &n_dropped);
  if (n_dropped == 0) {
    return false;
  }
  DaeStartInput open = *input;
  open.chosen = (const DaeTerm *)(void *)kept->data;
  open.n_chosen = kept->len;
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(&open, NULL);
  g_autoptr(DaeStartNumbers) numbers = dae_start_numbers_new(assembly, NULL);
  if (numbers == NULL || numbers->n > MOST_UNKNOWNS || numbers->has_lambda ||
      dae_start_has_free(assembly)) {
    return false;
  }
  g_autofree double *found = g_new0(double, numbers->n + 1);
  DaeRootResult there = {0};
  if (!look_around(assembly, numbers, found, &there)) {
    return false;
  }
  memcpy(x, found, dae_qlt_n_unknowns(input->qlt) * sizeof(double));
  *result = there;
  return true;
}
