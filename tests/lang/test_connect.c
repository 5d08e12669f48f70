#include "flat_text.h"

#define PIN "connector C Real v; flow Real i; end C; "

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_potentials_are_a_star_and_flows_sum_up(void)
{
  assert_flat(PIN "model A C c; end A; model M A a, b, d; equation connect(a.c, b.c); "
                  "connect(b.c, d.c); end M;",
              "Real a.c.v\nReal a.c.i\nReal b.c.v\nReal b.c.i\nReal d.c.v\nReal d.c.i\n"
              " a.c.i b.c.i + d.c.i + 0 =; a.c.v b.c.v =; a.c.v d.c.v =;");
}

static void
test_outside_flows_have_the_other_sign(void)
{
  assert_flat(PIN "model A C c; end A; model B C o; A a; equation connect(o, a.c); end B; "
                  "model M B b; end M;",
              "Real b.o.v\nReal b.o.i\nReal b.a.c.v\nReal b.a.c.i\n"
              " b.o.i 0 =; b.a.c.i b.o.i - 0 =; b.o.v b.a.c.v =;");
}

static void
test_a_connect_of_what_is_not_there_is_none(void)
{
  assert_flat(PIN "model A C c; end A; model M parameter Boolean has = false; A a; A b if has; "
                  "equation connect(a.c, b.c); end M;",
              "parameter Boolean has := false\nReal a.c.v\nReal a.c.i\n a.c.i 0 =;");
}

static void
test_flows_that_are_records_sum_up_by_members(void)
{
  assert_flat("record R Real x, y; end R; connector C R v; flow R i; end C; "
              "model A C c; end A; model M A a, b; equation connect(a.c, b.c); end M;",
              "R a.c.v\nReal a.c.v.x\nReal a.c.v.y\nR a.c.i\nReal a.c.i.x\nReal a.c.i.y\n"
              "R b.c.v\nReal b.c.v.x\nReal b.c.v.y\nR b.c.i\nReal b.c.i.x\nReal b.c.i.y\n"
              " a.c.i.x b.c.i.x + 0 =; a.c.i.y b.c.i.y + 0 =; a.c.v b.c.v =;");
}

static void
test_cardinality_counts(void)
{
  assert_flat(PIN "model A C c; Real n = cardinality(c); end A; model M A a, b, d; equation "
                  "connect(a.c, b.c); connect(a.c, d.c); end M;",
              "Real a.c.v\nReal a.c.i\nReal a.n := 2\nReal b.c.v\nReal b.c.i\nReal b.n := 1\n"
              "Real d.c.v\nReal d.c.i\nReal d.n := 1\n"
              " a.c.i b.c.i + d.c.i + 0 =; a.c.v b.c.v =; a.c.v d.c.v =;");
}

static void
test_mistakes(void)
{
  assert_mistake(PIN "model M C c[2], d[3];\nequation connect(c, d); end M;",
                 "2:10 arrays of 2 and 3 connectors cannot be connected\n");
  assert_mistake(PIN "model M C c, d;\nequation when time > 1 then connect(c, d); end when; "
                     "end M;",
                 "2:29 connect in a when-equation\n");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_potentials_are_a_star_and_flows_sum_up);
  RUN_TEST(test_outside_flows_have_the_other_sign);
  RUN_TEST(test_a_connect_of_what_is_not_there_is_none);
  RUN_TEST(test_flows_that_are_records_sum_up_by_members);
  RUN_TEST(test_cardinality_counts);
  RUN_TEST(test_mistakes);
  return UNITY_END();
}
