/* Nodes: classes under modifiers, their elements with base classes and
 * redeclarations applied [MLS, chapter 7]. */
#include <string.h>

#include "lang/instance.h"

DaeNode *
dae_node_new(DaeLang *lang, uint32_t class, DaeNode *scope, const DaeMod *mod)
{
  DaeNode *node = dae_arena_alloc0(lang->arena, sizeof *node);
  node->class = class;
  node->scope = scope;
  node->whole = node;
  node->mod = mod;
  node->depth = scope != NULL ? scope->depth + 1 : 0;
  g_ptr_array_add(lang->nodes, node);
  return node;
}

bool
dae_node_is_kind(const DaeLang *lang, const DaeNode *node, DaeClassKind kind)
{
  return node->class != 0 && dae_syntax_class(lang->syntax, node->class)->kind == kind;
}

uint32_t
dae_node_name(DaeLang *lang, DaeNode *node)
{
  return node->whole->name != 0 ? node->whole->name : dae_name_intern(lang, "");
}

/* ---- redeclarations ---------------------------------------------------------------------- */

/* The (c = 3) of model F = A(c = 3); NULL: none. */
static const DaeMod *
short_mods(DaeLang *lang, const DaeElement *element)
{
  const DaeClass *class =
      element->index != 0 ? dae_syntax_class(lang->syntax, element->index) : NULL;
  if (class == NULL || (class->flags & DAE_FLAG_SHORT) == 0) {
    return NULL;
  }
  const DaeTypeDefinition *type = dae_syntax_type(lang->syntax, class->definition);
  return dae_mod_list(lang, type->first_mod, type->n_mods, element->home);
}

/* The (c = 3) of constrainedby A(c = 3); NULL: none, or there is no such clause. */
const DaeMod *
dae_element_constraint_mods(DaeLang *lang, const DaeElement *element, bool *has_clause)
{
  const DaeSyntax *syntax = lang->syntax;
  *has_clause = false;
  if (element->kind == DAE_ELEMENT_COMPONENT) {
    const DaeDeclaration *declaration = dae_syntax_declaration(syntax, element->index);
    const DaeDeclarationRest *rest =
        &g_array_index(syntax->rests, DaeDeclarationRest, declaration->rest);
    *has_clause = declaration->rest != 0 && rest->constraint != 0;
    return *has_clause ? dae_mod_list(lang, rest->first_constraint_mod, rest->n_constraint_mods,
                                      element->home)
                       : NULL;
  }
  if (element->index == 0) {
    return NULL;
  }
  const DaeClass *class = dae_syntax_class(syntax, element->index);
  *has_clause = class->constraint != 0;
  return *has_clause ? dae_mod_list(lang, class->first_constraint_mod, class->n_constraint_mods,
                                    element->home)
                     : NULL;
}

/* The modifiers that whatever replaces the element gets as well: those of the constraining
 * clause, or without one those of the original declaration [MLS, section 7.3.2]. What a
 * redeclaration says for itself ends with it. */
static const DaeMod *
constraint_of(DaeLang *lang, const DaeElement *element)
{
  bool has_clause = false;
  const DaeMod *own = dae_element_constraint_mods(lang, element, &has_clause);
  if (!has_clause && element->replaced == NULL) {
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
      own = dae_mod_list(lang, declaration->first_mod, declaration->n_mods, element->home);
    } else {
      own = short_mods(lang, element);
    }
  }
  return dae_mod_merge(lang, own, element->constraint);
}

/* What a short class says itself is stronger than the modifiers of its constraining clause, and
 * these than those of what it replaces: redeclare model F = A(c = 3) for replaceable model
 * F = A(c = 7). */
