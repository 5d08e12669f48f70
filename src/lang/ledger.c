/* Who owns what in the flat model: components, and the variables by which they are connected.
 * Equations and unknowns are counted by component with it [MLS, section 4.8]. */
#include "lang/connect.h"

uint32_t
dae_ledger_instance(DaeLang *lang, DaeNode *node, uint32_t around)
{
  bool is_part =
      dae_node_is_connector(lang, node) || dae_node_is_kind(lang, node, DAE_CLASS_RECORD);
  if (is_part && around != UINT32_MAX) {
    return around;
  }
  const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
  uint32_t outer = node->scope != NULL ? dae_node_name(lang, node->scope) : 0;
  DaeInstance instance = {.name = node->name, .pos = class->pos};
  instance.class = dae_name_join(lang, outer, class->name);
  if (around != UINT32_MAX && node->component != NULL && node->component->element != NULL) {
    instance.pos = dae_syntax_declaration(lang->syntax, node->component->element->index)->pos;
  }
  g_array_append_val(lang->flat.instances, instance);
  return lang->flat.instances->len - 1;
}

/* Protected in the class that it is a connector of; that a component around is protected
 * does not count. */
static bool
is_internal(const DaeLang *lang, const DaeComponent *component)
{
  while (component != NULL && (component->element->flags & DAE_FLAG_PROTECTED) == 0) {
    const DaeNode *parent = component->parent;
    bool is_part = parent->component != NULL && parent->component != lang->model &&
                   dae_node_is_connector(lang, parent);
    component = is_part ? parent->component : NULL;
  }
  return component != NULL;
}

/* Flows that are records are connected by their members. */
static void
add_members(DaeLang *lang, const DaeComponent *component)
{
  for (uint32_t k = 0; k < component->count; k++) {
    const DaeNode *node = component->nodes[k];
    for (guint i = 0; i < node->elements->len; i++) {
      DaeElement *element = node->elements->pdata[i];
      const DaeComponent *member =
          element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
      if (member != NULL && !member->is_absent) {
        dae_ledger_add_face(lang, member, true);
      }
    }
  }
}

void
dae_ledger_add_face(DaeLang *lang, const DaeComponent *component, bool in_connector)
{
  uint32_t flags = component->flags;
  if (component->is_record && (flags & DAE_FLAG_FLOW) != 0) {
    add_members(lang, component);
    return;
  }
  bool is_clock = component->type->builtin == DAE_BUILTIN_CLOCK; /* no unknown */
  if ((flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) != 0 || is_clock) {
    return;
  }
  DaeFace face = {.name = component->flat_name, .is_internal = is_internal(lang, component)};
  if ((flags & DAE_FLAG_INPUT) != 0) {
    face.kind = DAE_FACE_INPUT;
  } else if ((flags & DAE_FLAG_OUTPUT) != 0) {
    face.kind = DAE_FACE_OUTPUT;
  } else if (!in_connector && !dae_node_is_connector(lang, component->type)) {
    return;
  } else if ((flags & DAE_FLAG_FLOW) != 0) {
    face.kind = DAE_FACE_FLOW;
  } else if ((flags & DAE_FLAG_STREAM) != 0) {
    face.kind = DAE_FACE_STREAM;
  }
  g_array_append_val(lang->flat.faces, face);
}

static DaeFace *
face_of(const DaeLang *lang, GHashTable *index, const DaeMember *member)
{
  guint at = GPOINTER_TO_UINT(
      g_hash_table_lookup(index, GUINT_TO_POINTER(member->component->flat_name)));
  return at != 0 ? &g_array_index(lang->flat.faces, DaeFace, at - 1) : NULL;
}

