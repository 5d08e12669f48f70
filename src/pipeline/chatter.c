#include "pipeline/chatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/events.h"
#include "pipeline/peaks.h"
#include "pipeline/written_out.h"

#define WINDOW 4096u        /* steps */
#define NO_WAY 1e-4         /* of the run: time that a window makes where something is wrong */
#define OFTEN (WINDOW / 16) /* changes in a window */
#define STAYS 1e-3          /* of its sides: a condition that chatters is no farther from 0 */

#define POINTS 8u /* that are looked at in a step */

#define AT_SWITCH 1e-5 /* steps become short in front of a jump: that near it is reached */

#define MOST_WRITTEN 4000u /* nodes of all calls of functions whose conditions are looked at */

typedef struct {
  DaeTerm text; /* for people */
  DaeSpan span;
  uint32_t row; /* of the system, in which it was seen first */
} Condition;

typedef struct {
  DaePointTape *tape;
  void *scratch;
} Functions;

struct DaeChatter {
  DaeProblem *problem;
  GArray *conditions; /* Condition */
  Functions conditions_at, sizes_at;
  double *x, *xdot; /* a point */
  double *slopes;   /* n x DAE_LANES_MAX; NULL: there are none */
  double *values;   /* by condition */
  double *size;     /* by condition: of its sides */
  double *before;   /* by condition: the last value that is not 0 */
  double *largest;  /* by condition: distance from 0 by its size, in the window */
  uint32_t *changes;
  double span, begin; /* of the run; of the window */
  uint32_t n_steps;   /* in the window */
  bool listens;
  bool has_peaks; /* behind the conditions there are functions of smooth pulses */
  char *failure;
  uint32_t *group;    /* by condition: those with a common equation */
  uint8_t *is_nested; /* by condition: it has others inside */
  DaeConditions asked;
};

/* ---- what may chatter -------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  DaeVisit *visit;    /* over all of the system */
  GArray *conditions; /* Condition */
  GArray *functions;  /* DaeTerm: whose signs they are */
  GArray *sizes;      /* DaeTerm: what these are compared with */
  GHashTable *owner;  /* terms with conditions: the row in which they were seen first */
  uint32_t *parent;   /* rows that share conditions are one tree */
  uint32_t row;
  bool has_routines;
  size_t left; /* nodes of calls that may still be written out */
} Collector;

static void
note(Collector *collector, DaeTerm left, DaeTerm right, DaeTerm text, DaeSpan span)
{
  DaeTerms *terms = collector->terms;
  const Condition condition = {text, span, collector->row};
  const DaeTerm function = dae_term_sub(terms, left, right);
  const DaeTerm size = dae_term_add(terms, dae_term_call1(terms, DAE_FN_ABS, left),
                                    dae_term_call1(terms, DAE_FN_ABS, right));
  if (function != DAE_NO_TERM && size != DAE_NO_TERM) {
    g_array_append_val(collector->sizes, size);
    g_array_append_val(collector->conditions, condition);
    g_array_append_val(collector->functions, function);
  }
}

static uint32_t
tree_of(const Collector *collector, uint32_t row)
{
  while (collector->parent[row] != row) {
    row = collector->parent[row];
  }
  return row;
}

/* A term of this row: another one may have it, too. */
static void
own(Collector *collector, DaeTerm t)
{
  gpointer owner = NULL;
  if (!dae_term_has_varying_break(collector->terms, t)) {
    return;
  }
  if (g_hash_table_lookup_extended(collector->owner, GUINT_TO_POINTER(t), NULL, &owner)) {
    collector->parent[tree_of(collector, collector->row)] =
        tree_of(collector, GPOINTER_TO_UINT(owner));
  } else {
    g_hash_table_insert(collector->owner, GUINT_TO_POINTER(t),
                        GUINT_TO_POINTER(collector->row));
  }
}

