#include "report/reduce.h"

/* [0', 1', 4'']: equation numbers, a prime for each differentiation. */
static void
append_origins(const DaePage *page, GString *out, const DaeQltOrigin *from, uint32_t n)
{
  g_string_append_c(out, '[');
  for (uint32_t k = 0; k < n; k++) {
    g_string_append_printf(out, "%s%u", k == 0 ? "" : ", ", from[k].equation);
    if (page->unicode) {
      dae_print_derivative_end(out, DAE_PRINT_MATH, (uint32_t)from[k].order);
      continue;
    }
    if (from[k].order > 3) {
      g_string_append_printf(out, "^(%d)", from[k].order);
    }
    for (int32_t p = 0; p < from[k].order && from[k].order <= 3; p++) {
      g_string_append_c(out, '\'');
    }
  }
  g_string_append_c(out, ']');
}

static DaeTerm
left_side(const DaeQlt *qlt, DaeTerms *terms, const DaeQltRow *row)
{
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm derivative = dae_term_variable(terms, dae_qlt_unknown(qlt, row->columns[k]), 1);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, row->coefficients[k], derivative));
  }
  return sum;
}

/* "1 constraint", "2 constraints" */
static void
append_count(GString *out, uint32_t n, const char *what)
{
  g_string_append_printf(out, "%u %s%s", n, what, n == 1 ? "" : "s");
}

/* One that is too long is a call of a function; these stand at the end. */
static void
append_term(const DaePage *page, DaeSharedTerms *shared, GString *out, DaeTerms *terms,
            DaeTerm t)
{
  if (dae_reduce_is_long(terms, t)) {
    dae_print_shared(terms, t, shared, out);
  } else {
    dae_page_term(page, out, terms, t);
  }
}

static void
append_introduced(const DaePage *page, DaeSharedTerms *shared, GString *out, DaeTerms *terms,
                  DaeSymbol symbol, DaeTerm meaning)
{
  g_string_append_printf(out, "introduced: %s = ", dae_terms_symbol_name(terms, symbol));
  append_term(page, shared, out, terms, meaning);
  g_string_append_c(out, '\n');
}

static void
append_names(const DaePage *page, DaeSharedTerms *shared, GString *out, const DaeQlt *qlt,
             DaeTerms *terms)
{
  g_string_append(out, "unknowns:");
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    g_string_append_printf(out, "%s %s", j == 0 ? "" : ",",
                           dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, j)));
  }
  g_string_append_c(out, '\n');
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    DaeTerm meaning = dae_reduce_substituted(qlt, terms, j);
    if (meaning != DAE_NO_TERM) {
      append_introduced(page, shared, out, terms, dae_qlt_unknown(qlt, j), meaning);
    }
  }
  for (uint32_t i = 0; i < dae_qlt_n_introduced(qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(qlt, i);
    append_introduced(page, shared, out, terms, introduced->symbol, introduced->meaning);
  }
}

static void
append_rows(const DaePage *page, DaeSharedTerms *shared, GString *out, const DaeQlt *qlt,
            DaeTerms *terms)
{
  g_string_append_c(out, '\n');
  dae_page_styled(page, out, DAE_STYLE_BOLD, "differential equations");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    g_string_append(out, "  ");
    append_term(page, shared, out, terms, left_side(qlt, terms, row));
    g_string_append(out, " = ");
    append_term(page, shared, out, terms, row->rhs);
    g_autoptr(GString) origin = g_string_new("   ");
    if (row->is_identity) {
      g_string_append(origin, "identity");
    } else {
      append_origins(page, origin, row->from, row->n_from);
    }
    dae_page_styled(page, out, DAE_STYLE_DIM, origin->str);
    g_string_append_c(out, '\n');
  }
}

