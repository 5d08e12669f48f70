/* The independent proof checker: looks at one step at a time, with the texts of the model and the steps only. It shares no
 * code with the search: values of both sides are compared at random points of a finite field (verify_field.c), and where
 * that has no answer (conditions, logarithms, inverse functions) at random real points in floating point. A wrong step
 * passes with probability below 1e-14 in the first case; the second is a check, not a proof. */
#include <math.h>
#include <string.h>

#include "initcheck/initcheck.h"
#include "initcheck/verify-field.h"

#define FIELD_POINTS 3
#define FIELD_ATTEMPTS 64
#define REAL_POINTS 4
#define REAL_ATTEMPTS 40

typedef struct {
  const DaeModel *model;
  DaeTerms *terms;
  const DaeInitStep *steps;
  uint32_t n_steps;
  DaeTerm start_time;
} Checker;

typedef struct
{ /* a question about residuals: what stands for what, and are parameters at their values? */
  GArray *atoms; /* DaeTerm pairs: atom, value */
  bool at_values;
} Point;

typedef enum { ANSWER_YES, ANSWER_NO, ANSWER_NONE } Answer;

/* ---- points ------------------------------------------------------------------------------------------- */

static void
bind(Point *point, DaeTerm atom, DaeTerm value)
{
  g_array_append_val(point->atoms, atom);
  g_array_append_val(point->atoms, value);
}

static void
bind_common(const Checker *checker, Point *point)
{
  bind(point, dae_term_time(checker->terms), checker->start_time);
  for (uint32_t k = 0; k < dae_model_n_parameters(checker->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(checker->model, k);
    bool is_dependent = parameter->is_constant;
    if (parameter->value == DAE_NO_TERM || parameter->is_free) {
      continue;
    }
    if (!is_dependent) {
      g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
      dae_term_collect_parameters(checker->terms, parameter->value, inside);
      is_dependent = inside->len > 0;
    }
    if (is_dependent || point->at_values) {
      bind(point, dae_term_parameter(checker->terms, parameter->symbol), parameter->value);
    }
  }
}

/* Solutions named by the steps after the first. */
static void
bind_solutions(const Checker *checker, Point *point, const DaeInitStep *step)
{
  for (uint32_t i = 1; i < step->n_from; i++) {
    const DaeInitStep *other = &checker->steps[step->from[i]];
    if (other->atom != DAE_NO_TERM) {
      bind(point, other->atom, other->rhs);
    }
  }
}

static DaeField *
field_at(const Checker *checker, const Point *point, uint64_t seed)
{
  DaeField *field = dae_field_new(checker->terms, seed);
  for (guint i = 0; i + 1 < point->atoms->len; i += 2) {
    dae_field_bind(field, g_array_index(point->atoms, DaeTerm, i),
                   g_array_index(point->atoms, DaeTerm, i + 1));
  }
  return field;
}

/* The same in floating point: atoms not bound get numbers in (0.3, 1.3), or a chosen one. */
typedef struct {
  const Checker *checker;
  GHashTable *bound;
  uint32_t seed;
  uint32_t depth;
  DaeTerm varied; /* this atom has the value `at` */
  double at;
} RealPoint;

static bool
real_atom(void *user, DaeTerm atom, double *value)
{
  RealPoint *point = user;
  if (atom == point->varied) {
    *value = point->at;
    return true;
  }
  gpointer bound = g_hash_table_lookup(point->bound, GUINT_TO_POINTER(atom));
  if (bound == NULL) {
    g_autoptr(GRand) random = g_rand_new_with_seed(point->seed * 7919u + atom);
    *value = 0.3 + g_rand_double(random);
    return true;
  }
  if (point->depth > 100) { /* a long chain: the field has checked it, or nothing does */
    return false;
  }
  point->depth++;
  DaeEvalStatus status = dae_term_eval_double(point->checker->terms, GPOINTER_TO_UINT(bound),
                                              real_atom, point, value);
  point->depth--;
  return status == DAE_EVAL_OK;
}

static void
real_point_init(RealPoint *real, const Checker *checker, const Point *point, uint32_t seed)
{
  *real = (RealPoint){.checker = checker, .seed = seed};
  real->bound = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i + 1 < point->atoms->len; i += 2) {
    g_hash_table_insert(real->bound, GUINT_TO_POINTER(g_array_index(point->atoms, DaeTerm, i)),
                        GUINT_TO_POINTER(g_array_index(point->atoms, DaeTerm, i + 1)));
  }
}

static bool
real_value(RealPoint *real, DaeTerm t, double *value)
{
  return dae_term_eval_double(real->checker->terms, t, real_atom, real, value) == DAE_EVAL_OK &&
         isfinite(*value);
}

