/* The matrix whose determinant tells branches apart (branch.h): which rows, columns and blocks it
 * needs, and which of its entries can change. */
#include <suitesparse/btf.h>

#include "base/base.h"
#include "solver/branch-priv.h"

/* in search of definitions */
#define MOST_PASSES 10
/* of a maximum matching, in entries of the matrix; more is not looked for */
#define MATCHING_WORK 100.0

static void
clear_matrix(DaeBranch *b)
{
  klu_common common;
  klu_defaults(&common);
  klu_free_symbolic(&b->symbolic, &common);
  g_clear_pointer(&b->start, g_free);
  g_clear_pointer(&b->row, g_free);
  g_clear_pointer(&b->value, g_free);
  g_clear_pointer(&b->looked, g_free);
}

void
dae_branch_free(DaeBranch *branch)
{
  if (branch == NULL) {
    return;
  }
  clear_matrix(branch);
  dae_sparse_lu_free(branch->lu);
  if (branch->entries != NULL) {
    branch->ev->entries_free(branch->entries);
  }
  void *all[] = {branch->m_place,     branch->g_place,   branch->old_place,
                 branch->position,    branch->seen,      branch->kept,
                 branch->saved_signs, branch->now,       branch->square,
                 branch->saved,       branch->zeros,     branch->entry_place,
                 branch->entry_value, branch->column_at, branch->row_at};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_free(all[i]);
  }
  g_free(branch);
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

/* Entries of a row of M or G that lie in the rows and columns that are watched. */
static void
add_row(DaeBranch *b, GArray *entries, const DaePattern *pattern, uint32_t i, uint32_t row,
        uint32_t *place)
{
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    const uint32_t column = b->column_at[pattern->column[e]];
    if (row != UINT32_MAX && column != UINT32_MAX) {
      add_entry(entries, row, column, &place[e], 0.0);
    }
  }
}

static void
add_transposed_row(DaeBranch *b, GArray *entries, const DaePattern *pattern, uint32_t i,
                   uint32_t row, uint32_t *place)
{
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    const uint32_t column = b->column_at[pattern->column[e]];
    if (row != UINT32_MAX && column != UINT32_MAX) {
      add_entry(entries, column, row, &place[e], 0.0);
    }
  }
}

/* [M; G], or [C^-2 G_old^T; G_new 0], whose determinant is that of -G_new C^2 G_old^T up to a
 * positive factor. */