static const DaeMod *
add_constraint(DaeLang *lang, const DaeElement *element, const DaeMod *mod)
{
  bool has_clause = false;
  const DaeMod *own = dae_element_constraint_mods(lang, element, &has_clause);
  const DaeMod *weaker = dae_mod_merge(lang, own, element->constraint);
  return weaker == NULL
             ? mod
             : dae_mod_merge(lang, dae_mod_merge(lang, mod, short_mods(lang, element)), weaker);
}

static uint32_t
flags_of(const DaeLang *lang, const DaeElement *element)
{
  if (element->kind == DAE_ELEMENT_COMPONENT) {
    return dae_syntax_declaration(lang->syntax, element->index)->flags;
  }
  return element->index != 0 ? dae_syntax_class(lang->syntax, element->index)->flags : 0;
}

/* Puts another declaration or class in the place of the element; everybody
 * who knows the element sees it. */
static void
replace(DaeLang *lang, DaeElement *element, uint32_t index, DaeNode *home)
{
  DaeElement *old = dae_arena_alloc(lang->arena, sizeof *old);
  *old = *element;
  old->component = NULL;
  old->node = NULL;
  const uint32_t kept = DAE_FLAG_PROTECTED | DAE_FLAG_FLOW | DAE_FLAG_STREAM | DAE_FLAG_INPUT |
                        DAE_FLAG_OUTPUT | DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER |
                        DAE_FLAG_DISCRETE | DAE_FLAG_INNER | DAE_FLAG_OUTER;
  element->constraint = constraint_of(lang, old);
  element->replaced = old;
  element->index = index;
  element->home = home;
  element->part = NULL;
  element->flags = flags_of(lang, element) | (old->flags & kept);
  if (element->kind == DAE_ELEMENT_COMPONENT) {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, index);
    if (declaration->n_dims + declaration->n_type_dims == 0) {
      element->dims_declaration =
          old->dims_declaration != 0 ? old->dims_declaration : old->index;
    }
  }
}

/* The redeclarations of the list, the innermost first. */
static void
redeclare_from_outside(DaeLang *lang, DaeElement *element, const DaeMod *mod, uint32_t depth)
{
  if (mod->redeclared == 0 || depth > DAE_MAX_NESTING) {
    return;
  }
  if (mod->under != NULL) {
    redeclare_from_outside(lang, element, mod->under, depth + 1);
  }
  if (mod->is_class != (element->kind == DAE_ELEMENT_CLASS)) {
    dae_source_error(lang->source, mod->pos, "'%s' is %s",
                     dae_names_text(lang->names, element->name),
                     element->kind == DAE_ELEMENT_CLASS ? "a class" : "a component");
    return;
  }
  if (element->replaced == NULL) { /* else it overrides the modifier that redeclares it, too */
    dae_check_replaceable(lang, element, mod->redeclared, mod->redeclared_scope, mod->pos);
  }
  replace(lang, element, mod->redeclared, mod->redeclared_scope);
  element->part = mod->part;
  if (mod->under != NULL) { /* a modifier of the element is one of its constraining type, too */
    element->constraint = dae_mod_merge(lang, mod->under->inner, element->constraint);
    element->given = mod->under->value.code != 0 ? mod->under->value : element->given;
  }
}

static DaeElement *
new_element(DaeLang *lang, DaeNode *node, DaeElementKind kind, uint32_t index, uint32_t name)
{
  DaeElement *element = dae_arena_alloc0(lang->arena, sizeof *element);
  element->kind = kind;
  element->index = index;
  element->name = name;
  element->home = node;
  element->owner = node->whole;
  element->flags = flags_of(lang, element);
  element->mod = dae_mod_find(node->mod, name);
  if (element->mod != NULL) {
    redeclare_from_outside(lang, element, element->mod, 0);
  }
  return element;
}

/* ---- base classes ------------------------------------------------------------------------ */

static bool
fail(DaeLang *lang, DaeNode *node, uint32_t pos, const char *message)
{
  node->is_broken = true;
  dae_source_error(lang->source, pos, message, "");
  return false;
}

