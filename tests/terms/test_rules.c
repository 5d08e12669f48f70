/* Every rule of the table: it applies, it does not apply, and both sides agree at random
 * points. The list in docs/rewriting.md is the table. `test_rules --list` prints that list. */
#include "terms/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "measure.h"
#include "random_term.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

/* ---- examples ---------------------------------------------------------------------------- */

typedef struct {
  const char *rule;
  const char *applies; /* at the top of this term */
  const char *result;  /* after one step */
  const char *refuses; /* does not apply here */
} Example;

static const Example examples[] = {
    {"if-true", "(if true x y)", "x", "(if (< x y) x y)"},
    {"if-false", "(if false x y)", "y", "(if true x y)"},
    {"if-of-equal-branches", "(if (< x y) z z)", "z", "(if (< x y) z x)"},
    {"if-not", "(if (not (< x y)) x y)", "(if (< x y) y x)", "(if (< x y) x y)"},
    {"if-inside-then", "(if (< x y) (if (< x y) x y) z)", "(if (< x y) x z)",
     "(if (< x y) (if (< y x) x y) z)"},
    {"if-inside-else", "(if (< x y) x (if (< x y) y z))", "(if (< x y) x z)",
     "(if (< x y) x (if (< y x) y z))"},
    {"greater-to-less", "(> x y)", "(< y x)", "(< x y)"},
    {"at-least-to-at-most", "(>= x y)", "(<= y x)", "(<= x y)"},
    {"less-decided", "(< (^ x 2) -1)", "false", "(< x 0)"},
    {"at-most-decided", "(<= 0 (+ a b))", "true", "(<= 0 k)"},
    {"equal-decided", "(== (exp x) 0)", "false", "(== x 0)"},
    {"not-equal-decided", "(<> x x)", "false", "(<> x y)"},
    {"equal-in-order", "(== y x)", "(== x y)", "(== x y)"},
    {"not-equal-in-order", "(<> y x)", "(<> x y)", "(<> x y)"},
    {"not-true", "(not true)", "false", "(not false)"},
    {"not-false", "(not false)", "true", "(not (< x y))"},
    {"not-not", "(not (not (< x y)))", "(< x y)", "(not (< x y))"},
    {"not-less", "(not (< x y))", "(<= y x)", "(not (<= x y))"},
    {"not-at-most", "(not (<= x y))", "(< y x)", "(not (< x y))"},
    {"not-equal", "(not (== x y))", "(<> x y)", "(not (<> x y))"},
    {"not-not-equal", "(not (<> x y))", "(== x y)", "(not (== x y))"},
    {"and-with-true", "(and true (< x y))", "(< x y)", "(and (< x y) (< y z))"},
    {"and-with-false", "(and false (< x y))", "false", "(and (< x y) (< y z))"},
    {"and-with-opposite", "(and (not (< x y)) (< x y))", "false",
     "(and (not (< x y)) (< y x))"},
    {"or-with-true", "(or true (< x y))", "true", "(or (< x y) (< y z))"},
    {"or-with-false", "(or false (< x y))", "(< x y)", "(or (< x y) (< y z))"},
    {"or-with-opposite", "(or (not (< x y)) (< x y))", "true", "(or (not (< x y)) (< y x))"},
    {"abs-of-number", "(abs -3/2)", "3/2", "(abs x)"},
    {"abs-of-nonnegative", "(abs (* b (^ x 2)))", "(* b (^ x 2))", "(abs x)"},
    {"abs-of-nonpositive", "(abs (neg a))", "a", "(abs k)"},
    {"abs-even", "(abs (neg x))", "(abs x)", "(abs x)"},
    {"abs-of-nonnegative-factor", "(abs (* 2 a x))", "(* 2 (abs (* a x)))", "(abs (* k x))"},
    {"abs-of-power", "(abs (^ x 3))", "(^ (abs x) 3)", "(abs (^ x y))"},
    {"abs-times-sign", "(* y (abs x) (sign x))", "(* x y)", "(* (abs x) (sign y))"},
    {"sign-times-itself", "(* y x (sign x))", "(* y (abs x))", "(* y (sign x))"},
    {"sign-of-number", "(sign -7)", "-1", "(sign x)"},
    {"sign-of-positive", "(sign (+ a (^ x 2)))", "1", "(sign b)"},
    {"sign-of-negative", "(sign (+ (neg a) -1))", "-1", "(sign (neg b))"},
    {"sign-of-coefficient", "(sign (* -2 x))", "(neg (sign x))", "(sign x)"},
    {"sign-odd", "(sign (+ (neg x) y))", "(neg (sign (+ x (neg y))))", "(sign (+ x (neg y)))"},
    {"sign-of-sign", "(sign (sign x))", "(sign x)", "(sign (sin x))"},
    {"min-of-smaller", "(min x (+ x a))", "x", "(min x y)"},
    {"min-of-larger", "(min (+ x b) x)", "x", "(min x (+ x k))"},
    {"min-in-order", "(min y x)", "(min x y)", "(min x y)"},
    {"max-of-smaller", "(max x (+ x a))", "(+ x a)", "(max x y)"},
    {"max-of-larger", "(max 3 2)", "3", "(max 2 x)"},
    {"max-in-order", "(max y x)", "(max x y)", "(max x y)"},
    {"floor-of-number", "(floor -7/2)", "-4", "(floor x)"},
    {"ceil-of-number", "(ceil -7/2)", "-3", "(ceil x)"},
    {"integer-of-number", "(integer -7/2)", "-4", "(integer x)"},
    {"floor-of-integer", "(floor (ceil x))", "(ceil x)", "(floor x)"},
    {"ceil-of-integer", "(ceil (div x y))", "(div x y)", "(ceil (mod x y))"},
    {"integer-of-integer", "(integer (sign x))", "(sign x)", "(integer (abs x))"},
    {"mod-of-numbers", "(mod -7 3)", "2", "(mod 7 0)"},
    {"div-of-numbers", "(div -7 3)", "-2", "(div 7 0)"},
    {"rem-of-numbers", "(rem -7 3)", "-1", "(rem x 3)"},
    {"noevent-of-smooth", "(noEvent (sin x))", "(sin x)", "(noEvent (abs x))"},
    {"noevent-twice", "(noEvent (noEvent (abs x)))", "(noEvent (abs x))", "(noEvent (abs x))"},
    {"smooth-of-smooth", "(smooth 0 (^ x 2))", "(^ x 2)", "(smooth 0 (abs x))"},
    {"homotopy-of-equals", "(homotopy x x)", "x", "(homotopy x y)"},
    {"semilinear-of-equal-slopes", "(semiLinear x y y)", "(* x y)", "(semiLinear x y z)"},
    {"semilinear-of-nonnegative", "(semiLinear b y z)", "(* b y)", "(semiLinear x y z)"},
    {"semilinear-of-nonpositive", "(semiLinear (neg b) y z)", "(neg (* b z))",
     "(semiLinear x y z)"},
    {"even-power-of-abs", "(^ (abs x) 4)", "(^ x 4)", "(^ (abs x) 3)"},
    {"root-of-even-power", "(^ (^ x 2) 1/2)", "(abs x)", "(^ (^ x 3) 1/2)"},
    {"root-of-odd-power", "(^ (^ x 3) 1/3)", "x", "(^ (^ x 2) 1/3)"},
    {"power-of-root", "(^ (^ x 2/3) 1/2)", "(^ x 1/3)", "(^ (^ x 2) 1/2)"},
    {"power-of-power", "(^ (^ a x) y)", "(^ a (* x y))", "(^ (^ k x) y)"},
    {"power-of-exp", "(^ (exp x) 2)", "(exp (* 2 x))", "(^ (sin x) 2)"},
    {"root-of-positive-factor", "(^ (* a x) 1/2)", "(* (^ a 1/2) (^ x 1/2))", "(^ (* a x) 40)"},
    {"root-of-negative-coefficient", "(^ (* -4 x) 1/2)", "(* 2 (^ (neg x) 1/2))",
     "(^ (neg x) 1/2)"},
    {"root-of-content", "(^ (+ (* 4 x) (* 4 y)) 1/2)", "(* 2 (^ (+ x y) 1/2))",
     "(^ (+ x y) 1/2)"},
    {"exp-of-zero", "(exp 0)", "1", "(exp 1)"},
    {"exp-of-log", "(exp (* x (log y)))", "(^ y x)", "(exp (* x (log10 y)))"},
    {"exp-of-sum-with-log", "(exp (+ x (* 2 (log y))))", "(* (^ y 2) (exp x))",
     "(exp (+ x y))"},
    {"product-of-exps", "(* z (exp x) (exp y))", "(* z (exp (+ x y)))", "(* (exp x) (sin y))"},
    {"log-of-one", "(log 1)", "0", "(log 2)"},
    {"log-of-exp", "(log (exp x))", "x", "(log10 (exp x))"},
    {"log-of-even-power", "(log (^ x 2))", "(* 2 (log (abs x)))", "(log (^ x 3))"},
    {"log-of-number-power", "(log (^ x 3))", "(* 3 (log x))", "(log (^ x 2))"},
    {"log-of-power", "(log (^ a x))", "(* x (log a))", "(log (^ k x))"},
    {"log-of-positive-factor", "(log (* a x))", "(+ (log a) (log x))", "(log (* k x))"},
    {"log-of-number", "(log 8/9)", "(+ (* 3 (log 2)) (* -2 (log 3)))", "(log 7)"},
    {"log10-of-number", "(log10 1/1000)", "-3", "(log10 20)"},
    {"log10-of-power-of-ten", "(log10 (^ 10 x))", "x", "(log10 (^ 2 x))"},
    {"power-of-ten-of-log10", "(^ 10 (* 2 (log10 x)))", "(^ x 2)", "(^ 2 (log10 x))"},
    {"sin-odd", "(sin (neg x))", "(neg (sin x))", "(sin x)"},
    {"cos-even", "(cos (neg x))", "(cos x)", "(cos x)"},
    {"tan-odd", "(tan (+ (neg x) y))", "(neg (tan (+ x (neg y))))", "(tan (+ x (neg y)))"},
    {"asin-odd", "(asin (neg x))", "(neg (asin x))", "(asin x)"},
    {"acos-of-negative", "(acos (neg x))", "(+ pi (neg (acos x)))", "(acos x)"},
    {"atan-odd", "(atan -2)", "(neg (atan 2))", "(atan 2)"},
    {"sinh-odd", "(sinh (neg x))", "(neg (sinh x))", "(sinh x)"},
    {"cosh-even", "(cosh (neg x))", "(cosh x)", "(cosh x)"},
    {"tanh-odd", "(tanh (neg x))", "(neg (tanh x))", "(tanh x)"},
    {"sin-of-zero", "(sin 0)", "0", "(sin 1)"},
    {"cos-of-zero", "(cos 0)", "1", "(cos 1)"},
    {"tan-of-zero", "(tan 0)", "0", "(tan 1)"},
    {"sinh-of-zero", "(sinh 0)", "0", "(sinh 1)"},
    {"cosh-of-zero", "(cosh 0)", "1", "(cosh 1)"},
    {"tanh-of-zero", "(tanh 0)", "0", "(tanh 1)"},
    {"sin-of-multiple-of-pi", "(sin (* 4/3 pi))", "(* -1/2 (^ 3 1/2))", "(sin (* 1/5 pi))"},
    {"cos-of-multiple-of-pi", "(cos (* 3/4 pi))", "(* -1/2 (^ 2 1/2))", "(cos (* 1/12 pi))"},
    {"tan-of-multiple-of-pi", "(tan (* 1/6 pi))", "(* 1/3 (^ 3 1/2))", "(tan (* 1/2 pi))"},
    {"asin-of-known-value", "(asin 1/2)", "(* 1/6 pi)", "(asin 1/3)"},
    {"acos-of-known-value", "(acos (* 1/2 (^ 2 1/2)))", "(* 1/4 pi)", "(acos x)"},
    {"atan-of-known-value", "(atan (^ 3 1/2))", "(* 1/3 pi)", "(atan 2)"},
    {"sin-of-turned", "(sin (+ x (* 3/2 pi)))", "(neg (cos x))", "(sin (+ x (* 1/5 pi)))"},
    {"cos-of-turned", "(cos (+ x (* 1/2 pi)))", "(neg (sin x))", "(cos (+ x y))"},
    {"tan-of-turned", "(tan (+ x (* -3 pi)))", "(tan x)", "(tan (+ x (* 1/2 pi)))"},
    {"sin-of-asin", "(sin (asin x))", "x", "(sin (acos x))"},
    {"cos-of-acos", "(cos (acos x))", "x", "(cos (asin x))"},
    {"tan-of-atan", "(tan (atan x))", "x", "(tan (asin x))"},
    {"sin-of-acos", "(sin (acos x))", "(^ (+ 1 (neg (^ x 2))) 1/2)", "(sin (asin x))"},
    {"cos-of-asin", "(cos (asin x))", "(^ (+ 1 (neg (^ x 2))) 1/2)", "(cos (acos x))"},
    {"sin-of-atan", "(sin (atan x))", "(* x (^ (+ 1 (^ x 2)) -1/2))", "(sin (tan x))"},
    {"cos-of-atan", "(cos (atan x))", "(^ (+ 1 (^ x 2)) -1/2)", "(cos (tan x))"},
    {"tan-of-asin", "(tan (asin x))", "(* x (^ (+ 1 (neg (^ x 2))) -1/2))", "(tan (atan x))"},
    {"tan-of-acos", "(tan (acos x))", "(* (^ x -1) (^ (+ 1 (neg (^ x 2))) 1/2))",
     "(tan (atan x))"},
    {"asin-of-sin", "(asin (sin 3/2))", "3/2", "(asin (sin 2))"},
    {"acos-of-cos", "(acos (cos 3))", "3", "(acos (cos -1))"},
    {"atan-of-tan", "(atan (tan -1))", "-1", "(atan (tan x))"},
    {"atan2-right", "(atan2 y a)", "(atan (* y (^ a -1)))", "(atan2 y b)"},
    {"atan2-origin", "(atan2 0 0)", "0", "(atan2 0 x)"},
    {"atan2-up", "(atan2 a 0)", "(* 1/2 pi)", "(atan2 x 0)"},
    {"sin2-plus-cos2", "(+ z (* k (^ (sin x) 2)) (* k (^ (cos x) 2)))", "(+ z k)",
     "(+ (* 2 (^ (sin x) 2)) (* 3 (^ (cos x) 2)))"},
    {"one-minus-sin2", "(+ z 1 (neg (^ (sin x) 2)))", "(+ z (^ (cos x) 2))",
     "(+ 1 (^ (sin x) 2))"},
    {"one-minus-cos2", "(+ a (neg (* a (^ (cos x) 2))))", "(* a (^ (sin x) 2))",
     "(+ a (neg (* k (^ (cos x) 2))))"},
    {"one-plus-tan2", "(+ 1 (^ (tan x) 2))", "(^ (cos x) -2)", "(+ -1 (^ (tan x) 2))"},
    {"cosh2-minus-sinh2", "(+ z (* 2 (^ (cosh x) 2)) (* -2 (^ (sinh x) 2)))", "(+ z 2)",
     "(+ (^ (cosh x) 2) (^ (sinh x) 2))"},
    {"one-plus-sinh2", "(+ 1 (^ (sinh x) 2))", "(^ (cosh x) 2)", "(+ -1 (^ (sinh x) 2))"},
    {"cosh2-minus-one", "(+ -1 (^ (cosh x) 2))", "(^ (sinh x) 2)", "(+ 1 (^ (cosh x) 2))"},
    {"sin-over-cos", "(* y (sin x) (^ (cos x) -1))", "(* y (tan x))",
     "(* (sin x) (^ (cos y) -1))"},
    {"sin-power-over-cos-power", "(* (^ (sin x) 3) (^ (cos x) -3))", "(^ (tan x) 3)",
     "(* (^ (sin x) 3) (^ (cos x) -2))"},
    {"tan-times-cos", "(* (tan x) (cos x))", "(sin x)", "(* (tan x) (cos y))"},
    {"sin-over-tan", "(* (sin x) (^ (tan x) -1))", "(cos x)", "(* (sin x) (tan x))"},
    {"sinh-over-cosh", "(* (sinh x) (^ (cosh x) -1))", "(tanh x)", "(* (sinh x) (cosh x))"},
    {"tanh-times-cosh", "(* (tanh x) (cosh x))", "(sinh x)", "(* (tanh x) (cosh y))"},
};

