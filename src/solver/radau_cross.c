/* A step over a singular point, from some way before it, with Newton's full iteration.
 *
 * Steps become shorter towards a point where the determinant of the equations changes its sign: a
 * simplified iteration has one Jacobian for all stages, and with a pivot of the other sign at some
 * of them it leads away from the solution there. The stages are solved here each with its own
 * Jacobian, from points that the run has left behind before its steps became short, with two
 * methods of different order; where these agree, the step is shown to radau_turn.c as one that
 * was undone. */
#include <math.h>
#include <string.h>

#include "numeric/numeric.h"
#include "solver/lanes.h"
#include "solver/radau.h"

/* Residuals of the stages, relative to their terms. */
#define ROUNDING 1e-12
/* Difference of the two methods at the end, in tolerances. */
#define AGREE 1.0
/* A step that was so much shorter than one before begins a level of its own. */
#define SHORTER 0.5
/* So many are always solved for. */
#define FEW_UNKNOWNS 200
/* The step goes on behind the point as far as it came from. */
#define BEYOND 2.0

typedef struct {
  DaeRadau *r;
  const DaeTableau *tableau;
  double t, h;
  const double *from;       /* x at the start */
  uint32_t *start, *column; /* pattern of all stages */
  uint32_t *mass_place;     /* by stage, entry of M and stage it acts on */
  uint32_t *own_place;      /* by stage, entry of K */
  double *x, *slope;        /* at a stage */
  double *m, *k, *f, *g, *gx;
} Stages;

/* The value and the slope at stage i of Z, which has the stages one after the other. */
static void
put_stage(const Stages *s, const double *z, uint32_t i)
{
  const uint32_t n = s->r->n;
  for (uint32_t j = 0; j < n; j++) {
    double sum = 0.0;
    for (uint32_t k = 0; k < s->tableau->s; k++) {
      sum += s->tableau->w[i][k] * z[(size_t)k * n + j];
    }
    s->x[j] = s->from[j] + z[(size_t)i * n + j];
    s->slope[j] = sum / s->h;
  }
}

static int
stage_residual(const void *self, void *scratch, const double *z, double *residual)
{
  const Stages *s = self;
  DaeRadau *r = s->r;
  const DaePattern *mass = &r->ev->mass;
  (void)scratch;
  for (uint32_t i = 0; i < s->tableau->s; i++) {
    double *row = residual + (size_t)i * (r->n_diff + r->n_con);
    const double t = s->t + s->tableau->c[i] * s->h;
    DaeOut out = {.f = s->f, .g = row + r->n_diff, .m = s->m};
    put_stage(s, z, i);
    const int code = dae_radau_evaluate(r, 1, &t, s->x, &out);
    if (code != 0) {
      return code;
    }
    for (uint32_t d = 0; d < r->n_diff; d++) {
      double sum = -s->f[d];
      for (uint32_t e = mass->row_start[d]; e < mass->row_start[d + 1]; e++) {
        sum += s->m[e] * s->slope[mass->column[e]];
      }
      row[d] = sum;
    }
  }
  return 0;
}

static int
stage_jacobian(const void *self, void *scratch, const double *z, double *values)
{
  const Stages *s = self;
  DaeRadau *r = s->r;
  const uint32_t stages = s->tableau->s;
  const uint32_t n_mass = r->ev->mass.row_start[r->n_diff];
  const uint32_t n_k = r->ev->dynamics.row_start[r->n_diff];
  const uint32_t n_g = r->ev->constraint.row_start[r->n_con];
  (void)scratch;
  memset(values, 0, sizeof(double) * s->start[(size_t)stages * (r->n_diff + r->n_con)]);
  for (uint32_t i = 0; i < stages; i++) {
    DaeJac jac = {.k = s->k, .gx = s->gx, .m = s->m};
    put_stage(s, z, i);
    r->stats.jacobian_evaluations++;
    const int code = r->ev->jac(r->ev->self, r->scratch, s->t + s->tableau->c[i] * s->h, s->x,
                                s->slope, &jac);
    if (code != 0) {
      return code;
    }
    for (uint32_t e = 0; e < n_mass; e++) {
      for (uint32_t k = 0; k < stages; k++) {
        values[s->mass_place[((size_t)i * n_mass + e) * stages + k]] +=
            s->m[e] * s->tableau->w[i][k] / s->h;
      }
    }
    for (uint32_t e = 0; e < n_k; e++) {
      values[s->own_place[(size_t)i * n_k + e]] -= s->k[e];
    }
    memcpy(values + s->start[(size_t)i * (r->n_diff + r->n_con) + r->n_diff], s->gx,
           sizeof(double) * n_g);
  }
  return 0;
}

