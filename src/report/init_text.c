#include <string.h>

#include "report/assumed.h"
#include "report/init.h"
#include "report/smooth.h"

enum {
  MOST_NAMES = 40,    /* in a list */
  MOST_FINDINGS = 12, /* conflicts, redundant equations */
};

static void
text_premise(const DaeInitView *view, const DaeInitPremise *premise)
{
  GString *out = view->out;
  const DaeEquation *equation = dae_init_premise_equation(view->model, premise);
  dae_init_premise_print(view->model, view->terms, premise, dae_page_print_style(view->page),
                         out);
  g_string_append_printf(out, "  (%s %u", premise->is_initial ? "initial" : "equation",
                         premise->index);
  if (premise->order > 0) {
    g_string_append_printf(out, ", order %d", premise->order);
  }
  if (equation->span.line > 0) {
    g_string_append(out, ", ");
    dae_report_equation_place(out, view->model, view->terms, equation);
  }
  g_string_append(out, ")\n");
}

static void
text_steps(const DaeInitView *view, const DaeInitStep *steps, uint32_t n)
{
  GString *out = view->out;
  uint32_t shown = n > 40 && !view->page->is_verbose ? 40 : n;
  for (uint32_t s = 0; s < shown; s++) {
    if (s + 1 == shown && shown < n) {
      g_string_append_printf(
          out, "    ... %u steps; all of them with --verbose or --format json\n", n - shown);
      s = n - 1;
    }
    g_string_append_printf(out, "    %3u. ", s + 1);
    DaeStyled text = dae_init_step_text(view->model, view->terms, &steps[s]);
    dae_page_text(view->page, out, &text);
    dae_styled_clear(&text);
    g_string_append_c(out, '\n');
  }
}

/* " and 17 more (all with --verbose or --format json)" */
static void
append_rest(const DaeInitView *view, uint32_t shown, uint32_t n)
{
  if (shown < n) {
    g_string_append_printf(view->out, " and %u more (all with --verbose or --format json)",
                           n - shown);
  }
}

static void
text_terms(const DaeInitView *view, const char *title, uint32_t n,
           DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  GString *out = view->out;
  if (n == 0) {
    return;
  }
  uint32_t shown = view->page->is_verbose ? n : MIN(n, MOST_NAMES);
  g_string_append(out, title);
  for (uint32_t i = 0; i < shown; i++) {
    g_string_append(out, i == 0 ? " " : ", ");
    dae_page_term(view->page, out, view->terms, get(view->init, i));
  }
  append_rest(view, shown, n);
  g_string_append_c(out, '\n');
}

static void
text_matchings(const DaeInitView *view)
{
  GString *out = view->out;
  uint32_t n_unknowns = 0;
  uint32_t n_equations = 0;
  dae_init_reduced_size(view->init, &n_unknowns, &n_equations);
  g_string_append_printf(out, "reduced system: %u variables, %u equations\n", n_unknowns,
                         n_equations);
  for (uint32_t i = 0; i < dae_init_n_matchings(view->init); i++) {
    const DaeInitMatching *matching = dae_init_matching(view->init, i);
    g_string_append_printf(out, "  %-22s without ", matching->outcome);
    text_premise(view, &matching->left_out);
  }
  if (dae_init_n_matchings(view->init) == 0) {
    g_string_append(out, "  no single equation makes it square\n");
  }
}

static void
text_conflict(const DaeInitView *view, const DaeInitConflict *conflict)
{
  GString *out = view->out;
  dae_page_styled(view->page, out, DAE_STYLE_BAD, "conflict");
  g_string_append(out, " (residual ");
  if (conflict->residual == DAE_NO_TERM) {
    g_string_append(out, "undefined");
  } else {
    dae_page_term(view->page, out, view->terms, conflict->residual);
  }
  g_string_append_c(out, ')');
  g_string_append(out, ": these contradict each other\n");
  for (uint32_t k = 0; k < conflict->n_premises; k++) {
    g_string_append(out, "    ");
    text_premise(view, &conflict->premises[k]);
  }
  g_string_append(out, "  because\n");
  text_steps(view, conflict->steps, conflict->n_steps);
}

/* How many of n findings are shown; tells if there are more. */
static uint32_t
begin_findings(const DaeInitView *view, uint32_t n, const char *what)
{
  uint32_t shown = view->page->is_verbose ? n : MIN(n, MOST_FINDINGS);
  if (shown < n) {
    g_string_append_printf(view->out,
                           "%u %s; the first %u (all with --verbose or --format json):\n", n,
                           what, shown);
  }
  return shown;
}

static void
text_findings(const DaeInitView *view)
{
  const DaeInit *init = view->init;
  GString *out = view->out;
  uint32_t n = begin_findings(view, dae_init_n_conflicts(init), "conflicts");
  for (uint32_t i = 0; i < n; i++) {
    text_conflict(view, dae_init_conflict(init, i));
  }
  n = begin_findings(view, dae_init_n_redundant(init), "redundant equations");
  for (uint32_t i = 0; i < n; i++) {
    const DaeInitRedundant *item = dae_init_redundant(init, i);
    dae_page_styled(view->page, out, DAE_STYLE_WARN, "redundant");
    g_string_append(out, ": ");
    text_premise(view, &item->what);
    text_steps(view, item->steps, item->n_steps);
  }
}

