/* Stage 1: sizes of everything, and closed values of constants and parameters,
 * each after what it depends on.
 *
 * The order is found by a depth-first search with an explicit stack over the names in the code
 * of dimensions and values; a cycle is the user's mistake. No symbol is registered before all
 * sizes are known, because the rank of a symbol is its place among the declarations. */
#include "reader/calls.h"
#include "terms/routines.h"

#include <string.h>

enum { STATE_NEW, STATE_OPEN, STATE_DONE };

typedef struct {
  uint32_t entity;
  uint32_t stage; /* 0: dimensions, 1: of the type, 2: value, 3...: of aliases */
  uint32_t pc;    /* 0: the stage has not begun */
} Visit;

static bool
has_value(const DaeEntity *entity)
{
  return entity->kind == DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_CONSTANT;
}

static bool
has_open_dimension(const DaeReader *reader, const DaeDeclaration *declaration)
{
  const uint32_t codes[2] = {declaration->dims_code, declaration->type_dims_code};
  for (int i = 0; i < 2; i++) {
    for (uint32_t pc = codes[i];
         pc != 0 && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
      if (dae_syntax_code(reader->syntax, pc)->op == DAE_OP_COLON) {
        return true;
      }
    }
  }
  return false;
}

/* The code that gives the value: an override, the declaration, or the start
 * value of a parameter without one. */
static uint32_t
value_code(const DaeReader *reader, const DaeEntity *entity)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  if (has_value(entity) && entity->override != 0) {
    return g_array_index(reader->overrides, DaeOverride, entity->override - 1).code;
  }
  if (declaration->binding != 0 || !has_value(entity)) {
    return declaration->binding;
  }
  const DaeModification *start = dae_scope_attribute(reader, entity, "start");
  const DaeModification *fixed = dae_scope_attribute(reader, entity, "fixed");
  return start != NULL && fixed == NULL ? start->code : 0;
}

/* Whether a parameter is fixed decides whether it is one: that comes before it, too. */
static uint32_t
fixed_code(DaeReader *reader, const DaeEntity *entity)
{
  const DaeModification *fixed = entity->kind == DAE_ENTITY_PARAMETER
                                     ? dae_scope_attribute(reader, entity, "fixed")
                                     : NULL;
  return fixed != NULL ? fixed->code : 0;
}

/* Stages before the dimensions of types. */
enum { STAGE_VALUE = 2, STAGE_FIXED, STAGE_TYPES };

/* Code of a stage; 0: none. *is_over: there are no more stages. */
static uint32_t
stage_code(DaeReader *reader, const DaeEntity *entity, uint32_t stage, bool *is_over)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  *is_over = false;
  if (stage == 0) {
    return entity->is_element ? 0 : declaration->dims_code;
  }
  if (stage == 1) {
    return declaration->type_dims_code;
  }
  if (stage == STAGE_FIXED) {
    return fixed_code(reader, entity);
  }
  if (stage == STAGE_VALUE) {
    return has_value(entity) || has_open_dimension(reader, declaration)
               ? value_code(reader, entity)
               : 0;
  }
  uint32_t alias = entity->alias;
  for (uint32_t i = STAGE_TYPES; alias != 0; i++) {
    const DaeTypeDefinition *type =
        &g_array_index(reader->syntax->types, DaeTypeDefinition, alias);
    if (i == stage) {
      return type->dims_code;
    }
    alias = type->base == 0 ? 0
                            : GPOINTER_TO_UINT(g_hash_table_lookup(
                                  reader->types, GUINT_TO_POINTER(type->base)));
  }
  *is_over = true;
  return 0;
}

/* ---- dimensions -------------------------------------------------------------------------- */

/* Dimension n takes such subscripts [MLS 3.6, 10.5]. */
static void
note_index_type(DaeReader *reader, DaeEntity *entity, uint32_t n, uint32_t type)
{
  if (entity->index_types == NULL) {
    entity->index_types = dae_arena_alloc(reader->arena, DAE_MAX_DIMENSIONS * sizeof(uint32_t));
    memset(entity->index_types, 0, DAE_MAX_DIMENSIONS * sizeof(uint32_t));
  }
  entity->index_types[n] = type;
}

