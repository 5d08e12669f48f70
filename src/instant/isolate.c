/* The first zero of a function of time after a given time: interval arithmetic excludes what
 * holds none, monotone pieces are bisected.
 *
 * An enclosure is an interval of doubles, widened after each operation by more than rounding
 * can do; where a function is not known here it is the whole line, which excludes nothing. So
 * no sign change is passed over that is longer than the resolution, 1e-12 of the time scale. */
#include <float.h>
#include <math.h>

#include "instant/instant-priv.h"

#define NO_SLOPE 1e-290 /* an enclosure of 0, widened some times */

typedef struct {
  double low, high;
} Interval;

typedef struct {
  DaeInstant *instant;
  Interval time;
  GHashTable *memo; /* term -> index + 1 in values */
  GArray *values;   /* Interval */
} Enclosure;

static Interval
widened(double low, double high)
{
  if (isnan(low) || isnan(high)) {
    return (Interval){-INFINITY, INFINITY};
  }
  double slack_low = 8 * DBL_EPSILON * fabs(low) + DBL_MIN;
  double slack_high = 8 * DBL_EPSILON * fabs(high) + DBL_MIN;
  return (Interval){low - slack_low, high + slack_high};
}

static Interval
everything(void)
{
  return (Interval){-INFINITY, INFINITY};
}

static Interval
product(Interval a, Interval b)
{
  double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  double low = INFINITY;
  double high = -INFINITY;
  for (int i = 0; i < 4; i++) {
    if (isnan(p[i])) {
      return everything();
    }
    low = fmin(low, p[i]);
    high = fmax(high, p[i]);
  }
  return widened(low, high);
}

static Interval
magnitude(Interval a)
{
  double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return (Interval){low, fmax(fabs(a.low), fabs(a.high))};
}

static Interval
power(const DaeTerms *terms, Interval base, DaeTerm exponent)
{
  if (!dae_term_is_number(terms, exponent)) {
    return everything();
  }
  double e = dae_term_get_double(terms, exponent);
  bool is_even = fmod(fabs(e), 2) == 0;
  bool is_whole = e == floor(e);
  if (e < 0 && base.low <= 0 && base.high >= 0) {
    return everything();
  }
  if (is_whole && is_even) {
    base = magnitude(base);
  }
  if (!is_whole && base.low < 0) {
    return everything();
  }
  double a = pow(base.low, e);
  double b = pow(base.high, e);
  return widened(fmin(a, b), fmax(a, b));
}

/* sin over [low, high]: the ends, and 1 or -1 where a peak may lie between. */
static Interval
sine(Interval a)
{
  double width = a.high - a.low;
  if (!(width < 6.2) || !(fabs(a.low) < 1e12)) {
    return (Interval){-1, 1};
  }
  double s = sin(a.low);
  double t = sin(a.high);
  double low = fmin(s, t);
  double high = fmax(s, t);
  double slack = 1e-15 * fabs(a.high) + 1e-15;
  double peak = (ceil((a.low - slack) / (2 * G_PI) - 0.25) + 0.25) * 2 * G_PI;
  double pit = (ceil((a.low - slack) / (2 * G_PI) + 0.25) - 0.25) * 2 * G_PI;
  high = peak <= a.high + slack ? 1 : high;
  low = pit <= a.high + slack ? -1 : low;
  return (Interval){fmax(-1, low - 4e-16 * (1 + fabs(a.high))),
                    fmin(1, high + 4e-16 * (1 + fabs(a.high)))};
}

/* Increasing functions that are defined on all of the interval. */
static Interval
monotone(const DaeFunctionFacts *facts, Interval a)
{
  bool is_inside = facts->domain == DAE_DOMAIN_ALL ||
                   (facts->domain == DAE_DOMAIN_POSITIVE && a.low > 0) ||
                   (facts->domain == DAE_DOMAIN_UNIT && a.low >= -1 && a.high <= 1);
  return is_inside ? widened(facts->value(&a.low), facts->value(&a.high)) : everything();
}

