/* States that jump at an event of exported C although constraints tie them: least squares with
 * dense normal equations on the problem of instant/restart.c. Becomes text like events.c. */
#include "model.h"

/* part: event_restart */
#if MODEL_WITH_JUMPS
/* ---- states that jump although constraints tie them ---- */

#define MODEL_N_JUMP (MODEL_JUMP_LEVELS * MODEL_N + MODEL_N_ALGEBRAIC)
#define MODEL_JUMP_STEPS 12u

typedef struct {
  double a[MODEL_N_JUMP][MODEL_N_JUMP], row[MODEL_N_JUMP], right[MODEL_N_JUMP];
  double diagonal[MODEL_N_JUMP], u[MODEL_N_JUMP], size[MODEL_N_JUMP];
  double m[MODEL_N_M + 1u], k[MODEL_N_K + 1u], gx0[MODEL_N_GX + 1u];
  double value[MODEL_N + 1u]; /* of unknowns that are known after the jump */
  double worst;
  unsigned n, levels; /* as many unknowns; levels of impulses, the last of algebraic unknowns */
  unsigned char is_set[MODEL_N + 1u], is_movable[MODEL_N + 1u], is_behind[MODEL_N + 1u];
  unsigned char is_replaced[MODEL_N_DIFF + 1u]; /* by the reset of an algebraic unknown */
} model_jump;

static void
model_jump_clear(model_jump *q)
{
  unsigned i;
  unsigned j;
  q->worst = 0.0;
  for (i = 0u; i < q->n; i++) {
    q->right[i] = 0.0;
    q->row[i] = 0.0;
    for (j = 0u; j < q->n; j++) {
      q->a[i][j] = 0.0;
    }
  }
}

/* A row of the problem and its residual into the normal equations. */
static void
model_jump_add(model_jump *q, double residual)
{
  double scale = 0.0;
  unsigned i;
  unsigned j;
  for (i = 0u; i < q->n; i++) {
    scale += fabs(q->row[i]) * (fabs(q->u[i]) + q->size[i]);
  }
  if (fabs(residual) > q->worst * scale) {
    q->worst = scale > 0.0 ? fabs(residual) / scale : HUGE_VAL;
  }
  for (i = 0u; i < q->n; i++) {
    if (q->row[i] < 0.0 || q->row[i] > 0.0) {
      q->right[i] += q->row[i] * residual;
      for (j = 0u; j <= i; j++) {
        q->a[i][j] += q->row[i] * q->row[j];
      }
    }
  }
  for (i = 0u; i < q->n; i++) {
    q->row[i] = 0.0;
  }
}

/* The right side becomes the solution: 0 in directions that nothing determines. */
static void
model_jump_eliminate(model_jump *q)
{
  unsigned i;
  unsigned j;
  unsigned k;
  for (i = 0u; i < q->n; i++) {
    q->diagonal[i] = q->a[i][i];
    for (j = 0u; j < i; j++) {
      for (k = 0u; k < j; k++) {
        q->a[i][j] -= q->a[i][k] * q->a[k][k] * q->a[j][k];
      }
      q->a[i][j] = q->a[j][j] > 0.0 ? q->a[i][j] / q->a[j][j] : 0.0;
    }
    for (k = 0u; k < i; k++) {
      q->a[i][i] -= q->a[i][k] * q->a[i][k] * q->a[k][k];
      q->right[i] -= q->a[i][k] * q->right[k];
    }
    if (!(q->a[i][i] > 1e-13 * q->diagonal[i])) {
      q->a[i][i] = 0.0;
    }
  }
  for (i = q->n; i > 0u; i--) {
    double sum = q->a[i - 1u][i - 1u] > 0.0 ? q->right[i - 1u] / q->a[i - 1u][i - 1u] : 0.0;
    for (k = i; k < q->n; k++) {
      sum -= q->a[i - 1u][i - 1u] > 0.0 ? q->a[k][i - 1u] * q->right[k] : 0.0;
    }
    q->right[i - 1u] = sum;
  }
}

