/* Random models against the derivative array: linear ones with singular leading matrices,
 * nonlinear ones, and over-determined ones made by adding consequences. */
#include "projection.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static uint32_t
next(uint32_t *state, uint32_t n)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 10) % n;
}

static const char *const sources[] = {"0", "1", "sin(time)", "time^2", "exp(-time)"};

static void
append_coefficient(GString *text, uint32_t *state, uint32_t n, bool is_nonlinear,
                   bool is_derivative)
{
  g_string_append_printf(text, " %s %u", next(state, 2) == 0 ? "+" : "-", 1 + next(state, 3));
  if (is_nonlinear && next(state, 3) == 0) {
    /* factors that do not vanish: 0 = x*y is a union of two solution sets, and each
     * branch has its own constraints */
    g_string_append_printf(text, is_derivative ? "*(2 + x%u^2)" : "*(2 + cos(x%u))",
                           next(state, n));
  }
}

/* n equations in x0 ... x(n-1); derivatives are rare enough to leave algebraic rows. */
static char *
random_model(uint32_t seed, bool is_nonlinear)
{
  uint32_t state = seed * 2654435761u + 99u;
  uint32_t n = 2 + next(&state, 4);
  GString *text = g_string_new("model R\n");
  for (uint32_t j = 0; j < n; j++) {
    g_string_append_printf(text, " Real x%u(start = %g);\n", j, 0.3 + 0.2 * j);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 0; i < n; i++) {
    g_string_append(text, " 0");
    for (uint32_t j = 0; j < n; j++) {
      if (next(&state, 10) < 3) {
        append_coefficient(text, &state, n, is_nonlinear, true);
        g_string_append_printf(text, "*der(x%u)", j);
      }
      if (next(&state, 10) < 4 || j == (i + 1) % n) {
        append_coefficient(text, &state, n, is_nonlinear, false);
        g_string_append_printf(text, "*x%u", j);
      }
    }
    if (is_nonlinear && next(&state, 8) == 0) {
      uint32_t j = next(&state, n);
      g_string_append_printf(text, " + der(x%u)^3 + der(x%u)", j, j);
    }
    g_string_append_printf(text, " = %s;\n", sources[next(&state, G_N_ELEMENTS(sources))]);
  }
  g_string_append(text, "end R;\n");
  return g_string_free(text, FALSE);
}

typedef struct {
  uint32_t n_reduced;
  uint32_t n_hidden;
  uint32_t n_missing_checked;
  uint32_t n_invented_checked;
} Count;

static void
check_fixture(Fixture *f, const char *text, Count *count)
{
  DaeSubst *values = dae_model_parameter_subst(f->model, f->terms);
  g_autofree int32_t *orders = choose_orders(f);
  g_autoptr(GArray) array = derivative_array(f, values, orders);
  bool is_checked = false;
  bool is_full = has_full_ranks(f, values, &is_checked);
  int missing = check_nothing_missing(f, values, array);
  int invented = check_nothing_invented(f, values, array);
  if ((is_checked && !is_full) || missing < 0 || invented < 0) {
    printf("rank %d missing %d invented %d\n%s", is_full, missing, invented, text);
    for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
      const DaeQltConstraint *constraint = dae_qlt_constraint(f->qlt, i);
      g_autofree char *line = dae_term_to_string(f->terms, constraint->expression);
      printf("  level %d: 0 = %s\n", constraint->level, line);
    }
  }
  TEST_ASSERT_TRUE(is_full || !is_checked);
  TEST_ASSERT_TRUE(missing >= 0);
  TEST_ASSERT_TRUE(invented >= 0);
  count->n_reduced++;
  count->n_hidden += dae_qlt_max_level(f->qlt) > 0 ? 1 : 0;
  count->n_missing_checked += missing == 1 ? 1 : 0;
  count->n_invented_checked += invented == 1 ? 1 : 0;
  dae_subst_free(values);
}

/* The reduced constraints as further equations of the model: all of them redundant
 * or hidden ones written down. */
static char *
with_consequences(Fixture *f, const char *text)
{
  g_autofree char *head = g_strndup(text, strlen(text) - strlen("end R;\n"));
  GString *out = g_string_new(head);
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
    g_autofree char *line =
        dae_term_to_string(f->terms, dae_qlt_constraint(f->qlt, i)->expression);
    g_string_append_printf(out, " 0 = %d*(%s);\n", (int)i - 7, line);
  }
  g_string_append(out, "end R;\n");
  return g_string_free(out, FALSE);
}

