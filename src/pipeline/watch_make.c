/* What a watch (watch.h) follows: denominators and edges in results and rows, ranges of
 * variables. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/algebra.h"
#include "pipeline/events.h"
#include "pipeline/results.h"
#include "pipeline/right_sides.h"
#include "pipeline/watch-priv.h"

/* Denominators in the rows of a system that are followed while Radau integrates it. */
#define MOST_OF_ROWS 100
/* Denominators that are factored, and the nodes of the largest one. */
#define MOST_FACTORED 100
#define MOST_NODES 60

static bool
is_of_time_alone(const DaeProblem *problem, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len == 0 && !dae_term_has_parameters(terms, t);
}

static bool
is_small(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  uint32_t n = 0;
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM && n <= MOST_NODES;
       top = dae_visit_next(visit)) {
    dae_visit_enter(visit, top);
    n++;
  }
  return n <= MOST_NODES;
}

/* The brinks of a value. Where a denominator is a sum, its factors take its place: that of
 * 1/(x^2 - x + 1/4) changes no sign where it vanishes, x - 1/2 does. */
static void
collect(DaeWatch *watch, DaeTerm value, GArray *brinks)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  DaeAlgebra *algebra = dae_pipeline_algebra(watch->problem->pipeline);
  if (dae_watch_collect(terms, value, brinks)) {
    dae_watch_collect_in_branches(terms, value, brinks);
  }
  for (guint k = brinks->len; k-- > 0 && watch->n_factored < MOST_FACTORED;) {
    DaeBrink brink = g_array_index(brinks, DaeBrink, k);
    if (brink.is_edge || dae_term_kind(terms, brink.function) != DAE_KIND_SUM ||
        !is_small(terms, brink.function)) {
      continue;
    }
    g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    watch->n_factored++;
    if (!dae_algebra_factor(algebra, brink.function, factors) || factors->len == 0) {
      continue;
    }
    for (guint f = 0; f < factors->len; f++) {
      brink.function = g_array_index(factors, DaeTerm, f);
      if (f == 0) {
        g_array_index(brinks, DaeBrink, k) = brink;
      } else {
        g_array_append_val(brinks, brink);
      }
    }
  }
}

static Watched
watch_brink(const DaeWatch *watch, const DaeBrink *brink, bool is_of_time)
{
  return (Watched){.kind = brink->is_edge ? EDGE : POLE,
                   .column = UINT32_MAX,
                   .function = watch->outputs->len,
                   .guard = UINT32_MAX,
                   .is_of_time = is_of_time,
                   .is_logarithm = brink->is_logarithm,
                   .side = 1.0,
                   .growth = DAE_LIKE_A_ROOT,
                   .near_function = INFINITY};
}

/* A brink inside of branches does not count where these do not hold. */
static void
add_guard(DaeWatch *watch, DaeTerm guard, Watched *w)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  if (guard != DAE_NO_TERM) {
    const DaeTerm holds =
        dae_term_if(terms, guard, dae_term_int(terms, 1), dae_term_int(terms, 0));
    w->guard = watch->outputs->len;
    g_array_append_val(watch->outputs, holds);
  }
}

static void
add_edge(DaeWatch *watch, Watched *w, DaeTerm function, DaeTerm value)
{
  const DaeTerm terms[2] = {dae_problem_put_in_right_sides(watch->problem, function),
                            dae_problem_put_in_right_sides(watch->problem, value)};
  w->function = watch->outputs->len;
  w->value = w->function + 1;
  g_array_append_val(watch->watched, *w);
  g_array_append_vals(watch->outputs, terms, 2);
}

