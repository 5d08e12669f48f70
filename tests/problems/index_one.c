/* Index 1 with the algebraic equations among the differential rows: x' = -y z, 0 = y
 * - x^2 - t, 0 = z exp(z) - y. */
#include "problems/template.h"

#ifndef NUMBER

#include <tgmath.h>

#include "problems/problems.h"

enum { N = 3, N_DIFF = 3, N_CON = 0 };

#define NUMBER double
#define EQUATIONS real_equations
#include "index_one.c" /* NOLINT: the same equations for two kinds of numbers */
#undef NUMBER
#undef EQUATIONS
#define NUMBER double complex
#define EQUATIONS complex_equations
#include "index_one.c" /* NOLINT */

static const DaeTemplate equations = {N, N_DIFF, N_CON, real_equations, complex_equations};
static const double start[N] = {1.0, 1.0, 0.56714329040978387300};

static const double reference[N] = {-0.87268386440322, 2.76157712718974, 1.00791655547165};

const DaeProblem dae_problem_index_one = {.name = "index 1",
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
  f[0] = -x[1] * x[2];
  f[1] = x[1] - x[0] * x[0] - t;
  f[2] = x[2] * exp(x[2]) - x[1];
}

#endif
