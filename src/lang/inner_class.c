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

/* Once for each place; in components only: a class alone has nothing around it. */
static void
warn_missing(DaeLang *lang, const DaeElement *element)
{
  uint32_t pos = dae_syntax_class(lang->syntax, element->index)->pos;
  if (element->owner->component != NULL && lang->source->hushed == 0 &&
      g_hash_table_add(lang->told_places, GUINT_TO_POINTER(pos))) {
    dae_source_warning(lang->source, pos,
                       "there is no inner '%s' for this outer class; it is what it says itself",
                       dae_names_text(lang->names, element->name));
  }
}

/* `outer model M = B(x = 1)`, or a redeclaration of it: the inner one says what it is. */
static void
check_unmodified(DaeLang *lang, const DaeElement *element)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, element->index);
  bool is_short = (class->flags & DAE_FLAG_SHORT) != 0;
  bool says = is_short && dae_syntax_type(lang->syntax, class->definition)->n_mods > 0;
  bool is_modified = element->mod != NULL && dae_mod_says(element->mod);
  if (says || is_modified) {
    dae_error_once(lang, is_modified ? element->mod->pos : class->pos,
                   "'%s' is outer: it is modified where it is inner", element->name);
  }
}

DaeElement *
dae_inner_class(DaeLang *lang, DaeElement *element)
{
  const DaeNode *node = element->owner;
  if (!is_class_with(lang, element, DAE_FLAG_OUTER, DAE_FLAG_INNER)) {
    return element;
  }
  while (node != NULL && node->component != NULL && node->component->parent != NULL) {
    node = node->component->parent;
    DaeElement *found = g_hash_table_lookup(node->table, GUINT_TO_POINTER(element->name));
    if (found != NULL && is_class_with(lang, found, DAE_FLAG_INNER, 0)) {
      check_unmodified(lang, element);
      return found;
    }
    if (found != NULL && found->kind == DAE_ELEMENT_COMPONENT &&
        (found->flags & DAE_FLAG_INNER) != 0) {
      dae_error_once(lang, dae_syntax_class(lang->syntax, element->index)->pos,
                     "the inner '%s' is a component, this outer is a class", element->name);
    }
  }
  warn_missing(lang, element);
  return element;
}
