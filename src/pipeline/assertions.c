#include "pipeline/assertions.h"

#include "pipeline/events.h"

#include <stdlib.h>
#include <string.h>

#include "terms/message.h"

struct DaeAssertions {
  const DaeProblem *problem;
  GArray *watched; /* const DaeAssertion *; those without derivatives first: the events */
  uint32_t n_events;
  GArray *told;  /* uint8_t, by watched */
  DaeTape *tape; /* (x, x', time) -> +1 where the condition holds, -1 where not */
  void *scratch;
  double *in, *out;
  DaeEvents events;
  char *failure;
};

/* The unknowns, their first derivatives, time; derivatives that were
 * introduced stand for themselves. */
static GArray *
make_inputs(const DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  GArray *inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t order = 0; order < 2; order++) {
    for (uint32_t j = 0; j < dae_problem_n(problem); j++) {
      DaeTerm atom = dae_term_variable(terms, dae_qlt_unknown(problem->qlt, j), order);
      g_array_append_val(inputs, atom);
    }
  }
  DaeTerm time = dae_term_time(terms);
  g_array_append_val(inputs, time);
  return inputs;
}

static double *
inputs_at(DaeAssertions *assertions, double t, const double *x, const double *xdot)
{
  uint32_t n = dae_problem_n(assertions->problem);
  memcpy(assertions->in, x, n * sizeof(double));
  if (xdot != NULL) {
    memcpy(assertions->in + n, xdot, n * sizeof(double));
  }
  assertions->in[2 * (size_t)n] = t;
  return assertions->in;
}

/* A condition without a value (the logarithm of a negative) neither holds nor fails. */
static void
evaluate(DaeAssertions *assertions, double t, const double *x, const double *xdot)
{
  uint32_t fault = 0;
  dae_tape_eval(assertions->tape, assertions->scratch, 1, inputs_at(assertions, t, x, xdot),
                assertions->out, &fault);
}

static bool
value_at(void *user, DaeTerm term, double *value)
{
  const DaeAssertions *assertions = user;
  DaeTerms *terms = dae_pipeline_terms(assertions->problem->pipeline);
  g_autoptr(GArray) inputs = make_inputs(assertions->problem);
  DaeTerm lowered = dae_problem_lower_term(assertions->problem, term);
  g_autoptr(DaeTape) tape = lowered != DAE_NO_TERM
                                ? dae_tape_new(terms, (const DaeTerm *)(void *)inputs->data,
                                               inputs->len, &lowered, 1, NULL)
                                : NULL;
  if (tape == NULL) {
    return false;
  }
  uint32_t fault = 0;
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  dae_tape_eval(tape, scratch, 1, assertions->in, value, &fault);
  free(scratch);
  return true;
}

/* Tells of the violation of assertion i at t, with the values of the last evaluation; false:
 * the run ends. */
static bool
tell_violation(DaeAssertions *assertions, uint32_t i, double t)
{
  const DaeAssertion *assertion = g_array_index(assertions->watched, const DaeAssertion *, i);
  uint8_t *told = &g_array_index(assertions->told, uint8_t, i);
  if (*told != 0) {
    return assertion->is_warning;
  }
  *told = 1;
  g_autofree char *message = dae_message_fill(dae_pipeline_terms(assertions->problem->pipeline),
                                              assertion->message, value_at, assertions);
  g_autofree char *text =
      g_strdup_printf("%s:%u:%u: assertion failed at t = %.10g: %s",
                      dae_model_file_of(assertions->problem->model, assertion->span),
                      assertion->span.line, assertion->span.column, t, message);
  if (assertion->is_warning) {
    dae_report_warning(dae_pipeline_reporter(assertions->problem->pipeline), "%s", text);
    return true;
  }
  assertions->failure = g_steal_pointer(&text);
  return false;
}

bool
dae_assertions_hold(DaeAssertions *assertions, double t, const double *x, const double *xdot)
{
  evaluate(assertions, t, x, xdot);
  for (uint32_t i = 0; i < assertions->watched->len; i++) {
    if (assertions->out[i] < 0 && !tell_violation(assertions, i, t)) {
      return false;
    }
  }
  return true;
}

static void
event_values(void *user, double t, const double *x, double *out)
{
  DaeAssertions *assertions = user;
  evaluate(assertions, t, x, NULL);
  memcpy(out, assertions->out, assertions->n_events * sizeof(double));
}

