#include <float.h>
#include <math.h>
#include <string.h>

#include "pipeline/event_run-priv.h"
#include "pipeline/mode_structure.h"
#include "pipeline/results.h"

#define MOST_PIECES_THERE 1000u
#define MOST_TURNED_BACK 32u       /* steps that begin at one time */
#define RESOLUTION 1e-4            /* of guards, by the tolerance: [language-and-events, 3.8] */
#define AT_ONCE (64 * DBL_EPSILON) /* of the time */

typedef DaeEventRun Run;

/* ---- events ------------------------------------------------------------------------------- */

static void
tell_listener(Run *run, DaeCause cause)
{
  static const char *const kinds[] = {"initial", "time", "state", "terminal"};
  if (run->problem->listener == NULL) {
    return;
  }
  g_autoptr(GString) why = g_string_new(NULL);
  g_autoptr(GString) what = g_string_new(NULL);
  dae_instant_describe_cause(run->instant, why);
  dae_instant_describe_changes(run->instant, what);
  DaeEventRecord record = {run->t, kinds[cause], why->str, what->str};
  run->problem->listener(run->problem->listener_user, &record);
}

static void
count_event(Run *run, DaeCause cause, const DaeInstantResult *result)
{
  DaeEventStats *stats = &run->problem->event_stats;
  stats->time += cause == DAE_CAUSE_TIME ? 1 : 0;
  stats->state += cause == DAE_CAUSE_STATE ? 1 : 0;
  stats->iterations += result->iterations;
}

static void
set_resolution(Run *run, double resolution)
{
  run->resolution = resolution;
  dae_instant_set_resolution(run->instant, fmax(resolution, DAE_FINE_RESOLUTION));
}

/* Sides and thresholds of the guards for the segment that begins. */
static void
set_roots(Run *run)
{
  if (run->looks_closer) {
    set_resolution(run, fmin(run->resolution, DAE_FINE_RESOLUTION));
  }
  uint32_t n = dae_instant_n_guards(run->instant);
  const DaeAffineGuards *affine = dae_instant_affine_guards(run->instant);
  g_autofree double *scales = g_new0(double, n + 1);
  dae_instant_guard_scales(run->instant, run->t, run->x, scales);
  g_autofree double *values = g_new0(double, n + 1);
  dae_instant_guards(run->instant, 1, &run->t, run->x, values);
  for (uint32_t i = 0; i < n; i++) {
    run->side[i] = 1;
    run->threshold[i] = run->resolution * (isfinite(scales[i]) ? scales[i] : 1);
    /* a right limit, a little beyond the zero: it has to leave its side farther than that */
    if (values[i] < 0) {
      run->threshold[i] = fmax(run->threshold[i], -2 * values[i]);
    }
  }
  run->roots.is_affine = affine->is_affine;
  run->roots.affine_start = affine->start;
  run->roots.affine_column = affine->column;
  run->roots.affine_factor = affine->factor;
  run->roots.affine_constant = affine->constant;
  run->roots.affine_slope = affine->slope;
}

static void
note_mode(Run *run)
{
  gint64 *mode = g_new(gint64, 1);
  *mode = (gint64)dae_instant_mode(run->instant);
  g_hash_table_add(run->modes, mode);
  run->problem->event_stats.modes = g_hash_table_size(run->modes);
}

/* The integrator begins anew from the values after the event. */
static bool
restart(Run *run)
{
  DaeReinit reinit = {.t = &run->t,
                      .x = run->x,
                      .segment = dae_instant_segment(run->instant),
                      .mode = dae_instant_mode(run->instant)};
  run->status = dae_integrator_reinit(run->it, &reinit);
  run->restarted = true;
  return run->status == DAE_SOLVER_COMPLETED;
}

/* Goes on after an event: anew where something continuous changed. */
static bool
go_on(Run *run, const DaeInstantResult *result)
{
  DaeEventStats *stats = &run->problem->event_stats;
  note_mode(run);
  set_roots(run);
  if (!result->continuous_changed) {
    stats->restarts_avoided++;
    return true;
  }
  stats->restarts++;
  return restart(run);
}

