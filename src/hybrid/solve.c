/* Which equation gives which discrete variable its value? The specification demands solved
 * form: the variable alone on a side, its negation, or a sum in which it has the coefficient 1
 * or -1. A matching decides where there is a choice (a = b). */
#include <string.h>

#include "hybrid/hybrid-priv.h"
#include "structural/graph.h"

typedef struct {
  uint32_t equation; /* of the model */
  DaeTerm value;     /* of the variable, in terms of the model as read */
} Candidate;

/* not b = e, read as b = not e: the side is if not b then 1 else 0. */
static bool
is_negation_of(DaeTerms *terms, DaeTerm side, DaeTerm variable)
{
  DaeTerm half = dae_term_ratio(terms, 1, 2);
  DaeTerm condition = dae_term_relation(terms, DAE_REL_GT, variable, half);
  return side == dae_term_if(terms, dae_term_not(terms, condition), dae_term_int(terms, 1),
                             dae_term_int(terms, 0));
}

static DaeTerm
negated(DaeTerms *terms, DaeTerm number)
{
  DaeTerm condition = dae_term_relation(terms, DAE_REL_GT, number, dae_term_ratio(terms, 1, 2));
  return dae_term_if(terms, condition, dae_term_int(terms, 0), dae_term_int(terms, 1));
}

/* The equation solved for the variable; DAE_NO_TERM: it is not in solved form. */
DaeTerm
dae_hybrid_solved_for(DaeTerms *terms, const DaeEquation *equation, DaeTerm variable)
{
  if (equation->lhs == variable) {
    return equation->rhs;
  }
  if (equation->rhs == variable) {
    return equation->lhs;
  }
  if (is_negation_of(terms, equation->lhs, variable)) {
    return negated(terms, equation->rhs);
  }
  if (is_negation_of(terms, equation->rhs, variable)) {
    return negated(terms, equation->lhs);
  }
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  DaeTerm slope = dae_term_partial(terms, residual, variable);
  int64_t number = 0;
  if (slope == DAE_NO_TERM || !dae_term_get_int64(terms, slope, &number) ||
      (number != 1 && number != -1)) {
    return DAE_NO_TERM;
  }
  DaeTerm part = number == 1 ? residual : dae_term_neg(terms, residual);
  return dae_term_sub(terms, variable, part);
}

/* Edges of the matching: rows are the discrete variables without a value,
 * columns the candidate equations. */
typedef struct {
  DaeHybrid *hybrid;
  GArray *rows;    /* uint32_t: discrete values to be determined */
  GArray *row_of;  /* uint32_t + 1 by discrete value */
  GArray *columns; /* uint32_t: equations */
  GArray **edges;  /* by row: Candidate, with the column as equation */
  DaeCourses *courses;
} Matching;

static void
collect_rows(Matching *matching)
{
  DaeHybrid *hybrid = matching->hybrid;
  g_array_set_size(matching->row_of, hybrid->discrete->len);
  for (uint32_t k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->value == DAE_NO_TERM) {
      g_array_append_val(matching->rows, k);
      g_array_index(matching->row_of, uint32_t, k) = matching->rows->len;
    }
  }
  matching->edges = g_new0(GArray *, matching->rows->len + 1);
  for (uint32_t r = 0; r < matching->rows->len; r++) {
    matching->edges[r] = g_array_new(FALSE, FALSE, sizeof(Candidate));
  }
}

static void
collect_edges(Matching *matching, uint32_t i)
{
  DaeHybrid *hybrid = matching->hybrid;
  DaeTerms *terms = hybrid->terms;
  const DaeEquation *equation = dae_model_equation(hybrid->model, i);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool is_candidate = equation->is_discrete;
  dae_term_collect_variables(terms, equation->lhs, atoms);
  guint n_left = atoms->len;
  dae_term_collect_variables(terms, equation->rhs, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    uint32_t j = 0;
    bool repeated = false;
    for (guint b = 0; a >= n_left && b < n_left; b++) {
      repeated = repeated || g_array_index(atoms, DaeTerm, b) == atom;
    }
    if (repeated || dae_term_order(terms, atom) > 0 ||
        !dae_model_find_variable(hybrid->model, dae_term_get_symbol(terms, atom), &j)) {
      continue;
    }
    uint32_t k = g_array_index(hybrid->discrete_of_variable, uint32_t, j);
    uint32_t row = k > 0 ? g_array_index(matching->row_of, uint32_t, k - 1) : 0;
    bool is_side = equation->lhs == atom || equation->rhs == atom;
    if (row == 0 || !(equation->is_discrete || is_side)) {
      continue; /* a Real equation with a discrete variable somewhere inside is continuous */
    }
    DaeTerm value = dae_hybrid_solved_for(terms, equation, atom);
    if (value != DAE_NO_TERM) {
      Candidate candidate = {matching->columns->len, value};
      g_array_append_val(matching->edges[row - 1], candidate);
      is_candidate = true;
    }
  }
  if (is_candidate) {
    g_array_append_val(matching->columns, i);
  }
}

