/* A consistent point modulo a prime where the Jacobian is regular, for large rational systems.
 * By Hensel's lemma it lifts to a solution over the p-adic numbers: the determinant is not zero
 * on the whole solution set. It says nothing of the reals.
 *
 * Stages and blocks are those of point.c. Inside a stage the equations of a block are matched
 * with unknowns, the unmatched unknowns get random values, and what is left is solved block by
 * block: one equation by a root of its polynomial, a linear system by elimination. Whether a
 * system is linear, and of which degree a polynomial is, are guesses from a few values; that
 * all residuals are zero in the end is not. */
#include <string.h>

#include "base/base.h"
#include "structural/modular.h"

enum {
  N_SEEDS = 6,
  N_ROOTS = 24 /* other values for a free unknown, where a polynomial has no root */
};

typedef struct {
  DaeSig *sig;
  DaeTerms *terms;
  DaeModSeries series;
  DaeModJets *jets;
  uint64_t *coefficients;
  size_t *first;
  bool *is_needed;
  uint32_t seed;
  int32_t stage;
  uint32_t *column_place; /* in the system of the block at hand, or UINT32_MAX */
} Algebraic;

typedef struct {          /* the equations and unknowns of one block at one stage */
  GArray *rows, *columns; /* uint32_t: of the model */
  bool is_linear;         /* proved by the analysis, for stage 0 */
  DaeCsr *csr;            /* tight entries */
  DaeTerm *entries;       /* as csr */
  uint32_t *mate_of_row;
  bool *is_free;   /* columns */
  bool *is_solved; /* rows */
} System;

static uint64_t
random_value(const Algebraic *x, uint64_t a, uint64_t b)
{
  uint64_t z =
      x->seed * UINT64_C(0x9e3779b97f4a7c15) + a * UINT64_C(0xd1342543de82ef95) + b + 1;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return 2 + z % (DAE_PRIME - 3);
}

/* ---- systems ----------------------------------------------------------------------------- */

static uint64_t *
unknown_of(const Algebraic *x, uint32_t j)
{
  return &x->coefficients[x->first[j] + (size_t)(x->sig->d[j] + x->stage)];
}

static bool
residual_of(Algebraic *x, uint32_t i, uint64_t *value)
{
  const DaeEquation *equation = dae_model_equation(x->sig->model, i);
  uint32_t q = (uint32_t)(x->sig->c[i] + x->stage);
  uint64_t right = 0;
  bool ok = dae_mod_jets_eval(x->jets, equation->lhs, q, value) &&
            dae_mod_jets_eval(x->jets, equation->rhs, q, &right);
  *value = dae_mod_add(*value, dae_mod_neg(right));
  return ok;
}

/* How coefficient q of f_i changes with coefficient sigma + q of x_j: the
 * entry times (sigma + q)!/q!. */
static bool
slope_of(Algebraic *x, uint32_t i, uint32_t j, DaeTerm entry, uint64_t *value)
{
  if (!dae_mod_jets_eval(x->jets, entry, 0, value)) {
    return false;
  }
  uint64_t q = (uint64_t)(x->sig->c[i] + x->stage);
  uint64_t end = (uint64_t)(x->sig->d[j] + x->stage);
  for (uint64_t k = q + 1; k <= end; k++) {
    *value = dae_mod_mul(*value, k);
  }
  return true;
}