/* The values after the event. Where there are none because the structure is another one,
 * that is told. */
static bool
take_event(Run *run, DaeCause cause, const uint32_t *flipped, uint32_t n_flipped,
           DaeInstantResult *result)
{
  GError *structure = NULL;
  bool good = dae_instant_event(run->instant, cause, run->t, run->x, flipped, n_flipped, result,
                                run->error);
  if (!dae_mode_structure_holds(run->problem->mode_structure, run->problem, run->t,
                                &structure)) {
    g_clear_error(run->error);
    g_propagate_error(run->error, structure);
    return false;
  }
  return good;
}

/* The values after an event. One row of the grid at an event has the right limit: discrete
 * variables are continuous from the right. is_last: no other one follows in the same step. */
static bool
put_out_right_limit(Run *run, bool is_due, bool is_last, bool has_row)
{
  double t = run->t;
  if (!has_row && !(is_due && is_last)) {
    return true;
  }
  if (is_due && is_last && run->options->interval > 0) {
    run->t = has_row ? t : dae_event_run_output_time(run, run->outputs);
    run->outputs++;
  }
  bool good = dae_event_run_put_out_here(run);
  run->t = t;
  return good;
}

/* An event at run->t, where x is the left limit. */
static bool
event(Run *run, DaeCause cause, const DaeStop *stop)
{
  DaeInstantResult result;
  g_autofree uint32_t *flipped = NULL;
  uint32_t n_flipped = stop != NULL ? stop->n_crossed : 0;
  bool rows = !run->options->no_event_rows;
  if (n_flipped > 0) {
    flipped = g_new0(uint32_t, n_flipped);
    for (uint32_t i = 0; i < n_flipped; i++) {
      flipped[i] = dae_instant_guard_buffer(run->instant, stop->crossed[i]);
    }
    bool breaks = false;
    if (!dae_instant_is_delay_guard(run->instant, stop->crossed[0], &breaks) &&
        dae_event_run_is_stuck(run, stop->crossed[0])) {
      return false;
    }
  }
  bool is_due = dae_event_run_is_output_time(run, run->t);
  bool has_left_row = cause != DAE_CAUSE_INITIAL && rows && !run->goes_on;
  if (has_left_row && !dae_event_run_put_out_point(run, run->t)) {
    return false;
  }
  if (!take_event(run, cause, flipped, n_flipped, &result)) {
    run->failed_assertion = true;
    return false;
  }
  count_event(run, cause, &result);
  if (result.changed && result.continuous_changed && cause == DAE_CAUSE_TIME) {
    dae_event_run_look_for_short_mode(run);
  }
  if (cause != DAE_CAUSE_INITIAL || result.changed) {
    tell_listener(run, cause);
  }
  if (result.terminated) {
    g_autofree char *text = g_strdup_printf("the simulation was terminated at t = %.10g: %s",
                                            run->t, result.message);
    dae_report(dae_pipeline_reporter(run->problem->pipeline),
               &(DaeDiagnostic){.severity = DAE_NOTE, .message = text});
    run->terminated = true;
  }
  if (cause != DAE_CAUSE_TERMINAL && !go_on(run, &result)) {
    return false;
  }
  run->goes_on = !run->terminated && dae_event_run_is_another_due(run);
  /* the last point of a run is one of the grid */
  bool has_row = rows || cause == DAE_CAUSE_INITIAL || run->terminated;
  bool is_last = !run->goes_on || cause == DAE_CAUSE_INITIAL; /* the start has its row */
  return put_out_right_limit(run, is_due, is_last, has_row);
}

/* ---- the loop ----------------------------------------------------------------------------- */

static void
guard_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  dae_instant_guards(user, lanes, t, x, out);
}

static double
guard_value(void *user, uint32_t i, double t, const double *x)
{
  return dae_instant_guard(user, i, t, x);
}

