/* The finished (E, k, h): made from the working state once, then only read. */
#include "qlt/qlt-priv.h"

#include <string.h>

struct DaeQlt {
  const DaeModel *model;
  GArray *unknowns;    /* DaeSymbol */
  GArray *rows;        /* DaeQltRow */
  GArray *constraints; /* DaeQltConstraint */
  GArray *introduced;  /* DaeQltIntroduced */
  GArray *dropped;     /* DaeQltDropped */
  GArray *blocks;      /* DaeQltBlock */
  GArray *invariants;  /* DaeQltInvariant */
  GArray *decisions;   /* DaeQltDecision */
  GStringChunk *strings;
  GPtrArray *arrays; /* memory behind the const pointers above */
  uint32_t n_model_identities;
  DaeEliminate eliminate;
  size_t terms_in;
  size_t terms_out;
};

static const void *
keep(DaeQlt *qlt, const void *data, size_t n, size_t size)
{
  if (n == 0) {
    return NULL;
  }
  void *copy = g_memdup2(data, n * size);
  g_ptr_array_add(qlt->arrays, copy);
  return copy;
}

static int
compare_rows(const void *a, const void *b)
{
  const QltRow *row_a = *(const QltRow *const *)a;
  const QltRow *row_b = *(const QltRow *const *)b;
  if (row_a->is_identity != row_b->is_identity) {
    return row_a->is_identity ? 1 : -1;
  }
  uint32_t key_a = row_a->rank;
  uint32_t key_b = row_b->rank;
  return (key_a > key_b) - (key_a < key_b);
}

static void
finish_rows(QltWork *work, DaeQlt *qlt)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_new();
  for (uint32_t i = 0; i < work->rows->len; i++) {
    QltRow *row = qlt_row(work, i);
    if (row->is_alive && !row->is_auxiliary && row->n > 0) {
      g_ptr_array_add(sorted, row);
    }
  }
  g_ptr_array_sort(sorted, compare_rows);
  for (uint32_t i = 0; i < sorted->len; i++) {
    const QltRow *row = g_ptr_array_index(sorted, i);
    DaeQltRow result = {
        .columns = keep(qlt, row->columns, row->n, sizeof(uint32_t)),
        .coefficients = keep(qlt, row->coefficients, row->n, sizeof(DaeTerm)),
        .n = row->n,
        .rhs = row->rhs,
        .from = keep(qlt, row->from->data, row->from->len, sizeof(DaeQltOrigin)),
        .n_from = row->from->len,
        .is_identity = row->is_identity,
        .is_selected = row->is_selected,
        .is_reduced = row->is_reduced,
    };
    g_array_append_val(qlt->rows, result);
  }
}

static void
append_constraint(DaeQlt *qlt, const QltConstraint *constraint)
{
  DaeQltConstraint result = {
      .expression = constraint->expression,
      .level = constraint->level,
      .is_hidden = constraint->is_hidden,
      .is_invariant = constraint->is_invariant,
      .is_numeric = constraint->is_numeric,
      .is_trusted = constraint->is_trusted,
      .is_reduced = constraint->is_reduced,
      .from = keep(qlt, constraint->from->data, constraint->from->len, sizeof(DaeQltOrigin)),
      .n_from = constraint->from->len,
  };
  g_array_append_val(qlt->constraints, result);
}

/* By level, in a level what is written before what is hidden; what is written in the order of
 * the text, the rest as it was found; invariants last. */
static int
compare_constraints(const void *a, const void *b)
{
  const QltConstraint *x = *(const QltConstraint *const *)a;
  const QltConstraint *y = *(const QltConstraint *const *)b;
  if (x->is_invariant != y->is_invariant) {
    return x->is_invariant ? 1 : -1;
  }
  if (x->level != y->level) {
    return x->level < y->level ? -1 : 1;
  }
  if (x->is_hidden != y->is_hidden) {
    return x->is_hidden ? 1 : -1;
  }
  uint32_t key_x = x->is_hidden || x->from->len == 0
                       ? x->found
                       : g_array_index(x->from, DaeQltOrigin, 0).equation;
  uint32_t key_y = y->is_hidden || y->from->len == 0
                       ? y->found
                       : g_array_index(y->from, DaeQltOrigin, 0).equation;
  return (key_x > key_y) - (key_x < key_y);
}

static void
finish_constraints(QltWork *work, DaeQlt *qlt)
{
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    ((QltConstraint *)g_ptr_array_index(work->constraints, i))->found = i;
  }
  g_ptr_array_sort(work->constraints, compare_constraints);
  for (uint32_t i = 0; i < work->constraints->len; i++) {
    append_constraint(qlt, g_ptr_array_index(work->constraints, i));
  }
}

