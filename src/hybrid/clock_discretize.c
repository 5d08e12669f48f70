/* Differential equations in clocked partitions [language specification, 16.8]: between
 * two ticks they are integrated by one step of the solver method of the clock, which
 * makes them clocked equations.
 *
 * With the offsets c, d of the signature matrix [Pryce01] every equation stands there with its
 * derivatives up to c, every variable with its derivatives up to d; for as many derivatives of
 * order < d as there are degrees of freedom a step of the method is an equation more: the
 * matching chooses which, as StateSelect and low orders ask for. At the first tick the initial
 * equations and start values take their place. */
#include <string.h>

#include "hybrid/clocks-priv.h"
#include "structural/graph.h"

typedef enum { EULER, MIDPOINT, RUNGE_KUTTA, IMPLICIT_EULER, TRAPEZOID } Method;

typedef struct {    /* a variable with its derivatives */
  DaeTerm variable; /* VARIABLE of order 0; DAE_NO_TERM: a hidden value without derivatives */
  DaeTerm now;
  bool is_real;
  uint32_t order; /* d */
  GArray *orders; /* DaeTerm: atoms of orders 0 ... d */
  int32_t wish;   /* StateSelect and fixed */
} Column;

typedef struct {
  DaeClocks *clocks;
  DaeHybrid *hybrid;
  DaeTerms *terms;
  uint32_t group, sub;
  Method method;
  const DaeClockedSystem *partition;
  GArray *columns;  /* Column */
  GArray *rows;     /* DaeClockedRow in VARIABLEs: the equations */
  uint32_t *offset; /* c, by row */
  DaeSubst *back;   /* atoms to VARIABLEs */
  DaeSubst *forth;  /* VARIABLEs of all orders to atoms */
  GPtrArray *systems;
} Discretization;

static DaeClockedSystem *
copy_system(const DaeClockedSystem *from, DaeTicks ticks)
{
  DaeClockedSystem *system = dae_clocked_system_new(from->sub, ticks);
  for (uint32_t i = 0; i < from->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(from->rows, DaeClockedRow, i);
    if (row->weight >= DAE_ROW_MUST) {
      g_array_append_val(system->rows, *row);
    }
  }
  g_array_append_vals(system->unknowns, from->unknowns->data, from->unknowns->len);
  return system;
}

static bool
check_no_initials(const DaeClocks *clocks, uint32_t group, GError **error)
{
  for (uint32_t i = 0; i < clocks->initials->len; i++) {
    const DaeClockedInitial *initial = &g_array_index(clocks->initials, DaeClockedInitial, i);
    if (initial->group == group && initial->equation.origin != DAE_FROM_FIXED_START) {
      return dae_clocks_fail(clocks, initial->equation.span, error,
                             "an initial equation of clocked variables: the start value of a "
                             "clocked variable is its value before the first tick");
    }
  }
  return true;
}

static bool
has_derivatives(DaeTerms *terms, const DaeClockedSystem *partition)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < partition->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(partition->rows, DaeClockedRow, i);
    dae_term_collect_variables(terms, row->lhs, atoms);
    dae_term_collect_variables(terms, row->rhs, atoms);
  }
  return atoms->len > 0;
}

/* ---- the method -------------------------------------------------------------------------- */