static bool
guard_may_cross(void *user, uint32_t i, DaeRange time, DaeRange *x, double threshold)
{
  const double bounds[2] = {time.low, time.high};
  return dae_instant_guard_may_cross(user, i, bounds, (double *)(void *)x, threshold);
}

/* By unknown: no row has its derivative. (transfer full) */
static uint8_t *
algebraic_unknowns(const DaeEvaluator *evaluator)
{
  uint8_t *is_algebraic = g_new0(uint8_t, evaluator->n + 1);
  memset(is_algebraic, 1, evaluator->n);
  for (uint32_t e = 0; e < evaluator->mass.row_start[evaluator->n_diff]; e++) {
    is_algebraic[evaluator->mass.column[e]] = 0;
  }
  return is_algebraic;
}

static void
take_point(Run *run)
{
  run->t = dae_integrator_t(run->it);
  memcpy(run->x, dae_integrator_x(run->it), run->n * sizeof(double));
}

/* Output points before the pole at which the run ends. */
static void
put_out_before(Run *run)
{
  while (run->options->interval > 0 && dae_event_run_output_time(run, run->outputs) < run->t &&
         dae_event_run_put_out_point(run, dae_event_run_output_time(run, run->outputs))) {
    run->outputs++;
  }
}

static void
dense_value(void *user, double t, double *x, double *xdot)
{
  const Run *run = user;
  dae_integrator_value(run->it, t, x, xdot);
}

/* What is delayed goes on with another polynomial, as smoothly as before. */
static bool
go_on_smoothly(Run *run)
{
  bool is_there = dae_event_run_has_fixed_step(run) || dae_integrator_t(run->it) == run->t;
  return (is_there && dae_integrator_renew(run->it, dae_instant_segment(run->instant))) ||
         restart(run);
}

/* Where one polynomial of delay(...) ends and the next one follows: no event. With fixed steps
 * that is where one of them ends, perhaps a little before. */
static bool
follow_delays(Run *run, double limit)
{
  bool is_fixed = dae_event_run_has_fixed_step(run);
  double now = is_fixed ? run->t + dae_event_run_time_slack(run) : fmax(run->t, limit);
  run->next_is_known = false; /* guards of time may hold what is delayed */
  return !dae_instant_move_delays(run->instant, now, run->x) || go_on_smoothly(run);
}

/* Does the delayed time of delay times that change enter other pieces of the past, no more? */
static bool
crosses_pieces_only(const Run *run, const DaeStop *stop)
{
  bool only = stop->kind == DAE_STOP_ROOT;
  for (uint32_t k = 0; only && k < stop->n_crossed; k++) {
    bool breaks = false;
    only = dae_instant_is_delay_guard(run->instant, stop->crossed[k], &breaks) && !breaks;
  }
  return only;
}

/* Pieces follow each other without end where the way to the next one is nothing. */
static bool
gets_on(Run *run)
{
  run->n_pieces_there = run->t != run->piece_time ? 0 : run->n_pieces_there + 1;
  run->piece_time = run->t;
  if (run->n_pieces_there <= MOST_PIECES_THERE) {
    return true;
  }
  g_set_error(run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
              "at t = %.10g the past of delay(...) or spatialDistribution(...) goes forth and "
              "back without end",
              run->t);
  return false;
}

static bool
follow_pieces(Run *run, const DaeStop *stop)
{
  if (!gets_on(run)) {
    return false;
  }
  dae_instant_cross_delays(run->instant, stop->crossed, stop->n_crossed);
  dae_instant_move_delays(run->instant, run->t, run->x);
  run->next_is_known = false;
  set_roots(run);
  return go_on_smoothly(run);
}

static void set_exact_time(Run *run, DaeTerm exact);

/* The next polynomial has another slope, and something is determined by that: as after a kink. Or
 * it is another one, as after a jump. */
static bool
restart_by_event(Run *run)
{
  set_exact_time(run, DAE_NO_TERM);
  run->restarted = false;
  return event(run, DAE_CAUSE_STATE, NULL) &&
         (run->restarted || run->terminated || restart(run));
}

