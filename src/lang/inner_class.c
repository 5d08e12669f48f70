/* An outer class is the inner one of that name in the components around it, as they are
 * [MLS, section 5.4]; without one it is what it says itself. */
#include "lang/instance.h"

static bool
is_class_with(const DaeLang *lang, const DaeElement *element, uint32_t flag, uint32_t without)
{
  uint32_t flags = element->kind == DAE_ELEMENT_CLASS && element->index != 0
                       ? dae_syntax_class(lang->syntax, element->index)->flags
                       : 0;
  return (flags & flag) != 0 && (flags & without) == 0;
}

/* Told once for each such class, at its place. */
static void
warn_of_missing_inner(DaeLang *lang, const DaeElement *element)
{
  const uint32_t pos = dae_syntax_class(lang->syntax, element->index)->pos;
  if (g_hash_table_add(lang->told_places, GUINT_TO_POINTER(pos))) {
    dae_source_warning(lang->source, pos,
                       "there is no inner '%s' for this outer class; it is taken as it stands",
                       dae_names_text(lang->names, element->name));
  }
}

DaeElement *
dae_inner_class(DaeLang *lang, DaeElement *element)
{
  const DaeNode *node = element->owner;
  const bool is_in_component = node != NULL && node->component != NULL;
  if (!is_class_with(lang, element, DAE_FLAG_OUTER, DAE_FLAG_INNER)) {
    return element;
  }
  while (node != NULL && node->component != NULL && node->component->parent != NULL) {
    node = node->component->parent;
    DaeElement *found = g_hash_table_lookup(node->table, GUINT_TO_POINTER(element->name));
    if (found != NULL && is_class_with(lang, found, DAE_FLAG_INNER, 0)) {
      return found;
    }
  }
  if (is_in_component) {
    warn_of_missing_inner(lang, element);
  }
  return element;
}