static void
system_init(Algebraic *x, System *s, uint32_t b)
{
  const DaeSig *sig = x->sig;
  const DaeSigBlock *block = &sig->fine[b];
  s->is_linear = block->is_linear && x->stage == 0;
  s->rows = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), block->n_equations);
  s->columns = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), block->n_variables);
  size_t nnz = 0;
  for (uint32_t k = 0; k < block->n_variables; k++) {
    uint32_t j = block->variables[k];
    if (sig->d[j] + x->stage >= 0) {
      x->column_place[j] = s->columns->len;
      g_array_append_val(s->columns, j);
    }
  }
  for (uint32_t k = 0; k < block->n_equations; k++) {
    uint32_t i = block->equations[k];
    if (sig->c[i] + x->stage >= 0) {
      g_array_append_val(s->rows, i);
      nnz += sig->jacobian_start[i + 1] - sig->jacobian_start[i];
    }
  }
  s->csr = dae_csr_new(s->rows->len, s->columns->len, nnz, false);
  s->entries = g_new(DaeTerm, nnz + 1);
  size_t at = 0;
  for (guint r = 0; r < s->rows->len; r++) {
    uint32_t i = g_array_index(s->rows, uint32_t, r);
    for (size_t e = sig->jacobian_start[i]; e < sig->jacobian_start[i + 1]; e++) {
      const DaeSigJacobianEntry *entry = &g_array_index(sig->jacobian, DaeSigJacobianEntry, e);
      if (x->column_place[entry->column] != UINT32_MAX) {
        s->entries[at] = entry->value;
        s->csr->column[at++] = x->column_place[entry->column];
      }
    }
    s->csr->start[r + 1] = at;
  }
  for (guint k = 0; k < s->columns->len; k++) {
    x->column_place[g_array_index(s->columns, uint32_t, k)] = UINT32_MAX;
  }
  s->mate_of_row = g_new(uint32_t, (size_t)s->rows->len + 1);
  s->is_free = g_new0(bool, (size_t)s->columns->len + 1);
  s->is_solved = g_new0(bool, (size_t)s->rows->len + 1);
}

static void
system_clear(System *s)
{
  g_array_unref(s->rows);
  g_array_unref(s->columns);
  g_free(s->entries);
  dae_csr_free(s->csr);
  g_free(s->mate_of_row);
  g_free(s->is_free);
  g_free(s->is_solved);
}

/* ---- one equation ------------------------------------------------------------------------ */

/* Differentiated equations are linear in their highest derivatives. */
static bool
solve_linear_row(Algebraic *x, uint32_t i, uint32_t j, DaeTerm entry)
{
  uint64_t *unknown = unknown_of(x, j);
  uint64_t f = 0;
  uint64_t slope = 0;
  *unknown = 0;
  if (!residual_of(x, i, &f) || !slope_of(x, i, j, entry, &slope) || slope == 0) {
    return false;
  }
  *unknown = slope == 1 ? dae_mod_neg(f) : dae_mod_mul(dae_mod_neg(f), dae_mod_inverse(slope));
  return true;
}

typedef struct { /* a row as a function of one unknown */
  Algebraic *x;
  uint32_t i, j;
  DaeTerm entry;
} RowFunction;

static bool
row_value(void *user, uint64_t at, uint64_t *value)
{
  RowFunction *f = user;
  *unknown_of(f->x, f->j) = at;
  return residual_of(f->x, f->i, value);
}

static bool
row_slope(void *user, uint64_t at, uint64_t *slope)
{
  RowFunction *f = user;
  *unknown_of(f->x, f->j) = at;
  return slope_of(f->x, f->i, f->j, f->entry, slope);
}

static bool
solve_row(Algebraic *x, uint32_t i, uint32_t j, DaeTerm entry, uint64_t seed)
{
  RowFunction f = {x, i, j, entry};
  if (dae_term_is_number(x->terms, entry)) { /* the slope everywhere */
    return solve_linear_row(x, i, j, entry);
  }
  return dae_mod_function_root(row_value, row_slope, &f, seed, unknown_of(x, j));
}

/* Another value for a free unknown of the row that no solved row has; false: there is none. */
static bool
move_free_unknown(Algebraic *x, const System *s, const DaeCsr *by_column, uint32_t r,
                  uint32_t attempt)
{
  for (size_t e = s->csr->start[r]; e < s->csr->start[r + 1]; e++) {
    uint32_t c = s->csr->column[e];
    bool is_movable = s->is_free[c];
    for (size_t k = by_column->start[c]; k < by_column->start[c + 1] && is_movable; k++) {
      is_movable = !s->is_solved[by_column->column[k]];
    }
    if (is_movable) {
      uint32_t j = g_array_index(s->columns, uint32_t, c);
      *unknown_of(x, j) = random_value(x, j, 1000 + attempt);
      return true;
    }
  }
  return false;
}

