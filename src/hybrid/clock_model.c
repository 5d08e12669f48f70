/* The model without its clocked equations: a clocked variable v is discrete and has v = pre(v),
 * hold(v) is v. There are as many equations as before, with their numbers and places. */
#include <stdarg.h>

#include "hybrid/clocks-priv.h"

bool
dae_clocks_fail(const DaeClocks *clocks, DaeSpan span, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL, "%s:%u:%u: error: %s",
              dae_model_file_of(clocks->model, span), span.line, span.column, text);
  return false;
}

bool
dae_clocks_variable_is_clocked(const DaeClocks *clocks, uint32_t j)
{
  return g_array_index(clocks->groups, DaeClockGroup, dae_clocks_group(clocks, j)).is_clocked;
}

static bool
equation_is_clocked(const DaeClocks *clocks, uint32_t i)
{
  uint32_t group = dae_clocks_group(clocks, clocks->n_variables + i);
  return g_array_index(clocks->groups, DaeClockGroup, group).is_clocked;
}

/* ---- construction ------------------------------------------------------------------------ */

static DaeClocks *
clocks_new(DaeTerms *terms, const DaeModel *model)
{
  DaeClocks *clocks = g_new0(DaeClocks, 1);
  clocks->terms = terms;
  clocks->model = model;
  clocks->n_variables = dae_model_n_variables(model);
  clocks->n_equations = dae_model_n_equations(model);
  clocks->parent = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  clocks->extras = g_array_new(FALSE, TRUE, sizeof(DaeClockedExtra));
  clocks->node_of_clock = g_hash_table_new(NULL, NULL);
  clocks->atom_of_term = g_hash_table_new(NULL, NULL);
  clocks->pre_of_term = g_hash_table_new(NULL, NULL);
  clocks->group_of_node = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  clocks->groups = g_array_new(FALSE, TRUE, sizeof(DaeClockGroup));
  clocks->relations = g_array_new(FALSE, TRUE, sizeof(DaeClockRelation));
  clocks->bases = g_array_new(FALSE, TRUE, sizeof(DaeBaseClock));
  clocks->subs = g_array_new(FALSE, TRUE, sizeof(DaeSubClock));
  clocks->sub_group = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  clocks->inputs = g_array_new(FALSE, TRUE, sizeof(DaeClockedInput));
  clocks->blocks = g_array_new(FALSE, TRUE, sizeof(DaeClockedBlock));
  clocks->assertions = g_array_new(FALSE, TRUE, sizeof(DaeClockedAssertion));
  clocks->initials = g_array_new(FALSE, TRUE, sizeof(DaeClockedInitial));
  return clocks;
}

void
dae_clocks_free(DaeClocks *clocks)
{
  if (clocks == NULL) {
    return;
  }
  for (uint32_t i = 0; i < clocks->blocks->len; i++) {
    const DaeClockedBlock *block = &g_array_index(clocks->blocks, DaeClockedBlock, i);
    g_free((void *)block->unknowns);
    g_free((void *)block->equations);
  }
  GArray *all[] = {clocks->parent,    clocks->extras, clocks->group_of_node, clocks->groups,
                   clocks->relations, clocks->bases,  clocks->subs,          clocks->sub_group,
                   clocks->inputs,    clocks->blocks, clocks->assertions,    clocks->initials};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  g_hash_table_destroy(clocks->node_of_clock);
  g_hash_table_destroy(clocks->atom_of_term);
  g_hash_table_destroy(clocks->pre_of_term);
  dae_model_free(clocks->unclocked);
  g_free(clocks);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeClocks, dae_clocks_free)

bool
dae_clocks_new(DaeTerms *terms, const DaeModel *model, DaeClocks **result, GError **error)
{
  *result = NULL;
  if (dae_model_n_clocks(model) == 0 && dae_model_n_clocked_atoms(model) == 0 &&
      dae_model_n_clocked_whens(model) == 0) {
    return true;
  }
  g_autoptr(DaeClocks) clocks = clocks_new(terms, model);
  if (!dae_clocks_partition(clocks, error) || !dae_clocks_infer(clocks, error) ||
      !dae_clocks_make_model(clocks, error)) {
    return false;
  }
  *result = g_steal_pointer(&clocks);
  return true;
}

/* ---- the model --------------------------------------------------------------------------- */

/* hold(v) to v. */
static DaeSubst *
held_values(const DaeClocks *clocks)
{
  DaeSubst *subst = dae_subst_new(clocks->terms);
  for (uint32_t i = 0; i < dae_model_n_clocked_atoms(clocks->model); i++) {
    const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, i);
    if (atom->kind == DAE_CLOCKED_HOLD) {
      dae_subst_set(subst, dae_term_parameter(clocks->terms, atom->symbol), atom->of);
    }
  }
  return subst;
}

