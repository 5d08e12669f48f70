/* Ideals of random polynomials: the answers are those of FLINT's own plain algorithm, with and
 * without cofactors, and cofactors are what they claim. */
#include "algebra/groebner.h"

#include <unity.h>

#if __FLINT_VERSION < 3
#include <calcium/utils_flint.h>
#endif

static DaeTerms *terms;
static DaeAlgebra *algebra;

enum { VARIABLES = 3, INPUTS = 3, TRIALS = 60 };

void
setUp(void)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
}

void
tearDown(void)
{
  dae_algebra_free(algebra);
  dae_terms_free(terms);
}

static void
random_polynomial(GRand *dice, int n_terms, int degree, fmpz_mpoly_t p,
                  const fmpz_mpoly_ctx_t ctx)
{
  fmpz_mpoly_zero(p, ctx);
  for (int i = 0; i < n_terms; i++) {
    ulong exponent[VARIABLES] = {0};
    for (int k = g_rand_int_range(dice, 0, degree + 1); k > 0; k--) {
      exponent[g_rand_int_range(dice, 0, VARIABLES)]++;
    }
    fmpz_mpoly_push_term_si_ui(p, g_rand_int_range(dice, -3, 4), exponent, ctx);
  }
  fmpz_mpoly_sort_terms(p, ctx);
  fmpz_mpoly_combine_like_terms(p, ctx);
}

/* A combination of the inputs, or (every third time) one with something added. */
static void
random_target(GRand *dice, const fmpz_mpoly_struct *input, fmpz_mpoly_t target,
              const fmpz_mpoly_ctx_t ctx)
{
  fmpz_mpoly_t h;
  fmpz_mpoly_init(h, ctx);
  fmpz_mpoly_zero(target, ctx);
  for (int i = 0; i < INPUTS; i++) {
    random_polynomial(dice, 2, 2, h, ctx);
    fmpz_mpoly_mul(h, h, input + i, ctx);
    fmpz_mpoly_add(target, target, h, ctx);
  }
  if (g_rand_int_range(dice, 0, 3) == 0) {
    random_polynomial(dice, 1, 1, h, ctx);
    fmpz_mpoly_add(target, target, h, ctx);
  }
  fmpz_mpoly_clear(h, ctx);
}

static bool
is_member_for_flint(const fmpz_mpoly_struct *input, const fmpz_mpoly_t target,
                    const fmpz_mpoly_ctx_t ctx)
{
  fmpz_mpoly_vec_t given;
  fmpz_mpoly_vec_t basis;
  fmpz_mpoly_t rest;
  fmpz_mpoly_vec_init(given, 0, ctx);
  fmpz_mpoly_vec_init(basis, 0, ctx);
  fmpz_mpoly_init(rest, ctx);
  for (int i = 0; i < INPUTS; i++) {
    if (!fmpz_mpoly_is_zero(input + i, ctx)) {
      fmpz_mpoly_vec_append(given, input + i, ctx);
    }
  }
  fmpz_mpoly_buchberger_naive(basis, given, ctx);
  fmpz_mpoly_reduction_primitive_part(rest, target, basis, ctx);
  bool is_member = fmpz_mpoly_is_zero(rest, ctx);
  fmpz_mpoly_clear(rest, ctx);
  fmpz_mpoly_vec_clear(given, ctx);
  fmpz_mpoly_vec_clear(basis, ctx);
  return is_member;
}

static void
check_cofactors(const fmpz_mpoly_struct *input, const fmpz_mpoly_t target, const fmpz_t scale,
                const fmpz_mpoly_struct *cofactor, const fmpz_mpoly_ctx_t ctx)
{
  fmpz_mpoly_t sum;
  fmpz_mpoly_t product;
  fmpz_mpoly_init(sum, ctx);
  fmpz_mpoly_init(product, ctx);
  fmpz_mpoly_scalar_mul_fmpz(sum, target, scale, ctx);
  for (int i = 0; i < INPUTS; i++) {
    fmpz_mpoly_mul(product, cofactor + i, input + i, ctx);
    fmpz_mpoly_sub(sum, sum, product, ctx);
  }
  TEST_ASSERT_TRUE(fmpz_mpoly_is_zero(sum, ctx));
  fmpz_mpoly_clear(sum, ctx);
  fmpz_mpoly_clear(product, ctx);
}

