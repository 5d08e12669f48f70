/* Redeclarations against the constraining type of what they replace [MLS, section 7.3.2]:
 * whatever can be used of the constraining type must be there. */
#include "lang/instance.h"

DaeNode *
dae_element_class(DaeLang *lang, const DaeElement *element)
{
  const uint32_t type = dae_syntax_declaration(lang->syntax, element->index)->type;
  DaeElement *named = dae_lookup_class_element(lang, element->home, type, DAE_NO_PLACE);
  return named != NULL ? dae_element_node(lang, named, NULL) : NULL;
}

bool
dae_same_builtin(DaeLang *lang, const DaeElement *a, const DaeElement *b)
{
  if (a->kind != DAE_ELEMENT_COMPONENT || b->kind != DAE_ELEMENT_COMPONENT) {
    return a->kind == b->kind;
  }
  const DaeNode *x = dae_element_class(lang, a);
  const DaeNode *y = x != NULL ? dae_element_class(lang, b) : NULL;
  return y == NULL || x->builtin == y->builtin;
}

static uint32_t
clause_of(const DaeLang *lang, const DaeElement *element)
{
  if (element->kind == DAE_ELEMENT_CLASS) {
    return element->index != 0 ? dae_syntax_class(lang->syntax, element->index)->constraint : 0;
  }
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
  return declaration->rest != 0
             ? g_array_index(lang->syntax->rests, DaeDeclarationRest, declaration->rest)
                   .constraint
             : 0;
}

/* The last that the element replaces with a constraining clause, else the original. */
static const DaeElement *
constrained_by(const DaeLang *lang, const DaeElement *element)
{
  element = element->replaced != NULL ? element->replaced : element;
  while (element->replaced != NULL && clause_of(lang, element) == 0) {
    element = element->replaced;
  }
  return element;
}

/* Its constraining clause, or what it is itself. NULL: it cannot be found, which others
 * report. */
static DaeNode *
constraining_type(DaeLang *lang, const DaeElement *element)
{
  uint32_t name = clause_of(lang, element);
  if (name == 0 && element->kind == DAE_ELEMENT_COMPONENT) {
    name = dae_syntax_declaration(lang->syntax, element->index)->type;
  } else if (name == 0 && element->index != 0) {
    DaeElement *copy = dae_arena_alloc(lang->arena, sizeof *copy); /* the node keeps it */
    *copy = *element;
    copy->node = NULL;
    return dae_element_new_node(lang, copy, NULL);
  }
  DaeElement *type =
      name != 0 ? dae_lookup_class_element(lang, element->home, name, DAE_NO_PLACE) : NULL;
  return type != NULL ? dae_element_node(lang, type, NULL) : NULL;
}

static const DaeTypeDefinition *
enumeration_of(const DaeLang *lang, const DaeNode *node)
{
  const DaeNode *own = node->enumeration;
  return own != NULL && own->class != 0
             ? dae_syntax_type(lang->syntax,
                               dae_syntax_class(lang->syntax, own->class)->definition)
             : NULL;
}

/* enumeration(:) is any; of another the literals are the same [MLS, section 6.4]. */
static bool
has_same_literals(const DaeLang *lang, const DaeNode *wanted, const DaeNode *type)
{
  const DaeTypeDefinition *a = enumeration_of(lang, wanted);
  const DaeTypeDefinition *b = enumeration_of(lang, type);
  if (a == NULL || b == NULL || a->is_open || a == b) {
    return true;
  }
  bool is_same = a->n_literals == b->n_literals && !b->is_open;
  for (uint32_t i = 0; is_same && i < a->n_literals; i++) {
    is_same = g_array_index(lang->syntax->literals, uint32_t, a->first_literal + i) ==
              g_array_index(lang->syntax->literals, uint32_t, b->first_literal + i);
  }
  return is_same;
}