static size_t
index_of_rule(const char *name)
{
  for (size_t i = 0; i < dae_rules_count(); i++) {
    if (strcmp(dae_rules_get(i)->name, name) == 0) {
      return i;
    }
  }
  TEST_FAIL_MESSAGE(name);
  return 0;
}

static void
test_every_rule_has_an_example_and_a_name_of_its_own(void)
{
  for (size_t i = 0; i < dae_rules_count(); i++) {
    const char *name = dae_rules_get(i)->name;
    TEST_ASSERT_EQUAL_UINT_MESSAGE(i, index_of_rule(name), name);
    bool found = false;
    for (size_t k = 0; k < G_N_ELEMENTS(examples); k++) {
      found = found || strcmp(examples[k].rule, name) == 0;
    }
    TEST_ASSERT_TRUE_MESSAGE(found, name);
  }
}

static void
test_every_rule_applies_to_its_example(void)
{
  for (size_t k = 0; k < G_N_ELEMENTS(examples); k++) {
    const Example *e = &examples[k];
    size_t rule = index_of_rule(e->rule);
    DaeTerm t = read_term(terms, e->applies);
    DaeTerm s = dae_rules_step_with(terms, rule, t);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(t, s, e->rule);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(read_term(terms, e->result), s, e->rule);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(1, dae_rules_applied(terms, rule), e->rule);
  }
}

