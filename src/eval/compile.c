/* From terms to nodes of a straight-line program.
 *
 * A term's node may stand for its negative (flag below): -2*x*y is kept as 2*x*y with a minus
 * sign that the sum above turns into a subtraction. A reciprocal power that only one product
 * uses becomes a division; one that several use is computed once and multiplied. Factors and
 * summands that are constant during a segment are gathered into one, so that they cost one
 * operation at each evaluation, as a number would. O(size of the DAG) with explicit stacks. */
#include <math.h>

#include "eval/eval-priv.h"
#include "eval/words.h"

enum { UNKNOWN_YET = 0, POSITIVE = 1, NEGATED = 2 };

#define LARGEST_CHAIN (1 << 20) /* beyond, pow() is as good as a chain of multiplications */

struct DaeCompiler {
  DaeTerms *terms;
  DaeProgram *program;
  GArray *nodes;                    /* by term: uint32_t */
  GArray *states;                   /* by term: uint8_t */
  GArray *uses;                     /* by term: uint8_t, saturating at 2 */
  DaeWords touched;                 /* DaeTerm: what has a node or uses */
  DaeWords stack;                   /* DaeTerm */
  DaeWords factors, divisors;       /* scratch of one product */
  DaeWords steady, steady_divisors; /* those constant during a segment */
  DaeBodies *bodies;                /* NULL: none asked for yet */
  bool owns_bodies;
};

DaeCompiler *
dae_compiler_new(DaeTerms *terms, DaeProgram *program)
{
  DaeCompiler *compiler = g_new0(DaeCompiler, 1);
  compiler->terms = terms;
  compiler->program = program;
  compiler->nodes = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  compiler->states = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  compiler->uses = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  return compiler;
}

void
dae_compiler_free(DaeCompiler *compiler)
{
  if (compiler != NULL) {
    g_array_free(compiler->nodes, TRUE);
    g_array_free(compiler->states, TRUE);
    g_array_free(compiler->uses, TRUE);
    g_free(compiler->touched.data);
    g_free(compiler->stack.data);
    g_free(compiler->factors.data);
    g_free(compiler->divisors.data);
    g_free(compiler->steady.data);
    g_free(compiler->steady_divisors.data);
    if (compiler->owns_bodies) {
      dae_bodies_free(compiler->bodies);
    }
    g_free(compiler);
  }
}

void
dae_compiler_restart(DaeCompiler *compiler, DaeProgram *program)
{
  for (uint32_t i = 0; i < compiler->touched.n; i++) {
    const DaeTerm t = compiler->touched.data[i];
    g_array_index(compiler->states, uint8_t, t) = UNKNOWN_YET;
    g_array_index(compiler->uses, uint8_t, t) = 0;
  }
  compiler->touched.n = 0;
  compiler->program = program;
}

void
dae_compiler_share_bodies(DaeCompiler *compiler, DaeBodies *bodies)
{
  DAE_ASSERT(compiler->bodies == NULL);
  compiler->bodies = bodies;
}

static void
make_room_for(DaeCompiler *compiler, DaeTerm t)
{
  if (t >= compiler->nodes->len) {
    const uint32_t size = MAX(t, dae_terms_count(compiler->terms)) + 1;
    g_array_set_size(compiler->nodes, size);
    g_array_set_size(compiler->states, size);
    g_array_set_size(compiler->uses, size);
  }
}

static uint8_t
state_of(const DaeCompiler *compiler, DaeTerm t)
{
  return g_array_index(compiler->states, uint8_t, t);
}

static void
set_node(DaeCompiler *compiler, DaeTerm t, uint32_t node, bool is_negated)
{
  if (state_of(compiler, t) == UNKNOWN_YET) {
    dae_words_push(&compiler->touched, t);
  }
  g_array_index(compiler->nodes, uint32_t, t) = node;
  g_array_index(compiler->states, uint8_t, t) = is_negated ? NEGATED : POSITIVE;
}

/* Node of |t| up to sign; *is_negated flips when the node is that of -t. */
static uint32_t
node_up_to_sign(const DaeCompiler *compiler, DaeTerm t, bool *is_negated)
{
  DAE_ASSERT(state_of(compiler, t) != UNKNOWN_YET);
  *is_negated = *is_negated != (state_of(compiler, t) == NEGATED);
  return g_array_index(compiler->nodes, uint32_t, t);
}