static gint
compare_names(gconstpointer a, gconstpointer b, gpointer user)
{
  (void)user;
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The classes of a package that is a folder, each with a file of its own, are inherited, too. */
static void
load_files(DaeLang *lang, DaeNode *node)
{
  if (node->files == NULL) {
    return;
  }
  guint n = 0;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array(node->files, &n);
  g_qsort_with_data(names, (gint)n, sizeof *names, compare_names, NULL);
  for (guint i = 0; i < n; i++) {
    (void)dae_node_element(lang, node, dae_name_intern(lang, names[i]));
  }
}

/* A node for the base class that the element stands for. NULL: broken. */
static DaeNode *
new_base(DaeLang *lang, DaeNode *node, DaeElement *element, const DaeMod *mod, uint32_t pos)
{
  mod = dae_mod_merge(lang, mod, element->mod != NULL ? element->mod->inner : NULL);
  mod = add_constraint(lang, element, mod);
  DaeNode *base = dae_node_new(lang, element->index, element->home, mod);
  base->whole = node->whole;
  base->derived = node;
  base->depth = node->depth + 1;
  base->inherited = element->replaced;
  base->origin = element;
  base->folder = element->folder;
  base->is_function = node->is_function;
  if (element->index == 0) { /* builtin */
    base->builtin = element->node->builtin;
    base->enumeration = element->node->enumeration;
    base->attributes = mod;
    base->state = 2;
  }
  if (base->depth > DAE_MAX_NESTING) {
    fail(lang, node, pos, "the base classes of this class form a cycle%s");
    return NULL;
  }
  if (!dae_node_expand(lang, base)) {
    node->is_broken = true;
    return NULL;
  }
  load_files(lang, base);
  g_ptr_array_add(node->bases, base);
  node->flags |= base->flags;
  if (base->builtin != DAE_BUILTIN_NONE) {
    node->builtin = base->builtin;
    node->enumeration = base->enumeration;
    node->attributes = base->attributes;
  }
  if (base->dims != NULL) {
    if (node->dims == NULL) {
      node->dims = g_array_new(FALSE, TRUE, sizeof(DaeDims));
    }
    g_array_append_vals(node->dims, base->dims->data, base->dims->len);
  }
  return base;
}

static bool
expand_short(DaeLang *lang, DaeNode *node)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
  const DaeTypeDefinition type = *dae_syntax_type(lang->syntax, class->definition);
  if (class->derivative != 0) {
    return true; /* functions only: seen by whoever writes the function */
  }
  if (type.base == 0) {
    bool is_own = node->origin == NULL || node->origin->node == node;
    node->builtin = DAE_BUILTIN_ENUMERATION;
    node->enumeration = is_own ? node : dae_element_node(lang, node->origin, NULL);
    node->attributes = node->mod;
    return true;
  }
  node->flags |= type.flags;
  if (type.n_dims > 0) {
    DaeDims dims = {type.dims_code, type.n_dims, node->scope};
    node->dims = g_array_new(FALSE, TRUE, sizeof(DaeDims));
    g_array_append_val(node->dims, dims);
  }
  const DaeMod *own =
      dae_mod_weaken(lang, dae_mod_list(lang, type.first_mod, type.n_mods, node->scope));
  DaeElement *element = dae_lookup_class_element(lang, node->scope, type.base, type.base_pos);
  if (element == NULL || !dae_check_no_component(lang, node->scope, type.base, type.base_pos)) {
    node->is_broken = true;
    return false;
  }
  DaeNode *base =
      new_base(lang, node, element, dae_mod_merge(lang, node->mod, own), type.base_pos);
  if (base == NULL || !dae_check_class_modifiers(lang, base, own) ||
      !dae_check_base_kind(lang, node->class, base, type.base_pos)) {
    node->is_broken = true;
    return false;
  }
  for (guint i = 0; i < base->elements->len; i++) {
    DaeElement *inherited = base->elements->pdata[i];
    g_ptr_array_add(node->elements, inherited);
    g_hash_table_insert(node->table, GUINT_TO_POINTER(inherited->name), inherited);
  }
  return true;
}

