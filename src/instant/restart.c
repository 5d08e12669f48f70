/* States that jump: by reinit, or because a constraint came that did not hold before
 * [language-and-events, 3.11].
 *
 * x+ are the unknowns after, L the impulses of the algebraic unknowns:
 *
 *     M (z - x-) = B L         differential rows; B = df/dy
 *     0 = g_y L                constraints of the model itself: the impulsive part of an
 *                              algebraic equation vanishes
 *     0 = g(x+)                all constraints, hidden ones too
 *     x+_j = value             each reinit
 *     x+_j = x-_j              where only a reinit is the reason: each state that no
 *                              constraint ties
 *     x+_j = z_j               all others
 *
 * What jumps although nothing can push it, a value that a table of time gives, makes impulses of
 * its derivative, and of the derivative of that: with L1 those of all unknowns, L2 their
 * derivatives, and so on, of the last ones only the algebraic ones,
 *
 *     M (z - x-) = K L1,  M L1 = K L2,  ...      K = df/dx
 *     0 = g_x L1, 0 = g_x L2, ...
 *
 * That is asked for only where constraints give what jumps, one unknown after the other: a body
 * does not leap onto a rail that comes. An impulse has no product with what jumps: where an entry
 * of M or K that it is multiplied by changes, there is no solution.
 *
 * That is one implicit Euler step of length 0. Positions do not jump, momenta are kept, and it
 * does not depend on a choice of states. A reinit is no force: what it sets has no z, and
 * der(J) = der(b^2) does not carry its jump from b to J, which is a state however states are
 * chosen [MLS, section 8.3.6]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/untied.h"
#include "instant/instant-priv.h"
#include "numeric/numeric.h"

typedef struct {
  DaeInstant *instant;
  double t;
  const double *before; /* x- */
  const DaeReset *resets;
  uint32_t n_resets;
  uint8_t *is_replaced;   /* by differential row: by the reinit of an alias */
  uint8_t *is_set;        /* by column: x+ is known, the place of the unknown is that of z */
  double *value;          /* by column: x+ where it is known */
  double *mass, *k, *gx0; /* at x- */
  GArray *row_start, *columns; /* uint32_t: pattern of all rows */
  uint32_t levels;             /* 1: impulses of algebraic unknowns only */
  double *g, *gx;
} Restart;

/* Differentiated unknowns that an algebraic one follows, by the constraints that hold the algebraic
 * ones: those whose change moves it. */
static void
find_states_behind(const Restart *restart, uint32_t column, GArray *states)
{
  DaeInstant *instant = restart->instant;
  const DaeEvaluator *ev = instant->evaluator;
  uint32_t place = instant->place_of_column[column] - 1;
  uint32_t n_entries = instant->sub_start[instant->n_rows];
  g_autofree double *values = g_new0(double, n_entries + 1);
  g_autofree double *right = g_new0(double, instant->n_rows + 1);
  g_autofree double *change = g_new0(double, instant->n_algebraic + 1);
  DaePattern pattern = {instant->n_rows, instant->n_algebraic, instant->sub_start,
                        instant->sub_column};
  DaeRowSolver *solver = dae_row_solver_new(&pattern);
  for (uint32_t e = 0; e < n_entries; e++) {
    values[e] = restart->gx0[instant->sub_entry[e]];
  }
  bool good = dae_row_solver_factor(solver, values);
  for (uint32_t j = 0; good && j < instant->n; j++) {
    bool any = false;
    memset(right, 0, instant->n_rows * sizeof(double));
    for (uint32_t k = 0; instant->place_of_column[j] == 0 && k < instant->n_rows; k++) {
      uint32_t i = instant->rows[k];
      for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
        right[k] -= ev->constraint.column[e] == j ? restart->gx0[e] : 0;
      }
      any = any || right[k] != 0;
    }
    if (any) {
      dae_row_solver_solve(solver, right, change);
      if (fabs(change[place]) > 1e-9) {
        g_array_append_val(states, j);
      }
    }
  }
  dae_row_solver_free(solver);
}

