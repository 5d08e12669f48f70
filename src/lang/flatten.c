/* One class as a flat model: the walk over its component tree, twice. First connections are
 * collected, so that the second walk, which writes declarations and equations, knows all of
 * them. */
#include <string.h>

#include "lang/connect.h"
#include "parser/parser.h"

struct DaeFlat {
  DaeLang lang;
};

static const char prelude[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n";

/* ---- the outermost scope --------------------------------------------------------------------- */

static void
add_builtin(DaeLang *lang, const char *name, DaeBuiltin builtin)
{
  DaeNode *node = dae_node_new(lang, 0, lang->root, NULL);
  DaeElement *element = dae_arena_alloc0(lang->arena, sizeof *element);
  node->builtin = builtin;
  node->name = dae_name_intern(lang, name);
  node->state = 2;
  dae_node_expand(lang, node); /* empty tables */
  element->kind = DAE_ELEMENT_CLASS;
  element->name = node->name;
  element->home = element->owner = lang->root;
  element->node = node;
  lang->builtins[builtin] = node;
  g_hash_table_insert(lang->root->table, GUINT_TO_POINTER(element->name), element);
}

static void
make_root(DaeLang *lang)
{
  lang->root = dae_node_new(lang, 0, NULL, NULL);
  lang->root->state = 2;
  dae_node_expand(lang, lang->root);
  add_builtin(lang, "Real", DAE_BUILTIN_REAL);
  add_builtin(lang, "Integer", DAE_BUILTIN_INTEGER);
  add_builtin(lang, "Boolean", DAE_BUILTIN_BOOLEAN);
  add_builtin(lang, "String", DAE_BUILTIN_STRING);
  add_builtin(lang, "Clock", DAE_BUILTIN_CLOCK);
  add_builtin(lang, "ExternalObject", DAE_BUILTIN_EXTERNAL);
  dae_library_add_prelude(lang->library, prelude);
}

/* --set NAME=VALUE. What is no expression is told by the model room, which reads the options as
 * well. */
static void
read_overrides(DaeLang *lang)
{
  const char *const *given = lang->options != NULL ? lang->options->overrides : NULL;
  const char *context = lang->source->context;
  uint32_t errors = lang->source->n_errors;
  lang->overrides = g_hash_table_new(NULL, NULL);
  lang->source->n_errors = DAE_MAX_ERRORS; /* silent */
  for (size_t i = 0; given != NULL && given[i] != NULL; i++) {
    const char *equals = strchr(given[i], '=');
    if (equals == NULL) {
      continue;
    }
    g_autofree char *name = g_strstrip(g_strndup(given[i], (size_t)(equals - given[i])));
    DaeParser parser;
    dae_parser_init(&parser, lang->source, lang->names, lang->syntax, equals + 1,
                    strlen(equals + 1), 0);
    uint32_t code = dae_parse_expression_code(&parser);
    dae_parser_clear(&parser);
    if (code != 0) {
      g_hash_table_insert(lang->overrides, GUINT_TO_POINTER(dae_name_intern(lang, name)),
                          GUINT_TO_POINTER(code));
    }
  }
  lang->source->n_errors = errors;
  lang->source->context = context;
}

static void
lang_init(DaeLang *lang, DaeLibrary *library, const DaeFlattenOptions *options)
{
  *lang = (DaeLang){.library = library, .options = options};
  lang->source = dae_library_source(library);
  lang->names = dae_library_names(library);
  lang->syntax = dae_library_syntax(library);
  lang->arena = dae_arena_new();
  lang->nodes = g_ptr_array_new();
  lang->classes = g_ptr_array_new();
  lang->constants = g_ptr_array_new();
  lang->flat_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  lang->text = g_string_new(NULL);
  lang->told_places = g_hash_table_new(NULL, NULL);
  lang->checked_classes = g_hash_table_new(NULL, NULL);
  dae_syntax_init(&lang->flat);
  dae_connect_init(lang);
  make_root(lang);
  read_overrides(lang);
  lang->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void
free_node(DaeNode *node)
{
  if (node->elements != NULL) {
    g_ptr_array_free(node->elements, TRUE);
    g_ptr_array_free(node->bases, TRUE);
    g_hash_table_destroy(node->table);
  }
  if (node->dims != NULL) {
    g_array_free(node->dims, TRUE);
  }
  if (node->files != NULL) {
    g_hash_table_unref(node->files);
  }
}

static void
lang_clear(DaeLang *lang)
{
  for (guint i = 0; i < lang->nodes->len; i++) {
    free_node(lang->nodes->pdata[i]);
  }
  dae_connect_clear(lang);
  dae_syntax_clear(&lang->flat);
  g_ptr_array_free(lang->nodes, TRUE);
  g_ptr_array_free(lang->classes, TRUE);
  g_ptr_array_free(lang->constants, TRUE);
  g_hash_table_destroy(lang->flat_names);
  g_hash_table_destroy(lang->overrides);
  g_hash_table_destroy(lang->told_places);
  g_hash_table_destroy(lang->checked_classes);
  g_string_free(lang->text, TRUE);
  g_hash_table_destroy(lang->told);
  dae_arena_free(lang->arena);
}

void
dae_error_once(DaeLang *lang, uint32_t pos, const char *format, uint32_t name)
{
  bool is_heard = lang->source->hushed == 0 && !dae_source_is_full(lang->source);
  if (is_heard && g_hash_table_add(lang->told_places, GUINT_TO_POINTER(pos))) {
    g_autofree char *text = g_strdup_printf(format, dae_names_text(lang->names, name));
    dae_source_error(lang->source, pos, "%s", text);
  }
}

/* ---- the first walk: components and connections ---------------------------------------------- */

/* Flows of a connector are zero where nothing is connected, and nothing but their own comes in
 * by its streams: each has its inside face in a set. */
void
dae_connect_enter_flows(DaeLang *lang, DaeNode *node, bool is_outside, uint32_t depth)
{
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member == NULL || member->is_absent || member->is_outer) {
      continue;
    }
    if (member->is_leaf && !member->is_record) {
      if ((member->flags & (DAE_FLAG_FLOW | DAE_FLAG_STREAM)) != 0) {
        dae_connect_member(lang, member, member->flat_name, is_outside, false,
                           dae_syntax_declaration(lang->syntax, element->index)->pos);
      }
      continue;
    }
    for (uint32_t k = 0; k < member->count; k++) {
      dae_connect_enter_flows(lang, member->nodes[k], is_outside, depth + 1);
    }
  }
}

