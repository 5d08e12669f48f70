/* Van der Pol oscillator of the IVP test set, stiff: y1' = y2, eps y2' = (1
 * - y1^2) y2 - y1, eps = 1e-6. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 2, N_DIFF = 2, N_CON = 0 };

#define NUMBER double
#define EQUATIONS real_equations
#include "van_der_pol.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "van_der_pol.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {2.0, 0.0};
/* bench/references/values.txt (van_der_pol_scaled): an independent run in quadruple precision */
static const double reference[N] = {1.706167732170465, -0.8928097010248165};

const DaeProblem dae_problem_van_der_pol = {.name = "van der Pol",
                                            .template = &equations,
                                            .t_stop = 2.0,
                                            .start = start,
                                            .reference = reference};

#else

static void
EQUATIONS(NUMBER t, const NUMBER *x, NUMBER *m, NUMBER *f, NUMBER *g)
{
  (void)t;
  (void)g;
  m[0] = 1.0;
  m[N + 1] = 1e-6;
  f[0] = x[1];
  f[1] = (1.0 - x[0] * x[0]) * x[1] - x[0];
}

#endif
