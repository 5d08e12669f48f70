/* How often top-level inputs are needed differentiated. The question is about inputs that may
 * be any function of time: a model that was read with their expressions or start values is read
 * once more with all of them open. */
#include "pipeline/pipeline-priv.h"

static bool
all_are_symbols(const DaeModel *model)
{
  for (uint32_t i = 0; i < dae_model_n_inputs(model); i++) {
    const DaeInput *input = dae_model_input(model, i);
    if (!input->is_symbol && input->is_real) {
      return false;
    }
  }
  return true;
}

/* The model with all inputs open. (transfer full) */
static DaePipeline *
read_open(const DaePipeline *pipeline, GError **error)
{
  const DaeRecipe *recipe = pipeline->recipe;
  g_autoptr(DaePipeline) open = dae_pipeline_new(NULL);
  DaeReadOptions options = recipe->options;
  options.inputs_are_open = true;
  options.check_annotations = false;
  dae_pipeline_set_budget(open, pipeline->budget);
  return dae_pipeline_read_text(open, recipe->name, recipe->text, recipe->length, &options,
                                error)
             ? g_steal_pointer(&open)
             : NULL;
}

/* The input whose derivative of some order the symbol is; false: of none. */
static bool
find_input(const DaePipeline *open, GHashTable *by_symbol, DaeSymbol symbol, uint32_t *input,
           uint32_t *order)
{
  gpointer found = g_hash_table_lookup(by_symbol, GUINT_TO_POINTER(symbol));
  *order = 0;
  if (found != NULL) {
    *input = GPOINTER_TO_UINT(found) - 1;
    return true;
  }
  bool is_input = dae_terms_variability(open->terms, symbol) == DAE_VARIABILITY_INPUT;
  for (uint32_t i = 0; is_input && i < dae_model_n_inputs(open->model); i++) {
    const DaeInput *one = dae_model_input(open->model, i);
    if (one->is_symbol && dae_terms_is_derivative_of(open->terms, symbol, one->symbol, order)) {
      *input = i;
      return true;
    }
  }
  return false;
}

/* An equation that is differentiated c times differentiates its inputs c times. */
static void
note_orders(const DaePipeline *open, const DaeSig *sig, uint32_t *orders)
{
  const DaeModel *model = dae_sig_model(sig);
  g_autoptr(GHashTable) by_symbol = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_inputs(open->model); i++) {
    const DaeInput *input = dae_model_input(open->model, i);
    if (input->is_symbol) {
      g_hash_table_insert(by_symbol, GUINT_TO_POINTER(input->symbol), GUINT_TO_POINTER(i + 1));
    }
  }
  for (uint32_t e = 0; e < dae_sig_n_rows(sig); e++) {
    const DaeEquation *equation = dae_model_equation(model, e);
    g_array_set_size(atoms, 0);
    dae_term_collect_parameters(open->terms, equation->lhs, atoms);
    dae_term_collect_parameters(open->terms, equation->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      DaeSymbol symbol = dae_term_get_symbol(open->terms, g_array_index(atoms, DaeTerm, a));
      uint32_t i = 0;
      uint32_t order = 0;
      if (find_input(open, by_symbol, symbol, &i, &order)) {
        orders[i] = MAX(orders[i], order + (uint32_t)dae_sig_c(sig)[e]);
      }
    }
  }
}

static bool
find_orders_by_structure(DaePipeline *open, uint32_t *orders, GError **error)
{
  DaeSigOptions options = dae_sig_default_options;
  options.no_certificate = true;
  const DaeSig *sig = dae_pipeline_analyze(open, &options, error);
  if (sig == NULL) {
    return false;
  }
  if (dae_sig_status(sig) != DAE_SIG_SUCCESS && dae_sig_status(sig) != DAE_SIG_REPAIRED) {
    g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
                        "with open inputs the structure of the model is not regular");
    return false;
  }
  note_orders(open, sig, orders);
  return true;
}

static bool
find_orders_by_reduction(DaePipeline *open, uint32_t *orders, GError **error)
{
  if (dae_pipeline_reduce(open, NULL, error) == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < dae_model_n_inputs(open->model); i++) {
    orders[i] = dae_pipeline_input_order(open, i);
  }
  return true;
}

static bool
find_orders(DaePipeline *pipeline, DaeStage stage, uint32_t *orders, GError **error)
{
  g_autoptr(DaePipeline) open =
      all_are_symbols(pipeline->model) ? NULL : read_open(pipeline, error);
  if (open == NULL && !all_are_symbols(pipeline->model)) {
    return false;
  }
  DaePipeline *asked = open != NULL ? open : pipeline;
  DAE_ASSERT(dae_model_n_inputs(asked->model) == dae_model_n_inputs(pipeline->model));
  return stage == DAE_STAGE_REDUCE ? find_orders_by_reduction(asked, orders, error)
                                   : find_orders_by_structure(asked, orders, error);
}

DaeInputNeeds *
dae_pipeline_input_needs(DaePipeline *pipeline, DaeStage stage)
{
  DaeInputNeeds *needs = g_new0(DaeInputNeeds, 1);
  g_autoptr(GError) error = NULL;
  DAE_ASSERT(pipeline->model != NULL);
  needs->n = dae_model_n_inputs(pipeline->model);
  needs->orders = g_new0(uint32_t, needs->n + 1);
  if (needs->n > 0 && !find_orders(pipeline, stage, needs->orders, &error)) {
    g_clear_pointer(&needs->orders, g_free);
    needs->unknown = g_strdup(error->message);
  }
  return needs;
}

void
dae_input_needs_free(DaeInputNeeds *needs)
{
  if (needs != NULL) {
    g_free(needs->orders);
    g_free(needs->unknown);
    g_free(needs);
  }
}
