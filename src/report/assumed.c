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

static GArray *
routines_of(DaeTerms *terms, const DaeModel *model)
{
  GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (dae_terms_routine_count(terms) == 0) {
    return numbers;
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
  return numbers;
}

/* only_annotated: those whose derivatives are taken from an annotation. */
static GPtrArray *
names_of(DaeTerms *terms, const DaeModel *model, bool only_annotated)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GArray) numbers = routines_of(terms, model);
  for (uint32_t i = 0; i < numbers->len; i++) {
    uint32_t number = g_array_index(numbers, uint32_t, i);
    g_autofree char *name = function_name(dae_terms_routine_name(terms, number));
    if (only_annotated && !dae_terms_routine_is_annotated(terms, number)) {
      continue;
    }
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
      g_ptr_array_add(names, g_steal_pointer(&name));
    }
  }
  return names;
}

/* Those of which an annotated inverse was used, also where no call is left. */
static GPtrArray *
inverted_names(const DaeTerms *terms)
{
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  for (uint32_t number = 0; number < dae_terms_routine_count(terms); number++) {
    g_autofree char *name = function_name(dae_terms_routine_name(terms, number));
    if (dae_terms_routine_is_inverted(terms, number) &&
        !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
      g_ptr_array_add(names, g_steal_pointer(&name));
    }
  }
  return names;
}

static void
append_names(GString *out, const char *indent, const char *what, const GPtrArray *names)
{
  for (uint32_t i = 0; i < names->len; i++) {
    g_string_append_printf(out, "%s%s", i == 0 ? indent : ", ", i == 0 ? what : "");
    g_string_append(out, g_ptr_array_index(names, i));
  }
  g_string_append(out, names->len > 0 ? "\n" : "");
}

void
dae_assumed_text(GString *out, const char *indent, DaeTerms *terms, const DaeModel *model)
{
  g_autoptr(GPtrArray) names = names_of(terms, model, false);
  g_autoptr(GPtrArray) annotated = names_of(terms, model, true);
  append_names(out, indent,
               "assumed: these functions, run at run time, have a value wherever they are "
               "called: ",
               names);
  append_names(out, indent,
               "assumed: the annotated derivatives of these functions: ", annotated);
  g_autoptr(GPtrArray) inverted = inverted_names(terms);
  append_names(out, indent, "assumed: the annotated inverses of these functions: ", inverted);
}

static void
names_to_json(DaeJson *json, const char *key, const GPtrArray *names)
{
  if (names->len == 0) {
    return;
  }
  dae_json_key(json, key);
  dae_json_begin_array(json, true);
  for (uint32_t i = 0; i < names->len; i++) {
    dae_json_string(json, g_ptr_array_index(names, i));
  }
  dae_json_end_array(json);
}

void
dae_assumed_json(DaeJson *json, DaeTerms *terms, const DaeModel *model)
{
  g_autoptr(GPtrArray) names = names_of(terms, model, false);
  g_autoptr(GPtrArray) annotated = names_of(terms, model, true);
  names_to_json(json, "assumed_functions", names);
  names_to_json(json, "assumed_derivatives", annotated);
  g_autoptr(GPtrArray) inverted = inverted_names(terms);
  names_to_json(json, "assumed_inverses", inverted);
}
