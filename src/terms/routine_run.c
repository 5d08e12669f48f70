/* Routines on doubles: the steps of their code, one after the other.
 *
 * A value that is not finite is undefined and is NaN; every step with an undefined
 * operand is undefined, except that a choice ignores what it does not take, and `and`
 * and `or` what does not matter. */
#include <math.h>
#include <string.h>

#include "terms/routine-code.h"

typedef struct {
  uint32_t rounds, depth;
} Budget;

static void run(const DaeRoutineCode *code, const double *inputs, double *outputs,
                Budget *budget);

static inline double
defined(double value)
{
  return isfinite(value) ? value : NAN;
}

static double
integer_power(double base, uint32_t exponent)
{
  double result = 1.0;
  for (; exponent > 0; exponent >>= 1) {
    result = (exponent & 1u) != 0 ? result * base : result;
    base *= exponent > 1 ? base : 1.0;
  }
  return defined(result);
}

/* An operand that is undefined makes the value so, but for the slope of semiLinear that is not
 * taken. */
static double
apply_function(DaeFunction f, const double *r, const DaeRoutineStep *step)
{
  const DaeFunctionFacts *facts = dae_function_facts(f);
  const double x[DAE_MOST_ARGUMENTS] = {r[step->a], r[step->b], r[step->c]};
  for (uint32_t i = 0; i < facts->arity && (i == 0 || facts->arity < 3); i++) {
    if (isnan(x[i])) {
      return NAN;
    }
  }
  return defined(facts->value(x));
}

static double
relation(DaeRelation op, double a, double b)
{
  if (isnan(a) || isnan(b)) {
    return NAN;
  }
  switch (op) {
  case DAE_REL_LT:
    return a < b ? 1.0 : 0.0;
  case DAE_REL_LE:
    return a <= b ? 1.0 : 0.0;
  case DAE_REL_GT:
    return a > b ? 1.0 : 0.0;
  case DAE_REL_GE:
    return a >= b ? 1.0 : 0.0;
  case DAE_REL_EQ:
    return a == b ? 1.0 : 0.0;
  case DAE_REL_NE:
    return a != b ? 1.0 : 0.0;
  }
  return NAN;
}

/* `and` of a and b where deciding is 0, `or` where it is 1. */
static inline double
junction(double a, double b, double deciding)
{
  if (a == deciding || b == deciding) {
    return deciding;
  }
  return isnan(a) || isnan(b) ? NAN : 1.0 - deciding;
}

static double
element(const double *r, const DaeRoutineStep *step, const uint32_t *list)
{
  double i = r[step->a];
  return i >= 1.0 && i <= (double)step->c && i == floor(i) ? r[list[(uint32_t)i - 1]] : NAN;
}

static void
call(const DaeRoutineCode *code, const DaeRoutineStep *step, double *r, Budget *budget)
{
  const DaeRoutineCode *callee = code->callees[step->a];
  const uint32_t *list = code->lists + step->b;
  double few[32];
  g_autofree double *many =
      callee->n_inputs > G_N_ELEMENTS(few) ? g_new(double, callee->n_inputs) : NULL;
  double *inputs = many != NULL ? many : few;
  for (uint32_t i = 0; i < callee->n_inputs; i++) {
    inputs[i] = r[list[i]];
  }
  run(callee, inputs, r + step->to, budget);
}

