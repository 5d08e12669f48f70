/* Operators of operator records (Complex): which function is meant, and arrays of
 * such records element by element. */
#include "reader/calls.h"

#include <string.h>

static const char *
operator_name(DaeOp op)
{
  switch ((int)op) {
  case DAE_OP_ADD:
  case DAE_OP_EADD:
    return "'+'";
  case DAE_OP_SUB:
  case DAE_OP_ESUB:
  case DAE_OP_NEGATE:
    return "'-'";
  case DAE_OP_MUL:
  case DAE_OP_EMUL:
    return "'*'";
  case DAE_OP_DIV:
  case DAE_OP_EDIV:
    return "'/'";
  case DAE_OP_POW:
  case DAE_OP_EPOW:
    return "'^'";
  case DAE_OP_EQ:
    return "'=='";
  case DAE_OP_NE:
    return "'<>'";
  case DAE_OP_LT:
    return "'<'";
  case DAE_OP_LE:
    return "'<='";
  case DAE_OP_GT:
    return "'>'";
  case DAE_OP_GE:
    return "'>='";
  case DAE_OP_AND:
    return "'and'";
  case DAE_OP_OR:
    return "'or'";
  case DAE_OP_NOT:
    return "'not'";
  default:
    return NULL;
  }
}

/* A.B.c, from the class and those around it. */
static char *
qualified_name(const DaeReader *reader, uint32_t class)
{
  GString *text = g_string_new(
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name));
  for (uint32_t p = dae_syntax_class(reader->syntax, class)->parent; p != 0;
       p = dae_syntax_class(reader->syntax, p)->parent) {
    g_string_prepend_c(text, '.');
    g_string_prepend(text,
                     dae_names_text(reader->names, dae_syntax_class(reader->syntax, p)->name));
  }
  return g_string_free(text, FALSE);
}

/* The functions RECORD.'op' and RECORD.'op'.NAME. (transfer none) */
static const GArray *
candidates(DaeReader *reader, uint32_t record, const char *word)
{
  g_autofree char *whole = qualified_name(reader, record);
  g_autofree char *prefix = g_strconcat(whole, ".", word, NULL);
  size_t length = strlen(prefix);
  if (reader->operators == NULL) {
    reader->operators =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  }
  GArray *list = g_hash_table_lookup(reader->operators, prefix);
  if (list != NULL) {
    return list;
  }
  list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    if (dae_syntax_class(reader->syntax, i)->kind != DAE_CLASS_FUNCTION) {
      continue;
    }
    g_autofree char *name = qualified_name(reader, i);
    if (strncmp(name, prefix, length) == 0 && (name[length] == '\0' || name[length] == '.')) {
      g_array_append_val(list, i);
    }
  }
  g_hash_table_insert(reader->operators, g_steal_pointer(&prefix), list);
  return list;
}

/* ---- matching ---------------------------------------------------------------------------- */

/* A record inside the model has its own name and, where it is imported, that of the model too:
 * what was declared at one place is one record. */
static bool
is_same_class(const DaeReader *reader, uint32_t a, uint32_t b)
{
  const DaeClass *one = dae_syntax_class(reader->syntax, a);
  const DaeClass *other = dae_syntax_class(reader->syntax, b);
  return one->name == other->name || (one->pos != 0 && one->pos == other->pos);
}

/* WIDENED: an Integer becomes Real. */
typedef enum { NO_MATCH, WIDENED, EXACT } Match;

static Match
match_argument(DaeReader *reader, const DaeDeclaration *input, const DaeValue *value)
{
  DaeEntity type = {.kind = DAE_ENTITY_VARIABLE};
  if (!dae_scope_resolve_type(reader, input->type, input->type_pos, &type) ||
      (uint32_t)input->n_dims + input->n_type_dims != value->n_dims) {
    return NO_MATCH;
  }
  if (type.type == DAE_VALUE_RECORD || value->type == DAE_VALUE_RECORD) {
    return type.type == value->type && is_same_class(reader, value->layout->class, type.record)
               ? EXACT
               : NO_MATCH;
  }
  return type.type == value->type                                          ? EXACT
         : type.type == DAE_VALUE_REAL && value->type == DAE_VALUE_INTEGER ? WIDENED
                                                                           : NO_MATCH;
}

