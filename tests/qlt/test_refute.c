/* A derivative without a row proves freedom only where elimination has lost nothing. */
#include "fixture.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* x = time (or what is given as a constraint), one row for der(x); y has none. */
static QltWork *
one_free_column(Fixture *f, const char *constraint, const char *coefficient)
{
  fixture_read(f, "model T Real x(start = 1), y; equation x = time; y = x; end T;", 1);
  QltWork *work = qlt_work_new(f->algebra, f->model, NULL);
  work->is_checked = true;
  TEST_ASSERT_TRUE(qlt_add_constraint(work, parse(f, constraint),
                                      g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin)), NULL));
  QltRow *row = qlt_row_new();
  row->from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  row->columns = g_new0(uint32_t, 1);
  row->coefficients = g_new(DaeTerm, 1);
  row->coefficients[0] = parse(f, coefficient);
  row->rhs = parse(f, "2");
  row->n = 1;
  qlt_store_row(work, row);
  return work;
}

static bool
is_proved(const char *constraint, const char *coefficient, const char *divisor)
{
  Fixture f;
  QltWork *work = one_free_column(&f, constraint, coefficient);
  if (divisor != NULL) {
    qlt_note_divisor(work, parse(&f, divisor));
  }
  bool result = qlt_is_proved_free(work);
  qlt_work_free(work);
  fixture_free(&f);
  return result;
}

static void
test_a_free_derivative_is_proved_at_a_point(void)
{
  TEST_ASSERT_TRUE(is_proved("x - time", "1", NULL));
  TEST_ASSERT_TRUE(is_proved("1e-14*(x - time)", "1e-14", "1e-12*(x + 2)"));
  TEST_ASSERT_TRUE(is_proved("x - time", "1", "3"));
}

static void
test_divisors_that_are_zero_prove_nothing(void)
{
  TEST_ASSERT_FALSE(is_proved("x - time", "1", "x - time"));
  TEST_ASSERT_FALSE(is_proved("x - time", "1", "1e12*(x^2 - time^2)"));
}

static void
test_dependent_rows_and_constraints_prove_nothing(void)
{
  TEST_ASSERT_FALSE(is_proved("x - time", "x - time", NULL));
  TEST_ASSERT_FALSE(is_proved("exp((x - time)^2) - 1", "1", NULL));
}

static void
test_what_numbers_dropped_proves_nothing(void)
{
  for (int k = 0; k < 2; k++) {
    Fixture f;
    QltWork *work = one_free_column(&f, "x - time", "1");
    work->has_numeric_drops = k == 0;
    work->has_hidden_divisors = k == 1;
    TEST_ASSERT_FALSE(qlt_is_proved_free(work));
    qlt_work_free(work);
    fixture_free(&f);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_free_derivative_is_proved_at_a_point);
  RUN_TEST(test_divisors_that_are_zero_prove_nothing);
  RUN_TEST(test_dependent_rows_and_constraints_prove_nothing);
  RUN_TEST(test_what_numbers_dropped_proves_nothing);
  return UNITY_END();
}
