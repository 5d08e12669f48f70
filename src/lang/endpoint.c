/* The two sides of a connect: from references to connectors. */
#include <string.h>

#include "lang/connect.h"

typedef struct {
  DaeLang *lang;
  DaeNode *scope;
  const GArray *locals; /* DaeLocal */
  DaeSide *side;
  uint32_t pos;
  uint32_t n_parts;
  const DaePart *parts;
  const DaeEval *subscripts; /* of all parts, in order */
  bool is_outside;
  uint32_t n_shaped; /* parts whose dimensions are those of the reference already */
} Search;

/* node: where it was looked for; NULL: in a variable. */
static bool
fail(Search *search, const DaeNode *node, uint32_t name)
{
  const DaeNames *names = search->lang->names;
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, dae_names_text(names, name));
  for (guint k = 0; node != NULL && k < node->elements->len; k++) {
    const DaeElement *other = node->elements->pdata[k];
    if (other->kind == DAE_ELEMENT_COMPONENT) {
      dae_suggest_try(&suggest, dae_names_text(names, other->name));
    }
  }
  g_autoptr(GString) text = g_string_new(NULL);
  if (node != NULL && node != search->scope && node->name != 0) {
    g_string_printf(text, "'%s' has no connector '%s'", dae_names_text(names, node->name),
                    dae_names_text(names, name));
  } else {
    g_string_printf(text, "there is no connector '%s' here", dae_names_text(names, name));
  }
  if (suggest.best != NULL) {
    g_string_append_printf(text, "; did you mean '%s'?", suggest.best);
  }
  dae_source_error(search->lang->source, search->pos, "%s", text->str);
  return false;
}

/* The dimensions that the subscripts of part i leave, once for all elements of the parts before. */
static void
add_shape(Search *search, uint32_t i, const DaeEval *chosen)
{
  DaeSide *side = search->side;
  for (uint32_t d = 0; i >= search->n_shaped && d < chosen->n_dims; d++) {
    if (side->n_dims < G_N_ELEMENTS(side->dims)) {
      side->dims[side->n_dims++] = chosen->dims[d];
    }
  }
  search->n_shaped = MAX(search->n_shaped, i + 1);
}

/* The largest position that the subscript names; 0: it is none. */
static uint32_t
last_position(const DaeEval *subscript)
{
  int64_t last = 0;
  uint32_t n = subscript->n_dims > 0 ? subscript->count : 1;
  for (uint32_t i = 0; subscript->type == DAE_EVAL_INTEGER && i < n; i++) {
    last = MAX(last, dae_eval_element(subscript, i)->integer);
  }
  return last > 0 && last <= (int64_t)DAE_MAX_ARRAY ? (uint32_t)last : 0;
}

/* Members without a size get what a subscript asks for. */
static void
grow(Search *search, DaeComponent *component, const DaeEval *subscripts, uint32_t n)
{
  uint32_t dims[8] = {0};
  if (!component->is_growing || n != component->n_dims || n > G_N_ELEMENTS(dims)) {
    return;
  }
  for (uint32_t d = 0; d < n; d++) {
    dims[d] = last_position(&subscripts[d]);
    if (dims[d] == 0) {
      return;
    }
  }
  dae_component_grow(search->lang, component, dims);
}

/* r[4] with three elements. Kept, not reported: where the other side is absent, the connect is
 * too [MLS, section 4.4.5]. */
static bool
fail_subscripts(const Search *search, const DaeComponent *component, const DaeEval *subscripts,
                uint32_t n)
{
  const char *name = dae_names_text(search->lang->names, component->flat_name);
  for (uint32_t d = 0; d < n && n == component->n_dims; d++) {
    int64_t at = subscripts[d].integer;
    if (subscripts[d].type == DAE_EVAL_INTEGER && subscripts[d].n_dims == 0 &&
        (at < 1 || at > (int64_t)component->dims[d])) {
      search->side->outside = dae_name_format(
          search->lang, "subscript %" G_GINT64_FORMAT " of '%s' is outside 1:%u", at, name,
          component->dims[d]);
      search->side->outside_pos = search->pos;
      return false;
    }
  }
  dae_source_error(search->lang->source, search->pos, "these subscripts of '%s' do not fit",
                   dae_names_text(search->lang->names, component->flat_name));
  return false;
}

