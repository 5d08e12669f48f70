/* Rules: trigonometric and hyperbolic functions and their inverses. */
#include "terms/rules.h"

/* sin(k*pi/12) for k = 0 ... 6 where it has a short form: numerator under a root over 2. */
static DaeTerm
sine_of_twelfths(DaeTerms *terms, int64_t k)
{
  switch (k) {
  case 0:
    return terms->zero;
  case 2:
    return dae_term_ratio(terms, 1, 2);
  case 3:
    return dae_term_div(terms, dae_term_sqrt(terms, dae_term_int(terms, 2)),
                        dae_term_int(terms, 2));
  case 4:
    return dae_term_div(terms, dae_term_sqrt(terms, dae_term_int(terms, 3)),
                        dae_term_int(terms, 2));
  case 6:
    return terms->one;
  default:
    return DAE_NO_TERM;
  }
}

/* sin(k*pi/12), any integer k. */
static DaeTerm
sine_at(DaeTerms *terms, int64_t k)
{
  k = ((k % 24) + 24) % 24;
  bool negative = k >= 12;
  k = negative ? k - 12 : k;
  DaeTerm value = sine_of_twelfths(terms, k > 6 ? 12 - k : k);
  return negative ? dae_term_neg(terms, value) : value;
}

/* 12*c if it is an integer of moderate size. */
static bool
twelfths(const DaeTerms *terms, DaeTerm c, int64_t *k)
{
  DaeRat value = dae_number_view(terms, c);
  if (value.big != NULL || 12 % value.den != 0 || ABS(value.num) > INT64_MAX / 24) {
    return false;
  }
  *k = value.num * (12 / value.den);
  return true;
}

static DaeTerm
sine_of_multiple_of_pi(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  int64_t k = 0;
  return twelfths(terms, dae_rule_bound(match, 'c'), &k) ? sine_at(terms, k) : DAE_NO_TERM;
}

static DaeTerm
cosine_of_multiple_of_pi(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  int64_t k = 0;
  return twelfths(terms, dae_rule_bound(match, 'c'), &k) ? sine_at(terms, k + 6) : DAE_NO_TERM;
}

static DaeTerm
tangent_of_multiple_of_pi(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  int64_t k = 0;
  if (!twelfths(terms, dae_rule_bound(match, 'c'), &k)) {
    return DAE_NO_TERM;
  }
  DaeTerm sine = sine_at(terms, k);
  DaeTerm cosine = sine_at(terms, k + 6);
  bool defined = sine != DAE_NO_TERM && cosine != DAE_NO_TERM;
  return defined ? dae_term_div(terms, sine, cosine) : DAE_NO_TERM;
}

/* The summand c*pi of a sum, c a number; DAE_NO_TERM if there is none. */
static DaeTerm
summand_with_pi(DaeTerms *terms, DaeTerm sum, DaeTerm *c)
{
  if (!dae_is_kind(terms, sum, DAE_KIND_SUM)) {
    return DAE_NO_TERM;
  }
  DaeTerm pi = dae_term_pi(terms);
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, sum, &n);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm ratio = u[i] == pi ? terms->one : dae_term_div(terms, u[i], pi);
    if (dae_is_kind(terms, ratio, DAE_KIND_NUMBER) &&
        !dae_is_kind(terms, u[i], DAE_KIND_NUMBER)) {
      *c = ratio;
      return u[i];
    }
  }
  return DAE_NO_TERM;
}

/* parts*c rounded to the nearest integer, halves towards 0, so that -c gives the
 * opposite. 0 if it is too big. */
static int64_t
rounded_multiple(const DaeTerms *terms, DaeTerm c, int64_t parts)
{
  DaeRat view = dae_number_view(terms, c);
  DaeRat steps;
  DaeRat half;
  dae_rat_init_int(&steps, dae_rat_sign(&view) < 0 ? parts : -parts);
  dae_rat_mul(&steps, &view);
  dae_rat_init_ratio(&half, 1, 2);
  dae_rat_add(&steps, &half);
  dae_rat_floor(&steps); /* floor(1/2 - |parts*c|) */
  int64_t h = 0;
  if (!dae_rat_fits_int64(&steps, &h)) {
    h = 0;
  }
  int sign = dae_rat_sign(&view);
  dae_rat_clear(&steps);
  dae_rat_clear(&half);
  return sign < 0 ? h : -h;
}