/* Appends the sizes that the code gives; -1 for `:`. */
static bool
append_sizes(DaeReader *reader, DaeEntity *entity, uint32_t code, int64_t *sizes, uint32_t *n)
{
  uint32_t base = reader->stack->len;
  uint32_t errors = reader->source->n_errors;
  uint32_t pos = dae_syntax_declaration(reader->syntax, entity->declaration)->pos;
  const char *name = dae_names_text(reader->names, entity->name);
  bool good = dae_reader_run(reader, code);
  bool is_told = !good; /* of what it is computed from */
  for (uint32_t i = base; good && i < reader->stack->len; i++) {
    DaeValue value = g_array_index(reader->stack, DaeValue, i);
    if (*n >= entity->n_outer && !dae_record_common_size(reader, entity, &value, pos)) {
      good = false;
    } else if (value.type == DAE_VALUE_POISON) {
      is_told = true;
      good = false;
    } else if (*n >= DAE_MAX_DIMENSIONS) {
      dae_source_error(reader->source, pos, "'%s' has more than %u dimensions", name,
                       DAE_MAX_DIMENSIONS);
      good = false;
    } else if (value.type == DAE_VALUE_COLON) {
      note_index_type(reader, entity, *n, DAE_INDEX_OPEN);
      sizes[(*n)++] = -1;
    } else if (dae_value_is_index_type(&value)) {
      note_index_type(reader, entity, *n, dae_value_index_type(&value));
      sizes[(*n)++] = value.count;
    } else if (value.opaque || value.n_dims > 0 ||
               !dae_reader_integer(reader, &value, 0, pos, &sizes[*n])) {
      good = false;
    } else if (sizes[*n] < 0 || sizes[*n] > (int64_t)DAE_MAX_ELEMENTS) {
      dae_source_error(reader->source, pos, "'%s' has a dimension of size %" G_GINT64_FORMAT,
                       name, sizes[*n]);
      good = false;
    } else {
      (*n)++;
    }
  }
  is_told = is_told &&
            (reader->source->first_message != NULL || reader->source->option_message != NULL);
  if (!good && !is_told && reader->source->n_errors == errors) {
    dae_source_error(reader->source, pos, "the size of '%s' is not known", name);
  }
  g_array_set_size(reader->stack, base);
  return good;
}

static bool
find_sizes(DaeReader *reader, DaeEntity *entity, int64_t *sizes)
{
  uint32_t n = 0;
  bool is_over = false;
  for (uint32_t stage = 0; !is_over; stage++) {
    bool is_size = stage != STAGE_VALUE && stage != STAGE_FIXED;
    uint32_t code = is_size ? stage_code(reader, entity, stage, &is_over) : 0;
    reader->is_sizing = true;
    const bool ok = code == 0 || append_sizes(reader, entity, code, sizes, &n);
    reader->is_sizing = false;
    if (!ok) {
      return false;
    }
  }
  entity->n_dims = (uint16_t)n;
  return true;
}

static bool
set_dimensions(DaeReader *reader, DaeEntity *entity, const int64_t *sizes,
               const DaeValue *value)
{
  uint32_t pos = dae_syntax_declaration(reader->syntax, entity->declaration)->pos;
  const char *name = dae_names_text(reader->names, entity->name);
  entity->dims = entity->n_dims > 0
                     ? dae_arena_alloc(reader->arena, entity->n_dims * sizeof(uint32_t))
                     : NULL;
  for (uint32_t i = 0; i < entity->n_dims; i++) {
    if (sizes[i] < 0 && (value == NULL || value->n_dims != entity->n_dims)) {
      dae_source_error(reader->source, pos, "the size of '%s' is not known", name);
      return false;
    }
    entity->dims[i] = sizes[i] < 0 ? value->dims[i] : (uint32_t)sizes[i];
  }
  if (!dae_dimensions_count(entity->n_dims, entity->dims, &entity->count)) {
    dae_source_error(reader->source, pos, "'%s' has more than %u elements", name,
                     DAE_MAX_ELEMENTS);
    return false;
  }
  return true;
}

