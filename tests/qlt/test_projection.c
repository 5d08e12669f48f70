/* The independent check of projection.h on every model at hand. */
#include "projection.h"
#include "reader/reader.h"

#define MAX_VARIABLES 40u

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  uint32_t n_checked;
  uint32_t n_points;
} Tally;

static void
check_model(const char *path, Tally *tally)
{
  g_autofree char *text = NULL;
  g_autofree char *name = g_path_get_basename(path);
  if (!g_file_get_contents(path, &text, NULL, NULL)) {
    return;
  }
  Fixture f = {0};
  f.terms = dae_terms_new();
  f.algebra = dae_algebra_new(f.terms, NULL);
  f.model = dae_model_read(f.terms, path, text, strlen(text), NULL, NULL, &f.error);
  bool is_usable = f.model != NULL && dae_model_n_variables(f.model) <= MAX_VARIABLES;
  if (is_usable) {
    DaeSigOptions options = dae_sig_default_options;
    options.overdetermined_ok = true;
    f.sig = dae_sig_analyze(f.algebra, f.model, &options, NULL, &f.error);
    is_usable = f.sig != NULL;
  }
  if (is_usable) {
    f.qlt = dae_qlt_reduce(f.algebra, f.sig, NULL, NULL, &f.error);
    is_usable = f.qlt != NULL;
  }
  if (is_usable) {
    DaeSubst *values = dae_model_parameter_subst(f.model, f.terms);
    g_autofree int32_t *orders = choose_orders(&f);
    g_autoptr(GArray) array = derivative_array(&f, values, orders);
    bool is_checked = false;
    bool is_full = has_full_ranks(&f, values, &is_checked);
    TEST_ASSERT_TRUE_MESSAGE(is_full || !is_checked, name);
    int missing = array->len <= 300 ? check_nothing_missing(&f, values, array) : 0;
    int invented = array->len <= 300 ? check_nothing_invented(&f, values, array) : 0;
    printf("%s: rank %s, missing %s, invented %s\n", name, is_checked ? "full" : "no point",
           missing == 1   ? "none"
           : missing == 0 ? "no point"
                          : "SOME",
           invented == 1   ? "none"
           : invented == 0 ? "no point"
                           : "SOME");
    TEST_ASSERT_MESSAGE(missing >= 0, name);
    TEST_ASSERT_MESSAGE(invented >= 0, name);
    tally->n_checked++;
    tally->n_points += missing == 1 && invented == 1 ? 1 : 0;
    dae_subst_free(values);
  }
  fixture_free(&f);
}

static int
compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
check_folder(const char *variable, Tally *tally)
{
  const char *folder = g_getenv(variable);
  GDir *dir = folder != NULL ? g_dir_open(folder, 0, NULL) : NULL;
  if (dir == NULL) {
    return;
  }
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    if (g_str_has_suffix(name, ".mo")) {
      g_ptr_array_add(names, g_build_filename(folder, name, NULL));
    }
  }
  g_dir_close(dir);
  g_ptr_array_sort(names, compare_names);
  for (uint32_t i = 0; i < names->len; i++) {
    check_model(g_ptr_array_index(names, i), tally);
  }
}

static void
test_constraints_are_the_projection_for_every_example(void)
{
  Tally tally = {0, 0};
  check_folder("EXAMPLES", &tally);
  printf("examples: %u reduced, %u with points both ways\n", tally.n_checked, tally.n_points);
  TEST_ASSERT_GREATER_THAN_UINT32(4, tally.n_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(3, tally.n_points);
}

static void
test_constraints_are_the_projection_for_every_test_model(void)
{
  Tally tally = {0, 0};
  check_folder("MODELS", &tally);
  printf("test models: %u reduced, %u with points both ways\n", tally.n_checked,
         tally.n_points);
}

int
main(void)
{
  dae_base_init();
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_constraints_are_the_projection_for_every_example);
  RUN_TEST(test_constraints_are_the_projection_for_every_test_model);
  return UNITY_END();
}
