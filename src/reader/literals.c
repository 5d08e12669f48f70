/* P.E.a where the declarations say enumeration(a, b) and no type P.E is defined, as OpenModelica
 * prints it: the literal of the only type of that kind that has it. Where several have it, P.E is
 * the one that has all literals of P.E that the text uses; where that leaves several, the one of
 * the variables that are declared with such a value. */
#include "reader/reader-priv.h"

#include <string.h>

static bool
is_nameless(const DaeReader *reader, uint32_t type)
{
  return g_str_has_prefix(
      dae_names_text(reader->names, dae_syntax_type(reader->syntax, type)->name),
      ".enumeration.");
}

/* The number of the literal in the type, from 1; 0: it is none of it. */
static uint32_t
number_in(const DaeReader *reader, uint32_t type, const char *literal)
{
  const DaeTypeDefinition *definition = dae_syntax_type(reader->syntax, type);
  for (uint32_t k = 0; k < definition->n_literals; k++) {
    uint32_t name =
        g_array_index(reader->syntax->literals, uint32_t, definition->first_literal + k);
    if (strcmp(dae_names_text(reader->names, name), literal) == 0) {
      return k + 1;
    }
  }
  return 0;
}

/* The literal of prefix that the instruction is; NULL: it is something else. */
static const char *
literal_of(const DaeReader *reader, const DaeInstruction *code, const char *prefix,
           size_t length)
{
  const char *text = code->op == DAE_OP_NAME ? dae_names_text(reader->names, code->arg) : "";
  return strncmp(text, prefix, length) == 0 && strchr(text + length, '.') == NULL
             ? text + length
             : NULL;
}

static bool
has_all(const DaeReader *reader, uint32_t type, const char *prefix, size_t length)
{
  for (uint32_t pc = 1; pc < reader->syntax->code->len; pc++) {
    const char *literal =
        literal_of(reader, dae_syntax_code(reader->syntax, pc), prefix, length);
    if (literal != NULL && number_in(reader, type, literal) == 0) {
      return false;
    }
  }
  return true;
}

/* Has a variable of this type such a value in its declaration? */
static bool
is_declared_with(const DaeReader *reader, uint32_t type, const char *prefix, size_t length)
{
  uint32_t name = dae_syntax_type(reader->syntax, type)->name;
  for (uint32_t i = 1; i < reader->syntax->declarations->len; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, i);
    if (d->type == name && d->binding != 0 &&
        literal_of(reader, dae_syntax_code(reader->syntax, d->binding), prefix, length) !=
            NULL &&
        dae_syntax_code(reader->syntax, d->binding + 1)->op == DAE_OP_RETURN) {
      return true;
    }
  }
  return false;
}

typedef bool (*Criterion)(const DaeReader *reader, uint32_t type, const char *prefix,
                          size_t length);

/* Keeps the candidates that meet the criterion. */
static void
keep(const DaeReader *reader, GArray *types, Criterion criterion, const char *prefix,
     size_t length)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < types->len; i++) {
    uint32_t type = g_array_index(types, uint32_t, i);
    if (criterion(reader, type, prefix, length)) {
      g_array_index(types, uint32_t, n++) = type;
    }
  }
  g_array_set_size(types, n);
}

/* The type of the literal; 0: none or several. name: PREFIX.LITERAL */
static uint32_t
type_of(const DaeReader *reader, const char *name, const char *literal)
{
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 1; i < reader->syntax->types->len; i++) {
    if (is_nameless(reader, i) && number_in(reader, i, literal) != 0) {
      g_array_append_val(types, i);
    }
  }
  size_t length = (size_t)(literal - name);
  if (types->len > 1) {
    keep(reader, types, has_all, name, length);
  }
  if (types->len > 1) {
    keep(reader, types, is_declared_with, name, length);
  }
  return types->len == 1 ? g_array_index(types, uint32_t, 0) : 0;
}

bool
dae_literal_find(DaeReader *reader, const char *name, DaeValue *value)
{
  const char *dot = strrchr(name, '.');
  if (dot == NULL || dot == name) {
    return false;
  }
  if (reader->literal_types == NULL) {
    reader->literal_types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  }
  gpointer known = NULL;
  if (!g_hash_table_lookup_extended(reader->literal_types, name, NULL, &known)) {
    known = GUINT_TO_POINTER(type_of(reader, name, dot + 1));
    g_hash_table_insert(reader->literal_types, g_strdup(name), known);
  }
  uint32_t type = GPOINTER_TO_UINT(known);
  if (type == 0) {
    return false;
  }
  *value =
      dae_value_scalar(DAE_VALUE_ENUMERATION,
                       dae_term_int(reader->terms, (int64_t)number_in(reader, type, dot + 1)));
  value->enumeration = dae_scope_enumeration(reader, type);
  return true;
}

/* ---- builtin types ----------------------------------------------------------------------- */

bool
dae_literal_is_builtin(const DaeReader *reader, uint32_t type, uint32_t builtin)
{
  static const char *const selects[] = {"never", "avoid", "default", "prefer", "always"};
  static const char *const levels[] = {"warning", "error"};
  bool is_select = builtin == DAE_ENUMERATION_STATE_SELECT;
  const char *const *words = is_select ? selects : levels;
  uint32_t n = is_select ? G_N_ELEMENTS(selects) : G_N_ELEMENTS(levels);
  if ((!is_select && builtin != DAE_ENUMERATION_ASSERTION_LEVEL) ||
      type >= reader->syntax->types->len ||
      dae_syntax_type(reader->syntax, type)->n_literals != n) {
    return false;
  }
  uint32_t first = dae_syntax_type(reader->syntax, type)->first_literal;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t literal = g_array_index(reader->syntax->literals, uint32_t, first + i);
    if (strcmp(dae_names_text(reader->names, literal), words[i]) != 0) {
      return false;
    }
  }
  return true;
}
