#include "solver/radau.h"
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

static double
polynomial(const DaeTableau *t, uint32_t i, double theta)
{
  double sum = 0.0;
  for (uint32_t k = t->s; k-- > 0;) {
    sum = (sum + t->poly[i][k]) * theta;
  }
  return sum;
}

/* l_i is 1 at c_i and 0 at the other nodes and at 0: the table of its coefficients, its leading
 * coefficient, and the products that the dense output takes are three ways to the same values. */
static void
polynomials_of_the_dense_output_interpolate(void)
{
  for (int k = 0; k < DAE_TABLEAUS; k++) {
    const DaeTableau *t = &dae_solver_tableaus[k];
    for (uint32_t i = 0; i < t->s; i++) {
      for (uint32_t j = 0; j < t->s; j++) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-10, i == j ? 1.0 : 0.0, polynomial(t, i, t->c[j]));
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * fabs(t->lead[i]), t->lead[i], t->poly[i][t->s - 1]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * fabs(t->e[i]), -t->e[i], t->poly[i][0]);
    }
    for (int m = 0; m <= 20; m++) {
      double basis[DAE_STAGES_MAX];
      double slopes[DAE_STAGES_MAX];
      const double theta = m / 16.0; /* beyond the step, too */
      dae_collocation_basis(t, theta, basis);
      dae_collocation_basis_derivative(t, theta, slopes);
      for (uint32_t i = 0; i < t->s; i++) {
        const double size = fmax(1.0, fabs(basis[i]));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9 * size, polynomial(t, i, theta), basis[i]);
        const double d = 1e-4;
        const double quotient =
            (polynomial(t, i, theta + d) - polynomial(t, i, theta - d)) / (2.0 * d);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 * fmax(1.0, fabs(slopes[i])), quotient, slopes[i]);
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
  RUN_TEST(polynomials_of_the_dense_output_interpolate);
  RUN_TEST(tables_are_found_by_order);
  return UNITY_END();
}
