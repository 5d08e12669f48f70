/* The initial problem: unknowns x_j^(k), 0 <= k <= d_j, and free parameters; premises: the
 * reduced derivative array f_i^(k), 0 <= k <= c_i, then the initial equations and fixed starts.
 * No dummy derivatives are needed: the count of wanted initial conditions is sum d - sum c plus
 * the free parameters (docs: design notes, "Initialization").
 *
 * An initial equation may speak of x_j^(k) with k > d_j (der() of an algebraic variable). Then
 * the array is extended just as far: x_j by e orders, its matched equation by e orders, and so
 * on for what that equation contains. Each extension adds as many unknowns as equations. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

static void
add_unknown(IcSystem *sys, DaeTerm atom, uint32_t variable, uint32_t order, DaeTerm start)
{
  IcUnknown unknown = {.atom = atom, .variable = variable, .order = order, .start = start};
  g_array_append_val(sys->unknowns, unknown);
  g_hash_table_insert(sys->index, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(sys->unknowns->len));
}

/* Highest derivative order of each variable that the model itself
 * contains; -1 where it does not occur. */
static int32_t *
highest_orders_in_model(const DaeSig *sig)
{
  uint32_t n = dae_sig_n_columns(sig);
  int32_t *highest = g_new0(int32_t, n + 1);
  for (uint32_t j = 0; j < n; j++) {
    highest[j] = -1;
  }
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  for (size_t e = 0; e < n_entries; e++) {
    highest[entries[e].column] = MAX(highest[entries[e].column], entries[e].sigma);
  }
  return highest;
}

static int64_t
count_potential_states(const DaeSig *sig)
{
  const DaeSig *written = dae_sig_original(sig) != NULL ? dae_sig_original(sig) : sig;
  g_autofree int32_t *highest = highest_orders_in_model(written);
  int64_t count = 0;
  for (uint32_t j = 0; j < dae_sig_n_columns(written); j++) {
    count += MAX(highest[j], 0);
  }
  return count;
}

/* How far x_j and f_i go beyond d_j and c_i because of the initial equations. */
typedef struct {
  int32_t *variable;
  int32_t *equation;
} Extension;

static void
extend_variable(Extension *ext, GArray *work, uint32_t j, int32_t by)
{
  if (by > ext->variable[j]) {
    ext->variable[j] = by;
    g_array_append_val(work, j);
  }
}

static void
demands_of_initial_equations(IcSystem *sys, Extension *ext, GArray *work, const int32_t *d)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < sys->n_initial; i++) {
    const DaeEquation *equation = dae_model_initial_equation(sys->model, i);
    g_array_set_size(atoms, 0);
    dae_term_collect_variables(sys->terms, equation->lhs, atoms);
    dae_term_collect_variables(sys->terms, equation->rhs, atoms);
    for (guint a = 0; a < atoms->len; a++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, a);
      uint32_t j = 0;
      if (dae_model_find_variable(sys->model, dae_term_get_symbol(sys->terms, atom), &j)) {
        extend_variable(ext, work, j, (int32_t)dae_term_order(sys->terms, atom) - d[j]);
      }
    }
  }
}

/* Closes the extension under "the matched equation is needed, and all it contains". Ends
 * because no extension exceeds the largest demand: sigma_il + c_i <= d_l. */
static void
close_extension(const IcSystem *sys, Extension *ext, GArray *work)
{
  const DaeSig *sig = sys->sig;
  const int32_t *c = sys->c;
  const int32_t *d = sys->d;
  const uint32_t *column_of = dae_sig_transversal(sig);
  uint32_t n = dae_sig_n_rows(sig);
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  if (work->len == 0 || column_of == NULL) {
    return;
  }
  g_autofree uint32_t *row_of = g_new(uint32_t, dae_sig_n_columns(sig) + 1);
  g_autofree size_t *row_start = g_new0(size_t, n + 2);
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    row_of[j] = UINT32_MAX; /* with more unknowns than equations some have none */
  }
  for (uint32_t i = 0; i < n; i++) {
    if (column_of[i] < dae_sig_n_columns(sig)) { /* with more equations some have no unknown */
      row_of[column_of[i]] = i;
    }
  }
  for (size_t e = 0; e < n_entries; e++) {
    row_start[entries[e].row + 1]++;
  }
  for (uint32_t i = 0; i < n; i++) {
    row_start[i + 1] += row_start[i];
  }
  while (work->len > 0) {
    uint32_t j = g_array_index(work, uint32_t, work->len - 1);
    g_array_set_size(work, work->len - 1);
    uint32_t i = row_of[j];
    if (i == UINT32_MAX) {
      continue;
    }
    ext->equation[i] = MAX(ext->equation[i], ext->variable[j]);
    for (size_t e = row_start[i]; e < row_start[i + 1]; e++) {
      uint32_t l = entries[e].column;
      extend_variable(ext, work, l, entries[e].sigma + c[i] + ext->equation[i] - d[l]);
    }
  }
}

