#include "hybrid/buffers.h"

#include <math.h>

#include "hybrid/edges.h"
#include "terms/cusps.h"

struct DaeBuffers {
  DaeTerms *terms;
  GArray *list;        /* DaeBuffer */
  GHashTable *visited; /* terms that were looked at */
  GHashTable *found;   /* guard and kind -> index + 1 */
  GHashTable *opened;  /* noEvent(...) that are not taken literally */
  DaeEdges *edges;
  DaeSubst *subst;
};

DaeBuffers *
dae_buffers_new(DaeTerms *terms)
{
  DaeBuffers *buffers = g_new0(DaeBuffers, 1);
  buffers->terms = terms;
  buffers->list = g_array_new(FALSE, TRUE, sizeof(DaeBuffer));
  buffers->visited = g_hash_table_new(NULL, NULL);
  buffers->found = g_hash_table_new(NULL, NULL);
  buffers->opened = g_hash_table_new(NULL, NULL);
  buffers->edges = dae_edges_new(terms);
  buffers->subst = dae_subst_new(terms);
  return buffers;
}

void
dae_buffers_free(DaeBuffers *buffers)
{
  if (buffers == NULL) {
    return;
  }
  g_array_free(buffers->list, TRUE);
  g_hash_table_destroy(buffers->visited);
  g_hash_table_destroy(buffers->found);
  g_hash_table_destroy(buffers->opened);
  dae_edges_free(buffers->edges);
  dae_subst_free(buffers->subst);
  g_free(buffers);
}

/* ---- one buffer -------------------------------------------------------------------------- */

/* Functions without an enclosure on intervals: their zeros are found on the way, not before. */
static bool
has_closed_function(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (dae_term_kind(terms, top) == DAE_KIND_CALL &&
        dae_term_function(terms, top) == DAE_FN_ROUTINE) {
      return true;
    }
    dae_visit_enter(visit, top);
  }
  return false;
}

static DaeGuardKind
guard_kind(DaeTerms *terms, DaeTerm g)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, g, atoms);
  if (atoms->len > 0 || has_closed_function(terms, g)) {
    return DAE_GUARD_STATE;
  }
  DaeTerm time = dae_term_time(terms);
  DaeTerm slope = dae_term_partial(terms, g, time);
  bool is_linear = slope != DAE_NO_TERM && !dae_term_contains(terms, slope, time) &&
                   !dae_term_has_varying_break(terms, g);
  return is_linear ? DAE_GUARD_LINEAR_TIME : DAE_GUARD_TIME;
}

static bool
is_continuous(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, t, atoms);
  return atoms->len > 0 || dae_term_contains(terms, t, dae_term_time(terms));
}

static DaeTerm
buffer_atom(DaeBuffers *buffers, DaeBufferKind kind, DaeTerm g, DaeTerm text, bool is_negated,
            DaeSpan span)
{
  DaeTerms *terms = buffers->terms;
  gpointer key = GSIZE_TO_POINTER((gsize)g * 8 + (gsize)kind);
  guint old = GPOINTER_TO_UINT(g_hash_table_lookup(buffers->found, key));
  if (old != 0) {
    return g_array_index(buffers->list, DaeBuffer, old - 1).atom;
  }
  bool is_condition = kind == DAE_BUFFER_POSITIVE || kind == DAE_BUFFER_NONNEGATIVE;
  g_autoptr(GString) name = g_string_new(NULL);
  dae_term_print_limited(terms, text, name, 200);
  DaeSymbol symbol = dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name->str);
  if (is_condition) {
    dae_terms_set_condition(terms, symbol);
  }
  DaeBuffer buffer = {
      kind, guard_kind(terms, g), g, dae_term_parameter(terms, symbol), text, span, is_negated};
  g_array_append_val(buffers->list, buffer);
  g_hash_table_insert(buffers->found, key, GUINT_TO_POINTER(buffers->list->len));
  return buffer.atom;
}