/* 1: member, 0: not */
static int
try_once(GRand *dice, bool track)
{
  g_autoptr(DaeIdeal) ideal = dae_ideal_new(algebra, VARIABLES, INPUTS, track);
  const fmpz_mpoly_ctx_struct *ctx = dae_ideal_ctx(ideal);
  fmpz_mpoly_struct input[INPUTS];
  fmpz_mpoly_struct cofactor[INPUTS];
  fmpz_mpoly_t target;
  fmpz_t scale;
  fmpz_init(scale);
  fmpz_mpoly_init(target, ctx);
  for (int i = 0; i < INPUTS; i++) {
    fmpz_mpoly_init(input + i, ctx);
    fmpz_mpoly_init(cofactor + i, ctx);
    random_polynomial(dice, 3, 2, input + i, ctx);
    dae_ideal_add_input(ideal, input + i);
  }
  int n_members = 0;
  for (int asked = 0; asked < 3;
       asked++) { /* the second and third question find a basis that has grown */
    random_target(dice, input, target, ctx);
    DaeMember answer = dae_ideal_contains(ideal, target, scale, track ? cofactor : NULL);
    TEST_ASSERT_NOT_EQUAL(DAE_MEMBER_UNKNOWN, answer);
    TEST_ASSERT_EQUAL(is_member_for_flint(input, target, ctx), answer == DAE_MEMBER);
    if (answer == DAE_MEMBER && track) {
      check_cofactors(input, target, scale, cofactor, ctx);
    }
    n_members += answer == DAE_MEMBER;
  }
  for (int i = 0; i < INPUTS; i++) {
    fmpz_mpoly_clear(input + i, ctx);
    fmpz_mpoly_clear(cofactor + i, ctx);
  }
  fmpz_mpoly_clear(target, ctx);
  fmpz_clear(scale);
  return n_members;
}

static void
test_answers_are_those_of_the_plain_algorithm(void)
{
  g_autoptr(GRand) dice = g_rand_new_with_seed(8);
  int n_members = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    n_members += try_once(dice, trial % 2 == 0);
  }
  TEST_ASSERT_GREATER_THAN(TRIALS, n_members);
  TEST_ASSERT_LESS_THAN(3 * TRIALS - 10, n_members);
}

/* The roots of the cyclic system of n variables: sums of products of neighbours,
 * and the product of all is 1. */
static void
add_cyclic_system(DaeIdeal *ideal, int n)
{
  const fmpz_mpoly_ctx_struct *ctx = dae_ideal_ctx(ideal);
  fmpz_mpoly_t p;
  fmpz_mpoly_init(p, ctx);
  for (int length = 1; length <= n; length++) {
    fmpz_mpoly_zero(p, ctx);
    for (int first = 0; first < (length == n ? 1 : n); first++) {
      ulong exponent[16] = {0};
      for (int k = 0; k < length; k++) {
        exponent[(first + k) % n] = 1;
      }
      fmpz_mpoly_push_term_si_ui(p, 1, exponent, ctx);
    }
    fmpz_mpoly_sort_terms(p, ctx);
    if (length == n) {
      fmpz_mpoly_sub_si(p, p, 1, ctx);
    }
    dae_ideal_add_input(ideal, p);
  }
  fmpz_mpoly_clear(p, ctx);
}

static DaeMember
ask_cyclic_system(int n)
{
  g_autoptr(DaeIdeal) ideal = dae_ideal_new(algebra, (uint32_t)n, (uint32_t)n, false);
  const fmpz_mpoly_ctx_struct *ctx = dae_ideal_ctx(ideal);
  fmpz_mpoly_t x;
  fmpz_t scale;
  fmpz_init(scale);
  fmpz_mpoly_init(x, ctx);
  add_cyclic_system(ideal, n);
  fmpz_mpoly_gen(x, 0, ctx);
  DaeMember answer = dae_ideal_contains(ideal, x, scale, NULL);
  fmpz_mpoly_clear(x, ctx);
  fmpz_clear(scale);
  return answer;
}

/* A variable is no member, since a root has none that is 0: the small system is settled, the
 * large one ends in its limits instead of in minutes. */
static void
test_limits_end_a_large_system(void)
{
  TEST_ASSERT_EQUAL(DAE_NOT_MEMBER, ask_cyclic_system(4));
  TEST_ASSERT_EQUAL(DAE_MEMBER_UNKNOWN, ask_cyclic_system(9));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_answers_are_those_of_the_plain_algorithm);
  RUN_TEST(test_limits_end_a_large_system);
  return UNITY_END();
}
