#include "flat_text.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* x of class A has the size that the expression has as a number. */
static void
assert_size(const char *more, const char *size, const char *expected)
{
  g_autofree char *text =
      g_strdup_printf("%s model A Real x[%s]; end A; model M A a; end M;", more, size);
  g_autofree char *line = g_strdup_printf("Real a.x [ %s ]\n", expected);
  assert_flat(text, line);
}

static void
test_sizes_are_evaluated(void)
{
  assert_size("", "2 + 3*4", "14");
  assert_size("", "size({{1, 2, 3}, {4, 5, 6}}, 2)", "3");
  assert_size("", "if 3 > 2 then 4 else 5", "4");
  assert_size("", "sum(i for i in 1:4)", "10");
  assert_size("type E = enumeration(a, b, c);", "E", "3");
}

static void
test_functions_are_executed(void)
{
  assert_size(
      "function f input Integer n; output Integer m; protected Integer k = n; algorithm "
      "m := 0; while k > 0 loop if mod(k, 2) == 0 then m := m + k; end if; k := k - 1; "
      "end while; end f;",
      "f(5)", "6");
  assert_size("function f input Integer n; output Integer m; algorithm m := if n <= 1 then 1 "
              "else n*f(n - 1); end f;",
              "f(4)", "24");
}

/* [MLS, section 12.4.6] */
static void
test_functions_go_through_arrays(void)
{
  const char *twice = "function f input Integer n; input Integer p[2] = {1, 1}; output Integer "
                      "m; algorithm m := n*p[2]; end f;";
  assert_size(twice, "sum(f({1, 2, 3}))", "6");
  assert_size(twice, "f({{1, 2}, {3, 4}}, {1, 5})*{1, 0}*{0, 1}", "15");
  assert_size(twice, "sum(f({1, 2}, p = {{1, 5}, {1, 7}}))", "19");
}

static void
test_what_has_no_end_is_told(void)
{
  assert_mistake(
      "function f input Integer n; output Integer m; algorithm m := f(n + 1); end f;\n"
      "model A Real x[f(1)]; end A; model M A a; end M;",
      "2:18 the size of 'a.x' is not known\n");
}

static void
test_conditions_choose_components(void)
{
  assert_flat("model A Real x = 1; end A; model M parameter Integer n = 2; A a if n > 1; "
              "A b if n > 2; end M;",
              "parameter Integer n := 2\nReal a.x := 1\n");
}

static void
test_a_value_of_the_wrong_type(void)
{
  assert_mistake("model A parameter Integer n = 1; Real x[n]; end A;\nmodel M A a(n = 2.5); "
                 "end M;",
                 "2:13 'a.n' is Integer, its value is Real\n");
}

static void
test_operator_records_are_made_by_their_constructors(void)
{
  const char *record =
      "operator record C Real re; Real im; encapsulated operator 'constructor' import C; "
      "function fromReal input Real re; input Real im = 5; output C r(re = re + 1, im = im); "
      "algorithm end fromReal; "
      "function fromText input String s; output C r(re = 2, im = 7); algorithm end fromText; "
      "end 'constructor'; end C;";
  assert_size(record, "integer(C(1).re)", "2");
  assert_size(record, "integer(C(re = 1).im)", "5");
  assert_size(record, "integer(C(2, 3).im)", "3");
  assert_size(record, "integer(C(\"one\").im)", "7");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_sizes_are_evaluated);
  RUN_TEST(test_functions_are_executed);
  RUN_TEST(test_functions_go_through_arrays);
  RUN_TEST(test_what_has_no_end_is_told);
  RUN_TEST(test_conditions_choose_components);
  RUN_TEST(test_a_value_of_the_wrong_type);
  RUN_TEST(test_operator_records_are_made_by_their_constructors);
  return UNITY_END();
}
