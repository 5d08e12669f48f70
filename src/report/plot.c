#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot-priv.h"
#include "report/typeset.h"

/* Okabe and Ito's palette without yellow, which is weak on white. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
static const char *const dashes[] = {"", "7 4", "2 3", "9 3 2 3"};

enum {
  WIDTH = 820,
  LEFT = 84,
  RIGHT = 30,
  TOP = 40, /* below the title */
  BOTTOM = 56,
  LEGEND_ROW = 20,
  GAP = 16 /* between panels */
};

typedef struct {
  const DaePlot *plot;
  uint32_t *panel_of, *index; /* of each series: its panel, its place in the panel */
  uint32_t *dash;             /* of each series */
  uint32_t n_panels;
  DaePlotAxis x;
  DaePlotAxis y[DAE_PLOT_MAX_PANELS];
  double legend_top[DAE_PLOT_MAX_PANELS];
  double height;
} Figure;

bool
dae_plot_can_draw(const DaePlot *plot, double x, double y)
{
  return fabs(x) < 1e300 && fabs(y) < 1e300 && (!plot->log_x || x > 0) &&
         (!plot->log_y || y > 0);
}

/* ---- arrangement ------------------------------------------------------------------------- */

/* The unit that all series of a panel share; NULL if they differ or have none. */
static const char *
unit_of_panel(const Figure *figure, uint32_t panel, bool *differ)
{
  const DaePlotSeries *first = NULL;
  *differ = false;
  for (uint32_t s = 0; s < figure->plot->n_series; s++) {
    const DaePlotSeries *series = &figure->plot->series[s];
    if (figure->panel_of[s] == panel) {
      first = first == NULL ? series : first;
      *differ = *differ || g_strcmp0(first->unit, series->unit) != 0;
    }
  }
  return first == NULL || *differ ? NULL : first->unit;
}

/* Do two curves look like one, for a fifth of their way at least? A
 * sample of their points tells. */
static bool
coincide(const Figure *figure, const DaePlotSeries *a, const DaePlotSeries *b, double span)
{
  size_t n = MIN(a->n, b->n);
  size_t stride = n / 400 + 1;
  size_t n_seen = 0;
  size_t n_near = 0;
  for (size_t i = 0; i < n; i += stride) {
    if (!dae_plot_can_draw(figure->plot, a->x[i], a->y[i]) ||
        !dae_plot_can_draw(figure->plot, b->x[i], b->y[i])) {
      continue;
    }
    double distance =
        figure->plot->log_y ? fabs(log10(a->y[i]) - log10(b->y[i])) : fabs(a->y[i] - b->y[i]);
    n_seen++;
    n_near += distance <= 0.004 * span && a->x[i] == b->x[i];
  }
  return n_seen > 0 && 5 * n_near >= n_seen;
}

/* After eight colours the dashes change; a curve upon another one is dashed as well. */
static void
choose_dashes(Figure *figure)
{
  const DaePlot *plot = figure->plot;
  for (uint32_t s = 0; s < plot->n_series; s++) {
    const DaePlotAxis *y = &figure->y[figure->panel_of[s]];
    figure->dash[s] = figure->index[s] / G_N_ELEMENTS(colors);
    if (plot->series[s].like > 0) { /* the n-th follower has the n-th dash */
      figure->dash[s] = 1;
      for (uint32_t r = 0; r < s; r++) {
        figure->dash[s] += plot->series[r].like == plot->series[s].like;
      }
    }
    for (uint32_t r = 0; r < s && s < 64 && plot->series[s].like == 0; r++) {
      if (figure->panel_of[r] == figure->panel_of[s] &&
          coincide(figure, &plot->series[r], &plot->series[s], y->high - y->low)) {
        figure->dash[s] = figure->dash[r] + 1;
      }
    }
    figure->dash[s] %= G_N_ELEMENTS(dashes);
  }
}

typedef struct {
  double low, high;
} Range;

static void
widen(Range *range, double value, bool is_log)
{
  double v = is_log ? log10(value) : value;
  range->low = fmin(range->low, v);
  range->high = fmax(range->high, v);
}

