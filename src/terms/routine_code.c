/* Code of routines: the DAG of their terms as steps on registers.
 *
 * The condition is computed before `next` and before the outputs, always for the states of that
 * moment: both find its values in their registers. All operations are done, those of branches
 * that are not taken as well; what is undefined is NaN and chosen by nobody. */
#include <math.h>

#include "terms/routine-code.h"

/* ---- library ----------------------------------------------------------------------------- */

static void
free_code(gpointer data)
{
  DaeRoutineCode *code = data;
  if (code == NULL) {
    return;
  }
  g_free(code->constants);
  g_free(code->steps);
  g_free(code->initial);
  g_free(code->next);
  g_free(code->outputs);
  g_free(code->lists);
  g_free((void *)code->callees);
  for (uint32_t i = 0; i < code->n_data; i++) {
    g_free(code->data[i].values);
  }
  g_free(code->data);
  g_free(code);
}

void
dae_routine_library_unref(DaeRoutineLibrary *library)
{
  if (g_atomic_int_dec_and_test(&library->references)) {
    g_ptr_array_free(library->codes, TRUE);
    g_free(library);
  }
}

const DaeRoutineCode *
dae_routine_code_ref(const DaeRoutineCode *code)
{
  g_atomic_int_inc(&code->library->references);
  return code;
}

void
dae_routine_code_unref(const DaeRoutineCode *code)
{
  if (code != NULL) {
    dae_routine_library_unref(code->library);
  }
}

uint32_t
dae_routine_code_n_inputs(const DaeRoutineCode *code)
{
  return code->n_inputs;
}

uint32_t
dae_routine_code_n_outputs(const DaeRoutineCode *code)
{
  return code->n_outputs;
}

/* ---- from terms -------------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  DaeRoutineCode *code;
  DaeMemo registers; /* by term: register + 1 */
  GArray *constants; /* double */
  GArray *steps;
  GArray *lists;     /* uint32_t */
  GArray *callees;   /* uint32_t: numbers */
  GArray *data;      /* DaeRoutineData */
  GArray *made;      /* DaeTerm: since the part began */
  GHashTable *calls; /* the first term with these arguments -> register of output 0 + 1 */
} Coder;

/* Constants get their places when their number is known: until then their
 * registers are counted from the top. */
#define CONSTANT_BIT 0x80000000u

static uint32_t
register_of(const Coder *c, DaeTerm t)
{
  uint32_t at = dae_memo_get(&c->registers, t);
  DAE_ASSERT(at != 0);
  return at - 1;
}

static void
set_register(Coder *c, DaeTerm t, uint32_t at)
{
  dae_memo_set(&c->registers, t, at + 1);
  g_array_append_val(c->made, t);
}

static uint32_t
add_constant(Coder *c, double value)
{
  g_array_append_val(c->constants, value);
  return (c->constants->len - 1) | CONSTANT_BIT;
}

static uint32_t
add_step(Coder *c, DaeStepKind kind, uint8_t fn, uint32_t a, uint32_t b, uint32_t d)
{
  DaeRoutineStep step = {.kind = (uint8_t)kind, .fn = fn, .a = a, .b = b, .c = d};
  step.to = c->code->n_registers++;
  g_array_append_val(c->steps, step);
  return step.to;
}

static uint32_t
code_chain(Coder *c, DaeStepKind kind, const DaeTerm *u, uint32_t n)
{
  uint32_t at = register_of(c, u[0]);
  for (uint32_t i = 1; i < n; i++) {
    at = add_step(c, kind, 0, at, register_of(c, u[i]), 0);
  }
  return at;
}

static uint32_t
code_power(Coder *c, const DaeTerm *u)
{
  int64_t exponent = 0;
  uint32_t base = register_of(c, u[0]);
  if (dae_term_get_int64(c->terms, u[1], &exponent) && exponent >= -1000000 &&
      exponent <= 1000000) {
    uint64_t size = (uint64_t)(exponent < 0 ? -exponent : exponent);
    uint32_t power =
        size == 1 ? base : add_step(c, DAE_STEP_INTEGER, 0, base, 0, (uint32_t)size);
    return exponent < 0 ? add_step(c, DAE_STEP_DIVIDE, 0, power, 0, 0) : power;
  }
  if (u[1] == dae_term_ratio(c->terms, 1, 2)) {
    return add_step(c, DAE_STEP_ROOT, 0, base, 0, 0);
  }
  return add_step(c, DAE_STEP_POWER, 0, base, register_of(c, u[1]), 0);
}

