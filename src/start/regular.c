/* A start without a proof: is everything determined, regularly, and what is to be chosen where
 * something is missing? The gradients are taken at a point where the equations hold, in
 * floating point; what is not clear there is left to initcheck. */
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
  missing += dae_initial_n_free_parameters(input->initial);
  return missing - dae_initial_n_conditions(input->initial) - input->n_chosen;
}

/* ---- what may be chosen ------------------------------------------------------------------ */

const DaeStartWish *
dae_start_find_wish(const DaeStartInput *input, DaeTerm atom)
{
  for (uint32_t i = 0; i < input->n_wishes; i++) {
    if (input->wishes[i].atom == atom) {
      return &input->wishes[i];
    }
  }
  return NULL;
}

typedef struct {
  int key;
  uint32_t unknown; /* from the number of unknowns on: a wish */
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

/* Ranges of keys: differentiated with a start value, algebraic or solved beforehand with one,
 * differentiated without, others. */
enum { WRITTEN = 1000, DEFAULT = 10000, OTHER = 20000 };

/* As check-init prefers them (initcheck/missing.c): a start value that was written goes before
 * a 0 that was not; differentiated before algebraic; then by stateSelect; what was introduced
 * for a derivative comes after the variable itself. */
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
    int rank = (2 - select) * 150 + (is_known ? 0 : 1);
    Candidate candidate = {rank + (is_differentiated[j] ? (has_start ? 0 : DEFAULT)
                                                        : (has_start ? WRITTEN : OTHER)),
                           j};
    g_array_append_val(candidates, candidate);
  }
  for (uint32_t i = 0; i < input->n_wishes; i++) {
    Candidate candidate = {WRITTEN + 300, n + i};
    g_array_append_val(candidates, candidate);
  }
  g_array_sort(candidates, compare_candidates);
  return candidates;
}

typedef struct {
  const DaeStartAssembly *assembly;
  const double *x;
  double shift; /* of unknowns without a start value */
  GHashTable *position;
} Point;

static bool
value_at_point(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  gpointer found = g_hash_table_lookup(point->position, GUINT_TO_POINTER(atom));
  bool has_start = false;
  if (found == NULL) {
    return false;
  }
  dae_start_guess(point->assembly, atom, &has_start);
  *value = point->x[GPOINTER_TO_UINT(found) - 1] + (has_start ? 0 : point->shift);
  return true;
}

/* Does fixing the wish add something? Where its gradient has no value (n/V at
 * V = 0), a point beside tells. */
static bool
add_wish(Point *point, DaeEchelon *echelon, DaeTerm term, double share)
{
  static const double shifts[] = {0, 0.37};
  DaeTerms *terms = point->assembly->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_gradient(terms, term, atoms, partials);
  for (size_t k = 0; k < G_N_ELEMENTS(shifts); k++) {
    g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    point->shift = shifts[k];
    for (guint a = 0; a < atoms->len; a++) {
      double slope = 0;
      gpointer found = g_hash_table_lookup(point->position,
                                           GUINT_TO_POINTER(g_array_index(atoms, DaeTerm, a)));
      uint32_t column = GPOINTER_TO_UINT(found) - 1;
      if (found == NULL || dae_term_eval_double(terms, g_array_index(partials, DaeTerm, a),
                                                value_at_point, point, &slope) != DAE_EVAL_OK) {
        break;
      }
      g_array_append_val(columns, column);
      g_array_append_val(values, slope);
    }
    if (columns->len == atoms->len) {
      return dae_echelon_add(echelon, (const uint32_t *)(void *)columns->data,
                             (const double *)(void *)values->data, columns->len, share);
    }
  }
  return false;
}

static bool
add_candidate(Point *point, DaeEchelon *echelon, uint32_t unknown, double share, DaeTerm *atom)
{
  const DaeStartInput *input = point->assembly->input;
  uint32_t n = dae_qlt_n_unknowns(input->qlt);
  if (unknown >= n) {
    *atom = input->wishes[unknown - n].atom;
    return add_wish(point, echelon, input->wishes[unknown - n].term, share);
  }
  const double one = 1;
  *atom = g_array_index(point->assembly->unknowns, DaeTerm, unknown);
  return dae_echelon_add(echelon, &unknown, &one, 1, share);
}

