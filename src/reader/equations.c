/* Equation sections: code to scalar equations and assertions. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"
#include "terms/message.h"

static void
append_equation(DaeReader *reader, DaeTerm lhs, DaeTerm rhs, bool is_discrete, uint32_t pos)
{
  if (lhs == DAE_NO_TERM || rhs == DAE_NO_TERM) {
    dae_source_error(reader->source, pos, "a side of this equation has no value");
    return;
  }
  DaeEquation equation = {.lhs = lhs,
                          .rhs = rhs,
                          .span = dae_source_span(reader->source, pos),
                          .is_discrete = is_discrete,
                          .has_hidden_units = reader->has_unit_constants,
                          .vanished = reader->vanished};
  g_array_append_val(reader->equations, equation);
}

/* Texts need no equations: they are known. */
static bool
append_scalars(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  uint32_t width = dae_value_width(a);
  for (uint32_t i = 0; i < a->count * width; i++) {
    bool is_record = a->type == DAE_VALUE_RECORD;
    DaeValueType type = is_record ? (DaeValueType)a->layout->types[i % width] : a->type;
    DaeValueType other = is_record ? type : b->type;
    bool is_given = false;
    if (type == DAE_VALUE_STRING) {
      if (!dae_text_define(reader, dae_value_scalar_at(a, i), dae_value_scalar_at(b, i),
                           &is_given, pos) ||
          (!is_given && !dae_text_give(reader, dae_value_scalar_at(a, i),
                                       dae_value_scalar_at(b, i), &is_given, pos))) {
        return false;
      }
      continue;
    }
    DaeTerm lhs = dae_discrete_unknown(reader, type, dae_value_scalar_at(a, i));
    if (is_record && lhs != DAE_NO_TERM && dae_term_is_number(reader->terms, lhs) &&
        lhs == dae_discrete_unknown(reader, other, dae_value_scalar_at(b, i))) {
      continue; /* a constant of the record */
    }
    if (reader->when_depth > 0 && !dae_when_check_equation(reader, lhs, pos)) {
      return false;
    }
    append_equation(reader, lhs, dae_discrete_unknown(reader, other, dae_value_scalar_at(b, i)),
                    type != DAE_VALUE_REAL && other != DAE_VALUE_REAL, pos);
  }
  reader->vanished = DAE_NO_TERM;
  return true;
}

/* 0 as the other side of a record, as sums of flows in the texts of tools have it: a record of
 * zeros. */
static DaeValue
zero_record(DaeReader *reader, const DaeValue *like, const DaeValue *value)
{
  const DaeSyntax *syntax = reader->syntax;
  bool is_printed =
      syntax->is_base || dae_syntax_class(syntax, reader->model)->kind == DAE_CLASS_CLASS;
  if (!is_printed || like->type != DAE_VALUE_RECORD || !dae_value_is_numeric(value) ||
      value->n_dims > 0 || !dae_term_is_zero(reader->terms, value->term)) {
    return *value;
  }
  uint32_t n = like->count * dae_value_width(like);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t i = 0; i < n; i++) {
    DaeValueType type = (DaeValueType)like->layout->types[i % like->layout->width];
    if (type != DAE_VALUE_REAL && type != DAE_VALUE_INTEGER) {
      return *value;
    }
    data[i] = value->term;
  }
  return dae_value_like(reader, like, like->n_dims, like->dims, data, like->count);
}

