/* `daetool tree --format json`: the instance tree as objects inside of one another. */
#include "base/json.h"
#include "lang/connect.h"
#include "lang/tree.h"

static void
write_place(DaeJson *json, DaeLang *lang, uint32_t pos)
{
  const DaeSourceFile *file = dae_source_file_of(lang->source, pos);
  dae_json_key(json, "file");
  dae_json_string(json, file->file);
  dae_json_key(json, "line");
  dae_json_int(json, dae_source_span(lang->source, pos).line);
}

/* The value as written, which elements of it the component has, and its place. */
static void
write_value(DaeJson *json, DaeLang *lang, const DaeClosure *value)
{
  uint32_t begin = dae_syntax_begin_of(lang->syntax, value->code);
  g_autoptr(GString) text = g_string_new(NULL);
  dae_tree_append_source(text, lang->source, begin);
  dae_json_key(json, "text");
  dae_json_string(json, text->str);
  if (value->subscripts != NULL) {
    dae_json_key(json, "part"); /* the subscripts and members, the last one first */
    dae_json_begin_array(json, true);
    for (const DaeSubscript *at = value->subscripts; at != NULL; at = at->outer) {
      if (at->index != 0) {
        dae_json_int(json, at->index);
      } else {
        dae_json_string(json, dae_names_text(lang->names, at->member));
      }
    }
    dae_json_end_array(json);
  }
  write_place(json, lang, begin);
}

static void
write_modifier(DaeJson *json, DaeLang *lang, const DaeMod *mod, const char *path)
{
  dae_json_begin_object(json, true);
  dae_json_key(json, "name");
  dae_json_string(json, path);
  if (mod->redeclared != 0) {
    dae_json_key(json, "redeclare");
    dae_json_bool(json, true);
  }
  if (mod->value.code != 0) {
    write_value(json, lang, &mod->value);
  } else {
    write_place(json, lang, mod->pos);
  }
  dae_json_end_object(json);
}

static void
write_modifiers(DaeJson *json, DaeLang *lang, const DaeMod *list, const char *prefix,
                uint32_t nesting)
{
  for (const DaeMod *mod = list; mod != NULL && nesting < DAE_MAX_NESTING; mod = mod->next) {
    g_autofree char *path = g_strconcat(prefix, *prefix != '\0' ? "." : "",
                                        dae_names_text(lang->names, mod->name), NULL);
    if (mod->redeclared != 0 || mod->value.code != 0) {
      write_modifier(json, lang, mod, path);
    }
    write_modifiers(json, lang, mod->inner, path, nesting + 1);
  }
}

static void
write_said(DaeJson *json, DaeLang *lang, const DaeComponent *component)
{
  if (component->binding.code != 0) {
    dae_json_key(json, "value");
    dae_json_begin_object(json, true);
    write_value(json, lang, &component->binding);
    dae_json_end_object(json);
  }
  dae_json_key(json, "modifiers");
  dae_json_begin_array(json, false);
  write_modifiers(json, lang, component->mod, "", 0);
  dae_json_end_array(json);
}

static void write_components(DaeJson *json, DaeLang *lang, const DaeNode *node, uint32_t depth);

static void
write_component(DaeJson *json, DaeLang *lang, const DaeElement *element, uint32_t depth)
{
  const DaeComponent *component = element->component;
  dae_json_begin_object(json, false);
  dae_json_key(json, "name");
  dae_json_string(json, dae_names_text(lang->names, element->name));
  dae_json_key(json, "type"); /* null: its condition is false */
  dae_json_string(json, component->is_absent ? NULL : dae_tree_type(lang, component));
  dae_json_key(json, "dimensions");
  dae_json_begin_array(json, true);
  for (uint32_t d = 0; d < component->n_dims; d++) {
    dae_json_int(json, component->dims[d]);
  }
  dae_json_end_array(json);
  write_place(json, lang, dae_syntax_declaration(lang->syntax, element->index)->pos);
  if (component->is_outer) {
    dae_json_key(json, "inner");
    dae_json_string(json, dae_names_text(lang->names, component->flat_name));
  } else if (!component->is_absent) {
    write_said(json, lang, component);
  }
  if (dae_tree_goes_into(component)) {
    write_components(json, lang, component->nodes[0], depth + 1);
  }
  dae_json_end_object(json);
}

static void
write_components(DaeJson *json, DaeLang *lang, const DaeNode *node, uint32_t depth)
{
  dae_json_key(json, "components");
  dae_json_begin_array(json, false);
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    if (dae_tree_has(node->elements->pdata[i])) {
      write_component(json, lang, node->elements->pdata[i], depth);
    }
  }
  dae_json_end_array(json);
}

void
dae_flat_write_tree(DaeFlat *flat, GString *out)
{
  DaeLang *lang = dae_flat_lang(flat);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, dae_names_text(lang->names, dae_syntax_class(&lang->flat, 1)->name));
  write_components(json, lang, lang->model->type, 1);
  dae_json_end_object(json);
}
