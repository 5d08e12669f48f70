/* Partitions by connectivity [language specification, 16.7.3 to 16.7.5]: what occurs together
 * in an equation is on one clock; the operators that lead from clock to clock cut. */
#include "hybrid/clocks-priv.h"

/* ---- the graph --------------------------------------------------------------------------- */

static uint32_t
find(const DaeClocks *clocks, uint32_t node)
{
  uint32_t *parent = (uint32_t *)(void *)clocks->parent->data;
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

static void
join(DaeClocks *clocks, uint32_t a, uint32_t b)
{
  uint32_t *parent = (uint32_t *)(void *)clocks->parent->data;
  a = find(clocks, a);
  b = find(clocks, b);
  parent[MAX(a, b)] =
      MIN(a, b); /* the first one stands for all: the same input, the same numbers */
}

static uint32_t
add_node(DaeClocks *clocks)
{
  uint32_t node = clocks->parent->len;
  g_array_append_val(clocks->parent, node);
  return node;
}

static uint32_t
clock_node(DaeClocks *clocks, DaeTerm clock)
{
  gpointer key = GUINT_TO_POINTER(clock);
  guint node = GPOINTER_TO_UINT(g_hash_table_lookup(clocks->node_of_clock, key));
  if (node == 0) {
    node = add_node(clocks) + 1;
    g_hash_table_insert(clocks->node_of_clock, key, GUINT_TO_POINTER(node));
  }
  return node - 1;
}

uint32_t
dae_clocks_node_of_variable(const DaeClocks *clocks, DaeTerm variable)
{
  uint32_t j = 0;
  return dae_term_kind(clocks->terms, variable) == DAE_KIND_VARIABLE &&
                 dae_model_find_variable(clocks->model,
                                         dae_term_get_symbol(clocks->terms, variable), &j)
             ? j
             : DAE_NO_GROUP;
}

uint32_t
dae_clocks_group(const DaeClocks *clocks, uint32_t node)
{
  return g_array_index(clocks->group_of_node, uint32_t, find(clocks, node));
}

GArray *
dae_clocks_atoms_in(DaeClocks *clocks, DaeTerm t)
{
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  GArray *found = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_parameters(clocks->terms, t, parameters);
  for (guint i = 0; i < parameters->len; i++) {
    guint atom = GPOINTER_TO_UINT(g_hash_table_lookup(
        clocks->atom_of_term, GUINT_TO_POINTER(g_array_index(parameters, DaeTerm, i))));
    if (atom > 0) {
      uint32_t index = atom - 1;
      g_array_append_val(found, index);
    }
  }
  return found;
}

static bool
is_conversion(DaeClockedKind kind)
{
  return kind == DAE_CLOCKED_SUB || kind == DAE_CLOCKED_SUPER || kind == DAE_CLOCKED_SHIFT ||
         kind == DAE_CLOCKED_BACK || kind == DAE_CLOCKED_NO_CLOCK;
}

DaeClockedExtra *
dae_clocks_extra(const DaeClocks *clocks, uint32_t atom)
{
  for (uint32_t i = 0; i < clocks->extras->len; i++) {
    DaeClockedExtra *extra = &g_array_index(clocks->extras, DaeClockedExtra, i);
    if (extra->atom == atom) {
      return extra;
    }
  }
  return NULL;
}

static uint32_t
first_extra_node(const DaeClocks *clocks)
{
  return clocks->n_variables + clocks->n_equations;
}

/* The node of what an atom takes its value from; NO_GROUP: it takes none. */
static uint32_t
source_node(const DaeClocks *clocks, uint32_t atom)
{
  const DaeClockedAtom *clocked = dae_model_clocked_atom(clocks->model, atom);
  uint32_t node = clocked->of != DAE_NO_TERM ? dae_clocks_node_of_variable(clocks, clocked->of)
                                             : DAE_NO_GROUP;
  const DaeClockedExtra *extra = node == DAE_NO_GROUP ? dae_clocks_extra(clocks, atom) : NULL;
  return extra == NULL
             ? node
             : first_extra_node(clocks) +
                   (uint32_t)(extra - (DaeClockedExtra *)(void *)clocks->extras->data);
}

uint32_t
dae_clocks_group_of_source(const DaeClocks *clocks, uint32_t atom)
{
  uint32_t node = source_node(clocks, atom);
  return node == DAE_NO_GROUP ? DAE_NO_GROUP : dae_clocks_group(clocks, node);
}

/* Everything in t that is on the clock of the node. */
static void
connect(DaeClocks *clocks, uint32_t node, DaeTerm t)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(clocks->terms, t, variables);
  for (guint i = 0; i < variables->len; i++) {
    uint32_t other = dae_clocks_node_of_variable(clocks, g_array_index(variables, DaeTerm, i));
    if (other != DAE_NO_GROUP) {
      join(clocks, node, other);
    }
  }
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    if (atom->kind == DAE_CLOCKED_SAMPLE && atom->clock != DAE_NO_TERM) {
      join(clocks, node, clock_node(clocks, atom->clock));
    } else if ((atom->kind == DAE_CLOCKED_PREVIOUS || atom->kind == DAE_CLOCKED_INTERVAL ||
                atom->kind == DAE_CLOCKED_FIRST_TICK) &&
               atom->of != DAE_NO_TERM) {
      connect(clocks, node, atom->of);
    }
  }
  /* pre(v) is on the clock of v */
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(clocks->terms, t, parameters);
  for (guint i = 0; i < parameters->len; i++) {
    guint of = GPOINTER_TO_UINT(g_hash_table_lookup(
        clocks->pre_of_term, GUINT_TO_POINTER(g_array_index(parameters, DaeTerm, i))));
    uint32_t other = of != 0 ? dae_clocks_node_of_variable(clocks, of) : DAE_NO_GROUP;
    if (other != DAE_NO_GROUP) {
      join(clocks, node, other);
    }
  }
}

