/* The model's equations, typeset; the constraints, the hidden ones with their derivation. */
#include <string.h>

#include "report/html-priv.h"

enum {
  MOST_EQUATIONS = 200, /* in a page that one reads; all are in the matrix and the source */
  MOST_CONSTRAINTS = 120,
  MOST_OPEN = 60, /* longer lists are folded */
  MOST_ORIGINS = 40,
  MOST_ORDER = 6
};

/* "The first 200 of 1234; all of them: daetool show" */
static void
write_rest(DaeHtmlPage *page, uint32_t shown, uint32_t n, const char *command)
{
  if (shown < n) {
    dae_html_printf(page, "<p>The first %u of %u; all of them: <code>daetool %s</code>.</p>\n",
                    shown, n, command);
  }
}

/* ---- equations --------------------------------------------------------------------------- */

static void
open_rows(DaeHtmlPage *page)
{
  g_string_append(
      page->out,
      "<div class=\"wide\"><table class=\"fit\"><tr><th class=\"n\" scope=\"col\">number"
      "</th><th scope=\"col\">equation</th><th scope=\"col\">where</th>"
      "</tr>\n");
}

static void
write_equation_rows(DaeHtmlPage *page, const DaeModel *model, bool is_initial)
{
  uint32_t n = is_initial ? dae_model_n_initial_equations(model) : dae_model_n_equations(model);
  uint32_t shown = MIN(n, MOST_EQUATIONS);
  if (n == 0) {
    return;
  }
  if (is_initial) {
    g_string_append(page->out, "<h3>Initial equations</h3>\n");
  }
  if (n > MOST_OPEN) {
    dae_html_printf(page, "<details><summary>%u equations</summary>\n", n);
  }
  open_rows(page);
  for (uint32_t i = 0; i < shown; i++) {
    const DaeEquation *equation =
        is_initial ? dae_model_initial_equation(model, i) : dae_model_equation(model, i);
    dae_html_printf(page, "<tr><td class=\"n\">%u</td><td>", i);
    dae_mathml_equation(page->report->terms, equation->lhs, equation->rhs, page->out);
    g_string_append(page->out, "</td><td>");
    dae_html_place(page, &equation->span);
    g_string_append(page->out, "</td></tr>\n");
  }
  g_string_append(page->out, "</table></div>\n");
  write_rest(page, shown, n, "show");
  g_string_append(page->out, n > MOST_OPEN ? "</details>\n" : "");
}

/* With events the check of the initialization has a model of its own, discrete values included;
 * the user's initial equations are all in it. */
void
dae_html_equations(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  if (report->model == NULL) {
    return;
  }
  dae_html_begin(page, "equations", "Equations");
  write_equation_rows(page, report->analyzed != NULL ? report->analyzed : report->model, false);
  dae_html_discrete(page);
  write_equation_rows(page, report->init_model != NULL ? report->init_model : report->model,
                      true);
  dae_html_end(page);
}

/* ---- derivation of a constraint ---------------------------------------------------------- */

/* The equation differentiated so often, its derivatives not yet replaced.
 * False: too long to be shown. */
static bool
differentiate(DaeTerms *terms, const DaeEquation *equation, int32_t order, DaeTerm *lhs,
              DaeTerm *rhs)
{
  *lhs = equation->lhs;
  *rhs = equation->rhs;
  for (int32_t k = 0; k < order; k++) {
    if (dae_term_size(terms, *lhs) + dae_term_size(terms, *rhs) > DAE_MATHML_LONGEST) {
      return false;
    }
    *lhs = dae_terms_rewrite(terms, dae_term_total(terms, *lhs));
    *rhs = dae_terms_rewrite(terms, dae_term_total(terms, *rhs));
  }
  return *lhs != DAE_NO_TERM && *rhs != DAE_NO_TERM;
}

static void
collect_derivatives(DaeTerms *terms, DaeTerm t, GArray *derivatives)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, variables);
  for (guint i = 0; i < variables->len; i++) {
    DaeTerm v = g_array_index(variables, DaeTerm, i);
    bool is_new = dae_term_order(terms, v) > 0;
    for (guint k = 0; is_new && k < derivatives->len; k++) {
      is_new = g_array_index(derivatives, DaeTerm, k) != v;
    }
    if (is_new) {
      g_array_append_val(derivatives, v);
    }
  }
}

static void
write_origin(DaeHtmlPage *page, const DaeQltOrigin *origin, GArray *derivatives)
{
  DaeTerms *terms = page->report->terms;
  const DaeEquation *equation =
      dae_model_equation(dae_qlt_model(page->report->qlt), origin->equation);
  DaeTerm lhs = DAE_NO_TERM;
  DaeTerm rhs = DAE_NO_TERM;
  g_string_append(page->out, "<li>");
  if (origin->order <= MOST_ORDER &&
      differentiate(terms, equation, origin->order, &lhs, &rhs)) {
    dae_mathml_equation(terms, lhs, rhs, page->out);
    collect_derivatives(terms, lhs, derivatives);
    collect_derivatives(terms, rhs, derivatives);
  } else {
    g_string_append(page->out, "(too long to be shown)");
  }
  dae_html_printf(page, " <span class=\"why\">equation %u", origin->equation);
  dae_html_order(page, origin->order);
  g_string_append_c(page->out, ',');
  dae_html_place(page, &equation->span);
  g_string_append(page->out, "</span></li>\n");
}

