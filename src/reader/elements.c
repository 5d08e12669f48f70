/* Elements that are declared one by one, as OpenModelica prints arrays: `Real x[1]; Real x[2];`, or
 * with values of enumerations and truth values, `Real x[E.a]; Real x[E.b];`. All are named by
 * numbers. An enumeration that the text does not define is made of the literals in the order in
 * which they occur. */
#include "reader/reader-priv.h"

#include <string.h>

/* ---- enumerations ------------------------------------------------------------------------ */

/* What stands before the last dot, as a name; 0: there is none. */
static uint32_t
type_of_literal(const DaeReader *reader, uint32_t name, const char **literal)
{
  const char *text = dae_names_text(reader->names, name);
  const char *dot = strrchr(text, '.');
  if (dot == NULL || dot == text) {
    return 0;
  }
  *literal = dot + 1;
  return dae_names_intern(reader->names, text, (size_t)(dot - text));
}

static bool
is_defined(const DaeReader *reader, uint32_t name)
{
  for (uint32_t i = 1; i < reader->syntax->types->len; i++) {
    if (dae_syntax_type(reader->syntax, i)->name == name) {
      return true;
    }
  }
  return false;
}

typedef struct {
  uint32_t type;    /* name */
  GArray *literals; /* uint32_t: names */
  uint32_t pos;
} Found;

static void
add_literal(DaeReader *reader, GArray *all, const DaeInstruction *code)
{
  const char *text = NULL;
  uint32_t type = type_of_literal(reader, code->arg, &text);
  uint32_t at = 0;
  while (at < all->len && g_array_index(all, Found, at).type != type) {
    at++;
  }
  if (at == all->len) {
    Found found = {type, g_array_new(FALSE, FALSE, sizeof(uint32_t)), code->pos};
    g_array_append_val(all, found);
  }
  GArray *literals = g_array_index(all, Found, at).literals;
  uint32_t literal = dae_names_intern(reader->names, text, strlen(text));
  for (uint32_t i = 0; i < literals->len; i++) {
    if (g_array_index(literals, uint32_t, i) == literal) {
      return;
    }
  }
  g_array_append_val(literals, literal);
}

static void
make_enumerations(DaeReader *reader, const GArray *is_element)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Found));
  for (uint32_t i = 1; i < is_element->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    for (uint32_t d = 0; g_array_index(is_element, uint8_t, i) != 0 && d < declaration->n_dims;
         d++) {
      const DaeInstruction *code = dae_syntax_code(reader->syntax, declaration->dims_code + d);
      const char *text = NULL;
      if (code->op == DAE_OP_NAME &&
          !is_defined(reader, type_of_literal(reader, code->arg, &text))) {
        add_literal(reader, all, code);
      }
    }
  }
  for (uint32_t i = 0; i < all->len; i++) {
    const Found *found = &g_array_index(all, Found, i);
    DaeTypeDefinition type = {.name = found->type,
                              .owner = reader->model,
                              .pos = found->pos,
                              .first_literal = reader->syntax->literals->len,
                              .n_literals = found->literals->len};
    g_array_append_vals(reader->syntax->literals, found->literals->data, found->literals->len);
    g_array_append_val(reader->syntax->types, type);
    g_array_free(found->literals, TRUE);
  }
}

/* ---- which declarations are elements ----------------------------------------------------- */

/* Numbers, truth values or names with a dot after the name. */
static bool
has_element_dims(const DaeReader *reader, const DaeDeclaration *declaration)
{
  if ((declaration->flags & DAE_FLAG_LITERAL_DIMS) != 0) {
    return true;
  }
  for (uint32_t i = 0; i < declaration->n_dims; i++) {
    const DaeInstruction *code = dae_syntax_code(reader->syntax, declaration->dims_code + i);
    const char *text = NULL;
    bool is_subscript =
        (code->op == DAE_OP_NUMBER && code->n == 0) || code->op == DAE_OP_BOOLEAN ||
        (code->op == DAE_OP_NAME && type_of_literal(reader, code->arg, &text) != 0);
    if (!is_subscript) {
      return false;
    }
  }
  return declaration->n_dims > 0;
}

/* In `class X` (as OpenModelica prints it) a repeated `Real x[1]; Real x[2];` declares the
 * elements one by one. A name that occurs once is an array, unless the annotation says
 * otherwise. The bindings of names serve as counters. */
static void
count_element_names(DaeReader *reader, int step)
{
  for (uint32_t i = 1; i < reader->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    if (declaration->owner == reader->model && has_element_dims(reader, declaration)) {
      uint32_t count = dae_names_binding(reader->names, declaration->name);
      dae_names_bind(reader->names, declaration->name, step > 0 ? count + 1 : 0);
    }
  }
}

GArray *
dae_elements_find(DaeReader *reader)
{
  const DaeClass *class = dae_syntax_class(reader->syntax, reader->model);
  GArray *is_element = g_array_new(FALSE, TRUE, 1);
  if (class->kind != DAE_CLASS_CLASS && class->kind != DAE_CLASS_BLOCK && !class->elements) {
    return is_element;
  }
  g_array_set_size(is_element, reader->syntax->declarations->len);
  count_element_names(reader, 1);
  for (uint32_t i = 1; i < reader->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    if (declaration->owner == reader->model && has_element_dims(reader, declaration)) {
      g_array_index(is_element, uint8_t, i) =
          (class->elements && (declaration->flags & DAE_FLAG_LITERAL_DIMS) != 0) ||
          dae_names_binding(reader->names, declaration->name) > 1;
    }
  }
  count_element_names(reader, -1);
  make_enumerations(reader, is_element);
  return is_element;
}

