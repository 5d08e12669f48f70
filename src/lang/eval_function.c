/* Calls in the interpreter: functions with algorithms, record constructors, conversions. */
#include <string.h>

#include "lang/instance.h"

#define MAX_CALLS 60u

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

static const DaeEval *
argument_for(const DaeEval *arguments, uint32_t n, uint32_t position, uint32_t name)
{
  for (uint32_t i = 0; i < n; i++) {
    if (arguments[i].name == name || (arguments[i].name == 0 && i == position)) {
      return &arguments[i];
    }
  }
  return NULL;
}

static DaeEval empty_record(DaeInterpreter *interpreter, const DaeComponent *component);

static DaeEval
declared_value(DaeInterpreter *interpreter, DaeComponent *component)
{
  DaeLang *lang = interpreter->lang;
  if (component->binding.code != 0) {
    DaeEval value = unknown;
    DaeInterpreter inner;
    dae_interpreter_init(&inner, lang, component->binding.scope);
    inner.record = interpreter->record;
    g_array_append_vals(inner.locals, interpreter->locals->data, interpreter->locals->len);
    if (dae_interpreter_run(&inner, component->binding.code) && inner.stack->len == 1) {
      value = g_array_index(inner.stack, DaeEval, 0);
      if (value.type == DAE_EVAL_TUPLE) {
        value = value.count > 0 ? value.data[0] : unknown;
      }
    }
    dae_interpreter_clear(&inner);
    return value;
  }
  return component->is_record && component->n_dims == 0 ? empty_record(interpreter, component)
                                                        : unknown;
}

/* A local variable or output whose size is left open, `Real y[:]`, has no elements before its
 * first assignment [MLS, section 12.4.4]. */
static bool
begins_empty(const DaeInterpreter *interpreter, const DaeElement *element)
{
  return (element->flags & DAE_FLAG_INPUT) == 0 &&
         dae_node_is_kind(interpreter->lang, interpreter->scope, DAE_CLASS_FUNCTION);
}

/* Dimensions of a local variable depend on the inputs of this call:
 * evaluated here, not in the component. */
static DaeEval
empty_array(DaeInterpreter *interpreter, const DaeElement *element, bool is_open_empty)
{
  DaeLang *lang = interpreter->lang;
  const DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, element->index);
  uint32_t dims[8];
  uint32_t n = 0;
  const uint32_t codes[] = {declaration.dims_code, declaration.type_dims_code};
  const uint32_t counts[] = {declaration.n_dims, declaration.n_type_dims};
  for (int part = 0; part < 2; part++) {
    if (counts[part] == 0) {
      continue;
    }
    DaeInterpreter inner;
    dae_interpreter_init(&inner, lang, element->home);
    g_array_append_vals(inner.locals, interpreter->locals->data, interpreter->locals->len);
    bool good = dae_interpreter_run(&inner, codes[part]) && inner.stack->len == counts[part];
    for (uint32_t i = 0; good && i < counts[part]; i++) {
      DaeEval *size = &g_array_index(inner.stack, DaeEval, i);
      if (size->type == DAE_EVAL_COLON && is_open_empty) {
        *size = dae_eval_integer(0);
      }
      good = size->type == DAE_EVAL_INTEGER && size->n_dims == 0 && size->integer >= 0 &&
             n < 8 && size->integer <= (int64_t)DAE_MAX_ARRAY;
      if (good) {
        dims[n++] = (uint32_t)size->integer;
      }
    }
    dae_interpreter_clear(&inner);
    if (!good) {
      return unknown;
    }
  }
  DaeEval *data = NULL;
  return n > 0 ? dae_eval_new_array(lang, n, dims, &data) : unknown;
}

static void
add_local(DaeInterpreter *interpreter, DaeElement *element, const DaeEval *given)
{
  DaeLang *lang = interpreter->lang;
  DaeLocal local = {element->name, unknown};
  if (given != NULL) {
    local.value = *given;
    local.value.name = 0;
  } else {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
    bool is_array = declaration->n_dims + declaration->n_type_dims > 0;
    DaeClosure binding = {declaration->binding, 0, element->home, NULL, NULL};
    if (element->mod != NULL && element->mod->value.code != 0) { /* extends R(a = ...) */
      binding = element->mod->value;
    }
    if (is_array && binding.code == 0) {
      local.value = empty_array(interpreter, element, begins_empty(interpreter, element));
    } else if (is_array) {
      DaeComponent fake = {.binding = binding};
      local.value = declared_value(interpreter, &fake);
    } else {
      DaeComponent *component = dae_component_of(lang, element);
      local.value = component != NULL ? declared_value(interpreter, component) : unknown;
    }
  }
  g_array_append_val(interpreter->locals, local);
}

