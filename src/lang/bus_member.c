/* Members of expandable connectors that no declaration makes: new ones, and arrays that grow
 * with the subscripts of connects [MLS, section 9.1.3]. */
#include <string.h>

#include "lang/connect.h"

#define MAX_BUS_DEPTH 60u

/* Of the attributes of what is connected only those that say what the signal is: a value, a
 * start or a bound belongs to the variable that has it. */
static const DaeMod *
kept_attributes(DaeLang *lang, const DaeMod *list)
{
  const DaeMod *kept = NULL;
  for (const DaeMod *mod = list; mod != NULL; mod = mod->next) {
    const char *name = dae_names_text(lang->names, mod->name);
    if (strcmp(name, "unit") == 0 || strcmp(name, "quantity") == 0 ||
        strcmp(name, "displayUnit") == 0) {
      DaeMod *copy = dae_arena_alloc(lang->arena, sizeof *copy);
      *copy = *mod;
      copy->next = kept;
      kept = copy;
    }
  }
  return kept;
}

static bool
has_size(const DaeComponent *component, const uint32_t *dims)
{
  bool fits = true;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    fits = fits && component->dims[d] >= dims[d];
  }
  return fits;
}

/* One node for each element; those that are there stay in their places. */
static bool
fill_nodes(DaeLang *lang, DaeComponent *component, const uint32_t *old_dims)
{
  DaeNode **old = component->nodes;
  DaeNode **nodes = dae_arena_alloc0(lang->arena, component->count * sizeof(DaeNode *) + 1);
  for (uint32_t k = 0; k < component->count; k++) {
    uint32_t stride = component->count;
    uint32_t rest = k;
    uint32_t before = 0;
    bool is_old = old != NULL;
    for (uint32_t d = 0; d < component->n_dims; d++) {
      stride /= component->dims[d];
      uint32_t at = rest / stride;
      rest %= stride;
      is_old = is_old && at < old_dims[d];
      before = before * old_dims[d] + at;
    }
    nodes[k] = is_old ? old[before]
                      : dae_component_new_node(lang, component, component->mod,
                                               dae_component_element_name(lang, component, k));
    if (nodes[k] == NULL) {
      component->is_broken = true;
      return false;
    }
  }
  component->nodes = nodes;
  component->type = component->count > 0 ? nodes[0] : component->type;
  return true;
}

bool
dae_component_grow(DaeLang *lang, DaeComponent *component, const uint32_t *dims)
{
  if (has_size(component, dims)) {
    return false;
  }
  uint32_t n = component->n_dims;
  uint32_t *old = component->dims;
  uint64_t count = 1;
  component->dims = dae_arena_alloc(lang->arena, n * sizeof(uint32_t));
  for (uint32_t d = 0; d < n; d++) {
    component->dims[d] = MAX(old[d], dims[d]);
    count *= component->dims[d];
    if (count > DAE_MAX_ARRAY) {
      component->dims = old;
      return false; /* the subscript does not fit then */
    }
  }
  component->count = (uint32_t)count;
  if (!component->is_leaf) {
    fill_nodes(lang, component, old);
  }
  return true;
}

/* The declaration of the source is that of the new one; only names, sizes and prefixes differ. */
static DaeElement *
new_element(DaeLang *lang, DaeNode *bus, uint32_t name, const DaeComponent *source)
{
  const uint32_t dropped = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_INNER | DAE_FLAG_OUTER |
                           DAE_FLAG_PROTECTED | DAE_FLAG_FINAL;
  DaeElement *element = dae_arena_alloc(lang->arena, sizeof *element);
  *element = *source->element;
  element->name = name;
  element->owner = bus;
  element->flags &= ~dropped;
  element->component = element->partial = NULL;
  element->is_under_way = false;
  g_hash_table_insert(bus->table, GUINT_TO_POINTER(name), element);
  g_ptr_array_add(bus->elements, element);
  return element;
}

static bool
make_leaf(DaeLang *lang, DaeComponent *component, const DaeComponent *source, uint32_t k)
{
  DaeNode *type = dae_arena_alloc(lang->arena, sizeof *type);
  DaeComponent like = *source;
  like.mod = source->type->attributes;
  *type = *source->type;
  type->attributes = kept_attributes(lang, dae_component_modifiers(lang, &like, k));
  type->component = component;
  component->type = type;
  component->nodes = dae_arena_alloc(lang->arena, sizeof(DaeNode *));
  component->nodes[0] = type;
  return true;
}

static bool
make_structure(DaeLang *lang, DaeComponent *component)
{
  if (component->n_dims > 0) {
    const uint32_t none[8] = {0};
    component->type =
        component->count == 0
            ? dae_component_new_node(lang, component, component->mod, component->flat_name)
            : NULL;
    return fill_nodes(lang, component, none);
  }
  component->type =
      dae_component_new_node(lang, component, component->mod, component->flat_name);
  component->nodes = dae_arena_alloc(lang->arena, sizeof(DaeNode *));
  component->nodes[0] = component->type;
  component->is_broken = component->type == NULL;
  return !component->is_broken;
}

DaeComponent *
dae_component_augment(DaeLang *lang, DaeNode *bus, uint32_t name, const DaeComponent *source,
                      uint32_t k, uint32_t n_dims, const uint32_t *dims, uint32_t pos)
{
  const uint32_t carried = DAE_FLAG_PROTECTED;
  if (bus->depth > MAX_BUS_DEPTH) {
    dae_source_error(lang->source, pos,
                     "this connect puts the member '%s' into itself, without end",
                     dae_names_text(lang->names, name));
    return NULL;
  }
  DaeComponent *component = dae_arena_alloc0(lang->arena, sizeof *component);
  component->element = new_element(lang, bus, name, source);
  component->parent = bus;
  component->flat_name = dae_name_join(lang, bus->name, name);
  component->flags = component->element->flags | (bus->component->flags & carried);
  component->mod = dae_component_modifiers(lang, source, k);
  component->is_record = source->is_record;
  component->is_leaf =
      source->type->builtin != DAE_BUILTIN_NONE || (source->is_record && n_dims == 0);
  component->n_dims = n_dims;
  component->dims = dae_arena_alloc0(lang->arena, n_dims * sizeof(uint32_t) + 1);
  component->count = 1;
  for (uint32_t d = 0; d < n_dims; d++) {
    component->dims[d] = dims[d];
    component->count *= dims[d];
  }
  component->is_augmented = component->is_ready = true;
  component->element->component = component;
  bool good = source->type->builtin != DAE_BUILTIN_NONE ? make_leaf(lang, component, source, k)
                                                        : make_structure(lang, component);
  return good ? component : NULL;
}
