/* Large systems are mostly chains of explicit equations around a small core (frames of a linkage
 * around its angles). Unknowns that are defined one after the other by equations in which they are
 * linear with a coefficient that is known and not zero are put into the others; what stays is the
 * core, which the dense proof is for. The determinant of the whole is that of the core times the
 * coefficients, so a regular core means a regular whole. */
#include "algebra/solution-priv.h"

enum { LONGEST_SUM = 200 }; /* operands: what is put in must not grow without bound */

typedef struct {
  GArray *columns; /* uint32_t: unknowns of the row */
  uint32_t n_open; /* of them: neither kept nor defined yet */
  bool is_used;    /* defines an unknown */
  bool is_hard;    /* cannot define its last one */
} Row;

typedef struct {
  DaeSolution *solution;
  DaeTerms *terms;
  const DaeStage *stage;
  GHashTable *column; /* unknown -> its number + 1 */
  Row *rows;
  GArray **rows_of; /* by unknown: uint32_t */
  bool *is_settled; /* kept or defined */
  GArray *ready;    /* uint32_t: rows with one open unknown */
  DaeSubst *defined;
  DaeTorn *torn;
} Tearing;

static bool
column_of(const Tearing *t, DaeTerm atom, uint32_t *j)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(t->column, GUINT_TO_POINTER(atom)));
  *j = place - 1;
  return place > 0;
}

static bool
has_unknowns(const Tearing *t, DaeTerm term)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  uint32_t j = 0;
  dae_term_collect_variables(t->terms, term, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    if (column_of(t, g_array_index(atoms, DaeTerm, k), &j)) {
      return true;
    }
  }
  return false;
}

static bool
is_nonzero(const Tearing *t, DaeTerm coefficient)
{
  if (dae_term_is_number(t->terms, coefficient)) {
    return !dae_term_is_zero(t->terms, coefficient);
  }
  return !has_unknowns(t, coefficient) && dae_solution_excludes_zero(t->solution, coefficient);
}

