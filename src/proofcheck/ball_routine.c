/* Elements whose number varies, tables, and functions with loops, for the checker: a loop is gone
 * round by round as long as the balls decide its condition, with derivatives carried along. The
 * same rounds and branches are then gone in all points of the balls. */
#include "proofcheck/ball_walk.h"
#include "terms/routines.h"

enum {
  MOST_ROUNDS = 5000, /* of loops, and calls, of one call and all inside of it */
  MOST_DEPTH = 30     /* calls inside calls: both branches of a recursion are gone */
};

static const Value *
operand_value(const Walk *walk, DaeTerm t)
{
  return g_hash_table_lookup(walk->memo, GUINT_TO_POINTER(t));
}

/* A whole number between 1 and n that is all of the ball; 0: it is none. */
static slong
element_number(const Value *value, uint32_t n)
{
  if (value == NULL || value->state != STATE_NUMBER || !arb_is_int(value->value) ||
      arf_cmp_si(arb_midref(value->value), 1) < 0 ||
      arf_cmp_si(arb_midref(value->value), (slong)n) > 0) {
    return 0;
  }
  return arf_get_si(arb_midref(value->value), ARF_RND_NEAR);
}

static void
select_value(const Walk *walk, const DaeTerm *operands, uint32_t n, Value *out)
{
  slong k = n < 2 ? 0 : element_number(operand_value(walk, operands[0]), n - 1);
  if (k == 0) {
    out->state = STATE_BAD;
  } else {
    dae_ball_value_copy(walk, operand_value(walk, operands[k]), out);
  }
}

/* The number of elements, the last one left out, that are at most u: the same for all of the
 * ball. */
static bool
count_below(const double *data, uint32_t n, const arb_t u, uint32_t *count)
{
  bool is_decided = arb_is_finite(u);
  arb_t element;
  arb_init(element);
  *count = 0;
  for (uint32_t k = 0; k + 1 < n && is_decided; k++) {
    arb_set_d(element, data[k]);
    bool is_below = arb_le(element, u);
    is_decided = is_below || arb_gt(element, u) || k == 0;
    *count += is_below;
  }
  arb_clear(element);
  return is_decided;
}

static void
data_value(const Walk *walk, DaeTerm t, const DaeTerm *operands, Value *out)
{
  const DaeTerms *terms = walk->certifier->terms;
  uint32_t data = 0;
  uint32_t n = 0;
  uint32_t count = 0;
  const double *values = dae_term_data(terms, t, &data, &n);
  const Value *x = operand_value(walk, operands[1]);
  if (dae_term_function(terms, t) == DAE_FN_LOOKUP) {
    slong k = element_number(x, n);
    out->state = k == 0 ? STATE_BAD : STATE_NUMBER;
    if (k > 0) {
      arb_set_d(out->value, values[k - 1]);
    }
  } else if (x == NULL || x->state != STATE_NUMBER ||
             !count_below(values, n, x->value, &count)) {
    out->state = STATE_BAD;
  } else {
    arb_set_ui(out->value, MAX(count, 1));
  }
}

/* ---- routines ---------------------------------------------------------------------------- */

typedef struct {
  const Walk *outer;
  const DaeRoutine *routine;
  GHashTable *locals; /* formal -> Value */
  uint32_t *rounds;
} Run;

static void
inner_walk(const Run *run, Walk *walk)
{
  dae_ball_walk_init(walk, run->outer->certifier, run->outer->precision);
  walk->directions = run->outer->directions;
  walk->n_directions = run->outer->n_directions;
  walk->at_midpoint = run->outer->at_midpoint;
  walk->locals = run->locals;
  walk->depth = run->outer->depth + 1;
  walk->rounds = run->rounds;
}

/* The states become these terms, all at once. One without a value stays so: it may not be
 * needed. */
static void
set_states(const Run *run, Value **states, const DaeTerm *parts)
{
  const DaeRoutine *r = run->routine;
  Walk walk;
  inner_walk(run, &walk);
  g_autofree Value **fresh = g_new(Value *, r->n_states + 1);
  for (uint32_t s = 0; s < r->n_states; s++) {
    fresh[s] = dae_ball_value_new(&walk);
    dae_ball_value_copy(&walk, dae_ball_walk_value(&walk, parts[s]), fresh[s]);
  }
  for (uint32_t s = 0; s < r->n_states; s++) {
    if (states[s] != NULL) {
      dae_ball_value_free(&walk, states[s]);
    }
    states[s] = fresh[s];
    g_hash_table_insert(run->locals, GUINT_TO_POINTER(r->states[s]), fresh[s]);
  }
  dae_ball_walk_clear(&walk);
}

static State
goes_on(const Run *run)
{
  Walk walk;
  inner_walk(run, &walk);
  State state = dae_ball_truth(dae_ball_walk_value(&walk, run->routine->condition));
  dae_ball_walk_clear(&walk);
  return state;
}

static void
run_routine(const Run *run, uint32_t k, Value *out)
{
  const DaeRoutine *r = run->routine;
  g_autofree Value **states = g_new0(Value *, r->n_states + 1);
  State state = STATE_FALSE;
  if (r->n_states > 0) {
    set_states(run, states, r->initial);
    while ((state = goes_on(run)) == STATE_TRUE && ++*run->rounds <= MOST_ROUNDS) {
      set_states(run, states, r->next);
    }
  }
  Walk walk;
  inner_walk(run, &walk);
  if (state == STATE_FALSE) {
    dae_ball_value_copy(&walk, dae_ball_walk_value(&walk, r->outputs[k]), out);
  } else {
    out->state = STATE_BAD;
  }
  for (uint32_t s = 0; s < r->n_states; s++) {
    dae_ball_value_free(&walk, states[s]);
  }
  dae_ball_walk_clear(&walk);
}

static void
routine_value(const Walk *walk, DaeTerm t, const DaeTerm *operands, Value *out)
{
  uint32_t number = 0;
  uint32_t k = 0;
  uint32_t rounds = 0;
  uint32_t *all_rounds = walk->rounds != NULL ? walk->rounds : &rounds;
  dae_term_get_routine(walk->certifier->terms, t, &number, &k);
  if (walk->depth >= MOST_DEPTH || ++*all_rounds > MOST_ROUNDS) {
    out->state = STATE_BAD;
    return;
  }
  const DaeRoutine routine = *dae_terms_routine(walk->certifier->terms, number);
  g_autoptr(GHashTable) locals = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < routine.n_inputs; i++) {
    g_hash_table_insert(locals, GUINT_TO_POINTER(routine.inputs[i]),
                        (gpointer)operand_value(walk, operands[2 + i]));
  }
  Run run = {walk, &routine, locals, all_rounds};
  run_routine(&run, k, out);
}

bool
dae_ball_walk_special(const Walk *walk, DaeTerm t, Value *out)
{
  const DaeTerms *terms = walk->certifier->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  switch ((int)dae_term_function(terms, t)) {
  case DAE_FN_SELECT:
    select_value(walk, operands, n, out);
    return true;
  case DAE_FN_INTERVAL:
  case DAE_FN_LOOKUP:
    data_value(walk, t, operands, out);
    return true;
  case DAE_FN_ROUTINE:
    routine_value(walk, t, operands, out);
    return true;
  default:
    return false;
  }
}