static void
collect(Collector *collector, DaeTerm t, DaeSpan span)
{
  DaeTerms *terms = collector->terms;
  DaeVisit *visit = collector->visit;
  own(collector, t);
  dae_visit_add(visit, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (!collector->has_routines && !dae_term_has_varying_break(terms, top)) {
      continue;
    }
    const DaeTerm body = dae_written_out(terms, top, &collector->left);
    if (body != DAE_NO_TERM) {
      own(collector, body);
      dae_visit_add(visit, body);
    }
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, top, &n);
    if (dae_term_kind(terms, top) == DAE_KIND_RELATION) {
      note(collector, operands[0], operands[1], top, span);
    } else if (dae_term_kind(terms, top) == DAE_KIND_CALL &&
               (dae_term_function(terms, top) == DAE_FN_SIGN ||
                dae_term_function(terms, top) == DAE_FN_ABS ||
                dae_term_function(terms, top) == DAE_FN_SEMILINEAR)) {
      note(collector, operands[0], dae_term_int(terms, 0), top, span);
    } else if (dae_term_kind(terms, top) == DAE_KIND_CALL && n == 2 &&
               (dae_term_function(terms, top) == DAE_FN_MAX ||
                dae_term_function(terms, top) == DAE_FN_MIN)) {
      note(collector, operands[0], operands[1], top, span);
    }
    for (uint32_t i = 0; i < n; i++) {
      own(collector, operands[i]);
    }
    dae_visit_enter(visit, top);
  }
}

/* Most systems have nothing that jumps: no walk over their terms is needed to see it. */
static bool
may_jump(const DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeSystemParts *parts = &problem->parts;
  bool found = dae_may_write_out(terms);
  for (uint32_t e = 0; !found && e < parts->row_start[parts->n_diff]; e++) {
    found = dae_term_has_varying_break(terms, parts->coefficients[e]);
  }
  for (uint32_t i = 0; !found && i < parts->n_diff; i++) {
    found = dae_term_has_varying_break(terms, parts->rhs[i]);
  }
  for (uint32_t i = 0; !found && i < parts->n_con; i++) {
    found = dae_term_has_varying_break(terms, parts->constraints[i]);
  }
  return found;
}

static void
collect_system(Collector *collector, const DaeProblem *problem)
{
  const DaeSystemParts *parts = &problem->parts;
  for (uint32_t i = 0; i < parts->n_diff; i++) {
    DaeSpan span = dae_problem_row_span(problem, i);
    collector->row = i;
    for (uint32_t e = parts->row_start[i]; e < parts->row_start[i + 1]; e++) {
      collect(collector, parts->coefficients[e], span);
    }
    collect(collector, parts->rhs[i], span);
  }
  for (uint32_t i = 0; i < parts->n_con; i++) {
    collector->row = parts->n_diff + i;
    collect(collector, parts->constraints[i], dae_problem_row_span(problem, parts->n_diff + i));
  }
}

static void
set_groups(DaeChatter *chatter, const Collector *collector)
{
  const uint32_t n = collector->conditions->len;
  g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
  chatter->group = g_new0(uint32_t, collector->functions->len + 1);
  chatter->is_nested = g_new0(uint8_t, collector->functions->len + 1);
  for (uint32_t i = 0; i < n; i++) {
    const Condition *condition = &g_array_index(collector->conditions, Condition, i);
    const DaeTerm function = g_array_index(collector->functions, DaeTerm, i);
    const gpointer tree = GUINT_TO_POINTER(tree_of(collector, condition->row));
    if (!g_hash_table_contains(numbers, tree)) {
      g_hash_table_insert(numbers, tree, GUINT_TO_POINTER(g_hash_table_size(numbers)));
    }
    chatter->group[i] = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, tree));
    chatter->is_nested[i] = dae_term_has_varying_break(collector->terms, function);
  }
  for (uint32_t i = n; i < collector->functions->len; i++) { /* peaks: all of them together */
    chatter->group[i] = g_hash_table_size(numbers);
    chatter->is_nested[i] = 1;
  }
}