/* The state that the reinit of an unknown without derivative sets: the one that it follows. */
static uint32_t
column_to_set(const Restart *restart, uint32_t column)
{
  g_autoptr(GArray) states = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  find_states_behind(restart, column, states);
  return states->len == 1 ? g_array_index(states, uint32_t, 0) : column;
}

/* The differential row that the reinit of an alias replaces: the one in which the derivative of
 * the state behind it has the largest part. */
static void
replace_rows(Restart *restart)
{
  const DaeEvaluator *ev = restart->instant->evaluator;
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    uint32_t best = UINT32_MAX;
    double largest = 0;
    if (restart->is_set[restart->resets[r].column] != 0) {
      continue;
    }
    uint32_t column = column_to_set(restart, restart->resets[r].column);
    for (uint32_t i = 0; i < ev->n_diff; i++) {
      double sum = 0;
      double own = 0;
      for (uint32_t e = ev->mass.row_start[i]; e < ev->mass.row_start[i + 1]; e++) {
        sum += fabs(restart->mass[e]);
        own += ev->mass.column[e] == column ? fabs(restart->mass[e]) : 0;
      }
      double part = sum > 0 ? own / sum : 0;
      if (restart->is_replaced[i] == 0 && part > largest) {
        largest = part;
        best = i;
      }
    }
    if (best != UINT32_MAX) {
      restart->is_replaced[best] = 1;
    }
  }
}

static bool
is_hidden(const DaeEvaluator *ev, uint32_t i)
{
  return ev->hidden != NULL && ev->hidden[i] != 0;
}

/* Calls visit for every entry, row by row, in one order for pattern, residual and Jacobian. */
typedef void (*Visit)(Restart *restart, uint32_t row, uint32_t column, double value,
                      void *user);

/* Where the unknown of a column stands: level 0 is z, others are impulses; of the last level there
 * are those of the algebraic unknowns only. UINT32_MAX: there is none. */
static uint32_t
unknown_of(const Restart *restart, uint32_t level, uint32_t column)
{
  const DaeInstant *instant = restart->instant;
  uint32_t place = instant->place_of_column[column];
  if (level < restart->levels) {
    return level * instant->n + column;
  }
  return place > 0 ? level * instant->n + place - 1 : UINT32_MAX;
}

static uint32_t
count_unknowns(const Restart *restart)
{
  return restart->levels * restart->instant->n + restart->instant->n_algebraic;
}

/* M (z - x-) = K L1, or M Lk = K Lk+1 */
static uint32_t
visit_balances(Restart *restart, uint32_t level, uint32_t row, Visit visit, void *user)
{
  const DaeEvaluator *ev = restart->instant->evaluator;
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    if (restart->is_replaced[i] != 0) {
      continue;
    }
    for (uint32_t e = ev->mass.row_start[i]; e < ev->mass.row_start[i + 1]; e++) {
      visit(restart, row, unknown_of(restart, level, ev->mass.column[e]), restart->mass[e],
            user);
    }
    for (uint32_t e = ev->dynamics.row_start[i]; e < ev->dynamics.row_start[i + 1]; e++) {
      uint32_t u = unknown_of(restart, level + 1, ev->dynamics.column[e]);
      if (u != UINT32_MAX) {
        visit(restart, row, u, -restart->k[e], user);
      }
    }
    row++;
  }
  return row;
}

/* 0 = g_x Lk */
static uint32_t
visit_impulses(Restart *restart, uint32_t level, uint32_t row, Visit visit, void *user)
{
  const DaeEvaluator *ev = restart->instant->evaluator;
  for (uint32_t i = 0; i < ev->n_con; i++) {
    bool any = false;
    for (uint32_t e = ev->constraint.row_start[i];
         !is_hidden(ev, i) && e < ev->constraint.row_start[i + 1]; e++) {
      uint32_t u = unknown_of(restart, level, ev->constraint.column[e]);
      if (u != UINT32_MAX) {
        visit(restart, row, u, restart->gx0[e], user);
        any = true;
      }
    }
    row += any ? 1 : 0;
  }
  return row;
}

