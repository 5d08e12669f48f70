/* Mixed derivatives of a surface through the points of a grid after [Akima74]: a mean of the four
 * mixed differences around a point, weighted as its slopes are in both directions. Two lines of
 * points more at each side continue the chords linearly. */
#include <math.h>
#include <string.h>

#include "table/table.h"

enum { MORE = 2 }; /* lines of points at each side */

typedef struct {
  uint32_t n1, n2; /* with the additional ones */
  double *x, *y;
  double *f; /* n1 by n2 */
} Extended;

static double *
at(const Extended *e, uint32_t i, uint32_t j)
{
  return &e->f[(size_t)i * e->n2 + j];
}

/* The abscissae of the n points, and two more at each side: as far apart as those inside. */
static double *
extend_abscissae(const double *x, uint32_t n)
{
  double *longer = g_new(double, n + 2 * MORE);
  memcpy(longer + MORE, x, n * sizeof(double));
  double first = n > 2 ? x[2] - x[1] : x[1] - x[0];
  double last = n > 2 ? x[n - 2] - x[n - 3] : x[n - 1] - x[n - 2];
  longer[1] = x[0] - first;
  longer[0] = n > 2 ? x[0] - (x[2] - x[0]) : longer[1] - first;
  longer[n + 2] = x[n - 1] + last;
  longer[n + 3] = n > 2 ? x[n - 1] + (x[n - 1] - x[n - 3]) : longer[n + 2] + last;
  return longer;
}

/* Values at the additional abscissae of a line: f[MORE*step] is its first point; n with the
 * additional ones. */
static void
extend_line(const double *x, uint32_t n, double *f, size_t step)
{
  for (int side = 0; side < 2; side++) {
    for (uint32_t k = MORE; k > 0; k--) {
      /* the value at `to` from those of the three (two) next to it inwards */
      uint32_t to = side == 0 ? k - 1 : n - k;
      uint32_t a = side == 0 ? to + 1 : to - 1;
      uint32_t b = side == 0 ? to + 2 : to - 2;
      uint32_t c = side == 0 ? to + 3 : to - 3;
      double m = (f[b * step] - f[a * step]) / (x[b] - x[a]);
      if (n > 2 * MORE + 2) {
        m = 2.0 * m - (f[c * step] - f[b * step]) / (x[c] - x[b]);
      }
      f[to * step] = f[a * step] - m * (x[a] - x[to]);
    }
  }
}

/* Weights of the chords before and after point i of a line. */
static void
find_weights(const double *x, const double *f, size_t step, uint32_t i, double *before,
             double *after)
{
  double m[4];
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t left = i - 2 + k;
    m[k] = (f[(left + 1) * step] - f[left * step]) / (x[left + 1] - x[left]);
  }
  *before = fabs(m[3] - m[2]);
  *after = fabs(m[1] - m[0]);
  if (*before == 0.0 && *after == 0.0) {
    *before = *after = 1.0;
  }
}

static double
mixed_difference(const Extended *e, uint32_t i, uint32_t j)
{
  double upper = *at(e, i + 1, j + 1) - *at(e, i + 1, j);
  double lower = *at(e, i, j + 1) - *at(e, i, j);
  return (upper - lower) / ((e->x[i + 1] - e->x[i]) * (e->y[j + 1] - e->y[j]));
}

static double
mixed_derivative(const Extended *e, uint32_t i, uint32_t j)
{
  double wx[2];
  double wy[2];
  double sum = 0.0;
  find_weights(e->x, at(e, 0, j), e->n2, i, &wx[0], &wx[1]);
  find_weights(e->y, at(e, i, 0), 1, j, &wy[0], &wy[1]);
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t b = 0; b < 2; b++) {
      sum += wx[a] * wy[b] * mixed_difference(e, i - 1 + a, j - 1 + b);
    }
  }
  return sum / ((wx[0] + wx[1]) * (wy[0] + wy[1]));
}

void
dae_surface_mixed(const double *x, uint32_t n1, const double *y, uint32_t n2, const double *f,
                  double *fxy)
{
  Extended e = {.n1 = n1 + 2 * MORE,
                .n2 = n2 + 2 * MORE,
                .x = extend_abscissae(x, n1),
                .y = extend_abscissae(y, n2)};
  e.f = g_new0(double, (size_t)e.n1 *e.n2);
  for (uint32_t i = 0; i < n1; i++) {
    memcpy(at(&e, i + MORE, MORE), f + (size_t)i * n2, n2 * sizeof(double));
    extend_line(e.y, e.n2, at(&e, i + MORE, 0), 1);
  }
  for (uint32_t j = 0; j < e.n2; j++) {
    extend_line(e.x, e.n1, at(&e, 0, j), e.n2);
  }
  for (uint32_t i = 0; i < n1; i++) {
    for (uint32_t j = 0; j < n2; j++) {
      fxy[(size_t)i * n2 + j] = mixed_derivative(&e, i + MORE, j + MORE);
    }
  }
  g_free(e.x);
  g_free(e.y);
  g_free(e.f);
}
