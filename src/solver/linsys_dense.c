/* Dense reduced systems: state selection by LU with full pivoting of the constraints
 * (docs/numerics.md). With P G Q = L [U1 U2] and S = U1^-1 U2 a correction that meets the
 * constraints is D_c = -p - S D_d, p = U1^-1 L^-1 P C, and only n_d = n - rank G unknowns
 * remain in the stage systems. Unknowns without derivative are preferred as constrained ones.
 * Of the differential rows n_d combinations are taken (dense_rows.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "solver/linsys_dense.h"
#include "solver/split.h"

#define ALGEBRAIC_BOOST 1e3
/* of rows and columns that are brought to one size */
#define BALANCE_SWEEPS 3
#define VECTOR_BYTES 64u

typedef DaeDense Dense;

void
dae_dense_list_entries(DaeEntries *entries, const double *a, uint32_t rows, uint32_t columns)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < rows; i++) {
    const double *line = a + (size_t)i * columns;
    entries->start[i] = count;
    for (uint32_t j = 0; j < columns; j++) {
      entries->column[count] = j;
      count += line[j] != 0.0;
    }
  }
  entries->start[rows] = count;
}

static void
dense_free(DaeLinsys *ls)
{
  Dense *d = (Dense *)ls;
  g_free(d->rounding);
  for (uint32_t i = 0; i <= DAE_PAIRS_MAX; i++) {
    dae_planar_clear(&d->own[i]);
  }
  g_free(d->arena);
  g_free(d);
}

/* Scales of the constraint rows: by the largest entry in units of the column weights. */
static void
scale_constraints(Dense *d, const double *gx)
{
  const DaePattern *pattern = &d->base.ev->constraint;
  for (uint32_t i = 0; i < d->n_con; i++) {
    double largest = 0.0;
    double nominal = 1.0;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      double size = fabs(gx[e]);
      double weighted = size * d->column_weight[pattern->column[e]];
      double scaled = size * d->base.nominal[pattern->column[e]];
      largest = weighted > largest ? weighted : largest;
      nominal = scaled > nominal ? scaled : nominal;
    }
    d->base.row_scale[i] = nominal;
    d->row_weight[i] = largest > 0.0 ? 1.0 / largest : 0.0;
  }
}

/* The scaled constraints R G N as a full matrix, in the order of
 * row_order and place, or as they are. */
static void
fill_constraints(Dense *d, const double *gx, bool ordered)
{
  const DaePattern *pattern = &d->base.ev->constraint;
  memset(d->lu, 0, sizeof(double) * d->n_con * (size_t)d->n);
  for (uint32_t at = 0; at < d->n_con; at++) {
    uint32_t i = ordered ? d->row_order[at] : at;
    double *line = d->lu + (size_t)at * d->n;
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      uint32_t j = pattern->column[e];
      line[ordered ? d->place[j] : j] = gx[e] * d->column_weight[j] * d->row_weight[i];
    }
  }
}

/* Rows and columns are brought to size 1 in turn: of unknowns far from their nominal values
 * (exp(40) in the law of a diode) pivots vanish beside the others although nothing depends on
 * anything. Differential unknowns stay the smaller ones. */
static void
balance_columns(Dense *d, const double *gx)
{
  const DaePattern *pattern = &d->base.ev->constraint;
  for (int sweep = 0; sweep < BALANCE_SWEEPS; sweep++) {
    scale_constraints(d, gx);
    memset(d->balance, 0, sizeof(double) * d->n);
    for (uint32_t i = 0; i < d->n_con; i++) {
      for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
        uint32_t j = pattern->column[e];
        double size = fabs(gx[e]) * d->column_weight[j] * d->row_weight[i];
        d->balance[j] = size > d->balance[j] ? size : d->balance[j];
      }
    }
    for (uint32_t j = 0; j < d->n; j++) {
      double aim =
          d->preference[j] < d->base.nominal[j] * ALGEBRAIC_BOOST ? 1.0 / ALGEBRAIC_BOOST : 1.0;
      d->column_weight[j] *= d->balance[j] > 0.0 ? aim / d->balance[j] : 1.0;
    }
  }
  scale_constraints(d, gx);
}

/* LU of the constraints: with the order of the last one as long as it
 * serves, otherwise with a new one. */