/* What the function redeclares (S s(redeclare Real A[n])) is meant as it is written there. */
static void
add_member(DaeInterpreter *interpreter, DaeInterpreter *members, DaeElement *element,
           const DaeEval *given)
{
  if (element->replaced == NULL) {
    add_local(members, element, given);
    return;
  }
  add_local(interpreter, element, given);
  uint32_t last = interpreter->locals->len - 1;
  g_array_append_vals(members->locals, &g_array_index(interpreter->locals, DaeLocal, last), 1);
  g_array_set_size(interpreter->locals, last);
}

/* A record without a value of its own: members that its declaration modifies (c(n = p.n)) have
 * values of the function, others those of their class, where sizes may need them. */
static DaeEval
empty_record(DaeInterpreter *interpreter, const DaeComponent *component)
{
  DaeLang *lang = interpreter->lang;
  const GPtrArray *elements = component->type->elements;
  DaeEval *data = dae_arena_alloc0(lang->arena, (elements->len + 1) * sizeof(DaeEval));
  uint32_t count = 0;
  DaeInterpreter members;
  dae_interpreter_init(&members, lang, component->type);
  for (guint i = 0; i < elements->len; i++) {
    DaeElement *element = elements->pdata[i];
    if (element->kind != DAE_ELEMENT_COMPONENT) {
      continue;
    }
    bool is_modified = element->mod != NULL && element->mod->value.code != 0;
    DaeComponent fake = {.binding = is_modified ? element->mod->value : (DaeClosure){0}};
    DaeEval value = is_modified ? declared_value(interpreter, &fake) : unknown;
    add_member(interpreter, &members, element, is_modified ? &value : NULL);
    data[count] = g_array_index(members.locals, DaeLocal, count).value;
    count++;
  }
  dae_interpreter_clear(&members);
  return (DaeEval){
      .type = DAE_EVAL_RECORD, .node = component->type, .count = count, .data = data};
}

/* Locals may use others that are declared later. An input without argument has no value. */
DaeEval
dae_interpreter_begin_local(DaeInterpreter *interpreter, DaeElement *element)
{
  DaeLang *lang = interpreter->lang;
  DaeEval value = unknown;
  if ((element->flags & DAE_FLAG_INPUT) == 0 && lang->calls < MAX_CALLS) {
    lang->calls++;
    uint32_t n = interpreter->locals->len;
    add_local(interpreter, element, NULL);
    value = g_array_index(interpreter->locals, DaeLocal, n).value;
    g_array_set_size(interpreter->locals, n);
    lang->calls--;
  }
  return value;
}

static bool
run_sections(DaeInterpreter *interpreter, DaeNode *node, uint32_t depth)
{
  DaeLang *lang = interpreter->lang;
  for (guint i = 0; i < node->bases->len; i++) {
    if (depth > DAE_MAX_NESTING ||
        !run_sections(interpreter, node->bases->pdata[i], depth + 1)) {
      return false;
    }
  }
  for (uint32_t i = node->class != 0
                        ? dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS)
                        : 0;
       i != 0; i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    DaeSection section = g_array_index(lang->syntax->sections, DaeSection, i - 1);
    interpreter->scope = node;
    if (section.is_algorithm && !dae_interpreter_run(interpreter, section.code)) {
      return false;
    }
  }
  return true;
}

static bool
is_external(const DaeLang *lang, const DaeNode *node, uint32_t depth)
{
  if (node->class != 0 && dae_syntax_class(lang->syntax, node->class)->external != 0) {
    return true;
  }
  for (guint i = 0; i < node->bases->len && depth < DAE_MAX_NESTING; i++) {
    if (is_external(lang, node->bases->pdata[i], depth + 1)) {
      return true;
    }
  }
  return false;
}