static bool
equate_values(DaeReader *reader, DaeValue a, DaeValue b, uint32_t pos)
{
  if (a.type == DAE_VALUE_HOLE) {
    return true;
  }
  if (a.type == DAE_VALUE_CLOCK || b.type == DAE_VALUE_CLOCK) {
    return dae_clock_equate(reader, &a, &b, pos);
  }
  if (a.type == DAE_VALUE_STRING && b.type == DAE_VALUE_STRING) {
    return dae_text_equate(reader, &a, &b, pos);
  }
  a = zero_record(reader, &b, &a);
  b = zero_record(reader, &a, &b);
  bool is_numeric = dae_value_is_numeric(&a) && dae_value_is_numeric(&b);
  bool is_record = a.type == DAE_VALUE_RECORD && dae_record_same(&a, &b);
  dae_unset_settle(reader, &a, NULL, true, pos);
  dae_unset_settle(reader, &b, NULL, true, pos);
  if (!is_numeric && !is_record &&
      (a.type != b.type || a.enumeration != b.enumeration ||
       (a.type != DAE_VALUE_BOOLEAN && a.type != DAE_VALUE_ENUMERATION))) {
    dae_source_error(reader->source, pos, "the sides of this equation are %s and %s",
                     dae_value_type_text(&a), dae_value_type_text(&b));
    return false;
  }
  if (!dae_value_same_size(&a, &b)) {
    g_autofree char *left = dae_value_size_text(&a);
    g_autofree char *right = dae_value_size_text(&b);
    dae_source_error(reader->source, pos, "the sides of this equation have the sizes %s and %s",
                     left, right);
    return false;
  }
  if (reader->equations->len + (uint64_t)a.count * dae_value_width(&a) > DAE_MAX_ELEMENTS) {
    dae_source_error(reader->source, pos, "more than %u equations", DAE_MAX_ELEMENTS);
    return false;
  }
  return append_scalars(reader, &a, &b, pos);
}

/* (a, , b) = f(x) */
static bool
equate_tuple(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  const DaeValue *values = b->n_outputs > 0 ? b->outputs : b;
  uint32_t n = b->type == DAE_VALUE_TUPLE ? b->n_outputs : MAX(b->n_outputs, 1u);
  if (a->n_outputs > n || (b->type == DAE_VALUE_TUPLE && a->n_outputs < n)) {
    dae_source_error(reader->source, pos, "%u results for %u variables", n, a->n_outputs);
    return false;
  }
  bool good = true;
  for (uint32_t i = 0; i < a->n_outputs && good; i++) {
    good = dae_rule_result(reader, &a->outputs[i], &values[i], i, pos) &&
           equate_values(reader, a->outputs[i], values[i], pos);
  }
  return good;
}

static bool
equate(DaeReader *reader, uint32_t pos)
{
  uint32_t top = reader->stack->len;
  DAE_ASSERT(top >= 2);
  dae_chain_finish(reader, &g_array_index(reader->stack, DaeValue, top - 2));
  dae_chain_finish(reader, &g_array_index(reader->stack, DaeValue, top - 1));
  DaeValue a = g_array_index(reader->stack, DaeValue, top - 2);
  DaeValue b = g_array_index(reader->stack, DaeValue, top - 1);
  dae_array_cut(reader->stack, top - 2);
  return a.type == DAE_VALUE_TUPLE ? equate_tuple(reader, &a, &b, pos)
                                   : equate_values(reader, a, b, pos);
}

/* No condition is open that is not known at translation. */
static bool
is_certain(const DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).mode == DAE_IF_BOTH) {
      return false;
    }
  }
  return true;
}

static bool
known_value(void *user, DaeTerm t, double *value)
{
  return dae_reader_double(user, t, value);
}

/* assert(condition, message, level) */
static bool
state_assertion(DaeReader *reader, const DaeValue *arguments, uint32_t n, DaeTerm gone,
                uint32_t pos)
{
  if (arguments == NULL || n < 2 || n > 3 || arguments[0].type != DAE_VALUE_BOOLEAN ||
      arguments[0].n_dims > 0 || arguments[1].type != DAE_VALUE_STRING ||
      arguments[1].n_dims > 0 ||
      (n == 3 && arguments[2].enumeration != DAE_ENUMERATION_ASSERTION_LEVEL)) {
    dae_source_error(reader->source, pos, "assert takes a condition, a string and a level");
    return false;
  }
  DaeAssertion assertion = {.condition = arguments[0].term,
                            .span = dae_source_span(reader->source, pos)};
  assertion.message = g_string_chunk_insert_const(
      reader->strings, dae_names_text(reader->names, arguments[1].term));
  int64_t level = 2; /* AssertionLevel = enumeration(warning, error) [MLS 3.6, 4.9.8] */
  DaeTerm given = n == 3 ? dae_reader_close(reader, arguments[2].term, true) : DAE_NO_TERM;
  if (n == 3 && (given == DAE_NO_TERM || !dae_term_get_int64(reader->terms, given, &level))) {
    dae_source_error(reader->source, pos, "the level of assert is not known at translation");
    return false;
  }
  assertion.is_warning = level == 1;
  DaeTerm closed = dae_reader_close(reader, assertion.condition, true);
  if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN &&
      !dae_term_get_bool(reader->terms, closed) && is_certain(reader) && gone == DAE_NO_TERM &&
      reader->when_depth == 0 && !assertion.is_warning) {
    g_autofree char *text =
        dae_message_fill(reader->terms, assertion.message, known_value, reader);
    dae_source_error(reader->source, pos, "assertion failed: %s", text);
    return false;
  }
  bool holds = closed != DAE_NO_TERM &&
               dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN &&
               dae_term_get_bool(reader->terms, closed);
  if (reader->is_structural || (holds && reader->scopes->len > 0)) {
    return true; /* stage 2 comes here again */
  }
  if (gone != DAE_NO_TERM) {
    assertion.condition = dae_term_or(reader->terms, gone, assertion.condition);
  }
  g_array_append_val(reader->assertions, assertion);
  return true;
}

