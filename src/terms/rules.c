/* The table as a whole: order, compiled patterns, index by head, one step. */
#include "terms/rules.h"

#include <string.h>

static const DaeRuleGroup *
group_at(size_t i)
{
  static const DaeRuleGroup *const groups[] = {&dae_rules_logic, &dae_rules_piecewise,
                                               &dae_rules_power, &dae_rules_explog,
                                               &dae_rules_trig};
  return i < G_N_ELEMENTS(groups) ? groups[i] : NULL;
}

size_t
dae_rules_count(void)
{
  size_t n = 0;
  for (size_t i = 0; group_at(i) != NULL; i++) {
    n += group_at(i)->n;
  }
  return n;
}

const DaeRule *
dae_rules_get(size_t i)
{
  for (size_t g = 0; group_at(g) != NULL; g++) {
    if (i < group_at(g)->n) {
      return &group_at(g)->rules[i];
    }
    i -= group_at(g)->n;
  }
  DAE_ASSERT(false);
  return NULL;
}

/* ---- shared conditions ------------------------------------------------------------------- */

DaeTerm
dae_rule_bound(const DaeMatch *match, char letter)
{
  DaeTerm t = match->bind[dae_pattern_wildcard(letter)];
  DAE_ASSERT(t != DAE_NO_TERM);
  return t;
}

bool
dae_rule_is_integer(const DaeTerms *terms, DaeTerm number)
{
  if (!dae_is_kind(terms, number, DAE_KIND_NUMBER)) {
    return false;
  }
  DaeRat value = dae_number_view(terms, number);
  return dae_rat_is_integer(&value);
}

bool
dae_rule_is_even(const DaeTerms *terms, DaeTerm number)
{
  int64_t n = 0;
  return dae_term_get_int64(terms, number, &n) && n % 2 == 0;
}

bool
dae_rule_is_positive(DaeTerms *terms, DaeTerm t)
{
  return dae_term_possible_signs(terms, t) == DAE_MAY_BE_POSITIVE;
}

bool
dae_rule_u_is_positive(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_is_positive(terms, dae_rule_bound(match, 'u'));
}

bool
dae_rule_u_is_positive_v_not_one(DaeTerms *terms, const DaeMatch *match)
{
  return dae_rule_bound(match, 'v') != terms->one && dae_rule_u_is_positive(terms, match);
}

bool
dae_rule_is_nonnegative(DaeTerms *terms, DaeTerm t)
{
  return (dae_term_possible_signs(terms, t) & DAE_MAY_BE_NEGATIVE) == 0;
}

/* ---- compiled rules ---------------------------------------------------------------------- */

typedef struct {
  const DaeRule *rule;
  DaePattern *pattern;
  DaePattern *replacement;
  uint64_t n_applied;
} CompiledRule;

struct DaeRuleSet {
  CompiledRule *rules;
  size_t n;
  GArray *by_head[DAE_KIND_NOT + 1 + DAE_FN_COUNT]; /* size_t indices, in order */
};

static size_t
head_index(DaeKind kind, uint8_t op)
{
  return kind == DAE_KIND_CALL ? (size_t)DAE_KIND_NOT + 1 + op : (size_t)kind;
}

/* Head of the terms that a pattern can match at its top. */
static size_t
head_of_pattern(const DaePattern *pattern)
{
  switch (pattern->head) {
  case DAE_PATTERN_CALL:
    return head_index(DAE_KIND_CALL, pattern->op);
  case DAE_PATTERN_POWER:
    return head_index(DAE_KIND_POWER, 0);
  case DAE_PATTERN_SUM:
    return head_index(DAE_KIND_SUM, 0);
  case DAE_PATTERN_PRODUCT:
    return head_index(DAE_KIND_PRODUCT, 0);
  case DAE_PATTERN_AND:
    return head_index(DAE_KIND_AND, 0);
  case DAE_PATTERN_OR:
    return head_index(DAE_KIND_OR, 0);
  case DAE_PATTERN_NOT:
    return head_index(DAE_KIND_NOT, 0);
  case DAE_PATTERN_IF:
    return head_index(DAE_KIND_IF, 0);
  case DAE_PATTERN_RELATION:
    return head_index(DAE_KIND_RELATION, 0);
  case DAE_PATTERN_ANY:
  case DAE_PATTERN_ANY_NUMBER:
  case DAE_PATTERN_LITERAL:
  case DAE_PATTERN_NEG:
  case DAE_PATTERN_SCALED:
  case DAE_PATTERN_COFACTOR:
    break;
  }
  DAE_ASSERT(false); /* a rule needs a head */
  return 0;
}

