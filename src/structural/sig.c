/* The result object: getters, invariants, a dump for tests. */
#include "base/base.h"
#include "structural/sig-priv.h"

static void
free_result(DaeSig *sig)
{
  dae_sigma_clear(&sig->sigma);
  g_clear_pointer(&sig->conditions, dae_sig_conditions_free);
  g_clear_pointer(&sig->entries, g_array_unref);
  g_free(sig->transversal);
  g_free(sig->row_of_column);
  g_free(sig->c);
  g_free(sig->d);
  g_clear_pointer(&sig->jacobian, g_array_unref);
  g_free(sig->jacobian_start);
  g_clear_pointer(&sig->singular_when, g_array_unref);
  dae_blocks_clear(&sig->coarse_form);
  dae_blocks_clear(&sig->fine_form);
  g_free(sig->coarse);
  g_free(sig->fine);
  g_free(sig->block_zero);
  g_free(sig->block_open);
  g_free(sig->block_in_doubt);
  g_clear_pointer(&sig->mode, g_array_unref);
  g_clear_pointer(&sig->values, dae_subst_free);
  g_clear_pointer(&sig->certificate_texts, g_ptr_array_unref);
  g_clear_pointer(&sig->certificate_atoms, g_array_unref);
  g_clear_pointer(&sig->certificate_exact, g_array_unref);
  g_free((uint64_t *)sig->certificate.residues);
  g_free((size_t *)sig->certificate.first);
  g_free((bool *)sig->certificate.is_part);
  for (guint k = 0; k < sig->steps->len; k++) {
    DaeRepairStep *step = &g_array_index(sig->steps, DaeRepairStep, k);
    dae_styled_clear((DaeStyled *)&step->combination);
    g_free((DaeTerm *)step->nonzero);
  }
  g_array_unref(sig->steps);
  g_clear_pointer(&sig->origins, g_ptr_array_unref);
  g_clear_pointer(&sig->orders, g_array_unref);
  dae_part_clear(&sig->over);
  dae_part_clear(&sig->under);
  dae_part_clear(&sig->excess);
  dae_part_clear(&sig->ill_posed);
  g_free(sig->reason);
  dae_model_free(sig->owned_model);
  dae_model_free(sig->surplus);
  g_clear_pointer(&sig->surplus_from, g_array_unref);
  g_free(sig);
}

void
dae_sig_free(DaeSig *sig)
{
  while (sig != NULL) { /* after a repair: the result, then that of the model as written */
    DaeSig *original = sig->original;
    DaeSig *symbolic = sig->symbolic; /* has none of its own */
    free_result(sig);
    dae_sig_free(symbolic);
    sig = original;
  }
}

DaeSigStatus
dae_sig_status(const DaeSig *sig)
{
  return sig->status;
}

const DaeModel *
dae_sig_model(const DaeSig *sig)
{
  return sig->model;
}

const DaeSig *
dae_sig_original(const DaeSig *sig)
{
  return sig->original;
}

const DaeCertificate *
dae_sig_certificate(const DaeSig *sig)
{
  return &sig->certificate;
}

bool
dae_sig_is_at_values(const DaeSig *sig)
{
  return sig->is_at_values;
}

const DaeSig *
dae_sig_symbolic(const DaeSig *sig)
{
  return sig->symbolic;
}

char *
dae_sig_zero_factors(const DaeSig *sig, const DaeModel *written)
{
  const GArray *factors = sig->symbolic != NULL ? sig->symbolic->singular_when : NULL;
  return factors != NULL
             ? dae_model_zero_factors(written, sig->terms,
                                      (const DaeTerm *)(void *)factors->data, factors->len)
             : NULL;
}

uint32_t
dae_sig_n_rows(const DaeSig *sig)
{
  return sig->sigma.csr->n_rows;
}

uint32_t
dae_sig_n_columns(const DaeSig *sig)
{
  return sig->sigma.csr->n_columns;
}

