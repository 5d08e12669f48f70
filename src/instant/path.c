/* Positions of switches by path following [language-and-events, 3.7; Katzenelson 1965].
 *
 * With positions p and algebraic unknowns y that belong to them (every guard is on its side)
 * but leave a residual r in the equations, the residual is taken away along s: R(y) = (1 - s)
 * r. Within one set of positions that is a straight line for linear equations. Where a guard
 * reaches 0 that one relation is flipped, and the path goes on in the next polyhedron: in the
 * direction in which this guard goes on to its new side. Where that means a smaller s the path
 * turns, as at a fold; so it also finds the other branch of a circuit that has several
 * solutions, which plain iteration does not. At s = 1 everything agrees. */
#include <math.h>
#include <string.h>

#include "instant/instant-priv.h"

typedef struct {
  DaeInstant *instant;
  double t;
  double *x;      /* present point */
  double *target; /* solution for the present positions */
  /* by buffer: distance of its guard from the end of its range, and
   * change on the way to the target */
  double *here, *rate;
  uint32_t flipped; /* the last relation that was flipped; UINT32_MAX: none */
  int direction;    /* of s */
} Path;

static void
refresh(Path *path, const double *x)
{
  DaeInstant *instant = path->instant;
  if (instant->needs_slopes) {
    instant->parts.slopes(instant->parts.user, path->t, x, instant->segment, instant->xdot);
  }
  dae_point_functions_eval(instant, &instant->guards, path->t, x);
}

static bool
is_state_relation(const DaeInstant *instant, uint32_t b)
{
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
  return buffer->guard == DAE_GUARD_STATE &&
         (buffer->kind == DAE_BUFFER_POSITIVE || buffer->kind == DAE_BUFFER_NONNEGATIVE);
}

static double
distance(const DaeInstant *instant, uint32_t b)
{
  int side = 0;
  return dae_buffer_distance(dae_buffers_get(instant->buffers, b)->kind,
                             instant->segment[instant->at_buffer + b], instant->guards.out[b],
                             &side);
}

/* Discrete values for the present buffers: as often as they depend on each other in loops. */
static bool
update_values(Path *path)
{
  DaeInstant *instant = path->instant;
  for (uint32_t round = 0; round < 2 + instant->n_discrete; round++) {
    bool changed = false;
    dae_point_functions_eval(instant, &instant->discrete, path->t, path->x);
    for (uint32_t k = 0; k < instant->n_discrete; k++) {
      if (isfinite(instant->discrete.out[k]) &&
          instant->segment[k] != instant->discrete.out[k]) {
        instant->segment[k] = instant->discrete.out[k];
        changed = true;
      }
    }
    if (!changed) {
      return true;
    }
  }
  return false;
}

/* Relations of time, and with `all` those that are clearly on the other side at the point where the
 * path begins. */
static void
begin_positions(Path *path, bool all)
{
  DaeInstant *instant = path->instant;
  refresh(path, path->x);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
    double g = instant->guards.out[b];
    double *value = &instant->segment[instant->at_buffer + b];
    double slack =
        fmax(1e-7, 10 * instant->resolution) *
        (instant->guards.out[instant->n_buffers + b] + 1e-3 * dae_guard_nominal(instant, b));
    if (!isfinite(g) || buffer->guard == DAE_GUARD_WATCH) {
      continue;
    }
    if (buffer->guard != DAE_GUARD_STATE) {
      *value = dae_clock_buffer_value(instant, b, path->t, g);
    } else if (all && distance(instant, b) < -slack) {
      *value = dae_buffer_value(buffer->kind, g);
    }
  }
}

/* The solution for the present positions, and how the guards move towards it. */
static bool
look_ahead(Path *path)
{
  DaeInstant *instant = path->instant;
  memcpy(path->target, path->x, instant->n * sizeof(double));
  refresh(path, path->x);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    path->here[b] = distance(instant, b);
  }
  if (!dae_solve_algebraic(instant, path->t, path->target)) {
    return false;
  }
  refresh(path, path->target);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    path->rate[b] = distance(instant, b) - path->here[b];
  }
  return true;
}

/* The first relation whose guard reaches 0 on the way; UINT32_MAX: none.
 * *at: where, 1 is the target. */
static uint32_t
first_boundary(const Path *path, double *at)
{
  uint32_t first = UINT32_MAX;
  *at = INFINITY;
  for (uint32_t b = 0; b < path->instant->n_buffers; b++) {
    double rate = path->direction * path->rate[b];
    bool is_beyond = path->here[b] < 0 && path->here[b] + rate < 0; /* where the path begins */
    if (!is_state_relation(path->instant, b) || b == path->flipped ||
        (!(rate < 0) && !is_beyond)) {
      continue;
    }
    double reached = is_beyond ? 0 : fmax(path->here[b], 0) / -rate;
    if (reached < *at) {
      *at = reached;
      first = b;
    }
  }
  return first;
}

/* A flipped guard that is not on its new side at the target. */
static bool
target_is_behind(const Path *path)
{
  return path->here[path->flipped] + path->rate[path->flipped] < 0;
}

