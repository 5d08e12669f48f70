/* Rows: how they begin, which columns they stand in, and how they end without unknowns. */
#include <unity.h>

#include "inside.h"

static Inside inside;
static IcEngine *engine;

void
setUp(void)
{
}

void
tearDown(void)
{
  ic_engine_free(engine);
  inside_clear(&inside);
}

static void
begin(const char *text)
{
  inside = inside_new(text);
  engine = ic_engine_new(inside.sys, NULL, 0);
}

/* The premise whose initial equation is number i. */
static uint32_t
condition(uint32_t i)
{
  for (uint32_t k = 0; k < inside.sys->premises->len; k++) {
    const IcPremise *premise = &g_array_index(inside.sys->premises, IcPremise, k);
    if (premise->id.is_initial && premise->id.index == i) {
      return k;
    }
  }
  TEST_FAIL_MESSAGE("no such initial equation");
  return IC_NONE;
}

static bool
column_has(const char *unknown, uint32_t r)
{
  const GArray *column = engine->columns[inside_unknown(&inside, unknown)];
  for (guint i = 0; column != NULL && i < column->len; i++) {
    if (g_array_index(column, uint32_t, i) == r) {
      return true;
    }
  }
  return false;
}

static void
test_a_row_stands_in_the_columns_of_its_unknowns(void)
{
  begin("Real x; Real y; Real z; initial equation x + sin(y) = 1; z = 2;"
        "equation der(x) = y; der(y) = z; der(z) = x;");
  uint32_t r = ic_engine_add(engine, condition(0), false);
  TEST_ASSERT_TRUE(column_has("x", r));
  TEST_ASSERT_TRUE(column_has("y", r)); /* inside a leaf */
  TEST_ASSERT_FALSE(column_has("z", r));
  TEST_ASSERT_FALSE(column_has("der(x)", r));
  TEST_ASSERT_EQUAL(IC_ROW_ACTIVE, ic_engine_row(engine, r)->state);
}

static void
test_a_column_names_a_row_once(void)
{
  begin("Real x; initial equation x = 1; equation der(x) = 1;");
  uint32_t r = ic_engine_add(engine, condition(0), false);
  uint32_t z = inside_unknown(&inside, "x");
  guint before = engine->columns[z]->len;
  ic_row_note_column(engine, z, r);
  TEST_ASSERT_EQUAL_UINT(before, engine->columns[z]->len);
  ic_row_note_column(engine, z, r + 1);
  TEST_ASSERT_EQUAL_UINT(before + 1, engine->columns[z]->len);
}

/* What a row without unknowns becomes, by its residual. */
static IcRowState
end_of(const char *residual, uint32_t *row)
{
  uint32_t r = ic_engine_add_row(engine, condition(0), IC_NONE, inside_term(&inside, residual));
  *row = r;
  return ic_engine_row(engine, r)->state;
}

static void
test_ends_tell_always_here_and_never_apart(void)
{
  static const struct {
    const char *residual;
    IcRowState state;
    const char *condition; /* NULL: none */
  } cases[] = {
      {"0", IC_ROW_ZERO, NULL},
      {"p - p", IC_ROW_ZERO, NULL},
      {"sin(p)^2 + cos(p)^2 - 1", IC_ROW_ZERO, NULL},
      {"p - 2", IC_ROW_ZERO_GIVEN, "p - 2"},
      {"p*q - 6", IC_ROW_ZERO_GIVEN, "p*q - 6"},
      {"(p - 2)*q^2", IC_ROW_ZERO_GIVEN, "(p - 2)*q"},
      {"3", IC_ROW_CONFLICT, NULL},
      {"p - q", IC_ROW_CONFLICT, "p - q"},
      {"sqrt(2) - 1.4142135623730951", IC_ROW_CONFLICT, NULL},
  };

  begin("parameter Real p = 2; parameter Real q = 3; Real x; initial equation x = 1;"
        "equation der(x) = p*q;");
  for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
    uint32_t r = 0;
    TEST_ASSERT_EQUAL_MESSAGE(cases[i].state, end_of(cases[i].residual, &r), cases[i].residual);
    const IcRow *row = ic_engine_row(engine, r);
    if (cases[i].condition == NULL) {
      TEST_ASSERT_EQUAL_MESSAGE(DAE_NO_TERM, row->condition, cases[i].residual);
    } else {
      DaeTerm ratio =
          dae_term_div(inside.terms, row->condition, inside_term(&inside, cases[i].condition));
      TEST_ASSERT_TRUE_MESSAGE(
          dae_algebra_is_zero(inside.algebra, dae_term_total(inside.terms, ratio)) == DAE_ZERO,
          cases[i].residual);
    }
  }
}

