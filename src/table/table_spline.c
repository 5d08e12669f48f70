/* Piecewise polynomials through the points of a table.
 *
 * Between two abscissae the value is c0 + s*(c1 + s*(c2 + s*c3)) with s = u - x_k. The cubic
 * kinds are Hermite's with slopes at the points after [Akima70], its modification,
 * [FritschButland84] and [Steffen90]. A repeated abscissa is a jump: the pieces on both
 * sides know nothing of each other.
 *
 * Slopes of Akima and Steffen are GSL's. It has no modified Akima and no Fritsch-Butland, takes no
 * fewer points than 5 or 3, and where Akima's weights are all 0 its slope jumps, while that of the
 * Modelica Standard Library is the mean of the chords: there they are ours. */
#include "table/table.h"

#include <gsl/gsl_interp.h>
#include <math.h>

/* Slopes of the chords, two more at each end. */
typedef struct {
  uint32_t n; /* points */
  const double *x, *y;
  double *m; /* m[2 + k] belongs to the interval k */
} Chords;

static double
chord(const Chords *c, uint32_t k)
{
  return (c->y[k + 1] - c->y[k]) / (c->x[k + 1] - c->x[k]);
}

/* Outside the points the chords go on linearly, also of a table that is continued periodically:
 * the Modelica Standard Library takes no slopes from the other end. */
static void
find_chords(Chords *c)
{
  uint32_t last = c->n; /* m[last] belongs to the interval n - 2 */
  for (uint32_t k = 0; k + 1 < c->n; k++) {
    c->m[2 + k] = chord(c, k);
  }
  if (c->n == 2) {
    c->m[0] = c->m[1] = c->m[3] = c->m[4] = c->m[2];
    return;
  }
  c->m[1] = 2.0 * c->m[2] - c->m[3];
  c->m[0] = 2.0 * c->m[1] - c->m[2];
  c->m[last + 1] = 2.0 * c->m[last] - c->m[last - 1];
  c->m[last + 2] = 2.0 * c->m[last + 1] - c->m[last];
}

/* [Akima70, (1)], and the modification that keeps flat parts flat. */
static double
akima_slope(const Chords *c, uint32_t i, bool is_modified)
{
  const double *m = c->m + i; /* m[0] ... m[3]: two chords on each side of point i */
  double right = fabs(m[3] - m[2]);
  double left = fabs(m[1] - m[0]);
  if (is_modified) {
    right += 0.5 * fabs(m[3] + m[2]);
    left += 0.5 * fabs(m[1] + m[0]);
  }
  return right + left == 0.0 ? 0.5 * (m[1] + m[2])
                             : (right * m[1] + left * m[2]) / (right + left);
}

/* [FritschButland84]: 0 at an extremum, else a weighted harmonic mean of the chords. */
static double
butland_slope(const Chords *c, uint32_t i)
{
  double before = c->m[1 + i];
  double after = c->m[2 + i];
  if (i == 0 || i + 1 == c->n) {
    return i == 0 ? after : before;
  }
  double h0 = c->x[i] - c->x[i - 1];
  double h1 = c->x[i + 1] - c->x[i];
  if (before * after <= 0.0) {
    return 0.0;
  }
  return 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / before + (h1 + 2.0 * h0) / after);
}

/* [Steffen90, (11)] */
static double
steffen_slope(const Chords *c, uint32_t i)
{
  double before = c->m[1 + i];
  double after = c->m[2 + i];
  if (i == 0 || i + 1 == c->n) {
    return i == 0 ? after : before;
  }
  double h0 = c->x[i] - c->x[i - 1];
  double h1 = c->x[i + 1] - c->x[i];
  double parabola = (before * h1 + after * h0) / (h0 + h1);
  double least = fmin(fmin(fabs(before), fabs(after)), 0.5 * fabs(parabola));
  return (copysign(1.0, before) + copysign(1.0, after)) * least;
}

static double
slope_at(const Chords *c, DaeSmoothness smoothness, uint32_t i)
{
  switch (smoothness) {
  case DAE_TABLE_AKIMA:
    return akima_slope(c, i, false);
  case DAE_TABLE_MAKIMA:
    return akima_slope(c, i, true);
  case DAE_TABLE_BUTLAND:
    return butland_slope(c, i);
  case DAE_TABLE_STEFFEN:
    return steffen_slope(c, i);
  case DAE_TABLE_LINEAR:
  case DAE_TABLE_CONSTANT:
    break;
  }
  return 0.0;
}

/* The kind that GSL has of these data; NULL: none. */
static const gsl_interp_type *
gsl_kind(const Chords *c, DaeSmoothness smoothness)
{
  if (smoothness == DAE_TABLE_STEFFEN) {
    return c->n >= gsl_interp_type_min_size(gsl_interp_steffen) ? gsl_interp_steffen : NULL;
  }
  const gsl_interp_type *kind = gsl_interp_akima;
  if (smoothness != DAE_TABLE_AKIMA || c->n < gsl_interp_type_min_size(kind)) {
    return NULL;
  }
  for (uint32_t i = 0; i < c->n; i++) {
    const double *m = c->m + i;
    if (fabs(m[3] - m[2]) + fabs(m[1] - m[0]) == 0.0) {
      return NULL;
    }
  }
  return kind;
}

