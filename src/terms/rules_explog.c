/* Rules: exponential and logarithm. A logarithm is defined for positive operands only. */
#include "terms/rules.h"

static bool
n_is_even(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_even(terms, dae_rule_bound(match, 'n'));
}

static bool
n_is_not_even(DaeTerms *terms, const DaeMatch *match)
{
  return !dae_rule_is_even(terms, dae_rule_bound(match, 'n'));
}

/* The factor log(v) of a summand a*log(v), and a. DAE_NO_TERM if there is none. */
static DaeTerm
operand_of_log(DaeTerms *terms, DaeTerm summand, DaeTerm *cofactor)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_parts(terms, DAE_KIND_PRODUCT, &summand, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeNode *node = dae_node(terms, u[i]);
    if (node->kind == DAE_KIND_CALL && node->op == DAE_FN_LOG) {
      *cofactor = dae_term_div(terms, summand, u[i]);
      return node->u.few[0];
    }
  }
  return DAE_NO_TERM;
}

/* exp(r + a*log(v)) = v^a * exp(r) */
static DaeTerm
take_log_out(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeTerm sum = dae_rule_bound(match, 'u');
  if (!dae_is_kind(terms, sum, DAE_KIND_SUM)) {
    return DAE_NO_TERM;
  }
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, sum, &n);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm a = DAE_NO_TERM;
    DaeTerm v = operand_of_log(terms, u[i], &a);
    if (v != DAE_NO_TERM) {
      DaeTerm rest = dae_term_call1(terms, DAE_FN_EXP, dae_term_sub(terms, sum, u[i]));
      return dae_term_mul(terms, dae_term_pow(terms, v, a), rest);
    }
  }
  return DAE_NO_TERM;
}

/* Appends m*log(p) for the primes p of n, with m times sign; *n_parts
 * counts primes with multiplicity. */
static void
append_prime_logs(DaeTerms *terms, int64_t n, int64_t sign, DaeList *sum, int64_t *n_parts)
{
  for (int64_t p = 2; p < 1 << 16 && p * p <= n; p += p == 2 ? 1 : 2) {
    int64_t multiplicity = 0;
    for (; n % p == 0; n /= p) {
      multiplicity++;
    }
    if (multiplicity > 0) {
      DaeTerm log = dae_term_call1(terms, DAE_FN_LOG, dae_term_int(terms, p));
      dae_list_push(sum, dae_term_mul(terms, dae_term_int(terms, sign * multiplicity), log));
      *n_parts += multiplicity;
    }
  }
  if (n > 1) {
    DaeTerm log = dae_term_call1(terms, DAE_FN_LOG, dae_term_int(terms, n));
    dae_list_push(sum, dae_term_mul(terms, dae_term_int(terms, sign), log));
    *n_parts += 1;
  }
}

/* log of a positive rational as a sum over primes; not if it is a prime already. */
static DaeTerm
log_of_number(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  DaeRat value = dae_number_view(terms, dae_rule_bound(match, 'n'));
  if (value.big != NULL || value.num <= 0) {
    return DAE_NO_TERM;
  }
  DaeList sum;
  dae_list_init(&sum);
  int64_t n_parts = 0;
  append_prime_logs(terms, value.num, 1, &sum, &n_parts);
  append_prime_logs(terms, value.den, -1, &sum, &n_parts);
  DaeTerm result = dae_term_sum(terms, sum.data, sum.n);
  dae_list_clear(&sum);
  return result == t || (n_parts == 1 && value.den == 1) ? DAE_NO_TERM : result;
}

/* log10(10^k) = k for integers k */
static DaeTerm
log10_of_number(DaeTerms *terms, DaeTerm t, const DaeMatch *match)
{
  (void)t;
  DaeRat value = dae_number_view(terms, dae_rule_bound(match, 'n'));
  if (dae_rat_sign(&value) <= 0) {
    return DAE_NO_TERM;
  }
  double guess = (double)dae_rat_bits(&value) * 0.30102999566398120;
  DaeRat one = {.num = 1, .den = 1, .big = NULL};
  int64_t sign = dae_rat_compare(&value, &one) < 0 ? -1 : 1;
  for (int64_t k = (int64_t)guess - 1; k <= (int64_t)guess + 1; k++) {
    DaeRat power;
    dae_rat_init_int(&power, 10);
    dae_rat_pow(&power, sign * MAX(k, 0));
    bool equal = dae_rat_equal(&power, &value);
    dae_rat_clear(&power);
    if (equal) {
      return dae_term_int(terms, sign * MAX(k, 0));
    }
  }
  return DAE_NO_TERM;
}

static const DaeRule rules[] = {
    {"exp-of-zero", "(exp 0)", "1", "", NULL, NULL, NULL},
    {"exp-of-log", "(exp (cofactor ?a (log ?u)))", "(^ ?u ?a)", "", NULL, NULL, NULL},
    {"exp-of-sum-with-log", "(exp ?u)", NULL, "u a sum with a summand a*log(v)", NULL,
     take_log_out, "v^a*exp(u - a*log(v))"},
    {"product-of-exps", "(* (exp ?u) (exp ?v))", "(exp (+ ?u ?v))", "", NULL, NULL, NULL},
    {"log-of-one", "(log 1)", "0", "", NULL, NULL, NULL},
    {"log-of-exp", "(log (exp ?u))", "?u", "", NULL, NULL, NULL},
    {"log-of-even-power", "(log (^ ?u #n))", "(* #n (log (abs ?u)))", "n even", n_is_even, NULL,
     NULL},
    {"log-of-number-power", "(log (^ ?u #n))", "(* #n (log ?u))", "n not even", n_is_not_even,
     NULL, NULL},
    {"log-of-power", "(log (^ ?u ?v))", "(* ?v (log ?u))", "u > 0", dae_rule_u_is_positive,
     NULL, NULL},
    {"log-of-positive-factor", "(log (cofactor ?v ?u))", "(+ (log ?u) (log ?v))",
     "u > 0, v not 1", dae_rule_u_is_positive_v_not_one, NULL, NULL},
    {"log-of-number", "(log #n)", NULL, "n > 0, not a prime", NULL, log_of_number,
     "sum of m*log(p) over the primes p of n"},
    {"log10-of-number", "(log10 #n)", NULL, "n = 10^k, k an integer", NULL, log10_of_number,
     "k"},
    {"log10-of-power-of-ten", "(log10 (^ 10 ?u))", "?u", "", NULL, NULL, NULL},
    {"power-of-ten-of-log10", "(^ 10 (cofactor ?a (log10 ?u)))", "(^ ?u ?a)", "", NULL, NULL,
     NULL},
};

const DaeRuleGroup dae_rules_explog = {rules, G_N_ELEMENTS(rules)};
