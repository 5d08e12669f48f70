#include "solver/bernstein.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* b_k = sum_(i <= k) C(k, i)/C(n, i) a_i, as differences in place. */
void
dae_bernstein_from_powers(const double *a, uint32_t degree, double *b)
{
  double binomial = 1.0;
  for (uint32_t i = 0; i <= degree; i++) {
    b[i] = a[i] / binomial;
    binomial *= (double)(degree - i) / (double)(i + 1);
  }
  for (uint32_t level = 1; level <= degree; level++) {
    for (uint32_t k = degree; k >= level; k--) {
      b[k] += b[k - 1];
    }
  }
}

/* De Casteljau: convex combinations only. */
double
dae_bernstein_value(const double *b, uint32_t degree, double theta)
{
  double work[DAE_BERNSTEIN_MOST];
  memcpy(work, b, (degree + 1) * sizeof *b);
  for (uint32_t level = degree; level > 0; level--) {
    for (uint32_t k = 0; k < level; k++) {
      work[k] = (1.0 - theta) * work[k] + theta * work[k + 1];
    }
  }
  return work[0];
}

uint32_t
dae_bernstein_variations(const double *b, uint32_t degree)
{
  uint32_t count = 0;
  double before = 0.0;
  for (uint32_t k = 0; k <= degree; k++) {
    if (b[k] != 0.0) {
      count += before != 0.0 && (before < 0.0) != (b[k] < 0.0) ? 1 : 0;
      before = b[k];
    }
  }
  return count;
}

void
dae_bernstein_halves(const double *b, uint32_t degree, double *left, double *right)
{
  double work[DAE_BERNSTEIN_MOST];
  memcpy(work, b, (degree + 1) * sizeof *b);
  for (uint32_t level = 0; level <= degree; level++) {
    left[level] = work[0];
    right[degree - level] = work[degree - level];
    for (uint32_t k = 0; k + level < degree; k++) {
      work[k] = 0.5 * (work[k] + work[k + 1]);
    }
  }
}

static bool
has_negative(const double *b, uint32_t degree)
{
  for (uint32_t k = 0; k <= degree; k++) {
    if (b[k] < 0.0) {
      return true;
    }
  }
  return false;
}

/* Halving ends at pieces of this size: two roots that are nearer to each other are not told
 * apart from none. */
#define DEEPEST 44u

typedef struct {
  double b[DAE_BERNSTEIN_MOST];
  double from, width;
  uint32_t depth;
} Piece;

bool
dae_bernstein_first_descent(const double *b, uint32_t degree, double *left, double *right)
{
  Piece stack[DEEPEST + 2];
  uint32_t n = 1;
  memcpy(stack[0].b, b, (degree + 1) * sizeof *b);
  stack[0].from = 0.0;
  stack[0].width = 1.0;
  stack[0].depth = 0;
  while (n > 0) {
    Piece *top = &stack[n - 1];
    if (!has_negative(top->b, degree)) {
      n--;
      continue;
    }
    const bool turns = top->b[0] >= 0.0 && top->b[degree] < 0.0;
    if (top->b[0] < 0.0 || (turns && dae_bernstein_variations(top->b, degree) <= 1)) {
      *left = top->from;
      *right = top->b[0] < 0.0 ? top->from : top->from + top->width;
      return true;
    }
    if (top->depth == DEEPEST) {
      *left = top->from;
      *right = top->from + top->width;
      if (turns) {
        return true;
      }
      n--;
      continue;
    }
    Piece first = {.from = top->from, .width = 0.5 * top->width, .depth = top->depth + 1};
    Piece second = {
        .from = top->from + first.width, .width = first.width, .depth = first.depth};
    dae_bernstein_halves(top->b, degree, first.b, second.b);
    stack[n - 1] =
        second; /* the stack holds one piece of each size at most, besides the first */
    stack[n++] = first;
  }
  return false;
}

static bool
is_on_side(double value, bool nonnegative)
{
  return nonnegative ? !(value < 0.0) : !(value > 0.0);
}

/* Interpolate, truncate, project: as good as bisection at worst, superlinear for simple roots. */
void
dae_bracket_root(DaeBracketed f, void *user, double tolerance, double *a, double fa, double *b,
                 double fb)
{
  const bool nonnegative = fb < 0.0;
  const double width = *b - *a;
  const double ulp = 2.0 * DBL_EPSILON * fmax(fabs(*a), fabs(*b));
  const double enough = fmax(fmax(tolerance, ulp), DBL_MIN);
  const double bisections = fmax(0.0, ceil(log2(width / enough)));
  double radius =
      0.5 * enough * exp2(bisections + 1.0); /* of the projection: halves each time */
  const double k1 = 0.2 / width;
  while (*b - *a > enough) {
    const double middle = *a + 0.5 * (*b - *a);
    const double falsi = (*a * fb - *b * fa) / (fb - fa);
    const double way = falsi < middle ? 1.0 : -1.0;
    /* never so small that the other end stays where it is when the root is as good as found */
    const double cut = fmax(k1 * (*b - *a) * (*b - *a), 0.6 * enough);
    const double truncated =
        isfinite(falsi) && cut <= fabs(middle - falsi) ? falsi + way * cut : middle;
    const double reach = fmax(0.0, radius - 0.5 * (*b - *a));
    double t = fabs(truncated - middle) <= reach ? truncated : middle - way * reach;
    if (!(t > *a && t < *b)) {
      t = middle;
    }
    if (!(t > *a && t < *b)) {
      return;
    }
    const double value = f(user, t);
    if (is_on_side(value, nonnegative)) {
      *a = t;
      fa = value;
    } else {
      *b = t;
      fb = value;
    }
    radius *= 0.5;
  }
}
