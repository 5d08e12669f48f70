/* Which unknowns are algebraic, which constraints serve them, and the
 * patterns of the matrices of a step. */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/multistep.h"

/* Dense elimination at the start is used up to here; beyond, rows are chosen by pattern. */
#define LARGEST_DENSE 800u

/* ---- choice of rows ---------------------------------------------------------------------- */

static uint32_t
mark_algebraic(DaeStepPlan *plan, const DaeEvaluator *ev)
{
  uint32_t n_algebraic = ev->n;
  memset(plan->is_algebraic, 1, ev->n);
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    n_algebraic -= plan->is_algebraic[ev->mass.column[e]];
    plan->is_algebraic[ev->mass.column[e]] = 0;
  }
  return n_algebraic;
}

static bool
touches_algebraic(const DaeStepPlan *plan, const DaeEvaluator *ev, uint32_t row)
{
  for (uint32_t e = ev->constraint.row_start[row]; e < ev->constraint.row_start[row + 1]; e++) {
    if (plan->is_algebraic[ev->constraint.column[e]]) {
      return true;
    }
  }
  return false;
}

/* A dense working copy of some rows; rows are removed as they serve as pivots. */
typedef struct {
  uint32_t n_rows, n_columns;
  double *a;
  bool *is_used;
} Dense;

/* Eliminates with the largest entry of the rows from first on; returns the pivot row, or
 * UINT32_MAX when all is zero. */
static uint32_t
eliminate_largest(Dense *dense, uint32_t first, uint32_t end, bool *column_is_used)
{
  const uint32_t n = dense->n_columns;
  double largest = 1e-12;
  uint32_t row = UINT32_MAX;
  uint32_t column = 0;
  for (uint32_t i = first; i < end; i++) {
    for (uint32_t j = 0; !dense->is_used[i] && j < n; j++) {
      if (!column_is_used[j] && fabs(dense->a[(size_t)i * n + j]) > largest) {
        largest = fabs(dense->a[(size_t)i * n + j]);
        row = i;
        column = j;
      }
    }
  }
  if (row == UINT32_MAX) {
    return row;
  }
  dense->is_used[row] = true;
  column_is_used[column] = true;
  const double *pivot = dense->a + (size_t)row * n;
  for (uint32_t i = 0; i < dense->n_rows; i++) {
    double *other = dense->a + (size_t)i * n;
    const double factor = other[column] / pivot[column];
    for (uint32_t j = 0; !dense->is_used[i] && factor != 0.0 && j < n; j++) {
      other[j] -= factor * pivot[j];
    }
  }
  return row;
}

static void
dense_set_row(Dense *dense, uint32_t row, const DaePattern *pattern, uint32_t i,
              const double *values)
{
  double norm = 0.0;
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    norm = fmax(norm, fabs(values[e]));
  }
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    dense->a[(size_t)row * dense->n_columns + pattern->column[e]] =
        norm > 0.0 ? values[e] / norm : 0.0;
  }
}

/* M comes first, then the constraints, by complete pivoting at the start: the
 * constraints that become pivots serve. Returns the rank of M; *is_complete tells
 * whether everything is determined. */
static uint32_t
choose_by_numbers(DaeStepPlan *plan, const DaeEvaluator *ev, const double *m, const double *gx,
                  bool *is_complete)
{
  Dense dense = {.n_rows = ev->n_diff + ev->n_con, .n_columns = ev->n};
  dense.a = g_new0(double, (size_t)dense.n_rows *dense.n_columns);
  dense.is_used = g_new0(bool, dense.n_rows);
  g_autofree bool *column_is_used = g_new0(bool, ev->n);
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    dense_set_row(&dense, i, &ev->mass, i, m);
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    dense_set_row(&dense, ev->n_diff + i, &ev->constraint, i, gx);
  }
  uint32_t rank = 0;
  while (rank < ev->n &&
         eliminate_largest(&dense, 0, ev->n_diff, column_is_used) != UINT32_MAX) {
    rank++;
  }
  const uint32_t rank_of_m = rank;
  for (int pass = 0; pass < 2; pass++) { /* those that hold what is open at last */
    const uint32_t end = dense.n_rows - (pass == 0 ? ev->n_held : 0);
    uint32_t row = 0;
    while (rank < ev->n && row != UINT32_MAX) {
      row = eliminate_largest(&dense, ev->n_diff, end, column_is_used);
      if (row != UINT32_MAX) {
        plan->serves[row - ev->n_diff] = 1;
        rank++;
      }
    }
  }
  for (uint32_t i = ev->n_con - ev->n_held; i < ev->n_con; i++) {
    plan->serves[i] = 1;
  }
  g_free(dense.a);
  g_free(dense.is_used);
  *is_complete = rank == ev->n;
  return rank_of_m;
}

