/* Routines in balls: the loop is followed as long as its condition is decided;
 * otherwise there is no value.
 *
 * The values are those of the routine over the real numbers, without rounding. In a box (all
 * operands move) the same way through all loops and branches is decided for all of its points,
 * so that the routine is smooth there. */
#include "algebra/algebra-priv.h"

#include "terms/routines.h"

enum {
  MOST_ROUNDS = 5000, /* of all loops of one question */
  MOST_DEPTH = 40     /* calls inside calls */
};

typedef struct {
  DaePlan *initial, *condition, *next, *outputs;
  GHashTable *index; /* formal -> place + 1 */
} Plans;

static void
free_plans(gpointer data)
{
  Plans *plans = data;
  dae_plan_free(plans->initial);
  dae_plan_free(plans->condition);
  dae_plan_free(plans->next);
  dae_plan_free(plans->outputs);
  g_hash_table_unref(plans->index);
  g_free(plans);
}

static const Plans *
plans_of(DaeAlgebra *algebra, uint32_t number, const DaeRoutine *r)
{
  DaeTerms *terms = algebra->terms;
  if (algebra->routines == NULL) {
    algebra->routines = g_hash_table_new_full(NULL, NULL, NULL, free_plans);
  }
  Plans *plans = g_hash_table_lookup(algebra->routines, GUINT_TO_POINTER(number + 1));
  if (plans != NULL) {
    return plans;
  }
  plans = g_new0(Plans, 1);
  plans->index = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < r->n_inputs + r->n_states; i++) {
    g_hash_table_insert(plans->index, GUINT_TO_POINTER(r->inputs[i]), GUINT_TO_POINTER(i + 1));
  }
  if (r->n_states > 0) {
    DaeTerm condition =
        dae_term_if(terms, r->condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
    plans->condition = dae_plan_new(algebra, &condition, 1, NULL);
    plans->initial = dae_plan_new(algebra, r->initial, r->n_states, NULL);
    plans->next = dae_plan_new(algebra, r->next, r->n_states, NULL);
  }
  plans->outputs = dae_plan_new(algebra, r->outputs, r->n_outputs, NULL);
  g_hash_table_insert(algebra->routines, GUINT_TO_POINTER(number + 1), plans);
  return plans;
}

/* values: inputs, then states. */
static bool
run_loop(DaeAlgebra *algebra, const DaeRoutine *r, const Plans *plans, arb_ptr values,
         bool is_box, slong precision)
{
  DaeBallBinding binding = {.atoms = r->inputs,
                            .values = values,
                            .n = r->n_inputs,
                            .index = is_box ? plans->index : NULL};
  arb_ptr fresh = _arb_vec_init(r->n_states + 1);
  bool ok =
      dae_ball_eval_bound(algebra, plans->initial, r->n_states, &binding, precision, fresh);
  bool goes_on = ok;
  binding.n = (size_t)r->n_inputs + r->n_states;
  while (goes_on) {
    _arb_vec_set(values + r->n_inputs, fresh, r->n_states);
    ok = ++algebra->routine_rounds <= MOST_ROUNDS && !dae_algebra_spent(algebra) &&
         dae_ball_eval_bound(algebra, plans->condition, 1, &binding, precision, fresh) &&
         arb_is_exact(fresh);
    goes_on = ok && !arb_is_zero(fresh);
    if (goes_on) {
      ok = dae_ball_eval_bound(algebra, plans->next, r->n_states, &binding, precision, fresh);
      goes_on = ok;
    }
  }
  _arb_vec_clear(fresh, r->n_states + 1);
  return ok;
}

bool
dae_ball_routine(DaeAlgebra *algebra, DaeTerm call, arb_srcptr arguments, bool is_box,
                 slong precision, arb_t out)
{
  uint32_t number = 0;
  uint32_t k = 0;
  dae_term_get_routine(algebra->terms, call, &number, &k);
  if (algebra->routine_depth >= MOST_DEPTH) {
    return false;
  }
  const DaeRoutine r = *dae_terms_routine(algebra->terms, number);
  const Plans *plans = plans_of(algebra, number, &r);
  uint32_t n = r.n_inputs + r.n_states;
  arb_ptr values = _arb_vec_init(n);
  arb_ptr results = _arb_vec_init(r.n_outputs);
  _arb_vec_set(values, arguments, r.n_inputs);
  algebra->routine_rounds = algebra->routine_depth == 0 ? 0 : algebra->routine_rounds;
  algebra->routine_depth++;
  DaeBallBinding binding = {
      .atoms = r.inputs, .values = values, .n = n, .index = is_box ? plans->index : NULL};
  bool ok =
      (r.n_states == 0 || run_loop(algebra, &r, plans, values, is_box, precision)) &&
      dae_ball_eval_bound(algebra, plans->outputs, r.n_outputs, &binding, precision, results);
  algebra->routine_depth--;
  arb_set(out, results + k);
  _arb_vec_clear(values, n);
  _arb_vec_clear(results, r.n_outputs);
  return ok;
}
