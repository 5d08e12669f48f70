/* Linear systems of balls with few entries per row: elimination with Markowitz's choice of pivots.
 * Every step holds for all matrices and right sides in the balls, so what comes out encloses all
 * their solutions, and none of the matrices is singular. */
#include <math.h>

#include "base/base.h"
#include "proofcheck/certify_sparse.h"

#define PRECISION 256
#define LEAST_PIVOT 0.1 /* of the largest of its row: less lets the radii grow */
#define MOST_WORK 5e7   /* products of balls: about ten seconds */

typedef struct {
  uint32_t column;
  arb_t value;
} Entry;

struct DaeBallSystem {
  uint32_t n;
  GArray **rows;    /* Entry, by column */
  arb_ptr right;    /* becomes the solution */
  GArray **rows_of; /* by column: rows that have, or had, an entry there */
  bool *is_done;    /* by row: it was a pivot row */
  uint32_t *order;  /* pivot rows */
  uint32_t *pivot;  /* by row: its column */
  double work;
};

static void
clear_entry(gpointer data)
{
  arb_clear(((Entry *)data)->value);
}

static GArray *
new_row(guint reserved)
{
  GArray *row = g_array_sized_new(FALSE, FALSE, sizeof(Entry), reserved);
  g_array_set_clear_func(row, clear_entry);
  return row;
}