/* all: also values that change without an event, which no discrete variable can have. */
static DaeCsr *
pattern_of(const Matching *matching, bool all)
{
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree size_t *start = g_new0(size_t, matching->rows->len + 1);
  for (uint32_t r = 0; r < matching->rows->len; r++) {
    start[r] = columns->len;
    for (guint e = 0; e < matching->edges[r]->len; e++) {
      const Candidate *candidate = &g_array_index(matching->edges[r], Candidate, e);
      if (all || dae_courses_is_stepwise(matching->courses, candidate->value)) {
        g_array_append_val(columns, candidate->equation);
      }
    }
  }
  DaeCsr *csr = dae_csr_new(matching->rows->len, matching->columns->len, columns->len, false);
  memcpy(csr->start, start, matching->rows->len * sizeof *start);
  csr->start[matching->rows->len] = columns->len;
  for (guint e = 0; e < columns->len; e++) {
    csr->column[e] = g_array_index(columns, uint32_t, e);
  }
  return csr;
}

/* Equations that may give each discrete variable its value: `der(y) = n` does not if there is
 * another one. Where these do not suffice, any: the message then names what is wrong with it. */
static void
match_rows(const Matching *matching, uint32_t *column_of_row, uint32_t *row_of_column)
{
  uint32_t n = matching->rows->len;
  g_autofree int64_t *c = g_new0(int64_t, n + 1);
  g_autofree int64_t *d = g_new0(int64_t, matching->columns->len + 1);
  bool is_complete = false;
  for (int all = 0; all < 2 && !is_complete; all++) {
    g_autoptr(DaeCsr) csr = pattern_of(matching, all != 0);
    dae_graph_match(csr, column_of_row, row_of_column, c, d, NULL);
    is_complete = true;
    for (uint32_t r = 0; r < n; r++) {
      is_complete = is_complete && column_of_row[r] != DAE_UNMATCHED;
    }
  }
}

static bool
take_value(Matching *matching, uint32_t row, uint32_t column, uint8_t *is_taken, GError **error)
{
  DaeHybrid *hybrid = matching->hybrid;
  uint32_t k = g_array_index(matching->rows, uint32_t, row);
  uint32_t i = g_array_index(matching->columns, uint32_t, column);
  DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
  for (guint e = 0; e < matching->edges[row]->len; e++) {
    const Candidate *candidate = &g_array_index(matching->edges[row], Candidate, e);
    if (candidate->equation != column) {
      continue;
    }
    if (!dae_courses_is_stepwise(matching->courses, candidate->value)) {
      const DaeVariable *variable = dae_model_variable(hybrid->model, discrete->variable);
      g_autoptr(GString) text = g_string_new(NULL);
      DaeTerm value = variable->type == DAE_TYPE_BOOLEAN
                          ? dae_truth_of_number(hybrid->terms, candidate->value)
                          : candidate->value;
      dae_term_print_limited(hybrid->terms, value, text, 80);
      dae_hybrid_set_error(
          hybrid, dae_model_equation(hybrid->model, i)->span, error,
          "the discrete variable '%s' changes at events only, but %s changes without one",
          dae_terms_symbol_name(hybrid->terms, variable->symbol), text->str);
      return false;
    }
    DaeSymbol symbol = dae_model_variable(hybrid->model, discrete->variable)->symbol;
    if (!dae_model_equation(hybrid->model, i)->is_discrete &&
        !dae_hybrid_check_whole(hybrid, dae_term_variable(hybrid->terms, symbol, 0),
                                candidate->value, dae_model_equation(hybrid->model, i)->span,
                                error)) {
      return false;
    }
    discrete->value = dae_hybrid_translate(hybrid, candidate->value);
  }
  discrete->span = dae_model_equation(hybrid->model, i)->span;
  is_taken[i] = 1;
  return true;
}

/* No equation is left for this variable: where one of discrete variables has it in another form,
 * that is the place. */
