/* impureRandom(): the hidden state of the generator as discrete variables of the model, which its
 * call in a when-clause moves on. initializeImpureRandom() gives them their start values; it may
 * be read after the call. With one place of drawing the numbers are those of the Modelica
 * Standard Library; a second place would need the order in which the two are evaluated. */
#include "reader/natives.h"

#include "model/flat.h"

#define N_STATE 33u

struct DaeImpure {
  DaeTerm state[N_STATE]; /* at the start */
  bool is_set;
  uint32_t first; /* variable of the model + 1; 0: nothing is drawn */
  uint32_t pos;   /* of the call */
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
add_variable(DaeReader *reader, uint32_t k, uint32_t pos)
{
  g_autofree char *name = g_strdup_printf("'$random%u'", k + 1);
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

/* y = impureRandom(id) */
static bool
draw(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  struct DaeImpure *impure = impure_of(reader);
  if (reader->is_structural) {
    return dae_foreign_fail(call, "it is drawn at run time only");
  }
  if (reader->when_depth == 0 || reader->n_traces > 0 || impure->first != 0) {
    dae_source_unsupported(reader->source, call->pos,
                           "impureRandom() outside of when-equations, or in two places");
    return false;
  }
  impure->first = reader->result->variables->len + 1;
  impure->pos = call->pos;
  uint32_t n = N_STATE;
  DaeTerm *now = dae_value_new_data(reader, N_STATE);
  for (uint32_t k = 0; k < N_STATE; k++) {
    now[k] = add_variable(reader, k, call->pos);
  }
  DaeValue state = dae_value_array(reader, DAE_VALUE_INTEGER, 1, &n, now, n);
  DaeValue before = dae_operator_pre(reader, &state, call->pos);
  DaeTerm *next = dae_value_new_data(reader, N_STATE);
  DaeTerm drawn = dae_random_next(reader->terms, 16, before.data, next);
  for (uint32_t k = 0; k < N_STATE; k++) {
    DaeEquation equation = {.lhs = now[k],
                            .rhs = next[k],
                            .span = dae_source_span(reader->source, call->pos),
                            .is_discrete = true};
    g_array_append_val(reader->equations, equation);
  }
  return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_REAL, drawn));
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
