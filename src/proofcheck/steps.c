#include "proofcheck/steps.h"

#include <math.h>
#include <string.h>

#include "proofcheck/field.h"
#include "proofcheck/separation.h"

#define FIELD_POINTS 3
#define FIELD_ATTEMPTS 64
#define NUMERIC_ZERO (-200) /* a constant that no identity decides: below 10^-200 in balls */

/* ---- the checker ------------------------------------------------------------------------- */

/* Bases of negative powers and arguments of logarithms. */
static void
collect_domain(Checker *checker, DaeTerm t, DaeVisit *visit)
{
  dae_visit_add(visit, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(checker->terms, node, &n);
    DaeKind kind = dae_term_kind(checker->terms, node);
    bool divides = kind == DAE_KIND_POWER && dae_term_is_number(checker->terms, operands[1]) &&
                   dae_term_sign(checker->terms, operands[1]) < 0;
    bool is_log =
        kind == DAE_KIND_CALL && (dae_term_function(checker->terms, node) == DAE_FN_LOG ||
                                  dae_term_function(checker->terms, node) == DAE_FN_LOG10);
    if (divides || is_log) {
      g_array_append_val(checker->domain, operands[0]);
    }
    if (kind != DAE_KIND_IF) { /* a branch that is not taken need not be defined */
      dae_visit_enter(visit, node);
    }
  }
}

static void
collect_parameters(Checker *checker)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(checker->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(checker->model, k);
    if (parameter->value == DAE_NO_TERM || parameter->is_free) {
      continue;
    }
    g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_parameters(checker->terms, parameter->value, inside);
    bool is_dependent = parameter->is_constant || inside->len > 0;
    DaeTerm atom = dae_term_parameter(checker->terms, parameter->symbol);
    GArray *list = is_dependent ? checker->dependent : checker->given;
    g_array_append_val(list, atom);
    g_array_append_val(list, parameter->value);
  }
}

Checker *
checker_new(const DaeModel *model, DaeTerms *terms, double start)
{
  Checker *checker = g_new0(Checker, 1);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  checker->model = model;
  checker->terms = terms;
  checker->dependent = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  checker->given = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  checker->domain = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  checker->identities = g_ptr_array_new();
  checker->positive = g_array_new(FALSE, FALSE, sizeof(PositiveAtom));
  start = isfinite(start) ? start : dae_model_experiment(model)->start;
  start = isfinite(start) ? start : 0.0;
  g_ascii_dtostr(text, sizeof text, fabs(start));
  checker->start_time = dae_term_decimal(terms, text, strlen(text));
  if (start < 0.0) {
    checker->start_time = dae_term_neg(terms, checker->start_time);
  }
  collect_parameters(checker);
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    const DaeEquation *equation = dae_model_equation(model, i);
    collect_domain(checker, equation->lhs, visit);
    collect_domain(checker, equation->rhs, visit);
  }
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation = dae_model_initial_equation(model, i);
    collect_domain(checker, equation->lhs, visit);
    collect_domain(checker, equation->rhs, visit);
  }
  return checker;
}

void
checker_free(Checker *checker)
{
  if (checker != NULL) {
    g_array_unref(checker->dependent);
    g_array_unref(checker->given);
    g_array_unref(checker->domain);
    g_array_unref(checker->positive);
    g_ptr_array_unref(checker->identities);
    g_free(checker);
  }
}

DaeTerm
checker_residual(const Checker *checker, const DaeInitStep *step)
{
  return step->lhs == DAE_NO_TERM || step->rhs == DAE_NO_TERM
             ? DAE_NO_TERM
             : dae_term_sub(checker->terms, step->lhs, step->rhs);
}

DaeTerm
checker_base(const Checker *checker, const DaeInitStep *step)
{
  return step->n_from == 0 ? DAE_NO_TERM
                           : checker_residual(checker, &checker->steps[step->from[0]]);
}

/* ---- questions --------------------------------------------------------------------------- */

void
question_bind(Question *question, DaeTerm atom, DaeTerm value)
{
  g_array_append_val(question->atoms, atom);
  g_array_append_val(question->atoms, value);
  dae_certifier_bind(question->signs, atom, value);
  dae_exact_bind(question->exact, atom, value);
}

static void
bind_pairs(Question *question, const GArray *pairs)
{
  for (guint i = 0; i + 1 < pairs->len; i += 2) {
    question_bind(question, g_array_index(pairs, DaeTerm, i),
                  g_array_index(pairs, DaeTerm, i + 1));
  }
}

/* A premise with log(y) holds only where y is positive. Branches are not entered: what is
 * not taken need not be defined. */
static void
collect_positive_atoms(Checker *checker, uint32_t step, DaeTerm t, DaeVisit *visit)
{
  DaeTerms *terms = checker->terms;
  dae_visit_add(visit, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, node, &n);
    DaeKind kind = dae_term_kind(terms, node);
    bool is_log = kind == DAE_KIND_CALL && (dae_term_function(terms, node) == DAE_FN_LOG ||
                                            dae_term_function(terms, node) == DAE_FN_LOG10);
    if (is_log && (dae_term_kind(terms, operands[0]) == DAE_KIND_VARIABLE ||
                   dae_term_kind(terms, operands[0]) == DAE_KIND_PARAMETER)) {
      PositiveAtom positive = {operands[0], step};
      g_array_append_val(checker->positive, positive);
    }
    if (kind != DAE_KIND_IF) {
      dae_visit_enter(visit, node);
    }
  }
}