static void
choose_ranges(Figure *figure)
{
  const DaePlot *plot = figure->plot;
  Range x = {INFINITY, -INFINITY};
  Range y[DAE_PLOT_MAX_PANELS];
  for (uint32_t p = 0; p < DAE_PLOT_MAX_PANELS; p++) {
    y[p] = x;
  }
  for (uint32_t s = 0; s < plot->n_series; s++) {
    const DaePlotSeries *series = &plot->series[s];
    for (size_t i = 0; i < series->n; i++) {
      if (dae_plot_can_draw(plot, series->x[i], series->y[i])) {
        widen(&x, series->x[i], plot->log_x);
        widen(&y[figure->panel_of[s]], series->y[i], plot->log_y);
      }
    }
  }
  const Range nothing = {0, 1};
  x = x.low <= x.high ? x : nothing;
  figure->x.is_log = plot->log_x;
  dae_plot_choose_axis(&figure->x, x.low, x.high, 8, true, 0);
  for (uint32_t p = 0; p < figure->n_panels; p++) {
    y[p] = y[p].low <= y[p].high ? y[p] : nothing;
    figure->y[p].is_log = plot->log_y;
    figure->y[p].kind = DAE_PLOT_BOOLEAN;
    for (uint32_t s = 0; s < plot->n_series; s++) { /* the widest of its curves */
      if (figure->panel_of[s] == p) {
        figure->y[p].kind = MIN(figure->y[p].kind, plot->series[s].kind);
      }
    }
    dae_plot_choose_axis(&figure->y[p], y[p].low, y[p].high, figure->n_panels == 1 ? 8 : 5,
                         false, plot->noise);
  }
}

/* ---- legend ------------------------------------------------------------------------------ */

static void
draw_legend_entry(const Figure *figure, uint32_t s, double px, double py, const char *text,
                  GString *out)
{
  const char *dash = dashes[figure->dash[s]];
  g_string_append_printf(out,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                         "stroke-width=\"2.2\"%s%s%s/><text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
                         px, py, px + 26, py, colors[figure->index[s] % G_N_ELEMENTS(colors)],
                         dash[0] != '\0' ? " stroke-dasharray=\"" : "", dash,
                         dash[0] != '\0' ? "\"" : "", px + 32, py + 4, text);
}

/* Rows above the panel: a legend never covers a curve. Returns the number of rows;
 * out may be NULL to count only. */
static int
draw_legend(const Figure *figure, uint32_t panel, GString *out)
{
  bool differ = false;
  unit_of_panel(figure, panel, &differ);
  double px = LEFT;
  int row = 0;
  for (uint32_t s = 0; s < figure->plot->n_series; s++) {
    const DaePlotSeries *series = &figure->plot->series[s];
    if (figure->panel_of[s] != panel) {
      continue;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *name = dae_plot_short_name(series->name);
    guint letters = dae_text_width(name, strlen(name));
    dae_plot_escape(text, name);
    if (differ && series->unit != NULL) {
      g_string_append(text, " [");
      dae_plot_unit_text(text, series->unit);
      g_string_append_c(text, ']');
      letters += dae_text_width(series->unit, strlen(series->unit)) + 3;
    }
    double width = 50 + 7.4 * letters;
    if (px > LEFT && px + width > WIDTH - RIGHT + 16) {
      px = LEFT;
      row++;
    }
    if (out != NULL) {
      draw_legend_entry(figure, s, px, figure->legend_top[panel] + row * LEGEND_ROW, text->str,
                        out);
    }
    px += width;
  }
  return row + 1;
}

/* From the top: title, then legend and panel of each; the time axis at the bottom. */
static void
arrange(Figure *figure)
{
  static const double heights[] = {0, 340, 220, 185, 165, 140};
  double height = heights[MIN(figure->n_panels, G_N_ELEMENTS(heights) - 1)];
  double at = TOP;
  for (uint32_t p = 0; p < figure->n_panels; p++) {
    figure->legend_top[p] = at + 4;
    at += draw_legend(figure, p, NULL) * LEGEND_ROW;
    figure->y[p].to = at;
    at += figure->y[p].kind == DAE_PLOT_BOOLEAN ? fmin(height, 100) : height;
    figure->y[p].from = at;
    at += GAP;
  }
  figure->height = at - GAP + BOTTOM;
  figure->x.from = LEFT;
  figure->x.to = WIDTH - RIGHT;
}

/* ---- axes -------------------------------------------------------------------------------- */

static void
draw_grid_line(double x1, double y1, double x2, double y2, GString *out)
{
  g_string_append_printf(
      out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n", x1, y1, x2,
      y2);
}

static void
draw_x_axis(const Figure *figure, uint32_t panel, GString *out)
{
  const DaePlotAxis *x = &figure->x;
  const DaePlotAxis *y = &figure->y[panel];
  bool is_last = panel + 1 == figure->n_panels;
  for (long k = 0; k < x->n_ticks; k++) {
    double px = dae_plot_tick(x, k);
    draw_grid_line(px, y->from, px, y->to, out);
    if (is_last) {
      g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", px,
                             y->from + 18);
      dae_plot_tick_text(x, k, out);
      g_string_append(out, "</text>\n");
    }
  }
  if (is_last) {
    g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                           0.5 * (x->from + x->to), y->from + 40);
    dae_plot_escape(out, figure->plot->x_label);
    if (figure->plot->x_unit != NULL && figure->plot->x_unit[0] != '\0') {
      g_string_append(out, " [");
      dae_plot_unit_text(out, figure->plot->x_unit);
      g_string_append_c(out, ']');
    }
    g_string_append_c(out, ' ');
    dae_plot_scale_text(x, out);
    g_string_append(out, "</text>\n");
  }
}

