#include "proofcheck/certify.h"

#include <math.h>
#include <string.h>

#include "algebra/flint-compat.h"
#include "base/base.h"

#define BOX_PRECISION 1024
#define MAX_PRECISION 4096

typedef enum { STATE_BAD, STATE_NUMBER, STATE_TRUE, STATE_FALSE } State;

typedef struct { /* value of a term, with derivatives in the directions of the walk */
  State state;
  bool is_smooth; /* the derivatives are meant */
  arb_t value;
  arb_ptr d; /* n_directions */
} Value;

struct DaeCertifier {
  DaeTerms *terms;
  GHashTable *bound; /* atom -> term */
  GHashTable *balls; /* atom -> arb_struct * */
};

typedef struct { /* one evaluation */
  const DaeCertifier *certifier;
  slong precision;
  const DaeTerm *directions;
  uint32_t n_directions;
  bool at_midpoint;
  GHashTable *memo; /* term -> Value */
} Walk;

static void
free_ball(gpointer data)
{
  arb_clear((arb_ptr)data);
  g_free(data);
}

DaeCertifier *
dae_certifier_new(DaeTerms *terms)
{
  DaeCertifier *certifier = g_new0(DaeCertifier, 1);
  certifier->terms = terms;
  certifier->bound = g_hash_table_new(NULL, NULL);
  certifier->balls = g_hash_table_new_full(NULL, NULL, NULL, free_ball);
  return certifier;
}

void
dae_certifier_free(DaeCertifier *certifier)
{
  if (certifier != NULL) {
    g_hash_table_unref(certifier->bound);
    g_hash_table_unref(certifier->balls);
    g_free(certifier);
  }
}

