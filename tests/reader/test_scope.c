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
test_types_are_followed_to_their_builtin(void)
{
  assert_shows("model M\n  Real u(unit = \"V\", start = 2);\n  Real w(unit = \"mV\", start = "
               "2);\nequation\n  u = 1;\n"
               "  w = 2;\nend M;\n",
               "type V = Real(unit = \"V\"); type W = V(start = 2);\n"
               "model M W u; W w(unit = \"mV\"); equation u = 1; w = 2; end M;");
}

static void
test_array_types_add_dimensions(void)
{
  assert_shows("class M\n  Real r[1];\n  Real r[2];\nequation\n  r[1] = 1;\n  r[2] = 2;\n"
               "  annotation(__daetool(elements = true));\nend M;\n",
               "model M type P = Real[2]; P r; equation r = {1, 2}; end M;");
}

static void
test_enumerations_are_folded_to_their_numbers(void)
{
  assert_shows(
      "model M\n  parameter Integer c = 2;\n  Real x;\nequation\n  x = 5;\nend M;\n",
      "type Color = enumeration(red, green); model M parameter Color c = Color.green; Real x;\n"
      "equation x = if c == Color.red then 3 else 5; end M;");
}

static void
test_repeated_elements_in_a_class_are_declared_one_by_one(void)
{
  assert_shows(
      "class X\n  Real x[2];\n  Real x[1](start = 1);\nequation\n  x[2] + x[1] = 1;\n  x[2] = "
      "2;\n"
      "  annotation(__daetool(elements = true));\nend X;\n",
      "class X Real x[2]; Real x[1](start = 1); equation sum(x) = 1; x[2] = 2; end X;");
}

static void
test_one_declaration_in_a_class_is_an_array(void)
{
  assert_shows("class X\n  Real x[1];\n  Real x[2];\nequation\n  x[1] = 1;\n  x[2] = 1;\n"
               "  annotation(__daetool(elements = true));\nend X;\n",
               "class X Real x[2]; equation x = ones(2); end X;");
}

static void
test_the_annotation_makes_single_elements(void)
{
  assert_shows(
      "class X\n  Real x[2];\nequation\n  x[2] = 1;\n  annotation(__daetool(elements = "
      "true));\nend X;\n",
      "class X Real x[2]; equation x[2] = 1; annotation(__daetool(elements = true)); end X;");
}

static void
test_repeated_elements_in_a_model_are_duplicates(void)
{
  assert_messages("1:25: error: 'x' is declared twice, first in line 1\n",
                  "model M Real x[1]; Real x[2]; equation x = {1}; end M;");
}

static void
test_subscripts_inside_a_name_belong_to_it(void)
{
  assert_body_shows(
      "  Real a.b[1].c;\n  Real a.b[2].c;\nequation\n  a.b[1].c = 1;\n  a.b[2].c = a.b[1].c;\n",
      "Real a.b[1].c, a.b[2].c; equation a.b[1].c = 1;"
      " for i in 2:2 loop a.b[i].c = a.b[i - 1].c; end for;");
}

static void
test_quoted_names_are_one_name_with_their_quotes(void)
{
  assert_body_shows("  Real 'a.b[1].c';\n  Real x;\n  Real 'x';\nequation\n  'a.b[1].c' = 1;\n "
                    " x = 2;\n  'x' = 3;\n",
                    "Real 'a.b[1].c', x, 'x'; equation 'a.b[1].c' = 1; x = 2; 'x' = 3;");
}

static void
test_the_last_model_of_a_file_is_taken_or_the_one_asked_for(void)
{
  const char *text = "within A.B; model One Real x; equation x = 1; end One;\nmodel Two Real "
                     "y; equation y = 2; end Two;";
  Reading last = read_text(text);
  TEST_ASSERT_EQUAL_STRING("Two", dae_model_name(last.model));
  end_reading(&last);
  DaeReadOptions one = {.model = "One"};
  Reading first = read_with(text, strlen(text), &one);
  TEST_ASSERT_EQUAL_STRING("One", dae_model_name(first.model));
  end_reading(&first);
  DaeReadOptions wrong = {.model = "Tow"};
  Reading none = read_with(text, strlen(text), &wrong);
  TEST_ASSERT_EQUAL_INT(DAE_ERROR_USAGE, none.error->code);
  TEST_ASSERT_EQUAL_STRING("t.mo has no model 'Tow'; did you mean 'Two'?", none.error->message);
  end_reading(&none);
}

static void
test_constants_of_the_package_are_seen(void)
{
  const char *shown =
      "model P.M\n  Real x;\n  constant Real P.c = 3;\nequation\n  x = 3;\nend P.M;\n";
  assert_shows(shown,
               "package P constant Real c = 3; model M Real x; equation x = c; end M; end P;");
  assert_shows(
      shown, "package P constant Real c = 3; model M Real x; equation x = P.c; end M; end P;");
  assert_shows("model M\n  Real x;\n  constant Real P.Q.c = 3;\nequation\n  x = 3;\nend M;\n",
               "package P package Q constant Real c = 3; end Q; end P; "
               "model M Real x; equation x = P.Q.c; end M;");
}

