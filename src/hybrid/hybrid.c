#include "hybrid/clocks-priv.h"

#include <stdarg.h>

void
dae_hybrid_set_error(const DaeHybrid *hybrid, DaeSpan span, GError **error, const char *format,
                     ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL, "%s:%u:%u: error: %s",
              dae_model_file_of(hybrid->model, span), span.line, span.column, text);
}

/* ---- atoms ----------------------------------------------------------------------------------- */

static DaeTerm
named_atom(DaeTerms *terms, const char *name, bool is_condition)
{
  DaeSymbol symbol = 0;
  if (!dae_terms_find_symbol(terms, name, &symbol)) {
    symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
  }
  if (is_condition) {
    dae_terms_set_condition(terms, symbol);
  }
  return dae_term_parameter(terms, symbol);
}

DaeTerm
dae_hybrid_pre_of(DaeHybrid *hybrid, uint32_t k)
{
  DaeDiscrete *discrete = &g_array_index(hybrid->discrete, DaeDiscrete, k);
  if (discrete->pre == DAE_NO_TERM) {
    DaeSymbol symbol = dae_term_get_symbol(hybrid->terms, discrete->now);
    g_autofree char *name =
        g_strdup_printf("pre(%s)", dae_terms_symbol_name(hybrid->terms, symbol));
    discrete->pre = named_atom(hybrid->terms, name, discrete->type == DAE_TYPE_BOOLEAN);
  }
  return discrete->pre;
}

uint32_t
dae_hybrid_add_hidden(DaeHybrid *hybrid, const char *name, DaeTerm value, DaeSpan span)
{
  DaeTerms *terms = hybrid->terms;
  DaeSymbol symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name);
  dae_terms_set_condition(terms, symbol);
  DaeDiscrete hidden = {.variable = DAE_HYBRID_NONE,
                        .now = dae_term_parameter(terms, symbol),
                        .type = DAE_TYPE_BOOLEAN,
                        .value = value,
                        .span = span};
  g_array_append_val(hybrid->discrete, hidden);
  return hybrid->discrete->len - 1;
}

static void
add_variable(DaeHybrid *hybrid, uint32_t j)
{
  DaeTerms *terms = hybrid->terms;
  const DaeVariable *variable = dae_model_variable(hybrid->model, j);
  DaeSymbol twin = dae_terms_add_unlisted_symbol(
      terms, DAE_SYMBOL_PARAMETER, dae_terms_symbol_name(terms, variable->symbol));
  DaeDiscrete discrete = {.variable = j,
                          .now = dae_term_parameter(terms, twin),
                          .type = variable->type,
                          .start = variable->start,
                          .span = variable->span};
  dae_terms_set_variability(terms, twin, DAE_VARIABILITY_DISCRETE);
  if (variable->type == DAE_TYPE_BOOLEAN) {
    dae_terms_set_condition(terms, twin);
  }
  g_array_append_val(hybrid->discrete, discrete);
  g_array_index(hybrid->discrete_of_variable, uint32_t, j) = hybrid->discrete->len;
  dae_subst_set(hybrid->twins, dae_term_variable(terms, variable->symbol, 0), discrete.now);
}

/* An end of spatialDistribution(...): the delayed time is the way, x or x - 1. */
static void
take_transport(DaeHybrid *hybrid, const DaeEventAtom *atom, DaeDelay *delay)
{
  DaeTerms *terms = hybrid->terms;
  DaeTerm way = atom->interval;
  delay->is_transport = true;
  delay->is_right = atom->is_right;
  delay->n_points = atom->n_points;
  delay->points = dae_model_profile(hybrid->model, atom);
  delay->values = delay->points + atom->n_points;
  uint32_t last = atom->is_right ? atom->n_points - 1 : 1;
  delay->start = delay->values[atom->is_right ? last : 0];
  DaeTerm width = dae_term_sub(terms, delay->points[last - 1], delay->points[last]);
  if (!dae_term_is_zero(terms, width)) {
    delay->slope = dae_term_div(
        terms, dae_term_sub(terms, delay->values[last], delay->values[last - 1]), width);
  }
  if (atom->is_right) {
    way = dae_term_sub(terms, way, dae_term_int(terms, 1));
  }
  delay->length = dae_term_sub(terms, dae_term_time(terms), way);
  delay->most = dae_term_int(terms, 1);
  for (guint i = 0; i < hybrid->delays->len; i++) {
    DaeDelay *one = &g_array_index(hybrid->delays, DaeDelay, i);
    if (one->points == delay->points) {
      delay->other = i;
      one->other = hybrid->delays->len;
    }
  }
}

