#include "cli/plot.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito's palette without yellow, which is weak on white. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3"};

enum {
  WIDTH = 820,
  HEIGHT = 460,
  LEFT = 82,
  RIGHT = 18,
  TOP = 42,
  BOTTOM = 56,
  LEGEND_ROW = 20
};

typedef struct {
  double low, high, step;
  bool is_log;
  double from, to; /* pixels */
} Axis;

static double
place(const Axis *axis, double value)
{
  double v = axis->is_log ? log10(value) : value;
  double fraction = axis->high > axis->low ? (v - axis->low) / (axis->high - axis->low) : 0.5;
  return axis->from + fraction * (axis->to - axis->from);
}

/* Round ticks: 1, 2 or 5 times a power of ten, about `wanted` of them. */
static void
choose_ticks(Axis *axis, double low, double high, double wanted)
{
  if (!(high > low)) {
    double pad = low == 0 ? 1 : 0.5 * fabs(low);
    low -= pad;
    high += pad;
  }
  double raw = (high - low) / wanted;
  double power = pow(10, floor(log10(raw)));
  double lead = raw / power;
  axis->step = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  if (axis->is_log) {
    axis->step = fmax(1, ceil(axis->step));
  }
  axis->low = floor(low / axis->step + 1e-9) * axis->step;
  axis->high = ceil(high / axis->step - 1e-9) * axis->step;
}

static void
tick_text(const Axis *axis, double v, GString *out)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (axis->is_log) {
    g_string_append_printf(out, "10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>", v);
    return;
  }
  double shown = fabs(v) < 1e-9 * axis->step ? 0 : v;
  g_string_append(out, g_ascii_formatd(number, sizeof number, "%.6g", shown));
}

static void
append_escaped(GString *out, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text(text, -1);
  g_string_append(out, escaped);
}

