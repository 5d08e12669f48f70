/* Is the root that was found one at which the equations of the system determine their unknowns? At
 * a root of higher multiplicity, x^2 = 0, or where a factor vanishes, x*(z - 1) = 0 at x = 0, a row
 * or a column of the constraints' Jacobian vanishes: digits are lost, or an unknown is not
 * determined at all and any value looks like a solution. The Jacobian a little beside tells it:
 * there it does not vanish. Initial equations are left out (x = 1 on a circle is a double root and
 * a fine start), and so are unknowns that are differentiated. */
#include <math.h>
#include <string.h>

#include "start/start-priv.h"

/* How far beside, in units of the unknowns. */
#define BESIDE 1e-4
/* Rows and columns so much smaller than beside make a root degenerate; a regular one in its place
 * has to be better than that. */
#define VANISHED 1e-3
#define WELL_THERE 0.1
/* Unknowns up to which other guesses are tried. */
#define MOST_UNKNOWNS 500

DaePattern
dae_start_pattern(const DaeStartNumbers *numbers)
{
  return (DaePattern){numbers->m, numbers->n,
                      (const uint32_t *)(void *)numbers->pattern.row_start->data,
                      (const uint32_t *)(void *)numbers->pattern.columns->data};
}

/* The Jacobian beside x, into values; false: it has no value there. */
static bool
look_beside(const DaeStartNumbers *numbers, const double *units, const double *x,
            double *values)
{
  static const double sides[] = {1, -1};
  g_autofree double *y = g_new0(double, numbers->n + 1);
  for (size_t k = 0; k < G_N_ELEMENTS(sides); k++) {
    for (uint32_t j = 0; j < numbers->n; j++) {
      /* all different, so that x - y moves as well */
      double share = 1 + 0.1 * (double)(j % 11);
      y[j] = x[j] + sides[k] * BESIDE * share * (fabs(x[j]) + units[j]);
    }
    if (dae_start_run(numbers, numbers->jacobian_tape, y, values) == 0) {
      return true;
    }
  }
  return false;
}

static bool *
find_differentiated(const DaeStartAssembly *assembly)
{
  const DaeQlt *qlt = assembly->input->qlt;
  bool *is_differentiated = g_new0(bool, dae_qlt_n_unknowns(qlt) + 1);
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    for (uint32_t e = 0; e < row->n; e++) {
      is_differentiated[row->columns[e]] = true;
    }
  }
  return is_differentiated;
}

typedef struct {
  double share;          /* of what is beside that counts as nothing */
  bool takes_conditions; /* rows of initial conditions are looked at, too */
} Measure;

/* Does a row or a column of the constraints vanish here and not beside: every entry that is not 0
 * anyway? Entries are compared with themselves, whatever their units. */
static bool
something_vanishes(const DaeStartAssembly *assembly, const DaePattern *pattern,
                   const double *here, const double *beside, Measure measure)
{
  const double share = measure.share;
  uint32_t n = dae_qlt_n_unknowns(assembly->input->qlt);
  g_autofree bool *is_differentiated = find_differentiated(assembly);
  g_autofree double *column_left = g_new0(double, pattern->n_columns + 1);
  for (uint32_t j = 0; j < pattern->n_columns; j++) {
    column_left[j] = -1; /* no entry yet */
  }
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    const DaeStartSource *source = &g_array_index(assembly->what, DaeStartSource, i);
    double row_left = -1;
    bool is_constraint = source->kind == DAE_START_FROM_CONSTRAINT && source->order == 0;
    if (!is_constraint && !measure.takes_conditions) {
      continue;
    }
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      double left = beside[e] != 0 ? fabs(here[e] / beside[e]) : here[e] != 0 ? 1 : -1;
      uint32_t j = pattern->column[e];
      column_left[j] = fmax(column_left[j], left);
      row_left = fmax(row_left, left);
    }
    if (row_left >= 0 && row_left < share) {
      return true;
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    if (!is_differentiated[j] && column_left[j] >= 0 && column_left[j] < share) {
      return true;
    }
  }
  return false;
}

static bool
is_degenerate(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
              const double *units, const double *x, Measure measure)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  g_autofree double *here = g_new0(double, numbers->pattern.columns->len + 1);
  g_autofree double *beside = g_new0(double, numbers->pattern.columns->len + 1);
  return dae_start_run(numbers, numbers->jacobian_tape, x, here) == 0 &&
         look_beside(numbers, units, x, beside) &&
         something_vanishes(assembly, &pattern, here, beside, measure);
}

void
dae_start_move_guess(const double *guess, const double *units, uint32_t n, uint32_t k,
                     double *x)
{
  static const double sizes[] = {0.5, 2, 8};
  const double golden = 0.6180339887498949;
  for (uint32_t j = 0; j < n; j++) {
    double phase = (double)(j + 1) * golden * (double)(k + 1);
    double shift = 2 * (phase - floor(phase)) - 1;
    x[j] = guess[j] + shift * sizes[k % 3] * (fabs(guess[j]) + units[j]);
  }
}

/* At a root of higher multiplicity Newton's method ends a way off, where the rows do not vanish yet
 * but are already much smaller than beside. */
bool
dae_start_is_doubtful(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                      const double *x)
{
  g_autofree double *units = g_new0(double, numbers->n + 1);
  for (uint32_t j = 0; j < numbers->n; j++) {
    units[j] = dae_start_unit(assembly, j);
  }
  return numbers->m >= numbers->n &&
         is_degenerate(assembly, numbers, units, x, (Measure){WELL_THERE, true});
}

void
dae_start_leave_degenerate(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                           const DaeStartMeasure *measure, double *x, DaeRootResult *result)
{
  enum { TRIES = 12 };

  /* what is not determined yet is chosen first */
  if (!result->converged || numbers->m < numbers->n ||
      !is_degenerate(assembly, numbers, measure->units, x, (Measure){VANISHED, false})) {
    return;
  }
  result->kind = DAE_ROOT_DEGENERATE;
  g_autofree double *other = g_new0(double, numbers->n + 1);
  for (uint32_t k = 0; k < TRIES && numbers->n <= MOST_UNKNOWNS; k++) {
    dae_start_move_guess(measure->guess, measure->units, numbers->n, k, other);
    DaeRootResult next = dae_start_solve(numbers, measure->weights, other);
    if (next.converged && !is_degenerate(assembly, numbers, measure->units, other,
                                         (Measure){WELL_THERE, false})) {
      *result = next;
      result->kind = DAE_ROOT_INSTEAD;
      memcpy(x, other, numbers->n * sizeof(double));
      return;
    }
  }
}