/* ---- long classes ------------------------------------------------------------------------ */

static void
add_inherited(DaeLang *lang, DaeNode *node, DaeNode *base, uint32_t pos)
{
  for (guint i = 0; i < base->elements->len; i++) {
    DaeElement *element = base->elements->pdata[i];
    if (element->is_removed) {
      continue;
    }
    gpointer known = g_hash_table_lookup(node->table, GUINT_TO_POINTER(element->name));
    if (known != NULL) {
      dae_check_same(lang, known, element, pos);
      g_hash_table_insert(base->table, GUINT_TO_POINTER(element->name), known);
      continue;
    }
    g_hash_table_insert(node->table, GUINT_TO_POINTER(element->name), element);
    g_ptr_array_add(node->elements, element);
  }
}

/* The name of a base class leads through nothing that is replaceable [MLS, section 7.1.4]. */
static void
check_base_name(DaeLang *lang, DaeNode *node, const DaeExtends *clause,
                const DaeElement *element)
{
  uint32_t rest = 0;
  uint32_t name = dae_name_split(lang, clause->base, &rest);
  DaeNode *where = NULL;
  const DaeElement *part = rest != 0 ? dae_lookup_simple(lang, node, name, &where) : element;
  for (; part != NULL && rest != 0; part = dae_node_element(lang, where, name)) {
    if (part->kind != DAE_ELEMENT_CLASS || (part->flags & DAE_FLAG_REPLACEABLE) != 0) {
      break;
    }
    where = dae_element_node(lang, (DaeElement *)part, NULL);
    name = dae_name_split(lang, rest, &rest);
    if (where == NULL) {
      return;
    }
  }
  if (part != NULL && (part->flags & DAE_FLAG_REPLACEABLE) != 0) {
    dae_error_once(lang, clause->pos,
                   part == element ? "'%s' is replaceable: no class can extend it"
                                   : "'%s' is in something replaceable: no class can extend it",
                   clause->base);
  }
}

/* What is inherited does not give the names of base classes [MLS, section 5.3.1]. */
static void
check_bases(DaeLang *lang, const DaeNode *node)
{
  for (uint32_t i = dae_library_first(lang->library, node->class, DAE_LIST_EXTENDS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_EXTENDS)) {
    const DaeExtends clause = g_array_index(lang->syntax->extends, DaeExtends, i - 1);
    uint32_t rest = 0;
    uint32_t first = clause.base != 0 ? dae_name_split(lang, clause.base, &rest) : 0;
    const DaeElement *element =
        first != 0 ? g_hash_table_lookup(node->table, GUINT_TO_POINTER(first)) : NULL;
    if (element != NULL && element->home != node && element->home->class != node->class) {
      dae_error_once(lang, clause.pos,
                     "'%s' is inherited, too: by that name no base class is found", first);
    }
  }
  dae_check_base_alone(lang, node);
}

/* protected extends A: all of A is protected [MLS, section 7.1.2]. */
static void
protect(const DaeNode *base, uint32_t flag)
{
  for (guint i = 0; flag != 0 && i < base->elements->len; i++) {
    DaeElement *element = base->elements->pdata[i];
    element->flags |= flag;
  }
}

