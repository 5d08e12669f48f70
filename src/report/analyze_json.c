/* The JSON of `analyze`: the keys of the contract in its order, then additions. */
#include "report/analyze.h"
#include "report/assumed.h"
#include "report/smooth.h"

const char *
dae_analyze_status_name(DaeSigStatus status)
{
  static const char *const names[] = {"success", "repaired", "structurally-singular",
                                      "jacobian-singular", "undecided"};
  return names[status];
}

const char *
dae_analyze_variable_name(const DaeAnalyzeView *view, const DaeSig *sig, uint32_t j)
{
  return dae_terms_symbol_name(view->terms, dae_model_variable(dae_sig_model(sig), j)->symbol);
}

static void
write_term(DaeJson *json, DaeTerms *terms, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(terms, t);
  dae_json_string(json, text);
}

static void
write_indices(DaeJson *json, const uint32_t *indices, uint32_t n)
{
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < n; k++) {
    dae_json_int(json, indices[k]);
  }
  dae_json_end_array(json);
}

/* "equations" and "variables" of the object that is open. */
static void
write_members(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig,
              const DaeSigBlock *block)
{
  dae_json_key(json, "equations");
  write_indices(json, block->equations, block->n_equations);
  dae_json_key(json, "variables");
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < block->n_variables; k++) {
    dae_json_string(json, dae_analyze_variable_name(view, sig, block->variables[k]));
  }
  dae_json_end_array(json);
}

static void
write_part(DaeJson *json, const char *key, const DaeAnalyzeView *view, const DaeSig *sig,
           const DaeSigBlock *part)
{
  if (part != NULL) {
    dae_json_key(json, key);
    dae_json_begin_object(json, true);
    write_members(json, view, sig, part);
    dae_json_end_object(json);
  }
}

