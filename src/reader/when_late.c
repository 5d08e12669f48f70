/* When-clauses that nobody wrote: assertions of initial sections count during the initialization
 * only, and terminate() outside of when-clauses ends a run when its path is taken. Both are
 * collected like assertions, under the conditions around them; here they become clauses. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"

static DaeWhen
clause(const DaeTerm *conditions, uint32_t n, const DaeAction *action)
{
  DaeWhenBranch *branch = g_new0(DaeWhenBranch, 1);
  *branch = (DaeWhenBranch){.conditions = g_memdup2(conditions, n * sizeof(DaeTerm)),
                            .n_conditions = n,
                            .is_initial = true,
                            .actions = g_memdup2(action, sizeof *action),
                            .n_actions = 1,
                            .span = action->span};
  return (DaeWhen){branch, 1, action->span};
}

/* when initial() then assert(...); end when */
static DaeWhen
initial_assertion(DaeReader *reader, const DaeAssertion *assertion)
{
  DaeTerm initial = dae_operator_initial(reader, 0);
  DaeAction action = {.kind = DAE_ACTION_ASSERT,
                      .value = assertion->condition,
                      .message = dae_flat_string(reader->result, assertion->message),
                      .is_warning = assertion->is_warning,
                      .span = assertion->span};
  return clause(&initial, 1, &action);
}

/* not t, without the constants that conditions of branches begin with. */
static DaeTerm
negation(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeKind kind = dae_term_kind(terms, t);
  dae_term_operands(terms, t, &n);
  if (kind == DAE_KIND_BOOLEAN) {
    return dae_term_bool(terms, !dae_term_get_bool(terms, t));
  }
  if (kind == DAE_KIND_NOT) {
    return dae_term_operand(terms, t, 0);
  }
  if (kind != DAE_KIND_OR) {
    return dae_term_not(terms, t);
  }
  DaeTerm all = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm part = negation(terms, dae_term_operand(terms, t, i));
    if (dae_term_kind(terms, part) != DAE_KIND_BOOLEAN || !dae_term_get_bool(terms, part)) {
      all = all == DAE_NO_TERM ? part : dae_term_and(terms, all, part);
    }
  }
  return all != DAE_NO_TERM ? all : dae_term_bool(terms, true);
}

/* when {initial(), c} then if c then terminate(...); end if; end when: also where c holds from the
 * beginning. */
static DaeWhen
termination(DaeReader *reader, const DaeAssertion *assertion)
{
  DaeTerm reached = negation(reader->terms, assertion->condition);
  bool is_always = dae_term_kind(reader->terms, reached) == DAE_KIND_BOOLEAN &&
                   dae_term_get_bool(reader->terms, reached);
  DaeTerm conditions[] = {dae_operator_initial(reader, 0), reached};
  DaeAction action = {.kind = DAE_ACTION_TERMINATE,
                      .condition = is_always ? DAE_NO_TERM : reached,
                      .message = dae_flat_string(reader->result, assertion->message),
                      .span = assertion->span};
  return clause(conditions, is_always ? 1 : 2, &action);
}

void
dae_when_late_clauses(DaeReader *reader)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < reader->assertions->len; i++) {
    const DaeAssertion assertion = g_array_index(reader->assertions, DaeAssertion, i);
    bool is_clause =
        assertion.is_terminate ||
        (assertion.is_initial && !dae_term_is_parametric(reader->terms, assertion.condition));
    if (is_clause) {
      DaeWhen when = assertion.is_terminate ? termination(reader, &assertion)
                                            : initial_assertion(reader, &assertion);
      g_array_append_val(reader->result->whens, when);
    } else {
      g_array_index(reader->assertions, DaeAssertion, kept++) = assertion;
    }
  }
  g_array_set_size(reader->assertions, kept);
}

/* The same call of print() or of a function of files may be executed several times while a model is
 * read: in the value of a parameter, in an equation. Statements of a section are executed once. */
static bool
is_printed_already(const DaeReader *reader, const DaeAction *action)
{
  for (uint32_t i = 0; i < reader->result->whens->len; i++) {
    const DaeWhen *when = &g_array_index(reader->result->whens, DaeWhen, i);
    const DaeAction *other = when->branches[0].actions;
    if (when->branches[0].n_actions == 1 && other->print_to != NULL &&
        other->file_act == action->file_act && strcmp(other->print_to, action->print_to) == 0 &&
        strcmp(other->message, action->message) == 0 && other->span.line == action->span.line &&
        other->span.column == action->span.column) {
      return true;
    }
  }
  return false;
}

bool
dae_when_file(DaeReader *reader, DaeFileAct act, const char *message, const char *file,
              uint32_t pos)
{
  bool is_later = reader->when_depth > 0;
  if (reader->is_structural || reader->n_traces > 0 || (!is_later && *file == '\0')) {
    return false;
  }
  DaeAction action = {.kind = DAE_ACTION_ASSERT,
                      .value = dae_term_bool(reader->terms, false),
                      .message = dae_flat_string(reader->result, message),
                      .is_warning = true,
                      .print_to = dae_flat_string(reader->result, file),
                      .file_act = act,
                      .span = dae_source_span(reader->source, pos)};
  if (is_later) {
    g_array_append_val(reader->actions, action);
    DaeTerm gone = reader->scopes->len > 0 ? dae_statement_gone(reader) : DAE_NO_TERM;
    dae_when_statement_act(reader, gone, reader->actions->len - 1);
    return true;
  }
  DaeTerm initial = dae_operator_initial(reader, 0);
  DaeTerm gone = dae_equations_passed_by(reader);
  if (gone != DAE_NO_TERM) {
    action.condition = negation(reader->terms, gone);
  }
  bool is_once =
      reader->scopes->len > 0 && g_array_index(reader->scopes, DaeScope, 0).is_section;
  if (is_once || !is_printed_already(reader, &action)) {
    DaeWhen when = clause(&initial, 1, &action);
    g_array_append_val(reader->result->whens, when);
  }
  return true;
}