static void
text_precision(const DaeInitView *view)
{
  GString *out = view->out;
  DaeInitPrecision precision;
  uint32_t n = dae_init_n_implicit(view->init);
  int radius = 0;
  if (dae_init_is_numeric(view->init) && dae_init_precision(view->init, &precision)) {
    g_string_append(out, "  numeric: ");
    if (precision.has_zero) {
      g_string_append_printf(out, "residual below 1e%d ", precision.below);
    }
    g_string_append_printf(out, "in a ball of radius 1e%d, %u digits\n", precision.radius,
                           precision.digits);
  }
  if (n > 0 && dae_init_existence_is_proved(view->init, &radius)) {
    g_string_append_printf(out,
                           "  %u unknown%s without a formula: a real solution is proved to "
                           "exist, in a ball of radius 1e%d\n",
                           n, n == 1 ? "" : "s", radius);
  } else if (n > 0) {
    g_string_append_printf(out,
                           "  %u unknown%s without a formula: the block is regular, that it "
                           "has a real solution is not proved\n",
                           n, n == 1 ? "" : "s");
  }
}

static void
text_proofs(const DaeInitView *view, const DaeProofVerdict *proofs)
{
  GString *out = view->out;
  const DaeProofCounts *counts = &proofs->counts;
  g_string_append_printf(out, "proofs: %s: %u steps exact, ",
                         proofs->why == NULL ? "verified" : proofs->why, counts->n_exact);
  if (counts->n_images > 0) {
    g_string_append_printf(out, "%u by images modulo a prime, ", counts->n_images);
  }
  g_string_append_printf(out, "%u numeric, %u failed\n", counts->n_numeric,
                         proofs->why == NULL ? 0U : 1U);
  if (counts->n_assumed > 0) {
    g_string_append_printf(out,
                           "  %u of them divide by something, or take a solution as the only "
                           "one, on the word of the search\n",
                           counts->n_assumed);
  }
  for (guint i = 0; i < counts->identities->len; i++) {
    g_string_append_printf(out, "%s%s%s", i == 0 ? "  identities used: " : "; ",
                           (const char *)g_ptr_array_index(counts->identities, i),
                           i + 1 == counts->identities->len ? "\n" : "");
  }
}

/* What the claim for all parameter values rests on; nobody reads long expressions. */
static void
text_assumptions(const DaeInitView *view)
{
  enum { LONGEST_TOLD = 60 };

  GString *out = view->out;
  uint32_t n = dae_init_n_assumptions(view->init);
  uint32_t told = 0;
  for (uint32_t i = 0; i < n; i++) {
    g_autofree char *text = dae_term_to_string(view->terms, dae_init_assumption(view->init, i));
    if (view->page->is_verbose || strlen(text) <= LONGEST_TOLD) {
      g_string_append(out, told++ == 0 ? "  provided that these are not 0: " : ", ");
      dae_page_term(view->page, out, view->terms, dae_init_assumption(view->init, i));
    }
  }
  if (n > told) {
    g_string_append_printf(out, "%s%u long expression%s (all of them: --verbose)",
                           told == 0 ? "  provided that these are not 0: " : ", ", n - told,
                           n - told == 1 ? "" : "s");
  }
  g_string_append(out, n > 0 ? "\n" : "");
}

void
dae_init_report_text(const DaeInitView *view, const DaeProofVerdict *proofs)
{
  const DaeInit *init = view->init;
  GString *out = view->out;
  g_autofree char *summary = dae_init_summary(init);
  DaeInitVerdict verdict = dae_init_verdict(init);
  bool good = verdict == DAE_INIT_WELL_DETERMINED || verdict == DAE_INIT_CONSISTENT;
  g_string_append_printf(out, "%s: ", dae_model_name(view->model));
  dae_page_styled(view->page, out, good ? DAE_STYLE_GOOD : DAE_STYLE_BAD,
                  dae_init_verdict_name(verdict));
  g_string_append_printf(out, "\n  %s\n  %" G_GINT64_FORMAT " potential states; holds %s%s\n",
                         summary, dae_init_potential_states(init),
                         dae_init_holds_for_all_parameters(init)
                             ? "for all parameter values"
                             : "for the given parameter values",
                         dae_init_is_numeric(init) ? " (numeric)" : "");
  text_assumptions(view);
  text_terms(view, "  within the declared min and max of:", dae_init_n_within(init),
             dae_init_within);
  dae_assumed_text(out, "  ", view->terms, view->model);
  dae_smooth_text(out, "  ", view->terms, view->sig);
  text_precision(view);
  if (dae_init_undecided_why(init) != NULL) {
    g_string_append_printf(out, "undecided: %s\n", dae_init_undecided_why(init));
  }
  text_findings(view);
  text_terms(view, "still need an initial equation:", dae_init_n_undetermined(init),
             dae_init_undetermined);
  text_terms(view, "suggested choice:", dae_init_n_suggested(init), dae_init_suggested);
  text_terms(view, "consistent only if 0 =", dae_init_n_conditions(init), dae_init_condition);
  if (view->with_matchings) {
    text_matchings(view);
  }
  if (proofs->is_wanted) {
    text_proofs(view, proofs);
  }
  dae_verified_text(out, proofs->verified, proofs->n_verified);
}
