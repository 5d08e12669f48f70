/* A whole regular step as one straight-line function: the model functions, the assembly of the
 * matrices, their elimination and the corrections are written as nodes of one program, where
 * constants fold and equal subexpressions meet. For small models this is what one would write
 * by hand. The operations are those of the loops, in the same order. */
#include "export/cgen-priv.h"

#define LARGEST_STEP 12000u /* operations by tables; beyond, loops are used */

/* Below, a pivot of the coupled projection may be lost in rounding (multistep_step.c); above,
 * it is checked like the others. */
#define SMALL_STEP 1e-5

typedef struct {
  const DaeCgen *gen;
  DaeProgram *program;
  uint32_t t;
  uint32_t *past[3], *slope[3]; /* nodes of the history, n each */
  uint32_t *x;                  /* the point under construction */
  uint32_t *q, *xdot;
  /* nodes of the model functions where they were last evaluated */
  uint32_t *part[DAE_PART_COUNT];
  uint32_t *map; /* node of the model's program -> node here */
  uint32_t *a, *c, *l, *d, *y, *r, *delta;
  uint32_t *parameter; /* nodes of the parameters */
  DaeCgenConstants *constants;
  GArray *margins; /* nodes that must be positive */
  bool is_explicit;
} Unroll;

static uint32_t
constant(Unroll *u, double value)
{
  return dae_program_constant(u->program, value);
}

static uint32_t
emit(Unroll *u, DaeOp op, uint32_t a, uint32_t b)
{
  return dae_program_emit(u->program, op, a, b, 0);
}

static uint32_t
scaled(Unroll *u, double factor, uint32_t a)
{
  return emit(u, DAE_OP_MUL, constant(u, factor), a);
}

/* ---- model functions at a point ---------------------------------------------------------- */

static uint32_t
map_call(Unroll *u, const DaeNode *take)
{
  const DaeProgramCall *call = dae_program_call(u->gen->program, take->d);
  g_autofree uint32_t *inputs = g_new(uint32_t, call->n_inputs);
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    inputs[i] = u->map[call->inputs[i]];
  }
  return dae_program_emit_call(u->program, call->code, call->body, call->routine, inputs,
                               take->c);
}

static void
map_node(Unroll *u, const DaeNode *nodes, uint32_t i)
{
  const DaeNode *node = &nodes[i];
  const uint32_t n = u->gen->parts->n;
  double value;
  if (dae_program_is_constant(u->gen->program, i, &value)) {
    u->map[i] = constant(u, value);
  } else if (node->op == DAE_OP_INPUT) {
    u->map[i] = node->a == 0       ? u->t
                : node->a <= n     ? u->x[node->a - 1]
                : node->a <= 2 * n ? u->xdot[node->a - 1 - n]
                                   : u->parameter[node->a - 1 - 2 * n];
  } else if (dae_op_is_of_call((DaeOp)node->op)) {
    u->map[i] = node->op == DAE_OP_TAKE ? map_call(u, node) : 0;
  } else if (node->op == DAE_OP_INTERVAL || node->op == DAE_OP_LOOKUP) {
    uint32_t length;
    const double *values = dae_program_data(u->gen->program, node->d, &length);
    u->map[i] =
        dae_program_emit_data(u->program, (DaeOp)node->op, u->map[node->a], values, length);
  } else {
    const uint32_t arity = dae_op_arity((DaeOp)node->op);
    u->map[i] =
        dae_program_emit(u->program, (DaeOp)node->op, u->map[node->a],
                         arity > 1 ? u->map[node->b] : 0, arity > 2 ? u->map[node->c] : 0);
  }
}

/* Evaluates parts (a set of bits) of the model at t, x, xdot. What is not needed stays
 * unused and is dropped later. */
