/* What names may reach [MLS, sections 4.1, 5.3 and 13.2]: protected elements, elements of what
 * encloses a class, imports, functions of components. */
#include <string.h>

#include "lang/instance.h"

bool
dae_check_public(DaeLang *lang, const DaeElement *element, uint32_t pos)
{
  if ((element->flags & DAE_FLAG_PROTECTED) == 0) {
    return true;
  }
  dae_error_once(lang, pos, "'%s' is protected: it is visible only inside its class",
                 element->name);
  return false;
}

/* Is the text of the scope inside of the class that has the element, or derived from it? */
static bool
is_inside(const DaeNode *scope, const DaeElement *element)
{
  for (; scope != NULL; scope = scope->scope) {
    if (scope == element->home || scope->whole == element->owner ||
        (scope->class != 0 && scope->class == element->home->class)) {
      return true;
    }
  }
  return false;
}

bool
dae_check_visible(DaeLang *lang, const DaeNode *scope, const DaeElement *element, uint32_t pos)
{
  return is_inside(scope, element) || dae_check_public(lang, element, pos);
}

bool
dae_check_enclosing(DaeLang *lang, const DaeElement *element, const DaeNode *scope,
                    const DaeNode *where, uint32_t pos)
{
  if (where == scope || element->kind != DAE_ELEMENT_COMPONENT ||
      (element->flags & DAE_FLAG_CONSTANT) != 0 || where->component == NULL) {
    return true;
  }
  dae_error_once(lang, pos,
                 "'%s' is a variable or parameter around this class: only constants are seen "
                 "from inside",
                 element->name);
  return false;
}

bool
dae_check_outer_member(DaeLang *lang, const DaeElement *outer, uint32_t name, uint32_t pos)
{
  if (outer->kind != DAE_ELEMENT_COMPONENT || (outer->flags & DAE_FLAG_OUTER) == 0) {
    return true;
  }
  DaeNode *type = dae_element_class(lang, outer);
  if (type == NULL || type->builtin != DAE_BUILTIN_NONE || dae_node_is_expandable(lang, type) ||
      dae_node_element(lang, type, name) != NULL) {
    return true;
  }
  dae_source_error(
      lang->source, pos,
      "there is no '%s' in '%s', the type of the outer '%s' (the inner one has it)",
      dae_names_text(lang->names, name), dae_names_text(lang->names, dae_node_name(lang, type)),
      dae_names_text(lang->names, outer->name));
  return false;
}

void
dae_warn_conditional(DaeLang *lang, const DaeComponent *component, uint32_t pos)
{
  if (component->is_conditional && lang->source->hushed == 0 &&
      g_hash_table_add(lang->told_places, GUINT_TO_POINTER(pos))) {
    dae_source_warning(lang->source, pos,
                       "'%s' is there under a condition: without it this is an error, since "
                       "only connects and its own modifiers may name it",
                       dae_names_text(lang->names, component->element->name));
  }
}

/* cardinality(c), Connections.branch(a, b), size(c, 1): they take connectors and components. */
static bool
takes_components(const DaeLang *lang, const DaeInstruction *call)
{
  if (call->op != DAE_OP_CALL && call->op != DAE_OP_STATEMENT) {
    return false;
  }
  const char *name = dae_names_text(lang->names, call->arg);
  name += *name == '.' ? 1 : 0;
  return (strcmp(name, "cardinality") == 0 || strcmp(name, "rooted") == 0 ||
          strcmp(name, "size") == 0 || strcmp(name, "ndims") == 0 ||
          strcmp(name, "isRoot") == 0 || strcmp(name, "initialState") == 0 ||
          strcmp(name, "transition") == 0 || strcmp(name, "activeState") == 0 ||
          g_str_has_prefix(name, "Connections."));
}

/* Is the value at pc an argument of such a call? */
static bool
is_of_component(const DaeLang *lang, uint32_t pc)
{
  for (uint32_t at = pc + 1; dae_syntax_code(lang->syntax, at)->op != DAE_OP_RETURN; at++) {
    const DaeInstruction *call = dae_syntax_code(lang->syntax, at);
    if (takes_components(lang, call) && dae_syntax_skip_back(lang->syntax, at, call->n) <= pc) {
      return true;
    }
  }
  return false;
}

/* The place of the equation around pc: r.p = q.p is one mistake. */
static uint32_t
place_of_equation(const DaeLang *lang, uint32_t pc)
{
  uint32_t at = pc;
  while (dae_syntax_code(lang->syntax, at)->op != DAE_OP_RETURN &&
         dae_syntax_code(lang->syntax, at)->op != DAE_OP_EQUATION) {
    at++;
  }
  bool is_end = dae_syntax_code(lang->syntax, at)->op == DAE_OP_RETURN;
  return dae_syntax_code(lang->syntax, is_end ? pc : at)->pos;
}

