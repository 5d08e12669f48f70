/* Poles inside of branches (watch.h): each with the condition under which it counts. */
#include "pipeline/watch.h"

static bool
is_any(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  return !dae_term_is_polynomial(terms, t);
}

/* Where the node counts: there, or where another one of its users does. */
static void
add_guard(DaeTerms *terms, GHashTable *guards, DaeTerm node, DaeTerm guard)
{
  const gpointer key = GUINT_TO_POINTER(node);
  const DaeTerm known = GPOINTER_TO_UINT(g_hash_table_lookup(guards, key));
  guard = known != DAE_NO_TERM ? dae_term_or(terms, known, guard) : guard;
  g_hash_table_insert(guards, key, GUINT_TO_POINTER(guard));
}

static void
hand_down(DaeTerms *terms, GHashTable *guards, DaeTerm t, DaeTerm guard)
{
  if (dae_term_kind(terms, t) == DAE_KIND_IF) {
    const DaeTerm condition = dae_term_operand(terms, t, 0);
    const DaeTerm otherwise = dae_term_not(terms, condition);
    add_guard(terms, guards, dae_term_operand(terms, t, 1),
              dae_term_and(terms, guard, condition));
    add_guard(terms, guards, dae_term_operand(terms, t, 2),
              dae_term_and(terms, guard, otherwise));
  } else if (dae_watch_is_entered(terms, t)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    g_autofree DaeTerm *copies = g_memdup2(operands, sizeof(DaeTerm) * n);
    for (uint32_t k = 0; k < n; k++) {
      add_guard(terms, guards, copies[k], guard);
    }
  }
}

/* The poles at one node: edges of domains are the branch's own, which ends there as a rule (`if x
 * > 0 then log(x) else 0`). */
static void
add_poles_at(DaeTerms *terms, DaeTerm t, DaeTerm guard, GArray *brinks)
{
  guint k = brinks->len;
  dae_watch_collect_at(terms, t, brinks);
  while (k < brinks->len) {
    g_array_index(brinks, DaeBrink, k).guard = guard;
    if (g_array_index(brinks, DaeBrink, k).is_edge) {
      g_array_remove_index(brinks, k);
    } else {
      k++;
    }
  }
}

void
dae_watch_collect_in_branches(DaeTerms *terms, DaeTerm t, GArray *brinks)
{
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) guards = g_hash_table_new(NULL, NULL);
  dae_term_collect_nodes(terms, t, is_any, NULL, nodes);
  const DaeTerm always = dae_term_bool(terms, true);
  const DaeTerm never = dae_term_bool(terms, false);
  add_guard(terms, guards, t, always);
  for (guint k = nodes->len; k-- > 0;) {
    const DaeTerm node = g_array_index(nodes, DaeTerm, k);
    const DaeTerm guard = GPOINTER_TO_UINT(g_hash_table_lookup(guards, GUINT_TO_POINTER(node)));
    if (guard == DAE_NO_TERM || guard == never) {
      continue;
    }
    if (guard != always) {
      add_poles_at(terms, node, guard, brinks);
    }
    hand_down(terms, guards, node, guard);
  }
}
