#include <string.h>

#include "cli/command.h"

static const DaeCliOption options[] = {
    {"eliminate", DAE_OPTION_CHOICE, "auto|always|never",
     "coupled derivatives: eliminate symbolically, or make them unknowns; default auto, by "
     "size"},
    {"invariant", DAE_OPTION_STRINGS, "EXPR",
     "an expression that is constant along solutions, kept as a constraint (repeatable)"},
    {NULL, DAE_OPTION_FLAG, NULL, NULL},
};

static const char *const mode_names[] = {"auto", "always", "never"};

/* ---- text ---------------------------------------------------------------------------------- */

/* [0', 1', 4'']: equation numbers, a prime for each differentiation. */
static void
append_origins(GString *out, const DaeQltOrigin *from, uint32_t n)
{
  g_string_append_c(out, '[');
  for (uint32_t k = 0; k < n; k++) {
    g_string_append_printf(out, "%s%u", k == 0 ? "" : ", ", from[k].equation);
    if (from[k].order > 3) {
      g_string_append_printf(out, "^(%d)", from[k].order);
    }
    for (int32_t p = 0; p < from[k].order && from[k].order <= 3; p++) {
      g_string_append_c(out, '\'');
    }
  }
  g_string_append_c(out, ']');
}

static void
append_left_side(GString *out, const DaeQlt *qlt, DaeTerms *terms, const DaeQltRow *row)
{
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm derivative = dae_term_variable(terms, dae_qlt_unknown(qlt, row->columns[k]), 1);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, row->coefficients[k], derivative));
  }
  dae_term_print(terms, sum, out);
}

/* "1 constraint", "2 constraints" */
static void
append_count(GString *out, uint32_t n, const char *what)
{
  g_string_append_printf(out, "%u %s%s", n, what, n == 1 ? "" : "s");
}

static void
append_names(DaeCli *cli, GString *out, const DaeQlt *qlt, DaeTerms *terms)
{
  g_string_append(out, "unknowns:");
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    g_string_append_printf(out, "%s %s", j == 0 ? "" : ",",
                           dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, j)));
  }
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_introduced(qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(qlt, i);
    g_string_append_printf(
        out, "introduced: %s = ", dae_terms_symbol_name(terms, introduced->symbol));
    gsize from = out->len;
    dae_term_print(terms, introduced->meaning, out);
    dae_cli_typeset(cli, out, from);
    g_string_append_c(out, '\n');
  }
}

static void
append_rows(DaeCli *cli, GString *out, const DaeQlt *qlt, DaeTerms *terms)
{
  g_string_append_c(out, '\n');
  dae_cli_styled(cli, out, DAE_STYLE_BOLD, "differential equations");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    g_string_append(out, "  ");
    gsize from = out->len;
    append_left_side(out, qlt, terms, row);
    g_string_append(out, " = ");
    dae_term_print(terms, row->rhs, out);
    dae_cli_typeset(cli, out, from);
    g_autoptr(GString) origin = g_string_new("   ");
    if (row->is_identity) {
      g_string_append(origin, "identity");
    } else {
      append_origins(origin, row->from, row->n_from);
      dae_cli_typeset(cli, origin, 0);
    }
    dae_cli_styled(cli, out, DAE_STYLE_DIM, origin->str);
    g_string_append_c(out, '\n');
  }
}

static void
append_constraints(DaeCli *cli, GString *out, const DaeQlt *qlt, DaeTerms *terms)
{
  g_string_append_c(out, '\n');
  dae_cli_styled(cli, out, DAE_STYLE_BOLD, "constraints");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    g_autoptr(GString) origin = g_string_new("   ");
    if (constraint->is_invariant) {
      g_string_append(out, "  invariant       ");
      g_string_append(origin, constraint->is_trusted ? "taken on trust" : "proved");
    } else {
      g_string_append_printf(out, "  level %-2d %-7s ", constraint->level,
                             constraint->is_hidden ? "hidden" : "");
      append_origins(origin, constraint->from, constraint->n_from);
      dae_cli_typeset(cli, origin, 0);
    }
    if (constraint->is_numeric) {
      g_string_append(origin, " checked numerically");
    }
    gsize from = out->len;
    g_string_append(out, "0 = ");
    dae_term_print(terms, constraint->expression, out);
    dae_cli_typeset(cli, out, from);
    dae_cli_styled(cli, out, DAE_STYLE_DIM, origin->str);
    g_string_append_c(out, '\n');
  }
}

