/* Tapes against direct evaluation, lanes against single points, faults where they belong. */
#include <math.h>
#include <string.h>

#include "eval/eval.h"
#include "random_terms.h"
#include "unity.h"

#define N_ATOMS 4

typedef struct {
  DaeTerms *terms;
  DaeTerm atoms[N_ATOMS];
  double values[N_ATOMS];
} World;

static void
world_init(World *world)
{
  world->terms = dae_terms_new();
  world->atoms[0] = dae_term_variable(
      world->terms, dae_terms_add_symbol(world->terms, DAE_SYMBOL_VARIABLE, "x"), 0);
  world->atoms[1] = dae_term_variable(
      world->terms, dae_terms_add_symbol(world->terms, DAE_SYMBOL_VARIABLE, "y"), 0);
  world->atoms[2] = dae_term_parameter(
      world->terms, dae_terms_add_symbol(world->terms, DAE_SYMBOL_PARAMETER, "p"));
  world->atoms[3] = dae_term_time(world->terms);
}

void
setUp(void)
{
}

void
tearDown(void)
{
}

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const World *world = user;
  for (uint32_t i = 0; i < N_ATOMS; i++) {
    if (world->atoms[i] == atom) {
      *value = world->values[i];
      return true;
    }
  }
  return false;
}

static void *
aligned_scratch(const DaeTape *tape)
{
  return dae_aligned_new0(dae_tape_scratch_size(tape));
}

static void
random_point(World *world, GRand *random)
{
  for (uint32_t i = 0; i < N_ATOMS; i++) {
    world->values[i] = g_rand_double_range(random, -3.0, 3.0);
  }
}

static void
test_tape_agrees_with_direct_evaluation_on_random_terms(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(7);
  uint32_t n_values = 0;
  uint32_t n_faults = 0;
  for (int round = 0; round < 400; round++) {
    World world;
    world_init(&world);
    const RandomTerms source = {world.terms, random, world.atoms, N_ATOMS, false};
    DaeTerm outputs[3];
    for (uint32_t o = 0; o < 3; o++) {
      outputs[o] = random_term(&source, 1 + round % 4);
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(DaeTape) tape =
        dae_tape_new(world.terms, world.atoms, N_ATOMS, outputs, 3, &error);
    TEST_ASSERT_NULL(error);
    void *scratch = aligned_scratch(tape);
    for (int point = 0; point < 5; point++) {
      double out[3];
      uint32_t fault = 99;
      random_point(&world, random);
      const int status = dae_tape_eval(tape, scratch, 1, world.values, out, &fault);
      uint32_t first = 99;
      for (uint32_t o = 3; o-- > 0;) {
        double expected;
        if (dae_term_eval_double(world.terms, outputs[o], atom_value, &world, &expected) !=
            DAE_EVAL_OK) {
          first = o;
        } else if (fabs(expected) < 1e100) {
          n_values++;
          TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1.0 + fabs(expected)), expected, out[o]);
        }
      }
      TEST_ASSERT_EQUAL_UINT32(first, status == 0 ? 99 : fault);
      n_faults += status != 0;
    }
    free(scratch);
    dae_terms_free(world.terms);
  }
  TEST_ASSERT_GREATER_THAN(1500, n_values);
  TEST_ASSERT_GREATER_THAN(100, n_faults);
}

static void
test_every_number_of_lanes_gives_the_bits_of_single_points(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int round = 0; round < 100; round++) {
    World world;
    world_init(&world);
    const RandomTerms source = {world.terms, random, world.atoms, N_ATOMS, false};
    const DaeTerm outputs[2] = {random_term(&source, 4), random_term(&source, 3)};
    g_autoptr(DaeTape) tape = dae_tape_new(world.terms, world.atoms, N_ATOMS, outputs, 2, NULL);
    TEST_ASSERT_NOT_NULL(tape);
    void *scratch = aligned_scratch(tape);
    for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes++) {
      double in[N_ATOMS * DAE_LANES_MAX];
      double out[2 * DAE_LANES_MAX];
      for (unsigned l = 0; l < lanes; l++) {
        random_point(&world, random);
        for (uint32_t i = 0; i < N_ATOMS; i++) {
          in[i * lanes + l] = world.values[i];
        }
      }
      dae_tape_eval(tape, scratch, lanes, in, out, NULL);
      for (unsigned l = 0; l < lanes; l++) {
        double one[2];
        for (uint32_t i = 0; i < N_ATOMS; i++) {
          world.values[i] = in[i * lanes + l];
        }
        dae_tape_eval(tape, scratch, 1, world.values, one, NULL);
        for (uint32_t o = 0; o < 2; o++) {
          TEST_ASSERT_TRUE(isnan(one[o]) ? isnan(out[o * lanes + l])
                                         : one[o] == out[o * lanes + l]);
        }
      }
    }
    free(scratch);
    dae_terms_free(world.terms);
  }
}

static DaeTape *
tape_of(World *world, DaeTerm output)
{
  GError *error = NULL;
  DaeTape *tape = dae_tape_new(world->terms, world->atoms, N_ATOMS, &output, 1, &error);
  TEST_ASSERT_NULL(error);
  return tape;
}

