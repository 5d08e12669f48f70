/* Two semiLinear() with the same flow that exchange a slope [MLS, section 3.7.2.5]:
 *
 *   y = semiLinear(x, a, s),  y = semiLinear(x, s, b)
 *
 * say nothing of s where x = 0. The specification lets the second one become s = if x >= 0 then
 * a else b: the same for x <> 0, and a choice where there is none. This is how a fluid that
 * stands still has a temperature at its ports. It is sought after aliases are gone, so that
 * flows -x and enthalpies -y of the other side are recognized.
 *
 * Where a stream is split into shares of fixed size,
 *
 *   0 = c1*y1 + c2*y2 + ...,  yk = semiLinear(dk*x, ak, bk) with numbers dk,
 *
 * the balance says nothing where x = 0 either. It is x times the same sum of slopes, which takes
 * its place: c1*d1*a1 + ... = 0 for x >= 0 and d1 > 0, and so on. This is done only for an x of
 * time and parameters: an unknown one might be 0 just because the slopes do not balance. */
#include "simplify/simplify-priv.h"

#define LONGEST_CHAIN 1000u
#define LONGEST_SUM 16u /* of members beside the flow */

typedef struct { /* y = semiLinear(x, positive, negative) */
  DaeTerm y, x, positive, negative;
} Flow;

/* t = coefficient*rest with a number as coefficient; of a sum, that of its first member. */
static void
split_number(DaeTerms *terms, DaeTerm t, DaeTerm *coefficient, DaeTerm *rest)
{
  *coefficient = dae_term_int(terms, 1);
  *rest = t;
  uint32_t n = 0;
  if (dae_term_kind(terms, t) == DAE_KIND_SUM) {
    const DaeTerm *members = dae_term_operands(terms, t, &n);
    DaeTerm first = members[dae_term_is_number(terms, members[0]) ? 1 : 0];
    DaeTerm one = DAE_NO_TERM;
    split_number(terms, first, coefficient, &one);
    *rest = dae_term_div(terms, t, *coefficient);
    return;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return;
  }
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_is_number(terms, operands[i])) {
      *coefficient = operands[i];
      *rest = dae_term_div(terms, t, operands[i]);
      return;
    }
  }
}

static bool
is_flow(DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_CALL &&
         dae_term_function(terms, t) == DAE_FN_SEMILINEAR;
}

/* semiLinear(c*x, a, b) is c*semiLinear(x, a, b) for c > 0, c*semiLinear(x, b, a) for c < 0:
 * returns c. */
static DaeTerm
normalize(DaeTerms *terms, DaeTerm call, Flow *flow)
{
  DaeTerm c = DAE_NO_TERM;
  split_number(terms, dae_term_operand(terms, call, 0), &c, &flow->x);
  bool turns = dae_term_sign(terms, c) < 0;
  flow->positive = dae_term_operand(terms, call, turns ? 2 : 1);
  flow->negative = dae_term_operand(terms, call, turns ? 1 : 2);
  return c;
}

/* 0 = r + d*semiLinear(...), where r may be a sum: variables that aliases took the place of
 * leave one. */
static bool
read_flow(DaeTerms *terms, DaeTerm residual, Flow *flow)
{
  uint32_t n = 0;
  uint32_t n_flows = 0;
  if (dae_term_kind(terms, residual) != DAE_KIND_SUM || !dae_term_has_call(terms, residual)) {
    return false;
  }
  const DaeTerm *operands = dae_term_operands(terms, residual, &n);
  DaeTerm call = DAE_NO_TERM;
  DaeTerm scale = DAE_NO_TERM;
  DaeTerm r = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < n && n <= LONGEST_SUM; i++) {
    DaeTerm number = DAE_NO_TERM;
    DaeTerm rest = DAE_NO_TERM;
    split_number(terms, operands[i], &number, &rest);
    if (is_flow(terms, rest)) {
      n_flows++;
      call = rest;
      scale = number;
    }
  }
  if (n_flows != 1) {
    return false;
  }
  scale = dae_term_neg(terms, dae_term_mul(terms, scale, normalize(terms, call, flow)));
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm number = DAE_NO_TERM;
    DaeTerm rest = DAE_NO_TERM;
    split_number(terms, operands[i], &number, &rest);
    if (rest != call) {
      r = dae_term_add(terms, r, dae_term_div(terms, operands[i], scale));
    }
  }
  flow->y = r;
  return true;
}

