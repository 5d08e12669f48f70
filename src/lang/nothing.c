/* References into arrays of no components: c.v with a c of size 0 is an array of no v, which has
 * the type and all dimensions that the elements would have. */
#include "lang/instance.h"

/* A value of the type, of which there are none. 0: it has no literal. */
static bool
emit_literal(DaeLang *lang, DaeBuiltin builtin, uint32_t pos)
{
  switch ((int)builtin) {
  case DAE_BUILTIN_REAL:
  case DAE_BUILTIN_INTEGER:
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, builtin == DAE_BUILTIN_REAL ? 1 : 0,
                    dae_name_intern(lang, builtin == DAE_BUILTIN_REAL ? "0.0" : "0"), pos);
    return true;
  case DAE_BUILTIN_BOOLEAN:
    dae_syntax_emit(&lang->flat, DAE_OP_BOOLEAN, 0, 0, pos);
    return true;
  case DAE_BUILTIN_STRING:
    dae_syntax_emit(&lang->flat, DAE_OP_STRING, 0, dae_name_intern(lang, ""), pos);
    return true;
  default:
    return false;
  }
}

static void
append_dims(GArray *dims, const DaeComponent *component)
{
  if (component->n_dims > 0) {
    g_array_append_vals(dims, component->dims, component->n_dims);
  }
}

/* The variable that the names lead to, and the dimensions on the way. NULL: none, or one that is
 * told elsewhere. */
static const DaeComponent *
follow(DaeLang *lang, DaeComponent *component, const uint32_t *names, guint n, GArray *dims)
{
  for (guint i = 0; i < n && component != NULL && component->type != NULL; i++) {
    DaeElement *element = component->type->builtin == DAE_BUILTIN_NONE
                              ? dae_node_element(lang, component->type, names[i])
                              : NULL;
    component = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                    ? dae_component_of(lang, element)
                    : NULL;
    if (component != NULL) {
      append_dims(dims, component);
    }
  }
  return component != NULL && component->type != NULL ? component : NULL;
}

void
dae_emit_nothing(DaeLang *lang, DaeComponent *component, const uint32_t *names, guint n,
                 GArray *dims, uint32_t pos)
{
  const DaeComponent *last = follow(lang, component, names, n, dims);
  const DaeNode *type = last != NULL ? last->type : NULL;
  bool is_typed = dims->len > 1 || (type != NULL && type->builtin == DAE_BUILTIN_INTEGER);
  if (type != NULL && is_typed && emit_literal(lang, type->builtin, pos)) {
    for (guint d = 0; d < dims->len; d++) {
      uint32_t size = dae_name_format(lang, "%u", g_array_index(dims, uint32_t, d));
      dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, size, pos);
    }
    dae_syntax_emit(&lang->flat, DAE_OP_CALL, dims->len + 1, dae_name_intern(lang, "fill"),
                    pos);
    return;
  }
  bool is_record = type != NULL && dae_node_is_kind(lang, type, DAE_CLASS_RECORD);
  dae_syntax_emit(&lang->flat, DAE_OP_ARRAY, 0,
                  is_record ? dae_use_class(lang, (DaeNode *)type) : 0, pos);
  if (is_record && dims->len == 2 && g_array_index(dims, uint32_t, 1) > 0) {
    uint32_t size = g_array_index(dims, uint32_t, 1); /* the columns of n empty rows */
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, dae_name_format(lang, "%u", size), pos);
    dae_syntax_emit(&lang->flat, DAE_OP_CALL, 2, dae_name_intern(lang, "fill"), pos);
    dae_syntax_emit(&lang->flat, DAE_OP_CALL, 1, dae_name_intern(lang, "transpose"), pos);
  }
}
