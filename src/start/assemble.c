/* The consistent start. Unknowns are the values of the unknowns of the reduced system
 * at t_start, their derivatives up to the highest order that an initial equation asks
 * for, and the free parameters:
 *
 *     h^(k)(x, ..., x^(k), t) = 0,  0 <= k <= K
 *     d^k/dt^k (E x' - k) = 0,      0 <= k < K
 *     initial equations
 *
 * With [E; h_x] of rank n [HoegerSteinbrecher, eq. 7] the derivatives are determined by x. */
#include "start/start-priv.h"
#include "terms/cusps.h"

static void
add_equation(DaeStartAssembly *assembly, DaeTerm residual, DaeStartSourceKind kind,
             uint32_t index, uint32_t order)
{
  DaeStartSource source = {kind, index, order};
  g_array_append_val(assembly->equations, residual);
  g_array_append_val(assembly->what, source);
}

/* v where a row of the system says der(x) = v; then x^(k) is v^(k-1) and the order is lower. */
static bool
find_velocity(const DaeStartInput *input, DaeTerms *terms, DaeSymbol symbol, DaeTerm *velocity)
{
  for (uint32_t i = 0; i < dae_qlt_n_rows(input->qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(input->qlt, i);
    if (row->n == 1 && dae_qlt_unknown(input->qlt, row->columns[0]) == symbol &&
        dae_term_is_one(terms, row->coefficients[0]) &&
        dae_term_kind(terms, row->rhs) == DAE_KIND_VARIABLE) {
      *velocity = row->rhs;
      return true;
    }
  }
  return false;
}

/* Writes derivatives of order two and more with the help of
 * velocities, as far as they are there. */
static DaeTerm
lower_orders(DaeStartAssembly *assembly, DaeTerm t)
{
  DaeTerms *terms = assembly->terms;
  for (bool changed = dae_term_has_derivatives(terms, t); changed;) {
    changed = false;
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(terms, t, atoms);
    g_autoptr(DaeSubst) subst = dae_subst_new(terms);
    for (guint i = 0; i < atoms->len; i++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, i);
      DaeTerm velocity = DAE_NO_TERM;
      uint32_t order = dae_term_order(terms, atom);
      if (order >= 2 &&
          find_velocity(assembly->input, terms, dae_term_get_symbol(terms, atom), &velocity)) {
        dae_subst_set(
            subst, atom,
            dae_term_variable(terms, dae_term_get_symbol(terms, velocity), order - 1));
        changed = true;
      }
    }
    if (changed) {
      t = dae_subst_apply(subst, t);
    }
  }
  return t;
}

static void
note_order(DaeStartAssembly *assembly, DaeTerm t)
{
  if (!dae_term_has_derivatives(assembly->terms, t)) {
    return;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(assembly->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    uint32_t order = dae_term_order(assembly->terms, g_array_index(atoms, DaeTerm, i));
    assembly->max_order = MAX(assembly->max_order, order);
  }
}

/* Initial equations, and the start values chosen for what is missing. Those proved redundant
 * stay: they hold with the others, so nothing can contradict them, and the more equations there
 * are the farther the guesses can be improved one by one (peel.c). */
static void
add_initial_equations(DaeStartAssembly *assembly, const DaeInit *init)
{
  const DaeInitialProblem *initial = assembly->input->initial;
  for (uint32_t i = 0; i < dae_initial_n_conditions(initial); i++) {
    const DaeInitialEquation condition = dae_initial_condition(initial, i);
    DaeTerm residual = dae_term_sub(assembly->terms, condition.lhs, condition.rhs);
    residual = lower_orders(assembly, residual);
    note_order(assembly, residual);
    add_equation(assembly, residual, DAE_START_FROM_INITIAL, i, 0);
  }
  uint32_t n_chosen = init != NULL ? dae_init_n_suggested(init) : assembly->input->n_chosen;
  for (uint32_t i = 0; i < n_chosen; i++) {
    DaeTerm atom = init != NULL ? dae_init_suggested(init, i) : assembly->input->chosen[i];
    const DaeStartWish *wish = dae_start_find_wish(assembly->input, atom);
    DaeTerm start = wish != NULL ? wish->value : dae_start_attribute(assembly->input, atom);
    DaeTerm residual = wish != NULL ? wish->term : atom;
    if (start != DAE_NO_TERM) {
      residual = dae_term_sub(assembly->terms, residual, start);
    }
    residual = lower_orders(assembly, residual);
    note_order(assembly, residual);
    add_equation(assembly, residual, DAE_START_FROM_CHOICE, i, 0);
  }
}

/* Are all variables of t unknowns of the system? */
static bool
is_of_unknowns(const DaeStartAssembly *assembly, DaeTerm t)
{
  const DaeQlt *qlt = assembly->input->qlt;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) unknowns = g_hash_table_new(NULL, NULL);
  for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
    g_hash_table_add(unknowns, GUINT_TO_POINTER(dae_term_variable(assembly->terms,
                                                                  dae_qlt_unknown(qlt, j), 0)));
  }
  dae_term_collect_variables(assembly->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    if (!g_hash_table_contains(unknowns, GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, i)))) {
      return false;
    }
  }
  return true;
}