static struct DaeRuleSet *
compiled_rules(DaeTerms *terms)
{
  if (terms->rules != NULL) {
    return terms->rules;
  }
  struct DaeRuleSet *set = g_new0(struct DaeRuleSet, 1);
  set->n = dae_rules_count();
  set->rules = g_new0(CompiledRule, set->n);
  for (size_t i = 0; i < set->n; i++) {
    const DaeRule *rule = dae_rules_get(i);
    CompiledRule *compiled = &set->rules[i];
    compiled->rule = rule;
    compiled->pattern = dae_pattern_parse(terms, rule->pattern);
    if (rule->replacement != NULL) {
      compiled->replacement = dae_pattern_parse(terms, rule->replacement);
    }
    DAE_ASSERT((rule->replacement != NULL) != (rule->compute != NULL));
    GArray **list = &set->by_head[head_of_pattern(compiled->pattern)];
    if (*list == NULL) {
      *list = g_array_new(FALSE, FALSE, sizeof(size_t));
    }
    g_array_append_val(*list, i);
  }
  terms->rules = set;
  return set;
}

void
dae_rules_free(struct DaeRuleSet *set)
{
  if (set == NULL) {
    return;
  }
  for (size_t i = 0; i < set->n; i++) {
    dae_pattern_free(set->rules[i].pattern);
    dae_pattern_free(set->rules[i].replacement);
  }
  for (size_t i = 0; i < G_N_ELEMENTS(set->by_head); i++) {
    if (set->by_head[i] != NULL) {
      g_array_free(set->by_head[i], TRUE);
    }
  }
  g_free(set->rules);
  g_free(set);
}

/* ---- one step ---------------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  const CompiledRule *rule;
  DaeTerm term;
  DaeTerm result;
} Attempt;

/* Accepts a match if the side condition holds and the replacement exists. */
static bool
try_match(void *user, const DaeMatch *match)
{
  Attempt *attempt = user;
  const DaeRule *rule = attempt->rule->rule;
  if (rule->condition != NULL && !rule->condition(attempt->terms, match)) {
    return false;
  }
  attempt->result = rule->compute != NULL
                        ? rule->compute(attempt->terms, attempt->term, match)
                        : dae_pattern_build(attempt->terms, attempt->rule->replacement, match);
  return attempt->result != DAE_NO_TERM;
}

static DaeTerm
join_rest(DaeTerms *terms, const DaePattern *pattern, DaeTerm result, DaeList *rest)
{
  if (rest->n == 0) {
    return result;
  }
  if (pattern->head == DAE_PATTERN_SUM || pattern->head == DAE_PATTERN_PRODUCT) {
    dae_list_push(rest, result);
    return pattern->head == DAE_PATTERN_SUM ? dae_term_sum(terms, rest->data, rest->n)
                                            : dae_term_product(terms, rest->data, rest->n);
  }
  for (size_t i = 0; i < rest->n; i++) {
    result = pattern->head == DAE_PATTERN_AND ? dae_term_and(terms, result, rest->data[i])
                                              : dae_term_or(terms, result, rest->data[i]);
  }
  return result;
}

static DaeTerm
apply_rule(DaeTerms *terms, CompiledRule *rule, DaeTerm t)
{
  Attempt attempt = {.terms = terms, .rule = rule, .term = t, .result = DAE_NO_TERM};
  DaeMatch match;
  DaeList rest;
  dae_list_init(&rest);
  DaeTerm result = t;
  if (dae_pattern_match(terms, rule->pattern, t, try_match, &attempt, &match, &rest)) {
    result = join_rest(terms, rule->pattern, attempt.result, &rest);
    if (result == DAE_NO_TERM) {
      result = t;
    }
    rule->n_applied += result != t;
  }
  dae_list_clear(&rest);
  return result;
}

DaeTerm
dae_rules_step(DaeTerms *terms, DaeTerm t, size_t *which)
{
  struct DaeRuleSet *set = compiled_rules(terms);
  const DaeNode *node = dae_node(terms, t);
  const GArray *list = set->by_head[head_index((DaeKind)node->kind, node->op)];
  if (list == NULL || dae_rules_are_silent(node)) {
    return t;
  }
  for (guint i = 0; i < list->len; i++) {
    size_t k = g_array_index(list, size_t, i);
    DaeTerm result = apply_rule(terms, &set->rules[k], t);
    if (result != t) {
      *which = k;
      return result;
    }
  }
  return t;
}

DaeTerm
dae_rules_step_with(DaeTerms *terms, size_t which, DaeTerm t)
{
  struct DaeRuleSet *set = compiled_rules(terms);
  DAE_ASSERT(which < set->n);
  return apply_rule(terms, &set->rules[which], t);
}

uint64_t
dae_rules_applied(const DaeTerms *terms, size_t i)
{
  if (terms->rules == NULL) {
    return 0;
  }
  DAE_ASSERT(i < terms->rules->n);
  return terms->rules->rules[i].n_applied;
}

uint64_t
dae_rules_cycles(const DaeTerms *terms)
{
  return terms->rewrite_cycles;
}
