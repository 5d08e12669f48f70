/* What changes at events: equations of discrete variables and when-clauses, typeset. */
#include "report/html-priv.h"

#include "terms/message.h"

enum { MOST_CLAUSES = 200 };

/* Multiplied by an odd number, which loses nothing: places of neighbours have hashes far apart. */
static guint64
key_of(const DaeSpan *span)
{
  return (((guint64)span->line << 32) | span->column) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
}

/* Is an equation at this place among the continuous ones? */
static bool
is_continuous(const DaeHtmlReport *report, GHashTable *places, const DaeEquation *equation)
{
  guint64 place = key_of(&equation->span);
  return report->analyzed == NULL ||
         (!equation->is_discrete && g_hash_table_contains(places, &place));
}

static GHashTable *
places_of(const DaeModel *model)
{
  GHashTable *places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeSpan *span = &dae_model_equation(model, i)->span;
    guint64 place = key_of(span);
    g_hash_table_add(places, g_memdup2(&place, sizeof place));
  }
  return places;
}

/* A Boolean value is 1 where its condition holds, else 0: the condition is what was written. */
static DaeTerm
condition_of(const DaeTerms *terms, DaeTerm value)
{
  int64_t one = 0;
  int64_t zero = 1;
  if (dae_term_kind(terms, value) == DAE_KIND_IF &&
      dae_term_get_int64(terms, dae_term_operand(terms, value, 1), &one) &&
      dae_term_get_int64(terms, dae_term_operand(terms, value, 2), &zero) && one == 1 &&
      zero == 0) {
    return dae_term_operand(terms, value, 0);
  }
  return value;
}

static bool
is_boolean(const DaeHtmlReport *report, DaeTerm t)
{
  uint32_t j = 0;
  return dae_term_kind(report->terms, t) == DAE_KIND_VARIABLE &&
         dae_model_find_variable(report->model, dae_term_get_symbol(report->terms, t), &j) &&
         dae_model_variable(report->model, j)->type == DAE_TYPE_BOOLEAN;
}

static void
write_value(DaeHtmlPage *page, DaeTerm target, DaeTerm value)
{
  const DaeHtmlReport *report = page->report;
  int64_t number = 0;
  dae_mathml_term(report->terms, target, page->out);
  g_string_append(page->out, " = ");
  if (is_boolean(report, target) && dae_term_get_int64(report->terms, value, &number)) {
    g_string_append(page->out, number != 0 ? "true" : "false");
    return;
  }
  dae_mathml_term(report->terms,
                  is_boolean(report, target) ? condition_of(report->terms, value) : value,
                  page->out);
}

/* Values in it as the expressions they are of. */
static void
write_message(DaeHtmlPage *page, const char *message)
{
  g_autofree char *text = dae_message_fill(page->report->terms, message, NULL, NULL);
  dae_html_text(page, text);
}

static void
write_action(DaeHtmlPage *page, const DaeAction *action)
{
  g_string_append(page->out, "<li>");
  switch (action->kind) {
  case DAE_ACTION_ASSIGN:
    write_value(page, action->target, action->value);
    break;
  case DAE_ACTION_REINIT:
    write_value(page, action->target, action->value);
    g_string_append(page->out, " <span class=\"why\">reset (reinit)</span>");
    break;
  case DAE_ACTION_TERMINATE:
    g_string_append(page->out, "the simulation ends: ");
    write_message(page, action->message);
    break;
  case DAE_ACTION_ASSERT:
    g_string_append(page->out, "it must hold: ");
    dae_mathml_term(page->report->terms, action->value, page->out);
    break;
  }
  if (action->condition != DAE_NO_TERM) {
    g_string_append(page->out, " <span class=\"why\">if</span> ");
    dae_mathml_term(page->report->terms, action->condition, page->out);
  }
  g_string_append(page->out, "</li>\n");
}

static void
write_branch(DaeHtmlPage *page, const DaeWhenBranch *branch, bool is_first)
{
  g_string_append(page->out, is_first ? "<li>when " : "<li>else, when ");
  for (uint32_t k = 0; k < branch->n_conditions; k++) {
    g_string_append(page->out, k > 0 ? " or " : "");
    dae_mathml_term(page->report->terms, branch->conditions[k], page->out);
  }
  if (branch->is_initial) {
    g_string_append(page->out, branch->n_conditions > 0 ? " or at the start" : "at the start");
  }
  g_string_append(page->out, " <span class=\"why\">");
  dae_html_place(page, &branch->span);
  g_string_append(page->out, "</span><ul>\n");
  for (uint32_t k = 0; k < branch->n_actions; k++) {
    write_action(page, &branch->actions[k]);
  }
  g_string_append(page->out, "</ul></li>\n");
}

static uint32_t
write_equations(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  if (report->analyzed == NULL ||
      dae_model_n_equations(report->analyzed) == dae_model_n_equations(report->model)) {
    return 0;
  }
  g_autoptr(GHashTable) places = places_of(report->analyzed);
  uint32_t n = 0;
  for (uint32_t i = 0; i < dae_model_n_equations(report->model); i++) {
    const DaeEquation *equation = dae_model_equation(report->model, i);
    if (is_continuous(report, places, equation)) {
      continue;
    }
    if (n++ < MOST_CLAUSES) {
      g_string_append(page->out, "<li>");
      write_value(page, equation->lhs, equation->rhs);
      g_string_append(page->out, " <span class=\"why\">");
      dae_html_place(page, &equation->span);
      g_string_append(page->out, "</span></li>\n");
    }
  }
  return n;
}

void
dae_html_discrete(DaeHtmlPage *page)
{
  const DaeModel *model = page->report->model;
  gsize before = page->out->len;
  g_string_append(page->out, "<h3>What changes at events</h3>\n<ul>\n");
  uint32_t n = write_equations(page);
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    const DaeWhen *when = dae_model_when(model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      if (n++ < MOST_CLAUSES) {
        write_branch(page, &when->branches[b], b == 0);
      }
    }
  }
  g_string_append(page->out, "</ul>\n");
  if (n == 0) {
    g_string_truncate(page->out, before);
  } else if (n > MOST_CLAUSES) {
    dae_html_printf(page,
                    "<p>The first %d of %u; all of them: <code>daetool show</code>.</p>\n",
                    MOST_CLAUSES, n);
  }
}
