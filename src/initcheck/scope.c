/* For which parameter values? What was found with parameters as symbols holds for all of
 * them only where a real solution exists for all of them: functions stay in their domains
 * (squares, signs, discriminants, ranges: algebra/definite.c), and unknowns without a
 * formula have an equation that is solvable whatever the parameters are. What was divided by
 * is named. */
#include "initcheck/initcheck-priv.h"

enum { MOST_SIZE = 200 };

typedef struct {
  IcEngine *engine;
  DaeVisit *visit;      /* of terms whose functions are looked at */
  GHashTable *divisors; /* terms that were divided by */
  GHashTable *named;    /* assumptions */
  GArray *assumptions;  /* DaeTerm */
  bool implicit_varies; /* unknowns without a formula depend on the parameters */
} Scope;

/* Does the term contain a parameter that could have another value? */
static bool
varies_with_parameters(const IcSystem *sys, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(sys->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    DaeSymbol symbol = dae_term_get_symbol(sys->terms, g_array_index(atoms, DaeTerm, i));
    uint32_t k = 0;
    if (dae_model_find_parameter(sys->model, symbol, &k) &&
        !dae_model_parameter(sys->model, k)->is_constant &&
        !dae_model_parameter(sys->model, k)->is_free) {
      return true;
    }
  }
  return false;
}

/* ---- assumptions ------------------------------------------------------------------------- */

/* The factors of a divisor that some parameter values could make 0; those that are new are
 * named. */
static void
add_assumptions(Scope *scope, DaeTerm divisor)
{
  IcSystem *sys = scope->engine->sys;
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_size(sys->terms, divisor) > MOST_SIZE ||
      !dae_algebra_factor(sys->algebra, divisor, factors)) {
    g_array_set_size(factors, 0);
    g_array_append_val(factors, divisor);
  }
  for (guint k = 0; k < factors->len; k++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, k);
    bool strict = false;
    if (varies_with_parameters(sys, factor) &&
        !(dae_algebra_definite(sys->algebra, factor, &strict) != 0 && strict) &&
        g_hash_table_add(scope->named, GUINT_TO_POINTER(factor))) {
      g_array_append_val(scope->assumptions, factor);
    }
  }
}

/* Everything in the parameters that was divided by. */
static void
list_divisors(Scope *scope)
{
  const IcEngine *engine = scope->engine;
  const IcSystem *sys = engine->sys;
  for (guint l = 0; l < engine->lines->len; l++) {
    const IcLine *line = ic_engine_line(engine, l);
    if (line->z != IC_NONE && line->pivot != DAE_NO_TERM && engine->solved_by[line->z] == l &&
        !dae_term_is_number(sys->terms, line->pivot) &&
        g_hash_table_add(scope->divisors, GUINT_TO_POINTER(line->pivot))) {
      add_assumptions(scope, line->pivot);
    }
  }
  for (guint i = 0; i < engine->divided->len; i++) {
    DaeTerm divisor = g_array_index(engine->divided, DaeTerm, i);
    if (g_hash_table_add(scope->divisors, GUINT_TO_POINTER(divisor))) {
      add_assumptions(scope, divisor);
    }
  }
}

/* ---- domains of functions ---------------------------------------------------------------- */

/* The argument is >= 0 (> 0) for all parameters; open where free unknowns are inside: they
 * can be chosen. */
static bool
stays_above_zero(Scope *scope, DaeTerm argument, bool strictly)
{
  IcSystem *sys = scope->engine->sys;
  bool strict = false;
  /* whatever the unknowns are: x^2 */
  if (dae_algebra_definite(sys->algebra, argument, &strict) == 1 && (strict || !strictly)) {
    return true;
  }
  DaeTerm reduced = ic_engine_reduce(scope->engine, argument, NULL);
  if (reduced == DAE_NO_TERM || !varies_with_parameters(sys, reduced)) {
    return reduced != DAE_NO_TERM && !(scope->implicit_varies && ic_has_unknown(sys, reduced));
  }
  return dae_algebra_definite(sys->algebra, reduced, &strict) == 1 && (strict || !strictly);
}

static bool
divides_well(Scope *scope, DaeTerm divisor)
{
  IcSystem *sys = scope->engine->sys;
  DaeTerm reduced = ic_engine_reduce(scope->engine, divisor, NULL);
  if (reduced == DAE_NO_TERM) {
    return false;
  }
  if (varies_with_parameters(sys, reduced) && !ic_has_unknown(sys, reduced)) {
    add_assumptions(scope, reduced);
  }
  return true;
}

/* Is the node defined for all parameters? */
static bool
is_defined_for_all(Scope *scope, DaeTerm node)
{
  DaeTerms *terms = scope->engine->sys->terms;
  DaeKind kind = dae_term_kind(terms, node);
  DaeTerm argument = dae_term_operand(terms, node, 0);
  DaeTerm one = dae_term_int(terms, 1);
  if (kind == DAE_KIND_POWER) {
    DaeTerm exponent = dae_term_operand(terms, node, 1);
    int64_t n = 0;
    bool is_whole = dae_term_get_int64(terms, exponent, &n);
    bool is_negative =
        dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) < 0;
    if (is_whole) {
      return n >= 0 || divides_well(scope, argument);
    }
    return stays_above_zero(scope, argument,
                            is_negative || !dae_term_is_number(terms, exponent));
  }
  uint8_t domain = dae_function_facts(dae_term_function(terms, node))->domain;
  if (domain == DAE_DOMAIN_POSITIVE) {
    return stays_above_zero(scope, argument, true);
  }
  if (domain == DAE_DOMAIN_UNIT) {
    return stays_above_zero(
        scope, dae_term_sub(terms, one, dae_term_mul(terms, argument, argument)), false);
  }
  return domain != DAE_DOMAIN_POLES ||
         divides_well(scope, dae_term_call1(terms, DAE_FN_COS, argument));
}

