/* Reads a model and analyzes it; for the tests of structural.h. */
#ifndef DAE_TESTS_STRUCTURAL_ANALYSIS_H
#define DAE_TESTS_STRUCTURAL_ANALYSIS_H

#include <string.h>

#include "reader/reader.h"
#include "structural/structural.h"
#include "unity.h"

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeSig *sig;
} Analysis;

static inline Analysis
analyze_within(const char *text, const DaeSigOptions *options, DaeBudget *budget,
               uint32_t hash_seed)
{
  Analysis a;
  DaeReadOptions reading = {0};
  GError *error = NULL;
  a.terms = dae_terms_new_with_seed(hash_seed);
  a.algebra = dae_algebra_new(a.terms, budget);
  a.model = dae_model_read(a.terms, "test.mo", text, strlen(text), &reading, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(a.model, error == NULL ? "" : error->message);
  a.sig = dae_sig_analyze(a.algebra, a.model, options, NULL, &error);
  TEST_ASSERT_NOT_NULL(a.sig);
  TEST_ASSERT_TRUE(dae_sig_check(a.sig));
  return a;
}

static inline Analysis
analyze_with(const char *text, const DaeSigOptions *options)
{
  return analyze_within(text, options, NULL, 1);
}

static inline Analysis
analyze_text(const char *text)
{
  return analyze_with(text, &dae_sig_default_options);
}

/* folder: the name of the environment variable with the folder, MODELS or EXAMPLES. */
static inline Analysis
analyze_file(const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename(g_getenv(folder), name, NULL);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE_MESSAGE(g_file_get_contents(path, &text, NULL, NULL), path);
  return analyze_text(text);
}

static inline void
clear_analysis(Analysis *a)
{
  dae_sig_free(a->sig);
  dae_model_free(a->model);
  dae_algebra_free(a->algebra);
  dae_terms_free(a->terms);
}

static inline void
check_offsets(const Analysis *a, const int32_t *c, const int32_t *d)
{
  TEST_ASSERT_EQUAL_INT32_ARRAY(c, dae_sig_c(a->sig), dae_sig_n_rows(a->sig));
  TEST_ASSERT_EQUAL_INT32_ARRAY(d, dae_sig_d(a->sig), dae_sig_n_columns(a->sig));
}

static inline void
check_numbers(const Analysis *a, DaeSigStatus status, int64_t value, int32_t index, int64_t dof)
{
  TEST_ASSERT_EQUAL_INT(status, dae_sig_status(a->sig));
  TEST_ASSERT_EQUAL_INT64(value, dae_sig_value(a->sig));
  TEST_ASSERT_EQUAL_INT32(index, dae_sig_index(a->sig));
  TEST_ASSERT_EQUAL_INT64(dof, dae_sig_dof(a->sig));
}

/* Steps drop strictly and join each other. */
static inline void
check_steps(const Analysis *a, uint32_t n)
{
  TEST_ASSERT_EQUAL_UINT32(n, dae_sig_n_repair_steps(a->sig));
  for (uint32_t s = 0; s < n; s++) {
    const DaeRepairStep *step = dae_sig_repair_step(a->sig, s);
    TEST_ASSERT_TRUE(step->value_after < step->value_before);
    if (s > 0) {
      TEST_ASSERT_EQUAL_INT64(dae_sig_repair_step(a->sig, s - 1)->value_after,
                              step->value_before);
    }
  }
}

#endif
