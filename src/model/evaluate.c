/* The interpreter: postfix code to values. */
#include "model/model-priv.h"

#include <math.h>
#include <string.h>

#include "base/suggest.h"

static inline DaeValue *
stack_at(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->stack, DaeValue, i);
}

static inline void
push(DaeReader *reader, DaeValue value)
{
  g_array_append_val(reader->stack, value);
}

/* The n values on top are about to be used: open sums become terms. */
static inline void
finish_chains(DaeReader *reader, uint32_t n)
{
  for (uint32_t i = 1; i <= n; i++) {
    DaeValue *value = stack_at(reader, reader->stack->len - i);
    if (value->chain != NULL) {
      dae_chain_finish(reader, value);
    }
  }
}

/* Replaces the n values on top by one. */
static inline void
replace(DaeReader *reader, uint32_t n, DaeValue value)
{
  DAE_ASSERT(reader->stack->len >= n);
  if (n == 0) {
    push(reader, value);
    return;
  }
  g_array_set_size(reader->stack, reader->stack->len - n + 1);
  *stack_at(reader, reader->stack->len - 1) = value;
}

/* ---- closed values ------------------------------------------------------------------------------------- */

typedef struct {
  const DaeReader *reader;
  bool integers_only;
} CloseContext;

/* The value of a parameter decided something that cannot be undone by another value. */
static void
note_structural(const DaeReader *reader, DaeSymbol symbol)
{
  GArray *structural = reader->structural;
  if (symbol >= structural->len) {
    g_array_set_size(structural, symbol + 1);
  }
  g_array_index(structural, uint8_t, symbol) = 1;
}

static DaeTerm
closed_atom(void *user, DaeTerm atom)
{
  const CloseContext *context = user;
  const DaeReader *reader = context->reader;
  if (dae_term_kind(reader->terms, atom) != DAE_KIND_PARAMETER ||
      reader->closed_of_symbol == NULL) {
    return DAE_NO_TERM;
  }
  DaeSymbol symbol = dae_term_get_symbol(reader->terms, atom);
  if (symbol >= reader->closed_of_symbol->len) {
    return DAE_NO_TERM;
  }
  DaeTerm closed = g_array_index(reader->closed_of_symbol, DaeTerm, symbol);
  bool integer = g_array_index(reader->integer_symbol, uint8_t, symbol) != 0;
  if (closed == DAE_NO_TERM || !dae_term_is_number(reader->terms, closed) ||
      (context->integers_only && !integer)) {
    return DAE_NO_TERM;
  }
  note_structural(context->reader, symbol);
  return closed;
}

DaeTerm
dae_reader_close(DaeReader *reader, DaeTerm t, bool integers_only)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN) {
    return t;
  }
  if (kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME) {
    return DAE_NO_TERM;
  }
  CloseContext context = {reader, integers_only};
  DaeTerm value = DAE_NO_TERM;
  DaeEvalStatus status = dae_term_eval_exact(reader->terms, t, closed_atom, &context, &value);
  return status == DAE_EVAL_OK ? value : DAE_NO_TERM;
}

/* Integer functions of irrational constants (integer(sqrt(2)*10)): taken from the double value unless that is
 * too close to a jump to be sure. */
static bool
unbound_atom(void *user, DaeTerm atom, double *value)
{
  CloseContext *context = user;
  DaeTerm closed = closed_atom(context, atom);
  if (closed == DAE_NO_TERM) {
    return false;
  }
  *value = dae_term_get_double(context->reader->terms, closed);
  return true;
}