static Interval
call(DaeFunction function, const Interval *a)
{
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (facts->growth == DAE_GROWTH_INCREASING) {
    return monotone(facts, a[0]);
  }
  if (facts->kind == DAE_CLASS_MARK) {
    return a[facts->value_operand];
  }
  switch ((int)function) {
  case DAE_FN_SIN:
    return sine(a[0]);
  case DAE_FN_COS:
    return sine(widened(a[0].low + G_PI_2, a[0].high + G_PI_2));
  case DAE_FN_ABS:
    return magnitude(a[0]);
  case DAE_FN_SIGN:
    return (Interval){a[0].low > 0   ? 1
                      : a[0].low < 0 ? -1
                                     : 0,
                      a[0].high > 0   ? 1
                      : a[0].high < 0 ? -1
                                      : 0};
  case DAE_FN_MIN:
    return (Interval){fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high)};
  case DAE_FN_MAX:
    return (Interval){fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high)};
  case DAE_FN_PI:
    return widened(G_PI, G_PI);
  default:
    return everything();
  }
}

static Interval
atom(const Enclosure *e, DaeTerm t)
{
  const DaeInstant *instant = e->instant;
  if (dae_term_kind(instant->terms, t) == DAE_KIND_TIME) {
    return e->time;
  }
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    if (g_array_index(instant->atoms, DaeTerm, p) == t) {
      return (Interval){instant->segment[p], instant->segment[p]};
    }
  }
  return everything();
}

/* 1 where it holds for all pairs, 0 where for none. */
static Interval
relation(DaeRelation op, Interval a, Interval b)
{
  bool never = false;
  bool always = false;
  switch (op) {
  case DAE_REL_LT:
  case DAE_REL_LE:
    always = op == DAE_REL_LT ? a.high < b.low : a.high <= b.low;
    never = op == DAE_REL_LT ? a.low >= b.high : a.low > b.high;
    break;
  case DAE_REL_GT:
  case DAE_REL_GE:
    always = op == DAE_REL_GT ? a.low > b.high : a.low >= b.high;
    never = op == DAE_REL_GT ? a.high <= b.low : a.high < b.low;
    break;
  case DAE_REL_EQ:
    never = a.high < b.low || a.low > b.high;
    break;
  case DAE_REL_NE:
    always = a.high < b.low || a.low > b.high;
    break;
  }
  return (Interval){always ? 1 : 0, never ? 0 : 1};
}

/* All operands are enclosed in a. */
static Interval
combine(const Enclosure *e, DaeTerm t, const Interval *a, uint32_t n)
{
  const DaeTerms *terms = e->instant->terms;
  Interval sum = {0, 0};
  Interval factor = {1, 1};
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
    return widened(dae_term_get_double(terms, t), dae_term_get_double(terms, t));
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
    return atom(e, t);
  case DAE_KIND_SUM:
    for (uint32_t i = 0; i < n; i++) {
      sum = widened(sum.low + a[i].low, sum.high + a[i].high);
    }
    return sum;
  case DAE_KIND_PRODUCT:
    for (uint32_t i = 0; i < n; i++) {
      factor = product(factor, a[i]);
    }
    return factor;
  case DAE_KIND_POWER:
    return power(terms, a[0], dae_term_operand(terms, t, 1));
  case DAE_KIND_CALL:
    return call(dae_term_function(terms, t), a);
  case DAE_KIND_IF: /* a condition is 0, 1 or open */
    return a[0].low > 0    ? a[1]
           : a[0].high < 1 ? a[2]
                           : (Interval){fmin(a[1].low, a[2].low), fmax(a[1].high, a[2].high)};
  case DAE_KIND_BOOLEAN:
    return dae_term_get_bool(terms, t) ? (Interval){1, 1} : (Interval){0, 0};
  case DAE_KIND_RELATION:
    return relation(dae_term_relation_op(terms, t), a[0], a[1]);
  case DAE_KIND_AND:
    factor = (Interval){1, 1};
    for (uint32_t i = 0; i < n; i++) {
      factor = (Interval){fmin(factor.low, a[i].low), fmin(factor.high, a[i].high)};
    }
    return factor;
  case DAE_KIND_OR:
    for (uint32_t i = 0; i < n; i++) {
      sum = (Interval){fmax(sum.low, a[i].low), fmax(sum.high, a[i].high)};
    }
    return sum;
  case DAE_KIND_NOT:
    return (Interval){1 - a[0].high, 1 - a[0].low};
  case DAE_KIND_VARIABLE:
    break;
  }
  return everything();
}

static const Interval *
known(const Enclosure *e, DaeTerm t)
{
  guint at = GPOINTER_TO_UINT(g_hash_table_lookup(e->memo, GUINT_TO_POINTER(t)));
  return at == 0 ? NULL : &g_array_index(e->values, Interval, at - 1);
}

