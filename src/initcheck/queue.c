/* Which row next: the heap of candidates for linear pivots, and for each of the other stages
 * the rows that changed since the stage looked at them, the smallest number first. A stage
 * never walks over all rows, so long chains cost what they contain and not its square. */
#include "initcheck/initcheck-priv.h"

/* ---- candidates for pivots --------------------------------------------------------------- */

static bool
comes_before(const IcCandidate *a, const IcCandidate *b)
{
  return a->key != b->key ? a->key < b->key : a->row < b->row;
}

void
ic_heap_push(GArray *heap, IcCandidate item)
{
  g_array_append_val(heap, item);
  IcCandidate *data = (IcCandidate *)(void *)heap->data;
  guint at = heap->len - 1;
  while (at > 0 && comes_before(&data[at], &data[(at - 1) / 2])) {
    IcCandidate swap = data[at];
    data[at] = data[(at - 1) / 2];
    data[(at - 1) / 2] = swap;
    at = (at - 1) / 2;
  }
}

IcCandidate
ic_heap_pop(GArray *heap)
{
  IcCandidate *data = (IcCandidate *)(void *)heap->data;
  IcCandidate top = data[0];
  data[0] = data[heap->len - 1];
  g_array_set_size(heap, heap->len - 1);
  guint at = 0;
  for (;;) {
    guint least = at;
    for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < heap->len; child++) {
      least = comes_before(&data[child], &data[least]) ? child : least;
    }
    if (least == at) {
      return top;
    }
    IcCandidate swap = data[at];
    data[at] = data[least];
    data[least] = swap;
    at = least;
  }
}

/* ---- rows that wait for a stage ---------------------------------------------------------- */

void
ic_queue_row(IcEngine *engine, uint32_t r)
{
  IcRow *row = ic_engine_row(engine, r);
  for (uint32_t stage = 0; stage < IC_N_STAGES; stage++) {
    if ((row->waits_for & (1u << stage)) == 0) {
      ic_heap_push(engine->waiting[stage], (IcCandidate){.key = r, .row = r});
    }
  }
  row->waits_for = (1u << IC_N_STAGES) - 1;
}

uint32_t
ic_queue_next(IcEngine *engine, IcStage stage)
{
  GArray *waiting = engine->waiting[stage];
  while (waiting->len > 0 && !ic_engine_spent(engine)) {
    uint32_t r = ic_heap_pop(waiting).row;
    IcRow *row = ic_engine_row(engine, r);
    row->waits_for &= ~(1u << stage);
    if (row->state == IC_ROW_ACTIVE) {
      return r;
    }
  }
  return IC_NONE;
}

/* Rows never become active again: those that ended are dropped from
 * the list when it is asked for. */
const GArray *
ic_queue_active(IcEngine *engine)
{
  guint kept = 0;
  for (guint i = 0; i < engine->active->len; i++) {
    uint32_t r = g_array_index(engine->active, uint32_t, i);
    if (ic_engine_row(engine, r)->state == IC_ROW_ACTIVE) {
      g_array_index(engine->active, uint32_t, kept++) = r;
    }
  }
  g_array_set_size(engine->active, kept);
  return engine->active;
}
