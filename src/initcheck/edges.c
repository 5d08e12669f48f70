/* Solutions on the edge of a condition. max(x, 0) = 0 has the solution x = 0 in the branch x >= 0,
 * and every x < 0 in the other: a branch that determines the unknowns says nothing of its
 * neighbours. Where the point found lies on the edge of conditions, the equations have to have the
 * same rank in every branch that meets there: then none has other solutions near the point. */
#include <math.h>

#include "initcheck/initcheck-priv.h"
#include "numeric/numeric.h"

enum { MOST_EDGES = 8, MOST_PREMISES = 5000 };

#define NEAR 1e-9  /* sides of a relation, relatively: it is at its edge */
#define SHARE 1e-9 /* of the largest entry of a row: what is left of it counts */

typedef struct {
  IcSystem *sys;
  const DaeInit *init;
  GArray *edges; /* DaeTerm: conditions */
} Edges;

static bool
value_as_found(void *user, DaeTerm atom, double *value)
{
  const Edges *e = user;
  return dae_init_value(e->init, atom, value) || ic_numeric_value(e->sys, atom, value);
}

static bool
number_at(Edges *e, DaeTerm t, double *value)
{
  return t != DAE_NO_TERM &&
         dae_term_eval_double(e->sys->terms, t, value_as_found, e, value) == DAE_EVAL_OK &&
         isfinite(*value);
}

/* Relations that are not decided clearly at the point, each once. */
static void
note_edges(Edges *e, DaeTerm condition)
{
  DaeTerms *terms = e->sys->terms;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, condition);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    double a = 0;
    double b = 0;
    dae_visit_enter(visit, node);
    if (dae_term_kind(terms, node) != DAE_KIND_RELATION ||
        (number_at(e, dae_term_operand(terms, node, 0), &a) &&
         number_at(e, dae_term_operand(terms, node, 1), &b) &&
         fabs(a - b) > NEAR * (1 + fabs(a) + fabs(b)))) {
      continue;
    }
    for (guint k = 0; k < e->edges->len; k++) {
      if (g_array_index(e->edges, DaeTerm, k) == condition) {
        return;
      }
    }
    g_array_append_val(e->edges, condition);
    return;
  }
}

/* Do the branches of the condition differ by a number only? Then the premise has the same slopes in
 * both, and at most one of them has solutions there: off = s < 0. */
static bool
differs_by_a_number(IcSystem *sys, DaeTerm residual, DaeTerm condition)
{
  DaeTerm difference =
      dae_term_sub(sys->terms, ic_follow_branch(sys, residual, condition, true),
                   ic_follow_branch(sys, residual, condition, false));
  return difference != DAE_NO_TERM && !ic_has_unknown(sys, difference) &&
         !dae_term_is_zero(sys->terms, difference);
}

static void
find_edges(Edges *e, const bool *is_dropped)
{
  for (guint p = 0; p < e->sys->premises->len; p++) {
    DaeTerm residual = g_array_index(e->sys->premises, IcPremise, p).residual;
    g_autoptr(GArray) conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    if (!is_dropped[p] && residual != DAE_NO_TERM) {
      ic_switch_conditions(e->sys, residual, conditions);
    }
    for (guint k = 0; k < conditions->len; k++) {
      DaeTerm condition = g_array_index(conditions, DaeTerm, k);
      if (!differs_by_a_number(e->sys, residual, condition)) {
        note_edges(e, condition);
      }
    }
  }
}

/* Adds the gradient of a premise in the branches of `mode`. A slope without a value (atan2 at 0, 0)
 * may be any number: it does no harm where other premises determine that unknown. */
static void
add_row(Edges *e, DaeTerm residual, uint32_t mode, DaeEchelon *echelon)
{
  IcSystem *sys = e->sys;
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint k = 0; k < e->edges->len; k++) {
    residual =
        ic_follow_branch(sys, residual, g_array_index(e->edges, DaeTerm, k), (mode >> k) & 1);
  }
  const GArray *inside = ic_unknowns_inside(sys, residual);
  for (guint k = 0; k < inside->len; k++) {
    uint32_t z = g_array_index(inside, uint32_t, k);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    double value = 0;
    if (!number_at(e, dae_term_partial(sys->terms, residual, atom), &value)) {
      value = 1.0 + 0.37 * sin((double)(z + 1));
    }
    g_array_append_val(columns, z);
    g_array_append_val(values, value);
  }
  (void)dae_echelon_add(echelon, (const uint32_t *)(void *)columns->data,
                        (const double *)(void *)values->data, columns->len, SHARE);
}

/* The rank of the premises in the branches of `mode`; UINT32_MAX: that takes too long. */
static uint32_t
rank_in(Edges *e, const bool *is_dropped, uint32_t mode)
{
  const IcSystem *sys = e->sys;
  DaeEchelon *echelon = dae_echelon_new(sys->unknowns->len, UINT64_C(50000000));
  for (guint p = 0; p < sys->premises->len; p++) {
    DaeTerm residual = g_array_index(sys->premises, IcPremise, p).residual;
    if (!is_dropped[p] && residual != DAE_NO_TERM) {
      add_row(e, residual, mode, echelon);
    }
  }
  uint32_t rank = dae_echelon_is_over(echelon) ? UINT32_MAX : dae_echelon_rank(echelon);
  dae_echelon_free(echelon);
  return rank;
}

DaeTerm
ic_loose_edge(IcEngine *engine, const DaeInit *init, const bool *is_dropped)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Edges e = {sys, init, edges};
  if (engine->decided->len == 0 || sys->premises->len > MOST_PREMISES) {
    return DAE_NO_TERM;
  }
  find_edges(&e, is_dropped);
  if (edges->len == 0) {
    return DAE_NO_TERM;
  }
  bool ok = edges->len <= MOST_EDGES;
  uint32_t rank = ok ? rank_in(&e, is_dropped, 0) : UINT32_MAX;
  for (uint32_t mode = 1; ok && mode < UINT32_C(1) << edges->len; mode++) {
    ok = rank != UINT32_MAX && rank_in(&e, is_dropped, mode) == rank;
  }
  return ok ? DAE_NO_TERM : g_array_index(edges, DaeTerm, 0);
}
