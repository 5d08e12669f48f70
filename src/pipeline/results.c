/* What the user sees: every variable of the model as read, in its order, then what was
 * introduced. Unknowns of the integrator come from its vector, aliases with their sign,
 * everything else that was solved beforehand through a tape. */
#include "pipeline/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/right_sides.h"

/* Where a value is missing limits are looked for at this distance, a half and a quarter of it;
 * what extrapolation and rounding leave of them. */
#define HOLE_WIDTH 1e-3
#define HOLE_ERROR 1e-10

typedef struct {
  DaeSymbol symbol;
  uint32_t variable;  /* of the model as read; UINT32_MAX: none */
  uint32_t from;      /* unknown, or output of the tape */
  int8_t sign;        /* 0: output of the tape */
  uint32_t input;     /* of the model as read, from 1; 0: none */
  uint32_t parameter; /* the same */
} Column;

struct DaeResults {
  GArray *columns;           /* Column */
  GArray *outputs;           /* DaeTerm: solved and discrete variables */
  DaePointTape *tape;        /* of them; NULL: none */
  const DaeInstant *instant; /* whose segment values they take; NULL: ... */
  const double *run_values;  /* ... these */
  void *scratch;
  double *out, *row;
  uint32_t n;
  bool is_current; /* row is that of the point under way */
  uint32_t fault;  /* column without a finite value so far; UINT32_MAX: none */
  double fault_time;
};

/* The solved variable as a term in unknowns, numbers and segment values: what the integrator
 * has instead of derivatives and parameters. */
static DaeTerm
recovered_term(const DaeProblem *problem, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm closed = dae_subst_apply(problem->kept, t);
  DaeTerm actual = dae_homotopy_take_actual(terms, closed != DAE_NO_TERM ? closed : t);
  return problem->buffers != NULL
             ? dae_buffers_put_in(problem->buffers, actual, (DaeSpan){.line = 0})
             : actual;
}

/* How the simplification recovers variable j of the model as read; NULL:
 * it is an unknown, or discrete. */
static const DaeRecovery *
recovery_of(const DaeProblem *problem, uint32_t j)
{
  const DaeSimplified *simplified = dae_pipeline_simplified(problem->pipeline);
  const DaeModel *continuous = dae_hybrid_continuous(problem->pipeline->hybrid);
  DaeSymbol symbol = dae_model_variable(dae_pipeline_model(problem->pipeline), j)->symbol;
  uint32_t k = 0;
  return simplified != NULL && dae_model_find_variable(continuous, symbol, &k)
             ? dae_simplified_recovery(simplified, k)
             : NULL;
}

static void
add_column(DaeResults *results, const DaeProblem *problem, GHashTable *position, uint32_t j,
           GArray *outputs)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  Column column = {.symbol = dae_model_variable(model, j)->symbol, .variable = j, .sign = 1};
  DaeSymbol kept = column.symbol;
  const DaeRecovery *recovery = recovery_of(problem, j);
  if (recovery != NULL && recovery->kind == DAE_RECOVER_ALIAS) {
    kept = dae_model_variable(dae_simplified_model(dae_pipeline_simplified(problem->pipeline)),
                              recovery->kept)
               ->symbol;
    column.sign = (int8_t)recovery->sign;
  }
  gpointer found = g_hash_table_lookup(position, GUINT_TO_POINTER(kept + 1));
  if ((recovery == NULL || recovery->kind != DAE_RECOVER_TERM) && found != NULL) {
    column.from = GPOINTER_TO_UINT(found) - 1;
  } else {
    DaeTerm x = dae_hybrid_translate(problem->pipeline->hybrid,
                                     dae_term_variable(terms, column.symbol, 0));
    DaeTerm term = recovered_term(problem, recovery != NULL ? recovery->term : x);
    column.sign = 0;
    column.from = outputs->len;
    term = dae_problem_put_in_at_edges(problem, term);
    g_array_append_val(outputs, term);
  }
  g_array_append_val(results->columns, column);
}

