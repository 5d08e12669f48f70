/* The first time at which a function of time leaves its side: interval arithmetic (enclose.c)
 * excludes what holds none, monotone pieces are bisected. So no sign change is passed over that is
 * longer than the resolution, 1e-12 of the time scale. */
#include <float.h>
#include <math.h>

#include "instant/enclose.h"

#define MOST_ROUNDED 12 /* doubled each time, from a unit in the last place on */
#define NO_SLOPE 1e-290 /* an enclosure of 0, widened some times */
#define NO_JUMP 1e-9    /* an enclosure at a point that is wider holds both sides of one */

typedef DaeInterval Interval;

static Interval
enclose(DaeBound *g, double low, double high)
{
  return dae_bound_at(g, (Interval){low, high}, NULL);
}

static double
value_at(DaeBound *g, double t)
{
  Interval i = enclose(g, t, t);
  return i.low > 0 || i.high < 0 ? 0.5 * (i.low + i.high) : 0;
}

int
dae_isolate_sign(DaeInstant *instant, DaeTerm g, double t)
{
  g_autoptr(DaeBound) enclosure = dae_bound_new(instant, g);
  Interval i = enclose(enclosure, t, t);
  return i.low > 0 ? 1 : i.high < 0 ? -1 : 0;
}

bool
dae_isolate_is_zero(DaeInstant *instant, DaeTerm g, double t)
{
  g_autoptr(DaeBound) enclosure = dae_bound_new(instant, g);
  Interval i = enclose(enclosure, t, t);
  bool is_narrow = dae_term_has_varying_break(instant->terms, g)
                       ? i.high - i.low <= NO_JUMP
                       : isfinite(i.low) && isfinite(i.high);
  return i.low <= 0 && i.high >= 0 && is_narrow;
}

/* The middle of the enclosure decides where the enclosure does not: that is g rounded. */
static double
rounded_at(DaeBound *g, double t)
{
  Interval i = enclose(g, t, t);
  return 0.5 * (i.low + i.high);
}

double
dae_isolate_value(DaeInstant *instant, DaeTerm g, double t)
{
  g_autoptr(DaeBound) enclosure = dae_bound_new(instant, g);
  return rounded_at(enclosure, t);
}

/* g changes sign once in [low, high]: the first double at which it has the new sign; with a jump
 * the first at which the enclosure says so, since near it both sides are possible. */
static double
bisect(DaeBound *g, double low, double high, double sign_low, bool is_jump)
{
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) {
      break;
    }
    if (is_jump ? value_at(g, middle) * sign_low >= 0 : rounded_at(g, middle) * sign_low > 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

typedef struct {
  const DaeInstant *instant;
  double t;
} Point;

static bool
atom_at(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  const DaeInstant *instant = point->instant;
  if (dae_term_kind(instant->terms, atom) == DAE_KIND_TIME) {
    *value = point->t;
    return true;
  }
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    if (g_array_index(instant->atoms, DaeTerm, p) == atom) {
      *value = instant->segment[p];
      return true;
    }
  }
  return false;
}

/* Rounding in the enclosure's middle may be a little before the time at which the relation, as
 * it will be evaluated, has changed: the next double, or one close behind it, at which it has. */
static double
where_it_has_changed(const DaeInstant *instant, const DaeGuardSide *guard, double t,
                     double high)
{
  double step = fmax(DBL_EPSILON * fabs(t), DBL_MIN);
  double later = t;
  for (int k = 0; k < MOST_ROUNDED && later <= high; k++) {
    Point point = {instant, later};
    double value = 0;
    if (dae_term_eval_double(instant->terms, guard->g, atom_at, &point, &value) !=
        DAE_EVAL_OK) {
      return t;
    }
    if (value * guard->side <= 0) {
      return later;
    }
    later += step;
    step *= 2;
  }
  return t;
}

/* g is at most `side` * 0 at the left end of the box and on the other side at the right one: the
 * first double at which it has changed. */