/* The instant that comes, in exact arithmetic where something is decided by it. */
static void
set_exact_time(Run *run, DaeTerm exact)
{
  if (dae_instant_has_time_events(run->instant)) {
    run->exact = exact != DAE_NO_TERM ? exact : dae_event_run_exact_time(run, run->t);
    dae_instant_set_time(run->instant, run->exact);
  }
  run->next_is_known = false;
}

/* The flow in a pipe turns inside of the last step, and no relation tells it: made again, up to
 * there. False: that has failed. */
static bool
turn_back(Run *run, double begin, double at)
{
  run->n_turned_back = begin == run->turned_back ? run->n_turned_back + 1 : 1;
  run->turned_back = begin;
  if (run->n_turned_back > MOST_TURNED_BACK) {
    g_set_error(
        run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
        "at t = %.10g the flow in the pipe of 'spatialDistribution' turns, and that cannot "
        "be located; positiveVelocity should tell it by an event",
        at);
    return false;
  }
  run->t = begin;
  memcpy(run->x, run->begin, run->n * sizeof(double));
  return restart(run);
}

/* Both ends of the pipe hold something else from here on. */
static bool
turn(Run *run)
{
  uint32_t n_guards = dae_instant_n_guards(run->instant);
  g_autofree uint32_t *crossed = g_new0(uint32_t, (size_t)n_guards + 1);
  DaeStop stop = {.kind = DAE_STOP_ROOT, .t = run->t, .before = run->t, .crossed = crossed};
  stop.n_crossed = dae_instant_turned_guards(run->instant, crossed);
  set_exact_time(run, DAE_NO_TERM);
  return event(run, DAE_CAUSE_STATE, &stop);
}

/* A step may be made again up to an event: who listens is told when it is final. */
static void
keep_step(void *user, const DaeStepRecord *record)
{
  Run *run = user;
  run->step = *record;
}

static void
tell_step(Run *run, double begin)
{
  if (run->options->on_step != NULL && run->step.order > 0 && run->t > begin) {
    run->step.t = run->t;
    run->step.size = run->t - begin;
    run->options->on_step(run->options->step_user, &run->step);
  }
}

/* What the events of a step took, when the next one begins or the run ends. */
static void
count_operations(Run *run)
{
  uint64_t operations = dae_instant_operations(run->instant);
  uint64_t *most = &run->most_operations[run->restarted ? 1 : 0];
  *most = MAX(*most, operations - run->operations);
  run->operations = operations;
  run->restarted = false;
}

/* Steps of the size h/64 and larger of a start (multistep.c). */
#define START_STEPS 14u

static void
sum_up_operations(Run *run, const DaeSolverStats *stats)
{
  bool is_long =
      (run->options->method == DAE_METHOD_AB3 || run->options->method == DAE_METHOD_BDF3) &&
      !run->options->constant_history;
  uint64_t step =
      stats->flops_per_step + stats->divisions_per_step + stats->square_roots_per_step;
  count_operations(run);
  run->problem->event_stats.most_operations = MAX(
      step + run->most_operations[0],
      run->most_operations[1] > 0 ? (is_long ? START_STEPS : 1) * step + run->most_operations[1]
                                  : 0);
}

/* Those without events, in the last step. False: one has failed for good. */
static bool
look_at_assertions(Run *run, double begin, bool is_event)
{
  uint32_t n = dae_instant_n_literal_assertions(run->instant);
  for (uint32_t k = 0; k < n && dae_event_run_find_failure(run, begin, is_event); k++) {
    if (!dae_instant_check_assertions(run->instant, run->t, run->x, run->xdot, run->error)) {
      run->failed_assertion = true;
      put_out_before(run);
      return false;
    }
    take_point(run); /* a warning: on to the next one */
  }
  if (n > 0) {
    take_point(run);
  }
  return true;
}