/* Inputs are known functions of time: what stands for them in the equations. */
static void
add_inputs(DaeResults *results, const DaeProblem *problem, GArray *outputs)
{
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  for (uint32_t i = 0; i < dae_model_n_inputs(model); i++) {
    const DaeInput *input = dae_model_input(model, i);
    if (input->value != DAE_NO_TERM) {
      DaeTerm value = recovered_term(
          problem, dae_hybrid_translate(problem->pipeline->hybrid, input->value));
      Column column = {.variable = UINT32_MAX, .from = outputs->len, .input = i + 1};
      g_array_append_val(results->columns, column);
      g_array_append_val(outputs, value);
    }
  }
}

/* Parameters that the initialization has found, those that depend on them, and variables that
 * cannot change: results as well. */
static void
add_parameters(DaeResults *results, const DaeProblem *problem, GArray *outputs)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    DaeTerm written =
        parameter->is_free ? DAE_NO_TERM : dae_model_parameter_value(model, terms, k);
    bool is_found = parameter->is_free || parameter->is_variable ||
                    (written != DAE_NO_TERM && dae_term_has_parameters(terms, written));
    DaeTerm atom = dae_term_parameter(terms, parameter->symbol);
    DaeTerm number = is_found ? dae_subst_apply(problem->values, atom) : DAE_NO_TERM;
    if (number == DAE_NO_TERM) {
      continue;
    }
    bool is_truth = dae_term_kind(terms, number) == DAE_KIND_BOOLEAN;
    if (is_truth || dae_term_is_number(terms, number)) {
      DaeTerm value = is_truth ? dae_term_int(terms, dae_term_get_bool(terms, number))
                               : recovered_term(problem, atom);
      Column column = {.symbol = parameter->symbol,
                       .variable = UINT32_MAX,
                       .from = outputs->len,
                       .parameter = k + 1};
      g_array_append_val(results->columns, column);
      g_array_append_val(outputs, value);
    }
  }
}

bool
dae_results_bind(DaeResults *results, const DaeProblem *problem, GError **error)
{
  DaePointAtoms atoms = {(const DaeTerm *)(void *)problem->unknowns->data,
                         problem->unknowns->len, problem->parts.segment,
                         problem->parts.n_segment};
  results->instant = problem->instant;
  results->run_values = problem->run_values;
  if (results->outputs->len == 0) {
    return true;
  }
  results->tape = dae_point_tape_new(dae_pipeline_terms(problem->pipeline), &atoms,
                                     (const DaeTerm *)(void *)results->outputs->data,
                                     results->outputs->len, error);
  if (results->tape == NULL) {
    return false;
  }
  results->scratch = dae_aligned_new0(dae_point_tape_scratch_size(results->tape));
  results->out = g_new0(double, (size_t)results->outputs->len + 1);
  return true;
}

DaeResults *
dae_results_new(const DaeProblem *problem)
{
  g_autoptr(DaeResults) results = g_new0(DaeResults, 1);
  results->outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) position = g_hash_table_new(NULL, NULL);
  const DaeModel *model = dae_pipeline_model(problem->pipeline);
  results->columns = g_array_new(FALSE, FALSE, sizeof(Column));
  results->n = dae_problem_n(problem);
  results->fault = UINT32_MAX;
  for (uint32_t j = 0; j < results->n; j++) {
    g_hash_table_insert(position, GUINT_TO_POINTER(dae_qlt_unknown(problem->qlt, j) + 1),
                        GUINT_TO_POINTER(j + 1));
  }
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    if (!dae_model_variable(model, j)->is_auxiliary) {
      add_column(results, problem, position, j, results->outputs);
    }
  }
  add_inputs(results, problem, results->outputs);
  add_parameters(results, problem, results->outputs);
  for (uint32_t j = 0; j < results->n; j++) {
    if (dae_problem_is_introduced(problem, j)) {
      Column column = {.symbol = dae_qlt_unknown(problem->qlt, j),
                       .variable = UINT32_MAX,
                       .from = j,
                       .sign = 1};
      g_array_append_val(results->columns, column);
    }
  }
  results->row = g_new0(double, (size_t)results->columns->len + 1);
  return g_steal_pointer(&results);
}

