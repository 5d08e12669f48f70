/* Enclosures of terms by Arb balls at rational points: a ball that excludes 0 is a proof of
 * "not zero". A node whose value is not provably defined at the point is bad and makes its
 * users bad, except for the branch of an if-term that is not taken. */
#include <string.h>

#include "algebra/algebra-priv.h"

typedef enum { NODE_BAD, NODE_NUMBER, NODE_FALSE, NODE_TRUE, NODE_UNSEEN } NodeState;

typedef struct {
  DaeAlgebra *algebra;
  const DaePlan *plan;
  arb_ptr value;
  uint8_t *state;
  const DaeBallBinding *binding; /* NULL: values of the numbered point */
  uint32_t point;
  slong precision;
  uint32_t n_seen; /* nodes evaluated */
} Eval;

static bool
set_atom(Eval *e, DaeTerm t, arb_t out)
{
  if (e->binding != NULL && e->binding->index != NULL) {
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(e->binding->index, GUINT_TO_POINTER(t)));
    if (place > 0) {
      arb_set(out, e->binding->values + place - 1);
    }
    return place > 0;
  }
  if (e->binding != NULL) {
    for (size_t i = 0; i < e->binding->n; i++) {
      if (e->binding->atoms[i] == t) {
        arb_set(out, e->binding->values + i);
        return true;
      }
    }
    return false;
  }
  fmpq_t q;
  fmpq_init(q);
  dae_ball_atom_value(e->algebra, t, e->point, q);
  arb_set_fmpq(out, q, e->precision);
  fmpq_clear(q);
  return true;
}

static bool
power_rational(arb_t out, const arb_t base, const fmpq_t exponent, slong precision)
{
  if (fmpz_is_one(fmpq_denref(exponent))) {
    if (fmpz_sgn(fmpq_numref(exponent)) < 0 && arb_contains_zero(base)) {
      return false;
    }
    arb_pow_fmpz(out, base, fmpq_numref(exponent), precision);
    return true;
  }
  if (!arb_is_nonnegative(base) || !fmpz_fits_si(fmpq_denref(exponent)) ||
      (fmpz_sgn(fmpq_numref(exponent)) < 0 && arb_contains_zero(base))) {
    return false;
  }
  arb_root_ui(out, base, (ulong)fmpz_get_si(fmpq_denref(exponent)), precision);
  arb_pow_fmpz(out, out, fmpq_numref(exponent), precision);
  return true;
}

static bool
eval_power(Eval *e, uint32_t i, arb_t out)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  arb_srcptr base = e->value + operand[0];
  DaeTerm exponent = e->plan->node[operand[1]];
  if (!dae_term_is_number(e->algebra->terms, exponent)) {
    if (!arb_is_positive(base)) {
      return false;
    }
    arb_pow(out, base, e->value + operand[1], e->precision);
    return true;
  }
  fmpq_t q;
  fmpq_init(q);
  dae_number_get_fmpq(e->algebra->terms, exponent, q);
  bool ok = power_rational(out, base, q, e->precision);
  fmpq_clear(q);
  return ok;
}

/* Only where the ball holds one number of an element. */
static bool
eval_selection(const Eval *e, const uint32_t *operand, uint32_t n, arb_t out)
{
  for (uint32_t k = 1; k < n; k++) {
    if (arb_equal_si(e->value + operand[0], (slong)k)) {
      arb_set(out, e->value + operand[k]);
      return true;
    }
  }
  return false;
}

