/* References in the interpreter: iterators and local variables, components,
 * constants of packages, enumerations. */
#include <string.h>

#include "lang/instance.h"

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

/* Number of the component element NAME among those of the record; -1: none. */
static int64_t
member_index(const DaeNode *node, uint32_t name)
{
  int64_t at = 0;
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      if (element->name == name) {
        return at;
      }
      at++;
    }
  }
  return -1;
}

/* An array of these dimensions from what each of its elements has. */
static DaeEval
of_all(DaeLang *lang, const DaeEval *elements, uint32_t n_dims, const uint32_t *dims)
{
  uint32_t n = 1;
  for (uint32_t d = 0; d < n_dims; d++) {
    n *= dims[d];
  }
  DaeEval value = dae_eval_array(lang, elements, n);
  uint32_t inner = value.n_dims > 0 ? value.n_dims - 1u : 0;
  if (value.n_dims == 0 || n_dims + inner > G_N_ELEMENTS(value.dims)) {
    return unknown;
  }
  memmove(value.dims + n_dims, value.dims + 1, inner * sizeof(uint32_t));
  memcpy(value.dims, dims, n_dims * sizeof(uint32_t));
  value.n_dims = (uint8_t)(n_dims + inner);
  return value;
}

DaeEval
dae_eval_member(DaeLang *lang, const DaeEval *value, uint32_t name)
{
  if (value->n_dims > 0) {
    DaeEval *members = dae_arena_alloc(lang->arena, (value->count + 1) * sizeof(DaeEval));
    for (uint32_t i = 0; value->data != NULL && i < value->count; i++) {
      members[i] = dae_eval_member(lang, &value->data[i], name);
    }
    return value->data != NULL ? of_all(lang, members, value->n_dims, value->dims) : unknown;
  }
  if (value->type != DAE_EVAL_RECORD) {
    return unknown;
  }
  int64_t at = member_index(value->node, name);
  return at >= 0 && at < value->count ? value->data[at] : unknown;
}

static DaeEval
record_value(DaeLang *lang, DaeNode *node)
{
  DaeEval value = {.type = DAE_EVAL_RECORD, .node = node, .count = 0};
  DaeEval *members = dae_arena_alloc0(lang->arena, (node->elements->len + 1) * sizeof(DaeEval));
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      DaeComponent *component = dae_component_of(lang, element);
      members[value.count++] =
          component != NULL ? dae_evaluate_component(lang, component) : unknown;
    }
  }
  value.data = members;
  return value;
}

/* Integer where Real is declared. */
static DaeEval
convert(DaeLang *lang, const DaeComponent *component, DaeEval value)
{
  if (component->type->builtin != DAE_BUILTIN_REAL || value.type != DAE_EVAL_INTEGER) {
    return value;
  }
  DaeEval one = dae_eval_real(1);
  return dae_eval_binary(lang, DAE_OP_EMUL, &one, &value);
}

static DaeEval
sizes_only(DaeLang *lang, const DaeComponent *component)
{
  return component->n_dims <= 8 && !component->is_open
             ? dae_eval_unknown_array(lang, component->n_dims, component->dims)
             : unknown;
}

/* From its members: their values come from modifiers, from the value of
 * the record, or from its class. */
static DaeEval
compute_record(DaeLang *lang, DaeComponent *component)
{
  if (component->n_dims == 0) {
    return record_value(lang, component->type);
  }
  DaeEval *data = NULL;
  DaeEval value = dae_eval_new_array(lang, component->n_dims, component->dims, &data);
  for (uint32_t k = 0; data != NULL && k < value.count; k++) {
    data[k] = record_value(lang, component->nodes[k]);
  }
  value.type = data != NULL ? DAE_EVAL_RECORD : DAE_EVAL_UNKNOWN;
  return value;
}

/* A variable of the model has no value that structure may depend on, whatever its equation is
 * [MLS, sections 4.4.5, 8.3.3, 10.1]. */
static bool
is_varying(const DaeComponent *component)
{
  return (component->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) == 0 &&
         component->parent != NULL && component->parent->component != NULL &&
         !component->parent->is_function;
}

