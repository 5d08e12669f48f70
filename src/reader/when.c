/* When-clauses: their equations become actions with the conditions at which they are taken.
 *
 * Inside a branch equations are collected like those of a section; at its end each must give a
 * variable a value, and that variable is discrete from then on. If-equations inside are merged
 * by variable: one that is assigned in one branch only keeps pre(v) in the other. */
#include "reader/reader-priv.h"

#include <string.h>

#include "model/flat.h"
#include "reader/calls.h"

typedef struct {
  uint32_t equations, actions, conditions, branches; /* what there was before the clause */
  uint32_t branch_actions;                           /* where the branch under way begins */
  uint32_t pos;
} WhenFrame;

/* The branch under way; the arrays are copied when the clause is complete. */
typedef struct {
  uint32_t first_condition, n_conditions;
  uint32_t first_action, n_actions;
  bool is_initial;
  DaeSpan span;
  uint32_t pos;
} BranchFrame;

struct DaeWhenReader {
  WhenFrame frame;
  /* c WHEN A ELSEWHEN d WHEN B ...: one for each branch so far; 0: no clause */
  uint32_t n_open;
  GArray *branches;   /* BranchFrame */
  GArray *conditions; /* DaeTerm */
  GHashTable *owner;  /* symbol of an assigned variable -> when-clause + 1 */
};

DaeWhenReader *
dae_when_reader_new(void)
{
  DaeWhenReader *when = g_new0(DaeWhenReader, 1);
  when->branches = g_array_new(FALSE, TRUE, sizeof(BranchFrame));
  when->conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  when->owner = g_hash_table_new(NULL, NULL);
  return when;
}

void
dae_when_reader_free(DaeWhenReader *when)
{
  if (when == NULL) {
    return;
  }
  g_array_free(when->branches, TRUE);
  g_array_free(when->conditions, TRUE);
  g_hash_table_destroy(when->owner);
  g_free(when);
}

/* Is this condition initial() itself? */
static bool
is_initial_phase(const DaeReader *reader, DaeTerm condition)
{
  DaeSymbol symbol = 0;
  return dae_terms_find_symbol(reader->terms, "initial()", &symbol) &&
         condition ==
             dae_discrete_condition(reader->terms, dae_term_parameter(reader->terms, symbol));
}

/* The condition is a clock. */
static bool
is_clocked(const DaeReader *reader)
{
  DAE_ASSERT(reader->stack->len > 0);
  return g_array_index(reader->stack, DaeValue, reader->stack->len - 1).type == DAE_VALUE_CLOCK;
}

static bool
begin_clocked(DaeReader *reader, uint32_t pos)
{
  DaeValue clock = g_array_index(reader->stack, DaeValue, reader->stack->len - 1);
  g_array_set_size(reader->stack, reader->stack->len - 1);
  return dae_clock_when_begin(reader, &clock, pos);
}

static bool
open_branch(DaeReader *reader, uint32_t pos)
{
  DaeWhenReader *when = reader->when;
  DAE_ASSERT(reader->stack->len > 0);
  dae_chain_finish(reader, &g_array_index(reader->stack, DaeValue, reader->stack->len - 1));
  DaeValue value = g_array_index(reader->stack, DaeValue, reader->stack->len - 1);
  g_array_set_size(reader->stack, reader->stack->len - 1);
  if (value.type != DAE_VALUE_BOOLEAN || value.n_dims > 1) {
    dae_source_error(reader->source, pos, "a when-clause needs a condition, this is %s",
                     dae_value_type_text(&value));
    return false;
  }
  BranchFrame branch = {.first_condition = when->conditions->len,
                        .n_conditions = value.count,
                        .first_action = reader->actions->len,
                        .span = dae_source_span(reader->source, pos),
                        .pos = pos};
  for (uint32_t i = 0; i < value.count; i++) {
    DaeTerm condition = dae_value_element(&value, i);
    branch.is_initial = branch.is_initial || is_initial_phase(reader, condition);
    g_array_append_val(when->conditions, condition);
  }
  g_array_append_val(when->branches, branch);
  return true;
}

