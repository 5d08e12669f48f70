#include "instant/instant-priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- expressions ------------------------------------------------------------------------- */

DaeTerm
dae_instant_lowered(DaeInstant *instant, DaeTerm t, DaeSpan span, GError **error)
{
  DaeTerm result = instant->parts.lower(instant->parts.user, t);
  if (result == DAE_NO_TERM) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL,
                "%s:%u:%u: error: division by zero with the given parameter values",
                dae_model_file_of(dae_hybrid_model(instant->hybrid), span), span.line,
                span.column);
    return DAE_NO_TERM;
  }
  return dae_buffers_put_in(instant->buffers, result, span);
}

/* Right sides, each with the right sides of earlier ones put in, so that one
 * evaluation gives all. Loops stay open. */
static bool
make_values(DaeInstant *instant, GError **error)
{
  g_autoptr(DaeSubst) earlier = dae_subst_new(instant->terms);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
    /* v = pre(v) keeps its value: clocked variables, which ticks set before the iteration */
    bool is_kept = discrete->value == discrete->pre;
    DaeTerm value = is_kept
                        ? discrete->now
                        : dae_instant_lowered(instant, discrete->value, discrete->span, error);
    if (value == DAE_NO_TERM) {
      return false;
    }
    value = dae_subst_apply(earlier, value);
    g_array_append_val(instant->values, value);
    if (!discrete->in_loop) {
      dae_subst_set(earlier, discrete->now, value);
    }
  }
  return true;
}

