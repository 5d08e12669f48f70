/* Variables of type Boolean, Integer and enumeration, and those declared discrete.
 *
 * To the rest of daetool a variable is a real unknown. An Integer or enumeration variable is
 * one whose equation gives whole numbers (`n = integer(y)`). A Boolean one is 0 or 1: `b = x >
 * 0` becomes `b = if x > 0 then 1 else 0`, and where b stands as a condition it is `b > 0.5`.
 * Without events there is no pre(), so `fixed = true` says nothing about them. */
#include "reader/reader-priv.h"

bool
dae_discrete_is_variable(const DaeReader *reader, const DaeEntity *entity)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  return entity->kind == DAE_ENTITY_VARIABLE &&
         (entity->type != DAE_VALUE_REAL || (declaration->flags & DAE_FLAG_DISCRETE) != 0);
}

DaeTerm
dae_discrete_condition(DaeTerms *terms, DaeTerm variable)
{
  return dae_term_relation(terms, DAE_REL_GT, variable, dae_term_ratio(terms, 1, 2));
}

/* b > 0.5 with a variable b: is it the condition of a Boolean variable? Real b > 0.5 looks the
 * same; then the answer is harmless only if b is Boolean, so ask the declared type. */
static bool
is_condition_of_variable(const DaeReader *reader, DaeTerm condition, DaeTerm *variable)
{
  DaeTerms *terms = reader->terms;
  uint32_t n = 0;
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION) {
    return false;
  }
  const DaeTerm *operands = dae_term_operands(terms, condition, &n);
  for (uint32_t i = 0; i < n; i++) {
    DaeKind kind = dae_term_kind(terms, operands[i]);
    if (((kind == DAE_KIND_VARIABLE && dae_term_order(terms, operands[i]) == 0) ||
         kind == DAE_KIND_PARAMETER) &&
        g_hash_table_contains(reader->boolean_symbols,
                              GUINT_TO_POINTER(dae_term_get_symbol(terms, operands[i]))) &&
        dae_discrete_condition(terms, operands[i]) == condition) {
      *variable = operands[i];
      return true;
    }
  }
  return false;
}

DaeTerm
dae_discrete_number(const DaeReader *reader, DaeTerm condition)
{
  DaeTerms *terms = reader->terms;
  DaeTerm variable = DAE_NO_TERM;
  if (condition == DAE_NO_TERM || is_condition_of_variable(reader, condition, &variable)) {
    return variable;
  }
  if (dae_term_kind(terms, condition) == DAE_KIND_BOOLEAN) {
    return dae_term_int(terms, dae_term_get_bool(terms, condition) ? 1 : 0);
  }
  return dae_term_if(terms, condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
}

DaeTerm
dae_discrete_unknown(const DaeReader *reader, DaeValueType type, DaeTerm value)
{
  return type == DAE_VALUE_BOOLEAN ? dae_discrete_number(reader, value) : value;
}
