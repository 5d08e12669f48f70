/* Matrices of terms, two ways: determinants against products, null vectors against
 * the matrix, solutions put back. */
#include <string.h>

#include "algebra/algebra.h"

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

static DaeMatrix *
matrix(uint32_t n_rows, uint32_t n_columns, const char *const *text)
{
  DaeMatrix *m = dae_matrix_new(terms, n_rows, n_columns);
  for (uint32_t i = 0; i < n_rows * n_columns; i++) {
    m->entries[i] = expr(terms, text[i]);
  }
  return m;
}

static DaeMatrix *
multiply(const DaeMatrix *a, const DaeMatrix *b)
{
  DaeMatrix *c = dae_matrix_new(terms, a->n_rows, b->n_columns);
  for (uint32_t i = 0; i < a->n_rows; i++) {
    for (uint32_t j = 0; j < b->n_columns; j++) {
      DaeTerm *out = &c->entries[i * b->n_columns + j];
      for (uint32_t k = 0; k < a->n_columns; k++) {
        DaeTerm product = dae_term_mul(terms, a->entries[i * a->n_columns + k],
                                       b->entries[k * b->n_columns + j]);
        *out = dae_term_add(terms, *out, product);
      }
    }
  }
  return c;
}

static void
assert_equal_terms(const char *expected, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(terms, t);
  g_autofree char *message = g_strdup_printf("expected %s, got %s", expected, text);
  TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(algebra, expr(terms, expected), t), message);
}

static void
test_determinant_of_2_by_2(void)
{
  static const char *const text[] = {"a", "b", "c", "d"};
  g_autoptr(DaeMatrix) m = matrix(2, 2, text);
  assert_equal_terms("a*d - b*c", dae_algebra_determinant(algebra, m));
  TEST_ASSERT_EQUAL(DAE_NONZERO, dae_algebra_determinant_is_zero(algebra, m));
}

static void
test_determinant_of_a_rotation_is_1(void)
{
  static const char *const text[] = {"cos(x)", "sin(x)", "-sin(x)", "cos(x)"};
  g_autoptr(DaeMatrix) m = matrix(2, 2, text);
  assert_equal_terms("1", dae_algebra_determinant(algebra, m));
  TEST_ASSERT_EQUAL(DAE_NONZERO, dae_algebra_determinant_is_zero(algebra, m));
}

static void
test_determinant_of_products_multiplies(void)
{
  static const char *const left[] = {"x", "1", "y/z", "2", "x+y", "0", "z", "1/x", "3"};
  static const char *const right[] = {"1", "y", "0", "x-z", "2", "1", "y", "0", "x"};
  g_autoptr(DaeMatrix) a = matrix(3, 3, left);
  g_autoptr(DaeMatrix) b = matrix(3, 3, right);
  g_autoptr(DaeMatrix) c = multiply(a, b);
  DaeTerm product = dae_term_mul(terms, dae_algebra_determinant(algebra, a),
                                 dae_algebra_determinant(algebra, b));
  TEST_ASSERT_TRUE(dae_algebra_equal(algebra, product, dae_algebra_determinant(algebra, c)));
}

static void
test_determinant_of_numbers(void)
{
  static const char *const text[] = {"0.5", "1/3", "2", "4"};
  g_autoptr(DaeMatrix) m = matrix(2, 2, text);
  assert_equal_terms("4/3", dae_algebra_determinant(algebra, m));
}

static void
test_rank_of_an_outer_product_is_1(void)
{
  static const char *const u[] = {"x", "y", "x*y+1"};
  static const char *const v[] = {"a", "sin(b)", "a+b"};
  g_autoptr(DaeMatrix) left = matrix(3, 1, u);
  g_autoptr(DaeMatrix) right = matrix(1, 3, v);
  g_autoptr(DaeMatrix) m = multiply(left, right);
  bool certain = false;
  TEST_ASSERT_EQUAL_UINT32(1, dae_algebra_rank(algebra, m, &certain));
  TEST_ASSERT_TRUE(certain);
  TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_determinant_is_zero(algebra, m));
}

