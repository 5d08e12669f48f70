/* Blocks that may have no solution although their Jacobian is regular everywhere. A row with a value
 * that jumps, where the row itself or a later one decides on which side it is: in x = if x < 1.5
 * then 2 else 1 the slope is 1 in both branches, and neither agrees with its condition; y = x;
 * x = if y < 1.5 then 2 else 1 is the same in two blocks, as Sigma has no entry where a condition
 * stands. What is continuous, made of affine pieces and has a determinant of one sign is onto
 * [Scholtes12, chapter 2]; where it jumps, only a point tells.
 *
 * A row whose residual has one sign, exp(x) = -1 or der(x)^2 = -1 - x^2, has no solution at all. */
#include <math.h>

#include "base/base.h"
#include "structural/sig-priv.h"

enum {
  MOST_CONTINUOUS = 200, /* if-terms whose branches are compared, of a model */
  MOST_SIGNS = 50,       /* rows whose sign is asked for, and one more for each */
  ROWS_A_SIGN = 1000,    /* so many rows of the model: a certificate is a fifth of the rest */
  SIGN_SIZE = 200,       /* nodes in each of them */
  N_PROBES = 4           /* points at which it is looked at first */
};

typedef struct {
  DaeSig *sig;
  DaeAlgebra *algebra;
  const DaePointOrder *order; /* of all blocks; NULL: no row has a break */
  uint32_t n_compared, n_signs, most_signs;
} Doubts;

/* c of (if c then 1 else 0) > 1/2: a Boolean unknown of the start is a number. */
static DaeTerm
behind_flag(const DaeTerms *terms, DaeTerm condition)
{
  DaeTerm left = dae_term_kind(terms, condition) == DAE_KIND_RELATION
                     ? dae_term_operand(terms, condition, 0)
                     : DAE_NO_TERM;
  bool is_flag = left != DAE_NO_TERM && dae_term_kind(terms, left) == DAE_KIND_IF &&
                 dae_term_is_number(terms, dae_term_operand(terms, left, 1)) &&
                 dae_term_is_number(terms, dae_term_operand(terms, left, 2)) &&
                 dae_term_is_number(terms, dae_term_operand(terms, condition, 1));
  return is_flag ? dae_term_operand(terms, left, 0) : condition;
}

/* Do the branches meet where the condition changes? */
static bool
is_continuous(Doubts *doubts, DaeTerm t)
{
  DaeTerms *terms = doubts->sig->terms;
  DaeTerm condition = behind_flag(terms, dae_term_operand(terms, t, 0));
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION ||
      dae_term_relation_op(terms, condition) == DAE_REL_EQ ||
      dae_term_relation_op(terms, condition) == DAE_REL_NE ||
      ++doubts->n_compared > MOST_CONTINUOUS) {
    return false;
  }
  DaeTerm edge = dae_term_sub(terms, dae_term_operand(terms, condition, 0),
                              dae_term_operand(terms, condition, 1));
  DaeTerm step =
      dae_term_sub(terms, dae_term_operand(terms, t, 1), dae_term_operand(terms, t, 2));
  edge = edge != DAE_NO_TERM ? dae_sig_at_values(doubts->sig, edge) : edge;
  step = step != DAE_NO_TERM ? dae_sig_at_values(doubts->sig, step) : step;
  return edge != DAE_NO_TERM && step != DAE_NO_TERM &&
         dae_algebra_vanishes_modulo(doubts->algebra, step, &edge, 1);
}

/* Does t itself jump, not its operands? *is_if: where its branches differ at the condition. */
static bool
may_jump(const DaeTerms *terms, DaeTerm t, bool *is_if)
{
  DaeKind kind = dae_term_kind(terms, t);
  *is_if = kind == DAE_KIND_IF;
  if (kind != DAE_KIND_CALL) {
    return *is_if;
  }
  switch ((DaeFunctionClass)dae_function_facts(dae_term_function(terms, t))->kind) {
  case DAE_CLASS_STEP:
  case DAE_CLASS_REST:
  case DAE_CLASS_ELEMENT:
  case DAE_CLASS_ROUTINE:
    return true;
  case DAE_CLASS_ANALYTIC:
  case DAE_CLASS_CHOICE:
  case DAE_CLASS_MARK:
  case DAE_CLASS_CONSTANT:
    break;
  }
  return false;
}

/* Is a variable in t solved for together with row i, or not before it? */
static bool
is_decided_late(const Doubts *doubts, uint32_t i, DaeTerm t)
{
  const DaeSig *sig = doubts->sig;
  const DaePointOrder *order = doubts->order;
  const uint32_t own = sig->transversal[i];
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(sig->terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    uint32_t j = 0;
    if (dae_model_find_variable(sig->model, dae_term_get_symbol(sig->terms, atom), &j)) {
      int64_t late = (int64_t)dae_term_order(sig->terms, atom) - sig->d[j] - order->early[j] +
                     sig->c[i] + order->early[own];
      if (late > 0 || (late == 0 && order->group_of[j] == order->group_of[own])) {
        return true;
      }
    }
  }
  return false;
}

