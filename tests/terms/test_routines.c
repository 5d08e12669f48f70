/* Routines: loops and recursion as terms, their values and derivatives. */
#include "terms/routines.h"

#include <math.h>
#include <string.h>

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static bool
value_of_atom(void *user, DaeTerm atom, double *value)
{
  (void)atom;
  *value = *(const double *)user;
  return true;
}

static double
at(DaeTerm t, double x)
{
  double value = NAN;
  return dae_term_eval_double(terms, t, value_of_atom, &x, &value) == DAE_EVAL_OK ? value : NAN;
}

static DaeTerm
relation(DaeRelation op, DaeTerm a, double b)
{
  return dae_term_relation(terms, op, a, dae_term_from_double(terms, b));
}

/* Heron's method for the square root of u, with w carried along
 * unchanged: w/2 of them are never used. */
static uint32_t
add_root(DaeTerm u, DaeTerm w, DaeTerm s)
{
  DaeTerm two = dae_term_int(terms, 2);
  DaeTerm next = dae_term_div(terms, dae_term_add(terms, s, dae_term_div(terms, u, s)), two);
  DaeTerm outputs[2] = {s, dae_term_mul(terms, w, s)};
  DaeTerm miss = dae_term_sub(terms, dae_term_div(terms, dae_term_mul(terms, s, s), u),
                              dae_term_int(terms, 1));
  DaeRoutine routine = {
      .name = "root",
      .inputs = (DaeTerm[]){u, w},
      .states = &s,
      .initial = &u,
      .next = &next,
      .outputs = outputs,
      .condition = relation(DAE_REL_GT, dae_term_call1(terms, DAE_FN_ABS, miss), 1e-14),
      .n_inputs = 2,
      .n_states = 1,
      .n_outputs = 2};
  return dae_terms_add_routine(terms, &routine);
}

static void
test_a_loop_has_the_value_that_it_computes(void)
{
  DaeTerm x = read_term(terms, "x");
  uint32_t root = add_root(x, read_term(terms, "y"), read_term(terms, "z"));
  DaeTerm t = dae_term_routine(terms, root, 0, (DaeTerm[]){x, x});
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, sqrt(2.0), at(t, 2.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1e4, at(t, 1e8));
  TEST_ASSERT_TRUE(isnan(at(t, 0.0)));
}

static void
test_equal_routines_have_one_number_whatever_their_formals(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm y = read_term(terms, "y");
  DaeTerm z = read_term(terms, "z");
  TEST_ASSERT_EQUAL_UINT32(add_root(x, y, z), add_root(z, x, y));
  TEST_ASSERT_EQUAL_UINT32(1, dae_terms_routine_count(terms));
}

static void
test_an_output_has_only_the_arguments_it_depends_on(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm y = read_term(terms, "y");
  uint32_t root = add_root(x, y, read_term(terms, "z"));
  DaeTerm first = dae_term_routine(terms, root, 0, (DaeTerm[]){x, y});
  DaeTerm second = dae_term_routine(terms, root, 1, (DaeTerm[]){x, y});
  TEST_ASSERT_FALSE(dae_term_contains(terms, first, y));
  TEST_ASSERT_TRUE(dae_term_contains(terms, second, y));
  assert_prints(terms, "'root#1'(1, x, 0)", first);
}

