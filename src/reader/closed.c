/* Values that are known when the model is read: exact ones with the values of parameters, and
 * conditions that decide which branch is executed. */
#include "reader/calls.h"

#include <math.h>

typedef struct {
  const DaeReader *reader;
  bool integers_only;
} CloseContext;

/* The value of a parameter decided something that cannot be undone by another value. */
static void
note_structural(const DaeReader *reader, DaeSymbol symbol)
{
  GArray *structural = reader->structural;
  if (symbol >= structural->len) {
    g_array_set_size(structural, symbol + 1);
  }
  g_array_index(structural, uint8_t, symbol) = 1;
}

/* The value of the parameter, a number or an expression in constants such as 2*asin(1). */
static DaeTerm
value_of_atom(const CloseContext *context, DaeTerm atom)
{
  const DaeReader *reader = context->reader;
  if (dae_term_kind(reader->terms, atom) != DAE_KIND_PARAMETER ||
      reader->closed_of_symbol == NULL) {
    return DAE_NO_TERM;
  }
  DaeSymbol symbol = dae_term_get_symbol(reader->terms, atom);
  if (symbol >= reader->closed_of_symbol->len) {
    return DAE_NO_TERM;
  }
  DaeTerm closed = g_array_index(reader->closed_of_symbol, DaeTerm, symbol);
  bool integer = g_array_index(reader->integer_symbol, uint8_t, symbol) != 0;
  if (closed == DAE_NO_TERM || (context->integers_only && !integer)) {
    return DAE_NO_TERM;
  }
  return closed;
}

static DaeTerm
closed_atom(void *user, DaeTerm atom)
{
  const CloseContext *context = user;
  DaeTerm closed = value_of_atom(context, atom);
  if (closed == DAE_NO_TERM || !dae_term_is_number(context->reader->terms, closed)) {
    return DAE_NO_TERM;
  }
  note_structural(context->reader, dae_term_get_symbol(context->reader->terms, atom));
  return closed;
}

/* An operand that varies and is needed for a value of t whatever the others are; none: DAE_NO_TERM.
 * Of choices that is the condition only. */
static DaeTerm
needed_operand(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeKind kind = dae_term_kind(terms, t);
  bool is_choice = kind == DAE_KIND_IF ||
                   (kind == DAE_KIND_CALL && dae_term_function(terms, t) == DAE_FN_SELECT);
  for (uint32_t i = 0; i < (is_choice ? MIN(n, 1) : n); i++) {
    if (!dae_term_is_parametric(terms, operands[i])) {
      return operands[i];
    }
  }
  return DAE_NO_TERM;
}

/* Has t no value because it needs that of a variable or of time? One way down to such an atom
 * is enough, and is found at once where an evaluation would go through all of a large term: the
 * conditions on the elements of a long array hold all that was assigned before. Of a conjunction
 * all parts must be open; those without variables are evaluated. False means that it is not
 * known. */
static bool
needs_variable(const CloseContext *context, DaeTerm t, uint32_t depth)
{
  enum { DEEPEST = 20 };

  DaeTerms *terms = context->reader->terms;
  while (t != DAE_NO_TERM && !dae_term_is_parametric(terms, t)) {
    DaeKind kind = dae_term_kind(terms, t);
    if (kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME) {
      return true;
    }
    if (kind == DAE_KIND_AND || kind == DAE_KIND_OR) {
      uint32_t n = 0;
      const DaeTerm *operands = dae_term_operands(terms, t, &n);
      bool needs = depth < DEEPEST;
      for (uint32_t i = 0; i < n && needs; i++) {
        DaeTerm value = DAE_NO_TERM;
        needs = dae_term_is_parametric(terms, operands[i])
                    ? dae_term_eval_exact(terms, operands[i], closed_atom, (void *)context,
                                          &value) != DAE_EVAL_OK ||
                          value == dae_term_bool(terms, kind == DAE_KIND_AND)
                    : needs_variable(context, operands[i], depth + 1);
      }
      return needs;
    }
    t = needed_operand(terms, t);
  }
  return false;
}

DaeTerm
dae_reader_shorten(const DaeReader *reader, DaeTerm t)
{
  enum { MOST_BITS = 1000 }; /* sqrt(a/b) is computed from a and b, which have to be doubles */

  bool is_long = reader->options != NULL && reader->options->rounds_long_values &&
                 t != DAE_NO_TERM && dae_term_is_number(reader->terms, t) &&
                 dae_term_number_bits(reader->terms, t) > MOST_BITS;
  double value = is_long ? dae_term_get_double(reader->terms, t) : 0;
  return isnormal(value) ? dae_term_from_double(reader->terms, value) : t;
}

