#include "solver/branch.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "base/base.h"
#include "solver/sparse_lu.h"

/* A pivot below this part of the largest one of its block has no sign to rely on. */
#define SMALL_PIVOT 1e-10
/* Square of the cosine of a large turn. */
#define TURNED 0.1

struct DaeBranch {
  const DaeEvaluator *ev;
  bool is_square;
  int size;
  int *start, *row;       /* the matrix by columns */
  double *value, *looked; /* looked: the values that the factors belong to */
  uint32_t *m_place, *g_place,
      *old_place;         /* of the entries of M and G; old_place: of G_old^T */
  klu_symbolic *symbolic; /* the blocks */
  DaeSparseLu *lu;
  double *zeros;          /* lu factors a sum of two matrices */
  int *position;          /* of a row in the symbolic order */
  uint8_t *seen;          /* size, for the parity of a permutation */
  int8_t *kept, *now;     /* by block: -1, 1; 0: not known */
  double *square, *saved; /* squares of the nominal values; G_old put aside */
  bool has_looked, has_kept;
};

void
dae_branch_free(DaeBranch *branch)
{
  if (branch == NULL) {
    return;
  }
  klu_common common;
  klu_defaults(&common);
  klu_free_symbolic(&branch->symbolic, &common);
  dae_sparse_lu_free(branch->lu);
  void *all[] = {branch->start,   branch->row,     branch->value,     branch->looked,
                 branch->m_place, branch->g_place, branch->old_place, branch->position,
                 branch->seen,    branch->kept,    branch->now,       branch->square,
                 branch->saved,   branch->zeros};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(branch);
}

bool
dae_branch_is_square(const DaeBranch *branch)
{
  return branch->is_square;
}

/* An entry of the matrix to be: where it is and who wants to know its place. */
typedef struct {
  uint32_t row, column;
  uint32_t *place;
  double value;
} Entry;

static int
compare_entries(gconstpointer a, gconstpointer b)
{
  const Entry *x = a;
  const Entry *y = b;
  if (x->column != y->column) {
    return x->column < y->column ? -1 : 1;
  }
  return (x->row > y->row) - (x->row < y->row);
}

static void
add_entry(GArray *entries, uint32_t row, uint32_t column, uint32_t *place, double value)
{
  Entry entry = {row, column, place, value};
  g_array_append_val(entries, entry);
}

/* Hidden constraints turn with those they come from: together they would hide it. */
static bool
is_watched(const DaeBranch *b, uint32_t row)
{
  return b->is_square || b->ev->hidden == NULL || !b->ev->hidden[row];
}

/* [M; G], or [C^-2 G_old^T; G_new 0], whose determinant is that of -G_new C^2 G_old^T up to a
 * positive factor. */
static GArray *
list_entries(DaeBranch *b)
{
  const DaePattern *g = &b->ev->constraint;
  const DaePattern *m = &b->ev->mass;
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  const uint32_t n = b->ev->n;
  const uint32_t first = b->is_square ? b->ev->n_diff : n;
  for (uint32_t i = 0; b->is_square && i < m->n_rows; i++) {
    for (uint32_t e = m->row_start[i]; e < m->row_start[i + 1]; e++) {
      add_entry(entries, i, m->column[e], &b->m_place[e], 0.0);
    }
  }
  for (uint32_t j = 0; !b->is_square && j < n; j++) {
    add_entry(entries, j, j, NULL, 1.0 / b->square[j]);
  }
  uint32_t at = first;
  for (uint32_t i = 0; i < g->n_rows; i++) {
    for (uint32_t e = g->row_start[i]; is_watched(b, i) && e < g->row_start[i + 1]; e++) {
      add_entry(entries, at, g->column[e], &b->g_place[e], 0.0);
      if (!b->is_square) {
        add_entry(entries, g->column[e], at, &b->old_place[e], 0.0);
      }
    }
    at += is_watched(b, i);
  }
  g_array_sort(entries, compare_entries);
  return entries;
}

