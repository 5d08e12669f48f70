/* Invariants that the user gave: do the equations keep them? A proof may be out of reach
 * (qlt/invariant.c then takes them on trust), but one that is none shows on any piece of the
 * solution: the system is integrated without them for some steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/events.h"
#include "pipeline/pipeline-priv.h"

enum { STEPS = 60 };

/* The integration is held to this, and what moves by more than the other is not constant. */
#define TOLERANCE 1e-9
#define MOVES 1e-6
/* Part of the moves of its summands that the sum may keep. */
#define PART 1e-4

typedef struct {
  GArray *summands; /* DaeTerm of all invariants */
  GArray *ends;     /* uint32_t: where the summands of each end */
  DaePointTape *tape;
  void *scratch;
  double *first, *now; /* by summand */
  double t_first, t_moved;
  double from, to; /* values of the one that moves */
  uint32_t points;
  uint32_t moving; /* UINT32_MAX: none */
  const double *segment;
} Look;

static void
evaluate(const Look *look, double t, const double *x, double *out)
{
  dae_point_tape_eval(look->tape, look->scratch, 1, &t, x, NULL, out, NULL);
}

/* A point of the solution; false: enough seen. */
static bool
look_at_point(void *user, double t, const double *x, const double *xdot, const uint8_t *states)
{
  (void)xdot;
  (void)states;
  Look *look = user;
  if (look->points++ == 0) {
    look->t_first = t;
    evaluate(look, t, x, look->first);
    return true;
  }
  evaluate(look, t, x, look->now);
  uint32_t k = 0;
  for (uint32_t i = 0; i < look->ends->len; i++) {
    double from = 0;
    double to = 0;
    double moves = 0;
    double size = 0;
    for (; k < g_array_index(look->ends, uint32_t, i); k++) {
      from += look->first[k];
      to += look->now[k];
      moves += fabs(look->now[k] - look->first[k]);
      size += fabs(look->first[k]) + fabs(look->now[k]);
    }
    if (fabs(to - from) > PART * moves + MOVES * size) {
      look->moving = i;
      look->from = from;
      look->to = to;
      look->t_moved = t;
      return false;
    }
  }
  return look->points < STEPS;
}

/* The summands of the invariants in unknowns and numbers; false: some cannot be computed so. */
static bool
take_invariants(const DaeProblem *problem, Look *look)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const GArray *invariants = problem->pipeline->invariants;
  for (guint i = 0; i < invariants->len; i++) {
    DaeTerm t = dae_problem_lower_term(problem, g_array_index(invariants, DaeTerm, i));
    if (t == DAE_NO_TERM) {
      return false;
    }
    uint32_t n = 0;
    const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
    g_array_append_vals(look->summands, summands, n);
    g_array_append_val(look->ends, look->summands->len);
  }
  DaePointAtoms atoms = {(const DaeTerm *)(void *)problem->unknowns->data,
                         problem->unknowns->len, problem->parts.segment,
                         problem->parts.n_segment};
  look->tape = dae_point_tape_new(terms, &atoms, (const DaeTerm *)(void *)look->summands->data,
                                  look->summands->len, NULL);
  return look->tape != NULL;
}

/* The system without the invariants as constraints. (transfer full) */
static DaeSystem *
system_without(const DaeProblem *problem)
{
  g_autoptr(GArray) constraints = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) hidden = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  for (uint32_t i = 0; i < dae_qlt_n_constraints(problem->qlt); i++) {
    if (!dae_qlt_constraint(problem->qlt, i)->is_invariant) {
      g_array_append_val(constraints, g_array_index(problem->constraints, DaeTerm, i));
      g_array_append_val(hidden, g_array_index(problem->hidden, uint8_t, i));
    }
  }
  DaeSystemParts parts = problem->parts;
  parts.constraints = (const DaeTerm *)(void *)constraints->data;
  parts.hidden = (const uint8_t *)(void *)hidden->data;
  parts.n_con = constraints->len;
  return dae_system_new(dae_pipeline_terms(problem->pipeline), &parts, &(DaeSystemOptions){0},
                        NULL);
}

static void
integrate(const DaeProblem *problem, const DaeSolverOptions *options, Look *look)
{
  g_autoptr(DaeSystem) system = system_without(problem);
  if (system == NULL) {
    return;
  }
  look->scratch = dae_aligned_new0(dae_point_tape_scratch_size(look->tape));
  look->first = g_new0(double, (size_t)look->summands->len + 1);
  look->now = g_new0(double, (size_t)look->summands->len + 1);
  DaeSolverOptions run;
  dae_solver_default_options(&run);
  run.t_start = options->t_start;
  run.t_stop = options->t_stop;
  run.rtol = run.atol = TOLERANCE;
  run.nominal = options->nominal;
  if (problem->instant != NULL) {
    run.segment = dae_instant_segment(problem->instant);
    dae_point_tape_set_segment(look->tape, look->scratch, run.segment);
  }
  g_autofree double *x = g_memdup2(problem->x, (problem->unknowns->len + 1) * sizeof(double));
  dae_solver_run(dae_system_evaluator(system), &run, x, NULL, look_at_point, look);
}

static void
clear_look(Look *look)
{
  g_array_free(look->summands, TRUE);
  g_array_free(look->ends, TRUE);
  dae_point_tape_free(look->tape);
  free(look->scratch);
  g_free(look->first);
  g_free(look->now);
}

bool
dae_problem_keeps_invariants(const DaeProblem *problem, const DaeSolverOptions *options,
                             GError **error)
{
  if (problem->pipeline->invariants->len == 0) {
    return true;
  }
  Look look = {.summands = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
               .ends = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
               .moving = UINT32_MAX};
  if (take_invariants(problem, &look)) {
    integrate(problem, options, &look);
  }
  if (look.moving != UINT32_MAX) {
    g_autofree char *text =
        dae_term_to_string(dae_pipeline_terms(problem->pipeline),
                           g_array_index(problem->pipeline->invariants, DaeTerm, look.moving));
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE,
                "the equations do not keep the invariant %s: it goes from %.6g at t = %.6g to "
                "%.6g at t = %.6g",
                text, look.from, look.t_first, look.to, look.t_moved);
  }
  clear_look(&look);
  return look.moving == UINT32_MAX;
}