static bool
integer_by_double(DaeReader *reader, DaeTerm t, int64_t *result)
{
  CloseContext context = {reader, false};
  double value = 0;
  if (dae_term_kind(reader->terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction function = dae_term_function(reader->terms, t);
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(reader->terms, t, &n);
  if ((function != DAE_FN_INTEGER && function != DAE_FN_FLOOR && function != DAE_FN_CEIL) ||
      n != 1 ||
      dae_term_eval_double(reader->terms, operands[0], unbound_atom, &context, &value) !=
          DAE_EVAL_OK ||
      fabs(value) > 1e15 || fabs(value - round(value)) < 1e-9 * fmax(1, fabs(value))) {
    return false;
  }
  *result = (int64_t)(function == DAE_FN_CEIL ? ceil(value) : floor(value));
  return true;
}

bool
dae_reader_integer(DaeReader *reader, const DaeValue *value, uint32_t i, uint32_t pos,
                   int64_t *result)
{
  if (value->type == DAE_VALUE_POISON) {
    return false;
  }
  bool type_fits = value->type == DAE_VALUE_INTEGER || value->type == DAE_VALUE_ENUMERATION ||
                   value->type == DAE_VALUE_BOOLEAN;
  if (!type_fits && value->type != DAE_VALUE_REAL) {
    dae_source_error(reader->source, pos, "an Integer is needed here, this is %s",
                     dae_value_type_text(value));
    return false;
  }
  DaeTerm t = value->opaque ? DAE_NO_TERM : dae_value_element(value, i);
  DaeTerm closed = t != DAE_NO_TERM ? dae_reader_close(reader, t, false) : DAE_NO_TERM;
  if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN) {
    *result = dae_term_get_bool(reader->terms, closed) ? 2 : 1; /* as a subscript */
    return true;
  }
  if (closed != DAE_NO_TERM && dae_term_get_int64(reader->terms, closed, result)) {
    return true;
  }
  if (closed == DAE_NO_TERM && t != DAE_NO_TERM && integer_by_double(reader, t, result)) {
    return true;
  }
  dae_source_error(reader->source, pos, "an Integer constant is needed here");
  return false;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

/* x.a where x is declared and broken, such as a record: that was told already. */
static bool
is_part_of_broken(const DaeReader *reader, const char *text)
{
  for (const char *dot = strchr(text, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
    uint32_t whole = dae_names_find(reader->names, text, (size_t)(dot - text));
    uint32_t binding = whole != 0 ? dae_names_binding(reader->names, whole) : 0;
    if (binding != 0 && (binding & DAE_ITERATOR_BIT) == 0 &&
        dae_reader_entity(reader, binding)->is_broken) {
      return true;
    }
  }
  return false;
}

void
dae_reader_unknown_name(DaeReader *reader, uint32_t name, uint32_t pos)
{
  if (reader->syntax != NULL && reader->syntax->lost_names) {
    return; /* it may stand in a declaration that could not be read */
  }
  const char *text = dae_names_text(reader->names, name);
  if (is_part_of_broken(reader, text)) {
    return;
  }
  DaeSuggest suggest;
  dae_suggest_begin_word(&suggest, text);
  for (uint32_t i = 1; i < reader->entities->len && i < 100000; i++) {
    dae_suggest_try(&suggest,
                    dae_names_text(reader->names, dae_reader_entity(reader, i)->name));
  }
  if (reader->lookup != NULL) {
    for (uint32_t i = 0; i < dae_terms_symbol_count(reader->terms) && i < 100000; i++) {
      dae_suggest_try(&suggest, dae_terms_symbol_name(reader->terms, i));
    }
  }
  dae_suggest_try(&suggest, "time");
  if (suggest.best != NULL) {
    dae_source_error(reader->source, pos, "unknown name '%s'; did you mean '%s'?", text,
                     suggest.best);
  } else {
    dae_source_error(reader->source, pos, "unknown name '%s'", text);
  }
}

/* Stage 1 knows only sizes of variables, and closed values of parameters. */
static DaeValue
load_structural(const DaeReader *reader, DaeEntity *entity)
{
  DaeValue value = {.type = entity->type,
                    .n_dims = (uint8_t)entity->n_dims,
                    .dims = entity->dims,
                    .count = entity->count,
                    .enumeration = entity->enumeration};
  entity->is_structural = entity->is_structural || reader->is_sizing;
  if (entity->closed == NULL) {
    value.opaque = true;
    value.no_value =
        entity->kind == DAE_ENTITY_PARAMETER || entity->kind == DAE_ENTITY_CONSTANT;
    return value;
  }
  value.term = entity->n_dims == 0 ? entity->closed[0] : DAE_NO_TERM;
  value.data = entity->closed;
  return value;
}

static DaeValue
load_entity(DaeReader *reader, DaeEntity *entity, uint32_t pos)
{
  if (entity->is_broken) {
    return dae_value_poison();
  }
  if (entity->kind == DAE_ENTITY_LITERAL) {
    DaeValue value = dae_value_scalar(DAE_VALUE_ENUMERATION, entity->literal);
    value.enumeration = entity->enumeration;
    return value;
  }
  if (reader->is_structural) {
    return load_structural(reader, entity);
  }
  if (entity->value == NULL) {
    return dae_value_poison(); /* not instantiated because of an error */
  }
  if (entity->count > 0 && entity->value[0] == DAE_NO_TERM) {
    dae_source_error(reader->source, pos, "parameter '%s' has no value",
                     dae_names_text(reader->names, entity->name));
    return dae_value_poison();
  }
  DaeValue value = {.type = entity->type,
                    .n_dims = (uint8_t)entity->n_dims,
                    .dims = entity->dims,
                    .count = entity->count,
                    .enumeration = entity->enumeration};
  value.data = entity->value;
  value.term = entity->n_dims == 0 ? entity->value[0] : DAE_NO_TERM;
  return value;
}

static DaeValue
load_group(DaeReader *reader, const DaeEntity *group, uint32_t pos)
{
  DaeTerm *data = dae_value_new_data(reader, group->count);
  DaeValueType type = DAE_VALUE_REAL;
  bool opaque = false;
  uint32_t position[DAE_MAX_DIMENSIONS] = {0};
  for (uint32_t i = 0; i < group->count; i++) {
    g_string_assign(reader->text, dae_names_text(reader->names, group->name));
    for (uint32_t d = 0; d < group->n_dims; d++) {
      g_string_append_printf(reader->text, "%c%u", d == 0 ? '[' : ',', position[d] + 1);
    }
    g_string_append_c(reader->text, ']');
    uint32_t name = dae_names_find(reader->names, reader->text->str, reader->text->len);
    if (name == 0 || dae_names_binding(reader->names, name) == 0) {
      dae_source_error(reader->source, pos, "'%s' has no element '%s'",
                       dae_names_text(reader->names, group->name), reader->text->str);
      return dae_value_poison();
    }
    uint32_t binding = dae_names_binding(reader->names, name);
    DaeValue element = load_entity(reader, dae_reader_entity(reader, binding), pos);
    if (element.type == DAE_VALUE_POISON || element.n_dims > 0) {
      return dae_value_poison();
    }
    type = element.type;
    opaque = opaque || element.opaque;
    data[i] = element.term;
    for (uint32_t d = group->n_dims; d-- > 0;) {
      if (++position[d] < group->dims[d]) {
        break;
      }
      position[d] = 0;
    }
  }
  DaeValue value =
      dae_value_array(reader, type, group->n_dims, group->dims, data, group->count);
  value.opaque = opaque;
  return value;
}

/* dae_model_parse_expression: the names of a finished model. */
static bool
load_symbol(DaeReader *reader, const char *name, DaeValue *value)
{
  DaeSymbol symbol = 0;
  uint32_t k = 0;
  if (reader->lookup == NULL || !dae_terms_find_symbol(reader->terms, name, &symbol)) {
    return false;
  }
  if (dae_model_find_variable(reader->lookup, symbol, &k)) {
    *value = dae_value_scalar(DAE_VALUE_REAL, dae_term_variable(reader->terms, symbol, 0));
    return true;
  }
  if (dae_model_find_parameter(reader->lookup, symbol, &k)) {
    DaeType type = dae_model_parameter(reader->lookup, k)->type;
    *value = dae_value_scalar(type == DAE_TYPE_INTEGER ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                              dae_term_parameter(reader->terms, symbol));
    return true;
  }
  return false;
}

DaeValue
dae_reader_load(DaeReader *reader, uint32_t name, uint32_t pos)
{
  uint32_t binding = dae_names_binding(reader->names, name);
  if ((binding & DAE_ITERATOR_BIT) != 0) {
    return g_array_index(reader->loops, DaeLoopFrame, binding & ~DAE_ITERATOR_BIT).current;
  }
  if (binding != 0) {
    DaeEntity *entity = dae_reader_entity(reader, binding);
    return entity->kind == DAE_ENTITY_GROUP && !entity->is_broken
               ? load_group(reader, entity, pos)
               : load_entity(reader, entity, pos);
  }
  DaeValue value;
  const char *text = dae_names_text(reader->names, name);
  text += *text == '.' ? 1 : 0; /* .A.b is A.b: flat text has no other scopes */
  if (load_symbol(reader, text, &value) || dae_constant_find(reader, text, &value)) {
    return value;
  }
  dae_reader_unknown_name(reader, name, pos);
  return dae_value_poison();
}

/* Appends "[i,j]" for subscripts that are all single numbers. */
static bool
append_subscripts(DaeReader *reader, GString *text, const DaeValue *subscripts, uint32_t n,
                  uint32_t pos)
{
  for (uint32_t i = 0; i < n; i++) {
    int64_t k = 0;
    if (subscripts[i].n_dims > 0 || subscripts[i].type == DAE_VALUE_COLON) {
      return false;
    }
    if (!dae_reader_integer(reader, &subscripts[i], 0, pos, &k)) {
      return false;
    }
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', k);
  }
  g_string_append_c(text, ']');
  return true;
}

static DaeValue
load_element(DaeReader *reader, uint32_t name, const DaeValue *subscripts, uint32_t n,
             uint32_t pos)
{
  uint32_t binding = dae_names_binding(reader->names, name);
  bool is_group = binding != 0 && (binding & DAE_ITERATOR_BIT) == 0 &&
                  dae_reader_entity(reader, binding)->kind == DAE_ENTITY_GROUP;
  if (is_group || (binding == 0 && reader->lookup != NULL)) {
    g_autoptr(GString) text = g_string_new(dae_names_text(reader->names, name));
    if (append_subscripts(reader, text, subscripts, n, pos)) {
      uint32_t element = dae_names_intern(reader->names, text->str, text->len);
      if (dae_names_binding(reader->names, element) != 0 || !is_group) {
        return dae_reader_load(reader, element, pos);
      }
    }
  }
  DaeValue array = dae_reader_load(reader, name, pos);
  return dae_array_subscript(reader, &array, subscripts, n, dae_names_text(reader->names, name),
                             pos);
}

/* a[i].b[j]: the whole name is put together from the values of the subscripts. */
static DaeValue
load_path(DaeReader *reader, const DaeInstruction *instruction, const DaeValue *subscripts)
{
  const uint32_t *path = &g_array_index(reader->syntax->paths, uint32_t, instruction->arg);
  uint32_t n_parts = path[0];
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t i = 0; i < n_parts; i++) {
    uint32_t name = path[1 + 2 * i];
    uint32_t n = path[2 + 2 * i];
    DAE_ASSERT(n == 0 || subscripts != NULL);
    g_string_append_printf(text, "%s%s", i > 0 ? "." : "", dae_names_text(reader->names, name));
    if (i + 1 == n_parts) {
      uint32_t whole = dae_names_intern(reader->names, text->str, text->len);
      return n == 0 ? dae_reader_load(reader, whole, instruction->pos)
                    : load_element(reader, whole, subscripts, n, instruction->pos);
    }
    for (uint32_t k = 0; k < n; k++) {
      if (subscripts[k].n_dims > 0 || subscripts[k].type == DAE_VALUE_COLON) {
        dae_source_unsupported(reader->source, instruction->pos, "slices of records");
        return dae_value_poison();
      }
    }
    if (n > 0 && !append_subscripts(reader, text, subscripts, n, instruction->pos)) {
      return dae_value_poison();
    }
    subscripts += n;
  }
  return dae_value_poison();
}

static DaeValue
load_last(DaeReader *reader, const DaeInstruction *instruction)
{
  if (instruction->arg == 0) {
    dae_source_unsupported(reader->source, instruction->pos, "'end' in this subscript");
    return dae_value_poison();
  }
  DaeValue array = dae_reader_load(reader, instruction->arg, instruction->pos);
  if (array.type == DAE_VALUE_POISON) {
    return array;
  }
  if (instruction->n > array.n_dims) {
    dae_source_error(reader->source, instruction->pos, "'end' in a subscript that is too many");
    return dae_value_poison();
  }
  return dae_value_scalar(DAE_VALUE_INTEGER,
                          dae_term_int(reader->terms, array.dims[instruction->n - 1]));
}

/* ---- if-expressions ------------------------------------------------------------------------------------- */

/* What is known about a condition: all its parts are constants or Integer parameters. */
static DaeIfMode
decide(DaeReader *reader, DaeTerm condition)
{
  if (reader->lookup != NULL) {
    return DAE_IF_BOTH; /* reading back a printed term gives the same term */
  }
  DaeTerm closed = dae_reader_close(reader, condition, true);
  if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(reader->terms, closed) ? DAE_IF_TRUE : DAE_IF_FALSE;
  }
  return DAE_IF_BOTH;
}

bool
dae_reader_begin_if(DaeReader *reader, uint32_t pos)
{
  finish_chains(reader, 1);
  DaeValue condition = *stack_at(reader, reader->stack->len - 1);
  g_array_set_size(reader->stack, reader->stack->len - 1);
  if (condition.type == DAE_VALUE_POISON || condition.opaque) {
    return false;
  }
  if (condition.type != DAE_VALUE_BOOLEAN || condition.n_dims > 0) {
    dae_source_error(reader->source, pos, "a condition is Boolean, this is %s",
                     dae_value_type_text(&condition));
    return false;
  }
  DaeIfFrame frame = {.mode = decide(reader, condition.term), .condition = condition.term};
  frame.equations = reader->equations != NULL ? reader->equations->len : 0;
  frame.assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  g_array_append_val(reader->ifs, frame);
  return true;
}

static void
end_if(DaeReader *reader, uint32_t pos)
{
  DaeIfFrame frame = g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  g_array_set_size(reader->ifs, reader->ifs->len - 1);
  finish_chains(reader, frame.mode == DAE_IF_BOTH ? 2 : 1);
  if (frame.mode == DAE_IF_BOTH) {
    DaeValue b = *stack_at(reader, reader->stack->len - 1);
    DaeValue a = *stack_at(reader, reader->stack->len - 2);
    replace(reader, 2, dae_arithmetic_choose(reader, frame.condition, a, b, pos));
  }
}

/* ---- loops ---------------------------------------------------------------------------------------------- */

static void
set_iterator(DaeLoopFrame *frame)
{
  frame->current = dae_value_scalar(frame->range.type, frame->range.data[frame->position]);
  frame->current.enumeration = frame->range.enumeration;
}

bool
dae_reader_begin_loop(DaeReader *reader, const DaeInstruction *loop, bool *is_empty)
{
  finish_chains(reader, 1);
  DaeValue range = *stack_at(reader, reader->stack->len - 1);
  g_array_set_size(reader->stack, reader->stack->len - 1);
  if (range.type == DAE_VALUE_POISON || range.opaque) {
    return false;
  }
  if (range.n_dims != 1) {
    dae_source_error(reader->source, loop->pos, "an iterator runs through a vector or a range");
    return false;
  }
  DaeLoopFrame frame = {.name = loop[1].arg, .range = range, .values = reader->stack->len};
  frame.old_binding = dae_names_binding(reader->names, frame.name);
  *is_empty = range.count == 0;
  if (!*is_empty) {
    set_iterator(&frame);
    dae_names_bind(reader->names, frame.name, DAE_ITERATOR_BIT | reader->loops->len);
    g_array_append_val(reader->loops, frame);
  }
  return true;
}

/* True: one more round. */
bool
dae_reader_next_round(DaeReader *reader, uint32_t pos)
{
  DaeLoopFrame *frame = &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
  frame->position++;
  reader->iterations++;
  if (frame->position < frame->range.count && reader->iterations <= DAE_MAX_ITERATIONS) {
    set_iterator(frame);
    return true;
  }
  if (reader->iterations > DAE_MAX_ITERATIONS) {
    dae_source_error(reader->source, pos, "the loops of this model take more than %u rounds",
                     DAE_MAX_ITERATIONS);
  }
  dae_names_bind(reader->names, frame->name, frame->old_binding);
  g_array_set_size(reader->loops, reader->loops->len - 1);
  return false;
}

void
dae_reader_unwind(DaeReader *reader, uint32_t loops, uint32_t ifs)
{
  while (reader->loops->len > loops) {
    const DaeLoopFrame *frame =
        &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
    dae_names_bind(reader->names, frame->name, frame->old_binding);
    g_array_set_size(reader->loops, reader->loops->len - 1);
  }
  g_array_set_size(reader->ifs, ifs);
}

static bool
execute_loop(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  if (instruction->op == DAE_OP_LOOP) {
    bool is_empty = false;
    if (!dae_reader_begin_loop(reader, instruction, &is_empty)) {
      return false;
    }
    if (is_empty) {
      push(reader, dae_array_construct(reader, NULL, 0, instruction->pos));
      *pc += instruction->arg;
    } else {
      *pc += 2;
    }
    return true;
  }
  finish_chains(reader, 1);
  DaeLoopFrame frame = g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
  if (dae_reader_next_round(reader, instruction->pos)) {
    *pc -= instruction->arg - 2;
    return true;
  }
  if (reader->iterations > DAE_MAX_ITERATIONS) {
    return false;
  }
  uint32_t n = reader->stack->len - frame.values;
  DaeValue array =
      dae_array_construct(reader, stack_at(reader, frame.values), n, instruction->pos);
  replace(reader, n, array);
  *pc += 1;
  return true;
}

/* ---- the loop of the interpreter -------------------------------------------------------------------------- */

static void
execute_collection(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t n = instruction->n;
  uint32_t pos = instruction->pos;
  DAE_ASSERT(reader->stack->len >= n);
  finish_chains(reader, instruction->op == DAE_OP_INDEX ? n + 1 : n);
  DaeValue *values = reader->stack->len > 0 ? stack_at(reader, reader->stack->len - n) : NULL;
  DAE_ASSERT(n == 0 || values != NULL);
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
    replace(reader, n, load_element(reader, instruction->arg, values, n, pos));
    break;
  case DAE_OP_PATH:
    replace(reader, n, load_path(reader, instruction, values));
    break;
  case DAE_OP_CALL:
    replace(reader, n, dae_function_apply(reader, instruction->arg, values, n, pos));
    break;
  case DAE_OP_INDEX: {
    DaeValue array = *stack_at(reader, reader->stack->len - n - 1);
    replace(reader, n + 1, dae_array_subscript(reader, &array, values, n, "(...)", pos));
    break;
  }
  case DAE_OP_ARRAY:
    replace(reader, n, dae_array_construct(reader, values, n, pos));
    break;
  case DAE_OP_ROW:
    replace(reader, n, dae_array_row(reader, values, n, pos));
    break;
  case DAE_OP_MATRIX:
    replace(reader, n, dae_array_matrix(reader, values, n, pos));
    break;
  case DAE_OP_RANGE:
    replace(reader, n, dae_array_range(reader, values, n, pos));
    break;
  default:
    DAE_ASSERT(instruction->op == DAE_OP_TUPLE);
    dae_source_unsupported(reader->source, pos, "functions with several results");
    replace(reader, n, dae_value_poison());
    break;
  }
}

