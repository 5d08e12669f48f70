/* The start of a model with discrete variables [language-and-events, 3.10]: unknowns for given
 * discrete values, discrete values for given unknowns, until both stay. pre(v) is the start
 * value of v, or what an initial equation says; relations are taken literally. */
#include "pipeline/events.h"

#include <math.h>
#include <string.h>

typedef struct {
  DaeProblem *problem;
  const DaeHybrid *hybrid;
  DaeTerms *terms;
  double *now, *pre; /* by discrete value */
  bool is_before;    /* no point was found yet: the unknowns have no values */
} DiscreteStart;

static bool
atom_before(void *user, DaeTerm atom, double *value)
{
  const DaeProblem *problem = user;
  *value = problem->t_start;
  return dae_term_kind(dae_pipeline_terms(problem->pipeline), atom) == DAE_KIND_TIME;
}

/* A term of the continuous model at the point that was found. False: no value
 * yet, *value is left as it is. */
static bool
value_of(const DiscreteStart *start, DaeTerm t, double *value)
{
  DaeTerm lowered = dae_problem_lower_term(start->problem, t);
  double found = NAN;
  if (lowered == DAE_NO_TERM ||
      dae_term_eval_double(start->terms, lowered,
                           start->is_before ? atom_before : dae_problem_atom_at_start,
                           start->problem, &found) != DAE_EVAL_OK ||
      !isfinite(found)) {
    return false;
  }
  *value = found;
  return true;
}

static void
set_number(DaeProblem *problem, DaeTerm atom, double value)
{
  if (atom != DAE_NO_TERM) {
    dae_subst_set(problem->values, atom,
                  dae_term_from_double(dae_pipeline_terms(problem->pipeline), value));
  }
}

/* What a pipe holds at its end is a straight line there. */
static void
put_in_slope(const DiscreteStart *start, const DaeDelay *delay)
{
  DaeTerms *terms = start->terms;
  DaeTerm way = dae_hybrid_translate(start->hybrid,
                                     dae_term_sub(terms, dae_term_time(terms), delay->length));
  DaeTerm parts[2] = {way, delay->slope};
  DaeTerm replaced[2];
  dae_pipeline_replace_solved(start->problem->pipeline, parts, 2, replaced);
  for (uint32_t k = 0; k < 2; k++) {
    DaeTerm known = dae_subst_apply(start->problem->values, replaced[k]);
    dae_subst_set(start->problem->values, delay->atoms[k == 0 ? 0 : 2],
                  known != DAE_NO_TERM ? known : replaced[k]);
  }
}

/* delay(e, T) is e. */
static void
put_in_delays(const DiscreteStart *start)
{
  DaePipeline *pipeline = start->problem->pipeline;
  uint32_t n = dae_hybrid_n_delays(start->hybrid);
  g_autofree DaeTerm *of = g_new0(DaeTerm, (size_t)n + 1);
  bool good = dae_pipeline_delayed_now(pipeline, pipeline->simplified, of);
  DAE_ASSERT(good); /* simplified.c saw to it */
  for (uint32_t i = 0; i < n; i++) {
    const DaeDelay *delay = dae_hybrid_delay(start->hybrid, i);
    DaeTerm known = dae_subst_apply(start->problem->values, of[i]); /* with discrete values */
    of[i] = known != DAE_NO_TERM ? known : of[i];
    for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
      dae_subst_set(start->problem->values, delay->atoms[k],
                    k == 1 ? of[i] : dae_term_int(start->terms, 0));
    }
    if (delay->slope != DAE_NO_TERM) {
      put_in_slope(start, delay);
    }
  }
}

/* Numbers for everything discrete, so that the search for x sees parameters only. */
static void
put_in_discrete_values(const DiscreteStart *start)
{
  DaeProblem *problem = start->problem;
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(start->hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(start->hybrid, k);
    set_number(problem, discrete->now, start->now[k]);
    set_number(problem, discrete->pre, start->pre[k]);
    if (discrete->now_is_free) {
      dae_subst_set(problem->values, discrete->now, discrete->now);
    }
    if (discrete->pre_is_free) {
      dae_subst_set(problem->values, discrete->pre, discrete->pre);
    }
  }
  for (uint32_t i = 0; i < dae_hybrid_n_samples(start->hybrid); i++) {
    set_number(problem, dae_hybrid_sample(start->hybrid, i)->atom, 0);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_continuous_pres(start->hybrid); i++) {
    const DaeContinuousPre *pre = dae_hybrid_continuous_pre(start->hybrid, i);
    DaeTerm of = DAE_NO_TERM;
    dae_pipeline_replace_solved(problem->pipeline, &pre->of, 1, &of);
    dae_subst_set(problem->values, pre->pre, of);
  }
  put_in_delays(start);
  set_number(problem, dae_hybrid_initial_atom(start->hybrid), 1);
  set_number(problem, dae_hybrid_terminal_atom(start->hybrid), 0);
}