/* One step, and the event at its end if there is one. False: the run is over, well or badly. */
static bool
advance(Run *run)
{
  const DaeSolverOptions *o = run->options;
  DaeStop stop = {.kind = DAE_STOP_STEP};
  bool turned = false; /* a flow, in a fixed step */
  bool is_fixed = dae_event_run_has_fixed_step(run);
  bool has_delays = dae_hybrid_n_delays(run->problem->pipeline->hybrid) > 0;
  if (is_fixed && has_delays && !run->goes_on && !follow_delays(run, run->t)) {
    return false;
  }
  DaeTerm next = dae_event_run_next_time(run);
  double limit = next != DAE_NO_TERM ? dae_term_get_double(run->terms, next) : o->t_stop;
  double delay_limit = is_fixed ? INFINITY : dae_instant_delay_limit(run->instant);
  bool is_delay = delay_limit < limit;
  limit = is_delay ? delay_limit : limit;
  bool is_at_once = !is_fixed && limit - run->t <= AT_ONCE * fabs(limit);
  /* noEvent(time >= t1) and tables jump at the event: the step before it ends on their left side */
  bool is_left = !is_fixed && !is_delay && next != DAE_NO_TERM;
  double last = is_left ? nextafter(limit, -INFINITY) : limit;
  if (limit > run->t && is_at_once) {
    run->t = limit; /* events that rounding has parted: nothing can be integrated in between */
  } else if (!dae_event_run_has_reached(run, limit)) {
    count_operations(run);
    run->mode_time = NAN;
    memcpy(run->begin, run->x, run->n * sizeof(double));
    run->status =
        dae_integrator_step(run->it, last, run->roots.n > 0 ? &run->roots : NULL, &stop);
    if (run->status != DAE_SOLVER_COMPLETED) {
      return false;
    }
    double begin = run->t;
    DaeDenseOutput dense = {dense_value, run};
    take_point(run);
    double at = INFINITY;
    turned = has_delays && dae_instant_find_turn(run->instant, begin, run->t, &dense, &at);
    if (turned && !is_fixed) {
      return turn_back(run, begin, at);
    }
    if (is_fixed) {
      dae_instant_record_delayed_step(run->instant, run->t, o->step, run->x, o->rtol, &dense);
    } else {
      dae_instant_record_delays(run->instant, begin, run->t, o->rtol, &dense);
    }
    if (!dae_instant_check_delays(run->instant, run->t, run->x, run->error)) {
      return false;
    }
    if (run->chatter != NULL && !dae_chatter_step(run->chatter, begin, run->t, &dense)) {
      g_set_error_literal(run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
                          dae_chatter_failure(run->chatter));
      return false;
    }
    if (run->watch != NULL && !dae_watch_step(run->watch, run->it, &run->t)) {
      g_set_error_literal(run->error, DAE_ERROR, DAE_ERROR_NUMERIC,
                          dae_watch_failure(run->watch));
      put_out_before(run);
      return false;
    }
    if (!look_at_assertions(run, begin, stop.kind == DAE_STOP_ROOT)) {
      return false;
    }
    tell_step(run, begin);
    if (o->step > 0) {
      dae_event_run_look_for_skipped(run, begin);
    }
  }
  bool at_limit = dae_event_run_has_reached(run, last);
  bool is_time = at_limit && next != DAE_NO_TERM && !is_delay;
  bool enters_piece = crosses_pieces_only(run, &stop);
  bool waits = is_left && !is_time && dae_event_run_meets_time(run, &stop, limit);
  bool is_state = stop.kind == DAE_STOP_ROOT && !enters_piece && !waits;
  run->t = is_time ? fmax(run->t, limit) : run->t; /* the grid may have a point in between */
  bool turns = !is_time && !is_state &&
               (turned || (at_limit && is_delay && dae_instant_turns_at(run->instant, limit)));
  if (!dae_event_run_put_out_step(run, !is_time && !is_state && !turns)) {
    return false;
  }
  bool is_other = dae_instant_renew_delays(run->instant) && !is_time && !is_state && !turns;
  if (turns && is_fixed) {
    return restart_by_event(run);
  }
  if ((enters_piece || is_other) && !follow_pieces(run, &stop)) {
    return *run->error == NULL && run->status != DAE_SOLVER_COMPLETED && restart_by_event(run);
  }
  if (turns) {
    return turn(run);
  }
  if (!is_time && !is_state) {
    return is_fixed || !at_limit || !is_delay || follow_delays(run, limit);
  }
  set_exact_time(run, is_time ? next : DAE_NO_TERM);
  return event(run, is_time ? DAE_CAUSE_TIME : DAE_CAUSE_STATE, is_state ? &stop : NULL);
}

