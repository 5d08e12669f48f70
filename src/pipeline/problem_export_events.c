/* Events of a problem as data for exported C. */
#include <string.h>

#include "eval/untied.h"
#include "pipeline/events.h"
#include "pipeline/problem_export.h"
#include "terms/message.h"

/* Jumps of states that constraints tie are found with dense matrices. */
#define LARGEST_DENSE 200u

void
dae_exported_events_free(DaeExportedEvents *events)
{
  if (events == NULL) {
    return;
  }
  for (uint32_t k = 0; events->names != NULL && k < events->data.n_discrete; k++) {
    g_free(events->names[k]);
  }
  for (uint32_t i = 0; events->action_message != NULL && i < events->data.n_actions; i++) {
    g_free(events->action_message[i]);
  }
  for (uint32_t i = 0; events->assertion_message != NULL && i < events->data.n_assertions;
       i++) {
    g_free(events->assertion_message[i]);
  }
  void *const all[] = {(void *)events->assertion_message,
                       events->assertion_kind,
                       events->start_message,
                       events->segment,
                       events->x,
                       events->is_when,
                       events->is_real,
                       events->buffer_kind,
                       events->guard_kind,
                       events->guard_nominal,
                       events->action_kind,
                       events->action_target,
                       (void *)events->action_message,
                       (void *)events->names,
                       events->tick_start,
                       events->tick_interval,
                       events->guards,
                       events->scales,
                       events->rates,
                       events->left_limits,
                       events->time_buffer,
                       events->time_guards,
                       events->time_rates,
                       events->delay_length,
                       events->delay_held,
                       events->delay_varies,
                       events->delay_times,
                       events->is_untied,
                       events->is_given};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  dae_exported_clocks_free(events->clocks);
  dae_exported_messages_free(events->messages);
  g_free(events);
}

static bool
refuse(const DaeProblem *problem, DaeSpan span, GError **error, const char *what)
{
  const DaeModel *model = dae_hybrid_model(problem->pipeline->hybrid);
  g_set_error(error, DAE_ERROR, DAE_ERROR_UNSUPPORTED, "%s:%u:%u: error: %s cannot be exported",
              dae_model_file_of(model, span), span.line, span.column, what);
  return false;
}

static void
collect_discrete(const DaeProblem *problem, DaeExportedEvents *events)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  uint32_t n = events->data.n_discrete;
  events->is_when = g_new0(uint8_t, n + 1);
  events->is_real = g_new0(uint8_t, n + 1);
  events->names = g_new0(char *, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, k);
    events->is_when[k] = discrete->is_when;
    events->is_real[k] = discrete->type == DAE_TYPE_REAL;
    if (discrete->variable != DAE_HYBRID_NONE &&
        !dae_model_variable(dae_hybrid_model(hybrid), discrete->variable)->is_auxiliary) {
      events->names[k] = dae_term_to_string(terms, discrete->now);
    }
  }
}

/* Those that depend on each other are solved with a dense matrix in the memory of the step. */
#define MOST_LOOP_REALS 64u

static bool
count_loop_reals(const DaeProblem *problem, DaeExportedEvents *events, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  for (uint32_t k = 0; k < events->data.n_discrete; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, k);
    if (discrete->in_loop && discrete->type == DAE_TYPE_REAL &&
        ++events->data.n_loop_reals > MOST_LOOP_REALS) {
      return refuse(problem, discrete->span, error,
                    "a model with more than 64 discrete Reals that depend on each other");
    }
  }
  return true;
}

static void
collect_buffers(DaeProblem *problem, DaeExportedEvents *events)
{
  uint32_t n = events->data.n_buffers;
  events->buffer_kind = g_new0(uint8_t, n + 1);
  events->guard_kind = g_new0(uint8_t, n + 1);
  events->guard_nominal = g_new0(double, n + 1);
  events->guards = g_new0(DaeTerm, n + 1);
  events->scales = g_new0(DaeTerm, n + 1);
  events->rates = g_new0(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeBuffer *buffer = dae_buffers_get(problem->buffers, i);
    events->buffer_kind[i] = (uint8_t)buffer->kind;
    events->guard_kind[i] = (uint8_t)buffer->guard;
    events->guard_nominal[i] = dae_instant_guard_nominal(problem->instant, i);
    events->guards[i] = buffer->g;
    events->scales[i] = dae_instant_scale(problem->instant, i);
    events->rates[i] = dae_instant_rate(problem->instant, i);
  }
}

