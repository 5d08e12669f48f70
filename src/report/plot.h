/* Line plots as SVG: axes with round ticks, grid, legends beside no curve, colours that
 * colour-blind readers can tell apart.
 *
 * Curves of different units or kinds, or of sizes more than ten times apart, get panels of their
 * own, one above the other with the same time axis; at most twelve. A curve that lies on an
 * earlier one for a good part is dashed, so that both are seen. */
#ifndef DAE_REPORT_PLOT_H
#define DAE_REPORT_PLOT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { DAE_PLOT_REAL, DAE_PLOT_INTEGER, DAE_PLOT_BOOLEAN } DaePlotKind;

typedef struct {
  const char *name;
  const char *unit; /* NULL if none */
  DaePlotKind kind; /* of the values: what the ticks of its axis are */
  const double *x, *y;
  size_t n;
  uint32_t like; /* 1 + number of the series whose panel and colour it shares; 0: its own */
} DaePlotSeries;

typedef struct {
  const char *title;
  const char *note; /* small, beside the title; NULL if none */
  const char *x_label;
  const char *x_unit; /* NULL if none */
  const DaePlotSeries *series;
  uint32_t n_series;
  bool log_x, log_y; /* only positive values are drawn */
  /* relative: changes below it are the integrator's error, not the model's; drawn as constant */
  double noise;
} DaePlot;

void dae_plot_svg(const DaePlot *plot, GString *out);

/* Values that a logarithmic axis cannot show, or that are no numbers. */
bool dae_plot_can_draw(const DaePlot *plot, double x, double y);

#endif
