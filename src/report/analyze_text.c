/* `analyze` for people: the verdict first; small systems as a picture like in the papers, large
 * ones as a summary of one screen. */
#include <string.h>

#include "report/analyze-priv.h"
#include "report/assumed.h"
#include "report/smooth.h"
#include "report/typeset.h"

enum {
  LIST_SIZE = 40,  /* systems up to here have their equations and blocks listed */
  SHOWN = 12,      /* members of a list before "and N more" */
  TEXT_WIDTH = 100 /* bytes of an equation */
};

/* ---- pieces ------------------------------------------------------------------------------ */

static void
append_count(GString *out, int64_t n, const char *what)
{
  g_string_append_printf(out, "%" G_GINT64_FORMAT " %s%s", n, what, n == 1 ? "" : "s");
}

/* "1 degree of freedom", "2 degrees of freedom" */
static void
append_dof(GString *out, int64_t dof)
{
  g_string_append_printf(out, "%" G_GINT64_FORMAT " degree%s of freedom", dof,
                         dof == 1 ? "" : "s");
}

static void
append_variables(GString *out, const DaeAnalyzeView *view, const DaeSig *sig,
                 const DaeSigBlock *block)
{
  for (uint32_t k = 0; k < MIN(block->n_variables, SHOWN); k++) {
    g_string_append_printf(out, "%s%s", k == 0 ? "" : ", ",
                           dae_analyze_variable_name(view, sig, block->variables[k]));
  }
  if (block->n_variables > SHOWN) {
    g_string_append_printf(out, " and %u more", block->n_variables - SHOWN);
  }
}

static void
append_indices(GString *out, const uint32_t *indices, uint32_t n)
{
  for (uint32_t k = 0; k < MIN(n, SHOWN); k++) {
    g_string_append_printf(out, "%s%u", k == 0 ? "" : ", ", indices[k]);
  }
  if (n > SHOWN) {
    g_string_append_printf(out, " and %u more", n - SHOWN);
  }
}

void
dae_analyze_equation_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig,
                          uint32_t i, gsize width)
{
  const DaeEquation *equation = dae_model_equation(dae_sig_model(sig), i);
  DaePrinting how = {.style = dae_page_print_style(view->page), .most = width};
  gsize start = out->len;
  if (dae_term_print_styled(view->terms, equation->lhs, &how, out)) {
    gsize used = dae_text_width(out->str + start, out->len - start);
    g_string_append(out, " = ");
    how.most = used + 10 < width ? width - used : 10;
    dae_term_print_styled(view->terms, equation->rhs, &how, out);
  }
}

static void
append_expression(GString *out, const DaeAnalyzeView *view, DaeTerm t)
{
  DaePrinting how = {.style = dae_page_print_style(view->page), .most = TEXT_WIDTH};
  dae_term_print_styled(view->terms, t, &how, out);
}

/* Bytes for an equation beside `taken` columns: what is usual, less on a narrow terminal. */
gsize
dae_analyze_room_for_text(const DaeAnalyzeView *view, guint taken, gsize usual)
{
  guint columns = view->page->columns;
  taken += 4; /* for "..." */
  return columns == 0 || columns >= taken + usual      ? usual
         : columns > taken + DAE_ANALYZE_SHORTEST_TEXT ? columns - taken
                                                       : DAE_ANALYZE_SHORTEST_TEXT;
}

/* "  [3] der(x) = u   (line 9)" */
static void
append_equation_line(GString *out, const DaeAnalyzeView *view, const DaeSig *sig, uint32_t i)
{
  const DaeEquation *equation = dae_model_equation(dae_sig_model(sig), i);
  g_string_append_printf(out, "  [%u] ", i);
  dae_analyze_equation_text(out, view, sig, i, dae_analyze_room_for_text(view, 28, TEXT_WIDTH));
  if (equation->span.line > 0) {
    g_string_append(out, "   (");
    dae_report_equation_place(out, view->written, view->terms, equation);
    g_string_append_c(out, ')');
  }
  g_string_append_c(out, '\n');
}

static void
append_equation_lines(GString *out, const DaeAnalyzeView *view, const DaeSig *sig,
                      const DaeSigBlock *block)
{
  for (uint32_t k = 0; k < MIN(block->n_equations, SHOWN); k++) {
    append_equation_line(out, view, sig, block->equations[k]);
  }
  if (block->n_equations > SHOWN) {
    g_string_append_printf(out, "  and %u more\n", block->n_equations - SHOWN);
  }
}

