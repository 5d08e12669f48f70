/* Expression substitution [TanNedialkovPryce17, section 5]: a right null vector u of a singular
 * diagonal block, J the columns where it is not zero, C the largest c_i of the block's rows
 * that have a tight entry in J, l in J. For the other j in J new variables
 *     y_j = x_j^(d_j - C) - (u_j/u_l) x_l^(d_l - C)
 * are introduced by these equations, and in the block's rows x_j^(d_j - c_i) is replaced by the
 * (C - c_i)-th derivative of y_j + (u_j/u_l) x_l^(d_l - C). The highest derivative of x_l
 * cancels there, and Val(Sigma) falls, if u has no derivatives that are too high; as in
 * repair_lc.c the fall itself is checked. Legal where u_l is not zero. */
#include "base/base.h"
#include "structural/repair-priv.h"

typedef struct {
  const DaeSigBlock *block;
  const DaeNullVector *u; /* its rows are columns of the block */
  guint l;                /* place in u */
  int32_t C;
  bool *in_J; /* per column of the model */
} Substitution;

static uint32_t
column_of(const Substitution *s, guint k)
{
  return s->block->variables[g_array_index(s->u->rows, uint32_t, k)];
}

static DaeTerm
derivative_of_column(const DaeRepair *repair, uint32_t j, int32_t order)
{
  return dae_term_variable(
      repair->terms, g_array_index(repair->variables, DaeVariable, j).symbol, (uint32_t)order);
}

/* C, and whether all derivatives that the substitution needs exist. */
static bool
find_level(const DaeRepair *repair, Substitution *s)
{
  const DaeSig *sig = repair->sig;
  s->C = 0;
  for (uint32_t r = 0; r < s->block->n_equations; r++) {
    uint32_t i = s->block->equations[r];
    for (size_t e = sig->jacobian_start[i]; e < sig->jacobian_start[i + 1]; e++) {
      if (s->in_J[g_array_index(sig->jacobian, DaeSigJacobianEntry, e).column]) {
        s->C = MAX(s->C, sig->c[i]);
      }
    }
  }
  for (guint k = 0; k < s->u->rows->len; k++) {
    if (sig->d[column_of(s, k)] < s->C) {
      return false;
    }
  }
  return true;
}

static DaeSymbol
introduce_symbol(DaeRepair *repair, uint32_t j)
{
  return dae_repair_new_symbol(
      repair, dae_terms_symbol_name(repair->terms,
                                    g_array_index(repair->variables, DaeVariable, j).symbol));
}

/* New variables y_j and what replaces x_j^(d_j - C); images are per
 * member of u, DAE_NO_TERM for l. */
static bool
introduce_variables(DaeRepair *repair, const Substitution *s, DaeTerm *images,
                    DaeStyledString *text)
{
  DaeTerms *terms = repair->terms;
  uint32_t l = column_of(s, s->l);
  DaeTerm x_l = derivative_of_column(repair, l, repair->sig->d[l] - s->C);
  for (guint k = 0; k < s->u->rows->len; k++) {
    images[k] = DAE_NO_TERM;
    if (k == s->l) {
      continue;
    }
    uint32_t j = column_of(s, k);
    DaeTerm ratio =
        dae_algebra_simplify(repair->algebra, dae_term_div(terms, s->u->v[k], s->u->v[s->l]));
    DaeTerm part = dae_term_mul(terms, ratio, x_l);
    DaeVariable variable = {.symbol = introduce_symbol(repair, j), .type = DAE_TYPE_REAL};
    DaeTerm y = dae_term_variable(terms, variable.symbol, 0);
    images[k] = dae_term_add(terms, y, part);
    if (images[k] == DAE_NO_TERM) {
      return false;
    }
    DaeTerm x_j = derivative_of_column(repair, j, repair->sig->d[j] - s->C);
    uint32_t near = s->block->equations[0];
    DaeEquation equation = {.lhs = y,
                            .rhs = dae_term_sub(terms, x_j, part),
                            .span = g_array_index(repair->equations, DaeEquation, near).span};
    dae_styled_append(text, text->in[DAE_PRINT_MODELICA]->len > 0 ? ", " : "");
    dae_styled_append_term(text, terms, y, 200);
    dae_styled_append(text, " = ");
    dae_styled_append_term(text, terms, equation.rhs, 2000);
    variable.meaning = equation.rhs;
    g_array_append_val(repair->variables, variable);
    g_array_append_val(repair->equations, equation);
  }
  return true;
}

