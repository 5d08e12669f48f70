/* The hand-written pendulum. */
#ifndef BENCH_REALTIME_HAND_H
#define BENCH_REALTIME_HAND_H

typedef struct {
  double x[3][5]; /* newest first */
  double f[3][4];
} HandPendulum;

void hand_init(HandPendulum *s);
void hand_ab3_step(HandPendulum *s, int projections);
void hand_bdf3_step(HandPendulum *s, int iterations, int projections);

#endif