static uint32_t
visit_entries(Restart *restart, Visit visit, void *user)
{
  const DaeEvaluator *ev = restart->instant->evaluator;
  uint32_t row = 0;
  for (uint32_t level = 0; level < restart->levels; level++) {
    row = visit_balances(restart, level, row, visit, user);
    row = visit_impulses(restart, level + 1, row, visit, user);
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      if (restart->is_set[ev->constraint.column[e]] == 0) {
        visit(restart, row, ev->constraint.column[e], restart->gx[e], user);
      }
    }
    row++;
  }
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    if (restart->is_set[restart->resets[r].column] == 0) {
      visit(restart, row++, restart->resets[r].column, 1, user);
    }
  }
  return row;
}

static void
note_entry(Restart *restart, uint32_t row, uint32_t column, double value, void *user)
{
  (void)value;
  (void)user;
  while (restart->row_start->len <= row) {
    g_array_append_val(restart->row_start, restart->columns->len);
  }
  g_array_append_val(restart->columns, column);
}

typedef struct {
  const double *u;
  double *out;
  uint32_t at;
} Product;

/* Rows of M, B, g_y times the unknowns; those of g are overwritten by its values. */
static void
add_product(Restart *restart, uint32_t row, uint32_t column, double value, void *user)
{
  Product *product = user;
  double before = column < restart->instant->n ? restart->before[column] : 0;
  product->out[row] += value * (product->u[column] - before);
}

static void
put_value(Restart *restart, uint32_t row, uint32_t column, double value, void *user)
{
  Product *product = user;
  (void)restart;
  (void)row;
  (void)column;
  product->out[product->at++] = value;
}

/* x+ in restart->value. */
static void
note_values(const Restart *restart, const double *u)
{
  for (uint32_t j = 0; j < restart->instant->n; j++) {
    restart->value[j] = restart->is_set[j] != 0 ? restart->value[j] : u[j];
  }
}

static int
residual(const void *self, void *scratch, const double *u, double *r)
{
  Restart *restart = (Restart *)(uintptr_t)self;
  const DaeEvaluator *ev = restart->instant->evaluator;
  (void)scratch;
  uint32_t m = restart->row_start->len - 1;
  DaeOut out = {.g = restart->g};
  note_values(restart, u);
  int code =
      ev->eval(ev->self, restart->instant->scratch, 1, &restart->t, restart->value, &out);
  memset(r, 0, m * sizeof(double));
  Product product = {u, r, 0};
  uint32_t row = visit_entries(restart, add_product, &product);
  for (uint32_t k = restart->n_resets; k-- > 0;) {
    const DaeReset *reset = &restart->resets[k];
    if (restart->is_set[reset->column] == 0) {
      r[--row] = u[reset->column] - reset->value;
    }
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    r[row - ev->n_con + i] = restart->g[i];
  }
  return code;
}

static int
jacobian(const void *self, void *scratch, const double *u, double *values)
{
  Restart *restart = (Restart *)(uintptr_t)self;
  const DaeEvaluator *ev = restart->instant->evaluator;
  (void)scratch;
  DaeJac jac = {.gx = restart->gx};
  note_values(restart, u);
  int code = ev->jac(ev->self, restart->instant->scratch, restart->t, restart->value,
                     restart->instant->xdot, &jac);
  Product product = {u, values, 0};
  visit_entries(restart, put_value, &product);
  return code;
}

/* "y follows x1, x2: ..." where a reinit could mean any of several states. */
static void
tell_states_behind(const Restart *restart, uint32_t column, GString *text)
{
  const DaeInstant *instant = restart->instant;
  g_autoptr(GArray) states = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (instant->place_of_column[column] == 0) {
    return;
  }
  find_states_behind(restart, column, states);
  g_autofree char *name = dae_term_to_string(instant->terms, instant->parts.unknowns[column]);
  g_string_append_printf(text, "\n  %s follows", name);
  for (guint k = 0; k < states->len; k++) {
    g_autofree char *state = dae_term_to_string(
        instant->terms, instant->parts.unknowns[g_array_index(states, uint32_t, k)]);
    g_string_append_printf(text, "%s %s", k > 0 ? "," : "", state);
  }
  g_string_append(text, states->len == 0 ? " no variable with a derivative"
                                         : "; the model does not say which of them jumps");
}

