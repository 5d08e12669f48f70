/* Where does the result not hold? The factors of the determinant of the Sigma-Jacobian,
 * block by block, with parameters as symbols; and the question whether such a factor
 * vanishes on the whole solution set.
 *
 * Constant pivots are eliminated first (they are the bulk of real models), what remains is
 * split into blocks again, and the determinants of these small remainders are factored. A
 * remainder that is too large is left alone: its determinant is proved nonzero already, only
 * its factors are not listed (has_all_factors is false then). */
#include "base/base.h"
#include "structural/sig-priv.h"

enum {
  REDUCED_ROWS = 60,   /* blocks up to here are reduced with terms */
  FACTORED_ROWS = 6,   /* remainders up to here are expanded */
  FACTORED_SIZE = 400, /* nodes in their entries */
  RELATION_SIZE = 60,  /* nodes in each of them */
  MOST_TESTED = 50     /* factors tested: large models are not held up by this */
};

typedef struct {
  DaeSig *sig;
  DaeAlgebra *algebra;
  DaeTerms *terms;
  GHashTable *known; /* factors that were met -> FactorState */
  DaeCsr *by_column; /* transposed Sigma, made when needed */
  uint32_t n_tested;
  bool is_open; /* the block at hand has a factor that may vanish somewhere */
} Factors;

typedef enum {
  FACTOR_CLOSED = 1, /* has no real zero at the given parameter values */
  FACTOR_OPEN,
  FACTOR_VIOLATED /* is zero at the given parameter values */
} FactorState;

/* ---- collecting -------------------------------------------------------------------------- */

static bool
is_never_zero(Factors *f, DaeTerm factor)
{
  int sign = 0;
  if (dae_term_kind(f->terms, factor) == DAE_KIND_CALL) {
    DaeFunction function = dae_term_function(f->terms, factor);
    if (dae_function_facts(function)->sign == DAE_SIGN_OF_POSITIVE) {
      return true;
    }
  }
  return dae_algebra_sign(f->algebra, factor, &sign) && sign != 0;
}

static FactorState
state_at_values(Factors *f, DaeTerm factor)
{
  DaeTerm value = dae_sig_at_values(f->sig, factor);
  if (value == DAE_NO_TERM) {
    return FACTOR_OPEN;
  }
  if (!dae_term_is_parametric(f->terms, value)) {
    return is_never_zero(f, value) || dae_sig_keeps_sign_in_cases(f->algebra, value)
               ? FACTOR_CLOSED
               : FACTOR_OPEN;
  }
  switch (dae_algebra_is_zero(f->algebra, value)) {
  case DAE_ZERO:
    return FACTOR_VIOLATED;
  case DAE_NONZERO:
    return dae_sig_is_nonzero_in_all_modes(f->sig, f->algebra, value) ? FACTOR_CLOSED
                                                                      : FACTOR_OPEN;
  case DAE_UNKNOWN:
    break;
  }
  return FACTOR_OPEN;
}

static void
add_factor(Factors *f, DaeTerm factor)
{
  gpointer key = GUINT_TO_POINTER(factor);
  FactorState state = (FactorState)GPOINTER_TO_INT(g_hash_table_lookup(f->known, key));
  if (state == 0) {
    bool is_listed = !is_never_zero(f, factor);
    state = is_listed ? state_at_values(f, factor) : FACTOR_CLOSED;
    g_hash_table_insert(f->known, key, GINT_TO_POINTER((int)state));
    if (is_listed) {
      g_array_append_val(f->sig->singular_when, factor);
    }
  }
  f->is_open = f->is_open || state != FACTOR_CLOSED;
  f->sig->is_violated = f->sig->is_violated || state == FACTOR_VIOLATED;
}

static void
add_factors_of(Factors *f, DaeTerm t)
{
  DaeKind kind = dae_term_kind(f->terms, t);
  if (kind == DAE_KIND_NUMBER) {
    return;
  }
  if (kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME) {
    add_factor(f, t);
    return;
  }
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!dae_algebra_factor(f->algebra, t, factors)) {
    add_factor(f, t);
    return;
  }
  for (guint k = 0; k < factors->len; k++) {
    add_factor(f, g_array_index(factors, DaeTerm, k));
  }
}

/* ---- reduction by constant pivots -------------------------------------------------------- */

typedef struct {
  DaeTerm *a; /* n x n */
  bool *row_gone, *column_gone;
  uint32_t n;
} Remainder;

