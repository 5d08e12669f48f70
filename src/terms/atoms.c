/* Constructors of atoms, calls, if-terms and logic; inspection. */
#include "terms/terms-priv.h"

/* ---- numbers and atoms ------------------------------------------------------------------- */

DaeTerm
dae_term_int(DaeTerms *terms, int64_t value)
{
  return dae_term_ratio(terms, value, 1);
}

DaeTerm
dae_term_ratio(DaeTerms *terms, int64_t numerator, int64_t denominator)
{
  DaeRat value;
  dae_rat_init_ratio(&value, numerator, denominator);
  DaeTerm result = dae_store_number(terms, &value);
  dae_rat_clear(&value);
  return result;
}

DaeTerm
dae_term_bool(DaeTerms *terms, bool value)
{
  return dae_store_node(terms, DAE_KIND_BOOLEAN, value, NULL, 0);
}

DaeTerm
dae_term_time(DaeTerms *terms)
{
  return dae_store_node(terms, DAE_KIND_TIME, 0, NULL, 0);
}

DaeTerm
dae_term_pi(DaeTerms *terms)
{
  return dae_store_node(terms, DAE_KIND_CALL, DAE_FN_PI, NULL, 0);
}

DaeTerm
dae_term_variable(DaeTerms *terms, DaeSymbol symbol, uint32_t order)
{
  DAE_ASSERT(dae_terms_symbol_kind(terms, symbol) == DAE_SYMBOL_VARIABLE);
  return dae_store_atom(terms, DAE_KIND_VARIABLE, symbol, order);
}

DaeTerm
dae_term_parameter(DaeTerms *terms, DaeSymbol symbol)
{
  DAE_ASSERT(dae_terms_symbol_kind(terms, symbol) == DAE_SYMBOL_PARAMETER);
  return dae_store_atom(terms, DAE_KIND_PARAMETER, symbol, 0);
}

DaeTerm
dae_term_symbol(DaeTerms *terms, DaeSymbol symbol)
{
  return dae_terms_symbol_kind(terms, symbol) == DAE_SYMBOL_VARIABLE
             ? dae_term_variable(terms, symbol, 0)
             : dae_term_parameter(terms, symbol);
}

/* ---- calls and logic --------------------------------------------------------------------- */

DaeTerm
dae_term_call(DaeTerms *terms, DaeFunction function, const DaeTerm *operands, size_t n)
{
  DAE_ASSERT(dae_function_arity_ok(function, n));
  for (size_t i = 0; i < n; i++) {
    if (operands[i] == DAE_NO_TERM) {
      return DAE_NO_TERM;
    }
  }
  return dae_store_node(terms, DAE_KIND_CALL, (uint8_t)function, operands, (uint32_t)n);
}

DaeTerm
dae_term_call1(DaeTerms *terms, DaeFunction function, DaeTerm a)
{
  return dae_term_call(terms, function, &a, 1);
}

DaeTerm
dae_term_call2(DaeTerms *terms, DaeFunction function, DaeTerm a, DaeTerm b)
{
  return dae_term_call(terms, function, (DaeTerm[]){a, b}, 2);
}

