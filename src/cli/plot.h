/* Line plots as SVG: axes with round ticks, grid, legend, colours that colour-blind readers can tell apart. */
#ifndef DAE_CLI_PLOT_H
#define DAE_CLI_PLOT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *name;
  const char *unit; /* NULL if none */
  const double *x, *y;
  size_t n;
} DaePlotSeries;

typedef struct {
  const char *title;
  const char *x_label;
  const DaePlotSeries *series;
  uint32_t n_series;
  bool log_y; /* only positive values are drawn */
} DaePlot;

void dae_plot_svg(const DaePlot *plot, GString *out);

#endif