static DaeEval
results(DaeInterpreter *interpreter, const DaeNode *node)
{
  g_autoptr(GArray) values = g_array_new(FALSE, TRUE, sizeof(DaeEval));
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT && (element->flags & DAE_FLAG_OUTPUT) != 0) {
      for (guint k = 0; k < interpreter->locals->len; k++) {
        const DaeLocal *local = &g_array_index(interpreter->locals, DaeLocal, k);
        if (local->name == element->name) {
          g_array_append_val(values, local->value);
          break;
        }
      }
    }
  }
  if (values->len == 1) {
    return g_array_index(values, DaeEval, 0);
  }
  DaeEval *data =
      dae_arena_alloc(interpreter->lang->arena, (values->len + 1) * sizeof(DaeEval));
  memcpy(data, values->data, values->len * sizeof(DaeEval));
  return (DaeEval){.type = DAE_EVAL_TUPLE, .count = values->len, .data = data};
}

/* The value is not known, but its size may be. */
static DaeEval
result_size(DaeInterpreter *interpreter, const DaeNode *node)
{
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT && (element->flags & DAE_FLAG_OUTPUT) != 0) {
      DaeEval size = empty_array(interpreter, element, false);
      DaeComponent *component = dae_component_of(interpreter->lang, element);
      if (component != NULL &&
          component->n_dims == 0) { /* members have sizes by their values */
        size = component->is_record ? declared_value(interpreter, component)
                                    : dae_eval_unknown_array(interpreter->lang, 0, NULL);
      }
      return dae_eval_shape(interpreter->lang, &size);
    }
  }
  return unknown;
}

static DaeEval
call_function(DaeLang *lang, DaeNode *node, const DaeEval *arguments, uint32_t n)
{
  if (lang->calls >= MAX_CALLS) {
    return unknown;
  }
  lang->calls++;
  DaeInterpreter interpreter;
  dae_interpreter_init(&interpreter, lang, node);
  uint32_t position = 0;
  /* inputs first: sizes of the others depend on them */
  for (int round = 0; round < 2; round++) {
    for (guint i = 0; i < node->elements->len; i++) {
      DaeElement *element = node->elements->pdata[i];
      bool is_input = (element->flags & DAE_FLAG_INPUT) != 0;
      if (element->kind != DAE_ELEMENT_COMPONENT || is_input != (round == 0)) {
        continue;
      }
      const DaeEval *given =
          is_input ? argument_for(arguments, n, position, element->name) : NULL;
      position += is_input ? 1 : 0;
      add_local(&interpreter, element, given);
    }
  }
  bool is_done = !is_external(lang, node, 0) && run_sections(&interpreter, node, 0);
  DaeEval value = is_done ? results(&interpreter, node) : dae_eval_native(&interpreter, node);
  value = dae_eval_has_size(&value) ? value : result_size(&interpreter, node);
  dae_interpreter_clear(&interpreter);
  lang->calls--;
  return value;
}

/* ---- by elements [MLS, section 12.4.6] ------------------------------------------------------- */

/* Declared dimensions of a formal argument; of a type that is an array, its own too. */
static uint32_t
declared_dims(DaeLang *lang, DaeElement *element)
{
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
  uint32_t n = declaration->n_dims + declaration->n_type_dims;
  const DaeComponent *component = n == 0 ? dae_component_of(lang, element) : NULL;
  return component != NULL ? component->n_dims : n;
}

/* Which arguments have more dimensions than the function's own; NULL: none, or they disagree. */
static bool *
surplus(DaeLang *lang, const DaeNode *node, const DaeEval *arguments, uint32_t n,
        uint32_t *size)
{
  g_autofree bool *marks = g_new0(bool, n + 1);
  bool is_any = false;
  uint32_t position = 0;
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind != DAE_ELEMENT_COMPONENT || (element->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    const DaeEval *given = argument_for(arguments, n, position++, element->name);
    if (given == NULL || given->n_dims == 0 || !dae_eval_has_size(given) ||
        given->n_dims <= declared_dims(lang, element)) {
      continue;
    }
    if (is_any && given->dims[0] != *size) {
      return NULL;
    }
    marks[given - arguments] = is_any = true;
    *size = given->dims[0];
  }
  return is_any ? g_steal_pointer(&marks) : NULL;
}

/* a[k], of an array. */
static DaeEval
part_of(DaeLang *lang, const DaeEval *array, uint32_t k)
{
  DaeEval subscript = dae_eval_integer(k + 1);
  DaeEval part = dae_eval_subscript(lang, array, &subscript, 1);
  part.name = array->name;
  return part;
}