/* ---- values ------------------------------------------------------------------------------ */

/* In a `class` that OpenModelica prints, `Real x[1] = 3` is the only element of x. */
DaeValue
dae_structure_fit(DaeReader *reader, const DaeEntity *entity, const DaeValue *value)
{
  DaeClassKind kind = dae_syntax_class(reader->syntax, reader->model)->kind;
  if (kind != DAE_CLASS_CLASS || value->n_dims > 0 || entity->n_dims == 0 ||
      entity->count != 1 || value->opaque || value->type > DAE_VALUE_ENUMERATION) {
    return *value;
  }
  DaeTerm *data = dae_value_new_data(reader, 1);
  data[0] = value->term;
  return dae_value_like(reader, value, entity->n_dims, entity->dims, data, 1);
}

/* {e for i in 1:0}: an iterator without rounds, of which neither the type nor the size of e is
 * known. */
static bool
is_nothing(const DaeEntity *entity, const DaeValue *value)
{
  return value->n_dims > 0 && value->n_dims < entity->n_dims && value->count == 0 &&
         memcmp(value->dims, entity->dims, value->n_dims * sizeof(uint32_t)) == 0 &&
         value->dims[value->n_dims - 1] == 0;
}

bool
dae_structure_check_value(DaeReader *reader, const DaeEntity *entity, const DaeValue *value,
                          const char *what, uint32_t pos)
{
  if (is_nothing(entity, value)) {
    return true;
  }
  DaeValue wanted = {
      .type = entity->type, .n_dims = (uint8_t)entity->n_dims, .dims = entity->dims};
  bool fits = value->type == entity->type ||
              (entity->type == DAE_VALUE_REAL && value->type == DAE_VALUE_INTEGER);
  const char *name = dae_names_text(reader->names, entity->name);
  const GArray *types = reader->syntax->types;
  if (fits && value->type == DAE_VALUE_ENUMERATION &&
      value->enumeration != entity->enumeration && value->enumeration < types->len &&
      entity->enumeration < types->len) {
    dae_source_error(reader->source, pos,
                     "%s '%s' is of the enumeration '%s', its value of '%s'", what, name,
                     dae_names_text(reader->names,
                                    dae_syntax_type(reader->syntax, entity->enumeration)->name),
                     dae_names_text(reader->names,
                                    dae_syntax_type(reader->syntax, value->enumeration)->name));
    return false;
  }
  if (!fits ||
      (value->type == DAE_VALUE_ENUMERATION && value->enumeration != entity->enumeration &&
       !dae_literal_is_builtin(reader, entity->enumeration, value->enumeration))) {
    dae_source_error(reader->source, pos, "%s '%s' is %s, its value is %s", what, name,
                     dae_value_type_text(&wanted), dae_value_type_text(value));
    return false;
  }
  if (!dae_value_same_size(&wanted, value)) {
    g_autofree char *left = dae_value_size_text(&wanted);
    g_autofree char *right = dae_value_size_text(value);
    dae_source_error(reader->source, pos, "%s '%s' has size %s, its value has size %s", what,
                     name, left, right);
    return false;
  }
  return true;
}

static DaeTerm
close_element(DaeReader *reader, DaeValueType type, DaeTerm t)
{
  if (type == DAE_VALUE_STRING) {
    return t;
  }
  DaeTerm closed = dae_reader_close(reader, t, false);
  if (type == DAE_VALUE_ENUMERATION) {
    return closed != DAE_NO_TERM ? closed : t;
  }
  closed = type == DAE_VALUE_REAL ? dae_reader_shorten(reader, closed) : closed;
  if (closed != DAE_NO_TERM || type == DAE_VALUE_INTEGER || type == DAE_VALUE_BOOLEAN) {
    return closed;
  }
  return dae_terms_rewrite(reader->terms, t);
}

