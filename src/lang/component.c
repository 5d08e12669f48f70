/* Components: type, dimensions, modifiers, one node for each element of an
 * array [MLS, chapters 4 and 7]. */
#include <string.h>

#include "lang/instance.h"

#define MAX_COMPONENT_DEPTH 120u

static const uint32_t carried = DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER | DAE_FLAG_DISCRETE |
                                DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_FLOW |
                                DAE_FLAG_STREAM | DAE_FLAG_PROTECTED;

static const DaeDeclaration *
declaration_of(const DaeLang *lang, const DaeElement *element)
{
  return dae_syntax_declaration(lang->syntax, element->index);
}

static bool
fail(DaeComponent *component)
{
  component->is_broken = true;
  return false;
}

/* ---- modifiers ------------------------------------------------------------------------------- */

/* The value in the original declaration: without a constraining clause all that it says
 * stays, and nothing that the redeclarations between say [MLS, section 7.3.2]. */
static DaeClosure
replaced_value(const DaeLang *lang, const DaeElement *element)
{
  for (const DaeElement *old = element->replaced;
       old != NULL && old->kind == DAE_ELEMENT_COMPONENT; old = old->replaced) {
    const DaeDeclaration *declaration = declaration_of(lang, old);
    const DaeDeclarationRest *rest =
        &g_array_index(lang->syntax->rests, DaeDeclarationRest, declaration->rest);
    if (declaration->rest != 0 && rest->constraint != 0) {
      break;
    }
    if (old->replaced == NULL && declaration->binding != 0) {
      return (DaeClosure){declaration->binding, declaration->pos, old->home, NULL, NULL};
    }
  }
  return (DaeClosure){0};
}

static void
collect_modifiers(DaeLang *lang, DaeComponent *component)
{
  const DaeElement *element = component->element;
  const DaeDeclaration *declaration = declaration_of(lang, element);
  const DaeMod *own = dae_element_own_mods(lang, element);
  const DaeMod *outer = element->mod != NULL ? element->mod->inner : NULL;
  const DaeClosure *record = &component->parent->value;
  /* The value of the record says nothing of its constants, and nothing else of what is final. */
  bool is_weak = element->mod != NULL && element->mod->is_weak && !element->mod->is_final &&
                 record->code != 0 && (element->flags & DAE_FLAG_CONSTANT) == 0;
  bool is_given = element->mod != NULL && element->mod->value.code != 0 && !is_weak;
  if (is_given || record->code != 0) { /* R(Point p(x = 5)) r = S(...) has the p of S */
    own = dae_mod_weaken(lang, own);
  }
  bool has_clause = false;
  const DaeMod *clause = dae_element_constraint_mods(lang, element, &has_clause);
  component->mod = dae_mod_merge(lang, dae_mod_merge(lang, outer, own),
                                 dae_mod_merge(lang, clause, element->constraint));
  if ((element->flags & DAE_FLAG_FINAL) != 0 && element->replaced == NULL &&
      element->mod != NULL && dae_mod_says(element->mod)) {
    dae_error_once(lang, element->mod->pos, "'%s' is final and cannot be modified",
                   element->name);
  }
  if (is_given) {
    component->binding = element->mod->value;
  } else if (record->code != 0 && ((element->flags & DAE_FLAG_CONSTANT) == 0 ||
                                   (declaration->binding == 0 && element->given.code == 0))) {
    /* a constant that has no value yet is an argument of the constructor [MLS, section 12.6] */
    component->binding = dae_closure_member(lang, *record, element->name);
  } else if (declaration->binding != 0 && (element->mod == NULL || !element->mod->is_break)) {
    component->binding = (DaeClosure){declaration->binding, declaration->pos, element->home,
                                      element->part, NULL};
  } else if (element->mod == NULL || !element->mod->is_break) {
    component->binding =
        element->given.code != 0 ? element->given : replaced_value(lang, element);
  }
}

/* ---- inner and outer ------------------------------------------------------------------------- */

/* One that was made before stands beside an outer of the same name, not in the table. */
static DaeElement *
find_made_inner(const DaeLang *lang, uint32_t name)
{
  const GPtrArray *elements = lang->model->type->elements;
  for (guint i = elements->len; i > 0; i--) {
    DaeElement *element = g_ptr_array_index(elements, i - 1);
    if (element->name == name && element->kind == DAE_ELEMENT_COMPONENT &&
        (element->flags & DAE_FLAG_INNER) != 0) {
      return element;
    }
  }
  return NULL;
}

