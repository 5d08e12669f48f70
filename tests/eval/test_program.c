/* Programs: equal nodes are one, numbers are folded, fusion changes no bit, levels are kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "random_terms.h"
#include "unity.h"

#define N_INPUTS 5

static DaeProgram *program;

void
setUp(void)
{
  program = dae_program_new();
}

void
tearDown(void)
{
  dae_program_free(program);
}

static uint32_t
emit(DaeOp op, uint32_t a, uint32_t b)
{
  return dae_program_emit(program, op, a, b, 0);
}

static const DaeNode *
node(uint32_t number)
{
  uint32_t n = 0;
  return &dae_program_nodes(program, &n)[number];
}

/* 1/(exp(x) + 1) may have an infinite divisor and is 0 then; 1/(exp(1/x) + 1) has a pole inside,
 * and 1/(1/x) as well: an infinity there means that something is undefined. */
static void
test_divisors_that_only_overflow_need_no_guard(void)
{
  uint32_t x = dae_program_input(program, 0, DAE_LEVEL_POINT);
  uint32_t one = dae_program_constant(program, 1.0);
  uint32_t inverse = emit(DAE_OP_DIV, one, x);
  static const DaeOp growing[] = {DAE_OP_EXP, DAE_OP_SINH, DAE_OP_COSH};
  for (size_t i = 0; i < G_N_ELEMENTS(growing); i++) {
    uint32_t large = dae_program_emit(program, growing[i], x, 0, 0);
    uint32_t sum = emit(DAE_OP_ADD, large, one);
    uint32_t square = emit(DAE_OP_MUL, sum, sum);
    TEST_ASSERT_TRUE(node(large)->is_risky && node(large)->overflows);
    TEST_ASSERT_TRUE(node(square)->overflows);
    TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV, node(emit(DAE_OP_DIV, x, sum))->op);
    TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV, node(emit(DAE_OP_DIV, x, square))->op);
    uint32_t of_pole = dae_program_emit(program, growing[i], inverse, 0, 0);
    TEST_ASSERT_FALSE(node(of_pole)->overflows);
    uint32_t beside = emit(DAE_OP_ADD, of_pole, one);
    TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV_GUARDED, node(emit(DAE_OP_DIV, x, beside))->op);
    uint32_t mixed = emit(DAE_OP_MUL, large, inverse);
    TEST_ASSERT_FALSE(node(mixed)->overflows);
    TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV_GUARDED, node(emit(DAE_OP_DIV, x, mixed))->op);
  }
  TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV_GUARDED, node(emit(DAE_OP_DIV, one, inverse))->op);
  uint32_t root = emit(DAE_OP_SQRT, x, 0);
  TEST_ASSERT_EQUAL_UINT(DAE_OP_DIV_GUARDED, node(emit(DAE_OP_DIV, one, root))->op);
}

static void
test_equal_operations_are_one_node(void)
{
  uint32_t x = dae_program_input(program, 0, DAE_LEVEL_POINT);
  uint32_t y = dae_program_input(program, 1, DAE_LEVEL_POINT);
  TEST_ASSERT_EQUAL_UINT32(x, dae_program_input(program, 0, DAE_LEVEL_POINT));
  TEST_ASSERT_TRUE(x != y);
  uint32_t sum = emit(DAE_OP_ADD, x, y);
  TEST_ASSERT_EQUAL_UINT32(sum, emit(DAE_OP_ADD, x, y));
  TEST_ASSERT_TRUE(sum != emit(DAE_OP_SUB, x, y));
  TEST_ASSERT_TRUE(emit(DAE_OP_SUB, x, y) != emit(DAE_OP_SUB, y, x));
  uint32_t one = dae_program_constant(program, 1.0);
  TEST_ASSERT_EQUAL_UINT32(one, dae_program_constant(program, 1.0));
  TEST_ASSERT_TRUE(one != dae_program_constant(program, 1.0 + 0x1p-52));
}

static void
test_numbers_are_folded_as_they_would_be_computed(void)
{
  uint32_t a = dae_program_constant(program, 2.5);
  uint32_t b = dae_program_constant(program, -4.0);
  for (int op = DAE_OP_NEG; op <= DAE_OP_NE; op++) {
    if (dae_op_arity((DaeOp)op) > 2) {
      continue;
    }
    double value = NAN;
    uint32_t node = emit((DaeOp)op, a, dae_op_arity((DaeOp)op) == 2 ? b : 0);
    double expected = dae_op_apply((DaeOp)op, 2.5, -4.0, 0, 0);
    if (isfinite(expected)) {
      TEST_ASSERT_TRUE(dae_program_is_constant(program, node, &value));
      TEST_ASSERT_TRUE(value == expected);
    }
  }
}

