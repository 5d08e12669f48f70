/* How tightly terms hold together as text, and which forms the text has. */
#include "terms/terms-priv.h"

bool
dae_print_is_negative(const DaeTerms *terms, DaeTerm t)
{
  DaeRat c = dae_coefficient_view(terms, t);
  return dae_rat_sign(&c) < 0;
}

bool
dae_print_goes_below(const DaeTerms *terms, DaeTerm factor)
{
  const DaeNode *node = dae_node(terms, factor);
  return node->kind == DAE_KIND_POWER && dae_is_kind(terms, node->u.few[1], DAE_KIND_NUMBER) &&
         dae_term_sign(terms, node->u.few[1]) < 0;
}

bool
dae_print_is_quotient(const DaeTerms *terms, DaeTerm number)
{
  DaeRat value = dae_number_view(terms, number);
  return !dae_literal_is_decimal(&value);
}

static DaePrecedence
level_of_number(const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_sign(terms, t) < 0) {
    return DAE_BINDS_SUM;
  }
  return dae_print_is_quotient(terms, t) ? DAE_BINDS_PRODUCT : DAE_BINDS_PRIMARY;
}

bool
dae_print_is_half(const DaeTerms *terms, DaeTerm exponent)
{
  const DaeNode *node = dae_node(terms, exponent);
  return node->kind == DAE_KIND_NUMBER && node->op == 0 && node->u.small.den == 2 &&
         (node->u.small.num == 1 || node->u.small.num == -1);
}

/* if c then 1 else 0: the number of a condition. */
static bool
is_truth(const DaeTerms *terms, const DaeNode *node)
{
  return node->kind == DAE_KIND_IF && node->u.few[1] == terms->one &&
         node->u.few[2] == terms->zero;
}

/* noEvent(if c then 1 else 0): that without events. */
static bool
is_truth_without_events(const DaeTerms *terms, const DaeNode *node)
{
  return node->kind == DAE_KIND_CALL && node->op == DAE_FN_NOEVENT &&
         is_truth(terms, dae_node(terms, node->u.few[0]));
}

static bool
is_boolean_symbol(const DaeTerms *terms, const DaeNode *node)
{
  return (node->kind == DAE_KIND_PARAMETER || node->kind == DAE_KIND_VARIABLE) &&
         node->u.atom.order == 0 && dae_terms_is_condition(terms, node->u.atom.symbol);
}

/* {b, true, c}[i] with a Boolean b: its text is a Boolean. */
bool
dae_print_selects_truths(const DaeTerms *terms, const DaeNode *node)
{
  bool any = false;
  if (node->kind != DAE_KIND_CALL || node->op != DAE_FN_SELECT) {
    return false;
  }
  const DaeTerm *operands = dae_node_operands(node);
  for (uint32_t i = 1; i < node->n; i++) {
    const DaeNode *choice = dae_node(terms, operands[i]);
    bool is_boolean =
        is_boolean_symbol(terms, choice) || dae_print_selects_truths(terms, choice);
    if (!is_boolean && !is_truth(terms, choice) && operands[i] != terms->one &&
        operands[i] != terms->zero) {
      return false;
    }
    any = any || is_boolean;
  }
  return any;
}

bool
dae_print_is_condition(const DaeTerms *terms, const DaeNode *node, DaeTerm *symbol,
                       bool *negated)
{
  if (node->op == DAE_REL_EQ || node->op == DAE_REL_NE) {
    return false;
  }
  bool greater = node->op == DAE_REL_GT || node->op == DAE_REL_GE;
  for (int k = 0; k < 2; k++) {
    const DaeNode *atom = dae_node(terms, node->u.few[k]);
    if ((is_boolean_symbol(terms, atom) || is_truth_without_events(terms, atom) ||
         dae_print_selects_truths(terms, atom)) &&
        dae_print_is_half(terms, node->u.few[1 - k]) &&
        dae_term_sign(terms, node->u.few[1 - k]) > 0) {
      *symbol = node->u.few[k];
      *negated = greater != (k == 0);
      return true;
    }
  }
  return false;
}

bool
dae_print_compares_truths(const DaeTerms *terms, const DaeNode *relation)
{
  bool any = false;
  for (int k = 0; k < 2; k++) {
    DaeTerm t = relation->u.few[k];
    const DaeNode *node = dae_node(terms, t);
    bool is_number = t == terms->one || t == terms->zero;
    if (!is_number && !is_boolean_symbol(terms, node) && !is_truth(terms, node) &&
        !dae_print_selects_truths(terms, node)) {
      return false;
    }
    any = any || !is_number;
  }
  return any;
}

bool
dae_term_is_truth(const DaeTerms *terms, DaeTerm relation, DaeTerm *symbol, bool *negated)
{
  return dae_print_is_condition(terms, dae_node(terms, relation), symbol, negated);
}

static DaePrecedence
level_of_relation(const DaeTerms *terms, const DaeNode *node)
{
  DaeTerm symbol = DAE_NO_TERM;
  bool negated = false;
  bool is_short = dae_print_is_condition(terms, node, &symbol, &negated);
  return is_short ? (negated ? DAE_BINDS_NOT : DAE_BINDS_PRIMARY) : DAE_BINDS_RELATION;
}

DaePrecedence
dae_term_precedence(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  switch ((DaeKind)node->kind) {
  case DAE_KIND_NUMBER:
    return level_of_number(terms, t);
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_CALL:
    return DAE_BINDS_PRIMARY;
  case DAE_KIND_POWER:
    if (dae_print_goes_below(terms, t)) {
      return DAE_BINDS_PRODUCT;
    }
    return dae_print_is_half(terms, node->u.few[1]) ? DAE_BINDS_PRIMARY : DAE_BINDS_POWER;
  case DAE_KIND_PRODUCT:
    return dae_print_is_negative(terms, t) ? DAE_BINDS_SUM : DAE_BINDS_PRODUCT;
  case DAE_KIND_SUM:
    return DAE_BINDS_SUM;
  case DAE_KIND_IF:
    return DAE_BINDS_IF;
  case DAE_KIND_RELATION:
    return level_of_relation(terms, node);
  case DAE_KIND_AND:
    return DAE_BINDS_AND;
  case DAE_KIND_OR:
    return DAE_BINDS_OR;
  case DAE_KIND_NOT:
    return DAE_BINDS_NOT;
  }
  return DAE_BINDS_IF;
}
