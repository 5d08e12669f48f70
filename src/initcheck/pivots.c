/* Which unknown a row is solved for, and in which order rows are taken: numbers before
 * parameters before long expressions, short rows before long ones. Coefficients that vanish at
 * the given values are taken out first. */
#include "initcheck/initcheck-priv.h"

enum { MOST_WEIGHED = 200 }; /* entries of a row whose coefficients are looked at */

static bool
is_usable(IcSystem *sys, DaeTerm c)
{
  return dae_term_is_number(sys->terms, c) || ic_zero_at_values(sys, c) == DAE_NONZERO;
}

/* Numbers before parameters before long expressions in them: what is
 * divided by should stay small. */
static uint64_t
coefficient_class(IcSystem *sys, DaeTerm c)
{
  if (dae_term_is_number(sys->terms, c)) {
    return 0;
  }
  size_t size = dae_term_size(sys->terms, c);
  return size <= 4 ? 1 : size <= 12 ? 2 : size <= 40 ? 3 : 4;
}

/* The unknown of the row to solve for: coefficient usable, not inside a leaf; numbers before
 * parameters, then the unknown that stands alone on the left of the premise, then short
 * columns, then the highest derivative. */
uint32_t
ic_pivot_best(const IcEngine *engine, const IcRow *row)
{
  IcSystem *sys = engine->sys;
  /* rows that are only tried (is this unknown still free?) have no premise */
  DaeTerm left = row->premise < sys->premises->len
                     ? g_array_index(sys->premises, IcPremise, row->premise).lhs
                     : DAE_NO_TERM;
  uint32_t best = IC_NONE;
  uint64_t best_key = UINT64_MAX;
  for (guint i = 0; i < row->form.entries->len; i++) {
    const IcEntry *entry = &g_array_index(row->form.entries, IcEntry, i);
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, entry->z);
    const GArray *column = engine->columns[entry->z];
    uint64_t parametric = coefficient_class(sys, entry->c);
    uint64_t length = column == NULL ? 0 : column->len;
    uint64_t foreign = unknown->atom == left ? 0 : 1;
    uint64_t key = parametric << 60 | MIN(length, 0xffffffffu) << 16 | foreign << 15 |
                   (0x7fffu - MIN(unknown->order, 0x7fffu));
    if (key < best_key && is_usable(sys, entry->c) &&
        !ic_form_leaf_has(sys, &row->form, entry->z)) {
      best = entry->z;
      best_key = key;
    }
  }
  return best;
}

/* unknown = constant, or unknown = factor * unknown, where the
 * coefficient of the unknown is 1 or -1. */
static bool
is_trivial_pivot(const IcEngine *engine, const IcRow *row, uint32_t z)
{
  int64_t c = 0;
  guint n = row->form.entries->len;
  return row->form.leaves->len == 0 &&
         dae_term_get_int64(engine->sys->terms, ic_form_coefficient(&row->form, z), &c) &&
         (c == 1 || c == -1) &&
         (n == 1 || (n == 2 && dae_term_is_zero(engine->sys->terms, row->form.rest)));
}

/* The trivial pivot of the row; of two the later one in the text goes, so that p1 = p2 keeps
 * p1. */
uint32_t
ic_pivot_trivial(const IcEngine *engine, const IcRow *row)
{
  for (guint i = row->form.entries->len; i-- > 0;) {
    uint32_t z = g_array_index(row->form.entries, IcEntry, i).z;
    if (is_trivial_pivot(engine, row, z)) {
      return z;
    }
  }
  return IC_NONE;
}

/* Coefficients that vanish at the given values, though not for all: those parts of the row
 * go. What is left keeps its parameters as symbols, so that conditions can still be read
 * from it. */
bool
ic_pivot_put_values(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  IcForm *form = &ic_engine_row(engine, r)->form;
  bool changed = false;
  for (guint i = form->entries->len; i-- > 0;) {
    if (ic_zero_at_values(sys, g_array_index(form->entries, IcEntry, i).c) == DAE_ZERO) {
      g_array_remove_index(form->entries, i);
      changed = true;
    }
  }
  for (guint i = form->leaves->len; i-- > 0;) {
    if (ic_zero_at_values(sys, g_array_index(form->leaves, IcLeaf, i).c) == DAE_ZERO) {
      g_array_remove_index(form->leaves, i);
      changed = true;
    }
  }
  if (!changed) {
    return false;
  }
  engine->used_values = true;
  ic_engine_log(engine, r, IC_LINE_VALUES, ic_form_term(sys, form),
                dae_term_int(sys->terms, 0));
  ic_engine_touch(engine, r);
  return true;
}

bool
ic_pivot_vanishes(IcSystem *sys, const IcForm *form)
{
  for (guint i = 0; i < form->entries->len; i++) {
    if (ic_zero_at_values(sys, g_array_index(form->entries, IcEntry, i).c) == DAE_ZERO) {
      return true;
    }
  }
  for (guint i = 0; i < form->leaves->len; i++) {
    if (ic_zero_at_values(sys, g_array_index(form->leaves, IcLeaf, i).c) == DAE_ZERO) {
      return true;
    }
  }
  return false;
}

void
ic_engine_touch(IcEngine *engine, uint32_t r)
{
  IcRow *row = ic_engine_row(engine, r);
  row->version++;
  if (row->state != IC_ROW_ACTIVE) {
    return;
  }
  if (row->form.entries->len == 0 && row->form.leaves->len == 0) {
    ic_engine_finish_row(engine, r);
    return;
  }
  ic_queue_row(engine, r);
  if (row->passive || row->form.entries->len == 0) {
    return;
  }
  uint64_t kind = row->form.leaves->len > 0 ? IC_KIND_EXPLICIT : row->form.entries->len > 1;
  uint64_t length = row->form.entries->len + 4 * (uint64_t)row->form.leaves->len;
  /* rows with long coefficients later; a row of very many entries is late already, and changes
   * often */
  guint n_weighed = row->form.entries->len <= MOST_WEIGHED ? row->form.entries->len : 0;
  for (guint i = 0; i < n_weighed; i++) {
    uint64_t size =
        coefficient_class(engine->sys, g_array_index(row->form.entries, IcEntry, i).c);
    length += size > 1 ? 2 * size : 0;
  }
  if (kind == 0 && row->line == IC_NONE && row->pending->len == 0) {
    length = 0; /* premises that say unknown = number come first: short chains, short proofs */
  }
  /* values that are near to the premises first: short chains again,
   * and linear work on long models */
  uint64_t depth = kind == 0 ? row->depth : 0;
  uint64_t key = kind << IC_KIND_SHIFT | MIN(length, 0xfffffffu) << 32 | depth;
  ic_heap_push(engine->heap, (IcCandidate){key, r, row->version});
}
