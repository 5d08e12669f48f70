/* A Jacobian that is singular only on the solutions: some entry df_i/dx_j^(sigma) is not
 * identically zero, but the equations make it zero: entry = sum q_k g_k with equations (or
 * derivatives of equations) g_k = 0. If f_i is linear in that derivative,
 *     f_i - x_j^(sigma) * sum q_k g_k
 * has the same solutions everywhere and no longer contains it, so the
 * hidden structure comes to light. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_ENTRIES = 200, MOST_ENTRY_SIZE = 60 };

typedef struct {
  DaeRepair *repair;
  DaeCsr *by_column;
} Reduction;

/* The relations among the variables of the entry, without those of row i
 * itself; their cofactors in q. */
static bool
find_cofactors(Reduction *x, DaeTerm entry, uint32_t i, GArray *relations, GArray *q)
{
  DaeAlgebra *algebra = x->repair->algebra;
  g_autoptr(GArray) found = dae_sig_relations_among(x->repair->sig, entry, &x->by_column);
  g_autoptr(GArray) residuals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint k = 0; k < found->len; k++) {
    DaeSigRelation relation = g_array_index(found, DaeSigRelation, k);
    if (relation.row != i) {
      g_array_append_val(relations, relation);
      g_array_append_val(residuals, relation.residual);
    }
  }
  if (relations->len == 0) {
    return false;
  }
  g_array_set_size(q, relations->len);
  return dae_algebra_cofactors(algebra, entry, (const DaeTerm *)(void *)residuals->data,
                               residuals->len, (DaeTerm *)(void *)q->data);
}

static DaeStepOutcome
reduce_entry(Reduction *x, const DaeSigJacobianEntry *entry, DaeIllPosed *ill_posed)
{
  DaeRepair *repair = x->repair;
  DaeTerms *terms = repair->terms;
  const DaeSig *sig = repair->sig;
  g_autoptr(GArray) relations = g_array_new(FALSE, FALSE, sizeof(DaeSigRelation));
  g_autoptr(GArray) q = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  DaeSymbol symbol = dae_model_variable(sig->model, entry->column)->symbol;
  int32_t sigma = sig->d[entry->column] - sig->c[entry->row];
  DaeTerm atom = dae_term_variable(terms, symbol, (uint32_t)sigma);
  DaeTerm f = g_array_index(repair->residuals, DaeTerm, entry->row);
  DaeTerm slope = DAE_NO_TERM;
  DaeTerm rest = DAE_NO_TERM;
  if (!find_cofactors(x, entry->value, entry->row, relations, q) ||
      !dae_algebra_linear_in(repair->algebra, f, atom, &slope, &rest)) {
    return DAE_STEP_NONE;
  }
  DaeCombination combination;
  dae_combination_init(&combination);
  combination.replaced = entry->row;
  combination.order = g_array_index(repair->orders, int32_t, entry->row);
  dae_combination_append(&combination, terms, dae_term_int(terms, 1), entry->row, 0);
  for (guint k = 0; k < relations->len; k++) {
    const DaeSigRelation *relation = &g_array_index(relations, DaeSigRelation, k);
    DaeTerm factor =
        dae_term_neg(terms, dae_term_mul(terms, g_array_index(q, DaeTerm, k), atom));
    if (!dae_term_is_zero(terms, factor)) {
      dae_combination_append(&combination, terms, factor, relation->row, relation->order);
      int32_t order = relation->order + g_array_index(repair->orders, int32_t, relation->row);
      combination.order = MAX(combination.order, order);
    }
  }
  combination.residual =
      dae_repair_simplify(repair->algebra, rest); /* f without its vanishing part */
  DaeStepOutcome outcome = dae_repair_try_combination(repair, &combination, ill_posed);
  dae_combination_clear(&combination);
  return outcome;
}

DaeStepOutcome
dae_repair_reduce(DaeRepair *repair, DaeIllPosed *ill_posed)
{
  Reduction x = {.repair = repair};
  DaeStepOutcome outcome = DAE_STEP_NONE;
  uint32_t n_tried = 0;
  for (guint k = 0;
       k < repair->sig->jacobian->len && outcome == DAE_STEP_NONE && n_tried < MOST_ENTRIES;
       k++) {
    const DaeSigJacobianEntry *entry =
        &g_array_index(repair->sig->jacobian, DaeSigJacobianEntry, k);
    if (!dae_term_is_parametric(repair->terms, entry->value) &&
        dae_term_size(repair->terms, entry->value) <= MOST_ENTRY_SIZE) {
      n_tried++;
      outcome = reduce_entry(&x, entry, ill_posed);
    }
  }
  dae_csr_free(x.by_column);
  return outcome;
}
