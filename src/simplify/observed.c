/* Variables that only their own equation contains: sensors, powers, pictures. Nothing depends
 * on them, so they need no place among the unknowns of the integrator: they are computed from
 * its results. Taking one away can make another one observed. Unlike explicit definitions these
 * may be long, and may hold what is taken literally: branches inside noEvent, and functions
 * that make no event. A relation that makes an event needs an equation that stays: there it has
 * its buffer, which the computed value shares. */
#include "simplify/simplify-priv.h"

typedef struct {
  GArray *list;      /* DaeTerm: events of the equation under way */
  GHashTable *count; /* what makes events -> number of equations that stay and contain it */
} Events;

static uint32_t
count_of(const Events *events, DaeTerm event)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(events->count, GUINT_TO_POINTER(event)));
}

static void
count_events(DaeSimplifier *s, Events *events, uint32_t equation, int32_t by)
{
  dae_simplify_list_events(s, s->residual[equation], events->list);
  for (guint i = 0; i < events->list->len; i++) {
    DaeTerm event = g_array_index(events->list, DaeTerm, i);
    g_hash_table_insert(events->count, GUINT_TO_POINTER(event),
                        GUINT_TO_POINTER(count_of(events, event) + (uint32_t)by));
  }
}

/* Does a relation make its events only here? */
static bool
has_own_event(DaeSimplifier *s, Events *events, uint32_t equation)
{
  dae_simplify_list_events(s, s->residual[equation], events->list);
  for (guint i = 0; i < events->list->len; i++) {
    if (count_of(events, g_array_index(events->list, DaeTerm, i)) < 2) {
      return true;
    }
  }
  return false;
}

/* Variable j and nothing else is known by this equation: may it go? DAE_NO_TERM, or its value. */
static DaeTerm
observed_value(DaeSimplifier *s, Events *events, uint32_t equation, uint32_t j)
{
  if (s->is_differentiated[j] != 0 || s->variables[j].state_select > 0 ||
      dae_simplifier_count_uses(s, j, equation, 0) > 0) {
    return DAE_NO_TERM;
  }
  DaeTerm coefficient = dae_number_coefficient(s, s->residual[equation], j);
  if (coefficient == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm x = dae_term_variable(s->terms, s->variables[j].symbol, 0);
  DaeTerm value =
      dae_term_sub(s->terms, x, dae_term_div(s->terms, s->residual[equation], coefficient));
  return value == DAE_NO_TERM || has_own_event(s, events, equation) ? DAE_NO_TERM : value;
}

/* The variables of an equation as numbers, into `list`; false: a derivative is among them. */
static bool
list_variables(DaeSimplifier *s, uint32_t equation, GArray *list)
{
  g_array_set_size(list, 0);
  if (dae_simplifier_has_derivatives(s, equation)) {
    return false;
  }
  g_array_set_size(s->atoms, 0);
  dae_term_collect_variables(s->terms, s->residual[equation], s->atoms);
  for (guint i = 0; i < s->atoms->len; i++) {
    DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
    uint32_t j = 0;
    if (dae_term_order(s->terms, atom) > 0 ||
        !dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &j)) {
      return false;
    }
    g_array_append_val(list, j);
  }
  return true;
}

static void
push(GQueue *queue, uint8_t *queued, uint32_t equation)
{
  if (queued[equation] == 0) {
    queued[equation] = 1;
    g_queue_push_tail(queue, GUINT_TO_POINTER(equation));
  }
}

/* Variable j has lost a use: if one equation is left, it may be its definition. */
static void
look_again(DaeSimplifier *s, uint32_t j, GQueue *queue, uint8_t *queued)
{
  if (dae_simplifier_count_uses(s, j, UINT32_MAX, 1) != 1) {
    return;
  }
  for (uint32_t at = s->first_occurrence[j]; at != 0; s->work++) {
    const DaeOccurrence *occurrence = &g_array_index(s->occurrences, DaeOccurrence, at);
    if (s->residual[occurrence->equation] != DAE_NO_TERM) {
      push(queue, queued, occurrence->equation);
    }
    at = occurrence->next;
  }
}

void
dae_simplify_observed(DaeSimplifier *s)
{
  g_autoptr(GQueue) queue = g_queue_new();
  g_autofree uint8_t *queued = g_new0(uint8_t, s->m + 1);
  g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) count = g_hash_table_new(NULL, NULL);
  Events events = {found, count};
  for (uint32_t i = 0; i < s->m && s->is_sound; i++) {
    if (s->residual[i] != DAE_NO_TERM) {
      s->is_sound = dae_simplifier_refresh(s, i);
      push(queue, queued, i);
      if (s->is_sound) {
        count_events(s, &events, i, 1);
      }
    }
  }
  while (s->is_sound && !g_queue_is_empty(queue)) {
    uint32_t equation = GPOINTER_TO_UINT(g_queue_pop_head(queue));
    queued[equation] = 0;
    if (s->residual[equation] == DAE_NO_TERM || !list_variables(s, equation, list)) {
      continue;
    }
    for (guint i = list->len; i > 0; i--) {
      uint32_t j = g_array_index(list, uint32_t, i - 1);
      DaeTerm value = observed_value(s, &events, equation, j);
      if (value != DAE_NO_TERM) {
        count_events(s, &events, equation, -1);
        dae_simplifier_eliminate(s, equation, j, value);
        for (guint k = 0; k < list->len; k++) {
          look_again(s, g_array_index(list, uint32_t, k), queue, queued);
        }
        break;
      }
    }
  }
}