/* ---- the verdict ------------------------------------------------------------------------- */

static void
append_singular_headline(const DaeSig *sig, GString *out)
{
  uint32_t m = dae_sig_n_rows(sig);
  uint32_t n = dae_sig_n_columns(sig);
  g_string_append(out, "structurally singular: ");
  if (m != n) {
    append_count(out, m, "equation");
    g_string_append(out, " for ");
    append_count(out, n, "variable");
    return;
  }
  const DaeSigBlock *excess = dae_sig_smallest_excess(sig);
  append_count(out, excess->n_equations, "equation");
  if (excess->n_variables == 0) {
    g_string_append(out, " without any variable");
  } else {
    g_string_append(out, " for only ");
    append_count(out, excess->n_variables, "variable");
  }
}

void
dae_analyze_headline(const DaeAnalyzeView *view, GString *out)
{
  const DaeSig *sig = view->sig;
  bool is_contradictory = false;
  g_string_append_printf(out, "%s: ", dae_model_name(view->written));
  switch (dae_sig_status(sig)) {
  case DAE_SIG_SUCCESS:
    g_string_append_printf(out, "success, structural index %d, ", dae_sig_index(sig));
    append_dof(out, dae_sig_dof(sig));
    break;
  case DAE_SIG_REPAIRED:
    g_string_append_printf(out, "repaired, structural index %d after the repair, ",
                           dae_sig_index(sig));
    append_dof(out, dae_sig_dof(sig));
    break;
  case DAE_SIG_STRUCTURALLY_SINGULAR:
    append_singular_headline(sig, out);
    break;
  case DAE_SIG_JACOBIAN_SINGULAR:
    if (dae_sig_ill_posed(sig, &is_contradictory) != NULL) {
      g_string_append(out, is_contradictory ? "ill-posed, equations contradict each other"
                                            : "ill-posed, equations are dependent");
    } else {
      g_string_append(out, "the Jacobian is singular");
    }
    break;
  case DAE_SIG_UNDECIDED:
    g_string_append(out, "undecided");
    break;
  }
}

/* ---- Sigma as a picture ------------------------------------------------------------------ */

/* ---- positive results -------------------------------------------------------------------- */

static void
append_sizes(GString *out, const DaeSig *sig)
{
  size_t n = 0;
  dae_sig_entries(sig, &n);
  append_count(out, dae_sig_n_rows(sig), "equation");
  g_string_append(out, ", ");
  append_count(out, dae_sig_n_columns(sig), "variable");
  g_string_append_printf(out, ", %zu %s in the signature matrix", n,
                         n == 1 ? "entry" : "entries");
  if (dae_sig_transversal(sig) != NULL) {
    g_string_append_printf(out, ", value %" G_GINT64_FORMAT, dae_sig_value(sig));
  }
  g_string_append_c(out, '\n');
}

static void
append_list(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    bool is_short = i < 10 && dae_sig_n_rows(sig) > 10; /* one digit, others have two */
    g_string_append_printf(out, "  c = %d %s", dae_sig_c(sig)[i], is_short ? " " : "");
    append_equation_line(out, view, sig, i);
  }
  g_string_append(out, "  d:");
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    g_string_append_printf(out, "%s %s %d", j == 0 ? "" : ",",
                           dae_analyze_variable_name(view, sig, j), dae_sig_d(sig)[j]);
  }
  g_string_append_c(out, '\n');
}

static void
append_factors(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_sig_singular_when(sig, &n);
  if (dae_sig_determinant(sig) != DAE_NONZERO) {
    return;
  }
  if (n == 0 && dae_sig_has_all_factors(sig)) {
    g_string_append(out, "The Jacobian is nonsingular everywhere.\n");
    return;
  }
  g_string_append(out, "The Jacobian is nonsingular");
  g_string_append(out, n == 0   ? " in general"
                       : n == 1 ? " unless this is 0: "
                                : " unless one of these is 0: ");
  for (uint32_t k = 0; k < MIN(n, SHOWN); k++) {
    g_string_append(out, k == 0 ? "" : ", ");
    append_expression(out, view, factors[k]);
  }
  if (n > SHOWN) {
    g_string_append_printf(out, " and %u more", n - SHOWN);
  }
  g_string_append(out, dae_sig_has_all_factors(sig)
                           ? "\n"
                           : " (the determinants of large blocks are not factored)\n");
}

