/* Value of a term and its derivatives with Arb, from the operands up. The checker walks by
 * itself: it shares no code with what it checks. */
#include "proofcheck/ball_walk.h"

#include <string.h>

#include "base/base.h"

/* ---- values ------------------------------------------------------------------------------ */

Value *
dae_ball_value_new(const Walk *walk)
{
  Value *value = g_new0(Value, 1);
  arb_init(value->value);
  value->d = walk->n_directions == 0 ? NULL : _arb_vec_init((slong)walk->n_directions);
  value->state = STATE_NUMBER;
  value->is_smooth = true;
  return value;
}

void
dae_ball_value_free(const Walk *walk, Value *value)
{
  arb_clear(value->value);
  if (value->d != NULL) {
    _arb_vec_clear(value->d, (slong)walk->n_directions);
  }
  g_free(value);
}

static const Value *
operand_value(const Walk *walk, DaeTerm t)
{
  return g_hash_table_lookup(walk->memo, GUINT_TO_POINTER(t));
}

static void
set_number(const Walk *walk, DaeTerm t, arb_t out)
{
  g_autofree char *text = dae_term_to_string(walk->certifier->terms, t);
  char *slash = strchr(text, '/');
  if (slash == NULL) {
    arb_set_str(out, text, walk->precision);
    return;
  }
  *slash = '\0';
  arb_t denominator;
  arb_init(denominator);
  arb_set_str(out, text, walk->precision);
  arb_set_str(denominator, slash + 1, walk->precision);
  arb_div(out, out, denominator, walk->precision);
  arb_clear(denominator);
}

/* out.d = factor * in.d, added. */
static void
add_scaled(const Walk *walk, Value *out, const arb_t factor, const Value *in)
{
  for (uint32_t k = 0; k < walk->n_directions; k++) {
    arb_addmul(out->d + k, factor, in->d + k, walk->precision);
  }
}

static void
atom_value(const Walk *walk, DaeTerm t, Value *out)
{
  const DaeCertifier *certifier = walk->certifier;
  const Value *local =
      walk->locals == NULL ? NULL : g_hash_table_lookup(walk->locals, GUINT_TO_POINTER(t));
  if (local != NULL) {
    dae_ball_value_copy(walk, local, out);
    return;
  }
  arb_srcptr ball = g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(t));
  if (ball == NULL) {
    out->state = STATE_BAD;
    return;
  }
  arb_set(out->value, ball);
  if (walk->at_midpoint) {
    arb_get_mid_arb(out->value, out->value);
  }
  for (uint32_t k = 0; k < walk->n_directions; k++) {
    if (walk->directions[k] == t) {
      arb_one(out->d + k);
    }
  }
}

static void
sum_value(const Walk *walk, const DaeTerm *operands, uint32_t n, Value *out)
{
  arb_t one;
  arb_init(one);
  arb_one(one);
  for (uint32_t i = 0; i < n; i++) {
    const Value *a = operand_value(walk, operands[i]);
    arb_add(out->value, out->value, a->value, walk->precision);
    add_scaled(walk, out, one, a);
  }
  arb_clear(one);
}

static void
product_value(const Walk *walk, const DaeTerm *operands, uint32_t n, Value *out)
{
  arb_one(out->value);
  for (uint32_t i = 0; i < n; i++) {
    const Value *a = operand_value(walk, operands[i]);
    for (uint32_t k = 0; k < walk->n_directions; k++) {
      arb_mul(out->d + k, out->d + k, a->value, walk->precision);
    }
    add_scaled(walk, out, out->value, a);
    arb_mul(out->value, out->value, a->value, walk->precision);
  }
}

/* A whole exponent: written as a number, or the value of a parameter. */
static bool
get_whole_exponent(const Walk *walk, DaeTerm t, const Value *exponent, slong *n)
{
  DaeTerms *terms = walk->certifier->terms;
  int64_t written = 0;
  if (dae_term_get_int64(terms, t, &written)) {
    *n = (slong)written;
    return ABS(written) < 1000000;
  }
  if (!dae_term_is_parametric(terms, t) || !arb_is_int(exponent->value) ||
      arf_cmpabs_ui(arb_midref(exponent->value), 1000000) >= 0) {
    return false;
  }
  *n = arf_get_si(arb_midref(exponent->value), ARF_RND_DOWN);
  return true;
}

