/* Sizes and counts grow linearly for chains and ladders; growth is counted
 * in nodes, never by the clock. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static char *
chain_text(uint32_t n)
{
  return g_strdup_printf(
      "model Chain\n parameter Real m = 1;\n parameter Real L = 1;\n parameter Real g = 9.81;\n"
      " Real x[%u], y[%u], u[%u], v[%u], l[%u];\nequation\n"
      " for i in 1:%u loop\n  der(x[i]) = u[i];\n  der(y[i]) = v[i];\n end for;\n"
      " x[1]^2 + y[1]^2 = L^2;\n"
      " m*der(u[1]) = -x[1]*l[1] + (x[2] - x[1])*l[2];\n"
      " m*der(v[1]) = -y[1]*l[1] + (y[2] - y[1])*l[2] - m*g;\n"
      " for i in 2:%u loop\n  (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = L^2;\n end for;\n"
      " for i in 2:%u loop\n"
      "  m*der(u[i]) = -(x[i] - x[i - 1])*l[i] + (x[i + 1] - x[i])*l[i + 1];\n"
      "  m*der(v[i]) = -(y[i] - y[i - 1])*l[i] + (y[i + 1] - y[i])*l[i + 1] - m*g;\n end for;\n"
      " m*der(u[%u]) = -(x[%u] - x[%u])*l[%u];\n"
      " m*der(v[%u]) = -(y[%u] - y[%u])*l[%u] - m*g;\n"
      "end Chain;\n",
      n, n, n, n, n, n, n, n - 1, n, n, n - 1, n, n, n, n - 1, n);
}

static char *
ladder_text(uint32_t n)
{
  return g_strdup_printf(
      "model Ladder\n parameter Real C = 1e-6;\n parameter Real D = 2e-6;\n parameter Real L = "
      "1e-3;\n Real u[%u], w[%u], c[%u], j[%u], i[%u];\nequation\n"
      " for k in 1:%u loop\n  C*der(u[k]) = c[k];\n  D*der(w[k]) = j[k];\n end for;\n"
      " L*der(i[1]) = sin(time) - u[1];\n"
      " for k in 2:%u loop\n  L*der(i[k]) = u[k - 1] - u[k];\n end for;\n"
      " i[1] - i[2] - c[1] - j[1] = 0;\n"
      " for k in 2:%u loop\n  i[k] + j[k - 1] - i[k + 1] - c[k] - j[k] = 0;\n end for;\n"
      " i[%u] + j[%u] - c[%u] - j[%u] = 0;\n"
      " for k in 1:%u loop\n  w[k] = u[k] - u[k + 1];\n end for;\n w[%u] = u[%u];\nend "
      "Ladder;\n",
      n, n, n, n, n, n, n, n - 1, n, n - 1, n, n, n - 1, n, n);
}

static size_t
reduced_size(const char *text, uint32_t n_constraints)
{
  Fixture f;
  fixture_reduce(&f, text);
  TEST_ASSERT_EQUAL_UINT32(n_constraints, dae_qlt_n_constraints(f.qlt));
  TEST_ASSERT_EQUAL_UINT32(0, dae_qlt_n_introduced(f.qlt));
  size_t size = dae_qlt_terms_out(f.qlt);
  fixture_free(&f);
  return size;
}

static void
test_chain_of_pendula_grows_linearly(void)
{
  g_autofree char *small = chain_text(50);
  g_autofree char *large = chain_text(200);
  size_t a = reduced_size(small, 150);
  size_t b = reduced_size(large, 600);
  TEST_ASSERT_LESS_THAN(4 * a + 100, b);
}

static void
test_ladder_with_capacitor_loops_grows_linearly(void)
{
  g_autofree char *small = ladder_text(100);
  g_autofree char *large = ladder_text(400);
  size_t a = reduced_size(small, 300);
  size_t b = reduced_size(large, 1200);
  TEST_ASSERT_LESS_THAN(4 * a + 100, b);
}

/* A coupled mass matrix that is full would fill pages: its accelerations become unknowns. */
static void
test_large_coupled_block_is_introduced_and_not_eliminated(void)
{
  GString *text = g_string_new("model Full\n Real q[4], w[4], mu;\nequation\n");
  for (int i = 1; i <= 4; i++) {
    g_string_append_printf(text, " der(q[%d]) = w[%d];\n", i, i);
  }
  for (int i = 1; i <= 4; i++) {
    for (int k = 1; k <= 4; k++) {
      g_string_append_printf(text, "%s%d*cos(q[%d] - q[%d])*der(w[%d])", k == 1 ? " " : " + ",
                             5 - MAX(i, k), i, k, k);
    }
    g_string_append_printf(text, " = mu*cos(q[%d]) - sin(q[%d]);\n", i, i);
  }
  g_string_append(text, " 0 = sin(q[1]) + sin(q[2]) + sin(q[3]) + sin(q[4]) - 2;\nend Full;\n");
  Fixture f;
  fixture_reduce(&f, text->str);
  g_string_free(text, TRUE);
  assert_counts(&f, 13, 8, 7);
  TEST_ASSERT_EQUAL_UINT32(4, dae_qlt_n_introduced(f.qlt));
  TEST_ASSERT_EQUAL_UINT32(1, dae_qlt_n_blocks(f.qlt));
  TEST_ASSERT_FALSE(dae_qlt_block(f.qlt, 0)->is_eliminated);
  TEST_ASSERT_LESS_THAN(2 * dae_qlt_terms_in(f.qlt), dae_qlt_terms_out(f.qlt));
  fixture_free(&f);
}

static void
test_reduced_chain_reads_back_as_overdetermined_model(void)
{
  g_autofree char *text = chain_text(20);
  Fixture f;
  Fixture g;
  fixture_reduce(&f, text);
  g_autoptr(DaeModel) model = dae_qlt_to_model(f.qlt, f.terms);
  g_autoptr(GString) reduced = g_string_new(NULL);
  dae_model_print(model, f.terms, false, reduced);
  fixture_reduce(&g, reduced->str);
  assert_counts(&g, 100, 80, 60);
  for (uint32_t i = 0; i < 60; i++) {
    TEST_ASSERT_FALSE(dae_qlt_constraint(g.qlt, i)->is_numeric);
  }
  fixture_free(&f);
  fixture_free(&g);
}

static void
test_denominators_multiply_unless_they_are_equal(void)
{
  Fixture f;
  fixture_read(
      &f,
      "model M\n Real a, b, c, d;\nequation\n"
      " a = 1/(b + c) + 1/(b - c)^2 + b/(b + c)^2 + 1/b;\n"
      " b = sin(1/(a + b + c)) + (a + b)^2;\n c = 1/(1/(a + b) + c);\n d = 0;\nend M;\n",
      1);
  const double expected[] = {4 * 4, 1, 3 * 2};
  QltWork work = {.terms = f.terms};
  for (uint32_t i = 0; i < G_N_ELEMENTS(expected); i++) {
    DaeTerm rhs = dae_model_equation(f.model, i)->rhs;
    TEST_ASSERT_EQUAL_DOUBLE(expected[i], qlt_common_denominator(&work, rhs));
  }
  fixture_free(&f);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_denominators_multiply_unless_they_are_equal);
  RUN_TEST(test_chain_of_pendula_grows_linearly);
  RUN_TEST(test_ladder_with_capacitor_loops_grows_linearly);
  RUN_TEST(test_large_coupled_block_is_introduced_and_not_eliminated);
  RUN_TEST(test_reduced_chain_reads_back_as_overdetermined_model);
  return UNITY_END();
}
