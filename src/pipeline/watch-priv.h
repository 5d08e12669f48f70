/* Inside of the watch (watch.h): what making it and running it share. */
#ifndef DAE_PIPELINE_WATCH_PRIV_H
#define DAE_PIPELINE_WATCH_PRIV_H

#include "pipeline/watch.h"

/* A variable has a pole where it grows at least like a root of its denominator; slopes may do that:
 * their integral is finite, 1/sqrt(abs(time - 1)), below the first power. */
#define DAE_LIKE_A_ROOT 0.3
#define DAE_LIKE_A_POLE 0.95

typedef enum { POLE, EDGE, BELOW, ABOVE } DaeWatchedKind;

typedef struct {
  DaeWatchedKind kind;
  uint32_t column;   /* of the results; UINT32_MAX: row of the system */
  uint32_t function; /* POLE, EDGE: output of the tape */
  uint32_t value;    /* POLE, EDGE: output whose size says whether it is one */
  double limit;      /* BELOW, ABOVE: min or max */
  double slack;      /* BELOW, ABOVE: less is not told */
  bool is_of_time;   /* POLE, EDGE */
  double next_zero;  /* of such a function */
  double side;       /* its sign before that zero: each zero turns it */
  bool is_told;
  bool is_logarithm; /* POLE: the value grows like the logarithm of the function */
  double growth; /* POLE: of the value, at least like this power of 1/function */
  /* POLE: a point far from the zero and the one next to it, as (|function|, |value|) */
  double far_function, far_value, near_function, near_value;
} Watched;

struct DaeWatch {
  const DaeProblem *problem;
  GArray *watched;    /* Watched */
  GArray *outputs;    /* DaeTerm */
  DaePointTape *tape; /* of the plan, or own */
  bool owns_tape;
  void *scratch;
  double *out;
  double *values, *before; /* by watched */
  double *x;               /* a point of the dense output */
  double t_start, t_stop;
  bool has_ranges;
  uint32_t n_factored; /* denominators so far */
  DaeEvents events;
  char *failure;
};

static inline Watched *
watched_at(const DaeWatch *watch, uint32_t i)
{
  return &g_array_index(watch->watched, Watched, i);
}

/* watch.c, as members of DaeEvents */
void dae_watch_event_values(void *user, double t, const double *x, double *out);
bool dae_watch_event_crossed(void *user, uint32_t i, int direction, double t, const double *x);

#endif