static void
evaluate(Unroll *u, uint32_t parts)
{
  uint32_t n;
  const DaeNode *nodes = dae_program_nodes(u->gen->program, &n);
  g_autofree bool *is_needed = g_new0(bool, (size_t)n + 1);
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    for (uint32_t o = 0; (parts >> p & 1u) != 0 && o < u->gen->st.terms[p]->len; o++) {
      is_needed[u->gen->nodes[p][o]] = true;
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    const uint32_t arity = is_needed[i] ? dae_op_arity((DaeOp)nodes[i].op) : 0;
    if (arity > 0) {
      is_needed[nodes[i].a] = true;
    }
    if (arity > 1) {
      is_needed[nodes[i].b] = true;
    }
    if (arity > 2) {
      is_needed[nodes[i].c] = true;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (is_needed[i]) {
      map_node(u, nodes, i);
    }
  }
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    for (uint32_t o = 0; (parts >> p & 1u) != 0 && o < u->gen->st.terms[p]->len; o++) {
      u->part[p][o] = u->map[u->gen->nodes[p][o]];
    }
  }
}

/* ---- linear algebra ---------------------------------------------------------------------- */

static void
gather(Unroll *u, const DaeCgenMatrix *a, double alpha, double h)
{
  const uint32_t split = a->row_start[a->n_dynamic];
  for (uint32_t e = 0; e < a->row_start[a->n_rows]; e++) {
    if (e >= split) {
      u->a[e] = u->part[DAE_PART_GX][a->from_g[e]];
      continue;
    }
    u->a[e] = constant(u, 0.0);
    if (a->from_m[e] != UINT32_MAX) {
      u->a[e] = scaled(u, alpha, u->part[DAE_PART_M][a->from_m[e]]);
    }
    if (a->from_k[e] != UINT32_MAX) {
      u->a[e] = emit(u, DAE_OP_SUB, u->a[e], scaled(u, h, u->part[DAE_PART_K][a->from_k[e]]));
    }
  }
  for (uint32_t i = 0; a->scale != NULL && i < a->n_rows; i++) {
    for (uint32_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
      u->a[e] = scaled(u, a->scale[i], u->a[e]);
    }
  }
}

static uint32_t
inverse_pivot(Unroll *u, uint32_t sum, uint32_t square, bool may_vanish)
{
  const uint32_t margin = emit(u, DAE_OP_SUB, sum, scaled(u, 1e-14, square));
  const uint32_t inverse = emit(u, DAE_OP_DIV, constant(u, 1.0), sum);
  if (may_vanish) {
    const uint32_t is_good = emit(u, DAE_OP_LT, constant(u, 0.0), margin);
    return dae_program_emit(u->program, DAE_OP_SELECT, is_good, inverse, constant(u, 0.0));
  }
  g_array_append_val(u->margins, margin);
  return inverse;
}

static void
factorize(Unroll *u, const DaeCgenMatrix *a, bool may_vanish)
{
  if (a->is_diagonal) {
    for (uint32_t i = 0; i < a->n_rows; i++) {
      u->d[i] = emit(u, DAE_OP_DIV, constant(u, 1.0), u->a[i]);
    }
    return;
  }
  for (uint32_t i = 0; i < a->n_columns; i++) {
    const uint32_t diagonal = a->entry_start[i + 1] - 1;
    for (uint32_t e = a->entry_start[i]; e <= diagonal; e++) {
      uint32_t sum = constant(u, 0.0);
      for (uint32_t k = a->pair_start[e]; k < a->pair_start[e + 1]; k++) {
        sum = emit(u, DAE_OP_ADD, sum,
                   emit(u, DAE_OP_MUL, u->a[a->pair_p[k]], u->a[a->pair_q[k]]));
      }
      const uint32_t square = sum;
      for (uint32_t k = a->triple_start[e]; k < a->triple_start[e + 1]; k++) {
        sum = emit(u, DAE_OP_SUB, sum,
                   emit(u, DAE_OP_MUL, u->c[a->triple_c[k]], u->l[a->triple_l[k]]));
      }
      if (e < diagonal) {
        u->c[e] = sum;
        u->l[e] = emit(u, DAE_OP_MUL, sum, u->d[a->entry_column[e]]);
      } else {
        u->d[i] = inverse_pivot(u, sum, square, may_vanish);
      }
    }
  }
}

