/* Error control sees what the stages of a step see: a pulse of a thousandth of a second in a
 * model at rest is passed in one step, and nobody is told. A pulse that is a function of time
 * alone can be found beforehand: the span is halved until the function varies little on each
 * piece, by interval arithmetic, so that none is overlooked. Where pieces are far shorter than
 * the longest one, steps end at their edges. A function that oscillates everywhere has pieces of
 * like length and no such place: there the error control is at work all the time. */
#include "instant/pulses.h"

#include <math.h>

#include "instant/enclose.h"

enum {
  MOST_BOXES = 40000, /* of one function */
  MOST_UNBOUNDED = 200,
  MOST_LANDMARKS = 4000,
  MOST_PASSES = 6,
  DEPTH = 24,
  SHORT = 64 /* times shorter than the longest piece */
};

#define LITTLE 0.25 /* of the largest value */

typedef struct {
  double low, high;
  uint32_t depth;
} Piece;

typedef struct {
  DaeBound *bound;
  double t0, t1;
  GArray *pieces; /* Piece, from left to right */
  double largest; /* |g|, on the pieces of the last pass */
} Scan;

/* Halves until the function varies by no more than `little`. False: it does so everywhere. */
static bool
divide(Scan *scan, double little)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Piece));
  Piece whole = {scan->t0, scan->t1, 0};
  uint32_t n_unbounded = 0;
  g_array_set_size(scan->pieces, 0);
  g_array_append_val(stack, whole);
  scan->largest = 0.0;
  for (uint32_t boxes = 0; stack->len > 0; boxes++) {
    Piece piece = g_array_index(stack, Piece, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    DaeInterval value = dae_bound_at(scan->bound, (DaeInterval){piece.low, piece.high}, NULL);
    double size = fmax(fabs(value.low), fabs(value.high));
    n_unbounded += !isfinite(size) && piece.depth >= DEPTH / 2;
    if (boxes >= MOST_BOXES || n_unbounded > MOST_UNBOUNDED) {
      return false;
    }
    if (value.high - value.low <= little || piece.depth >= DEPTH) {
      g_array_append_val(scan->pieces, piece);
      scan->largest = isfinite(size) ? fmax(scan->largest, size) : scan->largest;
      continue;
    }
    double middle = 0.5 * (piece.low + piece.high);
    Piece right = {middle, piece.high, piece.depth + 1};
    Piece left = {piece.low, middle, piece.depth + 1};
    g_array_append_val(stack, right);
    g_array_append_val(stack, left);
  }
  return true;
}

static void
add_edges(const Scan *scan, GArray *times)
{
  double longest = 0.0;
  for (guint k = 0; k < scan->pieces->len; k++) {
    const Piece *piece = &g_array_index(scan->pieces, Piece, k);
    longest = fmax(longest, piece->high - piece->low);
  }
  bool was_short = false;
  for (guint k = 0; k < scan->pieces->len; k++) {
    const Piece *piece = &g_array_index(scan->pieces, Piece, k);
    bool is_short = SHORT * (piece->high - piece->low) <= longest;
    if ((is_short || was_short) && piece->low > scan->t0) {
      g_array_append_val(times, piece->low);
    }
    was_short = is_short;
  }
}

/* The largest value is known only when the pieces are short; the first bounds are too wide. */
static void
scan_function(DaeTerms *terms, DaeTerm g, double t0, double t1, GArray *times)
{
  g_autoptr(DaeBound) bound = dae_bound_of_time(terms, g);
  g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
  Scan scan = {.bound = bound, .t0 = t0, .t1 = t1, .pieces = pieces};
  DaeInterval all = dae_bound_at(bound, (DaeInterval){t0, t1}, NULL);
  double largest = fmax(fabs(all.low), fabs(all.high));
  bool is_good = isfinite(largest) && largest > 0.0;
  for (int pass = 0; pass < MOST_PASSES && is_good; pass++) {
    is_good = divide(&scan, LITTLE * largest) && scan.largest > 0.0;
    if (scan.largest > 0.75 * largest) {
      break;
    }
    largest = scan.largest;
  }
  if (is_good) {
    add_edges(&scan, times);
  }
}

static int
compare_times(const void *a, const void *b)
{
  double s = *(const double *)a;
  double t = *(const double *)b;
  return (s > t) - (s < t);
}

static bool
is_free_of_events(const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_NOEVENT;
}

/* A relation, but for noEvent(c) > 1/2, which is the condition noEvent(c). */
static bool
is_event_function(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_RELATION) {
    return !is_free_of_events(terms, dae_term_operand(terms, t, 0)) &&
           !is_free_of_events(terms, dae_term_operand(terms, t, 1));
  }
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_function_facts(dae_term_function(terms, t))->rounds;
}

/* Relations of time are time events: steps end there anyway. */
static bool
makes_events(const DaeTerms *terms, DaeTerm root)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, root);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (!dae_term_has_break(terms, t) || is_free_of_events(terms, t)) {
      continue;
    }
    if (is_event_function(terms, t)) {
      return true;
    }
    dae_visit_enter(visit, t);
  }
  return false;
}

/* The largest parts that depend on time alone. */
static void
collect_functions(DaeTerms *terms, DaeTerm root, DaeVisit *visit, GArray *functions)
{
  dae_visit_add(visit, root);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (!dae_term_has_time(terms, t) || dae_term_kind(terms, t) == DAE_KIND_TIME ||
        is_event_function(terms, t)) {
      continue;
    }
    if (!dae_term_has_variables(terms, t) && !dae_term_has_parameters(terms, t) &&
        !makes_events(terms, t)) {
      g_array_append_val(functions, t);
    } else {
      dae_visit_enter(visit, t);
    }
  }
}

GArray *
dae_time_pulses(DaeTerms *terms, const DaeTerm *roots, size_t n, double t0, double t1)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
  for (size_t i = 0; i < n; i++) {
    collect_functions(terms, roots[i], visit, functions);
  }
  for (guint k = 0; k < functions->len && t1 > t0; k++) {
    guint before = times->len;
    scan_function(terms, g_array_index(functions, DaeTerm, k), t0, t1, times);
    if (times->len - before > MOST_LANDMARKS) {
      g_array_set_size(times, before);
    }
  }
  if (times->len > 0) {
    g_array_sort(times, compare_times);
  }
  return times;
}