/* In the continuous model delay(...) is a polynomial of time whose coefficients are given. */
static void
take_delay(DaeHybrid *hybrid, const DaeEventAtom *atom, DaeTerm t)
{
  DaeTerms *terms = hybrid->terms;
  static const char *const names[DAE_DELAY_ATOMS] = {"t0", "c0",  "c1",   "c2",
                                                     "c3", "low", "high", "now"};
  DaeDelay delay = {.of = atom->of,
                    .length = atom->interval,
                    .most = atom->start,
                    .start = atom->of,
                    .span = atom->span};
  if (atom->kind == DAE_ATOM_TRANSPORT) {
    take_transport(hybrid, atom, &delay);
  }
  for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
    g_autofree char *name =
        g_strdup_printf("'%s of %s'", names[k], dae_terms_symbol_name(terms, atom->symbol));
    delay.atoms[k] = dae_term_parameter(
        terms, dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name));
  }
  g_array_append_val(hybrid->delays, delay);
  g_array_append_val(hybrid->delay_atoms, t);
}

/* When all twins are known: delay times that change contain them. */
static void
put_in_polynomials(DaeHybrid *hybrid)
{
  DaeTerms *terms = hybrid->terms;
  for (guint i = 0; i < hybrid->delays->len; i++) {
    const DaeDelay *delay = &g_array_index(hybrid->delays, DaeDelay, i);
    DaeTerm s = dae_term_sub(terms, dae_term_time(terms), delay->atoms[0]);
    if (delay->most != DAE_NO_TERM) {
      s = dae_term_sub(terms, s, dae_hybrid_translate(hybrid, delay->length));
    }
    DaeTerm value = delay->atoms[4];
    for (uint32_t k = 3; k > 0; k--) {
      value = dae_term_add(terms, delay->atoms[k], dae_term_mul(terms, s, value));
    }
    if (delay->is_transport) {
      DaeTerm now = dae_hybrid_translate(hybrid, delay->of);
      value = dae_term_add(terms, value, dae_term_mul(terms, delay->atoms[7], now));
    }
    dae_subst_set(hybrid->twins, g_array_index(hybrid->delay_atoms, DaeTerm, i), value);
  }
}

void
dae_hybrid_put_in_delays(const DaeHybrid *hybrid, DaeSubst *subst)
{
  DaeTerm zero = dae_term_int(hybrid->terms, 0);
  for (uint32_t i = 0; i < hybrid->delays->len; i++) {
    const DaeDelay *delay = &g_array_index(hybrid->delays, DaeDelay, i);
    dae_subst_set(subst, g_array_index(hybrid->delay_atoms, DaeTerm, i), delay->start);
    for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
      dae_subst_set(subst, delay->atoms[k], k == 1 ? delay->start : zero);
    }
  }
}

/* The atoms that the reader made: pre(v), sample(...), initial(), terminal(). */
static void
take_atoms(DaeHybrid *hybrid)
{
  DaeTerms *terms = hybrid->terms;
  for (uint32_t i = 0; i < dae_model_n_event_atoms(hybrid->model); i++) {
    const DaeEventAtom *atom = dae_model_event_atom(hybrid->model, i);
    DaeTerm t = dae_term_parameter(terms, atom->symbol);
    if (atom->kind == DAE_ATOM_SAMPLE) {
      DaeSample sample = {t, atom->start, atom->interval, atom->span};
      g_array_append_val(hybrid->samples, sample);
    } else if (atom->kind == DAE_ATOM_DELAY || atom->kind == DAE_ATOM_TRANSPORT) {
      take_delay(hybrid, atom, t);
    } else if (atom->kind == DAE_ATOM_PRE) {
      uint32_t j = 0;
      bool found =
          dae_model_find_variable(hybrid->model, dae_term_get_symbol(terms, atom->of), &j);
      uint32_t k = found ? g_array_index(hybrid->discrete_of_variable, uint32_t, j) : 0;
      if (k > 0) {
        g_array_index(hybrid->discrete, DaeDiscrete, k - 1).pre = t;
      } else {
        DaeContinuousPre pre = {t, atom->of};
        g_array_append_val(hybrid->continuous_pres, pre);
      }
    }
  }
  hybrid->initial_atom = named_atom(terms, "initial()", true);
  hybrid->terminal_atom = named_atom(terms, "terminal()", true);
  put_in_polynomials(hybrid);
}