/* An array of no elements has the type that is declared. */
static DaeEvalType
type_of_none(const DaeComponent *component)
{
  static const DaeEvalType types[DAE_BUILTIN_EXTERNAL + 1] = {
      [DAE_BUILTIN_INTEGER] = DAE_EVAL_INTEGER,
      [DAE_BUILTIN_BOOLEAN] = DAE_EVAL_BOOLEAN,
      [DAE_BUILTIN_STRING] = DAE_EVAL_STRING,
      [DAE_BUILTIN_ENUMERATION] = DAE_EVAL_ENUMERATION};
  DaeEvalType type = types[component->type->builtin];
  return type != DAE_EVAL_UNKNOWN ? type : DAE_EVAL_REAL;
}

/* What the value is computed from: the declaration or a modifier, else the start value of a
 * parameter that has no other one and is not found at the start; code 0: nothing. */
static const DaeClosure *
closure_of_value(DaeLang *lang, const DaeComponent *component)
{
  const DaeMod *start = dae_mod_find(component->mod, dae_name_intern(lang, "start"));
  const DaeMod *fixed = dae_mod_find(component->mod, dae_name_intern(lang, "fixed"));
  if (component->binding.code != 0 || (component->flags & DAE_FLAG_PARAMETER) == 0 ||
      fixed != NULL) {
    return &component->binding;
  }
  start = start != NULL
              ? start
              : dae_mod_find(component->type->attributes, dae_name_intern(lang, "start"));
  return start != NULL ? &start->value : &component->binding;
}

static DaeEval
compute(DaeLang *lang, DaeComponent *component)
{
  if (component->is_absent) {
    return unknown;
  }
  if (component->is_record) {
    return compute_record(lang, component);
  }
  if (!component->is_leaf) { /* a model: its members are asked for one by one */
    return sizes_only(lang, component);
  }
  DaeEval value = unknown;
  const DaeClosure *closure = closure_of_value(lang, component);
  uint32_t given = GPOINTER_TO_UINT(
      g_hash_table_lookup(lang->overrides, GUINT_TO_POINTER(component->flat_name)));
  if (given != 0) {
    value = dae_evaluate_code(lang, lang->root, given);
  } else if (closure->code != 0) {
    value = dae_evaluate(lang, closure);
    if (component->n_dims > 0 && value.n_dims == 0 && value.type != DAE_EVAL_UNKNOWN &&
        component->n_dims <= 8) { /* each */
      DaeEval *data = NULL;
      DaeEval whole = dae_eval_new_array(lang, component->n_dims, component->dims, &data);
      for (uint32_t i = 0; data != NULL && i < whole.count; i++) {
        data[i] = value;
      }
      whole.type = value.type;
      value = whole;
    }
  }
  if (value.n_dims > 0 && value.count == 0) {
    value.type = type_of_none(component); /* {i for i in 1:0} does not tell its type */
  }
  if (value.type == DAE_EVAL_REAL && component->type->builtin == DAE_BUILTIN_INTEGER) {
    uint32_t pos = given != 0
                       ? dae_syntax_declaration(lang->syntax, component->element->index)->pos
                       : closure->pos;
    dae_error_once(lang, pos, "'%s' is Integer, its value is Real", component->flat_name);
    value = unknown;
  }
  return value.type != DAE_EVAL_UNKNOWN && !is_varying(component)
             ? convert(lang, component, value)
             : sizes_only(lang, component);
}

DaeEval
dae_evaluate_component(DaeLang *lang, DaeComponent *component)
{
  if (component->is_outer) {
    component = component->inner;
  }
  if (component->value_state == 1 || !component->is_ready) { /* depends on itself: no value */
    return component->dims != NULL ? sizes_only(lang, component) : unknown;
  }
  if (component->value_state == 0) {
    component->value_state = 1;
    DaeEval value = compute(lang, component);
    component->value = dae_arena_alloc(lang->arena, sizeof value);
    *component->value = value;
    component->value_state = 2;
  }
  return *component->value;
}

/* ---- references -------------------------------------------------------------------------- */

typedef struct {
  DaeEval value; /* if has_value */
  DaeComponent *component;
  DaeNode *node; /* of a class or of one element of a component */
  bool has_value;
  /* several elements of arrays of components: numbers of these nodes, in their dimensions */
  DaeEval parts; /* if n_dims > 0 */
  DaeNode **nodes;
  uint32_t n_outer; /* dimensions of the value, or of the parts, that are of parts before it */
} Place;

static DaeEval
enumeration_literal(DaeLang *lang, DaeNode *node, uint32_t name)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, node->enumeration->class);
  const DaeTypeDefinition *type = dae_syntax_type(lang->syntax, class->definition);
  for (uint32_t i = 0; i < type->n_literals; i++) {
    if (g_array_index(lang->syntax->literals, uint32_t, type->first_literal + i) == name) {
      return (DaeEval){.type = DAE_EVAL_ENUMERATION,
                       .count = 1,
                       .integer = (int64_t)i + 1,
                       .node = node->enumeration};
    }
  }
  return unknown;
}