static DaeTerm
as_number(DaeTerms *terms, DaeTerm condition)
{
  return dae_term_if(terms, condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
}

static bool
make_actions(DaeInstant *instant, GError **error)
{
  DaeTerms *terms = instant->terms;
  for (uint32_t i = 0; i < dae_hybrid_n_actions(instant->hybrid); i++) {
    const DaeHybridAction *action = dae_hybrid_action(instant->hybrid, i);
    DaeTerm condition =
        dae_instant_lowered(instant, as_number(terms, action->condition), action->span, error);
    DaeTerm result = dae_term_int(terms, 0);
    if (condition != DAE_NO_TERM && action->value != DAE_NO_TERM) {
      DaeTerm value =
          action->kind == DAE_ACTION_ASSERT ? as_number(terms, action->value) : action->value;
      result = dae_instant_lowered(instant, value, action->span, error);
    }
    if (condition == DAE_NO_TERM || result == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(instant->conditions, condition);
    g_array_append_val(instant->results, result);
  }
  return true;
}

static bool
make_delayed(DaeInstant *instant, GError **error)
{
  for (uint32_t i = 0; i < dae_hybrid_n_delays(instant->hybrid); i++) {
    const DaeDelay *delay = dae_hybrid_delay(instant->hybrid, i);
    DaeTerm of = dae_instant_lowered(instant, dae_hybrid_translate(instant->hybrid, delay->of),
                                     delay->span, error);
    if (of == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(instant->delayed, of);
  }
  return true;
}

static bool
make_assertions(DaeInstant *instant, GError **error)
{
  const DaeModel *model = instant->parts.model;
  for (uint32_t i = 0; i < dae_model_n_assertions(model); i++) {
    const DaeAssertion *assertion = dae_model_assertion(model, i);
    DaeTerm holds = dae_instant_lowered(
        instant, as_number(instant->terms, assertion->condition), assertion->span, error);
    if (holds == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(instant->asserted, holds);
  }
  g_array_set_size(instant->told, instant->asserted->len);
  return true;
}

DaeInstant *
dae_instant_new(const DaeInstantParts *parts, GError **error)
{
  g_autoptr(DaeInstant) instant = g_new0(DaeInstant, 1);
  instant->parts = *parts;
  instant->terms = parts->terms;
  instant->hybrid = parts->hybrid;
  instant->buffers = parts->buffers;
  instant->n = parts->n;
  instant->resolution = 1e-10;
  instant->values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->results = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->guard_buffers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  instant->system_places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  instant->follower_places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  instant->tickers = g_array_new(FALSE, TRUE, sizeof(DaeTicker));
  instant->causes = g_hash_table_new(NULL, NULL);
  instant->resets = g_array_new(FALSE, FALSE, sizeof(DaeReset));
  instant->n_discrete = dae_hybrid_n_discrete(parts->hybrid);
  instant->n_samples = dae_hybrid_n_samples(parts->hybrid);
  instant->n_cpre = dae_hybrid_n_continuous_pres(parts->hybrid);
  instant->delays = dae_delays_new(dae_hybrid_n_delays(parts->hybrid));
  instant->delayed = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->lengths = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->asserted = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  instant->literal_number = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  instant->told = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  GError *own = NULL;
  instant->ticking = dae_ticking_new(instant, &own);
  if (own != NULL) {
    g_propagate_error(error, own);
    return NULL;
  }
  if (!make_values(instant, error) || !make_actions(instant, error) ||
      !make_delayed(instant, error) || !dae_delays_watch(instant, error) ||
      !make_assertions(instant, error)) {
    return NULL;
  }
  return g_steal_pointer(&instant);
}

void
dae_instant_free(DaeInstant *instant)
{
  if (instant == NULL) {
    return;
  }
  GArray *all[] = {instant->values,        instant->conditions,     instant->results,
                   instant->guard_buffers, instant->tickers,        instant->atoms,
                   instant->asserted,      instant->literal_number, instant->told,
                   instant->system_places, instant->follower_places};
  dae_guards_free(instant);
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  dae_point_functions_clear(&instant->guards);
  dae_point_functions_clear(&instant->discrete);
  dae_point_functions_clear(&instant->followers);
  dae_point_functions_clear(&instant->actions);
  dae_point_functions_clear(&instant->cpres);
  dae_point_functions_clear(&instant->assertions);
  dae_point_functions_clear(&instant->literal);
  g_free(instant->last_words);
  dae_point_functions_clear(&instant->affine_functions);
  dae_delays_free(instant->delays);
  g_array_free(instant->delayed, TRUE);
  g_array_free(instant->lengths, TRUE);
  g_hash_table_destroy(instant->causes);
  g_array_free(instant->resets, TRUE);
  dae_ticking_free(instant->ticking);
  void *plain[] = {instant->segment,
                   instant->solved,
                   instant->before,
                   instant->in_system,
                   instant->in_jacobian,
                   instant->is_used,
                   instant->is_right_limit,
                   instant->reach,
                   instant->set_at,
                   instant->is_crossed_at_once,
                   instant->guard_size,
                   instant->guard_nominal,
                   instant->xdot,
                   instant->slope,
                   instant->algebraic,
                   instant->rows,
                   instant->sub_start,
                   instant->sub_column,
                   instant->sub_entry,
                   instant->x_work,
                   instant->g_work,
                   instant->gx_work,
                   instant->place_of_column,
                   instant->affine.is_affine,
                   instant->affine.start,
                   instant->affine.column,
                   instant->affine.factor,
                   instant->affine.constant,
                   instant->affine.slope,
                   instant->zero,
                   instant->zero_key,
                   instant->zero_to};
  for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
    g_free(plain[i]);
  }
  for (uint32_t i = 0; instant->zero_places != NULL && i < instant->n_buffers; i++) {
    g_array_free(instant->zero_places[i], TRUE);
  }
  g_free(instant->zero_places);
  dae_row_solver_free(instant->row_solver);
  free(instant->scratch);
  g_free(instant);
}

/* ---- the segment ------------------------------------------------------------------------- */

static void
add_atom(DaeInstant *instant, DaeTerm atom)
{
  g_array_append_val(instant->atoms, atom);
}

const DaeTerm *
dae_instant_atoms(DaeInstant *instant, uint32_t *n)
{
  const DaeHybrid *hybrid = instant->hybrid;
  DAE_ASSERT(instant->atoms->len == 0);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    add_atom(instant, dae_hybrid_discrete(hybrid, k)->now);
  }
  instant->at_pre = instant->atoms->len;
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    DaeTerm pre = dae_hybrid_discrete(hybrid, k)->pre;
    if (pre == DAE_NO_TERM) { /* nothing asks for it; the iteration needs the place */
      pre = dae_term_parameter(
          instant->terms,
          dae_terms_add_unlisted_symbol(instant->terms, DAE_SYMBOL_PARAMETER, "pre"));
    }
    add_atom(instant, pre);
  }
  instant->at_sample = instant->atoms->len;
  for (uint32_t i = 0; i < instant->n_samples; i++) {
    add_atom(instant, dae_hybrid_sample(hybrid, i)->atom);
  }
  instant->at_cpre = instant->atoms->len;
  for (uint32_t i = 0; i < instant->n_cpre; i++) {
    add_atom(instant, dae_hybrid_continuous_pre(hybrid, i)->pre);
  }
  instant->at_delay = instant->atoms->len;
  for (uint32_t i = 0; i < dae_hybrid_n_delays(hybrid); i++) {
    for (uint32_t k = 0; k < DAE_DELAY_ATOMS; k++) {
      add_atom(instant, dae_hybrid_delay(hybrid, i)->atoms[k]);
    }
  }
  instant->at_initial = instant->atoms->len;
  if (!dae_hybrid_is_trivial(hybrid)) {
    add_atom(instant, dae_hybrid_initial_atom(hybrid));
    add_atom(instant, dae_hybrid_terminal_atom(hybrid));
  }
  instant->at_terminal = instant->at_initial + 1;
  instant->at_buffer = instant->atoms->len;
  instant->n_buffers = dae_buffers_n(instant->buffers);
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    add_atom(instant, dae_buffers_get(instant->buffers, i)->atom);
  }
  instant->at_open = instant->atoms->len;
  for (uint32_t i = 0; i < 2 * instant->parts.n_open; i++) {
    add_atom(instant, instant->parts.open_atoms[i]);
  }
  uint32_t at_held = instant->atoms->len;
  for (uint32_t i = 0; i < instant->parts.n_held; i++) {
    add_atom(instant, instant->parts.held[i]);
  }
  instant->n_segment = instant->atoms->len;
  instant->segment = g_new0(double, instant->n_segment + 2);
  instant->before = g_new0(double, instant->n_segment + 2);
  instant->solved = g_new0(double, instant->n_segment + 2);
  for (uint32_t i = 0; i < instant->parts.n_held; i++) {
    instant->segment[at_held + i] = instant->parts.held_values[i];
  }
  instant->is_right_limit = g_new0(uint8_t, instant->n_buffers + 1);
  instant->reach = g_new0(double, instant->n_buffers + 1);
  instant->is_crossed_at_once = g_new0(uint8_t, instant->n_buffers + 1);
  instant->set_at = g_new0(double, instant->n_buffers + 1);
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    instant->set_at[b] = NAN;
  }
  instant->guard_size = g_new0(double, instant->n_buffers + 1);
  instant->guard_nominal = g_new0(double, instant->n_buffers + 1);
  *n = instant->n_segment;
  return (const DaeTerm *)(void *)instant->atoms->data;
}