/* The argument for input k: by position first, then by name; NULL: none. */
static const DaeValue *
argument_for(const DaeValue *arguments, uint32_t n, uint32_t k, uint32_t name)
{
  for (uint32_t i = 0; i < n; i++) {
    if (arguments[i].name == 0 ? i == k : arguments[i].name == name) {
      return &arguments[i];
    }
  }
  return NULL;
}

/* n arguments fit, and all further inputs have defaults. */
static Match
match_function(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n)
{
  Match match = EXACT;
  uint32_t n_members = 0;
  const uint32_t *members = dae_call_members(reader, class, &n_members);
  uint32_t k = 0;
  uint32_t n_taken = 0;
  for (uint32_t i = 0; i < n_members; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if ((d->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    const DaeValue *argument = argument_for(arguments, n, k++, d->name);
    Match one = argument != NULL  ? match_argument(reader, d, argument)
                : d->binding != 0 ? EXACT
                                  : NO_MATCH;
    match = MIN(match, one);
    n_taken += argument != NULL ? 1 : 0;
  }
  return n_taken == n ? match : NO_MATCH;
}

/* The function that fits best, and another one that fits as well. */
typedef struct {
  Match match;
  uint32_t class, other; /* 0: none */
} Choice;

static void
consider(DaeReader *reader, uint32_t record, const char *word, const DaeValue *arguments,
         uint32_t n, Choice *choice)
{
  const GArray *list = candidates(reader, record, word);
  for (uint32_t i = 0; i < list->len; i++) {
    uint32_t class = g_array_index(list, uint32_t, i);
    Match match = match_function(reader, class, arguments, n);
    if (match > choice->match) {
      *choice = (Choice){match, class, 0};
    } else if (match != NO_MATCH && match == choice->match &&
               !is_same_class(reader, class, choice->class)) {
      choice->other = class;
    }
  }
}

static uint32_t
find_fitting(DaeReader *reader, uint32_t record, const char *word, const DaeValue *arguments,
             uint32_t n)
{
  Choice choice = {NO_MATCH, 0, 0};
  consider(reader, record, word, arguments, n, &choice);
  return choice.class;
}

/* A value as a record, by the 'constructor' of that one. */
static bool
convert(DaeReader *reader, uint32_t record, DaeValue *value, uint32_t pos)
{
  uint32_t class = find_fitting(reader, record, "'constructor'", value, 1);
  if (class == 0) {
    return false;
  }
  *value = dae_call_apply(reader, class, value, 1, pos);
  value->name = 0;
  return value->type == DAE_VALUE_RECORD;
}

static const DaeLayout *
layout_of(const DaeValue *a, const DaeValue *b)
{
  return a->type == DAE_VALUE_RECORD ? a->layout : b->layout;
}

static DaeValue
fail(DaeReader *reader, DaeOp op, const DaeLayout *layout, uint32_t pos)
{
  g_autofree char *name = qualified_name(reader, layout->class);
  const char *word = operator_name(op);
  dae_source_error(reader->source, pos, "record '%s' has no operator %s for these operands",
                   name, word != NULL ? word : "here");
  return dae_value_poison();
}

/* ---- scalars and arrays ------------------------------------------------------------------ */

/* The operators of both operands, each record once [Modelica 3.6, 14.5]. */
static Choice
choose_pair(DaeReader *reader, const char *word, const DaeValue both[2])
{
  Choice choice = {NO_MATCH, 0, 0};
  bool two = both[0].type == DAE_VALUE_RECORD && both[1].type == DAE_VALUE_RECORD &&
             !is_same_class(reader, both[0].layout->class, both[1].layout->class);
  consider(reader, layout_of(&both[0], &both[1])->class, word, both, 2, &choice);
  if (two) {
    consider(reader, both[1].layout->class, word, both, 2, &choice);
  }
  return choice;
}

static DaeValue
apply_choice(DaeReader *reader, const Choice *choice, const char *word, DaeValue both[2],
             uint32_t pos)
{
  if (choice->other != 0) {
    g_autofree char *one = qualified_name(reader, choice->class);
    g_autofree char *other = qualified_name(reader, choice->other);
    dae_source_error(reader->source, pos, "two operators %s fit these operands: %s and %s",
                     word, one, other);
    return dae_value_poison();
  }
  return dae_call_apply(reader, choice->class, both, 2, pos);
}

/* One operand is made a record of the other one's kind. */
static Choice
choose_converted(DaeReader *reader, const char *word, uint32_t which, DaeValue both[2],
                 uint32_t pos)
{
  Choice choice = {NO_MATCH, 0, 0};
  const DaeValue *model = &both[1 - which];
  if (model->type == DAE_VALUE_RECORD &&
      convert(reader, model->layout->class, &both[which], pos)) {
    consider(reader, model->layout->class, word, both, 2, &choice);
  }
  return choice;
}

static DaeValue
apply_pair(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  const DaeLayout *layout = layout_of(a, b);
  const char *word = operator_name(op);
  DaeValue both[2] = {*a, *b};
  both[0].name = both[1].name = 0;
  if (word == NULL) {
    return fail(reader, op, layout, pos);
  }
  Choice choice = choose_pair(reader, word, both);
  if (choice.class != 0) {
    return apply_choice(reader, &choice, word, both, pos);
  }
  DaeValue left[2] = {both[0], both[1]};
  choice = choose_converted(reader, word, 1, both, pos);
  Choice other = choose_converted(reader, word, 0, left, pos);
  if (choice.class != 0 && other.class != 0) {
    choice.other = other.class;
  }
  return choice.class != 0  ? apply_choice(reader, &choice, word, both, pos)
         : other.class != 0 ? apply_choice(reader, &other, word, left, pos)
                            : fail(reader, op, layout, pos);
}

static DaeValue
element(DaeReader *reader, const DaeValue *array, uint32_t i)
{
  if (array->n_dims == 0) {
    return *array;
  }
  uint32_t width = dae_value_width(array);
  return dae_value_like(reader, array, 0, NULL, array->data + (size_t)i * width, 1);
}

static DaeValue
map_elements(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  const DaeValue *shape = a->n_dims > 0 ? a : b;
  DaeValue *results =
      dae_arena_alloc(reader->scratch, MAX(shape->count, 1u) * sizeof(DaeValue));
  for (uint32_t i = 0; i < shape->count; i++) {
    DaeValue x = element(reader, a, i);
    DaeValue y = b != NULL ? element(reader, b, i) : dae_value_poison();
    results[i] = b != NULL ? apply_pair(reader, op, &x, &y, pos)
                           : dae_overload_unary(reader, op, &x, pos);
    if (results[i].type == DAE_VALUE_POISON) {
      return results[i];
    }
  }
  DaeValue flat = dae_array_construct(reader, results, shape->count, pos);
  return flat.type == DAE_VALUE_POISON
             ? flat
             : dae_value_like(reader, &flat, shape->n_dims, shape->dims, flat.data, flat.count);
}

/* What a sum of no elements is. */
static DaeValue
zero_of(DaeReader *reader, const DaeValue *array, uint32_t pos)
{
  uint32_t class = array->type == DAE_VALUE_RECORD
                       ? find_fitting(reader, array->layout->class, "'0'", NULL, 0)
                       : 0;
  if (class != 0) {
    return dae_call_apply(reader, class, NULL, 0, pos);
  }
  dae_source_error(reader->source, pos, "a sum of no elements needs an operator '0'");
  return dae_value_poison();
}

/* The product of a row and a column. */
static DaeValue
dot(DaeReader *reader, const DaeValue *a, uint32_t from_a, uint32_t step_a, const DaeValue *b,
    uint32_t from_b, uint32_t step_b, uint32_t n, uint32_t pos)
{
  DaeValue sum = n == 0 ? zero_of(reader, a, pos) : dae_value_poison();
  for (uint32_t k = 0; k < n; k++) {
    DaeValue x = element(reader, a, from_a + k * step_a);
    DaeValue y = element(reader, b, from_b + k * step_b);
    DaeValue product = apply_pair(reader, DAE_OP_MUL, &x, &y, pos);
    sum = k == 0 ? product : apply_pair(reader, DAE_OP_ADD, &sum, &product, pos);
    if (sum.type != DAE_VALUE_RECORD) {
      return dae_value_poison();
    }
  }
  return sum;
}

static DaeValue
multiply_arrays(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  uint32_t inner = a->dims[a->n_dims - 1];
  if (a->n_dims > 2 || b->n_dims > 2 || inner != b->dims[0]) {
    dae_source_error(reader->source, pos, "the sizes of this product do not fit");
    return dae_value_poison();
  }
  uint32_t rows = a->n_dims == 2 ? a->dims[0] : 1;
  uint32_t columns = b->n_dims == 2 ? b->dims[1] : 1;
  DaeValue *results =
      dae_arena_alloc(reader->scratch, MAX(rows * columns, 1u) * sizeof(DaeValue));
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t j = 0; j < columns; j++) {
      DaeValue sum = dot(reader, a, i * inner, 1, b, j, columns, inner, pos);
      if (sum.type == DAE_VALUE_POISON) {
        return sum;
      }
      results[i * columns + j] = sum;
    }
  }
  uint32_t dims[2];
  uint32_t n_dims = 0;
  if (a->n_dims == 2) {
    dims[n_dims++] = rows;
  }
  if (b->n_dims == 2) {
    dims[n_dims++] = columns;
  }
  if (n_dims == 0) {
    return results[0];
  }
  DaeValue flat = dae_array_construct(reader, results, rows * columns, pos);
  return dae_value_like(reader, &flat, n_dims, dims, flat.data, flat.count);
}