/* When this place is not reached after all, because of `return` or
 * `break` before; DAE_NO_TERM: never. */
DaeTerm
dae_equations_passed_by(const DaeReader *reader)
{
  DaeTerm gone = DAE_NO_TERM;
  for (uint32_t i = reader->trace_first_scope; i < reader->scopes->len; i++) {
    const DaeScope *scope = &g_array_index(reader->scopes, DaeScope, i);
    const DaeTerm parts[] = {scope->left, scope->broken, scope->outer};
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++) {
      if (parts[k] != DAE_NO_TERM) {
        gone = gone == DAE_NO_TERM ? parts[k] : dae_term_or(reader->terms, gone, parts[k]);
      }
    }
  }
  for (uint32_t i = reader->trace_first_loop; i < reader->loops->len; i++) {
    DaeTerm broken = g_array_index(reader->loops, DaeLoopFrame, i).broken;
    if (broken != DAE_NO_TERM) {
      gone = gone == DAE_NO_TERM ? broken : dae_term_or(reader->terms, gone, broken);
    }
  }
  return gone;
}

bool
dae_equations_fail(DaeReader *reader, const char *message, uint32_t pos)
{
  DaeTerm gone = dae_equations_passed_by(reader);
  if (gone == DAE_NO_TERM && is_certain(reader)) {
    dae_source_error(reader->source, pos, "%s", message);
    return false;
  }
  if (!reader->is_structural) {
    DaeAssertion assertion = {.span = dae_source_span(reader->source, pos)};
    assertion.condition = gone != DAE_NO_TERM ? gone : dae_term_bool(reader->terms, false);
    assertion.message = g_string_chunk_insert_const(reader->strings, message);
    g_array_append_val(reader->assertions, assertion);
  }
  return true;
}

bool
dae_equations_call_statement(DaeReader *reader, const DaeInstruction *instruction, DaeTerm gone)
{
  uint32_t n = instruction->n;
  uint32_t base = reader->stack->len - n;
  const char *name = dae_names_text(reader->names, instruction->arg);
  DaeValue *arguments = n > 0 ? &g_array_index(reader->stack, DaeValue, base) : NULL;
  bool good = false;
  name += *name == '.' ? 1 : 0;
  for (uint32_t i = 0; i < n; i++) {
    dae_chain_finish(reader, &arguments[i]);
  }
  if (strcmp(name, "assert") == 0) {
    uint32_t before = reader->assertions != NULL ? reader->assertions->len : 0;
    good = dae_function_order_arguments(reader, name, arguments, n, instruction->pos) &&
           state_assertion(reader, arguments, n, gone, instruction->pos);
    if (good && reader->assertions != NULL && reader->assertions->len > before) {
      dae_when_take_assertion(reader);
    }
  } else if (strcmp(name, "prioritize") == 0) {
    good = true; /* prioritize(x, 2): a hint */
  } else {
    bool found = false;
    good = dae_when_statement(reader, name, arguments, n, instruction->pos, &found);
    if (found) {
      g_array_set_size(reader->stack, base);
      return good;
    }
    g_autofree DaeValue *copied = g_memdup2(arguments, n * sizeof(DaeValue));
    DaeValue value = dae_function_apply(reader, instruction->arg, copied, n, instruction->pos);
    bool is_call = dae_call_find(reader, instruction->arg) != 0;
    good = value.type != DAE_VALUE_POISON && (is_call || reader->scopes->len > 0);
    if (value.type != DAE_VALUE_POISON && !good) {
      dae_source_error(reader->source, instruction->pos,
                       "an equation has two sides: '=' is missing");
    }
  }
  g_array_set_size(reader->stack, base);
  return good;
}

