/* Routines in balls: the loop is followed as long as its condition is decided; otherwise there
 * is no value.
 *
 * The values are those of the routine over the real numbers, without rounding. In a box (all
 * operands move) the same way through all loops and branches is decided for all of its points,
 * so that the routine is smooth there.
 *
 * A call has 0 in place of arguments that its output does not depend on, so only outputs with
 * the same arguments are computed together, and of the states only those that they need: the
 * others may have no value there. The values of the last call are kept, because other outputs
 * of it follow. */
#include "algebra/algebra-priv.h"

#include "terms/routines.h"

enum {
  MOST_ROUNDS = 5000, /* of all loops of one question */
  MOST_DEPTH = 40     /* calls inside calls */
};

/* Outputs that depend on the same inputs. */
typedef struct {
  DaePlan *initial, *condition, *next, *outputs;
  uint32_t *states; /* those needed */
  uint32_t n_states;
  uint32_t *place; /* of each output among those of the slice; UINT32_MAX: not in it */
  uint32_t n_outputs;
  arb_ptr arguments, results; /* of the last call; NULL: none */
  slong precision;
  bool is_box, is_good;
} Slice;

typedef struct {
  uint32_t n, n_inputs;
  Slice **slices;    /* by the first output in it; NULL: not made yet */
  GHashTable *index; /* formal -> place + 1 */
} Slices;

static void
free_slice(Slice *slice, uint32_t n_inputs)
{
  if (slice == NULL) {
    return;
  }
  dae_plan_free(slice->initial);
  dae_plan_free(slice->condition);
  dae_plan_free(slice->next);
  dae_plan_free(slice->outputs);
  g_free(slice->states);
  g_free(slice->place);
  if (slice->results != NULL) {
    _arb_vec_clear(slice->arguments, n_inputs);
    _arb_vec_clear(slice->results, slice->n_outputs);
  }
  g_free(slice);
}

static void
free_slices(gpointer data)
{
  Slices *slices = data;
  for (uint32_t k = 0; k < slices->n; k++) {
    free_slice(slices->slices[k], slices->n_inputs);
  }
  g_free(slices->slices);
  g_hash_table_unref(slices->index);
  g_free(slices);
}

static Slices *
slices_of(DaeAlgebra *algebra, uint32_t number, const DaeRoutine *r)
{
  if (algebra->routines == NULL) {
    algebra->routines = g_hash_table_new_full(NULL, NULL, NULL, free_slices);
  }
  Slices *slices = g_hash_table_lookup(algebra->routines, GUINT_TO_POINTER(number + 1));
  if (slices != NULL) {
    return slices;
  }
  slices = g_new0(Slices, 1);
  slices->n = r->n_outputs;
  slices->n_inputs = r->n_inputs;
  slices->slices = g_new0(Slice *, r->n_outputs + 1);
  slices->index = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < r->n_inputs + r->n_states; i++) {
    g_hash_table_insert(slices->index, GUINT_TO_POINTER(r->inputs[i]), GUINT_TO_POINTER(i + 1));
  }
  g_hash_table_insert(algebra->routines, GUINT_TO_POINTER(number + 1), slices);
  return slices;
}

/* ---- slices ------------------------------------------------------------------------------ */

static bool
same_inputs(const DaeTerms *terms, uint32_t number, const DaeRoutine *r, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < r->n_inputs; i++) {
    if (dae_terms_routine_depends(terms, number, a, i) !=
        dae_terms_routine_depends(terms, number, b, i)) {
      return false;
    }
  }
  return true;
}

/* Marks the states in t and appends them. */
static void
need_states(DaeAlgebra *algebra, const Slices *slices, const DaeRoutine *r, DaeTerm t,
            bool *is_needed, GArray *needed)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(algebra->terms, t, atoms);
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(slices->index, GUINT_TO_POINTER(atom)));
    if (at > r->n_inputs && !is_needed[at - 1 - r->n_inputs]) {
      uint32_t state = at - 1 - r->n_inputs;
      is_needed[state] = true;
      g_array_append_val(needed, state);
    }
  }
}

static DaePlan *
plan_states(DaeAlgebra *algebra, const Slice *slice, const DaeTerm *terms)
{
  g_autofree DaeTerm *roots = g_new(DaeTerm, slice->n_states + 1);
  for (uint32_t s = 0; s < slice->n_states; s++) {
    roots[s] = terms[slice->states[s]];
  }
  return dae_plan_new(algebra, roots, slice->n_states, NULL);
}

