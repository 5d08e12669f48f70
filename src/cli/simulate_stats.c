#include <stdio.h>

#include "cli/simulate-priv.h"

const char *
dae_stats_method(DaeMethod method)
{
  switch (method) {
  case DAE_METHOD_RADAU:
    return "radau";
  case DAE_METHOD_AB3:
    return "ab3";
  case DAE_METHOD_BDF3:
    return "bdf3";
  case DAE_METHOD_EULER:
    return "euler";
  case DAE_METHOD_IMPLICIT_EULER:
    return "implicit-euler";
  }
  return "";
}

void
dae_stats_counts(const DaeSolverStats *stats, DaeCount counts[DAE_N_COUNTS])
{
  const DaeCount all[DAE_N_COUNTS] = {
      {"steps_accepted", "steps accepted", stats->steps_accepted},
      {"steps_rejected", "steps rejected", stats->steps_rejected},
      {"newton_failures", "Newton failures", stats->newton_failures},
      {"rhs_evaluations", "right-hand sides", stats->rhs_evaluations},
      {"mass_evaluations", "leading matrices", stats->mass_evaluations},
      {"jacobian_evaluations", "Jacobians", stats->jacobian_evaluations},
      {"factorizations_constraints", "factorizations, constraints",
       stats->factorizations_constraints},
      {"factorizations_differential", "factorizations, differential part",
       stats->factorizations_differential},
      {"back_substitutions", "back substitutions", stats->back_substitutions},
      {"state_selections", "changes of the state selection", stats->state_selections},
      {"newton_iterations", "Newton iterations", stats->newton_iterations},
      {"switch_crossings", "switches crossed", stats->switch_crossings},
      {"branch_points", "branch points passed", stats->branch_points},
      {"singular_steps", "implicit Euler steps at singular points", stats->singular_steps},
      {"leaps", "steps over a jump at a condition without events", stats->leaps},
      {"steps_explicit", "explicit steps", stats->steps_explicit},
      {"method_changes", "changes between explicit and radau", stats->method_changes},
  };
  for (int i = 0; i < DAE_N_COUNTS; i++) {
    counts[i] = all[i];
  }
}

static void
print_fixed_step_json(DaeJson *json, const DaeProblem *problem, const DaeSolverStats *stats,
                      const DaeSolverOptions *options)
{
  dae_json_key(json, "operations_per_step");
  dae_json_begin_object(json, true);
  dae_json_key(json, "flops");
  dae_json_int(json, (int64_t)stats->flops_per_step);
  dae_json_key(json, "divisions");
  dae_json_int(json, (int64_t)stats->divisions_per_step);
  dae_json_key(json, "square_roots");
  dae_json_int(json, (int64_t)stats->square_roots_per_step);
  if (dae_problem_has_events(problem)) {
    dae_json_key(json, "most");
    dae_json_int(json, (int64_t)dae_problem_event_stats(problem)->most_operations);
  }
  dae_json_end_object(json);
  if (options->realtime_period > 0) {
    dae_json_key(json, "realtime");
    dae_json_begin_object(json, true);
    dae_json_key(json, "period");
    dae_json_double(json, options->realtime_period);
    dae_json_key(json, "step_mean");
    dae_json_double(json, stats->step_time_mean);
    dae_json_key(json, "step_p999");
    dae_json_double(json, stats->step_time_p999);
    dae_json_key(json, "step_worst");
    dae_json_double(json, stats->step_time_worst);
    dae_json_key(json, "overruns");
    dae_json_int(json, (int64_t)stats->overruns);
    dae_json_end_object(json);
  }
  if (options->parallel) {
    dae_json_key(json, "parallel");
    dae_json_begin_object(json, true);
    dae_json_key(json, "turnaround_mean");
    dae_json_double(json, stats->jacobian_turnaround_mean);
    dae_json_key(json, "staleness_mean");
    dae_json_double(json, stats->jacobian_staleness_mean);
    dae_json_end_object(json);
  }
}

static const struct {
  const char *key;
  DaeStage stage;
} stages[] = {
    {"read", DAE_STAGE_READ},
    {"analyze", DAE_STAGE_ANALYZE},
    {"reduce", DAE_STAGE_REDUCE},
    {"integrate", DAE_STAGE_INTEGRATE},
    {"check_init", DAE_STAGE_CHECK_INIT},
    {"start", DAE_STAGE_START},
};

static void
print_events_json(DaeJson *json, const DaeEventStats *events)
{
  const struct {
    const char *key;
    uint64_t value;
  } counts[] = {{"time", events->time},
                {"state", events->state},
                {"iterations", events->iterations},
                {"restarts", events->restarts},
                {"restarts_avoided", events->restarts_avoided},
                {"modes", events->modes}};

  dae_json_key(json, "events");
  dae_json_begin_object(json, true);
  for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
    dae_json_key(json, counts[i].key);
    dae_json_int(json, (int64_t)counts[i].value);
  }
  dae_json_end_object(json);
}