/* ---- if-equations ------------------------------------------------------------------------ */

/* Zero exactly where the equation holds. */
static DaeTerm
residual(DaeTerms *terms, const DaeEquation *equation)
{
  if (dae_term_is_zero(terms, equation->lhs)) {
    return equation->rhs;
  }
  return dae_term_sub(terms, equation->lhs, equation->rhs);
}

/* lhs = if c then a else b where the left sides agree; otherwise 0 = if c
 * then residual else residual. */
static DaeEquation
choose_equation(DaeReader *reader, DaeTerm condition, const DaeEquation *a,
                const DaeEquation *b)
{
  DaeTerms *terms = reader->terms;
  DaeEquation result = {.origin = DAE_FROM_SECTION,
                        .span = a->span,
                        .has_hidden_units = a->has_hidden_units || b->has_hidden_units};
  if (a->lhs == b->lhs) {
    result.lhs = a->lhs;
    result.rhs = a->rhs == b->rhs ? a->rhs : dae_term_if(terms, condition, a->rhs, b->rhs);
    result.is_discrete = a->is_discrete && b->is_discrete;
    return result;
  }
  result.lhs = dae_term_int(terms, 0);
  result.rhs = dae_term_if(terms, condition, residual(terms, a), residual(terms, b));
  result.is_discrete = a->is_discrete && b->is_discrete;
  return result;
}

void
dae_equations_guard_assertions(DaeReader *reader, const DaeIfFrame *frame)
{
  DaeTerms *terms = reader->terms;
  for (uint32_t i = frame->assertions; i < reader->assertions->len; i++) {
    DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    DaeTerm other =
        i < frame->assertions_middle ? dae_term_not(terms, frame->condition) : frame->condition;
    assertion->condition = dae_term_or(terms, other, assertion->condition);
  }
}

/* The else-branch in the order of the other one, by left sides: y = 1; z = 2 and z = 3; y = 4
 * are two equations of y and z. */
static void
align_branches(DaeReader *reader, const DaeIfFrame *frame, uint32_t n)
{
  DaeEquation *a = &g_array_index(reader->equations, DaeEquation, frame->equations);
  DaeEquation *b = &g_array_index(reader->equations, DaeEquation, frame->equations_middle);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = i + 1; k < n && a[i].lhs != b[i].lhs; k++) {
      if (b[k].lhs == a[i].lhs) {
        DaeEquation other = b[k];
        b[k] = b[i];
        b[i] = other;
      }
    }
  }
}

static bool
merge_branches(DaeReader *reader, const DaeIfFrame *frame, uint32_t pos)
{
  uint32_t n = frame->equations_middle - frame->equations;
  uint32_t n_else = reader->equations->len - frame->equations_middle;
  if (n != n_else) {
    DaeTerm closed = dae_reader_close(reader, frame->condition, false);
    if (closed != DAE_NO_TERM && dae_term_kind(reader->terms, closed) == DAE_KIND_BOOLEAN) {
      /* Only parameters decide: the branches need not balance, the
       * given values choose one for good. */
      if (dae_term_get_bool(reader->terms, closed)) {
        g_array_set_size(reader->equations, frame->equations_middle);
      } else {
        g_array_remove_range(reader->equations, frame->equations, n);
      }
      return true;
    }
    dae_source_error(reader->source, pos,
                     "the branches of this if-equation have %u and %u equations; they must "
                     "have equally many",
                     n, n_else);
    g_array_set_size(reader->equations, frame->equations);
    return false;
  }
  if (n > 1) {
    align_branches(reader, frame, n);
  }
  for (uint32_t i = 0; i < n; i++) {
    DaeEquation *a = &g_array_index(reader->equations, DaeEquation, frame->equations + i);
    const DaeEquation *b =
        &g_array_index(reader->equations, DaeEquation, frame->equations_middle + i);
    *a = choose_equation(reader, frame->condition, a, b);
  }
  g_array_set_size(reader->equations, frame->equations_middle);
  dae_equations_guard_assertions(reader, frame);
  return true;
}

/* ---- the interpreter of statements ------------------------------------------------------- */