void
dae_results_free(DaeResults *results)
{
  if (results == NULL) {
    return;
  }
  g_array_free(results->columns, TRUE);
  g_array_free(results->outputs, TRUE);
  dae_point_tape_free(results->tape);
  free(results->scratch);
  g_free(results->out);
  g_free(results->row);
  g_free(results);
}

void
dae_results_restart(DaeResults *results)
{
  results->fault = UINT32_MAX;
  results->is_current = false;
}

/* The outputs at another time and with all unknowns moved by `shift`; what has no value is NaN. */
static void
outputs_at(const DaeResults *results, double t, const double *x, double shift, double *out)
{
  g_autofree double *moved = g_new0(double, results->n + 1);
  for (uint32_t j = 0; j < results->n; j++) {
    moved[j] = x[j] + shift * (1.0 + fabs(x[j]));
  }
  dae_point_tape_eval(results->tape, results->scratch, 1, &t, moved, NULL, out, NULL);
}

/* Two-sided values at distance `width`: their mean, and how far they are apart. */
typedef struct {
  double mean, apart;
} Sides;

static Sides
sides_of(const double *before, const double *after, uint32_t o)
{
  return (Sides){0.5 * (before[o] + after[o]), fabs(after[o] - before[o])};
}

/* Output o has no value at t: a hole that closes if it depends on time alone (the values of the
 * unknowns beside t are not known here) and both sides tend to one value. *value: the limit, by
 * extrapolation. Over half the distance the sides of a smooth function are half as far apart;
 * at a jump they stay, at a pole they part. */
static bool
closes_the_hole(const Sides sides[3], bool is_of_time, double *value)
{
  const double size = 1.0 + fabs(sides[2].mean);
  for (int k = 0; k < 3; k++) {
    if (!isfinite(sides[k].mean) || !isfinite(sides[k].apart)) {
      return false;
    }
  }
  const double wide = (4.0 * sides[1].mean - sides[0].mean) / 3.0;
  const double narrow = (4.0 * sides[2].mean - sides[1].mean) / 3.0;
  *value = (16.0 * narrow - wide) / 15.0;
  return is_of_time && sides[1].apart <= 0.7 * sides[0].apart + HOLE_ERROR * size &&
         sides[2].apart <= 0.7 * sides[1].apart + HOLE_ERROR * size &&
         fabs(narrow - wide) <= 1e3 * HOLE_ERROR * size;
}

/* Puts limits where outputs have no value at t but tend to one. */
static void
fill_holes(DaeResults *results, double t, const double *x)
{
  const uint32_t n = results->outputs->len;
  const double width = HOLE_WIDTH * fmax(1.0, fabs(t));
  g_autofree double *beside = g_new0(double, 7 * (size_t)n + 1);
  for (uint32_t k = 0; k < 3; k++) {
    outputs_at(results, t - ldexp(width, -(int)k), x, 0.0, beside + (size_t)2 * k * n);
    outputs_at(results, t + ldexp(width, -(int)k), x, 0.0, beside + (size_t)(2 * k + 1) * n);
  }
  const double *other = beside + (size_t)6 * n;
  outputs_at(results, t + width, x, 0.1, beside + (size_t)6 * n);
  for (uint32_t o = 0; o < n; o++) {
    if (isfinite(results->out[o])) {
      continue;
    }
    Sides sides[3];
    for (uint32_t k = 0; k < 3; k++) {
      sides[k] = sides_of(beside + (size_t)2 * k * n, beside + (size_t)(2 * k + 1) * n, o);
    }
    double value = 0.0;
    if (closes_the_hole(sides, other[o] == beside[n + o], &value)) {
      results->out[o] = value;
    }
  }
}