static uint32_t
add_list(Coder *c, const DaeTerm *u, uint32_t n)
{
  uint32_t first = c->lists->len;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = register_of(c, u[i]);
    g_array_append_val(c->lists, at);
  }
  return first;
}

static uint32_t
callee_index(Coder *c, uint32_t number)
{
  for (uint32_t i = 0; i < c->callees->len; i++) {
    if (g_array_index(c->callees, uint32_t, i) == number) {
      return i;
    }
  }
  g_array_append_val(c->callees, number);
  return c->callees->len - 1;
}

/* Outputs of one call are next to each other; the call is made once for
 * those with the same arguments. */
static uint32_t
code_routine(Coder *c, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  uint32_t number = 0;
  uint32_t k = 0;
  dae_term_get_routine(c->terms, t, &number, &k);
  DaeList key;
  dae_list_init(&key);
  dae_list_append(&key, u, n);
  key.data[1] = c->terms->zero;
  DaeTerm first = dae_term_call(c->terms, DAE_FN_ROUTINE, key.data, key.n);
  dae_list_clear(&key);
  uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(c->calls, GUINT_TO_POINTER(first)));
  if (known != 0) {
    return known - 1 + k;
  }
  uint32_t list = add_list(c, u + 2, n - 2);
  uint32_t at = add_step(c, DAE_STEP_CALL, 0, callee_index(c, number), list, 0);
  c->code->n_registers += dae_routine_entry(c->terms, number)->parts.n_outputs - 1;
  g_hash_table_insert(c->calls, GUINT_TO_POINTER(first), GUINT_TO_POINTER(at + 1));
  return at + k;
}

static uint32_t
code_data(Coder *c, DaeTerm t, DaeFunction f, uint32_t at)
{
  uint32_t number = 0;
  DaeRoutineData data = {.n = 0};
  const double *values = dae_term_data(c->terms, t, &number, &data.n);
  data.values = g_memdup2(values, data.n * sizeof(double));
  g_array_append_val(c->data, data);
  return add_step(c, f == DAE_FN_LOOKUP ? DAE_STEP_LOOKUP : DAE_STEP_INTERVAL, 0, at,
                  c->data->len - 1, 0);
}