static void
test_every_rule_refuses_its_counterexample(void)
{
  for (size_t k = 0; k < G_N_ELEMENTS(examples); k++) {
    const Example *e = &examples[k];
    DaeTerm t = read_term(terms, e->refuses);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(t, dae_rules_step_with(terms, index_of_rule(e->rule), t),
                                     e->rule);
  }
}

/* ---- both sides agree -------------------------------------------------------------------- */

typedef struct {
  RandomTerms *r;
  double scale;
  double values[8];
} Point;

static bool
value_of_atom(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  if (dae_term_kind(terms, atom) == DAE_KIND_TIME) {
    *value = 0.375 * point->scale;
    return true;
  }
  DaeSymbol symbol = dae_term_get_symbol(terms, atom);
  *value = point->values[symbol % 8] * point->scale;
  return true;
}

/* Values that keep the assumptions: positive ones for a, b, p; b may be 0. */
static void
random_values(Point *point)
{
  for (int i = 0; i < 8; i++) {
    point->values[i] = (random_below(point->r, 401) - 200) / 64.0;
  }
  static const char *const positive[] = {"a", "b", "p"};
  for (size_t i = 0; i < G_N_ELEMENTS(positive); i++) {
    DaeSymbol symbol = 0;
    dae_terms_find_symbol(terms, positive[i], &symbol);
    point->values[symbol % 8] = (1 + random_below(point->r, 200)) / 64.0;
  }
}

