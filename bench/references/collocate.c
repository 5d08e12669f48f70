/* Gauss collocation with full Newton on all stages (Hairer, Wanner: Solving ODEs
 * II, IV.5), for stiff problems.
 *
 * Gauss methods are A-stable and of order 2 s. The step is chosen by the defect of the
 * collocation polynomial at the end of the step, which is of order s only: the solution is
 * better than what is asked for by far. */
#include <stdlib.h>
#include <string.h>

#include "quad.h"

#define MAX_STAGES 24

typedef struct {
  int s;
  Quad c[MAX_STAGES], b[MAX_STAGES];
  Quad a[MAX_STAGES][MAX_STAGES];
  /* derivative of the collocation polynomial at the end from those at the nodes */
  Quad end[MAX_STAGES];
} Gauss;

/* Nodes and weights on [0, 1]: zeros of Legendre's polynomial by Newton's method. */
static void
find_nodes(int s, Quad *c, Quad *b)
{
  for (int i = 0; i < s; i++) {
    Quad x = -cosq(M_PIq * (i + 0.75Q) / (s + 0.5Q)), slope = 1;
    for (int k = 0; k < 100; k++) {
      Quad p0 = 1, p1 = x;
      for (int m = 2; m <= s; m++) {
        Quad p2 = ((2 * m - 1) * x * p1 - (m - 1) * p0) / m;
        p0 = p1;
        p1 = p2;
      }
      slope = s * (x * p1 - p0) / (x * x - 1);
      Quad change = p1 / slope;
      x -= change;
      if (fabsq(change) < QUAD_EPSILON) {
        break;
      }
    }
    c[i] = (1 + x) / 2;
    b[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

static Quad
lagrange(const Gauss *gauss, int j, Quad x)
{
  Quad product = 1;
  for (int m = 0; m < gauss->s; m++) {
    if (m != j) {
      product *= (x - gauss->c[m]) / (gauss->c[j] - gauss->c[m]);
    }
  }
  return product;
}

static void
make_gauss(Gauss *gauss, int s)
{
  gauss->s = s;
  find_nodes(s, gauss->c, gauss->b);
  for (int j = 0; j < s; j++) {
    gauss->end[j] = lagrange(gauss, j, 1);
    for (int i = 0; i < s; i++) {
      gauss->a[i][j] =
          0; /* integral of the j-th Lagrange polynomial up to c_i, by the Gauss rule itself */
      for (int m = 0; m < s; m++) {
        gauss->a[i][j] +=
            gauss->c[i] * gauss->b[m] * lagrange(gauss, j, gauss->c[i] * gauss->c[m]);
      }
    }
  }
}

static void
difference_jacobian(QuadField field, int n, Quad t, const Quad *y, const Quad *f,
                    Quad *jacobian)
{
  Quad moved[MAX_STATES], g[MAX_STATES];
  memcpy(moved, y, sizeof(Quad) * (size_t)n);
  for (int j = 0; j < n; j++) {
    Quad step = sqrtq(QUAD_EPSILON) * fmaxq(fabsq(y[j]), 1e-6Q);
    moved[j] = y[j] + step;
    field(t, moved, g);
    for (int i = 0; i < n; i++) {
      jacobian[i * n + j] = (g[i] - f[i]) / step;
    }
    moved[j] = y[j];
  }
}

typedef struct {
  const Gauss *gauss;
  QuadField field;
  int n;
  Quad *matrix, *right, *slopes; /* slopes: derivatives at the stages */
  int *pivot;
} Space;

/* Stage values and the residual of the slopes; with a matrix: also factored. */
static void
evaluate_stages(Space *space, Quad t, Quad h, const Quad *y, int with_matrix)
{
  int n = space->n, s = space->gauss->s, size = n * s;
  Quad stage[MAX_STATES], f[MAX_STATES], jacobian[MAX_STATES];
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < n; k++) {
      stage[k] = y[k];
      for (int j = 0; j < s; j++) {
        stage[k] += h * space->gauss->a[i][j] * space->slopes[j * n + k];
      }
    }
    Quad at = t + space->gauss->c[i] * h;
    space->field(at, stage, f);
    for (int k = 0; k < n; k++) {
      space->right[i * n + k] = f[k] - space->slopes[i * n + k];
    }
    if (with_matrix) {
      difference_jacobian(space->field, n, at, stage, f, jacobian);
      for (int k = 0; k < n; k++) {
        Quad *row = space->matrix + (size_t)(i * n + k) * (size_t)size;
        for (int j = 0; j < s; j++) {
          for (int l = 0; l < n; l++) {
            row[j * n + l] =
                (i == j && k == l) - h * space->gauss->a[i][j] * jacobian[k * n + l];
          }
        }
      }
    }
  }
  if (with_matrix) {
    factor_linear(size, space->matrix, space->pivot);
  }
}

/* Size of h times the slopes' correction against 1e-8 + |y|. */
static Quad
correction_size(const Space *space, Quad h, const Quad *y)
{
  Quad size = 0;
  for (int i = 0; i < space->gauss->s * space->n; i++) {
    size = fmaxq(size, fabsq(h * space->right[i]) / (1e-8Q + fabsq(y[i % space->n])));
  }
  return size;
}

/* 1: the slopes solve the stage equations. */
static int
solve_stages(Space *space, Quad t, Quad h, const Quad *y)
{
  Quad last = 0;
  int fresh = 1;
  for (int k = 0; k < 25; k++) {
    evaluate_stages(space, t, h, y, fresh);
    solve_factored(space->n * space->gauss->s, space->matrix, space->pivot, space->right);
    Quad size = correction_size(space, h, y);
    if (!(size < 1e10Q)) {
      return 0;
    }
    for (int i = 0; i < space->n * space->gauss->s; i++) {
      space->slopes[i] += space->right[i];
    }
    if (size < 1e4Q * QUAD_EPSILON ||
        (k > 2 && size < 1e7Q * QUAD_EPSILON && size > last / 4)) {
      return 1;
    }
    fresh = !(k > 0 && size < 1e-2Q * last);
    last = size;
  }
  return 0;
}

/* h times the defect of the collocation polynomial at the end of the step, relative to 1e-8 +
 * |y|; `next` is the new point. */
static Quad
advance_solution(const Space *space, Quad t, Quad h, const Quad *y, Quad *next, Quad *slope)
{
  Quad f[MAX_STATES], error = 0;
  for (int k = 0; k < space->n; k++) {
    slope[k] = 0;
    next[k] = y[k];
    for (int j = 0; j < space->gauss->s; j++) {
      slope[k] += space->gauss->end[j] * space->slopes[j * space->n + k];
      next[k] += h * space->gauss->b[j] * space->slopes[j * space->n + k];
    }
  }
  space->field(t + h, next, f);
  for (int k = 0; k < space->n; k++) {
    error = fmaxq(error, fabsq(h * (f[k] - slope[k])) / (1e-8Q + fabsq(next[k])));
  }
  return error;
}

/* First guess of the slopes: the polynomial of the step before, or the slope at the start. */
static void
guess_slopes(Space *space, Quad t, Quad ratio, const Quad *y, const Quad *old)
{
  int n = space->n, s = space->gauss->s;
  Quad f[MAX_STATES];
  space->field(t, y, f);
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < n; k++) {
      space->slopes[i * n + k] = ratio > 0 ? 0 : f[k];
    }
    for (int j = 0; j < s && ratio > 0; j++) {
      Quad weight = lagrange(space->gauss, j, 1 + ratio * space->gauss->c[i]);
      for (int k = 0; k < n; k++) {
        space->slopes[i * n + k] += weight * old[j * n + k];
      }
    }
  }
}