static void
add_brinks_of(DaeWatch *watch, uint32_t column, DaeTerm value)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  g_autoptr(GArray) brinks = g_array_new(FALSE, FALSE, sizeof(DaeBrink));
  collect(watch, value, brinks);
  uint32_t place = watch->outputs->len;
  if (brinks->len > 0) {
    g_array_append_val(watch->outputs, value);
  }
  for (guint k = 0; k < brinks->len; k++) {
    const DaeBrink *brink = &g_array_index(brinks, DaeBrink, k);
    bool is_of_time = is_of_time_alone(watch->problem, brink->function);
    if (is_of_time && !dae_term_has_time(terms, brink->function)) {
      continue; /* a constant changes no sign */
    }
    if (brink->is_logarithm && column == UINT32_MAX) {
      continue; /* the integral of a slope like that is finite */
    }
    Watched w = watch_brink(watch, brink, is_of_time);
    w.column = column;
    w.value = place;
    if (brink->is_edge && !is_of_time) {
      add_edge(watch, &w, brink->function, value);
      continue;
    }
    g_array_append_val(watch->outputs, brink->function);
    add_guard(watch, brink->guard, &w);
    g_array_append_val(watch->watched, w);
  }
}

static DaeTerm
guarded_function(DaeTerms *terms, const DaeBrink *brink)
{
  return brink->guard == DAE_NO_TERM
             ? brink->function
             : dae_term_if(terms, brink->guard, brink->function, dae_term_int(terms, 1));
}

/* Radau notices the edge of a domain, and a pole unless it lies between its stages: where the step
 * is longer than the pole is wide. */
static void
add_poles_of(DaeWatch *watch, DaeTerm value, double growth, GHashTable *seen)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  if (dae_term_is_polynomial(terms, value)) {
    return; /* it has no poles */
  }
  g_autoptr(GArray) brinks = g_array_new(FALSE, FALSE, sizeof(DaeBrink));
  collect(watch, value, brinks);
  for (guint k = 0; k < brinks->len && g_hash_table_size(seen) < MOST_OF_ROWS; k++) {
    const DaeBrink *brink = &g_array_index(brinks, DaeBrink, k);
    bool is_of_time = is_of_time_alone(watch->problem, brink->function);
    bool is_constant = is_of_time && !dae_term_has_time(terms, brink->function);
    const DaeTerm key = guarded_function(terms, brink);
    if (brink->is_edge || is_constant || (brink->is_logarithm && growth > DAE_LIKE_A_ROOT) ||
        !g_hash_table_add(seen, GUINT_TO_POINTER(key))) {
      continue;
    }
    Watched w = watch_brink(watch, brink, is_of_time);
    w.value = watch->outputs->len + 1;
    w.growth = growth;
    g_array_append_val(watch->outputs, brink->function);
    g_array_append_val(watch->outputs, value);
    add_guard(watch, brink->guard, &w);
    g_array_append_val(watch->watched, w);
  }
}

/* What a constraint says vanishes on its solutions: its summands tell a pole. */
static void
add_rows(DaeWatch *watch, bool with_slopes)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (guint i = 0; with_slopes && i < watch->problem->rhs->len; i++) {
    add_poles_of(watch, g_array_index(watch->problem->rhs, DaeTerm, i), DAE_LIKE_A_POLE, seen);
  }
  for (guint i = 0; i < watch->problem->constraints->len; i++) {
    uint32_t n = 0;
    const DaeTerm constraint = g_array_index(watch->problem->constraints, DaeTerm, i);
    const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &constraint, &n);
    g_autofree DaeTerm *summands = g_memdup2(parts, sizeof(DaeTerm) * n);
    for (uint32_t k = 0; k < n; k++) {
      add_poles_of(watch, summands[k], DAE_LIKE_A_ROOT, seen);
    }
  }
}

static void
add_range(DaeWatch *watch, uint32_t column, DaeWatchedKind kind, DaeTerm limit, double slack)
{
  DaeTerms *terms = dae_pipeline_terms(watch->problem->pipeline);
  DaeTerm number =
      limit != DAE_NO_TERM ? dae_subst_apply(watch->problem->values, limit) : DAE_NO_TERM;
  double value = number != DAE_NO_TERM && dae_term_is_number(terms, number)
                     ? dae_term_get_double(terms, number)
                     : NAN;
  if (!isfinite(value) || fabs(value) >= 1e60) {
    return;
  }
  Watched w = {
      .kind = kind, .column = column, .limit = value, .slack = slack * (1 + fabs(value))};
  g_array_append_val(watch->watched, w);
  watch->has_ranges = true;
}

