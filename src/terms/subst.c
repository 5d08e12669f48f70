/* Simultaneous substitution with memo. */
#include "terms/terms-priv.h"

typedef struct {
  DaeTerm from;
  DaeTerm to;
} Pair;

struct DaeSubst {
  DaeTerms *terms;
  GArray
      *pairs; /* Pair, the last of equal ones counts; entered into the memo when it is fresh */
  DaeMemo memo;    /* NO_RESULT marks a division by zero */
  bool fresh;      /* memo lacks the pairs */
  bool is_general; /* some from has no flags: it may be in every term */
  uint8_t mask;    /* flags of all from: a term without them has none of these inside */
};

/* Marks "no term" in a memo, whose 0 means absent. */
#define NO_RESULT UINT32_MAX

DaeSubst *
dae_subst_new(DaeTerms *terms)
{
  DaeSubst *subst = g_new0(DaeSubst, 1);
  subst->terms = terms;
  subst->pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
  return subst;
}

DaeSubst *
dae_subst_copy(const DaeSubst *subst)
{
  DaeSubst *copy = dae_subst_new(subst->terms);
  g_array_append_vals(copy->pairs, subst->pairs->data, subst->pairs->len);
  copy->fresh = true;
  copy->mask = subst->mask;
  copy->is_general = subst->is_general;
  return copy;
}

void
dae_subst_free(DaeSubst *subst)
{
  if (subst == NULL) {
    return;
  }
  g_array_free(subst->pairs, TRUE);
  dae_memo_clear(&subst->memo);
  g_free(subst);
}

void
dae_subst_set(DaeSubst *subst, DaeTerm from, DaeTerm to)
{
  DAE_ASSERT(from != DAE_NO_TERM && to != DAE_NO_TERM);
  Pair pair = {from, to};
  g_array_append_val(subst->pairs, pair);
  uint8_t flags = dae_node(subst->terms, from)->flags;
  bool was_met = subst->is_general || (flags & subst->mask) != 0; /* if it was in a term */
  subst->mask |= flags;
  subst->is_general = subst->is_general || flags == 0;
  if (subst->fresh) {
    return;
  }
  if (subst->memo.used == 0 || (was_met && dae_memo_get(&subst->memo, from) == 0)) {
    dae_memo_set(&subst->memo, from, to); /* never met so far: no result depends on it */
  } else {
    dae_memo_clear(&subst->memo);
    subst->fresh = true;
  }
}

static void
enter_pairs(DaeSubst *subst)
{
  for (guint i = 0; i < subst->pairs->len; i++) {
    const Pair *pair = &g_array_index(subst->pairs, Pair, i);
    dae_memo_set(&subst->memo, pair->from, pair->to);
  }
  subst->fresh = false;
}

/* What becomes of t; 0: not known yet. */
static uint32_t
known_result(const DaeSubst *subst, DaeTerm t)
{
  bool is_untouched =
      !subst->is_general && (dae_node(subst->terms, t)->flags & subst->mask) == 0;
  return is_untouched ? t : dae_memo_get(&subst->memo, t);
}

static bool
subst_ready(void *self, DaeTerm t)
{
  return known_result(self, t) != 0;
}

/* An if-term with a branch that is not defined: what is not taken does not count, and what may be
 * taken has no value then. */
static DaeTerm
defined_branches(DaeTerms *terms, DaeTerm t, const DaeTerm *operands)
{
  if (!dae_is_kind(terms, t, DAE_KIND_IF) || operands[0] == NO_RESULT ||
      (operands[1] == NO_RESULT && operands[2] == NO_RESULT)) {
    return DAE_NO_TERM;
  }
  DaeTerm condition = dae_terms_rewrite(terms, operands[0]);
  if (dae_is_kind(terms, condition, DAE_KIND_BOOLEAN)) {
    DaeTerm branch = operands[dae_term_get_bool(terms, condition) ? 1 : 2];
    return branch == NO_RESULT ? DAE_NO_TERM : branch;
  }
  DaeTerm with[3] = {operands[0], operands[1], operands[2]};
  with[operands[1] == NO_RESULT ? 1 : 2] = dae_term_undefined(terms);
  return dae_rebuild(terms, t, with, 3);
}

/* Digits of exact numbers may double from term to term (Newton's method, written out): one that
 * is long is closed, and what it is part of stays a term. */
static DaeTerm
closed(DaeTerms *terms, DaeTerm result)
{
  bool is_long = result != DAE_NO_TERM && dae_is_kind(terms, result, DAE_KIND_NUMBER) &&
                 dae_term_number_bits(terms, result) > DAE_LONGEST_NUMBER;
  return is_long ? dae_term_call1(terms, DAE_FN_NOEVENT, result) : result;
}

/* t with other operands; a routine of numbers is run, if its value is a number, too. */
static DaeTerm
with_operands(DaeTerms *terms, DaeTerm t, const DaeTerm *operands, uint32_t n)
{
  DaeTerm value = DAE_NO_TERM;
  if (dae_is_kind(terms, t, DAE_KIND_CALL) && dae_term_function(terms, t) == DAE_FN_ROUTINE) {
    DaeExactBudget budget = {0, 0};
    value = dae_routine_value(terms, operands, n, &budget);
  }
  return value != DAE_NO_TERM ? value : dae_rebuild(terms, t, operands, n);
}

static void
subst_compute(void *self, DaeTerm t)
{
  DaeSubst *subst = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(subst->terms, t, &n);
  DaeList list;
  dae_list_init(&list);
  bool changed = false;
  bool defined = true;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm s = known_result(subst, operands[i]);
    changed = changed || s != operands[i];
    defined = defined && s != NO_RESULT;
    dae_list_push(&list, s);
  }
  DaeTerm result = t;
  if (!defined) {
    result = defined_branches(subst->terms, t, list.data);
  } else if (changed) {
    result = closed(subst->terms, with_operands(subst->terms, t, list.data, n));
  }
  dae_list_clear(&list);
  dae_memo_set(&subst->memo, t, result == DAE_NO_TERM ? NO_RESULT : result);
}

DaeTerm
dae_subst_apply(DaeSubst *subst, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return t;
  }
  if (subst->fresh) {
    enter_pairs(subst);
  }
  DaeWalk walk = {.ready = subst_ready, .compute = subst_compute, .self = subst};
  dae_walk(subst->terms, t, &walk);
  DaeTerm result = known_result(subst, t);
  return result == NO_RESULT ? DAE_NO_TERM : result;
}

DaeTerm
dae_term_replace(DaeTerms *terms, DaeTerm t, DaeTerm from, DaeTerm to)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  dae_subst_set(subst, from, to);
  return dae_subst_apply(subst, t);
}