static void
factor_constraints(Dense *d, const double *gx)
{
  scale_constraints(d, gx);
  if (d->ordered) {
    fill_constraints(d, gx, true);
    if (dae_split_same_order_lu(d->lu, d->n_con, d->n)) {
      return;
    }
  }
  memcpy(d->column_weight, d->preference, sizeof(double) * d->n);
  scale_constraints(d, gx);
  fill_constraints(d, gx, false);
  d->n_c = dae_split_full_pivot_lu(d->lu, d->n_con, d->n, d->base.known_rank, d->row_order,
                                   d->column_order);
  if (d->n_c < d->base.known_rank) {
    balance_columns(d, gx);
    fill_constraints(d, gx, false);
    d->rounding = d->rounding != NULL ? d->rounding : g_new0(double, (size_t)d->n_con * d->n);
    d->n_c =
        dae_split_graded_lu(d->lu, d->rounding, d->n_con, d->n, d->row_order, d->column_order);
  }
  d->ordered = d->n_c == d->n_con;
}

/* S = U1^-1 U2, unscaled. */
static void
form_s(Dense *d)
{
  uint32_t n = d->n;
  uint32_t nc = d->n_c;
  uint32_t nd = d->n_d;
  for (uint32_t i = nc; i-- > 0;) {
    const double *line = d->lu + (size_t)i * n;
    double *out = d->s + (size_t)i * nd;
    for (uint32_t q = 0; q < nd; q++) {
      out[q] = line[nc + q];
    }
    for (uint32_t k = i + 1; k < nc; k++) {
      const double *other = d->s + (size_t)k * nd;
      double factor = line[k];
      if (factor != 0.0) {
        for (uint32_t q = 0; q < nd; q++) {
          out[q] -= factor * other[q];
        }
      }
    }
    for (uint32_t q = 0; q < nd; q++) {
      out[q] /= line[i];
    }
  }
  for (uint32_t i = 0; i < nc; i++) {
    double up = d->column_weight[d->column_order[i]];
    for (uint32_t q = 0; q < nd; q++) {
      d->s[(size_t)i * nd + q] *= up / d->column_weight[d->column_order[nc + q]];
    }
  }
  dae_dense_list_entries(&d->s_entries, d->s, nc, nd);
}

/* The triangular factors as p = ... needs them: L has unit diagonal; U1
 * works on unknowns in units of x. */
static void
list_triangles(Dense *d)
{
  uint32_t below = 0;
  uint32_t above = 0;
  for (uint32_t i = 0; i < d->n_c; i++) {
    const double *line = d->lu + (size_t)i * d->n;
    d->lower.start[i] = below;
    d->upper.start[i] = above;
    for (uint32_t k = 0; k < i; k++) {
      d->lower.column[below] = k;
      d->lower.value[below] = line[k];
      below += line[k] != 0.0;
    }
    for (uint32_t k = i + 1; k < d->n_c; k++) {
      d->upper.column[above] = k;
      d->upper.value[above] = line[k] / d->column_weight[d->column_order[k]];
      above += line[k] != 0.0;
    }
    d->upper.scale[i] = d->column_weight[d->column_order[i]] / line[i];
  }
  d->lower.start[d->n_c] = below;
  d->upper.start[d->n_c] = above;
}

static void
note_selection(Dense *d)
{
  memcpy(d->old_states, d->base.states, d->n);
  for (uint32_t j = 0; j < d->n; j++) {
    d->place[d->column_order[j]] = j;
    d->base.states[d->column_order[j]] = j >= d->n_c;
  }
  d->base.selection_changed = memcmp(d->old_states, d->base.states, d->n) != 0;
}

static bool
dense_split(DaeLinsys *ls, const DaeLinsysValues *values)
{
  Dense *d = (Dense *)ls;
  factor_constraints(d, values->gx);
  d->n_d = d->n - d->n_c;
  ls->n_constrained = d->n_c;
  ls->known_rank = MAX(ls->known_rank, d->n_c);
  note_selection(d);
  form_s(d);
  list_triangles(d);
  d->m = values->m;
  d->k = values->k;
  d->xdot = values->xdot;
  d->mass_factored = false;
  if (!dae_dense_choose_rows(d)) {
    return false;
  }
  dae_dense_combine_constrained(d, &ls->ev->mass, d->m, d->m_con);
  if (d->k != NULL) {
    dae_dense_combine_constrained(d, &ls->ev->dynamics, d->k, d->k_con);
  }
  return true;
}

/* p (n_c) = U1^-1 L^-1 P C, in units of x. */
static void
particular_solution(Dense *d, const double *c)
{
  for (uint32_t i = 0; i < d->n_c; i++) {
    uint32_t row = d->row_order[i];
    double sum = c[row] * d->row_weight[row];
    for (uint32_t e = d->lower.start[i]; e < d->lower.start[i + 1]; e++) {
      sum -= d->lower.value[e] * d->p[d->lower.column[e]];
    }
    d->p[i] = sum;
  }
  for (uint32_t i = d->n_c; i-- > 0;) {
    double sum = d->p[i];
    for (uint32_t e = d->upper.start[i]; e < d->upper.start[i + 1]; e++) {
      sum -= d->upper.value[e] * d->p[d->upper.column[e]];
    }
    d->p[i] = sum * d->upper.scale[i];
  }
}