static bool
robust_value(Point *point, DaeTerm t, double *value)
{
  double moved = 0.0;
  point->scale = 1.0 + 1e-10;
  DaeEvalStatus status = dae_term_eval_double(terms, t, value_of_atom, point, &moved);
  point->scale = 1.0;
  return status == DAE_EVAL_OK &&
         dae_term_eval_double(terms, t, value_of_atom, point, value) == DAE_EVAL_OK &&
         fabs(*value) < 1e6 && fabs(*value - moved) < 1e-7;
}

/* Largest summand: what a cancellation leaves is not better than its rounding errors. */
static double
largest_part(Point *point, DaeTerm t)
{
  double largest = 1.0;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; dae_term_kind(terms, t) == DAE_KIND_SUM && i < n; i++) {
    double value = 0.0;
    dae_term_eval_double(terms, u[i], value_of_atom, point, &value);
    largest = fmax(largest, fabs(value));
  }
  return largest;
}

/* At up to n points where t is defined, s has the same value. Returns the number of points. */
static int
check_agreement(const char *rule, Point *point, DaeTerm t, DaeTerm s, int n)
{
  int n_checked = 0;
  for (int i = 0; i < n; i++) {
    random_values(point);
    double a = 0.0;
    double b = 0.0;
    if (!robust_value(point, t, &a)) {
      continue;
    }
    n_checked++;
    DaeEvalStatus status = dae_term_eval_double(terms, s, value_of_atom, point, &b);
    if (isinf(b) && b > 0.0) {
      continue; /* overflow of a square on the way */
    }
    if (status != DAE_EVAL_OK ||
        fabs(a - b) > 1e-6 * (1.0 + fabs(a)) + 1e-12 * largest_part(point, t)) {
      g_autofree char *before = dae_term_to_string(terms, t);
      g_autofree char *after = dae_term_to_string(terms, s);
      g_autofree char *message =
          g_strdup_printf("%s: %s -> %s: %g and %g", rule, before, after, a, b);
      TEST_FAIL_MESSAGE(message);
    }
  }
  return n_checked;
}