static void
add_extras(DaeClocks *clocks)
{
  for (uint32_t i = 0; i < dae_model_n_event_atoms(clocks->model); i++) {
    const DaeEventAtom *atom = dae_model_event_atom(clocks->model, i);
    if (atom->kind == DAE_ATOM_PRE) {
      DaeTerm t = dae_term_parameter(clocks->terms, atom->symbol);
      g_hash_table_insert(clocks->pre_of_term, GUINT_TO_POINTER(t), GUINT_TO_POINTER(atom->of));
    }
  }
  for (uint32_t i = 0; i < dae_model_n_clocked_atoms(clocks->model); i++) {
    const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, i);
    DaeTerm t = dae_term_parameter(clocks->terms, atom->symbol);
    g_hash_table_insert(clocks->atom_of_term, GUINT_TO_POINTER(t), GUINT_TO_POINTER(i + 1));
    if (is_conversion(atom->kind) &&
        dae_clocks_node_of_variable(clocks, atom->of) == DAE_NO_GROUP) {
      DaeClockedExtra extra = {.atom = i, .value = atom->of, .group = DAE_NO_GROUP};
      g_array_append_val(clocks->extras, extra);
    }
  }
}

static void
build_graph(DaeClocks *clocks)
{
  const DaeModel *model = clocks->model;
  uint32_t n = clocks->n_variables + clocks->n_equations + clocks->extras->len;
  for (uint32_t i = 0; i < n; i++) {
    add_node(clocks);
  }
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    connect(clocks, clocks->n_variables + i, equation->lhs);
    connect(clocks, clocks->n_variables + i, equation->rhs);
    if (equation->vanished != DAE_NO_TERM) {
      connect(clocks, clocks->n_variables + i, equation->vanished);
    }
  }
  for (uint32_t i = 0; i < clocks->extras->len; i++) {
    DaeTerm value = g_array_index(clocks->extras, DaeClockedExtra, i).value;
    connect(clocks, first_extra_node(clocks) + i, value);
  }
  for (uint32_t i = 0; i < dae_model_n_clocked_whens(model); i++) {
    const DaeClockedWhen *when = dae_model_clocked_when(model, i);
    for (uint32_t k = 0; k < when->n; k++) {
      join(clocks, clocks->n_variables + when->first + k, clock_node(clocks, when->clock));
    }
  }
  for (uint32_t i = 0; i < dae_model_n_clock_equations(model); i++) {
    const DaeClockEquation *equation = dae_model_clock_equation(model, i);
    join(clocks, clock_node(clocks, equation->lhs), clock_node(clocks, equation->rhs));
  }
  for (uint32_t i = 0; i < dae_model_n_clocks(model); i++) {
    const DaeClockDefinition *definition = dae_model_clock(model, i);
    uint32_t node = clock_node(clocks, definition->term);
    if (definition->kind >= DAE_CLOCK_SOLVER) {
      clock_node(clocks, definition->of);
    } else if (definition->kind == DAE_CLOCK_VARYING) {
      connect(clocks, node, definition->of);
    }
  }
}

/* ---- groups ------------------------------------------------------------------------------ */

