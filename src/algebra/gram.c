/* Where is the symmetric matrix G(y) = G0 + sum y_k E_k positive definite? In floating point, by
 * the barrier method [BoydVandenberghe04, chapter 11]: s is minimized such that G(y) + s*I stays
 * positive definite, then log det G is maximized. Decides nothing: squares.c rounds y and checks
 * the result exactly. */
#include <math.h>
#include <string.h>

#include "algebra/gram.h"

enum { MOST_ROUNDS = 30, MOST_STEPS = 25, MOST_HALVINGS = 40 };

typedef struct {
  const DaeGram *gram;
  uint32_t n, k;   /* size of the matrix; unknowns: those of the gram, and s */
  bool has_s;      /* s is an unknown, the last one */
  double weight;   /* of s in what is minimized */
  double *matrix;  /* G(y) + s*I, then its Cholesky factor */
  double *inverse; /* of the matrix */
  double *slope, *hessian, *step, *trial;
} Barrier;

/* ---- dense matrices ------------------------------------------------------------------------ */

/* a = L*L^T, in the lower triangle. false: not positive definite. */
static bool
cholesky(double *a, uint32_t n)
{
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (uint32_t m = 0; m < j; m++) {
        sum -= a[i * n + m] * a[j * n + m];
      }
      if (i == j && !(sum > 1e-300)) {
        return false;
      }
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  }
  return true;
}

static void
solve(const double *l, uint32_t n, double *x)
{
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t m = 0; m < i; m++) {
      x[i] -= l[i * n + m] * x[m];
    }
    x[i] /= l[i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t m = i + 1; m < n; m++) {
      x[i] -= l[m * n + i] * x[m];
    }
    x[i] /= l[i * n + i];
  }
}

/* ---- the barrier --------------------------------------------------------------------------- */

/* What is minimized at y; INFINITY outside. The factor stays in matrix. */
static double
value_at(Barrier *b, const double *y)
{
  const DaeGram *gram = b->gram;
  memcpy(b->matrix, gram->constant, sizeof(double) * b->n * b->n);
  for (uint32_t m = 0; m < gram->n_entries; m++) {
    const DaeGramEntry *entry = &gram->entries[m];
    double change = entry->value * y[entry->unknown];
    b->matrix[entry->i * b->n + entry->j] += change;
    b->matrix[entry->j * b->n + entry->i] += entry->i == entry->j ? 0.0 : change;
  }
  double s = b->has_s ? y[b->k - 1] : 0.0;
  for (uint32_t i = 0; i < b->n; i++) {
    b->matrix[i * b->n + i] += s;
  }
  if (!cholesky(b->matrix, b->n)) {
    return INFINITY;
  }
  double value = b->weight * s;
  for (uint32_t i = 0; i < b->n; i++) {
    value -= 2.0 * log(b->matrix[i * b->n + i]);
  }
  return value;
}

/* The entries of E_k, or of the identity for s. */
static uint32_t
direction(const Barrier *b, uint32_t k, DaeGramEntry *out)
{
  uint32_t n = 0;
  for (uint32_t m = 0; m < b->gram->n_entries && !(b->has_s && k == b->k - 1); m++) {
    if (b->gram->entries[m].unknown == k) {
      out[n++] = b->gram->entries[m];
    }
  }
  for (uint32_t i = 0; b->has_s && k == b->k - 1 && i < b->n; i++) {
    out[n++] = (DaeGramEntry){.unknown = k, .i = i, .j = i, .value = 1.0};
  }
  return n;
}

/* trace(M*E*M*F) = sum over the entries of E and F of products of entries of M. */
static double
curvature(const Barrier *b, const DaeGramEntry *e, uint32_t n_e, const DaeGramEntry *f,
          uint32_t n_f)
{
  const double *m = b->inverse;
  uint32_t n = b->n;
  double sum = 0.0;
  for (uint32_t p = 0; p < n_e; p++) {
    for (uint32_t q = 0; q < n_f; q++) {
      double both = m[e[p].i * n + f[q].i] * m[e[p].j * n + f[q].j];
      double crossed = m[e[p].i * n + f[q].j] * m[e[p].j * n + f[q].i];
      double times = (e[p].i == e[p].j ? 1.0 : 2.0) * (f[q].i == f[q].j ? 1.0 : 2.0);
      sum += e[p].value * f[q].value * times * 0.5 * (both + crossed);
    }
  }
  return sum;
}

