/* When-clauses written out [language specification, 8.3.5]: a Boolean for each condition,
 * values that stay as they were, and actions with the condition at which they are taken. */
#include "hybrid/hybrid-priv.h"

static DaeTerm
condition_of(DaeTerms *terms, DaeTerm number)
{
  return dae_term_relation(terms, DAE_REL_GT, number, dae_term_ratio(terms, 1, 2));
}

static DaeTerm
number_of(DaeTerms *terms, DaeTerm condition)
{
  return dae_term_if(terms, condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
}

/* The hidden Boolean of a condition: one for all clauses that have the same. */
static uint32_t
hidden_boolean(DaeHybrid *hybrid, DaeTerm condition, DaeSpan span)
{
  DaeTerm value = number_of(hybrid->terms, dae_hybrid_translate(hybrid, condition));
  gpointer known = g_hash_table_lookup(hybrid->hidden, GUINT_TO_POINTER(value));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  g_autofree char *name = g_strdup_printf("$when_%u", hybrid->discrete->len + 1);
  uint32_t k = dae_hybrid_add_hidden(hybrid, name, value, span);
  g_hash_table_insert(hybrid->hidden, GUINT_TO_POINTER(value), GUINT_TO_POINTER(k + 1));
  return k;
}

/* edge(b) of the hidden Boolean of a condition. */
static DaeTerm
edge_of_condition(DaeHybrid *hybrid, DaeTerm condition, DaeSpan span)
{
  DaeTerms *terms = hybrid->terms;
  uint32_t k = hidden_boolean(hybrid, condition, span);
  DaeTerm now = condition_of(terms, g_array_index(hybrid->discrete, DaeDiscrete, k).now);
  DaeTerm before = condition_of(terms, dae_hybrid_pre_of(hybrid, k));
  return dae_term_and(terms, now, dae_term_not(terms, before));
}

/* When is the branch active? During the initialization only by initial(), else by an edge. */
static DaeTerm
activity(DaeHybrid *hybrid, const DaeWhenBranch *branch)
{
  DaeTerms *terms = hybrid->terms;
  DaeTerm initial = condition_of(terms, hybrid->initial_atom);
  DaeTerm edges = dae_term_bool(terms, false);
  for (uint32_t i = 0; i < branch->n_conditions; i++) {
    if (branch->conditions[i] == initial) {
      continue;
    }
    DaeTerm edge = edge_of_condition(hybrid, branch->conditions[i], branch->span);
    bool first = dae_term_kind(terms, edges) == DAE_KIND_BOOLEAN;
    edges = first ? edge : dae_term_or(terms, edges, edge);
  }
  DaeTerm later = dae_term_and(terms, dae_term_not(terms, initial), edges);
  return branch->is_initial ? dae_term_or(terms, initial, later) : later;
}

/* In the body of a when-clause relations are taken literally: they hold at the instant and make no
 * events [MLS, 8.5]. */
static DaeTerm
literal(DaeHybrid *hybrid, DaeTerm t)
{
  DaeTerms *terms = hybrid->terms;
  DaeTerm value = dae_hybrid_translate(hybrid, t);
  if (!dae_term_has_varying_break(terms, value)) {
    return value;
  }
  DaeKind kind = dae_term_kind(terms, value);
  bool is_condition = kind == DAE_KIND_RELATION || kind == DAE_KIND_AND ||
                      kind == DAE_KIND_OR || kind == DAE_KIND_NOT;
  if (!is_condition) {
    return dae_term_call1(terms, DAE_FN_NOEVENT, value);
  }
  DaeTerm number = dae_term_if(terms, value, dae_term_int(terms, 1), dae_term_int(terms, 0));
  return dae_term_relation(terms, DAE_REL_GT, dae_term_call1(terms, DAE_FN_NOEVENT, number),
                           dae_term_ratio(terms, 1, 2));
}

/* Puts `value if active` in front of what later branches give the variable. */
static void
assign(DaeHybrid *hybrid, const DaeAction *action, DaeTerm active)
{
  DaeTerms *terms = hybrid->terms;
  uint32_t j = 0;
  bool found =
      dae_model_find_variable(hybrid->model, dae_term_get_symbol(terms, action->target), &j);
  DAE_ASSERT(found);
  uint32_t k = g_array_index(hybrid->discrete_of_variable, uint32_t, j) - 1;
  DaeTerm pre = dae_hybrid_pre_of(hybrid, k);
  DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
  DaeTerm otherwise = discrete->value != DAE_NO_TERM ? discrete->value : pre;
  discrete->value = dae_term_if(terms, active, literal(hybrid, action->value), otherwise);
  discrete->is_when = true;
  discrete->span = action->span;
}

static void
act(DaeHybrid *hybrid, const DaeAction *action, DaeTerm active)
{
  DaeTerms *terms = hybrid->terms;
  DaeHybridAction result = {.kind = action->kind,
                            .condition = active,
                            .target = action->target,
                            .message = action->message,
                            .is_warning = action->is_warning,
                            .print_to = action->print_to,
                            .file_act = action->file_act,
                            .span = action->span};
  if (action->value != DAE_NO_TERM) {
    result.value = literal(hybrid, action->value);
  }
  if (action->condition != DAE_NO_TERM) {
    result.condition = dae_term_and(terms, active, literal(hybrid, action->condition));
  }
  g_array_append_val(hybrid->actions, result);
}

static void
lower_when(DaeHybrid *hybrid, const DaeWhen *when)
{
  DaeTerms *terms = hybrid->terms;
  g_autofree DaeTerm *active = g_new0(DaeTerm, when->n_branches + 1);
  DaeTerm earlier = DAE_NO_TERM;
  for (uint32_t b = 0; b < when->n_branches; b++) {
    DaeTerm own = activity(hybrid, &when->branches[b]);
    active[b] = own;
    if (earlier != DAE_NO_TERM) {
      active[b] = dae_term_and(terms, own, dae_term_not(terms, earlier));
    }
    earlier = earlier == DAE_NO_TERM ? own : dae_term_or(terms, earlier, own);
  }
  for (uint32_t b = when->n_branches; b-- > 0;) {
    const DaeWhenBranch *branch = &when->branches[b];
    for (uint32_t i = 0; i < branch->n_actions; i++) {
      const DaeAction *action = &branch->actions[i];
      if (action->kind == DAE_ACTION_ASSIGN) {
        assign(hybrid, action, active[b]);
      } else {
        act(hybrid, action, active[b]);
      }
    }
  }
}

void
dae_hybrid_lower_whens(DaeHybrid *hybrid)
{
  for (uint32_t i = 0; i < dae_model_n_whens(hybrid->model); i++) {
    lower_when(hybrid, dae_model_when(hybrid->model, i));
  }
}