static GArray *
list_entries(DaeBranch *b)
{
  const DaePattern *g = &b->ev->constraint;
  const uint32_t n_diff = b->ev->n_diff;
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
  for (uint32_t i = 0; b->is_square && i < n_diff; i++) {
    add_row(b, entries, &b->ev->mass, i, b->row_at[i], b->m_place);
  }
  for (uint32_t j = 0; !b->is_square && j < b->ev->n; j++) {
    if (b->column_at[j] != UINT32_MAX) {
      add_entry(entries, b->column_at[j], b->column_at[j], NULL, 1.0 / b->square[j]);
    }
  }
  for (uint32_t i = 0; i < g->n_rows; i++) {
    const uint32_t row = b->row_at[n_diff + i];
    add_row(b, entries, g, i, row, b->g_place);
    if (!b->is_square) {
      add_transposed_row(b, entries, g, i, row, b->old_place);
    }
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
    b->g_place[e] = entries->len; /* a place that nobody reads, for what is not watched */
    b->old_place[e] = entries->len;
  }
  for (uint32_t e = 0; e < b->ev->mass.row_start[b->ev->n_diff]; e++) {
    b->m_place[e] = entries->len;
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

static bool
analyze_matrix(DaeBranch *b)
{
  klu_common common;
  klu_defaults(&common);
  build_matrix(b);
  b->symbolic = klu_analyze(b->size, b->start, b->row, &common);
  return b->symbolic != NULL && b->symbolic->structural_rank == b->size;
}

static bool
depends_on_unknowns(const uint8_t *depends, uint32_t entry)
{
  return depends == NULL || depends[entry] == DAE_DEPENDS_UNKNOWNS;
}

/* Marks the blocks of the matrix with entries that change with the unknowns. block: of each row and
 * column of the matrix; pattern NULL: none does. */
static void
mark_blocks(const DaeBranch *b, const DaePattern *pattern, uint32_t first,
            const uint8_t *depends, const int *row_block, const int *column_block,
            uint8_t *is_watched_block)
{
  for (uint32_t i = 0; pattern != NULL && i < pattern->n_rows; i++) {
    const uint32_t row = b->row_at[first + i];
    for (uint32_t e = pattern->row_start[i]; row != UINT32_MAX && e < pattern->row_start[i + 1];
         e++) {
      const uint32_t column = b->column_at[pattern->column[e]];
      if (column != UINT32_MAX && row_block[row] == column_block[column] &&
          depends_on_unknowns(depends, e)) {
        is_watched_block[row_block[row]] = 1;
      }
    }
  }
}

/* New numbers for what is in the matrix; UINT32_MAX: it leaves it. */
static void
renumber(uint32_t *at, uint32_t n, const uint32_t *number)
{
  for (uint32_t i = 0; i < n; i++) {
    at[i] = at[i] != UINT32_MAX ? number[at[i]] : UINT32_MAX;
  }
}

/* Blocks that keep their sign whatever the unknowns are leave the matrix, and so does what couples
 * blocks. false: nothing is left. */
static bool
leave_out_blocks(DaeBranch *b)
{
  g_autofree int *row_block = g_new0(int, b->size + 1);
  g_autofree int *column_block = g_new0(int, b->size + 1);
  g_autofree uint32_t *row_number = g_new0(uint32_t, b->size + 1);
  g_autofree uint32_t *column_number = g_new0(uint32_t, b->size + 1);
  g_autofree uint8_t *watched = g_new0(uint8_t, b->symbolic->nblocks + 1);
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    for (int at = b->symbolic->R[k]; at < b->symbolic->R[k + 1]; at++) {
      row_block[b->symbolic->P[at]] = k;
      column_block[b->symbolic->Q[at]] = k;
    }
  }
  const bool mass_changes = b->ev->mass_depends != NULL || !b->ev->mass_is_constant;
  mark_blocks(b, mass_changes ? &b->ev->mass : NULL, 0, b->ev->mass_depends, row_block,
              column_block, watched);
  mark_blocks(b, &b->ev->constraint, b->ev->n_diff, b->ev->constraint_depends, row_block,
              column_block, watched);
  uint32_t size = 0;
  for (int k = 0; k < b->symbolic->nblocks; k++) {
    for (int at = b->symbolic->R[k]; at < b->symbolic->R[k + 1]; at++) {
      row_number[b->symbolic->P[at]] = watched[k] ? size : UINT32_MAX;
      column_number[b->symbolic->Q[at]] = watched[k] ? size : UINT32_MAX;
      size += watched[k];
    }
  }
  renumber(b->row_at, b->ev->n_diff + b->ev->n_con, row_number);
  renumber(b->column_at, b->ev->n, column_number);
  if (size == 0) {
    return false;
  }
  clear_matrix(b);
  b->size = (int)size;
  return analyze_matrix(b);
}

/* The unknown that only this constraint of those left determines, with a number as its
 * coefficient; UINT32_MAX: none. */
static uint32_t
defined_unknown(const DaeBranch *b, uint32_t row, const uint32_t *uses)
{
  const DaePattern *g = &b->ev->constraint;
  for (uint32_t e = g->row_start[row]; e < g->row_start[row + 1]; e++) {
    if (uses[g->column[e]] == 1 && b->ev->constraint_depends[e] == DAE_DEPENDS_NOTHING) {
      return g->column[e];
    }
  }
  return UINT32_MAX;
}

/* Constraints that define an unknown have one solution for it: they and the unknown are left out,
 * pass after pass. Otherwise the rate of a large quantity that is only computed (a force) would
 * decide in which direction the solution goes. A definition that is left in does no harm. */
static void
leave_out_definitions(const DaeBranch *b, uint8_t *row_is_out, uint8_t *column_is_out)
{
  const DaePattern *g = &b->ev->constraint;
  g_autofree uint32_t *uses = g_new0(uint32_t, (size_t)b->ev->n + 1);
  for (uint32_t i = 0; i < g->n_rows; i++) {
    for (uint32_t e = g->row_start[i]; !row_is_out[i] && e < g->row_start[i + 1]; e++) {
      uses[g->column[e]]++;
    }
  }
  bool goes_on = b->ev->constraint_depends != NULL;
  for (int pass = 0; goes_on && pass < MOST_PASSES; pass++) {
    goes_on = false;
    for (uint32_t i = 0; i < g->n_rows; i++) {
      const uint32_t unknown = row_is_out[i] ? UINT32_MAX : defined_unknown(b, i, uses);
      if (unknown == UINT32_MAX) {
        continue;
      }
      row_is_out[i] = 1;
      column_is_out[unknown] = 1;
      goes_on = true;
      for (uint32_t e = g->row_start[i]; e < g->row_start[i + 1]; e++) {
        uses[g->column[e]]--;
      }
    }
  }
}

/* Of an over-determined system: does any constraint that is left change its direction with the
 * unknowns? */
static bool
some_row_turns(const DaeBranch *b)
{
  const DaePattern *g = &b->ev->constraint;
  for (uint32_t i = 0; i < g->n_rows; i++) {
    for (uint32_t e = g->row_start[i]; dae_branch_has_row(b, i) && e < g->row_start[i + 1];
         e++) {
      if (depends_on_unknowns(b->ev->constraint_depends, e)) {
        return true;
      }
    }
  }
  return false;
}

static void
number_square(DaeBranch *b)
{
  for (uint32_t i = 0; i < b->ev->n; i++) {
    b->column_at[i] = i;
    b->row_at[i] = i;
  }
  b->size = (int)b->ev->n;
}

/* The unknowns, then the constraints that are watched. Hidden ones turn with those they come
 * from: together they would hide it. */
static void
number_bordered(DaeBranch *b)
{
  const DaeEvaluator *ev = b->ev;
  uint32_t size = 0;
  g_autofree uint8_t *row_is_out = g_new0(uint8_t, (size_t)ev->n_con + 1);
  g_autofree uint8_t *column_is_out = g_new0(uint8_t, (size_t)ev->n + 1);
  for (uint32_t i = 0; ev->hidden != NULL && i < ev->n_con; i++) {
    row_is_out[i] = ev->hidden[i];
  }
  leave_out_definitions(b, row_is_out, column_is_out);
  for (uint32_t j = 0; j < ev->n; j++) {
    b->column_at[j] = column_is_out[j] ? UINT32_MAX : size++;
  }
  for (uint32_t i = 0; i < ev->n_diff; i++) {
    b->row_at[i] = UINT32_MAX;
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    b->row_at[ev->n_diff + i] = row_is_out[i] ? UINT32_MAX : size++;
  }
  b->size = (int)size;
}

/* Numbers of the entries in the matrix that change with time or unknowns, and their places. */
static uint32_t
list_changing(const DaeBranch *b, const DaePattern *pattern, const uint8_t *depends,
              const uint32_t *place, uint32_t *chosen, uint32_t *chosen_place)
{
  uint32_t n = 0;
  for (uint32_t e = 0; e < pattern->row_start[pattern->n_rows]; e++) {
    if (place[e] < (uint32_t)b->start[b->size] && depends[e] >= DAE_DEPENDS_TIME) {
      chosen[n] = e;
      chosen_place[n++] = place[e];
    }
  }
  return n;
}

static void
choose_entries(DaeBranch *b)
{
  const DaeEvaluator *ev = b->ev;
  if (ev->entries_new == NULL || ev->mass_depends == NULL || ev->constraint_depends == NULL) {
    return;
  }
  const size_t n_m = ev->mass.row_start[ev->n_diff];
  const size_t most = n_m + ev->constraint.row_start[ev->n_con] + 1;
  g_autofree uint32_t *chosen = g_new0(uint32_t, most);
  b->entry_place = g_new0(uint32_t, most);
  const uint32_t of_mass =
      list_changing(b, &ev->mass, ev->mass_depends, b->m_place, chosen, b->entry_place);
  b->n_entries = of_mass + list_changing(b, &ev->constraint, ev->constraint_depends, b->g_place,
                                         chosen + of_mass, b->entry_place + of_mass);
  b->entry_value = g_new0(double, (size_t)b->n_entries + 1);
  b->entries =
      ev->entries_new(ev->self, chosen, of_mass, chosen + of_mass, b->n_entries - of_mass);
}

static void
prepare_factors(DaeBranch *b)
{
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
  b->saved_signs = g_new0(int8_t, b->symbolic->nblocks);
  b->now = g_new0(int8_t, b->symbolic->nblocks);
}

/* [M; G] by columns, for btf_maxtrans. */
static void
transpose(const DaeEvaluator *ev, int *start, int *row)
{
  const DaePattern *parts[] = {&ev->mass, &ev->constraint};
  const uint32_t first[] = {0, ev->n_diff};
  for (int part = 0; part < 2; part++) {
    for (uint32_t e = 0; e < parts[part]->row_start[parts[part]->n_rows]; e++) {
      start[parts[part]->column[e] + 1]++;
    }
  }
  for (uint32_t j = 0; j < ev->n; j++) {
    start[j + 1] += start[j];
  }
  g_autofree int *next = g_memdup2(start, sizeof(int) * ((size_t)ev->n + 1));
  for (int part = 0; part < 2; part++) {
    for (uint32_t i = 0; i < parts[part]->n_rows; i++) {
      for (uint32_t e = parts[part]->row_start[i]; e < parts[part]->row_start[i + 1]; e++) {
        row[next[parts[part]->column[e]]++] = (int)(first[part] + i);
      }
    }
  }
}

/* Rows and columns that alternating paths of the matching reach from rows without a partner:
 * there are more equations than unknowns. of_row: the column of each row; has_too_many: of the
 * columns. */
static void
spread_from_unmatched(const DaeEvaluator *ev, const int *of_row, bool *row_is_out,
                      bool *column_is_out)
{
  const uint32_t n_rows = ev->n_diff + ev->n_con;
  g_autofree uint32_t *row_of = g_new0(uint32_t, (size_t)ev->n + 1);
  g_autofree uint32_t *open = g_new0(uint32_t, (size_t)n_rows + 1);
  uint32_t n_open = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    row_is_out[i] = of_row[i] < 0;
    if (of_row[i] < 0) {
      open[n_open++] = i;
    } else {
      row_of[of_row[i]] = i;
    }
  }
  while (n_open > 0) {
    const uint32_t i = open[--n_open];
    const DaePattern *part = i < ev->n_diff ? &ev->mass : &ev->constraint;
    const uint32_t row = i < ev->n_diff ? i : i - ev->n_diff;
    for (uint32_t e = part->row_start[row]; e < part->row_start[row + 1]; e++) {
      const uint32_t column = part->column[e];
      const uint32_t partner = row_of[column];
      column_is_out[column] = true;
      if (!row_is_out[partner]) {
        row_is_out[partner] = true;
        open[n_open++] = partner;
      }
    }
  }
}

