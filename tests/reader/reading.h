/* Shared by the tests of the reader: reads text, keeps the messages as one string. */
#ifndef DAE_TESTS_READER_READING_H
#define DAE_TESTS_READER_READING_H

#include <string.h>

#include "reader/reader.h"
#include "unity.h"

typedef struct {
  DaeTerms *terms;
  DaeModel *model;
  GString *messages; /* line:column: severity: text, one per line */
  GString *carets;   /* the source line and the underline of each message */
  GError *error;
} Reading;

static void
keep_message(void *user, const DaeDiagnostic *diagnostic)
{
  static const char *const words[] = {"note", "warning", "error"};
  Reading *reading = user;
  g_string_append_printf(reading->messages, "%u:%u: %s: %s\n", diagnostic->span.line,
                         diagnostic->span.column, words[diagnostic->severity],
                         diagnostic->message);
  if (diagnostic->source_line != NULL) {
    g_string_append_printf(reading->carets, "%s\n%*s", diagnostic->source_line,
                           (int)diagnostic->span.column - 1, "");
    for (uint32_t i = 0; i < diagnostic->span.length; i++) {
      g_string_append_c(reading->carets, '^');
    }
    g_string_append_c(reading->carets, '\n');
  }
}

static inline Reading
read_with(const char *text, size_t length, const DaeReadOptions *options)
{
  Reading reading = {
      .terms = dae_terms_new(), .messages = g_string_new(NULL), .carets = g_string_new(NULL)};
  DaeReporter reporter = {keep_message, NULL, &reading};
  reading.model =
      dae_model_read(reading.terms, "t.mo", text, length, options, &reporter, &reading.error);
  TEST_ASSERT_TRUE_MESSAGE((reading.model == NULL) == (reading.error != NULL),
                           "NULL exactly with an error");
  return reading;
}

static inline Reading
read_text(const char *text)
{
  return read_with(text, strlen(text), NULL);
}

static inline void
end_reading(Reading *reading)
{
  dae_model_free(reading->model);
  dae_terms_free(reading->terms);
  g_string_free(reading->messages, TRUE);
  g_string_free(reading->carets, TRUE);
  g_clear_error(&reading->error);
}

/* What `show` prints; fails the test if the text could not be read. (transfer full) */
static inline char *
shown(Reading *reading, bool evaluate)
{
  TEST_ASSERT_EQUAL_STRING("", reading->error != NULL ? reading->messages->str : "");
  TEST_ASSERT_NOT_NULL_MESSAGE(reading->model,
                               reading->error != NULL ? reading->error->message : "");
  GString *out = g_string_new(NULL);
  dae_model_print(reading->model, reading->terms, evaluate, out);
  return g_string_free(out, FALSE);
}

/* The text is understood as `expected`, and `expected` is understood as itself. */
static inline void
assert_shows(const char *expected, const char *text)
{
  Reading first = read_text(text);
  g_autofree char *once = shown(&first, false);
  TEST_ASSERT_EQUAL_STRING(expected, once);
  Reading second = read_text(once);
  g_autofree char *twice = shown(&second, false);
  TEST_ASSERT_EQUAL_STRING(once, twice);
  end_reading(&first);
  end_reading(&second);
}

/* The body is put into a model. */
static inline void
assert_body_shows(const char *expected, const char *body)
{
  g_autofree char *text = g_strdup_printf("model M\n%s\nend M;\n", body);
  g_autofree char *result = g_strdup_printf("model M\n%send M;\n", expected);
  assert_shows(result, text);
}

static inline void
assert_class_shows(const char *expected, const char *body)
{
  g_autofree char *text = g_strdup_printf("model M\n%s\nend M;\n", body);
  g_autofree char *result = g_strdup_printf(
      "class M\n%s  annotation(__daetool(elements = true));\nend M;\n", expected);
  assert_shows(result, text);
}

static inline void
assert_messages(const char *expected, const char *text)
{
  Reading reading = read_text(text);
  TEST_ASSERT_EQUAL_STRING(expected, reading.messages->str);
  end_reading(&reading);
}

#endif
