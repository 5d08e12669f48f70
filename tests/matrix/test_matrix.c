/* Methods of LAPACK as functions of numbers: sizes that do not fit are refused, and what each
 * returns satisfies what defines it. */
#include <math.h>
#include <unity.h>

#include "matrix/matrix.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
run(const DaeMethod *method, const double *x, double *y)
{
  g_autofree double *work = g_new(double, method->n_work);
  g_autofree int *places = g_new(int, method->n_places);
  method->run(method->sizes, x, y, work, places);
}

static DaeMethod
method_of(const char *name, int a, int b, int c, int d, int e)
{
  const int sizes[DAE_METHOD_SIZES] = {a, b, c, d, e, 0};
  DaeMethod method;
  TEST_ASSERT_TRUE_MESSAGE(dae_matrix_method(name, sizes, &method), name);
  return method;
}

static void
test_sizes_that_do_not_fit(void)
{
  static const struct {
    const char *name;
    int sizes[DAE_METHOD_SIZES];
  } wrong[] = {
      {"none", {2}},          {"dgeev", {0}},           {"dgeev", {501}},
      {"dgeev", {-1}},        {"dorgqr", {2, 3, 1}},    {"dorgqr", {3, 2, 3}},
      {"dgehrd", {3, 0, 3}},  {"dgehrd", {3, 2, 4}},    {"dhseqr", {3, 0, 3}},
      {"dtrsen", {2, 'X'}},   {"dtrsyl", {2, 2, 0, 0}}, {"dgglse", {1, 4, 2}},
      {"dgglse", {3, 2, 3}},  {"dlange", {2, 2, 'Z'}},  {"dlange", {2, 2, 0}},
      {"dlange", {2, 2, -1}}, {"dgesv", {2, 0}},
  };

  DaeMethod method;
  for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
    TEST_ASSERT_FALSE_MESSAGE(dae_matrix_method(wrong[i].name, wrong[i].sizes, &method),
                              wrong[i].name);
  }
}

/* A V = V diag(w), W V = 1, for eigenvalues 2 and 1 +- i. */
static void
test_vectors_and_their_inverse(void)
{
  static const double a[] = {1, 1, 3, -1, 1, 0, 0, 0, 2};
  double w[7];
  double y[45];
  const DaeMethod values = method_of("dgeev", 3, 0, 0, 0, 0);
  const DaeMethod vectors = method_of("eigen", 3, 0, 0, 0, 0);
  TEST_ASSERT_EQUAL(9, values.n_inputs);
  TEST_ASSERT_EQUAL(7, values.n_outputs);
  TEST_ASSERT_EQUAL(45, vectors.n_outputs);
  run(&values, a, w);
  run(&vectors, a, y);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double re = -w[k] * y[3 * i + k] + w[3 + k] * y[9 + 3 * i + k];
      double im = -w[k] * y[9 + 3 * i + k] - w[3 + k] * y[3 * i + k];
      double one_re = 0;
      double one_im = 0;
      for (int j = 0; j < 3; j++) {
        re += a[3 * i + j] * y[3 * j + k];
        im += a[3 * i + j] * y[9 + 3 * j + k];
        one_re += y[18 + 3 * i + j] * y[3 * j + k] - y[27 + 3 * i + j] * y[9 + 3 * j + k];
        one_im += y[18 + 3 * i + j] * y[9 + 3 * j + k] + y[27 + 3 * i + j] * y[3 * j + k];
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, re);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, im);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, i == k ? 1 : 0, one_re);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, one_im);
      if (y[36 + 3 * i + k] != 0) { /* the largest one of each vector is real */
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, y[9 + 3 * i + k]);
      }
    }
  }
}

/* What cannot be solved has no values. */
static void
test_a_singular_system(void)
{
  const DaeMethod method = method_of("dgesv", 2, 1, 0, 0, 0);
  static const double good[] = {0, 2, 4, 1, 6, 5};
  static const double singular[] = {1, 2, 2, 4, 6, 5};
  double y[3];
  run(&method, good, y); /* needs an exchange of rows */
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.5, y[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3, y[1]);
  TEST_ASSERT_EQUAL_DOUBLE(0, y[2]);
  run(&method, singular, y);
  TEST_ASSERT_TRUE(isnan(y[0]) && isnan(y[1]));
  TEST_ASSERT_TRUE(y[2] > 0);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_sizes_that_do_not_fit);
  RUN_TEST(test_vectors_and_their_inverse);
  RUN_TEST(test_a_singular_system);
  return UNITY_END();
}
