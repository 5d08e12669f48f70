/* Solves the start problem: block by block (blocks.c); where that fails, damped Gauss-Newton on all
 * equations, nearest to the start values; when that fails, or when homotopy() asks for it, along a
 * path from an easier problem; Levenberg-Marquardt is the last step of the solver's own search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "start/start-priv.h"

DaeRootResult
dae_start_solve(DaeStartNumbers *numbers, const double *weights, double *x)
{
  DaeRootProblem problem = {
      .n = numbers->n,
      .m = numbers->m,
      .pattern = dae_start_pattern(numbers),
      .self = numbers,
      .residual = dae_start_residual,
      .jacobian = dae_start_jacobian,
  };
  return dae_numeric_solve(&problem, weights, 1e-12, x);
}

typedef struct {
  DaeStartNumbers *numbers;
  DaeStartBlocks *blocks; /* NULL: there is something to choose first */
  const DaeStartMeasure *measure;
} Search;

/* Block by block; where that leads nowhere, all at once. Where everything was given explicitly
 * there is nothing to solve. */
static DaeRootResult
solve_once(const Search *search, double *x)
{
  DaeStartNumbers *numbers = search->numbers;
  if (dae_start_holds(numbers, x)) {
    return (DaeRootResult){.converged = true};
  }
  uint32_t failed = 0;
  g_autofree double *y = g_memdup2(x, numbers->n * sizeof(double));
  if (search->blocks != NULL && numbers->r0 == NULL &&
      dae_start_blocks_solve(search->blocks, search->measure, y, &failed)) {
    DaeRootResult found = dae_start_solve(numbers, search->measure->weights, y);
    if (found.converged) {
      memcpy(x, y, numbers->n * sizeof(double));
      return found;
    }
  }
  return dae_start_solve(numbers, search->measure->weights, x);
}

/* Walks a parameter from 0 to 1 with steps that shrink on failure. On
 * failure x is what the caller gave. */
static DaeRootResult
walk(const Search *search, double *parameter, double *x)
{
  DaeStartNumbers *numbers = search->numbers;
  g_autofree double *good = g_memdup2(x, numbers->n * sizeof(double));
  g_autofree double *given = g_memdup2(x, numbers->n * sizeof(double));
  double reached = 0;
  double step = 0.25;
  *parameter = 0;
  DaeRootResult result = solve_once(search, x);
  if (result.converged) {
    memcpy(good, x, numbers->n * sizeof(double));
  }
  while (result.converged && reached < 1 && step > 1e-5) {
    *parameter = MIN(1, reached + step);
    DaeRootResult next = dae_start_solve(numbers, search->measure->weights, x);
    if (next.converged) {
      reached = *parameter;
      step *= 2;
      result = next;
      memcpy(good, x, numbers->n * sizeof(double));
    } else {
      step /= 4;
      memcpy(x, good, numbers->n * sizeof(double));
    }
  }
  *parameter = 1;
  if (reached < 1) {
    result.converged = false;
    memcpy(x, given, numbers->n * sizeof(double));
  }
  return result;
}

static DaeRootResult
solve_with_paths(const Search *search, double *x)
{
  DaeStartNumbers *numbers = search->numbers;
  if (numbers->has_lambda) {
    DaeRootResult asked = walk(search, &numbers->lambda, x);
    if (asked.converged) {
      return asked;
    }
  }
  g_autofree double *given = g_memdup2(x, numbers->n * sizeof(double));
  DaeRootResult direct = solve_once(search, x);
  if (direct.converged) {
    return direct;
  }
  g_autofree double *reached = g_memdup2(x, numbers->n * sizeof(double));
  memcpy(x, given, numbers->n * sizeof(double));
  double *r0 = g_new0(double, numbers->m);
  if (dae_start_run(numbers, numbers->residual_tape, x, r0) != 0) {
    g_free(r0);
    memcpy(x, reached, numbers->n * sizeof(double));
    return direct;
  }
  numbers->r0 = r0;
  DaeRootResult along = walk(search, &numbers->mu, x);
  g_clear_pointer(&numbers->r0, g_free);
  if (!along.converged) {
    memcpy(x, reached, numbers->n * sizeof(double));
    return direct;
  }
  return along;
}

