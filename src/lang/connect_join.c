/* One connect: which members of its connectors come into a common set, and what does not fit
 * [MLS, section 9.2]. */
#include "lang/connect.h"
#include "lang/tree.h"

/* ---- sets ------------------------------------------------------------------------------------ */

uint32_t
dae_connect_find_set(struct DaeConnect *connect, uint32_t i)
{
  while (dae_connect_at(connect, i)->parent != i) {
    uint32_t parent = dae_connect_at(connect, i)->parent;
    dae_connect_at(connect, i)->parent = dae_connect_at(connect, parent)->parent;
    i = parent;
  }
  return i;
}

uint32_t
dae_connect_member(DaeLang *lang, DaeComponent *component, uint32_t name, bool is_outside,
                   bool is_element, uint32_t pos)
{
  struct DaeConnect *connect = lang->connect;
  gpointer key = GSIZE_TO_POINTER(2 * (gsize)name + (is_outside ? 1 : 0));
  gpointer known = NULL;
  if (g_hash_table_lookup_extended(connect->index, key, NULL, &known)) {
    return GPOINTER_TO_UINT(known);
  }
  uint32_t i = connect->members->len;
  DaeMember member = {name, pos, component, is_outside, is_element, i};
  g_array_append_val(connect->members, member);
  g_hash_table_insert(connect->index, key, GUINT_TO_POINTER(i));
  return i;
}

/* The first one of a set is its representative: the equations come in the order of the text. */
static void
join(struct DaeConnect *connect, uint32_t a, uint32_t b)
{
  a = dae_connect_find_set(connect, a);
  b = dae_connect_find_set(connect, b);
  dae_connect_at(connect, MAX(a, b))->parent = MIN(a, b);
}

/* ---- one connect ----------------------------------------------------------------------------- */

void
dae_connect_join(DaeLang *lang, DaeComponent *a, uint32_t a_name, bool a_outside,
                 DaeComponent *b, uint32_t b_name, bool b_outside, uint32_t pos)
{
  join(lang->connect, dae_connect_member(lang, a, a_name, a_outside, false, pos),
       dae_connect_member(lang, b, b_name, b_outside, false, pos));
}

static const char *
type_text(const DaeComponent *component)
{
  static const char *const names[] = {"a record", "Real",          "Integer",
                                      "Boolean",  "String",        "an enumeration",
                                      "Clock",    "ExternalObject"};
  return names[component->type->builtin];
}

static void join_variables(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b,
                           uint32_t pos);

/* The record of that name: the component, or an element of it. */
static DaeNode *
record_of(const DaeEndpoint *endpoint)
{
  const DaeComponent *component = endpoint->component;
  for (uint32_t k = 0; k < component->count; k++) {
    if (component->nodes[k]->name == endpoint->name) {
      return component->nodes[k];
    }
  }
  return component->type;
}

/* What they are made of, where that tells more than what they are called. */
static char *
say_classes(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b)
{
  const char *first = dae_tree_type(lang, a->component);
  const char *second = dae_tree_type(lang, b->component);
  return strcmp(first, second) == 0 ? g_strdup("")
                                    : g_strdup_printf(" (%s and %s)", first, second);
}

static void
refuse_member(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t member,
              const DaeEndpoint *owner, uint32_t pos)
{
  g_autofree char *classes = say_classes(lang, a, b);
  const char *name = dae_names_text(lang->names, member);
  g_autofree char *what = owner != NULL
                              ? g_strdup_printf("only '%s' has '%s'",
                                                dae_names_text(lang->names, owner->name), name)
                              : g_strdup_printf("'%s' is different", name);
  dae_source_error(lang->source, pos, "'%s' and '%s' do not fit%s: %s",
                   dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
                   classes, what);
}

/* Flows and streams that are records: the members are joined one by one [MLS, sections 9.2 and
 * 15.1]. */
