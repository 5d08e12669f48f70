#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_unterminated_things_are_told_once_where_they_begin(void)
{
  assert_messages("1:16: error: this string never ends: '\"' is missing\n",
                  "model M Real x \"oops; equation x = 1; end M;");
  assert_messages("1:17: error: this comment never ends: '*/' is missing\n",
                  "model M Real x; /* oops; equation x = 1; end M;");
  assert_messages("1:14: error: this quoted identifier never ends: \"'\" is missing\n",
                  "model M Real 'oops;\nReal y; equation y = 1; end M;");
}

static void
test_nul_bytes_are_told(void)
{
  static const char text[] = "model M Real x; equation x =\0 1; end M;";
  Reading reading = read_with(text, sizeof text - 1, NULL);
  TEST_ASSERT_EQUAL_STRING("1:29: error: a NUL byte (is this a text file?)\n",
                           reading.messages->str);
  end_reading(&reading);
  static const char comment[] = "model M Real x; /* \0\0 */ equation x = 1; end M;";
  reading = read_with(comment, sizeof comment - 1, NULL);
  TEST_ASSERT_EQUAL_STRING("1:20: error: a NUL byte (is this a text file?)\n",
                           reading.messages->str);
  end_reading(&reading);
}

static void
test_other_bytes_may_stand_in_comments_and_strings_only(void)
{
  assert_shows("model M\n  Real x \"\xff \xc3\xa4\";\nequation\n  x = 1;\nend M;\n",
               "model M Real x \"\xff \xc3\xa4\"; // \xfe\nequation x = 1; end M;");
  assert_messages("1:26: error: unexpected byte 0xff (not UTF-8)\n",
                  "model M Real x; equation \xff = 1; end M;");
  assert_messages("1:14: error: unexpected character 'ä' (names with other letters are written "
                  "in single quotes)\n",
                  "model M Real \xc3\xa4; end M;");
}

static void
test_quoted_identifiers_may_hold_anything(void)
{
  assert_body_shows("  Real 'a b+c[1].d=\\'e';\nequation\n  'a b+c[1].d=\\'e' = 1;\n",
                    "Real 'a b+c[1].d=\\'e'; equation 'a b+c[1].d=\\'e' = 1;");
}

static void
test_names_may_be_huge_and_hold_dollars(void)
{
  g_autofree char *name = g_strnfill(1000000, 'n');
  g_autofree char *text =
      g_strdup_printf("model M Real %s, $cse1; equation %s = 1; $cse1 = 2; end M;", name, name);
  Reading reading = read_text(text);
  TEST_ASSERT_NOT_NULL(reading.model);
  TEST_ASSERT_EQUAL_STRING(
      "$cse1",
      dae_terms_symbol_name(reading.terms, dae_model_variable(reading.model, 1)->symbol));
  end_reading(&reading);
}

static void
test_blanks_around_dots_do_not_matter(void)
{
  assert_body_shows("  Real a.b;\nequation\n  a.b = 1;\n", "Real a.b; equation a . b = 1;");
}

static void
test_positions_of_other_tools_are_skipped(void)
{
  assert_body_shows("  Real x;\nequation\n  x = 1;\n", "Real x; equation @17 x = 1 @3;");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_unterminated_things_are_told_once_where_they_begin);
  RUN_TEST(test_nul_bytes_are_told);
  RUN_TEST(test_other_bytes_may_stand_in_comments_and_strings_only);
  RUN_TEST(test_quoted_identifiers_may_hold_anything);
  RUN_TEST(test_names_may_be_huge_and_hold_dollars);
  RUN_TEST(test_blanks_around_dots_do_not_matter);
  RUN_TEST(test_positions_of_other_tools_are_skipped);
  return UNITY_END();
}
