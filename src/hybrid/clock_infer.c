/* When does each clock tick [language specification, 16.7.6]? Conversions with known factors
 * tie periods and shifts to each other:
 *
 *     period = ratio * P,  shift = S + offset * P      with P, S of the component's root,
 *
 * all exact. One constructor in a component gives P and S; every other one, and every factor
 * that is inferred, must agree. */
#include "hybrid/clocks-priv.h"

typedef struct {
  DaeClocks *clocks;
  uint32_t *parent;        /* by group */
  DaeTerm *ratio, *offset; /* to the parent */
  DaeTerm *period, *shift; /* by root: P and S; DAE_NO_TERM: not known */
  uint32_t *base;          /* by root: base clock + 1 */
  DaeSpan *given;          /* by root: the constructor */
} Inference;

static DaeClockGroup *
group_at(const DaeClocks *clocks, uint32_t g)
{
  return &g_array_index(clocks->groups, DaeClockGroup, g);
}

/* The root, and ratio and offset to it. */
static uint32_t
root_of(const Inference *inference, uint32_t g, DaeTerm *ratio, DaeTerm *offset)
{
  DaeTerms *terms = inference->clocks->terms;
  *ratio = dae_term_int(terms, 1);
  *offset = dae_term_int(terms, 0);
  while (inference->parent[g] != g) {
    /* s = s' + o' p', p = r' p':  composed with what is below */
    *offset = dae_term_add(terms, inference->offset[g],
                           dae_term_mul(terms, *offset, inference->ratio[g]));
    *ratio = dae_term_mul(terms, *ratio, inference->ratio[g]);
    g = inference->parent[g];
  }
  return g;
}

/* "at 3/10, 6/10, ...": first ticks, for messages. (transfer full) */
static char *
describe(const DaeClocks *clocks, DaeTerm period, DaeTerm shift)
{
  g_autofree char *p = dae_term_to_string(clocks->terms, period);
  g_autofree char *s = dae_term_to_string(clocks->terms, shift);
  return dae_term_is_zero(clocks->terms, shift)
             ? g_strdup_printf("an interval of %s", p)
             : g_strdup_printf("an interval of %s, shifted by %s", p, s);
}

/* to = conversion of from. False: it contradicts what is known. */
static bool
tie(Inference *inference, const DaeClockRelation *relation, GError **error)
{
  DaeClocks *clocks = inference->clocks;
  DaeTerms *terms = clocks->terms;
  DaeTerm r = dae_term_int(terms, 1);
  DaeTerm o = dae_term_int(terms, 0);
  switch ((int)relation->kind) {
  case DAE_CLOCKED_SUB:
    r = dae_term_int(terms, relation->counter);
    break;
  case DAE_CLOCKED_SUPER:
    r = dae_term_ratio(terms, 1, relation->counter);
    break;
  case DAE_CLOCKED_SHIFT:
    o = dae_term_ratio(terms, relation->counter, relation->resolution);
    break;
  default:
    o = dae_term_ratio(terms, -relation->counter, relation->resolution);
    break;
  }
  DaeTerm ra, oa, rb, ob;
  uint32_t a = root_of(inference, relation->from, &ra, &oa);
  uint32_t b = root_of(inference, relation->to, &rb, &ob);
  /* period and shift of `to` by way of the root of `from` */
  DaeTerm period = dae_term_mul(terms, r, ra);
  DaeTerm shift = dae_term_add(terms, oa, dae_term_mul(terms, o, ra));
  if (a == b) {
    if (period != rb || shift != ob) {
      return dae_clocks_fail(clocks, relation->span, error,
                             "these clocks contradict each other: this conversion and others "
                             "lead to different ticks of one clock");
    }
    return true;
  }
  /* p_to = rb Pb = period Pa;  s_to = Sb + ob Pb = Sa + shift Pa */
  uint32_t child = MAX(a, b);
  if (child == b) {
    inference->ratio[b] = dae_term_div(terms, period, rb);
    inference->offset[b] =
        dae_term_sub(terms, shift, dae_term_mul(terms, ob, inference->ratio[b]));
    inference->parent[b] = a;
  } else {
    inference->ratio[a] = dae_term_div(terms, rb, period);
    inference->offset[a] =
        dae_term_sub(terms, ob, dae_term_mul(terms, shift, inference->ratio[a]));
    inference->parent[a] = b;
  }
  return true;
}

static const char *
text_of(const DaeClocks *clocks, DaeTerm clock)
{
  return dae_terms_symbol_name(clocks->terms, dae_term_get_symbol(clocks->terms, clock));
}