static void
append_block_lines(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  g_string_append(out, "Blocks in solution order:\n");
  for (uint32_t b = 0; b < dae_sig_n_fine(sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    g_string_append_printf(out, "  %3u  ", b);
    append_variables(out, view, sig, block);
    g_string_append(out, "  from  ");
    append_indices(out, block->equations, block->n_equations);
    g_string_append(out, block->is_linear ? "  (linear)\n" : "  (nonlinear)\n");
  }
}

static void
append_block_summary(GString *out, const DaeSig *sig)
{
  uint32_t n = dae_sig_n_fine(sig);
  uint32_t n_single = 0;
  uint32_t n_linear = 0;
  uint32_t largest = 0;
  for (uint32_t b = 0; b < n; b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    n_single += block->n_equations == 1;
    n_linear += block->is_linear;
    largest = MAX(largest, block->n_equations);
  }
  append_count(out, dae_sig_n_coarse(sig), "coarse block");
  g_string_append(out, ", ");
  append_count(out, n, "fine block");
  g_string_append_printf(
      out, ": %u of size 1, the largest of size %u, %u linear in what they solve for\n",
      n_single, largest, n_linear);
}

static void
append_offset_summary(GString *out, const DaeSig *sig)
{
  const int32_t *c = dae_sig_c(sig);
  int64_t counts[SHOWN + 1] = {0};
  int32_t largest = 0;
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    largest = MAX(largest, c[i]);
    counts[MIN(c[i], SHOWN)]++;
  }
  g_string_append(out, "Equations by c (how often they are differentiated):");
  for (int32_t k = 0; k <= MIN(largest, SHOWN); k++) {
    if (counts[k] > 0) {
      g_string_append_printf(out, " %d%s: %" G_GINT64_FORMAT, k, k == SHOWN ? " or more" : "",
                             counts[k]);
    }
  }
  g_string_append_c(out, '\n');
}

/* Which values a consistent start consists of, and how many of them are free. */
static void
append_initial_values(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const int32_t *d = dae_sig_d(sig);
  int64_t n_values = 0;
  uint32_t n_shown = 0;
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    n_values += d[j];
  }
  if (n_values == 0) {
    g_string_append(out, "No initial values are needed.\n");
    return;
  }
  g_string_append_printf(
      out, "Initial values: %" G_GINT64_FORMAT " of these can be chosen:", dae_sig_dof(sig));
  for (uint32_t j = 0; j < dae_sig_n_columns(sig) && n_shown < SHOWN; j++) {
    for (int32_t k = 0; k < d[j] && n_shown < SHOWN; k++, n_shown++) {
      DaeSymbol symbol = dae_model_variable(dae_sig_model(sig), j)->symbol;
      g_string_append(out, n_shown == 0 ? " " : ", ");
      append_expression(out, view, dae_term_variable(view->terms, symbol, (uint32_t)k));
    }
  }
  if (n_values > n_shown) {
    g_string_append_printf(out, " and %" G_GINT64_FORMAT " more", n_values - n_shown);
  }
  g_string_append_c(out, '\n');
}

static void
append_constraint_levels(GString *out, const DaeSig *sig)
{
  const int32_t *c = dae_sig_c(sig);
  int64_t counts[SHOWN + 1] = {0};
  int64_t total = 0;
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    total += c[i];
    for (int32_t level = 0; level < MIN(c[i], SHOWN); level++) {
      counts[level]++;
    }
  }
  if (total == 0) {
    return;
  }
  g_string_append(out, "Constraints on them, by level (order of differentiation):");
  for (int32_t level = 0; level < SHOWN && counts[level] > 0; level++) {
    g_string_append_printf(out, "%s %" G_GINT64_FORMAT " at level %d", level == 0 ? "" : ",",
                           counts[level], level);
  }
  g_string_append_printf(out, "; %" G_GINT64_FORMAT " together\n", total);
}

static void
append_structure(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  append_sizes(out, sig);
  if (dae_analyze_fits_picture(view, sig)) {
    dae_analyze_picture(out, view, sig);
    g_string_append_c(out, '\n');
  } else if (dae_sig_n_rows(sig) > 0 && dae_sig_n_rows(sig) <= LIST_SIZE) {
    append_list(out, view, sig);
  } else if (dae_sig_n_rows(sig) > 0) {
    append_offset_summary(out, sig);
  }
}

