/* The independent proof checker: one step at a time, from the texts of the model and the steps
 * only. It shares no code with the search. A step is checked
 *   exactly, with polynomials over the rationals in kernels and the
 *   identities listed in exact.h (poly.c,
 *     kernels.c, exact.c, rules.c), with balls where a constant must not
 *     be 0 (proofcheck/certify.h);
 *   where those polynomials grow too long or no listed identity applies: by images in a
 *   finite field at three random
 *     points (field.c), a wrong step passes with probability below 1e-14;
 *   numeric steps in balls, by another theorem and other code than found them.
 * How many of each kind there were is told. Nothing is accepted because two
 * floating point numbers are close. */
#include <math.h>
#include <string.h>

#include "proofcheck/interval.h"
#include "proofcheck/steps.h"

/* ---- rules ------------------------------------------------------------------------------- */

static DaeTerm
residual_of_equation(DaeTerms *terms, const DaeEquation *equation, int32_t order)
{
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  for (int32_t k = 0; k < order; k++) {
    residual = dae_term_total(terms, residual);
  }
  return residual;
}

static const DaeEquation *
equation_of(const DaeModel *model, const DaeInitPremise *premise)
{
  uint32_t n =
      premise->is_initial ? dae_model_n_initial_equations(model) : dae_model_n_equations(model);
  if (premise->index >= n || premise->order < 0) {
    return NULL;
  }
  return premise->is_initial ? dae_model_initial_equation(model, premise->index)
                             : dae_model_equation(model, premise->index);
}

static How
check_premise(Checker *checker, const DaeInitStep *step)
{
  const DaeEquation *equation = equation_of(checker->model, &step->premise);
  if (equation == NULL) {
    return HOW_NOT;
  }
  DaeTerm residual = residual_of_equation(checker->terms, equation, step->premise.order);
  DaeTerm own = checker_residual(checker, step);
  if (own == DAE_NO_TERM) { /* undefined at the start: it must be */
    g_autoptr(Question) question = question_new(checker, NULL, true);
    return dae_exact_is_zero(question->exact, residual) == DAE_EXACT_UNDEFINED ? HOW_EXACT
                                                                               : HOW_NOT;
  }
  How how = checker_zero(checker, NULL, dae_term_sub(checker->terms, residual, own));
  return how == HOW_NOT && domains_premise_never_holds(checker, step) ? HOW_EXACT : how;
}

/* The base is a*atom + b with a that cannot vanish, and vanishes when
 * the atom is what the step says. */
static How
check_solved(Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm base = checker_base(checker, step);
  if (base == DAE_NO_TERM || step->rhs == DAE_NO_TERM || step->atom != step->lhs ||
      dae_term_contains(terms, step->rhs, step->atom)) {
    return HOW_NOT;
  }
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) there = question_new(checker, step, at_values == 1);
    question_bind(there, step->atom, step->rhs);
    How how = question_zero(there, base);
    if (how == HOW_NOT || step->rule == DAE_RULE_BRANCH) {
      if (how != HOW_NOT) {
        return how;
      }
      continue;
    }
    DaeTerm a = DAE_NO_TERM;
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    if (dae_exact_is_linear(question->exact, base, step->atom, &a)) {
      checker->counts.n_assumed += !checker_is_nonzero(checker, step, a);
      return how;
    }
    /* too long to look at: at another value it does not vanish */
    g_autoptr(Question) elsewhere = question_new(checker, step, at_values == 1);
    question_bind(elsewhere, step->atom,
                  dae_term_add(terms, step->rhs, dae_term_ratio(terms, 3571, 1009)));
    if (question_zero(elsewhere, base) == HOW_NOT) {
      return MAX(how, HOW_IMAGES);
    }
  }
  return HOW_NOT;
}

/* Does the base vanish wherever the step's equation does? By division, or by solving
 * the step for one of its atoms. */
