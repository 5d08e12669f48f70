/* What the instance tree shows, as text (tree.c) and as JSON (tree_json.c). */
#ifndef DAE_LANG_TREE_H
#define DAE_LANG_TREE_H

#include "lang/instance.h"

/* The expression at the place as it stands in the text. */
void dae_tree_append_source(GString *out, const DaeSource *source, uint32_t pos);
/* The class of a component that is there. */
const char *dae_tree_type(DaeLang *lang, const DaeComponent *component);
/* Does the tree have the element, and what is inside of it? */
bool dae_tree_has(const DaeElement *element);
bool dae_tree_goes_into(const DaeComponent *component);

#endif
