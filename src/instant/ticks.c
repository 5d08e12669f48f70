#include "instant/ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instant/instant-priv.h"
#include "numeric/numeric.h"

#define MOST_TICKS 1e9 /* of one clock in a run */

typedef struct { /* consecutive explicit blocks, or one that is implicit */
  uint32_t sub;
  DaeTicks ticks;
  bool is_explicit;
  uint32_t n;
  DaeTerm *unknowns;
  DaeTerm *equations; /* in segment atoms */
  uint32_t *places;
  DaePointFunctions functions; /* values, or residuals */
  /* implicit */
  DaePointFunctions slopes; /* d residual / d unknown, by rows */
  uint32_t *row_start, *column;
  DaeSpan span;
} Piece;

typedef struct {
  DaeTerm period, shift;
  DaeTerm next; /* NUMBER, of a periodic base; DAE_NO_TERM: the first one is to be found */
  uint32_t interval, first_tick; /* places */
  bool ticks;                    /* now */
  bool has_ticked;
  bool is_told;
  double last; /* time of its last tick */
} Sub;

typedef struct {
  int64_t count; /* ticks so far */
  uint32_t condition;
  bool is_due;
  DaeTerm next; /* VARYING: NUMBER */
  DaePointFunctions interval, first;
  DaeTerm interval_term, first_term;
} Base;

struct DaeTicking {
  DaeInstant *instant;
  const DaeClocks *clocks;
  DaeTerms *terms;
  GPtrArray *pieces; /* Piece */
  Sub *subs;
  uint32_t n_subs;
  Base *bases;
  uint32_t n_bases;
  DaeTerm start;       /* NUMBER: when the run began */
  DaeTerm until;       /* NUMBER: when it ends; DAE_NO_TERM: not known yet */
  GArray *input_terms; /* DaeTerm */
  uint32_t *input_places;
  DaePointFunctions inputs;
  GArray *asserted; /* DaeTerm: 1 where it holds */
  DaePointFunctions assertions;
};

static void
free_piece(gpointer data)
{
  Piece *piece = data;
  dae_point_functions_clear(&piece->functions);
  dae_point_functions_clear(&piece->slopes);
  g_free(piece->unknowns);
  g_free(piece->equations);
  g_free(piece->places);
  g_free(piece->row_start);
  g_free(piece->column);
  g_free(piece);
}

void
dae_ticking_free(DaeTicking *ticking)
{
  if (ticking == NULL) {
    return;
  }
  g_ptr_array_unref(ticking->pieces);
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    dae_point_functions_clear(&ticking->bases[b].interval);
    dae_point_functions_clear(&ticking->bases[b].first);
  }
  dae_point_functions_clear(&ticking->inputs);
  dae_point_functions_clear(&ticking->assertions);
  g_array_free(ticking->input_terms, TRUE);
  g_array_free(ticking->asserted, TRUE);
  g_free(ticking->input_places);
  g_free(ticking->subs);
  g_free(ticking->bases);
  g_free(ticking);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeTicking, dae_ticking_free)

/* ---- construction ------------------------------------------------------------------------ */

static DaeTerm
lowered(const DaeTicking *ticking, DaeTerm t, DaeSpan span, GError **error)
{
  const DaeInstantParts *parts = &ticking->instant->parts;
  DaeTerm result = parts->lower(parts->user, t);
  if (result == DAE_NO_TERM) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                "%s:%u:%u: error: division by zero with the given parameter values",
                dae_model_file_of(dae_hybrid_model(ticking->instant->hybrid), span), span.line,
                span.column);
  }
  return result;
}

/* Explicit blocks that follow each other in one piece: earlier values are put into later ones.
 * Relations are taken literally. */
static bool
make_pieces(DaeTicking *ticking, GError **error)
{
  uint32_t n = dae_clocks_n_blocks(ticking->clocks);
  for (uint32_t i = 0; i < n;) {
    const DaeClockedBlock *first = dae_clocks_block(ticking->clocks, i);
    uint32_t end = i + 1;
    while (first->is_explicit && end < n) {
      const DaeClockedBlock *other = dae_clocks_block(ticking->clocks, end);
      if (!other->is_explicit || other->sub != first->sub || other->ticks != first->ticks) {
        break;
      }
      end++;
    }
    Piece *piece = g_new0(Piece, 1);
    g_ptr_array_add(ticking->pieces, piece);
    *piece = (Piece){.sub = first->sub,
                     .ticks = first->ticks,
                     .is_explicit = first->is_explicit,
                     .n = first->is_explicit ? end - i : first->n,
                     .span = first->span};
    piece->unknowns = g_new0(DaeTerm, piece->n + 1);
    piece->equations = g_new0(DaeTerm, piece->n + 1);
    piece->places = g_new0(uint32_t, piece->n + 1);
    g_autoptr(DaeSubst) earlier = dae_subst_new(ticking->terms);
    for (uint32_t k = 0; k < piece->n; k++) {
      const DaeClockedBlock *block =
          piece->is_explicit ? dae_clocks_block(ticking->clocks, i + k) : first;
      uint32_t at = piece->is_explicit ? 0 : k;
      DaeTerm t = lowered(ticking, block->equations[at], block->span, error);
      if (t == DAE_NO_TERM) {
        return false;
      }
      piece->unknowns[k] = block->unknowns[at];
      piece->equations[k] = piece->is_explicit ? dae_subst_apply(earlier, t) : t;
      if (piece->is_explicit) {
        dae_subst_set(earlier, block->unknowns[at], piece->equations[k]);
      }
    }
    i = end;
  }
  return true;
}

