#include <math.h>
#include <string.h>

#include "instant/pulses.h"
#include "pipeline/assertions.h"
#include "pipeline/chatter.h"
#include "pipeline/events.h"
#include "pipeline/results.h"
#include "pipeline/swings.h"
#include "pipeline/watch.h"
#include "solver/diagnose.h"

/* A tolerance is one of single steps; over so many it is not that of the result (10^4 periods
 * of a pendulum at 1e-6: its velocity is wrong by 0.4). */
#define MANY_STEPS 20000
/* Where nothing but the solution's own oscillation passes, so many periods are told: a pendulum at
 * 1e-6 is then wrong by some ten times that. */
#define MANY_PERIODS 300
/* A swing is one if it is so many times as wide as the tolerance. */
#define SWING_OVER_TOLERANCE 100
#define STEP_ERROR_TOLD 1e-2 /* of fixed steps, by the largest value */
/* A pivot below this is told as a likely cause. */
#define SMALL_PIVOT 1e-4

/* Steps and iterations that fail have a cause of their own where the
 * equations are nearly singular. */
static void
add_singularity(const DaeProblem *problem, const DaeSolverResult *result, const double *x,
                GString *text)
{
  DaeWeakest weakest;
  if ((result->status == DAE_SOLVER_NEWTON_FAILED ||
       result->status == DAE_SOLVER_STEP_TOO_SMALL || result->status == DAE_SOLVER_ENDS) &&
      dae_solver_find_weakest(dae_problem_evaluator(problem), NULL, result->stats.t, x,
                              &weakest) &&
      weakest.pivot < SMALL_PIVOT) {
    g_autofree char *row = dae_problem_describe_row(problem, weakest.row);
    g_string_append_printf(text,
                           "\n  nearly singular there (smallest pivot %.1e): variable %s is "
                           "hardly determined by %s",
                           weakest.pivot, dae_problem_name(problem, weakest.unknown), row);
  }
}

/* A condition without an event that changes between two iterations of Newton's method. */
static void
add_jump(DaeProblem *problem, const DaeSolverOptions *options, const DaeSolverResult *result,
         const double *x, GString *text)
{
  if (result->status != DAE_SOLVER_NEWTON_FAILED &&
      result->status != DAE_SOLVER_STEP_TOO_SMALL) {
    return;
  }
  g_autoptr(DaeChatter) conditions = dae_chatter_new(problem, options);
  const DaeWorst worst = {result->worst_row, result->worst_unknown};
  g_autofree char *jump =
      conditions != NULL ? dae_chatter_find_jump(conditions, result->stats.t, x, &worst) : NULL;
  if (jump != NULL) {
    g_string_append_printf(text,
                           "\n  a switch jumped inside Newton's iteration: %s; without noEvent "
                           "it would be an event",
                           jump);
  }
}

/* An explicit method that leaves the domain of a function does so mostly because its step is too
 * long to be stable, not because the solution does. */
static void
add_stability(const DaeSolverOptions *options, const DaeSolverResult *result, GString *text)
{
  const bool is_explicit =
      options->method == DAE_METHOD_EULER || options->method == DAE_METHOD_AB3;
  if (is_explicit && result->status == DAE_SOLVER_DOMAIN) {
    g_string_append_printf(
        text,
        "\n  an explicit method with steps of %g: if radau gets further, they "
        "are too long for it to be stable (take --method bdf3, or shorter ones)",
        options->step);
  }
}

/* The unknowns of a row that has no value; of many the first ones. */
static void
add_unknowns_of_row(DaeProblem *problem, uint32_t row, GString *text)
{
  enum { MOST_SHOWN = 5 };

  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  const bool is_dynamic = row < evaluator->n_diff;
  const DaePattern *pattern = is_dynamic ? &evaluator->dynamics : &evaluator->constraint;
  const uint32_t i = is_dynamic ? row : row - evaluator->n_diff;
  const uint32_t first = pattern->row_start[i];
  const uint32_t n = pattern->row_start[i + 1] - first;
  for (uint32_t k = 0; k < n && k < MOST_SHOWN; k++) {
    g_string_append(text, k > 0 ? ", " : n > 1 ? "\n  variables " : "\n  variable ");
    g_string_append(text, dae_problem_name(problem, pattern->column[first + k]));
  }
  g_string_append(text, n > MOST_SHOWN ? ", ..." : "");
}

