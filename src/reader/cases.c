/* Ranges and sizes that are known only at run time, x[1:m], case by case.
 *
 * Values have sizes that are known at translation. Where a statement needs an Integer that is
 * not, the array that has the subscript says which values it can have (1:m of four elements ends
 * at 0 to 4). The statement is executed for each of them with the Integer known, and what the
 * cases make of the locals is merged as branches of an if-statement are; below and above there
 * is an assertion. Conditions are expressions, and split likewise. Halves of halves: the
 * conditions on the way to a case are few. */
#include "reader/calls.h"

#define MOST_CASES 4096 /* of one Integer */

/* ---- what is known in the case under way ------------------------------------------------- */

void
dae_cases_init(DaeCases *cases)
{
  *cases = (DaeCases){.known = g_array_new(FALSE, FALSE, sizeof(DaeCase))};
}

void
dae_cases_clear(DaeCases *cases)
{
  g_array_free(cases->known, TRUE);
  g_free(cases->misfit);
}

/* t = offset + u or offset - u, whose offset is a number: is it so? */
static bool
is_shifted(DaeTerms *terms, DaeTerm t, DaeTerm u, int64_t *offset, bool *is_mirrored)
{
  *is_mirrored = false;
  if (dae_term_get_int64(terms, dae_term_sub(terms, t, u), offset)) {
    return true;
  }
  *is_mirrored = true;
  return dae_term_get_int64(terms, dae_term_add(terms, t, u), offset);
}

DaeTerm
dae_cases_apply(DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  for (uint32_t i = 0; i < reader->cases.known->len; i++) {
    const DaeCase one = g_array_index(reader->cases.known, DaeCase, i);
    int64_t offset = 0;
    bool is_mirrored = false;
    if (one.least != one.most || dae_term_is_number(terms, t)) {
      continue;
    }
    if (is_shifted(terms, t, one.term, &offset, &is_mirrored)) {
      return dae_term_int(terms, is_mirrored ? offset - one.least : offset + one.least);
    }
    if (dae_term_contains(terms, t, one.term)) {
      DaeTerm value = dae_term_replace(terms, t, one.term, dae_term_int(terms, one.least));
      t = value != DAE_NO_TERM ? value : t;
    }
  }
  return t;
}

typedef struct {
  int64_t least, most; /* INT64_MIN, INT64_MAX: without end */
} Bounds;

static bool
is_exact(Bounds b)
{
  return b.least == b.most;
}

static bool
is_half_open(Bounds b)
{
  return b.least == INT64_MIN || b.most == INT64_MAX;
}

static Bounds
shifted(Bounds b, int64_t offset, bool is_mirrored)
{
  Bounds result = {INT64_MIN, INT64_MAX};
  if (is_mirrored) {
    result.least = b.most == INT64_MAX ? INT64_MIN : offset - b.most;
    result.most = b.least == INT64_MIN ? INT64_MAX : offset - b.least;
  } else {
    result.least = b.least == INT64_MIN ? INT64_MIN : offset + b.least;
    result.most = b.most == INT64_MAX ? INT64_MAX : offset + b.most;
  }
  return result;
}

/* Of a subscript, as far as the cases say. */
static Bounds
bounds_of(DaeReader *reader, DaeTerm t)
{
  DaeTerm closed = dae_reader_close(reader, t, false);
  int64_t number = 0;
  if (closed != DAE_NO_TERM && dae_term_get_int64(reader->terms, closed, &number)) {
    return (Bounds){number, number};
  }
  for (uint32_t i = 0; i < reader->cases.known->len; i++) {
    const DaeCase one = g_array_index(reader->cases.known, DaeCase, i);
    int64_t offset = 0;
    bool is_mirrored = false;
    if (is_shifted(reader->terms, t, one.term, &offset, &is_mirrored)) {
      return shifted((Bounds){one.least, one.most}, offset, is_mirrored);
    }
  }
  return (Bounds){INT64_MIN, INT64_MAX};
}

/* a < b and the like, from the bounds of a - b. */
static int
decide_relation(DaeReader *reader, DaeTerm relation)
{
  DaeTerms *terms = reader->terms;
  Bounds b = bounds_of(reader, dae_term_sub(terms, dae_term_operand(terms, relation, 0),
                                            dae_term_operand(terms, relation, 1)));
  switch (dae_term_relation_op(terms, relation)) {
  case DAE_REL_LT:
    return b.most < 0 ? 1 : b.least >= 0 ? 0 : -1;
  case DAE_REL_LE:
    return b.most <= 0 ? 1 : b.least > 0 ? 0 : -1;
  case DAE_REL_GT:
    return b.least > 0 ? 1 : b.most <= 0 ? 0 : -1;
  case DAE_REL_GE:
    return b.least >= 0 ? 1 : b.most < 0 ? 0 : -1;
  case DAE_REL_EQ:
    return b.least > 0 || b.most < 0 ? 0 : -1;
  case DAE_REL_NE:
    return b.least > 0 || b.most < 0 ? 1 : -1;
  }
  return -1;
}

