/* Functions of a point on a tape. A tape evaluates both branches of a choice: for an output
 * `if condition then a else b`, as a when-clause makes them, whose a runs routines (loops of the
 * user's functions), a stands on a tape of its own, the gate of its condition, and is evaluated
 * where the condition holds. */
#include "instant/instant-priv.h"

#include <math.h>
#include <stdlib.h>

struct DaePointGate {
  DaeTerm condition;
  GArray *places; /* uint32_t: outputs of the whole */
  GArray *terms;  /* DaeTerm: their values where the condition holds */
  DaePointFunctions functions;
};

static void
free_gate(gpointer data)
{
  DaePointGate *gate = data;
  g_array_free(gate->places, TRUE);
  g_array_free(gate->terms, TRUE);
  dae_point_functions_clear(&gate->functions);
  g_free(gate);
}

void
dae_point_functions_clear(DaePointFunctions *functions)
{
  dae_point_tape_free(functions->tape);
  free(functions->scratch);
  g_free(functions->out);
  g_clear_pointer(&functions->gates, g_ptr_array_unref);
  *functions = (DaePointFunctions){.tape = NULL};
}

/* ---- gates ------------------------------------------------------------------------------- */

enum { IS_CHEAP = 1, IS_COSTLY = 2 };

typedef struct {
  DaeTerms *terms;
  GHashTable *costs; /* term -> one of the above */
} Costs;

static unsigned
cost_of(const Costs *costs, DaeTerm t)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(costs->costs, GUINT_TO_POINTER(t)));
}

static bool
has_cost(void *self, DaeTerm t)
{
  return cost_of(self, t) != 0;
}

static void
add_cost(void *self, DaeTerm t)
{
  Costs *costs = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(costs->terms, t, &n);
  bool is_costly = dae_term_kind(costs->terms, t) == DAE_KIND_CALL &&
                   dae_term_function(costs->terms, t) == DAE_FN_ROUTINE;
  for (uint32_t i = 0; i < n && !is_costly; i++) {
    is_costly = cost_of(costs, operands[i]) == IS_COSTLY;
  }
  g_hash_table_insert(costs->costs, GUINT_TO_POINTER(t),
                      GUINT_TO_POINTER(is_costly ? IS_COSTLY : IS_CHEAP));
}

static bool
is_gated(Costs *costs, DaeTerm t)
{
  const DaeWalk walk = {.ready = has_cost, .compute = add_cost, .self = costs};
  if (dae_term_kind(costs->terms, t) != DAE_KIND_IF || !dae_term_has_call(costs->terms, t)) {
    return false;
  }
  dae_walk(costs->terms, t, &walk);
  return cost_of(costs, dae_term_operand(costs->terms, t, 0)) == IS_CHEAP &&
         cost_of(costs, dae_term_operand(costs->terms, t, 1)) == IS_COSTLY &&
         cost_of(costs, dae_term_operand(costs->terms, t, 2)) == IS_CHEAP;
}

/* Gates by their conditions in the order of the outputs: few, a when-clause has one. */
static DaePointGate *
gate_of(DaePointFunctions *functions, DaeTerm condition)
{
  if (functions->gates == NULL) {
    functions->gates = g_ptr_array_new_with_free_func(free_gate);
  }
  for (guint i = 0; i < functions->gates->len; i++) {
    DaePointGate *gate = g_ptr_array_index(functions->gates, i);
    if (gate->condition == condition) {
      return gate;
    }
  }
  DaePointGate *gate = g_new0(DaePointGate, 1);
  gate->condition = condition;
  gate->places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  gate->terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_ptr_array_add(functions->gates, gate);
  return gate;
}