/* ---- construction ------------------------------------------------------------------------ */

static bool
has_discrete(const DaeModel *model)
{
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    if (dae_model_variable(model, j)->is_discrete) {
      return true;
    }
  }
  return dae_model_n_event_atoms(model) > 0 || dae_model_n_whens(model) > 0;
}

static DaeHybrid *
hybrid_new(DaeTerms *terms, const DaeModel *model)
{
  DaeHybrid *hybrid = g_new0(DaeHybrid, 1);
  hybrid->terms = terms;
  hybrid->model = model;
  hybrid->discrete = g_array_new(FALSE, TRUE, sizeof(DaeDiscrete));
  hybrid->actions = g_array_new(FALSE, TRUE, sizeof(DaeHybridAction));
  hybrid->samples = g_array_new(FALSE, TRUE, sizeof(DaeSample));
  hybrid->continuous_pres = g_array_new(FALSE, TRUE, sizeof(DaeContinuousPre));
  hybrid->delays = g_array_new(FALSE, TRUE, sizeof(DaeDelay));
  hybrid->delay_atoms = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  hybrid->starts = g_array_new(FALSE, TRUE, sizeof(DaeDiscreteStart));
  hybrid->conditions = g_array_new(FALSE, TRUE, sizeof(DaeHybridCondition));
  hybrid->condition_number = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  hybrid->free_reals = g_array_new(FALSE, TRUE, sizeof(DaeParameter));
  hybrid->free_equations = g_array_new(FALSE, TRUE, sizeof(DaeEquation));
  hybrid->hidden = g_hash_table_new(NULL, NULL);
  hybrid->place_of_atom = g_hash_table_new(NULL, NULL);
  hybrid->equation_number = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  hybrid->discrete_of_variable = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  hybrid->twins = dae_subst_new(terms);
  hybrid->is_trivial = !has_discrete(model);
  return hybrid;
}

DaeHybrid *
dae_hybrid_new(DaeTerms *terms, const DaeModel *model, GError **error)
{
  g_autoptr(DaeHybrid) hybrid = hybrid_new(terms, model);
  uint32_t n = dae_model_n_variables(model);
  g_array_set_size(hybrid->discrete_of_variable, n);
  if (!dae_clocks_new(terms, model, &hybrid->clocks, error)) {
    return NULL;
  }
  /* clocked variables keep their values; ticks give them new ones */
  if (hybrid->clocks != NULL) {
    model = hybrid->clocks->unclocked;
    hybrid->model = model;
    hybrid->is_trivial = !has_discrete(model);
  }
  if (!dae_hybrid_check_whole_starts(hybrid, error)) {
    return NULL;
  }
  if (hybrid->is_trivial) {
    return g_steal_pointer(&hybrid);
  }
  for (uint32_t j = 0; j < n; j++) {
    if (dae_model_variable(model, j)->is_discrete) {
      add_variable(hybrid, j);
    }
  }
  if (!dae_hybrid_check(hybrid, error)) {
    return NULL;
  }
  take_atoms(hybrid);
  if (hybrid->clocks != NULL && !dae_clocks_make_blocks(hybrid->clocks, hybrid, error)) {
    return NULL;
  }
  dae_hybrid_lower_whens(hybrid);
  g_autofree uint8_t *is_taken = g_new0(uint8_t, dae_model_n_equations(model) + 1);
  if (hybrid->clocks != NULL) {
    dae_clocks_take_equations(hybrid->clocks, hybrid, is_taken);
  }
  if (!dae_hybrid_solve_discrete(hybrid, is_taken, error)) {
    return NULL;
  }
  if (!dae_hybrid_check_left(hybrid, is_taken, error) || !dae_hybrid_sort(hybrid, error)) {
    return NULL;
  }
  dae_hybrid_collect_conditions(hybrid);
  dae_hybrid_plan_initialization(hybrid, is_taken);
  dae_hybrid_make_continuous(hybrid, is_taken);
  dae_hybrid_make_initial(hybrid);
  return g_steal_pointer(&hybrid);
}

