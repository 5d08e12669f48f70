/* Functions, record constructors and enumerations that the flat model
 * uses, under their full names. */
#include <string.h>

#include "lang/instance.h"

/* ---- what a name in code stands for ------------------------------------------------------ */

static uint32_t
use_enumeration(DaeLang *lang, DaeNode *node)
{
  uint32_t name = node->name;
  const char *text = dae_names_text(lang->names, name);
  if (node->flat == 0 && strcmp(text, "StateSelect") != 0 &&
      strcmp(text, "AssertionLevel") != 0) {
    const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
    const DaeTypeDefinition *source = dae_syntax_type(lang->syntax, class->definition);
    DaeTypeDefinition type = {.name = name, .pos = source->pos, .owner = 0};
    type.first_literal = lang->flat.literals->len;
    type.n_literals = source->n_literals;
    if (source->n_literals > 0) {
      g_array_append_vals(
          lang->flat.literals,
          &g_array_index(lang->syntax->literals, uint32_t, source->first_literal),
          source->n_literals);
    }
    g_array_append_val(lang->flat.types, type);
  }
  node->flat = 1;
  return name;
}

static bool
is_external_object(const DaeNode *node)
{
  return node->builtin == DAE_BUILTIN_EXTERNAL;
}

static DaeNode *
constructor_of(DaeLang *lang, DaeNode *node)
{
  DaeElement *element = dae_node_element(lang, node, dae_name_intern(lang, "constructor"));
  return element != NULL && element->kind == DAE_ELEMENT_CLASS
             ? dae_element_node(lang, element, NULL)
             : NULL;
}

/* All functions in an operator record and in its `operator` packages [MLS, chapter 14]. */
static void
use_functions(DaeLang *lang, DaeNode *node, uint32_t depth)
{
  for (guint i = 0; i < node->elements->len && depth < 3; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind != DAE_ELEMENT_CLASS || element->index == 0) {
      continue;
    }
    DaeClassKind kind = dae_syntax_class(lang->syntax, element->index)->kind;
    bool is_operator =
        kind == DAE_CLASS_OPERATOR ||
        (dae_syntax_class(lang->syntax, element->index)->flags & DAE_FLAG_OPERATOR) != 0;
    DaeNode *inner = is_operator || depth > 0 ? dae_element_node(lang, element, NULL) : NULL;
    if (inner != NULL && kind == DAE_CLASS_FUNCTION) {
      dae_use_class(lang, inner);
    } else if (inner != NULL) {
      use_functions(lang, inner, depth + 1);
    }
  }
}

void
dae_use_operators(DaeLang *lang, DaeNode *node)
{
  if ((dae_syntax_class(lang->syntax, node->class)->flags & DAE_FLAG_OPERATOR) != 0 &&
      dae_node_expand(lang, node)) {
    use_functions(lang, node, 0);
  }
}

static uint32_t
use_record(DaeLang *lang, DaeNode *node)
{
  if (node->component == NULL && node->flat == 0) {
    node->flat = 1;
    dae_use_operators(lang, node);
  }
  DaeComponent component = {.type = node, .mod = node->mod};
  return dae_use_record(lang, &component);
}

uint32_t
dae_use_class(DaeLang *lang, DaeNode *node)
{
  dae_node_expand(lang, node);
  if (node->builtin == DAE_BUILTIN_ENUMERATION) {
    return use_enumeration(lang, node->enumeration);
  }
  if (is_external_object(node)) {
    DaeNode *constructor = constructor_of(lang, node);
    return constructor != NULL ? dae_use_class(lang, constructor) : node->name;
  }
  if (dae_node_is_kind(lang, node, DAE_CLASS_RECORD)) {
    return use_record(lang, node);
  }
  if (dae_node_is_kind(lang, node, DAE_CLASS_FUNCTION) && node->flat == 0) {
    node->flat = 1;
    g_ptr_array_add(lang->classes, node);
  }
  return node->name;
}

/* ---- writing a function ------------------------------------------------------------------ */

/* min and max of an argument: --check-annotations stays inside. That a variable has a unit. */
static void
write_attributes(DaeLang *lang, const DaeElement *element, const DaeDeclaration *source,
                 const DaeNode *type, DaeDeclaration *declaration)
{
  const DaeMod *own = dae_mod_list(lang, source->first_mod, source->n_mods, element->home);
  bool is_input = (element->flags & DAE_FLAG_INPUT) != 0;
  declaration->first_mod = lang->flat.modifications->len;
  for (const DaeMod *mod = dae_mod_merge(lang, own, type->attributes); mod != NULL;
       mod = mod->next) {
    const char *name = dae_names_text(lang->names, mod->name);
    bool is_unit = strcmp(name, "unit") == 0;
    declaration->flags |= is_unit ? (uint32_t)DAE_FLAG_HAS_UNIT : 0;
    if (is_input && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) &&
        mod->value.code != 0) {
      DaeModification entry = {.name = mod->name, .pos = mod->pos};
      entry.code = dae_translate_closure(lang, &mod->value);
      g_array_append_val(lang->flat.modifications, entry);
    }
  }
  declaration->n_mods = lang->flat.modifications->len - declaration->first_mod;
}