/* One entry in each row of M, each in another column: the pattern alone
 * says that M gives the slopes. */
static bool
mass_is_diagonal(const DaeEvaluator *ev)
{
  g_autofree uint8_t *seen = g_new0(uint8_t, (size_t)ev->n + 1);
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    if (ev->mass.row_start[i + 1] - ev->mass.row_start[i] != 1 ||
        seen[ev->mass.column[ev->mass.row_start[i]]]++ != 0) {
      return false;
    }
  }
  return true;
}

static bool
choose_serving_rows(DaeStepPlan *plan, const DaeEvaluator *ev, const double *m,
                    const double *gx)
{
  const uint32_t n_algebraic = mark_algebraic(plan, ev);
  const uint32_t n_differential = ev->n - n_algebraic;
  uint32_t n_touching = 0;
  for (uint32_t i = 0; i < ev->n_con - ev->n_held; i++) {
    n_touching += touches_algebraic(plan, ev, i);
  }
  const bool pattern_decides =
      n_touching == n_algebraic && ev->n_diff == n_differential && mass_is_diagonal(ev);
  if (!pattern_decides && ev->n <= LARGEST_DENSE) {
    bool is_complete;
    plan->slopes_need_constraints =
        choose_by_numbers(plan, ev, m, gx, &is_complete) < n_differential;
    return is_complete;
  }
  plan->slopes_need_constraints = ev->n_diff < n_differential;
  for (uint32_t i = 0; i < ev->n_con; i++) {
    plan->serves[i] = plan->slopes_need_constraints || touches_algebraic(plan, ev, i);
  }
  return n_touching >= n_algebraic;
}

/* ---- matrices ---------------------------------------------------------------------------- */

typedef struct {
  GArray *start, *column, *from_m, *from_k, *from_g, *constraint; /* uint32_t */
  const uint32_t *number; /* unknown -> column, or DAE_NO_ENTRY */
} Assembly;

static void
append_index(GArray *array, uint32_t value)
{
  g_array_append_val(array, value);
}

static void
append_entry(Assembly *assembly, uint32_t unknown, uint32_t m, uint32_t k, uint32_t g)
{
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): unknown < n,
   * the analyzer does not see it */
  if (assembly->number[unknown] != DAE_NO_ENTRY) {
    append_index(assembly->column, assembly->number[unknown]);
    append_index(assembly->from_m, m);
    append_index(assembly->from_k, k);
    append_index(assembly->from_g, g);
  }
}

/* Row i of M, or of the union of the patterns of M and K. */
static void
append_dynamic_row(Assembly *assembly, const DaeEvaluator *ev, uint32_t i, bool with_k)
{
  uint32_t p = ev->mass.row_start[i];
  uint32_t q = ev->dynamics.row_start[i];
  const uint32_t p_end = ev->mass.row_start[i + 1];
  const uint32_t q_end = with_k ? ev->dynamics.row_start[i + 1] : q;
  while (p < p_end || q < q_end) {
    const uint32_t a = p < p_end ? ev->mass.column[p] : UINT32_MAX;
    const uint32_t b = q < q_end ? ev->dynamics.column[q] : UINT32_MAX;
    append_entry(assembly, MIN(a, b), a <= b ? p : DAE_NO_ENTRY, b <= a ? q : DAE_NO_ENTRY,
                 DAE_NO_ENTRY);
    p += a <= b;
    q += b <= a;
  }
  append_index(assembly->start, assembly->column->len);
}

static void
append_constraint_row(Assembly *assembly, const DaeEvaluator *ev, uint32_t i)
{
  for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
    append_entry(assembly, ev->constraint.column[e], DAE_NO_ENTRY, DAE_NO_ENTRY, e);
  }
  append_index(assembly->start, assembly->column->len);
  append_index(assembly->constraint, i);
}