static void
solve(Unroll *u, const DaeCgenMatrix *a, uint32_t *b)
{
  for (uint32_t i = 0; i < a->n_columns; i++) {
    u->y[i] = b[a->order[i]];
    for (uint32_t e = a->entry_start[i]; e + 1 < a->entry_start[i + 1]; e++) {
      u->y[i] =
          emit(u, DAE_OP_SUB, u->y[i], emit(u, DAE_OP_MUL, u->l[e], u->y[a->entry_column[e]]));
    }
  }
  for (uint32_t i = 0; i < a->n_columns; i++) {
    u->y[i] = emit(u, DAE_OP_MUL, u->y[i], u->d[i]);
  }
  for (uint32_t i = a->n_columns; i-- > 0;) {
    for (uint32_t e = a->entry_start[i]; e + 1 < a->entry_start[i + 1]; e++) {
      uint32_t *to = &u->y[a->entry_column[e]];
      *to = emit(u, DAE_OP_SUB, *to, emit(u, DAE_OP_MUL, u->l[e], u->y[i]));
    }
    b[a->order[i]] = u->y[i];
  }
}

static uint32_t
scaled_row(Unroll *u, const DaeCgenMatrix *a, const uint32_t *r, uint32_t i)
{
  return a->scale != NULL ? scaled(u, a->scale[i], r[i]) : r[i];
}

static void
least_squares(Unroll *u, const DaeCgenMatrix *a, const uint32_t *r)
{
  if (a->is_diagonal) {
    for (uint32_t i = 0; i < a->n_rows; i++) {
      u->delta[a->column[i]] = emit(u, DAE_OP_MUL, scaled_row(u, a, r, i), u->d[i]);
    }
    return;
  }
  for (uint32_t j = 0; j < a->n_columns; j++) {
    u->delta[j] = constant(u, 0.0);
  }
  for (uint32_t i = 0; i < a->n_rows; i++) {
    const uint32_t right = scaled_row(u, a, r, i);
    for (uint32_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
      uint32_t *to = &u->delta[a->column[e]];
      *to = emit(u, DAE_OP_ADD, *to, emit(u, DAE_OP_MUL, u->a[e], right));
    }
  }
  solve(u, a, u->delta);
}

/* ---- pieces of a step -------------------------------------------------------------------- */

static void
correct_algebraic(Unroll *u)
{
  const DaeCgenMatrix *a = &u->gen->step->algebraic;
  if (a->n_columns == 0) {
    return;
  }
  evaluate(u, 1u << DAE_PART_G | 1u << DAE_PART_GX);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    u->r[i] = emit(u, DAE_OP_NEG, u->part[DAE_PART_G][a->constraint[i]], 0);
  }
  gather(u, a, 0.0, 0.0);
  factorize(u, a, false);
  least_squares(u, a, u->r);
  for (uint32_t c = 0; c < a->n_columns; c++) {
    u->x[a->unknown[c]] = emit(u, DAE_OP_ADD, u->x[a->unknown[c]], u->delta[c]);
  }
}

static const double bdf[4][4] = {{0.0, 0.0, 0.0, 0.0},
                                 {1.0, -1.0, 0.0, 0.0},
                                 {3.0 / 2.0, -2.0, 1.0 / 2.0, 0.0},
                                 {11.0 / 6.0, -3.0, 3.0 / 2.0, -1.0 / 3.0}};
static const double adams[4][3] = {{0.0, 0.0, 0.0},
                                   {1.0, 0.0, 0.0},
                                   {3.0 / 2.0, -1.0 / 2.0, 0.0},
                                   {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0}};
static const double extrapolation[4][3] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, -1.0, 0.0}, {3.0, -3.0, 1.0}};