static void
add_unknowns(IcSystem *sys, const Extension *ext)
{
  const int32_t *d = sys->d;
  g_autofree int32_t *highest = highest_orders_in_model(sys->sig);
  for (uint32_t j = 0; j < dae_model_n_variables(sys->model); j++) {
    const DaeVariable *variable = dae_model_variable(sys->model, j);
    for (int32_t k = 0; k <= d[j] + ext->variable[j]; k++) {
      DaeTerm start = k == 0 ? variable->start : DAE_NO_TERM;
      add_unknown(sys, dae_term_variable(sys->terms, variable->symbol, (uint32_t)k), j,
                  (uint32_t)k, start);
      g_array_index(sys->unknowns, IcUnknown, sys->unknowns->len - 1).is_potential_state =
          k < highest[j];
    }
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(sys->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(sys->model, k);
    if (parameter->is_free) {
      add_unknown(sys, dae_term_parameter(sys->terms, parameter->symbol), IC_NONE, 0,
                  parameter->start);
      sys->n_free_parameters++;
    }
  }
}

/* Denominators and arguments of logarithms cannot vanish where the model is defined. */
static void
collect_domain(IcSystem *sys, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm node = g_array_index(stack, DaeTerm, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    if (!g_hash_table_add(seen, GUINT_TO_POINTER(node)) || !ic_has_unknown(sys, node)) {
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
      g_array_append_vals(stack, operands, n);
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

static void
add_premise(IcSystem *sys, DaeInitPremise id, DaeTerm lhs, DaeTerm rhs)
{
  IcPremise premise = {.id = id, .shown_lhs = lhs, .shown_rhs = rhs};
  premise.lhs = prepare_side(sys, lhs, &premise.used_values);
  premise.rhs = prepare_side(sys, rhs, &premise.used_values);
  if (premise.lhs != DAE_NO_TERM && premise.rhs != DAE_NO_TERM) {
    take_off_sign(sys, &premise);
    premise.residual = dae_term_sub(sys->terms, premise.lhs, premise.rhs);
    collect_domain(sys, premise.residual);
  }
  g_array_append_val(sys->premises, premise);
}

static void
add_premises(IcSystem *sys, const Extension *ext)
{
  const int32_t *c = sys->c;
  for (uint32_t i = 0; i < dae_model_n_equations(sys->model); i++) {
    const DaeEquation *equation = dae_model_equation(sys->model, i);
    DaeTerm lhs = equation->lhs;
    DaeTerm rhs = equation->rhs;
    for (int32_t k = 0; k <= c[i] + ext->equation[i]; k++) {
      if (dae_budget_spent(sys->budget)) {
        sys->is_incomplete = true;
        return;
      }
      add_premise(sys, (DaeInitPremise){.is_initial = false, .index = i, .order = k}, lhs, rhs);
      if (k < c[i] + ext->equation[i]) {
        lhs = dae_term_total(sys->terms, lhs);
        rhs = dae_term_total(sys->terms, rhs);
      }
    }
  }
  for (uint32_t i = 0; i < sys->n_initial; i++) {
    const DaeEquation *equation = dae_model_initial_equation(sys->model, i);
    add_premise(sys, (DaeInitPremise){.is_initial = true, .index = i, .order = 0},
                equation->lhs, equation->rhs);
  }
}

/* As often as each equation can be differentiated without meeting derivatives above the given
 * orders. On a transversal that is c [Pryce01]; an equation outside of it has something to say
 * about the others' derivatives as well. */
static int32_t *
derivatives_within(const DaeSig *sig, const int32_t *orders)
{
  uint32_t n_rows = dae_sig_n_rows(sig);
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  int32_t *c = g_new0(int32_t, n_rows + 1);
  for (uint32_t i = 0; i < n_rows; i++) {
    c[i] = -1;
  }
  for (size_t e = 0; e < n_entries; e++) {
    int32_t room = orders[entries[e].column] - entries[e].sigma;
    int32_t *least = &c[entries[e].row];
    *least = *least < 0 ? room : MIN(*least, room);
  }
  for (uint32_t i = 0; i < n_rows; i++) {
    c[i] = MAX(c[i], 0); /* an equation without unknowns */
  }
  return c;
}

/* The offsets of the analysis; a structurally singular model has none, there the orders of the
 * model take the place of d: y = 2*x beside der(x) and der(y) also says der(y) = 2*der(x). */
static void
set_offsets(IcSystem *sys)
{
  uint32_t n_rows = dae_sig_n_rows(sys->sig);
  uint32_t n_columns = dae_sig_n_columns(sys->sig);
  if (dae_sig_c(sys->sig) != NULL && dae_sig_d(sys->sig) != NULL &&
      dae_sig_transversal(sys->sig) != NULL) {
    sys->d = g_memdup2(dae_sig_d(sys->sig), sizeof(int32_t) * n_columns);
    sys->c = derivatives_within(sys->sig, sys->d);
    sys->dof = dae_sig_dof(sys->sig);
    return;
  }
  sys->d = highest_orders_in_model(sys->sig);
  sys->c = derivatives_within(sys->sig, sys->d);
  sys->dof = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    sys->dof -= sys->c[i] + 1;
  }
  for (uint32_t j = 0; j < n_columns; j++) {
    sys->d[j] = MAX(sys->d[j], 0);
    sys->dof += sys->d[j] + 1;
  }
}

static void
set_start_time(IcSystem *sys, const double *chosen)
{
  double start = chosen != NULL ? *chosen : dae_model_experiment(sys->model)->start;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  sys->start_time = dae_term_int(sys->terms, 0);
  if (isfinite(start) && start != 0.0) {
    /* the shortest decimal that reads back is what was written: 0.1 is 1/10 again */
    for (int digits = 1; digits <= 17; digits++) {
      char format[8];
      g_snprintf(format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd(text, sizeof text, format, fabs(start));
      if (g_ascii_strtod(text, NULL) == fabs(start)) {
        break;
      }
    }
    DaeTerm value = dae_term_decimal(sys->terms, text, strlen(text));
    sys->start_time = start < 0.0 ? dae_term_neg(sys->terms, value) : value;
  }
}

IcSystem *
ic_system_new(DaeAlgebra *algebra, const DaeSig *sig, DaeBudget *budget, bool at_given_values,
              const double *start)
{
  g_autoptr(IcSystem) sys = g_new0(IcSystem, 1);
  sys->algebra = algebra;
  sys->terms = dae_algebra_terms(algebra);
  sys->budget = budget;
  sys->at_given_values = at_given_values;
  sys->sig = sig;
  sys->model = dae_sig_model(sig);
  sys->unknowns = g_array_new(FALSE, TRUE, sizeof(IcUnknown));
  sys->discrete = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  sys->premises = g_array_new(FALSE, TRUE, sizeof(IcPremise));
  sys->domain = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sys->spare_columns = g_ptr_array_new_with_free_func(g_free);
  sys->spare_solved = g_ptr_array_new_with_free_func(g_free);
  sys->domain_seen = g_hash_table_new(NULL, NULL);
  sys->index = g_hash_table_new(NULL, NULL);
  sys->has = g_byte_array_new();
  sys->inside = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  sys->tidy = g_hash_table_new(NULL, NULL);
  sys->at_values = g_hash_table_new(NULL, NULL);
  sys->nonzero = g_hash_table_new(NULL, NULL);
  sys->n_initial = dae_model_n_initial_equations(sys->model);
  sys->potential_states = count_potential_states(sig);
  set_offsets(sys);
  set_start_time(sys, start);
  sys->at_start = dae_subst_new(sys->terms);
  dae_subst_set(sys->at_start, dae_term_time(sys->terms), sys->start_time);
  ic_set_up_parameters(sys);

  g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree int32_t *by_variable = g_new0(int32_t, dae_sig_n_columns(sig) + 1);
  g_autofree int32_t *by_equation = g_new0(int32_t, dae_sig_n_rows(sig) + 1);
  Extension ext = {by_variable, by_equation};
  demands_of_initial_equations(sys, &ext, work, sys->d);
  close_extension(sys, &ext, work);
  add_unknowns(sys, &ext);
  ic_list_discrete(sys);
  add_premises(sys, &ext);
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
  g_array_unref(sys->premises);
  g_clear_pointer(&sys->premises_of, g_ptr_array_unref);
  g_array_unref(sys->domain);
  g_ptr_array_unref(sys->spare_columns);
  g_ptr_array_unref(sys->spare_solved);
  g_hash_table_unref(sys->domain_seen);
  g_hash_table_unref(sys->index);
  g_byte_array_unref(sys->has);
  g_hash_table_unref(sys->inside);
  g_hash_table_unref(sys->tidy);
  g_hash_table_unref(sys->at_values);
  g_hash_table_unref(sys->nonzero);
  g_free(sys->c);
  g_free(sys->d);
  dae_subst_free(sys->values);
  dae_subst_free(sys->dependent);
  dae_subst_free(sys->at_start);
  g_free(sys);
}