static uint32_t *
take_indices(GArray *array)
{
  append_index(array, DAE_NO_ENTRY); /* never an empty block */
  return (uint32_t *)(void *)g_array_free(array, FALSE);
}

typedef struct {
  bool with_m, with_k;
  const uint8_t *rows; /* n_con: which constraints; NULL: none */
  bool rows_inverted;
  const uint8_t *columns; /* n: which unknowns; NULL: all */
  bool columns_inverted;
} MatrixSpec;

static bool
is_in(const uint8_t *set, bool inverted, uint32_t i)
{
  return set == NULL || (set[i] != 0) != inverted;
}

static void
matrix_init(DaeStepMatrix *matrix, const DaeEvaluator *ev, const MatrixSpec *spec)
{
  g_autofree uint32_t *number = g_new(uint32_t, (size_t)ev->n + 1);
  GArray *unknown = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t j = 0; j < ev->n; j++) {
    number[j] = DAE_NO_ENTRY;
    if (is_in(spec->columns, spec->columns_inverted, j)) {
      number[j] = unknown->len;
      append_index(unknown, j);
    }
  }
  Assembly assembly = {.start = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .column = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .from_m = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .from_k = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .from_g = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .constraint = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       .number = number};
  append_index(assembly.start, 0);
  matrix->n_dynamic = spec->with_m ? ev->n_diff : 0;
  for (uint32_t i = 0; i < matrix->n_dynamic; i++) {
    append_dynamic_row(&assembly, ev, i, spec->with_k);
  }
  for (uint32_t i = 0; spec->rows != NULL && i < ev->n_con; i++) {
    if (is_in(spec->rows, spec->rows_inverted, i)) {
      append_constraint_row(&assembly, ev, i);
    }
  }
  matrix->n_rows = assembly.start->len - 1;
  matrix->n_columns = unknown->len;
  matrix->normal = dae_normal_new(matrix->n_rows, matrix->n_columns,
                                  (const uint32_t *)(void *)assembly.start->data,
                                  (const uint32_t *)(void *)assembly.column->data);
  matrix->unknown = take_indices(unknown);
  matrix->constraint = take_indices(assembly.constraint);
  matrix->from_m = take_indices(assembly.from_m);
  matrix->from_k = take_indices(assembly.from_k);
  matrix->from_g = take_indices(assembly.from_g);
  g_array_free(assembly.start, TRUE);
  g_array_free(assembly.column, TRUE);
}

/* Entries of the transposed of G, row by row: from_g says which entry of G each is. */
static void
norm_init(DaeStepMatrix *matrix, const DaeEvaluator *ev)
{
  const uint32_t nnz = ev->constraint.row_start[ev->n_con];
  g_autofree uint32_t *start = g_new0(uint32_t, (size_t)ev->n + 2);
  g_autofree uint32_t *column = g_new(uint32_t, (size_t)nnz + 1);
  matrix->from_g = g_new(uint32_t, (size_t)nnz + 1);
  for (uint32_t e = 0; e < nnz; e++) {
    start[ev->constraint.column[e] + 2]++;
  }
  for (uint32_t j = 0; j <= ev->n; j++) {
    start[j + 1] += start[j];
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    for (uint32_t e = ev->constraint.row_start[i]; e < ev->constraint.row_start[i + 1]; e++) {
      const uint32_t at = start[ev->constraint.column[e] + 1]++;
      column[at] = i;
      matrix->from_g[at] = e;
    }
  }
  matrix->n_rows = ev->n;
  matrix->n_columns = ev->n_con;
  matrix->normal = dae_normal_new(ev->n, ev->n_con, start, column);
}

/* Rows whose entries at the start are far from 1 are scaled by a power of two: the normal
 * equations square the spread. Rows near 1 stay as they are, so that the coupled projection of
 * a well-scaled model is the paper's unweighted one. */
