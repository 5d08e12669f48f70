/* The Sigma-method, step by step (001, section 2; [Pryce01]): signature, transversal,
 * offsets, blocks, success check. */
#include "base/base.h"
#include "structural/repair-priv.h"

const DaeSigOptions dae_sig_default_options = {
    .repair = true, .jacobian = true, .overdetermined_ok = false};

static void
fill_entries(DaeSig *sig)
{
  const DaeCsr *csr = sig->sigma.csr;
  sig->entries = g_array_sized_new(FALSE, FALSE, sizeof(DaeSigEntry), (guint)dae_csr_nnz(csr));
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      DaeSigEntry entry = {i, csr->column[e], csr->weight[e]};
      g_array_append_val(sig->entries, entry);
    }
  }
}

void
dae_sig_view_part(DaeSigBlock *view, const DaePart *part)
{
  view->equations = (const uint32_t *)(void *)part->rows->data;
  view->n_equations = part->rows->len;
  view->variables = (const uint32_t *)(void *)part->columns->data;
  view->n_variables = part->columns->len;
  view->is_linear = false;
}

/* No finite transversal: which part has too many equations, which too few. */
static void
describe_singular_structure(DaeSig *sig)
{
  sig->status = DAE_SIG_STRUCTURALLY_SINGULAR;
  dae_graph_dulmage_mendelsohn(sig->sigma.csr, sig->transversal, sig->row_of_column, &sig->over,
                               &sig->under);
  dae_sig_view_part(&sig->over_block, &sig->over);
  dae_sig_view_part(&sig->under_block, &sig->under);
  if (sig->over.rows->len > 0) {
    dae_graph_smallest_excess(sig->sigma.csr, &sig->over, &sig->excess);
    dae_sig_view_part(&sig->excess_block, &sig->excess);
  }
}

/* A transversal of largest value; with more rows than columns one that covers all columns. */
static bool
find_transversal(DaeSig *sig, int64_t *c, int64_t *d)
{
  const DaeCsr *csr = sig->sigma.csr;
  if (csr->n_rows <= csr->n_columns) {
    bool covers_rows = dae_graph_match(csr, sig->transversal, sig->row_of_column, c, d, NULL);
    return covers_rows && csr->n_rows == csr->n_columns;
  }
  g_autoptr(DaeCsr) transposed = dae_csr_transpose(csr);
  bool covers_columns =
      dae_graph_match(transposed, sig->row_of_column, sig->transversal, d, c, NULL);
  for (uint32_t i = 0; i < csr->n_rows;
       i++) { /* prices of the transposed problem change sign */
    c[i] = -c[i];
  }
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    d[j] = -d[j];
  }
  return covers_columns;
}

static bool
keep_offsets(DaeSig *sig, const int64_t *c, const int64_t *d, GError **error)
{
  const DaeCsr *csr = sig->sigma.csr;
  sig->c = g_new(int32_t, (size_t)csr->n_rows + 1);
  sig->d = g_new(int32_t, (size_t)csr->n_columns + 1);
  int64_t largest = 0;
  bool has_zero = false;
  sig->dof = 0;
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    largest = MAX(largest, c[i]);
    sig->dof -= c[i];
    sig->c[i] = (int32_t)MIN(c[i], INT32_MAX);
  }
  sig->index = (int32_t)MIN(largest, INT32_MAX);
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    largest = MAX(largest, d[j]);
    has_zero = has_zero || d[j] == 0;
    sig->dof += d[j];
    sig->d[j] = (int32_t)MIN(d[j], INT32_MAX);
  }
  sig->index += has_zero ? 1 : 0;
  sig->value = sig->dof; /* duality: Val = sum d - sum c; unmatched rows have c = 0 */
  if (largest >= INT32_MAX) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                "the orders of derivatives are too high to analyze");
    return false;
  }
  return true;
}

/* Entries with d_j - c_i = sigma_ij: the pattern of the Jacobian and its
 * terms (001, section 2, step 4). */