static void
execute_binary(DaeReader *reader, DaeOp op, uint32_t pos)
{
  bool good = true;
  finish_chains(reader, 1);
  DaeValue a = *stack_at(reader, reader->stack->len - 2);
  DaeValue b = *stack_at(reader, reader->stack->len - 1);
  if (dae_chain_extend(reader, op, &a, &b, pos, &good)) {
    replace(reader, 2, good ? a : dae_value_poison());
    return;
  }
  dae_chain_finish(reader, &a);
  replace(reader, 2, dae_arithmetic_binary(reader, op, a, b, pos));
}

/* The term of a literal is kept as the binding of its text, which is no name of anything else. */
static DaeValue
load_number(DaeReader *reader, const DaeInstruction *instruction)
{
  uint32_t known = dae_names_binding(reader->names, instruction->arg);
  if (known == 0) {
    DaeTerm term =
        dae_term_decimal(reader->terms, dae_names_text(reader->names, instruction->arg),
                         dae_names_length(reader->names, instruction->arg));
    if (term == DAE_NO_TERM) {
      dae_source_error(reader->source, instruction->pos,
                       "the exponent of this number is too large");
      return dae_value_poison();
    }
    known = term;
    dae_names_bind(reader->names, instruction->arg, known);
  }
  return dae_value_scalar(instruction->n != 0 ? DAE_VALUE_REAL : DAE_VALUE_INTEGER, known);
}

