/* The hand-reduced forms as compiled functions for deSolve's radau (f of M y' = f) and daspk (residuals). */
#include <string.h>

#include "forms.h"

#define ENTRY(NAME, NUMBER)                                                                    \
  void NAME##_f(int *n, double *t, double *y, double *f, double *out, int *ip);                \
  void NAME##_f(int *n, double *t, double *y, double *f, double *out, int *ip)                 \
  {                                                                                            \
    (void)n;                                                                                   \
    (void)out;                                                                                 \
    (void)ip;                                                                                  \
    dae_peer_forms[NUMBER].index3(*t, y, f);                                                   \
  }                                                                                            \
  void NAME##_r(double *t, double *y, double *ydot, double *cj, double *delta, int *ires,      \
                double *out, int *ip);                                                         \
  void NAME##_r(double *t, double *y, double *ydot, double *cj, double *delta, int *ires,      \
                double *out, int *ip)                                                          \
  {                                                                                            \
    (void)cj;                                                                                  \
    (void)ires;                                                                                \
    (void)out;                                                                                 \
    (void)ip;                                                                                  \
    dae_peer_forms[NUMBER].index1(*t, y, ydot, delta);                                         \
  }

ENTRY(pendulum, 0)
ENTRY(car_axis, 1)
ENTRY(andrews, 2)
