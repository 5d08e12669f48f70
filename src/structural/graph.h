/* Integer kernels on sparse matrices and graphs: no terms, no models.
 *
 * A DaeCsr is a sparse matrix by rows. Row = equation i, column = variable j. The columns of a row
 * ascend and are pairwise different. An absent entry is minus infinity; a NULL `weight` means that
 * every entry has the weight 0 (a pattern). A square DaeCsr is also a digraph: i -> column.
 *
 * Nothing here recurses; every kernel states its cost. Ties go to the smallest index, so that the
 * results depend on the matrix alone. */
#ifndef DAE_STRUCTURAL_GRAPH_H
#define DAE_STRUCTURAL_GRAPH_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DAE_UNMATCHED UINT32_MAX

typedef struct {
  uint32_t n_rows, n_columns;
  size_t *start;    /* n_rows + 1 */
  uint32_t *column; /* start[n_rows] entries */
  int32_t *weight;  /* as column, or NULL */
} DaeCsr;

/* Room for nnz entries; start[] is 0 and the entries are not set. */
DaeCsr *dae_csr_new(uint32_t n_rows, uint32_t n_columns, size_t nnz, bool weighted);
void dae_csr_free(DaeCsr *csr);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeCsr, dae_csr_free)
size_t dae_csr_nnz(const DaeCsr *csr);
/* (transfer full) O(n + nnz). */
DaeCsr *dae_csr_transpose(const DaeCsr *csr);
/* Rows and columns exist, columns ascend strictly: the invariants of this header. */
bool dae_csr_check(const DaeCsr *csr);

/* Of entry e. */
static inline int64_t
dae_csr_weight(const DaeCsr *csr, size_t e)
{
  return csr->weight == NULL ? 0 : csr->weight[e];
}

/* ---- assignment (assign.c) ---------------------------------------------------------------- */

typedef struct { /* counted work, for tests of growth */
  uint32_t n_phases;
  uint64_t n_edges; /* entries looked at */
} DaeMatchCounts;

/* A matching of maximum cardinality; if it covers all rows, its weight is the largest of all
 * that do (highest-value transversal). Needs n_rows <= n_columns for that; transpose otherwise.
 * column_of_row (n_rows) and row_of_column (n_columns) are filled, DAE_UNMATCHED where there is
 * none. c (n_rows) and d (n_columns) become feasible dual prices: d[j] - c[i] >= weight(i,j),
 * equality on the matching. counts may be NULL. True if all rows are covered. */
bool dae_graph_match(const DaeCsr *csr, uint32_t *column_of_row, uint32_t *row_of_column,
                     int64_t *c, int64_t *d, DaeMatchCounts *counts);

/* The first of its steps (cheap.c): prices, and a matching of tight entries that leaves few rows.
 * Returns the entries looked at. */
uint64_t dae_graph_match_cheaply(const DaeCsr *csr, uint32_t *column_of_row,
                                 uint32_t *row_of_column, int64_t *c, int64_t *d);

/* The next one (nearby.c), from what the first has left: augmenting paths that end near their row.
 * Returns the entries looked at. */
uint64_t dae_graph_match_nearby(const DaeCsr *csr, uint32_t *column_of_row,
                                uint32_t *row_of_column, int64_t *c, int64_t *d);

/* A matching of all rows whose rows and columns can be ordered so that the matched part is
 * triangular (triangle.c): each row is solved for its column alone, once columns without a row
 * have values and the rows before it are solved. false: there is none. O(n + nnz). */
bool dae_graph_match_triangular(const DaeCsr *csr, uint32_t *column_of_row,
                                uint32_t *row_of_column);

/* ---- offsets (offsets.c) --------------------------------------------------------------------- */

/* From any feasible dual prices of a matching that covers all rows, the element-wise least ones
 * with c >= 0 (canonical offsets [Pryce01]); they do not depend on the matching nor on the prices.
 * d of unmatched columns is set to the least value that is feasible, at least 0. O(nnz log). */
void dae_graph_least_offsets(const DaeCsr *csr, const uint32_t *column_of_row,
                             const uint32_t *row_of_column, int64_t *c, int64_t *d);

/* ---- monotone priority queue (radix.c) --------------------------------------------------- */

typedef struct DaeRadix DaeRadix; /* keys never smaller than the last one popped */
DaeRadix *dae_radix_new(void);
void dae_radix_free(DaeRadix *radix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeRadix, dae_radix_free)
void dae_radix_reset(DaeRadix *radix, int64_t key); /* empty, last key popped = key */
void dae_radix_push(DaeRadix *radix, int64_t key, uint32_t value);
bool dae_radix_pop(DaeRadix *radix, int64_t *key, uint32_t *value); /* false: empty */

/* ---- strong components (scc.c) ----------------------------------------------------------- */

/* Strong components of a square matrix as a digraph [Tarjan72], iteratively, O(n + nnz). A
 * component comes after all components it has edges to. Roots are tried in the order of `visit`
 * (NULL: 0, 1, ...). vertices (n) lists the components one after another, each ascending; first
 * (n + 1) says where each begins. Returns their number. */
uint32_t dae_graph_components(const DaeCsr *digraph, const uint32_t *visit, uint32_t *vertices,
                              uint32_t *first);

/* ---- Dulmage-Mendelsohn (dm.c) ----------------------------------------------------------- */

typedef struct {
  GArray *rows, *columns; /* uint32_t, ascending */
} DaePart;

void dae_part_clear(DaePart *part);

/* The part with too many equations (all that alternating paths reach from unmatched rows) and the
 * part with too few (from unmatched columns) of a matching of maximum cardinality. O(n + nnz). */
void dae_graph_dulmage_mendelsohn(const DaeCsr *csr, const uint32_t *column_of_row,
                                  const uint32_t *row_of_column, DaePart *over, DaePart *under);

/* A smallest set of k + 1 rows that share only k columns, none of whose proper subsets has an
 * excess. Exactly the smallest for parts of up to 20 rows, else the smallest minimal set found from
 * a bounded number of starting rows. over must be the over-determined part of csr and not empty. */
void dae_graph_smallest_excess(const DaeCsr *csr, const DaePart *over, DaePart *excess);

/* ---- block triangular form (blocks.c) ---------------------------------------------------- */

typedef struct {
  uint32_t n_blocks;
  uint32_t *first;   /* n_blocks + 1 */
  uint32_t *rows;    /* by block in solution order, ascending inside a block */
  uint32_t *columns; /* likewise; block b solves for columns first[b] ... first[b+1]-1 */
} DaeBlocks;

void dae_blocks_clear(DaeBlocks *blocks);

/* coarse: from the pattern of csr; fine: from the entries with d[j] - c[i] == weight(i,j).
 * Rows and columns that are not matched are left out (over-determined systems). Fine blocks
 * refine the coarse ones, and both are in solution order: a block uses only columns of itself
 * and of earlier blocks. O(n + nnz). */
void dae_graph_blocks(const DaeCsr *csr, const uint32_t *column_of_row,
                      const uint32_t *row_of_column, const int64_t *c, const int64_t *d,
                      DaeBlocks *coarse, DaeBlocks *fine);

#endif
