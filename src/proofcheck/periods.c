/* When are the solutions of sin(u) = v in one period enough? When every solution of the
 * premises can be moved there: x by 2*pi, and with it what the steps before solved for in
 * terms of x. The premises must stay what they are under that move, by the identities of
 * exact.h; and the alternatives must be the two solutions of one period (one, where they are
 * equal, and for tan). */
#include "proofcheck/steps.h"

typedef struct {
  Checker *checker;
  GHashTable *by; /* atom -> term that it is moved by */
} Move;

static DaeTerm
moved(const Move *move, DaeTerm t)
{
  GHashTableIter iter;
  gpointer atom = NULL;
  gpointer by = NULL;
  g_autoptr(DaeSubst) subst = dae_subst_new(move->checker->terms);
  g_hash_table_iter_init(&iter, move->by);
  while (g_hash_table_iter_next(&iter, &atom, &by)) {
    dae_subst_set(
        subst, GPOINTER_TO_UINT(atom),
        dae_term_add(move->checker->terms, GPOINTER_TO_UINT(atom), GPOINTER_TO_UINT(by)));
  }
  return dae_subst_apply(subst, t);
}

static bool
is_zero(Checker *checker, DaeTerm t)
{
  g_autoptr(Question) question = question_new(checker, NULL, true);
  return t != DAE_NO_TERM && question_zero(question, t) == HOW_EXACT;
}

static DaeTerm
turns(DaeTerms *terms, int64_t k)
{
  return dae_term_mul(terms, dae_term_int(terms, 2 * k), dae_term_pi(terms));
}

/* t is a whole number of turns (a few of them). */
static bool
is_whole_turns(Checker *checker, DaeTerm t, DaeTerm *out)
{
  enum { MOST = 8 };

  for (int64_t k = -MOST; k <= MOST && t != DAE_NO_TERM; k++) {
    *out = turns(checker->terms, k);
    if (is_zero(checker, dae_term_sub(checker->terms, t, *out))) {
      return true;
    }
  }
  return false;
}

/* Atoms that earlier steps (outside of all cases) solve for in terms of what moves. */
static bool
move_solved(Move *move, uint32_t base)
{
  Checker *checker = move->checker;
  for (uint32_t s = 0; s < base; s++) {
    const DaeInitStep *step = &checker->steps[s];
    if (step->atom == DAE_NO_TERM || step->rhs == DAE_NO_TERM ||
        g_hash_table_contains(move->by, GUINT_TO_POINTER(step->atom))) {
      continue;
    }
    DaeTerm by = DAE_NO_TERM;
    DaeTerm after = moved(move, step->rhs);
    if (after == step->rhs) {
      continue;
    }
    if (after == DAE_NO_TERM ||
        !is_whole_turns(checker, dae_term_sub(checker->terms, after, step->rhs), &by)) {
      return false;
    }
    if (!dae_term_is_zero(checker->terms, by)) {
      g_hash_table_insert(move->by, GUINT_TO_POINTER(step->atom), GUINT_TO_POINTER(by));
    }
  }
  return true;
}

static bool
premises_stay(const Move *move)
{
  Checker *checker = move->checker;
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    const DaeInitStep *step = &checker->steps[s];
    if (!step->is_premise) {
      continue;
    }
    DaeTerm residual = checker_residual(checker, step);
    DaeTerm after = residual == DAE_NO_TERM ? DAE_NO_TERM : moved(move, residual);
    if (after == DAE_NO_TERM ||
        (after != residual &&
         !is_zero(checker, dae_term_sub(checker->terms, after, residual)))) {
      return false;
    }
  }
  return true;
}

/* No other angle of a case, nor a condition of one, nor a discrete atom moves with it. */
static bool
others_stay(const Move *move, uint32_t base)
{
  const Checker *checker = move->checker;
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    const DaeInitStep *step = &checker->steps[s];
    bool is_case = step->rule == DAE_RULE_BRANCH && step->condition == DAE_NO_TERM &&
                   step->n_from > 0 && step->from[0] != base;
    DaeTerm spoken = is_case ? checker_residual(checker, step) : step->condition;
    bool is_discrete = step->rule == DAE_RULE_CONTRADICTION && step->atom != DAE_NO_TERM;
    if ((spoken != DAE_NO_TERM && moved(move, spoken) != spoken) || is_discrete) {
      return false;
    }
  }
  return true;
}