static void
run_steps(const DaeRoutineCode *code, uint32_t from, uint32_t to, double *r, Budget *budget)
{
  const DaeRoutineStep *end = code->steps + to;
  for (const DaeRoutineStep *s = code->steps + from; s < end; s++) {
    switch ((DaeStepKind)s->kind) {
    case DAE_STEP_ADD:
      r[s->to] = defined(r[s->a] + r[s->b]);
      break;
    case DAE_STEP_MULTIPLY:
      r[s->to] = defined(r[s->a] * r[s->b]);
      break;
    case DAE_STEP_DIVIDE:
      r[s->to] = defined(1.0 / r[s->a]);
      break;
    case DAE_STEP_INTEGER:
      r[s->to] = integer_power(r[s->a], s->c);
      break;
    case DAE_STEP_ROOT:
      r[s->to] = sqrt(r[s->a]);
      break;
    case DAE_STEP_POWER:
      r[s->to] = isnan(r[s->a]) || isnan(r[s->b]) ? NAN : defined(pow(r[s->a], r[s->b]));
      break;
    case DAE_STEP_FUNCTION:
      r[s->to] = apply_function((DaeFunction)s->fn, r, s);
      break;
    case DAE_STEP_CHOOSE:
      r[s->to] = isnan(r[s->a]) ? NAN : r[r[s->a] != 0.0 ? s->b : s->c];
      break;
    case DAE_STEP_RELATION:
      r[s->to] = relation((DaeRelation)s->fn, r[s->a], r[s->b]);
      break;
    case DAE_STEP_AND:
      r[s->to] = junction(r[s->a], r[s->b], 0.0);
      break;
    case DAE_STEP_OR:
      r[s->to] = junction(r[s->a], r[s->b], 1.0);
      break;
    case DAE_STEP_NOT:
      r[s->to] = isnan(r[s->a]) ? NAN : (r[s->a] == 0.0 ? 1.0 : 0.0);
      break;
    case DAE_STEP_ELEMENT:
      r[s->to] = element(r, s, code->lists + s->b);
      break;
    case DAE_STEP_INTERVAL:
      r[s->to] = dae_data_interval(code->data[s->b].values, code->data[s->b].n, r[s->a]);
      break;
    case DAE_STEP_LOOKUP:
      r[s->to] = dae_data_lookup(code->data[s->b].values, code->data[s->b].n, r[s->a]);
      break;
    case DAE_STEP_CALL:
      call(code, s, r, budget);
      break;
    }
  }
}

static void
fail(const DaeRoutineCode *code, double *outputs)
{
  for (uint32_t k = 0; k < code->n_outputs; k++) {
    outputs[k] = NAN;
  }
}

/* The states at the end of the loop. False: no end within the budget, or
 * the condition is not defined. */
static bool
run_loop(const DaeRoutineCode *code, double *r, double *fresh, Budget *budget)
{
  double *states = r + code->n_constants + code->n_inputs;
  const uint32_t *from = code->initial;
  run_steps(code, 0, code->initial_end, r, budget);
  for (;;) {
    for (uint32_t s = 0; s < code->n_states; s++) {
      fresh[s] = r[from[s]];
    }
    memcpy(states, fresh, code->n_states * sizeof *states);
    run_steps(code, code->initial_end, code->condition_end, r, budget);
    double condition = r[code->condition];
    if (isnan(condition) || ++budget->rounds > DAE_ROUTINE_MAX_ROUNDS) {
      return false;
    }
    if (condition == 0.0) {
      return true;
    }
    run_steps(code, code->condition_end, code->next_end, r, budget);
    from = code->next;
  }
}

void
dae_routine_run_method(const DaeRoutineCode *code, const double *inputs, double *outputs)
{
  const DaeMethod *method = &code->method;
  bool good = true;
  for (uint32_t i = 0; i < code->n_inputs; i++) {
    good = good && isfinite(inputs[i]);
  }
  if (!good) {
    fail(code, outputs);
    return;
  }
  g_autofree double *work = g_new0(double, method->n_work + 1);
  g_autofree int *places = g_new0(int, method->n_places + 1);
  fail(code, outputs); /* what the method does not set */
  method->run(method->sizes, inputs, outputs, work, places);
  for (uint32_t k = 0; k < code->n_outputs; k++) {
    outputs[k] = defined(outputs[k]);
  }
}

static void
run(const DaeRoutineCode *code, const double *inputs, double *outputs, Budget *budget)
{
  double few[192];
  size_t n = (size_t)code->n_registers + code->n_states;
  if (budget->depth >= DAE_ROUTINE_MAX_DEPTH || ++budget->rounds > DAE_ROUTINE_MAX_ROUNDS) {
    fail(code, outputs);
    return;
  }
  if (code->is_method) {
    dae_routine_run_method(code, inputs, outputs);
    return;
  }
  g_autofree double *many = n > G_N_ELEMENTS(few) ? g_new(double, n) : NULL;
  double *r = many != NULL ? many : few;
  budget->depth++;
  if (code->n_constants > 0) {
    memcpy(r, code->constants, code->n_constants * sizeof *r);
  }
  for (uint32_t i = 0; i < code->n_inputs; i++) {
    r[code->n_constants + i] = defined(inputs[i]);
  }
  if (code->n_states > 0 && !run_loop(code, r, r + code->n_registers, budget)) {
    fail(code, outputs);
  } else {
    run_steps(code, code->next_end, code->n_steps, r, budget);
    for (uint32_t k = 0; k < code->n_outputs; k++) {
      outputs[k] = r[code->outputs[k]];
    }
  }
  budget->depth--;
}

void
dae_routine_run(const DaeRoutineCode *code, const double *inputs, double *outputs)
{
  Budget budget = {0, 0};
  run(code, inputs, outputs, &budget);
}