/* The slopes of the start, which some functions have in them, on all lanes. */
static const double *
spread_slopes(const DaeChatter *chatter, unsigned lanes)
{
  const double *slopes = chatter->problem->slopes;
  if (lanes == 1 || slopes == NULL) {
    return slopes;
  }
  for (uint32_t j = 0; j < chatter->problem->parts.n; j++) {
    for (unsigned l = 0; l < lanes; l++) {
      chatter->slopes[(size_t)j * lanes + l] = slopes[j];
    }
  }
  return chatter->slopes;
}

static bool
evaluate_functions(const DaeChatter *chatter, const Functions *functions, unsigned lanes,
                   const double *t, const double *x, double *out)
{
  const DaeProblem *problem = chatter->problem;
  const double *segment = problem->instant != NULL ? dae_instant_segment(problem->instant)
                                                   : problem->parts.segment_values;
  if (segment != NULL) {
    dae_point_tape_set_segment(functions->tape, functions->scratch, segment);
  }
  return dae_point_tape_eval(functions->tape, functions->scratch, lanes, t, x,
                             spread_slopes(chatter, lanes), out, NULL) == 0;
}

static bool
evaluate(DaeChatter *chatter, double t, const double *x)
{
  return evaluate_functions(chatter, &chatter->conditions_at, 1, &t, x, chatter->values);
}

static bool
give_values(void *user, unsigned lanes, const double *t, const double *x, double *out)
{
  const DaeChatter *chatter = user;
  return evaluate_functions(chatter, &chatter->conditions_at, lanes, t, x, out);
}

static Functions
compile(const DaeProblem *problem, const GArray *terms)
{
  DaePointAtoms atoms = {problem->parts.unknowns, problem->parts.n, problem->parts.segment,
                         problem->parts.n_segment};
  Functions functions = {NULL, NULL};
  functions.tape = dae_point_tape_new(dae_pipeline_terms(problem->pipeline), &atoms,
                                      (const DaeTerm *)(void *)terms->data, terms->len, NULL);
  if (functions.tape != NULL) {
    functions.scratch = dae_aligned_new0(dae_point_tape_scratch_size(functions.tape));
  }
  return functions;
}

static void
functions_free(Functions *functions)
{
  if (functions->tape != NULL) {
    dae_point_tape_free(functions->tape);
  }
  free(functions->scratch);
}

const DaeConditions *
dae_chatter_conditions(const DaeChatter *chatter)
{
  return chatter != NULL ? &chatter->asked : NULL;
}

bool
dae_chatter_has_peaks(const DaeChatter *chatter)
{
  return chatter != NULL && chatter->has_peaks;
}

DaeChatter *
dae_chatter_new(DaeProblem *problem, const DaeSolverOptions *options)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  GArray *conditions = g_array_new(FALSE, FALSE, sizeof(Condition));
  const uint32_t n_rows = problem->parts.n_diff + problem->parts.n_con;
  g_autoptr(GHashTable) owner = g_hash_table_new(NULL, NULL);
  g_autofree uint32_t *parent = g_new0(uint32_t, n_rows + 1);
  for (uint32_t i = 0; i < n_rows; i++) {
    parent[i] = i;
  }
  Collector collector = {.terms = terms,
                         .visit = visit,
                         .conditions = conditions,
                         .functions = functions,
                         .sizes = sizes,
                         .owner = owner,
                         .parent = parent,
                         .has_routines = dae_may_write_out(terms),
                         .left = MOST_WRITTEN};
  if (may_jump(problem)) {
    collect_system(&collector, problem);
  }
  dae_peaks_collect(problem, functions);
  const uint32_t n = functions->len;
  if (n == 0) {
    g_array_free(conditions, TRUE);
    return NULL;
  }
  DaeChatter *chatter = g_new0(DaeChatter, 1);
  chatter->problem = problem;
  chatter->conditions = conditions;
  chatter->conditions_at = compile(problem, functions);
  chatter->sizes_at = compile(problem, sizes);
  chatter->has_peaks = n > conditions->len;
  if (chatter->conditions_at.tape == NULL || chatter->sizes_at.tape == NULL) {
    dae_chatter_free(chatter);
    return NULL;
  }
  chatter->x = g_new0(double, problem->parts.n + 1);
  chatter->xdot = g_new0(double, problem->parts.n + 1);
  if (problem->slopes != NULL) {
    chatter->slopes = g_new0(double, (size_t)problem->parts.n *DAE_LANES_MAX + 1);
  }
  chatter->values = g_new0(double, n + 1);
  chatter->size = g_new0(double, n + 1);
  chatter->before = g_new0(double, n + 1);
  chatter->largest = g_new0(double, n + 1);
  chatter->changes = g_new0(uint32_t, n + 1);
  chatter->span = options->t_stop - options->t_start;
  chatter->begin = options->t_start;
  set_groups(chatter, &collector);
  chatter->asked = (DaeConditions){n, chatter->group, chatter->is_nested, give_values, chatter};
  return chatter;
}

