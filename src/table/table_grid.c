/* Tables of two arguments: the cell from two INTERVALs, the coefficients of its polynomial from
 * LOOKUP. */
#include "table/table-priv.h"

typedef struct {
  uint32_t n1, n2; /* points in both directions */
  const double *x, *y;
  double *f, *fx, *fy, *fxy; /* n1 by n2 */
} Grid;

/* Derivatives at the points: slopes along the rows and the columns, and mixed ones. */
static void
grid_slopes(Grid *grid, DaeSmoothness smoothness)
{
  g_autofree double *values = g_new(double, grid->n1);
  g_autofree double *slopes = g_new(double, grid->n1);
  for (uint32_t i = 0; i < grid->n1; i++) {
    dae_spline_slopes(grid->y, grid->f + (size_t)i * grid->n2, grid->n2, smoothness,
                      grid->fy + (size_t)i * grid->n2);
  }
  for (uint32_t j = 0; j < grid->n2; j++) {
    for (uint32_t i = 0; i < grid->n1; i++) {
      values[i] = grid->f[(size_t)i * grid->n2 + j];
    }
    dae_spline_slopes(grid->x, values, grid->n1, smoothness, slopes);
    for (uint32_t i = 0; i < grid->n1; i++) {
      grid->fx[(size_t)i * grid->n2 + j] = slopes[i];
    }
  }
  if (grid->n1 > 1 && grid->n2 > 1) {
    dae_surface_mixed(grid->x, grid->n1, grid->y, grid->n2, grid->f, grid->fxy);
  }
}

/* Coefficients in s of Hermite's cubic from values and slopes at both ends. */
static void
hermite(double h, double y0, double y1, double d0, double d1, double *c)
{
  double m = (y1 - y0) / h;
  c[0] = y0;
  c[1] = d0;
  c[2] = (3.0 * m - 2.0 * d0 - d1) / h;
  c[3] = (d0 + d1 - 2.0 * m) / (h * h);
}

/* c[4*p + q] of s^p * r^q in the cell (i, j). */
static void
cell(const Grid *g, DaeSmoothness smoothness, uint32_t i, uint32_t j, double *c)
{
  size_t a = (size_t)i * g->n2 + j;
  size_t b = g->n1 > 1 ? a + g->n2 : a;
  size_t right = g->n2 > 1 ? 1 : 0;
  for (int k = 0; k < 16; k++) {
    c[k] = 0.0;
  }
  c[0] = g->f[a];
  if (smoothness == DAE_TABLE_CONSTANT) { /* also at the last points, which begin no cell */
    return;
  }
  double hx = g->n1 > 1 ? g->x[i + 1] - g->x[i] : 1.0;
  double hy = g->n2 > 1 ? g->y[j + 1] - g->y[j] : 1.0;
  if (smoothness == DAE_TABLE_LINEAR) {
    c[1] = (g->f[a + right] - g->f[a]) / hy;
    c[4] = (g->f[b] - g->f[a]) / hx;
    c[5] = (g->f[b + right] - g->f[b] - g->f[a + right] + g->f[a]) / (hx * hy);
    return;
  }
  /* polynomials in r: f at the lower and upper x, then the slope in x there */
  double value[2][4];
  double slope[2][4];
  for (int upper = 0; upper < 2; upper++) {
    size_t at = upper ? b : a;
    hermite(hy, g->f[at], g->f[at + right], g->fy[at], g->fy[at + right], value[upper]);
    hermite(hy, g->fx[at], g->fx[at + right], g->fxy[at], g->fxy[at + right], slope[upper]);
  }
  for (int q = 0; q < 4; q++) {
    double in_s[4];
    hermite(hx, value[0][q], value[1][q], slope[0][q], slope[1][q], in_s);
    for (int p = 0; p < 4; p++) {
      c[4 * p + q] = in_s[p];
    }
  }
}

/* u held inside the table, or as it is. */
static DaeTerm
held(DaeTerms *terms, const DaeCombi *table, const double *x, uint32_t n, DaeTerm u)
{
  if (table->extrapolation == DAE_TABLE_PERIODIC && n > 1) {
    return dae_table_fold(terms, x[0], x[n - 1], u);
  }
  if (table->extrapolation != DAE_TABLE_HOLD_LAST_POINT) {
    return u;
  }
  DaeTerm above = dae_term_call2(terms, DAE_FN_MAX, u, dae_table_number(terms, x[0]));
  return dae_term_call2(terms, DAE_FN_MIN, above, dae_table_number(terms, x[n - 1]));
}

