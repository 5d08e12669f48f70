/* Variables that one equation defines and at most one other one uses. Putting them in makes no
 * row longer than the two were together, so the number of entries never grows. */
#include "simplify/simplify-priv.h"

/* Variables of a definition, and of what becomes of it when later ones are put in. */
#define LONGEST_ROW 12u
#define LONGEST_RECOVERY 24u
/* Equations that an exponential law of few variables is put into. */
#define MOST_USES 3u
#define LONGEST_LAW 4u

static bool
is_stepwise(DaeFunction function)
{
  uint8_t class = dae_function_facts(function)->kind;
  return class == DAE_CLASS_STEP || class == DAE_CLASS_REST;
}

static bool
grows(DaeFunction function)
{
  return function == DAE_FN_EXP || function == DAE_FN_SINH || function == DAE_FN_COSH;
}

static bool
has_growth(const DaeSimplifier *s, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(s->terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (dae_term_kind(s->terms, top) == DAE_KIND_CALL &&
        grows(dae_term_function(s->terms, top)) && !dae_term_is_parametric(s->terms, top)) {
      return true;
    }
    dae_visit_enter(visit, top);
  }
  return false;
}

static bool
contains_variable(DaeSimplifier *s, DaeTerm residual, uint32_t j)
{
  return dae_term_contains(
      s->terms, residual,
      dae_term_variable(s->terms, dae_model_variable(s->model, j)->symbol, 0));
}

uint32_t
dae_simplifier_count_uses(DaeSimplifier *s, uint32_t j, uint32_t definition, uint32_t most)
{
  DAE_ASSERT(most <= MOST_USES);
  uint32_t seen[MOST_USES + 2] = {definition};
  uint32_t n = 0;
  for (uint32_t at = s->first_occurrence[j]; at != 0 && n <= most; s->work++) {
    const DaeOccurrence *occurrence = &g_array_index(s->occurrences, DaeOccurrence, at);
    uint32_t equation = occurrence->equation;
    at = occurrence->next;
    bool is_new = s->residual[equation] != DAE_NO_TERM;
    for (uint32_t k = 0; k <= n && is_new; k++) {
      is_new = seen[k] != equation;
    }
    if (is_new && contains_variable(s, s->residual[equation], j)) {
      seen[++n] = equation;
    }
  }
  return n;
}

/* May variable j go at all, whatever its equation says? */
static bool
is_candidate(const DaeSimplifier *s, uint32_t j, uint32_t uses)
{
  const DaeVariable *variable = &s->variables[j];
  return s->is_differentiated[j] == 0 && variable->state_select <= 0 &&
         (uses == 0 || variable->start == DAE_NO_TERM);
}

/* The variables of the equation as numbers; false: a derivative is among
 * them, or there are too many. */
static bool
list_variables(DaeSimplifier *s, uint32_t equation, uint32_t *list, uint32_t *n)
{
  if (dae_simplifier_has_derivatives(s, equation)) {
    return false;
  }
  g_array_set_size(s->atoms, 0);
  dae_term_collect_variables(s->terms, s->residual[equation], s->atoms);
  if (s->atoms->len > LONGEST_ROW) {
    return false;
  }
  *n = s->atoms->len;
  for (uint32_t i = 0; i < *n; i++) {
    DaeTerm atom = g_array_index(s->atoms, DaeTerm, i);
    if (dae_term_order(s->terms, atom) > 0 ||
        !dae_model_find_variable(s->model, dae_term_get_symbol(s->terms, atom), &list[i])) {
      return false;
    }
  }
  return true;
}

/* Conditions are watched while the integrator runs: an equation with one stays. */
static bool
has_condition(DaeSimplifier *s, DaeTerm t)
{
  if (!dae_term_has_break(s->terms, t)) {
    return false;
  }
  g_autoptr(DaeVisit) visit = dae_visit_new(s->terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(s->terms, top);
    if (kind == DAE_KIND_IF || kind == DAE_KIND_RELATION ||
        (kind == DAE_KIND_CALL && is_stepwise(dae_term_function(s->terms, top)))) {
      return true;
    }
    dae_visit_enter(visit, top);
  }
  return false;
}