static void
finish_lists(QltWork *work, DaeQlt *qlt)
{
  for (uint32_t j = 0; j < work->columns->len; j++) {
    const QltColumn *column = qlt_column(work, j);
    g_array_append_val(qlt->unknowns, column->symbol);
    if (column->meaning != DAE_NO_TERM) {
      DaeQltIntroduced introduced = {column->symbol, column->meaning};
      g_array_append_val(qlt->introduced, introduced);
    }
  }
  for (uint32_t i = 0; i < work->dropped->len; i++) {
    const QltDropped *dropped = g_ptr_array_index(work->dropped, i);
    DaeQltDropped result = {
        .expression = dropped->expression,
        .from = keep(qlt, dropped->from->data, dropped->from->len, sizeof(DaeQltOrigin)),
        .n_from = dropped->from->len,
        .proof = g_string_chunk_insert(qlt->strings, dropped->proof),
        .is_numeric = dropped->is_numeric,
        .factor = dropped->factor,
    };
    g_array_append_val(qlt->dropped, result);
  }
  for (uint32_t b = 0; b < work->blocks->len; b++) {
    const QltBlock *block = g_ptr_array_index(work->blocks, b);
    DaeQltBlock result = {
        .columns = keep(qlt, block->columns, block->n, sizeof(uint32_t)),
        .n = block->n,
        .estimate = block->estimate,
        .is_eliminated = block->is_eliminated,
    };
    g_array_append_val(qlt->blocks, result);
  }
  if (work->invariants->len > 0) {
    g_array_append_vals(qlt->invariants, work->invariants->data, work->invariants->len);
  }
}

static size_t
count_shared_nodes(DaeTerms *terms, const GArray *roots)
{
  return dae_terms_size(terms, (const DaeTerm *)(const void *)roots->data, roots->len);
}

static void
count_sizes(QltWork *work, DaeQlt *qlt)
{
  g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_equations(work->model); i++) {
    const DaeEquation *equation = dae_model_equation(work->model, i);
    g_array_append_val(roots, equation->lhs);
    g_array_append_val(roots, equation->rhs);
  }
  qlt->terms_in = count_shared_nodes(work->terms, roots);
  g_array_set_size(roots, 0);
  for (uint32_t i = 0; i < qlt->rows->len; i++) {
    const DaeQltRow *row = &g_array_index(qlt->rows, DaeQltRow, i);
    if (row->n > 0) {
      g_array_append_vals(roots, row->coefficients, row->n);
    }
    g_array_append_val(roots, row->rhs);
  }
  for (uint32_t i = 0; i < qlt->constraints->len; i++) {
    g_array_append_val(roots, g_array_index(qlt->constraints, DaeQltConstraint, i).expression);
  }
  qlt->terms_out = count_shared_nodes(work->terms, roots);
}

static gint
compare_decisions(gconstpointer a, gconstpointer b)
{
  DaeTerm p = ((const DaeQltDecision *)a)->term;
  DaeTerm q = ((const DaeQltDecision *)b)->term;
  return (p > q) - (p < q);
}

/* In the order in which the terms were made, which is that of the work. */
static void
finish_decisions(const QltWork *work, DaeQlt *qlt)
{
  GHashTableIter iter;
  gpointer term = NULL;
  gpointer verdict = NULL;
  g_hash_table_iter_init(&iter, work->decided);
  while (g_hash_table_iter_next(&iter, &term, &verdict)) {
    DaeQltDecision decision = {GPOINTER_TO_UINT(term), GPOINTER_TO_UINT(verdict) == 2};
    g_array_append_val(qlt->decisions, decision);
  }
  g_array_sort(qlt->decisions, compare_decisions);
}

DaeQlt *
qlt_finish(QltWork *work)
{
  DaeQlt *qlt = g_new0(DaeQlt, 1);
  qlt->model = work->model;
  qlt->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeSymbol));
  qlt->rows = g_array_new(FALSE, FALSE, sizeof(DaeQltRow));
  qlt->constraints = g_array_new(FALSE, FALSE, sizeof(DaeQltConstraint));
  qlt->introduced = g_array_new(FALSE, FALSE, sizeof(DaeQltIntroduced));
  qlt->dropped = g_array_new(FALSE, FALSE, sizeof(DaeQltDropped));
  qlt->blocks = g_array_new(FALSE, FALSE, sizeof(DaeQltBlock));
  qlt->invariants = g_array_new(FALSE, FALSE, sizeof(QltInvariant));
  qlt->decisions = g_array_new(FALSE, FALSE, sizeof(DaeQltDecision));
  qlt->strings = g_string_chunk_new(256);
  qlt->arrays = g_ptr_array_new_with_free_func(g_free);
  qlt->n_model_identities = work->n_model_identities;
  qlt->eliminate = work->eliminate;
  finish_rows(work, qlt);
  finish_constraints(work, qlt);
  finish_lists(work, qlt);
  count_sizes(work, qlt);
  finish_decisions(work, qlt);
  return qlt;
}

void
dae_qlt_free(DaeQlt *qlt)
{
  if (qlt == NULL) {
    return;
  }
  g_array_unref(qlt->unknowns);
  g_array_unref(qlt->rows);
  g_array_unref(qlt->constraints);
  g_array_unref(qlt->introduced);
  g_array_unref(qlt->dropped);
  g_array_unref(qlt->blocks);
  g_array_unref(qlt->invariants);
  g_array_unref(qlt->decisions);
  g_string_chunk_free(qlt->strings);
  g_ptr_array_unref(qlt->arrays);
  g_free(qlt);
}

