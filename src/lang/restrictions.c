/* What specialized classes may contain [MLS, sections 4.6 and 12.2]: checked on the text of a
 * class when it is looked into, or of a whole file that is not instantiated. */
#include <string.h>

#include "lang/instance.h"

static const char *
kind_name(DaeClassKind kind)
{
  static const char *const names[] = {"model",     "class", "package",  "block",   "record",
                                      "connector", "type",  "function", "operator"};
  return names[kind];
}

/* ---- components ------------------------------------------------------------------------------ */

static const char *
misplaced_in_function(uint32_t flags)
{
  bool is_formal = (flags & (DAE_FLAG_INPUT | DAE_FLAG_OUTPUT)) != 0;
  if ((flags & (DAE_FLAG_INNER | DAE_FLAG_OUTER)) != 0) {
    return "is inner or outer: in a function nothing is";
  }
  if (is_formal && (flags & DAE_FLAG_PROTECTED) != 0) {
    return "is an argument or a result: it cannot be protected";
  }
  if (!is_formal &&
      (flags & (DAE_FLAG_PROTECTED | DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) == 0) {
    return "is neither input nor output: it has to be protected";
  }
  return NULL;
}

/* `time` in what a class of this kind says by itself: models and blocks know it [MLS, section
 * 3.6.7]. */
static void
check_timeless(const DaeText *text, uint32_t code, DaeClassKind kind)
{
  for (; code != 0 && dae_syntax_code(text->syntax, code)->op != DAE_OP_RETURN; code++) {
    const DaeInstruction *instruction = dae_syntax_code(text->syntax, code);
    if (instruction->op == DAE_OP_NAME &&
        strcmp(dae_names_text(text->names, instruction->arg), "time") == 0) {
      dae_source_error(text->source, instruction->pos, "'time' in a %s: %s", kind_name(kind),
                       kind == DAE_CLASS_FUNCTION ? "what depends on it is an argument"
                                                  : "only models and blocks have it");
      return;
    }
  }
}

/* What is wrong with a component of these prefixes in a class of this kind; NULL: nothing. */
static const char *
misplaced(DaeClassKind kind, uint32_t flags)
{
  switch (kind) {
  case DAE_CLASS_FUNCTION:
    return misplaced_in_function(flags);
  case DAE_CLASS_PACKAGE:
    return (flags & DAE_FLAG_CONSTANT) == 0 ? "is no constant: a package has nothing else"
                                            : NULL;
  case DAE_CLASS_RECORD:
    if ((flags & (DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_INNER | DAE_FLAG_OUTER |
                  DAE_FLAG_STREAM | DAE_FLAG_FLOW)) != 0) {
      return "is in a record: it is not input, output, inner, outer, flow or stream";
    }
    return (flags & DAE_FLAG_PROTECTED) != 0 ? "is in a record: nothing is protected there"
                                             : NULL;
  case DAE_CLASS_CONNECTOR:
    if ((flags & (DAE_FLAG_INNER | DAE_FLAG_OUTER)) != 0) {
      return "is in a connector: nothing is inner or outer there";
    }
    return (flags & DAE_FLAG_PROTECTED) != 0 ? "is in a connector: nothing is protected there"
                                             : NULL;
  case DAE_CLASS_TYPE:
    return "is in a type: a type has no components";
  case DAE_CLASS_OPERATOR:
    return "is in an operator: there are functions only";
  case DAE_CLASS_MODEL:
  case DAE_CLASS_BLOCK:
    return (flags & DAE_FLAG_STREAM) != 0 ? "is a stream: only connectors have streams" : NULL;
  case DAE_CLASS_CLASS:
    break;
  }
  return NULL;
}

/* Nothing else is called like a predefined type [MLS, section 4.8]. False: reported. */
static bool
check_name(const DaeText *text, uint32_t name, uint32_t pos)
{
  static const char *const predefined[] = {"Real", "Integer", "Boolean", "String"};
  const char *own = dae_names_text(text->names, name);
  for (size_t i = 0; i < G_N_ELEMENTS(predefined); i++) {
    if (strcmp(own, predefined[i]) == 0) {
      dae_source_error(text->source, pos,
                       "'%s' is a predefined type: nothing else has its name", own);
      return false;
    }
  }
  return true;
}

/* P P, P.Q P: the name of the type would mean the component [MLS, section 5.3.1]. */
static bool
check_type_name(const DaeText *text, const DaeDeclaration *declaration)
{
  const char *name = dae_names_text(text->names, declaration->name);
  const char *type = dae_names_text(text->names, declaration->type);
  size_t length = strlen(name);
  if (strncmp(type, name, length) != 0 || (type[length] != '\0' && type[length] != '.')) {
    return true;
  }
  dae_source_error(text->source, declaration->pos,
                   "'%s' has the name of its own type: in this class it means the component",
                   name);
  return false;
}

static void
check_declaration(const DaeText *text, const DaeDeclaration *declaration)
{
  if (declaration->owner == 0 || (declaration->flags & DAE_FLAG_BROKEN) != 0 ||
      (!text->is_printed && (!check_name(text, declaration->name, declaration->pos) ||
                             !check_type_name(text, declaration)))) {
    return;
  }
  const DaeClass *class = dae_syntax_class(text->syntax, declaration->owner);
  if (text->is_printed && class->kind == DAE_CLASS_FUNCTION) {
    return;
  }
  const char *why = misplaced(class->kind, declaration->flags);
  if (why == NULL && (declaration->flags & (DAE_FLAG_FLOW | DAE_FLAG_STREAM)) != 0 &&
      (declaration->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) != 0) {
    why = "is flow or stream: it is no parameter or constant";
  }
  if (why != NULL) {
    dae_source_error(text->source, declaration->pos, "'%s' %s",
                     dae_names_text(text->names, declaration->name), why);

  } else if (class->kind == DAE_CLASS_FUNCTION) {
    check_timeless(text, declaration->binding, class->kind);
  }
}

/* ---- sections -------------------------------------------------------------------------------- */

/* `time` has no place in a function, `return` none anywhere else. */
static void
check_code(const DaeText *text, const DaeSection *section, bool in_function)
{
  if (in_function) {
    check_timeless(text, section->code, DAE_CLASS_FUNCTION);
    return;
  }
  for (uint32_t pc = section->code; dae_syntax_code(text->syntax, pc)->op != DAE_OP_RETURN;
       pc++) {
    const DaeInstruction *instruction = dae_syntax_code(text->syntax, pc);
    if (instruction->op == DAE_OP_LEAVE) {
      dae_source_error(text->source, instruction->pos, "'return' stands in functions only");
      return;
    }
  }
}

/* `bodies`: functions that have an algorithm. */
static void
check_section(const DaeText *text, const DaeSection *section, GHashTable *bodies)
{
  if (section->owner == 0) {
    return;
  }
  const DaeClass *class = dae_syntax_class(text->syntax, section->owner);
  DaeClassKind kind = class->kind;
  const char *what = section->is_algorithm ? "an algorithm" : "equations";
  if (kind == DAE_CLASS_CONNECTOR || kind == DAE_CLASS_RECORD || kind == DAE_CLASS_TYPE ||
      kind == DAE_CLASS_PACKAGE || kind == DAE_CLASS_OPERATOR) {
    dae_source_error(text->source, section->pos, "%s in the %s '%s'", what, kind_name(kind),
                     dae_names_text(text->names, class->name));
    return;
  }
  if (kind == DAE_CLASS_FUNCTION && section->is_algorithm && section->is_initial) {
    dae_source_error(text->source, section->pos, "an initial algorithm in a function");
    return;
  }
  if (kind == DAE_CLASS_FUNCTION && section->is_algorithm &&
      (class->external != 0 || !g_hash_table_add(bodies, GUINT_TO_POINTER(section->owner)))) {
    dae_source_error(text->source, section->pos, "'%s' has more than one body",
                     dae_names_text(text->names, class->name));
    return;
  }
  dae_check_statements(text, section);
  if (section->is_algorithm) {
    check_code(text, section, kind == DAE_CLASS_FUNCTION);
  }
}

static void
check_external(const DaeText *text, uint32_t index)
{
  const DaeClass *class = dae_syntax_class(text->syntax, index);
  dae_check_operator(text, index);
  if (class->kind == DAE_CLASS_FUNCTION) {
    dae_check_external(text, index);

  } else if (class->external != 0) {
    dae_source_error(text->source,
                     g_array_index(text->syntax->externals, DaeExternal, class->external).pos,
                     "external in the %s '%s': only functions have it", kind_name(class->kind),
                     dae_names_text(text->names, class->name));
  }
}

/* ---- base classes ---------------------------------------------------------------------------- */

/* The table of [MLS, section 7.1.3]; what is only a class may also be one of models. */
static bool
may_extend(DaeClassKind derived, DaeClassKind base)
{
  switch (derived) {
  case DAE_CLASS_MODEL:
    return base == DAE_CLASS_RECORD || base == DAE_CLASS_BLOCK;
  case DAE_CLASS_BLOCK:
    return base == DAE_CLASS_RECORD;
  case DAE_CLASS_CONNECTOR:
    return base == DAE_CLASS_RECORD || base == DAE_CLASS_TYPE;
  case DAE_CLASS_CLASS:
    return base == DAE_CLASS_MODEL || base == DAE_CLASS_BLOCK || base == DAE_CLASS_RECORD;
  case DAE_CLASS_PACKAGE:
  case DAE_CLASS_RECORD:
  case DAE_CLASS_TYPE:
  case DAE_CLASS_FUNCTION:
  case DAE_CLASS_OPERATOR:
    break;
  }
  return false;
}

/* Icons are classes of any kind with nothing in them. */
static bool
is_empty(DaeLang *lang, const DaeNode *node)
{
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      return false;
    }
  }
  if (node->builtin !=
      DAE_BUILTIN_NONE) { /* constructors and destructors are all that it has */
    return node->builtin == DAE_BUILTIN_EXTERNAL;
  }
  return dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS) == 0;
}

