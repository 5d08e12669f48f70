#include <string.h>

#include "fixture.h"

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

static void
assert_atoms(const char *expected, const char *expression, bool parameters)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm t = read_term(terms, expression);
  if (parameters) {
    dae_term_collect_parameters(terms, t, atoms);
  } else {
    dae_term_collect_variables(terms, t, atoms);
  }
  g_autoptr(GString) text = g_string_new(NULL);
  for (guint i = 0; i < atoms->len; i++) {
    g_string_append(text, i > 0 ? " " : "");
    dae_term_print(terms, g_array_index(atoms, DaeTerm, i), text);
  }
  TEST_ASSERT_EQUAL_STRING(expected, text->str);
}

static void
test_atoms_come_once_by_declaration_and_order(void)
{
  assert_atoms("x der(x) der(der(x)) y", "(+ (* y x'') (* x' x) (sin y) k)", false);
  assert_atoms("a k", "(+ (* k x a) (sin a))", true);
  assert_atoms("", "(* 2 time)", false);
  assert_atoms("x y z", "(if (< z 0) x y)", false);
}

/* From few to many: both ways of sorting. */
static void
test_many_atoms_come_by_declaration(void)
{
  enum { N = 40 };

  DaeSymbol symbols[N];
  for (uint32_t i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf("w%u", i);
    symbols[i] = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
  }
  DaeTerm t = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < N; k++) { /* 7 and 40 are coprime: each once, out of order */
    DaeTerm w = dae_term_variable(terms, symbols[7 * k % N], k % 2);
    DaeTerm part =
        k % 3 == 0 ? dae_term_call1(terms, DAE_FN_SIN, w) : dae_term_pow_int(terms, w, 2);
    t = dae_term_add(terms, t, part);
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(terms, t, atoms);
    TEST_ASSERT_EQUAL_UINT(k + 1, atoms->len);
    for (guint i = 1; i < atoms->len; i++) {
      TEST_ASSERT_LESS_THAN_UINT32(
          dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i)),
          dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i - 1)));
    }
  }
}

static void
test_size_counts_each_node_once(void)
{
  TEST_ASSERT_EQUAL_UINT(1, dae_term_size(terms, read_term(terms, "x")));
  TEST_ASSERT_EQUAL_UINT(3, dae_term_size(terms, read_term(terms, "(+ x y)")));
  TEST_ASSERT_EQUAL_UINT(4, dae_term_size(terms, read_term(terms, "(* (sin x) (cos x))")));
}

static void
test_contains(void)
{
  DaeTerm t = read_term(terms, "(+ (sin (* x y)) a)");
  TEST_ASSERT_TRUE(dae_term_contains(terms, t, t));
  TEST_ASSERT_TRUE(dae_term_contains(terms, t, read_term(terms, "(* x y)")));
  TEST_ASSERT_TRUE(dae_term_contains(terms, t, read_term(terms, "a")));
  TEST_ASSERT_FALSE(dae_term_contains(terms, t, read_term(terms, "z")));
  TEST_ASSERT_FALSE(dae_term_contains(terms, t, read_term(terms, "x'")));
}

static void
test_parametric(void)
{
  TEST_ASSERT_TRUE(dae_term_is_parametric(terms, read_term(terms, "(* 2 pi (sin a))")));
  TEST_ASSERT_FALSE(dae_term_is_parametric(terms, read_term(terms, "(* 2 time)")));
  TEST_ASSERT_FALSE(dae_term_is_parametric(terms, read_term(terms, "(* a x)")));
}

static void
test_deep_terms_are_walked_without_recursion(void)
{
  DaeTerm t = read_term(terms, "x");

  enum { DEPTH = 1000000 };

  for (int i = 0; i < DEPTH; i++) {
    t = dae_term_call1(terms, i % 2 == 0 ? DAE_FN_SIN : DAE_FN_EXP, t);
  }
  TEST_ASSERT_EQUAL_UINT(DEPTH + 1, dae_term_size(terms, t));
  assert_prints(terms, "x", read_term(terms, "x"));
  TEST_ASSERT_EQUAL_UINT32(t, dae_terms_rewrite(terms, t));
  DaeTerm s = dae_term_replace(terms, t, read_term(terms, "x"), read_term(terms, "y"));
  TEST_ASSERT_NOT_EQUAL(0, dae_term_compare(terms, s, t));
  TEST_ASSERT_TRUE(dae_term_contains(terms, s, read_term(terms, "y")));
}