/* The rows and columns of the part with as many equations as unknowns. */
static void
number_determined(DaeBranch *b)
{
  const DaeEvaluator *ev = b->ev;
  const uint32_t n_rows = ev->n_diff + ev->n_con;
  const size_t n_entries =
      (size_t)ev->mass.row_start[ev->n_diff] + ev->constraint.row_start[ev->n_con];
  g_autofree int *start = g_new0(int, (size_t)ev->n + 1);
  g_autofree int *row = g_new0(int, n_entries + 1);
  g_autofree int *of_row = g_new0(int, (size_t)n_rows + 1);
  g_autofree int *work = g_new0(int, 5 * ((size_t)n_rows + ev->n) + 1);
  g_autofree bool *row_is_out = g_new0(bool, (size_t)n_rows + 1);
  g_autofree bool *column_is_out = g_new0(bool, (size_t)ev->n + 1);
  double done = 0.0;
  transpose(ev, start, row);
  b->size = 0;
  if (btf_maxtrans((int)n_rows, (int)ev->n, start, row, MATCHING_WORK, &done, of_row, work) <
      (int)ev->n) {
    return;
  }
  spread_from_unmatched(ev, of_row, row_is_out, column_is_out);
  uint32_t n = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    b->row_at[i] = row_is_out[i] ? UINT32_MAX : n;
    n += !row_is_out[i];
  }
  b->size = (int)n;
  n = 0;
  for (uint32_t j = 0; j < ev->n; j++) {
    b->column_at[j] = column_is_out[j] ? UINT32_MAX : n;
    n += !column_is_out[j];
  }
  DAE_ASSERT(n == (uint32_t)b->size);
}

