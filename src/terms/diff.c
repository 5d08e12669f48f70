/* Partial and total derivatives, forward, one result per node of the DAG. */
#include "terms/terms-priv.h"

/* in the memo: there is no derivative (division by the number 0) */
#define NO_RESULT UINT32_MAX

typedef struct {
  DaeTerms *terms;
  DaeTerm x;    /* DAE_NO_TERM: total time derivative */
  uint8_t mask; /* terms without these flags are constant */
  DaeMemo *memo;
  const DaeMemo *directions; /* atoms and what they are replaced by; NULL: see x */
} Derivation;

struct DaeDiff {
  Derivation derivation;
  DaeMemo memo;
};

static DaeTerm
known(const Derivation *d, DaeTerm t)
{
  if ((dae_node(d->terms, t)->flags & d->mask) == 0) {
    return d->terms->zero;
  }
  return dae_memo_get(d->memo, t);
}

static bool
diff_ready(void *self, DaeTerm t)
{
  return known(self, t) != 0;
}

static const DaeTerm *
diff_operands(void *self, DaeTerm t, uint32_t *n)
{
  const Derivation *d = self;
  const DaeTerm *operands = dae_term_operands(d->terms, t, n);
  switch (dae_term_kind(d->terms, t)) {
  case DAE_KIND_IF:
    (*n)--; /* not the condition */
    return operands + 1;
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    *n = 0;
    return operands;
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_POWER:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
  case DAE_KIND_CALL:
    return operands;
  }
  return operands;
}

static DaeTerm
derive_sum(const Derivation *d, const DaeTerm *operands, uint32_t n)
{
  DaeList list;
  dae_list_init(&list);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm part = known(d, operands[i]);
    if (part != d->terms->zero) {
      dae_list_push(&list, part);
    }
  }
  DaeTerm result = dae_term_sum(d->terms, list.data, list.n);
  dae_list_clear(&list);
  return result;
}

/* Sum over the factors that are not constant: product with that
 * factor replaced by its derivative. */
static DaeTerm
derive_product(const Derivation *d, const DaeTerm *operands, uint32_t n)
{
  DaeList sum;
  DaeList factors;
  dae_list_init(&sum);
  dae_list_init(&factors);
  dae_list_append(&factors, operands, n);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm part = known(d, operands[i]);
    if (part != d->terms->zero) {
      factors.data[i] = part;
      dae_list_push(&sum, dae_term_product(d->terms, factors.data, n));
      factors.data[i] = operands[i];
    }
  }
  DaeTerm result = dae_term_sum(d->terms, sum.data, sum.n);
  dae_list_clear(&sum);
  dae_list_clear(&factors);
  return result;
}

/* f(u1, ...): sum of outer times inner derivatives. */
static DaeTerm
derive_chain(const Derivation *d, DaeTerm t, const DaeTerm *operands, uint32_t n)
{
  DaeTerm result = d->terms->zero;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm inner = known(d, operands[i]);
    if (inner != d->terms->zero) {
      DaeTerm outer = dae_derive_outer(d->terms, t, i);
      result = dae_term_add(d->terms, result, dae_term_mul(d->terms, outer, inner));
    }
  }
  return result;
}

/* The parts a and b of a derivative that is a where the condition holds, else b. */
static DaeTerm
either(DaeTerms *terms, DaeTerm condition, DaeTerm a, DaeTerm b)
{
  return a == b ? a : dae_term_if(terms, condition, a, b);
}

/* (if c then a else b)^p is that of the branch that is taken: where that is 0 and constant, sqrt
 * has no derivative there, but the power has. */
static DaeTerm
derive_power(const Derivation *d, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  DaeTerms *terms = d->terms;
  DaeTerm base = dae_power_of_choice(terms, t);
  if (base == DAE_NO_TERM) {
    return derive_chain(d, t, u, n);
  }
  DaeTerm parts[2];
  for (uint32_t i = 0; i < 2; i++) {
    DaeTerm branch = dae_term_operand(terms, base, i + 1);
    DaeTerm inner = known(d, branch);
    DaeTerm power = dae_term_pow(terms, branch, dae_term_sub(terms, u[1], terms->one));
    parts[i] = inner == terms->zero ? terms->zero
               : power == DAE_NO_TERM
                   ? DAE_NO_TERM
                   : dae_term_product(terms, (DaeTerm[]){u[1], power, inner}, 3);
    if (parts[i] == DAE_NO_TERM) {
      return derive_chain(d, t, u, n);
    }
  }
  DaeTerm result = either(terms, dae_term_operand(terms, base, 0), parts[0], parts[1]);
  return base == u[0] ? result : dae_term_call1(terms, DAE_FN_NOEVENT, result);
}

