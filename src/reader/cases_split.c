/* A statement, a condition or a call that is executed in each case of an Integer (cases.c). */
#include "reader/calls.h"

void
dae_cases_mark(const DaeReader *reader, DaeCasesMark *mark)
{
  *mark = (DaeCasesMark){.stack = reader->stack->len,
                         .loops = reader->loops->len,
                         .ifs = reader->ifs->len,
                         .assertions = reader->assertions != NULL ? reader->assertions->len : 0,
                         .actions = reader->actions->len};
}

static void
go_back(DaeReader *reader, const DaeCasesMark *mark)
{
  g_array_set_size(reader->stack, mark->stack);
  dae_reader_unwind(reader, mark->loops, mark->ifs);
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, mark->assertions);
  }
  g_array_set_size(reader->actions, mark->actions);
  reader->surrender = NULL;
}

typedef struct {
  DaeCase cases;
  uint32_t from, to; /* code */
  uint32_t pos;
  uint32_t n_good; /* cases that were executed to the end */
  char *misfit;    /* of the first case whose sizes do not fit; NULL: all fit */
  uint32_t misfit_pos;
  bool is_expression; /* leaves a value on the stack */
  uint32_t class;     /* a call of this function instead of code; 0: code */
  const DaeValue *const *given;
} Split;

static bool
fail_outside(DaeReader *reader, const Split *split)
{
  return dae_equations_fail(reader, "a range is outside of what it is a subscript of",
                            split->pos);
}

/* Case number k: 0 is below all, the last one above. */
static DaeCase
case_of(const Split *split, int64_t k)
{
  DaeCase one = split->cases;
  int64_t n = one.most - one.least + 1;
  int64_t at = one.least + k - 1;
  return k == 0  ? (DaeCase){one.term, INT64_MIN, one.least - 1}
         : k > n ? (DaeCase){one.term, one.most + 1, INT64_MAX}
                 : (DaeCase){one.term, at, at};
}

static bool
push_call(DaeReader *reader, const Split *split)
{
  DaeValue value = dae_cases_call(reader, split->class, split->given, split->pos);
  if (value.type != DAE_VALUE_POISON) {
    g_array_append_val(reader->stack, value);
  }
  return value.type != DAE_VALUE_POISON;
}

/* The first one is told if no case fits. */
static void
keep_misfit(DaeReader *reader, Split *split)
{
  DaeCases *cases = &reader->cases;
  if (split->misfit == NULL) {
    split->misfit = g_steal_pointer(&cases->misfit);
    split->misfit_pos = cases->misfit_pos;
  }
  g_clear_pointer(&cases->misfit, g_free);
}

void
dae_cases_misfit(DaeReader *reader, uint32_t pos, const char *format, ...)
{
  DaeCases *cases = &reader->cases;
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  if (cases->known->len == 0) {
    dae_source_error(reader->source, pos, "%s", message);
  } else if (cases->misfit == NULL) {
    cases->misfit = g_steal_pointer(&message);
    cases->misfit_pos = pos;
  }
}

typedef struct {  /* what came out of a case, or of neighbours */
  bool has_value; /* on the stack */
  bool misfits;   /* in all of them sizes do not fit: an assertion is still to be made */
} Outcome;

/* The code in one case. */
static bool
run_case(DaeReader *reader, Split *split, int64_t k, Outcome *outcome)
{
  DaeCasesMark mark;
  DaeCase one = case_of(split, k);
  dae_cases_mark(reader, &mark);
  g_clear_pointer(&reader->cases.misfit, g_free); /* of a trial that has failed */
  g_array_append_val(reader->cases.known, one);
  bool good = split->class != 0 ? push_call(reader, split)
                                : dae_statements_run_to(reader, split->from, split->to);
  g_array_set_size(reader->cases.known, reader->cases.known->len - 1);
  *outcome = (Outcome){.has_value = good};
  split->n_good += good && one.least == one.most;
  if (!good && reader->cases.is_outside) {
    go_back(reader, &mark);
    reader->cases.asked.term = DAE_NO_TERM;
    reader->cases.is_outside = false;
    return fail_outside(reader, split);
  }
  if (!good && reader->cases.misfit != NULL) {
    go_back(reader, &mark);
    keep_misfit(reader, split);
    outcome->misfits = true;
    return true;
  }
  return good;
}

