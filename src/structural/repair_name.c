/* Names for the arguments of functions: where the highest derivatives of a singular block sit
 * inside of functions, exp(x*der(y) + y*der(x)) + x = ..., a linear combination has these
 * functions in its factors and its value does not fall. With a variable of its own for the
 * argument, s = x*der(y) + y*der(x) and exp(s) + x = ..., the derivatives are linear, and the
 * total that they hide can be put in. The system has the same solutions. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_NAMES = 20, MOST_SIZE = 2000 };

static bool
has_highest_derivative(const DaeRepair *repair, uint32_t i, DaeTerm t)
{
  const DaeSig *sig = repair->sig;
  for (size_t e = sig->jacobian_start[i]; e < sig->jacobian_start[i + 1]; e++) {
    uint32_t j = g_array_index(sig->jacobian, DaeSigJacobianEntry, e).column;
    DaeTerm atom = dae_term_variable(repair->terms,
                                     g_array_index(repair->variables, DaeVariable, j).symbol,
                                     (uint32_t)(sig->d[j] - sig->c[i]));
    if (dae_term_contains(repair->terms, t, atom)) {
      return true;
    }
  }
  return false;
}

static bool
is_function(const DaeRepair *repair, DaeTerm t)
{
  DaeKind kind = dae_term_kind(repair->terms, t);
  return kind == DAE_KIND_CALL || kind == DAE_KIND_POWER;
}

/* Arguments of the innermost functions of equation i with highest derivatives inside, each
 * once; not the derivative alone. */
static void
collect_arguments(const DaeRepair *repair, uint32_t i, GArray *arguments)
{
  DaeTerms *terms = repair->terms;
  g_autoptr(DaeVisit) visit =
      dae_visit_new(terms, g_array_index(repair->residuals, DaeTerm, i));
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    dae_visit_enter(visit, t);
    for (uint32_t k = 0; k < n && is_function(repair, t); k++) {
      bool is_inner = dae_term_kind(terms, operands[k]) == DAE_KIND_SUM &&
                      has_highest_derivative(repair, i, operands[k]);
      g_autoptr(DaeVisit) below = dae_visit_new(terms, is_inner ? operands[k] : DAE_NO_TERM);
      for (DaeTerm s = dae_visit_next(below); s != DAE_NO_TERM && is_inner;
           s = dae_visit_next(below)) {
        is_inner = !is_function(repair, s) || !has_highest_derivative(repair, i, s);
        dae_visit_enter(below, s);
      }
      bool is_new = is_inner;
      for (guint m = 0; m < arguments->len && is_new; m++) {
        is_new = g_array_index(arguments, DaeTerm, m) != operands[k];
      }
      if (is_new) {
        g_array_append_val(arguments, operands[k]);
      }
    }
  }
}

static void
name_argument(DaeRepair *repair, uint32_t i, DaeTerm argument, DaeSubst *names)
{
  DaeTerms *terms = repair->terms;
  DaeVariable variable = {.symbol = dae_repair_new_symbol(repair, "argument"),
                          .type = DAE_TYPE_REAL,
                          .meaning = argument};
  DaeTerm name = dae_term_variable(terms, variable.symbol, 0);
  DaeEquation equation = {.lhs = name,
                          .rhs = argument,
                          .span = g_array_index(repair->equations, DaeEquation, i).span};
  DaeStyledString text = dae_styled_string_new();
  dae_styled_append_term(&text, terms, name, 200);
  dae_styled_append(&text, " = ");
  dae_styled_append_term(&text, terms, argument, 2000);
  DaeRepairStep step = {.method = DAE_REPAIR_EXPRESSION_SUBSTITUTION,
                        .replaced = i,
                        .combination = dae_styled_string_end(&text),
                        .by_lhs = equation.lhs,
                        .by_rhs = equation.rhs,
                        .value_before = repair->value,
                        .value_after = repair->value};
  g_array_append_val(repair->steps, step);
  g_array_append_val(repair->variables, variable);
  g_array_append_val(repair->equations, equation);
  dae_subst_set(names, argument, name);
}

/* Equation i with names in place of the arguments. false: it has none. */
static bool
name_in_row(DaeRepair *repair, uint32_t i)
{
  DaeTerm residual = g_array_index(repair->residuals, DaeTerm, i);
  g_autoptr(GArray) arguments = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (dae_term_size(repair->terms, residual) <= MOST_SIZE) {
    collect_arguments(repair, i, arguments);
  }
  if (arguments->len == 0 || arguments->len > MOST_NAMES) {
    return false;
  }
  g_autoptr(DaeSubst) names = dae_subst_new(repair->terms);
  for (guint k = 0; k < arguments->len; k++) {
    name_argument(repair, i, g_array_index(arguments, DaeTerm, k), names);
  }
  DaeEquation *equation = &g_array_index(repair->equations, DaeEquation, i);
  equation->lhs = dae_subst_apply(names, residual);
  equation->rhs = dae_term_int(repair->terms, 0);
  return equation->lhs != DAE_NO_TERM;
}

DaeStepOutcome
dae_repair_name_arguments(DaeRepair *repair)
{
  bool is_done = false;
  for (uint32_t b = 0; b < repair->sig->fine_form.n_blocks; b++) {
    const DaeSigBlock *block = &repair->sig->fine[b];
    for (uint32_t k = 0; k < block->n_equations && repair->sig->block_zero[b] == DAE_ZERO;
         k++) {
      is_done |= name_in_row(repair, block->equations[k]);
    }
  }
  return is_done ? DAE_STEP_DONE : DAE_STEP_NONE;
}