static void
collect_jacobian(DaeSig *sig)
{
  const DaeCsr *csr = sig->sigma.csr;
  sig->jacobian = g_array_new(FALSE, FALSE, sizeof(DaeSigJacobianEntry));
  sig->jacobian_start = g_new0(size_t, (size_t)csr->n_rows + 1);
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    for (size_t e = csr->start[i];
         sig->transversal[i] != DAE_UNMATCHED && e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (sig->d[j] - sig->c[i] == csr->weight[e]) {
        DaeSigJacobianEntry entry = {
            i, j, dae_sigma_derivative(&sig->sigma, sig->terms, sig->model, i, e)};
        g_array_append_val(sig->jacobian, entry);
      }
    }
    sig->jacobian_start[i + 1] = sig->jacobian->len;
  }
}

static DaeSigBlock *
view_blocks(const DaeBlocks *form)
{
  DaeSigBlock *views = g_new0(DaeSigBlock, (size_t)form->n_blocks + 1);
  for (uint32_t b = 0; b < form->n_blocks; b++) {
    views[b].equations = form->rows + form->first[b];
    views[b].variables = form->columns + form->first[b];
    views[b].n_equations = views[b].n_variables = form->first[b + 1] - form->first[b];
  }
  return views;
}

static bool
find_structure(DaeSig *sig, const DaeSigOptions *options, GError **error)
{
  const DaeCsr *csr = sig->sigma.csr;
  g_autofree int64_t *c = g_new0(int64_t, (size_t)csr->n_rows + 1);
  g_autofree int64_t *d = g_new0(int64_t, (size_t)csr->n_columns + 1);
  sig->transversal = g_new(uint32_t, (size_t)csr->n_rows + 1);
  sig->row_of_column = g_new(uint32_t, (size_t)csr->n_columns + 1);
  bool is_tall = csr->n_rows > csr->n_columns;
  if (!find_transversal(sig, c, d) || (is_tall && !options->overdetermined_ok)) {
    describe_singular_structure(sig);
    g_clear_pointer(&sig->transversal, g_free);
    return true;
  }
  dae_graph_least_offsets(csr, sig->transversal, sig->row_of_column, c, d);
  dae_graph_blocks(csr, sig->transversal, sig->row_of_column, c, d, &sig->coarse_form,
                   &sig->fine_form);
  sig->coarse = view_blocks(&sig->coarse_form);
  sig->fine = view_blocks(&sig->fine_form);
  if (!keep_offsets(sig, c, d, error)) {
    return false;
  }
  collect_jacobian(sig);
  return true;
}

DaeSig *
dae_sig_analyze_once(DaeAlgebra *algebra, const DaeModel *model, const DaeSigOptions *options,
                     const DaeReporter *reporter, GError **error)
{
  g_autoptr(DaeSig) sig = g_new0(DaeSig, 1);
  sig->terms = dae_algebra_terms(algebra);
  sig->model = model;
  sig->determinant = DAE_UNKNOWN;
  sig->has_all_factors = true;
  sig->singular_when = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sig->steps = g_array_new(FALSE, FALSE, sizeof(DaeRepairStep));
  dae_report_progress(reporter, "signature matrix", -1);
  dae_sigma_build(algebra, model, &sig->sigma);
  fill_entries(sig);
  dae_report_progress(reporter, "transversal and offsets", -1);
  if (!find_structure(sig, options, error)) {
    return NULL;
  }
  if (sig->status == DAE_SIG_STRUCTURALLY_SINGULAR) {
    return g_steal_pointer(&sig);
  }
  bool is_tall = sig->sigma.csr->n_rows > sig->sigma.csr->n_columns;
  if (options->jacobian &&
      !is_tall) { /* a tall system has other square parts than the one chosen here */
    dae_sig_check_jacobian(sig, algebra, reporter);
  }
  DAE_ASSERT(dae_sig_check(sig));
  return g_steal_pointer(&sig);
}

