/* A discrete variable changes at events only. So outside of when-clauses its value must be an
 * expression that does so as well [Modelica 3.6, 3.8.4]: relations, floor, ceil, integer and
 * div make events; noEvent(...) makes none, and other functions are as continuous as their
 * arguments. */
#include "hybrid/buffers.h"
#include "hybrid/hybrid-priv.h"

typedef enum { FIXED = 1, /* no continuous variable, no time */ STEPWISE, CONTINUOUS } Course;

struct DaeCourses {
  const DaeHybrid *hybrid;
  GHashTable *course; /* term -> Course */
  GHashTable *atoms;  /* symbol + 1 -> number of the event atom + 1; made when asked for */
};

typedef struct DaeCourses Variability;

static Course
course_of(const Variability *v, DaeTerm t)
{
  return (Course)GPOINTER_TO_INT(g_hash_table_lookup(v->course, GUINT_TO_POINTER(t)));
}

static bool
is_known(void *self, DaeTerm t)
{
  return course_of(self, t) != 0;
}

static Course
course_of_variable(const DaeHybrid *hybrid, DaeTerm t)
{
  uint32_t j = 0;
  bool is_discrete =
      dae_term_order(hybrid->terms, t) == 0 &&
      dae_model_find_variable(hybrid->model, dae_term_get_symbol(hybrid->terms, t), &j) &&
      g_array_index(hybrid->discrete_of_variable, uint32_t, j) > 0;
  return is_discrete ? FIXED : CONTINUOUS;
}

static Course
worst_operand(const Variability *v, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(v->hybrid->terms, t, &n);
  Course worst = FIXED;
  for (uint32_t i = 0; i < n; i++) {
    worst = MAX(worst, course_of(v, operands[i]));
  }
  return worst;
}

/* ---- conditions that hold at instants only ----------------------------------------------- */

static void
list_atoms(Variability *v)
{
  v->atoms = g_hash_table_new(NULL, NULL);
  for (uint32_t a = 0; a < dae_model_n_event_atoms(v->hybrid->model); a++) {
    DaeSymbol symbol = dae_model_event_atom(v->hybrid->model, a)->symbol;
    g_hash_table_insert(v->atoms, GUINT_TO_POINTER(symbol + 1), GUINT_TO_POINTER(a + 1));
  }
}

/* The event atom whose truth the condition is; NULL: none. */
static const DaeEventAtom *
event_atom(Variability *v, DaeTerm condition)
{
  DaeTerms *terms = v->hybrid->terms;
  DaeTerm number = DAE_NO_TERM;
  for (uint32_t i = 0; i < 2 && dae_term_kind(terms, condition) == DAE_KIND_RELATION; i++) {
    DaeTerm side = dae_term_operand(terms, condition, i);
    number = dae_term_kind(terms, side) == DAE_KIND_PARAMETER ? side : number;
  }
  if (number == DAE_NO_TERM || dae_truth_of_number(terms, number) != condition) {
    return NULL;
  }
  if (v->atoms == NULL) {
    list_atoms(v);
  }
  DaeSymbol symbol = dae_term_get_symbol(terms, number);
  guint found = GPOINTER_TO_UINT(g_hash_table_lookup(v->atoms, GUINT_TO_POINTER(symbol + 1)));
  return found > 0 ? dae_model_event_atom(v->hybrid->model, found - 1) : NULL;
}

/* c and not pre(c), among others: true while c is new. */
static bool
is_edge(Variability *v, const DaeTerm *operands, uint32_t n)
{
  DaeTerms *terms = v->hybrid->terms;
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_kind(terms, operands[i]) != DAE_KIND_NOT) {
      continue;
    }
    const DaeEventAtom *atom = event_atom(v, dae_term_operand(terms, operands[i], 0));
    for (uint32_t k = 0; k < n && atom != NULL && atom->kind == DAE_ATOM_PRE; k++) {
      if (operands[k] == dae_truth_of_number(terms, atom->of)) {
        return true;
      }
    }
  }
  return false;
}

/* not c or pre(c), among others: false while c is new. */
static bool
is_no_edge(Variability *v, const DaeTerm *operands, uint32_t n)
{
  DaeTerms *terms = v->hybrid->terms;
  for (uint32_t i = 0; i < n; i++) {
    const DaeEventAtom *atom = event_atom(v, operands[i]);
    for (uint32_t k = 0; k < n && atom != NULL && atom->kind == DAE_ATOM_PRE; k++) {
      if (dae_term_kind(terms, operands[k]) == DAE_KIND_NOT &&
          dae_term_operand(terms, operands[k], 0) == dae_truth_of_number(terms, atom->of)) {
        return true;
      }
    }
  }
  return false;
}