/* Is the parameter an unknown of the initialization? */
static bool
is_free(DaeReader *reader, const DaeEntity *entity)
{
  uint32_t code = fixed_code(reader, entity);
  if (code == 0) {
    return value_code(reader, entity) == 0 && entity->override == 0 &&
           dae_base_is_free(reader, entity);
  }
  DaeValue value = dae_reader_evaluate(reader, code);
  if (value.type != DAE_VALUE_BOOLEAN || value.opaque || value.count == 0) {
    return false; /* reported with the other attributes */
  }
  DaeTerm closed = dae_reader_close(reader, dae_value_element(&value, 0), false);
  return closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN &&
         !dae_term_get_bool(reader->terms, closed);
}

/* A parameter that is free and has a value, too, is what that value says [MLS, 8.6]. */
static void
bind_free_parameter(DaeReader *reader, DaeEntity *entity)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  if (!entity->is_free || declaration->binding == 0) {
    return;
  }
  entity->is_free = false;
  dae_source_warning(reader->source, dae_syntax_begin_of(reader->syntax, declaration->binding),
                     "parameter '%s' has 'fixed = false' and a value; it is the value",
                     dae_names_text(reader->names, entity->name));
}

/* Parameters and constants do not depend on time. */
static bool
depends_on_time(DaeReader *reader, const DaeEntity *entity, DaeTerm t)
{
  return (entity->type == DAE_VALUE_REAL || entity->type == DAE_VALUE_INTEGER ||
          entity->type == DAE_VALUE_BOOLEAN || entity->type == DAE_VALUE_ENUMERATION) &&
         !dae_term_is_number(reader->terms, t) && !dae_term_is_parametric(reader->terms, t);
}

/* An external function that is known by its name only has no value. */
static void
tell_no_value(DaeReader *reader, const DaeEntity *entity, DaeTerm t, const char *what,
              uint32_t pos)
{
  const char *name = dae_names_text(reader->names, entity->name);
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_routines(reader->terms, t, numbers);
  for (guint i = 0; i < numbers->len; i++) {
    uint32_t number = g_array_index(numbers, uint32_t, i);
    if (!dae_terms_routine_has_values(reader->terms, number)) {
      dae_source_error(reader->source, pos,
                       "the value of %s '%s' is that of the external function '%s', which is "
                       "none of those that daetool has",
                       what, name, dae_terms_routine_name(reader->terms, number));
      return;
    }
  }
  dae_source_error(reader->source, pos, "the value of %s '%s' cannot be found exactly", what,
                   name);
}

/* One start value, or those of the last dimensions, are for all elements that it is repeated
 * for: parameter T x[2] with type T = Real[3](start = {1, 2, 3}). */
static DaeValue
repeat_start(DaeReader *reader, const DaeEntity *entity, const DaeValue *value)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  bool is_start = declaration->binding == 0 && entity->override == 0 &&
                  value->type <= DAE_VALUE_ENUMERATION && value->n_dims < entity->n_dims;
  uint32_t first = is_start ? entity->n_dims - value->n_dims : 0;
  for (uint32_t d = 0; is_start && d < value->n_dims; d++) {
    is_start = value->dims[d] == entity->dims[first + d];
  }
  if (!is_start) {
    return *value;
  }
  DaeTerm *data = dae_value_new_data(reader, entity->count);
  for (uint32_t i = 0; i < entity->count; i++) {
    data[i] = dae_value_element(value, i % MAX(value->count, 1u));
  }
  return dae_value_like(reader, value, entity->n_dims, entity->dims, data, entity->count);
}