static DaeEval
call_by_elements(DaeLang *lang, DaeNode *node, const DaeEval *arguments, uint32_t n)
{
  uint32_t size = 0;
  g_autofree bool *marks = surplus(lang, node, arguments, n, &size);
  if (marks == NULL) {
    return call_function(lang, node, arguments, n);
  }
  g_autofree DaeEval *parts = g_new(DaeEval, n);
  g_autofree DaeEval *values = g_new(DaeEval, size + 1);
  for (uint32_t k = 0; k < size; k++) {
    for (uint32_t i = 0; i < n; i++) {
      parts[i] = marks[i] ? part_of(lang, &arguments[i], k) : arguments[i];
    }
    values[k] = call_by_elements(lang, node, parts, n);
  }
  return dae_eval_array(lang, values, size);
}

static const DaeEval *
given_to(DaeLang *lang, const DaeElement *element, const DaeEval *arguments, uint32_t n,
         uint32_t *position)
{
  bool has_value = dae_syntax_declaration(lang->syntax, element->index)->binding != 0 ||
                   (element->mod != NULL && element->mod->value.code != 0);
  if ((element->flags & DAE_FLAG_CONSTANT) != 0 && has_value) {
    return NULL;
  }
  return argument_for(arguments, n, (*position)++, element->name);
}

/* What is given comes first: members may be made of others that are declared behind them, as in
 * record R extends S(n = 2*x); parameter Real x; end R. */
static DaeEval
construct_record(DaeLang *lang, DaeNode *node, const DaeEval *arguments, uint32_t n)
{
  DaeInterpreter interpreter;
  dae_interpreter_init(&interpreter, lang, node);
  interpreter.record = node;
  for (int pass = 0; pass < 2; pass++) {
    uint32_t position = 0;
    for (guint i = 0; i < node->elements->len; i++) {
      DaeElement *element = node->elements->pdata[i];
      const DaeEval *given = element->kind == DAE_ELEMENT_COMPONENT
                                 ? given_to(lang, element, arguments, n, &position)
                                 : NULL;
      if (element->kind == DAE_ELEMENT_COMPONENT && (given != NULL) == (pass == 0)) {
        add_local(&interpreter, element, given);
      }
    }
  }
  DaeEval *data = dae_arena_alloc(lang->arena, (interpreter.locals->len + 1) * sizeof(DaeEval));
  uint32_t count = 0;
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    for (guint k = 0; element->kind == DAE_ELEMENT_COMPONENT && k < interpreter.locals->len;
         k++) {
      const DaeLocal *local = &g_array_index(interpreter.locals, DaeLocal, k);
      if (local->name == element->name) {
        data[count++] = local->value;
        break;
      }
    }
  }
  dae_interpreter_clear(&interpreter);
  return (DaeEval){.type = DAE_EVAL_RECORD, .node = node, .count = count, .data = data};
}

/* ---- constructors of operator records [MLS, section 14.3] ------------------------------------ */

static bool
fits_type(DaeLang *lang, DaeElement *formal, const DaeEval *given, bool is_whole)
{
  const DaeComponent *component = dae_component_of(lang, formal);
  if (component == NULL || component->type == NULL ||
      (given->type != DAE_EVAL_UNKNOWN && (given->n_dims < component->n_dims ||
                                           (is_whole && given->n_dims != component->n_dims)))) {
    return false;
  }
  while (given->n_dims > 0 && given->count > 0 && given->data != NULL) {
    given = &given->data[0];
  }
  DaeBuiltin builtin = component->type->builtin;
  switch (given->type) {
  case DAE_EVAL_REAL:
    return builtin == DAE_BUILTIN_REAL;
  case DAE_EVAL_INTEGER:
    return builtin == DAE_BUILTIN_REAL || builtin == DAE_BUILTIN_INTEGER;
  case DAE_EVAL_BOOLEAN:
    return builtin == DAE_BUILTIN_BOOLEAN;
  case DAE_EVAL_STRING:
    return builtin == DAE_BUILTIN_STRING;
  case DAE_EVAL_ENUMERATION:
    return builtin == DAE_BUILTIN_ENUMERATION;
  case DAE_EVAL_RECORD:
    return component->is_record;
  case DAE_EVAL_UNKNOWN:
  case DAE_EVAL_TUPLE:
  case DAE_EVAL_COLON:
  case DAE_EVAL_HOLE:
  case DAE_EVAL_TARGET:
  case DAE_EVAL_FUNCTION:
    break;
  }
  return true; /* not known now */
}

