/* A model that is singular for the given values of its parameters only: which ones these are. */
#include <string.h>

#include "model/flat.h"

enum { SHOWN = 4 };

/* The component that has the variable; NULL: the model itself. */
static const DaeModelInstance *
owner_of(const DaeModel *model, const char *name)
{
  const DaeModelInstance *owner = NULL;
  size_t longest = 0;
  for (uint32_t k = 1; k < dae_model_n_instances(model); k++) {
    const DaeModelInstance *instance = dae_model_instance(model, k);
    size_t length = strlen(instance->name);
    if (length > longest && strncmp(name, instance->name, length) == 0 && name[length] == '.') {
      owner = instance;
      longest = length;
    }
  }
  return owner;
}

char *
dae_model_owner_text(const DaeModel *model, const char *name)
{
  const DaeModelInstance *owner = owner_of(model, name);
  g_autofree char *place = owner != NULL ? dae_span_text(owner->span) : NULL;
  return owner != NULL ? g_strdup_printf("component %s, %s", owner->name, place) : NULL;
}

static void
append_factor(GString *out, const DaeModel *model, DaeTerms *terms, DaeTerm factor)
{
  g_autofree char *text = dae_term_to_string(terms, factor);
  g_string_append(out, text);
  bool is_parameter = dae_term_kind(terms, factor) == DAE_KIND_PARAMETER;
  const char *name =
      is_parameter ? dae_terms_symbol_name(terms, dae_term_get_symbol(terms, factor)) : "";
  g_autofree char *owner = dae_model_owner_text(model, name);
  if (owner != NULL) {
    g_string_append_printf(out, " (%s)", owner);
  }
}

char *
dae_model_zero_factors(const DaeModel *model, DaeTerms *terms, const DaeTerm *factors,
                       uint32_t n)
{
  g_autoptr(DaeSubst) values = dae_model_parameter_subst(model, terms);
  g_autoptr(GString) text = g_string_new(NULL);
  uint32_t shown = 0;
  for (uint32_t k = 0; k < n && shown < SHOWN; k++) {
    DaeTerm value = dae_term_is_parametric(terms, factors[k])
                        ? dae_subst_apply(values, factors[k])
                        : DAE_NO_TERM;
    if (value != DAE_NO_TERM && dae_term_is_zero(terms, dae_terms_rewrite(terms, value))) {
      g_string_append(text, shown++ > 0 ? ", " : "");
      append_factor(text, model, terms, factors[k]);
    }
  }
  return shown > 0 ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
