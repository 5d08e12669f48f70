/* DaeModel: the container, and values of parameters. */
#include "model/flat.h"

#include <math.h>
#include <string.h>

DaeModel *
dae_flat_new(const char *name, const char *file)
{
  DaeModel *model = g_new0(DaeModel, 1);
  model->strings = g_string_chunk_new(4096);
  model->name = dae_flat_string(model, name);
  model->file = dae_flat_string(model, file);
  model->variables = g_array_new(FALSE, TRUE, sizeof(DaeVariable));
  model->parameters = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  model->equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  model->initial_equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  model->assertions = g_array_new(FALSE, TRUE, sizeof(DaeAssertion));
  model->event_atoms = g_array_new(FALSE, TRUE, sizeof(DaeEventAtom));
  model->profiles = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  model->whens = g_array_new(FALSE, TRUE, sizeof(DaeWhen));
  model->clocks = g_array_new(FALSE, TRUE, sizeof(DaeClockDefinition));
  model->clock_equations = g_array_new(FALSE, TRUE, sizeof(DaeClockEquation));
  model->clocked_atoms = g_array_new(FALSE, TRUE, sizeof(DaeClockedAtom));
  model->clocked_whens = g_array_new(FALSE, TRUE, sizeof(DaeClockedWhen));
  model->claims = g_array_new(FALSE, TRUE, sizeof(DaeClaim));
  model->claim_atoms = g_array_new(FALSE, FALSE, sizeof(DaeClaimAtom));
  model->index_of_symbol = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  model->closed = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  model->inputs = g_array_new(FALSE, TRUE, sizeof(DaeInput));
  model->instances = g_array_new(FALSE, TRUE, sizeof(DaeModelInstance));
  model->faces = g_array_new(FALSE, TRUE, sizeof(DaeModelFace));
  model->experiment = (DaeExperiment){NAN, NAN, NAN, NAN};
  return model;
}

const char *
dae_flat_string(DaeModel *model, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const(model->strings, text) : NULL;
}

static void
free_whens(GArray *whens)
{
  for (uint32_t i = 0; i < whens->len; i++) {
    const DaeWhen *when = &g_array_index(whens, DaeWhen, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      g_free((void *)when->branches[b].conditions);
      g_free((void *)when->branches[b].actions);
    }
    g_free((void *)when->branches);
  }
  g_array_free(whens, TRUE);
}

void
dae_model_free(DaeModel *model)
{
  if (model == NULL) {
    return;
  }
  free_whens(model->whens);
  GArray *all[] = {model->variables,       model->parameters,
                   model->equations,       model->initial_equations,
                   model->assertions,      model->index_of_symbol,
                   model->closed,          model->inputs,
                   model->event_atoms,     model->instances,
                   model->faces,           model->clocks,
                   model->clock_equations, model->clocked_atoms,
                   model->clocked_whens,   model->claims,
                   model->claim_atoms,     model->profiles};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  g_free(model->written);
  g_string_chunk_free(model->strings);
  g_free(model);
}

static void
index_symbol(DaeModel *model, DaeSymbol symbol, uint32_t value)
{
  if (symbol >= model->index_of_symbol->len) {
    g_array_set_size(model->index_of_symbol, symbol + 1);
  }
  g_array_index(model->index_of_symbol, uint32_t, symbol) = value;
}

void
dae_flat_finish(DaeModel *model)
{
  for (uint32_t j = 0; j < model->variables->len; j++) {
    index_symbol(model, g_array_index(model->variables, DaeVariable, j).symbol, 2 * j + 1);
  }
  for (uint32_t k = 0; k < model->parameters->len; k++) {
    index_symbol(model, g_array_index(model->parameters, DaeParameter, k).symbol, 2 * k + 2);
  }
  g_array_set_size(model->closed, model->parameters->len);
}

void
dae_flat_add_variable(DaeModel *model, const DaeVariable *variable)
{
  g_array_append_val(model->variables, *variable);
  index_symbol(model, variable->symbol, 2 * model->variables->len - 1);
}