/* Do the arguments fit, each one to a formal argument of its own, and is none missing? */
static bool
takes(DaeLang *lang, const DaeNode *function, const DaeEval *arguments, uint32_t n,
      bool is_whole)
{
  uint32_t position = 0;
  uint32_t used = 0;
  for (guint i = 0; i < function->elements->len; i++) {
    DaeElement *element = function->elements->pdata[i];
    if (element->kind != DAE_ELEMENT_COMPONENT || (element->flags & DAE_FLAG_INPUT) == 0) {
      continue;
    }
    const DaeEval *given = argument_for(arguments, n, position++, element->name);
    bool has_default = dae_syntax_declaration(lang->syntax, element->index)->binding != 0;
    if (given != NULL ? !fits_type(lang, element, given, is_whole) : !has_default) {
      return false;
    }
    used += given != NULL ? 1 : 0;
  }
  return used == n;
}

/* Candidates in an operator or its packages; *found: the first one. is_whole: those that take the
 * arguments as they are, not element by element. */
static uint32_t
count_takers(DaeLang *lang, DaeElement *element, const DaeEval *arguments, uint32_t n,
             bool is_whole, uint32_t depth, DaeNode **found)
{
  DaeNode *node = element->kind == DAE_ELEMENT_CLASS && depth < 3
                      ? dae_element_node(lang, element, NULL)
                      : NULL;
  uint32_t count = 0;
  if (node == NULL) {
    return 0;
  }
  if (dae_node_is_kind(lang, node, DAE_CLASS_FUNCTION)) {
    count = takes(lang, node, arguments, n, is_whole) ? 1 : 0;
    *found = count > 0 && *found == NULL ? node : *found;
    return count;
  }
  for (guint i = 0; node->elements != NULL && i < node->elements->len; i++) {
    count +=
        count_takers(lang, node->elements->pdata[i], arguments, n, is_whole, depth + 1, found);
  }
  return count;
}

/* By the constructor that the operator record declares for such arguments, else member by
 * member. */
static DaeEval
construct(DaeLang *lang, DaeNode *node, const DaeEval *arguments, uint32_t n)
{
  DaeElement *overloads = dae_node_element(lang, node, dae_name_intern(lang, "'constructor'"));
  DaeNode *function = NULL;
  uint32_t count = 0;
  for (int pass = 0; pass < 2 && count == 0 && overloads != NULL; pass++) {
    count = count_takers(lang, overloads, arguments, n, pass == 0, 0, &function);
  }
  if (count > 1) {
    return unknown; /* what is not known now decides */
  }
  return count == 1 ? call_by_elements(lang, function, arguments, n)
                    : construct_record(lang, node, arguments, n);
}

DaeEval
dae_evaluate_call(DaeLang *lang, DaeNode *scope, uint32_t name, const DaeEval *arguments,
                  uint32_t n)
{
  DaeEval result = unknown;
  DaeElement *element = dae_lookup_class_element(lang, scope, name, DAE_NO_PLACE);
  const char *text = dae_names_text(lang->names, name);
  text += *text == '.' ? 1 : 0;
  if (element == NULL || element->index == 0) {
    return dae_eval_builtin(lang, text, arguments, n, &result) ? result : unknown;
  }
  DaeNode *node = dae_element_node(lang, element, NULL);
  if (node == NULL) {
    return unknown;
  }
  if (dae_node_is_kind(lang, node, DAE_CLASS_FUNCTION)) {
    const char *full = dae_names_text(lang->names, dae_node_name(lang, node));
    if (g_str_has_prefix(full, "Modelica.Math.") && strchr(full + 14, '.') == NULL &&
        dae_eval_builtin(lang, full + 14, arguments, n, &result)) {
      return result; /* sin, exp ...: external there */
    }
    return call_by_elements(lang, node, arguments, n);
  }
  if (dae_node_is_kind(lang, node, DAE_CLASS_RECORD)) {
    return construct(lang, node, arguments, n);
  }
  if (node->builtin == DAE_BUILTIN_ENUMERATION && n == 1 &&
      arguments[0].type == DAE_EVAL_INTEGER) {
    result = arguments[0];
    result.type = DAE_EVAL_ENUMERATION;
    result.node = node->enumeration;
  }
  return result;
}
