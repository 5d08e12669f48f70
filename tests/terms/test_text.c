/* Mathematics as a print style, against texts written by hand; and both styles of one text. */
#include "fixture.h"
#include "terms/text.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static char *
mathematics(const char *expression, size_t most)
{
  DaePrinting how = {.style = DAE_PRINT_MATH, .most = most};
  GString *out = g_string_new(NULL);
  dae_term_print_styled(terms, read_term(terms, expression), &how, out);
  return g_string_free(out, FALSE);
}

static void
test_mathematics_has_primes_raised_numbers_dots_and_signs(void)
{
  static const struct {
    const char *expression, *text;
  } cases[] = {
      {"x'", "x′"},
      {"x''", "x″"},
      {"(^ x 2)", "x²"},
      {"(^ x 10)", "x¹⁰"},
      {"(^ x' 3)", "x′³"},
      {"(* 2 x y)", "2·x·y"},
      {"(^ x -2)", "1/x²"},
      {"(* x (^ y -1))", "x/y"},
      {"(^ x 3/2)", "x^1.5"}, /* only whole numbers are raised */
      {"(^ x 1/3)", "x^(1/3)"},
      {"(^ x y)", "x^y"},
      {"(^ x 1/2)", "√(x)"},
      {"(^ x -1/2)", "1/√(x)"},
      {"(if (<= x 1) x y)", "if x ≤ 1 then x else y"},
      {"(if (>= x 1) x y)", "if x ≥ 1 then x else y"},
      {"(^ (+ x y) 2)", "(x + y)²"},
      {"(sin (* x y))", "sin(x·y)"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *text = mathematics(cases[i].expression, 0);
    TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
  }
}

/* x''''' has no sign of its own: the order stands in parentheses. */
static void
test_high_orders_are_numbers(void)
{
  DaeSymbol x = dae_term_get_symbol(terms, read_term(terms, "x"));
  DaePrinting how = {.style = DAE_PRINT_MATH};
  g_autoptr(GString) out = g_string_new(NULL);
  dae_term_print_styled(terms, dae_term_variable(terms, x, 3), &how, out);
  g_string_append_c(out, ' ');
  dae_term_print_styled(terms, dae_term_variable(terms, x, 4), &how, out);
  TEST_ASSERT_EQUAL_STRING("x‴ x⁽⁴⁾", out->str);
}

/* Names that look like operators or functions are what they are. */
static void
test_names_are_never_changed(void)
{
  static const char *const names[] = {"'a*b^2'", "der_x", "sqrt_2", "'der(x)'", "x2"};
  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    DaeSymbol symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, names[i]);
    DaePrinting how = {.style = DAE_PRINT_MATH};
    g_autoptr(GString) out = g_string_new(NULL);
    dae_term_print_styled(terms, dae_term_variable(terms, symbol, 0), &how, out);
    TEST_ASSERT_EQUAL_STRING(names[i], out->str);
  }
}

/* Of mathematics characters count, not bytes; the rest of a character is never left behind. */
static void
test_a_limit_counts_characters(void)
{
  static const char *const whole = "x² + y² + z²";
  size_t length = (size_t)g_utf8_strlen(whole, -1);
  for (size_t most = 1; most <= length; most++) {
    g_autofree char *text = mathematics("(+ (^ x 2) (^ y 2) (^ z 2))", most);
    TEST_ASSERT_TRUE(g_utf8_validate(text, -1, NULL));
    if (most == length) {
      TEST_ASSERT_EQUAL_STRING(whole, text);
    } else {
      g_autofree char *begin = g_utf8_substring(whole, 0, (glong)most);
      g_autofree char *expected = g_strconcat(begin, "...", NULL);
      TEST_ASSERT_EQUAL_STRING(expected, text);
    }
  }
}

static void
test_the_other_style_is_what_the_printer_prints(void)
{
  static const char *const examples[] = {"(+ (* 2 x' y) (^ z -3) 1/3)",
                                         "(if (< x 0) a (sin y))", "(^ (+ x y) 1/2)"};
  for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
    DaeTerm t = read_term(terms, examples[i]);
    DaePrinting how = {.style = DAE_PRINT_MODELICA};
    g_autofree char *plain = dae_term_to_string(terms, t);
    g_autoptr(GString) out = g_string_new(NULL);
    TEST_ASSERT_TRUE(dae_term_print_styled(terms, t, &how, out));
    TEST_ASSERT_EQUAL_STRING(plain, out->str);
  }
}

/* Words are the same in all styles; terms and what is differentiated are not. */
static void
test_a_text_is_written_in_all_styles_at_once(void)
{
  DaeStyledString string = dae_styled_string_new();
  dae_styled_append(&string, "where ");
  dae_styled_append_term(&string, terms, read_term(terms, "(* x y')"), 0);
  dae_styled_printf(&string, " = %d [", 5);
  for (int s = 0; s < DAE_N_PRINT_STYLES; s++) {
    dae_print_derivative_begin(string.in[s], (DaePrintStyle)s, 2);
    g_string_append(string.in[s], "row");
    dae_print_derivative_end(string.in[s], (DaePrintStyle)s, 2);
  }
  DaeStyled copy = dae_styled_string_copy(&string);
  DaeStyled text = dae_styled_string_end(&string);
  TEST_ASSERT_EQUAL_STRING("where x*der(y) = 5 [der(der(row))", text.in[DAE_PRINT_MODELICA]);
  TEST_ASSERT_EQUAL_STRING("where x·y′ = 5 [row″", text.in[DAE_PRINT_MATH]);
  TEST_ASSERT_EQUAL_STRING(text.in[DAE_PRINT_MATH], copy.in[DAE_PRINT_MATH]);
  dae_styled_clear(&copy);
  dae_styled_clear(&text);
  TEST_ASSERT_NULL(text.in[DAE_PRINT_MATH]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_mathematics_has_primes_raised_numbers_dots_and_signs);
  RUN_TEST(test_high_orders_are_numbers);
  RUN_TEST(test_names_are_never_changed);
  RUN_TEST(test_a_limit_counts_characters);
  RUN_TEST(test_the_other_style_is_what_the_printer_prints);
  RUN_TEST(test_a_text_is_written_in_all_styles_at_once);
  return UNITY_END();
}