/* One element, by an Integer for each dimension: most connects of arrays are in loops, which must
 * not make all positions of the array for each element. */
static bool
choose_element(const DaeComponent *component, const DaeEval *subscripts, uint32_t n,
               DaeEval *chosen)
{
  int64_t position = 0;
  bool is_one = n > 0 && n == component->n_dims;
  for (uint32_t d = 0; d < n && is_one; d++) {
    is_one = subscripts[d].type == DAE_EVAL_INTEGER && subscripts[d].n_dims == 0 &&
             subscripts[d].integer >= 1 && subscripts[d].integer <= component->dims[d];
    position = position * component->dims[d] + subscripts[d].integer - 1;
  }
  if (is_one) {
    *chosen = dae_eval_integer(position);
  }
  return is_one;
}

/* The positions of the elements, subscripted as written. False: reported. */
static bool
choose_elements(const Search *search, const DaeComponent *component, const DaeEval *subscripts,
                uint32_t n, DaeEval *chosen, uint32_t *count)
{
  if (choose_element(component, subscripts, n, chosen)) {
    *count = 1;
    return true;
  }
  DaeEval *data = NULL;
  DaeEval all = dae_eval_new_array(search->lang, component->n_dims, component->dims, &data);
  for (uint32_t k = 0; data != NULL && k < all.count; k++) {
    data[k] = dae_eval_integer(k);
  }
  all.type = DAE_EVAL_INTEGER;
  *chosen = dae_eval_subscript(search->lang, &all, subscripts, n);
  if (chosen->type == DAE_EVAL_UNKNOWN && all.count > 0) {
    return fail_subscripts(search, component, subscripts, n);
  }
  *count = all.count == 0 ? 0 : chosen->n_dims > 0 ? chosen->count : 1;
  return true;
}

static bool
add_variable(Search *search, DaeComponent *component, uint32_t i, const DaeEval *subscripts,
             uint32_t n)
{
  uint32_t name = component->flat_name;
  DaeLang *lang = search->lang;
  /* an array of an overdetermined type is one node of the graph: ReferenceAngle theta[2] */
  bool is_node = search->side->takes_parts && n == 0 && component->is_leaf &&
                 dae_graph_constraint(lang, component) != NULL;
  if (component->n_dims == 0 || is_node) {
    DaeEndpoint endpoint = {component, NULL, name, search->is_outside, false};
    g_array_append_val(search->side->endpoints, endpoint);
    return true;
  }
  DaeEval chosen;
  uint32_t count = 0;
  if (!choose_elements(search, component, subscripts, n, &chosen, &count)) {
    return false;
  }
  add_shape(search, i, &chosen);
  for (uint32_t at = 0; at < count; at++) {
    uint32_t k = (uint32_t)dae_eval_element(&chosen, at)->integer;
    uint32_t element = dae_component_element_name(lang, component, k);
    DaeEndpoint endpoint = {component, NULL, element, search->is_outside, true};
    g_array_append_val(search->side->endpoints, endpoint);
  }
  return true;
}

static bool
fail_no_connector(const Search *search, const DaeComponent *component)
{
  dae_source_error(search->lang->source, search->pos, "'%s' is no connector",
                   dae_names_text(search->lang->names, component->flat_name));
  return false;
}

static bool walk(Search *search, DaeComponent *component, uint32_t i, const DaeEval *subscripts,
                 uint32_t depth);

/* The expandable connector has no such member yet. */
static bool
miss(Search *search, DaeNode *bus, uint32_t i, const DaeEval *subscripts)
{
  DaeSide *side = search->side;
  const DaePart *part = &search->parts[i];
  side->bus = bus;
  side->missing = part->name;
  side->is_last = i + 1 == search->n_parts;
  side->n_subscripts = part->n;
  for (uint32_t d = 0; d < part->n && d < G_N_ELEMENTS(side->subscripts); d++) {
    side->subscripts[d] = last_position(&subscripts[d]);
  }
  return false;
}