static void
whole_power(const Walk *walk, const Value *base, slong n, Value *out)
{
  if (n < 0 && arb_contains_zero(base->value)) {
    out->state = STATE_BAD;
    return;
  }
  arb_t factor;
  fmpz_t e;
  arb_init(factor);
  fmpz_init_set_si(e, n);
  arb_pow_fmpz(out->value, base->value, e, walk->precision);
  fmpz_sub_ui(e, e, 1);
  if (n != 0) {
    arb_pow_fmpz(factor, base->value, e, walk->precision);
    arb_mul_si(factor, factor, n, walk->precision);
    add_scaled(walk, out, factor, base);
  }
  fmpz_clear(e);
  arb_clear(factor);
}

/* base^exponent: d = base^exponent*(exponent/base*base.d + log(base)*exponent.d). */
static void
power_value(const Walk *walk, const DaeTerm *operands, Value *out)
{
  const Value *base = operand_value(walk, operands[0]);
  const Value *exponent = operand_value(walk, operands[1]);
  slong n = 0;
  arb_t factor;
  arb_init(factor);
  if (get_whole_exponent(walk, operands[1], exponent, &n)) {
    whole_power(walk, base, n, out);
  } else if (arb_is_positive(base->value)) {
    arb_pow(out->value, base->value, exponent->value, walk->precision);
    arb_div(factor, out->value, base->value, walk->precision);
    arb_mul(factor, factor, exponent->value, walk->precision);
    add_scaled(walk, out, factor, base);
    arb_log(factor, base->value, walk->precision);
    arb_mul(factor, factor, out->value, walk->precision);
    add_scaled(walk, out, factor, exponent);
  } else if (arb_is_zero(base->value) && arb_is_positive(exponent->value)) {
    out->is_smooth = false; /* 0^(1/2) is 0, without a derivative */
  } else {
    out->state = STATE_BAD;
  }
  arb_clear(factor);
}

/* ---- functions --------------------------------------------------------------------------- */
void
dae_ball_value_copy(const Walk *walk, const Value *from, Value *out)
{
  out->state = from->state;
  out->is_smooth = from->is_smooth;
  arb_set(out->value, from->value);
  for (uint32_t k = 0; k < walk->n_directions; k++) {
    arb_set(out->d + k, from->d + k);
  }
}

/* atan2(a, b) away from its cut: d = (b*a.d - a*b.d)/(a^2 + b^2). */
static void
angle_value(const Walk *walk, const Value *a, const Value *b, Value *out)
{
  arb_t square;
  arb_t factor;
  arb_init(square);
  arb_init(factor);
  arb_atan2(out->value, a->value, b->value, walk->precision);
  arb_mul(square, a->value, a->value, walk->precision);
  arb_addmul(square, b->value, b->value, walk->precision);
  arb_div(factor, b->value, square, walk->precision);
  add_scaled(walk, out, factor, a);
  arb_div(factor, a->value, square, walk->precision);
  arb_neg(factor, factor);
  add_scaled(walk, out, factor, b);
  arb_clear(factor);
  arb_clear(square);
}

/* a/b rounded down, or toward zero: one whole number for all of both balls, away from a jump. */
static bool
whole_quotient(const Walk *walk, bool is_down, const Value *a, const Value *b, arb_t out)
{
  arb_div(out, a->value, b->value, walk->precision);
  if (!arb_is_finite(out) || arb_contains_int(out)) {
    return false;
  }
  if (is_down || arb_is_positive(out)) {
    arb_floor(out, out, walk->precision);
  } else {
    arb_ceil(out, out, walk->precision);
  }
  return arb_is_exact(out);
}

/* div(a, b) = q, mod(a, b) and rem(a, b) = a - q*b. */
static void
division_value(const Walk *walk, DaeFunction f, const Value *a, const Value *b, Value *out)
{
  arb_t quotient;
  arb_init(quotient);
  if (!whole_quotient(walk, f == DAE_FN_MOD, a, b, quotient)) {
    out->state = STATE_BAD;
  } else if (f == DAE_FN_DIV) {
    arb_set(out->value, quotient);
  } else {
    dae_ball_value_copy(walk, a, out);
    arb_neg(quotient, quotient);
    arb_addmul(out->value, quotient, b->value, walk->precision);
    add_scaled(walk, out, quotient, b);
  }
  arb_clear(quotient);
}