static bool
has_a_domain(DaeTerms *terms, DaeTerm node)
{
  DaeKind kind = dae_term_kind(terms, node);
  if (kind == DAE_KIND_POWER) {
    int64_t n = 0;
    return !dae_term_get_int64(terms, dae_term_operand(terms, node, 1), &n) || n < 0;
  }
  if (kind != DAE_KIND_CALL) {
    return false;
  }
  uint8_t domain = dae_function_facts(dae_term_function(terms, node))->domain;
  return domain == DAE_DOMAIN_POSITIVE || domain == DAE_DOMAIN_UNIT ||
         domain == DAE_DOMAIN_POLES;
}

static bool
functions_stay_defined(Scope *scope, DaeTerm t)
{
  DaeTerms *terms = scope->engine->sys->terms;
  DaeVisit *visit = scope->visit;
  dae_visit_add(visit, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    dae_visit_enter(visit, node);
    if (has_a_domain(terms, node) &&
        !dae_term_is_number(terms, dae_term_operand(terms, node, 0)) &&
        !is_defined_for_all(scope, node)) {
      return false;
    }
  }
  return true;
}

/* ---- unknowns without a formula ----------------------------------------------------------- */

static bool
shares_unknown(IcSystem *sys, DaeTerm a, DaeTerm b)
{
  const GArray *x = ic_unknowns_inside(sys, a);
  const GArray *y = ic_unknowns_inside(sys, b);
  for (guint i = 0; i < x->len; i++) {
    for (guint k = 0; k < y->len; k++) {
      if (g_array_index(x, uint32_t, i) == g_array_index(y, uint32_t, k)) {
        return true;
      }
    }
  }
  return false;
}

/* Rows whose unknowns no parameter reaches have the same solution for all of them. */
static void
leave_out_constant_rows(Scope *scope, GArray *rows)
{
  IcSystem *sys = scope->engine->sys;
  g_autofree bool *is_reached = g_new0(bool, rows->len + 1);
  for (guint r = 0; r < rows->len; r++) {
    is_reached[r] = varies_with_parameters(sys, g_array_index(rows, DaeTerm, r));
  }
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (guint r = 0; r < rows->len; r++) {
      for (guint k = 0; k < rows->len && !is_reached[r]; k++) {
        is_reached[r] = is_reached[k] && shares_unknown(sys, g_array_index(rows, DaeTerm, r),
                                                        g_array_index(rows, DaeTerm, k));
        is_growing |= is_reached[r];
      }
    }
  }
  guint n = 0;
  for (guint r = 0; r < rows->len; r++) {
    DaeTerm t = g_array_index(rows, DaeTerm, r);
    g_array_index(rows, DaeTerm, n) = t;
    n += is_reached[r];
  }
  g_array_set_size(rows, n);
}

/* They exist at the given parameter values, near the start values: a rod of a linkage may be
 * too long with others. */
static bool
existence_varies(Scope *scope)
{
  IcEngine *engine = scope->engine;
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state != IC_ROW_IMPLICIT) {
      continue;
    }
    DaeTerm t = ic_engine_reduce(engine, ic_form_term(engine->sys, &row->form), NULL);
    scope->implicit_varies |= t == DAE_NO_TERM || varies_with_parameters(engine->sys, t);
    if (t == DAE_NO_TERM) {
      return true;
    }
    g_array_append_val(rows, t);
  }
  if (scope->implicit_varies) {
    leave_out_constant_rows(scope, rows);
  }
  return scope->implicit_varies && !ic_exist_for_all(engine->sys, rows);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool
has_parameters_to_vary(const IcSystem *sys)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(sys->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(sys->model, k);
    if (!parameter->is_constant && !parameter->is_free) {
      return true;
    }
  }
  return false;
}

/* A value that decided sizes or branches when the model was read. */
static bool
rests_on_structural_values(const IcSystem *sys)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(sys->model); k++) {
    if (dae_model_parameter(sys->model, k)->is_structural) {
      return true;
    }
  }
  return false;
}

bool
ic_holds_for_all(IcEngine *engine, GArray *assumptions)
{
  IcSystem *sys = engine->sys;
  if (!has_parameters_to_vary(sys)) {
    return true;
  }
  Scope scope = {.engine = engine,
                 .visit = dae_visit_new(sys->terms, DAE_NO_TERM),
                 .divisors = g_hash_table_new(NULL, NULL),
                 .named = g_hash_table_new(NULL, NULL),
                 .assumptions = assumptions};
  bool holds = !rests_on_structural_values(sys) && !existence_varies(&scope);
  for (guint p = 0; p < sys->premises->len && holds; p++) {
    DaeTerm residual = g_array_index(sys->premises, IcPremise, p).residual;
    holds = residual == DAE_NO_TERM || functions_stay_defined(&scope, residual);
  }
  if (holds) {
    list_divisors(&scope);
  } else {
    g_array_set_size(assumptions, 0);
  }
  dae_visit_free(scope.visit);
  g_hash_table_unref(scope.divisors);
  g_hash_table_unref(scope.named);
  return holds;
}
