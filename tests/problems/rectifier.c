/* A diode charges a capacitor from a sine: 1e-4 v' = i - v/100, i = 1e-9 (exp((u - v)/0.025) - 1),
 * the source behind a resistor of 1. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 2, N_DIFF = 1, N_CON = 1 };

#define NUMBER double
#define EQUATIONS real_equations
#include "rectifier.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "rectifier.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {0.0, 0.0};

const DaeProblem dae_problem_rectifier = {
    .name = "rectifier", .template = &equations, .t_stop = 0.02, .start = start};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  const NUMBER u = 10.0 * sin(314.0 * t) - x[1];
  m[0] = 1e-4;
  m[1] = 0.0;
  f[0] = x[1] - x[0] / 100.0;
  g[0] = x[1] - 1e-9 * (exp((u - x[0]) / 0.025) - 1.0);
}

#endif
