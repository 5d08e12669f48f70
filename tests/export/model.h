/* A model by hand for src/export/integrator.c: x' = y, y' = -x, and for EXPLICIT an
 * algebraic z with 0 = z - x - y. */
#ifndef DAE_TESTS_EXPORT_MODEL_H
#define DAE_TESTS_EXPORT_MODEL_H

#include <stddef.h>

#ifdef EXPLICIT
#define MODEL_N 3u
#define MODEL_N_CON 1u
#define MODEL_N_GX 3u
#define MODEL_WITH_EXPLICIT 1
#define MODEL_WITH_FIND_RATES 1
#define MODEL_WITH_IMPLICIT 0
#define MODEL_WITH_ALGEBRAIC 1
#define MODEL_WITH_NOT_ALGEBRAIC 0
#define MODEL_WITH_BDF 0
#else
#define MODEL_N 2u
#define MODEL_N_CON 0u
#define MODEL_N_GX 0u
#define MODEL_WITH_EXPLICIT 0
#define MODEL_WITH_FIND_RATES 0
#define MODEL_WITH_IMPLICIT 1
#define MODEL_WITH_ALGEBRAIC 0
#define MODEL_WITH_NOT_ALGEBRAIC 1
#define MODEL_WITH_BDF 1
#endif
#define MODEL_WITH_COUPLED 0
#define MODEL_WITH_DERIVATIVES 1
#define MODEL_WITH_EDGES 0
#define MODEL_WITH_NORM 0
#define MODEL_WITH_SLOPES_NEED_CONSTRAINTS 0
#define MODEL_WITH_BY_ORDERS 1
#define MODEL_WITH_NOT_BY_ORDERS 0
#ifdef EXPLICIT
#define MODEL_WITH_FIND_START 1
#define MODEL_WITH_START_AGAIN 1
#define MODEL_WITH_FIND_SLOPES 1
#else
#define MODEL_WITH_FIND_START 0
#define MODEL_WITH_START_AGAIN 0
#define MODEL_WITH_FIND_SLOPES 0
#endif
#define MODEL_WITH_PARAMETERS 0
#define MODEL_WITH_NO_PARAMETERS 1
#define MODEL_WITH_EVENTS 0
#define MODEL_WITH_CLAIMS 0
#define MODEL_WITH_DELAYS 0
#define MODEL_WITH_CANNOT_FIND_START 0
#define MODEL_WITH_UNROLLED 0
#define MODEL_WITH_NOT_UNROLLED 1
#define MODEL_N_DIFF 2u
#define MODEL_N_M 2u
#define MODEL_N_K 2u
#define MODEL_NEWTON 2u
#define MODEL_PROJECTIONS 0u
#define MODEL_ORDER 3u
#define MODEL_T_START 0.0
#define MODEL_STEP model_step_size
#define MODEL_DOMAIN 1
#define MODEL_SINGULAR 2
#define MODEL_NO_START 4
#define MODEL_NONE 65535u

typedef unsigned short model_index;

typedef struct {
  double t;
  long steps;
  unsigned shown, at[6], slope_at[5];
  double x[6][3], slope[5][3], q[3], xdot[3];
  double m[2], k[2], gx[3], gt[1], f[2], g[1], r[4], delta[4];
  double a[4], c[3], l[3], d[3], y[3];
} model_instance;

extern double model_step_size;
extern const unsigned model_m_start[3], model_m_column[2];
extern const unsigned model_gx_start[2], model_gx_column[3];
extern unsigned model_n_set;
extern const double model_start[3], model_start_slopes[3];

void model_f(double t, const double *x, double *out);
void model_g(double t, const double *x, double *out);
void model_m(double t, const double *x, double *out);
void model_k(double t, const double *x, const double *xdot, double *out);
void model_gx(double t, const double *x, double *out);
void model_gt(double t, const double *x, double *out);
int model_find_start(double t, double *x);
int model_init(model_instance *s);
int model_step(model_instance *s);
const double *model_values(const model_instance *s);

#endif