static void
build_matrix(DaeBranch *b)
{
  g_autoptr(GArray) entries = list_entries(b);
  b->start = g_new0(int, b->size + 1);
  b->row = g_new0(int, entries->len + 1);
  b->value = g_new0(double, entries->len + 1);
  b->looked = g_new0(double, entries->len + 1);
  for (uint32_t e = 0; e < b->ev->constraint.row_start[b->ev->n_con]; e++) {
    b->g_place[e] = entries->len; /* a place that nobody reads, for rows that are not watched */
    b->old_place[e] = entries->len;
  }
  for (uint32_t k = 0; k < entries->len; k++) {
    const Entry *entry = &g_array_index(entries, Entry, k);
    b->row[k] = (int)entry->row;
    b->value[k] = entry->value;
    b->start[entry->column + 1] = (int)k + 1;
    if (entry->place != NULL) {
      *entry->place = k;
    }
  }
  for (int j = 0; j < b->size; j++) {
    b->start[j + 1] = MAX(b->start[j + 1], b->start[j]);
  }
}

DaeBranch *
dae_branch_new(const DaeEvaluator *ev, const double *nominal)
{
  if (ev->n_con == 0) {
    return NULL; /* M x' = f alone has one solution or none */
  }
  if (ev->has_choices) {
    return NULL; /* from one choice to the other the determinant may jump */
  }
  DaeBranch *b = g_new0(DaeBranch, 1);
  b->ev = ev;
  b->is_square = ev->n_diff + ev->n_con == ev->n;
  b->size = (int)ev->n;
  for (uint32_t i = 0; !b->is_square && i < ev->n_con; i++) {
    b->size += is_watched(b, i);
  }
  b->m_place = g_new0(uint32_t, ev->mass.row_start[ev->n_diff] + 1);
  b->g_place = g_new0(uint32_t, ev->constraint.row_start[ev->n_con] + 1);
  b->old_place = g_new0(uint32_t, ev->constraint.row_start[ev->n_con] + 1);
  b->saved = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  b->square = g_new0(double, ev->n + 1);
  for (uint32_t j = 0; j < ev->n; j++) {
    b->square[j] = nominal[j] * nominal[j];
  }
  build_matrix(b);
  klu_common common;
  klu_defaults(&common);
  b->symbolic = klu_analyze(b->size, b->start, b->row, &common);
  if (b->symbolic == NULL || b->symbolic->structural_rank < b->size) {
    dae_branch_free(b);
    return NULL;
  }
  b->zeros = g_new0(double, b->start[b->size] + 1);
  b->lu =
      dae_sparse_lu_new((uint32_t)b->size, b->start, b->row, b->symbolic->Q, b->symbolic->P, 0);
  b->lu->a = b->value;
  b->lu->b = b->zeros;
  b->position = g_new0(int, b->size);
  for (int k = 0; k < b->size; k++) {
    b->position[b->symbolic->P[k]] = k;
  }
  b->seen = g_new0(uint8_t, b->size);
  b->kept = g_new0(int8_t, b->symbolic->nblocks);
  b->now = g_new0(int8_t, b->symbolic->nblocks);
  return b;
}

/* Of the rows of a block as they were exchanged: 1 or -1. */
static int
parity_of_block(DaeBranch *b, int first, int end)
{
  int sign = 1;
  memset(b->seen + first, 0, (size_t)MAX(end - first, 0));
  for (int k = first; k < end; k++) {
    int length = 0;
    for (int at = k; !b->seen[at]; at = b->position[b->lu->row_at[at]]) {
      b->seen[at] = 1;
      length++;
    }
    sign = length > 0 && length % 2 == 0 ? -sign : sign;
  }
  return sign;
}

