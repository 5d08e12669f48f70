#include "pipeline/swings.h"

#include <math.h>

/* A swing counts if it is as wide as this part of the widest one. */
#define FULL 0.5
/* ... which is another one when it has grown by this. */
#define WIDER 2.0

typedef struct {
  double last;    /* value */
  double turn;    /* value where it turned last */
  double widest;  /* swing so far */
  double counted; /* width of the widest when counting began */
  int direction;  /* 0: has not moved yet */
  uint64_t count; /* of full swings */
} Swing;

struct DaeSwings {
  uint32_t n;
  uint64_t points;
  Swing *of;
};

DaeSwings *
dae_swings_new(uint32_t n)
{
  DaeSwings *swings = g_new0(DaeSwings, 1);
  swings->n = n;
  swings->of = g_new0(Swing, (size_t)n + 1);
  return swings;
}

void
dae_swings_free(DaeSwings *swings)
{
  if (swings != NULL) {
    g_free(swings->of);
    g_free(swings);
  }
}

/* It turned at its last value. */
static void
note_turn(Swing *s)
{
  const double width = fabs(s->last - s->turn);
  s->turn = s->last;
  s->widest = fmax(s->widest, width);
  if (s->widest > WIDER * s->counted) {
    s->counted = s->widest;
    s->count = 0;
  }
  s->count += width >= FULL * s->widest;
}

void
dae_swings_note(DaeSwings *swings, const double *x)
{
  for (uint32_t j = 0; j < swings->n; j++) {
    Swing *s = &swings->of[j];
    if (swings->points == 0) {
      s->last = s->turn = x[j];
    }
    const int direction = (x[j] > s->last) - (x[j] < s->last);
    if (direction != 0 && direction == -s->direction) {
      note_turn(s);
    }
    s->direction = direction != 0 ? direction : s->direction;
    s->last = x[j];
  }
  swings->points++;
}

uint64_t
dae_swings_most(const DaeSwings *swings, const double *least, uint32_t *unknown)
{
  uint64_t most = 0;
  *unknown = 0;
  for (uint32_t j = 0; j < swings->n; j++) {
    if (swings->of[j].count > most && swings->of[j].widest >= least[j]) {
      most = swings->of[j].count;
      *unknown = j;
    }
  }
  return most / 2;
}