/* x from row i: -row(x = 0)/coefficient over kept unknowns; DAE_NO_TERM: not so. */
static DaeTerm
definition_from(const Tearing *t, uint32_t i, DaeTerm x)
{
  DaeTerm row = t->stage->equations[i];
  DaeTerm coefficient = dae_term_partial(t->terms, row, x);
  if (coefficient == DAE_NO_TERM || !is_nonzero(t, coefficient)) {
    return DAE_NO_TERM;
  }
  DaeTerm rest = dae_term_replace(t->terms, row, x, dae_term_int(t->terms, 0));
  if (rest == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  if (dae_term_has_break(t->terms, row) && /* the slope does not show jumps */
      dae_term_add(t->terms, dae_term_mul(t->terms, coefficient, x), rest) != row) {
    return DAE_NO_TERM;
  }
  DaeTerm value = dae_subst_apply(t->defined, rest);
  value = value == DAE_NO_TERM ? value : dae_term_div(t->terms, value, coefficient);
  value = value == DAE_NO_TERM ? value : dae_term_neg(t->terms, value);
  uint32_t n = 0;
  if (value != DAE_NO_TERM && dae_term_kind(t->terms, value) == DAE_KIND_SUM) {
    dae_term_operands(t->terms, value, &n);
  }
  return n > LONGEST_SUM ? DAE_NO_TERM : value;
}

static void
settle(Tearing *t, uint32_t j)
{
  t->is_settled[j] = true;
  for (guint k = 0; k < t->rows_of[j]->len; k++) {
    uint32_t i = g_array_index(t->rows_of[j], uint32_t, k);
    if (--t->rows[i].n_open == 1) {
      g_array_append_val(t->ready, i);
    }
  }
}

static uint32_t
open_unknown(const Tearing *t, const Row *row)
{
  for (guint k = 0; k < row->columns->len; k++) {
    uint32_t j = g_array_index(row->columns, uint32_t, k);
    if (!t->is_settled[j]) {
      return j;
    }
  }
  return UINT32_MAX;
}

/* Defines what can be defined now. */
static void
define_ready(Tearing *t)
{
  for (guint k = 0; k < t->ready->len; k++) {
    uint32_t i = g_array_index(t->ready, uint32_t, k);
    Row *row = &t->rows[i];
    if (row->n_open != 1 || row->is_used) {
      continue;
    }
    uint32_t j = open_unknown(t, row);
    DaeTerm x = t->stage->unknowns[j];
    DaeTerm value = definition_from(t, i, x);
    if (value == DAE_NO_TERM) {
      row->is_hard = true;
      continue;
    }
    row->is_used = true;
    dae_subst_set(t->defined, x, value);
    g_array_append_val(t->torn->defined, x);
    g_array_append_val(t->torn->values, value);
    settle(t, j);
  }
  g_array_set_size(t->ready, 0);
}

static uint32_t
n_open_rows(const Tearing *t, uint32_t j)
{
  uint32_t n = 0;
  for (guint k = 0; k < t->rows_of[j]->len; k++) {
    const Row *row = &t->rows[g_array_index(t->rows_of[j], uint32_t, k)];
    n += row->n_open > 1;
  }
  return n;
}

/* The next unknown to keep: those whose values are best known first, then the last one of an
 * equation that cannot define it, then one of an equation that lacks few. */
static uint32_t
choose_kept(const Tearing *t)
{
  const DaeStage *stage = t->stage;
  uint32_t best = UINT32_MAX;
  uint8_t rank = 0;
  uint32_t n_best = 0;
  for (uint32_t j = 0; stage->rank != NULL && j < stage->n_unknowns; j++) {
    uint32_t n = t->is_settled[j] || stage->rank[j] == 0 ? 0 : n_open_rows(t, j);
    if (n > 0 && (stage->rank[j] > rank || (stage->rank[j] == rank && n > n_best))) {
      best = j;
      rank = stage->rank[j];
      n_best = n;
    }
  }
  if (best != UINT32_MAX) {
    return best;
  }
  uint32_t fewest = UINT32_MAX;
  for (uint32_t i = 0; i < stage->n_equations; i++) {
    const Row *row = &t->rows[i];
    if (row->n_open > 0 && row->n_open < fewest) {
      fewest = row->n_open;
      n_best = 0;
      for (guint k = 0; k < row->columns->len; k++) {
        uint32_t j = g_array_index(row->columns, uint32_t, k);
        uint32_t n = t->is_settled[j] ? 0 : 1 + n_open_rows(t, j);
        if (n > n_best) {
          n_best = n;
          best = j;
        }
      }
    }
  }
  for (uint32_t j = 0; j < stage->n_unknowns && best == UINT32_MAX; j++) {
    best = t->is_settled[j] ? best : j; /* occurs nowhere */
  }
  return best;
}

static void
tearing_init(Tearing *t)
{
  const DaeStage *stage = t->stage;
  t->column = g_hash_table_new(g_direct_hash, g_direct_equal);
  t->rows = g_new0(Row, (size_t)stage->n_equations + 1);
  t->rows_of = g_new0(GArray *, (size_t)stage->n_unknowns + 1);
  t->is_settled = g_new0(bool, (size_t)stage->n_unknowns + 1);
  t->ready = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  t->defined = dae_subst_new(t->terms);
  for (uint32_t j = 0; j < stage->n_unknowns; j++) {
    g_hash_table_insert(t->column, GUINT_TO_POINTER(stage->unknowns[j]),
                        GUINT_TO_POINTER(j + 1));
    t->rows_of[j] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  for (uint32_t i = 0; i < stage->n_equations; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    t->rows[i].columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dae_term_collect_variables(t->terms, stage->equations[i], atoms);
    for (guint k = 0; k < atoms->len; k++) {
      uint32_t j = 0;
      if (column_of(t, g_array_index(atoms, DaeTerm, k), &j)) {
        g_array_append_val(t->rows[i].columns, j);
        g_array_append_val(t->rows_of[j], i);
      }
    }
    t->rows[i].n_open = t->rows[i].columns->len;
    if (t->rows[i].n_open == 1) {
      g_array_append_val(t->ready, i);
    }
  }
}

static void
tearing_clear(Tearing *t)
{
  for (uint32_t i = 0; i < t->stage->n_equations; i++) {
    g_array_unref(t->rows[i].columns);
  }
  for (uint32_t j = 0; j < t->stage->n_unknowns; j++) {
    g_array_unref(t->rows_of[j]);
  }
  g_free(t->rows);
  g_free(t->rows_of);
  g_free(t->is_settled);
  g_array_unref(t->ready);
  g_hash_table_unref(t->column);
  dae_subst_free(t->defined);
}

/* The equations that define nothing, over the kept unknowns. */
static bool
fill_core(Tearing *t)
{
  for (uint32_t i = 0; i < t->stage->n_equations; i++) {
    if (!t->rows[i].is_used) {
      DaeTerm row = dae_subst_apply(t->defined, t->stage->equations[i]);
      if (row == DAE_NO_TERM) {
        return false;
      }
      g_array_append_val(t->torn->equations, row);
    }
  }
  return true;
}

void
dae_torn_init(DaeTorn *torn)
{
  torn->equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  torn->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  torn->near = g_array_new(FALSE, FALSE, sizeof(double));
  torn->defined = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  torn->values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
}

void
dae_torn_clear(DaeTorn *torn)
{
  g_array_unref(torn->equations);
  g_array_unref(torn->unknowns);
  g_array_unref(torn->near);
  g_array_unref(torn->defined);
  g_array_unref(torn->values);
}

bool
dae_solution_tear(DaeSolution *solution, const DaeStage *stage, DaeTorn *torn)
{
  Tearing t = {
      .solution = solution, .terms = solution->algebra->terms, .stage = stage, .torn = torn};
  tearing_init(&t);
  define_ready(&t);
  for (uint32_t j = choose_kept(&t); j != UINT32_MAX; j = choose_kept(&t)) {
    g_array_append_val(torn->unknowns, stage->unknowns[j]);
    g_array_append_val(torn->near, stage->near[j]);
    settle(&t, j);
    define_ready(&t);
  }
  bool ok = fill_core(&t) && torn->equations->len <= torn->unknowns->len;
  tearing_clear(&t);
  return ok;
}