static void
execute_simple(DaeReader *reader, const DaeInstruction *instruction)
{
  switch ((int)instruction->op) {
  case DAE_OP_NUMBER:
    push(reader, load_number(reader, instruction));
    break;
  case DAE_OP_STRING:
    push(reader, dae_value_scalar(DAE_VALUE_STRING, instruction->arg));
    break;
  case DAE_OP_BOOLEAN:
    push(reader, dae_value_scalar(DAE_VALUE_BOOLEAN,
                                  dae_term_bool(reader->terms, instruction->arg != 0)));
    break;
  case DAE_OP_NAME:
    push(reader, dae_reader_load(reader, instruction->arg, instruction->pos));
    break;
  case DAE_OP_HOLE:
  case DAE_OP_FUNCTION_VALUE:
    dae_source_unsupported(reader->source, instruction->pos, "%s",
                           instruction->op == DAE_OP_HOLE ? "functions with several results"
                                                          : "functions as arguments");
    push(reader, dae_value_poison());
    break;
  case DAE_OP_COLON:
    push(reader, (DaeValue){.type = DAE_VALUE_COLON, .count = 1});
    break;
  case DAE_OP_LAST:
    push(reader, load_last(reader, instruction));
    break;
  case DAE_OP_NAMED:
    stack_at(reader, reader->stack->len - 1)->name = instruction->arg;
    break;
  case DAE_OP_NEGATE:
  case DAE_OP_PLUS:
  case DAE_OP_NOT: {
    finish_chains(reader, 1);
    DaeValue a = *stack_at(reader, reader->stack->len - 1);
    replace(reader, 1,
            dae_arithmetic_unary(reader, (DaeOp)instruction->op, a, instruction->pos));
    break;
  }
  default: {
    DAE_ASSERT(instruction->op >= DAE_OP_ADD && instruction->op <= DAE_OP_OR);
    execute_binary(reader, (DaeOp)instruction->op, instruction->pos);
    break;
  }
  }
}