/* ---- is this term zero at the point? --------------------------------------------------------------------- */

static Answer
zero_in_field(const Checker *checker, const Point *point, DaeTerm t)
{
  int found = 0;
  for (uint64_t seed = 1; seed <= FIELD_ATTEMPTS && found < FIELD_POINTS; seed++) {
    g_autoptr(DaeField) field = field_at(checker, point, seed);
    uint64_t value = 0;
    if (!dae_field_value(field, t, &value)) {
      continue;
    }
    if (value != 0) {
      return dae_field_is_exact(field) ? ANSWER_NO : ANSWER_NONE;
    }
    found++;
  }
  return found == FIELD_POINTS ? ANSWER_YES : ANSWER_NONE;
}

/* Largest size among the operands of a sum: what cancellation is measured against. */
static double
scale_of(RealPoint *real, DaeTerm t)
{
  uint32_t n = 1;
  const DaeTerm *parts = &t;
  double scale = 1e-3;
  if (dae_term_kind(real->checker->terms, t) == DAE_KIND_SUM) {
    parts = dae_term_operands(real->checker->terms, t, &n);
  }
  for (uint32_t i = 0; i < n; i++) {
    double value = 0.0;
    if (real_value(real, parts[i], &value)) {
      scale = MAX(scale, fabs(value));
    }
  }
  return scale;
}

static Answer
zero_in_reals(const Checker *checker, const Point *point, DaeTerm t)
{
  int found = 0;
  for (uint32_t seed = 1; seed <= REAL_ATTEMPTS && found < REAL_POINTS; seed++) {
    RealPoint real;
    real_point_init(&real, checker, point, seed);
    double value = 0.0;
    bool ok = real_value(&real, t, &value);
    bool small = ok && fabs(value) <= 1e-11 * scale_of(&real, t);
    g_hash_table_unref(real.bound);
    if (ok && !small) {
      return ANSWER_NO;
    }
    found += ok;
  }
  return found > 0 ? ANSWER_YES : ANSWER_NONE;
}

static bool
is_zero(const Checker *checker, const Point *point, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return false;
  }
  Answer answer = zero_in_field(checker, point, t);
  if (answer != ANSWER_NONE) {
    return answer == ANSWER_YES;
  }
  return zero_in_reals(checker, point, t) == ANSWER_YES;
}

static DaeTerm
residual_of(const Checker *checker, const DaeInitStep *step)
{
  return step->lhs == DAE_NO_TERM || step->rhs == DAE_NO_TERM
             ? DAE_NO_TERM
             : dae_term_sub(checker->terms, step->lhs, step->rhs);
}

/* Zero with parameters as symbols, or else at their values. */
static bool
is_zero_somehow(const Checker *checker, const DaeInitStep *step, DaeTerm t)
{
  for (int at_values = 0; at_values < 2; at_values++) {
    Point point = {g_array_new(FALSE, FALSE, sizeof(DaeTerm)), at_values == 1};
    bind_common(checker, &point);
    if (step != NULL) {
      bind_solutions(checker, &point, step);
    }
    bool zero = is_zero(checker, &point, t);
    g_array_unref(point.atoms);
    if (zero) {
      return true;
    }
  }
  return false;
}

/* ---- rules --------------------------------------------------------------------------------------------------- */

static bool
check_premise(const Checker *checker, const DaeInitStep *step)
{
  const DaeInitPremise *premise = &step->premise;
  uint32_t n = premise->is_initial ? dae_model_n_initial_equations(checker->model)
                                   : dae_model_n_equations(checker->model);
  if (premise->index >= n || premise->order < 0) {
    return false;
  }
  const DaeEquation *equation = premise->is_initial
                                    ? dae_model_initial_equation(checker->model, premise->index)
                                    : dae_model_equation(checker->model, premise->index);
  DaeTerm residual = dae_term_sub(checker->terms, equation->lhs, equation->rhs);
  for (int32_t k = 0; k < premise->order; k++) {
    residual = dae_term_total(checker->terms, residual);
  }
  DaeTerm own = residual_of(checker, step);
  return own != DAE_NO_TERM &&
         is_zero_somehow(checker, NULL, dae_term_sub(checker->terms, residual, own));
}

static DaeTerm
base_residual(const Checker *checker, const DaeInitStep *step)
{
  return step->n_from == 0 ? DAE_NO_TERM : residual_of(checker, &checker->steps[step->from[0]]);
}

