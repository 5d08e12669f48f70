/* The solved form of a system: which unknowns follow from which, and that its numbers are those of
 * the equations. */
#include <math.h>
#include <stdlib.h>
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

enum { MOST = 8 };

/* A system with unknowns of letters; rows are added one after the other. */
typedef struct {
  DaeTerms *terms;
  DaeTerm x[MOST];
  uint32_t row_start[MOST + 1], columns[MOST * MOST];
  DaeTerm coefficients[MOST * MOST], rhs[MOST], constraints[MOST];
  DaeSystemParts parts;
} Maker;

static void
begin(Maker *maker, uint32_t n)
{
  memset(maker, 0, sizeof *maker);
  maker->terms = dae_terms_new();
  for (uint32_t j = 0; j < n; j++) {
    const char name[2] = {(char)('a' + (int)j), '\0'};
    const DaeSymbol symbol = dae_terms_add_symbol(maker->terms, DAE_SYMBOL_VARIABLE, name);
    maker->x[j] = dae_term_variable(maker->terms, symbol, 0);
  }
  maker->parts = (DaeSystemParts){.unknowns = maker->x,
                                  .n = n,
                                  .row_start = maker->row_start,
                                  .columns = maker->columns,
                                  .coefficients = maker->coefficients,
                                  .rhs = maker->rhs,
                                  .constraints = maker->constraints};
}

static void
add_entry(Maker *maker, uint32_t column, DaeTerm coefficient)
{
  uint32_t *end = &maker->row_start[maker->parts.n_diff + 1];
  *end = MAX(*end, maker->row_start[maker->parts.n_diff]);
  maker->columns[*end] = column;
  maker->coefficients[(*end)++] = coefficient;
}

static void
end_row(Maker *maker, DaeTerm rhs)
{
  maker->rhs[maker->parts.n_diff++] = rhs;
  maker->row_start[maker->parts.n_diff + 1] = maker->row_start[maker->parts.n_diff];
}

static void
add_constraint(Maker *maker, DaeTerm g)
{
  maker->constraints[maker->parts.n_con++] = g;
}

static DaeSystem *
make(Maker *maker)
{
  const DaeSystemOptions options = {.solved = true};
  DaeSystem *system = dae_system_new(maker->terms, &maker->parts, &options, NULL);
  TEST_ASSERT_NOT_NULL(system);
  return system;
}

/* Two coupled coordinates on a circle: 2 c' + a d' = -a e, a c' + 3 d' = -b e f - 1,
 * 0 = a^2 + b^2 - 1, 0 = a c + b d, the third level, and f = a + time by itself. */
static void
add_mechanism(Maker *m, bool with_last_level)
{
  DaeTerms *s = m->terms;
  const DaeTerm one = dae_term_int(s, 1);
  const DaeTerm a = m->x[0], b = m->x[1], c = m->x[2], d = m->x[3], e = m->x[4], f = m->x[5];
  add_entry(m, 0, one);
  end_row(m, c);
  add_entry(m, 1, one);
  end_row(m, d);
  add_entry(m, 2, dae_term_int(s, 2));
  add_entry(m, 3, a);
  end_row(m, dae_term_neg(s, dae_term_mul(s, a, e)));
  add_entry(m, 2, a);
  add_entry(m, 3, dae_term_int(s, 3));
  end_row(m, dae_term_sub(s, dae_term_mul(s, f, dae_term_neg(s, dae_term_mul(s, b, e))), one));
  add_constraint(
      m, dae_term_sub(s, dae_term_add(s, dae_term_pow_int(s, a, 2), dae_term_pow_int(s, b, 2)),
                      one));
  add_constraint(m, dae_term_add(s, dae_term_mul(s, a, c), dae_term_mul(s, b, d)));
  if (with_last_level) { /* not that of this mechanism: it is not looked at */
    add_constraint(m, dae_term_add(s, dae_term_mul(s, a, dae_term_pow_int(s, e, 3)), f));
  }
  add_constraint(m, dae_term_sub(s, f, dae_term_add(s, a, dae_term_time(s))));
}