static void
test_both_sides_of_every_example_agree_at_fifty_points(void)
{
  RandomTerms r;
  random_init(&r, terms, 5, RANDOM_FUNCTIONS);
  Point point = {.r = &r, .scale = 1.0};
  for (size_t k = 0; k < G_N_ELEMENTS(examples); k++) {
    DaeTerm t = read_term(terms, examples[k].applies);
    int n =
        check_agreement(examples[k].rule, &point, t, read_term(terms, examples[k].result), 400);
    TEST_ASSERT_GREATER_OR_EQUAL_MESSAGE(50, n, examples[k].rule);
  }
}

/* k*pi/12 in five turns both ways: where 12 and k share a factor the value is free of functions. */
static void
test_every_multiple_of_a_twelfth_of_pi_has_its_sine(void)
{
  for (int k = -60; k <= 60; k++) {
    DaeTerm angle = dae_term_mul(terms, dae_term_ratio(terms, k, 12), dae_term_pi(terms));
    double values[2] = {sin(k * G_PI / 12), cos(k * G_PI / 12)};
    DaeTerm called[2] = {dae_term_call1(terms, DAE_FN_SIN, angle),
                         dae_term_call1(terms, DAE_FN_COS, angle)};
    for (int i = 0; i < 2; i++) {
      DaeTerm value = dae_terms_rewrite(terms, called[i]);
      g_autofree char *text = dae_term_to_string(terms, value);
      bool is_known = k % 2 == 0 || k % 3 == 0;
      bool is_called = strstr(text, "sin(") != NULL || strstr(text, "cos(") != NULL;
      TEST_ASSERT_EQUAL_MESSAGE(!is_known, is_called, text);
      double x = NAN;
      TEST_ASSERT_EQUAL(DAE_EVAL_OK, dae_term_eval_double(terms, value, NULL, NULL, &x));
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, values[i], x);
    }
  }
}

