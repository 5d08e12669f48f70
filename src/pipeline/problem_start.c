/* The start of a problem: structure and numbers first, the check of the initialization where they
 * leave doubt, discrete values and continuous ones in turn. */
#include <math.h>
#include <string.h>

#include "pipeline/events.h"

enum { MOST_NAMES = 20 }; /* of a list in a message */

/* "2 initial conditions are missing; start values are taken for: x, der(x)" */
static void
warn_about_choice(DaePipeline *pipeline, const DaeQlt *qlt, const DaeTerm *chosen, uint32_t n)
{
  DaeTerms *terms = dae_pipeline_terms(pipeline);
  g_autoptr(GString) list = g_string_new(NULL);
  for (uint32_t i = 0; i < MIN(n, MOST_NAMES); i++) {
    DaeTerm atom = chosen[i];
    for (uint32_t k = 0; k < dae_qlt_n_introduced(qlt); k++) {
      const DaeQltIntroduced *introduced = dae_qlt_introduced(qlt, k);
      atom =
          dae_term_variable(terms, introduced->symbol, 0) == atom ? introduced->meaning : atom;
    }
    g_autofree char *name = dae_term_to_string(terms, atom);
    g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", name);
  }
  if (n > MOST_NAMES) {
    g_string_append_printf(list, " and %u more", n - MOST_NAMES);
  }
  dae_report_warning(dae_pipeline_reporter(pipeline),
                     "%u initial condition%s missing; start values are taken for: %s", n,
                     n == 1 ? " is" : "s are", list->str);
}

static void
tell_conflict(DaePipeline *pipeline, const DaeInit *init, GError **error)
{
  g_autofree char *message =
      dae_init_conflict_message(dae_pipeline_checked_model(pipeline),
                                dae_pipeline_terms(pipeline), dae_init_conflict(init, 0));
  g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
              "the initialization is inconsistent\nconflict%s", message);
}

/* What the check of the initialization leaves to the numbers. */
static void
warn_about_verdict(const DaeProblem *problem, const DaeInit *init)
{
  DaePipeline *pipeline = problem->pipeline;
  if (dae_init_verdict(init) == DAE_INIT_UNDECIDED) {
    const char *why = dae_init_undecided_why(init);
    why = why != NULL ? why : "no reason given";
    g_autofree char *start = g_utf8_substring(why, 0, MIN(200, g_utf8_strlen(why, -1)));
    dae_report_warning(
        dae_pipeline_reporter(pipeline),
        "whether the initialization is consistent was not decided (%s%s); going on numerically",
        start, strlen(start) < strlen(why) ? " ...; check-init tells all" : "");
  }
  if (dae_init_n_suggested(init) > 0 && problem->start_result.kind != DAE_ROOT_UNCHOSEN) {
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    for (uint32_t i = 0; i < dae_init_n_suggested(init); i++) {
      DaeTerm atom = dae_init_suggested(init, i);
      g_array_append_val(chosen, atom);
    }
    warn_about_choice(pipeline, problem->qlt, (const DaeTerm *)(void *)chosen->data,
                      chosen->len);
  }
}

/* A simulation does not wait for a proof without end: after so many steps of the search the start
 * is left to the numbers, with a warning. Counted, not timed: the same model gives the same answer
 * on every machine. The searches of the examples take up to 180 000 steps, some seconds. */
static const uint64_t steps_of_the_check = 400000;

static const DaeInit *
check_init_in_steps(DaePipeline *pipeline, double t_start, GError **error)
{
  const DaeInitOptions options = {.start = t_start, .has_start = true};
  DaeBudget *given = pipeline->budget;
  g_autoptr(DaeBudget) budget = given == NULL ? dae_budget_new(0, steps_of_the_check) : NULL;
  if (budget != NULL) {
    dae_pipeline_set_budget(pipeline, budget);
  }
  const DaeInit *init = dae_pipeline_check_init(pipeline, &options, error);
  dae_pipeline_set_budget(pipeline, given);
  return init;
}

void
dae_pipeline_explain_open(DaePipeline *pipeline, double t_start, GError **error)
{
  const DaeInit *init = check_init_in_steps(pipeline, t_start, NULL);
  if (init != NULL && dae_init_n_conflicts(init) > 0) {
    g_clear_error(error);
    tell_conflict(pipeline, init, error);
  }
}

