/* Is everything that the premises say defined at the solution? Rows are solved for what makes
 * their numerators zero, factor by factor: x = 0 solves sin(x)/x = 0 and x*log(x) = 0 only as long
 * as nobody asks for the other factor. What is not active (branches) is not asked. */
#include "initcheck/initcheck-priv.h"

enum { MOST_ASKED = 20000 };

static bool
is_entered(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  if (kind != DAE_KIND_CALL) {
    return kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER;
  }
  const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
  return facts->kind == DAE_CLASS_ANALYTIC || facts->picks;
}

/* The sign of t where all unknowns in it are solved; false: it is open. */
static bool
sign_at_solution(IcEngine *engine, DaeTerm t, int *sign)
{
  IcSystem *sys = engine->sys;
  bool used_values = false;
  t = dae_term_has_time(sys->terms, t) ? ic_prepare(sys, t, &used_values) : t;
  if (t == DAE_NO_TERM) {
    return false;
  }
  DaeTerm reduced = ic_has_unknown(sys, t) ? ic_engine_reduce(engine, t, NULL) : t;
  if (reduced == DAE_NO_TERM || ic_has_unknown(sys, reduced)) {
    return false;
  }
  DaeTerm value = ic_at_values(sys, reduced);
  return value != DAE_NO_TERM && dae_algebra_sign(sys->algebra, value, sign);
}

static bool
is_defined(IcEngine *engine, DaeTerm t)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm argument = dae_term_operand(terms, t, 0);
  int sign = 1;
  if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    uint8_t domain = dae_function_facts(dae_term_function(terms, t))->domain;
    if (domain == DAE_DOMAIN_UNIT) {
      DaeTerm inside =
          dae_term_sub(terms, dae_term_int(terms, 1), dae_term_pow_int(terms, argument, 2));
      return !sign_at_solution(engine, inside, &sign) || sign >= 0;
    }
    if (domain == DAE_DOMAIN_POLES) {
      DaeTerm below = dae_term_call1(terms, DAE_FN_COS, argument);
      return !sign_at_solution(engine, below, &sign) || sign != 0;
    }
    return domain != DAE_DOMAIN_POSITIVE || !sign_at_solution(engine, argument, &sign) ||
           sign > 0;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  int64_t n = 0;
  bool is_whole = dae_term_get_int64(terms, exponent, &n);
  bool divides = dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) < 0;
  if ((is_whole && !divides) || !sign_at_solution(engine, argument, &sign)) {
    return true;
  }
  return divides ? sign != 0 && (is_whole || sign > 0) : sign >= 0;
}

static bool
has_a_domain(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_POWER || (kind == DAE_KIND_CALL && is_entered(terms, t));
}

/* ---- arguments that are outside of their domain ------------------------------------------- */

/* What must not be negative for the part to have a value; DAE_NO_TERM: it has one everywhere, or
 * there may be a limit (a quotient), or it is not told by a sign (a varying exponent). */
static DaeTerm
guard_of(DaeTerms *terms, DaeTerm part)
{
  DaeTerm argument = dae_term_operand(terms, part, 0);
  if (dae_term_kind(terms, part) == DAE_KIND_POWER) {
    int64_t n = 0;
    DaeTerm exponent = dae_term_operand(terms, part, 1);
    bool is_root =
        dae_term_is_number(terms, exponent) && !dae_term_get_int64(terms, exponent, &n);
    return is_root ? argument : DAE_NO_TERM;
  }
  switch (dae_function_facts(dae_term_function(terms, part))->domain) {
  case DAE_DOMAIN_POSITIVE: /* log(-1) stands where a limit is not known, which proves nothing */
    return dae_term_is_number(terms, argument) ? DAE_NO_TERM : argument;
  case DAE_DOMAIN_UNIT:
    return dae_term_sub(terms, dae_term_int(terms, 1), dae_term_pow_int(terms, argument, 2));
  default:
    return DAE_NO_TERM;
  }
}

static void
add_parts(IcSystem *sys, DaeTerm t, GArray *parts)
{
  if (t == DAE_NO_TERM || dae_term_is_polynomial(sys->terms, t)) {
    return;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(sys->terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!is_entered(sys->terms, node)) {
      continue;
    }
    if (has_a_domain(sys->terms, node) && guard_of(sys->terms, node) != DAE_NO_TERM) {
      g_array_append_val(parts, node);
    }
    dae_visit_enter(visit, node);
  }
}

static void
free_list(gpointer list)
{
  if (list != NULL) {
    g_array_unref(list);
  }
}

void
ic_list_parts(IcSystem *sys)
{
  sys->parts = g_ptr_array_new_full(sys->premises->len, free_list);
  for (guint p = 0; p < sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(sys->premises, IcPremise, p);
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    add_parts(sys, premise->lhs, parts);
    add_parts(sys, premise->rhs, parts);
    g_ptr_array_add(sys->parts, parts->len > 0 ? g_steal_pointer(&parts) : NULL);
  }
}

/* At the edge an equation has a value that its derivatives lack: sqrt(0). A logarithm has none. */
static bool
is_outside(IcEngine *engine, DaeTerm part, int32_t order, GArray *lines)
{
  IcSystem *sys = engine->sys;
  DaeTerm guard = guard_of(sys->terms, part);
  g_array_set_size(lines, 0);
  DaeTerm reduced = ic_has_unknown(sys, guard) ? ic_engine_reduce(engine, guard, lines) : guard;
  double near = 0.0;
  if (reduced == DAE_NO_TERM || ic_has_unknown(sys, reduced) ||
      !ic_numeric_value(sys, reduced, &near) || near > 1e-6) {
    return false;
  }
  int sign = 1;
  bool used_values = engine->used_values;
  bool is_log = guard == dae_term_operand(sys->terms, part, 0) &&
                dae_term_kind(sys->terms, part) == DAE_KIND_CALL;
  if (ic_sign_at_values(engine, reduced, &sign) &&
      (sign < 0 || (sign == 0 && is_log && order == 0))) {
    return true;
  }
  engine->used_values = used_values;
  return false;
}