/* Parameters that are expressions in free ones have numbers now, too. */
static void
bind_dependent_parameters(const DaeStartAssembly *assembly)
{
  const DaeModel *model = assembly->input->model;
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm value = dae_model_parameter_value(model, assembly->terms, k);
    if (value != DAE_NO_TERM && dae_term_has_parameters(assembly->terms, value)) {
      DaeTerm number = dae_subst_apply(assembly->input->values, value);
      DaeTerm atom = dae_term_parameter(assembly->terms, dae_model_parameter(model, k)->symbol);
      if (number != DAE_NO_TERM) {
        dae_subst_set(assembly->input->values, atom, number);
      }
    }
  }
}

static void
take_solution(const DaeStartAssembly *assembly, const double *found, double *x)
{
  uint32_t n = dae_qlt_n_unknowns(assembly->input->qlt);
  memcpy(x, found, n * sizeof(double));
  for (guint j = n; j < assembly->unknowns->len; j++) {
    DaeTerm atom = g_array_index(assembly->unknowns, DaeTerm, j);
    if (dae_term_kind(assembly->terms, atom) == DAE_KIND_PARAMETER) {
      dae_subst_set(assembly->input->values, atom,
                    dae_term_from_double(assembly->terms, found[j]));
    }
  }
  bind_dependent_parameters(assembly);
}

/* Row i over scale[i] is a change of the unknowns in units of their nominal
 * values (as in numeric/solve.c). */
static void
scale_rows(const DaeStartNumbers *numbers, const double *weights, const double *x,
           double *scale)
{
  const DaeStartPattern *pattern = &numbers->pattern;
  g_autofree double *values = g_new0(double, pattern->columns->len + 1);
  dae_start_run(numbers, numbers->jacobian_tape, x, values);
  for (uint32_t i = 0; i < numbers->m; i++) {
    scale[i] = 1;
    for (uint32_t e = g_array_index(pattern->row_start, uint32_t, i);
         e < g_array_index(pattern->row_start, uint32_t, i + 1); e++) {
      double size = fabs(values[e]) * weights[g_array_index(pattern->columns, uint32_t, e)];
      scale[i] = isfinite(size) && size > scale[i] ? size : scale[i];
    }
  }
}

/* All rows have values, and still there is no Newton step: the first
 * row whose derivative has none. */
static void
name_row_without_derivative(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                            const double *x, GString *text)
{
  const GArray *starts = numbers->pattern.row_start;
  g_autofree double *values = g_new0(double, numbers->pattern.columns->len + 1);
  dae_start_run(numbers, numbers->jacobian_tape, x, values);
  for (uint32_t i = 0; i < numbers->m; i++) {
    for (uint32_t k = g_array_index(starts, uint32_t, i);
         k < g_array_index(starts, uint32_t, i + 1); k++) {
      if (!isfinite(values[k])) {
        g_autofree char *name = dae_start_describe(assembly, i);
        g_string_append_printf(text, "\n  no finite derivative of %s", name);
        return;
      }
    }
  }
}

/* The three rows with the largest scaled residuals, for the message. */
static char *
name_worst_rows(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                const double *weights, const double *x)
{
  g_autofree double *r = g_new0(double, numbers->m + 1);
  g_autofree double *scale = g_new0(double, numbers->m + 1);
  dae_start_run(numbers, numbers->residual_tape, x, r);
  scale_rows(numbers, weights, x, scale);
  g_autoptr(GString) text = g_string_new(NULL);
  for (int k = 0; k < 3; k++) {
    uint32_t worst = UINT32_MAX;
    for (uint32_t i = 0; i < numbers->m; i++) {
      if (r[i] != 0 &&
          (worst == UINT32_MAX || !(fabs(r[i]) / scale[i] <= fabs(r[worst]) / scale[worst]))) {
        worst = i;
      }
    }
    if (worst == UINT32_MAX) {
      break;
    }
    g_autofree char *name = dae_start_describe(assembly, worst);
    if (isfinite(r[worst])) {
      g_string_append_printf(text, "\n  residual %.3g in %s", r[worst], name);
    } else {
      g_string_append_printf(text, "\n  no finite value of %s", name);
    }
    r[worst] = 0;
  }
  if (text->len == 0) {
    name_row_without_derivative(assembly, numbers, x, text);
  }
  return g_strdup(text->str);
}