static void
plan_loop(DaeAlgebra *algebra, const Slices *slices, Slice *slice, const DaeRoutine *r,
          const GArray *outputs)
{
  DaeTerms *terms = algebra->terms;
  g_autofree bool *is_needed = g_new0(bool, r->n_states + 1);
  GArray *needed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  need_states(algebra, slices, r, r->condition, is_needed, needed);
  for (uint32_t k = 0; k < outputs->len; k++) {
    need_states(algebra, slices, r, g_array_index(outputs, DaeTerm, k), is_needed, needed);
  }
  for (uint32_t q = 0; q < needed->len; q++) {
    need_states(algebra, slices, r, r->next[g_array_index(needed, uint32_t, q)], is_needed,
                needed);
  }
  slice->n_states = needed->len;
  slice->states = (uint32_t *)(void *)g_array_free(needed, FALSE);
  DaeTerm condition =
      dae_term_if(terms, r->condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
  slice->condition = dae_plan_new(algebra, &condition, 1, NULL);
  slice->initial = plan_states(algebra, slice, r->initial);
  slice->next = plan_states(algebra, slice, r->next);
}

static Slice *
slice_of(DaeAlgebra *algebra, Slices *slices, uint32_t number, const DaeRoutine *r, uint32_t k)
{
  uint32_t first = 0;
  while (!same_inputs(algebra->terms, number, r, first, k)) {
    first++;
  }
  if (slices->slices[first] != NULL) {
    return slices->slices[first];
  }
  Slice *slice = g_new0(Slice, 1);
  g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  slice->place = g_new(uint32_t, r->n_outputs);
  for (uint32_t q = 0; q < r->n_outputs; q++) {
    bool is_in = same_inputs(algebra->terms, number, r, q, k);
    slice->place[q] = is_in ? outputs->len : UINT32_MAX;
    if (is_in) {
      g_array_append_val(outputs, r->outputs[q]);
    }
  }
  slice->n_outputs = outputs->len;
  if (r->n_states > 0) {
    plan_loop(algebra, slices, slice, r, outputs);
  }
  slice->outputs =
      dae_plan_new(algebra, (const DaeTerm *)(const void *)outputs->data, outputs->len, NULL);
  slices->slices[first] = slice;
  return slice;
}

/* ---- running ----------------------------------------------------------------------------- */

/* Is a budget used up, so that a value that is missing tells nothing about the call? */
static bool
is_spent(DaeAlgebra *algebra)
{
  return algebra->routine_left < 0 || algebra->routine_rounds > MOST_ROUNDS ||
         (algebra->ball_limit > 0 && algebra->ball_nodes > algebra->ball_limit) ||
         dae_algebra_spent(algebra);
}

static bool
eval_plan(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n, const DaeBallBinding *binding,
          slong precision, arb_ptr values)
{
  algebra->routine_left -= plan->n * (1.0 + (double)precision / 256.0);
  return !is_spent(algebra) &&
         dae_ball_eval_bound(algebra, plan, n, binding, precision, values);
}

/* values: inputs, then states. */
static bool
run_loop(DaeAlgebra *algebra, const DaeRoutine *r, const Slice *slice, DaeBallBinding *binding,
         arb_ptr values, slong precision)
{
  arb_ptr fresh = _arb_vec_init(slice->n_states + 1);
  bool ok = eval_plan(algebra, slice->initial, slice->n_states, binding, precision, fresh);
  bool goes_on = ok;
  binding->n = (size_t)r->n_inputs + r->n_states;
  while (goes_on) {
    for (uint32_t s = 0; s < slice->n_states; s++) {
      arb_set(values + r->n_inputs + slice->states[s], fresh + s);
    }
    algebra->routine_rounds++;
    ok = eval_plan(algebra, slice->condition, 1, binding, precision, fresh) &&
         arb_is_exact(fresh);
    goes_on = ok && !arb_is_zero(fresh);
    if (goes_on) {
      ok = eval_plan(algebra, slice->next, slice->n_states, binding, precision, fresh);
      goes_on = ok;
    }
  }
  _arb_vec_clear(fresh, slice->n_states + 1);
  return ok;
}

static bool
is_last_call(const Slice *slice, arb_srcptr arguments, uint32_t n, bool is_box, slong precision)
{
  bool same =
      slice->results != NULL && slice->is_box == is_box && slice->precision == precision;
  for (uint32_t i = 0; i < n && same; i++) {
    same = arb_equal(slice->arguments + i, arguments + i);
  }
  return same;
}

/* A call that failed for want of budget is not kept. */
static void
keep_call(DaeAlgebra *algebra, Slice *slice, arb_srcptr arguments, uint32_t n,
          arb_srcptr results)
{
  if (is_spent(algebra)) {
    return;
  }
  if (slice->results == NULL) {
    slice->arguments = _arb_vec_init(n);
    slice->results = _arb_vec_init(slice->n_outputs);
  }
  _arb_vec_set(slice->arguments, arguments, n);
  _arb_vec_set(slice->results, results, slice->n_outputs);
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
  Slices *slices = slices_of(algebra, number, &r);
  Slice *slice = slice_of(algebra, slices, number, &r, k);
  if (is_last_call(slice, arguments, r.n_inputs, is_box, precision)) {
    arb_set(out, slice->results + slice->place[k]);
    return slice->is_good;
  }
  uint32_t n = r.n_inputs + r.n_states;
  arb_ptr values = _arb_vec_init(n);
  arb_ptr results = _arb_vec_init(slice->n_outputs);
  _arb_vec_set(values, arguments, r.n_inputs);
  if (algebra->routine_depth == 0) {
    algebra->routine_rounds = 0;
    algebra->routine_left = algebra->is_asked ? algebra->routine_left : DAE_WORK_ROUTINE_POINT;
  }
  algebra->routine_depth++;
  DaeBallBinding binding = {.atoms = r.inputs,
                            .values = values,
                            .n = r.n_inputs,
                            .index = is_box ? slices->index : NULL};
  bool ok = (r.n_states == 0 || run_loop(algebra, &r, slice, &binding, values, precision)) &&
            eval_plan(algebra, slice->outputs, slice->n_outputs, &binding, precision, results);
  algebra->routine_depth--;
  slice->is_box = is_box;
  slice->precision = precision;
  slice->is_good = ok;
  keep_call(algebra, slice, arguments, r.n_inputs, results);
  arb_set(out, results + slice->place[k]);
  _arb_vec_clear(values, n);
  _arb_vec_clear(results, slice->n_outputs);
  return ok;
}