/* What went wrong, where and with what: time, cause, the equation and the variable involved. */
static void
set_failure(DaeProblem *problem, const DaeSolverOptions *options, const DaeSolverResult *result,
            const double *x, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append_printf(text, "integration stopped at t = %.10g: %s", result->stats.t,
                         dae_solver_status_text(result->status));
  const DaeEvaluator *evaluator = dae_problem_evaluator(problem);
  if (result->worst_row < evaluator->n_diff + evaluator->n_con) {
    g_autofree char *row = dae_problem_describe_row(problem, result->worst_row);
    const char *what = result->status == DAE_SOLVER_DOMAIN     ? "no finite value of"
                       : result->status == DAE_SOLVER_SINGULAR ? "involved:"
                                                               : "largest residual in";
    g_string_append_printf(text, "\n  %s %s", what, row);
    if (result->status == DAE_SOLVER_DOMAIN) {
      add_unknowns_of_row(problem, result->worst_row, text);
      g_autofree char *blame = dae_pipeline_blame_parameter(problem->pipeline);
      g_string_append_printf(text, "%s%s", blame != NULL ? "\n  " : "",
                             blame != NULL ? blame : "");
    }
  }
  if (result->worst_unknown < evaluator->n && result->status != DAE_SOLVER_DOMAIN) {
    bool corrects =
        result->status != DAE_SOLVER_SINGULAR && result->status != DAE_SOLVER_UNBOUNDED &&
        result->status != DAE_SOLVER_ENDS && result->status != DAE_SOLVER_LEFT_BRANCH;
    g_string_append_printf(text, "\n  %s %s",
                           corrects ? "largest correction in variable" : "variable",
                           dae_problem_name(problem, result->worst_unknown));
  }
  add_stability(options, result, text);
  add_jump(problem, options, result, x, text);
  add_singularity(problem, result, x, text);
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, text->str);
}

typedef struct {
  DaeOutputPoint output;
  void *user;
  const DaeProblem *problem;
  DaeAssertions *assertions;     /* NULL: none */
  DaeWatch *watch;               /* NULL: none */
  DaeChatter *chatter;           /* NULL: none */
  DaeSwings *swings;             /* NULL: not counted */
  const DaeSolverOptions *given; /* as the caller wants them */
  double *x_step;                /* n */
  uint32_t n_asserted;           /* functions of the assertions, before those of the watch */
} Receiver;

static void
function_values(void *user, double t, const double *x, double *out)
{
  const Receiver *receiver = user;
  if (receiver->n_asserted > 0) {
    const DaeEvents *events = dae_assertions_events(receiver->assertions);
    events->values(events->user, t, x, out);
  }
  if (receiver->watch != NULL) {
    const DaeEvents *events = dae_watch_events(receiver->watch);
    events->values(events->user, t, x, out + receiver->n_asserted);
  }
}

static bool
function_crossed(void *user, uint32_t i, int direction, double t, const double *x)
{
  const Receiver *receiver = user;
  bool is_asserted = i < receiver->n_asserted;
  const DaeEvents *events = is_asserted ? dae_assertions_events(receiver->assertions)
                                        : dae_watch_events(receiver->watch);
  return events->crossed(events->user, is_asserted ? i : i - receiver->n_asserted, direction, t,
                         x);
}

/* The functions whose sign changes somebody wants to know; false: nobody. */
static bool
join_functions(Receiver *receiver, DaeEvents *events)
{
  receiver->n_asserted =
      receiver->assertions != NULL ? dae_assertions_events(receiver->assertions)->n : 0;
  uint32_t n_watched = receiver->watch != NULL ? dae_watch_events(receiver->watch)->n : 0;
  *events = (DaeEvents){.n = receiver->n_asserted + n_watched,
                        .values = function_values,
                        .crossed = function_crossed,
                        .user = receiver,
                        .n_confirmed = receiver->n_asserted};
  if (receiver->n_asserted == 0 && n_watched > 0) {
    events->used = dae_watch_events(receiver->watch)->used;
  }
  return events->n > 0;
}

/* The point goes to the user first, so that the results show where an assertion failed. */
static bool
receive_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  const Receiver *receiver = user;
  if (!dae_results_begin_point(receiver->problem->results, t, x)) {
    return false;
  }
  bool goes_on = receiver->output(receiver->user, t, x, xdot, states);
  dae_results_end_point(receiver->problem->results);
  return goes_on && (receiver->assertions == NULL ||
                     dae_assertions_hold(receiver->assertions, t, x, xdot));
}

static void
step_value(void *user, double t, double *x, double *xdot)
{
  (void)xdot;
  dae_step_value(user, t, x);
}

/* Steps go to whoever listens, to the one that looks for chattering and the one that counts
 * swings. */
