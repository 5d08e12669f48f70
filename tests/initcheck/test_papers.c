/* The examples of [OchelBachmannCasella], by name. */
#include <string.h>
#include <unity.h>

#include "cases.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static char *
path_of(const char *variable, const char *file)
{
  const char *folder = g_getenv(variable);
  return g_build_filename(folder == NULL ? "." : folder, file, NULL);
}

static Checked
check_model(const char *variable, const char *file, const DaeInitOptions *options)
{
  g_autofree char *path = path_of(variable, file);
  return check_file(path, options);
}

static void
assert_proofs_check(const Checked *checked)
{
  g_autofree char *why = NULL;
  bool ok = checked_verifies(checked, &why);
  TEST_ASSERT_TRUE_MESSAGE(ok, why == NULL ? "" : why);
}

static char *
redundant_text(const Checked *checked, uint32_t i)
{
  return dae_init_premise_text(dae_sig_model(checked->sig), checked->terms,
                               &dae_init_redundant(checked->init, i)->what);
}

static void
test_listing_1_is_consistent_and_its_proof_ends_in_10_equals_5_plus_5(void)
{
  Checked checked = check_model("MODELS", "init_two_capacitors.mo", NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_INT64(2, dae_init_potential_states(checked.init));
  TEST_ASSERT_EQUAL_INT64(1, dae_init_dof(checked.init));
  TEST_ASSERT_EQUAL_UINT32(2, dae_init_n_initial_equations(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_redundant(checked.init));
  g_autofree char *text = redundant_text(&checked, 0);
  TEST_ASSERT_EQUAL_STRING("u2 = 5", text);
  const DaeInitRedundant *item = dae_init_redundant(checked.init, 0);
  DaeStyled last =
      dae_init_step_text(checked.model, checked.terms, &item->steps[item->n_steps - 1]);
  TEST_ASSERT_TRUE(g_str_has_prefix(last.in[DAE_PRINT_MODELICA], "10 = 5 + 5  ["));
  dae_styled_clear(&last);
  TEST_ASSERT_TRUE(dae_init_holds_for_all_parameters(checked.init));
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

static void
test_listing_1_with_u2_4_has_the_conflict_set_of_four(void)
{
  static const char *const expected[] = {"u1 = 5", "u2 = 4", "u = u1 + u2", "u = 10"};
  Checked checked = check_model("MODELS", "init_two_capacitors_conflict.mo", NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_INCONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_conflicts(checked.init));
  const DaeInitConflict *conflict = dae_init_conflict(checked.init, 0);
  TEST_ASSERT_EQUAL_UINT32(4, conflict->n_premises);
  for (uint32_t i = 0; i < 4; i++) {
    g_autofree char *text =
        dae_init_premise_text(checked.model, checked.terms, &conflict->premises[i]);
    TEST_ASSERT_EQUAL_STRING(expected[i], text);
  }
  TEST_ASSERT_TRUE(dae_term_is_one(checked.terms, conflict->residual));
  DaeStyled last =
      dae_init_step_text(checked.model, checked.terms, &conflict->steps[conflict->n_steps - 1]);
  TEST_ASSERT_TRUE(g_str_has_prefix(last.in[DAE_PRINT_MODELICA], "0 = 1  ["));
  dae_styled_clear(&last);
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

static void
test_two_volumes_full_steady_state_is_decided_symbolically(void)
{
  Checked checked = check_model("EXAMPLES", "two_volumes.mo", NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_FALSE(dae_init_is_numeric(checked.init));
  TEST_ASSERT_TRUE(dae_init_holds_for_all_parameters(checked.init));
  TEST_ASSERT_EQUAL_INT64(3, dae_init_dof(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_redundant(checked.init));
  g_autofree char *text = redundant_text(&checked, 0);
  TEST_ASSERT_EQUAL_STRING("der(E2) = 0", text);
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

static void
test_two_volumes_never_drops_a_mass_balance(void)
{
  /* the mass balances stand last here, and are still not the ones that are called redundant */
  g_autofree char *path = path_of("EXAMPLES", "two_volumes.mo");
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  const char *first = strchr(strstr(text, "\nmodel ") + 1, '\n') + 1;
  const char *from = strstr(text, "  der(M1) = 0;");
  const char *to = strstr(text, "equation\n  der(M1) = w0");
  g_autofree char *head = g_strndup(first, (gsize)(from - first));
  g_autofree char *tail = g_strndup(to, (gsize)(strstr(text, "end Two") - to));
  g_autofree char *body =
      g_strconcat(head, "der(E2) = 0; der(E1) = 0; der(M2) = 0; der(M1) = 0;\n", tail, NULL);
  Checked checked = check_text("masses last", body, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_EQUAL_UINT32(1, dae_init_n_redundant(checked.init));
  g_autofree char *redundant = redundant_text(&checked, 0);
  TEST_ASSERT_TRUE(g_str_has_prefix(redundant, "der(E"));
  checked_clear(&checked);
}

static void
test_two_volumes_all_matchings_count_4_3_2_2(void)
{
  DaeInitOptions options = {.all_matchings = true};
  Checked checked = check_model("EXAMPLES", "two_volumes.mo", &options);
  uint32_t n_unknowns = 0;
  uint32_t n_equations = 0;
  uint32_t count[4] = {0};
  static const char *const outcomes[] = {"recursive", "loop", "locally singular",
                                         "structurally singular"};
  dae_init_reduced_size(checked.init, &n_unknowns, &n_equations);
  TEST_ASSERT_EQUAL_UINT32(10, n_unknowns);
  TEST_ASSERT_EQUAL_UINT32(11, n_equations);
  for (uint32_t i = 0; i < dae_init_n_matchings(checked.init); i++) {
    for (int k = 0; k < 4; k++) {
      count[k] += strcmp(dae_init_matching(checked.init, i)->outcome, outcomes[k]) == 0;
    }
  }
  TEST_ASSERT_EQUAL_UINT32(4, count[0]);
  TEST_ASSERT_EQUAL_UINT32(3, count[1]);
  TEST_ASSERT_EQUAL_UINT32(2, count[2]);
  TEST_ASSERT_EQUAL_UINT32(2, count[3]);
  checked_clear(&checked);
}

static void
assert_three_redundant(const char *variable, const char *file)
{
  Checked checked = check_model(variable, file, NULL);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(checked.init));
  TEST_ASSERT_FALSE(dae_init_is_numeric(checked.init));
  TEST_ASSERT_EQUAL_INT64(3, dae_init_dof(checked.init));
  TEST_ASSERT_EQUAL_UINT32(3, dae_init_n_redundant(checked.init));
  TEST_ASSERT_TRUE(dae_init_holds_for_all_parameters(checked.init));
  assert_proofs_check(&checked);
  checked_clear(&checked);
}

static void
test_three_phase_system_has_three_redundant_equations(void)
{
  assert_three_redundant("EXAMPLES", "three_phase.mo");
}

static void
test_three_phase_system_with_the_loop_of_currents(void)
{
  assert_three_redundant("MODELS", "init_three_phase_loop.mo");
}

static void
test_graph_of_listing_1_is_figure_3(void)
{
  DaeInitOptions options = {.graph = true};
  Checked checked = check_model("MODELS", "init_two_capacitors.mo", &options);
  g_autoptr(GString) dot = g_string_new(NULL);
  dae_init_write_dot(checked.init, checked.terms, dot);
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "u = u1 + u2\", style=filled, fillcolor=grey"));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "u1 = 5\\nu1\""));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "u2 = 5\\nu2\""));
  TEST_ASSERT_NOT_NULL(strstr(dot->str, "u = 10\\nu\""));
  TEST_ASSERT_NULL(strstr(dot->str, "C*der")); /* the loop above is not needed */
  checked_clear(&checked);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_listing_1_is_consistent_and_its_proof_ends_in_10_equals_5_plus_5);
  RUN_TEST(test_listing_1_with_u2_4_has_the_conflict_set_of_four);
  RUN_TEST(test_two_volumes_full_steady_state_is_decided_symbolically);
  RUN_TEST(test_two_volumes_never_drops_a_mass_balance);
  RUN_TEST(test_two_volumes_all_matchings_count_4_3_2_2);
  RUN_TEST(test_three_phase_system_has_three_redundant_equations);
  RUN_TEST(test_three_phase_system_with_the_loop_of_currents);
  RUN_TEST(test_graph_of_listing_1_is_figure_3);
  return UNITY_END();
}