static GHashTable *
positions(const GArray *unknowns)
{
  GHashTable *position = g_hash_table_new(NULL, NULL);
  for (guint j = 0; j < unknowns->len; j++) {
    g_hash_table_insert(position, GUINT_TO_POINTER(g_array_index(unknowns, DaeTerm, j)),
                        GUINT_TO_POINTER(j + 1));
  }
  return position;
}

/* First those with start values that stand well on their own, then what is differentiated,
 * then whatever adds something. */
static bool
choose(const DaeStartAssembly *assembly, DaeEchelon *echelon, const double *x, uint32_t wanted,
       GArray *chosen)
{
  g_autoptr(GArray) candidates = list_candidates(assembly);
  g_autofree bool *is_chosen = g_new0(bool, candidates->len + 1);
  g_autoptr(GHashTable) position = positions(assembly->unknowns);
  Point point = {assembly, x, 0, position};

  static const struct {
    int below;
    double share;
  } passes[] = {
      {DEFAULT, 1e-2}, {OTHER, 1e-7}, {OTHER, 1e-13}, {G_MAXINT, 1e-7}, {G_MAXINT, 1e-13}};

  guint first = chosen->len;
  for (size_t pass = 0; pass < G_N_ELEMENTS(passes); pass++) {
    for (guint i = 0; i < candidates->len && chosen->len - first < wanted; i++) {
      const Candidate *candidate = &g_array_index(candidates, Candidate, i);
      DaeTerm atom = DAE_NO_TERM;
      if (candidate->key >= passes[pass].below || dae_echelon_is_over(echelon)) {
        break;
      }
      if (!is_chosen[i] &&
          add_candidate(&point, echelon, candidate->unknown, passes[pass].share, &atom)) {
        is_chosen[i] = true;
        g_array_append_val(chosen, atom);
      }
    }
  }
  return chosen->len - first == wanted && !dae_echelon_is_over(echelon);
}

/* ---- rank -------------------------------------------------------------------------------- */

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

/* All rows into the echelon form, short ones first; the rank. is_kept: those that added to it;
 * NULL: nobody asks. */
static uint32_t
add_rows(DaeEchelon *echelon, const DaePattern *pattern, const double *values, bool *is_kept)
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
    bool added =
        dae_echelon_add(echelon, pattern->column + from, values + from, row->length, ROW_SHARE);
    if (is_kept != NULL) {
      is_kept[row->row] = added;
    }
  }
  return dae_echelon_rank(echelon);
}

bool *
dae_start_independent_rows(const DaeStartNumbers *numbers, const double *x)
{
  const DaePattern pattern = dae_start_pattern(numbers);
  g_autofree double *values = g_new0(double, numbers->pattern.columns->len + 1);
  g_autofree bool *is_kept = g_new0(bool, numbers->m + 1);
  if (dae_start_run(numbers, numbers->jacobian_tape, x, values) != 0) {
    return NULL;
  }
  DaeEchelon *echelon = dae_echelon_new(pattern.n_columns, MOST_OPERATIONS);
  bool is_full = add_rows(echelon, &pattern, values, is_kept) == pattern.n_columns &&
                 !dae_echelon_is_over(echelon);
  dae_echelon_free(echelon);
  return is_full ? g_steal_pointer(&is_kept) : NULL;
}

bool
dae_start_is_regular(const DaeStartAssembly *assembly, const DaePattern *pattern,
                     const double *values, const double *x, GArray *chosen)
{
  int64_t missing = dae_start_missing(assembly);
  if (missing < 0) {
    return false;
  }
  if (missing == 0 && pattern->n_rows == pattern->n_columns) {
    return dae_numeric_is_regular(pattern, values);
  }
  DaeEchelon *echelon = dae_echelon_new(pattern->n_columns, MOST_OPERATIONS);
  bool is_regular = add_rows(echelon, pattern, values, NULL) + missing == pattern->n_columns &&
                    !dae_echelon_is_over(echelon) &&
                    choose(assembly, echelon, x, (uint32_t)missing, chosen);
  dae_echelon_free(echelon);
  return is_regular;
}
