/* The papers' examples by name. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static const char *const hoeger_4_5 =
    "model P\n parameter Real g = 9.81;\n Real u1, u2, u3, u4, u5;\n"
    "equation\n"
    " der(u1) - u3 = 0;\n der(u2) - u4 = 0;\n"
    " u1*u1 + u2*u2 - 1 = 0;\n"
    " der(u3) + 2*u1*u5 = 0;\n der(u4) + 2*u2*u5 + g = 0;\n"
    "end P;\n";

static const char *const hoeger_2_1 =
    "model P\n parameter Real m = 1;\n parameter Real L = 1;\n parameter Real g = 9.81;\n"
    " Real p, q, v, w, lambda;\n"
    "equation\n der(p) = v;\n der(q) = w;\n m*der(v) = -2*p*lambda;\n"
    " m*der(w) = -m*g - 2*q*lambda;\n 0 = p^2 + q^2 - L^2;\nend P;\n";

static const char *const scholz_2_1 =
    "model P\n parameter Real l = 1;\n parameter Real g = 9.81;\n Real p1, p2, q1, q2, "
    "lambda;\n"
    "equation\n der(p1) - q1 = 0;\n der(p2) - q2 = 0;\n der(q1) + 2*p1*lambda = 0;\n"
    " der(q2) + 2*p2*lambda + g = 0;\n p1^2 + p2^2 - l^2 = 0;\nend P;\n";

static void
test_hoeger_4_5_jump_start_gives_iota_and_ql_1_to_ql_3(void)
{
  Fixture f;
  fixture_read(&f, hoeger_4_5, 1);
  QltWork *work = qlt_work_new(f.algebra, f.model, NULL);
  uint32_t identity_of[5];
  qlt_find_model_identities(work, identity_of);
  TEST_ASSERT_EQUAL_UINT32(2, qlt_column(work, 0)->iota); /* u1 -> u3 */
  TEST_ASSERT_EQUAL_UINT32(3, qlt_column(work, 1)->iota); /* u2 -> u4 */
  TEST_ASSERT_EQUAL_UINT32(QLT_NONE, qlt_column(work, 2)->iota);
  static const char *const rests[] = {"u1^2 + u2^2 - 1", "2*u1*u5", "2*u2*u5 + g"};
  static const uint32_t columns[] = {QLT_NONE, 2, 3};
  for (uint32_t k = 0; k < 3; k++) {
    const DaeEquation *equation = dae_model_equation(f.model, k + 2);
    DaeTerm residual = dae_term_sub(f.terms, equation->lhs, equation->rhs);
    QltRow *row =
        qlt_extract_row(work, residual, g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)));
    TEST_ASSERT_EQUAL_UINT32(columns[k] == QLT_NONE ? 0 : 1, row->n);
    if (row->n == 1) {
      TEST_ASSERT_EQUAL_UINT32(columns[k], row->columns[0]);
      TEST_ASSERT_TRUE(dae_term_is_one(f.terms, row->coefficients[0]));
    }
    TEST_ASSERT_TRUE(parse(&f, rests[k]) == dae_term_neg(f.terms, row->rhs));
    qlt_row_free(row);
  }
  qlt_work_free(work);
  fixture_free(&f);
}

static void
test_hoeger_4_5_derivatives_are_ql_4_and_ql_5(void)
{
  Fixture f;
  fixture_read(&f, hoeger_4_5, 1);
  QltWork *work = qlt_work_new(f.algebra, f.model, NULL);
  uint32_t identity_of[5];
  qlt_find_model_identities(work, identity_of);
  DaeTerm ql_1 = parse(&f, "u1*u1 + u2*u2 - 1");
  QltRow *ql_4 = qlt_extract_row(work, dae_term_total(f.terms, ql_1),
                                 g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)));
  TEST_ASSERT_EQUAL_UINT32(0, ql_4->n);
  TEST_ASSERT_TRUE(is_same_constraint(&f, ql_4->rhs, parse(&f, "u1*u3 + u2*u4")));
  QltRow *ql_5 = qlt_extract_row(work, dae_term_total(f.terms, parse(&f, "u1*u3 + u2*u4")),
                                 g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)));
  TEST_ASSERT_EQUAL_UINT32(2, ql_5->n);
  TEST_ASSERT_EQUAL_UINT32(2, ql_5->columns[0]);
  TEST_ASSERT_TRUE(ql_5->coefficients[0] == parse(&f, "u1"));
  TEST_ASSERT_EQUAL_UINT32(3, ql_5->columns[1]);
  TEST_ASSERT_TRUE(ql_5->coefficients[1] == parse(&f, "u2"));
  TEST_ASSERT_TRUE(dae_term_neg(f.terms, ql_5->rhs) == parse(&f, "u3*u3 + u4*u4"));
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(5, work->columns->len, "no additional identities");
  qlt_row_free(ql_4);
  qlt_row_free(ql_5);
  qlt_work_free(work);
  fixture_free(&f);
}