/* Columns of a row of M in all stages and of K in its own, each once and in order. */
static uint32_t
join_row(Stages *s, uint32_t i, uint32_t d, uint32_t at)
{
  const DaeEvaluator *ev = s->r->ev;
  const uint32_t stages = s->tableau->s;
  const uint32_t n_mass = ev->mass.row_start[ev->n_diff];
  const uint32_t n_k = ev->dynamics.row_start[ev->n_diff];
  for (uint32_t k = 0; k < stages; k++) {
    uint32_t p = ev->mass.row_start[d];
    uint32_t q = ev->dynamics.row_start[d];
    const uint32_t q_end = k == i ? ev->dynamics.row_start[d + 1] : q;
    while (p < ev->mass.row_start[d + 1] || q < q_end) {
      const uint32_t in_m = p < ev->mass.row_start[d + 1] ? ev->mass.column[p] : UINT32_MAX;
      const uint32_t in_k = q < q_end ? ev->dynamics.column[q] : UINT32_MAX;
      s->column[at] = k * ev->n + MIN(in_m, in_k);
      if (in_m <= in_k) {
        s->mass_place[((size_t)i * n_mass + p++) * stages + k] = at;
      }
      if (in_k <= in_m) {
        s->own_place[(size_t)i * n_k + q++] = at;
      }
      at++;
    }
  }
  return at;
}

static void
join_patterns(Stages *s)
{
  const DaeEvaluator *ev = s->r->ev;
  uint32_t at = 0;
  for (uint32_t i = 0; i < s->tableau->s; i++) {
    const size_t first = (size_t)i * (ev->n_diff + ev->n_con);
    for (uint32_t d = 0; d < ev->n_diff; d++) {
      s->start[first + d] = at;
      at = join_row(s, i, d, at);
    }
    for (uint32_t c = 0; c < ev->n_con; c++) {
      s->start[first + ev->n_diff + c] = at;
      for (uint32_t e = ev->constraint.row_start[c]; e < ev->constraint.row_start[c + 1]; e++) {
        s->column[at++] = i * ev->n + ev->constraint.column[e];
      }
    }
  }
  s->start[(size_t)s->tableau->s * (ev->n_diff + ev->n_con)] = at;
}

/* z (n x stages, one after the other) of a step of size h from a point; false: none found. */
static bool
solve_stages(DaeRadau *r, const DaeTableau *tableau, const DaeWaypoint *from, double h,
             double *z)
{
  const DaeEvaluator *ev = r->ev;
  const size_t stages = tableau->s;
  const size_t rows = stages * (ev->n_diff + ev->n_con);
  const size_t n_mass = ev->mass.row_start[ev->n_diff];
  const size_t n_k = ev->dynamics.row_start[ev->n_diff];
  const size_t n_g = ev->constraint.row_start[ev->n_con];
  Stages s = {.r = r,
              .tableau = tableau,
              .t = from->t,
              .h = h,
              .from = from->x,
              .start = g_new0(uint32_t, rows + 1),
              .column = g_new0(uint32_t, stages * (stages * n_mass + n_k + n_g) + 1),
              .mass_place = g_new0(uint32_t, stages * n_mass * stages + 1),
              .own_place = g_new0(uint32_t, stages * n_k + 1),
              .x = g_new0(double, ev->n + 1),
              .slope = g_new0(double, ev->n + 1),
              .m = g_new0(double, n_mass + 1),
              .k = g_new0(double, n_k + 1),
              .f = g_new0(double, ev->n_diff + 1),
              .gx = g_new0(double, n_g + 1)};
  g_autofree double *weights = g_new0(double, stages * ev->n + 1);
  for (size_t i = 0; i < stages; i++) {
    for (uint32_t j = 0; j < ev->n; j++) {
      z[i * ev->n + j] = tableau->c[i] * h * from->slope[j];
      weights[i * ev->n + j] = r->nominal[j];
    }
  }
  join_patterns(&s);
  DaeRootProblem problem = {
      .n = (uint32_t)(stages * ev->n),
      .m = (uint32_t)rows,
      .pattern = {(uint32_t)rows, (uint32_t)(stages * ev->n), s.start, s.column},
      .self = &s,
      .residual = stage_residual,
      .jacobian = stage_jacobian};
  const bool is_found = dae_numeric_solve(&problem, weights, ROUNDING, z).converged;
  void *all[] = {s.start, s.column, s.mass_place, s.own_place, s.x,
                 s.slope, s.m,      s.k,          s.f,         s.gx};
  for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
    g_free(all[k]);
  }
  return is_found;
}

