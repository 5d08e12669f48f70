/* The rule `case`. A BRANCH step is a hypothesis: a condition holds or does not, or one of
 * the factors of a product is the one that vanishes. What follows from it holds in that case
 * only. A CASE step names contradictions; each of them excludes the combination of
 * hypotheses behind it. It follows when every combination is excluded: conditions hold or
 * they do not, and the factors that the proof looks at must be shown to be all there are,
 * here and not by the search. */
#include <string.h>

#include "proofcheck/steps.h"

#define MAX_COMBINATIONS                                                                       \
  100000u /* of cases that are looked at: a count, so that it always ends */

typedef struct {        /* alternatives of which one holds */
  DaeTerm condition;    /* or DAE_NO_TERM: */
  const uint32_t *from; /* the product and what was put in */
  uint32_t n_from;
  int is_covered; /* 0 not looked at, 1 the alternatives are all, -1 not shown */
} Group;

typedef struct {
  uint32_t group;
  uint32_t step; /* the BRANCH step, for a condition the first one */
  bool holds;
} Literal;

typedef struct {
  Checker *checker;
  GArray *groups;      /* Group */
  GArray *literals;    /* Literal */
  GPtrArray *behind;   /* by step: GByteArray over the literals */
  uint8_t *taken;      /* by literal */
  uint8_t *is_decided; /* by group */
  const DaeInitStep *last;
  uint32_t budget;
} Cases;

/* ---- hypotheses -------------------------------------------------------------------------- */

static bool
same_sources(const Group *group, const DaeInitStep *step)
{
  return group->condition == DAE_NO_TERM && group->n_from == step->n_from &&
         memcmp(group->from, step->from, sizeof(uint32_t) * step->n_from) == 0;
}

static uint32_t
group_of(Cases *cases, const DaeInitStep *step)
{
  for (guint g = 0; g < cases->groups->len; g++) {
    const Group *group = &g_array_index(cases->groups, Group, g);
    if (step->condition != DAE_NO_TERM ? group->condition == step->condition
                                       : same_sources(group, step)) {
      return g;
    }
  }
  Group group = {.condition = step->condition, .from = step->from, .n_from = step->n_from};
  g_array_append_val(cases->groups, group);
  return cases->groups->len - 1;
}

/* The hypothesis that a step makes by itself, or UINT32_MAX. */
static uint32_t
literal_of(Cases *cases, uint32_t s)
{
  const DaeInitStep *step = &cases->checker->steps[s];
  bool fails = step->rule == DAE_RULE_CONTRADICTION && step->condition != DAE_NO_TERM;
  if (step->rule != DAE_RULE_BRANCH && !fails) {
    return UINT32_MAX;
  }
  Literal literal = {.group = group_of(cases, step), .step = s, .holds = step->holds};
  for (guint k = 0; k < cases->literals->len; k++) {
    const Literal *other = &g_array_index(cases->literals, Literal, k);
    if (other->group == literal.group && step->condition != DAE_NO_TERM &&
        other->holds == literal.holds) {
      return k;
    }
  }
  g_array_append_val(cases->literals, literal);
  return cases->literals->len - 1;
}

static void
free_bytes(gpointer data)
{
  g_byte_array_unref(data);
}

static void
collect(Cases *cases, Checker *checker)
{
  cases->checker = checker;
  cases->groups = g_array_new(FALSE, TRUE, sizeof(Group));
  cases->literals = g_array_new(FALSE, FALSE, sizeof(Literal));
  cases->behind = g_ptr_array_new_with_free_func(free_bytes);
  g_autofree uint32_t *own = g_new(uint32_t, checker->n_steps + 1);
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    own[s] = literal_of(cases, s);
  }
  for (uint32_t s = 0; s < checker->n_steps; s++) {
    const DaeInitStep *step = &checker->steps[s];
    GByteArray *set = g_byte_array_sized_new(cases->literals->len + 1);
    g_byte_array_set_size(set, cases->literals->len);
    memset(set->data, 0, cases->literals->len);
    for (uint32_t i = 0; i < step->n_from; i++) {
      if (step->from[i] < s) { /* a later one does not pass as a step */
        const GByteArray *other = g_ptr_array_index(cases->behind, step->from[i]);
        for (guint k = 0; k < set->len; k++) {
          set->data[k] |= other->data[k];
        }
      }
    }
    if (own[s] != UINT32_MAX) {
      set->data[own[s]] = 1;
    }
    g_ptr_array_add(cases->behind, set);
  }
}