/* 0 = -3 says the same as 0 = 3. */
static void
test_the_residual_of_a_conflict_is_positive(void)
{
  uint32_t r = 0;
  begin("Real x; initial equation x = 1; equation der(x) = 1;");
  TEST_ASSERT_EQUAL(IC_ROW_CONFLICT, end_of("2 - 5", &r));
  int64_t value = 0;
  TEST_ASSERT_TRUE(
      dae_term_get_int64(inside.terms, ic_engine_row(engine, r)->residual, &value));
  TEST_ASSERT_EQUAL_INT64(3, value);
}

/* Only the given values decide: that is noted, because the verdict then holds for them alone. */
static void
test_given_values_are_noted(void)
{
  uint32_t r = 0;
  begin("parameter Real p = 2; Real x; initial equation x = 1; equation der(x) = p;");
  TEST_ASSERT_EQUAL(IC_ROW_ZERO, end_of("2*p - p - p", &r));
  TEST_ASSERT_FALSE(engine->used_values);
  TEST_ASSERT_EQUAL(IC_ROW_ZERO_GIVEN, end_of("p - 2", &r));
  TEST_ASSERT_TRUE(engine->used_values);
}

static void
test_a_parameter_without_value_decides_nothing(void)
{
  uint32_t r = 0;
  begin("parameter Real p; Real x; initial equation x = 1; equation der(x) = p;");
  TEST_ASSERT_EQUAL(IC_ROW_STUCK, end_of("p - 2", &r));
  TEST_ASSERT_EQUAL(IC_ROW_ZERO, end_of("p - p", &r));
}

static void
test_division_by_zero_is_a_conflict_with_its_name(void)
{
  begin("parameter Real p = 0; Real x; initial equation x = 1; equation der(x) = p;");
  uint32_t r = ic_engine_add(engine, condition(0), false);
  ic_row_set_undefined(engine, r);
  const IcRow *row = ic_engine_row(engine, r);
  TEST_ASSERT_EQUAL(IC_ROW_CONFLICT, row->state);
  TEST_ASSERT_EQUAL_STRING("division by zero", ic_engine_line(engine, row->line)->note);
}

/* A branch that is not taken may divide by what it likes. */
static void
test_division_by_zero_in_a_branch_is_no_conflict(void)
{
  begin("Real x; initial equation x = (if x > 5 then 1/x else 2); equation der(x) = 1;");
  uint32_t r = ic_engine_add(engine, condition(0), false);
  ic_row_set_undefined(engine, r);
  TEST_ASSERT_EQUAL(IC_ROW_STUCK, ic_engine_row(engine, r)->state);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_row_stands_in_the_columns_of_its_unknowns);
  RUN_TEST(test_a_column_names_a_row_once);
  RUN_TEST(test_ends_tell_always_here_and_never_apart);
  RUN_TEST(test_the_residual_of_a_conflict_is_positive);
  RUN_TEST(test_given_values_are_noted);
  RUN_TEST(test_a_parameter_without_value_decides_nothing);
  RUN_TEST(test_division_by_zero_is_a_conflict_with_its_name);
  RUN_TEST(test_division_by_zero_in_a_branch_is_no_conflict);
  return UNITY_END();
}
