/* Which delayed expressions does an event reach at once? The unknowns and segment values that
 * occur in one equation belong together, and so do those of groups that share one: an argument
 * goes on as before where nothing of its groups has changed. In a chain of delays the kink of one
 * comes through the next one later, and is no event for all the others: they would make more of
 * it, each for all the others, without end. */
#include "instant/delay-priv.h"

#define UNTOUCHED UINT32_MAX

struct DaeDelayReach {
  uint32_t n_nodes; /* segment values, then unknowns */
  uint32_t *parent; /* n_nodes: sets of nodes as trees */
  uint32_t *round;  /* n_nodes, of roots: how smooth what has changed is; UNTOUCHED */
  GArray **sources; /* uint32_t by delay: nodes of its argument */
  uint32_t n_delays;
  GHashTable *places;   /* segment value -> node + 1 */
  GHashTable *unknowns; /* symbol -> node + 1 */
};

static uint32_t
root_of(DaeDelayReach *reach, uint32_t node)
{
  while (reach->parent[node] != node) {
    reach->parent[node] = reach->parent[reach->parent[node]];
    node = reach->parent[node];
  }
  return node;
}

static void
join(DaeDelayReach *reach, uint32_t a, uint32_t b)
{
  a = root_of(reach, a);
  b = root_of(reach, b);
  reach->parent[MAX(a, b)] = MIN(a, b);
}

/* Nodes in a term; one that is none of the system's stands alone and is left out. */
static void
collect_nodes(const DaeInstant *instant, const DaeDelayReach *reach, DaeTerm t, GArray *nodes)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(instant->terms, t, atoms);
  uint32_t n_variables = atoms->len;
  dae_term_collect_parameters(instant->terms, t, atoms);
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    gpointer known =
        i < n_variables
            ? g_hash_table_lookup(reach->unknowns,
                                  GUINT_TO_POINTER(dae_term_get_symbol(instant->terms, atom)))
            : g_hash_table_lookup(reach->places, GUINT_TO_POINTER(atom));
    if (known != NULL) {
      uint32_t node = GPOINTER_TO_UINT(known) - 1;
      g_array_append_val(nodes, node);
    }
  }
}

static void
join_all(DaeDelayReach *reach, GArray *nodes)
{
  for (uint32_t i = 1; i < nodes->len; i++) {
    join(reach, g_array_index(nodes, uint32_t, 0), g_array_index(nodes, uint32_t, i));
  }
  g_array_set_size(nodes, 0);
}

static void
join_system(const DaeInstant *instant, DaeDelayReach *reach, const DaeSystemParts *system)
{
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < system->n_diff; i++) {
    for (uint32_t e = system->row_start[i]; e < system->row_start[i + 1]; e++) {
      uint32_t node = instant->n_segment + system->columns[e];
      collect_nodes(instant, reach, system->coefficients[e], nodes);
      g_array_append_val(nodes, node);
    }
    collect_nodes(instant, reach, system->rhs[i], nodes);
    join_all(reach, nodes);
  }
  for (uint32_t i = 0; i < system->n_con; i++) {
    collect_nodes(instant, reach, system->constraints[i], nodes);
    join_all(reach, nodes);
  }
}

DaeDelayReach *
dae_delay_reach_new(const DaeInstant *instant, const DaeSystemParts *system)
{
  DaeDelayReach *reach = g_new0(DaeDelayReach, 1);
  reach->n_nodes = instant->n_segment + instant->n;
  reach->n_delays = instant->delayed->len;
  reach->parent = g_new(uint32_t, reach->n_nodes + 1);
  reach->round = g_new(uint32_t, reach->n_nodes + 1);
  reach->places = g_hash_table_new(NULL, NULL);
  reach->unknowns = g_hash_table_new(NULL, NULL);
  reach->sources = g_new0(GArray *, reach->n_delays + 1);
  for (uint32_t k = 0; k < reach->n_nodes; k++) {
    reach->parent[k] = k;
    reach->round[k] = UNTOUCHED;
  }
  for (uint32_t p = 0; p < instant->n_segment; p++) {
    g_hash_table_insert(reach->places,
                        GUINT_TO_POINTER(g_array_index(instant->atoms, DaeTerm, p)),
                        GUINT_TO_POINTER(p + 1));
  }
  for (uint32_t j = 0; j < instant->n; j++) {
    DaeSymbol symbol = dae_term_get_symbol(instant->terms, system->unknowns[j]);
    g_hash_table_insert(reach->unknowns, GUINT_TO_POINTER(symbol),
                        GUINT_TO_POINTER(instant->n_segment + j + 1));
  }
  join_system(instant, reach, system);
  for (uint32_t i = 0; i < reach->n_delays; i++) {
    reach->sources[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    collect_nodes(instant, reach, g_array_index(instant->delayed, DaeTerm, i),
                  reach->sources[i]);
    for (uint32_t k = 1; k < DAE_DELAY_ATOMS; k++) { /* those of one delay are one */
      uint32_t first = instant->at_delay + DAE_DELAY_ATOMS * i;
      join(reach, first, first + k);
    }
  }
  return reach;
}

void
dae_delay_reach_free(DaeDelayReach *reach)
{
  if (reach == NULL) {
    return;
  }
  for (uint32_t i = 0; i < reach->n_delays; i++) {
    g_array_free(reach->sources[i], TRUE);
  }
  g_hash_table_destroy(reach->places);
  g_hash_table_destroy(reach->unknowns);
  g_free(reach->sources);
  g_free(reach->parent);
  g_free(reach->round);
  g_free(reach);
}

void
dae_delay_reach_touch(DaeInstant *instant, uint32_t place, uint32_t round)
{
  DaeDelayReach *reach = instant->delays->reach;
  uint32_t root = root_of(reach, place);
  reach->round[root] = MIN(reach->round[root], round);
}

uint32_t
dae_delay_reach_round(DaeInstant *instant, uint32_t i)
{
  DaeDelayReach *reach = instant->delays->reach;
  uint32_t round = DAE_NO_BREAK;
  for (uint32_t k = 0; k < reach->sources[i]->len; k++) {
    uint32_t root = root_of(reach, g_array_index(reach->sources[i], uint32_t, k));
    round = MIN(round, reach->round[root]);
  }
  return round;
}

void
dae_delay_reach_forget(DaeInstant *instant)
{
  DaeDelayReach *reach = instant->delays->reach;
  for (uint32_t k = 0; k < reach->n_nodes; k++) {
    reach->round[k] = UNTOUCHED;
  }
}
