/* What was found, in one line of words, and what to do next. */
#include <string.h>

#include "report/html-priv.h"

enum { SHOWN = 6 }; /* names or equations of a list in a sentence */

static void write_badge(DaeHtmlPage *page, const char *style, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static void
write_badge(DaeHtmlPage *page, const char *style, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_html_printf(page, "<li class=\"%s\">", style);
  dae_html_text(page, text);
  g_string_append(page->out, "</li>\n");
}

/* ---- badges ------------------------------------------------------------------------------ */

static void
write_structure_badge(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  switch (dae_sig_status(sig)) {
  case DAE_SIG_SUCCESS:
    write_badge(page, "good", "structure: regular");
    break;
  case DAE_SIG_REPAIRED:
    write_badge(page, "good", "structure: regular after a repair");
    break;
  case DAE_SIG_STRUCTURALLY_SINGULAR:
    if (page->report->qlt != NULL) {
      write_badge(page, "good", "over-determined: %u equations for %u variables, consistent",
                  dae_model_n_equations(page->report->model),
                  dae_model_n_variables(page->report->model));
    } else {
      write_badge(page, "bad", "structurally singular");
    }
    return;
  case DAE_SIG_JACOBIAN_SINGULAR:
    write_badge(page, "bad", "singular: the equations depend on each other");
    return;
  case DAE_SIG_UNDECIDED:
    write_badge(page, "warn", "structure: undecided");
    return;
  }
  write_badge(page, "plain", "structural index %d", dae_sig_index(sig));
  write_badge(page, "plain", "%" G_GINT64_FORMAT " degree%s of freedom", dae_sig_dof(sig),
              dae_sig_dof(sig) == 1 ? "" : "s");
}

static const char *
style_of_init(DaeInitVerdict verdict)
{
  switch (verdict) {
  case DAE_INIT_WELL_DETERMINED:
  case DAE_INIT_CONSISTENT:
    return "good";
  case DAE_INIT_INCONSISTENT:
  case DAE_INIT_MIXED:
    return "bad";
  case DAE_INIT_UNDER_DETERMINED:
  case DAE_INIT_UNDECIDED:
    return "warn";
  }
  return "warn";
}

static uint32_t
count_hidden(const DaeQlt *qlt)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    n += dae_qlt_constraint(qlt, i)->is_hidden;
  }
  return n;
}

static void
write_badges(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  g_string_append(page->out, "<ul class=\"verdict\">\n");
  if (report->model == NULL) {
    write_badge(page, "bad", "the model could not be read");
  }
  if (report->sig != NULL) {
    write_structure_badge(page);
  }
  if (report->qlt != NULL) {
    uint32_t n = count_hidden(report->qlt);
    write_badge(page, "plain", "%u hidden constraint%s", n, n == 1 ? "" : "s");
  }
  if (report->init != NULL) {
    DaeInitVerdict verdict = dae_init_verdict(report->init);
    write_badge(page, style_of_init(verdict), "initialization: %s",
                dae_init_verdict_name(verdict));
  }
  if (report->run != NULL) {
    bool failed = report->failure != NULL;
    write_badge(page, failed ? "bad" : "good", "simulation: %s",
                failed ? "ended early" : "completed");
  }
  g_string_append(page->out, "</ul>\n");
}

/* ---- what to do next --------------------------------------------------------------------- */

static void
open_step(DaeHtmlPage *page)
{
  g_string_append(page->out, "<li>");
}

static void
close_step(DaeHtmlPage *page)
{
  g_string_append(page->out, "</li>\n");
}

static void
write_names(DaeHtmlPage *page, const DaeSigBlock *block)
{
  const DaeModel *model = dae_sig_model(page->report->sig);
  for (uint32_t k = 0; k < MIN(block->n_variables, SHOWN); k++) {
    const DaeVariable *variable = dae_model_variable(model, block->variables[k]);
    g_string_append(page->out, k > 0 ? ", <code>" : "<code>");
    dae_html_text(page, dae_terms_symbol_name(page->report->terms, variable->symbol));
    g_string_append(page->out, "</code>");
  }
  if (block->n_variables > SHOWN) {
    dae_html_printf(page, " and %u more", block->n_variables - SHOWN);
  }
}

static void
write_numbers(DaeHtmlPage *page, const DaeSigBlock *block)
{
  const DaeModel *model = dae_sig_model(page->report->sig);
  for (uint32_t k = 0; k < MIN(block->n_equations, SHOWN); k++) {
    const DaeEquation *equation = dae_model_equation(model, block->equations[k]);
    dae_html_printf(page, "%s%u", k > 0 ? ", " : "", block->equations[k]);
    if (equation->span.line > 0) {
      g_string_append(page->out, " (");
      dae_html_place(page, &equation->span);
      g_string_append_c(page->out, ')');
    }
  }
  if (block->n_equations > SHOWN) {
    dae_html_printf(page, " and %u more", block->n_equations - SHOWN);
  }
}