static void
note_step(void *user, const DaeStepRecord *record)
{
  Receiver *receiver = user;
  if (receiver->given->on_step != NULL) {
    receiver->given->on_step(receiver->given->step_user, record);
  }
  if (receiver->swings != NULL) {
    dae_step_value(record, record->t, receiver->x_step);
    dae_swings_note(receiver->swings, receiver->x_step);
  }
  if (receiver->chatter != NULL && dae_chatter_failure(receiver->chatter) == NULL) {
    const DaeDenseOutput dense = {step_value, (void *)(uintptr_t)record};
    dae_chatter_step(receiver->chatter, record->t - record->size, record->t, &dense);
  }
}

static bool
is_stopped(const void *user)
{
  const Receiver *receiver = user;
  return (receiver->chatter != NULL && dae_chatter_failure(receiver->chatter) != NULL) ||
         (receiver->given->is_stopped != NULL &&
          receiver->given->is_stopped(receiver->given->stop_user));
}

/* A variable that was solved for beforehand has no value: its equation fails as it
 * would have in the integrator. */
static bool
solved_variables_are_finite(const DaeProblem *problem, GError **error)
{
  g_autofree char *fault = dae_results_describe_fault(problem);
  if (fault != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC, "integration stopped at t = %.10g: %s",
                dae_results_fault_time(problem), fault);
  }
  return fault == NULL;
}

/* (transfer full) GArray of DaeTerm: the sides of equations with time in them. */
static GArray *
sides_with_time(const DaeProblem *problem)
{
  const DaeModel *model = dae_pipeline_work_model(problem->pipeline);
  const DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  GArray *roots = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    const DaeTerm sides[] = {equation->lhs, equation->rhs};
    for (int k = 0; k < 2; k++) {
      if (dae_term_has_time(terms, sides[k])) {
        DaeTerm closed = dae_subst_apply(problem->values, sides[k]);
        closed = closed != DAE_NO_TERM ? closed : sides[k];
        g_array_append_val(roots, closed);
      }
    }
  }
  return roots;
}

static bool
landmarks_are_known(const DaeProblem *problem, const GArray *roots,
                    const DaeSolverOptions *options)
{
  return problem->landmarks != NULL && problem->landmarks_from == options->t_start &&
         problem->landmarks_to == options->t_stop &&
         problem->landmark_roots->len == roots->len &&
         (roots->len == 0 || memcmp(problem->landmark_roots->data, roots->data,
                                    roots->len * sizeof(DaeTerm)) == 0);
}

/* Where functions of time change too quickly for a step: looked for once, not in every run. */
static void
find_landmarks(DaeProblem *problem, DaeSolverOptions *options)
{
  g_autoptr(GArray) roots = sides_with_time(problem);
  if (!landmarks_are_known(problem, roots, options)) {
    g_clear_pointer(&problem->landmarks, g_array_unref);
    g_clear_pointer(&problem->landmark_roots, g_array_unref);
    problem->landmarks = dae_time_pulses(dae_pipeline_terms(problem->pipeline),
                                         (const DaeTerm *)(void *)roots->data, roots->len,
                                         options->t_start, options->t_stop);
    problem->landmark_roots = g_steal_pointer(&roots);
    problem->landmarks_from = options->t_start;
    problem->landmarks_to = options->t_stop;
  }
  options->landmarks = (const double *)(void *)problem->landmarks->data;
  options->n_landmarks = problem->landmarks->len;
}

/* What a run did that its result does not show. */
/* A fixed step has few corrections: some end without a solution. */
static void
warn_about_unsolved(const DaeProblem *problem, const DaeSolverOptions *options,
                    const DaeSolverStats *stats)
{
  g_autofree char *row = stats->unsolved_row != UINT32_MAX
                             ? dae_problem_describe_row(problem, stats->unsolved_row)
                             : NULL;
  const char *count = stats->unsolved_steps == 1 ? "a step" : "steps";
  dae_report_warning(
      dae_pipeline_reporter(problem->pipeline),
      "%s of %g did not solve the equations (%" G_GUINT64_FORMAT
      ", first at t = %.10g), results may be wrong: %s%s%s; take a smaller --step or more "
      "--newton",
      count, options->step, stats->unsolved_steps, stats->first_unsolved_step,
      row != NULL ? row : "",
      row != NULL && stats->unsolved_unknown != UINT32_MAX ? ", variable " : "",
      stats->unsolved_unknown != UINT32_MAX ? dae_problem_name(problem, stats->unsolved_unknown)
                                            : "");
}