static bool
expand_extends(DaeLang *lang, DaeNode *node, const DaeExtends *clause)
{
  /* what the class of a record says comes after the value of a component of it */
  const DaeMod *own =
      dae_mod_weaken(lang, dae_mod_list(lang, clause->first_mod, clause->n_mods, node));
  const DaeMod *mod = dae_mod_merge(lang, node->mod, own);
  DaeElement *element = clause->base != 0
                            ? dae_lookup_class_element(lang, node, clause->base, clause->pos)
                            : node->inherited;
  if (element == NULL) {
    if (clause->base == 0) {
      dae_source_error(lang->source, clause->pos, "there is no inherited class to extend");
    }
    node->is_broken = true;
    return false;
  }
  if (clause->base != 0) {
    check_base_name(lang, node, clause, element);
  }
  DaeNode *base = new_base(lang, node, element, mod, clause->pos);
  if (base != NULL) {
    dae_deselect(lang, base, clause);
    protect(base, clause->flags & DAE_FLAG_PROTECTED);
  }
  if (base == NULL || !dae_check_class_modifiers(lang, base, own) ||
      !dae_check_base_kind(lang, node->class, base, clause->pos)) {
    node->is_broken = true;
    return false;
  }
  add_inherited(lang, node, base, clause->pos);
  return true;
}

/* A redeclaration in the class is none in its extends-clauses, too, and has no condition
 * [MLS, sections 7.3 and 4.4.5]. */
static void
check_redeclared_once(DaeLang *lang, const DaeNode *node, DaeElementKind kind, uint32_t index,
                      uint32_t name, uint32_t pos)
{
  for (uint32_t i = dae_library_first(lang->library, node->class, DAE_LIST_EXTENDS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_EXTENDS)) {
    const DaeExtends *clause = &g_array_index(lang->syntax->extends, DaeExtends, i - 1);
    const DaeModification *entry =
        dae_syntax_modification(lang->syntax, clause->first_mod, clause->n_mods, name);
    if (entry != NULL && (entry->is_component || entry->is_class)) {
      dae_error_once(lang, entry->pos, "'%s' is redeclared in this class and in its extends",
                     name);
    }
  }
  if (kind == DAE_ELEMENT_COMPONENT) {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, index);
    if (declaration->rest != 0 &&
        g_array_index(lang->syntax->rests, DaeDeclarationRest, declaration->rest).condition !=
            0) {
      dae_error_once(lang, pos, "'%s' is redeclared: the condition is that of the original",
                     name);
    }
  }
}

/* `redeclare` in the text of the class itself, of an element that is inherited. */
static bool
redeclare_inherited(DaeLang *lang, DaeNode *node, DaeElementKind kind, uint32_t index,
                    uint32_t name, uint32_t pos)
{
  DaeElement *element = g_hash_table_lookup(node->table, GUINT_TO_POINTER(name));
  if (element == NULL || element->kind != kind) {
    return false;
  }
  if (element->home == node && element->replaced == NULL) {
    dae_error_once(lang, pos, "'%s' is of this class: what is inherited can be redeclared",
                   name);
    return true;
  }
  check_redeclared_once(lang, node, kind, index, name, pos);
  const DaeMod *outer = dae_mod_find(node->mod, name);
  if (outer != NULL && outer->redeclared != 0) {
    return true; /* replaced again from outside, which wins */
  }
  dae_check_replaceable(lang, element, index, node, pos);
  dae_check_visibility_kept(lang, element, index, pos);
  replace(lang, element, index, node);
  return true;
}

/* A class whose bases are not known may lack elements because of that. */
static void
check_inherited(DaeLang *lang, const DaeNode *node, bool redeclared, uint32_t name,
                uint32_t pos)
{
  if (redeclared && !node->is_broken &&
      !g_hash_table_contains(node->table, GUINT_TO_POINTER(name))) {
    dae_error_once(lang, pos, "there is no inherited '%s' to redeclare", name);
  }
}