/* Those of other forms than a*time + b. */
static void
collect_time_guards(DaeProblem *problem, DaeExportedEvents *events)
{
  uint32_t n = events->data.n_buffers;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  events->time_buffer = g_new0(uint32_t, n + 1);
  events->time_guards = g_new0(DaeTerm, n + 1);
  events->time_rates = g_new0(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_buffers_get(problem->buffers, i)->guard == DAE_GUARD_TIME) {
      uint32_t k = events->data.n_time++;
      events->time_buffer[k] = i;
      events->time_guards[k] = events->guards[i];
      events->time_rates[k] = events->rates[i];
      events->rates[i] = dae_term_int(terms, 0);
    }
  }
  events->data.time_buffer = events->time_buffer;
  events->data.time_guards = events->time_guards;
  events->data.time_rates = events->time_rates;
}

static void
collect_times(const DaeProblem *problem, DaeExportedEvents *events)
{
  events->tick_start = g_new0(double, events->data.n_samples + 1);
  events->tick_interval = g_new0(double, events->data.n_samples + 1);
  for (uint32_t i = 0; i < events->data.n_samples; i++) {
    dae_instant_sample_times(problem->instant, i, &events->tick_start[i],
                             &events->tick_interval[i]);
  }
  events->left_limits = g_new0(DaeTerm, events->data.n_left_limits + 1);
  for (uint32_t i = 0; i < events->data.n_left_limits; i++) {
    events->left_limits[i] = dae_instant_left_limit(problem->instant, i);
  }
}

static void
collect_delays(const DaeProblem *problem, DaeExportedEvents *events)
{
  uint32_t n = events->data.n_delays;
  events->delay_length = g_new0(double, n + 1);
  events->delay_held = g_new0(uint8_t, n + 1);
  events->delay_varies = g_new0(uint8_t, n + 1);
  events->delay_times = g_new0(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    bool is_held = false;
    events->delay_length[i] = dae_instant_delay_length(problem->instant, i, &is_held);
    events->delay_held[i] = is_held;
    DaeTerm time = dae_instant_delay_time(problem->instant, i);
    events->delay_varies[i] = time != DAE_NO_TERM;
    events->delay_times[i] =
        time != DAE_NO_TERM ? time : dae_term_int(dae_pipeline_terms(problem->pipeline), 0);
  }
  events->data.delay_varies = events->delay_varies;
  events->data.delay_times = events->delay_times;
  events->data.delay_length = events->delay_length;
  events->data.delay_held = events->delay_held;
}

static DaeCgenAction
kind_of(const DaeHybridAction *action)
{
  return action->kind == DAE_ACTION_REINIT      ? DAE_CGEN_REINIT
         : action->kind == DAE_ACTION_TERMINATE ? DAE_CGEN_TERMINATE
         : action->print_to != NULL             ? DAE_CGEN_PRINT
         : action->is_warning                   ? DAE_CGEN_WARNING
                                                : DAE_CGEN_ASSERT;
}

/* In how many rows of the leading matrix is the derivative of unknown j? */
static uint32_t
count_rows(const DaeEvaluator *ev, uint32_t j)
{
  uint32_t n = 0;
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    n += ev->mass.column[e] == j ? 1 : 0;
  }
  return n;
}

/* Before anything is run: export changes no files either. */
static bool
look_for_files(const DaeProblem *problem, uint32_t n_actions, GError **error)
{
  for (uint32_t i = 0; i < n_actions; i++) {
    const DaeHybridAction *action = dae_hybrid_action(problem->pipeline->hybrid, i);
    if (action->print_to != NULL && *action->print_to != '\0') {
      return refuse(problem, action->span, error, "what changes files");
    }
  }
  return true;
}

static void
collect_actions(const DaeProblem *problem, DaeExportedEvents *events)
{
  const DaeEvaluator *ev = dae_problem_evaluator(problem);
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  uint32_t n = events->data.n_actions;
  events->action_kind = g_new0(uint8_t, n + 1);
  events->action_target = g_new0(uint32_t, n + 1);
  events->action_message = g_new0(char *, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeHybridAction *action = dae_hybrid_action(problem->pipeline->hybrid, i);
    events->action_kind[i] = (uint8_t)kind_of(action);
    events->action_message[i] =
        action->message != NULL ? dae_message_fill(terms, action->message, NULL, NULL) : NULL;
    if (action->kind != DAE_ACTION_REINIT) {
      continue;
    }
    for (uint32_t j = 0; j < problem->unknowns->len; j++) {
      if (g_array_index(problem->unknowns, DaeTerm, j) == action->target) {
        events->action_target[i] = j;
      }
    }
    /* the reset of an algebraic unknown moves the state behind it */
    events->data.has_jumps =
        events->data.has_jumps || count_rows(ev, events->action_target[i]) == 0;
  }
}

