/* When-statements of algorithm sections [language specification, 11.2.7].
 *
 * Each condition gets a Boolean variable of the model, '$when1' = condition, with the values
 * that names have at this place. The branch is active where one of them becomes true, or by
 * initial(); the statements inside are executed like those of an if-statement with that
 * condition. So later assignments win, and what no branch assigns keeps the value of the
 * section's begin, which is pre(v). */
#include "reader/calls.h"

#include "model/flat.h"

/* A Boolean variable that is not among the names of the model. */
static DaeTerm
add_condition_variable(DaeReader *reader, DaeTerm condition, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  g_autofree char *name = NULL;
  DaeSymbol symbol = 0;
  do {
    g_free(name);
    name = g_strdup_printf("'$when%u'", ++reader->n_conditions);
  } while (dae_terms_find_symbol(terms, name, &symbol));
  symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
  g_hash_table_add(reader->boolean_symbols, GUINT_TO_POINTER(symbol));
  dae_terms_set_condition(terms, symbol);
  DaeVariable variable = {.symbol = symbol,
                          .type = DAE_TYPE_BOOLEAN,
                          .is_protected = true,
                          .is_auxiliary = true,
                          .is_discrete = true,
                          .span = dae_source_span(reader->source, pos)};
  dae_flat_add_variable(reader->result, &variable);
  DaeTerm t = dae_term_variable(terms, symbol, 0);
  DaeEquation equation = {.lhs = t,
                          .rhs = dae_discrete_number(reader, condition),
                          .span = variable.span,
                          .is_discrete = true};
  g_array_append_val(reader->equations, equation);
  return dae_discrete_condition(terms, t);
}

DaeTerm
dae_when_statement_literal(const DaeReader *reader, DaeTerm t)
{
  if (t == DAE_NO_TERM || reader->when_depth == 0 || reader->scopes->len == 0 ||
      !g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).is_section ||
      dae_term_is_parametric(reader->terms, t)) {
    return t;
  }
  return dae_term_call1(reader->terms, DAE_FN_NOEVENT, t);
}

/* b and not pre(b) for the variable b of the condition. */
static DaeTerm
edge_of(DaeReader *reader, DaeTerm condition, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeTerm now = add_condition_variable(reader, condition, pos);
  DaeValue value = dae_value_scalar(DAE_VALUE_BOOLEAN, now);
  DaeTerm before = dae_operator_pre(reader, &value, pos).term;
  return dae_term_and(terms, now, dae_term_not(terms, before));
}

/* During the initialization a branch is active only by initial(), afterwards by an edge. */
static DaeTerm
activity(DaeReader *reader, const DaeValue *conditions, bool *is_initial, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeTerm initial = dae_operator_initial(reader, pos);
  DaeTerm edges = DAE_NO_TERM;
  *is_initial = false;
  for (uint32_t i = 0; i < conditions->count; i++) {
    DaeTerm condition = dae_value_element(conditions, i);
    if (condition == initial) {
      *is_initial = true;
      continue;
    }
    DaeTerm edge = edge_of(reader, condition, pos);
    edges = edges == DAE_NO_TERM ? edge : dae_term_or(terms, edges, edge);
  }
  if (edges == DAE_NO_TERM) {
    return *is_initial ? initial : dae_term_bool(terms, false);
  }
  DaeTerm later = dae_term_and(terms, dae_term_not(terms, initial), edges);
  return *is_initial ? dae_term_or(terms, initial, later) : later;
}

static bool
is_allowed(DaeReader *reader, uint32_t pos)
{
  const DaeScope *scope = &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
  if (!scope->is_section) {
    dae_source_error(reader->source, pos, "a function cannot have when-statements");
    return false;
  }
  if (reader->equations == reader->result->initial_equations) {
    dae_source_error(reader->source, pos, "an initial algorithm cannot have when-statements");
    return false;
  }
  if (reader->when_depth > 0) {
    dae_source_error(reader->source, pos, "when-statements cannot be nested");
    return false;
  }
  for (uint32_t i = scope->first_if; i < reader->ifs->len; i++) {
    const DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, i);
    if (frame->mode == DAE_IF_BOTH && !frame->is_when) {
      dae_source_error(
          reader->source, pos,
          "a when-statement inside an if-statement needs a condition that does not "
          "change during the simulation");
      return false;
    }
  }
  return true;
}

