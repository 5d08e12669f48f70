/* New equations from old ones: text, origin, and the check that the value falls. Shared by
 * repair_lc.c and repair_reduce.c. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_SIZE = 20000 /* nodes: larger combinations are left as they are */ };

void
dae_combination_init(DaeCombination *x)
{
  *x = (DaeCombination){.residual = DAE_NO_TERM};
  x->text = dae_styled_string_new();
  x->nonzero = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  x->rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

void
dae_combination_clear(DaeCombination *x)
{
  dae_styled_string_clear(&x->text);
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

/* "der(equation 3)", "equation 0" */
static void
append_equation_name(DaeStyledString *out, uint32_t i, int32_t order)
{
  for (int s = 0; s < DAE_N_PRINT_STYLES; s++) {
    dae_print_derivative_begin(out->in[s], (DaePrintStyle)s, (uint32_t)order);
    g_string_append_printf(out->in[s], "equation %u", i);
    dae_print_derivative_end(out->in[s], (DaePrintStyle)s, (uint32_t)order);
  }
}

void
dae_combination_append(DaeCombination *x, DaeTerms *terms, DaeTerm factor, uint32_t i,
                       int32_t order)
{
  DaeStyledString *out = &x->text;
  bool is_negative = begins_with_minus(terms, factor);
  DaeTerm size = is_negative ? dae_term_neg(terms, factor) : factor;
  if (out->in[DAE_PRINT_MODELICA]->len > 0) {
    dae_styled_append(out, is_negative ? " - " : " + ");
  } else if (is_negative) {
    dae_styled_append(out, "-");
  }
  if (!dae_term_is_one(terms, size)) {
    bool is_sum = dae_term_kind(terms, size) == DAE_KIND_SUM;
    dae_styled_append(out, is_sum ? "(" : "");
    dae_styled_append_term(out, terms, size, 2000);
    dae_styled_append(out, is_sum ? ")" : "");
    for (int s = 0; s < DAE_N_PRINT_STYLES; s++) {
      g_string_append(out->in[s], dae_print_times((DaePrintStyle)s));
    }
  }
  append_equation_name(out, i, order);
  g_array_append_val(x->rows, i);
}

DaeTerm
dae_repair_simplify(DaeAlgebra *algebra, DaeTerm t)
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
place_row(DaeRepair *repair, const DaeCombination *x, GArray *row)
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
record_step(DaeRepair *repair, const DaeCombination *x, DaeRepairMethod method, int64_t change)
{
  DaeRepairStep step = {.method = method,
                        .replaced = x->replaced,
                        .combination = dae_styled_string_copy(&x->text),
                        .by_lhs = x->residual,
                        .by_rhs = dae_term_int(repair->terms, 0),
                        .n_nonzero = x->nonzero->len,
                        .value_before = repair->value,
                        .value_after = repair->value + change};
  DAE_ASSERT(step.value_after < step.value_before || method == DAE_REPAIR_RADICAL);
  step.nonzero = g_memdup2(x->nonzero->data, sizeof(DaeTerm) * x->nonzero->len);
  g_array_append_val(repair->steps, step);
  repair->value = step.value_after;
}

DaeStepOutcome
dae_repair_try_combination(DaeRepair *repair, const DaeCombination *x, DaeIllPosed *ill_posed)
{
  g_autoptr(GArray) row = dae_sigma_build_row(repair->algebra, repair->sig->model, x->residual);
  int64_t change = 0;
  if (row->len == 0) {
    dae_ill_posed_from_constant(repair, x->residual, x->rows, ill_posed);
    return DAE_STEP_ILL_POSED;
  }
  if (!dae_repair_value_with_row(repair, x->replaced, row, &change)) {
    /* the converted system is equivalent and has too many equations for some variables */
    place_row(repair, x, row);
    dae_ill_posed_from_excess(repair, ill_posed);
    return DAE_STEP_ILL_POSED;
  }
  if (change >= 0) {
    return DAE_STEP_NONE;
  }
  record_step(repair, x, DAE_REPAIR_LINEAR_COMBINATION, change);
  place_row(repair, x, row);
  return DAE_STEP_DONE;
}

bool
dae_repair_place_radical(DaeRepair *repair, const DaeCombination *x)
{
  g_autoptr(GArray) row = dae_sigma_build_row(repair->algebra, repair->sig->model, x->residual);
  int64_t change = 0;
  bool has_value = repair->sig->transversal != NULL; /* else only the whole system has one */
  if (row->len == 0 ||
      (has_value && !dae_repair_value_with_row(repair, x->replaced, row, &change)) ||
      change > 0) {
    return false;
  }
  record_step(repair, x, DAE_REPAIR_RADICAL, change);
  place_row(repair, x, row);
  return true;
}
