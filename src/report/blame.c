/* Which component has too many or too few equations, and which inputs nobody gives a
 * value: by name, class and place. */
#include "report/analyze.h"

enum { SHOWN = 12 };

static void
append_plural(GString *out, int64_t n, const char *what)
{
  g_string_append_printf(out, "%" G_GINT64_FORMAT " %s%s", n, what, n == 1 ? "" : "s");
}

/* Inputs that nothing determines: not connected, not given by a
 * declaration or an equation around. */
static GArray *
open_inputs(const DaeAnalyzeView *view)
{
  GArray *inputs = dae_model_unconnected_inputs(view->written, view->terms);
  const DaeSigBlock *under = dae_sig_underdetermined(view->sig);
  g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
  for (uint32_t k = 0; k < under->n_variables; k++) {
    g_hash_table_add(names,
                     (gpointer)dae_analyze_variable_name(view, view->sig, under->variables[k]));
  }
  for (guint i = inputs->len; i > 0; i--) {
    const DaeVariable *variable =
        dae_model_variable(view->written, g_array_index(inputs, uint32_t, i - 1));
    if (!g_hash_table_contains(names, dae_terms_symbol_name(view->terms, variable->symbol))) {
      g_array_remove_index(inputs, i - 1);
    }
  }
  return inputs;
}

static void
append_component(GString *out, const DaeAnalyzeView *view, const DaeBalance *balance)
{
  const DaeModelInstance *instance = dae_model_instance(view->written, balance->instance);
  g_string_append(out, "  ");
  g_string_append(out, instance->name[0] != '\0' ? instance->name : "the model itself");
  g_string_append_printf(out, " (%s, ", instance->class_name);
  dae_report_place(out, instance->span);
  g_string_append(out, "): ");
  append_plural(out, balance->n_unknowns, "unknown");
  g_string_append(out, ", ");
  append_plural(out, balance->n_equations, "equation");
  if (balance->n_from_connections > 0) {
    g_string_append_printf(out, " and %u from connections", balance->n_from_connections);
  }
  g_string_append(out, ": ");
  append_plural(out, ABS(balance->missing), "equation");
  g_string_append(out, balance->missing > 0 ? " too few\n" : " too many\n");
}

static char *
exchange_hint(const DaeAnalyzeView *view)
{
  const DaeSigBlock *over = dae_sig_overdetermined(view->sig);
  const DaeSigBlock *under = dae_sig_underdetermined(view->sig);
  return dae_model_exchange_hint(
      view->written, dae_sig_model(view->sig), view->terms,
      &(DaeModelPart){over->variables, over->n_variables, over->equations, over->n_equations},
      &(DaeModelPart){under->variables, under->n_variables, under->equations,
                      under->n_equations});
}

/* The equations that the model itself lacks are those of the inputs: one cause, told once. */
static bool
is_of_inputs(const DaeAnalyzeView *view, const GArray *list, const GArray *inputs)
{
  const DaeBalance *only = list->len == 1 ? &g_array_index(list, DaeBalance, 0) : NULL;
  return only != NULL && only->missing == (int64_t)inputs->len &&
         dae_model_instance(view->written, only->instance)->name[0] == '\0';
}

void
dae_blame_text(const DaeAnalyzeView *view, GString *out)
{
  g_autoptr(GArray) list = dae_model_balance(view->written, view->terms);
  g_autoptr(GArray) inputs = open_inputs(view);
  if (is_of_inputs(view, list, inputs)) {
    g_array_set_size(list, 0);
  }
  if (list->len > 0) {
    g_string_append(out, "\nComponents out of balance:\n");
  }
  for (guint i = 0; i < MIN(list->len, SHOWN); i++) {
    append_component(out, view, &g_array_index(list, DaeBalance, i));
  }
  if (list->len > SHOWN) {
    g_string_append_printf(out, "  and %u more\n", list->len - SHOWN);
  }
  if (inputs->len > 0) {
    g_string_append(out, "\nInputs to which nothing is connected:\n");
  }
  for (guint i = 0; i < MIN(inputs->len, SHOWN); i++) {
    const DaeVariable *variable =
        dae_model_variable(view->written, g_array_index(inputs, uint32_t, i));
    const char *name = dae_terms_symbol_name(view->terms, variable->symbol);
    g_autofree char *owner = dae_model_owner_text(view->written, name);
    g_autofree char *place = owner == NULL ? dae_span_text(variable->span) : NULL;
    g_string_append_printf(out, "  %s   (%s)\n", name, owner != NULL ? owner : place);
  }
  if (inputs->len > SHOWN) {
    g_string_append_printf(out, "  and %u more\n", inputs->len - SHOWN);
  }
  g_autofree char *zero = dae_sig_zero_factors(view->sig, view->written);
  bool is_exchange = /* what is 0 is told with what holds for symbols */
      zero == NULL && list->len == 0 && dae_model_n_instances(view->written) > 0;
  g_autofree char *hint = is_exchange ? exchange_hint(view) : NULL;
  if (hint != NULL) {
    g_string_append_printf(out, "\nLook at %s.\n", hint);
  }
}

static void
write_component(DaeJson *json, const DaeAnalyzeView *view, const DaeBalance *balance)
{
  const DaeModelInstance *instance = dae_model_instance(view->written, balance->instance);
  dae_json_begin_object(json, true);
  dae_json_key(json, "name");
  dae_json_string(json, instance->name);
  dae_json_key(json, "class");
  dae_json_string(json, instance->class_name);
  dae_json_key(json, "line");
  dae_json_int(json, instance->span.line);
  dae_json_key(json, "unknowns");
  dae_json_int(json, balance->n_unknowns);
  dae_json_key(json, "equations");
  dae_json_int(json, balance->n_equations);
  dae_json_key(json, "from_connections");
  dae_json_int(json, balance->n_from_connections);
  dae_json_key(json, "missing");
  dae_json_int(json, balance->missing);
  dae_json_end_object(json);
}

void
dae_blame_json(DaeJson *json, const DaeAnalyzeView *view)
{
  if (dae_model_n_instances(view->written) == 0) {
    return;
  }
  g_autoptr(GArray) list = dae_model_balance(view->written, view->terms);
  g_autoptr(GArray) inputs = open_inputs(view);
  dae_json_key(json, "unbalanced");
  dae_json_begin_array(json, false);
  for (guint i = 0; i < list->len; i++) {
    write_component(json, view, &g_array_index(list, DaeBalance, i));
  }
  dae_json_end_array(json);
  dae_json_key(json, "unconnected_inputs");
  dae_json_begin_array(json, true);
  for (guint i = 0; i < inputs->len; i++) {
    const DaeVariable *variable =
        dae_model_variable(view->written, g_array_index(inputs, uint32_t, i));
    dae_json_string(json, dae_terms_symbol_name(view->terms, variable->symbol));
  }
  dae_json_end_array(json);
  g_autofree char *zero = dae_sig_zero_factors(view->sig, view->written);
  g_autofree char *hint = zero != NULL     ? g_strconcat(zero, ": it is 0", NULL)
                          : list->len == 0 ? exchange_hint(view)
                                           : NULL;
  if (hint != NULL) {
    dae_json_key(json, "hint");
    dae_json_string(json, hint);
  }
}