static void
write_elimination(DaeHtmlPage *page, const GArray *derivatives)
{
  if (derivatives->len == 0) {
    return;
  }
  g_string_append(page->out, "<li>Eliminating ");
  for (guint k = 0; k < MIN(derivatives->len, 12); k++) {
    g_string_append(page->out, k > 0 ? ", " : "");
    dae_mathml_term(page->report->terms, g_array_index(derivatives, DaeTerm, k), page->out);
  }
  g_string_append(page->out, derivatives->len > 12 ? " and more" : "");
  g_string_append(page->out, " from these leaves");
}

static void
write_derivation(DaeHtmlPage *page, const DaeQltConstraint *constraint)
{
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t shown = MIN(constraint->n_from, MOST_ORIGINS);
  g_string_append(page->out, "<ol class=\"proof\">\n");
  for (int32_t order = 0; order <= MOST_ORDER; order++) { /* the plain ones first */
    for (uint32_t k = 0; k < shown; k++) {
      if (MIN(constraint->from[k].order, MOST_ORDER) == order) {
        write_origin(page, &constraint->from[k], derivatives);
      }
    }
  }
  if (shown < constraint->n_from) {
    dae_html_printf(page, "<li>and %u more equations</li>\n", constraint->n_from - shown);
  }
  write_elimination(page, derivatives);
  g_string_append(page->out, derivatives->len > 0 ? " " : "<li>");
  g_string_append(page->out, "<span class=\"eq\">");
  dae_mathml_equation(page->report->terms, dae_term_int(page->report->terms, 0),
                      constraint->expression, page->out);
  g_string_append(page->out, "</span></li>\n</ol>\n");
}

/* ---- constraints ------------------------------------------------------------------------- */

static void
write_constraint(DaeHtmlPage *page, const DaeQltConstraint *constraint)
{
  bool has_more = constraint->is_hidden && constraint->n_from > 0;
  g_string_append(page->out, has_more ? "<details><summary>" : "<p>");
  if (constraint->is_invariant) {
    g_string_append(page->out, "<span class=\"level\">invariant</span> ");
  } else {
    dae_html_printf(page, "<span class=\"level\">level %d</span> ", constraint->level);
  }
  dae_mathml_equation(page->report->terms, dae_term_int(page->report->terms, 0),
                      constraint->expression, page->out);
  if (constraint->is_invariant) {
    g_string_append(page->out, constraint->is_trusted ? " (taken on trust)" : " (proved)");
  } else if (has_more) {
    g_string_append(page->out, " <span class=\"where\">hidden</span>");
  } else if (constraint->n_from == 1) {
    dae_html_printf(page, " <span class=\"why\">equation %u,", constraint->from[0].equation);
    dae_html_place(page, &dae_model_equation(dae_qlt_model(page->report->qlt),
                                             constraint->from[0].equation)
                              ->span);
    g_string_append(page->out, "</span>");
  }
  g_string_append(page->out, has_more ? "</summary>\n" : "</p>\n");
  if (has_more) {
    write_derivation(page, constraint);
    g_string_append(page->out, "</details>\n");
  }
}

static void
write_row(DaeHtmlPage *page, const DaeQltRow *row)
{
  DaeTerms *terms = page->report->terms;
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm derivative =
        dae_term_variable(terms, dae_qlt_unknown(page->report->qlt, row->columns[k]), 1);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, row->coefficients[k], derivative));
  }
  g_string_append(page->out, "<p class=\"eq\">");
  dae_mathml_equation(terms, sum, row->rhs, page->out);
  g_string_append(page->out, "</p>\n");
}

static void
write_differential(DaeHtmlPage *page)
{
  const DaeQlt *qlt = page->report->qlt;
  uint32_t n = dae_qlt_n_rows(qlt);
  uint32_t shown = MIN(n, MOST_CONSTRAINTS);
  dae_html_printf(page,
                  "<details><summary>%u differential equation%s that the integrator uses with "
                  "them</summary>\n",
                  n, n == 1 ? "" : "s");
  for (uint32_t i = 0; i < shown; i++) {
    write_row(page, dae_qlt_row(qlt, i));
  }
  write_rest(page, shown, n, "reduce");
  g_string_append(page->out, "</details>\n");
}

void
dae_html_constraints(DaeHtmlPage *page)
{
  const DaeQlt *qlt = page->report->qlt;
  if (qlt == NULL) {
    return;
  }
  uint32_t n = dae_qlt_n_constraints(qlt);
  uint32_t shown = MIN(n, MOST_CONSTRAINTS);
  dae_html_begin(page, "constraints", "Constraints, the hidden ones included");
  g_string_append(page->out,
                  n == 0 ? "<p>No constraint: every variable follows from a differential "
                           "equation.</p>\n"
                         : "<p>Every solution satisfies these at every time. The level is the "
                           "number of differentiations that were needed; open a hidden "
                           "constraint to see where it comes from.</p>\n");
  for (uint32_t i = 0; i < shown; i++) {
    write_constraint(page, dae_qlt_constraint(qlt, i));
  }
  write_rest(page, shown, n, "reduce");
  write_differential(page);
  dae_html_end(page);
}