static void
test_operands_come_before_their_users(void)
{
  uint32_t x = dae_program_input(program, 0, DAE_LEVEL_POINT);
  uint32_t node = x;
  for (int k = 0; k < 50; k++) {
    node = emit(k % 3 == 0 ? DAE_OP_MUL : DAE_OP_ADD, node, x);
    node = emit(DAE_OP_SIN, node, 0);
  }
  uint32_t n = 0;
  const DaeNode *nodes = dae_program_nodes(program, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t operands[4];
    uint32_t n_operands = dae_program_operands(&nodes[i], operands);
    TEST_ASSERT_EQUAL_UINT32(dae_op_arity((DaeOp)nodes[i].op), n_operands);
    for (uint32_t k = 0; k < n_operands; k++) {
      TEST_ASSERT_LESS_THAN_UINT32(i, operands[k]);
    }
  }
}

static void
test_a_node_has_the_highest_level_of_its_operands(void)
{
  uint32_t p = dae_program_input(program, 0, DAE_LEVEL_SEGMENT);
  uint32_t t = dae_program_input(program, 1, DAE_LEVEL_TIME);
  uint32_t x = dae_program_input(program, 2, DAE_LEVEL_POINT);
  uint32_t two = dae_program_constant(program, 2.0);
  uint32_t n = 0;
  uint32_t of_segment = emit(DAE_OP_EXP, emit(DAE_OP_MUL, p, two), 0);
  uint32_t of_time = emit(DAE_OP_ADD, of_segment, t);
  uint32_t of_point = emit(DAE_OP_MUL, of_time, x);
  const DaeNode *nodes = dae_program_nodes(program, &n);
  TEST_ASSERT_EQUAL_INT(DAE_LEVEL_SEGMENT, nodes[of_segment].level);
  TEST_ASSERT_EQUAL_INT(DAE_LEVEL_TIME, nodes[of_time].level);
  TEST_ASSERT_EQUAL_INT(DAE_LEVEL_POINT, nodes[of_point].level);
  TEST_ASSERT_TRUE(dae_program_is_of_segment(program, of_segment));
  TEST_ASSERT_FALSE(dae_program_is_of_segment(program, of_time));
  TEST_ASSERT_FALSE(dae_program_is_of_segment(program, two));
}

/* ---- powers ------------------------------------------------------------------------------ */

static double
value_of(uint32_t node, const double *inputs)
{
  uint32_t n = 0;
  const DaeNode *nodes = dae_program_nodes(program, &n);
  g_autofree double *values = g_new0(double, n + 1);
  for (uint32_t i = 0; i <= node; i++) {
    uint32_t o[4] = {0};
    dae_program_operands(&nodes[i], o);
    if (nodes[i].op == DAE_OP_CONST) {
      dae_program_is_constant(program, i, &values[i]);
    } else if (nodes[i].op == DAE_OP_INPUT) {
      values[i] = inputs[nodes[i].a];
    } else {
      values[i] = dae_op_apply((DaeOp)nodes[i].op, values[o[0]], values[o[1]], values[o[2]],
                               values[o[3]]);
    }
  }
  return values[node];
}

static void
test_powers_are_chains_of_few_multiplications(void)
{
  uint32_t x = dae_program_input(program, 0, DAE_LEVEL_POINT);
  for (uint64_t exponent = 1; exponent <= 64; exponent++) {
    uint32_t before = 0;
    uint32_t after = 0;
    dae_program_nodes(program, &before);
    uint32_t node = dae_program_power(program, x, exponent);
    dae_program_nodes(program, &after);
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(12, after - before);
    for (double v = -1.5; v <= 1.5; v += 0.375) {
      double expected = pow(v, (double)exponent);
      TEST_ASSERT_DOUBLE_WITHIN(1e-13 * (1 + fabs(expected)), expected, value_of(node, &v));
    }
  }
}

/* ---- fusion ------------------------------------------------------------------------------ */

