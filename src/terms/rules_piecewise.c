/* Rules: abs, sign, min, max, rounding, wrappers that have no value of their own. */
#include "terms/rules.h"

static bool
u_is_nonnegative(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_nonnegative(terms, dae_rule_bound(match, 'u'));
}

static bool
u_is_nonpositive(DaeTerms *terms, const DaeMatch *match)
{
  uint32_t signs = dae_term_possible_signs(terms, dae_rule_bound(match, 'u'));
  return (signs & DAE_MAY_BE_POSITIVE) == 0;
}

static bool
u_is_negative(DaeTerms *terms, const DaeMatch *match)
{
  uint32_t signs = dae_term_possible_signs(terms, dae_rule_bound(match, 'u'));
  return signs == DAE_MAY_BE_NEGATIVE;
}

static bool
u_is_nonnegative_and_v_is_not_one(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_bound(match, 'v') != terms->one && u_is_nonnegative(terms, match);
}

static bool
c_is_not_one(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_bound(match, 'c') != terms->one;
}

static bool
n_is_integer(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_integer(terms, dae_rule_bound(match, 'n'));
}

static bool
u_has_no_breaks(DaeTerms *terms, const DaeMatch *match)
{
  return (dae_node(terms, dae_rule_bound(match, 'u'))->flags & DAE_HAS_BREAK) == 0;
}

/* The mark keeps what a function has scaled so (reader/assign.c), and long numbers apart
 * (terms/subst.c). */
static bool
u_is_smooth_and_plain(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm u = dae_rule_bound(match, 'u');
  bool is_long = dae_is_kind(terms, u, DAE_KIND_NUMBER) &&
                 dae_term_number_bits(terms, u) > DAE_LONGEST_NUMBER;
  return u_has_no_breaks(terms, match) && !is_long &&
         dae_term_content_bits(terms, u) <= DAE_PLAIN_BITS;
}

static bool
u_is_integer_valued(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm u = dae_rule_bound(match, 'u');
  const DaeNode *node = dae_node(terms, u);
  if (node->kind != DAE_KIND_CALL) {
    return dae_rule_is_integer(terms, u);
  }
  return dae_function_facts((DaeFunction)node->op)->kind == DAE_CLASS_STEP;
}

/* f(numbers), exactly */
static DaeTerm
value_of_numbers(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)match;
  return dae_exact_function(terms, dae_term_function(terms, t),
                            dae_term_operands(terms, t, NULL));
}

/* sign(c*u) = +-sign(u) */
static DaeTerm
sign_of_rest(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm sign = dae_term_call1(terms, DAE_FN_SIGN, dae_rule_bound(match, 'u'));
  return dae_term_sign(terms, dae_rule_bound(match, 'c')) < 0 ? dae_term_neg(terms, sign)
                                                              : sign;
}

static uint32_t
signs_of_difference(DaeTerms *terms, const DaeMatch *match)
{
  DaeTerm difference =
      dae_term_sub(terms, dae_rule_bound(match, 'u'), dae_rule_bound(match, 'v'));
  return dae_term_possible_signs(terms, difference);
}

static bool
u_is_at_most_v(DaeTerms *terms, const DaeMatch *match)
{
  return (signs_of_difference(terms, match) & DAE_MAY_BE_POSITIVE) == 0;
}

static bool
u_is_at_least_v(DaeTerms *terms, const DaeMatch *match)
{
  return (signs_of_difference(terms, match) & DAE_MAY_BE_NEGATIVE) == 0;
}

static bool
u_comes_after_v(DaeTerms *terms, const DaeMatch *match)
{
  return dae_term_compare(terms, dae_rule_bound(match, 'u'), dae_rule_bound(match, 'v')) > 0;
}

