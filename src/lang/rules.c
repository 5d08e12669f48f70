/* What may be named, modified and replaced [MLS, sections 4.1, 5.4, 7.1, 7.2]: mistakes that
 * would otherwise pass unseen, each told at the place where it was made. */
#include <string.h>

#include "base/suggest.h"
#include "lang/instance.h"

static const char *
text_of(const DaeLang *lang, uint32_t name)
{
  return dae_names_text(lang->names, name);
}

/* ---- modifiers ------------------------------------------------------------------------------- */

void
dae_check_not_final(DaeLang *lang, const DaeMod *outer, const DaeMod *inner)
{
  /* A modifier may meet itself: by the element and by what the element replaced. */
  if (inner->is_final && outer->pos != inner->pos && dae_mod_says(outer)) {
    dae_error_once(lang, outer->pos, "'%s' is final: it cannot be modified", outer->name);
  }
}

/* Is what the modifier puts in the place of the element replaceable again? */
static bool
is_replaceable_again(const DaeLang *lang, const DaeMod *mod)
{
  uint32_t flags = mod->is_class ? dae_syntax_class(lang->syntax, mod->redeclared)->flags
                                 : dae_syntax_declaration(lang->syntax, mod->redeclared)->flags;
  return (flags & DAE_FLAG_REPLACEABLE) != 0;
}

/* redeclare A a(...) of redeclare A a: only what it says of a changes [MLS, section 7.3.3]. */
static bool
has_same_type_name(const DaeLang *lang, const DaeMod *outer, const DaeMod *inner)
{
  return !outer->is_class && !inner->is_class &&
         dae_syntax_declaration(lang->syntax, outer->redeclared)->type ==
             dae_syntax_declaration(lang->syntax, inner->redeclared)->type;
}

/* A warning only: libraries that other tools take (IBPSA, ThermoPower) rely on it, and so does the
 * redeclaration of a component whose constraining type redeclares what the new type has for good. */
void
dae_warn_redeclared_again(DaeLang *lang, const DaeMod *outer, const DaeMod *inner)
{
  if (outer->redeclared != 0 && inner->redeclared != 0 && outer->pos != inner->pos &&
      !is_replaceable_again(lang, inner) && !has_same_type_name(lang, outer, inner) &&
      lang->source->hushed == 0 &&
      g_hash_table_add(lang->told_places, GUINT_TO_POINTER(outer->pos))) {
    dae_source_warning(lang->source, outer->pos,
                       "'%s' was redeclared without replaceable: this redeclares it again",
                       dae_names_text(lang->names, outer->name));
  }
}

/* What has no such element: a component, or a class. */
static bool
fail_missing(DaeLang *lang, uint32_t owner, const DaeNode *type, const DaeMod *mod)
{
  DaeSuggest suggest;
  const char *name = text_of(lang, mod->name);
  dae_suggest_begin(&suggest, name);
  for (guint k = 0; k < type->elements->len; k++) {
    const DaeElement *other = type->elements->pdata[k];
    dae_suggest_try(&suggest, text_of(lang, other->name));
  }
  dae_source_error(lang->source, mod->pos, "'%s' has no element '%s'%s%s%s",
                   text_of(lang, owner), name, suggest.best != NULL ? "; did you mean '" : "",
                   suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
  return false;
}

/* Is the declaration that of an array? Of a type that is one: not asked for here. */
static bool
is_array(const DaeLang *lang, const DaeElement *element)
{
  uint32_t index = element->dims_declaration != 0 ? element->dims_declaration : element->index;
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, index);
  return declaration->n_dims + declaration->n_type_dims > 0;
}

static bool
check_one(DaeLang *lang, DaeComponent *component, const DaeMod *mod)
{
  const DaeElement *element = dae_node_element(lang, component->type, mod->name);
  if (element == NULL) {
    return fail_missing(lang, component->flat_name, component->type, mod);
  }
  if (element->kind == DAE_ELEMENT_CLASS && mod->value.code != 0) {
    dae_error_once(lang, mod->pos, "'%s' is a class: redeclare puts another in its place",
                   mod->name);
    return false;
  }
  if ((element->flags & DAE_FLAG_PROTECTED) != 0 && dae_mod_says(mod)) {
    dae_error_once(lang, mod->pos, "'%s' is protected: it cannot be modified from outside",
                   mod->name);
    return false;
  }
  return true;
}

