/* Which prefixes go with which types [MLS, section 4.4.2.2]. */
#include "lang/instance.h"

static const uint32_t CAUSAL = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
static const uint32_t FLOWING = DAE_FLAG_FLOW | DAE_FLAG_STREAM;
static const uint32_t VARIABILITY = DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT | DAE_FLAG_DISCRETE;

/* A model is a thing, not a value. */
static bool
is_model(const DaeLang *lang, const DaeNode *type)
{
  return dae_node_is_kind(lang, type, DAE_CLASS_MODEL) ||
         dae_node_is_kind(lang, type, DAE_CLASS_BLOCK);
}

/* Is something in it input or output by itself? */
static bool
has_causal(const DaeLang *lang, const DaeNode *type)
{
  for (guint i = 0; i < type->elements->len; i++) {
    const DaeElement *element = type->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed &&
        (dae_syntax_declaration(lang->syntax, element->index)->flags & CAUSAL) != 0) {
      return true;
    }
  }
  return false;
}

/* What is wrong with these prefixes of a component of this type; NULL: nothing. */
static const char *
misfit(const DaeLang *lang, const DaeNode *type, uint32_t flags)
{
  bool is_structured = type->builtin == DAE_BUILTIN_NONE;
  if ((flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) != 0 && is_structured &&
      dae_node_is_connector(lang, type)) {
    return "'%s' is a connector: it is no parameter or constant";
  }
  if ((flags & (CAUSAL | FLOWING | VARIABILITY)) != 0 && is_structured &&
      is_model(lang, type)) {
    return "'%s' is of a model: what has a prefix like this is a value, a record or a "
           "connector";
  }
  if ((flags & CAUSAL) != 0 && (type->flags & CAUSAL) != 0 &&
      (flags & CAUSAL) != (type->flags & CAUSAL)) {
    return "'%s' is declared input, its type is output, or the reverse";
  }
  if ((flags & FLOWING) != 0 && !is_structured && type->builtin != DAE_BUILTIN_REAL) {
    return "'%s' is flow or stream: its type is Real";
  }
  if (((flags | type->flags) & CAUSAL) != 0 && is_structured && has_causal(lang, type)) {
    return "'%s' is input or output, and so is something in it: one of them can be";
  }
  return NULL;
}

bool
dae_check_prefixes(DaeLang *lang, const DaeComponent *component)
{
  const DaeElement *element = component->element;
  const DaeNode *type = component->type;
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
  uint32_t flags = declaration->flags;
  uint32_t pos = declaration->pos;
  const char *why = misfit(lang, type, flags);
  if (why != NULL) {
    dae_error_once(lang, pos, why, element->name);
    return false;
  }
  return true;
}