/* Executes the instruction at *pc and moves *pc. False: this expression has no value; reported. */
bool
dae_reader_step(DaeReader *reader, uint32_t *pc)
{
  DaeInstruction *instruction = dae_syntax_code(reader->syntax, *pc);
  switch ((int)instruction->op) {
  case DAE_OP_TEST:
    if (!dae_reader_begin_if(reader, instruction->pos)) {
      return false;
    }
    *pc += g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1).mode == DAE_IF_FALSE
               ? instruction->arg
               : 1;
    return true;
  case DAE_OP_ELSE:
    *pc += g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1).mode == DAE_IF_TRUE
               ? instruction->arg
               : 1;
    return true;
  case DAE_OP_ENDIF:
    end_if(reader, instruction->pos);
    *pc += 1;
    break;
  case DAE_OP_LOOP:
  case DAE_OP_NEXT:
    return execute_loop(reader, instruction, pc);
  case DAE_OP_ELEMENT:
  case DAE_OP_PATH:
  case DAE_OP_CALL:
  case DAE_OP_INDEX:
  case DAE_OP_ARRAY:
  case DAE_OP_ROW:
  case DAE_OP_MATRIX:
  case DAE_OP_TUPLE:
  case DAE_OP_RANGE:
    execute_collection(reader, instruction);
    *pc += 1;
    break;
  default:
    execute_simple(reader, instruction);
    *pc += 1;
    break;
  }
  return stack_at(reader, reader->stack->len - 1)->type != DAE_VALUE_POISON;
}

bool
dae_reader_run(DaeReader *reader, uint32_t code)
{
  uint32_t stack = reader->stack->len;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  uint32_t pc = code;
  while (dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN) {
    if (!dae_reader_step(reader, &pc)) {
      g_array_set_size(reader->stack, stack);
      dae_reader_unwind(reader, loops, ifs);
      return false;
    }
  }
  finish_chains(reader, reader->stack->len - stack);
  return true;
}

DaeValue
dae_reader_evaluate(DaeReader *reader, uint32_t code)
{
  uint32_t stack = reader->stack->len;
  if (!dae_reader_run(reader, code)) {
    return dae_value_poison();
  }
  DAE_ASSERT(reader->stack->len == stack + 1);
  finish_chains(reader, 1);
  DaeValue value = *stack_at(reader, stack);
  g_array_set_size(reader->stack, stack);
  return value;
}