/* False: GSL does not take them. */
static bool
gsl_slopes(const Chords *c, const gsl_interp_type *kind, double *slopes)
{
  gsl_interp *interpolation = gsl_interp_alloc(kind, c->n);
  bool good = interpolation != NULL && gsl_interp_init(interpolation, c->x, c->y, c->n) == 0;
  for (uint32_t i = 0; i < c->n && good; i++) {
    slopes[i] = gsl_interp_eval_deriv(interpolation, c->x, c->y, c->x[i], NULL);
  }
  gsl_interp_free(interpolation);
  return good;
}

/* Slopes at the points of one run of ascending abscissae. */
void
dae_spline_slopes(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
                  double *slopes)
{
  if (n < 2) {
    for (uint32_t i = 0; i < n; i++) {
      slopes[i] = 0.0;
    }
    return;
  }
  g_autofree double *m = g_new(double, (size_t)n + 4);
  Chords chords = {.n = n, .x = x, .y = y, .m = m};
  find_chords(&chords);
  const gsl_interp_type *kind = gsl_kind(&chords, smoothness);
  if (kind != NULL && gsl_slopes(&chords, kind, slopes)) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    slopes[i] = slope_at(&chords, smoothness, i);
  }
}

static void
hermite(DaePiece *piece, double h, double y0, double y1, double d0, double d1)
{
  double m = (y1 - y0) / h;
  piece->c[0] = y0;
  piece->c[1] = d0;
  piece->c[2] = (3.0 * m - 2.0 * d0 - d1) / h;
  piece->c[3] = (d0 + d1 - 2.0 * m) / (h * h);
}

/* Pieces of one run: from point i to point i + 1. */
static void
fill_run(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
         DaePiece *pieces)
{
  g_autofree double *slopes = g_new(double, n);
  dae_spline_slopes(x, y, n, smoothness, slopes);
  for (uint32_t k = 0; k + 1 < n; k++) {
    pieces[k] = (DaePiece){.x = x[k], .c = {y[k]}};
    if (smoothness == DAE_TABLE_LINEAR || (n == 2 && smoothness != DAE_TABLE_CONSTANT)) {
      pieces[k].c[1] = (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
    } else if (smoothness != DAE_TABLE_CONSTANT) {
      hermite(&pieces[k], x[k + 1] - x[k], y[k], y[k + 1], slopes[k], slopes[k + 1]);
    }
  }
}

/* The slope with which a table goes on beyond its end. */
static double
slope_of_piece(const DaePiece *piece, double at)
{
  double s = at - piece->x;
  return piece->c[1] + s * (2.0 * piece->c[2] + 3.0 * s * piece->c[3]);
}

static double
slope_between(const double *x, const double *y, uint32_t i)
{
  return x[i + 1] > x[i] ? (y[i + 1] - y[i]) / (x[i + 1] - x[i]) : 0.0;
}

/* The piece before the beginning of a period is the last one of the period before, likewise at
 * its end: rounding may put an argument there. */
static void
fill_next_periods(const double *x, uint32_t n, DaePiece *pieces)
{
  double period = x[n - 1] - x[0];
  uint32_t head = 0;
  uint32_t tail = n - 1;
  while (x[head + 1] == x[head]) {
    head++;
  }
  while (x[tail - 1] == x[tail]) {
    tail--;
  }
  pieces[0] = pieces[tail];
  pieces[n] = pieces[head + 1];
  pieces[0].x -= period;
  pieces[n].x += period;
}

/* A table of constant segments goes on along the line through its last two points, as the
 * Modelica Standard Library's does. */
static void
fill_ends(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
          DaeExtrapolation extrapolation, DaePiece *pieces)
{
  pieces[0] = (DaePiece){.x = x[0], .c = {y[0]}};
  pieces[n] = (DaePiece){.x = x[n - 1], .c = {y[n - 1]}};
  if (extrapolation == DAE_TABLE_PERIODIC && x[n - 1] > x[0]) {
    fill_next_periods(x, n, pieces);
  }
  if (extrapolation == DAE_TABLE_LAST_TWO_POINTS && n > 1 && smoothness == DAE_TABLE_CONSTANT) {
    pieces[0].c[1] = slope_between(x, y, 0);
    pieces[n].c[1] = slope_between(x, y, n - 2);
  } else if (extrapolation == DAE_TABLE_LAST_TWO_POINTS && n > 1) {
    pieces[0].c[1] = slope_of_piece(&pieces[1], x[0]);
    pieces[n].c[1] = slope_of_piece(&pieces[n - 1], x[n - 1]);
  }
}

/* n + 1 pieces of n points: before the first, between them, from the last one on. */
void
dae_spline_pieces(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
                  DaeExtrapolation extrapolation, DaePiece *pieces)
{
  uint32_t first = 0;
  for (uint32_t i = 1; i <= n; i++) {
    if (i < n && x[i] > x[i - 1]) {
      continue;
    }
    fill_run(x + first, y + first, i - first, smoothness, pieces + first + 1);
    if (i < n) { /* between the two points of a jump: never looked at */
      pieces[i] = (DaePiece){.x = x[i], .c = {y[i]}};
    }
    first = i;
  }
  fill_ends(x, y, n, smoothness, extrapolation, pieces);
}
