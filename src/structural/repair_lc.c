/* Linear combination [TanNedialkovPryce, section 4]: a left null vector v of a singular diagonal block, theta the least
 * c_i where v_i is not zero, r a row with c_r = theta. Equation r is replaced by
 *     sum over i of v_i * f_i^(c_i - theta) = 0,
 * which has the same solutions wherever v_r is not zero, because it is v_r * f_r plus derivatives of other equations.
 * The highest derivatives of the block's variables cancel, so row r loses its tight entries in the block, and Val(Sigma)
 * falls. That holds if v itself has no derivatives that are too high; instead of that condition we check its purpose, the
 * strict fall of the value, on the new row. Coefficients may depend on the state: then v_r is recorded as a
 * condition. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_CANDIDATES = 24, MOST_SIZE = 20000 };

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

void
dae_repair_append_equation(GString *out, uint32_t i, int32_t order)
{
  for (int32_t k = 0; k < order; k++) {
    g_string_append(out, "der(");
  }
  g_string_append_printf(out, "equation %u", i);
  for (int32_t k = 0; k < order; k++) {
    g_string_append_c(out, ')');
  }
}

/* "2*der(equation 1) - (x + y)*equation 3" */
static void
append_summand(DaeTerms *terms, GString *out, DaeTerm factor, uint32_t i, int32_t order)
{
  bool is_negative = dae_term_is_number(terms, factor) && dae_term_sign(terms, factor) < 0;
  DaeTerm size = is_negative ? dae_term_neg(terms, factor) : factor;
  if (out->len > 0) {
    g_string_append(out, is_negative ? " - " : " + ");
  } else if (is_negative) {
    g_string_append_c(out, '-');
  }
  if (!dae_term_is_one(terms, size)) {
    bool is_sum = dae_term_kind(terms, size) == DAE_KIND_SUM;
    g_string_append(out, is_sum ? "(" : "");
    dae_term_print_limited(terms, size, out, 2000);
    g_string_append(out, is_sum ? ")*" : "*");
  }
  dae_repair_append_equation(out, i, order);
}

typedef struct {
  DaeTerm residual;
  uint32_t replaced;
  GString *text;
  GArray *nonzero; /* DaeTerm */
  GArray *rows;    /* uint32_t: the equations combined */
  int32_t order;   /* highest derivative of an original equation in it */
} Combination;

static void
clear_combination(Combination *x)
{
  g_string_free(x->text, TRUE);
  g_array_unref(x->nonzero);
  g_array_unref(x->rows);
}

static bool
begins_with_minus(const DaeTerms *terms, DaeTerm t)
{
  for (int depth = 0; depth < 2; depth++) { /* a sum, then its first operand */
    if (dae_term_kind(terms, t) == DAE_KIND_PRODUCT ||
        dae_term_kind(terms, t) == DAE_KIND_SUM) {
      uint32_t n = 0;
      const DaeTerm *operands = dae_term_operands(terms, t, &n);
      bool skips_number =
          dae_term_kind(terms, t) == DAE_KIND_SUM && dae_term_is_number(terms, operands[0]);
      t = operands[skips_number ? 1 : 0];
    }
  }
  return dae_term_is_number(terms, t) && dae_term_sign(terms, t) < 0;
}

/* The simplest form of the combination, as one numerator; its denominators come from the equations themselves. */
static DaeTerm
simplify_residual(DaeAlgebra *algebra, DaeTerm t)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  if (dae_term_size(terms, t) > MOST_SIZE) {
    return t;
  }
  DaeTerm simple = dae_algebra_simplify(algebra, dae_terms_rewrite(terms, t));
  if (simple == DAE_NO_TERM) {
    return t;
  }
  return begins_with_minus(terms, simple) ? dae_term_neg(terms, simple) : simple;
}

