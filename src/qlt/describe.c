#include "qlt/qlt.h"

char *
dae_qlt_describe_row(const DaeQlt *qlt, DaeTerms *terms, uint32_t row)
{
  uint32_t n_rows = dae_qlt_n_rows(qlt);
  bool is_constraint = row >= n_rows;
  const DaeQltConstraint *constraint =
      is_constraint ? dae_qlt_constraint(qlt, row - n_rows) : NULL;
  const DaeQltOrigin *from = is_constraint ? constraint->from : dae_qlt_row(qlt, row)->from;
  uint32_t n = is_constraint ? constraint->n_from : dae_qlt_row(qlt, row)->n_from;
  g_autoptr(GString) text = g_string_new(NULL);
  if (is_constraint && constraint->is_hidden) {
    g_string_append_printf(text, "the hidden constraint of level %d from ", constraint->level);
  }
  if (n == 0) {
    g_string_append(text,
                    is_constraint && constraint->is_invariant ? "an invariant" : "an identity");
    return g_strdup(text->str);
  }
  uint32_t main_one =
      0; /* differentiated most often: the others only say what its derivatives are */
  for (uint32_t k = 1; k < n; k++) {
    main_one = from[k].order > from[main_one].order ? k : main_one;
  }
  uint32_t number = from[main_one].equation;
  const DaeEquation *equation = dae_model_written_equation(dae_qlt_model(qlt), &number);
  g_autofree char *place = dae_span_text(equation->span);
  g_string_append_printf(text, "equation %u (%s): ", number, place);
  dae_model_print_equation(terms, equation, text);
  return g_strdup(text->str);
}