/* The method of the group, or the one of those it is converted from or to [16.8.4]. */
static bool
find_method(Discretization *d, GError **error)
{
  static const struct {
    const char *name;
    Method method;
  } methods[] = {{"ExplicitEuler", EULER},
                 {"ExplicitMidPoint2", MIDPOINT},
                 {"ExplicitRungeKutta4", RUNGE_KUTTA},
                 {"ImplicitEuler", IMPLICIT_EULER},
                 {"ImplicitTrapezoid", TRAPEZOID}};

  DaeClocks *clocks = d->clocks;
  const DaeClockGroup *own = &g_array_index(clocks->groups, DaeClockGroup, d->group);
  const char *name = own->method;
  g_autofree uint8_t *reached = g_new0(uint8_t, clocks->groups->len + 1);
  bool grows = name == NULL;
  reached[d->group] = 1;
  while (grows) {
    grows = false;
    for (uint32_t i = 0; i < clocks->relations->len; i++) {
      const DaeClockRelation *relation = &g_array_index(clocks->relations, DaeClockRelation, i);
      uint32_t ends[2] = {relation->from, relation->to};
      for (int e = 0; e < 2; e++) {
        uint32_t other = ends[1 - e];
        const DaeClockGroup *here = &g_array_index(clocks->groups, DaeClockGroup, ends[e]);
        if (reached[ends[e]] == 0 || reached[other] != 0 || here->method != NULL) {
          continue;
        }
        const char *found = g_array_index(clocks->groups, DaeClockGroup, other).method;
        if (name != NULL && found != NULL && !g_str_equal(name, found)) {
          return dae_clocks_fail(clocks, own->why, error,
                                 "two solver methods reach this partition: \"%s\" and \"%s\"",
                                 name, found);
        }
        name = found != NULL ? found : name;
        reached[other] = 1;
        grows = true;
      }
    }
  }
  if (name == NULL) {
    return dae_clocks_fail(
        clocks, own->why, error,
        "der(...) stands in this clocked partition: its clock needs a solver "
        "method, Clock(c, solverMethod = \"ImplicitEuler\"); or hold(...) is "
        "missing where it meets continuous equations");
  }
  for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
    if (g_str_equal(name, methods[i].name)) {
      d->method = methods[i].method;
      return true;
    }
  }
  return dae_clocks_fail(clocks, own->why, error,
                         "the solver method \"%s\" is not supported; ExplicitEuler, "
                         "ExplicitMidPoint2, ExplicitRungeKutta4, ImplicitEuler and "
                         "ImplicitTrapezoid are",
                         name);
}

/* ---- structure --------------------------------------------------------------------------- */

static void
collect_columns(Discretization *d)
{
  const DaeModel *model = d->clocks->model;
  for (uint32_t i = 0; i < d->partition->unknowns->len; i++) {
    const DaeClockedUnknown *unknown =
        &g_array_index(d->partition->unknowns, DaeClockedUnknown, i);
    Column column = {.now = unknown->atom, .is_real = unknown->is_real};
    column.orders = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_array_append_val(column.orders, unknown->atom);
    g_array_append_val(d->columns, column);
  }
  for (uint32_t j = 0; j < d->clocks->n_variables; j++) {
    if (dae_clocks_group(d->clocks, j) != d->group) {
      continue;
    }
    const DaeVariable *variable = dae_model_variable(model, j);
    DaeTerm t = dae_term_variable(d->terms, variable->symbol, 0);
    DaeTerm now = dae_hybrid_translate(d->hybrid, t);
    for (uint32_t i = 0; i < d->columns->len; i++) {
      Column *column = &g_array_index(d->columns, Column, i);
      if (column->now == now) {
        column->variable = t;
        column->wish = variable->state_select + (variable->fixed ? 1 : 0);
        dae_subst_set(d->back, now, t);
      }
    }
  }
}

static void
collect_rows(Discretization *d)
{
  for (uint32_t i = 0; i < d->partition->rows->len; i++) {
    DaeClockedRow row = g_array_index(d->partition->rows, DaeClockedRow, i);
    if (row.weight >= DAE_ROW_MUST) {
      row.lhs = dae_subst_apply(d->back, row.lhs);
      row.rhs = dae_subst_apply(d->back, row.rhs);
      g_array_append_val(d->rows, row);
    }
  }
}

/* Highest order of the column in the row; -1: it does not occur. */
static int
order_in(const Discretization *d, const GArray *atoms, const DaeClockedRow *row,
         const Column *column)
{
  int order = -1;
  if (column->variable == DAE_NO_TERM) {
    return dae_term_contains(d->terms, row->lhs, column->now) ||
                   dae_term_contains(d->terms, row->rhs, column->now)
               ? 0
               : -1;
  }
  DaeSymbol symbol = dae_term_get_symbol(d->terms, column->variable);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    if (dae_term_get_symbol(d->terms, atom) == symbol) {
      order = MAX(order, (int)dae_term_order(d->terms, atom));
    }
  }
  return order;
}