const DaeModel *
dae_qlt_model(const DaeQlt *qlt)
{
  return qlt->model;
}

uint32_t
dae_qlt_n_unknowns(const DaeQlt *qlt)
{
  return qlt->unknowns->len;
}

DaeSymbol
dae_qlt_unknown(const DaeQlt *qlt, uint32_t j)
{
  DAE_ASSERT(j < qlt->unknowns->len);
  return g_array_index(qlt->unknowns, DaeSymbol, j);
}

uint32_t
dae_qlt_n_rows(const DaeQlt *qlt)
{
  return qlt->rows->len;
}

const DaeQltRow *
dae_qlt_row(const DaeQlt *qlt, uint32_t i)
{
  DAE_ASSERT(i < qlt->rows->len);
  return &g_array_index(qlt->rows, DaeQltRow, i);
}

uint32_t
dae_qlt_n_constraints(const DaeQlt *qlt)
{
  return qlt->constraints->len;
}

const DaeQltConstraint *
dae_qlt_constraint(const DaeQlt *qlt, uint32_t i)
{
  DAE_ASSERT(i < qlt->constraints->len);
  return &g_array_index(qlt->constraints, DaeQltConstraint, i);
}

uint32_t
dae_qlt_n_introduced(const DaeQlt *qlt)
{
  return qlt->introduced->len;
}

const DaeQltIntroduced *
dae_qlt_introduced(const DaeQlt *qlt, uint32_t i)
{
  DAE_ASSERT(i < qlt->introduced->len);
  return &g_array_index(qlt->introduced, DaeQltIntroduced, i);
}

uint32_t
dae_qlt_n_dropped(const DaeQlt *qlt)
{
  return qlt->dropped->len;
}

const DaeQltDropped *
dae_qlt_dropped(const DaeQlt *qlt, uint32_t i)
{
  DAE_ASSERT(i < qlt->dropped->len);
  return &g_array_index(qlt->dropped, DaeQltDropped, i);
}

uint32_t
dae_qlt_n_blocks(const DaeQlt *qlt)
{
  return qlt->blocks->len;
}

const DaeQltBlock *
dae_qlt_block(const DaeQlt *qlt, uint32_t b)
{
  DAE_ASSERT(b < qlt->blocks->len);
  return &g_array_index(qlt->blocks, DaeQltBlock, b);
}

uint32_t
dae_qlt_n_invariants(const DaeQlt *qlt)
{
  return qlt->invariants->len;
}

DaeSymbol
dae_qlt_invariant_symbol(const DaeQlt *qlt, uint32_t k)
{
  DAE_ASSERT(k < qlt->invariants->len);
  return g_array_index(qlt->invariants, QltInvariant, k).symbol;
}

DaeTerm
dae_qlt_invariant_expression(const DaeQlt *qlt, uint32_t k)
{
  DAE_ASSERT(k < qlt->invariants->len);
  return g_array_index(qlt->invariants, QltInvariant, k).expression;
}

uint32_t
dae_qlt_n_model_identities(const DaeQlt *qlt)
{
  return qlt->n_model_identities;
}

int64_t
dae_qlt_dof(const DaeQlt *qlt)
{
  int64_t dof = qlt->unknowns->len;
  for (guint i = 0; i < qlt->constraints->len; i++) {
    dof -= g_array_index(qlt->constraints, DaeQltConstraint, i).is_invariant ? 0 : 1;
  }
  return dof;
}

int32_t
dae_qlt_max_level(const DaeQlt *qlt)
{
  int32_t level = 0;
  for (uint32_t i = 0; i < qlt->constraints->len; i++) {
    level = MAX(level, g_array_index(qlt->constraints, DaeQltConstraint, i).level);
  }
  return level;
}

DaeEliminate
dae_qlt_elimination_used(const DaeQlt *qlt)
{
  if (qlt->eliminate != DAE_ELIMINATE_AUTO) {
    return qlt->eliminate;
  }
  bool some_kept = false;
  bool some_eliminated = qlt->blocks->len == 0;
  for (uint32_t b = 0; b < qlt->blocks->len; b++) {
    bool is_eliminated = g_array_index(qlt->blocks, DaeQltBlock, b).is_eliminated;
    some_kept = some_kept || !is_eliminated;
    some_eliminated = some_eliminated || is_eliminated;
  }
  return !some_kept        ? DAE_ELIMINATE_ALWAYS
         : some_eliminated ? DAE_ELIMINATE_AUTO
                           : DAE_ELIMINATE_NEVER;
}

size_t
dae_qlt_terms_in(const DaeQlt *qlt)
{
  return qlt->terms_in;
}

size_t
dae_qlt_terms_out(const DaeQlt *qlt)
{
  return qlt->terms_out;
}

const DaeQltDecision *
dae_qlt_decisions(const DaeQlt *qlt, uint32_t *n)
{
  *n = qlt->decisions->len;
  return (const DaeQltDecision *)(void *)qlt->decisions->data;
}