/* Random straight-line code in additions and multiplications, which is what is fused. */
static uint32_t
random_code(GRand *random, int n, uint32_t *outputs, uint32_t n_outputs)
{
  GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < N_INPUTS; i++) {
    uint32_t input = dae_program_input(program, i, DAE_LEVEL_POINT);
    g_array_append_val(nodes, input);
  }
  static const DaeOp ops[] = {DAE_OP_ADD, DAE_OP_SUB, DAE_OP_MUL, DAE_OP_MUL, DAE_OP_ADD};
  for (int k = 0; k < n; k++) {
    uint32_t a = g_array_index(nodes, uint32_t, g_rand_int_range(random, 0, (int)nodes->len));
    uint32_t b = g_array_index(nodes, uint32_t, g_rand_int_range(random, 0, (int)nodes->len));
    uint32_t node = emit(ops[g_rand_int_range(random, 0, 5)], a, b);
    g_array_append_val(nodes, node);
  }
  for (uint32_t o = 0; o < n_outputs; o++) {
    outputs[o] = g_array_index(nodes, uint32_t, nodes->len - 1 - o);
  }
  uint32_t last = g_array_index(nodes, uint32_t, nodes->len - 1);
  g_array_free(nodes, TRUE);
  return last;
}

static DaeTape *
tape_of(const uint32_t *outputs, uint32_t n_outputs, DaeTapePlan *plan)
{
  static const uint32_t source[N_INPUTS] = {
      DAE_SOURCE_POINT, DAE_SOURCE_POINT, DAE_SOURCE_POINT, DAE_SOURCE_POINT, DAE_SOURCE_POINT};
  static const uint32_t index[N_INPUTS] = {0, 1, 2, 3, 4};
  static uint32_t starts[2];
  starts[1] = n_outputs;
  *plan = (DaeTapePlan){.program = program,
                        .outputs = outputs,
                        .group_start = starts,
                        .n_groups = 1,
                        .input_source = source,
                        .input_index = index};
  return dae_tape_from_program(plan);
}

static void
test_a_tape_computes_the_bits_of_its_program(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(41);
  for (int round = 0; round < 120; round++) {
    uint32_t outputs[3];
    random_code(random, 4 + round % 25, outputs, 3);
    DaeTapePlan plan;
    g_autoptr(DaeTape) tape = tape_of(outputs, 3, &plan);
    void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
    for (int k = 0; k < 4; k++) {
      double in[N_INPUTS];
      double out[3];
      for (int i = 0; i < N_INPUTS; i++) {
        in[i] = g_rand_double_range(random, -1.2, 1.2);
      }
      uint32_t fault = 0;
      int status = dae_tape_eval(tape, scratch, 1, in, out, &fault);
      for (uint32_t o = 0; o < 3 && status == 0; o++) {
        TEST_ASSERT_TRUE(value_of(outputs[o], in) == out[o]);
      }
    }
    free(scratch);
    dae_program_free(program);
    program = dae_program_new();
  }
}

static void
test_fusion_drops_what_nobody_needs_and_merges_what_one_user_needs(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(42);
  uint32_t n_saved = 0;
  for (int round = 0; round < 60; round++) {
    uint32_t outputs[2];
    random_code(random, 20, outputs, 2);
    DaeTapePlan plan;
    g_autoptr(DaeTape) tape = tape_of(outputs, 2, &plan);
    DaeFused fused;
    dae_fused_init(&fused, &plan);
    uint32_t n = 0;
    dae_program_nodes(program, &n);
    TEST_ASSERT_EQUAL_UINT32(n, fused.n);
    for (uint32_t i = 0; i < fused.n; i++) {
      n_saved += fused.groups[i] == 0;
      uint32_t operands[4];
      uint32_t n_operands = dae_program_operands(&fused.nodes[i], operands);
      for (uint32_t k = 0; fused.groups[i] != 0 && k < n_operands; k++) {
        TEST_ASSERT_TRUE_MESSAGE(fused.groups[operands[k]] != 0, "an operand was dropped");
      }
    }
    for (uint32_t o = 0; o < 2; o++) {
      TEST_ASSERT_TRUE(fused.groups[outputs[o]] != 0);
    }
    dae_fused_clear(&fused);
    dae_program_free(program);
    program = dae_program_new();
  }
  TEST_ASSERT_GREATER_THAN_UINT32(60, n_saved);
}

/* ---- terms ------------------------------------------------------------------------------- */

typedef struct {
  const DaeTerm *atoms;
  const double *values;
} Point;

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  for (uint32_t i = 0; i < N_INPUTS; i++) {
    if (point->atoms[i] == atom) {
      *value = point->values[i];
      return true;
    }
  }
  return false;
}