void
dae_chatter_free(DaeChatter *chatter)
{
  if (chatter == NULL) {
    return;
  }
  functions_free(&chatter->conditions_at);
  functions_free(&chatter->sizes_at);
  g_array_free(chatter->conditions, TRUE);
  g_free(chatter->x);
  g_free(chatter->xdot);
  g_free(chatter->slopes);
  g_free(chatter->values);
  g_free(chatter->size);
  g_free(chatter->before);
  g_free(chatter->largest);
  g_free(chatter->changes);
  g_free(chatter->failure);
  g_free(chatter->group);
  g_free(chatter->is_nested);
  g_free(chatter);
}

/* ---- steps ------------------------------------------------------------------------------- */

static void
count_changes(DaeChatter *chatter, double t, const double *x)
{
  if (!evaluate(chatter, t, x) ||
      !evaluate_functions(chatter, &chatter->sizes_at, 1, &t, x, chatter->size)) {
    return;
  }
  const uint32_t n = chatter->conditions->len;
  for (uint32_t i = 0; i < n; i++) {
    const double distance = fabs(chatter->values[i]) / (1 + chatter->size[i]);
    chatter->largest[i] = fmax(chatter->largest[i], distance);
    chatter->changes[i] += chatter->values[i] * chatter->before[i] < 0 ? 1 : 0;
    chatter->before[i] = chatter->values[i] != 0 ? chatter->values[i] : chatter->before[i];
  }
}

static void
print_condition(const DaeChatter *chatter, uint32_t i, GString *text)
{
  const Condition *condition = &g_array_index(chatter->conditions, Condition, i);
  g_string_append(text, "condition ");
  dae_term_print_limited(dae_pipeline_terms(chatter->problem->pipeline), condition->text, text,
                         200);
  g_string_append_printf(text, " (line %u)", condition->span.line);
}

static void
tell(DaeChatter *chatter, uint32_t i, double t)
{
  g_autoptr(GString) text = g_string_new(NULL);
  print_condition(chatter, i, text);
  chatter->failure = g_strdup_printf(
      "integration stopped at t = %.10g: chattering\n  %s changes %.3g times per unit of time",
      t, text->str, chatter->changes[i] / fmax(t - chatter->begin, 1e-300));
}

/* The condition whose switch this point is at; UINT32_MAX: none. */
static uint32_t
find_nearest(DaeChatter *chatter, double t, const double *x)
{
  uint32_t nearest = UINT32_MAX;
  double least = AT_SWITCH;
  for (uint32_t i = 0; evaluate(chatter, t, x) && i < chatter->conditions->len; i++) {
    if (fabs(chatter->values[i]) < least) {
      least = fabs(chatter->values[i]);
      nearest = i;
    }
  }
  return nearest;
}

/* The residual of a constraint; NAN: none. */
static double
residual_at(const DaeEvaluator *ev, void *scratch, double t, const double *x, uint32_t row)
{
  g_autofree double *g = g_new0(double, ev->n_con + 1);
  DaeOut out = {.g = g};
  return ev->eval(ev->self, scratch, 1, &t, x, &out) == 0 ? g[row] : NAN;
}

