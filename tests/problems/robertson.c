/* Robertson's chemical kinetics with the balance of mass instead of the third
 * equation, index 1, to t = 1e11. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 3, N_DIFF = 2, N_CON = 1 };

#define NUMBER double
#define EQUATIONS real_equations
#include "robertson.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "robertson.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0, 0.0, 0.0};
static const double reference[N] = {0.2083340149701255e-7, 0.8333360770334713e-13,
                                    0.9999999791665050};

const DaeProblem dae_problem_robertson = {.name = "Robertson",
                                          .template = &equations,
                                          .t_stop = 1e11,
                                          .start = start,
                                          .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  (void)t;
  m[0] = 1.0;
  m[N + 1] = 1.0;
  f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
  f[1] = 0.04 * x[0] - 1e4 * x[1] * x[2] - 3e7 * x[1] * x[1];
  g[0] = x[0] + x[1] + x[2] - 1.0;
}

#endif