/* What else may jump: a flag has no other meaning than its condition. */
static void
enter(DaeVisit *visit, const DaeTerms *terms, DaeTerm t)
{
  if (dae_term_kind(terms, t) == DAE_KIND_IF) {
    dae_visit_add(visit, behind_flag(terms, dae_term_operand(terms, t, 0)));
    dae_visit_add(visit, dae_term_operand(terms, t, 1));
    dae_visit_add(visit, dae_term_operand(terms, t, 2));
  } else {
    dae_visit_enter(visit, t);
  }
}

static bool
row_may_jump(Doubts *doubts, uint32_t i)
{
  DaeSig *sig = doubts->sig;
  DaeTerm residual = dae_sig_settled_residual(sig, i);
  if (residual == DAE_NO_TERM || !dae_term_has_break(sig->terms, residual) ||
      dae_sig_only_defines(sig, i)) {
    return false;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(sig->terms, residual);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    bool is_if = false;
    if (may_jump(sig->terms, t, &is_if) &&
        is_decided_late(doubts, i, is_if ? dae_term_operand(sig->terms, t, 0) : t) &&
        !(is_if && is_continuous(doubts, t))) {
      return true;
    }
    enter(visit, sig->terms, t);
  }
  return false;
}

/* c*f(...) + rest, with a number c and a rest without variables: the value of f that this asks
 * for. */
static DaeTerm
value_of_call(DaeTerms *terms, DaeTerm residual, DaeFunction *function)
{
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &residual, &n);
  DaeTerm varying = DAE_NO_TERM;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_term_is_parametric(terms, parts[i])) {
      if (varying != DAE_NO_TERM) {
        return DAE_NO_TERM;
      }
      varying = parts[i];
    }
  }
  uint32_t n_factors = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &varying, &n_factors);
  DaeTerm call = varying == DAE_NO_TERM ? DAE_NO_TERM : factors[n_factors - 1];
  if (call == DAE_NO_TERM || dae_term_kind(terms, call) != DAE_KIND_CALL || n_factors > 2 ||
      (n_factors == 2 && !dae_term_is_number(terms, factors[0]))) {
    return DAE_NO_TERM;
  }
  *function = dae_term_function(terms, call);
  DaeTerm rest = dae_term_sub(terms, varying, residual);
  return n_factors == 1 ? rest : dae_term_div(terms, rest, factors[0]);
}

/* asin(x) = 2, atan(x) = 5: beyond all values of the function. */
static bool
misses_range(Doubts *doubts, DaeTerm residual)
{
  DaeTerms *terms = doubts->sig->terms;
  DaeFunction function = DAE_FN_COUNT;
  DaeTerm value = value_of_call(terms, residual, &function);
  const DaeFunctionFacts *facts = value == DAE_NO_TERM ? NULL : dae_function_facts(function);
  if (facts == NULL || !facts->has_range) {
    return false;
  }
  const double ends[] = {facts->low, facts->high};
  for (int k = 0; k < 2; k++) {
    int side = k == 0 ? -1 : 1;
    int sign = 0;
    if (isfinite(ends[k])) { /* rounded: one step further is outside of the range */
      DaeTerm end = dae_term_from_double(terms, nextafter(ends[k], side * HUGE_VAL));
      if (dae_algebra_sign(doubts->algebra, dae_term_sub(terms, value, end), &sign) &&
          sign == side) {
        return true;
      }
    }
  }
  return false;
}

/* Has row i a derivative or variable with a number as its slope? Its residual has every value. */
static bool
has_constant_slope(const DaeSig *sig, uint32_t i)
{
  for (size_t k = sig->jacobian_start[i]; k < sig->jacobian_start[i + 1]; k++) {
    DaeTerm slope = g_array_index(sig->jacobian, DaeSigJacobianEntry, k).value;
    if (dae_term_is_number(sig->terms, slope) && !dae_term_is_zero(sig->terms, slope)) {
      return true;
    }
  }
  return false;
}

