/* The verdict: one run over everything, then for each row that became 0 = 0 a proof that
 * one initial equation follows from the others, for each contradiction a minimal set, and
 * for what stays free the names.
 *
 * Redundancy is proved, never counted: the equation e that is called redundant takes no part in
 * the elimination that reduces it to zero, and neither do the equations that were called
 * redundant before it. So all of them may be dropped together, and nothing is lost (in the
 * two-volumes model only an energy balance can be called redundant, never a mass balance:
 * without it the rest is singular). */
#include "initcheck/initcheck-priv.h"

enum { LONG_SET = 50 }; /* premises: from here on those that matter are found out first */

typedef struct { /* that a premise is redundant */
  bool is_there;
  uint32_t first, n; /* in `used` */
} Proof;

typedef struct {
  DaeInit *init;
  IcSystem *sys;
  IcEngine *engine;  /* the run over all premises */
  const GArray *all; /* these, uint32_t */
  bool *is_dropped;  /* premises called redundant so far */
  bool
      /* each proof so far used only premises before its own: so there is no circle among
       * them */
      all_ordered;
  Proof *proof_of;             /* by premise */
  GArray *used;                /* premises that the proofs used, one behind the other */
  IcNear *near;                /* made when the first long set is met */
  uint32_t n_near, n_not_near; /* long sets that had a short proof, and those that had none */
  DaeTerm undefined;           /* at the solution; DAE_NO_TERM: nothing */
  uint32_t undefined_in;       /* the premise with it */
  uint32_t n_unproved;         /* rows that became 0 = 0 without a proof for any one equation */
  /* contradictions without a minimal set: no time, or they hang on a choice */
  uint32_t n_not_minimal;
} Check;

/* ---- redundant --------------------------------------------------------------------------- */

/* The premises without the dropped ones (all of them, or only those that are the last of the
 * set), which are replaced by what their proofs used; increasing. */
static GArray *
without_dropped(const Check *check, const GArray *premises, bool all)
{
  uint32_t walk = ic_walk_premises(check->sys);
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate)); /* largest first */
  GArray *out = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < premises->len; i++) {
    uint32_t p = g_array_index(premises, uint32_t, i);
    ic_see_premise(check->sys, p, walk);
    ic_heap_push(heap, (IcCandidate){.key = UINT32_MAX - p, .row = p});
  }
  bool stop = false;
  while (heap->len > 0) {
    uint32_t p = ic_heap_pop(heap).row;
    const Proof *proof = &check->proof_of[p];
    stop |= !proof->is_there && !all;
    if (!proof->is_there || stop) {
      g_array_append_val(out, p);
      continue;
    }
    for (uint32_t k = 0; k < proof->n; k++) {
      uint32_t q = g_array_index(check->used, uint32_t, proof->first + k);
      if (ic_see_premise(check->sys, q, walk)) {
        ic_heap_push(heap, (IcCandidate){.key = UINT32_MAX - q, .row = q});
      }
    }
  }
  ic_sort_numbers(out);
  return out;
}

/* Are there equations that a completion left out? */
static bool
has_surplus(const Check *check)
{
  return check->sys->model != dae_sig_model(check->sys->sig);
}

static void
free_redundant(gpointer data)
{
  DaeInitRedundant *item = data;
  dae_proof_steps_free((DaeInitStep *)item->steps, item->n_steps);
}

static void
record_redundant(Check *check, uint32_t premise, IcEngine *engine, uint32_t row)
{
  DaeInitRedundant item = {.what = g_array_index(check->sys->premises, IcPremise, premise).id};
  uint32_t n_steps = 0;
  item.steps = ic_prove(engine, row, &n_steps);
  item.n_steps = n_steps;
  if (item.what.is_initial || !has_surplus(check)) {
    g_array_append_val(check->init->redundant, item);
  } else { /* beside what a completion left out one of the model's equations is too many */
    free_redundant(&item);
  }
  g_autoptr(GArray) support = ic_engine_support(engine, ic_engine_row(engine, row)->line);
  Proof proof = {true, check->used->len, 0};
  uint32_t last = 0;
  for (guint i = 0; i < support->len; i++) {
    uint32_t used = g_array_index(support, uint32_t, i);
    if (used != premise) {
      g_array_append_val(check->used, used);
      last = used;
    }
  }
  proof.n = check->used->len - proof.first;
  check->is_dropped[premise] = true;
  check->all_ordered &= proof.n == 0 || last < premise;
  check->proof_of[premise] = proof;
}

/* The premises without e; beside what a completion left out, all that there are: v*(v' - u) = 0
 * says nothing of v where another one says v' = u. */