/* The slope that both share, on different sides: its equation. DAE_NO_TERM: none. */
static DaeTerm
exchange(DaeTerms *terms, const Flow *a, const Flow *b)
{
  if (a->y != b->y || a->x != b->x) {
    return DAE_NO_TERM;
  }
  const Flow *first = a->negative == b->positive ? a : b;
  const Flow *second = first == a ? b : a;
  if (first->negative != second->positive || first->positive == first->negative ||
      dae_term_is_number(terms, first->negative)) {
    return DAE_NO_TERM;
  }
  DaeTerm comes = dae_term_relation(terms, DAE_REL_GE, a->x, dae_term_int(terms, 0));
  DaeTerm value = dae_term_if(terms, comes, first->positive, second->negative);
  return dae_term_sub(terms, first->negative, dae_term_call1(terms, DAE_FN_NOEVENT, value));
}

typedef struct {
  Flow flow;
  uint32_t equation;
  uint32_t chain; /* union-find: an earlier one that exchanges a slope with it, or itself */
} Member;

static uint32_t
first_of(GArray *members, uint32_t i)
{
  while (g_array_index(members, Member, i).chain != i) {
    i = g_array_index(members, Member, i).chain;
  }
  return i;
}

/* Of a chain of n flows with n - 1 exchanged slopes all equations but the first are
 * restated, one for each slope. A flow is in at most two links: they are found by
 * comparing those of the same y. */
static void
restate(DaeSimplifier *s, GArray *members)
{
  for (uint32_t k = 1; k < members->len; k++) {
    for (uint32_t i = 0; i < k; i++) {
      uint32_t a = first_of(members, i);
      uint32_t b = first_of(members, k);
      DaeTerm residual = a != b ? exchange(s->terms, &g_array_index(members, Member, i).flow,
                                           &g_array_index(members, Member, k).flow)
                                : DAE_NO_TERM;
      if (residual != DAE_NO_TERM) {
        g_array_index(members, Member, MAX(a, b)).chain = MIN(a, b);
        dae_simplifier_restate(s, g_array_index(members, Member, MAX(a, b)).equation, residual);
      }
    }
  }
}

/* ---- balances ----------------------------------------------------------------------------- */

typedef struct {
  DaeSimplifier *s;
  GHashTable *definitions; /* variable -> Member *: number*variable = semiLinear(...) */
  uint8_t *is_definition;  /* by equation */
} Streams;

/* 0 = x*(if x >= 0 then positive else negative) */
typedef struct {
  DaeTerm x, positive, negative;
} Balance;

static void
find_definitions(Streams *streams)
{
  DaeSimplifier *s = streams->s;
  for (uint32_t i = 0; i < s->m; i++) {
    Member member = {.equation = i};
    DaeTerm c = DAE_NO_TERM;
    DaeTerm variable = DAE_NO_TERM;
    if (s->residual[i] == DAE_NO_TERM || !dae_term_has_call(s->terms, s->residual[i]) ||
        !read_flow(s->terms, dae_simplifier_whole(s, i), &member.flow)) {
      continue;
    }
    split_number(s->terms, member.flow.y, &c, &variable);
    if (dae_term_kind(s->terms, variable) == DAE_KIND_VARIABLE &&
        !g_hash_table_contains(streams->definitions, GUINT_TO_POINTER(variable))) {
      streams->is_definition[i] = 1;
      g_hash_table_insert(streams->definitions, GUINT_TO_POINTER(variable),
                          g_memdup2(&member, sizeof member));
    }
  }
}

