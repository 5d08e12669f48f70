/* The pendulum by hand: the same schemes as the exported code, as one would
 * write them for this one problem.
 *
 * x' = u, y' = v, u' = -2 x l, v' = -2 y l - g; constraints of level 0, 1, 2; h is fixed. AB3
 * takes l from the last constraint; BDF3 solves its five equations by Gauss elimination with
 * pivoting; the coupled projection is one Gauss-Newton step on the four BDF equations and two
 * constraints by Cholesky of the normal equations; then l again. */
#include "hand.h"

#include <math.h>
#include <string.h>

#define GRAVITY 13.7503716373294544
#define H 1e-3

enum { X, Y, U, V, L, N };

static double
multiplier(const double *x)
{
  return (x[U] * x[U] + x[V] * x[V] - GRAVITY * x[Y]) / (2.0 * (x[X] * x[X] + x[Y] * x[Y]));
}

static void
rates(const double *x, double *f)
{
  f[X] = x[U];
  f[Y] = x[V];
  f[U] = -2.0 * x[X] * x[L];
  f[V] = -2.0 * x[Y] * x[L] - GRAVITY;
}

void
hand_init(HandPendulum *s)
{
  static const double start[N] = {1.0, 0.0, 0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++) { /* artificial history */
    memcpy(s->x[k], start, sizeof start);
    rates(start, s->f[k]);
  }
}

/* alpha*I - h*K in the first four rows. */
static void
dynamic_rows(const double *x, double a[][N])
{
  const double alpha = 11.0 / 6.0;
  memset(a, 0, 4 * sizeof *a);
  a[0][X] = a[1][Y] = a[2][U] = a[3][V] = alpha;
  a[0][U] = a[1][V] = -H;
  a[2][X] = a[3][Y] = 2.0 * H * x[L];
  a[2][L] = 2.0 * H * x[X];
  a[3][L] = 2.0 * H * x[Y];
}

static void
bdf_residual(const HandPendulum *s, const double *x, double *r)
{
  double f[4];
  rates(x, f);
  for (int i = 0; i < 4; i++) {
    const double q = 11.0 / 6.0 * x[i] - 3.0 * s->x[0][i] + 1.5 * s->x[1][i] - s->x[2][i] / 3.0;
    r[i] = H * f[i] - q;
  }
}

static void
gauss(double a[N][N], double *b)
{
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++) {
      p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
    }
    if (p != k) {
      double row[N];
      memcpy(row, a[k], sizeof row);
      memcpy(a[k], a[p], sizeof row);
      memcpy(a[p], row, sizeof row);
      const double t = b[k];
      b[k] = b[p];
      b[p] = t;
    }
    const double inverse = 1.0 / a[k][k];
    for (int i = k + 1; i < N; i++) {
      const double factor = a[i][k] * inverse;
      for (int j = k + 1; j < N; j++) {
        a[i][j] -= factor * a[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int k = N - 1; k >= 0; k--) {
    for (int j = k + 1; j < N; j++) {
      b[k] -= a[k][j] * b[j];
    }
    b[k] /= a[k][k];
  }
}

static void
newton(const HandPendulum *s, double *x)
{
  double a[N][N];
  double r[N];
  dynamic_rows(x, a);
  bdf_residual(s, x, r);
  const double r2 = x[X] * x[X] + x[Y] * x[Y];
  a[4][X] = -4.0 * x[L] * x[X];
  a[4][Y] = -4.0 * x[L] * x[Y] - GRAVITY;
  a[4][U] = 2.0 * x[U];
  a[4][V] = 2.0 * x[V];
  a[4][L] = -2.0 * r2;
  r[4] = -(x[U] * x[U] + x[V] * x[V] - 2.0 * x[L] * r2 - GRAVITY * x[Y]);
  gauss(a, r);
  for (int j = 0; j < N; j++) {
    x[j] += r[j];
  }
}

/* min |A d - r| for 6 equations in 5 unknowns. */
static void
project(const HandPendulum *s, double *x)
{
  double a[6][N];
  double r[6];
  double m[N][N];
  double b[N];
  dynamic_rows(x, a);
  bdf_residual(s, x, r);
  memset(a + 4, 0, 2 * sizeof *a);
  a[4][X] = 2.0 * x[X];
  a[4][Y] = 2.0 * x[Y];
  a[5][X] = x[U];
  a[5][Y] = x[V];
  a[5][U] = x[X];
  a[5][V] = x[Y];
  r[4] = 1.0 - (x[X] * x[X] + x[Y] * x[Y]);
  r[5] = -(x[X] * x[U] + x[Y] * x[V]);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < 6; k++) {
        sum += a[k][i] * a[k][j];
      }
      m[i][j] = sum;
    }
    b[i] = 0.0;
    for (int k = 0; k < 6; k++) {
      b[i] += a[k][i] * r[k];
    }
  }
  for (int i = 0; i < N; i++) { /* L D L^T, D in the diagonal */
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) {
        m[i][j] -= m[i][k] * m[k][k] * m[j][k];
      }
      m[i][j] /= m[j][j];
      m[i][i] -= m[i][j] * m[i][j] * m[j][j];
    }
  }
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < i; k++) {
      b[i] -= m[i][k] * b[k];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    b[i] /= m[i][i];
    for (int k = i + 1; k < N; k++) {
      b[i] -= m[k][i] * b[k];
    }
  }
  for (int j = 0; j < N; j++) {
    x[j] += b[j];
  }
  x[L] = multiplier(x);
}

static void
shift(HandPendulum *s, const double *x)
{
  memcpy(s->x[2], s->x[1], sizeof s->x[0]);
  memcpy(s->x[1], s->x[0], sizeof s->x[0]);
  memcpy(s->x[0], x, sizeof s->x[0]);
}

void
hand_ab3_step(HandPendulum *s, int projections)
{
  double x[N];
  for (int i = 0; i < 4; i++) {
    x[i] = s->x[0][i] +
           H * (23.0 / 12.0 * s->f[0][i] - 16.0 / 12.0 * s->f[1][i] + 5.0 / 12.0 * s->f[2][i]);
  }
  x[L] = multiplier(x);
  for (int k = 0; k < projections; k++) {
    project(s, x);
  }
  shift(s, x);
  memcpy(s->f[2], s->f[1], sizeof s->f[0]);
  memcpy(s->f[1], s->f[0], sizeof s->f[0]);
  rates(x, s->f[0]);
}

void
hand_bdf3_step(HandPendulum *s, int iterations, int projections)
{
  double x[N];
  memcpy(x, s->x[0], sizeof x);
  for (int k = 0; k < iterations; k++) {
    newton(s, x);
  }
  for (int k = 0; k < projections; k++) {
    project(s, x);
  }
  shift(s, x);
}
