#include "solver/branch.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solver/branch-priv.h"

/* A pivot below this part of the largest one of its block has no sign to rely on. */
#define SMALL_PIVOT 1e-10
/* Square of the cosine of a large turn. */
#define TURNED 0.1

bool
dae_branch_is_square(const DaeBranch *branch)
{
  return branch->is_square;
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

void
dae_branch_put(DaeBranch *b, const double *m, const double *gx)
{
  put_values(b, gx, b->g_place, b->ev->constraint.row_start[b->ev->n_con]);
  if (b->is_square) {
    put_values(b, m, b->m_place, b->ev->mass.row_start[b->ev->n_diff]);
  }
  b->is_filled = true;
}

bool
dae_branch_look(DaeBranch *b, const void *scratch, double t, const double *x)
{
  if (b->entries == NULL || !b->is_filled ||
      b->ev->entries_at(b->ev->self, scratch, b->entries, t, x, b->entry_value) != 0) {
    return false;
  }
  put_values(b, b->entry_value, b->entry_place, b->n_entries);
  return true;
}

/* G_old = G */
static void
make_old(DaeBranch *b)
{
  for (uint32_t e = 0; e < b->ev->constraint.row_start[b->ev->n_con]; e++) {
    b->value[b->old_place[e]] = b->value[b->g_place[e]];
  }
}

bool
dae_branch_is_same(DaeBranch *b)
{
  const size_t bytes = sizeof(double) * (size_t)b->start[b->size];
  if (!b->is_square && !b->has_kept) {
    make_old(b); /* the signs that stand for no turn at all */
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
dae_branch_keep(DaeBranch *b)
{
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    /* of an over-determined system the first signs stay the measure */
    bool is_measure = b->is_square || !b->has_kept || b->kept[k] == 0;
    b->kept[k] = b->now[k] != 0 && is_measure ? b->now[k] : b->kept[k];
  }
  if (!b->is_square) {
    make_old(b);
  }
  b->has_kept = true;
}

bool
dae_branch_rows_turn(const DaeBranch *b)
{
  const DaePattern *g = &b->ev->constraint;
  for (uint32_t i = 0; !b->is_square && b->has_kept && i < g->n_rows; i++) {
    if (!dae_branch_has_row(b, i)) {
      continue;
    }
    double old = 0.0;
    double new = 0.0;
    double both = 0.0;
    for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
      double weight = b->column_at[g->column[e]] != UINT32_MAX ? b->square[g->column[e]] : 0.0;
      double was = b->value[b->old_place[e]];
      double is = b->value[b->g_place[e]];
      old += weight * was * was;
      new += weight *is *is;
      both += weight * was * is;
    }
    if (!(both > 0.0) || both * both < TURNED * old * new) {
      return true;
    }
  }
  return false;
}

/* Is a row or column of the matrix, as it is numbered there, in a block? */
static bool
is_in_block(const DaeBranch *b, const int *order, int block, uint32_t number)
{
  for (int k = b->symbolic->R[block]; k < b->symbolic->R[block + 1]; k++) {
    if ((uint32_t)order[k] == number) {
      return true;
    }
  }
  return false;
}

static bool
block_has_written_constraint(const DaeBranch *b, int block)
{
  const DaeEvaluator *ev = b->ev;
  for (uint32_t i = 0; i < ev->n_con; i++) {
    if ((ev->hidden == NULL || !ev->hidden[i]) &&
        is_in_block(b, b->symbolic->P, block, b->row_at[ev->n_diff + i])) {
      return true;
    }
  }
  return false;
}

static bool
block_has_derivative(const DaeBranch *b, int block)
{
  const DaePattern *mass = &b->ev->mass;
  for (uint32_t e = 0; e < mass->row_start[b->ev->n_diff]; e++) {
    if (is_in_block(b, b->symbolic->Q, block, b->column_at[mass->column[e]])) {
      return true;
    }
  }
  return false;
}

static bool
has_hidden_constraint(const DaeEvaluator *ev)
{
  for (uint32_t i = 0; ev->hidden != NULL && i < ev->n_con; i++) {
    if (ev->hidden[i]) {
      return true;
    }
  }
  return false;
}

bool
dae_branch_turns_with_speed(const DaeBranch *b)
{
  if (!b->is_square) {
    return has_hidden_constraint(b->ev);
  }
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    if (b->now[k] * b->kept[k] < 0 && block_has_written_constraint(b, k) &&
        !block_has_derivative(b, k)) {
      return false;
    }
  }
  return true;
}

/* Only an over-determined system keeps values beside its signs. */
void
dae_branch_save(DaeBranch *b)
{
  for (uint32_t e = 0; e < b->ev->constraint.row_start[b->ev->n_con]; e++) {
    b->saved[e] = b->is_square ? 0.0 : b->value[b->old_place[e]];
  }
  memcpy(b->saved_signs, b->kept, (size_t)b->symbolic->nblocks);
}

void
dae_branch_restore(DaeBranch *b)
{
  if (!b->is_square) {
    put_values(b, b->saved, b->old_place, b->ev->constraint.row_start[b->ev->n_con]);
  }
  memcpy(b->kept, b->saved_signs, (size_t)b->symbolic->nblocks);
}

void
dae_branch_forget(DaeBranch *b)
{
  memset(b->kept, 0, (size_t)b->symbolic->nblocks);
  b->has_kept = false;
  b->is_filled = false;
}