static void
tell_contradiction(const Restart *restart, const double *u, GError **error)
{
  DaeInstant *instant = restart->instant;
  const DaeEvaluator *ev = instant->evaluator;
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree double *x = g_memdup2(u, instant->n * sizeof(double));
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    const DaeReset *reset = &restart->resets[r];
    x[reset->column] = reset->value;
    g_autofree char *name =
        dae_term_to_string(instant->terms, instant->parts.unknowns[reset->column]);
    g_autofree char *place = dae_span_text(reset->span);
    g_string_append_printf(text, "\n  reinit(%s, %.10g)  (%s)", name, reset->value, place);
  }
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    tell_states_behind(restart, restart->resets[r].column, text);
  }
  uint32_t row = 0;
  dae_solve_residual(instant, restart->t, x, &row);
  if (row < ev->n_con) {
    g_autofree char *what = instant->parts.describe_row(instant->parts.user, ev->n_diff + row);
    g_string_append_printf(text, "\n  %s", what);
  }
  g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
              "at the event at t = %.10g no values after it fulfil all equations:%s",
              restart->t, text->str);
}

static bool
evaluate_before(Restart *restart)
{
  DaeInstant *instant = restart->instant;
  const DaeEvaluator *ev = instant->evaluator;
  if (ev->set_segment != NULL) {
    ev->set_segment(ev->self, instant->scratch, instant->segment);
  }
  DaeJac jac = {.k = restart->k, .gx = restart->gx0, .m = restart->mass};
  return ev->jac(ev->self, instant->scratch, restart->t, restart->before, instant->xdot,
                 &jac) == 0;
}

static void
release_states_behind(Restart *restart, uint32_t column)
{
  g_autoptr(GArray) states = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  find_states_behind(restart, column, states);
  for (guint k = 0; k < states->len; k++) {
    restart->is_set[g_array_index(states, uint32_t, k)] = 0;
  }
}

/* Do the constraints hold without a jump? */
static bool
holds_before(const Restart *restart)
{
  DaeInstant *instant = restart->instant;
  g_autofree double *x = g_memdup2(restart->before, (instant->n + 1) * sizeof(double));
  uint32_t row = 0;
  return dae_solve_algebraic(instant, restart->t, x) &&
         dae_solve_residual(instant, restart->t, x, &row) < 1e-6;
}

/* The unknowns whose values after are known; false: two values for one of them. */
static bool
set_values(Restart *restart)
{
  DaeInstant *instant = restart->instant;
  if (restart->n_resets > 0 && holds_before(restart)) {
    dae_evaluator_find_untied(instant->evaluator, restart->is_set);
  }
  memcpy(restart->value, restart->before, instant->n * sizeof(double));
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    const DaeReset *reset = &restart->resets[r];
    if (instant->place_of_column[reset->column] == 0) {
      restart->is_set[reset->column] = 1;
      restart->value[reset->column] = reset->value;
    } else {
      release_states_behind(restart, reset->column);
    }
  }
  for (uint32_t r = 0; r < restart->n_resets; r++) {
    const DaeReset *reset = &restart->resets[r];
    if (restart->is_set[reset->column] != 0 && restart->value[reset->column] != reset->value) {
      return false;
    }
  }
  return true;
}

static bool
has_impulse(const Restart *restart, const double *u, uint32_t column)
{
  bool any = false;
  for (uint32_t level = 1; level <= restart->levels; level++) {
    uint32_t at = unknown_of(restart, level, column);
    any = any || (at != UINT32_MAX && fabs(u[at]) > 1e-9);
  }
  return any;
}

