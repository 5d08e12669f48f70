/* The tree of components: dotted names tell it, the front end knows the classes. */
#include <string.h>

#include "report/html-priv.h"

enum {
  MOST_LEAVES = 5000,
  MOST_LEVELS = 40 /* what is deeper keeps the rest of its name: names are the user's */
};

typedef struct Node Node;

struct Node {
  char *name;
  const DaeModelInstance *instance; /* NULL: a connector, a record, or a name with dots only */
  const DaeVariable *variable;      /* a leaf: one of the two */
  const DaeParameter *parameter;
  GPtrArray *children; /* Node, in order */
  GHashTable *by_name; /* of them */
};

static void
node_free(gpointer data)
{
  Node *node = data;
  g_free(node->name);
  g_ptr_array_free(node->children, TRUE);
  g_hash_table_destroy(node->by_name);
  g_free(node);
}

static Node *
node_new(const char *name, gsize length)
{
  Node *node = g_new0(Node, 1);
  node->name = g_strndup(name, length);
  node->children = g_ptr_array_new_with_free_func(node_free);
  node->by_name = g_hash_table_new(g_str_hash, g_str_equal);
  return node;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Dots outside quotes and brackets divide a name. */
static const char *
next_dot(const char *p)
{
  bool is_quoted = false;
  guint depth = 0;
  for (; *p != '\0'; p++) {
    if (*p == '\\' && is_quoted && p[1] != '\0') {
      p++;
    } else if (*p == '\'') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && *p == '[') {
      depth++;
    } else if (!is_quoted && *p == ']' && depth > 0) {
      depth--;
    } else if (!is_quoted && depth == 0 && *p == '.') {
      return p;
    }
  }
  return NULL;
}

static const char *
variable_name(const DaeHtmlReport *report, uint32_t j)
{
  return dae_terms_symbol_name(report->terms, dae_model_variable(report->model, j)->symbol);
}

bool
dae_html_has_components(const DaeHtmlReport *report)
{
  for (uint32_t j = 0; report->model != NULL && j < dae_model_n_variables(report->model); j++) {
    if (next_dot(variable_name(report, j)) != NULL) {
      return true;
    }
  }
  return false;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static Node *
child_of(Node *parent, const char *name, gsize length)
{
  g_autofree char *key = g_strndup(name, length);
  Node *node = g_hash_table_lookup(parent->by_name, key);
  if (node == NULL) {
    node = node_new(name, length);
    g_ptr_array_add(parent->children, node);
    g_hash_table_insert(parent->by_name, node->name, node);
  }
  return node;
}

static Node *
node_at(Node *root, const char *name)
{
  Node *node = root;
  int level = 0;
  for (const char *dot = next_dot(name); dot != NULL && level < MOST_LEVELS;
       dot = next_dot(name)) {
    node = child_of(node, name, (gsize)(dot - name));
    name = dot + 1;
    level++;
  }
  return child_of(node, name, strlen(name));
}

/* Components first, so that they stand in the order of their declarations. */
static Node *
make_tree(const DaeHtmlReport *report, uint32_t *n_left_out)
{
  const DaeModel *model = report->model;
  Node *root = node_new("", 0);
  uint32_t n_leaves = 0;
  *n_left_out = 0;
  for (uint32_t k = 1; k < dae_model_n_instances(model) && k < MOST_LEAVES; k++) {
    const DaeModelInstance *instance = dae_model_instance(model, k);
    node_at(root, instance->name)->instance = instance;
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    const DaeParameter *parameter = dae_model_parameter(model, k);
    if (parameter->is_constant || parameter->is_protected) {
      continue;
    }
    if (n_leaves++ < MOST_LEAVES) {
      node_at(root, dae_terms_symbol_name(report->terms, parameter->symbol))->parameter =
          parameter;
    } else {
      ++*n_left_out;
    }
  }
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    if (n_leaves++ < MOST_LEAVES) {
      node_at(root, variable_name(report, j))->variable = dae_model_variable(model, j);
    } else {
      ++*n_left_out;
    }
  }
  return root;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void
write_about(DaeHtmlPage *page, const char *unit, const char *description, const DaeSpan *span)
{
  if (unit != NULL && unit[0] != '\0') {
    g_string_append(page->out, " [");
    dae_html_text(page, unit);
    g_string_append_c(page->out, ']');
  }
  g_string_append(page->out, " <span class=\"why\">");
  if (description != NULL) {
    dae_html_text(page, description);
  }
  dae_html_place(page, span);
  g_string_append(page->out, "</span>");
}

static void
write_leaf(DaeHtmlPage *page, const Node *node)
{
  g_string_append(page->out, "<li><code>");
  dae_html_text(page, node->name);
  g_string_append(page->out, "</code>");
  if (node->variable != NULL) {
    const DaeVariable *variable = node->variable;
    write_about(page, variable->unit, variable->description, &variable->span);
  } else if (node->parameter != NULL) {
    const DaeParameter *parameter = node->parameter;
    g_string_append(page->out, " = ");
    if (parameter->value != DAE_NO_TERM) {
      dae_mathml_term(page->report->terms, parameter->value, page->out);
    } else if (parameter->string_value != NULL) {
      dae_html_text(page, parameter->string_value);
    } else {
      g_string_append_c(page->out, '?');
    }
    write_about(page, parameter->unit, parameter->description, &parameter->span);
  }
  g_string_append(page->out, "</li>\n");
}

static void
open_component(DaeHtmlPage *page, const Node *node, guint level)
{
  dae_html_printf(page, "<li><details%s><summary>", level == 0 ? " open" : "");
  dae_html_text(page, node->name);
  if (node->instance != NULL) {
    g_string_append(page->out, " <span class=\"why\">");
    dae_html_text(page, node->instance->class_name);
    g_string_append_c(page->out, ',');
    dae_html_place(page, &node->instance->span);
    g_string_append(page->out, "</span>");
  }
  g_string_append(page->out, "</summary><ul>\n");
}

/* At most MOST_LEVELS + 1 deep. */
static void
write_children(DaeHtmlPage *page, const Node *node, guint level)
{
  for (guint i = 0; i < node->children->len; i++) {
    const Node *child = g_ptr_array_index(node->children, i);
    if (child->children->len == 0) {
      write_leaf(page, child);
    } else {
      open_component(page, child, level);
      write_children(page, child, level + 1);
      g_string_append(page->out, "</ul></details></li>\n");
    }
  }
}

void
dae_html_components(DaeHtmlPage *page)
{
  if (!dae_html_has_components(page->report)) {
    return;
  }
  uint32_t n_left_out = 0;
  Node *root = make_tree(page->report, &n_left_out);
  dae_html_begin(page, "components", "Components");
  g_string_append(page->out, "<p class=\"hint\">Each component with its class, parameters and "
                             "variables; where modifiers come from: <code>daetool tree</code>."
                             "</p>\n<div class=\"tree\"><ul>\n");
  write_children(page, root, 0);
  g_string_append(page->out, "</ul></div>\n");
  if (n_left_out > 0) {
    dae_html_printf(page, "<p>%u more parameters and variables are left out.</p>\n",
                    n_left_out);
  }
  dae_html_end(page);
  node_free(root);
}
