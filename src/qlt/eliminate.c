/* Elimination of derivatives [HoegerSteinbrecher, section 4.4], block by block.
 *
 * A row without a derivative of its own is freed of its derivatives by the rows it reaches. A
 * block of one row is a substitution; a coupled block is solved exactly for the multipliers
 * (w*A = coefficients), or, when that would swell, its derivatives become unknowns.
 * Denominators are cleared at the end, when the result is normalized (constraints.c):
 * multiplying by pivots on the way would bring in factors that must be divided out again.
 *
 * qlt_settle ends: each round removes a row from the pending queue for good (matched, or
 * turned into a constraint), or identifies a derivative, or lowers the number of rows with
 * derivatives in a singular block. */
#include "qlt/qlt-priv.h"

#include <stdlib.h>
#include <string.h>

DaeTerm
qlt_coefficient_at(const QltWork *work, const QltRow *row, uint32_t j)
{
  for (uint32_t k = 0; k < row->n; k++) {
    if (row->columns[k] == j) {
      return row->coefficients[k];
    }
  }
  return dae_term_int(work->terms, 0);
}

static int
compare_columns(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* ---- one row against the blocks it reaches ----------------------------------------------- */

typedef struct {
  QltWork *work;
  GArray *touched; /* columns with an entry in work->sum */
  DaeTerm rhs;
  GArray *from;
  DaeTerm divisor; /* product of the pivots that are no constants */
} Sum;

static Sum
sum_new(QltWork *work, DaeTerm rhs, GArray *from)
{
  return (Sum){work, g_array_new(FALSE, FALSE, sizeof(uint32_t)), rhs, from,
               dae_term_int(work->terms, 1)};
}

static DaeTerm *
sum_entry(const Sum *sum, uint32_t j)
{
  return &g_array_index(sum->work->sum, DaeTerm, j);
}

static void
sum_add(Sum *sum, uint32_t j, DaeTerm value)
{
  DaeTerm *entry = sum_entry(sum, j);
  if (*entry == DAE_NO_TERM) {
    g_array_append_val(sum->touched, j);
    *entry = value;
  } else {
    *entry = dae_term_add(sum->work->terms, *entry, value);
  }
}

/* sum -= factor * row */
static void
sum_subtract_row(Sum *sum, const QltRow *row, DaeTerm factor)
{
  DaeTerms *terms = sum->work->terms;
  DaeTerm minus = dae_term_neg(terms, factor);
  for (uint32_t k = 0; k < row->n; k++) {
    sum_add(sum, row->columns[k], dae_term_mul(terms, minus, row->coefficients[k]));
  }
  sum->rhs = dae_term_add(terms, sum->rhs, dae_term_mul(terms, minus, row->rhs));
  qlt_origin_merge(sum->from, row->from);
}

static bool
sum_is_zero_at(const Sum *sum, uint32_t j)
{
  DaeTerm entry = *sum_entry(sum, j);
  return entry == DAE_NO_TERM || qlt_is_zero(sum->work, entry) == DAE_ZERO;
}

static void
sum_clear_entry(Sum *sum, uint32_t j)
{
  *sum_entry(sum, j) = dae_term_int(sum->work->terms, 0);
}

static void
sum_release(Sum *sum)
{
  for (uint32_t k = 0; k < sum->touched->len; k++) {
    *sum_entry(sum, g_array_index(sum->touched, uint32_t, k)) = DAE_NO_TERM;
  }
  g_array_unref(sum->touched);
}

DaeMatrix *
qlt_block_matrix(QltWork *work, const uint32_t *rows, uint32_t n, bool is_transposed)
{
  DaeMatrix *matrix = dae_matrix_new(work->terms, n, n);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) {
      uint32_t j = qlt_row(work, rows[k])->pivot;
      matrix->entries[is_transposed ? k * n + i : i * n + k] =
          qlt_coefficient_at(work, qlt_row(work, rows[i]), j);
    }
  }
  return matrix;
}

void
qlt_note_divisor(QltWork *work, DaeTerm t)
{
  bool is_constant =
      dae_term_is_parametric(work->terms, t) && qlt_is_zero(work, t) == DAE_NONZERO;
  if (!is_constant && g_hash_table_add(work->divisor_set, GUINT_TO_POINTER(t))) {
    g_array_append_val(work->divisors, t);
  }
}

