/* The terms of a system: patterns and entries by hand for a pendulum, and against central
 * differences for random systems. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "random_terms.h"
#include "unity.h"

enum { N = 3 };

static DaeTerms *terms;
static DaeTerm x[N];

void
setUp(void)
{
  terms = dae_terms_new();
  for (uint32_t j = 0; j < N; j++) {
    g_autofree char *name = g_strdup_printf("x%u", j);
    DaeSymbol symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
    x[j] = dae_term_variable(terms, symbol, 0);
  }
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static DaeTerm
number(int64_t n)
{
  return dae_term_int(terms, n);
}

static DaeTerm
square(DaeTerm t)
{
  return dae_term_pow_int(terms, t, 2);
}

static char *
row_text(const GArray *starts, const GArray *columns, const GArray *values, uint32_t i)
{
  GString *out = g_string_new(NULL);
  for (uint32_t e = g_array_index(starts, uint32_t, i);
       e < g_array_index(starts, uint32_t, i + 1); e++) {
    g_string_append_printf(out, "%s%u: ", out->len > 0 ? ", " : "",
                           g_array_index(columns, uint32_t, e));
    dae_term_print(terms, g_array_index(values, DaeTerm, e), out);
  }
  return g_string_free(out, FALSE);
}

/* x0' = x1, x1' = -2*x0*x2 + time, 0 = x0^2 + x1^2 - 1: the Jacobians as anybody writes them. */
static void
test_matrices_by_hand(void)
{
  static const uint32_t row_start[] = {0, 1, 2};
  static const uint32_t columns[] = {0, 1};
  const DaeTerm one[] = {number(1), number(1)};
  const DaeTerm product[] = {number(-2), x[0], x[2]};
  const DaeTerm rhs[] = {
      x[1], dae_term_add(terms, dae_term_product(terms, product, 3), dae_term_time(terms))};
  const DaeTerm constraint =
      dae_term_sub(terms, dae_term_add(terms, square(x[0]), square(x[1])), number(1));
  const DaeSystemParts parts = {.unknowns = x,
                                .n = N,
                                .row_start = row_start,
                                .columns = columns,
                                .coefficients = one,
                                .rhs = rhs,
                                .n_diff = 2,
                                .constraints = &constraint,
                                .n_con = 1};
  DaeSystemTerms st;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_TRUE(dae_system_terms_init(&st, terms, &parts, &error));
  g_autofree char *mass = row_text(st.mass_start, st.mass_column, st.terms[DAE_PART_M], 1);
  TEST_ASSERT_EQUAL_STRING("1: 1", mass);
  g_autofree char *first =
      row_text(st.dynamics_start, st.dynamics_column, st.terms[DAE_PART_K], 0);
  g_autofree char *second =
      row_text(st.dynamics_start, st.dynamics_column, st.terms[DAE_PART_K], 1);
  TEST_ASSERT_EQUAL_STRING("1: 1", first);
  TEST_ASSERT_EQUAL_STRING("0: -2*x2, 2: -2*x0", second);
  g_autofree char *hidden =
      row_text(st.constraint_start, st.constraint_column, st.terms[DAE_PART_GX], 0);
  TEST_ASSERT_EQUAL_STRING("0: 2*x0, 1: 2*x1", hidden);
  TEST_ASSERT_TRUE(dae_term_is_zero(terms, g_array_index(st.terms[DAE_PART_GT], DaeTerm, 0)));
  TEST_ASSERT_EQUAL_UINT(2, st.terms[DAE_PART_FT]->len);
  TEST_ASSERT_TRUE(dae_term_is_one(terms, g_array_index(st.terms[DAE_PART_FT], DaeTerm, 1)));
  dae_system_terms_clear(&st);
}

static bool
value_at(void *user, DaeTerm atom, double *value)
{
  const double *point = user; /* t, x */
  *value = point[0];
  for (uint32_t j = 0; j < N; j++) {
    *value = atom == x[j] ? point[1 + j] : *value;
  }
  return true;
}

static bool
evaluate(DaeTerm t, const double *point, double *value)
{
  return dae_term_eval_double(terms, t, value_at, (void *)point, value) == DAE_EVAL_OK &&
         isfinite(*value) && fabs(*value) < 1e6;
}

/* (f(p + h e_k) - f(p - h e_k)) / 2h of the coordinate k: 0 is time. */
static bool
difference(DaeTerm t, const double *point, uint32_t k, double *slope)
{
  const double h = 1e-5;
  double moved[1 + N];
  double high = 0.0;
  double low = 0.0;
  memcpy(moved, point, sizeof moved);
  moved[k] = point[k] + h;
  bool is_good = evaluate(t, moved, &high);
  moved[k] = point[k] - h;
  is_good = is_good && evaluate(t, moved, &low);
  *slope = (high - low) / (2.0 * h);
  return is_good;
}

