#include "eval/untied.h"

#include <glib.h>
#include <string.h>

typedef struct {
  const DaeEvaluator *ev;
  uint8_t *is_algebraic; /* by column */
  uint32_t *row_of;      /* by column: the constraint that gives it + 1 */
  uint32_t *parent;      /* by row seen in this search: the row before + 1 */
  uint32_t *seen;        /* by row: number of the search */
  GArray *open;          /* uint32_t: rows */
} Search;

/* Along the path of rows that led here, each takes the unknown of the next one. */
static void
take_over(Search *search, uint32_t row, uint32_t column)
{
  const DaePattern *pattern = &search->ev->constraint;
  while (true) {
    uint32_t before = 0;
    for (uint32_t e = pattern->row_start[row]; e < pattern->row_start[row + 1]; e++) {
      before = search->row_of[pattern->column[e]] == row + 1 ? pattern->column[e] + 1 : before;
    }
    search->row_of[column] = row + 1;
    if (before == 0) {
      return;
    }
    column = before - 1;
    row = search->parent[row] - 1;
  }
}

static void
visit(Search *search, uint32_t row, uint32_t parent, uint32_t number)
{
  if (search->seen[row] != number) {
    search->seen[row] = number;
    search->parent[row] = parent;
    g_array_append_val(search->open, row);
  }
}

/* Rows that can be reached from this one over algebraic unknowns and the rows that give them;
 * true: one of them has an unknown that nobody gives, and all have taken one. */
static bool
search_from(Search *search, uint32_t first, uint32_t number)
{
  const DaePattern *pattern = &search->ev->constraint;
  g_array_set_size(search->open, 0);
  visit(search, first, 0, number);
  for (guint k = 0; k < search->open->len; k++) {
    uint32_t row = g_array_index(search->open, uint32_t, k);
    for (uint32_t e = pattern->row_start[row]; e < pattern->row_start[row + 1]; e++) {
      uint32_t column = pattern->column[e];
      if (search->is_algebraic[column] == 0) {
        continue;
      }
      if (search->row_of[column] == 0) {
        take_over(search, row, column);
        return true;
      }
      visit(search, search->row_of[column] - 1, row + 1, number);
    }
  }
  return false;
}

/* What the rows of the last search contain is tied. */
static void
note_tied(const Search *search, uint8_t *is_untied)
{
  const DaePattern *pattern = &search->ev->constraint;
  for (guint k = 0; k < search->open->len; k++) {
    uint32_t row = g_array_index(search->open, uint32_t, k);
    for (uint32_t e = pattern->row_start[row]; e < pattern->row_start[row + 1]; e++) {
      is_untied[pattern->column[e]] = 0;
    }
  }
}

void
dae_evaluator_find_untied(const DaeEvaluator *ev, uint8_t *is_untied)
{
  g_autofree uint8_t *is_algebraic = g_new0(uint8_t, (size_t)ev->n + 1);
  g_autofree uint32_t *row_of = g_new0(uint32_t, (size_t)ev->n + 1);
  g_autofree uint32_t *parent = g_new0(uint32_t, (size_t)ev->n_con + 1);
  g_autofree uint32_t *seen = g_new0(uint32_t, (size_t)ev->n_con + 1);
  g_autofree uint8_t *is_over = g_new0(uint8_t, (size_t)ev->n_con + 1);
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Search search = {ev, is_algebraic, row_of, parent, seen, open};
  memset(is_algebraic, 1, ev->n);
  for (uint32_t e = 0; e < ev->mass.row_start[ev->n_diff]; e++) {
    is_algebraic[ev->mass.column[e]] = 0;
  }
  for (uint32_t j = 0; j < ev->n; j++) {
    is_untied[j] = is_algebraic[j] == 0 ? 1 : 0;
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    is_over[i] = search_from(&search, i, i + 1) ? 0 : 1;
  }
  for (uint32_t i = 0; i < ev->n_con; i++) {
    if (is_over[i] != 0) {
      search_from(&search, i, ev->n_con + i + 1);
      note_tied(&search, is_untied);
    }
  }
}

/* A constraint that holds one unknown which is not given yet gives it. */
static bool
gives_one(const DaePattern *pattern, uint32_t i, uint8_t *is_given)
{
  uint32_t open = UINT32_MAX;
  uint32_t n_open = 0;
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    bool is_open = is_given[pattern->column[e]] == 0;
    open = is_open ? pattern->column[e] : open;
    n_open += is_open ? 1 : 0;
  }
  if (n_open == 1) {
    is_given[open] = 1;
  }
  return n_open == 1;
}

void
dae_evaluator_find_given(const DaeEvaluator *ev, uint8_t *is_given)
{
  for (bool any = true; any;) {
    any = false;
    for (uint32_t i = 0; i < ev->constraint.n_rows; i++) {
      any = gives_one(&ev->constraint, i, is_given) || any;
    }
  }
}