static bool
find_offsets(Discretization *d, GError **error)
{
  uint32_t n = d->columns->len;
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) weights = g_array_new(FALSE, FALSE, sizeof(int32_t));
  g_autofree size_t *start = g_new0(size_t, d->rows->len + 1);
  for (uint32_t i = 0; i < d->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(d->rows, DaeClockedRow, i);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(d->terms, row->lhs, atoms);
    dae_term_collect_variables(d->terms, row->rhs, atoms);
    start[i] = places->len;
    for (uint32_t j = 0; j < n; j++) {
      int32_t order = order_in(d, atoms, row, &g_array_index(d->columns, Column, j));
      if (order >= 0) {
        g_array_append_val(places, j);
        g_array_append_val(weights, order);
      }
    }
  }
  start[d->rows->len] = places->len;
  g_autoptr(DaeCsr) csr = dae_csr_new(d->rows->len, n, places->len, true);
  memcpy(csr->start, start, (d->rows->len + 1) * sizeof(size_t));
  memcpy(csr->column, places->data, places->len * sizeof(uint32_t));
  memcpy(csr->weight, weights->data, weights->len * sizeof(int32_t));
  g_autofree uint32_t *column_of = g_new0(uint32_t, d->rows->len + 1);
  g_autofree uint32_t *row_of = g_new0(uint32_t, n + 1);
  g_autofree int64_t *c = g_new0(int64_t, d->rows->len + 1);
  g_autofree int64_t *dual = g_new0(int64_t, n + 1);
  const DaeClockGroup *group = &g_array_index(d->clocks->groups, DaeClockGroup, d->group);
  if (d->rows->len != n || !dae_graph_match(csr, column_of, row_of, c, dual, NULL)) {
    return dae_clocks_fail(d->clocks, group->why, error,
                           "this discretized partition is structurally singular");
  }
  dae_graph_least_offsets(csr, column_of, row_of, c, dual);
  d->offset = g_new0(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    d->offset[i] = (uint32_t)c[i];
    g_array_index(d->columns, Column, i).order = (uint32_t)dual[i];
  }
  return true;
}

static void
make_orders(Discretization *d)
{
  for (uint32_t j = 0; j < d->columns->len; j++) {
    Column *column = &g_array_index(d->columns, Column, j);
    if (column->variable == DAE_NO_TERM) {
      continue;
    }
    DaeSymbol symbol = dae_term_get_symbol(d->terms, column->variable);
    dae_subst_set(d->forth, column->variable, column->now);
    for (uint32_t k = 1; k <= column->order; k++) {
      DaeTerm derivative = dae_term_variable(d->terms, symbol, k);
      g_autofree char *name = dae_term_to_string(d->terms, derivative);
      DaeTerm atom = dae_clocks_add_hidden(d->hybrid, name, DAE_TYPE_REAL);
      g_array_append_val(column->orders, atom);
      dae_subst_set(d->forth, derivative, atom);
    }
  }
}

/* What is sampled, converted or of the tick before has no derivative. */
static bool
check_derivable(Discretization *d, const DaeClockedRow *row, GError **error)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(d->terms, row->lhs, atoms);
  dae_term_collect_parameters(d->terms, row->rhs, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    for (uint32_t k = 0; k < d->hybrid->discrete->len; k++) {
      const DaeDiscrete *discrete = &g_array_index(d->hybrid->discrete, DaeDiscrete, k);
      if (discrete->now == atom || discrete->pre == atom) {
        g_autofree char *name = dae_term_to_string(d->terms, atom);
        return dae_clocks_fail(d->clocks, row->span, error,
                               "this equation must be differentiated to integrate its clocked "
                               "partition, and '%s' has no derivative",
                               name);
      }
    }
  }
  return true;
}

/* The equations and their derivatives, in atoms; every system has them. */
static bool
add_equations(Discretization *d, DaeClockedSystem *system, GError **error)
{
  for (uint32_t i = 0; i < d->rows->len; i++) {
    DaeClockedRow row = g_array_index(d->rows, DaeClockedRow, i);
    for (uint32_t k = 0; k <= d->offset[i]; k++) {
      if (k > 0) {
        if (!check_derivable(d, &row, error)) {
          return false;
        }
        row.lhs = dae_term_total(d->terms, row.lhs);
        row.rhs = dae_term_total(d->terms, row.rhs);
      }
      dae_clocked_system_add_row(system, dae_subst_apply(d->forth, row.lhs),
                                 dae_subst_apply(d->forth, row.rhs), DAE_ROW_MUST, row.span);
    }
  }
  for (uint32_t j = 0; j < d->columns->len; j++) {
    const Column *column = &g_array_index(d->columns, Column, j);
    for (uint32_t k = 0; k < column->orders->len; k++) {
      dae_clocked_system_add_unknown(system, g_array_index(column->orders, DaeTerm, k),
                                     column->is_real);
    }
  }
  return true;
}

/* ---- steps ------------------------------------------------------------------------------- */

typedef struct { /* a copy of the partition between two ticks */
  DaeSubst *atoms;
  GHashTable *copy_of; /* atom -> its copy */
} Stage;