/* An inner class is no inner for a component. */
static bool
is_inner_class(const DaeLang *lang, const DaeElement *element)
{
  return element != NULL && element->kind == DAE_ELEMENT_CLASS && element->index != 0 &&
         (dae_syntax_class(lang->syntax, element->index)->flags & DAE_FLAG_INNER) != 0;
}

static DaeElement *
find_inner(DaeLang *lang, const DaeComponent *component)
{
  const DaeNode *node = component->parent;
  while (node->component != NULL && node->component->parent != NULL) {
    node = node->component->parent;
    DaeElement *element =
        g_hash_table_lookup(node->table, GUINT_TO_POINTER(component->element->name));
    if (element != NULL && element->kind == DAE_ELEMENT_COMPONENT &&
        (element->flags & DAE_FLAG_INNER) != 0) {
      return element;
    }
    if (is_inner_class(lang, element)) {
      dae_error_once(lang, declaration_of(lang, component->element)->pos,
                     "the inner '%s' is a class, this outer is a component",
                     component->element->name);
    }
  }
  return find_made_inner(lang, component->element->name);
}

/* A missing inner is made from the declaration of the outer, at the top of
 * the model [MLS, section 5.4]. */
static DaeElement *
make_inner(DaeLang *lang, const DaeComponent *component)
{
  DaeNode *top = lang->model->type;
  DaeElement *element = dae_arena_alloc(lang->arena, sizeof *element);
  const char *name = dae_names_text(lang->names, component->element->name);
  const char *outer = dae_names_text(lang->names, component->flat_name);
  *element = *component->element;
  element->owner = top;
  element->component = NULL;
  element->is_under_way = false;
  element->mod = NULL;
  element->flags =
      (element->flags & ~(uint32_t)(DAE_FLAG_OUTER | DAE_FLAG_PROTECTED)) | DAE_FLAG_INNER;
  if (!g_hash_table_contains(top->table, GUINT_TO_POINTER(element->name))) {
    g_hash_table_insert(top->table, GUINT_TO_POINTER(element->name), element);
  }
  g_ptr_array_add(top->elements, element);
  dae_source_warning(
      lang->source, declaration_of(lang, component->element)->pos,
      "there is no inner '%s' for this outer, '%s'; one is made at the top of the model", name,
      outer);
  return element;
}

static bool
bind_outer(DaeLang *lang, DaeComponent *component)
{
  DaeElement *inner = find_inner(lang, component);
  DaeElement *other =
      g_hash_table_lookup(lang->model->type->table, GUINT_TO_POINTER(component->element->name));
  if (inner == NULL && other != NULL && other != component->element &&
      (other->flags & (DAE_FLAG_OUTER | DAE_FLAG_INNER)) == 0) {
    dae_error_once(lang, declaration_of(lang, component->element)->pos,
                   "there is no inner '%s' for this outer: that of the model is not inner",
                   component->element->name);
    return fail(component);
  }
  if (inner == NULL) {
    inner = make_inner(lang, component);
  }
  component->is_outer = true;
  component->inner = dae_component_of(lang, inner);
  if (component->inner == NULL) {
    return fail(component);
  }
  if (component->inner->is_outer) {
    component->inner = component->inner->inner;
  }
  if (!dae_check_outer(lang, component)) {
    return fail(component);
  }
  const DaeComponent *target = component->inner;
  component->type = target->type;
  component->flat_name = target->flat_name;
  component->flags = target->flags;
  component->n_dims = target->n_dims;
  component->dims = target->dims;
  component->count = target->count;
  component->nodes = target->nodes;
  component->is_leaf = target->is_leaf;
  component->is_record = target->is_record;
  component->binding = target->binding;
  return true;
}

/* ---- dimensions ------------------------------------------------------------------------------ */

static bool
is_class_of_kind(const DaeLang *lang, const DaeNode *node, DaeClassKind kind)
{
  return node != NULL && node->component == NULL && node->value.code == 0 && node->class != 0 &&
         dae_syntax_class(lang->syntax, node->class)->kind == kind;
}

/* A member of a record that is no part of a component of the model, or a variable of a function:
 * sizes by others get their values with each record, or with each call. */
