/* Connect statements to sets of connected members, and their equations [MLS, section 9.2]. */
#include <string.h>

#include "lang/connect.h"

void
dae_connect_init(DaeLang *lang)
{
  struct DaeConnect *connect = g_new0(struct DaeConnect, 1);
  connect->members = g_array_new(FALSE, TRUE, sizeof(DaeMember));
  connect->index = g_hash_table_new(NULL, NULL);
  connect->counts = g_hash_table_new(NULL, NULL);
  connect->graph = dae_graph_new();
  connect->buses = dae_buses_new();
  lang->connect = connect;
}

void
dae_connect_clear(DaeLang *lang)
{
  struct DaeConnect *connect = lang->connect;
  g_array_free(connect->members, TRUE);
  g_hash_table_destroy(connect->index);
  g_hash_table_destroy(connect->counts);
  dae_graph_free(connect->graph);
  dae_buses_free(connect->buses);
  g_free(connect);
  lang->connect = NULL;
}

bool
dae_node_is_connector(const DaeLang *lang, const DaeNode *node)
{
  return dae_node_is_kind(lang, node, DAE_CLASS_CONNECTOR);
}

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

/* Flows that are records: the members sum up one by one [MLS, section 9.2]. */
static void
join_flow_records(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
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
      dae_source_error(lang->source, pos, "'%s' and '%s' do not fit: '%s' is different",
                       dae_names_text(lang->names, a->name),
                       dae_names_text(lang->names, b->name),
                       dae_names_text(lang->names, element->name));
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

static void
join_variables(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos)
{
  if (a->component->is_record && b->component->is_record &&
      (a->component->flags & b->component->flags & DAE_FLAG_FLOW) != 0) {
    join_flow_records(lang, a, b, pos);
    return;
  }
  if (a->component->is_record && dae_graph_constraint(lang, a->component) != NULL) {
    dae_graph_connect(lang, a, b, pos);
    return;
  }
  uint32_t i =
      dae_connect_member(lang, a->component, a->name, a->is_outside, a->is_element, pos);
  uint32_t k =
      dae_connect_member(lang, b->component, b->name, b->is_outside, b->is_element, pos);
  bool a_flow = (a->component->flags & DAE_FLAG_FLOW) != 0;
  bool b_flow = (b->component->flags & DAE_FLAG_FLOW) != 0;
  if (a_flow != b_flow) {
    dae_source_error(lang->source, pos, "'%s' is a flow and '%s' is not",
                     dae_names_text(lang->names, a_flow ? a->name : b->name),
                     dae_names_text(lang->names, a_flow ? b->name : a->name));
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
  if (x == NULL || x->is_absent) {
    return;
  }
  if (y != NULL && !y->is_absent && y->is_leaf == x->is_leaf && y->count != x->count) {
    dae_source_error(lang->source, pos,
                     "'%s' and '%s' do not fit: '%s' has %u elements there and %u here",
                     dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
                     dae_names_text(lang->names, element->name), x->count, y->count);
    return;
  }
  if (y == NULL || y->is_absent || y->is_leaf != x->is_leaf) {
    dae_source_error(lang->source, pos,
                     "'%s' and '%s' do not fit: '%s' is different or missing",
                     dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
                     dae_names_text(lang->names, element->name));
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
      dae_source_error(
          lang->source, pos, "'%s' and '%s' do not fit: only '%s' has '%s'",
          dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name),
          dae_names_text(lang->names, b->name), dae_names_text(lang->names, element->name));
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
      dae_source_error(lang->source, pos, "'%s' and '%s' are connectors of different types",
                       dae_names_text(lang->names, a->name),
                       dae_names_text(lang->names, b->name));
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

bool
dae_connect_run(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals, DaeSide *a,
                DaeSide *b)
{
  uint32_t pos = dae_syntax_code(lang->syntax, pc)->pos;
  uint32_t second = pc - 1;
  uint32_t first = dae_syntax_skip_back(lang->syntax, pc, 1) - 1;
  bool has_first = dae_connect_search(lang, scope, first, locals, a);
  if (!has_first && a->bus == NULL) {
    return true;
  }
  bool has_second = dae_connect_search(lang, scope, second, locals, b);
  if ((!has_second && b->bus == NULL) || a->is_absent || b->is_absent) {
    return true;
  }
  if (!has_first || !has_second) {
    return false;
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

static void
run_connect(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  DaeSide a;
  DaeSide b;
  dae_side_init(&a);
  dae_side_init(&b);
  if (!dae_connect_run(lang, scope, pc, locals, &a, &b)) {
    dae_bus_defer(lang, scope, pc, locals);
  }
  dae_side_clear(&a);
  dae_side_clear(&b);
}

/* ---- sections -------------------------------------------------------------------------------- */

typedef struct {
  DaeEval range;
  uint32_t position;
} Round;

static bool
is_graph_call(const DaeLang *lang, const DaeInstruction *instruction)
{
  return instruction->op == DAE_OP_STATEMENT &&
         g_str_has_prefix(dae_names_text(lang->names, instruction->arg), "Connections.");
}

bool
dae_connect_has(const DaeLang *lang, uint32_t code)
{
  for (uint32_t pc = code; dae_syntax_code(lang->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    if (instruction->op == DAE_OP_CONNECT || is_graph_call(lang, instruction)) {
      return true;
    }
  }
  return false;
}

static DaeEval
value_before(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  DaeInterpreter interpreter;
  DaeEval value = {.type = DAE_EVAL_UNKNOWN};
  uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, 1);
  dae_interpreter_init(&interpreter, lang, scope);
  g_array_append_vals(interpreter.locals, locals->data, locals->len);
  if (dae_interpreter_run_to(&interpreter, begin, pc) && interpreter.stack->len == 1) {
    value = g_array_index(interpreter.stack, DaeEval, 0);
  }
  dae_interpreter_clear(&interpreter);
  return value;
}

/* The first connect from begin to end is told: what stands around it is not known before the
 * simulation [MLS, section 9.1]. */
static void
refuse_connects(DaeLang *lang, uint32_t begin, uint32_t end, const char *why)
{
  for (uint32_t pc = begin; pc < end; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    if (instruction->op == DAE_OP_CONNECT) {
      dae_source_error(lang->source, instruction->pos, "%s", why);
      return;
    }
  }
}

/* At FOR. The next pc. */
static uint32_t
begin_round(DaeLang *lang, DaeNode *scope, uint32_t pc, GArray *locals, GArray *rounds)
{
  const DaeInstruction loop = *dae_syntax_code(lang->syntax, pc);
  Round round = {value_before(lang, scope, pc, locals), 0};
  if (round.range.type == DAE_EVAL_UNKNOWN && round.range.n_dims != 1) {
    refuse_connects(lang, pc, pc + loop.arg,
                    "connect in a loop whose range is not known before the simulation");
  }
  if (round.range.type == DAE_EVAL_UNKNOWN || round.range.n_dims != 1 ||
      round.range.count == 0) {
    return pc + loop.arg;
  }
  DaeLocal local = {dae_syntax_code(lang->syntax, pc + 1)->arg, round.range.data[0]};
  g_array_append_val(locals, local);
  g_array_append_val(rounds, round);
  return pc + 2;
}

static uint32_t
next_round(DaeLang *lang, uint32_t pc, GArray *locals, GArray *rounds)
{
  if (rounds->len == 0) {
    return pc + 1;
  }
  Round *round = &g_array_index(rounds, Round, rounds->len - 1);
  if (++round->position < round->range.count) {
    g_array_index(locals, DaeLocal, locals->len - 1).value = round->range.data[round->position];
    return pc - dae_syntax_code(lang->syntax, pc)->arg + 2;
  }
  g_array_set_size(rounds, rounds->len - 1);
  g_array_set_size(locals, locals->len - 1);
  return pc + 1;
}

static uint32_t
run_branch(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  uint32_t behind = pc + dae_syntax_code(lang->syntax, pc)->arg;
  DaeEval condition = value_before(lang, scope, pc, locals);
  if (condition.type == DAE_EVAL_BOOLEAN && condition.n_dims == 0) {
    return condition.integer != 0 ? pc + 1 : behind;
  }
  uint32_t end = behind - 1 + dae_syntax_code(lang->syntax, behind - 1)->arg;
  refuse_connects(lang, pc, end,
                  "connect in an if-equation whose condition is not known before the "
                  "simulation");
  return behind;
}

static uint32_t
run_one(DaeLang *lang, DaeNode *scope, uint32_t pc, GArray *locals, GArray *rounds)
{
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  switch ((int)instruction.op) {
  case DAE_OP_CONNECT:
    run_connect(lang, scope, pc, locals);
    return pc + 1;
  case DAE_OP_STATEMENT:
    if (is_graph_call(lang, &instruction)) {
      dae_graph_statement(lang, scope, pc, locals);
    }
    return pc + 1;
  case DAE_OP_FOR:
    return begin_round(lang, scope, pc, locals, rounds);
  case DAE_OP_ENDFOR:
    return next_round(lang, pc, locals, rounds);
  case DAE_OP_WHETHER:
    return run_branch(lang, scope, pc, locals);
  case DAE_OP_WHEN:
    refuse_connects(lang, pc, pc + instruction.arg, "connect in a when-equation");
    return pc + 1;
  case DAE_OP_OTHERWISE:
    return pc + instruction.arg;
  default:
    return pc + 1;
  }
}

void
dae_connect_section(DaeLang *lang, DaeNode *node, uint32_t code)
{
  g_autoptr(GArray) locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  g_autoptr(GArray) rounds = g_array_new(FALSE, TRUE, sizeof(Round));
  for (uint32_t pc = code;
       dae_syntax_code(lang->syntax, pc)->op != DAE_OP_RETURN && lang->steps < DAE_MAX_STEPS;
       lang->steps++) {
    pc = run_one(lang, node, pc, locals, rounds);
  }
}

/* ---- equations ------------------------------------------------------------------------------- */

void
dae_connect_emit(DaeLang *lang, const DaeMember *member, uint32_t pos)
{
  const char *text = dae_names_text(lang->names, member->name);
  bool is_scalar = member->is_element && !member->component->is_record;
  const char *open = is_scalar ? strrchr(text, '[') : NULL;
  if (open == NULL) {
    dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0, member->name, pos);
    return;
  }
  uint32_t n = 0; /* one scalar of an array: x[2,3] */
  for (const char *at = open + 1; *at != '\0' && *at != ']'; n++) {
    char *end = NULL;
    uint64_t index = g_ascii_strtoull(at, &end, 10);
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0,
                    dae_name_format(lang, "%" G_GUINT64_FORMAT, index), pos);
    at = *end == ',' ? end + 1 : end;
  }
  uint32_t name = dae_names_intern(lang->names, text, (size_t)(open - text));
  dae_syntax_emit(&lang->flat, DAE_OP_ELEMENT, n, name, pos);
}

static void
emit_zero(DaeLang *lang, const DaeMember *member, uint32_t pos)
{
  const DaeComponent *component = member->component;
  if (component->n_dims == 0 || member->is_element) {
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, dae_name_intern(lang, "0"), pos);
    return;
  }
  for (uint32_t d = 0; d < component->n_dims; d++) {
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0,
                    dae_name_format(lang, "%u", component->dims[d]), pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_CALL, component->n_dims, dae_name_intern(lang, "zeros"),
                  pos);
}

/* Inside +, outside -; the inside ones come first. */
static void
write_flow(DaeLang *lang, const uint32_t *members, uint32_t n)
{
  const struct DaeConnect *connect = lang->connect;
  uint32_t pos = dae_connect_at(connect, members[0])->pos;
  uint32_t written = 0;
  bool all_outside = true;
  for (uint32_t i = 0; i < n; i++) {
    all_outside = all_outside && dae_connect_at(connect, members[i])->is_outside;
  }
  for (int outside = 0; outside < 2; outside++) {
    for (uint32_t i = 0; i < n; i++) {
      const DaeMember *member = dae_connect_at(connect, members[i]);
      if (member->is_outside != (outside != 0)) {
        continue;
      }
      dae_connect_emit(lang, member, pos);
      if (written > 0) {
        bool minus = outside != 0 && !all_outside;
        dae_syntax_emit(&lang->flat, minus ? DAE_OP_SUB : DAE_OP_ADD, 0, 0, pos);
      }
      written++;
    }
  }
  emit_zero(lang, dae_connect_at(connect, members[0]), pos);
  dae_syntax_emit(&lang->flat, DAE_OP_EQUATION, 0, 0, pos);
}

/* A star: everything equals the first. An input of the model itself is the best first. */
static void
write_potential(DaeLang *lang, const uint32_t *members, uint32_t n)
{
  const struct DaeConnect *connect = lang->connect;
  const DaeMember *first = dae_connect_at(connect, members[0]);
  if ((first->component->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) != 0) {
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    const DaeMember *member = dae_connect_at(connect, members[i]);
    if (member->name == first->name) {
      continue; /* both faces of one variable */
    }
    dae_connect_emit(lang, first, member->pos);
    dae_connect_emit(lang, member, member->pos);
    dae_syntax_emit(&lang->flat, DAE_OP_EQUATION, 0, 0, member->pos);
  }
}

static int
compare_sets(gconstpointer a, gconstpointer b, gpointer user)
{
  struct DaeConnect *connect = user;
  uint32_t i = *(const uint32_t *)a;
  uint32_t k = *(const uint32_t *)b;
  uint32_t x = dae_connect_find_set(connect, i);
  uint32_t y = dae_connect_find_set(connect, k);
  return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

void
dae_connect_write(DaeLang *lang)
{
  struct DaeConnect *connect = lang->connect;
  uint32_t n = connect->members->len;
  g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_bus_is_potential(lang, dae_connect_at(connect, i)->component)) {
      g_array_append_val(order, i);
    }
  }
  n = order->len;
  g_array_sort_with_data(order, compare_sets, connect);
  dae_stream_declare(lang);
  DaeSection section = {.owner = 1, .code = lang->flat.code->len, .is_connection = true};
  const uint32_t *sorted = (const uint32_t *)(void *)order->data;
  for (uint32_t i = 0; i < n;) {
    uint32_t set = dae_connect_find_set(connect, sorted[i]);
    uint32_t end = i + 1;
    while (end < n && dae_connect_find_set(connect, sorted[end]) == set) {
      end++;
    }
    uint32_t flags = dae_connect_at(connect, sorted[i])->component->flags;
    if ((flags & DAE_FLAG_FLOW) != 0) {
      write_flow(lang, sorted + i, end - i);
    } else if ((flags & DAE_FLAG_STREAM) != 0) {
      dae_stream_write(lang, sorted + i, end - i);
    } else {
      write_potential(lang, sorted + i, end - i);
    }
    i = end;
  }
  dae_bus_write_defaults(lang);
  dae_graph_write(lang);
  dae_syntax_emit(&lang->flat, DAE_OP_RETURN, 0, 0, 0);
  g_array_append_val(lang->flat.sections, section);
}

/* ---- calls that ask about connections -------------------------------------------------------- */

static uint32_t
count_of(const DaeLang *lang, uint32_t name)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(lang->connect->counts, GUINT_TO_POINTER(name)));
}