bool
dae_check_class_modifiers(DaeLang *lang, DaeNode *base, const DaeMod *list)
{
  for (const DaeMod *mod = list; mod != NULL && base->builtin == DAE_BUILTIN_NONE;
       mod = mod->next) {
    const DaeElement *element = dae_node_element(lang, base, mod->name);
    if (element == NULL || element->is_removed) {
      uint32_t name = dae_syntax_class(lang->syntax, base->class)->name;
      return fail_missing(lang, name, base, mod);
    }
  }
  return true;
}

/* Other tools take `each` for nothing where nothing is repeated. */
static void
warn_of_each(DaeLang *lang, const DaeMod *mod)
{
  if (lang->source->hushed == 0 &&
      g_hash_table_add(lang->told_places, GUINT_TO_POINTER(mod->pos))) {
    dae_source_warning(lang->source, mod->pos, "'each' of '%s', but nothing here is an array",
                       dae_names_text(lang->names, mod->name));
  }
}

bool
dae_check_modifiers(DaeLang *lang, DaeComponent *component)
{
  const DaeElement *element = component->element;
  const DaeMod *lists[] = {element->mod != NULL ? element->mod->inner : NULL,
                           dae_element_own_mods(lang, element)};
  bool is_builtin = component->type->builtin != DAE_BUILTIN_NONE;
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    for (const DaeMod *mod = lists[i]; mod != NULL; mod = mod->next) {
      if (!is_builtin && !check_one(lang, component, mod)) { /* attributes: where written */
        return false;
      }
      const DaeElement *its =
          is_builtin ? NULL : dae_node_element(lang, component->type, mod->name);
      bool in_array = component->n_dims > 0 ||
                      (its != NULL && (its->kind == DAE_ELEMENT_CLASS || is_array(lang, its)));
      if (mod->is_each && !mod->is_spread && !in_array && mod->value.code != 0) {
        warn_of_each(lang, mod);
      }
    }
  }
  return true;
}

/* ---- arrays of components -------------------------------------------------------------------- */

static void
append_sizes(GString *text, uint32_t n, const uint32_t *dims)
{
  for (uint32_t d = 0; d < n; d++) {
    g_string_append_printf(text, "%s%u", d == 0 ? "" : ", ", dims[d]);
  }
}

static bool
fits(const DaeComponent *component, const DaeEval *value)
{
  bool fits = value->n_dims >= component->n_dims;
  for (uint32_t d = 0; fits && d < component->n_dims; d++) {
    fits = value->dims[d] == component->dims[d];
  }
  return fits;
}

static bool
check_value_size(DaeLang *lang, const DaeComponent *component, const DaeMod *mod)
{
  if (mod->value.code == 0) {
    return true;
  }
  dae_source_hush(lang->source); /* what is wrong with the value is told where it is used */
  DaeEval value = dae_evaluate(lang, &mod->value);
  dae_source_speak(lang->source);
  bool is_known = value.type != DAE_EVAL_UNKNOWN || (value.n_dims > 0 && value.data != NULL);
  if (!is_known || fits(component, &value)) {
    return true;
  }
  g_autoptr(GString) size = g_string_new(NULL);
  append_sizes(size, component->n_dims, component->dims);
  if (value.n_dims == 0) {
    dae_source_error(lang->source, mod->pos,
                     "one value of '%s' for the elements of '%s[%s]': write each, or an array",
                     text_of(lang, mod->name), text_of(lang, component->flat_name), size->str);
    return false;
  }
  g_autoptr(GString) given = g_string_new(NULL);
  append_sizes(given, value.n_dims, value.dims);
  dae_source_error(
      lang->source, mod->pos, "the value of '%s' has size [%s], but '%s' has the elements [%s]",
      text_of(lang, mod->name), given->str, text_of(lang, component->flat_name), size->str);
  return false;
}

