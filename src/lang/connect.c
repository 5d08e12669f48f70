/* The equations of connected members, and the calls that ask about connections
 * [MLS, sections 9.2, 9.4]. connect_section.c finds the connects, connect_join.c makes the sets. */
#include <math.h>
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

/* Of a flow to which nothing is connected: the component that has the connector. The model itself
 * is one, too, but has no declaration. */
static uint32_t
place_of_owner(const DaeLang *lang, const DaeMember *member)
{
  const DaeNode *around = member->component->parent;
  const DaeComponent *owner = NULL;
  while (around != NULL && around->whole->component != NULL &&
         around->whole->component->element->kind == DAE_ELEMENT_COMPONENT) {
    owner = around->whole->component;
    if (!dae_node_is_connector(lang, around->whole)) {
      break;
    }
    around = owner->parent;
  }
  return owner != NULL ? dae_syntax_declaration(lang->syntax, owner->element->index)->pos
                       : member->pos;
}

/* Inside +, outside -; the inside ones come first. */
static void
write_flow(DaeLang *lang, const uint32_t *members, uint32_t n)
{
  const struct DaeConnect *connect = lang->connect;
  const DaeMember *only = dae_connect_at(connect, members[0]);
  uint32_t pos = n > 1 ? only->pos : place_of_owner(lang, only);
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

/* Known values that differ by more than rounding. */
static bool
are_different(const DaeEval *a, const DaeEval *b)
{
  double x = 0;
  double y = 0;
  if (dae_eval_number(a, &x) && dae_eval_number(b, &y)) {
    return fabs(x - y) > 1e-9 * (fabs(x) + fabs(y));
  }
  if (a->type != b->type || a->type == DAE_EVAL_UNKNOWN) {
    return false;
  }
  return a->type == DAE_EVAL_STRING ? a->string != b->string : a->integer != b->integer;
}

/* Connected parameters and constants have one value [MLS, section 9.2]; what is known only
 * later is not compared. */
static void
compare_parameters(DaeLang *lang, const DaeMember *a, const DaeMember *b)
{
  if (a->component == b->component || a->component->is_record || b->component->is_record ||
      a->is_element || b->is_element) {
    return;
  }
  dae_source_hush(lang->source); /* what is wrong with a value is told where it stands */
  DaeEval x = dae_evaluate_component(lang, a->component);
  DaeEval y = dae_evaluate_component(lang, b->component);
  dae_source_speak(lang->source);
  bool is_different = false;
  for (uint32_t k = 0; k < x.count && x.count == y.count && !is_different; k++) {
    is_different = are_different(dae_eval_element(&x, k), dae_eval_element(&y, k));
  }
  if (is_different) {
    dae_source_error(lang->source, b->pos,
                     "'%s' and '%s' are connected: these parameters have different values",
                     dae_names_text(lang->names, a->name),
                     dae_names_text(lang->names, b->name));
  }
}

/* A star: everything equals the first. An input of the model itself is the best first. */
static void
write_potential(DaeLang *lang, const uint32_t *members, uint32_t n)
{
  const struct DaeConnect *connect = lang->connect;
  const DaeMember *first = dae_connect_at(connect, members[0]);
  if ((first->component->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) != 0) {
    for (uint32_t i = 1; i < n; i++) {
      compare_parameters(lang, first, dae_connect_at(connect, members[i]));
    }
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
