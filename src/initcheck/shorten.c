/* Smallest conflicts first. The premises behind a contradiction are those that the elimination
 * happened to use: on a grid a long way around instead of the cell that does not close. So the
 * neighbours of each premise of the set are looked at, near ones first (two premises are
 * neighbours when they share an unknown): the first neighbourhood that is contradictory by
 * itself holds a short conflict. */
#include "initcheck/initcheck-priv.h"

enum {
  SHORT_ENOUGH = 3,      /* premises of a set that is left alone */
  MOST_NEIGHBOURS = 160, /* premises of a neighbourhood that is decided */
  MOST_RADIUS = 6,
  MOST_WORK = 12000,         /* premises decided for one set, */
  MOST_WORK_IN_ALL = 200000, /* and for all of them */
};

static void
free_list(gpointer data)
{
  g_array_unref(data);
}

/* The premises that contain each unknown. */
const GPtrArray *
ic_premises_by_unknown(IcSystem *sys)
{
  if (sys->premises_of != NULL) {
    return sys->premises_of;
  }
  sys->premises_of = g_ptr_array_new_with_free_func(free_list);
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    g_ptr_array_add(sys->premises_of, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  }
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    DaeTerm residual = g_array_index(sys->premises, IcPremise, p).residual;
    const GArray *inside = residual == DAE_NO_TERM ? NULL : ic_unknowns_inside(sys, residual);
    for (guint i = 0; inside != NULL && i < inside->len; i++) {
      g_array_append_val(
          g_ptr_array_index(sys->premises_of, g_array_index(inside, uint32_t, i)), p);
    }
  }
  return sys->premises_of;
}

/* Adds the neighbours of ball[from ...] to it; false: there are too many. */
static bool
grow(IcSystem *sys, GArray *ball, guint from, GHashTable *known)
{
  const GPtrArray *by_unknown = ic_premises_by_unknown(sys);
  guint to = ball->len;
  for (guint k = from; k < to; k++) {
    uint32_t p = g_array_index(ball, uint32_t, k);
    DaeTerm residual = g_array_index(sys->premises, IcPremise, p).residual;
    const GArray *inside = residual == DAE_NO_TERM ? NULL : ic_unknowns_inside(sys, residual);
    for (guint i = 0; inside != NULL && i < inside->len; i++) {
      const GArray *others = g_ptr_array_index(by_unknown, g_array_index(inside, uint32_t, i));
      for (guint o = 0; o < others->len; o++) {
        uint32_t q = g_array_index(others, uint32_t, o);
        if (g_hash_table_add(known, GUINT_TO_POINTER(q + 1))) {
          g_array_append_val(ball, q);
        }
        if (ball->len > MOST_NEIGHBOURS) {
          return false;
        }
      }
    }
  }
  return true;
}

/* The premises within the radius of the seed, increasing; NULL: too many. */
static GArray *
neighbourhood(IcSystem *sys, uint32_t seed, uint32_t radius)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) ball = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_hash_table_add(known, GUINT_TO_POINTER(seed + 1));
  g_array_append_val(ball, seed);
  guint from = 0;
  for (uint32_t r = 0; r < radius; r++) {
    guint begin = ball->len;
    if (!grow(sys, ball, from, known)) {
      return NULL;
    }
    from = begin;
  }
  ic_sort_numbers(ball);
  return g_steal_pointer(&ball);
}

/* A minimal conflict inside the neighbourhood; NULL: it is not contradictory. */
static GArray *
conflict_inside(IcSystem *sys, GArray *ball)
{
  g_autoptr(IcEngine) engine = ic_decide(sys, ball, NULL);
  uint32_t row = engine->out_of_budget ? IC_NONE : ic_conflict_row(engine);
  if (row == IC_NONE) {
    return NULL;
  }
  GArray *found = g_array_copy(ball);
  g_autoptr(IcEngine) small = ic_conflict_minimize(sys, found);
  if (!ic_is_conflict(small) || small->out_of_budget) {
    g_clear_pointer(&found, g_array_unref);
  }
  return found;
}

/* Takes a shorter set where the engine agrees that it contradicts. */
static void
take_if_shorter(IcSystem *sys, const GArray *found, GArray *premises)
{
  if (found->len == 0 || found->len >= premises->len) {
    return;
  }
  g_autoptr(GArray) smaller = g_array_copy((GArray *)found);
  g_autoptr(IcEngine) small = ic_conflict_minimize(sys, smaller);
  sys->shortening += found->len;
  if (ic_is_conflict(small) && !small->out_of_budget) {
    g_array_set_size(premises, 0);
    g_array_append_vals(premises, smaller->data, smaller->len);
  }
}

void
ic_conflict_shorten(IcSystem *sys, GArray *premises)
{
  uint32_t work = 0;
  if (premises->len > SHORT_ENOUGH && sys->shortening <= MOST_WORK_IN_ALL) {
    g_autoptr(GArray) found = ic_shortest_walk(sys, premises);
    take_if_shorter(sys, found, premises);
  }
  for (uint32_t radius = 1; radius <= MOST_RADIUS && premises->len > SHORT_ENOUGH; radius++) {
    g_autoptr(GArray) best = NULL;
    bool is_any = false;
    for (guint i = 0; i < premises->len; i++) {
      if (work > MOST_WORK || sys->shortening > MOST_WORK_IN_ALL ||
          dae_budget_spent(sys->budget)) {
        break;
      }
      g_autoptr(GArray) ball = neighbourhood(sys, g_array_index(premises, uint32_t, i), radius);
      if (ball == NULL) {
        continue;
      }
      is_any = true;
      work += ball->len;
      sys->shortening += ball->len;
      GArray *found = conflict_inside(sys, ball);
      if (found != NULL && found->len < (best != NULL ? best->len : premises->len)) {
        g_clear_pointer(&best, g_array_unref);
        best = g_steal_pointer(&found);
      }
      g_clear_pointer(&found, g_array_unref);
    }
    if (best != NULL) {
      g_array_set_size(premises, 0);
      g_array_append_vals(premises, best->data, best->len);
      return;
    }
    if (!is_any) {
      return;
    }
  }
}
