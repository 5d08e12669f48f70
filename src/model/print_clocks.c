/* Clocks as text: variables of type Clock are no variables of the model, but equations between
 * clocks, operators with a clock and clocked when-clauses name them. */
#include <string.h>

#include "model/flat.h"

/* The name of a variable; NULL: Clock(0.1), subSample(c, 2), ... */
static const char *
variable_name(const DaeTerms *terms, DaeTerm clock)
{
  if (dae_term_kind(terms, clock) != DAE_KIND_PARAMETER) {
    return NULL;
  }
  const char *name = dae_terms_symbol_name(terms, dae_term_get_symbol(terms, clock));
  return *name == '\'' || strchr(name, '(') == NULL ? name : NULL;
}

static void
declare(const DaeTerms *terms, DaeTerm clock, GHashTable *known, GString *out)
{
  const char *name = variable_name(terms, clock);
  if (name != NULL && g_hash_table_add(known, (gpointer)name)) {
    g_string_append_printf(out, "  Clock %s;\n", name);
  }
}

void
dae_print_clock_declarations(const DaeModel *model, const DaeTerms *terms, GString *out)
{
  g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
  for (uint32_t i = 0; i < dae_model_n_clock_equations(model); i++) {
    const DaeClockEquation *equation = dae_model_clock_equation(model, i);
    declare(terms, equation->lhs, known, out);
    declare(terms, equation->rhs, known, out);
  }
}

void
dae_print_clock_equations(const DaeModel *model, DaeTerms *terms, GString *out)
{
  for (uint32_t i = 0; i < dae_model_n_clock_equations(model); i++) {
    const DaeClockEquation *equation = dae_model_clock_equation(model, i);
    g_string_append(out, "  ");
    dae_term_print(terms, equation->lhs, out);
    g_string_append(out, " = ");
    dae_term_print(terms, equation->rhs, out);
    g_string_append(out, ";\n");
  }
}

void
dae_print_clocked_when(const DaeModel *model, DaeTerms *terms, uint32_t i, GString *out)
{
  for (uint32_t k = 0; k < dae_model_n_clocked_whens(model); k++) {
    const DaeClockedWhen *when = dae_model_clocked_when(model, k);
    if (when->n > 0 && i == when->first + when->n) {
      g_string_append(out, "  end when;\n");
    }
  }
  for (uint32_t k = 0; k < dae_model_n_clocked_whens(model); k++) {
    const DaeClockedWhen *when = dae_model_clocked_when(model, k);
    if (when->n > 0 && i == when->first) {
      g_string_append(out, "  when ");
      dae_term_print(terms, when->clock, out);
      g_string_append(out, " then\n");
    }
  }
}
