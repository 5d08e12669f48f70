/* Which searches are made for a verdict, and what keeps it back: the elimination first, a proof of
 * the whole problem in balls where that is open, and doubts that no search removes. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

/* Contradictions are proved whatever the structure is; how much is
 * missing is not known without it. */
static void
withhold_verdict(DaeInit *init, const DaeSig *sig)
{
  init->missing = 0;
  g_array_set_size(init->undetermined, 0);
  g_array_set_size(init->suggested, 0);
  init->holds_for_all = false;
  if (init->conflicts->len > 0) {
    init->verdict = DAE_INIT_INCONSISTENT;
  } else {
    g_autofree char *own = init->verdict == DAE_INIT_UNDECIDED ? g_strdup(init->why) : NULL;
    const char *reason = dae_sig_reason(sig);
    init->verdict = DAE_INIT_UNDECIDED;
    g_free(init->why);
    init->why = g_strdup_printf("%s%sthe structure of the model is open: %s",
                                own != NULL ? own : "", own != NULL ? "; " : "",
                                reason != NULL ? reason : "see 'daetool analyze'");
  }
}

/* Does the equation determine a variable by its steps, which have no place in Sigma? (0 =
 * sign(x) has one solution.) */
static bool
determines_by_steps(DaeTerms *terms, const DaeSig *sig, uint32_t row)
{
  const DaeEquation *equation = dae_model_equation(dae_sig_model(sig), row);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, equation->lhs, atoms);
  dae_term_collect_variables(terms, equation->rhs, atoms);
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n);
  bool has_entry = false;
  for (size_t k = 0; k < n && !has_entry; k++) {
    has_entry = entries[k].row == row;
  }
  return atoms->len > 0 && !has_entry;
}

static bool
is_positive(const DaeInit *init)
{
  return init->verdict == DAE_INIT_WELL_DETERMINED || init->verdict == DAE_INIT_CONSISTENT;
}

/* A start that is determined does not help where the equations leave something open later. */
static bool
is_vain(DaeTerms *terms, const DaeInit *init, const DaeSig *sig)
{
  DaeSigStatus status = dae_sig_status(sig);
  if (!is_positive(init) || status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED ||
      dae_sig_lacks_values_only(sig) || dae_sig_n_rows(sig) > dae_sig_n_columns(sig)) {
    return false;
  }
  const DaeSigBlock *excess = dae_sig_overdetermined(sig);
  for (uint32_t i = 0; excess != NULL && i < excess->n_equations; i++) {
    if (determines_by_steps(terms, sig, excess->equations[i])) {
      return false;
    }
  }
  return true;
}

static void
leave_undecided(DaeInit *init, const char *why)
{
  init->verdict = DAE_INIT_UNDECIDED;
  init->holds_for_all = false;
  g_free(init->why);
  init->why = g_strdup(why);
}

static void
take_doubt(DaeInit *init, const char *doubt)
{
  leave_undecided(init, doubt);
  g_array_set_size(init->conflicts, 0);
  g_array_set_size(init->redundant, 0);
  g_array_set_size(init->undetermined, 0);
  g_array_set_size(init->conditions, 0);
  g_clear_pointer(&init->values, g_hash_table_unref);
  init->missing = 0;
  init->is_numeric = false;
  init->is_undefined = false;
}

/* What is drawn is drawn from the elimination. */
static bool
draws(const DaeInitOptions *options)
{
  return options->all_matchings || options->graph;
}

/* The whole problem in balls, at the given values. NULL: nothing is proved. */
static DaeInit *
prove_as_a_whole(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options)
{
  g_autoptr(IcSystem) sys =
      ic_system_new(algebra, sig, options->problem, options->budget, true);
  g_autoptr(DaeInit) init = ic_result_new(sys);
  bool is_proved = !sys->is_incomplete && ic_prove_as_a_whole(sys, init);
  return is_proved ? g_steal_pointer(&init) : NULL;
}

/* With the parameters as symbols, where *at_values does not say that this is in vain, or too
 * long; that is told by it for the next search. */
static DaeInit *
search_all(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options,
           bool *at_values)
{
  DaeInit *init = *at_values ? NULL : ic_search(algebra, sig, options, false);
  *at_values = init == NULL;
  return init != NULL ? init : ic_search(algebra, sig, options, true);
}

/* Nothing else can be proved without the structure. */
static DaeInit *
search_for_conflicts(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options)
{
  enum { MOST_STEPS = 400000 }; /* some seconds */

  DaeInitOptions brief = *options;
  g_autoptr(DaeBudget) budget = options->budget == NULL ? dae_budget_new(0, MOST_STEPS) : NULL;
  brief.budget = budget != NULL ? budget : options->budget;
  bool at_values = dae_sig_is_at_values(sig); /* so are its equations */
  return search_all(algebra, sig, &brief, &at_values);
}