static DaeSig *
analyze_and_repair(DaeAlgebra *algebra, const DaeModel *model, const DaeSigOptions *options,
                   const DaeReporter *reporter, GError **error)
{
  DaeSig *sig = dae_sig_analyze_once(algebra, model, options, reporter, error);
  if (sig != NULL && options->repair && options->jacobian &&
      sig->status == DAE_SIG_JACOBIAN_SINGULAR) {
    sig = dae_sig_repair(sig, algebra, options, reporter);
  }
  return sig;
}

static bool
is_positive(const DaeSig *sig)
{
  return sig->status == DAE_SIG_SUCCESS || sig->status == DAE_SIG_REPAIRED;
}

/* Equations among which factors without real zeros are looked for although there is a
 * certificate. */
#define MOST_REFINED 200

/* Is the certificate one in another field than the reals, for which there was none? */
static bool
is_algebraic_only(const DaeSig *sig)
{
  return is_positive(sig) && sig->certificate.kind == DAE_CERTIFICATE_ALGEBRAIC &&
         sig->sigma.csr->n_rows <= MOST_REFINED;
}

/* A factor may vanish on the real solutions only, which ideals do not
 * see: (x - 2)^2*(x^2 + 1) = 0. Nor does a prime for which x^2 + 1 has a zero. */
static DaeSig *
certify_with_simple_factors(DaeSig *sig, DaeAlgebra *algebra, const DaeSigOptions *options,
                            const DaeReporter *reporter)
{
  dae_sig_certify(sig, algebra, reporter);
  const bool is_algebraic = is_algebraic_only(sig);
  if ((sig->status != DAE_SIG_UNDECIDED && !is_algebraic) || sig->original != NULL ||
      !options->repair) {
    return sig;
  }
  DaeSig *simple = dae_sig_repair_radicals(sig, algebra, options, reporter);
  if (simple == sig) {
    return sig;
  }
  dae_sig_certify(simple, algebra, reporter);
  if (is_positive(simple) && !(is_algebraic && is_algebraic_only(simple))) {
    return simple;
  }
  simple->original = NULL;
  dae_sig_free(simple);
  return sig;
}

static bool
has_same_numbers(const DaeSig *a, const DaeSig *b)
{
  return a->status == b->status && (a->transversal == NULL) == (b->transversal == NULL) &&
         (a->transversal == NULL || (a->index == b->index && a->dof == b->dof));
}

static bool
has_parameters(const DaeSig *sig, const DaeModel *model)
{
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    if (dae_term_has_parameters(sig->terms, equation->lhs) ||
        dae_term_has_parameters(sig->terms, equation->rhs)) {
      return true;
    }
  }
  return false;
}

static bool
is_power(DaeTerms *terms, DaeTerm factor)
{
  int64_t exponent = 0;
  return (dae_term_kind(terms, factor) == DAE_KIND_POWER &&
          dae_term_get_int64(terms, dae_term_operand(terms, factor, 1), &exponent) &&
          exponent > 1) ||
         dae_repair_core(terms, factor) != factor;
}

/* f^k*g = 0, written so, sign(f)*g = 0, abs(f)*g = 0, or a sum of such products? */
static bool
is_written_power(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t n_factors = 0;
    const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &summands[i], &n_factors);
    bool is_found = false;
    for (uint32_t k = 0; k < n_factors && !is_found; k++) {
      is_found = is_power(terms, factors[k]);
    }
    if (!is_found) {
      return false;
    }
  }
  return n > 0;
}

static bool
has_written_power(const DaeSig *sig, const DaeModel *model)
{
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    if ((dae_term_is_zero(sig->terms, equation->rhs) &&
         is_written_power(sig->terms, equation->lhs)) ||
        (dae_term_is_zero(sig->terms, equation->lhs) &&
         is_written_power(sig->terms, equation->rhs))) {
      return true;
    }
  }
  return false;
}

/* The analysis of the model at the given values; takes `symbolic`, which becomes part
 * of the result where it says something else, and is the result where there is
 * nothing to be said at the values. */