/* The derivative of the element that is chosen. */
static DaeTerm
derive_selection(const Derivation *d, const DaeTerm *u, uint32_t n)
{
  DaeList parts;
  bool same = true;
  dae_list_init(&parts);
  for (uint32_t i = 1; i < n; i++) {
    dae_list_push(&parts, known(d, u[i]));
    same = same && parts.data[i - 1] == parts.data[0];
  }
  DaeTerm result = same ? parts.data[0] : dae_term_select(d->terms, u[0], parts.data, parts.n);
  dae_list_clear(&parts);
  return result;
}

/* Does x say where t goes from one branch to another? */
static bool
moves_breaks(DaeTerms *terms, DaeTerm t, DaeTerm x)
{
  bool moves = false;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm s = dae_visit_next(visit); s != DAE_NO_TERM && !moves;
       s = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, s);
    bool is_break =
        kind == DAE_KIND_RELATION ||
        (kind == DAE_KIND_CALL && dae_function_facts(dae_term_function(terms, s))->breaks);
    moves = is_break && dae_term_contains(terms, s, x);
    if ((dae_node(terms, s)->flags & DAE_HAS_BREAK) != 0) {
      dae_visit_enter(visit, s);
    }
  }
  return moves;
}

/* smooth(p, e) can be differentiated p times: its derivative once less, unless it is by something
 * that does not move the breaks: der(x) in smooth(1, if x > 0 then x*der(x) else 0). What may jump
 * has no mark. */
static DaeTerm
derive_smooth(const Derivation *d, const DaeTerm *u)
{
  DaeTerms *terms = d->terms;
  DaeTerm inner = known(d, u[1]);
  int64_t p = 0;
  if (!dae_term_get_int64(terms, u[0], &p) ||
      (dae_node(terms, inner)->flags & DAE_HAS_BREAK) == 0) {
    return inner;
  }
  bool is_along =
      d->x != DAE_NO_TERM && d->directions == NULL && !moves_breaks(terms, u[1], d->x);
  p -= is_along ? 0 : 1;
  return p < 0 ? inner : dae_term_call2(terms, DAE_FN_SMOOTH, dae_term_int(terms, p), inner);
}

static DaeTerm
derive_call(const Derivation *d, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  DaeTerms *terms = d->terms;
  DaeFunction function = dae_term_function(terms, t);
  if (dae_function_facts(function)->picks) {
    DaeRelation relation = function == DAE_FN_MIN ? DAE_REL_LE : DAE_REL_GE;
    return either(terms, dae_term_relation(terms, relation, u[0], u[1]), known(d, u[0]),
                  known(d, u[1]));
  }
  if (function == DAE_FN_SEMILINEAR) {
    DaeTerm right = derive_product(d, (DaeTerm[]){u[0], u[1]}, 2);
    DaeTerm left = derive_product(d, (DaeTerm[]){u[0], u[2]}, 2);
    return either(terms, dae_term_relation(terms, DAE_REL_GE, u[0], terms->zero), right, left);
  }
  if (function == DAE_FN_SELECT) {
    return derive_selection(d, u, n);
  }
  if (function == DAE_FN_NOEVENT) {
    DaeTerm inner = known(d, u[0]);
    /* around what has no break it closes a sum: so it does around the derivative */
    bool is_kept = (dae_node(terms, inner)->flags & DAE_HAS_BREAK) != 0 ||
                   ((dae_node(terms, u[0])->flags & DAE_HAS_BREAK) == 0 &&
                    dae_term_kind(terms, inner) == DAE_KIND_SUM);
    return is_kept ? dae_term_call1(terms, DAE_FN_NOEVENT, inner) : inner;
  }
  return function == DAE_FN_SMOOTH ? derive_smooth(d, u) : derive_chain(d, t, u, n);
}