static uint32_t
node_of(const DaeCompiler *compiler, DaeTerm t)
{
  bool is_negated = false;
  const uint32_t node = node_up_to_sign(compiler, t, &is_negated);
  return is_negated ? dae_program_emit(compiler->program, DAE_OP_NEG, node, 0, 0) : node;
}

void
dae_compiler_bind(DaeCompiler *compiler, DaeTerm atom, uint32_t input, DaeLevel level)
{
  make_room_for(compiler, atom);
  set_node(compiler, atom, dae_program_input(compiler->program, input, level), false);
}

void
dae_compiler_announce(DaeCompiler *compiler, const DaeTerm *outputs, uint32_t n)
{
  make_room_for(compiler, dae_terms_count(compiler->terms));
  compiler->stack.n = 0;
  for (uint32_t i = 0; i < n; i++) {
    dae_words_push(&compiler->stack, outputs[i]);
    while (compiler->stack.n > 0) {
      const DaeTerm t = compiler->stack.data[--compiler->stack.n];
      uint8_t *uses = &g_array_index(compiler->uses, uint8_t, t);
      if (*uses > 0) {
        *uses = 2;
        continue;
      }
      *uses = 1;
      dae_words_push(&compiler->touched, t);
      uint32_t arity;
      const DaeTerm *operands = dae_term_operands(compiler->terms, t, &arity);
      dae_words_push_all(&compiler->stack, operands, arity);
    }
  }
}

/* ---- powers --------------------------------------------------------------------------------- */

/* Twice the exponent of POWER t if that is a small integer. */
static bool
get_twice_exponent(DaeCompiler *compiler, DaeTerm t, int64_t *twice)
{
  const DaeTerm exponent = dae_term_operand(compiler->terms, t, 1);
  if (!dae_term_is_number(compiler->terms, exponent)) {
    return false;
  }
  const DaeTerm two = dae_term_int(compiler->terms, 2);
  const DaeTerm product = dae_term_mul(compiler->terms, two, exponent);
  return dae_term_get_int64(compiler->terms, product, twice) && *twice >= -LARGEST_CHAIN &&
         *twice <= LARGEST_CHAIN;
}

/* POWER with a negative (half-)integer exponent that nothing else uses. */
static bool
is_private_divisor(DaeCompiler *compiler, DaeTerm t)
{
  int64_t twice;
  return dae_term_kind(compiler->terms, t) == DAE_KIND_POWER &&
         g_array_index(compiler->uses, uint8_t, t) <= 1 &&
         get_twice_exponent(compiler, t, &twice) && twice < 0;
}

/* base^(|twice|/2) of POWER t; *is_negated flips for an odd power of a negated base. */
static uint32_t
positive_power(DaeCompiler *compiler, DaeTerm t, int64_t twice, bool *is_negated)
{
  DaeProgram *program = compiler->program;
  const DaeTerm base_term = dae_term_operand(compiler->terms, t, 0);
  const uint64_t magnitude = (uint64_t)(twice < 0 ? -twice : twice);
  const uint64_t whole = magnitude / 2;
  if (magnitude % 2 == 0) {
    bool base_negated = false;
    const uint32_t base = node_up_to_sign(compiler, base_term, &base_negated);
    *is_negated = *is_negated != (base_negated && whole % 2 == 1);
    return dae_program_power(program, base, whole);
  }
  const uint32_t base = node_of(compiler, base_term);
  const uint32_t root = dae_program_emit(program, DAE_OP_SQRT, base, 0, 0);
  if (whole == 0) {
    return root;
  }
  return dae_program_emit(program, DAE_OP_MUL, dae_program_power(program, base, whole), root,
                          0);
}

static void
compile_power(DaeCompiler *compiler, DaeTerm t)
{
  int64_t twice;
  bool is_negated = false;
  uint32_t node;
  if (get_twice_exponent(compiler, t, &twice)) {
    node = positive_power(compiler, t, twice, &is_negated);
    if (twice < 0) {
      node = dae_program_emit(compiler->program, DAE_OP_DIV,
                              dae_program_constant(compiler->program, 1.0), node, 0);
    }
  } else {
    const uint32_t base = node_of(compiler, dae_term_operand(compiler->terms, t, 0));
    const uint32_t exponent = node_of(compiler, dae_term_operand(compiler->terms, t, 1));
    node = dae_program_emit(compiler->program, DAE_OP_POW, base, exponent, 0);
  }
  set_node(compiler, t, node, is_negated);
}

