/* Routines on exact numbers: a call whose arguments are numbers is the number that comes out, if
 * all steps on the way are rational. Otherwise the call stays, and nothing is rounded. */
#include "terms/routines-priv.h"

enum {
  MOST_ROUNDS = 2000, /* of all loops and calls together */
  MOST_DEPTH = 30,
  MOST_BITS = 2048 /* of a state */
};

static DaeTerm
value_of_formal(void *user, DaeTerm formal)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(user, GUINT_TO_POINTER(formal)));
}

static void
bind(GHashTable *values, DaeTerm formal, DaeTerm value)
{
  g_hash_table_insert(values, GUINT_TO_POINTER(formal), GUINT_TO_POINTER(value));
}

static bool
evaluate(DaeTerms *terms, DaeTerm t, GHashTable *values, DaeExactBudget *budget,
         DaeTerm *result)
{
  return dae_term_eval_within(terms, t, value_of_formal, values, budget, result) ==
             DAE_EVAL_OK &&
         (!dae_is_kind(terms, *result, DAE_KIND_NUMBER) ||
          dae_term_number_bits(terms, *result) <= MOST_BITS);
}

/* All states at once from the terms `from`. */
static bool
set_states(DaeTerms *terms, const DaeRoutine *routine, const DaeTerm *from, GHashTable *values,
           DaeExactBudget *budget)
{
  g_autofree DaeTerm *fresh = g_new(DaeTerm, routine->n_states + 1);
  for (uint32_t s = 0; s < routine->n_states; s++) {
    if (!evaluate(terms, from[s], values, budget, &fresh[s])) {
      return false;
    }
  }
  for (uint32_t s = 0; s < routine->n_states; s++) {
    bind(values, routine->states[s], fresh[s]);
  }
  return true;
}

static bool
run_loop(DaeTerms *terms, const DaeRoutine *routine, GHashTable *values, DaeExactBudget *budget)
{
  const DaeTerm *from = routine->initial;
  DaeTerm goes_on = DAE_NO_TERM;
  do {
    if (budget->rounds++ >= MOST_ROUNDS || !set_states(terms, routine, from, values, budget) ||
        !evaluate(terms, routine->condition, values, budget, &goes_on) ||
        !dae_is_kind(terms, goes_on, DAE_KIND_BOOLEAN)) {
      return false;
    }
    from = routine->next;
  } while (dae_term_get_bool(terms, goes_on));
  return true;
}

static bool
are_values(const DaeTerms *terms, const DaeTerm *u, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_is_kind(terms, u[i], DAE_KIND_NUMBER) &&
        !dae_is_kind(terms, u[i], DAE_KIND_BOOLEAN)) {
      return false;
    }
  }
  return true;
}

DaeTerm
dae_routine_value(DaeTerms *terms, const DaeTerm *operands, uint32_t n, DaeExactBudget *budget)
{
  int64_t number = 0;
  int64_t k = 0;
  bool good = dae_term_get_int64(terms, operands[0], &number) &&
              dae_term_get_int64(terms, operands[1], &k) &&
              are_values(terms, operands + 2, n - 2);
  if (!good || budget->depth >= MOST_DEPTH || budget->rounds++ >= MOST_ROUNDS) {
    return DAE_NO_TERM;
  }
  const DaeRoutineEntry *entry = dae_routine_entry(terms, (uint32_t)number);
  uint32_t order = 0;
  if ((!entry->is_defined && entry->of == 0) ||
      dae_terms_routine_is_unknown(terms, (uint32_t)number, &order)) {
    return DAE_NO_TERM;
  }
  const DaeRoutine *routine = dae_terms_routine(terms, (uint32_t)number);
  g_autoptr(GHashTable) values = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < routine->n_inputs; i++) {
    bind(values, routine->inputs[i], operands[i + 2]);
  }
  DaeTerm result = DAE_NO_TERM;
  budget->depth++;
  good = (routine->n_states == 0 || run_loop(terms, routine, values, budget)) &&
         evaluate(terms, routine->outputs[k], values, budget, &result);
  budget->depth--;
  return good ? result : DAE_NO_TERM;
}
