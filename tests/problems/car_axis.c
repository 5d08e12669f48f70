/* Car axis of the IVP test set [MazziaMagherini08; 003]: index 3, here with the constraints of
 * all levels. Unknowns: xl, yl, xr, yr, their velocities, lambda1, lambda2. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 10, N_DIFF = 8, N_CON = 6 };

#define NUMBER double
#define EQUATIONS real_equations
#include "car_axis.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "car_axis.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0, 0.0, 0.0};
/* bench/references/values.txt: an independent run in quadruple precision */
static const double reference[N] = {
    0.049345578427524094,  0.4969894602300081,    1.0417425248854262,   0.3739110272653658,
    -0.07705836840359208,  0.007446866592068417,  0.017556815753541736, 0.7703410437796011,
    -0.004736886590853326, -0.0011046803312595658};

const DaeProblem dae_problem_car_axis = {.name = "car axis",
                                         .template = &equations,
                                         .t_stop = 3.0,
                                         .start = start,
                                         .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  const double eps = 0.01, mass = 10.0, k = mass * eps * eps / 2.0, rest = 0.5;
  const double r = 0.1, w = 10.0;
  NUMBER xl = x[0], yl = x[1], xr = x[2], yr = x[3];
  NUMBER ul = x[4], vl = x[5], ur = x[6], vr = x[7], l1 = x[8], l2 = x[9];
  NUMBER yb = r * sin(w * t), xb = sqrt(1.0 - yb * yb);
  NUMBER yb1 = r * w * cos(w * t), xb1 = -yb * yb1 / xb;
  NUMBER yb2 = -w * w * yb, xb2 = -(yb1 * yb1 + yb * yb2 + xb1 * xb1) / xb;
  NUMBER len_l = sqrt(xl * xl + yl * yl);
  NUMBER len_r = sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
  NUMBER axl = ((rest - len_l) * xl / len_l + l1 * xb + 2.0 * l2 * (xl - xr)) / k;
  NUMBER ayl = ((rest - len_l) * yl / len_l + l1 * yb + 2.0 * l2 * (yl - yr)) / k - 1.0;
  NUMBER axr = ((rest - len_r) * (xr - xb) / len_r - 2.0 * l2 * (xl - xr)) / k;
  NUMBER ayr = ((rest - len_r) * (yr - yb) / len_r - 2.0 * l2 * (yl - yr)) / k - 1.0;
  for (int i = 0; i < N_DIFF; i++) {
    m[i * N + i] = 1.0;
  }
  f[0] = ul;
  f[1] = vl;
  f[2] = ur;
  f[3] = vr;
  f[4] = axl;
  f[5] = ayl;
  f[6] = axr;
  f[7] = ayr;
  NUMBER dx = xl - xr, dy = yl - yr, du = ul - ur, dv = vl - vr;
  g[0] = xl * xb + yl * yb;
  g[1] = dx * dx + dy * dy - 1.0;
  g[2] = ul * xb + xl * xb1 + vl * yb + yl * yb1;
  g[3] = dx * du + dy * dv;
  g[4] = axl * xb + 2.0 * ul * xb1 + xl * xb2 + ayl * yb + 2.0 * vl * yb1 + yl * yb2;
  g[5] = du * du + dv * dv + dx * (axl - axr) + dy * (ayl - ayr);
}

#endif