static void
write_singular_steps(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  const DaeSigBlock *excess = dae_sig_smallest_excess(sig);
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  if (excess != NULL && excess->n_equations > excess->n_variables) {
    open_step(page);
    dae_html_printf(page,
                    "Take %u of these equations out, or let %s contain another variable: ",
                    excess->n_equations - excess->n_variables,
                    excess->n_equations - excess->n_variables == 1 ? "one of them" : "some");
    write_numbers(page, excess);
    dae_html_printf(page, ". They share only %u variable%s", excess->n_variables,
                    excess->n_variables == 1 ? "" : "s");
    g_string_append(page->out, excess->n_variables > 0 ? ": " : "");
    write_names(page, excess);
    g_string_append_c(page->out, '.');
    close_step(page);
  }
  if (under != NULL && under->n_variables > under->n_equations) {
    open_step(page);
    dae_html_printf(page,
                    "Add %u equation%s for these variables, which the others leave open: ",
                    under->n_variables - under->n_equations,
                    under->n_variables - under->n_equations == 1 ? "" : "s");
    write_names(page, under);
    g_string_append_c(page->out, '.');
    close_step(page);
  }
}

static void
write_reason_step(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  bool contradictory = false;
  const DaeSigBlock *ill = dae_sig_ill_posed(sig, &contradictory);
  if (dae_sig_reason(sig) != NULL) {
    open_step(page);
    dae_html_text(page, dae_sig_reason(sig));
    close_step(page);
  }
  if (ill != NULL) {
    open_step(page);
    g_string_append(page->out, contradictory
                                   ? "These equations contradict each other: "
                                   : "One of these equations follows from the others: ");
    write_numbers(page, ill);
    g_string_append_c(page->out, '.');
    close_step(page);
  }
  g_autofree char *hint = ill != NULL
                              ? dae_model_floating_hint(dae_sig_model(sig), page->report->terms,
                                                        ill->equations, ill->n_equations)
                              : NULL;
  if (hint != NULL) {
    open_step(page);
    dae_html_text(page, hint);
    close_step(page);
  }
}

static void
write_terms(DaeHtmlPage *page, uint32_t n, DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  for (uint32_t i = 0; i < MIN(n, SHOWN); i++) {
    g_string_append(page->out, i > 0 ? ", " : "");
    dae_mathml_term(page->report->terms, get(page->report->init, i), page->out);
  }
  if (n > SHOWN) {
    dae_html_printf(page, " and %u more", n - SHOWN);
  }
}

static void
write_init_steps(DaeHtmlPage *page)
{
  const DaeInit *init = page->report->init;
  if (dae_init_n_conflicts(init) > 0) {
    g_string_append(page->out, "<li>Drop or change one equation of each "
                               "<a href=\"#section-initialization\">conflict</a>: leaving any "
                               "one out ends it.</li>\n");
  }
  if (dae_init_n_redundant(init) > 0) {
    uint32_t n = dae_init_n_redundant(init);
    dae_html_printf(page,
                    "<li>%u initial equation%s from the others: harmless, the proof is "
                    "<a href=\"#section-initialization\">below</a>.</li>\n",
                    n, n == 1 ? " follows" : "s follow");
  }
  if (dae_init_missing(init) > 0) {
    bool suggested = dae_init_n_suggested(init) > 0;
    open_step(page);
    dae_html_printf(page,
                    "Give %u more initial condition%s, for example <code>fixed = true</code>"
                    " for %s: ",
                    dae_init_missing(init), dae_init_missing(init) == 1 ? "" : "s",
                    suggested ? "this choice" : "some of");
    write_terms(page, suggested ? dae_init_n_suggested(init) : dae_init_n_undetermined(init),
                suggested ? dae_init_suggested : dae_init_undetermined);
    g_string_append_c(page->out, '.');
    close_step(page);
  }
  if (dae_init_undecided_why(init) != NULL) {
    open_step(page);
    g_string_append(page->out, "Not settled: ");
    dae_html_text(page, dae_init_undecided_why(init));
    close_step(page);
  }
}

static void
write_messages(DaeHtmlPage *page)
{
  static const char *const words[] = {"note", "warning", "error"};
  for (size_t i = 0; i < page->report->n_messages; i++) {
    const DaeHtmlMessage *message = &page->report->messages[i];
    dae_html_printf(page, "<li><strong>%s</strong>", words[message->severity]);
    dae_html_line(page, message->line);
    g_string_append(page->out, ": ");
    dae_html_text(page, message->text);
    close_step(page);
  }
}

static void
write_next_steps(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  gsize before = page->out->len;
  g_string_append(page->out, "<h3>What to do next</h3>\n<ul class=\"next\">\n");
  gsize first = page->out->len;
  write_messages(page);
  if (report->sig != NULL) {
    if (dae_sig_status(report->sig) == DAE_SIG_STRUCTURALLY_SINGULAR && report->qlt == NULL) {
      write_singular_steps(page);
    }
    write_reason_step(page);
  }
  if (report->init != NULL) {
    write_init_steps(page);
  }
  if (report->failure != NULL) {
    g_string_append(page->out, "<li>It stopped here: ");
    dae_html_text(page, report->failure);
    close_step(page);
  }
  if (page->out->len == first) {
    g_string_truncate(page->out, before);
    g_string_append(page->out, "<p>Nothing is in the way: the structure is regular, the "
                               "initialization is determined, and the model runs.</p>\n");
    return;
  }
  g_string_append(page->out, "</ul>\n");
}

void
dae_html_verdict(DaeHtmlPage *page)
{
  dae_html_begin(page, "verdict", "Verdict");
  write_badges(page);
  write_next_steps(page);
  dae_html_end(page);
}