static void
check_random(uint32_t first, uint32_t n, bool is_nonlinear, DaeEliminate mode, Count *count)
{
  for (uint32_t seed = first; seed < first + n; seed++) {
    g_autofree char *text = random_model(seed, is_nonlinear);
    DaeQltOptions options = {.eliminate = mode};
    Fixture f;
    fixture_read(&f, text, 1);
    DaeSigOptions sig_options = dae_sig_default_options;
    f.sig = dae_sig_analyze(f.algebra, f.model, &sig_options, NULL, &f.error);
    TEST_ASSERT_NOT_NULL(f.sig);
    DaeSigStatus status = dae_sig_status(f.sig);
    if (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED) {
      f.qlt = dae_qlt_reduce(f.algebra, f.sig, &options, NULL, &f.error);
      if (f.qlt == NULL) {
        printf("%s: %s\n", f.error->message, text);
      }
      TEST_ASSERT_NOT_NULL(f.qlt);
      check_fixture(&f, text, count);
    }
    fixture_free(&f);
  }
}

static void
test_linear_models(void)
{
  Count count = {0, 0, 0, 0};
  check_random(1, 400, false, DAE_ELIMINATE_AUTO, &count);
  printf("linear: %u reduced, %u with hidden constraints, %u and %u checked\n", count.n_reduced,
         count.n_hidden, count.n_missing_checked, count.n_invented_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(100, count.n_missing_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(100, count.n_invented_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(30, count.n_hidden);
}

static void
test_nonlinear_models(void)
{
  Count count = {0, 0, 0, 0};
  check_random(5000, 300, true, DAE_ELIMINATE_AUTO, &count);
  printf("nonlinear: %u reduced, %u with hidden constraints, %u and %u checked\n",
         count.n_reduced, count.n_hidden, count.n_missing_checked, count.n_invented_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(60, count.n_missing_checked);
}

static void
test_modes_always_and_never(void)
{
  Count count = {0, 0, 0, 0};
  check_random(1, 100, false, DAE_ELIMINATE_NEVER, &count);
  check_random(1, 100, false, DAE_ELIMINATE_ALWAYS, &count);
  check_random(5000, 60, true, DAE_ELIMINATE_NEVER, &count);
  TEST_ASSERT_GREATER_THAN_UINT32(60, count.n_missing_checked);
}

static void
test_models_with_their_consequences_written_down_reduce_to_the_same_set(void)
{
  uint32_t n_compared = 0;
  for (uint32_t seed = 1; seed < 120; seed++) {
    g_autofree char *text = random_model(seed, seed % 3 == 0);
    Fixture f;
    fixture_read(&f, text, 1);
    DaeSigOptions sig_options = dae_sig_default_options;
    f.sig = dae_sig_analyze(f.algebra, f.model, &sig_options, NULL, &f.error);
    DaeSigStatus status = dae_sig_status(f.sig);
    if (status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED) {
      f.qlt = dae_qlt_reduce(f.algebra, f.sig, NULL, NULL, &f.error);
      TEST_ASSERT_NOT_NULL(f.qlt);
      if (dae_qlt_n_constraints(f.qlt) > 0 && dae_qlt_n_introduced(f.qlt) == 0) {
        g_autofree char *more = with_consequences(&f, text);
        Fixture g;
        fixture_read(&g, more, 1);
        bool is_reduced = fixture_reduce_with(&g, NULL);
        if (!is_reduced) {
          printf("%s: %s\n", g.error->message, more);
        }
        TEST_ASSERT_TRUE(is_reduced);
        if (dae_qlt_n_constraints(f.qlt) != dae_qlt_n_constraints(g.qlt)) {
          printf("%s\n", more);
        }
        TEST_ASSERT_EQUAL_UINT32(dae_qlt_n_constraints(f.qlt), dae_qlt_n_constraints(g.qlt));
        n_compared++;
        fixture_free(&g);
      }
    }
    fixture_free(&f);
  }
  TEST_ASSERT_GREATER_THAN_UINT32(25, n_compared);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_linear_models);
  RUN_TEST(test_nonlinear_models);
  RUN_TEST(test_modes_always_and_never);
  RUN_TEST(test_models_with_their_consequences_written_down_reduce_to_the_same_set);
  return UNITY_END();
}