/* What `redeclare A a(x = {1, 2}) = v` says is distributed, too: a = v, x = {1, 2}. */
static const DaeMod *
said_by(DaeLang *lang, const DaeMod *mod, DaeMod *value)
{
  const DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, mod->redeclared);
  DaeNode *scope = mod->redeclared_scope;
  *value = *mod;
  value->pos = declaration.pos;
  value->value = (DaeClosure){declaration.binding, declaration.pos, scope, mod->part, NULL};
  const DaeMod *own = dae_mod_list(lang, declaration.first_mod, declaration.n_mods, scope);
  return dae_mod_part(lang, own, mod->part);
}

static bool
check_sizes(DaeLang *lang, const DaeComponent *component, const DaeMod *list, uint32_t depth)
{
  for (const DaeMod *mod = list; mod != NULL && depth < DAE_MAX_NESTING; mod = mod->next) {
    if (mod->is_each || mod->is_class) {
      continue;
    }
    DaeMod value = *mod;
    const DaeMod *inner = mod->redeclared != 0 ? said_by(lang, mod, &value) : mod->inner;
    if (!check_value_size(lang, component, &value) ||
        !check_sizes(lang, component, inner, depth + 1)) {
      return false;
    }
  }
  return true;
}

bool
dae_check_distribution(DaeLang *lang, const DaeComponent *component)
{
  return component->n_dims == 0 || component->n_dims > 8 || component->count == 0 ||
         check_sizes(lang, component, component->mod, 0);
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool
is_same_argument(const DaeSyntax *syntax, const DaeInstruction *x, const DaeInstruction *y)
{
  if (x->op != DAE_OP_PATH && x->op != DAE_OP_TARGET) {
    return x->arg == y->arg;
  }
  const uint32_t *a = &g_array_index(syntax->paths, uint32_t, x->arg);
  const uint32_t *b = &g_array_index(syntax->paths, uint32_t, y->arg);
  return a[0] == b[0] && memcmp(a, b, (1 + 2 * (size_t)a[0]) * sizeof *a) == 0;
}

bool
dae_same_range(const DaeSyntax *syntax, uint32_t a, uint32_t b, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    const DaeInstruction *x = dae_syntax_code(syntax, a + i);
    const DaeInstruction *y = dae_syntax_code(syntax, b + i);
    if (x->op != y->op || x->n != y->n || !is_same_argument(syntax, x, y)) {
      return false;
    }
  }
  return true;
}

bool
dae_same_code(const DaeSyntax *syntax, uint32_t a, uint32_t b)
{
  if (a == 0 || b == 0) {
    return a == b;
  }
  uint32_t n = 1;
  while (dae_syntax_code(syntax, a + n - 1)->op != DAE_OP_RETURN) {
    n++;
  }
  return dae_same_range(syntax, a, b, n);
}

/* A bound that only the first has, which is the one that is taken: nothing is lost. The
 * specification wants the two to be identical; libraries have such pairs. */
static bool
is_bound_alone(DaeLang *lang, const DaeMod *mod, const DaeMod *other)
{
  const char *name = dae_names_text(lang->names, mod->name);
  return other == NULL && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0);
}

static bool says_same(const DaeSyntax *syntax, const DaeMod *a, const DaeMod *b,
                      uint32_t depth);

static bool
is_said_there(const DaeSyntax *syntax, const DaeMod *mod, const DaeMod *other, uint32_t depth)
{
  return !dae_mod_says(mod) ||
         (other != NULL && dae_same_code(syntax, mod->value.code, other->value.code) &&
          mod->is_break == other->is_break && mod->redeclared == other->redeclared &&
          says_same(syntax, mod->inner, other->inner, depth + 1));
}

