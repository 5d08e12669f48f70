/* Stage equations of Radau IIa for M(x,t) x' = f, 0 = g, all stages evaluated together as lanes. */
#include <math.h>
#include <string.h>

#include "solver/lanes.h"
#include "solver/radau.h"

/* Index of the first value that is not finite, UINT32_MAX: none. v - v is 0 for
 * a finite v and NaN otherwise. */
static uint32_t
first_not_finite(const double *v, uint32_t count)
{
  DaeVector8 checks = {0.0};
  uint32_t whole = count & ~7u;
  for (uint32_t i = 0; i < whole; i += 8) {
    DaeVector8 here = *(const DaeVector8 *)(const void *)(v + i);
    checks += here - here;
  }
  double check = 0.0;
  for (uint32_t i = whole; i < count; i++) {
    check += v[i] - v[i];
  }
  for (uint32_t i = 0; i < 8; i++) {
    check += checks[i];
  }
  for (uint32_t i = 0; check != 0.0 && i < count; i++) {
    if (!isfinite(v[i])) {
      return i;
    }
  }
  return UINT32_MAX;
}

/* Calls the evaluator, counts, and turns values that are not finite into a domain error (> 0). */
int
dae_radau_evaluate(DaeRadau *r, unsigned lanes, const double *t, const double *x, DaeOut *out)
{
  out->fault = 0;
  int code = r->ev->eval(r->ev->self, r->scratch, lanes, t, x, out);
  r->stats.rhs_evaluations += lanes;
  if (out->m != NULL) {
    r->stats.mass_evaluations += lanes;
  }
  if (code != 0) {
    r->worst_row = out->fault;
    return code;
  }
  if (r->ev->is_checked) {
    return 0;
  }
  uint32_t bad = out->f != NULL ? first_not_finite(out->f, r->n_diff * lanes) : UINT32_MAX;
  if (bad != UINT32_MAX) {
    r->worst_row = bad / lanes;
    return 1;
  }
  bad = out->g != NULL ? first_not_finite(out->g, r->n_con * lanes) : UINT32_MAX;
  if (bad != UINT32_MAX) {
    r->worst_row = r->n_diff + bad / lanes;
    return 1;
  }
  return 0;
}

/* of a vector, each value without its sign */
#define LANES_ABS(v) ((LANES_VECTOR)((LANES_MASK)(v)&INT64_MAX))

#define LANES_POINTS points_4
#define LANES_RESIDUALS residuals_4
#define LANES_CORRECT correct_4
#define LANES_SQUARES squares_4
#define LANES_PREDICT predict_4
#define LANES_GAPS gaps_4
#define LANES_VECTOR DaeVector4
#define LANES_MASK DaeMask4
#define LANES_TARGET
#include "solver/stage-lanes.inc"

#define LANES_POINTS points_8
#define LANES_RESIDUALS residuals_8
#define LANES_CORRECT correct_8
#define LANES_SQUARES squares_8
#define LANES_PREDICT predict_8
#define LANES_GAPS gaps_8
#define LANES_VECTOR DaeVector8
#define LANES_MASK DaeMask8
#define LANES_TARGET
#include "solver/stage-lanes.inc"

#if defined(DAE_HAVE_X86)
#define LANES_POINTS points_4_avx2
#define LANES_RESIDUALS residuals_4_avx2
#define LANES_CORRECT correct_4_avx2
#define LANES_SQUARES squares_4_avx2
#define LANES_PREDICT predict_4_avx2
#define LANES_GAPS gaps_4_avx2
#define LANES_VECTOR DaeVector4
#define LANES_MASK DaeMask4
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/stage-lanes.inc"

#define LANES_POINTS points_8_avx2
#define LANES_RESIDUALS residuals_8_avx2
#define LANES_CORRECT correct_8_avx2
#define LANES_SQUARES squares_8_avx2
#define LANES_PREDICT predict_8_avx2
#define LANES_GAPS gaps_8_avx2
#define LANES_VECTOR DaeVector8
#define LANES_MASK DaeMask8
#define LANES_TARGET DAE_TARGET_AVX2
#include "solver/stage-lanes.inc"

#define LANES_POINTS points_8_avx512
#define LANES_RESIDUALS residuals_8_avx512
#define LANES_CORRECT correct_8_avx512
#define LANES_SQUARES squares_8_avx512
#define LANES_PREDICT predict_8_avx512
#define LANES_GAPS gaps_8_avx512
#define LANES_VECTOR DaeVector8
#define LANES_MASK DaeMask8
#define LANES_TARGET DAE_TARGET_AVX512
#include "solver/stage-lanes.inc"
#endif

typedef struct {
  void (*points)(const DaeRadau *r);
  void (*residuals)(const DaeRadau *r, double h);
  void (*correct)(const DaeRadau *r);
  double (*squares)(const DaeRadau *r, const double *v);
  void (*predict)(const DaeRadau *r, double basis[DAE_STAGES_MAX][DAE_STAGE_LANES]);
  bool (*gaps)(const DaeRadau *r, double h, double part, double rounded);
} StageLoops;