/* What is told must be more than the error that the tolerance allows. */
static void
add_ranges(DaeWatch *watch, const DaeSolverOptions *options)
{
  const DaeModel *model = dae_pipeline_model(watch->problem->pipeline);
  double slack = 5 * fmax(options->rtol, options->atol);
  slack = options->step > 0 ? fmax(slack, 1e-6) : slack;
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    if (variable->type == DAE_TYPE_REAL || variable->type == DAE_TYPE_INTEGER) {
      add_range(watch, j, BELOW, variable->min, slack);
      add_range(watch, j, ABOVE, variable->max, slack);
    }
  }
}

static bool
make_tape(DaeWatch *watch)
{
  const DaeProblem *problem = watch->problem;
  DaePointAtoms atoms = {(const DaeTerm *)(void *)problem->unknowns->data,
                         problem->unknowns->len, problem->parts.segment,
                         problem->parts.n_segment};
  if (watch->outputs->len == 0) {
    return true;
  }
  watch->tape = dae_point_tape_new(dae_pipeline_terms(problem->pipeline), &atoms,
                                   (const DaeTerm *)(void *)watch->outputs->data,
                                   watch->outputs->len, NULL);
  if (watch->tape == NULL) {
    return false;
  }
  watch->owns_tape = true;
  return true;
}

static void
drop_brinks(DaeWatch *watch)
{
  for (uint32_t i = watch->watched->len; i-- > 0;) {
    DaeWatchedKind kind = watched_at(watch, i)->kind;
    if (kind == POLE || kind == EDGE) {
      g_array_remove_index(watch->watched, i);
    }
  }
}

/* What is followed in the rows and the results; ranges come on top. */
static void
collect_brinks(DaeWatch *watch, bool is_radau)
{
  const DaeProblem *problem = watch->problem;
  for (uint32_t k = 0; k < dae_problem_n_results(problem); k++) {
    DaeTerm value = dae_results_term(problem->results, k);
    if (value != DAE_NO_TERM) {
      add_brinks_of(watch, k, value);
    }
  }
  for (guint i = 0; !is_radau && i < problem->rhs->len; i++) {
    add_brinks_of(watch, UINT32_MAX, g_array_index(problem->rhs, DaeTerm, i));
  }
  add_rows(watch, is_radau);
}

/* ---- plans ------------------------------------------------------------------------------- */

/* What a watch is made of, kept for the next run of a problem: collecting and compiling cost more
 * than a short integration. */
struct DaeWatchPlan {
  bool is_radau;
  GArray *key; /* DaeTerm: results and rows that it was made for */
  GArray *watched, *outputs;
  DaePointTape *tape;
  uint8_t *used; /* by unknown: it is in some output */
};

void
dae_watch_plan_free(DaeWatchPlan *plan)
{
  if (plan != NULL) {
    g_array_unref(plan->key);
    g_array_unref(plan->watched);
    g_array_unref(plan->outputs);
    dae_point_tape_free(plan->tape);
    g_free(plan->used);
    g_free(plan);
  }
}

static GArray *
key_of(const DaeProblem *problem)
{
  GArray *key = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t k = 0; k < dae_problem_n_results(problem); k++) {
    const DaeTerm value = dae_results_term(problem->results, k);
    g_array_append_val(key, value);
  }
  g_array_append_vals(key, problem->rhs->data, problem->rhs->len);
  g_array_append_vals(key, problem->constraints->data, problem->constraints->len);
  return key;
}

static GArray *
copy_array(const GArray *from, guint size)
{
  GArray *copy = g_array_sized_new(FALSE, FALSE, size, from->len + 1);
  return g_array_append_vals(copy, from->data, from->len);
}

static bool
take_plan(DaeWatch *watch, const DaeWatchPlan *plan, const GArray *key, bool is_radau)
{
  if (plan == NULL || plan->is_radau != is_radau || plan->key->len != key->len ||
      memcmp(plan->key->data, key->data, key->len * sizeof(DaeTerm)) != 0) {
    return false;
  }
  watch->watched = copy_array(plan->watched, sizeof(Watched));
  watch->outputs = copy_array(plan->outputs, sizeof(DaeTerm));
  watch->tape = plan->tape;
  return true;
}