static uint32_t
code_call(Coder *c, DaeTerm t, const DaeTerm *u, uint32_t n)
{
  DaeFunction f = dae_term_function(c->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(f);
  if (facts->kind == DAE_CLASS_MARK) {
    return register_of(c, u[facts->value_operand]);
  }
  switch ((int)f) {
  case DAE_FN_PI:
    return add_constant(c, G_PI);
  case DAE_FN_ROUTINE:
    return code_routine(c, t, u, n);
  case DAE_FN_INTERVAL:
  case DAE_FN_LOOKUP:
    return code_data(c, t, f, register_of(c, u[1]));
  case DAE_FN_SELECT: {
    uint32_t list = add_list(c, u + 1, n - 1);
    return add_step(c, DAE_STEP_ELEMENT, 0, register_of(c, u[0]), list, n - 1);
  }
  default:
    DAE_ASSERT(facts->value != NULL);
    return add_step(c, DAE_STEP_FUNCTION, (uint8_t)f, register_of(c, u[0]),
                    n > 1 ? register_of(c, u[1]) : 0, n > 2 ? register_of(c, u[2]) : 0);
  }
}

static bool
coder_ready(void *self, DaeTerm t)
{
  return dae_memo_get(&((Coder *)self)->registers, t) != 0;
}

static void
coder_compute(void *self, DaeTerm t)
{
  Coder *c = self;
  uint32_t n = 0;
  uint32_t at = 0;
  const DaeTerm *u = dae_term_operands(c->terms, t, &n);
  switch (dae_term_kind(c->terms, t)) {
  case DAE_KIND_NUMBER:
    at = add_constant(c, dae_term_get_double(c->terms, t));
    break;
  case DAE_KIND_BOOLEAN:
    at = add_constant(c, dae_term_get_bool(c->terms, t) ? 1.0 : 0.0);
    break;
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    dae_internal_error(__FILE__, __LINE__, "a routine is closed");
  case DAE_KIND_SUM:
    at = code_chain(c, DAE_STEP_ADD, u, n);
    break;
  case DAE_KIND_PRODUCT:
    at = code_chain(c, DAE_STEP_MULTIPLY, u, n);
    break;
  case DAE_KIND_POWER:
    at = code_power(c, u);
    break;
  case DAE_KIND_CALL:
    at = code_call(c, t, u, n);
    break;
  case DAE_KIND_IF:
    at = add_step(c, DAE_STEP_CHOOSE, 0, register_of(c, u[0]), register_of(c, u[1]),
                  register_of(c, u[2]));
    break;
  case DAE_KIND_RELATION:
    at = add_step(c, DAE_STEP_RELATION, (uint8_t)dae_term_relation_op(c->terms, t),
                  register_of(c, u[0]), register_of(c, u[1]), 0);
    break;
  case DAE_KIND_AND:
    at = code_chain(c, DAE_STEP_AND, u, n);
    break;
  case DAE_KIND_OR:
    at = code_chain(c, DAE_STEP_OR, u, n);
    break;
  case DAE_KIND_NOT:
    at = add_step(c, DAE_STEP_NOT, 0, register_of(c, u[0]), 0, 0);
    break;
  }
  set_register(c, t, at);
}

/* Operands that are numbers of routines, outputs and data get no registers. */
static const DaeTerm *
coder_operands(void *self, DaeTerm t, uint32_t *n)
{
  const Coder *c = self;
  const DaeTerm *u = dae_term_operands(c->terms, t, n);
  if (dae_term_kind(c->terms, t) != DAE_KIND_CALL) {
    return u;
  }
  uint32_t skip = dae_function_facts(dae_term_function(c->terms, t))->n_fixed;
  *n -= skip;
  return u + skip;
}

static uint32_t
code_term(Coder *c, DaeTerm t)
{
  DaeWalk walk = {
      .ready = coder_ready, .operands = coder_operands, .compute = coder_compute, .self = c};
  dae_walk(c->terms, t, &walk);
  return register_of(c, t);
}

static uint32_t *
code_terms(Coder *c, const DaeTerm *list, uint32_t n)
{
  uint32_t *registers = g_new(uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    registers[i] = code_term(c, list[i]);
  }
  return registers;
}

/* What was computed since the part began holds no longer. Constants do. */
static void
forget_part(Coder *c)
{
  for (uint32_t i = 0; i < c->made->len; i++) {
    DaeTerm t = g_array_index(c->made, DaeTerm, i);
    if ((register_of(c, t) & CONSTANT_BIT) == 0) {
      dae_memo_set(&c->registers, t, 0);
    }
  }
  g_hash_table_remove_all(c->calls);
}

static void
place(uint32_t n_constants, uint32_t *at)
{
  *at = (*at & CONSTANT_BIT) != 0 ? *at & ~CONSTANT_BIT : *at + n_constants;
}

static void
place_all(uint32_t n_constants, uint32_t *list, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    place(n_constants, &list[i]);
  }
}

static void
place_step(uint32_t n_constants, DaeRoutineStep *step)
{
  place(n_constants, &step->to);
  switch ((DaeStepKind)step->kind) {
  case DAE_STEP_FUNCTION:
  case DAE_STEP_CHOOSE:
    place(n_constants, &step->a);
    place(n_constants, &step->b);
    place(n_constants, &step->c);
    break;
  case DAE_STEP_ADD:
  case DAE_STEP_MULTIPLY:
  case DAE_STEP_POWER:
  case DAE_STEP_RELATION:
  case DAE_STEP_AND:
  case DAE_STEP_OR:
    place(n_constants, &step->a);
    place(n_constants, &step->b);
    break;
  case DAE_STEP_DIVIDE:
  case DAE_STEP_INTEGER:
  case DAE_STEP_ROOT:
  case DAE_STEP_NOT:
  case DAE_STEP_ELEMENT:
  case DAE_STEP_INTERVAL:
  case DAE_STEP_LOOKUP:
    place(n_constants, &step->a);
    break;
  case DAE_STEP_CALL:
    break;
  }
}

static void
finish_code(Coder *c)
{
  DaeRoutineCode *code = c->code;
  uint32_t n = c->constants->len;
  code->n_constants = n;
  code->n_registers += n;
  code->n_steps = c->steps->len;
  for (uint32_t i = 0; i < c->steps->len; i++) {
    place_step(n, &g_array_index(c->steps, DaeRoutineStep, i));
  }
  place_all(n, (uint32_t *)(void *)c->lists->data, c->lists->len);
  place_all(n, code->initial, code->n_states);
  place_all(n, code->next, code->n_states);
  place_all(n, code->outputs, code->n_outputs);
  place(n, &code->condition);
  code->constants = (double *)(void *)g_array_free(c->constants, FALSE);
  code->steps = (DaeRoutineStep *)(void *)g_array_free(c->steps, FALSE);
  code->lists = (uint32_t *)(void *)g_array_free(c->lists, FALSE);
  code->n_data = c->data->len;
  code->data = (DaeRoutineData *)(void *)g_array_free(c->data, FALSE);
  code->n_callees = c->callees->len;
  code->callees = g_new0(const DaeRoutineCode *, (size_t)c->callees->len + 1);
  dae_memo_clear(&c->registers);
  g_array_free(c->made, TRUE);
  g_hash_table_destroy(c->calls);
}

