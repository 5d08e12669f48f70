/* Each rule of [HoegerSteinbrecher, sections 4.3 and 4.4] on its own,
 * and what goes beyond + and *. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* The quasi-linear form of 0 = expression in u1 ... u5: "u1: c1, u2: c2 | rest;
 * identities" where 0 = sum + rest. */
static char *
transform(const char *expression, const char *jump_start)
{
  g_autofree char *text =
      g_strdup_printf("model T\n parameter Real p = 2;\n Real u1, u2, u3, u4, u5;\nequation\n"
                      "%s 0 = %s;\nend T;\n",
                      jump_start, expression);
  Fixture f;
  fixture_read(&f, text, 1);
  uint32_t n = dae_model_n_equations(f.model);
  QltWork *work = qlt_work_new(f.algebra, f.model, NULL);
  g_autofree uint32_t *identity_of = g_new(uint32_t, n);
  qlt_find_model_identities(work, identity_of);
  const DaeEquation *equation = dae_model_equation(f.model, n - 1);
  DaeTerm residual = dae_term_sub(f.terms, equation->rhs, equation->lhs);
  qlt_make_linear(work, residual);
  QltRow *row =
      qlt_extract_row(work, residual, g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)));
  GString *out = g_string_new(NULL);
  for (uint32_t k = 0; k < row->n; k++) {
    g_autofree char *c = dae_term_to_string(f.terms, row->coefficients[k]);
    g_string_append_printf(
        out, "%s%s: %s", k == 0 ? "" : ", ",
        dae_terms_symbol_name(f.terms, qlt_column(work, row->columns[k])->symbol), c);
  }
  g_autofree char *rest = dae_term_to_string(f.terms, dae_term_neg(f.terms, row->rhs));
  g_string_append_printf(out, " | %s;", rest);
  for (uint32_t j = work->n_model_columns; j < work->columns->len; j++) {
    g_autofree char *meaning = dae_term_to_string(f.terms, qlt_column(work, j)->meaning);
    g_string_append_printf(
        out, " %s=%s", dae_terms_symbol_name(f.terms, qlt_column(work, j)->symbol), meaning);
  }
  qlt_row_free(row);
  qlt_work_free(work);
  fixture_free(&f);
  return g_string_free(out, FALSE);
}

static void
assert_transform(const char *expression, const char *expected)
{
  g_autofree char *text = transform(expression, "");
  TEST_ASSERT_EQUAL_STRING(expected, text);
}

static void
test_rule_time_constants_and_unknowns_have_no_coefficients(void)
{
  assert_transform("time + 3 + u1", " | u1 + time + 3;");
}

static void
test_rule_derivative_is_a_coefficient_of_one(void)
{
  assert_transform("der(u1)", "u1: 1 | 0;");
}

static void
test_rule_identified_derivative_is_its_unknown(void)
{
  g_autofree char *text = transform("der(u1) + u2", "der(u1) = u3;");
  TEST_ASSERT_EQUAL_STRING(" | u2 + u3;", text);
}

static void
test_rule_sum_adds_coefficients(void)
{
  assert_transform("der(u1) + u2*der(u1) + der(u2) + u3", "u1: u2 + 1, u2: 1 | u3;");
}

static void
test_rule_product_with_constant_time_and_unknown_scales_both_components(void)
{
  /* the paper prints e * tau as the second component; it is e * c and e * u_i: docs/errata.md */
  assert_transform("3*(der(u1) + u2)", "u1: 3 | 3*u2;");
  assert_transform("time*(der(u1) + u2)", "u1: time | time*u2;");
  assert_transform("u3*(der(u1) + u2)", "u1: u3 | u2*u3;");
}

static void
test_rule_product_with_sum_distributes(void)
{
  assert_transform("(u2 + u3)*der(u1)", "u1: u2 + u3 | 0;");
}

static void
test_rule_product_of_derivatives_identifies_the_second(void)
{
  assert_transform("der(u1)*der(u2)", "u1: $der_u2 | 0; $der_u2=der(u2)");
}