static void
append_repair(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  uint32_t n = dae_sig_n_repair_steps(sig);
  const DaeSig *original = dae_sig_original(sig);
  if (dae_sig_transversal(original) == NULL) {
    g_string_append(out, "As written the structure is singular. ");
  } else {
    g_string_append_printf(out, "As written (structural index %d, ", dae_sig_index(original));
    append_dof(out, dae_sig_dof(original));
    g_string_append(out, ") the Jacobian is singular. ");
  }
  append_count(out, n, "step");
  g_string_append(out, n == 1 ? " repairs it:\n" : " repair it:\n");
  for (uint32_t s = 0; s < MIN(n, SHOWN); s++) {
    const DaeRepairStep *step = dae_sig_repair_step(sig, s);
    bool is_replacement = step->method != DAE_REPAIR_EXPRESSION_SUBSTITUTION;
    bool is_new = step->replaced >= dae_sig_n_rows(original);
    DaePrintStyle style = dae_page_print_style(view->page);
    g_string_append_printf(out, "  %u. ", s + 1);
    if (is_replacement) {
      g_string_append_printf(out, "equation %u is %s by %s:\n       ", step->replaced,
                             is_new ? "added" : "replaced", step->combination.in[style]);
      DaeEquation by = {.lhs = step->by_lhs, .rhs = step->by_rhs};
      dae_model_print_equation_styled(view->terms, &by, style, out);
    } else {
      g_string_append_printf(out, "substituted: %s", step->combination.in[style]);
    }
    g_string_append_printf(out, "\n       value %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT ", ",
                           step->value_before, view->page->unicode ? "→" : "->",
                           step->value_after);
    g_string_append(out, step->n_nonzero == 0 ? "legal everywhere\n"
                                              : "valid where this is not 0: ");
    for (uint32_t k = 0; k < step->n_nonzero; k++) {
      g_string_append(out, k == 0 ? "" : ", ");
      append_expression(out, view, step->nonzero[k]);
    }
    g_string_append(out, step->n_nonzero == 0 ? "" : "\n");
  }
  if (n > SHOWN) {
    g_string_append_printf(out, "  and %u more\n", n - SHOWN);
  }
  g_string_append(out, "The converted system:\n");
}

static void
append_positive(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  if (dae_sig_original(sig) != NULL) {
    append_repair(out, view, sig);
  }
  append_structure(out, view, sig);
  append_factors(out, view, sig);
  dae_certificate_text(out, view, sig);
  dae_verified_text(out, view->verified, view->verified != NULL);
  dae_assumed_text(out, "", view->terms, view->written);
  dae_smooth_text(out, "", view->terms, sig);
  dae_symbolic_text(out, view, sig);
  if (dae_sig_n_rows(sig) > 0) {
    append_block_summary(out, sig);
  }
  if (dae_sig_n_rows(sig) > 0 && dae_sig_n_rows(sig) <= LIST_SIZE) {
    append_block_lines(out, view, sig);
  }
  append_initial_values(out, view, sig);
  append_constraint_levels(out, sig);
  if (dae_sig_original(sig) != NULL) {
    g_string_append_printf(out,
                           "The differentiation index of the model as written is at most %d.\n",
                           dae_sig_index_bound(sig));
  }
}

/* ---- negative results -------------------------------------------------------------------- */

/* An equation without unknowns is always true, never, or a condition on parameters and time. */
static void
append_unknown_free(GString *out, const DaeAnalyzeView *view, const DaeSig *sig, uint32_t i)
{
  const DaeEquation *equation = dae_model_equation(dae_sig_model(sig), i);
  DaeTerm residual = dae_term_sub(view->terms, equation->lhs, equation->rhs);
  bool is_number = dae_term_is_number(view->terms, residual);
  g_string_append(
      out, is_number && dae_term_is_zero(view->terms, residual)
               ? "It is always true and says nothing.\n"
           : is_number
               ? "It can never be true.\n"
               : "It is a condition on parameters or time, not an equation for a variable.\n");
}

static void
append_overdetermined(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const DaeSigBlock *over = dae_sig_overdetermined(sig);
  const DaeSigBlock *excess = dae_sig_smallest_excess(sig);
  if (excess == NULL) {
    return;
  }
  g_string_append(out, "\nToo many equations: ");
  append_count(out, excess->n_equations, "equation");
  if (excess->n_variables == 0) {
    g_string_append(out, " without any unknown variable\n");
  } else {
    g_string_append(out, " with only ");
    append_count(out, excess->n_variables, "variable");
    g_string_append(out, " (");
    append_variables(out, view, sig, excess);
    g_string_append(out, ")\n");
  }
  append_equation_lines(out, view, sig, excess);
  if (excess->n_variables == 0) {
    append_unknown_free(out, view, sig, excess->equations[0]);
  }
  if (over->n_equations > excess->n_equations) {
    g_string_append(out, "They belong to an over-determined part of ");
    append_count(out, over->n_equations, "equation");
    g_string_append(out, " for ");
    append_count(out, over->n_variables, "variable");
    g_string_append(out, ": equations ");
    append_indices(out, over->equations, over->n_equations);
    g_string_append_c(out, '\n');
  }
}