static void
test_hoeger_4_5_matrix_and_third_constraint_with_the_sign_corrected(void)
{
  Fixture f;
  fixture_reduce(&f, hoeger_4_5);
  assert_counts(&f, 5, 4, 3);
  /* the first two rows of the printed matrix are the identities: docs/errata.md */
  assert_row(&f, 0, "der(u1) = u3");
  assert_row(&f, 1, "der(u2) = u4");
  assert_row(&f, 2, "der(u3) = -2*u1*u5");
  assert_row(&f, 3, "der(u4) = -2*u2*u5 - g");
  assert_constraint(&f, 0, "u1^2 + u2^2 - 1", 0, false);
  assert_constraint(&f, 1, "u1*u3 + u2*u4", 1, true);
  /* the print has + g*u2: docs/errata.md */
  assert_constraint(&f, 2, "u3^2 + u4^2 - 2*u1^2*u5 - 2*u2^2*u5 - g*u2", 2, true);
  fixture_free(&f);
}

static void
test_hoeger_example_2_1_constraints_4e_4f_4g(void)
{
  Fixture f;
  fixture_reduce(&f, hoeger_2_1);
  assert_counts(&f, 5, 4, 3);
  assert_constraint(&f, 0, "p^2 + q^2 - L^2", 0, false);
  assert_constraint(&f, 1, "2*p*v + 2*q*w", 1, true);
  assert_constraint(&f, 2, "2*v^2 + 2*w^2 + 2*p*(-2*p*lambda)/m + 2*q*(-m*g - 2*q*lambda)/m", 2,
                    true);
  TEST_ASSERT_EQUAL_INT(2, dae_qlt_max_level(f.qlt));
  fixture_free(&f);
}

static void
test_scholz_example_3_2_equation_11(void)
{
  Fixture f;
  fixture_reduce(&f, scholz_2_1);
  assert_counts(&f, 5, 4, 3);
  assert_constraint(&f, 0, "p1^2 + p2^2 - l^2", 0, false);
  assert_constraint(&f, 1, "2*p1*q1 + 2*p2*q2", 1, true);
  assert_constraint(&f, 2, "-4*p1^2*lambda + 2*q1^2 - 4*p2^2*lambda - 2*p2*g + 2*q2^2", 2,
                    true);
  fixture_free(&f);
}

/* The constraint of level 2 uses exactly the rows of (5): F1', F2', F3, F4, F5''. */
static void
test_scholz_equation_5_origins_are_the_reduced_derivative_array(void)
{
  Fixture f;
  fixture_reduce(&f, scholz_2_1);
  static const DaeQltOrigin expected[] = {{0, 1}, {1, 1}, {2, 0}, {3, 0}, {4, 2}};
  const DaeQltConstraint *constraint = dae_qlt_constraint(f.qlt, 2);
  TEST_ASSERT_EQUAL_UINT32(5, constraint->n_from);
  for (uint32_t k = 0; k < 5; k++) {
    TEST_ASSERT_EQUAL_UINT32(expected[k].equation, constraint->from[k].equation);
    TEST_ASSERT_EQUAL_INT32(expected[k].order, constraint->from[k].order);
  }
  const int32_t *c = dae_sig_c(f.sig);
  for (uint32_t k = 0; k < 5; k++) {
    TEST_ASSERT_EQUAL_INT32(c[k], expected[k].order);
  }
  fixture_free(&f);
}

/* Rows of (5), with the second and fourth as they should be printed (docs/errata.md), each from
 * the first-order equations by differentiation. */
static void
test_scholz_equation_5_rows(void)
{
  Fixture f;
  fixture_read(&f, scholz_2_1, 1);

  static const struct {
    uint32_t equation;
    int order;
    const char *row;
  } array[] = {
      {0, 1, "der(der(p1)) - der(q1)"},
      {1, 1, "der(der(p2)) - der(q2)"},
      {4, 1, "2*p1*der(p1) + 2*p2*der(p2)"},
      {4, 2, "2*p1*der(der(p1)) + 2*der(p1)^2 + 2*p2*der(der(p2)) + 2*der(p2)^2"},
  };

  for (size_t k = 0; k < G_N_ELEMENTS(array); k++) {
    const DaeEquation *equation = dae_model_equation(f.model, array[k].equation);
    DaeTerm t = dae_term_sub(f.terms, equation->lhs, equation->rhs);
    for (int order = 0; order < array[k].order; order++) {
      t = dae_term_total(f.terms, t);
    }
    TEST_ASSERT_TRUE_MESSAGE(dae_algebra_equal(f.algebra, t, parse(&f, array[k].row)),
                             array[k].row);
  }
  fixture_free(&f);
}