static double
first_change(const DaeInstant *instant, const DaeGuardSide *guard, DaeBound *g, Interval box,
             bool may_jump)
{
  int side = guard->side;
  double a = value_at(g, box.low);
  double b = value_at(g, box.high);
  if (b * side > 0 || (b == 0 && !(a * side > 0))) {
    return INFINITY;
  }
  /* at 0 or beyond it from the beginning: where the enclosure has no doubt */
  bool is_jump = !(a * side > 0) || (may_jump && b != 0);
  double zero = bisect(g, box.low, box.high, side, is_jump);
  return is_jump ? zero : where_it_has_changed(instant, guard, zero, box.high);
}

/* ---- touching ----------------------------------------------------------------------------- */

/* An extremum whose value cannot be told from 0: cos(time) >= 1. Near it g rounded is 0 for
 * about 1e-8 of a period, but it holds for an instant, where the slope is 0. */
typedef struct {
  DaeBound *g, *slope, *curvature;
} Extremum;

static int
touch_at(const Extremum *e, double t)
{
  Interval value = enclose(e->g, t, t);
  Interval curvature = enclose(e->curvature, t, t);
  int sign = curvature.low > 0 ? 1 : curvature.high < 0 ? -1 : 0;
  if (sign == 0 || !(value.low <= 0 && value.high >= 0)) {
    return 0;
  }
  double least = fmin(fabs(curvature.low), fabs(curvature.high));
  Interval slope = enclose(e->slope, t, t);
  /* the extremum lies nearer than the next doubles */
  bool is_here =
      fmax(fabs(slope.low), fabs(slope.high)) <= 4 * DBL_EPSILON * fmax(fabs(t), 1e-3) * least;
  return is_here || (slope.low <= 0 && slope.high >= 0) ? sign : 0;
}

int
dae_isolate_touch(DaeInstant *instant, const DaeGuardSide *guard, double t)
{
  DaeTerm time = dae_term_time(instant->terms);
  DaeTerm curvature = dae_term_partial(instant->terms, guard->slope, time);
  if (curvature == DAE_NO_TERM || dae_term_has_varying_break(instant->terms, guard->g)) {
    return 0;
  }
  g_autoptr(DaeBound) g = dae_bound_new(instant, guard->g);
  g_autoptr(DaeBound) slope = dae_bound_new(instant, guard->slope);
  g_autoptr(DaeBound) bend = dae_bound_new(instant, curvature);
  const Extremum extremum = {g, slope, bend};
  return touch_at(&extremum, t);
}

/* Where g turns back just behind a zero that was found: there, if it only touches 0. */
static double
touch_behind(const Extremum *e, double zero)
{
  enum { MOST_STEPS = 20 };

  double t = zero;
  for (int k = 0; k < MOST_STEPS; k++) { /* Newton's method for the zero of the slope */
    double step = rounded_at(e->slope, t) / rounded_at(e->curvature, t);
    double next = t - step;
    if (!isfinite(next) || fabs(next - zero) > 1e-5 * fmax(fabs(zero), 1)) {
      return zero;
    }
    if (next == t) {
      break;
    }
    t = next;
  }
  return t > zero && touch_at(e, t) != 0 ? t : zero;
}

/* Behind an extremum that touches 0 and from which g goes back to its side: where the enclosure has
 * no doubt of that. */
static double
leave_touch(DaeBound *g, int side, double after, double until)
{
  double step = 1e-10 * fmax(fabs(after), 1e-3 * fabs(until));
  double t = after;
  while (t < until && !(value_at(g, t) * side > 0)) {
    t = fmin(until, after + step);
    step *= 2;
  }
  return t;
}

static double first_zero(DaeInstant *instant, const DaeGuardSide *guard, double after,
                         double until, const Extremum *extremum);