static void
test_derivatives_of_a_loop_of_any_order(void)
{
  DaeTerm x = read_term(terms, "x");
  uint32_t root = add_root(x, read_term(terms, "y"), read_term(terms, "z"));
  DaeTerm t = dae_term_routine(terms, root, 0, (DaeTerm[]){x, x});
  DaeTerm first = dae_term_partial(terms, t, x);
  DaeTerm second = dae_term_partial(terms, first, x);
  DaeTerm third = dae_term_partial(terms, second, x);
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.5 / sqrt(3.0), at(first, 3.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, -0.25 * pow(3.0, -1.5), at(second, 3.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0.375 * pow(3.0, -2.5), at(third, 3.0));
}

static void
test_a_count_of_rounds_has_no_derivative(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm s[2] = {read_term(terms, "y"), read_term(terms, "z")};
  DaeTerm initial[2] = {x, dae_term_int(terms, 0)};
  DaeTerm next[2] = {dae_term_div(terms, s[0], dae_term_int(terms, 2)),
                     dae_term_add(terms, s[1], dae_term_int(terms, 1))};
  DaeRoutine routine = {.name = "halve",
                        .inputs = &x,
                        .states = s,
                        .initial = initial,
                        .next = next,
                        .outputs = s,
                        .condition = relation(DAE_REL_GT, s[0], 1.0),
                        .n_inputs = 1,
                        .n_states = 2,
                        .n_outputs = 2};
  uint32_t halve = dae_terms_add_routine(terms, &routine);
  DaeTerm count = dae_term_routine(terms, halve, 1, &x);
  TEST_ASSERT_EQUAL_DOUBLE(4.0, at(count, 10.0));
  TEST_ASSERT_TRUE(dae_term_is_zero(terms, dae_term_partial(terms, count, x)));
  DaeTerm rest = dae_term_routine(terms, halve, 0, &x);
  TEST_ASSERT_EQUAL_DOUBLE(0.0625, at(dae_term_partial(terms, rest, x), 10.0));
}

/* f(x) = if x <= 1 then 1 else x*f(x - 1), with an argument that says whether anything is done. */
static void
test_recursion(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm run = read_term(terms, "p");
  DaeTerm s = read_term(terms, "y");
  DaeTerm done = read_term(terms, "z");
  DaeTerm one = dae_term_int(terms, 1);
  uint32_t f = dae_terms_declare_routine(terms, "f", 2, 1);
  DaeTerm stops = relation(DAE_REL_LE, x, 1.0);
  DaeTerm inside =
      dae_term_routine(terms, f, 0,
                       (DaeTerm[]){dae_term_if(terms, stops, dae_term_int(terms, 0), one),
                                   dae_term_sub(terms, x, one)});
  DaeTerm next[2] = {dae_term_if(terms, stops, one, dae_term_mul(terms, x, inside)), one};
  DaeRoutine routine = {.inputs = (DaeTerm[]){run, x},
                        .states = (DaeTerm[]){s, done},
                        .initial = (DaeTerm[]){dae_term_int(terms, 0), dae_term_int(terms, 0)},
                        .next = next,
                        .outputs = &s,
                        .condition = dae_term_and(terms, relation(DAE_REL_GT, run, 0.5),
                                                  relation(DAE_REL_LT, done, 0.5)),
                        .n_inputs = 2,
                        .n_states = 2,
                        .n_outputs = 1};
  dae_terms_define_routine(terms, f, &routine);
  DaeTerm t = dae_term_routine(terms, f, 0, (DaeTerm[]){one, x});
  TEST_ASSERT_EQUAL_DOUBLE(120.0, at(t, 5.0));
  /* x*(x - 1)*(x - 2) at 3.5 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 3 * 3.5 * 3.5 - 6 * 3.5 + 2,
                            at(dae_term_partial(terms, t, x), 3.5));
  TEST_ASSERT_TRUE(isnan(at(t, 1e5))); /* deeper than calls may be */
}

static void
test_a_loop_without_end_is_not_defined(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm s = read_term(terms, "y");
  DaeTerm next = dae_term_add(terms, s, dae_term_int(terms, 1));
  DaeRoutine routine = {.name = "endless",
                        .inputs = &x,
                        .states = &s,
                        .initial = &x,
                        .next = &next,
                        .outputs = &s,
                        .condition = relation(DAE_REL_GT, s, 0.0),
                        .n_inputs = 1,
                        .n_states = 1,
                        .n_outputs = 1};
  DaeTerm t = dae_term_routine(terms, dae_terms_add_routine(terms, &routine), 0, &x);
  TEST_ASSERT_TRUE(isnan(at(t, 1.0)));
  TEST_ASSERT_EQUAL_DOUBLE(-1.0, at(t, -1.0));
}

/* With numbers in place of x it is the exact number that comes out, or stays a call. */
static void
test_a_routine_of_numbers_is_a_number(void)
{
  DaeTerm x = read_term(terms, "x");
  uint32_t root = add_root(x, read_term(terms, "y"), read_term(terms, "z"));
  DaeTerm t = dae_term_routine(terms, root, 0, (DaeTerm[]){x, x});
  DaeTerm at_two = dae_term_replace(terms, t, x, dae_term_int(terms, 2));
  TEST_ASSERT_TRUE(dae_term_is_number(terms, at_two));
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, sqrt(2.0), dae_term_get_double(terms, at_two));
  /* 1/0 on the way: the call stays */
  DaeTerm at_zero = dae_term_replace(terms, t, x, dae_term_int(terms, 0));
  TEST_ASSERT_TRUE(dae_term_kind(terms, at_zero) == DAE_KIND_CALL);
}