/* Only where the whole ball lies in one interval, or is one number of an element. */
static bool
eval_data(const Eval *e, uint32_t i, const arb_t x, arb_t out)
{
  const DaeTerms *terms = e->algebra->terms;
  DaeTerm t = e->plan->node[i];
  uint32_t data = 0;
  uint32_t n = 0;
  const double *values = dae_term_data(terms, t, &data, &n);
  if (dae_term_function(terms, t) == DAE_FN_LOOKUP) {
    if (!arb_is_int(x) || arf_cmp_si(arb_midref(x), 1) < 0 ||
        arf_cmp_si(arb_midref(x), (slong)n) > 0) {
      return false;
    }
    arb_set_d(out, values[arf_get_si(arb_midref(x), ARF_RND_DOWN) - 1]);
    return true;
  }
  uint32_t k = (uint32_t)dae_data_interval(values, n, arf_get_d(arb_midref(x), ARF_RND_NEAR));
  bool is_inside = arb_is_finite(x);
  arb_t end;
  arb_init(end);
  arb_set_d(end, values[k - 1]);
  is_inside = is_inside && (k == 1 || arb_ge(x, end));
  arb_set_d(end, values[k < n ? k : n - 1]);
  is_inside = is_inside && (k + 1 >= n || arb_lt(x, end));
  arb_clear(end);
  arb_set_ui(out, k);
  return is_inside;
}

static bool
eval_routine(Eval *e, uint32_t i, const uint32_t *operand, uint32_t n, arb_t out)
{
  bool is_box = e->binding != NULL && e->binding->index != NULL;
  arb_ptr arguments = _arb_vec_init(n);
  for (uint32_t k = 2; k < n; k++) {
    arb_set(arguments + k - 2, e->value + operand[k]);
  }
  bool ok =
      dae_ball_routine(e->algebra, e->plan->node[i], arguments, is_box, e->precision, out);
  _arb_vec_clear(arguments, n);
  return ok;
}

static bool
eval_call(Eval *e, uint32_t i, arb_t out)
{
  DaeFunction f = dae_term_function(e->algebra->terms, e->plan->node[i]);
  const DaeFunctionFacts *facts = dae_function_facts(f);
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  uint32_t n = dae_plan_arity(e->plan, i);
  if (facts->kind == DAE_CLASS_MARK) {
    arb_set(out, e->value + operand[facts->value_operand]);
    return true;
  }
  if (f == DAE_FN_SELECT) {
    return eval_selection(e, operand, n, out);
  }
  if (f == DAE_FN_ROUTINE) {
    return eval_routine(e, i, operand, n, out);
  }
  if (dae_function_facts(f)->takes_data) {
    return eval_data(e, i, e->value + operand[1], out);
  }
  arb_srcptr x[DAE_MOST_ARGUMENTS] = {NULL, NULL, NULL};
  for (uint32_t k = 0; k < n; k++) {
    x[k] = e->value + operand[k];
  }
  return dae_ball_function(f, x, e->precision, out);
}

static NodeState
compare_balls(DaeRelation relation, const arb_t a, const arb_t b)
{
  bool less = arb_lt(a, b);
  bool greater = arb_gt(a, b);
  bool equal = arb_equal(a, b) && arb_is_exact(a);
  bool at_most = arb_le(a, b);
  bool at_least = arb_ge(a, b);
  bool yes = false;
  bool no = false;
  switch (relation) {
  case DAE_REL_LT:
    yes = less, no = at_least;
    break;
  case DAE_REL_LE:
    yes = at_most, no = greater;
    break;
  case DAE_REL_GT:
    yes = greater, no = at_most;
    break;
  case DAE_REL_GE:
    yes = at_least, no = less;
    break;
  case DAE_REL_EQ:
    yes = equal, no = less || greater;
    break;
  case DAE_REL_NE:
    yes = less || greater, no = equal;
    break;
  }
  return yes ? NODE_TRUE : no ? NODE_FALSE : NODE_BAD;
}

/* A truth value; an atom in its place (a Boolean that is constant for now) is 0 or 1. */
static NodeState
truth_of(const Eval *e, uint32_t i)
{
  if (e->state[i] != NODE_NUMBER || !arb_is_exact(e->value + i)) {
    return e->state[i] == NODE_NUMBER ? NODE_BAD : (NodeState)e->state[i];
  }
  return arb_is_zero(e->value + i) ? NODE_FALSE : NODE_TRUE;
}

