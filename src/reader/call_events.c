/* Events and functions [language specification, 3.8.5, 12.4].
 *
 * Relations inside a function make no events, those in its arguments do. A body without jumps
 * leaves them as they are; where it has its own the result stands inside noEvent, and what jumps
 * in the arguments becomes a variable of the model, '$argument1' = x > 0.5. */
#include "reader/calls.h"
#include "terms/routines.h"

#include <limits.h>
#include <string.h>

#include "model/flat.h"

static bool
is_jump(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  if (kind != DAE_KIND_CALL) {
    return kind == DAE_KIND_RELATION;
  }
  const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
  return facts->breaks || facts->kind == DAE_CLASS_ELEMENT || facts->kind == DAE_CLASS_ROUTINE;
}

static uint8_t
type_at(const DaeValue *value, uint32_t k)
{
  return value->type == DAE_VALUE_RECORD ? value->layout->types[k % value->layout->width]
                                         : (uint8_t)value->type;
}

static bool
holds_terms(uint8_t type)
{
  return type == DAE_VALUE_REAL || type == DAE_VALUE_INTEGER || type == DAE_VALUE_BOOLEAN;
}

/* What may jump in the arguments: relations and functions. (transfer full) NULL: nothing. */
static GHashTable *
jumps_of_arguments(DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  DaeTerms *terms = reader->terms;
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  GHashTable *jumps = NULL;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM); /* what they share only once */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count =
        given[i] != NULL && !given[i]->opaque ? given[i]->count * dae_value_width(given[i]) : 0;
    for (uint32_t k = 0; k < count; k++) {
      DaeTerm argument =
          holds_terms(type_at(given[i], k)) ? dae_value_scalar_at(given[i], k) : DAE_NO_TERM;
      if (argument == DAE_NO_TERM || !dae_term_has_break(terms, argument)) {
        continue;
      }
      jumps = jumps != NULL ? jumps : g_hash_table_new(NULL, NULL);
      dae_visit_add(visit, argument);
      for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
        if (is_jump(terms, t)) {
          g_hash_table_add(jumps, GUINT_TO_POINTER(t));
        }
        dae_visit_enter(visit, t);
      }
    }
  }
  return jumps;
}

/* Does t jump where its arguments do, and nowhere else? Those stand outside of the function. */
static bool
jumps_with_arguments(DaeTerms *terms, DaeTerm t, GHashTable *jumps)
{
  if (jumps == NULL) {
    return false;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm at = dae_visit_next(visit); at != DAE_NO_TERM; at = dae_visit_next(visit)) {
    if (g_hash_table_contains(jumps, GUINT_TO_POINTER(at))) {
      continue;
    }
    if (is_jump(terms, at)) {
      return false;
    }
    dae_visit_enter(visit, at);
  }
  return true;
}

/* ---- jumps of arguments where the function has its own ----------------------------------- */

/* A variable that is not among the names of the model, with its equation. */
static DaeTerm
add_variable(DaeReader *reader, DaeTerm value, bool is_truth, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  g_autofree char *name = NULL;
  DaeSymbol symbol = 0;
  uint32_t k = g_hash_table_size(reader->hoisted);
  do {
    g_free(name);
    name = g_strdup_printf("'$argument%u'", ++k);
  } while (dae_terms_find_symbol(terms, name, &symbol));
  symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
  if (is_truth) {
    g_hash_table_add(reader->boolean_symbols, GUINT_TO_POINTER(symbol));
    dae_terms_set_condition(terms, symbol);
  }
  DaeVariable variable = {.symbol = symbol,
                          .type = is_truth ? DAE_TYPE_BOOLEAN : DAE_TYPE_REAL,
                          .is_protected = true,
                          .is_auxiliary = true,
                          .is_discrete = is_truth,
                          .span = dae_source_span(reader->source, pos)};
  dae_flat_add_variable(reader->result, &variable);
  DaeTerm t = dae_term_variable(terms, symbol, 0);
  DaeEquation equation = {.lhs = t,
                          .rhs = is_truth ? dae_discrete_number(reader, value) : value,
                          .span = variable.span,
                          .is_discrete = is_truth};
  g_array_append_val(reader->hoisted_equations, equation);
  return is_truth ? dae_discrete_condition(terms, t) : t;
}

/* The same as t, outside of the function. */
static DaeTerm
hoisted(DaeReader *reader, DaeTerm t, uint32_t pos)
{
  if (reader->hoisted == NULL) {
    reader->hoisted = g_hash_table_new(NULL, NULL);
    reader->hoisted_equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  }
  DaeTerm known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->hoisted, GUINT_TO_POINTER(t)));
  if (known == DAE_NO_TERM) {
    known = add_variable(reader, t, dae_term_kind(reader->terms, t) == DAE_KIND_RELATION, pos);
    g_hash_table_insert(reader->hoisted, GUINT_TO_POINTER(t), GUINT_TO_POINTER(known));
  }
  return known;
}

/* Does it make events where it stands in a model? */
static bool
makes_events(const DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  if (dae_term_is_parametric(terms, t)) {
    return false;
  }
  if (dae_term_kind(terms, t) == DAE_KIND_RELATION) {
    DaeTerm number = dae_discrete_number(reader, t); /* a Boolean variable makes none */
    return dae_term_kind(terms, number) != DAE_KIND_VARIABLE;
  }
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_function_facts(dae_term_function(terms, t))->rounds;
}