/* By doubles. */
static bool
unbound_atom(void *user, DaeTerm atom, double *value)
{
  CloseContext *context = user;
  DaeTerms *terms = context->reader->terms;
  DaeTerm closed = value_of_atom(context, atom);
  if (closed == DAE_NO_TERM) {
    return false;
  }
  note_structural(context->reader, dae_term_get_symbol(terms, atom));
  if (dae_term_is_number(terms, closed)) {
    *value = dae_term_get_double(terms, closed);
    return true;
  }
  return dae_term_eval_double(terms, closed, NULL, NULL, value) == DAE_EVAL_OK;
}

bool
dae_reader_double(DaeReader *reader, DaeTerm t, double *value)
{
  CloseContext context = {reader, false};
  return dae_term_eval_double(reader->terms, t, unbound_atom, &context, value) == DAE_EVAL_OK;
}

static bool
is_step(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  if (dae_term_kind(terms, t) != DAE_KIND_CALL) {
    return false;
  }
  DaeFunction function = dae_term_function(terms, t);
  return function == DAE_FN_INTEGER || function == DAE_FN_FLOOR || function == DAE_FN_CEIL;
}

/* integer(10*sqrt(2)) and the like: taken from the double value unless that is too close to a
 * jump to be sure. DAE_NO_TERM: it is. */
static DaeTerm
step_by_double(const CloseContext *context, DaeTerm step)
{
  DaeTerms *terms = context->reader->terms;
  double value = 0;
  double error = 0;
  if (!dae_term_eval_rounded(terms, dae_term_operand(terms, step, 0), unbound_atom,
                             (void *)context, &value, &error) ||
      fabs(value) > 1e15 ||
      fabs(value - round(value)) < fmax(1e-9 * fmax(1, fabs(value)), 100 * error)) {
    return DAE_NO_TERM;
  }
  bool is_up = dae_term_function(terms, step) == DAE_FN_CEIL;
  return dae_term_int(terms, (int64_t)(is_up ? ceil(value) : floor(value)));
}

/* t with the numbers of the integer functions of irrational constants in it. */
static DaeTerm
with_known_steps(const CloseContext *context, DaeTerm t)
{
  DaeTerms *terms = context->reader->terms;
  g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(terms, t, is_step, NULL, steps);
  for (uint32_t i = steps->len; i-- > 0 && t != DAE_NO_TERM;) { /* outer ones first */
    DaeTerm step = g_array_index(steps, DaeTerm, i);
    DaeTerm number = step_by_double(context, step);
    t = number != DAE_NO_TERM ? dae_term_replace(terms, t, step, number) : t;
  }
  return t;
}

DaeTerm
dae_reader_close(DaeReader *reader, DaeTerm t, bool integers_only)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN) {
    return t;
  }
  CloseContext context = {reader, integers_only};
  t = reader->cases.known->len > 0 ? dae_cases_apply(reader, t) : t;
  if (needs_variable(&context, t, 0)) {
    return DAE_NO_TERM;
  }
  DaeTerm value = DAE_NO_TERM;
  DaeEvalStatus status = dae_term_eval_exact(reader->terms, t, closed_atom, &context, &value);
  bool may_step = status == DAE_EVAL_INEXACT || status == DAE_EVAL_UNBOUND;
  if (may_step && dae_term_is_parametric(reader->terms, t)) {
    DaeTerm stepped = with_known_steps(&context, t);
    status = stepped != t && stepped != DAE_NO_TERM
                 ? dae_term_eval_exact(reader->terms, stepped, closed_atom, &context, &value)
                 : status;
  }
  return status == DAE_EVAL_OK ? value : DAE_NO_TERM;
}

