/* The pendulum with its constraints given twice in other words: rank 3 of 6.
 * Unknowns x, y, u, v, lambda. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 5, N_DIFF = 4, N_CON = 6 };

#define NUMBER double
#define EQUATIONS real_equations
#include "redundant.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "redundant.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0};

const DaeProblem dae_problem_redundant = {.name = "redundant",
                                          .template = &equations,
                                          .t_stop = 20.0,
                                          .start = start,
                                          .reference = start};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  const double gravity = 13.7503716373294544;
  (void)t;
  for (int i = 0; i < 4; i++) {
    m[i * N + i] = 1.0;
  }
  f[0] = x[2];
  f[1] = x[3];
  f[2] = -2.0 * x[0] * x[4];
  f[3] = -2.0 * x[1] * x[4] - gravity;
  g[0] = x[0] * x[0] + x[1] * x[1] - 1.0;
  g[1] = x[0] * x[2] + x[1] * x[3];
  g[2] = x[2] * x[2] + x[3] * x[3] - 2.0 * x[4] * (x[0] * x[0] + x[1] * x[1]) - gravity * x[1];
  g[3] = 3.0 * g[0] + g[1];
  g[4] = g[1] - g[2];
  g[5] = g[0] * (1.0 + x[4]);
}

#endif