/* Does it move in one of the directions? At the edge of a branch that is no derivative. */
static bool
moves(const Walk *walk, const Value *value)
{
  for (uint32_t k = 0; k < walk->n_directions; k++) {
    if (!arb_is_zero(value->d + k)) {
      return true;
    }
  }
  return false;
}

/* At an edge: which way is gone. False: none, there is no derivative. */
static bool
edge_way(const Walk *walk, DaeTerm t, bool *way)
{
  GHashTable *edges = walk->certifier->edges;
  if (edges == NULL) {
    return false;
  }
  uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(edges, GUINT_TO_POINTER(t)));
  if (number == 0) {
    number = g_hash_table_size(edges) + 1;
    g_hash_table_insert(edges, GUINT_TO_POINTER(t), GUINT_TO_POINTER(number));
  }
  *way = number <= 32 && ((walk->certifier->edge_mode >> (number - 1)) & 1);
  return true;
}

/* Functions of several arguments that choose one of them or divide. */
static void
choosing_value(const Walk *walk, DaeTerm t, const DaeTerm *operands, uint32_t n, Value *out)
{
  DaeFunction f = dae_term_function(walk->certifier->terms, t);
  const Value *a = operand_value(walk, operands[0]);
  const Value *b = n > 1 ? operand_value(walk, operands[1]) : NULL;
  if (f == DAE_FN_HOMOTOPY) {
    dae_ball_value_copy(walk, a, out);
  } else if (f == DAE_FN_SMOOTH && b != NULL) {
    dae_ball_value_copy(walk, b, out);
  } else if ((f == DAE_FN_MIN || f == DAE_FN_MAX) && b != NULL) {
    bool less = arb_le(a->value, b->value);
    bool greater = arb_ge(a->value, b->value);
    if (less || greater) {
      bool is_edge = less && greater && (moves(walk, a) || moves(walk, b));
      bool takes_first = less == (f == DAE_FN_MIN);
      bool is_smooth = !is_edge || edge_way(walk, t, &takes_first);
      dae_ball_value_copy(walk, takes_first ? a : b, out);
      out->is_smooth = out->is_smooth && is_smooth;
    } else {
      (f == DAE_FN_MIN ? arb_min : arb_max)(out->value, a->value, b->value, walk->precision);
      out->is_smooth = false;
    }
  } else if (f == DAE_FN_SEMILINEAR && n == 3 &&
             (arb_is_nonnegative(a->value) || arb_is_negative(a->value))) {
    bool is_negative = arb_is_negative(a->value);
    DaeTerm chosen[2] = {operands[0], operands[is_negative ? 2 : 1]};
    product_value(walk, chosen, 2, out);
    out->is_smooth = is_negative || arb_is_positive(a->value);
  } else if (f == DAE_FN_ATAN2 && b != NULL &&
             (arb_is_positive(b->value) || !arb_contains_zero(a->value))) {
    angle_value(walk, a, b, out);
  } else if (f == DAE_FN_ATAN2 && b != NULL && arb_is_zero(a->value) && arb_is_zero(b->value)) {
    arb_zero(out->value);
    out->is_smooth = false;
  } else if ((f == DAE_FN_MOD || f == DAE_FN_DIV || f == DAE_FN_REM) && b != NULL) {
    division_value(walk, f, a, b, out);
  } else {
    out->state = STATE_BAD;
  }
}