/* u = r + h*pi/parts with an integer h != 0 that leaves at most half a step of pi/parts in r. */
static bool
split_turns(DaeTerms *terms, DaeTerm u, int64_t parts, DaeTerm *r, int64_t *h)
{
  DaeTerm c = DAE_NO_TERM;
  if (summand_with_pi(terms, u, &c) == DAE_NO_TERM) {
    return false;
  }
  *h = rounded_multiple(terms, c, parts);
  if (*h == 0) {
    return false;
  }
  DaeTerm turn = dae_term_mul(terms, dae_term_ratio(terms, *h, parts), dae_term_pi(terms));
  *r = dae_term_sub(terms, u, turn);
  return true;
}

/* sin(r + h*pi/2) */
static DaeTerm
turned_sine(DaeTerms *terms, DaeTerm r, int64_t h)
{
  int64_t quarter = ((h % 4) + 4) % 4;
  DaeTerm value = dae_term_call1(terms, quarter % 2 == 0 ? DAE_FN_SIN : DAE_FN_COS, r);
  return quarter >= 2 ? dae_term_neg(terms, value) : value;
}

static DaeTerm
shift_sine(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm r = DAE_NO_TERM;
  int64_t h = 0;
  bool split = split_turns(terms, dae_rule_bound(match, 'u'), 2, &r, &h);
  return split ? turned_sine(terms, r, h % 4) : DAE_NO_TERM;
}

static DaeTerm
shift_cosine(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm r = DAE_NO_TERM;
  int64_t h = 0;
  bool split = split_turns(terms, dae_rule_bound(match, 'u'), 2, &r, &h);
  return split ? turned_sine(terms, r, h % 4 + 1) : DAE_NO_TERM;
}

/* Half turns only: tan(r + pi/2) = -1/tan(r) has a smaller domain. */
static DaeTerm
shift_tangent(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm r = DAE_NO_TERM;
  int64_t h = 0;
  bool split = split_turns(terms, dae_rule_bound(match, 'u'), 1, &r, &h);
  return split ? dae_term_call1(terms, DAE_FN_TAN, r) : DAE_NO_TERM;
}

static DaeTerm
twelfths_of_pi(DaeTerms *terms, int64_t k)
{
  return dae_term_mul(terms, dae_term_ratio(terms, k, 12), dae_term_pi(terms));
}

static DaeTerm
arcsine_of_known(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm u = dae_rule_bound(match, 'u');
  for (int64_t k = 0; k <= 6; k++) {
    if (sine_of_twelfths(terms, k) == u) {
      return twelfths_of_pi(terms, k);
    }
  }
  return DAE_NO_TERM;
}

static DaeTerm
arccosine_of_known(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  DaeTerm angle = arcsine_of_known(terms, t, match);
  return angle == DAE_NO_TERM ? angle : dae_term_sub(terms, twelfths_of_pi(terms, 6), angle);
}

static DaeTerm
arctangent_of_known(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm u = dae_rule_bound(match, 'u');
  for (int64_t k = 0; k <= 4; k++) {
    DaeTerm sine = sine_of_twelfths(terms, k);
    DaeTerm cosine = sine_of_twelfths(terms, 6 - k);
    if (sine != DAE_NO_TERM && cosine != DAE_NO_TERM &&
        dae_term_div(terms, sine, cosine) == u) {
      return twelfths_of_pi(terms, k);
    }
  }
  return DAE_NO_TERM;
}

/* For n < 0 the quotient is defined where the tangent is not. */
static bool
m_is_minus_n_and_n_is_positive(DaeTerms *terms, const DaeMatch *match)
{
  return dae_term_sign(terms, dae_rule_bound(match, 'n')) > 0 &&
         dae_rule_bound(match, 'm') == dae_term_neg(terms, dae_rule_bound(match, 'n'));
}

/* |n| <= 3/2 < pi/2 */
static bool
n_is_within_a_quarter_turn(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm n = dae_rule_bound(match, 'n');
  return dae_term_compare(terms, n, dae_term_ratio(terms, 3, 2)) <= 0 &&
         dae_term_compare(terms, n, dae_term_ratio(terms, -3, 2)) >= 0;
}

/* 0 <= n <= 3 < pi */
static bool
n_is_within_a_half_turn(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm n = dae_rule_bound(match, 'n');
  return dae_term_sign(terms, n) >= 0 &&
         dae_term_compare(terms, n, dae_term_int(terms, 3)) <= 0;
}

static bool
v_is_positive(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_positive(terms, dae_rule_bound(match, 'v'));
}

static bool
u_is_positive(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_positive(terms, dae_rule_bound(match, 'u'));
}

