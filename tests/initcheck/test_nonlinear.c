/* Rows that no linear pivot solves: identities end, factors that cannot vanish are divided out, and
 * nothing is divided by that may be 0. */

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  Inside in;
  IcEngine *engine;
  uint32_t row;
} One;

/* The second equation of a model with the unknowns x, y and the parameters a = 2, b = 0. */
static One
one_new(const char *equation)
{
  g_autofree char *text =
      g_strdup_printf("parameter Real a = 2; parameter Real b = 0; Real x(start = 1); "
                      "Real y(start = 1); Real s(start = 0, fixed = true); "
                      "equation der(s) = 1; %s; x + y = 7;",
                      equation);
  One one = {.in = inside_new(text), .row = IC_NONE};
  one.engine = ic_engine_new(one.in.sys, NULL, 0);
  for (uint32_t p = 0; p < one.in.sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(one.in.sys->premises, IcPremise, p);
    if (!premise->id.is_initial && premise->id.index == 1 && premise->id.order == 0) {
      one.row = ic_engine_add(one.engine, p, false);
    }
  }
  TEST_ASSERT_NOT_EQUAL(IC_NONE, one.row);
  return one;
}

static void
one_clear(One *one)
{
  ic_engine_free(one->engine);
  inside_clear(&one->in);
}

static void
test_what_is_known_not_to_vanish(void)
{
  static const struct {
    const char *term;
    bool is_nonzero;
  } list[] = {
      {"a", true},
      {"b", false},
      {"a - 2", false},
      {"x", false},
      {"x^2 + 1", true},
      {"exp(x)", true},
      {"exp(x)*a", true},
      {"exp(x)*x", false},
      {"cosh(y) + x^2", true},
      {"x^2 - 2*x + 2", true},
      {"x^2 - 2*x + 1", false},
      {"2 + sin(x)", true},
      {"1 + sin(x)", false},
      {"x*y", false},
      {"(x^2 + 1)*(y^2 + a)", true},
  };

  One one = one_new("x*y = 12");
  for (size_t i = 0; i < G_N_ELEMENTS(list); i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        list[i].is_nonzero, ic_known_nonzero(one.engine, inside_term(&one.in, list[i].term)),
        list[i].term);
  }
  one_clear(&one);
}

/* Two ways: what is called nonzero is nonzero at a grid of points. */
static bool
at_point(void *user, DaeTerm atom, double *value)
{
  const void *const *parts = user;
  const Inside *in = parts[0];
  const double *point = parts[1];
  *value = atom == inside_term(in, "x")   ? point[0]
           : atom == inside_term(in, "y") ? point[1]
                                          : 2;
  return true;
}

static void
test_what_is_called_nonzero_is_so_on_a_grid(void)
{
  static const char *const terms[] = {"x^2 + 1",       "exp(x)*a",   "cosh(y) + x^2",
                                      "x^2 - 2*x + 2", "2 + sin(x)", "(x^2 + 1)*(y^2 + a)"};
  One one = one_new("x*y = 12");
  for (size_t i = 0; i < G_N_ELEMENTS(terms); i++) {
    DaeTerm t = inside_term(&one.in, terms[i]);
    TEST_ASSERT_TRUE_MESSAGE(ic_known_nonzero(one.engine, t), terms[i]);
    for (int k = -20; k <= 20; k++) {
      const double point[2] = {0.25 * k, 0.4 * k - 1.0};
      const void *parts[2] = {&one.in, point};
      double value = 0.0;
      TEST_ASSERT_EQUAL_INT(
          DAE_EVAL_OK, dae_term_eval_double(one.in.terms, t, at_point, (void *)parts, &value));
      TEST_ASSERT_TRUE_MESSAGE(value > 1e-9, terms[i]);
    }
  }
  one_clear(&one);
}

static void
test_an_identity_ends_the_row(void)
{
  One one = one_new("(x + y)^2 = x^2 + 2*x*y + y^2");
  TEST_ASSERT_TRUE(ic_look_at_row(one.engine, one.row));
  TEST_ASSERT_EQUAL_INT(IC_ROW_ZERO, ic_engine_row(one.engine, one.row)->state);
  one_clear(&one);
}

/* (x^2 + 1)*(x - y) = 0: the first factor goes, the row is linear then. */
static void
test_a_factor_that_cannot_vanish_is_divided_out(void)
{
  One one = one_new("(x^2 + 1)*(x - y) = 0");
  TEST_ASSERT_TRUE(ic_look_at_row(one.engine, one.row));
  DaeTerm left = ic_row_term(one.engine, one.row);
  DaeTerm expected = inside_term(&one.in, "x - y");
  TEST_ASSERT_TRUE(inside_equal(&one.in, left, expected) ||
                   inside_equal(&one.in, left, dae_term_neg(one.in.terms, expected)));
  one_clear(&one);
}

static void
test_no_factor_can_vanish_so_the_row_is_a_conflict(void)
{
  One one = one_new("(x^2 + 1)*exp(y) = 0");
  TEST_ASSERT_TRUE(ic_look_at_row(one.engine, one.row));
  TEST_ASSERT_EQUAL_INT(IC_ROW_CONFLICT, ic_engine_row(one.engine, one.row)->state);
  one_clear(&one);
}

/* (1 + x^2)*y = 3 is solved for y; x*y = 12 is not: both may be 0 as far as is known. */
static void
test_a_coefficient_is_divided_by_where_it_cannot_vanish(void)
{
  One good = one_new("(1 + x^2)*y = 3");
  uint32_t y = inside_unknown(&good.in, "y");
  for (int k = 0; k < 3 && good.engine->solved_by[y] == IC_NONE; k++) { /* its shape first */
    TEST_ASSERT_TRUE(ic_look_at_row(good.engine, good.row));
  }
  uint32_t line = good.engine->solved_by[y];
  TEST_ASSERT_NOT_EQUAL(IC_NONE, line);
  TEST_ASSERT_TRUE(inside_equal(&good.in, ic_line_rhs(good.engine, line),
                                inside_term(&good.in, "3/(1 + x^2)")));
  one_clear(&good);
  One open = one_new("x*y = 12");
  TEST_ASSERT_FALSE(ic_look_at_row(open.engine, open.row));
  TEST_ASSERT_EQUAL_UINT32(IC_NONE, open.engine->solved_by[inside_unknown(&open.in, "y")]);
  one_clear(&open);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_what_is_known_not_to_vanish);
  RUN_TEST(test_what_is_called_nonzero_is_so_on_a_grid);
  RUN_TEST(test_an_identity_ends_the_row);
  RUN_TEST(test_a_factor_that_cannot_vanish_is_divided_out);
  RUN_TEST(test_no_factor_can_vanish_so_the_row_is_a_conflict);
  RUN_TEST(test_a_coefficient_is_divided_by_where_it_cannot_vanish);
  return UNITY_END();
}
