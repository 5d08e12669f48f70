/* Matrices that are regular whatever their atoms are, and those that are not everywhere. */
#include <unity.h>

#include "../algebra/expr.h"
#include "base/base.h"
#include "proofcheck/regular.h"

static DaeTerms *terms;
static GHashTable *bound;

void
setUp(void)
{
  terms = dae_terms_new();
  bound = g_hash_table_new(NULL, NULL);
}

void
tearDown(void)
{
  g_hash_table_unref(bound);
  dae_terms_free(terms);
}

/* Row by row; "0" is an entry that is not there. */
static bool
is_regular(const char *const *texts, uint32_t n)
{
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(DaeCertifierEntry));
  for (uint32_t k = 0; k < n * n; k++) {
    DaeCertifierEntry entry = {k / n, k % n, expr(terms, texts[k])};
    if (!dae_term_is_zero(terms, entry.value)) {
      g_array_append_val(entries, entry);
    }
  }
  return dae_regular_everywhere(terms, bound, (const DaeCertifierEntry *)(void *)entries->data,
                                entries->len, n);
}

static void
test_terms_without_zeros(void)
{
  static const char *const texts[] = {"x^2 + 1",
                                      "x^2 - x*y + y^2 + 1/10",
                                      "2*x^2 + 2*x*y + y^2 + 2*x + 2",
                                      "exp(x) + exp(-y)",
                                      "3 + 2*sin(x)",
                                      "1/x",
                                      "2*x^2/(x^2 + y^2) + 2*y^2/(x^2 + y^2)",
                                      "(x*y + x)/(x*(y^2 + 1)) - (y + 1)/(y^2 + 1) + 1/x"};
  for (size_t k = 0; k < G_N_ELEMENTS(texts); k++) {
    TEST_ASSERT_TRUE_MESSAGE(dae_never_zero(terms, bound, expr(terms, texts[k])), texts[k]);
  }
}

static void
test_terms_with_zeros(void)
{
  static const char *const texts[] = {"x",
                                      "x^2",
                                      "x^2 - x*y + y^2",
                                      "x^2 - 3*x*y + y^2 + 1/10",
                                      "2*x^2 + 2*x*y + y^2 + 2*x + 1",
                                      "exp(x) - exp(-y)",
                                      "3 + 3*sin(x)",
                                      "x/(x + 1)",
                                      "x*y/x",
                                      "2*x^2/(x^2 + y^2) - 2*y^2/(x^2 + y^2)",
                                      "log(x)"};
  for (size_t k = 0; k < G_N_ELEMENTS(texts); k++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_never_zero(terms, bound, expr(terms, texts[k])), texts[k]);
  }
}

/* Where nothing but the determinant tells: conductances of diodes between three nodes, one of
 * which is grounded. */
static void
test_the_determinant_is_looked_at(void)
{
  static const char *const net[] = {"exp(x) + exp(y)", "-exp(y)", "-exp(y)", "exp(y) + exp(z)"};
  static const char *const loop[] = {"exp(x) + exp(y)", "-exp(y)", "-exp(y)", "exp(y)"};
  static const char *const floating[] = {"exp(y)", "-exp(y)", "-exp(y)", "exp(y)"};
  TEST_ASSERT_TRUE(is_regular(net, 2));
  TEST_ASSERT_TRUE(is_regular(loop, 2));
  TEST_ASSERT_FALSE(is_regular(floating, 2));
}

static void
test_numbers_are_eliminated_first(void)
{
  static const char *const good[] = {"1", "2", "0", "3", "7", "x", "0", "-x", "1"};
  static const char *const bad[] = {"1", "2", "0", "3", "7", "x", "0", "x", "1"};
  TEST_ASSERT_TRUE(is_regular(good, 3)); /* 1 + x^2 */
  TEST_ASSERT_FALSE(is_regular(bad, 3)); /* 1 - x^2 */
}

/* Signs of permutations: an even and an odd one, with what is left after elimination. */
static void
test_signs_of_permutations(void)
{
  static const char *const even[] = {"0", "x", "0", "0", "0", "x", "x", "0", "0"};
  static const char *const odd[] = {"x", "y", "-y", "x"};
  static const char *const difference[] = {"x", "y", "y", "x"};
  TEST_ASSERT_FALSE(is_regular(even, 3));
  TEST_ASSERT_FALSE(is_regular(odd, 2));
  TEST_ASSERT_FALSE(is_regular(difference, 2));
  static const char *const plus[] = {"1 + x^2", "y", "-y", "1"};
  TEST_ASSERT_TRUE(is_regular(plus, 2));
}

static void
test_conditions_are_taken_both_ways(void)
{
  DaeTerm condition = dae_term_relation(terms, DAE_REL_LT, expr(terms, "x"), expr(terms, "y"));
  DaeTerm good = dae_term_if(terms, condition, expr(terms, "2"), expr(terms, "-3"));
  DaeTerm bad = dae_term_if(terms, condition, expr(terms, "2"), expr(terms, "0"));
  TEST_ASSERT_TRUE(dae_never_zero(terms, bound, good));
  TEST_ASSERT_FALSE(dae_never_zero(terms, bound, bad));
  /* both entries take the same way: det = 2*2 or (-3)*(-3), never 2*(-3) + 6 */
  DaeTerm six = expr(terms, "6");
  DaeCertifierEntry entries[] = {
      {0, 0, good}, {0, 1, six}, {1, 0, expr(terms, "-1")}, {1, 1, good}};
  TEST_ASSERT_TRUE(dae_regular_everywhere(terms, bound, entries, 4, 2));
}

static void
test_bound_atoms_are_what_they_stand_for(void)
{
  DaeTerm x = expr(terms, "x");
  g_hash_table_insert(bound, GUINT_TO_POINTER(x), GUINT_TO_POINTER(expr(terms, "3")));
  TEST_ASSERT_TRUE(dae_never_zero(terms, bound, expr(terms, "x - 2")));
  TEST_ASSERT_FALSE(dae_never_zero(terms, bound, expr(terms, "x - 3")));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_terms_without_zeros);
  RUN_TEST(test_terms_with_zeros);
  RUN_TEST(test_the_determinant_is_looked_at);
  RUN_TEST(test_numbers_are_eliminated_first);
  RUN_TEST(test_signs_of_permutations);
  RUN_TEST(test_conditions_are_taken_both_ways);
  RUN_TEST(test_bound_atoms_are_what_they_stand_for);
  return UNITY_END();
}