/* A type used as a range or as a dimension. */
static DaeEval
type_value(DaeLang *lang, DaeNode *node)
{
  if (node->builtin == DAE_BUILTIN_BOOLEAN) {
    return (DaeEval){.type = DAE_EVAL_ENUMERATION, .integer = 2, .node = node};
  }
  if (node->builtin != DAE_BUILTIN_ENUMERATION || node->enumeration->class == 0) {
    return unknown;
  }
  const DaeClass *class = dae_syntax_class(lang->syntax, node->enumeration->class);
  const DaeTypeDefinition *type = dae_syntax_type(lang->syntax, class->definition);
  return (DaeEval){
      .type = DAE_EVAL_ENUMERATION, .integer = type->n_literals, .node = node->enumeration};
}

static bool
enter(DaeLang *lang, Place *place, DaeElement *element)
{
  if (element->kind == DAE_ELEMENT_CLASS) {
    place->node = dae_element_node(lang, element, NULL);
    place->component = NULL;
    return place->node != NULL;
  }
  DaeComponent *component = dae_component_of(lang, element);
  *place = (Place){.component =
                       component != NULL && component->is_outer ? component->inner : component};
  return place->component != NULL && !place->component->is_absent;
}

/* One node of an array of models, chosen by subscripts that are all numbers. */
static bool
choose_node(Place *place, const DaeEval *subscripts, uint32_t n)
{
  const DaeComponent *component = place->component;
  uint32_t k = 0;
  if (n != component->n_dims || component->nodes == NULL) { /* NULL: it is being made */
    return false;
  }
  for (uint32_t d = 0; d < n; d++) {
    if (subscripts[d].n_dims > 0 || subscripts[d].type != DAE_EVAL_INTEGER ||
        subscripts[d].integer < 1 || subscripts[d].integer > (int64_t)component->dims[d]) {
      return false;
    }
    k = k * component->dims[d] + (uint32_t)subscripts[d].integer - 1;
  }
  place->node = component->nodes[k];
  return true;
}

/* All elements of the array of components that the place is, or those of them chosen so far. */
static void
take_all(DaeLang *lang, Place *place)
{
  const DaeComponent *component = place->component;
  if (place->parts.n_dims > 0 || component->nodes == NULL) { /* NULL: it is being made */
    return;
  }
  DaeEval *numbers = NULL;
  place->parts = dae_eval_new_array(lang, component->n_dims, component->dims, &numbers);
  for (uint32_t i = 0; numbers != NULL && i < place->parts.count; i++) {
    numbers[i] = dae_eval_integer(i);
  }
  place->parts.type = DAE_EVAL_INTEGER;
  place->nodes = component->nodes;
  place->n_outer = 0;
}

/* Subscripts of the last part stand behind the dimensions of the parts before it. */
static DaeEval
subscript_inner(DaeLang *lang, const DaeEval *array, uint32_t n_outer,
                const DaeEval *subscripts, uint32_t n)
{
  DaeEval all[2 * G_N_ELEMENTS(array->dims)];
  if (n_outer + n > G_N_ELEMENTS(all)) {
    return unknown;
  }
  if (array->count == 0 && array->n_dims == n_outer) {
    return *array; /* of no components: nothing says which dimensions their members have */
  }
  for (uint32_t d = 0; d < n_outer; d++) {
    all[d] = (DaeEval){.type = DAE_EVAL_COLON};
  }
  memcpy(all + n_outer, subscripts, n * sizeof *subscripts);
  return dae_eval_subscript(lang, array, all, n_outer + n);
}

/* Some of an array of components: a[2, :], a[{1, 3}], a[:].b[2]. */
static bool
choose_some(DaeLang *lang, Place *place, const DaeEval *subscripts, uint32_t n)
{
  if (place->component->nodes == NULL && place->parts.n_dims == 0) {
    return false;
  }
  take_all(lang, place);
  place->parts = subscript_inner(lang, &place->parts, place->n_outer, subscripts, n);
  if (place->parts.n_dims == 0 && place->parts.type == DAE_EVAL_INTEGER) {
    place->node = place->nodes[place->parts.integer];
  }
  return place->parts.type == DAE_EVAL_INTEGER;
}

