/* What happens at an instant as data, for those who write it elsewhere. */
#include "instant/delay-priv.h"

void
dae_instant_tables(const DaeInstant *instant, DaeInstantTables *tables)
{
  const uint32_t n_event = instant->at_open + 2 * instant->parts.n_open;
  const bool is_trivial = dae_hybrid_is_trivial(instant->hybrid);
  *tables = (DaeInstantTables){
      .n_event = n_event,
      .n_discrete = instant->n_discrete,
      .n_samples = instant->n_samples,
      .n_left_limits = instant->n_cpre,
      .n_buffers = instant->n_buffers,
      .n_actions = instant->conditions->len,
      .at_pre = instant->at_pre,
      .at_sample = instant->at_sample,
      .at_left_limit = instant->at_cpre,
      .at_terminal = is_trivial ? n_event : instant->at_terminal,
      .at_buffer = instant->at_buffer,
      .n_open = instant->parts.n_open,
      .at_open = instant->at_open,
      .open_columns = instant->parts.open_columns,
      .in_system = instant->in_system,
      .values = (const DaeTerm *)(void *)instant->values->data,
      .conditions = (const DaeTerm *)(void *)instant->conditions->data,
      .results = (const DaeTerm *)(void *)instant->results->data,
      .n_assertions = instant->asserted->len,
      .asserted = (const DaeTerm *)(void *)instant->asserted->data,
      .needs_slopes = instant->needs_slopes,
      .n_delays = instant->delays->n,
      .at_delay = instant->at_delay,
      .delayed = (const DaeTerm *)(void *)instant->delayed->data,
  };
}

const char *
dae_instant_last_words(const DaeInstant *instant)
{
  return instant->last_words;
}

double
dae_instant_delay_length(const DaeInstant *instant, uint32_t i, bool *is_held)
{
  *is_held = instant->delays->list[i].is_held;
  return instant->delays->list[i].length;
}

DaeTerm
dae_instant_delay_time(const DaeInstant *instant, uint32_t i)
{
  return instant->delays->list[i].is_varying ? g_array_index(instant->lengths, DaeTerm, i)
                                             : DAE_NO_TERM;
}

DaeTerm
dae_instant_left_limit(const DaeInstant *instant, uint32_t i)
{
  return instant->parts.lower(instant->parts.user,
                              dae_hybrid_continuous_pre(instant->hybrid, i)->of);
}

DaeTerm
dae_instant_scale(DaeInstant *instant, uint32_t i)
{
  return dae_guard_scale(instant, dae_buffers_get(instant->buffers, i)->g);
}

double
dae_instant_guard_nominal(const DaeInstant *instant, uint32_t i)
{
  return dae_guard_nominal(instant, i);
}

DaeTerm
dae_instant_rate(const DaeInstant *instant, uint32_t i)
{
  const DaeGuardKind kind = dae_buffers_get(instant->buffers, i)->guard;
  const bool is_of_time = kind == DAE_GUARD_LINEAR_TIME || kind == DAE_GUARD_TIME;
  return is_of_time && instant->slope[i] != DAE_NO_TERM ? instant->slope[i]
                                                        : dae_term_int(instant->terms, 0);
}

void
dae_instant_sample_times(const DaeInstant *instant, uint32_t i, double *start, double *interval)
{
  const DaeTicker *ticker = &g_array_index(instant->tickers, DaeTicker, i);
  *start = dae_term_get_double(instant->terms, ticker->start);
  *interval = dae_term_get_double(instant->terms, ticker->interval);
}