static GBytes *
key_of(const Path *path)
{
  const DaeInstant *instant = path->instant;
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  guint8 direction = path->direction > 0 ? 1 : 0;
  g_byte_array_append(bytes, &direction, 1);
  g_byte_array_append(bytes, (const guint8 *)instant->segment,
                      instant->n_discrete * (guint)sizeof(double));
  g_byte_array_append(bytes, (const guint8 *)(instant->segment + instant->at_buffer),
                      instant->n_buffers * (guint)sizeof(double));
  return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}

/* One polyhedron. *done: the target is inside. False: the path ends or comes back. */
static bool
cross(Path *path, GHashTable *visited, bool *done)
{
  DaeInstant *instant = path->instant;
  double at = 0;
  if (!update_values(path) || !look_ahead(path)) {
    return false;
  }
  path->direction = path->flipped != UINT32_MAX && target_is_behind(path) ? -1 : 1;
  if (!g_hash_table_add(visited, key_of(path))) {
    return false;
  }
  uint32_t b = first_boundary(path, &at);
  *done = path->direction > 0 && at >= 1;
  if (*done) {
    memcpy(path->x, path->target, instant->n * sizeof(double));
    return true;
  }
  if (b == UINT32_MAX) {
    return false;
  }
  for (uint32_t j = 0; j < instant->n; j++) {
    path->x[j] += path->direction * at * (path->target[j] - path->x[j]);
  }
  double *value = &instant->segment[instant->at_buffer + b];
  *value = 1 - *value;
  path->flipped = b;
  return true;
}

/* The relation that is farthest on its other side where the unknowns belong to the present
 * positions; UINT32_MAX: none. */
static uint32_t
end_of_branch(Path *path)
{
  uint32_t worst = UINT32_MAX;
  double least = 0;
  if (!look_ahead(path)) {
    return UINT32_MAX;
  }
  for (uint32_t b = 0; b < path->instant->n_buffers; b++) {
    double there = path->here[b] + path->rate[b];
    if (is_state_relation(path->instant, b) && there < least) {
      least = there;
      worst = b;
    }
  }
  return worst;
}

typedef enum {
  FROM_THE_POINT,     /* its relations say where the path begins */
  FROM_POSITIONS,     /* the present ones */
  FROM_BEFORE_TIME,   /* likewise, but those of time */
  FROM_END_OF_BRANCH, /* likewise, away from the relation that ends their branch of solutions */
} Begin;

static bool
follow(DaeInstant *instant, double t, double *x, Begin begin)
{
  g_autoptr(GHashTable) visited =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  g_autofree double *target = g_new0(double, instant->n + 1);
  g_autofree double *here = g_new0(double, instant->n_buffers + 1);
  g_autofree double *rate = g_new0(double, instant->n_buffers + 1);
  Path path = {instant, t, x, target, here, rate, UINT32_MAX, 1};
  uint32_t most = 20 * (instant->n_buffers + 10);
  bool done = false;
  if (begin == FROM_THE_POINT) {
    begin_positions(&path, true);
  } else if (begin == FROM_BEFORE_TIME) {
    begin_positions(&path, false);
  } else if (begin == FROM_END_OF_BRANCH) {
    path.flipped = end_of_branch(&path);
    most = path.flipped != UINT32_MAX ? most : 0;
  }
  for (uint32_t piece = 0; piece < most && !done; piece++) {
    if (!cross(&path, visited, &done)) {
      return false;
    }
  }
  return done;
}

bool
dae_path_follow(DaeInstant *instant, double t, double *x)
{
  return follow(instant, t, x, FROM_THE_POINT);
}

bool
dae_path_follow_positions(DaeInstant *instant, double t, double *x)
{
  return follow(instant, t, x, FROM_BEFORE_TIME);
}

/* States go on along their slopes for a short time: where does the path lead then? The
 * positions found are taken at t. */
static bool
jump_from(DaeInstant *instant, double t, double *x, double step, Begin begin)
{
  g_autofree double *ahead = g_memdup2(x, (instant->n + 1) * sizeof(double));
  instant->parts.slopes(instant->parts.user, t, x, instant->segment, instant->xdot);
  for (uint32_t j = 0; j < instant->n; j++) {
    ahead[j] += instant->place_of_column[j] == 0 ? step * instant->xdot[j] : 0;
  }
  if (!follow(instant, t + step, ahead, begin)) {
    return false;
  }
  for (uint32_t k = 0; k < instant->n_algebraic; k++) {
    x[instant->algebraic[k]] = ahead[instant->algebraic[k]];
  }
  return dae_solve_algebraic(instant, t, x);
}

bool
dae_path_jump(DaeInstant *instant, double t, double *x, double step)
{
  g_autofree double *begin = g_memdup2(x, (instant->n + 1) * sizeof(double));
  g_autofree double *segment =
      g_memdup2(instant->segment, (instant->n_segment + 1) * sizeof(double));
  for (int way = 0; way < 3; way++) {
    if (way == 1) { /* the unknowns of the side that the event came from */
      memcpy(instant->segment + instant->at_buffer, instant->before + instant->at_buffer,
             instant->n_buffers * sizeof(double));
    }
    if (jump_from(instant, t, x, step, way < 2 ? FROM_POSITIONS : FROM_END_OF_BRANCH)) {
      return true;
    }
    memcpy(x, begin, instant->n * sizeof(double));
    memcpy(instant->segment, segment, instant->n_segment * sizeof(double));
  }
  return false;
}