/* What the tape could not compute is NaN; the first such column is remembered. */
static void
run_tape(DaeResults *results, double t, const double *x)
{
  dae_point_tape_set_segment(results->tape, results->scratch,
                             results->instant != NULL ? dae_instant_segment(results->instant)
                                                      : results->run_values);
  if (dae_point_tape_eval(results->tape, results->scratch, 1, &t, x, NULL, results->out,
                          NULL) == 0) {
    return;
  }
  fill_holes(results, t, x);
  for (uint32_t k = 0; k < results->columns->len && results->fault == UINT32_MAX; k++) {
    const Column *column = &g_array_index(results->columns, Column, k);
    if (column->sign == 0 && !isfinite(results->out[column->from])) {
      results->fault = k;
      results->fault_time = t;
    }
  }
}

const double *
dae_results_at(DaeResults *results, double t, const double *x)
{
  if (results->tape != NULL) {
    run_tape(results, t, x);
  }
  for (uint32_t k = 0; k < results->columns->len; k++) {
    const Column *column = &g_array_index(results->columns, Column, k);
    results->row[k] = column->sign > 0   ? x[column->from]
                      : column->sign < 0 ? -x[column->from]
                                         : results->out[column->from];
  }
  return results->row;
}

bool
dae_results_begin_point(DaeResults *results, double t, const double *x)
{
  dae_results_at(results, t, x);
  results->is_current = results->fault == UINT32_MAX;
  return results->is_current;
}

void
dae_results_end_point(DaeResults *results)
{
  results->is_current = false;
}

DaeTerm
dae_results_term(const DaeResults *results, uint32_t k)
{
  const Column *column = &g_array_index(results->columns, Column, k);
  return column->sign == 0 ? g_array_index(results->outputs, DaeTerm, column->from)
                           : DAE_NO_TERM;
}

char *
dae_results_describe_column(const DaeProblem *problem, uint32_t k)
{
  uint32_t j = k < problem->results->columns->len
                   ? g_array_index(problem->results->columns, Column, k).variable
                   : UINT32_MAX;
  const DaeModel *model = dae_hybrid_continuous(problem->pipeline->hybrid);
  const DaeRecovery *recovery = j != UINT32_MAX ? recovery_of(problem, j) : NULL;
  if (recovery == NULL || recovery->equation == UINT32_MAX) {
    return NULL;
  }
  uint32_t i = recovery->equation;
  g_autoptr(GString) text = g_string_new(NULL);
  dae_model_print_equation(dae_pipeline_terms(problem->pipeline), dae_model_equation(model, i),
                           text);
  g_autofree char *place = dae_span_text(dae_model_equation(model, i)->span);
  return g_strdup_printf("equation %u (%s): %s", i, place, text->str);
}

char *
dae_results_describe_fault(const DaeProblem *problem)
{
  uint32_t k = problem->results->fault;
  g_autofree char *equation = k != UINT32_MAX ? dae_results_describe_column(problem, k) : NULL;
  return equation == NULL ? NULL
                          : g_strdup_printf("no finite value of %s\n  in %s",
                                            dae_problem_result_name(problem, k), equation);
}

double
dae_results_fault_time(const DaeProblem *problem)
{
  return problem->results->fault_time;
}

/* ---- the public side --------------------------------------------------------------------- */

static const DaeVariable *
variable_of(const DaeProblem *problem, uint32_t k)
{
  uint32_t j = g_array_index(problem->results->columns, Column, k).variable;
  return j != UINT32_MAX ? dae_model_variable(dae_pipeline_model(problem->pipeline), j) : NULL;
}

static const DaeInput *
input_of(const DaeProblem *problem, uint32_t k)
{
  uint32_t i = g_array_index(problem->results->columns, Column, k).input;
  return i > 0 ? dae_model_input(dae_pipeline_model(problem->pipeline), i - 1) : NULL;
}

