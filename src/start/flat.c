/* Rows that have all but vanished where a start was found: what more digits decide (judge.c) for
 * small blocks is guessed here for large ones. */
#include <math.h>

#include "start/start-priv.h"

/* Rows whose entries are all smaller than FLAT, in units of the unknowns, are doubted where the
 * correction they ask for is longer than MOST_CORRECTION. */
#define FLAT 1e-8
#define MOST_CORRECTION 1e-5
/* Rows as small as that change next to nothing in double precision. */
#define FLATTEST 1e-12
#define AROUND 0.5
/* A row that is steeper around was at a multiple root. */
#define STEEP 1e-3

/* The largest entry of a row, in units of the unknowns. */
static double
row_size(const DaePattern *pattern, uint32_t i, const double *values, const double *weights)
{
  double largest = 0;
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    largest = fmax(largest, fabs(values[e]) * weights[pattern->column[e]]);
  }
  return largest;
}

/* The Jacobian some way off, on a side where it has values. */
static bool
look_around(const DaeStartNumbers *numbers, const double *weights, const double *x,
            double *values)
{
  g_autofree double *y = g_new0(double, numbers->n + 1);
  for (int side = 1; side >= -1; side -= 2) {
    for (uint32_t j = 0; j < numbers->n; j++) {
      y[j] = x[j] + side * AROUND * (fabs(x[j]) + weights[j]);
    }
    if (dae_start_run(numbers, numbers->jacobian_tape, y, values) == 0) {
      return true;
    }
  }
  return false;
}

/* The rows of blocks that are too large for more digits; all where there are no blocks. */
static bool *
find_rows(const DaeStartNumbers *numbers, const DaeStartBlocks *blocks)
{
  bool *is_asked = g_new0(bool, numbers->m + 1);
  for (uint32_t i = 0; blocks == NULL && i < numbers->m; i++) {
    is_asked[i] = true;
  }
  for (uint32_t b = 0; blocks != NULL && b < dae_start_blocks_count(blocks); b++) {
    const uint32_t *rows = NULL;
    const uint32_t *columns = NULL;
    uint32_t n = dae_start_block(blocks, b, &rows, &columns);
    for (uint32_t k = 0; n > DAE_START_MOST_IN_BLOCK && k < n; k++) {
      is_asked[rows[k]] = true;
    }
  }
  return is_asked;
}

/* A row that has all but vanished is solved by nothing near: exp(x) = 0 seems to be, at x = -29,
 * but the next correction is as long as the last one; tanh(x) = 1 is, at x = 20, to the last digit,
 * because the function is flat there and around. A row that is small everywhere is not flat. */
bool
dae_start_has_flat_row(const DaeStartNumbers *numbers, const DaeStartBlocks *blocks,
                       const double *weights, const double *x)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  g_autofree double *r = g_new0(double, numbers->m + 1);
  g_autofree double *here = g_new0(double, numbers->pattern.columns->len + 1);
  g_autofree double *around = g_new0(double, numbers->pattern.columns->len + 1);
  if (dae_start_run(numbers, numbers->residual_tape, x, r) != 0 ||
      dae_start_run(numbers, numbers->jacobian_tape, x, here) != 0) {
    return false;
  }
  g_autofree bool *is_asked = find_rows(numbers, blocks);
  bool is_compared = false;
  for (uint32_t i = 0; i < numbers->m; i++) {
    double size = row_size(&pattern, i, here, weights);
    if (!is_asked[i] || !(size < FLAT)) {
      continue;
    }
    if (fabs(r[i]) > MOST_CORRECTION * size) {
      return true;
    }
    if (!is_compared && !look_around(numbers, weights, x, around)) {
      return false;
    }
    is_compared = true;
    double other = row_size(&pattern, i, around, weights);
    if (size < FLATTEST && other < STEEP && (other > 2 * size || size > 2 * other)) {
      return true;
    }
  }
  return false;
}
