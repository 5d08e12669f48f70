/* What the sections of a class may say of components: when-clauses give values to variables of
 * their own class [MLS, section 4.5.3], ranges of for-equations are known at translation
 * [MLS, section 8.3.3]. */
#include <string.h>

#include "lang/instance.h"

/* The first part of a reference. `is_whole`: there are no others. 0: it is none. */
static uint32_t
first_part(DaeLang *lang, const DaeInstruction *instruction, bool *is_whole)
{
  uint32_t name = instruction->arg;
  uint32_t n_parts = 1;
  if (instruction->op == DAE_OP_PATH || instruction->op == DAE_OP_TARGET) {
    n_parts = g_array_index(lang->syntax->paths, uint32_t, instruction->arg);
    name = g_array_index(lang->syntax->paths, uint32_t, instruction->arg + 1);
  } else if (instruction->op != DAE_OP_NAME && instruction->op != DAE_OP_ELEMENT) {
    return 0;
  }
  uint32_t rest = 0;
  uint32_t literals[8];
  uint32_t n_literals = 0;
  uint32_t first = dae_name_split(lang, name, &rest);
  *is_whole = n_parts == 1 && rest == 0;
  return dae_name_bare(lang, first, literals, &n_literals);
}

/* The component of the class that the reference begins with; NULL: it begins otherwise. */
static const DaeElement *
own_component(DaeLang *lang, DaeNode *node, uint32_t pc, bool *is_whole)
{
  uint32_t name = first_part(lang, dae_syntax_code(lang->syntax, pc), is_whole);
  const DaeElement *element = name != 0 ? dae_node_element(lang, node, name) : NULL;
  return element != NULL && element->kind == DAE_ELEMENT_COMPONENT ? element : NULL;
}

/* ---- when-clauses ---------------------------------------------------------------------------- */

static bool
check_given(DaeLang *lang, DaeNode *node, uint32_t pc)
{
  bool is_whole = false;
  const DaeElement *element = own_component(lang, node, pc, &is_whole);
  const DaeNode *type = element != NULL && !is_whole ? dae_element_class(lang, element) : NULL;
  if (type == NULL || (!dae_node_is_kind(lang, type, DAE_CLASS_MODEL) &&
                       !dae_node_is_kind(lang, type, DAE_CLASS_BLOCK))) {
    return true;
  }
  dae_error_once(lang, dae_syntax_code(lang->syntax, pc)->pos,
                 "a when-clause gives values to variables of its own class, not to those of "
                 "the component '%s'",
                 element->name);
  return false;
}

/* What the equation at pc gives values to: its left side, or each member of a tuple. */
static bool
check_left(DaeLang *lang, DaeNode *node, uint32_t pc)
{
  uint32_t last = dae_syntax_skip_back(lang->syntax, pc, 1) - 1;
  const DaeInstruction *left = dae_syntax_code(lang->syntax, last);
  if (left->op != DAE_OP_TUPLE) {
    return check_given(lang, node, last);
  }
  bool good = true;
  for (uint32_t k = 0, end = last; k < left->n && good; k++) {
    good = check_given(lang, node, end - 1);
    end = dae_syntax_skip_back(lang->syntax, end, 1);
  }
  return good;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Is the name an iterator of a loop before pc? */
static bool
is_iterator(const DaeLang *lang, uint32_t code, uint32_t pc, uint32_t name)
{
  for (; code < pc; code++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, code);
    if (instruction->op == DAE_OP_ITERATOR && instruction->arg == name) {
      return true;
    }
  }
  return false;
}

/* The value between begin and end, a range, names no variable; sizes of one are known. */
static bool
check_range(DaeLang *lang, DaeNode *node, uint32_t code, uint32_t begin, uint32_t end)
{
  const uint32_t known = DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT | DAE_FLAG_OUTER;
  for (uint32_t pc = begin; pc < end; pc++) {
    if (dae_syntax_code(lang->syntax, pc)->op == DAE_OP_CALL) {
      return true;
    }
  }
  for (uint32_t pc = begin; pc < end; pc++) {
    bool is_whole = false;
    const DaeElement *element = own_component(lang, node, pc, &is_whole);
    if (element != NULL && is_whole && (element->flags & known) == 0 &&
        !is_iterator(lang, code, begin, element->name)) {
      dae_error_once(lang, dae_syntax_code(lang->syntax, pc)->pos,
                     "'%s' is a variable: the range of a for-equation is known at translation",
                     element->name);
      return false;
    }
  }
  return true;
}

bool
dae_check_section(DaeLang *lang, DaeNode *node, const DaeSection *section)
{
  uint32_t whens = 0;
  bool good = true;
  for (uint32_t pc = section->code; good; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    switch ((int)instruction->op) {
    case DAE_OP_RETURN:
      return true;
    case DAE_OP_WHEN:
      whens++;
      break;
    case DAE_OP_ENDWHEN:
      whens--;
      break;
    case DAE_OP_TARGET:
      good = whens == 0 || check_given(lang, node, pc);
      break;
    case DAE_OP_EQUATION:
      good = whens == 0 || check_left(lang, node, pc);
      break;
    case DAE_OP_FOR:
      good =
          section->is_algorithm ||
          check_range(lang, node, section->code, dae_syntax_skip_back(lang->syntax, pc, 1), pc);
      break;
    default:
      break;
    }
  }
  return good;
}