static void
scale_rows(DaeStepMatrix *matrix, const double *m, const double *gx)
{
  DaeNormal *normal = matrix->normal;
  g_autofree double *scale = g_new(double, (size_t)matrix->n_rows + 1);
  bool is_needed = false;
  for (uint32_t i = 0; i < matrix->n_rows; i++) {
    double largest = 0.0;
    for (uint32_t e = normal->row_start[i]; e < normal->row_start[i + 1]; e++) {
      const double *from = i < matrix->n_dynamic ? m : gx;
      const uint32_t at = i < matrix->n_dynamic ? matrix->from_m[e] : matrix->from_g[e];
      largest = at != DAE_NO_ENTRY ? fmax(largest, fabs(from[at])) : largest;
    }
    const bool is_far = largest > 0.0 && (largest < 1.0 / 64.0 || largest > 64.0);
    scale[i] = is_far ? ldexp(1.0, -ilogb(largest)) : 1.0;
    is_needed = is_needed || is_far;
  }
  if (is_needed) {
    normal->scale = g_steal_pointer(&scale);
  }
}

static void
matrix_clear(DaeStepMatrix *matrix)
{
  g_free(matrix->constraint);
  g_free(matrix->unknown);
  g_free(matrix->from_m);
  g_free(matrix->from_k);
  g_free(matrix->from_g);
  dae_normal_free(matrix->normal);
}

/* ---- the coupled projection -------------------------------------------------------------- */

/* A matching of columns to rows that is being built. */
typedef struct {
  GPtrArray *rows_of;  /* by column */
  uint32_t *column_of; /* by row, DAE_NO_ENTRY: free */
  uint32_t *row_of;    /* by column */
  uint32_t *by;        /* column from which a column was reached */
  uint32_t *seen;      /* by row: number of the search that saw it */
  GArray *queue;       /* columns */
} Matching;

/* Looks at the rows of column `at`: a free one ends the search, a
 * taken one leads on to its column. */
static uint32_t
look_at_rows(Matching *m, uint32_t at, uint32_t search)
{
  const GArray *rows = m->rows_of->pdata[at];
  for (uint32_t k = 0; k < rows->len; k++) {
    const uint32_t i = g_array_index(rows, uint32_t, k);
    if (m->seen[i] == search) {
      continue;
    }
    m->seen[i] = search;
    if (m->column_of[i] == DAE_NO_ENTRY) {
      return i;
    }
    m->by[m->column_of[i]] = at;
    append_index(m->queue, m->column_of[i]);
  }
  return DAE_NO_ENTRY;
}

/* Gives column j a row, moving others along an augmenting path; breadth first. */
static bool
match_column(Matching *m, uint32_t j)
{
  uint32_t row = DAE_NO_ENTRY;
  uint32_t last = j;
  g_array_set_size(m->queue, 0);
  append_index(m->queue, j);
  for (uint32_t head = 0; head < m->queue->len && row == DAE_NO_ENTRY; head++) {
    last = g_array_index(m->queue, uint32_t, head);
    row = look_at_rows(m, last, j + 1);
  }
  if (row == DAE_NO_ENTRY) {
    return false;
  }
  while (true) { /* flip the path */
    const uint32_t previous_row = m->row_of[last];
    m->column_of[row] = last;
    m->row_of[last] = row;
    if (last == j) {
      return true;
    }
    row = previous_row;
    last = m->by[last];
  }
}

