/* When clocks tick, and what happens then. */
#include <math.h>
#include <string.h>

#include "instant/ticks-priv.h"
#include "numeric/numeric.h"

#define MOST_TICKS 1e9 /* of one clock in a run */

/* ---- when -------------------------------------------------------------------------------- */

static int
compare(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return a == b ? 0 : dae_term_sign(terms, dae_term_sub(terms, a, b));
}

void
dae_ticking_begin(DaeTicking *ticking)
{
  DaeTerms *terms = ticking->terms;
  ticking->start = ticking->instant->exact;
  ticking->until = DAE_NO_TERM;
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    DaeTickSub *sub = &ticking->subs[s];
    sub->has_ticked = false;
    sub->next = dae_term_add(terms, ticking->start, sub->shift);
  }
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    ticking->bases[b].count = 0;
    ticking->bases[b].is_due = false;
    ticking->bases[b].next = dae_clocks_base(ticking->clocks, b)->kind == DAE_BASE_VARYING
                                 ? ticking->start
                                 : DAE_NO_TERM;
  }
}

void
dae_ticking_forget(DaeTicking *ticking)
{
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    ticking->subs[s].is_told = false;
  }
}

/* Does the sub-clock tick at the present tick of its base, which is counted? */
static bool
ticks_at_count(const DaeTicking *ticking, const DaeTickSub *sub, int64_t count)
{
  int64_t period = 1;
  int64_t shift = 0;
  dae_term_get_int64(ticking->terms, sub->period, &period);
  dae_term_get_int64(ticking->terms, sub->shift, &shift);
  return count >= shift && (count - shift) % period == 0;
}

DaeTerm
dae_ticking_next(DaeTicking *ticking, DaeTerm after, DaeTerm until, DaeTerm best)
{
  DaeTerms *terms = ticking->terms;
  ticking->until = until;
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    const DaeTickSub *sub = &ticking->subs[s];
    uint32_t b = dae_clocks_sub(ticking->clocks, s)->base;
    bool is_periodic = dae_clocks_base(ticking->clocks, b)->kind == DAE_BASE_PERIODIC;
    DaeTerm next = is_periodic ? sub->next : ticking->bases[b].next;
    if (next != DAE_NO_TERM && compare(terms, next, after) > 0 &&
        (best == DAE_NO_TERM || compare(terms, next, best) < 0)) {
      best = next;
    }
  }
  return best;
}

void
dae_ticking_describe(const DaeTicking *ticking, GString *out)
{
  g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    if (!ticking->subs[s].is_told) {
      continue;
    }
    const DaeSubClock *sub = dae_clocks_sub(ticking->clocks, s);
    const DaeBaseClock *base = dae_clocks_base(ticking->clocks, sub->base);
    DaeTerm clock = sub->clock != DAE_NO_TERM ? sub->clock : base->clock;
    DaeSpan span = sub->clock != DAE_NO_TERM ? sub->span : base->span;
    g_autoptr(GString) text = g_string_new(NULL);
    dae_term_print(ticking->terms, clock, text);
    g_autofree char *place = dae_span_text(span);
    g_string_append_printf(text, " (%s)", place);
    if (!g_hash_table_contains(told, text->str)) {
      g_string_append_printf(out, "%s%s", out->len > 0 ? "; " : "", text->str);
      g_hash_table_add(told, g_strdup(text->str));
    }
  }
}

/* ---- what -------------------------------------------------------------------------------- */

static bool
fail_piece(const DaeTicking *ticking, const DaeTickPiece *piece, double t, const char *why,
           const double *values, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  uint32_t listed = 0;
  for (uint32_t k = 0; k < piece->n && listed < 10; k++) {
    if (values == NULL || !isfinite(values[k])) {
      g_autofree char *name = dae_term_to_string(ticking->terms, piece->unknowns[k]);
      g_string_append_printf(names, "%s%s", listed > 0 ? ", " : "", name);
      listed++;
    }
  }
  g_autofree char *place = dae_span_text(piece->span);
  g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC, "at the tick at t = %.10g %s: %s (%s)", t,
              why, names->str, place);
  return false;
}

typedef struct {
  DaeTicking *ticking;
  DaeTickPiece *piece;
  double t;
  const double *x;
} Solve;

static void
put_in(const Solve *solve, const double *y)
{
  for (uint32_t k = 0; k < solve->piece->n; k++) {
    solve->ticking->instant->segment[solve->piece->places[k]] = y[k];
  }
}

static int
evaluate(const Solve *solve, DaePointFunctions *functions, const double *y, double *out)
{
  put_in(solve, y);
  bool good = dae_point_functions_eval(solve->ticking->instant, functions, solve->t, solve->x);
  memcpy(out, functions->out, functions->n * sizeof(double));
  for (uint32_t k = 0; k < functions->n && good; k++) {
    good = isfinite(out[k]);
  }
  return good ? 0 : 1;
}

static int
residual(const void *self, void *scratch, const double *y, double *r)
{
  const Solve *solve = self;
  (void)scratch;
  return evaluate(solve, &solve->piece->functions, y, r);
}

