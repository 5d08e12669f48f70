/* What makes events in a value, and which variables stand where nothing does: inside noEvent and in
 * functions. A value that jumps is not put in there, since it would make no event any more: of
 * p = if time < 1 then 1 else 2, y = noEvent(f(p - q)) the time 1 has to stay an event of y. */
#include "simplify/simplify-priv.h"

/* if noEvent(c) ... is stored as a relation of the number of c. */
static bool
makes_event(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_RELATION) {
    return !dae_term_is_literal_truth(terms, dae_term_operand(terms, t, 0)) &&
           !dae_term_is_literal_truth(terms, dae_term_operand(terms, t, 1));
  }
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_function_facts(dae_term_function(terms, t))->rounds;
}

/* What makes events in t, each once, into `list`. */
void
dae_simplify_list_events(DaeSimplifier *s, DaeTerm t, GArray *list)
{
  g_array_set_size(list, 0);
  if (!dae_term_has_break(s->terms, t)) {
    return; /* relations and functions that round are breaks */
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(s->terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (makes_event(s->terms, top)) {
      g_array_append_val(list, top);
    }
    if (!dae_term_is_literal(s->terms, top)) {
      dae_visit_enter(visit, top);
    }
  }
}

/* Relations of discrete values only, `if b then 0 else 2`, make none of their own. */
bool
dae_simplify_makes_events(DaeSimplifier *s, DaeTerm t)
{
  g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_simplify_list_events(s, t, list);
  bool makes = false;
  for (guint i = 0; i < list->len && !makes; i++) {
    DaeTerm event = g_array_index(list, DaeTerm, i);
    makes = dae_term_has_variables(s->terms, event) || dae_term_has_time(s->terms, event);
  }
  return makes;
}

static void
note_variables_inside(DaeSimplifier *s, DaeTerm t)
{
  g_array_set_size(s->atoms, 0);
  dae_term_collect_variables(s->terms, t, s->atoms);
  for (guint i = 0; i < s->atoms->len; i++) {
    uint32_t j = 0;
    DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
    if (dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &j)) {
      s->is_literal[j] = 1;
    }
  }
}

void
dae_simplify_note_literal(DaeSimplifier *s, DaeTerm t)
{
  if (!dae_term_has_call(s->terms, t)) {
    return;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(s->terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (dae_term_is_literal(s->terms, top)) {
      note_variables_inside(s, top);
    } else {
      dae_visit_enter(visit, top);
    }
  }
}

void
dae_simplify_pass_literal(DaeSimplifier *s, uint32_t j, DaeTerm value)
{
  if (s->is_literal[j] != 0) {
    note_variables_inside(s, value);
  }
}
