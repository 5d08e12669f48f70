#include "reading.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static void
test_for_equations_become_scalars_in_order(void)
{
  assert_class_shows(
      "  Real x[1,1];\n  Real x[1,2];\n  Real x[2,1];\n  Real x[2,2];\nequation\n  x[1,1] = "
      "11;\n"
      "  x[1,2] = 12;\n  x[2,1] = 21;\n  x[2,2] = 22;\n",
      "Real x[2,2]; equation for i in 1:2, j in 1:2 loop x[i,j] = 10*i + j; end for;");
}

static void
test_loops_inside_loops_and_empty_loops(void)
{
  assert_class_shows(
      "  Real x[1];\n  Real x[2];\n  Real x[3];\nequation\n  x[1] = 1;\n  x[2] = 2;\n  x[3] = "
      "3;\n",
      "Real x[3]; equation for i in 1:2 loop for j in i:1 loop x[i] = j; end for; end for;"
      " for k in {2, 3} loop x[k] = k; end for; for l in 1:0 loop x[l] = 1; end for;");
}

static void
test_if_equations_become_if_terms(void)
{
  assert_body_shows(
      "  Real x;\n  Real y;\nequation\n  x = if time > 1 then 1 else 2;\n"
      "  0 = if time > 1 then y - 3 else x*y - 4;\n",
      "Real x, y; equation if time > 1 then x = 1; y = 3; else x = 2; x*y = 4; end if;");
}

static void
test_elseif_is_an_if_inside_else(void)
{
  assert_body_shows(
      "  Real x;\nequation\n  x = if time > 2 then 1 else if time > 1 then 2 else 3;\n",
      "Real x; equation if time > 2 then x = 1; elseif time > 1 then x = 2; else x = 3; end "
      "if;");
}

static void
test_constant_conditions_choose_at_once(void)
{
  assert_body_shows("  parameter Boolean b = true;\n  parameter Integer n = 2;\n  Real x;\n  "
                    "Real y;\nequation\n  x = 1;\n"
                    "  y = 2;\n",
                    "parameter Boolean b = true; parameter Integer n = 2; Real x, y; equation "
                    "if b then x = 1; end if;"
                    " if n == 1 then y = 1; y = 3; else y = 2; end if;");
}

static void
test_real_parameters_choose_only_where_the_branches_do_not_balance(void)
{
  assert_body_shows(
      "  parameter Real p = 1;\n  Real x;\n  Real y;\nequation\n  x = if p > 0 then 1 else "
      "2;\n  y = 1;\n",
      "parameter Real p = 1; Real x, y; equation if p > 0 then x = 1; else x = 2; end if;"
      " if p > 0 then y = 1; end if;");
}

static void
test_branches_must_balance(void)
{
  assert_messages("1:26: error: the branches of this if-equation have 1 and 0 equations; they "
                  "must have equally many\n",
                  "model M Real x; equation if time > 1 then x = 1; end if; end M;");
}

static void
test_the_branch_not_taken_may_be_outside_the_array(void)
{
  assert_class_shows(
      "  Real x[1];\n  Real x[2];\nequation\n  x[1] = 0;\n  x[2] = x[1];\n",
      "Real x[2]; equation for i in 1:2 loop x[i] = if i > 1 then x[i - 1] else 0; end for;");
}

static void
test_assertions_are_kept_and_guarded(void)
{
  assert_body_shows(
      "  Real x;\nequation\n  x = 1;\n  assert(x > 0, \"positive\");\n"
      "  assert(x < 2 or not (time > 1), \"later\", AssertionLevel.warning);\n",
      "Real x; equation x = 1; assert(x > 0, \"positive\");"
      " if time > 1 then assert(x < 2, \"later\", AssertionLevel.warning); end if;");
}

static void
test_an_assertion_that_cannot_hold_is_an_error(void)
{
  assert_messages(
      "1:41: error: assertion failed: n is odd\n",
      "model M parameter Integer n=4; equation assert(mod(n, 2) == 1, \"n is odd\"); end M;");
}

static void
test_initial_equations_come_before_fixed_starts(void)
{
  Reading reading =
      read_text("model M Real x(start = 3, fixed = true), y(fixed = true), z;\n"
                "initial equation z = 1;\nequation der(x) = 1; der(y) = 2; der(z) = 3;\n"
                "initial equation der(z) = 0; end M;");
  TEST_ASSERT_EQUAL_UINT(4, dae_model_n_initial_equations(reading.model));
  static const char *const expected[] = {"z = 1", "der(z) = 0", "x = 3", "y = 0"};
  for (uint32_t i = 0; i < 4; i++) {
    g_autoptr(GString) text = g_string_new(NULL);
    dae_model_print_equation(reading.terms, dae_model_initial_equation(reading.model, i), text);
    TEST_ASSERT_EQUAL_STRING(expected[i], text->str);
  }
  TEST_ASSERT_EQUAL_INT(DAE_FROM_FIXED_START,
                        dae_model_initial_equation(reading.model, 2)->origin);
  end_reading(&reading);
}