static void
call_value(const Walk *walk, DaeTerm t, const DaeTerm *operands, uint32_t n, Value *out)
{
  DaeFunction f = dae_term_function(walk->certifier->terms, t);
  if (f == DAE_FN_PI) {
    arb_const_pi(out->value, walk->precision);
    return;
  }
  if (n != 1) {
    choosing_value(walk, t, operands, n, out);
    return;
  }
  const Value *a = operand_value(walk, operands[0]);
  arb_t slope;
  bool way = false;
  arb_init(slope);
  if ((f == DAE_FN_ABS || f == DAE_FN_SIGN) && arb_is_zero(a->value) && moves(walk, a) &&
      edge_way(walk, t, &way)) {
    arb_set_si(slope, f == DAE_FN_SIGN ? 0 : way ? 1 : -1);
    add_scaled(walk, out, slope, a);
  } else if (dae_ball_walk_function(f, a->value, out->value, slope, walk->precision)) {
    if (moves(walk, a)) { /* at a jump a slope is none */
      add_scaled(walk, out, slope, a);
    }
  } else {
    out->state = STATE_BAD;
  }
  arb_clear(slope);
}

/* ---- conditions -------------------------------------------------------------------------- */

static State
relation_state(DaeRelation relation, const arb_t a, const arb_t b)
{
  bool less = arb_lt(a, b);
  bool greater = arb_gt(a, b);
  bool same = arb_is_exact(a) && arb_equal(a, b);
  bool is_open = !less && !greater && !same;
  if (is_open) {
    return STATE_BAD;
  }
  bool holds = false;
  switch (relation) {
  case DAE_REL_LT:
    holds = less;
    break;
  case DAE_REL_LE:
    holds = less || same;
    break;
  case DAE_REL_GT:
    holds = greater;
    break;
  case DAE_REL_GE:
    holds = greater || same;
    break;
  case DAE_REL_EQ:
    holds = same;
    break;
  case DAE_REL_NE:
    holds = !same;
    break;
  }
  return holds ? STATE_TRUE : STATE_FALSE;
}

State
dae_ball_truth(const Value *value)
{
  if (value->state != STATE_NUMBER) {
    return value->state;
  }
  return !arb_is_exact(value->value) ? STATE_BAD
         : arb_is_zero(value->value) ? STATE_FALSE
                                     : STATE_TRUE;
}

static State
logic_state(const Walk *walk, DaeKind kind, const DaeTerm *operands, uint32_t n)
{
  bool is_known = true;
  for (uint32_t i = 0; i < n; i++) {
    State state = dae_ball_truth(operand_value(walk, operands[i]));
    if (kind == DAE_KIND_NOT) {
      return state == STATE_TRUE ? STATE_FALSE : state == STATE_FALSE ? STATE_TRUE : STATE_BAD;
    }
    if (state == (kind == DAE_KIND_AND ? STATE_FALSE : STATE_TRUE)) {
      return state;
    }
    is_known = is_known && (state == STATE_TRUE || state == STATE_FALSE);
  }
  return !is_known ? STATE_BAD : kind == DAE_KIND_AND ? STATE_TRUE : STATE_FALSE;
}

static void
if_value(const Walk *walk, const DaeTerm *operands, Value *out)
{
  State condition = dae_ball_truth(operand_value(walk, operands[0]));
  if (condition == STATE_TRUE || condition == STATE_FALSE) {
    dae_ball_value_copy(walk, operand_value(walk, operands[condition == STATE_TRUE ? 1 : 2]),
                        out);
    out->is_smooth = out->is_smooth && operand_value(walk, operands[0])->is_smooth;
  } else {
    out->state = STATE_BAD;
  }
}

/* ---- the walk ---------------------------------------------------------------------------- */

static bool
operands_are_numbers(const Walk *walk, const DaeTerm *operands, uint32_t n, bool *smooth)
{
  for (uint32_t i = 0; i < n; i++) {
    const Value *value = operand_value(walk, operands[i]);
    if (value->state != STATE_NUMBER) {
      return false;
    }
    *smooth = *smooth && value->is_smooth;
  }
  return true;
}

static void
arithmetic_value(const Walk *walk, DaeTerm t, DaeKind kind, Value *out)
{
  const DaeTerms *terms = walk->certifier->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  bool smooth = true;
  if (!operands_are_numbers(walk, operands, n, &smooth)) {
    out->state = STATE_BAD;
    return;
  }
  if (kind == DAE_KIND_NUMBER) {
    set_number(walk, t, out->value);
  } else if (kind == DAE_KIND_SUM) {
    sum_value(walk, operands, n, out);
  } else if (kind == DAE_KIND_PRODUCT) {
    product_value(walk, operands, n, out);
  } else if (kind == DAE_KIND_POWER) {
    power_value(walk, operands, out);
  } else if (kind == DAE_KIND_CALL) {
    call_value(walk, t, operands, n, out);
  } else {
    atom_value(walk, t, out);
  }
  out->is_smooth = out->is_smooth && smooth;
  if (!arb_is_finite(out->value)) {
    out->state = STATE_BAD;
  }
}