/* Has the type all that is wanted of the element? `what`: how it comes to have that type. */
static bool
has_all(DaeLang *lang, const DaeElement *element, DaeNode *wanted, DaeNode *type,
        const char *what)
{
  if (wanted == NULL || type == NULL || !dae_node_expand(lang, wanted) ||
      !dae_node_expand(lang, type)) {
    return true;
  }
  uint32_t pos = element->kind == DAE_ELEMENT_COMPONENT
                     ? dae_syntax_declaration(lang->syntax, element->index)->pos
                     : dae_syntax_class(lang->syntax, element->index)->pos;
  const char *name = dae_names_text(lang->names, element->name);
  if (wanted->builtin != type->builtin) {
    dae_source_error(lang->source, pos, "'%s' %s: the types differ", name, what);
    return false;
  }
  if (wanted->builtin == DAE_BUILTIN_ENUMERATION && !has_same_literals(lang, wanted, type)) {
    dae_source_error(lang->source, pos, "'%s' %s: the literals differ", name, what);
    return false;
  }
  for (guint i = 0; i < wanted->elements->len; i++) {
    const DaeElement *needed = wanted->elements->pdata[i];
    if ((needed->flags & DAE_FLAG_PROTECTED) != 0 || needed->is_removed) {
      continue;
    }
    const DaeElement *its = dae_node_element(lang, type, needed->name);
    if (its == NULL || !dae_same_builtin(lang, needed, its)) {
      dae_source_error(lang->source, pos,
                       its == NULL ? "'%s' %s: there is no '%s' in the new one"
                                   : "'%s' %s: '%s' has another type in the new one",
                       name, what, dae_names_text(lang->names, needed->name));
      return false;
    }
  }
  return true;
}

static uint32_t
n_type_dims(const DaeNode *type)
{
  uint32_t n = 0;
  for (guint i = 0; type->dims != NULL && i < type->dims->len; i++) {
    n += g_array_index(type->dims, DaeDims, i).n;
  }
  return n;
}

/* The type has as many dimensions as its constraint; those that the declaration adds do not count
 * [MLS, section 7.3.2]. */
static bool
check_dimensions(DaeLang *lang, const DaeElement *element, const DaeNode *own,
                 const DaeNode *type)
{
  uint32_t n = n_type_dims(type);
  uint32_t pos = 0;
  if (element->kind == DAE_ELEMENT_CLASS) {
    const DaeClass *class = dae_syntax_class(lang->syntax, element->index);
    bool is_short = (class->flags & DAE_FLAG_SHORT) != 0;
    uint32_t added = is_short ? dae_syntax_type(lang->syntax, class->definition)->n_dims : 0;
    n -= MIN(added, n);
    pos = class->pos;
  } else {
    pos = dae_syntax_declaration(lang->syntax, element->index)->pos;
  }
  if (n == n_type_dims(own)) {
    return true;
  }
  dae_error_once(lang, pos, "'%s' does not fit its own constraint: other dimensions",
                 element->name);
  return false;
}

bool
dae_check_constraint(DaeLang *lang, const DaeElement *element, DaeNode *type)
{
  const DaeElement *original = constrained_by(lang, element);
  DaeNode *wanted = original != element ? constraining_type(lang, original) : NULL;
  if (!has_all(lang, element, wanted, type, "is redeclared outside its constraint")) {
    return false;
  }
  if (clause_of(lang, element) == 0) {
    return true;
  }
  DaeNode *own = constraining_type(lang, element);
  return has_all(lang, element, own, type, "does not fit its own constraint") &&
         (own == NULL || (check_dimensions(lang, element, own, type) &&
                          has_all(lang, element, wanted, own,
                                  "has a constraint outside of what it replaces")));
}

bool
dae_has_constraint(const DaeLang *lang, const DaeElement *element)
{
  return element->index != 0 && (element->replaced != NULL || clause_of(lang, element) != 0);
}

/* ---- what can be redeclared ---------------------------------------------------------------- */

/* A component that is declared again with the type that it has: other dimensions or another
 * variability [MLS, section 7.3.3]. */
