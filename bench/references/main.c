/* references [--list | PROBLEM ...]: integrates each problem twice and prints
 *     PROBLEM TIME NAME VALUE DIGITS
 * DIGITS: decimal digits in which the two runs agree, relative to max(|value|,
 * 1e-6); comment lines begin with #. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "quad.h"

static long
run(const QuadProblem *problem, int second, Quad *values, Quad *residual)
{
  Quad y[MAX_STATES] = {0}, slope[MAX_STATES];
  Quad tolerance = problem->tolerance > 0 ? problem->tolerance
                   : problem->is_stiff    ? 1e-17Q
                                          : 1e-29Q;
  int stages = problem->stages > 0 ? problem->stages : 12;
  long steps;
  problem->start(y);
  if (problem->is_stiff) {
    steps = integrate_by_collocation(problem->field, problem->n, problem->t_stop,
                                     second ? stages - stages / 4 : stages,
                                     second ? 100 * tolerance : tolerance, y, slope);
  } else {
    steps =
        integrate_by_extrapolation(problem->field, problem->n, problem->t_stop,
                                   second ? 10 : 13, second ? 100 * tolerance : tolerance, y);
  }
  problem->output(problem->t_stop, y, slope, values);
  *residual = problem->residual ? problem->residual(problem->t_stop, y) : 0;
  return steps;
}

static void
print_problem(const QuadProblem *problem)
{
  static Quad first[MAX_NAMES], second[MAX_NAMES];
  Quad residual, other;
  clock_t begin = clock();
  long steps = run(problem, 0, first, &residual), fewer = run(problem, 1, second, &other);
  printf("# %s: %s, %ld and %ld steps, %.1f s, residual %.1e\n", problem->name,
         problem->is_stiff ? "Gauss collocation with two numbers of stages"
                           : "extrapolated midpoint rule with 13 and 10 columns",
         steps, fewer, (double)(clock() - begin) / CLOCKS_PER_SEC, (double)residual);
  char names[4096];
  snprintf(names, sizeof(names), "%s", problem->names);
  int i = 0;
  for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "), i++) {
    char text[64], stop[64];
    quadmath_snprintf(text, sizeof(text), "%.30Qe", first[i]);
    quadmath_snprintf(stop, sizeof(stop), "%.10Qg", problem->t_stop);
    Quad apart = fabsq(first[i] - second[i]) / fmaxq(fabsq(first[i]), 1e-6Q);
    printf("%s %s %s %s %.0f\n", problem->name, stop, name, text,
           (double)floorq(fminq(33, -log10q(apart + 1e-33Q))));
  }
  fflush(stdout);
}

static int
is_wanted(const QuadProblem *problem, int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], problem->name) == 0) {
      return 1;
    }
  }
  return argc == 1;
}

int
main(int argc, char **argv)
{
  for (int i = 0; i < mechanical_count + other_count; i++) {
    const QuadProblem *problem =
        i < mechanical_count ? &mechanical_problems[i] : &other_problems[i - mechanical_count];
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
      printf("%s\n", problem->name);
    } else if (is_wanted(problem, argc, argv)) {
      print_problem(problem);
    }
  }
  return 0;
}