/* |a| + |b| + ... of the addends of g, and the nominal values of its unknowns: what
 * a zero of g is compared with. */
DaeTerm
dae_guard_scale(DaeInstant *instant, DaeTerm g)
{
  DaeTerms *terms = instant->terms;
  uint32_t n = 0;
  const DaeTerm *addends = dae_term_parts(terms, DAE_KIND_SUM, &g, &n);
  g_autofree DaeTerm *sizes = g_new0(DaeTerm, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    sizes[i] = dae_term_call1(terms, DAE_FN_ABS, addends[i]);
  }
  return dae_term_sum(terms, sizes, n);
}

static bool
make_guards(DaeInstant *instant, GError **error)
{
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    const DaeBuffer *buffer = dae_buffers_get(instant->buffers, i);
    g_array_append_val(outputs, buffer->g);
    if (buffer->guard == DAE_GUARD_STATE || buffer->guard == DAE_GUARD_WATCH) {
      g_array_append_val(instant->guard_buffers, i);
    }
  }
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    DaeTerm scale = dae_guard_scale(instant, dae_buffers_get(instant->buffers, i)->g);
    g_array_append_val(outputs, scale);
  }
  return dae_point_functions_init(&instant->guards, instant,
                                  (const DaeTerm *)(void *)outputs->data, outputs->len, error);
}

/* Values that follow others also when the phase of an event is over. */
static bool
make_followers(DaeInstant *instant, GError **error)
{
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    if (!dae_hybrid_discrete(instant->hybrid, k)->is_when) {
      g_array_append_val(values, g_array_index(instant->values, DaeTerm, k));
      g_array_append_val(instant->follower_places, k);
    }
  }
  return dae_point_functions_init(&instant->followers, instant,
                                  (const DaeTerm *)(void *)values->data, values->len, error);
}