static void
test_rule_product_of_three_derivatives_keeps_one_linear(void)
{
  assert_transform("der(u1)*der(u2)*der(u3)",
                   "u1: $der_u2*$der_u3 | 0; $der_u2=der(u2) $der_u3=der(u3)");
}

static void
test_rule_identified_factor_is_multiplied_as_an_unknown(void)
{
  g_autofree char *text = transform("der(u1)*der(u2)", "der(u2) = u4;");
  TEST_ASSERT_EQUAL_STRING("u1: u4 | 0;", text);
}

static void
test_identity_is_made_once_and_used_everywhere(void)
{
  assert_transform("sin(der(u1)) + cos(der(u1)) + der(u1)",
                   " | $der_u1 + sin($der_u1) + cos($der_u1); $der_u1=der(u1)");
}

static void
test_factor_with_most_derivatives_stays_linear(void)
{
  assert_transform("(der(u1) + der(u2))*der(u3)",
                   "u1: $der_u3, u2: $der_u3 | 0; $der_u3=der(u3)");
  assert_transform("der(u1)*(der(u2) + der(u3))",
                   "u2: $der_u1, u3: $der_u1 | 0; $der_u1=der(u1)");
}

static void
test_derivative_in_a_power_is_identified(void)
{
  assert_transform("der(u1)^2 + der(u2)", "u2: 1 | $der_u1^2; $der_u1=der(u1)");
  assert_transform("p^der(u1)", " | p^$der_u1; $der_u1=der(u1)");
  assert_transform("sqrt(der(u1))", " | sqrt($der_u1); $der_u1=der(u1)");
}

static void
test_derivative_in_a_denominator_is_identified_and_the_numerator_stays(void)
{
  assert_transform("der(u2)/(1 + der(u1))", "u2: 1/($der_u1 + 1) | 0; $der_u1=der(u1)");
  assert_transform("der(u2)/u1", "u2: 1/u1 | 0;");
}

static void
test_derivative_in_a_condition_is_identified_and_branches_stay_linear(void)
{
  assert_transform("if u1 > 0 then u2*der(u1) else der(u2)",
                   "u1: if 0 < u1 then u2 else 0, u2: if 0 < u1 then 0 else 1 | 0;");
  assert_transform("if der(u1) > 0 then u2 else u3",
                   " | if 0 < $der_u1 then u2 else u3; $der_u1=der(u1)");
}

static void
test_higher_orders_are_broken_down_step_by_step(void)
{
  assert_transform("der(der(u1)) + u2", "$der_u1: 1 | u2; $der_u1=der(u1)");
  assert_transform("der(der(der(u1)))",
                   "$der_der_u1: 1 | 0; $der_u1=der(u1) $der_der_u1=der(der(u1))");
}

static void
test_higher_order_of_an_identified_derivative_uses_its_unknown(void)
{
  g_autofree char *text = transform("der(der(u1)) + u1", "der(u1) = u3;");
  TEST_ASSERT_EQUAL_STRING("u3: 1 | u1;", text);
}

static void
test_jump_start_accepts_both_sides_and_signs(void)
{
  g_autofree char *a = transform("sin(der(u1))", "u3 = der(u1);");
  g_autofree char *b = transform("sin(der(u1))", "0 = u3 - der(u1);");
  TEST_ASSERT_EQUAL_STRING(" | sin(u3);", a);
  TEST_ASSERT_EQUAL_STRING(" | sin(u3);", b);
}

static void
test_der_x_equal_x_is_an_identity_and_ends(void)
{
  g_autofree char *text = transform("der(der(u1)) + der(u2)", "der(u1) = u1;");
  TEST_ASSERT_EQUAL_STRING("u2: 1 | u1;", text);
}

static void
test_rule_derivative_of_coefficients_uses_an_existing_identity(void)
{
  /* nabla gamma of <{u1 -> u2}, 0> with u1 identified: der(u2)*u3 + u2*der(u3) */
  g_autofree char *text = transform("der(u2*der(u1))", "der(u1) = u3;");
  TEST_ASSERT_EQUAL_STRING("u2: u3, u3: u2 | 0;", text);
}

