/* Which blocks of the start leave it open in double precision whether x is near a solution? Those
 * whose next Newton correction, or the one that rounding of their equations could ask for, is
 * not small beside the unknowns, and those whose Jacobian changes within such corrections:
 * Newton and Kantorovich's theorem then promises nothing [OrtegaRheinboldt70, 12.6]. Blocks with
 * constant entries are linear and not asked. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "algebra/enclose.h"
#include "solver/split.h"
#include "start/start-priv.h"

#define MOST_IN_BLOCK DAE_START_MOST_IN_BLOCK /* its matrix is dense here */
/* Corrections above this share of an unknown are not small. */
#define SMALL 1e-7
/* The Jacobian is looked at not nearer than that. */
#define NEAREST 1e-12
#define MOST_CHANGE 0.3
/* Rows so small, or gains so large, make the rounding of the equations worth a look. */
#define SMALL_ROW 1e-3
#define LARGE_GAIN 1e3

typedef struct {
  const DaeStartAssembly *assembly;
  const DaeStartNumbers *numbers;
  const double *units, *x;
  double *r, *values, *above, *below; /* Jacobian at x, and on both sides of it */
  double *width;                      /* n: how far the unknowns may be off */
  uint32_t *place;                    /* n: place in the block + 1; 0 elsewhere */
  DaeAlgebra *algebra;
} Doubt;

typedef struct {
  const uint32_t *rows, *columns;
  uint32_t n;
  double *matrix;  /* n x n: entries in units of the unknowns, then its LU */
  double *inverse; /* n x n, by columns */
  uint32_t *pivot; /* n */
  double *largest; /* of each row */
  double *left;    /* |r| and rounding of each row */
} View;

static double
unit_at(const Doubt *doubt, uint32_t j)
{
  return fabs(doubt->x[j]) + doubt->units[j];
}

static bool
is_linear(const Doubt *doubt, const View *view)
{
  const DaeStartPattern *pattern = &doubt->numbers->pattern;
  for (uint32_t i = 0; i < view->n; i++) {
    uint32_t end = g_array_index(pattern->row_start, uint32_t, view->rows[i] + 1);
    for (uint32_t e = g_array_index(pattern->row_start, uint32_t, view->rows[i]); e < end;
         e++) {
      DaeTerm entry = g_array_index(pattern->entries, DaeTerm, e);
      if (doubt->place[g_array_index(pattern->columns, uint32_t, e)] > 0 &&
          dae_term_kind(doubt->assembly->terms, entry) != DAE_KIND_NUMBER) {
        return false;
      }
    }
  }
  return true;
}

static void
mark(Doubt *doubt, const View *view, bool is_inside)
{
  for (uint32_t k = 0; k < view->n; k++) {
    doubt->place[view->columns[k]] = is_inside ? k + 1 : 0;
  }
}

/* The block's rows in units of its unknowns. */
static void
fill_matrix(const Doubt *doubt, View *view)
{
  const DaePattern pattern = dae_start_pattern(doubt->numbers);
  memset(view->matrix, 0, sizeof(double) * view->n * view->n);
  for (uint32_t i = 0; i < view->n; i++) {
    uint32_t row = view->rows[i];
    double terms = 0;
    view->largest[i] = 0;
    for (uint32_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; e++) {
      uint32_t j = pattern.column[e];
      terms = fmax(terms, fabs(doubt->values[e] * doubt->x[j]));
      if (doubt->place[j] > 0) {
        double entry = doubt->values[e] * unit_at(doubt, j);
        view->matrix[(size_t)i * view->n + doubt->place[j] - 1] = entry;
        view->largest[i] = fmax(view->largest[i], fabs(entry));
      }
    }
    view->left[i] = fabs(doubt->r[row]) + 4 * DBL_EPSILON * fmax(terms, view->largest[i]);
  }
}

/* false: singular */
static bool
invert(View *view)
{
  uint32_t n = view->n;
  if (!dae_split_lu(view->matrix, n, view->pivot)) {
    return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    double *column = view->inverse + (size_t)i * n;
    memset(column, 0, sizeof(double) * n);
    column[i] = 1;
    dae_split_lu_solve(view->matrix, n, view->pivot, column);
  }
  return true;
}

/* The rounding of the equations as they are computed: cancellation does not show in slopes. */
static bool
add_rounding(Doubt *doubt, View *view)
{
  uint32_t n = view->n;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) near = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  const DaePattern pattern = dae_start_pattern(doubt->numbers);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm equation = g_array_index(doubt->assembly->equations, DaeTerm, view->rows[i]);
    equation = dae_start_actual(doubt->assembly, equation);
    g_array_append_val(equations, equation);
    for (uint32_t e = pattern.row_start[view->rows[i]];
         e < pattern.row_start[view->rows[i] + 1]; e++) {
      uint32_t j = pattern.column[e];
      g_array_append_val(atoms, g_array_index(doubt->assembly->unknowns, DaeTerm, j));
      g_array_append_val(near, doubt->x[j]);
    }
  }
  g_autofree double *errors = g_new0(double, n + 1);
  const DaeTermPoint point = {(const DaeTerm *)(void *)atoms->data,
                              (const double *)(void *)near->data, atoms->len};
  bool ok = dae_algebra_rounding(doubt->algebra, (const DaeTerm *)(void *)equations->data, n,
                                 &point, errors);
  for (uint32_t i = 0; ok && i < n; i++) {
    view->left[i] += errors[i];
  }
  return ok;
}

