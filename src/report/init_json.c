#include "report/assumed.h"
#include "report/init.h"
#include "report/smooth.h"

static void
json_premise(const DaeInitView *view, DaeJson *json, const DaeInitPremise *premise)
{
  g_autofree char *text = dae_init_premise_text(view->model, view->terms, premise);
  const DaeEquation *equation = dae_init_premise_equation(view->model, premise);
  dae_json_key(json, "index");
  dae_json_int(json, premise->index);
  dae_json_key(json, "text");
  dae_json_string(json, text);
  dae_json_key(json, "line");
  dae_json_int(json, equation->span.line);
  if (equation->span.file != 0) {
    dae_json_key(json, "file");
    dae_json_string(json, g_quark_to_string(equation->span.file));
  }
  if (premise->order > 0) { /* a derivative of an equation of the model */
    dae_json_key(json, "from");
    dae_json_int(json, premise->index);
    dae_json_key(json, "order");
    dae_json_int(json, premise->order);
  }
}

static void
json_steps(const DaeInitView *view, DaeJson *json, const DaeInitStep *steps, uint32_t n)
{
  dae_json_key(json, "proof");
  dae_json_begin_array(json, false);
  for (uint32_t s = 0; s < n; s++) {
    DaeStyled text = dae_init_step_text(view->model, view->terms, &steps[s]);
    dae_json_string(json, text.in[DAE_PRINT_MODELICA]);
    dae_styled_clear(&text);
  }
  dae_json_end_array(json);
}