static void
test_rule_derivative_of_coefficients_makes_an_identity_for_the_second_order(void)
{
  assert_transform("der(u2*der(u1))", "u2: $der_u1, $der_u1: u2 | 0; $der_u1=der(u1)");
}

static GArray *
no_origin(void)
{
  return g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
}

/* der(x) = k is the row that its residual gives; not where der(x) has an identity. */
static void
test_solved_equations_are_rows_as_they_stand(void)
{
  Fixture f;
  fixture_read(
      &f,
      "model T parameter Real p = 2; Real x, y, z, w; equation der(x) = p*x*y - sin(x)*(y "
      "- 1)/p; der(y) = w; der(z) = 0; der(y) = -2*z; end T;",
      1);
  QltWork *work = qlt_work_new(f.algebra, f.model, NULL);
  uint32_t identity_of[4];
  qlt_find_model_identities(work, identity_of);
  TEST_ASSERT_TRUE(identity_of[1] != QLT_NONE);
  for (uint32_t i = 0; i < 4; i++) {
    const DaeEquation *equation = dae_model_equation(f.model, i);
    TEST_ASSERT_TRUE(qlt_is_solved(f.terms, equation));
    GArray *from = no_origin();
    QltRow *row = qlt_solved_row(work, equation, from);
    TEST_ASSERT_EQUAL(i == 0 || i == 2, row != NULL);
    if (row == NULL) {
      g_array_unref(from);
      continue;
    }
    QltRow *other =
        qlt_extract_row(work, dae_term_sub(f.terms, equation->lhs, equation->rhs), no_origin());
    TEST_ASSERT_EQUAL_UINT32(1, other->n);
    TEST_ASSERT_EQUAL_UINT32(other->columns[0], row->columns[0]);
    TEST_ASSERT_EQUAL_UINT32(other->coefficients[0], row->coefficients[0]);
    TEST_ASSERT_EQUAL_UINT32(other->rhs, row->rhs);
    qlt_row_free(other);
    qlt_row_free(row);
  }
  qlt_work_free(work);
  fixture_free(&f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_rule_time_constants_and_unknowns_have_no_coefficients);
  RUN_TEST(test_rule_derivative_is_a_coefficient_of_one);
  RUN_TEST(test_solved_equations_are_rows_as_they_stand);
  RUN_TEST(test_rule_identified_derivative_is_its_unknown);
  RUN_TEST(test_rule_sum_adds_coefficients);
  RUN_TEST(test_rule_product_with_constant_time_and_unknown_scales_both_components);
  RUN_TEST(test_rule_product_with_sum_distributes);
  RUN_TEST(test_rule_product_of_derivatives_identifies_the_second);
  RUN_TEST(test_rule_product_of_three_derivatives_keeps_one_linear);
  RUN_TEST(test_rule_identified_factor_is_multiplied_as_an_unknown);
  RUN_TEST(test_identity_is_made_once_and_used_everywhere);
  RUN_TEST(test_factor_with_most_derivatives_stays_linear);
  RUN_TEST(test_derivative_in_a_power_is_identified);
  RUN_TEST(test_derivative_in_a_denominator_is_identified_and_the_numerator_stays);
  RUN_TEST(test_derivative_in_a_condition_is_identified_and_branches_stay_linear);
  RUN_TEST(test_higher_orders_are_broken_down_step_by_step);
  RUN_TEST(test_higher_order_of_an_identified_derivative_uses_its_unknown);
  RUN_TEST(test_jump_start_accepts_both_sides_and_signs);
  RUN_TEST(test_der_x_equal_x_is_an_identity_and_ends);
  RUN_TEST(test_rule_derivative_of_coefficients_uses_an_existing_identity);
  RUN_TEST(test_rule_derivative_of_coefficients_makes_an_identity_for_the_second_order);
  return UNITY_END();
}