static void
print_json(const DaePipeline *pipeline, const DaeProblem *problem,
           const DaeSolverOptions *options, const DaeSolverStats *stats, const char *status)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(DaeJson) json = dae_json_new(out);
  DaeCount counts[DAE_N_COUNTS];
  dae_stats_counts(stats, counts);
  dae_json_begin_object(json, false);
  dae_json_key(json, "method");
  dae_json_string(json, dae_stats_method(options->method));
  dae_json_key(json, "status");
  dae_json_string(json, status);
  dae_json_key(json, "t");
  dae_json_double(json, stats->t);
  for (int i = 0; i < DAE_N_COUNTS; i++) {
    dae_json_key(json, counts[i].key);
    dae_json_int(json, (int64_t)counts[i].value);
  }
  dae_json_key(json, "max_constraint_residual");
  dae_json_double(json, stats->max_constraint_residual);
  if (options->method != DAE_METHOD_RADAU) {
    print_fixed_step_json(json, problem, stats, options);
  }
  if (dae_problem_has_events(problem)) {
    print_events_json(json, dae_problem_event_stats(problem));
  }
  dae_json_key(json, "cpu_seconds");
  dae_json_begin_object(json, true);
  for (size_t i = 0; i < G_N_ELEMENTS(stages); i++) {
    dae_json_key(json, stages[i].key);
    dae_json_double(json, dae_pipeline_seconds(pipeline, stages[i].stage));
  }
  dae_json_end_object(json);
  dae_json_end_object(json);
  fputs(out->str, stderr);
}

static void
print_text(const DaePipeline *pipeline, const DaeProblem *problem,
           const DaeSolverOptions *options, const DaeSolverStats *stats, const char *status)
{
  DaeCount counts[DAE_N_COUNTS];
  dae_stats_counts(stats, counts);
  fprintf(stderr, "%s: %s at t = %.10g\n", dae_stats_method(options->method), status, stats->t);
  for (int i = 0; i < DAE_N_COUNTS; i++) {
    fprintf(stderr, "  %-34s %12" G_GUINT64_FORMAT "\n", counts[i].text, counts[i].value);
  }
  fprintf(stderr, "  %-34s %12.3g\n", "largest constraint residual",
          stats->max_constraint_residual);
  if (dae_problem_has_events(problem)) {
    const DaeEventStats *events = dae_problem_event_stats(problem);
    fprintf(stderr,
            "  %-34s %12" G_GUINT64_FORMAT " in time, %" G_GUINT64_FORMAT
            " of states; %" G_GUINT64_FORMAT " iterations, %" G_GUINT64_FORMAT
            " restarts, %" G_GUINT64_FORMAT " avoided, %" G_GUINT64_FORMAT " modes\n",
            "events", events->time, events->state, events->iterations, events->restarts,
            events->restarts_avoided, events->modes);
  }
  if (options->method != DAE_METHOD_RADAU) {
    fprintf(stderr,
            "  %-34s %12" G_GUINT64_FORMAT " flops, %" G_GUINT64_FORMAT
            " divisions, %" G_GUINT64_FORMAT " square roots\n",
            "operations of a step", stats->flops_per_step, stats->divisions_per_step,
            stats->square_roots_per_step);
    if (dae_problem_has_events(problem)) {
      fprintf(stderr, "  %-34s %12" G_GUINT64_FORMAT "\n", "most of them, with events",
              dae_problem_event_stats(problem)->most_operations);
    }
  }
  if (options->realtime_period > 0) {
    fprintf(stderr,
            "  step time: mean %.3g s, 99.9 %% below %.3g s, worst %.3g s; %" G_GUINT64_FORMAT
            " overruns of %g s\n",
            stats->step_time_mean, stats->step_time_p999, stats->step_time_worst,
            stats->overruns, options->realtime_period);
  }
  if (options->parallel) {
    fprintf(
        stderr,
        "  Jacobians from the worker: turn-around %.3g s, staleness %.3g steps on average\n",
        stats->jacobian_turnaround_mean, stats->jacobian_staleness_mean);
  }
  fprintf(stderr, "  CPU seconds:");
  for (size_t i = 0; i < G_N_ELEMENTS(stages); i++) {
    fprintf(stderr, "%s %s %.4f", i > 0 ? "," : "", stages[i].key,
            dae_pipeline_seconds(pipeline, stages[i].stage));
  }
  fputc('\n', stderr);
}

void
dae_print_stats(DaeCli *cli, const DaePipeline *pipeline, const DaeProblem *problem,
                const DaeSolverOptions *options, const DaeSolverStats *stats,
                const char *status)
{
  if (!dae_cli_flag(cli, "stats")) {
    return;
  }
  if (dae_cli_format_is(cli, "json")) {
    print_json(pipeline, problem, options, stats, status);
  } else {
    print_text(pipeline, problem, options, stats, status);
  }
}
