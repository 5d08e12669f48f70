/* Tapes over a point: t, x, x' and segment values go where they belong, lane by lane; two ways
 * against the evaluation of terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval.h"
#include "random_terms.h"
#include "unity.h"

enum { N = 3, N_SEGMENT = 2, N_OUTPUTS = 4, LANES = 3 };

static DaeTerms *terms;
static DaeTerm x[N], xdot[N], p[N_SEGMENT];
static DaePointAtoms atoms;

void
setUp(void)
{
  terms = dae_terms_new();
  for (uint32_t j = 0; j < N; j++) {
    g_autofree char *name = g_strdup_printf("x%u", j);
    DaeSymbol symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name);
    x[j] = dae_term_variable(terms, symbol, 0);
    xdot[j] = dae_term_variable(terms, symbol, 1);
  }
  for (uint32_t k = 0; k < N_SEGMENT; k++) {
    g_autofree char *name = g_strdup_printf("p%u", k);
    p[k] = dae_term_parameter(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name));
  }
  atoms = (DaePointAtoms){.unknowns = x, .n = N, .segment = p, .n_segment = N_SEGMENT};
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

/* Zeroed and aligned as the tape wants it; freed with free(). */
static void *
new_scratch(const DaePointTape *tape)
{
  size_t bytes = (dae_point_tape_scratch_size(tape) + 63) / 64 * 64;
  void *scratch = NULL;
  TEST_ASSERT_EQUAL_INT(0, posix_memalign(&scratch, 64, bytes));
  memset(scratch, 0, bytes);
  return scratch;
}

typedef struct {
  double t;
  double values[2 * N + N_SEGMENT]; /* x, x', p */
} Place;

static bool
value_at(void *user, DaeTerm atom, double *value)
{
  const Place *place = user;
  if (dae_term_kind(terms, atom) == DAE_KIND_TIME) {
    *value = place->t;
    return true;
  }
  for (uint32_t j = 0; j < N; j++) {
    if (atom == x[j] || atom == xdot[j]) {
      *value = place->values[atom == x[j] ? j : N + j];
      return true;
    }
  }
  for (uint32_t k = 0; k < N_SEGMENT; k++) {
    if (atom == p[k]) {
      *value = place->values[2 * N + k];
      return true;
    }
  }
  return false;
}

static void
test_every_lane_has_its_own_point(void)
{
  GRand *random = g_rand_new_with_seed(20);
  DaeTerm inputs[2 * N + N_SEGMENT + 1];
  memcpy(inputs, x, sizeof x);
  memcpy(inputs + N, xdot, sizeof xdot);
  memcpy(inputs + 2 * N, p, sizeof p);
  inputs[2 * N + N_SEGMENT] = dae_term_time(terms);
  const RandomTerms source = {terms, random, inputs, 2 * N + N_SEGMENT + 1, true};
  uint32_t n_compared = 0;
  for (int round = 0; round < 40; round++) {
    DaeTerm outputs[N_OUTPUTS];
    for (int o = 0; o < N_OUTPUTS; o++) {
      outputs[o] = random_term(&source, 3);
    }
    g_autoptr(DaePointTape) tape = dae_point_tape_new(terms, &atoms, outputs, N_OUTPUTS, NULL);
    TEST_ASSERT_NOT_NULL(tape);
    void *scratch = new_scratch(tape);
    Place places[LANES];
    double t[LANES];
    double point[N * LANES];
    double slopes[N * LANES];
    double out[N_OUTPUTS * LANES];
    for (int l = 0; l < LANES; l++) {
      for (int k = 0; k < 2 * N + N_SEGMENT; k++) {
        places[l].values[k] =
            k < 2 * N || l == 0 ? g_rand_double_range(random, 0.1, 2) : places[0].values[k];
      }
      places[l].t = t[l] = g_rand_double(random);
      for (int j = 0; j < N; j++) {
        point[j * LANES + l] = places[l].values[j];
        slopes[j * LANES + l] = places[l].values[N + j];
      }
    }
    dae_point_tape_set_segment(tape, scratch, places[0].values + 2 * N);
    int status = dae_point_tape_eval(tape, scratch, LANES, t, point, slopes, out, NULL);
    for (int o = 0; status == 0 && o < N_OUTPUTS; o++) {
      for (int l = 0; l < LANES; l++) {
        double expected = 0;
        if (dae_term_eval_double(terms, outputs[o], value_at, &places[l], &expected) ==
                DAE_EVAL_OK &&
            isfinite(expected)) {
          TEST_ASSERT_DOUBLE_WITHIN(1e-9 * fmax(1.0, fabs(expected)), expected,
                                    out[o * LANES + l]);
          n_compared++;
        }
      }
    }
    free(scratch);
  }
  TEST_ASSERT_TRUE(n_compared > 100);
  g_rand_free(random);
}