static bool
solve_single(Algebraic *x, System *s, const DaeCsr *by_column, uint32_t r)
{
  uint32_t i = g_array_index(s->rows, uint32_t, r);
  uint32_t j = g_array_index(s->columns, uint32_t, s->mate_of_row[r]);
  size_t e = s->csr->start[r];
  while (s->csr->column[e] != s->mate_of_row[r]) {
    e++;
  }
  DaeTerm entry = s->entries[e];
  if (s->is_linear || x->sig->c[i] + x->stage > 0) {
    s->is_solved[r] = solve_linear_row(x, i, j, entry);
    return s->is_solved[r];
  }
  bool ok = solve_row(x, i, j, entry, x->seed);
  for (uint32_t attempt = 0; attempt < N_ROOTS && !ok; attempt++) {
    ok = move_free_unknown(x, s, by_column, r, attempt) &&
         solve_row(x, i, j, entry, x->seed + attempt);
  }
  s->is_solved[r] = ok;
  return ok;
}

/* ---- linear systems ---------------------------------------------------------------------- */

/* rows and columns: numbers in s. */
static bool
solve_linear(Algebraic *x, System *s, const uint32_t *rows, const uint32_t *columns, uint32_t n)
{
  size_t room = 0;
  bool ok = true;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t j = g_array_index(s->columns, uint32_t, columns[k]);
    x->column_place[columns[k]] = k; /* numbers of s here: they are below those of the model */
    *unknown_of(x, j) = 0;
    room += s->csr->start[rows[k] + 1] - s->csr->start[rows[k]];
  }
  g_autoptr(DaeCsr) csr = dae_csr_new(n, n, room, false);
  g_autofree uint64_t *values = g_new(uint64_t, room + 1);
  g_autofree uint64_t *rhs = g_new(uint64_t, (size_t)n + 1);
  g_autofree uint64_t *solution = g_new0(uint64_t, (size_t)n + 1);
  size_t at = 0;
  for (uint32_t k = 0; k < n && ok; k++) {
    uint32_t i = g_array_index(s->rows, uint32_t, rows[k]);
    ok = residual_of(x, i, &rhs[k]);
    rhs[k] = dae_mod_neg(rhs[k]);
    for (size_t e = s->csr->start[rows[k]]; e < s->csr->start[rows[k] + 1] && ok; e++) {
      uint32_t c = s->csr->column[e];
      if (x->column_place[c] != UINT32_MAX) {
        uint32_t j = g_array_index(s->columns, uint32_t, c);
        csr->column[at] = x->column_place[c];
        ok = slope_of(x, i, j, s->entries[e], &values[at++]);
      }
    }
    csr->start[k + 1] = at;
  }
  for (uint32_t k = 0; k < n; k++) {
    x->column_place[columns[k]] = UINT32_MAX;
  }
  ok = ok && dae_mod_solve(csr, values, rhs, solution);
  for (uint32_t k = 0; k < n && ok; k++) {
    *unknown_of(x, g_array_index(s->columns, uint32_t, columns[k])) = solution[k];
  }
  for (uint32_t k = 0; k < n && ok; k++) { /* were they linear? */
    uint64_t f = 0;
    uint32_t i = g_array_index(s->rows, uint32_t, rows[k]);
    ok = s->is_linear || x->sig->c[i] + x->stage > 0 || (residual_of(x, i, &f) && f == 0);
    s->is_solved[rows[k]] = ok;
  }
  return ok;
}

/* ---- a block at a stage ------------------------------------------------------------------ */

/* The matched part: rows against their mates, as a square pattern of its own. */
static DaeCsr *
matched_pattern(const System *s, uint32_t *number_of_column)
{
  DaeCsr *csr = dae_csr_new(s->csr->n_rows, s->csr->n_rows, dae_csr_nnz(s->csr), false);
  uint32_t n = 0;
  for (uint32_t c = 0; c < s->csr->n_columns; c++) { /* keeps the columns ascending */
    number_of_column[c] = s->is_free[c] ? UINT32_MAX : n++;
  }
  size_t at = 0;
  for (uint32_t r = 0; r < s->csr->n_rows; r++) {
    for (size_t e = s->csr->start[r]; e < s->csr->start[r + 1]; e++) {
      if (!s->is_free[s->csr->column[e]]) {
        csr->column[at++] = number_of_column[s->csr->column[e]];
      }
    }
    csr->start[r + 1] = at;
  }
  return csr;
}

