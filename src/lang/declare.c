/* Declarations of the flat model: variables with their attributes and bindings,
 * records, constants of packages. */
#include <string.h>

#include "base/suggest.h"
#include "lang/instance.h"

static const DaeDeclaration *
written(const DaeLang *lang, const DaeComponent *component)
{
  return dae_syntax_declaration(lang->syntax, component->element->index);
}

/* ---- modifiers --------------------------------------------------------------------------- */

/* The value that it gives, as it is or with a redeclaration: r(redeclare Real x = 1). */
static DaeClosure
value_of(const DaeLang *lang, const DaeMod *mod)
{
  if (mod->value.code != 0 || mod->redeclared == 0 || mod->is_class) {
    return mod->value;
  }
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, mod->redeclared);
  return (DaeClosure){declaration->binding, declaration->pos, mod->redeclared_scope, mod->part,
                      NULL};
}

/* Appends the entries in preorder. */
static void
write_list(DaeLang *lang, const DaeMod *list, uint32_t depth)
{
  GArray *out = lang->flat.modifications;
  for (const DaeMod *mod = list; mod != NULL && depth < DAE_MAX_NESTING; mod = mod->next) {
    const DaeClosure value = value_of(lang, mod);
    if (value.code == 0 && mod->inner == NULL) {
      continue;
    }
    uint32_t at = out->len;
    DaeModification entry = {.name = mod->name, .pos = mod->pos};
    entry.is_each = mod->is_each;
    entry.is_final = mod->is_final;
    g_array_append_val(out, entry);
    if (value.code != 0) {
      uint32_t code = dae_translate_closure(lang, &value);
      g_array_index(out, DaeModification, at).code = code;
    }
    write_list(lang, mod->inner, depth + 1);
    g_array_index(out, DaeModification, at).n_inner = (out->len - at - 1) & 0xffffffu;
  }
}

void
dae_write_modifiers(DaeLang *lang, const DaeMod *list, uint32_t *first, uint32_t *n)
{
  *first = lang->flat.modifications->len;
  write_list(lang, list, 0);
  *n = lang->flat.modifications->len - *first;
}

static const char *const attribute_names[] = {
    "quantity", "unit",  "displayUnit", "min",         "max",
    "start",    "fixed", "nominal",     "stateSelect", "unbounded"};

static bool
is_attribute(const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS(attribute_names); i++) {
    if (strcmp(name, attribute_names[i]) == 0) {
      return true;
    }
  }
  return false;
}

uint32_t
dae_write_attributes(DaeLang *lang, const DaeComponent *component, uint32_t *first)
{
  const DaeMod *attributes = component->type->attributes;
  *first = lang->flat.modifications->len;
  for (const DaeMod *mod = attributes; mod != NULL; mod = mod->next) {
    const char *name = dae_names_text(lang->names, mod->name);
    if (!is_attribute(name)) {
      DaeSuggest suggest;
      dae_suggest_begin(&suggest, name);
      for (size_t i = 0; i < G_N_ELEMENTS(attribute_names); i++) {
        dae_suggest_try(&suggest, attribute_names[i]);
      }
      dae_source_error(lang->source, mod->pos, "'%s' has no attribute '%s'%s%s%s",
                       dae_names_text(lang->names, component->flat_name), name,
                       suggest.best != NULL ? "; did you mean '" : "",
                       suggest.best != NULL ? suggest.best : "",
                       suggest.best != NULL ? "'?" : "");
    } else if (mod->inner != NULL || mod->redeclared != 0) {
      dae_error_once(lang, mod->pos, "the attribute '%s' has a value, and nothing to modify",
                     mod->name);
    } else if (mod->value.code != 0 && strcmp(name, "unbounded") != 0) {
      DaeModification entry = {.name = mod->name, .pos = mod->pos};
      const DaeMod *own = dae_mod_find(component->mod, mod->name);
      bool is_own = own != NULL && own->value.code == mod->value.code;
      entry.is_of_type = !is_own;
      entry.is_each = is_own && mod->is_each && !mod->is_spread;
      entry.is_final = mod->is_final;
      entry.code = dae_translate_closure(lang, &mod->value);
      g_array_append_val(lang->flat.modifications, entry);
    }
  }
  return lang->flat.modifications->len - *first;
}