static void
store_closed(DaeReader *reader, DaeEntity *entity, const DaeValue *value, uint32_t pos)
{
  const char *what = entity->kind == DAE_ENTITY_CONSTANT ? "constant" : "parameter";
  const DaeValue fitting = dae_structure_fit(reader, entity, value);
  value = &fitting;
  if (!dae_structure_check_value(reader, entity, value, what, pos)) {
    entity->is_broken = true;
    return;
  }
  entity->closed = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    if (depends_on_time(reader, entity, dae_value_element(value, i))) {
      dae_source_error(reader->source, pos, "the value of %s '%s' depends on time", what,
                       dae_names_text(reader->names, entity->name));
      entity->is_broken = true;
      return;
    }
    entity->closed[i] = close_element(reader, entity->type, dae_value_element(value, i));
    if (entity->closed[i] == DAE_NO_TERM) {
      tell_no_value(reader, entity, dae_value_element(value, i), what, pos);
      entity->is_broken = true;
      return;
    }
    if (!dae_rule_has_value(reader, entity, i, pos)) {
      return;
    }
  }
}

static DaeValue
evaluate_value(DaeReader *reader, const DaeEntity *entity)
{
  if (entity->override != 0 && has_value(entity)) {
    return dae_overrides_evaluate(
        reader, &g_array_index(reader->overrides, DaeOverride, entity->override - 1));
  }
  return dae_reader_evaluate(reader, value_code(reader, entity));
}

/* Integer n = 3 cannot change and is as good as a constant; Boolean b = x
 * > 1 is a variable after all. */
static DaeValue
evaluate_implicit(DaeReader *reader, DaeEntity *entity)
{
  uint32_t errors = reader->source->n_errors;
  reader->source->n_errors = DAE_MAX_ERRORS; /* silent: one message says it all */
  DaeValue value = dae_reader_evaluate(reader, value_code(reader, entity));
  reader->source->n_errors = errors;
  bool known = value.type != DAE_VALUE_POISON && !value.opaque;
  bool is_text =
      value.type == DAE_VALUE_STRING; /* told later where another type is asked for */
  for (uint32_t i = 0; known && !is_text && i < value.count; i++) {
    known = !depends_on_time(reader, entity, dae_value_element(&value, i));
  }
  if (known) {
    return value;
  }
  entity->is_implicit_constant = false;
  entity->kind = DAE_ENTITY_VARIABLE;
  return value; /* gives the size of Boolean b[:] = … */
}

static void
override_elements(DaeReader *reader, uint32_t index)
{
  for (uint32_t i = 0; i < reader->overrides->len; i++) {
    const DaeOverride *override = &g_array_index(reader->overrides, DaeOverride, i);
    uint32_t element = 0;
    if (override->entity != index || override->n_subscripts == 0 ||
        !dae_overrides_index(reader, override, &element)) {
      continue;
    }
    DaeValue value = dae_overrides_evaluate(reader, override);
    DaeEntity *entity = dae_reader_entity(reader, index);
    if (value.type == DAE_VALUE_POISON || value.opaque || value.n_dims > 0) {
      continue;
    }
    if (entity->closed == NULL) {
      entity->closed = dae_arena_words(reader->arena, MAX(entity->count, 1u));
      memset(entity->closed, 0, entity->count * sizeof(DaeTerm));
    }
    entity->closed[element] = close_element(reader, entity->type, value.term);
  }
}