static bool
is_mark(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         (dae_term_function(terms, t) == DAE_FN_NOEVENT ||
          dae_term_function(terms, t) == DAE_FN_SMOOTH);
}

/* The outermost jumps of the arguments inside t as variables of the model, whose equations make
 * the events that the function must not hide. Inside a routine nothing makes events, and its
 * formals mean nothing outside of it. */
static DaeTerm
hoist_arguments(DaeReader *reader, DaeTerm t, GHashTable *jumps, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  if (jumps == NULL || reader->when_depth > 0 || reader->n_traces > 0 ||
      reader->is_structural || reader->lookup != NULL) {
    return t;
  }
  g_autoptr(DaeSubst) outside = dae_subst_new(terms);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm at = dae_visit_next(visit); at != DAE_NO_TERM; at = dae_visit_next(visit)) {
    if (g_hash_table_contains(jumps, GUINT_TO_POINTER(at)) && makes_events(reader, at)) {
      dae_subst_set(outside, at, hoisted(reader, at, pos));
    } else if (!is_mark(terms, at)) {
      dae_visit_enter(visit, at);
    }
  }
  DaeTerm result = dae_subst_apply(outside, t);
  return result != DAE_NO_TERM ? result : t;
}

/* annotation(smoothOrder = k); -1: none. */
static int
smooth_order(const DaeReader *reader, uint32_t class)
{
  const DaeModification *m = dae_call_annotation(reader, class, "smoothOrder");
  int64_t order = -1;
  bool is_given =
      m != NULL && m->code != 0 &&
      dae_syntax_integer(reader->names, dae_syntax_code(reader->syntax, m->code), &order);
  return is_given ? (int)MIN(order, INT_MAX) : -1;
}

/* Does one branch of t give way to another one, not looking into routines? */
static bool
has_branches_here(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm at = dae_visit_next(visit); at != DAE_NO_TERM; at = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, at);
    uint8_t class = kind == DAE_KIND_CALL
                        ? dae_function_facts(dae_term_function(terms, at))->kind
                        : DAE_CLASS_ANALYTIC;
    if (kind == DAE_KIND_IF || kind == DAE_KIND_RELATION || class == DAE_CLASS_CHOICE ||
        class == DAE_CLASS_STEP || class == DAE_CLASS_REST || class == DAE_CLASS_ELEMENT) {
      return true;
    }
    dae_visit_enter(visit, at);
  }
  return false;
}

/* A loop goes on or ends; of what is known by its name only anything may be true. */
static bool
routine_has_branches(DaeTerms *terms, uint32_t number)
{
  uint32_t order = 0;
  if (dae_terms_routine_is_unknown(terms, number, &order) ||
      dae_terms_routine_method(terms, number) != NULL) {
    return true;
  }
  const DaeRoutine *routine = dae_terms_routine(terms, number);
  bool any = routine->n_states > 0 || routine->outputs == NULL;
  for (uint32_t k = 0; k < routine->n_outputs && !any; k++) {
    any = has_branches_here(terms, routine->outputs[k]);
  }
  return any;
}

static bool
has_branches(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) routines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool any = has_branches_here(terms, t);
  if (!any) {
    dae_term_collect_routines(terms, t, routines);
  }
  for (guint i = 0; i < routines->len && !any; i++) {
    any = routine_has_branches(terms, g_array_index(routines, uint32_t, i));
  }
  return any;
}

static void
note_branches(const DaeReader *reader, uint32_t class, DaeTerm t)
{
  if (!has_branches(reader->terms, t)) {
    return;
  }
  uint32_t name = dae_syntax_class(reader->syntax, class)->name;
  dae_terms_note_branches(reader->terms, t, dae_names_text(reader->names, name),
                          smooth_order(reader, class));
}

static void
hide_jumps(DaeReader *reader, uint32_t class, DaeValue *value, GHashTable *of_arguments,
           uint32_t pos)
{
  uint32_t n = value->count * dae_value_width(value);
  DaeTerm *data = NULL;
  for (uint32_t k = 0; k < n; k++) {
    uint8_t type = type_at(value, k);
    DaeTerm t = dae_value_scalar_at(value, k);
    bool is_plain = type != DAE_VALUE_REAL || t == DAE_NO_TERM ||
                    !dae_term_has_break(reader->terms, t) ||
                    (dae_term_kind(reader->terms, t) == DAE_KIND_CALL &&
                     dae_term_function(reader->terms, t) == DAE_FN_NOEVENT) ||
                    jumps_with_arguments(reader->terms, t, of_arguments);
    if (is_plain) {
      continue;
    }
    t = dae_term_call1(reader->terms, DAE_FN_NOEVENT,
                       hoist_arguments(reader, t, of_arguments, pos));
    note_branches(reader, class, t);
    if (value->n_dims == 0 && value->type != DAE_VALUE_RECORD) {
      value->term = t;
      return;
    }
    if (data == NULL) {
      data = dae_value_new_data(reader, n);
      memcpy(data, value->data, n * sizeof(DaeTerm));
      value->data = data;
    }
    data[k] = t;
  }
}

void
dae_call_hide_jumps(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                    DaeValue *outputs, uint32_t n, uint32_t pos)
{
  g_autoptr(GHashTable) jumps = jumps_of_arguments(reader, class, given);
  for (uint32_t i = 0; i < n; i++) {
    hide_jumps(reader, class, &outputs[i], jumps, pos);
  }
}