static bool
match_system(const Algebraic *x, System *s)
{
  uint32_t m = s->csr->n_rows;
  uint32_t n = s->csr->n_columns;
  g_autofree uint32_t *mate_of_column = g_new(uint32_t, (size_t)n + 1);
  g_autofree int64_t *c = g_new0(int64_t, (size_t)m + 1);
  g_autofree int64_t *d = g_new0(int64_t, (size_t)n + 1);
  if (!dae_graph_match_triangular(s->csr, s->mate_of_row, mate_of_column) &&
      !dae_graph_match(s->csr, s->mate_of_row, mate_of_column, c, d, NULL)) {
    return false;
  }
  for (uint32_t k = 0; k < n; k++) {
    s->is_free[k] = mate_of_column[k] == DAE_UNMATCHED;
    if (s->is_free[k]) {
      uint32_t j = g_array_index(s->columns, uint32_t, k);
      *unknown_of(x, j) = random_value(x, j, (uint64_t)(x->stage + 100));
    }
  }
  return true;
}

static bool
solve_parts(Algebraic *x, System *s)
{
  uint32_t m = s->csr->n_rows;
  g_autofree uint32_t *number = g_new(uint32_t, (size_t)s->csr->n_columns + 1);
  g_autofree uint32_t *column_of = g_new(uint32_t, (size_t)m + 1);
  g_autofree uint32_t *mate_of_row = g_new(uint32_t, (size_t)m + 1);
  g_autofree uint32_t *mate_of_column = g_new(uint32_t, (size_t)m + 1);
  g_autofree int64_t *c = g_new0(int64_t, (size_t)m + 1);
  g_autofree int64_t *d = g_new0(int64_t, (size_t)m + 1);
  g_autoptr(DaeCsr) square = matched_pattern(s, number);
  g_autoptr(DaeCsr) by_column = dae_csr_transpose(s->csr);
  for (uint32_t k = 0; k < s->csr->n_columns; k++) {
    if (number[k] != UINT32_MAX) {
      column_of[number[k]] = k;
    }
  }
  for (uint32_t r = 0; r < m; r++) {
    mate_of_row[r] = number[s->mate_of_row[r]];
    mate_of_column[mate_of_row[r]] = r;
  }
  DaeBlocks coarse = {0};
  DaeBlocks fine = {0};
  dae_graph_blocks(square, mate_of_row, mate_of_column, c, d, &coarse, &fine);
  bool ok = true;
  for (uint32_t b = 0; b < coarse.n_blocks && ok; b++) {
    uint32_t first = coarse.first[b];
    uint32_t size = coarse.first[b + 1] - first;
    for (uint32_t k = first; k < first + size; k++) {
      coarse.columns[k] = column_of[coarse.columns[k]];
    }
    ok = size == 1 ? solve_single(x, s, by_column, coarse.rows[first])
                   : solve_linear(x, s, coarse.rows + first, coarse.columns + first, size);
  }
  dae_blocks_clear(&coarse);
  dae_blocks_clear(&fine);
  return ok;
}

/* At stage 0 the block is complete, and it has no parts. */
static bool
solve_whole(Algebraic *x, System *s)
{
  uint32_t n = s->rows->len;
  g_autofree uint32_t *numbers = g_new(uint32_t, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++) {
    numbers[k] = k;
  }
  return solve_linear(x, s, numbers, numbers, n);
}

static bool
solve_block(Algebraic *x, uint32_t b)
{
  System s;
  system_init(x, &s, b);
  bool is_whole = x->stage == 0 && s.rows->len == s.columns->len && s.rows->len > 1;
  bool ok = s.columns->len == 0 ||
            (is_whole ? solve_whole(x, &s) : match_system(x, &s) && solve_parts(x, &s));
  system_clear(&s);
  return ok;
}

/* ---- the point --------------------------------------------------------------------------- */

