/* What names may reach [MLS, sections 4.1, 5.3 and 13.2]: protected elements, elements of what
 * encloses a class, imports, functions of components. */
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
