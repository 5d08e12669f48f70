/* Model text in, reduced system out; texts of rows and constraints for comparison. */
#ifndef TESTS_QLT_FIXTURE_H
#define TESTS_QLT_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "qlt/qlt-priv.h"
#include "reader/reader.h"

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeModel *model;
  DaeSig *sig;
  DaeQlt *qlt;
  GError *error;
} Fixture;

static inline void
fixture_read(Fixture *f, const char *text, uint32_t seed)
{
  memset(f, 0, sizeof *f);
  dae_base_init();
  dae_algebra_init();
  f->terms = dae_terms_new_with_seed(seed);
  f->algebra = dae_algebra_new(f->terms, NULL);
  f->model = dae_model_read(f->terms, "test.mo", text, strlen(text), NULL, NULL, &f->error);
  if (f->model == NULL) {
    printf("model not read: %s\n%s\n", f->error != NULL ? f->error->message : "?", text);
  }
  TEST_ASSERT_NOT_NULL_MESSAGE(f->model, "model not read");
}

static inline bool
fixture_reduce_with(Fixture *f, const DaeQltOptions *options)
{
  DaeSigOptions sig_options = dae_sig_default_options;
  sig_options.overdetermined_ok = true;
  f->sig = dae_sig_analyze(f->algebra, f->model, &sig_options, NULL, &f->error);
  TEST_ASSERT_NOT_NULL_MESSAGE(f->sig, "not analyzed");
  f->qlt = dae_qlt_reduce(f->algebra, f->sig, options, NULL, &f->error);
  return f->qlt != NULL;
}

static inline void
fixture_reduce(Fixture *f, const char *text)
{
  fixture_read(f, text, 1);
  bool done = fixture_reduce_with(f, NULL);
  if (!done) {
    printf("not reduced: %s\n", f->error->message);
  }
  TEST_ASSERT_TRUE(done);
}

static inline void
fixture_free(Fixture *f)
{
  dae_qlt_free(f->qlt);
  dae_sig_free(f->sig);
  dae_model_free(f->model);
  dae_algebra_free(f->algebra);
  dae_terms_free(f->terms);
  g_clear_error(&f->error);
}

/* Equations in the variables u1 ... u5 and the parameter g, wrapped into a model. */
static inline char *
model_of(const char *declarations, const char *equations)
{
  return g_strdup_printf("model T\n%s\nequation\n%s\nend T;\n", declarations, equations);
}

static inline DaeTerm
parse(Fixture *f, const char *text)
{
  GError *error = NULL;
  DaeTerm t = dae_model_parse_expression(f->model, f->terms, text, NULL, &error);
  if (error != NULL) {
    printf("%s: %s\n", text, error->message);
  }
  TEST_ASSERT_NOT_EQUAL_MESSAGE(DAE_NO_TERM, t, text);
  return t;
}

/* Equal up to a constant factor: a/b is a number other than 0. */
static inline bool
is_same_constraint(Fixture *f, DaeTerm a, DaeTerm b)
{
  DaeTerm quotient = dae_term_div(f->terms, a, b);
  if (quotient == DAE_NO_TERM) {
    return false;
  }
  DaeTerm simple = dae_algebra_simplify(f->algebra, quotient);
  return dae_term_is_parametric(f->terms, simple) && !dae_term_is_zero(f->terms, simple);
}

static inline void
assert_constraint(Fixture *f, uint32_t i, const char *expected, int32_t level, bool is_hidden)
{
  TEST_ASSERT_LESS_THAN_UINT32(dae_qlt_n_constraints(f->qlt), i);
  const DaeQltConstraint *constraint = dae_qlt_constraint(f->qlt, i);
  g_autofree char *text = dae_term_to_string(f->terms, constraint->expression);
  if (!is_same_constraint(f, constraint->expression, parse(f, expected))) {
    TEST_ASSERT_EQUAL_STRING(expected, text);
  }
  TEST_ASSERT_EQUAL_INT_MESSAGE(level, constraint->level, text);
  TEST_ASSERT_EQUAL_INT_MESSAGE(is_hidden, constraint->is_hidden, text);
}

/* Some constraint equals the expected one up to a constant factor. */
static inline bool
has_constraint(Fixture *f, DaeTerm expected, int32_t level)
{
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(f->qlt, i);
    if ((level < 0 || constraint->level == level) &&
        is_same_constraint(f, constraint->expression, expected)) {
      return true;
    }
  }
  return false;
}

/* "m*der(v) + der(w) = rhs" */
static inline char *
row_text(Fixture *f, const DaeQltRow *row)
{
  DaeTerm sum = dae_term_int(f->terms, 0);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm x = dae_term_variable(f->terms, dae_qlt_unknown(f->qlt, row->columns[k]), 1);
    sum = dae_term_add(f->terms, sum, dae_term_mul(f->terms, row->coefficients[k], x));
  }
  g_autofree char *left = dae_term_to_string(f->terms, sum);
  g_autofree char *right = dae_term_to_string(f->terms, row->rhs);
  return g_strdup_printf("%s = %s", left, right);
}

static inline void
assert_row(Fixture *f, uint32_t i, const char *expected)
{
  TEST_ASSERT_LESS_THAN_UINT32(dae_qlt_n_rows(f->qlt), i);
  g_autofree char *text = row_text(f, dae_qlt_row(f->qlt, i));
  TEST_ASSERT_EQUAL_STRING(expected, text);
}

static inline void
assert_counts(Fixture *f, uint32_t unknowns, uint32_t rows, uint32_t constraints)
{
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(unknowns, dae_qlt_n_unknowns(f->qlt), "unknowns");
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(rows, dae_qlt_n_rows(f->qlt), "rows");
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(constraints, dae_qlt_n_constraints(f->qlt), "constraints");
}

#endif