static const DaeParameter *
parameter_of(const DaeProblem *problem, uint32_t k)
{
  uint32_t i = g_array_index(problem->results->columns, Column, k).parameter;
  return i > 0 ? dae_model_parameter(dae_pipeline_model(problem->pipeline), i - 1) : NULL;
}

uint32_t
dae_problem_n_results(const DaeProblem *problem)
{
  return problem->results->columns->len;
}

const char *
dae_problem_result_name(const DaeProblem *problem, uint32_t k)
{
  const Column *column = &g_array_index(problem->results->columns, Column, k);
  const DaeInput *input = input_of(problem, k);
  return input != NULL
             ? input->name
             : dae_terms_symbol_name(dae_pipeline_terms(problem->pipeline), column->symbol);
}

const char *
dae_problem_result_unit(const DaeProblem *problem, uint32_t k)
{
  const DaeVariable *variable = variable_of(problem, k);
  const DaeInput *input = input_of(problem, k);
  const DaeParameter *parameter = parameter_of(problem, k);
  return variable != NULL    ? variable->unit
         : input != NULL     ? input->unit
         : parameter != NULL ? parameter->unit
                             : NULL;
}

const char *
dae_problem_result_description(const DaeProblem *problem, uint32_t k)
{
  const DaeVariable *variable = variable_of(problem, k);
  const DaeParameter *parameter = parameter_of(problem, k);
  return variable != NULL    ? variable->description
         : parameter != NULL ? parameter->description
                             : NULL;
}

DaeType
dae_problem_result_type(const DaeProblem *problem, uint32_t k)
{
  const DaeVariable *variable = variable_of(problem, k);
  const DaeInput *input = input_of(problem, k);
  const DaeParameter *parameter = parameter_of(problem, k);
  return variable != NULL    ? variable->type
         : input != NULL     ? input->type
         : parameter != NULL ? parameter->type
                             : DAE_TYPE_REAL;
}

bool
dae_problem_result_is_introduced(const DaeProblem *problem, uint32_t k)
{
  const Column *column = &g_array_index(problem->results->columns, Column, k);
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  return variable_of(problem, k) == NULL && column->input == 0 &&
         dae_terms_symbol_kind(terms, column->symbol) == DAE_SYMBOL_VARIABLE;
}

bool
dae_problem_result_unknown(const DaeProblem *problem, uint32_t k, uint32_t *unknown, int *sign)
{
  const Column *column = &g_array_index(problem->results->columns, Column, k);
  *unknown = column->from;
  *sign = column->sign;
  return column->sign != 0;
}

bool
dae_problem_result_curve(const DaeProblem *problem, uint32_t k, uint64_t *key, int *sign)
{
  uint32_t unknown = 0;
  if (dae_problem_result_unknown(problem, k, &unknown, sign)) {
    *key = 2 * (uint64_t)unknown;
    return true;
  }
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeTerm t = dae_results_term(problem->results, k);
  if (t == DAE_NO_TERM || dae_term_is_number(terms, t)) {
    return false;
  }
  DaeTerm negated = dae_term_neg(terms, t);
  *sign = t <= negated ? 1 : -1;
  *key = 2 * (uint64_t)MIN(t, negated) + 1;
  return true;
}

bool
dae_problem_results_are_one(const DaeProblem *problem, uint32_t k, uint32_t l)
{
  const Column *a = &g_array_index(problem->results->columns, Column, k);
  const Column *b = &g_array_index(problem->results->columns, Column, l);
  bool are_unknowns = a->sign != 0 && b->sign != 0;
  return are_unknowns ? a->from == b->from && a->sign == b->sign
                      : a->sign == b->sign && dae_results_term(problem->results, k) ==
                                                  dae_results_term(problem->results, l);
}

const double *
dae_problem_results(DaeProblem *problem, double t, const double *x)
{
  DaeResults *results = problem->results;
  if (results->is_current) {
    return results->row;
  }
  uint32_t fault = results->fault; /* of the run; this point may be none of its */
  dae_results_at(results, t, x);
  results->fault = fault;
  return results->row;
}
