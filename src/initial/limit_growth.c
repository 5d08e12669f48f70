/* Limits of functions of time that are not analytic at the start, by their growth there.
 *
 * Behind the start, s = time - start > 0, a term is c*s^p to first order, or smaller than every
 * power of s (exp(-1/s)), or no larger than s^p (s*sin(1/s)). These three are computed from the
 * operands up, as long as no leading terms cancel: abs(time)/time is 1, atan(1/time) is pi/2,
 * log(1 + time)/sqrt(time) is 0. Where a value may be anything else nothing is said. */
#include "initial/limit-priv.h"

typedef enum {
  GROWTH_UNKNOWN,
  GROWTH_ZERO,  /* 0 itself */
  GROWTH_FLAT,  /* smaller than every power */
  GROWTH_LEADS, /* c*s^p */
  GROWTH_BELOW  /* no larger than a number times s^p */
} GrowthKind;

typedef struct {
  GrowthKind kind;
  DaeTerm c, p; /* c: not 0, without time; p: a number */
} Growth;

static const Growth unknown = {GROWTH_UNKNOWN, DAE_NO_TERM, DAE_NO_TERM};

static Growth
leads(DaeTerm c, DaeTerm p)
{
  return c == DAE_NO_TERM || p == DAE_NO_TERM ? unknown : (Growth){GROWTH_LEADS, c, p};
}

/* The sign of a number that may be transcendental; 0: not known. */
static int
sign_of(const DaeLimits *limits, DaeTerm t)
{
  int sign = 0;
  return !dae_term_has_parameters(limits->terms, t) &&
                 dae_algebra_sign(limits->algebra, t, &sign)
             ? sign
             : 0;
}

static int
compare(const DaeLimits *limits, DaeTerm a, DaeTerm b)
{
  return dae_term_sign(limits->terms, dae_term_sub(limits->terms, a, b));
}

/* A number c as a growth. */
static Growth
constant(const DaeLimits *limits, DaeTerm c)
{
  const DaeZero zero = c == DAE_NO_TERM ? DAE_UNKNOWN : dae_algebra_is_zero(limits->algebra, c);
  return zero == DAE_UNKNOWN || (zero == DAE_NONZERO && sign_of(limits, c) == 0) ? unknown
         : zero == DAE_ZERO ? (Growth){GROWTH_ZERO, DAE_NO_TERM, DAE_NO_TERM}
                            : leads(c, dae_term_int(limits->terms, 0));
}

/* An analytic function with a value at the start, or a simple zero. Zeros of higher order cost the
 * quotient its digits. */
static Growth
growth_of_analytic(const DaeLimits *limits, DaeTerm t)
{
  Growth growth = constant(limits, dae_limits_at_start(limits, t));
  if (growth.kind == GROWTH_ZERO) {
    const DaeTerm slope = dae_term_total(limits->terms, t);
    growth =
        slope == DAE_NO_TERM ? unknown : constant(limits, dae_limits_at_start(limits, slope));
    growth =
        growth.kind == GROWTH_LEADS ? leads(growth.c, dae_term_int(limits->terms, 1)) : unknown;
  }
  return growth;
}

static Growth
growth_of_product(const DaeLimits *limits, Growth a, Growth b)
{
  if (a.kind == GROWTH_UNKNOWN || b.kind == GROWTH_UNKNOWN) {
    return unknown;
  }
  if (a.kind == GROWTH_ZERO || b.kind == GROWTH_ZERO) {
    return a.kind == GROWTH_ZERO ? a : b;
  }
  if (a.kind == GROWTH_FLAT || b.kind == GROWTH_FLAT) {
    return (Growth){GROWTH_FLAT, DAE_NO_TERM, DAE_NO_TERM};
  }
  const DaeTerm p = dae_term_add(limits->terms, a.p, b.p);
  if (a.kind == GROWTH_BELOW || b.kind == GROWTH_BELOW) {
    return (Growth){GROWTH_BELOW, DAE_NO_TERM, p};
  }
  return leads(dae_term_mul(limits->terms, a.c, b.c), p);
}

/* Of two powers the lower one leads; equal ones must not cancel. */
static Growth
growth_of_sum(const DaeLimits *limits, Growth a, Growth b)
{
  if (a.kind == GROWTH_UNKNOWN || b.kind == GROWTH_UNKNOWN) {
    return unknown;
  }
  if (a.kind == GROWTH_ZERO || b.kind == GROWTH_ZERO) {
    return a.kind == GROWTH_ZERO ? b : a;
  }
  if (a.kind == GROWTH_FLAT || b.kind == GROWTH_FLAT) {
    return a.kind == GROWTH_FLAT ? b : a;
  }
  const int order = compare(limits, a.p, b.p);
  const Growth low = order <= 0 ? a : b;
  const Growth high = order <= 0 ? b : a;
  if (order != 0 && low.kind == GROWTH_LEADS) {
    return low;
  }
  if (low.kind == GROWTH_BELOW || high.kind == GROWTH_BELOW) {
    return (Growth){GROWTH_BELOW, DAE_NO_TERM, low.p};
  }
  const Growth sum = constant(limits, dae_term_add(limits->terms, a.c, b.c));
  return sum.kind == GROWTH_LEADS ? leads(sum.c, a.p) : unknown;
}

