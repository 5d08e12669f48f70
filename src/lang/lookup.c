/* Names [MLS, chapter 5]: simple ones outwards through the enclosing classes,
 * composite ones inwards part by part. */
#include <stdarg.h>
#include <string.h>

#include "base/suggest.h"
#include "lang/instance.h"

uint32_t
dae_name_intern(DaeLang *lang, const char *text)
{
  return dae_names_intern(lang->names, text, strlen(text));
}

uint32_t
dae_name_format(DaeLang *lang, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  return dae_name_intern(lang, text);
}

uint32_t
dae_name_join(DaeLang *lang, uint32_t a, uint32_t b)
{
  if (a == 0 || dae_names_length(lang->names, a) == 0) {
    return b;
  }
  g_string_assign(lang->text, dae_names_text(lang->names, a));
  g_string_append_c(lang->text, '.');
  g_string_append(lang->text, dae_names_text(lang->names, b));
  return dae_names_intern(lang->names, lang->text->str, lang->text->len);
}

uint32_t
dae_name_split(DaeLang *lang, uint32_t name, uint32_t *rest)
{
  const char *text = dae_names_text(lang->names, name);
  const char *at = text + (*text == '.' ? 1 : 0);
  bool quoted = false;
  *rest = 0;
  for (; *at != '\0'; at++) {
    if (*at == '\\' && quoted && at[1] != '\0') {
      at++;
    } else if (*at == '\'') {
      quoted = !quoted;
    } else if (*at == '.' && !quoted) {
      uint32_t first = dae_names_intern(lang->names, text, (size_t)(at - text));
      *rest = dae_names_intern(lang->names, at + 1, strlen(at + 1));
      return first;
    }
  }
  return name;
}

uint32_t
dae_name_bare(DaeLang *lang, uint32_t part, uint32_t *subscripts, uint32_t *n)
{
  const char *text = dae_names_text(lang->names, part);
  size_t length = dae_names_length(lang->names, part);
  const char *open = length > 0 && text[length - 1] == ']' ? strchr(text, '[') : NULL;
  *n = 0;
  if (open == NULL || *text == '\'') {
    return part;
  }
  for (const char *at = open + 1; *n < 8 && *at != '\0';) {
    char *end = NULL;
    subscripts[(*n)++] = (uint32_t)g_ascii_strtoull(at, &end, 10);
    if (end == at || *end != ',') {
      break;
    }
    at = end + 1;
  }
  return dae_names_intern(lang->names, text, (size_t)(open - text));
}

/* ---- simple names ------------------------------------------------------------------------ */

static DaeElement *
find_top(DaeLang *lang, uint32_t name)
{
  DaeElement *element = g_hash_table_lookup(lang->root->table, GUINT_TO_POINTER(name));
  if (element != NULL) {
    return element->index != 0 || element->node != NULL ? element : NULL;
  }
  const char *folder = NULL;
  uint32_t class =
      dae_library_load_top(lang->library, dae_names_text(lang->names, name), &folder);
  element = dae_arena_alloc0(lang->arena, sizeof *element); /* without a class: not there */
  element->kind = DAE_ELEMENT_CLASS;
  element->name = name;
  element->index = class;
  element->home = element->owner = lang->root;
  element->folder = folder;
  element->flags = class != 0 ? dae_syntax_class(lang->syntax, class)->flags : 0;
  g_hash_table_insert(lang->root->table, GUINT_TO_POINTER(name), element);
  return class != 0 ? element : NULL;
}

/* A full name from the top, and what it is an element of; NULL: none. */
static DaeElement *
find_full(DaeLang *lang, uint32_t name, DaeElement **owner)
{
  uint32_t rest = 0;
  uint32_t first = dae_name_split(lang, name, &rest);
  DaeElement *element = find_top(lang, first);
  *owner = NULL;
  while (element != NULL && rest != 0) {
    if (element->kind != DAE_ELEMENT_CLASS) {
      return NULL;
    }
    *owner = element;
    DaeNode *node = dae_element_node(lang, element, NULL);
    first = dae_name_split(lang, rest, &rest);
    element = node != NULL ? dae_node_element(lang, node, first) : NULL;
  }
  return element;
}

/* One cause, one message: a class that ten components have is missing once. */
static bool
is_told(DaeLang *lang, const char *what)
{
  return !dae_source_is_full(lang->source) && !g_hash_table_add(lang->told, g_strdup(what));
}