/* One direction of a grid. Inside, a piece lies between two points or, of constant segments,
 * belongs to the point before it: the last one to the end alone. is_open: outside, the surface
 * goes on linearly, in a piece more at each side. */
typedef struct {
  uint32_t n;
  const double *x;
  bool is_step, is_open;
} Axis;

typedef struct {
  uint32_t at;   /* the point before it */
  int side;      /* -1: before the first point, 1: after the last one, 0: inside */
  double origin; /* its polynomial is in u - origin */
} Piece;

static uint32_t
n_pieces(const Axis *axis)
{
  uint32_t inside = axis->n > 1 && !axis->is_step ? axis->n - 1 : axis->n;
  return inside + (axis->is_open ? 2 : 0);
}

static Piece
piece_of(const Axis *axis, uint32_t k)
{
  Piece piece = {k, 0, 0.0};
  if (axis->is_open) {
    piece.side = k == 0 ? -1 : k + 1 == n_pieces(axis) ? 1 : 0;
    piece.at = piece.side < 0 ? 0 : piece.side > 0 ? axis->n - 2 : k - 1;
  }
  piece.origin = axis->x[piece.side > 0 ? axis->n - 1 : piece.at];
  return piece;
}

/* The number of the piece that u is in, from 1. */
static DaeTerm
piece_at(DaeTerms *terms, const Axis *axis, DaeTerm u)
{
  uint32_t n = axis->n;
  if (n < 2) {
    return dae_term_int(terms, 1);
  }
  DaeTerm k = axis->is_open
                  ? dae_table_piece(terms, axis->x, n, u)
                  : dae_term_interval(terms, dae_terms_add_data(terms, axis->x, n), u);
  if (!axis->is_step) {
    return k;
  }
  DaeRelation beyond = axis->is_open ? DAE_REL_GT : DAE_REL_GE;
  DaeTerm is_beyond =
      dae_term_relation(terms, beyond, u, dae_table_number(terms, axis->x[n - 1]));
  return dae_term_add(
      terms, k, dae_term_if(terms, is_beyond, dae_term_int(terms, 1), dae_term_int(terms, 0)));
}

static DaeTerm
origin_of(DaeTerms *terms, const Axis *axis, DaeTerm k)
{
  uint32_t m = n_pieces(axis);
  g_autofree double *origins = g_new(double, m);
  for (uint32_t i = 0; i < m; i++) {
    origins[i] = piece_of(axis, i).origin;
  }
  return dae_table_look_up(terms, origins, m, k);
}

/* A cubic in s becomes its tangent at 0, or at h and in s - h: c[k*step]. */
static void
make_tangent(double *c, size_t step, int side, double h)
{
  if (side > 0) {
    double value = c[0] + h * (c[step] + h * (c[2 * step] + h * c[3 * step]));
    double slope = c[step] + h * (2.0 * c[2 * step] + 3.0 * h * c[3 * step]);
    c[0] = value;
    c[step] = slope;
  }
  if (side != 0) {
    c[2 * step] = 0.0;
    c[3 * step] = 0.0;
  }
}

/* Constant segments know no slopes: beside them the surface is that of linear interpolation. */
static Piece
between_points(const Axis *axis, Piece piece)
{
  if (piece.side == 0 && axis->n > 1 && piece.at + 1 == axis->n) {
    piece.at--;
    piece.side = 1;
  }
  return piece;
}

static void
piece_coefficients(const Grid *g, DaeSmoothness smoothness, const Axis *axes, Piece p1,
                   Piece p2, double *c)
{
  bool is_outside = p1.side != 0 || p2.side != 0;
  if (is_outside && smoothness == DAE_TABLE_CONSTANT) {
    smoothness = DAE_TABLE_LINEAR;
    p1 = between_points(&axes[0], p1);
    p2 = between_points(&axes[1], p2);
  }
  cell(g, smoothness, p1.at, p2.at, c);
  for (size_t k = 0; k < 4 && is_outside; k++) {
    make_tangent(c + 4 * k, 1, p2.side, p2.side > 0 ? g->y[p2.at + 1] - g->y[p2.at] : 0.0);
  }
  for (size_t k = 0; k < 4 && is_outside; k++) {
    make_tangent(c + k, 4, p1.side, p1.side > 0 ? g->x[p1.at + 1] - g->x[p1.at] : 0.0);
  }
}

