/* Conditions on unknowns that are not solved yet: the guess says which branch is taken
 * first, all rows follow the same decision, and in the end the condition is looked at again
 * with the values found. A branch whose condition does not hold is given up like any other
 * alternative (decide.c). */
#include <math.h>

#include "initcheck/initcheck-priv.h"

typedef struct {
  DaeTerm condition, then_term, else_term;
} Switch;

/* abs, sign, min, max and semiLinear are if-expressions in disguise. */
static bool
as_switch(DaeTerms *terms, DaeTerm node, Switch *out)
{
  DaeTerm zero = dae_term_int(terms, 0);
  if (dae_term_kind(terms, node) == DAE_KIND_IF) {
    *out = (Switch){dae_term_operand(terms, node, 0), dae_term_operand(terms, node, 1),
                    dae_term_operand(terms, node, 2)};
    return true;
  }
  if (dae_term_kind(terms, node) != DAE_KIND_CALL) {
    return false;
  }
  uint32_t n = 0;
  const DaeTerm *a = dae_term_operands(terms, node, &n);
  DaeFunction function = dae_term_function(terms, node);
  if (function == DAE_FN_ABS) {
    *out = (Switch){dae_term_relation(terms, DAE_REL_GE, a[0], zero), a[0],
                    dae_term_neg(terms, a[0])};
  } else if (function == DAE_FN_SIGN) {
    DaeTerm is_negative = dae_term_relation(terms, DAE_REL_LT, a[0], zero);
    *out = (Switch){dae_term_relation(terms, DAE_REL_GT, a[0], zero), dae_term_int(terms, 1),
                    dae_term_if(terms, is_negative, dae_term_int(terms, -1), zero)};
  } else if (dae_function_facts(function)->picks) {
    DaeRelation relation = function == DAE_FN_MIN ? DAE_REL_LE : DAE_REL_GE;
    *out = (Switch){dae_term_relation(terms, relation, a[0], a[1]), a[0], a[1]};
  } else if (function == DAE_FN_SEMILINEAR) {
    *out = (Switch){dae_term_relation(terms, DAE_REL_GE, a[0], zero),
                    dae_term_mul(terms, a[1], a[0]), dae_term_mul(terms, a[2], a[0])};
  } else {
    return false;
  }
  return true;
}

static bool
is_switch(void *user, const DaeTerms *terms, DaeTerm t)
{
  IcSystem *sys = user;
  Switch what;
  (void)terms;
  return ic_has_unknown(sys, t) && as_switch(sys->terms, t, &what);
}

/* Truth of the condition at the guesses, to try that branch first. */
static bool
holds_at_guess(IcSystem *sys, DaeTerm condition)
{
  double value = 1.0;
  DaeTerm as_number = dae_term_if(sys->terms, condition, dae_term_int(sys->terms, 1),
                                  dae_term_int(sys->terms, 0));
  return !ic_numeric_value(sys, as_number, &value) || value > 0.5;
}

DaeTerm
ic_follow_branch(IcSystem *sys, DaeTerm t, DaeTerm condition, bool taken)
{
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) subst = dae_subst_new(sys->terms);
  dae_term_collect_nodes(sys->terms, t, is_switch, sys, nodes);
  for (guint i = 0; i < nodes->len; i++) {
    Switch what;
    DaeTerm node = g_array_index(nodes, DaeTerm, i);
    if (as_switch(sys->terms, node, &what) && what.condition == condition) {
      DaeTerm branch = dae_subst_apply(subst, taken ? what.then_term : what.else_term);
      if (branch != DAE_NO_TERM) {
        dae_subst_set(subst, node, branch);
      }
    }
  }
  DaeTerm result = dae_subst_apply(subst, t);
  return result == DAE_NO_TERM ? t : dae_terms_rewrite(sys->terms, result);
}

/* The row as it is under the decision; `first` (IC_NONE for the first row) is
 * the line of the branch point. */
static uint32_t
rewrite_row(IcEngine *engine, uint32_t r, DaeTerm after, uint32_t first,
            const IcCondition *decided)
{
  DaeTerm zero = dae_term_int(engine->sys->terms, 0);
  uint32_t l = ic_engine_log(engine, r, IC_LINE_BRANCH, after, zero);
  IcLine *line = ic_engine_line(engine, l);
  line->condition = decided->condition;
  line->holds = decided->taken;
  if (first != IC_NONE) {
    line->with = g_new(uint32_t, 1);
    line->with[0] = first;
    line->n_with = 1;
  }
  if (ic_engine_set_residual(engine, r, after)) {
    ic_engine_touch(engine, r);
  }
  return l;
}

/* Rows that may contain the condition, increasing: those of one of its unknowns. */
static GArray *
rows_with_condition(const IcEngine *engine, DaeTerm condition)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  const GArray *inside = ic_unknowns_inside(engine->sys, condition);
  if (inside->len == 0) {
    for (uint32_t r = 0; r < engine->rows->len; r++) {
      g_array_append_val(rows, r);
    }
    return rows;
  }
  const GArray *column = engine->columns[g_array_index(inside, uint32_t, 0)];
  if (column != NULL) {
    g_array_append_vals(rows, column->data, column->len);
    ic_sort_unique(rows);
  }
  return rows;
}