static void
test_left_null_vectors_annihilate(void)
{
  static const char *const u[] = {"x", "1/y", "y", "0", "x*y+1", "2"};
  static const char *const v[] = {"a", "b", "a+b", "1", "a*b", "c"};
  g_autoptr(DaeMatrix) left = matrix(3, 2, u);
  g_autoptr(DaeMatrix) right = matrix(2, 3, v);
  g_autoptr(DaeMatrix) m = multiply(left, right);
  g_autoptr(GArray) assumed = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeMatrix) null = dae_algebra_left_null(algebra, m, assumed);
  TEST_ASSERT_NOT_NULL(null);
  TEST_ASSERT_EQUAL_UINT32(1, null->n_rows);
  TEST_ASSERT_EQUAL_UINT32(3, null->n_columns);
  TEST_ASSERT_GREATER_THAN_UINT(0, assumed->len);
  g_autoptr(DaeMatrix) product = multiply(null, m);
  for (uint32_t j = 0; j < 3; j++) {
    TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_is_zero(algebra, product->entries[j]));
  }
  g_autoptr(DaeMatrix) right_null = dae_algebra_right_null(algebra, m, NULL);
  TEST_ASSERT_NOT_NULL(right_null);
  TEST_ASSERT_EQUAL_UINT32(1, right_null->n_rows);
  g_autoptr(DaeMatrix) column = dae_matrix_new(terms, 3, 1);
  memcpy(column->entries, right_null->entries, 3 * sizeof(DaeTerm));
  g_autoptr(DaeMatrix) image = multiply(m, column);
  for (uint32_t i = 0; i < 3; i++) {
    TEST_ASSERT_EQUAL(DAE_ZERO, dae_algebra_is_zero(algebra, image->entries[i]));
  }
}

static void
test_regular_matrix_has_no_null_vector(void)
{
  static const char *const text[] = {"x", "1", "0", "y"};
  g_autoptr(DaeMatrix) m = matrix(2, 2, text);
  g_autoptr(DaeMatrix) null = dae_algebra_left_null(algebra, m, NULL);
  TEST_ASSERT_NOT_NULL(null);
  TEST_ASSERT_EQUAL_UINT32(0, null->n_rows);
}

static void
test_solution_solves(void)
{
  static const char *const text[] = {"cos(x)", "sin(x)", "y", "-sin(x)", "cos(x)",
                                     "1",      "0",      "z", "2"};
  static const char *const rhs[] = {"1", "x", "y/z"};
  g_autoptr(DaeMatrix) m = matrix(3, 3, text);
  g_autoptr(DaeMatrix) b = matrix(3, 1, rhs);
  g_autoptr(DaeMatrix) x = dae_matrix_new(terms, 3, 1);
  TEST_ASSERT_TRUE(dae_algebra_solve(algebra, m, b->entries, x->entries, NULL));
  g_autoptr(DaeMatrix) back = multiply(m, x);
  for (uint32_t i = 0; i < 3; i++) {
    TEST_ASSERT_TRUE(dae_algebra_equal(algebra, back->entries[i], b->entries[i]));
  }
}

static void
test_singular_system_is_refused(void)
{
  static const char *const text[] = {"x", "x*y", "1", "y"};
  static const char *const rhs[] = {"1", "2"};
  g_autoptr(DaeMatrix) m = matrix(2, 2, text);
  g_autoptr(DaeMatrix) b = matrix(2, 1, rhs);
  DaeTerm x[2] = {0, 0};
  TEST_ASSERT_FALSE(dae_algebra_solve(algebra, m, b->entries, x, NULL));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_determinant_of_2_by_2);
  RUN_TEST(test_determinant_of_a_rotation_is_1);
  RUN_TEST(test_determinant_of_products_multiplies);
  RUN_TEST(test_determinant_of_numbers);
  RUN_TEST(test_rank_of_an_outer_product_is_1);
  RUN_TEST(test_left_null_vectors_annihilate);
  RUN_TEST(test_regular_matrix_has_no_null_vector);
  RUN_TEST(test_solution_solves);
  RUN_TEST(test_singular_system_is_refused);
  return UNITY_END();
}
