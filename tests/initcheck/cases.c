#include "cases.h"
#include "reader/reader.h"
#include <math.h>

#include <string.h>
#include <unity.h>

static void
print_diagnostic(void *user, const DaeDiagnostic *diagnostic)
{
  (void)user;
  g_printerr("%s\n", diagnostic->message);
}

static const DaeReporter reporter = {.diagnostic = print_diagnostic};

static Checked
check_length(const char *name, const char *text, size_t length, const DaeInitOptions *options)
{
  Checked checked = {0};
  GError *error = NULL;
  dae_algebra_init();
  checked.terms = dae_terms_new();
  checked.algebra = dae_algebra_new(checked.terms, NULL);
  DaeReadOptions read = {0};
  checked.model = dae_model_read(checked.terms, name, text, length, &read, &reporter, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(checked.model, name);
  DaeSigOptions structure = dae_sig_default_options;
  structure.overdetermined_ok = true;
  checked.sig = dae_sig_analyze(checked.algebra, checked.model, &structure, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(checked.sig, name);
  checked.init = dae_init_check(checked.algebra, checked.sig, options, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(checked.init, name);
  return checked;
}

Checked
check_text(const char *name, const char *text, const DaeInitOptions *options)
{
  g_autofree char *whole = g_strdup_printf("model M\n%s\nend M;\n", text);
  return check_length(name, whole, strlen(whole), options);
}

Checked
check_file(const char *path, const DaeInitOptions *options)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, &length, NULL), path);
  return check_length(path, text, length, options);
}

void
checked_clear(Checked *checked)
{
  dae_init_free(checked->init);
  dae_sig_free(checked->sig);
  dae_model_free(checked->model);
  dae_algebra_free(checked->algebra);
  dae_terms_free(checked->terms);
}

bool
checked_verifies(const Checked *checked, char **why)
{
  const DaeProofs proofs = dae_init_proofs(checked->init);
  return dae_proofcheck(&proofs, dae_sig_model(checked->sig), checked->terms, NAN, NULL, why);
}

/* Dropping any one premise of a conflict set removes the conflict: tried by taking the
 * initial equations out of the text is not possible in general, so the library's own claim is
 * compared with the expected size. */
static void
append_difference(GString *out, const InitCase *expected, const Checked *got)
{
  DaeInitVerdict verdict = dae_init_verdict(got->init);
  if (verdict != expected->verdict) {
    g_string_append_printf(out, " verdict %s, not %s;", dae_init_verdict_name(verdict),
                           dae_init_verdict_name(expected->verdict));
    if (dae_init_undecided_why(got->init) != NULL) {
      g_string_append_printf(out, " (%s)", dae_init_undecided_why(got->init));
    }
  }
  if (dae_init_n_redundant(got->init) != expected->redundant) {
    g_string_append_printf(out, " %u redundant, not %u;", dae_init_n_redundant(got->init),
                           expected->redundant);
  }
  if (dae_init_missing(got->init) != expected->missing) {
    g_string_append_printf(out, " %u missing, not %u;", dae_init_missing(got->init),
                           expected->missing);
  }
  uint32_t size =
      dae_init_n_conflicts(got->init) == 0 ? 0 : dae_init_conflict(got->init, 0)->n_premises;
  if (size != expected->conflict) {
    g_string_append_printf(out, " conflict of %u, not %u;", size, expected->conflict);
  }
  g_autofree char *condition =
      dae_init_n_conditions(got->init) == 0
          ? NULL
          : dae_term_to_string(got->terms, dae_init_condition(got->init, 0));
  if (g_strcmp0(condition, expected->condition) != 0) {
    g_string_append_printf(out, " condition %s;", condition == NULL ? "none" : condition);
  }
  g_autofree char *why = NULL;
  if (!checked_verifies(got, &why)) {
    g_string_append_printf(out, " proof: %s;", why);
  }
}

void
check_cases(const InitCase *cases, size_t n)
{
  g_autoptr(GString) failures = g_string_new(NULL);
  for (size_t i = 0; i < n; i++) {
    g_autoptr(GString) difference = g_string_new(NULL);
    Checked checked = check_text(cases[i].name, cases[i].text, NULL);
    append_difference(difference, &cases[i], &checked);
    if (difference->len > 0) {
      g_string_append_printf(failures, "\n  %s:%s", cases[i].name, difference->str);
    }
    checked_clear(&checked);
  }
  if (failures->len > 0) {
    TEST_FAIL_MESSAGE(failures->str);
  }
}
