/* Linear oscillator with a third, constrained variable and an additional row: x = cos
 * t, y = -sin t, z = x + sin 3t. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 3, N_DIFF = 3, N_CON = 1 };

#define NUMBER double
#define EQUATIONS real_equations
#include "oscillator.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "oscillator.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0, 0.0, 1.0};
static const double reference[N] = {0.84385395873249210465, 0.53657291800043497166,
                                    0.84385395873249210465 - 0.99177885344311578366};

const DaeProblem dae_problem_oscillator = {.name = "oscillator",
                                           .template = &equations,
                                           .t_stop = 12.0,
                                           .start = start,
                                           .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  m[0] = 1.0;
  m[N + 1] = 1.0;
  m[2 * N + 2] = 1.0;
  f[0] = x[1];
  f[1] = -x[0];
  f[2] = x[1] + 3.0 * cos(3.0 * t);
  g[0] = x[2] - x[0] - sin(3.0 * t);
}

#endif
