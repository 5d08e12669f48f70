/* Rules: if-terms, relations, and, or, not. */
#include "terms/rules.h"

static bool
is_real(const DaeTerms *terms, DaeTerm t)
{
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
  case DAE_KIND_IF: /* its branches may be Boolean */
    return false;
  case DAE_KIND_NUMBER:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_POWER:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
  case DAE_KIND_CALL:
    return true;
  }
  return false;
}

/* The truth of u ~ v if the signs that u - v can have decide it. */
static DaeTerm
decide(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  DaeTerm u = dae_rule_bound(match, 'u');
  DaeTerm v = dae_rule_bound(match, 'v');
  if (!is_real(terms, u) || !is_real(terms, v)) {
    return DAE_NO_TERM;
  }
  uint32_t signs = dae_term_possible_signs(terms, dae_term_sub(terms, u, v));
  uint32_t holds = 0;
  switch (dae_term_relation_op(terms, t)) {
  case DAE_REL_LT:
    holds = DAE_MAY_BE_NEGATIVE;
    break;
  case DAE_REL_LE:
    holds = DAE_MAY_BE_NEGATIVE | DAE_MAY_BE_ZERO;
    break;
  case DAE_REL_GT:
    holds = DAE_MAY_BE_POSITIVE;
    break;
  case DAE_REL_GE:
    holds = DAE_MAY_BE_POSITIVE | DAE_MAY_BE_ZERO;
    break;
  case DAE_REL_EQ:
    holds = DAE_MAY_BE_ZERO;
    break;
  case DAE_REL_NE:
    holds = DAE_MAY_BE_NEGATIVE | DAE_MAY_BE_POSITIVE;
    break;
  }
  if ((signs & ~holds) == 0) {
    return dae_term_bool(terms, true);
  }
  return (signs & holds) == 0 ? dae_term_bool(terms, false) : DAE_NO_TERM;
}

static bool
u_comes_after_v(DaeTerms *terms, const DaeMatch *match)
{
  return dae_term_compare(terms, dae_rule_bound(match, 'u'), dae_rule_bound(match, 'v')) > 0;
}

#define DECIDED "the signs that u - v can have decide it"

static const DaeRule rules[] = {
    {"if-true", "(if true ?u ?v)", "?u", "", NULL, NULL, NULL},
    {"if-false", "(if false ?u ?v)", "?v", "", NULL, NULL, NULL},
    {"if-of-equal-branches", "(if ?c ?u ?u)", "?u", "", NULL, NULL, NULL},
    {"if-not", "(if (not ?c) ?u ?v)", "(if ?c ?v ?u)", "", NULL, NULL, NULL},
    {"if-inside-then", "(if ?c (if ?c ?u ?v) ?w)", "(if ?c ?u ?w)", "", NULL, NULL, NULL},
    {"if-inside-else", "(if ?c ?u (if ?c ?v ?w))", "(if ?c ?u ?w)", "", NULL, NULL, NULL},
    {"greater-to-less", "(> ?u ?v)", "(< ?v ?u)", "", NULL, NULL, NULL},
    {"at-least-to-at-most", "(>= ?u ?v)", "(<= ?v ?u)", "", NULL, NULL, NULL},
    {"less-decided", "(< ?u ?v)", NULL, DECIDED, NULL, decide, "true or false"},
    {"at-most-decided", "(<= ?u ?v)", NULL, DECIDED, NULL, decide, "true or false"},
    {"equal-decided", "(== ?u ?v)", NULL, DECIDED, NULL, decide, "true or false"},
    {"not-equal-decided", "(<> ?u ?v)", NULL, DECIDED, NULL, decide, "true or false"},
    {"equal-in-order", "(== ?u ?v)", "(== ?v ?u)", "u after v in the order of terms",
     u_comes_after_v, NULL, NULL},
    {"not-equal-in-order", "(<> ?u ?v)", "(<> ?v ?u)", "u after v in the order of terms",
     u_comes_after_v, NULL, NULL},
    {"not-true", "(not true)", "false", "", NULL, NULL, NULL},
    {"not-false", "(not false)", "true", "", NULL, NULL, NULL},
    {"not-not", "(not (not ?u))", "?u", "", NULL, NULL, NULL},
    {"not-less", "(not (< ?u ?v))", "(<= ?v ?u)", "", NULL, NULL, NULL},
    {"not-at-most", "(not (<= ?u ?v))", "(< ?v ?u)", "", NULL, NULL, NULL},
    {"not-equal", "(not (== ?u ?v))", "(<> ?u ?v)", "", NULL, NULL, NULL},
    {"not-not-equal", "(not (<> ?u ?v))", "(== ?u ?v)", "", NULL, NULL, NULL},
    {"and-with-true", "(and true ?u)", "?u", "", NULL, NULL, NULL},
    {"and-with-false", "(and false ?u)", "false", "", NULL, NULL, NULL},
    {"and-with-opposite", "(and (not ?u) ?u)", "false", "", NULL, NULL, NULL},
    {"or-with-true", "(or true ?u)", "true", "", NULL, NULL, NULL},
    {"or-with-false", "(or false ?u)", "?u", "", NULL, NULL, NULL},
    {"or-with-opposite", "(or (not ?u) ?u)", "true", "", NULL, NULL, NULL},
};

const DaeRuleGroup dae_rules_logic = {rules, G_N_ELEMENTS(rules)};