/* Start values of variables that were solved for beforehand. */
static GArray *
collect_wishes(const DaeProblem *problem, const DaeStartInput *input)
{
  DaeTerms *terms = input->terms;
  const DaeSimplified *simplified = dae_pipeline_simplified(problem->pipeline);
  const DaeModel *model =
      simplified != NULL ? dae_simplified_original(simplified) : problem->model;
  GArray *wishes = g_array_new(FALSE, FALSE, sizeof(DaeStartWish));
  for (uint32_t j = 0; simplified != NULL && j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    const DaeRecovery *recovery =
        variable->start != DAE_NO_TERM ? dae_simplified_recovery(simplified, j) : NULL;
    DaeStartWish wish = {.atom = dae_term_variable(terms, variable->symbol, 0)};
    wish.value = recovery != NULL && recovery->kind == DAE_RECOVER_TERM
                     ? dae_start_closed(input, variable->start)
                     : DAE_NO_TERM;
    if (wish.value == DAE_NO_TERM) {
      continue;
    }
    wish.term = dae_problem_lower_term(problem, wish.atom);
    if (wish.term != DAE_NO_TERM && !dae_term_has_derivatives(terms, wish.term)) {
      DaeTerm now = dae_term_from_double(terms, input->t_start);
      wish.term = dae_term_replace(terms, wish.term, dae_term_time(terms), now);
    }
    if (wish.term != DAE_NO_TERM && !dae_term_has_derivatives(terms, wish.term)) {
      g_array_append_val(wishes, wish);
    }
  }
  return wishes;
}

static bool
has_free_parameter(const DaeProblem *problem, DaeTerm t)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool has = false;
  dae_term_collect_parameters(terms, t, atoms);
  for (guint i = 0; i < atoms->len && !has; i++) {
    uint32_t k = 0;
    DaeSymbol symbol = dae_term_get_symbol(terms, g_array_index(atoms, DaeTerm, i));
    has = dae_model_find_parameter(problem->model, symbol, &k) &&
          dae_model_parameter(problem->model, k)->is_free;
  }
  return has;
}

/* A parameter with `fixed = false` may come out with the one value at which the structure is
 * another one: with m = 0 the equation m*der(v) = F is one of values, and the start has left it
 * out. */
static bool
keeps_structure(const DaeProblem *problem, DaeSubst *values)
{
  const double least = 1e-9;
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeSig *sig = problem->pipeline->sig;
  uint32_t n = 0;
  const DaeTerm *factors = sig != NULL ? dae_sig_singular_when(sig, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    double value = 1.0;
    DaeTerm closed =
        dae_term_is_parametric(terms, factors[i]) && has_free_parameter(problem, factors[i])
            ? dae_subst_apply(values, factors[i])
            : DAE_NO_TERM;
    if (closed != DAE_NO_TERM &&
        dae_term_eval_double(terms, closed, NULL, NULL, &value) == DAE_EVAL_OK &&
        fabs(value) < least) {
      return false;
    }
  }
  return true;
}

/* Structure and numbers first: a start that is determined and regular needs no
 * proof. Everything else does. */
static bool
find_start_without_proof(DaeProblem *problem, bool quiet)
{
  DaeStartInput input = dae_problem_start_input(problem);
  g_autoptr(GArray) wishes = collect_wishes(problem, &input);
  g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  input.wishes = (const DaeStartWish *)(void *)wishes->data;
  input.n_wishes = wishes->len;
  if (!dae_start_find_regular(&input, problem->x, &problem->start_result, chosen) ||
      !keeps_structure(problem, input.values)) {
    return false;
  }
  problem->start_residual = problem->start_result.residual;
  if (chosen->len > 0 && !quiet && !problem->warned_about_choice) {
    problem->warned_about_choice = true;
    warn_about_choice(problem->pipeline, problem->qlt, (const DaeTerm *)(void *)chosen->data,
                      chosen->len);
  }
  return true;
}

static bool
find_start(DaeProblem *problem, const DaeInit *init, GError **error)
{
  const DaeStartInput input = dae_problem_start_input(problem);
  bool ok = dae_start_find(&input, init, problem->x, &problem->start_result, error);
  g_autofree char *blame = ok ? NULL : dae_pipeline_blame_parameter(problem->pipeline);
  if (blame != NULL && error != NULL && *error != NULL) {
    g_autofree char *old = (*error)->message;
    (*error)->message = g_strdup_printf("%s\n  %s", old, blame);
  }
  problem->start_residual = problem->start_result.residual;
  return ok;
}

