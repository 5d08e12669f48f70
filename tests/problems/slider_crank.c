/* Slider crank, rigid, driven by gravity and a torque on the crank, with accelerations as
 * unknowns, index 3. Unknowns: angles a, b of crank and rod, slider x; their velocities; their
 * accelerations; two multipliers. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 11, N_DIFF = 6, N_CON = 9 };

#define NUMBER double
#define EQUATIONS real_equations
#include "slider_crank.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "slider_crank.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
/* at rest with the crank at 0.5; velocities, accelerations and
 * multipliers follow from the constraints */
static const double start[N] = {0.5, -0.2420699834873062, 0.42289054038837226};

/* bench/references/values.txt (driven_crank): an independent run in quadruple precision */
static const double reference[N] = {
    -3.7502974086680108, -0.2899482832496799,  0.16441919876108244, 1.0267948328835867,
    0.439532436075671,   -0.05036996572446369, 35.20518016275459,   15.326940314947276,
    -1.6307685706322976, -0.32615371412645955, -0.06263568346502164};

const DaeProblem dae_problem_slider_crank = {.name = "slider crank",
                                             .template = &equations,
                                             .t_stop = 2.0,
                                             .start = start,
                                             .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  const double l1 = 0.15, l2 = 0.30, j1 = 0.005, j2 = 0.003, mass = 0.2, gravity = 9.81,
               half = 0.36 * 0.075;
  NUMBER a = x[0], b = x[1], va = x[3], vb = x[4], vx = x[5];
  NUMBER sa = l1 * sin(a), ca = l1 * cos(a), sb = l2 * sin(b), cb = l2 * cos(b);
  for (int i = 0; i < N_DIFF; i++) {
    m[i * N + i] = 1.0;
    f[i] = x[3 + i];
  }
  /* x = l1 cos a + l2 cos b, 0 = l1 sin a + l2 sin b */
  g[0] = ca + cb - x[2];
  g[1] = sa + sb;
  g[2] = -sa * va - sb * vb - vx;
  g[3] = ca * va + cb * vb;
  g[4] = -sa * x[6] - sb * x[7] - ca * va * va - cb * vb * vb - x[8];
  g[5] = ca * x[6] + cb * x[7] - sa * va * va - sb * vb * vb;
  g[6] = j1 * x[6] + half * gravity * cos(a) - 0.02 * sin(3.0 * t) + (-sa) * x[9] + ca * x[10];
  g[7] = j2 * x[7] + (-sb) * x[9] + cb * x[10];
  g[8] = mass * x[8] - x[9];
}

#endif
