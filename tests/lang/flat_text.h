/* A flat model as text that is easy to compare: declarations with their types, sizes, attributes
 * and bindings, equations, all expressions in postfix as they are stored. */
#ifndef DAE_TESTS_LANG_FLAT_TEXT_H
#define DAE_TESTS_LANG_FLAT_TEXT_H

#include <string.h>

#include "lang/lang.h"
#include "unity.h"

typedef struct {
  DaeLibrary *library;
  DaeFlat *flat;
  DaeReporter reporter;
  GString *messages; /* LINE:COLUMN text, one a line */
  GString *text;
} Flattened;

static void
keep_message(void *user, const DaeDiagnostic *diagnostic)
{
  g_string_append_printf(user, "%u:%u %s\n", (unsigned)diagnostic->span.line,
                         (unsigned)diagnostic->span.column, diagnostic->message);
}

static void
append_code(Flattened *f, const DaeSyntax *syntax, uint32_t code)
{
  static const char *const operators[] = {
      [DAE_OP_NEGATE] = "neg", [DAE_OP_NOT] = "not", [DAE_OP_ADD] = "+",
      [DAE_OP_SUB] = "-",      [DAE_OP_MUL] = "*",   [DAE_OP_DIV] = "/",
      [DAE_OP_POW] = "^",      [DAE_OP_LT] = "<",    [DAE_OP_GT] = ">",
      [DAE_OP_EQ] = "==",      [DAE_OP_AND] = "and", [DAE_OP_OR] = "or",
      [DAE_OP_TEST] = "?",     [DAE_OP_ELSE] = ":",  [DAE_OP_ENDIF] = ".",
      [DAE_OP_EQUATION] = "=;"};
  const DaeNames *names = dae_library_names(f->library);
  for (uint32_t pc = code; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
    g_string_append_c(f->text, ' ');
    switch ((int)instruction->op) {
    case DAE_OP_NUMBER:
    case DAE_OP_NAME:
    case DAE_OP_STRING:
      g_string_append(f->text, dae_names_text(names, instruction->arg));
      break;
    case DAE_OP_BOOLEAN:
      g_string_append(f->text, instruction->arg != 0 ? "true" : "false");
      break;
    case DAE_OP_ELEMENT:
    case DAE_OP_CALL:
      g_string_append_printf(f->text, "%s/%u", dae_names_text(names, instruction->arg),
                             (unsigned)instruction->n);
      break;
    case DAE_OP_ARRAY:
      g_string_append_printf(f->text, "{%u}", (unsigned)instruction->n);
      break;
    case DAE_OP_INDEX:
      g_string_append_printf(f->text, "[%u]", (unsigned)instruction->n);
      break;
    default: {
      bool is_known =
          instruction->op < G_N_ELEMENTS(operators) && operators[instruction->op] != NULL;
      g_string_append(f->text, is_known ? operators[instruction->op] : "<?>");
    }
    }
  }
}

static void
append_declaration(Flattened *f, const DaeSyntax *syntax, const DaeDeclaration *declaration)
{
  const DaeNames *names = dae_library_names(f->library);
  bool is_parameter = (declaration->flags & DAE_FLAG_PARAMETER) != 0;
  g_string_append_printf(f->text, "%s%s %s", is_parameter ? "parameter " : "",
                         dae_names_text(names, declaration->type),
                         dae_names_text(names, declaration->name));
  if (declaration->n_dims > 0) {
    g_string_append(f->text, " [");
    append_code(f, syntax, declaration->dims_code);
    g_string_append(f->text, " ]");
  }
  for (uint32_t i = 0; i < declaration->n_mods; i++) {
    const DaeModification *mod = dae_syntax_modifier(syntax, declaration->first_mod + i);
    g_string_append_printf(f->text, " (%s", dae_names_text(names, mod->name));
    append_code(f, syntax, mod->code);
    g_string_append_c(f->text, ')');
  }
  if (declaration->binding != 0) {
    g_string_append(f->text, " :=");
    append_code(f, syntax, declaration->binding);
  }
  g_string_append_c(f->text, '\n');
}

static Flattened *
flatten_with(const char *text, const char *name, const DaeFlattenOptions *options)
{
  Flattened *f = g_new0(Flattened, 1);
  f->messages = g_string_new(NULL);
  f->text = g_string_new(NULL);
  f->reporter = (DaeReporter){.diagnostic = keep_message, .user = f->messages};
  f->library = dae_library_new(NULL, &f->reporter);
  dae_library_add_text(f->library, "test.mo", text, strlen(text));
  f->flat = dae_flatten(f->library, name, options);
  if (f->flat == NULL) {
    return f;
  }
  const DaeSyntax *syntax = dae_flat_syntax(f->flat);
  for (guint i = 1; i < syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(syntax, i);
    if (declaration->owner == 1) {
      append_declaration(f, syntax, declaration);
    }
  }
  for (guint i = 0; i < syntax->sections->len; i++) {
    append_code(f, syntax, g_array_index(syntax->sections, DaeSection, i).code);
  }
  return f;
}

static void
flattened_free(Flattened *f)
{
  dae_flat_free(f->flat);
  dae_library_free(f->library);
  g_string_free(f->messages, TRUE);
  g_string_free(f->text, TRUE);
  g_free(f);
}

/* Class M of the text becomes exactly this. */
static inline void
assert_flat(const char *text, const char *expected)
{
  Flattened *f = flatten_with(text, "M", NULL);
  TEST_ASSERT_EQUAL_STRING("", f->messages->str);
  TEST_ASSERT_NOT_NULL(f->flat);
  TEST_ASSERT_EQUAL_STRING(expected, f->text->str);
  flattened_free(f);
}

/* Class M of the text has this mistake and no other. */
static inline void
assert_mistake(const char *text, const char *expected)
{
  Flattened *f = flatten_with(text, "M", NULL);
  TEST_ASSERT_NULL(f->flat);
  TEST_ASSERT_EQUAL_STRING(expected, f->messages->str);
  flattened_free(f);
}

#endif