/* The check of the initialization knows a solution: where the guesses led nowhere, begin there. */
static bool
begin_where_proved(const DaeStartAssembly *assembly, const DaeInit *init, double *x,
                   double *weights)
{
  bool any = false;
  dae_start_set_guesses(assembly, x, weights);
  for (guint j = 0; init != NULL && j < assembly->unknowns->len; j++) {
    double value = 0;
    if (dae_init_value(init, g_array_index(assembly->unknowns, DaeTerm, j), &value)) {
      x[j] = value;
      any = true;
    }
  }
  return any;
}

/* Double precision is not enough to tell a root from a place where the residual only tends to 0,
 * or just misses it: more digits do. The root that they find takes the place of x. */
static DaeStartJudgement
judge(const DaeStartAssembly *assembly, const Search *search, double *x)
{
  DaeStartNumbers *numbers = search->numbers;
  const DaeStartMeasure *measure = search->measure;
  if (numbers->n == 0) {
    return DAE_START_CLEAR;
  }
  g_autofree double *proved = g_memdup2(x, numbers->n * sizeof(double));
  DaeStartJudgement judgement =
      dae_start_judge(assembly, numbers, search->blocks, measure->units, proved);
  if (judgement != DAE_START_CLEAR && judgement != DAE_START_NOWHERE &&
      dae_start_solve(numbers, measure->weights, proved).converged) {
    memcpy(x, proved, numbers->n * sizeof(double));
  }
  return judgement;
}

/* Where there was no root: from other guesses. */
static void
look_elsewhere(const DaeStartAssembly *assembly, const Search *search, double *x,
               DaeRootResult *result, DaeStartJudgement *judgement)
{
  enum { TRIES = 12, MOST_UNKNOWNS = 500 };

  DaeStartNumbers *numbers = search->numbers;
  const DaeStartMeasure *measure = search->measure;
  g_autofree double *other = g_new0(double, numbers->n + 1);
  for (uint32_t k = 0; k < TRIES && numbers->n <= MOST_UNKNOWNS; k++) {
    dae_start_move_guess(measure->guess, measure->units, numbers->n, k, other);
    DaeRootResult next = dae_start_solve(numbers, measure->weights, other);
    DaeStartJudgement there =
        next.converged ? judge(assembly, search, other) : DAE_START_NOWHERE;
    if (there != DAE_START_NOWHERE) {
      *result = next;
      *judgement = there;
      memcpy(x, other, numbers->n * sizeof(double));
      return;
    }
  }
  result->converged = false;
}

/* Along paths from x; where the root is one that the equations hardly determine, another one. */
static void
solve_from(const DaeStartAssembly *assembly, DaeStartNumbers *numbers, double *x,
           double *weights, DaeRootResult *result, DaeStartJudgement *judgement)
{
  g_autofree double *guess = g_new0(double, numbers->n + 1);
  g_autofree double *units = g_new0(double, numbers->n + 1);
  g_autoptr(DaeStartBlocks) blocks = dae_start_blocks_new(assembly, numbers, NULL);
  dae_start_set_guesses(assembly, guess, weights);
  for (uint32_t j = 0; j < numbers->n; j++) {
    units[j] = dae_start_unit(assembly, j);
  }
  const DaeStartMeasure measure = {units, weights, guess};
  const Search search = {numbers, blocks, &measure};
  *result = solve_with_paths(&search, x);
  dae_start_leave_degenerate(assembly, numbers, &measure, x, result);
  *judgement = DAE_START_OPEN;
  if (result->converged) {
    *judgement = judge(assembly, &search, x);
  }
  if (*judgement == DAE_START_NOWHERE) {
    look_elsewhere(assembly, &search, x, result, judgement);
  }
  result->converged = result->converged && !dae_start_has_flat_row(numbers, blocks, weights, x);
}

static double
largest_residual(const DaeStartNumbers *numbers, const double *x)
{
  g_autofree double *r = g_new0(double, numbers->m + 1);
  if (dae_start_run(numbers, numbers->residual_tape, x, r) != 0) {
    return INFINITY;
  }
  double largest = 0;
  for (uint32_t i = 0; i < numbers->m; i++) {
    largest = fmax(largest, fabs(r[i]));
  }
  return largest;
}

