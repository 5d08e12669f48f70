#include "pipeline/events.h"

#include "pipeline/mode_structure.h"

/* The line of the equation behind a row of the reduced system. */
DaeSpan
dae_problem_row_span(const DaeProblem *problem, uint32_t row)
{
  uint32_t n_rows = dae_qlt_n_rows(problem->qlt);
  bool is_constraint = row >= n_rows;
  if (is_constraint && row - n_rows >= dae_qlt_n_constraints(problem->qlt)) {
    return (DaeSpan){.line = 0};
  }
  const DaeQltOrigin *from = is_constraint
                                 ? dae_qlt_constraint(problem->qlt, row - n_rows)->from
                                 : dae_qlt_row(problem->qlt, row)->from;
  uint32_t n = is_constraint ? dae_qlt_constraint(problem->qlt, row - n_rows)->n_from
                             : dae_qlt_row(problem->qlt, row)->n_from;
  return n > 0 && from[0].equation < dae_model_n_equations(problem->model)
             ? dae_model_equation(problem->model, from[0].equation)->span
             : (DaeSpan){.line = 0};
}

static DaeTerm
lower(void *user, DaeTerm t)
{
  return dae_problem_lower_for_run(user, t);
}

void
dae_problem_slopes_at(DaeProblem *problem, const double *segment, double t, const double *x,
                      double *xdot)
{
  if (problem->slope_solver == NULL) {
    problem->slope_solver = dae_slopes_new(dae_problem_evaluator(problem));
  }
  dae_slopes_at(problem->slope_solver, segment, t, x, xdot);
}

static void
slopes(void *user, double t, const double *x, const double *segment, double *xdot)
{
  dae_problem_slopes_at(user, segment, t, x, xdot);
}

static char *
describe_row(void *user, uint32_t row)
{
  return dae_problem_describe_row(user, row);
}

static void
find_open(void *user, const double *segment, uint8_t *is_open)
{
  DaeProblem *problem = user;
  dae_mode_structure_find_open(problem->mode_structure, problem, segment, is_open);
}

bool
dae_problem_prepare_events(DaeProblem *problem, GError **error)
{
  DaeInstantParts parts = {
      .terms = dae_pipeline_terms(problem->pipeline),
      .hybrid = problem->pipeline->hybrid,
      .buffers = problem->buffers,
      .unknowns = (const DaeTerm *)(void *)problem->unknowns->data,
      .n = problem->unknowns->len,
      .nominal = problem->nominal,
      .lower = lower,
      .slopes = slopes,
      .describe_row = describe_row,
      .user = problem,
      .model = problem->model,
      .held = (const DaeTerm *)(void *)problem->run_atoms->data,
      .held_values = problem->run_values,
      .n_held = problem->run_atoms->len,
      .open_columns = (const uint32_t *)(void *)problem->open_columns->data,
      .open_atoms = (const DaeTerm *)(void *)problem->open_atoms->data,
      .n_open = problem->open_columns->len,
      .find_open = find_open,
      .reporter = dae_pipeline_reporter(problem->pipeline),
  };
  problem->instant = dae_instant_new(&parts, error);
  if (problem->instant == NULL) {
    return false;
  }
  if (dae_hybrid_is_trivial(problem->pipeline->hybrid) &&
      dae_buffers_n(problem->buffers) == 0 &&
      !(problem->options.is_exported && dae_model_n_assertions(problem->model) > 0)) {
    g_clear_pointer(&problem->instant, dae_instant_free); /* nothing makes events */
  }
  return true;
}

bool
dae_problem_bind_events(DaeProblem *problem, GError **error)
{
  if (!dae_instant_bind(problem->instant, dae_problem_evaluator(problem), &problem->parts,
                        error)) {
    return false;
  }
  return problem->start_is_open ||
         dae_instant_take_start(problem->instant, problem->t_start, problem->x,
                                problem->discrete_now, problem->discrete_pre, error);
}

bool
dae_problem_has_events(const DaeProblem *problem)
{
  return problem->instant != NULL;
}

void
dae_problem_set_event_listener(DaeProblem *problem, DaeEventListener listener, void *user)
{
  problem->listener = listener;
  problem->listener_user = user;
}

const DaeEventStats *
dae_problem_event_stats(const DaeProblem *problem)
{
  return &problem->event_stats;
}
