/* Hand-reduced forms of the test problems for the peers, from the hand-written equations of tests/problems.
 *
 *   index 3   M y' = f with the position constraints only (RADAU5 of deSolve)
 *   GGL       positions corrected by multipliers mu, constraints of level 0 and 1, index 2 (IDA)
 *   index 1   accelerations from the constraints of level 2 only (daspk; IDA for Andrews) */
#ifndef DAE_BENCH_FORMS_H
#define DAE_BENCH_FORMS_H

typedef struct {
  const char *name;
  int n_index3, n_ggl, n_index1; /* 0: not available */
  int indices[3]; /* unknowns of index 1, 2, 3 in the index-3 form, in this order */
  double t_stop;
  int positions, velocities; /* counts; the unknowns are positions, velocities, multipliers */
  int first_multiplier, multipliers;
  const double *start; /* of the index-3 and index-1 forms; GGL has zeros after it */
  void (*index3)(double t, const double *y,
                 double *f); /* f of M y' = f, M = diag(1 ... 1, 0 ... 0) */
  void (*ggl)(double t, const double *y, const double *ydot, double *r);
  void (*index1)(double t, const double *y, const double *ydot, double *r);
} DaePeerForm;

#define DAE_PEER_FORMS 3
extern const DaePeerForm dae_peer_forms[DAE_PEER_FORMS];

#endif
