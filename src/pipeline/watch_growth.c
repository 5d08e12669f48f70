/* Is a zero of a denominator a pole (watch.h)? Its value, on the way there and a little beside
 * it. */
#include <float.h>
#include <math.h>

#include "pipeline/watch-priv.h"

#define BISECTIONS 60
#define NEXT 1e-16   /* of the unknowns' size: the least move that is tried */
#define NOT_NEXT 8.0 /* and so many times that, where rounding does not decide branches */
#define MUCH 10.0    /* growth that no rounding at a hole makes up */
/* Part of a change that comes again where the distance to a logarithm's pole shrinks as much again:
 * sqrt(-log(f)) has 0.7 of it, 1/log(f) 0.25. */
#define LIKE_LOGARITHM 0.6

bool
dae_watch_counts(const DaeWatch *watch, const Watched *w)
{
  return w->guard == UINT32_MAX || watch->out[w->guard] > 0.5;
}

/* Remembers how large the value was where the denominator was least, and where it was largest. */
void
dae_watch_note_size(Watched *w, double function, double value)
{
  double size = fabs(function);
  if (!isfinite(size) || !isfinite(value)) {
    return;
  }
  if (size > w->far_function) {
    w->far_function = size;
    w->far_value = fabs(value);
  }
  if (size > 0.0 && size < w->near_function) {
    w->near_function = size;
    w->near_value = fabs(value);
  }
}

/* The value has grown as its denominator became small. */
static bool
has_grown(const Watched *w)
{
  double ratio = w->far_function / w->near_function;
  return w->near_function == INFINITY || ratio < 16.0 ||
         w->near_value > w->far_value * pow(ratio, w->growth);
}

/* The tape beside a point, all unknowns and the time moved. */
static void
run_tape_beside(DaeWatch *watch, double far, double t, const double *x)
{
  const uint32_t n = dae_problem_n(watch->problem);
  g_autofree double *y = g_new0(double, (size_t)n + 1);
  for (uint32_t j = 0; j < n; j++) {
    double phase = (j + 1) * 0.6180339887498949;
    y[j] = x[j] + far * (1 + phase - floor(phase)) * (1 + fabs(x[j]));
  }
  dae_watch_run_tape(watch, t + far * (watch->t_stop - watch->t_start), y);
}

static double
function_beside(DaeWatch *watch, const Watched *w, double far, double t, const double *x)
{
  run_tape_beside(watch, far, t, x);
  return watch->out[w->function];
}

/* How far beside the point the function vanishes: steps of constant size see a change of the sign
 * at their end only. */
static double
zero_beside(DaeWatch *watch, const Watched *w, double t, const double *x)
{
  const double here = function_beside(watch, w, 0.0, t, x);
  for (double way = 1e-14; here != 0.0 && way < 1.0; way *= 2.0) {
    for (int side = -1; side <= 1; side += 2) {
      double from = 0.0;
      double to = side * way;
      if (!(function_beside(watch, w, to, t, x) * here <= 0.0)) {
        continue;
      }
      for (int k = 0; k < BISECTIONS; k++) {
        const double middle = 0.5 * (from + to);
        if (function_beside(watch, w, middle, t, x) * here > 0.0) {
          from = middle;
        } else {
          to = middle;
        }
      }
      return to;
    }
  }
  return 0.0;
}

/* A logarithm changes by as much on each way to its pole that is as long in orders of magnitude,
 * its product with a power of the distance ever less, and its inverse too. Nearer than 1e-8 that of
 * a square that is written out is rounding. */
static bool
grows_like_logarithm(DaeWatch *watch, const Watched *w, int side, double t, const double *x)
{
  static const double far[][3] = {{1e-2, 3e-5, 1e-7}, {1e-3, 1e-7, 1e-11}};
  const double zero = zero_beside(watch, w, t, x);
  bool grows = false;
  for (size_t look = 0; look < G_N_ELEMENTS(far) && !grows; look++) {
    double value[3];
    for (size_t k = 0; k < 3; k++) {
      run_tape_beside(watch, zero + side * far[look][k], t, x);
      value[k] = watch->out[w->value];
    }
    const double change = fabs(value[2] - value[1]);
    grows =
        change > LIKE_LOGARITHM * fabs(value[1] - value[0]) && change > 1e-12 * fabs(value[0]);
  }
  return grows;
}

/* A zero that is met exactly was not approached: a few points on one side of it. Does the value
 * grow on the way to it? */
static bool
grows_on_side(DaeWatch *watch, Watched *w, int side, double t, const double *x)
{
  static const double far[] = {1e-2, 1e-5, 1e-8};
  if (w->is_logarithm) {
    return grows_like_logarithm(watch, w, side, t, x);
  }
  double function_before = 0.0;
  double change_before = INFINITY;
  double first = 0.0;
  bool grows = false;
  for (size_t k = 0; k < G_N_ELEMENTS(far); k++) {
    run_tape_beside(watch, side * far[k], t, x);
    const double function = fabs(watch->out[w->function]);
    const double value = watch->out[w->value];
    first = k == 0 ? value : first; /* what does not grow beside it, 1 + 1e-12/f^2 */
    const double change = fabs(value - first);
    dae_watch_note_size(w, function, value);
    grows = grows || (k > 1 && change > MUCH * fabs(first) &&
                      change > change_before * pow(function_before / function, w->growth));
    function_before = function;
    change_before = change;
  }
  return grows;
}

/* Branches may hold on one side only. */
static bool
grows_beside(DaeWatch *watch, Watched *w, double t, const double *x)
{
  return grows_on_side(watch, w, 1, t, x) ||
         (w->guard != UINT32_MAX && grows_on_side(watch, w, -1, t, x));
}

/* Do the branches hold next to the zero on this side? As near as the function is another number: i
 * comes no nearer to 0 than its branch where that is abs(i) > 1e-13. */
static bool
counts_on_side(DaeWatch *watch, const Watched *w, double zero, int side, double t,
               const double *x)
{
  double far = fmax(NEXT, 4.0 * DBL_EPSILON * fabs(zero));
  while (function_beside(watch, w, zero + side * far, t, x) == 0.0 && far < 1e-9) {
    far *= 2.0;
  }
  if (dae_watch_counts(watch, w)) {
    return true;
  }
  run_tape_beside(watch, zero + side * NOT_NEXT * far, t, x);
  return dae_watch_counts(watch, w);
}

/* Do the branches hold at the zero, or on one side of it? */
static bool
counts_around(DaeWatch *watch, const Watched *w, double t, const double *x)
{
  if (w->guard == UINT32_MAX) {
    return true;
  }
  const double zero = zero_beside(watch, w, t, x);
  run_tape_beside(watch, zero, t, x);
  return dae_watch_counts(watch, w) || counts_on_side(watch, w, zero, -1, t, x) ||
         counts_on_side(watch, w, zero, 1, t, x);
}

bool
dae_watch_is_pole(DaeWatch *watch, Watched *w, double t, const double *x)
{
  return counts_around(watch, w, t, x) &&
         (grows_beside(watch, w, t, x) || (!w->is_logarithm && has_grown(w)));
}