bool
dae_when_begin(DaeReader *reader, uint32_t pos)
{
  DaeWhenReader *when = reader->when;
  if (reader->clocked_when != DAE_NO_TERM) {
    dae_source_error(reader->source, pos,
                     reader->clocked_is_over ? "a clocked when-clause has no elsewhen"
                                             : "a when-clause inside a clocked one");
    return false;
  }
  if (reader->when_depth > 0) {
    dae_source_error(reader->source, pos, "when-clauses cannot be nested");
    return false;
  }
  if (when->n_open > 0) { /* elsewhen */
    when->n_open++;
    reader->when_depth = 1;
    return open_branch(reader, pos);
  }
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).mode == DAE_IF_BOTH) {
      dae_source_error(reader->source, pos,
                       "a when-clause inside an if-equation needs a condition that does not "
                       "change during the simulation");
      return false;
    }
  }
  if (reader->equations == reader->result->initial_equations) {
    dae_source_error(reader->source, pos, "when-clauses cannot be initial equations");
    return false;
  }
  if (is_clocked(reader)) {
    return begin_clocked(reader, pos);
  }
  when->frame = (WhenFrame){.equations = reader->equations->len,
                            .actions = reader->actions->len,
                            .conditions = when->conditions->len,
                            .branches = when->branches->len,
                            .pos = pos};
  when->n_open = 1;
  reader->when_depth = 1;
  return open_branch(reader, pos);
}

/* ---- assignments ------------------------------------------------------------------------- */

static bool
is_plain_variable(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_VARIABLE && dae_term_order(terms, t) == 0;
}

/* An equation of a when-clause gives a variable a value, and that
 * variable is of one when-clause only. */
bool
dae_when_check_equation(DaeReader *reader, DaeTerm target, uint32_t pos)
{
  uint32_t j = 0;
  if (!is_plain_variable(reader->terms, target) ||
      !dae_model_find_variable(reader->result, dae_term_get_symbol(reader->terms, target),
                               &j)) {
    dae_source_error(reader->source, pos,
                     "an equation in a when-clause has a variable as its left side");
    return false;
  }
  DaeSymbol symbol = dae_term_get_symbol(reader->terms, target);
  gpointer key = GUINT_TO_POINTER(symbol);
  guint clause = reader->result->whens->len + 1;
  guint owner = GPOINTER_TO_UINT(g_hash_table_lookup(reader->when->owner, key));
  if (owner != 0 && owner != clause) {
    const DaeWhen *other = dae_model_when(reader->result, owner - 1);
    dae_source_error(reader->source, pos,
                     "'%s' is assigned in two when-clauses (the other one is in line %u); use "
                     "elsewhen",
                     dae_terms_symbol_name(reader->terms, symbol), other->span.line);
    return false;
  }
  g_hash_table_insert(reader->when->owner, key, GUINT_TO_POINTER(clause));
  g_array_index(reader->result->variables, DaeVariable, j).is_discrete = true;
  return true;
}

/* The equations since the branch began become assignments. */
static void
close_branch(DaeReader *reader)
{
  DaeWhenReader *when = reader->when;
  BranchFrame *branch = &g_array_index(when->branches, BranchFrame, when->branches->len - 1);
  for (uint32_t i = when->frame.equations; i < reader->equations->len; i++) {
    const DaeEquation *equation = &g_array_index(reader->equations, DaeEquation, i);
    DaeAction action = {.kind = DAE_ACTION_ASSIGN,
                        .target = equation->lhs,
                        .value = equation->rhs,
                        .span = equation->span};
    g_array_append_val(reader->actions, action);
  }
  g_array_set_size(reader->equations, when->frame.equations);
  branch->n_actions = reader->actions->len - branch->first_action;
}

/* The variable that a branch assigns and another one does not; DAE_NO_TERM: there is none. */
static DaeTerm
only_assigned_in(const DaeReader *reader, const BranchFrame *branch, const BranchFrame *other)
{
  g_autoptr(GHashTable) targets = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < other->n_actions; i++) {
    const DaeAction *action =
        &g_array_index(reader->actions, DaeAction, other->first_action + i);
    if (action->kind == DAE_ACTION_ASSIGN) {
      g_hash_table_add(targets, GUINT_TO_POINTER(action->target));
    }
  }
  for (uint32_t i = 0; i < branch->n_actions; i++) {
    const DaeAction *action =
        &g_array_index(reader->actions, DaeAction, branch->first_action + i);
    if (action->kind == DAE_ACTION_ASSIGN &&
        !g_hash_table_contains(targets, GUINT_TO_POINTER(action->target)) &&
        !dae_text_is_auxiliary(reader, action->target)) {
      return action->target;
    }
  }
  return DAE_NO_TERM;
}

/* All branches of a when-equation assign the same variables [MLS, section 8.3.5.2]. */
static void
check_branches(const DaeReader *reader)
{
  const DaeWhenReader *when = reader->when;
  const BranchFrame *first = &g_array_index(when->branches, BranchFrame, when->frame.branches);
  const BranchFrame *last =
      &g_array_index(when->branches, BranchFrame, when->branches->len - 1);
  DaeTerm here = only_assigned_in(reader, last, first);
  DaeTerm there = only_assigned_in(reader, first, last);
  if (here != DAE_NO_TERM || there != DAE_NO_TERM) {
    g_autofree char *name =
        dae_term_to_string(reader->terms, here != DAE_NO_TERM ? here : there);
    dae_source_error(reader->source, last->pos,
                     "'%s' is assigned in %s branch of this when-clause and not in %s: all "
                     "branches have the same left sides",
                     name, here != DAE_NO_TERM ? "this" : "the first",
                     here != DAE_NO_TERM ? "the first one" : "this one");
  }
}