static void
multipliers_follow_from_velocity_constraints(void)
{
  Maker maker;
  begin(&maker, 6);
  add_mechanism(&maker, true);
  g_autoptr(DaeSystem) system = make(&maker);
  const DaeEvaluator *ev = dae_system_evaluator(system);
  const DaeSolved *form = ev->solved;
  TEST_ASSERT_NOT_NULL(form);
  TEST_ASSERT_EQUAL_UINT32(4, form->n_y);
  TEST_ASSERT_EQUAL_UINT32(1, form->n_direct);
  TEST_ASSERT_EQUAL_UINT32(1, form->n_linear);
  TEST_ASSERT_EQUAL_UINT32(2, form->n_rest);
  TEST_ASSERT_EQUAL_UINT32(5, form->direct[0]);
  TEST_ASSERT_EQUAL_UINT32(4, form->linear[0]);
  TEST_ASSERT_TRUE(form->is_differentiated);
  void *scratch = dae_aligned_new0(ev->scratch_size);
  const double x[6] = {0.6, 0.8, -0.4, 0.3, NAN, NAN}; /* only y is read */
  double stage[9], m[6], direct[1], rest[2], slope[6];
  const DaeSolvedOut out = {stage, m, direct, rest, slope};
  TEST_ASSERT_EQUAL_INT(0, ev->eval_solved(ev->self, scratch, 2.0, x, &out));
  const double expected[9] = {-0.4, 0.3, 0.0, -1.0, 0.16 + 0.09, 0.6, 0.8, -0.6, -0.8 * 2.6};
  for (int i = 0; i < 9; i++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, expected[i], stage[i]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 2.6, direct[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, rest[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.0, rest[1]);
  const double masses[6] = {1.0, 1.0, 2.0, 0.6, 0.6, 3.0};
  TEST_ASSERT_EQUAL_MEMORY(masses, m, sizeof m);
  free(scratch);
  dae_terms_free(maker.terms);
}

static bool
has_form(Maker *maker)
{
  g_autoptr(DaeSystem) system = make(maker);
  const bool has = dae_system_evaluator(system)->solved != NULL;
  dae_terms_free(maker->terms);
  return has;
}

static void
what_is_not_linear_has_no_form(void)
{
  Maker maker;
  begin(&maker, 2); /* a' = b^2, b^3 + b = a: b is open and no number is its factor */
  add_entry(&maker, 0, dae_term_int(maker.terms, 1));
  end_row(&maker, dae_term_pow_int(maker.terms, maker.x[1], 2));
  add_constraint(&maker, dae_term_sub(maker.terms,
                                      dae_term_add(maker.terms,
                                                   dae_term_pow_int(maker.terms, maker.x[1], 3),
                                                   maker.x[1]),
                                      maker.x[0]));
  TEST_ASSERT_FALSE(has_form(&maker));
}

static void
a_derivative_without_a_row_has_no_form(void)
{
  Maker maker;
  begin(&maker, 2); /* a' + b' = 1, a = b */
  add_entry(&maker, 0, dae_term_int(maker.terms, 1));
  add_entry(&maker, 1, dae_term_int(maker.terms, 1));
  end_row(&maker, dae_term_int(maker.terms, 1));
  add_constraint(&maker, dae_term_sub(maker.terms, maker.x[0], maker.x[1]));
  TEST_ASSERT_FALSE(has_form(&maker));
}

static void
what_jumps_has_no_form(void)
{
  Maker maker;
  begin(&maker, 1);
  add_entry(&maker, 0, dae_term_int(maker.terms, 1));
  end_row(&maker, dae_term_call1(maker.terms, DAE_FN_SIGN, maker.x[0]));
  TEST_ASSERT_FALSE(has_form(&maker));
}

static void
it_is_made_only_when_asked_for(void)
{
  Maker maker;
  begin(&maker, 6);
  add_mechanism(&maker, false);
  g_autoptr(DaeSystem) system = dae_system_new(maker.terms, &maker.parts, NULL, NULL);
  TEST_ASSERT_NULL(dae_system_evaluator(system)->solved);
  dae_terms_free(maker.terms);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(multipliers_follow_from_velocity_constraints);
  RUN_TEST(what_is_not_linear_has_no_form);
  RUN_TEST(a_derivative_without_a_row_has_no_form);
  RUN_TEST(what_jumps_has_no_form);
  RUN_TEST(it_is_made_only_when_asked_for);
  return UNITY_END();
}
