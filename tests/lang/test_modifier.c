#include "flat_text.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_outer_wins_over_inner(void)
{
  assert_flat(
      "model A parameter Real p(min = 0) = 1; end A; model B A a(p(max = 9) = 2); end B; "
      "model M B b(a(p = 3)); end M;",
      "parameter Real b.a.p (max 9) (min 0) := 3\n");
}

static void
test_an_expression_means_what_it_means_where_it_is_written(void)
{
  assert_flat("model A parameter Real k = 1; parameter Real p = k; end A; "
              "model M parameter Real k = 5; A a(p = k); end M;",
              "parameter Real k := 5\nparameter Real a.k := 1\nparameter Real a.p := k\n");
}

static void
test_arrays_get_their_parts_and_each_the_whole(void)
{
  assert_flat("model A parameter Real p = 1; parameter Real q = 1; end A; "
              "model M A a[2](p = {3, 4}, each q = 5); end M;",
              "parameter Real a[1].p := 3\nparameter Real a[1].q := 5\n"
              "parameter Real a[2].p := 4\nparameter Real a[2].q := 5\n");
  assert_mistake("model A parameter Real p = 1; end A;\nmodel M A a[2](p = 3); end M;",
                 "2:16 one value of 'p' for the elements of 'a[2]': write each, or an array\n");
}

static void
test_final_stays(void)
{
  assert_mistake("model A parameter Real p = 1; end A; model B extends A(final p = 2); end B;\n"
                 "model M B b(p = 3); end M;",
                 "2:13 'p' is final: it cannot be modified\n");
}

static void
test_redeclared_classes_keep_what_the_constraint_modifies(void)
{
  assert_flat("model A parameter Real p = 1; end A; model B extends A; parameter Real q = 2; "
              "end B; model C replaceable A a constrainedby A(p = 7); end C; "
              "model M C c(redeclare B a); end M;",
              "parameter Real c.a.p := 7\nparameter Real c.a.q := 2\n");
  assert_mistake("model A Real x = 1; end A; model B Real y = 1; end B; "
                 "model C replaceable A a; end C;\nmodel M C c(redeclare B a); end M;",
                 "2:25 'a' is redeclared outside its constraint: there is no 'x' in the new "
                 "one\n");
}

static void
test_values_of_options_decide_sizes(void)
{
  const char *const overrides[] = {"n=3", NULL};
  DaeFlattenOptions options = {.overrides = overrides};
  Flattened *f = flatten_with(
      "model A Real y; end A; model M parameter Integer n = 2; A a[n]; end M;", "M", &options);
  TEST_ASSERT_EQUAL_STRING("parameter Integer n := 2\nReal a[1].y\nReal a[2].y\nReal a[3].y\n",
                           f->text->str);
  flattened_free(f);
}

static void
test_a_short_class_in_a_redeclaration_keeps_its_own_modifiers(void)
{
  const char *library = "model A parameter Real c = 0, d = 0; end A; "
                        "model B replaceable model F = A(c = 7, d = 8); F f; end B; ";
  g_autofree char *weaker =
      g_strconcat(library, "model M B b(redeclare model F = A(c = 3)); end M;", NULL);
  assert_flat(weaker, "parameter Real b.f.c := 3\nparameter Real b.f.d := 8\n");
  g_autofree char *nothing =
      g_strconcat(library, "model M B b(redeclare model F = A); end M;", NULL);
  assert_flat(nothing, "parameter Real b.f.c := 7\nparameter Real b.f.d := 8\n");
  g_autofree char *stronger = g_strconcat(
      library, "model M extends B(redeclare model F = A(c = 3), f(c = 4)); end M;", NULL);
  assert_flat(stronger, "parameter Real f.c := 4\nparameter Real f.d := 8\n");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_outer_wins_over_inner);
  RUN_TEST(test_an_expression_means_what_it_means_where_it_is_written);
  RUN_TEST(test_arrays_get_their_parts_and_each_the_whole);
  RUN_TEST(test_final_stays);
  RUN_TEST(test_redeclared_classes_keep_what_the_constraint_modifies);
  RUN_TEST(test_values_of_options_decide_sizes);
  RUN_TEST(test_a_short_class_in_a_redeclaration_keeps_its_own_modifiers);
  return UNITY_END();
}