/* Does x stand inside of a function that grows like the exponential one? */
static bool
is_inside_growth(DaeSimplifier *s, DaeTerm t, DaeTerm x)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(s->terms, t);
  for (DaeTerm top = dae_visit_next(visit); top != DAE_NO_TERM; top = dae_visit_next(visit)) {
    if (dae_term_kind(s->terms, top) == DAE_KIND_CALL &&
        grows(dae_term_function(s->terms, top)) && dae_term_contains(s->terms, top, x)) {
      return true;
    }
    dae_visit_enter(visit, top);
  }
  return false;
}

/* exp(exp(...)): a chain x1 = exp(x2) - c, x2 = exp(x3) - c, ... put into each other has no value
 * in doubles near the start values any more. */
static bool
nests_growth(DaeSimplifier *s, uint32_t equation, DaeTerm x, uint32_t j, DaeTerm value)
{
  if (!has_growth(s, value)) {
    return false;
  }
  for (uint32_t at = s->first_occurrence[j]; at != 0;) {
    const DaeOccurrence *occurrence = &g_array_index(s->occurrences, DaeOccurrence, at);
    DaeTerm residual = s->residual[occurrence->equation];
    at = occurrence->next;
    if (occurrence->equation != equation && residual != DAE_NO_TERM &&
        is_inside_growth(s, residual, x)) {
      return true;
    }
  }
  return false;
}

static bool
try_definition(DaeSimplifier *s, uint32_t equation, uint32_t j, uint32_t most_uses,
               const uint32_t *list, uint32_t n)
{
  if (s->load[j] + n - 2 > LONGEST_RECOVERY) {
    return false;
  }
  uint32_t uses = dae_simplifier_count_uses(s, j, equation, most_uses);
  if (uses > most_uses || !is_candidate(s, j, uses)) {
    return false;
  }
  DaeTerm coefficient = dae_number_coefficient(s, s->residual[equation], j);
  if (coefficient == DAE_NO_TERM) {
    return false;
  }
  DaeTerm x = dae_term_variable(s->terms, dae_model_variable(s->model, j)->symbol, 0);
  DaeTerm value =
      dae_term_sub(s->terms, x, dae_term_div(s->terms, s->residual[equation], coefficient));
  if (value == DAE_NO_TERM || has_condition(s, value) ||
      nests_growth(s, equation, x, j, value)) {
    return false;
  }
  DAE_ASSERT(!dae_term_contains(s->terms, value, x));
  for (uint32_t i = 0; i < n; i++) {
    s->load[list[i]] = MAX(s->load[list[i]], s->load[j] + n - 2);
  }
  dae_simplifier_eliminate(s, equation, j, value);
  return true;
}

/* In sums and products, not deeper than laws are written. */
static bool
has_exponential(DaeSimplifier *s, DaeTerm t, uint32_t depth)
{
  DaeKind kind = dae_term_kind(s->terms, t);
  if (kind == DAE_KIND_CALL) {
    return dae_term_function(s->terms, t) == DAE_FN_EXP;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(s->terms, t, &n);
  bool is_open = depth > 0 && (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT);
  for (uint32_t i = 0; is_open && i < n; i++) {
    if (has_exponential(s, operands[i], depth - 1)) {
      return true;
    }
  }
  return false;
}

/* First what nobody else uses, then what one other equation uses. A current that is a sum of
 * exponentials is put into the few equations that use it: next to a current of 1e-12 the voltage of
 * a diode that blocks is lost to rounding, in the sum of the exponentials alone it is not. */
static void
look_for_definition(DaeSimplifier *s, uint32_t equation)
{
  uint32_t list[LONGEST_ROW];
  uint32_t n = 0;
  if (!list_variables(s, equation, list, &n) || n < 2) {
    return;
  }
  for (uint32_t most_uses = 0; most_uses <= 1; most_uses++) {
    for (uint32_t i = n; i > 0; i--) {
      if (try_definition(s, equation, list[i - 1], most_uses, list, n)) {
        return;
      }
    }
  }
  bool is_law = n <= LONGEST_LAW && has_exponential(s, s->residual[equation], 6);
  for (uint32_t i = n; is_law && i > 0; i--) {
    if (try_definition(s, equation, list[i - 1], MOST_USES, list, n)) {
      return;
    }
  }
}

void
dae_simplify_explicit(DaeSimplifier *s)
{
  while (s->is_sound && !g_queue_is_empty(s->rows)) {
    uint32_t equation = GPOINTER_TO_UINT(g_queue_pop_head(s->rows));
    s->row_queued[equation] = 0;
    if (s->residual[equation] != DAE_NO_TERM) {
      look_for_definition(s, equation);
      dae_simplify_aliases(s);
    }
  }
}