/* All that the entity depends on is done. */
static void
finish_entity(DaeReader *reader, uint32_t index)
{
  DaeEntity *entity = dae_reader_entity(reader, index);
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, entity->declaration);
  int64_t sizes[DAE_MAX_DIMENSIONS];
  uint32_t code = value_code(reader, entity);
  entity->state = STATE_DONE;
  if (entity->is_broken || !find_sizes(reader, entity, sizes)) {
    entity->is_broken = true;
    return;
  }
  if (!dae_rule_declaration(reader, entity, code)) {
    return;
  }
  entity->is_free = is_free(reader, entity);
  bind_free_parameter(reader, entity);
  bool open = has_open_dimension(reader, declaration);
  DaeValue value = dae_value_poison();
  uint32_t errors = reader->source->n_errors;
  if (entity->is_implicit_constant) {
    value = evaluate_implicit(reader, entity);
  } else if (code != 0 && (open || (has_value(entity) && !entity->is_free))) {
    value = entity->kind == DAE_ENTITY_VARIABLE ? dae_measure(reader, code) : value;
    value = value.type == DAE_VALUE_POISON ? evaluate_value(reader, entity) : value;
  }
  reader->source->context =
      has_value(entity) && entity->override != 0
          ? g_array_index(reader->overrides, DaeOverride, entity->override - 1).text
          : NULL;
  bool failed = reader->source->n_errors > errors;
  if (failed ||
      !set_dimensions(reader, entity, sizes, value.type != DAE_VALUE_POISON ? &value : NULL)) {
    entity->is_broken = true;
  } else if (has_value(entity) && value.opaque && !value.no_value) {
    dae_source_error(reader->source, dae_syntax_begin_of(reader->syntax, code),
                     "the value of '%s' depends on a variable",
                     dae_names_text(reader->names, entity->name));
    entity->is_broken = true;
  } else if (has_value(entity) && value.type != DAE_VALUE_POISON && !value.opaque) {
    value = dae_record_spread(reader, entity, &value, code);
    value = repeat_start(reader, entity, &value);
    store_closed(reader, entity, &value, dae_syntax_begin_of(reader->syntax, code));
  } else if (entity->kind == DAE_ENTITY_CONSTANT) {
    dae_source_error(reader->source, declaration->pos, "constant '%s' has no value",
                     dae_names_text(reader->names, entity->name));
    entity->is_broken = true;
  }
  reader->source->context = NULL;
  if (!entity->is_broken && has_value(entity) && reader->overrides->len > 0) {
    override_elements(reader, index);
  }
  dae_arena_reset(reader->scratch);
}

/* ---- the search -------------------------------------------------------------------------- */

static void
report_cycle(DaeReader *reader, GArray *visits, uint32_t index)
{
  uint32_t first = visits->len;
  uint32_t n = 0;
  while (g_array_index(visits, Visit, first - 1).entity != index) {
    first--;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t i = first - 1; i < visits->len; i++) {
    DaeEntity *entity = dae_reader_entity(reader, g_array_index(visits, Visit, i).entity);
    if (entity->state != STATE_OPEN) {
      continue; /* waits for its turn */
    }
    entity->is_broken = true;
    if (n < 10) {
      g_string_append_printf(text, "%s -> ", dae_names_text(reader->names, entity->name));
    } else if (n == 10) {
      g_string_append(text, "... -> ");
    }
    n++;
  }
  const DaeEntity *entity = dae_reader_entity(reader, index);
  const char *name = dae_names_text(reader->names, entity->name);
  dae_source_error(reader->source,
                   dae_syntax_declaration(reader->syntax, entity->declaration)->pos,
                   "'%s' depends on itself: %s%s", name, text->str, name);
}

uint32_t
dae_structure_used_entity(DaeReader *reader, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
  if (instruction->op == DAE_OP_PATH) {
    DaeReference reference;
    uint32_t first = 0;
    dae_reference_resolve(reader,
                          &g_array_index(reader->syntax->paths, uint32_t, instruction->arg),
                          NULL, &reference, &first);
    return dae_binding_is_entity(first) ? first : 0;
  }
  if (instruction->op != DAE_OP_NAME && instruction->op != DAE_OP_ELEMENT &&
      instruction->op != DAE_OP_LAST) {
    return 0;
  }
  uint32_t entity = dae_names_binding(reader->names, instruction->arg);
  entity = entity != 0 ? entity : dae_reference_used_spread(reader, instruction);
  if (!dae_binding_is_entity(entity)) {
    return 0;
  }
  if (dae_reader_entity(reader, entity)->kind != DAE_ENTITY_GROUP ||
      instruction->op != DAE_OP_ELEMENT) {
    return entity;
  }
  g_string_assign(reader->text, dae_names_text(reader->names, instruction->arg));
  for (uint32_t i = 0; i < instruction->n; i++) {
    const DaeInstruction *literal = dae_syntax_code(reader->syntax, pc - instruction->n + i);
    int64_t k = 0;
    if (!dae_syntax_integer(reader->names, literal, &k)) {
      return entity;
    }
    g_string_append_printf(reader->text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', k);
  }
  g_string_append_c(reader->text, ']');
  uint32_t name = dae_names_find(reader->names, reader->text->str, reader->text->len);
  return name == 0 ? 0 : dae_names_binding(reader->names, name);
}

static bool
is_iterator_of(const DaeReader *reader, uint32_t code, uint32_t pc)
{
  uint32_t name = dae_syntax_code(reader->syntax, pc)->arg;
  for (uint32_t i = code; dae_syntax_code(reader->syntax, i)->op != DAE_OP_RETURN; i++) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, i);
    if (instruction->op == DAE_OP_ITERATOR && instruction->arg == name) {
      return true;
    }
  }
  return false;
}

