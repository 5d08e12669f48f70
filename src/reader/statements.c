/* Statements of functions and algorithm sections, executed on terms: static
 * single assignment by construction.
 *
 * A condition that is not known at translation makes both branches run, each on the values from
 * before; where they end, every local that one of them changed becomes an if-term. `return` and
 * `break` under such a condition set a term that says when they happened, and what follows only
 * counts elsewhere. Loops are unrolled. */
#include "reader/calls.h"

#include <math.h>
#include <string.h>

#define MAX_BITS 2048u       /* of a number in a loop that is executed at translation */
#define MAX_FACTOR_BITS 256u /* of a factor in a term there */
#define LONGEST_LOOP ((size_t)256 << 20) /* bytes of terms that the rounds of a scope make */

static DaeScope *
scope_of(const DaeReader *reader)
{
  return &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
}

bool
dae_statement_is_true(const DaeReader *reader, DaeTerm t)
{
  return t != DAE_NO_TERM && dae_term_kind(reader->terms, t) == DAE_KIND_BOOLEAN &&
         dae_term_get_bool(reader->terms, t);
}

/* On to the end of the block that pc is in. */
static uint32_t
end_of_block(const DaeReader *reader, uint32_t pc)
{
  uint32_t depth = 0;
  for (;; pc++) {
    switch ((int)dae_syntax_code(reader->syntax, pc)->op) {
    case DAE_OP_WHETHER:
    case DAE_OP_WHEN:
    case DAE_OP_FOR:
    case DAE_OP_WHILE:
      depth++;
      break;
    case DAE_OP_OTHERWISE:
    case DAE_OP_ELSEWHEN:
      if (depth == 0) {
        return pc;
      }
      break;
    case DAE_OP_ENDWHETHER:
    case DAE_OP_ENDWHEN:
    case DAE_OP_ENDFOR:
    case DAE_OP_ENDWHILE:
      if (depth == 0) {
        return pc;
      }
      depth--;
      break;
    case DAE_OP_RETURN:
      return pc;
    default:
      break;
    }
  }
}

/* ---- if ---------------------------------------------------------------------------------- */

/* Values of the locals that a branch changed, taken out again. */
static void
take_changes(DaeReader *reader, uint32_t first, GArray *taken)
{
  for (uint32_t i = reader->changes->len; i-- > first;) {
    DaeChange change = g_array_index(reader->changes, DaeChange, i);
    DaeLocal *local = dae_local(reader, change.local);
    DaeChange now = {.local = change.local, .value = local->value, .data = local->data};
    bool known = false;
    for (uint32_t k = 0; k < taken->len && !known; k++) {
      known = g_array_index(taken, DaeChange, k).local == change.local;
    }
    if (!known) {
      g_array_append_val(taken, now);
    }
    local->value = change.value;
    local->data = change.data;
    local->epoch = change.epoch;
  }
  g_array_set_size(reader->changes, first);
}

static const DaeChange *
find_change(const GArray *changes, uint32_t local)
{
  for (uint32_t i = 0; i < changes->len; i++) {
    const DaeChange *change = &g_array_index(changes, DaeChange, i);
    if (change->local == local) {
      return change;
    }
  }
  return NULL;
}

static bool
merge_local(DaeReader *reader, uint32_t index, DaeTerm condition, const DaeChange *a,
            const DaeChange *b, uint32_t pos)
{
  DaeLocal *local = dae_local(reader, index);
  DaeChange old = {.local = index, .value = local->value, .data = local->data};
  a = a != NULL ? a : &old;
  b = b != NULL ? b : &old;
  if (!dae_value_same_shape(&a->value, &b->value)) {
    dae_source_error(reader->source, pos,
                     "'%s' has a different size after this 'if' than otherwise",
                     dae_names_text(reader->names, local->name));
    return false;
  }
  if (!dae_value_same_shape(&local->value, &a->value)) {
    dae_statement_assign_whole(reader, index, &a->value, pos);
  }
  DaeTerm *data = dae_statement_own_data(reader, index);
  const DaeValue *whole = &dae_local(reader, index)->value;
  uint32_t n = whole->count * dae_value_width(whole);
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_statement_choose(reader, condition, a->data[k], b->data[k],
                                   dae_statement_scalar_type(whole, k));
  }
  dae_local_note(dae_local(reader, index), 0, n);
  return true;
}