static void
add_own(DaeLang *lang, DaeNode *node, DaeElementKind kind, uint32_t index, uint32_t name)
{
  const DaeElement *known = g_hash_table_lookup(node->table, GUINT_TO_POINTER(name));
  if (known != NULL) { /* inherited as well: one of them */
    uint32_t pos = kind == DAE_ELEMENT_COMPONENT
                       ? dae_syntax_declaration(lang->syntax, index)->pos
                       : dae_syntax_class(lang->syntax, index)->pos;
    bool is_itself = known->kind == kind && known->index == index;
    if (known->home == node && known->replaced == NULL && !is_itself) {
      dae_error_once(lang, pos, "'%s' is declared twice in this class", name);
    } else if (!is_itself && known->home != node) {
      DaeElement own = {.kind = kind, .index = index, .name = name, .home = node};
      own.mod = dae_mod_find(node->mod, name);
      dae_check_same(lang, known, &own, pos);
    }
    return;
  }
  DaeElement *element = new_element(lang, node, kind, index, name);
  g_hash_table_insert(node->table, GUINT_TO_POINTER(name), element);
  g_ptr_array_add(node->elements, element);
}

static void
add_classes(DaeLang *lang, DaeNode *node, bool redeclared)
{
  DaeLibrary *library = lang->library;
  for (uint32_t i = dae_library_first(library, node->class, DAE_LIST_CLASSES); i != 0;
       i = dae_library_next(library, i, DAE_LIST_CLASSES)) {
    const DaeClass *class = dae_syntax_class(lang->syntax, i - 1);
    bool replaces = (class->flags & (DAE_FLAG_REDECLARE | DAE_FLAG_CLASS_EXTENDS)) != 0;
    if (replaces != redeclared) {
      continue;
    }
    uint32_t name = class->name;
    if (!redeclared ||
        !redeclare_inherited(lang, node, DAE_ELEMENT_CLASS, i - 1, name, class->pos)) {
      check_inherited(lang, node, redeclared, name, class->pos);
      add_own(lang, node, DAE_ELEMENT_CLASS, i - 1, name);
    }
  }
}

static uint32_t
place_of(const DaeLang *lang, uint32_t entry, bool is_extends)
{
  if (entry == 0) {
    return UINT32_MAX;
  }
  return is_extends ? g_array_index(lang->syntax->extends, DaeExtends, entry - 1).pos
                    : dae_syntax_declaration(lang->syntax, entry - 1)->pos;
}

/* Extends clauses and components in the order of the text. */
static void
add_members(DaeLang *lang, DaeNode *node)
{
  DaeLibrary *library = lang->library;
  uint32_t extends = dae_library_first(library, node->class, DAE_LIST_EXTENDS);
  uint32_t declaration = dae_library_first(library, node->class, DAE_LIST_DECLARATIONS);
  while (extends != 0 || declaration != 0) {
    if (place_of(lang, extends, true) < place_of(lang, declaration, false)) {
      DaeExtends clause = g_array_index(lang->syntax->extends, DaeExtends, extends - 1);
      expand_extends(lang, node, &clause);
      extends = dae_library_next(library, extends, DAE_LIST_EXTENDS);
      continue;
    }
    const DaeDeclaration *entry = dae_syntax_declaration(lang->syntax, declaration - 1);
    if ((entry->flags & DAE_FLAG_REDECLARE) == 0) {
      add_own(lang, node, DAE_ELEMENT_COMPONENT, declaration - 1, entry->name);
    }
    declaration = dae_library_next(library, declaration, DAE_LIST_DECLARATIONS);
  }
}

static void
add_redeclared_components(DaeLang *lang, DaeNode *node)
{
  DaeLibrary *library = lang->library;
  for (uint32_t i = dae_library_first(library, node->class, DAE_LIST_DECLARATIONS); i != 0;
       i = dae_library_next(library, i, DAE_LIST_DECLARATIONS)) {
    const DaeDeclaration *entry = dae_syntax_declaration(lang->syntax, i - 1);
    if ((entry->flags & DAE_FLAG_REDECLARE) != 0 &&
        !redeclare_inherited(lang, node, DAE_ELEMENT_COMPONENT, i - 1, entry->name,
                             entry->pos)) {
      check_inherited(lang, node, true, entry->name, entry->pos);
      add_own(lang, node, DAE_ELEMENT_COMPONENT, i - 1, entry->name);
    }
  }
}