static void
number_groups(DaeClocks *clocks)
{
  g_array_set_size(clocks->group_of_node, clocks->parent->len);
  for (uint32_t node = 0; node < clocks->parent->len; node++) {
    if (find(clocks, node) == node) {
      DaeClockGroup group = {.is_clocked = false};
      g_array_index(clocks->group_of_node, uint32_t, node) = clocks->groups->len;
      g_array_append_val(clocks->groups, group);
    }
  }
}

static void
mark(DaeClocks *clocks, uint32_t node, DaeSpan why)
{
  DaeClockGroup *group =
      &g_array_index(clocks->groups, DaeClockGroup, dae_clocks_group(clocks, node));
  if (!group->is_clocked) {
    group->is_clocked = true;
    group->why = why;
  }
}

static void
mark_term(DaeClocks *clocks, uint32_t node, DaeTerm t)
{
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    if (atom->kind != DAE_CLOCKED_HOLD) {
      mark(clocks, node, atom->span);
    }
  }
}

static void
mark_clocked(DaeClocks *clocks)
{
  const DaeModel *model = clocks->model;
  GHashTableIter iter;
  gpointer key = NULL;
  gpointer value = NULL;
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    mark_term(clocks, clocks->n_variables + i, dae_model_equation(model, i)->lhs);
    mark_term(clocks, clocks->n_variables + i, dae_model_equation(model, i)->rhs);
  }
  for (uint32_t i = 0; i < clocks->extras->len; i++) {
    const DaeClockedExtra *extra = &g_array_index(clocks->extras, DaeClockedExtra, i);
    mark(clocks, first_extra_node(clocks) + i,
         dae_model_clocked_atom(model, extra->atom)->span);
  }
  for (uint32_t i = 0; i < dae_model_n_clocked_atoms(model); i++) {
    const DaeClockedAtom *atom = dae_model_clocked_atom(model, i);
    uint32_t node = atom->kind == DAE_CLOCKED_SAMPLE ? DAE_NO_GROUP : source_node(clocks, i);
    if (node != DAE_NO_GROUP) {
      mark(clocks, node, atom->span);
    }
  }
  g_hash_table_iter_init(&iter, clocks->node_of_clock);
  while (g_hash_table_iter_next(&iter, &key, &value)) {
    DaeClockGroup *group = &g_array_index(
        clocks->groups, DaeClockGroup, dae_clocks_group(clocks, GPOINTER_TO_UINT(value) - 1));
    group->is_clocked = true;
  }
  for (uint32_t i = 0; i < dae_model_n_clocks(model); i++) {
    const DaeClockDefinition *definition = dae_model_clock(model, i);
    DaeClockGroup *group =
        &g_array_index(clocks->groups, DaeClockGroup,
                       dae_clocks_group(clocks, clock_node(clocks, definition->term)));
    group->why = group->why.line == 0 ? definition->span : group->why;
    if (group->clock == DAE_NO_TERM && definition->kind != DAE_CLOCK_INFERRED) {
      group->clock = definition->term;
    }
  }
}

static void
add_relation(DaeClocks *clocks, uint32_t from, uint32_t to, DaeClockedKind kind,
             int64_t counter, int64_t resolution, DaeSpan span)
{
  DaeClockRelation relation = {from, to, kind, counter, resolution, span};
  g_array_append_val(clocks->relations, relation);
}

static void
relate_term(DaeClocks *clocks, uint32_t node, DaeTerm t)
{
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    uint32_t a = g_array_index(atoms, uint32_t, i);
    const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, a);
    if (is_conversion(atom->kind)) {
      add_relation(clocks, dae_clocks_group_of_source(clocks, a),
                   dae_clocks_group(clocks, node), atom->kind, atom->counter, atom->resolution,
                   atom->span);
    }
  }
}

static void
collect_relations(DaeClocks *clocks)
{
  const DaeModel *model = clocks->model;
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    relate_term(clocks, clocks->n_variables + i, dae_model_equation(model, i)->lhs);
    relate_term(clocks, clocks->n_variables + i, dae_model_equation(model, i)->rhs);
  }
  for (uint32_t i = 0; i < clocks->extras->len; i++) {
    DaeTerm value = g_array_index(clocks->extras, DaeClockedExtra, i).value;
    relate_term(clocks, first_extra_node(clocks) + i, value);
  }
  for (uint32_t i = 0; i < dae_model_n_clocks(model); i++) {
    const DaeClockDefinition *definition = dae_model_clock(model, i);
    if (definition->kind == DAE_CLOCK_SOLVER) { /* the same ticks, another method */
      add_relation(clocks, dae_clocks_group(clocks, clock_node(clocks, definition->of)),
                   dae_clocks_group(clocks, clock_node(clocks, definition->term)),
                   DAE_CLOCKED_SUB, 1, 1, definition->span);
    }
    if (definition->kind < DAE_CLOCK_SUB) {
      continue;
    }
    static const DaeClockedKind kinds[] = {DAE_CLOCKED_SUB, DAE_CLOCKED_SUPER,
                                           DAE_CLOCKED_SHIFT, DAE_CLOCKED_BACK};
    add_relation(clocks, dae_clocks_group(clocks, clock_node(clocks, definition->of)),
                 dae_clocks_group(clocks, clock_node(clocks, definition->term)),
                 kinds[definition->kind - DAE_CLOCK_SUB], definition->counter,
                 definition->resolution, definition->span);
  }
}