double
dae_isolate_first_zero(DaeInstant *instant, const DaeGuardSide *guard, double after,
                       double until)
{
  DaeTerm curvature =
      dae_term_partial(instant->terms, guard->slope, dae_term_time(instant->terms));
  if (curvature == DAE_NO_TERM || dae_term_has_varying_break(instant->terms, guard->g)) {
    return first_zero(instant, guard, after, until, NULL);
  }
  g_autoptr(DaeBound) g = dae_bound_new(instant, guard->g);
  g_autoptr(DaeBound) slope = dae_bound_new(instant, guard->slope);
  g_autoptr(DaeBound) bend = dae_bound_new(instant, curvature);
  const Extremum extremum = {g, slope, bend};
  int touch = touch_at(&extremum, after);
  if (touch == -guard->side) { /* it leaves at once */
    double step = DBL_EPSILON * fmax(fabs(after), fabs(until));
    while (touch_at(&extremum, after + step) != 0) {
      step *= 2;
    }
    return after + step;
  }
  double from = touch != 0 ? leave_touch(g, guard->side, after, until) : after;
  while (from < until) {
    double zero = first_zero(instant, guard, from, until, &extremum);
    double turn = isfinite(zero) ? touch_behind(&extremum, zero) : zero;
    if (!isfinite(zero) || guard->counts_at_zero || touch_at(&extremum, turn) == 0) {
      return turn;
    }
    from = fmax(leave_touch(g, guard->side, turn, until), nextafter(from, INFINITY));
  }
  return INFINITY;
}

static bool
jumps(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  const DaeKind kind = dae_term_kind(terms, t);
  const DaeFunctionFacts *facts =
      kind == DAE_KIND_CALL ? dae_function_facts(dae_term_function(terms, t)) : NULL;
  return kind == DAE_KIND_IF || kind == DAE_KIND_RELATION ||
         (facts != NULL && facts->breaks && facts->kind != DAE_CLASS_CHOICE);
}

/* noEvent(if ...) inside: a slope of one sign does not exclude a jump the other way and back. The
 * kinks of abs, min and max are in the enclosure of the slope. */
static bool
may_jump_somewhere(DaeTerms *terms, DaeTerm g)
{
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_has_varying_break(terms, g)) {
    dae_term_collect_nodes(terms, g, jumps, NULL, found);
  }
  return found->len > 0;
}

/* extremum: of this g, or NULL. */
static double
first_zero(DaeInstant *instant, const DaeGuardSide *guard, double after, double until,
           const Extremum *extremum)
{
  g_autoptr(DaeBound) g = dae_bound_new(instant, guard->g);
  g_autoptr(DaeBound) slope = dae_bound_new(instant, guard->slope);

  enum { MOST_BOXES = 20000 };

  bool may_jump = may_jump_somewhere(instant->terms, guard->g);
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
    Interval values = enclose(g, box.low, box.high);
    if (guard->side > 0 ? values.low > 0 : values.high < 0) {
      continue;
    }
    Interval slopes = enclose(slope, box.low, box.high);
    bool has_pole = !isfinite(values.low) || !isfinite(values.high); /* tan increases, too */
    bool is_monotone = !may_jump && !has_pole && (slopes.low > 0 || slopes.high < 0);
    bool is_beyond = guard->side > 0 ? values.high < 0 : values.low > 0;
    bool is_constant = fabs(slopes.low) <= NO_SLOPE && fabs(slopes.high) <= NO_SLOPE &&
                       (!may_jump || values.high - values.low <= NO_JUMP);
    if (!is_beyond && is_constant) {
      continue; /* 0 perhaps: no side is left */
    }
    if (is_beyond || is_monotone || box.high - box.low <= resolution) {
      double zero = first_change(instant, guard, g, box, may_jump);
      if (!isfinite(zero) && !is_beyond && !is_monotone && guard->counts_at_zero &&
          extremum != NULL) {
        double touch = touch_behind(extremum, box.low);
        zero = touch > box.low && touch <= box.high ? touch : INFINITY;
      }
      if (zero > after && isfinite(zero)) {
        return zero;
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