static How
vanishes_with_step(Checker *checker, const DaeInitStep *step, DaeTerm base, DaeTerm own)
{
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    if (dae_exact_divides(question->exact, own, base)) {
      return HOW_EXACT;
    }
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(checker->terms, own, atoms);
    dae_term_collect_parameters(checker->terms, own, atoms);
    for (guint i = 0; i < atoms->len; i++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, i);
      DaeTerm a = DAE_NO_TERM;
      DaeTerm at_zero =
          dae_term_replace(checker->terms, own, atom, dae_term_int(checker->terms, 0));
      if (at_zero == DAE_NO_TERM || !dae_exact_is_linear(question->exact, own, atom, &a)) {
        continue;
      }
      /* own = a*atom + b, as terms: atom = -b/a */
      DaeTerm slope = dae_term_sub(
          checker->terms,
          dae_term_replace(checker->terms, own, atom, dae_term_int(checker->terms, 1)),
          at_zero);
      DaeTerm value =
          dae_term_div(checker->terms, dae_term_neg(checker->terms, at_zero), slope);
      g_autoptr(Question) there = question_new(checker, step, at_values == 1);
      if (value == DAE_NO_TERM || dae_term_contains(checker->terms, value, atom)) {
        continue;
      }
      question_bind(there, atom, value);
      How how = question_zero(there, base);
      if (how != HOW_NOT) {
        return how;
      }
    }
  }
  return HOW_NOT;
}

/* A case of a condition: conditions of the base take that way. A
 * coefficient taken as 0 may be left out. */
static How
check_case(Checker *checker, const DaeInitStep *step, DaeTerm base, DaeTerm own)
{
  DaeTerms *terms = checker->terms;
  DaeTerm difference = dae_term_sub(terms, base, own);
  bool is_relation = dae_term_kind(terms, step->condition) == DAE_KIND_RELATION;
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    dae_exact_assume(question->exact, step->condition, step->holds);
    How how = question_zero(question, difference);
    if (how != HOW_NOT) {
      return how;
    }
    if (is_relation && step->holds &&
        dae_term_relation_op(terms, step->condition) == DAE_REL_EQ) {
      DaeTerm a = dae_term_sub(terms, dae_term_operand(terms, step->condition, 0),
                               dae_term_operand(terms, step->condition, 1));
      if (question_zero(question, dae_term_sub(terms, a, own)) == HOW_EXACT ||
          dae_exact_divides(question->exact, a, difference)) {
        return HOW_EXACT;
      }
    }
  }
  return HOW_NOT;
}

static How
check_branch(Checker *checker, const DaeInitStep *step)
{
  DaeTerm base = checker_base(checker, step);
  DaeTerm own = checker_residual(checker, step);
  if (base == DAE_NO_TERM || own == DAE_NO_TERM) {
    return HOW_NOT;
  }
  if (step->condition != DAE_NO_TERM) {
    return check_case(checker, step, base, own);
  }
  if (step->atom != DAE_NO_TERM) {
    return check_solved(checker, step);
  }
  How how = checker_zero(checker, step, dae_term_sub(checker->terms, base, own));
  return how != HOW_NOT ? how : vanishes_with_step(checker, step, base, own);
}

/* base = 0 implies own = 0: equal up to sign, or a factor that cannot vanish, or
 * a one-to-one function undone. */
static How
check_substituted(Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm base = checker_base(checker, step);
  DaeTerm own = checker_residual(checker, step);
  if (base == DAE_NO_TERM || own == DAE_NO_TERM) {
    return HOW_NOT;
  }
  if (step->factors != NULL) {
    DaeTerm scaled = dae_term_mul(terms, step->factors[0], own);
    How how = checker_zero(checker, step, dae_term_sub(terms, base, scaled));
    checker->counts.n_assumed +=
        how != HOW_NOT && !checker_is_nonzero(checker, step, step->factors[0]);
    return how;
  }
  How how = checker_zero(checker, step, dae_term_sub(terms, base, own));
  if (how == HOW_NOT) {
    how = checker_zero(checker, step, dae_term_add(terms, base, own));
  }
  for (int at_values = 0; at_values < 2 && how == HOW_NOT; at_values++) {
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    DaeTerm a = DAE_NO_TERM;
    if (dae_exact_inverts(question->exact, base, own, &a)) {
      checker->counts.n_assumed += a != DAE_NO_TERM && !checker_is_nonzero(checker, step, a);
      how = HOW_EXACT;
    }
  }
  if (how == HOW_NOT) { /* it is a solution; that it is the only one is not shown */
    how = vanishes_with_step(checker, step, base, own);
    checker->counts.n_assumed += how != HOW_NOT;
  }
  return how;
}