static GArray *
others_than(const Check *check, uint32_t e, const GArray *premises)
{
  GArray *others = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; !has_surplus(check) && i < premises->len; i++) {
    uint32_t p = g_array_index(premises, uint32_t, i);
    if (p != e) {
      g_array_append_val(others, p);
    }
  }
  for (uint32_t p = 0; has_surplus(check) && p < check->sys->premises->len; p++) {
    if (p != e && !check->is_dropped[p]) {
      g_array_append_val(others, p);
    }
  }
  return others;
}

/* Does premise e follow from the others? e is reduced by an elimination it takes no part in. */
static bool
prove_redundant(Check *check, uint32_t e, const GArray *premises)
{
  g_autoptr(GArray) others = others_than(check, e, premises);
  g_autoptr(GArray) target = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(target, e);
  g_autoptr(IcEngine) engine = ic_decide(check->sys, others, target);
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->passive && (row->state == IC_ROW_ZERO || row->state == IC_ROW_ZERO_GIVEN)) {
      record_redundant(check, e, engine, r);
      return true;
    }
  }
  return false;
}

/* Tries the premises of the set as redundant, the last one first: initial equations stand last,
 * so they come before the equations of the model. only_last: just the last one. */
static bool
try_candidates(Check *check, const GArray *premises, bool only_last)
{
  for (guint i = premises->len; i-- > 0;) {
    uint32_t e = g_array_index(premises, uint32_t, i);
    if (!check->is_dropped[e] && prove_redundant(check, e, premises)) {
      return true;
    }
    if (only_last) {
      return false;
    }
  }
  return false;
}

/* A long set: does its last premise follow from few others around it? Given up where that did
 * not help several times. */
static bool
prove_from_near(Check *check, const GArray *premises)
{
  enum { LEAST = 48, PATIENCE = 8 };

  uint32_t e = premises->len == 0 ? 0 : g_array_index(premises, uint32_t, premises->len - 1);
  if (premises->len < LONG_SET || check->is_dropped[e] ||
      check->n_not_near > check->n_near + PATIENCE) {
    return false;
  }
  if (check->near == NULL) {
    check->near = ic_near_new(check->sys);
  }
  for (uint32_t most = LEAST; most <= premises->len && most <= 2 * LEAST; most *= 2) {
    g_autoptr(GArray) few = ic_near_premises(check->near, e, most);
    if (prove_redundant(check, e, few)) {
      check->n_near++;
      return true;
    }
  }
  check->n_not_near++;
  return false;
}

/* Premises that were put in the place of others may cancel. One run over the set tells the
 * multipliers of the dependency in it; without them each would be tried in vain. */
static void
keep_dependency(Check *check, GArray *premises)
{
  if (premises->len < LONG_SET) {
    return;
  }
  g_autoptr(IcEngine) engine = ic_decide(check->sys, premises, NULL);
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_ZERO || row->state == IC_ROW_ZERO_GIVEN) {
      ic_drop_unused(engine, row->line, premises);
      return;
    }
  }
}

/* A row of the full run became 0 = 0: one of the premises behind it is redundant. While all
 * proofs use only premises before their own, the last premise of a set may be derived from
 * others that were dropped before: nothing is circular. Otherwise dropped premises are
 * replaced by what their proofs used. */
static void
attribute_redundancy(Check *check, uint32_t r)
{
  g_autoptr(GArray) support =
      ic_used_premises(check->engine, ic_engine_row(check->engine, r)->line);
  if (check->all_ordered) {
    g_autoptr(GArray) premises = without_dropped(check, support, false);
    if (prove_from_near(check, premises) || try_candidates(check, premises, true)) {
      return;
    }
  }
  g_autoptr(GArray) premises = without_dropped(check, support, true);
  keep_dependency(check, premises);
  if (!try_candidates(check, premises, false)) {
    check->n_unproved++;
  }
}

/* ---- conflicts --------------------------------------------------------------------------- */

/* ---- conditions -------------------------------------------------------------------------- */

static void
record_condition(Check *check, DaeTerm condition)
{
  GArray *known = check->init->conditions;
  if (condition == DAE_NO_TERM) {
    return;
  }
  for (guint i = 0; i < known->len; i++) {
    DaeTerm other = g_array_index(known, DaeTerm, i);
    if (other == condition || other == dae_term_neg(check->sys->terms, condition)) {
      return;
    }
  }
  g_array_append_val(known, condition);
}

/* ---- verdict ----------------------------------------------------------------------------- */

typedef struct {
  uint32_t n_stuck, n_implicit, n_solved;
  /* rows that took the place of others they follow from: those become 0 = 0 */
  uint32_t n_replaced;
} Counts;