/* Beyond so many equations as written a structure that only numbers have seen stays as it is. */
#define MOST_PROVED 100

/* Has the structure not been proved, and can it be? It is then looked at anew, as written. */
static bool
drop_unproved(const DaeProblem *problem)
{
  DaePipeline *pipeline = problem->pipeline;
  return pipeline->leaves_to_numbers &&
         dae_model_n_equations(dae_pipeline_model(pipeline)) <= MOST_PROVED &&
         dae_pipeline_drop_simplified(pipeline);
}

/* The check of the initialization and a start from it. *again: the verdict is negative, and to
 * be told on the model as written; or there is no start with the degrees of freedom of a
 * structure that was not proved: that is the error unless the proof says more. */
static bool
find_start_with_proof(DaeProblem *problem, bool *again, GError **error)
{
  DaePipeline *pipeline = problem->pipeline;
  const DaeInit *init = check_init_in_steps(pipeline, problem->t_start, error);
  if (init == NULL) {
    return false;
  }
  if (dae_init_n_conflicts(init) > 0) {
    *again = dae_pipeline_drop_simplified(pipeline);
    if (!*again) {
      tell_conflict(pipeline, init, error);
    }
    return false;
  }
  bool is_found = find_start(problem, init, error);
  *again = !is_found && drop_unproved(problem);
  if (!*again) {
    warn_about_verdict(problem, init);
  }
  return is_found;
}

/* A root that the equations hardly determine is never taken without a word. */
static void
warn_about_root(DaeProblem *problem)
{
  DaeRootKind kind = problem->start_result.kind;
  if (kind == DAE_ROOT_PLAIN || problem->warned_about_root) {
    return;
  }
  problem->warned_about_root = true;
  const DaeReporter *reporter = dae_pipeline_reporter(problem->pipeline);
  if (kind == DAE_ROOT_INSTEAD) {
    dae_report_warning(
        reporter,
        "the start values lead to a point at t = %.10g where the equations are degenerate (a "
        "multiple root, or an unknown that they do not determine); a regular start was found "
        "from other guesses and is taken: other start values may choose another one",
        problem->t_start);
  } else if (kind == DAE_ROOT_UNCHOSEN) {
    dae_report_warning(
        reporter,
        "initial conditions are missing, and with 0 for start values that were not written "
        "there is no start at t = %.10g; one was found from other guesses and is taken: start "
        "values may choose another one",
        problem->t_start);
  } else {
    dae_report_warning(
        reporter,
        "the equations are degenerate at the start, t = %.10g (a multiple root, or an unknown "
        "that they do not determine), and no regular one was found",
        problem->t_start);
  }
}

typedef struct {
  bool may_prove;
  bool *again;
} StartSearch;

/* A degenerate start may be all that numbers see of a structure that was not proved, and has
 * another number of degrees of freedom. */
static bool
needs_certificate(DaeProblem *problem, const StartSearch *search)
{
  *search->again = search->may_prove && problem->start_result.kind == DAE_ROOT_DEGENERATE &&
                   drop_unproved(problem);
  return *search->again;
}

static bool
find_continuous_start(DaeProblem *problem, void *user, GError **error)
{
  const StartSearch *search = user;
  bool is_found = find_start_without_proof(problem, !search->may_prove) ||
                  (search->may_prove && find_start_with_proof(problem, search->again, error));
  if (is_found && needs_certificate(problem, search)) {
    return false;
  }
  if (is_found) {
    warn_about_root(problem);
  }
  return is_found;
}

bool
dae_problem_find_start(DaeProblem *problem, bool may_prove, const double *guess, bool *again,
                       GError **error)
{
  StartSearch search = {may_prove, again};
  bool may_be_open = guess == NULL && !problem->options.literal;
  problem->start_is_open = false;
  return dae_hybrid_is_trivial(problem->pipeline->hybrid)
             ? find_continuous_start(problem, &search, error)
             : dae_problem_find_discrete_start(problem, find_continuous_start, &search, guess,
                                               may_be_open ? &problem->start_is_open : NULL,
                                               error);
}