/* A constructor: its clock begins with the run. */
static bool
give(Inference *inference, const DaeClockDefinition *definition, uint32_t g, GError **error)
{
  DaeClocks *clocks = inference->clocks;
  DaeTerms *terms = clocks->terms;
  DaeTerm ratio, offset;
  uint32_t root = root_of(inference, g, &ratio, &offset);
  DaeTerm own =
      definition->kind == DAE_CLOCK_INTERVAL ? definition->interval : dae_term_int(terms, 1);
  DaeTerm period = dae_term_div(terms, own, ratio);
  DaeTerm shift = dae_term_neg(terms, dae_term_mul(terms, offset, period));
  DaeBaseKind kind = definition->kind == DAE_CLOCK_INTERVAL ? DAE_BASE_PERIODIC
                     : definition->kind == DAE_CLOCK_EVENT  ? DAE_BASE_EVENT
                                                            : DAE_BASE_VARYING;
  if (inference->base[root] == 0) {
    DaeBaseClock base = {.kind = kind,
                         .condition = definition->of,
                         .interval =
                             kind == DAE_BASE_VARYING ? definition->of : definition->interval,
                         .resolution = MAX(definition->resolution, 1),
                         .clock = definition->term,
                         .span = definition->span};
    g_array_append_val(clocks->bases, base);
    inference->base[root] = clocks->bases->len;
    inference->period[root] = period;
    inference->shift[root] = shift;
    inference->given[root] = definition->span;
    return true;
  }
  const DaeBaseClock *base =
      &g_array_index(clocks->bases, DaeBaseClock, inference->base[root] - 1);
  if (base->kind != DAE_BASE_PERIODIC || kind != DAE_BASE_PERIODIC) {
    bool is_same = base->kind == kind && base->condition == definition->of &&
                   period == inference->period[root] && shift == inference->shift[root];
    g_autofree char *place = dae_span_text(base->span);
    return is_same ||
           dae_clocks_fail(clocks, definition->span, error,
                           "two clocks for one partition: %s, and %s in %s; with an event "
                           "clock or an interval that varies there is only one",
                           text_of(clocks, definition->term), text_of(clocks, base->clock),
                           place);
  }
  if (period != inference->period[root] || shift != inference->shift[root]) {
    DaeTerm expected = dae_term_mul(terms, ratio, inference->period[root]);
    DaeTerm begin = dae_term_add(terms, inference->shift[root],
                                 dae_term_mul(terms, offset, inference->period[root]));
    g_autofree char *inferred = describe(clocks, expected, begin);
    g_autofree char *place = dae_span_text(base->span);
    return dae_clocks_fail(clocks, definition->span, error,
                           "this clock, %s, contradicts %s in %s, from which %s follows",
                           text_of(clocks, definition->term), text_of(clocks, base->clock),
                           place, inferred);
  }
  return true;
}

/* A factor that is inferred: whole, and both begin together. */
static bool
check_inferred(Inference *inference, const DaeClockRelation *relation, GError **error)
{
  DaeClocks *clocks = inference->clocks;
  DaeTerms *terms = clocks->terms;
  const DaeClockGroup *from = group_at(clocks, relation->from);
  const DaeClockGroup *to = group_at(clocks, relation->to);
  const DaeSubClock *a = &g_array_index(clocks->subs, DaeSubClock, from->sub - 1);
  const DaeSubClock *b = &g_array_index(clocks->subs, DaeSubClock, to->sub - 1);
  bool is_sub = relation->kind == DAE_CLOCKED_SUB;
  DaeTerm factor = is_sub ? dae_term_div(terms, b->period, a->period)
                          : dae_term_div(terms, a->period, b->period);
  int64_t number = 0;
  const DaeBaseClock *base = &g_array_index(clocks->bases, DaeBaseClock, a->base);
  bool is_common =
      a->base == b->base ||
      (base->kind == DAE_BASE_PERIODIC &&
       g_array_index(clocks->bases, DaeBaseClock, b->base).kind == DAE_BASE_PERIODIC);
  if (is_common && a->shift == b->shift && dae_term_get_int64(terms, factor, &number) &&
      number >= 1) {
    return true;
  }
  g_autofree char *left = describe(clocks, a->period, a->shift);
  g_autofree char *right = describe(clocks, b->period, b->shift);
  return dae_clocks_fail(clocks, relation->span, error, "no factor of %s leads from %s to %s",
                         is_sub ? "subSample" : "superSample", left, right);
}