static DaeSig *
analyze_at_values(DaeSig *symbolic, DaeAlgebra *algebra, const DaeModel *model,
                  const DaeSigOptions *options, const DaeReporter *reporter)
{
  uint32_t bad = UINT32_MAX;
  DaeModel *at_values = dae_sig_model_at_values(symbolic, model, &bad);
  if (at_values == NULL) {
    symbolic->status = DAE_SIG_UNDECIDED;
    g_free(symbolic->reason);
    symbolic->reason =
        g_strdup_printf("equation %u is not defined at the given parameter values", bad);
    return symbolic;
  }
  DaeSig *sig = analyze_and_repair(algebra, at_values, options, reporter, NULL);
  if (sig == NULL) {
    dae_model_free(at_values);
    symbolic->status = DAE_SIG_UNDECIDED;
    return symbolic;
  }
  for (DaeSig *s = sig; s != NULL; s = s->original) {
    s->is_at_values = true;
    if (s->model == at_values) {
      s->owned_model = at_values;
    }
  }
  if (!options->no_certificate) {
    sig = certify_with_simple_factors(sig, algebra, options, reporter);
    sig->is_at_values = true;
  }
  if (has_same_numbers(sig, symbolic)) {
    dae_sig_free(symbolic);
  } else {
    sig->symbolic = symbolic;
  }
  return sig;
}

/* Where the variables are expected: near their start values, else of the size of their nominal
 * ones. */
static void
tell_expected_values(DaeAlgebra *algebra, const DaeModel *model)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  g_autoptr(DaeSubst) values = NULL; /* made where a start value needs it */
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    const DaeTerm known[] = {variable->start, variable->nominal};
    double value = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(known) && value == 0; k++) {
      DaeTerm t = known[k];
      if (t != DAE_NO_TERM && !dae_term_is_number(terms, t)) {
        values = values != NULL ? values : dae_model_parameter_subst(model, terms);
        t = dae_subst_apply(values, t);
      }
      if (t == DAE_NO_TERM ||
          dae_term_eval_double(terms, t, NULL, NULL, &value) != DAE_EVAL_OK) {
        value = 0;
      }
    }
    dae_algebra_expect(algebra, dae_term_variable(terms, variable->symbol, 0), value);
  }
}

DaeSig *
dae_sig_analyze(DaeAlgebra *algebra, const DaeModel *model, const DaeSigOptions *options,
                const DaeReporter *reporter, GError **error)
{
  tell_expected_values(algebra, model);
  DaeSig *sig = analyze_and_repair(algebra, model, options, reporter, error);
  bool is_tall = sig != NULL && sig->sigma.csr->n_rows > sig->sigma.csr->n_columns;
  if (sig == NULL || !options->jacobian || is_tall) {
    return sig;
  }
  bool has_power = options->repair && has_written_power(sig, model);
  if (sig->status == DAE_SIG_STRUCTURALLY_SINGULAR && has_power) {
    sig = dae_sig_repair_radicals(sig, algebra, options, reporter); /* 0 = sign(f) */
  }
  /* numbers find no regular point where there is none: (x - 1)^2 = 0 */
  DaeSigOptions own = *options;
  own.no_certificate = options->no_certificate && !has_power;
  bool was_positive = is_positive(sig);
  bool differs = was_positive && dae_sig_differs_at_values(sig);
  if (!differs && !own.no_certificate) {
    sig = certify_with_simple_factors(sig, algebra, &own, reporter);
  }
  /* where symbols leave it open, numbers may not */
  bool is_open = sig->status == DAE_SIG_UNDECIDED ||
                 (sig->status == DAE_SIG_JACOBIAN_SINGULAR && sig->ill_posed.rows == NULL);
  /* no value of log(a) with the given a: whoever looks for the reason needs the symbol */
  bool is_impossible = sig->lacks_values_only && sig->impossible_part != DAE_NO_TERM;
  if (differs || (is_open && !is_impossible && has_parameters(sig, model))) {
    return analyze_at_values(sig, algebra, model, &own, reporter);
  }
  return sig;
}