static Counts
count_rows(const IcEngine *engine)
{
  Counts counts = {.n_solved = engine->n_pivots};
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    IcRowState state = ic_engine_row(engine, r)->state;
    counts.n_stuck += state == IC_ROW_STUCK || state == IC_ROW_ACTIVE;
    counts.n_implicit += state == IC_ROW_IMPLICIT;
    counts.n_solved += state == IC_ROW_SQUARE;
    counts.n_solved += ic_engine_row(engine, r)->takes_unknown;
    counts.n_replaced += state == IC_ROW_PIVOT && ic_engine_row(engine, r)->is_consequence;
  }
  return counts;
}

static uint32_t
n_determined(const IcEngine *engine)
{
  Counts counts = count_rows(engine);
  return counts.n_solved + counts.n_implicit;
}

static DaeInitVerdict
choose_verdict(const DaeInit *init, const Counts *counts, bool out_of_budget)
{
  bool missing = init->missing > 0;
  if (init->conflicts->len > 0) {
    return missing ? DAE_INIT_MIXED : DAE_INIT_INCONSISTENT;
  }
  if (out_of_budget || counts->n_stuck > 0) {
    return DAE_INIT_UNDECIDED;
  }
  if (init->redundant->len > 0) {
    return missing ? DAE_INIT_MIXED : DAE_INIT_CONSISTENT;
  }
  return missing ? DAE_INIT_UNDER_DETERMINED : DAE_INIT_WELL_DETERMINED;
}

static void
walk_rows(Check *check)
{
  IcEngine *engine = check->engine;
  if (engine->failed->len > 0) {
    check->n_not_minimal += !ic_conflict_record(check->init, engine, IC_NONE, check->all);
  }
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_CONFLICT) {
      record_condition(check, row->condition);
      if (engine->failed->len == 0) {
        check->n_not_minimal += !ic_conflict_record(check->init, engine, r, check->all);
      }
    } else if (row->state == IC_ROW_ZERO_GIVEN || row->state == IC_ROW_STUCK) {
      record_condition(check, row->condition);
    }
    if ((row->state == IC_ROW_ZERO || row->state == IC_ROW_ZERO_GIVEN) && !row->is_extra) {
      attribute_redundancy(check, r);
    }
    if (dae_budget_spent(check->sys->budget)) {
      engine->out_of_budget = true;
      return;
    }
  }
}

/* The equation in the words of the user: in its own, parameters are numbers by now. */
static void
append_written(const Check *check, uint32_t p, GString *out)
{
  const DaeInitPremise *id = &g_array_index(check->sys->premises, IcPremise, p).id;
  uint32_t number = id->index;
  const DaeEquation *equation =
      id->is_initial ? dae_initial_written(check->sys->problem, id->index, &number)
                     : dae_model_written_equation(check->sys->model, &number);

  enum { LONGEST = 120 };

  g_string_append(out, ", in ");
  dae_term_print_limited(check->sys->terms, equation->lhs, out, LONGEST);
  g_string_append(out, " = ");
  dae_term_print_limited(check->sys->terms, equation->rhs, out, LONGEST);
  if (equation->span.line > 0) {
    g_autofree char *place = dae_span_text(equation->span);
    g_string_append_printf(out, " (%s)", place);
  }
}

static char *
explain_undecided(const Check *check)
{
  const IcEngine *engine = check->engine;
  DaeTerms *terms = check->sys->terms;
  GString *why = g_string_new(NULL);
  if (engine->out_of_budget) {
    g_string_printf(why, "the budget ended after %u of %u unknowns were solved",
                    engine->n_pivots, check->sys->unknowns->len);
    if (check->n_not_minimal > 0) {
      g_string_append_printf(why, "; %u contradiction%s found, without a minimal set yet",
                             check->n_not_minimal, check->n_not_minimal == 1 ? "" : "s");
    }
    return g_string_free(why, FALSE);
  }
  if (engine->no_solution_found) {
    g_string_append(why, "no real solution was found");
  }
  if (check->undefined != DAE_NO_TERM) {
    g_autofree char *text = dae_term_to_string(terms, check->undefined);
    g_string_append_printf(why, "at the solution that was found %s has no value", text);
    append_written(check, check->undefined_in, why);
  }
  if (engine->gave_up) {
    g_string_append_printf(why,
                           "%sno case that was looked at has a solution, and these are not all",
                           why->len > 0 ? "; " : "");
  }
  if (check->n_unproved > 0) {
    g_string_append_printf(why, "%s%u equations are too many, and which is open",
                           why->len > 0 ? "; " : "", check->n_unproved);
  }

  enum { N_SHOWN = 4, LONGEST = 120 }; /* a person reads a few; what is left may be very long */

  uint32_t n_stuck = 0;
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_STUCK && row->premise < check->sys->premises->len &&
        n_stuck++ < N_SHOWN) {
      g_autofree char *text = dae_init_premise_text(
          check->sys->model, terms,
          &g_array_index(check->sys->premises, IcPremise, row->premise).id);
      g_autoptr(GString) left = g_string_new(NULL);
      dae_term_print_limited(terms, ic_form_term(check->sys, &row->form), left, LONGEST);
      g_string_append_printf(why, "%s%.*s%s: 0 = %s is open", why->len > 0 ? "; " : "", LONGEST,
                             text, strlen(text) > LONGEST ? "..." : "", left->str);
    }
  }
  if (n_stuck > N_SHOWN) {
    g_string_append_printf(why, "; and %u more", n_stuck - N_SHOWN);
  }
  return g_string_free(why, FALSE);
}

