/* Repair by geometric completion: where neither a linear combination nor a substitution helps,
 * the reduced form is closed under differentiation and elimination until [E; h_x] has rank n. A
 * square system is chosen of it: all constraints, and as many differential rows as complete them
 * at a consistent point. It has the solutions of the model, and its Jacobian is regular there.
 *
 * An equation keeps its place where it can; hidden constraints take the places that become
 * free, what is left comes last. */
#include "qlt/complete.h"

#include "qlt/qlt-priv.h"

typedef struct {
  const DaeQlt *qlt;
  DaeTerms *terms;
  GArray *equations;  /* DaeEquation; lhs is DAE_NO_TERM where the place is free */
  GPtrArray *origins; /* GArray of uint32_t, per equation */
  GArray *orders;     /* int32_t */
  GArray *replaced;   /* bool */
} Completion;

static void
place_equation(Completion *c, uint32_t at, DaeTerm lhs, DaeTerm rhs, const DaeQltOrigin *from,
               uint32_t n_from, bool is_replaced)
{
  DaeEquation *equation = &g_array_index(c->equations, DaeEquation, at);
  GArray *origins = g_ptr_array_index(c->origins, at);
  int32_t order = 0;
  equation->lhs = lhs;
  equation->rhs = rhs;
  for (uint32_t k = 0; k < n_from; k++) {
    g_array_append_val(origins, from[k].equation);
    order = MAX(order, from[k].order);
  }
  g_array_index(c->orders, int32_t, at) = order;
  g_array_index(c->replaced, bool, at) = is_replaced;
}

static bool
is_free(const Completion *c, uint32_t at)
{
  return g_array_index(c->equations, DaeEquation, at).lhs == DAE_NO_TERM;
}

/* The place of the equation itself where it has only one and that is
 * free, else the next free one. */
static uint32_t
find_place(const Completion *c, const DaeQltOrigin *from, uint32_t n_from, bool is_its_own)
{
  uint32_t n_written = dae_model_n_equations(dae_qlt_model(c->qlt));
  if (is_its_own && n_from == 1 && from[0].order == 0 && from[0].equation < n_written &&
      is_free(c, from[0].equation)) {
    return from[0].equation;
  }
  uint32_t at = 0;
  while (!is_free(c, at)) {
    at++;
  }
  return at;
}

static DaeTerm
leading_part(const Completion *c, const DaeQltRow *row)
{
  DaeTerm sum = dae_term_int(c->terms, 0);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm x = dae_term_variable(c->terms, dae_qlt_unknown(c->qlt, row->columns[k]), 1);
    sum = dae_term_add(c->terms, sum, dae_term_mul(c->terms, row->coefficients[k], x));
  }
  return sum;
}

/* What has a place of its own first, then the rest. */
static void
place_all(Completion *c)
{
  DaeTerm zero = dae_term_int(c->terms, 0);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < dae_qlt_n_rows(c->qlt); i++) {
      const DaeQltRow *row = dae_qlt_row(c->qlt, i);
      bool is_own = row->n_from == 1 && row->from[0].order == 0;
      if (row->is_selected && is_own == (pass == 0)) {
        uint32_t at = find_place(c, row->from, row->n_from, is_own);
        place_equation(c, at, leading_part(c, row), row->rhs, row->from, row->n_from,
                       row->is_reduced);
      }
    }
    for (uint32_t i = 0; i < dae_qlt_n_constraints(c->qlt); i++) {
      const DaeQltConstraint *constraint = dae_qlt_constraint(c->qlt, i);
      bool is_own = !constraint->is_hidden && constraint->n_from == 1;
      if (is_own == (pass == 0)) {
        uint32_t at = find_place(c, constraint->from, constraint->n_from, is_own);
        place_equation(c, at, zero, constraint->expression, constraint->from,
                       constraint->n_from, constraint->is_hidden || constraint->is_reduced);
      }
    }
  }
}

