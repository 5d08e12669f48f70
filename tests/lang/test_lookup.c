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
test_inwards_inherited_then_outwards(void)
{
  assert_flat("package P constant Real c = 1; model B parameter Real p = c; end B; "
              "model D extends B; Real x = p + c; end D; end P; model M P.D d; end M;",
              "parameter Real d.p := P.c\nReal d.x := d.p P.c +\nReal P.c := 1\n");
}

static void
test_imports_of_all_forms(void)
{
  assert_flat("package P constant Real c = 1; constant Real d = 2; constant Real e = 3; "
              "constant Real f = 4; end P; model A import P.c; import D = P.d; import P.{e}; "
              "import P.*; Real x = c + D + e + f; end A; model M A a; end M;",
              "Real a.x := P.c P.d + P.e + P.f +\nReal P.c := 1\nReal P.d := 2\n"
              "Real P.e := 3\nReal P.f := 4\n");
}

static void
test_imports_are_not_inherited(void)
{
  assert_mistake("package P constant Real c = 1; end P; model A import P.c; end A;\n"
                 "model B extends A; Real x = c; end B; model M B b; end M;",
                 "2:29 unknown name 'c'\n");
}

static void
test_an_encapsulated_class_sees_only_imports(void)
{
  assert_mistake(
      "package P model A Real x = 1; end A;\nencapsulated model B A a; end B; end P; "
      "model M P.B b; end M;",
      "2:22 'A' is not seen in here: 'B' is encapsulated, so that it has to be imported\n");
  assert_mistake(
      "package P constant Real c = 1; end P;\nencapsulated model B Real x = P.c; end B; "
      "model M B b; end M;",
      "2:31 'P' is not seen in here: 'B' is encapsulated, so that it has to be imported\n");
  assert_flat("package P constant Real c = 1; end P; encapsulated model B Real x = .P.c; "
              "StateSelect s = StateSelect.never; end B; model M B b; end M;",
              "Real b.x := P.c\nStateSelect b.s := StateSelect.never\nReal P.c := 1\n");
  assert_flat(
      "package P model A Real x = 1; end A; encapsulated model B import P.A; A a; end B; "
      "end P; model M P.B b; end M;",
      "Real b.a.x := 1\n");
}

static void
test_outer_is_the_nearest_inner(void)
{
  assert_flat("model I outer Real T; Real x = T; end I; model A inner Real T = 2; I i; end A; "
              "model M inner Real T = 1; A a; I i; end M;",
              "Real T := 1\nReal a.T := 2\nReal a.i.x := a.T\nReal i.x := T\n");
}

static void
test_two_imports_of_one_name(void)
{
  assert_mistake("package P constant Real c = 1; end P; package Q constant Real c = 2; end Q;\n"
                 "model A import P.*; import Q.*; Real x = c; end A; model M A a; end M;",
                 "2:28 'c' is in this package and in one imported before\n");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_inwards_inherited_then_outwards);
  RUN_TEST(test_imports_of_all_forms);
  RUN_TEST(test_imports_are_not_inherited);
  RUN_TEST(test_an_encapsulated_class_sees_only_imports);
  RUN_TEST(test_outer_is_the_nearest_inner);
  RUN_TEST(test_two_imports_of_one_name);
  return UNITY_END();
}