/* u -= the solution; the size of the step. */
static double
model_jump_step(model_jump *q)
{
  double largest = 0.0;
  unsigned i;
  model_jump_eliminate(q);
  for (i = 0u; i < q->n; i++) {
    const double part = fabs(q->right[i]) / (fabs(q->u[i]) + q->size[i]);
    largest = part > largest ? part : largest;
    q->u[i] -= q->right[i];
  }
  return largest;
}

#endif /* JUMPS */
/* part: event_alias */
#if MODEL_WITH_JUMPS
/* States that an algebraic unknown follows, by the constraints that hold the algebraic ones: of its
 * row of their inverse, one solution. Their number; *last: one of them. */
static unsigned
model_find_states_behind(model_jump *q, unsigned column, unsigned *last)
{
  unsigned n = 0u;
  unsigned i;
  unsigned e;
  model_jump_clear(q);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      const unsigned place = model_algebraic_place[model_gx_column[e]];
      q->row[place > 0u ? MODEL_N + place - 1u : 0u] += place > 0u ? q->gx0[e] : 0.0;
    }
    model_jump_add(q, 0.0);
  }
  q->right[MODEL_N + model_algebraic_place[column] - 1u] = 1.0;
  model_jump_eliminate(q);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    double part = 0.0;
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      const unsigned place = model_algebraic_place[model_gx_column[e]];
      part += place > 0u ? q->gx0[e] * q->right[MODEL_N + place - 1u] : 0.0;
    }
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      q->row[model_gx_column[e]] -= part * q->gx0[e];
    }
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    q->is_behind[i] = model_algebraic_place[i] == 0u && fabs(q->row[i]) > 1e-9 ? 1u : 0u;
    *last = q->is_behind[i] != 0u ? i : *last;
    n += q->is_behind[i];
    q->row[i] = 0.0;
  }
  return n;
}

/* The row in which the derivative of a state has the largest part no longer says what it is. */
static void
model_replace_row(model_jump *q, unsigned column)
{
  unsigned best = MODEL_N_DIFF;
  double largest = 0.0;
  unsigned i;
  unsigned e;
  for (i = 0u; i + 1u <= MODEL_N_DIFF; i++) {
    double sum = 0.0;
    double own = 0.0;
    for (e = model_m_start[i]; e < model_m_start[i + 1u]; e++) {
      sum += fabs(q->m[e]);
      own += model_m_column[e] == column ? fabs(q->m[e]) : 0.0;
    }
    if (q->is_replaced[i] == 0u && own > largest * sum) {
      largest = own / sum;
      best = i;
    }
  }
  q->is_replaced[best] = 1u;
}

#endif /* JUMPS */
/* part: event_jump_rows */
#if MODEL_WITH_JUMPS
/* Unknowns that are known after the jump: the resets, and where these are the only reason the
 * states that no constraint ties. The reset of an algebraic unknown is that of the one state that
 * it follows; where it follows several, nothing gives way, and there is no solution. */
static void
model_jump_set(model_jump *q, const model_instance *s, const double *x, int is_untouched)
{
  unsigned i;
  unsigned j;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    q->is_set[i] = s->n_resets > 0u && is_untouched != 0 ? model_untied[i] : 0u;
    q->value[i] = x[i];
  }
  for (i = 0u; i + 1u <= MODEL_N_DIFF; i++) {
    q->is_replaced[i] = 0u;
  }
  for (i = 0u; i < s->n_resets; i++) {
    const unsigned column = s->reset_column[i];
    unsigned state = 0u;
    if (model_algebraic_place[column] > 0u) {
      if (model_find_states_behind(q, column, &state) == 1u) {
        model_replace_row(q, state);
      }
      for (j = 0u; j + 1u <= MODEL_N; j++) {
        q->is_set[j] = q->is_behind[j] != 0u ? 0u : q->is_set[j];
      }
    }
  }
  for (i = 0u; i < s->n_resets; i++) {
    if (model_algebraic_place[s->reset_column[i]] == 0u) {
      q->is_set[s->reset_column[i]] = 1u;
      q->value[s->reset_column[i]] = s->reset_value[i];
    }
  }
}