static DaeTerm
derive_atom(const Derivation *d, DaeTerm t)
{
  if (d->directions != NULL) {
    DaeTerm along = dae_memo_get(d->directions, t);
    return along != DAE_NO_TERM ? along : d->terms->zero;
  }
  if (d->x != DAE_NO_TERM) {
    return t == d->x ? d->terms->one : d->terms->zero;
  }
  const DaeNode *node = dae_node(d->terms, t);
  if (node->kind == DAE_KIND_VARIABLE) {
    DAE_ASSERT(node->u.atom.order < UINT32_MAX);
    return dae_term_variable(d->terms, node->u.atom.symbol, node->u.atom.order + 1);
  }
  if (node->kind == DAE_KIND_PARAMETER && (node->flags & DAE_HAS_TIME) != 0) {
    const DaeSymbol derivative = dae_terms_input_derivative(d->terms, node->u.atom.symbol, 1);
    return dae_term_parameter(d->terms, derivative);
  }
  return node->kind == DAE_KIND_TIME ? d->terms->one : d->terms->zero;
}

static DaeTerm
derive(const Derivation *d, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(d->terms, t, &n);
  DaeKind kind = dae_term_kind(d->terms, t);
  switch (kind) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return d->terms->zero;
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    return derive_atom(d, t);
  case DAE_KIND_SUM:
    return derive_sum(d, u, n);
  case DAE_KIND_PRODUCT:
    return derive_product(d, u, n);
  case DAE_KIND_IF:
    return either(d->terms, u[0], known(d, u[1]), known(d, u[2]));
  case DAE_KIND_CALL:
    return derive_call(d, t, u, n);
  case DAE_KIND_POWER:
    return derive_power(d, t, u, n);
  }
  return d->terms->zero;
}

static void
diff_compute(void *self, DaeTerm t)
{
  const Derivation *d = self;
  uint32_t n = 0;
  const DaeTerm *u = diff_operands(self, t, &n);
  bool defined = true;
  for (uint32_t i = 0; i < n; i++) {
    defined = defined && known(d, u[i]) != NO_RESULT;
  }
  DaeTerm result = defined ? derive(d, t) : DAE_NO_TERM;
  dae_memo_set(d->memo, t, result == DAE_NO_TERM ? NO_RESULT : result);
}

static DaeTerm
apply(Derivation *d, DaeTerm t)
{
  DaeWalk walk = {
      .ready = diff_ready, .operands = diff_operands, .compute = diff_compute, .self = d};
  dae_walk(d->terms, t, &walk);
  DaeTerm result = known(d, t);
  return result == NO_RESULT ? DAE_NO_TERM : result;
}

static uint8_t
mask_of_atom(const DaeTerms *terms, DaeTerm x)
{
  DaeKind kind = dae_term_kind(terms, x);
  DAE_ASSERT(kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER || kind == DAE_KIND_TIME);
  return dae_node(terms, x)->flags;
}

DaeDiff *
dae_diff_new(DaeTerms *terms, DaeTerm x)
{
  DaeDiff *diff = g_new0(DaeDiff, 1);
  diff->derivation =
      (Derivation){.terms = terms, .x = x, .mask = mask_of_atom(terms, x), .memo = &diff->memo};
  return diff;
}

void
dae_diff_free(DaeDiff *diff)
{
  if (diff != NULL) {
    dae_memo_clear(&diff->memo);
    g_free(diff);
  }
}

DaeTerm
dae_diff_apply(DaeDiff *diff, DaeTerm t)
{
  return t == DAE_NO_TERM ? t : apply(&diff->derivation, t);
}

DaeTerm
dae_term_partial(DaeTerms *terms, DaeTerm t, DaeTerm x)
{
  g_autoptr(DaeDiff) diff = dae_diff_new(terms, x);
  return dae_diff_apply(diff, t);
}

DaeTerm
dae_term_total(DaeTerms *terms, DaeTerm t)
{
  Derivation d = {.terms = terms,
                  .x = DAE_NO_TERM,
                  .mask = DAE_HAS_VARIABLE | DAE_HAS_TIME,
                  .memo = &terms->totals};
  return t == DAE_NO_TERM ? t : apply(&d, t);
}

DaeTerm
dae_diff_along(DaeTerms *terms, DaeTerm t, const DaeMemo *directions, DaeMemo *memo)
{
  Derivation d = {
      .terms = terms, .mask = DAE_HAS_VARIABLE, .memo = memo, .directions = directions};
  return apply(&d, t);
}