static void
append_dropped(DaeCli *cli, GString *out, const DaeQlt *qlt, DaeTerms *terms)
{
  if (dae_qlt_n_dropped(qlt) == 0) {
    return;
  }
  g_string_append_c(out, '\n');
  dae_cli_styled(cli, out, DAE_STYLE_BOLD, "redundant, left out");
  g_string_append_c(out, '\n');
  for (uint32_t i = 0; i < dae_qlt_n_dropped(qlt); i++) {
    const DaeQltDropped *dropped = dae_qlt_dropped(qlt, i);
    gsize from = out->len;
    g_string_append(out, "  0 = ");
    dae_term_print(terms, dropped->expression, out);
    g_string_append(out, "   ");
    append_origins(out, dropped->from, dropped->n_from);
    g_string_append_printf(out, ": %s\n", dropped->proof);
    dae_cli_typeset(cli, out, from);
  }
}

static void
append_choices(GString *out, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode)
{
  g_string_append_printf(out, "\nelimination: %s", mode_names[mode]);
  g_string_append_printf(out, "; identities: %u in the model, %u introduced",
                         dae_qlt_n_model_identities(qlt), dae_qlt_n_introduced(qlt));
  g_string_append_printf(out, "; terms: %zu in, %zu out\n", dae_qlt_terms_in(qlt),
                         dae_qlt_terms_out(qlt));
  for (uint32_t b = 0; b < dae_qlt_n_blocks(qlt); b++) {
    const DaeQltBlock *block = dae_qlt_block(qlt, b);
    g_string_append_printf(out, "coupled derivatives (%u):", block->n);
    for (uint32_t k = 0; k < block->n && k < 8; k++) {
      g_string_append_printf(
          out, " %s", dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, block->columns[k])));
    }
    g_string_append_printf(out, "%s: %s\n", block->n > 8 ? " ..." : "",
                           block->is_eliminated ? "eliminated" : "made unknowns");
  }
}

static void
append_text(DaeCli *cli, GString *out, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode)
{
  g_autoptr(GString) head = g_string_new(dae_model_name(dae_qlt_model(qlt)));
  g_string_append(head, ": ");
  append_count(head, dae_qlt_n_unknowns(qlt), "unknown");
  g_string_append(head, ", ");
  append_count(head, dae_qlt_n_rows(qlt), "differential equation");
  g_string_append(head, ", ");
  append_count(head, dae_qlt_n_constraints(qlt), "constraint");
  g_string_append_printf(head, ", highest level %d", dae_qlt_max_level(qlt));
  dae_cli_styled(cli, out, DAE_STYLE_BOLD, head->str);
  g_string_append_c(out, '\n');
  append_names(cli, out, qlt, terms);
  append_rows(cli, out, qlt, terms);
  append_constraints(cli, out, qlt, terms);
  append_dropped(cli, out, qlt, terms);
  append_choices(out, qlt, terms, mode);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void
write_term(DaeJson *json, DaeTerms *terms, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(terms, t);
  dae_json_string(json, text);
}

static void
write_origins(DaeJson *json, const DaeQltOrigin *from, uint32_t n)
{
  dae_json_key(json, "from");
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < n; k++) {
    dae_json_int(json, from[k].equation);
  }
  dae_json_end_array(json);
  dae_json_key(json, "order");
  dae_json_begin_array(json, true);
  for (uint32_t k = 0; k < n; k++) {
    dae_json_int(json, from[k].order);
  }
  dae_json_end_array(json);
}

static void
write_unknowns(DaeJson *json, const DaeQlt *qlt, DaeTerms *terms)
{
  dae_json_key(json, "unknowns");
  dae_json_begin_array(json, true);
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    dae_json_string(json, dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, j)));
  }
  dae_json_end_array(json);
  dae_json_key(json, "introduced");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_introduced(qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "name");
    dae_json_string(json, dae_terms_symbol_name(terms, introduced->symbol));
    dae_json_key(json, "meaning");
    write_term(json, terms, introduced->meaning);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_rows(DaeJson *json, const DaeQlt *qlt, DaeTerms *terms)
{
  dae_json_key(json, "differential");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "coefficients");
    dae_json_begin_object(json, true);
    for (uint32_t k = 0; k < row->n; k++) {
      dae_json_key(json, dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, row->columns[k])));
      write_term(json, terms, row->coefficients[k]);
    }
    dae_json_end_object(json);
    dae_json_key(json, "rhs");
    write_term(json, terms, row->rhs);
    write_origins(json, row->from, row->n_from);
    dae_json_key(json, "identity");
    dae_json_bool(json, row->is_identity);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_constraints(DaeJson *json, const DaeQlt *qlt, DaeTerms *terms)
{
  dae_json_key(json, "constraints");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "expression");
    write_term(json, terms, constraint->expression);
    dae_json_key(json, "level");
    dae_json_int(json, constraint->level);
    dae_json_key(json, "hidden");
    dae_json_bool(json, constraint->is_hidden);
    write_origins(json, constraint->from, constraint->n_from);
    if (constraint->is_numeric) {
      dae_json_key(json, "numeric");
      dae_json_bool(json, true);
    }
    if (constraint->is_invariant) {
      dae_json_key(json, "invariant");
      dae_json_string(json, constraint->is_trusted ? "trusted" : "proved");
    }
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
  dae_json_key(json, "max_level");
  dae_json_int(json, dae_qlt_max_level(qlt));
}

