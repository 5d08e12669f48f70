#include "fixture.h"
#include "terms/terms-priv.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  g_autoptr(GString) why = g_string_new(NULL);
  TEST_ASSERT_TRUE_MESSAGE(dae_terms_check(terms, why), why->str);
  dae_terms_free(terms);
}

/* x + k*y, times -6 */
static DaeTerm
sum_of(DaeTerm x, DaeTerm y, int64_t k)
{
  DaeTerm sum = dae_term_add(terms, x, dae_term_mul(terms, dae_term_int(terms, k), y));
  return dae_term_mul(terms, dae_term_int(terms, -6), sum);
}

static void
expect_parts(DaeTerm sum, DaeTerm primitive, int64_t content)
{
  DaeRat found;
  TEST_ASSERT_EQUAL_UINT32(primitive, dae_build_primitive(terms, sum, &found));
  TEST_ASSERT_TRUE(dae_rat_is_int(&found, content));
  dae_rat_clear(&found);
}

/* More sums than places, each asked for twice in a row and once more after the others. */
static void
test_sums_that_share_a_place_keep_their_own_parts(void)
{
  enum { N = 3 * DAE_N_PRIMITIVES };

  DaeTerm x = read_term(terms, "x");
  DaeTerm y = read_term(terms, "y");
  for (int pass = 0; pass < 2; pass++) {
    for (int64_t k = 2; k < N; k++) {
      DaeTerm sum = sum_of(x, y, k);
      DaeTerm primitive =
          dae_term_add(terms, x, dae_term_mul(terms, dae_term_int(terms, k), y));
      expect_parts(sum, primitive, -6);
      expect_parts(sum, primitive, -6);
      expect_parts(primitive, primitive, 1);
    }
  }
}

/* Of a content of more than 64 bits each has a copy of its own. */
static void
test_long_contents(void)
{
  DaeTerm c = dae_term_pow_int(terms, dae_term_int(terms, 7), 40);
  DaeTerm plain = read_term(terms, "(+ x y)");
  DaeTerm sum = dae_term_mul(terms, c, plain);
  for (int pass = 0; pass < 2; pass++) {
    DaeRat content;
    TEST_ASSERT_EQUAL_UINT32(plain, dae_build_primitive(terms, sum, &content));
    TEST_ASSERT_EQUAL_UINT32(c, dae_store_number(terms, &content));
    dae_rat_clear(&content);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_sums_that_share_a_place_keep_their_own_parts);
  RUN_TEST(test_long_contents);
  return UNITY_END();
}
