/* A non-autonomous system whose leading matrix depends on the state, made so that x = (sin t,
 * cos t, t + sin t cos t) solves it. Over-determined: four differential rows, one constraint. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 3, N_DIFF = 4, N_CON = 1 };

#define NUMBER double
#define EQUATIONS real_equations
#include "manufactured.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "manufactured.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {0.0, 1.0, 0.0};
static const double reference[N] = {0.14112000805986722210, -0.98999249660044545727,
                                    3.0 + 0.14112000805986722210 * -0.98999249660044545727};

const DaeProblem dae_problem_manufactured = {.name = "manufactured",
                                             .template = &equations,
                                             .t_stop = 3.0,
                                             .start = start,
                                             .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  NUMBER s = sin(t), c = cos(t);
  NUMBER r0 = x[0] - s, r1 = x[1] - c;
  NUMBER third = 1.0 + c * c - s * s;
  m[0 * N + 0] = 2.0 + x[1] * x[2];
  m[0 * N + 1] = x[0];
  m[1 * N + 1] = 1.0 + x[0] * x[0] + t;
  m[1 * N + 2] = 0.5 * x[1];
  m[2 * N + 0] = exp(-x[1]);
  m[2 * N + 2] = 1.0;
  m[3 * N + 1] = 3.0;
  f[0] = m[0] * c - m[1] * s - r0;
  f[1] = -m[N + 1] * s + m[N + 2] * third - r1;
  f[2] = m[2 * N] * c + third - r0;
  f[3] = -3.0 * s - r1;
  g[0] = x[2] - t - x[0] * x[1];
}

#endif