/* Compared with steps of another size (solver/twin.c). */
static void
warn_about_step_error(const DaeProblem *problem, const DaeSolverOptions *options,
                      const DaeSolverStats *stats)
{
  g_autofree char *size = stats->step_error < 0.99
                              ? g_strdup_printf("about %.2g %%", 100 * stats->step_error)
                              : g_strdup("all");
  dae_report_warning(
      dae_pipeline_reporter(problem->pipeline),
      "steps of %g are off by %s of the largest value of %s (at t = %.10g), as steps "
      "of another size show; take a smaller --step",
      options->step, size, dae_problem_name(problem, stats->step_error_unknown),
      stats->step_error_time);
}

static void
warn_about_run(const DaeProblem *problem, const DaeSolverOptions *options,
               const DaeSolverResult *result)
{
  const DaeReporter *reporter = dae_pipeline_reporter(problem->pipeline);
  const DaeSolverStats *stats = &result->stats;
  if (stats->switch_crossings > 0) {
    uint64_t count = stats->switch_crossings;
    g_autofree char *often =
        count == 1 ? g_strdup("once") : g_strdup_printf("%" G_GUINT64_FORMAT " times", count);
    dae_report_warning(reporter,
                       "a condition of an if-expression or relation changed %s; it was "
                       "integrated as written, with step control and without event location",
                       often);
  }
  if (stats->branch_points > 0) {
    dae_report_warning(
        reporter,
        "at t = %.10g the equations are singular, and solutions may branch there; "
        "the direction was kept",
        stats->first_branch_point);
  }
  if (stats->singular_steps > 0) {
    dae_report_warning(reporter,
                       "at t = %.10g the equations are singular; short steps of the implicit "
                       "Euler method led on",
                       stats->first_singular_step);
  }
  if (stats->leaps > 0) {
    dae_report_warning(reporter,
                       "at t = %.10g variable %s jumps where a condition that makes no event "
                       "changes; the solution behind it was taken",
                       stats->first_leap, dae_problem_name(problem, stats->leaping_unknown));
  }
  if (stats->unsolved_steps > 0) {
    warn_about_unsolved(problem, options, stats);
  }
  if (stats->coarse_steps > 0) {
    dae_report_warning(
        reporter,
        "steps of %g are too long to follow variable %s at t = %.10g: shorter ones "
        "lead elsewhere",
        options->step, dae_problem_name(problem, stats->coarse_unknown),
        stats->first_coarse_step);
  } else if (stats->unsolved_steps == 0 && stats->step_error > STEP_ERROR_TOLD) {
    warn_about_step_error(problem, options, stats);
  }
}

/* NULL: time is in the equations, or there are no steps of free size. (transfer full) */
static DaeSwings *
new_swings(const DaeProblem *problem, const DaeSolverOptions *options)
{
  if (problem->instant != NULL || options->method != DAE_METHOD_RADAU || options->step > 0) {
    return NULL;
  }
  g_autoptr(GArray) forced = sides_with_time(problem);
  return forced->len == 0 ? dae_swings_new(dae_problem_n(problem)) : NULL;
}

/* The periods of an oscillation without end; 0: too few to tell. */
static uint64_t
count_periods(const DaeProblem *problem, const DaeSolverOptions *options,
              const DaeSwings *swings, const double *x, uint32_t *unknown)
{
  if (swings == NULL) {
    return 0;
  }
  const uint32_t n = dae_problem_n(problem);
  g_autofree double *least = g_new0(double, (size_t)n + 1);
  for (uint32_t j = 0; j < n; j++) {
    const double nominal = options->nominal != NULL ? fabs(options->nominal[j]) : 1.0;
    least[j] = SWING_OVER_TOLERANCE * (options->atol * nominal + options->rtol * fabs(x[j]));
  }
  const uint64_t periods = dae_swings_most(swings, least, unknown);
  return periods >= MANY_PERIODS ? periods : 0;
}

/* A tolerance is one of single steps. */
static void
warn_about_errors(const DaeProblem *problem, const DaeSolverOptions *options,
                  const DaeSolverResult *result, const DaeSwings *swings, const double *x)
{
  const DaeReporter *reporter = dae_pipeline_reporter(problem->pipeline);
  uint32_t unknown = 0;
  if (options->method != DAE_METHOD_RADAU || options->step > 0 ||
      result->status != DAE_SOLVER_COMPLETED) {
    return;
  }
  const uint64_t periods = count_periods(problem, options, swings, x, &unknown);
  if (periods > 0) {
    dae_report_warning(
        reporter,
        "%" G_GUINT64_FORMAT
        " periods of %s: each step keeps the tolerance, but along a free oscillation nothing "
        "damps them, and their errors add up; compare with a smaller --tol, or give an "
        "--invariant",
        periods, dae_problem_name(problem, unknown));
  } else if (result->stats.steps_accepted >= MANY_STEPS) {
    dae_report_warning(reporter,
                       "%" G_GUINT64_FORMAT
                       " steps: each keeps the tolerance, but where the solution does not damp "
                       "them (oscillations) their errors add up; compare with a smaller --tol, "
                       "or give an --invariant",
                       result->stats.steps_accepted);
  }
}

