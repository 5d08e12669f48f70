/* The initial problem (initial/initial.h) as the search wants it: premises are its equations, the
 * reduced derivative array and then the conditions, each prepared at the start time. */
#include "initcheck/initcheck-priv.h"

static void
add_unknowns(IcSystem *sys)
{
  for (uint32_t z = 0; z < dae_initial_n_unknowns(sys->problem); z++) {
    const DaeInitialUnknown *given = dae_initial_unknown(sys->problem, z);
    IcUnknown unknown = {.atom = given->atom,
                         .variable = given->variable,
                         .order = given->order,
                         .start = given->start,
                         .is_potential_state = given->is_potential_state};
    g_array_append_val(sys->unknowns, unknown);
    g_hash_table_insert(sys->index, GUINT_TO_POINTER(unknown.atom),
                        GUINT_TO_POINTER(sys->unknowns->len));
  }
}

/* Denominators and arguments of logarithms cannot vanish where the model is defined. */
static void
collect_domain(IcSystem *sys, DaeTerm t)
{
  if (dae_term_is_polynomial(sys->terms, t)) {
    return;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(sys->terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!ic_has_unknown(sys, node)) {
      continue;
    }
    DaeKind kind = dae_term_kind(sys->terms, node);
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(sys->terms, node, &n);
    bool is_denominator = kind == DAE_KIND_POWER &&
                          dae_term_is_number(sys->terms, operands[1]) &&
                          dae_term_sign(sys->terms, operands[1]) < 0;
    bool is_log =
        kind == DAE_KIND_CALL &&
        dae_function_facts(dae_term_function(sys->terms, node))->domain == DAE_DOMAIN_POSITIVE;
    if ((is_denominator || is_log) && ic_has_unknown(sys, operands[0]) &&
        g_hash_table_add(sys->domain_seen, GUINT_TO_POINTER(operands[0]))) {
      g_array_append_val(sys->domain, operands[0]);
    }
    if (kind != DAE_KIND_IF) { /* a branch may be dead */
      dae_visit_enter(visit, node);
    }
  }
}

static DaeTerm
prepare_side(IcSystem *sys, DaeTerm side, bool *used_values)
{
  DaeTerm prepared = ic_prepare(sys, side, used_values);
  if (prepared == DAE_NO_TERM || !sys->at_given_values) {
    return prepared;
  }
  DaeTerm value = ic_at_values(sys, prepared);
  *used_values |= value != prepared;
  return value;
}

/* sign(u) = 0 says u = 0. */
static void
take_off_sign(const IcSystem *sys, IcPremise *premise)
{
  DaeTerm zero = dae_term_int(sys->terms, 0);
  DaeTerm side = premise->lhs == zero ? premise->rhs : premise->lhs;
  if ((premise->lhs == zero || premise->rhs == zero) && premise->lhs != premise->rhs &&
      dae_term_kind(sys->terms, side) == DAE_KIND_CALL &&
      dae_term_function(sys->terms, side) == DAE_FN_SIGN) {
    premise->lhs = dae_term_operand(sys->terms, side, 0);
    premise->rhs = zero;
  }
}

static bool
add_premise(void *user, const DaeInitialEquation *equation)
{
  IcSystem *sys = user;
  if (!equation->is_condition && dae_budget_spent(sys->budget)) {
    sys->is_incomplete = true;
    return false;
  }
  IcPremise premise = {.id = {.is_initial = equation->is_condition,
                              .index = equation->index,
                              .order = equation->order},
                       .shown_lhs = equation->lhs,
                       .shown_rhs = equation->rhs};
  premise.lhs = prepare_side(sys, equation->lhs, &premise.used_values);
  premise.rhs = prepare_side(sys, equation->rhs, &premise.used_values);
  if (premise.lhs != DAE_NO_TERM && premise.rhs != DAE_NO_TERM) {
    take_off_sign(sys, &premise);
    premise.residual = dae_term_sub(sys->terms, premise.lhs, premise.rhs);
    collect_domain(sys, premise.residual);
  }
  g_array_append_val(sys->premises, premise);
  return true;
}