static void
correct_all(Unroll *u, const DaeCgenMatrix *a, bool may_vanish, uint32_t order)
{
  const double h = u->gen->step->step;
  const uint32_t n = u->gen->parts->n;
  const GArray *start = u->gen->st.mass_start;
  for (uint32_t j = 0; j < n; j++) {
    u->q[j] = scaled(u, bdf[order][0], u->x[j]);
    for (uint32_t k = 0; k < order; k++) {
      u->q[j] = emit(u, DAE_OP_ADD, u->q[j], scaled(u, bdf[order][k + 1], u->past[k][j]));
    }
    u->xdot[j] = emit(u, DAE_OP_DIV, u->q[j], constant(u, h));
  }
  evaluate(u, 1u << DAE_PART_F | 1u << DAE_PART_G | 1u << DAE_PART_M | 1u << DAE_PART_K |
                  1u << DAE_PART_GX);
  gather(u, a, bdf[order][0], h);
  factorize(u, a, may_vanish);
  for (uint32_t i = 0; i < a->n_dynamic; i++) {
    u->r[i] = scaled(u, h, u->part[DAE_PART_F][i]);
    for (uint32_t e = g_array_index(start, uint32_t, i);
         e < g_array_index(start, uint32_t, i + 1); e++) {
      const uint32_t column = g_array_index(u->gen->st.mass_column, uint32_t, e);
      u->r[i] = emit(u, DAE_OP_SUB, u->r[i],
                     emit(u, DAE_OP_MUL, u->part[DAE_PART_M][e], u->q[column]));
    }
  }
  for (uint32_t i = a->n_dynamic; i < a->n_rows; i++) {
    u->r[i] = emit(u, DAE_OP_NEG, u->part[DAE_PART_G][a->constraint[i - a->n_dynamic]], 0);
  }
  least_squares(u, a, u->r);
  for (uint32_t j = 0; j < n; j++) {
    u->x[j] = emit(u, DAE_OP_ADD, u->x[j], u->delta[j]);
  }
}

static void
shortest_step(Unroll *u)
{
  const DaeCgenMatrix *a = &u->gen->step->norm;
  correct_algebraic(u);
  evaluate(u, 1u << DAE_PART_G | 1u << DAE_PART_GX);
  gather(u, a, 0.0, 0.0);
  factorize(u, a, true);
  if (a->is_diagonal) {
    least_squares(u, a, u->part[DAE_PART_G]);
  } else {
    for (uint32_t i = 0; i < u->gen->parts->n_con; i++) {
      u->delta[i] = u->part[DAE_PART_G][i];
    }
    solve(u, a, u->delta);
  }
  for (uint32_t j = 0; j < u->gen->parts->n; j++) {
    for (uint32_t e = a->row_start[j]; e < a->row_start[j + 1]; e++) {
      u->x[j] =
          emit(u, DAE_OP_SUB, u->x[j], emit(u, DAE_OP_MUL, u->a[e], u->delta[a->column[e]]));
    }
  }
}

/* x' at the new point into slope[0], from the guess there. */
static void
find_slopes(Unroll *u)
{
  const DaeCgenMatrix *a = &u->gen->step->slopes;
  uint32_t *guess = u->slope[0];
  evaluate(u, 1u << DAE_PART_F | 1u << DAE_PART_M | 1u << DAE_PART_GX | 1u << DAE_PART_GT);
  gather(u, a, 1.0, 0.0);
  factorize(u, a, false);
  if (a->is_diagonal) {
    least_squares(u, a, u->part[DAE_PART_F]);
    for (uint32_t c = 0; c < a->n_columns; c++) {
      guess[a->unknown[c]] = u->delta[c];
    }
    return;
  }
  for (uint32_t i = 0; i < a->n_rows; i++) {
    u->r[i] = i < a->n_dynamic ? u->part[DAE_PART_F][i]
                               : emit(u, DAE_OP_NEG,
                                      u->part[DAE_PART_GT][a->constraint[i - a->n_dynamic]], 0);
    u->r[i] = scaled_row(u, a, u->r, i); /* as A is; undone below, exactly */
    for (uint32_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
      u->r[i] = emit(u, DAE_OP_SUB, u->r[i],
                     emit(u, DAE_OP_MUL, u->a[e], guess[a->unknown[a->column[e]]]));
    }
    u->r[i] = a->scale != NULL ? scaled(u, 1.0 / a->scale[i], u->r[i]) : u->r[i];
  }
  least_squares(u, a, u->r);
  for (uint32_t c = 0; c < a->n_columns; c++) {
    guess[a->unknown[c]] = emit(u, DAE_OP_ADD, guess[a->unknown[c]], u->delta[c]);
  }
}