static void
test_shared_nodes_count_once(void)
{
  DaeTerm list[] = {read_term(terms, "(* 2 x)"), read_term(terms, "(+ y (* 2 x))"),
                    read_term(terms, "(* 2 x)")};
  TEST_ASSERT_EQUAL_UINT64(5, dae_terms_size(terms, list, 3)); /* 2, x, 2*x, y, the sum */
  TEST_ASSERT_FALSE(dae_term_has_call(terms, list[1]));
  TEST_ASSERT_TRUE(dae_term_has_call(terms, read_term(terms, "(+ y (sin x))")));
}

static void
test_substitution_is_simultaneous(void)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  dae_subst_set(subst, read_term(terms, "x"), read_term(terms, "y"));
  dae_subst_set(subst, read_term(terms, "y"), read_term(terms, "x"));
  assert_prints(terms, "x^2 + y", dae_subst_apply(subst, read_term(terms, "(+ (^ y 2) x)")));
}

static void
test_substitution_of_any_subterm(void)
{
  DaeTerm t = read_term(terms, "(+ (sin (* x y)) z)");
  DaeTerm s = dae_term_replace(terms, t, read_term(terms, "(* x y)"), read_term(terms, "time"));
  assert_prints(terms, "z + sin(time)", s);
  assert_prints(terms, "z + sin(x*y)", dae_term_replace(terms, t, read_term(terms, "k"), s));
}

static void
test_substitution_learns_other_kinds_of_atoms(void)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  DaeTerm t = read_term(terms, "(+ k (* 2 x))");
  dae_subst_set(subst, read_term(terms, "k"), read_term(terms, "3"));
  assert_prints(terms, "2*x + 3", dae_subst_apply(subst, t));
  assert_prints(terms, "2*x", dae_subst_apply(subst, read_term(terms, "(* 2 x)")));
  dae_subst_set(subst, read_term(terms, "x"), read_term(terms, "5"));
  assert_prints(terms, "13", dae_subst_apply(subst, t));
  assert_prints(terms, "10", dae_subst_apply(subst, read_term(terms, "(* 2 x)")));
  g_autoptr(DaeSubst) copy = dae_subst_copy(subst);
  assert_prints(terms, "13", dae_subst_apply(copy, t));
  dae_subst_set(subst, read_term(terms, "2"), read_term(terms, "7")); /* in every term, maybe */
  assert_prints(terms, "38", dae_subst_apply(subst, t));
}

static void
test_substitution_reports_division_by_zero(void)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  dae_subst_set(subst, read_term(terms, "x"), read_term(terms, "0"));
  TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM,
                           dae_subst_apply(subst, read_term(terms, "(sin (^ x -1))")));
  assert_prints(terms, "0", dae_subst_apply(subst, read_term(terms, "(^ x 2)")));
  dae_subst_set(subst, read_term(terms, "x"), read_term(terms, "2"));
  assert_prints(terms, "sin(0.5)", dae_subst_apply(subst, read_term(terms, "(sin (^ x -1))")));
}

/* A branch that divides by zero has no value: that is the if-term's only where it is taken. */
static void
test_substitution_keeps_branches_that_are_defined(void)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  dae_subst_set(subst, read_term(terms, "x"), read_term(terms, "0"));
  assert_prints(terms, "if y < 1 then z else log(-1)",
                dae_subst_apply(subst, read_term(terms, "(if (< y 1) z (^ x -1))")));
  assert_prints(terms, "if y < 1 then log(-1) else z",
                dae_subst_apply(subst, read_term(terms, "(if (< y 1) (^ x -1) z)")));
  assert_prints(terms, "z",
                dae_subst_apply(subst, read_term(terms, "(if (< x 1) z (^ x -1))")));
  TEST_ASSERT_EQUAL_UINT32(
      DAE_NO_TERM, dae_subst_apply(subst, read_term(terms, "(if (< y 1) (^ x -2) (^ x -1))")));
}

static bool
is_function_of_x(void *user, const DaeTerms *store, DaeTerm t)
{
  uint32_t *asked = user;
  (*asked)++;
  return dae_term_kind(store, t) == DAE_KIND_CALL;
}

