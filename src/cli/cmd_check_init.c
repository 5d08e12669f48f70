#include <glib/gstdio.h>
#include <string.h>

#include "cli/command.h"
#include "proofcheck/proofcheck.h"

static const DaeCliOption options[] = {
    {"verify-proofs", DAE_OPTION_FLAG, NULL,
     "check every step of every proof again, with an independent checker"},
    {"all-matchings", DAE_OPTION_FLAG, NULL,
     "for each single equation that may be left out of the reduced system: what happens"},
    {"graph", DAE_OPTION_STRING, "FILE.svg|FILE.dot",
     "the directed graph of the unmatched equations (svg needs Graphviz)"},
    {"budget", DAE_OPTION_DOUBLE, "SECONDS",
     "end the search after so long, undecided (exit 4)"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

enum {
  MOST_NAMES = 40,    /* in a list */
  MOST_FINDINGS = 12, /* conflicts, redundant equations */
};

typedef struct {
  DaeCli *cli;
  const DaeInit *init;
  const DaeModel *model;
  DaeTerms *terms;
} Report;

typedef struct { /* what the proof checker says */
  bool is_wanted;
  DaeProofCounts counts;
  char *why; /* the step that does not follow, or NULL */
} Proofs;

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void
json_premise(const Report *report, DaeJson *json, const DaeInitPremise *premise)
{
  g_autofree char *text = dae_init_premise_text(report->model, report->terms, premise);
  const DaeEquation *equation = dae_init_premise_equation(report->model, premise);
  dae_json_key(json, "index");
  dae_json_int(json, premise->index);
  dae_json_key(json, "text");
  dae_json_string(json, text);
  dae_json_key(json, "line");
  dae_json_int(json, equation->span.line);
  if (premise->order > 0) { /* a derivative of an equation of the model */
    dae_json_key(json, "from");
    dae_json_int(json, premise->index);
    dae_json_key(json, "order");
    dae_json_int(json, premise->order);
  }
}

static void
json_steps(DaeJson *json, const DaeInitStep *steps, uint32_t n)
{
  dae_json_key(json, "proof");
  dae_json_begin_array(json, false);
  for (uint32_t s = 0; s < n; s++) {
    dae_json_string(json, steps[s].text);
  }
  dae_json_end_array(json);
}

static void
json_redundant(const Report *report, DaeJson *json)
{
  dae_json_key(json, "redundant");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_redundant(report->init); i++) {
    const DaeInitRedundant *item = dae_init_redundant(report->init, i);
    dae_json_begin_object(json, false);
    json_premise(report, json, &item->what);
    dae_json_key(json, "kind");
    dae_json_string(json, item->what.is_initial ? "initial" : "equation");
    json_steps(json, item->steps, item->n_steps);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
json_term(const Report *report, DaeJson *json, DaeTerm t)
{
  g_autofree char *text =
      t == DAE_NO_TERM ? g_strdup("undefined") : dae_term_to_string(report->terms, t);
  dae_json_string(json, text);
}

static void
json_conflicts(const Report *report, DaeJson *json)
{
  dae_json_key(json, "conflicts");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_conflicts(report->init); i++) {
    const DaeInitConflict *conflict = dae_init_conflict(report->init, i);
    dae_json_begin_object(json, false);
    dae_json_key(json, "equations");
    dae_json_begin_array(json, false);
    for (uint32_t k = 0; k < conflict->n_premises; k++) {
      dae_json_begin_object(json, true);
      dae_json_key(json, "kind");
      dae_json_string(json, conflict->premises[k].is_initial ? "initial" : "equation");
      json_premise(report, json, &conflict->premises[k]);
      dae_json_end_object(json);
    }
    dae_json_end_array(json);
    dae_json_key(json, "residual");
    json_term(report, json, conflict->residual);
    json_steps(json, conflict->steps, conflict->n_steps);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
json_terms(const Report *report, DaeJson *json, const char *key, uint32_t n,
           DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  dae_json_key(json, key);
  dae_json_begin_array(json, true);
  for (uint32_t i = 0; i < n; i++) {
    json_term(report, json, get(report->init, i));
  }
  dae_json_end_array(json);
}

static void
json_matchings(const Report *report, DaeJson *json)
{
  uint32_t n_unknowns = 0;
  uint32_t n_equations = 0;
  dae_init_reduced_size(report->init, &n_unknowns, &n_equations);
  dae_json_key(json, "reduced");
  dae_json_begin_object(json, true);
  dae_json_key(json, "variables");
  dae_json_int(json, n_unknowns);
  dae_json_key(json, "equations");
  dae_json_int(json, n_equations);
  dae_json_end_object(json);
  dae_json_key(json, "matchings");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_init_n_matchings(report->init); i++) {
    const DaeInitMatching *matching = dae_init_matching(report->init, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "kind");
    dae_json_string(json, matching->left_out.is_initial ? "initial" : "equation");
    json_premise(report, json, &matching->left_out);
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
json_precision(const Report *report, DaeJson *json)
{
  DaeInitPrecision precision;
  int radius = 0;
  if (dae_init_is_numeric(report->init) && dae_init_precision(report->init, &precision)) {
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
  if (dae_init_n_implicit(report->init) > 0) {
    bool proved = dae_init_existence_is_proved(report->init, &radius);
    dae_json_key(json, "implicit");
    dae_json_begin_object(json, true);
    dae_json_key(json, "unknowns");
    dae_json_int(json, dae_init_n_implicit(report->init));
    dae_json_key(json, "solution");
    dae_json_string(json, proved ? "proved" : "not proved");
    if (proved) {
      json_power_of_ten(json, "radius", radius);
    }
    dae_json_end_object(json);
  }
}

static void
json_proofs(DaeJson *json, const Proofs *proofs)
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

static void
write_json(const Report *report, const Proofs *proofs)
{
  const DaeInit *init = report->init;
  GString *out = dae_cli_out(report->cli);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(report->model));
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
  json_redundant(report, json);
  json_conflicts(report, json);
  json_terms(report, json, "undetermined", dae_init_n_undetermined(init),
             dae_init_undetermined);
  dae_json_key(json, "method");
  dae_json_string(json, dae_init_is_numeric(init) ? "numeric" : "symbolic");
  dae_json_key(json, "holds");
  dae_json_string(json, dae_init_holds_for_all_parameters(init)
                            ? "for all parameter values"
                            : "for the given parameter values");
  json_terms(report, json, "conditions", dae_init_n_conditions(init), dae_init_condition);
  if (dae_init_n_suggested(init) > 0) {
    json_terms(report, json, "suggested", dae_init_n_suggested(init), dae_init_suggested);
  }
  json_precision(report, json);
  if (dae_init_undecided_why(init) != NULL) {
    dae_json_key(json, "undecided");
    dae_json_string(json, dae_init_undecided_why(init));
  }
  if (dae_cli_flag(report->cli, "all-matchings")) {
    json_matchings(report, json);
  }
  if (proofs->is_wanted) {
    json_proofs(json, proofs);
  }
  dae_json_end_object(json);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static void
text_premise(const Report *report, const DaeInitPremise *premise)
{
  GString *out = dae_cli_out(report->cli);
  g_autofree char *text = dae_init_premise_text(report->model, report->terms, premise);
  const DaeEquation *equation = dae_init_premise_equation(report->model, premise);
  gsize from = out->len;
  g_string_append(out, text);
  dae_cli_typeset(report->cli, out, from);
  g_string_append_printf(out, "  (%s %u", premise->is_initial ? "initial" : "equation",
                         premise->index);
  if (premise->order > 0) {
    g_string_append_printf(out, ", order %d", premise->order);
  }
  if (equation->span.line > 0) {
    g_string_append_printf(out, ", line %u", equation->span.line);
  }
  g_string_append(out, ")\n");
}

static void
text_steps(const Report *report, const DaeInitStep *steps, uint32_t n)
{
  GString *out = dae_cli_out(report->cli);
  uint32_t shown = n > 40 && !dae_cli_is_verbose(report->cli) ? 40 : n;
  for (uint32_t s = 0; s < shown; s++) {
    if (s + 1 == shown && shown < n) {
      g_string_append_printf(
          out, "    ... %u steps; all of them with --verbose or --format json\n", n - shown);
      s = n - 1;
    }
    g_string_append_printf(out, "    %3u. ", s + 1);
    gsize from = out->len;
    g_string_append(out, steps[s].text);
    dae_cli_typeset(report->cli, out, from);
    g_string_append_c(out, '\n');
  }
}

/* " and 17 more (all with --verbose or --format json)" */
static void
append_rest(const Report *report, uint32_t shown, uint32_t n)
{
  if (shown < n) {
    g_string_append_printf(dae_cli_out(report->cli),
                           " and %u more (all with --verbose or --format json)", n - shown);
  }
}

static void
text_terms(const Report *report, const char *title, uint32_t n,
           DaeTerm (*get)(const DaeInit *init, uint32_t i))
{
  GString *out = dae_cli_out(report->cli);
  if (n == 0) {
    return;
  }
  uint32_t shown = dae_cli_is_verbose(report->cli) ? n : MIN(n, MOST_NAMES);
  g_string_append(out, title);
  for (uint32_t i = 0; i < shown; i++) {
    g_autofree char *text = dae_term_to_string(report->terms, get(report->init, i));
    g_string_append(out, i == 0 ? " " : ", ");
    gsize from = out->len;
    g_string_append(out, text);
    dae_cli_typeset(report->cli, out, from);
  }
  append_rest(report, shown, n);
  g_string_append_c(out, '\n');
}

static void
text_matchings(const Report *report)
{
  GString *out = dae_cli_out(report->cli);
  uint32_t n_unknowns = 0;
  uint32_t n_equations = 0;
  dae_init_reduced_size(report->init, &n_unknowns, &n_equations);
  g_string_append_printf(out, "reduced system: %u variables, %u equations\n", n_unknowns,
                         n_equations);
  for (uint32_t i = 0; i < dae_init_n_matchings(report->init); i++) {
    const DaeInitMatching *matching = dae_init_matching(report->init, i);
    g_string_append_printf(out, "  %-22s without ", matching->outcome);
    text_premise(report, &matching->left_out);
  }
  if (dae_init_n_matchings(report->init) == 0) {
    g_string_append(out, "  no single equation makes it square\n");
  }
}

static void
text_conflict(const Report *report, const DaeInitConflict *conflict)
{
  GString *out = dae_cli_out(report->cli);
  g_autofree char *residual = conflict->residual == DAE_NO_TERM
                                  ? g_strdup("undefined")
                                  : dae_term_to_string(report->terms, conflict->residual);
  dae_cli_styled(report->cli, out, DAE_STYLE_BAD, "conflict");
  gsize from = out->len;
  g_string_append_printf(out, " (residual %s)", residual);
  dae_cli_typeset(report->cli, out, from);
  g_string_append(out, ": these contradict each other\n");
  for (uint32_t k = 0; k < conflict->n_premises; k++) {
    g_string_append(out, "    ");
    text_premise(report, &conflict->premises[k]);
  }
  g_string_append(out, "  because\n");
  text_steps(report, conflict->steps, conflict->n_steps);
}

/* How many of n findings are shown; tells if there are more. */
static uint32_t
begin_findings(const Report *report, uint32_t n, const char *what)
{
  uint32_t shown = dae_cli_is_verbose(report->cli) ? n : MIN(n, MOST_FINDINGS);
  if (shown < n) {
    g_string_append_printf(dae_cli_out(report->cli),
                           "%u %s; the first %u (all with --verbose or --format json):\n", n,
                           what, shown);
  }
  return shown;
}

static void
text_findings(const Report *report)
{
  const DaeInit *init = report->init;
  GString *out = dae_cli_out(report->cli);
  uint32_t n = begin_findings(report, dae_init_n_conflicts(init), "conflicts");
  for (uint32_t i = 0; i < n; i++) {
    text_conflict(report, dae_init_conflict(init, i));
  }
  n = begin_findings(report, dae_init_n_redundant(init), "redundant equations");
  for (uint32_t i = 0; i < n; i++) {
    const DaeInitRedundant *item = dae_init_redundant(init, i);
    dae_cli_styled(report->cli, out, DAE_STYLE_WARN, "redundant");
    g_string_append(out, ": ");
    text_premise(report, &item->what);
    text_steps(report, item->steps, item->n_steps);
  }
}

static void
text_precision(const Report *report)
{
  GString *out = dae_cli_out(report->cli);
  DaeInitPrecision precision;
  uint32_t n = dae_init_n_implicit(report->init);
  int radius = 0;
  if (dae_init_is_numeric(report->init) && dae_init_precision(report->init, &precision)) {
    g_string_append(out, "  numeric: ");
    if (precision.has_zero) {
      g_string_append_printf(out, "residual below 1e%d ", precision.below);
    }
    g_string_append_printf(out, "in a ball of radius 1e%d, %u digits\n", precision.radius,
                           precision.digits);
  }
  if (n > 0 && dae_init_existence_is_proved(report->init, &radius)) {
    g_string_append_printf(out,
                           "  %u unknown%s without a formula: a real solution is proved to "
                           "exist, in a ball of radius 1e%d\n",
                           n, n == 1 ? "" : "s", radius);
  } else if (n > 0) {
    g_string_append_printf(out,
                           "  %u unknown%s without a formula: the block is regular, that it "
                           "has a real solution is not proved\n",
                           n, n == 1 ? "" : "s");
  }
}

static void
text_proofs(const Report *report, const Proofs *proofs)
{
  GString *out = dae_cli_out(report->cli);
  const DaeProofCounts *counts = &proofs->counts;
  g_string_append_printf(out, "proofs: %s: %u steps exact, ",
                         proofs->why == NULL ? "verified" : proofs->why, counts->n_exact);
  if (counts->n_images > 0) {
    g_string_append_printf(out, "%u by images modulo a prime, ", counts->n_images);
  }
  g_string_append_printf(out, "%u numeric, %u failed\n", counts->n_numeric,
                         proofs->why == NULL ? 0U : 1U);
  if (counts->n_assumed > 0) {
    g_string_append_printf(out,
                           "  %u of them divide by something, or take a solution as the only "
                           "one, on the word of the search\n",
                           counts->n_assumed);
  }
  for (guint i = 0; i < counts->identities->len; i++) {
    g_string_append_printf(out, "%s%s%s", i == 0 ? "  identities used: " : "; ",
                           (const char *)g_ptr_array_index(counts->identities, i),
                           i + 1 == counts->identities->len ? "\n" : "");
  }
}

static void
write_text(const Report *report, const Proofs *proofs)
{
  const DaeInit *init = report->init;
  GString *out = dae_cli_out(report->cli);
  g_autofree char *summary = dae_init_summary(init);
  DaeInitVerdict verdict = dae_init_verdict(init);
  bool good = verdict == DAE_INIT_WELL_DETERMINED || verdict == DAE_INIT_CONSISTENT;
  g_string_append_printf(out, "%s: ", dae_model_name(report->model));
  dae_cli_styled(report->cli, out, good ? DAE_STYLE_GOOD : DAE_STYLE_BAD,
                 dae_init_verdict_name(verdict));
  g_string_append_printf(out, "\n  %s\n  %" G_GINT64_FORMAT " potential states; holds %s%s\n",
                         summary, dae_init_potential_states(init),
                         dae_init_holds_for_all_parameters(init)
                             ? "for all parameter values"
                             : "for the given parameter values",
                         dae_init_is_numeric(init) ? " (numeric)" : "");
  text_precision(report);
  if (dae_init_undecided_why(init) != NULL) {
    g_string_append_printf(out, "undecided: %s\n", dae_init_undecided_why(init));
  }
  text_findings(report);
  text_terms(report, "still need an initial equation:", dae_init_n_undetermined(init),
             dae_init_undetermined);
  text_terms(report, "suggested choice:", dae_init_n_suggested(init), dae_init_suggested);
  text_terms(report, "consistent only if 0 =", dae_init_n_conditions(init), dae_init_condition);
  if (dae_cli_flag(report->cli, "all-matchings")) {
    text_matchings(report);
  }
  if (proofs->is_wanted) {
    text_proofs(report, proofs);
  }
}

/* ---- graph ------------------------------------------------------------------------------------------------ */

/* dot -Tsvg FILE, with the text in a temporary file and the picture on standard output. */
static bool
draw_svg(const char *dot, GString *svg, GError **error)
{
  const gchar *argv[] = {"dot", "-Tsvg", NULL, NULL};
  g_autofree char *name = NULL;
  int handle = g_file_open_tmp("daetool-XXXXXX.dot", &name, error);
  if (handle < 0) {
    return false;
  }
  g_close(handle, NULL);
  g_autofree char *output = NULL;
  int status = 0;
  argv[2] = name;
  bool ok =
      g_file_set_contents(name, dot, -1, error) &&
      g_spawn_sync(NULL, (gchar **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                   NULL, NULL, &output, NULL, &status, error) &&
      g_spawn_check_wait_status(status, error);
  g_remove(name);
  if (ok) {
    g_string_append(svg, output);
  }
  return ok;
}

static DaeExit
write_graph(const Report *report, const char *path)
{
  g_autoptr(GString) dot = g_string_new(NULL);
  g_autoptr(GString) svg = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  dae_init_write_dot(report->init, report->terms, dot);
  bool is_svg = g_str_has_suffix(path, ".svg");
  if (is_svg && !draw_svg(dot->str, svg, &error)) {
    g_autofree char *message =
        g_strdup_printf("%s: Graphviz' dot is needed for svg (%s); FILE.dot works without",
                        path, error->message);
    return dae_cli_fail(report->cli, g_error_new_literal(DAE_ERROR, DAE_ERROR_FILE, message));
  }
  const GString *text = is_svg ? svg : dot;
  return dae_cli_write_file(report->cli, path, text->str, text->len) ? DAE_EXIT_OK
                                                                     : DAE_EXIT_FILE;
}

/* ---- command ------------------------------------------------------------------------------------------------ */

static DaeExit
exit_code(DaeInitVerdict verdict)
{
  switch (verdict) {
  case DAE_INIT_WELL_DETERMINED:
  case DAE_INIT_CONSISTENT:
    return DAE_EXIT_OK;
  case DAE_INIT_INCONSISTENT:
  case DAE_INIT_UNDER_DETERMINED:
  case DAE_INIT_MIXED:
    return DAE_EXIT_NEGATIVE;
  case DAE_INIT_UNDECIDED:
    return DAE_EXIT_UNDECIDED;
  }
  return DAE_EXIT_UNDECIDED;
}

static DaeExit
report_all(const Report *report, const char *graph)
{
  Proofs proofs = {.is_wanted = dae_cli_flag(report->cli, "verify-proofs")};
  bool verified = true;
  if (proofs.is_wanted) {
    const DaeProofs all = dae_init_proofs(report->init);
    verified = dae_proofcheck(&all, report->model, report->terms, &proofs.counts, &proofs.why);
  }
  if (dae_cli_format_is(report->cli, "json")) {
    write_json(report, &proofs);
  } else {
    write_text(report, &proofs);
  }
  g_clear_pointer(&proofs.counts.identities, g_ptr_array_unref);
  g_free(proofs.why);
  if (graph != NULL) {
    DaeExit code = write_graph(report, graph);
    if (code != DAE_EXIT_OK) {
      return code;
    }
  }
  /* a proof that does not check is no proof: whatever the verdict says, it is not settled */
  return verified ? exit_code(dae_init_verdict(report->init)) : DAE_EXIT_UNDECIDED;
}

static DaeExit
run(DaeCli *cli)
{
  GError *error = NULL;
  const char *graph = dae_cli_string(cli, "graph");
  double seconds = 0;
  bool has_budget = dae_cli_double(cli, "budget", &seconds);
  if (has_budget && seconds < 0) {
    return dae_cli_usage(cli, "--budget takes a number of seconds, 0 or more");
  }
  if (graph != NULL && !g_str_has_suffix(graph, ".svg") && !g_str_has_suffix(graph, ".dot")) {
    return dae_cli_usage(cli, "--graph takes FILE.svg or FILE.dot");
  }
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  /* 0 seconds are a budget as well: the smallest one */
  g_autoptr(DaeBudget) budget = has_budget ? dae_budget_new(MAX(seconds, 1e-9), 0) : NULL;
  DaeInitOptions wanted = {.all_matchings = dae_cli_flag(cli, "all-matchings"),
                           .graph = graph != NULL,
                           .budget = budget};
  dae_pipeline_set_budget(pipeline, budget);
  const DaeInit *init = dae_pipeline_check_init(pipeline, &wanted, &error);
  DaeExit code = DAE_EXIT_OK;
  if (init == NULL) {
    code = dae_cli_fail(cli, error);
  } else {
    const DaeSig *sig = dae_pipeline_analyze(pipeline, NULL, &error);
    Report report = {cli, init, sig == NULL ? dae_pipeline_model(pipeline) : dae_sig_model(sig),
                     dae_pipeline_terms(pipeline)};
    g_clear_error(&error);
    code = report_all(&report, graph);
  }
  dae_pipeline_set_budget(pipeline, NULL);
  return code;
}

const DaeCliCommand dae_command_check_init = {
    .name = "check-init",
    .summary = "is the initialization consistent? what is redundant or missing?",
    .description = "Decides the initialization of the model: well-determined, consistent (with "
                   "redundant equations), "
                   "inconsistent, under-determined, or mixed. Every verdict carries its proof: "
                   "redundant equations are "
                   "derived step by step from the others, conflicts are minimal sets that end "
                   "in 0 = 1. Parameters stay "
                   "symbols first; conditions say what must vanish. Exit code 0: "
                   "well-determined or consistent; 1: "
                   "inconsistent, under-determined or mixed; 4: undecided.",
    .formats = "text|json",
    .options = options,
    .example = "  $ daetool check-init examples/two_capacitors.mo\n"
               "  TwoCapacitors: consistent\n"
               "    2 initial equations for 1 degree of freedom: consistent, 1 redundant\n"
               "    2 potential states; holds for all parameter values\n"
               "  redundant: u2 = 5  (initial 1, line 15)\n"
               "        1. u = 10  [equation 3]\n"
               "        2. u1 = 5  [initial 0]\n"
               "        3. u = u1 + u2  [equation 2]\n"
               "        4. u2 = 5  [from steps 3, 1, 2]\n"
               "        5. 10 = 5 + 5  [from steps 3, 1, 2, 4]\n",
    .is_prose = true,
    .run = run,
};