/* base^q, q a number. */
static Growth
growth_of_power(const DaeLimits *limits, Growth base, DaeTerm q)
{
  DaeTerms *terms = limits->terms;
  int64_t whole = 0;
  const bool is_whole = dae_term_get_int64(terms, q, &whole);
  if (!dae_term_is_number(terms, q) || base.kind == GROWTH_UNKNOWN) {
    return unknown;
  }
  if (base.kind != GROWTH_LEADS) {
    const bool falls = is_whole && whole > 0;
    return falls && base.kind == GROWTH_BELOW
               ? (Growth){GROWTH_BELOW, DAE_NO_TERM, dae_term_mul(terms, base.p, q)}
           : falls ? base
                   : unknown;
  }
  return is_whole || sign_of(limits, base.c) > 0
             ? leads(dae_term_pow(terms, base.c, q), dae_term_mul(terms, base.p, q))
             : unknown;
}

/* exp of what falls or rises without bound, or has a limit. */
static Growth
growth_of_exp(const DaeLimits *limits, Growth u)
{
  DaeTerms *terms = limits->terms;
  const DaeTerm one = dae_term_int(terms, 1);
  if (u.kind == GROWTH_ZERO || u.kind == GROWTH_FLAT) {
    return leads(one, dae_term_int(terms, 0));
  }
  const int order = dae_term_sign(terms, u.p);
  if (order > 0) {
    return leads(one, dae_term_int(terms, 0));
  }
  if (u.kind == GROWTH_BELOW) {
    return order == 0 ? (Growth){GROWTH_BELOW, DAE_NO_TERM, u.p} : unknown;
  }
  if (order == 0) {
    return leads(dae_term_call1(terms, DAE_FN_EXP, u.c), u.p);
  }
  return sign_of(limits, u.c) < 0 ? (Growth){GROWTH_FLAT, DAE_NO_TERM, DAE_NO_TERM} : unknown;
}

/* atan and tanh of what leaves every bound: their ends. */
static Growth
growth_at_end(const DaeLimits *limits, DaeFunction function, int sign)
{
  DaeTerms *terms = limits->terms;
  const DaeTerm none = dae_term_int(terms, 0);
  if (sign == 0) {
    return unknown;
  }
  if (function == DAE_FN_TANH) {
    return leads(dae_term_int(terms, sign), none);
  }
  const DaeTerm pi = dae_term_pi(terms);
  return leads(dae_term_mul(terms, dae_term_ratio(terms, sign, 2), pi), none);
}

/* Odd functions with the slope 1 at 0: of small arguments the argument itself. */
static bool
is_like_identity(DaeFunction function)
{
  return function == DAE_FN_SIN || function == DAE_FN_TAN || function == DAE_FN_ASIN ||
         function == DAE_FN_ATAN || function == DAE_FN_SINH || function == DAE_FN_TANH;
}

static Growth
growth_of_bounded(const DaeLimits *limits, DaeFunction function, Growth u)
{
  DaeTerms *terms = limits->terms;
  const DaeTerm none = dae_term_int(terms, 0);
  const bool is_small =
      u.kind == GROWTH_ZERO || u.kind == GROWTH_FLAT || dae_term_sign(terms, u.p) > 0;
  if (is_small) {
    return is_like_identity(function) ? u
           : function == DAE_FN_COS   ? leads(dae_term_int(terms, 1), none)
                                      : unknown;
  }
  const bool is_leading = u.kind == GROWTH_LEADS;
  if (is_leading && dae_term_sign(terms, u.p) == 0) {
    return constant(limits, dae_term_call1(terms, function, u.c));
  }
  if (is_leading && (function == DAE_FN_ATAN || function == DAE_FN_TANH)) {
    return growth_at_end(limits, function, sign_of(limits, u.c));
  }
  const bool is_bounded = function == DAE_FN_SIN || function == DAE_FN_COS ||
                          function == DAE_FN_ATAN || function == DAE_FN_TANH;
  return is_bounded ? (Growth){GROWTH_BELOW, DAE_NO_TERM, none} : unknown;
}

/* abs and sign of what leads have its sign. */
static Growth
growth_of_choice(const DaeLimits *limits, DaeFunction function, Growth u)
{
  DaeTerms *terms = limits->terms;
  const int sign = u.kind == GROWTH_LEADS ? sign_of(limits, u.c) : 0;
  if (function == DAE_FN_ABS) {
    return u.kind != GROWTH_LEADS ? u
           : sign == 0            ? unknown
                                  : leads(sign > 0 ? u.c : dae_term_neg(terms, u.c), u.p);
  }
  return sign == 0 ? unknown : leads(dae_term_int(terms, sign), dae_term_int(terms, 0));
}