/* Those outside of when-clauses. */
static void
collect_assertions(const DaeProblem *problem, DaeExportedEvents *events)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const uint32_t n = events->data.n_assertions;
  events->assertion_kind = g_new0(uint8_t, n + 1);
  events->assertion_message = g_new0(char *, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeAssertion *assertion = dae_model_assertion(problem->model, i);
    events->assertion_kind[i] = assertion->is_warning ? DAE_CGEN_WARNING : DAE_CGEN_ASSERT;
    events->assertion_message[i] = assertion->message != NULL
                                       ? dae_message_fill(terms, assertion->message, NULL, NULL)
                                       : g_strdup("");
  }
  events->data.assertion_kind = events->assertion_kind;
  events->data.assertion_message = (const char *const *)events->assertion_message;
}

static bool
is_of_events(const DaeProblem *problem, GHashTable *atoms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(dae_pipeline_terms(problem->pipeline), t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (g_hash_table_contains(atoms, GUINT_TO_POINTER(top))) {
      return true;
    }
    dae_visit_enter(visit, top);
  }
  return false;
}

static bool
holds_only(const DaePattern *pattern, uint32_t i, const uint8_t *is_given)
{
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    if (is_given[pattern->column[e]] == 0) {
      return false;
    }
  }
  return true;
}

/* Constraints that give unknowns one after the other, and levels of impulses where these jump and
 * are differentiated more than once (instant/restart.c). */
static void
look_for_given(const DaeProblem *problem, DaeExportedEvents *events)
{
  enum { MOST_LEVELS = 4 };

  const DaeSystemParts *parts = &problem->parts;
  const DaePattern *pattern = &dae_problem_evaluator(problem)->constraint;
  const int32_t level = dae_qlt_max_level(problem->qlt);
  g_autofree uint8_t *is_given = g_new0(uint8_t, (size_t)parts->n + 1);
  g_autoptr(GHashTable) atoms = g_hash_table_new(NULL, NULL);
  events->is_given = g_new0(uint8_t, (size_t)parts->n_con + 1);
  events->data.is_given = events->is_given;
  events->data.jump_levels = 1;
  for (uint32_t i = 0; i < events->data.n_event; i++) {
    g_hash_table_add(atoms, GUINT_TO_POINTER(parts->segment[i]));
  }
  dae_evaluator_find_given(dae_problem_evaluator(problem), is_given);
  for (uint32_t i = 0; i < parts->n_con && level > 1; i++) {
    events->is_given[i] = holds_only(pattern, i, is_given) ? 1 : 0;
    if (events->is_given[i] != 0 && is_of_events(problem, atoms, parts->constraints[i])) {
      events->data.jump_levels = (uint32_t)MIN(level, MOST_LEVELS);
    }
  }
}

/* Constraints beside those that give the algebraic unknowns: states that are set take others
 * with them. */
static bool
look_for_jumps(const DaeProblem *problem, DaeExportedEvents *events, GError **error)
{
  const DaeEvaluator *ev = dae_problem_evaluator(problem);
  uint32_t n_algebraic = 0;
  for (uint32_t j = 0; j < ev->n; j++) {
    n_algebraic += count_rows(ev, j) == 0 ? 1 : 0;
  }
  events->data.has_jumps = events->data.has_jumps || ev->n_con > n_algebraic;
  events->is_untied = g_new0(uint8_t, (size_t)ev->n + 1);
  dae_evaluator_find_untied(ev, events->is_untied);
  events->data.is_untied = events->is_untied;
  look_for_given(problem, events);
  const DaeSpan begin = {.line = 1, .column = 1};
  if (events->data.has_jumps && ev->n + n_algebraic > LARGEST_DENSE) {
    return refuse(
        problem, begin, error,
        "a model with events and constraints on its states and more than 200 unknowns");
  }
  if (events->data.needs_slopes && ev->n > LARGEST_DENSE) {
    return refuse(problem, begin, error,
                  "a model with derivatives in its conditions and more than 200 unknowns");
  }
  return true;
}

/* ---- the values after the initial event -------------------------------------------------- */

typedef struct {
  const DaeProblem *problem;
  DaeExportedEvents *events;
  bool is_done;
} First;

/* The first point that a run puts out has the values after its initial event. */
static bool
take_first_point(void *user, double t, const double *x, const double *xdot,
                 const uint8_t *states)
{
  First *first = user;
  const DaeProblem *problem = first->problem;
  (void)t;
  (void)xdot;
  (void)states;
  if (!first->is_done) {
    memcpy(first->events->segment, dae_instant_segment(problem->instant),
           problem->parts.n_segment * sizeof(double));
    memcpy(first->events->x, x, problem->unknowns->len * sizeof(double));
    if (first->events->clocks != NULL) {
      dae_exported_clocks_take_state(first->events->clocks, problem->instant);
    }
  }
  first->is_done = true;
  return false; /* no more */
}