static void
sum_scale(Sum *sum, DaeTerm factor)
{
  for (uint32_t k = 0; k < sum->touched->len; k++) {
    DaeTerm *entry = sum_entry(sum, g_array_index(sum->touched, uint32_t, k));
    *entry = dae_term_mul(sum->work->terms, *entry, factor);
  }
  sum->rhs = dae_term_mul(sum->work->terms, sum->rhs, factor);
}

static void
eliminate_single(Sum *sum, const QltRow *row)
{
  QltWork *work = sum->work;
  if (sum_is_zero_at(sum, row->pivot)) {
    return;
  }
  DaeTerm pivot = qlt_coefficient_at(work, row, row->pivot);
  DaeTerm factor = dae_term_div(work->terms, *sum_entry(sum, row->pivot), pivot);
  DAE_ASSERT(factor != DAE_NO_TERM); /* zero coefficients are not kept */
  qlt_note_divisor(work, pivot);
  if (!dae_term_is_parametric(work->terms, pivot)) {
    sum->divisor = dae_term_mul(work->terms, sum->divisor, pivot);
  }
  sum_subtract_row(sum, row, factor);
  sum_clear_entry(sum, row->pivot);
}

/* Determinant of an n*n matrix, n <= QLT_MAX_BLOCK, by expansion: no divisions, so that no
 * pivot of the block becomes a denominator. */
DaeTerm
qlt_expand_determinant(DaeTerms *terms, const DaeTerm *a, uint32_t n)
{
  if (n == 1) {
    return a[0];
  }
  if (n == 2) {
    return dae_term_sub(terms, dae_term_mul(terms, a[0], a[3]),
                        dae_term_mul(terms, a[1], a[2]));
  }
  DAE_ASSERT(n == 3);
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t k = 0; k < 3; k++) {
    DaeTerm minor[4] = {a[3 + (k + 1) % 3], a[3 + (k + 2) % 3], a[6 + (k + 1) % 3],
                        a[6 + (k + 2) % 3]};
    DaeTerm two = dae_term_sub(terms, dae_term_mul(terms, minor[0], minor[3]),
                               dae_term_mul(terms, minor[1], minor[2]));
    sum = dae_term_add(terms, sum, dae_term_mul(terms, a[k], two));
  }
  return sum;
}

/* Cramer's rule: sum := det(A)*sum - sum_i det(A with row i replaced by the
 * sum's coefficients) * row_i. */
static bool
eliminate_small_block(Sum *sum, const uint32_t *rows, uint32_t n, const DaeTerm *b)
{
  QltWork *work = sum->work;
  g_autoptr(DaeMatrix) matrix = qlt_block_matrix(work, rows, n, false);
  DaeTerm determinant = qlt_expand_determinant(work->terms, matrix->entries, n);
  if (qlt_is_zero(work, determinant) != DAE_NONZERO) {
    return false;
  }
  DaeTerm w[QLT_MAX_BLOCK];
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm replaced[QLT_MAX_BLOCK * QLT_MAX_BLOCK];
    memcpy(replaced, matrix->entries, (size_t)n * n * sizeof(DaeTerm));
    memcpy(replaced + (size_t)i * n, b, n * sizeof(DaeTerm));
    w[i] = qlt_rewrite(work, qlt_expand_determinant(work->terms, replaced, n));
  }
  qlt_note_divisor(work, determinant);
  sum_scale(sum, qlt_rewrite(work, determinant));
  for (uint32_t i = 0; i < n; i++) {
    sum_subtract_row(sum, qlt_row(work, rows[i]), w[i]);
  }
  return true;
}

static bool
eliminate_large_block(Sum *sum, const uint32_t *rows, uint32_t n, const DaeTerm *b)
{
  QltWork *work = sum->work;
  g_autofree DaeTerm *w = g_new0(DaeTerm, n);
  g_autoptr(DaeMatrix) matrix = qlt_block_matrix(work, rows, n, true);
  if (!dae_algebra_solve(work->algebra, matrix, b, w, NULL)) {
    return false;
  }
  for (uint32_t k = 0; k < n * n; k++) {
    work->has_hidden_divisors |= !dae_term_is_parametric(work->terms, matrix->entries[k]);
  }
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_term_is_zero(work->terms, w[k])) {
      sum_subtract_row(sum, qlt_row(work, rows[k]), w[k]);
    }
  }
  return true;
}