/* The base vanishes when `atom` is what the step says, and not at another value. */
static bool
check_solved(const Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm base = base_residual(checker, step);
  if (base == DAE_NO_TERM || step->atom != step->lhs ||
      dae_term_contains(terms, step->rhs, step->atom)) {
    return false;
  }
  DaeTerm other = dae_term_add(terms, step->rhs, dae_term_ratio(terms, 3571, 1009));
  for (int at_values = 0; at_values < 2; at_values++) {
    Point point = {g_array_new(FALSE, FALSE, sizeof(DaeTerm)), at_values == 1};
    bind_common(checker, &point);
    bind_solutions(checker, &point, step);
    bind(&point, step->atom, step->rhs);
    bool vanishes = is_zero(checker, &point, base);
    g_array_index(point.atoms, DaeTerm, point.atoms->len - 1) = other;
    bool elsewhere = is_zero(checker, &point, base);
    g_array_unref(point.atoms);
    if (vanishes && (!elsewhere || step->rule == DAE_RULE_BRANCH)) {
      return true;
    }
  }
  return false;
}

/* A root of the step's equation in one of its atoms is a root of the base: in floating point, by bisection-free secants. */
static bool
roots_agree(const Checker *checker, const DaeInitStep *step)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm own = residual_of(checker, step);
  DaeTerm base = base_residual(checker, step);
  if (own == DAE_NO_TERM || base == DAE_NO_TERM) {
    return false;
  }
  dae_term_collect_variables(checker->terms, own, atoms);
  Point point = {g_array_new(FALSE, FALSE, sizeof(DaeTerm)), true};
  bind_common(checker, &point);
  bind_solutions(checker, &point, step);
  bool agree = false;
  for (guint a = 0; a < atoms->len && !agree; a++) {
    RealPoint real;
    real_point_init(&real, checker, &point, 11);
    real.varied = g_array_index(atoms, DaeTerm, a);
    double x0 = 0.9;
    double x1 = 1.1;
    double f0 = 0.0;
    double f1 = 0.0;
    bool ok = true;
    for (int i = 0; i < 60 && ok; i++) {
      real.at = x0;
      ok = real_value(&real, own, &f0);
      real.at = x1;
      ok = ok && real_value(&real, own, &f1) && f1 != f0;
      if (ok && fabs(f1) > 1e-15) {
        double next = x1 - f1 * (x1 - x0) / (f1 - f0);
        x0 = x1;
        x1 = next;
      } else {
        break;
      }
    }
    real.at = x1;
    double at_base = 1.0;
    agree = real_value(&real, own, &f1) && fabs(f1) < 1e-9 &&
            real_value(&real, base, &at_base) && fabs(at_base) <= 1e-10 * scale_of(&real, base);
    g_hash_table_unref(real.bound);
  }
  g_array_unref(point.atoms);
  return agree;
}

/* base = factor * step, with the factor given, or a number found from one point. */
static bool
check_substituted(const Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm base = base_residual(checker, step);
  DaeTerm own = residual_of(checker, step);
  if (base == DAE_NO_TERM || own == DAE_NO_TERM) {
    return false;
  }
  if (step->factors != NULL) {
    DaeTerm scaled = dae_term_mul(terms, step->factors[0], own);
    return is_zero_somehow(checker, step, dae_term_sub(terms, base, scaled));
  }
  return is_zero_somehow(checker, step, dae_term_sub(terms, base, own)) ||
         is_zero_somehow(checker, step, dae_term_add(terms, base, own)) ||
         roots_agree(checker, step);
}

static bool
check_combined(const Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  DaeTerm sum = dae_term_neg(terms, residual_of(checker, step));
  if (step->factors == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < step->n_from; i++) {
    DaeTerm residual = residual_of(checker, &checker->steps[step->from[i]]);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, step->factors[i], residual));
  }
  return is_zero_somehow(checker, NULL, sum);
}

static bool
check_identity(const Checker *checker, const DaeInitStep *step)
{
  DaeTerm own = residual_of(checker, step);
  DaeTerm base = base_residual(checker, step);
  return own != DAE_NO_TERM && base != DAE_NO_TERM && is_zero_somehow(checker, step, own) &&
         is_zero_somehow(checker, step, base);
}

/* The base does not vanish. Without unknowns one point tells; with them (no real solution) many. */
static bool
check_contradiction(const Checker *checker, const DaeInitStep *step)
{
  DaeTerm base = base_residual(checker, step);
  Point point = {g_array_new(FALSE, FALSE, sizeof(DaeTerm)), true};
  bind_common(checker, &point);
  bind_solutions(checker, &point, step);
  bool refuted = true;
  int sign = 0;
  if (base == DAE_NO_TERM) { /* the premise itself is undefined at the start */
    g_array_unref(point.atoms);
    return true;
  }
  for (uint32_t seed = 1; seed <= 200 && refuted; seed++) {
    RealPoint real;
    real_point_init(&real, checker, &point, seed);
    double value = 0.0;
    if (real_value(&real, base, &value) && value != 0.0) {
      int here = value > 0.0 ? 1 : -1;
      refuted = sign == 0 || sign == here;
      sign = here;
    }
    g_hash_table_unref(real.bound);
  }
  bool exact = zero_in_field(checker, &point, base) != ANSWER_YES;
  g_array_unref(point.atoms);
  return refuted && exact;
}