/* A path ends within the tolerance of its solver: what the equations give explicitly (a fixed
 * start of 0) gets its exact value, unless the others fit it less well. */
static void
settle_explicit_values(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                       double *x)
{
  g_autofree double *settled = g_new0(double, numbers->n + 1);
  memcpy(settled, x, numbers->n * sizeof(double));
  dae_start_peel(assembly, &numbers->pattern, settled);
  if (largest_residual(numbers, settled) <= largest_residual(numbers, x)) {
    memcpy(x, settled, numbers->n * sizeof(double));
  }
}

/* From beside the defaults at which rows have no derivative: taken where it leaves the start
 * values that were written more nearly as they are. */
static void
solve_beside_dead_rows(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                       double *begin, double *found, double *weights, DaeRootResult *result,
                       DaeStartJudgement *judgement)
{
  double distance = result->converged ? dae_start_distance(assembly, found) : INFINITY;
  if (distance == 0 || !dae_start_leave_dead_rows(assembly, numbers, weights, begin)) {
    return;
  }
  DaeRootResult next = {0};
  DaeStartJudgement there = DAE_START_OPEN;
  solve_from(assembly, numbers, begin, weights, &next, &there);
  if (next.converged && dae_start_distance(assembly, begin) < distance / 2) {
    memcpy(found, begin, numbers->n * sizeof(double));
    *result = next;
    *judgement = there;
  }
}

static bool
search_once(const DaeStartAssembly *assembly, DaeStartNumbers *numbers, double *found,
            double *weights, DaeRootResult *result, DaeStartJudgement *judgement)
{
  dae_start_set_guesses(assembly, found, weights);
  if (!numbers->has_lambda) {
    dae_start_peel(assembly, &numbers->pattern, found);
  }
  dae_start_move_into_domain(assembly, numbers, found, weights);
  g_autofree double *begin = g_memdup2(found, (numbers->n + 1) * sizeof(double));
  solve_from(assembly, numbers, found, weights, result, judgement);
  if (!numbers->has_lambda) {
    solve_beside_dead_rows(assembly, numbers, begin, found, weights, result, judgement);
  }
  if (numbers->has_lambda && result->converged) {
    settle_explicit_values(assembly, numbers, found);
  }
  return result->converged;
}

/* Start attributes may depend on free parameters: from what equations in one unknown give for
 * these, then from what the first search gave. */
static bool
search(DaeStartAssembly *assembly, DaeStartNumbers *numbers, double *found, double *weights,
       DaeRootResult *result, DaeStartJudgement *judgement)
{
  if (!dae_start_has_free(assembly)) {
    return search_once(assembly, numbers, found, weights, result, judgement);
  }
  g_autofree double *guess = g_new0(double, numbers->n + 1);
  dae_start_set_guesses(assembly, guess, weights);
  dae_start_peel(assembly, &numbers->pattern, guess);
  dae_start_learn_guesses(assembly, guess);
  if (!search_once(assembly, numbers, found, weights, result, judgement) ||
      !dae_start_learn_guesses(assembly, found)) {
    return result->converged;
  }
  DaeRootResult again;
  DaeStartJudgement there = DAE_START_OPEN;
  if (search_once(assembly, numbers, guess, weights, &again, &there)) {
    memcpy(found, guess, numbers->n * sizeof(double));
    *result = again;
    *judgement = there;
  }
  return true;
}

/* Numbers end a way off a root of higher multiplicity; a proof says where it is. */
static void
take_proved_root(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                 const DaeInit *init, double *found, DaeRootResult *result)
{
  enum { NEAR = 1000 };

  g_autofree double *proved = g_new0(double, numbers->n + 1);
  g_autofree double *weights = g_new0(double, numbers->n + 1);
  if (!begin_where_proved(assembly, init, proved, weights)) {
    return;
  }
  for (uint32_t j = 0; j < numbers->n; j++) {
    double size = fabs(proved[j]) + dae_start_unit(assembly, j);
    if (fabs(found[j] - proved[j]) * NEAR > size) {
      return; /* another one */
    }
  }
  DaeRootResult there = dae_start_solve(numbers, weights, proved);
  if (there.converged && there.residual <= result->residual) {
    memcpy(found, proved, numbers->n * sizeof(double));
    result->residual = there.residual;
  }
}

