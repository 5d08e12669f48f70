/* The rule table of the rewriting (docs/rewriting.md lists it and argues that it ends). */
#ifndef DAE_TERMS_RULES_H
#define DAE_TERMS_RULES_H

#include "terms/pattern.h"

typedef bool (*DaeRuleCondition)(DaeTerms *terms, const DaeMatch *match);
/* The replacement where it is not a pattern; DAE_NO_TERM if the rule does not apply. */
typedef DaeTerm (*DaeRuleCompute)(DaeTerms *terms, DaeTerm t, const DaeMatch *match);

typedef struct {
  const char *name;
  const char *pattern;        /* what is matched */
  const char *replacement;    /* a pattern, or NULL: then compute */
  const char *condition_text; /* side condition in words, "" if there is none */
  DaeRuleCondition condition; /* NULL: none */
  DaeRuleCompute compute;
  const char *compute_text; /* what compute gives, in words */
} DaeRule;

typedef struct {
  const DaeRule *rules;
  size_t n;
} DaeRuleGroup;

extern const DaeRuleGroup dae_rules_power;
extern const DaeRuleGroup dae_rules_trig;
extern const DaeRuleGroup dae_rules_explog;
extern const DaeRuleGroup dae_rules_piecewise;
extern const DaeRuleGroup dae_rules_logic;

/* All rules in the order in which they are tried. */
size_t dae_rules_count(void);
const DaeRule *dae_rules_get(size_t i);

/* Side conditions shared by the groups. */
DaeTerm dae_rule_bound(const DaeMatch *match, char letter);
bool dae_rule_is_integer(const DaeTerms *terms, DaeTerm number);
bool dae_rule_is_even(const DaeTerms *terms, DaeTerm number);
bool dae_rule_is_positive(DaeTerms *terms, DaeTerm t);
bool dae_rule_is_nonnegative(DaeTerms *terms, DaeTerm t);
bool dae_rule_u_is_positive(DaeTerms *terms, const DaeMatch *match);
bool dae_rule_u_is_positive_v_not_one(DaeTerms *terms, const DaeMatch *match);

/* A rational function of atoms: no rule speaks of these, the constructors did all. (Truth values
 * have kinds behind DAE_KIND_SUM and are not inside sums and products.) */
static inline bool
dae_rules_are_silent(const DaeNode *node)
{
  return node->kind <= DAE_KIND_SUM && (node->flags & DAE_HAS_CALL) == 0;
}

/* One step at the top of t: the first rule that applies. t itself if
 * none does. *which is its index. */
DaeTerm dae_rules_step(DaeTerms *terms, DaeTerm t, size_t *which);
/* Only that rule, at the top. */
DaeTerm dae_rules_step_with(DaeTerms *terms, size_t which, DaeTerm t);
/* How often each rule was applied in this context. */
uint64_t dae_rules_applied(const DaeTerms *terms, size_t i);
/* Steps that would have come back to a term in progress (never, if the rules end). */
uint64_t dae_rules_cycles(const DaeTerms *terms);

struct DaeRuleSet;
void dae_rules_free(struct DaeRuleSet *set);

#endif