static bool
event_crossed(void *user, uint32_t i, int direction, double t, const double *x)
{
  inputs_at(user, t, x, NULL);
  return direction > 0 || tell_violation(user, i, t);
}

/* ---- construction ------------------------------------------------------------------------- */

/* +1 or -1, with numbers for parameters and introduced unknowns for higher
 * derivatives; DAE_NO_TERM: no value. */
static DaeTerm
sign_of_condition(const DaeProblem *problem, const DaeAssertion *assertion)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm condition = dae_problem_lower_term(problem, assertion->condition);
  if (condition == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  return dae_term_if(terms, condition, dae_term_int(terms, 1), dae_term_int(terms, -1));
}

/* Those that can be computed from the inputs, of one of the two kinds. */
static void
choose_watched(DaeAssertions *assertions, GArray *inputs, bool with_derivatives, GArray *signs)
{
  const DaeProblem *problem = assertions->problem;
  const DaeModel *model = problem->model;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t i = 0; i < dae_model_n_assertions(model); i++) {
    const DaeAssertion *assertion = dae_model_assertion(model, i);
    DaeTerm sign = sign_of_condition(problem, assertion);
    if (sign != DAE_NO_TERM && dae_term_has_derivatives(terms, sign) != with_derivatives) {
      continue;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(DaeTape) tape = sign != DAE_NO_TERM
                                  ? dae_tape_new(terms, (const DaeTerm *)(void *)inputs->data,
                                                 inputs->len, &sign, 1, &error)
                                  : NULL;
    if (tape != NULL) {
      g_array_append_val(assertions->watched, assertion);
      g_array_append_val(signs, sign);
    } else if (with_derivatives) {
      dae_report_warning(dae_pipeline_reporter(problem->pipeline),
                         "%s:%u:%u: this assertion is not watched: %s",
                         dae_model_file_of(model, assertion->span), assertion->span.line,
                         assertion->span.column,
                         error != NULL ? error->message : "its condition has no value");
    }
  }
}

DaeAssertions *
dae_assertions_new(const DaeProblem *problem)
{
  if (dae_model_n_assertions(problem->model) == 0) {
    return NULL;
  }
  g_autoptr(DaeAssertions) assertions = g_new0(DaeAssertions, 1);
  g_autoptr(GArray) inputs = make_inputs(problem);
  g_autoptr(GArray) signs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  assertions->problem = problem;
  assertions->watched = g_array_new(FALSE, FALSE, sizeof(const DaeAssertion *));
  assertions->told = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  choose_watched(assertions, inputs, false, signs);
  assertions->n_events = assertions->watched->len;
  choose_watched(assertions, inputs, true, signs);
  uint32_t n = assertions->watched->len;
  if (n == 0) {
    return NULL;
  }
  g_array_set_size(assertions->told, n);
  assertions->tape =
      dae_tape_new(dae_pipeline_terms(problem->pipeline), (const DaeTerm *)(void *)inputs->data,
                   inputs->len, (const DaeTerm *)(void *)signs->data, n, NULL);
  DAE_ASSERT(assertions->tape != NULL); /* each of them has one */
  assertions->scratch = dae_aligned_new0(dae_tape_scratch_size(assertions->tape));
  assertions->in = g_new0(double, inputs->len);
  assertions->out = g_new0(double, n);
  assertions->events = (DaeEvents){.n = assertions->n_events,
                                   .values = event_values,
                                   .crossed = event_crossed,
                                   .user = assertions};
  return g_steal_pointer(&assertions);
}

void
dae_assertions_free(DaeAssertions *assertions)
{
  if (assertions == NULL) {
    return;
  }
  g_array_free(assertions->watched, TRUE);
  g_array_free(assertions->told, TRUE);
  dae_tape_free(assertions->tape);
  free(assertions->scratch);
  g_free(assertions->in);
  g_free(assertions->out);
  g_free(assertions->failure);
  g_free(assertions);
}

bool
dae_assertions_need_slopes(const DaeAssertions *assertions)
{
  return assertions->n_events < assertions->watched->len;
}

const DaeEvents *
dae_assertions_events(const DaeAssertions *assertions)
{
  return &assertions->events;
}

const char *
dae_assertions_failure(const DaeAssertions *assertions)
{
  return assertions->failure;
}