/* p0*p0 is computed once in a segment; new values must reach it, and equal ones change nothing. */
static void
test_segment_values_are_kept_until_others_come(void)
{
  DaeTerm square = dae_term_mul(terms, p[0], p[0]);
  DaeTerm output = dae_term_add(terms, dae_term_mul(terms, square, x[0]), p[1]);
  g_autoptr(DaePointTape) tape = dae_point_tape_new(terms, &atoms, &output, 1, NULL);
  void *scratch = new_scratch(tape);
  const double t = 0;
  const double point[N] = {2, 0, 0};
  const double sets[][N_SEGMENT] = {{3, 1}, {3, 1}, {3, 2}, {-1, 2}, {0, 0}};
  double out = NAN;
  TEST_ASSERT_EQUAL_INT(0, dae_point_tape_eval(tape, scratch, 1, &t, point, NULL, &out, NULL));
  TEST_ASSERT_TRUE(out == 0.0); /* zeros before the first call */
  for (size_t k = 0; k < G_N_ELEMENTS(sets); k++) {
    dae_point_tape_set_segment(tape, scratch, sets[k]);
    TEST_ASSERT_EQUAL_INT(0,
                          dae_point_tape_eval(tape, scratch, 1, &t, point, NULL, &out, NULL));
    TEST_ASSERT_TRUE(out == sets[k][0] * sets[k][0] * 2 + sets[k][1]);
  }
  free(scratch);
}

static void
test_what_is_constant_in_a_segment_costs_nothing_at_a_point(void)
{
  DaeTerm heavy = dae_term_call1(terms, DAE_FN_SIN, dae_term_mul(terms, p[0], p[1]));
  DaeTerm alone = dae_term_add(terms, heavy, x[0]);
  DaeTerm free_of_p = dae_term_add(terms, dae_term_call1(terms, DAE_FN_SIN, x[1]), x[0]);
  g_autoptr(DaePointTape) with = dae_point_tape_new(terms, &atoms, &alone, 1, NULL);
  g_autoptr(DaePointTape) without = dae_point_tape_new(terms, &atoms, &free_of_p, 1, NULL);
  TEST_ASSERT_EQUAL_UINT(1, dae_point_tape_cost(with).instructions);
  TEST_ASSERT_EQUAL_UINT(2, dae_point_tape_cost(without).instructions);
}

static void
test_a_fault_names_the_output_and_relations_are_numbers(void)
{
  DaeTerm outputs[2] = {dae_term_relation(terms, DAE_REL_LT, x[0], x[1]),
                        dae_term_call1(terms, DAE_FN_LOG, x[2])};
  g_autoptr(DaePointTape) tape = dae_point_tape_new(terms, &atoms, outputs, 2, NULL);
  void *scratch = new_scratch(tape);
  const double t = 0;
  const double good[N] = {1, 2, 1};
  const double bad[N] = {2, 1, -1};
  double out[2] = {NAN, NAN};
  uint32_t fault = 7;
  TEST_ASSERT_EQUAL_INT(0, dae_point_tape_eval(tape, scratch, 1, &t, good, NULL, out, &fault));
  TEST_ASSERT_TRUE(out[0] == 1.0 && out[1] == 0.0);
  TEST_ASSERT_TRUE(dae_point_tape_eval(tape, scratch, 1, &t, bad, NULL, out, &fault) > 0);
  TEST_ASSERT_EQUAL_UINT(1, fault);
  TEST_ASSERT_TRUE(out[0] == 0.0);
  free(scratch);
}

static void
test_an_unknown_atom_is_an_error_that_names_the_output(void)
{
  DaeSymbol other = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "other");
  DaeTerm outputs[2] = {x[0], dae_term_variable(terms, other, 0)};
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(dae_point_tape_new(terms, &atoms, outputs, 2, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "output 1: "));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "other"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_lane_has_its_own_point);
  RUN_TEST(test_segment_values_are_kept_until_others_come);
  RUN_TEST(test_what_is_constant_in_a_segment_costs_nothing_at_a_point);
  RUN_TEST(test_a_fault_names_the_output_and_relations_are_numbers);
  RUN_TEST(test_an_unknown_atom_is_an_error_that_names_the_output);
  return UNITY_END();
}