/* What was left out because it vanished at points: on another branch of the other constraints
 * it need not (c^2 + s^2 = 1 and s given: c has two signs), so the start has to meet it. */
static void
add_dropped(DaeStartAssembly *assembly)
{
  const DaeQlt *qlt = assembly->input->qlt;
  for (uint32_t i = 0; i < dae_qlt_n_dropped(qlt); i++) {
    const DaeQltDropped *dropped = dae_qlt_dropped(qlt, i);
    if (dropped->is_numeric && is_of_unknowns(assembly, dropped->expression)) {
      add_equation(assembly, dropped->expression, DAE_START_FROM_DROPPED, i, 0);
    }
  }
}

static void
add_system(DaeStartAssembly *assembly)
{
  const DaeQlt *qlt = assembly->input->qlt;
  DaeTerms *terms = assembly->terms;
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    DaeTerm h = constraint->expression;
    for (uint32_t k = 0; !constraint->is_invariant && k <= assembly->max_order; k++) {
      add_equation(assembly, h, DAE_START_FROM_CONSTRAINT, i, k);
      h = k < assembly->max_order ? dae_term_total(terms, h) : h;
    }
  }
  add_dropped(assembly);
  for (uint32_t i = 0; assembly->max_order > 0 && i < dae_qlt_n_rows(qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(qlt, i);
    DaeTerm f = dae_term_neg(terms, row->rhs);
    for (uint32_t e = 0; e < row->n; e++) {
      DaeTerm slope = dae_term_variable(terms, dae_qlt_unknown(qlt, row->columns[e]), 1);
      f = dae_term_add(terms, f, dae_term_mul(terms, row->coefficients[e], slope));
    }
    for (uint32_t k = 0; k < assembly->max_order; k++) {
      add_equation(assembly, f, DAE_START_FROM_ROW, i, k);
      f = k + 1 < assembly->max_order ? dae_term_total(terms, f) : f;
    }
  }
}

static void
add_unknowns(DaeStartAssembly *assembly)
{
  const DaeQlt *qlt = assembly->input->qlt;
  const DaeInitialProblem *initial = assembly->input->initial;
  for (uint32_t k = 0; k <= assembly->max_order; k++) {
    for (uint32_t j = 0; j < dae_qlt_n_unknowns(qlt); j++) {
      DaeTerm atom = dae_term_variable(assembly->terms, dae_qlt_unknown(qlt, j), k);
      g_array_append_val(assembly->unknowns, atom);
    }
  }
  for (uint32_t i = 0; i < dae_initial_n_unknowns(initial); i++) {
    const DaeInitialUnknown *unknown = dae_initial_unknown(initial, i);
    if (unknown->variable == DAE_INITIAL_NONE) { /* a free parameter */
      g_array_append_val(assembly->unknowns, unknown->atom);
    }
  }
}