/* Newton's method for one unknown of one constraint: where would it go from here? NAN: nowhere. */
static double
next_iterate(const DaeChatter *chatter, double t, double *x, const DaeWorst *worst)
{
  const DaeEvaluator *ev = dae_problem_evaluator(chatter->problem);
  if (worst->row < ev->n_diff || worst->row >= ev->n_diff + ev->n_con ||
      worst->unknown >= ev->n) {
    return NAN;
  }
  void *scratch = dae_aligned_new0(ev->scratch_size);
  if (chatter->problem->instant != NULL && ev->set_segment != NULL) {
    ev->set_segment(ev->self, scratch, dae_instant_segment(chatter->problem->instant));
  }
  const uint32_t row = worst->row - ev->n_diff;
  const double here = x[worst->unknown];
  const double step = 1e-7 * (1 + fabs(here));
  const double r = residual_at(ev, scratch, t, x, row);
  x[worst->unknown] = here + step;
  const double slope = (residual_at(ev, scratch, t, x, row) - r) / step;
  x[worst->unknown] = here;
  free(scratch);
  return here - r / slope;
}

/* The condition that is another one after the next iteration; UINT32_MAX: none. */
static uint32_t
find_changing(DaeChatter *chatter, double t, const double *x, const DaeWorst *worst)
{
  const uint32_t n = chatter->conditions->len;
  memcpy(chatter->x, x, chatter->problem->parts.n * sizeof(double));
  const double next = next_iterate(chatter, t, chatter->x, worst);
  if (!isfinite(next) || !evaluate(chatter, t, x)) {
    return UINT32_MAX;
  }
  memcpy(chatter->before, chatter->values, n * sizeof(double));
  chatter->x[worst->unknown] = next;
  for (uint32_t i = 0; evaluate(chatter, t, chatter->x) && i < n; i++) {
    if ((chatter->values[i] > 0) != (chatter->before[i] > 0)) {
      return i;
    }
  }
  return UINT32_MAX;
}

char *
dae_chatter_find_jump(DaeChatter *chatter, double t, const double *x, const DaeWorst *worst)
{
  uint32_t jumps = find_nearest(chatter, t, x);
  if (jumps == UINT32_MAX) {
    jumps = find_changing(chatter, t, x, worst);
  }
  if (jumps == UINT32_MAX) {
    return NULL;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  print_condition(chatter, jumps, text);
  return g_strdup(text->str);
}

/* A step that slides along a switch has stages on both sides of it and may end on the same side
 * each time, so points inside it count too. */
static void
count_in_step(DaeChatter *chatter, double begin, double end, const DaeDenseOutput *dense)
{
  for (uint32_t k = 1; k <= POINTS; k++) {
    const double t = k == POINTS ? end : begin + (end - begin) * k / POINTS;
    dense->value(dense->user, t, chatter->x, chatter->xdot);
    count_changes(chatter, t, chatter->x);
  }
}

bool
dae_chatter_step(DaeChatter *chatter, double begin, double t, const DaeDenseOutput *dense)
{
  if (chatter->listens) {
    count_in_step(chatter, begin, t, dense);
  }
  if (++chatter->n_steps < WINDOW) {
    return true;
  }
  for (uint32_t i = 0; chatter->listens && i < chatter->conditions->len; i++) {
    if (chatter->changes[i] > OFTEN && chatter->largest[i] < STAYS) {
      tell(chatter, i, t);
      return false;
    }
  }
  chatter->listens = t - chatter->begin < NO_WAY * chatter->span;
  chatter->begin = t;
  chatter->n_steps = 0;
  memset(chatter->changes, 0, chatter->conditions->len * sizeof(uint32_t));
  memset(chatter->largest, 0, chatter->conditions->len * sizeof(double));
  memset(chatter->before, 0, chatter->conditions->len * sizeof(double));
  return true;
}

const char *
dae_chatter_failure(const DaeChatter *chatter)
{
  return chatter->failure;
}