static How
check_combined(Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm sum = dae_term_neg(terms, checker_residual(checker, step));
  if (step->factors == NULL) {
    return HOW_NOT;
  }
  for (uint32_t i = 0; i < step->n_from; i++) {
    DaeTerm residual = checker_residual(checker, &checker->steps[step->from[i]]);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, step->factors[i], residual));
  }
  return sum == DAE_NO_TERM ? HOW_NOT : checker_zero(checker, NULL, sum);
}

static How
check_identity(Checker *checker, const DaeInitStep *step)
{
  DaeTerm own = checker_residual(checker, step);
  DaeTerm base = checker_base(checker, step);
  How first = own == DAE_NO_TERM ? HOW_NOT : checker_zero(checker, step, own);
  How second = base == DAE_NO_TERM ? HOW_NOT : checker_zero(checker, step, base);
  return first == HOW_NOT || second == HOW_NOT ? HOW_NOT : MAX(first, second);
}

/* The base does not vanish, whatever values its atoms have; and the step shows what it is. */
static How
check_contradiction(Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  if (step->part != DAE_NO_TERM) {
    return domains_check_failure(checker, step) ? HOW_EXACT : HOW_NOT;
  }
  if (step->condition != DAE_NO_TERM || step->atom != DAE_NO_TERM) {
    return cases_check_failure(checker, step) ? HOW_EXACT : HOW_NOT;
  }
  DaeTerm base = checker_base(checker, step);
  g_autoptr(Question) question = question_new(checker, step, true);
  if (step->rhs == DAE_NO_TERM) { /* "0 = 1/0" */
    return base == DAE_NO_TERM ||
                   dae_exact_is_zero(question->exact, base) == DAE_EXACT_UNDEFINED
               ? HOW_EXACT
               : HOW_NOT;
  }
  if (base == DAE_NO_TERM || step->lhs != dae_term_int(terms, 0)) {
    return HOW_NOT;
  }
  How same = question_zero(question, dae_term_sub(terms, base, step->rhs));
  if (same == HOW_NOT) {
    same = question_zero(question, dae_term_add(terms, base, step->rhs));
  }
  int sign = 0;
  bool fails = dae_exact_is_zero(question->exact, base) == DAE_EXACT_NONZERO ||
               dae_certifier_sign(question->signs, base, &sign) ||
               dae_exact_is_nonzero_constant(question->exact, base) ||
               dae_exact_has_no_real_zero(question->exact, base) ||
               dae_range_excludes_zero(terms, dae_exact_bindings(question->exact), base) ||
               dae_line_excludes_zero(terms, dae_exact_bindings(question->exact), base) ||
               (same == HOW_EXACT && /* the base written as a sum of squares */
                dae_range_excludes_zero(terms, dae_exact_bindings(question->exact), step->rhs));
  return fails ? same : HOW_NOT;
}

/* The box holds exactly one solution of the solved steps, and the base is as small (as
 * large) there as the step says. */
static How
check_numeric(Checker *checker, const DaeInitStep *step)
{
  const DaeInitNumeric *claim = step->numeric;
  DaeTerms *terms = checker->terms;
  DaeTerm base = checker_base(checker, step);
  if (claim == NULL || base == DAE_NO_TERM) {
    return HOW_NOT;
  }
  g_autoptr(Question) question = question_new(checker, NULL, true);
  g_autofree DaeTerm *equations = g_new0(DaeTerm, claim->n_solved + 1);
  bool ok = true;
  for (uint32_t i = 0; i < claim->n && ok; i++) {
    if (i < claim->n_solved) {
      ok = claim->rows[i] < step->n_from &&
           dae_certifier_bind_ball(question->signs, claim->atoms[i], claim->values[i],
                                   claim->radius);
      equations[i] = ok ? checker_residual(checker, &checker->steps[step->from[claim->rows[i]]])
                        : DAE_NO_TERM;
      ok = ok && equations[i] != DAE_NO_TERM && claim->rows[i] > 0;
    } else {
      bool negative = claim->values[i][0] == '-';
      const char *digits = claim->values[i] + negative;
      DaeTerm value = dae_term_decimal(terms, digits, strlen(digits));
      ok = value != DAE_NO_TERM;
      dae_certifier_bind(question->signs, claim->atoms[i],
                         negative ? dae_term_neg(terms, value) : value);
    }
  }
  ok = ok &&
       (claim->n_solved == 0 ||
        dae_certifier_has_solution(question->signs, equations, claim->atoms, claim->n_solved));
  ok = ok &&
       (claim->excludes_zero ? dae_certifier_is_above(question->signs, base, claim->above)
                             : claim->below <= CHECKER_SMALL &&
                                   dae_certifier_is_below(question->signs, base, claim->below));
  DaeTerm says = claim->excludes_zero
                     ? dae_term_pow_int(terms, dae_term_int(terms, 10), claim->above)
                     : dae_term_int(terms, 0);
  return ok && step->lhs == says && dae_term_is_zero(terms, step->rhs) ? HOW_NUMERIC : HOW_NOT;
}