static bool
says_same(const DaeSyntax *syntax, const DaeMod *a, const DaeMod *b, uint32_t depth)
{
  for (const DaeMod *mod = a; mod != NULL && depth < DAE_MAX_NESTING; mod = mod->next) {
    if (!is_said_there(syntax, mod, dae_mod_find(b, mod->name), depth)) {
      return false;
    }
  }
  return true;
}

/* Is all that the first says said by the second, but for bounds? */
static bool
says_more_bounds(DaeLang *lang, const DaeMod *first, const DaeMod *second)
{
  const DaeMod *more = NULL;
  for (const DaeMod *mod = first; mod != NULL; mod = mod->next) {
    const DaeMod *other = dae_mod_find(second, mod->name);
    const bool is_said = is_said_there(lang->syntax, mod, other, 0);
    if (!is_said && !is_bound_alone(lang, mod, other)) {
      return false;
    }
    more = is_said ? more : mod;
  }
  if (more != NULL && lang->source->hushed == 0) {
    dae_source_warning(lang->source, more->pos,
                       "inherited by a class that has this element again without '%s'",
                       dae_names_text(lang->names, more->name));
  }
  return true;
}

/* All that is said of the two, whatever was said where [MLS, section 7.1]. */
static bool
is_modified_alike(DaeLang *lang, const DaeElement *first, const DaeElement *second)
{
  const DaeElement *elements[] = {first, second};
  const DaeMod *lists[2];
  uint32_t values[2];
  for (int i = 0; i < 2; i++) {
    const DaeMod *mod = elements[i]->mod;
    const DaeDeclaration *declaration =
        dae_syntax_declaration(lang->syntax, elements[i]->index);
    values[i] = mod != NULL && mod->value.code != 0 ? mod->value.code : declaration->binding;
    lists[i] = dae_mod_merge(lang, mod != NULL ? mod->inner : NULL,
                             dae_element_own_mods(lang, elements[i]));
  }
  return dae_same_code(lang->syntax, values[0], values[1]) &&
         says_same(lang->syntax, lists[1], lists[0], 0) &&
         says_more_bounds(lang, lists[0], lists[1]);
}

static bool
is_same_declaration(DaeLang *lang, const DaeElement *first, const DaeElement *second)
{
  /* copies: looking up types may read files */
  const DaeDeclaration a = *dae_syntax_declaration(lang->syntax, first->index);
  const DaeDeclaration b = *dae_syntax_declaration(lang->syntax, second->index);
  const DaeElement *a_type = dae_lookup_class_element(lang, first->home, a.type, DAE_NO_PLACE);
  const DaeElement *b_type = dae_lookup_class_element(lang, second->home, b.type, DAE_NO_PLACE);
  bool is_same_type = a_type == NULL || b_type == NULL || a_type == b_type ||
                      (a_type->index != 0 && a_type->index == b_type->index);
  const uint32_t kinds = DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER | DAE_FLAG_DISCRETE |
                         DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_FLOW | DAE_FLAG_STREAM;
  return is_same_type && (a.flags & kinds) == (b.flags & kinds) &&
         is_modified_alike(lang, first, second) &&
         dae_same_code(lang->syntax, a.dims_code, b.dims_code) &&
         dae_same_code(lang->syntax, a.type_dims_code, b.type_dims_code);
}

static bool
is_short(const DaeLang *lang, uint32_t class)
{
  return (dae_syntax_class(lang->syntax, class)->flags & DAE_FLAG_SHORT) != 0;
}

void
dae_check_same(DaeLang *lang, const DaeElement *first, const DaeElement *second, uint32_t pos)
{
  bool is_same = first->kind == second->kind;
  if (is_same && first->kind == DAE_ELEMENT_COMPONENT && first->replaced == NULL &&
      second->replaced == NULL) {
    is_same = first->index == second->index ? is_modified_alike(lang, first, second)
                                            : is_same_declaration(lang, first, second);
  }
  if (is_same && first->kind == DAE_ELEMENT_CLASS && first->replaced == NULL &&
      second->replaced == NULL) {
    is_same = first->index == second->index || first->index == 0 || second->index == 0 ||
              is_short(lang, second->index) || /* its modifiers may be written in two ways */
              dae_is_same_class(lang, first->index, second->index);
  }
  if (!is_same) {
    dae_error_once(lang, pos, "'%s' is inherited as well, and not the same there",
                   second->name);
  }
}