/* What stays on the tape of all: the other branches, and the conditions of the gates behind. */
static GArray *
split(DaePointFunctions *functions, DaeTerms *terms, const DaeTerm *outputs, uint32_t n)
{
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  Costs costs = {terms, known};
  GArray *rest = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(rest, outputs, n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_gated(&costs, outputs[i])) {
      DaePointGate *gate = gate_of(functions, dae_term_operand(terms, outputs[i], 0));
      DaeTerm value = dae_term_operand(terms, outputs[i], 1);
      g_array_append_val(gate->places, i);
      g_array_append_val(gate->terms, value);
      g_array_index(rest, DaeTerm, i) = dae_term_operand(terms, outputs[i], 2);
    }
  }
  for (guint i = 0; functions->gates != NULL && i < functions->gates->len; i++) {
    const DaePointGate *gate = g_ptr_array_index(functions->gates, i);
    DaeTerm holds =
        dae_term_if(terms, gate->condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
    g_array_append_val(rest, holds);
  }
  return rest;
}

/* ---- tapes ------------------------------------------------------------------------------- */

static bool
init_tape(DaePointFunctions *functions, DaeInstant *instant, const GArray *outputs,
          GError **error)
{
  DaePointAtoms atoms = {instant->parts.unknowns, instant->n,
                         (const DaeTerm *)(void *)instant->atoms->data, instant->atoms->len};
  functions->tape = dae_point_tape_new(
      instant->terms, &atoms, (const DaeTerm *)(void *)outputs->data, outputs->len, error);
  if (functions->tape == NULL) {
    return false;
  }
  functions->scratch = dae_aligned_new0(dae_point_tape_scratch_size(functions->tape));
  functions->out = g_new0(double, outputs->len + 1);
  const DaeTapeCost cost = dae_point_tape_cost(functions->tape);
  functions->operations =
      (uint64_t)cost.adds + cost.multiplies + cost.divides + cost.calls + cost.square_roots;
  return true;
}

bool
dae_point_functions_init(DaePointFunctions *functions, DaeInstant *instant,
                         const DaeTerm *outputs, uint32_t n, GError **error)
{
  functions->n = n;
  g_autoptr(GArray) rest = split(functions, instant->terms, outputs, n);
  if (!init_tape(functions, instant, rest, error)) {
    return false;
  }
  for (guint i = 0; functions->gates != NULL && i < functions->gates->len; i++) {
    DaePointGate *gate = g_ptr_array_index(functions->gates, i);
    gate->functions.n = gate->terms->len;
    if (!init_tape(&gate->functions, instant, gate->terms, error)) {
      return false;
    }
  }
  return true;
}

static bool
eval_tape(DaeInstant *instant, DaePointFunctions *functions, double t, const double *x)
{
  dae_point_tape_set_segment(functions->tape, functions->scratch, instant->segment);
  instant->operations += functions->operations;
  return dae_point_tape_eval(functions->tape, functions->scratch, 1, &t, x, instant->xdot,
                             functions->out, NULL) == 0;
}

/* True: all outputs are numbers, those behind open gates as well. */
static bool
eval_gates(DaeInstant *instant, DaePointFunctions *functions, double t, const double *x)
{
  for (guint i = 0; i < functions->gates->len; i++) {
    DaePointGate *gate = g_ptr_array_index(functions->gates, i);
    if (functions->out[functions->n + i] == 0) {
      continue;
    }
    eval_tape(instant, &gate->functions, t, x);
    for (guint k = 0; k < gate->places->len; k++) {
      functions->out[g_array_index(gate->places, uint32_t, k)] = gate->functions.out[k];
    }
  }
  bool is_finite = true;
  for (uint32_t k = 0; k < functions->n && is_finite; k++) {
    is_finite = isfinite(functions->out[k]);
  }
  return is_finite;
}

bool
dae_point_functions_eval(DaeInstant *instant, DaePointFunctions *functions, double t,
                         const double *x)
{
  if (functions->n == 0) {
    return true;
  }
  bool is_finite = eval_tape(instant, functions, t, x);
  return functions->gates == NULL ? is_finite : eval_gates(instant, functions, t, x);
}