static void
predict_explicit(Unroll *u, uint32_t order)
{
  for (uint32_t j = 0; j < u->gen->parts->n; j++) {
    const bool is_algebraic = u->gen->step->is_algebraic[j];
    uint32_t *const *from = is_algebraic ? u->past : u->slope;
    const double *weight = is_algebraic ? extrapolation[order] : adams[order];
    uint32_t sum = scaled(u, weight[0], from[0][j]);
    for (uint32_t k = 1; k < order; k++) {
      sum = emit(u, DAE_OP_ADD, sum, scaled(u, weight[k], from[k][j]));
    }
    u->x[j] = is_algebraic
                  ? sum
                  : emit(u, DAE_OP_ADD, u->past[0][j], scaled(u, u->gen->step->step, sum));
  }
  correct_algebraic(u);
}

static void
unroll_step(Unroll *u, uint32_t order)
{
  const DaeCgenStep *step = u->gen->step;
  const uint32_t n = u->gen->parts->n;
  const uint32_t n_projections = u->gen->parts->n_con > 0 ? step->projections : 0;
  if (u->is_explicit) {
    predict_explicit(u, order);
  } else {
    for (uint32_t j = 0; j < n; j++) {
      u->x[j] = u->past[0][j];
    }
    for (uint32_t k = 0; k < step->newton; k++) {
      correct_all(u, &step->newton_matrix, false, order);
    }
  }
  for (uint32_t k = 0; k < n_projections; k++) {
    if (step->is_coupled) {
      correct_all(u, &step->coupled, step->step < SMALL_STEP, order);
    } else {
      shortest_step(u);
    }
  }
  if (n_projections > 0 && step->is_coupled) {
    correct_algebraic(u);
  }
  if (u->is_explicit) {
    find_slopes(u);
  }
}

/* ---- memory ------------------------------------------------------------------------------ */

static void
unroll_init(Unroll *u, const DaeCgen *gen)
{
  const DaeCgenStep *step = gen->step;
  const DaeCgenMatrix *const matrices[] = {&step->slopes, &step->algebraic,
                                           &step->newton_matrix, &step->coupled, &step->norm};
  const uint32_t n = gen->parts->n;
  size_t n_values = 1;
  size_t n_entries = 1;
  uint32_t n_nodes;
  for (size_t i = 0; i < G_N_ELEMENTS(matrices); i++) {
    n_values = MAX(n_values, matrices[i]->row_start[matrices[i]->n_rows]);
    n_entries =
        MAX(n_entries,
            matrices[i]->is_diagonal ? 1 : matrices[i]->entry_start[matrices[i]->n_columns]);
  }
  const size_t size = (size_t)n + gen->parts->n_diff + gen->parts->n_con + 1;
  dae_program_nodes(gen->program, &n_nodes);
  u->gen = gen;
  u->program = dae_program_new();
  dae_program_share_data(u->program, gen->program);
  u->t = dae_program_input(u->program, 0, DAE_LEVEL_POINT);
  for (uint32_t k = 0; k < 3; k++) {
    u->past[k] = g_new0(uint32_t, size);
    u->slope[k] = g_new0(uint32_t, size);
    for (uint32_t j = 0; j < n; j++) {
      u->past[k][j] = dae_program_input(u->program, 1 + k * n + j, DAE_LEVEL_POINT);
      u->slope[k][j] = dae_program_input(u->program, 1 + (3 + k) * n + j, DAE_LEVEL_POINT);
    }
  }
  u->parameter = g_new0(uint32_t, (size_t)gen->parts->n_segment + 1);
  for (uint32_t k = 0; k < gen->parts->n_segment; k++) {
    u->parameter[k] = dae_program_input(u->program, 1 + 6 * n + k, DAE_LEVEL_SEGMENT);
  }
  u->constants =
      gen->model->events == NULL ? dae_cgen_constants_new(u->program, "step_constants") : NULL;
  u->x = g_new0(uint32_t, size);
  u->q = g_new0(uint32_t, size);
  u->xdot = g_new0(uint32_t, size);
  u->r = g_new0(uint32_t, size);
  u->delta = g_new0(uint32_t, size);
  u->y = g_new0(uint32_t, size);
  u->d = g_new0(uint32_t, size);
  u->map = g_new0(uint32_t, (size_t)n_nodes + 1);
  u->a = g_new0(uint32_t, n_values);
  u->c = g_new0(uint32_t, n_entries);
  u->l = g_new0(uint32_t, n_entries);
  u->margins = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    u->part[p] = g_new0(uint32_t, (size_t)gen->st.terms[p]->len + 1);
  }
}