/* Equation i with the highest derivatives of the columns in J replaced. */
static bool
substitute_in_row(DaeRepair *repair, const Substitution *s, uint32_t i, const DaeTerm *images)
{
  DaeTerms *terms = repair->terms;
  const DaeSig *sig = repair->sig;
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  bool is_changed = false;
  for (guint k = 0; k < s->u->rows->len; k++) {
    uint32_t j = column_of(s, k);
    int32_t order = sig->d[j] - sig->c[i];
    if (k == s->l || order < 0) {
      continue;
    }
    DaeTerm image = images[k];
    for (int32_t n = 0; n < s->C - sig->c[i]; n++) {
      image = dae_term_total(terms, image);
    }
    if (s->C >= sig->c[i]) {
      dae_subst_set(subst, derivative_of_column(repair, j, order), image);
      is_changed = true;
    }
  }
  DaeTerm f = g_array_index(repair->residuals, DaeTerm, i);
  DaeTerm image = is_changed ? dae_subst_apply(subst, f) : f;
  if (image == DAE_NO_TERM) {
    return false;
  }
  if (image != f) {
    DaeEquation *equation = &g_array_index(repair->equations, DaeEquation, i);
    equation->lhs = dae_algebra_simplify(repair->algebra, image);
    equation->rhs = dae_term_int(terms, 0);
  }
  return true;
}

static void
record_step(DaeRepair *repair, const Substitution *s, const DaeStyledString *text,
            uint32_t first_new)
{
  DaeTerm u_l = s->u->v[s->l];
  bool is_number = dae_term_is_number(repair->terms, u_l);
  const DaeEquation *equation = &g_array_index(repair->equations, DaeEquation, first_new);
  DaeRepairStep step = {.method = DAE_REPAIR_EXPRESSION_SUBSTITUTION,
                        .replaced = s->block->equations[0],
                        .combination = dae_styled_string_copy(text),
                        .by_lhs = equation->lhs,
                        .by_rhs = equation->rhs,
                        .n_nonzero = is_number ? 0 : 1,
                        .nonzero = is_number ? NULL : g_memdup2(&u_l, sizeof u_l),
                        .value_before = repair->value,
                        .value_after = repair->value};
  g_array_append_val(repair->steps, step);
}

/* Converts repair->variables and equations; the caller analyzes the new
 * system and checks the value. */
static bool
apply_substitution(DaeRepair *repair, const Substitution *s)
{
  g_autofree DaeTerm *images = g_new0(DaeTerm, (size_t)s->u->rows->len + 1);
  DaeStyledString text = dae_styled_string_new();
  uint32_t n_equations = repair->equations->len;
  bool is_done = introduce_variables(repair, s, images, &text);
  for (uint32_t r = 0; is_done && r < s->block->n_equations; r++) {
    is_done = substitute_in_row(repair, s, s->block->equations[r], images);
  }
  if (is_done) {
    record_step(repair, s, &text, n_equations);
  }
  dae_styled_string_clear(&text);
  return is_done;
}

static guint
choose_l(const DaeRepair *repair, const DaeNullVector *u)
{
  for (int cost = 0; cost < 2; cost++) {
    for (guint k = 0; k < u->rows->len; k++) {
      bool is_good = cost == 0 ? dae_term_is_number(repair->terms, u->v[k])
                               : dae_term_is_parametric(repair->terms, u->v[k]);
      if (is_good) {
        return k;
      }
    }
  }
  return 0;
}

DaeStepOutcome
dae_repair_substitute(DaeRepair *repair, uint32_t b, guint attempt, bool *has_more)
{
  DaeBlockMatrix matrix;
  dae_sig_block_matrix(repair->sig, b, &matrix);
  g_autoptr(GPtrArray) vectors = dae_sig_null_vectors(repair->algebra, &matrix, true);
  dae_block_matrix_clear(&matrix);
  *has_more = attempt + 1 < vectors->len;
  if (attempt >= vectors->len) {
    return DAE_STEP_NONE;
  }
  g_autofree bool *in_J = g_new0(bool, (size_t)repair->sig->sigma.csr->n_columns + 1);
  Substitution s = {
      .block = &repair->sig->fine[b], .u = g_ptr_array_index(vectors, attempt), .in_J = in_J};
  s.l = choose_l(repair, s.u);
  for (guint k = 0; k < s.u->rows->len; k++) {
    in_J[column_of(&s, k)] = true;
  }
  bool is_done =
      s.u->rows->len >= 2 && find_level(repair, &s) && apply_substitution(repair, &s);
  return is_done ? DAE_STEP_DONE : DAE_STEP_NONE;
}