static void
draw_y_axis(const Figure *figure, uint32_t panel, GString *out)
{
  const DaePlotAxis *x = &figure->x;
  const DaePlotAxis *y = &figure->y[panel];
  for (long k = 0; k < y->n_ticks; k++) {
    double py = dae_plot_tick(y, k);
    draw_grid_line(x->from, py, x->to, py, out);
    g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x->from - 8,
                           py + 4);
    dae_plot_tick_text(y, k, out);
    g_string_append(out, "</text>\n");
  }
  g_autoptr(GString) label = g_string_new(NULL);
  bool differ = false;
  const char *unit = unit_of_panel(figure, panel, &differ);
  dae_plot_scale_text(y, label);
  if (unit != NULL && unit[0] != '\0') {
    g_string_append(label, label->len > 0 ? " [" : "[");
    dae_plot_unit_text(label, unit);
    g_string_append_c(label, ']');
  }
  if (label->len > 0) {
    g_string_append_printf(
        out,
        "<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
        0.5 * (y->from + y->to), label->str);
  }
}

static void
draw_panel(const Figure *figure, uint32_t panel, GString *out)
{
  const DaePlotAxis *x = &figure->x;
  const DaePlotAxis *y = &figure->y[panel];
  draw_x_axis(figure, panel, out);
  draw_y_axis(figure, panel, out);
  g_string_append_printf(
      out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"f\"/>\n",
      x->from, y->to, x->to - x->from, y->from - y->to);
  draw_legend(figure, panel, out);
}

/* ---- curves ------------------------------------------------------------------------------ */

/* The points i..last of one pixel column: the first, smallest, largest and last are drawn, so
 * that nothing visible is lost and the file stays small. */
static void
draw_column(const Figure *figure, const DaePlotSeries *series, size_t i, size_t last,
            const DaePlotAxis *y, bool pen_down, GString *out)
{
  double low = series->y[i];
  double high = low;
  for (size_t k = i; k <= last; k++) {
    low = fmin(low, series->y[k]);
    high = fmax(high, series->y[k]);
  }
  const double points[4] = {series->y[i], low, high, series->y[last]};
  for (int p = 0; p < (last > i ? 4 : 1); p++) {
    g_string_append_printf(out, "%s%.2f %.2f", pen_down || p > 0 ? "L" : "M",
                           dae_plot_place(&figure->x, series->x[i]),
                           dae_plot_place(y, points[p]));
  }
}

/* The last of the points from i on that are drawn in one stroke and in the same half pixel. */
static size_t
end_of_column(const Figure *figure, const DaePlotSeries *series, size_t i)
{
  double column = floor(2 * dae_plot_place(&figure->x, series->x[i]));
  size_t last = i;
  while (last + 1 < series->n &&
         dae_plot_can_draw(figure->plot, series->x[last + 1], series->y[last + 1]) &&
         floor(2 * dae_plot_place(&figure->x, series->x[last + 1])) == column) {
    last++;
  }
  return last - i >= 3 ? last : i;
}

static void
draw_series(const Figure *figure, uint32_t s, GString *out)
{
  const DaePlotSeries *series = &figure->plot->series[s];
  const DaePlotAxis *y = &figure->y[figure->panel_of[s]];
  const char *dash = dashes[figure->dash[s]];
  const char *color = colors[figure->index[s] % G_N_ELEMENTS(colors)];
  g_string_append_printf(out,
                         "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
                         "stroke-linejoin=\"round\"%s%s%s d=\"",
                         color, dash[0] != '\0' ? " stroke-dasharray=\"" : "", dash,
                         dash[0] != '\0' ? "\"" : "");
  bool pen_down = false;
  size_t n_drawn = 0;
  size_t only = 0;
  for (size_t i = 0; i < series->n; i++) {
    if (!dae_plot_can_draw(figure->plot, series->x[i], series->y[i])) {
      pen_down = false;
      continue;
    }
    size_t last = end_of_column(figure, series, i);
    draw_column(figure, series, i, last, y, pen_down, out);
    pen_down = true;
    only = i;
    n_drawn++;
    i = last;
  }
  g_string_append(out, "\"/>\n");
  if (n_drawn == 1) { /* one point is no line */
    g_string_append_printf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n",
                           dae_plot_place(&figure->x, series->x[only]),
                           dae_plot_place(y, series->y[only]), color);
  }
}

