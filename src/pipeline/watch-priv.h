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
  uint32_t guard;    /* POLE: output that is 1 where it counts; UINT32_MAX: everywhere */
  double limit;      /* BELOW, ABOVE: min or max */
  double slack;      /* BELOW, ABOVE: less is not told */
  bool is_of_time;   /* POLE, EDGE */
  double next_zero;  /* of such a function */
  double side;       /* its sign before that zero: each zero turns it */
  bool is_told;
  bool is_logarithm; /* POLE: the value grows like the logarithm of the function */
  double growth;     /* POLE: of the value, at least like this power of 1/function */
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

void dae_watch_run_tape(DaeWatch *watch, double t, const double *x);

/* watch_growth.c */
/* Where the tape was run: do the branches hold in which the denominator stands? */
bool dae_watch_counts(const DaeWatch *watch, const Watched *w);
void dae_watch_note_size(Watched *w, double function, double value);
/* Does the value grow without bound at the zero of the function next to this point? */
bool dae_watch_is_pole(DaeWatch *watch, Watched *w, double t, const double *x);

/* watch.c, as members of DaeEvents */
void dae_watch_event_values(void *user, double t, const double *x, double *out);
bool dae_watch_event_crossed(void *user, uint32_t i, int direction, double t, const double *x);

#endif