static void
tell_missing_library(DaeLang *lang, uint32_t name, uint32_t pos)
{
  if (!is_told(lang, "Modelica")) {
    dae_source_error(lang->source, pos,
                     "'%s' is in the Modelica Standard Library, which is not given; name its "
                     "folder with --library or in MODELICAPATH (units, constants and functions "
                     "work without it)",
                     dae_names_text(lang->names, name));
  }
}

/* What is imported under a name is then missing wherever the name stands: that is told here,
 * too. */
static void
report_import(DaeLang *lang, const DaeImport *import)
{
  const char *name = dae_names_text(lang->names, import->name);
  if (import->kind != DAE_IMPORT_ALL && !dae_source_is_full(lang->source)) {
    const char *alias = dae_names_text(lang->names, import->alias);
    g_hash_table_add(lang->told, g_strdup_printf("import %s", alias));
  }
  if (dae_library_stand_in(lang->library) != 0 && g_str_has_prefix(name, "Modelica.")) {
    tell_missing_library(lang, import->name, import->pos);
    return;
  }
  g_autofree char *message = g_strdup_printf("there is no '%s' to import", name);
  if (!is_told(lang, message)) {
    dae_source_error(lang->source, import->pos, "%s", message);
  }
}

bool
dae_lookup_is_told(const DaeLang *lang, uint32_t name)
{
  g_autofree char *key = g_strdup_printf("import %s", dae_names_text(lang->names, name));
  return g_hash_table_contains(lang->told, key);
}

void
dae_lookup_check_imports(DaeLang *lang, uint32_t class_number)
{
  for (uint32_t i = dae_library_first(lang->library, class_number, DAE_LIST_IMPORTS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_IMPORTS)) {
    DaeImport import = g_array_index(lang->syntax->imports, DaeImport, i - 1);
    DaeElement *owner = NULL;
    if (find_full(lang, import.name, &owner) == NULL) {
      report_import(lang, &import);
    }
  }
}

/* import A.B; import C.B: [MLS, section 13.2.1] allows one of them. */
static DaeElement *
find_qualified(DaeLang *lang, const DaeNode *scope, uint32_t name)
{
  DaeElement *found = NULL;
  for (uint32_t i = dae_library_first(lang->library, scope->class, DAE_LIST_IMPORTS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_IMPORTS)) {
    DaeImport import = g_array_index(lang->syntax->imports, DaeImport, i - 1);
    if (import.kind == DAE_IMPORT_ALL || import.alias != name) {
      continue;
    }
    DaeElement *owner = NULL;
    DaeElement *element = find_full(lang, import.name, &owner);
    if (element == NULL) {
      report_import(lang, &import);
    } else if (dae_check_import(lang, scope, owner, element, import.pos) && found != NULL &&
               element != found) {
      dae_error_once(lang, import.pos, "'%s' is imported twice, from different packages", name);
    }
    found = found != NULL ? found : element;
  }
  return found;
}

/* import A.*; import C.*: a name that both have is an error where it is used. */
static DaeElement *
find_unqualified(DaeLang *lang, const DaeNode *scope, uint32_t name)
{
  DaeElement *found = NULL;
  for (uint32_t i = dae_library_first(lang->library, scope->class, DAE_LIST_IMPORTS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_IMPORTS)) {
    DaeImport import = g_array_index(lang->syntax->imports, DaeImport, i - 1);
    DaeElement *owner = NULL;
    DaeElement *package =
        import.kind == DAE_IMPORT_ALL ? find_full(lang, import.name, &owner) : NULL;
    DaeNode *node = package != NULL && package->kind == DAE_ELEMENT_CLASS
                        ? dae_element_node(lang, package, NULL)
                        : NULL;
    DaeElement *element = node != NULL ? dae_node_element(lang, node, name) : NULL;
    if (element != NULL && dae_check_import(lang, scope, package, element, import.pos) &&
        found != NULL && element != found) {
      dae_error_once(lang, import.pos, "'%s' is in this package and in one imported before",
                     name);
    }
    found = found != NULL ? found : element;
  }
  return found;
}

static DaeElement *
find_imported(DaeLang *lang, const DaeNode *scope, uint32_t name)
{
  DaeElement *found = scope->class != 0 ? find_qualified(lang, scope, name) : NULL;
  return found != NULL || scope->class == 0 ? found : find_unqualified(lang, scope, name);
}