static bool
find(const DaeStartInput *input, const DaeInit *init, double *x, DaeRootResult *result,
     DaeStartJudgement *judgement, GError **error)
{
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(input, init);
  g_autoptr(DaeStartNumbers) numbers = dae_start_numbers_new(assembly, error);
  if (numbers == NULL) {
    return false;
  }
  g_autofree double *found = g_new0(double, numbers->n + 1);
  g_autofree double *weights = g_new0(double, numbers->n + 1);
  search(assembly, numbers, found, weights, result, judgement);
  if (!result->converged && begin_where_proved(assembly, init, found, weights)) {
    solve_from(assembly, numbers, found, weights, result, judgement);
  } else if (result->converged && dae_start_is_doubtful(assembly, numbers, found)) {
    take_proved_root(assembly, numbers, init, found, result);
  }
  if (!result->converged) {
    g_autofree char *worst = name_worst_rows(assembly, numbers, weights, found);
    g_autofree char *residual =
        isfinite(result->residual) ? g_strdup_printf(", scaled residual %.3g", result->residual)
                                   : g_strdup("");
    g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
                "no consistent start found at t = %g: %u equations in %u unknowns%s%s%s",
                input->t_start, numbers->m, numbers->n, residual, worst,
                *judgement == DAE_START_NOWHERE
                    ? "\n  the residual is small only in double precision: with more digits "
                      "there is no solution near the point that was found"
                    : "");
    return false;
  }
  take_solution(assembly, found, x);
  return true;
}

bool
dae_start_find_regular(const DaeStartInput *input, double *x, DaeRootResult *result,
                       GArray *chosen)
{
  g_autoptr(DaeStartAssembly) assembly = dae_start_assemble(input, NULL);
  if (dae_start_missing(assembly) < 0 ||
      dae_model_n_equations(input->model) > dae_model_n_variables(input->model)) {
    return false;
  }
  g_autofree double *found = g_new0(double, assembly->unknowns->len + 1);
  if (dae_start_take_given(assembly, found)) {
    *result = (DaeRootResult){.converged = true, .kind = DAE_ROOT_PLAIN};
    take_solution(assembly, found, x);
    return true;
  }
  g_autoptr(DaeStartNumbers) numbers = dae_start_numbers_new(assembly, NULL);
  if (numbers == NULL) {
    return false;
  }
  g_autofree double *weights = g_new0(double, numbers->n + 1);
  g_autofree double *values = g_new0(double, numbers->pattern.columns->len + 1);
  const DaePattern pattern = dae_start_pattern(numbers);
  DaeStartJudgement judgement = DAE_START_OPEN;
  if (!search(assembly, numbers, found, weights, result, &judgement) ||
      (judgement == DAE_START_OPEN && numbers->m >= numbers->n) ||
      result->kind == DAE_ROOT_DEGENERATE || dae_start_is_doubtful(assembly, numbers, found) ||
      dae_start_jacobian(numbers, NULL, found, values) != 0 ||
      !dae_start_is_regular(assembly, &pattern, values, found, chosen)) {
    return false;
  }
  if (chosen->len > 0) {
    DaeStartInput complete = *input;
    complete.chosen = (const DaeTerm *)(void *)chosen->data;
    complete.n_chosen = chosen->len;
    return find(&complete, NULL, x, result, &judgement, NULL) && judgement != DAE_START_OPEN;
  }
  take_solution(assembly, found, x);
  return true;
}

bool
dae_start_find(const DaeStartInput *input, const DaeInit *init, double *x,
               DaeRootResult *result, GError **error)
{
  DaeStartJudgement judgement = DAE_START_OPEN;
  GError *why = NULL;
  if (find(input, init, x, result, &judgement, &why)) {
    return true;
  }
  if (dae_start_find_unchosen(input, init, x, result)) {
    g_clear_error(&why);
    return true;
  }
  g_propagate_error(error, why);
  return false;
}
