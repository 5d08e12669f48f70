/* The routine of a loop (terms/routines.h): its states, arguments and results. */
#include "reader/loops-priv.h"
#include "terms/message.h"

#include <math.h>

#include "terms/routines.h"

static void
collect_atoms(DaeTerms *terms, DaeTerm t, GArray *atoms)
{
  dae_term_collect_variables(terms, t, atoms);
  dae_term_collect_parameters(terms, t, atoms);
  if (dae_term_contains(terms, t, dae_term_time(terms))) {
    DaeTerm time = dae_term_time(terms);
    g_array_append_val(atoms, time);
  }
}

static bool
has_term(const GArray *list, DaeTerm t)
{
  for (uint32_t i = 0; i < list->len; i++) {
    if (g_array_index(list, DaeTerm, i) == t) {
      return true;
    }
  }
  return false;
}

typedef struct {
  GArray *inputs, *arguments, *states, *initial, *next; /* DaeTerm */
} Parts;

static void
init_parts(Parts *parts)
{
  GArray **const lists[] = {&parts->inputs, &parts->arguments, &parts->states, &parts->initial,
                            &parts->next};
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    *lists[i] = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  }
}

static void
clear_parts(Parts *parts)
{
  GArray *const lists[] = {parts->inputs, parts->arguments, parts->states, parts->initial,
                           parts->next};
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    g_array_free(lists[i], TRUE);
  }
}

static void
add_input(Parts *parts, DaeTerm formal, DaeTerm argument)
{
  g_array_append_val(parts->inputs, formal);
  g_array_append_val(parts->arguments, argument);
}

/* States with known values begin with these; others with an argument. */
static void
add_state(Trace *trace, Parts *parts, const Slot *slot)
{
  DaeReader *reader = trace->reader;
  DaeTerm initial = slot->actual;
  if (!dae_term_is_number(reader->terms, initial)) {
    initial = dae_trace_formal(reader);
    add_input(parts, initial, slot->actual);
  }
  g_array_append_val(parts->states, slot->formal);
  g_array_append_val(parts->initial, initial);
  g_array_append_val(parts->next, slot->next);
}

static void
add_arguments(Trace *trace, Parts *parts)
{
  DaeTerms *terms = trace->reader->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  collect_atoms(terms, trace->condition, atoms);
  for (uint32_t i = 0; i < parts->next->len; i++) {
    collect_atoms(terms, g_array_index(parts->next, DaeTerm, i), atoms);
  }
  for (uint32_t i = 0; i < trace->slots->len; i++) {
    const Slot *slot = slot_at(trace, i);
    if (!slot->is_state && has_term(atoms, slot->formal)) {
      add_input(parts, slot->formal, slot->actual);
    }
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    bool is_own = has_term(parts->inputs, atom) || has_term(parts->states, atom);
    if (!is_own) {
      add_input(parts, atom, atom);
    }
  }
}

static const DaeTerm *
terms_of(const GArray *list)
{
  return (const DaeTerm *)(const void *)list->data;
}

static char *
routine_name(const DaeReader *reader)
{
  const DaeClass *class = dae_syntax_class(reader->syntax, scope_of(reader)->class);
  return g_strdup_printf("%s.loop", dae_names_text(reader->names, class->name));
}

/* A call whose arguments are constants has numbers as values. */
static bool
evaluate_now(DaeReader *reader, uint32_t routine, const GArray *arguments, DaeTerm *values,
             uint32_t n, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  g_autofree double *inputs = g_new(double, arguments->len + 1);
  g_autofree double *outputs = g_new(double, n + 1);
  for (uint32_t i = 0; i < arguments->len; i++) {
    if (!dae_reader_double(reader, g_array_index(arguments, DaeTerm, i), &inputs[i])) {
      inputs[i] = NAN;
    }
  }
  dae_routine_run(dae_terms_routine_code(terms, routine), inputs, outputs);
  for (uint32_t k = 0; k < n; k++) {
    if (!isfinite(outputs[k])) {
      dae_source_error(reader->source, pos,
                       "this loop has no end after %u rounds, or a value in it is not defined",
                       DAE_ROUTINE_MAX_ROUNDS);
      return false;
    }
    values[k] = dae_term_from_double(terms, outputs[k]);
  }
  return true;
}

static bool
all_constant(const DaeReader *reader, const GArray *list)
{
  for (uint32_t i = 0; i < list->len; i++) {
    DaeTerm t = g_array_index(list, DaeTerm, i);
    if (dae_term_has_parameters(reader->terms, t) ||
        !dae_term_is_parametric(reader->terms, t)) {
      return false;
    }
  }
  return true;
}

