/* Premises near a premise: a redundant equation mostly follows from a few others around it (one
 * mesh of a network), also where the elimination over all went a long way round. */
#include "initcheck/initcheck-priv.h"

/* A premise with more unknowns joins everything with everything: no way leads through it. */
enum { MOST_UNKNOWNS = 32 };

struct IcNear {
  IcSystem *sys;
  uint32_t *first; /* of an unknown, in premises: first[z] ... first[z + 1] - 1 */
  uint32_t *premises;
  uint32_t *seen_premise, *seen_unknown; /* number of the last search that met it */
  uint32_t search;
};

static const GArray *
unknowns_of(IcSystem *sys, uint32_t premise)
{
  DaeTerm residual = g_array_index(sys->premises, IcPremise, premise).residual;
  const GArray *inside = residual == DAE_NO_TERM ? NULL : ic_unknowns_inside(sys, residual);
  return inside == NULL || inside->len > MOST_UNKNOWNS ? NULL : inside;
}

IcNear *
ic_near_new(IcSystem *sys)
{
  IcNear *near = g_new0(IcNear, 1);
  near->sys = sys;
  near->first = g_new0(uint32_t, sys->unknowns->len + 2);
  near->seen_unknown = g_new0(uint32_t, sys->unknowns->len + 1);
  near->seen_premise = g_new0(uint32_t, sys->premises->len + 1);
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    const GArray *inside = unknowns_of(sys, p);
    for (guint k = 0; inside != NULL && k < inside->len; k++) {
      near->first[g_array_index(inside, uint32_t, k) + 2]++;
    }
  }
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    near->first[z + 2] += near->first[z + 1];
  }
  near->premises = g_new(uint32_t, near->first[sys->unknowns->len + 1] + 1);
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    const GArray *inside = unknowns_of(sys, p);
    for (guint k = 0; inside != NULL && k < inside->len; k++) {
      near->premises[near->first[g_array_index(inside, uint32_t, k) + 1]++] = p;
    }
  }
  return near;
}

void
ic_near_free(IcNear *near)
{
  if (near != NULL) {
    g_free(near->first);
    g_free(near->premises);
    g_free(near->seen_premise);
    g_free(near->seen_unknown);
    g_free(near);
  }
}

/* Appends the premises before e that have the unknown z. */
static void
meet_unknown(IcNear *near, uint32_t z, uint32_t e, uint32_t most, GArray *out)
{
  for (uint32_t k = near->first[z]; k < near->first[z + 1] && out->len < most; k++) {
    uint32_t p = near->premises[k];
    if (p >= e) {
      return; /* they are in order */
    }
    if (near->seen_premise[p] != near->search) {
      near->seen_premise[p] = near->search;
      g_array_append_val(out, p);
    }
  }
}

GArray *
ic_near_premises(IcNear *near, uint32_t e, uint32_t most)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(out, e);
  near->search++;
  for (guint at = 0; at < out->len && out->len < most; at++) {
    const GArray *inside = unknowns_of(near->sys, g_array_index(out, uint32_t, at));
    for (guint k = 0; inside != NULL && k < inside->len; k++) {
      uint32_t z = g_array_index(inside, uint32_t, k);
      if (near->seen_unknown[z] != near->search) {
        near->seen_unknown[z] = near->search;
        meet_unknown(near, z, e, most, out);
      }
    }
  }
  ic_sort_numbers(out);
  return out;
}
