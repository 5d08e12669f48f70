/* Straight-line programs in single-assignment form with value numbering. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

typedef struct { /* node: + 1, or 0 */
  uint32_t node, hash;
} Slot;

/* Slots of a cache line, and lines of a group that are looked at. */
enum { LINE = 8, NEAR = 3 };

struct DaeProgram {
  GArray *nodes;          /* DaeNode */
  GArray *constants;      /* double */
  Slot *slots;            /* open addressing */
  uint32_t n_slots;       /* power of two, at least LINE */
  GPtrArray *data;        /* GArray of double */
  GPtrArray *calls;       /* DaeProgramCall * */
  GHashTable *call_index; /* the set of them; the value is the index + 1 */
};

static void
free_call(gpointer data)
{
  DaeProgramCall *call = data;
  dae_routine_code_unref(call->code);
  dae_program_body_unref(call->body);
  g_free(call);
}

static guint
hash_call(gconstpointer key)
{
  const DaeProgramCall *call = key;
  guint hash = call->routine;
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    hash = hash * 31u + call->inputs[i];
  }
  return hash;
}

static gboolean
same_call(gconstpointer a, gconstpointer b)
{
  const DaeProgramCall *x = a;
  const DaeProgramCall *y = b;
  return x->routine == y->routine && x->n_inputs == y->n_inputs &&
         memcmp(x->inputs, y->inputs, x->n_inputs * sizeof(uint32_t)) == 0;
}

DaeProgram *
dae_program_new(void)
{
  DaeProgram *program = g_new0(DaeProgram, 1);
  program->nodes = g_array_new(FALSE, FALSE, sizeof(DaeNode));
  program->constants = g_array_new(FALSE, FALSE, sizeof(double));
  program->data = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  program->calls = g_ptr_array_new_with_free_func(free_call);
  program->call_index = g_hash_table_new(hash_call, same_call);
  program->n_slots = 64;
  program->slots = g_new0(Slot, program->n_slots);
  return program;
}

void
dae_program_free(DaeProgram *program)
{
  if (program != NULL) {
    g_array_free(program->nodes, TRUE);
    g_array_free(program->constants, TRUE);
    g_ptr_array_free(program->data, TRUE);
    g_hash_table_destroy(program->call_index);
    g_ptr_array_free(program->calls, TRUE);
    g_free(program->slots);
    g_free(program);
  }
}

const DaeNode *
dae_program_nodes(const DaeProgram *program, uint32_t *n)
{
  *n = program->nodes->len;
  return (const DaeNode *)(const void *)program->nodes->data;
}

const double *
dae_program_constants(const DaeProgram *program, uint32_t *n)
{
  *n = program->constants->len;
  return (const double *)(const void *)program->constants->data;
}

static const DaeNode *
node_at(const DaeProgram *program, uint32_t node)
{
  DAE_ASSERT(node < program->nodes->len);
  return &g_array_index(program->nodes, DaeNode, node);
}

bool
dae_program_is_constant(const DaeProgram *program, uint32_t node, double *value)
{
  const DaeNode *at = node_at(program, node);
  if (at->op != DAE_OP_CONST) {
    return false;
  }
  *value = g_array_index(program->constants, double, at->a);
  return true;
}

/* ---- value numbering ---------------------------------------------------------------------- */

static uint32_t
mix(uint64_t h)
{
  h ^= h >> 32;
  h *= 0x9E3779B97F4A7C15u;
  return (uint32_t)(h >> 32);
}

static uint64_t
constant_bits(const DaeProgram *program, uint32_t index)
{
  uint64_t bits;
  memcpy(&bits, &g_array_index(program->constants, double, index), sizeof bits);
  return bits;
}

static uint32_t
hash_node(const DaeProgram *program, const DaeNode *node)
{
  if (node->op == DAE_OP_CONST) {
    return mix(constant_bits(program, node->a) * 31u + 7u);
  }
  uint64_t h = node->op;
  h = h * 0x100000001B3u + node->a;
  h = h * 0x100000001B3u + node->b;
  h = h * 0x100000001B3u + node->c;
  h = h * 0x100000001B3u + node->d;
  return mix(h);
}