static DaeTerm *
entry_at(const Remainder *m, uint32_t r, uint32_t s)
{
  return &m->a[(size_t)r * m->n + s];
}

static uint32_t
count_row(const DaeTerms *terms, const Remainder *m, uint32_t r)
{
  uint32_t count = 0;
  for (uint32_t s = 0; s < m->n; s++) {
    count += !m->column_gone[s] && !dae_term_is_zero(terms, *entry_at(m, r, s));
  }
  return count;
}

static uint32_t
count_column(const DaeTerms *terms, const Remainder *m, uint32_t s)
{
  uint32_t count = 0;
  for (uint32_t r = 0; r < m->n; r++) {
    count += !m->row_gone[r] && !dae_term_is_zero(terms, *entry_at(m, r, s));
  }
  return count;
}

/* The constant entry whose elimination fills in least. */
static bool
find_constant_pivot(const DaeTerms *terms, const Remainder *m, uint32_t *row, uint32_t *column)
{
  uint64_t best = UINT64_MAX;
  for (uint32_t r = 0; r < m->n; r++) {
    uint64_t in_row = m->row_gone[r] ? 0 : count_row(terms, m, r);
    for (uint32_t s = 0; !m->row_gone[r] && s < m->n; s++) {
      DaeTerm t = *entry_at(m, r, s);
      if (m->column_gone[s] || !dae_term_is_number(terms, t) || dae_term_is_zero(terms, t)) {
        continue;
      }
      uint64_t cost = (in_row - 1) * ((uint64_t)count_column(terms, m, s) - 1);
      if (cost < best) {
        best = cost;
        *row = r;
        *column = s;
      }
    }
  }
  return best != UINT64_MAX;
}

static void
eliminate_pivot(DaeTerms *terms, Remainder *m, uint32_t row, uint32_t column)
{
  DaeTerm pivot = *entry_at(m, row, column);
  for (uint32_t r = 0; r < m->n; r++) {
    DaeTerm first = *entry_at(m, r, column);
    if (r == row || m->row_gone[r] || dae_term_is_zero(terms, first)) {
      continue;
    }
    DaeTerm factor = dae_term_div(terms, first, pivot);
    for (uint32_t s = 0; s < m->n; s++) {
      DaeTerm above = *entry_at(m, row, s);
      if (!m->column_gone[s] && s != column && !dae_term_is_zero(terms, above)) {
        DaeTerm *entry = entry_at(m, r, s);
        *entry = dae_term_sub(terms, *entry, dae_term_mul(terms, factor, above));
      }
    }
  }
  m->row_gone[row] = m->column_gone[column] = true;
}

/* Pattern and numbering of what is left. */
static DaeCsr *
remaining_pattern(const DaeTerms *terms, const Remainder *m, GArray *rows, GArray *columns)
{
  for (uint32_t k = 0; k < m->n; k++) {
    if (!m->row_gone[k]) {
      g_array_append_val(rows, k);
    }
    if (!m->column_gone[k]) {
      g_array_append_val(columns, k);
    }
  }
  DaeCsr *csr = dae_csr_new(rows->len, columns->len, (size_t)rows->len * columns->len, false);
  size_t at = 0;
  for (guint r = 0; r < rows->len; r++) {
    for (guint s = 0; s < columns->len; s++) {
      DaeTerm t =
          *entry_at(m, g_array_index(rows, uint32_t, r), g_array_index(columns, uint32_t, s));
      if (!dae_term_is_zero(terms, t)) {
        csr->column[at++] = s;
      }
    }
    csr->start[r + 1] = at;
  }
  return csr;
}

/* Factors of one diagonal block of the remainder; false if it is too large. */
static bool
factor_small_block(Factors *f, const Remainder *m, const uint32_t *rows,
                   const uint32_t *columns, uint32_t n)
{
  if (n == 1) {
    add_factors_of(f, *entry_at(m, rows[0], columns[0]));
    return true;
  }
  if (n > FACTORED_ROWS) {
    return false;
  }
  g_autoptr(DaeMatrix) dense = dae_matrix_new(f->terms, n, n);
  size_t size = 0;
  for (uint32_t r = 0; r < n; r++) {
    for (uint32_t s = 0; s < n; s++) {
      dense->entries[r * n + s] = *entry_at(m, rows[r], columns[s]);
      size += dae_term_size(f->terms, dense->entries[r * n + s]);
    }
  }
  if (size > FACTORED_SIZE) {
    return false;
  }
  DaeTerm determinant = dae_algebra_determinant(f->algebra, dense);
  if (determinant == DAE_NO_TERM) {
    return false;
  }
  add_factors_of(f, determinant);
  return true;
}