static bool
is_of_class(const DaeLang *lang, const DaeComponent *component)
{
  const DaeNode *node = component->parent;
  while (node != NULL && node->component != NULL && node->component->parent != NULL &&
         dae_node_is_kind(lang, node, DAE_CLASS_RECORD)) {
    node = node->component->parent; /* records in it have sizes of their own */
  }
  return is_class_of_kind(lang, node, DAE_CLASS_RECORD) ||
         is_class_of_kind(lang, node, DAE_CLASS_FUNCTION);
}

static bool
take_dimension(DaeLang *lang, DaeComponent *component, const DaeEval *value, uint32_t pos,
               uint32_t which)
{
  int64_t size = -1;
  if (value->type == DAE_EVAL_COLON && component->binding.code == 0 &&
      dae_node_is_expandable(lang, component->parent)) {
    component->is_growing = true;
    size = 0;
  } else if (value->type == DAE_EVAL_COLON) {
    DaeEval whole = {0};
    if (component->binding.code != 0) {
      whole = dae_evaluate(lang, &component->binding);
    }
    if (dae_eval_has_size(&whole) && whole.n_dims > which) {
      size = whole.dims[which];
    } else {
      const DaeMod *start = dae_mod_find(component->mod, dae_name_intern(lang, "start"));
      whole = start != NULL && !start->is_each ? dae_evaluate(lang, &start->value) : whole;
      size =
          dae_eval_has_size(&whole) && whole.n_dims > which ? (int64_t)whole.dims[which] : -1;
    }
  } else if (value->type == DAE_EVAL_INTEGER && value->n_dims == 0) {
    size = value->integer;
  } else if (value->type == DAE_EVAL_ENUMERATION && value->node != NULL && value->count == 0) {
    size = value->integer; /* the type itself */
  }
  bool is_asked = value->type == DAE_EVAL_UNKNOWN ||
                  (value->type == DAE_EVAL_COLON &&
                   (component->binding.code == 0 ||
                    is_class_of_kind(lang, component->parent, DAE_CLASS_FUNCTION)));
  if (size < 0 && is_asked && is_of_class(lang, component)) {
    component->is_open = true;
    size = 0;
  }
  if (size < 0 || size > (int64_t)DAE_MAX_ARRAY) {
    dae_source_error(lang->source, pos, "the size of '%s' is not known",
                     dae_names_text(lang->names, component->flat_name));
    return fail(component);
  }
  component->dims[which] = (uint32_t)size;
  return true;
}

static bool
add_dimensions(DaeLang *lang, DaeComponent *component, uint32_t code, uint32_t n,
               DaeNode *scope)
{
  g_autofree DaeEval *values = g_new0(DaeEval, n);
  uint32_t *old = component->dims;
  component->dims = dae_arena_alloc0(lang->arena, (component->n_dims + n) * sizeof(uint32_t));
  if (component->n_dims > 0) {
    memcpy(component->dims, old, component->n_dims * sizeof(uint32_t));
  }
  uint32_t pos = dae_syntax_code(lang->syntax, code)->pos;
  for (uint32_t i = 0; i < n; i++) { /* A[:, size(A, 1)]: one after the other */
    uint32_t errors = lang->source->n_errors;
    dae_evaluate_list(lang, scope, code, values, n);
    if (lang->source->n_errors > errors) {
      return fail(component); /* why it has no value was told */
    }
    if (!take_dimension(lang, component, &values[i], pos, component->n_dims)) {
      return false;
    }
    component->n_dims++;
  }
  return true;
}

static bool
find_dimensions(DaeLang *lang, DaeComponent *component)
{
  const DaeElement *element = component->element;
  uint32_t index = element->dims_declaration != 0 ? element->dims_declaration : element->index;
  DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, index);
  DaeNode *scope = element->home;
  if (element->dims_declaration != 0 && element->replaced != NULL) {
    const DaeElement *original = element->replaced;
    while (original->replaced != NULL && original->index != index) {
      original = original->replaced;
    }
    scope = original->home;
  }
  if (declaration.n_dims > 0 &&
      !add_dimensions(lang, component, declaration.dims_code, declaration.n_dims, scope)) {
    return false;
  }
  return declaration.n_type_dims == 0 ||
         add_dimensions(lang, component, declaration.type_dims_code, declaration.n_type_dims,
                        scope);
}