/* A term for a wildcard: often one with a known sign. */
static DaeTerm
random_binding(RandomTerms *r)
{
  static const char *const terms_with_signs[] = {
      "a",       "b",       "(+ 1 (^ x 2))", "(exp y)",          "(neg a)",       "(* -2 x)",
      "(* a x)", "(log x)", "(* y (log p))", "(+ x (* 3/4 pi))", "(+ (neg x) y)", "(abs x)"};
  if (random_below(r, 2) == 0) {
    return read_term(terms,
                     terms_with_signs[random_below(r, (int)G_N_ELEMENTS(terms_with_signs))]);
  }
  return random_term(r, 2);
}

static void
random_bindings(RandomTerms *r, DaeMatch *match, const char *pattern)
{
  static const char letters[] = "uvwabcmnpq";
  for (int i = 0; letters[i] != '\0'; i++) {
    char number[] = {'#', letters[i], '\0'};
    bool is_number = strstr(pattern, number) != NULL;
    bool divides = strstr(pattern, "(mod") != NULL || strstr(pattern, "(div") != NULL ||
                   strstr(pattern, "(rem") != NULL; /* doubles are exact for integers only */
    match->bind[i] =
        is_number
            ? dae_term_ratio(terms, random_below(r, 25) - 12,
                             (int64_t[]){1, 1, 2, 3, 4, 6}[random_below(r, divides ? 2 : 6)])
            : random_binding(r);
  }
  int c = dae_pattern_wildcard('c');
  if (strstr(pattern, "?c") != NULL) {
    match->bind[c] = random_condition(r, 1);
  }
  if (random_below(r, 2) == 0) { /* conditions that tie two wildcards */
    match->bind[dae_pattern_wildcard('b')] =
        dae_term_neg(terms, match->bind[dae_pattern_wildcard('a')]);
    match->bind[dae_pattern_wildcard('m')] =
        dae_term_neg(terms, match->bind[dae_pattern_wildcard('n')]);
  }
}

