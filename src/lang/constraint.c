/* Redeclarations against the constraining type of what they replace [MLS, section 7.3.2]:
 * whatever can be used of the constraining type must be there. */
#include "lang/instance.h"

static const DaeElement *
original_of(const DaeElement *element)
{
  while (element->replaced != NULL) {
    element = element->replaced;
  }
  return element;
}

/* The constraining clause of the original, or what it is itself. NULL: it cannot
 * be found, which others report. */
static DaeNode *
constraining_type(DaeLang *lang, const DaeElement *original)
{
  uint32_t name = 0;
  if (original->kind == DAE_ELEMENT_COMPONENT) {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, original->index);
    const DaeDeclarationRest *rest =
        &g_array_index(lang->syntax->rests, DaeDeclarationRest, declaration->rest);
    name =
        declaration->rest != 0 && rest->constraint != 0 ? rest->constraint : declaration->type;
  } else if (original->index != 0) {
    name = dae_syntax_class(lang->syntax, original->index)->constraint;
    if (name == 0) {
      DaeElement copy = *original;
      copy.node = NULL;
      return dae_element_new_node(lang, &copy, NULL);
    }
  }
  DaeElement *type =
      name != 0 ? dae_lookup_class_element(lang, original->home, name, DAE_NO_PLACE) : NULL;
  return type != NULL ? dae_element_node(lang, type, NULL) : NULL;
}

bool
dae_check_constraint(DaeLang *lang, const DaeElement *element, DaeNode *type)
{
  const DaeElement *original = original_of(element);
  if (original == element) {
    return true;
  }
  DaeNode *wanted = constraining_type(lang, original);
  if (wanted == NULL || !dae_node_expand(lang, wanted)) {
    return true;
  }
  uint32_t pos = element->kind == DAE_ELEMENT_COMPONENT
                     ? dae_syntax_declaration(lang->syntax, element->index)->pos
                     : dae_syntax_class(lang->syntax, element->index)->pos;
  const char *name = dae_names_text(lang->names, element->name);
  if (wanted->builtin != type->builtin) {
    dae_source_error(lang->source, pos,
                     "'%s' is redeclared outside its constraint: the types differ", name);
    return false;
  }
  for (guint i = 0; i < wanted->elements->len; i++) {
    const DaeElement *needed = wanted->elements->pdata[i];
    if ((needed->flags & DAE_FLAG_PROTECTED) != 0 || needed->is_removed ||
        dae_node_element(lang, type, needed->name) != NULL) {
      continue;
    }
    dae_source_error(
        lang->source, pos,
        "'%s' is redeclared outside its constraint: there is no '%s' in the new one", name,
        dae_names_text(lang->names, needed->name));
    return false;
  }
  return true;
}
