/* The room's entry: from an analyzed model to (E, k, h). */
#include "qlt/qlt-priv.h"

/* Operations of a completion: some seconds. */
#define MOST_WORK 2e9

static GArray *
origin_of_equation(uint32_t equation)
{
  GArray *from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  qlt_origin_add(from, equation, 0);
  return from;
}

static DaeTerm
residual_of(QltWork *work, uint32_t i)
{
  const DaeEquation *equation = dae_model_equation(work->model, i);
  return dae_term_is_zero(work->terms, equation->lhs)
             ? equation->rhs
             : dae_term_sub(work->terms, equation->lhs, equation->rhs);
}

/* residual: DAE_NO_TERM for an equation that is solved. */
static QltRow *
row_of_equation(QltWork *work, uint32_t i, DaeTerm residual)
{
  GArray *from = origin_of_equation(i);
  QltRow *row = residual == DAE_NO_TERM
                    ? qlt_solved_row(work, dae_model_equation(work->model, i), from)
                    : NULL;
  if (row == NULL) {
    row =
        qlt_extract_row(work, residual != DAE_NO_TERM ? residual : residual_of(work, i), from);
    qlt_turn_row(work, row);
  }
  return row;
}

/* Identities first, all of them, so that each equation sees the same ones
 * whatever the order of the text. */
static void
transform_equations(QltWork *work)
{
  uint32_t n = dae_model_n_equations(work->model);
  g_autofree uint32_t *identity_of = g_new(uint32_t, n + 1);
  g_autofree DaeTerm *residual = g_new(DaeTerm, n + 1);
  qlt_find_model_identities(work, identity_of);
  for (uint32_t i = 0; i < n; i++) {
    work->is_identity[i] = identity_of[i] != QLT_NONE;
    residual[i] = DAE_NO_TERM;
    if (identity_of[i] == QLT_NONE &&
        !qlt_is_solved(work->terms, dae_model_equation(work->model, i))) {
      residual[i] = residual_of(work, i);
      qlt_make_linear(work, residual[i]);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (identity_of[i] != QLT_NONE) {
      qlt_store_identity_row(work, identity_of[i], origin_of_equation(i))->rank = i;
      continue;
    }
    QltRow *row = row_of_equation(work, i, residual[i]);
    row->rank = i;
    uint32_t number = qlt_store_row(work, row);
    g_array_append_val(work->waiting, number);
  }
}

static bool
is_accepted(const DaeSig *sig, GError **error)
{
  const DaeModel *model = dae_sig_model(sig);
  if (dae_model_n_equations(model) > dae_model_n_variables(model)) {
    return true;
  }
  switch (dae_sig_status(sig)) {
  case DAE_SIG_SUCCESS:
  case DAE_SIG_REPAIRED:
  case DAE_SIG_UNDECIDED: /* the closure may still settle it */
    return true;
  case DAE_SIG_STRUCTURALLY_SINGULAR:
    g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
                "the model is structurally singular: it cannot be reduced");
    return false;
  case DAE_SIG_JACOBIAN_SINGULAR:
    g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
                "the Sigma-Jacobian of the model is singular and could not be repaired: the "
                "model cannot be reduced");
    return false;
  }
  return false;
}

/* What a completion left out follows from the rest where that is regular, and nowhere else. It
 * needs no closure: the completion has seen to that. */
static void
append_surplus(QltWork *work)
{
  const uint32_t *from = NULL;
  const DaeModel *surplus = dae_sig_surplus(work->sig, &from);
  uint32_t n = dae_model_n_equations(work->model);
  for (uint32_t i = n; surplus != NULL && i < dae_model_n_equations(surplus); i++) {
    const DaeEquation *equation = dae_model_equation(surplus, i);
    DaeTerm residual = dae_term_sub(work->terms, equation->lhs, equation->rhs);
    QltRow *row = qlt_extract_row(work, residual, origin_of_equation(from[i - n]));
    qlt_turn_row(work, row);
    row->rank = i;
    qlt_store_row(work, row);
  }
}

/* A converted model says what the written one does where its steps are legal. */
static void
note_conditions_of_repair(QltWork *work)
{
  for (uint32_t s = 0; s < dae_sig_n_repair_steps(work->sig); s++) {
    const DaeRepairStep *step = dae_sig_repair_step(work->sig, s);
    for (uint32_t k = 0; k < step->n_nonzero; k++) {
      qlt_note_divisor(work, step->nonzero[k]);
    }
  }
}

DaeQlt *
dae_qlt_reduce(DaeAlgebra *algebra, const DaeSig *sig, const DaeQltOptions *options,
               const DaeReporter *reporter, GError **error)
{
  if (!is_accepted(sig, error)) {
    return NULL;
  }
  const DaeModel *model = dae_sig_model(sig);
  DaeSigStatus status = dae_sig_status(sig);
  g_autoptr(QltWork) work = qlt_work_new(algebra, model, sig);
  bool is_regular = dae_model_n_equations(model) == dae_model_n_variables(model) &&
                    (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED);
  work->reporter = reporter;
  work->eliminate = options != NULL ? options->eliminate : DAE_ELIMINATE_AUTO;
  work->sig_is_ours = is_regular;
  work->is_checked = !is_regular;
  note_conditions_of_repair(work);
  transform_equations(work);
  if (!qlt_close(work, error)) {
    return NULL;
  }
  append_surplus(work);
  if (options != NULL && !qlt_add_invariants(work, options, error)) {
    return NULL;
  }
  return qlt_finish(work);
}

DaeQlt *
qlt_reduce_checked(DaeAlgebra *algebra, const DaeSig *sig, const DaeReporter *reporter,
                   bool *is_complete, GArray *divisors, GError **error)
{
  g_autoptr(QltWork) work = qlt_work_new(algebra, dae_sig_model(sig), sig);
  work->reporter = reporter;
  work->eliminate = DAE_ELIMINATE_AUTO;
  work->is_checked = true;
  work->work_left = MOST_WORK;
  note_conditions_of_repair(work);
  transform_equations(work);
  if (!qlt_close(work, error)) {
    return NULL;
  }
  *is_complete =
      !work->has_numeric_drops && !work->has_hidden_divisors && qlt_numeric_select_rows(work);
  g_array_append_vals(divisors, work->divisors->data, work->divisors->len);
  return qlt_finish(work);
}