/* The sign of g is chosen so that x > y and y < x have one guard. */
static DaeTerm
relation_buffer(DaeBuffers *buffers, DaeTerm relation, DaeTerm a, DaeTerm b, DaeSpan span)
{
  DaeTerms *terms = buffers->terms;
  DaeRelation op = dae_term_relation_op(terms, relation);
  DaeTerm g = dae_term_sub(terms, a, b);
  DaeTerm opposite = dae_term_neg(terms, g);
  bool is_less = op == DAE_REL_LT || op == DAE_REL_LE;
  if (g == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  bool flip = dae_term_compare(terms, opposite, g) < 0;
  bool is_strict = op == DAE_REL_LT || op == DAE_REL_GT;
  /* what holds of the guard: positive when the relation asks for it, else
   * the negation of the other kind */
  bool asks_positive = is_less == flip;
  DaeBufferKind kind =
      asks_positive == is_strict ? DAE_BUFFER_POSITIVE : DAE_BUFFER_NONNEGATIVE;
  DaeTerm atom =
      buffer_atom(buffers, kind, flip ? opposite : g, relation, !asks_positive, span);
  DaeTerm condition = dae_term_relation(terms, DAE_REL_GT, atom, dae_term_ratio(terms, 1, 2));
  return asks_positive ? condition : dae_term_not(terms, condition);
}

static DaeTerm
whole_buffer(DaeBuffers *buffers, DaeTerm call, const DaeTerm *operands, DaeSpan span)
{
  DaeTerms *terms = buffers->terms;
  switch ((int)dae_term_function(terms, call)) {
  case DAE_FN_FLOOR:
  case DAE_FN_INTEGER:
    return buffer_atom(buffers, DAE_BUFFER_FLOOR, operands[0], call, false, span);
  case DAE_FN_CEIL:
    return buffer_atom(buffers, DAE_BUFFER_CEIL, operands[0], call, false, span);
  default:
    break;
  }
  DaeTerm quotient = dae_term_div(terms, operands[0], operands[1]);
  bool is_mod = dae_term_function(terms, call) == DAE_FN_MOD;
  if (quotient == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerm whole = buffer_atom(buffers, is_mod ? DAE_BUFFER_FLOOR : DAE_BUFFER_TRUNC, quotient,
                              call, false, span);
  if (dae_term_function(terms, call) == DAE_FN_DIV) {
    return whole;
  }
  return dae_term_sub(terms, operands[0], dae_term_mul(terms, whole, operands[1]));
}

uint32_t
dae_buffers_watch(DaeBuffers *buffers, DaeTerm g, DaeTerm text, DaeSpan span)
{
  DaeSymbol symbol =
      dae_terms_add_unlisted_symbol(buffers->terms, DAE_SYMBOL_PARAMETER, "watch");
  DaeBuffer buffer = {.kind = DAE_BUFFER_POSITIVE,
                      .guard = DAE_GUARD_WATCH,
                      .g = g,
                      .atom = dae_term_parameter(buffers->terms, symbol),
                      .text = text,
                      .span = span};
  g_array_append_val(buffers->list, buffer);
  return buffers->list->len - 1;
}

/* ---- walking a term ---------------------------------------------------------------------- */

static bool
is_whole_function(const DaeTerms *terms, DaeTerm t)
{
  return dae_function_facts(dae_term_function(terms, t))->rounds;
}

/* Sums and products of what has a value everywhere, chosen by conditions. */
static bool
is_total(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, top);
    if (kind == DAE_KIND_POWER || kind == DAE_KIND_CALL) {
      return false;
    }
    dae_visit_enter(visit, top);
  }
  return true;
}

/* smooth(0, noEvent(if ...)), as limiters without events are written: a kink inside Newton's
 * iteration, or the end of a branch of solutions where the limiter stands in a loop. Where all
 * branches have values everywhere a buffer gives the same solution, and finds these. */
static void
open_smooth(DaeBuffers *buffers, DaeTerm t)
{
  DaeTerms *terms = buffers->terms;
  if (dae_term_kind(terms, t) != DAE_KIND_CALL ||
      dae_term_function(terms, t) != DAE_FN_SMOOTH || dae_term_is_literal(terms, t)) {
    return;
  }
  DaeTerm inside = dae_term_operand(terms, t, 1);
  if (dae_term_kind(terms, inside) == DAE_KIND_CALL &&
      dae_term_function(terms, inside) == DAE_FN_NOEVENT &&
      is_total(terms, dae_term_operand(terms, inside, 0))) {
    g_hash_table_add(buffers->opened, GUINT_TO_POINTER(inside));
  }
}

/* All parts of t are settled: is t itself to be replaced? */
static void
settle(DaeBuffers *buffers, DaeTerm t, DaeSpan span)
{
  DaeTerms *terms = buffers->terms;
  DaeKind kind = dae_term_kind(terms, t);
  bool is_relation = kind == DAE_KIND_RELATION;
  if (!is_relation && (kind != DAE_KIND_CALL || !is_whole_function(terms, t))) {
    return;
  }
  uint32_t n = 0;
  const DaeTerm *given = dae_term_operands(terms, t, &n);
  DaeTerm operands[2] = {dae_subst_apply(buffers->subst, given[0]), DAE_NO_TERM};
  operands[1] = n > 1 ? dae_subst_apply(buffers->subst, given[1]) : DAE_NO_TERM;
  bool changes = false;
  for (uint32_t i = 0; i < n; i++) {
    changes = changes || (operands[i] != DAE_NO_TERM && is_continuous(terms, operands[i]));
  }
  if (!changes) {
    return;
  }
  DaeTerm to = DAE_NO_TERM;
  if (is_relation) {
    DaeRelation op = dae_term_relation_op(terms, t);
    if (op == DAE_REL_EQ || op == DAE_REL_NE || dae_term_is_literal_truth(terms, given[0]) ||
        dae_term_is_literal_truth(terms, given[1])) {
      return;
    }
    to = relation_buffer(buffers, t, operands[0], operands[1], span);
  } else {
    to = whole_buffer(buffers, t, operands, span);
  }
  if (to != DAE_NO_TERM) {
    dae_subst_set(buffers->subst, t, to);
  }
}