/* false: the block could not be solved (singular, undecided, or too much work). */
static bool
eliminate_block(Sum *sum, const uint32_t *rows, uint32_t n)
{
  QltWork *work = sum->work;
  if (n == 1) {
    eliminate_single(sum, qlt_row(work, rows[0]));
    return true;
  }
  bool is_needed = false;
  g_autofree DaeTerm *b = g_new(DaeTerm, n);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t j = qlt_row(work, rows[k])->pivot;
    bool is_zero = sum_is_zero_at(sum, j);
    b[k] = is_zero ? dae_term_int(work->terms, 0) : *sum_entry(sum, j);
    is_needed = is_needed || !is_zero;
  }
  if (!is_needed) {
    return true;
  }
  if (!(n <= QLT_MAX_BLOCK ? eliminate_small_block(sum, rows, n, b)
                           : eliminate_large_block(sum, rows, n, b))) {
    return false;
  }
  qlt_note_block(work, rows, n, true);
  for (uint32_t k = 0; k < n; k++) {
    sum_clear_entry(sum, qlt_row(work, rows[k])->pivot);
  }
  return true;
}

/* ---- singular blocks --------------------------------------------------------------------- */

/* Which row of a dependent set is replaced: derivatives of constraints first, then where the
 * multiplier is surely not zero, then the last equation. */
static uint32_t
choose_dependent_row(QltWork *work, const uint32_t *rows, const DaeTerm *v, uint32_t n)
{
  uint32_t best = QLT_NONE;
  int best_score = -1;
  for (uint32_t k = 0; k < n; k++) {
    if (dae_term_is_zero(work->terms, v[k])) {
      continue;
    }
    const QltRow *row = qlt_row(work, rows[k]);
    int score = dae_term_is_number(work->terms, v[k])       ? 2
                : dae_term_is_parametric(work->terms, v[k]) ? 1
                                                            : 0;
    score += row->is_auxiliary ? 4 : 0;
    score -= row->is_identity ? 8 : 0;
    /* the others do not imply this row there */
    score -= qlt_seems_to_vanish(work, v[k]) ? 16 : 0;
    if (best == QLT_NONE || score >= best_score) {
      best = k;
      best_score = score;
    }
  }
  return best;
}

static void
store_sum_as_row(Sum *sum, uint32_t i)
{
  QltWork *work = sum->work;
  QltRow *row = qlt_row(work, i);
  qsort(sum->touched->data, sum->touched->len, sizeof(uint32_t), compare_columns);
  g_free(row->columns);
  g_free(row->coefficients);
  row->columns = g_new(uint32_t, sum->touched->len + 1);
  row->coefficients = g_new(DaeTerm, sum->touched->len + 1);
  row->n = 0;
  for (uint32_t k = 0; k < sum->touched->len; k++) {
    uint32_t j = g_array_index(sum->touched, uint32_t, k);
    if (!sum_is_zero_at(sum, j)) {
      row->columns[row->n] = j;
      row->coefficients[row->n++] = dae_algebra_simplify(work->algebra, *sum_entry(sum, j));
    }
  }
  row->rhs = sum->rhs;
  g_array_unref(row->from);
  row->from = g_array_ref(sum->from);
  qlt_tidy_row(work, row);
  qlt_turn_row(work, row);
  qlt_index_row(work, i);
}

void
qlt_replace_dependent_row(QltWork *work, const uint32_t *rows, uint32_t n, const DaeTerm *v)
{
  uint32_t chosen = choose_dependent_row(work, rows, v, n);
  DAE_ASSERT(chosen != QLT_NONE);
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(DaeQltOrigin));
  Sum sum = sum_new(work, dae_term_int(work->terms, 0), from);
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_term_is_zero(work->terms, v[k])) {
      sum_subtract_row(&sum, qlt_row(work, rows[k]), dae_term_neg(work->terms, v[k]));
    }
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t j = qlt_row(work, rows[k])->pivot;
    if (*sum_entry(&sum, j) != DAE_NO_TERM) {
      sum_clear_entry(&sum, j);
    }
  }
  uint32_t i = rows[chosen];
  qlt_note_divisor(work, v[chosen]);
  qlt_unmatch_row(work, i);
  store_sum_as_row(&sum, i);
  sum_release(&sum);
  g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
}

/* ---- the pending rows -------------------------------------------------------------------- */

/* 0 = h follows where the pivots p that were divided by are not zero; exactly, 0 = p*h
 * follows. When h is a constant other than 0 that says 0 = p: x*der(y) = x with y
 * constant has the solution x = 0. */
