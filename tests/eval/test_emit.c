/* C text of numbers and operations: a literal reads back to the same bits, an operation says what
 * dae_op_apply computes. That the text compiles to the same values is test_native's. */
#include <math.h>
#include <string.h>

#include "eval/program.h"
#include "unity.h"

static GString *out;

void
setUp(void)
{
  out = g_string_new(NULL);
}

void
tearDown(void)
{
  g_string_free(out, TRUE);
}

static const char *
literal(double value)
{
  g_string_truncate(out, 0);
  dae_emit_double(out, value);
  return out->str;
}

static void
check_reads_back(double value)
{
  const char *text = literal(value);
  double back = g_ascii_strtod(text[0] == '(' ? text + 1 : text, NULL);
  TEST_ASSERT_TRUE_MESSAGE(memcmp(&back, &value, sizeof value) == 0, text);
}

static void
test_literals_read_back_to_the_same_bits(void)
{
  const double given[] = {0.0,     -0.0,  1.0,     -1.0,      0.1,
                          1.0 / 3, 1e308, -1e-308, 0x1p-1074, 0x1.fffffffffffffp1023,
                          1e22,    1e23,  123456,  0x1p53,    0x1p53 + 2};
  for (size_t i = 0; i < G_N_ELEMENTS(given); i++) {
    check_reads_back(given[i]);
  }
  GRand *random = g_rand_new_with_seed(3);
  for (int i = 0; i < 2000; i++) {
    uint64_t bits = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) {
      check_reads_back(value);
    }
  }
  g_rand_free(random);
}

/* C reads 1 as an int: 1/3 would be 0. */
static void
test_whole_numbers_are_doubles_in_c(void)
{
  const double whole[] = {0, 1, -7, 100, 1e15, 1e16};
  for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
    TEST_ASSERT_NOT_NULL_MESSAGE(strpbrk(literal(whole[i]), ".e"), out->str);
  }
}

static const char *
operation(DaeOp op)
{
  const char *const operands[4] = {"a", "b", "c", "d"};
  g_string_truncate(out, 0);
  dae_emit_operation(out, op, "m_", operands);
  return out->str;
}

/* Every operation but those that are no expression names all its operands, and no other. */
static void
test_operations_use_their_operands(void)
{
  for (int op = DAE_OP_NEG; op <= DAE_OP_NE; op++) {
    uint32_t arity = dae_op_arity((DaeOp)op);
    g_autofree char *text = g_strdup(operation((DaeOp)op));
    for (uint32_t k = 0; k < 4; k++) {
      char pattern[] = {'\\', 'b', (char)('a' + k), '\\', 'b', '\0'};
      g_autoptr(GRegex) word = g_regex_new(pattern, 0, 0, NULL);
      TEST_ASSERT_EQUAL_MESSAGE(k < arity, g_regex_match(word, text, 0, NULL), text);
    }
  }
}

static void
test_helpers_come_with_the_operations_that_call_them(void)
{
  bool used[DAE_OP_COUNT] = {false};
  dae_emit_helpers(out, used, "m_");
  TEST_ASSERT_EQUAL_STRING("", out->str);
  used[DAE_OP_REM] = true;
  dae_emit_helpers(out, used, "m_");
  TEST_ASSERT_NOT_NULL(strstr(out->str, "m_rem"));
  TEST_ASSERT_NULL(strstr(out->str, "m_mod"));
  g_autofree char *helpers = g_strdup(out->str);
  const char *call = strstr(operation(DAE_OP_REM), "m_rem");
  TEST_ASSERT_NOT_NULL_MESSAGE(call, out->str);
  TEST_ASSERT_NOT_NULL(strstr(helpers, "static double"));
}

static void
test_functions_of_data_are_written_where_they_are_used(void)
{
  const double values[] = {0.0, 0.5, 2.0};
  bool used[DAE_OP_COUNT] = {[DAE_OP_LOOKUP] = true};
  dae_emit_data_array(out, "m_", 7, values, 3);
  TEST_ASSERT_NOT_NULL(strstr(out->str, "m_data_7"));
  TEST_ASSERT_NULL(strstr(out->str, "m_lookup"));
  dae_emit_helpers(out, used, "m_");
  TEST_ASSERT_NOT_NULL(strstr(out->str, "double m_lookup("));
  TEST_ASSERT_NULL(strstr(out->str, "m_interval")); /* compilers warn of unused functions */
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_literals_read_back_to_the_same_bits);
  RUN_TEST(test_whole_numbers_are_doubles_in_c);
  RUN_TEST(test_operations_use_their_operands);
  RUN_TEST(test_helpers_come_with_the_operations_that_call_them);
  RUN_TEST(test_functions_of_data_are_written_where_they_are_used);
  return UNITY_END();
}