static bool
is_encapsulated(const DaeLang *lang, const DaeNode *node)
{
  return node->class != 0 &&
         (dae_syntax_class(lang->syntax, node->class)->flags & DAE_FLAG_ENCAPSULATED) != 0;
}

/* What an encapsulated class sees without an import: Real, StateSelect and the like, but not
 * the classes at the top [MLS, section 5.3.1]. */
static DaeElement *
find_predefined(DaeLang *lang, uint32_t name)
{
  DaeElement *element = find_top(lang, name);
  return element != NULL && (element->index == 0 ||
                             dae_library_is_predefined(lang->library, element->index))
             ? element
             : NULL;
}

DaeElement *
dae_lookup_simple(DaeLang *lang, DaeNode *scope, uint32_t name, DaeNode **where)
{
  const char *text = dae_names_text(lang->names, name);
  if (*text == '.') {
    *where = lang->root;
    return find_top(lang, dae_name_intern(lang, text + 1));
  }
  while (scope != NULL && scope != lang->root) {
    DaeElement *element = dae_node_element(lang, scope, name);
    if (element != NULL && element->is_removed) { /* the derived class may have another */
      element = g_hash_table_lookup(scope->whole->table, GUINT_TO_POINTER(name));
    }
    if (element == NULL || element->is_removed) {
      element = find_imported(lang, scope, name);
    }
    if (element != NULL) {
      *where = scope;
      return element;
    }
    if (is_encapsulated(lang, scope)) {
      *where = lang->root;
      return find_predefined(lang, name);
    }
    scope = scope->scope;
  }
  *where = lang->root;
  return find_top(lang, name);
}

/* ---- classes ----------------------------------------------------------------------------- */

static void
suggest_from(DaeLang *lang, const DaeNode *node, DaeSuggest *suggest)
{
  for (guint i = 0; node->elements != NULL && i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_CLASS) {
      dae_suggest_try(suggest, dae_names_text(lang->names, element->name));
    }
  }
  GHashTableIter iter;
  gpointer key = NULL;
  if (node->files != NULL) {
    g_hash_table_iter_init(&iter, node->files);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
      if (strcmp(key, suggest->wrong) != 0) { /* a folder of that name that is no package */
        dae_suggest_try(suggest, key);
      }
    }
  }
}

/* Something of the package Modelica that only the library itself has. */
static bool
report_missing_library(DaeLang *lang, const DaeNode *node, uint32_t name, uint32_t pos)
{
  uint32_t stand_in = dae_library_stand_in(lang->library);
  while (node != NULL && node->class != stand_in) {
    node = node->scope;
  }
  if (stand_in != 0 && node != NULL) {
    tell_missing_library(lang, name, pos);
  }
  return stand_in != 0 && node != NULL;
}

/* Would the name be found if the class were not encapsulated? */
static bool
is_around(DaeLang *lang, const DaeNode *closed, uint32_t name)
{
  const DaeNode *n = closed->scope;
  for (; n != NULL && n != lang->root && n->table != NULL; n = n->scope) {
    if (g_hash_table_contains(n->table, GUINT_TO_POINTER(name))) {
      return true;
    }
  }
  return find_top(lang, name) != NULL;
}

bool
dae_lookup_report_closed(DaeLang *lang, const DaeNode *scope, uint32_t name, uint32_t pos)
{
  while (scope != NULL && !is_encapsulated(lang, scope)) {
    scope = scope->scope;
  }
  if (scope == NULL || !is_around(lang, scope, name)) {
    return false;
  }
  dae_source_error(
      lang->source, pos,
      "'%s' is not seen in here: '%s' is encapsulated, so that it has to be imported",
      dae_names_text(lang->names, name),
      dae_names_text(lang->names, dae_syntax_class(lang->syntax, scope->class)->name));
  return true;
}