static Interval
enclose(DaeInstant *instant, DaeTerm t, double low, double high)
{
  enum { MOST_OPERANDS = 64 };

  DaeTerms *terms = instant->terms;
  Enclosure e = {instant,
                 {low, high},
                 g_hash_table_new(NULL, NULL),
                 g_array_new(FALSE, FALSE, sizeof(Interval))};
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm top = g_array_index(stack, DaeTerm, stack->len - 1);
    uint32_t n = 0;
    DaeKind kind = dae_term_kind(terms, top);
    bool is_atom = kind == DAE_KIND_NUMBER || kind == DAE_KIND_TIME ||
                   kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE ||
                   kind == DAE_KIND_BOOLEAN;
    const DaeTerm *operands = is_atom ? NULL : dae_term_operands(terms, top, &n);
    Interval a[MOST_OPERANDS] = {{0, 0}};
    bool ready = true;
    for (uint32_t i = 0; i < n && n <= MOST_OPERANDS; i++) {
      const Interval *value = known(&e, operands[i]);
      if (value == NULL) {
        ready = false;
        g_array_append_val(stack, operands[i]);
      } else {
        a[i] = *value;
      }
    }
    if (ready) {
      Interval value = n > MOST_OPERANDS ? everything() : combine(&e, top, a, n);
      g_array_set_size(stack, stack->len - 1);
      if (known(&e, top) == NULL) {
        g_array_append_val(e.values, value);
        g_hash_table_insert(e.memo, GUINT_TO_POINTER(top), GUINT_TO_POINTER(e.values->len));
      }
    }
  }
  Interval result = *known(&e, t);
  g_hash_table_destroy(e.memo);
  g_array_free(e.values, TRUE);
  return result;
}

/* ---- zeros ------------------------------------------------------------------------------- */

static double
value_at(DaeInstant *instant, DaeTerm g, double t)
{
  Interval i = enclose(instant, g, t, t);
  return i.low > 0 || i.high < 0 ? 0.5 * (i.low + i.high) : 0;
}

int
dae_isolate_sign(DaeInstant *instant, DaeTerm g, double t)
{
  Interval i = enclose(instant, g, t, t);
  return i.low > 0 ? 1 : i.high < 0 ? -1 : 0;
}

/* The middle of the enclosure decides where the enclosure does not: that is g rounded. */
static double
rounded_at(DaeInstant *instant, DaeTerm g, double t)
{
  Interval i = enclose(instant, g, t, t);
  return 0.5 * (i.low + i.high);
}

/* g changes sign once in [low, high]: the first double at which it has the new sign. */
static double
bisect(DaeInstant *instant, DaeTerm g, double low, double high, double sign_low)
{
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) {
      break;
    }
    if (rounded_at(instant, g, middle) * sign_low > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

double
dae_isolate_first_zero(DaeInstant *instant, DaeTerm g, DaeTerm slope, double after,
                       double until)
{
  enum { MOST_BOXES = 20000 };

  double resolution = 1e-12 * fmax(fabs(after), fabs(until));
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Interval));
  Interval whole = {after, until};
  g_array_append_val(stack, whole);
  for (uint32_t boxes = 0; stack->len > 0; boxes++) {
    Interval box = g_array_index(stack, Interval, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    if (boxes >= MOST_BOXES) {
      /* so far there is none: ask again from there */
      return box.low > after ? box.low : box.high;
    }
    Interval values = enclose(instant, g, box.low, box.high);
    if (values.low > 0 || values.high < 0) {
      continue;
    }
    Interval slopes = enclose(instant, slope, box.low, box.high);
    bool is_monotone = slopes.low > 0 || slopes.high < 0;
    if (fabs(slopes.low) <= NO_SLOPE && fabs(slopes.high) <= NO_SLOPE) {
      continue; /* constant here, 0 perhaps: no side is left */
    }
    if (is_monotone || box.high - box.low <= resolution) {
      double a = value_at(instant, g, box.low);
      double b = value_at(instant, g, box.high);
      if (a * b < 0 || (a != 0 && b == 0)) {
        double zero = bisect(instant, g, box.low, box.high, a);
        if (zero > after) {
          return zero;
        }
      }
      continue;
    }
    double middle = 0.5 * (box.low + box.high);
    Interval right = {middle, box.high};
    Interval left = {box.low, middle};
    g_array_append_val(stack, right);
    g_array_append_val(stack, left);
  }
  return INFINITY;
}