static void
append_constraints(const DaePage *page, DaeSharedTerms *shared, GString *out, const DaeQlt *qlt,
                   DaeTerms *terms)
{
  g_string_append_c(out, '\n');
  dae_page_styled(page, out, DAE_STYLE_BOLD, "constraints");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    g_autoptr(GString) origin = g_string_new("   ");
    if (constraint->is_invariant) {
      g_string_append(out, "  invariant       ");
      g_string_append(origin, constraint->is_trusted ? "taken on trust" : "proved");
    } else {
      g_string_append_printf(out, "  level %-2d %-7s ", constraint->level,
                             constraint->is_hidden ? "hidden" : "");
      append_origins(page, origin, constraint->from, constraint->n_from);
    }
    if (constraint->is_numeric) {
      g_string_append(origin, " checked numerically");
    }
    g_string_append(out, "0 = ");
    append_term(page, shared, out, terms, constraint->expression);
    dae_page_styled(page, out, DAE_STYLE_DIM, origin->str);
    g_string_append_c(out, '\n');
  }
}

static void
append_dropped(const DaePage *page, DaeSharedTerms *shared, GString *out, const DaeQlt *qlt,
               DaeTerms *terms)
{
  if (dae_qlt_n_dropped(qlt) == 0) {
    return;
  }
  g_string_append_c(out, '\n');
  dae_page_styled(page, out, DAE_STYLE_BOLD, "redundant, left out");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_dropped(qlt); i++) {
    const DaeQltDropped *dropped = dae_qlt_dropped(qlt, i);
    g_string_append(out, "  0 = ");
    append_term(page, shared, out, terms, dropped->expression);
    g_string_append(out, "   ");
    append_origins(page, out, dropped->from, dropped->n_from);
    g_string_append_printf(out, ": %s\n", dropped->proof);
  }
}

static void
append_choices(GString *out, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
               const DaeInputNeeds *inputs)
{
  if (inputs != NULL && inputs->n > 0) {
    g_string_append_c(out, '\n');
    dae_inputs_text(dae_qlt_model(qlt), inputs, out);
  }
  g_string_append_printf(out, "\nelimination: %s", dae_reduce_mode_name(mode));
  g_string_append_printf(out, "; identities: %u in the model, %u introduced",
                         dae_qlt_n_model_identities(qlt), dae_qlt_n_introduced(qlt));
  g_string_append_printf(out, "; terms: %zu in, %zu out\n", dae_qlt_terms_in(qlt),
                         dae_qlt_terms_out(qlt));
  for (uint32_t b = 0; b < dae_qlt_n_blocks(qlt); b++) {
    const DaeQltBlock *block = dae_qlt_block(qlt, b);
    g_string_append_printf(out, "coupled derivatives (%u):", block->n);
    for (uint32_t k = 0; k < block->n && k < 8; k++) {
      g_string_append_printf(
          out, " %s", dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, block->columns[k])));
    }
    g_string_append_printf(out, "%s: %s\n", block->n > 8 ? " ..." : "",
                           block->is_eliminated ? "eliminated" : "made unknowns");
  }
}

void
dae_reduce_text(const DaePage *page, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                const DaeInputNeeds *inputs, const DaeVerified *verified, GString *out)
{
  g_autoptr(GString) head = g_string_new(dae_model_name(dae_qlt_model(qlt)));
  g_autoptr(GString) functions = g_string_new(NULL);
  DaeSharedTerms shared = {functions, 0};
  g_string_append(head, ": ");
  append_count(head, dae_qlt_n_unknowns(qlt), "unknown");
  g_string_append(head, ", ");
  append_count(head, dae_qlt_n_rows(qlt), "differential equation");
  g_string_append(head, ", ");
  append_count(head, dae_qlt_n_constraints(qlt), "constraint");
  g_string_append_printf(head, ", highest level %d", dae_qlt_max_level(qlt));
  dae_page_styled(page, out, DAE_STYLE_BOLD, head->str);
  g_string_append_c(out, '\n');
  append_names(page, &shared, out, qlt, terms);
  append_rows(page, &shared, out, qlt, terms);
  append_constraints(page, &shared, out, qlt, terms);
  append_dropped(page, &shared, out, qlt, terms);
  append_choices(out, qlt, terms, mode, inputs);
  if (functions->len > 0) {
    g_string_append_c(out, '\n');
    dae_page_styled(page, out, DAE_STYLE_BOLD, "functions");
    g_string_append_printf(out, "\n%s", functions->str);
  }
  dae_verified_text(out, verified, verified != NULL);
}
