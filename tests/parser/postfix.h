/* Expressions in postfix, as the parser stores them, as text that is easy to compare. */
#ifndef DAE_TESTS_PARSER_POSTFIX_H
#define DAE_TESTS_PARSER_POSTFIX_H

#include "parser/syntax.h"

static void
append_postfix(GString *out, const DaeSyntax *syntax, const DaeNames *names, uint32_t code)
{
  static const char *const operators[] = {
      [DAE_OP_NEGATE] = "neg", [DAE_OP_NOT] = "not", [DAE_OP_ADD] = "+",
      [DAE_OP_SUB] = "-",      [DAE_OP_MUL] = "*",   [DAE_OP_DIV] = "/",
      [DAE_OP_POW] = "^",      [DAE_OP_LT] = "<",    [DAE_OP_GT] = ">",
      [DAE_OP_EQ] = "==",      [DAE_OP_AND] = "and", [DAE_OP_OR] = "or",
      [DAE_OP_TEST] = "?",     [DAE_OP_ELSE] = ":",  [DAE_OP_ENDIF] = ".",
      [DAE_OP_EQUATION] = "=;"};
  for (uint32_t pc = code; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
    g_string_append_c(out, ' ');
    switch ((int)instruction->op) {
    case DAE_OP_NUMBER:
    case DAE_OP_NAME:
    case DAE_OP_STRING:
      g_string_append(out, dae_names_text(names, instruction->arg));
      break;
    case DAE_OP_BOOLEAN:
      g_string_append(out, instruction->arg != 0 ? "true" : "false");
      break;
    case DAE_OP_ELEMENT:
    case DAE_OP_CALL:
      g_string_append_printf(out, "%s/%u", dae_names_text(names, instruction->arg),
                             (unsigned)instruction->n);
      break;
    case DAE_OP_ARRAY:
      g_string_append_printf(out, "{%u}", (unsigned)instruction->n);
      break;
    case DAE_OP_INDEX:
      g_string_append_printf(out, "[%u]", (unsigned)instruction->n);
      break;
    default: {
      bool is_known =
          instruction->op < G_N_ELEMENTS(operators) && operators[instruction->op] != NULL;
      g_string_append(out, is_known ? operators[instruction->op] : "<?>");
    }
    }
  }
}

#endif
