#include "../terms/random_term.h"
#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const char *const symbols = "model M parameter Real a = 1, b = 2; Real x, y, z, w;\n"
                                   "equation x = 1; y = 1; z = 1; w = 1; end M;";

static void
assert_reads(const char *expected, const char *text)
{
  Reading reading = read_text(symbols);
  GError *error = NULL;
  DaeTerm t = dae_model_parse_expression(reading.model, reading.terms, text, NULL, &error);
  TEST_ASSERT_TRUE_MESSAGE(t != DAE_NO_TERM, error != NULL ? error->message : "");
  g_autofree char *out = dae_term_to_string(reading.terms, t);
  TEST_ASSERT_EQUAL_STRING(expected, out);
  end_reading(&reading);
}

static void
assert_fails(const char *expected, const char *text)
{
  Reading reading = read_text(symbols);
  GError *error = NULL;
  TEST_ASSERT_EQUAL_UINT(DAE_NO_TERM, dae_model_parse_expression(reading.model, reading.terms,
                                                                 text, NULL, &error));
  TEST_ASSERT_EQUAL_STRING(expected, error->message);
  g_clear_error(&error);
  end_reading(&reading);
}

static void
test_precedence(void)
{
  assert_reads("y*z^2 + x", "x+y*z^2");
  assert_reads("-x^2", "-x^2");
  assert_reads("-x*y", "-x*y");
  assert_reads("1 - x - y", "1-x-y");
  assert_reads("0.5*x/y", "x/2/y");
  assert_reads("if z == 3 or y < 2 and x > 1 then x else y",
               "if x>1 and y<2 or z==3 then x else y");
  assert_reads("if not (x > 1) then x else if y > 1 then y else z + 1",
               "if not x>1 then x elseif y>1 then y else z+1");
}

static void
test_signs_where_the_grammar_has_none_are_understood(void)
{
  assert_reads("-x*y", "x*-y");
  assert_reads("1/x", "x^-1");
  assert_reads("x", "--x");
  assert_reads("x + y", "x - -y");
}

static void
test_numbers_are_exact(void)
{
  assert_reads("0.1", "0.1");
  assert_reads("1e-7", "1e-7");
  assert_reads("13.7503716373294544", "13.7503716373294544");
  assert_reads("1", "1.");
  assert_reads("0", "0.1 + 0.2 - 0.3");
  assert_reads("1/3", "1/3");
  assert_reads("2^1000000000", "2^(10^9)");
}

static void
test_comments_and_casts_vanish(void)
{
  assert_reads("2*x", "/*Real*/(2) * x // and so on");
}

static void
test_mistakes(void)
{
  assert_fails("expression:1:4: expected an expression, found the end of the file", "x +");
  assert_fails("expression:1:5: expected ')' to close what was opened in line 1, column 1, "
               "found the end of the file",
               "(x+y");
  assert_fails("expression:1:7: relations cannot be chained: combine them with 'and'",
               "x < y < z");
  assert_fails("expression:1:4: a power of a power needs parentheses: (a^b)^c or a^(b^c)",
               "x^y^z");
  assert_fails("expression:1:1: unknown name 'q'", "q");
  assert_fails("expression:1:3: expected the end of the expression, found 'y'", "x y");
  assert_fails("expression:1:2: a letter directly after a number (is an operator missing?)",
               "2x");
  assert_fails("expression:1:1: a number begins with a digit: write 0.5", ".5");
  assert_fails("expression:1:6: '=' in a condition: comparison is '=='",
               "if x = 1 then 2 else 3");
  assert_fails("expression:1:16: expected 'else': an if-expression has two sides, found the "
               "end of the file",
               "if x > 1 then 2");
  assert_fails("expression:1:2: division by zero", "1/0");
  assert_fails("expression:1:1: the exponent of this number is too large", "1e999999999");
}

/* print -> read -> the same id, for every kind of term. */
static void
test_random_terms_read_back_to_the_same_id(void)
{
  Reading reading = read_text(symbols);
  RandomTerms random;
  random_init(&random, reading.terms, 20240117, RANDOM_ALL);
  for (int i = 0; i < 100000; i++) {
    DaeTerm t = random_term(&random, 1 + i % 5);
    g_autofree char *text = dae_term_to_string(reading.terms, t);
    GError *error = NULL;
    DaeTerm again =
        dae_model_parse_expression(reading.model, reading.terms, text, NULL, &error);
    TEST_ASSERT_TRUE_MESSAGE(error == NULL, text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(t, again, text);
  }
  end_reading(&reading);
}

static char *
nest(const char *open, int n, const char *middle, const char *close)
{
  GString *text = g_string_new("model M Real x; equation x = ");
  for (int i = 0; i < n; i++) {
    g_string_append(text, open);
  }
  g_string_append(text, middle);
  for (int i = 0; i < n; i++) {
    g_string_append(text, close);
  }
  g_string_append(text, "; end M;");
  return g_string_free(text, FALSE);
}

static void
test_deep_nesting_is_limited_by_memory_only(void)
{
  static const char *const shapes[][3] = {
      {"(", "1", ")"},       {"sin(", "x", ")"},
      {"-", "x", ""},        {"if x > 1 then 2 else ", "3", ""},
      {"1 + (2*", "x", ")"}, {"abs(", "x", ")"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
    g_autofree char *text = nest(shapes[i][0], 100000, shapes[i][1], shapes[i][2]);
    Reading reading = read_text(text);
    TEST_ASSERT_NOT_NULL_MESSAGE(reading.model, reading.messages->str);
    end_reading(&reading);
  }
}

static void
test_what_nests_too_deeply_says_so(void)
{
  static const char *const shapes[][3] = {
      {"{", "1", "}"}, {"{", "i", " for i in 1:1}"}, {"x[", "1", "]"}, {"der(", "x^2", ")"}};
  for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
    g_autofree char *text = nest(shapes[i][0], 20000, shapes[i][1], shapes[i][2]);
    Reading reading = read_text(text);
    TEST_ASSERT_NULL(reading.model);
    TEST_ASSERT_NOT_EQUAL(0, reading.messages->len);
    end_reading(&reading);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_precedence);
  RUN_TEST(test_signs_where_the_grammar_has_none_are_understood);
  RUN_TEST(test_numbers_are_exact);
  RUN_TEST(test_comments_and_casts_vanish);
  RUN_TEST(test_mistakes);
  RUN_TEST(test_random_terms_read_back_to_the_same_id);
  RUN_TEST(test_deep_nesting_is_limited_by_memory_only);
  RUN_TEST(test_what_nests_too_deeply_says_so);
  return UNITY_END();
}