/* a where the condition holds, else b, of all results of a call. */
static DaeValue
choose_all(DaeReader *reader, DaeTerm condition, const DaeValue *a, const DaeValue *b,
           uint32_t pos)
{
  DaeValue chosen = dae_arithmetic_choose(reader, condition, *a, *b, pos);
  uint32_t n = a->n_outputs == b->n_outputs ? a->n_outputs : 0;
  if (n > 1 && chosen.type != DAE_VALUE_POISON) {
    DaeValue *outputs = dae_arena_alloc(reader->scratch, n * sizeof(DaeValue));
    for (uint32_t k = 0; k < n; k++) {
      outputs[k] =
          k == 0 ? chosen
                 : dae_arithmetic_choose(reader, condition, a->outputs[k], b->outputs[k], pos);
    }
    chosen.outputs = outputs;
    chosen.n_outputs = n;
  }
  return chosen;
}

/* Of the two values on the stack, if both cases have one. */
static bool
choose_value(DaeReader *reader, DaeTerm condition, bool has_both, uint32_t pos)
{
  uint32_t top = reader->stack->len;
  if (!has_both) {
    return true;
  }
  DaeValue *a = &g_array_index(reader->stack, DaeValue, top - 2);
  DaeValue *b = &g_array_index(reader->stack, DaeValue, top - 1);
  dae_chain_finish(reader, a);
  dae_chain_finish(reader, b);
  DaeValue chosen = choose_all(reader, condition, a, b, pos);
  g_array_set_size(reader->stack, top - 1);
  g_array_index(reader->stack, DaeValue, top - 2) = chosen;
  return chosen.type != DAE_VALUE_POISON;
}

static void
begin_halves(DaeReader *reader, const Split *split, DaeTerm condition)
{
  if (!split->is_expression) {
    dae_statement_begin_branches(reader, condition);
    return;
  }
  DaeIfFrame frame = {.mode = DAE_IF_BOTH, .condition = condition};
  frame.assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  frame.actions = reader->actions->len;
  g_array_append_val(reader->ifs, frame);
}

static void
begin_second(DaeReader *reader, const Split *split)
{
  if (!split->is_expression) {
    dae_statement_begin_else(reader);
    return;
  }
  DaeIfFrame *frame = &g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  frame->in_else = true;
  frame->assertions_middle = reader->assertions != NULL ? reader->assertions->len : 0;
}

static bool
end_halves(DaeReader *reader, const Split *split)
{
  if (!split->is_expression) {
    return dae_statement_end_branches(reader, split->pos);
  }
  DaeIfFrame frame = g_array_index(reader->ifs, DaeIfFrame, reader->ifs->len - 1);
  g_array_set_size(reader->ifs, reader->ifs->len - 1);
  if (reader->assertions != NULL) {
    dae_equations_guard_assertions(reader, &frame);
  }
  return true;
}

/* The assertion for cases that do not fit, next to others that do. */
static bool
settle(DaeReader *reader, const Split *split, const Outcome *half)
{
  return !half->misfits ||
         dae_equations_fail(reader, "sizes that are known only at run time do not fit",
                            split->misfit_pos);
}

static bool run_between(DaeReader *reader, Split *split, int64_t a, int64_t b,
                        Outcome *outcome);

/* Both halves of the cases from a to b, which part at the condition. */
static bool
run_halves(DaeReader *reader, Split *split, int64_t a, int64_t b, Outcome halves[2],
           DaeTerm condition)
{
  int64_t middle = a + (b - a) / 2;
  begin_halves(reader, split, condition);
  if (!run_between(reader, split, a, middle, &halves[0]) ||
      !settle(reader, split, &halves[0])) {
    return false;
  }
  begin_second(reader, split);
  return run_between(reader, split, middle + 1, b, &halves[1]) &&
         settle(reader, split, &halves[1]) && end_halves(reader, split);
}