/* What is solved for has a value: x = log(a) has none for a < 0. Not where something is free,
 * whose guess may be what does not fit. */
static void
record_values(const Check *check)
{
  DaeInit *init = check->init;
  uint32_t line = ic_record_values(check->engine, init);
  if (line == IC_NONE || init->missing > 0) {
    return;
  }

  enum { LONGEST = 120 };

  DaeTerms *terms = check->sys->terms;
  g_autoptr(GString) why = g_string_new(NULL);
  dae_term_print_limited(terms, ic_engine_line(check->engine, line)->lhs, why, LONGEST);
  g_string_append(why, " = ");
  dae_term_print_limited(terms, ic_line_rhs(check->engine, line), why, LONGEST);
  g_string_append(why, " has no finite value at the given parameters");
  init->verdict = DAE_INIT_UNDECIDED;
  init->holds_for_all = false;
  init->is_numeric = false;
  init->why = g_string_free(g_steal_pointer(&why), FALSE);
}

DaeInit *
ic_result_new(const IcSystem *sys)
{
  DaeInit *init = g_new0(DaeInit, 1);
  init->potential_states = dae_initial_potential_states(sys->problem);
  init->dof = dae_initial_dof(sys->problem);
  init->n_free_parameters = dae_initial_n_free_parameters(sys->problem);
  init->n_discrete_starts = dae_initial_n_discrete_starts(sys->problem);
  init->n_initial = dae_initial_n_conditions(sys->problem);
  init->redundant = g_array_new(FALSE, TRUE, sizeof(DaeInitRedundant));
  g_array_set_clear_func(init->redundant, free_redundant);
  init->conflicts = g_array_new(FALSE, TRUE, sizeof(DaeInitConflict));
  g_array_set_clear_func(init->conflicts, ic_conflict_free);
  init->undetermined = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init->suggested = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init->conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init->assumptions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init->within = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  init->matchings = g_array_new(FALSE, FALSE, sizeof(DaeInitMatching));
  return init;
}

static gint
compare_redundant(gconstpointer a, gconstpointer b)
{
  const DaeInitPremise *x = &((const DaeInitRedundant *)a)->what;
  const DaeInitPremise *y = &((const DaeInitRedundant *)b)->what;
  if (x->is_initial != y->is_initial) {
    return x->is_initial ? -1 : 1;
  }
  if (x->index != y->index) {
    return x->index < y->index ? -1 : 1;
  }
  return x->order < y->order ? -1 : x->order > y->order;
}

/* With more equations than variables the offsets do not count the freedom: what is
 * missing and what is well used do. */
static int64_t
freedom_of_overdetermined(const DaeInit *init)
{
  int64_t freedom = (int64_t)init->missing + init->n_initial - init->conflicts->len;
  for (guint i = 0; i < init->redundant->len; i++) {
    freedom -= g_array_index(init->redundant, DaeInitRedundant, i).what.is_initial;
  }
  return MAX(freedom - init->n_free_parameters, 0);
}

static bool
has_numeric_step(const DaeInitStep *steps, uint32_t n)
{
  for (uint32_t s = 0; s < n; s++) {
    if (steps[s].rule == DAE_RULE_NUMERIC) {
      return true;
    }
  }
  return false;
}

/* Is there a step in one of the proofs that balls decided? */
static bool
rests_on_numbers(const DaeInit *init)
{
  for (uint32_t i = 0; i < init->redundant->len; i++) {
    const DaeInitRedundant *item = &g_array_index(init->redundant, DaeInitRedundant, i);
    if (has_numeric_step(item->steps, item->n_steps)) {
      return true;
    }
  }
  for (uint32_t i = 0; i < init->conflicts->len; i++) {
    const DaeInitConflict *item = &g_array_index(init->conflicts, DaeInitConflict, i);
    if (has_numeric_step(item->steps, item->n_steps)) {
      return true;
    }
  }
  return false;
}