static How
check_step(Checker *checker, const DaeInitStep *step, uint32_t number)
{
  for (uint32_t i = 0; i < step->n_from; i++) {
    if (step->from[i] >= number) {
      return HOW_NOT; /* only earlier steps may be used */
    }
  }
  switch ((DaeInitRule)step->rule) {
  case DAE_RULE_PREMISE:
    return check_premise(checker, step);
  case DAE_RULE_SOLVE:
    return check_solved(checker, step);
  case DAE_RULE_BRANCH:
    return check_branch(checker, step);
  case DAE_RULE_SUBSTITUTE:
  case DAE_RULE_VALUES:
    return check_substituted(checker, step);
  case DAE_RULE_COMBINE:
    return check_combined(checker, step);
  case DAE_RULE_IDENTITY:
    return check_identity(checker, step);
  case DAE_RULE_NUMERIC:
    return check_numeric(checker, step);
  case DAE_RULE_CONTRADICTION:
    return check_contradiction(checker, step);
  case DAE_RULE_CASE:
    return cases_are_all(checker, number) ? HOW_EXACT : HOW_NOT;
  }
  return HOW_NOT;
}

static bool
check_all_steps(Checker *checker, const char *what, char **why)
{
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    How how = check_step(checker, &checker->steps[s], s);
    checker->counts.n_exact += how == HOW_EXACT;
    checker->counts.n_images += how == HOW_IMAGES;
    checker->counts.n_numeric += how == HOW_NUMERIC;
    if (how == HOW_NOT) {
      DaeStyled text = dae_init_step_text(checker->model, checker->terms, &checker->steps[s]);
      *why = g_strdup_printf("%s: step %u does not follow: %s", what, s + 1,
                             text.in[DAE_PRINT_MODELICA]);
      dae_styled_clear(&text);
      return false;
    }
  }
  return true;
}

/* ---- whole proofs ------------------------------------------------------------------------ */

static bool
same_premise(const DaeInitPremise *a, const DaeInitPremise *b)
{
  return a->is_initial == b->is_initial && a->index == b->index && a->order == b->order;
}

/* Steps that the equation `what` is behind. (transfer full) */
static bool *
steps_that_use(const Checker *checker, const DaeInitPremise *what)
{
  bool *uses = g_new0(bool, checker->n_steps + 1);
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    const DaeInitStep *step = &checker->steps[s];
    uses[s] = step->is_premise && same_premise(&step->premise, what);
    for (uint32_t i = 0; i < step->n_from; i++) {
      uses[s] = uses[s] || uses[step->from[i]];
    }
  }
  return uses;
}

/* From the last step back to the equation by steps that can be read backwards (0 = 0 at the end
 * makes the equation true), with nothing put in that was found with its help. */