static NodeState
eval_logic(Eval *e, uint32_t i, DaeKind kind)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  uint32_t n = dae_plan_arity(e->plan, i);
  if (kind == DAE_KIND_NOT) {
    NodeState state = truth_of(e, operand[0]);
    return state == NODE_TRUE ? NODE_FALSE : state == NODE_FALSE ? NODE_TRUE : NODE_BAD;
  }
  NodeState stop = kind == DAE_KIND_AND ? NODE_FALSE : NODE_TRUE;
  NodeState result = kind == DAE_KIND_AND ? NODE_TRUE : NODE_FALSE;
  for (uint32_t k = 0; k < n; k++) {
    NodeState state = truth_of(e, operand[k]);
    if (state == stop) {
      return stop;
    }
    result = state == NODE_TRUE || state == NODE_FALSE ? result : NODE_BAD;
  }
  return result;
}

static NodeState
eval_if(Eval *e, uint32_t i)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  NodeState condition = truth_of(e, operand[0]);
  if (condition != NODE_TRUE && condition != NODE_FALSE) {
    return NODE_BAD;
  }
  uint32_t chosen = operand[condition == NODE_TRUE ? 1 : 2];
  if (e->state[chosen] == NODE_NUMBER) {
    arb_set(e->value + i, e->value + chosen);
  }
  return e->state[chosen];
}

/* Does the integer part of the quotient (of the argument, for floor and its
 * kin) change inside of the ball? */
static bool
jumps_inside(Eval *e, uint32_t i)
{
  DaeFunction f = dae_term_function(e->algebra->terms, e->plan->node[i]);
  const DaeFunctionFacts *facts = dae_function_facts(f);
  bool has_quotient = facts->domain == DAE_DOMAIN_DIVISOR;
  if (e->binding == NULL || e->binding->index == NULL || !facts->rounds) {
    return false;
  }
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  arb_t part;
  arb_init(part);
  if (has_quotient) {
    arb_div(part, e->value + operand[0], e->value + operand[1], e->precision);
  } else {
    arb_set(part, e->value + operand[0]);
  }
  bool jumps = arb_contains_int(part);
  arb_clear(part);
  return jumps;
}

static NodeState
eval_arithmetic(Eval *e, uint32_t i, DaeKind kind)
{
  DaeTerms *terms = e->algebra->terms;
  arb_ptr out = e->value + i;
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  uint32_t n = dae_plan_arity(e->plan, i);
  for (uint32_t k = 0; k < n; k++) {
    if (e->state[operand[k]] != NODE_NUMBER) {
      return NODE_BAD;
    }
  }
  bool ok = true;
  if (kind == DAE_KIND_NUMBER) {
    fmpq_t q;
    fmpq_init(q);
    dae_number_get_fmpq(terms, e->plan->node[i], q);
    arb_set_fmpq(out, q, e->precision);
    fmpq_clear(q);
  } else if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    arb_set_si(out, kind == DAE_KIND_PRODUCT);
    for (uint32_t k = 0; k < n; k++) {
      (kind == DAE_KIND_PRODUCT ? arb_mul : arb_add)(out, out, e->value + operand[k],
                                                     e->precision);
    }
  } else if (kind == DAE_KIND_POWER) {
    ok = eval_power(e, i, out);
  } else if (kind == DAE_KIND_CALL) {
    ok = !jumps_inside(e, i) && eval_call(e, i, out);
  } else {
    ok = set_atom(e, e->plan->node[i], out);
  }
  return ok && arb_is_finite(out) ? NODE_NUMBER : NODE_BAD;
}

/* The operand that min(a, b) or max(a, b) is in the whole box; i itself: not decided. */
static uint32_t
extreme_operand(const Eval *e, uint32_t i, DaeFunction f)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  arb_srcptr a = e->value + operand[0];
  arb_srcptr b = e->value + operand[1];
  bool is_first = f == DAE_FN_MIN ? arb_le(a, b) : arb_ge(a, b);
  bool is_second = f == DAE_FN_MIN ? arb_ge(a, b) : arb_le(a, b);
  return is_first ? operand[0] : is_second ? operand[1] : i;
}

