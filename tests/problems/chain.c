/* A chain of n planar pendula, all lengths and masses 1, gravity 9.81, hanging from the origin.
 *
 *     x' = u, y' = v, u' = a, v' = b                                       (4 n rows)
 *     a_i = -dx_i l_i + dx_(i+1) l_(i+1),  b_i likewise - g                (2 n)
 *     dx^2 + dy^2 = 1, dx du + dy dv = 0, du^2 + dv^2 + dx da + dy db = 0  (3 n), dx_i = x_i -
 *                                                                          x_(i-1) */
#include <stdlib.h>

#include "problems/problems.h"

#define GRAVITY 9.81

enum { X, Y, U, V, A, B, L, PER };

typedef struct {
  DaeEvaluator evaluator;
  uint32_t n;
  uint32_t *mass_start, *mass_column, *k_start, *k_column, *g_start, *g_column;
} Chain;

/* Difference of quantity q between link i and the one before, in lane l. */
static double
difference(const double *x, unsigned lanes, unsigned l, uint32_t i, int q)
{
  double value = x[(PER * i + (uint32_t)q) * lanes + l];
  return i == 0 ? value : value - x[(PER * (i - 1) + (uint32_t)q) * lanes + l];
}

static void
constraints_of_link(const Chain *c, const double *x, unsigned lanes, unsigned l, uint32_t i,
                    double *g)
{
  double dx = difference(x, lanes, l, i, X);
  double dy = difference(x, lanes, l, i, Y);
  double du = difference(x, lanes, l, i, U);
  double dv = difference(x, lanes, l, i, V);
  double da = difference(x, lanes, l, i, A);
  double db = difference(x, lanes, l, i, B);
  const double *link = x + PER * i * lanes + l;
  double fx = -dx * link[L * lanes];
  double fy = -dy * link[L * lanes] - GRAVITY;
  if (i + 1 < c->n) {
    double next = x[(PER * (i + 1) + L) * lanes + l];
    fx += difference(x, lanes, l, i + 1, X) * next;
    fy += difference(x, lanes, l, i + 1, Y) * next;
  }
  double *out = g + 5 * i * lanes + l;
  out[0] = link[A * lanes] - fx;
  out[lanes] = link[B * lanes] - fy;
  out[2 * lanes] = dx * dx + dy * dy - 1.0;
  out[3 * lanes] = dx * du + dy * dv;
  out[4 * lanes] = du * du + dv * dv + dx * da + dy * db;
}

static int
chain_eval(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
           DaeOut *out)
{
  const Chain *c = self;
  (void)scratch;
  (void)t;
  for (uint32_t i = 0; i < c->n; i++) {
    for (unsigned l = 0; l < lanes; l++) {
      for (unsigned q = 0; out->f != NULL && q < 4; q++) {
        out->f[(4 * i + q) * lanes + l] = x[(PER * i + U + q) * lanes + l];
      }
      for (unsigned q = 0; out->m != NULL && q < 4; q++) {
        out->m[(4 * i + q) * lanes + l] = 1.0;
      }
      if (out->g != NULL) {
        constraints_of_link(c, x, lanes, l, i, out->g);
      }
    }
  }
  return 0;
}

