/* The initialization: the verdict, conflicts and redundant equations
 * with their proofs, step by step. */
#include <string.h>

#include "report/html-priv.h"

enum { MOST_FINDINGS = 40, MOST_STEPS = 400, MOST_NAMES = 60 };

/* How a step follows, in words; the numbers of the steps it uses come after it. */
static const char *
words_of_rule(DaeInitRule rule)
{
  switch (rule) {
  case DAE_RULE_PREMISE:
    return "given";
  case DAE_RULE_SUBSTITUTE:
    return "putting in";
  case DAE_RULE_SOLVE:
    return "solved, with";
  case DAE_RULE_BRANCH:
    return "one of several solutions, with";
  case DAE_RULE_VALUES:
    return "with the values of the parameters, from";
  case DAE_RULE_COMBINE:
    return "adding multiples of";
  case DAE_RULE_IDENTITY:
    return "both sides are the same, putting in";
  case DAE_RULE_NUMERIC:
    return "by numbers enclosed in balls, from";
  case DAE_RULE_CONTRADICTION:
    return "not so: a contradiction, putting in";
  case DAE_RULE_CASE:
    return "a contradiction in every case, by";
  }
  return "from";
}

static void
write_factors(DaeHtmlPage *page, const DaeInitStep *step)
{
  for (uint32_t k = 0; k < step->n_from; k++) {
    g_string_append(page->out, k > 0 ? " + " : ": ");
    dae_mathml_term(page->report->terms, step->factors[k], page->out);
    dae_html_printf(page, " × step %u", step->from[k] + 1);
  }
}

static void
write_reason(DaeHtmlPage *page, const DaeInitStep *step)
{
  if (step->is_premise) {
    const DaeEquation *equation =
        dae_init_premise_equation(page->report->init_model, &step->premise);
    dae_html_printf(page, "%s %u", step->premise.is_initial ? "initial equation" : "equation",
                    step->premise.index);
    dae_html_order(page, step->premise.order);
    g_string_append_c(page->out, ',');
    dae_html_place(page, &equation->span);
    return;
  }
  g_string_append(page->out, words_of_rule(step->rule));
  if (step->rule == DAE_RULE_COMBINE && step->factors != NULL && step->n_from <= 12) {
    write_factors(page, step);
    return;
  }
  g_string_append(page->out, step->n_from > 0 ? " step" : "");
  g_string_append(page->out, step->n_from > 1 ? "s" : "");
  for (uint32_t k = 0; k < step->n_from; k++) {
    dae_html_printf(page, "%s %u", k > 0 ? "," : "", step->from[k] + 1);
  }
}

static void
write_steps(DaeHtmlPage *page, const DaeInitStep *steps, uint32_t n)
{
  g_string_append(page->out, "<ol class=\"proof\">\n");
  for (uint32_t s = 0; s < MIN(n, MOST_STEPS); s++) {
    g_string_append(page->out, "<li>");
    if (steps[s].lhs != DAE_NO_TERM && steps[s].rhs != DAE_NO_TERM) {
      dae_mathml_equation(page->report->terms, steps[s].lhs, steps[s].rhs, page->out);
      g_string_append(page->out, " <span class=\"why\">");
      write_reason(page, &steps[s]);
      g_string_append(page->out, "</span>");
    } else {
      g_string_append(page->out, "<code>");
      DaeStyled text =
          dae_init_step_text(page->report->init_model, page->report->terms, &steps[s]);
      dae_html_text(page, text.in[DAE_PRINT_MODELICA]);
      dae_styled_clear(&text);
      g_string_append(page->out, "</code>");
    }
    g_string_append(page->out, "</li>\n");
  }
  g_string_append(page->out, "</ol>\n");
  if (n > MOST_STEPS) {
    dae_html_printf(page,
                    "<p>%u more steps; all of them: <code>daetool check-init --verbose</code>."
                    "</p>\n",
                    n - MOST_STEPS);
  }
}

static void
write_premise(DaeHtmlPage *page, const DaeInitPremise *premise)
{
  const DaeEquation *equation = dae_init_premise_equation(page->report->init_model, premise);
  dae_html_equation(page, equation, premise->index, premise->order, premise->is_initial);
}