static void
factor_remainder(Factors *f, const Remainder *m)
{
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(DaeCsr) csr = remaining_pattern(f->terms, m, rows, columns);
  uint32_t n = rows->len;
  g_autofree uint32_t *mate_of_row = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *mate_of_column = g_new(uint32_t, (size_t)n + 1);
  g_autofree int64_t *c = g_new0(int64_t, (size_t)n + 1);
  g_autofree int64_t *d = g_new0(int64_t, (size_t)n + 1);
  if (n == 0 || !dae_graph_match(csr, mate_of_row, mate_of_column, c, d, NULL)) {
    return; /* the second: a hidden zero, impossible for a block that is proved regular */
  }
  DaeBlocks coarse = {0};
  DaeBlocks fine = {0};
  dae_graph_blocks(csr, mate_of_row, mate_of_column, c, d, &coarse, &fine);
  for (uint32_t b = 0; b < coarse.n_blocks; b++) {
    uint32_t first = coarse.first[b];
    uint32_t size = coarse.first[b + 1] - first;
    for (uint32_t k = first; k < first + size; k++) {
      coarse.rows[k] = g_array_index(rows, uint32_t, coarse.rows[k]);
      coarse.columns[k] = g_array_index(columns, uint32_t, coarse.columns[k]);
    }
    if (!factor_small_block(f, m, coarse.rows + first, coarse.columns + first, size)) {
      f->sig->has_all_factors = false;
      f->is_open = true;
    }
  }
  dae_blocks_clear(&coarse);
  dae_blocks_clear(&fine);
}

static bool
is_constant_block(const DaeTerms *terms, const DaeBlockMatrix *matrix)
{
  for (size_t e = 0; e < dae_csr_nnz(matrix->csr); e++) {
    if (!dae_term_is_number(terms, matrix->value[e])) {
      return false;
    }
  }
  return true;
}

/* A matrix of parameters that is too large for its factors: is it regular at the given values? */
static bool
is_regular_at_values(Factors *f, const DaeBlockMatrix *matrix)
{
  size_t nnz = dae_csr_nnz(matrix->csr);
  g_autofree DaeTerm *values = g_new(DaeTerm, nnz + 1);
  for (size_t e = 0; e < nnz; e++) {
    if (!dae_term_is_parametric(f->terms, matrix->value[e])) {
      return false;
    }
    values[e] = dae_sig_at_values(f->sig, matrix->value[e]);
    if (values[e] == DAE_NO_TERM || dae_sig_has_open_values(f->sig, values[e])) {
      return false;
    }
  }
  DaeBlockMatrix at_values = {matrix->csr, values};
  return dae_modular_check(f->terms, &at_values, NULL) == DAE_MODULAR_REGULAR;
}

static void
factor_block(Factors *f, uint32_t b)
{
  DaeBlockMatrix matrix;
  dae_sig_block_matrix(f->sig, b, &matrix);
  uint32_t n = matrix.csr->n_rows;
  if (n == 1) {
    add_factors_of(f, matrix.value[0]);
  } else if (is_constant_block(f->terms, &matrix)) {
    /* the determinant is a number */
  } else if (n > REDUCED_ROWS) {
    f->sig->has_all_factors = false;
    f->is_open = !is_regular_at_values(f, &matrix);
  } else {
    Remainder m = {g_new(DaeTerm, (size_t)n * n), g_new0(bool, n), g_new0(bool, n), n};
    DaeTerm zero = dae_term_int(f->terms, 0);
    for (size_t k = 0; k < (size_t)n * n; k++) {
      m.a[k] = zero;
    }
    for (uint32_t r = 0; r < n; r++) {
      for (size_t e = matrix.csr->start[r]; e < matrix.csr->start[r + 1]; e++) {
        *entry_at(&m, r, matrix.csr->column[e]) = matrix.value[e];
      }
    }
    uint32_t row = 0;
    uint32_t column = 0;
    while (find_constant_pivot(f->terms, &m, &row,
                               &column)) { /* at most n times: a row goes each time */
      eliminate_pivot(f->terms, &m, row, column);
    }
    factor_remainder(f, &m);
    g_free(m.a);
    g_free(m.row_gone);
    g_free(m.column_gone);
  }
  dae_block_matrix_clear(&matrix);
}

