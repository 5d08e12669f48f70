#include "../reader/reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
show_twice(const char *path, bool evaluate)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, &length, NULL), path);
  Reading first = read_with(text, length, NULL);
  if (first.model == NULL) { /* models that are wrong on purpose */
    TEST_ASSERT_NOT_EQUAL_MESSAGE(0, first.messages->len, path);
    end_reading(&first);
    return;
  }
  g_autofree char *once = shown(&first, evaluate);
  Reading second = read_text(once);
  g_autofree char *twice = shown(&second, false);
  TEST_ASSERT_EQUAL_STRING_MESSAGE(once, twice, path);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(dae_model_n_equations(first.model),
                                 dae_model_n_equations(second.model), path);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(dae_model_n_variables(first.model),
                                 dae_model_n_variables(second.model), path);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(dae_model_n_initial_equations(first.model),
                                 dae_model_n_initial_equations(second.model), path);
  for (uint32_t j = 0; j < dae_model_n_variables(first.model); j++) {
    TEST_ASSERT_EQUAL_STRING(
        dae_terms_symbol_name(first.terms, dae_model_variable(first.model, j)->symbol),
        dae_terms_symbol_name(second.terms, dae_model_variable(second.model, j)->symbol));
  }
  end_reading(&first);
  end_reading(&second);
}

static int
show_folder(const char *folder)
{
  int n = 0;
  const char *name = NULL;
  GDir *dir = g_dir_open(folder, 0, NULL);
  TEST_ASSERT_NOT_NULL_MESSAGE(dir, folder);
  while ((name = g_dir_read_name(dir)) != NULL) {
    if (g_str_has_suffix(name, ".mo")) {
      g_autofree char *path = g_build_filename(folder, name, NULL);
      show_twice(path, false);
      show_twice(path, true);
      n++;
    }
  }
  g_dir_close(dir);
  return n;
}

static void
test_every_model_of_the_repository_shows_as_itself(void)
{
  TEST_ASSERT_GREATER_THAN(3, show_folder(g_getenv("MODELS")));
  TEST_ASSERT_GREATER_THAN(3, show_folder(g_getenv("EXAMPLES")));
}

static void
test_evaluate_puts_the_values_in(void)
{
  Reading reading = read_text("model M parameter Real a = 2*b; parameter Real b = 3; parameter "
                              "Real c; Real x(start = a);\n"
                              "equation a*der(x) = b*x + c; end M;");
  g_autofree char *out = shown(&reading, true);
  TEST_ASSERT_EQUAL_STRING("model M\n  parameter Real c;\n  Real x(start = 6);\nequation\n  "
                           "6*der(x) = 3*x + c;\nend M;\n",
                           out);
  end_reading(&reading);
}

static void
test_attributes_and_strings_survive(void)
{
  assert_body_shows("  parameter String s = \"tab\\t quote\\\" back\\\\ line\\n\";\n"
                    "  output Real x(quantity = \"Q\", unit = \"m\", displayUnit = \"cm\", min "
                    "= -1, max = 1, start = 0.5, "
                    "nominal = 10, stateSelect = StateSelect.never) = time \"über\";\n"
                    "protected\n  Real y = 1;\npublic\n  Real z = 2;\n",
                    "parameter String s = \"tab\\t quote\\\" back\\\\ line\\n\";\n"
                    "output Real x(nominal = 10, min = -1, max = 1, start = 1/2, unit = \"m\", "
                    "displayUnit = \"cm\", quantity = \"Q\","
                    " stateSelect = StateSelect.never) = time \"über\"; protected Real y = 1; "
                    "public Real z = 2;");
}

static void
test_output_does_not_depend_on_the_hash_seed(void)
{
  g_autofree char *path = g_build_filename(g_getenv("MODELS"), "reader_arrays.mo", NULL);
  g_autofree char *text = NULL;
  gsize length = 0;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, &length, NULL));
  g_autofree char *first = NULL;
  for (uint32_t seed = 1; seed < 6; seed++) {
    DaeTerms *terms = dae_terms_new_with_seed(seed);
    DaeModel *model = dae_model_read(terms, "t.mo", text, length, NULL, NULL, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    dae_model_print(model, terms, false, out);
    if (first == NULL) {
      first = g_strdup(out->str);
    }
    TEST_ASSERT_EQUAL_STRING(first, out->str);
    dae_model_free(model);
    dae_terms_free(terms);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_model_of_the_repository_shows_as_itself);
  RUN_TEST(test_evaluate_puts_the_values_in);
  RUN_TEST(test_attributes_and_strings_survive);
  RUN_TEST(test_output_does_not_depend_on_the_hash_seed);
  return UNITY_END();
}