static bool
speaks_of_booleans(const char *pattern)
{
  return strncmp(pattern, "(and", 4) == 0 || strncmp(pattern, "(or", 3) == 0 ||
         strncmp(pattern, "(not (not", 9) == 0;
}

/* Instances of every pattern with random terms for its wildcards. */
static void
test_random_instances_of_every_rule_agree(void)
{
  enum { N_INSTANCES = 400 };

  RandomTerms r;
  random_init(&r, terms, 6, RANDOM_FUNCTIONS | RANDOM_ROOTS);
  Point point = {.r = &r, .scale = 1.0};
  int n_checked = 0;
  for (size_t i = 0; i < dae_rules_count(); i++) {
    const DaeRule *rule = dae_rules_get(i);
    DaePattern *pattern = dae_pattern_parse(terms, rule->pattern);
    for (int k = 0; k < N_INSTANCES; k++) {
      DaeMatch match;
      random_bindings(&r, &match, rule->pattern);
      if (speaks_of_booleans(rule->pattern)) {
        match.bind[dae_pattern_wildcard('u')] = random_condition(&r, 1);
      }
      DaeTerm t = dae_pattern_build(terms, pattern, &match);
      DaeTerm s = t == DAE_NO_TERM ? t : dae_rules_step_with(terms, i, t);
      if (s != t) {
        n_checked += check_agreement(rule->name, &point, t, s, 4);
      }
    }
    dae_pattern_free(pattern);
  }
  TEST_ASSERT_GREATER_THAN(10000, n_checked);
}

/* ---- termination ------------------------------------------------------------------------- */

/* t with its operands in normal form, as the engine sees it. */
static DaeTerm
with_normal_operands(DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  DaeList list;
  dae_list_init(&list);
  for (uint32_t i = 0; i < n; i++) {
    dae_list_push(&list, dae_terms_rewrite(terms, u[i]));
  }
  DaeTerm result = dae_rebuild(terms, t, list.data, n);
  dae_list_clear(&list);
  return result;
}

static bool
has_normal_operands(DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  bool normal = true;
  for (uint32_t i = 0; i < n; i++) {
    normal = normal && dae_terms_rewrite(terms, u[i]) == u[i];
  }
  return normal;
}

static void
check_measure(DaeTerm t, DaeTerm s, size_t which)
{
  Measure before = measure_of(terms, t);
  Measure after = measure_of(terms, s);
  if (measure_compare(&after, &before) >= 0) {
    g_autofree char *left = dae_term_to_string(terms, t);
    g_autofree char *right = dae_term_to_string(terms, s);
    GString *message = g_string_new(dae_rules_get(which)->name);
    g_string_append_printf(message, ": %s -> %s:", left, right);
    for (int i = 0; i < MEASURE_N; i++) {
      g_string_append_printf(message, " %g/%g", before.part[i], after.part[i]);
    }
    TEST_FAIL_MESSAGE(message->str);
  }
}