/* ---- sizes and types --------------------------------------------------------------------- */

uint32_t
dae_write_dimensions(DaeLang *lang, const DaeComponent *component, uint32_t pos)
{
  uint32_t start = lang->flat.code->len;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    uint32_t number = dae_name_format(lang, "%u", component->dims[d]);
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, number, pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_RETURN, 0, 0, pos);
  return start;
}

uint32_t
dae_type_name(DaeLang *lang, DaeComponent *component)
{
  static const char *const names[] = {"",       "Real", "Integer", "Boolean",
                                      "String", "",     "Clock",   "ExternalObject"};
  DaeNode *type = component->type;
  if (type->builtin == DAE_BUILTIN_ENUMERATION) {
    return dae_use_class(lang, type->enumeration);
  }
  if (type->builtin != DAE_BUILTIN_NONE) {
    return dae_name_intern(lang, names[type->builtin]);
  }
  return dae_use_record(lang, component);
}

/* ---- records ----------------------------------------------------------------------------- */

static void
append_shape(DaeLang *lang, GString *text, DaeNode *node, uint32_t depth)
{
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member == NULL || member->is_absent) {
      continue;
    }
    g_string_append_printf(text, "%s:%d", dae_names_text(lang->names, element->name),
                           (int)member->type->builtin);
    for (uint32_t d = 0; d < member->n_dims && !member->is_open; d++) {
      g_string_append_printf(text, ",%u", member->dims[d]);
    }
    g_string_append(text, member->is_open ? ",:" : "");
    if (member->is_record) {
      g_string_append_c(text, '(');
      append_shape(lang, text, member->type, depth + 1);
      g_string_append_c(text, ')');
    }
    g_string_append_c(text, ';');
  }
}

/* The class in which a record is written: behind short classes and modifiers. */
static DaeNode *
record_class(DaeLang *lang, DaeNode *node)
{
  while (node->bases->len == 1 && node->class != 0 &&
         (dae_syntax_class(lang->syntax, node->class)->flags & DAE_FLAG_SHORT) != 0) {
    node = node->bases->pdata[0];
  }
  return node;
}

/* Real[n] a: in the names of the record. */
static void
write_open_dimensions(DaeLang *lang, const DaeComponent *member, DaeDeclaration *declaration)
{
  const DaeDeclaration source = *written(lang, member);
  if (source.n_dims > 0) {
    declaration->dims_code = dae_translate(lang, member->element->home, source.dims_code);
    declaration->n_dims = source.n_dims;
  }
  if (source.n_type_dims > 0) {
    declaration->type_dims_code =
        dae_translate(lang, member->element->home, source.type_dims_code);
    declaration->n_type_dims = source.n_type_dims;
  }
}

static void
write_member(DaeLang *lang, uint32_t owner, DaeComponent *member)
{
  uint32_t pos = written(lang, member)->pos;
  DaeDeclaration declaration = {.name = member->element->name, .pos = pos, .owner = owner};
  declaration.type_pos = pos;
  declaration.type = dae_type_name(lang, member);
  declaration.flags = member->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER |
                                       DAE_FLAG_DISCRETE | DAE_FLAG_FINAL);
  if (member->is_open) {
    write_open_dimensions(lang, member, &declaration);
  } else if (member->n_dims > 0) {
    declaration.dims_code = dae_write_dimensions(lang, member, pos);
    declaration.n_dims = member->n_dims & 0xffffu;
  }
  if (!member->is_record) {
    declaration.n_mods = dae_write_attributes(lang, member, &declaration.first_mod);
  } else if (member->binding.code == 0) {
    uint32_t n = 0;
    dae_write_modifiers(lang, member->mod, &declaration.first_mod, &n);
    declaration.n_mods = n;
  }
  if (member->binding.code != 0) {
    declaration.binding = dae_translate_closure(lang, &member->binding);
  }
  g_array_append_val(lang->flat.declarations, declaration);
}