static void
join_flowing_records(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
{
  const DaeNode *record = record_of(a);
  DaeNode *other = record_of(b);
  for (guint i = 0; i < record->elements->len; i++) {
    DaeElement *element = record->elements->pdata[i];
    DaeElement *same = dae_node_element(lang, other, element->name);
    if (element->kind == DAE_ELEMENT_CLASS) {
      continue; /* operators */
    }
    DaeComponent *x = dae_component_of(lang, element);
    DaeComponent *y = same != NULL && same->kind == DAE_ELEMENT_COMPONENT
                          ? dae_component_of(lang, same)
                          : NULL;
    if (x == NULL || y == NULL || x->count != y->count) {
      refuse_member(lang, a, b, element->name, NULL, pos);
      return;
    }
    for (uint32_t k = 0; k < (x->is_leaf ? 1 : x->count); k++) {
      DaeEndpoint p = {x, NULL, x->is_leaf ? x->flat_name : x->nodes[k]->name, a->is_outside,
                       !x->is_leaf};
      DaeEndpoint q = {y, NULL, y->is_leaf ? y->flat_name : y->nodes[k]->name, b->is_outside,
                       !y->is_leaf};
      join_variables(lang, &p, &q, pos);
    }
  }
}

/* Signals of expandable connectors get their direction from what is connected to them; others
 * are causal on both sides or on none [MLS, sections 9.1.3 and 9.2]. */
static bool
is_of_bus(const DaeLang *lang, const DaeEndpoint *endpoint)
{
  return dae_node_is_expandable(lang, endpoint->component->parent);
}

/* Flows are connected with flows and streams with streams [MLS, section 9.3]. */
static bool
are_both(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t flag,
         const char *what, uint32_t pos)
{
  bool is_a = (a->component->flags & flag) != 0;
  bool is_b = (b->component->flags & flag) != 0;
  if (is_a != is_b) {
    dae_source_error(lang->source, pos, "'%s' is a %s and '%s' is not",
                     dae_names_text(lang->names, is_a ? a->name : b->name), what,
                     dae_names_text(lang->names, is_a ? b->name : a->name));
  }
  return is_a == is_b;
}

static void
join_variables(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
{
  const uint32_t flowing = DAE_FLAG_FLOW | DAE_FLAG_STREAM;
  if (a->component->is_record && b->component->is_record &&
      (a->component->flags & b->component->flags & flowing) != 0) {
    join_flowing_records(lang, a, b, pos);
    return;
  }
  if (dae_graph_constraint(lang, a->component) != NULL) {
    dae_graph_connect(lang, a, b, pos);
    return;
  }
  if (!are_both(lang, a, b, DAE_FLAG_FLOW, "flow", pos) ||
      (!is_of_bus(lang, a) && !is_of_bus(lang, b) &&
       !are_both(lang, a, b, DAE_FLAG_STREAM, "stream", pos))) {
    return;
  }
  uint32_t i =
      dae_connect_member(lang, a->component, a->name, a->is_outside, a->is_element, pos);
  uint32_t k =
      dae_connect_member(lang, b->component, b->name, b->is_outside, b->is_element, pos);
  const uint32_t causal = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
  bool a_causal = (a->component->flags & causal) != 0;
  bool b_causal = (b->component->flags & causal) != 0;
  if (a_causal != b_causal && !is_of_bus(lang, a) && !is_of_bus(lang, b)) {
    dae_source_error(lang->source, pos, "'%s' is input or output and '%s' is neither",
                     dae_names_text(lang->names, a_causal ? a->name : b->name),
                     dae_names_text(lang->names, a_causal ? b->name : a->name));
    return;
  }
  const uint32_t fixed = DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT;
  bool a_fixed = (a->component->flags & fixed) != 0;
  bool b_fixed = (b->component->flags & fixed) != 0;
  if (a_fixed != b_fixed) {
    dae_source_error(lang->source, pos, "'%s' is a parameter or constant and '%s' is not",
                     dae_names_text(lang->names, a_fixed ? a->name : b->name),
                     dae_names_text(lang->names, a_fixed ? b->name : a->name));
    return;
  }
  if (a_fixed && ((a->component->flags ^ b->component->flags) & DAE_FLAG_CONSTANT) != 0) {
    bool a_constant = (a->component->flags & DAE_FLAG_CONSTANT) != 0;
    dae_source_error(lang->source, pos, "'%s' is a constant and '%s' is a parameter",
                     dae_names_text(lang->names, a_constant ? a->name : b->name),
                     dae_names_text(lang->names, a_constant ? b->name : a->name));
    return;
  }
  if (a->component->type->builtin != b->component->type->builtin) {
    dae_source_error(lang->source, pos, "'%s' and '%s' have different types: %s and %s",
                     dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
                     type_text(a->component), type_text(b->component));
    return;
  }
  dae_connect_at(lang->connect, i)->pos =
      pos; /* a flow has the place of its declaration till now */
  dae_connect_at(lang->connect, k)->pos = pos;
  join(lang->connect, i, k);
}

static void join_connectors(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b,
                            uint32_t pos, uint32_t depth);

/* The member of that name in both connectors, arrays of connectors element by element. */
static void
join_members(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, DaeElement *element,
             uint32_t pos, uint32_t depth)
{
  DaeElement *other = dae_node_element(lang, b->node, element->name);
  DaeComponent *x = dae_component_of(lang, element);
  DaeComponent *y = other != NULL && other->kind == DAE_ELEMENT_COMPONENT
                        ? dae_component_of(lang, other)
                        : NULL;
  if (x == NULL || x->is_absent || (y != NULL && y->is_absent)) {
    return; /* a condition took it away, and its connection with it [MLS, section 4.4.5] */
  }
  if (y != NULL && y->is_leaf == x->is_leaf && y->count != x->count) {
    dae_source_error(lang->source, pos,
                     "'%s' and '%s' do not fit: '%s' has %u elements there and %u here",
                     dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
                     dae_names_text(lang->names, element->name), x->count, y->count);
    return;
  }
  if (y == NULL || y->is_leaf != x->is_leaf) {
    refuse_member(lang, a, b, element->name, y == NULL ? a : NULL, pos);
    return;
  }
  if (x->is_leaf) {
    DaeEndpoint p = {x, NULL, x->flat_name, a->is_outside, false};
    DaeEndpoint q = {y, NULL, y->flat_name, b->is_outside, false};
    join_variables(lang, &p, &q, pos);
    return;
  }
  for (uint32_t k = 0; k < x->count && x->is_record; k++) {
    DaeEndpoint p = {x, NULL, x->nodes[k]->name, a->is_outside, true};
    DaeEndpoint q = {y, NULL, y->nodes[k]->name, b->is_outside, true};
    join_variables(lang, &p, &q, pos);
  }
  for (uint32_t k = 0; k < x->count && !x->is_record; k++) {
    DaeEndpoint p = {x, x->nodes[k], x->nodes[k]->name, a->is_outside, false};
    DaeEndpoint q = {y, y->nodes[k], y->nodes[k]->name, b->is_outside, false};
    join_connectors(lang, &p, &q, pos, depth + 1);
  }
}

/* What b has beyond a. */
static void
check_no_more(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
{
  for (guint i = 0; i < b->node->elements->len; i++) {
    DaeElement *element = b->node->elements->pdata[i];
    bool is_extra = element->kind == DAE_ELEMENT_COMPONENT &&
                    dae_node_element(lang, a->node, element->name) == NULL;
    const DaeComponent *its = is_extra ? dae_component_of(lang, element) : NULL;
    if (its != NULL && !its->is_absent &&
        (its->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) == 0) {
      refuse_member(lang, a, b, element->name, b, pos);
      return;
    }
  }
}

static void
join_connectors(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos,
                uint32_t depth)
{
  if (depth > DAE_MAX_NESTING) {
    return;
  }
  if (a->node == NULL || b->node == NULL) {
    if (a->node != b->node) {
      g_autofree char *classes = say_classes(lang, a, b);
      dae_source_error(lang->source, pos, "'%s' and '%s' are connectors of different types%s",
                       dae_names_text(lang->names, a->name),
                       dae_names_text(lang->names, b->name), classes);
      return;
    }
    join_variables(lang, a, b, pos);
    return;
  }
  for (guint i = 0; i < a->node->elements->len; i++) {
    DaeElement *element = a->node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      join_members(lang, a, b, element, pos, depth);
    }
  }
  check_no_more(lang, a, b, pos);
}

void
dae_connect_join_endpoints(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b,
                           uint32_t pos)
{
  join_connectors(lang, a, b, pos, 0);
}

static void
count_connect(DaeLang *lang, const DaeEndpoint *endpoint)
{
  gpointer key = GUINT_TO_POINTER(endpoint->name);
  guint n = GPOINTER_TO_UINT(g_hash_table_lookup(lang->connect->counts, key));
  g_hash_table_insert(lang->connect->counts, key, GUINT_TO_POINTER(n + 1));
}

static void
connect_pair(DaeLang *lang, const DaeLink *link)
{
  count_connect(lang, &link->a);
  count_connect(lang, &link->b);
  if ((link->a.node != NULL && dae_node_is_expandable(lang, link->a.node)) ||
      (link->b.node != NULL && dae_node_is_expandable(lang, link->b.node))) {
    dae_bus_link(lang, link);
  } else {
    dae_connect_join_endpoints(lang, &link->a, &link->b, link->pos);
  }
}

/* A whole array of an expandable connector that says no sizes has those of the other side
 * [MLS, section 9.1.3]. */
static bool
takes_sizes(DaeLang *lang, const DaeSide *side, const DaeSide *other)
{
  return side->whole != NULL && other->endpoints->len > side->endpoints->len &&
         other->n_dims == side->whole->n_dims &&
         dae_component_grow(lang, side->whole, other->dims);
}

static void
begin_again(DaeSide *side)
{
  dae_side_clear(side);
  dae_side_init(side);
}

bool
dae_connect_run(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals, DaeSide *a,
                DaeSide *b)
{
  uint32_t pos = dae_syntax_code(lang->syntax, pc)->pos;
  uint32_t second = pc - 1;
  uint32_t first = dae_syntax_skip_back(lang->syntax, pc, 1) - 1;
  bool has_first = dae_connect_search(lang, scope, first, locals, a);
  if (!has_first && a->bus == NULL && a->outside == 0) {
    return true;
  }
  bool has_second = dae_connect_search(lang, scope, second, locals, b);
  if (a->is_absent || b->is_absent || dae_side_report(lang, a) || dae_side_report(lang, b) ||
      (!has_second && b->bus == NULL)) {
    return true;
  }
  if (!has_first || !has_second) {
    return false;
  }
  if (takes_sizes(lang, a, b) || takes_sizes(lang, b, a)) {
    begin_again(a);
    begin_again(b);
    return dae_connect_run(lang, scope, pc, locals, a, b);
  }
  if (a->endpoints->len != b->endpoints->len) {
    dae_source_error(lang->source, pos, "arrays of %u and %u connectors cannot be connected",
                     a->endpoints->len, b->endpoints->len);
    return true;
  }
  for (guint i = 0; i < a->endpoints->len; i++) {
    DaeLink link = {g_array_index(a->endpoints, DaeEndpoint, i),
                    g_array_index(b->endpoints, DaeEndpoint, i), pos};
    connect_pair(lang, &link);
  }
  return true;
}
