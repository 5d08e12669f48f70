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

/* ---- sets of rows ------------------------------------------------------------------------ */

enum { LOG_BITS = 6 };

static void
set_bit(IcRowSet *set, uint32_t level, uint32_t at)
{
  uint32_t word = at >> LOG_BITS;
  if (word >= set->n_words[level]) {
    uint32_t n = MAX(word + 1, 2 * set->n_words[level]);
    set->words[level] = g_renew(uint64_t, set->words[level], n);
    memset(set->words[level] + set->n_words[level], 0,
           (n - set->n_words[level]) * sizeof(uint64_t));
    set->n_words[level] = n;
  }
  set->words[level][word] |= UINT64_C(1) << (at & 63);
}

void
ic_set_add(IcRowSet *set, uint32_t r)
{
  for (uint32_t level = 0; level < IC_SET_LEVELS; level++) {
    set_bit(set, level, r);
    r >>= LOG_BITS;
  }
}

uint32_t
ic_set_take_first(IcRowSet *set)
{
  uint32_t at = 0; /* the first word of the highest level that is not 0 */
  while (at < set->n_words[IC_SET_LEVELS - 1] && set->words[IC_SET_LEVELS - 1][at] == 0) {
    at++;
  }
  if (at == set->n_words[IC_SET_LEVELS - 1]) {
    return IC_NONE;
  }
  for (uint32_t level = IC_SET_LEVELS; level-- > 0;) {
    at = at << LOG_BITS | (uint32_t)__builtin_ctzll(set->words[level][at]);
  }
  uint32_t first = at;
  bool is_empty = true;
  for (uint32_t level = 0; level < IC_SET_LEVELS && is_empty; level++) {
    uint64_t *word = &set->words[level][at >> LOG_BITS];
    *word &= ~(UINT64_C(1) << (at & 63));
    is_empty = *word == 0;
    at >>= LOG_BITS;
  }
  return first;
}

void
ic_set_clear(IcRowSet *set)
{
  for (uint32_t level = 0; level < IC_SET_LEVELS; level++) {
    g_free(set->words[level]);
  }
  *set = (IcRowSet){0};
}

/* ---- rows that wait for a stage ---------------------------------------------------------- */

void
ic_queue_row(IcEngine *engine, uint32_t r)
{
  for (uint32_t stage = 0; stage < IC_N_STAGES; stage++) {
    ic_set_add(&engine->waiting[stage], r);
  }
}

uint32_t
ic_queue_next(IcEngine *engine, IcStage stage)
{
  uint32_t r = IC_NONE;
  do {
    r = ic_engine_spent(engine) ? IC_NONE : ic_set_take_first(&engine->waiting[stage]);
  } while (r != IC_NONE && ic_engine_row(engine, r)->state != IC_ROW_ACTIVE);
  return r;
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