static DaeTerm
copied(const Stage *stage, DaeTerm atom)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(stage->copy_of, GUINT_TO_POINTER(atom)));
}

static DaeTerm
plus_step(const Discretization *d, DaeTerm from, DaeTerm slope, int64_t numerator,
          int64_t denominator)
{
  DaeTerm h = g_array_index(d->clocks->subs, DaeSubClock, d->sub).interval;
  DaeTerm share = dae_term_mul(d->terms, dae_term_ratio(d->terms, numerator, denominator), h);
  return dae_term_add(d->terms, from, dae_term_mul(d->terms, share, slope));
}

/* Values that come from outside, with the value that they had at the tick before. */
static void
find_inputs(const Discretization *d, const DaeClockedSystem *base, GArray *inputs)
{
  g_autoptr(GHashTable) own = g_hash_table_new(NULL, NULL);
  const DaeSubClock *sub = &g_array_index(d->clocks->subs, DaeSubClock, d->sub);
  for (uint32_t j = 0; j < base->unknowns->len; j++) {
    DaeTerm atom = g_array_index(base->unknowns, DaeClockedUnknown, j).atom;
    g_hash_table_add(own, GUINT_TO_POINTER(atom));
  }
  g_hash_table_add(own, GUINT_TO_POINTER(sub->interval));
  g_hash_table_add(own, GUINT_TO_POINTER(sub->first_tick));
  for (uint32_t i = 0; i < base->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(base->rows, DaeClockedRow, i);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_parameters(d->terms, row->lhs, atoms);
    dae_term_collect_parameters(d->terms, row->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      if (dae_clocks_pre(d->hybrid, atom) != DAE_NO_TERM &&
          g_hash_table_add(own, GUINT_TO_POINTER(atom))) {
        g_array_append_val(inputs, atom);
      }
    }
  }
}

static bool
is_real_value(const DaeHybrid *hybrid, DaeTerm now)
{
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->now == now) {
      return discrete->type == DAE_TYPE_REAL;
    }
  }
  return false;
}

/* A stage at a part of the step before the tick: all unknowns anew,
 * inputs between their two values. */
static Stage
begin_stage(const Discretization *d, const DaeClockedSystem *base, const GArray *inputs,
            const GArray *kept, bool is_end, uint32_t number)
{
  DaeTerms *terms = d->terms;
  Stage stage = {dae_subst_new(terms), g_hash_table_new(NULL, NULL)};
  DaeTerm half = dae_term_ratio(terms, 1, 2);
  DaeTerm h = g_array_index(d->clocks->subs, DaeSubClock, d->sub).interval;
  for (uint32_t j = 0; j < base->unknowns->len; j++) {
    const DaeClockedUnknown *unknown = &g_array_index(base->unknowns, DaeClockedUnknown, j);
    g_autofree char *text = dae_term_to_string(terms, unknown->atom);
    g_autofree char *name = g_strdup_printf("%s, stage %u", text, number);
    DaeTerm copy = dae_clocks_add_hidden(d->hybrid, name,
                                         unknown->is_real ? DAE_TYPE_REAL : DAE_TYPE_INTEGER);
    dae_subst_set(stage.atoms, unknown->atom, copy);
    g_hash_table_insert(stage.copy_of, GUINT_TO_POINTER(unknown->atom), GUINT_TO_POINTER(copy));
  }
  for (guint i = 0; i < inputs->len && !is_end; i++) {
    DaeTerm atom = g_array_index(inputs, DaeTerm, i);
    DaeTerm before = dae_clocks_pre(d->hybrid, g_array_index(kept, DaeTerm, i));
    DaeTerm between = is_real_value(d->hybrid, atom)
                          ? dae_term_mul(terms, half, dae_term_add(terms, before, atom))
                          : before;
    dae_subst_set(stage.atoms, atom, between);
  }
  if (!is_end) {
    dae_subst_set(stage.atoms, dae_term_time(terms),
                  dae_term_sub(terms, dae_term_time(terms), dae_term_mul(terms, half, h)));
  }
  return stage;
}

static void
add_stage_rows(const DaeClockedSystem *base, const Stage *stage, DaeClockedSystem *system)
{
  for (uint32_t i = 0; i < base->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(base->rows, DaeClockedRow, i);
    dae_clocked_system_add_row(system, dae_subst_apply(stage->atoms, row->lhs),
                               dae_subst_apply(stage->atoms, row->rhs), row->weight, row->span);
  }
  for (uint32_t j = 0; j < base->unknowns->len; j++) {
    const DaeClockedUnknown *unknown = &g_array_index(base->unknowns, DaeClockedUnknown, j);
    dae_clocked_system_add_unknown(system, copied(stage, unknown->atom), unknown->is_real);
  }
}

