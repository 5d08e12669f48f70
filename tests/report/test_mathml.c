#include "report/mathml.h"

#include <string.h>

#include "reader/reader.h"
#include "unity.h"

static DaeTerms *terms;
static DaeModel *model;

void
setUp(void)
{
  static const char text[] = "model M\n"
                             "  parameter Real g = 9.81, cp = 1;\n"
                             "  Real x, y, lambda, w0, T_in, pump, v[2];\n"
                             "  Boolean on;\n"
                             "  Real z[2];\n"
                             "equation\n"
                             "  der(x) = y; der(der(y)) = x; lambda = 1; w0 = 2; T_in = 3;\n"
                             "  der(pump) = 1; v = {1, 2}; on = x > 1;\n"
                             "  z[1] = if on then x else y;\n"
                             "  z[2] = if not on then x else y;\n"
                             "end M;\n";
  terms = dae_terms_new();
  model = dae_model_read(terms, "test.mo", text, strlen(text), NULL, NULL, NULL);
  TEST_ASSERT_NOT_NULL(model);
}

void
tearDown(void)
{
  dae_model_free(model);
  dae_terms_free(terms);
}

static DaeTerm
parse(const char *text)
{
  DaeTerm t = dae_model_parse_expression(model, terms, text, NULL, NULL);
  TEST_ASSERT_TRUE_MESSAGE(t != DAE_NO_TERM, text);
  return t;
}

/* What stands between <math ...> and </math>. */
static char *
inner_of(const char *text)
{
  g_autoptr(GString) out = g_string_new(NULL);
  dae_mathml_term(terms, parse(text), out);
  const char *begin = strchr(out->str, '>') + 1;
  TEST_ASSERT_TRUE(g_str_has_prefix(out->str, "<math alttext=\""));
  TEST_ASSERT_TRUE(g_str_has_suffix(out->str, "</math>"));
  return g_strndup(begin, strlen(begin) - strlen("</math>"));
}

static void
assert_math(const char *expected, const char *text)
{
  g_autofree char *inner = inner_of(text);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, inner, text);
}

static void
test_names_are_set_as_in_a_book(void)
{
  assert_math("<mi>x</mi>", "x");
  assert_math("<mi>λ</mi>", "lambda");
  assert_math("<msub><mi>w</mi><mtext>0</mtext></msub>", "w0");
  assert_math("<msub><mi>T</mi><mtext>in</mtext></msub>", "T_in");
  assert_math("<msub><mi>v</mi><mtext>2</mtext></msub>", "v[2]");
  assert_math("<mi>pump</mi>", "pump");
}

static void
test_derivatives_of_letters_have_dots_and_of_words_primes(void)
{
  assert_math("<mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover>", "der(x)");
  assert_math("<mover accent=\"true\"><mi>y</mi><mo>¨</mo></mover>", "der(der(y))");
  assert_math("<mi>pump′</mi>", "der(pump)");
}

static void
test_powers_roots_and_quotients(void)
{
  assert_math("<msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup>", "x^2");
  assert_math("<msqrt><mi>x</mi></msqrt>", "sqrt(x)");
  assert_math("<mfrac><mrow><mi>x</mi></mrow><mrow><mi>y</mi></mrow></mfrac>", "x/y");
  assert_math("<mfrac><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mfrac>", "x/3");
  assert_math("<mfrac><mrow><mn>1</mn></mrow><mrow><msqrt><mi>x</mi></msqrt></mrow></mfrac>",
              "1/sqrt(x)");
  assert_math("<mfrac><mn>1</mn><mn>3</mn></mfrac>", "1/3");
}

static void
test_signs_stand_once(void)
{
  assert_math("<mo form=\"prefix\">−</mo><mrow><mi>x</mi></mrow>", "-x");
  assert_math("<mrow><mi>x</mi><mo>−</mo><mrow><mi>y</mi></mrow><mo>−</mo><mn>1</mn></mrow>",
              "x - y - 1");
}

static void
test_sums_in_products_have_parentheses_but_not_in_fractions(void)
{
  g_autofree char *product = inner_of("(x + y)*cp");
  g_autofree char *quotient = inner_of("cp/(x + y)");
  TEST_ASSERT_NOT_NULL(strstr(product, "(</mo>"));
  TEST_ASSERT_NULL(strstr(quotient, "(</mo>"));
}

