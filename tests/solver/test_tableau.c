#include "solver/tableau.h"

#include <math.h>
#include <stddef.h>
#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
quadrature_has_order_2s_minus_1(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t q = 1; q <= 2 * t->s - 1; q++) {
      double sum = 0.0;
      for (uint32_t i = 0; i < t->s; i++) {
        sum += t->a[t->s - 1][i] * pow(t->c[i], (double)q - 1.0);
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0 / q, sum);
    }
    double beyond = 0.0;
    for (uint32_t i = 0; i < t->s; i++) {
      beyond += t->a[t->s - 1][i] * pow(t->c[i], 2.0 * t->s - 1.0);
    }
    TEST_ASSERT_TRUE(fabs(beyond - 0.5 / t->s) > 1e-9);
  }
}

static void
stage_order_is_s(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t i = 0; i < t->s; i++) {
      for (uint32_t q = 1; q <= t->s; q++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < t->s; j++) {
          sum += t->a[i][j] * pow(t->c[j], (double)q - 1.0);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, pow(t->c[i], q) / q, sum);
      }
    }
  }
}

static void
simplifying_condition_d_holds_to_s_minus_1(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    const double *b = t->a[t->s - 1];
    for (uint32_t j = 0; j < t->s; j++) {
      for (uint32_t q = 1; q <= t->s - 1; q++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < t->s; i++) {
          sum += b[i] * pow(t->c[i], (double)q - 1.0) * t->a[i][j];
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-15, b[j] / q * (1.0 - pow(t->c[j], q)), sum);
      }
    }
  }
}

static void
w_is_the_inverse_of_a(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t i = 0; i < t->s; i++) {
      for (uint32_t j = 0; j < t->s; j++) {
        double sum = 0.0;
        for (uint32_t l = 0; l < t->s; l++) {
          sum += t->w[i][l] * t->a[l][j];
        }
        TEST_ASSERT_DOUBLE_WITHIN(2e-14, i == j ? 1.0 : 0.0, sum);
      }
    }
  }
}

static double
block_entry(const DaeTableau *t, uint32_t i, uint32_t j)
{
  if (i == 0 || j == 0) {
    return i == j ? t->gamma : 0.0;
  }
  uint32_t pair = (i - 1) / 2;
  if (pair != (j - 1) / 2) {
    return 0.0;
  }
  if (i == j) {
    return t->alpha[pair];
  }
  return i < j ? -t->beta[pair] : t->beta[pair];
}

static void
t_brings_w_to_block_form(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t i = 0; i < t->s; i++) {
      for (uint32_t j = 0; j < t->s; j++) {
        double left = 0.0;
        double right = 0.0;
        double unit = 0.0;
        for (uint32_t l = 0; l < t->s; l++) {
          left += t->w[i][l] * t->t[l][j];
          right += t->t[i][l] * block_entry(t, l, j);
          unit += t->ti[i][l] * t->t[l][j];
        }
        TEST_ASSERT_DOUBLE_WITHIN(2e-14, right, left);
        TEST_ASSERT_DOUBLE_WITHIN(2e-14, i == j ? 1.0 : 0.0, unit);
      }
    }
  }
}

/* f(x0) + sum e_i Z_i / h vanishes for polynomials of degree s and not for degree s + 1. */
static void
error_weights_vanish_on_polynomials_of_degree_s(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t q = 1; q <= t->s + 1; q++) {
      double sum = q == 1 ? 1.0 : 0.0;
      for (uint32_t i = 0; i < t->s; i++) {
        sum += t->e[i] * pow(t->c[i], q);
      }
      if (q <= t->s) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, sum);
      } else {
        TEST_ASSERT_TRUE(fabs(sum) > 1e-6);
      }
    }
  }
}

static void
tables_are_found_by_order(void)
{
  TEST_ASSERT_EQUAL_UINT32(3, dae_solver_tableau(5)->s);
  TEST_ASSERT_EQUAL_UINT32(5, dae_solver_tableau(9)->s);
  TEST_ASSERT_EQUAL_UINT32(7, dae_solver_tableau(13)->s);
  TEST_ASSERT_NULL(dae_solver_tableau(7));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(quadrature_has_order_2s_minus_1);
  RUN_TEST(stage_order_is_s);
  RUN_TEST(simplifying_condition_d_holds_to_s_minus_1);
  RUN_TEST(w_is_the_inverse_of_a);
  RUN_TEST(t_brings_w_to_block_form);
  RUN_TEST(error_weights_vanish_on_polynomials_of_degree_s);
  RUN_TEST(tables_are_found_by_order);
  return UNITY_END();
}