static bool
walk_node(Search *search, DaeComponent *component, DaeNode *node, uint32_t i,
          const DaeEval *subscripts, uint32_t depth)
{
  DaeLang *lang = search->lang;
  if (i + 1 == search->n_parts && !dae_node_is_connector(lang, node)) {
    return fail_no_connector(search, component);
  }
  if (i + 1 == search->n_parts) {
    DaeEndpoint endpoint = {component, node, node->name, search->is_outside, false};
    g_array_append_val(search->side->endpoints, endpoint);
    return true;
  }
  uint32_t name = search->parts[i + 1].name;
  if (i > 0 && !dae_node_is_connector(lang, node) && !search->side->takes_parts) {
    dae_error_once(lang, search->pos,
                   "connect takes connectors of this class and of its components, not of parts "
                   "of these: '%s' is a part",
                   component->element->name);
    return false;
  }
  DaeElement *element = dae_node_element(lang, node, name);
  DaeComponent *member = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                             ? dae_component_of(lang, element)
                             : NULL;
  if (element == NULL && dae_node_is_expandable(lang, node)) {
    return miss(search, node, i + 1, subscripts);
  }
  if (member == NULL) {
    return element == NULL ? fail(search, node, name) : false;
  }
  if (!dae_check_public(lang, element, search->pos)) {
    return false;
  }
  return walk(search, member, i + 1, subscripts, depth + 1);
}

static bool
walk(Search *search, DaeComponent *component, uint32_t i, const DaeEval *subscripts,
     uint32_t depth)
{
  DaeLang *lang = search->lang;
  uint32_t n = search->parts[i].n;
  const DaeEval *rest = n > 0 ? subscripts + n : subscripts; /* which may be NULL */
  component = component->is_outer ? component->inner : component;
  if (component->is_absent) {
    search->side->is_absent = true;
    return true;
  }
  component->is_used = true;
  grow(search, component, subscripts, n);
  if (component->is_growing && n == 0 && i + 1 == search->n_parts) {
    search->side->whole = component;
  }
  if (depth > DAE_MAX_NESTING) {
    return false;
  }
  if (component->is_leaf || component->is_record) {
    if (i + 1 < search->n_parts) {
      return fail(search, NULL, search->parts[i + 1].name);
    }
    bool is_part = search->side->takes_parts ? dae_node_is_connector(lang, component->parent)
                                             : dae_node_is_expandable(lang, component->parent);
    if (!is_part && !dae_node_is_connector(lang, component->type)) {
      return fail_no_connector(search, component);
    }
    return add_variable(search, component, i, subscripts, n);
  }
  if (component->n_dims == 0) {
    return walk_node(search, component, component->nodes[0], i, rest, depth);
  }
  DaeEval chosen;
  uint32_t count = 0;
  if (!choose_elements(search, component, subscripts, n, &chosen, &count)) {
    return false;
  }
  add_shape(search, i, &chosen);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = (uint32_t)dae_eval_element(&chosen, k)->integer;
    if (!walk_node(search, component, component->nodes[at], i, rest, depth)) {
      return false;
    }
  }
  return true;
}

/* ---- parts and their subscripts -------------------------------------------------------------- */

static void
add_parts(DaeLang *lang, uint32_t name, uint32_t n, GArray *parts, GArray *values,
          const DaeEval **given)
{
  uint32_t rest = name;
  while (rest != 0) {
    uint32_t literals[8];
    DaePart part = {0};
    part.name = dae_name_bare(lang, dae_name_split(lang, rest, &rest), literals, &part.n);
    for (uint32_t k = 0; k < part.n; k++) {
      DaeEval value = dae_eval_integer(literals[k]);
      g_array_append_val(values, value);
    }
    if (rest == 0 && n > 0) {
      part.n = n;
      g_array_append_vals(values, *given, n);
      *given += n;
    }
    g_array_append_val(parts, part);
  }
}