static bool
count_elements(DaeLang *lang, DaeComponent *component)
{
  uint64_t count = 1;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    count *= component->dims[d];
    if (count > DAE_MAX_ARRAY) {
      dae_source_error(lang->source, declaration_of(lang, component->element)->pos,
                       "'%s' has too many elements",
                       dae_names_text(lang->names, component->flat_name));
      return fail(component);
    }
  }
  component->count = (uint32_t)count;
  return true;
}

/* ---- the type -------------------------------------------------------------------------------- */

static bool
is_record(const DaeLang *lang, const DaeNode *node)
{
  for (uint32_t i = 0; i < DAE_MAX_NESTING && node->class != 0; i++) {
    const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
    if (class->kind == DAE_CLASS_RECORD) {
      return true;
    }
    bool is_alias = (class->flags & DAE_FLAG_SHORT) != 0 && node->bases->len == 1;
    if (!is_alias) {
      return false;
    }
    node = node->bases->pdata[0];
  }
  return false;
}

/* The members of a record are parts of one value. */
static void
share_value(DaeLang *lang, DaeClosure *value)
{
  if (value->code != 0 && value->shared == NULL) {
    value->shared = dae_arena_alloc0(lang->arena, sizeof(DaeShared));
    value->shared->subscripts = value->subscripts;
  }
}

static DaeNode *
new_type_node(DaeLang *lang, DaeComponent *component, DaeElement *type, const DaeMod *mod,
              uint32_t name)
{
  DaeNode *node = dae_element_new_node(lang, type, mod);
  node->component = component;
  node->name = name;
  node->depth = component->parent != NULL ? component->parent->depth + 1 : 0;
  node->is_function = false;
  return dae_node_expand(lang, node) ? node : NULL;
}

/* The value of element k of an array, unless one value is for each. */
static DaeClosure
value_of(DaeLang *lang, const DaeComponent *component, uint32_t k)
{
  const DaeMod *mod = component->element->mod;
  DaeClosure value = component->binding;
  uint32_t stride = component->count;
  if (value.code == 0 ||
      (mod != NULL && mod->is_each && !mod->is_spread && mod->value.code != 0)) {
    return value;
  }
  for (uint32_t d = 0; d < component->n_dims; d++) {
    stride /= component->dims[d];
    value = dae_closure_index(lang, value, k / stride + 1);
    k %= stride;
  }
  return value;
}

uint32_t
dae_component_element_name(DaeLang *lang, const DaeComponent *component, uint32_t k)
{
  if (component->n_dims == 0) {
    return component->flat_name;
  }
  g_autoptr(GString) text = g_string_new(dae_names_text(lang->names, component->flat_name));
  uint32_t stride = component->count;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    stride /= component->dims[d];
    g_string_append_printf(text, "%c%u", d == 0 ? '[' : ',', k / stride + 1);
    k %= stride;
  }
  g_string_append_c(text, ']');
  return dae_names_intern(lang->names, text->str, text->len);
}

const DaeMod *
dae_component_modifiers(DaeLang *lang, const DaeComponent *component, uint32_t k)
{
  const DaeMod *mod = component->mod;
  uint32_t stride = component->count;
  for (uint32_t d = 0; d < component->n_dims && mod != NULL; d++) {
    stride /= component->dims[d];
    mod = dae_mod_index(lang, mod, k / stride + 1);
    k %= stride;
  }
  return component->n_dims > 0 ? dae_mod_without_each(lang, mod, true) : mod;
}

DaeNode *
dae_component_new_node(DaeLang *lang, DaeComponent *component, const DaeMod *mod, uint32_t name)
{
  const DaeElement *element = component->element;
  const DaeDeclaration *declaration = declaration_of(lang, element);
  DaeElement *type =
      dae_lookup_class_element(lang, element->home, declaration->type, declaration->type_pos);
  type = type != NULL ? dae_element_resolve(lang, type) : NULL;
  return type != NULL ? new_type_node(lang, component, type, mod, name) : NULL;
}

static bool
make_nodes(DaeLang *lang, DaeComponent *component, DaeElement *type)
{
  if (!dae_check_distribution(lang, component)) {
    return fail(component);
  }
  component->nodes = dae_arena_alloc0(lang->arena, component->count * sizeof(DaeNode *) + 1);
  if (component->n_dims == 0) {
    component->nodes[0] = component->type;
    return true;
  }
  for (uint32_t k = 0; k < component->count; k++) {
    component->nodes[k] =
        new_type_node(lang, component, type, dae_component_modifiers(lang, component, k),
                      dae_component_element_name(lang, component, k));
    if (component->nodes[k] == NULL) {
      return fail(component);
    }
    if (component->is_record) {
      component->nodes[k]->value = value_of(lang, component, k);
    }
  }
  if (component->count > 0) {
    component->type = component->nodes[0];
  }
  return true;
}