static bool
is_by_elements(DaeOp op)
{
  return op == DAE_OP_EADD || op == DAE_OP_ESUB || op == DAE_OP_EMUL || op == DAE_OP_EDIV ||
         op == DAE_OP_EPOW;
}

/* A function may take whole arrays, such as a scalar product of its own: it comes first. */
DaeValue
dae_overload_binary(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b,
                    uint32_t pos)
{
  if (a->n_dims == 0 && b->n_dims == 0) {
    return apply_pair(reader, op, a, b, pos);
  }
  const char *word = is_by_elements(op) ? NULL : operator_name(op);
  DaeValue both[2] = {*a, *b};
  both[0].name = both[1].name = 0;
  Choice whole = word != NULL ? choose_pair(reader, word, both) : (Choice){NO_MATCH, 0, 0};
  if (whole.class != 0) {
    return apply_choice(reader, &whole, word, both, pos);
  }
  if (op == DAE_OP_MUL && a->n_dims > 0 && b->n_dims > 0) {
    return multiply_arrays(reader, a, b, pos);
  }
  bool same = dae_value_same_size(a, b);
  if (!same && (a->n_dims > 0) == (b->n_dims > 0)) {
    dae_source_error(reader->source, pos, "the sizes of the operands do not fit");
    return dae_value_poison();
  }
  return map_elements(reader, op, a, b, pos);
}