static int
jacobian(const void *self, void *scratch, const double *y, double *values)
{
  const Solve *solve = self;
  (void)scratch;
  return evaluate(solve, &solve->piece->slopes, y, values);
}

static bool
solve_piece(DaeTicking *ticking, DaeTickPiece *piece, double t, const double *x, GError **error)
{
  Solve solve = {ticking, piece, t, x};
  DaeRootProblem problem = {.n = piece->n,
                            .m = piece->n,
                            .pattern = {piece->n, piece->n, piece->row_start, piece->column},
                            .self = &solve,
                            .residual = residual,
                            .jacobian = jacobian};
  g_autofree double *y = g_new0(double, piece->n + 1);
  for (uint32_t k = 0; k < piece->n; k++) {
    y[k] = ticking->instant->segment[piece->places[k]];
  }
  DaeRootResult result = dae_numeric_solve(&problem, NULL, 1e-13, y);
  put_in(&solve, y);
  if (!result.converged && !(result.residual < 1e-9)) {
    return fail_piece(ticking, piece, t, "Newton's method finds no values", NULL, error);
  }
  return true;
}

static bool
run_piece(DaeTicking *ticking, DaeTickPiece *piece, double t, const double *x, GError **error)
{
  if (!piece->is_explicit) {
    return solve_piece(ticking, piece, t, x, error);
  }
  bool good = dae_point_functions_eval(ticking->instant, &piece->functions, t, x);
  for (uint32_t k = 0; k < piece->n; k++) {
    good = good && isfinite(piece->functions.out[k]);
    ticking->instant->segment[piece->places[k]] = piece->functions.out[k];
  }
  return good || fail_piece(ticking, piece, t, "a clocked equation has no value",
                            piece->functions.out, error);
}

static double
interval_of(const DaeTicking *ticking, uint32_t s, double t, const double *x)
{
  const DaeTickSub *sub = &ticking->subs[s];
  uint32_t b = dae_clocks_sub(ticking->clocks, s)->base;
  if (dae_clocks_base(ticking->clocks, b)->kind == DAE_BASE_PERIODIC) {
    return dae_term_get_double(ticking->terms, sub->period);
  }
  if (sub->has_ticked) {
    return t - sub->last;
  }
  dae_point_functions_eval(ticking->instant, &ticking->bases[b].first, t, x);
  return ticking->bases[b].first.out[0] /
         (double)dae_clocks_base(ticking->clocks, b)->resolution;
}

static void
take_inputs(DaeTicking *ticking, double t, const double *x)
{
  if (ticking->inputs.n == 0) {
    return;
  }
  dae_point_functions_eval(ticking->instant, &ticking->inputs, t, x);
  for (uint32_t i = 0; i < ticking->inputs.n; i++) {
    ticking->instant->segment[ticking->input_places[i]] = ticking->inputs.out[i];
  }
}

static bool
check_assertions(DaeTicking *ticking, double t, const double *x, GError **error)
{
  if (ticking->assertions.n == 0) {
    return true;
  }
  dae_point_functions_eval(ticking->instant, &ticking->assertions, t, x);
  for (uint32_t i = 0; i < ticking->assertions.n; i++) {
    const DaeClockedAssertion *clocked = dae_clocks_assertion(ticking->clocks, i);
    if (!ticking->subs[clocked->sub].ticks || !(ticking->assertions.out[i] < 0.5)) {
      continue;
    }
    if (!dae_instant_tell_failure(ticking->instant, &clocked->assertion, t, x, error)) {
      return false;
    }
  }
  return true;
}

/* VARYING: the tick after this one. */
static bool
schedule(DaeTicking *ticking, uint32_t b, double t, const double *x, GError **error)
{
  DaeTickBase *base = &ticking->bases[b];
  DaeTerms *terms = ticking->terms;
  dae_point_functions_eval(ticking->instant, &base->interval, t, x);
  double interval = base->interval.out[0];
  if (!(interval > 0) || !isfinite(interval)) {
    const DaeBaseClock *clock = dae_clocks_base(ticking->clocks, b);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "%s:%u:%u: error: at the tick at t = %.10g the next interval of this clock is "
                "%g; it must be positive",
                dae_model_file_of(dae_hybrid_model(ticking->instant->hybrid), clock->span),
                clock->span.line, clock->span.column, t, interval);
    return false;
  }
  /* intervalCounter/resolution stays a ratio of whole numbers */
  DaeTerm resolution = dae_term_int(terms, dae_clocks_base(ticking->clocks, b)->resolution);
  DaeTerm wait = dae_term_div(terms, dae_term_from_double(terms, interval), resolution);
  base->next = dae_term_add(terms, base->next, wait);
  if (!(dae_term_get_double(terms, base->next) > t)) {
    const DaeBaseClock *clock = dae_clocks_base(ticking->clocks, b);
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "%s:%u:%u: error: the ticks of this clock accumulate at t = %.10g: its next "
                "interval is %g",
                dae_model_file_of(dae_hybrid_model(ticking->instant->hybrid), clock->span),
                clock->span.line, clock->span.column, t, interval);
    return false;
  }
  return true;
}

