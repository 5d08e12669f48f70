/* Mechanisms as ordinary differential equations y' = f(y), y positions and velocities: reduced and
 * solved by hand, for the explicit methods of ARKODE. */
#ifndef DAE_BENCH_ODES_H
#define DAE_BENCH_ODES_H

typedef struct {
  const char *problem;
  int n; /* of y; the start values are those of the index1 form (forms.h) */
  int n_lambda;
  int lambda_at; /* place of the first multiplier in that form */
  void (*f)(const double *y, double *dydt, double *lambda);
} DaePeerOde;

extern const DaePeerOde dae_peer_odes[];
extern const int dae_peer_odes_count;

#endif