/* out (n_d) = the combinations of the rows of r (n_diff). */
static void
combine_rows(const Dense *d, const double *r, double *out)
{
  uint32_t nd = d->n_d;
  if (!d->projected) {
    for (uint32_t q = 0; q < nd; q++) {
      out[q] = r[d->rows[q]];
    }
    return;
  }
  memset(out, 0, sizeof(double) * nd);
  for (uint32_t i = 0; i < d->n_diff; i++) {
    const double *y = d->y + (size_t)i * nd;
    for (uint32_t k = d->y_entries.start[i]; k < d->y_entries.start[i + 1]; k++) {
      uint32_t q = d->y_entries.column[k];
      out[q] += y[q] * r[i];
    }
  }
}

/* x from its dynamic part b: x_c = -p - S b (lanes = 1; p may be absent). */
static void
expand(const Dense *d, bool with_p, double *x)
{
  uint32_t nc = d->n_c;
  uint32_t nd = d->n_d;
  for (uint32_t q = 0; q < nd; q++) {
    x[d->column_order[nc + q]] = d->b[q];
  }
  for (uint32_t i = 0; i < nc; i++) {
    const double *line = d->s + (size_t)i * nd;
    double sum = with_p ? -d->p[i] : 0.0;
    for (uint32_t k = d->s_entries.start[i]; k < d->s_entries.start[i + 1]; k++) {
      uint32_t q = d->s_entries.column[k];
      sum -= line[q] * d->b[q];
    }
    x[d->column_order[i]] = sum;
  }
}

static void
dense_error(DaeLinsys *ls, const double *r, double *e)
{
  Dense *d = (Dense *)ls;
  combine_rows(d, r, d->b);
  dae_dense_error_solve(d, d->b);
  expand(d, false, e);
}

/* M v = f (NULL: 0) by the combined rows, G v = -c. */
static bool
solve_mass(Dense *d, const double *f, const double *c, double *v)
{
  if (!d->mass_factored) {
    memcpy(d->mass_lu, d->m_red, sizeof(double) * d->n_d * (size_t)d->n_d);
    d->mass_regular = (!d->base.uses_algebraic_rows || d->n_diff == d->n_d) &&
                      dae_split_lu(d->mass_lu, d->n_d, d->mass_pivot);
    d->mass_factored = true;
  }
  if (!d->mass_regular) {
    return false;
  }
  particular_solution(d, c);
  memset(d->b, 0, sizeof(double) * d->n_d);
  if (f != NULL) {
    combine_rows(d, f, d->b);
  }
  for (uint32_t q = 0; q < d->n_d; q++) {
    const double *line = d->m_con + (size_t)q * d->n_c;
    double sum = 0.0;
    for (uint32_t i = 0; i < d->n_c; i++) {
      sum += line[i] * d->p[i];
    }
    d->b[q] += sum;
  }
  dae_split_lu_solve(d->mass_lu, d->n_d, d->mass_pivot, d->b);
  expand(d, true, v);
  return true;
}

/* Least change in the norm |M dx|: a correction of the constrained variables alone would push
 * the point along the solution set, and these pushes add up over the steps. */
static void
dense_project(DaeLinsys *ls, const double *g, double *dx)
{
  Dense *d = (Dense *)ls;
  if (solve_mass(d, NULL, g, dx)) {
    return;
  }
  particular_solution(d, g);
  memset(d->b, 0, sizeof(double) * d->n_d);
  expand(d, true, dx);
}

static bool
dense_derivative(DaeLinsys *ls, const double *f, const double *gt, double *xdot)
{
  return solve_mass((Dense *)ls, f, gt, xdot);
}

static void
dense_follow(DaeLinsys *ls, const DaeLinsys *leader)
{
  Dense *d = (Dense *)ls;
  const Dense *other = (const Dense *)leader;
  memcpy(d->row_order, other->row_order, sizeof(uint32_t) * d->n_con);
  memcpy(d->column_order, other->column_order, sizeof(uint32_t) * d->n);
  memcpy(d->place, other->place, sizeof(uint32_t) * d->n);
  d->n_c = other->n_c;
  d->ordered = other->ordered;
  ls->known_rank = leader->known_rank;
}

static const DaeLinsysOps dense_ops = {
    .free = dense_free,
    .split = dense_split,
    .factor = dae_dense_factor,
    .stages = dae_dense_stages,
    .error = dense_error,
    .project = dense_project,
    .derivative = dense_derivative,
    .follow = dense_follow,
};

