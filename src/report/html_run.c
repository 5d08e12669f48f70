/* The solution and the work of the integrator: curves as data, figures as a table. */
#include <math.h>
#include <string.h>

#include "report/html-priv.h"

/* Single precision of the difference from a middle value: fine enough
 * for any zoom, half the size. */
static void
pack_curves(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  size_t n = run->n_points;
  g_autofree float *values = g_new(float, n * run->n_curves + 1);
  g_autofree double *base = g_new0(double, run->n_curves + 1);
  g_autofree double *size = g_new0(double, run->n_curves + 1);
  for (uint32_t k = 0; k < run->n_curves; k++) {
    const double *curve = run->values + (size_t)k * n;
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
      low = fmin(low, curve[i]);
      high = fmax(high, curve[i]);
    }
    base[k] = isfinite(low) && isfinite(high) ? 0.5 * low + 0.5 * high : 0;
    size[k] = fmin(fmax(fabs(low), fabs(high)), 1e300);
    for (size_t i = 0; i < n; i++) {
      values[(size_t)k * n + i] = (float)(curve[i] - base[k]);
    }
  }
  dae_pack_f64(page->pack, "run_time", run->time, n);
  dae_pack_f32(page->pack, "run_value", values, n * run->n_curves);
  dae_pack_f64(page->pack, "run_base", base, run->n_curves);
  dae_pack_f64(page->pack, "run_size", size, run->n_curves);
  dae_pack_lines(page->pack, "run_name", run->names, run->n_curves);
  dae_pack_lines(page->pack, "run_unit", run->units, run->n_curves);
  dae_pack_u8(page->pack, "run_kind", run->kinds, run->n_curves);
  dae_pack_fact(page->pack, "tolerance", run->tolerance);
}

static void
pack_events(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  g_autofree double *times = g_new0(double, run->n_events + 1);
  g_autofree const char **causes = g_new0(const char *, run->n_events + 1);
  g_autofree const char **changes = g_new0(const char *, run->n_events + 1);
  for (size_t i = 0; i < run->n_events; i++) {
    times[i] = run->events[i].t;
    causes[i] = run->events[i].cause;
    changes[i] = run->events[i].changes;
  }
  dae_pack_f64(page->pack, "event_time", times, run->n_events);
  dae_pack_lines(page->pack, "event_cause", causes, run->n_events);
  dae_pack_lines(page->pack, "event_changes", changes, run->n_events);
}

/* "h < 0 (line 15)": the place becomes a link. */
static void
write_cause(DaeHtmlPage *page, const char *cause)
{
  static const char mark[] = "(line ";
  const char *at;
  while ((at = strstr(cause, mark)) != NULL) {
    g_autofree char *before = g_strndup(cause, (gsize)(at - cause));
    char *end = NULL;
    guint64 line = g_ascii_strtoull(at + strlen(mark), &end, 10);
    dae_html_text(page, before);
    dae_html_printf(page, "(<a href=\"#L%u\">line %u</a>", (uint32_t)MIN(line, UINT32_MAX),
                    (uint32_t)MIN(line, UINT32_MAX));
    cause = end;
  }
  dae_html_text(page, cause);
}

static void
write_events(DaeHtmlPage *page)
{
  enum { MOST = 200 };

  const DaeHtmlRun *run = page->report->run;
  if (run->n_events == 0) {
    return;
  }
  dae_html_printf(page,
                  "<details%s><summary>Events</summary>\n<table class=\"fit\">\n<thead><tr>"
                  "<th scope=\"col\">time</th><th scope=\"col\">kind</th>"
                  "<th scope=\"col\">cause</th><th scope=\"col\">what changed</th>"
                  "</tr></thead>\n<tbody>\n",
                  run->n_events <= 12 ? " open" : "");
  for (size_t i = 0; i < MIN(run->n_events, MOST); i++) {
    const DaeHtmlEvent *event = &run->events[i];
    dae_html_printf(page, "<tr><td class=\"n\">%.10g</td><td>%s</td><td>", event->t,
                    event->kind);
    write_cause(page, event->cause);
    g_string_append(page->out, "</td><td>");
    dae_html_text(page, event->changes);
    g_string_append(page->out, "</td></tr>\n");
  }
  g_string_append(page->out, "</tbody>\n</table>\n");
  if (run->n_events > MOST) {
    dae_html_printf(page,
                    "<p>The first %d of %zu events; all of them: "
                    "<code>daetool simulate --events FILE.csv</code>.</p>\n",
                    MOST, run->n_events);
  }
  g_string_append(page->out, "</details>\n");
}