DaeInit *
ic_search(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options,
          bool at_given_values)
{
  g_autoptr(IcSystem) sys =
      ic_system_new(algebra, sig, options->problem, options->budget, at_given_values);
  g_autoptr(DaeInit) init = ic_result_new(sys);
  if (sys->is_incomplete) {
    init->verdict = DAE_INIT_UNDECIDED;
    init->why = g_strdup("the budget ended while the derivative array was set up");
    return g_steal_pointer(&init);
  }
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    g_array_append_val(all, p);
  }
  sys->writes_all = options->all_matchings || options->graph;
  g_autoptr(IcEngine) engine = ic_decide(sys, all, NULL);
  if (engine->square->len > 0 && n_determined(engine) < sys->unknowns->len) {
    sys->writes_all = true; /* somebody asks which unknowns depend on the free ones */
    ic_engine_free(g_steal_pointer(&engine));
    engine = ic_decide(sys, all, NULL);
  }
  if (sys->too_long) {
    return NULL;
  }
  Check check = {.init = init, .sys = sys, .engine = engine, .all = all, .all_ordered = true};
  g_autofree bool *is_dropped = g_new0(bool, sys->premises->len + 1);
  check.is_dropped = is_dropped;
  check.proof_of = g_new0(Proof, sys->premises->len + 1);
  check.used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Counts counts = count_rows(engine);
  walk_rows(&check);
  g_clear_pointer(&check.proof_of, g_free);
  g_clear_pointer(&check.used, g_array_unref);
  g_clear_pointer(&check.near, ic_near_free);
  if (sys->too_long) {
    return NULL;
  }
  /* a search that did not end knows what it proved, not what is missing */
  bool is_incomplete = engine->out_of_budget || engine->gave_up;
  /* and an open row may determine an unknown: it is not told as missing */
  uint32_t determined = counts.n_solved + counts.n_implicit + counts.n_stuck;
  init->missing = is_incomplete ? 0 : sys->unknowns->len - MIN(determined, sys->unknowns->len);
  check.n_unproved -= MIN(check.n_unproved, counts.n_replaced);
  check.undefined = counts.n_stuck == 0 && init->conflicts->len == 0 && !is_incomplete
                        ? ic_undefined_at_solution(engine, &check.undefined_in)
                        : DAE_NO_TERM;
  bool is_open = check.n_unproved + check.n_not_minimal > 0 || check.undefined != DAE_NO_TERM;
  init->verdict = choose_verdict(init, &counts, is_incomplete || is_open);
  init->is_undefined = check.undefined != DAE_NO_TERM;
  init->is_numeric = rests_on_numbers(init) && init->verdict != DAE_INIT_UNDECIDED;
  init->n_implicit = engine->n_implicit;
  init->n_existence_open = engine->n_unproved;
  init->radius = engine->radius;
  init->holds_for_all = init->verdict != DAE_INIT_UNDECIDED && init->conditions->len == 0 &&
                        !engine->used_values && !dae_sig_is_at_values(sig) &&
                        engine->n_unproved == 0 && ic_holds_for_all(engine, init->assumptions);
  if (init->holds_for_all) {
    g_array_append_vals(init->within, sys->within->data, sys->within->len);
  }
  g_array_sort(init->conflicts, ic_conflict_compare);
  g_array_sort(init->redundant, compare_redundant);
  if (dae_sig_n_rows(sig) != dae_sig_n_columns(sig) && init->verdict != DAE_INIT_UNDECIDED) {
    init->dof = freedom_of_overdetermined(init);
  }
  if (init->verdict != DAE_INIT_UNDECIDED && init->conflicts->len == 0) {
    record_values(&check);
    ic_doubt_verdict(engine, init, is_dropped, has_surplus(&check));
  }
  if (init->verdict == DAE_INIT_UNDECIDED) {
    init->why = init->why != NULL ? init->why : explain_undecided(&check);
  } else if (init->missing > 0) {
    ic_find_undetermined(engine, init);
  }
  if (sys->too_long) { /* found out while what is missing was looked for */
    return NULL;
  }
  if (options->all_matchings) {
    ic_find_matchings(sys, init);
  }
  if (options->graph) {
    init->dot = g_string_new(NULL);
    ic_write_graph(sys, init->dot);
  }
  return g_steal_pointer(&init);
}