/* values[i]: the state number i after the loop. False: reported. */
static bool
make_routine(Trace *trace, Parts *parts, DaeTerm *values, uint32_t pos)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  for (uint32_t i = 0; i < trace->slots->len; i++) {
    if (slot_at(trace, i)->is_state) {
      add_state(trace, parts, slot_at(trace, i));
    }
  }
  if (trace->active != DAE_NO_TERM) {
    DaeTerm active = dae_trace_formal(reader);
    trace->condition =
        dae_term_and(terms, dae_discrete_condition(terms, active), trace->condition);
    add_input(parts, active, dae_discrete_number(reader, trace->active));
  }
  add_arguments(trace, parts);
  if (parts->inputs->len == 0) {
    add_input(parts, dae_trace_formal(reader), dae_term_int(terms, 0));
  }
  g_autofree char *name = routine_name(reader);
  DaeRoutine routine = {.name = name,
                        .inputs = terms_of(parts->inputs),
                        .states = terms_of(parts->states),
                        .initial = terms_of(parts->initial),
                        .next = terms_of(parts->next),
                        .outputs = terms_of(parts->states),
                        .condition = trace->condition,
                        .n_inputs = parts->inputs->len,
                        .n_states = parts->states->len,
                        .n_outputs = parts->states->len};
  uint32_t number = dae_terms_add_routine(terms, &routine);
  if (all_constant(reader, parts->arguments)) {
    return evaluate_now(reader, number, parts->arguments, values, parts->states->len, pos);
  }
  for (uint32_t k = 0; k < parts->states->len; k++) {
    values[k] = dae_term_routine(terms, number, k, terms_of(parts->arguments));
  }
  return true;
}

static void
take_assertion(DaeReader *reader, DaeAssertion assertion, DaeTerm failed)
{
  DaeTerm literal = dae_term_call1(reader->terms, DAE_FN_NOEVENT, failed);
  assertion.condition =
      dae_term_not(reader->terms, dae_discrete_condition(reader->terms, literal));
  g_array_append_val(reader->assertions, assertion);
  dae_when_take_assertion(reader);
}

typedef struct {
  const Trace *trace;
  uint32_t owner;
} Text;

/* The value after the loop of a term in the text of an assertion. */
static DaeTerm
told_value(void *user, DaeTerm t)
{
  const Text *text = user;
  for (guint i = 0; i < text->trace->told->len; i++) {
    const Told *told = &g_array_index(text->trace->told, Told, i);
    if (told->owner == text->owner && told->term == t) {
      return slot_at(text->trace, told->slot)->next;
    }
  }
  return DAE_NO_TERM;
}

void
dae_loop_take_assertions(Trace *trace)
{
  DaeReader *reader = trace->reader;
  for (guint i = 0; i < trace->asserted->len; i++) {
    const Asserted *asserted = &g_array_index(trace->asserted, Asserted, i);
    DaeAssertion assertion = asserted->assertion;
    if (dae_message_has_values(assertion.message)) {
      Text text = {trace, asserted->slot};
      g_autofree char *message =
          dae_message_map(reader->terms, assertion.message, told_value, &text);
      assertion.message = g_string_chunk_insert_const(reader->strings, message);
    }
    take_assertion(reader, assertion, slot_at(trace, asserted->slot)->next);
  }
}

/* What the local of slot i is after the loop: it may still have no value. */
static DaeTerm
value_after(Trace *trace, uint32_t i, DaeTerm value, DaeTerm known)
{
  DaeReader *reader = trace->reader;
  const Slot *slot = slot_at(trace, i);
  value = dae_trace_from_number(reader, slot->type, value);
  if (slot->known == NO_LOCAL) {
    return value;
  }
  DAE_ASSERT(slot->known == i + 1);
  DaeTerm flag = dae_trace_from_number(reader, DAE_VALUE_BOOLEAN, known);
  if (dae_term_kind(reader->terms, flag) == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(reader->terms, flag) ? value : DAE_NO_TERM;
  }
  return dae_statement_choose(reader, flag, value, DAE_NO_TERM, slot->type);
}

/* Locals get the values after the loop; `return` inside it goes on. */
static void
set_results(Trace *trace, const DaeTerm *values, DaeTerm old_left)
{
  DaeReader *reader = trace->reader;
  DaeTerms *terms = reader->terms;
  DaeScope *scope = scope_of(reader);
  uint32_t at = 0;
  for (uint32_t i = 0; i < trace->slots->len; i++) {
    const Slot *slot = slot_at(trace, i);
    if (!slot->is_state) {
      continue;
    }
    DaeTerm value = values[at++];
    if (slot->local != NO_LOCAL) {
      DaeTerm after =
          value_after(trace, i, value, slot->known != NO_LOCAL ? values[at] : DAE_NO_TERM);
      slot = slot_at(trace, i);
      dae_statement_own_data(reader, slot->local)[slot->k] = after;
      dae_local_note(dae_local(reader, slot->local), slot->k, slot->k + 1);
    } else if (i == trace->left) {
      DaeTerm now = dae_trace_from_number(reader, DAE_VALUE_BOOLEAN, value);
      scope->left = old_left == DAE_NO_TERM ? now : dae_term_or(terms, old_left, now);
    } else {
      slot_at(trace, i)->next = value; /* flags of assertions are looked at when all is over */
    }
  }
}

bool
dae_loop_close(Trace *trace, DaeTerm left, uint32_t pos)
{
  Parts parts;
  init_parts(&parts);
  g_autofree DaeTerm *values = g_new(DaeTerm, trace->slots->len + 1);
  bool good = make_routine(trace, &parts, values, pos);
  if (good) {
    set_results(trace, values, left);
  }
  clear_parts(&parts);
  return good;
}