IcSystem *
ic_system_new(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitialProblem *problem,
              DaeBudget *budget, bool at_given_values)
{
  g_autoptr(IcSystem) sys = g_new0(IcSystem, 1);
  sys->algebra = algebra;
  sys->terms = dae_algebra_terms(algebra);
  sys->budget = budget;
  sys->long_work = dae_terms_long_work(sys->terms);
  sys->at_given_values = at_given_values;
  sys->sig = sig;
  sys->problem = problem;
  const uint32_t *from = NULL;
  const DaeModel *surplus = dae_sig_surplus(sig, &from);
  sys->model = surplus != NULL ? surplus : dae_sig_model(sig);
  sys->unknowns = g_array_new(FALSE, TRUE, sizeof(IcUnknown));
  sys->discrete = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  sys->premises = g_array_new(FALSE, TRUE, sizeof(IcPremise));
  sys->domain = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->within = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->no_entries = g_array_new(FALSE, FALSE, sizeof(IcEntry));
  sys->no_leaves = g_array_new(FALSE, FALSE, sizeof(IcLeaf));
  sys->no_subs = g_array_new(FALSE, FALSE, sizeof(IcSub));
  sys->rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->stack = g_array_new(FALSE, FALSE, sizeof(IcLeaf));
  sys->with = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->without = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->premise_seen = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  sys->premise_weight = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  sys->spare_columns = g_ptr_array_new_with_free_func(g_free);
  sys->spare_solved = g_ptr_array_new_with_free_func(g_free);
  sys->domain_seen = g_hash_table_new(NULL, NULL);
  sys->index = g_hash_table_new(NULL, NULL);
  sys->has = g_byte_array_new();
  sys->inside = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  sys->tidy = g_hash_table_new(NULL, NULL);
  sys->at_values = g_hash_table_new(NULL, NULL);
  sys->nonzero = g_hash_table_new(NULL, NULL);
  sys->start_time = dae_initial_time(problem);
  sys->at_start = dae_subst_new(sys->terms);
  dae_subst_set(sys->at_start, dae_term_time(sys->terms), sys->start_time);
  ic_set_up_parameters(sys);
  add_unknowns(sys);
  ic_list_discrete(sys);
  (void)dae_initial_visit(problem, add_premise, sys); /* is_incomplete tells what was left */
  ic_list_parts(sys);
  return g_steal_pointer(&sys);
}

void
ic_system_free(IcSystem *sys)
{
  if (sys == NULL) {
    return;
  }
  g_array_unref(sys->unknowns);
  g_array_unref(sys->discrete);
  g_clear_pointer(&sys->parts, g_ptr_array_unref);
  g_array_unref(sys->premises);
  g_clear_pointer(&sys->premises_of, g_ptr_array_unref);
  g_array_unref(sys->domain);
  g_array_unref(sys->within);
  g_array_unref(sys->no_entries);
  g_array_unref(sys->no_leaves);
  g_array_unref(sys->no_subs);
  g_array_unref(sys->rest);
  g_array_unref(sys->stack);
  g_array_unref(sys->with);
  g_array_unref(sys->without);
  g_array_unref(sys->premise_seen);
  g_array_unref(sys->premise_weight);
  g_ptr_array_unref(sys->spare_columns);
  g_ptr_array_unref(sys->spare_solved);
  g_hash_table_unref(sys->domain_seen);
  g_hash_table_unref(sys->index);
  g_byte_array_unref(sys->has);
  g_hash_table_unref(sys->inside);
  g_hash_table_unref(sys->tidy);
  g_hash_table_unref(sys->at_values);
  g_hash_table_unref(sys->nonzero);
  dae_subst_free(sys->values);
  dae_subst_free(sys->dependent);
  dae_subst_free(sys->at_start);
  g_free(sys);
}
