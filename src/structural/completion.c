/* A system completed elsewhere becomes the repaired result, if it has its certificate. */
#include "base/base.h"
#include "structural/sig-priv.h"

void
dae_sig_completion_free(DaeSigCompletion *completion)
{
  if (completion != NULL) {
    dae_model_free(completion->model);
    g_clear_pointer(&completion->origins, g_ptr_array_unref);
    g_clear_pointer(&completion->orders, g_array_unref);
    g_clear_pointer(&completion->replaced, g_array_unref);
    g_clear_pointer(&completion->nonzero, g_array_unref);
    g_clear_pointer(&completion->surplus_from, g_array_unref);
    dae_model_free(completion->surplus);
    g_free(completion);
  }
}

const DaeModel *
dae_sig_surplus(const DaeSig *sig, const uint32_t **from)
{
  if (sig->surplus != NULL) {
    *from = (const uint32_t *)(void *)sig->surplus_from->data;
  }
  return sig->surplus;
}

/* A system that is singular in some of its modes is not completed: 0 and 1 of a condition
 * divide zero, so elimination by them proves nothing. */
bool
dae_sig_is_open(const DaeSig *sig)
{
  return sig->mode == NULL && sig->sigma.csr->n_rows == sig->sigma.csr->n_columns &&
         (sig->status == DAE_SIG_UNDECIDED ||
          (sig->status == DAE_SIG_JACOBIAN_SINGULAR && sig->ill_posed.rows == NULL &&
           !sig->is_refuted));
}

bool
dae_sig_lacks_values_only(const DaeSig *sig)
{
  return dae_sig_is_open(sig) && sig->lacks_values_only;
}

void
dae_sig_leave_open(DaeSig *sig)
{
  DAE_ASSERT(dae_sig_is_open(sig));
  sig->status = DAE_SIG_UNDECIDED;
}

void
dae_sig_refute(DaeSig *sig, const char *reason)
{
  sig->status = DAE_SIG_JACOBIAN_SINGULAR;
  sig->determinant = DAE_ZERO;
  sig->is_refuted = true;
  g_free(sig->reason);
  sig->reason = g_strdup(reason);
}

static DaeStyled
describe_origins(const GArray *origins, int32_t order)
{
  DaeStyledString text = dae_styled_string_new();
  dae_styled_printf(&text, "elimination from equation%s", origins->len == 1 ? "" : "s");
  for (guint k = 0; k < origins->len; k++) {
    const char *before = k == 0 ? " " : k + 1 == origins->len ? " and " : ", ";
    dae_styled_printf(&text, "%s%u", before, g_array_index(origins, uint32_t, k));
  }
  if (order > 0) {
    dae_styled_printf(&text, ", differentiated up to %d time%s", order, order == 1 ? "" : "s");
  }
  return dae_styled_string_end(&text);
}

/* What elimination has divided by is not zero; nor is the determinant, where rows were left out
 * that follow from the others. */
static void
set_conditions(DaeRepairStep *step, const DaeSig *result, const DaeSigCompletion *completion)
{
  g_autoptr(GArray) all = g_array_copy(completion->nonzero);
  if (completion->surplus != NULL && result->singular_when->len > 0) {
    g_array_append_vals(all, result->singular_when->data, result->singular_when->len);
  }
  step->n_nonzero = all->len;
  step->nonzero = g_memdup2(all->data, sizeof(DaeTerm) * all->len);
}

static void
record_steps(DaeSig *result, const DaeSig *first, const DaeSigCompletion *completion)
{
  for (uint32_t i = 0; i < completion->replaced->len; i++) {
    const GArray *origins = g_ptr_array_index(completion->origins, i);
    if (!g_array_index(completion->replaced, bool, i)) {
      continue;
    }
    const DaeEquation *equation = dae_model_equation(result->model, i);
    DaeRepairStep step = {
        .method = DAE_REPAIR_COMPLETION,
        .replaced = i,
        .combination = describe_origins(origins, g_array_index(completion->orders, int32_t, i)),
        .by_lhs = equation->lhs,
        .by_rhs = equation->rhs,
        .value_before = first->value,
        .value_after = result->value};
    set_conditions(&step, result, completion);
    g_array_append_val(result->steps, step);
  }
}

DaeSig *
dae_sig_complete(DaeSig *sig, DaeSigCompletion *completion, DaeAlgebra *algebra,
                 const DaeSigOptions *options, const DaeReporter *reporter)
{
  DaeSig *result = dae_sig_analyze_once(algebra, completion->model, options, reporter, NULL);
  if (result != NULL) {
    result->owned_model = g_steal_pointer(&completion->model);
    result->is_at_values = sig->is_at_values;
    /* the certificate is one of their conditions, too */
    record_steps(result, sig->original != NULL ? sig->original : sig, completion);
    dae_sig_certify(result, algebra, reporter);
  }
  bool is_good = result != NULL && result->certificate.kind != DAE_CERTIFICATE_NONE &&
                 (result->status == DAE_SIG_SUCCESS || result->status == DAE_SIG_REPAIRED);
  if (!is_good) {
    g_clear_pointer(&result, dae_sig_free);
    dae_sig_completion_free(completion);
    return sig;
  }
  result->status = DAE_SIG_REPAIRED;
  result->origins = g_steal_pointer(&completion->origins);
  result->orders = g_steal_pointer(&completion->orders);
  result->surplus = g_steal_pointer(&completion->surplus);
  result->surplus_from = g_steal_pointer(&completion->surplus_from);
  result->symbolic = g_steal_pointer(&sig->symbolic);
  if (sig->original != NULL) { /* a repair that did not reach its end is of no use */
    DaeSig *original = g_steal_pointer(&sig->original);
    dae_sig_free(sig);
    sig = original;
  }
  result->original = sig;
  dae_sig_completion_free(completion);
  return result;
}