static void
test_declaration_equations_come_last_in_the_order_of_declarations(void)
{
  Reading reading =
      read_text("model M Real b = 2; Real a[2] = {3, 4}; Real c; equation c = 1; end M;");
  static const char *const expected[] = {"c = 1", "b = 2", "a[1] = 3", "a[2] = 4"};
  TEST_ASSERT_EQUAL_UINT(4, dae_model_n_equations(reading.model));
  for (uint32_t i = 0; i < 4; i++) {
    g_autoptr(GString) text = g_string_new(NULL);
    dae_model_print_equation(reading.terms, dae_model_equation(reading.model, i), text);
    TEST_ASSERT_EQUAL_STRING(expected[i], text->str);
  }
  end_reading(&reading);
}

static void
test_guesses_of_base_modelica_are_start_values(void)
{
  assert_body_shows("  parameter Real p = 2;\n  Real x(start = 3*p);\n  Real y(start = "
                    "5);\ninitial equation\n  x = 3*p;\n"
                    "equation\n  der(x) = 1;\n  der(y) = 2;\n",
                    "parameter Real p = 2; Real x, y; parameter equation guess(x) = 3*p;\n"
                    "parameter equation guess(y) = prioritize(5, 1); initial equation x = "
                    "guess(x); prioritize(y, 2);\n"
                    "equation der(x) = 1; der(y) = 2;");
  assert_messages("1:37: error: a parameter equation has the form guess(x) = value\n",
                  "model M Real x; parameter equation  gess(x) = 3; equation x = 1; end M;");
  assert_messages("1:17: error: guess(x) = value gives a variable a value that depends on "
                  "parameters only\n",
                  "model M Real x; parameter equation guess(x) = time; equation x = 1; end M;");
}

static void
test_a_broken_head_leaves_the_rest_of_the_section_alone(void)
{
  assert_messages("2:8: error: expected an expression, found 'then'\n"
                  "3:13: error: expected an expression, found 'loop'\n"
                  "4:33: error: expected an expression, found 'then'\n"
                  "5:5: error: unknown name 'q'\n",
                  "model M Real x, y; equation\n"
                  "if x > then x = 1; elseif y > 2 then x = 2; else x = 3; end if;\n"
                  "for i in 1: loop x = i; end for;\n"
                  "if x > 1 then y = 1; elseif x > then y = 2; else y = 3; end if;\n"
                  "y = q;\nend M;\n");
}

static void
test_blocks_that_do_not_end(void)
{
  assert_messages("1:53: error: expected 'end for' for the block that begins in line 1\n",
                  "model M Real x; equation for i in 1:3 loop x = i;   end M;");
  assert_messages(
      "1:58: error: expected 'end if' for the block that begins in line 1\n",
      "model M Real x; equation for i in 1:1 loop if x > 1 then end for; x = 1; end M;");
  assert_messages("1:26: error: 'else' without 'if'\n",
                  "model M Real x; equation else x = 1; end M;");
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_for_equations_become_scalars_in_order);
  RUN_TEST(test_loops_inside_loops_and_empty_loops);
  RUN_TEST(test_if_equations_become_if_terms);
  RUN_TEST(test_elseif_is_an_if_inside_else);
  RUN_TEST(test_constant_conditions_choose_at_once);
  RUN_TEST(test_real_parameters_choose_only_where_the_branches_do_not_balance);
  RUN_TEST(test_branches_must_balance);
  RUN_TEST(test_the_branch_not_taken_may_be_outside_the_array);
  RUN_TEST(test_assertions_are_kept_and_guarded);
  RUN_TEST(test_an_assertion_that_cannot_hold_is_an_error);
  RUN_TEST(test_initial_equations_come_before_fixed_starts);
  RUN_TEST(test_declaration_equations_come_last_in_the_order_of_declarations);
  RUN_TEST(test_guesses_of_base_modelica_are_start_values);
  RUN_TEST(test_a_broken_head_leaves_the_rest_of_the_section_alone);
  RUN_TEST(test_blocks_that_do_not_end);
  return UNITY_END();
}