/* Files and folders of a package that is a folder. */
static void
list_folder(DaeNode *node)
{
  g_autoptr(GDir) folder = g_dir_open(node->folder, 0, NULL);
  const char *entry = NULL;
  node->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
    if (strcmp(entry, "package.mo") == 0 || entry[0] == '.') {
      continue;
    }
    char *path = g_build_filename(node->folder, entry, NULL);
    if (g_str_has_suffix(entry, ".mo")) {
      g_hash_table_replace(node->files, g_strndup(entry, strlen(entry) - 3), path);
    } else if (strchr(entry, '.') == NULL && !g_hash_table_contains(node->files, entry)) {
      g_hash_table_insert(node->files, g_strdup(entry), path);
    } else {
      g_free(path);
    }
  }
}

bool
dae_node_expand(DaeLang *lang, DaeNode *node)
{
  if (node->elements == NULL) {
    node->elements = g_ptr_array_new();
    node->bases = g_ptr_array_new();
    node->table = g_hash_table_new(NULL, NULL);
  }
  if (node->state != 0) {
    return !node->is_broken;
  }
  node->state = 1;
  if (node->folder != NULL && node->files == NULL) {
    list_folder(node);
  }
  if ((dae_syntax_class(lang->syntax, node->class)->flags & DAE_FLAG_SHORT) != 0) {
    expand_short(lang, node);
  } else {
    add_classes(lang, node, false);
    add_members(lang, node);
    add_classes(lang, node, true);
    add_redeclared_components(lang, node);
    check_bases(lang, node);
    dae_check_restrictions(lang, node->class);
  }
  node->state = 2;
  return !node->is_broken;
}

/* A file in the folder of a package holds the class of its name and says which package that is
 * [MLS, section 13.4]. */
static void
check_file(DaeLang *lang, const DaeNode *node, uint32_t class_number, uint32_t name)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, class_number);
  uint32_t package = dae_syntax_class(lang->syntax, node->class)->name;
  uint32_t last = 0;
  for (uint32_t rest = class->within; rest != 0;) {
    last = dae_name_split(lang, rest, &rest);
  }
  if (class->name != name) {
    dae_source_error(lang->source, class->pos,
                     "the class of this file is called '%s', its file or folder '%s'",
                     dae_names_text(lang->names, class->name),
                     dae_names_text(lang->names, name));
  } else if (last != 0 && last != package) {
    dae_source_warning(
        lang->source, class->pos, "this is said to be within '%s', its folder is that of '%s'",
        dae_names_text(lang->names, class->within), dae_names_text(lang->names, package));
  }
}

DaeElement *
dae_node_element(DaeLang *lang, DaeNode *node, uint32_t name)
{
  dae_node_expand(lang, node);
  DaeElement *element = g_hash_table_lookup(node->table, GUINT_TO_POINTER(name));
  if (element != NULL || node->files == NULL) {
    return element;
  }
  const char *path = g_hash_table_lookup(node->files, dae_names_text(lang->names, name));
  if (path == NULL) {
    return NULL;
  }
  const char *folder = NULL;
  uint32_t class = dae_library_load(lang->library, path, &folder);
  if (class == 0) {
    return NULL;
  }
  check_file(lang, node, class, name);
  element = new_element(lang, node, DAE_ELEMENT_CLASS, class, name);
  g_hash_table_insert(node->table, GUINT_TO_POINTER(name), element);
  g_ptr_array_add(node->elements, element);
  element->folder = folder;
  return element;
}

/* ---- the class of an element ------------------------------------------------------------- */