static void
test_compiled_terms_have_the_values_of_the_terms(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(43);
  uint32_t n_checked = 0;
  for (int round = 0; round < 150; round++) {
    DaeTerms *terms = dae_terms_new();
    DaeTerm atoms[N_INPUTS];
    DaeCompiler *compiler = dae_compiler_new(terms, program);
    for (uint32_t i = 0; i < N_INPUTS; i++) {
      g_autofree char *name = g_strdup_printf("x%u", i);
      atoms[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, name));
      dae_compiler_bind(compiler, atoms[i], i, DAE_LEVEL_POINT);
    }
    const RandomTerms source = {terms, random, atoms, N_INPUTS, round % 2 == 0};
    DaeTerm t = random_term(&source, 3);
    dae_compiler_announce(compiler, &t, 1);
    uint32_t node = 0;
    g_autoptr(GError) error = NULL;
    TEST_ASSERT_TRUE(dae_compiler_compile(compiler, t, &node, &error));
    for (int k = 0; k < 4; k++) {
      double values[N_INPUTS];
      for (uint32_t i = 0; i < N_INPUTS; i++) {
        values[i] = g_rand_double_range(random, -2, 2);
      }
      Point point = {atoms, values};
      double expected = NAN;
      if (dae_term_eval_double(terms, t, atom_value, &point, &expected) == DAE_EVAL_OK &&
          fabs(expected) < 1e8) {
        n_checked++;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * (1 + fabs(expected)), expected,
                                  value_of(node, values));
      }
    }
    dae_compiler_free(compiler);
    dae_terms_free(terms);
    dae_program_free(program);
    program = dae_program_new();
  }
  TEST_ASSERT_GREATER_THAN_UINT32(200, n_checked);
}

static void
test_an_atom_without_an_input_is_named(void)
{
  DaeTerms *terms = dae_terms_new();
  DaeTerm x =
      dae_term_symbol(terms, dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "lonely"));
  DaeCompiler *compiler = dae_compiler_new(terms, program);
  DaeTerm t = dae_term_call1(terms, DAE_FN_SIN, x);
  dae_compiler_announce(compiler, &t, 1);
  uint32_t node = 0;
  GError *error = NULL;
  TEST_ASSERT_FALSE(dae_compiler_compile(compiler, t, &node, &error));
  TEST_ASSERT_NOT_NULL(error);
  TEST_ASSERT_NOT_NULL(strstr(error->message, "lonely"));
  g_error_free(error);
  dae_compiler_free(compiler);
  dae_terms_free(terms);
}

/* ---- text -------------------------------------------------------------------------------- */

static void
test_numbers_in_c_text_read_back_to_the_same_bits(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(44);
  for (int k = 0; k < 3000; k++) {
    double value =
        ldexp(g_rand_double_range(random, -1, 1), g_rand_int_range(random, -1070, 1020));
    g_autoptr(GString) out = g_string_new(NULL);
    dae_emit_double(out, value);
    TEST_ASSERT_TRUE_MESSAGE(g_ascii_strtod(out->str, NULL) == value, out->str);
  }
}

static void
test_every_operation_has_a_text_that_names_its_operands(void)
{
  static const char *const names[4] = {"first", "second", "third", "fourth"};
  for (int op = DAE_OP_NEG; op < DAE_OP_COUNT; op++) {
    if (dae_op_is_of_call((DaeOp)op) || op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP) {
      continue;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    dae_emit_operation(out, (DaeOp)op, "m_", names);
    for (uint32_t i = 0; i < dae_op_arity((DaeOp)op); i++) {
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(out->str, names[i]), out->str);
    }
    for (uint32_t i = dae_op_arity((DaeOp)op); i < 4; i++) {
      TEST_ASSERT_NULL_MESSAGE(strstr(out->str, names[i]), out->str);
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_divisors_that_only_overflow_need_no_guard);
  RUN_TEST(test_equal_operations_are_one_node);
  RUN_TEST(test_numbers_are_folded_as_they_would_be_computed);
  RUN_TEST(test_operands_come_before_their_users);
  RUN_TEST(test_a_node_has_the_highest_level_of_its_operands);
  RUN_TEST(test_powers_are_chains_of_few_multiplications);
  RUN_TEST(test_a_tape_computes_the_bits_of_its_program);
  RUN_TEST(test_fusion_drops_what_nobody_needs_and_merges_what_one_user_needs);
  RUN_TEST(test_compiled_terms_have_the_values_of_the_terms);
  RUN_TEST(test_an_atom_without_an_input_is_named);
  RUN_TEST(test_numbers_in_c_text_read_back_to_the_same_bits);
  RUN_TEST(test_every_operation_has_a_text_that_names_its_operands);
  return UNITY_END();
}
