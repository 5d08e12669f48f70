/* What the type and the variability of a value have to be [MLS, sections 3.8, 8.3.1, 10.4.3]:
 * mistakes that leave terms which could be computed with. */
#include "reader/calls.h"

#include <string.h>

bool
dae_reader_is_printed(const DaeReader *reader)
{
  uint32_t n = reader->scopes->len;
  if (g_hash_table_size(reader->printed) > 0) {
    return true;
  }
  return n > 0 &&
         dae_call_annotation(reader, g_array_index(reader->scopes, DaeScope, n - 1).class,
                             "__daetool") != NULL;
}

/* ---- values of constants and parameters ------------------------------------------------------ */

static bool
is_routine(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_ROUTINE;
}

/* Functions of the user, of which some have values at run time only. */
static bool
has_routine(const DaeReader *reader, DaeTerm t)
{
  g_autoptr(GArray) routines = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(reader->terms, t, is_routine, NULL, routines);
  return routines->len > 0;
}

bool
dae_rule_has_value(DaeReader *reader, DaeEntity *entity, uint32_t i, uint32_t pos)
{
  double number = 0;
  DaeTerm t = entity->closed[i];
  if (entity->type != DAE_VALUE_REAL || entity->kind != DAE_ENTITY_CONSTANT ||
      dae_term_is_number(reader->terms, t) ||
      dae_term_eval_double(reader->terms, t, NULL, NULL, &number) != DAE_EVAL_DOMAIN ||
      has_routine(reader, t)) {
    return true;
  }
  dae_source_error(reader->source, pos,
                   "the value of constant '%s' is no real number: an argument is outside the "
                   "domain of its function",
                   dae_names_text(reader->names, entity->name));
  entity->is_broken = true;
  return false;
}

/* Sizes are constants whatever the array is. */
static bool
asks_for_sizes(const DaeReader *reader, const DaeInstruction *instruction)
{
  const char *name =
      instruction->op == DAE_OP_CALL ? dae_names_text(reader->names, instruction->arg) : "";
  return strcmp(name, "size") == 0 || strcmp(name, "ndims") == 0;
}

/* A constant is known for good: its value depends on constants [MLS, section 3.8.1], and it
 * is fixed [MLS, section 8.6]. */
static void
check_constant(DaeReader *reader, DaeEntity *entity, uint32_t code)
{
  const DaeModification *fixed = dae_scope_attribute(reader, entity, "fixed");
  const char *name = dae_names_text(reader->names, entity->name);
  if (fixed != NULL && dae_syntax_code(reader->syntax, fixed->code)->op == DAE_OP_BOOLEAN &&
      dae_syntax_code(reader->syntax, fixed->code)->arg == 0) {
    dae_source_error(reader->source, fixed->pos, "constant '%s' has 'fixed = false'", name);
    entity->is_broken = true;
    return;
  }
  const DaeEntity *parameter = NULL;
  for (uint32_t pc = code; dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t used = dae_structure_used_entity(reader, pc);
    const DaeEntity *other = used != 0 ? dae_reader_entity(reader, used) : NULL;
    parameter = other != NULL && other->kind == DAE_ENTITY_PARAMETER ? other : parameter;
    if (asks_for_sizes(reader, dae_syntax_code(reader->syntax, pc))) {
      return;
    }
  }
  if (parameter != NULL) {
    dae_source_error(reader->source, dae_syntax_begin_of(reader->syntax, code),
                     "constant '%s' depends on the parameter '%s'", name,
                     dae_names_text(reader->names, parameter->name));
    entity->is_broken = true;
  }
}

/* enumeration(:) is to be replaced by one that has literals. */
static bool
is_unspecified(const DaeReader *reader, const DaeEntity *entity)
{
  return entity->type == DAE_VALUE_ENUMERATION &&
         entity->enumeration < reader->syntax->types->len &&
         dae_syntax_type(reader->syntax, entity->enumeration)->is_open;
}

bool
dae_rule_declaration(DaeReader *reader, DaeEntity *entity, uint32_t code)
{
  if (is_unspecified(reader, entity)) {
    dae_source_error(reader->source,
                     dae_syntax_declaration(reader->syntax, entity->declaration)->pos,
                     "'%s' is of an enumeration(:), which has no values",
                     dae_names_text(reader->names, entity->name));
    entity->is_broken = true;
  } else if (entity->kind == DAE_ENTITY_CONSTANT && !entity->is_implicit_constant &&
             code != 0 && entity->override == 0) {
    check_constant(reader, entity, code);
  }
  return !entity->is_broken;
}

/* ---- ranges and results ---------------------------------------------------------------------- */

/* Numbers, or without a step two Booleans or two values of one enumeration. */
static bool
are_of_one_type(const DaeValue *parts, uint32_t n)
{
  bool are_numbers = true;
  for (uint32_t i = 0; i < n; i++) {
    are_numbers = are_numbers && dae_value_is_numeric(&parts[i]);
  }
  return are_numbers || (n == 2 && parts[0].type == parts[1].type &&
                         parts[0].enumeration == parts[1].enumeration);
}

bool
dae_rule_range(DaeReader *reader, const DaeValue *parts, uint32_t n, uint32_t pos)
{
  if (are_of_one_type(parts, n)) {
    return true;
  }
  dae_source_error(reader->source, pos,
                   n == 3
                       ? "a range of other values than numbers has no step, and its ends are "
                         "of one type"
                       : "the ends of this range are of different types");
  return false;
}

bool
dae_rule_result(DaeReader *reader, const DaeValue *variable, const DaeValue *result, uint32_t i,
                uint32_t pos)
{
  if (variable->type != DAE_VALUE_INTEGER || result->type != DAE_VALUE_REAL) {
    return true;
  }
  dae_source_error(reader->source, pos, "result %u is Real, its variable is Integer", i + 1);
  return false;
}