/* The point after the jump; the place of an unknown that is known there is that of z. */
static void
model_jump_values(model_jump *q)
{
  unsigned i;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    q->value[i] = q->is_set[i] != 0u ? q->value[i] : q->u[i];
  }
}

/* Where the unknown of a column stands (instant/restart.c); q->n: nowhere. */
static unsigned
model_jump_place(const model_jump *q, unsigned level, unsigned column)
{
  const unsigned place = model_algebraic_place[column];
  return level < q->levels ? level * MODEL_N + column
         : place > 0u      ? level * MODEL_N + place - 1u
                           : q->n;
}

/* M (z - before) = K L1, M L1 = K L2, ... */
static void
model_jump_balances(model_jump *q, unsigned level, const double *before)
{
  unsigned i;
  unsigned e;
  for (i = 0u; i + 1u <= MODEL_N_DIFF; i++) {
    double residual = 0.0;
    if (q->is_replaced[i] != 0u) {
      continue;
    }
    for (e = model_m_start[i]; e < model_m_start[i + 1u]; e++) {
      const unsigned j = model_jump_place(q, level, model_m_column[e]);
      q->row[j] += q->m[e];
      residual += q->m[e] * (q->u[j] - (level == 0u ? before[j] : 0.0));
    }
    for (e = model_k_start[i]; e < model_k_start[i + 1u]; e++) {
      const unsigned j = model_jump_place(q, level + 1u, model_k_column[e]);
      if (j < q->n) {
        q->row[j] -= q->k[e];
        residual -= q->k[e] * q->u[j];
      }
    }
    model_jump_add(q, residual);
  }
}

/* 0 = g_x L */
static void
model_jump_impulses(model_jump *q, unsigned level)
{
  unsigned i;
  unsigned e;
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    double residual = 0.0;
    for (e = model_gx_start[i]; model_hidden[i] == 0u && e < model_gx_start[i + 1u]; e++) {
      const unsigned j = model_jump_place(q, level, model_gx_column[e]);
      if (j < q->n) {
        q->row[j] += q->gx0[e];
        residual += q->gx0[e] * q->u[j];
      }
    }
    model_jump_add(q, residual);
  }
}

static void
model_jump_rows(model_jump *q, model_instance *s, double t, const double *before)
{
  unsigned i;
  unsigned e;
  for (i = 0u; i < q->levels; i++) {
    model_jump_balances(q, i, before);
    model_jump_impulses(q, i + 1u);
  }
  model_jump_values(q);
  (void)model_derivatives(s, 0, t, q->value);
  model_g(t, q->value, s->g);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      q->row[model_gx_column[e]] += q->is_set[model_gx_column[e]] == 0u ? s->gx[e] : 0.0;
    }
    model_jump_add(q, s->g[i]);
  }
  for (i = 0u; i < s->n_resets; i++) {
    const unsigned j = s->reset_column[i];
    if (model_algebraic_place[j] > 0u) {
      q->row[j] = 1.0;
      model_jump_add(q, q->u[j] - s->reset_value[i]);
    }
  }
}