static bool
merge_branches(DaeReader *reader, const DaeIfFrame *frame, uint32_t pos)
{
  g_autoptr(GArray) last = g_array_new(FALSE, FALSE, sizeof(DaeChange));
  take_changes(reader, frame->changes, last);
  reader->epoch = frame->epoch;
  for (uint32_t i = frame->taken->len; i-- > 0;) {
    const DaeChange *a = &g_array_index(frame->taken, DaeChange, i);
    if (!merge_local(reader, a->local, frame->condition, a, find_change(last, a->local), pos)) {
      return false;
    }
  }
  for (uint32_t i = last->len; i-- > 0;) {
    const DaeChange *b = &g_array_index(last, DaeChange, i);
    if (find_change(frame->taken, b->local) == NULL &&
        !merge_local(reader, b->local, frame->condition, NULL, b, pos)) {
      return false;
    }
  }
  DaeScope *scope = scope_of(reader);
  scope->left =
      dae_statement_merge_flags(reader->terms, frame->condition, frame->left, scope->left);
  scope->broken =
      dae_statement_merge_flags(reader->terms, frame->condition, frame->broken, scope->broken);
  if (reader->loops->len > scope->first_loop) {
    DaeLoopFrame *loop = &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
    loop->broken = dae_statement_merge_flags(reader->terms, frame->condition,
                                             frame->loop_broken, loop->broken);
  }
  dae_equations_guard_assertions(reader, frame);
  return true;
}

static DaeTerm *
loop_flag(DaeReader *reader)
{
  const DaeScope *scope = scope_of(reader);
  return reader->loops->len > scope->first_loop
             ? &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1).broken
             : NULL;
}

/* The then-branch is over: its results are put aside, the else-branch
 * starts from the values before. */
static void
begin_else(DaeReader *reader, DaeIfFrame *frame)
{
  DaeScope *scope = scope_of(reader);
  DaeTerm *broken = loop_flag(reader);
  DaeTerm left = scope->left;
  DaeTerm old_broken = scope->broken;
  frame->taken = g_array_new(FALSE, FALSE, sizeof(DaeChange));
  take_changes(reader, frame->changes, frame->taken);
  scope->left = frame->left;
  scope->broken = frame->broken;
  frame->left = left;
  frame->broken = old_broken;
  if (broken != NULL) {
    DaeTerm now = *broken;
    *broken = frame->loop_broken;
    frame->loop_broken = now;
  }
  reader->epoch = ++reader->last_epoch;
  frame->assertions_middle = reader->assertions->len;
}

/* A when is an if whose condition holds in the instants in which it is active
 * [language specification, 11.2.7]. */
static bool
begin_branches(DaeReader *reader, const DaeInstruction *instruction)
{
  bool is_when = instruction->op == DAE_OP_WHEN;
  bool is_initial = false;
  if ((is_when && !dae_when_statement_begin(reader, &is_initial, instruction->pos)) ||
      !dae_reader_begin_if(reader, instruction->pos)) {
    return false;
  }
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  frame->is_when = is_when;
  frame->is_initial = is_initial;
  if (is_when) {
    frame->mode = DAE_IF_BOTH;
    reader->when_depth = 1;
  }
  return true;
}

/* What a branch begins with is kept in the frame on top. */
static void
keep_beginning(DaeReader *reader)
{
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  frame->changes = reader->changes->len;
  frame->epoch = reader->epoch;
  frame->left = scope_of(reader)->left;
  frame->broken = scope_of(reader)->broken;
  frame->loop_broken = loop_flag(reader) != NULL ? *loop_flag(reader) : DAE_NO_TERM;
  if (frame->mode == DAE_IF_BOTH) {
    reader->epoch = ++reader->last_epoch;
  }
}

void
dae_statement_begin_branches(DaeReader *reader, DaeTerm condition)
{
  DaeIfFrame frame = {.mode = DAE_IF_BOTH, .condition = condition};
  frame.equations = reader->equations != NULL ? reader->equations->len : 0;
  frame.assertions = reader->assertions->len;
  frame.actions = reader->actions->len;
  g_array_append_val(reader->ifs, frame);
  keep_beginning(reader);
}

void
dae_statement_begin_else(DaeReader *reader)
{
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  frame->in_else = true;
  begin_else(reader, frame);
}

bool
dae_statement_end_branches(DaeReader *reader, uint32_t pos)
{
  DaeIfFrame done = g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  g_array_set_size(reader->ifs, reader->ifs->len - 1);
  bool good = done.mode != DAE_IF_BOTH || merge_branches(reader, &done, pos);
  if (done.taken != NULL) {
    g_array_free(done.taken, TRUE);
  }
  return good;
}

