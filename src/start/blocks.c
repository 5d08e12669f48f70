/* The start problem block by block: a matching and its strong components order the equations, so
 * that each block is solved for its own unknowns only, with all others known. A network of pipes
 * or a machine falls into many small blocks that are easy one after the other, where all equations
 * together lead Newton's method out of the domain of some function far away from the trouble.
 *
 * There are more equations than unknowns, so there is a choice. Equations that are differentiated
 * most often come first, as in the stages of [Pryce01]: positions are then found from the
 * equations of positions, velocities from theirs, forces last, and a mechanism falls into its
 * loops. What the matching leaves over joins the block in which the last of its unknowns is found.
 *
 * What is found is a guess like any other: the whole problem has the last word. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "start/start-priv.h"
#include "structural/graph.h"

/* Entries of the Jacobian below this count as 0. */
#define LEAST_ENTRY 1e-6

typedef struct {
  GArray *rows;            /* uint32_t, of the whole problem: n or more */
  const uint32_t *columns; /* of the whole problem */
  uint32_t n;
  GArray *inputs; /* uint32_t: columns of the whole problem that its equations hold */
  DaeTape *residual, *jacobian;
  GArray *row_start, *local; /* uint32_t: the pattern inside the block */
  double *in;
  void *scratch;
} Block;

struct DaeStartBlocks {
  const DaeStartAssembly *assembly;
  const DaeStartNumbers *numbers;
  DaeBlocks coarse, fine;
  Block *block; /* fine.n_blocks; tapes are made at the first use */
  DaeTapeMaker *maker;
};

/* ---- one block in numbers ---------------------------------------------------------------- */

typedef struct {
  Block *block;
  double lambda;
  double *x; /* of the whole problem; the block's unknowns are written into it */
} View;

static int
run(const View *view, const DaeTape *tape, const double *y, double *out)
{
  Block *block = view->block;
  uint32_t fault = 0;
  for (uint32_t k = 0; k < block->n; k++) {
    view->x[block->columns[k]] = y[k];
  }
  for (guint k = 0; k < block->inputs->len; k++) {
    block->in[k] = view->x[g_array_index(block->inputs, uint32_t, k)];
  }
  block->in[block->inputs->len] = view->lambda;
  return dae_tape_eval(tape, block->scratch, 1, block->in, out, &fault);
}

static int
residual_of(const void *self, void *scratch, const double *y, double *r)
{
  const View *view = self;
  (void)scratch;
  return run(view, view->block->residual, y, r);
}

static int
jacobian_of(const void *self, void *scratch, const double *y, double *values)
{
  const View *view = self;
  (void)scratch;
  return run(view, view->block->jacobian, y, values);
}

static int
jacobian_or_beside(const void *self, void *scratch, const double *y, double *values)
{
  const View *view = self;
  return dae_start_jacobian_beside(jacobian_of, self, scratch, view->block->n, y, values);
}

/* Its entries among its own columns, and all columns that its equations hold. */
static void
find_pattern(const DaeStartBlocks *blocks, Block *block, GArray *entries)
{
  const DaeStartPattern *pattern = &blocks->numbers->pattern;
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL); /* column -> own place + 1, or 0 */
  for (uint32_t k = 0; k < block->n; k++) {
    g_hash_table_insert(seen, GUINT_TO_POINTER(block->columns[k]), GUINT_TO_POINTER(k + 1));
    g_array_append_val(block->inputs, block->columns[k]);
  }
  uint32_t at = 0;
  g_array_append_val(block->row_start, at);
  for (guint r = 0; r < block->rows->len; r++) {
    uint32_t i = g_array_index(block->rows, uint32_t, r);
    uint32_t end = g_array_index(pattern->row_start, uint32_t, i + 1);
    for (uint32_t e = g_array_index(pattern->row_start, uint32_t, i); e < end; e++) {
      uint32_t column = g_array_index(pattern->columns, uint32_t, e);
      gpointer place = NULL;
      if (!g_hash_table_lookup_extended(seen, GUINT_TO_POINTER(column), NULL, &place)) {
        g_hash_table_insert(seen, GUINT_TO_POINTER(column), NULL);
        g_array_append_val(block->inputs, column);
      } else if (place != NULL) {
        uint32_t own = GPOINTER_TO_UINT(place) - 1;
        DaeTerm entry = g_array_index(pattern->entries, DaeTerm, e);
        g_array_append_val(block->local, own);
        g_array_append_val(entries, entry);
      }
    }
    at = block->local->len;
    g_array_append_val(block->row_start, at);
  }
}

