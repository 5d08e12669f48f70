/* sum(e for i in a:b), product, min and max where a or b is known only at run time and may be
 * anything: a loop of its own, whose states are what is gathered so far. Where the ends have bounds
 * the reduction is worked out case by case (cases.c). */
#include "reader/loops-priv.h"

#include <float.h>
#include <string.h>

static const char *const reductions[] = {"sum", "product", "min", "max"};

enum { OF_SUM, OF_PRODUCT, OF_MIN, OF_MAX };

/* The reduction that the array of this LOOP goes to; NULL: another use of it. */
static const char *
reduction_of(const DaeReader *reader, const DaeInstruction *loop)
{
  const DaeInstruction *next = loop + loop->arg - 1;
  DAE_ASSERT(next->op == DAE_OP_NEXT);
  if (next->n != 1 || next[1].op != DAE_OP_CALL || next[1].n != 1) {
    return NULL;
  }
  const char *name = dae_names_text(reader->names, next[1].arg);
  for (size_t i = 0; i < G_N_ELEMENTS(reductions); i++) {
    if (strcmp(name, reductions[i]) == 0) {
      return reductions[i];
    }
  }
  return NULL;
}

bool
dae_loop_reduces(const DaeReader *reader, const DaeInstruction *loop)
{
  return reduction_of(reader, loop) != NULL;
}

/* Of no elements [MLS, section 10.3.4.1]. */
static DaeTerm
begin_with(const DaeReader *reader, const char *name, DaeValueType type)
{
  DaeTerms *terms = reader->terms;
  double greatest = type == DAE_VALUE_INTEGER ? INT32_MAX : DBL_MAX;
  if (name == reductions[OF_SUM] || name == reductions[OF_PRODUCT]) {
    return dae_term_int(terms, name == reductions[OF_SUM] ? 0 : 1);
  }
  return dae_term_from_double(terms, name == reductions[OF_MIN] ? greatest : -greatest);
}

static DaeTerm
joined(DaeTerms *terms, const char *name, DaeTerm a, DaeTerm b)
{
  return name == reductions[OF_SUM]       ? dae_term_add(terms, a, b)
         : name == reductions[OF_PRODUCT] ? dae_term_mul(terms, a, b)
         : name == reductions[OF_MIN]     ? dae_term_call2(terms, DAE_FN_MIN, a, b)
                                          : dae_term_call2(terms, DAE_FN_MAX, a, b);
}

/* The value of e in one round; poison: reported. */
static DaeValue
value_of_round(DaeReader *reader, const DaeLoopPlaces *places)
{
  uint32_t base = reader->stack->len;
  uint32_t cases = reader->cases.n_runs;
  bool good = true;
  reader->cases.n_runs = 0; /* what is known in a round only has no cases outside of it */
  for (uint32_t pc = places->body; good && pc < places->end;) {
    good = dae_reader_step(reader, &pc);
  }
  reader->cases.n_runs = cases;
  DaeValue value = dae_value_poison();
  if (good) {
    DAE_ASSERT(reader->stack->len == base + 1);
    value = g_array_index(reader->stack, DaeValue, base);
    dae_chain_finish(reader, &value);
  }
  g_array_set_size(reader->stack, base);
  return value;
}

bool
dae_loop_reduce_round(Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  DaeValue value = value_of_round(reader, places);
  if (value.type == DAE_VALUE_POISON) {
    return false;
  }
  bool fits = (value.type == DAE_VALUE_REAL || value.type == DAE_VALUE_INTEGER) &&
              !value.opaque && (value.n_dims == 0 || places->reduction == reductions[OF_SUM]);
  if (!fits) {
    dae_source_unsupported(reader->source, places->pos,
                           "%s over a range whose end is known only at run time, of %s,",
                           places->reduction, dae_value_type_text(&value));
    return false;
  }
  dae_unset_settle(reader, &value, NULL, true, places->pos);
  trace->gathered = trace->slots->len;
  for (uint32_t k = 0; k < value.count; k++) {
    DaeTerm first = begin_with(reader, places->reduction, value.type);
    uint32_t at = dae_trace_add_slot(trace, (uint8_t)value.type, first);
    Slot *slot = slot_at(trace, at);
    slot->next =
        joined(reader->terms, places->reduction, slot->formal, dae_value_element(&value, k));
  }
  *places->result = value;
  return true;
}

void
dae_loop_take_reduction(const Trace *trace, const DaeLoopPlaces *places)
{
  DaeReader *reader = trace->reader;
  DaeValue *result = places->result;
  if (result->n_dims == 0) {
    *result = dae_value_scalar(result->type, slot_at(trace, trace->gathered)->next);
    return;
  }
  DaeTerm *data = dae_value_new_data(reader, MAX(result->count, 1u));
  for (uint32_t k = 0; k < result->count; k++) {
    data[k] = slot_at(trace, trace->gathered + k)->next;
  }
  *result =
      dae_value_array(reader, result->type, result->n_dims, result->dims, data, result->count);
}

bool
dae_loop_reduce(DaeReader *reader, const DaeValue *range, uint32_t loop, DaeValue *result)
{
  const DaeInstruction *instruction = dae_syntax_code(reader->syntax, loop);
  DaeLoopPlaces places = {.body = loop + 2,
                          .end = loop + instruction->arg - 1,
                          .pos = instruction->pos,
                          .iterator = instruction[1].arg,
                          .reduction = reduction_of(reader, instruction),
                          .result = result};
  DAE_ASSERT(places.reduction != NULL);
  return dae_loop_take_range(reader, range, &places) && dae_loop_run(reader, &places);
}