/* A model has no value of its own [MLS, section 4.4.1]. */
static bool
check_value(DaeLang *lang, const DaeComponent *component)
{
  if (component->binding.code == 0 || component->is_record ||
      component->type->builtin != DAE_BUILTIN_NONE) {
    return true;
  }
  dae_source_error(lang->source, component->binding.pos,
                   "'%s' is no variable and no record: it has no value of its own",
                   dae_names_text(lang->names, component->flat_name));
  return false;
}

/* One prefix of each group: of the declaration, its type, and for flow and stream of the
 * components around [MLS, section 4.4.2]. */
static bool
check_prefixes(DaeLang *lang, const DaeComponent *component)
{
  const DaeElement *element = component->element;
  const uint32_t causality = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
  const uint32_t flow = DAE_FLAG_FLOW | DAE_FLAG_STREAM;
  uint32_t own = element->flags;
  uint32_t type = component->type->flags;
  const DaeNode *parent = component->parent;
  uint32_t around = parent != NULL && parent->component != NULL ? parent->component->flags : 0;
  bool is_connector = dae_node_is_connector(lang, component->type);
  bool is_twice = (own & causality) == causality || (own & flow) == flow ||
                  ((own & causality) != 0 && (type & causality) != 0 &&
                   (own & causality) != (type & causality)) ||
                  ((own & flow) != 0 && ((type & flow) != 0 || (around & flow) != 0));
  if (is_twice && !is_connector) {
    dae_error_once(lang, declaration_of(lang, element)->pos,
                   "'%s' has two prefixes where one can be: input or output, flow or stream",
                   element->name);
    return false;
  }
  return true;
}