static bool
check_step(const Checker *checker, const DaeInitStep *step, uint32_t number)
{
  for (uint32_t i = 0; i < step->n_from; i++) {
    if (step->from[i] >= number) {
      return false; /* only earlier steps may be used */
    }
  }
  switch (step->rule) {
  case DAE_RULE_PREMISE:
    return check_premise(checker, step);
  case DAE_RULE_SOLVE:
    return check_solved(checker, step);
  case DAE_RULE_BRANCH:
    return step->atom != DAE_NO_TERM ? check_solved(checker, step) : roots_agree(checker, step);
  case DAE_RULE_SUBSTITUTE:
  case DAE_RULE_VALUES:
    return check_substituted(checker, step);
  case DAE_RULE_COMBINE:
    return check_combined(checker, step);
  case DAE_RULE_IDENTITY:
    return check_identity(checker, step);
  case DAE_RULE_NUMERIC:
    return true; /* claims nothing but what floating point says; the result is labelled numeric */
  case DAE_RULE_CONTRADICTION:
    return check_contradiction(checker, step);
  }
  return false;
}

static bool
check_all_steps(const Checker *checker, const char *what, char **why)
{
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    if (!check_step(checker, &checker->steps[s], s)) {
      *why = g_strdup_printf("%s: step %u does not follow: %s", what, s + 1,
                             checker->steps[s].text);
      return false;
    }
  }
  return true;
}

/* The redundant equation itself: zero with all solutions of the proof put in, and not among the premises. */
static bool
check_redundant(const Checker *checker, const DaeInitRedundant *item)
{
  DaeTerms *terms = checker->terms;
  const DaeEquation *equation =
      item->what.is_initial ? dae_model_initial_equation(checker->model, item->what.index)
                            : dae_model_equation(checker->model, item->what.index);
  DaeTerm residual = dae_term_sub(terms, equation->lhs, equation->rhs);
  for (int32_t k = 0; k < item->what.order; k++) {
    residual = dae_term_total(terms, residual);
  }
  for (int at_values = 0; at_values < 2; at_values++) {
    Point point = {g_array_new(FALSE, FALSE, sizeof(DaeTerm)), at_values == 1};
    bind_common(checker, &point);
    for (uint32_t s = 0; s < item->n_steps; s++) {
      const DaeInitStep *step = &item->steps[s];
      bool is_own = step->is_premise && step->premise.is_initial == item->what.is_initial &&
                    step->premise.index == item->what.index &&
                    step->premise.order == item->what.order;
      if (step->atom != DAE_NO_TERM && !is_own) {
        bind(&point, step->atom, step->rhs);
      }
    }
    bool zero = is_zero(checker, &point, residual);
    g_array_unref(point.atoms);
    if (zero) {
      return true;
    }
  }
  /* a proof by combination has no solutions to put in: its last identity is about this equation */
  for (uint32_t s = 0; s < item->n_steps; s++) {
    if (item->steps[s].rule == DAE_RULE_COMBINE) {
      return true;
    }
  }
  return false;
}

bool
dae_init_verify(const DaeInit *init, const DaeModel *model, DaeTerms *terms, char **why)
{
  double start = dae_model_experiment(model)->start;
  Checker checker = {.model = model, .terms = terms};
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  start = isfinite(start) ? start : 0.0;
  g_ascii_dtostr(text, sizeof text, fabs(start));
  checker.start_time = dae_term_decimal(terms, text, strlen(text));
  if (start < 0.0) {
    checker.start_time = dae_term_neg(terms, checker.start_time);
  }
  *why = NULL;
  for (uint32_t i = 0; i < dae_init_n_redundant(init); i++) {
    const DaeInitRedundant *item = dae_init_redundant(init, i);
    g_autofree char *what = dae_init_premise_text(model, terms, &item->what);
    checker.steps = item->steps;
    checker.n_steps = item->n_steps;
    if (!check_all_steps(&checker, what, why)) {
      return false;
    }
    if (!check_redundant(&checker, item)) {
      *why = g_strdup_printf("%s: the proof does not show it", what);
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_init_n_conflicts(init); i++) {
    const DaeInitConflict *conflict = dae_init_conflict(init, i);
    checker.steps = conflict->steps;
    checker.n_steps = conflict->n_steps;
    g_autofree char *what = g_strdup_printf("conflict %u", i);
    if (!check_all_steps(&checker, what, why)) {
      return false;
    }
  }
  return true;
}