/* The record without modifiers from outside if it has the same shape so; NULL: it has not. */
static DaeNode *
plain_record(DaeLang *lang, DaeElement *source, const char *wanted, uint32_t name)
{
  uint32_t errors = lang->source->n_errors;
  lang->source->n_errors = DAE_MAX_ERRORS; /* on trial: nothing is reported */
  DaeNode *plain = dae_element_new_node(lang, source, NULL);
  g_autoptr(GString) shape = g_string_new(dae_names_text(lang->names, name));
  g_string_append_c(shape, ' ');
  if (dae_node_expand(lang, plain)) {
    append_shape(lang, shape, plain, 0);
  }
  lang->source->n_errors = errors;
  return strcmp(shape->str, wanted) == 0 ? plain : NULL;
}

static bool
gives_value(DaeLang *lang, DaeNode *node, const DaeMod *mod)
{
  DaeElement *element = mod->inner != NULL && mod->value.code == 0
                            ? dae_node_element(lang, node, mod->name)
                            : NULL;
  const DaeComponent *member = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                                   ? dae_component_of(lang, element)
                                   : NULL;
  return mod->value.code != 0 || (member != NULL && member->is_record);
}

/* Of a class by itself the values that its constructor has from modifiers, k in
 * record Concrete = Generic(k = 1.4). NULL: none. Those of a variable are written with it. */
static const DaeMod *
constructor_mods(DaeLang *lang, const DaeNode *type, DaeNode *origin)
{
  for (const DaeMod *mod = type->component == NULL ? origin->mod : NULL; mod != NULL;
       mod = mod->next) {
    if (gives_value(lang, origin, mod)) {
      return origin->mod;
    }
  }
  return NULL;
}

/* As text, which only serves to compare. */
static void
append_mods(DaeLang *lang, GString *text, const DaeMod *mod)
{
  for (; mod != NULL; mod = mod->next) {
    g_string_append_printf(text, "%s=%u@%p(", dae_names_text(lang->names, mod->name),
                           mod->value.code, (const void *)mod->value.scope);
    append_mods(lang, text, mod->inner);
    g_string_append_c(text, ')');
  }
}

/* A record type of the flat model for each name and shape: members with their sizes. */
uint32_t
dae_use_record(DaeLang *lang, DaeComponent *component)
{
  DaeNode *origin = record_class(lang, component->type);
  const DaeMod *given = constructor_mods(lang, component->type, origin);
  DaeElement source = {
      .kind = DAE_ELEMENT_CLASS, .index = origin->class, .home = origin->scope};
  uint32_t name = dae_syntax_class(lang->syntax, origin->class)->name;
  uint32_t outer = origin->scope != NULL ? dae_node_name(lang, origin->scope) : 0;
  name = dae_name_join(lang, outer, name);
  g_autoptr(GString) shape = g_string_new(dae_names_text(lang->names, name));
  g_string_append_c(shape, ' ');
  append_shape(lang, shape, component->type, 0);
  append_mods(lang, shape, given);
  gpointer known = g_hash_table_lookup(lang->flat_names, shape->str);
  if (known != NULL) {
    return GPOINTER_TO_UINT(known);
  }
  uint32_t unique = name;
  for (uint32_t k = 2;
       g_hash_table_contains(lang->flat_names, dae_names_text(lang->names, unique)); k++) {
    unique = dae_name_format(lang, "%s$%u", dae_names_text(lang->names, name), k);
  }
  g_hash_table_insert(lang->flat_names, g_strdup(shape->str), GUINT_TO_POINTER(unique));
  g_hash_table_insert(lang->flat_names, g_strdup(dae_names_text(lang->names, unique)),
                      GUINT_TO_POINTER(unique));
  /* As the class says; where its sizes come from modifiers, with these. */
  source.replaced = origin->inherited;
  DaeNode *plain = plain_record(lang, &source, shape->str, name);
  if (plain == NULL) {
    plain = dae_element_new_node(lang, &source, given != NULL ? given : component->mod);
    plain->value = component->type->value;
  }
  plain->name = unique;
  plain->inherited = origin->inherited;
  plain->is_record_type = true;
  g_ptr_array_add(lang->classes, plain);
  dae_use_operators(lang, plain);
  return unique;
}