/* Visits the entries of dg/dx of link i in the order of the pattern; fills columns or values. */
static uint32_t
jacobian_of_link(const Chain *c, const double *x, uint32_t i, uint32_t at, uint32_t *starts,
                 uint32_t *columns, double *values)
{
  static const double zero[PER] = {0};
  const double *own = x != NULL ? x + PER * i : zero;
  const double *past = x != NULL && i > 0 ? own - PER : zero;
  const double *next = x != NULL && i + 1 < c->n ? own + PER : zero;
  double d[6];
  for (int q = 0; q < 6; q++) {
    d[q] = own[q] - past[q];
  }
  double l = own[L];
  double m = i + 1 < c->n ? next[L] : 0.0;

  const struct {
    int row, link, quantity;
    double value;
  } entries[] = {
      {0, -1, X, -l},        {0, 0, X, l + m},      {0, 0, A, 1.0},
      {0, 0, L, d[X]},       {0, 1, X, -m},         {0, 1, L, -(next[X] - own[X])},
      {1, -1, Y, -l},        {1, 0, Y, l + m},      {1, 0, B, 1.0},
      {1, 0, L, d[Y]},       {1, 1, Y, -m},         {1, 1, L, -(next[Y] - own[Y])},
      {2, -1, X, -2 * d[X]}, {2, -1, Y, -2 * d[Y]}, {2, 0, X, 2 * d[X]},
      {2, 0, Y, 2 * d[Y]},   {3, -1, X, -d[U]},     {3, -1, Y, -d[V]},
      {3, -1, U, -d[X]},     {3, -1, V, -d[Y]},     {3, 0, X, d[U]},
      {3, 0, Y, d[V]},       {3, 0, U, d[X]},       {3, 0, V, d[Y]},
      {4, -1, X, -d[A]},     {4, -1, Y, -d[B]},     {4, -1, U, -2 * d[U]},
      {4, -1, V, -2 * d[V]}, {4, -1, A, -d[X]},     {4, -1, B, -d[Y]},
      {4, 0, X, d[A]},       {4, 0, Y, d[B]},       {4, 0, U, 2 * d[U]},
      {4, 0, V, 2 * d[V]},   {4, 0, A, d[X]},       {4, 0, B, d[Y]},
  };

  for (size_t e = 0; e < sizeof(entries) / sizeof(entries[0]); e++) {
    int64_t link = (int64_t)i + entries[e].link;
    if (link < 0 || link >= (int64_t)c->n) {
      continue;
    }
    if (columns != NULL) {
      columns[at] = (uint32_t)(PER * link + entries[e].quantity);
      starts[5 * i + (uint32_t)entries[e].row + 1] = at + 1;
    } else {
      values[at] = entries[e].value;
    }
    at++;
  }
  return at;
}

static int
chain_jac(const void *self, void *scratch, double t, const double *x, const double *xdot,
          DaeJac *out)
{
  const Chain *c = self;
  (void)scratch;
  (void)t;
  (void)xdot;
  for (uint32_t i = 0; i < 4 * c->n; i++) {
    if (out->k != NULL) {
      out->k[i] = 1.0;
    }
    if (out->m != NULL) {
      out->m[i] = 1.0;
    }
    if (out->ft != NULL) {
      out->ft[i] = 0.0;
    }
  }
  for (uint32_t i = 0; out->gt != NULL && i < 5 * c->n; i++) {
    out->gt[i] = 0.0;
  }
  for (uint32_t i = 0, at = 0; out->gx != NULL && i < c->n; i++) {
    at = jacobian_of_link(c, x, i, at, NULL, NULL, out->gx);
  }
  return 0;
}

DaeEvaluator *
dae_problem_chain_new(uint32_t n, double *start)
{
  Chain *c = calloc(1, sizeof(Chain));
  c->n = n;
  c->mass_start = calloc(4 * n + 1, sizeof(uint32_t));
  c->mass_column = calloc(4 * n, sizeof(uint32_t));
  c->k_column = calloc(4 * n, sizeof(uint32_t));
  c->g_start = calloc(5 * n + 1, sizeof(uint32_t));
  c->g_column = calloc(40 * n, sizeof(uint32_t));
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t q = 0; q < 4; q++) {
      c->mass_start[4 * i + q + 1] = 4 * i + q + 1;
      c->mass_column[4 * i + q] = PER * i + q;
      c->k_column[4 * i + q] = PER * i + U + q;
    }
    at = jacobian_of_link(c, NULL, i, at, c->g_start, c->g_column, NULL);
    double *link = start + PER * i;
    link[X] = i + 1.0;
    link[Y] = link[U] = link[V] = link[A] = link[L] = 0.0;
    link[B] = -GRAVITY;
  }
  c->evaluator = (DaeEvaluator){
      .n = PER * n,
      .n_diff = 4 * n,
      .n_con = 5 * n,
      .mass = {4 * n, PER * n, c->mass_start, c->mass_column},
      .dynamics = {4 * n, PER * n, c->mass_start, c->k_column},
      .constraint = {5 * n, PER * n, c->g_start, c->g_column},
      .self = c,
      .eval = chain_eval,
      .jac = chain_jac,
  };
  return &c->evaluator;
}

void
dae_problem_chain_free(DaeEvaluator *evaluator)
{
  Chain *c = (Chain *)evaluator;
  free(c->mass_start);
  free(c->mass_column);
  free(c->k_column);
  free(c->g_start);
  free(c->g_column);
  free(c);
}