static DaeBranch *
new_branch(const DaeEvaluator *ev, const double *nominal)
{
  DaeBranch *b = g_new0(DaeBranch, 1);
  b->ev = ev;
  b->m_place = g_new0(uint32_t, ev->mass.row_start[ev->n_diff] + 1);
  b->g_place = g_new0(uint32_t, ev->constraint.row_start[ev->n_con] + 1);
  b->old_place = g_new0(uint32_t, ev->constraint.row_start[ev->n_con] + 1);
  b->saved = g_new0(double, ev->constraint.row_start[ev->n_con] + 1);
  b->square = g_new0(double, ev->n + 1);
  for (uint32_t j = 0; j < ev->n; j++) {
    b->square[j] = nominal[j] * nominal[j];
  }
  b->row_at = g_new0(uint32_t, (size_t)ev->n_diff + ev->n_con + 1);
  b->column_at = g_new0(uint32_t, (size_t)ev->n + 1);
  return b;
}

/* The matrix, once its rows and columns have numbers; NULL: there is nothing to watch. */
static DaeBranch *
finish_branch(DaeBranch *b)
{
  if (b->size == 0 || (!b->is_square && !some_row_turns(b)) || !analyze_matrix(b) ||
      (b->is_square && !leave_out_blocks(b))) {
    dae_branch_free(b);
    return NULL;
  }
  prepare_factors(b);
  choose_entries(b);
  return b;
}