void
dae_when_otherwise(DaeReader *reader)
{
  if (reader->clocked_when != DAE_NO_TERM) {
    reader->clocked_is_over = true;
    return;
  }
  close_branch(reader);
  check_branches(reader);
  reader->when_depth = 0;
}

/* Copies what was collected into the model. */
void
dae_when_end(DaeReader *reader)
{
  if (reader->clocked_when != DAE_NO_TERM) {
    dae_clock_when_end(reader);
    return;
  }
  DaeWhenReader *when = reader->when;
  const WhenFrame *frame = &when->frame;
  when->n_open--;
  if (when->n_open > 0) {
    return;
  }
  uint32_t n = when->branches->len - frame->branches;
  DaeWhenBranch *branches = g_new0(DaeWhenBranch, n);
  for (uint32_t b = 0; b < n; b++) {
    const BranchFrame *from = &g_array_index(when->branches, BranchFrame, frame->branches + b);
    branches[b] = (DaeWhenBranch){
        .conditions =
            g_memdup2(&g_array_index(when->conditions, DaeTerm, from->first_condition),
                      from->n_conditions * sizeof(DaeTerm)),
        .n_conditions = from->n_conditions,
        .is_initial = from->is_initial,
        .actions = from->n_actions == 0 ? NULL
                                        : g_memdup2(&g_array_index(reader->actions, DaeAction,
                                                                   from->first_action),
                                                    from->n_actions * sizeof(DaeAction)),
        .n_actions = from->n_actions,
        .span = from->span};
  }
  dae_text_keep_values(reader, branches, n, frame->pos);
  DaeWhen done = {branches, n, dae_source_span(reader->source, frame->pos)};
  g_array_append_val(reader->result->whens, done);
  g_array_set_size(when->branches, frame->branches);
  g_array_set_size(when->conditions, frame->conditions);
  g_array_set_size(reader->actions, frame->actions);
}

void
dae_when_abandon(DaeReader *reader)
{
  DaeWhenReader *when = reader->when;
  reader->clocked_when = DAE_NO_TERM;
  if (when->n_open > 0) {
    when->n_open = 0;
    g_array_set_size(when->branches, when->frame.branches);
    g_array_set_size(when->conditions, when->frame.conditions);
    g_array_set_size(reader->actions, when->frame.actions);
    g_array_set_size(reader->equations, when->frame.equations);
    reader->when_depth = 0;
  }
}

/* ---- if-equations inside ----------------------------------------------------------------- */

static DaeTerm
pre_of_target(DaeReader *reader, DaeTerm target)
{
  DaeSymbol symbol = dae_term_get_symbol(reader->terms, target);
  uint32_t j = 0;
  bool is_boolean = dae_model_find_variable(reader->result, symbol, &j) &&
                    dae_model_variable(reader->result, j)->type == DAE_TYPE_BOOLEAN;
  DaeTerm t = is_boolean ? dae_discrete_condition(reader->terms, target) : target;
  DaeValue value = dae_value_scalar(is_boolean ? DAE_VALUE_BOOLEAN : DAE_VALUE_REAL, t);
  DaeValue before = dae_operator_pre(reader, &value, reader->when->frame.pos);
  return is_boolean ? dae_discrete_number(reader, before.term) : before.term;
}

/* Equations of both branches by variable: lhs = if condition then a else b. */
void
dae_when_merge(DaeReader *reader, const DaeIfFrame *frame)
{
  DaeTerms *terms = reader->terms;
  g_autoptr(GArray) merged = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t i = frame->equations; i < reader->equations->len; i++) {
    DaeEquation equation = g_array_index(reader->equations, DaeEquation, i);
    bool in_then = i < frame->equations_middle;
    uint32_t at = 0;
    while (at < merged->len && g_array_index(merged, DaeEquation, at).lhs != equation.lhs) {
      at++;
    }
    if (at == merged->len) {
      DaeTerm keep = pre_of_target(reader, equation.lhs);
      equation.rhs = dae_term_if(terms, frame->condition, in_then ? equation.rhs : keep,
                                 in_then ? keep : equation.rhs);
      g_array_append_val(merged, equation);
    } else {
      DaeEquation *old = &g_array_index(merged, DaeEquation, at);
      DaeTerm other = dae_term_operand(terms, old->rhs, in_then ? 2 : 1);
      old->rhs = dae_term_if(terms, frame->condition, in_then ? equation.rhs : other,
                             in_then ? other : equation.rhs);
    }
  }
  g_array_set_size(reader->equations, frame->equations);
  g_array_append_vals(reader->equations, merged->data, merged->len);
  for (uint32_t i = frame->actions; i < reader->actions->len; i++) {
    DaeAction *action = &g_array_index(reader->actions, DaeAction, i);
    DaeTerm own =
        i < frame->actions_middle ? frame->condition : dae_term_not(terms, frame->condition);
    action->condition =
        action->condition == DAE_NO_TERM ? own : dae_term_and(terms, own, action->condition);
  }
}