static bool
make_tapes(DaeInstant *instant, GError **error)
{
  g_autoptr(GArray) actions = g_array_copy(instant->conditions);
  g_array_append_vals(actions, instant->results->data, instant->results->len);
  g_autoptr(GArray) cpres = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < instant->n_cpre; i++) {
    DaeTerm of = instant->parts.lower(instant->parts.user,
                                      dae_hybrid_continuous_pre(instant->hybrid, i)->of);
    g_array_append_val(cpres, of);
  }
  g_autoptr(GArray) literal = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < instant->asserted->len; i++) {
    DaeTerm holds = g_array_index(instant->asserted, DaeTerm, i);
    if (dae_term_has_variables(instant->terms, holds) ||
        dae_term_has_time(instant->terms, holds)) {
      g_array_append_val(literal, holds);
      g_array_append_val(instant->literal_number, i);
    }
  }
  return make_guards(instant, error) &&
         dae_point_functions_init(&instant->literal, instant,
                                  (const DaeTerm *)(void *)literal->data, literal->len,
                                  error) &&
         dae_point_functions_init(&instant->discrete, instant,
                                  (const DaeTerm *)(void *)instant->values->data,
                                  instant->values->len, error) &&
         make_followers(instant, error) &&
         dae_point_functions_init(&instant->actions, instant,
                                  (const DaeTerm *)(void *)actions->data, actions->len,
                                  error) &&
         dae_point_functions_init(&instant->cpres, instant,
                                  (const DaeTerm *)(void *)cpres->data, cpres->len, error) &&
         dae_point_functions_init(&instant->assertions, instant,
                                  (const DaeTerm *)(void *)instant->asserted->data,
                                  instant->asserted->len, error) &&
         dae_guards_prepare(instant, error);
}

/* The segment values among `used` (PARAMETER terms), by place. */
static uint8_t *
mark_places(const DaeInstant *instant, const GArray *used)
{
  g_autoptr(GHashTable) set = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < used->len; i++) {
    g_hash_table_add(set, GUINT_TO_POINTER(g_array_index(used, DaeTerm, i)));
  }
  uint8_t *marks = g_new0(uint8_t, instant->n_segment + 1);
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    marks[p] = (uint8_t)g_hash_table_contains(
        set, GUINT_TO_POINTER(g_array_index(instant->atoms, DaeTerm, p)));
  }
  return marks;
}

/* What occurs beside unknowns in one summand: the others are gone from every derivative. */
static void
collect_beside_unknowns(DaeTerms *terms, DaeTerm t, GArray *out)
{
  uint32_t n = 0;
  const DaeTerm *summands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_has_variables(terms, summands[i])) {
      dae_term_collect_parameters(terms, summands[i], out);
    }
  }
}

/* Which segment values occur in the continuous equations, and which in their Jacobian? */
static void
mark_system(DaeInstant *instant, const DaeSystemParts *system)
{
  DaeTerms *terms = instant->terms;
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) beside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t e = 0; e < system->row_start[system->n_diff]; e++) {
    dae_term_collect_parameters(terms, system->coefficients[e], used);
  }
  g_array_append_vals(beside, used->data, used->len);
  for (uint32_t i = 0; i < system->n_diff; i++) {
    dae_term_collect_parameters(terms, system->rhs[i], used);
    collect_beside_unknowns(terms, system->rhs[i], beside);
  }
  for (uint32_t i = 0; i < system->n_con; i++) {
    dae_term_collect_parameters(terms, system->constraints[i], used);
    collect_beside_unknowns(terms, system->constraints[i], beside);
  }
  instant->in_system = mark_places(instant, used);
  instant->in_jacobian = mark_places(instant, beside);
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    if (instant->in_system[p] != 0) {
      g_array_append_val(instant->system_places, p);
    }
  }
}

/* Which discrete values have others, relations or unknowns that depend on them? */
static void
mark_used_values(DaeInstant *instant)
{
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint k = 0; k < instant->values->len; k++) {
    dae_term_collect_parameters(instant->terms, g_array_index(instant->values, DaeTerm, k),
                                used);
  }
  for (uint32_t b = 0; b < instant->n_buffers; b++) {
    dae_term_collect_parameters(instant->terms, dae_buffers_get(instant->buffers, b)->g, used);
  }
  instant->is_used = mark_places(instant, used);
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    instant->is_used[k] |= instant->in_system[k];
  }
}

static void
look_for_derivatives(DaeInstant *instant)
{
  const GArray *all[] = {instant->values,   instant->conditions, instant->results,
                         instant->asserted, instant->delayed,    instant->lengths};
  for (size_t a = 0; a < G_N_ELEMENTS(all); a++) {
    for (guint i = 0; i < all[a]->len; i++) {
      instant->needs_slopes =
          instant->needs_slopes ||
          dae_term_has_derivatives(instant->terms, g_array_index(all[a], DaeTerm, i));
    }
  }
  g_autoptr(GArray) sampled = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_ticking_add_inputs(instant->ticking, sampled);
  for (guint i = 0; i < sampled->len; i++) {
    instant->needs_slopes =
        instant->needs_slopes ||
        dae_term_has_derivatives(instant->terms, g_array_index(sampled, DaeTerm, i));
  }
  for (uint32_t i = 0; i < instant->n_buffers; i++) {
    instant->needs_slopes =
        instant->needs_slopes ||
        dae_term_has_derivatives(instant->terms, dae_buffers_get(instant->buffers, i)->g);
  }
}

