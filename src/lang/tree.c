/* `daetool tree`: the instance tree as text, with the type of each component
 * and the place of each modifier. */
#include <string.h>

#include "lang/connect.h"
#include "lang/tree.h"

static bool
ends_in_operator(const GString *out)
{
  gsize n = out->len;
  while (n > 0 && out->str[n - 1] == ' ') {
    n--;
  }
  return n > 0 && strchr("+({[,=<>", out->str[n - 1]) != NULL;
}

/* An expression as it stands in the text, from its first byte to the comma,
 * bracket or semicolon behind it. */
void
dae_tree_append_source(GString *out, const DaeSource *source, uint32_t pos)
{
  enum { MOST = 60 };

  const DaeSourceFile *file = dae_source_file_of(source, pos);
  uint32_t depth = 0;
  bool is_quoted = false;
  gsize from = out->len;
  for (size_t at = pos - file->base; at < file->length && out->len - from < MOST; at++) {
    char c = file->text[at];
    bool opens = c == '(' || c == '[' || c == '{';
    bool closes = c == ')' || c == ']' || c == '}';
    bool is_blank = g_ascii_isspace(c);
    if (depth == 0 && (closes || c == ',' || c == ';')) {
      break;
    }
    if (c == '"') {
      if (depth == 0 && !is_quoted && out->len > from && !ends_in_operator(out)) {
        break; /* a description */
      }
      is_quoted = !is_quoted;
    }
    if (is_quoted) {
      g_string_append_c(out, c == '\n' ? ' ' : c);
      continue;
    }
    depth += opens ? 1 : 0;
    depth -= closes ? 1 : 0;
    if (!is_blank) {
      g_string_append_c(out, c);
    } else if (out->len > from && out->str[out->len - 1] != ' ') {
      g_string_append_c(out, ' ');
    }
  }
  while (out->len > from && out->str[out->len - 1] == ' ') {
    g_string_truncate(out, out->len - 1);
  }
  if (out->len - from >= MOST) {
    g_string_append(out, " ...");
  }
}

static void
append_place(GString *out, DaeLang *lang, uint32_t pos)
{
  const DaeSourceFile *file = dae_source_file_of(lang->source, pos);
  g_autofree char *name = g_path_get_basename(file->file);
  g_string_append_printf(out, "   (%s:%u)", name, dae_source_span(lang->source, pos).line);
}

static void
append_indent(GString *out, uint32_t depth)
{
  for (uint32_t i = 0; i < depth; i++) {
    g_string_append(out, "  ");
  }
}

static void
append_value(GString *out, DaeLang *lang, const char *path, const DaeClosure *value)
{
  uint32_t begin = dae_syntax_begin_of(lang->syntax, value->code);
  g_string_append_printf(out, "%s%s= ", path, *path != '\0' ? " " : "");
  dae_tree_append_source(out, lang->source, begin);
  for (const DaeSubscript *at = value->subscripts; at != NULL; at = at->outer) {
    g_string_append_printf(out, " [%u]", at->index);
  }
  append_place(out, lang, begin);
  g_string_append_c(out, '\n');
}

static void
append_modifiers(GString *out, DaeLang *lang, const DaeMod *list, const char *prefix,
                 uint32_t depth, uint32_t nesting)
{
  for (const DaeMod *mod = list; mod != NULL && nesting < DAE_MAX_NESTING; mod = mod->next) {
    g_autofree char *path = g_strconcat(prefix, *prefix != '\0' ? "." : "",
                                        dae_names_text(lang->names, mod->name), NULL);
    if (mod->redeclared != 0) {
      append_indent(out, depth);
      g_string_append_printf(out, "redeclare %s", path);
      append_place(out, lang, mod->pos);
      g_string_append_c(out, '\n');
    }
    if (mod->value.code != 0) {
      append_indent(out, depth);
      append_value(out, lang, path, &mod->value);
    }
    append_modifiers(out, lang, mod->inner, path, depth, nesting + 1);
  }
}

const char *
dae_tree_type(DaeLang *lang, const DaeComponent *component)
{
  static const char *const builtin[] = {"",       "Real",        "Integer", "Boolean",
                                        "String", "enumeration", "Clock",   "ExternalObject"};
  const DaeElement *origin = component->type->origin;
  if (origin == NULL || origin->index == 0) {
    return builtin[component->type->builtin];
  }
  uint32_t outer = origin->owner != NULL ? origin->owner->name : 0;
  return dae_names_text(lang->names,
                        outer != 0 ? dae_name_join(lang, outer, origin->name) : origin->name);
}

static void
append_component(GString *out, DaeLang *lang, const DaeElement *element, uint32_t depth)
{
  const DaeComponent *component = element->component;
  append_indent(out, depth);
  g_string_append(out, dae_names_text(lang->names, element->name));
  for (uint32_t d = 0; d < component->n_dims; d++) {
    g_string_append_printf(out, "%s%u", d == 0 ? "[" : ", ", component->dims[d]);
  }
  g_string_append(out, component->n_dims > 0 ? "] : " : " : ");
  if (component->is_absent) {
    g_string_append(out, "not there, its condition is false");
  } else {
    g_string_append(out, dae_tree_type(lang, component));
    if (component->is_outer) {
      g_string_append_printf(out, ", outer: it is %s",
                             dae_names_text(lang->names, component->flat_name));
    }
  }
  append_place(out, lang, dae_syntax_declaration(lang->syntax, element->index)->pos);
  g_string_append_c(out, '\n');
  if (component->is_absent || component->is_outer) {
    return;
  }
  if (component->binding.code != 0) {
    append_indent(out, depth + 1);
    append_value(out, lang, "", &component->binding);
  }
  append_modifiers(out, lang, component->mod, "", depth + 1, 0);
}

bool
dae_tree_has(const DaeElement *element)
{
  return element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed &&
         element->component != NULL;
}

bool
dae_tree_goes_into(const DaeComponent *component)
{
  return !component->is_leaf && !component->is_absent && !component->is_outer &&
         component->count > 0;
}

static void
append_node(GString *out, DaeLang *lang, const DaeNode *node, uint32_t depth)
{
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    const DaeElement *element = node->elements->pdata[i];
    if (!dae_tree_has(element)) {
      continue;
    }
    append_component(out, lang, element, depth);
    if (dae_tree_goes_into(element->component)) { /* of arrays the first element */
      append_node(out, lang, element->component->nodes[0], depth + 1);
    }
  }
}

void
dae_flat_print_tree(DaeFlat *flat, GString *out)
{
  DaeLang *lang = dae_flat_lang(flat);
  g_string_append_printf(out, "%s\n",
                         dae_names_text(lang->names, dae_syntax_class(&lang->flat, 1)->name));
  append_node(out, lang, lang->model->type, 1);
}