/* ---- products and sums ------------------------------------------------------------------- */

static uint32_t
chain(DaeProgram *program, DaeOp op, const DaeWords *parts)
{
  uint32_t node = parts->data[0];
  for (uint32_t i = 1; i < parts->n; i++) {
    node = dae_program_emit(program, op, node, parts->data[i], 0);
  }
  return node;
}

/* product of factors over product of divisors; without factors: 1 over them */
static uint32_t
quotient(DaeProgram *program, const DaeWords *factors, const DaeWords *divisors)
{
  const uint32_t node =
      factors->n > 0 ? chain(program, DAE_OP_MUL, factors) : dae_program_constant(program, 1.0);
  return divisors->n == 0 ? node
                          : dae_program_emit(program, DAE_OP_DIV, node,
                                             chain(program, DAE_OP_MUL, divisors), 0);
}

/* Sorts the factors of a product into the four lists; returns the number among them. */
static double
sort_factors(DaeCompiler *compiler, DaeTerm t, bool *is_negated)
{
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(compiler->terms, t, &n);
  double coefficient = 1.0;
  DaeWords *const lists[4] = {&compiler->factors, &compiler->divisors, &compiler->steady,
                              &compiler->steady_divisors};
  for (uint32_t k = 0; k < G_N_ELEMENTS(lists); k++) {
    lists[k]->n = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    int64_t twice;
    if (dae_term_is_number(compiler->terms, operands[i])) {
      coefficient *= dae_term_get_double(compiler->terms, operands[i]);
      continue;
    }
    const bool is_divisor = is_private_divisor(compiler, operands[i]) &&
                            get_twice_exponent(compiler, operands[i], &twice);
    const uint32_t node = is_divisor ? positive_power(compiler, operands[i], twice, is_negated)
                                     : node_up_to_sign(compiler, operands[i], is_negated);
    const uint32_t place = dae_program_is_of_segment(compiler->program, node) ? 2 : 0;
    dae_words_push(lists[place + (is_divisor ? 1 : 0)], node);
  }
  return coefficient;
}

static void
compile_product(DaeCompiler *compiler, DaeTerm t)
{
  bool is_negated = false;
  const double coefficient = sort_factors(compiler, t, &is_negated);
  DaeWords *factors = &compiler->factors;
  const bool is_steady = factors->n == 0 && compiler->divisors.n == 0;
  DaeWords *numbers = is_steady || compiler->steady.n > 0 || compiler->steady_divisors.n > 0
                          ? &compiler->steady
                          : factors;
  is_negated = is_negated != (coefficient < 0.0);
  if (coefficient != 1.0 && coefficient != -1.0) {
    const uint32_t node = dae_program_constant(compiler->program, fabs(coefficient));
    dae_words_push(numbers, node); /* last, so that x*y is shared with 2*x*y */
  }
  if (compiler->steady.n > 0 || compiler->steady_divisors.n > 0) {
    const uint32_t node =
        quotient(compiler->program, &compiler->steady, &compiler->steady_divisors);
    dae_words_push(factors, node);
  }
  set_node(compiler, t, quotient(compiler->program, factors, &compiler->divisors), is_negated);
}

/* plus parts, then the minus parts subtracted; false: there are no plus parts, *node
 * is the sum of the minus parts. */
static bool
signed_sum(DaeProgram *program, const DaeWords *plus, const DaeWords *minus, uint32_t *node)
{
  if (plus->n == 0) {
    *node = chain(program, DAE_OP_ADD, minus);
    return false;
  }
  *node = chain(program, DAE_OP_ADD, plus);
  for (uint32_t i = 0; i < minus->n; i++) {
    *node = dae_program_emit(program, DAE_OP_SUB, *node, minus->data[i], 0);
  }
  return true;
}

