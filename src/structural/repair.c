/* Repair of a singular Sigma-Jacobian: conversions in rounds until the Jacobian is nonsingular
 * or the system is proved to be ill-posed. Each step keeps the solutions (where its `nonzero`
 * conditions hold) and lowers Val(Sigma), a number that is never negative, or leaves fewer
 * multiple factors in an equation: so it ends. Blocks that are not proved singular are never
 * touched. In a round every singular block is combined once, because they do not share rows;
 * the system is then analyzed anew as a whole. */
#include "base/base.h"
#include "structural/repair-priv.h"

/* ---- state ------------------------------------------------------------------------------- */

static void
load_rows(DaeRepair *repair)
{
  DaeSigma *sigma = &repair->sig->sigma;
  g_ptr_array_set_size(repair->rows, 0);
  g_array_set_size(repair->residuals, 0);
  for (uint32_t i = 0; i < sigma->csr->n_rows; i++) {
    GArray *row = g_array_new(FALSE, FALSE, sizeof(DaeSigmaEntry));
    for (size_t e = sigma->csr->start[i]; e < sigma->csr->start[i + 1]; e++) {
      DaeSigmaEntry entry = {
          sigma->csr->column[e], sigma->csr->weight[e],
          dae_sigma_derivative(sigma, repair->terms, repair->sig->model, i, e)};
      g_array_append_val(row, entry);
    }
    g_ptr_array_add(repair->rows, row);
    DaeTerm residual = dae_sigma_residual(sigma, repair->terms, repair->sig->model, i);
    g_array_append_val(repair->residuals, residual);
  }
  repair->value = repair->sig->value;
}

static void
init_repair(DaeRepair *repair, DaeSig *sig, DaeAlgebra *algebra)
{
  const DaeModel *model = sig->model;
  *repair = (DaeRepair){
      .algebra = algebra, .terms = dae_algebra_terms(algebra), .first = sig, .sig = sig};
  repair->variables = g_array_new(FALSE, FALSE, sizeof(DaeVariable));
  repair->equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  repair->residuals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  repair->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  repair->origins = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  repair->orders = g_array_new(FALSE, TRUE, sizeof(int32_t));
  repair->steps = g_array_new(FALSE, FALSE, sizeof(DaeRepairStep));
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    g_array_append_vals(repair->variables, dae_model_variable(model, j), 1);
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    GArray *origin = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(origin, i);
    g_ptr_array_add(repair->origins, origin);
    g_array_append_vals(repair->equations, dae_model_equation(model, i), 1);
  }
  g_array_set_size(repair->orders, repair->origins->len);
  load_rows(repair);
}

static void
clear_steps(GArray *steps)
{
  for (guint k = 0; k < steps->len; k++) {
    DaeRepairStep *step = &g_array_index(steps, DaeRepairStep, k);
    dae_styled_clear((DaeStyled *)&step->combination);
    g_free((DaeTerm *)step->nonzero);
  }
  g_array_unref(steps);
}

static void
clear_repair(DaeRepair *repair)
{
  if (repair->sig != repair->first) {
    dae_sig_free(repair->sig);
  }
  g_array_unref(repair->variables);
  g_array_unref(repair->equations);
  g_array_unref(repair->residuals);
  g_ptr_array_unref(repair->rows);
  g_clear_pointer(&repair->origins, g_ptr_array_unref);
  g_clear_pointer(&repair->orders, g_array_unref);
  g_clear_pointer(&repair->steps, clear_steps);
}

/* The converted model: everything but variables and equations is that of the model as written. */
static DaeModel *
build_model(const DaeRepair *repair)
{
  const DaeModel *first = repair->first->model;
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeParameter));
  g_autoptr(GArray) initial = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  for (uint32_t k = 0; k < dae_model_n_parameters(first); k++) {
    g_array_append_vals(parameters, dae_model_parameter(first, k), 1);
  }
  for (uint32_t k = 0; k < dae_model_n_initial_equations(first); k++) {
    g_array_append_vals(initial, dae_model_initial_equation(first, k), 1);
  }
  DaeModelParts parts =
      dae_model_parts(first, repair->variables, parameters, repair->equations, initial);
  return dae_model_new(&parts);
}