/* All sub-clocks that are marked. */
static bool
execute(DaeTicking *ticking, double t, const double *x, GError **error)
{
  double *segment = ticking->instant->segment;
  take_inputs(ticking, t, x);
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    DaeTickSub *sub = &ticking->subs[s];
    if (sub->ticks) {
      segment[sub->interval] = interval_of(ticking, s, t, x);
      segment[sub->first_tick] = sub->has_ticked ? 0 : 1;
    }
  }
  for (guint i = 0; i < ticking->pieces->len; i++) {
    DaeTickPiece *piece = g_ptr_array_index(ticking->pieces, i);
    const DaeTickSub *sub = &ticking->subs[piece->sub];
    bool counts =
        piece->ticks == DAE_TICKS_ALL || (piece->ticks == DAE_TICKS_LATER) == sub->has_ticked;
    if (sub->ticks && counts && !run_piece(ticking, piece, t, x, error)) {
      return false;
    }
  }
  bool good = check_assertions(ticking, t, x, error);
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    DaeTickSub *sub = &ticking->subs[s];
    if (sub->ticks) {
      sub->ticks = false;
      sub->has_ticked = true;
      sub->is_told = true;
      sub->last = t;
    }
  }
  return good;
}

/* Ticks without end would be a run without end. */
static bool
check_count(const DaeTicking *ticking, uint32_t s, GError **error)
{
  const DaeTickSub *sub = &ticking->subs[s];
  const DaeSubClock *clock = dae_clocks_sub(ticking->clocks, s);
  if (ticking->until == DAE_NO_TERM) {
    return true;
  }
  double n = (dae_term_get_double(ticking->terms, ticking->until) -
              dae_term_get_double(ticking->terms, ticking->start)) /
             dae_term_get_double(ticking->terms, sub->period);
  if (n <= MOST_TICKS) {
    return true;
  }
  g_autofree char *period = dae_term_to_string(ticking->terms, sub->period);
  g_set_error(
      error, DAE_ERROR, DAE_ERROR_NUMERIC,
      "%s:%u:%u: error: a clock with an interval of %s ticks %.3g times in this run; the "
      "limit is %.0e",
      dae_model_file_of(dae_hybrid_model(ticking->instant->hybrid), clock->span),
      clock->span.line, clock->span.column, period, n, MOST_TICKS);
  return false;
}

bool
dae_ticking_at_time(DaeTicking *ticking, double t, const double *x, GError **error)
{
  DaeTerms *terms = ticking->terms;
  DaeTerm exact = ticking->instant->exact;
  bool any = false;
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    ticking->bases[b].is_due = ticking->bases[b].next != DAE_NO_TERM &&
                               compare(terms, ticking->bases[b].next, exact) == 0;
  }
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    DaeTickSub *sub = &ticking->subs[s];
    uint32_t b = dae_clocks_sub(ticking->clocks, s)->base;
    DaeBaseKind kind = dae_clocks_base(ticking->clocks, b)->kind;
    sub->ticks =
        kind == DAE_BASE_PERIODIC
            ? compare(terms, sub->next, exact) == 0
            : ticking->bases[b].is_due && ticks_at_count(ticking, sub, ticking->bases[b].count);
    if (kind == DAE_BASE_PERIODIC && sub->ticks) {
      if (!check_count(ticking, s, error)) {
        return false;
      }
      sub->next = dae_term_add(terms, sub->next, sub->period);
    }
    any = any || sub->ticks;
  }
  bool good = !any || execute(ticking, t, x, error);
  for (uint32_t b = 0; good && b < ticking->n_bases; b++) {
    if (ticking->bases[b].is_due) {
      ticking->bases[b].is_due = false;
      ticking->bases[b].count++;
      good = schedule(ticking, b, t, x, error);
    }
  }
  return good;
}

bool
dae_ticking_find_events(DaeTicking *ticking)
{
  const DaeInstant *instant = ticking->instant;
  bool any = false;
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    DaeTickBase *base = &ticking->bases[b];
    if (dae_clocks_base(ticking->clocks, b)->kind == DAE_BASE_EVENT) {
      base->is_due = instant->segment[base->condition] > 0.5 &&
                     !(instant->segment[instant->at_pre + base->condition] > 0.5);
      any = any || base->is_due;
    }
  }
  return any;
}

bool
dae_ticking_at_event(DaeTicking *ticking, double t, const double *x, GError **error)
{
  bool any = false;
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    DaeTickSub *sub = &ticking->subs[s];
    uint32_t b = dae_clocks_sub(ticking->clocks, s)->base;
    sub->ticks =
        ticking->bases[b].is_due && ticks_at_count(ticking, sub, ticking->bases[b].count);
    any = any || sub->ticks;
  }
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    ticking->bases[b].count += ticking->bases[b].is_due ? 1 : 0;
    ticking->bases[b].is_due = false;
  }
  return !any || execute(ticking, t, x, error);
}