void
dae_hybrid_free(DaeHybrid *hybrid)
{
  if (hybrid == NULL) {
    return;
  }
  dae_model_free(hybrid->continuous);
  dae_model_free(hybrid->initial);
  GArray *all[] = {
      hybrid->discrete,        hybrid->actions,         hybrid->samples,
      hybrid->starts,          hybrid->continuous_pres, hybrid->equation_number,
      hybrid->delays,          hybrid->delay_atoms,     hybrid->discrete_of_variable,
      hybrid->conditions,      hybrid->free_reals,      hybrid->free_equations,
      hybrid->condition_number};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  g_hash_table_destroy(hybrid->hidden);
  g_hash_table_destroy(hybrid->place_of_atom);
  dae_subst_free(hybrid->twins);
  dae_subst_free(hybrid->settled);
  dae_clocks_free(hybrid->clocks);
  if (hybrid->doubt != NULL) {
    g_string_free(hybrid->doubt, TRUE);
  }
  g_free(hybrid);
}

/* ---- queries ----------------------------------------------------------------------------- */

const char *
dae_hybrid_doubt(const DaeHybrid *hybrid)
{
  return hybrid->doubt != NULL ? hybrid->doubt->str : NULL;
}

bool
dae_hybrid_is_trivial(const DaeHybrid *hybrid)
{
  return hybrid->is_trivial;
}

const DaeModel *
dae_hybrid_model(const DaeHybrid *hybrid)
{
  return hybrid->model;
}

const DaeModel *
dae_hybrid_continuous(const DaeHybrid *hybrid)
{
  return hybrid->continuous != NULL ? hybrid->continuous : hybrid->model;
}

const DaeModel *
dae_hybrid_initial(const DaeHybrid *hybrid)
{
  return hybrid->initial != NULL ? hybrid->initial : hybrid->model;
}

uint32_t
dae_hybrid_n_discrete(const DaeHybrid *hybrid)
{
  return hybrid->discrete->len;
}

const DaeDiscrete *
dae_hybrid_discrete(const DaeHybrid *hybrid, uint32_t k)
{
  DAE_ASSERT(k < hybrid->discrete->len);
  return &g_array_index(hybrid->discrete, DaeDiscrete, k);
}

uint32_t
dae_hybrid_n_actions(const DaeHybrid *hybrid)
{
  return hybrid->actions->len;
}

const DaeHybridAction *
dae_hybrid_action(const DaeHybrid *hybrid, uint32_t i)
{
  DAE_ASSERT(i < hybrid->actions->len);
  return &g_array_index(hybrid->actions, DaeHybridAction, i);
}

const DaeClocks *
dae_hybrid_clocks(const DaeHybrid *hybrid)
{
  return hybrid->clocks;
}

uint32_t
dae_hybrid_n_samples(const DaeHybrid *hybrid)
{
  return hybrid->samples->len;
}

const DaeSample *
dae_hybrid_sample(const DaeHybrid *hybrid, uint32_t i)
{
  DAE_ASSERT(i < hybrid->samples->len);
  return &g_array_index(hybrid->samples, DaeSample, i);
}

uint32_t
dae_hybrid_n_continuous_pres(const DaeHybrid *hybrid)
{
  return hybrid->continuous_pres->len;
}

const DaeContinuousPre *
dae_hybrid_continuous_pre(const DaeHybrid *hybrid, uint32_t i)
{
  DAE_ASSERT(i < hybrid->continuous_pres->len);
  return &g_array_index(hybrid->continuous_pres, DaeContinuousPre, i);
}

uint32_t
dae_hybrid_n_delays(const DaeHybrid *hybrid)
{
  return hybrid->delays->len;
}

DaeTerm
dae_hybrid_delay_atom(const DaeHybrid *hybrid, uint32_t i)
{
  return g_array_index(hybrid->delay_atoms, DaeTerm, i);
}

const DaeDelay *
dae_hybrid_delay(const DaeHybrid *hybrid, uint32_t i)
{
  DAE_ASSERT(i < hybrid->delays->len);
  return &g_array_index(hybrid->delays, DaeDelay, i);
}

DaeTerm
dae_hybrid_initial_atom(const DaeHybrid *hybrid)
{
  return hybrid->initial_atom;
}

DaeTerm
dae_hybrid_terminal_atom(const DaeHybrid *hybrid)
{
  return hybrid->terminal_atom;
}

uint32_t
dae_hybrid_n_starts(const DaeHybrid *hybrid)
{
  return hybrid->starts->len;
}

const DaeDiscreteStart *
dae_hybrid_start(const DaeHybrid *hybrid, uint32_t i)
{
  DAE_ASSERT(i < hybrid->starts->len);
  return &g_array_index(hybrid->starts, DaeDiscreteStart, i);
}

DaeTerm
dae_hybrid_translate(const DaeHybrid *hybrid, DaeTerm t)
{
  return dae_subst_apply(hybrid->twins, t);
}
