/* Dense reduced systems: state selection by LU with full pivoting of the constraints (design
 * notes, "Integrator"). With P G Q = L [U1 U2] and S = U1^-1 U2 a correction that meets the
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

typedef DaeDense Dense;

static void
new_triangle(DaeTriangle *triangle, size_t rows)
{
  triangle->start = g_new0(uint32_t, rows + 2);
  triangle->column = g_new0(uint32_t, rows * rows / 2 + 1);
  triangle->value = g_new0(double, rows *rows / 2 + 1);
  triangle->scale = g_new0(double, rows + 1);
}

static void
free_triangle(DaeTriangle *triangle)
{
  g_free(triangle->start);
  g_free(triangle->column);
  g_free(triangle->value);
  g_free(triangle->scale);
}

static void
new_entries(DaeEntries *entries, size_t rows, size_t columns)
{
  entries->start = g_new0(uint32_t, rows + 1);
  entries->column = g_new0(uint32_t, rows * columns + 1);
}

static void
free_entries(DaeEntries *entries)
{
  g_free(entries->start);
  g_free(entries->column);
}

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
  void *all[] = {d->m_con,      d->k_con,      d->combined,    d->column_weight,
                 d->row_weight, d->lu,         d->row_order,   d->column_order,
                 d->place,      d->s,          d->m_full,      d->pick,
                 d->y,          d->rows,       d->pick_rows,   d->pick_columns,
                 d->m_red,      d->k_red,      d->own_re,      d->mass_lu,
                 d->own_im,     d->mass_pivot, d->old_states,  d->p,
                 d->rhs,        d->b,          d->base.states, d->base.row_scale,
                 d->systems,    d->order,      d->preference,  d->balance,
                 d->rounding};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  free_triangle(&d->lower);
  free_triangle(&d->upper);
  free_entries(&d->s_entries);
  free_entries(&d->y_entries);
  for (uint32_t i = 0; i <= DAE_PAIRS_MAX; i++) {
    dae_planar_clear(&d->own[i]);
  }
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

DaeLinsys *
dae_linsys_dense_new(const DaeEvaluator *ev, const double *nominal, uint32_t stages_max)
{
  Dense *d = g_new0(Dense, 1);
  size_t n = ev->n;
  size_t rows = ev->n_diff;
  size_t con = ev->n_con;
  size_t square = n * n; /* n_d <= n; the rank of G is only known later */
  d->base.ops = &dense_ops;
  d->base.ev = ev;
  d->base.nominal = nominal;
  d->n = ev->n;
  d->n_diff = ev->n_diff;
  d->n_con = ev->n_con;
  d->base.states = g_new0(uint8_t, n + 1);
  d->base.row_scale = g_new0(double, con + 1);
  d->old_states = g_new0(uint8_t, n + 1);
  d->column_weight = g_new0(double, n + 1);
  d->preference = g_new0(double, n + 1);
  d->balance = g_new0(double, n + 1);
  d->row_weight = g_new0(double, con + 1);
  d->lu = g_new0(double, con *n + 1);
  d->row_order = g_new0(uint32_t, con + 1);
  d->column_order = g_new0(uint32_t, n + 1);
  d->place = g_new0(uint32_t, n + 1);
  d->s = g_new0(double, con *n + 1);
  d->m_full = g_new0(double, rows *n + 1);
  d->pick = g_new0(double, rows *n + 1);
  d->y = g_new0(double, rows *n + 1);
  d->rows = g_new0(uint32_t, n + 1);
  d->pick_rows = g_new0(uint32_t, rows + 1);
  d->pick_columns = g_new0(uint32_t, n + 1);
  d->m_red = g_new0(double, square + 1);
  d->k_red = g_new0(double, square + 1);
  d->m_con = g_new0(double, square + 1);
  d->k_con = g_new0(double, square + 1);
  size_t lanes = DAE_LANES_OF(stages_max);
  d->combined = g_new0(double, n *lanes + 1);
  new_triangle(&d->lower, MIN(con, n));
  new_triangle(&d->upper, MIN(con, n));
  new_entries(&d->s_entries, con, n);
  new_entries(&d->y_entries, rows, n);
  d->systems = g_new0(double, DAE_STAGE_LANES *square + 1);
  d->order = g_new0(uint32_t, n + 1);
  d->mass_lu = g_new0(double, square + 1);
  d->mass_pivot = g_new0(uint32_t, n + 1);
  for (uint32_t k = 0; k <= (stages_max - 1) / 2; k++) {
    d->own[k] = dae_planar_new(ev->n, k > 0);
  }
  d->own_re = g_new0(double, n + 1);
  d->own_im = g_new0(double, n + 1);
  d->p = g_new0(double, con *lanes + 1);
  d->rhs = g_new0(double, (size_t)2 * DAE_STAGE_LANES * n + 1);
  d->b = g_new0(double, 2 * n + 1);
  for (uint32_t j = 0; j < d->n; j++) {
    d->column_weight[j] = ALGEBRAIC_BOOST * nominal[j];
  }
  for (uint32_t e = 0; e < ev->mass.row_start[rows]; e++) {
    d->column_weight[ev->mass.column[e]] = nominal[ev->mass.column[e]];
  }
  memcpy(d->preference, d->column_weight, sizeof(double) * ev->n);
  return &d->base;
}