/* Does the sum have varying summands and at least two that are constant during a segment? */
static bool
gathers_summands(const DaeCompiler *compiler, const DaeTerm *operands, uint32_t n)
{
  uint32_t n_steady = 0;
  uint32_t n_numbers = 0;
  for (uint32_t i = 0; i < n; i++) {
    const bool is_number = dae_term_is_number(compiler->terms, operands[i]);
    n_numbers += is_number ? 1 : 0;
    n_steady += !is_number && dae_program_is_of_segment(
                                  compiler->program,
                                  g_array_index(compiler->nodes, uint32_t, operands[i]))
                    ? 1
                    : 0;
  }
  return n_steady > 0 && n_steady + n_numbers > 1 && n_steady + n_numbers < n;
}

/* Positive parts first, then the negative ones are subtracted; the number comes last:
 * x^2 + y^2 - 1 in that order. */
static void
compile_sum(DaeCompiler *compiler, DaeTerm t)
{
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(compiler->terms, t, &n);
  DaeWords *const lists[4] = {&compiler->factors, &compiler->divisors, &compiler->steady,
                              &compiler->steady_divisors};
  for (uint32_t k = 0; k < G_N_ELEMENTS(lists); k++) {
    lists[k]->n = 0;
  }
  const uint32_t first = dae_term_is_number(compiler->terms, operands[0]) ? 1 : 0;
  const bool gathers = gathers_summands(compiler, operands, n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeTerm operand = operands[(i + first) % n];
    bool is_negated = false;
    const uint32_t node = node_up_to_sign(compiler, operand, &is_negated);
    const bool is_steady = gathers && (dae_term_is_number(compiler->terms, operand) ||
                                       dae_program_is_of_segment(compiler->program, node));
    dae_words_push(lists[(is_steady ? 2 : 0) + (is_negated ? 1 : 0)], node);
  }
  uint32_t node;
  if (gathers) {
    const bool is_plus =
        signed_sum(compiler->program, &compiler->steady, &compiler->steady_divisors, &node);
    dae_words_push(lists[is_plus ? 0 : 1], node);
  }
  const bool is_plus =
      signed_sum(compiler->program, &compiler->factors, &compiler->divisors, &node);
  set_node(compiler, t, node, !is_plus);
}

/* ---- calls, conditions ------------------------------------------------------------------- */

static uint32_t
fold_operands(DaeCompiler *compiler, DaeOp op, const DaeTerm *operands, uint32_t n)
{
  uint32_t node = node_of(compiler, operands[0]);
  for (uint32_t i = 1; i < n; i++) {
    node = dae_program_emit(compiler->program, op, node, node_of(compiler, operands[i]), 0);
  }
  return node;
}

static uint32_t
semi_linear(DaeCompiler *compiler, const DaeTerm *operands)
{
  DaeProgram *program = compiler->program;
  const uint32_t x = node_of(compiler, operands[0]);
  const uint32_t right =
      dae_program_emit(program, DAE_OP_MUL, node_of(compiler, operands[1]), x, 0);
  const uint32_t left =
      dae_program_emit(program, DAE_OP_MUL, node_of(compiler, operands[2]), x, 0);
  const uint32_t is_right =
      dae_program_emit(program, DAE_OP_LE, dae_program_constant(program, 0.0), x, 0);
  return dae_program_emit(program, DAE_OP_SELECT, is_right, right, left);
}

/* The element is taken whatever the others are. x/0 is not finite, so
 * an index outside is undefined. */
static uint32_t
selection(DaeCompiler *compiler, const DaeTerm *operands, uint32_t n)
{
  DaeProgram *program = compiler->program;
  const uint32_t index = node_of(compiler, operands[0]);
  uint32_t node = 0;
  for (uint32_t i = n - 1; i > 0; i--) {
    const uint32_t element = node_of(compiler, operands[i]);
    const uint32_t is_here = dae_program_emit(program, DAE_OP_EQ, index,
                                              dae_program_constant(program, (double)i), 0);
    node = i == n - 1 ? dae_program_emit(program, DAE_OP_DIV, element, is_here, 0)
                      : dae_program_emit(program, DAE_OP_SELECT, is_here, element, node);
  }
  return node;
}

/* A selection among numbers is an element of data. */
static bool
constant_selection(DaeCompiler *compiler, const DaeTerm *operands, uint32_t n, uint32_t *node)
{
  g_autoptr(GArray) values = g_array_sized_new(FALSE, FALSE, sizeof(double), n);
  for (uint32_t i = 1; i < n; i++) {
    if (!dae_term_is_number(compiler->terms, operands[i])) {
      return false;
    }
    const double value = dae_term_get_double(compiler->terms, operands[i]);
    g_array_append_val(values, value);
  }
  *node =
      dae_program_emit_data(compiler->program, DAE_OP_LOOKUP, node_of(compiler, operands[0]),
                            (const double *)(const void *)values->data, values->len);
  return true;
}