/* Analyzes the system as it is now; NULL if that fails. */
static DaeSig *
analyze_converted(const DaeRepair *repair, const DaeSigOptions *options,
                  const DaeReporter *reporter)
{
  g_autoptr(DaeModel) model = build_model(repair);
  DaeSig *sig = dae_sig_analyze_once(repair->algebra, model, options, reporter, NULL);
  if (sig != NULL) {
    sig->owned_model = g_steal_pointer(&model);
  }
  return sig;
}

static void
take_system(DaeRepair *repair, DaeSig *sig)
{
  if (repair->sig != repair->first) {
    dae_sig_free(repair->sig);
  }
  repair->sig = sig;
  while (repair->origins->len <
         sig->sigma.csr->n_rows) { /* equations that a substitution has introduced */
    g_ptr_array_add(repair->origins, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  }
  g_array_set_size(repair->orders, repair->origins->len);
  load_rows(repair);
}

DaeSymbol
dae_repair_new_symbol(DaeRepair *repair, const char *base)
{
  DaeSymbol symbol = 0;
  for (;;) { /* ends: the number grows and the names are finite */
    g_autofree char *name = g_strdup_printf("$sub%u.%s", ++repair->n_introduced, base);
    if (!dae_terms_find_symbol(repair->terms, name, &symbol)) {
      return dae_terms_add_symbol(repair->terms, DAE_SYMBOL_VARIABLE, name);
    }
  }
}

/* ---- values ------------------------------------------------------------------------------ */

/* The value of the diagonal block of Sigma with these rows and columns; row i
 * is taken to be `replacement`. */
static bool
block_value(const DaeRepair *repair, const DaeSigBlock *block, uint32_t i,
            const GArray *replacement, int64_t *value)
{
  uint32_t n = block->n_equations;
  g_autofree uint32_t *number = g_new(uint32_t, (size_t)repair->sig->sigma.csr->n_columns + 1);
  memset(number, 0xff, sizeof(uint32_t) * ((size_t)repair->sig->sigma.csr->n_columns + 1));
  size_t nnz = 0;
  for (uint32_t k = 0; k < n; k++) {
    number[block->variables[k]] = k;
    nnz += ((GArray *)g_ptr_array_index(repair->rows, block->equations[k]))->len;
  }
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, nnz + replacement->len, true);
  size_t at = 0;
  for (uint32_t k = 0; k < n; k++) {
    const GArray *row = block->equations[k] == i
                            ? replacement
                            : g_ptr_array_index(repair->rows, block->equations[k]);
    for (guint e = 0; e < row->len; e++) {
      const DaeSigmaEntry *entry = &g_array_index(row, DaeSigmaEntry, e);
      if (number[entry->column] != UINT32_MAX) {
        csr->column[at] = number[entry->column];
        csr->weight[at++] = entry->order;
      }
    }
    csr->start[k + 1] = at;
  }
  g_autofree uint32_t *mate_of_row = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *mate_of_column = g_new(uint32_t, (size_t)n + 1);
  g_autofree int64_t *c = g_new(int64_t, (size_t)n + 1);
  g_autofree int64_t *d = g_new(int64_t, (size_t)n + 1);
  if (!dae_graph_match(csr, mate_of_row, mate_of_column, c, d, NULL)) {
    return false;
  }
  *value = 0;
  for (uint32_t k = 0; k < n; k++) {
    *value += d[k] - c[k];
  }
  return true;
}