bool
dae_instant_bind(DaeInstant *instant, const DaeEvaluator *evaluator,
                 const DaeSystemParts *system, GError **error)
{
  mark_system(instant, system);
  mark_used_values(instant);
  look_for_derivatives(instant);
  instant->evaluator = evaluator;
  instant->scratch = dae_aligned_new0(evaluator->scratch_size);
  instant->xdot = g_new0(double, instant->n + 1);
  dae_solve_prepare(instant);
  dae_delays_bind(instant, system);
  return make_tapes(instant, error) && dae_clock_init(instant, error) &&
         dae_delays_init(instant, (const DaeTerm *)(void *)instant->delayed->data, error) &&
         (instant->ticking == NULL || dae_ticking_bind(instant->ticking, error));
}

const double *
dae_instant_segment(const DaeInstant *instant)
{
  return instant->segment;
}

/* The relation of a buffer as it was written: delay(...) for the polynomials that stand for it. */
static void
describe_buffer(const DaeInstant *instant, uint32_t b, GString *out)
{
  const DaeBuffer *buffer = dae_buffers_get(instant->buffers, b);
  g_autoptr(DaeSubst) written = dae_subst_new(instant->terms);
  for (uint32_t i = 0; i < dae_hybrid_n_delays(instant->hybrid); i++) {
    DaeTerm atom = dae_hybrid_delay_atom(instant->hybrid, i);
    dae_subst_set(written, dae_hybrid_translate(instant->hybrid, atom), atom);
  }
  dae_term_print_limited(instant->terms, dae_subst_apply(written, buffer->text), out, 200);
  if (buffer->span.line > 0) {
    g_autofree char *place = dae_span_text(buffer->span);
    g_string_append_printf(out, " (%s)", place);
  }
}

void
dae_instant_describe_guard(const DaeInstant *instant, uint32_t guard, GString *out)
{
  describe_buffer(instant, dae_instant_guard_buffer(instant, guard), out);
}

/* ---- descriptions ------------------------------------------------------------------------ */

void
dae_instant_describe_cause(const DaeInstant *instant, GString *out)
{
  if (instant->ticking != NULL) {
    dae_ticking_describe(instant->ticking, out);
  }
  bool any = out->len > 0;
  for (uint32_t p = instant->at_sample; p < instant->n_segment; p++) {
    if (!g_hash_table_contains(instant->causes, GUINT_TO_POINTER(p))) {
      continue;
    }
    g_string_append(out, any ? "; " : "");
    any = true;
    if (p >= instant->at_buffer) {
      describe_buffer(instant, p - instant->at_buffer, out);
    } else if (p < instant->at_cpre) {
      const DaeSample *sample = dae_hybrid_sample(instant->hybrid, p - instant->at_sample);
      dae_term_print(instant->terms, sample->atom, out);
      g_autofree char *place = dae_span_text(sample->span);
      g_string_append_printf(out, " (%s)", place);
    }
  }
}

void
dae_instant_describe_changes(const DaeInstant *instant, GString *out)
{
  bool any = false;
  for (uint32_t k = 0; k < instant->n_discrete; k++) {
    const DaeDiscrete *discrete = dae_hybrid_discrete(instant->hybrid, k);
    if (discrete->variable == DAE_HYBRID_NONE || instant->segment[k] == instant->before[k]) {
      continue;
    }
    g_autofree char *name = dae_term_to_string(instant->terms, discrete->now);
    g_string_append(out, any ? "; " : "");
    any = true;
    if (discrete->type == DAE_TYPE_BOOLEAN) {
      g_string_append_printf(out, "%s = %s", name,
                             instant->segment[k] > 0.5 ? "true" : "false");
    } else {
      g_string_append_printf(out, "%s = %.15g", name, instant->segment[k]);
    }
  }
  for (guint r = 0; r < instant->resets->len; r++) {
    const DaeReset *reset = &g_array_index(instant->resets, DaeReset, r);
    g_autofree char *name =
        dae_term_to_string(instant->terms, instant->parts.unknowns[reset->column]);
    g_string_append_printf(out, "%s%s = %.15g (reinit)", any ? "; " : "", name, reset->value);
    any = true;
  }
}
