/* String variables that an equation or a statement defines: `String s; equation s = "x is " +
 * String(x);`. The other side becomes the value of the declaration; texts need no equations. One
 * that nothing defines is its start value. */
#include "reader/calls.h"

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
value_in_section(DaeSyntax *syntax, uint32_t code, uint32_t name, bool *is_assigned)
{
  uint32_t depth = 0;
  for (uint32_t pc = code; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t op = dae_syntax_code(syntax, pc)->op;
    depth += op == DAE_OP_FOR || op == DAE_OP_WHETHER || op == DAE_OP_WHEN ? 1 : 0;
    depth -= op == DAE_OP_ENDFOR || op == DAE_OP_ENDWHETHER || op == DAE_OP_ENDWHEN ? 1 : 0;
    uint32_t value = op == DAE_OP_EQUATION ? value_in_equation(syntax, pc, name) : 0;
    if (value != 0 && depth == 0) {
      return value;
    }
    *is_assigned = *is_assigned || value != 0;
  }
  return 0;
}

/* The variable that an instruction assigns as a whole; 0: none. */
static uint32_t
assigned_name(const DaeSyntax *syntax, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(syntax, pc);
  if (instruction->op != DAE_OP_TARGET) {
    return 0;
  }
  const uint32_t *path = &g_array_index(syntax->paths, uint32_t, instruction->arg);
  return path[1];
}

/* Does the section assign a variable that stands in the code? Its value at that place may be
 * another one than at the end. */
static bool
assigns_part_of(const DaeSyntax *syntax, uint32_t section, uint32_t from, uint32_t to)
{
  for (uint32_t pc = section; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t name = assigned_name(syntax, pc);
    for (uint32_t at = from; name != 0 && at < to; at++) {
      const DaeInstruction *used = dae_syntax_code(syntax, at);
      if ((used->op == DAE_OP_NAME || used->op == DAE_OP_ELEMENT) && used->arg == name) {
        return true;
      }
    }
  }
  return false;
}

/* s := value once, outside of if, for, while and when. */
static uint32_t
value_in_algorithm(DaeSyntax *syntax, uint32_t code, uint32_t name, bool *is_assigned)
{
  uint32_t depth = 0;
  uint32_t value = 0;
  for (uint32_t pc = code; dae_syntax_code(syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t op = dae_syntax_code(syntax, pc)->op;
    depth += op == DAE_OP_FOR || op == DAE_OP_WHETHER || op == DAE_OP_WHEN || op == DAE_OP_WHILE
                 ? 1
                 : 0;
    depth -= op == DAE_OP_ENDFOR || op == DAE_OP_ENDWHETHER || op == DAE_OP_ENDWHEN ||
                     op == DAE_OP_ENDWHILE
                 ? 1
                 : 0;
    if (assigned_name(syntax, pc) != name) {
      continue;
    }
    uint32_t end = pc + 1;
    while (dae_syntax_code(syntax, end)->op != DAE_OP_ASSIGN) {
      end++;
    }
    bool is_plain = depth == 0 && !*is_assigned &&
                    dae_syntax_skip_back(syntax, end, 1) == pc + 1 &&
                    !assigns_part_of(syntax, code, pc + 1, end);
    value = is_plain ? copy_value(syntax, pc + 1, end) : 0;
    *is_assigned = true;
  }
  return value;
}

/* Nothing defines it: it keeps its start value. */
static uint32_t
value_at_start(DaeReader *reader, const DaeDeclaration *declaration)
{
  DaeSyntax *syntax = reader->syntax;
  uint32_t id = dae_names_find(reader->names, "start", 5);
  const DaeModification *start =
      id != 0 ? dae_syntax_modification(syntax, declaration->first_mod, declaration->n_mods, id)
              : NULL;
  dae_source_warning(reader->source, declaration->pos,
                     "nothing gives the String variable '%s' a value: it is its start value",
                     dae_names_text(reader->names, declaration->name));
  if (start != NULL && start->code != 0) {
    return start->code;
  }
  uint32_t code = syntax->code->len;
  uint32_t pos = declaration->pos;
  dae_syntax_emit(syntax, DAE_OP_STRING, 0, dae_names_intern(reader->names, "", 0), pos);
  dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, pos);
  return code;
}

bool
dae_text_find_value(DaeReader *reader, uint32_t index, bool is_element)
{
  bool is_assigned = false;
  DaeSyntax *syntax = reader->syntax;
  uint32_t name = dae_syntax_declaration(syntax, index)->name;
  for (uint32_t i = 0; i < syntax->sections->len; i++) {
    const DaeSection section = g_array_index(syntax->sections, DaeSection, i);
    if (section.owner != reader->model || section.is_initial || section.is_guess) {
      continue;
    }
    uint32_t value = section.is_algorithm
                         ? value_in_algorithm(syntax, section.code, name, &is_assigned)
                         : value_in_section(syntax, section.code, name, &is_assigned);
    if (value != 0) {
      dae_syntax_declaration(syntax, index)->binding = value;
      return true;
    }
  }
  const DaeDeclaration declaration = *dae_syntax_declaration(syntax, index);
  bool is_open = !is_assigned && (declaration.n_dims == 0 || is_element);
  if (is_open) {
    uint32_t value = value_at_start(reader, &declaration);
    dae_syntax_declaration(syntax, index)->binding = value;
  }
  return is_open;
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