static bool
execute_branches(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  if (instruction->op == DAE_OP_WHETHER || instruction->op == DAE_OP_WHEN) {
    if (!begin_branches(reader, instruction)) {
      return false;
    }
    keep_beginning(reader);
    const DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
    *pc += frame->mode == DAE_IF_FALSE ? instruction->arg : 1;
    return true;
  }
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  if (instruction->op == DAE_OP_OTHERWISE || instruction->op == DAE_OP_ELSEWHEN) {
    if (frame->is_when) {
      reader->when_depth = 0;
    }
    frame->in_else = true;
    if (frame->mode == DAE_IF_BOTH) {
      begin_else(reader, frame);
    }
    *pc += frame->mode == DAE_IF_TRUE ? instruction->arg : 1;
    return true;
  }
  *pc += 1;
  return dae_statement_end_branches(reader, instruction->pos);
}

/* ---- loops ------------------------------------------------------------------------------- */

/* Each round may make the terms of a local longer than the last one: y := y + sin(y); texts too. */
static bool
terms_stay_short(DaeReader *reader, uint32_t pos)
{
  DaeScope *scope = scope_of(reader);
  size_t bytes = dae_terms_bytes(reader->terms) + dae_names_bytes(reader->names);
  scope->bytes = scope->bytes == 0 ? bytes : scope->bytes;
  if (bytes > scope->bytes + LONGEST_LOOP) {
    dae_source_error(
        reader->source, pos,
        "the expressions of this loop are longer than %zu MiB after %" G_GUINT64_FORMAT
        " rounds",
        LONGEST_LOOP >> 20, reader->iterations);
    return false;
  }
  return true;
}

static bool
count_round(DaeReader *reader, uint32_t pos)
{
  if (++reader->iterations > DAE_MAX_ITERATIONS) {
    dae_source_error(reader->source, pos, "the loops of this model take more than %u rounds",
                     DAE_MAX_ITERATIONS);
    return false;
  }
  return terms_stay_short(reader, pos);
}

static size_t
number_bits(const DaeReader *reader, DaeTerm t)
{
  return dae_term_is_number(reader->terms, t) ? dae_term_number_bits(reader->terms, t) : 0;
}

/* Bits of the longest factor of a sum and its terms, or of a product. */
static size_t
coefficient_bits(const DaeReader *reader, DaeTerm t, uint32_t depth)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  size_t bits = number_bits(reader, t);
  if ((kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT) || depth == 0) {
    return bits;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(reader->terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    bits = MAX(bits, coefficient_bits(reader, operands[i], depth - 1));
  }
  return bits;
}

/* A term with long factors is closed: what is computed from it has factors of its own. Sums
 * have integers as factors of their terms and one in front, so that in a loop (Runge and Kutta's
 * method) these get longer with every round, and soon they are larger than any double. */
static DaeTerm
shortened(const DaeReader *reader, DaeTerm t)
{
  if (dae_term_is_number(reader->terms, t)) {
    double value = dae_term_number_bits(reader->terms, t) > MAX_BITS
                       ? dae_term_get_double(reader->terms, t)
                       : (double)INFINITY;
    return isfinite(value) ? dae_term_from_double(reader->terms, value) : t;
  }
  return coefficient_bits(reader, t, 3) > MAX_FACTOR_BITS
             ? dae_term_call1(reader->terms, DAE_FN_NOEVENT, t)
             : t;
}

/* Exact numbers may get longer with every round (Newton's method doubles their digits): long
 * ones are rounded to doubles. */
static void
round_long_numbers(DaeReader *reader)
{
  const DaeScope *scope = scope_of(reader);
  for (uint32_t i = scope->first_local; i < scope->first_local + scope->n_locals; i++) {
    DaeLocal *local = dae_local(reader, i);
    uint32_t n =
        local->value.type == DAE_VALUE_REAL && !local->value.opaque && local->data != NULL
            ? MIN(local->value.count, local->fresh_to)
            : 0;
    uint32_t from = local->fresh_from;
    local->fresh_from = local->fresh_to = 0;
    for (uint32_t k = from; k < n; k++) {
      DaeTerm t = dae_local(reader, i)->data[k];
      DaeTerm shorter = t != DAE_NO_TERM ? shortened(reader, t) : t;
      if (shorter != t) {
        dae_statement_own_data(reader, i)[k] = shorter;
      }
    }
  }
}