static void
pack_steps(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  g_autofree double *times = g_new0(double, run->n_steps + 1);
  g_autofree float *sizes = g_new0(float, run->n_steps + 1);
  g_autofree uint8_t *orders = g_new0(uint8_t, run->n_steps + 1);
  g_autofree uint8_t *newton = g_new0(uint8_t, run->n_steps + 1);
  for (size_t i = 0; i < run->n_steps; i++) {
    times[i] = run->steps[i].t;
    sizes[i] = (float)run->steps[i].size;
    orders[i] = (uint8_t)CLAMP(run->steps[i].order, 0, 255);
    newton[i] = (uint8_t)MIN(run->steps[i].newton, 255);
  }
  dae_pack_f64(page->pack, "step_time", times, run->n_steps);
  dae_pack_f32(page->pack, "step_size", sizes, run->n_steps);
  dae_pack_u8(page->pack, "step_order", orders, run->n_steps);
  dae_pack_u8(page->pack, "step_newton", newton, run->n_steps);
  g_autofree float *residuals = g_new0(float, run->n_residuals + 1);
  for (size_t i = 0; i < run->n_residuals; i++) {
    residuals[i] = (float)run->residual[i];
  }
  dae_pack_f64(page->pack, "residual_time", run->residual_time, run->n_residuals);
  dae_pack_f32(page->pack, "residual_value", residuals, run->n_residuals);
}

static void
write_figures(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  g_string_append(page->out, "<h3>Statistics</h3>\n<table class=\"fit\">\n");
  for (size_t i = 0; i < run->n_figures; i++) {
    g_string_append(page->out, "<tr><th scope=\"row\">");
    dae_html_text(page, run->figures[i].label);
    g_string_append(page->out, "</th><td class=\"n\">");
    dae_html_text(page, run->figures[i].value);
    g_string_append(page->out, "</td></tr>\n");
  }
  g_string_append(page->out, "</table>\n");
}

static void
write_curves(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  g_string_append(
      page->out,
      "<div class=\"tools\"><button type=\"button\" id=\"run-reset\">whole time</button>"
      "</div>\n<div id=\"curves\"></div>\n"
      "<p class=\"hint\">Drag over a curve to zoom in, with Shift to move, double click for "
      "the "
      "whole time; click, then turn the wheel to zoom. All panels share the cursor.</p>\n"
      "<details class=\"choose\"><summary>Choose the curves</summary>\n"
      "<p><label>part of a name <input id=\"filter\" type=\"search\"></label></p>\n"
      "<div id=\"choice\"></div>\n</details>\n");
  if (run->n_left_out > 0) {
    dae_html_printf(page,
                    "<p>%u more variables are not in this page; choose with "
                    "<code>--variables</code>.</p>\n",
                    run->n_left_out);
  }
}

void
dae_html_run(DaeHtmlPage *page)
{
  const DaeHtmlRun *run = page->report->run;
  if (run == NULL) {
    return;
  }
  dae_html_begin(page, "run", "Simulation");
  g_string_append(page->out, "<p>");
  dae_html_text(page, run->status);
  if (run->n_events > 0) {
    dae_html_printf(page,
                    "; %zu event%s, marked by dashed lines: point at one to see its cause",
                    run->n_events, run->n_events == 1 ? "" : "s");
  }
  g_string_append(page->out, "</p>\n");
  if (run->n_points > 1) {
    write_curves(page);
    pack_curves(page);
    pack_events(page);
    pack_steps(page);
    write_events(page);
    if (run->n_steps > 0) {
      g_string_append(page->out, "<h3>Work of the integrator</h3>\n<div id=\"steps\"></div>\n");
    }
  }
  if (run->n_figures > 0) {
    write_figures(page);
  }
  dae_html_end(page);
}