/* The next clocked variable of a group, from *at on; NO_GROUP: there is none. */
static uint32_t
next_variable(const DaeClocks *clocks, uint32_t group, uint32_t *at)
{
  for (; *at < clocks->n_variables; (*at)++) {
    if (dae_clocks_group(clocks, *at) == group) {
      return (*at)++;
    }
  }
  return DAE_NO_GROUP;
}

static bool
count_fails(const DaeClocks *clocks, uint32_t group, GError **error)
{
  uint32_t n_equations = 0;
  uint32_t n_variables = 0;
  g_autoptr(GString) names = g_string_new(NULL);
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    n_equations += dae_clocks_group(clocks, clocks->n_variables + i) == group;
  }
  for (uint32_t j = 0; j < clocks->n_variables; j++) {
    if (dae_clocks_group(clocks, j) == group) {
      n_variables++;
      if (n_variables <= 10) {
        g_string_append_printf(
            names, "%s%s", n_variables > 1 ? ", " : "",
            dae_terms_symbol_name(clocks->terms, dae_model_variable(clocks->model, j)->symbol));
      } else if (n_variables == 11) {
        g_string_append(names, ", ...");
      }
    }
  }
  return dae_clocks_fail(clocks, g_array_index(clocks->groups, DaeClockGroup, group).why, error,
                         "this clocked partition has %u equation%s for %u variable%s: %s",
                         n_equations, n_equations == 1 ? "" : "s", n_variables,
                         n_variables == 1 ? "" : "s", names->str);
}

static DaeTerm
pre_atom(const DaeClocks *clocks, uint32_t j)
{
  const DaeVariable *variable = dae_model_variable(clocks->model, j);
  g_autofree char *name =
      g_strdup_printf("pre(%s)", dae_terms_symbol_name(clocks->terms, variable->symbol));
  DaeSymbol symbol = 0;
  if (!dae_terms_find_symbol(clocks->terms, name, &symbol)) {
    symbol = dae_terms_add_symbol(clocks->terms, DAE_SYMBOL_PARAMETER, name);
  }
  if (variable->type == DAE_TYPE_BOOLEAN) {
    dae_terms_set_condition(clocks->terms, symbol);
  }
  return dae_term_parameter(clocks->terms, symbol);
}

/* Equation i of a group stands for its i-th variable: v = pre(v). */
static bool
replace_equations(DaeClocks *clocks, DaeSubst *held, GArray *equations, GError **error)
{
  g_autofree uint32_t *next = g_new0(uint32_t, clocks->groups->len + 1);
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    DaeEquation equation = *dae_model_equation(clocks->model, i);
    if (equation_is_clocked(clocks, i)) {
      uint32_t group = dae_clocks_group(clocks, clocks->n_variables + i);
      uint32_t j = next_variable(clocks, group, &next[group]);
      if (j == DAE_NO_GROUP) {
        return count_fails(clocks, group, error);
      }
      equation.lhs =
          dae_term_variable(clocks->terms, dae_model_variable(clocks->model, j)->symbol, 0);
      equation.rhs = pre_atom(clocks, j);
      equation.is_discrete = true;
    } else {
      equation.lhs = dae_subst_apply(held, equation.lhs);
      equation.rhs = dae_subst_apply(held, equation.rhs);
    }
    g_array_append_val(equations, equation);
  }
  for (uint32_t group = 0; group < clocks->groups->len; group++) {
    if (g_array_index(clocks->groups, DaeClockGroup, group).is_clocked &&
        next_variable(clocks, group, &next[group]) != DAE_NO_GROUP) {
      return count_fails(clocks, group, error);
    }
  }
  return true;
}

static bool
mentions_clocked(DaeClocks *clocks, DaeTerm t, uint32_t *group)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(clocks->terms, t, variables);
  for (guint i = 0; i < variables->len; i++) {
    uint32_t j = dae_clocks_node_of_variable(clocks, g_array_index(variables, DaeTerm, i));
    if (j != DAE_NO_GROUP && dae_clocks_variable_is_clocked(clocks, j)) {
      *group = dae_clocks_group(clocks, j);
      return true;
    }
  }
  g_autoptr(GArray) atoms = dae_clocks_atoms_in(clocks, t);
  for (guint i = 0; i < atoms->len; i++) {
    uint32_t a = g_array_index(atoms, uint32_t, i);
    const DaeClockedAtom *atom = dae_model_clocked_atom(clocks->model, a);
    if (atom->kind != DAE_CLOCKED_HOLD && atom->kind != DAE_CLOCKED_SAMPLE) {
      *group = dae_clocks_group_of_source(clocks, a);
      return *group != DAE_NO_GROUP;
    }
  }
  return false;
}

