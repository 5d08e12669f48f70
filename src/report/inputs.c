/* Which inputs are needed differentiated, and how often. */
#include "report/inputs.h"

#define SHOWN 12 /* of those without derivatives */

static void
append_plain(const DaeModel *model, const DaeInputNeeds *needs, GString *out)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < needs->n; i++) {
    if (needs->orders[i] == 0 && n++ < SHOWN) {
      g_string_append_printf(out, "%s%s", n == 1 ? "inputs needed without derivatives: " : ", ",
                             dae_model_input(model, i)->name);
    }
  }
  if (n > SHOWN) {
    g_string_append_printf(out, " and %u more", n - SHOWN);
  }
  if (n > 0) {
    g_string_append_c(out, '\n');
  }
}

void
dae_inputs_text(const DaeModel *model, const DaeInputNeeds *needs, GString *out)
{
  if (needs == NULL) {
    return;
  }
  if (needs->orders == NULL) {
    g_string_append_printf(out, "how often inputs are needed differentiated is not known: %s\n",
                           needs->unknown);
    return;
  }
  for (uint32_t i = 0; i < needs->n; i++) {
    if (needs->orders[i] > 0) {
      g_string_append_printf(out, "input %s is needed differentiated, order %u\n",
                             dae_model_input(model, i)->name, needs->orders[i]);
    }
  }
  append_plain(model, needs, out);
}

void
dae_inputs_json(DaeJson *json, const DaeModel *model, const DaeInputNeeds *needs)
{
  if (needs == NULL || needs->n == 0) {
    return;
  }
  dae_json_key(json, "inputs");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < needs->n; i++) {
    dae_json_begin_object(json, true);
    dae_json_key(json, "name");
    dae_json_string(json, dae_model_input(model, i)->name);
    dae_json_key(json, "order");
    if (needs->orders != NULL) {
      dae_json_int(json, needs->orders[i]);
    } else {
      dae_json_null(json);
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}
