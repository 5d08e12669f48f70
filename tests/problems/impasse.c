/* 2 x x' = -1 with x(0) = 1: x = sqrt(1 - t) ends at t = 1, where
 * the leading matrix is singular. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 1, N_DIFF = 1, N_CON = 0 };

#define NUMBER double
#define EQUATIONS real_equations
#include "impasse.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "impasse.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0};

const DaeProblem dae_problem_impasse = {
    .name = "impasse", .template = &equations, .t_stop = 2.0, .start = start};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  (void)t;
  (void)g;
  m[0] = 2.0 * x[0];
  f[0] = -1.0;
}

#endif
