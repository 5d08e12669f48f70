/* The exported integrator as a C file: its order on x' = y, y' = -x, and what it does at a
 * singular matrix. With -DEXPLICIT Adams-Bashforth and an algebraic unknown, without BDF3. */
#include "export/integrator.c"

#include <math.h>
#include <unity.h>

double model_step_size = 0.01;
const unsigned model_m_start[3] = {0u, 1u, 2u};
const unsigned model_m_column[2] = {0u, 1u};
const double model_start[3] = {1.0, 0.0, 1.0};
const double model_start_slopes[3] = {0.0, -1.0, -1.0};
const unsigned model_gx_start[2] = {0u, 3u};
const unsigned model_gx_column[3] = {0u, 1u, 2u};
unsigned model_n_set = 0u;
static double mass = 1.0;
#ifdef EXPLICIT
static double shift = 0.0; /* a parameter: 0 = z - x - y - shift */
#endif
static double outside = 0.0;

void
setUp(void)
{
  mass = 1.0;
  outside = 0.0;
  model_step_size = 0.01;
}

void
tearDown(void)
{
}

void
model_f(double t, const double *x, double *out)
{
  (void)t;
  out[0] = x[1] + outside;
  out[1] = -x[0];
}

void
model_g(double t, const double *x, double *out)
{
  (void)t;
#ifdef EXPLICIT
  out[0] = x[2] - x[0] - x[1] - shift;
#else
  (void)x;
  (void)out;
#endif
}

void
model_m(double t, const double *x, double *out)
{
  (void)t;
  (void)x;
  out[0] = mass;
  out[1] = 1.0;
}

void
model_k(double t, const double *x, const double *xdot, double *out)
{
  (void)t;
  (void)x;
  (void)xdot;
  out[0] = mass;
  out[1] = -1.0;
}

void
model_gx(double t, const double *x, double *out)
{
  (void)t;
  (void)x;
#ifdef EXPLICIT
  out[0] = -1.0;
  out[1] = -1.0;
  out[2] = 1.0;
#else
  (void)out;
#endif
}

#ifdef EXPLICIT
void
model_gt(double t, const double *x, double *out)
{
  (void)t;
  (void)x;
  out[0] = 0.0;
}

/* After a parameter was set init moves the exported start to the nearest point on the
 * constraints, with the slopes there. */
static void
test_a_start_is_found_for_other_parameters(void)
{
  static model_instance s;
  shift = 3.0;
  model_n_set = 1u;
  TEST_ASSERT_EQUAL_INT(0, model_init(&s));
  const double *x = s.x[s.at[0]];
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 3.0, x[2] - x[0] - x[1]);
  double start[3] = {1.0, 0.0, 1.0};
  TEST_ASSERT_EQUAL_INT(0, model_find_start(0.0, start));
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, start[0]); /* each moved by 1 */
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, -1.0, start[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 2.0, start[2]);
  double slopes[3] = {9.0, 9.0, 9.0};
  TEST_ASSERT_EQUAL_INT(0, model_find_start_slopes(0.0, start, slopes));
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, -1.0, slopes[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0.0, slopes[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, -1.0, slopes[2]);
  shift = NAN;
  TEST_ASSERT_EQUAL_INT(MODEL_NO_START, model_init(&s));
  shift = 0.0;
  model_n_set = 0u;
}

#endif
static double
error_at_one(double step)
{
  static model_instance s;
  model_step_size = step;
  TEST_ASSERT_EQUAL_INT(0, model_init(&s));
  while (s.t < 1.0 - 1e-9) {
    TEST_ASSERT_EQUAL_INT(0, model_step(&s));
  }
  const double *x = model_values(&s);
#ifdef EXPLICIT
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, x[0] + x[1], x[2]);
#endif
  return fmax(fabs(x[0] - cos(1.0)), fabs(x[1] + sin(1.0)));
}

static void
test_the_order_is_three(void)
{
  /* the first step, of order 1 and h/64 long, is seen beside the third order when h is small */
  double coarse = error_at_one(1.0 / 32);
  double fine = error_at_one(1.0 / 64);
  double finer = error_at_one(1.0 / 128);
  TEST_ASSERT_TRUE(coarse < 1e-4);
  TEST_ASSERT_DOUBLE_WITHIN(0.3, 3.0, log2(coarse / fine));
  TEST_ASSERT_DOUBLE_WITHIN(0.3, 3.0, log2(fine / finer));
}

static void
test_times_are_multiples_of_the_step(void)
{
  static model_instance s;
  TEST_ASSERT_EQUAL_INT(0, model_init(&s));
  TEST_ASSERT_EQUAL_DOUBLE(0.0, s.t);
  TEST_ASSERT_EQUAL_DOUBLE(1.0, model_values(&s)[0]);
  for (int i = 0; i < 7; i++) {
    TEST_ASSERT_EQUAL_INT(0, model_step(&s));
  }
  TEST_ASSERT_EQUAL_DOUBLE(0.07, s.t);
  TEST_ASSERT_EQUAL_INT(7, (int)s.steps);
}

static void
test_a_step_that_fails_leaves_the_instance_where_it_was(void)
{
  static model_instance s;
  TEST_ASSERT_EQUAL_INT(0, model_init(&s));
  while (s.steps < 5) {
    TEST_ASSERT_EQUAL_INT(0, model_step(&s));
  }
  const double t = s.t;
  outside = NAN;
  TEST_ASSERT_EQUAL_INT(MODEL_DOMAIN, model_step(&s));
  TEST_ASSERT_EQUAL_DOUBLE(t, s.t);
  outside = 0.0;
  mass = 0.0;
  TEST_ASSERT_EQUAL_INT(MODEL_SINGULAR, model_step(&s));
  TEST_ASSERT_EQUAL_DOUBLE(t, s.t);
}

int
main(void)
{
  UNITY_BEGIN();
#ifdef EXPLICIT
  RUN_TEST(test_a_start_is_found_for_other_parameters);
#endif
  RUN_TEST(test_the_order_is_three);
  RUN_TEST(test_times_are_multiples_of_the_step);
  RUN_TEST(test_a_step_that_fails_leaves_the_instance_where_it_was);
  return UNITY_END();
}
