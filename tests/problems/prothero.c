/* Prothero and Robinson: x' = -1e6 (x - cos t) - sin t, solution cos t. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 1, N_DIFF = 1, N_CON = 0 };

#define NUMBER double
#define EQUATIONS real_equations
#include "prothero.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "prothero.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0};
static const double reference[N] = {-0.41614683654714238700};

const DaeProblem dae_problem_prothero = {.name = "Prothero-Robinson",
                                         .template = &equations,
                                         .t_stop = 2.0,
                                         .start = start,
                                         .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  (void)g;
  m[0] = 1.0;
  f[0] = -1e6 * (x[0] - cos(t)) - sin(t);
}

#endif