/* What those who looked on stopped the run for; NULL: nothing. */
static const char *
told_failure(const Receiver *receiver)
{
  const char *told = NULL;
  if (receiver->assertions != NULL) {
    told = dae_assertions_failure(receiver->assertions);
  }
  if (told == NULL && receiver->watch != NULL) {
    told = dae_watch_failure(receiver->watch);
  }
  if (told == NULL && receiver->chatter != NULL) {
    told = dae_chatter_failure(receiver->chatter);
  }
  return told;
}

bool
dae_problem_simulate(DaeProblem *problem, const DaeSolverOptions *options,
                     DaeOutputPoint output, void *user, DaeSolverStats *stats, GError **error)
{
  if (!dae_problem_restart(problem, error)) {
    return false;
  }
  DaeStageClock clock = dae_pipeline_begin_stage(problem->pipeline, DAE_STAGE_INTEGRATE);
  uint32_t n = dae_problem_n(problem);
  g_autofree double *x = g_new0(double, n + 1); /* never NULL, also without unknowns */
  memcpy(x, problem->x, n * sizeof(double));
  DaeSolverOptions with_scale = *options;
  if (with_scale.nominal == NULL) {
    with_scale.nominal = problem->nominal;
  }
  if (options->method == DAE_METHOD_RADAU && options->n_landmarks == 0) {
    find_landmarks(problem, &with_scale);
  }
  if (!dae_problem_keeps_invariants(problem, &with_scale, error)) {
    *stats = (DaeSolverStats){.t = with_scale.t_start};
    dae_pipeline_end_stage(&clock);
    return false;
  }
  g_autoptr(DaeAssertions) assertions =
      problem->instant == NULL ? dae_assertions_new(problem) : NULL;
  g_autoptr(DaeWatch) watch =
      problem->instant == NULL ? dae_watch_new(problem, &with_scale) : NULL;
  g_autoptr(DaeChatter) chatter =
      problem->instant == NULL ? dae_chatter_new(problem, options) : NULL;
  g_autofree double *x_step = g_new0(double, n + 1);
  Receiver receiver = {.output = output,
                       .user = user,
                       .problem = problem,
                       .assertions = assertions,
                       .watch = watch,
                       .chatter = chatter,
                       .given = options,
                       .x_step = x_step};
  g_autoptr(DaeSwings) swings = new_swings(problem, &with_scale);
  receiver.swings = swings;
  with_scale.conditions = dae_chatter_conditions(chatter);
  if (dae_chatter_has_peaks(chatter) && with_scale.explicit_use != DAE_EXPLICIT_ONLY) {
    with_scale.explicit_use = DAE_EXPLICIT_NEVER;
  }
  if (chatter != NULL || swings != NULL) {
    with_scale.on_step = note_step;
    with_scale.step_user = &receiver;
    with_scale.is_stopped = is_stopped;
    with_scale.stop_user = &receiver;
  }
  DaeEvents events;
  DaeSolverResult result;
  if (problem->instant != NULL) {
    bool good = dae_problem_run_events(problem, &with_scale, output, user, &result, error);
    memcpy(x, problem->x, n * sizeof(double));
    if (!good) {
      *stats = result.stats;
      dae_pipeline_end_stage(&clock);
      return false;
    }
  } else {
    with_scale.no_xdot =
        with_scale.no_xdot && (assertions == NULL || !dae_assertions_need_slopes(assertions));
    if (watch != NULL) {
      dae_watch_begin(watch, with_scale.t_start, x);
    }
    bool has_functions = join_functions(&receiver, &events);
    result = dae_solver_run(dae_problem_evaluator(problem), &with_scale, x,
                            has_functions ? &events : NULL, receive_point, &receiver);
  }
  *stats = result.stats;
  dae_pipeline_end_stage(&clock);
  warn_about_run(problem, &with_scale, &result);
  warn_about_errors(problem, &with_scale, &result, swings, x);
  const char *told = told_failure(&receiver);
  if (told != NULL) {
    g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, told);
    return false;
  }
  if (!solved_variables_are_finite(problem, error)) {
    return false;
  }
  if (result.status != DAE_SOLVER_COMPLETED && result.status != DAE_SOLVER_STOPPED) {
    set_failure(problem, &with_scale, &result, x, error);
    return false;
  }
  return true;
}