static const DaeRule rules[] = {
    {"abs-of-number", "(abs #n)", NULL, "", NULL, value_of_numbers, "its value"},
    {"abs-of-nonnegative", "(abs ?u)", "?u", "u >= 0", u_is_nonnegative, NULL, NULL},
    {"abs-of-nonpositive", "(abs ?u)", "(neg ?u)", "u <= 0", u_is_nonpositive, NULL, NULL},
    {"abs-even", "(abs (neg ?u))", "(abs ?u)", "", NULL, NULL, NULL},
    {"abs-of-nonnegative-factor", "(abs (cofactor ?v ?u))", "(* ?u (abs ?v))",
     "u >= 0, v not 1", u_is_nonnegative_and_v_is_not_one, NULL, NULL},
    {"abs-of-power", "(abs (^ ?u #n))", "(^ (abs ?u) #n)", "n an integer", n_is_integer, NULL,
     NULL},
    {"abs-times-sign", "(* (abs ?u) (sign ?u))", "?u", "", NULL, NULL, NULL},
    {"sign-times-itself", "(* (sign ?u) ?u)", "(abs ?u)", "", NULL, NULL, NULL},
    {"sign-of-number", "(sign #n)", NULL, "", NULL, value_of_numbers, "its value"},
    {"sign-of-positive", "(sign ?u)", "1", "u > 0", dae_rule_u_is_positive, NULL, NULL},
    {"sign-of-negative", "(sign ?u)", "-1", "u < 0", u_is_negative, NULL, NULL},
    {"sign-of-coefficient", "(sign (scaled #c ?u))", NULL, "c not 1", c_is_not_one,
     sign_of_rest, "sign(u), with the sign of c"},
    {"sign-odd", "(sign (neg ?u))", "(neg (sign ?u))", "", NULL, NULL, NULL},
    {"sign-of-sign", "(sign (sign ?u))", "(sign ?u)", "", NULL, NULL, NULL},
    {"min-of-smaller", "(min ?u ?v)", "?u", "u <= v", u_is_at_most_v, NULL, NULL},
    {"min-of-larger", "(min ?u ?v)", "?v", "u >= v", u_is_at_least_v, NULL, NULL},
    {"min-in-order", "(min ?u ?v)", "(min ?v ?u)", "u after v in the order of terms",
     u_comes_after_v, NULL, NULL},
    {"max-of-smaller", "(max ?u ?v)", "?v", "u <= v", u_is_at_most_v, NULL, NULL},
    {"max-of-larger", "(max ?u ?v)", "?u", "u >= v", u_is_at_least_v, NULL, NULL},
    {"max-in-order", "(max ?u ?v)", "(max ?v ?u)", "u after v in the order of terms",
     u_comes_after_v, NULL, NULL},
    {"floor-of-number", "(floor #n)", NULL, "", NULL, value_of_numbers, "its value"},
    {"ceil-of-number", "(ceil #n)", NULL, "", NULL, value_of_numbers, "its value"},
    {"integer-of-number", "(integer #n)", NULL, "", NULL, value_of_numbers, "its value"},
    {"floor-of-integer", "(floor ?u)", "?u", "u has integer values", u_is_integer_valued, NULL,
     NULL},
    {"ceil-of-integer", "(ceil ?u)", "?u", "u has integer values", u_is_integer_valued, NULL,
     NULL},
    {"integer-of-integer", "(integer ?u)", "?u", "u has integer values", u_is_integer_valued,
     NULL, NULL},
    {"mod-of-numbers", "(mod #m #n)", NULL, "n not 0", NULL, value_of_numbers, "its value"},
    {"div-of-numbers", "(div #m #n)", NULL, "n not 0", NULL, value_of_numbers, "its value"},
    {"rem-of-numbers", "(rem #m #n)", NULL, "n not 0", NULL, value_of_numbers, "its value"},
    {"noevent-of-smooth", "(noEvent ?u)", "?u",
     "no if, relation, abs, ... in u, no factor of more than 20 bits, no number of more than "
     "512",
     u_is_smooth_and_plain, NULL, NULL},
    {"noevent-twice", "(noEvent (noEvent ?u))", "(noEvent ?u)", "", NULL, NULL, NULL},
    {"smooth-of-smooth", "(smooth ?v ?u)", "?u", "no if, relation, abs, ... in u",
     u_has_no_breaks, NULL, NULL},
    {"homotopy-of-equals", "(homotopy ?u ?u)", "?u", "", NULL, NULL, NULL},
    {"semilinear-of-equal-slopes", "(semiLinear ?u ?v ?v)", "(* ?u ?v)", "", NULL, NULL, NULL},
    {"semilinear-of-nonnegative", "(semiLinear ?u ?v ?w)", "(* ?u ?v)", "u >= 0",
     u_is_nonnegative, NULL, NULL},
    {"semilinear-of-nonpositive", "(semiLinear ?u ?v ?w)", "(* ?u ?w)", "u <= 0",
     u_is_nonpositive, NULL, NULL},
};

const DaeRuleGroup dae_rules_piecewise = {rules, G_N_ELEMENTS(rules)};