static bool
some_entry_changes(const DaePattern *pattern, const uint8_t *depends)
{
  bool found = false;
  for (uint32_t e = 0; !found && e < pattern->row_start[pattern->n_rows]; e++) {
    found = depends_on_unknowns(depends, e);
  }
  return found;
}

DaeBranch *
dae_branch_new(const DaeEvaluator *ev, const double *nominal)
{
  if (ev->has_choices) {
    return NULL; /* from one choice to the other the determinant may jump */
  }
  if (ev->n_diff + ev->n_con == ev->n && !some_entry_changes(&ev->mass, ev->mass_depends) &&
      !some_entry_changes(&ev->constraint, ev->constraint_depends)) {
    return NULL; /* no block is watched: seen before the matrix is analyzed */
  }
  DaeBranch *b = new_branch(ev, nominal);
  b->is_square = ev->n_diff + ev->n_con == ev->n;
  if (b->is_square) {
    number_square(b);
  } else {
    number_bordered(b);
  }
  return finish_branch(b);
}

DaeBranch *
dae_branch_new_determined(const DaeEvaluator *ev, const double *nominal)
{
  if (ev->has_choices || ev->n_diff + ev->n_con <= ev->n) {
    return NULL;
  }
  DaeBranch *b = new_branch(ev, nominal);
  b->is_square = true;
  number_determined(b);
  return finish_branch(b);
}
