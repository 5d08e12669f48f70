/* Ticks of clocks as data, for those who write them elsewhere. */
#include <math.h>

#include "instant/ticks-priv.h"

uint32_t
dae_instant_n_tick_pieces(const DaeInstant *instant)
{
  return instant->ticking != NULL ? instant->ticking->pieces->len : 0;
}

uint32_t
dae_instant_n_tick_subs(const DaeInstant *instant)
{
  return instant->ticking != NULL ? instant->ticking->n_subs : 0;
}

uint32_t
dae_instant_n_tick_bases(const DaeInstant *instant)
{
  return instant->ticking != NULL ? instant->ticking->n_bases : 0;
}

void
dae_instant_tick_piece(const DaeInstant *instant, uint32_t i, DaeTickPieceTable *piece)
{
  const DaeTickPiece *own = g_ptr_array_index(instant->ticking->pieces, i);
  *piece = (DaeTickPieceTable){.sub = own->sub,
                               .ticks = own->ticks,
                               .is_explicit = own->is_explicit,
                               .n = own->n,
                               .places = own->places,
                               .equations = own->equations,
                               .slopes = own->slope_terms,
                               .slope_start = own->row_start,
                               .slope_at = own->column,
                               .span = own->span};
}

void
dae_instant_tick_sub(const DaeInstant *instant, uint32_t i, DaeTickSubTable *sub)
{
  const DaeTicking *ticking = instant->ticking;
  const DaeTickSub *own = &ticking->subs[i];
  DaeTerms *terms = ticking->terms;
  *sub = (DaeTickSubTable){.base = dae_clocks_sub(ticking->clocks, i)->base,
                           .period = dae_term_get_double(terms, own->period),
                           .shift = dae_term_get_double(terms, own->shift),
                           .interval_place = own->interval,
                           .first_tick_place = own->first_tick,
                           .last = own->last,
                           .has_ticked = own->has_ticked};
  if (dae_clocks_base(ticking->clocks, sub->base)->kind == DAE_BASE_PERIODIC) {
    DaeTerm first = dae_term_add(terms, ticking->start, own->shift);
    sub->n_ticks =
        round(dae_term_get_double(terms, dae_term_sub(terms, own->next, first)) / sub->period);
  }
}

void
dae_instant_tick_base(const DaeInstant *instant, uint32_t i, DaeTickBaseTable *base)
{
  const DaeTicking *ticking = instant->ticking;
  const DaeTickBase *own = &ticking->bases[i];
  const DaeBaseClock *clock = dae_clocks_base(ticking->clocks, i);
  *base = (DaeTickBaseTable){.kind = clock->kind,
                             .condition = own->condition,
                             .interval = own->interval_term,
                             .first = own->first_term,
                             .resolution = (double)clock->resolution,
                             .count = (double)own->count,
                             .next = own->next != DAE_NO_TERM
                                         ? dae_term_get_double(ticking->terms, own->next)
                                         : INFINITY};
}

const DaeTerm *
dae_instant_tick_inputs(const DaeInstant *instant, uint32_t *n, const uint32_t **places)
{
  *n = instant->ticking->input_terms->len;
  *places = instant->ticking->input_places;
  return (const DaeTerm *)(void *)instant->ticking->input_terms->data;
}

const DaeTerm *
dae_instant_tick_assertions(const DaeInstant *instant)
{
  return (const DaeTerm *)(void *)instant->ticking->asserted->data;
}
