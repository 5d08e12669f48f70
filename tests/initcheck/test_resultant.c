/* Resultants of two rows, against determinants worked out by hand and against common zeros. */

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
  const char *first, *second; /* residuals in x and y */
  const char *resultant;      /* with respect to the first shared unknown, up to sign */
  double x, y;                /* a common zero */
} Pair;

static const Pair pairs[] = {
    /* Res_x(x^2 + y^2 - 1, x - y) = 2*y^2 - 1 */
    {"x^2 + y^2 - 1", "x - y^3 - y^2 + y^3 + y^2 - y", "2*y^2 - 1", 0.70710678118654752,
     0.70710678118654752},
    /* Res_x(x*y - 2, x^2 - y) = y^2*(-y) + 4 up to sign */
    {"x*y - 2", "x^2 - y", "y^3 - 4", 1.2599210498948732, 1.5874010519681994},
    /* Res_x(x^2 - y, x^2 + y - 2) = (2*y - 2)^2 */
    {"x^2 - y", "x^2 + y - 2", "4*(y - 1)^2", 1.0, 1.0},
    /* Res_x(x^3 - y, x - 2*y) = 8*y^3 - y */
    {"x^3 - y", "x*y - 2*y^2 + x - 2*y", "(y + 1)^3*(8*y^3 - y)", 0.70710678118654752,
     0.35355339059327376},
};

static Inside
system_of(const Pair *pair)
{
  g_autofree char *text =
      g_strdup_printf("Real x(start = %.17g); Real y(start = %.17g); Real s; "
                      "initial equation s = 0; equation %s = 0; %s = 0; der(s) = x + y;",
                      pair->x, pair->y, pair->first, pair->second);
  return inside_new(text);
}

/* The rows of the two equations, before anything was solved. */
static IcEngine *
engine_of(Inside *in, GArray *rows)
{
  IcEngine *engine = ic_engine_new(in->sys, NULL, 0);
  for (uint32_t p = 0; p < in->sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(in->sys->premises, IcPremise, p);
    if (!premise->id.is_initial && premise->id.index < 2 && premise->id.order == 0) {
      uint32_t r = ic_engine_add(engine, p, false);
      g_array_append_val(rows, r);
    }
  }
  TEST_ASSERT_EQUAL_UINT(2, rows->len);
  return engine;
}

static bool
equal_up_to_sign(const Inside *in, DaeTerm a, DaeTerm b)
{
  return inside_equal(in, a, b) || inside_equal(in, a, dae_term_neg(in->terms, b));
}

static void
test_the_row_that_is_added_is_the_determinant_by_hand(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
    Inside in = system_of(&pairs[i]);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    IcEngine *engine = engine_of(&in, rows);
    TEST_ASSERT_TRUE_MESSAGE(ic_resultant_step(engine, rows), pairs[i].first);
    TEST_ASSERT_EQUAL_UINT(1, engine->resultants->len);
    DaeTerm got = g_array_index(engine->resultants, DaeTerm, 0);
    g_autofree char *text = inside_text(&in, got);
    TEST_ASSERT_TRUE_MESSAGE(equal_up_to_sign(&in, got, inside_term(&in, pairs[i].resultant)),
                             text);
    ic_engine_free(engine);
    inside_clear(&in);
  }
}

static bool
at_zero(void *user, DaeTerm atom, double *value)
{
  const void *const *parts = user;
  const Inside *in = parts[0];
  const Pair *pair = parts[1];
  *value = atom == inside_term(in, "x") ? pair->x : pair->y;
  return true;
}

/* Wherever both rows vanish the resultant does: the guesses are such points. */
static void
test_a_resultant_vanishes_at_common_zeros(void)
{
  for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
    Inside in = system_of(&pairs[i]);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    IcEngine *engine = engine_of(&in, rows);
    ic_resultant_step(engine, rows);
    const void *parts[2] = {&in, &pairs[i]};
    DaeTerm terms[3] = {inside_term(&in, pairs[i].first), inside_term(&in, pairs[i].second),
                        g_array_index(engine->resultants, DaeTerm, 0)};
    for (int k = 0; k < 3; k++) {
      double value = NAN;
      TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK,
                            dae_term_eval_double(in.terms, terms[k], at_zero, parts, &value));
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, 0.0, value, pairs[i].first);
    }
    ic_engine_free(engine);
    inside_clear(&in);
  }
}

/* A consequence adds nothing to the rank, is never made twice, and names what it came from. */
static void
test_a_consequence_is_marked_as_one_and_made_once(void)
{
  Inside in = system_of(&pairs[1]);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  IcEngine *engine = engine_of(&in, rows);
  uint32_t before = engine->rows->len;
  TEST_ASSERT_TRUE(ic_resultant_step(engine, rows));
  TEST_ASSERT_EQUAL_UINT(before + 1, engine->rows->len);
  const IcRow *row = ic_engine_row(engine, before);
  TEST_ASSERT_TRUE(row->is_consequence);
  g_autoptr(GArray) support = ic_engine_support(engine, row->line);
  TEST_ASSERT_EQUAL_UINT(2, support->len);
  while (ic_resultant_step(engine, rows)) {
  }
  for (guint i = 0; i < engine->resultants->len; i++) {
    for (guint k = 0; k < i; k++) {
      TEST_ASSERT_NOT_EQUAL(g_array_index(engine->resultants, DaeTerm, i),
                            g_array_index(engine->resultants, DaeTerm, k));
    }
  }
  ic_engine_free(engine);
  inside_clear(&in);
}

/* The derivative of floor(x), sign(x) or of a choice by x does not contain x, and still none of
 * them is a polynomial: what is eliminated as if they were does not vanish at the common zero. */
static void
test_functions_with_jumps_are_no_polynomials(void)
{
  static const Pair jumping[] = {
      {"x + floor(x) - 4.5", "x*y + y - 1", "", 2.5, 2.0 / 7.0},
      {"x + 3*sign(x - 1) - 5.5", "x*y + y - 1", "", 2.5, 2.0 / 7.0},
      {"x + (if noEvent(x > 3) then 1 else 5) - 7.5", "x*y + y - 1", "", 2.5, 2.0 / 7.0},
  };
  for (size_t i = 0; i < G_N_ELEMENTS(jumping); i++) {
    Inside in = system_of(&jumping[i]);
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    IcEngine *engine = engine_of(&in, rows);
    while (ic_resultant_step(engine, rows)) {
    }
    const void *parts[2] = {&in, &jumping[i]};
    for (guint k = 0; k < engine->resultants->len; k++) {
      double value = NAN;
      DaeTerm t = g_array_index(engine->resultants, DaeTerm, k);
      dae_term_eval_double(in.terms, t, at_zero, parts, &value);
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-12, 0.0, value, jumping[i].first);
    }
    ic_engine_free(engine);
    inside_clear(&in);
  }
}

static void
test_one_row_has_no_resultant(void)
{
  Inside in = system_of(&pairs[0]);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  IcEngine *engine = engine_of(&in, rows);
  g_array_set_size(rows, 1);
  TEST_ASSERT_FALSE(ic_resultant_step(engine, rows));
  TEST_ASSERT_EQUAL_UINT(0, engine->resultants->len);
  ic_engine_free(engine);
  inside_clear(&in);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_the_row_that_is_added_is_the_determinant_by_hand);
  RUN_TEST(test_a_resultant_vanishes_at_common_zeros);
  RUN_TEST(test_a_consequence_is_marked_as_one_and_made_once);
  RUN_TEST(test_functions_with_jumps_are_no_polynomials);
  RUN_TEST(test_one_row_has_no_resultant);
  return UNITY_END();
}