static void
cases_clear(Cases *cases)
{
  g_array_unref(cases->groups);
  g_array_unref(cases->literals);
  g_ptr_array_unref(cases->behind);
  g_free(cases->taken);
  g_free(cases->is_decided);
}

bool
cases_step_is_in_a_case(Checker *checker, uint32_t step)
{
  Cases cases = {.budget = 0};
  collect(&cases, checker);
  const GByteArray *set = g_ptr_array_index(cases.behind, step);
  bool is_in = false;
  for (guint k = 0; k < set->len; k++) {
    is_in |= set->data[k] != 0;
  }
  cases_clear(&cases);
  return is_in;
}

/* ---- are these all? ---------------------------------------------------------------------- */

static GArray *
residuals_of_group(const Cases *cases, uint32_t group)
{
  GArray *out = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint k = 0; k < cases->literals->len; k++) {
    const Literal *literal = &g_array_index(cases->literals, Literal, k);
    if (literal->group == group) {
      DaeTerm residual =
          checker_residual(cases->checker, &cases->checker->steps[literal->step]);
      g_array_append_val(out, residual);
    }
  }
  return out;
}

/* Where the base vanishes so does the product of the alternatives. */
static bool
product_vanishes(const Cases *cases, const DaeInitStep *step, DaeTerm base, DaeTerm product)
{
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) question = question_new(cases->checker, step, at_values == 1);
    if (dae_exact_divides(question->exact, base, product)) {
      return true;
    }
  }
  return false;
}

/* c*a^n + d = 0 with even n > 2, or c*|a| + d = 0, and the alternatives a = r and a = -r:
 * there are no others. */
static bool
is_pair_of_even_function(const Cases *cases, const DaeInitStep *step, DaeTerm base,
                         DaeTerm plus, DaeTerm minus)
{
  DaeTerms *terms = cases->checker->terms;
  DaeTerm a =
      dae_term_mul(terms, dae_term_ratio(terms, 1, 2), dae_term_add(terms, plus, minus));
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, base);
  /* time was put in everywhere: its symbol is free to stand for the function */
  DaeTerm symbol = dae_term_time(terms);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, node, &n);
    dae_visit_enter(visit, node);
    int64_t exponent = 0;
    DaeKind kind = dae_term_kind(terms, node);
    bool is_even =
        (kind == DAE_KIND_POWER && dae_term_get_int64(terms, operands[1], &exponent) &&
         exponent > 0 && exponent % 2 == 0) ||
        (kind == DAE_KIND_CALL && dae_term_function(terms, node) == DAE_FN_ABS);
    if (!is_even) {
      continue;
    }
    DaeTerm inner = operands[0];
    DaeTerm replaced = dae_term_replace(terms, base, node, symbol);
    DaeTerm slope =
        replaced == DAE_NO_TERM ? replaced : dae_term_partial(terms, replaced, symbol);
    g_autoptr(Question) question = question_new(cases->checker, step, true);
    if (slope != DAE_NO_TERM && !dae_term_contains(terms, slope, symbol) &&
        checker_is_nonzero(cases->checker, step, slope) &&
        question_zero(question, dae_term_sub(terms, inner, a)) == HOW_EXACT) {
      return true;
    }
  }
  return false;
}

static bool
find_alternatives(Cases *cases, uint32_t g)
{
  Group *group = &g_array_index(cases->groups, Group, g);
  Checker *checker = cases->checker;
  DaeTerms *terms = checker->terms;
  g_autoptr(GArray) alternatives = residuals_of_group(cases, g);
  DaeTerm product = dae_term_int(terms, 1);
  if (group->n_from == 0) {
    return false;
  }
  for (guint i = 0; i < alternatives->len; i++) {
    DaeTerm residual = g_array_index(alternatives, DaeTerm, i);
    if (residual == DAE_NO_TERM) {
      return false;
    }
    product = dae_term_mul(terms, product, residual);
  }
  const DaeInitStep like = {.from = (uint32_t *)group->from, .n_from = group->n_from};
  DaeTerm base = checker_residual(checker, &checker->steps[group->from[0]]);
  if (base == DAE_NO_TERM) {
    return false;
  }
  return product_vanishes(cases, &like, base, product) ||
         periods_are_alike(checker, &like, group->from[0], alternatives) ||
         (alternatives->len == 2 &&
          is_pair_of_even_function(cases, &like, base, g_array_index(alternatives, DaeTerm, 0),
                                   g_array_index(alternatives, DaeTerm, 1)));
}