bool
dae_check_value(DaeLang *lang, const DaeNode *node, uint32_t pc)
{
  const DaeComponent *component = node->component;
  if (component == NULL || component->is_record || node->builtin != DAE_BUILTIN_NONE ||
      dae_node_is_kind(lang, node, DAE_CLASS_RECORD) || is_of_component(lang, pc)) {
    return true;
  }
  if (!g_hash_table_add(lang->told_places, GUINT_TO_POINTER(place_of_equation(lang, pc)))) {
    return false;
  }
  dae_source_error(lang->source, dae_syntax_code(lang->syntax, pc)->pos,
                   dae_node_is_connector(lang, node)
                       ? "'%s' is a connector, it has no value: connect(...) joins connectors"
                       : "'%s' is a component of a model or block: it has no value",
                   dae_names_text(lang->names, node->name));
  return false;
}

/* Around the scope: encapsulated classes import what is beside them also from a model. */
static bool
is_around(const DaeNode *scope, const DaeElement *owner)
{
  for (; scope != NULL; scope = scope->scope) {
    if (owner->index != 0 && scope->class == owner->index) {
      return true;
    }
  }
  return false;
}

static bool
is_package(const DaeLang *lang, const DaeElement *element)
{
  if (element->kind != DAE_ELEMENT_CLASS || element->index == 0) {
    return element->kind == DAE_ELEMENT_CLASS;
  }
  DaeClassKind kind = dae_syntax_class(lang->syntax, element->index)->kind;
  return kind == DAE_CLASS_PACKAGE || kind == DAE_CLASS_CLASS || kind == DAE_CLASS_TYPE ||
         kind == DAE_CLASS_OPERATOR;
}

bool
dae_check_import(DaeLang *lang, const DaeNode *scope, const DaeElement *owner,
                 const DaeElement *element, uint32_t pos)
{
  if (owner != NULL && !is_package(lang, owner) && !is_around(scope, owner)) {
    dae_error_once(lang, pos, "'%s' is no package: nothing is imported from it", owner->name);
    return false;
  }
  return element == NULL || dae_check_visible(lang, scope, element, pos);
}

bool
dae_check_no_operator(DaeLang *lang, const DaeElement *element, uint32_t pos)
{
  const DaeClass *class =
      element->index != 0 ? dae_syntax_class(lang->syntax, element->index) : NULL;
  bool is_operator =
      class != NULL &&
      (class->kind == DAE_CLASS_OPERATOR ||
       (class->kind == DAE_CLASS_FUNCTION && (class->flags & DAE_FLAG_OPERATOR) != 0));
  if (is_operator) {
    dae_error_once(lang, pos, "%s is an operator: no component has it as a function",
                   element->name);
  }
  return !is_operator;
}

bool
dae_check_of_component(DaeLang *lang, const DaeComponent *component, uint32_t pos)
{
  if (component->n_dims == 0) {
    return true;
  }
  dae_error_once(lang, pos, "'%s' is an array: functions are found in one component",
                 component->element->name);
  return false;
}

bool
dae_check_no_component(DaeLang *lang, DaeNode *scope, uint32_t name, uint32_t pos)
{
  uint32_t rest = 0;
  DaeNode *where = NULL;
  const DaeElement *first =
      dae_lookup_simple(lang, scope, dae_name_split(lang, name, &rest), &where);
  if (first == NULL || first->kind != DAE_ELEMENT_COMPONENT) {
    return true;
  }
  dae_error_once(lang, pos, "'%s' is a component: functions of it are called, and no more",
                 first->name);
  return false;
}

/* Has the dimension that the code says the values of an enumeration, or of Boolean? */
static bool
is_of_values(DaeLang *lang, DaeNode *home, uint32_t code, uint32_t end)
{
  const DaeInstruction *size = dae_syntax_code(lang->syntax, code);
  DaeElement *element = end == code + 1 && size->op == DAE_OP_NAME
                            ? dae_lookup_class_element(lang, home, size->arg, DAE_NO_PLACE)
                            : NULL;
  const DaeNode *type = element != NULL ? dae_element_node(lang, element, NULL) : NULL;
  return type != NULL &&
         (type->builtin == DAE_BUILTIN_ENUMERATION || type->builtin == DAE_BUILTIN_BOOLEAN);
}

bool
dae_check_number_subscript(DaeLang *lang, const DaeComponent *component, uint32_t d,
                           uint32_t pos)
{
  const DaeElement *element = component->element;
  const uint32_t index =
      element->dims_declaration != 0 ? element->dims_declaration : element->index;
  const DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, index);
  if (d >= declaration.n_dims || declaration.n_type_dims > 0 || declaration.dims_code == 0) {
    return true;
  }
  uint32_t end = declaration.dims_code;
  while (dae_syntax_code(lang->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  uint32_t left = declaration.n_dims - d;
  uint32_t from = dae_syntax_skip_back(lang->syntax, end, left);
  uint32_t to = dae_syntax_skip_back(lang->syntax, end, left - 1);
  if (!is_of_values(lang, element->home, from, to)) {
    return true;
  }
  dae_error_once(
      lang, pos,
      "'%s' has an element for each value of its dimension: a number is none of them",
      element->name);
  return false;
}