/* for i in a:b where a or b is known only at run time. */
static bool
run_range(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  uint32_t top = reader->stack->len;
  const DaeValue range = g_array_index(reader->stack, DaeValue, top - 1);
  g_array_set_size(reader->stack, top - 1);
  DaeLoopPlaces places = {.body = *pc + 2,
                          .end = *pc + instruction->arg - 1,
                          .pos = instruction->pos,
                          .iterator = instruction[1].arg};
  if (!dae_loop_take_range(reader, &range, &places)) {
    return false;
  }
  DAE_ASSERT(dae_syntax_code(reader->syntax, places.end)->op == DAE_OP_ENDFOR);
  *pc = places.end + 1;
  return dae_loop_run(reader, &places);
}

static bool
execute_for(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  bool is_empty = false;
  if (instruction->op == DAE_OP_FOR &&
      g_array_index(reader->stack, DaeValue, reader->stack->len - 1).type == DAE_VALUE_TUPLE) {
    return run_range(reader, instruction, pc);
  }
  if (instruction->op == DAE_OP_FOR) {
    if (!dae_reader_begin_loop(reader, instruction, &is_empty)) {
      return false;
    }
    *pc += is_empty ? instruction->arg : 2;
    return true;
  }
  round_long_numbers(reader);
  DaeLoopFrame *frame = &g_array_index(reader->loops, DaeLoopFrame, reader->loops->len - 1);
  if (dae_statement_is_true(reader, frame->broken) ||
      dae_statement_is_true(reader, scope_of(reader)->left)) {
    frame->position = frame->range.count; /* the last round */
  }
  if (!terms_stay_short(reader, instruction->pos)) {
    return false;
  }
  *pc = dae_reader_next_round(reader, instruction->pos) ? *pc - instruction->arg + 2 : *pc + 1;
  return reader->iterations <= DAE_MAX_ITERATIONS;
}

/* The frame of the while-loop whose head this is: flags of the loops around it are put aside. */
static DaeWhileFrame *
begin_while(DaeReader *reader, uint32_t head)
{
  DaeScope *scope = scope_of(reader);
  GArray *whiles = reader->whiles;
  if (whiles->len == scope->first_while ||
      g_array_index(whiles, DaeWhileFrame, whiles->len - 1).head != head) {
    DaeWhileFrame frame = {head, scope->left, scope->broken, scope->outer};
    g_array_append_val(whiles, frame);
    if (scope->broken != DAE_NO_TERM) {
      scope->outer = scope->outer == DAE_NO_TERM
                         ? scope->broken
                         : dae_term_or(reader->terms, scope->outer, scope->broken);
    }
    scope->broken = DAE_NO_TERM;
  }
  return &g_array_index(whiles, DaeWhileFrame, whiles->len - 1);
}

static void
end_while(DaeReader *reader)
{
  DaeScope *scope = scope_of(reader);
  DAE_ASSERT(reader->whiles->len > scope->first_while);
  const DaeWhileFrame *frame =
      &g_array_index(reader->whiles, DaeWhileFrame, reader->whiles->len - 1);
  scope->broken = frame->broken;
  scope->outer = frame->outer;
  g_array_set_size(reader->whiles, reader->whiles->len - 1);
}

/* The loop as a routine from here on. */
static bool
run_at_run_time(DaeReader *reader, uint32_t head, uint32_t *pc)
{
  const DaeInstruction *instruction = dae_syntax_code(reader->syntax, head);
  uint32_t end = head + instruction->arg - 1;
  DAE_ASSERT(dae_syntax_code(reader->syntax, end)->op == DAE_OP_ENDWHILE);
  DaeLoopPlaces places = {.condition = end - dae_syntax_code(reader->syntax, end)->arg,
                          .head = head,
                          .body = head + 1,
                          .end = end,
                          .pos = instruction->pos};
  if (!dae_loop_run(reader, &places)) {
    return false;
  }
  end_while(reader);
  *pc = end + 1;
  return true;
}

/* The condition is on the stack. A loop whose end depends on values at run time is not unrolled. */
static bool
execute_while(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  DaeScope *scope = scope_of(reader);
  if (instruction->op == DAE_OP_ENDWHILE) {
    if (dae_statement_is_true(reader, scope->broken) ||
        dae_statement_is_true(reader, scope->left)) {
      end_while(reader);
      *pc += 1;
      return true;
    }
    *pc -= instruction->arg;
    round_long_numbers(reader);
    return count_round(reader, instruction->pos);
  }
  if (!dae_reader_begin_if(reader, instruction->pos)) {
    return false;
  }
  DaeIfMode mode = g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1).mode;
  g_array_set_size(reader->ifs, reader->ifs->len - 1);
  DaeWhileFrame *frame = begin_while(reader, *pc);
  bool may_end = scope->broken != DAE_NO_TERM || scope->left != frame->left;
  if (mode == DAE_IF_BOTH || (mode == DAE_IF_TRUE && may_end)) {
    return run_at_run_time(reader, *pc, pc);
  }
  if (mode == DAE_IF_FALSE) {
    end_while(reader);
  }
  *pc += mode == DAE_IF_TRUE ? 1 : instruction->arg;
  return true;
}