/* The largest correction that what is left in the rows may ask for, per unknown. */
static bool
find_width(Doubt *doubt, const View *view)
{
  bool is_small = true;
  for (uint32_t k = 0; k < view->n; k++) {
    double sum = 0;
    for (uint32_t i = 0; i < view->n; i++) {
      sum += fabs(view->inverse[(size_t)i * view->n + k]) * view->left[i];
    }
    is_small = is_small && sum <= SMALL;
    doubt->width[view->columns[k]] = fmax(4 * sum, NEAREST);
  }
  return is_small;
}

static bool
looks_weak(const View *view)
{
  for (uint32_t k = 0; k < view->n; k++) {
    double gain = 0;
    for (uint32_t i = 0; i < view->n; i++) {
      gain += fabs(view->inverse[(size_t)i * view->n + k]) * view->largest[i];
    }
    if (view->largest[k] < SMALL_ROW || gain > LARGE_GAIN) {
      return true;
    }
  }
  return false;
}

/* true: it is in doubt already; else its width is set. */
static bool
is_weak(Doubt *doubt, View *view)
{
  fill_matrix(doubt, view);
  if (!invert(view)) {
    return true;
  }
  if (looks_weak(view) && !add_rounding(doubt, view)) {
    return true;
  }
  return !find_width(doubt, view);
}

/* Does the Jacobian of the block change, or end, on one of the sides? */
static bool
changes(const Doubt *doubt, const View *view)
{
  const DaePattern pattern = dae_start_pattern(doubt->numbers);
  for (uint32_t i = 0; i < view->n; i++) {
    uint32_t from = pattern.row_start[view->rows[i]];
    uint32_t to = pattern.row_start[view->rows[i] + 1];
    double largest = 0;
    for (uint32_t e = from; e < to; e++) {
      if (doubt->place[pattern.column[e]] > 0) {
        largest = fmax(largest, fabs(doubt->values[e]) * unit_at(doubt, pattern.column[e]));
      }
    }
    for (uint32_t e = from; e < to; e++) {
      double unit = unit_at(doubt, pattern.column[e]);
      double change = fmax(fabs(doubt->above[e] - doubt->values[e]),
                           fabs(doubt->below[e] - doubt->values[e]));
      if (doubt->place[pattern.column[e]] > 0 &&
          !(isfinite(doubt->above[e]) && isfinite(doubt->below[e]) &&
            change * unit <= MOST_CHANGE * largest)) {
        return true;
      }
    }
  }
  return false;
}

/* Where it has no values some stay as they are: not finite. */
static void
look_beside(const Doubt *doubt, double side, double *values)
{
  g_autofree double *y = g_new0(double, doubt->numbers->n + 1);
  for (uint32_t j = 0; j < doubt->numbers->n; j++) {
    y[j] = doubt->x[j] + side * doubt->width[j] * unit_at(doubt, j);
  }
  dae_start_run(doubt->numbers, doubt->numbers->jacobian_tape, y, values);
}

static void
look_at_blocks(Doubt *doubt, const DaeStartBlocks *blocks, GArray *found)
{
  uint32_t n_blocks = dae_start_blocks_count(blocks);
  g_autofree bool *is_asked = g_new0(bool, n_blocks + 1);
  g_autofree double *work = g_new0(double, 2 * MOST_IN_BLOCK * (MOST_IN_BLOCK + 1));
  g_autofree uint32_t *pivot = g_new0(uint32_t, MOST_IN_BLOCK + 1);
  View view = {.matrix = work,
               .inverse = work + MOST_IN_BLOCK * MOST_IN_BLOCK,
               .pivot = pivot,
               .largest = work + 2 * MOST_IN_BLOCK * MOST_IN_BLOCK,
               .left = work + 2 * MOST_IN_BLOCK * MOST_IN_BLOCK + MOST_IN_BLOCK};
  for (uint32_t b = 0; b < n_blocks; b++) {
    view.n = dae_start_block(blocks, b, &view.rows, &view.columns);
    if (view.n <= MOST_IN_BLOCK) {
      mark(doubt, &view, true);
      is_asked[b] = !is_linear(doubt, &view);
      if (is_asked[b] && is_weak(doubt, &view)) {
        g_array_append_val(found, b);
        is_asked[b] = false;
      }
      mark(doubt, &view, false);
    }
  }
  look_beside(doubt, 1, doubt->above);
  look_beside(doubt, -1, doubt->below);
  for (uint32_t b = 0; b < n_blocks; b++) {
    view.n = dae_start_block(blocks, b, &view.rows, &view.columns);
    mark(doubt, &view, is_asked[b]);
    if (is_asked[b] && changes(doubt, &view)) {
      g_array_append_val(found, b);
    }
    mark(doubt, &view, false);
  }
}

GArray *
dae_start_doubtful_blocks(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                          const DaeStartBlocks *blocks, const double *units, const double *x)
{
  size_t nnz = numbers->pattern.columns->len + 1;
  g_autofree double *r = g_new0(double, numbers->m + 1);
  g_autofree double *values = g_new0(double, 3 * nnz);
  g_autofree double *width = g_new0(double, numbers->n + 1);
  g_autofree uint32_t *place = g_new0(uint32_t, numbers->n + 1);
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(assembly->terms, NULL);
  GArray *found = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Doubt doubt = {.assembly = assembly,
                 .numbers = numbers,
                 .units = units,
                 .x = x,
                 .r = r,
                 .values = values,
                 .above = values + nnz,
                 .below = values + 2 * nnz,
                 .width = width,
                 .place = place,
                 .algebra = algebra};
  dae_start_run(numbers, numbers->residual_tape, x, r);
  dae_start_run(numbers, numbers->jacobian_tape, x, values);
  look_at_blocks(&doubt, blocks, found);
  return found;
}