/* Inner ones first, each once although sin(x) stands in two places; every node is asked. */
static void
test_collected_nodes_come_after_their_operands(void)
{
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm t = read_term(terms, "(* (exp (sin x)) (cos (sin x)))");
  uint32_t asked = 0;
  dae_term_collect_nodes(terms, t, is_function_of_x, &asked, nodes);
  TEST_ASSERT_EQUAL_UINT32(dae_term_size(terms, t), asked);
  TEST_ASSERT_EQUAL_UINT(3, nodes->len);
  assert_prints(terms, "sin(x)", g_array_index(nodes, DaeTerm, 0));
  for (guint i = 1; i < nodes->len; i++) {
    for (guint k = 0; k < i; k++) {
      TEST_ASSERT_FALSE(dae_term_contains(terms, g_array_index(nodes, DaeTerm, k),
                                          g_array_index(nodes, DaeTerm, i)));
    }
  }
}

typedef struct {
  GHashTable *known;
  GString *order;
} Log;

static bool
is_known(void *self, DaeTerm t)
{
  return g_hash_table_contains(((const Log *)self)->known, GUINT_TO_POINTER(t));
}

static void
log_term(void *self, DaeTerm t)
{
  const Log *log = self;
  TEST_ASSERT_TRUE(g_hash_table_add(log->known, GUINT_TO_POINTER(t)));
  dae_term_print(terms, t, log->order);
  g_string_append_c(log->order, '|');
}

static void
test_a_walk_goes_through_the_operands_either_way(void)
{
  static const char *const expected[] = {"x|y|x - y|", "y|x|x - y|"};
  DaeTerm t =
      dae_term_relation(terms, DAE_REL_LT, read_term(terms, "x"), read_term(terms, "y"));
  for (int backwards = 0; backwards < 2; backwards++) {
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
    g_autoptr(GString) order = g_string_new(NULL);
    Log log = {known, order};
    const DaeWalk walk = {
        .ready = is_known, .compute = log_term, .self = &log, .is_backwards = backwards != 0};
    dae_walk(terms, t, &walk);
    TEST_ASSERT_EQUAL_STRING_LEN(expected[backwards], order->str, 4);
    TEST_ASSERT_EQUAL_UINT(3, g_hash_table_size(known));
  }
}

/* Each term once, the last operand first, and nothing below what is not entered. */
static void
test_a_visit_sees_each_term_once_and_enters_where_told(void)
{
  DaeTerm sum = read_term(terms, "(+ (sin (* x y)) (cos (* x y)) (exp z))");
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, sum);
  g_autoptr(GString) text = g_string_new(NULL);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    g_string_append_c(text, '|');
    dae_term_print(terms, t, text);
    bool is_exp =
        dae_term_kind(terms, t) == DAE_KIND_CALL && dae_term_function(terms, t) == DAE_FN_EXP;
    if (!is_exp) {
      dae_visit_enter(visit, t);
    }
  }
  uint32_t n = 0;
  (void)dae_term_operands(terms, sum, &n);
  TEST_ASSERT_EQUAL_UINT32(3, n);
  TEST_ASSERT_NOT_NULL(strstr(text->str, "|exp(z)"));
  TEST_ASSERT_NULL(strstr(text->str, "|z"));
  const char *first = strstr(text->str, "|x*y");
  TEST_ASSERT_NOT_NULL(first);
  TEST_ASSERT_NULL(strstr(first + 1, "|x*y"));
  g_autoptr(GString) last = g_string_new("|");
  dae_term_print(terms, dae_term_operand(terms, sum, 2), last);
  const char *after_root = strchr(text->str + 1, '|');
  TEST_ASSERT_EQUAL_STRING_LEN(last->str, after_root, last->len);
}

/* Terms that were seen stay seen when more are added; the walk may be interrupted by others. */
static void
test_a_visit_goes_on_with_what_is_added(void)
{
  DaeTerm x = read_term(terms, "x");
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  TEST_ASSERT_EQUAL(DAE_NO_TERM, dae_visit_next(visit));
  dae_visit_add(visit, read_term(terms, "(sin x)"));
  DaeTerm t = dae_visit_next(visit);
  TEST_ASSERT_TRUE(dae_term_contains(terms, t, x)); /* uses the marks of the context */
  dae_visit_enter(visit, t);
  TEST_ASSERT_EQUAL(x, dae_visit_next(visit));
  dae_visit_add(visit, x);
  TEST_ASSERT_EQUAL(DAE_NO_TERM, dae_visit_next(visit));
}

static void
test_terms_know_whether_they_have_derivatives(void)
{
  static const char *const with[] = {"x'", "(* 2 x')", "(+ x (sin (* y x'')))",
                                     "(if (< x' 0) x y)"};
  static const char *const without[] = {"x", "3", "(+ (* a x) (^ y 2) time)",
                                        "(if (< x 0) 1 2)"};
  for (size_t i = 0; i < G_N_ELEMENTS(with); i++) {
    TEST_ASSERT_TRUE_MESSAGE(dae_term_has_derivatives(terms, read_term(terms, with[i])),
                             with[i]);
    TEST_ASSERT_FALSE_MESSAGE(dae_term_has_derivatives(terms, read_term(terms, without[i])),
                              without[i]);
  }
}

