/* String variables that an equation defines: `String s; equation s = "x is " + String(x);`. The
 * other side of the equation becomes the value of the declaration; texts need no equations. */
#include "model/calls.h"

/* Copies the code from `from` up to `to` and ends it. */
static uint32_t
copy_value(DaeSyntax *syntax, uint32_t from, uint32_t to)
{
  uint32_t start = syntax->code->len;
  for (uint32_t pc = from; pc < to; pc++) {
    DaeInstruction instruction = *dae_syntax_code(syntax, pc);
    g_array_append_val(syntax->code, instruction);
  }
  dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, dae_syntax_code(syntax, from)->pos);
  return start;
}

static bool
is_name(const DaeSyntax *syntax, uint32_t from, uint32_t to, uint32_t name)
{
  const DaeInstruction *instruction = dae_syntax_code(syntax, from);
  return to == from + 1 && instruction->op == DAE_OP_NAME && instruction->arg == name;
}

/* The value that the equation at pc gives the variable; 0: it is no equation of it. */
static uint32_t
value_in_equation(DaeSyntax *syntax, uint32_t pc, uint32_t name)
{
  uint32_t right = dae_syntax_skip_back(syntax, pc, 1);
  uint32_t left = dae_syntax_skip_back(syntax, pc, 2);
  if (is_name(syntax, left, right, name)) {
    return copy_value(syntax, right, pc);
  }
  return is_name(syntax, right, pc, name) ? copy_value(syntax, left, right) : 0;
}

/* Equations inside of if, for and when do not count: they may not hold. */
static uint32_t
value_in_section(DaeSyntax *syntax, uint32_t code, uint32_t name)
{
  uint32_t depth = 0;
  for (uint32_t pc = code; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t op = dae_syntax_code(syntax, pc)->op;
    depth += op == DAE_OP_FOR || op == DAE_OP_WHETHER || op == DAE_OP_WHEN ? 1 : 0;
    depth -= op == DAE_OP_ENDFOR || op == DAE_OP_ENDWHETHER || op == DAE_OP_ENDWHEN ? 1 : 0;
    uint32_t value =
        op == DAE_OP_EQUATION && depth == 0 ? value_in_equation(syntax, pc, name) : 0;
    if (value != 0) {
      return value;
    }
  }
  return 0;
}

bool
dae_text_find_value(DaeReader *reader, uint32_t index)
{
  DaeSyntax *syntax = reader->syntax;
  uint32_t name = dae_syntax_declaration(syntax, index)->name;
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    const DaeSection section = g_array_index(syntax->sections, DaeSection, i);
    if (section.owner != reader->model || section.is_initial || section.is_guess ||
        section.is_algorithm) {
      continue;
    }
    uint32_t value = value_in_section(syntax, section.code, name);
    if (value != 0) {
      dae_syntax_declaration(syntax, index)->binding = value;
      return true;
    }
  }
  return false;
}

/* Two texts: the same, or told. Values at run time are compared as they are written. */
bool
dae_text_equate(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  bool same = a->count == b->count;
  for (uint32_t k = 0; same && k < a->count; k++) {
    same = dae_value_element(a, k) == dae_value_element(b, k);
  }
  if (!same) {
    dae_source_error(reader->source, pos, "the texts of this equation are not the same");
  }
  return same;
}