/* The circular function (a node of t) through which alone the angle enters t, linearly. */
static DaeTerm
circular_node(Checker *checker, DaeTerm t, DaeTerm *slope)
{
  DaeTerms *terms = checker->terms;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    dae_visit_enter(visit, node);
    DaeFunction f = dae_term_kind(terms, node) == DAE_KIND_CALL ? dae_term_function(terms, node)
                                                                : DAE_FN_PI;
    if (f != DAE_FN_SIN && f != DAE_FN_COS && f != DAE_FN_TAN) {
      continue;
    }
    /* time was put in everywhere: its symbol is free to stand for the function */
    DaeTerm symbol = dae_term_time(terms);
    DaeTerm replaced = dae_term_replace(terms, t, node, symbol);
    *slope = replaced == DAE_NO_TERM ? replaced : dae_term_partial(terms, replaced, symbol);
    if (*slope != DAE_NO_TERM && !dae_term_contains(terms, *slope, symbol)) {
      return node;
    }
  }
  return DAE_NO_TERM;
}

/* The atom x of an angle x + e or -x + e such that the alternatives speak of it. */
static DaeTerm
atom_of_angle(DaeTerms *terms, DaeTerm angle)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, angle, atoms);
  dae_term_collect_parameters(terms, angle, atoms);
  for (guint i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    DaeTerm slope = dae_term_partial(terms, angle, atom);
    int64_t k = 0;
    if (slope != DAE_NO_TERM && dae_term_get_int64(terms, slope, &k) && (k == 1 || k == -1) &&
        !dae_term_has_varying_break(terms, angle)) {
      return atom;
    }
  }
  return DAE_NO_TERM;
}

/* One alternative u = w1 of tan; two, w1 and w2, of sin with w1 + w2 = pi, of cos with w1 +
 * w2 = 0, up to whole turns. That each solves the equation was checked at its own step. */
static bool
are_all_of_a_period(Checker *checker, DaeFunction f, DaeTerm angle, const GArray *alternatives)
{
  DaeTerms *terms = checker->terms;
  DaeTerm w[2];
  DaeTerm by = DAE_NO_TERM;
  if (alternatives->len == 0 || alternatives->len > 2) {
    return false;
  }
  for (guint i = 0; i < 2; i++) { /* a double solution is its own partner */
    guint k = MIN(i, alternatives->len - 1);
    w[i] = dae_term_sub(terms, angle, g_array_index(alternatives, DaeTerm, k));
    if (dae_term_contains(terms, w[i], angle)) {
      return false;
    }
  }
  if (f == DAE_FN_TAN) {
    return alternatives->len == 1;
  }
  DaeTerm sum = dae_term_add(terms, w[0], w[1]);
  sum = f == DAE_FN_SIN ? dae_term_sub(terms, sum, dae_term_pi(terms)) : sum;
  return is_whole_turns(checker, sum, &by);
}

/* The residual with the solutions of the other steps put in. */
static DaeTerm
with_solutions(const Checker *checker, const DaeInitStep *like, DaeTerm t)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(checker->terms);
  for (uint32_t i = 1; i < like->n_from; i++) {
    const DaeInitStep *other = &checker->steps[like->from[i]];
    if (other->atom != DAE_NO_TERM && other->rhs != DAE_NO_TERM) {
      dae_subst_set(subst, other->atom, other->rhs);
    }
  }
  for (uint32_t i = 1; i < like->n_from && t != DAE_NO_TERM; i++) { /* chains */
    t = dae_subst_apply(subst, t);
  }
  return t;
}

bool
periods_are_alike(Checker *checker, const DaeInitStep *like, uint32_t base,
                  const GArray *alternatives)
{
  DaeTerms *terms = checker->terms;
  DaeTerm slope = DAE_NO_TERM;
  DaeTerm residual =
      with_solutions(checker, like, checker_residual(checker, &checker->steps[base]));
  DaeTerm node =
      residual == DAE_NO_TERM ? DAE_NO_TERM : circular_node(checker, residual, &slope);
  if (node == DAE_NO_TERM || !checker_is_nonzero(checker, like, slope)) {
    return false;
  }
  DaeFunction f = dae_term_function(terms, node);
  DaeTerm angle = dae_term_operand(terms, node, 0);
  DaeTerm atom = atom_of_angle(terms, angle);
  if (atom == DAE_NO_TERM || !are_all_of_a_period(checker, f, angle, alternatives)) {
    return false;
  }
  Move move = {checker, g_hash_table_new(NULL, NULL)};
  g_hash_table_insert(move.by, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(turns(terms, 1)));
  bool alike = move_solved(&move, base) && premises_stay(&move) && others_stay(&move, base);
  g_hash_table_unref(move.by);
  return alike;
}