static void
test_powers_are_multiplication_chains_and_shared(void)
{
  World world;
  world_init(&world);
  const DaeTerm x = world.atoms[0];
  DaeTerm sum = dae_term_add(world.terms, dae_term_pow_int(world.terms, x, 8),
                             dae_term_pow_int(world.terms, x, 2));
  sum = dae_term_add(world.terms, sum, dae_term_pow_int(world.terms, x, 4));
  g_autoptr(DaeTape) tape = tape_of(&world, sum);
  const DaeTapeCost cost = dae_tape_cost(tape);
  TEST_ASSERT_EQUAL_UINT32(3, cost.multiplies); /* x^2, x^4, x^8 */
  TEST_ASSERT_EQUAL_UINT32(0, cost.calls);
  dae_terms_free(world.terms);
}

static void
test_reciprocal_is_a_division_when_used_once_and_shared_when_used_twice(void)
{
  World world;
  world_init(&world);
  DaeTerms *terms = world.terms;
  const DaeTerm x = world.atoms[0];
  const DaeTerm y = world.atoms[1];
  const DaeTerm p = world.atoms[2];
  g_autoptr(DaeTape) once = tape_of(&world, dae_term_div(terms, y, x));
  TEST_ASSERT_EQUAL_UINT32(1, dae_tape_cost(once).divides);
  TEST_ASSERT_EQUAL_UINT32(0, dae_tape_cost(once).multiplies);
  const DaeTerm twice =
      dae_term_add(terms, dae_term_call1(terms, DAE_FN_SIN, dae_term_div(terms, y, x)),
                   dae_term_call1(terms, DAE_FN_COS, dae_term_div(terms, p, x)));
  g_autoptr(DaeTape) shared = tape_of(&world, twice);
  TEST_ASSERT_EQUAL_UINT32(1, dae_tape_cost(shared).divides);
  TEST_ASSERT_EQUAL_UINT32(2, dae_tape_cost(shared).multiplies);
  dae_terms_free(world.terms);
}

static void
test_fault_in_the_branch_not_taken_does_not_count(void)
{
  World world;
  world_init(&world);
  DaeTerms *terms = world.terms;
  const DaeTerm x = world.atoms[0];
  const DaeTerm condition = dae_term_relation(terms, DAE_REL_GT, x, dae_term_int(terms, 0));
  const DaeTerm guarded = dae_term_if(terms, condition, dae_term_call1(terms, DAE_FN_LOG, x),
                                      dae_term_int(terms, -1));
  g_autoptr(DaeTape) tape = tape_of(&world, guarded);
  void *scratch = aligned_scratch(tape);
  double out;
  uint32_t fault;
  const double minus[N_ATOMS] = {-1.0, 0.0, 0.0, 0.0};
  TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, 1, minus, &out, &fault));
  TEST_ASSERT_EQUAL_DOUBLE(-1.0, out);
  const double plus[N_ATOMS] = {1.0, 0.0, 0.0, 0.0};
  TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, 1, plus, &out, &fault));
  TEST_ASSERT_EQUAL_DOUBLE(0.0, out);
  free(scratch);
  dae_terms_free(world.terms);
}

/* atan(1/0), exp(-1/0), 1/(1 + 1/0) and (1/0 > 0) would all be finite in plain floating point. */
static void
test_an_undefined_value_never_becomes_finite_again(void)
{
  World world;
  world_init(&world);
  DaeTerms *terms = world.terms;
  const DaeTerm pole = dae_term_pow_int(terms, world.atoms[0], -1);
  const DaeTerm one = dae_term_int(terms, 1);
  const DaeTerm outputs[] = {
      dae_term_call1(terms, DAE_FN_ATAN, pole),
      dae_term_call1(terms, DAE_FN_EXP, dae_term_neg(terms, pole)),
      dae_term_pow_int(terms, dae_term_add(terms, one, pole), -1),
      dae_term_if(terms, dae_term_relation(terms, DAE_REL_GT, pole, one), one, world.atoms[1]),
      dae_term_call2(terms, DAE_FN_MIN, pole, one),
      dae_term_call1(terms, DAE_FN_TANH, pole),
  };
  for (size_t i = 0; i < G_N_ELEMENTS(outputs); i++) {
    g_autoptr(DaeTape) tape = tape_of(&world, outputs[i]);
    void *scratch = aligned_scratch(tape);
    const double zero[N_ATOMS] = {0.0, 0.0, 0.0, 0.0};
    double out;
    uint32_t fault;
    g_autofree char *text = dae_term_to_string(terms, outputs[i]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, dae_tape_eval(tape, scratch, 1, zero, &out, &fault), text);
    free(scratch);
  }
  dae_terms_free(world.terms);
}

static void
test_an_atom_without_value_is_named(void)
{
  World world;
  world_init(&world);
  const DaeTerm output = dae_term_add(world.terms, world.atoms[0], world.atoms[2]);
  g_autoptr(GError) error = NULL;
  TEST_ASSERT_NULL(dae_tape_new(world.terms, world.atoms, 2, &output, 1, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "p has no value"));
  dae_terms_free(world.terms);
}