/* Adds number*semiLinear(...) or number*variable. False: it is neither, or another stream. */
static bool
add_part(const Streams *streams, DaeTerm part, Balance *balance)
{
  DaeTerms *terms = streams->s->terms;
  DaeTerm number = DAE_NO_TERM;
  DaeTerm rest = DAE_NO_TERM;
  Flow flow;
  split_number(terms, part, &number, &rest);
  const Member *member = g_hash_table_lookup(streams->definitions, GUINT_TO_POINTER(rest));
  if (is_flow(terms, rest)) {
    number = dae_term_mul(terms, number, normalize(terms, rest, &flow));
  } else if (member != NULL) {
    DaeTerm c = DAE_NO_TERM;
    flow = member->flow;
    split_number(terms, flow.y, &c, &rest);
    number = dae_term_div(terms, number, c);
  } else {
    return false;
  }
  if (balance->x != DAE_NO_TERM && balance->x != flow.x) {
    return false;
  }
  balance->x = flow.x;
  balance->positive =
      dae_term_add(terms, balance->positive, dae_term_mul(terms, number, flow.positive));
  balance->negative =
      dae_term_add(terms, balance->negative, dae_term_mul(terms, number, flow.negative));
  return true;
}

/* Is 0 = residual the balance of one stream, whose slopes hold unknowns in both directions? */
static bool
read_balance(const Streams *streams, DaeTerm residual, Balance *balance)
{
  DaeTerms *terms = streams->s->terms;
  DaeTerm zero = dae_term_int(terms, 0);
  uint32_t n = 0;
  if (dae_term_kind(terms, residual) != DAE_KIND_SUM) {
    return false;
  }
  const DaeTerm *operands = dae_term_operands(terms, residual, &n);
  *balance = (Balance){.x = DAE_NO_TERM, .positive = zero, .negative = zero};
  bool is_balance = n <= LONGEST_SUM;
  for (uint32_t i = 0; i < n && is_balance; i++) {
    is_balance = add_part(streams, operands[i], balance);
  }
  return is_balance && !dae_term_has_variables(terms, balance->x) &&
         dae_term_has_variables(terms, balance->positive) &&
         dae_term_has_variables(terms, balance->negative);
}

static void
restate_balances(DaeSimplifier *s)
{
  g_autofree uint8_t *is_definition = g_new0(uint8_t, s->m + 1);
  g_autoptr(GHashTable) definitions = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  Streams streams = {s, definitions, is_definition};
  find_definitions(&streams);
  for (uint32_t i = 0; i < s->m && g_hash_table_size(definitions) > 0; i++) {
    Balance balance;
    if (s->residual[i] == DAE_NO_TERM || is_definition[i] != 0 ||
        !read_balance(&streams, dae_simplifier_whole(s, i), &balance)) {
      continue;
    }
    DaeTerm comes =
        dae_term_relation(s->terms, DAE_REL_GE, balance.x, dae_term_int(s->terms, 0));
    DaeTerm sum = dae_term_if(s->terms, comes, balance.positive, balance.negative);
    dae_simplifier_restate(
        s, i, dae_terms_rewrite(s->terms, dae_term_call1(s->terms, DAE_FN_NOEVENT, sum)));
  }
}

void
dae_simplify_flows(DaeSimplifier *s)
{
  g_autoptr(GHashTable) groups =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  g_autoptr(GPtrArray) order = g_ptr_array_new(); /* of the groups */
  for (uint32_t i = 0; i < s->m && s->is_sound; i++) {
    Member member = {.equation = i};
    if (s->residual[i] == DAE_NO_TERM || !dae_term_has_call(s->terms, s->residual[i]) ||
        !read_flow(s->terms, dae_simplifier_whole(s, i), &member.flow)) {
      continue;
    }
    gpointer key = GUINT_TO_POINTER(member.flow.y);
    GArray *group = g_hash_table_lookup(groups, key);
    if (group == NULL) {
      group = g_array_new(FALSE, FALSE, sizeof(Member));
      g_hash_table_insert(groups, key, group);
      g_ptr_array_add(order, group);
    }
    member.chain = group->len;
    if (group->len < LONGEST_CHAIN) {
      g_array_append_val(group, member);
    }
  }
  for (guint i = 0; i < order->len; i++) {
    restate(s, order->pdata[i]);
  }
  if (order->len > 0 && s->is_sound) {
    restate_balances(s);
  }
  dae_simplify_aliases(s);
}
