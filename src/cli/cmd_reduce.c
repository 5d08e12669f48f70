#include <string.h>

#include "cli/command.h"
#include "report/reduce.h"

static const DaeCliOption options[] = {
    {"eliminate", DAE_OPTION_CHOICE, "auto|always|never",
     "coupled derivatives: eliminate symbolically, or make them unknowns; default auto, by "
     "size"},
    {"invariant", DAE_OPTION_STRINGS, "EXPR",
     "an expression that is constant along solutions, kept as a constraint (repeatable)"},
    {"verify", DAE_OPTION_FLAG, NULL,
     "check the certificate of the structure, and the ranks of the reduced form at a point, "
     "again "
     "with an independent checker"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

/* ---- the command ------------------------------------------------------------------------- */

static DaeEliminate
eliminate_option(const DaeCli *cli)
{
  const char *mode = dae_cli_string(cli, "eliminate");
  for (DaeEliminate i = DAE_ELIMINATE_AUTO; mode != NULL && i <= DAE_ELIMINATE_NEVER; i++) {
    if (strcmp(mode, dae_reduce_mode_name(i)) == 0) {
      return i;
    }
  }
  return DAE_ELIMINATE_AUTO;
}

/* Of more equations than variables no certificate of the structure speaks: there the point is
 * asked for always. */
static bool
is_checked(DaeCli *cli)
{
  return dae_cli_flag(cli, "verify") || dae_pipeline_has_surplus(dae_cli_pipeline(cli));
}

static void
print_reduction(DaeCli *cli, const DaeQlt *qlt, DaeEliminate mode, const DaeVerified *verified)
{
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  GString *out = dae_cli_out(cli);
  g_autoptr(DaeInputNeeds) inputs = dae_pipeline_input_needs(pipeline, DAE_STAGE_REDUCE);
  if (dae_cli_format_is(cli, "json")) {
    dae_reduce_json(qlt, terms, mode, inputs, verified, out);
  } else if (dae_cli_format_is(cli, "modelica")) {
    g_autoptr(DaeModel) model = dae_qlt_to_model(qlt, terms);
    dae_model_print(model, terms, false, out);
  } else {
    const DaePage page = dae_cli_page(cli);
    dae_reduce_text(&page, qlt, terms, mode, inputs, verified, out);
  }
}

static DaeExit
run_reduce(DaeCli *cli)
{
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  GError *error = NULL;
  guint n = 0;
  const char *const *texts = dae_cli_strings(cli, "invariant", &n);
  g_autoptr(GArray) invariants = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint k = 0; k < n; k++) {
    DaeTerm invariant = dae_cli_expression(cli, "invariant", texts[k]);
    if (invariant == DAE_NO_TERM) {
      return dae_cli_exit(cli);
    }
    g_array_append_val(invariants, invariant);
  }
  DaeQltOptions qlt_options = {
      .eliminate = eliminate_option(cli),
      .invariants = (const DaeTerm *)(void *)invariants->data,
      .n_invariants = invariants->len,
  };
  const DaeQlt *qlt = dae_pipeline_reduce(pipeline, &qlt_options, &error);
  if (qlt == NULL) {
    return dae_cli_fail(cli, error);
  }
  g_autofree char *why = NULL;
  bool holds = !is_checked(cli) || dae_pipeline_verify_reduction(pipeline, qlt, &why);
  const DaeVerified verified = {"reduction", why};
  print_reduction(cli, qlt, qlt_options.eliminate, is_checked(cli) ? &verified : NULL);
  if (!holds) {
    dae_cli_warn(cli, "the reduction was not confirmed: %s", why);
    return DAE_EXIT_UNDECIDED;
  }
  return DAE_EXIT_OK;
}

const DaeCliCommand dae_command_reduce = {
    .name = "reduce",
    .summary = "quasi-linear, over-determined form with all hidden constraints",
    .description =
        "Brings the model into the form E(x,t)*der(x) = k(x,t), 0 = h(x,t), where h holds "
        "every "
        "constraint, the hidden ones included. Numbers in brackets are the equations a row "
        "comes "
        "from, with a prime for each differentiation. --format modelica prints the same system "
        "as a model that daetool reads and simulates.",
    .formats = "text|json|modelica",
    .options = options,
    .example =
        "  $ daetool reduce examples/pendulum.mo\n"
        "  Pendulum: 5 unknowns, 4 differential equations, 3 constraints, highest level 2\n"
        "  ...\n"
        "  constraints\n"
        "    level 0          0 = x^2 + y^2 - L^2   [4]\n"
        "    level 1  hidden  0 = x*u + y*v   [0, 1, 4']\n"
        "  ...\n"
        "  $ daetool reduce examples/pendulum.mo --format modelica -o reduced.mo\n"
        "  $ daetool simulate reduced.mo --stop 2 -o reduced.csv\n",
    .is_prose = true,
    .run = run_reduce,
};
