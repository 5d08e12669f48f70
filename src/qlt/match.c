/* Which row is solved for which derivative: a maximum matching kept up to date row by
 * row, and the blocks it makes.
 *
 * A row that finds no alternating path to a free derivative reaches exactly as many
 * derivatives as rows: it depends on these rows (structurally), and eliminating inside that
 * set frees it of derivatives. */
#include "qlt/qlt-priv.h"

#include <limits.h>
#include <stdlib.h>

/* A coefficient that is 0 in one of its modes: if initial() then 0 else 1. */
static bool
may_be_off(const DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(left, t);
  while (left->len > 0) {
    DaeTerm next = g_array_index(left, DaeTerm, left->len - 1);
    g_array_set_size(left, left->len - 1);
    uint32_t n = 0;
    bool is_if = dae_term_kind(terms, next) == DAE_KIND_IF;
    const DaeTerm *operands = is_if || dae_term_kind(terms, next) == DAE_KIND_PRODUCT
                                  ? dae_term_operands(terms, next, &n)
                                  : NULL;
    if (next != t && dae_term_is_zero(terms, next)) {
      return true;
    }
    for (uint32_t i = is_if ? 1 : 0; i < n; i++) {
      g_array_append_val(left, operands[i]);
    }
  }
  return false;
}

/* Larger is better: numbers and the transversal of Sigma, parameters, what has one sign; last
 * what vanishes in a mode, or at a point on the constraints found so far. */
int
qlt_pivot_quality(QltWork *work, const QltRow *row, uint32_t k)
{
  const uint32_t *transversal =
      work->sig != NULL && work->sig_is_ours ? dae_sig_transversal(work->sig) : NULL;
  DaeTerm t = row->coefficients[k];
  bool is_parametric = dae_term_is_parametric(work->terms, t);
  if (may_be_off(work->terms, t)) {
    return -1;
  }
  if (is_parametric && transversal != NULL && row->from->len == 1 && !row->is_auxiliary) {
    uint32_t equation = g_array_index(row->from, DaeQltOrigin, 0).equation;
    if (equation < dae_sig_n_rows(work->sig) && transversal[equation] == row->columns[k]) {
      return 4;
    }
  }
  if (is_parametric) {
    return dae_term_is_number(work->terms, t) ? 3 : 2;
  }
  if (qlt_seems_to_vanish(work, t)) {
    return -1;
  }
  return qlt_is_never_zero(work, t) ? 1 : 0;
}

static void
match_pair(QltWork *work, uint32_t i, uint32_t j)
{
  qlt_row(work, i)->pivot = j;
  qlt_column(work, j)->match = i;
}

static bool
match_own_free_column(QltWork *work, uint32_t i)
{
  const QltRow *row = qlt_row(work, i);
  uint32_t best = QLT_NONE;
  int best_quality = INT_MIN;
  for (uint32_t k = 0; k < row->n; k++) {
    if (qlt_column(work, row->columns[k])->match == QLT_NONE) {
      /* rating may cost a proof of a sign: not for a row with one derivative */
      int quality = row->n == 1 ? 0 : qlt_pivot_quality(work, row, k);
      if (quality > best_quality) {
        best = row->columns[k];
        best_quality = quality;
      }
    }
  }
  if (best == QLT_NONE) {
    return false;
  }
  match_pair(work, i, best);
  return true;
}

static void
flip_path(QltWork *work, uint32_t i, uint32_t j)
{
  for (;;) {
    uint32_t p = g_array_index(work->via, uint32_t, j);
    uint32_t next = qlt_row(work, p)->pivot;
    match_pair(work, p, j);
    if (p == i) {
      return;
    }
    j = next;
  }
}

bool
qlt_match_row(QltWork *work, uint32_t i, GArray *reached)
{
  DAE_ASSERT(qlt_row(work, i)->pivot == QLT_NONE);
  if (match_own_free_column(work, i)) {
    return true;
  }
  work->stamp++;
  uint32_t first = reached->len;
  uint32_t p = i;
  for (uint32_t next = first;; next++) {
    const QltRow *row = qlt_row(work, p);
    for (uint32_t k = 0; k < row->n; k++) {
      uint32_t j = row->columns[k];
      if (g_array_index(work->seen, uint32_t, j) == work->stamp) {
        continue;
      }
      g_array_index(work->seen, uint32_t, j) = work->stamp;
      g_array_index(work->via, uint32_t, j) = p;
      uint32_t match = qlt_column(work, j)->match;
      if (match == QLT_NONE) {
        flip_path(work, i, j);
        g_array_set_size(reached, first);
        return true;
      }
      g_array_append_val(reached, match);
    }
    if (next == reached->len) {
      return false;
    }
    p = g_array_index(reached, uint32_t, next);
  }
}

void
qlt_unmatch_row(QltWork *work, uint32_t i)
{
  QltRow *row = qlt_row(work, i);
  if (row->pivot != QLT_NONE) {
    DAE_ASSERT(qlt_column(work, row->pivot)->match == i);
    qlt_column(work, row->pivot)->match = QLT_NONE;
    row->pivot = QLT_NONE;
  }
}

/* ---- blocks [Tarjan72], with an explicit stack ------------------------------------------- */