static bool
execute_branches(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  if (instruction->op == DAE_OP_WHETHER && !dae_reader_begin_if(reader, instruction->pos)) {
    return false;
  }
  DAE_ASSERT(reader->ifs->len > 0 && reader->ifs->data != NULL);
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  if (instruction->op == DAE_OP_WHETHER) {
    *pc += frame->mode == DAE_IF_FALSE ? instruction->arg : 1;
  } else if (instruction->op == DAE_OP_OTHERWISE) {
    frame->in_else = true;
    frame->equations_middle = reader->equations->len;
    frame->assertions_middle = reader->assertions->len;
    frame->actions_middle = reader->actions->len;
    *pc += frame->mode == DAE_IF_TRUE ? instruction->arg : 1;
  } else {
    DaeIfFrame done = *frame;
    g_array_set_size(reader->ifs, reader->ifs->len - 1);
    *pc += 1;
    if (done.mode == DAE_IF_BOTH && reader->when_depth > 0) {
      dae_when_merge(reader, &done);
    } else if (done.mode == DAE_IF_BOTH) {
      merge_branches(reader, &done, instruction->pos);
    }
  }
  return true;
}

bool
dae_equations_statement(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  bool is_empty = false;
  switch ((int)instruction->op) {
  case DAE_OP_EQUATION:
    *pc += 1;
    equate(reader, instruction->pos);
    reader->has_unit_constants = false;
    return true;
  case DAE_OP_STATEMENT:
    *pc += 1;
    dae_equations_call_statement(reader, instruction, DAE_NO_TERM);
    return true;
  case DAE_OP_UNSUPPORTED:
    *pc += 1;
    dae_source_unsupported(reader->source, instruction->pos, "%s",
                           dae_names_text(reader->names, instruction->arg));
    return true;
  case DAE_OP_WHEN:
    *pc += 1;
    return dae_when_begin(reader, instruction->pos);
  case DAE_OP_ELSEWHEN:
    *pc += 1;
    dae_when_otherwise(reader);
    return true;
  case DAE_OP_ENDWHEN:
    *pc += 1;
    dae_when_end(reader);
    return true;
  case DAE_OP_FOR:
    if (!dae_reader_begin_loop(reader, instruction, &is_empty)) {
      return false;
    }
    *pc += is_empty ? instruction->arg : 2;
    return true;
  case DAE_OP_ENDFOR:
    *pc =
        dae_reader_next_round(reader, instruction->pos) ? *pc - instruction->arg + 2 : *pc + 1;
    return reader->iterations <= DAE_MAX_ITERATIONS;
  default:
    return execute_branches(reader, instruction, pc);
  }
}

/* After a mistake in an expression: on to the end of its statement. False: a loop or condition
 * is hit, and the rest of the section would only repeat the complaint. */
static bool
skip_statement(const DaeReader *reader, uint32_t *pc)
{
  while (true) {
    DaeOp op = (DaeOp)dae_syntax_code(reader->syntax, *pc)->op;
    *pc += 1;
    if (op == DAE_OP_EQUATION || op == DAE_OP_STATEMENT) {
      return true;
    }
    if (op >= DAE_OP_EQUATION || op == DAE_OP_RETURN) {
      return false;
    }
  }
}

void
dae_equations_execute(DaeReader *reader, uint32_t code)
{
  uint32_t pc = code;
  uint32_t loops = 0; /* what belongs to blocks, not to the expression under way */
  uint32_t ifs = 0;
  while (dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN &&
         !dae_source_is_full(reader->source)) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
    bool is_statement = instruction->op >= DAE_OP_EQUATION;
    bool good = is_statement ? dae_equations_statement(reader, instruction, &pc)
                             : dae_reader_step(reader, &pc);
    if (!good) {
      g_array_set_size(reader->stack, 0);
      if (is_statement || !skip_statement(reader, &pc)) {
        break;
      }
      dae_reader_unwind(reader, loops, ifs);
    } else if (is_statement) {
      loops = reader->loops->len;
      ifs = reader->ifs->len;
      if (loops == 0) {
        dae_arena_reset(reader->scratch);
      }
    }
  }
  g_array_set_size(reader->stack, 0);
  dae_reader_unwind(reader, 0, 0);
  dae_when_abandon(reader);
  dae_arena_reset(reader->scratch);
}