static bool
holds_at_instants_only(Variability *v, DaeTerm condition)
{
  const DaeHybrid *hybrid = v->hybrid;
  uint32_t n = 0;
  const DaeTerm *operands = NULL;
  bool all = true;
  bool any = false;
  switch ((int)dae_term_kind(hybrid->terms, condition)) {
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    operands = dae_term_operands(hybrid->terms, condition, &n);
    for (uint32_t i = 0; i < n; i++) {
      bool holds = holds_at_instants_only(v, operands[i]);
      all = all && holds;
      any = any || holds;
    }
    return dae_term_kind(hybrid->terms, condition) == DAE_KIND_OR
               ? all
               : any || is_edge(v, operands, n);
  case DAE_KIND_RELATION: {
    const DaeEventAtom *atom = event_atom(v, condition);
    return atom != NULL && (atom->kind == DAE_ATOM_SAMPLE || atom->kind == DAE_ATOM_INITIAL ||
                            atom->kind == DAE_ATOM_TERMINAL);
  }
  default:
    return false;
  }
}

/* At an instant any value may be taken: between instants the other branch tells. */
static Course
course_of_if(Variability *v, DaeTerm t)
{
  const DaeTerms *terms = v->hybrid->terms;
  DaeTerm condition = dae_term_operand(terms, t, 0);
  if (!holds_at_instants_only(v, condition)) {
    return worst_operand(v, t);
  }
  return MAX(STEPWISE, course_of(v, dae_term_operand(terms, t, 2)));
}

/* if c then a else b of Booleans is (c and a) or (not c and b): what stands beside a condition that
 * holds at instants only is asked at instants only. */
static Course
course_of_junction(Variability *v, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(v->hybrid->terms, t, &n);
  bool is_and = dae_term_kind(v->hybrid->terms, t) == DAE_KIND_AND;
  bool at_instants = is_and ? holds_at_instants_only(v, t) : is_no_edge(v, operands, n);
  Course worst = worst_operand(v, t);
  return at_instants ? MIN(worst, STEPWISE) : worst;
}

/* ---- expressions ------------------------------------------------------------------------- */

static Course
course_of_call(const Variability *v, DaeTerm t)
{
  Course worst = worst_operand(v, t);
  DaeFunction function = dae_term_function(v->hybrid->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (worst == FIXED) {
    return FIXED;
  }
  if (facts->kind == DAE_CLASS_STEP && facts->rounds) {
    return STEPWISE;
  }
  /* what is stepwise inside makes no events there */
  return function == DAE_FN_NOEVENT ? CONTINUOUS : worst;
}

/* noEvent(c) > 1/2, with the condition c as a number, is no relation of the model. A relation
 * with noEvent(...) as an operand, such as the value of a function that may jump, is one. */
static Course
course_of_relation(const Variability *v, DaeTerm t)
{
  const DaeTerms *terms = v->hybrid->terms;
  for (uint32_t i = 0; i < 2; i++) {
    DaeTerm side = dae_term_operand(terms, t, i);
    if (dae_term_is_literal_truth(terms, side)) {
      return course_of(v, side);
    }
  }
  DaeRelation op = dae_term_relation_op(terms, t);
  Course worst = worst_operand(v, t);
  /* == and <> make no events of their own: they change with their operands */
  return worst == FIXED || op == DAE_REL_EQ || op == DAE_REL_NE ? worst : STEPWISE;
}

static void
compute_course(void *self, DaeTerm t)
{
  Variability *v = self;
  Course course = FIXED;
  switch (dae_term_kind(v->hybrid->terms, t)) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_PARAMETER:
    break;
  case DAE_KIND_TIME:
    course = CONTINUOUS;
    break;
  case DAE_KIND_VARIABLE:
    course = course_of_variable(v->hybrid, t);
    break;
  case DAE_KIND_RELATION:
    course = course_of_relation(v, t);
    break;
  case DAE_KIND_CALL:
    course = course_of_call(v, t);
    break;
  case DAE_KIND_IF:
    course = course_of_if(v, t);
    break;
  case DAE_KIND_SUM:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_POWER:
  case DAE_KIND_NOT:
    course = worst_operand(v, t);
    break;
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    course = course_of_junction(v, t);
    break;
  }
  g_hash_table_insert(v->course, GUINT_TO_POINTER(t), GINT_TO_POINTER((int)course));
}

DaeCourses *
dae_courses_new(const DaeHybrid *hybrid)
{
  DaeCourses *v = g_new0(DaeCourses, 1);
  v->hybrid = hybrid;
  v->course = g_hash_table_new(g_direct_hash, g_direct_equal);
  return v;
}

void
dae_courses_free(DaeCourses *v)
{
  if (v != NULL) {
    g_hash_table_unref(v->course);
    g_clear_pointer(&v->atoms, g_hash_table_unref);
    g_free(v);
  }
}

bool
dae_courses_is_stepwise(DaeCourses *v, DaeTerm t)
{
  const DaeWalk walk = {.ready = is_known, .compute = compute_course, .self = v};
  dae_walk(v->hybrid->terms, t, &walk);
  return course_of(v, t) != CONTINUOUS;
}

bool
dae_hybrid_changes_at_events_only(const DaeHybrid *hybrid, DaeTerm t)
{
  g_autoptr(DaeCourses) v = dae_courses_new(hybrid);
  return dae_courses_is_stepwise(v, t);
}
