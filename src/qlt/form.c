/* The container: working state and origins. */
#include "qlt/qlt-priv.h"

#include <math.h>
#include <string.h>

static void
free_constraint(void *data)
{
  QltConstraint *constraint = data;
  g_array_unref(constraint->from);
  g_free(constraint);
}

static void
free_dropped(void *data)
{
  QltDropped *dropped = data;
  g_array_unref(dropped->from);
  g_free(dropped->proof);
  g_free(dropped);
}

static void
free_block(void *data)
{
  QltBlock *block = data;
  g_free(block->columns);
  g_free(block);
}

static void
free_row(void *data)
{
  qlt_row_free(data);
}

static void
clear_column(void *data)
{
  QltColumn *column = data;
  g_array_unref(column->rows);
}

QltWork *
qlt_work_new(DaeAlgebra *algebra, const DaeModel *model, const DaeSig *sig)
{
  QltWork *work = g_new0(QltWork, 1);
  work->algebra = algebra;
  work->terms = dae_algebra_terms(algebra);
  work->model = model;
  work->sig = sig;
  work->values = dae_model_parameter_subst(model, work->terms);
  work->columns = g_array_new(FALSE, TRUE, sizeof(QltColumn));
  g_array_set_clear_func(work->columns, clear_column);
  work->column_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  work->rows = g_ptr_array_new_with_free_func(free_row);
  work->constraints = g_ptr_array_new_with_free_func(free_constraint);
  work->known = g_hash_table_new(NULL, NULL);
  work->decided = g_hash_table_new(NULL, NULL);
  work->dropped = g_ptr_array_new_with_free_func(free_dropped);
  work->work_left = INFINITY;
  work->divisors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  work->divisor_set = g_hash_table_new(NULL, NULL);
  work->blocks = g_ptr_array_new_with_free_func(free_block);
  work->invariants = g_array_new(FALSE, FALSE, sizeof(QltInvariant));
  work->seen = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  work->via = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  work->sum = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  work->point_constraints = QLT_NONE;
  work->is_identity = g_new0(bool, dae_model_n_equations(model) + 1);
  work->waiting = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  work->derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_queue_init(&work->pending);
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    qlt_add_column(work, dae_model_variable(model, j)->symbol, DAE_NO_TERM);
  }
  work->n_model_columns = work->columns->len;
  return work;
}

void
qlt_work_free(QltWork *work)
{
  if (work == NULL) {
    return;
  }
  dae_subst_free(work->values);
  g_array_unref(work->columns);
  g_array_unref(work->column_of);
  g_ptr_array_unref(work->rows);
  g_ptr_array_unref(work->constraints);
  g_ptr_array_unref(work->dropped);
  g_hash_table_unref(work->known);
  g_hash_table_unref(work->decided);
  g_array_unref(work->divisors);
  g_hash_table_unref(work->divisor_set);
  g_ptr_array_unref(work->blocks);
  g_array_unref(work->invariants);
  g_array_unref(work->seen);
  g_array_unref(work->via);
  g_array_unref(work->sum);
  g_free(work->is_identity);
  g_free(work->point.x);
  qlt_search_clear(&work->search);
  qlt_tried_clear(&work->tried);
  g_array_unref(work->waiting);
  g_array_unref(work->derivatives);
  g_queue_clear(&work->pending);
  g_free(work);
}

bool
qlt_charge(QltWork *work, double operations)
{
  work->work_left -= operations;
  return work->work_left > 0;
}

uint32_t
qlt_add_column(QltWork *work, DaeSymbol symbol, DaeTerm meaning)
{
  QltColumn column = {symbol,   meaning,  QLT_NONE,
                      QLT_NONE, QLT_NONE, g_array_new(FALSE, FALSE, sizeof(uint32_t))};
  uint32_t j = work->columns->len;
  uint32_t none = QLT_NONE;
  uint32_t zero = 0;
  g_array_append_val(work->columns, column);
  while (work->column_of->len <= symbol) {
    g_array_append_val(work->column_of, none);
  }
  DAE_ASSERT(g_array_index(work->column_of, uint32_t, symbol) == QLT_NONE);
  g_array_index(work->column_of, uint32_t, symbol) = j;
  g_array_append_val(work->seen, zero);
  g_array_append_val(work->via, none);
  g_array_append_val(work->sum, zero);
  return j;
}