DaeTerm
dae_term_if(DaeTerms *terms, DaeTerm condition, DaeTerm then_term, DaeTerm else_term)
{
  if (condition == DAE_NO_TERM || then_term == DAE_NO_TERM || else_term == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  return dae_store_node(terms, DAE_KIND_IF, 0, (DaeTerm[]){condition, then_term, else_term}, 3);
}

DaeTerm
dae_term_undefined(DaeTerms *terms)
{
  return dae_term_call1(terms, DAE_FN_LOG, terms->minus_one);
}

DaeTerm
dae_term_relation(DaeTerms *terms, DaeRelation relation, DaeTerm a, DaeTerm b)
{
  if (a == DAE_NO_TERM || b == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  return dae_store_node(terms, DAE_KIND_RELATION, (uint8_t)relation, (DaeTerm[]){a, b}, 2);
}

/* AND and OR: nested ones opened, sorted, each operand once. */
static DaeTerm
junction(DaeTerms *terms, DaeKind kind, DaeTerm a, DaeTerm b)
{
  if (a == DAE_NO_TERM || b == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeList list;
  dae_list_init(&list);
  const DaeTerm both[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const DaeNode *node = dae_node(terms, both[i]);
    if (node->kind == kind) {
      dae_list_append(&list, dae_node_operands(node), node->n);
    } else {
      dae_list_push(&list, both[i]);
    }
  }
  dae_order_sort(terms, list.data, list.n, dae_term_compare);
  size_t kept = 1;
  for (size_t i = 1; i < list.n; i++) {
    if (list.data[i] != list.data[kept - 1]) {
      list.data[kept++] = list.data[i];
    }
  }
  DaeTerm result =
      kept == 1 ? list.data[0] : dae_store_node(terms, kind, 0, list.data, (uint32_t)kept);
  dae_list_clear(&list);
  return result;
}

DaeTerm
dae_term_and(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return junction(terms, DAE_KIND_AND, a, b);
}

DaeTerm
dae_term_or(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return junction(terms, DAE_KIND_OR, a, b);
}

DaeTerm
dae_term_not(DaeTerms *terms, DaeTerm a)
{
  return a == DAE_NO_TERM ? a : dae_store_node(terms, DAE_KIND_NOT, 0, &a, 1);
}

/* ---- inspection -------------------------------------------------------------------------- */

DaeKind
dae_term_kind(const DaeTerms *terms, DaeTerm t)
{
  return (DaeKind)dae_node(terms, t)->kind;
}

const DaeTerm *
dae_term_operands(const DaeTerms *terms, DaeTerm t, uint32_t *n)
{
  const DaeNode *node = dae_node(terms, t);
  if (n != NULL) {
    *n = node->n;
  }
  return dae_node_operands(node);
}

const DaeTerm *
dae_term_parts(const DaeTerms *terms, DaeKind kind, const DaeTerm *t, uint32_t *n)
{
  if (dae_term_kind(terms, *t) == kind) {
    return dae_term_operands(terms, *t, n);
  }
  *n = 1;
  return t;
}

DaeTerm
dae_term_operand(const DaeTerms *terms, DaeTerm t, uint32_t i)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(i < node->n);
  return dae_node_operands(node)[i];
}

DaeFunction
dae_term_function(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->kind == DAE_KIND_CALL);
  return (DaeFunction)node->op;
}

bool
dae_relation_holds(DaeRelation relation, int sign)
{
  switch (relation) {
  case DAE_REL_LT:
    return sign < 0;
  case DAE_REL_LE:
    return sign <= 0;
  case DAE_REL_GT:
    return sign > 0;
  case DAE_REL_GE:
    return sign >= 0;
  case DAE_REL_EQ:
    return sign == 0;
  case DAE_REL_NE:
    return sign != 0;
  }
  return false;
}

DaeRelation
dae_term_relation_op(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->kind == DAE_KIND_RELATION);
  return (DaeRelation)node->op;
}

DaeSymbol
dae_term_get_symbol(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->kind == DAE_KIND_VARIABLE || node->kind == DAE_KIND_PARAMETER);
  return node->u.atom.symbol;
}

uint32_t
dae_term_order(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->kind == DAE_KIND_VARIABLE);
  return node->u.atom.order;
}

bool
dae_term_get_bool(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->kind == DAE_KIND_BOOLEAN);
  return node->op != 0;
}

size_t
dae_term_number_bits(const DaeTerms *terms, DaeTerm t)
{
  DaeRat factor = dae_coefficient_view(terms, t);
  return dae_rat_bits(&factor);
}

bool
dae_term_is_number(const DaeTerms *terms, DaeTerm t)
{
  return dae_is_kind(terms, t, DAE_KIND_NUMBER);
}

bool
dae_term_is_zero(const DaeTerms *terms, DaeTerm t)
{
  return t == terms->zero;
}

bool
dae_term_is_one(const DaeTerms *terms, DaeTerm t)
{
  return t == terms->one;
}

int
dae_term_sign(const DaeTerms *terms, DaeTerm number)
{
  DaeRat value = dae_number_view(terms, number);
  return dae_rat_sign(&value);
}

bool
dae_term_get_int64(const DaeTerms *terms, DaeTerm t, int64_t *value)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind != DAE_KIND_NUMBER || node->op != 0 || node->u.small.den != 1) {
    return false;
  }
  *value = node->u.small.num;
  return true;
}

bool
dae_term_get_ratio(const DaeTerms *terms, DaeTerm t, int64_t *p, int64_t *q)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind != DAE_KIND_NUMBER || node->op != 0) {
    return false;
  }
  *p = node->u.small.num;
  *q = node->u.small.den;
  return true;
}

double
dae_term_get_double(const DaeTerms *terms, DaeTerm number)
{
  DaeRat value = dae_number_view(terms, number);
  return dae_rat_to_double(&value);
}

bool
dae_term_has_break(const DaeTerms *terms, DaeTerm t)
{
  return (dae_node(terms, t)->flags & DAE_HAS_BREAK) != 0;
}
