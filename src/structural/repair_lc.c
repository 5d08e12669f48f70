/* Linear combination [TanNedialkovPryce17, section 4]: a left null vector v of a
 * singular diagonal block, theta the least c_i where v_i is not zero, r a row with c_r =
 * theta. Equation r is replaced by
 *     sum over i of v_i * f_i^(c_i - theta) = 0,
 * which has the same solutions wherever v_r is not zero, because it is v_r * f_r plus derivatives
 * of other equations. The highest derivatives of the block's variables cancel, so row r loses its
 * tight entries in the block, and Val(Sigma) falls. That holds if v itself has no derivatives that
 * are too high; instead of that condition we check its purpose, the strict fall of the value, on
 * the new row. Coefficients may depend on the state: then v_r is recorded as a condition. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_CANDIDATES = 24 };

typedef struct {
  const DaeNullVector *vector;
  guint at;      /* place of r in the vector */
  int cost;      /* 0: v_r is a number, 1: parameters only, 2: depends on the state */
  guint n_plain; /* how many coefficients are numbers */
} Candidate;

static uint32_t
row_of(const DaeSigBlock *block, const DaeNullVector *vector, guint k)
{
  return block->equations[g_array_index(vector->rows, uint32_t, k)];
}

static int32_t
least_offset(const DaeRepair *repair, const DaeSigBlock *block, const DaeNullVector *vector)
{
  int32_t theta = INT32_MAX;
  for (guint k = 0; k < vector->rows->len; k++) {
    theta = MIN(theta, repair->sig->c[row_of(block, vector, k)]);
  }
  return theta;
}

static gint
compare_candidates(gconstpointer a, gconstpointer b)
{
  const Candidate *x = a;
  const Candidate *y = b;
  if (x->cost != y->cost) {
    return x->cost - y->cost;
  }
  guint complex_x = x->vector->rows->len - x->n_plain;
  guint complex_y = y->vector->rows->len - y->n_plain;
  if (complex_x != complex_y) {
    return complex_x < complex_y ? -1 : 1;
  }
  if (x->vector->rows->len != y->vector->rows->len) {
    return x->vector->rows->len < y->vector->rows->len ? -1 : 1;
  }
  uint32_t p = g_array_index(x->vector->rows, uint32_t, x->at);
  uint32_t q = g_array_index(y->vector->rows, uint32_t, y->at);
  return p < q ? -1 : p > q;
}

static GArray *
list_candidates(const DaeRepair *repair, const DaeSigBlock *block, const GPtrArray *vectors)
{
  GArray *candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));
  for (guint n = 0; n < vectors->len; n++) {
    const DaeNullVector *vector = g_ptr_array_index(vectors, n);
    int32_t theta = least_offset(repair, block, vector);
    guint n_plain = 0;
    for (guint k = 0; k < vector->rows->len; k++) {
      n_plain += dae_term_is_number(repair->terms, vector->v[k]);
    }
    for (guint k = 0; k < vector->rows->len; k++) {
      if (repair->sig->c[row_of(block, vector, k)] == theta) {
        bool is_number = dae_term_is_number(repair->terms, vector->v[k]);
        int cost = is_number ? 0 : dae_term_is_parametric(repair->terms, vector->v[k]) ? 1 : 2;
        Candidate candidate = {vector, k, cost, n_plain};
        g_array_append_val(candidates, candidate);
      }
    }
  }
  g_array_sort(candidates, compare_candidates);
  return candidates;
}

static bool
build_combination(const DaeRepair *repair, const DaeSigBlock *block, const Candidate *candidate,
                  DaeCombination *x)
{
  DaeTerms *terms = repair->terms;
  const DaeNullVector *vector = candidate->vector;
  int32_t theta = least_offset(repair, block, vector);
  DaeTerm v_r = vector->v[candidate->at];
  DaeTerm sum = dae_term_int(terms, 0);
  x->replaced = row_of(block, vector, candidate->at);
  for (guint k = 0; k < vector->rows->len; k++) {
    uint32_t i = row_of(block, vector, k);
    int32_t order = repair->sig->c[i] - theta;
    DaeTerm factor =
        candidate->cost == 0 ? dae_term_div(terms, vector->v[k], v_r) : vector->v[k];
    DaeTerm f = g_array_index(repair->residuals, DaeTerm, i);
    for (int32_t n = 0; n < order; n++) {
      f = dae_term_total(terms, f);
    }
    sum = dae_term_add(terms, sum, dae_term_mul(terms, factor, f));
    if (sum == DAE_NO_TERM) {
      return false;
    }
    dae_combination_append(x, terms, factor, i, order);
    x->order = MAX(x->order, order + g_array_index(repair->orders, int32_t, i));
  }
  if (candidate->cost > 0) {
    g_array_append_val(x->nonzero, v_r);
  }
  x->residual = dae_repair_simplify(repair->algebra, sum);
  return true;
}

static DaeStepOutcome
try_candidate(DaeRepair *repair, const DaeSigBlock *block, const Candidate *candidate,
              DaeIllPosed *ill_posed)
{
  DaeCombination x;
  DaeStepOutcome outcome = DAE_STEP_NONE;
  dae_combination_init(&x);
  if (build_combination(repair, block, candidate, &x)) {
    outcome = dae_repair_try_combination(repair, &x, ill_posed);
  }
  dae_combination_clear(&x);
  return outcome;
}

DaeStepOutcome
dae_repair_combine(DaeRepair *repair, uint32_t b, DaeIllPosed *ill_posed)
{
  const DaeSigBlock *block = &repair->sig->fine[b];
  DaeBlockMatrix matrix;
  dae_sig_block_matrix(repair->sig, b, &matrix);
  g_autoptr(GPtrArray) vectors = dae_sig_null_vectors(repair->algebra, &matrix, false);
  dae_block_matrix_clear(&matrix);
  g_autoptr(GArray) candidates = list_candidates(repair, block, vectors);
  for (guint k = 0; k < MIN(candidates->len, MOST_CANDIDATES); k++) {
    DaeStepOutcome outcome =
        try_candidate(repair, block, &g_array_index(candidates, Candidate, k), ill_posed);
    if (outcome != DAE_STEP_NONE) {
      return outcome;
    }
  }
  return DAE_STEP_NONE;
}