/* homotopy(actual, simplified) becomes simplified + lambda (actual - simplified)
 * [Modelica, 3.7.4]. */
static DaeTerm
replace_homotopy(DaeStartAssembly *assembly, DaeTerm t)
{
  DaeTerms *terms = assembly->terms;
  for (;;) {
    DaeTerm call = dae_homotopy_find(terms, t);
    if (call == DAE_NO_TERM) {
      return t;
    }
    if (assembly->lambda == DAE_NO_TERM) {
      DaeSymbol symbol;
      if (!dae_terms_find_symbol(terms, "$homotopy", &symbol)) {
        symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "$homotopy");
      }
      assembly->lambda = dae_term_parameter(terms, symbol);
    }
    DaeTerm actual = dae_term_operand(terms, call, 0);
    DaeTerm simple = dae_term_operand(terms, call, 1);
    DaeTerm path = dae_term_add(
        terms, simple,
        dae_term_mul(terms, assembly->lambda, dae_term_sub(terms, actual, simple)));
    t = dae_term_replace(terms, t, call, path);
  }
}

static void
put_in_numbers(DaeStartAssembly *assembly)
{
  DaeTerms *terms = assembly->terms;
  DaeTerm start = dae_term_from_double(terms, assembly->input->t_start);
  DaeTerm undefined = dae_term_undefined(terms);
  for (guint i = 0; i < assembly->equations->len; i++) {
    DaeTerm *equation = &g_array_index(assembly->equations, DaeTerm, i);
    DaeTerm t = dae_subst_apply(assembly->input->values, *equation);
    t = t == DAE_NO_TERM || !dae_term_has_time(terms, t)
            ? t
            : dae_term_replace(terms, t, dae_term_time(terms), start);
    t = t == DAE_NO_TERM ? undefined : t; /* 1/time at 0: there is no start */
    t = dae_cusps_branch_all(terms, replace_homotopy(assembly, t));
    *equation = dae_term_balance(terms, t);
  }
}

DaeStartAssembly *
dae_start_assemble(const DaeStartInput *input, const DaeInit *init)
{
  DaeStartAssembly *assembly = g_new0(DaeStartAssembly, 1);
  assembly->input = input;
  assembly->terms = input->terms;
  assembly->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  assembly->equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  assembly->what = g_array_new(FALSE, FALSE, sizeof(DaeStartSource));
  add_initial_equations(assembly, init);
  add_system(assembly);
  add_unknowns(assembly);
  put_in_numbers(assembly);
  return assembly;
}

void
dae_start_assembly_free(DaeStartAssembly *assembly)
{
  if (assembly != NULL) {
    g_array_free(assembly->unknowns, TRUE);
    g_array_free(assembly->equations, TRUE);
    g_array_free(assembly->what, TRUE);
    g_free(assembly->known);
    g_free(assembly);
  }
}

/* "initial equation 2 (line 14): x = 1", for messages. (transfer full) */
char *
dae_start_describe(const DaeStartAssembly *assembly, uint32_t row)
{
  const DaeStartSource *source = &g_array_index(assembly->what, DaeStartSource, row);
  const DaeStartInput *input = assembly->input;
  if (source->kind == DAE_START_FROM_INITIAL) {
    uint32_t number = 0;
    const DaeEquation *equation = dae_initial_written(input->initial, source->index, &number);
    g_autoptr(GString) text = g_string_new(NULL);
    dae_model_print_equation(assembly->terms, equation, text);
    g_autofree char *place = dae_span_text(equation->span);
    return g_strdup_printf("initial equation %u (%s): %s", number, place, text->str);
  }
  if (source->kind == DAE_START_FROM_CHOICE) {
    return g_strdup("a start value chosen for lack of an initial equation");
  }
  uint32_t n_rows = dae_qlt_n_rows(input->qlt);
  return dae_qlt_describe_row(input->qlt, assembly->terms,
                              source->kind == DAE_START_FROM_ROW ? source->index
                                                                 : n_rows + source->index);
}