/* x[m], T[n] x and what the type itself has: Pair[n] x with type Pair = Real[2]. */
static void
write_local_dimensions(DaeLang *lang, const DaeElement *element, const DaeDeclaration *source,
                       const DaeNode *type, DaeDeclaration *declaration)
{
  const DaeDims *own =
      type->dims != NULL && type->dims->len > 0 ? &g_array_index(type->dims, DaeDims, 0) : NULL;
  uint32_t code = source->dims_code;
  uint32_t n = source->n_dims;
  uint32_t type_code = source->type_dims_code;
  uint32_t n_type = source->n_type_dims;
  if (own != NULL && n == 0) {
    code = type_code;
    n = n_type;
    n_type = 0;
  }
  if (n > 0) {
    declaration->dims_code = dae_translate(lang, element->home, code);
    declaration->n_dims = n & 0xffffu;
  }
  if (n_type > 0) {
    declaration->type_dims_code = dae_translate(lang, element->home, type_code);
    declaration->n_type_dims = n_type & 0xffffu;
  } else if (own != NULL) {
    declaration->type_dims_code = dae_translate(lang, own->scope, own->code);
    declaration->n_type_dims = own->n & 0xffffu;
  }
}

/* function g = f(x = x): the value is that of the model, not the argument of that name. Such
 * names have a dot before them in the flat model. */
static void
shield_names(DaeLang *lang, const DaeNode *function, uint32_t code)
{
  for (; dae_syntax_code(&lang->flat, code)->op != DAE_OP_RETURN; code++) {
    DaeInstruction *instruction = dae_syntax_code(&lang->flat, code);
    if (instruction->op != DAE_OP_NAME && instruction->op != DAE_OP_ELEMENT) {
      continue;
    }
    uint32_t rest = 0;
    uint32_t n = 0;
    uint32_t subscripts[8];
    uint32_t first =
        dae_name_bare(lang, dae_name_split(lang, instruction->arg, &rest), subscripts, &n);
    const DaeElement *element = g_hash_table_lookup(function->table, GUINT_TO_POINTER(first));
    if (element != NULL && element->kind == DAE_ELEMENT_COMPONENT) {
      uint32_t name =
          dae_name_format(lang, ".%s", dae_names_text(lang->names, instruction->arg));
      dae_syntax_code(&lang->flat, code)->arg = name;
    }
  }
}

static void
write_local(DaeLang *lang, const DaeNode *function, uint32_t owner, DaeElement *element)
{
  const DaeDeclaration source = *dae_syntax_declaration(lang->syntax, element->index);
  DaeDeclaration declaration = {.name = element->name, .pos = source.pos, .owner = owner};
  declaration.type_pos = source.type_pos;
  declaration.description = source.description;
  declaration.flags = element->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER |
                                        DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_PROTECTED);
  const DaeMod *outer = element->mod;
  DaeElement *type =
      dae_lookup_class_element(lang, element->home, source.type, source.type_pos);
  if (type == NULL) {
    return;
  }
  DaeNode *node = dae_element_node(lang, type, NULL);
  if (node == NULL) {
    return;
  }
  DaeComponent component = {.type = node, .element = element};
  declaration.type = node->builtin == DAE_BUILTIN_NONE ? dae_use_class(lang, node)
                                                       : dae_type_name(lang, &component);
  write_local_dimensions(lang, element, &source, node, &declaration);
  if (node->builtin == DAE_BUILTIN_NONE) { /* output Complex result(re = re, im = im) */
    const DaeMod *own = dae_mod_list(lang, source.first_mod, source.n_mods, element->home);
    uint32_t n = 0;
    dae_write_modifiers(lang, dae_mod_merge(lang, outer != NULL ? outer->inner : NULL, own),
                        &declaration.first_mod, &n);
    declaration.n_mods = n;
  } else if (node->builtin == DAE_BUILTIN_REAL) {
    write_attributes(lang, element, &source, node, &declaration);
  }
  DaeClosure binding = {source.binding, source.pos, element->home, NULL, NULL};
  if (outer != NULL && outer->value.code != 0) {
    binding = outer->value;
  }
  if (binding.code != 0) {
    declaration.binding = dae_translate_closure(lang, &binding);
    if (binding.scope != NULL && binding.scope->whole->component != NULL) {
      shield_names(lang, function, declaration.binding);
    }
  }
  g_array_append_val(lang->flat.declarations, declaration);
}