/* The atoms stand for themselves again. */
static void
forget_discrete_values(const DiscreteStart *start)
{
  DaeSubst *values = start->problem->values;
  const DaeHybrid *hybrid = start->hybrid;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    g_array_append_val(atoms, dae_hybrid_discrete(hybrid, k)->now);
    g_array_append_val(atoms, dae_hybrid_discrete(hybrid, k)->pre);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_samples(hybrid); i++) {
    g_array_append_val(atoms, dae_hybrid_sample(hybrid, i)->atom);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_continuous_pres(hybrid); i++) {
    g_array_append_val(atoms, dae_hybrid_continuous_pre(hybrid, i)->pre);
  }
  for (uint32_t i = 0; i < dae_hybrid_n_delays(hybrid); i++) {
    g_array_append_vals(atoms, dae_hybrid_delay(hybrid, i)->atoms, DAE_DELAY_ATOMS);
  }
  DaeTerm phases[2] = {dae_hybrid_initial_atom(hybrid), dae_hybrid_terminal_atom(hybrid)};
  g_array_append_vals(atoms, phases, 2);
  for (guint i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    if (atom != DAE_NO_TERM) {
      dae_subst_set(values, atom, atom);
    }
  }
}

/* Start values as the first guess of everything. */
static void
begin(const DiscreteStart *start)
{
  const DaeHybrid *hybrid = start->hybrid;
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, k);
    if (discrete->start == DAE_NO_TERM || !value_of(start, discrete->start, &start->pre[k])) {
      start->pre[k] = 0;
    }
    start->now[k] = start->pre[k];
  }
}

/* Discrete Reals that were found with the unknowns are free parameters of the continuous
 * model. */
static void
take_free_reals(const DiscreteStart *start)
{
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(start->hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(start->hybrid, k);
    if (discrete->now_is_free) {
      value_of(start, discrete->now, &start->now[k]);
    }
    if (discrete->pre_is_free) {
      value_of(start, discrete->pre, &start->pre[k]);
    }
  }
}

/* The assignments at the point that was found, in their order; true: some
 * value is another one than before. */
static bool
update(const DiscreteStart *start)
{
  bool changed = false;
  const DaeHybrid *hybrid = start->hybrid;
  for (uint32_t i = 0; i < dae_hybrid_n_starts(hybrid); i++) {
    const DaeDiscreteStart *given = dae_hybrid_start(hybrid, i);
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, given->discrete);
    double *place = given->is_pre ? &start->pre[given->discrete] : &start->now[given->discrete];
    double value = *place;
    value_of(start, given->value, &value);
    if (value != *place) { /* what was put in stays otherwise: each change costs a new memo */
      changed = true;
      *place = value;
      set_number(start->problem, given->is_pre ? discrete->pre : discrete->now, value);
    }
  }
  return changed;
}

/* Values that need no unknown are there before the first search: with others there may be nothing
 * to be found (the tables of a medium at phase 0). */
static void
take_what_time_says(DiscreteStart *start)
{
  put_in_discrete_values(start);
  start->is_before = true;
  update(start);
  start->is_before = false;
}

static void
tell_cycle(const DiscreteStart *start, const double *before, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(start->hybrid); k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(start->hybrid, k);
    if (before[k] != start->now[k] && discrete->variable != DAE_HYBRID_NONE) {
      g_autofree char *name = dae_term_to_string(start->terms, discrete->now);
      g_autofree char *place = dae_span_text(discrete->span);
      g_string_append_printf(text, "\n  %s: %.10g, then %.10g  (%s)", name, before[k],
                             start->now[k], place);
    }
  }
  g_set_error(error, DAE_ERROR, DAE_ERROR_NUMERIC,
              "at t = %g no values of the discrete variables agree with the equations; these "
              "change again and again:%s",
              start->problem->t_start, text->str);
}

typedef struct {
  DaeTerm atom, value;
} OpenParameter;