bool
dae_repair_value_with_row(const DaeRepair *repair, uint32_t i, GArray *row, int64_t *change)
{
  const DaeSig *sig = repair->sig;
  uint32_t b = 0;
  bool is_found = false;
  while (!is_found) { /* the coarse block with row i */
    const DaeSigBlock *block = &sig->coarse[b];
    for (uint32_t k = 0; k < block->n_equations && !is_found; k++) {
      is_found = block->equations[k] == i;
    }
    b += is_found ? 0 : 1;
    DAE_ASSERT(is_found || b < sig->coarse_form.n_blocks);
  }
  int64_t before = 0;
  int64_t after = 0;
  const GArray *old = g_ptr_array_index(repair->rows, i);
  DAE_ASSERT(block_value(repair, &sig->coarse[b], i, old, &before));
  if (!block_value(repair, &sig->coarse[b], i, row, &after)) {
    return false;
  }
  *change = after - before;
  return true;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static DaeStepOutcome
combine_singular_blocks(DaeRepair *repair, DaeIllPosed *ill_posed)
{
  DaeStepOutcome result = DAE_STEP_NONE;
  for (uint32_t b = 0; b < repair->sig->fine_form.n_blocks; b++) {
    if (repair->sig->block_zero[b] != DAE_ZERO) {
      continue;
    }
    DaeStepOutcome outcome = dae_repair_combine(repair, b, ill_posed);
    if (outcome == DAE_STEP_ILL_POSED) {
      return outcome;
    }
    result = outcome == DAE_STEP_DONE ? outcome : result;
  }
  return result;
}

static void
forget_last_step(DaeRepair *repair)
{
  DaeRepairStep *step = &g_array_index(repair->steps, DaeRepairStep, repair->steps->len - 1);
  dae_styled_clear((DaeStyled *)&step->combination);
  g_free((DaeTerm *)step->nonzero);
  g_array_set_size(repair->steps, repair->steps->len - 1);
}

/* One substitution, kept if the value of the new system is lower. */
static DaeStepOutcome
try_substitution(DaeRepair *repair, uint32_t b, guint attempt, bool *has_more,
                 const DaeSigOptions *options, const DaeReporter *reporter,
                 DaeIllPosed *ill_posed)
{
  g_autoptr(GArray) variables = g_array_copy(repair->variables);
  g_autoptr(GArray) equations = g_array_copy(repair->equations);
  guint n_steps = repair->steps->len;
  g_autoptr(DaeSig) sig = NULL;
  if (dae_repair_substitute(repair, b, attempt, has_more) == DAE_STEP_DONE) {
    sig = analyze_converted(repair, options, reporter);
  }
  if (sig != NULL && sig->status == DAE_SIG_STRUCTURALLY_SINGULAR) {
    take_system(repair, g_steal_pointer(&sig));
    dae_ill_posed_from_excess(repair, ill_posed);
    return DAE_STEP_ILL_POSED;
  }
  if (sig != NULL && sig->value < repair->value) {
    g_array_index(repair->steps, DaeRepairStep, n_steps).value_after = sig->value;
    take_system(repair, g_steal_pointer(&sig));
    return DAE_STEP_DONE;
  }
  if (repair->steps->len > n_steps) {
    forget_last_step(repair);
  }
  GArray *swap = repair->variables;
  repair->variables = g_steal_pointer(&variables);
  variables = swap;
  swap = repair->equations;
  repair->equations = g_steal_pointer(&equations);
  equations = swap;
  return DAE_STEP_NONE;
}

static DaeStepOutcome
substitute_singular_block(DaeRepair *repair, const DaeSigOptions *options,
                          const DaeReporter *reporter, DaeIllPosed *ill_posed)
{
  for (uint32_t b = 0; b < repair->sig->fine_form.n_blocks; b++) {
    bool has_more = repair->sig->block_zero[b] == DAE_ZERO;
    for (guint attempt = 0; has_more; attempt++) {
      DaeStepOutcome outcome =
          try_substitution(repair, b, attempt, &has_more, options, reporter, ill_posed);
      if (outcome != DAE_STEP_NONE) {
        return outcome;
      }
    }
  }
  return DAE_STEP_NONE;
}

/* One round; afterwards repair->sig belongs to the converted system. */
static DaeStepOutcome
run_round(DaeRepair *repair, const DaeSigOptions *options, const DaeReporter *reporter,
          DaeIllPosed *ill_posed)
{
  bool is_vanishing = repair->sig->is_vanishing_on_solutions;
  DaeStepOutcome outcome = is_vanishing ? dae_repair_radicals(repair) : DAE_STEP_NONE;
  if (outcome == DAE_STEP_NONE) {
    outcome = is_vanishing ? dae_repair_reduce(repair, ill_posed)
                           : combine_singular_blocks(repair, ill_posed);
  }
  if (outcome == DAE_STEP_NONE) {
    return is_vanishing ? outcome
                        : substitute_singular_block(repair, options, reporter, ill_posed);
  }
  if (outcome == DAE_STEP_ILL_POSED) {
    return outcome;
  }
  int64_t value = repair->value;
  DaeSig *sig = analyze_converted(repair, options, reporter);
  if (sig == NULL) {
    return DAE_STEP_NONE;
  }
  DAE_ASSERT(sig->status != DAE_SIG_STRUCTURALLY_SINGULAR && sig->value == value);
  take_system(repair, sig);
  return DAE_STEP_DONE;
}

/* The system as written stays the result; it says why it cannot be solved. */
static void
note_ill_posed(DaeSig *sig, DaeIllPosed *ill_posed)
{
  sig->ill_posed.rows = g_steal_pointer(&ill_posed->origins);
  sig->ill_posed.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  sig->is_contradictory = ill_posed->is_contradictory;
  dae_sig_view_part(&sig->ill_posed_block, &sig->ill_posed);
  g_free(sig->reason);
  sig->reason = g_steal_pointer(&ill_posed->reason);
}

static DaeSig *
finish_repaired(DaeRepair *repair, DaeSig *first)
{
  DaeSig *result = repair->sig;
  repair->sig = first;
  result->original = first;
  result->status = result->status == DAE_SIG_SUCCESS ? DAE_SIG_REPAIRED : DAE_SIG_UNDECIDED;
  g_array_unref(result->steps);
  result->steps = g_steal_pointer(&repair->steps);
  result->origins = g_steal_pointer(&repair->origins);
  result->orders = g_steal_pointer(&repair->orders);
  return result;
}

/* Once, where nothing else is left: names for arguments, and the system analyzed anew. */
static DaeStepOutcome
name_arguments(DaeRepair *repair, const DaeSigOptions *options, const DaeReporter *reporter)
{
  if (repair->has_names || dae_repair_name_arguments(repair) != DAE_STEP_DONE) {
    return DAE_STEP_NONE;
  }
  repair->has_names = true;
  DaeSig *sig = analyze_converted(repair, options, reporter);
  if (sig == NULL || sig->status == DAE_SIG_STRUCTURALLY_SINGULAR) {
    g_clear_pointer(&sig, dae_sig_free);
    return DAE_STEP_NONE;
  }
  take_system(repair, sig);
  return DAE_STEP_DONE;
}

DaeSig *
dae_sig_repair(DaeSig *sig, DaeAlgebra *algebra, const DaeSigOptions *options,
               const DaeReporter *reporter)
{
  DaeRepair repair;
  DaeIllPosed ill_posed = {0};
  DaeStepOutcome outcome = DAE_STEP_DONE;
  init_repair(&repair, sig, algebra);
  while (outcome == DAE_STEP_DONE &&
         repair.sig->status == DAE_SIG_JACOBIAN_SINGULAR) { /* the value falls each time */
    dae_report_progress(reporter, "repair", -1);
    outcome = run_round(&repair, options, reporter, &ill_posed);
    if (outcome == DAE_STEP_NONE) {
      outcome = name_arguments(&repair, options, reporter);
    }
  }
  DaeSig *result = sig;
  if (outcome == DAE_STEP_ILL_POSED) {
    note_ill_posed(sig, &ill_posed);
  } else if (outcome == DAE_STEP_DONE && repair.sig->status != DAE_SIG_JACOBIAN_SINGULAR) {
    result = finish_repaired(&repair, sig);
  } else {
    g_free(sig->reason);
    sig->reason = g_strdup(
        "no linear combination or substitution of the singular block lowers its value");
  }
  clear_repair(&repair);
  return result;
}

/* A system without transversal has no value; its steps begin with that of the converted one. */
static void
value_steps(DaeRepair *repair, int64_t value)
{
  for (guint k = 0; k < repair->steps->len && repair->first->transversal == NULL; k++) {
    DaeRepairStep *step = &g_array_index(repair->steps, DaeRepairStep, k);
    step->value_before = step->value_after = value;
  }
}

DaeSig *
dae_sig_repair_radicals(DaeSig *sig, DaeAlgebra *algebra, const DaeSigOptions *options,
                        const DaeReporter *reporter)
{
  DaeRepair repair;
  DaeSig *result = sig;
  DaeIllPosed ill_posed = {0};
  init_repair(&repair, sig, algebra);
  DaeStepOutcome outcome = dae_repair_radicals(&repair);
  DaeSig *converted =
      outcome == DAE_STEP_DONE ? analyze_converted(&repair, options, reporter) : NULL;
  if (converted != NULL) {
    value_steps(&repair, converted->value);
    take_system(&repair, converted);
    while (outcome == DAE_STEP_DONE && repair.sig->status == DAE_SIG_JACOBIAN_SINGULAR) {
      outcome = run_round(&repair, options, reporter, &ill_posed);
    }
    if (outcome == DAE_STEP_DONE && repair.sig->status == DAE_SIG_SUCCESS) {
      result = finish_repaired(&repair, sig);
    }
  }
  g_clear_pointer(&ill_posed.origins, g_array_unref);
  g_free(ill_posed.reason);
  clear_repair(&repair);
  return result;
}