static bool
make_bases(DaeTicking *ticking, GError **error)
{
  for (uint32_t b = 0; b < ticking->n_bases; b++) {
    const DaeBaseClock *base = dae_clocks_base(ticking->clocks, b);
    if (base->kind == DAE_BASE_PERIODIC) {
      continue;
    }
    DaeTerm first = base->kind == DAE_BASE_EVENT ? base->interval : base->first;
    ticking->bases[b].interval_term = lowered(ticking, base->interval, base->span, error);
    ticking->bases[b].first_term = lowered(ticking, first, base->span, error);
    if (ticking->bases[b].interval_term == DAE_NO_TERM ||
        ticking->bases[b].first_term == DAE_NO_TERM) {
      return false;
    }
  }
  return true;
}

/* What is sampled is not clocked: its relations have buffers, so that
 * the value is the left limit. */
static bool
make_inputs(DaeTicking *ticking, GError **error)
{
  for (uint32_t i = 0; i < dae_clocks_n_inputs(ticking->clocks); i++) {
    const DaeClockedInput *input = dae_clocks_input(ticking->clocks, i);
    DaeTerm t = lowered(ticking, input->of, input->span, error);
    if (t == DAE_NO_TERM) {
      return false;
    }
    t = dae_buffers_put_in(ticking->instant->buffers, t, input->span);
    g_array_append_val(ticking->input_terms, t);
  }
  for (uint32_t i = 0; i < dae_clocks_n_assertions(ticking->clocks); i++) {
    const DaeAssertion *assertion = &dae_clocks_assertion(ticking->clocks, i)->assertion;
    DaeTerm holds =
        dae_term_if(ticking->terms, assertion->condition, dae_term_int(ticking->terms, 1),
                    dae_term_int(ticking->terms, 0));
    holds = lowered(ticking, holds, assertion->span, error);
    if (holds == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(ticking->asserted, holds);
  }
  return true;
}

DaeTicking *
dae_ticking_new(DaeInstant *instant, GError **error)
{
  const DaeClocks *clocks = dae_hybrid_clocks(instant->hybrid);
  if (clocks == NULL) {
    return NULL;
  }
  g_autoptr(DaeTicking) ticking = g_new0(DaeTicking, 1);
  ticking->instant = instant;
  ticking->clocks = clocks;
  ticking->terms = instant->terms;
  ticking->pieces = g_ptr_array_new_with_free_func(free_piece);
  ticking->input_terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  ticking->asserted = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  ticking->n_subs = dae_clocks_n_subs(clocks);
  ticking->n_bases = dae_clocks_n_bases(clocks);
  ticking->subs = g_new0(Sub, ticking->n_subs + 1);
  ticking->bases = g_new0(Base, ticking->n_bases + 1);
  return make_pieces(ticking, error) && make_bases(ticking, error) &&
                 make_inputs(ticking, error)
             ? g_steal_pointer(&ticking)
             : NULL;
}

void
dae_ticking_add_inputs(const DaeTicking *ticking, GArray *terms)
{
  if (ticking != NULL) {
    g_array_append_vals(terms, ticking->input_terms->data, ticking->input_terms->len);
  }
}

/* ---- places and tapes -------------------------------------------------------------------- */

static uint32_t
place_of(GHashTable *places, DaeTerm atom)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, GUINT_TO_POINTER(atom)));
  DAE_ASSERT(place > 0);
  return place - 1;
}