const char *
dae_model_name(const DaeModel *model)
{
  return model->name;
}

const char *
dae_model_file(const DaeModel *model)
{
  return model->file;
}

const char *
dae_model_file_of(const DaeModel *model, DaeSpan span)
{
  return span.file != 0 ? g_quark_to_string(span.file) : model->file;
}

const char *
dae_model_description(const DaeModel *model)
{
  return model->description;
}

uint32_t
dae_model_n_variables(const DaeModel *model)
{
  return model->variables->len;
}

const DaeVariable *
dae_model_variable(const DaeModel *model, uint32_t j)
{
  DAE_ASSERT(j < model->variables->len);
  return &g_array_index(model->variables, DaeVariable, j);
}

bool
dae_model_find_variable(const DaeModel *model, DaeSymbol symbol, uint32_t *j)
{
  uint32_t value = symbol < model->index_of_symbol->len
                       ? g_array_index(model->index_of_symbol, uint32_t, symbol)
                       : 0;
  *j = (value - 1) / 2;
  return value % 2 == 1;
}

uint32_t
dae_model_n_parameters(const DaeModel *model)
{
  return model->parameters->len;
}

const DaeParameter *
dae_model_parameter(const DaeModel *model, uint32_t k)
{
  DAE_ASSERT(k < model->parameters->len);
  return &g_array_index(model->parameters, DaeParameter, k);
}

bool
dae_model_find_parameter(const DaeModel *model, DaeSymbol symbol, uint32_t *k)
{
  uint32_t value = symbol < model->index_of_symbol->len
                       ? g_array_index(model->index_of_symbol, uint32_t, symbol)
                       : 0;
  *k = (value - 2) / 2;
  return value != 0 && value % 2 == 0;
}

uint32_t
dae_model_n_equations(const DaeModel *model)
{
  return model->equations->len;
}

const DaeEquation *
dae_model_equation(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->equations->len);
  return &g_array_index(model->equations, DaeEquation, i);
}

uint32_t
dae_model_n_initial_equations(const DaeModel *model)
{
  return model->initial_equations->len;
}

const DaeEquation *
dae_model_initial_equation(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->initial_equations->len);
  return &g_array_index(model->initial_equations, DaeEquation, i);
}

const DaeEquation *
dae_model_written_equation(const DaeModel *model, uint32_t *i)
{
  while (model->written != NULL) {
    DAE_ASSERT(*i < model->equations->len);
    *i = model->written[*i];
    model = model->like;
  }
  return dae_model_equation(model, *i);
}

const DaeEquation *
dae_model_written_initial_equation(const DaeModel *model, uint32_t i)
{
  while (model->written != NULL && !model->has_own_initial) {
    model = model->like;
  }
  return dae_model_initial_equation(model, i);
}

uint32_t
dae_model_n_assertions(const DaeModel *model)
{
  return model->assertions->len;
}

const DaeAssertion *
dae_model_assertion(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->assertions->len);
  return &g_array_index(model->assertions, DaeAssertion, i);
}

uint32_t
dae_model_n_event_atoms(const DaeModel *model)
{
  return model->event_atoms->len;
}

const DaeTerm *
dae_model_profile(const DaeModel *model, const DaeEventAtom *atom)
{
  DAE_ASSERT(atom->profile + 2 * atom->n_points <= model->profiles->len);
  return &g_array_index(model->profiles, DaeTerm, atom->profile);
}

const DaeEventAtom *
dae_model_event_atom(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->event_atoms->len);
  return &g_array_index(model->event_atoms, DaeEventAtom, i);
}

uint32_t
dae_model_n_whens(const DaeModel *model)
{
  return model->whens->len;
}

const DaeWhen *
dae_model_when(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->whens->len);
  return &g_array_index(model->whens, DaeWhen, i);
}

const DaeExperiment *
dae_model_experiment(const DaeModel *model)
{
  return &model->experiment;
}

/* ---- values of parameters ---------------------------------------------------------------- */