static void
end_stage(Stage *stage)
{
  dae_subst_free(stage->atoms);
  g_hash_table_destroy(stage->copy_of);
}

/* Low orders first; what the modeller asks for counts within an order. */
static int32_t
weight_of(const Column *column, uint32_t k)
{
  return MAX(1, 60 - 10 * (int32_t)k + 2 * column->wish);
}

/* One equation for each derivative below d: what the method makes of it. slope[k + 1] etc. are
 * atoms of this and of other stages. */
typedef DaeTerm (*StepValue)(const Discretization *d, DaeTerm now, DaeTerm slope,
                             DaeTerm before, DaeTerm slope_before, const Stage *stages);

static void
add_steps(const Discretization *d, DaeClockedSystem *system, const Stage *at, StepValue value,
          const Stage *stages, DaeSpan span)
{
  for (uint32_t j = 0; j < d->columns->len; j++) {
    const Column *column = &g_array_index(d->columns, Column, j);
    for (uint32_t k = 0; k < column->order; k++) {
      DaeTerm now = g_array_index(column->orders, DaeTerm, k);
      DaeTerm slope = g_array_index(column->orders, DaeTerm, k + 1);
      DaeTerm rhs = value(d, now, slope, dae_clocks_pre(d->hybrid, now),
                          dae_clocks_pre(d->hybrid, slope), stages);
      dae_clocked_system_add_row(system, at != NULL ? copied(at, now) : now, rhs,
                                 weight_of(column, k), span);
    }
  }
}

static DaeTerm
euler(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before, DaeTerm slope_before,
      const Stage *stages)
{
  (void)now;
  (void)slope;
  (void)stages;
  return plus_step(d, before, slope_before, 1, 1);
}

static DaeTerm
implicit_euler(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
               DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)slope_before;
  (void)stages;
  return plus_step(d, before, slope, 1, 1);
}

static DaeTerm
trapezoid(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
          DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)stages;
  return plus_step(d, plus_step(d, before, slope, 1, 2), slope_before, 1, 2);
}

/* From the tick before to the middle, with its slope there. */
static DaeTerm
half_step(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
          DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)slope;
  (void)stages;
  return plus_step(d, before, slope_before, 1, 2);
}

static DaeTerm
half_step_again(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
                DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)slope_before;
  return plus_step(d, before, copied(&stages[0], slope), 1, 2);
}

static DaeTerm
whole_step_third(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
                 DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)slope_before;
  return plus_step(d, before, copied(&stages[1], slope), 1, 1);
}

static DaeTerm
midpoint(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
         DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  (void)slope_before;
  return plus_step(d, before, copied(&stages[0], slope), 1, 1);
}

static DaeTerm
runge_kutta(const Discretization *d, DaeTerm now, DaeTerm slope, DaeTerm before,
            DaeTerm slope_before, const Stage *stages)
{
  (void)now;
  DaeTerm x = plus_step(d, before, slope_before, 1, 6);
  x = plus_step(d, x, copied(&stages[0], slope), 1, 3);
  x = plus_step(d, x, copied(&stages[1], slope), 1, 3);
  return plus_step(d, x, copied(&stages[2], slope), 1, 6);
}

/* ---- systems ----------------------------------------------------------------------------- */

/* Copies of the inputs, whose pre is their value at the tick before of this clock. */
static void
keep_inputs(const Discretization *d, DaeClockedSystem *system, const GArray *inputs,
            const GArray *kept, DaeSpan span)
{
  for (guint i = 0; i < inputs->len; i++) {
    DaeTerm atom = g_array_index(inputs, DaeTerm, i);
    DaeTerm copy = g_array_index(kept, DaeTerm, i);
    dae_clocked_system_add_row(system, copy, atom, DAE_ROW_MUST, span);
    dae_clocked_system_add_unknown(system, copy, is_real_value(d->hybrid, atom));
  }
}