long
integrate_by_collocation(QuadField field, int n, Quad t_stop, int stages, Quad tolerance,
                         Quad *y, Quad *slope)
{
  Gauss gauss;
  make_gauss(&gauss, stages);
  size_t size = (size_t)(n * stages);
  Space space = {&gauss,
                 field,
                 n,
                 malloc(size * size * sizeof(Quad)),
                 malloc(size * sizeof(Quad)),
                 malloc(size * sizeof(Quad)),
                 malloc(size * sizeof(int))};
  Quad *old = malloc(size * sizeof(Quad)), old_step = 0;
  Quad t = 0, h = t_stop * 1e-12Q, next[MAX_STATES];
  long steps = 0;
  while (t < t_stop && h > t_stop * 1e-25Q) {
    /* the last step is a short one, for the slope */
    Quad rest = t_stop - t;
    int last = rest <= 0.25Q * h;
    Quad step = last ? rest : fminq(h, 0.9Q * rest);
    guess_slopes(&space, t, old_step > 0 ? step / old_step : 0, y, old);
    if (!solve_stages(&space, t, step, y)) {
      old_step = 0;
      h = step / 3;
      continue;
    }
    Quad error = advance_solution(&space, t, step, y, next, slope);
    Quad factor = 0.9Q * powq(tolerance / fmaxq(error, 1e-40Q), 1 / (Quad)stages);
    if (!(error <= tolerance)) {
      h = step * (factor > 0.1Q ? factor : 0.1Q);
      continue;
    }
    memcpy(y, next, sizeof(Quad) * (size_t)n);
    t = last ? t_stop : t + step;
    if (step == h) {
      h *= fminq(factor, 1.5Q);
    }
    memcpy(old, space.slopes, sizeof(Quad) * size);
    old_step = step;
    steps++;
  }
  free(old);
  free(space.matrix);
  free(space.right);
  free(space.slopes);
  free(space.pivot);
  return t < t_stop ? -1 : steps;
}