/* Of a variable, or of a record that is a signal: its members that are no parameters. */
static uint32_t
scalars_of(DaeLang *lang, const DaeComponent *component, uint32_t depth)
{
  uint32_t n = 0;
  if (!component->is_record || depth > DAE_MAX_NESTING) {
    return component->count;
  }
  for (guint i = 0; i < component->type->elements->len; i++) {
    DaeElement *element = component->type->elements->pdata[i];
    const DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member != NULL && !member->is_absent &&
        (member->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) == 0) {
      n += scalars_of(lang, member, depth + 1);
    }
  }
  return component->count * n;
}

static uint32_t
size_of(DaeLang *lang, const DaeMember *member)
{
  uint32_t all = scalars_of(lang, member->component, 0);
  return member->is_element && member->component->count > 0 ? all / member->component->count
                                                            : all;
}

/* Where a signal comes from: the output of a part; else an input that may have its value from
 * around the component; else what only the component itself knows, which its equations give.
 * 0: from elsewhere. */
static int
rank_as_source(const DaeMember *member, const DaeFace *face)
{
  bool is_public = (member->component->flags & DAE_FLAG_PROTECTED) == 0;
  if (!member->is_outside) {
    return face->kind == DAE_FACE_OUTPUT ? 3 : 0;
  }
  if (face->kind == DAE_FACE_INPUT && !face->is_internal) {
    return face->n_outside > 0 || is_public ? 2 : 0;
  }
  return face->is_internal ? 1 : 0;
}

/* The member of a set of signals that is their source; n: none. */
static uint32_t
source_of(const DaeLang *lang, GHashTable *index, const uint32_t *members, uint32_t n)
{
  uint32_t source = n;
  int best = 0;
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = &g_array_index(lang->connect->members, DaeMember, members[i]);
    const DaeFace *face = face_of(lang, index, member);
    int rank = face != NULL ? rank_as_source(member, face) : 0;
    if (rank > best) {
      best = rank;
      source = i;
    }
  }
  return source;
}

/* A set of n members has n equations for pairs of potential and flow, one for each pair; n - 1
 * for signals, none for their source. */
static void
count_set(DaeLang *lang, GHashTable *index, const uint32_t *members, uint32_t n)
{
  uint32_t source = source_of(lang, index, members, n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = &g_array_index(lang->connect->members, DaeMember, members[i]);
    DaeFace *face = face_of(lang, index, member);
    if (face == NULL || face->kind == DAE_FACE_POTENTIAL) {
      continue;
    }
    bool is_stream = face->kind == DAE_FACE_STREAM; /* what leaves is mixed from inside */
    if (face->kind == DAE_FACE_FLOW ||
        (is_stream ? member->is_outside : i != source && n > 1)) {
      face->n_given += size_of(lang, member);
    }
  }
}

static void
free_set(gpointer set)
{
  if (set != NULL) {
    g_array_free(set, TRUE);
  }
}

void
dae_ledger_count_connections(DaeLang *lang)
{
  struct DaeConnect *connect = lang->connect;
  uint32_t n = connect->members->len;
  g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL);
  g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(free_set);
  g_ptr_array_set_size(sets, (gint)n); /* NULL: no representative */
  for (guint i = 0; i < lang->flat.faces->len; i++) {
    uint32_t name = g_array_index(lang->flat.faces, DaeFace, i).name;
    g_hash_table_insert(index, GUINT_TO_POINTER(name), GUINT_TO_POINTER(i + 1));
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t set = dae_connect_find_set(connect, i);
    if (sets->pdata[set] == NULL) {
      sets->pdata[set] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    g_array_append_val((GArray *)sets->pdata[set], i);
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = &g_array_index(connect->members, DaeMember, i);
    const GArray *set = sets->pdata[dae_connect_find_set(connect, i)];
    DaeFace *face = face_of(lang, index, member);
    if (face != NULL && !member->is_outside && set->len > 1) {
      face->n_outside += size_of(lang, member);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const GArray *set = sets->pdata[i];
    if (set != NULL) {
      count_set(lang, index, (const uint32_t *)(void *)set->data, set->len);
    }
  }
}