uint32_t
qlt_column_of(const QltWork *work, DaeSymbol symbol)
{
  return symbol < work->column_of->len ? g_array_index(work->column_of, uint32_t, symbol)
                                       : QLT_NONE;
}

QltRow *
qlt_row_new(void)
{
  QltRow *row = g_new0(QltRow, 1);
  row->pivot = QLT_NONE;
  row->is_alive = true;
  return row;
}

void
qlt_row_free(QltRow *row)
{
  if (row == NULL) {
    return;
  }
  g_free(row->columns);
  g_free(row->coefficients);
  if (row->from != NULL) {
    g_array_unref(row->from);
  }
  g_free(row);
}

void
qlt_index_row(QltWork *work, uint32_t i)
{
  const QltRow *row = qlt_row(work, i);
  for (uint32_t k = 0; k < row->n; k++) {
    g_array_append_val(qlt_column(work, row->columns[k])->rows, i);
  }
}

uint32_t
qlt_store_row(QltWork *work, QltRow *row)
{
  uint32_t i = work->rows->len;
  g_ptr_array_add(work->rows, row);
  qlt_index_row(work, i);
  return i;
}

void
qlt_origin_add(GArray *from, uint32_t equation, int32_t order)
{
  uint32_t low = 0;
  uint32_t high = from->len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g_array_index(from, DaeQltOrigin, middle).equation < equation) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < from->len && g_array_index(from, DaeQltOrigin, low).equation == equation) {
    DaeQltOrigin *origin = &g_array_index(from, DaeQltOrigin, low);
    origin->order = MAX(origin->order, order);
    return;
  }
  DaeQltOrigin origin = {equation, order};
  g_array_insert_val(from, low, origin);
}

void
qlt_origin_merge(GArray *from, const GArray *other)
{
  for (uint32_t k = 0; k < other->len; k++) {
    DaeQltOrigin origin = g_array_index(other, DaeQltOrigin, k);
    qlt_origin_add(from, origin.equation, origin.order);
  }
}

GArray *
qlt_origin_differentiate(const GArray *from)
{
  GArray *result = g_array_sized_new(FALSE, FALSE, sizeof(DaeQltOrigin), from->len + 2);
  for (uint32_t k = 0; k < from->len; k++) {
    DaeQltOrigin origin = g_array_index(from, DaeQltOrigin, k);
    origin.order++;
    g_array_append_val(result, origin);
  }
  return result;
}

int32_t
qlt_origin_level(const GArray *from)
{
  int32_t level = 0;
  for (uint32_t k = 0; k < from->len; k++) {
    level = MAX(level, g_array_index(from, DaeQltOrigin, k).order);
  }
  return level;
}

void
qlt_drop(QltWork *work, DaeTerm expression, const GArray *from, const char *proof)
{
  QltDropped *dropped = g_new0(QltDropped, 1);
  dropped->expression = expression;
  dropped->from = g_array_copy((GArray *)from);
  dropped->proof = g_strdup(proof);
  g_ptr_array_add(work->dropped, dropped);
}

void
qlt_drop_numerically(QltWork *work, DaeTerm expression, const GArray *from, const char *proof,
                     DaeTerm factor)
{
  qlt_drop(work, expression, from, proof);
  QltDropped *dropped = g_ptr_array_index(work->dropped, work->dropped->len - 1);
  dropped->is_numeric = true;
  dropped->factor = factor;
  work->has_numeric_drops = true;
}

/* ---- the result ---------------------------------------------------------------------------- */