static bool
differs_at_impulse(const Restart *restart, const double *u, const DaePattern *pattern,
                   const double *before, const double *after)
{
  for (uint32_t e = 0; e < pattern->row_start[pattern->n_rows]; e++) {
    if (fabs(after[e] - before[e]) > 1e-9 * (fabs(before[e]) + fabs(after[e])) &&
        has_impulse(restart, u, pattern->column[e])) {
      return true;
    }
  }
  return false;
}

/* Is no impulse multiplied by what jumps? */
static bool
is_linear(Restart *restart, const double *u)
{
  DaeInstant *instant = restart->instant;
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree double *mass = g_new0(double, (size_t)ev->mass.row_start[ev->n_diff] + 1);
  g_autofree double *k = g_new0(double, (size_t)ev->dynamics.row_start[ev->n_diff] + 1);
  DaeJac jac = {.k = k, .m = mass};
  note_values(restart, u);
  return ev->jac(ev->self, instant->scratch, restart->t, restart->value, instant->xdot, &jac) ==
             0 &&
         !differs_at_impulse(restart, u, &ev->mass, restart->mass, mass) &&
         !differs_at_impulse(restart, u, &ev->dynamics, restart->k, k);
}

static bool
solve(Restart *restart, double *x, GError **error)
{
  DaeInstant *instant = restart->instant;
  uint32_t n = count_unknowns(restart);
  if (!set_values(restart)) {
    tell_contradiction(restart, x, error);
    return false;
  }
  replace_rows(restart);
  uint32_t m = visit_entries(restart, note_entry, NULL);
  uint32_t end = restart->columns->len;
  while (restart->row_start->len <= m) {
    g_array_append_val(restart->row_start, end);
  }
  g_autofree double *u = g_new0(double, n + 1);
  g_autofree double *weights = g_new0(double, n + 1);
  memcpy(u, x, instant->n * sizeof(double));
  for (uint32_t j = 0; j < n; j++) {
    weights[j] = j < instant->n ? instant->parts.nominal[j] : 1;
  }
  DaeRootProblem root = {.n = n,
                         .m = m,
                         .pattern = {m, n, (const uint32_t *)(void *)restart->row_start->data,
                                     (const uint32_t *)(void *)restart->columns->data},
                         .self = restart,
                         .residual = residual,
                         .jacobian = jacobian};
  DaeRootResult result = dae_numeric_solve(&root, weights, 1e-12, u);
  if ((!result.converged && !(result.residual < 1e-9)) ||
      (restart->levels > 1 && !is_linear(restart, u))) {
    tell_contradiction(restart, restart->value, error);
    return false;
  }
  note_values(restart, u);
  memcpy(x, restart->value, instant->n * sizeof(double));
  return true;
}

/* With the other states held and no impulse everything but the constraints is fulfilled. Where these
 * hold as well, that is the solution. */
static bool
solve_without_impulse(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                      uint32_t n_resets)
{
  g_autofree double *after = g_memdup2(x, (instant->n + 1) * sizeof(double));
  for (uint32_t r = 0; r < n_resets; r++) {
    if (instant->place_of_column[resets[r].column] != 0) {
      return false;
    }
    after[resets[r].column] = resets[r].value;
  }
  for (uint32_t r = 0; r < n_resets; r++) { /* two values for one variable */
    if (after[resets[r].column] != resets[r].value) {
      return false;
    }
  }
  uint32_t row = 0;
  if (n_resets > 0 && dae_solve_algebraic(instant, t, after) &&
      dae_solve_residual(instant, t, after, &row) < 1e-11) {
    memcpy(x, after, instant->n * sizeof(double));
    return true;
  }
  return n_resets > 0 && dae_follow_resets(instant, t, x, resets, n_resets);
}