static bool
find_type(DaeLang *lang, DaeComponent *component)
{
  const DaeElement *element = component->element;
  DaeDeclaration declaration = *declaration_of(lang, element);
  DaeElement *named =
      dae_lookup_class_element(lang, element->home, declaration.type, declaration.type_pos);
  DaeElement *type = named != NULL ? dae_element_resolve(lang, named) : NULL;
  if (type == NULL) {
    return fail(component);
  }
  component->type = new_type_node(lang, component, type, component->mod, component->flat_name);
  if (component->type == NULL) {
    return fail(component);
  }
  if (!check_prefixes(lang, component)) {
    return fail(component);
  }
  component->flags |= component->type->flags;
  if ((dae_has_constraint(lang, element) &&
       !dae_check_constraint(lang, element, component->type)) ||
      (dae_has_constraint(lang, named) &&
       !dae_check_constraint(lang, named, component->type))) {
    return fail(component);
  }
  if (!find_dimensions(lang, component)) {
    return false;
  }
  const GArray *dims = component->type->dims;
  for (guint i = 0; dims != NULL && i < dims->len; i++) {
    const DaeDims *more = &g_array_index(dims, DaeDims, i);
    if (!add_dimensions(lang, component, more->code, more->n, more->scope)) {
      return false;
    }
  }
  component->is_record = is_record(lang, component->type);
  component->is_leaf = component->type->builtin != DAE_BUILTIN_NONE ||
                       (component->is_record && component->n_dims == 0);
  if (!count_elements(lang, component)) {
    return false;
  }
  if (!dae_check_modifiers(lang, component) || !dae_check_prefixes(lang, component) ||
      !check_value(lang, component)) {
    return fail(component);
  }
  if (component->is_record) {
    share_value(lang, &component->binding);
  }
  if (component->is_record && component->n_dims == 0) {
    component->type->value = component->binding;
  }
  if (component->is_leaf) {
    component->nodes = dae_arena_alloc(lang->arena, sizeof(DaeNode *));
    component->nodes[0] = component->type;
    return true;
  }
  return make_nodes(lang, component, type);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The condition of the declaration, or of the one that it replaces: a redeclaration keeps it
 * [MLS, section 7.3]. 0: none. */
static uint32_t
condition_of(const DaeLang *lang, const DaeElement *element, DaeNode **scope)
{
  for (; element != NULL && element->kind == DAE_ELEMENT_COMPONENT;
       element = element->replaced) {
    const DaeDeclaration *declaration = declaration_of(lang, element);
    const DaeDeclarationRest *rest =
        &g_array_index(lang->syntax->rests, DaeDeclarationRest, declaration->rest);
    if (declaration->rest != 0 && rest->condition != 0) {
      *scope = element->home;
      return rest->condition;
    }
  }
  return 0;
}

static bool
is_present(DaeLang *lang, DaeComponent *component)
{
  DaeNode *scope = NULL;
  uint32_t condition = condition_of(lang, component->element, &scope);
  if (condition == 0) {
    return true;
  }
  component->is_conditional = true;
  DaeEval value = dae_evaluate_code(lang, scope, condition);
  uint32_t pos = dae_syntax_begin_of(lang->syntax, condition);
  if (value.type != DAE_EVAL_BOOLEAN && value.type != DAE_EVAL_UNKNOWN) {
    dae_source_error(lang->source, pos, "the condition of '%s' is not Boolean",
                     dae_names_text(lang->names, component->flat_name));
    return fail(component);
  }
  if (value.type != DAE_EVAL_BOOLEAN || value.n_dims > 0) {
    dae_source_error(lang->source, pos,
                     "the condition of '%s' has no value that is known before the simulation",
                     dae_names_text(lang->names, component->flat_name));
    return fail(component);
  }
  return value.integer != 0;
}

static void
fill(DaeLang *lang, DaeComponent *component)
{
  const DaeElement *element = component->element;
  DaeNode *parent = component->parent;
  /* what functions inside of a function see of it */
  bool is_seen = (element->flags & DAE_FLAG_CONSTANT) != 0 &&
                 dae_node_is_kind(lang, parent, DAE_CLASS_FUNCTION);
  component->flat_name = (parent->is_function && !is_seen) || parent->name == 0
                             ? element->name
                             : dae_name_join(lang, parent->name, element->name);
  component->flags = element->flags;
  if (parent->component != NULL) {
    component->flags |= parent->component->flags & carried;
  }
  component->count = 1;
  if (parent->depth > MAX_COMPONENT_DEPTH) {
    const DaeElement *around = parent->component->element;
    dae_error_once(lang, declaration_of(lang, around)->pos,
                   "the component '%s' contains itself, without end", around->name);
    fail(component);
    return;
  }
  collect_modifiers(lang, component);
  component->is_absent = !is_present(lang, component);
  if (component->is_absent || component->is_broken) {
    return;
  }
  bool is_outer = (element->flags & DAE_FLAG_OUTER) != 0 &&
                  (element->flags & DAE_FLAG_INNER) == 0 && lang->model != NULL &&
                  lang->model->type != NULL && parent->component != NULL;
  if (is_outer) {
    bind_outer(lang, component);
  } else {
    find_type(lang, component);
  }
}

DaeComponent *
dae_component_of(DaeLang *lang, DaeElement *element)
{
  if (element->component != NULL) {
    return element->component->is_broken ? NULL : element->component;
  }
  if (element->is_under_way && element->partial != NULL && element->partial->dims != NULL) {
    return element->partial;
  }
  if (element->is_under_way) {
    dae_source_error(lang->source, declaration_of(lang, element)->pos,
                     "the type or size of '%s' depends on itself",
                     dae_names_text(lang->names, element->name));
    return NULL;
  }
  element->is_under_way = true;
  DaeComponent *component = dae_arena_alloc0(lang->arena, sizeof *component);
  component->element = element;
  component->parent = element->owner;
  element->partial = component;
  fill(lang, component);
  component->is_ready = true;
  element->component = component;
  element->is_under_way = false;
  return component->is_broken ? NULL : component;
}

DaeComponent *
dae_component_meant(DaeLang *lang, DaeElement *element)
{
  const uint32_t both = DAE_FLAG_INNER | DAE_FLAG_OUTER;
  DaeComponent *component = dae_component_of(lang, element);
  if (component == NULL || component->is_outer) {
    return component != NULL ? component->inner : NULL;
  }
  if ((element->flags & both) != both || lang->model == NULL || lang->model->type == NULL ||
      component->parent == NULL || component->parent->component == NULL) {
    return component;
  }
  DaeElement *inner = find_inner(lang, component);
  inner = inner != NULL ? inner : make_inner(lang, component);
  return dae_component_of(lang, inner);
}