static void
collect_sections(DaeLang *lang, DaeNode *node, uint32_t depth)
{
  for (guint i = 0; i < node->bases->len && depth < DAE_MAX_NESTING; i++) {
    collect_sections(lang, node->bases->pdata[i], depth + 1);
  }
  for (uint32_t i = node->class != 0
                        ? dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS)
                        : 0;
       i != 0; i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    DaeSection section = g_array_index(lang->syntax->sections, DaeSection, i - 1);
    if (!dae_connect_has(lang, section.code)) {
      continue;
    }
    if (section.is_algorithm || section.is_initial) {
      dae_connect_refuse_section(lang, &section);
    } else {
      dae_connect_section(lang, node, section.code);
    }
  }
}

/* Where the user put the component in: what is partial inside of a library is made complete by a
 * redeclaration in a component of the model's own file. */
static uint32_t
place_of_user(DaeLang *lang, const DaeComponent *component)
{
  const DaeClass *model = dae_syntax_class(lang->syntax, lang->model->type->class);
  const DaeSourceFile *own = dae_source_file_of(lang->source, model->pos);
  uint32_t nearest = 0;
  for (const DaeComponent *at = component->parent->component; at != NULL && at != lang->model;
       at = at->parent->component) {
    uint32_t pos = dae_syntax_declaration(lang->syntax, at->element->index)->pos;
    if (dae_source_file_of(lang->source, pos) == own) {
      return pos;
    }
    nearest = nearest == 0 ? pos : nearest;
  }
  return nearest;
}

/* Medium.BaseProperties of a medium that nobody has chosen. False: it is not that. */
static bool
refuse_partial_package(DaeLang *lang, const DaeComponent *component)
{
  const DaeNode *package =
      component->type->scope != NULL ? component->type->scope->whole : NULL;
  if (package == NULL || !dae_node_is_kind(lang, package, DAE_CLASS_PACKAGE) ||
      (dae_syntax_class(lang->syntax, package->class)->flags & DAE_FLAG_PARTIAL) == 0 ||
      component->parent->component == NULL) {
    return false;
  }
  const DaeDeclaration *declaration =
      dae_syntax_declaration(lang->syntax, component->element->index);
  uint32_t rest = 0;
  uint32_t first = dae_name_split(lang, declaration->type, &rest);
  uint32_t place = rest != 0 ? place_of_user(lang, component) : 0;
  if (place == 0) {
    return false;
  }
  if (g_hash_table_add(lang->told_places, GUINT_TO_POINTER(place))) {
    const char *package_name = dae_names_text(lang->names, first);
    dae_source_error(
        lang->source, place,
        "'%s' has no complete package '%s': '%s' is partial; choose one by "
        "(redeclare package %s = ...)",
        dae_names_text(lang->names, component->parent->name), package_name,
        dae_names_text(lang->names, dae_syntax_class(lang->syntax, package->class)->name),
        package_name);
  }
  return true;
}