/* Does the sign of the determinant change on the straight way on from a point? Where it does not
 * the trouble is likely another one, and the stages of many unknowns are not solved. */
static bool
turns_ahead(DaeRadau *r, const DaeWaypoint *from, double end)
{
  for (uint32_t j = 0; j < r->n; j++) {
    r->work[j] = from->x[j] + (end - from->t) * from->slope[j];
  }
  dae_radau_save_branch(r);
  dae_radau_take_branch(r, from->t, from->x);
  const bool turns = !dae_radau_has_sign_of_branch(r, end, r->work);
  dae_radau_restore_branch(r);
  return turns;
}

/* The step from a point over the current one, if two methods agree on it. */
static bool
cross_from(DaeRadau *r, const DaeWaypoint *from)
{
  const double end = fmin(from->t + BEYOND * (r->t - from->t), r->limit);
  const double h = end - from->t;
  const uint32_t finer = r->stages_max >= 5 ? 1 : 0;
  const DaeTableau *tableau = &dae_solver_tableaus[finer];
  const DaeTableau *other = &dae_solver_tableaus[1 - finer];
  g_autofree double *z = g_new0(double, (size_t)r->n * tableau->s + 1);
  g_autofree double *check = g_new0(double, (size_t)r->n * other->s + 1);
  if (!(end > r->t) || (r->n > FEW_UNKNOWNS && !turns_ahead(r, from, end)) ||
      !solve_stages(r, tableau, from, h, z) || !solve_stages(r, other, from, h, check)) {
    return false;
  }
  for (uint32_t j = 0; j < r->n; j++) {
    const double difference =
        z[(size_t)(tableau->s - 1) * r->n + j] - check[(size_t)(other->s - 1) * r->n + j];
    if (!(fabs(difference) <= AGREE * r->weight[j])) {
      return false;
    }
  }
  dae_radau_set_turn(r, tableau, from, end, z);
  return true;
}

void
dae_radau_forget_way(DaeRadau *r)
{
  r->n_waypoints = 0;
}

void
dae_radau_make_way(DaeRadau *r)
{
  if (r->branch == NULL || r->n > DAE_TURN_UNKNOWNS || r->options->step > 0.0) {
    return;
  }
  r->way_store = g_new0(double, (size_t)2 * DAE_WAYPOINTS * r->n + 1);
  for (uint32_t k = 0; k < DAE_WAYPOINTS; k++) {
    r->way[k].x = r->way_store + (size_t)2 * k * r->n;
    r->way[k].slope = r->way[k].x + r->n;
  }
}

void
dae_radau_free_way(DaeRadau *r)
{
  g_free(r->way_store);
}

void
dae_radau_note_waypoint(DaeRadau *r, double h)
{
  if (r->way_store == NULL) {
    return;
  }
  while (r->n_waypoints > 0 && h > SHORTER * r->way[r->n_waypoints - 1].h) {
    r->n_waypoints--;
  }
  if (r->n_waypoints == DAE_WAYPOINTS) {
    return;
  }
  DaeWaypoint *point = &r->way[r->n_waypoints++];
  point->t = r->t;
  point->h = h;
  memcpy(point->x, r->x, sizeof(double) * r->n);
  memcpy(point->slope, r->xdot, sizeof(double) * r->n);
}

bool
dae_radau_cross_singular_point(DaeRadau *r)
{
  for (uint32_t k = r->n_waypoints; k-- > 0;) {
    if (r->way[k].t < r->t && cross_from(r, &r->way[k]) && dae_radau_pass_turn(r)) {
      return true;
    }
  }
  return false;
}
