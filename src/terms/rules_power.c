/* Rules: powers and roots over the reals. A power with a fraction as exponent is defined for bases
 * >= 0 only; that gives most side conditions away for free: u^3 under a root means u >= 0. */
#include "terms/rules.h"

static bool
n_is_even(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_even(terms, dae_rule_bound(match, 'n'));
}

static bool
n_is_odd(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm n = dae_rule_bound(match, 'n');
  return dae_rule_is_integer(terms, n) && !dae_rule_is_even(terms, n);
}

static bool
p_is_a_fraction(DaeTerms *terms, const DaeMatch *match)
{
  return !dae_rule_is_integer(terms, dae_rule_bound(match, 'p'));
}

static bool
c_is_negative_not_minus_one(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm c = dae_rule_bound(match, 'c');
  return c != terms->minus_one && dae_term_sign(terms, c) < 0 &&
         !dae_rule_is_integer(terms, dae_rule_bound(match, 'q'));
}

/* Integer powers that are whole stay so: their constructor takes apart what is to be. */
static bool
u_is_positive_q_is_a_fraction(DaeTerms *terms, const DaeMatch *match)
{
  return !dae_rule_is_integer(terms, dae_rule_bound(match, 'q')) &&
         dae_rule_u_is_positive_v_not_one(terms, match);
}

/* (c*s)^q with the content c > 0 of a sum, q a fraction. */
static DaeTerm
take_content_out(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  DaeTerm u = dae_rule_bound(match, 'u');
  DaeTerm q = dae_rule_bound(match, 'q');
  if (!dae_is_kind(terms, u, DAE_KIND_SUM) || dae_rule_is_integer(terms, q)) {
    return DAE_NO_TERM;
  }
  DaeRat content;
  dae_build_primitive(terms, u, &content);
  if (dae_rat_sign(&content) < 0) {
    dae_rat_neg(&content);
  }
  DaeTerm result = DAE_NO_TERM;
  if (!dae_rat_is_int(&content, 1)) {
    DaeTerm c = dae_store_number(terms, &content);
    DaeTerm rest = dae_term_pow(terms, dae_term_div(terms, u, c), q);
    result = dae_term_mul(terms, dae_term_pow(terms, c, q), rest);
  }
  dae_rat_clear(&content);
  return result == t ? DAE_NO_TERM : result;
}

static const DaeRule rules[] = {
    {"even-power-of-abs", "(^ (abs ?u) #n)", "(^ ?u #n)", "n even", n_is_even, NULL, NULL},
    {"root-of-even-power", "(^ (^ ?u #n) #q)", "(^ (abs ?u) (* #n #q))", "n even", n_is_even,
     NULL, NULL},
    {"root-of-odd-power", "(^ (^ ?u #n) #q)", "(^ ?u (* #n #q))", "n odd", n_is_odd, NULL,
     NULL},
    {"power-of-root", "(^ (^ ?u #p) #q)", "(^ ?u (* #p #q))", "p not an integer",
     p_is_a_fraction, NULL, NULL},
    {"power-of-power", "(^ (^ ?u ?v) ?w)", "(^ ?u (* ?v ?w))", "u > 0", dae_rule_u_is_positive,
     NULL, NULL},
    {"power-of-exp", "(^ (exp ?u) ?v)", "(exp (* ?u ?v))", "", NULL, NULL, NULL},
    {"root-of-positive-factor", "(^ (cofactor ?v ?u) #q)", "(* (^ ?u #q) (^ ?v #q))",
     "u > 0, v not 1, q not an integer", u_is_positive_q_is_a_fraction, NULL, NULL},
    {"root-of-negative-coefficient", "(^ (scaled #c ?u) #q)",
     "(* (^ (neg #c) #q) (^ (neg ?u) #q))", "c < 0, c not -1, q not an integer",
     c_is_negative_not_minus_one, NULL, NULL},
    {"root-of-content", "(^ ?u #q)", NULL,
     "u a sum with content other than 1, q not an integer", NULL, take_content_out,
     "content^q * (u/content)^q"},
};

const DaeRuleGroup dae_rules_power = {rules, G_N_ELEMENTS(rules)};
