/* Engine of the rewriting: operands first, then the rules at the top, again until nothing
 * changes. Normal forms are kept in the context.
 *
 * A term passes through stages t -> t' -> t'' ...; stage holds the next one while its normal
 * form is being found. The rules make a measure smaller (docs/rewriting.md), so a stage never
 * comes back; if it did, the term is taken as it is and counted (dae_rules_cycles), so that
 * even a wrong table cannot hang.
 */
#include "terms/rules.h"

typedef struct {
  DaeTerms *terms;
  DaeMemo stage;
  DaeList stack;
} Rewriting;

/* No rule speaks of rational functions of atoms: they need no entry. */
static DaeTerm
normal_form(const Rewriting *r, DaeTerm t)
{
  return dae_rules_are_silent(dae_node(r->terms, t)) ? t
                                                     : dae_memo_get(&r->terms->rewritten, t);
}

/* Pushes the operands that have no normal form yet; true if there are any. */
static bool
operands_are_pending(Rewriting *r, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(r->terms, t, &n);
  size_t before = r->stack.n;
  for (uint32_t i = n; i > 0; i--) {
    if (normal_form(r, u[i - 1]) == 0) {
      dae_list_push(&r->stack, u[i - 1]);
    }
  }
  return r->stack.n > before;
}

/* t with its operands in normal form. */
static DaeTerm
with_normal_operands(const Rewriting *r, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(r->terms, t, &n);
  DaeList list;
  dae_list_init(&list);
  bool changed = false;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm s = normal_form(r, u[i]);
    changed = changed || s != u[i];
    dae_list_push(&list, s);
  }
  DaeTerm result = changed ? dae_rebuild(r->terms, t, list.data, n) : t;
  dae_list_clear(&list);
  return result == DAE_NO_TERM ? t : result; /* nowhere defined: leave it as it is */
}

/* t goes on as next; t waits for its normal form. */
static void
go_on_with(Rewriting *r, DaeTerm t, DaeTerm next)
{
  DaeTerm done = normal_form(r, next);
  if (done != 0) {
    dae_memo_set(&r->terms->rewritten, t, done);
    r->stack.n--;
    return;
  }
  if (dae_memo_get(&r->stage, next) != 0) {
    r->terms->rewrite_cycles++;
    dae_memo_set(&r->terms->rewritten, t, t);
    r->stack.n--;
    return;
  }
  dae_memo_set(&r->stage, t, next);
  dae_list_push(&r->stack, next);
}

static void
advance(Rewriting *r, DaeTerm t)
{
  DaeTerm waiting_for = dae_memo_get(&r->stage, t);
  if (waiting_for != 0) {
    DaeTerm done = normal_form(r, waiting_for);
    if (done == 0) { /* a rule put t into its own replacement */
      r->terms->rewrite_cycles++;
      done = t;
    }
    dae_memo_set(&r->terms->rewritten, t, done);
    r->stack.n--;
    return;
  }
  if (operands_are_pending(r, t)) {
    return;
  }
  DaeTerm next = with_normal_operands(r, t);
  if (next == t) {
    size_t which = 0;
    next = dae_rules_step(r->terms, t, &which);
  }
  if (next == t) {
    dae_memo_set(&r->terms->rewritten, t, t);
    r->stack.n--;
    return;
  }
  go_on_with(r, t, next);
}

DaeTerm
dae_terms_rewrite(DaeTerms *terms, DaeTerm t)
{
  if (t == DAE_NO_TERM || dae_rules_are_silent(dae_node(terms, t))) {
    return t;
  }
  Rewriting r = {.terms = terms};
  dae_list_init(&r.stack);
  dae_list_push(&r.stack, t);
  while (r.stack.n > 0) {
    DaeTerm top = r.stack.data[r.stack.n - 1];
    if (normal_form(&r, top) != 0) {
      r.stack.n--;
    } else {
      advance(&r, top);
    }
  }
  dae_list_clear(&r.stack);
  dae_memo_clear(&r.stage);
  return normal_form(&r, t);
}