static void
node_value(const Walk *walk, DaeTerm t, Value *out)
{
  DaeTerms *terms = walk->certifier->terms;
  gpointer bound = g_hash_table_lookup(walk->certifier->bound, GUINT_TO_POINTER(t));
  if (bound != NULL) {
    const Value *value = operand_value(walk, GPOINTER_TO_UINT(bound));
    if (value == NULL) { /* a circle */
      out->state = STATE_BAD;
    } else {
      dae_ball_value_copy(walk, value, out);
    }
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_BOOLEAN) {
    out->state = dae_term_get_bool(terms, t) ? STATE_TRUE : STATE_FALSE;
  } else if (kind == DAE_KIND_AND || kind == DAE_KIND_OR || kind == DAE_KIND_NOT) {
    out->state = logic_state(walk, kind, operands, n);
    for (uint32_t i = 0; i < n; i++) {
      out->is_smooth = out->is_smooth && operand_value(walk, operands[i])->is_smooth;
    }
  } else if (kind == DAE_KIND_RELATION) {
    const Value *a = operand_value(walk, operands[0]);
    const Value *b = operand_value(walk, operands[1]);
    out->state = a->state == STATE_NUMBER && b->state == STATE_NUMBER
                     ? relation_state(dae_term_relation_op(terms, t), a->value, b->value)
                     : STATE_BAD;
    bool is_edge = out->state != STATE_BAD && arb_equal(a->value, b->value) &&
                   (moves(walk, a) || moves(walk, b));
    bool way = false;
    bool is_smooth = !is_edge || edge_way(walk, t, &way);
    if (is_edge && is_smooth) {
      out->state = way ? STATE_TRUE : STATE_FALSE;
    }
    out->is_smooth = a->is_smooth && b->is_smooth && is_smooth;
  } else if (kind == DAE_KIND_IF) {
    if_value(walk, operands, out);
  } else if (kind != DAE_KIND_CALL || !dae_ball_walk_special(walk, t, out)) {
    arithmetic_value(walk, t, kind, out);
  }
}

static void
push_operands(const Walk *walk, DaeTerm t, GArray *stack)
{
  gpointer bound = g_hash_table_lookup(walk->certifier->bound, GUINT_TO_POINTER(t));
  if (bound != NULL) {
    DaeTerm value = GPOINTER_TO_UINT(bound);
    g_array_append_val(stack, value);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(walk->certifier->terms, t, &n);
  g_array_append_vals(stack, operands, n);
}

/* Value of t; belongs to the walk. */
const Value *
dae_ball_walk_value(Walk *walk, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) opened = g_hash_table_new(NULL, NULL);
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm node = g_array_index(stack, DaeTerm, stack->len - 1);
    if (operand_value(walk, node) != NULL) {
      g_array_set_size(stack, stack->len - 1);
    } else if (g_hash_table_add(opened, GUINT_TO_POINTER(node))) {
      push_operands(walk, node, stack);
    } else {
      Value *value = dae_ball_value_new(walk);
      node_value(walk, node, value);
      g_hash_table_insert(walk->memo, GUINT_TO_POINTER(node), value);
      g_array_set_size(stack, stack->len - 1);
    }
  }
  return operand_value(walk, t);
}

void
dae_ball_walk_init(Walk *walk, const DaeCertifier *certifier, slong precision)
{
  *walk = (Walk){.certifier = certifier, .precision = precision};
  walk->memo = g_hash_table_new(NULL, NULL);
}

void
dae_ball_walk_clear(Walk *walk)
{
  GHashTableIter iter;
  gpointer value = NULL;
  g_hash_table_iter_init(&iter, walk->memo);
  while (g_hash_table_iter_next(&iter, NULL, &value)) {
    dae_ball_value_free(walk, value);
  }
  g_hash_table_unref(walk->memo);
}
