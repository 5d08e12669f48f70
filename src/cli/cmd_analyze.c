#include <string.h>

#include "cli/frame.h"
#include "report/analyze.h"

static const DaeCliOption options[] = {
    {"no-repair", DAE_OPTION_FLAG, NULL, "leave a singular Jacobian as it is"},
    {"verify", DAE_OPTION_FLAG, NULL,
     "check the certificate again, with an independent checker"},
    {"plot", DAE_OPTION_STRING, "FILE.svg", "draw the incidence in block triangular order"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

static DaeExit
exit_of_status(DaeSigStatus status)
{
  switch (status) {
  case DAE_SIG_SUCCESS:
  case DAE_SIG_REPAIRED:
    return DAE_EXIT_OK;
  case DAE_SIG_STRUCTURALLY_SINGULAR:
  case DAE_SIG_JACOBIAN_SINGULAR:
    return DAE_EXIT_NEGATIVE;
  case DAE_SIG_UNDECIDED:
    return DAE_EXIT_UNDECIDED;
  }
  return DAE_EXIT_INTERNAL;
}

static DaeExit
run_analyze(DaeCli *cli)
{
  if (!dae_cli_is_svg(cli, "plot")) {
    return dae_cli_exit(cli);
  }
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  DaeSigOptions sig_options = dae_sig_default_options;
  GError *error = NULL;
  sig_options.repair = !dae_cli_flag(cli, "no-repair");
  const DaeSig *sig = dae_pipeline_analyze(pipeline, &sig_options, &error);
  if (sig == NULL) {
    return dae_cli_fail(cli, error);
  }
  const DaePage page = dae_cli_page(cli);
  g_autoptr(DaeInputNeeds) inputs = exit_of_status(dae_sig_status(sig)) == DAE_EXIT_OK
                                        ? dae_pipeline_input_needs(pipeline, DAE_STAGE_ANALYZE)
                                        : NULL;
  const bool is_checked =
      dae_cli_flag(cli, "verify") && exit_of_status(dae_sig_status(sig)) == DAE_EXIT_OK;
  g_autofree char *why = NULL;
  bool holds = !is_checked || dae_pipeline_verify_structure(pipeline, sig, &why);
  const DaeVerified verified = {"certificate", why};
  DaeAnalyzeView view = {
      &page,  dae_pipeline_terms(pipeline), dae_pipeline_model(pipeline), sig,
      inputs, is_checked ? &verified : NULL};
  if (dae_cli_format_is(cli, "json")) {
    dae_analyze_json(&view, dae_cli_out(cli));
  } else {
    dae_analyze_text(&view, dae_cli_out(cli));
  }
  const char *plot = dae_cli_string(cli, "plot");
  if (plot != NULL) {
    g_autoptr(GString) svg = g_string_new(NULL);
    dae_analyze_svg(&view, svg);
    if (!dae_cli_write_file(cli, plot, svg->str, svg->len)) {
      return DAE_EXIT_FILE;
    }
  }
  const DaeModel *model = dae_pipeline_model(pipeline);
  if (dae_cli_flag(cli, "keep-loops") &&
      dae_model_n_equations(model) > dae_model_n_variables(model)) {
    dae_cli_warn(cli,
                 "the loops have more equations than unknowns; 'daetool reduce --keep-loops' "
                 "says which of them follow from the others");
    return DAE_EXIT_UNDECIDED; /* too many equations are no mistake here */
  }
  if (holds) {
    if (is_checked) {
      dae_cli_note(cli, "the certificate was checked again: it holds");
    }
    return exit_of_status(dae_sig_status(sig));
  }
  /* a certificate that does not check is none: then it is not settled */
  dae_cli_warn(cli, "the certificate was not confirmed: %s", why);
  return DAE_EXIT_UNDECIDED;
}

const DaeCliCommand dae_command_analyze = {
    .name = "analyze",
    .summary = "structure: signature, offsets, index, blocks",
    .description =
        "Finds the structure of a model by the Sigma-method: which derivative of which "
        "variable occurs in which "
        "equation, how often each equation has to be differentiated (c) and how far each "
        "variable is determined (d), the "
        "structural index, the degrees of freedom, and the order in which blocks of equations "
        "can be solved. If the "
        "Jacobian is singular, the model is repaired until it is not, or it is shown to be "
        "redundant or "
        "contradictory. In the picture of a small model a number is the highest derivative of "
        "the variable in the "
        "equation, brackets mark one variable for each equation, c stands on the right, d "
        "below. "
        "Exit code 1: the model is structurally singular; 4: undecided.",
    .formats = "text|json",
    .options = options,
    .example = "  $ daetool analyze --plot structure.svg examples/pendulum.mo\n"
               "  Pendulum: success, structural index 3, 2 degrees of freedom\n"
               "  5 equations, 5 variables, 12 entries in the signature matrix, value 2\n"
               "  \n"
               "           x      y      u      v    lambda |  c\n"
               "      0    1      .     [0]     .      .    |  1  der(x) = u\n"
               "      1    .     [1]     .      0      .    |  1  der(y) = v\n"
               "      2    0      .      1      .     [0]   |  0  der(u) + 2*x*lambda = 0\n"
               "      3    .      0      .     [1]     0    |  0  der(v) + 2*y*lambda + g = 0\n"
               "      4   [0]     0      .      .      .    |  2  x^2 + y^2 = L^2\n"
               "      d    2      2      1      1      0    |\n"
               "  ...\n",
    .is_prose = true,
    .run = run_analyze,
};