/* A function has one body; one that a base class has is its own [MLS, section 12.2]. */
static void
check_one_body(DaeLang *lang, uint32_t owner, uint32_t pos)
{
  const GArray *sections = lang->flat.sections;
  bool has_body = dae_syntax_class(&lang->flat, owner)->external != 0;
  for (guint i = sections->len; i > 0 && !has_body; i--) {
    const DaeSection *section = &g_array_index(sections, DaeSection, i - 1);
    if (section->owner != owner) {
      break;
    }
    has_body = section->is_algorithm;
  }
  if (has_body) {
    dae_source_error(lang->source, pos, "'%s' has more than one body, one of them inherited",
                     dae_names_text(lang->names, dae_syntax_class(&lang->flat, owner)->name));
  }
}

static void
write_sections(DaeLang *lang, DaeNode *node, uint32_t owner, uint32_t depth)
{
  for (guint i = 0; i < node->bases->len && depth < DAE_MAX_NESTING; i++) {
    write_sections(lang, node->bases->pdata[i], owner, depth + 1);
  }
  if (node->class == 0) {
    return;
  }
  for (uint32_t i = dae_library_first(lang->library, node->class, DAE_LIST_SECTIONS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_SECTIONS)) {
    DaeSection section = g_array_index(lang->syntax->sections, DaeSection, i - 1);
    section.owner = owner;
    section.code = dae_translate(lang, node, section.code);
    if (section.is_algorithm) { /* a section of equations is empty */
      check_one_body(lang, owner, section.pos);
    }
    g_array_append_val(lang->flat.sections, section);
  }
  uint32_t external = dae_syntax_class(lang->syntax, node->class)->external;
  if (external != 0) {
    DaeExternal entry = g_array_index(lang->syntax->externals, DaeExternal, external);
    if (entry.code != 0) {
      entry.code = dae_translate(lang, node, entry.code);
    }
    check_one_body(lang, owner, entry.pos);
    dae_syntax_class(&lang->flat, owner)->external = lang->flat.externals->len;
    g_array_append_val(lang->flat.externals, entry);
  }
}

/* derivative = f and the like: functions named there are needed too. */
static void
write_annotations(DaeLang *lang, DaeNode *node, uint32_t owner)
{
  const DaeClass class = *dae_syntax_class(lang->syntax, node->class);
  uint32_t first = lang->flat.modifications->len;
  for (uint32_t i = 0; i < class.n_annotations; i++) {
    DaeModification entry = *dae_syntax_modifier(lang->syntax, class.first_annotation + i);
    if (entry.code != 0) {
      entry.code = dae_translate(lang, node, entry.code);
    }
    g_array_append_val(lang->flat.modifications, entry);
  }
  dae_syntax_class(&lang->flat, owner)->first_annotation = first;
  dae_syntax_class(&lang->flat, owner)->n_annotations = class.n_annotations;
}

/* function g = der(f, x) */
static void
write_derivative(DaeLang *lang, DaeNode *node, const DaeClass *class, uint32_t owner)
{
  if (class->derivative == 0) {
    return;
  }
  DaeElement *element = dae_lookup_class_element(lang, node, class->derivative, class->pos);
  DaeNode *of = element != NULL ? dae_element_node(lang, element, NULL) : NULL;
  if (of == NULL) {
    return;
  }
  uint32_t name = dae_use_class(lang, of);
  DaeClass *flat = dae_syntax_class(&lang->flat, owner);
  flat->derivative = name;
  flat->first_derivative = lang->flat.literals->len;
  flat->n_derivatives = class->n_derivatives;
  for (uint32_t i = 0; i < class->n_derivatives; i++) {
    uint32_t input =
        g_array_index(lang->syntax->literals, uint32_t, class->first_derivative + i);
    g_array_append_val(lang->flat.literals, input);
  }
}

void
dae_write_function(DaeLang *lang, DaeNode *node)
{
  if (!dae_node_expand(lang, node)) {
    return;
  }
  const DaeClass class = *dae_syntax_class(lang->syntax, node->class);
  DaeClass flat = {.name = node->name, .pos = class.pos, .kind = DAE_CLASS_FUNCTION};
  flat.flags =
      class.flags & (DAE_FLAG_PURE | DAE_FLAG_IMPURE | DAE_FLAG_OPERATOR | DAE_FLAG_PARTIAL);
  flat.description = class.description;
  uint32_t owner = lang->flat.classes->len;
  g_array_append_val(lang->flat.classes, flat);
  for (guint i = 0; i < node->elements->len; i++) {
    DaeElement *element = node->elements->pdata[i];
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      write_local(lang, node, owner, element);
    }
  }
  write_sections(lang, node, owner, 0);
  write_annotations(lang, node, owner);
  write_derivative(lang, node, &class, owner);
}