/* Cases from a to b. */
static bool
run_between(DaeReader *reader, Split *split, int64_t a, int64_t b, Outcome *outcome)
{
  if (a == b) {
    return run_case(reader, split, a, outcome);
  }
  DaeCasesMark mark;
  Outcome halves[2] = {{false, false}, {false, false}};
  int64_t middle = a + (b - a) / 2;
  DaeTerm last = dae_term_int(reader->terms, split->cases.least + middle - 1);
  DaeTerm condition = dae_term_relation(reader->terms, DAE_REL_LE, split->cases.term, last);
  dae_cases_mark(reader, &mark);
  if (!run_halves(reader, split, a, b, halves, condition)) {
    return false;
  }
  *outcome = (Outcome){.has_value = halves[0].has_value || halves[1].has_value,
                       .misfits = halves[0].misfits && halves[1].misfits};
  if (outcome->misfits && reader->assertions != NULL) {
    g_array_set_size(reader->assertions, mark.assertions); /* one for both */
  }
  return !split->is_expression ||
         choose_value(reader, condition, halves[0].has_value && halves[1].has_value,
                      split->pos);
}

static bool
run_all(DaeReader *reader, Split *split)
{
  Outcome outcome = {false, false};
  reader->cases.asked.term = DAE_NO_TERM;
  bool good =
      run_between(reader, split, 0, split->cases.most - split->cases.least + 2, &outcome);
  bool has_misfit = split->misfit != NULL;
  if (good && has_misfit && split->n_good == 0) {
    dae_cases_misfit(reader, split->misfit_pos, "%s", split->misfit);
    good = false;
  } else if (good && split->is_expression && !outcome.has_value) {
    dae_source_error(reader->source, split->pos, "this range is never one of a subscript");
    good = false;
  }
  g_clear_pointer(&split->misfit, g_free);
  return good;
}

DaeValue
dae_cases_call(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos)
{
  DaeCases *cases = &reader->cases;
  DaeCasesMark mark;
  if (reader->scopes->len > 0) { /* the statement around it is split */
    return dae_call_run(reader, class, given, pos);
  }
  dae_cases_mark(reader, &mark);
  cases->n_runs++;
  DaeValue result = dae_call_run(reader, class, given, pos);
  if (result.type == DAE_VALUE_POISON && cases->asked.term != DAE_NO_TERM &&
      !cases->is_outside) {
    Split split = {.cases = cases->asked,
                   .pos = cases->pos,
                   .is_expression = true,
                   .class = class,
                   .given = given};
    go_back(reader, &mark);
    if (run_all(reader, &split)) {
      result = g_array_index(reader->stack, DaeValue, reader->stack->len - 1);
      dae_chain_finish(reader, &result);
    }
    g_array_set_size(reader->stack, mark.stack);
  }
  cases->n_runs--;
  return result;
}

/* The instruction that ends the statement. */
static uint32_t
end_of_statement(const DaeReader *reader, uint32_t pc, uint32_t end)
{
  for (; pc != end; pc++) {
    DaeOp op = (DaeOp)dae_syntax_code(reader->syntax, pc)->op;
    if (op == DAE_OP_RETURN || (op >= DAE_OP_EQUATION && op != DAE_OP_TARGET)) {
      return pc;
    }
  }
  return end;
}

bool
dae_cases_split(DaeReader *reader, const DaeCasesMark *mark, uint32_t from, uint32_t end,
                uint32_t *pc)
{
  DaeCases *cases = &reader->cases;
  uint32_t last = end_of_statement(reader, from, end);
  DaeOp op = last != end ? (DaeOp)dae_syntax_code(reader->syntax, last)->op : DAE_OP_RETURN;
  bool is_whole = op == DAE_OP_ASSIGN || op == DAE_OP_STATEMENT;
  Split split = {.cases = cases->asked,
                 .from = from,
                 .to = is_whole ? last + 1 : last,
                 .pos = cases->pos,
                 .is_expression = !is_whole};
  go_back(reader, mark);
  *pc = split.to;
  if (cases->is_outside) {
    if (!is_whole) {
      return false; /* where the value is needed there is none */
    }
    cases->asked.term = DAE_NO_TERM;
    cases->is_outside = false;
    return fail_outside(reader, &split);
  }
  return run_all(reader, &split);
}