/* Once for each proof, so that long ones stay linear. */
static void
look_through_premises(Checker *checker)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(checker->terms, DAE_NO_TERM);
  g_array_set_size(checker->positive, 0);
  checker->looked_through = checker->steps;
  for (uint32_t k = 0; k < checker->n_steps; k++) {
    const DaeInitStep *step = &checker->steps[k];
    if (step->is_premise && step->lhs != DAE_NO_TERM && step->rhs != DAE_NO_TERM) {
      collect_positive_atoms(checker, k, step->lhs, visit);
      collect_positive_atoms(checker, k, step->rhs, visit);
    }
  }
}

static void
assume_domain_of_premises(Question *question, const DaeInitStep *step)
{
  Checker *checker = question->checker;
  if (checker->looked_through != checker->steps) {
    look_through_premises(checker);
  }
  for (guint i = 0; i < checker->positive->len; i++) {
    const PositiveAtom *positive = &g_array_index(checker->positive, PositiveAtom, i);
    if (&checker->steps[positive->step] < step) {
      dae_exact_assume_positive(question->exact, positive->atom);
    }
  }
}

Question *
question_new(Checker *checker, const DaeInitStep *step, bool at_values)
{
  Question *question = g_new0(Question, 1);
  question->checker = checker;
  question->atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  question->signs = dae_certifier_new(checker->terms);
  question->exact = dae_exact_new(checker->terms, question->signs);
  question_bind(question, dae_term_time(checker->terms), checker->start_time);
  bind_pairs(question, checker->dependent);
  if (at_values) {
    bind_pairs(question, checker->given);
  }
  if (step != NULL) {
    assume_domain_of_premises(question, step);
  }
  for (uint32_t i = 1; step != NULL && i < step->n_from; i++) {
    const DaeInitStep *other = &checker->steps[step->from[i]];
    if (other->atom != DAE_NO_TERM && other->rhs != DAE_NO_TERM) {
      question_bind(question, other->atom, other->rhs);
    }
  }
  return question;
}

static const char name_forms[] = "sums of angles or logarithms by the product of their factors";
static const char name_separation[] = "separation bound of algebraic numbers";

static void
note_identity(const Checker *checker, const char *name)
{
  if (!g_ptr_array_find(checker->identities, name, NULL)) {
    g_ptr_array_add(checker->identities, (gpointer)name);
  }
}

void
question_free(Question *question)
{
  if (question == NULL) {
    return;
  }
  const GPtrArray *used = dae_exact_used(question->exact);
  for (guint i = 0; i < used->len; i++) {
    note_identity(question->checker, g_ptr_array_index(used, i));
  }
  dae_exact_free(question->exact);
  dae_certifier_free(question->signs);
  g_array_unref(question->atoms);
  g_free(question);
}

/* Three random points of the field: all images 0 accepts, one that is not 0 refuses. */
static bool
vanishes_in_field(const Question *question, DaeTerm t)
{
  int found = 0;
  for (uint64_t seed = 1; seed <= FIELD_ATTEMPTS && found < FIELD_POINTS; seed++) {
    g_autoptr(DaeField) field = dae_field_new(question->checker->terms, seed);
    for (guint i = 0; i + 1 < question->atoms->len; i += 2) {
      dae_field_bind(field, g_array_index(question->atoms, DaeTerm, i),
                     g_array_index(question->atoms, DaeTerm, i + 1));
    }
    uint64_t value = 0;
    if (!dae_field_value(field, t, &value)) {
      continue;
    }
    if (value != 0) {
      return false;
    }
    found++;
  }
  return found == FIELD_POINTS;
}

How
question_zero(Question *question, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return HOW_NOT;
  }
  switch (dae_exact_is_zero(question->exact, t)) {
  case DAE_EXACT_ZERO:
    return HOW_EXACT;
  case DAE_EXACT_NONZERO:
  case DAE_EXACT_UNDEFINED:
    return HOW_NOT;
  case DAE_EXACT_OPEN:
    break;
  }
  if (dae_separation_is_zero(question->checker->terms, dae_exact_bindings(question->exact),
                             question->signs, t)) {
    note_identity(question->checker, name_separation);
    return HOW_EXACT;
  }
  if (dae_forms_vanishes(question->checker->terms, dae_exact_bindings(question->exact),
                         question->signs, t)) {
    note_identity(question->checker, name_forms);
    return HOW_EXACT;
  }
  if (vanishes_in_field(question, t)) {
    return HOW_IMAGES;
  }
  return dae_certifier_is_below(question->signs, t, NUMERIC_ZERO) ? HOW_NUMERIC : HOW_NOT;
}

How
checker_zero(Checker *checker, const DaeInitStep *step, DaeTerm t)
{
  How how = HOW_NOT;
  for (int at_values = 0; at_values < 2 && how == HOW_NOT; at_values++) {
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    how = question_zero(question, t);
  }
  return how;
}

bool
checker_is_nonzero(Checker *checker, const DaeInitStep *step, DaeTerm t)
{
  int sign = 0;
  g_autoptr(Question) question = question_new(checker, step, true);
  if (t == DAE_NO_TERM || dae_exact_is_zero(question->exact, t) == DAE_EXACT_NONZERO ||
      dae_certifier_sign(question->signs, t, &sign) ||
      dae_range_excludes_zero(checker->terms, dae_exact_bindings(question->exact), t)) {
    return t != DAE_NO_TERM;
  }
  for (guint i = 0; i < checker->domain->len; i++) { /* where t is 0 the model divides by 0 */
    if (dae_exact_divides(question->exact, t, g_array_index(checker->domain, DaeTerm, i))) {
      return true;
    }
  }
  return false;
}