/* Can every column have a row of its own among the first m? O(columns * entries). */
static bool
has_full_structural_rank(const DaeNormal *normal, uint32_t m)
{
  const uint32_t n = normal->n_columns;
  g_autofree uint32_t *column_of = g_new(uint32_t, (size_t)m + 1);
  g_autofree uint32_t *by = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *seen = g_new0(uint32_t, (size_t)m + 1);
  g_autofree uint32_t *row_of = g_new(uint32_t, (size_t)n + 1);
  g_autoptr(GPtrArray) rows_of = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Matching matching = {rows_of, column_of, row_of, by, seen, queue};
  for (uint32_t j = 0; j < n; j++) {
    row_of[j] = DAE_NO_ENTRY;
    g_ptr_array_add(rows_of, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
  }
  for (uint32_t i = 0; i < m; i++) {
    column_of[i] = DAE_NO_ENTRY;
    for (uint32_t e = normal->row_start[i]; e < normal->row_start[i + 1]; e++) {
      append_index(rows_of->pdata[normal->column[e]], i);
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    if (!match_column(&matching, j)) {
      return false;
    }
  }
  return true;
}

/* Serving rows that are hidden constraints are left out if what remains
 * still determines everything. */
static void
choose_coupled(DaeStepPlan *plan, const DaeEvaluator *ev)
{
  for (uint32_t i = 0; i < ev->n_con; i++) {
    plan->is_left_out[i] = i < ev->n_con - ev->n_held && plan->serves[i] &&
                           touches_algebraic(plan, ev, i) &&
                           (ev->hidden == NULL || ev->hidden[i]);
  }
  const MatrixSpec spec = {
      .with_m = true, .with_k = true, .rows = plan->is_left_out, .rows_inverted = true};
  matrix_init(&plan->coupled, ev, &spec);
  if (!has_full_structural_rank(plan->coupled.normal, plan->coupled.n_rows - ev->n_held)) {
    memset(plan->is_left_out, 0, ev->n_con);
    matrix_clear(&plan->coupled);
    matrix_init(&plan->coupled, ev, &spec);
  }
}

/* ---- the plan ---------------------------------------------------------------------------- */

static bool
evaluate_start(const DaeEvaluator *ev, const double *segment, double t, const double *x,
               double *m,  /* NOLINT(readability-non-const-parameter): filled through DaeJac */
               double *gx) /* NOLINT(readability-non-const-parameter): filled through DaeJac */
{
  void *scratch = dae_aligned_new0(ev->scratch_size);
  dae_evaluator_begin(ev, scratch, segment);
  g_autofree double *xdot = g_new0(double, (size_t)ev->n + 1);
  DaeJac jac = {.m = m, .gx = gx};
  const int status = ev->jac(ev->self, scratch, t, x, xdot, &jac);
  free(scratch);
  return status == 0;
}

DaeStepPlan *
dae_step_plan_new(const DaeEvaluator *ev, const double *segment, double t, const double *x,
                  DaeSolverStatus *status)
{
  g_autofree double *m = g_new0(double, (size_t)ev->mass.row_start[ev->n_diff] + 1);
  g_autofree double *gx = g_new0(double, (size_t)ev->constraint.row_start[ev->n_con] + 1);
  if (!evaluate_start(ev, segment, t, x, m, gx)) {
    *status = DAE_SOLVER_DOMAIN;
    return NULL;
  }
  DaeStepPlan *plan = g_new0(DaeStepPlan, 1);
  plan->n = ev->n;
  plan->n_diff = ev->n_diff;
  plan->n_con = ev->n_con;
  plan->is_algebraic = g_new0(uint8_t, (size_t)ev->n + 1);
  plan->serves = g_new0(uint8_t, (size_t)ev->n_con + 1);
  plan->is_left_out = g_new0(uint8_t, (size_t)ev->n_con + 1);
  if (!choose_serving_rows(plan, ev, m, gx)) {
    *status = DAE_SOLVER_SINGULAR;
    dae_step_plan_free(plan);
    return NULL;
  }
  const MatrixSpec slopes = {.with_m = true,
                             .rows = plan->slopes_need_constraints ? plan->serves : NULL,
                             .columns =
                                 plan->slopes_need_constraints ? NULL : plan->is_algebraic,
                             .columns_inverted = true};
  const MatrixSpec algebraic = {.rows = plan->serves, .columns = plan->is_algebraic};
  const MatrixSpec newton = {.with_m = true, .with_k = true, .rows = plan->serves};
  matrix_init(&plan->slopes, ev, &slopes);
  matrix_init(&plan->algebraic, ev, &algebraic);
  matrix_init(&plan->newton, ev, &newton);
  choose_coupled(plan, ev);
  norm_init(&plan->norm, ev);
  scale_rows(&plan->slopes, m, gx);
  scale_rows(&plan->algebraic, m, gx);
  scale_rows(&plan->newton, m, gx);
  scale_rows(&plan->coupled, m, gx);
  *status = DAE_SOLVER_COMPLETED;
  return plan;
}

void
dae_step_plan_free(DaeStepPlan *plan)
{
  if (plan != NULL) {
    g_free(plan->is_algebraic);
    g_free(plan->serves);
    g_free(plan->is_left_out);
    matrix_clear(&plan->slopes);
    matrix_clear(&plan->algebraic);
    matrix_clear(&plan->newton);
    matrix_clear(&plan->coupled);
    matrix_clear(&plan->norm);
    g_free(plan);
  }
}
