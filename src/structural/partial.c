/* Rows with functions that have no value everywhere: 1/x, log(x), sqrt(x). A determinant without
 * zeros does not say that there is a point where they have one: w = sqrt(-1 - x^2), or x = 0 and
 * w = 1/x. What keeps to its domain is not asked for; of the rest a consistent point tells. */
#include "base/base.h"
#include "structural/sig-priv.h"

enum {
  MOST_ASKED = 100, /* arguments of a model whose signs are asked for */
  SIGN_SIZE = 100   /* nodes in each of them */
};

/* Where the operands of a node have values it has one always, sometimes, or never. */
typedef enum { VALUE_ALWAYS = 1, VALUE_OPEN, VALUE_NEVER } Value;

typedef struct {
  DaeSig *sig;
  DaeAlgebra *algebra;
  GHashTable *known; /* term -> Value */
  DaeTerm never;     /* the first that never has one; DAE_NO_TERM: none */
  uint32_t n_asked;
} Partial;

/* The sign that the argument has everywhere; false: it has none, or it is not known. */
static bool
has_one_sign(Partial *partial, DaeTerm argument, int *sign, bool *is_strict)
{
  DaeTerm value = dae_sig_at_values(partial->sig, argument);
  *is_strict = true;
  if (value == DAE_NO_TERM || dae_term_size(partial->sig->terms, value) > SIGN_SIZE ||
      ++partial->n_asked > MOST_ASKED) {
    return false;
  }
  if (dae_term_is_parametric(partial->sig->terms, value)) {
    return dae_algebra_sign(partial->algebra, value, sign);
  }
  *sign = dae_algebra_definite(partial->algebra, value, is_strict);
  return *sign != 0;
}

static Value
value_above_zero(Partial *partial, DaeTerm argument, bool is_edge)
{
  int sign = 0;
  bool is_strict = true;
  if (!has_one_sign(partial, argument, &sign, &is_strict)) {
    return VALUE_OPEN;
  }
  bool is_inside = (sign > 0 && (is_strict || is_edge)) || (sign == 0 && is_edge);
  return is_inside ? VALUE_ALWAYS : sign <= 0 && is_strict ? VALUE_NEVER : VALUE_OPEN;
}

static Value
value_of_quotient(Partial *partial, DaeTerm divisor)
{
  int sign = 0;
  bool is_strict = true;
  if (!has_one_sign(partial, divisor, &sign, &is_strict)) {
    return VALUE_OPEN;
  }
  return sign == 0 ? VALUE_NEVER : is_strict ? VALUE_ALWAYS : VALUE_OPEN;
}

/* 1 - x^2 is not negative. */
static Value
value_in_unit(Partial *partial, DaeTerm x)
{
  DaeTerms *terms = partial->sig->terms;
  DaeTerm room = dae_term_sub(terms, dae_term_int(terms, 1), dae_term_pow_int(terms, x, 2));
  return room == DAE_NO_TERM ? VALUE_OPEN : value_above_zero(partial, room, true);
}

static Value
value_of_power(Partial *partial, DaeTerm t)
{
  DaeTerms *terms = partial->sig->terms;
  DaeTerm base = dae_term_operand(terms, t, 0);
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  int64_t n = 0;
  if (dae_term_get_int64(terms, exponent, &n)) {
    return n >= 0 ? VALUE_ALWAYS : value_of_quotient(partial, base);
  }
  bool is_number = dae_term_is_number(terms, exponent);
  Value value =
      value_above_zero(partial, base, is_number && dae_term_sign(terms, exponent) > 0);
  return value == VALUE_NEVER && !is_number ? VALUE_OPEN
                                            : value; /* it may be whole somewhere */
}

static Value
value_of_call(Partial *partial, DaeTerm t)
{
  DaeTerms *terms = partial->sig->terms;
  switch ((DaeFunctionDomain)dae_function_facts(dae_term_function(terms, t))->domain) {
  case DAE_DOMAIN_POSITIVE:
    return value_above_zero(partial, dae_term_operand(terms, t, 0), false);
  case DAE_DOMAIN_DIVISOR:
    return value_of_quotient(partial, dae_term_operand(terms, t, 1));
  case DAE_DOMAIN_UNIT:
    return value_in_unit(partial, dae_term_operand(terms, t, 0));
  case DAE_DOMAIN_POLES:
    return VALUE_OPEN;
  case DAE_DOMAIN_ALL:
  case DAE_DOMAIN_INDEX: /* asserted where it is read */
    break;
  }
  return VALUE_ALWAYS;
}

static Value
value_of(Partial *partial, DaeTerm t)
{
  DaeKind kind = dae_term_kind(partial->sig->terms, t);
  if (kind != DAE_KIND_POWER && kind != DAE_KIND_CALL) {
    return VALUE_ALWAYS;
  }
  gpointer known = g_hash_table_lookup(partial->known, GUINT_TO_POINTER(t));
  if (known == NULL) {
    Value value =
        kind == DAE_KIND_POWER ? value_of_power(partial, t) : value_of_call(partial, t);
    known = GINT_TO_POINTER((int)value);
    g_hash_table_insert(partial->known, GUINT_TO_POINTER(t), known);
  }
  return (Value)GPOINTER_TO_INT(known);
}

/* A node that never has a value leaves the row without one, unless a condition chooses. */
static bool
is_always_wanted(const DaeTerms *terms, DaeTerm t)
{
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_CALL:
    return dae_function_facts(dae_term_function(terms, t))->kind == DAE_CLASS_ANALYTIC;
  case DAE_KIND_NUMBER:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_TIME:
  case DAE_KIND_SUM:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_POWER:
    return true;
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
  case DAE_KIND_IF:
    break;
  }
  return false;
}

static Value
value_of_side(Partial *partial, DaeTerm side)
{
  DaeTerms *terms = partial->sig->terms;
  Value whole = VALUE_ALWAYS;
  bool is_wanted = true;
  if (dae_term_is_polynomial(terms, side)) {
    return whole;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, side);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    Value value = value_of(partial, t);
    if (value == VALUE_NEVER && is_wanted) {
      partial->never = partial->never == DAE_NO_TERM ? t : partial->never;
      return VALUE_NEVER;
    }
    whole = value == VALUE_ALWAYS ? whole : VALUE_OPEN;
    is_wanted = is_wanted && is_always_wanted(terms, t);
    dae_visit_enter(visit, t);
  }
  return whole;
}

static Value
value_of_row(Partial *partial, uint32_t i)
{
  const DaeEquation *equation = dae_model_equation(partial->sig->model, i);
  Value left = value_of_side(partial, equation->lhs);
  Value right = value_of_side(partial, equation->rhs);
  return left > right ? left : right;
}

bool
dae_sig_find_partial_blocks(DaeSig *sig, DaeAlgebra *algebra, bool *is_marked)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  Partial partial = {.sig = sig, .algebra = algebra, .known = known, .never = DAE_NO_TERM};
  bool any = false;
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    for (uint32_t r = 0; r < sig->fine[b].n_equations; r++) {
      uint32_t i = sig->fine[b].equations[r];
      Value value = value_of_row(&partial, i);
      if (value == VALUE_NEVER && sig->impossible_row == UINT32_MAX) {
        sig->impossible_row = i;
        sig->impossible_part = partial.never;
      }
      is_marked[b] = is_marked[b] || value != VALUE_ALWAYS;
      any = any || value != VALUE_ALWAYS;
    }
  }
  return any;
}