/* What a component can be made of [MLS, sections 4.4 and 4.7]. */
static void
check_class(DaeLang *lang, const DaeComponent *component)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, component->type->class);
  uint32_t pos = dae_syntax_declaration(lang->syntax, component->element->index)->type_pos;
  if (class->kind == DAE_CLASS_PACKAGE || class->kind == DAE_CLASS_FUNCTION) {
    dae_error_once(lang, pos, "'%s' is a package or a function: it has no components",
                   class->name);
  } else if ((class->flags & DAE_FLAG_PARTIAL) != 0 &&
             !refuse_partial_package(lang, component)) {
    dae_error_once(lang, pos, "'%s' is partial: a component needs a complete class",
                   class->name);

  } else if (class->kind == DAE_CLASS_TYPE) {
    dae_error_once(lang, pos, "'%s' is a type of nothing: it extends no predefined type",
                   class->name);
  }
}

/* connector F = flow Real: the variable is the connector. */
static void
enter_flow_connector(DaeLang *lang, DaeComponent *component)
{
  uint32_t pos = dae_syntax_declaration(lang->syntax, component->element->index)->pos;
  bool is_element = component->n_dims > 0;
  if ((component->flags & DAE_FLAG_FLOW) == 0 ||
      !dae_node_is_connector(lang, component->type)) {
    return;
  }
  for (uint32_t k = 0; k < component->count; k++) {
    uint32_t name = dae_component_element_name(lang, component, k);
    dae_connect_member(lang, component, name, false, is_element, pos);
  }
}

static void
collect(DaeLang *lang, DaeNode *node, bool in_connector, uint32_t depth)
{
  bool is_connector = dae_node_is_connector(lang, node);
  if (is_connector && dae_node_is_expandable(lang, node)) {
    dae_bus_see(lang);
  } else if (is_connector && !in_connector) {
    dae_connect_enter_flows(lang, node, false, 0);
    dae_check_connector(lang, node);
  }
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    if (dae_source_is_full(lang->source)) {
      return;
    }
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *component = element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed
                                  ? dae_component_of(lang, element)
                                  : NULL;
    if (component == NULL || component->is_absent || component->is_outer) {
      continue;
    }
    if (component->type->builtin == DAE_BUILTIN_NONE) {
      check_class(lang, component);
    }
    if (component->is_leaf || component->is_record) {
      if (!component->is_record && !in_connector && !is_connector) {
        enter_flow_connector(lang, component);
      }
      continue;
    }
    for (uint32_t k = 0; k < component->count; k++) {
      collect(lang, component->nodes[k], in_connector || is_connector, depth + 1);
    }
  }
  collect_sections(lang, node, 0);
}

/* ---- the second walk: declarations and equations --------------------------------------------- */

static void
write_sections(DaeLang *lang, DaeNode *node, uint32_t instance, uint32_t depth)
{
  for (guint i = 0; i < node->bases->len && depth < DAE_MAX_NESTING; i++) {
    write_sections(lang, node->bases->pdata[i], instance, depth + 1);
  }
  for (uint32_t i = node->class != 0
                        ? dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS)
                        : 0;
       i != 0; i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    DaeSection section = g_array_index(lang->syntax->sections, DaeSection, i - 1);
    if (!dae_check_section(lang, node, &section)) {
      continue;
    }
    section.owner = 1;
    section.instance = instance;
    section.code = dae_translate(lang, node, section.code);
    if (dae_syntax_code(&lang->flat, section.code)->op != DAE_OP_RETURN) {
      g_array_append_val(lang->flat.sections, section);
    }
  }
}

