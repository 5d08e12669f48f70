/* Messages of assertions and of terminate(), with the values at the instant. */
#include "instant/instant-priv.h"

#include "terms/message.h"

typedef struct {
  DaeInstant *instant;
  double t;
  const double *x;
} Place;

/* Relations are taken as they are: the value is only told. */
static bool
value_at(void *user, DaeTerm term, double *value)
{
  const Place *place = user;
  DaeInstant *instant = place->instant;
  DaePointFunctions functions = {.tape = NULL};
  DaeTerm lowered =
      instant->parts.lower(instant->parts.user, dae_hybrid_translate(instant->hybrid, term));
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
  Place place = {instant, t, x};
  return dae_message_fill(instant->terms, message, value_at, &place);
}

bool
dae_instant_tell_failure(DaeInstant *instant, const DaeAssertion *assertion, double t,
                         const double *x, GError **error)
{
  g_autofree char *message = dae_instant_message(instant, assertion->message, t, x);
  g_autofree char *text =
      g_strdup_printf("%s:%u:%u: assertion failed at t = %.10g: %s",
                      dae_model_file_of(dae_hybrid_model(instant->hybrid), assertion->span),
                      assertion->span.line, assertion->span.column, t, message);
  if (!assertion->is_warning) {
    g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, text);
    return false;
  }
  dae_report_warning(instant->parts.reporter, "%s", text);
  return true;
}

bool
dae_instant_print(DaeInstant *instant, const DaeHybridAction *action, double t, const double *x,
                  GError **error)
{
  g_autofree char *message = dae_instant_message(instant, action->message, t, x);
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