/* Is the Jacobian of the block regular at the point? */
static bool
is_regular(Algebraic *x, uint32_t b)
{
  DaeBlockMatrix matrix;
  dae_sig_block_matrix(x->sig, b, &matrix);
  size_t nnz = dae_csr_nnz(matrix.csr);
  g_autofree uint64_t *values = g_new(uint64_t, nnz + 1);
  bool ok = true;
  for (size_t e = 0; e < nnz && ok; e++) {
    ok = dae_mod_jets_eval(x->jets, matrix.value[e], 0, &values[e]);
  }
  ok = ok && dae_mod_eliminate(matrix.csr, values, NULL) == matrix.csr->n_rows;
  dae_block_matrix_clear(&matrix);
  return ok;
}

static bool
steps_hold(Algebraic *x)
{
  for (guint k = 0; k < x->sig->steps->len; k++) {
    const DaeRepairStep *step = &g_array_index(x->sig->steps, DaeRepairStep, k);
    for (uint32_t n = 0; n < step->n_nonzero; n++) {
      uint64_t value = 0;
      if (!dae_mod_jets_eval(x->jets, step->nonzero[n], 0, &value) || value == 0) {
        return false;
      }
    }
  }
  return true;
}

static bool
try_point(Algebraic *x, uint32_t *failed)
{
  const DaeSig *sig = x->sig;
  int32_t first = 0;
  for (uint32_t j = 0; j < sig->sigma.csr->n_columns; j++) {
    first = MIN(first, -sig->d[j]);
  }
  for (x->stage = first; x->stage <= 0; x->stage++) {
    for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
      if (x->is_needed[b] && !solve_block(x, b)) {
        *failed = b;
        return false;
      }
    }
  }
  x->stage = 0;
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    /* a block of more than one equation was solved with its Jacobian */
    if (x->is_needed[b] && sig->fine[b].n_equations == 1 && !is_regular(x, b)) {
      *failed = b;
      return false;
    }
  }
  return steps_hold(x);
}

static void
algebraic_init(Algebraic *x, DaeSig *sig)
{
  uint32_t n = sig->sigma.csr->n_columns;
  *x = (Algebraic){.sig = sig, .terms = sig->terms};
  x->first = g_new(size_t, (size_t)n + 1);
  x->first[0] = 0;
  for (uint32_t j = 0; j < n; j++) {
    x->first[j + 1] = x->first[j] + (size_t)sig->d[j] + 1;
  }
  x->coefficients = g_new0(uint64_t, x->first[n] + 1);
  x->is_needed = dae_sig_needed_blocks(sig);
  x->column_place = g_new(uint32_t, (size_t)n + 1);
  memset(x->column_place, 0xff, sizeof(uint32_t) * ((size_t)n + 1));
  x->series = (DaeModSeries){.sig = sig, .first = x->first, .coefficients = x->coefficients};
}

/* The certificate has the point: it can be checked without the search. */
static void
keep_point(Algebraic *x)
{
  DaeSig *sig = x->sig;
  bool *is_part = g_new0(bool, (size_t)sig->sigma.csr->n_columns + 1);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    for (uint32_t k = 0; k < sig->fine[b].n_variables && x->is_needed[b]; k++) {
      is_part[sig->fine[b].variables[k]] = true;
    }
  }
  sig->certificate.time_residue = x->series.time;
  sig->certificate.residues = g_steal_pointer(&x->coefficients);
  sig->certificate.first = g_steal_pointer(&x->first);
  sig->certificate.is_part = is_part;
}

bool
dae_sig_find_modular_point(DaeSig *sig, uint32_t *failed)
{
  Algebraic x;
  bool found = false;
  algebraic_init(&x, sig);
  for (x.seed = 1; x.seed <= N_SEEDS && !found; x.seed++) {
    memset(x.coefficients, 0, sizeof(uint64_t) * x.first[sig->sigma.csr->n_columns]);
    x.series.time = random_value(&x, 5, 5);
    x.jets = dae_mod_jets_new(&x.series);
    found = try_point(&x, failed) && dae_mod_jets_are_sound(x.jets);
    dae_mod_jets_free(x.jets);
    sig->certificate.seed = x.seed;
  }
  sig->certificate.prime = DAE_PRIME;
  if (found) {
    keep_point(&x);
  }
  g_free(x.first);
  g_free(x.coefficients);
  g_free(x.is_needed);
  g_free(x.column_place);
  return found;
}
