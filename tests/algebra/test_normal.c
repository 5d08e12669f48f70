/* Fractions of terms: converted once, whatever is asked about them, for counted work. */
#include "algebra/algebra-priv.h"

#include "expr.h"

#include <unity.h>

static DaeTerms *terms;
static DaeAlgebra *algebra;

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

/* Work that converting t takes. */
static double
work_of(DaeNormal *normal)
{
  double before = dae_work_begin(algebra, DAE_WORK_NORMAL);
  double left = algebra->work_left;
  bool ok = dae_normal_convert(normal, DAE_WORK_NORMAL);
  double spent = left - algebra->work_left;
  dae_work_end(algebra, before);
  TEST_ASSERT_TRUE(ok);
  return spent;
}

static void
test_a_term_is_converted_once(void)
{
  DaeTerm t = expr(terms, "x/(x + y) + z/(y + z)");
  g_autoptr(DaeNormal) first = dae_normal_of(algebra, t);
  TEST_ASSERT_TRUE(work_of(first) > 0);
  g_autoptr(DaeNormal) second = dae_normal_of(algebra, t);
  TEST_ASSERT_EQUAL_DOUBLE(0, work_of(second));
}

static void
test_what_failed_is_tried_again_with_more_work_only(void)
{
  DaeTerm t = expr(terms, "x/(x + y) + z/(y + z)");
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, t);
  TEST_ASSERT_FALSE(dae_normal_convert(normal, 10));
  double before = dae_work_begin(algebra, 5);
  TEST_ASSERT_FALSE(dae_normal_convert(normal, 5));
  TEST_ASSERT_EQUAL_DOUBLE(5, algebra->work_left); /* nothing was tried */
  dae_work_end(algebra, before);
  TEST_ASSERT_TRUE(dae_normal_convert(normal, DAE_WORK_NORMAL));
}

/* Summands with one denominator need one greatest common divisor, however many there are. */
static void
test_equal_denominators_are_added_first(void)
{
  g_autoptr(GString) text = g_string_new("x/(x + y + z)");
  for (int k = 1; k < 60; k++) {
    g_string_append_printf(text, " + a%d*x/(x + y + z)", k);
  }
  g_autoptr(DaeNormal) short_sum =
      dae_normal_of(algebra, expr(terms, "x/(x + y + z) + b*(1 + y)/(x + y + z)"));
  g_autoptr(DaeNormal) long_sum = dae_normal_of(algebra, expr(terms, text->str));
  double per_kernel = work_of(short_sum) / short_sum->ring->n;
  double cost = work_of(long_sum) / long_sum->ring->n;
  TEST_ASSERT_TRUE(cost < 30 * per_kernel);
  DaeTerm sum = dae_ring_fraction_term(long_sum->ring, long_sum->value);
  TEST_ASSERT_EQUAL_INT(
      DAE_ZERO, dae_algebra_is_zero(algebra, dae_term_sub(terms, sum, expr(terms, text->str))));
}

static void
test_numerators_that_cancel_are_cancelled(void)
{
  DaeTerm t = expr(terms, "x/(x + y) + y/(x + y)");
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, t);
  work_of(normal);
  TEST_ASSERT_TRUE(fmpz_mpoly_q_is_one(normal->value, normal->ring->ctx));
}

/* A fraction whose numerator is reduced by sin^2 + cos^2 = 1 is cancelled after that. */
static void
test_relations_cancel(void)
{
  DaeTerm t = expr(terms, "(1 - cos(x)*cos(x))/(sin(x)*(1 + y))*(1 + y)");
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, t);
  work_of(normal);
  DaeTerm fraction = dae_ring_fraction_term(normal->ring, normal->value);
  TEST_ASSERT_EQUAL_UINT32(expr(terms, "sin(x)"), fraction);
}

static void
test_export_to_a_larger_ring(void)
{
  DaeTerm all[2] = {expr(terms, "sqrt(x)*y/(z + 2) + 1/x"),
                    expr(terms, "a*sin(b) + sqrt(w) + z")};
  g_autoptr(DaeRing) ring = dae_ring_new(algebra, all, 2);
  fmpz_mpoly_q_struct *direct = dae_ring_values_new(ring, 2);
  fmpz_mpoly_q_struct *exported = dae_ring_values_new(ring, 2);
  TEST_ASSERT_TRUE(dae_ring_convert(ring, all, 2, direct));
  for (int k = 0; k < 2; k++) {
    g_autoptr(DaeNormal) normal = dae_normal_of(algebra, all[k]);
    work_of(normal);
    dae_normal_export(normal, ring, exported + k);
    TEST_ASSERT_TRUE(fmpz_mpoly_q_equal(direct + k, exported + k, ring->ctx));
  }
  dae_ring_values_free(ring, direct, 2);
  dae_ring_values_free(ring, exported, 2);
}

static void
test_export_of_a_number(void)
{
  DaeTerm all[2] = {expr(terms, "3"), expr(terms, "x + y")};
  g_autoptr(DaeRing) ring = dae_ring_new(algebra, all, 2);
  fmpz_mpoly_q_struct *exported = dae_ring_values_new(ring, 1);
  g_autoptr(DaeNormal) normal = dae_normal_of(algebra, all[0]);
  work_of(normal);
  dae_normal_export(normal, ring, exported);
  TEST_ASSERT_EQUAL_UINT32(all[0], dae_ring_fraction_term(ring, exported));
  dae_ring_values_free(ring, exported, 1);
}

/* What is kept is dropped when it is too much; who still uses a fraction keeps it. */
static void
test_many_terms(void)
{
  g_autoptr(DaeNormal) first = dae_normal_of(algebra, expr(terms, "(x + y)^2"));
  work_of(first);
  for (int k = 0; k < 40; k++) {
    g_autofree char *text = g_strdup_printf("(a + b + c + d + e + x)^%d", 8 + k % 5 + k / 5);
    g_autoptr(DaeNormal) normal = dae_normal_of(algebra, expr(terms, text));
    work_of(normal);
  }
  DaeTerm fraction = dae_ring_fraction_term(first->ring, first->value);
  TEST_ASSERT_EQUAL_UINT32(expr(terms, "x^2 + 2*x*y + y^2"), fraction);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_term_is_converted_once);
  RUN_TEST(test_what_failed_is_tried_again_with_more_work_only);
  RUN_TEST(test_equal_denominators_are_added_first);
  RUN_TEST(test_numerators_that_cancel_are_cancelled);
  RUN_TEST(test_relations_cancel);
  RUN_TEST(test_export_to_a_larger_ring);
  RUN_TEST(test_export_of_a_number);
  RUN_TEST(test_many_terms);
  return UNITY_END();
}
