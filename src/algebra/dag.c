/* Gaussian elimination on the DAG: row_i := row_i - (a/p) row_k, as terms. The cost is the
 * number of operations, whatever the size of the expanded polynomials. Nonzero entries show it
 * by their modular image at once; entries with a zero image need a proof, and are left
 * undecided where that is out of reach. */
#include "algebra/dag.h"

typedef struct {
  DaeAlgebra *algebra;
  DaeMatrix *m;
  uint32_t n_pivot_columns;
  bool *row_done;
  bool *column_done;
  uint32_t *column_count;
  uint32_t *row_count;
} Dag;

static DaeTerm *
entry_at(const Dag *d, uint32_t i, uint32_t j)
{
  return d->m->entries + (size_t)i * d->m->n_columns + j;
}

static void
count_entries(Dag *d)
{
  for (uint32_t i = 0; i < d->m->n_rows; i++) {
    d->row_count[i] = 0;
  }
  for (uint32_t j = 0; j < d->n_pivot_columns; j++) {
    d->column_count[j] = 0;
    for (uint32_t i = 0; i < d->m->n_rows; i++) {
      if (!d->row_done[i] && !d->column_done[j] &&
          !dae_term_is_zero(d->algebra->terms, *entry_at(d, i, j))) {
        d->row_count[i]++;
        d->column_count[j]++;
      }
    }
  }
}

/* Numbers first, then atoms, then anything; among these little fill. */
static double
cost_of_pivot(const Dag *d, uint32_t i, uint32_t j)
{
  DaeTerm t = *entry_at(d, i, j);
  double kind = dae_term_is_number(d->algebra->terms, t) ? 0
                : dae_term_is_atom(d->algebra->terms, t) ? 1e9
                                                         : 2e9;
  return kind + (double)(d->row_count[i] - 1) * (double)(d->column_count[j] - 1);
}

static bool
find_pivot(Dag *d, DaePivot *best)
{
  bool found = false;
  double best_cost = 0;
  count_entries(d);
  for (uint32_t i = 0; i < d->m->n_rows; i++) {
    for (uint32_t j = 0; j < d->n_pivot_columns && !d->row_done[i]; j++) {
      if (d->column_done[j] || dae_term_is_zero(d->algebra->terms, *entry_at(d, i, j))) {
        continue;
      }
      double cost = cost_of_pivot(d, i, j);
      if ((!found || cost < best_cost) &&
          dae_algebra_is_zero(d->algebra, *entry_at(d, i, j)) == DAE_NONZERO) {
        found = true;
        best_cost = cost;
        *best = (DaePivot){i, j};
      }
    }
  }
  return found;
}

static bool
eliminate_row(Dag *d, uint32_t i, DaePivot pivot)
{
  DaeTerms *terms = d->algebra->terms;
  DaeTerm factor =
      dae_term_div(terms, *entry_at(d, i, pivot.column), *entry_at(d, pivot.row, pivot.column));
  for (uint32_t j = 0; j < d->m->n_columns; j++) {
    DaeTerm source = *entry_at(d, pivot.row, j);
    DaeTerm *target = entry_at(d, i, j);
    if (dae_term_is_zero(terms, source)) {
      continue;
    }
    DaeTerm value = dae_term_sub(terms, *target, dae_term_mul(terms, factor, source));
    bool is_zero = j == pivot.column || dae_algebra_is_zero(d->algebra, value) == DAE_ZERO;
    *target = is_zero ? dae_term_int(terms, 0) : value;
    if (dae_algebra_spent(d->algebra)) {
      return false;
    }
  }
  return true;
}

static bool
rest_is_zero(const Dag *d)
{
  for (uint32_t i = 0; i < d->m->n_rows; i++) {
    for (uint32_t j = 0; j < d->n_pivot_columns && !d->row_done[i]; j++) {
      if (!dae_term_is_zero(d->algebra->terms, *entry_at(d, i, j)) &&
          dae_algebra_is_zero(d->algebra, *entry_at(d, i, j)) != DAE_ZERO) {
        return false;
      }
    }
  }
  return true;
}

DaeElimStatus
dae_dag_eliminate(DaeAlgebra *algebra, DaeMatrix *matrix, uint32_t n_pivot_columns, bool above,
                  GArray *pivots)
{
  Dag d = {.algebra = algebra, .m = matrix, .n_pivot_columns = n_pivot_columns};
  g_autofree bool *row_done = g_new0(bool, matrix->n_rows + 1);
  g_autofree bool *column_done = g_new0(bool, matrix->n_columns + 1);
  g_autofree uint32_t *row_count = g_new0(uint32_t, matrix->n_rows + 1);
  g_autofree uint32_t *column_count = g_new0(uint32_t, matrix->n_columns + 1);
  d.row_done = row_done;
  d.column_done = column_done;
  d.row_count = row_count;
  d.column_count = column_count;
  DaePivot pivot = {0, 0};
  while (find_pivot(&d, &pivot)) {
    g_array_append_val(pivots, pivot);
    row_done[pivot.row] = true;
    column_done[pivot.column] = true;
    for (uint32_t i = 0; i < matrix->n_rows; i++) {
      bool skip = i == pivot.row || (row_done[i] && !above) ||
                  dae_term_is_zero(algebra->terms, *entry_at(&d, i, pivot.column));
      if (!skip && !eliminate_row(&d, i, pivot)) {
        return DAE_ELIM_LIMIT;
      }
    }
  }
  if (dae_algebra_spent(algebra)) {
    return DAE_ELIM_LIMIT;
  }
  return rest_is_zero(&d) ? DAE_ELIM_DONE : DAE_ELIM_UNCERTAIN;
}