static void
unroll_clear(Unroll *u)
{
  uint32_t *const arrays[] = {u->past[0],  u->past[1], u->past[2],  u->slope[0], u->slope[1],
                              u->slope[2], u->x,       u->q,        u->xdot,     u->r,
                              u->delta,    u->y,       u->d,        u->map,      u->a,
                              u->c,        u->l,       u->parameter};
  for (size_t i = 0; i < G_N_ELEMENTS(arrays); i++) {
    g_free(arrays[i]);
  }
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    g_free(u->part[p]);
  }
  g_array_free(u->margins, TRUE);
  dae_cgen_constants_free(u->constants);
  dae_program_free(u->program);
}

/* ---- text -------------------------------------------------------------------------------- */

static void
append_step_input(const void *user, uint32_t input, GString *out)
{
  const Unroll *u = user;
  const uint32_t n = u->gen->parts->n;
  static const char *const rows[] = {"x0", "x1", "x2", "s0", "s1", "s2"};
  if (input == 0) {
    g_string_append(out, "t");
  } else if (input <= 6 * n) {
    g_string_append_printf(out, "%s[%u]", rows[(input - 1) / n], (input - 1) % n);
  } else {
    dae_cgen_append_segment(u->gen, input - 1 - 6 * n, out);
  }
}

/* Outputs: new values, new slopes (explicit methods), pivots. */
static void
append_step_output(const void *user, uint32_t o, GString *out)
{
  const Unroll *u = user;
  const uint32_t n = u->gen->parts->n;
  const uint32_t n_values = u->is_explicit ? 2 * n : n;
  if (o < n) {
    g_string_append_printf(out, "x[%u]", o);
  } else if (o < n_values) {
    g_string_append_printf(out, "slope[%u]", o - n);
  } else {
    g_string_append_printf(out, "pivot[%u]", o - n_values);
  }
}

static const char driver_text[] = "/* A regular step: order ^_ORDER, size ^_STEP, to time t. "
                                  "Places 3 and 4 of the history are not used here. */\n"
                                  "static int @_regular_step(@_instance *s, double t)\n"
                                  "{\n"
                                  "  const unsigned next = s->at[5];\n"
                                  "  const double *x = s->x[next];\n"
                                  "  double sum = 0.0;\n"
                                  "  unsigned i;\n";

static const char rotate_text[] =
    "  for (i = 0u; i + 1u <= ^_N; i++) {\n"
    "    sum += x[i] - x[i]; /* 0 unless something is not finite */\n"
    "  }\n"
    "  if (!(sum >= 0.0)) {\n"
    "    return ^_DOMAIN;\n"
    "  }\n"
    "  s->at[5] = s->at[2];\n"
    "  s->at[2] = s->at[1];\n"
    "  s->at[1] = s->at[0];\n"
    "  s->at[0] = next;\n";

static const char rotate_slopes_text[] = "  s->slope_at[3] = s->slope_at[2];\n"
                                         "  s->slope_at[2] = s->slope_at[1];\n"
                                         "  s->slope_at[1] = s->slope_at[0];\n"
                                         "  s->slope_at[0] = next_slope;\n";