/* Starts of clocked variables are values of previous(...); of discretized states
 * they count at the first tick. */
static void
take_initial_equations(DaeClocks *clocks, DaeSubst *held, GArray *initial)
{
  for (uint32_t i = 0; i < dae_model_n_initial_equations(clocks->model); i++) {
    DaeEquation equation = *dae_model_initial_equation(clocks->model, i);
    uint32_t group = 0;
    if (mentions_clocked(clocks, equation.lhs, &group) ||
        mentions_clocked(clocks, equation.rhs, &group)) {
      DaeClockedInitial given = {group, equation};
      if (equation.origin != DAE_FROM_FIXED_START ||
          !dae_model_variable(clocks->model, dae_clocks_node_of_variable(clocks, equation.lhs))
               ->is_discrete) {
        g_array_append_val(clocks->initials, given);
      }
      continue;
    }
    equation.lhs = dae_subst_apply(held, equation.lhs);
    equation.rhs = dae_subst_apply(held, equation.rhs);
    g_array_append_val(initial, equation);
  }
}

static void
take_assertions(DaeClocks *clocks, DaeSubst *held, GArray *assertions)
{
  for (uint32_t i = 0; i < dae_model_n_assertions(clocks->model); i++) {
    DaeAssertion assertion = *dae_model_assertion(clocks->model, i);
    uint32_t group = 0;
    if (mentions_clocked(clocks, assertion.condition, &group)) {
      DaeClockedAssertion clocked = {
          g_array_index(clocks->groups, DaeClockGroup, group).sub - 1, assertion};
      g_array_append_val(clocks->assertions, clocked);
      continue;
    }
    assertion.condition = dae_subst_apply(held, assertion.condition);
    g_array_append_val(assertions, assertion);
  }
}

bool
dae_clocks_make_model(DaeClocks *clocks, GError **error)
{
  const DaeModel *model = clocks->model;
  g_autoptr(DaeSubst) held = held_values(clocks);
  g_autoptr(GArray) variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  g_autoptr(GArray) parameters = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  g_autoptr(GArray) equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  g_autoptr(GArray) initial = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  g_autoptr(GArray) assertions = g_array_new(FALSE, TRUE, sizeof(DaeAssertion));
  for (uint32_t j = 0; j < clocks->n_variables; j++) {
    DaeVariable variable = *dae_model_variable(model, j);
    variable.is_discrete = variable.is_discrete || dae_clocks_variable_is_clocked(clocks, j);
    g_array_append_val(variables, variable);
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    g_array_append_val(parameters, *dae_model_parameter(model, k));
  }
  if (!replace_equations(clocks, held, equations, error)) {
    return false;
  }
  take_initial_equations(clocks, held, initial);
  take_assertions(clocks, held, assertions);
  DaeModelParts parts = dae_model_parts(model, variables, parameters, equations, initial);
  parts.assertions = (const DaeAssertion *)(void *)assertions->data;
  parts.n_assertions = assertions->len;
  parts.takes_events = true;
  parts.replaced = held;
  clocks->unclocked = dae_model_new(&parts);
  return true;
}

void
dae_clocks_take_equations(const DaeClocks *clocks, DaeHybrid *hybrid, uint8_t *is_taken)
{
  for (uint32_t j = 0; j < clocks->n_variables; j++) {
    if (dae_clocks_variable_is_clocked(clocks, j)) {
      uint32_t k = g_array_index(hybrid->discrete_of_variable, uint32_t, j) - 1;
      DaeTerm pre = dae_hybrid_pre_of(hybrid, k);
      g_array_index(hybrid->discrete, DaeDiscrete, k).value = pre;
    }
  }
  for (uint32_t i = 0; i < clocks->n_equations; i++) {
    is_taken[i] = equation_is_clocked(clocks, i);
  }
}

/* ---- queries ----------------------------------------------------------------------------- */

#define QUERIES(name, array, Type)                                                             \
  uint32_t dae_clocks_n_##name##s(const DaeClocks *clocks)                                     \
  {                                                                                            \
    return clocks != NULL ? clocks->array->len : 0;                                            \
  }                                                                                            \
                                                                                               \
  const Type *dae_clocks_##name(const DaeClocks *clocks, uint32_t i)                           \
  {                                                                                            \
    DAE_ASSERT(i < clocks->array->len);                                                        \
    return &g_array_index(clocks->array, Type, i);                                             \
  }

QUERIES(base, bases, DaeBaseClock)
QUERIES(sub, subs, DaeSubClock)
QUERIES(input, inputs, DaeClockedInput)
QUERIES(block, blocks, DaeClockedBlock)
QUERIES(assertion, assertions, DaeClockedAssertion)
