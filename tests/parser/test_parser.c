#include <string.h>

#include "parser/parser.h"
#include "postfix.h"
#include "unity.h"

typedef struct {
  DaeSource source;
  DaeNames *names;
  DaeSyntax syntax;
  DaeReporter reporter;
  GString *messages; /* LINE:COLUMN text, one a line */
} Parsed;

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
keep_message(void *user, const DaeDiagnostic *diagnostic)
{
  g_string_append_printf(user, "%u:%u %s\n", (unsigned)diagnostic->span.line,
                         (unsigned)diagnostic->span.column, diagnostic->message);
}

static void
parse(Parsed *p, const char *text)
{
  p->messages = g_string_new(NULL);
  p->reporter = (DaeReporter){.diagnostic = keep_message, .user = p->messages};
  p->names = dae_names_new();
  dae_source_init(&p->source, "test.mo", text, strlen(text), &p->reporter);
  dae_syntax_init(&p->syntax);
  DaeParser parser;
  dae_parser_init(&parser, &p->source, p->names, &p->syntax, text, strlen(text), 0);
  dae_parse_file(&parser);
  dae_parser_clear(&parser);
}

static void
end(Parsed *p)
{
  dae_syntax_clear(&p->syntax);
  dae_source_clear(&p->source);
  dae_names_free(p->names);
  g_string_free(p->messages, TRUE);
}

/* The text has no mistake, and the binding of its last declaration is this in postfix. */
static void
assert_binding(const char *text, const char *expected)
{
  Parsed p;
  parse(&p, text);
  TEST_ASSERT_EQUAL_STRING("", p.messages->str);
  const DaeDeclaration *last =
      dae_syntax_declaration(&p.syntax, p.syntax.declarations->len - 1);
  g_autoptr(GString) postfix = g_string_new(NULL);
  append_postfix(postfix, &p.syntax, p.names, last->binding);
  TEST_ASSERT_EQUAL_STRING(expected, postfix->str);
  end(&p);
}

static void
assert_postfix(const char *expression, const char *expected)
{
  g_autofree char *text =
      g_strdup_printf("model M Real a, b, c; Boolean p, q; Real x = %s; end M;", expression);
  assert_binding(text, expected);
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

static void
assert_told(const char *text, const char *expected)
{
  Parsed p;
  parse(&p, text);
  TEST_ASSERT_EQUAL_STRING(expected, p.messages->str);
  end(&p);
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
  assert_binding(text->str, " 1");
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