/* type Out = output In, with an In that is input. */
static bool
has_two_causalities(const DaeLang *lang, uint32_t derived, const DaeNode *base)
{
  const uint32_t causal = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT;
  const DaeClass *own = dae_syntax_class(lang->syntax, derived);
  uint32_t flags = (own->flags & DAE_FLAG_SHORT) != 0
                       ? dae_syntax_type(lang->syntax, own->definition)->flags & causal
                       : 0;
  return flags != 0 && (base->flags & causal) != 0 && (base->flags & causal) != flags;
}

/* Extending A would give another class the operators of a record in A [MLS, section 4.6]. */
static bool
encloses_operators(DaeLang *lang, const DaeNode *base)
{
  for (uint32_t i = dae_library_first(lang->library, base->class, DAE_LIST_CLASSES); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_CLASSES)) {
    const DaeClass *inner = dae_syntax_class(lang->syntax, i - 1);
    if (inner->kind == DAE_CLASS_RECORD && (inner->flags & DAE_FLAG_OPERATOR) != 0 &&
        (inner->flags & DAE_FLAG_SHORT) == 0) {
      return true;
    }
  }
  return false;
}

bool
dae_check_base_kind(DaeLang *lang, uint32_t derived, const DaeNode *base, uint32_t pos)
{
  if (has_two_causalities(lang, derived, base)) {
    dae_source_error(lang->source, pos, "this type is input and output");
    return false;
  }
  const DaeClass *own = dae_syntax_class(lang->syntax, derived);
  if (base->class == 0) { /* predefined */
    bool is_type = own->kind == DAE_CLASS_TYPE || own->kind == DAE_CLASS_CONNECTOR ||
                   own->kind == DAE_CLASS_CLASS || base->builtin == DAE_BUILTIN_NONE;
    if (!is_type) {
      dae_source_error(lang->source, pos, "a %s cannot extend a predefined type",
                       kind_name(own->kind));
    }
    return is_type;
  }
  const DaeClass *other = dae_syntax_class(lang->syntax, base->class);
  if ((own->flags & DAE_FLAG_SHORT) == 0 && encloses_operators(lang, base)) {
    dae_source_error(lang->source, pos,
                     "'%s' has an operator record in it: no class extends what encloses one",
                     dae_names_text(lang->names, other->name));
    return false;
  }
  if (is_empty(lang, base)) {
    return true;
  }
  if ((other->flags & DAE_FLAG_OPERATOR) != 0 && other->kind == DAE_CLASS_RECORD &&
      (own->flags & DAE_FLAG_SHORT) == 0) { /* [MLS, section 14.1] */
    dae_source_error(
        lang->source, pos,
        "the operator record '%s' cannot be extended: its operators are of it alone",
        dae_names_text(lang->names, other->name));
    return false;
  }
  if (own->kind == other->kind ||
      (other->kind == DAE_CLASS_CLASS && own->kind != DAE_CLASS_TYPE) ||
      may_extend(own->kind, other->kind)) {
    return true;
  }
  dae_source_error(lang->source, pos, "a %s cannot extend the %s '%s'", kind_name(own->kind),
                   kind_name(other->kind), dae_names_text(lang->names, other->name));
  return false;
}

