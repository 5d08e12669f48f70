/* Premises that have no value: sqrt(1 - x) where x = 2, log(x) where x = 0. The step says where to
 * look; what the premise is, and that the place is one that every evaluation reaches, is found
 * here from the model. */
#include "proofcheck/steps.h"

/* Is the condition this way round with the solutions put in? */
static bool
is_truth(Question *question, DaeTerm condition, bool holds)
{
  DaeTerms *terms = question->checker->terms;
  DaeTerm wrong = dae_term_if(terms, condition, dae_term_int(terms, holds ? 0 : 1),
                              dae_term_int(terms, holds ? 1 : 0));
  return question_zero(question, wrong) == HOW_EXACT;
}

/* Functions that are evaluated at all their operands; marks have operands that nobody asks. */
static bool
asks_all_operands(DaeFunction f)
{
  static const DaeFunction plain[] = {DAE_FN_SIN,  DAE_FN_COS,  DAE_FN_TAN,   DAE_FN_ASIN,
                                      DAE_FN_ACOS, DAE_FN_ATAN, DAE_FN_SINH,  DAE_FN_COSH,
                                      DAE_FN_EXP,  DAE_FN_LOG,  DAE_FN_LOG10, DAE_FN_ATAN2,
                                      DAE_FN_TANH, DAE_FN_MIN,  DAE_FN_MAX,   DAE_FN_NOEVENT};
  for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
    if (plain[i] == f) {
      return true;
    }
  }
  return false;
}

/* The operands that have a value wherever the node has one. */
static void
enter(Question *question, DaeTerm node, DaeVisit *visit)
{
  const DaeTerms *terms = question->checker->terms;
  DaeKind kind = dae_term_kind(terms, node);
  DaeFunction f = kind == DAE_KIND_CALL ? dae_term_function(terms, node) : DAE_FN_COUNT;
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER ||
      asks_all_operands(f)) {
    dae_visit_enter(visit, node);
  } else if (f == DAE_FN_SMOOTH || f == DAE_FN_HOMOTOPY) { /* the actual one */
    dae_visit_add(visit, dae_term_operand(terms, node, f == DAE_FN_SMOOTH ? 1 : 0));
  }
  for (uint32_t k = 1; k <= 2 && kind == DAE_KIND_IF; k++) {
    if (is_truth(question, dae_term_operand(terms, node, 0), k == 1)) {
      dae_visit_add(visit, dae_term_operand(terms, node, k));
    }
  }
}

static bool
is_negative(const Question *question, DaeTerm t)
{
  int sign = 0;
  return t != DAE_NO_TERM && dae_certifier_sign(question->signs, t, &sign) && sign < 0;
}

/* is_equation: not a derivative of one, which may lack a value that the equation has. */
static bool
has_no_value(Question *question, DaeTerm node, bool is_equation)
{
  DaeTerms *terms = question->checker->terms;
  DaeKind kind = dae_term_kind(terms, node);
  if (kind == DAE_KIND_POWER) {
    int64_t n = 0;
    DaeTerm exponent = dae_term_operand(terms, node, 1);
    return dae_term_is_number(terms, exponent) && !dae_term_get_int64(terms, exponent, &n) &&
           is_negative(question, dae_term_operand(terms, node, 0));
  }
  if (kind != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction f = dae_term_function(terms, node);
  bool is_log = f == DAE_FN_LOG || f == DAE_FN_LOG10;
  if (!is_log && f != DAE_FN_ASIN && f != DAE_FN_ACOS) {
    return false;
  }
  DaeTerm argument = dae_term_operand(terms, node, 0);
  if (is_log) {
    return is_negative(question, argument) ||
           (is_equation && question_zero(question, argument) == HOW_EXACT);
  }
  DaeTerm one = dae_term_int(terms, 1);
  return is_negative(question, dae_term_sub(terms, one, argument)) ||
         is_negative(question, dae_term_add(terms, one, argument));
}

static bool
side_has_no_value(Question *question, DaeTerm side, bool is_equation)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(question->checker->terms, side);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (has_no_value(question, node, is_equation)) {
      return true;
    }
    enter(question, node, visit);
  }
  return false;
}

/* The premise's own solution, unless another step says what its atom is. */
static void
bind_premise(Question *question, const DaeInitStep *step, const DaeInitStep *premise)
{
  bool is_bound = premise->atom == DAE_NO_TERM || premise->rhs == DAE_NO_TERM;
  for (uint32_t i = 1; i < step->n_from && !is_bound; i++) {
    is_bound = question->checker->steps[step->from[i]].atom == premise->atom;
  }
  if (!is_bound) {
    question_bind(question, premise->atom, premise->rhs);
  }
}

/* step: what was put in; NULL: nothing. */
static bool
premise_has_no_value(Checker *checker, const DaeInitStep *step, const DaeInitStep *premise)
{
  DaeTerms *terms = checker->terms;
  const DaeEquation *equation = dae_init_premise_equation(checker->model, &premise->premise);
  DaeTerm sides[2] = {equation->lhs, equation->rhs};
  for (int32_t k = 0; k < premise->premise.order; k++) {
    sides[0] = dae_term_total(terms, sides[0]);
    sides[1] = dae_term_total(terms, sides[1]);
  }
  for (int i = 0; i < 4; i++) { /* parameters as symbols, then at their values */
    g_autoptr(Question) question = question_new(checker, step, i >= 2);
    if (step != NULL) {
      bind_premise(question, step, premise);
    }
    if (side_has_no_value(question, sides[i % 2], premise->premise.order == 0)) {
      return true;
    }
  }
  return false;
}

bool
domains_premise_never_holds(Checker *checker, const DaeInitStep *premise)
{
  return premise_has_no_value(checker, NULL, premise);
}

bool
domains_check_failure(Checker *checker, const DaeInitStep *step)
{
  const DaeInitStep *premise = step->n_from > 0 ? &checker->steps[step->from[0]] : NULL;
  return premise != NULL && premise->is_premise &&
         step->lhs == dae_term_int(checker->terms, 0) &&
         step->rhs == dae_term_int(checker->terms, 1) &&
         premise_has_no_value(checker, step, premise);
}
