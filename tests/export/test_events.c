/* Events and jumps of exported C as C files: buffers of relations by their definition, a clock that
 * is counted, two masses that get stuck (their momentum is what it was), and runs that end. */
/* the order is that of the exported text */
#include "export/jumps.c"

#include "export/events.c"
#include "export/instants.c"

#include "export/event_steps.c"
#include "export/positions.c"

#include <string.h>
#include <unity.h>

enum { NOTHING, RESET_V1, TERMINATES, FAILS };

static const double m1 = 2.0;
static const double m2 = 1.0;
static int is_coupled;
static int what;        /* happens where v1 > 1 */
static int is_restless; /* n changes for ever */
static double force;    /* per mass, in the slopes */

const unsigned model_m_start[3] = {0u, 1u, 2u};
const unsigned model_m_column[2] = {0u, 1u};
const unsigned model_k_start[3] = {0u, 1u, 2u};
const unsigned model_k_column[2] = {2u, 2u};
const unsigned model_gx_start[2] = {0u, 2u};
const unsigned model_gx_column[2] = {0u, 1u};
const unsigned model_algebraic_place[3] = {0u, 0u, 1u};
const unsigned char model_hidden[1] = {0u};
const unsigned char model_is_given[1] = {0u};
const unsigned char model_untied[3] = {0u, 0u, 0u};
const unsigned char model_in_system[8] = {0u, 0u, 0u, 0u, 1u, 1u, 0u, 0u};
const unsigned char model_is_when[2] = {1u, 0u};
const unsigned char model_is_real[2] = {0u, 0u};
const unsigned char model_buffer_kind[2] = {MODEL_POSITIVE, MODEL_NONNEGATIVE};
const unsigned char model_guard_kind[2] = {MODEL_OF_STATES, MODEL_LINEAR_IN_TIME};
const double model_guard_nominal[2] = {1.0, 1.0};
const unsigned char model_action_kind[2] = {MODEL_REINIT, MODEL_TERMINATE};
const unsigned model_action_target[2] = {0u, 0u};
const char *const model_action_message[2] = {"", "v1 is above 1"};
const double model_nominal[3] = {1.0, 1.0, 1.0};
const double model_tick_start[1] = {0.25};
const double model_tick_interval[1] = {0.25};
const double model_segment_start[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
const double model_start_slopes[3] = {0.0, 0.0, 0.0};
double *model_segment;
unsigned model_n_set;

static model_instance run;

void
setUp(void)
{
  memset(&run, 0, sizeof run);
  is_coupled = 0;
  is_restless = 0;
  what = NOTHING;
  force = 0.0;
  model_n_set = 0u;
  model_begin_events(&run);
}

void
tearDown(void)
{
}

void
model_m(double t, const double *x, double *out)
{
  (void)t;
  (void)x;
  out[0] = m1;
  out[1] = m2;
}

void
model_k(double t, const double *x, const double *rate, double *out)
{
  (void)t;
  (void)x;
  (void)rate;
  out[0] = 1.0;
  out[1] = -1.0;
}

void
model_g(double t, const double *x, double *out)
{
  (void)t;
  out[0] = is_coupled != 0 ? x[0] - x[1] : 0.0;
}

void
model_gx(double t, const double *x, double *out)
{
  (void)t;
  (void)x;
  out[0] = is_coupled != 0 ? 1.0 : 0.0;
  out[1] = is_coupled != 0 ? -1.0 : 0.0;
}

int
model_derivatives(model_instance *s, int parts, double t, const double *x)
{
  (void)parts;
  model_gx(t, x, s->gx);
  return 0;
}

void
model_guards(double t, const double *x, const double *rate, double *out)
{
  (void)rate;
  out[0] = x[0] - 1.0;
  out[1] = t - 0.5;
  out[2] = fabs(x[0]) + 1.0;
  out[3] = fabs(t) + 0.5;
  out[4] = 0.0;
  out[5] = 1.0;
}

/* when the clock ticks: n = pre(n) + 1 */
void
model_discrete(double t, const double *x, const double *rate, double *out)
{
  const double ticks = model_segment[MODEL_AT_SAMPLE];
  (void)t;
  (void)x;
  (void)rate;
  out[0] = model_segment[MODEL_AT_PRE] +
           (ticks > 0.5 && model_segment[MODEL_AT_PRE + 1u] < 0.5 ? 1.0 : 0.0);
  out[1] = ticks;
  out[0] = is_restless != 0 ? 1.0 - model_segment[0] : out[0];
}

void
model_actions(double t, const double *x, const double *rate, double *out)
{
  const double fires = model_segment[MODEL_AT_BUFFER] > 0.5 && x[0] > 0.0 ? 1.0 : 0.0;
  (void)t;
  (void)rate;
  out[0] = what == RESET_V1 ? fires : 0.0;
  out[1] = what == TERMINATES ? fires : 0.0;
  out[2] = -0.5; /* the new v1 */
  out[3] = 0.0;
}

int
model_find_start(double t, double *x)
{
  (void)t;
  (void)x;
  return 0;
}

int
model_find_slopes(model_instance *s, double t, const double *x, double *guess)
{
  (void)s;
  (void)t;
  (void)x;
  guess[0] = force;
  guess[1] = force;
  guess[2] = 0.0;
  return what == FAILS ? MODEL_DOMAIN : 0;
}

const double *
model_values(const model_instance *s)
{
  return s->x[s->at[0]];
}

static void
set_speeds(double v1, double v2)
{
  double *x = run.x[run.at[0]];
  x[0] = v1;
  x[1] = v2;
  x[2] = 0.0;
}

/* ---- relations ---- */

static void
test_a_buffer_has_the_value_of_its_definition(void)
{
  static const double guards[] = {-2.5, -1.0, -0.25, 0.0, 0.25, 1.0, 2.5};
  unsigned i;
  for (i = 0u; i < sizeof guards / sizeof *guards; i++) {
    const double g = guards[i];
    TEST_ASSERT_TRUE(model_buffer_value(MODEL_POSITIVE, g) == (g > 0.0 ? 1.0 : 0.0));
    TEST_ASSERT_TRUE(model_buffer_value(MODEL_NONNEGATIVE, g) == (g >= 0.0 ? 1.0 : 0.0));
    TEST_ASSERT_TRUE(model_buffer_value(MODEL_FLOOR, g) == floor(g));
    TEST_ASSERT_TRUE(model_buffer_value(MODEL_CEIL, g) == ceil(g));
    TEST_ASSERT_TRUE(model_buffer_value(MODEL_TRUNC, g) == trunc(g));
  }
}

/* Inside by definition: within the distance the value stays, beyond it does not. */
static void
test_the_distance_is_the_way_to_another_value(void)
{
  static const double guards[] = {-2.5, -0.75, 0.25, 0.625, 3.125};
  unsigned kind;
  unsigned i;
  for (kind = MODEL_POSITIVE; kind <= MODEL_TRUNC; kind++) {
    for (i = 0u; i < sizeof guards / sizeof *guards; i++) {
      const double value = model_buffer_value(kind, guards[i]);
      int side = 0;
      const double inside = model_buffer_distance(kind, value, guards[i], &side);
      TEST_ASSERT_TRUE(inside > 0.0);
      if (inside < 1e6) {
        TEST_ASSERT_TRUE(model_buffer_value(kind, guards[i] + 0.99 * side * inside) == value);
        TEST_ASSERT_TRUE(model_buffer_value(kind, guards[i] + 1.01 * side * inside) != value);
      }
    }
  }
}

/* time >= 0.5 at 0.3, and where it changes next. */
static void
test_a_relation_of_time_knows_when(void)
{
  double level = 1.0;
  TEST_ASSERT_TRUE(model_value_after(MODEL_NONNEGATIVE, -0.2, 1.0, 1.0, 0.3, 0.49) == 0.0);
  TEST_ASSERT_TRUE(model_value_after(MODEL_NONNEGATIVE, -0.2, 1.0, 1.0, 0.3, 0.5) == 1.0);
  TEST_ASSERT_TRUE(model_value_after(MODEL_POSITIVE, 0.2, -1.0, 1.0, 0.3, 0.5) == 0.0);
  TEST_ASSERT_TRUE(model_next_level(MODEL_NONNEGATIVE, 0.0, 1, &level) != 0);
  TEST_ASSERT_TRUE(level == 0.0);
  TEST_ASSERT_TRUE(model_next_level(MODEL_NONNEGATIVE, 1.0, 1, &level) == 0);
  TEST_ASSERT_TRUE(model_next_level(MODEL_FLOOR, 2.0, 1, &level) != 0);
  TEST_ASSERT_TRUE(level == 3.0);
  TEST_ASSERT_TRUE(model_next_level(MODEL_FLOOR, 2.0, 0, &level) != 0);
  TEST_ASSERT_TRUE(level == 2.0);
}

/* ---- times ---- */

/* Ticks at 0.25, 0.5, ... and the relation of time at 0.5, taken at the ends of steps of 0.1. */
static void
test_ticks_are_counted_and_relations_of_time_turn(void)
{
  int k;
  TEST_ASSERT_EQUAL_INT(0, model_take_first_events(&run));
  for (k = 1; k <= 10; k++) {
    run.t = 0.1 * k;
    TEST_ASSERT_EQUAL_INT(0, model_take_inputs(&run));
    TEST_ASSERT_EQUAL_INT(0, model_take_events(&run, 0));
    TEST_ASSERT_EQUAL_INT((int)floor(run.t / 0.25 + 1e-9), (int)run.segment[0]);
    TEST_ASSERT_TRUE(run.segment[MODEL_AT_BUFFER + 1u] == (k >= 5 ? 1.0 : 0.0));
    TEST_ASSERT_TRUE(run.segment[MODEL_AT_PRE] == run.segment[0]);
    TEST_ASSERT_TRUE(run.segment[MODEL_AT_SAMPLE] == 0.0); /* over after the instant */
  }
  TEST_ASSERT_EQUAL_INT(4, (int)run.events); /* the relation turns with the second tick */
}

/* ---- jumps ---- */

/* The masses get stuck: one speed, the momentum is what it was, whatever the speeds were. */
static void
test_masses_that_get_stuck_keep_their_momentum(void)
{
  static const double speeds[][2] = {{3.0, 0.0}, {0.0, -2.0}, {1.5, 1.5}, {-4.0, 5.0}};
  unsigned i;
  for (i = 0u; i < sizeof speeds / sizeof *speeds; i++) {
    double x[MODEL_N] = {speeds[i][0], speeds[i][1], 0.0};
    is_coupled = 1;
    TEST_ASSERT_EQUAL_INT(0, model_find_jump(&run, 0.0, x));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, x[0], x[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, m1 * speeds[i][0] + m2 * speeds[i][1],
                              m1 * x[0] + m2 * x[1]);
    TEST_ASSERT_TRUE(model_constraints_hold(&run, 0.0, x, 1e-9) != 0);
  }
}

static void
test_constraints_that_do_not_hold_are_seen(void)
{
  const double apart[MODEL_N] = {3.0, 0.0, 0.0};
  const double together[MODEL_N] = {2.0, 2.0, 0.0};
  is_coupled = 1;
  TEST_ASSERT_TRUE(model_constraints_hold(&run, 0.0, apart, 1e-8) == 0);
  TEST_ASSERT_TRUE(model_constraints_hold(&run, 0.0, together, 1e-8) != 0);
}

/* A reset sets what it names; without a coupling the other speed stays. */
static void
test_a_reset_is_taken_where_the_relation_turns(void)
{
  what = RESET_V1;
  TEST_ASSERT_EQUAL_INT(0, model_take_first_events(&run));
  set_speeds(0.9, 0.3);
  run.t = 0.1;
  TEST_ASSERT_EQUAL_INT(0, model_take_events(&run, 0));
  TEST_ASSERT_TRUE(model_values(&run)[0] == 0.9); /* not above 1 yet */
  set_speeds(1.2, 0.3);
  run.t = 0.2;
  TEST_ASSERT_EQUAL_INT(0, model_take_events(&run, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.5, model_values(&run)[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.3, model_values(&run)[1]);
  TEST_ASSERT_TRUE(run.segment[MODEL_AT_BUFFER] == 0.0); /* v1 > 1 is false again */
}

/* ---- ends ---- */

static void
test_terminate_ends_the_run_with_its_message(void)
{
  what = TERMINATES;
  TEST_ASSERT_EQUAL_INT(0, model_take_first_events(&run));
  set_speeds(2.0, 0.0);
  run.t = 0.1;
  TEST_ASSERT_EQUAL_INT(MODEL_TERMINATED, model_take_events(&run, 0));
  TEST_ASSERT_EQUAL_STRING("v1 is above 1", run.message);
}

/* The work of a step is bounded: what never settles is told. */
static void
test_what_does_not_settle_is_told_after_so_many_rounds(void)
{
  TEST_ASSERT_EQUAL_INT(0, model_take_first_events(&run));
  is_restless = 1;
  run.t = 0.3; /* after a tick */
  TEST_ASSERT_EQUAL_INT(MODEL_NOT_SETTLED, model_take_events(&run, 0));
  TEST_ASSERT_EQUAL_UINT(MODEL_EVENT_ROUNDS, run.rounds);
}

/* At the end terminal() is true, and stays so; the clock does not tick. */
static void
test_the_end_is_an_instant_of_its_own(void)
{
  TEST_ASSERT_EQUAL_INT(0, model_take_first_events(&run));
  run.t = 0.25;
  TEST_ASSERT_EQUAL_INT(0, model_finish(&run));
  TEST_ASSERT_TRUE(run.segment[MODEL_AT_TERMINAL] == 1.0);
  TEST_ASSERT_TRUE(run.segment[0] == 0.0);
  TEST_ASSERT_EQUAL_INT(1, (int)run.events);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_a_buffer_has_the_value_of_its_definition);
  RUN_TEST(test_the_distance_is_the_way_to_another_value);
  RUN_TEST(test_a_relation_of_time_knows_when);
  RUN_TEST(test_ticks_are_counted_and_relations_of_time_turn);
  RUN_TEST(test_masses_that_get_stuck_keep_their_momentum);
  RUN_TEST(test_constraints_that_do_not_hold_are_seen);
  RUN_TEST(test_a_reset_is_taken_where_the_relation_turns);
  RUN_TEST(test_terminate_ends_the_run_with_its_message);
  RUN_TEST(test_what_does_not_settle_is_told_after_so_many_rounds);
  RUN_TEST(test_the_end_is_an_instant_of_its_own);
  return UNITY_END();
}