static uint32_t
compile_data(DaeCompiler *compiler, DaeTerm t, DaeFunction function, const DaeTerm *operands,
             uint32_t n_operands)
{
  uint32_t node = 0;
  if (function == DAE_FN_SELECT) {
    return constant_selection(compiler, operands, n_operands, &node)
               ? node
               : selection(compiler, operands, n_operands);
  }
  uint32_t data = 0;
  uint32_t n = 0;
  const double *values = dae_term_data(compiler->terms, t, &data, &n);
  return dae_program_emit_data(compiler->program,
                               function == DAE_FN_LOOKUP ? DAE_OP_LOOKUP : DAE_OP_INTERVAL,
                               node_of(compiler, operands[1]), values, n);
}

static uint32_t
compile_routine(DaeCompiler *compiler, DaeTerm t, const DaeTerm *operands, uint32_t n)
{
  uint32_t routine;
  uint32_t k;
  dae_term_get_routine(compiler->terms, t, &routine, &k);
  g_autofree uint32_t *inputs = g_new(uint32_t, n);
  for (uint32_t i = 2; i < n; i++) {
    inputs[i - 2] = node_of(compiler, operands[i]);
  }
  if (compiler->bodies == NULL) {
    compiler->bodies = dae_bodies_new();
    compiler->owns_bodies = true;
  }
  DaeProgramBody *body = dae_bodies_find(compiler->bodies, compiler->terms, routine);
  uint32_t node = 0;
  if (dae_body_write(compiler->bodies, compiler->terms, routine, body, compiler->program,
                     inputs, k, &node)) {
    return node;
  }
  return dae_program_emit_call(compiler->program,
                               dae_terms_routine_code(compiler->terms, routine), body, routine,
                               inputs, k);
}