static DaeTerm
grid_polynomial(DaeTerms *terms, const DaeCombi *table, const Grid *g, DaeTerm u1, DaeTerm u2)
{
  bool is_step = table->smoothness == DAE_TABLE_CONSTANT;
  bool is_open = table->extrapolation == DAE_TABLE_LAST_TWO_POINTS &&
                 table->smoothness != DAE_TABLE_LINEAR; /* which goes on by itself */
  const Axis axes[2] = {{g->n1, g->x, is_step, is_open && g->n1 > 1},
                        {g->n2, g->y, is_step, is_open && g->n2 > 1}};
  uint32_t m1 = n_pieces(&axes[0]);
  uint32_t m2 = n_pieces(&axes[1]);
  g_autofree double *all = g_new0(double, (size_t)16 * m1 * m2);
  for (uint32_t i = 0; i < m1; i++) {
    for (uint32_t j = 0; j < m2; j++) {
      double c[16];
      piece_coefficients(g, table->smoothness, axes, piece_of(&axes[0], i),
                         piece_of(&axes[1], j), c);
      for (size_t k = 0; k < 16; k++) {
        all[k * m1 * m2 + (size_t)i * m2 + j] = c[k];
      }
    }
  }
  DaeTerm k1 = piece_at(terms, &axes[0], u1);
  DaeTerm k2 = piece_at(terms, &axes[1], u2);
  DaeTerm row = dae_term_mul(terms, dae_term_int(terms, m2),
                             dae_term_sub(terms, k1, dae_term_int(terms, 1)));
  DaeTerm k = dae_term_add(terms, row, k2);
  DaeTerm s = dae_term_sub(terms, u1, origin_of(terms, &axes[0], k1));
  DaeTerm r = dae_term_sub(terms, u2, origin_of(terms, &axes[1], k2));
  DaeTerm value = dae_term_int(terms, 0);
  for (int p = 3; p >= 0; p--) {
    DaeTerm inner = dae_term_int(terms, 0);
    for (int q = 3; q >= 0; q--) {
      DaeTerm c = dae_table_look_up(terms, all + (size_t)(4 * p + q) * m1 * m2, m1 * m2, k);
      inner = dae_term_add(terms, c, dae_term_mul(terms, r, inner));
    }
    value = dae_term_add(terms, inner, dae_term_mul(terms, s, value));
  }
  return value;
}

DaeTerm
dae_combi_grid_value(DaeTerms *terms, const DaeCombi *table, DaeTerm u1, DaeTerm u2)
{
  uint32_t n1 = table->n_rows - 1;
  uint32_t n2 = table->n_columns - 1;
  size_t n = (size_t)n1 * n2;
  g_autofree double *x = g_new(double, n1);
  g_autofree double *y = g_new(double, n2);
  g_autofree double *f = g_new0(double, 4 * n);
  Grid grid = {n1, n2, x, y, f, f + n, f + 2 * n, f + 3 * n};
  for (uint32_t i = 0; i < n1; i++) {
    x[i] = dae_table_entry(table, i + 1, 0);
    for (uint32_t j = 0; j < n2; j++) {
      y[j] = dae_table_entry(table, 0, j + 1);
      f[(size_t)i * n2 + j] = dae_table_entry(table, i + 1, j + 1);
    }
  }
  grid_slopes(&grid, table->smoothness);
  DaeTerm at1 = held(terms, table, x, n1, u1);
  DaeTerm at2 = held(terms, table, y, n2, u2);
  DaeTerm value = grid_polynomial(terms, table, &grid, at1, at2);
  if (table->extrapolation == DAE_TABLE_NO_EXTRAPOLATION) {
    value = dae_table_inside_only(terms, x[0], x[n1 - 1], u1,
                                  dae_table_inside_only(terms, y[0], y[n2 - 1], u2, value));
  }
  return value;
}