static bool
build_combination(const DaeRepair *repair, const DaeSigBlock *block, const Candidate *candidate,
                  Combination *x)
{
  DaeTerms *terms = repair->terms;
  const DaeNullVector *vector = candidate->vector;
  int32_t theta = least_offset(repair, block, vector);
  DaeTerm v_r = vector->v[candidate->at];
  DaeTerm sum = dae_term_int(terms, 0);
  x->replaced = row_of(block, vector, candidate->at);
  x->text = g_string_new(NULL);
  x->nonzero = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  x->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
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
    append_summand(terms, x->text, factor, i, order);
    g_array_append_val(x->rows, i);
    x->order = MAX(x->order, order + g_array_index(repair->orders, int32_t, i));
  }
  if (candidate->cost > 0) {
    g_array_append_val(x->nonzero, v_r);
  }
  x->residual = simplify_residual(repair->algebra, sum);
  return true;
}

static gint
compare_indices(gconstpointer a, gconstpointer b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The original equations behind these rows, each once. */
GArray *
dae_repair_join_origins(const DaeRepair *repair, const GArray *rows)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  GArray *origins = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint k = 0; k < rows->len; k++) {
    const GArray *from = g_ptr_array_index(repair->origins, g_array_index(rows, uint32_t, k));
    g_array_append_vals(all, from->data, from->len);
  }
  g_array_sort(all, compare_indices);
  for (guint k = 0; k < all->len; k++) {
    uint32_t i = g_array_index(all, uint32_t, k);
    if (origins->len == 0 || g_array_index(origins, uint32_t, origins->len - 1) != i) {
      g_array_append_val(origins, i);
    }
  }
  return origins;
}

/* Puts the new row in place. */
static void
place_row(DaeRepair *repair, const Combination *x, GArray *row)
{
  DaeEquation *equation = &g_array_index(repair->equations, DaeEquation, x->replaced);
  GArray *origins = dae_repair_join_origins(repair, x->rows);
  equation->lhs = x->residual;
  equation->rhs = dae_term_int(repair->terms, 0);
  g_array_index(repair->residuals, DaeTerm, x->replaced) = x->residual;
  g_array_index(repair->orders, int32_t, x->replaced) = x->order;
  g_array_unref(g_ptr_array_index(repair->origins, x->replaced));
  g_ptr_array_index(repair->origins, x->replaced) = origins;
  g_array_unref(g_ptr_array_index(repair->rows, x->replaced));
  g_ptr_array_index(repair->rows, x->replaced) = g_array_ref(row);
}

static void
record_step(DaeRepair *repair, const Combination *x, int64_t change)
{
  DaeRepairStep step = {.method = DAE_REPAIR_LINEAR_COMBINATION,
                        .replaced = x->replaced,
                        .combination = g_strdup(x->text->str),
                        .by_lhs = x->residual,
                        .by_rhs = dae_term_int(repair->terms, 0),
                        .n_nonzero = x->nonzero->len,
                        .value_before = repair->value,
                        .value_after = repair->value + change};
  DAE_ASSERT(step.value_after < step.value_before);
  step.nonzero = g_memdup2(x->nonzero->data, sizeof(DaeTerm) * x->nonzero->len);
  g_array_append_val(repair->steps, step);
  repair->value = step.value_after;
}

static DaeStepOutcome
try_candidate(DaeRepair *repair, const DaeSigBlock *block, const Candidate *candidate,
              DaeIllPosed *ill_posed)
{
  Combination x = {0};
  DaeStepOutcome outcome = DAE_STEP_NONE;
  if (build_combination(repair, block, candidate, &x)) {
    g_autoptr(GArray) row =
        dae_sigma_build_row(repair->algebra, repair->sig->model, x.residual);
    int64_t change = 0;
    if (row->len == 0) {
      dae_ill_posed_from_constant(repair, x.residual, x.rows, ill_posed);
      outcome = DAE_STEP_ILL_POSED;
    } else if (!dae_repair_value_with_row(repair, x.replaced, row, &change)) {
      /* the converted system is equivalent and has too many equations for some variables */
      place_row(repair, &x, row);
      dae_ill_posed_from_excess(repair, ill_posed);
      outcome = DAE_STEP_ILL_POSED;
    } else if (change < 0) {
      record_step(repair, &x, change);
      place_row(repair, &x, row);
      outcome = DAE_STEP_DONE;
    }
  }
  clear_combination(&x);
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
