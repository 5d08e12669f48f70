/* impureRandom(): the hidden state of the generator as discrete variables of the model.
 * initializeImpureRandom() gives them their start values; it may be read after the call. Each place
 * of drawing has its own state behind it, which is the one before it moved on where that place is
 * active, in the order of the text; the first one begins with pre of the last one. So the numbers
 * are those of the Modelica Standard Library wherever the order of evaluation is that of the
 * text. */
#include "reader/natives.h"

#include "model/flat.h"

#define N_STATE 33u

struct DaeImpure {
  DaeTerm state[N_STATE]; /* at the start */
  bool is_set;
  uint32_t first;       /* variable of the model + 1: the state at last; 0: nothing is drawn */
  uint32_t pos;         /* of the first call */
  DaeTerm now[N_STATE]; /* behind the last place so far */
  uint32_t n_places;
};

static struct DaeImpure *
impure_of(DaeReader *reader)
{
  if (reader->impure == NULL) {
    reader->impure = dae_arena_alloc(reader->arena, sizeof *reader->impure);
    *reader->impure = (struct DaeImpure){.is_set = false};
  }
  return reader->impure;
}

/* setInternalState(rngState, n, id) */
static bool
set_state(DaeForeign *call)
{
  struct DaeImpure *impure = impure_of(call->reader);
  const DaeValue *state = &call->arguments[0];
  if (state->count < N_STATE || state->opaque || call->reader->is_structural) {
    return true;
  }
  for (uint32_t k = 0; k < N_STATE; k++) {
    impure->state[k] = dae_value_element(state, k);
  }
  impure->is_set = true;
  return true;
}

static DaeTerm
add_variable(DaeReader *reader, uint32_t place, uint32_t k, uint32_t pos)
{
  g_autofree char *name = place == 0 ? g_strdup_printf("'$random%u'", k + 1)
                                     : g_strdup_printf("'$random%u.%u'", place, k);
  DaeSymbol symbol = 0;
  while (dae_terms_find_symbol(reader->terms, name, &symbol)) {
    char *longer = g_strconcat("'$", name + 2, NULL);
    g_free(name);
    name = longer;
  }
  symbol = dae_terms_add_symbol(reader->terms, DAE_SYMBOL_VARIABLE, name);
  DaeVariable variable = {.symbol = symbol,
                          .type = DAE_TYPE_INTEGER,
                          .fixed = true,
                          .is_protected = true,
                          .is_auxiliary = true,
                          .is_discrete = true,
                          .span = dae_source_span(reader->source, pos)};
  dae_flat_add_variable(reader->result, &variable);
  return dae_term_variable(reader->terms, symbol, 0);
}

/* Where this place is active. In a when-equation a counter tells it: only there is it known whether
 * the branch is taken. DAE_NO_TERM: reported. */
static DaeTerm
drawn_here(DaeReader *reader, uint32_t place, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  DaeTerm path = dae_when_statement_path(reader);
  if (reader->equations == reader->result->initial_equations) {
    return dae_term_and(terms, dae_operator_initial(reader, pos), path);
  }
  if (dae_when_is_statement(reader)) {
    return path;
  }
  DaeTerm count = add_variable(reader, place, 0, pos);
  DaeValue now = dae_value_scalar(DAE_VALUE_INTEGER, count);
  DaeTerm before = dae_operator_pre(reader, &now, pos).term;
  DaeTerm more = dae_term_add(terms, before, dae_term_int(terms, 1));
  DaeEquation equation = {.lhs = count,
                          .rhs = dae_term_if(terms, path, more, before),
                          .span = dae_source_span(reader->source, pos),
                          .is_discrete = true};
  if (!dae_when_check_equation(reader, count, pos)) {
    return DAE_NO_TERM;
  }
  g_array_append_val(reader->equations, equation);
  return dae_term_relation(terms, DAE_REL_NE, count, before);
}

static void
begin_draws(DaeReader *reader, struct DaeImpure *impure, uint32_t pos)
{
  impure->first = reader->result->variables->len + 1;
  impure->pos = pos;
  for (uint32_t k = 0; k < N_STATE; k++) {
    DaeValue last = dae_value_scalar(DAE_VALUE_INTEGER, add_variable(reader, 0, k, pos));
    impure->now[k] = dae_operator_pre(reader, &last, pos).term;
  }
}

static void
add_equation(DaeReader *reader, DaeTerm variable, DaeTerm value, uint32_t pos)
{
  DaeEquation equation = {.lhs = variable,
                          .rhs = value,
                          .span = dae_source_span(reader->source, pos),
                          .is_discrete = true};
  if (reader->hoisted_equations == NULL) {
    reader->hoisted_equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  }
  g_array_append_val(reader->hoisted_equations, equation);
}

/* y = impureRandom(id) */
static bool
draw(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  struct DaeImpure *impure = impure_of(reader);
  if (reader->is_structural) {
    return dae_foreign_fail(call, "it is drawn at run time only");
  }
  bool is_event =
      reader->when_depth > 0 || reader->equations == reader->result->initial_equations;
  if (!is_event || reader->n_traces > 0) {
    dae_source_unsupported(reader->source, call->pos,
                           "impureRandom() outside of when-clauses and initial sections, or in "
                           "a loop that runs at run time");
    return false;
  }
  if (impure->first == 0) {
    begin_draws(reader, impure, call->pos);
  }
  uint32_t place = ++impure->n_places;
  DaeTerm drawn = drawn_here(reader, place, call->pos);
  if (drawn == DAE_NO_TERM) {
    return false;
  }
  DaeTerm next[N_STATE];
  DaeTerm value = dae_random_next(reader->terms, 16, impure->now, next);
  for (uint32_t k = 0; k < N_STATE; k++) {
    DaeTerm behind = add_variable(reader, place, k + 1, call->pos);
    add_equation(reader, behind, dae_term_if(reader->terms, drawn, next[k], impure->now[k]),
                 call->pos);
    impure->now[k] = behind;
  }
  return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_REAL, value));
}

void
dae_impure_close(DaeReader *reader)
{
  struct DaeImpure *impure = reader->impure;
  for (uint32_t k = 0; impure != NULL && impure->first != 0 && k < N_STATE; k++) {
    const DaeVariable *last = dae_model_variable(reader->result, impure->first - 1 + k);
    add_equation(reader, dae_term_variable(reader->terms, last->symbol, 0), impure->now[k],
                 impure->pos);
  }
}

void
dae_impure_finish(DaeReader *reader)
{
  struct DaeImpure *impure = reader->impure;
  if (impure == NULL || impure->first == 0) {
    return;
  }
  if (!impure->is_set) {
    dae_source_error(
        reader->source, impure->pos,
        "impureRandom() is drawn from, but initializeImpureRandom() is not called");
    return;
  }
  for (uint32_t k = 0; k < N_STATE; k++) {
    g_array_index(reader->result->variables, DaeVariable, impure->first - 1 + k).start =
        impure->state[k];
  }
}

const DaeForeignEntry dae_foreign_impure[] = {
    {"ModelicaRandom_setInternalState_xorshift1024star", 3, set_state},
    {"ModelicaRandom_impureRandom_xorshift1024star", 1, draw},
    {NULL, 0, NULL},
};
