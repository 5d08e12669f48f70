#include <glib/gstdio.h>
#include <string.h>

#include "cli/command.h"
#include "report/init.h"

static const DaeCliOption options[] = {
    {"verify", DAE_OPTION_FLAG, NULL,
     "check the answer again, with an independent checker: its proofs, the start it found, the "
     "certificate of the structure"},
    {"verify-proofs", DAE_OPTION_FLAG, NULL,
     "check every step of every proof again, with an independent checker"},
    {"all-matchings", DAE_OPTION_FLAG, NULL,
     "for each single equation that may be left out of the reduced system: what happens"},
    {"graph", DAE_OPTION_STRING, "FILE.svg|FILE.dot",
     "the directed graph of the unmatched equations (svg needs Graphviz)"},
    {"start", DAE_OPTION_DOUBLE, "TIME",
     "the initial time (default: that of the experiment, or 0)"},
    {"budget", DAE_OPTION_DOUBLE, "SECONDS",
     "stop the search after this many seconds, undecided (exit 4)"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

/* ---- graph ------------------------------------------------------------------------------- */

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
write_graph(DaeCli *cli, const DaeInitView *view, const char *path)
{
  g_autoptr(GString) dot = g_string_new(NULL);
  g_autoptr(GString) svg = g_string_new(NULL);
  g_autoptr(GError) error = NULL;
  dae_init_write_dot(view->init, view->terms, dot);
  bool is_svg = g_str_has_suffix(path, ".svg");
  if (is_svg && !draw_svg(dot->str, svg, &error)) {
    g_autofree char *message =
        g_strdup_printf("%s: Graphviz' dot is needed for svg (%s); FILE.dot works without",
                        path, error->message);
    return dae_cli_fail(cli, g_error_new_literal(DAE_ERROR, DAE_ERROR_FILE, message));
  }
  const GString *text = is_svg ? svg : dot;
  return dae_cli_write_file(cli, path, text->str, text->len) ? DAE_EXIT_OK : DAE_EXIT_FILE;
}

/* ---- command ----------------------------------------------------------------------------- */

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

/* What a positive verdict rests on besides its proofs: a start, and a structure that determines
 * what comes after it. */
static uint32_t
check_again(DaePipeline *pipeline, const DaeInitView *view, DaeVerified *verified, char **why)
{
  uint32_t n = 0;
  if (exit_code(dae_init_verdict(view->init)) != DAE_EXIT_OK) {
    return 0;
  }
  dae_pipeline_verify_start(pipeline, view->init, &why[n]);
  verified[n] = (DaeVerified){"start", why[n]};
  n++;
  if (dae_sig_certificate(view->sig)->kind != DAE_CERTIFICATE_NONE) {
    dae_pipeline_verify_structure(pipeline, view->sig, &why[n]);
    verified[n] = (DaeVerified){"certificate", why[n]};
    n++;
  }
  return n;
}

static DaeExit
report_all(DaeCli *cli, DaePipeline *pipeline, const DaeInitView *view, const char *graph)
{
  const bool wants_all = dae_cli_flag(cli, "verify");
  DaeProofVerdict proofs = {.is_wanted = wants_all || dae_cli_flag(cli, "verify-proofs")};
  DaeVerified checked[2];
  char *why[2] = {NULL, NULL};
  bool verified = true;
  proofs.verified = checked;
  proofs.n_verified = wants_all ? check_again(pipeline, view, checked, why) : 0;
  if (proofs.is_wanted) {
    const DaeProofs all = dae_init_proofs(view->init);
    verified =
        dae_proofcheck(&all, view->model, view->terms, dae_pipeline_checked_start(pipeline),
                       &proofs.counts, &proofs.why);
  }
  if (dae_cli_format_is(cli, "json")) {
    dae_init_report_json(view, &proofs);
  } else {
    dae_init_report_text(view, &proofs);
  }
  for (uint32_t k = 0; k < proofs.n_verified; k++) {
    if (checked[k].why != NULL) {
      dae_cli_warn(cli, "the %s was not confirmed: %s", checked[k].what, checked[k].why);
      verified = false;
    }
    g_free(why[k]);
  }
  g_clear_pointer(&proofs.counts.identities, g_ptr_array_unref);
  g_free(proofs.why);
  if (graph != NULL) {
    DaeExit code = write_graph(cli, view, graph);
    if (code != DAE_EXIT_OK) {
      return code;
    }
  }
  /* a proof that does not check is no proof: whatever the verdict says, it is not settled */
  return verified ? exit_code(dae_init_verdict(view->init)) : DAE_EXIT_UNDECIDED;
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
  wanted.has_start = dae_cli_double(cli, "start", &wanted.start);
  dae_pipeline_set_budget(pipeline, budget);
  g_autofree char *open = dae_pipeline_doubt_surplus(pipeline);
  wanted.open_unless_inconsistent = open;
  const DaeInit *init = dae_pipeline_check_init(pipeline, &wanted, &error);
  DaeExit code = DAE_EXIT_OK;
  if (init == NULL) {
    code = dae_cli_fail(cli, error);
  } else {
    const DaePage page = dae_cli_page(cli);
    const DaeInitView view = {
        .page = &page,
        .init = init,
        .model = dae_pipeline_checked_model(pipeline),
        .sig = dae_pipeline_checked_sig(pipeline),
        .terms = dae_pipeline_terms(pipeline),
        .with_matchings = wanted.all_matchings,
        .out = dae_cli_out(cli),
    };
    g_clear_error(&error);
    code = report_all(cli, pipeline, &view, graph);
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
               "    provided that these are not 0: C\n"
               "  redundant: u2 = 5  (initial 1, line 15)\n"
               "        1. u = 10  [equation 3]\n"
               "        2. u1 = 5  [initial 0]\n"
               "        3. u = u1 + u2  [equation 2]\n"
               "        4. u2 = 5  [from steps 3, 1, 2]\n"
               "        5. 10 = 5 + 5  [from steps 3, 1, 2, 4]\n",
    .is_prose = true,
    .run = run,
};