static void
test_terms_know_their_degree(void)
{
  static const char *const affine[] = {"3",
                                       "x",
                                       "(* k time)",
                                       "(+ (* 2 x) (* a k y') (^ a 2) (sin k))",
                                       "(* a (+ x y))",
                                       "(* x (^ k -1))"};
  static const char *const bent[] = {"(* x y)",         "(* time x)",  "(^ x 2)",
                                     "(sin x)",         "(^ time -1)", "(+ y (* 3 (^ 2 x)))",
                                     "(if (< x 0) 1 2)"};
  for (size_t i = 0; i < G_N_ELEMENTS(affine); i++) {
    TEST_ASSERT_TRUE_MESSAGE(dae_term_is_affine(terms, read_term(terms, affine[i])), affine[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(bent); i++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_term_is_affine(terms, read_term(terms, bent[i])), bent[i]);
  }
}

static void
test_a_sum_that_grows_at_its_end_keeps_the_degree(void)
{
  DaeTerm sum =
      dae_term_add(terms, read_term(terms, "(+ 1 x y z)"), read_term(terms, "(+ x' y')"));
  TEST_ASSERT_TRUE(dae_term_is_affine(terms, sum));
  sum = dae_term_add(terms, sum, read_term(terms, "(* z z')"));
  TEST_ASSERT_FALSE(dae_term_is_affine(terms, sum));
  TEST_ASSERT_TRUE(dae_term_is_polynomial(terms, sum));
  TEST_ASSERT_FALSE(
      dae_term_is_polynomial(terms, dae_term_add(terms, sum, read_term(terms, "(^ z -1)"))));
}

static void
test_polynomials_have_neither_quotients_nor_calls(void)
{
  static const char *const whole[] = {"x", "(+ (^ x 3) (* 2 y time) a)", "7"};
  static const char *const quotients[] = {"(^ x -1)", "(+ y (* 2 (^ (+ 1 x) -3)))",
                                          "(sin (^ time -2))"};
  static const char *const calls[] = {"(sin x)", "(^ x 1/2)", "(^ 2 x)", "(if (< x 0) 1 2)"};
  for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
    TEST_ASSERT_TRUE(dae_term_is_polynomial(terms, read_term(terms, whole[i])));
    TEST_ASSERT_FALSE(dae_term_has_quotient(terms, read_term(terms, whole[i])));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(quotients); i++) {
    TEST_ASSERT_FALSE(dae_term_is_polynomial(terms, read_term(terms, quotients[i])));
    TEST_ASSERT_TRUE(dae_term_has_quotient(terms, read_term(terms, quotients[i])));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
    TEST_ASSERT_FALSE(dae_term_is_polynomial(terms, read_term(terms, calls[i])));
    TEST_ASSERT_FALSE(dae_term_has_quotient(terms, read_term(terms, calls[i])));
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_atoms_come_once_by_declaration_and_order);
  RUN_TEST(test_many_atoms_come_by_declaration);
  RUN_TEST(test_size_counts_each_node_once);
  RUN_TEST(test_contains);
  RUN_TEST(test_parametric);
  RUN_TEST(test_deep_terms_are_walked_without_recursion);
  RUN_TEST(test_shared_nodes_count_once);
  RUN_TEST(test_substitution_is_simultaneous);
  RUN_TEST(test_substitution_of_any_subterm);
  RUN_TEST(test_substitution_learns_other_kinds_of_atoms);
  RUN_TEST(test_substitution_reports_division_by_zero);
  RUN_TEST(test_substitution_keeps_branches_that_are_defined);
  RUN_TEST(test_a_visit_sees_each_term_once_and_enters_where_told);
  RUN_TEST(test_collected_nodes_come_after_their_operands);
  RUN_TEST(test_a_walk_goes_through_the_operands_either_way);
  RUN_TEST(test_a_visit_goes_on_with_what_is_added);
  RUN_TEST(test_terms_know_whether_they_have_derivatives);
  RUN_TEST(test_terms_know_their_degree);
  RUN_TEST(test_a_sum_that_grows_at_its_end_keeps_the_degree);
  RUN_TEST(test_polynomials_have_neither_quotients_nor_calls);
  return UNITY_END();
}
