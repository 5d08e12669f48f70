/* A flat model as text that is easy to compare: declarations with their types, sizes, attributes
 * and bindings, equations, all expressions in postfix as they are stored. */
#ifndef DAE_TESTS_LANG_FLAT_TEXT_H
#define DAE_TESTS_LANG_FLAT_TEXT_H

#include <string.h>

#include "../parser/postfix.h"
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
append_declaration(Flattened *f, const DaeSyntax *syntax, const DaeDeclaration *declaration)
{
  const DaeNames *names = dae_library_names(f->library);
  bool is_parameter = (declaration->flags & DAE_FLAG_PARAMETER) != 0;
  g_string_append_printf(f->text, "%s%s %s", is_parameter ? "parameter " : "",
                         dae_names_text(names, declaration->type),
                         dae_names_text(names, declaration->name));
  if (declaration->n_dims > 0) {
    g_string_append(f->text, " [");
    append_postfix(f->text, syntax, names, declaration->dims_code);
    g_string_append(f->text, " ]");
  }
  for (uint32_t i = 0; i < declaration->n_mods; i++) {
    const DaeModification *mod = dae_syntax_modifier(syntax, declaration->first_mod + i);
    g_string_append_printf(f->text, " (%s", dae_names_text(names, mod->name));
    append_postfix(f->text, syntax, names, mod->code);
    g_string_append_c(f->text, ')');
  }
  if (declaration->binding != 0) {
    g_string_append(f->text, " :=");
    append_postfix(f->text, syntax, names, declaration->binding);
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
  const DaeNames *names = dae_library_names(f->library);
  for (guint i = 1; i < syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(syntax, i);
    if (declaration->owner == 1) {
      append_declaration(f, syntax, declaration);
    }
  }
  for (guint i = 0; i < syntax->sections->len; i++) {
    append_postfix(f->text, syntax, names, g_array_index(syntax->sections, DaeSection, i).code);
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