/* The node whose value this one has in the whole box, through branches that are decided. */
static uint32_t
same_as(const Eval *e, uint32_t i)
{
  DaeTerms *terms = e->algebra->terms;
  for (;;) {
    const uint32_t *operand = dae_plan_operands(e->plan, i);
    DaeKind kind = dae_term_kind(terms, e->plan->node[i]);
    uint32_t next = i;
    if (kind == DAE_KIND_IF) {
      NodeState condition = truth_of(e, operand[0]);
      next = condition == NODE_TRUE ? operand[1] : condition == NODE_FALSE ? operand[2] : i;
    } else if (kind == DAE_KIND_CALL) {
      DaeFunction f = dae_term_function(terms, e->plan->node[i]);
      const DaeFunctionFacts *facts = dae_function_facts(f);
      next = facts->kind == DAE_CLASS_MARK        ? operand[facts->value_operand]
             : f == DAE_FN_MIN || f == DAE_FN_MAX ? extreme_operand(e, i, f)
                                                  : i;
    }
    if (next == i) {
      return i;
    }
    i = next;
  }
}

/* Two balls of one node are one number wherever it lies in them: p > min(p, c) is false where p
 * is below c, though p is a ball. */
static NodeState
eval_relation(const Eval *e, uint32_t i)
{
  DaeRelation relation = dae_term_relation_op(e->algebra->terms, e->plan->node[i]);
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  if (e->state[operand[0]] != NODE_NUMBER || e->state[operand[1]] != NODE_NUMBER) {
    return NODE_BAD;
  }
  NodeState state = compare_balls(relation, e->value + operand[0], e->value + operand[1]);
  if (state != NODE_BAD || same_as(e, operand[0]) != same_as(e, operand[1])) {
    return state;
  }
  return relation == DAE_REL_LE || relation == DAE_REL_GE || relation == DAE_REL_EQ
             ? NODE_TRUE
             : NODE_FALSE;
}

static NodeState
eval_node(Eval *e, uint32_t i)
{
  DaeTerms *terms = e->algebra->terms;
  DaeKind kind = dae_term_kind(terms, e->plan->node[i]);
  switch (kind) {
  case DAE_KIND_BOOLEAN:
    return dae_term_get_bool(terms, e->plan->node[i]) ? NODE_TRUE : NODE_FALSE;
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return eval_logic(e, i, kind);
  case DAE_KIND_RELATION:
    return eval_relation(e, i);
  case DAE_KIND_IF:
    return eval_if(e, i);
  case DAE_KIND_NUMBER:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_POWER:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
  case DAE_KIND_CALL:
    return eval_arithmetic(e, i, kind);
  }
  return NODE_BAD;
}

/* What a node inside of a routine counts. The functions of a fluid have three to four times as
 * many nodes as the branches that are taken, and only those are seen: with 1 a search that finds
 * nothing would go on three times as long (water pumps: 21 s instead of 7). */
#define ROUTINE_NODE 3.0

/* Puts the operands that the value of node i needs and that are not yet evaluated on top of
 * those that wait; of an if-term its condition, then the branch that is taken: the other one may
 * be most of the work (a fluid has a formula for each region). false: there are none. */
static bool
await_operands(const Eval *e, uint32_t i, GArray *waiting)
{
  const uint32_t *operand = dae_plan_operands(e->plan, i);
  uint32_t n = dae_plan_arity(e->plan, i);
  guint before = waiting->len;
  bool is_if = n == 3 && dae_term_kind(e->algebra->terms, e->plan->node[i]) == DAE_KIND_IF;
  if (is_if && e->state[operand[0]] == NODE_UNSEEN) {
    n = 1;
  } else if (is_if) {
    NodeState condition = truth_of(e, operand[0]);
    operand += condition == NODE_TRUE ? 1 : 2;
    n = condition == NODE_BAD ? 0 : 1;
  }
  for (uint32_t k = n; k-- > 0;) {
    if (e->state[operand[k]] == NODE_UNSEEN) {
      g_array_append_val(waiting, operand[k]);
    }
  }
  return waiting->len > before;
}

