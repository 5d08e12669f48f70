/* Functions that speak of units.
 *
 * A call leaves the term that its statements compute, which has none of the units that the
 * function gives to its results, local variables and constants: to_unit1(r) is r, and a constant
 * is a number. An array of numbers among the arguments is one of coefficients, as of a polynomial,
 * of which each has a unit of its own. An equation with such a call is not judged by its units. */
#include "reader/calls.h"

static bool
has_unit(DaeReader *reader, uint32_t index)
{
  const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, index);
  DaeEntity entity = {.declaration = index};
  if ((declaration->flags & DAE_FLAG_INPUT) != 0) {
    return false;
  }
  if ((declaration->flags & DAE_FLAG_HAS_UNIT) != 0) {
    return true;
  }
  bool is_known =
      dae_scope_resolve_type(reader, declaration->type, declaration->type_pos, &entity);
  return is_known && (entity.type == DAE_VALUE_RECORD || entity.si_unit != NULL ||
                      dae_scope_attribute(reader, &entity, "unit") != NULL);
}

static bool
speaks_of_units(DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (has_unit(reader, members[i])) {
      return true;
    }
  }
  return false;
}

static bool
is_coefficients(const DaeReader *reader, const DaeValue *value)
{
  bool is_array =
      (value->type == DAE_VALUE_REAL || value->type == DAE_VALUE_INTEGER) && value->n_dims > 0;
  for (uint32_t i = 0; is_array && i < value->count; i++) {
    DaeTerm t = dae_value_element(value, i); /* none: the value is known at run time only */
    is_array = t != DAE_NO_TERM && dae_term_is_number(reader->terms, t);
  }
  return is_array;
}

void
dae_call_note_units(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n)
{
  for (uint32_t i = 0; i < n && !reader->has_unit_constants; i++) {
    reader->has_unit_constants = is_coefficients(reader, &arguments[i]);
  }
  if (reader->has_unit_constants) {
    return;
  }
  if (reader->unit_functions == NULL) {
    reader->unit_functions = g_hash_table_new(NULL, NULL);
  }
  gpointer known = NULL;
  if (!g_hash_table_lookup_extended(reader->unit_functions, GUINT_TO_POINTER(class), NULL,
                                    &known)) {
    known = GINT_TO_POINTER(speaks_of_units(reader, class) ? 1 : 0);
    g_hash_table_insert(reader->unit_functions, GUINT_TO_POINTER(class), known);
  }
  reader->has_unit_constants = GPOINTER_TO_INT(known) != 0;
}
