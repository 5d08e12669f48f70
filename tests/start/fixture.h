/* A model from its text to the input of the start: what the tests of this room begin with. */
#ifndef DAE_TESTS_START_FIXTURE_H
#define DAE_TESTS_START_FIXTURE_H

#include <string.h>
#include <unity.h>

#include "reader/reader.h"
#include "start/start.h"

static DaeTerms *terms;
static DaeAlgebra *algebra;
static DaeModel *model;
static DaeSig *sig;
static DaeQlt *qlt;
static DaeInitialProblem *initial;
static DaeSubst *values;
static GError *error;
static double x[16];
static double nominal[16];

static void
begin_fixture(double guess)
{
  terms = dae_terms_new();
  algebra = dae_algebra_new(terms, NULL);
  for (size_t j = 0; j < G_N_ELEMENTS(x); j++) {
    nominal[j] = 1;
    x[j] = guess;
  }
}

static void
end_fixture(void)
{
  g_clear_error(&error);
  g_clear_pointer(&values, dae_subst_free);
  g_clear_pointer(&initial, dae_initial_free);
  g_clear_pointer(&qlt, dae_qlt_free);
  g_clear_pointer(&sig, dae_sig_free);
  g_clear_pointer(&model, dae_model_free);
  g_clear_pointer(&algebra, dae_algebra_free);
  g_clear_pointer(&terms, dae_terms_free);
}

/* Of the body of a model. */
static DaeStartInput
read_input(const char *body, double t_start)
{
  static const DaeQltOptions reduce = {.eliminate = DAE_ELIMINATE_AUTO};
  g_autofree char *text = g_strdup_printf("model A %s end A;", body);
  model = dae_model_read(terms, "a.mo", text, strlen(text), NULL, NULL, &error);
  TEST_ASSERT_NOT_NULL(model);
  sig = dae_sig_analyze(algebra, model, &dae_sig_default_options, NULL, &error);
  qlt = dae_qlt_reduce(algebra, sig, &reduce, NULL, &error);
  TEST_ASSERT_NOT_NULL(qlt);
  TEST_ASSERT_TRUE(dae_sig_model(sig) == dae_qlt_model(qlt));
  initial = dae_initial_new(terms, sig, t_start);
  values = dae_model_parameter_subst(dae_qlt_model(qlt), terms);
  return (DaeStartInput){.terms = terms,
                         .qlt = qlt,
                         .model = dae_qlt_model(qlt),
                         .initial = initial,
                         .values = values,
                         .nominal = nominal,
                         .t_start = t_start};
}

#endif
