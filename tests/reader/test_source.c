#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* What a user sees, byte for byte. */
static void
test_the_caret_stands_under_the_word(void)
{
  Reading reading =
      read_text("model Pendulum\n  Real lambda;\nequation\n  2*lamda = 1;\nend Pendulum;\n");
  TEST_ASSERT_EQUAL_STRING("4:5: error: unknown name 'lamda'; did you mean 'lambda'?\n",
                           reading.messages->str);
  TEST_ASSERT_EQUAL_STRING("  2*lamda = 1;\n    ^^^^^\n", reading.carets->str);
  TEST_ASSERT_EQUAL_INT(DAE_ERROR_MODEL, reading.error->code);
  TEST_ASSERT_EQUAL_STRING("t.mo:4:5: unknown name 'lamda'; did you mean 'lambda'?",
                           reading.error->message);
  end_reading(&reading);
}

static void
test_line_ends_of_all_kinds_count_the_same(void)
{
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  for (size_t i = 0; i < 3; i++) {
    g_autofree char *text =
        g_strjoin(ends[i], "model M", "  Real x;", "equation", "  x = y;", "end M;", NULL);
    Reading reading = read_text(text);
    TEST_ASSERT_EQUAL_STRING("4:7: error: unknown name 'y'\n", reading.messages->str);
    TEST_ASSERT_EQUAL_STRING("  x = y;\n      ^\n", reading.carets->str);
    end_reading(&reading);
  }
}

/* \r before \r\n ends a line of its own; so does the last byte of a text. */
static void
test_line_ends_of_different_kinds_may_be_mixed(void)
{
  Reading reading = read_text("model M\r\r\n  Real x;\n\requation\n\r\n  x = y;\rend M;\r");
  TEST_ASSERT_EQUAL_STRING("7:7: error: unknown name 'y'\n", reading.messages->str);
  TEST_ASSERT_EQUAL_STRING("  x = y;\n      ^\n", reading.carets->str);
  end_reading(&reading);
  assert_messages("3:1: error: expected the name of a variable, found the end of the file\n",
                  "\r\nmod\r");
}

static void
test_a_byte_order_mark_is_no_column(void)
{
  Reading reading = read_text("\xef\xbb\xbfmodel M Real x; equation x = y; end M;");
  TEST_ASSERT_EQUAL_STRING("1:30: error: unknown name 'y'\n", reading.messages->str);
  TEST_ASSERT_EQUAL_STRING(
      "model M Real x; equation x = y; end M;\n                             ^\n",
      reading.carets->str);
  end_reading(&reading);
}

static void
test_several_mistakes_are_told_in_one_run(void)
{
  assert_messages("3:10: error: unknown attribute 'strat'; did you mean 'start'?\n"
                  "5:3: error: unknown name 'z'\n"
                  "6:8: error: division by zero\n"
                  "7:5: error: '+' does not take Real and Boolean\n",
                  "model M\n  Real y;\n  Real x(strat = 1);\nequation\n  z = 1;\n  x = 1/(2 - "
                  "2);\n  x + true = y;\n"
                  "end M;\n");
}

static void
test_a_broken_declaration_makes_no_unknown_names(void)
{
  assert_messages("2:13: error: expected an expression, found ';'\n",
                  "model M\n  Real x = (;\n  Real y;\nequation\n  y = x;\nend M;\n");
}

static void
test_a_mistake_in_a_loop_is_told_once(void)
{
  assert_messages("1:54: error: unknown name 'q'\n",
                  "model M Real x[9]; equation for i in 1:9 loop x[i] = q; end for; end M;");
}

static void
test_twenty_errors_are_enough(void)
{
  g_autoptr(GString) text = g_string_new("model M\n  Real x;\nequation\n");
  for (int i = 0; i < 50; i++) {
    g_string_append_printf(text, "  x = unknown%d;\n", i);
  }
  g_string_append(text, "end M;\n");
  Reading reading = read_text(text->str);
  g_auto(GStrv) lines = g_strsplit(reading.messages->str, "\n", -1);
  TEST_ASSERT_EQUAL_UINT(21, g_strv_length(lines));
  end_reading(&reading);
}

static void
test_missing_semicolon_points_behind_the_equation(void)
{
  Reading reading = read_text("model M\n  Real x, y;\nequation\n  x = 1\n  y = 2;\nend M;\n");
  TEST_ASSERT_EQUAL_STRING("4:7: error: expected ';' after the equation\n",
                           reading.messages->str);
  TEST_ASSERT_EQUAL_STRING("  x = 1\n      ^\n", reading.carets->str);
  end_reading(&reading);
}

static void
test_parentheses_that_do_not_match(void)
{
  assert_messages(
      "1:36: error: expected ')' to close what was opened in line 1, column 30, found ';'\n",
      "model M Real x; equation x = (1 + 2; end M;");
  assert_messages("1:35: error: ')' closes nothing\n",
                  "model M Real x; equation x = 1 + 2); end M;");
  assert_messages(
      "1:38: error: expected ']' to close what was opened in line 1, column 30, found ')'\n",
      "model M Real x; equation x = [1, 2; 3); end M;");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_caret_stands_under_the_word);
  RUN_TEST(test_line_ends_of_all_kinds_count_the_same);
  RUN_TEST(test_line_ends_of_different_kinds_may_be_mixed);
  RUN_TEST(test_a_byte_order_mark_is_no_column);
  RUN_TEST(test_several_mistakes_are_told_in_one_run);
  RUN_TEST(test_a_broken_declaration_makes_no_unknown_names);
  RUN_TEST(test_a_mistake_in_a_loop_is_told_once);
  RUN_TEST(test_twenty_errors_are_enough);
  RUN_TEST(test_missing_semicolon_points_behind_the_equation);
  RUN_TEST(test_parentheses_that_do_not_match);
  return UNITY_END();
}