static void
test_names_of_classes_beside_the_model(void)
{
  assert_shows("model M\n  Real x;\n  constant Real K.g = 9;\nequation\n  x = 9;\nend M;\n",
               "class K constant Real g = 9; end K; model M Real x; equation x = K.g; end M;");
  assert_shows("model M\n  Real x;\nequation\n  x = 2*time + 2;\nend M;\n",
               "function f input Real u; output Real y; protected function g input Real v; "
               "output Real w; algorithm w := v + 1; end g; algorithm y := 2*g(u); end f; "
               "model M Real x; equation x = f(time); end M;");
}

static void
test_unknown_classes_and_connectors_are_told(void)
{
  assert_messages("1:17: error: there is no class 'N'\n",
                  "model M extends N; Real x; equation x = z; end M;");
  assert_messages(
      "1:9: error: unknown type 'Resistor': no built-in type, and no class of this file or of "
      "the libraries\n",
      "model M Resistor R; equation R.v = 1; end M;");
  assert_messages("2:18: error: there is no connector 'a' here\n",
                  "model M\nequation connect(a.p, b.n); end M;");
}

static void
test_boolean_variables_are_shown_as_booleans(void)
{
  assert_body_shows("  Real x;\n  Boolean b(start = true, fixed = true);\nequation\n"
                    "  x = if b then 1 else 2;\n  b = x > 1;\n",
                    "Real x; Boolean b(start = true, fixed = true); equation x = if b then 1 "
                    "else 2; b = x > 1;");
  assert_body_shows("  Real x;\n  Boolean b = x > 1;\n  Boolean c = b;\n"
                    "equation\n  x = if b == c then 1 else 2;\n",
                    "Real x; Boolean b = x > 1; Boolean c = b; equation x = if b == c then 1 "
                    "else 2;");
  /* a Real above one half is no Boolean */
  assert_body_shows("  Real x;\n  Boolean b = x > 0.5;\nequation\n  x = time;\n",
                    "Real x; Boolean b = x > 0.5; equation x = time;");
}

static void
test_integer_enumeration_and_discrete_variables_are_unknowns(void)
{
  assert_body_shows(
      "  Real x;\n  Integer n;\n  Integer m(start = 1) = if x > 1 then 2 else 1;\n"
      "  discrete Real q(start = 1, fixed = true);\nequation\n  x = time;\n  n = integer(x);\n "
      " q = if m == 2 "
      "then 1 else 0;\n",
      "type E = enumeration(a, b); Real x; Integer n; E m = if x > 1 then E.b "
      "else E.a; discrete Real q(start = 1, fixed = true); equation x = time; n = "
      "integer(x); q = if m == E.b then 1 else 0;");
  assert_messages("1:29: error: der() takes Real, not Integer\n",
                  "model M Integer n; equation der(n) = 1; end M;");
  assert_messages("1:28: error: the sides of this equation are Boolean and Integer\n",
                  "model M Boolean b;equation b = 1; end M;");
  assert_messages(
      "1:16: warning: nothing gives the String variable 's' a value: it is its start "
      "value\n",
      "model M String s; end M;");
}

static void
test_variables_with_a_constant_value_are_constants(void)
{
  assert_body_shows("  constant Integer n = 3;\n  Real x;\nequation\n  x = 3;\n",
                    "Integer n = 3; Real x; equation x = n;");
}

static void
test_empty_files_have_no_model(void)
{
  assert_messages("1:1: error: there is no model in this file\n", "");
  assert_messages("1:14: error: there is no model in this file\n", "// only words");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_types_are_followed_to_their_builtin);
  RUN_TEST(test_array_types_add_dimensions);
  RUN_TEST(test_enumerations_are_folded_to_their_numbers);
  RUN_TEST(test_repeated_elements_in_a_class_are_declared_one_by_one);
  RUN_TEST(test_one_declaration_in_a_class_is_an_array);
  RUN_TEST(test_the_annotation_makes_single_elements);
  RUN_TEST(test_repeated_elements_in_a_model_are_duplicates);
  RUN_TEST(test_subscripts_inside_a_name_belong_to_it);
  RUN_TEST(test_quoted_names_are_one_name_with_their_quotes);
  RUN_TEST(test_the_last_model_of_a_file_is_taken_or_the_one_asked_for);
  RUN_TEST(test_constants_of_the_package_are_seen);
  RUN_TEST(test_names_of_classes_beside_the_model);
  RUN_TEST(test_unknown_classes_and_connectors_are_told);
  RUN_TEST(test_boolean_variables_are_shown_as_booleans);
  RUN_TEST(test_integer_enumeration_and_discrete_variables_are_unknowns);
  RUN_TEST(test_variables_with_a_constant_value_are_constants);
  RUN_TEST(test_empty_files_have_no_model);
  return UNITY_END();
}
