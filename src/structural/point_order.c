/* Which fine blocks take part in a consistent point, and in which order. A block whose
 * determinant has no zeros and whose Jacobian does not depend on variables is linear at every
 * stage: it can be solved whatever the rest is, so it takes part only if another block needs
 * its variables.
 *
 * A variable that occurs in a condition only has no entry in Sigma, because the equation does
 * not change with it; but which branch holds must be known before the block is solved. Blocks
 * that need each other so are solved together. Such a variable may have a later stage of its own
 * (phase = if h < f(p) then 1 else 2 is not differentiated where d = g(p, h, phase) is): its
 * block comes as many stages earlier as the need wants. */
#include <string.h>

#include "base/base.h"
#include "structural/sig-priv.h"

typedef struct {
  DaeSig *sig;
  uint32_t *block_of; /* by column */
  int32_t *early;     /* by block: stages that it is ahead */
} Blocks;

enum { MOST_ROUNDS = 20 }; /* of needs through conditions of conditions */

static bool
depends_on_variables(const DaeSig *sig, uint32_t b)
{
  DaeBlockMatrix matrix;
  bool result = false;
  dae_sig_block_matrix(sig, b, &matrix);
  for (size_t e = 0; e < dae_csr_nnz(matrix.csr) && !result; e++) {
    result = !dae_term_is_parametric(sig->terms, matrix.value[e]);
  }
  dae_block_matrix_clear(&matrix);
  return result;
}

/* Does the first of row i want x_j^(order) at its own stage, or a later one? By how much. x_j^(o)
 * is solved for at stage o - d_j less what its block is ahead, row i comes first at -c_i less
 * what its own is. */
static int32_t
lateness(const Blocks *blocks, uint32_t b, uint32_t i, uint32_t j, int32_t order)
{
  const DaeSig *sig = blocks->sig;
  return order - sig->d[j] - blocks->early[blocks->block_of[j]] + sig->c[i] + blocks->early[b];
}

/* The blocks that block b needs, itself among them. With now, those it needs at the same stage. */
static void
collect_needs(const Blocks *blocks, uint32_t b, bool now, GArray *out)
{
  DaeSig *sig = blocks->sig;
  const DaeCsr *csr = sig->sigma.csr;
  const DaeSigBlock *block = &sig->fine[b];
  g_array_set_size(out, 0);
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t j = csr->column[e];
      if (!now || lateness(blocks, b, i, j, csr->weight[e]) >= 0) {
        g_array_append_val(out, blocks->block_of[j]);
      }
    }
    /* a point has also the variables that are put in as what they are: it is checked as written */
    DaeTerm residual = now ? dae_sig_settled_residual(sig, i)
                           : dae_sigma_residual(&sig->sigma, sig->terms, sig->model, i);
    if (residual == DAE_NO_TERM || !dae_term_has_break(sig->terms, residual)) {
      continue;
    }
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(sig->terms, residual, atoms);
    for (guint k = 0; k < atoms->len; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      int32_t order = (int32_t)dae_term_order(sig->terms, atom);
      uint32_t j = 0;
      if (dae_model_find_variable(sig->model, dae_term_get_symbol(sig->terms, atom), &j) &&
          (!now || lateness(blocks, b, i, j, order) >= 0)) {
        g_array_append_val(out, blocks->block_of[j]);
      }
    }
  }
}

static uint32_t *
new_block_of(const DaeSig *sig)
{
  uint32_t *block_of = g_new0(uint32_t, (size_t)sig->sigma.csr->n_columns + 1);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    for (uint32_t k = 0; k < sig->fine[b].n_variables; k++) {
      block_of[sig->fine[b].variables[k]] = b;
    }
  }
  return block_of;
}

bool *
dae_sig_needed_blocks(DaeSig *sig)
{
  g_autofree uint32_t *block_of = new_block_of(sig);
  Blocks blocks = {.sig = sig, .block_of = block_of};
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) needs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool *is_needed = g_new0(bool, (size_t)sig->fine_form.n_blocks + 1);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    bool is_in_doubt = sig->block_in_doubt != NULL && sig->block_in_doubt[b];
    if (sig->wants_whole_point || is_in_doubt || sig->block_open[b] ||
        depends_on_variables(sig, b)) {
      is_needed[b] = true;
      g_array_append_val(queue, b);
    }
  }
  for (guint k = 0; k < queue->len; k++) {
    collect_needs(&blocks, g_array_index(queue, uint32_t, k), false, needs);
    for (guint n = 0; n < needs->len; n++) {
      uint32_t b = g_array_index(needs, uint32_t, n);
      if (!is_needed[b]) {
        is_needed[b] = true;
        g_array_append_val(queue, b);
      }
    }
  }
  return is_needed;
}

/* Puts blocks of one equation ahead that row i of block b needs before their own stage; point.c
 * proves them regular by their pivot. */