void
dae_certifier_bind(DaeCertifier *certifier, DaeTerm atom, DaeTerm value)
{
  g_hash_table_insert(certifier->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
}

bool
dae_certifier_bind_ball(DaeCertifier *certifier, DaeTerm atom, const char *decimal, int radius)
{
  arb_ptr ball = g_new(arb_struct, 1);
  arb_init(ball);
  bool ok = arb_set_str(ball, decimal, BOX_PRECISION) == 0;
  arb_t width;
  arb_init(width);
  arb_set_si(width, 10);
  fmpz_t exponent;
  fmpz_init(exponent);
  fmpz_set_si(exponent, radius);
  arb_pow_fmpz(width, width, exponent, 64);
  arb_add_error(ball, width);
  fmpz_clear(exponent);
  arb_clear(width);
  g_hash_table_insert(certifier->balls, GUINT_TO_POINTER(atom), ball);
  return ok;
}

/* ---- values ------------------------------------------------------------------------------ */

static Value *
value_new(const Walk *walk)
{
  Value *value = g_new0(Value, 1);
  arb_init(value->value);
  value->d = walk->n_directions == 0 ? NULL : _arb_vec_init((slong)walk->n_directions);
  value->state = STATE_NUMBER;
  value->is_smooth = true;
  return value;
}

static void
value_free(gpointer data, uint32_t n)
{
  Value *value = data;
  arb_clear(value->value);
  if (value->d != NULL) {
    _arb_vec_clear(value->d, (slong)n);
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

/* base^exponent for any exponent that is a number: d = exponent * base^(exponent-1) * base.d. */
static void
power_value(const Walk *walk, const DaeTerm *operands, Value *out)
{
  const DaeTerms *terms = walk->certifier->terms;
  const Value *base = operand_value(walk, operands[0]);
  const Value *exponent = operand_value(walk, operands[1]);
  int64_t n = 0;
  arb_t factor;
  arb_init(factor);
  if (dae_term_get_int64(terms, operands[1], &n) && ABS(n) < 1000000) {
    if (n < 0 && arb_contains_zero(base->value)) {
      out->state = STATE_BAD;
    } else {
      fmpz_t e;
      fmpz_init(e);
      fmpz_set_si(e, (slong)n);
      arb_pow_fmpz(out->value, base->value, e, walk->precision);
      fmpz_sub_ui(e, e, 1);
      arb_pow_fmpz(factor, base->value, e, walk->precision);
      arb_mul_si(factor, factor, (slong)n, walk->precision);
      fmpz_clear(e);
    }
  } else if (arb_is_positive(base->value)) {
    arb_pow(out->value, base->value, exponent->value, walk->precision);
    arb_div(factor, out->value, base->value, walk->precision);
    arb_mul(factor, factor, exponent->value, walk->precision);
    out->is_smooth = dae_term_is_number(terms, operands[1]);
  } else if (arb_is_zero(base->value) && arb_is_positive(exponent->value)) {
    out->is_smooth = false; /* 0^(1/2) is 0, without a derivative */
  } else {
    out->state = STATE_BAD;
  }
  if (out->state == STATE_NUMBER && out->is_smooth) {
    add_scaled(walk, out, factor, base);
  }
  arb_clear(factor);
}

/* ---- functions --------------------------------------------------------------------------- */

/* 1/sqrt(1 - x^2) times a sign, for asin and acos. */
static void
arc_slope(arb_t slope, const arb_t x, int sign, slong precision)
{
  arb_mul(slope, x, x, precision);
  arb_sub_si(slope, slope, 1, precision);
  arb_neg(slope, slope);
  arb_rsqrt(slope, slope, precision);
  arb_mul_si(slope, slope, sign, precision);
}

static bool
circular(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  switch ((int)f) {
  case DAE_FN_SIN:
    arb_sin_cos(value, slope, x, precision);
    return true;
  case DAE_FN_COS:
    arb_sin_cos(slope, value, x, precision);
    arb_neg(slope, slope);
    return true;
  case DAE_FN_TAN:
    arb_tan(value, x, precision);
    arb_mul(slope, value, value, precision);
    arb_add_si(slope, slope, 1, precision);
    return true;
  case DAE_FN_ASIN:
    arb_asin(value, x, precision);
    arc_slope(slope, x, 1, precision);
    return true;
  case DAE_FN_ACOS:
    arb_acos(value, x, precision);
    arc_slope(slope, x, -1, precision);
    return true;
  case DAE_FN_ATAN:
    arb_atan(value, x, precision);
    arb_mul(slope, x, x, precision);
    arb_add_si(slope, slope, 1, precision);
    arb_inv(slope, slope, precision);
    return true;
  default:
    return false;
  }
}

static bool
exponential(DaeFunction f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  switch ((int)f) {
  case DAE_FN_EXP:
    arb_exp(value, x, precision);
    arb_set(slope, value);
    return true;
  case DAE_FN_SINH:
    arb_sinh_cosh(value, slope, x, precision);
    return true;
  case DAE_FN_COSH:
    arb_sinh_cosh(slope, value, x, precision);
    return true;
  case DAE_FN_TANH:
    arb_tanh(value, x, precision);
    arb_mul(slope, value, value, precision);
    arb_sub_si(slope, slope, 1, precision);
    arb_neg(slope, slope);
    return true;
  case DAE_FN_LOG:
    arb_log(value, x, precision);
    arb_inv(slope, x, precision);
    return true;
  case DAE_FN_LOG10:
    arb_log_base_ui(value, x, 10, precision);
    arb_const_log10(slope, precision);
    arb_mul(slope, slope, x, precision);
    arb_inv(slope, slope, precision);
    return true;
  default:
    return false;
  }
}

/* abs, sign, noEvent: by the sign of the argument. */
static bool
by_sign(DaeFunction f, const arb_t x, arb_t value, arb_t slope)
{
  int sign = arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
  if (f == DAE_FN_NOEVENT) {
    arb_set(value, x);
    arb_one(slope);
    return true;
  }
  if ((f != DAE_FN_ABS && f != DAE_FN_SIGN) || (sign == 0 && !arb_is_zero(x))) {
    return false;
  }
  if (f == DAE_FN_ABS) {
    arb_abs(value, x);
    arb_set_si(slope, sign);
  } else {
    arb_set_si(value, sign);
    arb_zero(slope);
  }
  if (sign == 0) { /* no derivative at the corner */
    arb_indeterminate(slope);
  }
  return true;
}

static void
copy_value(const Walk *walk, const Value *from, Value *out)
{
  out->state = from->state;
  out->is_smooth = from->is_smooth;
  arb_set(out->value, from->value);
  for (uint32_t k = 0; k < walk->n_directions; k++) {
    arb_set(out->d + k, from->d + k);
  }
}

/* Functions of several arguments that choose one of them. */
static void
choosing_value(const Walk *walk, DaeFunction f, const DaeTerm *operands, uint32_t n, Value *out)
{
  const Value *a = operand_value(walk, operands[0]);
  const Value *b = n > 1 ? operand_value(walk, operands[1]) : NULL;
  if (f == DAE_FN_HOMOTOPY) {
    copy_value(walk, a, out);
  } else if (f == DAE_FN_SMOOTH && b != NULL) {
    copy_value(walk, b, out);
  } else if ((f == DAE_FN_MIN || f == DAE_FN_MAX) && b != NULL) {
    bool less = arb_le(a->value, b->value);
    bool greater = arb_ge(a->value, b->value);
    if (less || greater) {
      copy_value(walk, less == (f == DAE_FN_MIN) ? a : b, out);
    } else {
      (f == DAE_FN_MIN ? arb_min : arb_max)(out->value, a->value, b->value, walk->precision);
      out->is_smooth = false;
    }
  } else if (f == DAE_FN_ATAN2 && b != NULL && arb_is_positive(b->value)) {
    arb_atan2(out->value, a->value, b->value, walk->precision);
    out->is_smooth = false;
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
    choosing_value(walk, f, operands, n, out);
    return;
  }
  const Value *a = operand_value(walk, operands[0]);
  arb_t slope;
  arb_init(slope);
  if (circular(f, a->value, out->value, slope, walk->precision) ||
      exponential(f, a->value, out->value, slope, walk->precision) ||
      by_sign(f, a->value, out->value, slope)) {
    add_scaled(walk, out, slope, a);
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

static State
logic_state(const Walk *walk, DaeKind kind, const DaeTerm *operands, uint32_t n)
{
  bool is_known = true;
  for (uint32_t i = 0; i < n; i++) {
    State state = operand_value(walk, operands[i])->state;
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
  State condition = operand_value(walk, operands[0])->state;
  if (condition == STATE_TRUE || condition == STATE_FALSE) {
    copy_value(walk, operand_value(walk, operands[condition == STATE_TRUE ? 1 : 2]), out);
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
      copy_value(walk, value, out);
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
  } else if (kind == DAE_KIND_RELATION) {
    const Value *a = operand_value(walk, operands[0]);
    const Value *b = operand_value(walk, operands[1]);
    out->state = a->state == STATE_NUMBER && b->state == STATE_NUMBER
                     ? relation_state(dae_term_relation_op(terms, t), a->value, b->value)
                     : STATE_BAD;
  } else if (kind == DAE_KIND_IF) {
    if_value(walk, operands, out);
  } else {
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
static const Value *
evaluate(Walk *walk, DaeTerm t)
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
      Value *value = value_new(walk);
      node_value(walk, node, value);
      g_hash_table_insert(walk->memo, GUINT_TO_POINTER(node), value);
      g_array_set_size(stack, stack->len - 1);
    }
  }
  return operand_value(walk, t);
}

static void
walk_init(Walk *walk, const DaeCertifier *certifier, slong precision)
{
  *walk = (Walk){.certifier = certifier, .precision = precision};
  walk->memo = g_hash_table_new(NULL, NULL);
}

static void
walk_clear(Walk *walk)
{
  GHashTableIter iter;
  gpointer value = NULL;
  g_hash_table_iter_init(&iter, walk->memo);
  while (g_hash_table_iter_next(&iter, NULL, &value)) {
    value_free(value, walk->n_directions);
  }
  g_hash_table_unref(walk->memo);
}

/* ---- questions --------------------------------------------------------------------------- */

bool
dae_certifier_sign(DaeCertifier *certifier, DaeTerm t, int *sign)
{
  for (slong precision = 64; precision <= MAX_PRECISION; precision *= 4) {
    Walk walk;
    walk_init(&walk, certifier, precision);
    const Value *value = evaluate(&walk, t);
    bool is_number = value->state == STATE_NUMBER;
    *sign = !is_number                      ? 0
            : arb_is_positive(value->value) ? 1
            : arb_is_negative(value->value) ? -1
                                            : 0;
    walk_clear(&walk);
    if (*sign != 0) {
      return true;
    }
  }
  return false;
}

bool
dae_certifier_is_regular(DaeCertifier *certifier, const DaeTerm *entries, uint32_t n)
{
  bool is_regular = false;
  bool is_defined = true;
  arb_mat_t matrix;
  arb_t determinant;
  arb_mat_init(matrix, n, n);
  arb_init(determinant);
  for (slong precision = 64; precision <= MAX_PRECISION && is_defined && !is_regular;
       precision *= 4) {
    Walk walk;
    walk_init(&walk, certifier, precision);
    for (uint32_t k = 0; k < n * n && is_defined; k++) {
      const Value *value = evaluate(&walk, entries[k]);
      is_defined = value->state == STATE_NUMBER;
      if (is_defined) {
        arb_set(arb_mat_entry(matrix, k / n, k % n), value->value);
      }
    }
    walk_clear(&walk);
    if (is_defined) {
      arb_mat_det(determinant, matrix, precision);
      is_regular = !arb_contains_zero(determinant);
    }
  }
  arb_mat_clear(matrix);
  arb_clear(determinant);
  return is_defined && is_regular;
}

static bool
compare_size(const DaeCertifier *certifier, DaeTerm t, int exponent, bool below)
{
  Walk walk;
  walk_init(&walk, certifier, BOX_PRECISION);
  const Value *value = evaluate(&walk, t);
  arb_t bound;
  arb_t size;
  arb_init(bound);
  arb_init(size);
  arb_set_si(bound, 10);
  fmpz_t e;
  fmpz_init(e);
  fmpz_set_si(e, exponent);
  arb_pow_fmpz(bound, bound, e, 64);
  fmpz_clear(e);
  arb_abs(size, value->value);
  bool ok = value->state == STATE_NUMBER && (below ? arb_le(size, bound) : arb_ge(size, bound));
  arb_clear(bound);
  arb_clear(size);
  walk_clear(&walk);
  return ok;
}

bool
dae_certifier_is_below_bits(DaeCertifier *certifier, DaeTerm t, int bits)
{
  bool is_below = false;
  for (slong precision = 64; precision <= 2 * (slong)bits + 256 && !is_below; precision *= 2) {
    Walk walk;
    walk_init(&walk, certifier, MIN(precision, (slong)bits + 128));
    const Value *value = evaluate(&walk, t);
    bool is_number = value->state == STATE_NUMBER;
    bool is_open = is_number && arb_contains_zero(value->value);
    is_below = is_open && arf_cmpabs_2exp_si(arb_midref(value->value), -(slong)bits - 1) <= 0 &&
               mag_cmp_2exp_si(arb_radref(value->value), -(slong)bits - 1) <= 0;
    walk_clear(&walk);
    if (is_number && !is_open) {
      return false;
    }
  }
  return is_below;
}

bool
dae_certifier_is_below(DaeCertifier *certifier, DaeTerm t, int exponent)
{
  return compare_size(certifier, t, exponent, true);
}

bool
dae_certifier_is_above(DaeCertifier *certifier, DaeTerm t, int exponent)
{
  return compare_size(certifier, t, exponent, false);
}

/* Row i of f at the midpoints, and of the Jacobian over the box. */
static bool
fill_row(const DaeCertifier *certifier, DaeTerm equation, const DaeTerm *atoms, uint32_t n,
         arb_ptr f, arb_ptr row)
{
  Walk walk;
  walk_init(&walk, certifier, BOX_PRECISION);
  walk.at_midpoint = true;
  const Value *value = evaluate(&walk, equation);
  bool ok = value->state == STATE_NUMBER;
  arb_set(f, value->value);
  walk_clear(&walk);
  walk_init(&walk, certifier, BOX_PRECISION);
  walk.directions = atoms;
  walk.n_directions = n;
  value = evaluate(&walk, equation);
  ok = ok && value->state == STATE_NUMBER && value->is_smooth;
  for (uint32_t k = 0; k < n && ok; k++) {
    arb_set(row + k, value->d + k);
    ok = arb_is_finite(row + k);
  }
  walk_clear(&walk);
  return ok;
}

bool
dae_certifier_has_solution(DaeCertifier *certifier, const DaeTerm *equations,
                           const DaeTerm *atoms, uint32_t n)
{
  arb_mat_t jacobian;
  arb_mat_t f;
  arb_mat_t step;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(f, n, 1);
  arb_mat_init(step, n, 1);
  arb_ptr row = _arb_vec_init((slong)n);
  bool ok = n > 0;
  for (uint32_t i = 0; i < n && ok; i++) {
    ok = fill_row(certifier, equations[i], atoms, n, arb_mat_entry(f, i, 0), row);
    for (uint32_t k = 0; k < n; k++) {
      arb_set(arb_mat_entry(jacobian, i, k), row + k);
    }
  }
  ok = ok && arb_mat_solve(step, jacobian, f, BOX_PRECISION) != 0;
  arb_t image;
  arb_init(image);
  for (uint32_t i = 0; i < n && ok; i++) {
    arb_srcptr ball = g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(atoms[i]));
    ok = ball != NULL;
    if (ok) {
      arb_get_mid_arb(image, ball);
      arb_sub(image, image, arb_mat_entry(step, i, 0), BOX_PRECISION);
      ok = arb_contains_interior(ball, image);
    }
  }
  arb_clear(image);
  _arb_vec_clear(row, (slong)n);
  arb_mat_clear(jacobian);
  arb_mat_clear(f);
  arb_mat_clear(step);
  return ok;
}
