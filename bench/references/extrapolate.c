/* Extrapolated explicit midpoint rule (Hairer, Norsett, Wanner: Solving ODEs I,
 * II.9), fixed number of columns. */
#include <string.h>

#include "quad.h"

#define MAX_COLUMNS 16

/* The midpoint rule with 2 m steps over h. */
static void
run_midpoint_rule(QuadField field, int n, Quad t, Quad h, const Quad *y, const Quad *f0, int m,
                  Quad *out)
{
  Quad before[MAX_STATES], now[MAX_STATES], f[MAX_STATES];
  Quad small = h / (2 * m);
  for (int j = 0; j < n; j++) {
    before[j] = y[j];
    now[j] = y[j] + small * f0[j];
  }
  for (int k = 1; k < 2 * m; k++) {
    field(t + k * small, now, f);
    for (int j = 0; j < n; j++) {
      Quad next = before[j] + 2 * small * f[j];
      before[j] = now[j];
      now[j] = next;
    }
  }
  memcpy(out, now, sizeof(Quad) * (size_t)n);
}

/* One step; the error against the last column but one, relative to 1 + |y|. */
static Quad
extrapolate_step(QuadField field, int n, Quad t, Quad h, int columns, const Quad *y, Quad *out)
{
  static Quad table[MAX_COLUMNS][MAX_STATES];
  Quad f0[MAX_STATES], before_last[MAX_STATES];
  field(t, y, f0);
  for (int k = 0; k < columns; k++) {
    run_midpoint_rule(field, n, t, h, y, f0, k + 1, table[k]);
    /* Aitken-Neville in h^2: table[i] becomes T(k, k - i) */
    for (int i = k - 1; i >= 0; i--) {
      Quad ratio = (Quad)(k + 1) / (Quad)(i + 1);
      ratio = 1 / (ratio * ratio - 1);
      for (int j = 0; j < n; j++) {
        table[i][j] = table[i + 1][j] + (table[i + 1][j] - table[i][j]) * ratio;
      }
    }
    if (k == columns - 1) {
      memcpy(before_last, table[1], sizeof(Quad) * (size_t)n);
    }
  }
  Quad error = 0;
  for (int j = 0; j < n; j++) {
    out[j] = table[0][j];
    error = fmaxq(error, fabsq(out[j] - before_last[j]) / (1 + fabsq(out[j])));
  }
  return error;
}

long
integrate_by_extrapolation(QuadField field, int n, Quad t_stop, int columns, Quad tolerance,
                           Quad *y)
{
  Quad t = 0, h = t_stop * 1e-5Q, next[MAX_STATES];
  long steps = 0;
  while (t < t_stop) {
    int last = t + h * 1.0000001Q >= t_stop;
    Quad step = last ? t_stop - t : h;
    Quad error = extrapolate_step(field, n, t, step, columns, y, next);
    Quad factor = 0.9Q * powq(tolerance / fmaxq(error, 1e-40Q), 1 / (Quad)(2 * columns - 1));
    if (!(error <= tolerance)) {
      h = step * (factor > 0.1Q ? factor : 0.1Q);
      continue;
    }
    memcpy(y, next, sizeof(Quad) * (size_t)n);
    t = last ? t_stop : t + step;
    h = step * fminq(factor, 2);
    steps++;
  }
  return steps;
}