/* Every step that the engine would take makes the measure of docs/rewriting.md smaller. */
static void
test_every_step_lowers_the_measure(void)
{
  RandomTerms r;
  random_init(&r, terms, 7, RANDOM_ALL & ~RANDOM_BIG);
  int n_steps = 0;
  for (size_t i = 0; i < dae_rules_count(); i++) {
    const DaeRule *rule = dae_rules_get(i);
    DaePattern *pattern = dae_pattern_parse(terms, rule->pattern);
    for (int k = 0; k < 400; k++) {
      DaeMatch match;
      random_bindings(&r, &match, rule->pattern);
      if (speaks_of_booleans(rule->pattern)) {
        match.bind[dae_pattern_wildcard('u')] = random_condition(&r, 1);
      }
      DaeTerm t = dae_pattern_build(terms, pattern, &match);
      t = t == DAE_NO_TERM ? t : with_normal_operands(t);
      for (int step = 0; step < 50 && t != DAE_NO_TERM && has_normal_operands(t); step++) {
        size_t which = 0;
        DaeTerm s = dae_rules_step(terms, t, &which);
        if (s == t) {
          break;
        }
        check_measure(t, s, which);
        n_steps++;
        t = s;
      }
    }
    dae_pattern_free(pattern);
  }
  TEST_ASSERT_GREATER_THAN(5000, n_steps);
}

/* ---- the list ---------------------------------------------------------------------------- */

static char *
infix(DaeTerms *context, const char *pattern)
{
  DaePattern *parsed = dae_pattern_parse(context, pattern);
  DaeMatch match;
  static const char letters[] = "uvwabcmnpq";
  for (int i = 0; letters[i] != '\0'; i++) {
    char name[] = {letters[i], '\0'};
    match.bind[i] = random_symbol(context, DAE_SYMBOL_PARAMETER, name);
  }
  g_autofree char *text =
      dae_term_to_string(context, dae_pattern_build(context, parsed, &match));
  dae_pattern_free(parsed);
  GString *result = g_string_new(text);
  g_string_replace(result, "Modelica.Constants.pi", "pi", 0);
  return g_string_free(result, FALSE);
}

static char *
list_of_rules(void)
{
  g_autoptr(DaeTerms) context = dae_terms_new();
  GString *out = g_string_new("| rule | from | to | if |\n| --- | --- | --- | --- |\n");
  for (size_t i = 0; i < dae_rules_count(); i++) {
    const DaeRule *rule = dae_rules_get(i);
    g_autofree char *from = infix(context, rule->pattern);
    g_autofree char *to = rule->replacement != NULL ? infix(context, rule->replacement)
                                                    : g_strdup(rule->compute_text);
    bool words = rule->replacement == NULL;
    g_string_append_printf(out, "| %s | `%s` | %s%s%s | %s |\n", rule->name, from,
                           words ? "" : "`", to, words ? "" : "`", rule->condition_text);
  }
  return g_string_free(out, FALSE);
}

static void
test_the_manual_lists_the_rules(void)
{
  const char *models = g_getenv("MODELS");
  if (models == NULL) {
    TEST_IGNORE_MESSAGE("MODELS is not set: run by meson test");
  }
  g_autofree char *tests = g_path_get_dirname(models);
  g_autofree char *root = g_path_get_dirname(tests);
  g_autofree char *path = g_build_filename(root, "docs", "rewriting.md", NULL);
  g_autofree char *text = NULL;
  TEST_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
  g_autofree char *list = list_of_rules();
  TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, list), "docs/rewriting.md: put the output of "
                                                   "`test_rules_terms --list` there");
}

int
main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "--list") == 0) {
    g_autofree char *list = list_of_rules();
    fputs(list, stdout);
    return 0;
  }
  UNITY_BEGIN();
  RUN_TEST(test_every_rule_has_an_example_and_a_name_of_its_own);
  RUN_TEST(test_every_rule_applies_to_its_example);
  RUN_TEST(test_every_rule_refuses_its_counterexample);
  RUN_TEST(test_both_sides_of_every_example_agree_at_fifty_points);
  RUN_TEST(test_every_multiple_of_a_twelfth_of_pi_has_its_sine);
  RUN_TEST(test_random_instances_of_every_rule_agree);
  RUN_TEST(test_every_step_lowers_the_measure);
  RUN_TEST(test_the_manual_lists_the_rules);
  return UNITY_END();
}