static void
write_counts(DaeJson *json, const DaeQlt *qlt)
{
  dae_json_key(json, "counts");
  dae_json_begin_object(json, true);
  dae_json_key(json, "unknowns");
  dae_json_int(json, dae_qlt_n_unknowns(qlt));
  dae_json_key(json, "differential");
  dae_json_int(json, dae_qlt_n_rows(qlt));
  dae_json_key(json, "constraints");
  dae_json_int(json, dae_qlt_n_constraints(qlt));
  dae_json_key(json, "model_identities");
  dae_json_int(json, dae_qlt_n_model_identities(qlt));
  dae_json_key(json, "introduced_identities");
  dae_json_int(json, dae_qlt_n_introduced(qlt));
  dae_json_end_object(json);
}

static void
write_dropped(DaeJson *json, const DaeQlt *qlt, DaeTerms *terms)
{
  dae_json_key(json, "dropped");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_dropped(qlt); i++) {
    const DaeQltDropped *dropped = dae_qlt_dropped(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "expression");
    write_term(json, terms, dropped->expression);
    write_origins(json, dropped->from, dropped->n_from);
    dae_json_key(json, "proof");
    dae_json_string(json, dropped->proof);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_elimination(DaeJson *json, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode)
{
  dae_json_key(json, "elimination");
  dae_json_begin_object(json, false);
  dae_json_key(json, "mode");
  dae_json_string(json, mode_names[mode]);
  dae_json_key(json, "used");
  dae_json_string(json, mode_names[dae_qlt_elimination_used(qlt)]);
  dae_json_key(json, "blocks");
  dae_json_begin_array(json, false);
  for (uint32_t b = 0; b < dae_qlt_n_blocks(qlt); b++) {
    const DaeQltBlock *block = dae_qlt_block(qlt, b);
    dae_json_begin_object(json, true);
    dae_json_key(json, "variables");
    dae_json_begin_array(json, true);
    for (uint32_t k = 0; k < block->n; k++) {
      dae_json_string(json,
                      dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, block->columns[k])));
    }
    dae_json_end_array(json);
    dae_json_key(json, "eliminated");
    dae_json_bool(json, block->is_eliminated);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
  dae_json_key(json, "terms_in");
  dae_json_int(json, (int64_t)dae_qlt_terms_in(qlt));
  dae_json_key(json, "terms_out");
  dae_json_int(json, (int64_t)dae_qlt_terms_out(qlt));
  dae_json_end_object(json);
}

static void
append_json(GString *out, const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode)
{
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(dae_qlt_model(qlt)));
  write_unknowns(json, qlt, terms);
  write_rows(json, qlt, terms);
  write_constraints(json, qlt, terms);
  write_counts(json, qlt);
  write_dropped(json, qlt, terms);
  write_elimination(json, qlt, terms, mode);
  dae_json_end_object(json);
}

/* ---- the command ------------------------------------------------------------------------------ */

static DaeEliminate
eliminate_option(const DaeCli *cli)
{
  const char *mode = dae_cli_string(cli, "eliminate");
  for (size_t i = 0; mode != NULL && i < G_N_ELEMENTS(mode_names); i++) {
    if (strcmp(mode, mode_names[i]) == 0) {
      return (DaeEliminate)i;
    }
  }
  return DAE_ELIMINATE_AUTO;
}

static DaeExit
run_reduce(DaeCli *cli)
{
  DaePipeline *pipeline = dae_cli_pipeline(cli);
  if (pipeline == NULL) {
    return dae_cli_exit(cli);
  }
  DaeTerms *terms = dae_pipeline_terms(pipeline);
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
  GString *out = dae_cli_out(cli);
  if (dae_cli_format_is(cli, "json")) {
    append_json(out, qlt, terms, qlt_options.eliminate);
  } else if (dae_cli_format_is(cli, "modelica")) {
    g_autoptr(DaeModel) model = dae_qlt_to_model(qlt, terms);
    dae_model_print(model, terms, false, out);
  } else {
    append_text(cli, out, qlt, terms, qlt_options.eliminate);
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