/* At the stop time nothing is left of the last step's events. */
static bool
is_at_end(Run *run)
{
  return run->terminated ||
         (dae_event_run_has_reached(run, run->options->t_stop) && !run->goes_on);
}

static bool
begin(Run *run)
{
  run->next = DAE_NO_TERM;
  set_exact_time(run, DAE_NO_TERM);
  dae_instant_set_step_begin(run->instant,
                             dae_event_run_has_fixed_step(run) ? run->begin : NULL);
  set_resolution(run, RESOLUTION * run->options->rtol);
  DaeSolverOptions options = *run->options;
  options.segment = dae_instant_segment(run->instant);
  options.explicit_use =
      options.explicit_use == DAE_EXPLICIT_SMOOTH ? DAE_EXPLICIT_NEVER : options.explicit_use;
  options.on_step = keep_step;
  options.step_user = run;
  options.conditions = dae_chatter_conditions(run->chatter);
  if (dae_chatter_has_peaks(run->chatter) && options.explicit_use != DAE_EXPLICIT_ONLY) {
    options.explicit_use = DAE_EXPLICIT_NEVER;
  }
  run->it =
      dae_integrator_new(dae_problem_evaluator(run->problem), &options, run->x, &run->status);
  if (run->it == NULL || run->status != DAE_SOLVER_COMPLETED) {
    return false;
  }
  run->outputs = 0;
  return event(run, DAE_CAUSE_INITIAL, NULL) &&
         dae_instant_check_delays(run->instant, run->t, run->x, run->error);
}

static bool
results_know_terminal(const Run *run)
{
  DaeTerm terminal = dae_hybrid_terminal_atom(run->problem->pipeline->hybrid);
  for (uint32_t k = 0; k < dae_problem_n_results(run->problem); k++) {
    DaeTerm term = dae_results_term(run->problem->results, k);
    if (term != DAE_NO_TERM && dae_term_contains(run->terms, term, terminal)) {
      return true;
    }
  }
  return false;
}

/* terminal() holds at the end: what it changes is a row of its own, or in the last one of a
 * grid. */
static bool
end_run(Run *run)
{
  DaeInstantResult last;
  if (dae_hybrid_is_trivial(run->problem->pipeline->hybrid)) {
    return true;
  }
  /* a fixed step may end a little before the event that was taken at its end */
  dae_event_run_go_to_kept(run);
  DaeTerm here = dae_event_run_exact_time(run, run->t);
  if (run->exact == DAE_NO_TERM ||
      dae_term_sign(run->terms, dae_term_sub(run->terms, run->exact, here)) < 0) {
    set_exact_time(run, here);
  }
  if (!dae_instant_event(run->instant, DAE_CAUSE_TERMINAL, run->t, run->x, NULL, 0, &last,
                         run->error)) {
    return false;
  }
  bool changed = last.changed || results_know_terminal(run);
  if (changed) {
    tell_listener(run, DAE_CAUSE_TERMINAL);
  }
  if (run->options->no_event_rows) {
    return changed && run->last != NULL ? dae_event_run_put_out_changed(run)
                                        : dae_event_run_put_out_kept(run);
  }
  return !changed || dae_event_run_put_out_here(run);
}

