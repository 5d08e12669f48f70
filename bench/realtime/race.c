/* Step times of the exported code (prefix model) and of the hand-written one, in turns, best of
 * several rounds. Compiled with -DNEWTON, -DPROJECTIONS, -DIS_BDF. Prints: nanoseconds
 * exported, by hand, and how far apart the results are. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "hand.h"
#include "model.h"

#define ROUNDS 15
#define STEPS 100000

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int
main(void)
{
  static model_instance instance;
  static HandPendulum hand;
  double best_exported = 1e9;
  double best_hand = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    model_init(&instance);
    double start = now();
    for (int k = 0; k < STEPS; k++) {
      if (model_step(&instance) != 0) {
        return 1;
      }
    }
    best_exported = fmin(best_exported, (now() - start) / STEPS);
    hand_init(&hand);
    start = now();
    for (int k = 0; k < STEPS; k++) {
#if IS_BDF
      hand_bdf3_step(&hand, NEWTON, PROJECTIONS);
#else
      hand_ab3_step(&hand, PROJECTIONS);
#endif
    }
    best_hand = fmin(best_hand, (now() - start) / STEPS);
  }
  double apart = 0.0;
  for (int j = 0; j < 4; j++) {
    apart = fmax(apart, fabs(model_values(&instance)[j] - hand.x[0][j]));
  }
  printf("%.2f %.2f %.2e\n", 1e9 * best_exported, 1e9 * best_hand, apart);
  return 0;
}