static bool
has_components(const DaeNode *node)
{
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      return true;
    }
  }
  return false;
}

/* Does the class say or extend anything beside the base? */
static bool
is_combined(DaeLang *lang, const DaeNode *node, const DaeNode *base)
{
  bool is_more = dae_library_first(lang->library, node->class, DAE_LIST_DECLARATIONS) != 0;
  for (guint i = 0; !is_more && i < node->bases->len; i++) {
    is_more = node->bases->pdata[i] != base && !is_empty(lang, node->bases->pdata[i]);
  }
  return is_more;
}

void
dae_check_base_alone(DaeLang *lang, const DaeNode *node)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
  if (node->builtin != DAE_BUILTIN_NONE && node->builtin != DAE_BUILTIN_EXTERNAL &&
      has_components(node)) {
    dae_error_once(lang, class->pos, "'%s' is a variable: it has no elements", class->name);
    return;
  }
  for (guint i = 0; i < node->bases->len; i++) { /* [MLS, section 4.5.2] */
    const DaeNode *base = node->bases->pdata[i];
    if ((base->dims != NULL || base->flags != 0) && is_combined(lang, node, base)) {
      dae_error_once(lang, class->pos,
                     base->dims != NULL
                         ? "'%s' extends an array: it has nothing beside that"
                         : "'%s' extends a class with prefixes: it has nothing beside that",
                     class->name);
      return;
    }
  }
}

