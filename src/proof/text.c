/* Steps of proofs as texts: proofs of large models have millions of steps, of which few are
 * read, so a text is made when it is asked for. */
#include "proof/proof.h"

static void
append_side(DaeTerms *terms, DaeTerm side, DaeStyledString *out)
{
  if (side == DAE_NO_TERM) {
    dae_styled_append(out, "?"); /* of a proof that is wrong: its checker shows it */
  } else {
    dae_styled_append_term(out, terms, side, 0);
  }
}

static void
append_label(DaeStyledString *out, const DaeInitPremise *premise)
{
  dae_styled_printf(out, "  [%s %u", premise->is_initial ? "initial" : "equation",
                    premise->index);
  if (premise->order == 1) {
    dae_styled_append(out, ", differentiated");
  } else if (premise->order > 1) {
    dae_styled_printf(out, ", differentiated %d times", premise->order);
  }
  dae_styled_append(out, "]");
}

/* "; numeric: residual below 1e-58 in a ball of radius 1e-59 around x = 0.739, y = 1.2". */
static void
append_numeric(DaeTerms *terms, DaeStyledString *out, const DaeInitNumeric *numeric)
{
  enum { N_SHOWN = 4, SHORT = 8 };

  if (numeric->excludes_zero) {
    dae_styled_printf(out, "; numeric: residual above 1e%d", numeric->above);
  } else {
    dae_styled_printf(out, "; numeric: residual below 1e%d", numeric->below);
  }
  if (numeric->n == 0) {
    return;
  }
  dae_styled_printf(out, " in a ball of radius 1e%d around", numeric->radius);
  for (uint32_t i = 0; i < MIN(numeric->n, N_SHOWN); i++) {
    char value[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(value, sizeof value, "%.8g", g_ascii_strtod(numeric->values[i], NULL));
    dae_styled_append(out, i == 0 ? " " : ", ");
    dae_styled_append_term(out, terms, numeric->atoms[i], 0);
    dae_styled_printf(out, " = %s", value);
  }
  dae_styled_append(out, numeric->n > N_SHOWN ? ", ..." : "");
  if (numeric->n_solutions > 1) {
    dae_styled_printf(out, "; so at all %u solutions of the others that were found",
                      numeric->n_solutions);
  } else if (numeric->n_solutions == 1) {
    dae_styled_append(out, "; no other solution of the others was found");
  }
}

static void
append_sources(DaeTerms *terms, DaeStyledString *out, const DaeInitStep *step)
{
  if (step->n_from == 0) {
    dae_styled_append(out, "  [");
  } else if (step->rule == DAE_RULE_CASE) {
    dae_styled_append(out, "  [in every case: steps ");
  } else if (step->n_from == 1) {
    dae_styled_printf(out, "  [from step %u", step->from[0] + 1);
  } else {
    dae_styled_append(out, "  [from steps ");
  }
  for (uint32_t i = 0; i < step->n_from && (step->n_from > 1 || step->rule == DAE_RULE_CASE);
       i++) {
    dae_styled_printf(out, "%s%u", i == 0 ? "" : ", ", step->from[i] + 1);
  }
  if (step->note != NULL) {
    dae_styled_printf(out, "; %s", step->note);
  }
  if (step->condition != DAE_NO_TERM) {
    bool fails = step->rule == DAE_RULE_CONTRADICTION;
    dae_styled_append(out, step->n_from == 0 ? "" : "; ");
    dae_styled_append(out, fails ? "but " : "where ");
    dae_styled_append_term(out, terms, step->condition, 0);
    dae_styled_append(out, step->holds != fails ? " holds" : " does not hold");
    dae_styled_append(out, fails ? " there" : "");
  }
  if (step->numeric != NULL) {
    append_numeric(terms, out, step->numeric);
  }
  dae_styled_append(out, "]");
}

static void
append_sides(DaeTerms *terms, DaeStyledString *out, const DaeInitStep *step)
{
  if (step->sides == NULL) {
    append_side(terms, step->lhs, out);
    dae_styled_append(out, " = ");
    append_side(terms, step->rhs, out);
    return;
  }
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    g_string_append(out->in[style], step->sides->in[style]);
  }
}

static bool
has_premise(const DaeModel *model, const DaeInitPremise *premise)
{
  return premise->index < (premise->is_initial ? dae_model_n_initial_equations(model)
                                               : dae_model_n_equations(model));
}

DaeStyled
dae_init_step_text(const DaeModel *model, DaeTerms *terms, const DaeInitStep *step)
{
  DaeStyledString out = dae_styled_string_new();
  if (step->is_premise && has_premise(model, &step->premise)) {
    for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
      dae_init_premise_print(model, terms, &step->premise, (DaePrintStyle)style, out.in[style]);
    }
    append_label(&out, &step->premise);
  } else {
    append_sides(terms, &out, step);
    append_sources(terms, &out, step);
  }
  return dae_styled_string_end(&out);
}
