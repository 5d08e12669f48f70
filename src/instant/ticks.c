#include "instant/ticks.h"

#include <string.h>

#include "instant/ticks-priv.h"
#include "numeric/numeric.h"

static void
free_piece(gpointer data)
{
  DaeTickPiece *piece = data;
  dae_point_functions_clear(&piece->functions);
  dae_point_functions_clear(&piece->slopes);
  g_free(piece->unknowns);
  g_free(piece->equations);
  g_free(piece->places);
  g_free(piece->row_start);
  g_free(piece->column);
  g_free(piece->slope_terms);
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
    DaeTickPiece *piece = g_new0(DaeTickPiece, 1);
    g_ptr_array_add(ticking->pieces, piece);
    *piece = (DaeTickPiece){.sub = first->sub,
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
  ticking->subs = g_new0(DaeTickSub, ticking->n_subs + 1);
  ticking->bases = g_new0(DaeTickBase, ticking->n_bases + 1);
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
bind_implicit(DaeTicking *ticking, DaeTickPiece *piece, GError **error)
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
  piece->slope_terms = g_new0(DaeTerm, slopes->len + 1);
  if (columns->len > 0) {
    memcpy(piece->column, columns->data, columns->len * sizeof(uint32_t));
    memcpy(piece->slope_terms, slopes->data, slopes->len * sizeof(DaeTerm));
  }
  return dae_point_functions_init(&piece->slopes, ticking->instant, piece->slope_terms,
                                  slopes->len, error);
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
    DaeTickPiece *piece = g_ptr_array_index(ticking->pieces, i);
    for (uint32_t k = 0; k < piece->n; k++) {
      piece->places[k] = place_of(places, piece->unknowns[k]);
    }
    good = dae_point_functions_init(&piece->functions, instant, piece->equations, piece->n,
                                    error) &&
           (piece->is_explicit || bind_implicit(ticking, piece, error));
  }
  for (uint32_t b = 0; good && b < ticking->n_bases; b++) {
    const DaeBaseClock *base = dae_clocks_base(ticking->clocks, b);
    DaeTickBase *own = &ticking->bases[b];
    if (base->kind == DAE_BASE_EVENT) {
      own->condition = place_of(places, base->condition);
    }
    good = base->kind == DAE_BASE_PERIODIC ||
           (dae_point_functions_init(&own->interval, instant, &own->interval_term, 1, error) &&
            dae_point_functions_init(&own->first, instant, &own->first_term, 1, error));
  }
  return good;
}