static Growth
growth_of_call(const DaeLimits *limits, DaeTerm t, Growth u)
{
  const DaeFunction function = dae_term_function(limits->terms, t);
  if (u.kind == GROWTH_UNKNOWN) {
    return unknown;
  }
  if (function == DAE_FN_EXP) {
    return growth_of_exp(limits, u);
  }
  if (function == DAE_FN_ABS || function == DAE_FN_SIGN) {
    return growth_of_choice(limits, function, u);
  }
  if (function == DAE_FN_NOEVENT) {
    return u;
  }
  return is_like_identity(function) || function == DAE_FN_COS
             ? growth_of_bounded(limits, function, u)
             : unknown;
}

/* ---- from the operands up ----------------------------------------------------------------- */

typedef struct {
  const DaeLimits *limits;
  GHashTable *places; /* term -> its place in growths, plus 1 */
  GArray *growths;    /* Growth */
} Growths;

static bool
is_known(void *self, DaeTerm t)
{
  const Growths *growths = self;
  return g_hash_table_contains(growths->places, GUINT_TO_POINTER(t));
}

static Growth
known(const Growths *growths, DaeTerm t)
{
  const guint place =
      GPOINTER_TO_UINT(g_hash_table_lookup(growths->places, GUINT_TO_POINTER(t)));
  return g_array_index(growths->growths, Growth, place - 1);
}

static Growth
growth_of_parts(const Growths *growths, DaeTerm t, DaeKind kind)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_operands(growths->limits->terms, t, &n);
  Growth growth = known(growths, parts[0]);
  for (uint32_t i = 1; i < n; i++) {
    const Growth next = known(growths, parts[i]);
    growth = kind == DAE_KIND_SUM ? growth_of_sum(growths->limits, growth, next)
                                  : growth_of_product(growths->limits, growth, next);
  }
  return growth;
}

static Growth
growth_by_operands(const Growths *growths, DaeTerm t)
{
  const DaeLimits *limits = growths->limits;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(limits->terms, t, &n);
  const DaeKind kind = dae_term_kind(limits->terms, t);
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    return growth_of_parts(growths, t, kind);
  }
  if (kind == DAE_KIND_POWER) {
    return growth_of_power(limits, known(growths, operands[0]), operands[1]);
  }
  return kind == DAE_KIND_CALL && n == 1
             ? growth_of_call(limits, t, known(growths, operands[0]))
             : unknown;
}

static Growth
growth_of_node(const Growths *growths, DaeTerm t)
{
  const DaeLimits *limits = growths->limits;
  if (dae_term_has_variables(limits->terms, t) || dae_term_has_parameters(limits->terms, t)) {
    return unknown;
  }
  if (!dae_term_has_time(limits->terms, t)) {
    return constant(limits, t);
  }
  const Growth growth = growth_by_operands(growths, t);
  return growth.kind == GROWTH_UNKNOWN && dae_limits_is_analytic(limits, t)
             ? growth_of_analytic(limits, t)
             : growth;
}

static void
compute(void *self, DaeTerm t)
{
  Growths *growths = self;
  const Growth growth = growth_of_node(growths, t);
  g_array_append_val(growths->growths, growth);
  g_hash_table_insert(growths->places, GUINT_TO_POINTER(t),
                      GUINT_TO_POINTER(growths->growths->len));
}

static bool
start_of_time(void *user, DaeTerm atom, double *value)
{
  const DaeLimits *limits = user;
  *value = limits->options.t_start;
  return dae_term_kind(limits->terms, atom) == DAE_KIND_TIME;
}

/* In numbers: a term that is 0 times what has no value must not count as 0. */
static bool
has_value_at_start(const DaeLimits *limits, DaeTerm t)
{
  DaeLimits asked = *limits;
  double value = 0.0;
  return dae_term_eval_double(limits->terms, t, start_of_time, &asked, &value) !=
         DAE_EVAL_DOMAIN;
}

DaeTerm
dae_limits_by_growth(const DaeLimits *limits, DaeTerm t)
{
  DaeTerms *terms = limits->terms;
  if (dae_term_has_variables(terms, t) || dae_term_has_parameters(terms, t) ||
      !dae_term_has_time(terms, t) || dae_term_size(terms, t) > DAE_LIMITS_LARGEST_TERM ||
      has_value_at_start(limits, t)) {
    return DAE_NO_TERM;
  }
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) array = g_array_new(FALSE, FALSE, sizeof(Growth));
  Growths growths = {limits, places, array};
  const DaeWalk walk = {.ready = is_known, .compute = compute, .self = &growths};
  dae_walk(terms, t, &walk);
  const Growth growth = known(&growths, t);
  switch (growth.kind) {
  case GROWTH_ZERO:
  case GROWTH_FLAT:
    return dae_term_int(terms, 0);
  case GROWTH_LEADS:
  case GROWTH_BELOW:
    return dae_term_sign(terms, growth.p) > 0 ? dae_term_int(terms, 0)
           : dae_term_sign(terms, growth.p) == 0 && growth.kind == GROWTH_LEADS ? growth.c
                                                                                : DAE_NO_TERM;
  case GROWTH_UNKNOWN:
    break;
  }
  return DAE_NO_TERM;
}
