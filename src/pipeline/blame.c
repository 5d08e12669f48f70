/* Why is a model of components singular, in one clause: an input without a connection, a
 * component with too many or too few equations, or the components that take part. */
#include "pipeline/pipeline-priv.h"

enum { SHOWN = 5 };

static void
append_place(GString *out, DaeSpan span)
{
  g_autofree char *place = dae_span_text(span);
  g_string_append(out, place);
}

/* Inputs that nothing is connected to and that are not determined otherwise. */
static char *
blame_inputs(const DaePipeline *pipeline, const DaeSig *sig)
{
  g_autoptr(GArray) inputs = dae_model_unconnected_inputs(pipeline->model, pipeline->terms);
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  g_autoptr(GHashTable) open = g_hash_table_new(NULL, NULL);
  for (uint32_t k = 0; under != NULL && k < under->n_variables; k++) {
    const DaeVariable *variable = dae_model_variable(dae_sig_model(sig), under->variables[k]);
    g_hash_table_add(open, GUINT_TO_POINTER(variable->symbol));
  }
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < inputs->len; i++) {
    const DaeVariable *input =
        dae_model_variable(pipeline->model, g_array_index(inputs, uint32_t, i));
    if (g_hash_table_contains(open, GUINT_TO_POINTER(input->symbol))) {
      g_string_append(text, text->len == 0 ? "nothing is connected to " : ", ");
      const char *name = dae_terms_symbol_name(pipeline->terms, input->symbol);
      g_autofree char *owner = dae_model_owner_text(pipeline->model, name);
      g_autofree char *place = owner == NULL ? dae_span_text(input->span) : NULL;
      g_string_append_printf(text, "%s (%s)", name, owner != NULL ? owner : place);
    }
  }
  return text->len > 0 ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}

static char *
blame_balance(const DaePipeline *pipeline)
{
  g_autoptr(GArray) list = dae_model_balance(pipeline->model, pipeline->terms);
  if (list->len == 0) {
    return NULL;
  }
  const DaeBalance *first = &g_array_index(list, DaeBalance, 0);
  const DaeModelInstance *instance = dae_model_instance(pipeline->model, first->instance);
  const int64_t n = ABS(first->missing);
  g_autoptr(GString) text = g_string_new(NULL);
  if (instance->name[0] == '\0') {
    g_string_append(text, "the model itself");
  } else {
    g_string_append_printf(text, "component %s (%s, ", instance->name, instance->class_name);
    append_place(text, instance->span);
    g_string_append(text, ")");
  }
  g_string_append_printf(text, " has %" G_GINT64_FORMAT " equation%s too %s", n,
                         n == 1 ? "" : "s", first->missing > 0 ? "few" : "many");
  if (list->len > 1) {
    g_string_append_printf(text, ", and %u more component%s out of balance", list->len - 1,
                           list->len == 2 ? " is" : "s are");
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* "a, b and c": the components that the equations are of; NULL: of none. */
static char *
say_components(const DaePipeline *pipeline, const DaeSig *sig, const DaeSigBlock *part)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  for (uint32_t k = 0; part != NULL && k < part->n_equations; k++) {
    uint32_t number = part->equations[k];
    if (number >= dae_model_n_equations(dae_sig_model(sig))) {
      return NULL; /* numbers of another form of the model */
    }
    uint32_t at = dae_model_written_equation(dae_sig_model(sig), &number)->instance;
    const char *name = dae_model_instance(pipeline->model, at)->name;
    if (name[0] != '\0' && !g_ptr_array_find(names, name, NULL)) {
      g_ptr_array_add(names, (gpointer)name);
    }
  }
  if (names->len == 0) {
    return NULL;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint k = 0; k < MIN(names->len, SHOWN); k++) {
    const char *between = k == 0 ? "" : k + 1 < names->len ? ", " : " and ";
    g_string_append_printf(text, "%s%s", between, (const char *)g_ptr_array_index(names, k));
  }
  if (names->len > SHOWN) {
    g_string_append_printf(text, " and %u more", names->len - SHOWN);
  }
  return g_string_free(g_steal_pointer(&text), FALSE);
}

/* The components whose equations are too many for their variables. */
static char *
blame_part(const DaePipeline *pipeline, const DaeSig *sig)
{
  const DaeSigBlock *over = dae_sig_overdetermined(sig);
  g_autofree char *components = say_components(pipeline, sig, over);
  return components == NULL
             ? NULL
             : g_strdup_printf("%u equations for only %u variables in the components %s",
                               over->n_equations, over->n_variables, components);
}

char *
dae_pipeline_blame_dependent(const DaePipeline *pipeline, const DaeSig *sig)
{
  bool is_contradictory = false;
  const DaeSigBlock *part = dae_sig_ill_posed(sig, &is_contradictory);
  if (part == NULL || dae_model_n_instances(pipeline->model) < 2) {
    return NULL;
  }
  g_autofree char *components = say_components(pipeline, sig, part);
  return components == NULL
             ? NULL
             : g_strdup_printf(
                   "%u equations of the components %s %s", part->n_equations, components,
                   is_contradictory ? "contradict each other" : "depend on each other");
}

char *
dae_pipeline_blame_parameter(const DaePipeline *pipeline)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(pipeline->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(pipeline->model, k);
    double value = 0;
    DaeTerm closed = parameter->is_free || parameter->value == DAE_NO_TERM
                         ? DAE_NO_TERM
                         : dae_model_parameter_value(pipeline->model, pipeline->terms, k);
    if (closed == DAE_NO_TERM ||
        dae_term_eval_double(pipeline->terms, closed, NULL, NULL, &value) != DAE_EVAL_DOMAIN) {
      continue;
    }
    g_autofree char *text = dae_term_to_string(pipeline->terms, parameter->value);
    g_autofree char *place = dae_span_text(parameter->span);
    return g_strdup_printf("parameter %s (%s) has no finite value: %s",
                           dae_terms_symbol_name(pipeline->terms, parameter->symbol), place,
                           text);
  }
  return NULL;
}

/* What is fixed twice while its counterpart is open; else the components that take part. */
static char *
blame_exchange(const DaePipeline *pipeline, const DaeSig *sig)
{
  const DaeSigBlock *over = dae_sig_overdetermined(sig);
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  char *part = blame_part(pipeline, sig);
  if (part == NULL || over == NULL || under == NULL) {
    return part;
  }
  g_autofree char *hint = dae_model_exchange_hint(
      pipeline->model, dae_sig_model(sig), pipeline->terms,
      &(DaeModelPart){over->variables, over->n_variables, over->equations, over->n_equations},
      &(DaeModelPart){under->variables, under->n_variables, under->equations,
                      under->n_equations});
  if (hint != NULL) {
    g_autofree char *without = part;
    part = g_strconcat(without, "; look at ", hint, NULL);
  }
  return part;
}

char *
dae_pipeline_blame(const DaePipeline *pipeline, const DaeSig *sig)
{
  if (dae_model_n_instances(pipeline->model) < 2) {
    return NULL; /* a flat text */
  }
  g_autofree char *zero = dae_sig_zero_factors(sig, pipeline->model);
  if (zero != NULL && dae_sig_status(dae_sig_symbolic(sig)) <= DAE_SIG_REPAIRED) {
    return g_strdup_printf("this is 0: %s, and with other values the model is not singular",
                           zero);
  }
  char *text = blame_inputs(pipeline, sig);
  text = text != NULL ? text : blame_balance(pipeline);
  return text != NULL ? text : blame_exchange(pipeline, sig);
}
