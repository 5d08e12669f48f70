/* The room's entry: from an analyzed model to (E, k, h). */
#include "qlt/qlt-priv.h"

static GArray *
origin_of_equation(const QltWork *work, uint32_t equation)
{
  GArray *from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  const uint32_t *of = NULL;
  uint32_t n = dae_sig_n_rows(work->sig);
  bool is_surplus = equation >= n && dae_sig_surplus(work->sig, &of) != NULL;
  qlt_origin_add(from, is_surplus ? of[equation - n] : equation, 0);
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
    if (identity_of[i] == QLT_NONE) {
      residual[i] = residual_of(work, i);
      qlt_make_linear(work, residual[i]);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (identity_of[i] != QLT_NONE) {
      qlt_store_identity_row(work, identity_of[i], origin_of_equation(work, i))->rank = i;
      continue;
    }
    QltRow *row = qlt_extract_row(work, residual[i], origin_of_equation(work, i));
    qlt_turn_row(work, row);
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

/* With as many constraints as the square system of a completion has, they are independent: its
 * Jacobian is regular at the point of the certificate. */
static void
trust_certificate(QltWork *work)
{
  int64_t expected = (int64_t)work->columns->len - dae_sig_dof(work->sig);
  for (uint32_t i = 0; work->constraints->len == expected && i < work->constraints->len; i++) {
    QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    constraint->is_numeric = false;
  }
}

DaeQlt *
dae_qlt_reduce(DaeAlgebra *algebra, const DaeSig *sig, const DaeQltOptions *options,
               const DaeReporter *reporter, GError **error)
{
  if (!is_accepted(sig, error)) {
    return NULL;
  }
  const uint32_t *from = NULL;
  const DaeModel *surplus = dae_sig_surplus(sig, &from);
  const DaeModel *model = surplus != NULL ? surplus : dae_sig_model(sig);
  DaeSigStatus status = dae_sig_status(sig);
  g_autoptr(QltWork) work = qlt_work_new(algebra, model, sig);
  bool is_regular = dae_model_n_equations(model) == dae_model_n_variables(model) &&
                    (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED);
  work->reporter = reporter;
  work->eliminate = options != NULL ? options->eliminate : DAE_ELIMINATE_AUTO;
  work->sig_is_ours = is_regular;
  work->is_checked = !is_regular;
  transform_equations(work);
  if (!qlt_close(work, error)) {
    return NULL;
  }
  if (surplus != NULL) {
    trust_certificate(work);
  }
  if (options != NULL && !qlt_add_invariants(work, options, error)) {
    return NULL;
  }
  return qlt_finish(work);
}

DaeQlt *
qlt_reduce_checked(DaeAlgebra *algebra, const DaeSig *sig, const DaeReporter *reporter,
                   bool *is_complete, GError **error)
{
  g_autoptr(QltWork) work = qlt_work_new(algebra, dae_sig_model(sig), sig);
  work->reporter = reporter;
  work->eliminate = DAE_ELIMINATE_AUTO;
  work->is_checked = true;
  transform_equations(work);
  if (!qlt_close(work, error)) {
    return NULL;
  }
  *is_complete = !work->has_numeric_drops && qlt_numeric_select_rows(work);
  return qlt_finish(work);
}