/* What the pattern leaves out is 0, what is in it is the slope. */
static uint32_t
compare_row(const GArray *starts, const GArray *columns, const GArray *values, uint32_t i,
            DaeTerm t, const double *point)
{
  uint32_t compared = 0;
  for (uint32_t j = 0; j < N; j++) {
    double exact = 0.0;
    double slope = 0.0;
    for (uint32_t e = g_array_index(starts, uint32_t, i);
         e < g_array_index(starts, uint32_t, i + 1); e++) {
      if (g_array_index(columns, uint32_t, e) == j &&
          !evaluate(g_array_index(values, DaeTerm, e), point, &exact)) {
        return compared;
      }
    }
    if (difference(t, point, 1 + j, &slope)) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1.0 + fabs(exact)) + 1e-3 * fabs(slope), exact, slope);
      compared++;
    }
  }
  return compared;
}

static void
test_random_systems_against_central_differences(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(20261117);
  DaeTerm atoms[N + 1] = {x[0], x[1], x[2], dae_term_time(terms)};
  const RandomTerms source = {
      .terms = terms, .random = random, .atoms = atoms, .n_atoms = N + 1, .smooth = true};
  uint32_t compared = 0;
  for (int round = 0; round < 60; round++) {
    static const uint32_t row_start[] = {0, 1};
    static const uint32_t columns[] = {1};
    const DaeTerm coefficient = number(1);
    const DaeTerm rhs = random_term(&source, 3);
    const DaeTerm constraint = random_term(&source, 3);
    const DaeSystemParts parts = {.unknowns = x,
                                  .n = N,
                                  .row_start = row_start,
                                  .columns = columns,
                                  .coefficients = &coefficient,
                                  .rhs = &rhs,
                                  .n_diff = 1,
                                  .constraints = &constraint,
                                  .n_con = 1};
    DaeSystemTerms st;
    g_autoptr(GError) error = NULL;
    if (rhs == DAE_NO_TERM || constraint == DAE_NO_TERM ||
        !dae_system_terms_init(&st, terms, &parts, &error)) {
      continue;
    }
    double point[1 + N];
    for (int k = 0; k <= N; k++) {
      point[k] = g_rand_double_range(random, 0.3, 1.3);
    }
    double exact = 0.0;
    double slope = 0.0;
    compared +=
        compare_row(st.dynamics_start, st.dynamics_column, st.terms[DAE_PART_K], 0, rhs, point);
    compared += compare_row(st.constraint_start, st.constraint_column, st.terms[DAE_PART_GX], 0,
                            constraint, point);
    if (evaluate(g_array_index(st.terms[DAE_PART_GT], DaeTerm, 0), point, &exact) &&
        difference(constraint, point, 0, &slope)) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1.0 + fabs(exact)) + 1e-3 * fabs(slope), exact, slope);
    }
    dae_system_terms_clear(&st);
  }
  TEST_ASSERT_GREATER_THAN_UINT32(150, compared);
}

/* A derivative in a right side has no place in the system: an error, and nothing to free. */
static void
test_a_variable_that_is_no_unknown_is_refused(void)
{
  DaeSymbol other = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "other");
  const DaeTerm constraint = dae_term_add(terms, x[0], dae_term_variable(terms, other, 0));
  static const uint32_t row_start[] = {0};
  const DaeSystemParts parts = {
      .unknowns = x, .n = N, .row_start = row_start, .constraints = &constraint, .n_con = 1};
  DaeSystemTerms st;
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_FALSE(dae_system_terms_init(&st, terms, &parts, &error));
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_NOT_NULL(strstr(error->message, "other"));
}

/* The inputs of the program: t, x, x', segment values, each from its own array. */
static void
test_inputs_come_from_their_arrays(void)
{
  DaeTerm p[2];
  for (uint32_t k = 0; k < 2; k++) {
    g_autofree char *name = g_strdup_printf("p%u", k);
    p[k] = dae_term_parameter(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name));
  }
  const DaeSystemParts parts = {.unknowns = x, .n = N, .segment = p, .n_segment = 2};
  uint32_t n = dae_system_n_inputs(&parts);
  TEST_ASSERT_EQUAL_UINT32(1 + 2 * N + 2, n);
  uint32_t source[1 + 2 * N + 2];
  uint32_t index[1 + 2 * N + 2];
  dae_system_sources(&parts, source, index);
  TEST_ASSERT_EQUAL_UINT32(DAE_SOURCE_TIME, source[0]);
  for (uint32_t j = 0; j < N; j++) {
    TEST_ASSERT_EQUAL_UINT32(DAE_SOURCE_POINT, source[1 + j]);
    TEST_ASSERT_EQUAL_UINT32(DAE_SOURCE_SLOPES, source[1 + N + j]);
    TEST_ASSERT_EQUAL_UINT32(j, index[1 + j]);
    TEST_ASSERT_EQUAL_UINT32(j, index[1 + N + j]);
  }
  TEST_ASSERT_EQUAL_UINT32(DAE_SOURCE_SEGMENT, source[1 + 2 * N]);
  TEST_ASSERT_EQUAL_UINT32(1, index[2 + 2 * N]);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_matrices_by_hand);
  RUN_TEST(test_random_systems_against_central_differences);
  RUN_TEST(test_a_variable_that_is_no_unknown_is_refused);
  RUN_TEST(test_inputs_come_from_their_arrays);
  return UNITY_END();
}