static void
write_conflict(DaeHtmlPage *page, const DaeInitConflict *conflict)
{
  g_string_append(page->out,
                  "<h3>Conflict</h3>\n<p>These contradict each other; without any one "
                  "of them the conflict is gone.</p>\n<ul>\n");
  for (uint32_t k = 0; k < conflict->n_premises; k++) {
    g_string_append(page->out, "<li>");
    write_premise(page, &conflict->premises[k]);
    g_string_append(page->out, "</li>\n");
  }
  g_string_append(page->out, "</ul>\n<details open><summary>Why</summary>\n");
  write_steps(page, conflict->steps, conflict->n_steps);
  g_string_append(page->out, "</details>\n");
}

static void
write_redundant(DaeHtmlPage *page, const DaeInitRedundant *item)
{
  g_string_append(page->out, "<h3>Redundant</h3>\n<p>");
  write_premise(page, &item->what);
  g_string_append(page->out,
                  "</p>\n<details open><summary>It follows from the others</summary>\n");
  write_steps(page, item->steps, item->n_steps);
  g_string_append(page->out, "</details>\n");
}

static void
write_terms(DaeHtmlPage *page, const char *title, uint32_t n,
            DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  if (n == 0) {
    return;
  }
  dae_html_printf(page, "<p>%s ", title);
  for (uint32_t i = 0; i < MIN(n, MOST_NAMES); i++) {
    g_string_append(page->out, i > 0 ? ", " : "");
    dae_mathml_term(page->report->terms, get(page->report->init, i), page->out);
  }
  if (n > MOST_NAMES) {
    dae_html_printf(page, " and %u more", n - MOST_NAMES);
  }
  g_string_append(page->out, "</p>\n");
}

static void
write_summary(DaeHtmlPage *page)
{
  const DaeInit *init = page->report->init;
  g_autofree char *summary = dae_init_summary(init);
  g_string_append(page->out, "<p>");
  dae_html_text(page, summary);
  dae_html_printf(page, ". This holds %s%s.</p>\n",
                  dae_init_holds_for_all_parameters(init) ? "for all parameter values"
                                                          : "for the given parameter values",
                  dae_init_is_numeric(init) ? " and was decided by numbers" : "");
  if (dae_init_undecided_why(init) != NULL) {
    g_string_append(page->out, "<p>Undecided: ");
    dae_html_text(page, dae_init_undecided_why(init));
    g_string_append(page->out, "</p>\n");
  }
}

/* Lines of the equations in conflict, for the marks in the source. */
static void
pack_conflict_lines(DaeHtmlPage *page)
{
  const DaeInit *init = page->report->init;
  g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < dae_init_n_conflicts(init); i++) {
    const DaeInitConflict *conflict = dae_init_conflict(init, i);
    for (uint32_t k = 0; k < conflict->n_premises; k++) {
      const DaeEquation *equation =
          dae_init_premise_equation(page->report->init_model, &conflict->premises[k]);
      uint32_t line = dae_html_own_line(&equation->span);
      g_array_append_val(lines, line);
    }
  }
  dae_pack_u32(page->pack, "conflict_line", (const uint32_t *)(void *)lines->data, lines->len);
}

void
dae_html_initialization(DaeHtmlPage *page)
{
  const DaeInit *init = page->report->init;
  if (init == NULL) {
    return;
  }
  dae_html_begin(page, "initialization", "Initialization");
  write_summary(page);
  uint32_t n_conflicts = dae_init_n_conflicts(init);
  uint32_t n_redundant = dae_init_n_redundant(init);
  for (uint32_t i = 0; i < MIN(n_conflicts, MOST_FINDINGS); i++) {
    write_conflict(page, dae_init_conflict(init, i));
  }
  for (uint32_t i = 0; i < MIN(n_redundant, MOST_FINDINGS); i++) {
    write_redundant(page, dae_init_redundant(init, i));
  }
  if (n_conflicts > MOST_FINDINGS || n_redundant > MOST_FINDINGS) {
    dae_html_printf(page,
                    "<p>The first %d of %u conflicts and %u redundant equations; all of "
                    "them: <code>daetool check-init --verbose</code>.</p>\n",
                    MOST_FINDINGS, n_conflicts, n_redundant);
  }
  write_terms(page, "Still need an initial equation:", dae_init_n_undetermined(init),
              dae_init_undetermined);
  write_terms(page, "Suggested choice:", dae_init_n_suggested(init), dae_init_suggested);
  write_terms(page, "Provided that these are not 0:", dae_init_n_assumptions(init),
              dae_init_assumption);
  write_terms(page, "Within the declared min and max of:", dae_init_n_within(init),
              dae_init_within);
  write_terms(page, "Consistent only if these are 0:", dae_init_n_conditions(init),
              dae_init_condition);
  dae_html_end(page);
  pack_conflict_lines(page);
}
