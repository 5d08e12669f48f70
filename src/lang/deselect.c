/* Selective model extension [MLS, section 7.4]: what an extends-clause leaves out of its base
 * class. `break x` leaves out the component and the connects of it, `break connect(a, b)` the
 * connects that are written like that. */
#include <string.h>

#include "lang/instance.h"

/* Components of models, blocks and connectors: what the declaration says, not what redeclares
 * it. */
static bool
may_be_left_out(DaeLang *lang, const DaeElement *element)
{
  const DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, element->index);
  DaeElement *type =
      dae_lookup_class_element(lang, element->home, declaration.type, DAE_NO_PLACE);
  DaeNode *node = type != NULL ? dae_element_node(lang, type, NULL) : NULL;
  if (node == NULL) {
    return true; /* which is told where the type is wanted */
  }
  return dae_node_is_connector(lang, node) || dae_node_is_kind(lang, node, DAE_CLASS_MODEL) ||
         dae_node_is_kind(lang, node, DAE_CLASS_BLOCK) ||
         dae_node_is_kind(lang, node, DAE_CLASS_CLASS);
}

static void
deselect_component(DaeLang *lang, DaeNode *base, const DaeModification *entry)
{
  DaeElement *element = dae_node_element(lang, base, entry->name);
  if (element == NULL || element->is_removed) {
    dae_error_once(lang, entry->pos, "there is no inherited '%s' to leave out", entry->name);
  } else if (element->kind != DAE_ELEMENT_COMPONENT) {
    dae_error_once(lang, entry->pos, "'%s' is a class: only components can be left out",
                   entry->name);
  } else if (!may_be_left_out(lang, element)) {
    dae_error_once(lang, entry->pos,
                   "'%s' is neither model, block nor connector: it cannot be left out",
                   entry->name);
  } else {
    element->is_removed = true;
  }
}

/* Are the connects at these places written alike, either way round? */
static bool
is_same_connect(const DaeSyntax *syntax, uint32_t a, uint32_t b)
{
  uint32_t a_first = dae_syntax_skip_back(syntax, a, 2);
  uint32_t a_second = dae_syntax_skip_back(syntax, a, 1);
  uint32_t b_first = dae_syntax_skip_back(syntax, b, 2);
  uint32_t b_second = dae_syntax_skip_back(syntax, b, 1);
  uint32_t n1 = a_second - a_first;
  uint32_t n2 = a - a_second;
  bool is_same = n1 == b_second - b_first && n2 == b - b_second &&
                 dae_same_range(syntax, a_first, b_first, n1) &&
                 dae_same_range(syntax, a_second, b_second, n2);
  return is_same || (n1 == b - b_second && n2 == b_second - b_first &&
                     dae_same_range(syntax, a_first, b_second, n1) &&
                     dae_same_range(syntax, a_second, b_first, n2));
}

/* The CONNECT that ends the code of a deselection. */
static uint32_t
connect_of(const DaeSyntax *syntax, uint32_t code)
{
  while (dae_syntax_code(syntax, code)->op != DAE_OP_CONNECT) {
    code++;
  }
  return code;
}

/* The first name of a reference. */
static uint32_t
first_name(DaeLang *lang, uint32_t pc)
{
  const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
  uint32_t name = instruction->op == DAE_OP_PATH
                      ? g_array_index(lang->syntax->paths, uint32_t, instruction->arg + 1)
                      : instruction->arg;
  uint32_t rest = 0;
  uint32_t n = 0;
  uint32_t subscripts[8];
  return dae_name_bare(lang, dae_name_split(lang, name, &rest), subscripts, &n);
}

static bool
is_left_out(DaeLang *lang, const DaeNode *node, uint32_t pc)
{
  const DaeElement *element =
      g_hash_table_lookup(node->table, GUINT_TO_POINTER(first_name(lang, pc)));
  return element != NULL && element->is_removed;
}

static bool
is_of_left_out(DaeLang *lang, const DaeNode *node, uint32_t pc)
{
  return is_left_out(lang, node, pc - 1) ||
         is_left_out(lang, node, dae_syntax_skip_back(lang->syntax, pc, 1) - 1);
}

/* Has the class or a base of it such a connect? */
static bool
has_connect(DaeLang *lang, const DaeNode *node, uint32_t wanted, uint32_t depth)
{
  for (guint i = 0; i < node->bases->len && depth < DAE_MAX_NESTING; i++) {
    if (has_connect(lang, node->bases->pdata[i], wanted, depth + 1)) {
      return true;
    }
  }
  for (uint32_t i = node->class != 0
                        ? dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS)
                        : 0;
       i != 0; i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    uint32_t pc = g_array_index(lang->syntax->sections, DaeSection, i - 1).code;
    for (; dae_syntax_code(lang->syntax, pc)->op != DAE_OP_RETURN; pc++) {
      if (dae_syntax_code(lang->syntax, pc)->op == DAE_OP_CONNECT &&
          is_same_connect(lang->syntax, pc, wanted) && !is_of_left_out(lang, node, pc)) {
        return true;
      }
    }
  }
  return false;
}

void
dae_deselect(DaeLang *lang, DaeNode *base, const DaeExtends *clause)
{
  base->first_deselected = clause->first_mod;
  base->n_deselected = 0;
  for (uint32_t i = 0; i < clause->n_mods;
       i += 1 + dae_syntax_modifier(lang->syntax, clause->first_mod + i)->n_inner) {
    const DaeModification entry = *dae_syntax_modifier(lang->syntax, clause->first_mod + i);
    base->n_deselected = entry.is_deselected ? i + 1 : base->n_deselected;
    if (entry.is_deselected && entry.code == 0) {
      deselect_component(lang, base, &entry);
    }
  }
  /* the connects of what is left out are not there any more */
  for (uint32_t i = 0; i < base->n_deselected;
       i += 1 + dae_syntax_modifier(lang->syntax, clause->first_mod + i)->n_inner) {
    const DaeModification entry = *dae_syntax_modifier(lang->syntax, clause->first_mod + i);
    if (entry.is_deselected && entry.code != 0 &&
        !has_connect(lang, base, connect_of(lang->syntax, entry.code), 0)) {
      dae_source_error(lang->source, entry.pos, "there is no such connect to leave out");
    }
  }
}

bool
dae_is_deselected(DaeLang *lang, const DaeNode *node, uint32_t pc)
{
  if (is_of_left_out(lang, node, pc)) {
    return true;
  }
  for (; node != NULL; node = node->derived) {
    for (uint32_t i = 0; i < node->n_deselected;
         i += 1 + dae_syntax_modifier(lang->syntax, node->first_deselected + i)->n_inner) {
      const DaeModification *entry =
          dae_syntax_modifier(lang->syntax, node->first_deselected + i);
      if (entry->is_deselected && entry->code != 0 &&
          is_same_connect(lang->syntax, pc, connect_of(lang->syntax, entry->code))) {
        return true;
      }
    }
  }
  return false;
}