static bool
has_same_type(DaeLang *lang, const DaeElement *element, uint32_t index, DaeNode *home)
{
  if (element->kind != DAE_ELEMENT_COMPONENT) {
    return false;
  }
  const DaeDeclaration old = *dae_syntax_declaration(lang->syntax, element->index);
  const DaeDeclaration new = *dae_syntax_declaration(lang->syntax, index);
  DaeElement *a = dae_lookup_class_element(lang, element->home, old.type, DAE_NO_PLACE);
  DaeElement *b = dae_lookup_class_element(lang, home, new.type, DAE_NO_PLACE);
  a = a != NULL ? dae_element_resolve(lang, a) : NULL;
  b = b != NULL ? dae_element_resolve(lang, b) : NULL;
  return a != NULL && (a == b || (b != NULL && a->index != 0 && a->index == b->index));
}

void
dae_check_replaceable(DaeLang *lang, const DaeElement *element, uint32_t index, DaeNode *home,
                      uint32_t pos)
{
  const uint32_t both = DAE_FLAG_INNER | DAE_FLAG_OUTER;
  if (element->kind == DAE_ELEMENT_CLASS && (element->flags & both) == DAE_FLAG_OUTER) {
    dae_error_once(lang, pos, "'%s' is outer: it is redeclared where it is inner",
                   element->name);
  } else if ((element->flags & DAE_FLAG_FINAL) != 0) {
    dae_error_once(lang, pos, "'%s' is final: it cannot be redeclared", element->name);
  } else if (element->kind == DAE_ELEMENT_COMPONENT &&
             (element->flags & DAE_FLAG_CONSTANT) != 0) {
    dae_error_once(lang, pos, "'%s' is a constant: it cannot be redeclared", element->name);
  } else if ((element->flags & DAE_FLAG_REPLACEABLE) == 0 &&
             !has_same_type(lang, element, index, home)) {
    dae_error_once(lang, pos, "'%s' is not replaceable: it cannot be redeclared",
                   element->name);
  }
}

/* What is inherited stays public or protected [MLS, section 7.3.3]. */
void
dae_check_visibility_kept(DaeLang *lang, const DaeElement *element, uint32_t index,
                          uint32_t pos)
{
  uint32_t flags = element->kind == DAE_ELEMENT_CLASS
                       ? dae_syntax_class(lang->syntax, index)->flags
                       : dae_syntax_declaration(lang->syntax, index)->flags;
  bool was = (element->flags & DAE_FLAG_PROTECTED) != 0;
  if (was != ((flags & DAE_FLAG_PROTECTED) != 0)) {
    dae_error_once(lang, pos,
                   was ? "'%s' is protected where it is inherited from: redeclare it so"
                       : "'%s' is public where it is inherited from: redeclare it so",
                   element->name);
  }
}

/* a.f, a.'+'.f with a component a. */
static bool
is_through_component(DaeLang *lang, DaeNode *scope, uint32_t name)
{
  uint32_t rest = 0;
  DaeNode *where = NULL;
  const uint32_t first = dae_name_split(lang, name, &rest);
  const DaeElement *element = rest != 0 ? dae_lookup_simple(lang, scope, first, &where) : NULL;
  return element != NULL && element->kind == DAE_ELEMENT_COMPONENT;
}

void
dae_check_called(DaeLang *lang, DaeNode *scope, DaeElement *element, uint32_t name,
                 uint32_t pos)
{
  if ((element->flags & DAE_FLAG_PROTECTED) != 0 || is_through_component(lang, scope, name)) {
    dae_lookup_class_element(lang, scope, name, pos); /* A.f, a.f: tells it */
  }
  DaeNode *node = element->replaced != NULL && !element->is_checked
                      ? dae_element_node(lang, element, NULL)
                      : NULL;
  element->is_checked = true;
  if (node != NULL) {
    dae_check_constraint(lang, element, node);
  }
}
