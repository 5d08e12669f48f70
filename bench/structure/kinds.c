#include "kinds.h"

typedef struct {  /* rows under construction */
  GArray *column; /* uint32_t */
  GArray *weight; /* int32_t */
  GArray *start;  /* size_t, the beginning of each row */
  uint32_t n_columns;
} Rows;

const char *
bench_kind_name(BenchKind kind)
{
  static const char *const names[N_KINDS] = {"ladder", "pipe", "grid", "pendula", "random"};
  return names[kind];
}

static void
add_row(Rows *rows)
{
  size_t at = rows->column->len;
  g_array_append_val(rows->start, at);
}

static void
add_entry(Rows *rows, uint32_t column, int32_t weight)
{
  g_array_append_val(rows->column, column);
  g_array_append_val(rows->weight, weight);
  rows->n_columns = MAX(rows->n_columns, column + 1);
}

/* RC ladder: i_k = (v_k-1 - v_k)/R, C v_k' = i_k - i_k+1. */
static void
make_ladder(Rows *rows, uint32_t n)
{
  for (uint32_t k = 0; k < n / 2; k++) { /* v_k is column 2k, i_k is 2k + 1 */
    add_row(rows);
    if (k > 0) {
      add_entry(rows, 2 * k - 2, 0);
    }
    add_entry(rows, 2 * k, 0);
    add_entry(rows, 2 * k + 1, 0);
    add_row(rows);
    add_entry(rows, 2 * k, 1);
    add_entry(rows, 2 * k + 1, 0);
    if (k + 1 < n / 2) {
      add_entry(rows, 2 * k + 3, 0);
    }
  }
}

/* Incompressible pipe between two pressures: p_k-1 - p_k = w_k, w_k =
 * w_k+1; everything is one loop. */
static void
make_pipe(Rows *rows, uint32_t n)
{
  uint32_t n_pieces = n / 2;
  for (uint32_t k = 0; k < n_pieces;
       k++) { /* w_k is column 2k, p_k (k < n_pieces - 1) is 2k + 1 */
    add_row(rows);
    if (k > 0) {
      add_entry(rows, 2 * k - 1, 0);
    }
    add_entry(rows, 2 * k, 0);
    if (k + 1 < n_pieces) {
      add_entry(rows, 2 * k + 1, 0);
      add_row(rows);
      add_entry(rows, 2 * k, 0);
      add_entry(rows, 2 * k + 2, 0);
    }
  }
}

/* m x m nodes, resistors between neighbours; a capacitor at every
 * second node, none at the others. */
static void
make_grid(Rows *rows, uint32_t n)
{
  uint32_t m = 2;
  while (3 * (m + 1) * (m + 1) < n) {
    m++;
  }
  uint32_t n_nodes = m * m;
  uint32_t right = n_nodes; /* current from (r,s) to (r,s+1); then the ones down */
  uint32_t down = n_nodes + m * (m - 1);
  for (uint32_t r = 0; r < m; r++) {
    for (uint32_t s = 0; s < m; s++) {
      add_row(rows); /* Kirchhoff at the node; a resistor to ground at the corner */
      add_entry(rows, r * m + s, (r + s) % 2 == 0 ? 1 : 0);
      if (s + 1 < m) {
        add_entry(rows, right + r * (m - 1) + s, 0);
      }
      if (s > 0) {
        add_entry(rows, right + r * (m - 1) + s - 1, 0);
      }
      if (r + 1 < m) {
        add_entry(rows, down + r * m + s, 0);
      }
      if (r > 0) {
        add_entry(rows, down + (r - 1) * m + s, 0);
      }
      for (int way = 0; way < 2; way++) { /* Ohm's law of the two branches that begin here */
        bool exists = way == 0 ? s + 1 < m : r + 1 < m;
        if (exists) {
          add_row(rows);
          add_entry(rows, r * m + s, 0);
          add_entry(rows, way == 0 ? r * m + s + 1 : (r + 1) * m + s, 0);
          add_entry(rows, way == 0 ? right + r * (m - 1) + s : down + r * m + s, 0);
        }
      }
    }
  }
}

/* Chain of planar pendula, each hanging on the one before: x, y, u, v, F. */
static void
make_pendula(Rows *rows, uint32_t n)
{
  uint32_t n_bobs = MAX(1, n / 5);
  for (uint32_t k = 0; k < n_bobs; k++) {
    for (uint32_t axis = 0; axis < 2; axis++) {
      uint32_t x = 5 * k + axis;
      add_row(rows);
      add_entry(rows, x, 1);
      add_entry(rows, x + 2, 0);
      add_row(rows);
      add_entry(rows, x + 2, 1);
      add_entry(rows, x, 0);
      add_entry(rows, 5 * k + 4, 0);
      if (k > 0) {
        add_entry(rows, x - 5, 0);
      }
      if (k + 1 < n_bobs) {
        add_entry(rows, x + 5, 0);
        add_entry(rows, 5 * k + 9, 0);
      }
    }
    add_row(rows);
    for (uint32_t axis = 0; axis < 2; axis++) {
      add_entry(rows, 5 * k + axis, 0);
      if (k > 0) {
        add_entry(rows, 5 * k - 5 + axis, 0);
      }
    }
  }
}

