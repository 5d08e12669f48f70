/* A start without a proof: is everything determined, regularly, and what is to be chosen where something is missing? The gradients
 * are taken at a point where the equations hold, in floating point; what is not clear there is left to initcheck. */
#include "start/start-priv.h"

/* Entries that elimination may touch; beyond it the question goes to the proof. */
#define MOST_OPERATIONS UINT64_C(200000000)
/* A row counts as independent when this share of it is left. */
#define ROW_SHARE 1e-9

int64_t
dae_start_missing(const DaeStartAssembly *assembly)
{
  const DaeStartInput *input = assembly->input;
  int64_t missing = dae_qlt_n_unknowns(input->qlt);
  for (uint32_t i = 0; i < dae_qlt_n_constraints(input->qlt); i++) {
    missing -= dae_qlt_constraint(input->qlt, i)->is_invariant ? 0 : 1;
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(input->model); k++) {
    missing += dae_model_parameter(input->model, k)->is_free ? 1 : 0;
  }
  return missing - dae_model_n_initial_equations(input->model) - input->n_chosen;
}

/* ---- what may be chosen --------------------------------------------------------------------------- */

typedef struct {
  int key;
  uint32_t unknown;
} Candidate;

static gint
compare_candidates(gconstpointer a, gconstpointer b)
{
  const Candidate *x = a;
  const Candidate *y = b;
  if (x->key != y->key) {
    return x->key < y->key ? -1 : 1;
  }
  return x->unknown < y->unknown ? -1 : x->unknown > y->unknown;
}

/* As check-init prefers them (initcheck/missing.c): differentiated before algebraic, with a start value before those without, then by
 * stateSelect; what was introduced for a derivative comes after the variable itself. */
static GArray *
list_candidates(const DaeStartAssembly *assembly)
{
  const DaeStartInput *input = assembly->input;
  uint32_t n = dae_qlt_n_unknowns(input->qlt);
  g_autofree bool *is_differentiated = g_new0(bool, n + 1);
  for (uint32_t i = 0; i < dae_qlt_n_rows(input->qlt); i++) {
    const DaeQltRow *row = dae_qlt_row(input->qlt, i);
    for (uint32_t e = 0; e < row->n; e++) {
      is_differentiated[row->columns[e]] = true;
    }
  }
  GArray *candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
  for (uint32_t j = 0; j < n; j++) {
    uint32_t k = 0;
    bool is_known = dae_model_find_variable(input->model, dae_qlt_unknown(input->qlt, j), &k);
    const DaeVariable *variable = is_known ? dae_model_variable(input->model, k) : NULL;
    bool has_start = variable != NULL && variable->start != DAE_NO_TERM;
    int select = variable != NULL ? variable->state_select : 0;
    Candidate candidate = {(is_differentiated[j] ? 0 : 10000) + (has_start ? 0 : 1000) +
                               (2 - select) * 150 + (is_known ? 0 : 1),
                           j};
    g_array_append_val(candidates, candidate);
  }
  g_array_sort(candidates, compare_candidates);
  return candidates;
}

/* First those with start values that stand well on their own, then what is differentiated, then whatever adds something. */
static bool
choose(const DaeStartAssembly *assembly, DaeEchelon *echelon, uint32_t wanted, GArray *chosen)
{
  g_autoptr(GArray) candidates = list_candidates(assembly);
  g_autofree bool *is_chosen = g_new0(bool, candidates->len + 1);
  static const struct {
    int below;
    double share;
  } passes[] = {{1000, 1e-2}, {10000, 1e-7}, {10000, 1e-13}, {G_MAXINT, 1e-7}, {G_MAXINT, 1e-13}};

  guint first = chosen->len;
  for (size_t pass = 0; pass < G_N_ELEMENTS(passes); pass++) {
    for (guint i = 0; i < candidates->len && chosen->len - first < wanted; i++) {
      const Candidate *candidate = &g_array_index(candidates, Candidate, i);
      const double one = 1;
      if (candidate->key >= passes[pass].below || dae_echelon_is_over(echelon)) {
        break;
      }
      if (!is_chosen[i] &&
          dae_echelon_add(echelon, &candidate->unknown, &one, 1, passes[pass].share)) {
        is_chosen[i] = true;
        DaeTerm atom = g_array_index(assembly->unknowns, DaeTerm, candidate->unknown);
        g_array_append_val(chosen, atom);
      }
    }
  }
  return chosen->len - first == wanted && !dae_echelon_is_over(echelon);
}

/* ---- rank ------------------------------------------------------------------------------------------ */

typedef struct {
  uint32_t length;
  uint32_t row;
} Row;

static gint
compare_rows(gconstpointer a, gconstpointer b)
{
  const Row *x = a;
  const Row *y = b;
  if (x->length != y->length) {
    return x->length < y->length ? -1 : 1;
  }
  return x->row < y->row ? -1 : x->row > y->row;
}

/* All rows into the echelon form, short ones first; the rank. */
static uint32_t
add_rows(DaeEchelon *echelon, const DaePattern *pattern, const double *values)
{
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(Row));
  for (uint32_t i = 0; i < pattern->n_rows; i++) {
    Row row = {pattern->row_start[i + 1] - pattern->row_start[i], i};
    g_array_append_val(rows, row);
  }
  g_array_sort(rows, compare_rows);
  for (guint k = 0; k < rows->len && !dae_echelon_is_over(echelon); k++) {
    const Row *row = &g_array_index(rows, Row, k);
    uint32_t from = pattern->row_start[row->row];
    dae_echelon_add(echelon, pattern->column + from, values + from, row->length, ROW_SHARE);
  }
  return dae_echelon_rank(echelon);
}

bool
dae_start_is_regular(const DaeStartAssembly *assembly, const DaePattern *pattern,
                     const double *values, GArray *chosen)
{
  int64_t missing = dae_start_missing(assembly);
  if (missing < 0) {
    return false;
  }
  if (missing == 0 && pattern->n_rows == pattern->n_columns) {
    return dae_numeric_is_regular(pattern, values);
  }
  DaeEchelon *echelon = dae_echelon_new(pattern->n_columns, MOST_OPERATIONS);
  bool is_regular =
      add_rows(echelon, pattern, values) + missing == pattern->n_columns &&
      !dae_echelon_is_over(echelon) && choose(assembly, echelon, (uint32_t)missing, chosen);
  dae_echelon_free(echelon);
  return is_regular;
}