DaeValue
dae_overload_unary(DaeReader *reader, DaeOp op, const DaeValue *a, uint32_t pos)
{
  if (op == DAE_OP_PLUS) {
    return *a;
  }
  if (a->n_dims > 0) {
    return map_elements(reader, op, a, NULL, pos);
  }
  const char *word = operator_name(op);
  DaeValue value = *a;
  value.name = 0;
  uint32_t class = word != NULL ? find_fitting(reader, a->layout->class, word, &value, 1) : 0;
  return class != 0 ? dae_call_apply(reader, class, &value, 1, pos)
                    : fail(reader, op, a->layout, pos);
}

bool
dae_overload_constructor(DaeReader *reader, uint32_t record, const DaeValue *arguments,
                         uint32_t n, uint32_t pos, uint32_t *own)
{
  Choice choice = {NO_MATCH, 0, 0};
  consider(reader, record, "'constructor'", arguments, n, &choice);
  *own = choice.class;
  if (choice.other == 0) {
    return true;
  }
  g_autofree char *one = qualified_name(reader, choice.class);
  g_autofree char *other = qualified_name(reader, choice.other);
  dae_source_error(reader->source, pos, "two constructors fit these arguments: %s and %s", one,
                   other);
  return false;
}

DaeValue
dae_overload_string(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  uint32_t class = arguments[0].n_dims == 0 ? find_fitting(reader, arguments[0].layout->class,
                                                           "'String'", arguments, n)
                                            : 0;
  if (class == 0) {
    g_autofree char *name = qualified_name(reader, arguments[0].layout->class);
    dae_source_error(reader->source, pos, "record '%s' has no operator 'String' for this",
                     name);
    return dae_value_poison();
  }
  return dae_call_apply(reader, class, arguments, n, pos);
}

/* sum() of an array of records. */
DaeValue
dae_overload_sum(DaeReader *reader, const DaeValue *array, uint32_t pos)
{
  if (array->count == 0) {
    return zero_of(reader, array, pos);
  }
  DaeValue sum = element(reader, array, 0);
  for (uint32_t i = 1; i < array->count && sum.type == DAE_VALUE_RECORD; i++) {
    DaeValue next = element(reader, array, i);
    sum = apply_pair(reader, DAE_OP_ADD, &sum, &next, pos);
  }
  return sum;
}
