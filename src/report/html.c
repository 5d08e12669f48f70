/* The frame of the page: head, navigation, the order of its sections. */
#include "report/html.h"

#include "report/html-priv.h"

void
dae_html_text(DaeHtmlPage *page, const char *text)
{
  dae_html_escape(page->out, text);
}

void
dae_html_printf(DaeHtmlPage *page, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_string_append_vprintf(page->out, format, arguments);
  va_end(arguments);
}

void
dae_html_begin(DaeHtmlPage *page, const char *id, const char *title)
{
  dae_html_printf(page,
                  "<section id=\"section-%s\" aria-labelledby=\"h-%s\">\n"
                  "<h2 id=\"h-%s\">%s</h2>\n",
                  id, id, id, title);
}

void
dae_html_end(DaeHtmlPage *page)
{
  g_string_append(page->out, "</section>\n");
}

void
dae_html_line(DaeHtmlPage *page, uint32_t line)
{
  if (line > 0) {
    dae_html_printf(page, " <a href=\"#L%u\">line %u</a>", line, line);
  }
}

uint32_t
dae_html_own_line(const DaeSpan *span)
{
  return span->file == 0 ? span->line : 0;
}

void
dae_html_place(DaeHtmlPage *page, const DaeSpan *span)
{
  if (span->file == 0) {
    dae_html_line(page, span->line);
  } else if (span->line > 0) {
    g_autofree char *base = g_path_get_basename(g_quark_to_string(span->file));
    dae_html_printf(page, " line %u of ", span->line);
    dae_html_text(page, base);
  }
}

void
dae_html_order(DaeHtmlPage *page, int32_t order)
{
  if (order == 1 || order == 2) {
    dae_html_printf(page, ", differentiated %s", order == 1 ? "once" : "twice");
  } else if (order > 2) {
    dae_html_printf(page, ", differentiated %d times", order);
  }
}

void
dae_html_equation(DaeHtmlPage *page, const DaeEquation *equation, uint32_t index, int32_t order,
                  bool is_initial)
{
  g_string_append(page->out, "<span class=\"eq\">");
  dae_mathml_equation(page->report->terms, equation->lhs, equation->rhs, page->out);
  dae_html_printf(page, "</span> <span class=\"why\">%s %u",
                  is_initial ? "initial equation" : "equation", index);
  dae_html_order(page, order);
  g_string_append_c(page->out, ',');
  dae_html_place(page, &equation->span);
  g_string_append(page->out, "</span>");
}

/* ---- head -------------------------------------------------------------------------------- */

/* Before anything is drawn: the theme; and the copy that only tells
 * its stamp (--watch) stops here. */
static const char early_script[] =
    "(function(){var r=document.documentElement;"
    "if(location.hash==='#probe'&&parent!==window){"
    "parent.postMessage('daetool '+r.dataset.watch,'*');window.stop();return;}"
    "var kept=null;try{kept=sessionStorage.getItem('daetool-theme');}catch(e){kept=null;}"
    "r.dataset.theme=kept||(matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light');"
    "})();";

static void
write_head(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  g_string_append(page->out, "<!DOCTYPE html>\n<html lang=\"en\"");
  if (report->watch_stamp != NULL) {
    dae_html_printf(page, " data-watch=\"%s\"", report->watch_stamp);
  }
  g_string_append(page->out,
                  ">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"generator\" content=\"daetool ");
  dae_html_text(page, report->version);
  g_string_append(page->out, "\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
  dae_html_text(page, report->name);
  g_string_append(page->out, " – daetool</title>\n<script>");
  g_string_append(page->out, early_script);
  g_string_append(page->out, "</script>\n<style>\n");
  if (dae_page_font[0] != '\0') {
    g_string_append(page->out, "@font-face { font-family: \"Latin Modern Math\"; src: "
                               "url(data:font/woff2;base64,");
    g_string_append(page->out, dae_page_font);
    g_string_append(page->out, ") format(\"woff2\"); }\n");
  }
  g_string_append(page->out, dae_page_style);
  g_string_append(page->out, "</style>\n</head>\n");
}

/* ---- navigation -------------------------------------------------------------------------- */

static void
write_link(DaeHtmlPage *page, bool is_there, const char *id, const char *title)
{
  if (is_there) {
    dae_html_printf(page, "<li><a href=\"#section-%s\">%s</a></li>\n", id, title);
  }
}

static void
write_navigation(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  g_string_append(page->out, "<nav aria-label=\"Sections\"><ul>\n");
  write_link(page, true, "verdict", "Verdict");
  write_link(page, report->sig != NULL, "structure", "Structure");
  write_link(page, report->model != NULL, "equations", "Equations");
  write_link(page, report->qlt != NULL, "constraints", "Constraints");
  write_link(page, report->init != NULL, "initialization", "Initialization");
  write_link(page, report->run != NULL, "run", "Simulation");
  write_link(page, dae_html_has_components(report), "components", "Components");
  write_link(page, true, "source", "Source");
  g_string_append(page->out,
                  "<li><button type=\"button\" id=\"theme\" aria-pressed=\"false\" hidden>Dark"
                  "</button></li>\n</ul></nav>\n");
}

static void
write_footer(DaeHtmlPage *page)
{
  g_string_append(page->out, "<footer>\n<p>Made by daetool ");
  dae_html_text(page, page->report->version);
  g_string_append(page->out, " with the command</p>\n<pre id=\"command\">");
  dae_html_text(page, page->report->command);
  g_string_append(page->out, "</pre>\n</footer>\n");
}

bool
dae_html_is_available(void)
{
  return dae_page_script[0] != '\0';
}

void
dae_html_write(const DaeHtmlReport *report, GString *out)
{
  g_autoptr(DaePack) pack = dae_pack_new();
  DaeHtmlPage page = {report, out, pack};
  write_head(&page);
  g_string_append(
      out, "<body>\n<a class=\"skip\" href=\"#section-verdict\">Skip to the verdict</a>\n"
           "<div id=\"tip\" role=\"tooltip\" hidden></div>\n"
           "<div id=\"live\" class=\"hidden-text\" aria-live=\"polite\"></div>\n"
           "<header><h1>");
  dae_html_text(&page, report->name);
  g_string_append(out, "</h1>\n");
  const char *description = report->model != NULL ? dae_model_description(report->model) : NULL;
  if (description != NULL) {
    g_string_append(out, "<p class=\"about\">");
    dae_html_text(&page, description);
    g_string_append(out, "</p>\n");
  }
  g_string_append(out, "</header>\n");
  write_navigation(&page);
  g_string_append(out, "<main>\n<noscript><p>The matrix, the curves and the source need "
                       "JavaScript; everything else is here without it.</p></noscript>\n");
  dae_html_verdict(&page);
  dae_html_structure(&page);
  dae_html_equations(&page);
  dae_html_constraints(&page);
  dae_html_initialization(&page);
  dae_html_run(&page);
  dae_html_components(&page);
  dae_html_source(&page);
  g_string_append(out, "</main>\n");
  write_footer(&page);
  dae_pack_write(pack, out);
  g_string_append(out, "<script type=\"module\">\n");
  g_string_append(out, dae_page_script);
  g_string_append(out, "</script>\n</body>\n</html>\n");
}