bool
dae_reader_integer(DaeReader *reader, const DaeValue *value, uint32_t i, uint32_t pos,
                   int64_t *result)
{
  if (value->type == DAE_VALUE_POISON) {
    return false;
  }
  bool type_fits = value->type == DAE_VALUE_INTEGER || value->type == DAE_VALUE_ENUMERATION ||
                   value->type == DAE_VALUE_BOOLEAN;
  bool is_printed = value->type == DAE_VALUE_REAL && dae_reader_is_printed(reader);
  if (!type_fits && !is_printed) {
    dae_source_error(reader->source, pos, "an Integer is needed here, this is %s",
                     dae_value_type_text(value));
    return false;
  }
  DaeTerm t = value->opaque ? DAE_NO_TERM : dae_value_element(value, i);
  DaeTerm closed = t != DAE_NO_TERM ? dae_reader_close(reader, t, false) : DAE_NO_TERM;
  if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN) {
    *result = dae_term_get_bool(reader->terms, closed) ? 2 : 1; /* as a subscript */
    return true;
  }
  if (closed != DAE_NO_TERM && dae_term_get_int64(reader->terms, closed, result)) {
    return true;
  }
  if (t == DAE_NO_TERM || !dae_cases_ask_integer(reader, t, pos)) {
    bool is_open = reader->scopes->len > 0 && t != DAE_NO_TERM;
    dae_source_error(reader->source, pos, "an Integer constant is needed here%s",
                     is_open ? "; nothing says what this one can be at run time (min, max)"
                             : "");
  }
  return false;
}

/* ---- if-expressions ---------------------------------------------------------------------- */

#define MAX_STEPS_BY_DOUBLE 200000u /* instructions of a call */

/* A relation of irrational constants (log(p) > 0.5): decided by doubles unless they are too
 * close to be sure, or come from larger ones that cancel. 1 true, 0 false, -1 not known. */
static int
relation_by_double(DaeReader *reader, DaeTerm relation)
{
  double a = 0;
  double b = 0;
  double error_a = 0;
  double error_b = 0;
  const CloseContext context = {reader, false};
  if (needs_variable(&context, relation, 0)) {
    return -1;
  }
  if (!dae_term_eval_rounded(reader->terms, dae_term_operand(reader->terms, relation, 0), NULL,
                             NULL, &a, &error_a) ||
      !dae_term_eval_rounded(reader->terms, dae_term_operand(reader->terms, relation, 1), NULL,
                             NULL, &b, &error_b) ||
      !(fabs(a - b) > fmax(1e-9 * fmax(fabs(a), fabs(b)), 100 * (error_a + error_b)))) {
    return -1;
  }
  switch (dae_term_relation_op(reader->terms, relation)) {
  case DAE_REL_LT:
  case DAE_REL_LE:
    return a < b;
  case DAE_REL_GT:
  case DAE_REL_GE:
    return a > b;
  case DAE_REL_EQ:
    return 0;
  case DAE_REL_NE:
    return 1;
  }
  return -1;
}

static int
condition_by_double(DaeReader *reader, DaeTerm t, uint32_t depth)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  if (kind == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(reader->terms, t);
  }
  if (kind == DAE_KIND_RELATION) {
    return relation_by_double(reader, t);
  }
  bool is_not = kind == DAE_KIND_NOT;
  if ((!is_not && kind != DAE_KIND_AND && kind != DAE_KIND_OR) || depth > 50) {
    return -1;
  }
  uint32_t n = 0;
  dae_term_operands(reader->terms, t, &n);
  int result = kind == DAE_KIND_AND;
  for (uint32_t i = 0; i < n; i++) {
    int one = condition_by_double(reader, dae_term_operand(reader->terms, t, i), depth + 1);
    if (one < 0 || is_not) {
      return one < 0 ? -1 : !one;
    }
    result = kind == DAE_KIND_AND ? result && one : result || one;
  }
  return result;
}

/* What is known about a condition: all its parts are constants or Integer parameters. */
DaeIfMode
dae_reader_decide(DaeReader *reader, DaeTerm condition)
{
  if (reader->lookup != NULL) {
    return DAE_IF_BOTH; /* reading back a printed term gives the same term */
  }
  DaeTerm closed = dae_reader_close(reader, condition, true);
  if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(reader->terms, closed) ? DAE_IF_TRUE : DAE_IF_FALSE;
  }
  int in_case = reader->cases.known->len > 0 ? dae_cases_decide(reader, condition, 0) : -1;
  if (in_case >= 0) {
    return in_case != 0 ? DAE_IF_TRUE : DAE_IF_FALSE;
  }
  /* Long loops are left to routines. */
  bool is_short = reader->scopes->len > 0 && reader->call_steps < MAX_STEPS_BY_DOUBLE;
  int decided = is_short ? condition_by_double(reader, condition, 0) : -1;
  return decided < 0 ? DAE_IF_BOTH : decided != 0 ? DAE_IF_TRUE : DAE_IF_FALSE;
}