int
dae_cases_decide(DaeReader *reader, DaeTerm condition, uint32_t depth)
{
  enum { DEEPEST = 10 };

  DaeKind kind = dae_term_kind(reader->terms, condition);
  bool is_and = kind == DAE_KIND_AND;
  uint32_t n = 0;
  if (kind == DAE_KIND_BOOLEAN) {
    return dae_term_get_bool(reader->terms, condition);
  }
  if (kind == DAE_KIND_RELATION) {
    return decide_relation(reader, condition);
  }
  if ((!is_and && kind != DAE_KIND_OR && kind != DAE_KIND_NOT) || depth > DEEPEST) {
    return -1;
  }
  dae_term_operands(reader->terms, condition, &n);
  int all = is_and ? 1 : 0;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm part = dae_term_operand(reader->terms, condition, i);
    int one = dae_cases_decide(reader, part, depth + 1);
    if (kind == DAE_KIND_NOT) {
      return one < 0 ? -1 : !one;
    }
    if (one == (is_and ? 0 : 1)) {
      return one;
    }
    all = one < 0 ? -1 : all;
  }
  return all;
}

/* ---- asking for cases -------------------------------------------------------------------- */

/* t = offset + u or offset - u with the simplest u. */
static DaeTerm
split_offset(DaeTerms *terms, DaeTerm t, int64_t *offset, bool *is_mirrored)
{
  uint32_t n = 0;
  *offset = 0;
  *is_mirrored = false;
  if (dae_term_kind(terms, t) == DAE_KIND_SUM) {
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    for (uint32_t i = 0; i < n; i++) {
      if (dae_term_get_int64(terms, operands[i], offset)) {
        t = dae_term_sub(terms, t, operands[i]);
        break;
      }
    }
  }
  DaeTerm negated = dae_term_neg(terms, t);
  bool has_sign = dae_term_kind(terms, t) == DAE_KIND_PRODUCT &&
                  dae_term_kind(terms, negated) != DAE_KIND_PRODUCT;
  *is_mirrored = has_sign;
  return has_sign ? negated : t;
}

/* The statement under way is to be executed for each value of t from least to most. */
static void
ask(DaeReader *reader, DaeTerm t, Bounds bounds, uint32_t pos)
{
  DaeCases *cases = &reader->cases;
  int64_t offset = 0;
  bool is_mirrored = false;
  DaeTerm u = split_offset(reader->terms, dae_cases_apply(reader, t), &offset, &is_mirrored);
  Bounds b = shifted(bounds, is_mirrored ? offset : -offset, is_mirrored);
  cases->asked = (DaeCase){u, b.least, b.most};
  cases->pos = pos;
  for (uint32_t i = 0; i < cases->known->len; i++) {
    if (g_array_index(cases->known, DaeCase, i).term == u) { /* below or above all of them */
      cases->is_outside = true;
    }
  }
}

static bool
may_ask(const DaeReader *reader)
{
  return reader->cases.n_runs > 0 && reader->cases.asked.term == DAE_NO_TERM;
}

bool
dae_cases_ask_integer(DaeReader *reader, DaeTerm t, uint32_t pos)
{
  int64_t least = 0;
  int64_t most = 0;
  t = dae_cases_apply(reader, t);
  Bounds known = bounds_of(reader, t);
  if (may_ask(reader) && (known.least != INT64_MIN || known.most != INT64_MAX)) {
    ask(reader, t, known, pos); /* no number of elements below or above all cases */
    return true;
  }
  if (!may_ask(reader) || !dae_integer_bounds(reader, t, &least, &most) ||
      most - least >= MOST_CASES) {
    return false;
  }
  ask(reader, t, (Bounds){least, most}, pos);
  return true;
}

bool
dae_cases_has_bounds(DaeReader *reader, DaeTerm t)
{
  int64_t least = 0;
  int64_t most = 0;
  t = dae_cases_apply(reader, t);
  Bounds known = bounds_of(reader, t);
  return known.least != INT64_MIN || known.most != INT64_MAX ||
         (dae_integer_bounds(reader, t, &least, &most) && most - least < MOST_CASES);
}

bool
dae_cases_is_range(const DaeValue *value)
{
  return value->type == DAE_VALUE_TUPLE && value->is_range;
}