/* The members of arrays of models, or of these: their elements one after the other. */
static bool
join_nodes(DaeLang *lang, Place *place, DaeComponent *const *members)
{
  const DaeComponent *first = members[0];
  uint32_t n = place->parts.count;
  uint32_t n_dims = place->parts.n_dims;
  if (n_dims + first->n_dims > G_N_ELEMENTS(place->parts.dims)) {
    return false;
  }
  DaeEval *numbers = NULL;
  uint32_t dims[G_N_ELEMENTS(place->parts.dims)];
  memcpy(dims, place->parts.dims, n_dims * sizeof *dims);
  memcpy(dims + n_dims, first->dims, first->n_dims * sizeof *dims);
  DaeEval parts = dae_eval_new_array(lang, n_dims + first->n_dims, dims, &numbers);
  DaeNode **nodes = dae_arena_alloc(lang->arena, (parts.count + 1) * sizeof(DaeNode *));
  for (uint32_t k = 0; numbers != NULL && k < n; k++) {
    const DaeComponent *member = members[k];
    if (member->nodes == NULL || member->n_dims != first->n_dims ||
        memcmp(member->dims, first->dims, first->n_dims * sizeof *dims) != 0) {
      return false;
    }
    for (uint32_t i = 0; i < first->count; i++) {
      nodes[k * first->count + i] = member->nodes[i];
      numbers[k * first->count + i] = dae_eval_integer(k * first->count + i);
    }
  }
  parts.type = DAE_EVAL_INTEGER;
  *place = (Place){.component = members[0], .parts = parts, .nodes = nodes, .n_outer = n_dims};
  return numbers != NULL;
}

/* The member NAME of each of the components. */
static bool
step_into_all(DaeLang *lang, Place *place, uint32_t name)
{
  uint32_t n = place->parts.count;
  g_autofree DaeComponent **members = g_new0(DaeComponent *, n + 1);
  g_autofree DaeEval *values = g_new0(DaeEval, n + 1);
  bool is_value = true;
  for (uint32_t k = 0; place->nodes != NULL && k < n; k++) {
    DaeNode *node = place->nodes[dae_eval_element(&place->parts, k)->integer];
    DaeElement *element = dae_node_element(lang, node, name);
    DaeComponent *member = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                               ? dae_component_of(lang, element)
                               : NULL;
    members[k] = member != NULL && member->is_outer ? member->inner : member;
    if (members[k] == NULL || members[k]->is_absent) {
      return false;
    }
    is_value = members[k]->is_leaf || members[k]->is_record;
  }
  if (!is_value) {
    return join_nodes(lang, place, members);
  }
  for (uint32_t k = 0; place->nodes != NULL && k < n; k++) {
    values[k] = dae_evaluate_component(lang, members[k]);
  }
  place->value = place->nodes != NULL
                     ? of_all(lang, values, place->parts.n_dims, place->parts.dims)
                     : unknown;
  place->has_value = true;
  place->n_outer = place->parts.n_dims;
  return dae_eval_has_size(&place->value);
}

/* Goes on to the member NAME. False: no value. */
static bool
step_into(DaeLang *lang, Place *place, uint32_t name)
{
  if (place->has_value) {
    place->n_outer = place->value.n_dims;
    place->value = dae_eval_member(lang, &place->value, name);
    return place->value.type != DAE_EVAL_UNKNOWN || place->value.n_dims > 0;
  }
  if (place->component != NULL && place->component->is_leaf && !place->component->is_record) {
    /* Sizes of members are known even if values are not. */
    place->value = dae_evaluate_component(lang, place->component);
    if (place->value.type != DAE_EVAL_UNKNOWN) {
      place->has_value = true;
      return step_into(lang, place, name);
    }
    place->node = place->component->type;
  }
  if (place->node == NULL && place->component != NULL) {
    if (place->component->n_dims > 0) {
      take_all(lang, place);
      return step_into_all(lang, place, name);
    }
    place->node = place->component->nodes[0];
  }
  if (place->node->builtin == DAE_BUILTIN_ENUMERATION && place->component == NULL) {
    place->value = enumeration_literal(lang, place->node, name);
    place->has_value = true;
    return place->value.type != DAE_EVAL_UNKNOWN;
  }
  DaeElement *element = dae_node_element(lang, place->node, name);
  return element != NULL && enter(lang, place, element);
}