#endif /* JUMPS */
/* part: event_take_back */
#if MODEL_WITH_JUMPS
/* Unknowns that an impulse can change: with an algebraic one in a row of their derivatives. */
static void
model_find_movable(model_jump *q)
{
  unsigned i;
  unsigned e;
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    q->is_movable[i] = model_algebraic_place[i] > 0u ? 1u : 0u;
  }
  for (i = 0u; i + 1u <= MODEL_N_DIFF; i++) {
    int has_force = 0;
    for (e = model_k_start[i]; e < model_k_start[i + 1u]; e++) {
      has_force |= model_algebraic_place[model_k_column[e]] > 0u;
    }
    for (e = model_m_start[i]; has_force != 0 && e < model_m_start[i + 1u]; e++) {
      q->is_movable[model_m_column[e]] = 1u;
    }
  }
}

/* The constraints of the others, and that unknowns stay where they are: weakly, those that are
 * no impulse's business; the point of the last round is where they are. */
static void
model_take_back_rows(model_jump *q, model_instance *s, double t)
{
  unsigned i;
  unsigned e;
  (void)model_derivatives(s, 0, t, q->u);
  model_g(t, q->u, s->g);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    int is_fixed = 1;
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      is_fixed &= q->is_movable[model_gx_column[e]] == 0u;
    }
    for (e = model_gx_start[i]; is_fixed != 0 && e < model_gx_start[i + 1u]; e++) {
      q->row[model_gx_column[e]] += s->gx[e];
    }
    if (is_fixed != 0) {
      model_jump_add(q, s->g[i]);
    }
  }
  for (i = 0u; i < q->n; i++) {
    q->row[i] = (i < MODEL_N && q->is_movable[i] == 0u ? 1e-4 : 1.0) / q->size[i];
    model_jump_add(q, 0.0);
  }
}

/* Positions that the step has carried beyond the event, back onto the constraints: not farther
 * than the step was long (instant/overshoot.c). */
static int
model_take_back(model_jump *q, model_instance *s, double t, double *x)
{
  double change = 1.0;
  double way = 0.0;
  double step = 0.0;
  unsigned round;
  unsigned i;
  model_find_movable(q);
  q->n = MODEL_N + MODEL_N_ALGEBRAIC;
  for (i = 0u; i < q->n; i++) {
    q->u[i] = i < MODEL_N ? x[i] : 0.0;
  }
  for (round = 0u; round < MODEL_JUMP_STEPS && change > 1e-13; round++) {
    model_jump_clear(q);
    model_take_back_rows(q, s, t);
    change = model_jump_step(q);
    if (!(change < 1e30)) {
      return MODEL_NO_RESTART;
    }
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    if (q->is_movable[i] == 0u) {
      way += (q->u[i] - x[i]) * (q->u[i] - x[i]) / (q->size[i] * q->size[i]);
      step += (s->begin[i] - x[i]) * (s->begin[i] - x[i]) / (q->size[i] * q->size[i]);
    }
  }
  if (!(q->worst < 1e-8) || way > step) {
    return MODEL_NO_RESTART;
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = q->u[i];
  }
  return 0;
}

#endif /* JUMPS */
/* part: event_jump */
#if MODEL_WITH_JUMPS
/* Do the constraints hold, up to this share of their parts? */
static int
model_constraints_hold(model_instance *s, double t, const double *x, double size)
{
  unsigned i;
  unsigned e;
  (void)model_derivatives(s, 0, t, x);
  model_g(t, x, s->g);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    double scale = 0.0;
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      const unsigned j = model_gx_column[e];
      scale += fabs(s->gx[e]) * (fabs(x[j]) + model_nominal[j]);
    }
    if (!(fabs(s->g[i]) < size * scale) && fabs(s->g[i]) > 0.0) {
      return 0;
    }
  }
  return 1;
}

/* Is an entry other than before where an impulse is multiplied by it? */
static int
model_entry_differs(const model_jump *q, unsigned column, double before, double after)
{
  unsigned level;
  if (fabs(after - before) <= 1e-9 * (fabs(before) + fabs(after))) {
    return 0;
  }
  for (level = 1u; level <= q->levels; level++) {
    const unsigned j = model_jump_place(q, level, column);
    if (j < q->n && fabs(q->u[j]) > 1e-9) {
      return 1;
    }
  }
  return 0;
}