/* A whole group is used: all its elements come first. They wait on the stack,
 * each open when its turn comes. */
static void
visit_group(DaeReader *reader, GArray *visits, uint32_t group)
{
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    if (entity->is_element && entity->state == STATE_NEW && entity->declaration != 0 &&
        dae_syntax_declaration(reader->syntax, entity->declaration)->name ==
            dae_reader_entity(reader, group)->name) {
      Visit visit = {.entity = i};
      g_array_append_val(visits, visit);
    }
  }
}

/* A whole record is used: all its members come first, one after the other,
 * since they may need each other. */
static bool
visit_member(DaeReader *reader, GArray *visits, uint32_t whole)
{
  uint32_t n = dae_reader_entity(reader, whole)->n_members;
  for (uint32_t i = whole; i <= whole + n; i++) {
    if (dae_reader_entity(reader, i)->state == STATE_NEW) {
      Visit visit = {.entity = i};
      g_array_append_val(visits, visit);
      return true;
    }
  }
  return false;
}

/* r[i].x: all of r[1].x, r[2].x ... come first. */
static bool
visit_elements(DaeReader *reader, GArray *visits, uint32_t pc)
{
  const DaeInstruction instruction = *dae_syntax_code(reader->syntax, pc);
  uint32_t old = visits->len;
  if (instruction.op != DAE_OP_PATH && instruction.op != DAE_OP_ELEMENT) {
    return false;
  }
  uint32_t name = instruction.op == DAE_OP_PATH
                      ? g_array_index(reader->syntax->paths, uint32_t, instruction.arg + 1)
                      : instruction.arg;
  const GArray *needed = dae_reader_elements(reader, name);
  for (guint i = 0; needed != NULL && i < needed->len; i++) {
    Visit visit = {.entity = g_array_index(needed, uint32_t, i)};
    if (dae_reader_entity(reader, visit.entity)->state == STATE_NEW) {
      g_array_append_val(visits, visit);
    }
  }
  return visits->len > old;
}

/* Constants that a function uses come before its call. Of those under way, which the call may
 * not reach, nothing is said here: if it does reach one, that has no value yet. */
static bool
visit_uses(DaeReader *reader, GArray *visits, uint32_t pc)
{
  const DaeInstruction instruction = *dae_syntax_code(reader->syntax, pc);
  bool is_use = instruction.op == DAE_OP_CALL || instruction.op == DAE_OP_FUNCTION_VALUE ||
                (instruction.op == DAE_OP_NAME && dae_call_find(reader, instruction.arg) != 0);
  uint32_t n = 0;
  const uint32_t *uses = is_use ? dae_call_uses(reader, instruction.arg, &n) : NULL;
  uint32_t old = visits->len;
  for (uint32_t i = 0; i < n && visits->len == old; i++) {
    const DaeEntity *used = dae_reader_entity(reader, uses[i]);
    if (used->kind == DAE_ENTITY_RECORD) {
      visit_member(reader, visits, uses[i]);
    } else if (used->kind == DAE_ENTITY_GROUP) {
      visit_group(reader, visits, uses[i]);
    } else if (used->state == STATE_NEW) {
      Visit next = {.entity = uses[i]};
      g_array_append_val(visits, next);
    }
  }
  return visits->len > old;
}