/* Evaluates what the root needs. false: the budget ended. */
static bool
eval_root(Eval *e, uint32_t root, GArray *waiting)
{
  bool ok = true;
  g_array_append_val(waiting, root);
  while (waiting->len > 0 && ok) {
    uint32_t i = g_array_index(waiting, uint32_t, waiting->len - 1);
    if (e->state[i] == NODE_UNSEEN && await_operands(e, i, waiting)) {
      continue;
    }
    g_array_set_size(waiting, waiting->len - 1);
    if (e->state[i] == NODE_UNSEEN) {
      e->state[i] = (uint8_t)eval_node(e, i);
      e->n_seen++;
      ok = (e->n_seen & 255) != 0 || !dae_algebra_spent(e->algebra);
    }
  }
  return ok;
}

static bool
run(Eval *e, uint32_t n_roots, arb_ptr values)
{
  uint32_t n = e->plan->n;
  g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  e->value = _arb_vec_init(n);
  e->state = g_new(uint8_t, n + 1);
  memset(e->state, NODE_UNSEEN, n + 1);
  bool ok = true;
  for (uint32_t k = 0; k < n_roots && ok; k++) {
    ok = eval_root(e, e->plan->root[k], waiting) && e->state[e->plan->root[k]] == NODE_NUMBER;
    if (ok) {
      arb_set(values + k, e->value + e->plan->root[k]);
    }
  }
  e->algebra->ball_nodes += e->n_seen * (e->algebra->routine_depth > 0 ? ROUTINE_NODE : 1.0);
  _arb_vec_clear(e->value, n);
  g_free(e->state);
  return ok;
}

bool
dae_ball_eval(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_roots, DaeBallPoint at,
              arb_ptr values)
{
  Eval e = {.algebra = algebra, .plan = plan, .point = at.point, .precision = at.precision};
  return run(&e, n_roots, values);
}

bool
dae_ball_eval_bound(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_roots,
                    const DaeBallBinding *binding, slong precision, arb_ptr values)
{
  Eval e = {.algebra = algebra, .plan = plan, .binding = binding, .precision = precision};
  return run(&e, n_roots, values);
}

/* ---- remembered values at point 0 -------------------------------------------------------- */

static void
reserve_balls(DaeAlgebra *algebra)
{
  uint32_t count = dae_terms_count(algebra->terms) + 1;
  if (count <= algebra->n_balls) {
    return;
  }
  uint32_t from = algebra->n_balls;
  uint32_t to = MAX(count + 1024, from + from / 2);
  algebra->ball = g_renew(arb_struct, algebra->ball, to);
  algebra->ball_state = g_renew(uint8_t, algebra->ball_state, to);
  for (uint32_t i = from; i < to; i++) {
    arb_init(algebra->ball + i);
    algebra->ball_state[i] = 0;
  }
  algebra->n_balls = to;
}

/* States are kept with 1 added: 0 says that the term was not asked for. */
static void
eval_new_nodes(DaeAlgebra *algebra, const DaePlan *plan)
{
  Eval e = {.algebra = algebra, .plan = plan, .point = 0, .precision = DAE_BALL_PRECISION};
  e.value = _arb_vec_init(plan->n);
  e.state = g_new0(uint8_t, plan->n + 1);
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeTerm t = plan->node[i];
    if (algebra->ball_state[t] != 0) {
      e.state[i] = algebra->ball_state[t] - 1;
      arb_set(e.value + i, algebra->ball + t);
      continue;
    }
    e.state[i] = (uint8_t)eval_node(&e, i);
    algebra->ball_state[t] = e.state[i] + 1;
    if (e.state[i] == NODE_NUMBER) {
      arb_set(algebra->ball + t, e.value + i);
    }
  }
  _arb_vec_clear(e.value, plan->n);
  g_free(e.state);
}

arb_srcptr
dae_ball_at_point_0(DaeAlgebra *algebra, DaeTerm t)
{
  reserve_balls(algebra);
  if (algebra->ball_state[t] == 0) {
    g_autoptr(DaePlan) plan = dae_plan_new_above(algebra, t, algebra->ball_state);
    eval_new_nodes(algebra, plan);
  }
  return algebra->ball_state[t] - 1 == NODE_NUMBER ? algebra->ball + t : NULL;
}