/* ---- all of them ------------------------------------------------------------------------- */

static bool
execute_call(DaeReader *reader, const DaeInstruction *instruction)
{
  DaeTerm gone = dae_statement_gone(reader);
  uint32_t first = reader->when_depth > 0 ? reader->actions->len : 0;
  bool good = dae_equations_call_statement(reader, instruction, gone);
  if (good && reader->when_depth > 0) {
    dae_when_statement_act(reader, gone, first);
  }
  return good;
}

static bool
execute_statement(DaeReader *reader, const DaeInstruction *instruction, uint32_t *pc)
{
  DaeTerm *broken = NULL;
  switch ((int)instruction->op) {
  case DAE_OP_ASSIGN:
    *pc += 1;
    return dae_statement_assign(reader, instruction->pos);
  case DAE_OP_STATEMENT:
    *pc += 1;
    return execute_call(reader, instruction);
  case DAE_OP_FOR:
  case DAE_OP_ENDFOR:
    return execute_for(reader, instruction, pc);
  case DAE_OP_WHILE:
  case DAE_OP_ENDWHILE:
    return execute_while(reader, instruction, pc);
  case DAE_OP_WHETHER:
  case DAE_OP_OTHERWISE:
  case DAE_OP_ENDWHETHER:
  case DAE_OP_WHEN:
  case DAE_OP_ELSEWHEN:
  case DAE_OP_ENDWHEN:
    return execute_branches(reader, instruction, pc);
  case DAE_OP_BREAK:
    broken = dae_syntax_code(reader->syntax, *pc + instruction->arg)->op == DAE_OP_ENDFOR
                 ? loop_flag(reader)
                 : &scope_of(reader)->broken;
    DAE_ASSERT(broken != NULL);
    *broken = dae_term_bool(reader->terms, true);
    *pc += 1;
    return true;
  case DAE_OP_LEAVE:
    dae_statement_leave(reader);
    *pc += 1;
    return true;
  case DAE_OP_UNSUPPORTED:
    dae_source_unsupported(reader->source, instruction->pos, "%s",
                           dae_names_text(reader->names, instruction->arg));
    return false;
  default:
    dae_source_error(reader->source, instruction->pos, "this is not a statement");
    return false;
  }
}

/* A statement that needs an Integer of the moment is executed for each of its values. */
static bool
run_to(DaeReader *reader, uint32_t from, uint32_t end)
{
  uint32_t pc = from;
  uint32_t begin = from;
  uint32_t stack = reader->stack->len;
  DaeCasesMark mark;
  dae_cases_mark(reader, &mark);
  while (pc != end && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
    bool is_statement = instruction->op >= DAE_OP_EQUATION && instruction->op != DAE_OP_TARGET;
    bool good = dae_call_count(reader, instruction->pos) &&
                (is_statement ? execute_statement(reader, instruction, &pc)
                              : dae_reader_step(reader, &pc));
    if (!good && reader->cases.asked.term != DAE_NO_TERM) {
      good = dae_cases_split(reader, &mark, begin, end, &pc);
      instruction = pc != end ? dae_syntax_code(reader->syntax, pc) : instruction;
      is_statement = reader->stack->len == stack;
    }
    if (!good) {
      g_array_set_size(reader->stack, stack);
      return false;
    }
    if (is_statement && dae_statement_is_dead(reader)) {
      pc = end_of_block(reader, pc);
    }
    if (is_statement) {
      begin = pc;
      dae_cases_mark(reader, &mark);
    }
  }
  return true;
}

bool
dae_statements_run_to(DaeReader *reader, uint32_t from, uint32_t end)
{
  reader->cases.n_runs++;
  bool good = run_to(reader, from, end);
  reader->cases.n_runs--;
  return good;
}

/* True: done, the results are in the locals. */
bool
dae_statements_run(DaeReader *reader, uint32_t code)
{
  return dae_statements_run_to(reader, code, UINT32_MAX);
}