/* What the instruction uses: true if something was pushed that comes first. */
static bool
visit_used(DaeReader *reader, GArray *visits, uint32_t code, uint32_t pc)
{
  uint32_t old = visits->len;
  if (visit_uses(reader, visits, pc)) {
    return true;
  }
  uint32_t used = dae_structure_used_entity(reader, pc);
  if (used == 0) {
    return visit_elements(reader, visits, pc);
  }
  const DaeEntity *entity = dae_reader_entity(reader, used);
  if (entity->kind == DAE_ENTITY_RECORD) {
    return visit_member(reader, visits, used);
  }
  if (entity->kind == DAE_ENTITY_GROUP) {
    visit_group(reader, visits, used);
  } else if (entity->kind != DAE_ENTITY_LITERAL && entity->state == STATE_NEW) {
    Visit next = {.entity = used};
    g_array_append_val(visits, next);
  } else if (entity->kind != DAE_ENTITY_LITERAL && entity->state == STATE_OPEN &&
             !is_iterator_of(reader, code, pc)) {
    report_cycle(reader, visits, used);
  }
  return visits->len > old;
}

/* The same for the code that a SHARED stands for. */
static bool
visit_shared(DaeReader *reader, GArray *visits, uint32_t pc)
{
  uint32_t code = dae_syntax_code(reader->syntax, pc)->arg;
  for (uint32_t at = code; dae_syntax_code(reader->syntax, at)->op != DAE_OP_RETURN; at++) {
    if (visit_used(reader, visits, code, at)) {
      return true;
    }
  }
  return false;
}

/* Looks for the next entity that the one on top needs; true: it was pushed. */
static bool
push_needed(DaeReader *reader, GArray *visits)
{
  uint32_t top = visits->len - 1;
  uint32_t self = g_array_index(visits, Visit, top).entity;
  while (true) {
    Visit *visit = &g_array_index(visits, Visit, top);
    bool is_over = false;
    uint32_t code = stage_code(reader, dae_reader_entity(reader, self), visit->stage, &is_over);
    if (is_over) {
      return false;
    }
    if (visit->pc == 0) {
      visit->pc = code;
    }
    while (code != 0 && dae_syntax_code(reader->syntax, visit->pc)->op != DAE_OP_RETURN) {
      uint32_t pc = visit->pc++;
      bool is_shared = dae_syntax_code(reader->syntax, pc)->op == DAE_OP_SHARED;
      if (is_shared ? visit_shared(reader, visits, pc) : visit_used(reader, visits, code, pc)) {
        g_array_index(visits, Visit, top).pc = pc; /* again, for the next one */
        return true;
      }
    }
    visit->stage++;
    visit->pc = 0;
  }
}

void
dae_structure_evaluate(DaeReader *reader)
{
  g_autoptr(GArray) visits = g_array_new(FALSE, TRUE, sizeof(Visit));
  reader->is_structural = true;
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    if (dae_reader_entity(reader, i)->state != STATE_NEW) {
      continue;
    }
    Visit visit = {.entity = i};
    g_array_append_val(visits, visit);
    while (visits->len > 0) {
      uint32_t top = g_array_index(visits, Visit, visits->len - 1).entity;
      /* another needed it */
      bool is_done = dae_reader_entity(reader, top)->state == STATE_DONE;
      if (!is_done) {
        dae_reader_entity(reader, top)->state = STATE_OPEN;
      }
      if (!is_done && push_needed(reader, visits)) {
        continue;
      }
      dae_array_cut(visits, visits->len - 1);
      if (!is_done) {
        finish_entity(reader, top);
      }
    }
  }
  reader->is_structural = false;
}
