/* --all-matchings: which case of section 4.1 each single equation falls into when it is left out
 * [OchelBachmannCasella]. The system is first reduced as the paper does ("transformations like
 * alias elimination"): only rows `unknown = constant` and `unknown = factor * unknown` with
 * coefficient 1 or -1 are used, so that the two-volumes model has 10 unknowns and 11 equations
 * left, and the removals count 4, 3, 2, 2. Block size is judged before singularity. */
#include "initcheck/initcheck-priv.h"
#include "structural/graph.h"

typedef struct {
  IcEngine *engine;
  GArray *rows;    /* uint32_t: rows of the engine that are left */
  GArray *columns; /* uint32_t: unknowns that are left */
  DaeCsr *pattern; /* rows x columns */
} Reduced;

static Reduced
reduce_system(IcSystem *sys)
{
  Reduced reduced = {.engine = ic_engine_new(sys, NULL, 0)};
  reduced.engine->only_trivial = true;
  for (uint32_t p = 0; p < sys->premises->len; p++) {
    ic_engine_add(reduced.engine, p, false);
  }
  ic_engine_drain(reduced.engine);
  reduced.rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  reduced.columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree uint32_t *column_of = g_new(uint32_t, sys->unknowns->len + 1);
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    if (reduced.engine->solved_by[z] == IC_NONE) {
      column_of[z] = reduced.columns->len;
      g_array_append_val(reduced.columns, z);
    }
  }
  g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t r = 0; r < reduced.engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(reduced.engine, r);
    if (row->state != IC_ROW_ACTIVE) {
      continue;
    }
    g_array_append_val(reduced.rows, r);
    g_array_append_val(starts, entries->len);
    ic_form_unknowns(sys, &row->form, inside);
    for (guint i = 0; i < inside->len; i++) {
      g_array_append_val(entries, column_of[g_array_index(inside, uint32_t, i)]);
    }
  }
  reduced.pattern = dae_csr_new(reduced.rows->len, reduced.columns->len, entries->len, false);
  for (guint i = 0; i < reduced.rows->len; i++) {
    reduced.pattern->start[i] = g_array_index(starts, uint32_t, i);
  }
  reduced.pattern->start[reduced.rows->len] = entries->len;
  memcpy(reduced.pattern->column, entries->data, sizeof(uint32_t) * entries->len);
  return reduced;
}

static void
reduced_clear(Reduced *reduced)
{
  ic_engine_free(reduced->engine);
  g_array_unref(reduced->rows);
  g_array_unref(reduced->columns);
  dae_csr_free(reduced->pattern);
}

/* The pattern without row `left_out`. */
static DaeCsr *
pattern_without(const DaeCsr *all, uint32_t left_out)
{
  size_t removed = all->start[left_out + 1] - all->start[left_out];
  DaeCsr *csr = dae_csr_new(all->n_rows - 1, all->n_columns, dae_csr_nnz(all) - removed, false);
  size_t at = 0;
  uint32_t row = 0;
  for (uint32_t i = 0; i < all->n_rows; i++) {
    if (i == left_out) {
      continue;
    }
    csr->start[row++] = at;
    for (size_t e = all->start[i]; e < all->start[i + 1]; e++) {
      csr->column[at++] = all->column[e];
    }
  }
  csr->start[row] = at;
  return csr;
}

/* Solves the single equations one after another; true when a pivot vanishes on the way (0/0). */
static bool
meets_singularity(const Reduced *reduced, const DaeBlocks *blocks, uint32_t left_out)
{
  IcSystem *sys = reduced->engine->sys;
  g_autoptr(DaeSubst) values = dae_subst_new(sys->terms);
  for (uint32_t b = 0; b < blocks->n_blocks; b++) {
    uint32_t i = blocks->rows[blocks->first[b]];
    uint32_t j = blocks->columns[blocks->first[b]];
    uint32_t r = g_array_index(reduced->rows, uint32_t, i < left_out ? i : i + 1);
    uint32_t z = g_array_index(reduced->columns, uint32_t, j);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    DaeTerm t =
        dae_subst_apply(values, ic_form_term(sys, &ic_engine_row(reduced->engine, r)->form));
    if (t == DAE_NO_TERM) {
      return true;
    }
    DaeTerm slope = ic_tidy(sys, dae_term_partial(sys->terms, t, atom));
    if (!ic_has_unknown(sys, slope) && ic_zero_at_values(sys, slope) == DAE_ZERO) {
      return true;
    }
    DaeTerm a = DAE_NO_TERM;
    DaeTerm c = DAE_NO_TERM;
    DaeTerm numerator = DAE_NO_TERM;
    DaeTerm denominator = DAE_NO_TERM;
    if (dae_algebra_fraction(sys->algebra, t, &numerator, &denominator) &&
        dae_algebra_linear_in(sys->algebra, numerator, atom, &a, &c)) {
      DaeTerm value = dae_term_div(sys->terms, dae_term_neg(sys->terms, c), a);
      if (value == DAE_NO_TERM) {
        return true;
      }
      dae_subst_set(values, atom, ic_tidy(sys, value));
    }
  }
  return false;
}

static const char *
outcome_without(const Reduced *reduced, uint32_t left_out)
{
  g_autoptr(DaeCsr) csr = pattern_without(reduced->pattern, left_out);
  uint32_t n = csr->n_rows;
  uint32_t m = csr->n_columns;
  g_autofree uint32_t *column_of_row = g_new(uint32_t, n + 1);
  g_autofree uint32_t *row_of_column = g_new(uint32_t, m + 1);
  g_autofree int64_t *c = g_new0(int64_t, n + 1);
  g_autofree int64_t *d = g_new0(int64_t, m + 1);
  if (n != m || !dae_graph_match(csr, column_of_row, row_of_column, c, d, NULL)) {
    return "structurally singular";
  }
  DaeBlocks coarse = {0};
  DaeBlocks fine = {0};
  dae_graph_blocks(csr, column_of_row, row_of_column, c, d, &coarse, &fine);
  bool has_loop = coarse.n_blocks < n;
  const char *outcome = "loop";
  if (!has_loop) {
    outcome = meets_singularity(reduced, &coarse, left_out) ? "locally singular" : "recursive";
  }
  dae_blocks_clear(&coarse);
  dae_blocks_clear(&fine);
  return outcome;
}

void
ic_find_matchings(IcSystem *sys, DaeInit *init)
{
  Reduced reduced = reduce_system(sys);
  init->reduced_unknowns = reduced.columns->len;
  init->reduced_equations = reduced.rows->len;
  if (reduced.rows->len ==
      reduced.columns->len + 1) { /* else one equation less is not square */
    for (guint i = 0; i < reduced.rows->len; i++) {
      const IcRow *row =
          ic_engine_row(reduced.engine, g_array_index(reduced.rows, uint32_t, i));
      DaeInitMatching matching = {
          .left_out = g_array_index(sys->premises, IcPremise, row->premise).id,
          .outcome = outcome_without(&reduced, i),
      };
      g_array_append_val(init->matchings, matching);
    }
  }
  reduced_clear(&reduced);
}