static DaeTerm
resulting_constraint(const Sum *sum)
{
  DaeTerms *terms = sum->work->terms;
  DaeTerm t = dae_term_neg(terms, sum->rhs);
  if (dae_term_is_one(terms, sum->divisor)) {
    return t;
  }
  DaeTerm simple = dae_algebra_simplify(sum->work->algebra, t);
  return dae_term_is_parametric(terms, simple) && !dae_term_is_zero(terms, simple)
             ? sum->divisor
             : t;
}

/* A row with a constant coefficient is the better pivot than one whose coefficient may vanish:
 * then they change places. The quality of the pivot of that column rises, so this ends. */
static bool
take_over_pivot(QltWork *work, uint32_t i)
{
  QltRow *row = qlt_row(work, i);
  for (uint32_t k = 0; k < row->n; k++) {
    uint32_t j = row->columns[k];
    uint32_t other = qlt_column(work, j)->match;
    const QltRow *holder = qlt_row(work, other);
    uint32_t place = 0;
    while (holder->columns[place] != j) {
      place++;
    }
    if (dae_term_is_number(work->terms, holder->coefficients[place])) {
      continue;
    }
    int theirs = MIN(qlt_pivot_quality(work, holder, place), 2);
    if (MIN(qlt_pivot_quality(work, row, k), 2) > theirs) {
      qlt_unmatch_row(work, other);
      row->pivot = j;
      qlt_column(work, j)->match = i;
      g_queue_push_tail(&work->pending, GUINT_TO_POINTER(other));
      return true;
    }
  }
  return false;
}

/* Row i depends on the reached rows. Ends with a constraint, or with row i back in the
 * queue because the blocks changed. */
static bool
eliminate_row(QltWork *work, uint32_t i, GArray *reached, GError **error)
{
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (take_over_pivot(work, i)) {
    return true;
  }
  qlt_order_blocks(work, reached, ends);
  if (qlt_introduce_big_blocks(work, i, reached, ends)) {
    g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
    return true;
  }
  QltRow *row = qlt_row(work, i);
  GArray *from = g_array_copy(row->from);
  Sum sum = sum_new(work, row->rhs, from);
  for (uint32_t k = 0; k < row->n; k++) {
    sum_add(&sum, row->columns[k], row->coefficients[k]);
  }
  uint32_t begin = 0;
  for (uint32_t b = 0; b < ends->len; b++) {
    uint32_t end = g_array_index(ends, uint32_t, b);
    const uint32_t *block = &g_array_index(reached, uint32_t, begin);
    if (!eliminate_block(&sum, block, end - begin)) {
      sum_release(&sum);
      g_array_unref(from);
      if (!qlt_resolve_singular_block(work, block, end - begin, NULL)) {
        dae_report_warning(work->reporter,
                           "a coupled block of %u derivatives could not be eliminated: its "
                           "derivatives become unknowns",
                           end - begin);
        qlt_introduce_block(work, block, end - begin);
      }
      g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
      return true;
    }
    begin = end;
  }
  sum_release(&sum);
  row->is_alive = false;
  row->n = 0;
  return qlt_add_constraint(work, resulting_constraint(&sum), from, error);
}

bool
qlt_settle(QltWork *work, GError **error)
{
  g_autoptr(GArray) reached = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  qlt_update_point(work);
  while (!g_queue_is_empty(&work->pending)) {
    uint32_t i = GPOINTER_TO_UINT(g_queue_pop_head(&work->pending));
    QltRow *row = qlt_row(work, i);
    if (!row->is_alive || row->pivot != QLT_NONE) {
      continue;
    }
    g_array_set_size(reached, 0);
    qlt_drop_vanishing_entries(work, row);
    if (row->n == 0) {
      uint32_t first = work->constraints->len;
      row->is_alive = false;
      if (!qlt_add_constraint(work, dae_term_neg(work->terms, row->rhs),
                              g_array_copy(row->from), error)) {
        return false;
      }
      for (uint32_t k = first; k < work->constraints->len; k++) {
        ((QltConstraint *)g_ptr_array_index(work->constraints, k))->is_reduced =
            row->is_reduced;
      }
    } else if (!qlt_match_row(work, i, reached) && !eliminate_row(work, i, reached, error)) {
      return false;
    }
  }
  return true;
}