const DaeSigEntry *
dae_sig_entries(const DaeSig *sig, size_t *n)
{
  *n = sig->entries->len;
  return (const DaeSigEntry *)(void *)sig->entries->data;
}

const uint32_t *
dae_sig_transversal(const DaeSig *sig)
{
  return sig->transversal;
}

const int32_t *
dae_sig_c(const DaeSig *sig)
{
  return sig->c;
}

const int32_t *
dae_sig_d(const DaeSig *sig)
{
  return sig->d;
}

int64_t
dae_sig_value(const DaeSig *sig)
{
  return sig->value;
}

int32_t
dae_sig_index(const DaeSig *sig)
{
  return sig->index;
}

int64_t
dae_sig_dof(const DaeSig *sig)
{
  return sig->dof;
}

const DaeSigJacobianEntry *
dae_sig_jacobian(const DaeSig *sig, size_t *n)
{
  *n = sig->jacobian == NULL ? 0 : sig->jacobian->len;
  return sig->jacobian == NULL ? NULL
                               : (const DaeSigJacobianEntry *)(void *)sig->jacobian->data;
}

DaeZero
dae_sig_determinant(const DaeSig *sig)
{
  return sig->determinant;
}

const DaeTerm *
dae_sig_singular_when(const DaeSig *sig, uint32_t *n)
{
  *n = sig->singular_when->len;
  return (const DaeTerm *)(void *)sig->singular_when->data;
}

bool
dae_sig_has_all_factors(const DaeSig *sig)
{
  return sig->has_all_factors;
}

uint32_t
dae_sig_n_coarse(const DaeSig *sig)
{
  return sig->coarse_form.n_blocks;
}

const DaeSigBlock *
dae_sig_coarse(const DaeSig *sig, uint32_t b)
{
  DAE_ASSERT(b < sig->coarse_form.n_blocks);
  return &sig->coarse[b];
}

uint32_t
dae_sig_n_fine(const DaeSig *sig)
{
  return sig->fine_form.n_blocks;
}

const DaeSigBlock *
dae_sig_fine(const DaeSig *sig, uint32_t b)
{
  DAE_ASSERT(b < sig->fine_form.n_blocks);
  return &sig->fine[b];
}

DaeZero
dae_sig_fine_determinant(const DaeSig *sig, uint32_t b)
{
  DAE_ASSERT(b < sig->fine_form.n_blocks);
  return sig->block_zero == NULL ? DAE_UNKNOWN : (DaeZero)sig->block_zero[b];
}

uint32_t
dae_sig_n_repair_steps(const DaeSig *sig)
{
  return sig->steps->len;
}

const DaeRepairStep *
dae_sig_repair_step(const DaeSig *sig, uint32_t s)
{
  DAE_ASSERT(s < sig->steps->len);
  return &g_array_index(sig->steps, DaeRepairStep, s);
}

const DaeSigBlock *
dae_sig_overdetermined(const DaeSig *sig)
{
  return sig->over.rows == NULL ? NULL : &sig->over_block;
}

const DaeSigBlock *
dae_sig_underdetermined(const DaeSig *sig)
{
  return sig->under.rows == NULL ? NULL : &sig->under_block;
}

const DaeSigBlock *
dae_sig_smallest_excess(const DaeSig *sig)
{
  return sig->excess.rows == NULL ? NULL : &sig->excess_block;
}

const DaeSigBlock *
dae_sig_ill_posed(const DaeSig *sig, bool *contradictory)
{
  if (sig->ill_posed.rows == NULL) {
    return NULL;
  }
  if (contradictory != NULL) {
    *contradictory = sig->is_contradictory;
  }
  return &sig->ill_posed_block;
}