static void
draw_axes(const DaePlot *plot, const Axis *x, const Axis *y, GString *out)
{
  for (long i = 0; i <= lround((x->high - x->low) / x->step); i++) {
    double v = x->low + (double)i * x->step;
    double px = x->from + (v - x->low) / (x->high - x->low) * (x->to - x->from);
    g_string_append_printf(out,
                           "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"g\"/>"
                           "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                           px, y->from, px, y->to, px, y->from + 18);
    tick_text(x, v, out);
    g_string_append(out, "</text>\n");
  }
  for (long i = 0; i <= lround((y->high - y->low) / y->step); i++) {
    double v = y->low + (double)i * y->step;
    double py = y->from + (v - y->low) / (y->high - y->low) * (y->to - y->from);
    g_string_append_printf(out,
                           "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"g\"/>"
                           "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                           x->from, py, x->to, py, x->from - 8, py + 4);
    tick_text(y, v, out);
    g_string_append(out, "</text>\n");
  }
  g_string_append_printf(
      out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"f\"/>\n",
      x->from, y->to, x->to - x->from, y->from - y->to);
  g_string_append_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                         0.5 * (x->from + x->to), y->from + 40);
  append_escaped(out, plot->x_label);
  g_string_append(out, "</text>\n");
}

/* The unit all series share stands at the axis; NULL if they differ. */
static const char *
common_unit(const DaePlot *plot)
{
  for (uint32_t s = 1; s < plot->n_series; s++) {
    if (g_strcmp0(plot->series[s].unit, plot->series[0].unit) != 0) {
      return NULL;
    }
  }
  return plot->n_series > 0 ? plot->series[0].unit : NULL;
}

static bool
can_be_drawn(const DaePlot *plot, double value)
{
  return isfinite(value) && (!plot->log_y || value > 0);
}

/* One path. Of many points in the same pixel column the first, smallest, largest and last are drawn: nothing visible is lost
 * and the file stays small. */
static void
draw_series(const DaePlot *plot, uint32_t s, const Axis *x, const Axis *y, GString *out)
{
  const DaePlotSeries *series = &plot->series[s];
  const char *dash = dashes[(s / G_N_ELEMENTS(colors)) % G_N_ELEMENTS(dashes)];
  g_string_append_printf(out,
                         "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
                         "stroke-linejoin=\"round\"%s%s%s d=\"",
                         colors[s % G_N_ELEMENTS(colors)],
                         dash[0] != '\0' ? " stroke-dasharray=\"" : "", dash,
                         dash[0] != '\0' ? "\"" : "");
  bool pen_down = false;
  for (size_t i = 0; i < series->n;) {
    if (!can_be_drawn(plot, series->y[i])) {
      pen_down = false;
      i++;
      continue;
    }
    double column = floor(2 * place(x, series->x[i]));
    double low = series->y[i];
    double high = low;
    size_t last = i;
    while (last + 1 < series->n && can_be_drawn(plot, series->y[last + 1]) &&
           floor(2 * place(x, series->x[last + 1])) == column) {
      last++;
      low = fmin(low, series->y[last]);
      high = fmax(high, series->y[last]);
    }
    const double points[4] = {series->y[i], low, high, series->y[last]};
    for (int p = 0; p < (last - i >= 3 ? 4 : 1); p++) {
      g_string_append_printf(out, "%s%.2f %.2f", pen_down ? "L" : "M", place(x, series->x[i]),
                             place(y, points[p]));
      pen_down = true;
    }
    i = last - i >= 3 ? last + 1 : i + 1;
  }
  g_string_append(out, "\"/>\n");
}

static double
legend_width(const DaePlotSeries *series, bool with_unit)
{
  size_t letters = (size_t)g_utf8_strlen(series->name, -1);
  if (with_unit && series->unit != NULL) {
    letters += (size_t)g_utf8_strlen(series->unit, -1) + 3;
  }
  return 46 + 7.2 * (double)letters;
}

/* Legend in rows above the picture: it never covers a curve. Returns the number of rows; out may be NULL to count only. */
static int
draw_legend(const DaePlot *plot, GString *out)
{
  bool with_unit = common_unit(plot) == NULL;
  double px = LEFT;
  int row = 0;
  for (uint32_t s = 0; s < plot->n_series; s++) {
    double width = legend_width(&plot->series[s], with_unit);
    if (px > LEFT && px + width > WIDTH - RIGHT) {
      px = LEFT;
      row++;
    }
    if (out != NULL) {
      double py = TOP + row * LEGEND_ROW;
      const char *dash = dashes[(s / G_N_ELEMENTS(colors)) % G_N_ELEMENTS(dashes)];
      g_string_append_printf(out,
                             "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                             "stroke=\"%s\" stroke-width=\"2.4\" stroke-dasharray=\"%s\"/>"
                             "<text x=\"%.1f\" y=\"%.1f\">",
                             px, py, px + 24, py, colors[s % G_N_ELEMENTS(colors)], dash,
                             px + 30, py + 4);
      append_escaped(out, plot->series[s].name);
      if (with_unit && plot->series[s].unit != NULL) {
        g_string_append(out, " [");
        append_escaped(out, plot->series[s].unit);
        g_string_append_c(out, ']');
      }
      g_string_append(out, "</text>\n");
    }
    px += width;
  }
  return row + 1;
}

static void
find_ranges(const DaePlot *plot, Axis *x, Axis *y)
{
  double low[2] = {INFINITY, INFINITY};
  double high[2] = {-INFINITY, -INFINITY};
  for (uint32_t s = 0; s < plot->n_series; s++) {
    const DaePlotSeries *series = &plot->series[s];
    for (size_t i = 0; i < series->n; i++) {
      if (can_be_drawn(plot, series->y[i]) && isfinite(series->x[i])) {
        double v = plot->log_y ? log10(series->y[i]) : series->y[i];
        low[0] = fmin(low[0], series->x[i]);
        high[0] = fmax(high[0], series->x[i]);
        low[1] = fmin(low[1], v);
        high[1] = fmax(high[1], v);
      }
    }
  }
  if (!(low[0] <= high[0])) { /* nothing to draw */
    low[0] = low[1] = 0;
    high[0] = high[1] = 1;
  }
  y->is_log = plot->log_y;
  choose_ticks(x, low[0], high[0], 8);
  choose_ticks(y, low[1], high[1], 6);
}

void
dae_plot_svg(const DaePlot *plot, GString *out)
{
  int rows = draw_legend(plot, NULL);
  double top = TOP + rows * LEGEND_ROW;
  double height = HEIGHT + rows * LEGEND_ROW;
  Axis x = {.from = LEFT, .to = WIDTH - RIGHT};
  Axis y = {.from = height - BOTTOM, .to = top};
  find_ranges(plot, &x, &y);
  g_string_append_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" "
      "height=\"%.0f\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
      "<style>.g{stroke:#dddddd;stroke-width:1}.f{fill:none;stroke:#333333;stroke-width:1}</"
      "style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      WIDTH, height, WIDTH, height);
  g_string_append_printf(out, "<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">",
                         LEFT);
  append_escaped(out, plot->title);
  g_string_append(out, "</text>\n");
  draw_axes(plot, &x, &y, out);
  const char *unit = common_unit(plot);
  if (unit != NULL) {
    g_string_append_printf(
        out, "<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">[",
        0.5 * (y.from + y.to));
    append_escaped(out, unit);
    g_string_append(out, "]</text>\n");
  }
  draw_legend(plot, out);
  for (uint32_t s = 0; s < plot->n_series; s++) {
    draw_series(plot, s, &x, &y, out);
  }
  g_string_append(out, "</svg>\n");
}