/* The loops for the stages of this order on this machine. */
static const StageLoops *
stage_loops(const DaeRadau *r)
{
  static const StageLoops plain[2] = {
      {points_4, residuals_4, correct_4, squares_4, predict_4, gaps_4},
      {points_8, residuals_8, correct_8, squares_8, predict_8, gaps_8},
  };
  uint32_t wide = DAE_LANES_OF(r->tableau->s) == 8;
#if defined(DAE_HAVE_X86)
  static const StageLoops avx2[2] = {
      {points_4_avx2, residuals_4_avx2, correct_4_avx2, squares_4_avx2, predict_4_avx2,
       gaps_4_avx2},
      {points_8_avx2, residuals_8_avx2, correct_8_avx2, squares_8_avx2, predict_8_avx2,
       gaps_8_avx2},
  };
  static const StageLoops avx512 = {points_8_avx512,  residuals_8_avx512, correct_8_avx512,
                                    squares_8_avx512, predict_8_avx512,   gaps_8_avx512};
  int level = dae_lanes_level();
  if (level > 0) {
    return wide && level > 1 ? &avx512 : &avx2[wide];
  }
#endif
  return &plain[wide];
}

/* residual = f(X_i) - M(X_i) (W Z)_i / h, gs = g(X_i). */
int
dae_radau_stage_residuals(DaeRadau *r, double h)
{
  uint32_t s = r->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  double t[DAE_STAGE_LANES];
  for (uint32_t i = 0; i < lanes; i++) {
    t[i] = i < s ? r->t + r->tableau->c[i] * h : r->t;
  }
  const StageLoops *loops = stage_loops(r);
  loops->points(r);
  DaeOut out = {.f = r->fs, .g = r->gs, .m = r->masses_are_known ? NULL : r->ms};
  int code = dae_radau_evaluate(r, lanes, t, r->xs, &out);
  if (code != 0) {
    return code;
  }
  r->stats.rhs_evaluations -= lanes - s; /* the spare lanes */
  r->stats.mass_evaluations -= out.m != NULL ? lanes - s : 0;
  r->masses_are_known = r->ev->mass_is_constant;
  loops->residuals(r, h);
  return 0;
}

void
dae_radau_correct_stages(DaeRadau *r)
{
  stage_loops(r)->correct(r);
}

bool
dae_radau_has_gaps(const DaeRadau *r, double h, double part, double rounded)
{
  return stage_loops(r)->gaps(r, h, part, rounded);
}

double
dae_radau_stage_norm(const DaeRadau *r, const double *v)
{
  return sqrt(stage_loops(r)->squares(r, v) / fmax(1.0, (double)r->n * r->tableau->s));
}

/* Nodes of the last step that the predictor leaves out. A polynomial of degree 7, continued
 * over steps as long as loose tolerances make them, is far off: without its first node Newton's
 * method took fewer iterations at all tolerances, without the first three at loose ones (car
 * axis, Andrews, ring modulator); the lower orders did best with all nodes. */
static uint32_t
nodes_to_drop(const DaeRadau *r)
{
  double tolerance = fmax(r->options->rtol, r->options->atol);
  return r->last.tableau->s < 7 ? 0 : tolerance > 3e-3 ? 3 : 1;
}

/* Starting values of the stages: the last polynomial continued, or h c_i x' without one. */
void
dae_radau_predict(DaeRadau *r, double h)
{
  uint32_t s = r->tableau->s;
  uint32_t lanes = DAE_LANES_OF(s);
  if (r->last.tableau == NULL || r->cautious) {
    for (uint32_t j = 0; j < r->n; j++) {
      for (uint32_t i = 0; i < lanes; i++) {
        r->z[(size_t)j * lanes + i] = i < s ? h * r->tableau->c[i] * r->xdot[j] : 0.0;
      }
    }
    return;
  }
  dae_radau_close_dense(r, DAE_DENSE_READY);
  double columns[DAE_STAGES_MAX][DAE_STAGE_LANES] = {{0.0}};
  uint32_t old = r->last.tableau->s;
  for (uint32_t i = 0; i < s; i++) {
    double basis[DAE_STAGES_MAX];
    double t = r->t + r->tableau->c[i] * h;
    /* a step that is made again begins where the polynomial does, otherwise where it ends */
    uint32_t dropped = r->is_repeating ? 0 : nodes_to_drop(r);
    dae_collocation_tail_basis(r->last.tableau, dropped, (t - r->last.t) / r->last.h, basis);
    for (uint32_t k = 0; k < old; k++) {
      columns[k][i] = basis[k] - (k + 1 == old && !r->is_repeating ? 1.0 : 0.0);
    }
  }
  stage_loops(r)->predict(r, columns);
}