typedef struct {
  uint32_t n, most;
} Count;

static bool
count_premise(void *user, const DaeInitialEquation *equation)
{
  (void)equation;
  Count *count = user;
  return ++count->n <= count->most;
}

/* As many equations as unknowns: what a proof as a whole needs. */
static bool
is_square(const DaeInitialProblem *problem)
{
  Count count = {.most = dae_initial_n_unknowns(problem)};
  return dae_initial_visit(problem, count_premise, &count) && count.n == count.most;
}

/* Is the verdict a positive one about a solution that nobody has seen? A block that is regular
 * wherever it has solutions need not have any. */
static bool
lacks_existence(const DaeInit *init)
{
  return is_positive(init) && init->n_existence_open > 0;
}

/* The elimination tells more than the point, so it comes first: as long as it is short, or to
 * its end where there is no point. Where there can be none, it is not begun twice. */
static DaeInit *
search_and_prove(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options)
{
  enum { FEW_STEPS = 100000 }; /* about a second */

  DaeInitOptions brief = *options;
  g_autoptr(DaeBudget) few = options->budget == NULL && is_square(options->problem)
                                 ? dae_budget_new(0, FEW_STEPS)
                                 : NULL;
  brief.budget = few != NULL ? few : options->budget;
  bool at_values = dae_sig_is_at_values(sig); /* so are its equations */
  DaeInit *init = search_all(algebra, sig, &brief, &at_values);
  bool is_cut = few != NULL && dae_budget_spent(few);
  bool is_open = lacks_existence(init) || (init->verdict == DAE_INIT_UNDECIDED &&
                                           init->conflicts->len == 0 && !init->is_undefined);
  bool is_asked = draws(options) ? lacks_existence(init) && !is_cut : is_open || is_cut;
  DaeInit *whole = is_asked ? prove_as_a_whole(algebra, sig, options) : NULL;
  if (whole != NULL && draws(options)) { /* the elimination lacked the solution only */
    init->n_existence_open = 0;
    init->radius = MAX(init->radius, whole->radius);
    g_clear_pointer(&whole, dae_init_free);
  }
  if (whole != NULL || is_cut) {
    dae_init_free(init);
    init = whole != NULL ? whole : search_all(algebra, sig, options, &at_values);
  }
  return init;
}

DaeInit *
dae_init_check(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options,
               const DaeReporter *reporter, GError **error)
{
  static const DaeInitOptions defaults = {.all_matchings = false};
  (void)error; /* nothing here fails: what is not settled is a verdict */
  DaeInitOptions chosen = options == NULL ? defaults : *options;
  g_autoptr(DaeInitialProblem) own =
      chosen.problem == NULL ? dae_initial_new(dae_algebra_terms(algebra), sig,
                                               chosen.has_start ? chosen.start : NAN)
                             : NULL;
  chosen.problem = own != NULL ? own : chosen.problem;
  options = &chosen;
  dae_report_progress(reporter, "check of the initialization", -1.0);
  /* a point would certify the structure, too */
  const bool is_open = dae_sig_is_open(sig) && !dae_sig_lacks_values_only(sig);
  DaeInit *init = !is_open         ? search_and_prove(algebra, sig, options)
                  : draws(options) ? NULL
                                   : prove_as_a_whole(algebra, sig, options);
  if (init == NULL) {
    init = search_for_conflicts(algebra, sig, options);
    withhold_verdict(init, sig);
  } else if (!is_open && is_vain(dae_algebra_terms(algebra), init, sig)) {
    leave_undecided(init, "the equations of the model do not determine its solution, whatever "
                          "the start is: see 'daetool analyze'");
  } else if (dae_initial_misses_slopes(options->problem)) {
    leave_undecided(init,
                    "initial equations contain derivatives that the repaired equations do "
                    "not determine everywhere: see 'daetool analyze'");
  } else if (lacks_existence(init)) {
    leave_undecided(init, "the equations are regular where they have solutions, but that they "
                          "have a real solution at the start was not proved");
  }
  g_autofree char *beside =
      is_positive(init) ? ic_value_beside_its_type(dae_algebra_terms(algebra),
                                                   dae_sig_model(sig), init, options->problem)
                        : NULL;
  if (beside != NULL) {
    leave_undecided(init, beside);
  }
  if (options->doubt != NULL) {
    take_doubt(init, options->doubt);
  } else if (options->open_unless_inconsistent != NULL && init->conflicts->len == 0) {
    leave_undecided(init, options->open_unless_inconsistent);
    init->missing = 0;
    g_array_set_size(init->undetermined, 0);
    g_array_set_size(init->suggested, 0);
  }
  return init;
}