/* Sign of the determinant of a block; 0: rounding decides. */
static int8_t
sign_of_block(DaeBranch *b, int block)
{
  int first = b->symbolic->R[block];
  int end = b->symbolic->R[block + 1];
  const double *inverse = b->lu->inverse; /* of the pivots */
  double smallest = INFINITY;
  double largest = 0.0;
  int sign = 1;
  for (int k = first; k < end; k++) {
    double size = fabs(inverse[k]);
    smallest = size < smallest ? size : smallest;
    largest = size > largest ? size : largest;
    sign = inverse[k] < 0.0 ? -sign : sign;
  }
  if (!(smallest > SMALL_PIVOT * largest) || !isfinite(largest)) {
    return 0;
  }
  return (int8_t)(sign * parity_of_block(b, first, end));
}

static void
find_signs(DaeBranch *b)
{
  bool is_regular = dae_sparse_lu_factor(b->lu, 0);
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    b->now[k] = is_regular ? sign_of_block(b, k) : 0;
  }
}

static void
put_values(DaeBranch *b, const double *values, const uint32_t *place, uint32_t count)
{
  for (uint32_t e = 0; e < count; e++) {
    b->value[place[e]] = values[e];
  }
}

bool
dae_branch_is_same(DaeBranch *b, const double *m, const double *gx)
{
  const uint32_t count = b->ev->constraint.row_start[b->ev->n_con];
  const size_t bytes = sizeof(double) * (size_t)b->start[b->size];
  put_values(b, gx, b->g_place, count);
  if (b->is_square) {
    put_values(b, m, b->m_place, b->ev->mass.row_start[b->ev->n_diff]);
  } else if (!b->has_kept) {
    put_values(b, gx, b->old_place, count); /* the signs that stand for no turn at all */
  }
  if (!b->has_looked || memcmp(b->looked, b->value, bytes) != 0) {
    find_signs(b);
    memcpy(b->looked, b->value, bytes);
    b->has_looked = true;
  }
  bool same = true;
  for (int k = 0; b->has_kept && k < b->symbolic->nblocks; k++) {
    same = same && b->now[k] * b->kept[k] >= 0;
  }
  return same;
}

void
dae_branch_keep(DaeBranch *b, const double *gx)
{
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    /* of an over-determined system the first signs stay the measure */
    bool is_measure = b->is_square || !b->has_kept || b->kept[k] == 0;
    b->kept[k] = b->now[k] != 0 && is_measure ? b->now[k] : b->kept[k];
  }
  if (!b->is_square) {
    put_values(b, gx, b->old_place, b->ev->constraint.row_start[b->ev->n_con]);
  }
  b->has_kept = true;
}

bool
dae_branch_rows_turn(const DaeBranch *b, const double *gx)
{
  const DaePattern *g = &b->ev->constraint;
  for (uint32_t i = 0; !b->is_square && b->has_kept && i < g->n_rows; i++) {
    if (!is_watched(b, i)) {
      continue;
    }
    double old = 0.0;
    double new = 0.0;
    double both = 0.0;
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      double weight = b->square[g->column[e]];
      double was = b->value[b->old_place[e]];
      old += weight * was * was;
      new += weight *gx[e] * gx[e];
      both += weight * was * gx[e];
    }
    if (!(both > 0.0) || both * both < TURNED * old * new) {
      return true;
    }
  }
  return false;
}

/* Only an over-determined system keeps values beside its signs, and those signs do not change. */
void
dae_branch_save(DaeBranch *b)
{
  for (uint32_t e = 0; e < b->ev->constraint.row_start[b->ev->n_con]; e++) {
    b->saved[e] = b->value[b->old_place[e]];
  }
}

void
dae_branch_restore(DaeBranch *b)
{
  put_values(b, b->saved, b->old_place, b->ev->constraint.row_start[b->ev->n_con]);
}

void
dae_branch_forget(DaeBranch *b)
{
  memset(b->kept, 0, (size_t)b->symbolic->nblocks);
  b->has_kept = false;
}