/* Values of the n subscripts that end before pc. */
static bool
subscript_values(Search *search, uint32_t pc, uint32_t n, GArray *given)
{
  DaeInterpreter interpreter;
  uint32_t begin = dae_syntax_skip_back(search->lang->syntax, pc, n);
  dae_interpreter_init(&interpreter, search->lang, search->scope);
  g_array_append_vals(interpreter.locals, search->locals->data, search->locals->len);
  bool good = dae_interpreter_run_to(&interpreter, begin, pc) && interpreter.stack->len == n;
  if (good && n > 0) {
    g_array_append_vals(given, interpreter.stack->data, n);
  }
  dae_interpreter_clear(&interpreter);
  return good;
}

static bool
find_first(Search *search, const GArray *parts, const GArray *values)
{
  DaeLang *lang = search->lang;
  DaeNode *where = NULL;
  uint32_t name = g_array_index(parts, DaePart, 0).name;
  DaeElement *element = dae_lookup_simple(lang, search->scope, name, &where);
  if (element == NULL || element->kind != DAE_ELEMENT_COMPONENT) {
    return fail(search, search->scope, name);
  }
  DaeComponent *component = dae_component_of(lang, element);
  if (component == NULL) {
    return false;
  }
  DaeComponent *meant = dae_component_meant(lang, element);
  if (meant == NULL) {
    return false;
  }
  bool is_outer = meant != component;
  component = meant;
  search->is_outside =
      !is_outer && !component->is_absent && dae_node_is_connector(lang, component->type);
  return walk(search, component, 0, (const DaeEval *)(void *)values->data, 0);
}

void
dae_side_init(DaeSide *side)
{
  *side = (DaeSide){.endpoints = g_array_new(FALSE, TRUE, sizeof(DaeEndpoint))};
}

void
dae_side_clear(DaeSide *side)
{
  g_array_free(side->endpoints, TRUE);
}

bool
dae_connect_search(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                   DaeSide *side)
{
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  Search search = {.lang = lang, .scope = scope, .locals = locals, .side = side};
  search.pos = instruction.pos;
  g_autoptr(GArray) given = g_array_new(FALSE, TRUE, sizeof(DaeEval));
  g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(DaeEval));
  g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(DaePart));
  uint32_t n = instruction.op == DAE_OP_NAME ? 0 : instruction.n;
  if (!subscript_values(&search, pc, n, given)) {
    dae_source_error(lang->source, instruction.pos,
                     "the subscripts of this connector are not known");
    return false;
  }
  const DaeEval *at = (const DaeEval *)(void *)given->data;
  if (instruction.op == DAE_OP_PATH) {
    uint32_t n_parts = g_array_index(lang->syntax->paths, uint32_t, instruction.arg);
    for (uint32_t i = 0; i < n_parts; i++) {
      uint32_t base = instruction.arg + 1 + 2 * i;
      add_parts(lang, g_array_index(lang->syntax->paths, uint32_t, base),
                g_array_index(lang->syntax->paths, uint32_t, base + 1), parts, values, &at);
    }
  } else {
    add_parts(lang, instruction.arg, n, parts, values, &at);
  }
  search.parts = (const DaePart *)(void *)parts->data;
  search.n_parts = parts->len;
  return find_first(&search, parts, values);
}

bool
dae_side_report(DaeLang *lang, const DaeSide *side)
{
  if (side->outside != 0) {
    dae_source_error(lang->source, side->outside_pos, "%s",
                     dae_names_text(lang->names, side->outside));
  }
  return side->outside != 0;
}

bool
dae_connect_resolve(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                    GArray *endpoints, bool *is_absent)
{
  DaeSide side = {.endpoints = endpoints, .takes_parts = true};
  bool good = dae_connect_search(lang, scope, pc, locals, &side);
  *is_absent = side.is_absent;
  dae_side_report(lang, &side);
  if (side.bus != NULL) {
    dae_source_error(lang->source, dae_syntax_code(lang->syntax, pc)->pos,
                     "there is no connector '%s' here",
                     dae_names_text(lang->names, side.missing));
  }
  return good;
}