DaeTerm
ic_outside_domain(IcEngine *engine, uint32_t *premise, GArray *lines)
{
  const IcSystem *sys = engine->sys;
  for (guint r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    const GArray *parts =
        row->is_extra || row->passive ? NULL : g_ptr_array_index(sys->parts, row->premise);
    for (guint i = 0; parts != NULL && i < parts->len; i++) {
      DaeTerm part = g_array_index(parts, DaeTerm, i);
      const IcPremise *from = &g_array_index(sys->premises, IcPremise, row->premise);
      if (is_outside(engine, part, from->id.order, lines)) {
        *premise = row->premise;
        return part;
      }
    }
  }
  g_array_set_size(lines, 0);
  return DAE_NO_TERM;
}

/* ---- at the solution ---------------------------------------------------------------------- */

typedef struct {
  IcEngine *engine;
  GHashTable *seen;
  uint32_t n_asked;
} Search;

/* A node of t without a value; DAE_NO_TERM: none is known. */
static DaeTerm
find_undefined(Search *search, DaeTerm t)
{
  const DaeTerms *terms = search->engine->sys->terms;
  if (dae_term_is_polynomial(terms, t)) {
    return DAE_NO_TERM;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!is_entered(terms, node) || !g_hash_table_add(search->seen, GUINT_TO_POINTER(node))) {
      continue;
    }
    if (has_a_domain(terms, node)) {
      search->n_asked++;
      if (!is_defined(search->engine, node)) {
        return node;
      }
    }
    dae_visit_enter(visit, node);
  }
  return DAE_NO_TERM;
}

/* Functions of time are asked as they were written, too: at the start time the factor of time/x is
 * 0, and what is prepared has lost the other one. */
DaeTerm
ic_undefined_at_solution(IcEngine *engine, uint32_t *premise_of)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  Search search = {engine, seen, 0};
  DaeTerm found = DAE_NO_TERM;
  for (guint p = 0; found == DAE_NO_TERM && p < sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(sys->premises, IcPremise, p);
    const DaeTerm asked[] = {premise->residual, premise->shown_lhs, premise->shown_rhs};
    for (size_t k = 0; premise->residual != DAE_NO_TERM && found == DAE_NO_TERM &&
                       k < G_N_ELEMENTS(asked) && search.n_asked < MOST_ASKED;
         k++) {
      found = k == 0 || dae_term_has_time(sys->terms, asked[k])
                  ? find_undefined(&search, asked[k])
                  : DAE_NO_TERM;
      *premise_of = p;
    }
  }
  return found;
}

/* Has a function of time in t, at a place that counts, no value at the start? Sums and products are
 * put together before it is known: 0*log(0) and 0/(cos(0) - 1) are 0 to the constructors. */
static bool
is_undefined_node(IcSystem *sys, DaeSubst *at_start, DaeTerm node, bool *used_values)
{
  DaeTerms *terms = sys->terms;
  DaeKind kind = dae_term_kind(terms, node);
  bool is_power = kind == DAE_KIND_POWER &&
                  dae_term_is_number(terms, dae_term_operand(terms, node, 1)) &&
                  dae_term_sign(terms, dae_term_operand(terms, node, 1)) < 0;
  bool is_log =
      kind == DAE_KIND_CALL &&
      dae_function_facts(dae_term_function(terms, node))->domain == DAE_DOMAIN_POSITIVE;
  if (!is_power && !is_log) {
    return false;
  }
  DaeTerm inner = dae_subst_apply(at_start, dae_term_operand(terms, node, 0));
  inner = inner == DAE_NO_TERM ? inner : dae_terms_rewrite(terms, inner);
  int sign = 1;
  if (inner == DAE_NO_TERM || ic_has_unknown(sys, inner)) {
    return inner == DAE_NO_TERM;
  }
  if (is_log) {
    return ic_sign_of(sys, inner, &sign, used_values) && sign <= 0;
  }
  bool is_zero = ic_zero_at_values(sys, inner) == DAE_ZERO;
  *used_values = *used_values || (is_zero && dae_term_has_parameters(terms, inner));
  return is_zero;
}

bool
ic_undefined_at_start(IcSystem *sys, DaeSubst *at_start, DaeTerm t, bool *used_values)
{
  DaeTerms *terms = sys->terms;
  if (!dae_term_has_time(terms, t)) {
    return false;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!dae_term_has_time(terms, node)) {
      continue;
    }
    if (is_undefined_node(sys, at_start, node, used_values)) {
      return true;
    }
    if (dae_term_kind(terms, node) != DAE_KIND_IF) {
      dae_visit_enter(visit, node);
      continue;
    }
    DaeTerm cond = dae_subst_apply(at_start, dae_term_operand(terms, node, 0));
    cond = cond == DAE_NO_TERM ? cond : ic_decide_condition(sys, cond, used_values);
    if (cond != DAE_NO_TERM && dae_term_kind(terms, cond) == DAE_KIND_BOOLEAN) {
      dae_visit_add(visit,
                    dae_term_operand(terms, node, dae_term_get_bool(terms, cond) ? 1 : 2));
    }
  }
  return false;
}