static void
emit_count(DaeLang *lang, uint32_t name, uint32_t pos)
{
  dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0,
                  dae_name_format(lang, "%u", count_of(lang, name)), pos);
}

/* cardinality(c[i]) in a loop: all the numbers, then the subscript. */
static bool
emit_counts(DaeTranslator *translator, uint32_t pc)
{
  DaeLang *lang = translator->lang;
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  DaeNode *where = NULL;
  if (instruction.op != DAE_OP_ELEMENT || instruction.n != 1) {
    return false;
  }
  DaeElement *element = dae_lookup_simple(lang, translator->scope, instruction.arg, &where);
  DaeComponent *component = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                                ? dae_component_of(lang, element)
                                : NULL;
  if (component == NULL || component->is_absent || component->n_dims != 1) {
    return false;
  }
  uint32_t begin = dae_syntax_skip_back(lang->syntax, pc, 1);
  dae_translate_truncate(translator, dae_translate_place(translator, begin));
  for (uint32_t k = 0; k < component->count; k++) {
    emit_count(lang, dae_component_element_name(lang, component, k), instruction.pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_ARRAY, component->count, 0, instruction.pos);
  dae_translate_range(translator, begin, pc);
  dae_syntax_emit(&lang->flat, DAE_OP_INDEX, 1, 0, instruction.pos);
  return true;
}

static void
emit_root(DaeTranslator *translator, uint32_t pc, uint32_t begin, bool is_root)
{
  DaeLang *lang = translator->lang;
  g_autoptr(GArray) locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  g_autoptr(GArray) endpoints = g_array_new(FALSE, TRUE, sizeof(DaeEndpoint));
  bool is_absent = false;
  bool value = false;
  dae_translate_truncate(translator, dae_translate_place(translator, begin));
  if (dae_connect_resolve(lang, translator->scope, pc - 1, locals, endpoints, &is_absent) &&
      endpoints->len == 1) {
    uint32_t name = g_array_index(endpoints, DaeEndpoint, 0).name;
    value = is_root ? dae_graph_is_root(lang, name) : dae_graph_is_rooted(lang, name);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_BOOLEAN, 0, value,
                  dae_syntax_code(lang->syntax, pc)->pos);
}

bool
dae_connect_call(DaeTranslator *translator, uint32_t pc, uint32_t begin)
{
  DaeLang *lang = translator->lang;
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  const char *name = dae_names_text(lang->names, instruction.arg);
  if (instruction.n == 1 &&
      (strcmp(name, "Connections.isRoot") == 0 || strcmp(name, "Connections.rooted") == 0 ||
       strcmp(name, "rooted") == 0)) {
    emit_root(translator, pc, begin, strcmp(name, "Connections.isRoot") == 0);
    return true;
  }
  if (strcmp(name, "cardinality") != 0 || instruction.n != 1) {
    return false;
  }
  if (translator->iterators->len > 0 && emit_counts(translator, pc - 1)) {
    return true;
  }
  g_autoptr(GArray) locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  g_autoptr(GArray) endpoints = g_array_new(FALSE, TRUE, sizeof(DaeEndpoint));
  bool is_absent = false;
  dae_translate_truncate(translator, dae_translate_place(translator, begin));
  dae_connect_resolve(lang, translator->scope, pc - 1, locals, endpoints, &is_absent);
  emit_count(lang, endpoints->len == 1 ? g_array_index(endpoints, DaeEndpoint, 0).name : 0,
             instruction.pos);
  return true;
}