typedef struct {
  DaeBuffers *buffers;
  DaeSpan span;
} Settling;

/* What is taken literally has nothing to settle; the first answer about it stays. */
static bool
is_settled(void *self, DaeTerm t)
{
  DaeBuffers *buffers = ((Settling *)self)->buffers;
  if (g_hash_table_contains(buffers->visited, GUINT_TO_POINTER(t))) {
    return true;
  }
  if (dae_term_is_literal(buffers->terms, t) &&
      !g_hash_table_contains(buffers->opened, GUINT_TO_POINTER(t))) {
    g_hash_table_add(buffers->visited, GUINT_TO_POINTER(t));
    return true;
  }
  return false;
}

static const DaeTerm *
parts_to_settle(void *self, DaeTerm t, uint32_t *n)
{
  DaeBuffers *buffers = ((Settling *)self)->buffers;
  open_smooth(buffers, t);
  return dae_term_operands(buffers->terms, t, n);
}

static void
settle_part(void *self, DaeTerm t)
{
  Settling *settling = self;
  g_hash_table_add(settling->buffers->visited, GUINT_TO_POINTER(t));
  settle(settling->buffers, t, settling->span);
}

DaeTerm
dae_buffers_put_in(DaeBuffers *buffers, DaeTerm t, DaeSpan span)
{
  if (t != DAE_NO_TERM && !dae_term_has_call(buffers->terms, t)) {
    return t; /* neither relation nor function: nothing in it is settled or replaced */
  }
  t = dae_edges_close(buffers->edges, dae_cusps_branch(buffers->terms, t));
  Settling settling = {buffers, span};
  const DaeWalk walk = {.ready = is_settled,
                        .operands = parts_to_settle,
                        .compute = settle_part,
                        .self = &settling,
                        .is_backwards = true};
  dae_walk(buffers->terms, t, &walk);
  return dae_subst_apply(buffers->subst, t);
}

uint32_t
dae_buffers_n(const DaeBuffers *buffers)
{
  return buffers->list->len;
}

const DaeBuffer *
dae_buffers_get(const DaeBuffers *buffers, uint32_t i)
{
  DAE_ASSERT(i < buffers->list->len);
  return &g_array_index(buffers->list, DaeBuffer, i);
}

bool
dae_buffers_is_negated(const DaeBuffers *buffers, DaeTerm atom)
{
  for (guint i = 0; i < buffers->list->len; i++) {
    const DaeBuffer *buffer = &g_array_index(buffers->list, DaeBuffer, i);
    if (buffer->atom == atom) {
      return buffer->is_negated;
    }
  }
  return false;
}

/* ---- values ------------------------------------------------------------------------------ */

double
dae_buffer_value(DaeBufferKind kind, double g)
{
  switch (kind) {
  case DAE_BUFFER_POSITIVE:
    return g > 0 ? 1 : 0;
  case DAE_BUFFER_NONNEGATIVE:
    return g >= 0 ? 1 : 0;
  case DAE_BUFFER_FLOOR:
    return floor(g);
  case DAE_BUFFER_CEIL:
    return ceil(g);
  case DAE_BUFFER_TRUNC:
    return trunc(g);
  }
  return 0;
}

/* The range of g in which the buffer has this value. */
static void
range_of(DaeBufferKind kind, double value, double *low, double *high)
{
  *low = -INFINITY;
  *high = INFINITY;
  switch (kind) {
  case DAE_BUFFER_POSITIVE:
  case DAE_BUFFER_NONNEGATIVE:
    *low = value > 0.5 ? 0 : -INFINITY;
    *high = value > 0.5 ? INFINITY : 0;
    break;
  case DAE_BUFFER_FLOOR:
    *low = value;
    *high = value + 1;
    break;
  case DAE_BUFFER_CEIL:
    *low = value - 1;
    *high = value;
    break;
  case DAE_BUFFER_TRUNC:
    *low = value > 0 ? value : value - 1;
    *high = value < 0 ? value : value + 1;
    break;
  }
}

double
dae_buffer_distance(DaeBufferKind kind, double value, double g, int *side)
{
  double low = 0;
  double high = 0;
  range_of(kind, value, &low, &high);
  *side = g - low < high - g ? -1 : 1;
  return fmin(g - low, high - g);
}