/* Neither uses nor inputs of the tape before are remembered. */
static void
test_tapes_of_one_maker_are_those_made_alone(void)
{
  World world;
  world_init(&world);
  DaeTerms *terms = world.terms;
  const DaeTerm x = world.atoms[0];
  const DaeTerm once = dae_term_div(terms, world.atoms[1], x);
  const DaeTerm twice =
      dae_term_add(terms, dae_term_call1(terms, DAE_FN_SIN, once),
                   dae_term_call1(terms, DAE_FN_COS, dae_term_div(terms, world.atoms[2], x)));
  g_autoptr(GError) error = NULL;
  g_autoptr(DaeTapeMaker) maker = dae_tape_maker_new(terms);
  g_autoptr(DaeTape) shared = dae_tape_maker_make(maker, world.atoms, 3, &twice, 1, NULL);
  TEST_ASSERT_EQUAL_UINT32(2, dae_tape_cost(shared).multiplies);
  g_autoptr(DaeTape) alone = dae_tape_maker_make(maker, world.atoms, 2, &once, 1, NULL);
  TEST_ASSERT_EQUAL_UINT32(1, dae_tape_cost(alone).divides);
  TEST_ASSERT_EQUAL_UINT32(0, dae_tape_cost(alone).multiplies);
  TEST_ASSERT_NULL(dae_tape_maker_make(maker, world.atoms, 1, &once, 1, &error));
  TEST_ASSERT_NOT_NULL(strstr(error->message, "y has no value"));
  dae_terms_free(world.terms);
}

static void
test_a_deep_term_needs_no_deep_stack_and_few_registers(void)
{
  World world;
  world_init(&world);
  DaeTerm t = world.atoms[0];
  for (int i = 0; i < 200000; i++) {
    t = dae_term_call1(world.terms, DAE_FN_SIN, dae_term_add(world.terms, t, world.atoms[1]));
  }
  g_autoptr(DaeTape) tape = tape_of(&world, t);
  TEST_ASSERT_EQUAL_UINT32(400000, dae_tape_cost(tape).instructions);
  TEST_ASSERT_LESS_THAN(8, dae_tape_cost(tape).registers);
  dae_terms_free(world.terms);
}

/* Tables and selections, on lanes, beside the direct evaluation. */
static void
test_tape_of_data_and_selections(void)
{
  World world;
  world_init(&world);
  DaeTerms *terms = world.terms;
  const uint32_t data = dae_terms_add_data(terms, (double[]){-2.0, -1.0, 0.5, 0.5, 2.0}, 5);
  const DaeTerm k = dae_term_interval(terms, data, world.atoms[0]);
  const DaeTerm four[4] = {world.atoms[0], world.atoms[1], world.atoms[2], world.atoms[3]};
  const DaeTerm numbers[4] = {dae_term_int(terms, 5), dae_term_int(terms, 6),
                              dae_term_ratio(terms, 1, 3), dae_term_int(terms, 8)};
  const DaeTerm outputs[3] = {dae_term_lookup(terms, data, k),
                              dae_term_select(terms, k, four, 4),
                              dae_term_select(terms, k, numbers, 4)};
  g_autoptr(GError) error = NULL;
  g_autoptr(DaeTape) tape = dae_tape_new(terms, world.atoms, N_ATOMS, outputs, 3, &error);
  TEST_ASSERT_NULL(error);
  void *scratch = aligned_scratch(tape);
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int round = 0; round < 100; round++) {
    double in[4 * N_ATOMS];
    double out[4 * 3];
    double expected[4 * 3];
    for (uint32_t l = 0; l < 4; l++) {
      random_point(&world, random);
      for (uint32_t i = 0; i < N_ATOMS; i++) {
        in[i * 4 + l] = world.values[i];
      }
      for (uint32_t o = 0; o < 3; o++) {
        TEST_ASSERT_EQUAL_INT(DAE_EVAL_OK, dae_term_eval_double(terms, outputs[o], atom_value,
                                                                &world, &expected[o * 4 + l]));
      }
    }
    TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, 4, in, out, NULL));
    TEST_ASSERT_EQUAL_DOUBLE_ARRAY(expected, out, 12);
  }
  free(scratch);
  dae_terms_free(terms);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_tape_of_data_and_selections);
  RUN_TEST(test_tape_agrees_with_direct_evaluation_on_random_terms);
  RUN_TEST(test_every_number_of_lanes_gives_the_bits_of_single_points);
  RUN_TEST(test_powers_are_multiplication_chains_and_shared);
  RUN_TEST(test_reciprocal_is_a_division_when_used_once_and_shared_when_used_twice);
  RUN_TEST(test_fault_in_the_branch_not_taken_does_not_count);
  RUN_TEST(test_an_undefined_value_never_becomes_finite_again);
  RUN_TEST(test_an_atom_without_value_is_named);
  RUN_TEST(test_tapes_of_one_maker_are_those_made_alone);
  RUN_TEST(test_a_deep_term_needs_no_deep_stack_and_few_registers);
  return UNITY_END();
}