static void
write_node(DaeLang *lang, DaeNode *node, uint32_t instance, bool in_connector, uint32_t depth)
{
  in_connector = in_connector || dae_node_is_connector(lang, node);
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *component = element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed
                                  ? element->component
                                  : NULL;
    if (component == NULL || component->is_broken || component->is_absent ||
        component->is_outer || component->is_potential || dae_source_is_full(lang->source)) {
      continue;
    }
    dae_write_component(lang, component, instance, in_connector, depth);
  }
  write_sections(lang, node, instance, 0);
}

void
dae_write_component(DaeLang *lang, DaeComponent *component, uint32_t instance,
                    bool in_connector, uint32_t depth)
{
  if (component->is_leaf || component->is_record) {
    dae_declare(lang, component);
    dae_ledger_add_face(lang, component, in_connector);
    return;
  }
  for (uint32_t k = 0; k < component->count; k++) {
    DaeNode *child = component->nodes[k];
    write_node(lang, child, dae_ledger_instance(lang, child, instance), in_connector,
               depth + 1);
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool
make_model(DaeLang *lang, const char *name)
{
  uint32_t id = dae_name_intern(lang, name);
  DaeElement *element = dae_lookup_class_element(lang, lang->root, id, 0);
  element = element != NULL ? dae_element_resolve(lang, element) : NULL;
  if (element == NULL || element->index == 0) {
    return false;
  }
  const DaeClass *chosen = dae_syntax_class(lang->syntax, element->index);
  if ((chosen->flags & DAE_FLAG_PARTIAL) != 0) {
    dae_source_error(lang->source, chosen->pos,
                     "'%s' is partial: it is a part of models, and none itself", name);
    return false;
  }
  if (chosen->kind == DAE_CLASS_PACKAGE || chosen->kind == DAE_CLASS_FUNCTION) {
    dae_source_error(lang->source, chosen->pos, "'%s' is a %s, no model", name,
                     chosen->kind == DAE_CLASS_PACKAGE ? "package" : "function");
    return false;
  }
  lang->model = dae_arena_alloc0(lang->arena, sizeof(DaeComponent));
  DaeNode *node = dae_element_new_node(lang, element, NULL);
  node->component = lang->model;
  node->name = 0;
  node->is_function = false;
  node->depth = 0;
  lang->model->type = node;
  lang->model->count = 1;
  lang->model->element = element;
  lang->model->nodes = &lang->model->type;
  const DaeClass source = *dae_syntax_class(lang->syntax, element->index);
  DaeClass class = {.name = id, .pos = source.pos, .kind = DAE_CLASS_MODEL};
  class.description = source.description;
  g_array_append_val(lang->flat.classes, class);
  uint32_t errors = lang->source->n_errors;
  if (!dae_node_expand(lang, node)) {
    return false;
  }
  if (lang->source->n_errors == errors) {
    dae_lookup_check_imports(lang, element->index);
  }
  for (int i = 0; i < 4; i++) {
    if (source.experiment[i] != 0) {
      uint32_t code = dae_translate(lang, node, source.experiment[i]);
      dae_syntax_class(&lang->flat, 1)->experiment[i] = code;
    }
  }
  return true;
}

DaeFlat *
dae_flatten(DaeLibrary *library, const char *name, const DaeFlattenOptions *options)
{
  DaeFlat *flat = g_new0(DaeFlat, 1);
  DaeLang *lang = &flat->lang;
  lang_init(lang, library, options);
  uint32_t errors = lang->source->n_errors;
  if (make_model(lang, name)) {
    collect(lang, lang->model->type, false, 0);
    dae_bus_elaborate(lang);
    dae_graph_solve(lang);
    if (lang->source->n_errors == errors) {
      dae_bus_check_signals(lang);
    }
    if (lang->source->n_errors == errors) {
      write_node(lang, lang->model->type,
                 dae_ledger_instance(lang, lang->model->type, UINT32_MAX), false, 0);
      dae_bus_spread(lang, true);
      dae_connect_write(lang);
      dae_ledger_count_connections(lang);
      dae_write_pending(lang);
    }
  }
  if (lang->source->n_errors > errors || lang->model == NULL) {
    dae_flat_free(flat);
    return NULL;
  }
  return flat;
}

void
dae_flat_free(DaeFlat *flat)
{
  if (flat != NULL) {
    lang_clear(&flat->lang);
    g_free(flat);
  }
}

DaeLang *
dae_flat_lang(DaeFlat *flat)
{
  return &flat->lang;
}

DaeSyntax *
dae_flat_syntax(DaeFlat *flat)
{
  return &flat->lang.flat;
}