static void
test_a_loop_without_end_stays_a_call(void)
{
  DaeTerm x = read_term(terms, "x");
  DaeTerm s = read_term(terms, "y");
  DaeTerm next = dae_term_add(terms, s, dae_term_int(terms, 1));
  DaeRoutine routine = {.name = "endless",
                        .inputs = &x,
                        .states = &s,
                        .initial = &x,
                        .next = &next,
                        .outputs = &s,
                        .condition = relation(DAE_REL_GT, s, 0.0),
                        .n_inputs = 1,
                        .n_states = 1,
                        .n_outputs = 1};
  DaeTerm t = dae_term_routine(terms, dae_terms_add_routine(terms, &routine), 0, &x);
  DaeTerm at_one = dae_term_replace(terms, t, x, dae_term_int(terms, 1));
  TEST_ASSERT_TRUE(dae_term_kind(terms, at_one) == DAE_KIND_CALL);
  TEST_ASSERT_EQUAL_UINT32(dae_term_int(terms, -1),
                           dae_term_replace(terms, t, x, dae_term_int(terms, -1)));
}

static void
test_the_code_of_a_loop_as_c_text(void)
{
  uint32_t number =
      add_root(read_term(terms, "x"), read_term(terms, "y"), read_term(terms, "z"));
  const DaeRoutineCode *code = dae_terms_routine_code(terms, number);
  g_autoptr(GString) out = g_string_new(NULL);
  TEST_ASSERT_FALSE(dae_routine_code_write(&code, 1, 3, out)); /* more steps than that */
  TEST_ASSERT_EQUAL_UINT(0, out->len);
  TEST_ASSERT_TRUE(dae_routine_code_write(&code, 1, 1000, out));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "static void dae_run_0(const double *x, double *y)"));
  TEST_ASSERT_NOT_NULL(strstr(out->str, "for (;;) {"));
}

static void
test_a_kept_name_is_printed_alone_and_nobody_else_has_it(void)
{
  DaeTerm x = read_term(terms, "x");
  uint32_t kept = dae_terms_declare_routine(terms, "'f#2'", 1, 1);
  uint32_t other = dae_terms_declare_routine(terms, "f", 1, 1);
  dae_terms_keep_routine_name(terms, kept);
  assert_prints(terms, "'f#2'(1, x)", dae_term_routine(terms, kept, 0, &x));
  assert_prints(terms, "'f#2#'(1, x)", dae_term_routine(terms, other, 0, &x));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_loop_has_the_value_that_it_computes);
  RUN_TEST(test_equal_routines_have_one_number_whatever_their_formals);
  RUN_TEST(test_an_output_has_only_the_arguments_it_depends_on);
  RUN_TEST(test_derivatives_of_a_loop_of_any_order);
  RUN_TEST(test_a_count_of_rounds_has_no_derivative);
  RUN_TEST(test_recursion);
  RUN_TEST(test_a_loop_without_end_is_not_defined);
  RUN_TEST(test_a_routine_of_numbers_is_a_number);
  RUN_TEST(test_a_loop_without_end_stays_a_call);
  RUN_TEST(test_the_code_of_a_loop_as_c_text);
  RUN_TEST(test_a_kept_name_is_printed_alone_and_nobody_else_has_it);
  return UNITY_END();
}