static bool
begin(DaeInterpreter *interpreter, uint32_t name, Place *place)
{
  DaeLang *lang = interpreter->lang;
  for (guint i = interpreter->locals->len; i-- > 0;) {
    const DaeLocal *local = &g_array_index(interpreter->locals, DaeLocal, i);
    if (local->name == name) {
      place->value = local->value;
      place->has_value = true;
      return true;
    }
  }
  DaeNode *where = NULL;
  DaeElement *element = dae_lookup_simple(lang, interpreter->scope, name, &where);
  if (element != NULL && element->kind == DAE_ELEMENT_COMPONENT &&
      (dae_node_is_kind(lang, element->owner, DAE_CLASS_FUNCTION) ||
       (interpreter->record != NULL &&
        dae_node_element(lang, interpreter->record, name) == element))) {
    /* declared further below */
    place->value = dae_interpreter_begin_local(interpreter, element);
    place->has_value = true;
    return dae_eval_has_size(&place->value);
  }
  if (element == NULL && strcmp(dae_names_text(lang->names, name), "time") == 0) {
    place->value = dae_eval_unknown_array(lang, 0, NULL); /* a scalar, whatever its value */
    place->has_value = true;
    return true;
  }
  return element != NULL && enter(lang, place, element);
}

static bool
subscript(DaeLang *lang, Place *place, const DaeEval *subscripts, uint32_t n)
{
  if (n == 0) {
    return true;
  }
  if (!place->has_value && place->component != NULL && !place->component->is_leaf) {
    if (place->parts.n_dims == 0 && choose_node(place, subscripts, n)) {
      return true;
    }
    if (!place->component->is_record) {
      return choose_some(lang, place, subscripts, n);
    }
  }
  if (!place->has_value && place->component != NULL) {
    place->value = dae_evaluate_component(lang, place->component);
    place->has_value = true;
  }
  place->value = subscript_inner(lang, &place->value, place->n_outer, subscripts, n);
  return dae_eval_has_size(&place->value);
}

/* Where the path leads; false: no value. */
static bool
follow(DaeInterpreter *interpreter, const uint32_t *path, const DaeEval *subscripts,
       Place *place)
{
  DaeLang *lang = interpreter->lang;
  bool good = true;
  for (uint32_t i = 0; i < path[0] && good; i++) {
    uint32_t rest = path[1 + 2 * i];
    bool is_first = i == 0;
    while (rest != 0 && good) {
      uint32_t literals[8];
      DaeEval fixed[8];
      uint32_t n_fixed = 0;
      uint32_t part = dae_name_split(lang, rest, &rest);
      uint32_t name = dae_name_bare(lang, part, literals, &n_fixed);
      good = is_first ? begin(interpreter, name, place) : step_into(lang, place, name);
      is_first = false;
      for (uint32_t k = 0; k < n_fixed; k++) {
        fixed[k] = dae_eval_integer(literals[k]);
      }
      good = good && subscript(lang, place, fixed, n_fixed);
    }
    uint32_t n = path[2 + 2 * i];
    good = good && subscript(lang, place, subscripts, n);
    subscripts = n > 0 ? subscripts + n : subscripts; /* which may be NULL */
  }
  return good;
}

static DaeEval
value_of(DaeLang *lang, const Place *place)
{
  if (place->has_value) {
    return place->value;
  }
  if (place->parts.n_dims > 0) {
    return dae_eval_unknown_array(lang, place->parts.n_dims, place->parts.dims);
  }
  if (place->component != NULL && place->component->is_record && place->node != NULL) {
    return record_value(lang, place->node); /* one of an array */
  }
  if (place->component != NULL) {
    return dae_evaluate_component(lang, place->component);
  }
  return type_value(lang, place->node);
}

DaeEval
dae_interpreter_load(DaeInterpreter *interpreter, const uint32_t *path,
                     const DaeEval *subscripts)
{
  Place place = {0};
  return follow(interpreter, path, subscripts, &place) ? value_of(interpreter->lang, &place)
                                                       : unknown;
}

DaeEval
dae_interpreter_last(DaeInterpreter *interpreter, uint32_t name, uint32_t dimension)
{
  const uint32_t path[] = {1, name, 0};
  Place place = {0};
  if (name == 0 || !follow(interpreter, path, NULL, &place)) {
    return unknown;
  }
  DaeEval value = value_of(interpreter->lang, &place);
  dimension += place.n_outer;
  return dimension <= value.n_dims ? dae_eval_integer(value.dims[dimension - 1]) : unknown;
}
