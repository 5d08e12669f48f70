/* function g = der(f, x, y): the partial derivative of the results of f with respect to inputs
 * [MLS 12.7.2]. f is executed on formals, its results are differentiated there, and the arguments
 * are put in place of the formals. */
#include "reader/calls.h"

/* The formal of the input; DAE_NO_TERM: it is no scalar Real among the arguments. */
static DaeTerm
formal_of(const DaeReader *reader, uint32_t class, const DaeValue *const *formal, uint32_t name)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_syntax_declaration(reader->syntax, members[i])->name == name && formal[i] != NULL &&
        formal[i]->n_dims == 0 && formal[i]->type == DAE_VALUE_REAL) {
      return formal[i]->term;
    }
  }
  return DAE_NO_TERM;
}

/* One result; poison: it is not Real, or has no derivative. */
static DaeValue
differentiate(DaeReader *reader, const DaeValue *result, DaeTerm by)
{
  uint32_t n = dae_arguments_count(result);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = result->type == DAE_VALUE_REAL
                  ? dae_term_partial(reader->terms, dae_value_scalar_at(result, k), by)
                  : DAE_NO_TERM;
    if (data[k] == DAE_NO_TERM) {
      return dae_value_poison();
    }
  }
  return dae_arguments_with(reader, result, data);
}

static DaeValue
replace(DaeReader *reader, const DaeValue *result, DaeSubst *subst)
{
  uint32_t n = dae_arguments_count(result);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_subst_apply(subst, dae_value_scalar_at(result, k));
    if (data[k] == DAE_NO_TERM) {
      return dae_value_poison();
    }
  }
  return dae_arguments_with(reader, result, data);
}

/* Arguments that are Integer, Boolean and the like decide sizes and branches: they stay. */
static DaeTerm *
choose_constants(const GArray *scalars, const GArray *types)
{
  DaeTerm *constants = g_new0(DaeTerm, scalars->len + 1);
  for (uint32_t k = 0; k < scalars->len; k++) {
    bool is_real = g_array_index(types, uint8_t, k) == DAE_VALUE_REAL;
    constants[k] = is_real ? DAE_NO_TERM : g_array_index(scalars, DaeTerm, k);
  }
  return constants;
}

static DaeValue
on_formals(DaeReader *reader, const DaeClass *partial, uint32_t class,
           const DaeValue *const *given, uint32_t n, uint32_t pos)
{
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autofree DaeTerm *constants = choose_constants(scalars, types);
  const DaeValue **formal = dae_formal_arguments(reader, constants, given, n, inputs);
  DaeValue result = dae_call_run(reader, class, formal, pos);
  for (uint32_t i = 0; i < partial->n_derivatives && result.type != DAE_VALUE_POISON; i++) {
    uint32_t name =
        g_array_index(reader->syntax->literals, uint32_t, partial->first_derivative + i);
    DaeTerm by = formal_of(reader, class, formal, name);
    DaeValue derived = by != DAE_NO_TERM && result.n_outputs <= 1
                           ? differentiate(reader, &result, by)
                           : dae_value_poison();
    if (derived.type == DAE_VALUE_POISON) {
      dae_source_error(reader->source, pos,
                       "the derivative by '%s' does not exist: it is no scalar Real input, or "
                       "there is not one Real result",
                       dae_names_text(reader->names, name));
    }
    result = derived;
  }
  if (result.type == DAE_VALUE_POISON) {
    return result;
  }
  g_autoptr(DaeSubst) subst = dae_subst_new(reader->terms);
  for (uint32_t k = 0, at = 0; k < scalars->len; k++) {
    if (constants[k] == DAE_NO_TERM) {
      dae_subst_set(subst, g_array_index(inputs, DaeTerm, at++),
                    g_array_index(scalars, DaeTerm, k));
    }
  }
  return replace(reader, &result, subst);
}

/* Numbers that are given for Real inputs are Real. */
static void
convert_numbers(DaeReader *reader, uint32_t class, const DaeValue **given)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration d = *dae_syntax_declaration(reader->syntax, members[i]);
    DaeEntity type = {.kind = DAE_ENTITY_VARIABLE};
    if (given[i] != NULL && given[i]->type == DAE_VALUE_INTEGER &&
        dae_scope_resolve_type(reader, d.type, d.type_pos, &type) &&
        type.type == DAE_VALUE_REAL) {
      DaeValue *real = dae_arena_alloc(reader->scratch, sizeof *real);
      *real = *given[i];
      real->type = DAE_VALUE_REAL;
      given[i] = real;
    }
  }
}

DaeValue
dae_call_partial(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
                 uint32_t pos)
{
  const DaeClass partial = *dae_syntax_class(reader->syntax, class);
  uint32_t of = dae_call_find(reader, partial.derivative);
  uint32_t n_members = 0;
  if (of == 0) {
    dae_source_error(reader->source, pos, "unknown function '%s'",
                     dae_names_text(reader->names, partial.derivative));
    return dae_value_poison();
  }
  dae_call_members(reader, of, &n_members);
  const DaeValue **given = dae_arena_alloc(reader->scratch, MAX(n_members, 1u) * sizeof *given);
  if (!dae_call_place_arguments(reader, of, arguments, n, given, pos)) {
    return dae_value_poison();
  }
  convert_numbers(reader, of, given);
  DaeTraceMark mark;
  dae_trace_begin(reader, &mark);
  DaeValue result = on_formals(reader, &partial, of, given, n_members, pos);
  dae_trace_end(reader, &mark);
  return result;
}