static bool
reduces_to_zero(const Checker *checker, const DaeInitPremise *what, const bool *uses)
{
  if (checker->n_steps == 0 || checker->steps[checker->n_steps - 1].rule != DAE_RULE_IDENTITY) {
    return false;
  }
  uint32_t s = checker->n_steps - 1;
  for (;;) {
    const DaeInitStep *step = &checker->steps[s];
    if (step->is_premise) {
      return same_premise(&step->premise, what);
    }
    bool is_reversible = step->rule == DAE_RULE_SUBSTITUTE || step->rule == DAE_RULE_VALUES ||
                         step->rule == DAE_RULE_IDENTITY || step->rule == DAE_RULE_NUMERIC ||
                         (step->rule == DAE_RULE_BRANCH && step->condition != DAE_NO_TERM) ||
                         (step->rule == DAE_RULE_COMBINE && step->factors != NULL &&
                          dae_term_is_number(checker->terms, step->factors[0]) &&
                          !dae_term_is_zero(checker->terms, step->factors[0]));
    for (uint32_t i = 1; i < step->n_from; i++) {
      is_reversible = is_reversible && !uses[step->from[i]];
    }
    if (!is_reversible || step->n_from == 0) {
      return false;
    }
    s = step->from[0];
  }
}

/* The redundant equation itself: zero with all solutions put in that were found without it. */
static bool
check_redundant(Checker *checker, const DaeInitRedundant *item)
{
  const DaeEquation *equation = equation_of(checker->model, &item->what);
  if (equation == NULL) {
    return false;
  }
  g_autofree bool *uses = steps_that_use(checker, &item->what);
  if (reduces_to_zero(checker, &item->what, uses)) {
    return true;
  }
  DaeTerm residual = residual_of_equation(checker->terms, equation, item->what.order);
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) question = question_new(checker, NULL, at_values == 1);
    for (uint32_t s = 0; s < item->n_steps; s++) {
      const DaeInitStep *step = &item->steps[s];
      if (step->atom != DAE_NO_TERM && !uses[s]) {
        question_bind(question, step->atom, step->rhs);
      }
      if (step->condition != DAE_NO_TERM) {
        dae_exact_assume(question->exact, step->condition, step->holds);
      }
    }
    if (question_zero(question, residual) != HOW_NOT) {
      return true;
    }
  }
  return false;
}

/* The chain uses equations of the set only, and ends in a contradiction that hangs on no
 * case, or in one for every case. */
static bool
check_conflict(Checker *checker, const DaeInitConflict *conflict)
{
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    const DaeInitStep *step = &checker->steps[s];
    bool is_listed = !step->is_premise;
    for (uint32_t i = 0; i < conflict->n_premises && !is_listed; i++) {
      is_listed = same_premise(&step->premise, &conflict->premises[i]);
    }
    if (!is_listed) {
      return false;
    }
  }
  if (checker->n_steps == 0) {
    return false;
  }
  uint32_t last = checker->n_steps - 1;
  return checker->steps[last].rule == DAE_RULE_CASE ||
         (checker->steps[last].rule == DAE_RULE_CONTRADICTION &&
          !cases_step_is_in_a_case(checker, last));
}

bool
dae_proofcheck(const DaeProofs *proofs, const DaeModel *model, DaeTerms *terms, double start,
               DaeProofCounts *counts, char **why)
{
  g_autoptr(Checker) checker = checker_new(model, terms, start);
  bool ok = true;
  *why = NULL;
  for (uint32_t i = 0; i < proofs->n_redundant && ok; i++) {
    const DaeInitRedundant *item = &proofs->redundant[i];
    g_autofree char *what = dae_init_premise_text(model, terms, &item->what);
    checker->steps = item->steps;
    checker->n_steps = item->n_steps;
    ok = check_all_steps(checker, what, why);
    if (ok && !check_redundant(checker, item)) {
      *why = g_strdup_printf("%s: the proof does not show it", what);
      ok = false;
    }
  }
  for (uint32_t i = 0; i < proofs->n_conflicts && ok; i++) {
    const DaeInitConflict *conflict = &proofs->conflicts[i];
    checker->steps = conflict->steps;
    checker->n_steps = conflict->n_steps;
    g_autofree char *what = g_strdup_printf("conflict %u", i);
    ok = check_all_steps(checker, what, why);
    if (ok && !check_conflict(checker, conflict)) {
      *why = g_strdup_printf("%s: the proof does not show it", what);
      ok = false;
    }
  }
  if (counts != NULL) {
    *counts = checker->counts;
    counts->identities = g_ptr_array_ref(checker->identities);
  }
  return ok;
}
