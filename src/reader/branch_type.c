/* The branch of an if-expression that a known condition leaves out is not evaluated (it may have
 * no value: x[n] where n is 0), but it has a type, and that must be the one of the other branch
 * [MLS 3.6, 3.6.5]. What its last instructions tell about it is looked at: literals, operators,
 * String(), and plain names of the model. */
#include "reader/calls.h"

#include <string.h>

typedef enum { ANY, TEXT, TRUTH, NUMBER, ARITHMETIC /* a number or an operator record */ } Kind;

static Kind
kind_of_name(DaeReader *reader, uint32_t name)
{
  uint32_t binding =
      dae_reference_is_local(reader, name) ? 0 : dae_names_binding(reader->names, name);
  if (binding == 0 || binding >= reader->entities->len) {
    return ANY;
  }
  switch ((int)g_array_index(reader->entities, DaeEntity, binding).type) {
  case DAE_VALUE_REAL:
  case DAE_VALUE_INTEGER:
    return NUMBER;
  case DAE_VALUE_BOOLEAN:
    return TRUTH;
  case DAE_VALUE_STRING:
    return TEXT;
  default:
    return ANY;
  }
}

/* The kind of the expression whose last instruction is at pc. */
static Kind
kind_of_code(DaeReader *reader, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
  while (instruction->op == DAE_OP_ADD || instruction->op == DAE_OP_ENDIF) {
    instruction--; /* a + b is of the type of b, an if-expression of that of its last branch */
  }
  switch ((int)instruction->op) {
  case DAE_OP_STRING:
    return TEXT;
  case DAE_OP_NUMBER:
    return NUMBER;
  case DAE_OP_BOOLEAN:
    return TRUTH;
  case DAE_OP_NAME:
    return reader->scopes->len == 0 ? kind_of_name(reader, instruction->arg) : ANY;
  case DAE_OP_CALL:
    return strcmp(dae_names_text(reader->names, instruction->arg), "String") == 0 ? TEXT : ANY;
  case DAE_OP_NEGATE:
  case DAE_OP_SUB:
  case DAE_OP_MUL:
  case DAE_OP_DIV:
  case DAE_OP_POW:
    return ARITHMETIC;
  default:
    return instruction->op == DAE_OP_NOT ||
                   (instruction->op >= DAE_OP_LT && instruction->op <= DAE_OP_OR)
               ? TRUTH
               : ANY;
  }
}

static const char *
text_of_kind(Kind kind)
{
  switch (kind) {
  case TEXT:
    return "String";
  case TRUTH:
    return "Boolean";
  case ANY:
  case NUMBER:
  case ARITHMETIC:
    break;
  }
  return "a number";
}

bool
dae_branch_fits(DaeReader *reader, const DaeValue *taken, uint32_t root, uint32_t pos)
{
  Kind kind = kind_of_code(reader, root);
  bool is_number = dae_value_is_numeric(taken);
  bool is_text = taken->type == DAE_VALUE_STRING;
  bool is_truth = taken->type == DAE_VALUE_BOOLEAN;
  bool fits = kind == ANY || !(is_number || is_text || is_truth) ||
              (kind == TEXT    ? is_text
               : kind == TRUTH ? is_truth
                               : is_number);
  if (!fits) {
    dae_source_error(reader->source, pos, "the branches of this 'if' are %s and %s",
                     dae_value_type_text(taken), text_of_kind(kind));
  }
  return fits;
}