/* ---- inner and outer ------------------------------------------------------------------------- */

/* missing: the element that the inner one has not, or of another predefined type. */
static bool
has_elements_of(DaeLang *lang, DaeNode *inner, const DaeNode *outer, uint32_t *missing,
                bool *is_there)
{
  for (guint i = 0; i < outer->elements->len; i++) {
    const DaeElement *needed = outer->elements->pdata[i];
    if ((needed->flags & DAE_FLAG_PROTECTED) != 0 || needed->is_removed) {
      continue;
    }
    const DaeElement *its = dae_node_element(lang, inner, needed->name);
    if (its == NULL || !dae_same_builtin(lang, needed, its)) {
      *missing = needed->name;
      *is_there = its != NULL;
      return false;
    }
  }
  return true;
}

/* An outer array has as many dimensions as the inner one, and their sizes where it says them. */
static bool
has_sizes_of(DaeLang *lang, const DaeElement *element, const DaeDeclaration *declaration,
             const DaeNode *wanted, const DaeComponent *inner)
{
  uint32_t n = declaration->n_dims + declaration->n_type_dims;
  uint32_t own = n;
  for (guint i = 0; wanted->dims != NULL && i < wanted->dims->len; i++) {
    n += g_array_index(wanted->dims, DaeDims, i).n;
  }
  if (n != inner->n_dims || declaration->n_type_dims > 0 || own == 0 || own > 8) {
    return n == inner->n_dims;
  }
  DaeEval sizes[8];
  dae_source_hush(lang->source);
  dae_evaluate_list(lang, element->home, declaration->dims_code, sizes, own);
  dae_source_speak(lang->source);
  for (uint32_t d = 0; d < own; d++) {
    if (sizes[d].type == DAE_EVAL_INTEGER && sizes[d].n_dims == 0 &&
        sizes[d].integer != inner->dims[d]) {
      return false;
    }
  }
  return true;
}

bool
dae_check_outer(DaeLang *lang, const DaeComponent *component)
{
  const DaeElement *element = component->element;
  const DaeDeclaration declaration = *dae_syntax_declaration(lang->syntax, element->index);
  if (declaration.binding != 0 || (element->mod != NULL && dae_mod_says(element->mod))) {
    uint32_t pos = declaration.binding == 0 ? element->mod->pos : declaration.pos;
    dae_error_once(lang, pos, "'%s' is outer: its value is that of the inner one",
                   element->name);
    return false;
  }
  DaeElement *named =
      dae_lookup_class_element(lang, element->home, declaration.type, declaration.type_pos);
  DaeNode *wanted = named != NULL ? dae_element_node(lang, named, NULL) : NULL;
  DaeNode *given = component->inner->type;
  uint32_t missing = 0;
  if (wanted == NULL || given == NULL) {
    return wanted != NULL;
  }
  if (wanted->builtin != given->builtin) {
    dae_source_error(lang->source, declaration.pos,
                     "the inner '%s' has another type than this outer",
                     text_of(lang, component->inner->flat_name));
    return false;
  }
  if (!has_sizes_of(lang, element, &declaration, wanted, component->inner)) {
    dae_source_error(lang->source, declaration.pos,
                     "the inner '%s' has other dimensions than this outer",
                     text_of(lang, component->inner->flat_name));
    return false;
  }
  bool is_there = false;
  if (!has_elements_of(lang, given, wanted, &missing, &is_there)) {
    dae_source_error(lang->source, declaration.pos,
                     is_there ? "the inner '%s' does not fit this outer: '%s' has another type"
                              : "the inner '%s' does not fit this outer: it has no '%s'",
                     text_of(lang, component->inner->flat_name), text_of(lang, missing));
    return false;
  }
  return true;
}
