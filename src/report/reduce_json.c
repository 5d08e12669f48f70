#include "report/reduce.h"

const char *
dae_reduce_mode_name(DaeEliminate mode)
{
  switch (mode) {
  case DAE_ELIMINATE_AUTO:
    return "auto";
  case DAE_ELIMINATE_ALWAYS:
    return "always";
  case DAE_ELIMINATE_NEVER:
    return "never";
  }
  return "auto";
}

bool
dae_reduce_is_long(DaeTerms *terms, DaeTerm t)
{
  return dae_term_tree_size(terms, t) > DAE_REDUCE_LONG;
}

typedef struct {
  DaeJson *json;
  DaeTerms *terms;
  DaeSharedTerms shared;
} Writer;

static void
write_term(Writer *writer, DaeTerm t)
{
  g_autoptr(GString) text = g_string_new(NULL);
  if (dae_reduce_is_long(writer->terms, t)) {
    dae_print_shared(writer->terms, t, &writer->shared, text);
  } else {
    dae_term_print(writer->terms, t, text);
  }
  dae_json_string(writer->json, text->str);
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

DaeTerm
dae_reduce_substituted(const DaeQlt *qlt, DaeTerms *terms, uint32_t j)
{
  const DaeModel *model = dae_qlt_model(qlt);
  DaeSymbol symbol = dae_qlt_unknown(qlt, j);
  DaeTerm atom = dae_term_variable(terms, symbol, 0);
  uint32_t k = 0;
  if (dae_terms_symbol_name(terms, symbol)[0] != '$' ||
      !dae_model_find_variable(model, symbol, &k)) {
    return DAE_NO_TERM;
  }
  DaeTerm meaning = dae_model_variable(model, k)->meaning;
  if (meaning != DAE_NO_TERM) {
    return meaning; /* its definition may have been replaced by a combination of equations */
  }
  for (uint32_t i = dae_model_n_equations(model); i-- > 0;) { /* definitions come last */
    const DaeEquation *equation = dae_model_equation(model, i);
    if (equation->lhs == atom || equation->rhs == atom) {
      return equation->lhs == atom ? equation->rhs : equation->lhs;
    }
  }
  return DAE_NO_TERM;
}

static void
write_introduced(Writer *writer, DaeSymbol symbol, DaeTerm meaning)
{
  DaeJson *json = writer->json;
  DaeTerms *terms = writer->terms;
  dae_json_begin_object(json, true);
  dae_json_key(json, "name");
  dae_json_string(json, dae_terms_symbol_name(terms, symbol));
  dae_json_key(json, "meaning");
  write_term(writer, meaning);
  dae_json_end_object(json);
}

static void
write_unknowns(Writer *writer, const DaeQlt *qlt)
{
  DaeJson *json = writer->json;
  DaeTerms *terms = writer->terms;
  dae_json_key(json, "unknowns");
  dae_json_begin_array(json, true);
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    dae_json_string(json, dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, j)));
  }
  dae_json_end_array(json);
  dae_json_key(json, "introduced");
  dae_json_begin_array(json, false);
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    DaeTerm meaning = dae_reduce_substituted(qlt, terms, j);
    if (meaning != DAE_NO_TERM) {
      write_introduced(writer, dae_qlt_unknown(qlt, j), meaning);
    }
  }
  for (uint32_t i = 0; i < dae_qlt_n_introduced(qlt); i++) {
    const DaeQltIntroduced *introduced = dae_qlt_introduced(qlt, i);
    write_introduced(writer, introduced->symbol, introduced->meaning);
  }
  dae_json_end_array(json);
}

static void
write_rows(Writer *writer, const DaeQlt *qlt)
{
  DaeJson *json = writer->json;
  DaeTerms *terms = writer->terms;
  dae_json_key(json, "differential");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "coefficients");
    dae_json_begin_object(json, true);
    for (uint32_t k = 0; k < row->n; k++) {
      dae_json_key(json, dae_terms_symbol_name(terms, dae_qlt_unknown(qlt, row->columns[k])));
      write_term(writer, row->coefficients[k]);
    }
    dae_json_end_object(json);
    dae_json_key(json, "rhs");
    write_term(writer, row->rhs);
    write_origins(json, row->from, row->n_from);
    dae_json_key(json, "identity");
    dae_json_bool(json, row->is_identity);
    dae_json_end_object(json);
  }
  dae_json_end_array(json);
}

static void
write_constraints(Writer *writer, const DaeQlt *qlt)
{
  DaeJson *json = writer->json;
  dae_json_key(json, "constraints");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "expression");
    write_term(writer, constraint->expression);
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
  dae_json_key(json, "dof");
  dae_json_int(json, dae_qlt_dof(qlt));
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
write_dropped(Writer *writer, const DaeQlt *qlt)
{
  DaeJson *json = writer->json;
  dae_json_key(json, "dropped");
  dae_json_begin_array(json, false);
  for (uint32_t i = 0; i < dae_qlt_n_dropped(qlt); i++) {
    const DaeQltDropped *dropped = dae_qlt_dropped(qlt, i);
    dae_json_begin_object(json, true);
    dae_json_key(json, "expression");
    write_term(writer, dropped->expression);
    write_origins(json, dropped->from, dropped->n_from);
    dae_json_key(json, "proof");
    dae_json_string(json, dropped->proof);
    dae_json_key(json, "proved");
    dae_json_bool(json, !dropped->is_numeric || dropped->factor != DAE_NO_TERM);
    if (dropped->factor != DAE_NO_TERM) {
      dae_json_key(json, "where_nonzero");
      write_term(writer, dropped->factor);
    }
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
  dae_json_string(json, dae_reduce_mode_name(mode));
  dae_json_key(json, "used");
  dae_json_string(json, dae_reduce_mode_name(dae_qlt_elimination_used(qlt)));
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

void
dae_reduce_json(const DaeQlt *qlt, DaeTerms *terms, DaeEliminate mode,
                const DaeInputNeeds *inputs, const DaeVerified *verified, GString *out)
{
  g_autoptr(DaeJson) json = dae_json_new(out);
  g_autoptr(GString) functions = g_string_new(NULL);
  Writer writer = {json, terms, {functions, 0}};
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_model_name(dae_qlt_model(qlt)));
  write_unknowns(&writer, qlt);
  write_rows(&writer, qlt);
  write_constraints(&writer, qlt);
  write_counts(json, qlt);
  write_dropped(&writer, qlt);
  write_elimination(json, qlt, terms, mode);
  dae_inputs_json(json, dae_qlt_model(qlt), inputs);
  dae_verified_json(json, verified, verified != NULL);
  if (functions->len > 0) {
    dae_json_key(json, "functions");
    dae_json_string(json, functions->str);
  }
  dae_json_end_object(json);
}