static void
write_equations(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const int32_t *c = dae_sig_c(sig);
  dae_json_key(json, "equations");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    const uint32_t *from = NULL;
    uint32_t n = 0;
    int32_t order = 0;
    dae_json_begin_object(json, true);
    dae_report_json_equation(json, view->terms, dae_model_equation(dae_sig_model(sig), i), i);
    dae_json_key(json, "c");
    if (c == NULL) {
      dae_json_null(json);
    } else {
      dae_json_int(json, c[i]);
    }
    if (dae_sig_equation_origin(sig, i, &from, &n, &order)) {
      dae_json_key(json, "from");
      write_indices(json, from, n);
      dae_json_key(json, "order");
      dae_json_int(json, order);
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_variables(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const int32_t *d = dae_sig_d(sig);
  dae_json_key(json, "variables");
  dae_json_begin_array(json, false);
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    dae_json_begin_object(json, true);
    dae_json_key(json, "name");
    dae_json_string(json, dae_analyze_variable_name(view, sig, j));
    dae_json_key(json, "d");
    if (d == NULL) {
      dae_json_null(json);
    } else {
      dae_json_int(json, d[j]);
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_signature(DaeJson *json, const DaeSig *sig)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n);
  dae_json_key(json, "signature");
  dae_json_begin_array(json, false);
  for (size_t k = 0; k < n; k++) {
    dae_json_begin_array(json, true);
    dae_json_int(json, entries[k].row);
    dae_json_int(json, entries[k].column);
    dae_json_int(json, entries[k].sigma);
    dae_json_end_array(json);
  }
  dae_json_end_array(json);
}

static void
write_number(DaeJson *json, const char *key, bool is_known, int64_t value)
{
  dae_json_key(json, key);
  if (is_known) {
    dae_json_int(json, value);
  } else {
    dae_json_null(json);
  }
}

static void
write_transversal(DaeJson *json, const DaeSig *sig)
{
  const uint32_t *transversal = dae_sig_transversal(sig);
  bool is_known = transversal != NULL;
  dae_json_key(json, "transversal");
  if (is_known) {
    write_indices(json, transversal, dae_sig_n_rows(sig));
  } else {
    dae_json_null(json);
  }
  write_number(json, "value", is_known, dae_sig_value(sig));
  write_number(json, "structural_index", is_known, dae_sig_index(sig));
  write_number(json, "dof", is_known, dae_sig_dof(sig));
}

static void
write_jacobian(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  static const char *const verdicts[] = {
      [DAE_ZERO] = "zero", [DAE_NONZERO] = "nonzero", [DAE_UNKNOWN] = "unknown"};
  size_t n = 0;
  uint32_t n_factors = 0;
  const DaeSigJacobianEntry *entries = dae_sig_jacobian(sig, &n);
  const DaeTerm *factors = dae_sig_singular_when(sig, &n_factors);
  dae_json_key(json, "jacobian");
  dae_json_begin_array(json, false);
  for (size_t k = 0; k < n; k++) {
    dae_json_begin_array(json, true);
    dae_json_int(json, entries[k].row);
    dae_json_int(json, entries[k].column);
    write_term(json, view->terms, entries[k].value);
    dae_json_end_array(json);
  }
  dae_json_end_array(json);
  dae_json_key(json, "determinant");
  dae_json_string(
      json, verdicts[dae_sig_transversal(sig) == NULL ? DAE_ZERO : dae_sig_determinant(sig)]);
  dae_json_key(json, "singular_when");
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < n_factors; k++) {
    write_term(json, view->terms, factors[k]);
  }
  dae_json_end_array(json);
}

static void
write_blocks(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  dae_json_key(json, "blocks");
  dae_json_begin_object(json, false);
  for (int form = 0; form < 2; form++) {
    uint32_t n = form == 0 ? dae_sig_n_coarse(sig) : dae_sig_n_fine(sig);
    dae_json_key(json, form == 0 ? "coarse" : "fine");
    dae_json_begin_array(json, false);
    for (uint32_t b = 0; b < n; b++) {
      const DaeSigBlock *block = form == 0 ? dae_sig_coarse(sig, b) : dae_sig_fine(sig, b);
      dae_json_begin_object(json, true);
      write_members(json, view, sig, block);
      if (form == 1) {
        dae_json_key(json, "linear");
        dae_json_bool(json, block->is_linear);
      }
      dae_json_end_object(json);
    }
    dae_json_end_array(json);
  }
  dae_json_end_object(json);
}

static void
write_step(DaeJson *json, const DaeAnalyzeView *view, const DaeRepairStep *step)
{
  static const char *const methods[] = {[DAE_REPAIR_LINEAR_COMBINATION] = "linear-combination",
                                        [DAE_REPAIR_EXPRESSION_SUBSTITUTION] =
                                            "expression-substitution",
                                        [DAE_REPAIR_RADICAL] = "radical",
                                        [DAE_REPAIR_COMPLETION] = "geometric-completion"};
  DaeEquation by = {.lhs = step->by_lhs, .rhs = step->by_rhs};
  g_autoptr(GString) text = g_string_new(NULL);
  dae_model_print_equation(view->terms, &by, text);
  dae_json_begin_object(json, true);
  dae_json_key(json, "method");
  dae_json_string(json, methods[step->method]);
  dae_json_key(json, "replaced");
  dae_json_int(json, step->replaced);
  dae_json_key(json, "by");
  dae_json_string(json, text->str);
  dae_json_key(json, "value_before");
  dae_json_int(json, step->value_before);
  dae_json_key(json, "value_after");
  dae_json_int(json, step->value_after);
  dae_json_key(json, "combination");
  dae_json_string(json, step->combination.in[DAE_PRINT_MODELICA]);
  dae_json_key(json, "nonzero");
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < step->n_nonzero; k++) {
    write_term(json, view->terms, step->nonzero[k]);
  }
  dae_json_end_array(json);
  dae_json_end_object(json);
}

static void
write_repair(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  dae_json_key(json, "repair");
  dae_json_begin_object(json, false);
  dae_json_key(json, "steps");
  dae_json_begin_array(json, false);
  for (uint32_t s = 0; s < dae_sig_n_repair_steps(sig); s++) {
    write_step(json, view, dae_sig_repair_step(sig, s));
  }
  dae_json_end_array(json);
  dae_json_end_object(json);
}

/* How many equations constrain initial values, by how often they are
 * differentiated: f_i^(l), l < c_i. */