static bool
put_ahead(const Blocks *blocks, uint32_t b, uint32_t i)
{
  DaeSig *sig = blocks->sig;
  DaeTerm residual = dae_sig_settled_residual(sig, i);
  bool is_changed = false;
  if (residual == DAE_NO_TERM || !dae_term_has_break(sig->terms, residual)) {
    return false;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(sig->terms, residual, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    int32_t order = (int32_t)dae_term_order(sig->terms, atom);
    uint32_t j = 0;
    if (dae_model_find_variable(sig->model, dae_term_get_symbol(sig->terms, atom), &j) &&
        blocks->block_of[j] != b && sig->fine[blocks->block_of[j]].n_equations == 1 &&
        lateness(blocks, b, i, j, order) > 0) {
      blocks->early[blocks->block_of[j]] += lateness(blocks, b, i, j, order);
      is_changed = true;
    }
  }
  return is_changed;
}

/* Along chains of needs. A circle that asks for ever more cannot be served: then none is ahead,
 * and the search says at which block it ends. */
static void
find_early(Blocks *blocks, const GArray *needed)
{
  const DaeSig *sig = blocks->sig;
  bool is_changed = true;
  for (int round = 0; round < MOST_ROUNDS && is_changed; round++) {
    is_changed = false;
    for (guint k = 0; k < needed->len; k++) {
      uint32_t b = g_array_index(needed, uint32_t, k);
      for (uint32_t r = 0; r < sig->fine[b].n_equations; r++) {
        is_changed = put_ahead(blocks, b, sig->fine[b].equations[r]) || is_changed;
      }
    }
  }
  if (is_changed) {
    memset(blocks->early, 0, sizeof(int32_t) * sig->fine_form.n_blocks);
  }
}

/* Which needed blocks each of them needs at the same stage. */
static DaeCsr *
new_needs(const Blocks *blocks, const GArray *needed, const uint32_t *place)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) needs = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree size_t *start = g_new0(size_t, (size_t)needed->len + 1);
  for (guint k = 0; k < needed->len; k++) {
    collect_needs(blocks, g_array_index(needed, uint32_t, k), true, needs);
    for (guint n = 0; n < needs->len; n++) {
      g_array_append_val(all, place[g_array_index(needs, uint32_t, n)]);
    }
    start[k + 1] = all->len;
  }
  DaeCsr *csr = dae_csr_new(needed->len, needed->len, all->len, false);
  memcpy(csr->start, start, sizeof(size_t) * ((size_t)needed->len + 1));
  if (all->len > 0) {
    memcpy(csr->column, all->data, sizeof(uint32_t) * all->len);
  }
  return csr;
}

static void
keep_groups(const DaeSig *sig, const int32_t *early, DaePointOrder *order)
{
  const uint32_t n = sig->sigma.csr->n_columns;
  order->group_of = g_new(uint32_t, (size_t)n + 1);
  order->early = g_new0(int32_t, (size_t)n + 1);
  for (uint32_t j = 0; j < n; j++) {
    order->group_of[j] = order->n;
  }
  for (uint32_t group = 0; group < order->n; group++) {
    for (uint32_t k = order->first[group]; k < order->first[group + 1]; k++) {
      const DaeSigBlock *block = &sig->fine[order->blocks[k]];
      for (uint32_t v = 0; v < block->n_variables; v++) {
        order->group_of[block->variables[v]] = group;
        order->early[block->variables[v]] = early[order->blocks[k]];
      }
    }
  }
}

void
dae_sig_order_of_blocks(DaeSig *sig, const bool *is_taken, DaePointOrder *order)
{
  const uint32_t n_blocks = sig->fine_form.n_blocks;
  g_autofree uint32_t *block_of = new_block_of(sig);
  g_autofree uint32_t *place = g_new0(uint32_t, (size_t)n_blocks + 1);
  g_autoptr(GArray) needed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t b = 0; b < n_blocks; b++) {
    if (is_taken == NULL || is_taken[b]) {
      place[b] = needed->len;
      g_array_append_val(needed, b);
    }
  }
  g_autofree int32_t *early = g_new0(int32_t, (size_t)n_blocks + 1);
  Blocks blocks = {sig, block_of, early};
  find_early(&blocks, needed);
  g_autoptr(DaeCsr) needs = new_needs(&blocks, needed, place);
  order->blocks = g_new0(uint32_t, (size_t)needed->len + 1);
  order->first = g_new0(uint32_t, (size_t)needed->len + 1);
  order->n = dae_graph_components(needs, NULL, order->blocks, order->first);
  for (guint k = 0; k < needed->len; k++) {
    order->blocks[k] = g_array_index(needed, uint32_t, order->blocks[k]);
  }
  keep_groups(sig, early, order);
}

void
dae_sig_order_of_point(DaeSig *sig, DaePointOrder *order)
{
  g_autofree bool *is_needed = dae_sig_needed_blocks(sig);
  dae_sig_order_of_blocks(sig, is_needed, order);
}

void
dae_point_order_clear(DaePointOrder *order)
{
  g_free(order->blocks);
  g_free(order->first);
  g_free(order->group_of);
  g_free(order->early);
}