/* Equations of one shape make the same operations, one after the other, on inputs as far from
 * each other and on results as far from each other: a group. Its members lie in the order of
 * their newest operands, so that what is made together is found together: in a large program
 * each node would cost a cache miss otherwise. Where the NEAR lines of a member are full it
 * lies anywhere. */
typedef struct {
  uint32_t group, member, hash;
} Place;

enum { INPUTS, RESULTS, CONSTANTS, KINDS };

static Place
place_of(const DaeProgram *program, const DaeNode *node)
{
  const uint32_t hash = hash_node(program, node);
  if (node->op == DAE_OP_CONST) {
    return (Place){hash, 0, hash};
  }
  if (node->op == DAE_OP_INPUT) {
    return (Place){0, node->a, hash};
  }
  const uint32_t operands[] = {node->a, node->b, node->c, node->d};
  const uint32_t arity = dae_op_arity(node->op);
  uint8_t kind[G_N_ELEMENTS(operands)];
  uint32_t newest[KINDS] = {0};
  for (uint32_t i = 0; i < arity; i++) {
    const uint16_t op = node_at(program, operands[i])->op;
    kind[i] = op == DAE_OP_CONST ? CONSTANTS : op == DAE_OP_INPUT ? INPUTS : RESULTS;
    newest[kind[i]] = MAX(newest[kind[i]], operands[i]);
  }
  newest[CONSTANTS] = 0;
  uint64_t group = node->op;
  for (uint32_t i = 0; i < arity; i++) {
    group = group * 0x100000001B3u + 4u * (operands[i] - newest[kind[i]]) + kind[i];
  }
  return (Place){mix(group), newest[RESULTS] > 0 ? newest[RESULTS] : newest[INPUTS], hash};
}

static bool
same_node(const DaeProgram *program, const DaeNode *p, const DaeNode *q)
{
  if (p->op != q->op) {
    return false;
  }
  if (p->op == DAE_OP_CONST) {
    return constant_bits(program, p->a) == constant_bits(program, q->a);
  }
  return p->a == q->a && p->b == q->b && p->c == q->c && p->d == q->d;
}

/* The slot of a node, or the empty one where it belongs. All lines come in turn: the step is
 * odd. */
static Slot *
find_slot(const DaeProgram *program, const DaeNode *node, Place place)
{
  const uint32_t mask = program->n_slots / LINE - 1;
  uint32_t line = place.group + place.member / LINE;
  uint32_t step = place.group >> 7 | 1u;
  for (uint32_t looks = 1;; looks++) {
    Slot *slots = program->slots + (size_t)(line & mask) * LINE;
    for (uint32_t k = 0; k < LINE; k++) {
      Slot *slot = &slots[(place.member + k) % LINE];
      if (slot->node == 0 || (slot->hash == place.hash &&
                              same_node(program, node_at(program, slot->node - 1), node))) {
        return slot;
      }
    }
    step = looks == NEAR ? place.hash >> 7 | 1u : step;
    line = looks == NEAR ? place.hash : line + step;
  }
}

static void
grow_slots(DaeProgram *program)
{
  g_free(program->slots);
  program->n_slots *= 2;
  program->slots = g_new0(Slot, program->n_slots);
  for (uint32_t i = 0; i < program->nodes->len; i++) {
    const DaeNode *node = node_at(program, i);
    const Place place = place_of(program, node);
    *find_slot(program, node, place) = (Slot){i + 1, place.hash};
  }
}

static uint32_t
intern(DaeProgram *program, const DaeNode *node)
{
  if (program->nodes->len * 2 >= program->n_slots) {
    grow_slots(program);
  }
  const Place place = place_of(program, node);
  Slot *slot = find_slot(program, node, place);
  if (slot->node == 0) {
    g_array_append_val(program->nodes, *node);
    *slot = (Slot){program->nodes->len, place.hash};
  }
  return slot->node - 1;
}

/* ---- construction --------------------------------------------------------------------------- */