static bool
make_systems(Discretization *d, GError **error)
{
  DaeSpan span = g_array_index(d->clocks->groups, DaeClockGroup, d->group).why;
  DaeClockedSystem *first = dae_clocked_system_new(d->sub, DAE_TICKS_FIRST);
  DaeClockedSystem *later = dae_clocked_system_new(d->sub, DAE_TICKS_LATER);
  g_ptr_array_add(d->systems, first);
  g_ptr_array_add(d->systems, later);
  if (!add_equations(d, first, error) || !add_equations(d, later, error)) {
    return false;
  }
  /* the first tick: initial equations, then start values */
  for (uint32_t i = 0; i < d->partition->rows->len; i++) {
    const DaeClockedRow *row = &g_array_index(d->partition->rows, DaeClockedRow, i);
    if (row->weight < DAE_ROW_MUST) {
      DaeTerm lhs = dae_subst_apply(d->forth, dae_subst_apply(d->back, row->lhs));
      DaeTerm rhs = dae_subst_apply(d->forth, dae_subst_apply(d->back, row->rhs));
      dae_clocked_system_add_row(first, lhs, rhs, row->weight, row->span);
    }
  }
  for (uint32_t j = 0; j < d->columns->len; j++) {
    const Column *column = &g_array_index(d->columns, Column, j);
    for (uint32_t k = 0; k < column->order; k++) { /* a derivative begins at 0 */
      DaeTerm atom = g_array_index(column->orders, DaeTerm, k);
      dae_clocked_system_add_row(first, atom, dae_clocks_pre(d->hybrid, atom),
                                 weight_of(column, k), span);
    }
  }
  Stage stages[3] = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
  uint32_t n_stages = d->method == MIDPOINT ? 1 : d->method == RUNGE_KUTTA ? 3 : 0;
  if (n_stages > 0) {
    g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    DaeClockedSystem *base = copy_system(later, DAE_TICKS_LATER);
    find_inputs(d, base, inputs);
    for (guint i = 0; i < inputs->len; i++) {
      g_autofree char *name = dae_term_to_string(d->terms, g_array_index(inputs, DaeTerm, i));
      DaeTerm copy = dae_clocks_add_hidden(d->hybrid, name, DAE_TYPE_REAL);
      g_array_append_val(kept, copy);
    }
    keep_inputs(d, first, inputs, kept, span);
    keep_inputs(d, later, inputs, kept, span);
    static const StepValue values[3] = {half_step, half_step_again, whole_step_third};
    for (uint32_t s = 0; s < n_stages; s++) {
      stages[s] = begin_stage(d, base, inputs, kept, s == 2, s + 2);
      add_stage_rows(base, &stages[s], later);
      add_steps(d, later, &stages[s], values[s], stages, span);
    }
    dae_clocked_system_free(base);
  }
  static const StepValue last[] = {[EULER] = euler,
                                   [MIDPOINT] = midpoint,
                                   [RUNGE_KUTTA] = runge_kutta,
                                   [IMPLICIT_EULER] = implicit_euler,
                                   [TRAPEZOID] = trapezoid};
  add_steps(d, later, NULL, last[d->method], stages, span);
  for (uint32_t s = 0; s < n_stages; s++) {
    end_stage(&stages[s]);
  }
  return true;
}

bool
dae_clocks_discretize(DaeClocks *clocks, DaeHybrid *hybrid, uint32_t group,
                      const DaeClockedSystem *partition, GPtrArray *systems, GError **error)
{
  if (!has_derivatives(clocks->terms, partition)) {
    g_ptr_array_add(systems, copy_system(partition, DAE_TICKS_ALL));
    return check_no_initials(clocks, group, error);
  }
  Discretization d = {.clocks = clocks,
                      .hybrid = hybrid,
                      .terms = clocks->terms,
                      .group = group,
                      .sub = partition->sub,
                      .partition = partition,
                      .columns = g_array_new(FALSE, TRUE, sizeof(Column)),
                      .rows = g_array_new(FALSE, TRUE, sizeof(DaeClockedRow)),
                      .back = dae_subst_new(clocks->terms),
                      .forth = dae_subst_new(clocks->terms),
                      .systems = systems};
  collect_columns(&d);
  collect_rows(&d);
  bool good = find_method(&d, error) && find_offsets(&d, error);
  if (good) {
    make_orders(&d);
    good = make_systems(&d, error);
  }
  for (uint32_t j = 0; j < d.columns->len; j++) {
    g_array_free(g_array_index(d.columns, Column, j).orders, TRUE);
  }
  g_array_free(d.columns, TRUE);
  g_array_free(d.rows, TRUE);
  g_free(d.offset);
  dae_subst_free(d.back);
  dae_subst_free(d.forth);
  return good;
}
