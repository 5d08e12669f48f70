/* Clocks of a problem as data for exported C. */
#include <math.h>

#include "pipeline/problem_export.h"
#include "terms/message.h"

/* Equations that are solved at a tick have a dense matrix. */
#define LARGEST_DENSE 200u

struct DaeExportedClocks {
  DaeCgenClocks data;
  DaeCgenTickPiece *pieces;
  DaeCgenSubClock *subs;
  DaeCgenBaseClock *bases;
  DaeTerm *intervals, *firsts;
  uint32_t *assertion_sub;
  uint8_t *assertion_warns;
  char **assertion_message;
  double *before;
};

void
dae_exported_clocks_free(DaeExportedClocks *clocks)
{
  if (clocks == NULL) {
    return;
  }
  for (uint32_t i = 0; clocks->assertion_message != NULL && i < clocks->data.n_assertions;
       i++) {
    g_free(clocks->assertion_message[i]);
  }
  void *const all[] = {clocks->pieces,          clocks->subs,
                       clocks->bases,           clocks->intervals,
                       clocks->firsts,          clocks->assertion_sub,
                       clocks->assertion_warns, (void *)clocks->assertion_message,
                       clocks->before};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(clocks);
}

static void
collect_pieces(const DaeProblem *problem, DaeExportedClocks *clocks)
{
  const uint32_t n = dae_instant_n_tick_pieces(problem->instant);
  clocks->pieces = g_new0(DaeCgenTickPiece, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    DaeTickPieceTable piece;
    dae_instant_tick_piece(problem->instant, i, &piece);
    clocks->pieces[i] = (DaeCgenTickPiece){.sub = piece.sub,
                                           .ticks = (uint32_t)piece.ticks,
                                           .is_explicit = piece.is_explicit,
                                           .n = piece.n,
                                           .places = piece.places,
                                           .equations = piece.equations,
                                           .slopes = piece.slopes,
                                           .slope_start = piece.slope_start,
                                           .slope_at = piece.slope_at};
  }
  clocks->data.n_pieces = n;
  clocks->data.pieces = clocks->pieces;
}

static void
collect_bases(const DaeProblem *problem, DaeExportedClocks *clocks)
{
  const uint32_t n = dae_instant_n_tick_bases(problem->instant);
  const DaeTerm zero = dae_term_int(dae_pipeline_terms(problem->pipeline), 0);
  clocks->intervals = g_new0(DaeTerm, (size_t)n + 1);
  clocks->firsts = g_new0(DaeTerm, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    DaeTickBaseTable base;
    dae_instant_tick_base(problem->instant, i, &base);
    const bool is_periodic = base.kind == DAE_BASE_PERIODIC;
    clocks->intervals[i] = is_periodic ? zero : base.interval;
    clocks->firsts[i] = is_periodic ? zero : base.first;
  }
  clocks->data.n_bases = n;
  clocks->data.intervals = clocks->intervals;
  clocks->data.firsts = clocks->firsts;
}

static void
collect_assertions(const DaeProblem *problem, DaeExportedClocks *clocks)
{
  const DaeClocks *model = dae_hybrid_clocks(problem->pipeline->hybrid);
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const uint32_t n = dae_clocks_n_assertions(model);
  clocks->assertion_sub = g_new0(uint32_t, (size_t)n + 1);
  clocks->assertion_warns = g_new0(uint8_t, (size_t)n + 1);
  clocks->assertion_message = g_new0(char *, (size_t)n + 1);
  clocks->data.n_assertions = n;
  for (uint32_t i = 0; i < n; i++) {
    const DaeClockedAssertion *clocked = dae_clocks_assertion(model, i);
    const DaeAssertion *assertion = &clocked->assertion;
    clocks->assertion_sub[i] = clocked->sub;
    clocks->assertion_warns[i] = assertion->is_warning;
    clocks->assertion_message[i] = assertion->message != NULL
                                       ? dae_message_fill(terms, assertion->message, NULL, NULL)
                                       : NULL;
  }
  clocks->data.assertions = dae_instant_tick_assertions(problem->instant);
  clocks->data.assertion_sub = clocks->assertion_sub;
  clocks->data.assertion_warns = clocks->assertion_warns;
  clocks->data.assertion_message = (const char *const *)clocks->assertion_message;
}

DaeExportedClocks *
dae_problem_clocks_as_data(DaeProblem *problem, GError **error)
{
  const DaeModel *model = dae_hybrid_model(problem->pipeline->hybrid);
  for (uint32_t i = 0; i < dae_instant_n_tick_pieces(problem->instant); i++) {
    DaeTickPieceTable piece;
    dae_instant_tick_piece(problem->instant, i, &piece);
    if (!piece.is_explicit && piece.n > LARGEST_DENSE) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_UNSUPPORTED,
                  "%s:%u:%u: error: more than %u clocked equations that must be solved "
                  "together cannot be exported",
                  dae_model_file_of(model, piece.span), piece.span.line, piece.span.column,
                  LARGEST_DENSE);
      return NULL;
    }
  }
  DaeExportedClocks *clocks = g_new0(DaeExportedClocks, 1);
  const uint32_t n = dae_hybrid_n_discrete(problem->pipeline->hybrid);
  collect_pieces(problem, clocks);
  collect_bases(problem, clocks);
  collect_assertions(problem, clocks);
  clocks->data.inputs = dae_instant_tick_inputs(problem->instant, &clocks->data.n_inputs,
                                                &clocks->data.input_places);
  clocks->before = g_memdup2(problem->discrete_now, ((size_t)n + 1) * sizeof(double));
  clocks->data.before = clocks->before;
  return clocks;
}

/* The clocks as they are now, after the initial event. */
void
dae_exported_clocks_take_state(DaeExportedClocks *clocks, const DaeInstant *instant)
{
  const uint32_t n_subs = dae_instant_n_tick_subs(instant);
  clocks->subs = g_new0(DaeCgenSubClock, (size_t)n_subs + 1);
  clocks->bases = g_new0(DaeCgenBaseClock, (size_t)clocks->data.n_bases + 1);
  for (uint32_t i = 0; i < n_subs; i++) {
    DaeTickSubTable sub;
    dae_instant_tick_sub(instant, i, &sub);
    clocks->subs[i] = (DaeCgenSubClock){.base = sub.base,
                                        .interval = sub.interval_place,
                                        .first_tick = sub.first_tick_place,
                                        .period = sub.period,
                                        .shift = sub.shift,
                                        .n_ticks = sub.n_ticks,
                                        .last = sub.has_ticked ? sub.last : 0,
                                        .has_ticked = sub.has_ticked};
  }
  for (uint32_t i = 0; i < clocks->data.n_bases; i++) {
    DaeTickBaseTable base;
    dae_instant_tick_base(instant, i, &base);
    clocks->bases[i] = (DaeCgenBaseClock){.kind = (uint32_t)base.kind,
                                          .condition = base.condition,
                                          .resolution = base.resolution,
                                          .count = base.count,
                                          .next = base.next};
  }
  clocks->data.n_subs = n_subs;
  clocks->data.subs = clocks->subs;
  clocks->data.bases = clocks->bases;
}

const DaeCgenClocks *
dae_exported_clocks_data(const DaeExportedClocks *clocks)
{
  return clocks != NULL ? &clocks->data : NULL;
}