/* ---- on the solution set ----------------------------------------------------------------- */

/* Terms of the relations that hold among the variables of the factor. */
static void
collect_relations(Factors *f, DaeTerm factor, GArray *relations)
{
  g_autoptr(GArray) found = dae_sig_relations_among(f->sig, factor, &f->by_column);
  for (guint k = 0; k < found->len; k++) {
    g_array_append_val(relations, g_array_index(found, DaeSigRelation, k).residual);
  }
}

/* What a factor is on the solution set, if one relation turns it into an expression
 * in parameters: with x^2 + y^2 = L^2 the factor x^2 + y^2 is L^2, and "unless L =
 * 0" is what one wants to know. */
static void
add_parametric_forms(Factors *f, DaeTerm factor, const GArray *relations)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(f->terms, factor, variables);
  for (guint k = 0; k < relations->len; k++) {
    DaeTerm relation = g_array_index(relations, DaeTerm, k);
    DaeTerm x = g_array_index(variables, DaeTerm, 0);
    DaeTerm slope = dae_term_partial(f->terms, relation, x);
    if (dae_term_is_zero(f->terms, slope)) {
      continue;
    }
    DaeTerm ratio = dae_term_div(f->terms, dae_term_partial(f->terms, factor, x), slope);
    ratio = ratio == DAE_NO_TERM ? ratio : dae_algebra_simplify(f->algebra, ratio);
    if (ratio == DAE_NO_TERM || !dae_term_is_parametric(f->terms, ratio)) {
      continue;
    }
    DaeTerm rest = dae_term_sub(f->terms, factor, dae_term_mul(f->terms, ratio, relation));
    rest = dae_algebra_simplify(f->algebra, rest);
    if (dae_term_is_parametric(f->terms, rest) &&
        dae_algebra_is_zero(f->algebra, rest) == DAE_NONZERO) {
      add_factors_of(f, rest);
      return;
    }
  }
}

/* A determinant that vanishes wherever the equations hold is zero for our purposes (001,
 * section 2, step 6 asks for a consistent point). Only a proof of that counts. */
static void
test_on_solution_set(Factors *f)
{
  DaeSig *sig = f->sig;
  guint n_factors = sig->singular_when->len; /* more may be added below */
  for (guint k = 0; k < n_factors && f->n_tested < MOST_TESTED; k++) {
    DaeTerm factor = g_array_index(sig->singular_when, DaeTerm, k);
    g_autoptr(GArray) relations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    collect_relations(f, factor, relations);
    if (relations->len == 0 || dae_term_size(f->terms, factor) > RELATION_SIZE) {
      continue;
    }
    f->n_tested++;
    if (dae_algebra_is_zero_modulo(f->algebra, factor, (const DaeTerm *)(void *)relations->data,
                                   relations->len) == DAE_ZERO) {
      g_autofree char *text = dae_term_to_string(f->terms, factor);
      sig->determinant = DAE_ZERO;
      sig->is_vanishing_on_solutions = true;
      sig->reason = g_strdup_printf(
          "the factor %s of the determinant is zero wherever the equations hold", text);
      return;
    }
    add_parametric_forms(f, factor, relations);
  }
}

static gint
compare_factors(gconstpointer a, gconstpointer b, gpointer terms)
{
  return dae_term_compare(terms, *(const DaeTerm *)a, *(const DaeTerm *)b);
}

void
dae_sig_find_factors(DaeSig *sig, DaeAlgebra *algebra)
{
  Factors f = {.sig = sig, .algebra = algebra, .terms = sig->terms};
  f.known = g_hash_table_new(g_direct_hash, g_direct_equal);
  sig->block_open = g_new0(bool, (size_t)sig->fine_form.n_blocks + 1);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    f.is_open = sig->block_zero[b] == DAE_UNKNOWN;
    if (f.is_open) { /* not known to be regular: there is nothing to factor */
      sig->has_all_factors = false;
    } else {
      factor_block(&f, b);
    }
    sig->block_open[b] = f.is_open;
  }
  g_array_sort_with_data(sig->singular_when, compare_factors, sig->terms);
  test_on_solution_set(&f);
  g_array_sort_with_data(sig->singular_when, compare_factors, sig->terms);
  g_hash_table_unref(f.known);
  dae_csr_free(f.by_column);
}