static bool
make_tapes(DaeStartBlocks *blocks, Block *block)
{
  const DaeStartAssembly *assembly = blocks->assembly;
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  block->inputs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  block->row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  block->local = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  find_pattern(blocks, block, entries);
  for (guint r = 0; r < block->rows->len; r++) {
    uint32_t i = g_array_index(block->rows, uint32_t, r);
    g_array_append_vals(outputs, &g_array_index(assembly->equations, DaeTerm, i), 1);
  }
  for (guint k = 0; k < block->inputs->len; k++) {
    uint32_t column = g_array_index(block->inputs, uint32_t, k);
    g_array_append_vals(atoms, &g_array_index(assembly->unknowns, DaeTerm, column), 1);
  }
  if (assembly->lambda != DAE_NO_TERM) {
    g_array_append_val(atoms, assembly->lambda);
  }
  const DaeTerm *inputs = (const DaeTerm *)(void *)atoms->data;
  block->residual =
      dae_tape_maker_make(blocks->maker, inputs, atoms->len,
                          (const DaeTerm *)(void *)outputs->data, outputs->len, NULL);
  block->jacobian =
      dae_tape_maker_make(blocks->maker, inputs, atoms->len,
                          (const DaeTerm *)(void *)entries->data, entries->len, NULL);
  if (block->residual == NULL || block->jacobian == NULL) {
    return false;
  }
  block->in = g_new0(double, block->inputs->len + 1);
  block->scratch = dae_aligned_new0(
      MAX(dae_tape_scratch_size(block->residual), dae_tape_scratch_size(block->jacobian)));
  return true;
}

/* ---- the blocks -------------------------------------------------------------------------- */

/* The highest order at which each equation of the model occurs among the constraints. */
static GArray *
highest_orders(const DaeQlt *qlt)
{
  GArray *highest = g_array_new(FALSE, TRUE, sizeof(int32_t));
  for (uint32_t i = 0; i < dae_qlt_n_constraints(qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(qlt, i);
    for (uint32_t k = 0; k < constraint->n_from; k++) {
      const DaeQltOrigin *from = &constraint->from[k];
      g_array_set_size(highest, MAX(highest->len, from->equation + 1));
      int32_t *order = &g_array_index(highest, int32_t, from->equation);
      *order = MAX(*order, from->order);
    }
  }
  return highest;
}

/* How many more times is a constraint differentiated? */
static int32_t
stage_of(const DaeQltConstraint *constraint, const GArray *highest)
{
  int32_t stage = 0;
  for (uint32_t k = 0; k < constraint->n_from; k++) {
    const DaeQltOrigin *from = &constraint->from[k];
    stage = MAX(stage, g_array_index(highest, int32_t, from->equation) - from->order);
  }
  return stage;
}

/* The larger, the earlier the equation is wanted: what is given first, then by stages. */
static int32_t *
find_preferences(const DaeStartAssembly *assembly)
{
  const DaeQlt *qlt = assembly->input->qlt;
  g_autoptr(GArray) highest = highest_orders(qlt);
  int32_t *preference = g_new0(int32_t, assembly->what->len + 1);
  int32_t given = dae_qlt_max_level(qlt) + (int32_t)assembly->max_order + 2;
  for (guint i = 0; i < assembly->what->len; i++) {
    const DaeStartSource *source = &g_array_index(assembly->what, DaeStartSource, i);
    if (source->kind == DAE_START_FROM_INITIAL || source->kind == DAE_START_FROM_CHOICE) {
      preference[i] = given;
    } else if (source->kind == DAE_START_FROM_CONSTRAINT) {
      preference[i] = 1 + stage_of(dae_qlt_constraint(qlt, source->index), highest) +
                      (int32_t)(assembly->max_order - source->order);
    }
  }
  return preference;
}

static DaeCsr *
pattern_as_csr(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
               const bool *is_kept)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  g_autofree int32_t *preference = find_preferences(assembly);
  uint32_t nnz = pattern.row_start[pattern.n_rows];
  DaeCsr *csr = dae_csr_new(pattern.n_rows, pattern.n_columns, nnz, true);
  uint32_t at = 0;
  for (uint32_t i = 0; i < pattern.n_rows; i++) {
    bool is_there = is_kept == NULL || is_kept[i];
    for (uint32_t e = pattern.row_start[i]; is_there && e < pattern.row_start[i + 1]; e++) {
      csr->column[at] = pattern.column[e];
      csr->weight[at++] = preference[i];
    }
    csr->start[i + 1] = at;
  }
  return csr;
}

/* Equations that the matching leaves over. */
static void
place_the_others(DaeStartBlocks *blocks, const DaeCsr *csr, const uint32_t *column_of)
{
  g_autofree uint32_t *block_of = g_new0(uint32_t, csr->n_columns + 1);
  for (uint32_t b = 0; b < blocks->fine.n_blocks; b++) {
    for (uint32_t k = 0; k < blocks->block[b].n; k++) {
      block_of[blocks->block[b].columns[k]] = b;
    }
  }
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    uint32_t last = 0;
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      last = MAX(last, block_of[csr->column[e]]);
    }
    if (column_of[i] == DAE_UNMATCHED && csr->start[i] < csr->start[i + 1]) {
      g_array_append_val(blocks->block[last].rows, i);
    }
  }
}