bool
dae_when_statement_begin(DaeReader *reader, bool *is_initial, uint32_t pos)
{
  DAE_ASSERT(reader->stack->len > 0 && reader->scopes->len > 0);
  DaeValue *top = &g_array_index(reader->stack, DaeValue, reader->stack->len - 1);
  dae_chain_finish(reader, top);
  if (!is_allowed(reader, pos)) {
    return false;
  }
  if (top->type != DAE_VALUE_BOOLEAN || top->n_dims > 1) {
    dae_source_error(reader->source, pos, "a when-statement needs a condition, this is %s",
                     dae_value_type_text(top));
    return false;
  }
  DaeValue conditions = *top;
  DaeTerm active = activity(reader, &conditions, is_initial, pos);
  g_array_index(reader->stack, DaeValue, reader->stack->len - 1) =
      dae_value_scalar(DAE_VALUE_BOOLEAN, active);
  return true;
}

/* ---- terminate, assert ------------------------------------------------------------------- */

static DaeTerm
both(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return a == DAE_NO_TERM ? b : dae_term_and(terms, a, b);
}

/* When the statement under way is reached: by its when and those whose elsewhen it is, and by
 * the if-statements inside, also those of functions that are called there. */
static void
path_conditions(const DaeReader *reader, DaeTerm *active, DaeTerm *inside, bool *is_initial)
{
  DaeTerms *terms = reader->terms;
  bool earlier_initial = false;
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    const DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, i);
    if (frame->mode != DAE_IF_BOTH) {
      continue;
    }
    bool in_else = frame->in_else || frame->taken != NULL;
    DaeTerm own = in_else ? dae_term_not(terms, frame->condition) : frame->condition;
    if (frame->is_when) {
      *active = both(terms, *active, own);
      *is_initial = !in_else && frame->is_initial && !earlier_initial;
      earlier_initial = earlier_initial || frame->is_initial;
    } else {
      *inside = both(terms, *inside, own);
    }
  }
}

bool
dae_when_is_statement(const DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).is_when) {
      return true;
    }
  }
  return false;
}

DaeTerm
dae_when_statement_path(const DaeReader *reader)
{
  DaeTerms *terms = reader->terms;
  DaeTerm gone = reader->scopes->len > 0 ? dae_statement_gone(reader) : DAE_NO_TERM;
  DaeTerm active = DAE_NO_TERM;
  DaeTerm inside = gone != DAE_NO_TERM ? dae_term_not(terms, gone) : DAE_NO_TERM;
  bool is_initial = false;
  path_conditions(reader, &active, &inside, &is_initial);
  DaeTerm all = inside == DAE_NO_TERM ? active : both(terms, active, inside);
  return all != DAE_NO_TERM ? all : dae_term_bool(terms, true);
}

void
dae_when_statement_act(DaeReader *reader, DaeTerm gone, uint32_t first)
{
  DaeTerms *terms = reader->terms;
  DaeTerm active = DAE_NO_TERM;
  DaeTerm inside = gone != DAE_NO_TERM ? dae_term_not(terms, gone) : DAE_NO_TERM;
  bool is_initial = false;
  path_conditions(reader, &active, &inside, &is_initial);
  for (uint32_t i = first; i < reader->actions->len; i++) {
    DaeAction *action = &g_array_index(reader->actions, DaeAction, i);
    action->condition =
        inside == DAE_NO_TERM ? action->condition : both(terms, action->condition, inside);
  }
  if (active == DAE_NO_TERM) {
    return; /* a function called in a when-equation: they are actions of that */
  }
  for (uint32_t i = first; i < reader->actions->len; i++) {
    DaeAction action = g_array_index(reader->actions, DaeAction, i);
    DaeTerm conditions[2] = {active, is_initial ? dae_operator_initial(reader, 0) : 0};
    DaeWhenBranch branch = {.conditions = g_memdup2(conditions, sizeof conditions),
                            .n_conditions = is_initial ? 2 : 1,
                            .is_initial = is_initial,
                            .actions = g_memdup2(&action, sizeof action),
                            .n_actions = 1,
                            .span = action.span};
    DaeWhen when = {g_memdup2(&branch, sizeof branch), 1, action.span};
    g_array_append_val(reader->result->whens, when);
  }
  g_array_set_size(reader->actions, first);
}