static void
clear(Run *run)
{
  dae_integrator_free(run->it);
  dae_instant_set_step_begin(run->instant, NULL);
  g_free(run->begin);
  g_free(run->x);
  g_free(run->xdot);
  g_free(run->states);
  g_free(run->last);
  g_free(run->last_states);
  g_free(run->side);
  g_free(run->threshold);
  g_free(run->recent);
  g_free(run->is_algebraic);
  g_hash_table_destroy(run->modes);
  dae_watch_free(run->watch);
  dae_chatter_free(run->chatter);
}

bool
dae_problem_run_events(DaeProblem *problem, const DaeSolverOptions *options,
                       DaeOutputPoint output, void *user, DaeSolverResult *result,
                       GError **error)
{
  uint32_t n_guards = dae_instant_n_guards(problem->instant);
  GError *own = NULL;
  Run run = {.problem = problem,
             .instant = problem->instant,
             .terms = dae_pipeline_terms(problem->pipeline),
             .options = options,
             .output = output,
             .user = user,
             .n = dae_problem_n(problem),
             .t = options->t_start,
             .mode_time = NAN,
             .last_mode_time = NAN,
             .error = &own};
  run.x = g_memdup2(problem->x, (run.n + 1) * sizeof(double));
  run.begin = g_memdup2(problem->x, (run.n + 1) * sizeof(double));
  run.xdot = g_new0(double, run.n + 1);
  run.states = g_new0(uint8_t, run.n + 1);
  run.side = g_new0(int8_t, n_guards + 1);
  run.recent = g_new0(DaeRecentEvents, 2 * (size_t)n_guards + 1);
  for (size_t i = 0; i < 2 * (size_t)n_guards; i++) {
    run.recent[i] = (DaeRecentEvents){.t = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
  }
  run.threshold = g_new0(double, n_guards + 1);
  run.is_algebraic = algebraic_unknowns(dae_problem_evaluator(problem));
  run.modes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
  run.roots =
      (DaeRoots){.n = n_guards,
                 .values = guard_values,
                 .user = run.instant,
                 .side = run.side,
                 .threshold = run.threshold,
                 .is_algebraic = run.is_algebraic,
                 .used_start = dae_instant_used_unknowns(run.instant)->start,
                 .used_column = dae_instant_used_unknowns(run.instant)->column,
                 .is_bounded = dae_instant_used_unknowns(run.instant)->is_bounded,
                 .may_cross = guard_may_cross,
                 .value = dae_instant_has_single_guards(run.instant) ? guard_value : NULL};
  *result = (DaeSolverResult){
      .status = DAE_SOLVER_COMPLETED, .worst_row = UINT32_MAX, .worst_unknown = UINT32_MAX};
  run.chatter = dae_chatter_new(problem, options);
  bool good = begin(&run);
  run.watch = good ? dae_watch_new(problem, options) : NULL;
  if (run.watch != NULL) {
    dae_watch_begin(run.watch, run.t, run.x);
  }
  while (good && !is_at_end(&run)) {
    if (options->is_stopped != NULL && options->is_stopped(options->stop_user)) {
      run.stopped = true;
      break;
    }
    good = advance(&run);
  }
  if (good && run.watch != NULL) {
    dae_watch_end(run.watch, run.t, run.x);
  }
  if (good && !run.stopped) {
    good = end_run(&run);
  }
  if (run.last != NULL) {
    (void)dae_event_run_put_out_kept(&run); /* what was reached before the run failed */
  }
  if (run.it != NULL) {
    dae_integrator_result(run.it, result);
    sum_up_operations(&run, &result->stats);
  }
  result->stats.t = run.t;
  result->status = run.stopped                          ? DAE_SOLVER_STOPPED
                   : own != NULL || good                ? DAE_SOLVER_COMPLETED
                   : run.status != DAE_SOLVER_COMPLETED ? run.status
                                                        : DAE_SOLVER_NO_START;
  memcpy(problem->x, run.x, run.n * sizeof(double));
  clear(&run);
  if (own != NULL) {
    g_propagate_error(error, own);
    return false;
  }
  return true;
}