/* Of the equations given, with the variables of the reduction. */
static DaeModel *
build_model(const Completion *c, GArray *equations)
{
  const DaeModel *written = dae_qlt_model(c->qlt);
  g_autoptr(GArray) variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  g_autoptr(GArray) parameters = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  g_autoptr(GArray) initial = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  for (uint32_t j = 0; j < dae_model_n_variables(written); j++) {
    g_array_append_vals(variables, dae_model_variable(written, j), 1);
  }
  for (uint32_t i = 0; i < dae_qlt_n_introduced(c->qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(c->qlt, i);
    DaeVariable variable = {
        .symbol = introduced->symbol, .type = DAE_TYPE_REAL, .meaning = introduced->meaning};
    g_array_append_val(variables, variable);
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(written); k++) {
    g_array_append_vals(parameters, dae_model_parameter(written, k), 1);
  }
  for (uint32_t k = 0; k < dae_model_n_initial_equations(written); k++) {
    g_array_append_vals(initial, dae_model_initial_equation(written, k), 1);
  }
  DaeModelParts parts = dae_model_parts(written, variables, parameters, equations, initial);
  return dae_model_new(&parts);
}

/* Rows that were not selected: they follow from the others where the Jacobian of the square
 * system is regular. Where it is not (v = 0 in u^2 + v^2 = 1 with u' alone) that has solutions
 * that the model does not have. */
static void
keep_surplus(const Completion *c, DaeSigCompletion *completion)
{
  g_autoptr(GArray) equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  GArray *from = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t n_written = dae_model_n_equations(dae_qlt_model(c->qlt));
  g_array_append_vals(equations, c->equations->data, c->equations->len);
  for (uint32_t i = 0; i < dae_qlt_n_rows(c->qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(c->qlt, i);
    uint32_t origin = row->n_from > 0 ? row->from[0].equation : UINT32_MAX;
    if (!row->is_selected && origin < n_written) {
      DaeEquation equation = *dae_model_equation(dae_qlt_model(c->qlt), origin);
      equation.lhs = leading_part(c, row);
      equation.rhs = row->rhs;
      g_array_append_val(equations, equation);
      g_array_append_val(from, origin);
    }
  }
  if (from->len > 0) {
    completion->surplus = build_model(c, equations);
  }
  completion->surplus_from = from;
}

/* A judgment that only numbers made is none here. */
static bool
is_proved(const DaeQlt *qlt)
{
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    if (dae_qlt_constraint(qlt, i)->is_trusted) {
      return false;
    }
  }
  return true;
}

static DaeSigCompletion *
complete_model(DaeAlgebra *algebra, const DaeSig *sig, const DaeReporter *reporter,
               GError **error)
{
  bool is_complete = false;
  g_autoptr(GArray) divisors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeQlt) qlt =
      qlt_reduce_checked(algebra, sig, reporter, &is_complete, divisors, error);
  if (qlt == NULL || !is_complete || !is_proved(qlt)) {
    return NULL;
  }
  uint32_t n = dae_qlt_n_unknowns(qlt);
  Completion c = {.qlt = qlt, .terms = dae_algebra_terms(algebra)};
  c.equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  c.orders = g_array_new(FALSE, TRUE, sizeof(int32_t));
  c.replaced = g_array_new(FALSE, TRUE, sizeof(bool));
  c.origins = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  g_array_set_size(c.equations, n);
  g_array_set_size(c.orders, n);
  g_array_set_size(c.replaced, n);
  for (uint32_t i = 0; i < n; i++) {
    g_ptr_array_add(c.origins, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
    if (i < dae_model_n_equations(dae_sig_model(sig))) {
      g_array_index(c.equations, DaeEquation, i) = *dae_model_equation(dae_sig_model(sig), i);
      g_array_index(c.equations, DaeEquation, i).lhs = DAE_NO_TERM;
    }
  }
  place_all(&c);
  DaeSigCompletion *completion = g_new0(DaeSigCompletion, 1);
  completion->model = build_model(&c, c.equations);
  keep_surplus(&c, completion);
  completion->origins = c.origins;
  completion->orders = c.orders;
  completion->replaced = c.replaced;
  completion->nonzero = g_steal_pointer(&divisors);
  g_array_unref(c.equations);
  return completion;
}

/* A repair that has not reached its end may have divided by what is zero: the model as written
 * comes first. */
DaeSigCompletion *
dae_qlt_complete(DaeAlgebra *algebra, const DaeSig *sig, const DaeReporter *reporter,
                 GError **error)
{
  const DaeSig *written = dae_sig_original(sig);
  DaeSigCompletion *completion = NULL;
  if (written != NULL) {
    g_autoptr(GError) failed = NULL;
    completion = complete_model(algebra, written, reporter, &failed);
    if (g_error_matches(failed, DAE_ERROR, DAE_ERROR_NEGATIVE)) {
      g_propagate_error(error, g_steal_pointer(&failed));
      return NULL;
    }
  }
  return completion != NULL ? completion : complete_model(algebra, sig, reporter, error);
}