uint32_t
dae_program_constant(DaeProgram *program, double value)
{
  DaeNode node = {
      .op = DAE_OP_CONST, .is_risky = !isfinite(value), .a = program->constants->len};
  g_array_append_val(program->constants, value);
  const uint32_t before = program->nodes->len;
  const uint32_t at = intern(program, &node);
  if (at < before) {
    g_array_set_size(program->constants, program->constants->len - 1); /* it was known */
  }
  return at;
}

bool
dae_program_is_of_segment(const DaeProgram *program, uint32_t node)
{
  const DaeNode *at = node_at(program, node);
  return at->level == DAE_LEVEL_SEGMENT && at->op != DAE_OP_CONST;
}

uint32_t
dae_program_input(DaeProgram *program, uint32_t index, DaeLevel level)
{
  const DaeNode node = {.op = DAE_OP_INPUT, .level = (uint8_t)level, .a = index};
  return intern(program, &node);
}

static bool
is_commutative(DaeOp op)
{
  return op == DAE_OP_ADD || op == DAE_OP_MUL || op == DAE_OP_AND || op == DAE_OP_OR ||
         op == DAE_OP_EQ || op == DAE_OP_NE;
}

static bool
may_leave_the_finite(DaeOp op)
{
  return op == DAE_OP_DIV || op == DAE_OP_DIV_GUARDED || op == DAE_OP_SQRT ||
         op == DAE_OP_POW || op == DAE_OP_TAN || op == DAE_OP_ASIN || op == DAE_OP_ACOS ||
         op == DAE_OP_SINH || op == DAE_OP_COSH || op == DAE_OP_EXP || op == DAE_OP_LOG ||
         op == DAE_OP_LOG10 || op == DAE_OP_MOD || op == DAE_OP_QUOTIENT || op == DAE_OP_REM;
}

/* x*(-1) and 0-x are exactly -x: such an operation becomes a negation of its new operand a. */
static void
turn_into_negation(const DaeProgram *program, DaeOp *op, uint32_t *a, uint32_t *b)
{
  double value = 0.0;
  if (*op == DAE_OP_MUL && dae_program_is_constant(program, *b, &value) && value == -1.0) {
    *op = DAE_OP_NEG;
    *b = 0;
  } else if (*op == DAE_OP_SUB && dae_program_is_constant(program, *a, &value) &&
             value == 0.0) {
    *op = DAE_OP_NEG;
    *a = *b;
    *b = 0;
  }
}

/* What is exactly the same whatever the other operand: x*1, x/1, x+0, x-0, -(-x). */
static bool
simplify(const DaeProgram *program, DaeOp op, uint32_t a, uint32_t b, uint32_t *result)
{
  double value = 0.0;
  const bool b_known = dae_op_arity(op) == 2 && dae_program_is_constant(program, b, &value);
  if (b_known && ((value == 1.0 && (op == DAE_OP_MUL || op == DAE_OP_DIV)) ||
                  (value == 0.0 && (op == DAE_OP_ADD || op == DAE_OP_SUB)))) {
    *result = a;
    return true;
  }
  if (op == DAE_OP_NEG && node_at(program, a)->op == DAE_OP_NEG) {
    *result = node_at(program, a)->a;
    return true;
  }
  return false;
}

static bool
fold(DaeProgram *program, DaeOp op, const uint32_t *operands, uint32_t *result)
{
  double v[3] = {0.0, 0.0, 0.0};
  const uint32_t arity = dae_op_arity(op);
  DAE_ASSERT(arity <= 3);
  for (uint32_t i = 0; i < arity; i++) {
    if (!dae_program_is_constant(program, operands[i], &v[i])) {
      return false;
    }
  }
  *result = dae_program_constant(program, dae_op_apply(op, v[0], v[1], v[2], 0.0));
  return true;
}

/* Defined everywhere, and too large for a double already at moderate operands. */
static bool
is_growing(DaeOp op)
{
  return op == DAE_OP_EXP || op == DAE_OP_SINH || op == DAE_OP_COSH;
}