/* A range first:last of a dimension of that size. What its ends can be where it is not empty: from
 * `low` on, up to `high`; an empty one ends one before its beginning. */
static bool
ask_range(DaeReader *reader, const DaeValue ends[2], int64_t step, uint32_t size, uint32_t pos,
          bool *is_empty)
{
  Bounds first = bounds_of(reader, ends[0].term);
  Bounds last = bounds_of(reader, ends[1].term);
  int64_t n = size;
  *is_empty = step > 0 ? last.most < first.least : last.least > first.most;
  if (*is_empty || (is_exact(first) && is_exact(last))) {
    return true;
  }
  if (!is_exact(first) && !(is_half_open(first) && !is_exact(last) && !is_half_open(last))) {
    ask(reader, ends[0].term, step > 0 ? (Bounds){1, n + 1} : (Bounds){0, n}, pos);
  } else if (step > 0) {
    ask(reader, ends[1].term, (Bounds){is_exact(first) ? first.least - 1 : 0, n}, pos);
  } else {
    ask(reader, ends[1].term, (Bounds){1, is_exact(first) ? first.least + 1 : n + 1}, pos);
  }
  return false;
}

bool
dae_cases_settle_range(DaeReader *reader, DaeValue *subscript, uint32_t size, uint32_t pos)
{
  const DaeValue *parts = subscript->outputs;
  uint32_t n = subscript->n_outputs;
  DaeValue ends[2] = {parts[0], parts[n - 1]};
  int64_t step = 1;
  bool is_empty = false;
  if (n == 3 && !dae_reader_integer(reader, &parts[1], 0, pos, &step)) {
    return false;
  }
  if (step == 0) {
    dae_source_error(reader->source, pos, "the step of a range is not 0");
    return false;
  }
  if (size >= MOST_CASES || !may_ask(reader)) {
    dae_source_error(reader->source, pos, "an Integer constant is needed here");
    return false;
  }
  if (!ask_range(reader, ends, step, size, pos, &is_empty)) {
    return false;
  }
  uint32_t none = 0;
  *subscript = is_empty ? dae_value_array(reader, parts[0].type, 1, &none,
                                          dae_value_new_data(reader, 1), 0)
                        : dae_array_range(reader, parts, n, pos);
  return subscript->type != DAE_VALUE_POISON;
}

/* ---- is the range a subscript? ----------------------------------------------------------- */

/* Values that an instruction takes from the stack and puts there. */
static uint32_t
values_taken(const DaeInstruction *instruction)
{
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
  case DAE_OP_PATH:
  case DAE_OP_TARGET:
  case DAE_OP_CALL:
  case DAE_OP_ARRAY:
  case DAE_OP_ROW:
  case DAE_OP_MATRIX:
  case DAE_OP_TUPLE:
  case DAE_OP_RANGE:
  case DAE_OP_FUNCTION_VALUE:
    return instruction->n;
  case DAE_OP_INDEX:
    return instruction->n + 1;
  case DAE_OP_NAMED:
  case DAE_OP_NEGATE:
  case DAE_OP_PLUS:
  case DAE_OP_NOT:
  case DAE_OP_MEMBER:
  case DAE_OP_TEST:
  case DAE_OP_LOOP:
    return 1;
  default:
    return instruction->op >= DAE_OP_ADD && instruction->op <= DAE_OP_OR ? 2 : 0;
  }
}

bool
dae_cases_is_subscript(const DaeReader *reader, const DaeInstruction *range)
{
  uint32_t above = 0; /* values on top of the range */
  for (const DaeInstruction *at = range + 1;
       at->op < DAE_OP_EQUATION || at->op == DAE_OP_TARGET; at++) {
    uint32_t taken = values_taken(at);
    if (at->op == DAE_OP_RETURN || at->op == DAE_OP_ELSE || at->op == DAE_OP_NEXT) {
      return false;
    }
    if (taken > above) {
      bool is_place = at->op == DAE_OP_ELEMENT || at->op == DAE_OP_PATH ||
                      at->op == DAE_OP_TARGET || (at->op == DAE_OP_INDEX && above < at->n);
      return is_place && reader->scopes->len > 0;
    }
    above -= taken;
    if (at->op == DAE_OP_TEST || at->op == DAE_OP_LOOP) {
      at += at->arg - 1; /* one value is all that it leaves: behind ELSE, behind NEXT */
      above += at->op == DAE_OP_NEXT ? 1 : 0;
    } else {
      above += at->op != DAE_OP_ENDIF ? 1 : 0;
    }
  }
  return false;
}