/* ---- their names ------------------------------------------------------------------------- */

/* Of a subscript; 0: it is none. */
static int64_t
number_of(const DaeReader *reader, const DaeInstruction *code)
{
  int64_t k = 0;
  if (dae_syntax_integer(reader->names, code, &k)) {
    return k;
  }
  if (code->op == DAE_OP_BOOLEAN) {
    return (int64_t)code->arg + 1;
  }
  uint32_t binding = code->op == DAE_OP_NAME ? dae_names_binding(reader->names, code->arg) : 0;
  bool is_literal = dae_binding_is_entity(binding) &&
                    dae_reader_entity(reader, binding)->kind == DAE_ENTITY_LITERAL;
  return is_literal && dae_term_get_int64(reader->terms,
                                          dae_reader_entity(reader, binding)->literal, &k)
             ? k
             : 0;
}

/* x[2] as the name of one element: enters the group x and returns the name. 0: reported. */
uint32_t
dae_elements_enter(DaeReader *reader, const DaeDeclaration *declaration)
{
  uint32_t indices[DAE_MAX_DIMENSIONS];
  uint32_t n = declaration->n_dims;
  g_string_assign(reader->text, dae_names_text(reader->names, declaration->name));
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *code = dae_syntax_code(reader->syntax, declaration->dims_code + i);
    int64_t k = number_of(reader, code);
    if (n > DAE_MAX_DIMENSIONS || k < 1 || k > (int64_t)DAE_MAX_ELEMENTS) {
      dae_source_error(reader->source, code->pos, "this is no subscript");
      return 0;
    }
    indices[i] = (uint32_t)k;
    g_string_append_printf(reader->text, "%c%u", i == 0 ? '[' : ',', indices[i]);
  }
  g_string_append_c(reader->text, ']');
  uint32_t name = dae_names_intern(reader->names, reader->text->str, reader->text->len);
  uint32_t group = dae_names_binding(reader->names, declaration->name);
  if (group == 0) {
    DaeEntity entity = {
        .kind = DAE_ENTITY_GROUP, .name = declaration->name, .n_dims = (uint16_t)n, .state = 2};
    entity.dims = dae_arena_alloc(reader->arena, n * sizeof(uint32_t));
    memset(entity.dims, 0, n * sizeof(uint32_t));
    group = reader->entities->len;
    dae_names_bind(reader->names, declaration->name, group);
    g_array_append_val(reader->entities, entity);
  }
  DaeEntity *entity = dae_reader_entity(reader, group);
  if (entity->kind != DAE_ENTITY_GROUP || entity->n_dims != n) {
    dae_scope_report_duplicate(reader, declaration->name, declaration->pos, group);
    return 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    entity->dims[i] = MAX(entity->dims[i], indices[i]);
  }
  if (!dae_dimensions_count(n, entity->dims, &entity->count)) {
    entity->count = 0; /* the whole cannot be used, the elements can */
    entity->is_broken = true;
  }
  return name;
}

/* ---- quoted names ------------------------------------------------------------------------ */

bool
dae_elements_load_quoted(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value)
{
  g_autofree char *whole = g_strdup(dae_names_text(reader->names, name));
  size_t length = strlen(whole);
  if (length < 3 || whole[0] != '\'' || whole[length - 1] != '\'') {
    return false;
  }
  whole[length - 1] = '\0';
  g_autoptr(GArray) elements = g_array_new(FALSE, FALSE, sizeof(DaeValue));
  for (uint32_t k = 1; k <= DAE_MAX_ELEMENTS; k++) {
    g_autofree char *text = g_strdup_printf("%s[%u]'", whole, k);
    uint32_t element = dae_names_find(reader->names, text, strlen(text));
    if (element == 0 || !dae_binding_is_entity(dae_names_binding(reader->names, element))) {
      break;
    }
    DaeValue one = dae_reader_load(reader, element, pos);
    if (one.type == DAE_VALUE_POISON) {
      *value = one;
      return true;
    }
    bool is_opaque = one.opaque;
    one.opaque = false;
    g_array_append_val(elements, one);
    if (is_opaque) { /* only sizes are known */
      value->opaque = true;
    }
  }
  if (elements->len == 0) {
    return false;
  }
  bool is_opaque = value->opaque;
  *value = dae_array_construct(reader, (DaeValue *)(void *)elements->data, elements->len, pos);
  value->opaque = is_opaque && value->type != DAE_VALUE_POISON;
  return true;
}

/* ---- results ----------------------------------------------------------------------------- */

/* f(x)[2] directly behind the call is OpenModelica's text for the second of several results;
 * (f(x))[2] is an element of the first one. */
DaeValue
dae_elements_index(DaeReader *reader, const DaeValue *array, const DaeValue *subscripts,
                   const DaeInstruction *instruction)
{
  int64_t k = 0;
  if (instruction->arg == DAE_INDEX_OF_CALL && instruction->n == 1 && array->n_outputs > 1 &&
      array->type != DAE_VALUE_FUNCTION && array->type != DAE_VALUE_TUPLE &&
      array->type != DAE_VALUE_POISON &&
      dae_syntax_class(reader->syntax, reader->model)->kind == DAE_CLASS_CLASS &&
      subscripts[0].n_dims == 0 && subscripts[0].type == DAE_VALUE_INTEGER &&
      dae_term_get_int64(reader->terms, subscripts[0].term, &k) && k >= 1 &&
      k <= array->n_outputs) {
    return array->outputs[k - 1];
  }
  return dae_array_subscript(reader, array, subscripts, instruction->n, "(...)",
                             instruction->pos);
}
