/* Messages of assertions and of terminate(), with the values at the instant. */
#include "instant/instant-priv.h"

#include "terms/message.h"

#include <math.h>

typedef struct {
  DaeInstant *instant;
  double t;
  const double *x;
  GHashTable *places; /* term -> its number among the functions + 1 */
  DaePointFunctions functions;
} Place;

/* Relations are taken as they are: the value is only told. */
DaeTerm
dae_instant_told_value(DaeInstant *instant, DaeTerm term)
{
  return instant->parts.lower(instant->parts.user, dae_hybrid_translate(instant->hybrid, term));
}

/* A part that has no value, or none at this instant, is asked for again by itself. */
static void
note_part(Place *place, DaeTerm term, GArray *outputs)
{
  if (term == DAE_NO_TERM || g_hash_table_contains(place->places, GUINT_TO_POINTER(term))) {
    return;
  }
  DaeTerm lowered = dae_instant_told_value(place->instant, term);
  if (lowered != DAE_NO_TERM) {
    g_array_append_val(outputs, lowered);
    g_hash_table_insert(place->places, GUINT_TO_POINTER(term), GUINT_TO_POINTER(outputs->len));
  }
}

/* All values of the message on one tape: a table written to a file has thousands. */
static void
evaluate_parts(Place *place, const char *message)
{
  DaeInstant *instant = place->instant;
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GString) form = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  DaeMessagePart part;
  while (dae_message_next(instant->terms, &message, &part, form)) {
    note_part(place, part.term, outputs);
    note_part(place, part.term != DAE_NO_TERM ? part.format.when : DAE_NO_TERM, outputs);
  }
  if (outputs->len > 0 &&
      dae_point_functions_init(&place->functions, instant,
                               (const DaeTerm *)(void *)outputs->data, outputs->len, &error)) {
    dae_point_functions_eval(instant, &place->functions, place->t, place->x);
  } else {
    g_hash_table_remove_all(place->places);
  }
}

static bool
value_at(void *user, DaeTerm term, double *value)
{
  const Place *place = user;
  DaeInstant *instant = place->instant;
  guint at = GPOINTER_TO_UINT(g_hash_table_lookup(place->places, GUINT_TO_POINTER(term)));
  if (at > 0 && isfinite(place->functions.out[at - 1])) {
    *value = place->functions.out[at - 1];
    return true;
  }
  DaePointFunctions functions = {.tape = NULL};
  DaeTerm lowered = dae_instant_told_value(instant, term);
  g_autoptr(GError) error = NULL;
  bool good = lowered != DAE_NO_TERM &&
              dae_point_functions_init(&functions, instant, &lowered, 1, &error) &&
              dae_point_functions_eval(instant, &functions, place->t, place->x);
  if (good) {
    *value = functions.out[0];
  }
  dae_point_functions_clear(&functions);
  return good;
}

char *
dae_instant_message(DaeInstant *instant, const char *message, double t, const double *x)
{
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  Place place = {.instant = instant, .t = t, .x = x, .places = places};
  if (dae_message_has_values(message)) {
    evaluate_parts(&place, message);
  }
  char *text = dae_message_fill(instant->terms, message, value_at, &place);
  dae_point_functions_clear(&place.functions);
  return text;
}

/* Tells of a violation. False: the run ends. */
static bool
tell(DaeInstant *instant, DaeSpan span, bool is_warning, double t, const char *message,
     GError **error)
{
  g_autofree char *text =
      g_strdup_printf("%s:%u:%u: assertion failed at t = %.10g: %s",
                      dae_model_file_of(dae_hybrid_model(instant->hybrid), span), span.line,
                      span.column, t, message);
  if (!is_warning) {
    g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, text);
    return false;
  }
  dae_report_warning(instant->parts.reporter, "%s", text);
  return true;
}

bool
dae_instant_tell_failure(DaeInstant *instant, const DaeAssertion *assertion, double t,
                         const double *x, GError **error)
{
  g_autofree char *message = dae_instant_message(instant, assertion->message, t, x);
  return tell(instant, assertion->span, assertion->is_warning, t, message, error);
}

static bool
print(DaeInstant *instant, const DaeHybridAction *action, const char *message, GError **error)
{
  if (*action->print_to == '\0') {
    dae_report_note(instant->parts.reporter, "%s", message);
    return true;
  }
  g_autoptr(GError) why = NULL;
  if (dae_instant_act_on_file(action->file_act, action->print_to, message, &why)) {
    return true;
  }
  g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC, "%s:%u:%u: the model cannot %s '%s': %s",
              dae_model_file_of(dae_hybrid_model(instant->hybrid), action->span),
              action->span.line, action->span.column, dae_instant_file_verb(action->file_act),
              action->print_to, why->message);
  return false;
}

static void
clear_told(gpointer told)
{
  g_free(((DaeTold *)told)->message);
}

GArray *
dae_instant_told_new(void)
{
  GArray *told = g_array_new(FALSE, FALSE, sizeof(DaeTold));
  g_array_set_clear_func(told, clear_told);
  return told;
}

bool
dae_instant_tell_actions(DaeInstant *instant, const GArray *told, double t, GError **error)
{
  for (guint k = 0; k < told->len; k++) {
    const DaeTold *one = &g_array_index(told, DaeTold, k);
    const DaeHybridAction *action = dae_hybrid_action(instant->hybrid, one->action);
    bool good = action->print_to != NULL
                    ? print(instant, action, one->message, error)
                    : tell(instant, action->span, action->is_warning, t, one->message, error);
    if (!good) {
      return false;
    }
  }
  return true;
}
