/* Functions as the C compiler sees them, against the tape: every operation,
 * also where it is not defined. */
#include <math.h>
#include <string.h>

#include "eval/eval.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

enum { MOST = 40 };

typedef struct {
  DaeTerms *terms;
  DaeTerm x[3];
  DaeTerm rhs[MOST];
  uint32_t n;
} Rows;

static void
add(Rows *rows, DaeTerm t)
{
  TEST_ASSERT_TRUE(rows->n < MOST && t != DAE_NO_TERM);
  rows->rhs[rows->n++] = t;
}

static void
fill(Rows *rows)
{
  static const DaeFunction one[] = {
      DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN,   DAE_FN_ASIN, DAE_FN_ACOS,   DAE_FN_ATAN,
      DAE_FN_SINH, DAE_FN_COSH, DAE_FN_TANH,  DAE_FN_EXP,  DAE_FN_LOG,    DAE_FN_LOG10,
      DAE_FN_ABS,  DAE_FN_SIGN, DAE_FN_FLOOR, DAE_FN_CEIL, DAE_FN_INTEGER};
  static const DaeFunction two[] = {DAE_FN_ATAN2, DAE_FN_MIN, DAE_FN_MAX,
                                    DAE_FN_MOD,   DAE_FN_DIV, DAE_FN_REM};
  DaeTerms *terms = rows->terms;
  const DaeTerm *x = rows->x;
  for (size_t i = 0; i < G_N_ELEMENTS(one); i++) {
    add(rows, dae_term_call1(terms, one[i], x[0]));
  }
  for (size_t i = 0; i < G_N_ELEMENTS(two); i++) {
    add(rows, dae_term_call2(terms, two[i], x[0], x[1]));
  }
  const DaeTerm zero = dae_term_int(terms, 0);
  for (int r = DAE_REL_LT; r <= DAE_REL_NE; r++) {
    add(rows, dae_term_if(terms, dae_term_relation(terms, (DaeRelation)r, x[0], x[1]), x[2],
                          dae_term_neg(terms, x[2])));
  }
  const DaeTerm a = dae_term_relation(terms, DAE_REL_LT, x[0], zero);
  const DaeTerm b = dae_term_relation(terms, DAE_REL_LT, zero, x[1]);
  add(rows, dae_term_if(terms, dae_term_and(terms, a, b), x[2], zero));
  add(rows, dae_term_if(terms, dae_term_or(terms, a, b), x[2], zero));
  add(rows, dae_term_if(terms, dae_term_not(terms, a), x[2], zero));
  add(rows, dae_term_pow(terms, x[0], x[1]));
  add(rows, dae_term_div(terms, x[0], x[1]));
  add(rows, dae_term_pow(terms, x[0], dae_term_ratio(terms, 3, 2)));
}

/* x1' = the first function, x1' = the second, ...: only the right-hand sides are looked at. */
static DaeSystem *
system_of(const Rows *rows, bool native)
{
  uint32_t starts[MOST + 1];
  uint32_t columns[MOST] = {0};
  DaeTerm ones[MOST];
  for (uint32_t i = 0; i <= rows->n; i++) {
    starts[i] = i;
    ones[MIN(i, rows->n - 1)] = dae_term_int(rows->terms, 1);
  }
  const DaeSystemParts parts = {.unknowns = rows->x,
                                .n = 3,
                                .row_start = starts,
                                .columns = columns,
                                .coefficients = ones,
                                .rhs = rows->rhs,
                                .n_diff = rows->n};
  const DaeSystemOptions options = {.native = native};
  g_autoptr(GError) error = NULL;
  DaeSystem *system = dae_system_new(rows->terms, &parts, &options, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(system, error != NULL ? error->message : "");
  return system;
}

static int
evaluate(const DaeSystem *system, const double *x, double *f)
{
  const DaeEvaluator *evaluator = dae_system_evaluator(system);
  const double t = 0.0;
  void *scratch = dae_aligned_new0(evaluator->scratch_size);
  double g[1] = {0.0}; /* native code is there for what the stages ask for: f and g together */
  DaeOut out = {.f = f, .g = g};
  const int code = evaluator->eval(evaluator->self, scratch, 1, &t, x, &out);
  free(scratch);
  return code;
}

static void
compare(const Rows *rows, const DaeSystem *tape, const DaeSystem *native, const double *x)
{
  double a[MOST] = {0};
  double b[MOST] = {0};
  const int code = evaluate(tape, x, a);
  TEST_ASSERT_EQUAL_INT(code, evaluate(native, x, b));
  for (uint32_t i = 0; i < rows->n; i++) {
    g_autofree char *text = dae_term_to_string(rows->terms, rows->rhs[i]);
    g_autofree char *message = g_strdup_printf("%s at %g, %g", text, x[0], x[1]);
    TEST_ASSERT_TRUE_MESSAGE(
        isfinite(a[i]) ? memcmp(&a[i], &b[i], sizeof a[i]) == 0 : !isfinite(b[i]), message);
  }
}

static void
add_unknowns(Rows *rows)
{
  static const char *const names[] = {"x", "y", "z"};
  for (int j = 0; j < 3; j++) {
    rows->x[j] = dae_term_symbol(
        rows->terms, dae_terms_add_symbol(rows->terms, DAE_SYMBOL_VARIABLE, names[j]));
  }
}

static void
test_every_function_has_the_bits_of_the_tape(void)
{
  static const double values[] = {-7.5, -2.0, -1.0, -0.3,     -0.0,      0.0, 0.25,
                                  1.0,  2.0,  3.7,  INFINITY, -INFINITY, NAN, 1e300};
  const size_t n = G_N_ELEMENTS(values);
  Rows rows = {.terms = dae_terms_new()};
  add_unknowns(&rows);
  fill(&rows);
  DaeSystem *tape = system_of(&rows, false);
  DaeSystem *native = system_of(&rows, true);
  for (size_t k = 0; k < n * n; k++) {
    const double x[3] = {values[k / n], values[k % n], 5.0};
    compare(&rows, tape, native, x);
  }
  dae_system_free(tape);
  dae_system_free(native);
  dae_terms_free(rows.terms);
}

/* By hand: what the specification says of negative arguments [MLS, section 3.7.2]. */
static void
test_division_of_negative_numbers(void)
{
  static const struct {
    DaeFunction function;
    double a, b, value;
  } cases[] = {{DAE_FN_REM, -7.0, 3.0, -1.0}, {DAE_FN_REM, 7.0, -3.0, 1.0},
               {DAE_FN_MOD, -7.0, 3.0, 2.0},  {DAE_FN_MOD, 7.0, -3.0, -2.0},
               {DAE_FN_DIV, -7.0, 3.0, -2.0}, {DAE_FN_DIV, 7.0, -3.0, -2.0},
               {DAE_FN_REM, -7.5, 2.0, -1.5}, {DAE_FN_MOD, -7.5, 2.0, 0.5}};

  for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
    Rows rows = {.terms = dae_terms_new()};
    add_unknowns(&rows);
    add(&rows, dae_term_call2(rows.terms, cases[k].function, rows.x[0], rows.x[1]));
    const double x[3] = {cases[k].a, cases[k].b, 0.0};
    DaeSystem *system = system_of(&rows, false);
    double value = NAN;
    TEST_ASSERT_EQUAL_INT(0, evaluate(system, x, &value));
    TEST_ASSERT_EQUAL_DOUBLE(cases[k].value, value);
    dae_system_free(system);
    dae_terms_free(rows.terms);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_function_has_the_bits_of_the_tape);
  RUN_TEST(test_division_of_negative_numbers);
  return UNITY_END();
}