/* Gradient and Hessian at the point whose factor is in matrix. */
static void
differentiate(Barrier *b)
{
  uint32_t n = b->n;
  uint32_t most = b->gram->n_entries + n;
  g_autofree DaeGramEntry *e = g_new(DaeGramEntry, most + 1);
  g_autofree DaeGramEntry *f = g_new(DaeGramEntry, most + 1);
  for (uint32_t j = 0; j < n; j++) {
    double *column = b->inverse + (size_t)j * n;
    memset(column, 0, sizeof(double) * n);
    column[j] = 1.0;
    solve(b->matrix, n, column);
  }
  for (uint32_t k = 0; k < b->k; k++) {
    uint32_t n_e = direction(b, k, e);
    b->slope[k] = b->has_s && k == b->k - 1 ? b->weight : 0.0;
    for (uint32_t p = 0; p < n_e; p++) {
      double times = e[p].i == e[p].j ? 1.0 : 2.0;
      b->slope[k] -= times * e[p].value * b->inverse[e[p].i * n + e[p].j];
    }
    for (uint32_t l = 0; l <= k; l++) {
      uint32_t n_f = direction(b, l, f);
      double c = curvature(b, e, n_e, f, n_f);
      b->hessian[k * b->k + l] = c;
      b->hessian[l * b->k + k] = c;
    }
    b->hessian[k * b->k + k] *= 1.0 + 1e-12;
  }
}

/* Newton with halved steps. false: it does not go on. */
static bool
minimize(Barrier *b, double *y)
{
  for (uint32_t round = 0; round < MOST_STEPS; round++) {
    double value = value_at(b, y);
    if (!isfinite(value)) {
      return false;
    }
    differentiate(b);
    for (uint32_t k = 0; k < b->k; k++) {
      b->step[k] = -b->slope[k];
    }
    if (!cholesky(b->hessian, b->k)) {
      return false;
    }
    solve(b->hessian, b->k, b->step);
    double decrease = 0.0;
    for (uint32_t k = 0; k < b->k; k++) {
      decrease -= b->slope[k] * b->step[k];
    }
    if (decrease < 1e-9) {
      return true;
    }
    bool is_lower = false;
    double length = 1.0;
    for (uint32_t h = 0; h < MOST_HALVINGS && !is_lower; h++, length *= 0.5) {
      for (uint32_t k = 0; k < b->k; k++) {
        b->trial[k] = y[k] + length * b->step[k];
      }
      is_lower = value_at(b, b->trial) < value - 0.1 * length * decrease;
    }
    if (!is_lower) {
      return true; /* as far as rounding lets it */
    }
    memcpy(y, b->trial, sizeof(double) * b->k);
  }
  return true;
}

bool
dae_gram_center(const DaeGram *gram, double *y)
{
  uint32_t k = gram->n_unknowns + 1;
  uint32_t n = gram->n;
  Barrier b = {.gram = gram, .n = n, .k = k, .has_s = true, .weight = 1.0};
  size_t square = (size_t)n * n + (size_t)k * k + 1;
  b.matrix = g_new0(double, square);
  b.inverse = g_new0(double, square);
  b.hessian = g_new0(double, square);
  b.slope = g_new0(double, k + 1);
  b.step = g_new0(double, k + 1);
  b.trial = g_new0(double, k + 1);
  g_autofree double *z = g_new0(double, k + 1);
  z[k - 1] = 1.0;
  while (z[k - 1] < 1e12 && !isfinite(value_at(&b, z))) { /* large enough to be inside */
    z[k - 1] *= 4.0;
  }
  double largest = z[k - 1];
  bool is_going = true;
  for (uint32_t round = 0; round < MOST_ROUNDS && is_going && z[k - 1] > -1e-6 * largest;
       round++) {
    is_going = minimize(&b, z);
    b.weight *= 4.0;
  }
  bool is_inside = z[k - 1] < 0.0;
  if (is_inside) {
    b.has_s = false;
    b.k = k - 1;
    b.weight = 0.0;
    (void)(b.k > 0 && minimize(&b, z));
  }
  memcpy(y, z, sizeof(double) * gram->n_unknowns);
  g_free(b.matrix);
  g_free(b.inverse);
  g_free(b.hessian);
  g_free(b.slope);
  g_free(b.step);
  g_free(b.trial);
  return is_inside;
}
