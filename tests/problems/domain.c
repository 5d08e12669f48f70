/* x' = -1, 0 = y - sqrt(x) with x(0) = 1: undefined after t = 1. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 2, N_DIFF = 1, N_CON = 1 };

#define NUMBER double
#define EQUATIONS real_equations
#include "domain.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "domain.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0, 1.0};

const DaeProblem dae_problem_domain = {
    .name = "domain", .template = &equations, .t_stop = 2.0, .start = start};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  (void)t;
  m[0] = 1.0;
  f[0] = -1.0;
  g[0] = x[1] - sqrt(x[0]);
}

#endif