/* Defined everywhere; an operand that is too large stays so, or leaves NaN. */
static bool
keeps_its_size(DaeOp op)
{
  return op == DAE_OP_NEG || op == DAE_OP_ADD || op == DAE_OP_SUB || op == DAE_OP_MUL ||
         op == DAE_OP_MUL_ADD || op == DAE_OP_MUL_SUB || op == DAE_OP_MUL_RSUB ||
         op == DAE_OP_ADD3 || op == DAE_OP_MUL3;
}

uint32_t
dae_program_emit(DaeProgram *program, DaeOp op, uint32_t a, uint32_t b, uint32_t c)
{
  double value = 0.0;
  if (is_commutative(op) && (dae_program_is_constant(program, a, &value) ||
                             (a > b && !dae_program_is_constant(program, b, &value)))) {
    const uint32_t swap = a; /* constants last, else by number */
    a = b;
    b = swap;
  }
  uint32_t result = 0;
  if (fold(program, op, (const uint32_t[3]){a, b, c}, &result)) {
    return result;
  }
  turn_into_negation(program, &op, &a, &b);
  if (simplify(program, op, a, b, &result)) {
    return result;
  }
  if (op == DAE_OP_DIV && node_at(program, b)->is_risky && !node_at(program, b)->overflows) {
    op = DAE_OP_DIV_GUARDED;
  }
  DaeNode node = {.op = (uint16_t)op, .is_risky = may_leave_the_finite(op)};
  bool only_large = keeps_its_size(op) || is_growing(op);
  const uint32_t operands[3] = {a, b, c};
  uint32_t *const slots[3] = {&node.a, &node.b, &node.c};
  const uint32_t arity = dae_op_arity(op);
  DAE_ASSERT(arity <= 3);
  for (uint32_t i = 0; i < arity; i++) {
    *slots[i] = operands[i];
    const DaeNode *operand = node_at(program, operands[i]);
    node.is_risky = node.is_risky || operand->is_risky;
    only_large = only_large && (!operand->is_risky || operand->overflows);
    node.level = MAX(node.level, operand->level);
  }
  node.overflows = node.is_risky && only_large;
  return intern(program, &node);
}

uint32_t
dae_program_n_data(const DaeProgram *program)
{
  return program->data->len;
}

const double *
dae_program_data(const DaeProgram *program, uint32_t data, uint32_t *n)
{
  const GArray *values = g_ptr_array_index(program->data, data);
  *n = values->len;
  return (const double *)(const void *)values->data;
}

/* The same array as before, or a new one. Few tables: a search from the newest is enough. */
static uint32_t
keep_data(DaeProgram *program, const double *values, uint32_t n)
{
  for (uint32_t i = program->data->len; i-- > 0;) {
    const GArray *known = g_ptr_array_index(program->data, i);
    if (known->len == n && memcmp(known->data, values, n * sizeof *values) == 0) {
      return i;
    }
  }
  GArray *copy = g_array_sized_new(FALSE, FALSE, sizeof *values, n);
  g_array_append_vals(copy, values, n);
  g_ptr_array_add(program->data, copy);
  return program->data->len - 1;
}

void
dae_program_share_data(DaeProgram *program, const DaeProgram *from)
{
  DAE_ASSERT(program->data->len == 0);
  for (uint32_t i = 0; i < from->data->len; i++) {
    g_ptr_array_add(program->data, g_array_ref(g_ptr_array_index(from->data, i)));
  }
}

uint32_t
dae_program_emit_data(DaeProgram *program, DaeOp op, uint32_t a, const double *values,
                      uint32_t n)
{
  double at = 0.0;
  if (dae_program_is_constant(program, a, &at)) {
    return dae_program_constant(program, op == DAE_OP_LOOKUP
                                             ? dae_data_lookup(values, n, at)
                                             : dae_data_interval(values, n, at));
  }
  const DaeNode node = {.op = (uint16_t)op,
                        .is_risky = node_at(program, a)->is_risky,
                        .level = node_at(program, a)->level,
                        .a = a,
                        .d = keep_data(program, values, n)};
  return intern(program, &node);
}

uint32_t
dae_program_n_calls(const DaeProgram *program)
{
  return program->calls->len;
}