static void
decide_everywhere(IcEngine *engine, uint32_t r, DaeTerm condition)
{
  IcSystem *sys = engine->sys;
  uint32_t first = ic_engine_log(engine, r, IC_LINE_SCALE,
                                 ic_form_term(sys, &ic_engine_row(engine, r)->form),
                                 dae_term_int(sys->terms, 0));
  bool guessed = holds_at_guess(sys, condition);
  bool taken = ic_engine_choose(engine, first, 2, guessed ? 0 : 1) == 0;
  IcCondition decided = {.condition = condition, .taken = taken, .line = first};
  g_array_append_val(engine->decided, decided);
  g_autoptr(GArray) rows = rows_with_condition(engine, condition);
  for (guint i = 0; i < rows->len; i++) {
    uint32_t k = g_array_index(rows, uint32_t, i);
    IcRow *row = ic_engine_row(engine, k);
    if (row->state != IC_ROW_ACTIVE || row->form.leaves->len == 0) {
      continue;
    }
    DaeTerm before = ic_form_term(sys, &row->form);
    DaeTerm after = ic_follow_branch(sys, before, condition, taken);
    if (after != before) {
      rewrite_row(engine, k, after, k == r ? IC_NONE : first, &decided);
    }
  }
}

/* Measure: the number of conditions in the active rows. */
bool
ic_switch_step(IcEngine *engine)
{
  IcSystem *sys = engine->sys;
  uint32_t r = ic_queue_next(engine, IC_STAGE_SWITCH);
  for (; r != IC_NONE; r = ic_queue_next(engine, IC_STAGE_SWITCH)) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->passive || row->form.leaves->len == 0) {
      continue;
    }
    DaeTerm t = ic_form_term(sys, &row->form);
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_nodes(sys->terms, t, is_switch, sys, nodes);
    for (guint i = 0; i < nodes->len; i++) {
      Switch what;
      if (as_switch(sys->terms, g_array_index(nodes, DaeTerm, i), &what) &&
          ic_follow_branch(sys, t, what.condition, true) != t) {
        decide_everywhere(engine, r, what.condition);
        return true;
      }
    }
  }
  return false;
}

void
ic_switch_conditions(IcSystem *sys, DaeTerm t, GArray *conditions)
{
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(sys->terms, t, is_switch, sys, nodes);
  for (guint i = 0; i < nodes->len; i++) {
    Switch what;
    if (as_switch(sys->terms, g_array_index(nodes, DaeTerm, i), &what)) {
      g_array_append_val(conditions, what.condition);
    }
  }
}

typedef struct {
  IcEngine *engine;
  bool used_point;
} Point;

static bool
value_at_point(void *user, DaeTerm atom, double *value)
{
  Point *point = user;
  const IcEngine *engine = point->engine;
  const double *found =
      engine->point == NULL ? NULL : g_hash_table_lookup(engine->point, GUINT_TO_POINTER(atom));
  if (found != NULL) {
    *value = *found;
    point->used_point = true;
    return true;
  }
  return !g_hash_table_contains(engine->sys->index, GUINT_TO_POINTER(atom)) &&
         ic_numeric_value(engine->sys, atom, value);
}

/* A relation whose sides differ clearly where the unknowns without a formula were enclosed. */
static int
truth_at_point(IcEngine *engine, DaeTerm condition)
{
  DaeTerms *terms = engine->sys->terms;
  Point point = {.engine = engine};
  double a = 0.0;
  double b = 0.0;
  if (dae_term_kind(terms, condition) != DAE_KIND_RELATION ||
      dae_term_eval_double(terms, dae_term_operand(terms, condition, 0), value_at_point, &point,
                           &a) != DAE_EVAL_OK ||
      dae_term_eval_double(terms, dae_term_operand(terms, condition, 1), value_at_point, &point,
                           &b) != DAE_EVAL_OK ||
      !point.used_point || !(fabs(a - b) > 1e-9 * (fabs(a) + fabs(b)))) {
    return -1;
  }
  return dae_relation_holds(dae_term_relation_op(terms, condition), a > b ? 1 : -1) ? 1 : 0;
}

int
ic_switch_truth(IcEngine *engine, DaeTerm condition, GArray *used, bool *is_numeric)
{
  IcSystem *sys = engine->sys;
  const GArray *inside = ic_unknowns_inside(sys, condition);
  g_autoptr(DaeSubst) values = dae_subst_new(sys->terms);
  *is_numeric = false;
  for (guint k = 0; k < inside->len; k++) {
    DaeTerm atom =
        g_array_index(sys->unknowns, IcUnknown, g_array_index(inside, uint32_t, k)).atom;
    DaeTerm value = ic_engine_reduce(engine, atom, used);
    if (value != DAE_NO_TERM) {
      dae_subst_set(values, atom, value);
    }
  }
  DaeTerm here = dae_subst_apply(values, condition);
  if (here == DAE_NO_TERM) {
    return -1;
  }
  DaeTerm one = dae_term_int(sys->terms, 1);
  DaeTerm zero = dae_term_int(sys->terms, 0);
  DaeTerm truth = dae_term_if(sys->terms, here, one, zero);
  truth = ic_decide_conditions(sys, truth, &engine->used_values);
  if (truth == zero || truth == one) {
    return truth == one;
  }
  *is_numeric = true;
  return truth_at_point(engine, here);
}
