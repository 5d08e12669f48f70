/* Inside of the proof checker: a question is a point (what stands for what) at which terms are
 * compared with 0 (steps.c); the rules ask questions (check.c). */
#ifndef DAE_PROOFCHECK_STEPS_H
#define DAE_PROOFCHECK_STEPS_H

#include "proofcheck/exact.h"
#include "proofcheck/proofcheck.h"

#define CHECKER_SMALL (-50) /* numeric steps claim residuals below 10^-50 */

/* How a step was checked; a larger value is weaker. */
typedef enum { HOW_NOT, HOW_EXACT, HOW_IMAGES, HOW_NUMERIC } How;

typedef struct { /* its logarithm is in the premise of this step */
  DaeTerm atom;
  uint32_t step;
} PositiveAtom;

typedef struct {
  const DaeModel *model;
  DaeTerms *terms;
  const DaeInitStep *steps;
  uint32_t n_steps;
  DaeTerm start_time;
  GArray *dependent;     /* DaeTerm pairs: parameters that are functions of others */
  GArray *given;         /* DaeTerm pairs: the others that have values */
  GArray *domain;        /* DaeTerm: not zero wherever the model is defined */
  GPtrArray *identities; /* static names */
  GArray *positive;      /* PositiveAtom, of the steps that were looked through */
  const DaeInitStep *looked_through;
  DaeProofCounts counts;
} Checker;

Checker *checker_new(const DaeModel *model, DaeTerms *terms, double start);
void checker_free(Checker *checker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Checker, checker_free)

typedef struct {
  Checker *checker;
  GArray *atoms; /* DaeTerm pairs: atom, value */
  DaeCertifier *signs;
  DaeExact *exact;
} Question;

/* The solutions that the step names after its base are put in; NULL: none.
 * at_values: parameters at their values. */
Question *question_new(Checker *checker, const DaeInitStep *step, bool at_values);
void question_free(Question *question);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Question, question_free)
void question_bind(Question *question, DaeTerm atom, DaeTerm value);
How question_zero(Question *question, DaeTerm t);

DaeTerm checker_residual(const Checker *checker, const DaeInitStep *step); /* or DAE_NO_TERM */
DaeTerm checker_base(const Checker *checker, const DaeInitStep *step); /* residual of from[0] */
/* Zero with parameters as symbols, or else at their values. */
How checker_zero(Checker *checker, const DaeInitStep *step, DaeTerm t);
/* Can t not vanish? At the given values, by its range, or because the model divides by it. */
bool checker_is_nonzero(Checker *checker, const DaeInitStep *step, DaeTerm t);

/* ---- cases.c ----------------------------------------------------------------------------- */

/* A CONTRADICTION with a condition (the solutions make it the other way) or an atom (its
 * value is none of its type). */
bool cases_check_failure(Checker *checker, const DaeInitStep *step);
/* Is there a choice among several behind the step? */
bool cases_step_is_in_a_case(Checker *checker, uint32_t step);
/* A CASE step: is there a contradiction for every combination of cases? */
bool cases_are_all(Checker *checker, uint32_t step);

/* ---- domains.c --------------------------------------------------------------------------- */

/* A CONTRADICTION with a part: from[0] is a premise in which a root, a logarithm, asin or acos
 * has an argument outside of its domain at the solutions of the others. */
bool domains_check_failure(Checker *checker, const DaeInitStep *step);
/* The same whatever the unknowns are: acos(3). Everything follows from such a premise. */
bool domains_premise_never_holds(Checker *checker, const DaeInitStep *premise);

/* ---- periods.c --------------------------------------------------------------------------- */

/* The step `base` is c*f(u) + d = 0 with f = sin, cos or tan and u = x + e or -x + e; the
 * alternatives are the solutions of one period, and the premises of the proof do not tell x
 * and x + 2*pi apart. `like`: a step that has what the alternatives have put in. */
bool periods_are_alike(Checker *checker, const DaeInitStep *like, uint32_t base,
                       const GArray *alternatives);

#endif