static bool
make_sub(Inference *inference, uint32_t g, GError **error)
{
  DaeClocks *clocks = inference->clocks;
  DaeTerms *terms = clocks->terms;
  DaeClockGroup *group = group_at(clocks, g);
  DaeTerm ratio, offset;
  uint32_t root = root_of(inference, g, &ratio, &offset);
  if (inference->base[root] == 0) {
    return dae_clocks_fail(clocks, group->why, error,
                           "the clock of this partition cannot be inferred: no clock is given "
                           "for it, nor for one that it is converted from or to");
  }
  DaeTerm period = dae_term_mul(terms, ratio, inference->period[root]);
  DaeTerm shift = dae_term_add(terms, inference->shift[root],
                               dae_term_mul(terms, offset, inference->period[root]));
  const DaeBaseClock *base =
      &g_array_index(clocks->bases, DaeBaseClock, inference->base[root] - 1);
  int64_t number = 0;
  if (dae_term_sign(terms, shift) < 0) {
    g_autofree char *text = describe(clocks, period, shift);
    return dae_clocks_fail(clocks, group->why, error,
                           "this clock would tick before the clock it is made of begins: %s",
                           text);
  }
  if (base->kind != DAE_BASE_PERIODIC && (!dae_term_get_int64(terms, period, &number) ||
                                          !dae_term_get_int64(terms, shift, &number))) {
    g_autofree char *text = describe(clocks, period, shift);
    return dae_clocks_fail(clocks, group->why, error,
                           "%s, in ticks of %s: such a clock has no ticks between its own",
                           text, text_of(clocks, base->clock));
  }
  DaeSubClock sub = {.base = inference->base[root] - 1,
                     .period = period,
                     .shift = shift,
                     .clock = group->clock,
                     .span = group->why};
  g_array_append_val(clocks->subs, sub);
  g_array_append_val(clocks->sub_group, g);
  group->sub = clocks->subs->len;
  return true;
}

static bool
infer(Inference *inference, GError **error)
{
  DaeClocks *clocks = inference->clocks;
  for (uint32_t i = 0; i < clocks->relations->len; i++) {
    const DaeClockRelation *relation = &g_array_index(clocks->relations, DaeClockRelation, i);
    bool is_inferred = relation->counter == 0 && (relation->kind == DAE_CLOCKED_SUB ||
                                                  relation->kind == DAE_CLOCKED_SUPER);
    if (!is_inferred && relation->kind != DAE_CLOCKED_NO_CLOCK &&
        !tie(inference, relation, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_model_n_clocks(clocks->model); i++) {
    const DaeClockDefinition *definition = dae_model_clock(clocks->model, i);
    guint node = GPOINTER_TO_UINT(
        g_hash_table_lookup(clocks->node_of_clock, GUINT_TO_POINTER(definition->term)));
    if (definition->kind >= DAE_CLOCK_INTERVAL && definition->kind <= DAE_CLOCK_EVENT &&
        !give(inference, definition, dae_clocks_group(clocks, node - 1), error)) {
      return false;
    }
    if (definition->kind == DAE_CLOCK_SOLVER && definition->method[0] != '\0') {
      DaeClockGroup *group = group_at(clocks, dae_clocks_group(clocks, node - 1));
      if (group->method != NULL && !g_str_equal(group->method, definition->method)) {
        g_autofree char *place = dae_span_text(group->method_span);
        return dae_clocks_fail(clocks, definition->span, error,
                               "two solver methods for one partition: \"%s\", and \"%s\" in %s",
                               definition->method, group->method, place);
      }
      group->method = definition->method;
      group->method_span = definition->span;
    }
  }
  return true;
}

/* Clocks that nothing uses may stay without ticks. */
static void
find_used(const DaeClocks *clocks, uint8_t *is_used)
{
  uint32_t n = clocks->n_variables + clocks->n_equations + clocks->extras->len;
  for (uint32_t node = 0; node < n; node++) {
    is_used[dae_clocks_group(clocks, node)] = 1;
  }
}

bool
dae_clocks_infer(DaeClocks *clocks, GError **error)
{
  uint32_t n = clocks->groups->len;
  g_autofree uint32_t *parent = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *base = g_new0(uint32_t, n + 1);
  g_autofree DaeTerm *terms = g_new0(DaeTerm, 4 * (size_t)n + 1);
  g_autofree DaeSpan *given = g_new0(DaeSpan, n + 1);
  g_autofree uint8_t *is_used = g_new0(uint8_t, n + 1);
  Inference inference = {
      clocks, parent, terms, terms + n, terms + 2 * (size_t)n, terms + 3 * (size_t)n,
      base,   given};
  for (uint32_t g = 0; g < n; g++) {
    parent[g] = g;
  }
  if (!infer(&inference, error)) {
    return false;
  }
  find_used(clocks, is_used);
  for (uint32_t g = 0; g < n; g++) {
    if (group_at(clocks, g)->is_clocked && is_used[g] != 0 && !make_sub(&inference, g, error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < clocks->relations->len; i++) {
    const DaeClockRelation *relation = &g_array_index(clocks->relations, DaeClockRelation, i);
    if (relation->counter == 0 &&
        (relation->kind == DAE_CLOCKED_SUB || relation->kind == DAE_CLOCKED_SUPER) &&
        group_at(clocks, relation->from)->sub > 0 && group_at(clocks, relation->to)->sub > 0 &&
        !check_inferred(&inference, relation, error)) {
      return false;
    }
  }
  return true;
}