static bool
take_start(DaeProblem *problem, DaeExportedEvents *events, GError **error)
{
  DaeSolverOptions options;
  DaeSolverResult result;
  First first = {problem, events, false};
  dae_solver_default_options(&options);
  options.t_start = problem->t_start;
  options.t_stop = problem->t_start + 1;
  events->segment = g_new0(double, problem->parts.n_segment + 1);
  events->x = g_memdup2(problem->x, (problem->unknowns->len + 1) * sizeof(double));
  g_autofree double *x = g_memdup2(problem->x, (problem->unknowns->len + 1) * sizeof(double));
  if (!dae_problem_run_events(problem, &options, take_first_point, &first, &result, error)) {
    return false;
  }
  events->start_message = g_strdup(dae_instant_last_words(problem->instant));
  events->data.start_message = events->start_message;
  /* the initial event is still to come for runs that follow */
  memcpy(problem->x, x, problem->unknowns->len * sizeof(double));
  return dae_instant_take_start(problem->instant, problem->t_start, problem->x,
                                problem->discrete_now, problem->discrete_pre, error);
}

DaeExportedEvents *
dae_problem_events_as_data(DaeProblem *problem, GError **error)
{
  g_autoptr(DaeExportedEvents) events = g_new0(DaeExportedEvents, 1);
  DaeInstantTables tables;
  dae_instant_tables(problem->instant, &tables);
  events->data =
      (DaeCgenEvents){.n_event = tables.n_event,
                      .n_discrete = tables.n_discrete,
                      .n_samples = tables.n_samples,
                      .n_left_limits = tables.n_left_limits,
                      .n_buffers = tables.n_buffers,
                      .n_actions = tables.n_actions,
                      .at_pre = tables.at_pre,
                      .at_sample = tables.at_sample,
                      .at_left_limit = tables.at_left_limit,
                      .at_terminal = tables.at_terminal,
                      .at_buffer = tables.at_buffer,
                      .in_system = tables.in_system,
                      .values = tables.values,
                      .conditions = tables.conditions,
                      .results = tables.results,
                      .n_assertions = tables.n_assertions,
                      .asserted = tables.asserted,
                      .needs_slopes = tables.needs_slopes,
                      .n_delays = tables.n_delays,
                      .at_delay = tables.at_delay,
                      .delayed = tables.delayed,
                      .n_open = tables.n_open,
                      .at_open = tables.at_open,
                      .open_columns = tables.open_columns,
                      .open_terms = (const DaeTerm *)(void *)problem->open_terms->data,
                      .nominal = problem->nominal};
  if (!look_for_files(problem, events->data.n_actions, error)) {
    return NULL;
  }
  collect_discrete(problem, events);
  collect_buffers(problem, events);
  collect_times(problem, events);
  collect_delays(problem, events);
  collect_time_guards(problem, events);
  const bool has_clocks = dae_hybrid_clocks(problem->pipeline->hybrid) != NULL;
  events->clocks = has_clocks ? dae_problem_clocks_as_data(problem, error) : NULL;
  collect_actions(problem, events);
  collect_assertions(problem, events);
  if ((has_clocks && events->clocks == NULL) || !count_loop_reals(problem, events, error) ||
      !look_for_jumps(problem, events, error) || !take_start(problem, events, error)) {
    return NULL;
  }
  events->messages =
      dae_problem_messages_as_data(problem, events->data.n_actions, events->data.n_assertions);
  events->data.messages = events->messages->data;
  events->data.clocks = dae_exported_clocks_data(events->clocks);
  events->data.start = events->segment;
  events->data.is_when = events->is_when;
  events->data.is_real = events->is_real;
  events->data.names = (const char *const *)events->names;
  events->data.tick_start = events->tick_start;
  events->data.tick_interval = events->tick_interval;
  events->data.buffer_kind = events->buffer_kind;
  events->data.guard_kind = events->guard_kind;
  events->data.guard_nominal = events->guard_nominal;
  events->data.guards = events->guards;
  events->data.scales = events->scales;
  events->data.rates = events->rates;
  events->data.action_kind = events->action_kind;
  events->data.action_target = events->action_target;
  events->data.action_message = (const char *const *)events->action_message;
  events->data.left_limits = events->left_limits;
  return g_steal_pointer(&events);
}

static bool
ignore_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)user;
  (void)t;
  (void)x;
  (void)xdot;
  (void)states;
  return true;
}

bool
dae_problem_run_for_export(void *user, const DaeSolverOptions *options, double *x,
                           DaeSolverResult *result, GError **error)
{
  DaeProblem *problem = user;
  bool ok = dae_problem_run_events(problem, options, ignore_point, NULL, result, error);
  if (problem->unknowns->len > 0) { /* clocks alone need no unknowns, and x is NULL then */
    memcpy(x, problem->x, problem->unknowns->len * sizeof(double));
  }
  return ok;
}