static bool
is_covered(Cases *cases, uint32_t g)
{
  Group *group = &g_array_index(cases->groups, Group, g);
  if (group->condition == DAE_NO_TERM && group->is_covered == 0) {
    group->is_covered = find_alternatives(cases, g) ? 1 : -1;
  }
  return group->condition != DAE_NO_TERM || group->is_covered == 1;
}

/* ---- every combination ------------------------------------------------------------------- */

/* Does the contradiction hang on what was taken so far only? *next: a hypothesis of it that
 * is open; *is_out: one was taken otherwise. */
static bool
look_at_end(const Cases *cases, const GByteArray *set, uint32_t *next, bool *is_out)
{
  bool is_closed = true;
  *next = UINT32_MAX;
  *is_out = false;
  for (guint k = 0; k < set->len; k++) {
    uint32_t group = g_array_index(cases->literals, Literal, k).group;
    if (set->data[k] == 0 || cases->taken[k] != 0) {
      continue;
    }
    is_closed = false;
    if (cases->is_decided[group] != 0) {
      *is_out = true;
    } else if (*next == UINT32_MAX) {
      *next = k;
    }
  }
  return is_closed;
}

/* The product of a group may only be used where its own hypotheses were taken. */
static bool
is_established(const Cases *cases, uint32_t g)
{
  const Group *group = &g_array_index(cases->groups, Group, g);
  for (uint32_t i = 0; group->condition == DAE_NO_TERM && i < group->n_from; i++) {
    const GByteArray *set = g_ptr_array_index(cases->behind, group->from[i]);
    for (guint k = 0; k < set->len; k++) {
      if (set->data[k] != 0 && cases->taken[k] == 0) {
        return false;
      }
    }
  }
  return true;
}

/* The first open hypothesis (its number) of a contradiction that is still possible, or
 * UINT32_MAX; *closed: one is reached. */
static uint32_t
next_hypothesis(const Cases *cases, bool *closed)
{
  uint32_t best = UINT32_MAX;
  *closed = false;
  for (uint32_t i = 0; i < cases->last->n_from && !*closed; i++) {
    uint32_t next = UINT32_MAX;
    bool is_out = false;
    *closed = look_at_end(cases, g_ptr_array_index(cases->behind, cases->last->from[i]), &next,
                          &is_out);
    if (!is_out && next < best &&
        is_established(cases, g_array_index(cases->literals, Literal, next).group)) {
      best = next;
    }
  }
  return best;
}

static bool refute(Cases *cases);

/* One alternative of the group is taken: literal k, or (UINT32_MAX) one that no step speaks
 * of. */
static bool
refute_with(Cases *cases, uint32_t g, uint32_t k)
{
  cases->is_decided[g] = 1;
  if (k != UINT32_MAX) {
    cases->taken[k] = 1;
  }
  bool refuted = refute(cases);
  cases->is_decided[g] = 0;
  if (k != UINT32_MAX) {
    cases->taken[k] = 0;
  }
  return refuted;
}

static bool
refute(Cases *cases)
{
  bool closed = false;
  if (cases->budget == 0) {
    return false;
  }
  cases->budget--;
  uint32_t first = next_hypothesis(cases, &closed);
  if (closed || first == UINT32_MAX) {
    return closed;
  }
  uint32_t g = g_array_index(cases->literals, Literal, first).group;
  bool is_condition = g_array_index(cases->groups, Group, g).condition != DAE_NO_TERM;
  uint32_t n = 0;
  if (!is_covered(cases, g)) {
    return false;
  }
  for (guint k = 0; k < cases->literals->len; k++) {
    if (g_array_index(cases->literals, Literal, k).group == g) {
      n++;
      if (!refute_with(cases, g, k)) {
        return false;
      }
    }
  }
  return !is_condition || n == 2 || refute_with(cases, g, UINT32_MAX);
}

