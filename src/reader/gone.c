/* Where `return` and `break` have gone: terms that say when, of the scope and of its loops. */
#include "reader/calls.h"

static DaeScope *
scope_of(const DaeReader *reader)
{
  return &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
}

static DaeTerm
disjunction(const DaeReader *reader, DaeTerm a, DaeTerm b)
{
  if (a == DAE_NO_TERM || b == DAE_NO_TERM) {
    return a == DAE_NO_TERM ? b : a;
  }
  return dae_term_or(reader->terms, a, b);
}

/* `gone`, or out of one of the loops around. */
static DaeTerm
or_out_of_a_loop(const DaeReader *reader, DaeTerm gone)
{
  const DaeScope *scope = scope_of(reader);
  for (uint32_t i = scope->first_loop; i < reader->loops->len; i++) {
    gone = disjunction(reader, gone, g_array_index(reader->loops, DaeLoopFrame, i).broken);
  }
  return disjunction(reader, disjunction(reader, gone, scope->broken), scope->outer);
}

DaeTerm
dae_statement_gone(const DaeReader *reader)
{
  return or_out_of_a_loop(reader, scope_of(reader)->left);
}

/* A `return` behind a `break` of the same round happens only where that did not. */
void
dae_statement_leave(DaeReader *reader)
{
  DaeScope *scope = scope_of(reader);
  DaeTerm broken = or_out_of_a_loop(reader, DAE_NO_TERM);
  scope->left = broken == DAE_NO_TERM
                    ? dae_term_bool(reader->terms, true)
                    : disjunction(reader, scope->left, dae_term_not(reader->terms, broken));
}

bool
dae_statement_is_dead(const DaeReader *reader)
{
  const DaeScope *scope = scope_of(reader);
  if (dae_statement_is_true(reader, scope->left) ||
      dae_statement_is_true(reader, scope->broken)) {
    return true;
  }
  for (uint32_t i = scope->first_loop; i < reader->loops->len; i++) {
    if (dae_statement_is_true(reader, g_array_index(reader->loops, DaeLoopFrame, i).broken)) {
      return true;
    }
  }
  return false;
}
