/* What the models of this folder do, in closed form. */
#ifndef DAE_BENCH_EVENTS_EXACT_H
#define DAE_BENCH_EVENTS_EXACT_H

#include <math.h>
#include <string.h>

#define DAE_RELAY_STOP 8026.6
#define DAE_BALL_STOP 9030.0

/* Error of the time of event `number` (from 0); 0 where it is not known. */
static inline double
dae_exact_time_error(const char *name, long number, double t)
{
  if (strcmp(name, "relay") == 0) { /* up to 1.1 once, then down and up between 0.9 and 1.1 */
    const double first = log(2.0 / 0.9), half = log(1.1 / 0.9);
    return fabs(t - (first + half * (double)number));
  }
  if (strcmp(name, "ball") == 0) {
    return fabs(t - (2.0 * (double)number + 1.0) * sqrt(2.0 / 9.81));
  }
  return 0.0;
}

/* Error of the first unknown at the end; -1: not known. */
static inline double
dae_exact_end_error(const char *name, const double *y)
{
  if (strcmp(name, "counters") == 0) {
    return fabs(y[0] - cos(10.0));
  }
  if (strcmp(name, "controllers") == 0) {
    const double a = 1.001, q = exp(-a * 0.01);
    double x = 0.0;
    for (int k = 0; k < 100; k++) {
      x = q * x + (1.0 - q) / a * 5.0 * (1.0 - x);
    }
    return fabs(y[0] - x);
  }
  return -1.0;
}

#endif