static void
compile_call(DaeCompiler *compiler, DaeTerm t)
{
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(compiler->terms, t, &n);
  const DaeFunction function = dae_term_function(compiler->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (function == DAE_FN_PI) {
    set_node(compiler, t, dae_program_constant(compiler->program, G_PI), false);
  } else if (facts->kind == DAE_CLASS_MARK) {
    bool is_negated = false; /* smooth(p, x), noEvent(x), homotopy(x, simplified) are x */
    const uint32_t node =
        node_up_to_sign(compiler, operands[facts->value_operand], &is_negated);
    set_node(compiler, t, node, is_negated);
  } else if (function == DAE_FN_ROUTINE) {
    set_node(compiler, t, compile_routine(compiler, t, operands, n), false);
  } else if (function == DAE_FN_SEMILINEAR) {
    set_node(compiler, t, semi_linear(compiler, operands), false);
  } else if (facts->kind == DAE_CLASS_ELEMENT) {
    set_node(compiler, t, compile_data(compiler, t, function, operands, n), false);
  } else {
    const DaeOp op = dae_op_of_function(function);
    DAE_ASSERT(op != DAE_OP_CONST && n > 0);
    const uint32_t node =
        dae_op_arity(op) == 1
            ? dae_program_emit(compiler->program, op, node_of(compiler, operands[0]), 0, 0)
            : fold_operands(compiler, op, operands, n);
    set_node(compiler, t, node, false);
  }
}

static uint32_t
compile_relation(DaeCompiler *compiler, DaeTerm t)
{
  const uint32_t a = node_of(compiler, dae_term_operand(compiler->terms, t, 0));
  const uint32_t b = node_of(compiler, dae_term_operand(compiler->terms, t, 1));
  switch (dae_term_relation_op(compiler->terms, t)) {
  case DAE_REL_LT:
    return dae_program_emit(compiler->program, DAE_OP_LT, a, b, 0);
  case DAE_REL_LE:
    return dae_program_emit(compiler->program, DAE_OP_LE, a, b, 0);
  case DAE_REL_GT:
    return dae_program_emit(compiler->program, DAE_OP_LT, b, a, 0);
  case DAE_REL_GE:
    return dae_program_emit(compiler->program, DAE_OP_LE, b, a, 0);
  case DAE_REL_EQ:
    return dae_program_emit(compiler->program, DAE_OP_EQ, a, b, 0);
  case DAE_REL_NE:
    return dae_program_emit(compiler->program, DAE_OP_NE, a, b, 0);
  }
  dae_internal_error(__FILE__, __LINE__, "relation");
}

static void
compile_logic(DaeCompiler *compiler, DaeTerm t, DaeKind kind)
{
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(compiler->terms, t, &n);
  uint32_t node;
  if (kind == DAE_KIND_IF) {
    const uint32_t condition = node_of(compiler, operands[0]);
    const uint32_t then_node = node_of(compiler, operands[1]);
    node = dae_program_emit(compiler->program, DAE_OP_SELECT, condition, then_node,
                            node_of(compiler, operands[2]));
  } else if (kind == DAE_KIND_RELATION) {
    node = compile_relation(compiler, t);
  } else if (kind == DAE_KIND_NOT) {
    node =
        dae_program_emit(compiler->program, DAE_OP_NOT, node_of(compiler, operands[0]), 0, 0);
  } else {
    node = fold_operands(compiler, kind == DAE_KIND_AND ? DAE_OP_AND : DAE_OP_OR, operands, n);
  }
  set_node(compiler, t, node, false);
}

/* ---- the walk ---------------------------------------------------------------------------- */

/* All operands of t have nodes (those of private divisors: their bases). */
static bool
compile_node(DaeCompiler *compiler, DaeTerm t, GError **error)
{
  const DaeKind kind = dae_term_kind(compiler->terms, t);
  switch (kind) {
  case DAE_KIND_NUMBER: {
    const double value = dae_term_get_double(compiler->terms, t);
    set_node(compiler, t, dae_program_constant(compiler->program, fabs(value)), value < 0.0);
    break;
  }
  case DAE_KIND_BOOLEAN: {
    const double value = dae_term_get_bool(compiler->terms, t) ? 1.0 : 0.0;
    set_node(compiler, t, dae_program_constant(compiler->program, value), false);
    break;
  }
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE: {
    g_autofree char *name = dae_term_to_string(compiler->terms, t);
    g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL, "%s has no value", name);
    return false;
  }
  case DAE_KIND_POWER:
    compile_power(compiler, t);
    break;
  case DAE_KIND_PRODUCT:
    compile_product(compiler, t);
    break;
  case DAE_KIND_SUM:
    compile_sum(compiler, t);
    break;
  case DAE_KIND_CALL:
    compile_call(compiler, t);
    break;
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    compile_logic(compiler, t, kind);
    break;
  }
  return true;
}

/* Pushes what must be compiled before t; false if nothing is missing. */
static bool
push_missing_operands(DaeCompiler *compiler, DaeTerm t)
{
  uint32_t n;
  const DaeTerm *operands = dae_term_operands(compiler->terms, t, &n);
  const bool is_product = dae_term_kind(compiler->terms, t) == DAE_KIND_PRODUCT;
  const uint32_t before = compiler->stack.n;
  for (uint32_t i = n; i-- > 0;) { /* the first operand is compiled first */
    DaeTerm need = operands[i];
    if (is_product && is_private_divisor(compiler, need)) {
      need = dae_term_operand(compiler->terms, need, 0);
    }
    if (state_of(compiler, need) == UNKNOWN_YET) {
      dae_words_push(&compiler->stack, need);
    }
  }
  return compiler->stack.n > before;
}

bool
dae_compiler_compile(DaeCompiler *compiler, DaeTerm output, uint32_t *node, GError **error)
{
  DAE_ASSERT(output != DAE_NO_TERM);
  make_room_for(compiler, output);
  compiler->stack.n = 0;
  dae_words_push(&compiler->stack, output);
  while (compiler->stack.n > 0) {
    const DaeTerm t = compiler->stack.data[compiler->stack.n - 1];
    if (state_of(compiler, t) == UNKNOWN_YET && push_missing_operands(compiler, t)) {
      continue;
    }
    compiler->stack.n--;
    if (state_of(compiler, t) == UNKNOWN_YET && !compile_node(compiler, t, error)) {
      return false;
    }
  }
  *node = node_of(compiler, output);
  return true;
}