/* ---- all of it ------------------------------------------------------------------------------- */

void
dae_check_restrictions(DaeLang *lang, uint32_t class)
{
  if (!g_hash_table_add(lang->checked_classes, GUINT_TO_POINTER(class))) {
    return;
  }
  const DaeText text = {lang->syntax, lang->names, lang->source, false};
  const DaeClassKind kind = dae_syntax_class(lang->syntax, class)->kind;
  g_autoptr(GHashTable) bodies = g_hash_table_new(NULL, NULL);
  check_external(&text, class);
  if (!dae_library_is_predefined(lang->library, class)) {
    const DaeClass *own = dae_syntax_class(lang->syntax, class);
    check_name(&text, own->name, own->pos);
  }
  dae_check_class_rules(lang, class);
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_CLASSES); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_CLASSES)) {
    dae_check_in_operator(&text, i - 1);
  }
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_DECLARATIONS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_DECLARATIONS)) {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, i - 1);
    check_declaration(&text, declaration);
    if (kind == DAE_CLASS_RECORD || kind == DAE_CLASS_CONNECTOR) { /* flat texts may have it */
      check_timeless(&text, declaration->binding, kind);
    }
  }
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_SECTIONS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    check_section(&text, &g_array_index(lang->syntax->sections, DaeSection, i - 1), bodies);
  }
}

/* Classes of one name at the top of the text. */
static void
check_top(const DaeText *text, uint32_t length)
{
  g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 1; i < text->syntax->classes->len; i++) {
    const DaeClass *class = dae_syntax_class(text->syntax, i);
    if (class->parent == 0 && class->pos < length &&
        (class->flags & DAE_FLAG_IN_MODIFIER) == 0 &&
        !g_hash_table_add(names, GUINT_TO_POINTER(class->name))) {
      dae_source_error(text->source, class->pos, "'%s' is declared twice",
                       dae_names_text(text->names, class->name));
    }
  }
}

/* A component and a class of one name in a flat text; elsewhere expanding a class finds it. */
static void
check_two_kinds(const DaeText *text)
{
  g_autoptr(GHashTable) classes = g_hash_table_new(NULL, NULL); /* names, of any class */
  for (uint32_t i = 1; i < text->syntax->classes->len; i++) {
    const DaeClass *class = dae_syntax_class(text->syntax, i);
    if (class->parent != 0 && (class->flags & DAE_FLAG_IN_MODIFIER) == 0) {
      g_hash_table_add(classes, GUINT_TO_POINTER(class->name));
    }
  }
  if (g_hash_table_size(classes) == 0) {
    return;
  }
  for (uint32_t k = 1; k < text->syntax->declarations->len; k++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(text->syntax, k);
    if (!g_hash_table_contains(classes, GUINT_TO_POINTER(declaration->name))) {
      continue;
    }
    for (uint32_t i = 1; i < text->syntax->classes->len; i++) {
      const DaeClass *class = dae_syntax_class(text->syntax, i);
      if (class->name == declaration->name && class->parent == declaration->owner &&
          class->parent != 0 && (class->flags & DAE_FLAG_IN_MODIFIER) == 0) {
        dae_source_error(text->source, declaration->pos,
                         "'%s' is declared twice in this class: it is a class, too",
                         dae_names_text(text->names, declaration->name));
        break;
      }
    }
  }
}

void
dae_check_text(const DaeText *text, uint32_t length, bool is_flat)
{
  check_top(text, length);
  g_autoptr(GHashTable) bodies = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 1; is_flat && i < text->syntax->classes->len; i++) {
    check_external(text, i);
    dae_check_in_operator(text, i);
  }
  if (is_flat) {
    check_two_kinds(text);
  }
  for (uint32_t i = 1; is_flat && i < text->syntax->declarations->len; i++) {
    check_declaration(text, dae_syntax_declaration(text->syntax, i));
  }
  for (uint32_t i = 0; is_flat && i < text->syntax->sections->len; i++) {
    check_section(text, &g_array_index(text->syntax->sections, DaeSection, i), bodies);
  }
}