const DaeProgramCall *
dae_program_call(const DaeProgram *program, uint32_t call)
{
  DAE_ASSERT(call < program->calls->len);
  return g_ptr_array_index(program->calls, call);
}

/* A call with known arguments is its values. */
static bool
fold_call(DaeProgram *program, const DaeProgramCall *call, uint32_t k, uint32_t *node)
{
  g_autofree double *inputs = g_new(double, call->n_inputs);
  g_autofree double *outputs = g_new(double, call->n_outputs);
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    if (!dae_program_is_constant(program, call->inputs[i], &inputs[i])) {
      return false;
    }
  }
  dae_routine_run(call->code, inputs, outputs);
  *node = dae_program_constant(program, outputs[k]);
  return true;
}

/* Numbers are given at the level of the call: there may be nothing else at a level
 * below, and it is left out then. */
static void
emit_call(DaeProgram *program, DaeProgramCall *call)
{
  uint32_t before = call->inputs[0];
  uint8_t level = 0;
  uint8_t highest = 0;
  double value = 0.0;
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    highest = MAX(highest, node_at(program, call->inputs[i])->level);
  }
  for (uint32_t i = 0; i < call->n_inputs; i++) {
    const bool is_number = dae_program_is_constant(program, call->inputs[i], &value);
    level = is_number ? highest : MAX(level, node_at(program, call->inputs[i])->level);
    const DaeNode give = {.op = DAE_OP_GIVE,
                          .is_risky = true,
                          .level = level,
                          .a = call->inputs[i],
                          .b = before,
                          .c = i,
                          .d = program->calls->len};
    before = intern(program, &give);
  }
  const DaeNode run = {.op = DAE_OP_RUN,
                       .is_risky = true,
                       .level = level,
                       .a = before,
                       .d = program->calls->len};
  call->run = intern(program, &run);
  g_ptr_array_add(program->calls, call);
  g_hash_table_insert(program->call_index, call, GUINT_TO_POINTER(program->calls->len));
}

uint32_t
dae_program_emit_call(DaeProgram *program, const DaeRoutineCode *code, DaeProgramBody *body,
                      uint32_t routine, const uint32_t *inputs, uint32_t k)
{
  uint32_t n = dae_routine_code_n_inputs(code);
  DaeProgramCall *call = g_malloc(sizeof *call + n * sizeof *inputs);
  *call = (DaeProgramCall){.code = dae_routine_code_ref(code),
                           .routine = routine,
                           .body = dae_program_body_ref(body),
                           .n_inputs = n,
                           .n_outputs = dae_routine_code_n_outputs(code)};
  memcpy(call->inputs, inputs, n * sizeof *inputs);
  uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(program->call_index, call));
  uint32_t node = 0;
  if (at != 0 || fold_call(program, call, k, &node)) {
    free_call(call);
    if (at == 0) {
      return node;
    }
  } else {
    emit_call(program, call);
    at = program->calls->len;
  }
  const DaeProgramCall *made = g_ptr_array_index(program->calls, at - 1);
  const DaeNode take = {.op = DAE_OP_TAKE,
                        .is_risky = true,
                        .level = node_at(program, made->run)->level,
                        .a = made->run,
                        .c = k,
                        .d = at - 1};
  return intern(program, &take);
}

uint32_t
dae_program_operands(const DaeNode *node, uint32_t *operands)
{
  operands[0] = node->a;
  operands[1] = node->b;
  operands[2] = node->c;
  operands[3] = node->d;
  return dae_op_arity((DaeOp)node->op);
}

uint32_t
dae_program_power(DaeProgram *program, uint32_t base, uint64_t exponent)
{
  DAE_ASSERT(exponent > 0);
  uint32_t result = base;
  int bit = 63;
  while ((exponent >> bit) == 0) {
    bit--;
  }
  for (bit--; bit >= 0;
       bit--) { /* from the top: x^2, x^3 = x^2*x, ... are shared with other powers */
    result = dae_program_emit(program, DAE_OP_MUL, result, result, 0);
    if (((exponent >> bit) & 1u) != 0) {
      result = dae_program_emit(program, DAE_OP_MUL, result, base, 0);
    }
  }
  return result;
}
