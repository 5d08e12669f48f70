#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_both_ways_to_declare_arrays_mean_the_same(void)
{
  assert_class_shows("  Real x[1];\n  Real x[2];\nequation\n  x[1] = 1;\n  x[2] = 2;\n",
                     "Real x[2]; equation x = {1, 2};");
  assert_class_shows("  Real x[1];\n  Real x[2];\nequation\n  x[1] = 1;\n  x[2] = 2;\n",
                     "Real[2] x; equation x = {1, 2};");
}

static void
test_dimensions_of_the_name_come_before_those_of_the_type(void)
{
  assert_class_shows(
      "  Real x[1,1];\n  Real x[1,2];\n  Real x[1,3];\nequation\n  x[1,1] = 4;\n  x[1,2] = 5;\n"
      "  x[1,3] = 6;\n",
      "Real[3] x[1]; equation x = {{4, 5, 6}};");
}

static void
test_matrix_constructor_joins_columns_and_rows(void)
{
  assert_class_shows("  Real A[1,1];\n  Real A[1,2];\n  Real A[2,1];\n  Real "
                     "A[2,2];\nequation\n  A[1,1] = 1;\n"
                     "  A[1,2] = 3;\n  A[2,1] = 2;\n  A[2,2] = 4;\n",
                     "Real A[2,2]; equation A = [{1, 2}, {3, 4}];");
}

static void
test_slices_and_end_pick_elements(void)
{
  assert_class_shows(
      "  Real x[1];\n  Real x[2];\n  Real x[3];\n  Real s;\nequation\n  x[3] = 1;\n  x[1] = "
      "2;\n"
      "  x[2] = s;\n  s = x[2] + x[3];\n",
      "Real x[3]; Real s; equation x[{3, 1}] = 1:2; x[end - 1] = s; s = sum(x[2:end]);");
}

static void
test_a_matrix_slice_keeps_the_sliced_dimension(void)
{
  assert_class_shows("  Real A[1,1];\n  Real A[1,2];\nequation\n  A[1,1] = 7;\n  A[1,2] = 8;\n",
                     "Real A[1,2]; equation A[1,:] = {7, 8};");
}

static void
test_products_of_vectors_and_matrices(void)
{
  assert_class_shows(
      "  parameter Real a[1] = 1;\n  parameter Real a[2] = 2;\n  Real s;\n  Real v[1];\n  Real "
      "v[2];\n"
      "equation\n  s = a[1]^2 + a[2]^2;\n  v[1] = a[1] + 2*a[2];\n  v[2] = 3*a[1] + 4*a[2];\n",
      "parameter Real a[2] = {1, 2}; Real s; Real v[2]; equation s = a*a; v = [1, 2; 3, 4]*a;");
}

static void
test_element_wise_operators_take_scalars(void)
{
  assert_class_shows("  Real v[1];\n  Real v[2];\nequation\n  v[1] = 2;\n  v[2] = 8;\n",
                     "Real v[2]; equation v = 2 .* {1, 2} .^ 2;");
}

static void
test_a_matrix_power_is_a_product(void)
{
  assert_class_shows("  Real A[1,1];\n  Real A[1,2];\n  Real A[2,1];\n  Real "
                     "A[2,2];\nequation\n  A[1,1] = 7;\n"
                     "  A[1,2] = 10;\n  A[2,1] = 15;\n  A[2,2] = 22;\n",
                     "Real A[2,2]; equation A = [1, 2; 3, 4]^2;");
}

static void
test_ranges_count_exactly(void)
{
  assert_body_shows("  Real x;\nequation\n  x = 0.6;\n",
                    "Real x; equation x = sum(0:0.1:0.3);");
  assert_body_shows("  Real x;\nequation\n  x = 15;\n", "Real x; equation x = sum(5:-1:1);");
  assert_body_shows("  Real x;\nequation\n  x = 0;\n", "Real x; equation x = sum(2:1);");
}

static void
test_comprehensions_run_their_first_iterator_fastest(void)
{
  assert_class_shows("  Real A[1,1];\n  Real A[1,2];\n  Real A[1,3];\nequation\n  A[1,1] = "
                     "11;\n  A[1,2] = 21;\n"
                     "  A[1,3] = 31;\n",
                     "Real A[1,3]; equation A = {10*i + j for i in 1:3, j in 1:1};");
}

static void
test_an_iterator_hides_a_name_outside(void)
{
  assert_body_shows("  parameter Real i = 7;\n  Real x;\nequation\n  x = i + 6;\n",
                    "parameter Real i = 7; Real x; equation x = sum(i for i in 1:3) + i;");
}

static void
test_sizes_that_do_not_fit_are_named(void)
{
  assert_messages("1:35: error: sizes do not fit: [2] '+' [3]\n",
                  "model M Real x[2]; equation x = x + ones(3); end M;");
  assert_messages("1:29: error: the sides of this equation have the sizes [2] and scalar\n",
                  "model M Real x[2]; equation x = 1; end M;");
  assert_messages("1:33: error: subscript 3 is outside 1:2 of 'x'\n",
                  "model M Real x[2]; equation 0 = x[3]; end M;");
  assert_messages("1:33: error: 2 subscripts for 'x', which is of size [2]\n",
                  "model M Real x[2]; equation 0 = x[1,1]; end M;");
  assert_messages("1:33: error: elements of different size: scalar and [1]\n",
                  "model M Real x[2]; equation x = {1, {2}}; end M;");
}

static void
test_size_limits_are_errors_not_crashes(void)
{
  assert_messages("1:14: error: 'x' has more than 16777216 elements\n",
                  "model M Real x[10000,10000]; equation x[1,1] = 1; end M;");
  assert_messages("1:35: error: a range of more than 16777216 elements\n",
                  "model M Real x; equation x = sum(1:10^12); end M;");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_both_ways_to_declare_arrays_mean_the_same);
  RUN_TEST(test_dimensions_of_the_name_come_before_those_of_the_type);
  RUN_TEST(test_matrix_constructor_joins_columns_and_rows);
  RUN_TEST(test_slices_and_end_pick_elements);
  RUN_TEST(test_a_matrix_slice_keeps_the_sliced_dimension);
  RUN_TEST(test_products_of_vectors_and_matrices);
  RUN_TEST(test_element_wise_operators_take_scalars);
  RUN_TEST(test_a_matrix_power_is_a_product);
  RUN_TEST(test_ranges_count_exactly);
  RUN_TEST(test_comprehensions_run_their_first_iterator_fastest);
  RUN_TEST(test_an_iterator_hides_a_name_outside);
  RUN_TEST(test_sizes_that_do_not_fit_are_named);
  RUN_TEST(test_size_limits_are_errors_not_crashes);
  return UNITY_END();
}