static void
tell_unsolved(const Matching *matching, uint32_t row, const uint8_t *is_taken, GError **error)
{
  DaeHybrid *hybrid = matching->hybrid;
  const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete,
                                               g_array_index(matching->rows, uint32_t, row));
  const DaeVariable *variable = dae_model_variable(hybrid->model, discrete->variable);
  DaeTerm atom = dae_term_variable(hybrid->terms, variable->symbol, 0);
  const char *name = dae_terms_symbol_name(hybrid->terms, variable->symbol);
  for (uint32_t i = 0; i < dae_model_n_equations(hybrid->model); i++) {
    const DaeEquation *equation = dae_model_equation(hybrid->model, i);
    if (is_taken[i] == 0 && equation->is_discrete &&
        dae_hybrid_solved_for(hybrid->terms, equation, atom) == DAE_NO_TERM &&
        (dae_term_contains(hybrid->terms, equation->lhs, atom) ||
         dae_term_contains(hybrid->terms, equation->rhs, atom))) {
      dae_hybrid_set_error(
          hybrid, equation->span, error,
          "no equation gives the discrete variable '%s' a value: in this one it "
          "does not stand alone on one side",
          name);
      return;
    }
  }
  dae_hybrid_set_error(hybrid, variable->span, error,
                       "no equation gives the discrete variable '%s' a value (it must stand "
                       "alone on one side, or be assigned in a when-clause)",
                       name);
}

/* An equation that is left over: of a variable that has a value already, or of none. */
static void
tell_left_over(const DaeHybrid *hybrid, const DaeEquation *equation, GError **error)
{
  DaeTerms *terms = hybrid->terms;
  for (guint k = 0; k < hybrid->discrete->len; k++) {
    const DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
    if (discrete->variable == DAE_HYBRID_NONE || discrete->span.line == 0) {
      continue;
    }
    DaeSymbol symbol = dae_model_variable(hybrid->model, discrete->variable)->symbol;
    DaeTerm atom = dae_term_variable(terms, symbol, 0);
    if (dae_hybrid_solved_for(terms, equation, atom) != DAE_NO_TERM) {
      g_autofree char *place = dae_span_text(discrete->span);
      dae_hybrid_set_error(hybrid, equation->span, error,
                           "the discrete variable '%s' gets a value here and in another place "
                           "(%s); it can have one equation, when-clause or algorithm only",
                           dae_terms_symbol_name(terms, symbol), place);
      return;
    }
  }
  g_autoptr(GString) text = g_string_new(NULL);
  dae_model_print_equation(terms, equation, text);
  dae_hybrid_set_error(hybrid, equation->span, error,
                       "this equation of discrete variables gives none of them a value: %s",
                       text->str);
}

static bool
match(Matching *matching, uint8_t *is_taken, GError **error)
{
  DaeHybrid *hybrid = matching->hybrid;
  uint32_t n = matching->rows->len;
  uint32_t m = matching->columns->len;
  g_autofree uint32_t *column_of_row = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *row_of_column = g_new0(uint32_t, m + 1);
  match_rows(matching, column_of_row, row_of_column);
  for (uint32_t r = 0; r < n; r++) {
    if (column_of_row[r] == DAE_UNMATCHED) {
      tell_unsolved(matching, r, is_taken, error);
      return false;
    }
    if (!take_value(matching, r, column_of_row[r], is_taken, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < m; i++) {
    const DaeEquation *equation =
        dae_model_equation(hybrid->model, g_array_index(matching->columns, uint32_t, i));
    if (row_of_column[i] == DAE_UNMATCHED && equation->is_discrete) {
      tell_left_over(hybrid, equation, error);
      return false;
    }
  }
  return true;
}

bool
dae_hybrid_solve_discrete(DaeHybrid *hybrid, uint8_t *is_taken, GError **error)
{
  Matching matching = {.hybrid = hybrid, .courses = dae_courses_new(hybrid)};
  matching.rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  matching.row_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  matching.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  collect_rows(&matching);
  for (uint32_t i = 0; i < dae_model_n_equations(hybrid->model); i++) {
    if (is_taken[i] == 0) {
      collect_edges(&matching, i);
    }
  }
  bool good = match(&matching, is_taken, error);
  for (uint32_t r = 0; r < matching.rows->len; r++) {
    g_array_free(matching.edges[r], TRUE);
  }
  g_free(matching.edges);
  g_array_free(matching.rows, TRUE);
  g_array_free(matching.row_of, TRUE);
  g_array_free(matching.columns, TRUE);
  dae_courses_free(matching.courses);
  return good;
}