/* ---- reinit, terminate, assert ----------------------------------------------------------- */

static bool
add_reinit(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (n != 2 || !dae_value_is_numeric(&arguments[0]) || !dae_value_is_numeric(&arguments[1]) ||
      !dae_value_same_size(&arguments[0], &arguments[1])) {
    dae_source_error(reader->source, pos, "'reinit' takes a variable and its new value");
    return false;
  }
  for (uint32_t i = 0; i < arguments[0].count; i++) {
    DaeAction action = {.kind = DAE_ACTION_REINIT,
                        .target = dae_value_element(&arguments[0], i),
                        .value = dae_value_element(&arguments[1], i),
                        .span = dae_source_span(reader->source, pos)};
    if (!is_plain_variable(terms, action.target)) {
      dae_source_error(reader->source, pos, "'reinit' takes a variable and its new value");
      return false;
    }
    g_array_append_val(reader->actions, action);
  }
  return true;
}

/* Outside of when-clauses: whenever this place is reached. */
static bool
terminate_anywhere(DaeReader *reader, const char *message, uint32_t pos)
{
  const DaeScope *scope = reader->scopes->len > 0 ? &g_array_index(reader->scopes, DaeScope,
                                                                   reader->scopes->len - 1)
                                                  : NULL;
  if (scope != NULL && !scope->is_section) {
    dae_source_error(reader->source, pos, "a function cannot call 'terminate'");
    return false;
  }
  if (!reader->is_structural) {
    DaeTerm gone = dae_equations_passed_by(reader);
    DaeAssertion assertion = {
        .condition = gone != DAE_NO_TERM ? gone : dae_term_bool(reader->terms, false),
        .message = g_string_chunk_insert_const(reader->strings, message),
        .is_terminate = true,
        .span = dae_source_span(reader->source, pos)};
    g_array_append_val(reader->assertions, assertion);
  }
  return true;
}

static bool
add_terminate(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  if (n != 1 || arguments[0].type != DAE_VALUE_STRING || arguments[0].n_dims > 0) {
    dae_source_error(reader->source, pos, "'terminate' takes a message");
    return false;
  }
  if (reader->when_depth == 0) {
    return terminate_anywhere(reader, dae_names_text(reader->names, arguments[0].term), pos);
  }
  DaeAction action = {.kind = DAE_ACTION_TERMINATE,
                      .span = dae_source_span(reader->source, pos)};
  action.message =
      dae_flat_string(reader->result, dae_names_text(reader->names, arguments[0].term));
  g_array_append_val(reader->actions, action);
  return true;
}

bool
dae_when_statement(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
                   uint32_t pos, bool *found)
{
  bool is_reinit = strcmp(name, "reinit") == 0;
  if (is_reinit && reader->scopes->len > 0) {
    *found = true;
    dae_source_error(reader->source, pos, "'reinit' stands in when-equations only");
    return false;
  }
  *found = is_reinit || strcmp(name, "terminate") == 0;
  if (!*found) {
    return false;
  }
  if (reader->when_depth == 0 && is_reinit) {
    dae_source_error(reader->source, pos, "'%s' stands in when-clauses only", name);
    return false;
  }
  return is_reinit ? add_reinit(reader, arguments, n, pos)
                   : add_terminate(reader, arguments, n, pos);
}

/* An assertion that was just read: in a when-clause it is looked at when the clause is active,
 * under the conditions around it (branches of if-expressions, too). */
void
dae_when_take_assertion(DaeReader *reader)
{
  if (reader->when_depth == 0 || reader->n_traces > 0) {
    return;
  }
  DaeAssertion assertion =
      g_array_index(reader->assertions, DaeAssertion, reader->assertions->len - 1);
  g_array_set_size(reader->assertions, reader->assertions->len - 1);
  DaeAction action = {.kind = DAE_ACTION_ASSERT,
                      .value = assertion.condition,
                      .message = dae_flat_string(reader->result, assertion.message),
                      .is_warning = assertion.is_warning,
                      .span = assertion.span};
  g_array_append_val(reader->actions, action);
  DaeTerm gone = reader->scopes->len > 0 ? dae_statement_gone(reader) : DAE_NO_TERM;
  dae_when_statement_act(reader, gone, reader->actions->len - 1);
}
