/* Terms modulo a prime: exact where they are rational, no value elsewhere. */
#include "proofcheck/residues.h"

#include <unity.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

static DaeTerms *terms;
static DaeResidues *residues;
static DaeTerm x, p;

void
setUp(void)
{
  terms = dae_terms_new();
  residues = dae_residues_new(terms, PRIME);
  x = dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x"), 0);
  p = dae_term_parameter(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "p"));
  dae_residues_bind(residues, x, 5);
  dae_residues_bind_term(residues, p, dae_term_ratio(terms, -3, 7));
}

void
tearDown(void)
{
  dae_residues_free(residues);
  dae_terms_free(terms);
}

static void
test_only_primes_are_taken(void)
{
  TEST_ASSERT_NULL(dae_residues_new(terms, PRIME - 2));
  TEST_ASSERT_NULL(dae_residues_new(terms, 0));
  TEST_ASSERT_NULL(dae_residues_new(terms, UINT64_MAX));
}

static void
test_rational_terms_have_values(void)
{
  uint64_t value = 1;
  DaeTerm t =
      dae_term_add(terms, dae_term_mul(terms, dae_term_int(terms, 7), p),
                   dae_term_sub(terms, dae_term_pow_int(terms, x, 2), dae_term_int(terms, 22)));
  TEST_ASSERT_TRUE(dae_residues_value(residues, t, &value)); /* -3 + 25 - 22 */
  TEST_ASSERT_EQUAL_UINT64(0, value);
  DaeTerm one = dae_term_sub(terms, dae_term_mul(terms, x, dae_term_pow_int(terms, x, -3)),
                             dae_term_ratio(terms, -24, 25));
  TEST_ASSERT_TRUE(dae_residues_value(residues, one, &value));
  TEST_ASSERT_EQUAL_UINT64(1, value);
}

static void
test_others_have_none(void)
{
  uint64_t value = 0;
  DaeTerm y =
      dae_term_variable(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "y"), 0);
  DaeTerm pole = dae_term_pow_int(terms, dae_term_sub(terms, x, dae_term_int(terms, 5)), -1);
  TEST_ASSERT_FALSE(dae_residues_value(residues, y, &value));
  TEST_ASSERT_FALSE(dae_residues_value(residues, dae_term_sqrt(terms, x), &value));
  TEST_ASSERT_FALSE(dae_residues_value(residues, dae_term_call1(terms, DAE_FN_SIN, x), &value));
  TEST_ASSERT_FALSE(dae_residues_value(residues, pole, &value));
}

static void
test_regular_matrices(void)
{
  uint64_t regular[] = {0, 2, 3, 1, 0, 4, 5, 6, PRIME - 1};
  uint64_t singular[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  TEST_ASSERT_TRUE(dae_residues_is_regular(residues, regular, 3));
  TEST_ASSERT_FALSE(dae_residues_is_regular(residues, singular, 3));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_only_primes_are_taken);
  RUN_TEST(test_rational_terms_have_values);
  RUN_TEST(test_others_have_none);
  RUN_TEST(test_regular_matrices);
  return UNITY_END();
}
