/* The source of the model, as data: the page draws what is seen of it. */
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