typedef struct {
  uint32_t node;
  uint32_t next; /* column of the row to look at next */
} Frame;

typedef struct {
  QltWork *work;
  const GArray *rows;
  GHashTable *local; /* row -> 1 + place in rows */
  uint32_t *number;
  uint32_t *low;
  bool *is_open;
  uint32_t counter;
  GArray *frames;
  GArray *open; /* places of rows whose component is not complete */
  GArray *order;
  GArray *ends;
} Scc;

/* The row that is solved for the next derivative of the row on top, or QLT_NONE at the end. */
static uint32_t
next_neighbour(Scc *scc, Frame *frame)
{
  const QltRow *row = qlt_row(scc->work, g_array_index(scc->rows, uint32_t, frame->node));
  while (frame->next < row->n) {
    uint32_t j = row->columns[frame->next++];
    uint32_t match = qlt_column(scc->work, j)->match;
    if (j == row->pivot || match == QLT_NONE) {
      continue;
    }
    uint32_t place = GPOINTER_TO_UINT(g_hash_table_lookup(scc->local, GUINT_TO_POINTER(match)));
    if (place > 0) {
      return place - 1;
    }
  }
  return QLT_NONE;
}

static void
open_node(Scc *scc, uint32_t node)
{
  Frame frame = {node, 0};
  scc->number[node] = scc->low[node] = ++scc->counter;
  scc->is_open[node] = true;
  g_array_append_val(scc->open, node);
  g_array_append_val(scc->frames, frame);
}

static void
close_node(Scc *scc, uint32_t node)
{
  if (scc->low[node] != scc->number[node]) {
    return;
  }
  uint32_t member;
  do {
    member = g_array_index(scc->open, uint32_t, scc->open->len - 1);
    g_array_set_size(scc->open, scc->open->len - 1);
    scc->is_open[member] = false;
    g_array_append_val(scc->order, member);
  } while (member != node);
  g_array_append_val(scc->ends, scc->order->len);
}

static void
search_from(Scc *scc, uint32_t root)
{
  open_node(scc, root);
  while (scc->frames->len > 0) {
    Frame *frame = &g_array_index(scc->frames, Frame, scc->frames->len - 1);
    uint32_t node = frame->node;
    uint32_t neighbour = next_neighbour(scc, frame);
    if (neighbour != QLT_NONE) {
      if (scc->number[neighbour] == 0) {
        open_node(scc, neighbour);
      } else if (scc->is_open[neighbour]) {
        scc->low[node] = MIN(scc->low[node], scc->number[neighbour]);
      }
      continue;
    }
    g_array_set_size(scc->frames, scc->frames->len - 1);
    if (scc->frames->len > 0) {
      uint32_t parent = g_array_index(scc->frames, Frame, scc->frames->len - 1).node;
      scc->low[parent] = MIN(scc->low[parent], scc->low[node]);
    }
    close_node(scc, node);
  }
}

static int
compare_rows(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Tarjan completes sinks first: both the components and their ends are turned round. */
static void
reverse_components(const Scc *scc, GArray *rows, GArray *ends)
{
  g_autoptr(GArray) old = g_array_copy(rows);
  uint32_t place = 0;
  g_array_set_size(ends, 0);
  for (uint32_t c = scc->ends->len; c-- > 0;) {
    uint32_t begin = c == 0 ? 0 : g_array_index(scc->ends, uint32_t, c - 1);
    uint32_t end = g_array_index(scc->ends, uint32_t, c);
    uint32_t start = place;
    for (uint32_t k = begin; k < end; k++) {
      uint32_t node = g_array_index(scc->order, uint32_t, k);
      g_array_index(rows, uint32_t, place++) = g_array_index(old, uint32_t, node);
    }
    qsort(&g_array_index(rows, uint32_t, start), place - start, sizeof(uint32_t), compare_rows);
    g_array_append_val(ends, place);
  }
}

void
qlt_order_blocks(QltWork *work, GArray *rows, GArray *ends)
{
  g_array_sort(rows, compare_rows);
  Scc scc = {
      .work = work,
      .rows = rows,
      .local = g_hash_table_new(NULL, NULL),
      .number = g_new0(uint32_t, rows->len + 1),
      .low = g_new0(uint32_t, rows->len + 1),
      .is_open = g_new0(bool, rows->len + 1),
      .frames = g_array_new(FALSE, FALSE, sizeof(Frame)),
      .open = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
      .order = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
      .ends = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
  };
  for (uint32_t k = 0; k < rows->len; k++) {
    uint32_t i = g_array_index(rows, uint32_t, k);
    g_hash_table_insert(scc.local, GUINT_TO_POINTER(i), GUINT_TO_POINTER(k + 1));
  }
  for (uint32_t k = 0; k < rows->len; k++) {
    if (scc.number[k] == 0) {
      search_from(&scc, k);
    }
  }
  DAE_ASSERT(scc.order->len == rows->len);
  reverse_components(&scc, rows, ends);
  g_hash_table_unref(scc.local);
  g_free(scc.number);
  g_free(scc.low);
  g_free(scc.is_open);
  g_array_unref(scc.frames);
  g_array_unref(scc.open);
  g_array_unref(scc.order);
  g_array_unref(scc.ends);
}