/* ---- rules ------------------------------------------------------------------------------- */

/* Unclocked expressions have no clocked variables: hold(...) leads out. */
static bool
check_unclocked(DaeClocks *clocks, DaeTerm t, const char *where, DaeSpan span, GError **error)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(clocks->terms, t, variables);
  for (guint i = 0; i < variables->len; i++) {
    DaeTerm variable = g_array_index(variables, DaeTerm, i);
    uint32_t node = dae_clocks_node_of_variable(clocks, variable);
    if (node != DAE_NO_GROUP && dae_clocks_variable_is_clocked(clocks, node)) {
      g_autofree char *name = dae_term_to_string(clocks->terms, variable);
      return dae_clocks_fail(
          clocks, span, error,
          "'%s' is clocked and stands in %s, which is not; hold(%s) leads out "
          "of the clocked partition",
          name, where, name);
    }
  }
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    if (atom->kind != DAE_CLOCKED_HOLD) {
      return dae_clocks_fail(clocks, span, error,
                             "'%s' is clocked and stands in %s, which is not",
                             dae_terms_symbol_name(clocks->terms, atom->symbol), where);
    }
  }
  return true;
}

/* hold(...) is unclocked: it has no place in a clocked equation but inside sample(...). */
static bool
check_clocked(DaeClocks *clocks, DaeTerm t, GError **error)
{
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    const DaeClockedAtom *atom =
        dae_model_clocked_atom(clocks->model, g_array_index(atoms, uint32_t, i));
    if (atom->kind == DAE_CLOCKED_HOLD) {
      return dae_clocks_fail(clocks, atom->span, error,
                             "'%s' is unclocked and stands in a clocked equation; sample it",
                             dae_terms_symbol_name(clocks->terms, atom->symbol));
    }
  }
  return true;
}

static bool
check_places(DaeClocks *clocks, GError **error)
{
  const DaeModel *model = clocks->model;
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    uint32_t group = dae_clocks_group(clocks, clocks->n_variables + i);
    if (g_array_index(clocks->groups, DaeClockGroup, group).is_clocked &&
        (!check_clocked(clocks, equation->lhs, error) ||
         !check_clocked(clocks, equation->rhs, error))) {
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_model_n_clocked_atoms(model); i++) {
    const DaeClockedAtom *atom = dae_model_clocked_atom(model, i);
    if (atom->kind == DAE_CLOCKED_SAMPLE &&
        !check_unclocked(clocks, atom->of, "what sample(...) takes", atom->span, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_model_n_clocks(model); i++) {
    const DaeClockDefinition *definition = dae_model_clock(model, i);
    if (definition->kind == DAE_CLOCK_EVENT &&
        !check_unclocked(clocks, definition->of, "the condition of a clock", definition->span,
                         error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    const DaeWhen *when = dae_model_when(model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      const DaeWhenBranch *branch = &when->branches[b];
      for (uint32_t k = 0; k < branch->n_conditions; k++) {
        if (!check_unclocked(clocks, branch->conditions[k], "the condition of a when-clause",
                             branch->span, error)) {
          return false;
        }
      }
      for (uint32_t k = 0; k < branch->n_actions; k++) {
        const DaeAction *action = &branch->actions[k];
        DaeTerm terms[3] = {action->target, action->value, action->condition};
        for (uint32_t e = 0; e < 3; e++) {
          if (terms[e] != DAE_NO_TERM &&
              !check_unclocked(clocks, terms[e], "a when-clause with a condition", action->span,
                               error)) {
            return false;
          }
        }
      }
    }
  }
  return true;
}

bool
dae_clocks_partition(DaeClocks *clocks, GError **error)
{
  add_extras(clocks);
  build_graph(clocks);
  number_groups(clocks);
  mark_clocked(clocks);
  collect_relations(clocks);
  return check_places(clocks, error);
}