static void
test_functions_and_cases(void)
{
  g_autofree char *sine = inner_of("sin(x)");
  g_autofree char *size = inner_of("abs(x)");
  g_autofree char *cases = inner_of("if x < 1 then y else g");
  TEST_ASSERT_NOT_NULL(strstr(sine, "<mi mathvariant=\"normal\">sin</mi>"));
  TEST_ASSERT_NOT_NULL(strstr(size, "<mo>|</mo><mi>x</mi><mo>|</mo>"));
  TEST_ASSERT_NOT_NULL(strstr(cases, "<mo>&lt;</mo>"));
  TEST_ASSERT_NOT_NULL(strstr(cases, "<mtable"));
}

/* Elements are closed in the order they are opened, for every kind of term. */
static void
test_everything_is_well_formed(void)
{
  static const char *const texts[] = {"x^2 + y^2 - g*lambda",
                                      "-x/(y*cp) + 1e-12",
                                      "if x < 1 and y > 2 then x else -y",
                                      "sin(x)^2*exp(-x/(1 + y))",
                                      "max(x, min(y, g))/sqrt(cp)",
                                      "(x + y)^(1/3)*(-2)",
                                      "1e100*x - 1/7",
                                      "if not x < 1 then 1 else 0"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    GMarkupParser parser = {0};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    dae_mathml_equation(terms, parse(texts[i]), parse("0"), out);
    bool ok = g_markup_parse_context_parse(context, out->str, (gssize)out->len, &error) &&
              g_markup_parse_context_end_parse(context, &error);
    g_markup_parse_context_free(context);
    TEST_ASSERT_TRUE_MESSAGE(ok, out->str);
  }
}

/* A DAG that is small in memory and huge as a text is cut, not written out. */
static void
test_huge_terms_are_cut(void)
{
  DaeTerm t = parse("x");
  for (int i = 0; i < 60; i++) {
    t = dae_term_call1(terms, DAE_FN_SIN, dae_term_add(terms, t, dae_term_mul(terms, t, t)));
  }
  g_autoptr(GString) out = g_string_new(NULL);
  dae_mathml_term(terms, t, out);
  TEST_ASSERT_TRUE(out->len < 2 * DAE_MATHML_LONGEST);
  TEST_ASSERT_TRUE(g_str_has_prefix(out->str, "<code>"));
}

static void
test_text_is_escaped(void)
{
  g_autoptr(GString) out = g_string_new(NULL);
  dae_html_escape(out, "<a & \"b\">");
  TEST_ASSERT_EQUAL_STRING("&lt;a &amp; &quot;b&quot;&gt;", out->str);
}

/* A Boolean is 0 or 1 inside: nobody wants to read 0.5 < on. */
static void
test_a_boolean_is_its_name(void)
{
  g_autoptr(GString) all = g_string_new(NULL);
  uint32_t j = 0;
  for (uint32_t k = 0; k < dae_model_n_variables(model); k++) {
    j = dae_model_variable(model, k)->type == DAE_TYPE_BOOLEAN ? k : j;
  }
  dae_terms_set_condition(terms, dae_model_variable(model, j)->symbol);
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    dae_mathml_term(terms, dae_model_equation(model, i)->rhs, all);
  }
  TEST_ASSERT_NULL(strstr(all->str, "<mn>0.5</mn>"));
  TEST_ASSERT_NOT_NULL(strstr(all->str, "<mtext>if&#160;</mtext>"));
  TEST_ASSERT_NOT_NULL(strstr(all->str, "<mo>¬</mo>"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_boolean_is_its_name);
  RUN_TEST(test_names_are_set_as_in_a_book);
  RUN_TEST(test_derivatives_of_letters_have_dots_and_of_words_primes);
  RUN_TEST(test_powers_roots_and_quotients);
  RUN_TEST(test_signs_stand_once);
  RUN_TEST(test_sums_in_products_have_parentheses_but_not_in_fractions);
  RUN_TEST(test_functions_and_cases);
  RUN_TEST(test_everything_is_well_formed);
  RUN_TEST(test_huge_terms_are_cut);
  RUN_TEST(test_text_is_escaped);
  return UNITY_END();
}
