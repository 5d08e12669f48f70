#include "proof/proof.h"

void
dae_proof_numeric_free(DaeInitNumeric *numeric)
{
  if (numeric == NULL) {
    return;
  }
  for (uint32_t i = 0; i < numeric->n; i++) {
    g_free(numeric->values[i]);
  }
  g_free(numeric->values);
  g_free(numeric->atoms);
  g_free(numeric->rows);
  g_free(numeric);
}

DaeInitNumeric *
dae_proof_numeric_copy(const DaeInitNumeric *numeric)
{
  if (numeric == NULL) {
    return NULL;
  }
  DaeInitNumeric *copy = g_memdup2(numeric, sizeof *numeric);
  copy->atoms = g_memdup2(numeric->atoms, sizeof(DaeTerm) * numeric->n);
  copy->rows = g_memdup2(numeric->rows, sizeof(uint32_t) * numeric->n_solved);
  copy->values = g_new0(char *, numeric->n + 1);
  for (uint32_t i = 0; i < numeric->n; i++) {
    copy->values[i] = g_strdup(numeric->values[i]);
  }
  return copy;
}

void
dae_proof_step_clear(DaeInitStep *step)
{
  if (step->sides != NULL) {
    dae_styled_clear(step->sides);
  }
  g_free(step->sides);
  g_free(step->note);
  g_free(step->from);
  g_free(step->factors);
  dae_proof_numeric_free(step->numeric);
}

void
dae_proof_steps_free(DaeInitStep *steps, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    dae_proof_step_clear(&steps[i]);
  }
  g_free(steps);
}

const DaeEquation *
dae_init_premise_equation(const DaeModel *model, const DaeInitPremise *premise)
{
  return premise->is_initial ? dae_model_initial_equation(model, premise->index)
                             : dae_model_equation(model, premise->index);
}

void
dae_init_premise_print(const DaeModel *model, DaeTerms *terms, const DaeInitPremise *premise,
                       DaePrintStyle style, GString *out)
{
  const DaeEquation *equation = dae_init_premise_equation(model, premise);
  DaePrinting how = {.style = style};
  DaeTerm lhs = equation->lhs;
  DaeTerm rhs = equation->rhs;
  if (premise->order == 0) {
    dae_model_print_equation_styled(terms, equation, style, out);
    return;
  }
  for (int32_t k = 0; k < premise->order; k++) {
    lhs = dae_term_total(terms, lhs);
    rhs = dae_term_total(terms, rhs);
  }
  dae_term_print_styled(terms, lhs, &how, out);
  g_string_append(out, " = ");
  dae_term_print_styled(terms, rhs, &how, out);
}

char *
dae_init_premise_text(const DaeModel *model, DaeTerms *terms, const DaeInitPremise *premise)
{
  GString *out = g_string_new(NULL);
  dae_init_premise_print(model, terms, premise, DAE_PRINT_MODELICA, out);
  return g_string_free(out, FALSE);
}

char *
dae_init_premise_line(const DaeModel *model, DaeTerms *terms, const DaeInitPremise *premise)
{
  GString *out = g_string_new(NULL);
  g_autofree char *text = dae_init_premise_text(model, terms, premise);
  const DaeEquation *equation = dae_init_premise_equation(model, premise);
  g_string_append_printf(out, "%s  (%s %u", text, premise->is_initial ? "initial" : "equation",
                         premise->index);
  if (premise->order > 0) {
    g_string_append_printf(out, ", order %d", premise->order);
  }
  if (equation->span.line > 0) {
    g_autofree char *place = dae_span_text(equation->span);
    g_string_append_printf(out, ", %s", place);
  }
  g_string_append_c(out, ')');
  return g_string_free(out, FALSE);
}

char *
dae_init_conflict_message(const DaeModel *model, DaeTerms *terms,
                          const DaeInitConflict *conflict)
{
  g_autofree char *residual = conflict->residual == DAE_NO_TERM
                                  ? g_strdup("undefined")
                                  : dae_term_to_string(terms, conflict->residual);
  GString *out = g_string_new(NULL);
  g_string_append_printf(out, " (residual %s): these contradict each other", residual);
  for (uint32_t k = 0; k < conflict->n_premises; k++) {
    g_autofree char *line = dae_init_premise_line(model, terms, &conflict->premises[k]);
    g_string_append_printf(out, "\n    %s", line);
  }
  return g_string_free(out, FALSE);
}