static void
write_driver(const Unroll *u)
{
  const DaeCgen *gen = u->gen;
  const uint32_t n_margins = u->margins->len;
  dae_cgen_append(gen, gen->out, driver_text);
  if (u->is_explicit) {
    dae_cgen_append(gen, gen->out, "  const unsigned next_slope = s->slope_at[3];\n");
  }
  g_string_append_printf(gen->out, "  double pivot[%u];\n", MAX(n_margins, 1));
  dae_cgen_append(gen, gen->out,
                  u->is_explicit
                      ? "  @_step_values(t, s->x[s->at[0]], s->x[s->at[1]], s->x[s->at[2]], "
                        "s->slope[s->slope_at[0]],\n"
                        "                s->slope[s->slope_at[1]], s->slope[s->slope_at[2]], "
                        "s->x[next], s->slope[next_slope], pivot);\n"
                      : "  @_step_values(t, s->x[s->at[0]], s->x[s->at[1]], s->x[s->at[2]], "
                        "s->x[next], pivot);\n");
  if (n_margins > 0) {
    g_string_append_printf(gen->out, "  for (i = 0u; i < %uu; i++) {\n", n_margins);
    dae_cgen_append(gen, gen->out,
                    "    if (!(pivot[i] > 0.0)) {\n"
                    "      return ^_SINGULAR;\n"
                    "    }\n"
                    "  }\n");
  }
  dae_cgen_append(gen, gen->out, rotate_text);
  if (u->is_explicit) {
    dae_cgen_append(gen, gen->out, rotate_slopes_text);
  }
  g_string_append(gen->out, "  return 0;\n}\n\n");
}

static void
write_step(const Unroll *u, DaeTapeCost *cost)
{
  const uint32_t n = u->gen->parts->n;
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_vals(outputs, u->x, n);
  if (u->is_explicit) {
    g_array_append_vals(outputs, u->slope[0], n);
  }
  g_array_append_vals(outputs, u->margins->data, u->margins->len);
  static const char *const explicit_names[] = {"t",  "x0", "x1",    "x2",    "s0", "s1",
                                               "s2", "x",  "slope", "pivot", NULL};
  static const char *const implicit_names[] = {"t", "x0", "x1", "x2", "x", "pivot", NULL};
  const DaeCgenFunction function = {
      .program = u->program,
      .outputs = (const uint32_t *)(const void *)outputs->data,
      .n_outputs = outputs->len,
      .function = "step_values",
      .arguments = u->is_explicit
                       ? "double t, const double *x0, const double *x1, const double *x2, "
                         "const double *s0,\n"
                         "    const double *s1, const double *s2"
                       : "double t, const double *x0, const double *x1, const double *x2",
      .pass = u->is_explicit ? "t, x0, x1, x2, s0, s1, s2" : "t, x0, x1, x2",
      .result = u->is_explicit ? "double *x, double *slope, double *pivot"
                               : "double *x, double *pivot",
      .pass_result = u->is_explicit ? "x, slope, pivot" : "x, pivot",
      .append_input = append_step_input,
      .append_output = append_step_output,
      .user = u,
      .constants = u->constants,
      .unused = u->is_explicit ? explicit_names : implicit_names,
      .is_static = true};
  g_string_append(
      u->gen->out,
      "/* New values, new slopes (explicit methods), and pivots, which must be positive. */\n");
  dae_cgen_function(u->gen, &function, cost);
  write_driver(u);
}

bool
dae_cgen_unrolled_step(const DaeCgen *gen, DaeTapeCost *cost)
{
  const DaeCgenStep *step = gen->step;
  const uint32_t order = step->method == DAE_CGEN_AB3 || step->method == DAE_CGEN_BDF3 ? 3 : 1;
  if (step->flops > LARGEST_STEP) {
    return false;
  }
  Unroll u;
  unroll_init(&u, gen);
  u.is_explicit = step->method == DAE_CGEN_AB3 || step->method == DAE_CGEN_EULER;
  unroll_step(&u, order);
  write_step(&u, cost);
  dae_cgen_write_constants(gen, u.constants, 1 + 6 * gen->parts->n);
  unroll_clear(&u);
  return true;
}