/* How far a curve goes up and down in its panel. */
static double
travel_of(const Figure *figure, uint32_t s)
{
  const DaePlotSeries *series = &figure->plot->series[s];
  const DaePlotAxis *y = &figure->y[figure->panel_of[s]];
  double sum = 0;
  double before = NAN;
  for (size_t i = 0; i < series->n; i++) {
    if (dae_plot_can_draw(figure->plot, series->x[i], series->y[i])) {
      double place = dae_plot_place(y, series->y[i]);
      sum += isnan(before) ? 0 : fabs(place - before);
      before = place;
    }
  }
  return sum;
}

typedef struct {
  uint32_t series, dash;
  double travel;
} Layer;

static int
compare_layers(const void *a, const void *b)
{
  const Layer *p = a;
  const Layer *q = b;
  if (p->dash != q->dash) {
    return p->dash < q->dash ? -1 : 1;
  }
  if (p->travel != q->travel) {
    return p->travel > q->travel ? -1 : 1;
  }
  return p->series < q->series ? -1 : 1;
}

/* Restless curves first, so that they do not cover calm ones; dashed ones upon those that they
 * coincide with. (transfer full) */
static uint32_t *
drawing_order(const Figure *figure)
{
  uint32_t n = figure->plot->n_series;
  uint32_t *order = g_new0(uint32_t, n + 1);
  g_autofree Layer *layers = g_new0(Layer, n + 1);
  for (uint32_t s = 0; s < n; s++) {
    layers[s] = (Layer){s, figure->dash[s], travel_of(figure, s)};
  }
  qsort(layers, n, sizeof(Layer), compare_layers);
  for (uint32_t k = 0; k < n; k++) {
    order[k] = layers[k].series;
  }
  return order;
}

/* ---- the figure -------------------------------------------------------------------------- */

static void
draw_figure(const Figure *figure, GString *out)
{
  g_string_append_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
      "height=\"%.0f\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
      "<style>.g{stroke:#dddddd;stroke-width:1}.f{fill:none;stroke:#333333;stroke-width:1}</"
      "style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      WIDTH, figure->height, WIDTH, figure->height);
  g_string_append_printf(out, "<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">",
                         LEFT);
  g_autofree char *title = dae_plot_short_name(figure->plot->title);
  dae_plot_escape(out, title);
  g_string_append(out, "</text>\n");
  if (figure->plot->note != NULL) {
    g_string_append_printf(out,
                           "<text x=\"%d\" y=\"%.0f\" fill=\"#666666\" font-size=\"11\" "
                           "text-anchor=\"end\">",
                           WIDTH - RIGHT, figure->height - 8);
    dae_plot_escape(out, figure->plot->note);
    g_string_append(out, "</text>\n");
  }
  for (uint32_t p = 0; p < figure->n_panels; p++) {
    draw_panel(figure, p, out);
  }
  g_autofree uint32_t *order = drawing_order(figure);
  for (uint32_t k = 0; k < figure->plot->n_series; k++) {
    draw_series(figure, order[k], out);
  }
  g_string_append(out, "</svg>\n");
}

void
dae_plot_svg(const DaePlot *plot, GString *out)
{
  Figure figure = {.plot = plot};
  uint32_t count[DAE_PLOT_MAX_PANELS] = {0};
  figure.panel_of = g_new0(uint32_t, plot->n_series + 1);
  figure.index = g_new0(uint32_t, plot->n_series + 1);
  figure.dash = g_new0(uint32_t, plot->n_series + 1);
  figure.n_panels = dae_plot_group(plot, figure.panel_of);
  for (uint32_t s = 0; s < plot->n_series; s++) {
    uint32_t like = plot->series[s].like;
    figure.index[s] = like > 0 ? figure.index[like - 1] : count[figure.panel_of[s]]++;
  }
  choose_ranges(&figure);
  choose_dashes(&figure);
  arrange(&figure);
  draw_figure(&figure, out);
  g_free(figure.panel_of);
  g_free(figure.index);
  g_free(figure.dash);
}