static bool
bind_implicit(DaeTicking *ticking, Piece *piece, GError **error)
{
  g_autoptr(GArray) slopes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  piece->row_start = g_new0(uint32_t, piece->n + 1);
  for (uint32_t i = 0; i < piece->n; i++) {
    for (uint32_t j = 0; j < piece->n; j++) {
      if (!dae_term_contains(ticking->terms, piece->equations[i], piece->unknowns[j])) {
        continue;
      }
      DaeTerm slope = dae_term_partial(ticking->terms, piece->equations[i], piece->unknowns[j]);
      if (slope == DAE_NO_TERM) {
        g_set_error(error, DAE_ERROR, DAE_ERROR_UNSUPPORTED,
                    "%s:%u:%u: error: a clocked equation that must be solved has no derivative",
                    dae_model_file_of(dae_hybrid_model(ticking->instant->hybrid), piece->span),
                    piece->span.line, piece->span.column);
        return false;
      }
      g_array_append_val(slopes, slope);
      g_array_append_val(columns, j);
    }
    piece->row_start[i + 1] = columns->len;
  }
  piece->column = g_new0(uint32_t, columns->len + 1);
  if (columns->len > 0) {
    memcpy(piece->column, columns->data, columns->len * sizeof(uint32_t));
  }
  return dae_point_functions_init(&piece->slopes, ticking->instant,
                                  (const DaeTerm *)(void *)slopes->data, slopes->len, error);
}

bool
dae_ticking_bind(DaeTicking *ticking, GError **error)
{
  DaeInstant *instant = ticking->instant;
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    g_hash_table_insert(places, GUINT_TO_POINTER(g_array_index(instant->atoms, DaeTerm, p)),
                        GUINT_TO_POINTER(p + 1));
  }
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    const DaeSubClock *sub = dae_clocks_sub(ticking->clocks, s);
    ticking->subs[s].period = sub->period;
    ticking->subs[s].shift = sub->shift;
    ticking->subs[s].interval = place_of(places, sub->interval);
    ticking->subs[s].first_tick = place_of(places, sub->first_tick);
  }
  uint32_t n = ticking->input_terms->len;
  ticking->input_places = g_new0(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    ticking->input_places[i] = place_of(places, dae_clocks_input(ticking->clocks, i)->atom);
  }
  bool good =
      dae_point_functions_init(&ticking->inputs, instant,
                               (const DaeTerm *)(void *)ticking->input_terms->data, n, error) &&
      dae_point_functions_init(&ticking->assertions, instant,
                               (const DaeTerm *)(void *)ticking->asserted->data,
                               ticking->asserted->len, error);
  for (guint i = 0; good && i < ticking->pieces->len; i++) {
    Piece *piece = g_ptr_array_index(ticking->pieces, i);
    for (uint32_t k = 0; k < piece->n; k++) {
      piece->places[k] = place_of(places, piece->unknowns[k]);
    }
    good = dae_point_functions_init(&piece->functions, instant, piece->equations, piece->n,
                                    error) &&
           (piece->is_explicit || bind_implicit(ticking, piece, error));
  }
  for (uint32_t b = 0; good && b < ticking->n_bases; b++) {
    const DaeBaseClock *base = dae_clocks_base(ticking->clocks, b);
    Base *own = &ticking->bases[b];
    if (base->kind == DAE_BASE_EVENT) {
      own->condition = place_of(places, base->condition);
    }
    good = base->kind == DAE_BASE_PERIODIC ||
           (dae_point_functions_init(&own->interval, instant, &own->interval_term, 1, error) &&
            dae_point_functions_init(&own->first, instant, &own->first_term, 1, error));
  }
  return good;
}

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
    Sub *sub = &ticking->subs[s];
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
ticks_at_count(const DaeTicking *ticking, const Sub *sub, int64_t count)
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
    const Sub *sub = &ticking->subs[s];
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
fail_piece(const DaeTicking *ticking, const Piece *piece, double t, const char *why,
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
  Piece *piece;
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
solve_piece(DaeTicking *ticking, Piece *piece, double t, const double *x, GError **error)
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
run_piece(DaeTicking *ticking, Piece *piece, double t, const double *x, GError **error)
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
  const Sub *sub = &ticking->subs[s];
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
  Base *base = &ticking->bases[b];
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
    Sub *sub = &ticking->subs[s];
    if (sub->ticks) {
      segment[sub->interval] = interval_of(ticking, s, t, x);
      segment[sub->first_tick] = sub->has_ticked ? 0 : 1;
    }
  }
  for (guint i = 0; i < ticking->pieces->len; i++) {
    Piece *piece = g_ptr_array_index(ticking->pieces, i);
    const Sub *sub = &ticking->subs[piece->sub];
    bool counts =
        piece->ticks == DAE_TICKS_ALL || (piece->ticks == DAE_TICKS_LATER) == sub->has_ticked;
    if (sub->ticks && counts && !run_piece(ticking, piece, t, x, error)) {
      return false;
    }
  }
  bool good = check_assertions(ticking, t, x, error);
  for (uint32_t s = 0; s < ticking->n_subs; s++) {
    Sub *sub = &ticking->subs[s];
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
  const Sub *sub = &ticking->subs[s];
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
    Sub *sub = &ticking->subs[s];
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
    Base *base = &ticking->bases[b];
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
    Sub *sub = &ticking->subs[s];
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