/* Is the residual positive, or negative, wherever it has a value? */
static bool
row_has_no_zero(Doubts *doubts, uint32_t i)
{
  DaeSig *sig = doubts->sig;
  const DaeEquation *equation = dae_model_equation(sig->model, i);
  bool is_affine = dae_term_is_affine(sig->terms, equation->lhs) &&
                   dae_term_is_affine(sig->terms, equation->rhs);
  if (is_affine || has_constant_slope(sig, i) || doubts->n_signs >= doubts->most_signs) {
    return false;
  }
  DaeTerm residual = dae_sig_settled_residual(sig, i);
  residual = residual != DAE_NO_TERM && dae_term_size(sig->terms, residual) <= SIGN_SIZE
                 ? dae_sig_at_values(sig, residual)
                 : DAE_NO_TERM;
  doubts->n_signs++;
  if (residual == DAE_NO_TERM) {
    return false;
  }
  bool is_strict = false;
  return ((dae_algebra_definite(doubts->algebra, residual, &is_strict) != 0 && is_strict) ||
          misses_range(doubts, residual));
}

static bool
has_breaks(const DaeSig *sig)
{
  for (uint32_t i = 0; i < dae_model_n_equations(sig->model); i++) {
    const DaeEquation *equation = dae_model_equation(sig->model, i);
    if (dae_term_has_break(sig->terms, equation->lhs) ||
        dae_term_has_break(sig->terms, equation->rhs)) {
      return true;
    }
  }
  return false;
}

/* Does a slope of row i depend on what the block solves it for, at the stage at which it does? */
static bool
row_is_curved(const DaeSig *sig, uint32_t i, const uint32_t *block_of, GArray *atoms)
{
  uint32_t own = block_of[sig->transversal[i]];
  for (size_t e = sig->jacobian_start[i]; e < sig->jacobian_start[i + 1]; e++) {
    const DaeSigJacobianEntry *entry = &g_array_index(sig->jacobian, DaeSigJacobianEntry, e);
    if (block_of[entry->column] != own || dae_term_is_number(sig->terms, entry->value)) {
      continue;
    }
    g_array_set_size(atoms, 0);
    dae_term_collect_variables(sig->terms, entry->value, atoms);
    for (guint k = 0; k < atoms->len; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      uint32_t j = 0;
      if (dae_model_find_variable(sig->model, dae_term_get_symbol(sig->terms, atom), &j) &&
          block_of[j] == own &&
          (int32_t)dae_term_order(sig->terms, atom) == sig->d[j] - sig->c[i]) {
        return true;
      }
    }
  }
  return false;
}

/* Its own unknown alone: what has one sign or misses a range was seen by itself. */
static bool
row_stands_alone(const DaeSig *sig, uint32_t i, const uint32_t *block_of)
{
  const DaeCsr *csr = sig->sigma.csr;
  uint32_t own = block_of[sig->transversal[i]];
  bool is_alone = sig->fine[own].n_equations == 1;
  for (size_t e = csr->start[i]; e < csr->start[i + 1] && is_alone; e++) {
    is_alone = block_of[csr->column[e]] == own;
  }
  return is_alone;
}

bool
dae_sig_is_curved(const DaeSig *sig)
{
  g_autofree uint32_t *block_of = g_new0(uint32_t, (size_t)sig->sigma.csr->n_columns + 1);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool is_curved = false;
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    for (uint32_t k = 0; k < sig->fine[b].n_variables; k++) {
      block_of[sig->fine[b].variables[k]] = b;
    }
  }
  for (uint32_t i = 0; i < sig->sigma.csr->n_rows && !is_curved; i++) {
    is_curved = !row_stands_alone(sig, i, block_of) && row_is_curved(sig, i, block_of, atoms);
  }
  return is_curved;
}

static bool
block_is_in_doubt(Doubts *doubts, uint32_t b)
{
  const DaeSigBlock *block = &doubts->sig->fine[b];
  bool is_in_doubt = false;
  for (uint32_t r = 0; r < block->n_equations; r++) {
    uint32_t i = block->equations[r];
    is_in_doubt = is_in_doubt || (doubts->order != NULL && row_may_jump(doubts, i));
    if (doubts->sig->impossible_row == UINT32_MAX && row_has_no_zero(doubts, i)) {
      doubts->sig->impossible_row = i;
    }
  }
  return is_in_doubt;
}

bool
dae_sig_find_doubts(DaeSig *sig, DaeAlgebra *algebra)
{
  DaePointOrder order = {0};
  Doubts doubts = {.sig = sig,
                   .algebra = algebra,
                   .most_signs = MOST_SIGNS + dae_model_n_equations(sig->model) / ROWS_A_SIGN};
  bool any = false;
  if (has_breaks(sig)) {
    dae_sig_order_of_blocks(sig, NULL, &order);
    doubts.order = &order;
  }
  sig->impossible_row = UINT32_MAX;
  sig->impossible_part = DAE_NO_TERM;
  g_free(sig->block_in_doubt);
  sig->block_in_doubt = g_new0(bool, (size_t)sig->fine_form.n_blocks + 1);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks; b++) {
    sig->block_in_doubt[b] = block_is_in_doubt(&doubts, b);
    any = any || sig->block_in_doubt[b];
  }
  dae_point_order_clear(&order);
  return any;
}