/* Impulses of what is differentiated are multiplied by what does not jump, or there is no solution
 * (instant/restart.c). x: after the jump. */
static int
model_multiplies_jumps(model_jump *q, model_instance *s, double t, const double *x)
{
  static double m[MODEL_N_M + 1u], k[MODEL_N_K + 1u];
  unsigned e;
  model_m(t, x, m);
  model_k(t, x, s->rate, k);
  for (e = 0u; e + 1u <= MODEL_N_M; e++) {
    if (model_entry_differs(q, model_m_column[e], q->m[e], m[e]) != 0) {
      return 1;
    }
  }
  for (e = 0u; e + 1u <= MODEL_N_K; e++) {
    if (model_entry_differs(q, model_k_column[e], q->k[e], k[e]) != 0) {
      return 1;
    }
  }
  return 0;
}

/* M (z - before) = B L, 0 = g_y L, 0 = g(x), and the resets (instant/restart.c). */
static int
model_solve_jump(model_jump *q, model_instance *s, double t, unsigned levels, double *x)
{
  double change = 1.0;
  unsigned round;
  unsigned i;
  q->levels = levels;
  q->n = levels * MODEL_N + MODEL_N_ALGEBRAIC;
  model_m(t, x, q->m);
  model_k(t, x, s->rate, q->k);
  model_gx(t, x, q->gx0);
  for (i = 0u; i < q->n; i++) {
    q->u[i] = i < MODEL_N ? x[i] : 0.0;
    q->size[i] = i < MODEL_N ? model_nominal[i] : 1.0;
  }
  model_jump_set(q, s, x, model_constraints_hold(s, t, x, 1e-6));
  for (round = 0u; round < MODEL_JUMP_STEPS && change > 1e-13; round++) {
    model_jump_clear(q);
    model_jump_rows(q, s, t, x);
    change = model_jump_step(q);
    if (!(change < 1e30)) {
      return MODEL_NO_RESTART;
    }
  }
  if (!(q->worst < 1e-8)) {
    return MODEL_NO_RESTART;
  }
  model_jump_values(q);
  if (levels > 1u && model_multiplies_jumps(q, s, t, q->value) != 0) {
    return MODEL_NO_RESTART;
  }
  for (i = 0u; i + 1u <= MODEL_N; i++) {
    x[i] = q->value[i];
  }
  return 0;
}

/* Do only constraints fail that hold nothing but unknowns that such ones give? */
static int
model_only_given_jump(model_instance *s, double t, const double *x)
{
  unsigned i;
  unsigned e;
  (void)model_derivatives(s, 0, t, x);
  model_g(t, x, s->g);
  for (i = 0u; i + 1u <= MODEL_N_CON; i++) {
    double scale = 0.0;
    for (e = model_gx_start[i]; e < model_gx_start[i + 1u]; e++) {
      const unsigned j = model_gx_column[e];
      scale += fabs(s->gx[e]) * (fabs(x[j]) + model_nominal[j]);
    }
    if (model_is_given[i] == 0u && !(fabs(s->g[i]) < 1e-8 * scale) && fabs(s->g[i]) > 0.0) {
      return 0;
    }
  }
  return 1;
}

static int
model_find_jump(model_instance *s, double t, double *x)
{
  static model_jump q;
  int status = model_solve_jump(&q, s, t, 1u, x);
  unsigned levels;
  if (status != 0 && model_take_back(&q, s, t, x) == 0) {
    status = model_solve_jump(&q, s, t, 1u, x);
  }
  if (status != 0 && s->n_resets == 0u && model_only_given_jump(s, t, x) != 0) {
    for (levels = 2u; levels <= MODEL_JUMP_LEVELS && status != 0; levels++) {
      status = model_solve_jump(&q, s, t, levels, x);
    }
  }
  return status;
}

#endif /* JUMPS */