/* All parameters in the value of k are closed: closes k too. */
static DaeTerm
close_one(const DaeModel *model, DaeTerms *terms, uint32_t k, GArray *used)
{
  DaeTerm value = dae_model_parameter(model, k)->value;
  if (used->len > 0) {
    g_autoptr(DaeSubst) subst = dae_subst_new(terms);
    for (uint32_t i = 0; i < used->len; i++) {
      DaeTerm from = g_array_index(used, DaeTerm, i);
      uint32_t other = 0;
      if (!dae_model_find_parameter(model, dae_term_get_symbol(terms, from), &other)) {
        return DAE_NO_TERM;
      }
      if (dae_model_parameter(model, other)->is_free) {
        continue; /* the initialization finds it: what depends on it stays an expression */
      }
      if (g_array_index(model->closed, DaeTerm, other) == DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      dae_subst_set(subst, from, g_array_index(model->closed, DaeTerm, other));
    }
    value = dae_subst_apply(subst, value);
  }
  return value == DAE_NO_TERM ? DAE_NO_TERM : dae_terms_rewrite(terms, value);
}

/* The first parameter in used that still has to be closed; false: none. */
static bool
find_open(const DaeModel *model, DaeTerms *terms, const GArray *used, uint32_t *other)
{
  for (uint32_t i = 0; i < used->len; i++) {
    DaeSymbol symbol = dae_term_get_symbol(terms, g_array_index(used, DaeTerm, i));
    if (dae_model_find_parameter(model, symbol, other) &&
        g_array_index(model->closed, DaeTerm, *other) == DAE_NO_TERM &&
        dae_model_parameter(model, *other)->value != DAE_NO_TERM &&
        !dae_model_parameter(model, *other)->is_free) {
      return true;
    }
  }
  return false;
}

DaeTerm
dae_model_parameter_value(const DaeModel *model, DaeTerms *terms, uint32_t k)
{
  const DaeParameter *parameter = dae_model_parameter(model, k);
  if (parameter->value == DAE_NO_TERM || parameter->is_free) {
    return DAE_NO_TERM;
  }
  DaeTerm *closed = &g_array_index(model->closed, DaeTerm, 0);
  if (closed[k] != DAE_NO_TERM) {
    return closed[k];
  }
  /* Depth first with a stack of parameters; a cycle cannot be longer than there are parameters. */
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(stack, k);
  while (stack->len > 0 && stack->len <= model->parameters->len) {
    uint32_t top = g_array_index(stack, uint32_t, stack->len - 1);
    uint32_t other = 0;
    g_array_set_size(used, 0);
    dae_term_collect_parameters(terms, dae_model_parameter(model, top)->value, used);
    if (find_open(model, terms, used, &other)) {
      g_array_append_val(stack, other);
      continue;
    }
    closed[top] = close_one(model, terms, top, used);
    if (closed[top] == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
    g_array_set_size(stack, stack->len - 1);
  }
  return closed[k];
}

uint32_t
dae_model_n_inputs(const DaeModel *model)
{
  return model->inputs->len;
}

const DaeInput *
dae_model_input(const DaeModel *model, uint32_t i)
{
  DAE_ASSERT(i < model->inputs->len);
  return &g_array_index(model->inputs, DaeInput, i);
}

bool
dae_model_has_input(const DaeModel *model, const char *name)
{
  for (uint32_t i = 0; i < model->inputs->len; i++) {
    if (strcmp(g_array_index(model->inputs, DaeInput, i).name, name) == 0) {
      return true;
    }
  }
  return false;
}

DaeSubst *
dae_model_parameter_subst(const DaeModel *model, DaeTerms *terms)
{
  DaeSubst *subst = dae_subst_new(terms);
  for (uint32_t k = 0; k < model->parameters->len; k++) {
    DaeTerm value = dae_model_parameter_value(model, terms, k);
    if (value != DAE_NO_TERM) {
      DaeSymbol symbol = dae_model_parameter(model, k)->symbol;
      dae_subst_set(subst, dae_term_parameter(terms, symbol), value);
    }
  }
  return subst;
}

/* ---- making models by program ------------------------------------------------------------ */

static void
copy_variables(DaeModel *model, const DaeModelParts *parts)
{
  for (uint32_t j = 0; j < parts->n_variables; j++) {
    DaeVariable variable = parts->variables[j];
    variable.unit = dae_flat_string(model, variable.unit);
    variable.display_unit = dae_flat_string(model, variable.display_unit);
    variable.quantity = dae_flat_string(model, variable.quantity);
    variable.description = dae_flat_string(model, variable.description);
    g_array_append_val(model->variables, variable);
  }
  for (uint32_t k = 0; k < parts->n_parameters; k++) {
    DaeParameter parameter = parts->parameters[k];
    parameter.unit = dae_flat_string(model, parameter.unit);
    parameter.description = dae_flat_string(model, parameter.description);
    parameter.string_value = dae_flat_string(model, parameter.string_value);
    g_array_append_val(model->parameters, parameter);
  }
}

static void
copy_assertions(DaeModel *model, const DaeModelParts *parts)
{
  bool is_given = parts->assertions != NULL;
  uint32_t n = is_given              ? parts->n_assertions
               : parts->like != NULL ? parts->like->assertions->len
                                     : 0;
  for (uint32_t i = 0; i < n; i++) {
    DaeAssertion assertion =
        is_given ? parts->assertions[i] : *dae_model_assertion(parts->like, i);
    assertion.message = dae_flat_string(model, assertion.message);
    g_array_append_val(model->assertions, assertion);
  }
}

DaeModelParts
dae_model_parts(const DaeModel *like, const GArray *variables, const GArray *parameters,
                const GArray *equations, const GArray *initial_equations)
{
  return (DaeModelParts){.name = dae_model_name(like),
                         .variables = (const DaeVariable *)(void *)variables->data,
                         .n_variables = variables->len,
                         .parameters = (const DaeParameter *)(void *)parameters->data,
                         .n_parameters = parameters->len,
                         .equations = (const DaeEquation *)(void *)equations->data,
                         .n_equations = equations->len,
                         .initial_equations =
                             (const DaeEquation *)(void *)initial_equations->data,
                         .n_initial_equations = initial_equations->len,
                         .like = like};
}

DaeModel *
dae_model_new(const DaeModelParts *parts)
{
  const DaeModel *like = parts->like;
  DaeModel *model = dae_flat_new(parts->name, like != NULL ? like->file : NULL);
  copy_variables(model, parts);
  g_array_append_vals(model->equations, parts->equations, parts->n_equations);
  g_array_append_vals(model->initial_equations, parts->initial_equations,
                      parts->n_initial_equations);
  if (like != NULL) {
    model->description = dae_flat_string(model, like->description);
    model->experiment = like->experiment;
    for (uint32_t i = 0; i < like->inputs->len; i++) {
      DaeInput input = g_array_index(like->inputs, DaeInput, i);
      input.name = dae_flat_string(model, input.name);
      input.unit = dae_flat_string(model, input.unit);
      g_array_append_val(model->inputs, input);
    }
  }
  if (parts->written != NULL) {
    model->like = like;
    model->has_own_initial = parts->has_own_initial;
    model->written = g_new0(uint32_t, parts->n_equations + 1);
    memcpy(model->written, parts->written, parts->n_equations * sizeof(uint32_t));
  }
  copy_assertions(model, parts);
  if (parts->takes_events) {
    dae_flat_copy_events(model, like, parts->replaced);
  }
  dae_flat_finish(model);
  return model;
}

uint32_t
dae_model_n_claims(const DaeModel *model)
{
  return model->claims->len;
}

const DaeClaim *
dae_model_claim(const DaeModel *model, uint32_t i, const DaeClaimAtom **atoms)
{
  const DaeClaim *claim = &g_array_index(model->claims, DaeClaim, i);
  *atoms = (const DaeClaimAtom *)(const void *)model->claim_atoms->data + claim->first_atom;
  return claim;
}