/* [Frochte, section 1]: the pendulum with its constraint replaced by its derivatives. */
static void
assert_frochte(const char *last, int32_t index, int64_t dof, uint32_t n_constraints,
               int32_t max_level)
{
  g_autofree char *text = g_strdup_printf(
      "model F\n parameter Real g = 13.7503716373294544;\n"
      " Real x(start = 1), y, u, v, lambda;\nequation\n der(x) = u;\n der(u) = lambda*x;\n"
      " der(y) = v;\n der(v) = lambda*y - g;\n %s\nend F;\n",
      last);
  Fixture f;
  fixture_reduce(&f, text);
  TEST_ASSERT_EQUAL_INT32(index, dae_sig_index(f.sig));
  TEST_ASSERT_EQUAL_INT64(dof, dae_sig_dof(f.sig));
  TEST_ASSERT_EQUAL_UINT32(n_constraints, dae_qlt_n_constraints(f.qlt));
  TEST_ASSERT_EQUAL_INT32(max_level, dae_qlt_max_level(f.qlt));
  fixture_free(&f);
}

static void
test_frochte_index_3_2_1_0(void)
{
  assert_frochte("0 = x^2 + y^2 - 1;", 3, 2, 3, 2);
  assert_frochte("0 = x*der(x) + y*der(y);", 2, 3, 2, 1);
  assert_frochte("0 = lambda*x^2 + lambda*y^2 - g*y + u^2 + v^2;", 1, 4, 1, 0);
  /* the third term is 2*lambda*y*v: docs/errata.md */
  assert_frochte("0 = x^2*der(lambda) + 2*lambda*x*u + y^2*der(lambda) + 2*lambda*y*v - g*v + "
                 "2*u*der(u) + 2*v*der(v);",
                 0, 5, 0, 0);
}

static void
test_frochte_lambda_from_the_index_1_form(void)
{
  Fixture f;
  fixture_reduce(&f,
                 "model F\n parameter Real g = 13.75;\n Real x, y, u, v, lambda;\nequation\n"
                 " der(x) = u;\n der(u) = lambda*x;\n der(y) = v;\n der(v) = lambda*y - g;\n"
                 " 0 = x^2 + y^2 - 1;\nend F;\n");
  assert_constraint(&f, 1, "x*u + y*v", 1, true);
  assert_constraint(&f, 2, "lambda*x^2 + lambda*y^2 - g*y + u^2 + v^2", 2, true);
  fixture_free(&f);
}

/* [ScholzSteinbrecher, example 2.2]: singular Jacobian; after
 * analyze's repair no freedom is left. */
static void
test_scholz_example_2_2_after_the_repair(void)
{
  Fixture f;
  fixture_reduce(&f, "model R\n Real x1, x2, x3, x4;\nequation\n der(x1) = x3 + sin(time);\n"
                     " der(x2) = x4 + time;\n 0 = x2 + x3 + x4 + time^2;\n"
                     " 0 = -x1 + x3 + x4 + cos(time);\nend R;\n");
  TEST_ASSERT_EQUAL_INT(DAE_SIG_REPAIRED, dae_sig_status(f.sig));
  TEST_ASSERT_EQUAL_UINT32(dae_qlt_n_unknowns(f.qlt), dae_qlt_n_constraints(f.qlt));
  fixture_free(&f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_hoeger_4_5_jump_start_gives_iota_and_ql_1_to_ql_3);
  RUN_TEST(test_hoeger_4_5_derivatives_are_ql_4_and_ql_5);
  RUN_TEST(test_hoeger_4_5_matrix_and_third_constraint_with_the_sign_corrected);
  RUN_TEST(test_hoeger_example_2_1_constraints_4e_4f_4g);
  RUN_TEST(test_scholz_example_3_2_equation_11);
  RUN_TEST(test_scholz_equation_5_origins_are_the_reduced_derivative_array);
  RUN_TEST(test_scholz_equation_5_rows);
  RUN_TEST(test_frochte_index_3_2_1_0);
  RUN_TEST(test_frochte_lambda_from_the_index_1_form);
  RUN_TEST(test_scholz_example_2_2_after_the_repair);
  return UNITY_END();
}