/* Memory for count elements on a 64-byte boundary: a vector register never crosses a cache line. */
static void *
take(char *base, size_t *at, size_t count, size_t size)
{
  void *block = base == NULL ? NULL : base + *at;
  *at += (count * size + VECTOR_BYTES) & ~(size_t)(VECTOR_BYTES - 1);
  return block;
}

static double *
take_values(char *base, size_t *at, size_t count)
{
  return take(base, at, count, sizeof(double));
}

static uint32_t *
take_indices(char *base, size_t *at, size_t count)
{
  return take(base, at, count, sizeof(uint32_t));
}

static void
lay_triangle(DaeTriangle *triangle, char *base, size_t *at, size_t rows)
{
  triangle->start = take_indices(base, at, rows + 2);
  triangle->column = take_indices(base, at, rows * rows / 2);
  triangle->value = take_values(base, at, rows * rows / 2);
  triangle->scale = take_values(base, at, rows);
}

static void
lay_entries(DaeEntries *entries, char *base, size_t *at, size_t rows, size_t columns)
{
  entries->start = take_indices(base, at, rows + 1);
  entries->column = take_indices(base, at, rows * columns + 1);
}

/* Lays all but the planes out in one block and returns its size; with base == NULL only measures.
 * n_d <= n, and the rank of G is only known later. */
static size_t
lay_out(Dense *d, char *base, size_t lanes)
{
  const size_t n = d->n, rows = d->n_diff, con = d->n_con;
  size_t at = 0;
  double **squares[] = {&d->m_red, &d->k_red, &d->m_con, &d->k_con, &d->mass_lu};
  double **of_unknowns[] = {&d->column_weight, &d->preference, &d->balance, &d->own_re,
                            &d->own_im};
  double **of_rows[] = {&d->m_full, &d->pick, &d->y};
  uint32_t **orders[] = {&d->column_order, &d->place,      &d->rows,
                         &d->pick_columns, &d->mass_pivot, &d->order};
  for (size_t i = 0; i < G_N_ELEMENTS(squares); i++) {
    *squares[i] = take_values(base, &at, n * n);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(of_unknowns); i++) {
    *of_unknowns[i] = take_values(base, &at, n);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(of_rows); i++) {
    *of_rows[i] = take_values(base, &at, rows * n);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
    *orders[i] = take_indices(base, &at, n);
  }
  d->base.states = take(base, &at, n, sizeof(uint8_t));
  d->old_states = take(base, &at, n, sizeof(uint8_t));
  d->base.row_scale = take_values(base, &at, con);
  d->row_weight = take_values(base, &at, con);
  d->row_order = take_indices(base, &at, con);
  d->pick_rows = take_indices(base, &at, rows);
  d->lu = take_values(base, &at, con * n);
  d->s = take_values(base, &at, con * n);
  d->p = take_values(base, &at, con * lanes);
  d->combined = take_values(base, &at, n * lanes);
  d->rhs = take_values(base, &at, 2 * DAE_STAGE_LANES * n);
  d->b = take_values(base, &at, 2 * n);
  lay_triangle(&d->lower, base, &at, MIN(con, n));
  lay_triangle(&d->upper, base, &at, MIN(con, n));
  lay_entries(&d->s_entries, base, &at, con, n);
  lay_entries(&d->y_entries, base, &at, rows, n);
  d->systems = take_values(base, &at, DAE_STAGE_LANES * n * n);
  return at;
}

DaeLinsys *
dae_linsys_dense_new(const DaeEvaluator *ev, const double *nominal, uint32_t stages_max)
{
  Dense *d = g_new0(Dense, 1);
  d->base.ops = &dense_ops;
  d->base.ev = ev;
  d->base.nominal = nominal;
  d->n = ev->n;
  d->n_diff = ev->n_diff;
  d->n_con = ev->n_con;
  const size_t lanes = DAE_LANES_OF(stages_max);
  lay_out(d, dae_aligned_inside(&d->arena, lay_out(d, NULL, lanes)), lanes);
  for (uint32_t k = 0; k <= (stages_max - 1) / 2; k++) {
    d->own[k] = dae_planar_new(ev->n, k > 0);
  }
  for (uint32_t j = 0; j < d->n; j++) {
    d->column_weight[j] = ALGEBRAIC_BOOST * nominal[j];
  }
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    d->column_weight[ev->mass.column[e]] = nominal[ev->mass.column[e]];
  }
  memcpy(d->preference, d->column_weight, sizeof(double) * ev->n);
  return &d->base;
}