static uint32_t
next_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint32_t *
random_permutation(uint32_t n, uint64_t *state)
{
  uint32_t *p = g_new(uint32_t, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = next_random(state) % (k + 1);
    p[k] = p[at];
    p[at] = k;
  }
  return p;
}

/* Five entries a row with orders 0 and 1, one of them on a hidden permutation
 * so that a transversal exists. */
static void
make_random(Rows *rows, uint32_t n)
{
  uint64_t state = 42;
  g_autofree uint32_t *hidden = random_permutation(n, &state);
  for (uint32_t i = 0; i < n; i++) {
    add_row(rows);
    add_entry(rows, hidden[i], (int32_t)(next_random(&state) % 2));
    for (int k = 1; k < 5; k++) {
      add_entry(rows, next_random(&state) % n, (int32_t)(next_random(&state) % 2));
    }
  }
}

static void
sort_row(uint32_t *column, int32_t *weight, size_t n)
{
  for (size_t a = 1; a < n; a++) { /* rows are short */
    for (size_t b = a; b > 0 && column[b - 1] > column[b]; b--) {
      uint32_t j = column[b];
      int32_t w = weight[b];
      column[b] = column[b - 1];
      weight[b] = weight[b - 1];
      column[b - 1] = j;
      weight[b - 1] = w;
    }
  }
}

static DaeCsr *
finish_rows(Rows *rows, bool shuffled)
{
  uint32_t n = rows->start->len;
  uint64_t state = 7;
  add_row(rows);
  g_autofree uint32_t *row = shuffled ? random_permutation(n, &state) : NULL;
  g_autofree uint32_t *column = shuffled ? random_permutation(rows->n_columns, &state) : NULL;
  DaeCsr *csr = dae_csr_new(n, rows->n_columns, rows->column->len, true);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t from = shuffled ? row[i] : i;
    size_t first = at;
    for (size_t e = g_array_index(rows->start, size_t, from);
         e < g_array_index(rows->start, size_t, from + 1); e++) {
      uint32_t j = g_array_index(rows->column, uint32_t, e);
      csr->column[at] = shuffled ? column[j] : j;
      csr->weight[at++] = g_array_index(rows->weight, int32_t, e);
    }
    sort_row(csr->column + first, csr->weight + first, at - first);
    size_t kept = first;
    for (size_t e = first; e < at; e++) { /* a repeated column keeps its highest order */
      if (kept > first && csr->column[kept - 1] == csr->column[e]) {
        csr->weight[kept - 1] = MAX(csr->weight[kept - 1], csr->weight[e]);
      } else {
        csr->column[kept] = csr->column[e];
        csr->weight[kept++] = csr->weight[e];
      }
    }
    at = kept;
    csr->start[i + 1] = at;
  }
  return csr;
}

DaeCsr *
bench_make_kind(BenchKind kind, uint32_t n, bool shuffled)
{
  Rows rows = {g_array_new(FALSE, FALSE, sizeof(uint32_t)),
               g_array_new(FALSE, FALSE, sizeof(int32_t)),
               g_array_new(FALSE, FALSE, sizeof(size_t)), 0};
  switch (kind) {
  case KIND_LADDER:
    make_ladder(&rows, n);
    break;
  case KIND_PIPE:
    make_pipe(&rows, n);
    break;
  case KIND_GRID:
    make_grid(&rows, n);
    break;
  case KIND_PENDULA:
    make_pendula(&rows, n);
    break;
  case KIND_RANDOM:
  case N_KINDS:
    make_random(&rows, n);
    break;
  }
  DaeCsr *csr = finish_rows(&rows, shuffled);
  g_array_unref(rows.column);
  g_array_unref(rows.weight);
  g_array_unref(rows.start);
  return csr;
}

GString *
bench_write_model(const DaeCsr *csr)
{
  GString *text = g_string_sized_new(40 * (size_t)csr->n_rows);
  g_string_append(text, "model Bench\n");
  for (uint32_t j = 0; j < csr->n_columns; j++) {
    g_string_append_printf(text, "  Real x%u;\n", j);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 0; i < csr->n_rows; i++) {
    g_string_append(text, "  0 =");
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      uint32_t factor = 1 + (uint32_t)((csr->column[e] * 2654435761u + i * 40503u) >> 16) % 9;
      g_string_append_printf(text, csr->weight[e] == 0 ? " + %u*x%u" : " + %u*der(x%u)", factor,
                             csr->column[e]);
    }
    g_string_append(text, ";\n");
  }
  g_string_append(text, "end Bench;\n");
  return text;
}