DaeStartBlocks *
dae_start_blocks_new(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                     const bool *is_kept)
{
  uint32_t n = numbers->n;
  uint32_t m = numbers->m;
  if (m < n || n == 0) {
    return NULL;
  }
  g_autoptr(DaeCsr) csr = pattern_as_csr(assembly, numbers, is_kept);
  g_autoptr(DaeCsr) transposed = dae_csr_transpose(csr);
  g_autofree uint32_t *row_of = g_new0(uint32_t, n + 1);
  g_autofree uint32_t *column_of = g_new0(uint32_t, m + 1);
  g_autofree int64_t *c = g_new0(int64_t, m + 1);
  g_autofree int64_t *d = g_new0(int64_t, n + 1);
  if (!dae_graph_match(transposed, row_of, column_of, d, c, NULL)) {
    return NULL; /* some unknown has no equation of its own */
  }
  memset(c, 0, sizeof(int64_t) * m);
  memset(d, 0, sizeof(int64_t) * n);
  g_clear_pointer(&csr->weight, g_free); /* from here on only what occurs where */
  DaeStartBlocks *blocks = g_new0(DaeStartBlocks, 1);
  blocks->assembly = assembly;
  blocks->numbers = numbers;
  blocks->maker = dae_tape_maker_new(assembly->terms);
  dae_graph_blocks(csr, column_of, row_of, c, d, &blocks->coarse, &blocks->fine);
  blocks->block = g_new0(Block, blocks->fine.n_blocks + 1);
  for (uint32_t b = 0; b < blocks->fine.n_blocks; b++) {
    uint32_t from = blocks->fine.first[b];
    blocks->block[b].columns = blocks->fine.columns + from;
    blocks->block[b].n = blocks->fine.first[b + 1] - from;
    blocks->block[b].rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_vals(blocks->block[b].rows, blocks->fine.rows + from, blocks->block[b].n);
  }
  place_the_others(blocks, csr, column_of);
  return blocks;
}

uint32_t
dae_start_blocks_count(const DaeStartBlocks *blocks)
{
  return blocks->fine.n_blocks;
}

uint32_t
dae_start_block(const DaeStartBlocks *blocks, uint32_t b, const uint32_t **rows,
                const uint32_t **columns)
{
  *rows = (const uint32_t *)(void *)blocks->block[b].rows->data;
  *columns = blocks->block[b].columns;
  return blocks->block[b].n;
}

void
dae_start_blocks_free(DaeStartBlocks *blocks)
{
  if (blocks == NULL) {
    return;
  }
  for (uint32_t b = 0; b < blocks->fine.n_blocks; b++) {
    Block *block = &blocks->block[b];
    g_array_unref(block->rows);
    if (block->inputs != NULL) {
      g_array_unref(block->inputs);
      g_array_unref(block->row_start);
      g_array_unref(block->local);
      dae_tape_free(block->residual);
      dae_tape_free(block->jacobian);
      g_free(block->in);
      free(block->scratch);
    }
  }
  g_free(blocks->block);
  dae_tape_maker_free(blocks->maker);
  dae_blocks_clear(&blocks->coarse);
  dae_blocks_clear(&blocks->fine);
  g_free(blocks);
}

/* Newton's method has nothing to go by where a derivative vanishes (m*abs(m) at m = 0) or a
 * function has no value: other guesses, all unknowns moved. */
static bool
solve_block(View *view, const DaeRootProblem *problem, const DaeStartMeasure *measure)
{
  enum { TRIES = 9 };

  const Block *block = view->block;
  uint32_t n = block->n;
  g_autofree double *y = g_new0(double, n + 1);
  g_autofree double *guess = g_new0(double, n + 1);
  g_autofree double *units = g_new0(double, n + 1);
  g_autofree double *weights = g_new0(double, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    guess[k] = view->x[block->columns[k]];
    units[k] = measure->units[block->columns[k]];
    weights[k] = measure->weights[block->columns[k]];
  }
  memcpy(y, guess, n * sizeof(double));
  bool found = dae_numeric_solve(problem, weights, 1e-12, y).converged;
  for (uint32_t k = 0; k < TRIES && !found && n <= DAE_START_MOST_MOVED; k++) {
    dae_start_move_guess(guess, units, n, k, y);
    found = dae_numeric_solve(problem, weights, 1e-12, y).converged;
  }
  if (found && n > 1) {
    dae_start_pull_back(problem, guess, units, weights, y);
  }
  for (uint32_t k = 0; k < n; k++) {
    view->x[block->columns[k]] = found ? y[k] : guess[k];
  }
  return found;
}

bool
dae_start_blocks_solve(DaeStartBlocks *blocks, const DaeStartMeasure *measure, double *x,
                       uint32_t *failed)
{
  for (uint32_t b = 0; b < blocks->fine.n_blocks; b++) {
    Block *block = &blocks->block[b];
    *failed = b;
    if (block->inputs == NULL && !make_tapes(blocks, block)) {
      return false;
    }
    View view = {block, blocks->numbers->lambda, x};
    DaeRootProblem problem = {
        .n = block->n,
        .m = block->rows->len,
        .pattern = {block->rows->len, block->n,
                    (const uint32_t *)(void *)block->row_start->data,
                    (const uint32_t *)(void *)block->local->data},
        .self = &view,
        .residual = residual_of,
        .jacobian = jacobian_or_beside,
    };
    if (block->residual == NULL || block->jacobian == NULL ||
        !solve_block(&view, &problem, measure)) {
      return false;
    }
  }
  return true;
}