/* A short class that adds nothing: the name of what it stands for; 0: it is more than that. */
static uint32_t
alias_of(const DaeLang *lang, const DaeElement *element, uint32_t *pos)
{
  if (element->index == 0 || element->constraint != NULL ||
      (element->mod != NULL && element->mod->inner != NULL)) {
    return 0;
  }
  const DaeClass *class = dae_syntax_class(lang->syntax, element->index);
  if ((class->flags & DAE_FLAG_SHORT) == 0 || class->derivative != 0 ||
      class->n_constraint_mods > 0 || class->kind == DAE_CLASS_CONNECTOR) {
    return 0; /* connector C = Real: connects ask for what it is */
  }
  const DaeTypeDefinition *type = dae_syntax_type(lang->syntax, class->definition);
  *pos = type->base_pos;
  return type->n_mods == 0 && type->n_dims == 0 && type->flags == 0 ? type->base : 0;
}

DaeElement *
dae_element_resolve(DaeLang *lang, DaeElement *element)
{
  for (uint32_t steps = 0; element != NULL && steps < DAE_MAX_NESTING; steps++) {
    uint32_t pos = 0;
    element = dae_inner_class(lang, element);
    uint32_t base = alias_of(lang, element, &pos);
    if (base == 0) {
      break;
    }
    if (element->is_under_way) {
      dae_error_once(lang, pos, "'%s' stands for itself", element->name);
      return NULL;
    }
    DaeElement *alias = element;
    alias->is_under_way = true;
    element = dae_check_no_component(lang, element->home, base, pos)
                  ? dae_lookup_class_element(lang, element->home, base, pos)
                  : NULL;
    alias->is_under_way = false;
  }
  return element;
}

/* A class of the model itself, with the name of another at the top? */
static bool
is_hidden_at_top(DaeLang *lang, const DaeElement *element)
{
  DaeNode *where = NULL;
  return lang->model != NULL && element->owner != NULL && element->index != 0 &&
         element->owner->component == lang->model &&
         dae_lookup_simple(lang, lang->root, element->name, &where) != NULL;
}

DaeNode *
dae_element_new_node(DaeLang *lang, DaeElement *element, const DaeMod *mod)
{
  mod = dae_mod_merge(lang, mod, element->mod != NULL ? element->mod->inner : NULL);
  mod = add_constraint(lang, element, mod);
  DaeNode *node = dae_node_new(lang, element->index, element->home, mod);
  node->inherited = element->replaced;
  node->origin = element;
  node->folder = element->folder;
  if (element->index == 0) {
    node->builtin = element->node->builtin;
    node->enumeration = element->node->enumeration;
    node->attributes = mod;
    node->state = 2;
  } else {
    node->is_function =
        dae_syntax_class(lang->syntax, element->index)->kind == DAE_CLASS_FUNCTION;
  }
  uint32_t outer = element->owner != NULL ? element->owner->name : 0;
  node->name = outer != 0 ? dae_name_join(lang, outer, element->name) : element->name;
  if (is_hidden_at_top(lang, element)) { /* P in the model M, and P beside it */
    uint32_t model = dae_syntax_class(lang->syntax, lang->model->type->class)->name;
    node->name = dae_name_format(lang, "$%s.%s", dae_names_text(lang->names, model),
                                 dae_names_text(lang->names, element->name));
  }
  return node;
}

DaeNode *
dae_element_node(DaeLang *lang, DaeElement *element, const DaeMod *mod)
{
  DAE_ASSERT(element->kind == DAE_ELEMENT_CLASS);
  element = dae_element_resolve(lang, element);
  if (element == NULL) {
    return NULL;
  }
  if (mod == NULL && element->node != NULL) {
    return element->node;
  }
  DaeNode *node = dae_element_new_node(lang, element, mod);
  if (node->depth > DAE_MAX_NESTING) {
    dae_source_error(lang->source, dae_syntax_class(lang->syntax, element->index)->pos,
                     "classes are nested too deeply");
    return NULL;
  }
  if (mod == NULL) {
    element->node = node;
  }
  return dae_node_expand(lang, node) ? node : NULL;
}