DaeBallSystem *
dae_ball_system_new(uint32_t n)
{
  DaeBallSystem *s = g_new0(DaeBallSystem, 1);
  s->n = n;
  s->rows = g_new0(GArray *, (size_t)n + 1);
  s->rows_of = g_new0(GArray *, (size_t)n + 1);
  s->right = _arb_vec_init((slong)n);
  s->is_done = g_new0(bool, (size_t)n + 1);
  s->order = g_new0(uint32_t, (size_t)n + 1);
  s->pivot = g_new0(uint32_t, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    s->rows[i] = new_row(4);
    s->rows_of[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  return s;
}

void
dae_ball_system_free(DaeBallSystem *s)
{
  if (s != NULL) {
    for (uint32_t i = 0; i < s->n; i++) {
      g_array_unref(s->rows[i]);
      g_array_unref(s->rows_of[i]);
    }
    _arb_vec_clear(s->right, (slong)s->n);
    g_free(s->rows);
    g_free(s->rows_of);
    g_free(s->is_done);
    g_free(s->order);
    g_free(s->pivot);
    g_free(s);
  }
}

static void
append_entry(GArray *row, uint32_t column, arb_srcptr value)
{
  Entry entry = {.column = column};
  arb_init(entry.value);
  arb_set_round(entry.value, value, PRECISION);
  g_array_append_val(row, entry);
}

void
dae_ball_system_add(DaeBallSystem *s, uint32_t row, uint32_t column, arb_srcptr value)
{
  DAE_ASSERT(s->rows[row]->len == 0 ||
             g_array_index(s->rows[row], Entry, s->rows[row]->len - 1).column < column);
  if (!arb_is_zero(value)) {
    append_entry(s->rows[row], column, value);
    g_array_append_val(s->rows_of[column], row);
  }
}

void
dae_ball_system_set_right(DaeBallSystem *s, uint32_t row, arb_srcptr value)
{
  arb_set_round(s->right + row, value, PRECISION);
}

static double
size_of(const Entry *entry)
{
  return fabs(arf_get_d(arb_midref(entry->value), ARF_RND_NEAR));
}

/* Of those in the row that are large enough, the one with the fewest rows in its column.
 * NULL: there is none. */
static const Entry *
pivot_in(const DaeBallSystem *s, const GArray *row)
{
  const Entry *best = NULL;
  double largest = 0;
  for (guint k = 0; k < row->len; k++) {
    largest = fmax(largest, size_of(&g_array_index(row, Entry, k)));
  }
  for (guint k = 0; k < row->len; k++) {
    const Entry *entry = &g_array_index(row, Entry, k);
    if (!arb_contains_zero(entry->value) && size_of(entry) >= LEAST_PIVOT * largest &&
        (best == NULL || s->rows_of[entry->column]->len < s->rows_of[best->column]->len)) {
      best = entry;
    }
  }
  return best;
}

/* The shortest row that is left. */
static uint32_t
next_row(const DaeBallSystem *s)
{
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < s->n; i++) {
    if (!s->is_done[i] && (best == UINT32_MAX || s->rows[i]->len < s->rows[best]->len)) {
      best = i;
      if (s->rows[i]->len <= 1) {
        break;
      }
    }
  }
  return best;
}

static const Entry *
entry_in(const GArray *row, uint32_t column)
{
  guint low = 0;
  guint high = row->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index(row, Entry, middle).column < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < row->len && g_array_index(row, Entry, low).column == column
             ? &g_array_index(row, Entry, low)
             : NULL;
}

/* Row i less factor times the pivot row, without its column. */
static void
subtract_row(DaeBallSystem *s, uint32_t i, uint32_t p, uint32_t column, const arb_t factor)
{
  const GArray *from = s->rows[p];
  const GArray *to = s->rows[i];
  GArray *sum = new_row(from->len + to->len);
  guint a = 0;
  guint b = 0;
  arb_t zero;
  arb_init(zero);
  while (a < to->len || b < from->len) {
    const Entry *x = a < to->len ? &g_array_index(to, Entry, a) : NULL;
    const Entry *y = b < from->len ? &g_array_index(from, Entry, b) : NULL;
    bool takes_x = x != NULL && (y == NULL || x->column <= y->column);
    bool takes_y = y != NULL && (x == NULL || y->column <= x->column);
    uint32_t c = takes_x ? x->column : y->column;
    a += takes_x;
    b += takes_y;
    if (c == column) {
      continue;
    }
    append_entry(sum, c, takes_x ? x->value : zero);
    if (takes_y) {
      Entry *last = &g_array_index(sum, Entry, sum->len - 1);
      arb_submul(last->value, factor, y->value, PRECISION);
      s->work += 1;
      if (!takes_x) {
        g_array_append_val(s->rows_of[c], i);
      }
    }
  }
  arb_clear(zero);
  g_array_unref(s->rows[i]);
  s->rows[i] = sum;
  arb_submul(s->right + i, factor, s->right + p, PRECISION);
}

static bool
eliminate(DaeBallSystem *s)
{
  arb_t factor;
  arb_init(factor);
  bool ok = true;
  for (uint32_t step = 0; step < s->n && ok; step++) {
    uint32_t p = next_row(s);
    const Entry *pivot = pivot_in(s, s->rows[p]);
    ok = pivot != NULL && s->work <= MOST_WORK;
    if (!ok) {
      break;
    }
    uint32_t column = pivot->column;
    s->is_done[p] = true;
    s->order[step] = p;
    s->pivot[p] = column;
    for (guint k = 0; k < s->rows_of[column]->len; k++) {
      uint32_t i = g_array_index(s->rows_of[column], uint32_t, k);
      const Entry *entry = s->is_done[i] ? NULL : entry_in(s->rows[i], column);
      if (entry != NULL) {
        arb_div(factor, entry->value, pivot->value, PRECISION);
        subtract_row(s, i, p, column, factor);
      }
    }
  }
  arb_clear(factor);
  return ok;
}

bool
dae_ball_system_solve(DaeBallSystem *s, arb_ptr solution)
{
  if (!eliminate(s)) {
    return false;
  }
  for (uint32_t step = s->n; step-- > 0;) {
    uint32_t p = s->order[step];
    const GArray *row = s->rows[p];
    arb_srcptr pivot = NULL;
    for (guint k = 0; k < row->len; k++) {
      const Entry *entry = &g_array_index(row, Entry, k);
      if (entry->column == s->pivot[p]) {
        pivot = entry->value;
      } else {
        arb_submul(s->right + p, entry->value, solution + entry->column, PRECISION);
      }
    }
    arb_div(solution + s->pivot[p], s->right + p, pivot, PRECISION);
  }
  return true;
}
