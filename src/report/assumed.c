/* What a verdict assumes of functions with loops or recursion at run time (terms/routines.h):
 * that they have a value wherever they are called. Congruence, equal arguments give equal
 * values, holds for every function; that a loop ends is nowhere proved except at the points of
 * certificates, where it was followed in balls. */
#include "report/assumed.h"

#include <string.h>

#include "terms/routines.h"

/* root of root.loop, root.loop.der1, root.der2.der1 */
static char *
function_name(const char *routine)
{
  char *name = g_strdup(routine);
  char *dot = NULL;
  while ((dot = strrchr(name, '.')) != NULL &&
         (strcmp(dot, ".loop") == 0 ||
          (g_str_has_prefix(dot, ".der") && g_ascii_isdigit(dot[4])))) {
    *dot = '\0';
  }
  return name;
}

GPtrArray *
dae_assumed_functions(DaeTerms *terms, const DaeModel *model)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (dae_terms_routine_count(terms) == 0) {
    return names;
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    dae_term_collect_routines(terms, equation->lhs, numbers);
    dae_term_collect_routines(terms, equation->rhs, numbers);
  }
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(model, i);
    dae_term_collect_routines(terms, equation->lhs, numbers);
    dae_term_collect_routines(terms, equation->rhs, numbers);
  }
  for (uint32_t i = 0; i < numbers->len; i++) {
    g_autofree char *name =
        function_name(dae_terms_routine_name(terms, g_array_index(numbers, uint32_t, i)));
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
      g_ptr_array_add(names, g_steal_pointer(&name));
    }
  }
  return names;
}

void
dae_assumed_text(GString *out, const char *indent, DaeTerms *terms, const DaeModel *model)
{
  g_autoptr(GPtrArray) names = dae_assumed_functions(terms, model);
  for (uint32_t i = 0; i < names->len; i++) {
    g_string_append_printf(out, "%s%s", i == 0 ? indent : ", ",
                           i == 0 ? "assumed: these functions, run at run time, have a value "
                                    "wherever they are called: "
                                  : "");
    g_string_append(out, g_ptr_array_index(names, i));
  }
  g_string_append(out, names->len > 0 ? "\n" : "");
}

void
dae_assumed_json(DaeJson *json, DaeTerms *terms, const DaeModel *model)
{
  g_autoptr(GPtrArray) names = dae_assumed_functions(terms, model);
  if (names->len == 0) {
    return;
  }
  dae_json_key(json, "assumed_functions");
  dae_json_begin_array(json, true);
  for (uint32_t i = 0; i < names->len; i++) {
    dae_json_string(json, g_ptr_array_index(names, i));
  }
  dae_json_end_array(json);
}