static void
write_constraints(DaeJson *json, const DaeSig *sig)
{
  const int32_t *c = dae_sig_c(sig);
  int32_t largest = 0;
  for (uint32_t i = 0; c != NULL && i < dae_sig_n_rows(sig); i++) {
    largest = MAX(largest, c[i]);
  }
  g_autofree int64_t *counts = g_new0(int64_t, (size_t)largest + 1);
  for (uint32_t i = 0; c != NULL && i < dae_sig_n_rows(sig); i++) {
    counts[c[i]]++;
  }
  dae_json_key(json, "constraints_by_level");
  dae_json_begin_array(json, true);
  int64_t left = c == NULL ? 0 : dae_sig_n_rows(sig);
  for (int32_t level = 0; level < largest; level++) {
    left -= counts[level];
    dae_json_int(json, left);
  }
  dae_json_end_array(json);
}

static void
write_initial_values(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  const int32_t *d = dae_sig_d(sig);
  dae_json_key(json, "initial_values");
  dae_json_begin_array(json, true);
  for (uint32_t j = 0; d != NULL && j < dae_sig_n_columns(sig); j++) {
    if (d[j] > 0) {
      dae_json_begin_object(json, true);
      dae_json_key(json, "name");
      dae_json_string(json, dae_analyze_variable_name(view, sig, j));
      dae_json_key(json, "orders");
      dae_json_int(json, d[j]);
      dae_json_end_object(json);
    }
  }
  dae_json_end_array(json);
}

static void
write_ill_posed(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  bool is_contradictory = false;
  const DaeSigBlock *part = dae_sig_ill_posed(sig, &is_contradictory);
  if (part == NULL) {
    return;
  }
  dae_json_key(json, "ill_posed");
  dae_json_begin_object(json, true);
  dae_json_key(json, "equations");
  write_indices(json, part->equations, part->n_equations);
  dae_json_key(json, "contradictory");
  dae_json_bool(json, is_contradictory);
  g_autofree char *hint =
      dae_model_floating_hint(view->written, view->terms, part->equations, part->n_equations);
  if (hint != NULL) {
    dae_json_key(json, "hint");
    dae_json_string(json, hint);
  }
  dae_json_end_object(json);
}

static void
write_result(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig)
{
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(dae_sig_model(sig)));
  dae_json_key(json, "status");
  dae_json_string(json, dae_analyze_status_name(dae_sig_status(sig)));
  write_equations(json, view, sig);
  write_variables(json, view, sig);
  write_signature(json, sig);
  write_transversal(json, sig);
  write_jacobian(json, view, sig);
  write_blocks(json, view, sig);
  write_repair(json, view, sig);
  write_part(json, "overdetermined", view, sig, dae_sig_overdetermined(sig));
  write_part(json, "underdetermined", view, sig, dae_sig_underdetermined(sig));
  write_part(json, "smallest_excess", view, sig, dae_sig_smallest_excess(sig));
  if (dae_sig_status(sig) == DAE_SIG_STRUCTURALLY_SINGULAR) {
    dae_blame_json(json, view);
  }
  write_ill_posed(json, view, sig);
  write_constraints(json, sig);
  write_initial_values(json, view, sig);
  bool is_positive =
      dae_sig_status(sig) == DAE_SIG_SUCCESS || dae_sig_status(sig) == DAE_SIG_REPAIRED;
  write_number(json, "differentiation_index_at_most", is_positive, dae_sig_index_bound(sig));
  dae_certificate_json(json, view, sig);
  dae_verified_json(json, view->verified, view->verified != NULL);
  dae_assumed_json(json, view->terms, view->written);
  dae_smooth_json(json, view->terms, sig);
  dae_symbolic_json(json, sig);
  if (dae_sig_reason(sig) != NULL) {
    dae_json_key(json, "reason");
    dae_json_string(json, dae_sig_reason(sig));
  }
}

void
dae_analyze_json(const DaeAnalyzeView *view, GString *out)
{
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  write_result(json, view, view->sig);
  if (dae_sig_original(view->sig) != NULL) {
    dae_json_key(json, "original");
    dae_json_begin_object(json, false);
    write_result(json, view, dae_sig_original(view->sig));
    dae_json_end_object(json);
  }
  dae_inputs_json(json, view->written, view->inputs);
  dae_json_end_object(json);
}