static void
report_unknown(DaeLang *lang, DaeNode *node, bool is_member, bool has_members, uint32_t name,
               uint32_t pos)
{
  if (pos == DAE_NO_PLACE || (!is_member && dae_lookup_is_told(lang, name))) {
    return;
  }
  if (!is_member && dae_lookup_report_closed(lang, node, name, pos)) {
    return;
  }
  const char *text = dae_names_text(lang->names, name);
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, text);
  for (const DaeNode *n = node; n != NULL; n = is_member ? NULL : n->scope) {
    suggest_from(lang, n, &suggest);
    if (is_encapsulated(lang, n)) {
      break;
    }
  }
  if (!is_member) {
    dae_library_suggest_top(lang->library, &suggest);
  }
  static const char *const builtin[] = {"Real", "Integer", "Boolean", "String"};
  for (size_t i = 0; i < G_N_ELEMENTS(builtin) && !is_member; i++) {
    dae_suggest_try(&suggest, builtin[i]);
  }
  if (is_member && suggest.best == NULL && report_missing_library(lang, node, name, pos)) {
    return;
  }
  g_autofree char *where =
      is_member
          ? g_strdup_printf(" in '%s'", dae_names_text(lang->names, dae_node_name(lang, node)))
          : g_strdup("");
  g_autofree char *near =
      suggest.best != NULL ? g_strdup_printf("; did you mean '%s'?", suggest.best)
      : !is_member && has_members
          ? g_strdup("; if it is a library, --library or MODELICAPATH has to lead to it")
          : g_strdup("");
  g_autofree char *message = g_strdup_printf("there is no class '%s'%s%s", text, where, near);
  if (!is_told(lang, message)) {
    dae_source_error(lang->source, pos, "%s", message);
  }
}

DaeElement *
dae_lookup_class_element(DaeLang *lang, DaeNode *scope, uint32_t name, uint32_t pos)
{
  uint32_t rest = 0;
  uint32_t first = dae_name_split(lang, name, &rest);
  DaeNode *where = NULL;
  DaeElement *element = dae_lookup_simple(lang, scope, first, &where);
  if (element == NULL) {
    report_unknown(lang, scope, false, rest != 0, first, pos);
    return NULL;
  }
  bool is_of_component = false;
  bool has_class = false;
  while (rest != 0) {
    DaeNode *node = NULL;
    if (element->kind == DAE_ELEMENT_CLASS) {
      has_class = true;
      if (is_of_component && pos != DAE_NO_PLACE &&
          !dae_check_no_operator(lang, element, pos)) {
        return NULL;
      }
      node = dae_element_node(lang, element, NULL);
    } else {
      if (has_class && pos != DAE_NO_PLACE) { /* a.B.c.f [MLS, section 5.3.2] */
        dae_error_once(lang, pos, "'%s' is a component of a class: no function is found there",
                       element->name);
        return NULL;
      }
      is_of_component = true;
      DaeComponent *component = dae_component_of(lang, element);
      if (component != NULL && pos != DAE_NO_PLACE &&
          !dae_check_of_component(lang, component, pos)) {
        return NULL;
      }
      if (component != NULL && pos != DAE_NO_PLACE) {
        dae_warn_conditional(lang, component, pos);
      }
      component = component != NULL && component->is_outer ? component->inner : component;
      node = component != NULL ? component->type : NULL;
    }
    if (node == NULL) {
      return NULL;
    }
    first = dae_name_split(lang, rest, &rest);
    element = dae_node_element(lang, node, first);
    if (element == NULL) {
      report_unknown(lang, node, true, false, first, pos);
      return NULL;
    }
    if (pos != DAE_NO_PLACE &&
        (is_of_component ? !dae_check_public(lang, element, pos)
                         : !dae_check_visible(lang, scope, element, pos))) {
      return NULL;
    }
  }
  if (is_of_component && element->kind == DAE_ELEMENT_CLASS && pos != DAE_NO_PLACE &&
      !dae_check_no_operator(lang, element, pos)) {
    return NULL;
  }
  if (is_of_component && element->kind == DAE_ELEMENT_CLASS && element->index != 0 &&
      pos != DAE_NO_PLACE &&
      dae_syntax_class(lang->syntax, element->index)->kind != DAE_CLASS_FUNCTION) {
    dae_error_once(lang, pos, "'%s' is a class of a component: only functions are found there",
                   name);
    return NULL;
  }
  if (element->kind != DAE_ELEMENT_CLASS) {
    if (pos != DAE_NO_PLACE) {
      dae_source_error(lang->source, pos, "'%s' is a component, not a class",
                       dae_names_text(lang->names, name));
    }
    return NULL;
  }
  return element;
}