void
dae_write_record(DaeLang *lang, DaeNode *node)
{
  if (!dae_node_expand(lang, node)) {
    return;
  }
  const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
  DaeClass flat = {.name = node->name, .pos = class->pos, .kind = DAE_CLASS_RECORD};
  flat.flags = class->flags & DAE_FLAG_OPERATOR;
  uint32_t owner = lang->flat.classes->len;
  g_array_append_val(lang->flat.classes, flat);
  node->is_function = true; /* members are called by their own names */
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      DaeComponent *member = dae_component_of(lang, element);
      if (member != NULL && !member->is_absent) {
        write_member(lang, owner, member);
      }
    }
  }
}

/* ---- variables --------------------------------------------------------------------------- */

/* Inputs and outputs of the model itself: at the top, or in a connector at the top. */
static bool
is_top(const DaeLang *lang, const DaeComponent *component)
{
  const DaeNode *parent = component->parent;
  if (parent == lang->model->type) {
    return (component->flags & DAE_FLAG_PROTECTED) == 0;
  }
  return parent->component != NULL && parent->component->parent == lang->model->type &&
         dae_node_is_kind(lang, parent, DAE_CLASS_CONNECTOR) &&
         (component->flags & DAE_FLAG_PROTECTED) == 0;
}

static void declare(DaeLang *lang, DaeComponent *component, uint32_t more);

/* One record: itself, then its members under their own names, each with
 * the value that is meant for it. */
static void
declare_record(DaeLang *lang, DaeNode *node, DaeDeclaration declaration, uint32_t more)
{
  DaeComponent one = {.type = node, .mod = node->mod};
  uint32_t carried = DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER | DAE_FLAG_DISCRETE |
                     DAE_FLAG_PROTECTED | DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
  declaration.name = node->name;
  declaration.type = dae_use_record(lang, &one);
  declaration.flags |= DAE_FLAG_TAKEN_APART | more;
  g_array_append_val(lang->flat.declarations, declaration);
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member != NULL && !member->is_absent) {
      declare(lang, member, (declaration.flags & carried) | DAE_FLAG_MEMBER);
    }
  }
}

static void
declare(DaeLang *lang, DaeComponent *component, uint32_t more)
{
  const DaeDeclaration *source = written(lang, component);
  DaeDeclaration declaration = {.name = component->flat_name, .pos = source->pos, .owner = 1};
  uint32_t kept = DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER | DAE_FLAG_DISCRETE |
                  DAE_FLAG_PROTECTED | DAE_FLAG_FINAL;
  if (is_top(lang, component)) {
    kept |= DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
  }
  declaration.description = source->description;
  declaration.type_pos = source->type_pos;
  declaration.flags = component->flags & kept;
  if (component->is_record) {
    for (uint32_t k = 0; k < component->count; k++) {
      declare_record(lang, component->nodes[k], declaration, more);
    }
    return;
  }
  declaration.flags |= more;
  declaration.type = dae_type_name(lang, component);
  if (component->n_dims > 0) {
    declaration.dims_code = dae_write_dimensions(lang, component, declaration.pos);
    declaration.n_dims = component->n_dims & 0xffffu;
  }
  declaration.n_mods = dae_write_attributes(lang, component, &declaration.first_mod);
  if (component->binding.code != 0) {
    declaration.binding = dae_translate_closure(lang, &component->binding);
  }
  g_array_append_val(lang->flat.declarations, declaration);
}

void
dae_declare(DaeLang *lang, DaeComponent *component)
{
  declare(lang, component, 0);
}

void
dae_use_constant(DaeLang *lang, DaeComponent *component)
{
  if (!component->is_declared) {
    component->is_declared = true;
    component->flags |= (component->flags & DAE_FLAG_PARAMETER) == 0 ? DAE_FLAG_CONSTANT : 0;
    g_ptr_array_add(lang->constants, component);
  }
}

void
dae_write_pending(DaeLang *lang)
{
  guint class = 0;
  guint constant = 0;
  while (class < lang->classes->len || constant < lang->constants->len) {
    if (constant < lang->constants->len) {
      DaeComponent *component = lang->constants->pdata[constant++];
      lang->outside = component->parent;
      dae_declare(lang, component);
      lang->outside = NULL;
    } else {
      DaeNode *node = lang->classes->pdata[class ++];
      if (node->is_record_type) {
        dae_write_record(lang, node);
      } else {
        dae_write_function(lang, node);
      }
    }
  }
}