static const DaeRule rules[] = {
    /* parity */
    {"sin-odd", "(sin (neg ?u))", "(neg (sin ?u))", "", NULL, NULL, NULL},
    {"cos-even", "(cos (neg ?u))", "(cos ?u)", "", NULL, NULL, NULL},
    {"tan-odd", "(tan (neg ?u))", "(neg (tan ?u))", "", NULL, NULL, NULL},
    {"asin-odd", "(asin (neg ?u))", "(neg (asin ?u))", "", NULL, NULL, NULL},
    {"acos-of-negative", "(acos (neg ?u))", "(+ pi (neg (acos ?u)))", "", NULL, NULL, NULL},
    {"atan-odd", "(atan (neg ?u))", "(neg (atan ?u))", "", NULL, NULL, NULL},
    {"sinh-odd", "(sinh (neg ?u))", "(neg (sinh ?u))", "", NULL, NULL, NULL},
    {"cosh-even", "(cosh (neg ?u))", "(cosh ?u)", "", NULL, NULL, NULL},
    {"tanh-odd", "(tanh (neg ?u))", "(neg (tanh ?u))", "", NULL, NULL, NULL},
    /* values */
    {"sin-of-zero", "(sin 0)", "0", "", NULL, NULL, NULL},
    {"cos-of-zero", "(cos 0)", "1", "", NULL, NULL, NULL},
    {"tan-of-zero", "(tan 0)", "0", "", NULL, NULL, NULL},
    {"sinh-of-zero", "(sinh 0)", "0", "", NULL, NULL, NULL},
    {"cosh-of-zero", "(cosh 0)", "1", "", NULL, NULL, NULL},
    {"tanh-of-zero", "(tanh 0)", "0", "", NULL, NULL, NULL},
    {"sin-of-multiple-of-pi", "(sin (scaled #c pi))", NULL, "c a multiple of 1/4 or 1/6", NULL,
     sine_of_multiple_of_pi, "0, 1/2, sqrt(2)/2, sqrt(3)/2, 1 with its sign"},
    {"cos-of-multiple-of-pi", "(cos (scaled #c pi))", NULL, "c a multiple of 1/4 or 1/6", NULL,
     cosine_of_multiple_of_pi, "0, 1/2, sqrt(2)/2, sqrt(3)/2, 1 with its sign"},
    {"tan-of-multiple-of-pi", "(tan (scaled #c pi))", NULL, "c a multiple of 1/4 or 1/6", NULL,
     tangent_of_multiple_of_pi, "0, sqrt(3)/3, 1, sqrt(3) with its sign"},
    {"asin-of-known-value", "(asin ?u)", NULL, "u is 0, 1/2, sqrt(2)/2, sqrt(3)/2 or 1", NULL,
     arcsine_of_known, "0, pi/6, pi/4, pi/3, pi/2"},
    {"acos-of-known-value", "(acos ?u)", NULL, "u is 0, 1/2, sqrt(2)/2, sqrt(3)/2 or 1", NULL,
     arccosine_of_known, "pi/2, pi/3, pi/4, pi/6, 0"},
    {"atan-of-known-value", "(atan ?u)", NULL, "u is 0, sqrt(3)/3, 1 or sqrt(3)", NULL,
     arctangent_of_known, "0, pi/6, pi/4, pi/3"},
    /* quarter turns */
    {"sin-of-turned", "(sin ?u)", NULL, "u a sum with c*pi, not -1/4 <= c <= 1/4", NULL,
     shift_sine, "+-sin(r) or +-cos(r), u = r + h*pi/2"},
    {"cos-of-turned", "(cos ?u)", NULL, "u a sum with c*pi, not -1/4 <= c <= 1/4", NULL,
     shift_cosine, "+-cos(r) or +-sin(r), u = r + h*pi/2"},
    {"tan-of-turned", "(tan ?u)", NULL, "u a sum with c*pi, not -1/2 <= c <= 1/2", NULL,
     shift_tangent, "tan(r), u = r + h*pi"},
    /* inverse functions */
    {"sin-of-asin", "(sin (asin ?u))", "?u", "", NULL, NULL, NULL},
    {"cos-of-acos", "(cos (acos ?u))", "?u", "", NULL, NULL, NULL},
    {"tan-of-atan", "(tan (atan ?u))", "?u", "", NULL, NULL, NULL},
    {"sin-of-acos", "(sin (acos ?u))", "(^ (+ 1 (neg (^ ?u 2))) 1/2)", "", NULL, NULL, NULL},
    {"cos-of-asin", "(cos (asin ?u))", "(^ (+ 1 (neg (^ ?u 2))) 1/2)", "", NULL, NULL, NULL},
    {"sin-of-atan", "(sin (atan ?u))", "(* ?u (^ (+ 1 (^ ?u 2)) -1/2))", "", NULL, NULL, NULL},
    {"cos-of-atan", "(cos (atan ?u))", "(^ (+ 1 (^ ?u 2)) -1/2)", "", NULL, NULL, NULL},
    {"tan-of-asin", "(tan (asin ?u))", "(* ?u (^ (+ 1 (neg (^ ?u 2))) -1/2))", "", NULL, NULL,
     NULL},
    {"tan-of-acos", "(tan (acos ?u))", "(* (^ ?u -1) (^ (+ 1 (neg (^ ?u 2))) 1/2))", "", NULL,
     NULL, NULL},
    {"asin-of-sin", "(asin (sin #n))", "#n", "-3/2 <= n <= 3/2", n_is_within_a_quarter_turn,
     NULL, NULL},
    {"acos-of-cos", "(acos (cos #n))", "#n", "0 <= n <= 3", n_is_within_a_half_turn, NULL,
     NULL},
    {"atan-of-tan", "(atan (tan #n))", "#n", "-3/2 <= n <= 3/2", n_is_within_a_quarter_turn,
     NULL, NULL},
    {"atan2-right", "(atan2 ?u ?v)", "(atan (* ?u (^ ?v -1)))", "v > 0", v_is_positive, NULL,
     NULL},
    {"atan2-origin", "(atan2 0 0)", "0", "", NULL, NULL, NULL},
    {"atan2-up", "(atan2 ?u 0)", "(* 1/2 pi)", "u > 0", u_is_positive, NULL, NULL},
    /* squares */
    {"sin2-plus-cos2", "(+ (cofactor ?a (^ (sin ?u) 2)) (cofactor ?a (^ (cos ?u) 2)))", "?a",
     "", NULL, NULL, NULL},
    {"one-minus-sin2", "(+ (cofactor ?a (^ (sin ?u) 2)) (neg ?a))",
     "(* (neg ?a) (^ (cos ?u) 2))", "", NULL, NULL, NULL},
    {"one-minus-cos2", "(+ (cofactor ?a (^ (cos ?u) 2)) (neg ?a))",
     "(* (neg ?a) (^ (sin ?u) 2))", "", NULL, NULL, NULL},
    {"one-plus-tan2", "(+ (cofactor ?a (^ (tan ?u) 2)) ?a)", "(* ?a (^ (cos ?u) -2))", "", NULL,
     NULL, NULL},
    {"cosh2-minus-sinh2",
     "(+ (cofactor ?a (^ (cosh ?u) 2)) (cofactor (neg ?a) (^ (sinh ?u) 2)))", "?a", "", NULL,
     NULL, NULL},
    {"one-plus-sinh2", "(+ (cofactor ?a (^ (sinh ?u) 2)) ?a)", "(* ?a (^ (cosh ?u) 2))", "",
     NULL, NULL, NULL},
    {"cosh2-minus-one", "(+ (cofactor ?a (^ (cosh ?u) 2)) (neg ?a))", "(* ?a (^ (sinh ?u) 2))",
     "", NULL, NULL, NULL},
    /* quotients */
    {"sin-over-cos", "(* (sin ?u) (^ (cos ?u) -1))", "(tan ?u)", "", NULL, NULL, NULL},
    {"sin-power-over-cos-power", "(* (^ (sin ?u) #n) (^ (cos ?u) #m))", "(^ (tan ?u) #n)",
     "m = -n, n > 0", m_is_minus_n_and_n_is_positive, NULL, NULL},
    {"tan-times-cos", "(* (tan ?u) (cos ?u))", "(sin ?u)", "", NULL, NULL, NULL},
    {"sin-over-tan", "(* (sin ?u) (^ (tan ?u) -1))", "(cos ?u)", "", NULL, NULL, NULL},
    {"sinh-over-cosh", "(* (sinh ?u) (^ (cosh ?u) -1))", "(tanh ?u)", "", NULL, NULL, NULL},
    {"tanh-times-cosh", "(* (tanh ?u) (cosh ?u))", "(sinh ?u)", "", NULL, NULL, NULL},
};

const DaeRuleGroup dae_rules_trig = {rules, G_N_ELEMENTS(rules)};