bool
dae_sig_equation_origin(const DaeSig *sig, uint32_t i, const uint32_t **from, uint32_t *n,
                        int32_t *order)
{
  if (sig->origins == NULL) {
    return false;
  }
  const GArray *origins = g_ptr_array_index(sig->origins, i);
  *from = (const uint32_t *)(void *)origins->data;
  *n = origins->len;
  *order = g_array_index(sig->orders, int32_t, i);
  return origins->len != 1 || (*from)[0] != i || *order > 0;
}

int32_t
dae_sig_index_bound(const DaeSig *sig)
{
  int32_t most = 0;
  bool has_zero = false;
  for (uint32_t i = 0; sig->c != NULL && i < sig->sigma.csr->n_rows; i++) {
    int32_t before = sig->orders == NULL ? 0 : g_array_index(sig->orders, int32_t, i);
    most = MAX(most, sig->c[i] + before);
  }
  for (uint32_t j = 0; sig->d != NULL && j < sig->sigma.csr->n_columns; j++) {
    has_zero = has_zero || sig->d[j] == 0;
  }
  return most + (has_zero ? 1 : 0);
}

const char *
dae_sig_reason(const DaeSig *sig)
{
  return sig->reason;
}

/* ---- invariants -------------------------------------------------------------------------- */

static bool
check_offsets(const DaeSig *sig)
{
  const DaeCsr *csr = sig->sigma.csr;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    bool is_matched = sig->transversal[i] != DAE_UNMATCHED;
    bool is_tight = false;
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      int32_t slack = sig->d[csr->column[e]] - sig->c[i] - csr->weight[e];
      if (slack < 0) {
        return false;
      }
      is_tight = is_tight || (csr->column[e] == sig->transversal[i] && slack == 0);
    }
    if (sig->c[i] < 0 || is_tight != is_matched ||
        (is_matched && sig->row_of_column[sig->transversal[i]] != i)) {
      return false;
    }
  }
  return true;
}

bool
dae_sig_check(const DaeSig *sig)
{
  if (!dae_csr_check(sig->sigma.csr)) {
    return false;
  }
  if (sig->transversal == NULL) {
    return sig->status == DAE_SIG_STRUCTURALLY_SINGULAR &&
           sig->over.rows->len + sig->under.columns->len > 0;
  }
  return check_offsets(sig);
}

void
dae_sig_dump(const DaeSig *sig, GString *out)
{
  static const char *const names[] = {"success", "repaired", "structurally-singular",
                                      "jacobian-singular", "undecided"};
  g_string_append_printf(out, "status %s", names[sig->status]);
  if (sig->transversal == NULL) {
    g_string_append_c(out, '\n');
    return;
  }
  g_string_append_printf(out,
                         " value %" G_GINT64_FORMAT " index %d dof %" G_GINT64_FORMAT "\nc",
                         sig->value, sig->index, sig->dof);
  for (uint32_t i = 0; i < sig->sigma.csr->n_rows; i++) {
    g_string_append_printf(out, " %d", sig->c[i]);
  }
  g_string_append(out, "\nd");
  for (uint32_t j = 0; j < sig->sigma.csr->n_columns; j++) {
    g_string_append_printf(out, " %d", sig->d[j]);
  }
  g_string_append_printf(out, "\nblocks %u coarse %u fine\n", sig->coarse_form.n_blocks,
                         sig->fine_form.n_blocks);
  for (guint k = 0; k < sig->singular_when->len; k++) {
    g_string_append(out, "singular when 0 = ");
    dae_term_print(sig->terms, g_array_index(sig->singular_when, DaeTerm, k), out);
    g_string_append_c(out, '\n');
  }
  for (guint k = 0; k < sig->steps->len; k++) {
    const DaeRepairStep *step = &g_array_index(sig->steps, DaeRepairStep, k);
    g_string_append_printf(out, "step %s: %" G_GINT64_FORMAT " -> %" G_GINT64_FORMAT "\n",
                           step->combination.in[DAE_PRINT_MODELICA], step->value_before,
                           step->value_after);
  }
}