static bool
solve_with_impulse(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                   uint32_t n_resets, uint32_t levels, GError **error)
{
  const DaeEvaluator *ev = instant->evaluator;
  g_autofree double *before = g_memdup2(x, (instant->n + 1) * sizeof(double));
  Restart restart = {.instant = instant,
                     .t = t,
                     .before = before,
                     .resets = resets,
                     .n_resets = n_resets,
                     .levels = levels};
  g_autofree uint8_t *is_replaced = g_new0(uint8_t, ev->n_diff + 1);
  g_autofree uint8_t *is_set = g_new0(uint8_t, instant->n + 1);
  g_autofree double *value = g_new0(double, instant->n + 1);
  g_autofree double *mass = g_new0(double, ev->mass.row_start[ev->n_diff] + 1);
  g_autofree double *k = g_new0(double, ev->dynamics.row_start[ev->n_diff] + 1);
  g_autofree double *gx0 = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  g_autofree double *gx = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  g_autofree double *g = g_new0(double, ev->n_con + 1);
  g_autoptr(GArray) row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  restart.is_replaced = is_replaced;
  restart.is_set = is_set;
  restart.value = value;
  restart.mass = mass;
  restart.k = k;
  restart.gx0 = gx0;
  restart.gx = gx;
  restart.g = g;
  restart.row_start = row_start;
  restart.columns = columns;
  if (!evaluate_before(&restart)) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "at the event at t = %.10g the equations have no finite value", t);
    return false;
  }
  return solve(&restart, x, error);
}

static bool
constraints_with(DaeInstant *instant, const double *segment, double t, const double *x,
                 double *g)
{
  const DaeEvaluator *ev = instant->evaluator;
  DaeOut out = {.g = g};
  if (ev->set_segment != NULL) {
    ev->set_segment(ev->self, instant->scratch, segment);
  }
  return ev->eval(ev->self, instant->scratch, 1, &t, x, &out) == 0;
}

/* Do the constraints that the event changes hold nothing but unknowns that are given? */
static bool
only_given_jump(DaeInstant *instant, double t, const double *x)
{
  const DaePattern *pattern = &instant->evaluator->constraint;
  g_autofree double *before = g_new0(double, (size_t)pattern->n_rows + 1);
  g_autofree double *after = g_new0(double, (size_t)pattern->n_rows + 1);
  g_autofree uint8_t *is_given = g_new0(uint8_t, (size_t)instant->n + 1);
  dae_evaluator_find_given(instant->evaluator, is_given);
  bool good = constraints_with(instant, instant->before, t, x, before);
  good = constraints_with(instant, instant->segment, t, x, after) && good;
  for (uint32_t i = 0; good && i < pattern->n_rows; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      good = good && (before[i] == after[i] || is_given[pattern->column[e]] != 0);
    }
  }
  return good;
}

/* Values that jump: with impulses of as many derivatives as need them. */
static bool
solve_with_derivatives(DaeInstant *instant, double t, double *x, uint32_t n_resets)
{
  enum { MOST_LEVELS = 4 };

  bool is_solved = false;
  if (n_resets > 0 || !only_given_jump(instant, t, x)) {
    return false;
  }
  for (uint32_t levels = 2; levels <= MOST_LEVELS && !is_solved; levels++) {
    is_solved = solve_with_impulse(instant, t, x, NULL, 0, levels, NULL);
  }
  return is_solved;
}

bool
dae_restart_solve(DaeInstant *instant, double t, double *x, const DaeReset *resets,
                  uint32_t n_resets, GError **error)
{
  GError *first = NULL;
  if (solve_without_impulse(instant, t, x, resets, n_resets) ||
      solve_with_impulse(instant, t, x, resets, n_resets, 1, &first)) {
    return true;
  }
  g_autofree double *back = g_memdup2(x, (instant->n + 1) * sizeof(double));
  if (dae_overshoot_take_back(instant, t, back) &&
      solve_with_impulse(instant, t, back, resets, n_resets, 1, NULL)) {
    memcpy(x, back, instant->n * sizeof(double));
  } else if (!solve_with_derivatives(instant, t, x, n_resets)) {
    g_propagate_error(error, first);
    return false;
  }
  g_clear_error(&first);
  return true;
}
