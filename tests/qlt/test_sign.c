/* Terms that never vanish: what the form alone shows, and what must stay undecided. */
#include "fixture.h"

static Fixture f;
static QltWork *work;

void
setUp(void)
{
  fixture_read(&f,
               "model T\n  Real x, y, z, w;\n  parameter Real p = 2;\n  parameter Real q;\n"
               "equation\n  der(x) = y;\n  der(y) = -p*x;\n  z = x;\n  w = q*y;\nend T;\n",
               1);
  f.sig = dae_sig_analyze(f.algebra, f.model, &dae_sig_default_options, NULL, &f.error);
  TEST_ASSERT_NOT_NULL(f.sig);
  work = qlt_work_new(f.algebra, f.model, f.sig);
}

void
tearDown(void)
{
  qlt_work_free(work);
  fixture_free(&f);
}

static void
check(bool expected, const char *const *texts, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(expected, qlt_is_never_zero(work, parse(&f, texts[i])),
                                  texts[i]);
  }
}

static void
test_terms_of_one_sign(void)
{
  static const char *const texts[] = {
      "1 + x^2",      "3 + 2*sin(x)",      "-3 + 2*cos(x)*sin(y)",
      "exp(x) + 1",   "2 + x^4 + y^2*z^2", "1 + x^2*exp(y)",
      "2 + sin(x)^3", "-1 - 7*x^6",        "5 - 2*sin(x) - 2*cos(y)",
      "1 + cos(x)^2",
  };
  check(true, texts, G_N_ELEMENTS(texts));
}

/* Each has a real zero: calling one of them nonzero would divide by it. */
static void
test_terms_with_zeros_are_not_decided(void)
{
  static const char *const texts[] = {
      "x^3 + 1",          /* x = -1 */
      "1 + x^5",          /* odd powers have both signs */
      "1 + x^3*y^2",      /* */
      "2 + x^7*exp(y)",   /* */
      "1 + x^2*y^3*z^2",  /* */
      "sin(x) + 1",       /* touches 0 */
      "1 - 2*cos(x)",     /* */
      "x^2",              /* */
      "x^2 + y^2",        /* */
      "x + 10",           /* */
      "1 + 1.5*sin(x)^3", /* */
      "exp(x) - 1",       /* */
      "1 + x^2 - 3*y^2",  /* */
      "sin(x)*cos(x) + 0.4",
      "1 + 2*sin(x)*cos(y)",
  };
  check(false, texts, G_N_ELEMENTS(texts));
}

/* Determinants of mass matrices: polynomials in a few sines and
 * cosines, looked at piece by piece. */
static void
test_polynomials_in_waves(void)
{
  static const char *const yes[] = {
      "1.5 + sin(x)*cos(y) - sin(x) - cos(y)", /* (1 - s)(1 - c) + 1/2 */
      "sin(x) + sin(y) - sin(x)*sin(y) - 1.5",
  };
  static const char *const no[] = {
      "2 + 3*cos(x) + cos(x)^2",               /* (1 + c)(2 + c): 0 at c = -1 */
      "1 - 4*cos(x) + 4*cos(x)^2",             /* (1 - 2 c)^2 */
      "1 + sin(x)*cos(y) - sin(x) - cos(y)",   /* (1 - s)(1 - c) */
      "0.5 + sin(x)*cos(y) - sin(x) - cos(y)", /* */
      "(1.5 + sin(x)*cos(y) - sin(x) - cos(y))/(sin(x) - 1/2)", /* a pole is no sign */
      "cos(x)^2 - 1/2",                                         /* */
      "(4 + 4*cos(x) + 2*cos(x)^2)*(y - 1)",                    /* another factor */
      "1 - 4*cos(x)*sin(y) + 4*cos(x)^2*sin(y)^2"               /* */
  };
  check(true, yes, G_N_ELEMENTS(yes));
  check(false, no, G_N_ELEMENTS(no));
}

/* What is made of parameters alone is decided by algebra, generically. */
static void
test_parameters(void)
{
  TEST_ASSERT_TRUE(qlt_is_never_zero(work, parse(&f, "p + q")));
  TEST_ASSERT_TRUE(qlt_is_never_zero(work, parse(&f, "q")));
  TEST_ASSERT_FALSE(qlt_is_never_zero(work, parse(&f, "p - p")));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_terms_of_one_sign);
  RUN_TEST(test_terms_with_zeros_are_not_decided);
  RUN_TEST(test_polynomials_in_waves);
  RUN_TEST(test_parameters);
  return UNITY_END();
}
