#include "flat_text.h"

#define CLASSES                                                                                \
  "record D Real c, s; function equalityConstraint input D a; input D b; output Real r[1]; "   \
  "algorithm r[1] := a.c*b.s - a.s*b.c; end equalityConstraint; end D; "                       \
  "connector F D d; flow Real t; end F; model A F f; Boolean root = Connections.isRoot(f.d); " \
  "end A; "                                                                                    \
  "model B F f, g; equation Connections.branch(f.d, g.d); end B; "

void
setUp(void)
{
}

void
tearDown(void)
{
}

static uint32_t
count_of(const char *text, const char *what)
{
  uint32_t n = 0;
  for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
    n++;
  }
  return n;
}

static void
assert_counts(const char *model, bool keep_loops, uint32_t n_whole, uint32_t n_cut)
{
  g_autofree char *text = g_strconcat(CLASSES, model, NULL);
  DaeFlattenOptions options = {.keep_loops = keep_loops};
  Flattened *f = flatten_with(text, "M", &options);
  TEST_ASSERT_EQUAL_STRING("", f->messages->str);
  TEST_ASSERT_EQUAL_UINT(n_whole, count_of(f->text->str, ".d =;"));
  TEST_ASSERT_EQUAL_UINT(n_cut, count_of(f->text->str, "equalityConstraint/2"));
  flattened_free(f);
}

static const char *const loop = "model M A a; B b, c; equation Connections.root(a.f.d); "
                                "connect(a.f, b.f); connect(a.f, c.f); "
                                "connect(b.g, c.g); end M;";

static void
test_a_tree_is_not_cut(void)
{
  assert_counts("model M A a; B b; equation Connections.root(a.f.d); connect(a.f, b.f); end M;",
                false, 1, 0);
}

static void
test_a_loop_is_cut_once(void)
{
  assert_counts(loop, false, 2, 1);
}

static void
test_a_loop_may_be_kept_whole(void)
{
  assert_counts(loop, true, 3, 0);
}

static void
test_the_root_is_told(void)
{
  Flattened *f = flatten_with(CLASSES "model M A a, b; equation Connections.root(b.f.d); "
                                      "connect(a.f, b.f); end M;",
                              "M", NULL);
  TEST_ASSERT_NOT_NULL(strstr(f->text->str, "Boolean a.root := false\n"));
  TEST_ASSERT_NOT_NULL(strstr(f->text->str, "Boolean b.root := true\n"));
  flattened_free(f);
}

static void
test_the_lowest_priority_is_the_root(void)
{
  Flattened *f =
      flatten_with(CLASSES "model M A a, b; equation Connections.potentialRoot(a.f.d, 5); "
                           "Connections.potentialRoot(b.f.d, 2); connect(a.f, b.f); end M;",
                   "M", NULL);
  TEST_ASSERT_NOT_NULL(strstr(f->text->str, "Boolean a.root := false\n"));
  TEST_ASSERT_NOT_NULL(strstr(f->text->str, "Boolean b.root := true\n"));
  flattened_free(f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_tree_is_not_cut);
  RUN_TEST(test_a_loop_is_cut_once);
  RUN_TEST(test_a_loop_may_be_kept_whole);
  RUN_TEST(test_the_root_is_told);
  RUN_TEST(test_the_lowest_priority_is_the_root);
  return UNITY_END();
}