static void
mark_used(const DaeProblem *problem, const GArray *outputs, uint8_t *used)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  for (guint o = 0; o < outputs->len; o++) {
    dae_term_collect_variables(terms, g_array_index(outputs, DaeTerm, o), variables);
  }
  for (guint i = 0; i < variables->len; i++) {
    g_hash_table_add(seen, GUINT_TO_POINTER(g_array_index(variables, DaeTerm, i)));
  }
  for (guint j = 0; j < problem->unknowns->len; j++) {
    const DaeTerm x = g_array_index(problem->unknowns, DaeTerm, j);
    used[j] = g_hash_table_contains(seen, GUINT_TO_POINTER(x)) ? 1 : 0;
  }
}

static void
keep_plan(DaeWatch *watch, DaeProblem *problem, GArray *key, bool is_radau)
{
  DaeWatchPlan *plan = g_new0(DaeWatchPlan, 1);
  plan->is_radau = is_radau;
  plan->key = g_array_ref(key);
  plan->watched = copy_array(watch->watched, sizeof(Watched));
  plan->outputs = copy_array(watch->outputs, sizeof(DaeTerm));
  plan->tape = watch->tape;
  plan->used = g_new0(uint8_t, (size_t)problem->unknowns->len + 1);
  mark_used(problem, watch->outputs, plan->used);
  watch->owns_tape = false;
  dae_watch_plan_free(problem->watch_plan);
  problem->watch_plan = plan;
}

static void
begin_watching(DaeWatch *watch, DaeProblem *problem, bool is_radau)
{
  g_autoptr(GArray) key = key_of(problem);
  if (take_plan(watch, problem->watch_plan, key, is_radau)) {
    return;
  }
  watch->watched = g_array_new(FALSE, FALSE, sizeof(Watched));
  watch->outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  collect_brinks(watch, is_radau);
  if (make_tape(watch)) {
    keep_plan(watch, problem, key, is_radau);
  } else {
    drop_brinks(watch); /* derivatives that only coupled rows give: seen at output points */
  }
}

DaeWatch *
dae_watch_new(DaeProblem *problem, const DaeSolverOptions *options)
{
  g_autoptr(DaeWatch) watch = g_new0(DaeWatch, 1);
  watch->problem = problem;
  watch->t_start = options->t_start;
  watch->t_stop = options->t_stop;
  begin_watching(watch, problem, options->method == DAE_METHOD_RADAU);
  add_ranges(watch, options);
  uint32_t n = watch->watched->len;
  if (n == 0) {
    return NULL;
  }
  if (watch->tape != NULL) {
    watch->scratch = dae_aligned_new0(dae_point_tape_scratch_size(watch->tape));
    watch->out = g_new0(double, (size_t)watch->outputs->len + 1);
  }
  watch->values = g_new0(double, (size_t)n + 1);
  watch->before = g_new0(double, (size_t)n + 1);
  watch->x = g_new0(double, (size_t)dae_problem_n(problem) + 1);
  watch->events = (DaeEvents){.n = n,
                              .values = dae_watch_event_values,
                              .crossed = dae_watch_event_crossed,
                              .user = watch};
  if (!watch->has_ranges && problem->watch_plan != NULL &&
      watch->tape == problem->watch_plan->tape) {
    watch->events.used = problem->watch_plan->used;
  }
  return g_steal_pointer(&watch);
}

void
dae_watch_free(DaeWatch *watch)
{
  if (watch == NULL) {
    return;
  }
  g_array_free(watch->watched, TRUE);
  g_array_free(watch->outputs, TRUE);
  if (watch->owns_tape) {
    dae_point_tape_free(watch->tape);
  }
  free(watch->scratch);
  g_free(watch->out);
  g_free(watch->values);
  g_free(watch->before);
  g_free(watch->x);
  g_free(watch->failure);
  g_free(watch);
}
