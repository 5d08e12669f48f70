#include "flat_text.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* The binding of x in postfix. */
static void
assert_postfix(const char *expression, const char *expected)
{
  g_autofree char *text =
      g_strdup_printf("model M Real a, b, c; Boolean p, q; Real x = %s; end M;", expression);
  g_autofree char *line = g_strdup_printf("Real x :=%s\n", expected);
  Flattened *f = flatten_with(text, "M", NULL);
  TEST_ASSERT_EQUAL_STRING("", f->messages->str);
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(f->text->str, line), f->text->str);
  flattened_free(f);
}

static void
test_operators_bind_as_the_grammar_says(void)
{
  assert_postfix("a + b*c", " a b c * +");
  assert_postfix("(a + b)*c", " a b + c *");
  assert_postfix("a - b - c", " a b - c -");
  assert_postfix("-a^2", " a 2 ^ neg");
  assert_postfix("a/b/c", " a b / c /");
  assert_postfix("if p and not q or a < b then 1 else 2", " p q not and a b < or ? 1 : 2 .");
}

static void
test_names_and_calls(void)
{
  assert_postfix("max(a, sin(b))", " a b sin/1 max/2");
  assert_postfix("{a, b, 2*c}[2]", " a b 2 c * {3} 2 [1]");
}

/* What the text alone has wrong: told when it is read, whatever is made of it then. */
static void
assert_told(const char *text, const char *expected)
{
  Flattened *f = flatten_with(text, "M", NULL);
  TEST_ASSERT_EQUAL_STRING(expected, f->messages->str);
  flattened_free(f);
}

static void
test_mistakes_have_their_place(void)
{
  assert_told("model M\n  Real x = 1 +;\nend M;", "2:15 expected an expression, found ';'\n");
  assert_told("model M Real x; end N;", "1:21 expected 'end M', found 'N'\n");
}

static void
test_deep_nesting_does_not_recurse(void)
{
  g_autoptr(GString) text = g_string_new("model M Real x = ");
  for (int i = 0; i < 100000; i++) {
    g_string_append_c(text, '(');
  }
  g_string_append_c(text, '1');
  for (int i = 0; i < 100000; i++) {
    g_string_append_c(text, ')');
  }
  g_string_append(text, "; end M;");
  assert_flat(text->str, "Real x := 1\n");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_operators_bind_as_the_grammar_says);
  RUN_TEST(test_names_and_calls);
  RUN_TEST(test_mistakes_have_their_place);
  RUN_TEST(test_deep_nesting_does_not_recurse);
  return UNITY_END();
}