bool
cases_are_all(Checker *checker, uint32_t step)
{
  Cases cases = {.budget = MAX_COMBINATIONS, .last = &checker->steps[step]};
  DaeTerms *terms = checker->terms;
  for (uint32_t i = 0; i < cases.last->n_from; i++) {
    if (checker->steps[cases.last->from[i]].rule != DAE_RULE_CONTRADICTION) {
      return false;
    }
  }
  if (cases.last->lhs != dae_term_int(terms, 0) || cases.last->rhs != dae_term_int(terms, 1)) {
    return false;
  }
  collect(&cases, checker);
  cases.taken = g_new0(uint8_t, cases.literals->len + 1);
  cases.is_decided = g_new0(uint8_t, cases.groups->len + 1);
  bool all = refute(&cases);
  cases_clear(&cases);
  return all;
}

/* ---- cases that fail by themselves ------------------------------------------------------- */

static DaeType
type_of_atom(const Checker *checker, DaeTerm atom)
{
  uint32_t k = 0;
  DaeSymbol symbol = dae_term_get_symbol(checker->terms, atom);
  if (dae_term_kind(checker->terms, atom) == DAE_KIND_PARAMETER) {
    return dae_model_find_parameter(checker->model, symbol, &k)
               ? dae_model_parameter(checker->model, k)->type
               : DAE_TYPE_REAL;
  }
  return dae_term_kind(checker->terms, atom) == DAE_KIND_VARIABLE &&
                 dae_term_order(checker->terms, atom) == 0 &&
                 dae_model_find_variable(checker->model, symbol, &k)
             ? dae_model_variable(checker->model, k)->type
             : DAE_TYPE_REAL;
}

/* Is atom - k certainly of this sign? */
static bool
is_beyond(const Question *question, DaeTerm atom, int64_t k, int side)
{
  int sign = 0;
  DaeTerms *terms = question->checker->terms;
  return dae_certifier_sign(question->signs, dae_term_sub(terms, atom, dae_term_int(terms, k)),
                            &sign) &&
         sign == side;
}

/* Bisection with proved signs: the atom lies strictly between two integers. */
static bool
is_between_integers(const Question *question, DaeTerm atom)
{
  int64_t low = -((int64_t)1 << 50);
  int64_t high = (int64_t)1 << 50;
  if (!is_beyond(question, atom, low, 1) || !is_beyond(question, atom, high, -1)) {
    return false;
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (is_beyond(question, atom, middle, 1)) {
      low = middle;
    } else if (is_beyond(question, atom, middle, -1)) {
      high = middle;
    } else {
      return false; /* perhaps this integer */
    }
  }
  return true;
}

bool
cases_check_failure(Checker *checker, const DaeInitStep *step)
{
  DaeTerms *terms = checker->terms;
  if (step->lhs != dae_term_int(terms, 0) || step->rhs != dae_term_int(terms, 1)) {
    return false;
  }
  for (int at_values = 0; at_values < 2; at_values++) {
    g_autoptr(Question) question = question_new(checker, step, at_values == 1);
    for (uint32_t i = 0; i < step->n_from && i < 1; i++) { /* here the first is no base */
      const DaeInitStep *first = &checker->steps[step->from[0]];
      if (first->atom != DAE_NO_TERM && first->rhs != DAE_NO_TERM) {
        question_bind(question, first->atom, first->rhs);
      }
    }
    if (step->atom != DAE_NO_TERM) {
      DaeType type = type_of_atom(checker, step->atom);
      bool is_discrete =
          type == DAE_TYPE_INTEGER || type == DAE_TYPE_BOOLEAN || type == DAE_TYPE_ENUMERATION;
      if ((type == DAE_TYPE_BOOLEAN &&
           (is_beyond(question, step->atom, 0, -1) || is_beyond(question, step->atom, 1, 1))) ||
          (type == DAE_TYPE_ENUMERATION && is_beyond(question, step->atom, 1, -1)) ||
          (is_discrete && is_between_integers(question, step->atom))) {
        return true;
      }
      continue;
    }
    DaeTerm wanted = dae_term_int(terms, step->holds ? 0 : 1);
    DaeTerm truth =
        dae_term_if(terms, step->condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
    if (question_zero(question, dae_term_sub(terms, truth, wanted)) == HOW_EXACT) {
      return true;
    }
  }
  return false;
}
