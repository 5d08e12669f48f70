/* A solution of as many equations as atoms, checked block by block in the order in which they
 * can be solved. The order is a hint only: a block is checked with everything bound that was
 * before it, and an atom that comes later has no value there. Blocks in exact numbers stay
 * exact, so that conditions at their very edge are decided in those behind them. */
#include "pipeline/verify.h"
#include "structural/graph.h"

typedef struct {
  DaeCertifier *certifier;
  DaeTerms *terms;
  const DaeSolutionNear *near;
  GArray *equations, *atoms; /* uint32_t: that are left when discrete values are held */
} Order;

/* The shortest decimal of the double, exactly: 0.1 is 1/10. */
static void
bind_exactly(const Order *o, uint32_t k)
{
  dae_certifier_bind(o->certifier, o->near->atoms[k],
                     dae_initial_time_as_written(o->terms, o->near->values[k]));
}

/* Discrete values are taken as they are, and looked at when everything else is known. */
static void
hold_discrete(const Order *o, bool *is_held_equation)
{
  const DaeSolutionNear *near = o->near;
  g_autoptr(GHashTable) discrete = g_hash_table_new(NULL, NULL);
  g_autofree bool *is_held = g_new0(bool, (size_t)near->n + 1);
  for (uint32_t k = 0; k < near->n; k++) {
    if (dae_term_kind(o->terms, near->atoms[k]) == DAE_KIND_PARAMETER) {
      g_hash_table_insert(discrete, GUINT_TO_POINTER(near->atoms[k]), GUINT_TO_POINTER(k + 1));
    }
  }
  for (uint32_t i = 0; i < near->n; i++) {
    g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_parameters(o->terms, near->equations[i], inside);
    for (guint a = 0; a < inside->len && !is_held_equation[i]; a++) {
      DaeTerm atom = g_array_index(inside, DaeTerm, a);
      uint32_t k = GPOINTER_TO_UINT(g_hash_table_lookup(discrete, GUINT_TO_POINTER(atom)));
      if (k > 0 && !is_held[k - 1] &&
          dae_certifier_is_discrete_value(o->terms, near->equations[i], atom)) {
        is_held[k - 1] = is_held_equation[i] = true;
        bind_exactly(o, k - 1);
      }
    }
    if (!is_held_equation[i]) {
      g_array_append_val(o->equations, i);
    }
  }
  for (uint32_t k = 0; k < near->n; k++) {
    if (!is_held[k]) {
      g_array_append_val(o->atoms, k);
    }
  }
}

/* Which of the atoms that are left are in which equation. */
static DaeCsr *
incidence(const Order *o)
{
  g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree size_t *start = g_new0(size_t, (size_t)o->equations->len + 1);
  for (guint j = 0; j < o->atoms->len; j++) {
    DaeTerm atom = o->near->atoms[g_array_index(o->atoms, uint32_t, j)];
    g_hash_table_insert(place, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(j + 1));
  }
  for (guint i = 0; i < o->equations->len; i++) {
    DaeTerm equation = o->near->equations[g_array_index(o->equations, uint32_t, i)];
    g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(o->terms, equation, inside);
    dae_term_collect_parameters(o->terms, equation, inside);
    for (guint a = 0; a < inside->len; a++) {
      gpointer key = GUINT_TO_POINTER(g_array_index(inside, DaeTerm, a));
      uint32_t j = GPOINTER_TO_UINT(g_hash_table_lookup(place, key));
      if (j > 0) {
        j--;
        g_array_append_val(columns, j);
      }
    }
    start[i + 1] = columns->len;
  }
  DaeCsr *csr = dae_csr_new(o->equations->len, o->atoms->len, columns->len, false);
  for (guint i = 0; i <= o->equations->len; i++) {
    csr->start[i] = start[i];
  }
  for (guint e = 0; e < columns->len; e++) {
    csr->column[e] = g_array_index(columns, uint32_t, e);
  }
  return csr;
}

/* In exact numbers, or in balls. */
static bool
check_block(const Order *o, const uint32_t *rows, const uint32_t *columns, uint32_t n)
{
  enum { MOST_EXACT = 60 };

  g_autofree DaeTerm *equations = g_new0(DaeTerm, (size_t)n + 1);
  g_autofree DaeTerm *atoms = g_new0(DaeTerm, (size_t)n + 1);
  g_autofree double *values = g_new0(double, (size_t)n + 1);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = g_array_index(o->atoms, uint32_t, columns[k]);
    equations[k] = o->near->equations[g_array_index(o->equations, uint32_t, rows[k])];
    atoms[k] = o->near->atoms[at];
    values[k] = o->near->values[at];
    bind_exactly(o, at);
  }
  return (n <= MOST_EXACT &&
          dae_certifier_holds_exactly(o->certifier, equations, atoms, n, o->near->is_strict)) ||
         dae_certifier_has_solution_near(o->certifier, equations, atoms, values, n);
}

static bool
check_blocks(const Order *o, char **why)
{
  g_autoptr(DaeCsr) csr = incidence(o);
  uint32_t n = o->equations->len;
  g_autofree uint32_t *column_of_row = g_new(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *row_of_column = g_new(uint32_t, (size_t)o->atoms->len + 1);
  g_autofree int64_t *c = g_new0(int64_t, (size_t)n + 1);
  g_autofree int64_t *d = g_new0(int64_t, (size_t)o->atoms->len + 1);
  if (n != o->atoms->len ||
      (n > 0 && !dae_graph_match(csr, column_of_row, row_of_column, c, d, NULL))) {
    *why = g_strdup("the equations do not determine all values, by their structure");
    return false;
  }
  if (n == 0) {
    return true;
  }
  DaeBlocks coarse = {0};
  DaeBlocks fine = {0};
  bool ok = true;
  dae_graph_blocks(csr, column_of_row, row_of_column, c, d, &coarse, &fine);
  for (uint32_t b = 0; b < coarse.n_blocks && ok; b++) {
    uint32_t first = coarse.first[b];
    ok = check_block(o, coarse.rows + first, coarse.columns + first,
                     coarse.first[b + 1] - first);
  }
  if (!ok) {
    *why = dae_verify_say_open(o->terms, o->certifier);
  }
  dae_blocks_clear(&coarse);
  dae_blocks_clear(&fine);
  return ok;
}

bool
dae_verify_solution(DaeCertifier *certifier, DaeTerms *terms, const DaeSolutionNear *near,
                    char **why)
{
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree bool *is_held = g_new0(bool, (size_t)near->n + 1);
  const Order order = {certifier, terms, near, equations, atoms};
  hold_discrete(&order, is_held);
  bool ok = check_blocks(&order, why);
  for (uint32_t i = 0; i < near->n && ok; i++) {
    ok = !is_held[i] || dae_certifier_is_exact_zero(certifier, near->equations[i]);
    if (!ok) {
      g_autoptr(GString) text = g_string_new("a discrete value is not seen to be right: 0 = ");
      dae_term_print_limited(terms, near->equations[i], text, 160);
      *why = g_string_free(g_steal_pointer(&text), FALSE);
    }
  }
  return ok;
}
