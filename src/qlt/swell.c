/* Expression swell: which coupled derivatives are eliminated, and which become unknowns?
 *
 * The choice is by size and shows in the result (DaeQltBlock). */
#include "qlt/qlt-priv.h"

#include <stdlib.h>
#include <string.h>

/* A coupled block is eliminated in mode auto when its determinant has at most this many addends
 * before cancellation and no more than QLT_MAX_BLOCK rows: beyond, hidden constraints fill a page.
 * The chain of masses stays far below, Andrews' squeezer (7 coupled accelerations) far above. */
#define MAX_ADDENDS 64u
/* A substitution chain longer than this many rows is cut in mode auto, so that sizes stay
 * linear: with the derivatives of every few links as unknowns a constraint speaks of its
 * neighbours, else of all links before it. Small models are cut late: there one long constraint
 * is easier to read than ten unknowns. */
#define MAX_CHAIN 64u
#define MAX_CHAIN_OF_MANY 4u
#define MANY_COLUMNS 100u
/* A row longer than this is not put into a constraint that will be differentiated again. */
#define MAX_STEP 60.0

static uint64_t
count_addends(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  if (dae_term_is_zero(terms, t)) {
    return 0;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_SUM) {
    return 1;
  }
  (void)dae_term_operands(terms, t, &n);
  return n;
}

/* Product over the rows of the sums of the entries' addends: bounds
 * the addends of the determinant. */
static uint64_t
estimate_determinant(const QltWork *work, const uint32_t *rows, uint32_t n)
{
  uint64_t product = 1;
  for (uint32_t i = 0; i < n; i++) {
    const QltRow *row = qlt_row(work, rows[i]);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++) {
      sum += count_addends(work->terms,
                           qlt_coefficient_at(work, row, qlt_row(work, rows[k])->pivot));
    }
    if (sum > 1 && product > UINT64_MAX / sum) {
      return UINT64_MAX;
    }
    product *= MAX(sum, 1);
  }
  return product;
}

static int
compare_columns(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void
qlt_note_block(QltWork *work, const uint32_t *rows, uint32_t n, bool is_eliminated)
{
  QltBlock *block = g_new0(QltBlock, 1);
  block->n = n;
  block->columns = g_new(uint32_t, n);
  block->estimate = estimate_determinant(work, rows, n);
  block->is_eliminated = is_eliminated;
  for (uint32_t k = 0; k < n; k++) {
    block->columns[k] = qlt_row(work, rows[k])->pivot;
  }
  qsort(block->columns, n, sizeof(uint32_t), compare_columns);
  for (uint32_t b = 0; b < work->blocks->len; b++) {
    const QltBlock *known = g_ptr_array_index(work->blocks, b);
    if (known->n == n && known->is_eliminated == is_eliminated &&
        memcmp(known->columns, block->columns, n * sizeof(uint32_t)) == 0) {
      g_free(block->columns);
      g_free(block);
      return;
    }
  }
  g_ptr_array_add(work->blocks, block);
}

static bool
is_block_too_big(const QltWork *work, const uint32_t *rows, uint32_t n)
{
  switch (work->eliminate) {
  case DAE_ELIMINATE_ALWAYS:
    return false;
  case DAE_ELIMINATE_NEVER:
    return n > 1 || !qlt_row(work, rows[0])->is_identity;
  case DAE_ELIMINATE_AUTO:
    return n > QLT_MAX_BLOCK || (n > 1 && estimate_determinant(work, rows, n) > MAX_ADDENDS);
  }
  return false;
}

/* Where the pivot or the determinant vanishes, the constraint that elimination makes has
 * no value or says nothing. The derivatives of such a block become unknowns: their rows
 * then hold as they are written. */
static bool
may_lose_its_pivot(QltWork *work, const uint32_t *rows, uint32_t n)
{
  if (work->eliminate == DAE_ELIMINATE_ALWAYS || n > QLT_MAX_BLOCK) {
    return false;
  }
  g_autoptr(DaeMatrix) matrix = qlt_block_matrix(work, rows, n, false);
  DaeTerm determinant = qlt_expand_determinant(work->terms, matrix->entries, n);
  DaeTerm value = dae_subst_apply(work->values, determinant);
  return !dae_term_is_parametric(work->terms, determinant) &&
         qlt_is_zero(work, determinant) == DAE_NONZERO &&
         !qlt_is_never_zero(work, determinant) &&
         (value == DAE_NO_TERM || !qlt_is_never_zero(work, value));
}

void
qlt_introduce_block(QltWork *work, const uint32_t *rows, uint32_t n)
{
  g_autofree uint32_t *columns = g_new(uint32_t, n);
  for (uint32_t k = 0; k < n; k++) {
    columns[k] = qlt_row(work, rows[k])->pivot;
  }
  qsort(columns, n, sizeof(uint32_t), compare_columns);
  if (n > 1 || work->eliminate != DAE_ELIMINATE_NEVER) {
    qlt_note_block(work, rows, n, false);
  }
  for (uint32_t k = 0; k < n; k++) {
    (void)qlt_identify(work, columns[k]);
  }
}

/* Will the constraint that row i and the reached rows make be differentiated
 * again? Then its size multiplies. */
static bool
is_only_a_step(const QltWork *work, uint32_t i, const GArray *reached)
{
  g_autoptr(GArray) from = g_array_copy(qlt_row(work, i)->from);
  for (uint32_t k = 0; k < reached->len; k++) {
    qlt_origin_merge(from, qlt_row(work, g_array_index(reached, uint32_t, k))->from);
  }
  return !work->is_checked && qlt_stage(work, from) < 0;
}

static bool
is_long_step(QltWork *work, uint32_t i)
{
  const QltRow *row = qlt_row(work, i);
  double written = qlt_measure(work, row->rhs).written;
  for (uint32_t k = 0; k < row->n; k++) {
    written += qlt_measure(work, row->coefficients[k]).written;
  }
  return written > MAX_STEP;
}

bool
qlt_introduce_big_blocks(QltWork *work, uint32_t i, const GArray *rows, const GArray *ends)
{
  bool is_changed = false;
  bool is_auto = work->eliminate == DAE_ELIMINATE_AUTO;
  bool is_step = is_auto && is_only_a_step(work, i, rows);
  uint32_t longest = work->n_model_columns > MANY_COLUMNS ? MAX_CHAIN_OF_MANY : MAX_CHAIN;
  uint32_t begin = 0;
  for (uint32_t b = 0; b < ends->len; b++) {
    uint32_t end = g_array_index(ends, uint32_t, b);
    const uint32_t *block = &g_array_index(rows, uint32_t, begin);
    bool is_cut = is_auto && b > 0 && b % longest == 0;
    bool is_long = false;
    for (uint32_t k = 0; k < end - begin && is_step; k++) {
      is_long = is_long || is_long_step(work, block[k]);
    }
    if (is_block_too_big(work, block, end - begin) || is_cut || is_long ||
        may_lose_its_pivot(work, block, end - begin)) {
      qlt_introduce_block(work, block, end - begin);
      is_changed = true;
    }
    begin = end;
  }
  return is_changed;
}
