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

/* Flows add up to zero: an operator record needs '+', '-' and '0' [MLS, section 9.2]. */
static bool
adds_up(DaeLang *lang, DaeNode *type)
{
  static const char *const needed[] = {"'+'", "'-'", "'0'"};
  bool adds = true;
  for (size_t i = 0; adds && i < G_N_ELEMENTS(needed); i++) {
    adds = dae_node_element(lang, type, dae_name_intern(lang, needed[i])) != NULL;
  }
  return adds;
}

static bool
is_operator_record(const DaeLang *lang, const DaeNode *type)
{
  return dae_node_is_kind(lang, type, DAE_CLASS_RECORD) &&
         (dae_syntax_class(lang->syntax, type->class)->flags & DAE_FLAG_OPERATOR) != 0;
}

/* What is wrong with these prefixes of a component of this type; NULL: nothing. */
static const char *
misfit(DaeLang *lang, DaeNode *type, uint32_t flags)
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
  if ((flags & DAE_FLAG_FLOW) != 0 && is_operator_record(lang, type) && !adds_up(lang, type)) {
    return "'%s' is a flow: its operator record has to have '+', '-' and '0'";
  }
  if (((flags | type->flags) & CAUSAL) != 0 && is_structured && has_causal(lang, type)) {
    return "'%s' is input or output, and so is something in it: one of them can be";
  }
  return NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* A variable of the connector that is neither input nor output; NULL: none. */
static const DaeElement *
acausal_of(DaeLang *lang, const DaeNode *type, uint32_t depth)
{
  const uint32_t fixed = DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT;
  for (guint i = 0; i < type->elements->len && depth < DAE_MAX_NESTING; i++) {
    const DaeElement *element = type->elements->pdata[i];
    const DaeNode *its = element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed
                             ? dae_element_class(lang, element)
                             : NULL;
    if (its == NULL || ((element->flags | its->flags) & (CAUSAL | fixed)) != 0) {
      continue;
    }
    const DaeElement *inside =
        its->builtin == DAE_BUILTIN_NONE ? acausal_of(lang, its, depth + 1) : element;
    if (inside != NULL) {
      return inside;
    }
  }
  return NULL;
}

/* The public connectors of a block are inputs and outputs [MLS, section 4.6]. */
static bool
check_direction(DaeLang *lang, const DaeComponent *component)
{
  const DaeElement *element = component->element;
  if ((component->flags & (CAUSAL | DAE_FLAG_PROTECTED)) != 0 ||
      component->type->builtin != DAE_BUILTIN_NONE ||
      !dae_node_is_kind(lang, element->home, DAE_CLASS_BLOCK) ||
      !dae_node_is_connector(lang, component->type) ||
      dae_node_is_expandable(lang, component->type)) {
    return true;
  }
  const DaeElement *wrong = acausal_of(lang, component->type, 0);
  if (wrong == NULL) {
    return true;
  }
  dae_source_error(lang->source, dae_syntax_declaration(lang->syntax, element->index)->pos,
                   "'%s' is a connector of a block: '%s' in it is neither input nor output",
                   dae_names_text(lang->names, element->name),
                   dae_names_text(lang->names, wrong->name));
  return false;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool
dae_check_prefixes(DaeLang *lang, const DaeComponent *component)
{
  const DaeElement *element = component->element;
  DaeNode *type = component->type;
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
  uint32_t flags = declaration->flags;
  uint32_t pos = declaration->pos;
  const char *why = misfit(lang, type, flags);
  if (why != NULL) {
    dae_error_once(lang, pos, why, element->name);
    return false;
  }
  return check_direction(lang, component);
}
