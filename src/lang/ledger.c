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

void
dae_ledger_add_face(DaeLang *lang, const DaeComponent *component, bool in_connector)
{
  uint32_t flags = component->flags;
  if ((flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) != 0) {
    return;
  }
  DaeFace face = {.name = component->flat_name};
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

static uint32_t
scalars_of(const DaeComponent *component)
{
  uint32_t n = 1;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    n *= component->dims[d];
  }
  return n;
}

static DaeFace *
face_of(const DaeLang *lang, GHashTable *index, const DaeMember *member)
{
  guint at = GPOINTER_TO_UINT(
      g_hash_table_lookup(index, GUINT_TO_POINTER(member->component->flat_name)));
  return at != 0 ? &g_array_index(lang->flat.faces, DaeFace, at - 1) : NULL;
}

static uint32_t
size_of(const DaeMember *member)
{
  return member->is_element ? 1 : scalars_of(member->component);
}

/* Where a signal comes from: the output of a part, or an input that may have its
 * value from around the component. */
static bool
is_source(const DaeMember *member, const DaeFace *face)
{
  bool is_public = (member->component->flags & DAE_FLAG_PROTECTED) == 0;
  return member->is_outside ? face->kind == DAE_FACE_INPUT && (face->n_outside > 0 || is_public)
                            : face->kind == DAE_FACE_OUTPUT;
}

/* A set of n members has n equations for pairs of potential and flow, one for each pair; n - 1
 * for signals, none for their source. */
static void
count_set(const DaeLang *lang, GHashTable *index, const uint32_t *members, uint32_t n)
{
  bool has_source = false;
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = &g_array_index(lang->connect->members, DaeMember, members[i]);
    DaeFace *face = face_of(lang, index, member);
    if (face == NULL || face->kind == DAE_FACE_POTENTIAL || face->kind == DAE_FACE_STREAM) {
      continue;
    }
    bool is_flow = face->kind == DAE_FACE_FLOW;
    bool is_first_source = !is_flow && !has_source && is_source(member, face);
    has_source = has_source || is_first_source;
    if (!is_first_source && (is_flow || n > 1)) {
      face->n_given += size_of(member);
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
      face->n_outside += size_of(member);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const GArray *set = sets->pdata[i];
    if (set != NULL) {
      count_set(lang, index, (const uint32_t *)(void *)set->data, set->len);
    }
  }
}
