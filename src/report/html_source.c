/* The source, and the tree of components that dotted names tell. */
#include <string.h>

#include "report/html-priv.h"

/* ---- source ------------------------------------------------------------------------------ */

void
dae_html_source(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  g_autofree char *text = g_strndup(report->source, report->source_length);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  size_t n = g_strv_length(lines);
  n -= n > 0 && lines[n - 1][0] == '\0'; /* the end of the last line is no line */
  dae_pack_lines(page->pack, "source", (const char *const *)lines, n);
  dae_html_begin(page, "source", "Source");
  g_string_append(page->out, "<p class=\"hint\">Numbers beside the lines are those of the "
                             "equations that begin there.</p>\n"
                             "<div id=\"source\" tabindex=\"0\" role=\"region\" "
                             "aria-label=\"Source of the model\"></div>\n");
  dae_html_end(page);
}

/* ---- components -------------------------------------------------------------------------- */

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

bool
dae_html_has_components(const DaeHtmlReport *report)
{
  if (report->model == NULL) {
    return false;
  }
  for (uint32_t j = 0; j < dae_model_n_variables(report->model); j++) {
    DaeSymbol symbol = dae_model_variable(report->model, j)->symbol;
    if (next_dot(dae_terms_symbol_name(report->terms, symbol)) != NULL) {
      return true;
    }
  }
  return false;
}

/* How many of the leading parts of two names are the same; only whole components count. */
static guint
common_parts(const char *a, const char *b)
{
  guint n = 0;
  for (;;) {
    const char *end_a = next_dot(a);
    const char *end_b = next_dot(b);
    if (end_a == NULL || end_b == NULL || end_a - a != end_b - b ||
        strncmp(a, b, (size_t)(end_a - a)) != 0) {
      return n;
    }
    a = end_a + 1;
    b = end_b + 1;
    n++;
  }
}

static void
write_leaf(DaeHtmlPage *page, const DaeVariable *variable, const char *last)
{
  g_string_append(page->out, "<li><code>");
  dae_html_text(page, last);
  g_string_append(page->out, "</code>");
  if (variable->unit != NULL) {
    g_string_append(page->out, " [");
    dae_html_text(page, variable->unit);
    g_string_append_c(page->out, ']');
  }
  if (variable->description != NULL) {
    g_string_append(page->out, " <span class=\"why\">");
    dae_html_text(page, variable->description);
    g_string_append(page->out, "</span>");
  }
  dae_html_place(page, &variable->span);
  g_string_append(page->out, "</li>\n");
}

/* Opens a component at a time, closes what the next name is no longer in. */
static void
write_tree(DaeHtmlPage *page, uint32_t n)
{
  const DaeHtmlReport *report = page->report;
  const char *before = "";
  guint depth = 0;
  for (uint32_t j = 0; j < n; j++) {
    const DaeVariable *variable = dae_model_variable(report->model, j);
    const char *name = dae_terms_symbol_name(report->terms, variable->symbol);
    guint common = common_parts(before, name);
    for (; depth > common; depth--) {
      g_string_append(page->out, "</ul></details></li>\n");
    }
    const char *part = name;
    guint at = 0;
    for (const char *dot = next_dot(part); dot != NULL; dot = next_dot(part)) {
      if (at++ >= common) {
        g_autofree char *word = g_strndup(part, (gsize)(dot - part));
        dae_html_printf(page, "<li><details%s><summary>", depth < 1 ? " open" : "");
        dae_html_text(page, word);
        g_string_append(page->out, "</summary><ul>\n");
        depth++;
      }
      part = dot + 1;
    }
    write_leaf(page, variable, part);
    before = name;
  }
  for (; depth > 0; depth--) {
    g_string_append(page->out, "</ul></details></li>\n");
  }
}

void
dae_html_components(DaeHtmlPage *page)
{
  enum { MOST = 5000 };

  if (!dae_html_has_components(page->report)) {
    return;
  }
  uint32_t n = dae_model_n_variables(page->report->model);
  dae_html_begin(page, "components", "Components");
  g_string_append(page->out, "<div class=\"tree\"><ul>\n");
  write_tree(page, MIN(n, MOST));
  g_string_append(page->out, "</ul></div>\n");
  if (n > MOST) {
    dae_html_printf(page, "<p>The first %d of %u variables.</p>\n", MOST, n);
  }
  dae_html_end(page);
}