/* Parameters that the start finds, and those that depend on them, as they are before it. */
static GArray *
collect_open_parameters(const DiscreteStart *start)
{
  const DaeModel *model = dae_pipeline_model(start->problem->pipeline);
  GArray *open = g_array_new(FALSE, FALSE, sizeof(OpenParameter));
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    OpenParameter parameter = {
        .atom = dae_term_parameter(start->terms, dae_model_parameter(model, k)->symbol)};
    parameter.value = dae_subst_apply(start->problem->values, parameter.atom);
    if (parameter.value != DAE_NO_TERM &&
        dae_term_has_parameters(start->terms, parameter.value)) {
      g_array_append_val(open, parameter);
    }
  }
  return open;
}

/* A start leaves numbers in their places; the next one has to find them again. */
static void
open_parameters(const DiscreteStart *start, const GArray *open)
{
  for (guint i = 0; i < open->len; i++) {
    const OpenParameter *parameter = &g_array_index(open, OpenParameter, i);
    dae_subst_set(start->problem->values, parameter->atom, parameter->value);
  }
}

static DiscreteStart
start_of(DaeProblem *problem)
{
  return (DiscreteStart){.problem = problem,
                         .hybrid = problem->pipeline->hybrid,
                         .terms = dae_pipeline_terms(problem->pipeline),
                         .now = problem->discrete_now,
                         .pre = problem->discrete_pre};
}

bool
dae_problem_find_discrete_start(DaeProblem *problem, DaeFindStart find, void *user,
                                const double *guess, bool *open, GError **error)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  uint32_t n = dae_hybrid_n_discrete(hybrid);
  g_free(problem->discrete_now);
  g_free(problem->discrete_pre);
  problem->discrete_now = g_new0(double, n + 1);
  problem->discrete_pre = g_new0(double, n + 1);
  DiscreteStart start = start_of(problem);
  g_autoptr(GHashTable) visited =
      g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  begin(&start);
  for (uint32_t k = 0; guess != NULL && k < n; k++) {
    start.now[k] = guess[k];
  }
  g_autoptr(GArray) open_before = collect_open_parameters(&start);
  if (guess == NULL) {
    take_what_time_says(&start);
  }
  bool changed = true;
  uint32_t turn = 0;
  while (changed) {
    open_parameters(&start, open_before);
    g_autofree double *before = g_memdup2(start.now, (n + 1) * sizeof(double));
    put_in_discrete_values(&start);
    g_autoptr(GError) own = NULL;
    if (!find(problem, user, &own)) {
      /* positions between the first guess and the solution need not have one (diodes
       * that short-circuit a source) */
      if (open != NULL && turn > 0 && g_error_matches(own, DAE_ERROR, DAE_ERROR_NUMERIC)) {
        *open = true;
        break;
      }
      if (own != NULL) {
        g_propagate_error(error, g_steal_pointer(&own));
      }
      return false;
    }
    turn++;
    take_free_reals(&start);
    changed = update(&start);
    if (changed && !g_hash_table_add(visited, g_bytes_new(start.now, n * sizeof(double)))) {
      if (open != NULL) {
        *open = true;
        break;
      }
      tell_cycle(&start, before, error);
      return false;
    }
  }
  forget_discrete_values(&start);
  return true;
}

static bool
holds(const DiscreteStart *start, DaeTerm a, DaeTerm b)
{
  double left = 0;
  double right = 0;
  return value_of(start, a, &left) && value_of(start, b, &right) &&
         fabs(left - right) <= 1e-8 * (fabs(left) + fabs(right) + 1);
}

bool
dae_problem_start_holds(DaeProblem *problem)
{
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  DiscreteStart start = start_of(problem);
  bool good = true;
  put_in_discrete_values(&start);
  /* free Reals have values too */
  for (uint32_t k = 0; k < dae_hybrid_n_discrete(hybrid); k++) {
    set_number(problem, dae_hybrid_discrete(hybrid, k)->now, start.now[k]);
    set_number(problem, dae_hybrid_discrete(hybrid, k)->pre, start.pre[k]);
  }
  for (uint32_t i = 0; good && i < dae_model_n_initial_equations(problem->model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(problem->model, i);
    good = holds(&start, equation->lhs, equation->rhs);
  }
  for (uint32_t i = 0; good && i < dae_hybrid_n_starts(hybrid); i++) {
    const DaeDiscreteStart *given = dae_hybrid_start(hybrid, i);
    const DaeDiscrete *discrete = dae_hybrid_discrete(hybrid, given->discrete);
    good = !(given->is_pre || given->is_initial) ||
           holds(&start, given->is_pre ? discrete->pre : discrete->now, given->value);
  }
  forget_discrete_values(&start);
  return good;
}