static void
json_redundant(const DaeInitView *view, DaeJson *json)
{
  dae_json_key(json, "redundant");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_redundant(view->init); i++) {
    const DaeInitRedundant *item = dae_init_redundant(view->init, i);
    dae_json_begin_object(json, false);
    json_premise(view, json, &item->what);
    dae_json_key(json, "kind");
    dae_json_string(json, item->what.is_initial ? "initial" : "equation");
    json_steps(view, json, item->steps, item->n_steps);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
json_term(const DaeInitView *view, DaeJson *json, DaeTerm t)
{
  g_autofree char *text =
      t == DAE_NO_TERM ? g_strdup("undefined") : dae_term_to_string(view->terms, t);
  dae_json_string(json, text);
}

static void
json_conflicts(const DaeInitView *view, DaeJson *json)
{
  dae_json_key(json, "conflicts");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_conflicts(view->init); i++) {
    const DaeInitConflict *conflict = dae_init_conflict(view->init, i);
    dae_json_begin_object(json, false);
    dae_json_key(json, "equations");
    dae_json_begin_array(json, false);
    for (uint32_t k = 0; k < conflict->n_premises; k++) {
      dae_json_begin_object(json, true);
      dae_json_key(json, "kind");
      dae_json_string(json, conflict->premises[k].is_initial ? "initial" : "equation");
      json_premise(view, json, &conflict->premises[k]);
      dae_json_end_object(json);
    }
    dae_json_end_array(json);
    dae_json_key(json, "residual");
    json_term(view, json, conflict->residual);
    json_steps(view, json, conflict->steps, conflict->n_steps);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
json_terms(const DaeInitView *view, DaeJson *json, const char *key, uint32_t n,
           DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  dae_json_key(json, key);
  dae_json_begin_array(json, true);
  for (uint32_t i = 0; i < n; i++) {
    json_term(view, json, get(view->init, i));
  }
  dae_json_end_array(json);
}

static void
json_matchings(const DaeInitView *view, DaeJson *json)
{
  uint32_t n_unknowns = 0;
  uint32_t n_equations = 0;
  dae_init_reduced_size(view->init, &n_unknowns, &n_equations);
  dae_json_key(json, "reduced");
  dae_json_begin_object(json, true);
  dae_json_key(json, "variables");
  dae_json_int(json, n_unknowns);
  dae_json_key(json, "equations");
  dae_json_int(json, n_equations);
  dae_json_end_object(json);
  dae_json_key(json, "matchings");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_matchings(view->init); i++) {
    const DaeInitMatching *matching = dae_init_matching(view->init, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "kind");
    dae_json_string(json, matching->left_out.is_initial ? "initial" : "equation");
    json_premise(view, json, &matching->left_out);
    dae_json_key(json, "outcome");
    dae_json_string(json, matching->outcome);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
json_power_of_ten(DaeJson *json, const char *key, int exponent)
{
  g_autofree char *text = g_strdup_printf("1e%d", exponent);
  dae_json_key(json, key);
  dae_json_string(json, text);
}

/* What numbers decided and how sharply; only where they did. */
static void
json_precision(const DaeInitView *view, DaeJson *json)
{
  DaeInitPrecision precision;
  int radius = 0;
  if (dae_init_is_numeric(view->init) && dae_init_precision(view->init, &precision)) {
    dae_json_key(json, "precision");
    dae_json_begin_object(json, true);
    dae_json_key(json, "digits");
    dae_json_int(json, precision.digits);
    json_power_of_ten(json, "radius", precision.radius);
    if (precision.has_zero) {
      json_power_of_ten(json, "residual", precision.below);
    }
    dae_json_end_object(json);
  }
  if (dae_init_n_implicit(view->init) > 0) {
    bool proved = dae_init_existence_is_proved(view->init, &radius);
    dae_json_key(json, "implicit");
    dae_json_begin_object(json, true);
    dae_json_key(json, "unknowns");
    dae_json_int(json, dae_init_n_implicit(view->init));
    dae_json_key(json, "solution");
    dae_json_string(json, proved ? "proved" : "not proved");
    if (proved) {
      json_power_of_ten(json, "radius", radius);
    }
    dae_json_end_object(json);
  }
}

static void
json_proofs(DaeJson *json, const DaeProofVerdict *proofs)
{
  const DaeProofCounts *counts = &proofs->counts;
  dae_json_key(json, "proofs");
  dae_json_string(json, proofs->why == NULL ? "verified" : proofs->why);
  dae_json_key(json, "checked");
  dae_json_begin_object(json, true);
  dae_json_key(json, "exact");
  dae_json_int(json, counts->n_exact);
  dae_json_key(json, "images");
  dae_json_int(json, counts->n_images);
  dae_json_key(json, "numeric");
  dae_json_int(json, counts->n_numeric);
  dae_json_key(json, "failed");
  dae_json_int(json, proofs->why == NULL ? 0 : 1);
  dae_json_key(json, "assumed");
  dae_json_int(json, counts->n_assumed);
  dae_json_key(json, "identities");
  dae_json_begin_array(json, true);
  for (guint i = 0; i < counts->identities->len; i++) {
    dae_json_string(json, g_ptr_array_index(counts->identities, i));
  }
  dae_json_end_array(json);
  dae_json_end_object(json);
}

void
dae_init_report_json(const DaeInitView *view, const DaeProofVerdict *proofs)
{
  const DaeInit *init = view->init;
  GString *out = view->out;
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(view->model));
  dae_json_key(json, "verdict");
  dae_json_string(json, dae_init_verdict_name(dae_init_verdict(init)));
  dae_json_key(json, "potential_states");
  dae_json_int(json, dae_init_potential_states(init));
  dae_json_key(json, "dof");
  dae_json_int(json, dae_init_dof(init));
  dae_json_key(json, "initial_equations");
  dae_json_int(json, dae_init_n_initial_equations(init));
  dae_json_key(json, "missing");
  dae_json_int(json, dae_init_missing(init));
  json_redundant(view, json);
  json_conflicts(view, json);
  json_terms(view, json, "undetermined", dae_init_n_undetermined(init), dae_init_undetermined);
  dae_json_key(json, "method");
  dae_json_string(json, dae_init_is_numeric(init) ? "numeric" : "symbolic");
  dae_json_key(json, "holds");
  dae_json_string(json, dae_init_holds_for_all_parameters(init)
                            ? "for all parameter values"
                            : "for the given parameter values");
  json_terms(view, json, "conditions", dae_init_n_conditions(init), dae_init_condition);
  if (dae_init_n_assumptions(init) > 0) {
    json_terms(view, json, "assumptions", dae_init_n_assumptions(init), dae_init_assumption);
  }
  if (dae_init_n_within(init) > 0) {
    json_terms(view, json, "within", dae_init_n_within(init), dae_init_within);
  }
  dae_assumed_json(json, view->terms, view->model);
  dae_smooth_json(json, view->terms, view->sig);
  if (dae_init_n_suggested(init) > 0) {
    json_terms(view, json, "suggested", dae_init_n_suggested(init), dae_init_suggested);
  }
  json_precision(view, json);
  if (dae_init_undecided_why(init) != NULL) {
    dae_json_key(json, "undecided");
    dae_json_string(json, dae_init_undecided_why(init));
  }
  if (view->with_matchings) {
    json_matchings(view, json);
  }
  if (proofs->is_wanted) {
    json_proofs(json, proofs);
  }
  dae_verified_json(json, proofs->verified, proofs->n_verified);
  dae_json_end_object(json);
}