/* callees: the numbers of the routines it calls; (transfer full). */
static DaeRoutineCode *
make_code(DaeTerms *terms, uint32_t number, GArray **callees)
{
  const DaeRoutine r = *dae_terms_routine(terms, number);
  DaeRoutineCode *code = g_new0(DaeRoutineCode, 1);
  *code = (DaeRoutineCode){.library = terms->routine_codes,
                           .n_inputs = r.n_inputs,
                           .n_states = r.n_states,
                           .n_outputs = r.n_outputs,
                           .n_registers = r.n_inputs + r.n_states};
  Coder c = {.terms = terms,
             .code = code,
             .constants = g_array_new(FALSE, FALSE, sizeof(double)),
             .steps = g_array_new(FALSE, FALSE, sizeof(DaeRoutineStep)),
             .lists = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
             .callees = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
             .data = g_array_new(FALSE, FALSE, sizeof(DaeRoutineData)),
             .made = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
             .calls = g_hash_table_new(NULL, NULL)};
  for (uint32_t i = 0; i < r.n_inputs + r.n_states; i++) {
    dae_memo_set(&c.registers, r.inputs[i], i + 1);
  }
  const DaeMethod *method = dae_terms_routine_method(terms, number);
  if (method != NULL) {
    code->is_method = true;
    code->method = *method;
    code->outputs = g_new0(uint32_t, r.n_outputs + 1);
    *callees = c.callees;
    finish_code(&c);
    return code;
  }
  code->initial = code_terms(&c, r.initial, r.n_states);
  code->initial_end = c.steps->len;
  code->condition = r.n_states > 0 ? code_term(&c, r.condition) : 0;
  code->condition_end = c.steps->len;
  g_array_set_size(c.made, 0);
  g_autoptr(GHashTable) before = g_steal_pointer(&c.calls);
  c.calls = g_hash_table_new(NULL, NULL);
  code->next = code_terms(&c, r.next, r.n_states);
  code->next_end = c.steps->len;
  forget_part(&c);
  code->outputs = code_terms(&c, r.outputs, r.n_outputs);
  *callees = c.callees;
  finish_code(&c);
  return code;
}

static DaeRoutineCode *
code_at(const DaeTerms *terms, uint32_t number)
{
  const GPtrArray *codes = terms->routine_codes->codes;
  return number < codes->len ? g_ptr_array_index(codes, number) : NULL;
}

/* The code of it and of all that it calls. */
static void
make_codes(DaeTerms *terms, uint32_t number)
{
  g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GPtrArray) called = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  g_array_append_val(queue, number);
  for (uint32_t i = 0; i < queue->len; i++) {
    uint32_t at = g_array_index(queue, uint32_t, i);
    GArray *callees = NULL;
    if (code_at(terms, at) != NULL) {
      g_ptr_array_add(called, g_array_new(FALSE, FALSE, sizeof(uint32_t)));
      continue;
    }
    DaeRoutineCode *code = make_code(terms, at, &callees);
    GPtrArray *codes = terms->routine_codes->codes;
    if (at >= codes->len) {
      g_ptr_array_set_size(codes, (int)at + 1);
    }
    g_ptr_array_index(codes, at) = code;
    g_ptr_array_add(called, callees);
    g_array_append_vals(queue, callees->data, callees->len);
  }
  for (uint32_t i = 0; i < queue->len; i++) {
    DaeRoutineCode *code = code_at(terms, g_array_index(queue, uint32_t, i));
    const GArray *callees = g_ptr_array_index(called, i);
    for (uint32_t k = 0; k < callees->len; k++) {
      code->callees[k] = code_at(terms, g_array_index(callees, uint32_t, k));
    }
  }
}

const DaeRoutineCode *
dae_terms_routine_code(DaeTerms *terms, uint32_t number)
{
  if (terms->routine_codes == NULL) {
    terms->routine_codes = g_new0(DaeRoutineLibrary, 1);
    terms->routine_codes->references = 1;
    terms->routine_codes->codes = g_ptr_array_new_with_free_func(free_code);
  }
  if (code_at(terms, number) == NULL) {
    make_codes(terms, number);
  }
  return code_at(terms, number);
}