/* Variables that nothing could determine: do they occur at all? */
static void
append_absent_variables(GString *out, const DaeAnalyzeView *view, const DaeSig *sig,
                        const DaeSigBlock *under)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n);
  g_autofree bool *occurs = g_new0(bool, (size_t)dae_sig_n_columns(sig) + 1);
  for (size_t e = 0; e < n; e++) {
    occurs[entries[e].column] = true;
  }
  for (uint32_t k = 0; k < MIN(under->n_variables, SHOWN); k++) {
    g_string_append_printf(out, "  %s occurs in no equation%s\n",
                           dae_analyze_variable_name(view, sig, under->variables[k]),
                           occurs[under->variables[k]] ? " that is free for it" : "");
  }
}

static void
append_underdetermined(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  if (under->n_variables == 0) {
    return;
  }
  uint32_t n_missing = under->n_variables - under->n_equations;
  g_string_append(out, "\nToo few equations: ");
  append_count(out, n_missing, "equation");
  g_string_append(out, n_missing == 1 ? " is missing for " : " are missing for ");
  append_variables(out, view, sig, under);
  g_string_append_c(out, '\n');
  if (under->n_equations == 0) {
    append_absent_variables(out, view, sig, under);
  } else {
    g_string_append(out, "All that is said about them:\n");
    append_equation_lines(out, view, sig, under);
  }
}

static void
append_jacobian_singular(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const DaeSigBlock *ill_posed = dae_sig_ill_posed(sig, NULL);
  if (dae_sig_reason(sig) != NULL) {
    g_string_append_printf(out, "%c%s.\n", g_ascii_toupper(dae_sig_reason(sig)[0]),
                           dae_sig_reason(sig) + 1);
  }
  if (ill_posed != NULL) {
    append_equation_lines(out, view, sig, ill_posed);
    g_autofree char *hint = dae_model_floating_hint(
        view->written, view->terms, ill_posed->equations, ill_posed->n_equations);
    if (hint != NULL) {
      g_string_append_printf(out, "%c%s.\n", g_ascii_toupper(hint[0]), hint + 1);
    }
    return;
  }
  for (uint32_t b = 0; b < dae_sig_n_fine(sig); b++) {
    if (dae_sig_fine_determinant(sig, b) == DAE_ZERO) {
      g_string_append(out, "A singular block, for ");
      append_variables(out, view, sig, dae_sig_fine(sig, b));
      g_string_append(out, ":\n");
      append_equation_lines(out, view, sig, dae_sig_fine(sig, b));
      break;
    }
  }
}

void
dae_analyze_text(const DaeAnalyzeView *view, GString *out)
{
  const DaeSig *sig = view->sig;
  g_autoptr(GString) headline = g_string_new(NULL);
  DaeSigStatus status = dae_sig_status(sig);
  bool is_good = status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED;
  dae_analyze_headline(view, headline);
  dae_page_styled(view->page, out,
                  is_good                       ? DAE_STYLE_GOOD
                  : status == DAE_SIG_UNDECIDED ? DAE_STYLE_WARN
                                                : DAE_STYLE_BAD,
                  headline->str);
  g_string_append_c(out, '\n');
  if (is_good) {
    append_positive(out, view, sig);
    dae_inputs_text(view->written, view->inputs, out);
    return;
  }
  if (status == DAE_SIG_STRUCTURALLY_SINGULAR) {
    dae_blame_text(view, out);
    if (dae_sig_symbolic(sig) != NULL) {
      g_string_append_c(out, '\n');
      dae_symbolic_text(out, view, sig);
    }
    append_overdetermined(out, view, sig);
    append_underdetermined(out, view, sig);
    if (dae_analyze_fits_picture(view, sig)) {
      dae_analyze_picture(out, view, sig);
    }
    return;
  }
  append_jacobian_singular(out, view, sig);
  dae_symbolic_text(out, view, sig);
  append_structure(out, view, sig);
  append_block_summary(out, sig);
}
